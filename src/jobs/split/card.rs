//! Describes the parts of a split.

use serde_json::json;

use super::{PartFiles, Split};
use crate::card::{DataCard, SplitFile};
use crate::corpus::Corpus;
use crate::format::{AnswerColumn, InputOptions};
use crate::run::job::given_options;

impl Split {
    /// Describes the parts of a corpus. They are read like its inputs; the answers of a table are found by their usual
    /// names.
    pub fn card(&self, corpus: &Corpus) -> DataCard {
        let options = json!({
            "parts": self.parts.to_string(),
            "by": self.groups.by.to_string(),
            "seed": self.seed,
            "stratify": self.column,
        });
        DataCard {
            command: "split",
            template: include_str!("card.md"),
            options: given_options(&options, self.groups.max_branches),
            inputs: corpus.origins().to_vec(),
            columns: &[],
            read: InputOptions { answer: AnswerColumn::ByName, keep: vec![], ..corpus.options().clone() },
        }
    }

    /// The files of the parts. The records that belong to no group are not a part.
    pub fn card_files(&self, corpus: &Corpus, files: &PartFiles) -> Vec<SplitFile> {
        let paths = self.targets(corpus, files).filter_map(|target| target.path);
        let names = self.parts.names().map(|name| Some(name.to_owned()));
        names.zip(paths).map(|(name, path)| SplitFile { name, path }).collect()
    }
}
