//! Describes the parts of a split.

use serde_json::json;

use super::{PartFiles, Split, SplitReport};
use crate::card::{DataCard, SplitFile, options_of_card};
use crate::corpus::{Corpus, Origin};
use crate::format::{AnswerColumn, InputOptions};
use crate::run::job::given_options;

impl Split {
    /// Describes the parts that the job wrote from these inputs.
    pub fn card(&self, report: &SplitReport, inputs: &[Origin]) -> DataCard {
        let options = json!({
            "parts": self.parts.to_string(),
            "by": self.groups.by.to_string(),
            "seed": self.seed,
            "stratify": self.column,
        });
        DataCard {
            command: "split",
            template: include_str!("card.md"),
            options: options_of_card(given_options(&options), self.groups.max_branches),
            report: json!(report),
            inputs: inputs.to_vec(),
            columns: &[],
        }
    }

    /// The files of the parts. The records that belong to no group are not a part.
    pub fn card_files(&self, corpus: &Corpus, files: &PartFiles) -> Vec<SplitFile> {
        let paths = self.targets(corpus, files).filter_map(|target| target.path);
        let names = self.parts.names().map(|name| Some(name.to_owned()));
        names.zip(paths).map(|(name, path)| SplitFile { name, path }).collect()
    }

    /// The options for reading the parts of a corpus again: the same as for its inputs. The answers of a table are
    /// found by their usual names.
    pub fn card_options(&self, corpus: &Corpus) -> InputOptions {
        InputOptions { answer: AnswerColumn::ByName, keep: vec![], ..corpus.options().clone() }
    }
}
