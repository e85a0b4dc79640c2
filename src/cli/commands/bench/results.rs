//! The results of a comparison: the export to files, and the comparison with an earlier run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use gridmill::bench::{BenchOptions, BenchResult, BenchRow};
use gridmill::corpus::Origin;
use gridmill::output::{sha256, write_small};
use serde::{Deserialize, Serialize};

use super::{report, table};
use crate::cli::report::facts::{self, Machine};

/// The results with everything that they depend on, as in JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Results {
    /// The version of gridmill.
    gridmill: String,
    /// When they were written, in UTC.
    date: String,
    machine: Machine,
    command: String,
    options: BenchOptions,
    sets: Vec<SetFact>,
    rows: Vec<BenchResult>,
}

/// A file of puzzles.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetFact {
    /// Its name.
    file: String,
    /// `None` for standard input.
    #[serde(deserialize_with = "Option::deserialize")]
    sha256: Option<String>,
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
        Ok(SetFact { file, sha256 })
    }
}

/// The speed of a row compared with the earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    /// The solver and the file.
    pub(super) what: String,
    /// The new speed divided by the earlier one, or the reason why it is not known.
    pub(super) ratio: Result<f64, String>,
}

impl Results {
    pub(super) fn new(options: BenchOptions, sets: Vec<SetFact>, rows: &[BenchRow]) -> Results {
        Results {
            gridmill: env!("CARGO_PKG_VERSION").to_owned(),
            date: gridmill::output::now(),
            machine: Machine::this(),
            command: facts::command(),
            options,
            sets,
            rows: rows.iter().cloned().map(BenchResult::from).collect(),
        }
    }

    /// Reads the results that an earlier run exported as JSON.
    pub(super) fn read(path: &Path) -> anyhow::Result<Results> {
        let name = path.display();
        let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        serde_json::from_slice(&text).with_context(|| format!("{name} has no results of `bench --export FILE.json`"))
    }

    /// The CPU of the results, if it is not this one.
    pub(super) fn other_cpu(&self) -> Option<&str> {
        Some(&*self.machine.cpu).filter(|&cpu| cpu != Machine::this().cpu)
    }

    /// Compares rows with the baseline. Rows match if they have the same solver, number of threads and file, by its
    /// checksum.
    ///
    /// # Errors
    ///
    /// If solutions were counted up to another limit, or if no row can be compared.
    pub(super) fn changes_since(&self, baseline: &Results) -> anyhow::Result<Vec<Change>> {
        let (limit, old_limit) = (self.options.limit, baseline.options.limit);
        if limit != old_limit {
            bail!("solutions are counted up to {limit}, and in the baseline up to {old_limit}");
        }
        let change = |result: &BenchResult| {
            let what = format!("{} on {}", result.row.label, result.row.file);
            Change { what, ratio: self.ratio_to(baseline, &result.row) }
        };
        let changes: Vec<Change> = self.rows.iter().map(change).collect();
        match changes.iter().find_map(|change| change.ratio.as_ref().err()) {
            Some(why) if changes.iter().all(|change| change.ratio.is_err()) => {
                bail!("nothing can be compared with the baseline: {}: {why}", changes[0].what)
            }
            _ => Ok(changes),
        }
    }

    /// The speed of a row divided by the speed in the baseline.
    fn ratio_to(&self, baseline: &Results, row: &BenchRow) -> Result<f64, String> {
        let sha256 = self.sets.iter().find(|set| set.file == row.file).and_then(|set| set.sha256.as_ref());
        let is_same = |old: &&SetFact| match (sha256, &old.sha256) {
            (Some(sha256), Some(old)) => sha256 == old,
            _ => old.file == row.file,
        };
        let old_set = baseline.sets.iter().find(is_same).ok_or("the file with this checksum is not in the baseline")?;
        let is_same =
            |old: &&BenchRow| (&old.file, &old.solver, old.threads) == (&old_set.file, &row.solver, row.threads);
        let old = baseline.rows.iter().map(|old| &old.row).find(is_same);
        let old = old.ok_or("the baseline has no such solver on this file")?;

        if (&old.clock, old.puzzles) != (&row.clock, row.puzzles) {
            let [new, old] = [row, old].map(|row| format!("{} puzzles by {} time", row.puzzles, row.clock));
            return Err(format!("it had {new}, and {old} in the baseline"));
        }
        let rates = row.puzzles_per_second.zip(old.puzzles_per_second);
        Ok(rates.map(|(rate, old)| rate / old).ok_or("a speed is unknown")?)
    }
}

/// A file to export the rows to.
pub(super) struct Export {
    path: PathBuf,
    text: fn(&[BenchRow], &Results) -> serde_json::Result<String>,
}

impl Export {
    /// An export in the format for the extension of the file name.
    pub(super) fn from_path(path: &Path) -> anyhow::Result<Export> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let text: fn(&[BenchRow], &Results) -> serde_json::Result<String> = match extension.to_str() {
            Some("csv") => |rows, _| Ok(BenchRow::csv(rows)),
            Some("json") => |_, results| Ok(serde_json::to_string_pretty(results)? + "\n"),
            Some("md") => |rows, _| Ok(format!("{}\n{}\n", table::markdown(rows), report::measured_by())),
            Some("svg") => |rows, _| Ok(report::svg(rows)),
            _ => bail!("cannot export to {}: its name should end in .csv, .json, .md or .svg", path.display()),
        };
        Ok(Export { path: path.to_owned(), text })
    }

    /// Writes the file.
    pub(super) fn write(&self, rows: &[BenchRow], results: &Results) -> anyhow::Result<()> {
        Ok(write_small(&self.path, (self.text)(rows, results)?.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::row;
    use super::*;

    fn results(row: BenchRow, sha256: &str, limit: u64) -> Results {
        let options = BenchOptions { limit, ..BenchOptions::default() };
        Results::new(options, vec![SetFact { file: row.file.clone(), sha256: Some(sha256.into()) }], &[row])
    }

    #[test]
    fn rows_are_compared_with_the_same_ones() {
        let new = results(row(1.0, 0.0), "12", 2);
        let fast = || BenchRow { puzzles_per_second: Some(2.0), ..row(1.0, 0.0) };
        let change = |row| new.changes_since(&results(row, "12", 2));
        let half = [Change { what: "lanes on 17_clue.txt".into(), ratio: Ok(0.5) }];
        assert_eq!(change(fast()).unwrap(), half);
        // A file is the same wherever it is.
        assert_eq!(change(BenchRow { file: "elsewhere/17.txt".into(), ..fast() }).unwrap(), half);
        for (row, reason) in [
            (
                BenchRow { clock: "wall".into(), ..fast() },
                "it had 100 puzzles by CPU time, and 100 puzzles by wall time",
            ),
            (BenchRow { puzzles: 64, ..fast() }, "it had 100 puzzles by CPU time, and 64 puzzles by CPU time"),
            (BenchRow { solver: "dlx".into(), ..fast() }, "the baseline has no such solver on this file"),
            (BenchRow { puzzles_per_second: None, ..fast() }, "a speed is unknown"),
        ] {
            let error = change(row).unwrap_err().to_string();
            assert!(error.starts_with("nothing can be compared") && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn other_puzzles_and_limits_are_not_compared() {
        for (sha256, limit, reason) in [
            ("34", 2, "the file with this checksum is not in the baseline"),
            ("12", 1, "solutions are counted up to 1, and in the baseline up to 2"),
        ] {
            let [new, old] = [(sha256, limit), ("12", 2)].map(|(sha256, limit)| results(row(1.0, 0.0), sha256, limit));
            let error = new.changes_since(&old).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
