//! What must be true whatever comes in: one function for each fuzz target, which takes any bytes and panics where a
//! property does not hold.
//!
//! Two callers: the targets beside this directory, which libFuzzer feeds, and `tests/seeds.rs`, which feeds every file
//! in `seeds/` to the same functions on every run of the ordinary tests.

mod canon;
mod compressed;
mod engines;
mod long;
mod puzzles;
mod reading;
mod rows;
mod runs;
#[path = "../support/mod.rs"]
pub mod support;

use arbitrary::{Arbitrary, Unstructured};
use gridmill::format::InputFormat;

pub use self::canon::canon;
pub use self::compressed::{pack, unpack};
pub use self::engines::engines_agree;
pub use self::long::long_records;
pub use self::rows::rows_round_trip;
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

/// What some bytes stand for; `None` where there are too few of them.
fn drawn<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(bytes)).ok()
}
