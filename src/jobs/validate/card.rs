//! Describes files that were validated, and prints certificates.

use minijinja::value::Serde;
use serde_json::{Value, json};

use super::{AuditReport, Certificate, Validate, ValidateReport};
use crate::card::{DataCard, environment};
use crate::format::InputOptions;
use crate::run::job::given_options;
use crate::stats::Percent;

impl Validate {
    /// Describes the files that the job validates, which are read with these options.
    pub fn card(&self, read: InputOptions) -> DataCard {
        DataCard {
            command: Validate::NAME,
            template: include_str!("card.md"),
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
