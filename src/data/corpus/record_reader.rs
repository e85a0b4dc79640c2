//! Reads texts one at a time, each as the only record of a corpus.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};

use super::Corpus;
use super::error::CorpusError;
use super::input::{ChunkInput, Input};
use crate::arrow::records::TypedRecords;
use crate::format::{AnswerColumn, InputOptions, alphabets_of_record};
use crate::pipeline::{Chunk, Record};

/// The names of the columns that the texts would have.
const COLUMNS: [&str; 2] = ["puzzle", "solution"];

/// Makes a record from a puzzle and its answer: the same record as in a batch with only these texts.
pub(crate) struct RecordReader {
    /// The input of the last record. It is kept as long as its alphabets are, so that workers keep their parsers.
    input: Arc<Input>,
    options: InputOptions,
    /// A row without columns.
    kept: RecordBatch,
}

impl RecordReader {
    /// A reader of texts in the symbols of these options, with or without answers, and a corpus of such texts without records.
    pub(crate) fn new(options: &InputOptions, has_answers: bool) -> Result<(RecordReader, Corpus), CorpusError> {
        let [puzzle, answer] = COLUMNS;
        let names = &COLUMNS[..=usize::from(has_answers)];
        let field = |name: &&str| Field::new(*name, DataType::Utf8, true);
        let schema = Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()));
        let options = InputOptions {
            alphabets: options.alphabets.clone(),
            blank: options.blank,
            puzzle_column: Some(puzzle.to_owned()),
            answer: if has_answers { AnswerColumn::Named(answer.to_owned()) } else { AnswerColumn::Ignored },
            ..InputOptions::default()
        };

        let corpus = Corpus::from_batches(schema, [], options.clone())?;
        let input = Arc::clone(corpus.first_input().expect("the corpus was opened"));
        let one_row = RecordBatchOptions::new().with_row_count(Some(1));
        let kept = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &one_row);
        let kept = kept.expect("the row has as many columns as the schema");
        Ok((RecordReader { input, options, kept }, corpus))
    }

    /// Replaces the records of a chunk by one with these texts. A missing answer is empty.
    pub(crate) fn read(
        &mut self,
        puzzle: &str,
        answer: Option<&str>,
        chunk: &mut Chunk<ChunkInput>,
    ) -> Result<(), CorpusError> {
        let Input { name, layout, .. } = &*self.input;
        let failed = |source| CorpusError::Detect { name: name.clone(), source };
        let alphabets = alphabets_of_record(layout, puzzle, &self.options).map_err(failed)?;
        if alphabets != *layout.alphabets() {
            let layout = layout.with_alphabets(alphabets);
            self.input = Arc::new(Input { name: name.clone(), compression: None, layout });
        }

        let answer = (self.options.answer != AnswerColumn::Ignored).then(|| answer.unwrap_or_default());
        let texts = [puzzle].into_iter().chain(answer);
        let typed = Some(TypedRecords::of_texts(texts, alphabets, self.kept.clone()));
        chunk.clear();
        chunk.records.push(Record { text: 0..0, line: 1 });
        chunk.input = Some(ChunkInput { typed, ..ChunkInput::of_text(&self.input, 1) });
        Ok(())
    }
}
