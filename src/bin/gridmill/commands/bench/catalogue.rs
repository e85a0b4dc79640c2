//! Public data sets that solvers are compared on, by the checksums of their files. docs/data-sets.md lists them.
//!
//! A figure means something to others only if they have the same puzzles, and lists of one name differ.

/// A public data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(super) struct DataSet {
    /// Its usual name.
    pub(super) name: &'static str,
    /// Where it comes from.
    pub(super) source: &'static str,
    /// The number of its puzzles.
    pub(super) puzzles: usize,
    /// The SHA-256 of its file.
    pub(super) sha256: &'static str,
}

const ALL: [DataSet; 3] = [
    DataSet {
        name: "17 clues",
        source: "the list begun by Gordon Royle and completed by members of the New Sudoku Players' Forum",
        puzzles: 49_158,
        sha256: "3140912b605acaad632170dcc8aef4be7878b2326c1d87911e2e6602962cc468",
    },
    DataSet {
        name: "magictour top 1465",
        source: "the 1465 hardest puzzles of magictour.free.fr/sudoku.htm",
        puzzles: 1465,
        sha256: "32837f38ece94e75678deadbe256aeafda704c8d4c2f8b5095a630ce2d0114d3",
    },
    DataSet {
        name: "hardest 1106",
        source: "the list of June 2011 (HardestDatabase110626) of the New Sudoku Players' Forum",
        puzzles: 375,
        sha256: "fb88ac7cfcc462154a41c62262192ccd40255c39db9bd827e5199f1e1660cd17",
    },
];

/// The data set whose file has this checksum.
pub(super) fn find(sha256: &str) -> Option<&'static DataSet> {
    ALL.iter().find(|set| set.sha256 == sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sets_are_found_by_their_checksums() {
        for set in &ALL {
            assert_eq!(find(set.sha256), Some(set));
            assert!(set.sha256.len() == 64 && set.sha256.bytes().all(|byte| b"0123456789abcdef".contains(&byte)));
        }
        assert_eq!(find("0"), None);
    }

    #[test]
    fn data_sets_are_documented() {
        let page = include_str!("../../../../../docs/data-sets.md");
        for DataSet { name, puzzles, sha256, .. } in &ALL {
            let puzzles = indicatif::HumanCount(*puzzles as u64);
            let is_row = |line: &str| line.starts_with(&format!("| {name} | {puzzles} | `{sha256}` |"));
            assert!(page.lines().any(is_row), "{name}");
        }
    }
}
