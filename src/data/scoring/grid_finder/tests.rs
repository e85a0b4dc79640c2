//! Tests of the search for grids in texts.

use proptest::prelude::*;

use super::*;
use crate::scoring::Thoughts;

const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const OTHER: &str = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";

/// The grid in a text, as 81 symbols.
fn find(text: &str) -> Option<String> {
    find_in(Alphabet::OF_NINE, text)
}

fn find_in(alphabet: Alphabet, text: &str) -> Option<String> {
    answer(alphabet, &vec![0; alphabet.size().cells()], text)
}

/// The grid in an answer to a puzzle.
fn answer(alphabet: Alphabet, puzzle: &[u8], text: &str) -> Option<String> {
    GridFinder::default().find(alphabet, puzzle, text.as_bytes()).ok().map(|found| alphabet.text(found.cells, b'.'))
}

/// The puzzle with every third cell of the solution.
fn puzzle() -> [u8; 81] {
    std::array::from_fn(|cell| if cell % 3 == 1 { SOLUTION.as_bytes()[cell] - b'0' } else { 0 })
}

/// The rows of a grid, with `between` between cells.
fn rows(grid: &str, between: &str) -> Vec<String> {
    let row = |row: &[u8]| row.iter().map(|&cell| char::from(cell).to_string()).collect::<Vec<_>>().join(between);
    grid.as_bytes().chunks(9).map(row).collect()
}

/// The rows, each formatted by a function of its number and its cells.
fn made(grid: &str, between: &str, row: impl Fn(usize, &str) -> String) -> String {
    rows(grid, between).iter().enumerate().map(|(index, cells)| row(index + 1, cells)).collect()
}

#[test]
fn grids_are_found_in_every_form() {
    let lists = rows(SOLUTION, ", ").iter().map(|row| format!("[{row}]")).collect::<Vec<_>>();
    let boxes = |row: &str| [&row[..3], &row[3..6], &row[6..]].map(str::to_owned);
    let bordered = made(SOLUTION, "", |number, row| {
        let border = if number % 3 == 1 { "+---+---+---+\n" } else { "" };
        format!("{border}|{}|\n", boxes(row).join("|"))
    });
    let drawn = made(SOLUTION, " ", |number, row| {
        let border = if number % 3 == 1 {
            "├───────┼───────┼───────┤\n"
        } else {
            ""
        };
        format!("{border}│ {row} │\n")
    });
    let full_width: String =
        SOLUTION.chars().map(|digit| char::from_u32(digit as u32 - '0' as u32 + 0xFF10).unwrap()).collect();
    for text in [
        SOLUTION.to_owned(),
        format!("The answer is {SOLUTION}."),
        format!("Answer 1:\n{SOLUTION}\nDone in 12 steps."),
        rows(SOLUTION, "").join("\n"),
        rows(SOLUTION, " ").join("\r\n") + ".",
        rows(SOLUTION, " ").join(" "),
        rows(SOLUTION, ",").join("\n\n"),
        rows(SOLUTION, "").join("/"),
        rows(SOLUTION, "\t").join("\\n"),
        format!("[{}]", lists.join(", ")),
        format!("The grid is [{}]. It has 81 cells.", lists.join(",\n")),
        format!("2. {{\"grid\": [{}], \"steps\": 4}}", lists.join(", ")),
        format!(
            "{{\"grid\": [{}]}}",
            rows(SOLUTION, "").iter().map(|row| format!("{row:?}")).collect::<Vec<_>>().join(",")
        ),
        format!("{:?}", SOLUTION.chars().map(|digit| digit.to_digit(10).unwrap()).collect::<Vec<_>>()),
        bordered.clone() + "+---+---+---+\n",
        format!("```\n{bordered}```\nThat is all."),
        drawn,
        full_width,
        made(SOLUTION, " ", |number, row| format!("Row {number}: {row} (sum 45)\n")),
        made(SOLUTION, " ", |number, row| format!("{number}. {row}\n")),
        made(SOLUTION, " ", |number, row| format!("R{number} | {row}\n")),
        "| | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|---|\n".to_owned()
            + &made(SOLUTION, " | ", |number, row| format!("| {number} | {row} |\n")),
        "|1|2|3|4|5|6|7|8|9|\n|-|-|-|-|-|-|-|-|-|\n".to_owned() + &made(SOLUTION, "|", |_, row| format!("|{row}|\n")),
        "\\begin{array}{ccc|ccc|ccc}\n".to_owned()
            + &made(SOLUTION, " & ", |_, row| format!("{row} \\\\ \\hline\n"))
            + "\\end{array}",
        format!("<table>{}</table>", made(SOLUTION, "</td><td>", |_, row| format!("<tr><td>{row}</td></tr>"))),
        made(SOLUTION, " ", |_, row| format!("**{row}**\n")),
    ] {
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
    }
}

#[test]
fn all_grids_have_their_places() {
    let text = format!(
        "é {SOLUTION}, then {OTHER}.\n\n{}\n{}",
        made(SOLUTION, " ", |_, row| format!("{row}\n")),
        ".".repeat(81)
    );
    let mut finder = GridFinder::default();
    let found = finder.all(Alphabet::OF_NINE, text.as_bytes());
    let grids: Vec<_> = found.iter().map(|(start, cells)| (*start, Alphabet::OF_NINE.text(cells, b'.'))).collect();
    let expected = [(3, SOLUTION), (3 + 81 + ", then ".len(), OTHER), (3 + 2 * 81 + ", then .\n\n".len(), SOLUTION)];
    assert_eq!(grids, expected.map(|(start, grid)| (start, grid.to_owned())));
}

#[test]
fn texts_without_a_grid_have_none() {
    for text in [
        "",
        "I cannot solve this.",
        &SOLUTION[1..],
        &format!("1{SOLUTION}"),
        &format!("{}x", &SOLUTION[1..]),
        &rows(SOLUTION, " ")[1..].join("\n"),
        &made(SOLUTION, " ", |number, row| format!("{row} {number}\n")),
        &made(SOLUTION, " ", |number, row| format!("{} {row}\n", 10 - number)),
        &made(SOLUTION, " ", |_, row| format!("Then comes:\n{row}\nwhich is right\n")),
        "... 0.5 ... 1,000,000 ...",
    ] {
        assert_eq!(find(text), None, "{text}");
    }
}

#[test]
fn the_last_full_grid_counts() {
    let partial = SOLUTION.replace('5', ".");
    let other = rows(OTHER, " ").join("\n");
    for (text, expected) in [
        (format!("{OTHER}\n{SOLUTION}"), SOLUTION),
        (format!("{other}\n\n{}", rows(SOLUTION, " ").join("\n")), SOLUTION),
        (format!("Puzzle:\n{partial}\nFirst try:\n{other}\nSolved:\n{SOLUTION}\nGood."), SOLUTION),
        (format!("{SOLUTION} solves {partial}"), SOLUTION),
        (format!("{OTHER} then {partial}"), OTHER),
        (format!("{} then {partial}", OTHER.replace('1', "0")), &partial),
        (format!("<answer>{other}</answer> It came from {SOLUTION}"), OTHER),
        (format!("<answer>{OTHER}</answer> no: <answer>{SOLUTION}</answer>"), SOLUTION),
        (format!("<answer>{SOLUTION}</answer> no: <answer>{OTHER}"), SOLUTION),
        (format!("\\boxed{{{OTHER}}}, not {SOLUTION}"), OTHER),
        (format!("<ANSWER>{OTHER}</Answer>, not {SOLUTION}"), OTHER),
        (format!("<answer id=\"1\" kind='grid'>{OTHER}</answer >, not {SOLUTION}"), OTHER),
        (format!("<final_answer>{OTHER}</final_answer>, not {SOLUTION}"), OTHER),
        (format!("<answers>{OTHER}</answers>, but {SOLUTION}"), SOLUTION),
    ] {
        assert_eq!(find(&text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_check_below_a_grid_is_no_grid() {
    let columns = |row: &dyn Fn(usize, String) -> String| -> String {
        let column = |column| SOLUTION.as_bytes().chunks(9).map(|row| char::from(row[column])).collect::<String>();
        (0..9).map(|index| row(index + 1, rows(&column(index), " ")[0].clone())).collect()
    };
    let other = rows(OTHER, " ").join("\n");
    let endings = [
        "\nEach row contains the digits 1 2 3 4 5 6 7 8 9.".to_owned(),
        "\n\nEach row, column and box has 1 2 3 4 5 6 7 8 9".to_owned(),
        "\n1 2 3 4 5 6 7 8 9 are in every row.".to_owned(),
        "\n\n1 2 3 4 5 6 7 8 9\n".to_owned(),
        "\n```\n1 2 3 4 5 6 7 8 9\n".to_owned(),
        "\n```\n\nThe digits 123456789 are in every row.".to_owned(),
        format!("\nRow 1: {}", rows(SOLUTION, " ")[0]),
        format!("\n\n{}", columns(&|number, column| format!("Column {number}: {column}\n"))),
        format!("\n{}", columns(&|number, column| format!("- Column {number}: {column} ✓\n"))),
        format!("\nColumns:\n{}", columns(&|_, column| format!("{column}\n"))),
        format!("\n{}", columns(&|number, column| format!("C{number} {column} (all different)\n"))),
        format!("\n\nPuzzle:\n{}\nSolution:\n{other}", other.replace('3', ".")),
        format!("\n\nAnother puzzle has the solution {OTHER}."),
        made(SOLUTION, " ", |number, row| format!("\nRow {number}: {row}, sum 45")),
    ];
    let forms = [
        rows(SOLUTION, " ").join("\n"),
        rows(SOLUTION, "").join("\n"),
        rows(SOLUTION, " | ").join("\r\n"),
        rows(SOLUTION, " ").join("\n\n"),
        SOLUTION.to_owned(),
        made(SOLUTION, " ", |number, row| format!("{}{row}\n", if number % 3 == 1 { "\n" } else { "" })),
        made(SOLUTION, " ", |number, row| format!("Row {number}: {row}\n")),
        format!("1 2 3 4 5 6 7 8 9\n{}", made(SOLUTION, " ", |number, row| format!("{number} {row}\n"))),
    ];
    for (form, ending) in forms.iter().flat_map(|form| endings.iter().map(move |ending| (form, ending))) {
        for text in [format!("The answer:\n{form}{ending}"), format!("```\n{form}{ending}")] {
            assert_eq!(answer(Alphabet::OF_NINE, &puzzle(), &text).as_deref(), Some(SOLUTION), "{text}");
        }
    }
}

#[test]
fn lines_of_columns_and_boxes_are_no_grid_if_there_is_one() {
    // All clues are also in the right places if the boxes are read as rows.
    let four = Alphabet::for_size(Size::Four).next().unwrap();
    let puzzle = *b"\x01\x02\0\0\0\0\x01\x02\0\0\0\0\0\0\0\0";
    let boxes = "Box 1: 1 2 3 4\nBox 2: 3 4 1 2\nBox 3: 2 1 4 3\nBox 4: 4 3 2 1\n";
    let grid = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n";
    let wrong = grid.replace("4 3 2 1", "1 2 3 4");
    for (text, expected) in [(format!("{wrong}\n{boxes}"), "1234341221431234"), (boxes.to_owned(), "1234341221434321")]
    {
        assert_eq!(answer(four, &puzzle, &text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn of_full_grids_the_last_that_keeps_the_clues_counts() {
    // One changed cell is a clue, the other is not.
    let changed = SOLUTION.replacen("34", "43", 1);
    let wrong = format!("{}1", &SOLUTION[..80]);
    for (text, expected, another) in [
        (format!("{SOLUTION} or {changed}"), SOLUTION, true),
        (format!("{changed} or {SOLUTION}"), SOLUTION, true),
        (format!("{SOLUTION} or {wrong}"), &wrong, true),
        (format!("{changed} or {OTHER}"), OTHER, false),
        (format!("{wrong} or {}", SOLUTION.replace('5', ".")), &wrong, false),
        (format!("{SOLUTION}. <answer>{wrong}</answer>"), &wrong, true),
    ] {
        let mut finder = GridFinder::default();
        let found = finder.find(Alphabet::OF_NINE, &puzzle(), text.as_bytes()).unwrap();
        assert_eq!(Alphabet::OF_NINE.text(found.cells, b'.'), *expected, "{text}");
        assert_eq!(found.another_solves, another, "{text}");
    }
}

#[test]
fn different_grids_are_counted() {
    let rows = rows(SOLUTION, " ").join("\n");
    for (text, expected) in [
        (SOLUTION.to_owned(), 1),
        (rows.clone(), 1),
        (format!("{SOLUTION} is\n{rows}\nor, for {OTHER},\n{rows}\n"), 2),
        (format!("{SOLUTION} {OTHER} <answer>{rows}</answer>"), 1),
    ] {
        let mut finder = GridFinder::default();
        let found = finder.find(Alphabet::OF_NINE, &puzzle(), text.as_bytes()).unwrap();
        assert_eq!(found.grids, expected, "{text}");
    }
}

#[test]
fn the_place_of_a_grid_is_known() {
    let mut finder = GridFinder::default();
    let mut place = |text: &str| {
        let found = finder.find(Alphabet::OF_NINE, &puzzle(), text.as_bytes()).unwrap();
        (found.place, found.start)
    };
    assert_eq!(place(&format!("It is {SOLUTION}")), (Place::Text, 6));
    assert_eq!(place(&format!("1: <answer> {SOLUTION}")), (Place::Answer, 12));
    assert_eq!(place(&format!("\\boxed{{{SOLUTION}}}")), (Place::Boxed, 7));
    assert_eq!(place(&made(SOLUTION, " ", |number, row| format!("{number}. {row}\n"))), (Place::Text, 3));
}

#[test]
fn blanks_are_found_in_every_form() {
    let puzzle = SOLUTION.replace(['5', '7'], ".");
    for blank in [".", "0", "_", "?", "·", "□"] {
        let text = made(&puzzle, " ", |_, row| row.replace('.', blank) + "\n");
        assert_eq!(find(&text).as_deref(), Some(&*puzzle), "{text}");
    }
    // A full stop is not a cell, but the last blank is.
    let text = format!("It is {}{}.", &SOLUTION[..80], '.');
    assert_eq!(find(&text).unwrap(), format!("{}.", &SOLUTION[..80]));
    assert_eq!(find(&format!("It is {}.", &SOLUTION[..80])).unwrap(), format!("{}.", &SOLUTION[..80]));
}

#[test]
fn other_sizes_are_found() {
    let four = Alphabet::for_size(Size::Four).next().unwrap();
    assert_eq!(find_in(four, "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1").as_deref(), Some("1234341221434321"));
    assert_eq!(find_in(four, "in 2024, 1234 or 3412 or 2143 of 4321 were right"), None);

    for alphabet in Alphabet::ALL.iter().filter(|alphabet| alphabet.size() > Size::Nine) {
        let side = alphabet.size().side();
        let cells: Vec<u8> = (0..side * side).map(|cell| ((cell / side + cell) % side + 1) as u8).collect();
        let symbols = alphabet.text(&cells, b'.');
        let numbers = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>();
        let spaced = |row: &[u8]| row.iter().map(|&cell| alphabet.text(&[cell], b'.')).collect::<Vec<_>>().join(" ");
        for text in [
            symbols.clone(),
            cells.chunks(side).map(spaced).collect::<Vec<_>>().join("\n"),
            cells.chunks(side).map(|row| numbers(row).join(" ")).collect::<Vec<_>>().join("\n"),
            format!("z{}", cells.chunks(side).map(|row| numbers(row).join(" ")).collect::<Vec<_>>().join("\n")),
            format!(
                "The grid: [[{}]]",
                cells.chunks(side).map(|row| numbers(row).join(", ")).collect::<Vec<_>>().join("], [")
            ),
        ] {
            assert_eq!(find_in(*alphabet, &text).as_ref(), Some(&symbols), "{text}");
        }
    }
}

/// A grid in each of eleven forms.
fn forms(side: usize, grid: &str) -> [String; 11] {
    let cells = |row: &str, between: &str| row.chars().map(String::from).collect::<Vec<_>>().join(between);
    let rows: Vec<&str> = (0..side).map(|row| &grid[row * side..][..side]).collect();
    let lines = |line: &dyn Fn(usize, &str) -> String| -> String {
        rows.iter().zip(1..).map(|(row, number)| line(number, row) + "\n").collect()
    };
    let header = format!("| {} |\n|{}", cells(&"123456789"[..side], " | "), "---|".repeat(side));
    [
        grid.to_owned(),
        lines(&|_, row| row.to_owned()),
        lines(&|_, row| cells(row, " ")),
        lines(&|_, row| cells(row, ", ")),
        lines(&|number, row| format!("Row {number}: {}", cells(row, " "))),
        lines(&|number, row| format!("{number}. {}", cells(row, " "))),
        lines(&|_, row| format!("| {} |", cells(row, " | "))),
        header + "\n" + &lines(&|_, row| format!("| {} |", cells(row, " | "))),
        format!("[{}]", rows.iter().map(|row| format!("[{}]", cells(row, ", "))).collect::<Vec<_>>().join(", ")),
        format!("```\n{}```", lines(&|_, row| cells(row, " "))),
        format!("\\begin{{array}}{{c}}\n{}\\end{{array}}", lines(&|_, row| cells(row, " & ") + " \\\\")),
    ]
}

/// Texts that models write around a grid, each with a right and a wrong grid: all are judged by their grid.
#[test]
fn a_grid_is_found_between_all_beginnings_and_endings() {
    let mut texts = 0;
    for (alphabet, solution) in
        [(Alphabet::OF_NINE, SOLUTION), (Alphabet::for_size(Size::Four).next().unwrap(), "1234341221434321")]
    {
        let side = alphabet.size().side();
        let all = "123456789"[..side].chars().map(String::from).collect::<Vec<_>>();
        let (spaced, joined) = (all.join(" "), all.concat());
        let clues = |cell: usize| cell % 3 == 1;
        let puzzle: Vec<u8> = (0..side * side)
            .map(|cell| if clues(cell) { alphabet.value(solution.as_bytes()[cell]) } else { 0 })
            .collect();
        let given = alphabet.text(&puzzle, b'.');
        let puzzle_rows = (0..side).map(|row| &given[row * side..][..side]).collect::<Vec<_>>().join("\n") + "\n";
        // Two blanks in different houses exchange their digits.
        let mut wrong = solution.as_bytes().to_vec();
        wrong.swap(0, side * side - 1);
        wrong[0] = if wrong[0] == solution.as_bytes()[0] { wrong[2] } else { wrong[0] };
        let wrong = String::from_utf8(wrong).unwrap();

        let beginnings = [
            String::new(),
            "The answer is:\n".to_owned(),
            format!("The puzzle:\n{puzzle_rows}\nThe solution:\n"),
            "I start with r1c1 = 5, then r2c3 = 7.\n\n".to_owned(),
            "Step 1: look at row 1.\nStep 2: fill it.\n\n".to_owned(),
            "Candidates: r1c2 {2,4}, r2c1 {1 2 3 4}\n".to_owned(),
            "## Solution\n\n".to_owned(),
            format!("Each row needs {spaced}.\n\n"),
        ];
        let columns = (1..=side).map(|number| format!("Column {number}: {spaced}")).collect::<Vec<_>>().join("\n");
        let endings = [
            String::new(),
            "\n".to_owned(),
            ".".to_owned(),
            "\nThat is all.".to_owned(),
            format!("\nEach row has the digits {spaced}."),
            format!("\n\nAll rows have the digits {joined}."),
            format!("\n\n{spaced}\n"),
            format!("\n\nCheck:\n{columns}"),
            format!("\n\n{columns}"),
            format!("\n\nThe puzzle was\n{puzzle_rows}"),
            format!("\n\nThe puzzle was {given}"),
            "\nEach sum is 45.".to_owned(),
            "\nIt took 17 steps, 3 guesses.".to_owned(),
            "\n\n1. Rows are right.\n2. Columns are right.\n3. Boxes are right.".to_owned(),
            "\n\nr1c1 is 5, r9c9 is 9.".to_owned(),
            "\n✓".to_owned(),
            "\n\n---\n".to_owned(),
            "\n(Solved in 2.5 seconds.)".to_owned(),
            "\n<end>".to_owned(),
            format!("\nBox 1: {joined}"),
        ];
        for grid in [solution, &wrong] {
            for form in forms(side, grid) {
                for (beginning, ending) in beginnings.iter().flat_map(|one| endings.iter().map(move |two| (one, two))) {
                    let text = format!("{beginning}{form}{ending}");
                    assert_eq!(answer(alphabet, &puzzle, &text).as_deref(), Some(grid), "{text}");
                    texts += 1;
                }
            }
        }
    }
    assert_eq!(texts, 7040);
}

/// The solution without its last cell.
fn last_blank() -> String {
    format!("{}.", &SOLUTION[..80])
}

#[test]
fn a_blank_at_the_end_is_no_full_stop() {
    let grid = last_blank();
    for before in ["Step 3:\n", "Attempt 2:\n", "Grid 9x9\n", "x = 5\n", "C1 C2 C3 C4 C5 C6 C7 C8 C9\n"] {
        for between in ["", " ", ", ", " | "] {
            let text = before.to_owned() + &rows(&grid, between).join("\n");
            assert_eq!(find(&text).as_ref(), Some(&grid), "{text}");
        }
    }
    let partial = format!("{}.", SOLUTION[..80].replace('5', "."));
    for text in
        [format!("3 {partial}"), format!("3, {partial}"), format!("3 {partial}."), format!("Step 3:\n{partial}")]
    {
        assert_eq!(find(&text).as_ref(), Some(&partial), "{text}");
    }
    // A row number before a row that ends with a blank.
    let numbered = made(&partial, "", |number, row| format!("{number} {row}\n"));
    assert_eq!(find(&numbered).as_ref(), Some(&partial), "{numbered}");
    // The number before the grid must not fill a row that lacks a cell.
    let rows = rows(SOLUTION, " ");
    let short = [&rows[..4], &[rows[4][2..].to_owned()], &rows[5..]].concat().join("\n");
    assert_eq!(find(&format!("Step 3:\n{short}")), None);
}

#[test]
fn a_grid_in_one_token_is_found_beside_other_numbers() {
    for text in [
        format!("1. {SOLUTION}"),
        format!("#1 {SOLUTION}"),
        format!("Answer 1 {SOLUTION}"),
        format!("17,{SOLUTION}"),
        format!("{SOLUTION} 100%"),
        format!("{SOLUTION}, 81"),
        format!("{SOLUTION}. 5 steps"),
        format!("<answer>1. {SOLUTION}</answer>"),
        format!("1. {OTHER}\n2. {SOLUTION}"),
        format!("{OTHER} 2 {SOLUTION} 3"),
    ] {
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
    }
}

#[test]
fn full_stops_are_no_cells() {
    let bands = SOLUTION.as_bytes().chunks(27).map(|band| str::from_utf8(band).unwrap()).collect::<Vec<_>>();
    for stops in [".", "..", "...", "…"] {
        for text in [
            SOLUTION.to_owned(),
            rows(SOLUTION, "").join("\n"),
            rows(SOLUTION, " ").join("\n"),
            rows(SOLUTION, " ").join(" "),
            bands.join("\n"),
            made(SOLUTION, " ", |number, row| format!("\n{number}. {row}")),
            made(SOLUTION, "", |number, row| format!("\n{number}. {row}")),
            made(SOLUTION, " ", |_, row| format!("\n**{row}**")),
            made(SOLUTION, "", |_, row| format!("\n`{row}`")),
        ] {
            let text = text + stops;
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
        }
    }
    assert_eq!(find(&(last_blank() + "..")), Some(last_blank()));
    assert_eq!(find(&(SOLUTION.to_owned() + "....")), None);
}

#[test]
fn numbers_may_have_a_point() {
    let partial = SOLUTION.replace('5', "0");
    for grid in [SOLUTION, &partial] {
        let expected = grid.replace('0', ".");
        for cell in [".", ".0", ".00"] {
            let lists = |between: &str| {
                rows(grid, &(cell.to_owned() + between)).into_iter().map(|row| row + cell).collect::<Vec<_>>()
            };
            for text in [
                format!("[[{}]]", lists(" ").join("]\n [")),
                format!("[{}]", lists(", ").join(", ")),
                lists(" ").join("\n"),
                lists("  ")
                    .iter()
                    .zip(0..)
                    .map(|(cells, row)| format!("{row}  {cells}"))
                    .collect::<Vec<_>>()
                    .join("\n"),
                format!("It is\n{}.", lists(" ").join("\n")),
            ] {
                assert_eq!(find(&text).as_ref(), Some(&expected), "{text}");
            }
        }
    }

    let four = Alphabet::for_size(Size::Four).next().unwrap();
    assert_eq!(
        find_in(four, "[[1. 2. 3. 4.]\n [3. 4. 1. 2.]\n [2. 1. 4. 3.]\n [4. 3. 2. 0.]]").unwrap(),
        "123434122143432."
    );
    assert_eq!(find_in(four, "1. 2.\n.. ..\n\n.. 1.\n2. ..").unwrap(), "1.2.......1.2...");
    for side in [16, 25] {
        let size = Size::from_side(side).unwrap();
        let cells: Vec<u8> = (0..side * side).map(|cell| ((cell / side + cell) % side + 1) as u8).collect();
        let alphabet = Alphabet::for_size(size).next().unwrap();
        let row = |row: &[u8]| row.iter().map(|cell| format!("{cell}.0")).collect::<Vec<_>>().join(" ");
        let text = cells.chunks(side).map(row).collect::<Vec<_>>().join("\n");
        assert_eq!(find_in(alphabet, &text), Some(alphabet.text(&cells, b'.')), "{text}");
    }
}

#[test]
fn grids_side_by_side_are_read_one_by_one() {
    let partial = SOLUTION.replace(['5', '7'], ".");
    let pairs = |left: &str, right: &str, within: &str, between: &str| {
        let lines = rows(left, within).into_iter().zip(rows(right, within));
        lines.map(|(left, right)| left + between + &right).collect::<Vec<_>>().join("\n")
    };
    for within in ["", " ", " | "] {
        for between in [" -> ", " | ", "   ", " → ", " becomes "] {
            let text = pairs(&partial, SOLUTION, within, between);
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
            let text = format!("Puzzle {between} Solution\n{}", pairs(OTHER, SOLUTION, within, between));
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
            let text = pairs(SOLUTION, &partial, within, between);
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");

            // A line lacks a cell, or there is one line too few.
            let text = pairs(&partial, SOLUTION, within, between);
            assert_eq!(find(&text[1..]), None, "{text}");
            assert_eq!(find(text.split_once('\n').unwrap().1), None, "{text}");
        }
    }
    // One grid with two rows on each line is read across.
    let four = Alphabet::for_size(Size::Four).next().unwrap();
    assert_eq!(find_in(four, "[[1,2,3,4],[3,4,1,2],\n[2,1,4,3],[4,3,2,1]]").as_deref(), Some("1234341221434321"));
}

#[test]
fn row_numbers_start_anywhere() {
    let numbered = |first: usize, between: &str| {
        made(SOLUTION, between, |number, row| format!("{}{between}{row}\n", number - 1 + first))
    };
    for first in [0, 1, 5] {
        for text in [numbered(first, " "), format!("   0  1  2  3  4  5  6  7  8\n{}", numbered(first, "  "))] {
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
        }
    }
    let markdown = "|    |   0 |   1 |   2 |   3 |   4 |   5 |   6 |   7 |   8 |\n|---:|----:|----:|----:|----:|----:|----:|----:|----:|----:|\n".to_owned()
        + &made(SOLUTION, " |   ", |number, row| format!("|  {} |   {row} |\n", number - 1));
    assert_eq!(find(&markdown).as_deref(), Some(SOLUTION), "{markdown}");
}

/// The rows are written in any order, each with its name.
#[test]
fn rows_with_labels_are_taken_by_their_labels() {
    let rows = rows(SOLUTION, " ");
    for order in [[8, 7, 6, 5, 4, 3, 2, 1, 0], [3, 0, 8, 1, 5, 7, 2, 6, 4]] {
        for (first, name) in [(0, "Row"), (1, "Row"), (1, "R"), (1, "**Row"), (1, "- Row #")] {
            let line = |&row: &usize| format!("{name} {}: {}\n", row + first, rows[row]);
            let text: String = order.iter().map(line).collect();
            assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
        }
        // Other numbers say nothing about the order.
        let text =
            (0..9).map(|row| format!("Sum {}: {}", 45 + order[row] / 2, rows[row])).collect::<Vec<_>>().join("\n");
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
    }
}

#[test]
fn a_tag_between_rows_is_a_gap() {
    let row = rows(SOLUTION, "").join(" ");
    let other = rows(OTHER, "").join(" ");
    for text in [
        format!("{other}</b>{row}"),
        format!("<p>{other}</p><p>{row}</p>"),
        format!("<p>{other}<hr>{row}"),
        made(SOLUTION, "", |_, row| format!("<li>{row}</li>")),
        made(SOLUTION, " ", |_, row| format!("<span>{row}</span>")),
        made(SOLUTION, " ", |number, row| format!("Row {number}: <b>{row}</b> (sum 45)\n")),
        format!("<b>{}</b>", rows(SOLUTION, "</b> <b>").join("</b> <b>")),
        format!("<table>{}</table>", made(SOLUTION, "<td>", |number, row| format!("<tr><th>{number}<td>{row}"))),
    ] {
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
    }
}

/// Texts whose thoughts, or whose text around a tag, have the solution.
#[test]
fn what_is_not_the_answer_does_not_count() {
    let changed = SOLUTION.replacen("34", "43", 1);
    let partial = SOLUTION.replace('5', ".");
    for (text, expected) in [
        (format!("<think>{SOLUTION} Let me double-check row"), Err(NoGrid::InThoughts)),
        (format!("<think>{SOLUTION}</think> I could not solve it."), Err(NoGrid::InThoughts)),
        (format!("<think>{SOLUTION}</think>"), Err(NoGrid::InThoughts)),
        (format!("{SOLUTION} <answer>see above</answer>"), Err(NoGrid::OutsideOfTag)),
        (format!("<think>{SOLUTION}</think><answer>no</answer>"), Err(NoGrid::InThoughts)),
        ("<answer></answer>".to_owned(), Err(NoGrid::Nowhere)),
        (format!("<think>{SOLUTION}</think> Final answer: {changed}"), Ok((Place::Text, &changed))),
        (format!("<think>{SOLUTION}</think> Final answer: {partial}"), Ok((Place::Text, &partial))),
        (format!("<think><answer>{SOLUTION}</answer></think>{OTHER}"), Ok((Place::Text, &OTHER.to_owned()))),
        (format!("<think>{SOLUTION}</think><solution>{OTHER}</solution>"), Ok((Place::Answer, &OTHER.to_owned()))),
    ] {
        let mut finder = GridFinder::default();
        let found = finder.find(Alphabet::OF_NINE, &puzzle(), text.as_bytes());
        let found = found.map(|found| (found.place, Alphabet::OF_NINE.text(found.cells, b'.')));
        assert_eq!(found, expected.map(|(place, grid)| (place, grid.clone())), "{text}");
    }

    let rules = AnswerRules { thoughts: Thoughts::Keep, ..AnswerRules::default() };
    let text = format!("<think>{SOLUTION}</think> I could not solve it.");
    let mut finder = GridFinder::with_rules(rules);
    assert!(finder.find(Alphabet::OF_NINE, &puzzle(), text.as_bytes()).is_ok());
}

#[test]
fn a_closed_tag_counts_more_than_a_mention() {
    for text in [
        format!("<answer>{SOLUTION}</answer> Check: {OTHER}. I used <answer> tags."),
        format!("<answer>{SOLUTION}</answer> It stands in <answer>, not {OTHER}"),
        format!("I will use <answer> and </answer>. <answer>{SOLUTION}</answer> {OTHER}"),
        format!("I will use <answer>. <answer>{SOLUTION}</answer> {OTHER} </answer>"),
        format!("{OTHER} <answer>{SOLUTION}"),
    ] {
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{text}");
    }
}

#[test]
fn many_tags_that_never_end_take_linear_time() {
    for piece in ["<a", "<answer>", "</answer>", "\\boxed{", "<a ", "1.", "1 "] {
        let text = piece.repeat(1_000_000) + " " + SOLUTION;
        assert_eq!(find(&text).as_deref(), Some(SOLUTION), "{piece}");
    }
}

proptest! {
    /// Any text is read to its end, and a grid between words is found.
    #[test]
    fn any_text_is_read(
        pieces in proptest::collection::vec(
            proptest::sample::select(&["5", " ", "\n", "|", ".", "[", "<", "\\", "<answer>", "\\boxed{", "534678912", "é", "１", "\u{fe0f}", "w"][..]),
            0..200,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut text = pieces.concat().into_bytes();
        text.extend(bytes);
        let mut finder = GridFinder::default();
        for alphabet in Alphabet::ALL {
            if let Ok(found) = finder.find(alphabet, &vec![0; alphabet.size().cells()], &text) {
                prop_assert_eq!(found.cells.len(), alphabet.size().cells());
                prop_assert!(found.grids > 0);
                prop_assert!(found.start < text.len());
            }
        }
        let untagged = pieces.concat().replace("<answer>", "").replace("\\boxed{", "");
        let text = format!("{untagged} so\n{SOLUTION}\nwas right");
        let found = find(&text);
        prop_assert_eq!(found.as_deref(), Some(SOLUTION));
    }
}
