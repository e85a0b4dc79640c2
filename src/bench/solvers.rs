//! The solvers that are compared, and which of them is the reference.

use super::{Contender, EngineContender, StartError};
use crate::engine::{EngineKind, MaxBranches};
use crate::stop::Stop;

/// Some solvers, including the reference: the answers and the speed of each are compared with the reference's.
#[derive(Default)]
pub struct Solvers {
    pub(super) all: Vec<Box<dyn Contender>>,
    /// The position of the reference.
    pub(super) reference: usize,
}

/// No solver has the name that the reference should have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver '{name}'; the solvers are {}", known.join(", "))]
pub struct UnknownSolver {
    /// The name.
    pub name: String,
    /// The names of all solvers.
    pub known: Vec<String>,
}

impl Solvers {
    /// No solvers.
    pub fn new() -> Solvers {
        Solvers::default()
    }

    /// Every engine on each number of threads.
    ///
    /// # Errors
    ///
    /// If the CPU lacks the vector instructions of an engine, or the threads cannot be started.
    pub fn of_engines(
        engines: &[EngineKind],
        threads: &[u16],
        max_branches: MaxBranches,
        stop: &Stop,
    ) -> Result<Solvers, StartError> {
        let mut solvers = Solvers::new();
        for &engine in engines {
            for &threads in threads {
                let engine = EngineContender::new(engine, threads.into())?;
                solvers = solvers.with(engine.max_branches(max_branches).stop(stop.clone()));
            }
        }
        Ok(solvers)
    }

    /// Adds a solver. The first one is the reference, unless another one is chosen.
    #[must_use]
    pub fn with(mut self, contender: impl Contender + 'static) -> Solvers {
        self.all.push(Box::new(contender));
        self
    }

    /// Makes the solver with a name the reference.
    ///
    /// # Errors
    ///
    /// If no solver has this name.
    pub fn reference(self, name: &str) -> Result<Solvers, UnknownSolver> {
        Ok(Solvers { reference: self.position(name)?, ..self })
    }

    /// The position of the solver with a name: the first of that name, or the one with that [label](Contender::label).
    ///
    /// # Errors
    ///
    /// If no solver has this name.
    pub fn position(&self, name: &str) -> Result<usize, UnknownSolver> {
        let unknown = || UnknownSolver { name: name.to_owned(), known: self.labels() };
        let mut all = self.all.iter();
        all.position(|contender| contender.name() == name || contender.label() == name).ok_or_else(unknown)
    }

    /// The names of all solvers, with their numbers of threads where there are several.
    pub fn labels(&self) -> Vec<String> {
        self.all.iter().map(|contender| contender.label()).collect()
    }

    /// The position of the reference.
    pub fn reference_index(&self) -> usize {
        self.reference
    }

    /// The number of solvers.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is no solver.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl std::fmt::Debug for Solvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Solvers { reference, .. } = self;
        f.debug_struct("Solvers").field("all", &self.labels()).field("reference", reference).finish()
    }
}
