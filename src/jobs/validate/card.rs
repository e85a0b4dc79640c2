//! Describes files that were validated.

use serde_json::{Value, json};

use super::{AuditReport, Validate, ValidateReport};
use crate::card::DataCard;
use crate::format::InputOptions;
use crate::run::job::given_options;

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

impl ValidateReport {
    /// The report for a [description](Validate::card), with the words of the audit.
    pub fn for_card(&self) -> Value {
        let in_words = |audit: &AuditReport| {
            let alarms = audit.alarms_in_words().into_iter().map(|alarm| format!("alarm: {alarm}"));
            alarms.chain(audit.end_in_words()).collect::<Vec<_>>()
        };
        let audit = self.audit.as_ref().filter(|audit| audit.has_puzzles()).map(in_words);
        let mut report = json!(self);
        report["audit_in_words"] = json!(audit.unwrap_or_default());
        report
    }
}
