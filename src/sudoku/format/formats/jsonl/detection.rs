//! Detects the records of JSON and their keys from a sample.

use std::collections::{HashSet, VecDeque};

use serde_json::Value;

use super::document::SoughtRecords;
use super::object::{self, KeyPath};
use super::{JsonRecords, JsonlLayout, JsonlParser, path_of};
use crate::format::alphabet::Alphabets;
use crate::format::columns::{Sought, Table, WantedColumns, is_named_as_answer, position, usual_puzzle_columns};
use crate::format::definition::{FoundLayout, Start, TextLayout};
use crate::format::splitter::Preamble;
use crate::format::{BatchLimits, DetectError, Malformed, Parser, Puzzles, Size, refusal, sample};

/// The layout of a text: objects on lines; failing that, lists on lines, objects in a document, and lists and texts in
/// a document. Objects are tried before lists and texts, which may be parts of objects.
pub(super) fn layout(start: Start<'_>, wanted: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
    let lines = [JsonRecords::ObjectLines, JsonRecords::ListLines];
    let documents = [SoughtRecords::AnyKey, SoughtRecords::Values { fours: false }].map(JsonRecords::Document);

    let (mut first, mut single) = (None, None);
    // Lists and texts have no columns to name.
    for records in lines.into_iter().chain(documents).filter(|records| records.has_keys() || !wanted.has_name()) {
        let are_lines = records == JsonRecords::ObjectLines;
        match reading(records, start, wanted) {
            Err(error @ (DetectError::Unsupported { .. } | DetectError::Prompts { .. })) if single.is_none() => {
                return Err(error);
            }
            // In a document, the keys of objects may be names of puzzles.
            Err(error @ DetectError::SeveralPuzzleColumns { .. }) if are_lines => return Err(error),
            Ok(RecordReading { layout, is_likely: true, is_single: true, .. }) => single = single.or(Some(layout)),
            Ok(RecordReading { layout, is_likely: true, .. }) => return Ok(layout),
            other => first = first.or(Some(other)),
        }
    }
    if let Some(layout) = single {
        return Ok(layout);
    }
    refusal::refuse_clues(start.text())?;
    match first {
        Some(Ok(RecordReading { has_keys, layout, .. })) if has_keys || !start.is_guessed => Ok(layout),
        Some(Err(error)) => Err(error),
        _ => Err(refusal::json(start)),
    }
}

/// Records that may be the right ones.
struct RecordReading {
    layout: FoundLayout,
    /// Whether most records are puzzles. For objects: whether one has a puzzle, and most records are objects.
    is_likely: bool,
    /// Whether there is one record, without a usual key, so that its parts may be the records.
    is_single: bool,
    /// Whether a record has keys.
    has_keys: bool,
}

/// Looks for puzzles in these records.
fn reading(
    mut records: JsonRecords,
    start: Start<'_>,
    wanted: WantedColumns<'_>,
) -> Result<RecordReading, DetectError> {
    let splitter = |records: &JsonRecords| records.splitter(Preamble::default());
    let split = |records: &JsonRecords| sample::records(splitter(records), start.text(), start.is_complete);
    let mut sample = split(&records);
    if let JsonRecords::Document(SoughtRecords::Values { fours }) = &mut records {
        let grids = grids(&sample);
        refuse_columns(start, &sample, &grids)?;
        *fours = grids.iter().any(|grid| grid.len() == Size::Four.cells());
        sample = split(&records);
    }

    if records == JsonRecords::Document(SoughtRecords::AnyKey) {
        sample.retain(|record| record.starts_with(b"{"));
        // A path starts in an object around the one with the puzzle.
        let path = wanted.puzzle.filter(|name| name.contains('.') && position(&keys(&sample).direct, name).is_none());
        if let Some(path) = path.map(path_of) {
            sample = split(&JsonRecords::Document(SoughtRecords::MemberKey(path)));
            sample.retain(|record| record.starts_with(b"{"));
        }
    }

    let keys = if records.has_keys() { keys(&sample) } else { keys(&[]) };
    let (has_keys, objects) = (!keys.direct.is_empty(), keys.objects);
    let (mut text, table) = choose(records, &sample, &keys, wanted)?;
    let puzzle = table.choice.puzzle;
    refuse_several_answers(&sample, &text, table.choice.answer)?;

    let sought = if text.records.has_keys() { Sought::Attempts } else { Sought::Puzzles };
    let puzzles = sample::count(&sample, text.parser(Alphabets::default(), puzzle), sought);
    if text.records == JsonRecords::ObjectLines && start.is_guessed {
        refuse_values(&sample, &text, puzzle, puzzles > 0)?;
    }
    let path = text.path(puzzle);
    let is_most = match &mut text.records {
        JsonRecords::ObjectLines => 2 * objects > sample.len(),
        // The records may be lists and texts outside of these objects.
        JsonRecords::Document(wanted @ SoughtRecords::AnyKey) => {
            *wanted = SoughtRecords::MemberKey(path);
            let found = split(&text.records);
            2 * found.iter().filter(|record| record.starts_with(b"{")).count() > found.len()
        }
        _ => 2 * puzzles > sample.len(),
    };
    let is_likely = puzzles > 0 && is_most;
    let is_single = sample.len() == 1 && (!text.records.has_keys() || table.is_found);
    let mut last = 0;
    splitter(&text.records).next_batch(start.text(), start.is_complete, BatchLimits::NONE, &mut |_, line| {
        text.share_lines |= line == last;
        last = line;
    });
    let layout = FoundLayout { text: Box::new(text), table: Some(table), preamble: start.comments };
    Ok(RecordReading { layout, is_likely, is_single, has_keys })
}

/// The columns of these records, and the choice of the columns to read. If no key has puzzles, the keys of objects within
/// the records are searched.
fn choose(
    records: JsonRecords,
    sample: &[&[u8]],
    keys: &MemberKeys,
    wanted: WantedColumns<'_>,
) -> Result<(JsonlLayout, Table), DetectError> {
    let direct = if keys.direct.is_empty() { wanted.names() } else { keys.direct.clone() };
    let mut text = JsonlLayout { records, share_lines: false, direct: direct.len(), keys: direct };
    if !text.records.has_keys() {
        let table = Table::choose(text.keys.clone(), wanted, |_| Ok(Some(0)))?;
        return Ok((text, table));
    }
    let mut found = match sample::puzzle_column(&text, sample, &text.keys) {
        // The keys may be names of puzzles.
        Err(DetectError::SeveralPuzzleColumns { .. }) if sample.len() == 1 => Ok(None),
        found => found,
    };
    let has_puzzles = matches!(found, Ok(Some(key)) if puzzles_at(sample, text.path(key)) > 0);
    let is_searched = !has_puzzles && wanted.puzzle.is_none();
    let puzzles = nested_puzzles(sample, &keys.nested).filter(|_| is_searched);
    // The answers are next to the puzzles.
    let is_beside = |name: &str, puzzles| parent(name) == parent(puzzles) && is_named_as_answer(name);
    let is_read = |name: &&String| {
        wanted.named().any(|wanted| wanted == **name)
            || wanted.others
            || puzzles.is_some_and(|puzzles| puzzles == **name || is_beside(name, puzzles))
    };
    text.keys.extend(keys.nested.iter().filter(is_read).cloned());
    if puzzles.is_some() {
        found = Ok(text.keys.iter().rposition(|name| Some(&**name) == puzzles));
    }
    let mut table = Table::choose(text.keys.clone(), wanted, |_| found)?;
    // The values of an object are read, not the object.
    if wanted.others {
        table.names.push("a key of later records".to_owned());
        table.choice.keep.retain(|&key| keys.nested.iter().all(|inner| parent(inner) != text.keys[key]));
        table.choice.keep.push(text.keys.len());
    }
    Ok((text, table))
}

/// The number of records in a sample with a puzzle at a path.
fn puzzles_at(sample: &[&[u8]], path: KeyPath) -> usize {
    sample::count(sample, Box::new(JsonlParser::new(Alphabets::default(), Some(path))), Sought::Puzzles)
}

/// The path of the puzzles among these: the one with puzzles in most records, or of several in one object, the one with a
/// usual name.
fn nested_puzzles<'a>(sample: &[&[u8]], nested: &'a [String]) -> Option<&'a str> {
    let is_found = |name: &&String| !is_named_as_answer(name) && 2 * puzzles_at(sample, path_of(name)) > sample.len();
    let found: Vec<String> = nested.iter().take(sample::SEARCHED_COLUMNS).filter(is_found).cloned().collect();
    let first = found.first()?;
    let column = match found.len() {
        1 => 0,
        _ if found.iter().all(|name| parent(name) == parent(first)) => usual_puzzle_columns(&found).next()?,
        _ => return None,
    };
    nested.iter().find(|name| **name == found[column]).map(String::as_str)
}

/// The path without its last key.
fn parent(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// The cells of the records that are grids.
fn grids(sample: &[&[u8]]) -> Vec<Vec<u8>> {
    let (mut parser, mut puzzles) = (JsonlParser::new(Alphabets::default(), None), Puzzles::new());
    let cells = |record: &&[u8]| {
        let size = parser.parse(record, &mut puzzles).ok()?.size;
        Some(puzzles.last(size).to_vec())
    };
    sample.iter().filter_map(cells).collect()
}

/// Refuses lists and texts that solve other lists and texts.
fn refuse_columns(start: Start<'_>, sample: &[&[u8]], grids: &[Vec<u8>]) -> Result<(), DetectError> {
    let has_blanks = |grid: &Vec<u8>| grid.contains(&0);
    let completes = |full: &Vec<u8>, puzzle: &Vec<u8>| {
        full.len() == puzzle.len()
            && !has_blanks(full)
            && has_blanks(puzzle)
            && full.iter().zip(puzzle).all(|(value, clue)| *clue == 0 || clue == value)
    };
    let has_answers = sample.iter().any(|record| record.starts_with(b"\"") && object::json(record).is_err());
    let is_by_column = has_answers && grids.iter().any(has_blanks)
        || grids.iter().any(|puzzle| grids.iter().any(|full| completes(full, puzzle)));
    let are_pairs = grids.windows(2).any(|pair| completes(&pair[1], &pair[0]));
    let (what, hint) = if are_pairs && start.text().starts_with(b"[") {
        (
            "a list of pairs of a puzzle and its solution",
            "write an object for each pair, for example with jq -c '.[] | {puzzle: .[0], solution: .[1]}'",
        )
    } else if is_by_column {
        (
            "JSON by column, with a list of puzzles and a list of solutions",
            "write an object for each puzzle, for example with pandas and orient=\"records\", or with \
             jq -c '[.puzzle, .solution] | map([.[]]) | transpose[] | {puzzle: .[0], solution: .[1]}'",
        )
    } else {
        return Ok(());
    };
    Err(DetectError::Unsupported { what, hint })
}

/// Refuses a key whose values are numbers, if the zeros at the start of some are lost; and one whose texts are prompts:
/// longer than puzzles, with words.
fn refuse_values(sample: &[&[u8]], text: &JsonlLayout, puzzle: usize, has_puzzles: bool) -> Result<(), DetectError> {
    let (mut parser, mut puzzles) = (text.parser_of(Alphabets::default(), puzzle), Puzzles::new());
    let is_word = |word: &&[u8]| word.len() > 2 && word.iter().all(u8::is_ascii_alphabetic);
    let is_prompt = |json: &str| {
        let words = json.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
        json.starts_with('"') && json.len() > Size::Nine.cells() && words.filter(is_word).count() > 2
    };
    let (mut lost, mut prompts) = (0, 0);
    for record in sample {
        prompts += usize::from(parser.value(record).ok().flatten().is_some_and(is_prompt));
        let reason = parser.parse(record, &mut puzzles).err();
        lost += usize::from(matches!(reason, Some(Malformed::LostZeros { .. } | Malformed::RoundedNumber)));
    }

    if 4 * lost > sample.len() {
        let hint =
            "write texts with as many digits as a puzzle has cells, for example with Python's str(number).zfill(81)";
        let what = "JSON whose puzzles are numbers, so that their first zeros are lost";
        return Err(DetectError::Unsupported { what, hint });
    }
    if has_puzzles || 2 * prompts <= sample.len() {
        return Ok(());
    }
    let other = (0..text.direct).find(|&key| 2 * puzzles_at(sample, text.path(key)) > sample.len());
    let nested = keys(sample).nested;
    let other = other.map(|key| &*text.keys[key]).or_else(|| nested_puzzles(sample, &nested));
    Err(DetectError::Prompts { name: text.keys[puzzle].clone(), puzzles: other.map(str::to_owned) })
}

/// Refuses a key whose values are lists of answers.
fn refuse_several_answers(records: &[&[u8]], text: &JsonlLayout, answer: Option<usize>) -> Result<(), DetectError> {
    let Some(answer) = answer else { return Ok(()) };
    let parser = text.parser_of(Alphabets::default(), answer);
    let is_list = |record: &&[u8]| parser.value(record).ok().flatten().is_some_and(has_several_answers);
    let name = || text.keys[answer].clone();
    if records.iter().any(is_list) { Err(DetectError::SeveralAnswers { name: name() }) } else { Ok(()) }
}

/// Whether a JSON list has several answers: texts too long for the rows of a grid, or chats, which are lists of
/// objects.
fn has_several_answers(list: &str) -> bool {
    let Ok(elements) = serde_json::from_str::<Vec<Value>>(list) else { return false };
    // A row has a cell for each of its rows: at most two digits, and a label.
    let is_longer_than_row = |text: &str| {
        let symbols = text.bytes().filter(u8::is_ascii_alphanumeric).count();
        symbols > 3 * elements.len() || Size::from_side(elements.len()).is_none()
    };
    elements.len() > 1
        && elements.iter().any(|element| match element {
            Value::String(text) => is_longer_than_row(text),
            Value::Array(messages) => messages.first().is_some_and(Value::is_object),
            _ => false,
        })
}

/// The keys of some records.
struct MemberKeys {
    /// In the order of their first occurrence, as all keys here.
    direct: Vec<String>,
    /// The paths to all keys of objects within the records. A key with a dot is not in a path.
    nested: Vec<String>,
    /// The number of records that are objects.
    objects: usize,
}

/// Finds the keys of these records. In a damaged record, apparent keys may not be keys.
fn keys(records: &[&[u8]]) -> MemberKeys {
    let mut objects: VecDeque<_> =
        records.iter().filter_map(|record| Some((String::new(), object::members(record).ok()?))).collect();
    let mut keys = MemberKeys { direct: vec![], nested: vec![], objects: objects.len() };
    let mut known = HashSet::new();
    while let Some((parent, members)) = objects.pop_front() {
        for (key, json) in members {
            let has_dot = key.contains('.');
            let (path, found) = match &*parent {
                "" => (key, &mut keys.direct),
                _ if has_dot => continue,
                _ => (format!("{parent}.{key}"), &mut keys.nested),
            };
            if known.insert(path.clone()) {
                found.push(path.clone());
            }
            if !has_dot && let Ok(members) = object::members(json.as_bytes()) {
                objects.push_back((path, members));
            }
        }
    }
    keys
}
