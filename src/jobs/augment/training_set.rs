//! Writes the layout for the training code of hierarchical and tiny recursive reasoning models.
//!
//! ```text
//! DIR/identifiers.json                 ["<blank>"]
//! DIR/train/dataset.json               the numbers below
//! DIR/train/all__inputs.npy            u8, examples x cells: 1 for a blank, 1 + its digit for a clue; 0 would be padding
//! DIR/train/all__labels.npy            u8, examples x cells: 1 + the digit of the solution
//! DIR/train/all__puzzle_indices.npy    i32: the start of the examples of each puzzle, and their number: 0, 1, 2, ...
//! DIR/train/all__puzzle_identifiers.npy  i32, one for each puzzle: 0
//! DIR/train/all__group_indices.npy     i32: the start of the puzzles of each group, and their number
//! ```
//!
//! In this layout, a puzzle is a grid, with one example; a group is a puzzle of the corpus with its copies. An epoch
//! takes one puzzle of each group.

use std::io::{self, Error};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use super::worker::{AugmentCounts, CopiedRecord, Copier};
use crate::engine::solver::Question;
use crate::npy::Number;
use crate::output::{NewDirectories, NpyFile, OutputError, write_small};
use crate::puzzle::Size;
use crate::run::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::run::records::InputParsers;

/// The name of a set and of its directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum TrainingSetName {
    /// `train`
    #[default]
    Train,
    /// `test`
    Test,
}

/// Examples of one group in the output of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupExamples {
    size: Size,
    number: usize,
    /// Whether they are the first of the group.
    are_first: bool,
    /// The line of the record.
    line: u64,
}

/// Appends the values of the cells of each puzzle and its solution to the output of the chunk, and notes the groups.
pub(super) struct TrainingWorker(pub(super) Copier);

impl RecordWorker for TrainingWorker {
    type Note = GroupExamples;
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.0.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, GroupExamples>) -> ControlFlow<()> {
        let line = record.line;
        let Some(copied) = self.0.copy(record)? else { return ControlFlow::Continue(()) };
        let CopiedRecord { puzzle, answer, is_first: are_first, mut copies } = copied;
        let size = puzzle.shape.size;
        let answer = answer.expect("those that are not given are found");
        let mut number = 0;
        if are_first {
            number += 1;
            emit.output().extend_from_slice(puzzle.cells());
            emit.output().extend_from_slice(answer);
        }
        let [mut copy, mut copied_answer] = [[0; Size::MAX_CELLS]; 2];
        let [copy, copied_answer] = [&mut copy, &mut copied_answer].map(|cells| &mut cells[..size.cells()]);
        while let Some(isomorph) = copies.next(copy)? {
            number += 1;
            isomorph.apply_into(answer, copied_answer);
            emit.output().extend_from_slice(copy);
            emit.output().extend_from_slice(copied_answer);
        }
        emit.note(GroupExamples { size, number, are_first, line });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut AugmentCounts {
        &mut self.0.counts
    }
}

/// The fields of `dataset.json`.
#[derive(Serialize)]
struct Metadata {
    pad_id: u32,
    ignore_label_id: u32,
    blank_identifier_id: u32,
    /// The number of values: padding, blank and digits.
    vocab_size: usize,
    seq_len: usize,
    num_puzzle_identifiers: u32,
    total_groups: u64,
    mean_puzzle_examples: f64,
    /// The number of groups again: the code that makes the public sets of this layout counts in this way.
    total_puzzles: u64,
    sets: [&'static str; 1],
}

/// The files of a set that is being written. They get their names when the set is complete.
pub(super) struct TrainingSet {
    /// The directory of all sets.
    directory: PathBuf,
    name: TrainingSetName,
    inputs: NpyFile,
    labels: NpyFile,
    puzzle_identifiers: NpyFile,
    puzzle_indices: NpyFile,
    group_indices: NpyFile,
    /// The size of the first puzzle.
    size: Option<Size>,
    puzzles: i32,
    groups: u64,
    /// The last field, so that it is dropped after the unnamed files.
    _directories: NewDirectories,
}

impl TrainingSet {
    /// Creates the directories and unnamed files.
    pub(super) fn create(directory: &Path, name: TrainingSetName) -> io::Result<TrainingSet> {
        let own = directory.join(<&str>::from(name));
        let directories = NewDirectories::of(&[own.join("dataset.json")]);
        let file = |name: &str, number| NpyFile::create(own.join(format!("all__{name}.npy")), number);
        let mut set = TrainingSet {
            inputs: file("inputs", Number::U8)?,
            labels: file("labels", Number::U8)?,
            puzzle_identifiers: file("puzzle_identifiers", Number::I32)?,
            puzzle_indices: file("puzzle_indices", Number::I32)?,
            group_indices: file("group_indices", Number::I32)?,
            directory: directory.to_owned(),
            name,
            _directories: directories,
            size: None,
            puzzles: 0,
            groups: 0,
        };
        set.puzzle_indices.push(0)?;
        Ok(set)
    }

    /// Adds examples, each with its solution; returns the cells after them.
    pub(super) fn push<'a>(&mut self, examples: GroupExamples, cells: &'a [u8]) -> io::Result<&'a [u8]> {
        let GroupExamples { size, number, are_first, line } = examples;
        let first = *self.size.get_or_insert(size);
        if first != size {
            return Err(Error::other(format!(
                "line {line} has a {size} puzzle after {first} ones, but a set has one size"
            )));
        }
        if are_first {
            self.groups += 1;
            self.group_indices.push(self.puzzles)?;
        }

        let (own, rest) = cells.split_at(2 * number * size.cells());
        for example in own.chunks_exact(2 * size.cells()) {
            let mut numbers = [0; 2 * Size::MAX_CELLS];
            let numbers = &mut numbers[..example.len()];
            // 0 is for padding, so a blank is 1.
            numbers.iter_mut().zip(example).for_each(|(number, value)| *number = value + 1);
            let (input, label) = numbers.split_at(size.cells());
            self.inputs.push_bytes(input)?;
            self.labels.push_bytes(label)?;
            self.puzzles =
                self.puzzles.checked_add(1).ok_or_else(|| Error::other("more than 2^31 puzzles in a set"))?;
            self.puzzle_identifiers.push(0)?;
            self.puzzle_indices.push(self.puzzles)?;
        }
        Ok(rest)
    }

    /// Completes the files.
    pub(super) fn finish(mut self) -> Result<(), OutputError> {
        let Some(size) = self.size else {
            return Err(OutputError::Write(Error::other("no record has a puzzle and its solution")));
        };

        // The last group ends here.
        self.group_indices.push(self.puzzles).map_err(OutputError::Write)?;
        let metadata = Metadata {
            pad_id: 0,
            ignore_label_id: 0,
            blank_identifier_id: 0,
            vocab_size: size.side() + 2,
            seq_len: size.cells(),
            num_puzzle_identifiers: 1,
            total_groups: self.groups,
            mean_puzzle_examples: 1.0,
            total_puzzles: self.groups,
            sets: ["all"],
        };

        let own = self.directory.join(<&str>::from(self.name));
        for (file, width) in [
            (self.inputs, Some(size.cells())),
            (self.labels, Some(size.cells())),
            (self.puzzle_identifiers, None),
            (self.puzzle_indices, None),
            (self.group_indices, None),
        ] {
            file.finish(width).map_err(OutputError::Write)?;
        }

        let metadata = serde_json::to_string_pretty(&metadata).expect("numbers have JSON") + "\n";
        write_small(&own.join("dataset.json"), metadata.as_bytes())?;
        write_small(&self.directory.join("identifiers.json"), b"[\"<blank>\"]\n")
    }
}
