//! The kinds of vectors: their names, and the kinds that this CPU supports.

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};
use thiserror::Error;

use super::cells::CellVector;
#[cfg(target_arch = "x86_64")]
use super::vector::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::vector::avx512::{Avx512, Avx512Bw};
use super::vector::portable::Portable;
use crate::options::ParseError;

/// A kind of vectors.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray, VariantNames,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = ParseError, parse_err_fn = unknown)]
pub enum Simd {
    /// The widest that this CPU supports.
    #[default]
    Auto,
    /// 512 bits, sixteen lanes: Intel from Ice Lake, AMD from Zen 4 on.
    Avx512,
    /// 512 bits, sixteen lanes, with only the first extensions of AVX-512: Intel from Skylake-SP on.
    Avx512Bw,
    /// 256 bits, eight lanes: Intel from Haswell, AMD from Excavator on.
    Avx2,
    /// 128 bits, four lanes, on any machine.
    Portable,
}

impl Simd {
    /// The widest vectors that this CPU supports.
    pub fn detect() -> Simd {
        Width::widest().simd()
    }
}

fn unknown(name: &str) -> ParseError {
    ParseError::unknown("kind of vectors", name, <Simd as VariantNames>::VARIANTS)
}

/// The error for vectors whose instructions this CPU lacks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("this CPU has no {0}; it can do {best}", best = Simd::detect())]
pub struct SimdError(Simd);

/// A value of each vector type, which proves that the CPU has its instructions.
#[derive(Clone, Copy)]
pub(super) enum Width {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx512Bw(Avx512Bw),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable(Portable),
}

/// A task for vectors of any width.
pub(super) trait WidthTask {
    /// Runs the task. `proof` is any value of the vector type.
    fn run<V: CellVector>(self, proof: V);
}

impl Width {
    /// The width of the vectors with this name.
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
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx512 | Simd::Avx512Bw | Simd::Avx2 => None,
        };
        width.ok_or(SimdError(simd))
    }

    /// The widest vectors that this CPU supports.
    pub(super) fn widest() -> Width {
        let best = [Simd::Avx512, Simd::Avx512Bw, Simd::Avx2].into_iter().find_map(|simd| Width::new(simd).ok());
        best.unwrap_or(Width::Portable(Portable::zero()))
    }

    /// Runs a task with these vectors.
    pub(super) fn run(self, task: impl WidthTask) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(proof) => task.run(proof),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512Bw(proof) => task.run(proof),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(proof) => task.run(proof),
            Width::Portable(proof) => task.run(proof),
        }
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
            Width::Portable(_) => Simd::Portable,
        }
    }
}
