//! What can only be said of a record by those before it, and the score of the whole corpus.
//!
//! Chunks come here in the order of the input, one after another: [`DuplicateIndex::finish`] is the serial part of a run, so it
//! only looks keys up, counts, and rewrites the rows of records that came before.

use std::collections::HashMap;
use std::sync::Arc;

use crate::corpus::Input;
use crate::pipeline::Chunk;
use crate::rows::{FileColumn, RowFields};

use super::files::Files;
use super::finding::Finding;
use super::first_seen::{FirstSeen, Key, Location};
use super::reference_index::Keys;
use super::score::{Classes, CorpusScore, LargeClass};
use super::worker::{Note, say, write_verdict};

/// How many of the largest classes a score names.
const LARGEST: usize = 5;

/// What is looked for among the records before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// The same puzzle, of any size.
    pub duplicates: bool,
    /// An isomorph; among 9x9 puzzles only.
    pub isomorphs: bool,
}

/// Everything that has been seen of a corpus.
///
/// A record takes up to 40 bytes for each of the [`Repeats`], and as much again of all that while a table grows.
pub struct DuplicateIndex {
    repeats: Repeats,
    fields: RowFields,
    /// Whether places need the name of their input.
    file: FileColumn,
    files: Files,
    puzzles: FirstSeen,
    classes: FirstSeen,
    /// How many records there are in each class that has several, by the place of its first. What opens a class takes
    /// room in `classes`, what joins one at the most here: so no record takes room twice.
    several: HashMap<Location, u32>,
    score: CorpusScore,
    /// The output of a chunk, written again.
    rewritten: Vec<u8>,
}

impl DuplicateIndex {
    /// An empty ledger. `file` as for the rows.
    pub fn new(repeats: Repeats, file: FileColumn) -> DuplicateIndex {
        DuplicateIndex {
            repeats,
            fields: RowFields::new(file),
            file,
            files: Files::default(),
            puzzles: FirstSeen::default(),
            classes: FirstSeen::default(),
            several: HashMap::new(),
            score: CorpusScore::default(),
            rewritten: Vec::new(),
        }
    }

    /// Takes the next chunk in the order of the input: corrects the rows of records that came before, counts, and
    /// appends the text of every record that is not sound to `rejects`.
    pub fn finish(&mut self, chunk: &mut Chunk<Arc<Input>, Note>, rejects: &mut Vec<u8>) {
        let Some(input) = &chunk.input else { return };
        let mut copied = 0;
        for (record, note) in chunk.records.iter().zip(&mut chunk.notes) {
            if self.look_up(input, record.line, note) {
                self.rewritten.extend_from_slice(&chunk.output[copied..note.span.start]);
                let mut row = self.fields.row(&mut self.rewritten);
                write_verdict(note.findings, &note.detail, &mut row);
                row.end();
                copied = note.span.end;
            }
            self.count(note);
            if !note.findings.is_empty() {
                rejects.extend_from_slice(&chunk.text[record.text.clone()]);
                rejects.push(b'\n');
            }
        }
        if copied > 0 {
            self.rewritten.extend_from_slice(&chunk.output[copied..]);
            std::mem::swap(&mut chunk.output, &mut self.rewritten);
            self.rewritten.clear();
        }
    }

    /// Looks for a record among those before; says whether anything was found.
    fn look_up(&mut self, input: &Arc<Input>, line: u64, note: &mut Note) -> bool {
        let Some(puzzle) = &note.puzzle else { return false };
        let said = self.enter(input, line, &puzzle.keys);
        let any = said.iter().any(Option::is_some);
        for (finding, words) in said.into_iter().flatten() {
            note.findings.insert(finding);
            say(&mut note.detail, words);
        }
        any
    }

    /// Enters a puzzle among those that were seen, and says what it repeats, in the order in which details say it.
    pub(super) fn enter(&mut self, input: &Arc<Input>, line: u64, keys: &Keys) -> [Option<(Finding, String)>; 2] {
        let place = self.files.place(input, line);
        let same = self.repeats.duplicates.then(|| self.puzzles.insert(keys.puzzle, place)).flatten();
        let class = keys.class.filter(|_| self.repeats.isomorphs);
        let isomorph = class.and_then(|class| self.classes.insert(class, place));
        if let Some(first) = isomorph {
            *self.several.entry(first).or_insert(1) += 1;
        }
        // That what is the same is an isomorph too goes without saying.
        let isomorph = isomorph.filter(|_| isomorph != same);
        [
            same.map(|first| (Finding::Duplicate, format!("duplicate of {}", self.name(first)))),
            isomorph.map(|first| (Finding::Isomorph, format!("isomorph of {}", self.name(first)))),
        ]
    }

    /// Counts a record.
    pub(super) fn count(&mut self, note: &Note) {
        self.score.count(note);
    }

    /// A place as people name it: `line 7`, or `train.csv:7` where there are several inputs.
    fn name(&self, place: Location) -> String {
        match self.file {
            FileColumn::Shown => format!("{}:{}", self.files.name(place), place.line()),
            FileColumn::Left => format!("line {}", place.line()),
        }
    }

    /// The score of what has been seen.
    pub fn into_score(mut self) -> CorpusScore {
        self.score.classes = self.repeats.isomorphs.then(|| self.classes());
        self.score
    }

    fn classes(&self) -> Classes {
        let mut classes = Classes { classes: self.classes.len() as u64, ..Classes::default() };
        let alone = self.classes.len() - self.several.len();
        if alone > 0 {
            classes.sizes.insert(1, alone as u64);
        }
        for &size in self.several.values() {
            *classes.sizes.entry(size).or_default() += 1;
        }
        let mut largest: Vec<(Location, u32)> = self.several.iter().map(|(&first, &size)| (first, size)).collect();
        largest.sort_unstable_by_key(|&(first, size)| (std::cmp::Reverse(size), first));
        largest.truncate(LARGEST);
        let keys: HashMap<Location, Key> = self
            .classes
            .iter()
            .map(|(key, first)| (first, key))
            .filter(|(first, _)| largest.iter().any(|(place, _)| place == first))
            .collect();
        classes.largest = largest
            .into_iter()
            .map(|(first, records)| LargeClass {
                class: keys[&first].to_string(),
                file: self.files.name(first).to_owned(),
                line: first.line(),
                records,
            })
            .collect();
        classes
    }
}
