//! Reads inputs in symbols that the formats do not know: a blank that the user has named, and other symbols than digits
//! up to 9x9.
//!
//! ```text
//! 5 e e | e e e | e 2 e      5 ? ? | ? ? ? | ? 2 ?      ? stands for the named blank
//! M..S..A..                  1..3..2..                  in the alphabet MASKBRIDG
//! ```
//!
//! A format sees each line that has only symbols of cells, and each such word as long as a puzzle, in usual symbols, so
//! that a row is a row. All other text, such as titles, it sees as it is.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::alphabet::{Alphabet, Alphabets, BLANKS, Blank, is_digit_or_blank};
use super::definition::TextLayout;
use super::evidence::is_symbol;
use super::stream::{BatchLimits, Consumed, Preamble, Skipped};
use super::{Malformed, ParsedPuzzle, Parser, Puzzles, Size, Splitter, cells};

/// The usual symbol for each symbol of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsualSymbols {
    /// 0 for bytes that a line of cells does not have.
    table: [u8; 256],
}

impl UsualSymbols {
    /// The usual symbols for these alphabets; `None` if they have only these.
    pub(super) fn new(alphabets: &Alphabets) -> Option<UsualSymbols> {
        let small = Size::ALL.into_iter().filter(|size| *size <= Size::Nine).filter_map(|size| alphabets.get(size));
        let (digits, others): (Vec<Alphabet>, Vec<Alphabet>) = small.partition(|alphabet| alphabet.has_digits());
        if others.is_empty() && alphabets.blank.is_none() {
            return None;
        }

        // Digits and other symbols are never in the same line.
        let named = if others.is_empty() { digits } else { others };
        let usual_of = |byte: usize| {
            let byte = byte as u8;
            let mut values = named.iter().map(|alphabet| alphabet.value(byte)).filter(|&value| value > 0);
            match values.next() {
                _ if alphabets.blank.is_some_and(|blank| blank.is(byte)) => Blank::USUAL,
                Some(value) if values.all(|other| other == value) => b'0' + value,
                None if !byte.is_ascii_alphanumeric() || BLANKS.contains(&byte) => byte,
                // A symbol with several values is read only by the parser, which knows the size.
                _ => 0,
            }
        };
        Some(UsualSymbols { table: std::array::from_fn(usual_of) })
    }

    /// The text with usual symbols in the lines and words of cells. Borrows it if nothing changes.
    pub(super) fn text<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let usual = |byte: &u8| self.table[usize::from(*byte)];
        let mut copy = text.to_vec();
        let has_cells = |text: &[u8]| text.iter().all(|byte| usual(byte) != 0);
        for line in copy.split_mut(|&byte| byte == b'\n') {
            let shortest = if has_cells(line) { 0 } else { Size::Four.cells() };
            let words = line.split_mut(|byte| b" \t\r,;:|\"'".contains(byte));
            let words = words.filter(|word| word.len() >= shortest && has_cells(word));
            words.flatten().for_each(|byte| *byte = usual(byte));
        }
        if copy == text { Cow::Borrowed(text) } else { Cow::Owned(copy) }
    }

    /// A layout that shows these symbols to the format of another one.
    pub(super) fn layout(self, text: Box<dyn TextLayout>) -> Box<dyn TextLayout> {
        Box::new(Usual { symbols: self, of: text })
    }
}

/// The letters of the sizes up to 9x9.
pub(super) fn letters() -> Vec<Alphabet> {
    Alphabet::ALL.into_iter().filter(|alphabet| alphabet.size() <= Size::Nine && !alphabet.has_digits()).collect()
}

/// The most frequent symbol of a sample that may stand for a blank, though none of the usual ones.
pub(super) fn unknown_blank(sample: &[u8]) -> Option<Blank> {
    let count = |of: &dyn Fn(u8) -> bool| sample.iter().filter(|&&byte| of(byte)).count();
    let candidates = ('!'..='~').filter(|&symbol| !BLANKS.contains(&(symbol as u8)));
    let blanks = candidates.filter_map(|symbol| symbol.to_string().parse::<Blank>().ok());
    let (blanks, blank) = blanks.map(|blank| (count(&|byte| blank.is(byte)), blank)).max_by_key(|(count, _)| *count)?;
    (2 * blanks >= count(&|byte| matches!(byte, b'1'..=b'9'))).then_some(blank)
}

/// The symbols of the puzzles up to 9x9 in a sample, if they have as many different letters as values.
pub(super) fn unknown_alphabet(sample: &[u8]) -> Option<Alphabet> {
    let is_small = |cells: usize| Size::from_cells(cells).is_some_and(|size| size <= Size::Nine);
    let words = sample.split(|&byte| !is_symbol(byte)).filter(|word| is_small(word.len()));
    let letters = words.flatten().filter(|byte| byte.is_ascii_alphanumeric() && **byte != b'0');
    let symbols: BTreeSet<u8> = letters.map(u8::to_ascii_uppercase).collect();
    // Digits and a second blank are a damaged puzzle.
    if symbols.iter().all(|symbol| is_digit_or_blank(*symbol)) {
        return None;
    }
    let symbols: String = symbols.into_iter().map(char::from).collect();
    symbols.parse().ok().filter(|alphabet: &Alphabet| alphabet.size() <= Size::Nine)
}

/// A layout in usual symbols, or a splitter of a stream in them.
#[derive(Debug)]
struct Usual<T> {
    symbols: UsualSymbols,
    of: T,
}

impl TextLayout for Usual<Box<dyn TextLayout>> {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(Usual { symbols: self.symbols, of: self.of.splitter(preamble) })
    }

    fn parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser> {
        let blank = alphabets.blank;
        let usual = self.of.parser(alphabets.with_digits(), column);
        Box::new(UsualParser { symbols: self.symbols, blank, usual, named: self.of.parser(alphabets, column) })
    }

    fn columns(&self) -> usize {
        self.of.columns()
    }

    fn has_symbols(&self) -> bool {
        self.of.has_symbols()
    }

    fn describe(&self, sizes: &[Size], columns: &str) -> String {
        self.of.describe(sizes, columns)
    }
}

impl Splitter for Usual<Box<dyn Splitter>> {
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed {
        self.of.next_batch(&self.symbols.text(text), at_end, limits, record)
    }

    fn notes(&self) -> (Skipped, Option<String>) {
        self.of.notes()
    }
}

/// Parses records in usual symbols, and those without any line of cells in the named alphabets.
struct UsualParser {
    symbols: UsualSymbols,
    blank: Option<Blank>,
    usual: Box<dyn Parser>,
    named: Box<dyn Parser>,
}

impl Parser for UsualParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        match self.symbols.text(record) {
            Cow::Owned(usual) => cells::with_blank(self.blank, self.usual.read(&usual, puzzles)),
            Cow::Borrowed(record) => self.named.read(record, puzzles),
        }
    }

    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.named.pencilmarks(record)
    }

    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        self.named.field(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{DetectError, InputOptions, detect, testing};

    const CELLS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// A puzzle in each form of a text.
    fn forms(cells: &str) -> Vec<String> {
        let rows: Vec<_> = cells.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        let spaced = |row: &&str| row.replace("", " ").trim().to_owned();
        let barred = |row: &&str| format!("{} | {} | {}", &row[..3], &row[3..6], &row[6..]);
        vec![
            format!("{cells}\n{cells}\n"),
            format!("7 {cells} hard\n7 {cells}\n"),
            format!("{}\n\n{}\n", rows.join("\n"), rows.join("\n")),
            format!("Grid 1\n{}\nGrid 2\n{}\n", rows.join("\n"), rows.join("\n")),
            rows.iter().map(spaced).collect::<Vec<_>>().join("\n") + "\n",
            rows.iter().map(barred).collect::<Vec<_>>().join("\n") + "\n",
            rows.iter().map(|row| spaced(row).replace(' ', ",") + "\n").collect(),
            format!("{}\n", spaced(&cells)),
            format!("id,puzzle\n1,{cells}\n2,{cells}\n"),
            format!("{{\"puzzle\": \"{cells}\"}}\n"),
            format!("{{\"puzzle\": [\"{}\"]}}\n", spaced(&cells).replace(' ', "\",\"")),
        ]
    }

    /// The cells of each puzzle with dots for blanks, in digits.
    fn read(text: &str, options: &InputOptions) -> Result<Vec<String>, String> {
        let layout = detect(text.as_bytes(), true, options).map_err(|error| error.to_string())?;
        let records = testing::split(&mut *layout.splitter(), text);
        let digits = Alphabets::default();
        let parse = |(record, _): &(String, u64)| {
            let read = testing::parse(&mut *layout.parser(), &digits, record.as_bytes());
            read.unwrap_or_else(|reason| reason)
        };
        Ok(records.iter().map(parse).collect())
    }

    fn in_letters(symbols: &str) -> String {
        let symbol =
            |cell: u8| if cell == b'.' { '.' } else { char::from(symbols.as_bytes()[usize::from(cell - b'1')]) };
        CELLS.bytes().map(symbol).collect()
    }

    #[test]
    fn a_named_blank_is_read_in_every_form() {
        for blank in ["e", "#", "N", "~", "b"] {
            let options = InputOptions { blank: Some(blank.parse().unwrap()), ..InputOptions::default() };
            for text in forms(&CELLS.replace('.', blank)) {
                let puzzles = read(&text, &options).unwrap();
                assert!(!puzzles.is_empty() && puzzles.iter().all(|puzzle| puzzle == CELLS), "{text}\n{puzzles:?}");
            }
            let text = forms(&CELLS.replace('.', blank)).swap_remove(4);
            assert_eq!(
                read(&text, &InputOptions::default()),
                Err(format!("not a puzzle file, but its blank symbol may be '{blank}'"))
            );
            let two = CELLS.replace('.', blank).replacen(blank, ".", 1);
            let reason = format!("column 4: blank '{blank}' after blank '.'; one puzzle has one blank symbol");
            let text = format!("{two}\n{}\n", CELLS.replace('.', blank));
            assert_eq!(read(&text, &options), Ok(vec![reason, CELLS.to_owned()]));
        }
        for blank in ["", "5", "ab", "é", ",", " ", "\""] {
            assert!(blank.parse::<Blank>().is_err(), "{blank}");
        }
    }

    #[test]
    fn letters_are_read_in_every_form() {
        for text in forms(&in_letters("ABCDEFGHI")).into_iter().chain(forms(&in_letters("abcdefghi").replace('.', "0")))
        {
            let puzzles = read(&text, &InputOptions::default()).unwrap();
            assert!(!puzzles.is_empty() && puzzles.iter().all(|puzzle| puzzle == CELLS), "{text}\n{puzzles:?}");
        }
        let mixed = in_letters("ABCDEFGHI").replacen('C', "3", 1);
        let read_mixed = read(&format!("{mixed}\n{}\n", in_letters("ABCDEFGHI")), &InputOptions::default());
        assert_eq!(read_mixed, Ok(vec!["column 2: '3' is not in the alphabet A-I".to_owned(), CELLS.to_owned()]));
    }

    #[test]
    fn listed_symbols_are_read_in_every_form_and_named() {
        for symbols in ["MASKBRIDG", "012345678", "EXTRAVINS"] {
            let options = InputOptions { alphabets: vec![symbols.parse().unwrap()], ..InputOptions::default() };
            for text in forms(&in_letters(symbols)) {
                let puzzles = read(&text, &options).unwrap();
                assert!(!puzzles.is_empty() && puzzles.iter().all(|puzzle| puzzle == CELLS), "{text}\n{puzzles:?}");
            }
        }
        let error = detect(forms(&in_letters("MASKBRIDG"))[0].as_bytes(), true, &InputOptions::default()).unwrap_err();
        assert!(
            matches!(error, DetectError::UnknownAlphabet { alphabet } if alphabet.to_string() == "ABDGIKMRS"),
            "{error}"
        );

        // A damaged puzzle with 9 symbols: digits, and 'x' as a second blank.
        let damaged = read(&CELLS.replace('7', "x"), &InputOptions::default()).unwrap();
        assert!(damaged[0].contains("one puzzle has one blank symbol"), "{damaged:?}");
    }
}
