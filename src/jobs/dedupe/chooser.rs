//! Chooses which record of each group is kept: the first, or after the last record the one with the best value.

use std::io;

use super::Keep;
use super::best_records::BestRecords;
use super::dropped::Dropped;
use crate::canon::Key;
use crate::corpus::RecordView;
use crate::jobs::JobError;
use crate::jobs::copying::{Chooser, GroupedRecord, NoKey, NoKeyCounts, Number};
use crate::jobs::first_seen::{Files, FirstSeen, Location};
use crate::pipeline::End;

/// What a worker finds out about a record: the key of its group, and its number in the column that is read.
pub(super) type DedupeNote = (Result<Key, NoKey>, Option<Number>);

/// The note on a record.
pub(super) fn note(record: GroupedRecord<'_>, _: &mut Vec<u8>) -> DedupeNote {
    (record.key, Number::parse(record.value))
}

/// The records of a run by what became of them.
#[derive(Debug, Default)]
pub(super) struct DedupeCounts {
    pub(super) kept: u64,
    pub(super) dropped: u64,
    pub(super) no_key: NoKeyCounts,
    pub(super) without_number: u64,
}

/// Chooses the only output for records that are kept, and none for those that are dropped.
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
    /// Writes the records that are dropped to a table.
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

    /// Keeps a record, or drops it if it repeats the one at a location.
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
