//! The results of a comparison as JSON, and comparisons with those of an earlier one.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use gridmill::card::sha256;
use gridmill::corpus::Origin;
use gridmill::jobs::bench::{BenchOptions, BenchResult, BenchRow};
use serde::{Deserialize, Serialize};

use super::catalogue::{self, DataSet};
use crate::report::facts;
use crate::report::machine::Machine;

/// The results with all that they depend on.
#[derive(Debug, Serialize)]
pub(super) struct Results {
    /// The version of gridmill.
    gridmill: &'static str,
    /// When they were written, in UTC.
    date: String,
    machine: Machine,
    command: String,
    options: BenchOptions,
    sets: Vec<SetFact>,
    rows: Vec<BenchResult>,
}

/// A file of puzzles.
#[derive(Debug, Serialize)]
pub(super) struct SetFact {
    /// Its name.
    pub(super) file: String,
    /// `None` for standard input.
    sha256: Option<String>,
    /// The public data set that it is.
    pub(super) data_set: Option<&'static DataSet>,
}

impl SetFact {
    /// The facts of an input.
    pub(super) fn new(origin: &Origin) -> anyhow::Result<SetFact> {
        let file = origin.to_string();
        let sha256 = match origin {
            Origin::File(path) if path.is_file() => {
                let sum = fs::File::open(path).and_then(sha256);
                Some(sum.with_context(|| format!("cannot read {file} again, for its checksum"))?.1)
            }
            _ => None,
        };
        let data_set = sha256.as_deref().and_then(catalogue::find);
        Ok(SetFact { file, sha256, data_set })
    }
}

impl Results {
    pub(super) fn new(options: BenchOptions, sets: Vec<SetFact>, rows: &[BenchRow]) -> Results {
        Results {
            gridmill: env!("CARGO_PKG_VERSION"),
            date: facts::now(),
            machine: Machine::this(),
            command: facts::command(),
            options,
            sets,
            rows: rows.iter().cloned().map(BenchResult::from).collect(),
        }
    }

    /// The results as JSON.
    pub(super) fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Earlier results.
#[derive(Debug, Deserialize)]
pub(super) struct Baseline {
    machine: Machine,
    options: BaselineOptions,
    sets: Vec<BaselineSet>,
    rows: Vec<BaselineRow>,
}

/// The options of an earlier run that have to be the same.
#[derive(Debug, Deserialize)]
struct BaselineOptions {
    limit: u64,
}

/// A file of an earlier run.
#[derive(Debug, Deserialize)]
struct BaselineSet {
    file: String,
    sha256: Option<String>,
}

/// The part of an earlier row that is compared.
#[derive(Debug, Deserialize)]
struct BaselineRow {
    file: String,
    puzzles: usize,
    solver: String,
    threads: Option<usize>,
    clock: String,
    puzzles_per_second: f64,
}

/// How fast a row is beside the earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    /// The solver and the file.
    pub(super) what: String,
    /// How many times as fast it is.
    pub(super) ratio: f64,
}

impl Baseline {
    /// Reads the results that an earlier run exported as JSON.
    pub(super) fn read(path: &Path) -> anyhow::Result<Baseline> {
        let name = path.display();
        let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        serde_json::from_slice(&text).with_context(|| format!("{name} has no results of `bench --export FILE.json`"))
    }

    /// The CPU of the earlier results, if it is not this one.
    pub(super) fn other_cpu(&self) -> Option<&str> {
        Some(&*self.machine.cpu).filter(|&cpu| cpu != Machine::this().cpu)
    }

    /// Compares rows with the earlier ones of the same file, solver and number of threads.
    ///
    /// # Errors
    ///
    /// If there are none, or one has another clock or other puzzles, or solutions were counted up to another limit.
    pub(super) fn changes(&self, results: &Results) -> anyhow::Result<Vec<Change>> {
        let (limit, old_limit) = (results.options.limit, self.options.limit);
        if limit != old_limit {
            bail!("solutions are counted up to {limit}, and in the baseline up to {old_limit}");
        }
        for SetFact { file, sha256, .. } in &results.sets {
            let old = self.sets.iter().find(|old| old.file == *file).and_then(|old| old.sha256.as_ref());
            if sha256.as_ref().zip(old).is_some_and(|(sha256, old)| sha256 != old) {
                bail!("{file} is not the file that it was in the baseline: its checksum is another one");
            }
        }
        let mut changes = Vec::new();
        for BenchResult { row, .. } in &results.rows {
            let is_same =
                |old: &&BaselineRow| (&old.file, &old.solver, old.threads) == (&row.file, &row.solver, row.threads);
            let Some(old) = self.rows.iter().find(is_same) else { continue };
            let what = format!("{} on {}", row.label, row.file);
            if (&*old.clock, old.puzzles) != (row.clock, row.puzzles) {
                bail!(
                    "{what}: {} puzzles by {} time cannot be compared with {} by {} time in the baseline",
                    row.puzzles,
                    row.clock,
                    old.puzzles,
                    old.clock
                );
            }
            changes.push(Change { what, ratio: row.puzzles_per_second / old.puzzles_per_second });
        }
        if changes.is_empty() {
            bail!("the baseline has no row with the same file, solver and number of threads");
        }
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::row;
    use super::*;

    fn baseline(solver: &str, clock: &str, puzzles_per_second: f64) -> Baseline {
        let row = row(1.0, 0.0);
        let row = BaselineRow {
            file: row.file,
            puzzles: row.puzzles,
            solver: solver.into(),
            threads: row.threads,
            clock: clock.into(),
            puzzles_per_second,
        };
        let set = BaselineSet { file: row.file.clone(), sha256: Some("12".into()) };
        Baseline {
            machine: Machine::default(),
            options: BaselineOptions { limit: 2 },
            sets: vec![set],
            rows: vec![row],
        }
    }

    fn results(sha256: &str, limit: u64) -> Results {
        let row = row(1.0, 0.0);
        Results {
            gridmill: "",
            date: String::new(),
            machine: Machine::default(),
            command: String::new(),
            options: BenchOptions { limit, ..BenchOptions::default() },
            sets: vec![SetFact { file: row.file.clone(), sha256: Some(sha256.into()), data_set: None }],
            rows: vec![row.into()],
        }
    }

    #[test]
    fn rows_are_compared_with_the_same_ones() {
        let results = results("12", 2);
        let changes = baseline("lanes", "CPU", 2.0).changes(&results).unwrap();
        assert_eq!(changes, [Change { what: "lanes on 17_clue.txt".into(), ratio: 0.5 }]);
        let error = baseline("lanes", "wall", 2.0).changes(&results).unwrap_err().to_string();
        assert!(error.contains("1 puzzles by CPU time cannot be compared with 1 by wall time"), "{error}");
        assert!(baseline("dlx", "CPU", 2.0).changes(&results).is_err());
    }

    #[test]
    fn other_puzzles_and_limits_are_not_compared() {
        for (sha256, limit, reason) in [
            ("34", 2, "17_clue.txt is not the file that it was in the baseline"),
            ("12", 1, "solutions are counted up to 1, and in the baseline up to 2"),
        ] {
            let error = baseline("lanes", "CPU", 2.0).changes(&results(sha256, limit)).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
