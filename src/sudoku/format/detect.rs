//! Detects the format of an input, its columns and its alphabets from its first bytes.
//!
//! If a size is written in several alphabets, all puzzles of the sample together must determine one: a wrong guess
//! would silently corrupt puzzles, so otherwise the user has to name it.

use super::alphabet::{Alphabet, Alphabets, Blank};
use super::columns::{AnswerColumn, Sought, Table, WantedColumns, usual_answer_column};
#[cfg(feature = "corpus")]
use super::columns::{ColumnChoice, is_named_as_answer};
use super::definition::{Start, TextLayout};
use super::error::DetectError;
use super::formats::InputFormat;
use super::formats::grids::styled::styled_layouts;
use super::formats::scaffold::scaffold_layout;
#[cfg(feature = "corpus")]
use super::formats::typed::{TypedLayout, TypedOrigin, sample_layout};
use super::layout::Layout;
use super::refusal::{first_reason, is_close_to_puzzle, refuse_binary, refuse_text};
use super::sample::{self, SampleFacts};
use super::stream::Preamble;
use super::symbols::{self, UsualSymbols};
use super::{Puzzles, Size};

/// Options for [detecting](detect()) and reading an input.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// The format; `None` to detect it.
    pub format: Option<InputFormat>,
    /// The alphabets of sizes that have several. If a size occurs twice, the last one counts.
    pub alphabets: Vec<Alphabet>,
    /// A symbol for a blank, in addition to the usual ones.
    pub blank: Option<Blank>,
    /// The name of the column with the puzzles. Makes the format CSV, unless it is JSON lines.
    pub puzzle_column: Option<String>,
    /// The column with the answers, in CSV and JSON lines.
    pub answer: AnswerColumn,
    /// The names of the columns to copy to the output. In JSON lines, keys are columns.
    pub keep: Vec<String>,
    /// Whether all other columns of each table are read, in place of the kept ones, for a job that looks at them.
    pub reads_others: bool,
}

impl InputOptions {
    /// The requested columns.
    pub(super) fn columns(&self) -> WantedColumns<'_> {
        let InputOptions { puzzle_column, answer, keep, reads_others, .. } = self;
        WantedColumns { puzzle: puzzle_column.as_deref(), answer, keep, others: *reads_others }
    }

    /// The given alphabets.
    fn alphabets(&self) -> Alphabets {
        self.alphabets.iter().copied().collect::<Alphabets>().with_blank(self.blank)
    }
}

/// Detects the layout of an input from its first bytes: some 64 KiB, or the complete input if `is_complete`.
///
/// # Errors
///
/// If the format is not supported, the alphabet is ambiguous, or a column is missing; without a format in the options,
/// also if nothing in the sample resembles a puzzle.
pub fn detect(sample: &[u8], is_complete: bool, options: &InputOptions) -> Result<Layout, DetectError> {
    in_known_symbols(sample, options, |options| detect_among(InputFormat::ALL, sample, is_complete, options))
}

/// Reads an input in usual symbols or, if nothing is read, in letters. Fails if something is read in other symbols, which the
/// user has to name.
fn in_known_symbols(
    sample: &[u8],
    options: &InputOptions,
    read: impl Fn(&InputOptions) -> Result<Layout, DetectError>,
) -> Result<Layout, DetectError> {
    let found = read(options);
    let is_unread = match &found {
        Ok(layout) => layout.sample.sizes.is_empty(),
        Err(error) => matches!(error, DetectError::NoCorpus(_)),
    };
    if !is_unread || !options.alphabets.is_empty() || options.blank.is_some() {
        return found;
    }

    let read_with = |alphabets: Vec<Alphabet>, blank| {
        let layout = read(&InputOptions { alphabets, blank, ..options.clone() }).ok();
        layout.filter(|Layout { sample, .. }| !sample.puzzles.is_empty() && sample.malformed <= sample.puzzles.len())
    };
    if let Some(layout) = read_with(symbols::letters(), None) {
        return Ok(layout);
    }
    let blank = symbols::unknown_blank(sample).filter(|&blank| read_with(vec![], Some(blank)).is_some());
    if let Some(blank) = blank {
        return Err(DetectError::UnknownBlank { blank });
    }
    let alphabet = symbols::unknown_alphabet(sample).filter(|&alphabet| read_with(vec![alphabet], None).is_some());
    alphabet.map_or(found, |alphabet| Err(DetectError::UnknownAlphabet { alphabet }))
}

/// Detects the layout of an input that is not a table.
pub(super) fn detect_without_tables(sample: &[u8], options: &InputOptions) -> Result<Layout, DetectError> {
    let formats: Vec<_> = InputFormat::ALL.iter().copied().filter(|format| !format.has_columns()).collect();
    detect_among(&formats, sample, true, options)
}

fn detect_among(
    formats: &[InputFormat],
    sample: &[u8],
    is_complete: bool,
    options: &InputOptions,
) -> Result<Layout, DetectError> {
    refuse_binary(sample)?;
    let (mark, comments) = (mark_length(sample), comments_length(sample, options.blank));
    let mut start = Start { sample, mark, comments, is_complete, is_guessed: options.format.is_none() };
    let mut format = match options.format {
        Some(format) => format,
        None => guess(formats, start, options.columns())?,
    };
    // The fields of a table are read in all symbols.
    let symbols = UsualSymbols::new(&options.alphabets()).filter(|_| !format.has_columns());
    let usual = symbols.map(|symbols| symbols.text(sample));
    if let Some(usual) = &usual {
        start.sample = usual;
        if start.is_guessed {
            let without_columns: Vec<_> = formats.iter().copied().filter(|format| !format.has_columns()).collect();
            format = guess(&without_columns, start, options.columns())?;
        }
    }
    let in_symbols = |text| match symbols {
        Some(symbols) => symbols.layout(text),
        None => text,
    };

    // Requested columns must exist.
    let wanted = options.columns();
    if (wanted.has_name() || !wanted.keep.is_empty()) && !format.has_columns() {
        return Err(DetectError::NoColumns { format: format.into() });
    }
    let definition = format.text().ok_or(DetectError::NotTyped { format: format.into() })?;
    let found = definition.layout(start, wanted)?;
    let preamble = Preamble::new(&sample[..found.preamble]);
    let text = in_symbols(found.text);
    let records = sample::records(text.splitter(preamble), sample, is_complete);
    // Borders without rows do not make an input grids.
    if start.is_guessed && format == InputFormat::Grids && is_complete && records.is_empty() {
        return detect_among(&[InputFormat::Lines], sample, is_complete, options);
    }
    let layout = learn(format, text, found.table, preamble, &records, options)?;
    let styled = || styled_layouts(start.text()).map(in_symbols);
    let (layout, records) = in_best_text(layout, records, styled, Start { sample, ..start }, options);
    refuse_turned_boxes(&layout, &records)?;
    let is_lines = start.is_guessed && format == InputFormat::Lines;
    if is_lines && layout.sample.sizes.is_empty() && !records.iter().any(|record| is_close_to_puzzle(record)) {
        // The style closest to the rows gives the best reason.
        let styled = styled().map(|text| (text.splitter(preamble), text.parser(layout.alphabets, 0)));
        let mut readings = styled.chain([(layout.splitter(), layout.parser())]);
        let first = readings.find_map(|(splitter, parser)| first_reason(splitter, parser, sample, is_complete));
        first.map_or(Ok(()), |error| Err(Box::new(error)))?;
    }
    Ok(layout)
}

/// Guesses the format of a text: among the formats that recognise it, the last one.
fn guess(formats: &[InputFormat], start: Start<'_>, wanted: WantedColumns<'_>) -> Result<InputFormat, DetectError> {
    let text = start.text();
    let is_empty = start.is_complete && text.is_empty();
    // If a column is named, the input is a table, whatever its first lines look like.
    let is_table = wanted.has_name() || !wanted.keep.is_empty() && is_empty;
    if !is_table || text.trim_ascii_start().starts_with(b"{") {
        refuse_text(start)?;
    }

    // Without any, `lines`, which accepts any text; and a table with a named column must then be `csv`.
    let candidates = || formats.iter().copied().filter(|format| !is_table || format.has_columns());
    let is_likely = |format: &InputFormat| format.text().is_some_and(|text| text.is_likely(start));
    Ok(candidates().rfind(is_likely).or(candidates().next()).unwrap_or(InputFormat::Lines))
}

/// The layout of grids in a style of rows, or of lines in another text. A style must read more rows of the sample as parts
/// of puzzles than the layout found so far, and lose no puzzle of that size. Ties go to the simplest style. Lines in
/// another text must leave fewer malformed or full, and lose only answers.
fn in_best_text<'a, I: Iterator<Item = Box<dyn TextLayout>>>(
    found: Layout,
    records: Vec<&'a [u8]>,
    styled: impl FnOnce() -> I,
    start: Start<'a>,
    options: &InputOptions,
) -> (Layout, Vec<&'a [u8]>) {
    let SampleFacts { rows, malformed, .. } = found.sample;
    if rows > 0 && malformed == 0 {
        return (found, records);
    }
    // A grid with separators between its cells looks like a table, but none of its columns has puzzles.
    let may_have_style = match found.format() {
        InputFormat::Grids => true,
        format if format.has_columns() => rows == 0 && options.puzzle_column.is_none() && options.keep.is_empty(),
        _ => start.is_guessed,
    };
    let styled = may_have_style.then(styled).into_iter().flatten().map(|text| (InputFormat::Grids, text));
    let is_of_lines = start.is_guessed && found.format() == InputFormat::Lines;
    let scaffold = is_of_lines.then(|| scaffold_layout(start.text())).flatten().map(|text| (InputFormat::Lines, text));

    let plain = found.sample.puzzles.clone();
    let mut best = (found, records);
    let preamble = Preamble::new(&start.sample[..start.mark]);
    for (format, text) in styled.chain(scaffold) {
        let records = sample::records(text.splitter(preamble), start.sample, start.is_complete);
        // Puzzles in an unknown alphabet are not read.
        let Ok(layout) = learn(format, text, None, preamble, &records, options) else { continue };
        let SampleFacts { sizes, puzzles, rows, malformed, conflicts, full, .. } = &layout.sample;
        let best_facts = &best.0.sample;
        let is_better = match format {
            InputFormat::Grids => *rows > best_facts.rows && 2 * (malformed + conflicts) <= records.len(),
            _ => {
                best.0.format() == format
                    && !puzzles.is_empty()
                    && malformed + full < best_facts.malformed + best_facts.full
            }
        };
        // A style must not read a puzzle of the same size differently.
        let may_lose = |puzzle: &Vec<u8>| match format {
            InputFormat::Grids => !sizes.iter().any(|size| size.cells() == puzzle.len()),
            _ => !puzzle.contains(&0),
        };
        if is_better && plain.iter().all(|puzzle| puzzles.contains(puzzle) || may_lose(puzzle)) {
            best = (layout, records);
        }
    }
    best
}

/// Refuses puzzles whose boxes are turned: they have as many rows as the boxes of their size have columns. Read with
/// the usual boxes, they would be different puzzles. Answers show this best.
fn refuse_turned_boxes(layout: &Layout, records: &[&[u8]]) -> Result<(), DetectError> {
    let SampleFacts { sizes, rows, turned, .. } = &layout.sample;
    let is_rectangular = sizes.iter().any(|size| !size.has_square_boxes());
    let find = || {
        let answer = layout.table.as_ref().and_then(|table| usual_answer_column(&table.names));
        let columns = [Some(layout.puzzle_column()), answer].into_iter().flatten();
        let parsers = columns.map(|column| layout.text.parser(layout.alphabets, column)).collect();
        sample::turned_size(sizes, parsers, records)
    };
    let turned = turned.filter(|_| *rows == 0).or_else(|| is_rectangular.then(find).flatten());
    turned.map_or(Ok(()), |size| Err(DetectError::TurnedBoxes { size }))
}

/// Learns the notation of an input's puzzles from the records of a sample.
fn learn(
    format: InputFormat,
    text: Box<dyn TextLayout>,
    mut table: Option<Table>,
    preamble: Preamble,
    records: &[&[u8]],
    options: &InputOptions,
) -> Result<Layout, DetectError> {
    let (puzzle, mut answer) = table.as_ref().map_or((0, None), |table| (table.choice.puzzle, table.choice.answer));
    let alphabets = sample::find_alphabets(&*text, puzzle, options.alphabets(), records)?;
    if options.answer == AnswerColumn::ByName && answer.is_none() {
        let mut found = sample::columns(&*text, alphabets, records, Sought::FullGrids);
        let found = found.find(|&column| column != puzzle);
        match &mut table {
            Some(table) => table.unnamed_answers = table.unnamed_answers.or(found),
            None => answer = found,
        }
    }
    let mut sample = SampleFacts::new(&mut *text.parser(alphabets, puzzle), records);
    sample.rare.is_csv = format.extension() == "csv";
    Ok(Layout { format, text: text.into(), table, answer, preamble, alphabets, sample })
}

/// The alphabets of an input with typed columns, given its only record.
pub(crate) fn alphabets_of_record(
    layout: &Layout,
    record: &str,
    options: &InputOptions,
) -> Result<Alphabets, DetectError> {
    let (column, record) = (layout.puzzle_column(), record.as_bytes());
    let lettered: Alphabets = symbols::letters().into_iter().collect();
    let has_letters = || {
        let read = layout.text.parser(lettered, column).parse(record, &mut Puzzles::new());
        read.is_ok_and(|puzzle| puzzle.size <= Size::Nine && puzzle.clues > 0)
    };
    if options.alphabets.is_empty() && record.iter().any(u8::is_ascii_alphabetic) && has_letters() {
        return Ok(lettered.with_blank(options.blank));
    }
    Ok(sample::find_alphabets(&*layout.text, column, options.alphabets(), &[record])?)
}

/// Chooses the columns to read from a table with typed columns, by their names, or by their content. `able` are the
/// columns that can hold puzzles; `sample` has the first records of these as lines of CSV.
#[cfg(feature = "corpus")]
pub(crate) fn choose_columns(
    names: &[String],
    able: &[usize],
    sample: impl FnOnce() -> Vec<Vec<u8>>,
    options: &InputOptions,
) -> Result<Table, DetectError> {
    let wanted = options.columns();
    let has_answers = options.answer == AnswerColumn::ByName && usual_answer_column(names).is_none();
    let sample = if wanted.puzzle.is_none() || has_answers { sample() } else { vec![] };
    let (text, records) = (sample_layout(able.len()), sample.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let able_names: Vec<String> = able.iter().map(|&column| names[column].clone()).collect();
    let like = |sought| sample::columns(&text, Alphabets::default(), &records, sought).map(|column| able[column]);
    let puzzles = || like(Sought::Puzzles).filter(|&column| !is_named_as_answer(&names[column]));
    let found = || Ok(sample::puzzle_column(&text, &records, &able_names)?.map(|column| able[column]));
    let mut table = Table::choose(names.to_vec(), wanted, |_| found())?;

    let ColumnChoice { puzzle, answer, keep } = &table.choice;
    let is_left = |column: &usize| column != puzzle && Some(*column) != *answer && !keep.contains(column);
    table.not_read = puzzles().filter(is_left).map(|column| format!("'{}'", names[column])).collect();
    table.unnamed_answers = like(Sought::FullGrids).find(is_left).filter(|_| has_answers);
    Ok(table)
}

/// The layout of records with typed columns. `sample` has the texts of the first puzzles; `header` is the line of
/// column names for records written as CSV.
#[cfg(feature = "corpus")]
pub(crate) fn typed_layout(
    origin: TypedOrigin,
    header: &[u8],
    table: &Table,
    sample: &[String],
    options: &InputOptions,
) -> Result<Layout, DetectError> {
    let records: Vec<&[u8]> = sample.iter().map(String::as_bytes).collect();
    in_known_symbols(sample.join("\n").as_bytes(), options, |options| {
        let text = Box::new(TypedLayout { origin, header: header.to_vec() });
        learn(origin.format(), text, Some(table.clone()), Preamble::default(), &records, options)
    })
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The length of the byte order mark, the empty lines and the `#` lines at the start of an input.
pub(crate) fn comments_length(text: &[u8], blank: Option<Blank>) -> usize {
    let mark = mark_length(text);
    let has_comments = !blank.is_some_and(|blank| blank.is(b'#'));
    let is_comment = |line: &&[u8]| has_comments && line.starts_with(b"#") || line.trim_ascii().is_empty();
    let lines = text[mark..].split_inclusive(|&byte| byte == b'\n').take_while(is_comment);
    mark + lines.map(<[u8]>::len).sum::<usize>()
}

fn mark_length(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::testing;

    const DOTS: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn shown(text: impl AsRef<[u8]>) -> String {
        shown_with(text, &InputOptions::default())
    }

    fn shown_with(text: impl AsRef<[u8]>, options: &InputOptions) -> String {
        match detect(text.as_ref(), true, options) {
            Ok(layout) => layout.to_string(),
            Err(error) => format!("! {error}"),
        }
    }

    fn in_rows(cells: &str, side: usize) -> String {
        let rows: Vec<_> = cells.as_bytes().chunks(side).map(|row| str::from_utf8(row).unwrap()).collect();
        rows.join("\n") + "\n"
    }

    #[test]
    fn formats_are_detected() {
        let zeros = DOTS.replace('.', "0");
        let grid = in_rows(DOTS, 9);
        let spaced: String = zeros.chars().flat_map(|cell| [cell, ' ']).collect();
        let spaced_grid = in_rows(&spaced, 18);
        for (text, expected) in [
            (String::new(), "lines"),
            ("\n\n# a\n".to_owned(), "lines"),
            ("what is 1.3..........4.?\nnothing\n".to_owned(), "lines"),
            (format!("\u{feff}{DOTS}\r\n"), "lines of 9x9, blank '.'"),
            (format!("# a\n\n{zeros} ED=1.2\n{DOTS}\n"), "lines of 9x9, blanks '0' and '.'"),
            (format!("0000183b305c {zeros}  1.2\n"), "lines of 9x9, blank '0'"),
            (format!("34..12.....3....\n{DOTS}"), "lines of 4x4 and 9x9, blank '.'"),
            ("34..12.....3....\n".repeat(16), "lines of 4x4, blank '.'"),
            (format!("{DOTS}\n123456789\n{DOTS}\n"), "lines of 9x9, blank '.'"),
            (format!("{DOTS},{zeros}\n"), "lines of 9x9, blank '.'"),
            (format!("1{}\n", ".".repeat(728)), "lines"),
            (grid.clone(), "grids of 9x9, blank '.'"),
            (format!("1\n{grid}"), "grids of 9x9, blank '.'"),
            (format!("Grid 01\n{grid}Grid 02\n{grid}"), "grids of 9x9, blank '.'"),
            (spaced_grid.clone(), "grids of 9x9, blank '0'"),
            (format!("2\n{spaced_grid}{spaced_grid}"), "grids of 9x9, blank '0'"),
            (format!("3\n{spaced_grid}{spaced_grid}{spaced_grid}"), "grids of 9x9, blank '0'"),
            ("---------\n".repeat(9), "grids of 9x9, blank '-'"),
            (in_rows("12..34....21..43", 4), "grids of 4x4, blank '.'"),
            (format!("3\n{spaced_grid}"), "integers, order 3"),
            (format!("3\n{spaced_grid}3\n{spaced_grid}2 1"), "integers, order 3"),
            (format!("3 {spaced}"), "integers, order 3"),
            (format!("3\n{spaced}\n"), "integers, order 3"),
            ("2\n1 0 0 4 0 0 1 0\n0 1 0 0 4 0 0 1\n".to_owned(), "integers, order 2"),
            (
                format!("quizzes,solutions\n{zeros},{zeros}\n"),
                "CSV with a header, puzzle in column 1 'quizzes', blank '0'",
            ),
            (
                format!("# a\r\nsource,question,answer\r\na,{DOTS},b\r\n"),
                "CSV with a header, puzzle in column 2 'question', blank '.'",
            ),
            (
                "Id;Sudoku\n1;34..12.....3....".to_owned(),
                "CSV with a header, puzzle in column 2 'Sudoku', 4x4, blank '.'",
            ),
        ] {
            assert_eq!(shown(&text), expected, "{text}");
        }
    }

    #[test]
    fn the_acceptance_inputs_are_detected() {
        for (text, expected) in [
            (include_str!("../../../tests/acceptance/all_solutions.in"), "integers, order 3"),
            (include_str!("../../../tests/acceptance/counted_grids.in"), "grids of 9x9, blank '0'"),
            (include_str!("../../../tests/acceptance/hexadoku.in"), "grids of 16x16, A-P, blank '-'"),
            (include_str!("../../../tests/acceptance/lines_end.in"), "lines of 9x9, blank '.'"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn unsupported_formats_are_refused_by_name() {
        for (text, what) in [
            (&b"\x04\x22\x4d\x18"[..], "lz4"),
            (b"\x1f\x9d\x90", "compress"),
            (b"7z\xbc\xaf\x27\x1c\0", "7z"),
            (b"PK\x03\x04", "ZIP"),
            (&[b"easy.txt", &[0; 249][..], b"ustar\0"].concat(), "tar"),
            (b"PAR1", "Parquet"),
            (b"PARE", "encrypted Parquet"),
            (b"\x93NUMPY\x01", "NumPy"),
            (b"\xff\xfe1\0", "UTF-16"),
            (b"\xfe\xff\0\x31", "UTF-16"),
            (b"1\0.\0.\0.\0.\0.\0.\0.\0\n\0", "UTF-16"),
            (b"\0\x31\0.\0.\0.\0.\0.\0.\0.", "UTF-16"),
            (b"1.3..........4.2\r1.3..........4.2", "CR alone"),
            (b"{\n  \"puzzle\":", "JSON"),
            (b"\xef\xbb\xbf \n [[1,", "JSON"),
            (b"<?xml", "XML"),
        ] {
            let shown = shown(text);
            assert!(shown.starts_with("! the input ") && shown.contains(what), "{shown}");
        }
    }

    #[test]
    fn columns_are_chosen_by_name() {
        let text = format!("id,problem,level\n1,{DOTS},hard\n2,{DOTS}\n");
        let options = |puzzle: Option<&str>, keep: &[&str]| InputOptions {
            puzzle_column: puzzle.map(str::to_owned),
            keep: keep.iter().map(ToString::to_string).collect(),
            ..InputOptions::default()
        };
        let layout = detect(text.as_bytes(), true, &options(Some("Problem"), &["Level", "id"])).unwrap();
        assert_eq!(layout.to_string(), "CSV with a header, puzzle in column 2 'problem', blank '.'");
        assert_eq!(layout.kept_columns().collect::<Vec<_>>(), ["level", "id"]);
        let records = testing::split(&mut *layout.splitter(), &text);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [2, 3]);
        let mut pass_through = layout.pass_through();
        assert_eq!(pass_through.fields(records[0].0.as_bytes()).collect::<Vec<_>>(), [&b"hard"[..], b"1"]);
        assert_eq!(pass_through.fields(records[1].0.as_bytes()).collect::<Vec<_>>(), [&b""[..], b"2"]);
        let columns = "the input has id, problem, level";
        for (options, error) in [
            (options(Some("x"), &[]), format!("no column is called 'x'; {columns}")),
            (options(Some("id"), &["x"]), format!("no column is called 'x'; {columns}")),
            (
                InputOptions { format: Some(InputFormat::Lines), ..options(None, &["id"]) },
                "lines have no columns to choose from; only CSV and JSON lines have".to_owned(),
            ),
        ] {
            assert_eq!(shown_with(&text, &options), format!("! {error}"));
        }
        let header = b"puzzle,a".repeat(10);
        assert_eq!(detect(&header, false, &options(Some("a"), &[])).unwrap_err(), DetectError::NoHeader);
        let full = "1234341221434321";
        for (text, expected) in [
            (format!("id,problem\n1,{DOTS}\n"), "puzzle in column 2 'problem', found by its content, blank '.'"),
            (
                format!("Aufgabe;L\u{f6}sung\n{DOTS};x\n"),
                "puzzle in column 1 'Aufgabe', found by its content, blank '.'",
            ),
            (format!("puzzle,board\neasy 1,{DOTS}\n"), "puzzle in column 2 'board', blank '.'"),
            (
                format!("puzzle,sudoku puzzle\n1,{DOTS}\n"),
                "puzzle in column 2 'sudoku puzzle', found by its content, blank '.'",
            ),
            (format!("puzzle,other\nbad,{full}\n"), "puzzle in column 1 'puzzle'"),
        ] {
            assert_eq!(shown(&text), format!("CSV with a header, {expected}"), "{text}");
        }
        for head in ["id,problem,other\n1", "puzzle,problem,other\nbad"] {
            let several = "! several columns have puzzles: problem, other";
            assert_eq!(shown(format!("{head},{DOTS},{DOTS}\n")), several);
        }
        assert_eq!(shown(format!("1,{DOTS}\n2,{DOTS}\n")), "lines of 9x9, blank '.'");
        let empty = detect(b"", true, &options(Some("a"), &["b"])).unwrap();
        assert_eq!(empty.kept_columns().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_count_of_grids_is_not_a_row() {
        let rows = "003020600\n900305001\n001806400\n008102900\n700000008\n006708200\n002609500\n800203009\n005010300";
        let spaced: Vec<_> = rows.split("").collect();
        for rows in [rows.to_owned(), rows.replace('\n', "\r\n"), spaced.join(" ")] {
            for (head, line) in [("", 1), ("2\n", 2), ("# a\n12\r\n\n", 4), ("\u{feff}", 1)] {
                let text = format!("{head}{rows}\n\n{rows}\n");
                let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
                assert_eq!(layout.to_string(), "grids of 9x9, blank '0'", "{text}");
                let records = testing::split(&mut *layout.splitter(), &text);
                assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [line, line + 10], "{text}");
            }
        }
    }
}
