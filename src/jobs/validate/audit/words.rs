//! Alarms of an audit in words.

use std::fmt::{self, Display, Formatter};

use super::AuditReport;
use super::alarm::{Alarm, OrderKind, OrderedBy, SharedKind};
use crate::puzzle::Geometry;
use crate::stats::{Counted, WithCommas};

/// A part of something as `24.8 %`. Only all of it is 100 %, and only nothing is 0 %.
#[derive(Clone, Copy, Debug)]
pub struct Percent(pub f64);

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 1e2;
        match percent {
            percent if percent <= 0.0 || percent >= 100.0 => write!(f, "{percent:.0} %"),
            percent if percent < 0.1 => {
                write!(f, "{} %", format!("{percent:.3}").trim_end_matches('0').trim_end_matches('.'))
            }
            percent => write!(f, "{} %", format!("{:.1}", percent.clamp(0.1, 99.9)).trim_end_matches(".0")),
        }
    }
}

impl Percent {
    /// A count as a part of another one.
    pub fn of(count: u64, of: u64) -> Percent {
        Percent(if of == 0 { 0.0 } else { count as f64 / of as f64 })
    }
}

impl AuditReport {
    /// The alarms, each as a sentence. They name sizes if the corpus has several, and files as their inputs are called.
    pub fn alarms_in_words(&self) -> Vec<String> {
        let has_sizes = self.sizes.len() > 1;
        let size_of = |alarm: &Alarm| match *alarm {
            Alarm::Leak { size, .. }
            | Alarm::OneAnswerOfSeveral { size, .. }
            | Alarm::SeveralSolutions { size, .. }
            | Alarm::FewGrids { size, .. }
            | Alarm::AutomorphicGrids { size, .. }
            | Alarm::RepeatedPuzzles { size, .. }
            | Alarm::RepeatedClasses { size, .. }
            | Alarm::UnevenDigits { size, .. }
            | Alarm::UnevenBlanks { size, .. } => Some(size),
            _ => None,
        };
        let line = |alarm: &Alarm| match size_of(alarm).filter(|_| has_sizes) {
            Some(size) => format!("{size}: {}", AlarmInWords(alarm)),
            None => AlarmInWords(alarm).to_string(),
        };
        self.alarms.iter().map(line).collect()
    }

    /// What was not checked: an audit that was not complete is no clean one.
    pub fn unchecked(&self) -> Vec<String> {
        let sizes = self.sizes.iter().filter(|size| size.classes.is_none());
        let sizes: Vec<_> = sizes.map(|size| size.size.to_string()).collect();
        let unknown: u64 = self.sizes.iter().map(|size| size.without_class).sum();
        let parts = [
            (!sizes.is_empty()).then(|| format!("classes of {} are not computed", sizes.join(", "))),
            (unknown > 0).then(|| format!("{} without a class", Counted(unknown, "puzzle"))),
            self.pairs.is_none().then(|| "files are not compared".to_owned()),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Whether there is no alarm, and what was not checked; nothing if the alarms say it all.
    pub fn end_in_words(&self) -> Option<String> {
        let unchecked = self.unchecked().join(", ");
        match (self.alarms.is_empty(), unchecked.is_empty()) {
            (true, true) => Some("no alarm".to_owned()),
            (true, false) => Some(format!("no alarm, but not all was checked: {unchecked}")),
            (false, true) => None,
            (false, false) => Some(format!("not all was checked: {unchecked}")),
        }
    }
}

/// An alarm in words.
struct AlarmInWords<'a>(&'a Alarm);

impl Display for AlarmInWords<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of = |some: u64, all: u64| format!("{} of {}", WithCommas(some), WithCommas(all));
        match *self.0 {
            Alarm::Leak { what, ref file, ref other, shared, of: all, .. } => {
                let percent = Percent::of(shared, all);
                let numbers = of(shared, all);
                match what {
                    SharedKind::Puzzles => {
                        write!(f, "{percent} of the puzzles of {file} occur in {other} ({numbers})")
                    }
                    SharedKind::Classes => {
                        write!(f, "{percent} of the classes of {file} occur in {other} ({numbers})")
                    }
                    SharedKind::Grids => {
                        write!(
                            f,
                            "{percent} of the solutions of {file}, relabelled, occur in {other} ({numbers} classes)"
                        )
                    }
                }
            }
            Alarm::OneAnswerOfSeveral { puzzles, several, .. } => {
                let (percent, numbers) = (Percent::of(several, puzzles), of(several, puzzles));
                write!(f, "{percent} of the puzzles have several solutions but one stored answer ({numbers})")
            }
            Alarm::SeveralSolutions { puzzles, several, .. } => {
                let (percent, numbers) = (Percent::of(several, puzzles), of(several, puzzles));
                write!(f, "{percent} of the puzzles have several solutions ({numbers})")
            }
            Alarm::FewGrids { grids, classes: 1, .. } => {
                write!(f, "all {} solutions are relabellings of one grid", WithCommas(grids))
            }
            Alarm::FewGrids { grids, classes, expected, .. } => {
                let (grids, classes, expected) =
                    (WithCommas(grids), WithCommas(classes), WithCommas(expected.round() as u64));
                write!(
                    f,
                    "the {grids} solutions are relabellings of {classes} grids; random ones would be of {expected}"
                )
            }
            Alarm::AutomorphicGrids { grids, automorphic, expected, .. } => {
                let (percent, expected) = (Percent::of(automorphic, grids), Percent(expected));
                write!(f, "{percent} of the solutions have automorphisms, but {expected} of all grids")
            }
            Alarm::RepeatedPuzzles { puzzles, distinct, .. } => {
                let percent = Percent::of(puzzles - distinct, puzzles);
                write!(f, "{percent} of the puzzles repeat an earlier one ({} different)", of(distinct, puzzles))
            }
            Alarm::RepeatedClasses { puzzles, classes, .. } => {
                let (percent, classes) = (Percent::of(puzzles - classes, puzzles), Counted(classes, "class"));
                let puzzles = WithCommas(puzzles);
                write!(f, "{percent} of the different puzzles are isomorphs of another one ({puzzles} in {classes})")
            }
            Alarm::UnevenDigits { size, effect, cell, share } => {
                let (cell, percent) = (Geometry::of(size).name(cell), Percent(share));
                write!(
                    f,
                    "digits are uneven over the cells (V = {effect:.2}): {cell} has the same in {percent} of the solutions"
                )
            }
            Alarm::UnevenBlanks { size, effect, cell, share } => {
                let (cell, percent) = (Geometry::of(size).name(cell), Percent(share));
                write!(
                    f,
                    "blanks are uneven over the cells (V = {effect:.2}): {cell} is blank in {percent} of the puzzles"
                )
            }
            Alarm::Ordered { ref file, by, kind, effect } => {
                let by = match by {
                    OrderedBy::Clues => "number of clues",
                    OrderedBy::Rating => "rating",
                    OrderedBy::Text => "text",
                };
                match kind {
                    OrderKind::Trend => {
                        write!(f, "{file} is in order of the {by} of the puzzles (rank correlation {effect:.2})")
                    }
                    OrderKind::Grouping => {
                        write!(f, "in {file}, puzzles of the same {by} stand together ({effect:.2} of 1)")
                    }
                    OrderKind::Neighbours => {
                        let percent = Percent(effect);
                        write!(f, "{file} is in order of the {by} of the puzzles ({percent} of neighbours ascend)")
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;

    #[test]
    fn only_all_is_a_hundred_percent() {
        for (count, of, text) in [
            (0, 7, "0 %"),
            (7, 7, "100 %"),
            (124, 500, "24.8 %"),
            (97, 100, "97 %"),
            (999_999, 1_000_000, "99.9 %"),
            (1, 10_000, "0.01 %"),
            (1, 1_000_000, "0 %"),
            (1, 3, "33.3 %"),
        ] {
            assert_eq!(Percent::of(count, of).to_string(), text, "{count} of {of}");
        }
        assert_eq!(Geometry::of(Size::Nine).name(80), "r9c9");
    }

    #[test]
    fn alarms_have_their_numbers() {
        let size = Size::Nine;
        let leak =
            |what| Alarm::Leak { what, size, file: "test.csv".into(), other: "a.csv".into(), shared: 97, of: 100 };
        let ordered = |by, kind| Alarm::Ordered { file: "a.csv".into(), by, kind, effect: 0.984 };
        for (alarm, text) in [
            (leak(SharedKind::Classes), "97 % of the classes of test.csv occur in a.csv (97 of 100)"),
            (
                leak(SharedKind::Grids),
                "97 % of the solutions of test.csv, relabelled, occur in a.csv (97 of 100 classes)",
            ),
            (
                Alarm::OneAnswerOfSeveral { size, puzzles: 500, several: 124 },
                "24.8 % of the puzzles have several solutions but one stored answer (124 of 500)",
            ),
            (
                Alarm::FewGrids { size, grids: 2000, classes: 1, expected: 2000.0 },
                "all 2,000 solutions are relabellings of one grid",
            ),
            (
                Alarm::FewGrids { size, grids: 2000, classes: 3, expected: 1999.9 },
                "the 2,000 solutions are relabellings of 3 grids; random ones would be of 2,000",
            ),
            (
                Alarm::UnevenBlanks { size, effect: 0.5, cell: 9, share: 1.0 },
                "blanks are uneven over the cells (V = 0.50): r2c1 is blank in 100 % of the puzzles",
            ),
            (
                ordered(OrderedBy::Clues, OrderKind::Trend),
                "a.csv is in order of the number of clues of the puzzles (rank correlation 0.98)",
            ),
            (
                ordered(OrderedBy::Text, OrderKind::Neighbours),
                "a.csv is in order of the text of the puzzles (98.4 % of neighbours ascend)",
            ),
        ] {
            assert_eq!(AlarmInWords(&alarm).to_string(), text);
        }
    }
}
