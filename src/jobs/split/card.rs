//! Describes the parts of a split.

use serde_json::{Map, Value, json};

use super::{PartFiles, Split, SplitReport, UNSPLIT};
use crate::card::{Check, DataCard, SplitFile, Work, options_of_card};
use crate::copy::GroupBy;
use crate::corpus::{Corpus, Origin};
use crate::format::{AnswerColumn, InputOptions};
use crate::run::job::given_options;
use crate::stats::{Counted, WithCommas};

impl Split {
    /// Describes the parts that the job wrote from these inputs.
    pub fn card(&self, report: &SplitReport, inputs: &[Origin]) -> DataCard {
        let records = report.parts.iter().map(|part| part.records).sum();
        let mut notes = vec![];
        if report.unsplit.total() > 0 {
            let reasons = report.unsplit.iter().map(|(reason, count)| format!("{} {reason}", WithCommas(count)));
            notes.push(format!(
                "{} of the inputs cannot be compared, and are in no split but in a file of their own, {UNSPLIT}: {}.",
                Counted(report.unsplit.total(), "record"),
                reasons.collect::<Vec<_>>().join(", ")
            ));
        }
        if report.left_out > 0 {
            notes.push(format!(
                "{} of the inputs are in no split: the splits have exact sizes.",
                Counted(report.left_out, "record")
            ));
        }
        DataCard {
            title: "Sudoku puzzles in splits".to_owned(),
            summary: format!(
                "{} in {}: {}.",
                Counted(records, "record"),
                Counted(report.parts.len() as u64, "split"),
                report.parts.iter().map(|part| &*part.name).collect::<Vec<_>>().join(", ")
            ),
            work: Work::Made,
            command: "split",
            options: options_of_card(self.options(), self.groups.max_branches),
            inputs: inputs.to_vec(),
            columns: &[],
            checks: self.checks(),
            classes: None,
            notes,
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

    /// The options that the splits depend on.
    fn options(&self) -> Map<String, Value> {
        given_options(&json!({
            "parts": self.parts.to_string(),
            "by": self.groups.by.to_string(),
            "seed": self.seed,
            "stratify": self.column,
        }))
    }

    /// The properties that the splits have, and the properties that were not checked.
    fn checks(&self) -> Vec<Check> {
        let (puzzles, classes, solutions) = (
            "no puzzle is in two splits",
            "no puzzle has an isomorph in another split",
            "no puzzle has an isomorphic solution in another split",
        );
        let how = match self.groups.by {
            GroupBy::Puzzle => "all records of a puzzle go to the same split",
            GroupBy::Class => "all records of a class of puzzles go to the same split",
            GroupBy::Solution => "all records with a class of solutions go to the same split",
        };
        let together = |what, is_so| if is_so { Check::by_construction(what, how) } else { Check::not_made(what) };
        let by = self.groups.by;
        vec![
            together(puzzles, true),
            together(classes, by != GroupBy::Puzzle),
            together(solutions, by == GroupBy::Solution),
            match by {
                GroupBy::Solution => Check::found(
                    "each puzzle has exactly one solution",
                    "yes",
                    "all were solved; records without exactly one solution are in no split",
                ),
                _ => Check::not_made("each puzzle has exactly one solution"),
            },
            Check::not_made("the answers are right"),
            Check::not_made("no puzzle is twice in a split"),
        ]
    }
}
