//! Property: isomorphs have the same canonical form, which is an isomorph of them.

use gridmill::canon::{Canonical, Canonicaliser};
use gridmill::engine::solver::{Question, Solver};
use gridmill::engine::{EngineKind, Limit};
use gridmill::puzzle::{Isomorph, Size, rules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::decode;
use super::puzzles::PuzzleRecipe;

/// A puzzle, and the seed of an isomorphism.
#[derive(Debug)]
struct PuzzleAndSeed {
    isomorph: u32,
    puzzle: PuzzleRecipe,
}

arbitrary_fields!(PuzzleAndSeed { isomorph; puzzle });

/// Checks that a puzzle, an isomorph and the canonical form have the same canonical form, in every size with forms.
pub fn canon(bytes: &[u8]) {
    let Some(PuzzleAndSeed { isomorph, puzzle }) = decode(bytes) else { return };
    for size in Size::ALL.into_iter().filter(|&size| Canonicaliser::has_forms(size)) {
        check(size, &puzzle.puzzle(size), isomorph.into());
    }
}

fn check(size: Size, puzzle: &[u8], seed: u64) {
    let isomorph = Isomorph::random(size, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let image = |grid: &[u8]| {
        let mut image = vec![0; grid.len()];
        isomorph.apply_into(grid, &mut image);
        image
    };
    let other = image(puzzle);

    let mut canonicaliser = Canonicaliser::new();
    if let Some(solution) = only_solution(size, puzzle) {
        let form = canonicaliser.of_unique(puzzle, &solution);
        assert_eq!(canonicaliser.of_unique(&other, &image(&solution)), form);
        assert_eq!(canonicaliser.of_unique(&form.puzzle, &form.solution), form);
        let mapping = canonicaliser.isomorph_of_unique(puzzle, &solution);
        check_mapping(&mapping, puzzle, &form.puzzle);
        check_mapping(&mapping, &solution, &form.solution);
        let Canonical { puzzle: clues, solution: smallest, automorphisms, puzzle_automorphisms } = form;
        assert!(
            automorphisms > 0
                && automorphisms.is_multiple_of(puzzle_automorphisms)
                && rules::is_solution(size, &clues, &smallest)
                && smallest[..] <= solution[..]
        );
        assert_eq!(only_solution(size, &clues), Some(smallest.to_vec()));
        assert_eq!(clue_count(&clues), clue_count(puzzle));
    } else {
        let form = canonicaliser.of_clues(puzzle, Canonicaliser::BOUND);
        assert_eq!(canonicaliser.of_clues(&other, Canonicaliser::BOUND), form);
        let Ok(clues) = form else { return };
        let mapping = canonicaliser.isomorph_of_clues(puzzle, Canonicaliser::BOUND).unwrap();
        check_mapping(&mapping, puzzle, &clues);
        assert_eq!(canonicaliser.of_clues(&clues, Canonicaliser::BOUND), form);
        assert!(clues[..] <= *puzzle && clues[..] <= other[..]);
        assert_eq!(clue_count(&clues), clue_count(puzzle));
    }
}

/// Checks that a mapping carries a grid to its form, and its inverse carries it back.
fn check_mapping(mapping: &Isomorph, grid: &[u8], form: &[u8]) {
    let mut image = vec![0; grid.len()];
    mapping.apply_into(grid, &mut image);
    assert_eq!(image, form);
    mapping.inverse().apply_into(form, &mut image);
    assert_eq!(image, grid);
}

fn clue_count(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&cell| cell > 0).count()
}

fn only_solution(size: Size, puzzle: &[u8]) -> Option<Vec<u8>> {
    let mut solver = Solver::new(EngineKind::Auto.build().unwrap());
    solver.push(size, puzzle);
    solver.solve(Question::Count(Limit::UNIQUE)).expect("no stop comes");
    let answer = solver.answer(size, 0);
    (answer.solutions == 1).then(|| answer.grids.to_vec())
}
