//! Parses texts that encode a puzzle for sharing: links, and game IDs of Simon Tatham's Solo.
//!
//! ```text
//! https://www.sudokuwiki.org/sudoku.htm?bd=070004008805700000200...
//! 3x3:a7c4b8_8a5_7e2g6_6a8_9_4a2b5b1b4f8f6i6a5a9a9_2c3_6a4
//! ```
//!
//! In a game ID, a letter is a run of blanks, as many as its place in the alphabet, and `_` separates two numbers.

use super::alphabet::Alphabets;
use super::malformed::{Malformed, SymbolPosition};
use super::{ParsedPuzzle, Puzzles, Size, cells, evidence};

/// Adds the puzzle of a link or of a game ID to `puzzles`; `None` if the text is neither.
pub(super) fn parse(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Option<Result<ParsedPuzzle, Malformed>> {
    if !text.starts_with(b"http") {
        return parse_game_id(text, alphabets, puzzles);
    }
    // Each site has its own name for the parameter, so look for the digits. A shorter run may be an ID.
    let runs = text.split(|&byte| !(byte.is_ascii_digit() || byte == b'.'));
    let puzzle = runs.max_by_key(|run| run.len()).unwrap_or_default();
    if puzzle.len() < Size::Four.cells() {
        return Some(Err(Malformed::LinkWithoutCells));
    }
    let start = text.element_offset(&puzzle[0]).unwrap_or_default();
    let others = [&text[..start], &text[start + puzzle.len()..]];
    if others.into_iter().any(|rest| evidence::has_more_cells(puzzle, rest)) {
        return Some(Err(Malformed::MoreCells));
    }
    Some(cells::parse(puzzle, alphabets, puzzles, |index| SymbolPosition::Column(start + index + 1)))
}

/// Whether a text begins like a game ID.
#[inline]
pub(super) fn begins_game_id(text: &[u8]) -> bool {
    matches!(text, [b'1'..=b'9', b'x', b'1'..=b'9', b':', ..])
}

fn parse_game_id(text: &[u8], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Option<Result<ParsedPuzzle, Malformed>> {
    let mut words = text.split(u8::is_ascii_whitespace);
    let text = words.next()?;
    let &[rows @ b'1'..=b'9', b'x', columns @ b'1'..=b'9', b':', ref id @ ..] = text else { return None };
    let boxes = [rows, columns].map(|digit| usize::from(digit - b'0'));
    let size = Size::ALL.into_iter().find(|size| [size.box_rows(), size.box_columns()] == boxes)?;
    let mut cells: Vec<&[u8]> = vec![];
    for part in id.chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit()) {
        match *part {
            [letter @ b'a'..=b'z'] => cells.resize(cells.len() + usize::from(letter - b'a' + 1), b"0"),
            [b'_'] => {}
            [b'0'..=b'9', ..] => cells.push(part),
            _ => return None,
        }
    }
    Some(if words.any(begins_game_id) {
        Err(Malformed::MoreCells)
    } else if cells.len() == size.cells() {
        cells::parse_words(&cells, alphabets, puzzles)
    } else {
        Err(Malformed::CellCount { cells: cells.len() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<String, String>> {
        let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
        let puzzle = parse(text.as_bytes(), &alphabets, &mut puzzles)?;
        let text = |shape: ParsedPuzzle| alphabets.for_printing(shape.size).text(puzzles.last(shape.size), b'.');
        Some(puzzle.map(text).map_err(|reason| reason.to_string()))
    }

    #[test]
    fn links_and_game_ids_are_read() {
        let cells = "1.3..........4.2";
        let zeros = cells.replace('.', "0");
        for text in [
            format!("https://www.example.org/sudoku.htm?bd={zeros}"),
            format!("http://example.org/2024/?level=7&s={cells}#top"),
            format!("https://example.org/play/{cells}/"),
            format!("https://example.org/?t=173281234&bd={cells}&v=1234"),
            "2x2:1a3j4a2".to_owned(),
            "2x2:1a3j4a2 # easy".to_owned(),
        ] {
            assert_eq!(read(&text), Some(Ok(cells.to_owned())), "{text}");
        }
        assert_eq!(read("2x3:z_1_2a3_4_5_6c"), Some(Ok("..........................12.3456...".to_owned())));
        assert_eq!(
            read("4x4:1_16b2_10z").unwrap(),
            Err("32 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".to_owned())
        );
        for (text, reason) in [
            (
                "https://example.org/?load=N4IgzglgXgpi",
                "a link whose puzzle is not written as cells, but compressed or packed; open it, and export the cells",
            ),
            (
                "https://e.org/?bd=0030206009003050010018064000081029007000000080067082000026095008q0203009005010300",
                "more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong",
            ),
            (
                "https://e.org/?bd=00302060090030500100180640000810290070000000800670820000260950080q203009005010300",
                "65 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625",
            ),
            ("https://e.org/?bd=00302060090030500q", "17 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (
                "2x2:1a3j4a2 2x2:1a3j4a2",
                "more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong",
            ),
            ("2x2:1a5j4a2", "row 1, column 3: 5 is above 4"),
            ("https://example.org/?s=1.3....5.....4.2", "column 31: '5' is not a digit from 1 to 4"),
        ] {
            assert_eq!(read(text), Some(Err(reason.to_owned())), "{text}");
        }
        for text in ["", "2x2", "5x5x:1", "2x2:1,2", "2x2:-1a", "12:30", cells] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
