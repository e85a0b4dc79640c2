//! Tests of the library through its public interface, in one binary, because linking takes the most time.

mod canon;
mod copies;
mod engines;
mod examples;
mod front_door;
mod generate;
mod lanes;
mod list;
mod pencilmarks;
mod pipeline;
#[path = "../properties/mod.rs"]
pub mod properties;
mod rating;
mod seeds;
mod shapes;
#[cfg(feature = "arrow")]
mod typed;
mod whole_path;

use self::properties::support;
