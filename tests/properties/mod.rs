//! Properties that hold for any input: one function for each fuzz target, which takes any bytes and panics if the
//! property does not hold.
//!
//! They are called by the targets in `tests/fuzz`, with inputs of libFuzzer, and by `tests/library/seeds.rs`, with the
//! files in `tests/seeds`.

/// Implements `Arbitrary` for a struct, as the derive macro does.
///
/// The derive macro turns on features of `syn` that nothing else needs, and `cargo test` would compile gridmill once more
/// than `cargo run`.
macro_rules! arbitrary_fields {
    ($type:ident { $($field:ident),* ; $last:ident }) => {
        impl<'a> arbitrary::Arbitrary<'a> for $type {
            fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<$type> {
                Ok($type { $($field: bytes.arbitrary()?,)* $last: bytes.arbitrary()? })
            }

            fn arbitrary_take_rest(mut bytes: arbitrary::Unstructured<'a>) -> arbitrary::Result<$type> {
                Ok($type {
                    $($field: bytes.arbitrary()?,)*
                    $last: arbitrary::Arbitrary::arbitrary_take_rest(bytes)?,
                })
            }
        }
    };
}

mod canon;
mod cells;
mod compressed;
mod engines;
mod long;
mod puzzles;
mod rating;
mod reading;
mod resumed;
mod runs;
#[path = "../support/mod.rs"]
pub mod support;

use arbitrary::{Arbitrary, Unstructured};
use gridmill::format::InputFormat;

pub use self::canon::canon;
pub use self::compressed::{pack, unpack};
pub use self::engines::engines_agree;
pub use self::long::long_records;
pub use self::rating::rate_any_grid;
pub use self::resumed::resumed_run;
pub use self::runs::whole_run;

/// [`reading::check`] in the format that is recognised.
pub fn recognise_and_read(bytes: &[u8]) {
    reading::check(None, bytes);
}

/// [`reading::check`] as lines.
pub fn read_lines(bytes: &[u8]) {
    reading::check(Some(InputFormat::Lines), bytes);
}

/// [`reading::check`] as grids.
pub fn read_grids(bytes: &[u8]) {
    reading::check(Some(InputFormat::Grids), bytes);
}

/// [`reading::check`] as integers.
pub fn read_ints(bytes: &[u8]) {
    reading::check(Some(InputFormat::Ints), bytes);
}

/// [`reading::check`] as CSV.
pub fn read_csv(bytes: &[u8]) {
    reading::check(Some(InputFormat::Csv), bytes);
}

/// [`reading::check`] as JSON lines.
pub fn read_jsonl(bytes: &[u8]) {
    reading::check(Some(InputFormat::Jsonl), bytes);
}

/// [`reading::check`] as grids of candidates.
pub fn read_candidates(bytes: &[u8]) {
    reading::check(Some(InputFormat::Candidates), bytes);
}

/// [`reading::check`] as lines of HoDoKu's library.
pub fn read_hodoku(bytes: &[u8]) {
    reading::check(Some(InputFormat::Hodoku), bytes);
}

/// [`reading::check`] as games of OpenSudoku.
pub fn read_opensudoku(bytes: &[u8]) {
    reading::check(Some(InputFormat::OpenSudoku), bytes);
}

/// Decodes the index of a variant of an enum.
fn variant(bytes: &mut Unstructured<'_>, variants: u64) -> arbitrary::Result<u64> {
    Ok((u64::from(bytes.arbitrary::<u32>()?) * variants) >> 32)
}

/// Decodes bytes into a value; `None` if there are too few.
fn decode<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(bytes)).ok()
}
