//! Finds cells of puzzles in text that is not read as a puzzle: between records, after the puzzle of a record, and
//! before the first record.
//!
//! One law holds for all formats: text that could be a puzzle and is not read as one is never skipped. Between two
//! records, it becomes a malformed record; after a puzzle, it makes the record malformed; in a header, it is an error.
//! Text without cells is skipped, and [`Skipped`] counts it.

use std::ops::{Range, RangeInclusive};

use super::alphabet::{Alphabets, BLANKS, is_digit_or_blank};
use super::stream::Skipped;
use super::{Malformed, ParsedPuzzle, Puzzles, Size, SymbolPosition, cells};
use crate::puzzle::{Pencilmarks, rules};

/// The number of cells of the smallest puzzle.
const FEWEST: usize = Size::Four.cells();

/// The minimum length of a run of symbols that is a damaged 9x9 puzzle: it has lost less than a row.
const NEARLY_NINE: usize = Size::Nine.cells() - Size::Nine.side();

/// The number of cells of a 9x9 puzzle, perhaps with a row too few or too many.
pub(super) const NEARLY_NINE_CELLS: RangeInclusive<usize> = NEARLY_NINE..=Size::Nine.cells() + Size::Nine.side();

/// Cells with separators are not a puzzle from this length on: a 25x25 puzzle of numbers has about 2,500 bytes.
const LONGEST: usize = 4 << 10;

/// The maximum length of a number after a puzzle, such as an ID, a rating or a time.
const LONGEST_NUMBER: usize = 24;

/// The first run of symbols in a text that could be a puzzle: it has the cells of one with a clue, and a 4x4 puzzle
/// breaks no rule; or nearly as many as a 9x9 puzzle.
pub(super) fn puzzle_in(text: &[u8]) -> Option<Range<usize>> {
    attempts(text).find(|run| could_be_puzzle(&text[run.clone()]))
}

/// The first cells in a text that could be a puzzle: adjacent symbols, or cells or rows with separators.
pub(super) fn lost_in(gap: &[u8]) -> Option<Range<usize>> {
    // Nearly all gaps.
    if gap.len() < FEWEST {
        return None;
    }
    [puzzle_in(gap), separate_cells_in(gap)].into_iter().flatten().min_by_key(|lost| lost.start)
}

/// The first cells, rows or parts of rows that have separators between them and could be a puzzle, or nearly as many as
/// of a 9x9 puzzle.
pub(super) fn separate_cells_in(text: &[u8]) -> Option<Range<usize>> {
    runs(text, is_separate).filter(|run| run.len() < LONGEST).find_map(|run| {
        let words: Vec<_> =
            cells::word_ranges(&text[run.clone()]).map(|word| run.start + word.start..run.start + word.end).collect();
        let width = |word: &Range<usize>| if cells::is_cell(&text[word.clone()]) { 1 } else { word.len() };
        let of_one_width = words.chunk_by(|one, other| width(one) == width(other));
        let is_lost = |words: &&[Range<usize>]| {
            words.len() > 1
                && are_of_puzzle(width(&words[0]), &words.iter().map(|word| &text[word.clone()]).collect::<Vec<_>>())
        };
        // A cell may be damaged, or a line end may be within the cells.
        let is_nearly_nine = || {
            let usual = words.iter().filter(|word| matches!(width(word), 1 | 3 | 9)).count();
            (usual > words.len() / 2 || (2..4).contains(&words.len()))
                && words.iter().all(|word| word.len() < NEARLY_NINE)
                && !are_large(words.iter().map(|word| &text[word.clone()]))
                // Borders have hardly any digit.
                && text[run.clone()].iter().filter(|byte| byte.is_ascii_digit()).count() >= Size::Nine.side()
                && NEARLY_NINE_CELLS.contains(&words.iter().map(width).sum())
        };
        let lost = of_one_width.into_iter().find(is_lost).or_else(|| is_nearly_nine().then_some(&words))?;
        Some(lost[0].start..lost[lost.len() - 1].end)
    })
}

/// Whether words of `width` cells could be a puzzle.
fn are_of_puzzle(width: usize, words: &[&[u8]]) -> bool {
    let are_of_nine = |cells| NEARLY_NINE_CELLS.contains(&cells) || cells.is_multiple_of(Size::Nine.cells());
    match width {
        1 if are_of_nine(words.len()) => {
            words.iter().any(|word| !cells::is_empty(word) && has_digit(word)) && !are_large(words.iter().copied())
        }
        1 => {
            let mut puzzles = Puzzles::new();
            match cells::parse_words(words, &Alphabets::default(), &mut puzzles) {
                Ok(puzzle) => puzzle.clues > 0 && is_sound_or_large(puzzle, &puzzles),
                Err(reason) => matches!(reason, Malformed::SecondBlank { .. } | Malformed::DoubtfulZero { .. }),
            }
        }
        _ => {
            let symbols = words.concat();
            (matches!(width, 3 | 9) && are_of_nine(symbols.len()) || Size::from_cells(symbols.len()).is_some())
                && could_be_puzzle(&symbols)
        }
    }
}

/// Whether several numbers are too large for a 9x9 puzzle. A table may have columns 0 to 80.
fn are_large<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    words.filter(|word| cells::parse_number(word).is_some_and(|number| number > 9)).count() >= Size::Nine.side()
}

/// Whether a byte may be in a cell, which may be a word for a blank, or separate cells.
fn is_separate(byte: u8) -> bool {
    is_digit_or_blank(byte) || cells::is_separator(byte) || b"nulNoea".contains(&byte)
}

fn has_digit(symbols: &[u8]) -> bool {
    symbols.iter().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// The first run in a line that is a puzzle, perhaps a damaged one: any run that is not a number.
pub(super) fn cells_in(line: &[u8]) -> Option<Range<usize>> {
    attempts(line).find(|run| is_puzzle_or_part(&line[run.clone()]))
}

fn is_puzzle_or_part(run: &[u8]) -> bool {
    could_be_puzzle(run) || run.iter().any(u8::is_ascii_digit) && !is_number(run)
}

/// The length of the cells at the end of a text, which more text may continue. Beyond [`LONGEST`], cells are not a puzzle,
/// wherever a text is divided.
pub(super) fn open_cells(text: &[u8]) -> usize {
    let is_in_any = |bytes: &[u8]| [is_symbol, is_separate].iter().any(|is_in| bytes.iter().all(|byte| is_in(*byte)));
    let last = text.last_chunk::<1>().filter(|last| is_in_any(*last));
    let before = || text.windows(2).rev().take(LONGEST - 1).take_while(|pair| is_in_any(pair)).count();
    last.map_or(0, |_| 1 + before())
}

/// Whether the `rest` of a record, after the symbols of its `puzzle`, has more cells: of another puzzle, whose line end
/// may be lost, or of this one, which is then damaged. Answers, the same puzzle, pencilmarks and numbers are not such
/// cells.
#[inline]
pub(super) fn has_more_cells(puzzle: &[u8], rest: &[u8]) -> bool {
    let has_blanks = |cells: Range<usize>| rest[cells].iter().any(|byte| BLANKS.contains(byte));
    rest.len() >= FEWEST && (has_run_of_cells(puzzle, rest) || separate_cells_in(rest).is_some_and(has_blanks))
}

fn has_run_of_cells(puzzle: &[u8], rest: &[u8]) -> bool {
    attempts(rest)
        .map(|run| &rest[run])
        .any(|run| !is_known(puzzle, run) && (is_puzzle_or_part(run) || completes(puzzle.len(), run.len())))
}

/// Whether a run after a puzzle is its answer, the same puzzle, or pencilmarks.
fn is_known(puzzle: &[u8], run: &[u8]) -> bool {
    if run.len() != puzzle.len() {
        return run.len() == Pencilmarks::SYMBOLS;
    }
    let is_full = |size| cells::is_full(&Alphabets::default(), size, run);
    // The same cells, perhaps with different blanks.
    let is_same = |(one, other)| one == other || BLANKS.contains(one) && BLANKS.contains(other);
    puzzle.iter().zip(run).all(is_same) || Size::from_cells(run.len()).is_some_and(is_full)
}

/// Whether two runs of cells and a wrong symbol between them are as long as a puzzle up to 9x9.
fn completes(first: usize, second: usize) -> bool {
    Size::from_cells(first + 1 + second).is_some_and(|size| size <= Size::Nine)
}

/// Whether a run is a number, a date or similar: short, and without two blanks in a row.
fn is_number(run: &[u8]) -> bool {
    run.len() <= LONGEST_NUMBER && !run.windows(2).any(|pair| pair.iter().all(|byte| !byte.is_ascii_digit()))
}

/// Whether a run of symbols could be a puzzle.
fn could_be_puzzle(run: &[u8]) -> bool {
    match Size::from_cells(run.len()) {
        Some(Size::Four) => is_sound_four(run),
        Some(size) if cells::are_symbols(&Alphabets::default(), size, &run.iter().copied()) => {
            !run.iter().all(|byte| BLANKS.contains(byte))
        }
        size => {
            (size.is_some() || (NEARLY_NINE..=Pencilmarks::SYMBOLS).contains(&run.len()))
                && run.iter().all(|&byte| is_digit_or_blank(byte))
                && has_digit(run)
        }
    }
}

/// Whether 16 symbols are a 4x4 puzzle with a clue that breaks no rule. Other numbers of 16 digits are IDs or times.
fn is_sound_four(run: &[u8]) -> bool {
    let mut puzzles = Puzzles::new();
    // A damaged puzzle may have several blank symbols.
    let usual: Vec<u8> = run.iter().map(|byte| if BLANKS.contains(byte) { b'.' } else { *byte }).collect();
    let parsed = cells::parse(&usual, &Alphabets::default(), &mut puzzles, SymbolPosition::Column);
    parsed.is_ok_and(|puzzle| puzzle.clues > 0 && is_sound_or_large(puzzle, &puzzles))
}

/// Whether the last puzzle is larger than 4x4 or breaks no rule.
fn is_sound_or_large(puzzle: ParsedPuzzle, puzzles: &Puzzles) -> bool {
    puzzle.size > Size::Four || rules::conflict(puzzle.size, puzzles.last(puzzle.size)).is_none()
}

/// The runs of symbols that are attempts at a puzzle: letters, digits and blanks that could be one, otherwise the digits
/// and blanks among them, since a word may adjoin the cells.
fn attempts(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    runs(text, is_symbol).flat_map(|run| {
        let symbols = &text[run.clone()];
        let whole = could_be_puzzle(symbols).then(|| run.clone());
        let parts = if whole.is_some() { &[] } else { symbols };
        let parts = runs(parts, is_digit_or_blank).map(move |part| run.start + part.start..run.start + part.end);
        whole.into_iter().chain(parts)
    })
}

/// The runs of at least [`FEWEST`] bytes of a kind.
fn runs(text: &[u8], is_in_run: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            // A long run has a byte at each of these places, so most bytes of other text are not examined.
            let probe = at + FEWEST - 1;
            if !is_in_run(*text.get(probe)?) {
                at = probe + 1;
                continue;
            }
            let before = text[at..probe].iter().rposition(|&byte| !is_in_run(byte));
            let start = before.map_or(at, |before| at + before + 1);
            let end = text[probe..].iter().position(|&byte| !is_in_run(byte)).map_or(text.len(), |end| probe + end);
            at = end;
            if end - start >= FEWEST {
                return Some(start..end);
            }
        }
    })
}

/// Whether a byte can be a cell of some size.
pub(super) fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || BLANKS.contains(&byte)
}

impl Skipped {
    /// Counts the lines of a text between records.
    pub(super) fn add(&mut self, text: &[u8]) {
        for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
            if line.starts_with(b"#") {
                self.comments += 1;
                self.puzzles += u64::from(lost_in(line).is_some());
            } else if line.iter().any(u8::is_ascii_alphanumeric) {
                self.titles += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const ANSWER: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn text_without_cells_is_not_a_puzzle() {
        for text in [
            "",
            "1234567",
            "Easter Monster, 2024-01-02T10:11:12.123456, 17 clues",
            "------------------------------------",
            "+-------+-------+-------+",
            "0af5e6a1b22c3d944e5f60718293a4b5c6d7e8f9",
            // A number of 16 digits that is not a 4x4 puzzle, or breaks its rules.
            "1700000000123456",
            "1111222233334444",
            "an unquestionablylongword",
            "3.14159265358979323846264338327950288",
            "................",
        ] {
            assert_eq!(puzzle_in(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn cells_of_a_puzzle_are_found_anywhere() {
        let letters = "ABCDEFGHIJKLMNOP".repeat(16);
        for cells in [
            PUZZLE,
            &PUZZLE.replace('.', "0"),
            &PUZZLE[..80],
            &PUZZLE[..75],
            "1.3..........4.2",
            "1234432121433412",
            "123456....................................."[..36].trim(),
            &letters,
            &format!("{}1", "x".repeat(80)),
        ] {
            for text in [cells.to_owned(), format!("a title: {cells}!"), format!("\"{cells}\"")] {
                let found = puzzle_in(text.as_bytes()).map(|range| &text[range]);
                assert_eq!(found, Some(cells), "{text}");
            }
        }
        assert_eq!(puzzle_in(format!("grid{PUZZLE}").as_bytes()), Some(4..85));
    }

    #[test]
    fn cells_with_separators_are_found_between_records() {
        let rows: Vec<_> = PUZZLE.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        let numbers = PUZZLE.replace('.', "0");
        let numbers: Vec<_> = numbers.chars().map(String::from).collect();
        let nulls = numbers.join(", ").replace('0', "null");
        let four = "1 . 3 .\n. . . .\n. . . .\n. 4 . 2";
        for cells in
            [&*rows.join("\n"), &rows[1..].join("\", \""), &numbers.join(", "), &numbers[2..].join("\n"), &nulls, four]
        {
            for text in [format!("a title\n{cells}\n"), format!("\"cells\": \"{cells}\"]")] {
                let found = lost_in(text.as_bytes()).map(|lost| &text[lost]);
                assert_eq!(found, Some(cells), "{text}");
                assert_eq!(puzzle_in(text.as_bytes()), None);
            }
        }
        let long = "1 ".repeat(81) + &" ".repeat(LONGEST);
        let border = format!("Puzzle 01\n *{}*", "-".repeat(71));
        let columns = (0..81).map(|column| column.to_string()).collect::<Vec<_>>().join(",");
        for text in [
            &*border,
            &columns,
            "1 2 3 4 5 6 7 8 9",
            "2024 2025 2026 2027",
            "2024-01-02 ".repeat(9).trim(),
            &rows[2..].join("\n"),
            &long,
        ] {
            assert_eq!(lost_in(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn cells_that_may_go_on_are_open() {
        for (text, open) in [
            ("", 0),
            ("a title!", 0),
            ("a title", 5),
            (">53..7", 5),
            ("title: 1 2 3\n4 5", 10),
            // The digits before a letter may belong to cells with separators before them.
            ("q: 53..7....\n6..195b", 18),
            ("6..195b|", 1),
        ] {
            assert_eq!(open_cells(text.as_bytes()), open, "{text}");
        }
        assert_eq!(open_cells(&b"1".repeat(9999)), LONGEST);
    }

    #[test]
    fn a_record_has_more_cells_if_they_are_of_a_puzzle() {
        let spaced = |cells: &str| cells.replace("", " ");
        for (puzzle, rest, expected) in [
            (PUZZLE, "", false),
            (PUZZLE, ";ED=7.1/1.2/1.2", false),
            (PUZZLE, ",1700000000123456,0.123456789012345", false),
            (PUZZLE, " 2024-01-02-10-11-12", false),
            (PUZZLE, ANSWER, false),
            (PUZZLE, PUZZLE, false),
            (PUZZLE, &PUZZLE.replace('.', "0"), false),
            (PUZZLE, &spaced(ANSWER), false),
            (PUZZLE, " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", false),
            (PUZZLE, &"1.3.5..8.".repeat(81), false),
            (PUZZLE, &PUZZLE.replacen('5', "4", 1), true),
            (PUZZLE, &PUZZLE[1..], true),
            (PUZZLE, &PUZZLE[..30], true),
            (PUZZLE, "1.3..........4.2", true),
            (PUZZLE, "1030000000000402", true),
            (PUZZLE, &spaced(&PUZZLE.replacen('5', "4", 1)), true),
            // A wrong symbol in a 9x9 puzzle.
            (&PUZZLE[..64], " 0000000000000079", true),
            (&PUZZLE[..16], &PUZZLE[17..], true),
        ] {
            let rest = format!(" {rest}");
            assert_eq!(has_more_cells(puzzle.as_bytes(), rest.as_bytes()), expected, "{puzzle}{rest}");
        }
    }

    #[test]
    fn skipped_lines_are_counted_by_kind() {
        let mut skipped = Skipped::default();
        skipped.add(format!("\n# a\r\n---+---\n\n#{PUZZLE}\nGrid 1\n  \n").as_bytes());
        skipped.end = Some(9);
        let words = "2 comments and 1 other line skipped; 1 comment has cells of a puzzle; the text after 'end' on line 9 is not read";
        assert_eq!((skipped.to_string().as_str(), skipped.has_puzzles()), (words, true));
        assert_eq!(Skipped::default().to_string(), "");
    }
}
