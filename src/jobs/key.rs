//! 128 bits that identify a puzzle or a class: what jobs look up, compare and hash instead of cells.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::canon::Class;
use crate::puzzle::Order;

/// 128 bits that identify a puzzle, or a class of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// All bits are 0: no known puzzle has this key.
    pub(super) const ZERO: Key = Key([0; 2]);

    /// The key of a puzzle of any size: the first half of the SHA-256 of its text, as [`Class`] hashes that of a form.
    ///
    /// Digits above 9 are written as letters from `A`.
    pub(super) fn of_cells(cells: &[u8]) -> Key {
        const SYMBOLS: &[u8; 26] = b".123456789ABCDEFGHIJKLMNOP";
        let mut text = [0; Order::Five.cells()];
        let text = &mut text[..cells.len()];
        for (symbol, &value) in text.iter_mut().zip(cells) {
            *symbol = SYMBOLS[usize::from(value)];
        }
        let hash: [u8; 32] = Sha256::digest(text).into();
        Key::from_bytes(std::array::from_fn(|byte| hash[byte]))
    }

    /// 32 lower-case hexadecimal digits.
    pub(super) fn digits(self) -> [u8; 32] {
        let mut text = [0; 32];
        let bytes = self.0.map(u64::to_be_bytes);
        for (digits, byte) in text.as_chunks_mut().0.iter_mut().zip(bytes.as_flattened()) {
            *digits = [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
        }
        text
    }

    /// The upper half.
    pub(super) fn upper(self) -> u64 {
        self.0[0]
    }

    fn from_bytes(bytes: [u8; 16]) -> Key {
        let bits = u128::from_be_bytes(bytes);
        Key([(bits >> 64) as u64, bits as u64])
    }
}

/// As a [`Class`] is printed: 32 hexadecimal digits.
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
        u128::from_str_radix(digits, 16).map(|bits| Key::from_bytes(bits.to_be_bytes()))
    }
}

impl From<Class> for Key {
    fn from(class: Class) -> Key {
        Key::from_bytes(class.bytes())
    }
}

#[cfg(test)]
impl Key {
    /// A key with any bits, to let keys collide.
    pub(super) fn from_halves(halves: [u64; 2]) -> Key {
        Key(halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So `printf '%s' $PUZZLE | sha256sum` gives the key of a puzzle, and its class if it is canonical.
    #[test]
    fn the_key_of_a_puzzle_hashes_its_text() {
        let cells: [u8; 81] = std::array::from_fn(|cell| (cell % 10) as u8);
        assert_eq!(Key::of_cells(&cells), Class::of(&cells).into());
        let large: [u8; 625] = std::array::from_fn(|cell| (cell % 26) as u8);
        let text: Vec<u8> = (0..625).map(|cell| b".123456789ABCDEFGHIJKLMNOP"[cell % 26]).collect();
        let hash: [u8; 32] = Sha256::digest(text).into();
        let upper = u128::from_be_bytes(hash[..16].try_into().unwrap());
        assert_eq!(Key::of_cells(&large).to_string(), format!("{upper:032x}"));
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
