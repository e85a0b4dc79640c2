//! Describes a file of copies.

use super::{Augment, AugmentCounts, AugmentReport};
use crate::card::{Check, DataCard, Work, options_of_card};
use crate::corpus::{Corpus, Origin};
use crate::format::InputOptions;
use crate::puzzle::Size;
use crate::run::job::given_options;
use crate::stats::Counted;

impl Augment {
    /// Describes the file that the job wrote from these inputs.
    pub fn card(&self, report: &AugmentReport, inputs: &[Origin]) -> DataCard {
        let AugmentCounts { puzzles, copies, malformed, unanswered, wrong_answers, .. } = report.counts;
        let originals = if self.job.original { ", after each puzzle itself" } else { "" };
        let left_out = match malformed + unanswered + wrong_answers {
            0 => String::new(),
            records => format!(
                " {} of the inputs had no copies: no puzzles, or without a right answer.",
                Counted(records, "record")
            ),
        };
        DataCard {
            title: "Isomorphs of Sudoku puzzles".to_owned(),
            summary: format!(
                "{} of {}{originals}.{left_out}",
                Counted(copies, "random isomorph"),
                Counted(puzzles, "Sudoku puzzle")
            ),
            work: Work::Made,
            command: "augment",
            options: options_of_card(given_options(&self.job), self.settings.max_branches),
            inputs: inputs.to_vec(),
            columns: Augment::COLUMNS,
            checks: self.checks(),
            classes: None,
            notes: vec![
                "The copies of a puzzle belong together: do not share them among training and test data. Split the \
                 puzzles before they are copied."
                    .to_owned(),
            ],
        }
    }

    /// The options for reading the copies of a corpus again: in the alphabets of its first input.
    pub fn card_options(&self, corpus: &Corpus) -> InputOptions {
        let alphabets = corpus.first_input().map(|input| *input.layout.alphabets()).unwrap_or_default();
        self.settings.to_read_rows(Size::ALL.into_iter().map(|size| alphabets.for_printing(size)).collect())
    }

    /// The checks of the data card: some hold for all copies by construction, some were not made.
    fn checks(&self) -> Vec<Check> {
        let answers =
            "where the inputs have answers, each solution is a full grid that keeps the clues and breaks no rule";
        vec![
            Check::by_construction(
                "each copy is an isomorph of its puzzle",
                "it was relabelled, permuted and transposed, and its answer with it; so it has as many solutions",
            ),
            Check::by_construction(
                "the copies of a puzzle differ from each other and from it",
                "repetitions were dropped",
            ),
            if self.job.unchecked {
                Check::not_made(answers)
            } else {
                Check::found(
                    answers,
                    "yes",
                    "the answers of the inputs were checked; records with others were left out",
                )
            },
            Check::not_made("each puzzle has exactly one solution"),
            Check::not_made("no two puzzles of the inputs are isomorphic"),
        ]
    }
}
