//! Checks that all solvers give the same answers as the reference, on all of a set or, if a solver would take too long,
//! on a random sample.
//!
//! A set is checked in parts of a random order, each with three times as many puzzles as all before it. So the speed of
//! every solver is known before a part would take it too long.
//!
//! How two answers differ is a [`Disagreement`]; [`Disagreements`] lists the first ones of a run, and writes a table of
//! all.

use std::fmt;
use std::time::Duration;

use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use super::BenchEvent;
use super::contender::{ContenderAnswer, ProgramError, SetAnswers, Solvers};
use super::measure::KNOWN_FROM;
use super::set::{BLOCKS, PuzzleSet};
use super::table_file::TableFile;
use crate::engine::Limit;
use crate::format::Alphabet;
use crate::output::{OutputError, ReservedFile};
use crate::puzzle::{Size, rules};
use crate::rows::{Column, Kind, Row, Table, column, row};

/// Some solvers disagree with the reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{total} disagreements")]
pub struct DisagreementError {
    /// The first disagreements.
    pub first: Vec<Disagreement>,
    /// The number of disagreements.
    pub(crate) total: usize,
}

/// The reason why solvers cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Some solvers disagree with the reference.
    #[error(transparent)]
    Disagreements(#[from] DisagreementError),
    /// A program failed to answer.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The table of disagreements cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// The seed for the order of samples, fixed so that another run has the same samples.
const SAMPLES: u64 = 1;

/// A sample takes its solver no longer than the budget, but up to this number of budgets if the speed would be unknown
/// with fewer puzzles.
const BUDGETS_TO_KNOW: u32 = 10;

/// A machine may stand still for this time without an effect on the number of puzzles.
const STALL: Duration = Duration::from_secs(1);

/// The puzzles that the solvers are to get of a set.
pub(super) struct SetSizes<'a> {
    /// The number for each solver, if it is given.
    pub(super) given: &'a [Option<usize>],
    /// Two solvers that have to get the same puzzles.
    pub(super) same: Option<[usize; 2]>,
    /// The CPU time that a solver may take for its puzzles, unless their number is given; zero is no bound.
    pub(super) budget: Duration,
}

/// Compares the answers of all solvers with the reference's. Returns the puzzles for timing each solver: the set, or a
/// random sample if it would take too long. Samples of one set start with the same puzzles.
///
/// # Errors
///
/// If a program fails to answer, or a disagreement cannot be written.
pub(super) fn check(
    set: &PuzzleSet,
    solvers: &mut Solvers,
    limit: Limit,
    sizes: &SetSizes<'_>,
    found: &mut Disagreements,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<Vec<PuzzleSet>, CheckError> {
    let is_limited = !sizes.budget.is_zero() || sizes.given.iter().any(Option::is_some);
    let order = if is_limited { set.in_random_order(SAMPLES) } else { set.puzzles().collect() };
    let mut paces = vec![Pace::default(); solvers.len()];
    let mut start = 0;
    while paces.iter().any(|pace| pace.puzzles == start && start < set.len()) {
        let size = if is_limited { (3 * start).max(1) } else { set.len() };
        let part = set.with_puzzles(order[start..set.len().min(start + size)].iter().copied());
        let mut answers = Vec::with_capacity(solvers.len());
        for (solver, (contender, pace)) in solvers.all.iter_mut().zip(&mut paces).enumerate() {
            let most = sizes.given[solver].unwrap_or_else(|| pace.most(sizes.budget));
            // A solver that has left out some puzzles answers no more.
            let puzzles = if pace.puzzles < start { 0 } else { most.saturating_sub(start).min(part.len()) };
            if puzzles == 0 {
                answers.push(vec![]);
                continue;
            }

            let (part, label) = (part.part(0..puzzles), contender.label());
            observe(BenchEvent::Checking { set: set.name(), contender: &label, start, end: start + puzzles });
            if is_limited {
                // Known from now on, so that it is not part of the time.
                contender.start_up(&part);
            }
            let SetAnswers { answers: given, time, .. } = contender.answer(&part, limit)?;
            answers.push(given);
            pace.puzzles += puzzles;
            pace.time += time.used(STALL);
        }

        for disagreement in disagreements(&part, solvers, &answers, limit) {
            found.add(disagreement)?;
        }
        start += part.len();
    }

    // All blocks of a sample have the same size, so that their times can be compared.
    let mut timed: Vec<usize> = paces.iter().map(|pace| whole_blocks(pace.puzzles, set.len())).collect();
    if let Some([one, two]) = sizes.same {
        let both = timed[one].min(timed[two]);
        (timed[one], timed[two]) = (both, both);
    }
    let sample = |(solver, label): (usize, String)| {
        let (timed, pace) = (timed[solver], paces[solver]);
        if timed == set.len() {
            return set.clone();
        }
        let is_too_slow = sizes.given[solver].is_none() && timed == whole_blocks(pace.puzzles, set.len());
        let expected = is_too_slow.then(|| pace.time.mul_f64(set.len() as f64 / pace.puzzles as f64));
        observe(BenchEvent::Limited { set: set.name(), contender: &label, timed, puzzles: set.len(), expected });
        set.with_puzzles(order[..timed].iter().copied())
    };
    Ok(solvers.labels().into_iter().enumerate().map(sample).collect())
}

/// A sample has blocks of the same size, unless it is smaller than the number of blocks.
fn whole_blocks(puzzles: usize, all: usize) -> usize {
    if puzzles == all || puzzles < BLOCKS { puzzles } else { puzzles - puzzles % BLOCKS }
}

/// Compares answers with the reference's, puzzle by puzzle. If the reference has no answer, the first solver with an
/// answer takes its place.
fn disagreements(
    set: &PuzzleSet,
    solvers: &Solvers,
    answers: &[Vec<ContenderAnswer>],
    limit: Limit,
) -> Vec<Disagreement> {
    let mut found = vec![];
    for (index, (size, line, puzzle)) in set.puzzles().enumerate() {
        let given = |solver: usize| Some((solver, answers[solver].get(index)?));
        let mut all = std::iter::once(solvers.reference).chain(0..answers.len()).filter_map(given);
        let Some((reference, expected)) = all.next() else { continue };
        for (solver, answer) in all.filter(|&(solver, _)| solver != reference) {
            let Some(reason) = Reason::to_disagree(size, puzzle, expected, answer, limit) else { continue };
            let alphabet = set.alphabet(size);
            found.push(Disagreement {
                place: Place::Line { file: set.name().to_owned(), line },
                puzzle: alphabet.text(puzzle, b'.'),
                reference: Said::new(solvers.all[reference].label(), expected, alphabet),
                solver: Said::new(solvers.all[solver].label(), answer, alphabet),
                reason,
                reduced: None,
            });
        }
    }
    found
}

/// The speed of a solver on the parts so far.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// The number of puzzles answered so far.
    puzzles: usize,
    /// The time for them.
    time: Duration,
}

impl Pace {
    /// The most puzzles that the solver should have; a budget of zero is no bound.
    fn most(&self, budget: Duration) -> usize {
        if budget.is_zero() || self.puzzles == 0 {
            return usize::MAX;
        }
        let within = |budget: Duration| (budget.div_duration_f64(self.time) * self.puzzles as f64) as usize;
        within(budget).max(within(budget * BUDGETS_TO_KNOW).min(KNOWN_FROM))
    }
}

/// A puzzle for which a solver gives a different answer than the reference, or no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The origin of the puzzle.
    pub(crate) place: Place,
    /// The puzzle, in one line.
    pub(crate) puzzle: String,
    /// The reference's answer.
    pub(crate) reference: Said,
    /// The solver's answer.
    pub(crate) solver: Said,
    /// The difference between the two.
    pub(crate) reason: Reason,
    /// The same puzzle with fewer clues, if the two still disagree about it in the same way.
    pub(crate) reduced: Option<String>,
}

/// The kind of a puzzle, by its construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub(crate) enum PuzzleKind {
    /// Without clues.
    Empty,
    /// Few clues, which are cells of a grid: many solutions.
    FewClues,
    /// A minimal puzzle without one to three of its clues: several solutions.
    Several,
    /// A minimal puzzle with some more clues: one solution.
    Unique,
    /// One solution, and several without any one of the clues; above 9x9 only as far as short searches can tell.
    Minimal,
    /// A grid without one to five cells.
    NearlyFull,
    /// A grid.
    Full,
    /// A puzzle with one solution after the digit of a clue was changed; no clues clash. Mostly no solution.
    ChangedClue,
    /// Random digits in random cells, without a clash. No solution or several.
    RandomClues,
    /// A puzzle with the same digit twice in a house: no solution.
    Clash,
    /// A grid with the same digit twice in a house.
    FullClash,
}

impl PuzzleKind {
    /// The names of all kinds, in their order.
    pub(super) const NAMES: &[&str] = <PuzzleKind as VariantNames>::VARIANTS;
}

/// The origin of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A file.
    Line {
        /// The name of the file.
        file: String,
        /// The number of the first line of the puzzle.
        line: u64,
    },
    /// It was made from a seed.
    Made {
        /// The seed.
        seed: u64,
        /// The number of the puzzle, from 1.
        number: u64,
        /// Its kind.
        kind: PuzzleKind,
    },
}

/// The answer of a solver, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// The name of the solver.
    pub(crate) name: String,
    /// The number of solutions, if it gave one.
    pub(crate) solutions: Option<u64>,
    /// The solution in one line, if it gave one.
    pub(crate) solution: Option<String>,
    /// Whether it gave up.
    pub(crate) gave_up: bool,
}

/// The difference between the answer of a solver and the reference's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Reason {
    /// Their numbers of solutions differ.
    Count,
    /// The solver's solution does not solve the puzzle.
    WrongSolution,
    /// The reference's solution does not solve the puzzle.
    WrongReference,
    /// The solutions differ, though the solver or the reference says that the puzzle has only one.
    OtherSolution,
    /// The solver gives no answer; why, in words with its name and the place.
    Failed(String),
}

impl Reason {
    /// Compares the answer of a solver with the reference's; `None` if they agree.
    ///
    /// The counts must be the same, up to `limit`. A solver that does not count must give a solution if the puzzle
    /// has one.
    /// Every solution must be correct, and the same if the puzzle has only one.
    pub(super) fn to_disagree(
        size: Size,
        puzzle: &[u8],
        reference: &ContenderAnswer,
        answer: &ContenderAnswer,
        limit: Limit,
    ) -> Option<Reason> {
        let counted = |answer: &ContenderAnswer| answer.solutions.map(|count| count.min(limit.get()));
        let found_nothing = |answer: &ContenderAnswer| answer.gave_up && answer.solution.is_none();
        let counts_agree = match (counted(reference), counted(answer)) {
            (Some(one), Some(two)) => one == two,
            // A solution without a count stands for at least one. A contender that gave up may have none.
            (Some(count), None) => count > 0 || found_nothing(answer),
            (None, Some(count)) => count > 0 || found_nothing(reference),
            (None, None) => true,
        };

        let is_wrong = |answer: &ContenderAnswer| {
            answer.solution.as_ref().is_some_and(|solution| !rules::is_solution(size, puzzle, solution))
        };
        let is_unique = limit > Limit::FIRST && [reference, answer].into_iter().any(|one| counted(one) == Some(1));
        let differ = reference.solution.as_ref().zip(answer.solution.as_ref()).is_some_and(|(one, two)| one != two);
        match () {
            () if !counts_agree => Some(Reason::Count),
            () if is_wrong(answer) => Some(Reason::WrongSolution),
            () if is_wrong(reference) => Some(Reason::WrongReference),
            () if is_unique && differ => Some(Reason::OtherSolution),
            () => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Count => "another number of solutions",
            Reason::WrongSolution => "the solution does not solve the puzzle",
            Reason::WrongReference => "the solution of the reference does not solve the puzzle",
            Reason::OtherSolution => "another solution, but there is only one",
            Reason::Failed(why) => why,
        })
    }
}

impl Said {
    /// An answer, with the symbols of an alphabet.
    pub(super) fn new(name: String, answer: &ContenderAnswer, alphabet: Alphabet) -> Said {
        Said {
            name,
            solutions: answer.solutions,
            solution: answer.solution.as_ref().map(|cells| alphabet.text(cells, b'.')),
            gave_up: answer.gave_up,
        }
    }

    /// A solver that gave no answer.
    pub(super) fn nothing(name: String) -> Said {
        Said { name, solutions: None, solution: None, gave_up: false }
    }
}

/// `1 solution: 1234...`
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.solutions {
            _ if self.gave_up => write!(f, "gave up")?,
            Some(1) => write!(f, "1 solution")?,
            Some(count) => write!(f, "{count} solutions")?,
            None => write!(f, "a solution")?,
        }
        self.solution.as_ref().map_or(Ok(()), |solution| write!(f, ": {solution}"))
    }
}

/// `easy.txt:12`, or `puzzle 12 of seed 7 (empty)`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line { file, line } => write!(f, "{file}:{line}"),
            Place::Made { seed, number, kind } => write!(f, "puzzle {number} of seed {seed} ({kind})"),
        }
    }
}

/// Some lines, without a line end after the last.
impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { place, puzzle, reference, solver, reason, reduced } = self;
        let width = [&reference.name, &solver.name].map(|name| name.chars().count()).into_iter().fold(7, usize::max);
        match reason {
            Reason::Failed(why) => writeln!(f, "{why}")?,
            _ => writeln!(f, "{} and {} disagree on {place}", reference.name, solver.name)?,
        }
        write!(f, "  {:width$}  {puzzle}", "puzzle")?;
        if !matches!(reason, Reason::Failed(_)) {
            write!(f, "\n  {:width$}  {reference}", reference.name)?;
            write!(f, "\n  {:width$}  {solver}", solver.name)?;
        }
        reduced.as_ref().map_or(Ok(()), |reduced| write!(f, "\n  {:width$}  {reduced}", "reduced"))
    }
}

/// The row of a disagreement.
struct DisagreementRow<'a>(&'a Disagreement);

impl Row for DisagreementRow<'_> {
    row! {
        |self, field| {
            // The place is of one kind. A table has the columns of its kind only.
            let Disagreement { place, puzzle, reference, solver, reason, reduced } = self.0;
            let (file, line) = match place {
                Place::Line { file, line } => (&**file, Some(*line)),
                Place::Made { .. } => ("", None),
            };
            let (seed, number, kind) = match *place {
                Place::Made { seed, number, kind } => (Some(seed), Some(number), Some(kind as usize)),
                Place::Line { .. } => (None, None, None),
            };
        }

        Column::FILE => field.text_if_any(file);
        Column::LINE => field.number_if_known(line);
        column!("seed", Kind::Number, "the seed that the puzzle was made from") => field.number_if_known(seed);
        column!("number", Kind::Number, "the number of the puzzle, from 1") => field.number_if_known(number);
        column!("kind", Kind::Name(PuzzleKind::NAMES), "the kind of the puzzle") =>
            field.name_if_known(PuzzleKind::NAMES, kind);
        column!("puzzle", Kind::Text, "the puzzle in one line") => field.text(puzzle);
        column!("solver", Kind::Text, "the solver that does not agree") => field.text(&solver.name);
        column!("solutions", Kind::Number, "the number of solutions that it gave, if any").nullable() =>
            field.number_if_known(solver.solutions);
        column!("solution", Kind::Text, "the solution that it gave, if any").nullable() =>
            field.text_if_any(solver.solution.as_deref().unwrap_or_default());
        column!("reference", Kind::Text, "the solver that it was compared with") => field.text(&reference.name);
        column!("expected_solutions", Kind::Number, "the number of solutions that the reference gave, if any")
            .nullable() => field.number_if_known(reference.solutions);
        column!("expected_solution", Kind::Text, "the solution that the reference gave, if any").nullable() =>
            field.text_if_any(reference.solution.as_deref().unwrap_or_default());
        column!("reason", Kind::Text, "how the answers differ, or why the solver gave none") =>
            field.text(&reason.to_string());
        column!("reduced", Kind::Text, "the puzzle with as few clues as it takes, of the first disagreements")
            .nullable() => field.text_if_any(reduced.as_deref().unwrap_or_default());
    }
}

/// The disagreements of a run: the first ones, and the table of all, if a file was given.
pub(super) struct Disagreements {
    first: Vec<Disagreement>,
    total: usize,
    table: Option<TableFile>,
}

/// The maximum number of disagreements that are listed.
const LISTED: usize = 5;

/// The columns that only one of the two kinds of places has.
const OF_LINES: [&str; 2] = ["file", "line"];
const OF_MADE: [&str; 4] = ["seed", "number", "kind", "reduced"];

impl Disagreements {
    /// For puzzles of files.
    pub(super) fn of_files(table: Option<ReservedFile>) -> Disagreements {
        Disagreements::new(table, &OF_MADE)
    }

    /// For puzzles that are made.
    pub(super) fn of_made(table: Option<ReservedFile>) -> Disagreements {
        Disagreements::new(table, &OF_LINES)
    }

    fn new(table: Option<ReservedFile>, without: &[&str]) -> Disagreements {
        let is_default = |column: &Column| !without.contains(&column.name);
        let columns = Table::new(DisagreementRow::COLUMNS, None, &is_default, &[]).expect("no column is chosen");
        let table = table.map(|file| TableFile::new(file, columns));
        Disagreements { first: vec![], total: 0, table }
    }

    /// The number of disagreements.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether the next one will be among the first ones, after this number that are added later.
    pub(super) fn lists_after(&self, later: usize) -> bool {
        self.first.len() + later < LISTED
    }

    /// Adds one.
    pub(super) fn add(&mut self, disagreement: Disagreement) -> Result<(), OutputError> {
        self.total += 1;
        if let Some(table) = &mut self.table {
            table.row(&DisagreementRow(&disagreement))?;
        }
        if self.lists_after(0) {
            self.first.push(disagreement);
        }
        Ok(())
    }

    /// Completes the table; returns the first disagreements, and the number of all. After an error, only a table with rows
    /// is written: an empty one would say that all agree.
    pub(super) fn finish_after(self, is_ok: bool) -> Result<(Vec<Disagreement>, usize), OutputError> {
        let Disagreements { first, total, table } = self;
        table.filter(|_| is_ok || total > 0).map_or(Ok(()), TableFile::finish)?;
        Ok((first, total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::contender::tests::{FakeContender, fake};
    use crate::cli::bench::set::tests::read;

    /// The numbers of puzzles that solvers get of a file of 1,000, with these CPU times of a puzzle in microseconds.
    fn timed<const N: usize>(
        micros: [u64; N],
        given: [Option<usize>; N],
        same: Option<[usize; 2]>,
        budget: Duration,
    ) -> [usize; N] {
        let set = read(&"1...............\n".repeat(1000)).unwrap();
        let mut solvers = Solvers::new();
        for micros in micros {
            let stall = Duration::from_millis(900);
            solvers = solvers.with(FakeContender { stall, ..fake("a", 2 * micros, &FakeContender::calls()) });
        }
        let (sizes, mut found) = (SetSizes { given: &given, same, budget }, Disagreements::of_files(None));
        let sets = check(&set, &mut solvers, Limit::UNIQUE, &sizes, &mut found, &|_| ()).unwrap();
        sets.iter().map(PuzzleSet::len).collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn samples_are_as_large_as_cpu_time_allows_or_as_they_are_given() {
        let budget = Duration::from_millis(200);
        // The first part takes each solver almost a second.
        let micros = [10, 200, 250, 1000, 10_000, 50_000];
        assert_eq!(timed(micros, [None; 6], None, budget), [1000, 1000, 800, 200, 100, 40]);
        assert_eq!(timed(micros, [None; 6], None, Duration::ZERO), [1000; 6]);
        assert_eq!(timed([10, 1000], [Some(300), Some(1000)], None, budget), [300, 1000]);
        assert_eq!(timed([10, 1000, 250], [None; 3], Some([0, 1]), budget), [200, 200, 800]);
    }

    #[test]
    fn a_solver_gets_the_puzzles_that_it_solves_within_the_budget() {
        for (puzzles, micros, most) in [(16, 16_000, 2000), (16, 160_000, 200), (16, 640_000, 100), (16, 6_400_000, 50)]
        {
            let pace = Pace { puzzles, time: Duration::from_micros(micros) };
            assert_eq!(pace.most(Duration::from_secs(2)), most);
            assert_eq!(pace.most(Duration::ZERO), usize::MAX);
        }
        assert_eq!([whole_blocks(207, 1000), whole_blocks(207, 207), whole_blocks(7, 1000)], [200, 207, 7]);
    }

    const PUZZLE: &[u8] = &[1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
    const SOLUTION: &[u8] = &[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2];

    fn answer(solutions: Option<u64>, solution: Option<&[u8]>) -> ContenderAnswer {
        ContenderAnswer { solutions, gave_up: false, solution: solution.map(Into::into) }
    }

    #[test]
    fn counts_agree_up_to_the_limit() {
        let agree = |one, two| {
            let [one, two] = [one, two].map(|count| answer(count, None));
            Reason::to_disagree(Size::Four, PUZZLE, &one, &two, Limit::UNIQUE).is_none()
        };
        for (one, two, expected) in [
            (Some(2), Some(288), true),
            (Some(1), Some(2), false),
            (Some(0), Some(0), true),
            (Some(0), Some(1), false),
            (Some(0), None, false),
            (Some(2), None, true),
        ] {
            assert_eq!((agree(one, two), agree(two, one)), (expected, expected), "{one:?} {two:?}");
        }
    }

    #[test]
    fn a_contender_that_gave_up_agrees_unless_it_found_a_solution_where_there_is_none() {
        let gave_up = |solution: Option<&[u8]>| ContenderAnswer { gave_up: true, ..answer(None, solution) };
        for (count, found, expected) in
            [(0, None, true), (1, None, true), (0, Some(SOLUTION), false), (2, Some(SOLUTION), true)]
        {
            let (one, two) = (answer(Some(count), None), gave_up(found));
            for (reference, answer) in [(&one, &two), (&two, &one)] {
                let reason = Reason::to_disagree(Size::Four, PUZZLE, reference, answer, Limit::UNIQUE);
                assert_eq!(reason, (!expected).then_some(Reason::Count), "{count}");
            }
        }
    }

    #[test]
    fn wrong_solutions_are_disagreements() {
        let mut wrong = SOLUTION.to_vec();
        wrong.swap(1, 2);
        let ours = answer(Some(1), Some(SOLUTION));
        let reason = |puzzle: &[u8], reference: &ContenderAnswer, answer: &ContenderAnswer| {
            Reason::to_disagree(Size::Four, puzzle, reference, answer, Limit::UNIQUE)
        };
        for (theirs, is_wrong) in [(SOLUTION, false), (&*wrong, true)] {
            let theirs = answer(None, Some(theirs));
            assert_eq!(reason(PUZZLE, &ours, &theirs), is_wrong.then_some(Reason::WrongSolution));
            assert_eq!(reason(PUZZLE, &theirs, &ours), is_wrong.then_some(Reason::WrongReference));
        }
        // Any solution of a puzzle with several is correct.
        let several = answer(Some(2), None);
        assert_eq!(reason(&[0; 16], &several, &answer(None, Some(SOLUTION))), None);
        assert_eq!(reason(&[0; 16], &several, &answer(None, Some(&wrong))), Some(Reason::WrongSolution));
    }

    /// Both grids solve the empty puzzle: they agree if a solver counted several solutions, not if it counted one.
    #[test]
    fn unique_solutions_have_to_be_the_same() {
        let other: Vec<u8> = SOLUTION.iter().map(|digit| 5 - digit).collect();
        let reason = |count, limit| {
            let (one, two) = (answer(Some(count), Some(SOLUTION)), answer(Some(count), Some(&other)));
            Reason::to_disagree(Size::Four, &[0; 16], &one, &two, limit)
        };
        assert_eq!((reason(2, Limit::UNIQUE), reason(1, Limit::FIRST)), (None, None));
        assert_eq!(reason(1, Limit::UNIQUE), Some(Reason::OtherSolution));
    }
}
