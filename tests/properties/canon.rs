//! Property: isomorphs have the same canonical form, which is an isomorph of them.

use arbitrary::Arbitrary;
use gridmill::canon::{Canonical, Canonicaliser};
use gridmill::engine::solver::{Question, Solver};
use gridmill::engine::{EngineKind, Limit};
use gridmill::puzzle::rules;
use gridmill::puzzle::{Grid, Isomorph, Size};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::decode;
use super::puzzles::PuzzleRecipe;

/// A puzzle, and the seed of an isomorphism.
#[derive(Debug, Arbitrary)]
struct PuzzleAndSeed {
    isomorph: u32,
    puzzle: PuzzleRecipe,
}

/// Checks that a puzzle, an isomorph and the canonical form have the same canonical form.
pub fn canon(bytes: &[u8]) {
    let Some(PuzzleAndSeed { isomorph, puzzle }) = decode(bytes) else { return };
    let puzzle: Grid = puzzle.puzzle(Size::Nine).try_into().expect("81 cells");
    let isomorph = Isomorph::random(Size::Nine, &mut Xoshiro256PlusPlus::seed_from_u64(isomorph.into()));
    let other = isomorph.apply(&puzzle);
    let mut canonicaliser = Canonicaliser::new();
    if let Some(solution) = only_solution(&puzzle) {
        let form = canonicaliser.of_unique(&puzzle, &solution);
        assert_eq!(canonicaliser.of_unique(&other, &isomorph.apply(&solution)), form);
        assert_eq!(canonicaliser.of_unique(&form.puzzle, &form.solution), form);
        let Canonical { puzzle: clues, solution: smallest, automorphisms } = form;
        assert!(automorphisms > 0 && rules::is_solution(Size::Nine, &clues, &smallest) && smallest <= solution);
        assert_eq!(only_solution(&clues), Some(smallest));
        assert_eq!(clue_count(&clues), clue_count(&puzzle));
    } else {
        let form = canonicaliser.of_clues(&puzzle, Canonicaliser::BOUND);
        assert_eq!(canonicaliser.of_clues(&other, Canonicaliser::BOUND), form);
        let Ok(clues) = form else { return };
        assert_eq!(canonicaliser.of_clues(&clues, Canonicaliser::BOUND), form);
        assert!(clues <= puzzle && clues <= other);
        assert_eq!(clue_count(&clues), clue_count(&puzzle));
    }
}

fn clue_count(puzzle: &Grid) -> usize {
    puzzle.iter().filter(|&&cell| cell > 0).count()
}

fn only_solution(puzzle: &Grid) -> Option<Grid> {
    let mut solver = Solver::new(EngineKind::Auto.build().unwrap());
    solver.push(Size::Nine, puzzle);
    solver.solve(Question::Count(Limit::UNIQUE)).expect("no stop comes");
    let answer = solver.answer(Size::Nine, 0);
    (answer.solutions == 1).then(|| answer.grids.try_into().expect("81 cells"))
}
