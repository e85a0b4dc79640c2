//! Looks puzzles up in another corpus: the check for leaks between a training set and a test set.
//!
//! The other corpus, the reference, goes through the pipeline first. [`IndexWorker`]s find the keys of its records, and
//! the [`ReferenceIndex`] collects them in the order of the input. After that it does not change, and all workers share
//! it.

use std::ops::ControlFlow;

use super::class_set::NamedClassSet;
use super::first_seen::{Files, FirstSeen};
use crate::canon::{CanonicalForm, Canonicaliser, Class, Key};
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::MaxBranches;
use crate::options::OptionError;
use crate::pipeline::{Chunk, End};
use crate::puzzle::Puzzles;
use crate::run::record_loop::{ChunkResults, Emit, RecordLoop, RecordWorker, SolvedRecord};
use crate::run::records::AnswerWorth;
use crate::run::tally::InputTally;
use crate::run::{EngineSource, Event, Execution, InputCounts, JobError};

/// The keys of a puzzle for lookups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// The puzzle itself.
    pub(crate) puzzle: Key,
    /// Its class, if its size has classes and its canonical form was found.
    pub(crate) class: Option<Key>,
    /// The class of its solution, if its size has classes. If there are several solutions, the class of the stored
    /// answer.
    pub(crate) solution: Option<Key>,
}

impl Keys {
    /// The keys of a puzzle with this canonical form.
    pub(crate) fn new(cells: &[u8], form: &CanonicalForm) -> Keys {
        let (class, solution) = (form.class().map(Key::from), form.solution_class().map(Key::from));
        Keys { puzzle: Key::of_cells(cells), class, solution }
    }
}

/// Index of the reference corpus by puzzle, class and solution class, plus class sets, which contain no puzzles. A
/// record takes up to three entries, at most 120 bytes; a class of a set takes 16.
#[derive(Default)]
pub(crate) struct ReferenceIndex {
    puzzles: FirstSeen,
    classes: FirstSeen,
    solutions: FirstSeen,
    files: Files,
    records: u64,
    malformed: u64,
    sets: Vec<NamedClassSet>,
    unread: Vec<String>,
}

/// The demand on a corpus whose keys are looked up, or published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) key_use: KeyUse,
    /// Whether records without keys are left out without a word.
    pub(crate) allows_malformed: bool,
}

/// The use of the keys of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// To find leaks.
    Leaks,
    /// To make no isomorphs. No option names the format of the corpus.
    NotIn,
    /// To write a set of classes.
    ClassSet,
}

impl Demand {
    /// The error for a corpus that does not meet the demand.
    fn error(self, faults: &[String], remedy: &str) -> JobError {
        let failure = match self.key_use {
            KeyUse::Leaks => "cannot look for leaks",
            KeyUse::NotIn => "cannot look for isomorphs in `not-in`",
            KeyUse::ClassSet => "the set would be incomplete",
        };
        OptionError::new(format!("{failure}: {}{remedy}", faults.join("; "))).into()
    }

    /// Checks inputs, which have records but perhaps no puzzle, and remarks on their text. Returns the parts of them that
    /// have no keys, in words, unless they are allowed.
    ///
    /// Leaks are found in the other records, if these are at least half of each input, and all text was read; the other
    /// uses need all records.
    fn check(
        self,
        inputs: &[InputCounts],
        remarks: Vec<String>,
        execution: &Execution,
    ) -> Result<Vec<String>, JobError> {
        let without_puzzle: Vec<_> = inputs.iter().filter(|input| !input.has_puzzle()).collect();
        if !without_puzzle.is_empty() {
            let of_input = |input: &&InputCounts| match self.key_use {
                KeyUse::NotIn => input.to_string(),
                KeyUse::Leaks | KeyUse::ClassSet => input.error().to_string(),
            };
            return Err(self.error(&without_puzzle.iter().map(of_input).collect::<Vec<_>>(), ""));
        }
        if self.allows_malformed {
            return Ok(vec![]);
        }

        let partial: Vec<_> = inputs.iter().filter(|input| input.malformed > 0).collect();
        let is_misread = !remarks.is_empty() || partial.iter().any(|input| input.malformed > input.records / 2);
        let unread: Vec<_> = partial.iter().map(ToString::to_string).chain(remarks).collect();
        if is_misread || self.key_use != KeyUse::Leaks && !unread.is_empty() {
            return Err(self.error(&unread, "; `allow-malformed` leaves them out"));
        }
        for input in partial {
            execution.notify(Event::NotCompared(input));
        }
        Ok(unread)
    }
}

impl ReferenceIndex {
    /// Reads a corpus, if there is one, and adds sets of classes, which find isomorphs; `None` if it was interrupted.
    ///
    /// No leak would be found in a corpus without puzzles, and a test set would pass only because its training set was
    /// not understood.
    pub(crate) fn read(
        corpus: Option<Corpus>,
        sets: Vec<NamedClassSet>,
        demand: Demand,
        engine: &EngineSource,
        max_branches: MaxBranches,
        execution: &Execution,
    ) -> Result<Option<ReferenceIndex>, JobError> {
        let of_set = |NamedClassSet { name, set }: &NamedClassSet| {
            InputCounts::new(name, set.counts().records, set.counts().malformed)
        };
        let mut unread = demand.check(&sets.iter().map(of_set).collect::<Vec<_>>(), vec![], execution)?;
        let mut index = ReferenceIndex { sets, ..ReferenceIndex::default() };
        if let Some(corpus) = corpus {
            let found = find_keys(corpus, demand, engine, max_branches, execution, |chunk| index.add(chunk))?;
            let Some(of_corpus) = found else { return Ok(None) };
            unread.extend(of_corpus);
        }
        Ok(Some(ReferenceIndex { unread, ..index }))
    }

    /// Adds the next chunk in the order of the input.
    fn add(&mut self, chunk: &KeyedChunk) {
        let Some(ChunkInput { input, .. }) = &chunk.input else { return };
        for (record, keys) in chunk.records.iter().zip(&chunk.results.notes) {
            self.records += 1;
            let Some(Keys { puzzle, class, solution }) = *keys else {
                self.malformed += 1;
                continue;
            };
            let location = self.files.location(input, record.line);
            self.puzzles.insert(puzzle, location);
            class.map(|class| self.classes.insert(class, location));
            solution.map(|solution| self.solutions.insert(solution, location));
        }
    }

    /// The sets of classes.
    pub(crate) fn sets(&self) -> &[NamedClassSet] {
        &self.sets
    }

    /// Whether a puzzle of this class is in the corpus, or its class in a set.
    pub(crate) fn has_class(&self, class: Class) -> bool {
        self.classes.get(class.into()).is_some() || self.sets.iter().any(|named| named.set.has(class))
    }

    /// The number of records, malformed ones included.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The number of malformed records.
    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }

    /// The parts of the inputs that are not compared, in words, unless they are allowed.
    pub(crate) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// The strongest leak of a puzzle into this corpus.
    pub(crate) fn find(&self, keys: &Keys) -> Option<Leak> {
        let found = |seen: &FirstSeen, key: Option<Key>, kind| {
            let location = seen.get(key?)?;
            Some(Leak { kind, file: self.files.name(location).to_owned(), line: Some(location.line()) })
        };
        let in_sets = || {
            let class = Class::from(keys.class?);
            let NamedClassSet { name, .. } = self.sets.iter().find(|named| named.set.has(class))?;
            Some(Leak { kind: LeakKind::Isomorph, file: name.clone(), line: None })
        };
        found(&self.puzzles, Some(keys.puzzle), LeakKind::Exact)
            .or_else(|| found(&self.classes, keys.class, LeakKind::Isomorph))
            .or_else(in_sets)
            .or_else(|| found(&self.solutions, keys.solution, LeakKind::Solution))
    }
}

/// A chunk with the keys of its records; `None` for a malformed one.
pub(crate) type KeyedChunk = Chunk<ChunkInput, ChunkResults<Option<Keys>, ()>>;

/// Finds the keys of all records of a corpus, and passes each chunk with its keys to `add`, in order. Returns the parts of
/// the corpus that have no keys, in words, unless they are allowed; `None` if it was interrupted.
///
/// A corpus without a puzzle is an error, and so is an input that has records but no puzzle, or does not meet the demand.
pub(crate) fn find_keys(
    corpus: Corpus,
    demand: Demand,
    engine: &EngineSource,
    max_branches: MaxBranches,
    execution: &Execution,
    mut add: impl FnMut(&KeyedChunk) + Send,
) -> Result<Option<Vec<String>>, JobError> {
    let worker = || IndexWorker { canonicaliser: Canonicaliser::new(), given: Puzzles::new(), counts: () };
    let workers = RecordLoop::without_rows(worker, engine, max_branches, execution)?;
    let mut finish = |chunk: &mut KeyedChunk| {
        add(chunk);
        Ok(())
    };
    let (tally, remarks) = (InputTally::new(&corpus), corpus.remarks());
    let run = execution.run(tally, corpus, workers, &mut finish, None)?;
    if run.end == End::Stopped {
        return Ok(None);
    }

    let mut inputs = run.tally.by_input();
    if inputs.iter().any(InputCounts::has_puzzle) {
        inputs.retain(|input| input.records > 0);
    }
    demand.check(&inputs, remarks.get(), execution).map(Some)
}

/// A record of the reference corpus that a puzzle repeats.
pub(crate) struct Leak {
    pub(crate) kind: LeakKind,
    /// The input of the record.
    pub(crate) file: String,
    /// The line of the record; `None` in a set of classes.
    pub(crate) line: Option<u64>,
}

/// The part of a puzzle that a leak repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeakKind {
    /// The same puzzle.
    Exact,
    /// An isomorph of it.
    Isomorph,
    /// A puzzle with an isomorph of its solution.
    Solution,
}

/// Finds the keys of records: a note for each record, `None` if it is malformed. Each thread has its own worker.
struct IndexWorker {
    canonicaliser: Canonicaliser,
    /// The answer that came with a puzzle.
    given: Puzzles,
    counts: (),
}

impl RecordWorker for IndexWorker {
    type Note = Option<Keys>;
    type Counts = ();

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Option<Keys>>) -> ControlFlow<()> {
        let IndexWorker { canonicaliser, given, .. } = self;
        let Ok(puzzle) = record.puzzle else {
            emit.note(None);
            return ControlFlow::Continue(());
        };
        let (size, answer) = (puzzle.shape.size, puzzle.answer());
        let solutions = answer.known_solutions();
        let form = CanonicalForm::find(answer.puzzle, solutions, answer.grids, canonicaliser);
        let mut keys = Keys::new(answer.puzzle, &form);

        if let (Some(2..), Some(stored)) = (solutions, record.answer) {
            let worth = stored.judge(size, answer.puzzle, given);
            let grid = (worth == AnswerWorth::Solves).then(|| given.last(size));
            let form = grid.map(|grid| CanonicalForm::find(grid, Some(1), grid, canonicaliser));
            keys.solution = form.and_then(|form| form.solution_class()).map(Key::from);
        }
        emit.note(Some(keys));
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut () {
        &mut self.counts
    }
}
