//! Describes a file of generated puzzles.

use super::{ClueRange, Generate, GenerateReport, Shape};
use crate::card::{Check, DataCard, Work, options_of_card};
use crate::corpus::Origin;
use crate::format::{Alphabets, InputOptions};
use crate::run::job::given_options;
use crate::stats::Counted;

impl Generate {
    /// Describes the file that the job has written; `not_in` are the inputs of the [known classes](Generate::not_in).
    pub fn card(&self, report: &GenerateReport, not_in: &[Origin]) -> DataCard {
        let size = self.job.spec().size;
        let mut options = given_options(&self.job);
        if !not_in.is_empty() {
            options.insert("not-in".into(), "the inputs below".into());
        }
        let clues = match (report.counts.clues.keys().next(), report.counts.clues.keys().next_back()) {
            (Some(&fewest), Some(&most)) => format!(", with {}", ClueRange { fewest, most }.in_words()),
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
            options: options_of_card(options, self.settings.max_branches),
            inputs: not_in.to_vec(),
            columns: Generate::COLUMNS,
            checks: self.checks(report),
            classes: self.job.distinct.then_some(report.counts.puzzles),
            notes: vec![],
        }
    }

    /// The options for reading the file: any column may be the first, and the symbols are known.
    pub fn card_options(&self) -> InputOptions {
        self.settings.to_read_rows(vec![Alphabets::default().for_printing(self.job.spec().size)])
    }

    /// The checks of the data card: some hold for all puzzles by construction, some were not made.
    fn checks(&self, report: &GenerateReport) -> Vec<Check> {
        let spec = self.job.spec();
        let mut checks = vec![Check::by_construction(
            "each puzzle has exactly one solution",
            "a puzzle is taken only if a complete search finds no second solution",
        )];
        if self.settings.has_column("solution", self.job.with_solution) && self.settings.format.has_columns() {
            checks.push(Check::by_construction("each solution is that of its puzzle", "the clues were taken from it"));
        }

        let minimal = "every clue is needed";
        let how = "each clue was checked: without it, there is a second solution";
        checks.push(match (spec.is_minimal(), report.counts.undecided_clues) {
            (false, _) => Check::not_made(minimal),
            (true, 0) => Check::found(minimal, "yes, in all puzzles", how),
            (true, undecided) => Check::found(minimal, format!("not known of {}", Counted(undecided, "clue")), how),
        });

        match spec.shape {
            Shape::Any => {}
            Shape::Symmetric(_) => {
                checks
                    .push(Check::by_construction("the cells with clues are symmetric", "clues were removed in groups"));
            }
            Shape::Pattern(_) => {
                checks.push(Check::by_construction("the clues are in the cells of the pattern", "no others were made"));
            }
        }
        if spec.needs_rating() {
            checks.push(Check::found(
                "the difficulty is as asked for",
                "yes, in all puzzles",
                "each puzzle was rated, as gridmill rate does",
            ));
        }

        let (isomorphs, how) = ("no two puzzles are isomorphic", "the classes of all puzzles were compared");
        let is_distinct = self.job.distinct;
        checks.push(if is_distinct { Check::found(isomorphs, "yes", how) } else { Check::not_made(isomorphs) });
        if self.job.not_in.is_some() {
            checks.push(Check::found(
                "no puzzle is an isomorph of one in the inputs",
                "yes, as far as these have classes",
                "the classes of all puzzles were compared with those of the inputs",
            ));
        }
        checks
    }
}
