//! Copies a corpus without repetitions: one record of each group.
//!
//! The record to keep is the first of its group or, chosen after the last record, the one with the best value. Dropped
//! records may go to a table.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::time::Instant;

use serde::Serialize;

use crate::canon::Key;
use crate::copy::{
    Chooser, FieldNumber, GroupBy, GroupFinder, GroupedRecord, NoKey, NoKeyCounts, RecordCopier, copy_records,
    copying_job_runs,
};
use crate::corpus::{Corpus, RecordView};
use crate::engine::MaxBranches;
use crate::lookup::{Files, FirstSeen, Location};
use crate::output::{OutputError, OutputFile};
use crate::pipeline::End;
use crate::run::{EngineSource, Execution, Finished, JobError, kept_column};

/// Copies one record of each group, and all records that belong to no group, unchanged and in order.
///
/// By default, all isomorphs of a puzzle are a group, and the first record of each group is kept. Takes 30 to 40 bytes
/// of memory for each group.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Dedupe, Execution};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut kept = Vec::new();
/// let job = Dedupe::new().by(gridmill::jobs::GroupBy::Puzzle);
/// let report = job.run(corpus, &mut kept, &Execution::new())?.report;
/// assert_eq!((report.records, report.kept, report.dropped), (200, 200, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Dedupe {
    groups: GroupFinder,
    keep: Keep,
    dropped: Option<OutputFile>,
}

/// The record of a group to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The record with the largest number in a column; ties go to the first. A record without a number is kept only if
    /// no record of the group has one, and it is the first.
    Largest(String),
    /// The record with the smallest number in a column, in the same way.
    Smallest(String),
}

copying_job_runs!(Dedupe, DedupeReport);

/// Results of [`Dedupe`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct DedupeReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The number of records that were copied.
    pub kept: u64,
    /// The number of records that repeat a copied one.
    pub dropped: u64,
    /// The records that belong to no group, by reason. They were copied.
    pub not_compared: NoKeyCounts,
    /// The number of records without a number in the column of [`Keep`]; `None` without a column.
    pub without_number: Option<u64>,
}

impl Keep {
    /// The column, and the order of a better value in it relative to a worse one.
    fn best(&self) -> Option<(&str, Ordering)> {
        match self {
            Keep::First => None,
            Keep::Largest(column) => Some((column, Ordering::Greater)),
            Keep::Smallest(column) => Some((column, Ordering::Less)),
        }
    }
}

impl Dedupe {
    /// Keeps the first record of each class.
    pub fn new() -> Dedupe {
        Dedupe::default()
    }

    /// Copies records, and returns the output.
    fn copy<W: Write + Send>(
        self,
        corpus: Corpus,
        mut copier: RecordCopier<'_, W>,
        execution: &Execution,
    ) -> Result<(Finished<DedupeReport>, Vec<W>), JobError> {
        let start = Instant::now();
        let column = self.keep.best().map(|(column, _)| kept_column(&corpus, column)).transpose()?;
        let dropped = Dropped::new(self.dropped, corpus.origins().len() > 1)?;
        let mut chooser = DedupeChooser::new(&self.keep, dropped);
        let workers = self.groups.workers(column, note, execution)?;

        let (end, stopped_after) = copy_records(corpus, workers, &mut chooser, &mut copier, execution)?;
        let outputs = copier.finish()?;
        let report = chooser.finish(end)?;
        let run = execution.facts(start, report.records, self.groups.engine.name(), stopped_after);
        Ok((Finished { report, run, end, partial: None }, outputs))
    }
}

setters!(Dedupe {
    /// Sets the property that the records of a group share.
    by(by: GroupBy) => groups.by = by;

    /// Sets the record of a group to keep. If that depends on a column, the column must be among those that the corpus
    /// [keeps](crate::format::InputOptions::keep), and the inputs are read twice; each record takes 4 bytes of memory,
    /// and each group 24 more.
    keep(keep: Keep) => keep = keep;

    /// Writes a table of the dropped records to this output: CSV with the columns `line`, `repeats_line` and `record`
    /// and, with several inputs, also `file` and `repeats_file`.
    dropped(dropped: OutputFile) => dropped = Some(dropped);

    /// Sets the engine.
    engine(engine: impl Into<EngineSource>) => groups.engine = engine.into();

    /// Sets the maximum number of branches of the search for a puzzle; a puzzle that needs more belongs to no group.
    max_branches(max_branches: MaxBranches) => groups.max_branches = max_branches;
});

/// The note of a worker on a record: the key of its group, and its number in the column that the job reads.
type DedupeNote = (Result<Key, NoKey>, Option<FieldNumber>);

/// The note on a record.
fn note(record: GroupedRecord<'_>, _: &mut Vec<u8>) -> DedupeNote {
    (record.key, FieldNumber::parse(record.value))
}

/// Chooses the only output for kept records, and no output for dropped ones.
struct DedupeChooser {
    groups: Groups,
    files: Files,
    dropped: Dropped,
    /// The numbers so far, apart from the sum of all records.
    report: DedupeReport,
}

/// The records of each group so far.
enum Groups {
    First(FirstSeen),
    Best(BestRecords),
}

impl DedupeChooser {
    /// Writes the dropped records to a table.
    fn new(keep: &Keep, dropped: Dropped) -> DedupeChooser {
        let groups = match keep.best() {
            None => Groups::First(FirstSeen::default()),
            Some((_, better)) => Groups::Best(BestRecords::new(better)),
        };
        let report = DedupeReport { without_number: keep.best().map(|_| 0), ..DedupeReport::default() };
        DedupeChooser { groups, files: Files::default(), dropped, report }
    }

    /// Completes the table if the run is complete; returns the report.
    fn finish(self, end: End) -> Result<DedupeReport, JobError> {
        if end == End::Complete {
            self.dropped.finish()?;
        }
        Ok(DedupeReport { records: self.report.kept + self.report.dropped, ..self.report })
    }

    /// Keeps a record, or drops it if it repeats the record at a location.
    fn keep_or_drop(&mut self, record: &RecordView<'_>, repeated: Option<Location>) -> io::Result<Option<usize>> {
        let Some(repeated) = repeated else {
            self.report.kept += 1;
            return Ok(Some(0));
        };
        self.report.dropped += 1;
        self.dropped.write(record, repeated, &self.files)?;
        Ok(None)
    }
}

impl Chooser for DedupeChooser {
    type Note = DedupeNote;

    fn is_late(&self) -> bool {
        matches!(self.groups, Groups::Best(_))
    }

    fn see(&mut self, (key, value): DedupeNote, _: &[u8], record: &RecordView<'_>) -> io::Result<Option<usize>> {
        let location = self.files.location(record.input, record.line);
        if let Err(reason) = key {
            self.report.not_compared.count(reason);
        }
        match &mut self.groups {
            Groups::First(seen) => {
                let first = key.ok().and_then(|key| seen.insert(key, location));
                self.keep_or_drop(record, first)
            }
            Groups::Best(best) => {
                *self.report.without_number.get_or_insert(0) += u64::from(value.is_none());
                best.push(key.ok(), location, value);
                Ok(None)
            }
        }
    }

    fn choose(&mut self, position: usize, record: &RecordView<'_>) -> io::Result<Option<usize>> {
        let Groups::Best(best) = &self.groups else { return Ok(None) };
        let repeated = best.repeated_by(position);
        self.keep_or_drop(record, repeated)
    }
}

/// The best record of each group so far. Takes up to 64 bytes for each group, and 4 for each record.
struct BestRecords {
    /// The order of a better value relative to a worse one.
    better: Ordering,
    groups: FirstSeen<GroupNumber>,
    records: Vec<BestRecord>,
    /// The group of each record by position; `None` for a record that belongs to no group.
    group_of: Vec<Option<GroupNumber>>,
}

/// The number of a group, from 1, in the order of their first records.
#[derive(Clone, Copy, Debug)]
struct GroupNumber(NonZeroU32);

#[derive(Clone, Copy)]
struct BestRecord {
    location: Location,
    /// The position among all records, from 0.
    position: u64,
    value: Option<FieldNumber>,
}

impl GroupNumber {
    /// The number of the group after `groups` groups.
    fn after(groups: usize) -> GroupNumber {
        let number = u32::try_from(groups + 1).ok().and_then(NonZeroU32::new);
        GroupNumber(number.expect("4 billion groups take more memory than there is"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl BestRecords {
    fn new(better: Ordering) -> BestRecords {
        BestRecords { better, groups: FirstSeen::default(), records: vec![], group_of: vec![] }
    }

    /// Adds the next record. A record without a value is worse than any with one; ties go to the first.
    fn push(&mut self, key: Option<Key>, location: Location, value: Option<FieldNumber>) {
        let Some(key) = key else { return self.group_of.push(None) };
        let record = BestRecord { location, position: self.group_of.len() as u64, value };

        let new = GroupNumber::after(self.records.len());
        let known = self.groups.insert(key, new);
        self.group_of.push(Some(known.unwrap_or(new)));
        let Some(group) = known else { return self.records.push(record) };

        let best = &mut self.records[group.index()];
        let is_better = match (record.value, best.value) {
            (Some(value), Some(best)) => value.order(best) == self.better,
            (value, best) => value.is_some() && best.is_none(),
        };
        if is_better {
            *best = record;
        }
    }

    /// The location of the record that the record at a position repeats; `None` if the latter is the best of its group,
    /// or has no group.
    fn repeated_by(&self, position: usize) -> Option<Location> {
        let best = self.records[self.group_of[position]?.index()];
        (best.position != position as u64).then_some(best.location)
    }
}

/// The table, if requested: CSV with the columns `line`, `repeats_line` and `record` and, with several inputs, also
/// `file` and `repeats_file`.
struct Dropped {
    table: Option<csv::Writer<OutputFile>>,
    /// Whether rows name their inputs: the run has several.
    names_inputs: bool,
}

impl Dropped {
    /// Writes the header.
    fn new(output: Option<OutputFile>, names_inputs: bool) -> Result<Dropped, OutputError> {
        let mut table = output.map(|output| csv::WriterBuilder::new().buffer_capacity(1 << 17).from_writer(output));
        if let Some(table) = &mut table {
            let header = if names_inputs {
                &["file", "line", "repeats_file", "repeats_line", "record"][..]
            } else {
                &["line", "repeats_line", "record"]
            };
            table.write_record(header).map_err(|error| OutputError::Write(io_error(error)))?;
        }
        Ok(Dropped { table, names_inputs })
    }

    /// Writes a record that repeats the record at a location.
    fn write(&mut self, record: &RecordView<'_>, repeated: Location, files: &Files) -> io::Result<()> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let (line, repeats_line) = (record.line.to_string(), repeated.line().to_string());
        let (line, repeats_line) = (line.as_bytes(), repeats_line.as_bytes());
        let text = record.text();
        let written = if self.names_inputs {
            let (name, repeats_name) = (record.input.name.as_bytes(), files.name(repeated).as_bytes());
            table.write_record([name, line, repeats_name, repeats_line, &text])
        } else {
            table.write_record([line, repeats_line, &text])
        };
        written.map_err(io_error)
    }

    /// Completes the table.
    fn finish(self) -> Result<(), JobError> {
        let Some(table) = self.table else { return Ok(()) };
        let output = table.into_inner().map_err(|error| OutputError::Write(error.into_error()))?;
        Ok(output.finish()?)
    }
}

/// The error of the output. There are no other errors: any fields can be written.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_values_is_kept() {
        let (nan, one, two) = (None, Some(FieldNumber::Integer(1)), Some(FieldNumber::Real(2.0)));
        for (values, largest, smallest) in [
            (&[one, two, two][..], 2, 1),
            (&[two, one, one], 1, 2),
            (&[nan, nan, nan], 1, 1),
            (&[nan, two, nan, one], 2, 4),
            (&[one, one], 1, 1),
        ] {
            for (better, expected) in [(Ordering::Greater, largest), (Ordering::Less, smallest)] {
                let mut records = BestRecords::new(better);
                records.push(None, Location::new(0, 77), one);
                for (line, &value) in (1..).zip(values) {
                    records.push(Some(Key::of_cells(&[1; 16])), Location::new(0, line), value);
                    records.push(Some(Key::of_cells(&[2; 16])), Location::new(1, line), nan);
                }
                assert_eq!(records.repeated_by(0), None);
                for (position, line) in (1..).zip(1..=values.len() as u64) {
                    let repeated = (line != expected).then_some(Location::new(0, expected));
                    assert_eq!(records.repeated_by(2 * position - 1), repeated, "{values:?}");
                    assert_eq!(records.repeated_by(2 * position), (line != 1).then_some(Location::new(1, 1)));
                }
            }
        }
    }
}
