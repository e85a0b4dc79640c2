//! Looks puzzles up in another corpus: the check for leaks between a training set and a test set.
//!
//! The other corpus, the reference, goes through the pipeline first. [`IndexWorker`]s find the keys of its records, and
//! the [`ReferenceIndex`] collects them in the order of the input. After that it does not change, and all workers share
//! it.

use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;

use super::class_set::{ClassSetCounts, NamedClassSet};
use super::first_seen::{Files, FirstSeen};
use crate::canon::{CanonicalForm, Canonicaliser, Class, Key};
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::MaxBranches;
use crate::format::grid_in;
use crate::options::OptionError;
use crate::pipeline::{Chunk, End};
use crate::puzzle::{Puzzles, rules};
use crate::run::record_loop::{Emit, RecordLoop, RecordWorker, SolvedRecord, results_of};
use crate::run::tally::InputTally;
use crate::run::{EngineSource, Event, Execution, InputCounts, JobError};

/// The keys of a puzzle for lookups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// The puzzle itself.
    pub(crate) puzzle: Key,
    /// Its class, if its size has classes and its canonical form was found.
    pub(crate) class: Option<Key>,
    /// The class of its solution, if its size has classes. With several solutions, of its answer.
    pub(crate) solution: Option<Key>,
}

/// The keys of a record of the reference corpus.
pub(crate) struct KeyedRecord {
    pub(crate) puzzle: Keys,
    /// The classes of the grids in the record: of its solution, of its answer, right or wrong, and of grids in other columns.
    pub(crate) grids: Vec<Key>,
    /// The kept columns with puzzles that are not compared.
    unread: Vec<usize>,
}

impl ClassSetCounts {
    /// Counts a record; `None` is malformed.
    pub(crate) fn add(&mut self, keys: Option<&KeyedRecord>) {
        self.records += 1;
        self.malformed += u64::from(keys.is_none());
        self.without_class += u64::from(keys.is_some_and(|keys| keys.puzzle.class.is_none()));
        self.without_grid += u64::from(keys.is_some_and(|keys| keys.grids.is_empty()));
    }
}

/// Index of the reference corpus by puzzle, class and class of grids, plus class sets, which contain no puzzles. A
/// record takes up to three entries, at most 120 bytes, unless it has several grids; a class of a set takes 16.
#[derive(Default)]
pub(crate) struct ReferenceIndex {
    puzzles: FirstSeen,
    classes: FirstSeen,
    solutions: FirstSeen,
    files: Files,
    sets: Vec<NamedClassSet>,
    pub(crate) compared: ComparedInputs,
}

/// The inputs of a corpus that is compared, and sets of classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComparedInputs {
    pub(crate) inputs: Vec<InputCounts>,
    /// The records of the corpus.
    pub(crate) counts: ClassSetCounts,
    /// The parts that are not compared, in words, unless they are allowed.
    pub(crate) unread: Vec<String>,
    /// The text that was not read although that is allowed, in words.
    pub(crate) left_out: Vec<String>,
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

    /// Checks inputs, which have records but perhaps no puzzle, and remarks on their text. Returns the inputs with the parts
    /// of them that have no keys.
    ///
    /// Leaks are found in the other records, if these are at least half of each input, and all text was read; the other
    /// uses need all records.
    fn check(
        self,
        inputs: Vec<InputCounts>,
        remarks: Vec<String>,
        execution: &Execution,
    ) -> Result<ComparedInputs, JobError> {
        let without_puzzle: Vec<_> = inputs.iter().filter(|input| !input.has_puzzle()).collect();
        if !without_puzzle.is_empty() {
            let of_input = |input: &&InputCounts| match self.key_use {
                KeyUse::NotIn => input.to_string(),
                KeyUse::Leaks | KeyUse::ClassSet => input.error().to_string(),
            };
            return Err(self.error(&without_puzzle.iter().map(of_input).collect::<Vec<_>>(), ""));
        }
        if self.allows_malformed {
            return Ok(ComparedInputs { inputs, left_out: remarks, ..ComparedInputs::default() });
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
        Ok(ComparedInputs { inputs, unread, ..ComparedInputs::default() })
    }
}

impl ReferenceIndex {
    /// Reads a corpus, if any, and adds sets of classes, which find isomorphs; `None` if it was interrupted.
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
        let compared = demand.check(sets.iter().map(of_set).collect(), vec![], execution)?;
        let mut index = ReferenceIndex { sets, compared, ..ReferenceIndex::default() };
        if let Some(corpus) = corpus {
            let found =
                find_keys(corpus, demand, engine, max_branches, execution, |chunk, keys| index.add(chunk, keys))?;
            let Some(ComparedInputs { inputs, unread, left_out, .. }) = found else { return Ok(None) };
            index.compared.inputs.splice(0..0, inputs);
            index.compared.unread.extend(unread);
            index.compared.left_out.extend(left_out);
        }
        Ok(Some(index))
    }

    /// Adds the next chunk in the order of the input.
    fn add(&mut self, chunk: &Chunk<ChunkInput>, keys: &[Option<KeyedRecord>]) {
        let Some(ChunkInput { input, .. }) = &chunk.input else { return };
        for (record, keys) in chunk.records.iter().zip(keys) {
            self.compared.counts.add(keys.as_ref());
            let Some(KeyedRecord { puzzle: Keys { puzzle, class, .. }, grids, .. }) = keys else { continue };
            let location = self.files.location(input, record.line);
            self.puzzles.insert(*puzzle, location);
            class.map(|class| self.classes.insert(class, location));
            for &grid in grids {
                self.solutions.insert(grid, location);
            }
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

    /// The strongest leak of a puzzle into this corpus.
    pub(crate) fn find(&self, keys: &Keys) -> Option<Leak> {
        let found = |seen: &FirstSeen, key: Option<Key>, kind| {
            let location = seen.get(key?)?;
            Some(Leak { kind, file: self.files.name(location).to_owned(), line: Some(location.line()) })
        };
        let in_sets = |key: Option<Key>, kind| {
            let class = Class::from(key?);
            let NamedClassSet { name, .. } = self.sets.iter().find(|named| named.set.has(class))?;
            Some(Leak { kind, file: name.clone(), line: None })
        };
        found(&self.puzzles, Some(keys.puzzle), LeakKind::Exact)
            .or_else(|| found(&self.classes, keys.class, LeakKind::Isomorph))
            .or_else(|| in_sets(keys.class, LeakKind::Isomorph))
            .or_else(|| found(&self.solutions, keys.solution, LeakKind::Solution))
            .or_else(|| in_sets(keys.solution, LeakKind::Solution))
    }
}

/// Finds the keys of all records of a corpus, `None` for a malformed one, and passes each chunk with its keys to `add`, in
/// order. Returns the inputs with the parts that have no keys; `None` if it was interrupted.
///
/// A corpus without a puzzle is an error, and so is an input that has records but no puzzle, or does not meet the demand.
pub(crate) fn find_keys(
    corpus: Corpus,
    demand: Demand,
    engine: &EngineSource,
    max_branches: MaxBranches,
    execution: &Execution,
    mut add: impl FnMut(&Chunk<ChunkInput>, &[Option<KeyedRecord>]) + Send,
) -> Result<Option<ComparedInputs>, JobError> {
    let worker = || IndexWorker { canonicaliser: Canonicaliser::new(), given: Puzzles::new(), counts: () };
    let workers = RecordLoop::without_rows(worker, engine, max_branches, execution)?;
    let mut columns = BTreeSet::new();
    let mut finish = |chunk: &mut Chunk<ChunkInput>| {
        let keys = mem::take(&mut results_of::<IndexWorker>(chunk).notes);
        add(chunk, &keys);
        let unread = keys.iter().flatten().flat_map(|keys| &keys.unread);
        for (column, ChunkInput { input, .. }) in unread.zip(chunk.input.iter().cycle()) {
            let (name, file) = (input.layout.kept_columns().nth(*column).unwrap_or_default(), &input.name);
            columns.insert(format!("column '{name}' of {file} has puzzles not compared: give them their own file"));
        }
        results_of::<IndexWorker>(chunk).notes = keys;
        Ok(())
    };
    let (tally, remarks) = (InputTally::new(&corpus), corpus.remarks());
    let run = execution.run(tally, Box::new(corpus), workers, &mut finish, None)?;
    if run.end == End::Stopped {
        return Ok(None);
    }

    let mut inputs = run.tally.by_input();
    if inputs.iter().any(InputCounts::has_puzzle) {
        inputs.retain(|input| input.records > 0);
    }
    // A set of classes would be incomplete. Leaks are found in the other columns, but there may be more.
    let (mut columns, mut remarks) = (Vec::from_iter(columns), remarks.get());
    if demand.key_use == KeyUse::ClassSet || demand.allows_malformed {
        remarks.append(&mut columns);
    }
    let mut compared = demand.check(inputs, remarks, execution)?;
    compared.unread.append(&mut columns);
    Ok(Some(compared))
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
    /// A grid that came with a puzzle.
    given: Puzzles,
    counts: (),
}

impl RecordWorker for IndexWorker {
    type Note = Option<KeyedRecord>;
    type Counts = ();

    /// All columns that the corpus keeps.
    fn needs_fields(&self) -> bool {
        true
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Option<KeyedRecord>>) -> ControlFlow<()> {
        let IndexWorker { canonicaliser, given, .. } = self;
        let Ok(puzzle) = record.puzzle else {
            emit.note(None);
            return ControlFlow::Continue(());
        };
        let answer = puzzle.answer();
        let form = CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, canonicaliser);
        let (class, solution) = (form.class().map(Key::from), form.solution_class().map(Key::from));
        let keys = Keys { puzzle: Key::of_cells(answer.puzzle), class, solution };
        let (mut grids, mut unread): (Vec<Key>, _) = (keys.solution.into_iter().collect(), vec![]);

        // A model may have learned any grid of the record by heart, also a wrong answer.
        let mut add = |size, cells: &[u8]| {
            if !(keys.solution.is_some() && answer.grids.starts_with(cells)) && rules::conflict(size, cells).is_none() {
                let form = CanonicalForm::find(cells, Some(1), cells, canonicaliser);
                grids.extend(form.solution_class().map(Key::from));
            }
        };
        given.clear();
        if let Some(Ok(grid)) = record.answer.map(|answer| answer.parse(given))
            && grid.is_full()
        {
            add(grid.size, given.last(grid.size));
        }
        for (column, field) in record.fields.iter().enumerate() {
            given.clear();
            match grid_in(field, record.input.layout.alphabets(), given).map(|size| Some((size?, given.last(size?)))) {
                Ok(Some((size, cells))) if !cells.contains(&0) => add(size, cells),
                Ok(found) if found.is_none_or(|(_, cells)| cells == answer.puzzle) => {}
                _ => unread.push(column),
            }
        }
        emit.note(Some(KeyedRecord { puzzle: keys, grids, unread }));
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut () {
        &mut self.counts
    }
}
