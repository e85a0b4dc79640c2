//! Short programs for common tasks. Each is a test.
//!
//! * [Solve one puzzle](#solve-one-puzzle)
//! * [List all solutions](#list-all-solutions)
//! * [Find isomorphs by their class](#find-isomorphs-by-their-class)
//! * [Rate a puzzle and print the steps](#rate-a-puzzle-and-print-the-steps)
//! * [Check a puzzle](#check-a-puzzle)
//! * [Read a pasted text](#read-a-pasted-text)
//! * [Solve a collection to CSV](#solve-a-collection-to-csv)
//! * [Write an engine](#write-an-engine)
//!
//! All but the last but one work without the default features.
//!
//! # Solve one puzzle
//!
//! [`solve`](crate::solve) takes a text, in one line or in rows. It is for puzzles with exactly one solution.
//!
//! ```
//! let solution = gridmill::solve("1.3.\n....\n....\n.4.2")?;
//! assert_eq!(solution.to_string(), "1234432121433412");
//! assert_eq!(solution.cells()[..4], [1, 2, 3, 4]);
//! # Ok::<(), gridmill::SolveError>(())
//! ```
//!
//! # List all solutions
//!
//! [`solutions`](crate::solutions) is a lazy iterator in lexicographic order. For counting,
//! [`count_solutions`](crate::count_solutions) is faster.
//!
//! ```
//! use gridmill::{count_solutions, solutions};
//!
//! let puzzle = "12..34..........";
//! for solution in solutions(puzzle)?.take(3) {
//!     println!("{solution}");
//! }
//! assert!(count_solutions(puzzle, 1000)? > 1);
//! # Ok::<(), gridmill::ParsePuzzleError>(())
//! ```
//!
//! # Find isomorphs by their class
//!
//! Two puzzles are isomorphs, that is, equal after relabelling digits, permuting rows and columns, or transposing, if
//! they have the same [canonical form](crate::canonical_form). Its hash is the [`class`](crate::class), a short key for
//! a map.
//!
//! ```
//! use std::collections::HashMap;
//!
//! use gridmill::{Class, class};
//!
//! let one = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
//! let relabelled = one.replace('4', "x").replace('5', "4").replace('x', "5");
//! let mut groups: HashMap<Class, Vec<&str>> = HashMap::new();
//! for puzzle in [one, &relabelled] {
//!     groups.entry(class(puzzle)?).or_default().push(puzzle);
//! }
//! assert_eq!(groups.len(), 1);
//! # Ok::<(), gridmill::CanonError>(())
//! ```
//!
//! # Rate a puzzle and print the steps
//!
//! ```
//! use gridmill::rate_with_steps;
//!
//! let puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
//! let rating = rate_with_steps(puzzle, |_, step| println!("{}: {}", step.difficulty, step.technique))?;
//! println!("ER {}, {}", rating.er, rating.level().expect("the puzzle is solved"));
//! # Ok::<(), gridmill::RateError>(())
//! ```
//!
//! # Check a puzzle
//!
//! A proper puzzle has exactly one solution; a minimal puzzle loses this property if any of its clues is removed.
//!
//! ```
//! use gridmill::{count_solutions, is_minimal};
//!
//! let puzzle = "1.3..........4.2";
//! assert_eq!(count_solutions(puzzle, 2)?, 1);
//! assert!(is_minimal(puzzle)?);
//! # Ok::<(), gridmill::ParsePuzzleError>(())
//! ```
//!
//! # Read a pasted text
//!
//! [`format::puzzles`](crate::format::puzzles) finds the format of a text, and reads its puzzles one by one. A record
//! that is not a puzzle is an error with its line; the records after it are read.
//!
//! ```
//! use gridmill::format::puzzles;
//!
//! let text = "1.3..........4.2\n1.3..........4\n";
//! for puzzle in puzzles(text) {
//!     match puzzle {
//!         Ok(puzzle) => println!("{puzzle}: {} clues", puzzle.clues()),
//!         Err(error) => println!("{error}"),
//!     }
//! }
//! ```
//!
//! # Solve a collection to CSV
//!
//! Feature `corpus`. A [`Corpus`](crate::Corpus) is a list of files, compressed or not, in any supported format; a
//! [job](crate::jobs) writes a row for each record, with all threads.
//!
//! ```
//! use gridmill::Corpus;
//! use gridmill::jobs::{Execution, Solve};
//!
//! let corpus = Corpus::open_path("data/4x4.txt")?;
//! let mut rows = Vec::new();
//! Solve::new().run(corpus, &mut rows, &Execution::new())?;
//! let rows = String::from_utf8(rows)?;
//! println!("{}", rows.lines().next().unwrap_or_default());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write an engine
//!
//! An [`Engine`](crate::Engine) solves batches of puzzles. The program `custom_engine` in the folder `examples` runs a
//! job with a custom engine.
//!
//! ```
//! use gridmill::engine::{Bounds, Limit, Verdicts};
//! use gridmill::puzzle::Batch;
//! use gridmill::{Engine, EngineKind};
//!
//! /// Counts the puzzles, and leaves the work to another engine.
//! #[derive(Debug)]
//! struct Counting {
//!     engine: Box<dyn Engine>,
//!     puzzles: usize,
//! }
//!
//! impl Engine for Counting {
//!     fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
//!         self.puzzles += batch.len();
//!         self.engine.solve(batch, bounds, verdicts);
//!     }
//! }
//!
//! let puzzle: gridmill::Puzzle = "1.3..........4.2".parse()?;
//! let mut batch = Batch::new(puzzle.size());
//! batch.push(puzzle.cells());
//! let (mut engine, mut verdicts) = (Counting { engine: EngineKind::Bitmask.build()?, puzzles: 0 }, Verdicts::new());
//! engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
//! assert_eq!((engine.puzzles, verdicts.get(0).solutions), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
