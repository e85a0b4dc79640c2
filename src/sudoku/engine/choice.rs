//! The engines by name, such as `bitmask` or `lanes:avx2`, and how to build them.

use std::fmt;
use std::str::FromStr;

use strum::{IntoStaticStr, VariantNames};

use super::Engine;
use super::bitmask::Bitmask;
use super::dlx::Dlx;
use super::lanes::{Lanes, Simd, SimdError};
use crate::options::ParseError;

/// A kind of engine. Its name leaves out the vectors: `auto`, `lanes`, `bitmask` or `dlx`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum EngineKind {
    /// The fastest for each size: lanes with the widest vectors.
    #[default]
    Auto,
    /// Many 9x9 puzzles at once in the lanes of vectors. It searches 16x16 and 25x25 one puzzle at a time.
    Lanes(Simd),
    /// Backtracking on bit masks.
    Bitmask,
    /// Dancing links.
    Dlx,
}

impl EngineKind {
    /// Every kind; lanes only with the widest vectors.
    pub const ALL: [EngineKind; 4] =
        [EngineKind::Auto, EngineKind::Lanes(Simd::Auto), EngineKind::Bitmask, EngineKind::Dlx];

    /// The kinds that are compared by default: all but [`EngineKind::Auto`], which is another name for one of them.
    #[doc(hidden)]
    pub const COMPARED: [EngineKind; 3] = [EngineKind::Lanes(Simd::Auto), EngineKind::Bitmask, EngineKind::Dlx];

    /// Resolves [`EngineKind::Auto`] and [`Simd::Auto`] for this CPU.
    #[must_use]
    pub fn resolved(self) -> EngineKind {
        match self {
            EngineKind::Auto | EngineKind::Lanes(Simd::Auto) => EngineKind::Lanes(Simd::detect()),
            kind => kind,
        }
    }

    /// Builds an engine for one thread.
    ///
    /// # Errors
    ///
    /// [`SimdError`] if this CPU lacks the vectors of [`EngineKind::Lanes`]. [`Simd::Auto`] and [`Simd::Portable`] work
    /// on every CPU.
    pub fn build(self) -> Result<Box<dyn Engine>, SimdError> {
        Ok(match self {
            EngineKind::Auto => Box::new(Lanes::widest()),
            EngineKind::Lanes(simd) => Box::new(Lanes::new(simd)?),
            EngineKind::Bitmask => Box::new(Bitmask::new()),
            EngineKind::Dlx => Box::new(Dlx::new()),
        })
    }
}

/// The name, with the vectors if they are not `auto`: `dlx`, `lanes`, `lanes:avx2`.
impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())?;
        match self {
            EngineKind::Lanes(simd) if *simd != Simd::Auto => write!(f, ":{simd}"),
            _ => Ok(()),
        }
    }
}

/// Reads the printed form; `auto:avx2` is another way to write `lanes:avx2`.
impl FromStr for EngineKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<EngineKind, ParseError> {
        let unknown = || ParseError::unknown("engine", text, EngineKind::VARIANTS);
        let (name, simd) = match text.split_once(':') {
            None => (text, None),
            Some((name, simd)) => (name, Some(simd.parse().map_err(|_: ParseError| unknown())?)),
        };
        let kind = EngineKind::ALL.into_iter().find(|kind| <&str>::from(kind) == name);
        match (kind, simd) {
            (Some(kind), None) => Ok(kind),
            (Some(EngineKind::Auto | EngineKind::Lanes(_)), Some(simd)) => Ok(EngineKind::Lanes(simd)),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for name in ["auto", "bitmask", "dlx", "lanes", "lanes:avx512", "lanes:portable"] {
            assert_eq!(name.parse::<EngineKind>().unwrap().to_string(), name);
        }
        assert_eq!("auto:avx2".parse(), Ok(EngineKind::Lanes(Simd::Avx2)));
        for name in ["", "lane", "lanes:", "lanes:sse9", "dlx:avx2", ":avx2"] {
            let error = name.parse::<EngineKind>().unwrap_err().to_string();
            assert_eq!(error, format!("no engine is called '{name}'; there are auto, lanes, bitmask, dlx"));
        }
    }

    #[test]
    fn auto_stands_for_the_widest_lanes() {
        let widest = EngineKind::Lanes(Simd::detect());
        assert_ne!(widest, EngineKind::Lanes(Simd::Auto));
        assert_eq!(EngineKind::ALL.map(EngineKind::resolved), [widest, widest, EngineKind::Bitmask, EngineKind::Dlx]);
    }
}
