//! Chooses groups for parts that have exact numbers of records.

use super::parts::Parts;
use crate::jobs::copying::CopyError;

/// The part of each group, by the hash of its key.
#[derive(Debug)]
pub(super) struct ExactSizes {
    /// Runs of groups with the same part, ascending by hash: the last hash of each run, and its part; `None` for the
    /// groups that no part gets.
    runs: Vec<(u64, Option<usize>)>,
}

impl ExactSizes {
    /// Takes the groups in the order of their hashes. Each goes to the first part that still has room for all its
    /// records, or else to the part that gets the rest, if there is one.
    ///
    /// `hashes` has that of each record. `sizes` are the numbers of records, `None` for the rest.
    pub(super) fn choose(mut hashes: Vec<u64>, sizes: &[Option<u64>], parts: &Parts) -> Result<ExactSizes, CopyError> {
        hashes.sort_unstable();
        let rest = sizes.iter().position(Option::is_none);
        let mut room: Vec<u64> = sizes.iter().map(|size| size.unwrap_or(0)).collect();
        let mut runs: Vec<(u64, Option<usize>)> = vec![];
        for group in hashes.chunk_by(|a, b| a == b) {
            let records = group.len() as u64;
            let part = room.iter().position(|&room| room >= records);
            if let Some(part) = part {
                room[part] -= records;
            }
            let part = part.or(rest);
            match runs.last_mut() {
                Some((last, same)) if *same == part => *last = group[0],
                _ => runs.push((group[0], part)),
            }
        }
        for ((name, &room), &size) in parts.names().zip(&room).zip(sizes) {
            if room > 0 {
                let wanted = size.unwrap_or(0);
                return Err(CopyError::TooFew { part: name.to_owned(), wanted, found: wanted - room });
            }
        }
        Ok(ExactSizes { runs })
    }

    /// The part of a group that was among those to choose from.
    pub(super) fn part_of(&self, hash: u64) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|&(last, _)| last < hash)).and_then(|&(_, part)| part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(hashes: &[u64], parts: &str) -> Result<Vec<Option<usize>>, CopyError> {
        let parts: Parts = parts.parse().unwrap();
        let super::super::parts::PartSizes::Records(sizes) = &parts.sizes else { panic!("they have shares") };
        let chosen = ExactSizes::choose(hashes.to_vec(), sizes, &parts)?;
        Ok(hashes.iter().map(|&hash| chosen.part_of(hash)).collect())
    }

    #[test]
    fn groups_are_taken_by_their_hashes_and_stay_together() {
        assert_eq!(choose(&[9, 1, 5, 7], "a=1,b=2"), Ok(vec![None, Some(0), Some(1), Some(1)]));
        assert_eq!(choose(&[9, 1, 5, 7], "a=1,b=2,c=rest"), Ok(vec![Some(2), Some(0), Some(1), Some(1)]));
        // The group of 5 does not fit into the first part, and that of 7 is the next one that does.
        assert_eq!(choose(&[1, 5, 5, 7, 8], "a=2,b=2"), Ok(vec![Some(0), Some(1), Some(1), Some(0), None]));
        let few = |part: &str, wanted, found| Err(CopyError::TooFew { part: part.to_owned(), wanted, found });
        assert_eq!(choose(&[1, 2, 2], "a=2,b=rest"), few("a", 2, 1));
        assert_eq!(choose(&[1, 2, 3], "a=2,b=2"), few("b", 2, 1));
        assert_eq!(choose(&[], "a=0,b=1"), few("b", 1, 0));
    }
}
