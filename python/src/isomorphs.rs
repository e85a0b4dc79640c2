//! Random isomorphs of solved puzzles: for each row of `solve`, as many rows as copies are wanted.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch, StringArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gridmill::format::Alphabet;
use gridmill::puzzle::Isomorph;
use gridmill::rows::Column;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::grids::{Content, Grids};

/// Draws isomorphs of one record after another.
pub(crate) struct Isomorphs {
    copies: usize,
    random: Xoshiro256PlusPlus,
}

impl Isomorphs {
    /// The columns of `solve` that are needed, in this order.
    pub(crate) const COLUMNS: [Column; 5] =
        [Column::Line, Column::Puzzle, Column::Status, Column::Solution, Column::Detail];

    /// `copies` isomorphs of each record. The same seed gives the same ones.
    pub(crate) fn new(copies: usize, seed: u64) -> Isomorphs {
        Isomorphs { copies, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The columns of the rows.
    pub(crate) fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("line", DataType::UInt64, false),
            Field::new("puzzle", DataType::Utf8, true),
            Field::new("solution", DataType::Utf8, true),
            Field::new("detail", DataType::Utf8, true),
        ]))
    }

    /// The isomorphs of solved rows. Those of a malformed record are null.
    pub(crate) fn rows(&mut self, solved: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let text = |index: usize| cast(solved.column(index), &DataType::Utf8);
        let (puzzles, status, solutions, details) = (text(1)?, text(2)?, text(3)?, text(4)?);
        let lines = solved.column(0).as_primitive::<UInt64Type>();
        let mut line = UInt64Array::builder(self.copies * solved.num_rows());
        let (mut puzzle, mut solution) = (StringBuilder::new(), StringBuilder::new());
        let mut detail = StringBuilder::new();
        for row in 0..solved.num_rows() {
            let get = |array: &Arc<dyn Array>| {
                let texts: &StringArray = array.as_string();
                texts.is_valid(row).then(|| texts.value(row).to_owned())
            };
            let source = get(&puzzles).filter(|_| get(&status).as_deref() != Some("malformed"));
            let image = source.as_deref().and_then(|source| Source::new(source, get(&solutions).as_deref()));
            for _ in 0..self.copies {
                line.append_value(lines.value(row));
                let (copy, solved) = image.as_ref().map_or((None, None), |source| source.draw(&mut self.random));
                puzzle.append_option(copy);
                solution.append_option(solved);
                detail.append_option(get(&details));
            }
        }
        let columns: Vec<Arc<dyn Array>> = vec![
            Arc::new(line.finish()),
            Arc::new(puzzle.finish()),
            Arc::new(solution.finish()),
            Arc::new(detail.finish()),
        ];
        RecordBatch::try_new(Isomorphs::schema(), columns)
    }
}

/// The cells of a puzzle and of its solution.
struct Source {
    alphabet: Alphabet,
    blank: u8,
    puzzle: Vec<u8>,
    solution: Option<Vec<u8>>,
}

impl Source {
    fn new(puzzle: &str, solution: Option<&str>) -> Option<Source> {
        // A solution shows every symbol.
        let grids = match solution {
            Some(solution) => Grids::detect([solution].into_iter(), Content::Solutions),
            None => Grids::detect([puzzle].into_iter(), Content::Puzzles),
        };
        let alphabet = grids.ok()?.alphabet();
        let read = |text: &str| text.bytes().map(|symbol| alphabet.value(symbol)).collect();
        let blank = puzzle.bytes().find(|&symbol| alphabet.value(symbol) == 0).unwrap_or(b'.');
        Some(Source { alphabet, blank, puzzle: read(puzzle), solution: solution.map(read) })
    }

    /// A random isomorph of both.
    fn draw(&self, random: &mut Xoshiro256PlusPlus) -> (Option<String>, Option<String>) {
        let isomorph = Isomorph::random(self.alphabet.order(), random);
        let image = |cells: &[u8]| {
            let mut image = vec![0; cells.len()];
            isomorph.apply_into(cells, &mut image);
            self.alphabet.text(&image, self.blank)
        };
        (Some(image(&self.puzzle)), self.solution.as_deref().map(image))
    }
}
