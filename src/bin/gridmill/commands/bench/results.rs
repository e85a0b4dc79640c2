//! The results of a comparison: exported as files, and compared with those of an earlier run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use gridmill::bench::{BenchOptions, BenchResult, BenchRow};
use gridmill::corpus::Origin;
use gridmill::resume::{sha256, write_small};
use serde::{Deserialize, Serialize};

use super::{report, table};
use crate::report::facts::{self, Machine};

/// The results with all that they depend on, as JSON has them.
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

/// How fast a row is beside the earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    /// The solver and the file.
    pub(super) what: String,
    /// How many times as fast it is; `None` if there is no earlier one.
    pub(super) ratio: Option<f64>,
}

impl Results {
    pub(super) fn new(options: BenchOptions, sets: Vec<SetFact>, rows: &[BenchRow]) -> Results {
        Results {
            gridmill: env!("CARGO_PKG_VERSION").to_owned(),
            date: facts::now(),
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

    /// Compares rows with those of a baseline that have the same file, solver and number of threads.
    ///
    /// # Errors
    ///
    /// If there are none, or one has another clock or other puzzles, or solutions were counted up to another limit.
    pub(super) fn changes_since(&self, baseline: &Results) -> anyhow::Result<Vec<Change>> {
        let (limit, old_limit) = (self.options.limit, baseline.options.limit);
        if limit != old_limit {
            bail!("solutions are counted up to {limit}, and in the baseline up to {old_limit}");
        }
        for SetFact { file, sha256 } in &self.sets {
            let old = baseline.sets.iter().find(|old| old.file == *file).and_then(|old| old.sha256.as_ref());
            if sha256.as_ref().zip(old).is_some_and(|(sha256, old)| sha256 != old) {
                bail!("{file} is not the file that it was in the baseline: its checksum is another one");
            }
        }

        let mut changes = Vec::new();
        for BenchResult { row, .. } in &self.rows {
            let what = format!("{} on {}", row.label, row.file);
            let is_same =
                |old: &&BenchRow| (&old.file, &old.solver, old.threads) == (&row.file, &row.solver, row.threads);
            let old = baseline.rows.iter().map(|old| &old.row).find(is_same);
            if let Some(old) = old.filter(|old| (&old.clock, old.puzzles) != (&row.clock, row.puzzles)) {
                bail!(
                    "{what}: {} puzzles by {} time cannot be compared with {} by {} time in the baseline",
                    row.puzzles,
                    row.clock,
                    old.puzzles,
                    old.clock
                );
            }
            changes.push(Change { what, ratio: old.map(|old| row.puzzles_per_second / old.puzzles_per_second) });
        }
        if changes.iter().all(|change| change.ratio.is_none()) {
            bail!("the baseline has no row with the same file, solver and number of threads");
        }
        Ok(changes)
    }
}

/// A file to export the rows to.
pub(super) struct Export {
    path: PathBuf,
    format: ExportFormat,
}

/// A file format of an export.
#[derive(Clone, Copy)]
enum ExportFormat {
    Csv,
    Json,
    Markdown,
    Svg,
}

impl Export {
    /// An export in the format for the extension of the file name.
    pub(super) fn from_path(path: &Path) -> anyhow::Result<Export> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("csv") => ExportFormat::Csv,
            Some("json") => ExportFormat::Json,
            Some("md") => ExportFormat::Markdown,
            Some("svg") => ExportFormat::Svg,
            _ => bail!("cannot export to {}: its name should end in .csv, .json, .md or .svg", path.display()),
        };
        Ok(Export { path: path.to_owned(), format })
    }

    /// Writes the file.
    pub(super) fn write(&self, rows: &[BenchRow], results: &Results) -> anyhow::Result<()> {
        let text = match self.format {
            ExportFormat::Csv => BenchRow::csv(rows),
            ExportFormat::Json => serde_json::to_string_pretty(results)? + "\n",
            ExportFormat::Markdown => format!("{}\n{}\n", table::markdown(rows), report::measured_by()),
            ExportFormat::Svg => report::svg(rows),
        };
        Ok(write_small(&self.path, text.as_bytes())?)
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
        let results = |row| results(row, "12", 2);
        let (new, fast) = (results(row(1.0, 0.0)), BenchRow { puzzles_per_second: 2.0, ..row(1.0, 0.0) });
        let changes = new.changes_since(&results(fast.clone())).unwrap();
        assert_eq!(changes, [Change { what: "lanes on 17_clue.txt".into(), ratio: Some(0.5) }]);
        let wall = BenchRow { clock: "wall".into(), ..fast.clone() };
        let error = new.changes_since(&results(wall)).unwrap_err().to_string();
        assert!(error.contains("1 puzzles by CPU time cannot be compared with 1 by wall time"), "{error}");
        assert!(new.changes_since(&results(BenchRow { solver: "dlx".into(), ..fast })).is_err());
    }

    #[test]
    fn other_puzzles_and_limits_are_not_compared() {
        for (sha256, limit, reason) in [
            ("34", 2, "17_clue.txt is not the file that it was in the baseline"),
            ("12", 1, "solutions are counted up to 1, and in the baseline up to 2"),
        ] {
            let [new, old] = [(sha256, limit), ("12", 2)].map(|(sha256, limit)| results(row(1.0, 0.0), sha256, limit));
            let error = new.changes_since(&old).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
