//! Describes files that were validated.

use serde_json::json;

use super::{AskedChecks, AuditReport, Validate, ValidateReport};
use crate::card::{DataCard, options_of_card};
use crate::run::Rows;
use crate::run::job::given_options;

impl Validate {
    /// The checks that are asked for, to describe the files after the run.
    pub fn asked_checks(&self) -> Rows<AskedChecks> {
        Rows { job: self.job.asked.clone(), settings: self.settings.clone() }
    }
}

impl Rows<AskedChecks> {
    /// Describes the files that were validated.
    pub fn card(&self, report: &ValidateReport) -> DataCard {
        let in_words = |audit: &AuditReport| {
            let alarms = audit.alarms_in_words().into_iter().map(|alarm| format!("alarm: {alarm}"));
            alarms.chain(audit.end_in_words()).collect::<Vec<_>>()
        };
        let audit = report.audit.as_ref().filter(|audit| audit.has_puzzles()).map(in_words);
        let mut report = json!(report);
        report["audit_in_words"] = json!(audit.unwrap_or_default());
        DataCard {
            command: Validate::NAME,
            template: include_str!("card.md"),
            options: options_of_card(given_options(&self.job), self.settings.max_branches),
            report,
            inputs: vec![],
            columns: &[],
        }
    }
}
