//! Tests reading and writing for each vector type that this machine has against the scalar code.

use proptest::prelude::*;

use super::super::layout::{CELLS, WORDS};
use super::super::vector::portable::Portable;
use super::super::vector::tests::each_width;
use super::super::vector::{LaneSet, MAX_LANES};
use super::{CellVector, LaneWords, read_puzzle};

proptest! {
    #[test]
    fn puzzles_are_read(puzzles in prop::collection::vec(prop::array::uniform(0u8..=9), 1..=16)) {
        each_width!(reads(&puzzles));
    }

    #[test]
    fn solutions_are_written(solutions in prop::array::uniform16(prop::array::uniform(1u8..=9)), set: u16) {
        each_width!(writes(&solutions, set));
    }
}

fn reads<V: CellVector>(proof: V, puzzles: &[[u8; CELLS]]) -> Result<(), TestCaseError> {
    let slices: Vec<&[u8; CELLS]> = puzzles.iter().take(V::LANES).collect();
    let mut words = [proof; WORDS];
    proof.read_puzzles(&slices, &mut words);
    for (lane, puzzle) in slices.iter().enumerate() {
        prop_assert_eq!(words.each_ref().map(|word| word.lane(lane)), read_puzzle(puzzle));
    }
    Ok(())
}

fn writes<V: CellVector>(proof: V, solutions: &[[u8; CELLS]; 16], set: u16) -> Result<(), TestCaseError> {
    let mut words = [proof.splat(0); WORDS];
    for (lane, solution) in solutions.iter().take(V::LANES).enumerate() {
        for (word, value) in words.iter_mut().zip(read_puzzle(solution)) {
            word.set_lane(lane, value);
        }
    }
    let set = LaneSet(u32::from(set)) & LaneSet::first(V::LANES);
    let mut gathered = [LaneWords::ZERO; MAX_LANES];
    V::gather(&words, set, &mut gathered);
    for (lane, words) in set.iter().zip(&gathered) {
        let mut cells = [0; CELLS];
        proof.write_solution(words, &mut cells);
        prop_assert_eq!(&cells, &solutions[lane]);
    }
    Ok(())
}
