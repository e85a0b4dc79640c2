//! The knowledge of the jobs: what they say about the data that they make or check, and certificates.

use minijinja::value::Serde;
use serde_json::{Value, json};

use super::page::environment;
use super::{DataCard, SplitFile};
use crate::corpus::{Corpus, Origin};
use crate::format::{Alphabet, Alphabets, AnswerColumn, InputOptions};
use crate::jobs::split::PartFiles;
use crate::jobs::validate::{AuditReport, Certificate, ValidateReport};
use crate::jobs::{Augment, Generate, Split, Validate};
use crate::options::Percent;
use crate::puzzle::Size;
use crate::run::job::given_options;
use crate::run::settings::RowSettings;

/// The options to read the rows of a job again from a file. Their puzzles are in the column `puzzle` or, without one, in
/// the first column, and have symbols of these alphabets.
fn to_read_rows(settings: &RowSettings, alphabets: Vec<Alphabet>) -> InputOptions {
    let first = settings.columns.as_ref().and_then(|names| names.first());
    let puzzle_column = first.filter(|_| !settings.has_column("puzzle", true)).cloned();
    InputOptions { alphabets, puzzle_column, ..InputOptions::default() }
}

impl Augment {
    /// Describes the file of copies of a corpus, which are in the alphabets of its first input.
    pub fn card(&self, corpus: &Corpus) -> DataCard {
        let alphabets = corpus.first_input().map(|input| *input.layout.alphabets()).unwrap_or_default();
        let alphabets = Size::ALL.into_iter().map(|size| alphabets.for_printing(size)).collect();
        DataCard {
            command: Augment::NAME,
            template: include_str!("augment.md"),
            options: given_options(&self.job, self.settings.max_branches),
            inputs: corpus.origins().to_vec(),
            columns: Augment::COLUMNS,
            read: to_read_rows(&self.settings, alphabets),
        }
    }
}

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
            template: include_str!("generate.md"),
            options,
            inputs: not_in.to_vec(),
            columns: Generate::COLUMNS,
            // Any column may be the first, and the symbols are known.
            read: to_read_rows(&self.settings, vec![Alphabets::default().for_printing(spec.size)]),
        }
    }
}

impl Split {
    /// Describes the parts of a corpus. They are read like its inputs; the answers of a table are found by their usual
    /// names.
    pub fn card(&self, corpus: &Corpus) -> DataCard {
        let options = json!({
            "parts": self.parts.to_string(),
            "by": self.groups.by.to_string(),
            "seed": self.seed,
            "stratify": self.column,
            "bins": self.bins,
        });
        DataCard {
            command: "split",
            template: include_str!("split.md"),
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

impl Validate {
    /// Describes the files that the job validates, which are read with these options.
    pub fn card(&self, read: InputOptions) -> DataCard {
        DataCard {
            command: Validate::NAME,
            template: include_str!("validate.md"),
            options: given_options(&self.job.asked, self.settings.max_branches),
            inputs: vec![],
            columns: &[],
            read,
        }
    }
}

impl Certificate {
    /// The certificate as a page in Markdown.
    pub fn page(&self) -> String {
        let mut templates = environment();
        templates.add_filter("percent", |share: Option<f64>| Percent(share.unwrap_or(f64::NAN)).to_string());
        templates.add_filter("left", |text: &str, width: usize| format!("{text:width$}"));
        templates.add_filter("right", |text: &str, width: usize| format!("{text:>width$}"));
        let facts = minijinja::Value::from(Serde(json!(self)));
        let page = templates.render_str(include_str!("certificate.md"), facts);
        page.expect("the template names these facts") + "\n"
    }
}

impl ValidateReport {
    /// The report for a [description](Validate::card), with the words of the audit.
    pub fn for_card(&self) -> Value {
        let in_words = |audit: &AuditReport| {
            let alarms = audit.alarms.iter().map(|alarm| format!("alarm: {}", alarm.sentence));
            alarms.chain(audit.end_in_words()).collect::<Vec<_>>()
        };
        let audit = self.audit.as_ref().filter(|audit| audit.has_puzzles()).map(in_words);
        let mut report = json!(self);
        report["audit_in_words"] = json!(audit.unwrap_or_default());
        report
    }
}
