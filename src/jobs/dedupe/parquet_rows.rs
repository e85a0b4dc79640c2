//! Removes repetitions from Parquet files.

use std::io::{self, Write};
use std::time::Instant;

use super::dropped::Dropped;
use super::passes::{DedupeCounts, KeptOutput};
use super::{Dedupe, DedupeReport};
use crate::corpus::Corpus;
use crate::jobs::copy::{CopyError, check_rereadable, copy_parquet_rows};
use crate::jobs::{Execution, Finished, JobError};
use crate::pipeline::End;
use crate::resume::OutputError;
use crate::rows::FileColumn;

impl Dedupe {
    /// Copies rows to an output, and returns it. The first pass over the inputs finds the best record of each group, the
    /// second copies rows; one between them writes the table of those that are dropped, if it is wanted.
    pub(super) fn run_into_parquet<W: Write + Send>(
        mut self,
        corpus: Corpus,
        output: W,
        execution: &Execution,
    ) -> Result<(Finished<DedupeReport>, W), JobError> {
        let start = Instant::now();
        check_rereadable(&corpus)?;
        let (origins, again) = (corpus.origins().to_vec(), corpus.open_again()?);
        let file = FileColumn::for_inputs(origins.len());
        let dropped = Dropped::new(self.dropped.take(), file)?;
        let table = corpus.first_input().ok_or(CopyError::Changed)?.clone();
        let mut counts = DedupeCounts::default();
        let (pass, best) = self.find_best(corpus, self.keep.best(), &mut counts, execution)?;
        if pass.0 == End::Stopped {
            return Ok((self.finished(&counts, pass, start), output));
        }
        // The text of the records is needed only for the table of those that are dropped.
        let mut texts = KeptOutput::new(&table, io::sink(), dropped).map_err(OutputError::Write)?;
        let end = texts.copy_best(again, &best, execution)?;
        let (second, _) = texts.finish(end)?;
        (counts.kept, counts.dropped) = (second.kept, second.dropped);
        if end == End::Stopped {
            return Ok((self.finished(&counts, (end, None), start), output));
        }
        let choose = |position| best.repeated_by(position).is_none().then_some(0);
        let (end, mut outputs) = copy_parquet_rows(&origins, vec![output], best.len(), choose, &execution.stop)?;
        let output = outputs.pop().expect("there is one output");
        Ok((self.finished(&counts, (end, None), start), output))
    }
}
