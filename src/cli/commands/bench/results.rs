//! The results of a comparison: the export to files, and whether a solver is slower: than in an earlier run, relative to the
//! reference of each run, or than another solver of the same run.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use gridmill::corpus::Origin;
use gridmill::output::{sha256, write_small};
use serde::{Deserialize, Serialize};

use super::table;
use crate::cli::bench::{BenchOptions, BenchResult, Estimate, quotient};
use crate::cli::call::Exit;
use crate::cli::report::chart;
use crate::cli::report::facts::{self, Machine};
use crate::cli::ui::printable::in_one_line;

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
    /// The SHA-256 of each program and plugin: of the shared library, or of the file that the first word of the command
    /// names; `None` if there is no such file.
    solvers: BTreeMap<String, Option<String>>,
    load: Load,
    pub(super) rows: Vec<BenchResult>,
}

/// The load average of the machine over a minute; `None` where the system does not report it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Load {
    #[serde(deserialize_with = "Option::deserialize")]
    start: Option<f64>,
    #[serde(deserialize_with = "Option::deserialize")]
    end: Option<f64>,
}

impl Load {
    /// The load at the start of a run.
    pub(super) fn at_start() -> Load {
        Load { start: load_average(), end: None }
    }
}

fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
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

impl Results {
    pub(super) fn new(
        options: BenchOptions,
        sets: Vec<SetFact>,
        solvers: Vec<(String, Option<PathBuf>)>,
        load: Load,
        rows: Vec<BenchResult>,
    ) -> Results {
        let sum = |path: PathBuf| Some(fs::File::open(path).and_then(sha256).ok()?.1);
        Results {
            gridmill: env!("CARGO_PKG_VERSION").to_owned(),
            date: gridmill::output::now(),
            machine: Machine::this(),
            command: facts::command(),
            options,
            sets,
            solvers: solvers.into_iter().map(|(solver, file)| (solver, file.and_then(sum))).collect(),
            load: Load { end: load_average(), ..load },
            rows,
        }
    }

    /// Reads the results that an earlier run exported as JSON.
    pub(super) fn read(path: &Path) -> anyhow::Result<Results> {
        let name = path.display();
        let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let is_old = || {
            let value: Option<serde_json::Value> = serde_json::from_slice(&text).ok();
            value.is_some_and(|value| value.get("rows").is_some() && value.get("load").is_none())
        };
        let reason = || if is_old() { "is of an older gridmill: export it again" } else { NO_RESULTS };
        serde_json::from_slice(&text).with_context(|| format!("{name} {}", reason()))
    }

    /// The CPU of the results, if it is not this one.
    pub(super) fn other_cpu(&self) -> Option<&str> {
        Some(&*self.machine.cpu).filter(|&cpu| cpu != Machine::this().cpu)
    }

    /// Checks that solutions were counted up to the same limit.
    pub(super) fn check_limit(&self, limit: u64) -> anyhow::Result<()> {
        let old = self.options.limit;
        ensure!(limit == old, "solutions are counted up to {limit}, and in the baseline up to {old}");
        Ok(())
    }

    /// The number of puzzles that a solver had of a file, if it was there.
    pub(super) fn size(&self, set: &SetFact, solver: &str) -> Option<usize> {
        Some(self.row(set, solver).ok()?.row.puzzles)
    }

    /// The results of a solver, by its name with the number of threads, on a file, by its checksum.
    fn row(&self, set: &SetFact, solver: &str) -> Result<&BenchResult, Doubt> {
        let is_same = |old: &&SetFact| match (&set.sha256, &old.sha256) {
            (Some(sha256), Some(old)) => sha256 == old,
            _ => old.file == set.file,
        };
        let set = self.sets.iter().find(is_same).ok_or(Doubt::UnknownFile)?;
        let is_same = |result: &&BenchResult| result.row.file == set.file && result.row.label() == solver;
        self.rows.iter().find(is_same).ok_or(Doubt::UnknownSolver)
    }

    /// How each solver has changed since the baseline, relative to the reference of each run. A single solver is its own
    /// measure.
    pub(super) fn changes_since(&self, baseline: &Results) -> Vec<SpeedChange> {
        let reference = &self.options.reference;
        let is_compared = |result: &&BenchResult| {
            result.row.label() != *reference || self.rows.iter().all(|other| other.row.label() == *reference)
        };
        let change = |result: &BenchResult| SpeedChange {
            what: in_one_line(format_args!("{} on {}", result.row.label(), result.row.file)),
            than: "in the baseline".into(),
            times: self.change_since(baseline, result),
        };
        self.rows.iter().filter(is_compared).map(change).collect()
    }

    fn change_since(&self, baseline: &Results, new: &BenchResult) -> Result<Estimate, Doubt> {
        let set = self.sets.iter().find(|set| set.file == new.row.file).ok_or(Doubt::UnknownFile)?;
        let (solver, reference) = (new.row.label(), &self.options.reference);
        let old = baseline.row(set, &solver)?;
        if baseline.options.reference != *reference {
            return Err(Doubt::OtherReference(baseline.options.reference.clone()));
        }
        let puzzles = |results: &Results, row: &BenchResult| {
            (results.options.isomorphs, results.options.shuffle, row.row.file_puzzles)
        };
        if puzzles(self, new) != puzzles(baseline, old) {
            return Err(Doubt::OtherPuzzles);
        }
        if old.row.clock != new.row.clock {
            return Err(Doubt::OtherClock(old.row.clock.clone()));
        }

        let speeds = |new: &BenchResult, old: &BenchResult| new.speed(1).zip(old.speed(0)).ok_or(Doubt::UnknownSpeed);
        let (new, old) = speeds(new, old)?;
        if solver == *reference {
            return Ok(quotient(&[&new], &[&old]));
        }
        // A machine that has become faster or slower changes the reference, too.
        let (new_reference, old_reference) = speeds(self.row(set, reference)?, baseline.row(set, reference)?)?;
        Ok(quotient(&[&new, &old_reference], &[&old, &new_reference]))
    }

    /// How fast one solver is relative to another one of this run, on each file.
    pub(super) fn changes_between(&self, old: &str, new: &str) -> Vec<SpeedChange> {
        let change = |set: &SetFact| {
            let speed = |solver| self.row(set, solver)?.speed(0).ok_or(Doubt::UnknownSpeed);
            let times = speed(new).and_then(|new| Ok(quotient(&[&new], &[&speed(old)?])));
            SpeedChange { what: in_one_line(format_args!("{new} on {}", set.file)), than: old.to_owned(), times }
        };
        self.sets.iter().map(change).collect()
    }
}

/// The reason why most files are not a baseline.
const NO_RESULTS: &str = "has no results of `bench --export FILE.json`";

/// A file to export the rows to.
pub(super) struct Export {
    path: PathBuf,
    text: fn(&Results) -> serde_json::Result<String>,
}

impl Export {
    /// An export in the format for the extension of the file name.
    pub(super) fn from_path(path: &Path) -> anyhow::Result<Export> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let text: fn(&Results) -> serde_json::Result<String> = match extension.to_str() {
            Some("csv") => |results| Ok(BenchResult::csv(&results.rows)),
            Some("json") => |results| Ok(serde_json::to_string_pretty(results)? + "\n"),
            Some("md") => |results| Ok(format!("{}\n{}\n", table::markdown(&results.rows), table::measured_by())),
            Some("svg") => |results| Ok(chart::alone(&table::chart(&results.rows))),
            _ => bail!("cannot export to {}: its name should end in .csv, .json, .md or .svg", path.display()),
        };
        Ok(Export { path: path.to_owned(), text })
    }

    /// Writes the file.
    pub(super) fn write(&self, results: &Results) -> anyhow::Result<()> {
        Ok(write_small(&self.path, (self.text)(results)?.as_bytes())?)
    }
}

/// A change of speed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpeedChange {
    /// The solver and the file.
    pub(super) what: String,
    /// `in the baseline`, or the other solver.
    pub(super) than: String,
    /// How many times as fast it is.
    pub(super) times: Result<Estimate, Doubt>,
}

/// Why a change is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Doubt {
    #[error("the file with this checksum is not in the baseline")]
    UnknownFile,
    #[error("the baseline has no such solver on this file")]
    UnknownSolver,
    #[error("the reference of the baseline is {0}")]
    OtherReference(String),
    #[error("the baseline has other puzzles of this file, by --isomorphs, --shuffle or the format")]
    OtherPuzzles,
    #[error("the times of the baseline are {0} time")]
    OtherClock(String),
    #[error("a speed is unknown")]
    UnknownSpeed,
}

/// Whether a solver is slower. Of several verdicts, the greatest one decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SpeedVerdict {
    /// The whole interval is within the tolerance.
    NotSlower,
    /// The interval contains the tolerance, or there is no interval.
    CannotTell,
    /// The whole interval is beyond the tolerance.
    Slower,
}

impl SpeedVerdict {
    pub(super) fn exit(self) -> Exit {
        match self {
            SpeedVerdict::NotSlower => Exit::Success,
            SpeedVerdict::CannotTell => Exit::CannotTell,
            SpeedVerdict::Slower => Exit::Failed,
        }
    }
}

impl SpeedChange {
    /// The verdict with a tolerance in percent.
    pub(super) fn verdict(&self, tolerance: f64) -> SpeedVerdict {
        let least = 1.0 - tolerance / 100.0;
        match &self.times {
            Ok(times) if times.high < least => SpeedVerdict::Slower,
            Ok(times) if times.low >= least => SpeedVerdict::NotSlower,
            _ => SpeedVerdict::CannotTell,
        }
    }

    /// The verdict in words.
    pub(super) fn in_words(&self, tolerance: f64) -> String {
        match (self.verdict(tolerance), &self.times) {
            (SpeedVerdict::Slower, _) => format!("slower: {self}"),
            (SpeedVerdict::NotSlower, _) => format!("not slower: {self}"),
            (SpeedVerdict::CannotTell, Ok(_)) => {
                format!("cannot tell: {self}; more --seconds make the interval narrower")
            }
            (SpeedVerdict::CannotTell, Err(_)) => format!("cannot tell: {self}"),
        }
    }
}

/// `mine on in.txt is 0.983 times as fast as in the baseline (0.971 to 0.995)`
impl fmt::Display for SpeedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpeedChange { what, than, times } = self;
        match times {
            Ok(Estimate { value, low, high }) => {
                write!(f, "{what} is {value:.3} times as fast as {than} ({low:.3} to {high:.3})")
            }
            Err(doubt) => write!(f, "{what} is not compared: {doubt}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::result;
    use super::*;
    use crate::cli::bench::BenchRow;

    /// The results of a solver and of the reference, which takes the same time in each round.
    fn results(result: BenchResult) -> Results {
        let options = BenchOptions { limit: 2, reference: "bitmask".into(), ..BenchOptions::default() };
        let sets = vec![SetFact { file: result.row.file.clone(), sha256: Some("12".into()) }];
        let row = BenchRow { solver: "bitmask".into(), puzzles: result.row.file_puzzles, ..result.row.clone() };
        let reference = BenchResult { row, seconds: vec![1.0; 5], slowest: vec![] };
        Results::new(options, sets, vec![], Load::at_start(), vec![reference, result])
    }

    /// A result with these times, and a row that differs in some columns.
    fn timed(seconds: &[f64], change: impl FnOnce(&mut BenchRow)) -> BenchResult {
        let mut result = BenchResult { seconds: seconds.to_vec(), ..result(1.0, 0.0) };
        change(&mut result.row);
        result
    }

    #[test]
    fn a_solver_is_compared_relative_to_the_reference() {
        let fast = |change: fn(&mut BenchRow)| timed(&[1.0; 5], change);
        let slow = results(timed(&[2.0; 5], |_| ()));
        let change = |old: BenchResult| slow.changes_since(&results(old)).swap_remove(0);
        let half = change(fast(|_| ()));
        assert_eq!(half.to_string(), "lanes on 17_clue.txt is 0.500 times as fast as in the baseline (0.500 to 0.500)");
        // A file is the same wherever it is.
        assert_eq!(change(fast(|row| row.file = "elsewhere/17.txt".into())).times, half.times);
        for (old, doubt) in [
            (fast(|row| row.clock = "wall".into()), Doubt::OtherClock("wall".into())),
            (fast(|row| row.file_puzzles = 64), Doubt::OtherPuzzles),
            (fast(|row| row.solver = "dlx".into()), Doubt::UnknownSolver),
            (fast(|row| row.puzzles = 16), Doubt::UnknownSpeed),
        ] {
            assert_eq!(change(old).times, Err(doubt));
        }
        let mut other = results(fast(|_| ()));
        other.options.reference = "dlx".into();
        assert_eq!(slow.changes_since(&other)[0].times, Err(Doubt::OtherReference("dlx".into())));
        other.sets[0].sha256 = Some("34".into());
        assert_eq!(slow.changes_since(&other)[0].times, Err(Doubt::UnknownFile));
        assert!(other.check_limit(2).is_ok());
        let error = other.check_limit(1).unwrap_err().to_string();
        assert_eq!(error, "solutions are counted up to 1, and in the baseline up to 2");
    }

    /// The blocks of a sample differ by far more than the solver has changed.
    #[test]
    fn the_choice_of_puzzles_cancels_on_the_same_sample() {
        let blocks = [1.0, 30.0, 2.0, 5.0, 1.0, 9.0, 80.0, 3.0, 1.0, 4.0];
        let sample = |factor: f64| timed(&blocks.map(|block| block * factor), |row| row.file_puzzles = 1000);
        let change = results(sample(1.1)).changes_since(&results(sample(1.0))).swap_remove(0);
        let Ok(Estimate { value, low, high }) = change.times else { panic!("{change}") };
        assert!((value * 1.1 - 1.0).abs() < 1e-9 && high / low < 1.000_001, "{change}");
    }

    #[test]
    fn the_whole_interval_decides() {
        for (low, high, verdict) in [
            (0.93, 0.949, SpeedVerdict::Slower),
            (0.93, 0.951, SpeedVerdict::CannotTell),
            (0.93, 1.1, SpeedVerdict::CannotTell),
            (0.95, 0.97, SpeedVerdict::NotSlower),
            (1.1, 1.2, SpeedVerdict::NotSlower),
        ] {
            let times = Ok(Estimate { value: f64::midpoint(low, high), low, high });
            let change = SpeedChange { what: "mine on in.txt".into(), than: "in the baseline".into(), times };
            assert_eq!(change.verdict(5.0), verdict, "{change}");
        }
        let change = SpeedChange { what: String::new(), than: String::new(), times: Err(Doubt::UnknownSpeed) };
        assert_eq!(change.verdict(5.0), SpeedVerdict::CannotTell);
        let exits = [SpeedVerdict::NotSlower, SpeedVerdict::Slower, SpeedVerdict::CannotTell].into_iter().max();
        assert_eq!(exits.map(SpeedVerdict::exit), Some(Exit::Failed));
    }
}
