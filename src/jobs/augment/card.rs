//! Describes a file of copies.

use super::Augment;
use crate::card::DataCard;
use crate::corpus::Corpus;
use crate::puzzle::Size;
use crate::run::job::given_options;

impl Augment {
    /// Describes the file of copies of a corpus, which are in the alphabets of its first input.
    pub fn card(&self, corpus: &Corpus) -> DataCard {
        let alphabets = corpus.first_input().map(|input| *input.layout.alphabets()).unwrap_or_default();
        let alphabets = Size::ALL.into_iter().map(|size| alphabets.for_printing(size)).collect();
        DataCard {
            command: Augment::NAME,
            template: include_str!("card.md"),
            options: given_options(&self.job, self.settings.max_branches),
            inputs: corpus.origins().to_vec(),
            columns: Augment::COLUMNS,
            read: self.settings.to_read_rows(alphabets),
        }
    }
}
