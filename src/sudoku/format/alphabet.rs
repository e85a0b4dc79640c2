//! Alphabets: the symbols for the values of cells, and for blanks.
//!
//! Puzzles up to 9x9 are written with digits, or with letters. Larger ones are written in several similar alphabets: `0`
//! is a blank in `1-G` and a value in `0-F`, `x` is a blank in `1-P` and a value in `A-Y`. So the alphabet depends on the
//! input; the user names it, or [`detect`](super::detect()) finds it. A user may also list the symbols, as for the word
//! of a Wordoku.

use std::fmt;
use std::str::FromStr;

use super::Size;
use crate::options::ParseError;

/// The symbols for a blank, except those that are values in the alphabet.
pub(super) const BLANKS: &[u8] = b".0_-*xX?";

/// Whether a byte can be a cell of a puzzle up to 9x9.
pub(super) fn is_digit_or_blank(byte: u8) -> bool {
    byte.is_ascii_digit() || BLANKS.contains(&byte)
}

/// The number of cells of a 9x9 grid.
pub(super) const NINE: usize = Size::Nine.cells();

/// The symbols for the values of one size: some digits, then letters from `A`; or the symbols that a user has listed.
///
/// Letters are read in both cases and printed in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabet {
    size: Size,
    /// The symbols of the values, and bytes without a meaning.
    symbols: [u8; Size::MAX_SIDE],
    /// 0, as well as `letters`, if the symbols are listed.
    digits: u8,
    letters: u8,
}

impl Alphabet {
    /// All alphabets, in the order of their sizes.
    pub const ALL: [Alphabet; 20] = [
        Alphabet::new(Size::Four, b'1'),
        Alphabet::new(Size::Four, b'A'),
        Alphabet::new(Size::Six, b'1'),
        Alphabet::new(Size::Six, b'A'),
        Alphabet::new(Size::Eight, b'1'),
        Alphabet::new(Size::Eight, b'A'),
        Alphabet::new(Size::Nine, b'1'),
        Alphabet::new(Size::Nine, b'A'),
        Alphabet::new(Size::Ten, b'A'),
        Alphabet::new(Size::Ten, b'0'),
        Alphabet::new(Size::Ten, b'1'),
        Alphabet::new(Size::Twelve, b'A'),
        Alphabet::new(Size::Twelve, b'0'),
        Alphabet::new(Size::Twelve, b'1'),
        Alphabet::new(Size::Sixteen, b'A'),
        Alphabet::new(Size::Sixteen, b'0'),
        Alphabet::new(Size::Sixteen, b'1'),
        Alphabet::new(Size::TwentyFive, b'A'),
        Alphabet::new(Size::TwentyFive, b'0'),
        Alphabet::new(Size::TwentyFive, b'1'),
    ];

    /// The digits of 9x9 puzzles.
    pub(crate) const OF_NINE: Alphabet = Alphabet::new(Size::Nine, b'1');

    /// The alphabet with the digits and letters from `first` on.
    const fn new(size: Size, first: u8) -> Alphabet {
        let start = if first == b'A' { 10 } else { (first - b'0') as usize };
        let symbols = *b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".split_at(start).1.first_chunk().expect("at least 25");
        let digits = if start + size.side() < 10 { size.side() } else { 10 - start };
        Alphabet { size, symbols, digits: digits as u8, letters: (size.side() - digits) as u8 }
    }

    /// The alphabet with these symbols, in the order of their values; `None` if no size has as many values, or if two
    /// symbols are the same letter.
    fn listed(text: &str) -> Option<Alphabet> {
        let size = Size::from_side(text.len())?;
        let mut symbols = [0; Size::MAX_SIDE];
        symbols[..text.len()].copy_from_slice(text.to_ascii_uppercase().as_bytes());
        let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || b"!$%&@^~<>".contains(&byte);
        let differ = (0..text.len()).all(|at| is_symbol(symbols[at]) && !symbols[..at].contains(&symbols[at]));
        differ.then_some(Alphabet { size, symbols, digits: 0, letters: 0 })
    }

    /// The alphabets of a size: two up to 9x9, three for larger sizes.
    pub fn for_size(size: Size) -> impl Iterator<Item = Alphabet> {
        Self::ALL.into_iter().filter(move |alphabet| alphabet.size == size)
    }

    /// The size.
    pub fn size(self) -> Size {
        self.size
    }

    /// The value of a symbol, 1 to the side; 0 if `byte` is not a symbol of this alphabet.
    pub fn value(self, byte: u8) -> u8 {
        if self.is_listed() {
            let mut symbols = self.symbols[..self.size.side()].iter();
            return symbols.position(|symbol| symbol.eq_ignore_ascii_case(&byte)).map_or(0, |index| index as u8 + 1);
        }
        let digit = byte.wrapping_sub(self.symbols[0]);
        let letter = (byte | 0x20).wrapping_sub(b'a');
        // Two range checks instead of a table: a loop over cells becomes a few vector instructions.
        if digit < self.digits {
            digit + 1
        } else if letter < self.letters {
            letter + self.digits + 1
        } else {
            0
        }
    }

    /// Whether the symbols are in no order.
    fn is_listed(self) -> bool {
        self.digits + self.letters == 0
    }

    /// Whether all symbols are digits from 1.
    pub(super) fn has_digits(self) -> bool {
        (self.symbols[0], usize::from(self.digits)) == (b'1', self.size.side())
    }

    /// Whether this is [`OF_NINE`](Alphabet::OF_NINE), whose texts take a shorter way.
    #[inline]
    pub(crate) fn is_of_nine(self) -> bool {
        (self.digits, self.letters) == (9, 0)
    }

    /// The symbol of a value, in upper case.
    ///
    /// # Panics
    ///
    /// If `value` is not 1 to the side.
    pub fn symbol(self, value: u8) -> u8 {
        assert!((1..=self.size.side() as u8).contains(&value), "{value} in {self}");
        self.symbols[usize::from(value - 1)]
    }

    /// Appends the symbols of cells to `output`, with `blank` for 0.
    #[inline]
    pub fn write(self, cells: &[u8], blank: u8, output: &mut Vec<u8>) {
        if self.is_of_nine()
            && let Ok(nine) = cells.try_into()
        {
            let mut symbols = [0; NINE];
            Alphabet::write_nine(nine, blank, &mut symbols);
            output.extend_from_slice(&symbols);
        } else {
            self.write_any_size(cells, blank, output);
        }
    }

    fn write_any_size(self, cells: &[u8], blank: u8, output: &mut Vec<u8>) {
        if self.is_listed() {
            output.extend(cells.iter().map(|&value| if value == 0 { blank } else { self.symbol(value) }));
            return;
        }
        let letters = b'A' - 1 - self.digits;
        let digits = self.symbols[0].wrapping_sub(1);
        append(output, cells, |value| {
            // Choices instead of a table: sixteen cells become a few vector instructions.
            let symbol = value.wrapping_add(if value > self.digits { letters } else { digits });
            if value == 0 { blank } else { symbol }
        });
    }

    /// Writes the symbols of a 9x9 grid, in digits: this takes half the time of [`write`](Alphabet::write).
    #[inline]
    pub(crate) fn write_nine(cells: &[u8; NINE], blank: u8, symbols: &mut [u8; NINE]) {
        for (symbol, &value) in symbols.iter_mut().zip(cells) {
            *symbol = if value == 0 { blank } else { value.wrapping_add(b'0') };
        }
    }

    /// The symbols of cells, with `blank` for 0.
    pub fn text(self, cells: &[u8], blank: u8) -> String {
        let mut text = Vec::with_capacity(cells.len());
        self.write(cells, blank, &mut text);
        text.into_iter().map(char::from).collect()
    }

    /// Whether `byte` is a blank in this alphabet.
    pub fn is_blank(self, byte: u8) -> bool {
        BLANKS.contains(&byte) && self.value(byte) == 0
    }
}

/// Appends a symbol for each value.
fn append(output: &mut Vec<u8>, values: &[u8], symbol: impl Fn(u8) -> u8 + Copy) {
    output.reserve(values.len());
    let (sixteens, rest) = values.as_chunks::<16>();
    for values in sixteens {
        output.extend_from_slice(&values.map(symbol));
    }
    output.extend(rest.iter().copied().map(symbol));
}

/// The name: the first and the last symbol, such as `A-P`, or all symbols of a listed alphabet.
impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbols = str::from_utf8(&self.symbols[..self.size.side()]).expect("symbols are ASCII");
        let (first, last) = (&symbols[..1], &symbols[symbols.len() - 1..]);
        if self.is_listed() { f.write_str(symbols) } else { write!(f, "{first}-{last}") }
    }
}

/// Finds an alphabet by its name, in any case, or takes the text as a list of symbols.
impl FromStr for Alphabet {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Alphabet, ParseError> {
        let found = Alphabet::ALL.into_iter().find(|alphabet| alphabet.to_string().eq_ignore_ascii_case(name));
        found.or_else(|| Alphabet::listed(name)).ok_or_else(|| {
            let all = "such as A-I or 1-G, nor a different symbol for each value, such as MASKBRIDG";
            ParseError::new(format!("'{name}' is neither the name of an alphabet, {all}"))
        })
    }
}

/// Lists items with commas, and with `last` before the last item: `A-P, 0-F or 1-G`.
pub(super) fn listed(items: impl IntoIterator<Item: fmt::Display>, last: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match &items[..] {
        [others @ .., item] if !others.is_empty() => format!("{} {last} {item}", others.join(", ")),
        items => items.concat(),
    }
}

/// A symbol for a blank that the user has named, in addition to the usual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blank(u8);

impl Blank {
    /// The usual symbol that stands for it. It is printed as a dot.
    pub(super) const USUAL: u8 = b'?';

    /// The symbol.
    pub(super) fn symbol(self) -> u8 {
        self.0
    }

    /// Whether it is this byte.
    pub(super) fn is(self, byte: u8) -> bool {
        self.0 == byte
    }
}

impl fmt::Display for Blank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.0))
    }
}

impl FromStr for Blank {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Blank, ParseError> {
        match *text.as_bytes() {
            [byte] if byte.is_ascii_graphic() && !b"123456789,;:|/[](){}\"'\\".contains(&byte) => Ok(Blank(byte)),
            _ => Err(ParseError::new(format!(
                "'{text}' is not a symbol for a blank: it is one letter or sign, but not a digit from 1 to 9, a bracket, \
                 a quote or a separator"
            ))),
        }
    }
}

/// The alphabet of each size, if known, and the symbols for a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabets {
    of_sizes: [Option<Alphabet>; Size::ALL.len()],
    /// A further symbol for a blank, which the user has named.
    pub(super) blank: Option<Blank>,
}

impl Alphabets {
    /// The alphabet of a size, if it is known.
    pub fn get(&self, size: Size) -> Option<Alphabet> {
        self.of_sizes[size.index()]
    }

    /// The alphabet of a size, or all its alphabets if it is not known.
    pub(super) fn possible(&self, size: Size) -> impl Iterator<Item = Alphabet> {
        let known = self.get(size);
        Alphabet::for_size(size).filter(move |_| known.is_none()).chain(known)
    }

    /// Sets the alphabet of its size.
    pub fn set(&mut self, alphabet: Alphabet) {
        self.of_sizes[alphabet.size.index()] = Some(alphabet);
    }

    /// The same with this further blank, or without one.
    pub(super) fn with_blank(self, blank: Option<Blank>) -> Alphabets {
        Alphabets { blank, ..self }
    }

    /// The same with digits up to 9x9, and with the usual blanks.
    pub(super) fn with_digits(self) -> Alphabets {
        self.of_sizes[Size::Ten.index()..].iter().flatten().copied().collect()
    }

    /// Whether 9x9 puzzles have digits.
    #[inline]
    pub(super) fn has_digits_of_nine(&self) -> bool {
        self.of_sizes[Size::Nine.index()].is_some_and(Alphabet::is_of_nine)
    }

    /// The alphabet for printing a size: its own, or `1-A`, `1-C`, `1-G` or `A-Y` if that is unknown. Letters that stand for
    /// digits up to 9x9 are printed as digits.
    pub fn for_printing(&self, size: Size) -> Alphabet {
        let is_printed = |alphabet: &Alphabet| size > Size::Nine || alphabet.letters == 0;
        self.get(size).filter(is_printed).unwrap_or_else(|| {
            let mut alphabets = Alphabet::for_size(size).filter(is_printed);
            let chosen = if size == Size::TwentyFive { alphabets.next() } else { alphabets.last() };
            chosen.expect("every size has an alphabet")
        })
    }
}

/// These alphabets, and digits for the other sizes up to 9x9. If a size occurs twice, the last alphabet counts.
impl FromIterator<Alphabet> for Alphabets {
    fn from_iter<I: IntoIterator<Item = Alphabet>>(given: I) -> Alphabets {
        let mut alphabets = Alphabets::default();
        given.into_iter().for_each(|alphabet| alphabets.set(alphabet));
        alphabets
    }
}

/// Digits up to 9x9; the alphabets of larger sizes are unknown.
impl Default for Alphabets {
    fn default() -> Alphabets {
        let digits = |size| Alphabet::for_size(size).find(|alphabet| alphabet.has_digits());
        Alphabets { of_sizes: Size::ALL.map(digits), blank: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_symbols_are_those_of_the_values() {
        for alphabet in Alphabet::ALL.into_iter().chain([Alphabet::listed("maskbridg").unwrap()]) {
            let cells: Vec<u8> = (0..=alphabet.size().side() as u8).collect();
            let mut text = Vec::new();
            alphabet.write(&cells, b'*', &mut text);
            assert_eq!(text[0], b'*');
            assert!((1..).zip(&text[1..]).all(|(value, &symbol)| symbol == alphabet.symbol(value)));
        }
    }

    #[test]
    fn every_alphabet_has_its_symbols_in_order() {
        let symbols = [
            "1234",
            "ABCD",
            "123456",
            "ABCDEF",
            "12345678",
            "ABCDEFGH",
            "123456789",
            "ABCDEFGHI",
            "ABCDEFGHIJ",
            "0123456789",
            "123456789A",
            "ABCDEFGHIJKL",
            "0123456789AB",
            "123456789ABC",
            "ABCDEFGHIJKLMNOP",
            "0123456789ABCDEF",
            "123456789ABCDEFG",
            "ABCDEFGHIJKLMNOPQRSTUVWXY",
            "0123456789ABCDEFGHIJKLMNO",
            "123456789ABCDEFGHIJKLMNOP",
        ];
        for (alphabet, symbols) in Alphabet::ALL.into_iter().zip(symbols) {
            assert_eq!(symbols.len(), alphabet.size().side());
            assert_eq!(alphabet.to_string(), format!("{}-{}", &symbols[..1], &symbols[symbols.len() - 1..]));
            for byte in 0..=u8::MAX {
                let value = symbols.bytes().position(|symbol| symbol == byte.to_ascii_uppercase());
                assert_eq!(usize::from(alphabet.value(byte)), value.map_or(0, |value| value + 1), "{byte} {alphabet}");
            }
            for (value, symbol) in (1..).zip(symbols.bytes()) {
                assert_eq!(alphabet.symbol(value), symbol);
            }
        }
    }

    #[test]
    fn symbols_of_values_are_not_blanks() {
        let blanks = |name| {
            let alphabet = Alphabet::ALL.into_iter().find(|alphabet| alphabet.to_string() == name).unwrap();
            let bytes = (0..=u8::MAX).filter(|&byte| alphabet.is_blank(byte)).map(char::from);
            bytes.collect::<String>()
        };
        assert_eq!(blanks("1-9"), "*-.0?X_x");
        assert_eq!(blanks("0-F"), "*-.?X_x");
        assert_eq!(blanks("1-G"), "*-.0?X_x");
        assert_eq!(blanks("A-Y"), "*-.0?_");
        assert_eq!(blanks("0-O"), "*-.?X_x");
    }

    #[test]
    fn names_are_found_in_any_case() {
        for alphabet in Alphabet::ALL {
            assert_eq!(alphabet.to_string().to_lowercase().parse(), Ok(alphabet));
        }
        for name in ["A-Q", "", "hex", "MASKBRIDGEX", "MASKBRIDM", "maskBRIDA", "12.4", "１２３４"] {
            assert!(name.parse::<Alphabet>().is_err(), "{name}");
        }
    }

    #[test]
    fn a_list_of_symbols_is_an_alphabet() {
        let word: Alphabet = "MaskBridg".parse().unwrap();
        assert_eq!(
            (word.size(), &*word.to_string(), word.text(&[1, 2, 0, 9], b'.')),
            (Size::Nine, "MASKBRIDG", "MA.G".to_owned())
        );
        assert_eq!(b"Mag1x.".map(|byte| word.value(byte)), [1, 2, 9, 0, 0, 0]);
        assert_eq!(word, "MASKBRIDG".parse().unwrap());
        let from_zero: Alphabet = "012345678".parse().unwrap();
        assert!(from_zero.value(b'0') == 1 && !from_zero.is_blank(b'0') && from_zero.value(b'9') == 0);
    }

    #[test]
    fn every_size_has_an_alphabet_to_print_in() {
        let mut alphabets = Alphabets::default();
        let names = |alphabets: Alphabets| Size::ALL.map(|size| alphabets.for_printing(size).to_string());
        assert_eq!(names(alphabets), ["1-4", "1-6", "1-8", "1-9", "1-A", "1-C", "1-G", "A-Y"]);
        assert_eq!(alphabets.get(Size::Sixteen), None);
        alphabets.set("A-P".parse().unwrap());
        alphabets.set("A-I".parse().unwrap());
        assert_eq!(names(alphabets), ["1-4", "1-6", "1-8", "1-9", "1-A", "1-C", "A-P", "A-Y"]);
    }
}
