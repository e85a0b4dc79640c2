//! The numbers of techniques in arrays: those of a published data set, and ours for its missing ones.

use crate::rating::Technique;

/// The number of a cell that is given.
pub(super) const GIVEN: u8 = 0;

/// The number of the strategy to which a technique belongs.
///
/// The numbers up to 8 are those of the data set of "Causal language modeling can elicit search and reasoning capabilities
/// on logic puzzles", where 1 is not used.
pub(super) fn strategy(technique: Technique) -> u8 {
    match technique {
        Technique::NakedSingle => 2,
        Technique::HiddenSingle => 3,
        Technique::NakedPair => 4,
        Technique::NakedTriplet => 5,
        Technique::Pointing | Technique::Claiming | Technique::DirectPointing | Technique::DirectClaiming => 6,
        Technique::XyWing => 7,
        Technique::UniqueLoop { cells: 4, .. } => 8,
        Technique::HiddenPair | Technique::DirectHiddenPair => 9,
        Technique::HiddenTriplet | Technique::DirectHiddenTriplet => 10,
        Technique::XWing => 11,
        Technique::Swordfish => 12,
        Technique::XyzWing => 13,
        Technique::UniqueLoop { .. } => 14,
        Technique::NakedQuad => 15,
        Technique::Jellyfish => 16,
        Technique::HiddenQuad => 17,
        Technique::Bug(_) => 18,
        Technique::AlignedPairExclusion => 19,
        Technique::GeneralizedXWing | Technique::XCycle => 20,
        Technique::YCycle => 21,
        Technique::TurbotFish => 22,
        Technique::XChain => 23,
        Technique::Cycle => 24,
        Technique::ForcingChain => 25,
        Technique::AlignedTripletExclusion => 26,
        Technique::Nishio => 27,
        Technique::CellForcingChains => 28,
        Technique::RegionForcingChains => 29,
        Technique::DynamicCellForcingChains(_) => 30,
        Technique::DynamicRegionForcingChains(_) => 31,
        Technique::DynamicContradictionForcingChains(_) => 32,
        Technique::DynamicDoubleForcingChains(_) => 33,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write;

    use super::*;

    #[test]
    fn the_page_has_the_table() {
        let mut names: BTreeMap<u8, Vec<&str>> = [(GIVEN, vec!["given"]), (1, vec!["not used"])].into();
        for technique in Technique::all() {
            let names = names.entry(strategy(technique)).or_default();
            if !names.contains(&technique.family()) {
                names.push(technique.family());
            }
        }
        let mut table = String::from("| id | techniques |\n|---:|---|\n");
        for (id, names) in names {
            writeln!(table, "| {id} | {} |", names.join(", ")).unwrap();
        }
        let page = include_str!("../../../docs/trace.md");
        assert!(page.contains(&table), "docs/trace.md has another table than this one:\n{table}");
    }
}
