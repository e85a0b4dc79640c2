//! All shapes in which people write puzzles, with all kinds of noise between them: puzzles are read or refused, and none
//! is read wrong.

use std::fmt::Write as _;
use std::fs;

use gridmill::corpus::{Corpus, CorpusError, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::{GivenPuzzle, read_records};
use gridmill::puzzle::{Grid, Pencilmarks};

/// How the puzzles of a file are written: the text before them, that of each, between two, and after them.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) header: &'static str,
    pub(super) write: fn(usize, &Puzzle) -> String,
    pub(super) between: &'static str,
    pub(super) footer: &'static str,
}

impl Shape {
    fn plain(name: &'static str, write: fn(usize, &Puzzle) -> String) -> Shape {
        Shape::table(name, "", write)
    }

    fn table(name: &'static str, header: &'static str, write: fn(usize, &Puzzle) -> String) -> Shape {
        Shape { name, header, write, between: "\n", footer: "\n" }
    }

    fn document(
        name: &'static str,
        [header, between, footer]: [&'static str; 3],
        write: fn(usize, &Puzzle) -> String,
    ) -> Shape {
        Shape { name, header, write, between, footer }
    }
}

pub(super) struct Puzzle {
    /// With `.` for blanks.
    pub(super) cells: String,
    pub(super) solution: String,
}

impl Puzzle {
    /// The first puzzles of a set.
    pub(super) fn some(count: usize) -> Vec<Puzzle> {
        let lines = include_str!("../../data/minimal.txt").lines().filter(|line| !line.starts_with('#'));
        let puzzle = |line: &str| Puzzle {
            cells: line[..81].to_owned(),
            solution: gridmill::solve(&line[..81]).unwrap().to_string(),
        };
        lines.take(count).map(puzzle).collect()
    }

    fn with_blank(&self, blank: &str) -> String {
        self.cells.replace('.', blank)
    }

    fn rows(&self, between_cells: &str, between_rows: &str) -> String {
        self.rows_with(".", between_cells, between_rows)
    }

    fn rows_with(&self, blank: &str, between_cells: &str, between_rows: &str) -> String {
        let cells: Vec<String> =
            self.cells.chars().map(|cell| if cell == '.' { blank.to_owned() } else { cell.to_string() }).collect();
        cells.chunks(9).map(|row| row.join(between_cells)).collect::<Vec<_>>().join(between_rows)
    }

    pub(super) fn pencilmarks(&self) -> Pencilmarks {
        let cells: Vec<u8> = self.cells.bytes().map(|cell| if cell == b'.' { 0 } else { cell - b'0' }).collect();
        Pencilmarks::from(&Grid::try_from(cells).unwrap())
    }

    /// The candidates of each cell, as the clues leave them.
    fn candidates(&self, between_cells: &str, before: &str, after: &str) -> String {
        let puzzle = self.pencilmarks();
        let has = |cell: usize, digit: &usize| puzzle.digits(cell) >> (digit - 1) & 1 == 1;
        let cell = |cell| (1..=9).filter(|digit| has(cell, digit)).map(|digit| digit.to_string()).collect::<String>();
        let cells: Vec<_> = (0..81).map(cell).collect();
        let rows: Vec<_> = cells.chunks(9).map(|row| row.join(between_cells)).collect();
        format!("{before}{}{after}", rows.join("\n"))
    }

    /// A line for each row, whose three boxes are joined with `between_boxes`; `{}` in `before` is the letter of the row.
    fn boxed(&self, blank: &str, [before, between_cells, between_boxes, after]: [&str; 4]) -> String {
        let mut text = String::new();
        for (letter, row) in ('A'..).zip(self.rows_with(blank, ",", "\n").lines()) {
            let cells: Vec<_> = row.split(',').collect();
            let boxes: Vec<_> = cells.chunks(3).map(|cells| cells.join(between_cells)).collect();
            let before = before.replace("{}", &letter.to_string());
            writeln!(text, "{before}{}{after}", boxes.join(between_boxes)).unwrap();
        }
        text.trim_end_matches('\n').to_owned()
    }

    /// The same with a rule above, below and between the bands.
    fn ruled(&self, blank: &str, row: [&str; 4], rule: &str) -> String {
        let rows = self.boxed(blank, row);
        let rows: Vec<_> = rows.lines().collect();
        let bands: Vec<_> = rows.chunks(3).map(|band| band.join("\n")).collect();
        format!("{rule}\n{}\n{rule}", bands.join(&format!("\n{rule}\n")))
    }

    fn framed(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.cells.as_bytes().chunks(9).enumerate() {
            if index % 3 == 0 {
                text += if index == 0 { " *-----------*\n" } else { " |---+---+---|\n" };
            }
            let row = str::from_utf8(row).unwrap();
            writeln!(text, " |{}|{}|{}|", &row[..3], &row[3..6], &row[6..]).unwrap();
        }
        text + " *-----------*"
    }
}

/// What may be between puzzles, before and after them.
struct Noise {
    name: &'static str,
    before: &'static str,
    /// Before each puzzle; `{}` is its number.
    each: &'static str,
    after: &'static str,
    line_end: &'static str,
}

const PLAIN: Noise = Noise { name: "nothing", before: "", each: "", after: "", line_end: "\n" };

const NOISES: [Noise; 16] = [
    PLAIN,
    Noise { name: "a byte order mark", before: "\u{feff}", ..PLAIN },
    Noise { name: "CRLF", line_end: "\r\n", ..PLAIN },
    Noise { name: "comments", before: "# From a list, 2006\n#\n", ..PLAIN },
    Noise { name: "empty lines", each: "\n", ..PLAIN },
    Noise { name: "empty lines before and after", before: "\n\n", after: "\n \n", ..PLAIN },
    Noise { name: "a title", before: "Sudoku puzzles\n", ..PLAIN },
    Noise { name: "prose before", before: "These are my puzzles.\nThey are all hard: good luck!\n\n", ..PLAIN },
    Noise { name: "prose after", after: "\nThat is all.\nThe end\n", ..PLAIN },
    Noise { name: "words of four and nine letters", each: "hard\n", after: "difficult\n", ..PLAIN },
    Noise { name: "titles", each: "Level: hard\n", ..PLAIN },
    Noise { name: "titles after empty lines", each: "\nSudoku {} (easy)\n", ..PLAIN },
    Noise { name: "titles with an empty line after them", each: "No {}\n\n", ..PLAIN },
    Noise { name: "numbers", each: "{}\n", ..PLAIN },
    Noise { name: "years", each: "2006\n", ..PLAIN },
    Noise { name: "dates", each: "2006-08-03\n", ..PLAIN },
];

pub(super) fn shapes() -> Vec<Shape> {
    let (plain, table) = (Shape::plain, Shape::table);
    vec![
        plain("lines", |_, puzzle| puzzle.cells.clone()),
        plain("lines with zeros", |_, puzzle| puzzle.with_blank("0")),
        plain("lines with dashes", |_, puzzle| puzzle.with_blank("-")),
        plain("lines with stars", |_, puzzle| puzzle.with_blank("*")),
        plain("lines with underlines", |_, puzzle| puzzle.with_blank("_")),
        plain("lines with x", |_, puzzle| puzzle.with_blank("x")),
        plain("lines with a rating", |_, puzzle| format!("{} ED=8.4/8.4/2.6", puzzle.cells)),
        plain("lines with a weight", |_, puzzle| format!("{}\t17", puzzle.cells)),
        plain("lines with a count and a solution", |_, puzzle| format!("{}:1:{}", puzzle.cells, puzzle.solution)),
        plain("lines of the puzzle bank", |id, puzzle| format!("{id:012x} {}  1.2", puzzle.with_blank("0"))),
        plain("lines with a solution", |_, puzzle| format!("{},{}", puzzle.cells, puzzle.solution)),
        plain("numbered lines", |id, puzzle| format!("{id} {}", puzzle.cells)),
        plain("numbered lines with dots", |id, puzzle| format!("{id}. {}", puzzle.cells)),
        plain("quoted lines", |_, puzzle| format!("\"{}\"", puzzle.cells)),
        plain("lines with bars", |id, puzzle| format!("{id}|{}|easy", puzzle.cells)),
        plain("lines of numbers", |_, puzzle| puzzle.rows_with("0", " ", " ")),
        plain("lines of numbers with commas", |_, puzzle| puzzle.rows_with("-1", ",", ",")),
        table("Kaggle, a million", "quizzes,solutions\n", |_, puzzle| {
            format!("{},{}", puzzle.with_blank("0"), puzzle.solution)
        }),
        table("Kaggle, three million", "id,puzzle,solution,clues,difficulty\n", |id, puzzle| {
            format!("{id},{},{},27,2.2", puzzle.cells, puzzle.solution)
        }),
        table("extreme", "source,question,answer,rating\n", |_, puzzle| {
            format!("forum_hardest,{},{},18", puzzle.cells, puzzle.solution)
        }),
        table("semicolons", "sep=;\nid;puzzle;solution\n", |id, puzzle| {
            format!("{id};{};{}", puzzle.cells, puzzle.solution)
        }),
        table("quoted fields with spaces", "\"puzzle\" , \" solution \"\n", |_, puzzle| {
            format!("\"{}\" , \"{}\"", puzzle.cells, puzzle.solution)
        }),
        table("a database of the hardest", "sudoku\n", |_, puzzle| format!("{},11.9;11.9;11.3;GP", puzzle.cells)),
        table("fields of lists", "id,puzzle\n", |id, puzzle| {
            format!("{id},\"[[{}]]\"", puzzle.rows_with("0", ", ", "], ["))
        }),
        table("fields of several lines", "id,puzzle\n", |id, puzzle| format!("{id},\"{}\"", puzzle.rows("", "\n"))),
        plain("grids", |_, puzzle| puzzle.rows("", "\n")),
        plain("grids with zeros", |_, puzzle| puzzle.rows_with("0", "", "\n")),
        plain("grids with spaces", |_, puzzle| puzzle.rows(" ", "\n")),
        plain("grids of numbers", |_, puzzle| puzzle.rows_with("0", " ", "\n")),
        plain("framed grids", |_, puzzle| puzzle.framed()),
        plain("titled grids", |id, puzzle| format!("Grid {id:02}\n{}", puzzle.rows_with("0", "", "\n"))),
        plain("grids of SadMan", |_, puzzle| format!("[Puzzle]\n{}", puzzle.rows("", "\n"))),
        plain("grids of SadMan that were played", |_, puzzle| {
            let state = puzzle.cells.replacen('.', "1", 1);
            let state = Puzzle { cells: state, solution: String::new() }.rows("", "\n");
            format!("#AA. B.\n#DBy hand\n[Puzzle]\n{}\n[State]\n{state}", puzzle.rows("", "\n"))
        }),
        plain("grids in boxes", |_, puzzle| {
            puzzle.framed().replace('|', "│").replace('-', "─").replace(['+', '*'], "┼")
        }),
        plain("lines of HoDoKu", |_, puzzle| format!(":0000:x:{}:123 456::", puzzle.cells.replacen('.', "+1", 1))),
        table("games of OpenSudoku", "<?xml version=\"1.0\"?>\n<opensudoku>\n", |_, puzzle| {
            format!("<game data=\"{}\"/>", puzzle.with_blank("0"))
        }),
        plain("grids of candidates", |_, puzzle| puzzle.candidates(" ", ".---.\n", "\n'---'")),
        plain("grids of candidates without borders", |_, puzzle| puzzle.candidates(" ", "", "\n")),
        plain("grids of candidates in boxes", |_, puzzle| puzzle.candidates("│", "╔═══╗\n", "\n╚═══╝")),
        plain("orders and numbers", |_, puzzle| format!("3\n{}", puzzle.rows_with("0", " ", "\n"))),
        plain("lines with question marks", |_, puzzle| puzzle.with_blank("?")),
        plain("lines with spaces between dots", |_, puzzle| puzzle.rows(" ", " ")),
        plain("lines with slashes", |_, puzzle| puzzle.rows("", "/") + " easy"),
        plain("numbered lines with slashes", |id, puzzle| format!("{id}. {}", puzzle.rows("", "/"))),
        plain("lines with dashes between rows", |_, puzzle| puzzle.rows("", "-")),
        plain("lines with middle dots", |_, puzzle| puzzle.with_blank("·")),
        plain("grids with plus", |_, puzzle| puzzle.ruled(".", ["+ ", " ", " + ", " +"], "+=======+=======+=======+")),
        plain("grids with middle dots", |_, puzzle| {
            puzzle.ruled("·", ["│ ", " ", " │ ", " │"], "├───────┼───────┼───────┤")
        }),
    ]
}

/// Grids in the styles of rows that are learned.
pub(super) fn styled_shapes() -> Vec<Shape> {
    let plain = Shape::plain;
    vec![
        plain("commas", |_, puzzle| puzzle.rows_with("0", ",", "\n")),
        plain("commas at the ends", |_, puzzle| puzzle.rows_with("0", ", ", ",\n") + ","),
        plain("empty fields", |_, puzzle| puzzle.rows_with("", ",", "\n")),
        plain("semicolons", |_, puzzle| puzzle.rows_with("", ";", "\n")),
        plain("tabs", |_, puzzle| puzzle.rows_with("", "\t", "\n")),
        plain("quoted fields", |_, puzzle| format!("\"{}\"", puzzle.rows_with("", "\",\"", "\"\n\""))),
        plain("bars between cells", |_, puzzle| puzzle.boxed(" ", ["| ", " | ", " | ", " |"])),
        plain("bars and rules", |_, puzzle| {
            let rule = "+---".repeat(9) + "+\n";
            puzzle.boxed(" ", ["| ", " | ", " | ", " |"]).replace('\n', &format!("\n{rule}"))
        }),
        plain("boxes between cells", |_, puzzle| puzzle.boxed(" ", ["║ ", " │ ", " ║ ", " ║"])),
        plain("Markdown", |_, puzzle| {
            let head = "| | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|---|\n";
            head.to_owned() + &puzzle.boxed(" ", ["| {} | ", " | ", " | ", " |"])
        }),
        plain("Markdown without labels", |_, puzzle| {
            let head = format!("|{}\n|{}\n", "   |".repeat(9), "---|".repeat(9));
            head + &puzzle.boxed(" ", ["| ", " | ", " | ", " |"])
        }),
        plain("names of rows", |_, puzzle| {
            let rows = puzzle.rows_with("0", " ", "\n");
            let rows = (1..).zip(rows.lines()).map(|(number, row)| format!("Row {number}: {row}"));
            rows.collect::<Vec<_>>().join("\n")
        }),
        plain("labels", |_, puzzle| {
            let head = "   C1 C2 C3   C4 C5 C6   C7 C8 C9\n".to_owned();
            head + &puzzle.boxed(".", ["{}   ", "  ", " |  ", ""])
        }),
        plain("pandas", |_, puzzle| {
            let rows = puzzle.rows_with("0", "  ", "\n");
            let rows = (0..).zip(rows.lines()).map(|(index, row)| format!("{index}  {row}"));
            "   0  1  2  3  4  5  6  7  8\n".to_owned() + &rows.collect::<Vec<_>>().join("\n")
        }),
        plain("spaces", |_, puzzle| puzzle.ruled(" ", ["| ", " ", " | ", " |"], "+-------+-------+-------+")),
        plain("spaces in narrow boxes", |_, puzzle| puzzle.ruled(" ", ["|", "", "|", "|"], "+---+---+---+")),
        plain("spaces in drawn boxes", |_, puzzle| {
            puzzle.ruled(" ", ["│ ", " ", " │ ", " │"], "├───────┼───────┼───────┤")
        }),
        plain("spaces without a frame", |_, puzzle| puzzle.boxed(" ", ["", " ", " | ", ""])),
        plain("spaces and labels", |_, puzzle| {
            let head = "    1 2 3   4 5 6   7 8 9\n".to_owned();
            head + &puzzle.ruled(" ", ["{} | ", " ", " | ", " |"], "  +-------+-------+-------+")
        }),
    ]
}

/// Files whose puzzles have no line of their own, or several on a line.
pub(super) fn documents() -> Vec<Shape> {
    let (plain, table, document) = (Shape::plain, Shape::table, Shape::document);
    let object = |id, puzzle: &Puzzle| format!("{{\"id\": {id}, \"puzzle\": \"{}\"}}", puzzle.cells);
    vec![
        plain("JSON lines", object),
        plain("JSON lines of rows", |_, puzzle| format!("{{\"puzzle\": [[{}]]}}", puzzle.rows_with("0", ", ", "], ["))),
        plain("JSON lines of texts", |_, puzzle| format!("{{\"puzzle\": [\"{}\"]}}", puzzle.rows("", "\", \""))),
        plain("JSON lines of objects", |id, puzzle| {
            format!("{{\"info\": {{\"puzzle\": \"{}\", \"n\": {id}}}}}", puzzle.cells)
        }),
        plain("JSON lines of lists", |_, puzzle| format!("[{}]", puzzle.rows_with("0", ", ", ", "))),
        document("objects on one line", ["[", ", ", "]\n"], object),
        document("objects", ["[\n", ",\n", "\n]\n"], object),
        document("objects of several lines", ["[\n", ",\n", "\n]\n"], |id, puzzle| {
            format!("  {{\n    \"id\": {id},\n    \"puzzle\": \"{}\"\n  }}", puzzle.cells)
        }),
        document("an answer of a service", ["{\"new\": {\"grids\": [", ", ", "], \"n\": 6}}\n"], |_, puzzle| {
            format!("{{\"value\": [[{}]]}}", puzzle.rows_with("0", ",", "],["))
        }),
        document("an array of lists", ["[", ",\n", "]\n"], |_, puzzle| {
            format!("[{}]", puzzle.rows_with("0", ", ", ", "))
        }),
        document("an array of texts", ["[", ", ", "]\n"], |_, puzzle| format!("\"{}\"", puzzle.cells)),
        document("texts under a key", ["{\"a\": [\n", ",\n", "\n]}\n"], |_, puzzle| format!("\"{}\"", puzzle.cells)),
        document("objects under their names", ["{", ",\n", "}\n"], |id, puzzle| {
            format!("\"p{id}\": {{\"puzzle\": \"{}\"}}", puzzle.cells)
        }),
        document("games of a folder", ["<opensudoku>\n", "\n", "\n</opensudoku>\n"], |id, puzzle| {
            format!("<game created=\"{id}\" data=\"{}\" />", puzzle.with_blank("0"))
        }),
        document("games on one line", ["<opensudoku>", "", "</opensudoku>"], |_, puzzle| {
            format!("<game data=\"{}\"/>", puzzle.with_blank("0"))
        }),
        plain("links", |_, puzzle| format!("https://example.org/?bd={}", puzzle.with_blank("0"))),
        plain("links with more", |id, puzzle| format!("https://example.org/?id={id}&bd={}&n=3", puzzle.cells)),
        plain("an order and numbers", |_, puzzle| format!("3 {}", puzzle.rows_with("0", " ", " "))),
        plain("an order, and a line of numbers", |_, puzzle| format!("3\n{}", puzzle.rows_with("0", " ", " "))),
        plain("statements of SQL", |id, puzzle| format!("INSERT INTO t VALUES ({id}, '{}', 'easy');", puzzle.cells)),
        plain("constants of a program", |id, puzzle| format!("const p{id} = \"{}\";", puzzle.cells)),
        table("records of YAML", "---\n", |id, puzzle| {
            format!("- id: {id}\n  puzzle: {}\n  solution: {}", puzzle.cells, puzzle.solution)
        }),
        document("texts of Python", ["P = [\n", "\n", "\n]\n"], |id, puzzle| {
            format!("    '{}',  # number {id}", puzzle.cells)
        }),
        plain("16 fields", |_, puzzle| format!("{},a,b,c,d,e,f,g,h,i,j,k,l,m,n,o", puzzle.cells)),
        plain("lists", |_, puzzle| format!("[{}]", puzzle.rows_with("0", ", ", ", "))),
        table("formulas", "id,puzzle\n", |id, puzzle| format!("{id},\"=\"\"{}\"\"\"", puzzle.with_blank("0"))),
        table("two puzzles", "puzzle,mirror,n\n", |id, puzzle| {
            format!("{},{},{id}", puzzle.cells, puzzle.cells.chars().rev().collect::<String>())
        }),
        table("spaced cells in a table", "id,puzzle,n\n", |id, puzzle| {
            format!("{id},{},x", puzzle.rows_with("0", " ", " "))
        }),
    ]
}

/// Combinations in which puzzles become malformed records: a header after prose is not one.
const LOST: [(&str, &str); 4] = [
    ("fields of lists", "a title"),
    ("fields of lists", "prose before"),
    ("fields of several lines", "a title"),
    ("fields of several lines", "prose before"),
];

/// The puzzles that are read from a text, with `.` for blanks, and the number of other records; or why the text is
/// refused.
fn read(text: &str) -> Result<(Vec<String>, usize), String> {
    let records = read_in_order(text)?;
    let malformed = records.iter().filter(|record| record.is_none()).count();
    Ok((records.into_iter().flatten().collect(), malformed))
}

/// The puzzle of each record of a text, `None` if it is malformed; or why the text is refused.
pub(super) fn read_in_order(text: &str) -> Result<Vec<Option<String>>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, text).unwrap();
    let options = InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };
    let corpus = Corpus::open(vec![Origin::File(file.path().to_owned())], options);
    let corpus = corpus.map_err(|error| format!("{error:?}"))?;
    let mut found = vec![];
    let read = read_records(corpus, |record| {
        found.push(match &record.puzzle {
            Ok(GivenPuzzle::Clues(size, cells)) => Some(record.alphabet(*size).text(cells, b'.')),
            Ok(GivenPuzzle::Pencilmarks(candidates)) => Some(candidates.to_string()),
            Err(_) => None,
        });
        Ok::<(), CorpusError>(())
    });
    read.unwrap();
    Ok(found)
}

#[test]
fn puzzles_are_read_or_refused_in_every_shape_with_every_noise() {
    let puzzles = Puzzle::some(12);
    let expected: Vec<&str> = puzzles.iter().map(|puzzle| &*puzzle.cells).collect();
    let mut wrong = String::new();
    for shape in shapes().into_iter().chain(styled_shapes()) {
        for noise in &NOISES {
            let mut text = noise.before.to_owned() + shape.header;
            for (index, puzzle) in puzzles.iter().enumerate() {
                text += &noise.each.replace("{}", &(index + 1).to_string());
                text += &(shape.write)(index + 1, puzzle);
                text += "\n";
            }
            text += noise.after;
            let text = text.replace('\n', noise.line_end);
            // The candidates of a puzzle stand for it.
            let mut result = read(&text);
            for found in result.iter_mut().flat_map(|(found, _)| found) {
                let puzzle = puzzles.iter().find(|puzzle| puzzle.pencilmarks().to_string() == *found);
                *found = puzzle.map_or_else(|| found.clone(), |puzzle| puzzle.cells.clone());
            }
            let is_lost = LOST.contains(&(shape.name, noise.name));
            let is_right = match &result {
                Ok((found, _)) if !is_lost => *found == expected,
                // Those that are read are right, and something shows that others are not.
                Ok((found, malformed)) => {
                    let mut rest = expected.iter();
                    found.iter().all(|puzzle| rest.any(|other| other == puzzle))
                        && *malformed > 0
                        && found.len() < expected.len()
                }
                Err(_) => is_lost,
            };
            if !is_right {
                let result = result.map(|(found, malformed)| {
                    let right = found.iter().filter(|puzzle| expected.contains(&&***puzzle)).count();
                    format!("{right} right, {} wrong, {malformed} malformed", found.len() - right)
                });
                writeln!(wrong, "{} with {}: {result:?}", shape.name, noise.name).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Writes a grid with a fault.
type Damage = fn(&Puzzle) -> String;

/// Grids that are damaged, or written in another way, between good ones are malformed records, and all others are read.
#[test]
fn damaged_grids_cost_themselves() {
    let puzzles = Puzzle::some(12);
    let damages: [(&str, Damage); 9] = [
        ("a column is missing", |puzzle| {
            let rows: Vec<_> = puzzle.cells.as_bytes().chunks(9).map(|row| &row[..8]).collect();
            String::from_utf8(rows.join(&b'\n')).unwrap()
        }),
        ("commas", |puzzle| puzzle.rows(",", "\n")),
        ("lists", |puzzle| format!("[{}],", puzzle.rows_with("0", ", ", "],\n["))),
        ("bars", |puzzle| puzzle.rows("", "\n").replace("...", "\u{2502}..")),
        ("names of rows", |puzzle| format!("R1: {}", puzzle.rows("", "\nR: "))),
        ("exclamation marks", |puzzle| puzzle.rows_with("!", "", "\n").replace(|c: char| c.is_ascii_digit(), "!")),
        ("a row is missing", |puzzle| puzzle.rows("", "\n")[10..].to_owned()),
        ("a row is doubled", |puzzle| puzzle.rows("", "\n")[..10].to_owned() + &puzzle.rows("", "\n")),
        ("a line", |puzzle| puzzle.cells.clone()),
    ];
    for (name, damage) in damages {
        for (before, between) in [("", "\n"), ("easy\n", ""), ("Level: hard\nby hand\n", ""), ("Puzzle001\n", "\n")] {
            let mut text = String::new();
            for (index, puzzle) in puzzles.iter().enumerate() {
                let grid = if index == 5 { damage(puzzle) } else { puzzle.rows("", "\n") };
                writeln!(text, "{before}{grid}").unwrap();
                text += between;
            }
            let (found, malformed) = read(&text).unwrap();
            let others: Vec<&str> =
                puzzles.iter().map(|puzzle| &*puzzle.cells).filter(|c| *c != puzzles[5].cells).collect();
            // Without an empty line after it, a damaged grid may take its neighbours with it, but not in silence.
            let is_right = |found: &[String]| {
                let mut rest = others.iter();
                found.iter().all(|puzzle| rest.any(|other| other == puzzle)) && found.len() + 3 > others.len()
            };
            let is_complete = found == others || (between.is_empty() && is_right(&found));
            assert!(
                is_complete && malformed > 0,
                "{name} after {before:?}: {} found, {malformed} malformed",
                found.len()
            );
        }
    }
}
