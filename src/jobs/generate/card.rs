//! Describes a file of generated puzzles.

use serde_json::{Map, Value, json};

use super::{ClueRange, Generate, GenerateReport, Pattern, PuzzleSpec, Shape, Target};
use crate::card::{Check, DataCard, Work, options_of_card};
use crate::corpus::Origin;
use crate::format::{Alphabets, InputOptions};
use crate::run::job::given_options;
use crate::stats::Counted;

impl Generate {
    /// Describes the file that the job has written; `not_in` are the inputs of the [known classes](Generate::not_in).
    pub fn card(&self, report: &GenerateReport, not_in: &[Origin]) -> DataCard {
        let size = self.job.spec.size;
        let clues = match (report.counts.clues.keys().next(), report.counts.clues.keys().next_back()) {
            (Some(&fewest), Some(&most)) => format!(", with {}", ClueRange { fewest, most }),
            _ => String::new(),
        };
        DataCard {
            title: format!("Generated {size} Sudoku puzzles"),
            summary: format!(
                "{} of {size} cells, each with exactly one solution{clues}.",
                Counted(report.counts.puzzles, "generated Sudoku puzzle")
            ),
            work: Work::Made,
            command: "generate",
            options: options_of_card(self.options(!not_in.is_empty()), self.settings.max_branches),
            inputs: not_in.to_vec(),
            columns: Generate::COLUMNS,
            checks: self.checks(report),
            classes: self.job.distinctness.among_themselves.then_some(report.counts.puzzles),
            notes: vec![],
        }
    }

    /// The options for reading the file: any column may be the first, and the symbols are known.
    pub fn card_options(&self) -> InputOptions {
        self.settings.to_read_rows(vec![Alphabets::default().for_printing(self.job.spec.size)])
    }

    /// The options that the puzzles depend on.
    fn options(&self, has_known: bool) -> Map<String, Value> {
        let PuzzleSpec { size, ref shape, target, er, ref techniques } = self.job.spec;
        let range = |ClueRange { fewest, most }: ClueRange| format!("{fewest}..{most}");
        let clues = match target {
            Target::Clues(clues) => Some(clues.to_string()),
            Target::Range(clues) | Target::MinimalRange(clues) => Some(range(clues)),
            Target::Minimal | Target::Fewest | Target::Weighted | Target::Unbiased => None,
        };
        let names = techniques.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (symmetry, pattern) = match shape {
            Shape::Any => (None, None),
            Shape::Symmetric(symmetry) => (Some(symmetry.to_string()), None),
            Shape::Pattern(pattern) => (None, Some(marks(pattern))),
        };
        given_options(&json!({
            "count": self.job.count,
            "size": size.to_string(),
            "seed": self.job.seed,
            "skip": (self.job.skip > 0).then_some(self.job.skip),
            "clues": clues,
            "minimal": self.job.spec.is_minimal(),
            "weighted": target == Target::Weighted,
            "unbiased": target == Target::Unbiased,
            "er": er.map(|er| er.to_string()),
            "technique": names,
            "symmetry": symmetry,
            "pattern": pattern,
            "distinct": self.job.distinctness.among_themselves,
            "not-in": has_known.then_some("the inputs below"),
        }))
    }

    /// The checks of the data card: some hold for all puzzles by construction, some were not made.
    fn checks(&self, report: &GenerateReport) -> Vec<Check> {
        let PuzzleSpec { ref shape, er, ref techniques, .. } = self.job.spec;
        let mut checks = vec![Check::by_construction(
            "each puzzle has exactly one solution",
            "a puzzle is taken only if a complete search finds no second solution",
        )];
        if self.settings.has_column("solution", self.job.solutions) && self.settings.format.has_columns() {
            checks.push(Check::by_construction("each solution is that of its puzzle", "the clues were taken from it"));
        }

        let minimal = "every clue is needed";
        let how = "each clue was checked: without it, there is a second solution";
        checks.push(match (self.job.spec.is_minimal(), report.counts.undecided_clues) {
            (false, _) => Check::not_made(minimal),
            (true, 0) => Check::found(minimal, "yes, in all puzzles", how),
            (true, undecided) => Check::found(minimal, format!("not known of {}", Counted(undecided, "clue")), how),
        });

        match shape {
            Shape::Any => {}
            Shape::Symmetric(_) => {
                checks
                    .push(Check::by_construction("the cells with clues are symmetric", "clues were removed in groups"));
            }
            Shape::Pattern(_) => {
                checks.push(Check::by_construction("the clues are in the cells of the pattern", "no others were made"));
            }
        }
        if er.is_some() || !techniques.is_empty() {
            checks.push(Check::found(
                "the difficulty is as asked for",
                "yes, in all puzzles",
                "each puzzle was rated, as gridmill rate does",
            ));
        }

        let (isomorphs, how) = ("no two puzzles are isomorphic", "the classes of all puzzles were compared");
        let is_distinct = self.job.distinctness.among_themselves;
        checks.push(if is_distinct { Check::found(isomorphs, "yes", how) } else { Check::not_made(isomorphs) });
        if self.job.distinctness.known.is_some() {
            checks.push(Check::found(
                "no puzzle is an isomorph of one in the inputs",
                "yes, as far as these have classes",
                "the classes of all puzzles were compared with those of the inputs",
            ));
        }
        checks
    }
}

/// A pattern in one line.
fn marks(pattern: &Pattern) -> String {
    (0..pattern.size().cells()).map(|cell| if pattern.is_clue(cell) { 'x' } else { '.' }).collect()
}
