//! Refuses inputs that cannot be read: known formats, by name and with advice, and texts that are not puzzle files.

use std::collections::HashSet;

use memchr::memmem;

use super::alphabet::is_digit_or_blank;
use super::definition::Start;
use super::error::{DetectError, NoCorpusError};
use super::{BatchLimits, Parser, Puzzles, Splitter, cells};

/// The offset of a signature in a file, the signature, its format, and advice.
const BINARY: [(usize, &[u8], &str, &str); 23] = [
    (0, b"\x04\x22\x4d\x18", "compressed with lz4", "unpack it first, for example with lz4 -dc"),
    (0, b"\x1f\x9d", "compressed with compress", "unpack it first, for example with gzip -dc"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (0, b"Rar!\x1a\x07", "a RAR archive", "unpack it first"),
    (257, b"ustar", "a tar archive", "unpack it first, for example with tar -xOf"),
    (0, b"PAR1", "Parquet in a pipe or compressed as a file", PARQUET_HINT),
    (0, b"PARE", "encrypted Parquet", "write it without encryption"),
    (0, b"ARROW1", "Feather or Arrow IPC", TABLE_HINT),
    (0, b"FEA1", "Feather", TABLE_HINT),
    (0, b"Obj\x01", "Avro", TABLE_HINT),
    (0, b"\x89HDF\r\n\x1a\n", "HDF5", TABLE_HINT),
    (0, b"SQLite format 3\0", "an SQLite database", "export the table as CSV, for example with sqlite3 -csv -header"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Excel or Word", "export it as CSV"),
    (0, b"%PDF-", "PDF", "copy its puzzles to a text file"),
    (0, b"\x89PNG\r\n\x1a\n", "a picture", "type its puzzles into a text file"),
    (0, b"\xff\xd8\xff", "a picture", "type its puzzles into a text file"),
    (0, b"GIF8", "a picture", "type its puzzles into a text file"),
    (0, b"MATLAB 5.0 MAT-file", "a MATLAB file", "write its matrix as text, for example with writematrix"),
    (0, b"\x93NUMPY", "a NumPy array", ARRAY_HINT),
    (0, b"\x80\x04\x95", "a Python pickle", TABLE_HINT),
    (0, b"\x80\x05\x95", "a Python pickle", TABLE_HINT),
    (0, b"\xff\xfe", "text in UTF-16", "convert it to UTF-8"),
    (0, b"\xfe\xff", "text in UTF-16", "convert it to UTF-8"),
];

/// The kind of a ZIP archive, recognised by some bytes near its start: file names, or the type that comes first.
const ZIP: [(&[u8], &str, &str); 5] = [
    (b"xl/", "an Excel workbook", "export it as CSV"),
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet", "export it as CSV"),
    (b"word/", "a Word document", "save it as plain text"),
    (b"opendocument.text", "an OpenDocument text", "save it as plain text"),
    (b".npy", "NumPy arrays (.npz)", ARRAY_HINT),
];

/// The length of the part of a ZIP archive that is searched: it has the names of the first files.
const ZIP_START: usize = 8192;

const ARRAY_HINT: &str = "write it as CSV or as integers";

const TABLE_HINT: &str = if cfg!(feature = "parquet") { "write it as CSV or Parquet" } else { "write it as CSV" };

/// Parquet is read from its end, and has its own compression.
const PARQUET_HINT: &str =
    if cfg!(feature = "parquet") { "give the path of the file itself" } else { "export it as CSV" };

/// Refuses JSON without a puzzle, and texts that only begin like JSON.
#[cfg(feature = "corpus")]
pub(super) fn json(start: Start<'_>) -> DetectError {
    let mut values = serde_json::Deserializer::from_slice(start.text()).into_iter::<serde::de::IgnoredAny>();
    let what = match values.find_map(Result::err) {
        None => "JSON without puzzles near its start",
        Some(error) if error.is_eof() && !start.is_complete => "JSON whose first record is long",
        Some(error) => return DetectError::InvalidJson { line: error.line(), column: error.column() },
    };
    DetectError::Unsupported { what, hint: "write a line for each puzzle, for example with jq -c '.[]'" }
}

/// Refuses JSON with a list of clues.
#[cfg(feature = "corpus")]
pub(super) fn refuse_clues(text: &[u8]) -> Result<(), DetectError> {
    let hint = "gridmill reads grids, with a cell for each clue and blank";
    let error = DetectError::Unsupported { what: "a list of clues (row, column and value)", hint };
    // A clue may have several lines.
    let text: Vec<u8> = text.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).collect();
    if text.split(|byte| b"[]".contains(byte)).any(is_clue_list) { Err(error) } else { Ok(()) }
}

/// Refuses files that are not readable text, whatever format was requested.
pub(super) fn refuse_binary(sample: &[u8]) -> Result<(), DetectError> {
    let is_there = |offset: usize, bytes| sample.get(offset..).is_some_and(|rest| rest.starts_with(bytes));
    let refusal = if sample.starts_with(b"PK\x03\x04") {
        let start = &sample[..sample.len().min(ZIP_START)];
        let kind = ZIP.iter().find(|(bytes, ..)| memmem::find(start, bytes).is_some());
        Some(kind.map_or(("a ZIP archive", "unpack it first"), |&(_, what, hint)| (what, hint)))
    } else {
        let kind = BINARY.iter().find(|&&(offset, bytes, ..)| is_there(offset, bytes));
        kind.map(|&(_, _, what, hint)| (what, hint))
    };
    refusal.map_or(Ok(()), |(what, hint)| Err(DetectError::Unsupported { what, hint }))
}

/// Refuses texts that cannot be in any input format.
pub(super) fn refuse_text(start: Start<'_>) -> Result<(), DetectError> {
    let text = start.text();
    let (what, hint) = match text.trim_ascii_start().first() {
        Some(b'<') if !is_open_sudoku(text) => ("XML", "write it as CSV or as lines"),
        _ if is_clue_list(text) => (
            "a list of clues, each a row, column and value",
            "write grids; docs/formats.md has an awk program that makes one",
        ),
        // A comment would have all of such a text.
        _ if start.sample.trim_ascii().contains(&b'\r') && !start.sample.contains(&b'\n') => {
            ("text whose lines end in CR alone", r"convert it, for example with tr '\r' '\n'")
        }
        _ if is_utf16(text) => ("text in UTF-16", "convert it to UTF-8"),
        _ => return Ok(()),
    };
    Err(DetectError::Unsupported { what, hint })
}

/// Whether a text starts as XML with the root element of OpenSudoku, or with a game, as in copied records.
pub(super) fn is_open_sudoku(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"<game ") || text.starts_with(b"<") && memmem::find(text, b"<opensudoku").is_some()
}

/// Whether a text starts with a section such as `[Puzzle]`, as `.sdk` files do.
pub(super) fn starts_with_section(text: &[u8]) -> bool {
    let line = text.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    matches!(line, [b'[', b'A'..=b'Z' | b'a'..=b'z', .., b']'])
}

/// Whether a text without a byte order mark is in UTF-16: one byte of each pair is zero, always the same one.
fn is_utf16(text: &[u8]) -> bool {
    // In a shorter text, the zeros could be a coincidence.
    const PAIRS: usize = 8;
    let (pairs, _) = text.as_chunks();
    let begins_with = |is_character: fn(&[u8; 2]) -> bool| pairs.iter().take(PAIRS).all(is_character);
    pairs.len() >= PAIRS
        && (begins_with(|&[low, high]| low != 0 && high == 0) || begins_with(|&[high, low]| low != 0 && high == 0))
}

/// Whether a text has a row, a column and a value in each line or bracket, or in each word of three digits, in the order
/// of the rows or columns, and no cell twice.
fn is_clue_list(text: &[u8]) -> bool {
    let digits = |word: &[u8]| word.iter().map(|byte| u64::from(byte - b'0')).collect();
    let numbers = |part| numbers_in(part).filter_map(cells::parse_number).collect();
    let mut clues: Vec<Vec<u64>> = if numbers_in(text).all(|number| number.len() == 3) {
        numbers_in(text).map(digits).collect()
    } else {
        text.split(|byte| b"\n;)]}".contains(byte)).map(numbers).filter(|clue: &Vec<_>| !clue.is_empty()).collect()
    };
    // The sample may end within the last one.
    clues.pop();
    clues.len() >= FEWEST_CLUES
        && clues.iter().all(|clue| matches!(**clue, [0..=25, 0..=25, 1..=25]))
        && [0, 1].iter().any(|&axis| clues.is_sorted_by_key(|clue| clue[axis]))
        && clues.iter().map(|clue| &clue[..2]).collect::<HashSet<_>>().len() == clues.len()
}

/// The runs of digits in a text.
fn numbers_in(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_digit()).filter(|number| !number.is_empty())
}

/// The minimum number of clues in a list of clues.
const FEWEST_CLUES: usize = 8;

/// The minimum number of consecutive symbols that resemble a puzzle: the smallest puzzle has 16 cells, and some may be
/// missing.
const CLOSE: usize = 12;

/// The reason why the first malformed record of a sample is not a puzzle; `None` if no record is malformed.
pub(super) fn first_reason(
    mut splitter: Box<dyn Splitter>,
    mut parser: Box<dyn Parser>,
    sample: &[u8],
    is_complete: bool,
) -> Option<NoCorpusError> {
    let (mut records, mut first, mut puzzles) = (0, None, Puzzles::new());
    splitter.next_batch(sample, is_complete, BatchLimits::NONE, &mut |record, line| {
        records += 1;
        if first.is_none() {
            first = parser.parse(&sample[record], &mut puzzles).err().map(|reason| (line, reason));
        }
    });
    first.map(|(line, reason)| NoCorpusError { records, line, reason })
}

/// Whether a word of a record has digits and blanks for most of a small puzzle, and hardly anything else.
///
/// A bad record is data and becomes a row. But any text has lines, and `lines` is the fallback of the guess, so a file
/// that was named by mistake would become rows without an error.
pub(super) fn is_close_to_puzzle(record: &[u8]) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",;|\"'".contains(byte);
    let words = || record.split(is_end).filter(|word| !word.is_empty());
    let is_close = |word: &[u8]| {
        let cells = word.iter().filter(|&&byte| is_digit_or_blank(byte)).count();
        cells >= CLOSE && cells * 4 >= word.len() * 3 && word.iter().any(u8::is_ascii_digit)
    };
    // Cells may be separated by spaces.
    let single = words().filter(|word| word.len() <= 2 && word.iter().all(|&byte| is_digit_or_blank(byte))).count();
    single >= CLOSE || words().any(is_close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputFormat, InputOptions, detect};

    fn is_refused(text: &str, format: Option<InputFormat>) -> bool {
        match detect(text.as_bytes(), true, &InputOptions { format, ..InputOptions::default() }) {
            Ok(_) => false,
            Err(DetectError::NoCorpus(_)) => true,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn texts_without_anything_like_a_puzzle_are_refused() {
        for text in [
            "rubbish\n",
            "[package]\nname = \"gridmill\"\nversion = \"0.1.0\"\n",
            "A heading\n---------------------\n\nSome words, and 2024-01-02 10:11:12.\n",
            "fn main() {\n    println!(\"{}\", 1 + 2);\n}\n",
            "root:x:0:0:root:/root:/bin/bash\n",
            "0af5e6a1b22c3d944e5f60718293a4b5c6d7e8f9  file\n",
        ] {
            assert!(is_refused(text, None), "{text}");
            assert!(!is_refused(text, Some(InputFormat::Lines)), "{text}");
        }
    }

    #[test]
    fn clues_one_by_one_are_named() {
        let clues: Vec<[usize; 3]> = (0..17).map(|clue| [clue / 2 + 1, clue % 2 * 4 + 1, clue % 9 + 1]).collect();
        let written =
            |between: &str, write: fn(&[usize; 3]) -> String| clues.iter().map(write).collect::<Vec<_>>().join(between);
        for text in [
            written("\n", |[row, column, value]| format!("{row},{column},{value}")),
            "row,col,value\n".to_owned() + &written("\n", |[row, column, value]| format!("{row} {column} {value}")),
            format!("B = [{}]", written(";\n     ", |[row, column, value]| format!("{row},{column},{value}"))),
            format!("[{}]", written(", ", |clue| format!("{clue:?}"))),
            written(" ", |[row, column, value]| format!("{row}{column}{value}")),
            written("\n", |[row, column, value]| format!("r{row}c{column} = {value}")),
        ] {
            let refused = detect(text.as_bytes(), true, &InputOptions::default()).map(|layout| layout.to_string());
            assert!(
                refused.as_ref().is_err_and(|error| error.to_string().contains("row, column and value")),
                "{text} {refused:?}"
            );
        }
        let objects: String = (0..81)
            .map(|cell| format!("{{\"r\":{},\"c\":{},\"v\":0}},", cell / 9, cell % 9))
            .collect::<Vec<_>>()
            .concat();
        let boxes = "534 678 912\n672 195 348\n198 342 567\n859 761 423\n426 853 791\n713 924 856\n";
        for text in
            [&objects, boxes, "", "123 456 789", "1,2,3\n4,5,6\n", &"1,2,3\n".repeat(20), &"1 2 3 4\n".repeat(4)]
        {
            assert!(!is_clue_list(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_corpus_may_have_bad_records_only() {
        for text in [
            "",
            "# only a comment\n",
            "1.3..........4.\n",
            "a 1.3..........4.2\n",
            "rubbish\n1.3..........4.2\n",
            "1 . 3 . . . . . . . . . . 4 .\n",
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7\n",
            "puzzle\nx\n",
            "puzzle,solution\nrubbish,rubbish\n",
        ] {
            assert!(!is_refused(text, None), "{text}");
        }
    }
}
