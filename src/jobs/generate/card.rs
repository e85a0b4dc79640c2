//! Describes a file of generated puzzles.

use serde_json::json;

use super::{Generate, GenerateCounts};
use crate::card::{DataCard, options_of_card};
use crate::corpus::Origin;
use crate::format::{Alphabets, InputOptions};
use crate::run::job::given_options;

impl Generate {
    /// Describes the file that the job has written; `not_in` are the inputs of the [known classes](Generate::not_in).
    pub fn card(&self, report: &GenerateCounts, not_in: &[Origin]) -> DataCard {
        let (mut options, spec) = (given_options(&self.job), self.job.spec());
        options.insert("size".into(), json!(spec.size));
        if spec.is_minimal() {
            options.insert("minimal".into(), json!(true));
        }
        if !not_in.is_empty() {
            options.insert("not-in".into(), json!("the inputs below"));
        }
        DataCard {
            command: Generate::NAME,
            template: include_str!("card.md"),
            options: options_of_card(options, self.settings.max_branches),
            report: json!(report),
            inputs: not_in.to_vec(),
            columns: Generate::COLUMNS,
        }
    }

    /// The options for reading the file: any column may be the first, and the symbols are known.
    pub fn card_options(&self) -> InputOptions {
        self.settings.to_read_rows(vec![Alphabets::default().for_printing(self.job.spec().size)])
    }
}
