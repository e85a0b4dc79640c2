//! The job `Bench`: contenders on puzzle sets, from a check of all answers to a report of all times.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::check::{CheckError, DisagreementError, SetSizes, check};
use super::disagreements::Disagreements;
use super::measure::measure;
use super::{BenchEvent, ProgramError, PuzzleSet, Solvers, Timed};
use crate::engine::Limit;
use crate::output::ReservedFile;

/// Compares the speed of solvers on puzzle sets, after checking their answers against each other.
///
/// ```
/// use std::time::Duration;
///
/// use gridmill::corpus::Origin;
/// use gridmill::engine::EngineKind;
/// use gridmill::bench::{EngineContender, PuzzleSet, Solvers};
/// use gridmill::bench::Bench;
///
/// let set = PuzzleSet::read(Origin::File("data/4x4.txt".into()), Default::default(), Box::new(|_, _| ()))?;
/// let solvers = Solvers::new()
///     .with(EngineContender::new(EngineKind::Bitmask, 1)?)
///     .with(EngineContender::new(EngineKind::Dlx, 1)?);
/// let mut job = Bench::new(solvers).budget(Duration::from_millis(100));
/// let sets = job.check(&[set], &|_| ())?;
/// let times = job.time(&sets, &|_| ())?;
/// assert_eq!((times.len(), times[1].contender.as_str()), (2, "dlx"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Bench {
    solvers: Solvers,
    limit: Limit,
    budget: Duration,
    sizes: Vec<Option<usize>>,
    same: Option<[usize; 2]>,
    disagreements: Option<ReservedFile>,
}

/// The options that the results of a bench depend on, as the reports in JSON have them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchOptions {
    /// About how long each solver is timed on each set.
    pub seconds: f64,
    /// The number at which counting solutions stops.
    pub limit: u64,
    /// The solver to compare the rest with.
    pub reference: String,
    /// The seed of the random order of the puzzles.
    pub shuffle: Option<u64>,
    /// The seed of the random isomorphs.
    pub isomorphs: Option<u64>,
}

impl Bench {
    /// Counts solutions up to two, and times each solver for about two seconds on each set.
    pub fn new(solvers: Solvers) -> Bench {
        let (limit, budget) = (Limit::UNIQUE, Duration::from_secs(2));
        Bench { solvers, limit, budget, sizes: vec![], same: None, disagreements: None }
    }

    /// The solvers.
    pub fn solvers(&self) -> &Solvers {
        &self.solvers
    }

    /// The options, with the seeds of the changes to the sets.
    pub fn options(&self, shuffle: Option<u64>, isomorphs: Option<u64>) -> BenchOptions {
        BenchOptions {
            seconds: self.budget.as_secs_f64(),
            limit: self.limit.get(),
            reference: self.solvers.labels().swap_remove(self.solvers.reference_index()),
            shuffle,
            isomorphs,
        }
    }

    /// Compares the answers of all solvers on every puzzle. Returns the sets to be timed, for each solver on the first set,
    /// then on the next one: the set that was given, or a random sample if it takes the solver too long.
    ///
    /// # Errors
    ///
    /// If solvers disagree with the reference, if a program does not answer, or if the table cannot be written.
    pub fn check(
        &mut self,
        sets: &[PuzzleSet],
        observe: &dyn Fn(BenchEvent<'_>),
    ) -> Result<Vec<PuzzleSet>, CheckError> {
        let mut found = Disagreements::of_files(self.disagreements.take());
        self.sizes.resize(sets.len() * self.solvers.len(), None);
        let given = self.sizes.chunks(self.solvers.len());
        let mut check = |(set, given): (&PuzzleSet, _)| {
            let sizes = SetSizes { given, same: self.same, budget: self.budget };
            check(set, &mut self.solvers, self.limit, &sizes, &mut found, observe)
        };
        let checked = sets.iter().zip(given).map(&mut check).collect::<Result<Vec<_>, _>>();
        let (first, total) = found.finish_after(checked.is_ok())?;
        let checked = checked?;
        if total == 0 { Ok(checked.concat()) } else { Err(DisagreementError { first, total }.into()) }
    }

    /// Times all solvers on the sets that [`Bench::check`] returned; a [`BenchEvent::Timed`] reports each set.
    ///
    /// # Errors
    ///
    /// If a program does not answer.
    pub fn time(&mut self, sets: &[PuzzleSet], observe: &dyn Fn(BenchEvent<'_>)) -> Result<Vec<Timed>, ProgramError> {
        let mut report = Vec::with_capacity(sets.len());
        for samples in sets.chunks(self.solvers.len()) {
            let set = &samples[0];
            observe(BenchEvent::Timing { set: set.name(), puzzles: set.file_puzzles() });
            let timed = measure(samples, &mut self.solvers, self.limit, self.budget, observe)?;
            let start = report.len();
            report.extend(timed);
            observe(BenchEvent::Timed { contenders: &report[start..] });
        }
        Ok(report)
    }
}

setters!(Bench {
    /// Sets how far solutions are counted.
    limit(limit: Limit) => limit = limit;

    /// Sets about how long each solver is timed on each set, in CPU time; it has at least five runs. If a solver takes
    /// longer for the set, it gets a random sample of it; with a time of zero, it always gets all of it.
    budget(budget: Duration) => budget = budget;

    /// Sets the numbers of puzzles that solvers get, for each solver on the first set, then on the next one. `None` is a
    /// number that depends on the time that they take.
    sizes(sizes: Vec<Option<usize>>) => sizes = sizes;

    /// Sets the positions of two solvers that get the same puzzles, the fewer of the two.
    same(solvers: Option<[usize; 2]>) => same = solvers;

    /// Sets a table for all disagreements.
    disagreements(table: Option<ReservedFile>) => disagreements = table;
});
