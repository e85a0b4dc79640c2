//! Judges whether a solver is slower: than in a baseline, relative to the reference of each run, or than another solver of
//! the same run.

use std::fmt;

use crate::cli::bench::Estimate;

use crate::cli::call::Exit;

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
    use super::*;

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
