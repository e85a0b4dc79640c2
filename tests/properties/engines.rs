//! Every engine, in every width of vectors that the machine has, gives the same answers to any puzzles, and these are
//! right by the rules.

use arbitrary::Arbitrary;
use gridmill::engine::solver::{Question, Solver};
use gridmill::engine::{Engine, Limit};
use gridmill::puzzle::{Order, rules};

use super::drawn;
use super::puzzles::{Drawn, Size};
use super::support::{self, build, engines, naive, solve_all};

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
    let limit = support::limit(u64::from(limit % 16) + 1);
    let question = match question % 4 {
        0 => Question::Any,
        1 => Question::Count(limit),
        2 => Question::First,
        _ => Question::All(limit),
    };
    let puzzles: Vec<Vec<u8>> = puzzles.iter().take(MOST).map(|drawn| drawn.puzzle(order)).collect();

    let mut agreed: Option<Vec<Answer>> = None;
    for choice in engines() {
        let mut engine = build(choice);
        for (puzzle, answer) in puzzles.iter().zip(solve_all(&mut *engine, order, &puzzles, limit.get())) {
            if order == Order::Two {
                assert_eq!(answer.solutions, naive::count(order, puzzle, limit.get()), "{choice}: {puzzle:?}");
            }
        }
        let answers = answers(engine, order, question, &puzzles);
        for (puzzle, answer) in puzzles.iter().zip(&answers) {
            is_right(order, puzzle, question, answer);
        }
        assert_eq!(*agreed.get_or_insert_with(|| answers.clone()), answers, "{choice}");
    }
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
