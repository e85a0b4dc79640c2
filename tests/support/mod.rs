//! Every engine under test, a naive solver that judges them, and grids to start from.
//!
//! Shared by `tests/library` and `tests/properties`; the latter is also the library of the fuzz targets.

pub mod known;
pub mod naive;

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::LazyLock;

use gridmill::engine::lanes::Simd;
use gridmill::engine::{Bounds, Engine, EngineKind, Limit, SearchEnd, Verdict, Verdicts};
use gridmill::puzzle::{Batch, Isomorph, Size, rules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use strum::VariantArray;

/// Every engine, the lanes engine in every width of vectors. Widths that this CPU does not have are named on standard
/// error, past the capture of the test harness.
pub fn engines() -> impl Iterator<Item = EngineKind> {
    static ENGINES: LazyLock<Vec<EngineKind>> = LazyLock::new(|| {
        let widths = Simd::VARIANTS.iter().copied().filter(|&simd| simd != Simd::Auto);
        let lanes = widths.map(EngineKind::Lanes);
        let others = EngineKind::ALL.into_iter().filter(|kind| !matches!(kind, EngineKind::Lanes(_)));
        let is_available = |kind: &EngineKind| match kind.build() {
            Ok(_) => true,
            Err(reason) => {
                writeln!(io::stderr(), "skipped: {kind}: {reason}").expect("standard error is open");
                false
            }
        };
        lanes.chain(others).filter(is_available).collect()
    });
    ENGINES.iter().copied()
}

/// The engines of [`engines`] that use vectors.
pub fn lanes() -> impl Iterator<Item = EngineKind> {
    engines().filter(|kind| matches!(kind, EngineKind::Lanes(_)))
}

/// A new engine.
pub fn build(kind: EngineKind) -> Box<dyn Engine> {
    kind.build().expect("this CPU has the vectors")
}

/// A verdict without the time.
#[derive(Clone, Debug)]
pub struct EngineResult {
    /// How many solutions were counted.
    pub solutions: u64,
    /// One of them.
    pub solution: Option<Vec<u8>>,
    /// How the search ended.
    pub end: SearchEnd,
    /// How often the search guessed, if it was complete.
    pub branches: Option<u64>,
}

/// Which of several solutions an engine gives does not matter.
impl PartialEq for EngineResult {
    fn eq(&self, other: &EngineResult) -> bool {
        let counts = |result: &EngineResult| (result.solutions, result.end, result.branches);
        let is_only = self.solutions == 1 && self.end == SearchEnd::Complete;
        counts(self) == counts(other) && (!is_only || self.solution == other.solution)
    }
}

/// Solves puzzles as one batch, counting up to `limit`, and checks every solution by the rules.
pub fn solve_all(engine: &mut dyn Engine, size: Size, puzzles: &[Vec<u8>], limit: u64) -> Vec<EngineResult> {
    solve_within(engine, size, puzzles, Bounds::new(self::limit(limit)))
}

/// Solves puzzles as one batch within bounds, and checks every solution by the rules.
pub fn solve_within(engine: &mut dyn Engine, size: Size, puzzles: &[Vec<u8>], bounds: Bounds<'_>) -> Vec<EngineResult> {
    let mut batch = Batch::new(size);
    for puzzle in puzzles {
        batch.push(puzzle);
    }
    let mut verdicts = Verdicts::new();
    engine.solve(&batch, bounds, &mut verdicts);
    let answer = |verdict: Verdict<'_>| EngineResult {
        solutions: verdict.solutions,
        end: verdict.end,
        solution: verdict.solution.map(<[u8]>::to_vec),
        branches: verdict.cost.branches,
    };
    let answers: Vec<EngineResult> = verdicts.iter().map(answer).collect();
    assert_eq!(answers.len(), puzzles.len());
    for (puzzle, answer) in puzzles.iter().zip(&answers) {
        assert_eq!(answer.solution.is_some(), answer.solutions > 0, "{puzzle:?}");
        assert_eq!(answer.branches.is_some(), answer.end == SearchEnd::Complete, "{puzzle:?}");
        assert_eq!(answer.end == SearchEnd::AtLimit, answer.solutions == bounds.solutions.get(), "{puzzle:?}");
        assert!(answer.branches.is_none() || bounds.max_branches.is_none_or(|most| answer.branches <= Some(most)));
        if let Some(solution) = &answer.solution {
            assert!(rules::is_solution(size, puzzle, solution), "{puzzle:?} has no solution {solution:?}");
        }
    }
    answers
}

/// Solves one puzzle.
pub fn solve(engine: &mut dyn Engine, size: Size, puzzle: &[u8], limit: u64) -> EngineResult {
    solve_all(engine, size, &[puzzle.to_vec()], limit).remove(0)
}

/// A limit, which must not be 0.
pub fn limit(count: u64) -> Limit {
    Limit::new(NonZeroU64::new(count).expect("at least 1"))
}

/// A full grid in which each row is the row above it, shifted.
pub fn shifted_grid(size: Size) -> Vec<u8> {
    let (rows, columns, side) = (size.box_rows(), size.box_columns(), size.side());
    let shift = |row: usize| row % rows * columns + row / rows;
    (0..size.cells()).map(|cell| ((shift(cell / side) + cell % side) % side) as u8 + 1).collect()
}

/// A random isomorph of a grid, the same one for the same seed.
pub fn isomorph(size: Size, grid: &[u8], seed: u64) -> Vec<u8> {
    let mut image = vec![0; size.cells()];
    Isomorph::random(size, &mut Xoshiro256PlusPlus::seed_from_u64(seed)).apply_into(grid, &mut image);
    image
}

/// The cells of a puzzle as text: digits 1 to 9, then letters from A; all other characters are blanks.
///
/// # Panics
///
/// If it has not as many cells as a puzzle.
pub fn parse(text: &str) -> (Size, Vec<u8>) {
    let value = |symbol: u8| match symbol {
        b'1'..=b'9' => symbol - b'0',
        b'A'..=b'P' => symbol - b'A' + 10,
        _ => 0,
    };
    (Size::from_cells(text.len()).expect("as many cells as a puzzle"), text.bytes().map(value).collect())
}
