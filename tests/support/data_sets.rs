//! Small files with the names and the columns of the public data sets in docs/corpora.md.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;

/// Generated puzzles with their solutions.
const PUZZLES: &str = include_str!("../../data/with-answers.csv");

/// A puzzle and its solution.
type Pair = (String, String);

/// Writes a file for each data set, into a new directory.
pub(crate) fn write_data_sets(directory: &Path) {
    fs::create_dir(directory).unwrap();
    let mut table = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(PUZZLES.as_bytes());
    let headers = table.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).expect("data/ has this column");
    let (puzzle, solution) = (column("puzzle"), column("solution"));
    let rows = table.records().map(|row| row.unwrap());
    let pairs: Vec<Pair> = rows.map(|row| (row[puzzle].to_owned(), row[solution].to_owned())).take(60).collect();
    let (train, test) = pairs.split_at(40);
    let zeros = |(puzzle, solution): &Pair| (puzzle.replace('.', "0"), solution.clone());

    let csv = |name: &str, header: &str, pairs: &[Pair], row: &dyn Fn(usize, &Pair) -> String| {
        let rows: Vec<String> = pairs.iter().enumerate().map(|(index, pair)| row(index, pair) + "\n").collect();
        fs::write(directory.join(name), format!("{header}\n{}", rows.concat())).unwrap();
    };
    let extreme = |index: usize, (puzzle, solution): &Pair| format!("puzzles{index},{puzzle},{solution},{index}");
    csv("train.csv", "source,question,answer,rating", train, &extreme);
    csv("test.csv", "source,question,answer,rating", test, &extreme);
    let two = |_: usize, pair: &Pair| {
        let (puzzle, solution) = zeros(pair);
        format!("{puzzle},{solution}")
    };
    csv("sudoku-1m.csv", "quizzes,solutions", train, &two);
    csv("sudoku-9m.csv", "puzzle,solution", train, &two);
    csv("sudoku-3m.csv", "id,puzzle,solution,clues,difficulty", train, &|index, (puzzle, solution)| {
        format!("{},{puzzle},{solution},{},2.2", index + 1, puzzle.bytes().filter(|&cell| cell != b'.').count())
    });

    let texts = |texts: Vec<String>| Arc::new(StringArray::from(texts)) as ArrayRef;
    for (name, pairs) in [("train-0.parquet", train), ("train-1.parquet", test)] {
        let (puzzles, solutions) = pairs.iter().map(zeros).unzip();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("puzzle", texts(puzzles)),
            ("solution", texts(solutions)),
            ("difficulty", Arc::new(Float64Array::from(vec![2.5; pairs.len()]))),
            ("source", texts(vec!["kaggle".to_owned(); pairs.len()])),
        ];
        write_parquet(&directory.join(name), columns);
    }
    let grids = |texts: Vec<&str>| {
        let mut lists = ListBuilder::new(ListBuilder::new(Int64Builder::new()));
        for text in texts {
            for row in text.as_bytes().chunks(9) {
                lists.values().append_value(row.iter().map(|&cell| Some(i64::from(cell.max(b'0') - b'0'))));
            }
            lists.append(true);
        }
        Arc::new(lists.finish()) as ArrayRef
    };
    let (puzzles, solutions) = train.iter().map(|(puzzle, solution)| (&**puzzle, &**solution)).unzip();
    write_parquet(&directory.join("sudoku_v1.parquet"), vec![("grid", grids(puzzles)), ("solution", grids(solutions))]);

    let minimal = include_str!("../../data/minimal.txt").lines().filter(|line| !line.starts_with('#'));
    let minimal: Vec<&str> = minimal.take(20).collect();
    fs::write(directory.join("sudoku17.txt"), minimal.join("\n").replace('.', "0")).unwrap();
    let lines = format!("# From a forum\n{}\n", minimal.join("\n"));
    fs::write(directory.join("puzzles5_forum_hardest_1905_11+"), lines).unwrap();
}

fn write_parquet(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}
