//! What a grid that somebody filled in is worth: finds it in free text, and compares it with its puzzle.

mod assessment;
mod grid_finder;
mod open_digits;
mod symbol_class;

pub(crate) use self::assessment::{Assessment, agreeing_blanks};
pub(crate) use self::grid_finder::{FoundGrid, GridFinder, Place};
pub(crate) use self::open_digits::{DigitSets, digits, filled_digits, open_digits, singles};
