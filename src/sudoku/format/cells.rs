//! Parses the cells of a puzzle: adjacent symbols, or words, each a symbol or a number.
//!
//! All parsers of symbols use this module. A puzzle may use only one blank symbol: this detects grids whose `0` is a
//! value, and lines that were joined from two sources.

use std::ops::Range;

use super::alphabet::{Alphabet, Alphabets, BLANKS, Blank, NINE};
use super::malformed::{Malformed, Symbol, SymbolPosition};
use super::{ParsedPuzzle, Puzzles, Size};
use crate::puzzle::Pencilmarks;

/// Adds the puzzle whose cells are the bytes of `text` to `puzzles`. The length of the text determines its size.
///
/// `position` converts an index in `text` to a position for the error.
#[inline]
pub(super) fn parse(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
    position: impl Fn(usize) -> SymbolPosition,
) -> Result<ParsedPuzzle, Malformed> {
    match parse_nine(text, alphabets, puzzles) {
        Some(puzzle) => Ok(puzzle),
        None => parse_any_size(text, alphabets, puzzles, &position),
    }
}

/// Parses 81 digits and blanks, which nearly all puzzles are. Their cells are written in place: a copy would wait for the
/// stores to finish.
#[inline]
pub(super) fn parse_nine(text: &[u8], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Option<ParsedPuzzle> {
    let nine = text.try_into().ok().filter(|_| alphabets.has_digits_of_nine())?;
    puzzles.push_nine_with(|cells| read_nine(nine, cells))
}

/// Parses the texts that [`parse`] does not handle itself. Not inlined into its callers.
#[inline(never)]
fn parse_any_size(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
    position: &dyn Fn(usize) -> SymbolPosition,
) -> Result<ParsedPuzzle, Malformed> {
    if let Some(blank) = alphabets.blank {
        let usual: Vec<u8> = text.iter().map(|&byte| if blank.is(byte) { Blank::USUAL } else { byte }).collect();
        let alphabets = alphabets.with_blank(None);
        return with_blank(Some(blank), parse_any_size(&usual, &alphabets, puzzles, position));
    }
    let size = Size::from_cells(text.len()).ok_or_else(|| match foreign_symbol(text) {
        Some((index, symbol)) => Malformed::ForeignSymbol { position: position(index), symbol },
        None if text.len() == Pencilmarks::SYMBOLS => read_pencilmarks(text, position),
        None => Malformed::CellCount { cells: text.len() },
    })?;
    // On the stack: at most 625 bytes.
    let cells = &mut [0; Size::MAX_CELLS][..text.len()];
    let blank = match alphabets.get(size) {
        Some(alphabet) => read_in(alphabet, text, cells, position)?,
        None => read_blanks(text).ok_or(Malformed::UnknownAlphabet { size })?,
    };
    puzzles.push(size, cells);
    Ok(ParsedPuzzle { size, blank, clues: clues(cells), after_blank_line: true })
}

/// Adds the puzzle with these cells to `puzzles`. Each cell is a symbol or a number; a blank may also be -1, `null`,
/// `None`, `NaN` or empty. 0 is a blank too, but not together with these: it may then be a digit, if digits count from
/// 0.
pub(super) fn parse_words(
    words: &[&[u8]],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Result<ParsedPuzzle, Malformed> {
    let size = Size::from_cells(words.len()).ok_or(Malformed::CellCount { cells: words.len() })?;
    let side = size.side();
    let position = |index| SymbolPosition::of_cell(index, side);
    let first_of = |word: &&[u8]| word.trim_ascii().first().copied();
    // The words are symbols, not numbers.
    if words.iter().all(|word| word.len() <= 1) && words.iter().filter_map(first_of).any(|byte| !byte.is_ascii_digit())
    {
        // An empty cell must not differ from the other blank symbol of the puzzle.
        let empty = if words.contains(&&b"."[..]) { b'_' } else { b'.' };
        let symbols: Vec<u8> = words.iter().map(|word| first_of(word).unwrap_or(empty)).collect();
        return parse(&symbols, alphabets, puzzles, position);
    }

    let is_blank = |symbol| BLANKS.contains(&symbol) || alphabets.blank.is_some_and(|blank| blank.is(symbol));
    let has_empty = words.iter().any(|word| is_empty(word));
    let (mut cells, mut blank) = (Vec::with_capacity(words.len()), None);
    for (position, &word) in (0..).map(position).zip(words) {
        let value = match *word {
            _ if is_empty(word) => 0,
            [symbol] if is_blank(symbol) => {
                let first = *blank.get_or_insert(symbol);
                if first != symbol {
                    return Err(Malformed::SecondBlank { position, first, second: symbol });
                }
                0
            }
            _ => parse_number(without_point(word)).ok_or(Malformed::NotACell { position, side })?,
        };
        if value > side as u64 {
            return Err(Malformed::ValueTooLarge { position, value, side });
        }
        if has_empty && value == 0 && word.starts_with(b"0") {
            return Err(Malformed::DoubtfulZero { position });
        }
        cells.push(value as u8);
    }
    puzzles.push(size, &cells);
    let puzzle = puzzle_of_numbers(size, &cells, alphabets);
    // A puzzle is printed with its own blank symbol, which an empty cell does not have.
    Ok(if words.iter().any(|word| first_of(word).is_none()) { ParsedPuzzle { blank: b'.', ..puzzle } } else { puzzle })
}

/// The minimum number of cells in an attempt at a puzzle.
const FEWEST_CELLS: usize = 9;

/// The cells or rows of a text.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    word_ranges(text).map(|word| &text[word])
}

/// Whether a byte separates the cells or rows of a text.
pub(super) fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",;|/[](){}\"'".contains(&byte)
}

/// The ranges of the [`words`] of a text.
pub(super) fn word_ranges(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    // A rule between the rows of a drawn grid. With as many dashes as a row has cells, it may be a row of blanks.
    let is_rule = |word: &[u8]| {
        word.iter().all(|byte| b"-+=".contains(byte))
            && word.len() > 1
            && (word.contains(&b'+') || word.contains(&b'=') || Size::from_side(word.len()).is_none())
    };
    let mut next = 0;
    let words = text.split(|byte| is_separator(*byte)).map(move |word| {
        let start = next;
        next += word.len() + 1;
        start..start + word.len()
    });
    words.filter(move |word| !word.is_empty() && !is_rule(&text[word.clone()]))
}

/// The number of cells of a text that consists only of separate cells, enough for an attempt at a puzzle.
pub(super) fn count_separate_cells(text: &[u8]) -> Option<usize> {
    count_cells(&words(text).collect::<Vec<_>>())
}

pub(super) fn count_cells(words: &[&[u8]]) -> Option<usize> {
    (words.len() >= FEWEST_CELLS && words.iter().all(|word| is_cell(word))).then_some(words.len())
}

/// Whether a word is a cell: a number, a symbol, or a word for a blank.
pub(super) fn is_cell(word: &[u8]) -> bool {
    let number = without_point(word);
    word.len() == 1 || is_empty(word) || number.len() <= 2 && number.iter().all(u8::is_ascii_digit)
}

/// The verdict on a record whose named blank was replaced, in the symbols of the record.
pub(super) fn with_blank(
    blank: Option<Blank>,
    verdict: Result<ParsedPuzzle, Malformed>,
) -> Result<ParsedPuzzle, Malformed> {
    let Some(blank) = blank else { return verdict };
    let named = |symbol, other| if symbol == Blank::USUAL { other } else { symbol };
    match verdict {
        Ok(puzzle) => Ok(ParsedPuzzle { blank: named(puzzle.blank, b'.'), ..puzzle }),
        Err(Malformed::SecondBlank { position, first, second }) => {
            let [first, second] = [first, second].map(|symbol| named(symbol, blank.symbol()));
            Err(Malformed::SecondBlank { position, first, second })
        }
        Err(reason) => Err(reason),
    }
}

/// Whether a word is a blank that is not a symbol.
pub(super) fn is_empty(word: &[u8]) -> bool {
    matches!(word, b"" | b" " | b"-1" | b"-1.0" | b"null" | b"None" | b"NaN" | b"nan" | b"<NA>" | b"NA")
}

/// A field without surrounding white space and quotes.
pub(super) fn without_quotes(field: &[u8]) -> &[u8] {
    let text = field.trim_ascii();
    let quoted = |quote: &[u8]| text.strip_prefix(quote)?.strip_suffix(quote);
    quoted(b"\"").or(quoted(b"'")).unwrap_or(text)
}

/// A number without a decimal point and the zero after it, as in tables with blanks: `5.0`.
pub(super) fn without_point(number: &[u8]) -> &[u8] {
    number.strip_suffix(b".0").unwrap_or(number)
}

/// The value of a word of digits, at most [`u64::MAX`].
pub(super) fn parse_number(word: &[u8]) -> Option<u64> {
    word.iter().try_fold(0_u64, |number, byte| {
        // A number that does not fit is too large for a cell in any case.
        byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(u64::from(byte - b'0')))
    })
}

/// The givens of a text where `+` precedes each digit that was placed, and blanks for placed digits; and the index of
/// each symbol in the text.
pub(super) fn givens(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    // Placed digits get the blank symbol of the text, because a puzzle has only one.
    let blank = text.iter().copied().find(|&byte| Alphabet::OF_NINE.is_blank(byte)).unwrap_or(b'.');
    let mut symbols = text.iter().copied().enumerate().peekable();
    std::iter::from_fn(|| {
        let (index, symbol) = symbols.next()?;
        let is_placed = symbol == b'+' && symbols.next_if(|&(_, next)| matches!(next, b'1'..=b'9')).is_some();
        Some((if is_placed { blank } else { symbol }, index))
    })
    .unzip()
}

/// Whether a text is as long as a puzzle, or as a pencilmark puzzle.
pub(super) fn is_length_of_puzzle(symbols: usize) -> bool {
    Size::from_cells(symbols).is_some() || symbols == Pencilmarks::SYMBOLS
}

/// The verdict on a text of 729 symbols: a pencilmark puzzle, or the reason why not.
fn read_pencilmarks(text: &[u8], position: &dyn Fn(usize) -> SymbolPosition) -> Malformed {
    let wrong = text.iter().zip((b'1'..=b'9').cycle()).position(|(&byte, digit)| ![b'.', b'0', digit].contains(&byte));
    match wrong {
        Some(index) => Malformed::UnexpectedPencilmark {
            position: position(index),
            symbol: Symbol::first_of(&text[index..]),
            digit: (index % 9) as u8 + 1,
        },
        None => Malformed::Pencilmarks,
    }
}

/// Whether all of these are symbols of a size, in its alphabet or, if that is unknown, in one of its alphabets.
pub(super) fn are_symbols(alphabets: &Alphabets, size: Size, symbols: &(impl Iterator<Item = u8> + Clone)) -> bool {
    let is_blank = |byte| alphabets.blank.is_some_and(|blank| blank.is(byte));
    let is_symbol = |alphabet: Alphabet, byte| alphabet.value(byte) > 0 || alphabet.is_blank(byte) || is_blank(byte);
    alphabets.possible(size).any(|alphabet| symbols.clone().all(|byte| is_symbol(alphabet, byte)))
}

/// Whether a text of the right length has a value in every cell.
pub(super) fn is_full(alphabets: &Alphabets, size: Size, text: &[u8]) -> bool {
    alphabets.possible(size).any(|alphabet| text.iter().all(|&byte| alphabet.value(byte) > 0))
}

/// A puzzle that was written in numbers. Its blanks are printed as `0`, unless that is a value in the alphabet.
pub(super) fn puzzle_of_numbers(size: Size, cells: &[u8], alphabets: &Alphabets) -> ParsedPuzzle {
    // In the alphabets 0-9, 0-B, 0-F and 0-O, the symbol 0 is a value.
    let zero_is_free = alphabets.for_printing(size).is_blank(b'0');
    let blank = if zero_is_free && cells.contains(&0) { b'0' } else { b'.' };
    ParsedPuzzle { size, blank, clues: clues(cells), after_blank_line: true }
}

/// The first symbol that no puzzle contains, a control character or one outside ASCII, and its index. With such a
/// symbol, bytes are not cells, and counting them is misleading.
pub(super) fn foreign_symbol(text: &[u8]) -> Option<(usize, Symbol)> {
    let index = text.iter().position(|byte| !byte.is_ascii() || byte.is_ascii_control())?;
    Some((index, Symbol::first_of(&text[index..])))
}

/// Counts the clues of a puzzle.
fn clues(cells: &[u8]) -> u16 {
    cells.iter().map(|&value| u16::from(value != 0)).sum()
}

/// Reads the cells of a 9x9 puzzle; `None` if the text is not one. With an alphabet and a length that the compiler
/// knows, this takes a fraction of the time for other sizes.
#[inline]
fn read_nine(text: &[u8; NINE], cells: &mut [u8; NINE]) -> Option<ParsedPuzzle> {
    // Nearly all puzzles have dots or zeros as blanks. Searching for the blank would take longer than trying both.
    read_nine_with(b'.', text, cells).or_else(|| read_nine_with(b'0', text, cells)).or_else(|| {
        let blank = *text.iter().find(|&&byte| Alphabet::OF_NINE.is_blank(byte))?;
        read_nine_with(blank, text, cells)
    })
}

/// Reads the cells of a 9x9 puzzle with this blank symbol; `None` if a symbol is neither that nor a digit.
#[inline]
fn read_nine_with(blank: u8, text: &[u8; NINE], cells: &mut [u8; NINE]) -> Option<ParsedPuzzle> {
    let (mut is_wrong, mut clues) = (false, 0_u8);
    // No early exit, so that the loop becomes vector instructions.
    for (cell, &byte) in cells.iter_mut().zip(text) {
        *cell = Alphabet::OF_NINE.value(byte);
        is_wrong |= *cell == 0 && byte != blank;
        clues += u8::from(*cell != 0);
    }
    (!is_wrong).then_some(ParsedPuzzle { size: Size::Nine, blank, clues: clues.into(), after_blank_line: true })
}

/// Reads cells in a known alphabet. Returns the blank symbol.
fn read_in(
    alphabet: Alphabet,
    text: &[u8],
    cells: &mut [u8],
    position: &dyn Fn(usize) -> SymbolPosition,
) -> Result<u8, Malformed> {
    for (cell, &byte) in cells.iter_mut().zip(text) {
        *cell = alphabet.value(byte);
    }
    let unexpected = |index: usize| {
        let symbol = Symbol::first_of(&text[index..]);
        Malformed::UnexpectedSymbol { position: position(index), symbol, alphabet }
    };
    // The cells without a value have to contain the same blank symbol.
    let mut others = text.iter().enumerate().filter(|&(_, &byte)| alphabet.value(byte) == 0);
    let Some((index, &first)) = others.next() else { return Ok(b'.') };
    if !alphabet.is_blank(first) {
        return Err(unexpected(index));
    }
    match others.find(|&(_, &byte)| byte != first) {
        Some((index, &second)) if alphabet.is_blank(second) => {
            Err(Malformed::SecondBlank { position: position(index), first, second })
        }
        Some((index, _)) => Err(unexpected(index)),
        None => Ok(first),
    }
}

/// The blank symbol of a puzzle without clues, in any alphabet; `None` if it has clues.
fn read_blanks(text: &[u8]) -> Option<u8> {
    let blank = text[0];
    (BLANKS.contains(&blank) && text.iter().all(|&byte| byte == blank)).then_some(blank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_text(alphabets: &Alphabets, text: &[u8]) -> Result<(Vec<u8>, u8), String> {
        let mut puzzles = Puzzles::new();
        match parse(text, alphabets, &mut puzzles, |index| SymbolPosition::Column(index + 1)) {
            Ok(puzzle) => {
                let cells = puzzles.last(puzzle.size);
                assert_eq!(cells.iter().filter(|&&value| value > 0).count(), usize::from(puzzle.clues));
                Ok((cells.to_vec(), puzzle.blank))
            }
            Err(reason) => {
                assert!(Size::ALL.iter().all(|&size| puzzles.batch(size).is_empty()));
                Err(reason.to_string())
            }
        }
    }

    #[test]
    fn one_puzzle_has_one_blank_symbol() {
        let read = |text: &str| read_text(&Alphabets::default(), text.as_bytes());
        let values = vec![1, 2, 3, 4, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0];
        for blank in BLANKS.iter().copied() {
            let text = "1234....4321....".replace('.', &char::from(blank).to_string());
            assert_eq!(read(&text), Ok((values.clone(), blank)));
        }
        assert_eq!(read("1234123412341234").unwrap().1, b'.');
        for (text, reason) in [
            ("1234...04321....", "column 8: blank '0' after blank '.'; one puzzle has one blank symbol"),
            ("1234xxxX4321xxxx", "column 8: blank 'X' after blank 'x'; one puzzle has one blank symbol"),
            ("1234...54321....", "column 8: '5' is not a digit from 1 to 4"),
            ("!234....4321....", "column 1: '!' is not a digit from 1 to 4"),
            ("1234..é.4321...", "column 7: 'é' is not a digit from 1 to 4"),
            ("1234.\0..4321....", "column 6: byte 0x00 is not a digit from 1 to 4"),
            ("1234..３.4321....", "column 7: '３' is not a symbol of a puzzle"),
            ("1234....4321....\u{a0}", "column 17: U+00A0 is not a symbol of a puzzle"),
            ("1234....4321....\0", "column 17: byte 0x00 is not a symbol of a puzzle"),
            ("1234", "4 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
        let pencilmarks = "1.3.5..80".repeat(81);
        let reason =
            "a pencilmark puzzle, which only solve, rate, explain and trace take; its solutions are not listed";
        assert_eq!(read(&pencilmarks), Err(reason.to_owned()));
        let reason = "column 11: '1' is not 2, '.' or '0', as in 729 symbols of a pencilmark puzzle";
        assert_eq!(read(&format!("{}.1{}", &pencilmarks[..9], &pencilmarks[11..])), Err(reason.to_owned()));
        // In a pencilmark puzzle, no symbol but the digit of its place is valid.
        assert!(read(&"A-x".repeat(243)).unwrap_err().starts_with("column 1: 'A' is not 1"));
    }

    #[test]
    fn a_large_puzzle_without_clues_needs_no_alphabet() {
        for cells in [256, 625] {
            for blank in [".", "0", "-", "x"] {
                assert_eq!(
                    read_text(&Alphabets::default(), blank.repeat(cells).as_bytes()),
                    Ok((vec![0; cells], blank.as_bytes()[0]))
                );
            }
        }
        let reason = read_text(&Alphabets::default(), format!("{:.<256}", "A").as_bytes()).unwrap_err();
        assert_eq!(reason, "16x16 in an alphabet that is not known: A-P, 0-F or 1-G");
    }

    proptest! {
        /// The rule, written naively: symbols of the alphabet, and for all other cells the same blank symbol.
        #[test]
        fn cells_are_read_by_the_rule(
            which in 0..Alphabet::ALL.len(),
            picks in proptest::collection::vec((0..40_usize, any::<u8>()), 625),
            blank in 0..BLANKS.len(),
            noise in 0..3,
        ) {
            let alphabet = Alphabet::ALL[which];
            let mut alphabets = Alphabets::default();
            alphabets.set(alphabet);
            let text: Vec<u8> = picks[..alphabet.size().cells()].iter().map(|&(pick, byte)| match pick {
                0 if noise == 0 => byte,
                1 if noise == 1 => BLANKS[byte as usize % BLANKS.len()],
                pick if pick < 25 => alphabet.symbol(byte % alphabet.size().side() as u8 + 1),
                _ => BLANKS[blank],
            }).collect();
            let mut others: Vec<u8> = text.iter().copied().filter(|&byte| alphabet.value(byte) == 0).collect();
            others.dedup();
            let is_good = others.iter().all(|&byte| alphabet.is_blank(byte)) && others.len() <= 1;
            let result = read_text(&alphabets, &text);
            prop_assert_eq!(result.is_ok(), is_good, "{:?}", result);
            if let Ok((cells, blank)) = result {
                prop_assert_eq!(blank, others.first().copied().unwrap_or(b'.'));
                let values: Vec<u8> = text.iter().map(|&byte| alphabet.value(byte)).collect();
                prop_assert_eq!(cells, values);
            }
        }
    }
}
