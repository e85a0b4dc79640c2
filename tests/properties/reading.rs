//! Any bytes are detected or refused, split into the same records in pieces of any size, and parsed. Each byte is in a
//! record or between two, and what could be a puzzle is in a record, or in a comment. What was parsed can be printed and
//! parsed again.

use std::ops::Range;

use gridmill::format::{
    AnswerColumn, BatchEnd, BatchLimits, Consumed, InputFormat, InputOptions, Layout, LongLine, MAX_RECORD,
    ParsedPuzzle, Splitter, detect, rest_of_line,
};
use gridmill::puzzle::{Puzzles, Size};

use super::cells;

/// A record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundRecord {
    /// The range of its text.
    pub(super) text: Range<usize>,
    /// The line on which it starts.
    pub(super) line: u64,
    /// Where it ends, with the rest of its line if it was cut off.
    pub(super) end: usize,
}

/// The number of records that are printed and read again; more would take long, because formats are detected again.
const PRINTED: usize = 4;

/// Checks the property of this module.
///
/// The first of `bytes` is the length of the sample in the second of two detections, the next three are sizes of
/// pieces; the rest is the text.
pub(super) fn check(format: Option<InputFormat>, bytes: &[u8]) {
    let Some((&[sample, steps @ ..], text)) = bytes.split_first_chunk::<4>() else { return };
    let steps = steps.map(|step| usize::from(step) + 1);
    let options = InputOptions { format, answer: AnswerColumn::ByName, ..InputOptions::default() };
    if let Ok(layout) = detect(text, true, &options) {
        let records = read(&layout, text, &steps);
        nothing_is_lost(&layout, text, &records);
        let (mut parser, mut puzzles) = (layout.parser(), Puzzles::new());
        for record in records.iter().take(PRINTED) {
            let record = &text[record.text.clone()];
            if let Ok(puzzle) = parser.parse(record, &mut puzzles) {
                if matches!(layout.format(), InputFormat::Lines | InputFormat::Hodoku) {
                    has_one_puzzle(record);
                }
                reads_back(&layout, puzzle, puzzles.last(puzzle.size));
            }
        }
    }
    let sample = &text[..text.len().min(8 * usize::from(sample))];
    if let Ok(layout) = detect(sample, false, &options) {
        read(&layout, text, &steps);
    }
}

/// Splits a text at once and in pieces, and reads its records.
fn read(layout: &Layout, text: &[u8], steps: &[usize]) -> Vec<FoundRecord> {
    assert!(!layout.to_string().contains('\n'));
    let records = split(&mut *layout.splitter(), text, &[text.len()], BatchLimits::NONE);
    let few = |records| BatchLimits { records, ..BatchLimits::NONE };
    for limits in [few(1), few(3), BatchLimits { records: 3, bytes: 100 }] {
        assert_eq!(split(&mut *layout.splitter(), text, steps, limits), records, "in pieces");
    }
    let (mut parser, mut answers) = (layout.parser(), layout.answer_parser());
    let mut pass_through = layout.pass_through();
    let mut puzzles = Puzzles::new();
    let (mut lines, mut counted) = (1, 0);
    // Where records share lines, in a document, they are counted in place of the lines.
    let are_counted =
        layout.format() == InputFormat::Jsonl && (1..).zip(&records).all(|(number, record)| number == record.line);
    for FoundRecord { text: range, line, .. } in &records {
        let record = &text[range.clone()];
        let mut line_at = |end| {
            lines += text[counted..end].split(|&byte| byte == b'\n').count() as u64 - 1;
            counted = end;
            lines
        };
        match layout.format() {
            InputFormat::Grids => assert!((line_at(range.start)..=line_at(range.end)).contains(line)),
            _ => assert!(*line == line_at(range.start) || are_counted),
        }
        assert_eq!(pass_through.fields(record).count(), layout.kept_columns().count());
        puzzles.clear();
        let parsed = parser.parse(record, &mut puzzles);
        for size in Size::ALL {
            let is_parsed = parsed.is_ok_and(|puzzle| puzzle.size == size);
            assert_eq!(puzzles.batch(size).len(), usize::from(is_parsed));
        }
        match parsed {
            Ok(puzzle) => {
                let clues = puzzles.last(puzzle.size).iter().filter(|&&cell| cell > 0).count();
                assert_eq!(clues, usize::from(puzzle.clues));
            }
            Err(reason) => assert!(!reason.to_string().contains('\n'), "{reason:?}"),
        }
        parser.puzzle_text(record);
        if let Some(answers) = &mut answers {
            let _ = answers.parse(record, &mut puzzles);
        }
    }
    records
}

/// Splits a text that arrives in pieces of these sizes, over and over, in batches within these limits; each byte is in
/// one record at most.
pub(super) fn split(
    splitter: &mut dyn Splitter,
    text: &[u8],
    steps: &[usize],
    limits: BatchLimits,
) -> Vec<FoundRecord> {
    let mut records: Vec<FoundRecord> = Vec::new();
    let mut steps = steps.iter().cycle();
    let (mut start, mut end) = (0, 0);
    loop {
        let (seen, at_end) = (&text[start..end], end == text.len());
        let (before, mut end_of_last) = (records.len(), 0);
        let consumed = splitter.next_batch(seen, at_end, limits, &mut |range, line| {
            assert!(end_of_last <= range.start && range.start <= range.end && range.len() <= MAX_RECORD);
            assert!(line >= records.last().map_or(1, |record| record.line), "line numbers never go back");
            end_of_last = range.end;
            let text = start + range.start..start + range.end;
            records.push(FoundRecord { end: text.end, text, line });
        });
        assert!(end_of_last <= consumed.bytes && consumed.bytes <= seen.len());
        start += consumed.bytes;
        match consumed.end {
            BatchEnd::Limit => {
                let found = records.len() - before;
                assert!(found == limits.records || found > 0 && consumed.bytes >= limits.bytes, "{found} records");
            }
            BatchEnd::Incomplete => {
                assert!(!at_end, "more is asked for, and there is none");
                assert!(consumed.bytes > 0 || seen.len() < MAX_RECORD, "an unbounded text is asked for");
                end = text.len().min(end + steps.next().expect("there are steps"));
            }
            BatchEnd::LongLine(long) => {
                assert!(consumed.bytes > 0);
                start += rest_of_line(&text[start..]).unwrap_or(text.len() - start);
                end = end.max(start);
                if let (LongLine::Record, Some(record)) = (long, records.last_mut()) {
                    record.end = start;
                }
            }
            BatchEnd::EndOfInput => {
                let again = splitter.next_batch(b"", true, limits, &mut |_, _| panic!("a record after the end"));
                assert_eq!(again, Consumed { bytes: 0, end: BatchEnd::EndOfInput });
                return records;
            }
        }
    }
}

/// Checks that no text outside of records could be a puzzle, by [`super::cells`], which knows no format: records, and the
/// text that may be skipped, are blotted out first.
fn nothing_is_lost(layout: &Layout, text: &[u8], records: &[FoundRecord]) {
    let format = layout.format();
    let begin = records.first().map_or(text.len(), |record| record.text.start);
    let mut rest = text.to_vec();
    let byte_order_mark = text.len() - text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).len();
    blot_out(&mut rest, 0..byte_order_mark);
    for (record, next) in records.iter().zip(records.iter().skip(1).map(Some).chain([None])) {
        // What follows a record that was cut off is the rest of it.
        let is_cut_off = record.text.len() == MAX_RECORD;
        let end = if is_cut_off { next.map_or(text.len(), |next| next.text.start) } else { record.end };
        blot_out(&mut rest, record.text.start..end);
    }
    let (mut end, mut section) = (byte_order_mark, None);
    for line in text[end..].split_inclusive(|&byte| byte == b'\n') {
        let start = end;
        end += line.len();
        let has_comments = start < begin
            || matches!(
                format,
                InputFormat::Lines | InputFormat::Hodoku | InputFormat::Grids | InputFormat::Candidates
            );
        if has_comments && line.starts_with(b"#") {
            blot_out(&mut rest, start..end);
        }
        if matches!(format, InputFormat::Lines | InputFormat::Hodoku) && line.trim_ascii() == b"end" {
            assert!(records.iter().all(|record| record.text.start < end), "a record after the end");
            blot_out(&mut rest, start..text.len());
        }
        // The states of a puzzle that was played, and its marks.
        if format == InputFormat::Grids && line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]") {
            section = Some(line.trim_ascii_end().to_ascii_lowercase());
        }
        if section.as_ref().is_some_and(|section| section != b"[puzzle]") {
            blot_out(&mut rest, start..end);
        }
    }
    if let Some(lost) = cells::puzzle_in(&rest) {
        panic!("{format}: nobody has read {:?} at byte {}", text[lost.clone()].escape_ascii().to_string(), lost.start);
    }
    let is_all_records =
        matches!(format, InputFormat::Csv | InputFormat::Ints | InputFormat::Hodoku | InputFormat::Lines);
    if is_all_records && !layout.to_string().contains("in another text") {
        // The header comes before the first record.
        let lost = rest[begin..].iter().position(|byte| !byte.is_ascii_whitespace() && *byte != BLOT);
        assert_eq!(lost, None, "{format}: nobody has read a byte after byte {begin}");
    }
}

/// Checks that no other puzzle follows the one that was read, unless it is full: an answer.
fn has_one_puzzle(record: &[u8]) {
    let words = cells::words_in(record);
    let has_blanks = |word: &&[u8]| word.iter().any(|byte| b".0-_*?xX".contains(byte));
    let puzzles: Vec<&[u8]> = words.into_iter().map(|word| &record[word]).filter(has_blanks).collect();
    let is_one = puzzles.iter().all(|puzzle| *puzzle == puzzles[0]);
    assert!(is_one, "nobody has read the second puzzle of {:?}", record.escape_ascii().to_string());
}

/// A byte that is part of no puzzle.
const BLOT: u8 = b'!';

fn blot_out(text: &mut [u8], range: Range<usize>) {
    text[range].fill(BLOT);
}

/// Prints a puzzle in every input format and reads it back.
fn reads_back(layout: &Layout, puzzle: ParsedPuzzle, cells: &[u8]) {
    let ParsedPuzzle { size, blank, .. } = puzzle;
    let alphabet = layout.alphabets().for_printing(size);
    let line = alphabet.text(cells, blank);
    let row = |cells: &[u8]| alphabet.text(cells, b'.') + "\n";
    let number = |cell: &u8| format!("{cell} ");
    let order = match (size.box_rows(), size.box_columns()) {
        (rows, columns) if rows == columns => rows.to_string(),
        (rows, columns) => format!("{rows}x{columns}"),
    };
    let printed = [
        (InputFormat::Lines, format!("{line}\n")),
        (InputFormat::Csv, format!("puzzle\n{line}\n")),
        (InputFormat::Grids, cells.chunks(size.side()).map(row).collect()),
        (InputFormat::Jsonl, format!("{{\"puzzle\": \"{line}\"}}\n")),
        (InputFormat::Jsonl, format!("{{\"puzzle\": {cells:?}}}\n")),
        (InputFormat::Ints, format!("{order}\n{}\n", cells.iter().map(number).collect::<String>())),
        (InputFormat::Hodoku, format!(":0000:x:{line}:::\n")),
        (InputFormat::OpenSudoku, format!("<opensudoku><game data=\"{line}\"/></opensudoku>")),
    ];
    // If no puzzle has a clue, no alphabet is known, and none is needed.
    let is_known = layout.alphabets().get(size).is_some() || cells.iter().any(|&cell| cell > 0);
    let alphabets = if is_known && size > Size::Nine { vec![alphabet] } else { vec![] };
    // A column of 0 and 1 may be a mask.
    let is_mask = cells.iter().all(|&cell| cell < 2);
    for (format, text) in printed {
        if is_mask && matches!(format, InputFormat::Csv | InputFormat::Jsonl) {
            continue;
        }
        let options = InputOptions { format: Some(format), alphabets: alphabets.clone(), ..InputOptions::default() };
        let layout = detect(text.as_bytes(), true, &options).expect("what is printed is detected");
        let records = split(&mut *layout.splitter(), text.as_bytes(), &[text.len()], BatchLimits::NONE);
        let [record] = &records[..] else { panic!("{} records in {text:?}", records.len()) };
        let mut again = Puzzles::new();
        let parsed = layout.parser().parse(&text.as_bytes()[record.text.clone()], &mut again);
        assert_eq!(parsed.map(|puzzle| again.last(puzzle.size)), Ok(cells), "{text:?}");
    }
}
