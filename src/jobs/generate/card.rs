//! Describes a file of generated puzzles.

use serde_json::json;

use super::Generate;
use crate::card::DataCard;
use crate::corpus::Origin;
use crate::format::Alphabets;
use crate::run::job::given_options;

impl Generate {
    /// Describes the file that the job writes; `not_in` are the inputs of the [known classes](Generate::not_in).
    pub fn card(&self, not_in: &[Origin]) -> DataCard {
        let (mut options, spec) = (given_options(&self.job, self.settings.max_branches), self.job.spec());
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
            options,
            inputs: not_in.to_vec(),
            columns: Generate::COLUMNS,
            // Any column may be the first, and the symbols are known.
            read: self.settings.to_read_rows(vec![Alphabets::default().for_printing(spec.size)]),
        }
    }
}
