//! The functions and types at the root of the crate: puzzles from text and back, and questions about one puzzle.

use gridmill::canon::Canonicaliser;
use gridmill::format::{Alphabet, Malformed, Symbol, SymbolPosition};
use gridmill::generate::{GenerateError, Generator, PuzzleSpec, Target};
use gridmill::jobs::{Execution, Generate};
use gridmill::puzzle::rules;
use gridmill::{
    CanonError, CellsError, Corpus, ParsePuzzleError, Puzzle, RateError, Size, SolveError, canonical_form, class,
    count_solutions, generate, is_minimal, rate, solutions, solve,
};
use proptest::prelude::*;

const UNIQUE: &str = "1.3..........4.2";
const NINE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

/// Puzzle number 0 of a seed, and its solution.
fn generated(size: Size, seed: u64, target: Target) -> (Puzzle, Vec<u8>) {
    let (mut puzzle, mut solution) = (vec![0; size.cells()], vec![0; size.cells()]);
    Generator::new(size, seed, target).unwrap().puzzle(0, &mut puzzle, &mut solution).unwrap();
    (Puzzle::try_from(&*puzzle).unwrap(), solution)
}

/// A drawn grid: spaces between cells, lines between boxes.
fn drawn(puzzle: &Puzzle) -> String {
    let (size, side) = (puzzle.size(), puzzle.size().side());
    let (rows, columns) = (size.box_rows(), size.box_columns());
    let text: Vec<char> = puzzle.to_string().chars().collect();
    let border = vec!["-".repeat(2 * columns + 1); rows].join("+") + "\n";
    let row = |row: &[char]| -> String {
        let stack = |cells: &[char]| cells.iter().flat_map(|&cell| [' ', cell]).collect::<String>();
        row.chunks(columns).map(stack).collect::<Vec<_>>().join(" |") + "\n"
    };
    let bands: Vec<String> = text.chunks(rows * side).map(|band| band.chunks(side).map(row).collect()).collect();
    bands.join(&border)
}

#[test]
fn a_spec_and_a_seed_give_the_first_puzzle_of_the_job() {
    let six = Generate::new(1).size(Size::Six).clues("12".parse().unwrap()).seed(7);
    let nine = Generate::new(1).minimal(true).seed(7);
    for (job, size, target) in [(six, Size::Six, Target::Clues(12)), (nine, Size::Nine, Target::Minimal)] {
        let mut line = Vec::new();
        let _ = job.run(Corpus::empty(), &mut line, &Execution::new()).unwrap();
        let puzzle = generate(PuzzleSpec::new(size, target), 7).unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), format!("{puzzle}\n"));
    }
    let refused = generate(PuzzleSpec::new(Size::Nine, Target::Clues(16)), 7).unwrap_err();
    assert!(matches!(refused, GenerateError::TooFewClues { clues: 16, .. }), "{refused}");
}

#[test]
fn puzzles_of_all_sizes_are_solved() {
    let clues = [6, 12, 24, 28, 45, 70, 130, 400];
    for (size, clues) in Size::ALL.into_iter().zip(clues) {
        let (puzzle, solution) = generated(size, 1, Target::Clues(clues));
        assert_eq!((puzzle.size(), puzzle.clues()), (size, clues));
        for text in [puzzle.to_string(), drawn(&puzzle), format!("{puzzle} a comment\n")] {
            let solved = solve(&text).unwrap();
            assert_eq!((solved.size(), solved.cells()), (size, &*solution), "{text}");
            assert_eq!(solve(&solved.to_string()), Ok(solved));
        }
        assert!(rules::is_solution(size, puzzle.cells(), solve(&puzzle.to_string()).unwrap().cells()));
        assert_eq!(count_solutions(&puzzle, 10), Ok(1));
    }
}

#[test]
fn a_puzzle_is_a_line_a_grid_or_numbers() {
    let puzzle: Puzzle = UNIQUE.parse().unwrap();
    assert_eq!(format!("{puzzle:?}"), "Puzzle(1.3..........4.2)");
    assert_eq!(format!("{puzzle:>18}|{puzzle:<17}|"), "  1.3..........4.2|1.3..........4.2 |");
    assert_eq!(puzzle.cells(), [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2]);
    for text in [
        "1030000000000402",
        "  1.3..........4.2;rated 1.2\r\n",
        "# a comment\n\n1_3__________4_2\n# another\n",
        "1.3.\n....\n....\n.4.2",
        "\n    1 . 3 .\n    . . . .\n    . . . .\n    . 4 . 2\n",
        "Grid 01\n1-3-\n----\n----\n-4-2\n",
        "2\n1 0 3 0\n0 0 0 0\n0 0 0 0\n0 4 0 2",
        "1.3..........4.2\nend\nwhatever comes after it",
    ] {
        assert_eq!(text.parse(), Ok(puzzle.clone()), "{text}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let parse = |text: &str| text.parse::<Puzzle>().unwrap_err();
    let expected = Malformed::UnexpectedSymbol {
        position: SymbolPosition::Column(4),
        symbol: Symbol::Char('é'),
        alphabet: Alphabet::ALL[0],
    };
    assert_eq!(parse("1.3é.........4."), ParsePuzzleError::Malformed(expected));
    let spread = |line: &str| format!("{line}\n{line}");
    for (text, message) in [
        ("", "the text is empty"),
        ("\n# a comment\n", "the text is empty"),
        ("1.3", "3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ("1.3..........5.2", "column 14: '5' is not a digit from 1 to 4"),
        ("1.3.\n....\n....\n.4.q", "row 4, column 4: 'q' is not a digit from 1 to 4"),
        ("1.3.0........4.2", "column 5: blank '0' after blank '.'; one puzzle has one blank symbol"),
        ("1.3.\n....\n....", "3 rows; a grid of 4 columns has 4"),
        ("2\n1 0 3 0\n0 0 0 0\n0 0 0 0\n0 7 0 2", "row 4, column 2: 7 is above 4"),
        (&spread(UNIQUE), "line 2: more text after the puzzle; a string holds one puzzle"),
        (&spread("1.3.\n....\n....\n.4.2\n"), "line 6: more text after the puzzle; a string holds one puzzle"),
        ("{\"puzzle\": 1}", "JSON is not read as a puzzle; write a line or a grid of symbols"),
        (
            &format!("puzzle\n{NINE}"),
            "a table with a header is not read as a puzzle; write a line or a grid of symbols",
        ),
        (
            &format!("id,x\n1,{NINE}"),
            "a table with a header is not read as a puzzle; write a line or a grid of symbols",
        ),
    ] {
        assert_eq!(parse(text).to_string(), message, "{text}");
        assert_eq!(solve(text), Err(SolveError::Parse(parse(text))));
    }
    assert_eq!(solve("1..............."), Err(SolveError::SeveralSolutions));
    assert_eq!(solve("11.............."), Err(SolveError::NoSolution));
}

#[test]
fn cell_values_are_checked() {
    assert_eq!(Puzzle::try_from(&[0; 80][..]), Err(CellsError::Count { cells: 80 }));
    assert_eq!(
        Puzzle::try_from(&[0; 80][..]).unwrap_err().to_string(),
        "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"
    );
    let mut cells = vec![16; 256];
    assert_eq!(Puzzle::try_from(&*cells).unwrap().clues(), 256);
    cells[17] = 17;
    let error = Puzzle::try_from(&*cells).unwrap_err();
    assert_eq!(error, CellsError::Value { size: Size::Sixteen, cell: 17, value: 17 });
    assert_eq!(error.to_string(), "r2c2: 17 is above 16");
}

#[test]
fn a_large_puzzle_is_read_in_the_alphabet_that_fits() {
    let first = |text: &str, alphabet: Option<&str>| -> Vec<u8> {
        let puzzle = match alphabet {
            Some(name) => Puzzle::parse_with(text, name.parse().unwrap()),
            None => text.parse(),
        };
        puzzle.unwrap().cells()[..2].to_vec()
    };
    // Only one alphabet has both symbols; otherwise it is the one that is printed.
    for (text, values) in [
        (format!("{:.<256}", "AP"), [1, 16]),
        (format!("{:.<256}", "0F"), [1, 16]),
        (format!("{:0<256}", "9F"), [9, 15]),
        (format!("{:.<256}", "AF"), [10, 15]),
        (format!("{:-<256}", "af"), [10, 15]),
        (format!("{:x<625}", "1P"), [1, 25]),
        (format!("{:x<625}", "AP"), [10, 25]),
        (format!("{:.<625}", "AP"), [1, 16]),
        (format!("{:0<625}", "AO"), [1, 15]),
    ] {
        assert_eq!(first(&text, None), values, "{text}");
    }
    let text = format!("{:.<256}", "AF");
    for (alphabet, values) in [("A-P", [1, 6]), ("0-F", [11, 16]), ("1-G", [10, 15]), ("0-O", [10, 15])] {
        assert_eq!(first(&text, Some(alphabet)), values, "{alphabet}");
    }
    // What is printed is read back whatever else it could be: a grid of X only, one with more than 16 equal clues.
    for text in [format!("{:X<625}", "AP"), "1".repeat(256)] {
        assert_eq!(text.parse::<Puzzle>().unwrap().to_string(), text);
    }
    // The same puzzle in the blank symbols that no value has.
    let (puzzle, _) = generated(Size::Sixteen, 3, Target::Clues(120));
    for blank in ['.', '0', '-', '_', '*', 'x'] {
        assert_eq!(puzzle.to_string().replace('.', &blank.to_string()).parse(), Ok(puzzle.clone()));
    }
}

#[test]
fn known_numbers_of_solutions() {
    let empty = Puzzle::try_from(&[0; 16][..]).unwrap();
    for limit in [0, 1, 287] {
        assert_eq!(count_solutions(&empty, limit), Ok(limit));
    }
    assert_eq!(count_solutions(&empty, u64::MAX), Ok(288));
    assert_eq!(solutions(&empty).unwrap().count(), 288);
    let empty = ".".repeat(81);
    assert_eq!(count_solutions(&empty, 1000), Ok(1000));
    let conflict = format!("11{}", &empty[2..]);
    assert_eq!(count_solutions(&conflict, 1000), Ok(0));
    assert_eq!(conflict.parse::<Puzzle>().unwrap().conflict().unwrap().cells, [0, 1]);
}

#[test]
fn solutions_come_in_lexicographic_order_and_then_end() {
    for size in Size::ALL {
        let empty = Puzzle::try_from(&*vec![0; size.cells()]).unwrap();
        let found: Vec<_> = solutions(&empty).unwrap().take(20).collect();
        assert!(found.is_sorted_by(|a, b| a < b) && found.len() == 20);
        assert!(found.iter().all(|solution| rules::is_solution(size, empty.cells(), solution.cells())));
        let mut none = empty.cells().to_vec();
        none[..2].fill(1);
        assert_eq!(solutions(&Puzzle::try_from(&*none).unwrap()).unwrap().next(), None);
    }
    let mut of_one = solutions(UNIQUE).unwrap();
    assert_eq!((of_one.next(), of_one.next(), of_one.next()), (Some(solve(UNIQUE).unwrap()), None, None));
}

#[test]
fn minimal_puzzles_need_every_clue() {
    for (size, seeds) in [(Size::Four, 40), (Size::Six, 20), (Size::Nine, 20), (Size::Twelve, 1), (Size::Sixteen, 1)] {
        for seed in 0..seeds {
            let (minimal, solution) = generated(size, seed, Target::Minimal);
            assert_eq!(is_minimal(&minimal), Ok(true), "{minimal}");
            let mut cells = minimal.cells().to_vec();
            let blank = cells.iter().position(|&value| value == 0).unwrap();
            cells[blank] = solution[blank];
            assert_eq!(is_minimal(&Puzzle::try_from(&*cells).unwrap()), Ok(false), "a clue more than {minimal}");
            cells.copy_from_slice(minimal.cells());
            *cells.iter_mut().find(|value| **value != 0).unwrap() = 0;
            assert_eq!(is_minimal(&Puzzle::try_from(&*cells).unwrap()), Ok(false), "a clue less than {minimal}");
        }
    }
    assert_eq!(is_minimal("11.............."), Ok(false));
}

#[test]
fn a_text_that_is_not_a_puzzle_has_no_answer() {
    let error = UNIQUE[1..].parse::<Puzzle>().unwrap_err();
    assert_eq!(count_solutions(&UNIQUE[1..], 10), Err(error.clone()));
    assert_eq!(is_minimal(&UNIQUE[1..]), Err(error.clone()));
    assert_eq!(solutions(&UNIQUE[1..]).unwrap_err(), error);
}

#[test]
fn only_4x4_6x6_and_9x9_puzzles_have_a_canonical_form() {
    let unique: Puzzle = NINE.parse().unwrap();
    let (several, none) = (NINE.replacen('4', ".", 1).parse().unwrap(), NINE.replacen('.', "4", 1).parse().unwrap());
    let four: Puzzle = UNIQUE.parse().unwrap();
    for puzzle in [unique, several, none, four] {
        let form = canonical_form(&puzzle).unwrap();
        assert_eq!(form.clues(), puzzle.clues());
        assert_eq!(canonical_form(&form).unwrap(), form);
        assert_eq!(class(&form).unwrap(), class(&puzzle).unwrap());
        let side = puzzle.size().side();
        let transposed: Vec<u8> =
            (0..side * side).map(|cell| puzzle.cells()[cell % side * side + cell / side]).collect();
        assert_eq!(class(&Puzzle::try_from(&*transposed).unwrap()).unwrap(), class(&puzzle).unwrap());
    }
    for size in Size::ALL {
        let empty = Puzzle::try_from(&*vec![0; size.cells()]).unwrap();
        if [Size::Four, Size::Six, Size::Nine].contains(&size) {
            assert_eq!(canonical_form(&empty), Ok(empty));
        } else {
            assert_eq!(class(&empty), Err(CanonError::Size(size)));
            let expected = format!("a {size} puzzle has no canonical form, only 4x4, 6x6 and 9x9 puzzles have");
            assert_eq!(canonical_form(&empty).unwrap_err().to_string(), expected);
        }
    }
    assert!(CanonError::from(Canonicaliser::new().of_clues(&[0; 81], 0).unwrap_err()).to_string().contains("0 steps"));
}

#[test]
fn questions_take_a_text_or_a_puzzle() {
    let puzzle: Puzzle = NINE.parse().unwrap();
    assert_eq!(solve(&puzzle), solve(NINE));
    assert_eq!(class(NINE), class(&puzzle));
    assert_eq!(canonical_form(&NINE.to_owned()), canonical_form(&puzzle));
    assert_eq!(rate(NINE), rate(&puzzle));

    let error = "1.3".parse::<Puzzle>().unwrap_err();
    assert_eq!(class("1.3"), Err(CanonError::Parse(error.clone())));
    assert_eq!(rate("1.3"), Err(RateError::Parse(error)));
}

/// Any values, many or few clues, of which some kinds may be missing, so that the alphabets overlap in all ways.
fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    (prop::sample::select(&Size::ALL[..]), 0..=100_u32, any::<u32>(), prop::collection::vec(any::<u32>(), 625))
        .prop_map(|(size, percent, kinds, picks)| {
            let side = size.side() as u32;
            let kept = |value: &u32| kinds == 0 || kinds >> value & 1 == 1;
            let values: Vec<u32> = (1..=side).filter(kept).chain([side]).collect();
            let cell = |&pick: &u32| {
                if pick % 100 < percent { values[(pick / 100) as usize % values.len()] as u8 } else { 0 }
            };
            let cells: Vec<u8> = picks[..size.cells()].iter().map(cell).collect();
            Puzzle::try_from(&*cells).unwrap()
        })
}

/// A 4x4 puzzle with any clues.
fn small_puzzle() -> impl Strategy<Value = Puzzle> {
    let cell = prop_oneof![3 => Just(0), 1 => 1..=4_u8];
    prop::collection::vec(cell, 16).prop_map(|cells| Puzzle::try_from(&*cells).unwrap())
}

/// The solutions by trying every digit in every blank.
fn naive(puzzle: &Puzzle) -> Vec<Vec<u8>> {
    fn fill(cells: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        if rules::conflict(Size::Four, cells).is_some() {
            return;
        }
        let Some(blank) = cells.iter().position(|&value| value == 0) else { return found.push(cells.clone()) };
        for digit in 1..=4 {
            cells[blank] = digit;
            fill(cells, found);
        }
        cells[blank] = 0;
    }
    let mut found = vec![];
    fill(&mut puzzle.cells().to_vec(), &mut found);
    found
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(puzzle in any_puzzle()) {
        prop_assert_eq!(puzzle.to_string().parse(), Ok(puzzle.clone()));
        prop_assert_eq!(format!("\n{puzzle} a comment\n").parse(), Ok(puzzle.clone()));
        for alphabet in Alphabet::for_size(puzzle.size()) {
            let text = alphabet.text(puzzle.cells(), b'.');
            prop_assert_eq!(Puzzle::parse_with(&text, alphabet), Ok(puzzle.clone()));
            let grid: Vec<&str> = text.as_bytes().chunks(puzzle.size().side()).map(|row| str::from_utf8(row).unwrap()).collect();
            if puzzle.size() != Size::Sixteen || puzzle.clues() > 200 {
                prop_assert_eq!(Puzzle::parse_with(&grid.join("\n"), alphabet), Ok(puzzle.clone()));
            }
        }
    }

    #[test]
    fn any_text_is_a_puzzle_or_an_error(text in "[0-9.A-GxX_*#|+ \n,-]{0,100}|\\PC{0,90}") {
        match text.parse::<Puzzle>() {
            Ok(puzzle) => prop_assert_eq!(puzzle.to_string().parse(), Ok(puzzle)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn small_puzzles_have_the_solutions_of_the_definition(puzzle in small_puzzle()) {
        let expected = naive(&puzzle);
        let found: Vec<Vec<u8>> = solutions(&puzzle).unwrap().map(|solution| solution.cells().to_vec()).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(count_solutions(&puzzle, u64::MAX), Ok(expected.len() as u64));
        let solved = solve(&puzzle.to_string());
        match &*expected {
            [only] => prop_assert_eq!(solved.unwrap().cells().to_vec(), only.clone()),
            [] => prop_assert_eq!(solved, Err(SolveError::NoSolution)),
            _ => prop_assert_eq!(solved, Err(SolveError::SeveralSolutions)),
        }
        let without = |cell: usize| {
            let mut cells = puzzle.cells().to_vec();
            cells[cell] = 0;
            naive(&Puzzle::try_from(&*cells).unwrap()).len()
        };
        let clues = (0..16).filter(|&cell| puzzle.cells()[cell] != 0);
        let minimal = expected.len() == 1 && clues.into_iter().all(|cell| without(cell) > 1);
        prop_assert_eq!(is_minimal(&puzzle), Ok(minimal));
    }
}
