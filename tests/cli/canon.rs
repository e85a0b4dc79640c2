//! Runs `canon`, and checks its columns and that canonical forms are stable.

use std::collections::HashMap;

use gridmill::Puzzle;
use gridmill::jobs::generate::BandShare;

use crate::{TestDir, UNIQUE, data};

const SIX: &str = "3....44.1......5....4.6.6.........21";

#[test]
fn rows_have_the_documented_columns() {
    let dir = TestDir::new();
    let unique = ".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2";
    let multiple = "..9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92....";
    let eight = format!("1234567856781234{}", ".".repeat(48));
    let result = dir.run_on(format!("{unique}\n{multiple}\n{UNIQUE}\n{SIX}\n{eight}\n,\n"), "canon");
    let said = "3 of puzzles with one solution, 1 of others; without a form: 1 malformed, 1 not 4x4, 6x6 or 9x9\n";
    assert!(result.err.ends_with(said), "{}", result.err);
    assert_eq!(
        result.ends(0),
        format!(
            "line,puzzle,canonical,canonical_solution,class,automorphisms,detail\n\
             1,{unique},1.....7..4.67....2...2.1.....4..5.1.7.1...4..965......3.2.4..........84....3..2.5,\
             123456789456789132879231564234865917781923456965174328392548671517692843648317295,\
             059919c19f08f4d4833232c3fc79745c,1,\n\
             2,{multiple},........1.....2.3..45.6........16.....6.....5..754..1..783....65.....8..9.172....,,\
             1d7edbf096143dfde5d8d6ca0f58b500,,\n\
             3,{UNIQUE},.....41.2..3....,1234341221434321,e4409887641d7e83b3694860f1d30f87,32,\n\
             4,{SIX},...4.6.5.....1...363....3..5......2.,123456456132215643634215342561561324,\
             bab3593a19f0f601370f1d76522ef6c6,4,\n\
             5,{eight},,,,,\"only 4x4, 6x6 and 9x9 puzzles have a canonical form\"\n\
             6,\",\",,,,,\"0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        )
    );
}

#[test]
fn a_canonical_form_is_its_own_canonical_form() {
    let dir = TestDir::new();
    let sets = ["easy.txt", "mixed.txt", "4x4.txt", "6x6.txt"].map(data).join(" ");
    dir.run(&format!("canon -q {sets} -o forms.csv")).ends(0);
    assert!(dir.read("forms.csv").starts_with("file,line,puzzle,canonical,"));
    let again = dir.run("canon -q forms.csv --puzzle-column canonical --threads 3 --chunk 7").ends(0);
    let fields = |row: &str, index: usize| row.split(',').nth(index).unwrap().to_owned();
    let mut forms = 0;
    for (before, after) in dir.read("forms.csv").lines().zip(again.lines()).skip(1) {
        if !fields(before, 3).is_empty() {
            assert_eq!(fields(before, 3), fields(after, 2), "{before}");
            assert_eq!(before.split(',').skip(3).collect::<Vec<_>>(), after.split(',').skip(2).collect::<Vec<_>>());
            forms += 1;
        }
    }
    assert!(forms > 1000, "{forms}");
}

/// The functions for one puzzle say the same as the rows.
#[test]
fn forms_and_classes_are_those_of_the_library() {
    let rows = TestDir::new().run(&format!("canon -q {}", data("mixed.txt"))).ends(0);
    let mut compared = 0;
    for row in rows.lines().skip(1) {
        let Ok([_, puzzle, canonical, _, class, ..]) = <[&str; 7]>::try_from(row.split(',').collect::<Vec<_>>()) else {
            continue;
        };
        let Ok(puzzle) = puzzle.parse::<Puzzle>() else { continue };
        assert_eq!(
            gridmill::canonical_form(&puzzle).map_or(String::new(), |form| form.to_string()),
            canonical,
            "{row}"
        );
        assert_eq!(gridmill::class(&puzzle).map_or(String::new(), |class| class.to_string()), class, "{row}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

/// Applies the column `mapping` by its description in `docs/validate.md`, there and back.
#[test]
fn the_mapping_carries_puzzles_to_their_forms_and_solutions_back() {
    let sets = ["easy.txt", "mixed.txt", "4x4.txt", "6x6.txt"].map(data).join(" ");
    let columns = "puzzle,canonical,canonical_solution,mapping,band";
    let rows = TestDir::new().run(&format!("canon -q --no-header {sets} --columns {columns}")).ends(0);
    let bands: HashMap<String, u16> = BandShare::all()
        .iter()
        .map(|share| (share.smallest.iter().map(ToString::to_string).collect(), share.number))
        .collect();

    let (mut mapped, mut reflected) = ([0; 10], 0);
    for row in rows.lines() {
        let fields = <[&str; 5]>::try_from(row.split(',').collect::<Vec<_>>());
        let Ok([puzzle, canonical, solution, mapping, band]) = fields else { continue };
        if canonical.is_empty() {
            assert!(mapping.is_empty() && band.is_empty(), "{row}");
            continue;
        }
        let text = mapping.trim_start_matches('r');
        let is_reflected = text.len() < mapping.len();
        let lists = text.split('-').map(|list| list.bytes().map(|byte| usize::from(byte - b'1')).collect::<Vec<_>>());
        let [names, rows, columns] = lists.collect::<Vec<_>>().try_into().unwrap();
        let side = names.len();
        let sources: Vec<usize> = (0..side * side)
            .map(|cell| match (rows[cell / side], columns[cell % side]) {
                (row, column) if is_reflected => column * side + row,
                (row, column) => row * side + column,
            })
            .collect();

        let renamed = |symbol: u8| match symbol {
            b'1'..=b'9' => b'1' + names[usize::from(symbol - b'1')] as u8,
            _ => b'.',
        };
        let there: Vec<u8> = sources.iter().map(|&source| renamed(puzzle.as_bytes()[source])).collect();
        assert_eq!(str::from_utf8(&there).unwrap(), canonical, "{row}");
        mapped[side] += 1;
        reflected += usize::from(is_reflected);

        if solution.is_empty() {
            assert_eq!(band, "", "{row}");
            continue;
        }
        let old_name =
            |digit: u8| b'1' + names.iter().position(|&name| name == usize::from(digit - b'1')).unwrap() as u8;
        let mut back = vec![0; side * side];
        for (&source, digit) in sources.iter().zip(solution.bytes()) {
            back[source] = old_name(digit);
        }
        let back = str::from_utf8(&back).unwrap();
        assert_eq!(gridmill::solve(puzzle).unwrap().to_string(), back, "{row}");
        let number = (side == 9).then(|| bands[&solution[..27]].to_string());
        assert_eq!(band, number.unwrap_or_default(), "{row}");
    }
    assert!([4, 6, 9].iter().all(|&side| mapped[side] > 50) && reflected > 50, "{mapped:?}, {reflected}");
}
