//! Finds the record of each group with the largest or smallest value of a column.

use std::cmp::Ordering;

use crate::canon::Key;
use crate::jobs::copying::Number;
use crate::jobs::first_seen::{FirstSeen, Location};

/// Which value is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Best {
    Largest,
    Smallest,
}

impl Best {
    /// The order of a better value to a worse one.
    fn side(self) -> Ordering {
        match self {
            Best::Largest => Ordering::Greater,
            Best::Smallest => Ordering::Less,
        }
    }
}

/// The best record of each group so far. Takes up to 64 bytes for a group, and 4 for a record.
pub(super) struct BestRecords {
    best: Best,
    /// The groups, by the numbers of their locations.
    groups: FirstSeen,
    records: Vec<BestRecord>,
    /// The group of each record, by its position, or [`NO_GROUP`].
    group_of: Vec<u32>,
}

#[derive(Clone, Copy)]
struct BestRecord {
    location: Location,
    /// Its position among all records, from 0.
    position: u64,
    value: Option<Number>,
}

/// Stands for the group of a record that has none.
const NO_GROUP: u32 = u32::MAX;

impl BestRecords {
    pub(super) fn new(best: Best) -> BestRecords {
        BestRecords { best, groups: FirstSeen::default(), records: vec![], group_of: vec![] }
    }

    /// Adds the next record. One without a value is worse than one with any; of equals, the first is the best.
    pub(super) fn push(&mut self, key: Option<Key>, location: Location, value: Option<Number>) {
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

    /// The location of the record that the one at a position repeats; `None` if that is the best of its group, or has no
    /// group.
    pub(super) fn repeated_by(&self, position: usize) -> Option<Location> {
        let best = self.records.get(self.group_of[position] as usize)?;
        (best.position != position as u64).then_some(best.location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_values_is_kept() {
        let (nan, one, two) = (None, Some(Number::Integer(1)), Some(Number::Real(2.0)));
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
