//! Parses cells with something between them: numbers, symbols or rows, as in lines and CSV fields.
//!
//! ```text
//! 5 3 0 0 7 0 0 0 0 6 ...                        numbers with white space or commas between them; -1 is a blank, too
//! 5 3 . . 7 . . . . 6 ...                        symbols
//! [[5, 3, 0, 0, 7, 0, 0, 0, 0], [6, ...], ...]   a list of lists
//! 53..7.... 6..195... .98....6. ...              rows; one symbol that is no cell may be between them: 53..7..../6..195...
//! 53  7    6  195    98    6 8   6   ...         spaces for blanks, and digits
//! grid = [[5, 3, 0, 0, 7, 0, 0, 0, 0], [6, ...   any of these after a name
//! 5,3,,,7,,,,,6,,,1,9,5,,,,,9,8,,,,,6,,8,...     commas between cells, which may be empty
//! 53+4.7..+8.6..195....98....6.8...6...34...     `+` before each digit that was placed; the puzzle is its givens
//! ```

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::alphabet::Alphabets;
use super::cells;
use super::characters::ascii;
use super::malformed::{Malformed, SymbolPosition};
use super::{ParsedPuzzle, Puzzles, Size};
use super::{links, list};

/// Adds the puzzle of a text to `puzzles`; `None` if the text has none of these forms.
pub(super) fn parse(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Option<Result<ParsedPuzzle, Malformed>> {
    let text = without_name(text).unwrap_or(text);
    if list::is_list(text.trim_ascii()) {
        return Some(list::parse(text.trim_ascii(), alphabets, puzzles));
    }
    if let Some(parsed) = links::parse(text.trim_ascii(), alphabets, puzzles) {
        return Some(parsed);
    }
    let ascii = ascii(text);
    let text = &*ascii;
    if let Some(side) = side_of_separated_rows(text) {
        // By length, because the separator may be a symbol that separates no words, such as a dash.
        let rows: Vec<&[u8]> = text.chunks(side + 1).map(|row| &row[..side]).collect();
        return parse_rows(&rows, alphabets, puzzles);
    }

    let has_spaces = has_spaces_for_blanks(text);
    let dotted: Vec<u8> = text.iter().map(|&byte| if has_spaces && byte == b' ' { b'.' } else { byte }).collect();
    let cells = dotted.trim_ascii();
    let (symbols, indices) = cells::givens(cells);
    // The caller has tried to read a text that has one byte for each cell.
    let is_other = has_spaces || matches!(ascii, Cow::Owned(_)) || symbols.len() < cells.len();
    if is_other && cells::is_length_of_puzzle(symbols.len()) {
        let position = |index: usize| SymbolPosition::Column(indices[index] + 1);
        return Some(cells::parse(&symbols, alphabets, puzzles, position));
    }
    if memchr(b',', text).is_some()
        && let Some(parsed) = parse_fields(text, alphabets, puzzles)
    {
        return Some(parsed);
    }
    let words: Vec<&[u8]> = cells::words(text).collect();
    if cells::count_cells(&words).is_some() && has_pairs_of_brackets(text) {
        return Some(cells::parse_words(&words, alphabets, puzzles));
    }
    let rows = parse_rows(&words, alphabets, puzzles);
    rows.or_else(|| has_candidates_in_brackets(text).then_some(Err(Malformed::CandidatesInBrackets)))
}

/// Whether all brackets have a counterpart. Otherwise, cells may belong to several lists.
fn has_pairs_of_brackets(text: &[u8]) -> bool {
    let count = |bracket| memchr_iter(bracket, text).count();
    [*b"[]", *b"{}", *b"()"].into_iter().all(|[open, close]| count(open) == count(close))
}

/// The array of a text, without its name and anything around both: `grid = [...];`, `problem(1, [[...], ...]).`.
fn without_name(text: &[u8]) -> Option<&[u8]> {
    let start = memchr(b'=', text).map(|equals| equals + 1).or_else(|| memmem::find(text, b"[["))?;
    let (name, array) = (&text[..start], text[start..].trim_ascii_start());
    let [_, close] = [*b"[]", *b"{}", *b"()"].into_iter().find(|brackets| array.starts_with(&brackets[..1]))?;
    let end = memrchr(close, array)?;
    name.iter().any(u8::is_ascii_alphabetic).then(|| &array[..=end])
}

/// Adds the puzzle with commas between its cells to `puzzles`: the first part between bars with as many cells as a
/// puzzle, some of them empty.
fn parse_fields(text: &[u8], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Option<Result<ParsedPuzzle, Malformed>> {
    let parts = text.split(|&byte| byte == b'|').map(|part| part.split(|&byte| byte == b',').map(<[u8]>::trim_ascii));
    let mut grids =
        parts.map(Iterator::collect::<Vec<&[u8]>>).filter(|cells| cells.iter().all(|cell| cells::is_cell(cell)));
    let cells = grids.find(|cells| Size::from_cells(cells.len()).is_some() && cells.contains(&&b""[..]))?;

    // Its answer also shows whether 0 is a digit.
    let mut answers = grids.filter(|grid| grid.len() == cells.len());
    let zero = answers.find_map(|answer| answer.iter().position(|cell| *cell == b"0"));
    let position = |zero| SymbolPosition::of_cell(zero, cells.len().isqrt());
    let doubtful = zero.map(|zero| Err(Malformed::DoubtfulZero { position: position(zero) }));
    Some(doubtful.unwrap_or_else(|| cells::parse_words(&cells, alphabets, puzzles)))
}

/// Whether a text has a symbol for each cell, or its candidates in brackets: `5[123]0[49]...`.
fn has_candidates_in_brackets(text: &[u8]) -> bool {
    let is_end = |byte: &u8| b"])}".contains(byte);
    let cells = |part: &[u8]| part.len() - part.iter().position(is_end).unwrap_or(0);
    text.iter().any(is_end) && cells::is_length_of_puzzle(text.split(|byte| b"[({".contains(byte)).map(cells).sum())
}

/// Adds the puzzle of a CSV field or a JSON string to `puzzles`. Its `text`, which starts at the index `start` of the
/// field, has a symbol for each cell; otherwise the complete `field` has one of the forms that [`parse`] reads.
#[inline]
pub(super) fn parse_field(
    field: &[u8],
    (start, text): (usize, &[u8]),
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Result<ParsedPuzzle, Malformed> {
    let position = |index| SymbolPosition::Column(start + index + 1);
    match cells::parse(text, alphabets, puzzles, position) {
        Err(error)
            if !cells::is_length_of_puzzle(text.len())
                || text[0] == b'['
                || text.contains(&b' ')
                || !text.is_ascii() =>
        {
            parse(field, alphabets, puzzles).unwrap_or(Err(error))
        }
        parsed => parsed,
    }
}

/// Adds the puzzle with these rows to `puzzles`; `None` if most of them are not rows.
fn parse_rows(rows: &[&[u8]], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Option<Result<ParsedPuzzle, Malformed>> {
    let is_row = |size: Size, row: &&&[u8]| {
        row.len() == size.side() && cells::are_symbols(alphabets, size, &row.iter().copied())
    };
    let are_rows = |size: &Size| 2 * rows.iter().filter(|row| is_row(*size, row)).count() > rows.len().max(size.side());
    let side = Size::ALL.into_iter().find(are_rows)?.side();
    if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != side) {
        return Some(Err(Malformed::RowLength { row: index + 1, cells: row.len(), side }));
    }
    if rows.len() != side {
        return Some(Err(Malformed::RowCount { rows: rows.len(), columns: side }));
    }
    Some(cells::parse(&rows.concat(), alphabets, puzzles, |index| SymbolPosition::of_cell(index, side)))
}

/// The side of a grid whose rows are separated by a symbol that is not a cell: `53..7....-6..195...-...`.
pub(super) fn side_of_separated_rows(text: &[u8]) -> Option<usize> {
    let is_separated = |&side: &usize| {
        let is_placed = |(at, byte): (usize, &u8)| (*byte == text[side]) == (at % (side + 1) == side);
        text.get(side).is_some_and(u8::is_ascii_punctuation)
            // A separator may also follow the last row.
            && text.len() + usize::from(text.last() != text.get(side)) == side * (side + 1)
            && text.iter().enumerate().all(is_placed)
    };
    Size::ALL.into_iter().map(Size::side).find(is_separated)
}

/// Whether a text consists of digits, and spaces for blanks. Digits with a space after each are numbers.
pub(super) fn has_spaces_for_blanks(text: &[u8]) -> bool {
    let is_cell = |byte: &u8| matches!(byte, b'1'..=b'9' | b' ');
    matches!(Size::from_cells(text.len()), Some(Size::Four | Size::Six | Size::Nine))
        && text.contains(&b' ')
        && text.iter().all(is_cell)
        // Spaces after each digit are separators, not blanks.
        && !text.iter().skip(1).step_by(2).all(|&byte| byte == b' ')
        && text.iter().any(|&byte| byte != b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Alphabet;

    const CELLS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(text: &str) -> Option<Result<String, String>> {
        let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
        let puzzle = parse(text.as_bytes(), &alphabets, &mut puzzles)?;
        let text = |shape: ParsedPuzzle| alphabets.for_printing(shape.size).text(puzzles.last(shape.size), b'.');
        Some(puzzle.map(text).map_err(|reason| reason.to_string()))
    }

    /// The cells with `blank` for blanks, separated by `between`.
    fn numbers(blank: &str, between: &str) -> String {
        let cells: Vec<_> =
            CELLS.chars().map(|cell| if cell == '.' { blank.into() } else { cell.to_string() }).collect();
        cells.join(between)
    }

    #[test]
    fn cells_are_read_from_numbers_and_rows() {
        let rows: Vec<_> = CELLS.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        let list: Vec<_> = numbers("0", ", ").split(", ").map(str::to_owned).collect();
        let lists: Vec<_> = list.chunks(9).map(|row| format!("[{}]", row.join(", "))).collect();
        for text in [
            numbers("0", " "),
            numbers("-1", ","),
            numbers("0", ", "),
            numbers("0", "\t") + "  ",
            format!("[{}]", lists.join(", ")),
            format!("[{}]", lists.join("\n ")),
            rows.join(" "),
            rows.join("\n"),
            CELLS.replace('.', " "),
            CELLS.replace("", " "),
            numbers(".", ","),
            numbers("_", " | "),
            rows.join("/"),
            rows.join("-"),
            rows.join("-") + "-",
            rows.join("/").replace('.', "0").replace('/', "."),
            rows.join(" / "),
            CELLS.replace('.', "·"),
            rows.join(" ").replace('.', "□").replace('5', "５"),
            format!("x = [{}];", numbers("0", " ").replacen(" 6", "; 6", 1)),
            format!("grid=[|{}|];", numbers("_", ", ")),
            format!("problem(1, [{}]).", lists.join(",").replace('0', "_")),
            format!("int b[9][9] = {{{}}};", lists.join(",").replace('[', "{").replace(']', "}")),
            numbers("", ","),
            numbers("", ", "),
            format!("17|{}|{}", numbers("", ","), numbers("1", ",")),
            CELLS.replacen("..", "+1.", 2).replacen(".8", "+7+8", 1).replacen("+7+8", ".8", 1),
        ] {
            assert_eq!(read(&text), Some(Ok(CELLS.to_owned())), "{text}");
        }
        let drawn = |row: &&str| format!("| {} | {} | {} |", &row[..3], &row[3..6], &row[6..]).replace("", " ");
        let bands: Vec<_> = rows.chunks(3).map(|band| band.iter().map(drawn).collect::<Vec<_>>().join("\n")).collect();
        for rule in ["+-------+-------+-------+", "-----------------", "╠═══════╬═══════╬═══════╣"]
        {
            let text = format!("{rule}\n{}\n{rule}", bands.join(&format!("\n{rule}\n")));
            assert_eq!(read(&text), Some(Ok(CELLS.to_owned())), "{text}");
        }
        assert_eq!(read(&numbers("NaN", "  ").replace('3', "3.0")), Some(Ok(CELLS.to_owned())));
        assert_eq!(read(&format!("{}+9", &CELLS[..80])), Some(Ok(format!("{}.", &CELLS[..80]))));
        assert_eq!(read("1 0 0 4 0 0 1 0 0 1 0 0 4 0 0 1"), Some(Ok("1..4..1..1..4..1".to_owned())));
    }

    #[test]
    fn other_texts_are_not_taken_for_puzzles() {
        for text in ["", "53..7....", "1 2 3", "what is this", &" ".repeat(81)] {
            assert_eq!(read(text), None, "{text}");
        }
        let count = "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625";
        assert_eq!(read(&numbers("0", " ")[2..]), Some(Err(count.to_owned())));
        let doubtful = numbers("-1", " ").replacen("5 3", "5 0", 1);
        let reason = "row 1, column 2: 0 beside other blanks (null, None, -1 or nothing): its digits may count from 0";
        assert_eq!(read(&doubtful), Some(Err(reason.to_owned())));
        let large = numbers("0", " ").replacen("5 3", "5 10", 1);
        assert_eq!(read(&large), Some(Err("row 1, column 2: 10 is above 9".to_owned())));
        // 41 numbers have 81 bytes.
        let numbers = CELLS.replace('.', "1")[..41].chars().map(String::from).collect::<Vec<_>>().join(" ");
        assert_eq!(numbers.len(), 81);
        assert_eq!(read(&numbers), Some(Err("41 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".to_owned())));
    }

    #[test]
    fn errors_of_rows_and_numbers_name_the_cause() {
        let rows: Vec<_> = CELLS.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        for (text, reason) in [
            (["53..7..."; 9].join(" "), "9 rows; a grid of 8 columns has 8"),
            (rows[..8].join("/"), "8 rows; a grid of 9 columns has 9"),
            (rows.join("/").replacen("53.", "53", 1), "row 1: 8 cells; a row of this grid has 9"),
            (rows.join("-").replacen("6..", "6q.", 1), "row 2, column 2: 'q' is not a digit"),
            (
                numbers(".", " ").replacen(" 7 ", " 0 ", 1),
                "row 1, column 5: blank '0' after blank '.'; one puzzle has one blank symbol",
            ),
            (
                numbers("0", " ").replacen(" 7 ", " . ", 1),
                "row 1, column 5: blank '.' after blank '0'; one puzzle has one blank symbol",
            ),
        ] {
            assert_eq!(read(&text), Some(Err(reason.to_owned())), "{text}");
        }
        let zero = "row 1, column 3: 0 beside other blanks (null, None, -1 or nothing): its digits may count from 0";
        for text in
            [numbers("", ",").replacen(",,", ",0,", 1), format!("{}|3,4,{}", numbers("", ","), "0,".repeat(78) + "0")]
        {
            assert_eq!(read(&text), Some(Err(zero.to_owned())), "{text}");
        }
        for text in [CELLS.replacen('.', "[1278]", 1), CELLS.replace('.', "(12)"), CELLS.replacen("53", "{123}{45}", 1)]
        {
            assert_eq!(read(&text), Some(Err(Malformed::CandidatesInBrackets.to_string())), "{text}");
        }
        // The dots are cells or separate rows: it is ambiguous.
        assert_eq!(read(&rows.join(".")), None);
    }

    #[test]
    fn spaces_at_the_ends_of_a_field_may_be_blanks() {
        for cells in [CELLS, &CELLS.replacen("53", ".3", 1).replacen("79", "7.", 1), &CELLS.replacen('5', ".", 1)] {
            let field = cells.replace('.', " ");
            let trimmed = field.trim_ascii_start();
            let start = field.len() - trimmed.len();
            let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
            let text = (start, trimmed.trim_ascii_end().as_bytes());
            let parsed = parse_field(field.as_bytes(), text, &alphabets, &mut puzzles).unwrap();
            assert_eq!(Alphabet::OF_NINE.text(puzzles.last(parsed.size), b'.'), cells);
        }
    }
}
