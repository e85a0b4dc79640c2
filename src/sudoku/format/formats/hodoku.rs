//! `hodoku`: lines of HoDoKu's library, each with a puzzle and a step.
//!
//! ```text
//! :0000:x:..+6.3....2...9.+4:512 913::
//! :0709:9:+1.4.+9..68.::941 951::
//!   |    |  |         |   the candidates that the step deletes
//!  |    |  |         candidates that were deleted before, each as digit, row and column
//!  |    |  the cells: `+` precedes a digit that was placed, all other digits are givens
//!  |    the digits of the step
//!  its technique
//! ```
//!
//! The puzzle is its givens. The placements and deletions before the step follow from them.

use super::lines::LineSplitter;
use crate::format::alphabet::{Alphabets, is_digit_or_blank};
use crate::format::definition::{PlainFormat, Start, with_sizes};
use crate::format::evidence;
use crate::format::{Malformed, ParsedPuzzle, Parser, Puzzles, Size, SymbolPosition, cells};

/// The format.
pub(super) const HODOKU: PlainFormat = PlainFormat {
    is_likely: has_library_lines,
    preamble: |start| start.mark,
    splitter: |preamble| Box::new(LineSplitter::new(preamble)),
    parser: |alphabets| Box::new(HodokuParser(alphabets)),
    has_symbols: true,
    describe: |sizes| with_sizes("lines of HoDoKu", sizes),
};

/// Whether most lines are lines of the library.
fn has_library_lines(start: Start<'_>) -> bool {
    // Shorter lines are titles.
    let could_be_puzzle = |line: &&[u8]| line.len() >= Size::Four.cells() && !line.starts_with(b"#");
    let lines = start.text().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(could_be_puzzle);
    let (library, others): (Vec<_>, Vec<_>) = lines.partition(|line| is_library_line(line));
    library.len() > others.len()
}

/// Whether a line has the cells of a puzzle where the library has them.
fn is_library_line(line: &[u8]) -> bool {
    let is_cell = |byte: &u8| is_digit_or_blank(*byte) || *byte == b'+';
    cells_of(line).is_some_and(|(_, cells)| cells.len() >= Size::Nine.cells() && cells.iter().all(is_cell))
}

/// The fourth field of a line that starts with a colon (the cells), and its start.
fn cells_of(line: &[u8]) -> Option<(usize, &[u8])> {
    if !line.starts_with(b":") {
        return None;
    }
    let (start, _) = line.iter().enumerate().filter(|(_, byte)| **byte == b':').nth(2)?;
    let cells = line[start + 1..].split(|&byte| byte == b':').next()?;
    Some((start + 1, cells))
}

/// Parses the givens of a line.
#[derive(Clone, Debug)]
struct HodokuParser(Alphabets);

impl Parser for HodokuParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let (start, field) = cells_of(record).ok_or(Malformed::NoLibraryLine)?;
        if evidence::has_more_cells(field, &record[start + field.len()..]) {
            return Err(Malformed::MoreCells);
        }
        let (text, indices) = cells::givens(field);
        cells::parse(&text, &self.0, puzzles, |index| SymbolPosition::Column(start + indices[index] + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputFormat, InputOptions, detect, testing};

    const LINE: &str = ":0000:x:53+4.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8+6.79\
        :115 215 925::";
    const GIVENS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn parse(record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut HodokuParser(alphabets), &alphabets, record.as_bytes())
    }

    #[test]
    fn the_puzzle_is_its_givens() {
        for line in [
            LINE.to_owned(),
            LINE.replace(":0000:x:", ":0709:29:").replace("::", ":941 951::"),
            LINE.replace(":115 215 925::", ":"),
            LINE.replace(":115 215 925::", ""),
            LINE.replace('.', "0").replace(":0000:", ":.:"),
        ] {
            assert_eq!(parse(&line).as_deref(), Ok(GIVENS), "{line}");
        }
        let solved = GIVENS.replace('.', "+1");
        assert_eq!(parse(&format!(":0000:x:{solved}:::")).as_deref(), Ok(GIVENS));
    }

    #[test]
    fn damaged_lines_are_refused() {
        let foreign = "no line of HoDoKu's library, which has the cells after its third colon";
        for (line, reason) in [
            (LINE.replacen("53", "5", 1), "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (LINE.replacen('+', "++", 1), "82 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (LINE.replacen("+4", "+.", 1), "82 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (LINE.replacen("+4.", "+.", 1), "column 11: '+' is not a digit"),
            (LINE.replacen("+4.7", "+4.q", 1), "column 14: 'q' is not a digit"),
            (LINE.replacen("+4.", "+40", 1), "column 15: blank '.' after blank '0'; one puzzle has one blank symbol"),
            (LINE[1..].to_owned(), foreign),
            (LINE[..30].replacen("x:", "x", 1), foreign),
            (GIVENS.to_owned(), foreign),
        ] {
            assert_eq!(parse(&line), Err(reason.to_owned()), "{line}");
        }
    }

    /// Some files have other lines as well, and other formats also have colons.
    #[test]
    fn most_lines_decide() {
        let format = |text: &str| detect(text.as_bytes(), true, &InputOptions::default()).unwrap().format();
        assert_eq!(format(&format!("# a\n\n{GIVENS}\neasy\n{LINE}\n\nhard\n{LINE}\n")), InputFormat::Hodoku);
        assert_eq!(format(&format!("{LINE}\n{GIVENS}\n{GIVENS}\n")), InputFormat::Lines);
        assert_eq!(format(&format!("{GIVENS}:1:{GIVENS}\n")), InputFormat::Lines);
    }
}
