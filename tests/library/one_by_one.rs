//! Rows of one puzzle at a time: those of a table with this puzzle alone, whatever was asked before.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch};
use gridmill::EngineKind;
use gridmill::arrow::DataType;
use gridmill::corpus::Corpus;
use gridmill::engine::MaxBranches;
use gridmill::format::{Alphabet, AnswerColumn, InputOptions};
use gridmill::jobs::{Augment, Canon, Execution, JobError, OneByOne, Rate, Solve, Validate};
use gridmill::pipeline::Stop;
use gridmill::rows::Value;
use proptest::prelude::*;

const EASY: &str = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const ANSWER: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

/// Texts of all kinds, many of them made of a puzzle.
fn texts(puzzle: &str) -> Vec<String> {
    let rows: Vec<&str> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
    let mut texts: Vec<String> =
        ["", " ", "\n", "x", "1.3..........4.2", "1...............", "11..............", "\"", "?"]
            .into_iter()
            .chain([
                EASY,
                puzzle,
                ANSWER,
                &puzzle[..80],
                &rows.join("\n"),
                &format!("\u{feff}{puzzle}"),
                "\u{e9}t\u{e9}, \"1\"",
            ])
            .map(str::to_owned)
            .collect();
    texts.extend([
        puzzle.replace('.', "0"),
        format!(" \"{puzzle}\" \r\n"),
        format!("{puzzle}{puzzle}"),
        ".".repeat(81),
        "5".repeat(81),
    ]);
    // Pencilmarks, of all candidates and of an easy puzzle.
    texts.push("123456789".repeat(81));
    let pencil = |cell: char| match cell {
        '.' => "123456789".to_owned(),
        digit => ('1'..='9').map(|other| if other == digit { digit } else { '.' }).collect(),
    };
    texts.push(EASY.chars().map(pencil).collect());
    // Large sizes in several alphabets, or in one that is not clear.
    let large = |clues: &str, cells: usize| format!("{clues}{}", ".".repeat(cells - clues.len()));
    texts.extend(["ABH", "1G", "09F", "AF", "", "A?"].map(|clues| large(clues, 256)));
    texts.extend(["AX", "1P", "0O", "AB"].map(|clues| large(clues, 625)));
    texts.push((0..256).map(|cell| (cell % 17).to_string()).collect::<Vec<_>>().join(" "));
    texts.push("9".repeat(70_000));
    texts
}

/// A job of any kind, made anew for each run.
macro_rules! rows_of_both {
    ($job:expr, $alphabets:expr, $answers:expr, $pairs:expr) => {{
        let mut single = $job
            .one_by_one(
                &InputOptions { alphabets: $alphabets.to_vec(), ..InputOptions::default() },
                $answers,
                &Execution::new(),
            )
            .unwrap();
        for (puzzle, answer) in $pairs {
            let (puzzle, answer): (&str, Option<&str>) = (puzzle, answer);
            let mut corpus = match corpus(puzzle, answer.filter(|_| $answers), $answers, $alphabets) {
                Ok(corpus) => corpus,
                Err(error) => {
                    assert_eq!(single.row(puzzle, answer).unwrap_err().to_string(), error.to_string(), "{puzzle}");
                    continue;
                }
            };
            let schema = $job.table_schema(&mut corpus).unwrap();
            let mut values = vec![];
            let each = |batch: RecordBatch| {
                assert_eq!(batch.schema(), schema);
                values.extend(values_of(&batch));
                Ok(())
            };
            let _ = $job.run_table(corpus, each, &Execution::new().threads(1)).unwrap();

            let width = schema.fields().len();
            let mut row = single.row(puzzle, answer).unwrap().expect("nobody stops it");
            if let Ok(nanos) = schema.index_of("nanos") {
                for values in [&mut row, &mut values] {
                    values.iter_mut().skip(nanos).step_by(width).for_each(|nanos| *nanos = Value::None);
                }
            }
            if let Ok(counts) = schema.index_of("techniques") {
                row.iter_mut().skip(counts).step_by(width).for_each(counts_to_text);
                values.iter_mut().skip(counts).step_by(width).for_each(|text| {
                    if *text == Value::None {
                        *text = Value::Text(String::new());
                    }
                });
            }
            assert_eq!(row, values, "{puzzle}");
        }
    }};
}

fn corpus(puzzle: &str, answer: Option<&str>, has_answers: bool, alphabets: &[Alphabet]) -> Result<Corpus, JobError> {
    let column = |text: Option<&str>| Arc::new(LargeStringArray::from(vec![text])) as ArrayRef;
    let answers = has_answers.then(|| ("solution", column(answer), true));
    let columns = [("puzzle", column(Some(puzzle)), true)].into_iter().chain(answers);
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let answer = if has_answers { AnswerColumn::Named("solution".into()) } else { AnswerColumn::Ignored };
    let options = InputOptions { alphabets: alphabets.to_vec(), answer, ..InputOptions::default() };
    Ok(Corpus::from_batches(batch.schema(), vec![Ok(batch)], options)?)
}

/// The values of the rows of a batch, one row after another.
fn values_of(batch: &RecordBatch) -> Vec<Value> {
    let value = |column: &ArrayRef, row: usize| match column.data_type() {
        _ if column.is_null(row) => Value::None,
        DataType::UInt64 => Value::Number(column.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => Value::Decimal(column.as_primitive::<Float64Type>().value(row)),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            Value::Texts(items.as_string::<i32>().iter().map(|item| item.unwrap().to_owned()).collect())
        }
        _ => {
            let texts = arrow_cast::cast(column, &DataType::Utf8).unwrap();
            Value::Text(texts.as_string::<i32>().value(row).to_owned())
        }
    };
    (0..batch.num_rows()).flat_map(|row| batch.columns().iter().map(move |column| value(column, row))).collect()
}

/// Makes of counts the text that a table has.
fn counts_to_text(value: &mut Value) {
    let Value::Counts(counts) = value else { panic!("{value:?}") };
    let text: Vec<String> = counts.iter().map(|(name, count)| format!("{name}:{count}")).collect();
    *value = Value::Text(text.join(";"));
}

fn alone(texts: &[String]) -> impl Iterator<Item = (&str, Option<&str>)> {
    texts.iter().map(|text| (&**text, None))
}

#[test]
fn rows_are_those_of_a_table_of_one_puzzle() {
    let (texts, easy, none) = (texts(HARD), texts(EASY), &[][..]);
    let bounded = |branches| Solve::new().max_branches(MaxBranches::Number(branches));
    rows_of_both!(bounded(20), none, false, alone(&texts));
    let first = || bounded(20).first(true).engine(EngineKind::Dlx);
    rows_of_both!(first(), none, false, alone(&texts));
    rows_of_both!(bounded(20).all(true).limit(NonZeroU64::new(3).unwrap()), none, false, alone(&texts));
    let chosen = || bounded(1).columns(["file", "detail", "line", "status"]);
    rows_of_both!(chosen(), &["A-P".parse().unwrap()], false, alone(&texts));

    let few = MaxBranches::Number(20);
    rows_of_both!(Canon::new().max_branches(few), none, false, alone(&texts));
    rows_of_both!(Rate::new().max_branches(few), none, false, alone(&easy));
    rows_of_both!(Rate::new().max_branches(few).max_er("2.0".parse().unwrap()), none, false, alone(&texts));
    rows_of_both!(Rate::new().max_branches(few).only_er(true), none, false, alone(&easy));
    rows_of_both!(Rate::new().max_branches(few).steps(true), none, false, alone(&easy));
    rows_of_both!(Augment::new(2).max_branches(few).seed(3), none, false, alone(&texts));
}

#[test]
fn answers_are_judged_and_earlier_puzzles_forgotten() {
    let texts = texts(HARD);
    let few = MaxBranches::Number(100);
    let answers = [None, Some(""), Some(ANSWER), Some(EASY), Some("1234"), Some("1234432121433412")];
    let pairs = || texts.iter().flat_map(|text| answers.map(|answer| (&**text, answer)));
    rows_of_both!(Validate::new().max_branches(few), &[][..], true, pairs());
    rows_of_both!(Validate::new().max_branches(few).classes(true), &[][..], true, pairs());
    rows_of_both!(Validate::new(), &[][..], false, [(HARD, Some("an answer that is not read"))]);

    let all = || Validate::new().minimal(true).duplicates(true).isomorphs(true);
    let twice: Vec<String> = [EASY, HARD, HARD, ANSWER, HARD].map(str::to_owned).to_vec();
    rows_of_both!(all(), &[][..], false, alone(&twice));
    let against = || Validate::new().against(corpus(HARD, None, false, &[]).unwrap());
    rows_of_both!(against(), &[][..], false, alone(&twice));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_has_the_row_of_a_table(texts in proptest::collection::vec("[0-9.\n ,\"|-]{0,90}|\\PC{0,20}", 1..4)) {
        rows_of_both!(Solve::new(), &[][..], false, alone(&texts));
    }
}

/// A job that calls a function whether to stop.
fn asking(is_overdue: impl Fn() -> bool + Send + Sync + 'static) -> OneByOne {
    let execution = Execution::new().stop(Stop::with(is_overdue));
    Solve::new().limit(NonZeroU64::MAX).one_by_one(&InputOptions::default(), false, &execution).unwrap()
}

#[test]
fn a_long_search_asks_whether_to_stop() {
    let calls = Arc::new(AtomicU32::new(0));
    let mut single = asking({
        let calls = Arc::clone(&calls);
        move || calls.fetch_add(1, Ordering::Relaxed) > 1000
    });
    assert!(single.row(HARD, None).unwrap().is_some());
    assert!(calls.load(Ordering::Relaxed) < 1000);
    assert_eq!(single.row(&".".repeat(81), None).unwrap(), None);
    assert!(calls.load(Ordering::Relaxed) > 1000);

    // A job that was stopped while it prepared has no rows, nor a wrong one.
    let stop = Stop::new();
    stop.trigger();
    let against = Validate::new().against(corpus(HARD, None, false, &[]).unwrap());
    let mut single = against.one_by_one(&InputOptions::default(), false, &Execution::new().stop(stop)).unwrap();
    assert_eq!(single.row(HARD, None).unwrap(), None);
}
