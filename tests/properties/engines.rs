//! Property: all engines, in every width of vectors that the CPU has, give the same answers, and these obey the rules.

use gridmill::engine::solver::{Question, Solver};
use gridmill::engine::{Engine, Limit};
use gridmill::puzzle::{Size, rules};

use super::decode;
use super::puzzles::{PuzzleRecipe, QuickSize};
use super::support::{self, build, engines, naive, solve_all};

/// The largest number of puzzles that are solved: more than there are lanes.
const MOST: usize = 24;

/// A question about some puzzles of one size.
#[derive(Debug)]
struct QuestionAndPuzzles {
    size: QuickSize,
    question: u8,
    limit: u8,
    puzzles: Vec<PuzzleRecipe>,
}

arbitrary_fields!(QuestionAndPuzzles { size, question, limit; puzzles });

/// The number of solutions, the listed solutions, and whether there are more.
type ListedSolutions = (u64, Vec<u8>, bool);

/// Checks that all engines agree, and that their answers obey the rules.
pub fn engines_agree(bytes: &[u8]) {
    let Some(QuestionAndPuzzles { size, question, limit, puzzles }) = decode(bytes) else { return };
    let size = size.size();
    let limit = support::limit(u64::from(limit % 16) + 1);
    let question = match question % 4 {
        0 => Question::Any,
        1 => Question::Count(limit),
        2 => Question::First,
        _ => Question::All(limit),
    };
    let puzzles: Vec<Vec<u8>> = puzzles.iter().take(MOST).map(|recipe| recipe.puzzle(size)).collect();

    let mut agreed: Option<Vec<ListedSolutions>> = None;
    for choice in engines() {
        let mut engine = build(choice);
        for (puzzle, answer) in puzzles.iter().zip(solve_all(&mut *engine, size, &puzzles, limit.get())) {
            if size == Size::Four {
                assert_eq!(answer.solutions, naive::count(size, puzzle, limit.get()), "{choice}: {puzzle:?}");
            }
        }
        let answers = answers(engine, size, question, &puzzles);
        for (puzzle, answer) in puzzles.iter().zip(&answers) {
            check_answer(size, puzzle, question, answer);
        }
        assert_eq!(*agreed.get_or_insert_with(|| answers.clone()), answers, "{choice}");
    }
}

fn answers(engine: Box<dyn Engine>, size: Size, question: Question, puzzles: &[Vec<u8>]) -> Vec<ListedSolutions> {
    let mut solver = Solver::new(engine);
    let indices: Vec<usize> = puzzles.iter().map(|puzzle| solver.push(size, puzzle)).collect();
    solver.solve(question).expect("no stop comes");
    let answer = |index| {
        let answer = solver.answer(size, index);
        // Engines find different solutions first, and this question does not ask for one.
        let grids = if question == Question::Any { &[] } else { answer.grids };
        (answer.solutions, grids.to_vec(), answer.more)
    };
    indices.into_iter().map(answer).collect()
}

/// Checks what can be checked without solving the puzzle.
fn check_answer(size: Size, puzzle: &[u8], question: Question, (solutions, grids, more): &ListedSolutions) {
    let grids: Vec<&[u8]> = grids.chunks(size.cells()).collect();
    assert!(grids.iter().all(|grid| rules::is_solution(size, puzzle, grid)), "{puzzle:?}");
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
    if rules::conflict(size, puzzle).is_some() {
        assert_eq!(*solutions, 0, "{puzzle:?}");
    }
}
