//! Properties of the jobs that copy records, for any mixture of records: a split is a partition, what dedupe keeps has no
//! repetitions, a sample is a part of the corpus; and all keep bytes and order.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use gridmill::Corpus;
use gridmill::corpus::Origin;
use gridmill::format::{InputFormat, InputOptions};
use gridmill::jobs::{Dedupe, Execution, GroupBy, Sample, Split};
use gridmill::puzzle::Order;
use proptest::prelude::*;

use super::support;

const PUZZLE: &str = "354798126982461537176253489835619742217834965469527813743982651528176394691345278";

/// Records of every kind: puzzles with one solution, isomorphs of each other, other sizes, and malformed ones.
fn records() -> Vec<String> {
    let mut records: Vec<String> =
        ["1.3..........4.2", "1...............", "x", "1.3.........."].map(str::to_owned).into();
    for blanks in 0..4_usize {
        let puzzle: String = PUZZLE.chars().enumerate().map(|(n, c)| if n < 7 * blanks { '.' } else { c }).collect();
        let (_, cells) = support::parse(&puzzle);
        records.push(puzzle);
        for seed in 1..3 {
            let image = support::isomorph(Order::Three, &cells, seed);
            records.push(image.iter().map(|&value| if value == 0 { '.' } else { char::from(b'0' + value) }).collect());
        }
    }
    records
}

/// A text of records, each with its line end; the last may have none.
#[derive(Clone, Debug)]
struct Text {
    format: InputFormat,
    header: &'static str,
    records: Vec<String>,
}

fn texts() -> impl Strategy<Value = Text> {
    let all = records();
    let record = (0..all.len(), prop_oneof![Just("\n"), Just("\r\n")], 0..3_u8);
    (any::<bool>(), proptest::collection::vec(record, 0..40), any::<bool>()).prop_map(move |(is_csv, chosen, ends)| {
        let mut records: Vec<String> = chosen
            .into_iter()
            .map(|(index, end, style)| match (is_csv, style) {
                (true, 0) => format!("\"a \"\"b\"\"\",\"{}\"{end}", all[index]),
                (true, style) => format!("{style},{}{end}", all[index]),
                (false, 0) => format!("{} # {index}{end}", all[index]),
                (false, _) => format!("{}{end}", all[index]),
            })
            .collect();
        if let Some(last) = records.last_mut().filter(|_| !ends) {
            *last = last.trim_end().to_owned();
        }
        let (format, header) = if is_csv { (InputFormat::Csv, "id,puzzle\n") } else { (InputFormat::Lines, "") };
        Text { format, header, records }
    })
}

fn open(path: &Path, format: InputFormat) -> Corpus {
    let options = InputOptions { format: Some(format), ..InputOptions::default() };
    Corpus::open(vec![Origin::File(path.to_owned())], options).unwrap()
}

/// Checks that an output has a header and some of the records, in order; takes them out of `left`. Where the last record
/// of the text has no line end, it is last in its output, too.
fn take_records(text: &Text, left: &mut [Option<String>], output: &[u8]) -> Result<(), TestCaseError> {
    let output = String::from_utf8(output.to_vec()).unwrap();
    let mut rest = output.strip_prefix(text.header).unwrap_or_else(|| panic!("{output:?} has no header"));
    for record in left.iter_mut() {
        if let Some(same) = record.as_ref().and_then(|record| rest.strip_prefix(record.as_str())) {
            rest = same;
            *record = None;
        }
    }
    prop_assert_eq!(rest, "", "{:?}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn records_are_copied_as_they_are(
        text in texts(),
        by in prop_oneof![Just(GroupBy::Puzzle), Just(GroupBy::Class), Just(GroupBy::Solution)],
        seed in 0..4_u64,
        chunk in 1..50_usize,
        size in 0..30_usize,
    ) {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, text.header.to_owned() + &text.records.concat()).unwrap();
        let execution = Execution::new().threads(2).chunk_size(NonZeroUsize::new(chunk).unwrap());
        let all = || text.records.iter().cloned().map(Some).collect::<Vec<_>>();

        // Equal records are in the same part, so it does not matter which of them is taken out for which.
        let job = Split::new("a=0.5,b=0.2,c=rest".parse().unwrap()).by(by).seed(seed);
        let mut outputs = vec![vec![]; 3];
        let mut unsplit = vec![];
        let report = job.run(open(file.path(), text.format), outputs.iter_mut().collect(), &mut unsplit, &execution);
        prop_assert_eq!(report.unwrap().report.records, text.records.len() as u64);
        let mut left = all();
        let is_there = |unsplit: &&Vec<u8>| !unsplit.is_empty();
        for output in outputs.iter().chain(Some(&unsplit).filter(is_there)) {
            take_records(&text, &mut left, output)?;
        }
        prop_assert!(left.iter().all(Option::is_none), "{:?} are in no part", left);

        let dedupe = |path: &Path| {
            let mut kept = vec![];
            let report = Dedupe::new().by(by).run(open(path, text.format), &mut kept, &execution).unwrap().report;
            (kept, report)
        };
        let (kept, report) = dedupe(file.path());
        prop_assert_eq!(report.records, text.records.len() as u64);
        let mut left = all();
        take_records(&text, &mut left, &kept)?;
        prop_assert_eq!(left.iter().flatten().count() as u64, report.dropped);
        let again = tempfile::NamedTempFile::new().unwrap();
        fs::write(&again, &kept).unwrap();
        let (same, report) = dedupe(again.path());
        prop_assert!(same == kept && report.dropped == 0, "{:?}", report);

        let mut sample = vec![];
        let job = Sample::new(size).seed(seed);
        let report = job.run(open(file.path(), text.format), &mut sample, &execution).unwrap().report;
        prop_assert_eq!(report.sampled, size.min(text.records.len()) as u64);
        let mut left = all();
        take_records(&text, &mut left, &sample)?;
        prop_assert_eq!(left.iter().flatten().count() as u64, report.records - report.sampled);
    }
}
