//! What each byte of a free text is to a grid: a cell, a separator, or part of a word.

use crate::format::Alphabet;

/// What a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteClass {
    /// A cell with this value; 0 is a blank.
    Cell(u8),
    /// It may stand between the cells of a row: `|`, a comma, a quote.
    Between,
    /// It ends a row: a bracket, a colon.
    EndOfRow,
    EndOfLine,
    /// Part of a word, which ends whatever came before.
    Word,
    /// `\`: an escape, or a command of LaTeX.
    Backslash,
    /// `<`: perhaps a tag of HTML.
    Less,
    /// The first byte of a character that is not ASCII.
    Multibyte,
}

/// The class of each byte for the symbols of an alphabet.
#[derive(Clone, Debug)]
pub(super) struct ByteClasses([ByteClass; 1 << u8::BITS]);

impl ByteClasses {
    /// The classes for texts with puzzles in this alphabet.
    pub(super) fn new(alphabet: Alphabet) -> ByteClasses {
        let class = |byte: u8| match byte {
            _ if alphabet.value(byte) > 0 => ByteClass::Cell(alphabet.value(byte)),
            b'.' | b'0' | b'_' | b'?' => ByteClass::Cell(0),
            b'\n' | b'\r' => ByteClass::EndOfLine,
            b' ' | b'\t' | b'|' | b',' | b'"' | b'\'' | b'`' | b'+' | b'-' | b'=' | b'*' | b'&' => ByteClass::Between,
            b'[' | b']' | b'(' | b')' | b'{' | b'}' | b':' | b';' | b'/' => ByteClass::EndOfRow,
            b'\\' => ByteClass::Backslash,
            b'<' => ByteClass::Less,
            0x80.. => ByteClass::Multibyte,
            _ => ByteClass::Word,
        };
        ByteClasses(std::array::from_fn(|byte| class(byte as u8)))
    }

    pub(super) fn of(&self, byte: u8) -> ByteClass {
        self.0[usize::from(byte)]
    }

    /// The class of the character at the start of `text`, which is not ASCII, and its length in bytes. What is not known
    /// is part of a word.
    pub(super) fn of_character(&self, text: &[u8]) -> (ByteClass, usize) {
        match *text {
            // Full-width digits.
            [0xEF, 0xBC, digit @ 0x90..=0x99, ..] => (self.of(digit - 0x90 + b'0'), 3),
            // A middle dot; a white square.
            [0xC2, 0xB7, ..] => (ByteClass::Cell(0), 2),
            [0xE2, 0x96, 0xA1, ..] => (ByteClass::Cell(0), 3),
            [0xC2, 0xA0, ..] => (ByteClass::Between, 2),
            // Spaces; lines and corners of boxes; what follows a digit to make an emoji of a key; a full-width comma or bar.
            [0xE2, 0x80, 0x80..=0x8D | 0xAF, ..]
            | [0xE3, 0x80, 0x80, ..]
            | [0xE2, 0x94 | 0x95, _, ..]
            | [0xEF, 0xB8, 0x8F, ..]
            | [0xE2, 0x83, 0xA3, ..]
            | [0xEF, 0xBC, 0x8C, ..]
            | [0xEF, 0xBD, 0x9C, ..] => (ByteClass::Between, 3),
            _ => (ByteClass::Word, 1),
        }
    }
}
