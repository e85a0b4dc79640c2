//! Finds the sizes, the blank symbols and the alphabets of the puzzles in a sample.

use std::collections::HashSet;

use super::alphabet::{Alphabet, Alphabets};
use super::columns::{Sought, is_named_as_answer, usual_puzzle_columns};
use super::definition::TextLayout;
use super::error::{DetectError, UnclearAlphabetError};
use super::{BatchLimits, Malformed, ParsedPuzzle, Parser, Puzzles, Size, Splitter};
use crate::puzzle::rules;

/// The properties of a sample's puzzles.
#[derive(Clone, Debug, Default)]
pub(super) struct SampleFacts {
    /// The sizes, ascending.
    pub(super) sizes: Vec<Size>,
    /// The blank symbols.
    pub(super) blanks: Vec<u8>,
    /// The cells of the puzzles with clues.
    pub(super) puzzles: HashSet<Vec<u8>>,
    /// The number of rows of these puzzles.
    pub(super) rows: usize,
    /// The number of records that are not puzzles.
    pub(super) malformed: usize,
    /// The number of puzzles with clues and blanks.
    pub(super) unsolved: usize,
    /// The number of grids that break a rule.
    pub(super) conflicts: usize,
    /// The number of grids without blanks.
    pub(super) full: usize,
    pub(super) rare: RareSizes,
    /// The size of a grid with turned boxes.
    pub(super) turned: Option<Size>,
}

/// The sizes that hardly any puzzle of a sample has, below the usual size. A puzzle of such a size may be a part of a
/// larger one: it cannot have exactly one solution, or is a number in CSV, whose zeros at the start may be lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RareSizes {
    usual: Option<Size>,
    is_rare: [bool; Size::ALL.len()],
    pub(super) is_csv: bool,
}

impl RareSizes {
    /// A size is rare if one puzzle has it, and this number have the usual size.
    const FEW: usize = 2;

    /// A size is rare if this many times as many puzzles have the usual size, not counting one of its puzzles.
    const TIMES: usize = 32;

    /// The fewest clues of a puzzle with one solution, for 4x4, 6x6, 8x8 and 9x9.
    const FEWEST_CLUES: [usize; 4] = [4, 8, 14, 17];

    /// The rare sizes, if a sample has this number of puzzles of each size.
    fn new(counts: [usize; Size::ALL.len()]) -> RareSizes {
        let usual = Size::ALL.into_iter().max_by_key(|size| counts[size.index()]);
        let Some(usual) = usual.filter(|size| counts[size.index()] >= RareSizes::FEW) else {
            return RareSizes::default();
        };
        let times = |size: Size| counts[size.index()].saturating_sub(1) * RareSizes::TIMES;
        let is_rare = |size| size < usual && times(size) <= counts[usual.index()];
        RareSizes { usual: Some(usual), is_rare: Size::ALL.map(is_rare), is_csv: false }
    }

    /// Fails for a puzzle that may be a part of a larger one.
    #[inline]
    pub(crate) fn check(&self, puzzle: ParsedPuzzle, puzzles: &Puzzles) -> Result<(), Malformed> {
        let ParsedPuzzle { size, blank, clues, .. } = puzzle;
        let Some(usual) = self.usual.filter(|_| self.is_rare[size.index()]) else { return Ok(()) };

        let cells = puzzles.last(size);
        let is_number = self.is_csv && blank == b'0' && cells[0] != 0;
        let has_few = RareSizes::FEWEST_CLUES.get(size.index()).is_some_and(|fewest| usize::from(clues) < *fewest);
        if is_number || has_few || rules::conflict(size, cells).is_some() {
            return Err(Malformed::RareSize { size, usual });
        }
        Ok(())
    }
}

impl SampleFacts {
    /// The properties of the puzzles in these records.
    pub(super) fn new(parser: &mut dyn Parser, records: &[&[u8]]) -> SampleFacts {
        let (mut facts, mut puzzles) = (SampleFacts::default(), Puzzles::new());
        let mut counts = [0; Size::ALL.len()];
        for record in records {
            let puzzle = match parser.parse(record, &mut puzzles) {
                Ok(puzzle) => puzzle,
                Err(reason) => {
                    facts.malformed += usize::from(reason != Malformed::Pencilmarks);
                    match reason {
                        Malformed::Pencilmarks => facts.rows += ParsedPuzzle::PENCILMARKS.size.side(),
                        Malformed::TurnedBoxes { size } => facts.turned = Some(size),
                        _ => {}
                    }
                    continue;
                }
            };
            let ParsedPuzzle { size, blank, clues, .. } = puzzle;
            counts[size.index()] += 1;
            facts.conflicts += usize::from(rules::conflict(size, puzzles.last(size)).is_some());
            facts.full += usize::from(puzzle.is_full());
            facts.unsolved += usize::from(clues > 0 && !puzzle.is_full());
            // A line of dashes without a clue may be a border.
            if clues > 0 {
                // In rows, to compare readings of a sample as puzzles of different sizes.
                facts.rows += size.side();
                facts.puzzles.insert(puzzles.last(size).into());
            }

            if !facts.sizes.contains(&size) {
                facts.sizes.push(size);
            }
            if puzzles.last(size).contains(&0) && !facts.blanks.contains(&blank) {
                facts.blanks.push(blank);
            }
        }
        facts.sizes.sort_unstable();
        facts.rare = RareSizes::new(counts);
        facts
    }
}

/// The records of a sample, which is the complete input if `is_complete`.
pub(super) fn records(mut splitter: Box<dyn Splitter>, sample: &[u8], is_complete: bool) -> Vec<&[u8]> {
    let mut records = Vec::new();
    let mut add = |record, _| records.push(&sample[record]);
    splitter.next_batch(sample, is_complete, BatchLimits::NONE, &mut add);
    records
}

/// A size whose grids in some records break the rules, but would not with turned boxes: at least two grids, or a full
/// one, and no grid is the other way round.
pub(super) fn turned_size(sizes: &[Size], parsers: Vec<Box<dyn Parser>>, records: &[&[u8]]) -> Option<Size> {
    let mut evidence = [0_usize; Size::ALL.len()];
    let mut possible = sizes.to_vec();
    possible.retain(|size| !size.has_square_boxes());
    for mut parser in parsers {
        let mut puzzles = Puzzles::new();
        for record in records {
            let Ok(puzzle) = parser.parse(record, &mut puzzles) else { continue };
            let size = puzzle.size;
            let (cells, side) = (puzzles.last(size), size.side());
            // Turned boxes are the usual boxes of the transposed grid.
            let turned: Vec<u8> = (0..cells.len()).map(|cell| cells[cell % side * side + cell / side]).collect();
            match (rules::conflict(size, cells), rules::conflict(size, &turned)) {
                // One full grid is enough evidence. With blanks, it takes two.
                (Some(_), None) => evidence[size.index()] += 1 + usize::from(puzzle.is_full()),
                (None, Some(_)) => possible.retain(|other| *other != size),
                _ => {}
            }
        }
    }
    possible.into_iter().find(|size| evidence[size.index()] > 1)
}

/// The number of records where a parser finds the cells that are sought. Puzzles that break a rule are not sought.
pub(super) fn count(records: &[&[u8]], mut parser: Box<dyn Parser>, wanted: Sought) -> usize {
    let mut puzzles = Puzzles::new();
    let found = records.iter().filter(|record| {
        puzzles.clear();
        match (parser.parse(record, &mut puzzles), wanted) {
            (Ok(_), Sought::Attempts) => true,
            (Ok(grid), Sought::FullGrids) => grid.is_full(),
            (Ok(grid), Sought::Puzzles) => {
                !grid.is_full() && rules::conflict(grid.size, puzzles.last(grid.size)).is_none()
            }
            // A grid has a 1 in each row, and a mask has more.
            (Ok(grid), Sought::Masks) => {
                usize::from(grid.clues) > grid.size.side() && puzzles.last(grid.size).iter().all(|&cell| cell <= 1)
            }
            (Err(reason), Sought::Attempts) => reason.is_close(),
            (Err(reason), Sought::Puzzles) => {
                matches!(reason, Malformed::Pencilmarks | Malformed::UnknownAlphabet { .. })
            }
            (Err(_), Sought::FullGrids | Sought::Masks) => false,
        }
    });
    found.count()
}

/// The number of columns to examine. A record of 1 MiB may have 100,000 columns, and all records are read for each.
pub(super) const SEARCHED_COLUMNS: usize = 32;

/// The columns of a text that have the sought cells in most records.
pub(super) fn columns(
    text: &dyn TextLayout,
    alphabets: Alphabets,
    records: &[&[u8]],
    wanted: Sought,
) -> impl Iterator<Item = usize> {
    let is_in = move |&column: &usize| 2 * count(records, text.parser(alphabets, column), wanted) > records.len();
    (0..text.columns().min(SEARCHED_COLUMNS)).filter(is_in)
}

/// The column of a table with the puzzles: of the columns with a usual name, the first whose records are mostly puzzles
/// that break no rule, otherwise the first with an attempt; or the only other column with such puzzles in most records.
///
/// # Errors
///
/// If several columns have puzzles, or if a column of masks is all that looks like puzzles.
pub(super) fn puzzle_column(
    text: &dyn TextLayout,
    records: &[&[u8]],
    names: &[String],
) -> Result<Option<usize>, DetectError> {
    let alphabets = Alphabets::default();
    let count = |column, wanted| count(records, text.parser(alphabets, column), wanted);
    let is_mask = |&column: &usize| 2 * count(column, Sought::Masks) > records.len();
    let usual: Vec<usize> = usual_puzzle_columns(names).filter(|&column| count(column, Sought::Attempts) > 0).collect();
    let sound = usual.iter().copied().find(|&column| 2 * count(column, Sought::Puzzles) > records.len());
    if let Some(found) = sound.or_else(|| usual.iter().copied().find(|column| !is_mask(column))) {
        return Ok(Some(found));
    }

    let found: Vec<usize> = columns(text, alphabets, records, Sought::Puzzles)
        .filter(|&column| !is_named_as_answer(&names[column]))
        .collect();
    match (&found[..], (0..names.len().min(SEARCHED_COLUMNS)).find(is_mask)) {
        ([], Some(mask)) => Err(DetectError::Mask { name: names[mask].clone() }),
        ([], None) => Ok(None),
        ([only], _) => Ok(Some(*only)),
        (several, _) => {
            Err(DetectError::SeveralPuzzleColumns { columns: several.iter().map(|&at| names[at].clone()).collect() })
        }
    }
}

/// These alphabets, and the alphabets of large sizes that the records determine.
pub(super) fn find_alphabets(
    text: &dyn TextLayout,
    column: usize,
    mut alphabets: Alphabets,
    records: &[&[u8]],
) -> Result<Alphabets, UnclearAlphabetError> {
    for size in Size::ALL.into_iter().filter(|size| text.has_symbols() && *size > Size::Nine) {
        if alphabets.get(size).is_none()
            && let Some(alphabet) = find_alphabet(size, text, column, alphabets, records)?
        {
            alphabets.set(alphabet);
        }
    }
    Ok(alphabets)
}

/// The alphabet of all puzzles of a size; `None` if none of them has a clue.
///
/// An alphabet fits a puzzle if it has all its symbols, and if no value occurs more often than the grid has rows: so
/// the `0` of 0-F is not mistaken for a blank. Records that fit no alphabet are ignored.
fn find_alphabet(
    size: Size,
    text: &dyn TextLayout,
    column: usize,
    alphabets: Alphabets,
    records: &[&[u8]],
) -> Result<Option<Alphabet>, UnclearAlphabetError> {
    // Most samples have no record of this length.
    if records.iter().all(|record| record.len() < size.cells()) {
        return Ok(None);
    }
    let mut candidates: Vec<_> = Alphabet::for_size(size).collect();
    let mut parsers: Vec<_> = Alphabet::for_size(size)
        .map(|alphabet| {
            let mut alphabets = alphabets;
            alphabets.set(alphabet);
            (alphabet, text.parser(alphabets, column))
        })
        .collect();

    let (mut puzzles, mut any_clues, mut any_zero) = (Puzzles::new(), false, false);
    for record in records.iter().filter(|record| record.len() >= size.cells()) {
        let (mut fitting, mut has_clues, mut has_zero) = (Vec::new(), true, false);
        let mut readings: Vec<Vec<u8>> = Vec::new();
        for (alphabet, parser) in &mut parsers {
            puzzles.clear();
            let is_of_size = parser.parse(record, &mut puzzles).is_ok_and(|puzzle| puzzle.size == size);
            if is_of_size && could_be_solved(size, puzzles.last(size)) {
                let cells = puzzles.last(size);
                fitting.push(*alphabet);
                readings.push(cells.to_vec());
                has_clues &= cells.iter().any(|&cell| cell > 0);
                has_zero |= alphabet.symbol(1) == b'0' && cells.contains(&1);
            }
        }

        // Symbols have a different value in each alphabet. If all values are the same, they are written in numbers.
        let is_in_numbers = readings.len() > 1 && readings.windows(2).all(|pair| pair[0] == pair[1]);
        if has_clues && !fitting.is_empty() && !is_in_numbers {
            candidates.retain(|alphabet| fitting.contains(alphabet));
            any_clues = true;
            any_zero |= has_zero;
        }
    }

    match *candidates {
        _ if !any_clues => Ok(None),
        [alphabet] => Ok(Some(alphabet)),
        // Both have digits, and all grids are full: puzzles with 0 for a blank would have more zeros.
        [from_zero, from_one] if any_zero && from_zero.value(b'0') == 1 && from_one.value(b'1') == 1 => {
            Ok(Some(from_zero))
        }
        _ => Err(UnclearAlphabetError { size }),
    }
}

/// Whether no value occurs more often than a grid of this size has rows.
fn could_be_solved(size: Size, cells: &[u8]) -> bool {
    let mut counts = [0; Size::MAX_SIDE + 1];
    for &cell in cells {
        counts[usize::from(cell)] += 1;
    }
    counts[1..].iter().all(|&count| count <= size.side())
}

#[cfg(test)]
mod tests {
    use crate::format::{InputOptions, detect};

    fn shown(text: &str, options: &InputOptions) -> String {
        detect(text.as_bytes(), true, options).map_or_else(|error| format!("! {error}"), |layout| layout.to_string())
    }

    /// 256 cells: these clues, followed by blanks.
    fn sixteen(clues: &str, blank: &str) -> String {
        format!("{clues}{}", blank.repeat(256 - clues.len()))
    }

    /// This many cells in numbers.
    fn numbers(cells: usize, separator: &str) -> String {
        (0..cells).map(|cell| (cell % 17).to_string()).collect::<Vec<_>>().join(separator)
    }

    #[test]
    fn the_sample_shows_the_alphabet_or_the_user_has_to_name_it() {
        let ask = "! the alphabet of the 16x16 puzzles is not clear: A-P, 0-F or 1-G";
        let full_from_zero = "0123456789ABCDEF".repeat(16);
        let all_clues = |cells: &str| format!("{cells}\n{}", sixteen("", "."));
        for (text, expected) in [
            (sixteen("ABH", "-"), "lines of 16x16, A-P, blank '-'"),
            (sixteen("abp", "0"), "lines of 16x16, A-P, blank '0'"),
            (sixteen("1G", "0"), "lines of 16x16, 1-G, blank '0'"),
            (sixteen("9F", "0"), "lines of 16x16, 1-G, blank '0'"),
            (sixteen("09F", "."), "lines of 16x16, 0-F, blank '.'"),
            (sixteen("0f", "x"), "lines of 16x16, 0-F, blank 'x'"),
            (all_clues(&full_from_zero), "lines of 16x16, 0-F, blank '.'"),
            (format!("{}\n{}", sixteen("A1", "."), sixteen("0", ".")), "lines of 16x16, 0-F, blank '.'"),
            (format!("{}\n{}", sixteen("A?", "."), sixteen("G1", ".")), "lines of 16x16, 1-G, blank '.'"),
            (full_from_zero.clone(), "lines of 16x16, 0-F"),
            (sixteen("", "-"), "lines of 16x16, blank '-'"),
            (sixteen("AF", "."), ask),
            (sixteen("AF9", "."), ask),
            (sixteen("12", "."), ask),
            (format!("{}\n{}", sixteen("H", "."), sixteen("9", ".")), ask),
            ("AX".to_owned() + &".".repeat(623), "lines of 25x25, A-Y, blank '.'"),
            ("1P".to_owned() + &"x".repeat(623), "lines of 25x25, 1-P, blank 'x'"),
            ("0O".to_owned() + &".".repeat(623), "lines of 25x25, 0-O, blank '.'"),
            (numbers(256, " "), "lines of 16x16, blank '0'"),
            (
                format!("{}\n{}", numbers(625, ","), sixteen("09F", ".")),
                "lines of 16x16 and 25x25, 0-F, blanks '0' and '.'",
            ),
        ] {
            assert_eq!(shown(&text, &InputOptions::default()), expected, "{text}");
            // In rows, the one without a clue could as well be sixteen 4x4 puzzles.
            if text.len() == 256 && text.contains(char::is_alphanumeric) && !expected.starts_with('!') {
                let rows: Vec<_> = text.as_bytes().chunks(16).map(|row| str::from_utf8(row).unwrap()).collect();
                let rows = rows.join("\n");
                assert_eq!(shown(&rows, &InputOptions::default()), expected.replace("lines", "grids"), "{text}");
            }
        }
        let options = InputOptions { alphabets: vec!["1-G".parse().unwrap()], ..InputOptions::default() };
        assert_eq!(shown(&sixteen("AF", "."), &options), "lines of 16x16, 1-G, blank '.'");
    }
}
