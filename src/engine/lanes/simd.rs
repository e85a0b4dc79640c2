//! The vectors: their names, and those that this CPU has.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

#[cfg(target_arch = "x86_64")]
use super::vector::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::vector::avx512::{Avx512, Avx512Bw};
#[cfg(target_arch = "aarch64")]
use super::vector::neon::Neon;
use super::vector::portable::Portable;

/// The vectors to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simd {
    /// The widest that this CPU has.
    #[default]
    Auto,
    /// 512 bits, sixteen lanes: Intel from Ice Lake, AMD from Zen 4 on.
    Avx512,
    /// 512 bits, sixteen lanes, with the first extensions of AVX-512 alone: Intel from Skylake-SP on.
    Avx512Bw,
    /// 256 bits, eight lanes: Intel from Haswell, AMD from Excavator on.
    Avx2,
    /// 128 bits, four lanes: any ARM CPU of 64 bits.
    Neon,
    /// 128 bits, four lanes, on any machine.
    Portable,
}

impl Simd {
    /// All values, in the order of their names in messages.
    pub const ALL: [Simd; 6] = [Simd::Auto, Simd::Avx512, Simd::Avx512Bw, Simd::Avx2, Simd::Neon, Simd::Portable];

    /// The widest vectors that this CPU has.
    pub fn detect() -> Simd {
        Width::widest().simd()
    }

    /// The name: `auto`, `avx512`, `avx512bw`, `avx2`, `neon` or `portable`.
    pub const fn name(self) -> &'static str {
        match self {
            Simd::Auto => "auto",
            Simd::Avx512 => "avx512",
            Simd::Avx512Bw => "avx512bw",
            Simd::Avx2 => "avx2",
            Simd::Neon => "neon",
            Simd::Portable => "portable",
        }
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Simd {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Simd, SimdError> {
        Simd::ALL.into_iter().find(|simd| simd.name() == name).ok_or_else(|| SimdError::Unknown(name.into()))
    }
}

/// Why vectors are not available.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// No vectors have this name.
    #[error("'{0}' is none of auto, avx512, avx512bw, avx2, neon, portable")]
    Unknown(String),
    /// This CPU does not have the instructions.
    #[error("this CPU has no {0}; it can do {best}", best = Simd::detect())]
    Unavailable(Simd),
}

/// The first value of a vector type, which proves that the CPU has its instructions.
#[derive(Clone, Copy)]
pub(super) enum Width {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx512Bw(Avx512Bw),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    Portable(Portable),
}

impl Width {
    /// The vectors of this name.
    pub(super) fn new(simd: Simd) -> Result<Width, SimdError> {
        let width = match simd {
            Simd::Auto => Some(Width::widest()),
            Simd::Portable => Some(Width::Portable(Portable::zero())),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Avx512::detect().map(Width::Avx512),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Bw => Avx512Bw::detect().map(Width::Avx512Bw),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => Avx2::detect().map(Width::Avx2),
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => Some(Width::Neon(Neon::zero())),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx512 | Simd::Avx512Bw | Simd::Avx2 => None,
            #[cfg(not(target_arch = "aarch64"))]
            Simd::Neon => None,
        };
        width.ok_or(SimdError::Unavailable(simd))
    }

    /// The widest vectors that this CPU has.
    pub(super) fn widest() -> Width {
        let best = [Simd::Avx512, Simd::Avx512Bw, Simd::Avx2].into_iter().find_map(|simd| Width::new(simd).ok());
        best.unwrap_or(Width::Portable(Portable::zero()))
    }

    /// The name of the vectors.
    pub(super) fn simd(self) -> Simd {
        match self {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(_) => Simd::Avx512,
            #[cfg(target_arch = "x86_64")]
            Width::Avx512Bw(_) => Simd::Avx512Bw,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(_) => Simd::Avx2,
            #[cfg(target_arch = "aarch64")]
            Width::Neon(_) => Simd::Neon,
            Width::Portable(_) => Simd::Portable,
        }
    }
}
