//! Detects the records of JSON and their keys from a sample.

use std::collections::{HashSet, VecDeque};

use memchr::memmem;
use serde_json::Value;

use super::document::Wanted;
use super::object::{self, Path};
use super::{JsonlLayout, JsonlParser, Records, path_of};
use crate::format::alphabet::Alphabets;
use crate::format::columns::{Sought, Table, WantedColumns, is_named_as_answer, position, usual_puzzle_columns};
use crate::format::definition::{FoundLayout, Start, TextLayout};
use crate::format::splitter::Preamble;
use crate::format::{BatchLimits, DetectError, MAX_RECORD, Malformed, Parser, Puzzles, Size, refusal, sample};

/// The layout of a text: objects on lines; failing that, lists on lines, objects in a document, and lists and texts in
/// a document. Objects are tried before lists and texts, which may be parts of objects.
pub(super) fn layout(start: Start<'_>, wanted: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
    let in_document = |wanted| Records::Document { wanted, share_lines: false };
    let lines = [Records::ObjectLines, Records::ListLines];
    let documents = [Wanted::AnyKey, Wanted::Values { fours: false }].map(in_document);

    let (mut first, mut single) = (None, None);
    // Lists and texts have no columns to name.
    for records in lines.into_iter().chain(documents).filter(|records| records.has_keys() || !wanted.has_name()) {
        match reading(records, start, wanted) {
            Err(error @ (DetectError::Unsupported { .. } | DetectError::Prompts { .. })) if single.is_none() => {
                return Err(error);
            }
            Ok(Reading { layout, is_likely: true, is_single: true, .. }) => single = single.or(Some(layout)),
            Ok(Reading { layout, is_likely: true, .. }) => return Ok(layout),
            other => first = first.or(Some(other)),
        }
    }
    if let Some(layout) = single {
        return Ok(layout);
    }
    refuse_clues(start.text())?;
    match first {
        Some(Ok(Reading { has_keys: true, layout, .. })) => Ok(layout),
        Some(Ok(Reading { layout, .. })) if !start.is_guessed => Ok(layout),
        Some(Err(error)) => Err(error),
        _ => Err(refusal::json(start)),
    }
}

/// Records that may be the right ones.
struct Reading {
    layout: FoundLayout,
    /// Whether most records are puzzles. For objects: whether one has a puzzle, and most records are objects.
    is_likely: bool,
    /// Whether there is one record, without a usual key, so that its parts may be the records.
    is_single: bool,
    /// Whether a record has keys.
    has_keys: bool,
}

/// Looks for puzzles in these records.
fn reading(mut records: Records, start: Start<'_>, wanted: WantedColumns<'_>) -> Result<Reading, DetectError> {
    let split =
        |records: &Records| sample::records(records.splitter(Preamble::default()), start.text(), start.is_complete);
    let mut sample = split(&records);
    if let Records::Document { wanted: Wanted::Values { fours }, .. } = &mut records {
        let grids = grids(&sample);
        refuse_columns(start, &sample, &grids)?;
        *fours = grids.iter().flatten().any(|grid| grid.len() == Size::Four.cells());
        sample = split(&records);
    }

    if let Records::Document { wanted: Wanted::AnyKey, .. } = records {
        sample.retain(|record| record.starts_with(b"{"));
        if !sample.is_empty() && sample.iter().all(|record| record.len() == MAX_RECORD) {
            let hint = "put a shorter record before it, or name the format and the column of the puzzles";
            return Err(DetectError::Unsupported { what: "JSON whose first record is longer than 1 MiB", hint });
        }
        // A path starts in an object around the one with the puzzle.
        let path = wanted.puzzle.filter(|name| name.contains('.') && position(&all_keys(&sample).0, name).is_none());
        if let Some(path) = path.map(path_of) {
            sample = split(&Records::Document { wanted: Wanted::Key(path), share_lines: false });
            sample.retain(|record| record.starts_with(b"{"));
        }
    }

    let (keys, objects) = if records.has_keys() { all_keys(&sample) } else { (vec![], 0) };
    let has_keys = !keys.is_empty();
    let keys = if has_keys { keys } else { wanted.names() };
    let (mut text, table) = choose(records, &sample, keys, wanted)?;
    let puzzle = table.choice.puzzle;
    refuse_several_answers(&sample, &text, table.choice.answer)?;

    let sought = if text.records.has_keys() { Sought::Attempts } else { Sought::Puzzles };
    let puzzles = sample::count(&sample, text.parser(Alphabets::default(), puzzle), sought);
    if text.records == Records::ObjectLines && start.is_guessed {
        refuse_numbers(&sample, &text, puzzle)?;
        if puzzles == 0 {
            refuse_prompts(&sample, &text, puzzle)?;
        }
    }
    let path = text.path(puzzle);
    let is_most = match &mut text.records {
        Records::ObjectLines => 2 * objects > sample.len(),
        // The records may be lists and texts outside of these objects.
        Records::Document { wanted: wanted @ Wanted::AnyKey, .. } => {
            *wanted = Wanted::Key(path);
            let found = split(&text.records);
            2 * found.iter().filter(|record| record.starts_with(b"{")).count() > found.len()
        }
        _ => 2 * puzzles > sample.len(),
    };
    let is_likely = puzzles > 0 && is_most;
    let is_single = sample.len() == 1 && (!text.records.has_keys() || table.is_found);
    find_shared_lines(&mut text.records, start);
    let layout = FoundLayout { text: Box::new(text), table: Some(table), preamble: start.comments };
    Ok(Reading { layout, is_likely, is_single, has_keys })
}

/// Notes whether several records of a document are on one line.
fn find_shared_lines(records: &mut Records, start: Start<'_>) {
    let mut splitter = records.splitter(Preamble::default());
    if let Records::Document { share_lines, .. } = records {
        let mut last = 0;
        splitter.next_batch(start.text(), start.is_complete, BatchLimits::NONE, &mut |_, line| {
            *share_lines |= line == last;
            last = line;
        });
    }
}

/// The columns of these records, and the choice of the columns to read. If no key has puzzles, the keys of objects within
/// the records are searched.
fn choose(
    records: Records,
    sample: &[&[u8]],
    keys: Vec<String>,
    wanted: WantedColumns<'_>,
) -> Result<(JsonlLayout, Table), DetectError> {
    let mut text = JsonlLayout { records, direct: keys.len(), keys };
    if !text.records.has_keys() {
        let table = Table::choose(text.keys.clone(), wanted, |_| Ok(Some(0)))?;
        return Ok((text, table));
    }
    let is_path = |name: &&str| name.contains('.') && position(&text.keys, name).is_none();
    let mut paths: Vec<String> = wanted.named().filter(is_path).map(str::to_owned).collect();
    let mut found = sample::puzzle_column(&text, sample, &text.keys);
    let has_puzzles = matches!(found, Ok(Some(key)) if puzzles_at(sample, text.path(key)) > 0);
    if !paths.is_empty() || !has_puzzles && wanted.puzzle.is_none() {
        let nested = nested_keys(sample);
        paths.retain(|path| nested.contains(path));
        if let Some(puzzles) = nested_puzzles(sample, &nested).filter(|_| !has_puzzles && wanted.puzzle.is_none()) {
            found = Ok(Some(text.keys.len() + paths.len()));
            paths.push(puzzles.to_owned());
            // Their answers are beside them.
            let is_answer = |name: &&String| parent(name) == parent(puzzles) && is_named_as_answer(name);
            paths.extend(nested.iter().filter(is_answer).cloned());
        }
        text.keys.extend(paths);
    }
    let table = Table::choose(text.keys.clone(), wanted, |_| found)?;
    Ok((text, table))
}

/// The number of records in a sample with a puzzle at a path.
fn puzzles_at(sample: &[&[u8]], path: Path) -> usize {
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

/// The paths to all keys of objects within these records, in the order of their first occurrence. A key with a dot is
/// not in a path.
fn nested_keys(records: &[&[u8]]) -> Vec<String> {
    let (mut paths, mut known) = (vec![], HashSet::new());
    let mut objects: VecDeque<(String, Value)> =
        records.iter().filter_map(|record| Some((String::new(), serde_json::from_slice(record).ok()?))).collect();
    while let Some((parent, value)) = objects.pop_front() {
        let Value::Object(members) = value else { continue };
        for (key, value) in members.into_iter().filter(|(key, _)| !key.contains('.')) {
            let path = if parent.is_empty() { key } else { format!("{parent}.{key}") };
            if !parent.is_empty() && known.insert(path.clone()) {
                paths.push(path.clone());
            }
            objects.push_back((path, value));
        }
    }
    paths
}

/// The cells of each record that is a grid.
fn grids(sample: &[&[u8]]) -> Vec<Option<Vec<u8>>> {
    let (mut parser, mut puzzles) = (JsonlParser::new(Alphabets::default(), None), Puzzles::new());
    let cells = |record: &&[u8]| {
        let size = parser.parse(record, &mut puzzles).ok()?.size;
        Some(puzzles.last(size).to_vec())
    };
    sample.iter().map(cells).collect()
}

/// Refuses lists and texts of which some are the solutions of others.
fn refuse_columns(start: Start<'_>, sample: &[&[u8]], grids: &[Option<Vec<u8>>]) -> Result<(), DetectError> {
    let completes = |full: &[u8], puzzle: &[u8]| {
        full.len() == puzzle.len()
            && !full.contains(&0)
            && puzzle.contains(&0)
            && full.iter().zip(puzzle).all(|(value, clue)| *clue == 0 || clue == value)
    };
    let solution_of = |puzzle: &Option<Vec<u8>>| {
        let is_solution =
            |grid: &Option<Vec<u8>>| matches!((grid, puzzle), (Some(full), Some(puzzle)) if completes(full, puzzle));
        grids.iter().position(is_solution)
    };
    let pair = (0..).zip(grids).find_map(|(at, puzzle)| Some((at, solution_of(puzzle)?)));
    let has_answers = sample.iter().any(|record| record.starts_with(b"\"") && object::json(record).is_err());
    let text = start.text();
    let (what, hint) = match pair {
        None if !has_answers || !grids.iter().flatten().any(|cells| cells.contains(&0)) => return Ok(()),
        _ if text.starts_with(b"{")
            && memmem::find(text, b"\"data\"").is_some()
            && memmem::find(text, b"\"columns\"").is_some() =>
        {
            (
                "a table of pandas with orient=\"split\"",
                "write it with orient=\"records\" and lines=True, or as jq -c '.data[] | {puzzle: .[0], solution: .[1]}' does",
            )
        }
        Some((puzzle, solution)) if solution == puzzle + 1 && !text.starts_with(b"{") => (
            "a list of pairs of a puzzle and its solution",
            "write an object for each pair, for example with jq -c '.[] | {puzzle: .[0], solution: .[1]}'",
        ),
        _ => (
            "JSON by column, with a list of puzzles and a list of solutions",
            "write an object for each puzzle, for example with pandas and orient=\"records\", or with \
             jq -c '[.puzzle, .solution] | map([.[]]) | transpose[] | {puzzle: .[0], solution: .[1]}'",
        ),
    };
    Err(DetectError::Unsupported { what, hint })
}

/// Refuses lists of clues.
fn refuse_clues(text: &[u8]) -> Result<(), DetectError> {
    let is_one_of = |key: &str, names: &[&str]| names.contains(&&*key.to_ascii_lowercase());
    let is_clue = |value: &Value| {
        let has =
            |names: &[&str]| value.as_object().is_some_and(|object| object.keys().any(|key| is_one_of(key, names)));
        has(&["row", "r", "y"])
            && has(&["column", "col", "c", "x"])
            && has(&["value", "val", "v", "digit", "number", "n"])
    };
    let first = serde_json::Deserializer::from_slice(text).into_iter::<Value>().next();
    let mut values = vec![first.and_then(Result::ok).unwrap_or_default()];
    while let Some(value) = values.pop() {
        match value {
            Value::Array(list) if list.len() > 1 && list.iter().all(is_clue) => {
                let hint = "gridmill reads grids, with a cell for each clue and blank";
                return Err(DetectError::Unsupported { what: "a list of clues (row, column and value)", hint });
            }
            Value::Array(list) => values.extend(list),
            Value::Object(object) => values.extend(object.into_values()),
            _ => {}
        }
    }
    Ok(())
}

/// Refuses a key whose values are numbers, if the zeros at the start of some are lost.
fn refuse_numbers(sample: &[&[u8]], text: &JsonlLayout, puzzle: usize) -> Result<(), DetectError> {
    let (mut parser, mut puzzles) = (text.parser_of(Alphabets::default(), puzzle), Puzzles::new());
    let mut is_lost = |record: &&&[u8]| {
        matches!(parser.parse(record, &mut puzzles), Err(Malformed::LostZeros { .. } | Malformed::RoundedNumber))
    };
    if 4 * sample.iter().filter(&mut is_lost).count() <= sample.len() {
        return Ok(());
    }
    let hint = "write texts with as many digits as a puzzle has cells, for example with Python's str(number).zfill(81)";
    Err(DetectError::Unsupported { what: "JSON whose puzzles are numbers, so that their first zeros are lost", hint })
}

/// Refuses a key whose texts are prompts: longer than puzzles, with words.
fn refuse_prompts(sample: &[&[u8]], text: &JsonlLayout, puzzle: usize) -> Result<(), DetectError> {
    let parser = text.parser_of(Alphabets::default(), puzzle);
    let is_word = |word: &&[u8]| word.len() > 2 && word.iter().all(u8::is_ascii_alphabetic);
    let is_prompt = |record: &&&[u8]| {
        let text = parser.value(record).ok().flatten().filter(|json| json.starts_with('"')).unwrap_or_default();
        let words = text.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
        text.len() > Size::Nine.cells() && words.filter(is_word).count() > 2
    };
    if 2 * sample.iter().filter(|record| is_prompt(record)).count() <= sample.len() {
        return Ok(());
    }
    let other = (0..text.direct).find(|&key| 2 * puzzles_at(sample, text.path(key)) > sample.len());
    let nested = nested_keys(sample);
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

/// The keys of all objects in these records, in the order of their first occurrence, and the number of objects.
fn all_keys(records: &[&[u8]]) -> (Vec<String>, usize) {
    let (mut keys, mut known, mut objects) = (vec![], HashSet::new(), 0);
    for record in records {
        let before = keys.len();
        let add = |key: &str| {
            if known.insert(key.to_owned()) {
                keys.push(key.to_owned());
            }
        };
        if object::read_keys(record, add).is_ok() {
            objects += 1;
        } else {
            // In a damaged record, apparent keys may not be keys.
            keys.drain(before..).for_each(|key| _ = known.remove(&key));
        }
    }
    (keys, objects)
}
