//! A 128-bit hash of a canonical form, to compare, sort, store and print instead of the form.

use std::fmt;

use super::key::Key;

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

    /// The 128 bits, in the order in which they are printed.
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
