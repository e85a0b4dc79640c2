//! Properties of the jobs that copy records, for any mixture of records: a split is a partition, also of each stratum; what
//! dedupe keeps has no repetitions, a sample is a part of the corpus; and all keep bytes and order.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use gridmill::Corpus;
use gridmill::corpus::Origin;
use gridmill::format::{InputFormat, InputOptions};
use gridmill::jobs::{Dedupe, Execution, GroupBy, Sample, Split};
use gridmill::puzzle::Size;
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
            let image = support::isomorph(Size::Nine, &cells, seed);
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

/// A 4x4 puzzle for each number: what belongs together is by puzzle, so it may be any.
fn puzzle(number: usize) -> String {
    (0..16).map(|cell| char::from(b".1234"[number / 5_usize.pow(cell.min(8)) % 5])).collect()
}

/// The parts of a corpus of puzzles and their levels, in order.
fn stratified(records: &[(usize, u8)], parts: &str, seed: u64, execution: &Execution) -> Vec<Vec<(String, String)>> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let rows: Vec<String> = records.iter().map(|(number, level)| format!("{},l{level}\n", puzzle(*number))).collect();
    fs::write(&file, format!("puzzle,level\n{}", rows.concat())).unwrap();
    let keep = vec!["level".to_owned()];
    let options = InputOptions { format: Some(InputFormat::Csv), keep, ..InputOptions::default() };
    let corpus = Corpus::open(vec![Origin::File(file.path().to_owned())], options).unwrap();
    let job = Split::new(parts.parse().unwrap()).by(GroupBy::Puzzle).seed(seed).stratify("level");
    let (mut outputs, mut unsplit) = (vec![vec![]; 3], vec![]);
    let report = job.run(corpus, outputs.iter_mut().collect(), &mut unsplit, execution).unwrap().report;
    assert_eq!(report.records, records.len() as u64);
    assert!(unsplit.is_empty());
    let row = |row: &str| row.split_once(',').map(|(puzzle, level)| (puzzle.to_owned(), level.to_owned())).unwrap();
    outputs.iter().map(|output| str::from_utf8(output).unwrap().lines().skip(1).map(row).collect()).collect()
}

/// How many records there are with each level.
fn levels(part: &[(String, String)]) -> BTreeMap<&str, usize> {
    let mut levels = BTreeMap::new();
    for (_, level) in part {
        *levels.entry(&**level).or_default() += 1;
    }
    levels
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn each_stratum_is_shared_as_all_records_are(
        // The levels of the groups, and their numbers of records. Few have several levels.
        groups in proptest::collection::vec((0..5_u8, 1..5_usize, 0..20_u8), 1..300),
        seed in any::<u64>(),
        order in any::<u64>(),
        chunk in 1..50_usize,
        sizes in (0..100_usize, 0..100_usize),
    ) {
        let execution = Execution::new().threads(2).chunk_size(NonZeroUsize::new(chunk).unwrap());
        let records_of = |(number, &(level, records, other)): (usize, &(u8, usize, u8))| {
            (0..records).map(move |record| (number, if other == 0 && record == 2 { level + 1 } else { level }))
        };
        let mut records: Vec<(usize, u8)> = groups.iter().enumerate().flat_map(records_of).collect();
        records.sort_by_key(|record| order.wrapping_mul(record.0 as u64 + 1).rotate_left(17).wrapping_mul(order | 1));
        let parts = "a=0.5,b=0.2,c=rest";
        let found = stratified(&records, parts, seed, &execution);

        // No record is lost, and groups stay together.
        prop_assert_eq!(found.iter().map(Vec::len).sum::<usize>(), records.len());
        let mut part_of = HashMap::new();
        for (number, part) in found.iter().enumerate() {
            for (puzzle, _) in part {
                prop_assert_eq!(*part_of.entry(puzzle).or_insert(number), number);
            }
        }
        // Each part has its share of each level, to less than the largest group and what has other levels in its group.
        let mixed = groups.iter().filter(|group| group.2 == 0 && group.1 > 2).count();
        for level in 0..6_u8 {
            let name = format!("l{level}");
            let all = records.iter().filter(|record| record.1 == level).count() as f64;
            for (part, share) in found.iter().zip([0.5, 0.2, 0.3]) {
                let count = levels(part).get(&*name).copied().unwrap_or(0) as f64;
                let bound = 4.0 + 2.0 * mixed as f64;
                prop_assert!((count - share * all).abs() < bound, "{name}: {count} of {all}, {share}");
            }
        }

        // Threads, chunks and the order of the records do not matter.
        let mut reversed = records.clone();
        reversed.reverse();
        let mut again = stratified(&reversed, parts, seed, &Execution::new().threads(1));
        for part in &mut again {
            part.reverse();
        }
        prop_assert!(again == found);

        // Exact sizes are exact, and of groups of one record each level has its share up to the rounding of all levels.
        let singles: Vec<(usize, u8)> = groups.iter().enumerate().map(|(number, group)| (number, group.0)).collect();
        let (a, b) = (singles.len() * sizes.0 / 200, singles.len() * sizes.1 / 200);
        let found = stratified(&singles, &format!("a={a},b={b},c=rest"), seed, &execution);
        for (part, size) in found.iter().zip([a, b, singles.len() - a - b]) {
            prop_assert_eq!(part.len(), size);
            for level in 0..5_u8 {
                let all = singles.iter().filter(|record| record.1 == level).count() as f64;
                let count = levels(part).get(&*format!("l{level}")).copied().unwrap_or(0) as f64;
                let share = all * size as f64 / singles.len() as f64;
                let bound = 2.0 + 2.0 * 5.0 * all / singles.len() as f64;
                prop_assert!((count - share).abs() <= bound, "l{level}: {count} instead of {share}");
            }
        }
    }
}
