//! Chooses the record of each group to keep: the first record or, after the last record, the one with the best value.
//! Dropped records may go to a table.
//! dropped may go to a table.

use std::cmp::Ordering;
use std::io;

use super::Keep;
use crate::canon::Key;
use crate::copy::{Chooser, FieldNumber, GroupedRecord, NoKey, NoKeyCounts};
use crate::corpus::RecordView;
use crate::lookup::{Files, FirstSeen, Location};
use crate::output::{OutputError, OutputFile};
use crate::pipeline::End;
use crate::run::JobError;

/// The note of a worker on a record: the key of its group, and its number in the column that the job reads.
pub(super) type DedupeNote = (Result<Key, NoKey>, Option<FieldNumber>);

/// The note on a record.
pub(super) fn note(record: GroupedRecord<'_>, _: &mut Vec<u8>) -> DedupeNote {
    (record.key, FieldNumber::parse(record.value))
}

/// The numbers of records by outcome.
#[derive(Debug, Default)]
pub(super) struct DedupeCounts {
    pub(super) kept: u64,
    pub(super) dropped: u64,
    pub(super) no_key: NoKeyCounts,
    pub(super) without_number: u64,
}

/// Chooses the only output for kept records, and no output for dropped ones.
pub(super) struct DedupeChooser {
    groups: Groups,
    files: Files,
    dropped: Dropped,
    counts: DedupeCounts,
}

/// The records of each group so far.
enum Groups {
    First(FirstSeen),
    Best(BestRecords),
}

impl DedupeChooser {
    /// Writes the dropped records to a table.
    pub(super) fn new(keep: &Keep, dropped: Dropped) -> DedupeChooser {
        let groups = match keep.best() {
            None => Groups::First(FirstSeen::default()),
            Some((_, best)) => Groups::Best(BestRecords::new(best)),
        };
        DedupeChooser { groups, files: Files::default(), dropped, counts: DedupeCounts::default() }
    }

    /// Completes the table if the run is complete; returns the counts.
    pub(super) fn finish(self, end: End) -> Result<DedupeCounts, JobError> {
        if end == End::Complete {
            self.dropped.finish()?;
        }
        Ok(self.counts)
    }

    /// Keeps a record, or drops it if it repeats the record at a location.
    fn keep_or_drop(&mut self, record: &RecordView<'_>, repeated: Option<Location>) -> io::Result<Option<usize>> {
        let Some(repeated) = repeated else {
            self.counts.kept += 1;
            return Ok(Some(0));
        };
        self.counts.dropped += 1;
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
            self.counts.no_key.count(reason);
        }
        match &mut self.groups {
            Groups::First(seen) => {
                let first = key.ok().and_then(|key| seen.insert(key, location));
                self.keep_or_drop(record, first)
            }
            Groups::Best(best) => {
                self.counts.without_number += u64::from(value.is_none());
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

/// The value that is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Best {
    Largest,
    Smallest,
}

impl Best {
    /// The order of a better value relative to a worse one.
    fn side(self) -> Ordering {
        match self {
            Best::Largest => Ordering::Greater,
            Best::Smallest => Ordering::Less,
        }
    }
}

/// The best record of each group so far. Takes up to 64 bytes for each group, and 4 for each record.
struct BestRecords {
    best: Best,
    /// The groups; their locations contain their numbers.
    groups: FirstSeen,
    records: Vec<BestRecord>,
    /// The group of each record by position, or [`NO_GROUP`].
    group_of: Vec<u32>,
}

#[derive(Clone, Copy)]
struct BestRecord {
    location: Location,
    /// The position among all records, from 0.
    position: u64,
    value: Option<FieldNumber>,
}

/// The number for records without a group.
const NO_GROUP: u32 = u32::MAX;

impl BestRecords {
    fn new(best: Best) -> BestRecords {
        BestRecords { best, groups: FirstSeen::default(), records: vec![], group_of: vec![] }
    }

    /// Adds the next record. A record without a value is worse than any with one; ties go to the first.
    fn push(&mut self, key: Option<Key>, location: Location, value: Option<FieldNumber>) {
        let Some(key) = key else { return self.group_of.push(NO_GROUP) };
        let position = self.group_of.len() as u64;
        let record = BestRecord { location, position, value };
        let new = u32::try_from(self.records.len()).ok().filter(|&new| new != NO_GROUP);
        let new = new.expect("4 billion groups take more memory than there is");
        let Some(known) = self.groups.insert(key, Location::new(0, u64::from(new) + 1)) else {
            self.records.push(record);
            return self.group_of.push(new);
        };
        let group = known.line() - 1;
        self.group_of.push(group as u32);
        let best = &mut self.records[group as usize];
        let is_better = match (record.value, best.value) {
            (Some(value), Some(best)) => value.order(best) == self.best.side(),
            (value, best) => value.is_some() && best.is_none(),
        };
        if is_better {
            *best = record;
        }
    }

    /// The location of the record that the record at a position repeats; `None` if the latter is the best of its group,
    /// or has no group.
    fn repeated_by(&self, position: usize) -> Option<Location> {
        let best = self.records.get(self.group_of[position] as usize)?;
        (best.position != position as u64).then_some(best.location)
    }
}

/// The table, if requested: CSV with the columns `line`, `repeats_line` and `record` and, with several inputs, also
/// `file` and `repeats_file`.
pub(super) struct Dropped {
    table: Option<csv::Writer<OutputFile>>,
    /// Whether rows name the inputs, because there are several.
    names_inputs: bool,
}

impl Dropped {
    /// Writes the header.
    pub(super) fn new(output: Option<OutputFile>, names_inputs: bool) -> Result<Dropped, OutputError> {
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
    pub(super) fn write(&mut self, record: &RecordView<'_>, repeated: Location, files: &Files) -> io::Result<()> {
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
    pub(super) fn finish(self) -> Result<(), JobError> {
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
            for (best, expected) in [(Best::Largest, largest), (Best::Smallest, smallest)] {
                let mut records = BestRecords::new(best);
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
