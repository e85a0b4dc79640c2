//! 128 bits that identify a puzzle or a class. Jobs look up, compare, hash and print them instead of cells.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::puzzle::Size;

/// 128 bits that identify a puzzle of any size, or a class of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key([u8; 16]);

impl Key {
    /// All bits are 0: no known puzzle has this key.
    pub(crate) const ZERO: Key = Key([0; 16]);

    /// The first half of the SHA-256 of the cells as text, with `.` for a blank and letters from `A` for 10 and above.
    ///
    /// # Panics
    ///
    /// If a value is above 25, which has no letter.
    pub(crate) fn of_cells(cells: &[u8]) -> Key {
        let largest = cells.iter().fold(0, |largest, &value| value.max(largest));
        assert!(usize::from(largest) <= Size::TwentyFive.side(), "a value is above 25");

        // Symbols by arithmetic, which the compiler does with vectors, 64 at a time, which is a block of SHA-256: with a
        // table and all cells at a time, a key took a sixth longer.
        let symbol = |value: u8| match value {
            0 => b'.',
            1..10 => b'0' + value,
            _ => b'A' - 10 + value,
        };
        let mut hasher = Sha256::new();
        for cells in cells.chunks(64) {
            let mut text = [0; 64];
            for (text, &value) in text.iter_mut().zip(cells) {
                *text = symbol(value);
            }
            hasher.update(&text[..cells.len()]);
        }

        let hash = hasher.finalize();
        Key(std::array::from_fn(|byte| hash[byte]))
    }

    /// The key of these bytes.
    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// The bytes, in printing order.
    pub(crate) fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The first half, as a number.
    pub(crate) fn upper(self) -> u64 {
        (u128::from_be_bytes(self.0) >> 64) as u64
    }

    /// 32 lower-case hexadecimal digits.
    pub(crate) fn digits(self) -> [u8; 32] {
        // The formatter of integers took 3 % of the time of `gridmill canon`.
        let mut text = [0; 32];
        for (digits, byte) in text.as_chunks_mut().0.iter_mut().zip(self.0) {
            *digits = [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
        }
        text
    }
}

/// 32 lower-case hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.digits()).expect("ASCII"))
    }
}

/// Reads 32 hexadecimal digits.
impl FromStr for Key {
    type Err = ParseIntError;

    fn from_str(digits: &str) -> Result<Key, ParseIntError> {
        // `from_str_radix` takes any number of digits.
        let digits = if digits.len() == 32 { digits } else { "" };
        u128::from_str_radix(digits, 16).map(|bits| Key(bits.to_be_bytes()))
    }
}

#[cfg(test)]
impl Key {
    /// A key with any bits, to let keys collide.
    pub(crate) fn from_halves([upper, lower]: [u64; 2]) -> Key {
        Key((u128::from(upper) << 64 | u128::from(lower)).to_be_bytes())
    }
}

/// The class of a puzzle: 128 bits that it shares with its isomorphs and with no other puzzle.
///
/// It is the first half of the SHA-256 of the canonical form written as 16, 36 or 81 ASCII characters, row by row, `.`
/// for a blank, with no newline. It is printed as 32 lower-case hexadecimal digits. Standard tools can compute it:
///
/// ```text
/// $ printf '%s' $FORM | sha256sum | cut -c1-32
/// ```
///
/// Among all 5,472,730,538 essentially different solved grids, the chance that any two share a class is below one in
/// `10^19`. No method is known that finds two inputs with the same half of a SHA-256 in fewer than about `2^64` trials.
///
/// # Test vectors
///
/// ```
/// use gridmill::canon::Class;
///
/// let class = |form: &str| {
///     let cells: Vec<u8> = form.bytes().map(|c| if c == b'.' { 0 } else { c - b'0' }).collect();
///     Class::of(&cells).to_string()
/// };
/// // The empty grid.
/// assert_eq!(class(&".".repeat(81)), "eb7b0297e5b6b33f6680cf9c6b471903");
/// // One clue.
/// assert_eq!(class(&format!("{}1", ".".repeat(80))), "1bfb91538398d02a99668f264bd37d73");
/// // The smallest of all solved grids.
/// assert_eq!(
///     class("123456789456789123789123456231564897564897231897231564312645978645978312978312645"),
///     "5988288671515a412e4f3482cbd17bc4",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(Key);

impl Class {
    /// The class of a puzzle or of a solved grid, from its canonical form.
    ///
    /// # Panics
    ///
    /// If a value is above 25.
    pub fn of(form: &[u8]) -> Class {
        Class(Key::of_cells(form))
    }

    /// The 128 bits, in printing order.
    pub fn bytes(&self) -> [u8; 16] {
        self.0.bytes()
    }
}

/// 32 lower-case hexadecimal digits.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Class({self})")
    }
}

impl From<Key> for Class {
    fn from(key: Key) -> Class {
        Class(key)
    }
}

impl From<Class> for Key {
    fn from(class: Class) -> Key {
        class.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So `printf '%s' $PUZZLE | sha256sum` gives the key of a puzzle.
    #[test]
    fn the_key_of_a_puzzle_hashes_its_text() {
        let large: [u8; 625] = std::array::from_fn(|cell| (cell % 26) as u8);
        let text: Vec<u8> = (0..625).map(|cell| b".123456789ABCDEFGHIJKLMNOP"[cell % 26]).collect();
        let hash: [u8; 32] = Sha256::digest(text).into();
        let upper = u128::from_be_bytes(hash[..16].try_into().unwrap());
        let key = Key::of_cells(&large);
        assert_eq!(key.to_string(), format!("{upper:032x}"));
        assert_eq!(key.upper(), (upper >> 64) as u64);
    }

    #[test]
    #[should_panic(expected = "above 25")]
    fn values_without_a_letter_have_no_key() {
        Key::of_cells(&[26]);
    }

    #[test]
    fn printed_keys_are_read_back() {
        let key = Key::of_cells(&[1; 81]);
        assert_eq!(key.to_string().parse(), Ok(key));
        for text in
            ["", "1", &key.to_string()[1..], &format!("0{key}"), &key.to_string().replace(&key.to_string()[..1], "x")]
        {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
