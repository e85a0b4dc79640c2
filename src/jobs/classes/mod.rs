//! Writes the classes of a corpus as a set. It lets anybody find leaks without seeing the puzzles.

use std::time::Instant;

use serde::Serialize;

use crate::canon::Key;
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::lookup::{ClassKey, ClassSet, ClassSetCounts, Demand, KeyUse, find_keys};
use crate::output::{OutputError, OutputFile, OutputTarget, RunFiles};
use crate::pipeline::End;
use crate::run::{EngineSource, Execution, Finished, JobError};
use crate::stats::RunFacts;

/// Writes the set of the classes of a corpus.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{ClassSet, Classes, Execution};
/// use gridmill::output::OutputTarget;
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("hidden.classes");
/// let hidden = Corpus::open_path("data/easy.txt")?;
/// let report = Classes::new().run_to(hidden, &OutputTarget::file(&file), &Execution::new())?.report;
/// assert_eq!(report.classes, 1000);
///
/// let set = ClassSet::read(std::io::BufReader::new(std::fs::File::open(file)?), None)?;
/// let puzzle = std::fs::read_to_string("data/easy.txt")?.lines().next().unwrap().to_owned();
/// assert!(set.has(gridmill::class(&puzzle)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Classes {
    engine: EngineSource,
    max_branches: MaxBranches,
    key: Option<ClassKey>,
    allow_malformed: bool,
}

/// Results of [`Classes`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ClassesReport {
    /// The number of classes in the set.
    pub classes: u64,
    /// The number of classes of grids in the set: solutions, answers and full grids in other columns.
    pub grids: u64,
    /// The records of the corpus.
    #[serde(flatten)]
    pub counts: ClassSetCounts,
}

impl Classes {
    /// Solves with the fastest engine, and writes plain classes.
    pub fn new() -> Classes {
        Classes::default()
    }

    /// Reads a corpus and writes the set of its classes to a file, which gets its name when it is complete.
    ///
    /// # Errors
    ///
    /// If the corpus cannot be read or has no puzzle, if an input has records but no puzzle, or malformed records that are
    /// not allowed, if the output is an input, or if it cannot be written.
    pub fn run_to(
        self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<ClassesReport>, JobError> {
        let start = Instant::now();
        target.check_inputs(RunFiles::new().corpus(corpus.origins()))?;

        let (mut kinds, mut counts) = ([Vec::<Key>::new(), vec![]], ClassSetCounts::default());
        let demand = Demand { key_use: KeyUse::ClassSet, allows_malformed: self.allow_malformed };
        let found = find_keys(corpus, demand, &self.engine, self.max_branches, execution, |chunk| {
            for keys in &chunk.results.notes {
                counts.add(keys.as_ref());
                kinds[0].extend(keys.as_ref().and_then(|keys| keys.puzzle.class));
                kinds[1].extend(keys.iter().flat_map(|keys| &keys.grids));
            }
        })?;
        if found.is_none() {
            let (report, run) = (ClassesReport::default(), RunFacts::default());
            return Ok(Finished { report, run, end: End::Stopped, partial: None });
        }

        let set = ClassSet::new(kinds, counts, self.key);
        let mut output = OutputFile::create(target, execution.threads)?;
        set.write(&mut output).map_err(OutputError::Write)?;
        output.finish()?;
        let report = ClassesReport { classes: set.len() as u64, grids: set.grids().unwrap_or(0), counts };
        let run = execution.facts(start, counts.records, self.engine.name(), None);
        Ok(Finished { report, run, end: End::Complete, partial: None })
    }
}

setters!(Classes {
    /// Sets the engine that counts solutions.
    engine(engine: impl Into<EngineSource>) => engine = engine.into();

    /// Sets the maximum number of branches of a search.
    max_branches(max_branches: MaxBranches) => max_branches = max_branches;

    /// Hashes classes with a key, so that only its owner can look for a puzzle in the set.
    key(key: Option<ClassKey>) => key = key;

    /// Sets whether the set may lack records because they are malformed.
    allow_malformed(allow_malformed: bool) => allow_malformed = allow_malformed;
});
