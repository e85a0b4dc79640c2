//! Alarms of an audit in words.

use std::fmt::{self, Display, Formatter};

use serde_json::json;

use super::AuditReport;
use super::alarm::{Alarm, FEW_GRIDS, OrderKind, OrderedBy, SharedKind};
use crate::puzzle::Geometry;
use crate::stats::{Counted, WithCommas};

/// A fraction as `24.8 %`. It is 100 % only if it is everything, and 0 % only if it is nothing. A fraction of nothing is
/// not a number, `-`.
#[derive(Clone, Copy, Debug)]
pub struct Percent(pub f64);

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 1e2;
        match percent {
            percent if percent.is_nan() => f.write_str("-"),
            percent if percent <= 0.0 || percent >= 100.0 => write!(f, "{percent:.0} %"),
            percent if percent < 0.1 => {
                write!(f, "{} %", format!("{percent:.3}").trim_end_matches('0').trim_end_matches('.'))
            }
            percent => write!(f, "{} %", format!("{:.1}", percent.clamp(0.1, 99.9)).trim_end_matches(".0")),
        }
    }
}

impl Percent {
    /// The fraction of one count in another.
    pub fn of(count: u64, of: u64) -> Percent {
        Percent(count as f64 / of as f64)
    }
}

impl AuditReport {
    /// The alarms, each as a sentence. They name sizes if the corpus has several, and files by the names of the inputs.
    pub fn alarms_in_words(&self) -> Vec<String> {
        let has_sizes = self.sizes.len() > 1;
        // As JSON, an alarm has the size that it is about.
        let line = |alarm: &Alarm| match json!(alarm)["size"].as_str().filter(|_| has_sizes) {
            Some(size) => format!("{size}: {}", AlarmInWords(alarm)),
            None => AlarmInWords(alarm).to_string(),
        };
        self.alarms.iter().map(line).collect()
    }

    /// The checks that were not made. An audit that is incomplete is not clean.
    pub fn unchecked(&self) -> Vec<String> {
        let sizes = self.sizes.iter().filter(|size| size.classes.is_none());
        let sizes: Vec<_> = sizes.map(|size| size.size.to_string()).collect();
        let unknown: u64 = self.sizes.iter().map(|size| size.without_class).sum();
        let parts = [
            (!sizes.is_empty()).then(|| format!("classes of {} are not computed", sizes.join(", "))),
            (unknown > 0).then(|| format!("{} without a class", Counted(unknown, "puzzle"))),
            self.pairs.is_none().then(|| "only the first 64 files are compared".to_owned()),
        ];
        parts.into_iter().flatten().collect()
    }

    /// The statement that there is no alarm, and the checks that were not made; `None` if the alarms say everything.
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

/// ` of test.csv`, or nothing for all files together.
struct OfFile<'a>(&'a Option<String>);

impl Display for OfFile<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |file| write!(f, " of {file}"))
    }
}

/// An alarm in words.
struct AlarmInWords<'a>(&'a Alarm);

impl Display for AlarmInWords<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of = |some: u64, all: u64| format!("{} of {}", WithCommas(some), WithCommas(all));
        match *self.0 {
            Alarm::Leak { what, by_records, ref file, ref other, shared, of: all, .. } => {
                let (percent, numbers) = (Percent::of(shared, all), of(shared, all));
                let (what, occur) = match (what, by_records) {
                    (SharedKind::Puzzles, false) => ("different puzzles", "occur"),
                    (SharedKind::Puzzles, true) => ("puzzles", "occur"),
                    (SharedKind::Classes, false) => ("classes", "occur"),
                    (SharedKind::Classes, true) => ("puzzles", "have isomorphs"),
                    (SharedKind::Grids, false) => ("classes of solutions", "occur"),
                    (SharedKind::Grids, true) => ("solutions", "occur, relabelled,"),
                };
                let other = other.as_deref().unwrap_or("the other files");
                write!(f, "{percent} of the {what} of {file} {occur} in {other} ({numbers})")
            }
            Alarm::OneAnswerOfSeveral { puzzles, several, .. } => {
                let (percent, numbers) = (Percent::of(several, puzzles), of(several, puzzles));
                write!(f, "{percent} of the puzzles have several solutions but one stored answer ({numbers})")
            }
            Alarm::SeveralSolutions { puzzles, several, .. } => {
                let (percent, numbers) = (Percent::of(several, puzzles), of(several, puzzles));
                write!(f, "{percent} of the puzzles have several solutions ({numbers})")
            }
            Alarm::FewGrids { ref file, grids, classes: 1, .. } => {
                write!(f, "all {} solutions{} are relabellings of one grid", WithCommas(grids), OfFile(file))
            }
            Alarm::FewGrids { ref file, grids, classes, repeated, expected, .. } => {
                let (all, percent, file) = (WithCommas(grids), Percent::of(repeated, grids), OfFile(file));
                let are_few = classes as f64 <= FEW_GRIDS * expected;
                let (classes, random) = (WithCommas(classes), WithCommas(expected.round() as u64));
                let random = format_args!("random ones would be of {random}");
                if are_few {
                    write!(f, "the {all} solutions{file} are relabellings of {classes} grids; {random}")
                } else {
                    let grids = format_args!("{classes} grids; {random}");
                    write!(f, "{percent} of the {all} solutions{file} share their grid with another one ({grids})")
                }
            }
            Alarm::LargeClass { ref file, grids, largest, .. } => {
                let (percent, numbers) = (Percent::of(largest, grids), of(largest, grids));
                write!(f, "{percent} of the solutions{} are relabellings of one grid ({numbers})", OfFile(file))
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
            (0, 0, "-"),
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
        let (file, other) = ("test.csv", Some("a.csv".to_owned()));
        let leak = |what, by_records, other: &Option<String>| {
            let (file, other) = (file.to_owned(), other.clone());
            Alarm::Leak { what, by_records, size, file, other, shared: 97, of: 100 }
        };
        let few = |file: Option<&str>, classes, repeated| {
            let file = file.map(str::to_owned);
            Alarm::FewGrids { size, file, grids: 2000, classes, repeated, expected: 1999.9 }
        };
        let ordered = |by, kind| Alarm::Ordered { file: "a.csv".into(), by, kind, effect: 0.984 };
        for (alarm, text) in [
            (
                leak(SharedKind::Puzzles, false, &other),
                "97 % of the different puzzles of test.csv occur in a.csv (97 of 100)",
            ),
            (
                leak(SharedKind::Puzzles, true, &None),
                "97 % of the puzzles of test.csv occur in the other files (97 of 100)",
            ),
            (leak(SharedKind::Classes, false, &other), "97 % of the classes of test.csv occur in a.csv (97 of 100)"),
            (
                leak(SharedKind::Classes, true, &other),
                "97 % of the puzzles of test.csv have isomorphs in a.csv (97 of 100)",
            ),
            (
                leak(SharedKind::Grids, false, &other),
                "97 % of the classes of solutions of test.csv occur in a.csv (97 of 100)",
            ),
            (
                leak(SharedKind::Grids, true, &other),
                "97 % of the solutions of test.csv occur, relabelled, in a.csv (97 of 100)",
            ),
            (
                Alarm::OneAnswerOfSeveral { size, puzzles: 500, several: 124 },
                "24.8 % of the puzzles have several solutions but one stored answer (124 of 500)",
            ),
            (few(None, 1, 2000), "all 2,000 solutions are relabellings of one grid"),
            (
                few(Some("a.csv"), 1001, 1999),
                "99.9 % of the 2,000 solutions of a.csv share their grid with another one (1,001 grids; random ones would \
                 be of 2,000)",
            ),
            (few(None, 3, 2000), "the 2,000 solutions are relabellings of 3 grids; random ones would be of 2,000"),
            (
                Alarm::LargeClass { size, file: None, grids: 2000, largest: 500 },
                "25 % of the solutions are relabellings of one grid (500 of 2,000)",
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
