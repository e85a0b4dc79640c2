//! Engines by name, and the vectors that they are to use: `bitmask`, `lanes:avx2`.

use std::fmt;
use std::str::FromStr;

use super::Engine;
use super::bitmask::Bitmask;
use super::dlx::Dlx;
use super::lanes::{Lanes, Simd, SimdError};

/// The engines by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The fastest for each size: lanes for 9x9, bit masks for the others.
    #[default]
    Auto,
    /// Many 9x9 puzzles at once in the lanes of vectors: [`Lanes`]. Other sizes go to [`Bitmask`].
    Lanes,
    /// Backtracking on bit masks: [`Bitmask`].
    Bitmask,
    /// Dancing links: [`Dlx`].
    Dlx,
}

impl EngineKind {
    /// Every kind.
    pub const ALL: [EngineKind; 4] = [EngineKind::Auto, EngineKind::Lanes, EngineKind::Bitmask, EngineKind::Dlx];

    /// The name people call it by: `bitmask`.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Auto => "auto",
            EngineKind::Lanes => "lanes",
            EngineKind::Bitmask => "bitmask",
            EngineKind::Dlx => "dlx",
        }
    }

    /// The kind whose branches this one has: [`EngineKind::Auto`] is another name for lanes.
    #[must_use]
    pub const fn resolved(self) -> EngineKind {
        match self {
            EngineKind::Auto => EngineKind::Lanes,
            kind => kind,
        }
    }

    /// An engine of this kind, for one thread, with the widest vectors that the CPU has.
    pub fn build(self) -> Box<dyn Engine> {
        match self {
            EngineKind::Auto | EngineKind::Lanes => Box::new(Lanes::widest()),
            EngineKind::Bitmask => Box::new(Bitmask::new()),
            EngineKind::Dlx => Box::new(Dlx::new()),
        }
    }

    /// Whether it matters to engines of this kind what vectors the CPU has.
    const fn has_vectors(self) -> bool {
        matches!(self, EngineKind::Auto | EngineKind::Lanes)
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineKind, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// There is no engine of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no engine is called '{0}'; there are {names}", names = EngineKind::ALL.map(EngineKind::name).join(", "))]
pub struct UnknownEngine(String);

/// An engine with the vectors that it is to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// The engine.
    pub kind: EngineKind,
    /// Its vectors; engines without vectors take no notice.
    pub simd: Simd,
}

impl EngineChoice {
    /// An engine for one thread.
    ///
    /// # Errors
    ///
    /// If the CPU does not have the vectors.
    pub fn build(self) -> Result<Box<dyn Engine>, SimdError> {
        if self.kind.has_vectors() { Ok(Box::new(Lanes::new(self.simd)?)) } else { Ok(self.kind.build()) }
    }

    /// What builds an engine for each thread, once it is known that it can be had.
    ///
    /// # Errors
    ///
    /// If the CPU does not have the vectors.
    pub fn builder(self) -> Result<impl Fn() -> Box<dyn Engine> + Copy, SimdError> {
        self.build()?;
        Ok(move || self.build().expect("a CPU keeps the vectors that it has"))
    }

    /// The same choice with [`Simd::Auto`] replaced by what it stands for on this CPU.
    #[must_use]
    pub fn resolved(self) -> EngineChoice {
        let simd = if self.simd == Simd::Auto { Simd::detect() } else { self.simd };
        EngineChoice { simd, ..self }
    }
}

impl From<EngineKind> for EngineChoice {
    fn from(kind: EngineKind) -> EngineChoice {
        EngineChoice { kind, simd: Simd::Auto }
    }
}

/// `dlx`, `lanes`, `lanes:avx2`.
impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.simd {
            simd if simd != Simd::Auto && self.kind.has_vectors() => write!(f, "{}:{simd}", self.kind),
            _ => write!(f, "{}", self.kind),
        }
    }
}

impl FromStr for EngineChoice {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineChoice, UnknownEngine> {
        let unknown = |_| UnknownEngine(name.to_owned());
        match name.split_once(':') {
            None => name.parse().map(EngineKind::into),
            Some((kind, simd)) => {
                let kind: EngineKind = kind.parse().map_err(|_: UnknownEngine| UnknownEngine(name.to_owned()))?;
                let simd = simd.parse().map_err(unknown)?;
                if kind.has_vectors() { Ok(EngineChoice { kind, simd }) } else { Err(UnknownEngine(name.to_owned())) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_printed() {
        for name in ["auto", "dlx", "lanes", "lanes:avx512", "auto:portable"] {
            assert_eq!(name.parse::<EngineChoice>().unwrap().to_string(), name);
        }
        for name in ["", "lane", "lanes:", "lanes:sse9", "dlx:avx2", ":avx2"] {
            let error = name.parse::<EngineChoice>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("no engine is called '{name}'; there are auto, lanes, ")), "{error}");
        }
        assert_ne!(EngineChoice::from(EngineKind::Lanes).resolved().simd, Simd::Auto);
    }
}
