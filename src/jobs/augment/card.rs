//! Describes a file of copies.

use serde_json::json;

use super::{Augment, AugmentCounts};
use crate::card::{DataCard, options_of_card};
use crate::corpus::{Corpus, Origin};
use crate::format::InputOptions;
use crate::puzzle::Size;
use crate::run::job::given_options;

impl Augment {
    /// Describes the file that the job wrote from these inputs.
    pub fn card(&self, report: &AugmentCounts, inputs: &[Origin]) -> DataCard {
        DataCard {
            command: Augment::NAME,
            template: include_str!("card.md"),
            options: options_of_card(given_options(&self.job), self.settings.max_branches),
            report: json!(report),
            inputs: inputs.to_vec(),
            columns: Augment::COLUMNS,
        }
    }

    /// The options for reading the copies of a corpus again: in the alphabets of its first input.
    pub fn card_options(&self, corpus: &Corpus) -> InputOptions {
        let alphabets = corpus.first_input().map(|input| *input.layout.alphabets()).unwrap_or_default();
        self.settings.to_read_rows(Size::ALL.into_iter().map(|size| alphabets.for_printing(size)).collect())
    }
}
