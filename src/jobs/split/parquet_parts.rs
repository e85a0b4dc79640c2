//! Splits Parquet files into Parquet files.

use std::io::{self, Write};
use std::time::Instant;

use super::Split;
use super::passes::Passed;
use super::report::{SplitReport, Tally};
use crate::corpus::Corpus;
use crate::jobs::copy::{check_rereadable, copy_parquet_rows};
use crate::jobs::{Execution, Finished, JobError};
use crate::pipeline::End;
use crate::resume::OutputError;

impl Split {
    /// Copies rows into outputs for the parts, and perhaps one more for records without a group; returns them. The first
    /// pass over the inputs reads the puzzles, the second copies rows. Takes 8 bytes of memory a record.
    pub(super) fn run_into_parquet<W: Write + Send>(
        &self,
        corpus: Corpus,
        mut outputs: Vec<W>,
        mut open_unsplit: impl FnMut() -> io::Result<W>,
        execution: &Execution,
    ) -> Result<(Finished<SplitReport>, Vec<W>), JobError> {
        let (start, parts) = (Instant::now(), outputs.len());
        check_rereadable(&corpus)?;
        let origins = corpus.origins().to_vec();
        let mut tally = Tally::new(parts);
        let ((end, stopped_after), seen) = self.see_groups(corpus, execution)?;
        if end == End::Stopped {
            let pass = Passed { end, stopped_after, values: seen.table };
            return Ok((self.finished(pass, tally, start), outputs));
        }
        if !seen.all_have_groups() {
            outputs.push(open_unsplit().map_err(OutputError::Write)?);
        }
        let mut choices = seen.choices(self.chooser(&seen)?);
        let choose = |_| {
            let (part, value) = choices.next().expect("there is a choice for each row");
            match part {
                Ok(part) => {
                    tally.count(part, value);
                    part
                }
                Err(reason) => {
                    tally.count_unsplit(reason);
                    Some(parts)
                }
            }
        };
        let (end, outputs) = copy_parquet_rows(&origins, outputs, seen.len(), choose, &execution.stop)?;
        drop(choices);
        let pass = Passed { end, stopped_after: None, values: seen.table };
        Ok((self.finished(pass, tally, start), outputs))
    }
}
