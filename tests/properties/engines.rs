//! Every engine, in every width of vectors that the machine has, gives the same answers to any puzzles, and these are
//! right by the rules.

use std::num::NonZeroU64;

use arbitrary::Arbitrary;
use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::solver::{Question, Solver};
use gridmill::engine::{Engine, EngineKind, Limit, Verdicts};
use gridmill::puzzle::Batch;
use gridmill::puzzle::Order;
use gridmill::puzzle::rules;

use super::drawn;
use super::puzzles::{Drawn, Size};

/// How many puzzles are looked at: more than there are lanes.
const MOST: usize = 24;

/// A question about some puzzles of one size.
#[derive(Debug, Arbitrary)]
struct Asked {
    size: Size,
    question: u8,
    limit: u8,
    puzzles: Vec<Drawn>,
}

/// How many solutions were counted, those that were asked for, and whether there are more.
type Answer = (u64, Vec<u8>, bool);

/// All engines agree, and are right.
pub fn engines_agree(bytes: &[u8]) {
    let Some(Asked { size, question, limit, puzzles }) = drawn(bytes) else { return };
    let order = size.order();
    let limit = Limit::new(NonZeroU64::MIN.saturating_add(u64::from(limit % 16)));
    let question = match question % 4 {
        0 => Question::Any,
        1 => Question::Count(limit),
        2 => Question::First,
        _ => Question::All(limit),
    };
    let puzzles: Vec<Vec<u8>> = puzzles.iter().take(MOST).map(|drawn| drawn.puzzle(order)).collect();

    let mut agreed: Option<Vec<Answer>> = None;
    for (name, mut engine) in engines() {
        let verdicts = verdicts(&mut *engine, order, limit, &puzzles);
        for (puzzle, verdict) in puzzles.iter().zip(verdicts.iter()) {
            assert_eq!(verdict.solution.is_some(), verdict.solutions > 0, "{name}");
            assert!(verdict.solution.is_none_or(|grid| rules::is_solution(order, puzzle, grid)), "{name}: {puzzle:?}");
            if order == Order::Two {
                let count = naive_count(&mut puzzle.clone(), 0, limit.get());
                assert_eq!(verdict.solutions, count, "{name}: {puzzle:?}");
            }
        }
        let answers = answers(engine, order, question, &puzzles);
        for (puzzle, answer) in puzzles.iter().zip(&answers) {
            is_right(order, puzzle, question, answer);
        }
        assert_eq!(*agreed.get_or_insert_with(|| answers.clone()), answers, "{name}");
    }
}

/// Every engine in every width, by name.
fn engines() -> impl Iterator<Item = (String, Box<dyn Engine>)> {
    let kinds = [EngineKind::Bitmask, EngineKind::Dlx].into_iter().map(|kind| (kind.to_string(), kind.build()));
    let widths = [Simd::Avx512, Simd::Avx2, Simd::Portable].into_iter().filter_map(|simd| Lanes::new(simd).ok());
    kinds.chain(widths.map(|lanes| (format!("lanes:{}", lanes.simd()), Box::new(lanes) as Box<dyn Engine>)))
}

fn answers(engine: Box<dyn Engine>, order: Order, question: Question, puzzles: &[Vec<u8>]) -> Vec<Answer> {
    let mut solver = Solver::new(engine);
    let indices: Vec<usize> = puzzles.iter().map(|puzzle| solver.push(order, puzzle)).collect();
    solver.solve(question);
    let answer = |index| {
        let answer = solver.answer(order, index);
        // Which of several solutions an engine finds first is its own affair, and nobody asked for it.
        let grids = if question == Question::Any { &[] } else { answer.grids };
        (answer.solutions, grids.to_vec(), answer.more)
    };
    indices.into_iter().map(answer).collect()
}

fn verdicts(engine: &mut dyn Engine, order: Order, limit: Limit, puzzles: &[Vec<u8>]) -> Verdicts {
    let mut batch = Batch::new(order);
    for puzzle in puzzles {
        batch.push(puzzle);
    }
    let mut verdicts = Verdicts::new();
    engine.solve(&batch, limit, &mut verdicts);
    assert_eq!(verdicts.len(), puzzles.len());
    verdicts
}

/// What can be said of an answer without solving the puzzle.
fn is_right(order: Order, puzzle: &[u8], question: Question, (solutions, grids, more): &Answer) {
    let grids: Vec<&[u8]> = grids.chunks(order.cells()).collect();
    assert!(grids.iter().all(|grid| rules::is_solution(order, puzzle, grid)), "{puzzle:?}");
    assert!(grids.is_sorted_by(|a, b| a < b), "in order, and none twice: {puzzle:?}");
    let listed = grids.len() as u64;
    match question {
        Question::Any => assert!(*solutions <= 1),
        Question::Count(limit) => {
            assert!(*solutions <= limit.get().max(2));
            assert_eq!(listed, u64::from(*solutions == 1));
        }
        Question::First => assert_eq!(listed, (*solutions).min(1)),
        Question::All(cap) => {
            assert!(listed <= cap.get() && (listed == cap.get() || !more));
            assert!(*solutions == listed || cap == Limit::FIRST);
        }
    }
    if rules::conflict(order, puzzle).is_some() {
        assert_eq!(*solutions, 0, "{puzzle:?}");
    }
}

/// Counts the solutions of a 4x4 puzzle by trying every digit in every blank from `cell` on.
fn naive_count(puzzle: &mut [u8], cell: usize, limit: u64) -> u64 {
    if rules::conflict(Order::Two, puzzle).is_some() {
        return 0;
    }
    let Some(cell) = (cell..puzzle.len()).find(|&cell| puzzle[cell] == 0) else { return 1 };
    let mut count = 0;
    for digit in 1..=4 {
        if count < limit {
            puzzle[cell] = digit;
            count += naive_count(puzzle, cell + 1, limit - count);
        }
    }
    puzzle[cell] = 0;
    count
}
