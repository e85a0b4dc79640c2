//! The styles of rows that people and programs use, apart from the plain one.
//!
//! ```text
//! 5,3,,,7,,,,        | A | 5 | 3 |   |   | 7 |       fields: a separator between all cells, which may be empty
//! 3 14  . 16  2      R1  5  3  . |  .  7  . |        numbers; labels
//! | 5 3   |   7   |       |                          columns: spaces for blanks
//! [[5 3 0 0 7 0 0 0 0]   {5, 3, 0, 0, 7, 0, 0, 0, 0},    brackets around any of these
//! ```
//!
//! A style belongs to an input: it is learned from the sample, and a record with a row in another style is malformed.
//! So the records do not depend on where a text is cut, and a damaged row is never read in a different style.

use std::borrow::Cow;
use std::iter;

use memchr::memrchr;

use crate::format::alphabet::{Alphabets, listed};
use crate::format::characters::ascii;
use crate::format::formats::blocks::{BandGaps, BlockLine, Rows};
use crate::format::formats::grid_line::{SadManSection, is_number_or_date, is_spacing, looks_like_row};
use crate::format::{Size, cells};

/// The style of an input's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GridStyle {
    pub(super) size: Size,
    form: CellForm,
    /// Whether rows are in brackets, as in printed lists.
    has_brackets: bool,
    /// Whether rows begin with their number or letter.
    has_labels: bool,
    bands: Option<BandGaps>,
    /// The symbol for a blank, if a line with only this symbol looks like a border.
    dash: Option<u8>,
}

/// The way to find the cells of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CellForm {
    /// Each symbol is a cell.
    Symbols,
    /// White space separates the cells, which are numbers.
    Numbers,
    /// A separator is between all cells.
    Fields {
        separator: u8,
        /// Whether a separator follows the last cell, too, and a bar precedes the first.
        is_closed: bool,
    },
    /// A cell ends at each of the places, with bars between some of them.
    Columns { bars: Vec<usize>, places: Vec<usize> },
}

/// A row of a grid.
#[derive(Debug)]
pub(super) struct LabelledRow<'a> {
    /// The number of its label.
    pub(super) label: Option<usize>,
    /// The symbol or number of each cell; empty for a blank.
    pub(super) cells: Vec<&'a [u8]>,
}

impl LabelledRow<'_> {
    fn is_of(&self, size: Size) -> bool {
        let symbols = self.cells.iter().filter(|cell| cell.len() == 1).map(|cell| cell[0]);
        self.cells.len() == size.side()
            && self.cells.iter().all(|cell| cell.is_empty() || cells::is_cell(cell))
            && cells::are_symbols(&Alphabets::default(), size, &symbols)
    }
}

/// The number of lines of a sample that suggest styles.
const SAMPLE: usize = 100;

/// The maximum number of words in a date with its time.
const WORDS_OF_DATE: usize = 6;

impl GridStyle {
    /// The styles that fit some lines of a sample, simple ones first.
    pub(super) fn candidates(text: &[u8]) -> Vec<GridStyle> {
        let lines = text.trim_ascii_end().split(|&byte| byte == b'\n');
        let all: Vec<&[u8]> = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
        // Programs that write sections write plain rows in them.
        if all.iter().any(|line| SadManSection::of_title(line).is_some()) {
            return vec![];
        }
        // The maximum number of consecutive empty lines.
        let gaps = all.chunk_by(|_, next| next.is_empty()).map(|gap| gap.len() - 1).max().unwrap_or(0);
        let lines: Vec<Cow<'_, [u8]>> = all
            .into_iter()
            .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
            .take(SAMPLE)
            .map(ascii)
            .collect();
        let is_row = |line: &[u8]| looks_like_row(line) && !is_number_or_date(line) && !is_border(line);
        let is_cell = |dash: &u8| lines.iter().any(|line| line.contains(dash) && is_row(line));
        let dash = b"-_*".iter().copied().find(is_cell);

        let mut styles = vec![];
        let bare: Vec<Cow<'_, [u8]>> = lines.iter().map(|line| without_brackets(line).into()).collect();
        let has_brackets = lines.iter().zip(&bare).any(|(line, bare)| line.len() > bare.len());
        let readings = [(&lines, false, false), (&lines, false, true), (&bare, true, false)];
        for (lines, has_brackets, has_labels) in readings.into_iter().filter(|reading| has_brackets || !reading.1) {
            for form in CellForm::candidates(lines, has_labels) {
                let rows: Vec<_> = lines.iter().filter_map(|line| form.read(line, has_labels)).collect();
                let sizes =
                    rows.iter().filter_map(|row| Size::from_side(row.cells.len()).filter(|size| row.is_of(*size)));
                let Some((size, count)) = most_common(sizes) else { continue };
                if 2 * count >= size.side() && form.is_shown_by(&rows) {
                    styles.push(GridStyle { size, form, has_brackets, has_labels, bands: None, dash });
                }
            }
        }
        // A single extra empty line does not show that two separate grids: then the style without this rule reads more
        // rows.
        let apart = if gaps > 1 { &[true, false][..] } else { &[false] };
        let with_bands = |style: &GridStyle, &are_apart: &bool| {
            let bands = BandGaps { height: style.size.box_rows(), are_apart };
            GridStyle { bands: Some(bands), ..style.clone() }
        };
        let in_bands = |style| apart.iter().map(move |are_apart| with_bands(style, are_apart));
        let banded: Vec<_> = styles.iter().filter(|_| gaps > 0).flat_map(in_bands).collect();
        // Symbols without any other feature are the plain style.
        styles.retain(|style| style.form != CellForm::Symbols || style.has_labels || style.has_brackets);
        styles.extend(banded);
        styles
    }

    /// The label and the cells of a line in ASCII; `None` if the line does not fit this style.
    fn read<'a>(&self, line: &'a [u8]) -> Option<LabelledRow<'a>> {
        self.form.read(if self.has_brackets { without_brackets(line) } else { line }, self.has_labels)
    }

    /// The number of cells in a part of a line without its label; 0 if the part does not fit the style between bars.
    pub(super) fn count(&self, part: &[u8]) -> usize {
        match self.form {
            CellForm::Symbols | CellForm::Numbers => self.form.read(part, false).map_or(0, |row| row.cells.len()),
            CellForm::Fields { .. } | CellForm::Columns { .. } => 0,
        }
    }

    /// The kind of a line in ASCII, and its label and cells if it is a row of this style, perhaps a damaged one.
    pub(super) fn look<'a>(&self, line: &'a [u8]) -> (BlockLine, Option<LabelledRow<'a>>) {
        if line.starts_with(b"#") {
            return (BlockLine::Comment, None);
        }
        let row = self.read(line);
        let is_row = row.as_ref().is_some_and(|row| row.is_of(self.size));
        let is_dash = |byte: &u8| Some(*byte) == self.dash || b" \t|".contains(byte);
        let kind = if is_border(line) && !(is_row && line.iter().all(is_dash)) {
            let is_of_table = line.iter().all(|byte| b"|-: ".contains(byte)) && line.contains(&b'|');
            if is_of_table { BlockLine::HeaderEnd } else { BlockLine::Border }
        } else if is_row {
            BlockLine::Row
        } else {
            self.kind_of_other(line)
        };
        (kind, row)
    }

    /// The kind of a line that is neither a border nor an undamaged row.
    fn kind_of_other(&self, line: &[u8]) -> BlockLine {
        let text = line.trim_ascii();
        if text.is_empty() {
            return BlockLine::Blank;
        }
        if line.iter().all(|byte| is_spacing(*byte)) {
            return BlockLine::Border;
        }
        // The declaration of an array.
        if text.ends_with(b"=") || text.ends_with(b"{") {
            return BlockLine::Title;
        }
        // Nine digits or more are not a number, and many words are not a date.
        let words = line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let is_long = text.len() >= Size::Nine.side() && text.iter().all(u8::is_ascii_digit);
        let is_number = is_number_or_date(line) && !is_long && words.count() <= WORDS_OF_DATE;
        let is_title = counts_up(line, self.size.side()) || !looks_like_row(line) || is_number;
        if is_title { BlockLine::Title } else { BlockLine::Row }
    }
}

impl Rows for GridStyle {
    fn kind(&self, line: &[u8]) -> BlockLine {
        self.look(&ascii(line)).0
    }

    fn side(&self) -> usize {
        self.size.side()
    }

    fn bands(&self) -> Option<BandGaps> {
        self.bands
    }
}

/// Lists the features that are not plain: `numbers, labels and empty lines between bands`.
impl std::fmt::Display for GridStyle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let form = match &self.form {
            CellForm::Symbols => None,
            CellForm::Numbers => Some("numbers".to_owned()),
            CellForm::Fields { separator, .. } => Some(format!("'{}' between cells", separator.escape_ascii())),
            CellForm::Columns { .. } => Some("spaces for blanks".to_owned()),
        };
        let brackets = self.has_brackets.then(|| "brackets".to_owned());
        let labels = self.has_labels.then(|| "labels".to_owned());
        let bands = self.bands.map(|_| "empty lines between bands".to_owned());
        f.write_str(&listed([form, brackets, labels, bands].into_iter().flatten(), "and"))
    }
}

impl CellForm {
    /// The forms that some lines may have.
    fn candidates(lines: &[Cow<'_, [u8]>], has_labels: bool) -> Vec<CellForm> {
        let occurs = |separator: &u8| lines.iter().any(|line| line.contains(separator));
        let fields = b",;\t|+".iter().copied().filter(occurs);
        let fields =
            fields.flat_map(|separator| [false, true].map(|is_closed| CellForm::Fields { separator, is_closed }));
        [CellForm::Symbols, CellForm::Numbers].into_iter().chain(fields).chain(columns(lines, has_labels)).collect()
    }

    /// Whether rows show that this form is needed.
    fn is_shown_by(&self, rows: &[LabelledRow<'_>]) -> bool {
        let is_filled = |cell: &&[u8]| !cell.is_empty();
        let has_blank_before_value =
            |row: &&LabelledRow<'_>| row.cells.iter().skip_while(|cell| !cell.is_empty()).any(|cell| !cell.is_empty());
        match self {
            CellForm::Symbols | CellForm::Fields { .. } => true,
            CellForm::Numbers => rows.iter().any(|row| row.cells.iter().any(|cell| cell.len() > 1)),
            // Rows of a different size, and rows that have lost a cell, have blanks at their ends.
            CellForm::Columns { bars, places } => {
                4 * rows.iter().filter(has_blank_before_value).count() >= rows.len()
                    && (bars.last() > places.last() || rows.iter().any(|row| row.cells.last().is_some_and(is_filled)))
            }
        }
    }

    fn read<'a>(&self, line: &'a [u8], has_label: bool) -> Option<LabelledRow<'a>> {
        let (mut label, mut text) = (None, line);
        let cells: Vec<&[u8]> = match self {
            CellForm::Symbols | CellForm::Numbers => {
                if has_label {
                    let start = line.iter().position(|byte| !is_spacing(*byte))?;
                    let (number, rest) = split_label(&line[start..])?;
                    (label, text) = (Some(number), rest.strip_prefix(b":").or(rest.strip_prefix(b")")).unwrap_or(rest));
                }
                match self {
                    CellForm::Symbols => text.chunks(1).filter(|byte| !is_spacing(byte[0])).collect(),
                    _ => text.split(|byte| is_spacing(*byte)).filter(|word| !word.is_empty()).collect(),
                }
            }
            &CellForm::Fields { separator, is_closed } => {
                let fields: Vec<_> = line.split(|&byte| byte == separator).map(cells::without_quotes).collect();
                let (mut fields, has_bars) = (&fields[..], is_closed && is_bar(separator));
                if is_closed {
                    // LaTeX ends a row with a bar and a dot.
                    let last = *fields.split_off_last()?;
                    (last.is_empty() || has_bars && last == b".").then_some(())?;
                }
                // A label may be inside the table, or before it.
                if has_bars && (!has_label || fields.first()?.is_empty()) {
                    fields.split_off_first()?.is_empty().then_some(())?;
                }
                if has_label {
                    label = Some(ordinal(fields.split_off_first()?)?);
                }
                fields.to_vec()
            }
            CellForm::Columns { bars, places } => {
                if has_label {
                    let start = line.iter().position(|&byte| is_bar(byte))?;
                    (label, text) = (Some(ordinal(line[..start].trim_ascii())?), &line[start..]);
                }
                cells_at(places, bars, text)?
            }
        };

        Some(LabelledRow { label, cells })
    }
}

/// The most frequent value, and how often it occurs.
fn most_common<T: Ord + Clone>(values: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.chunk_by(T::eq).max_by_key(|same| same.len()).map(|same| (same[0].clone(), same.len()))
}

/// The columns of the cells of rows with spaces for blanks: cells between two bars are equally spaced.
fn columns<'a>(lines: &'a [Cow<'_, [u8]>], has_labels: bool) -> Vec<CellForm> {
    let is_of_cells = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ' || is_bar(*byte);
    let bars_of = |row: &[u8]| -> Vec<usize> { (0..row.len()).filter(|&at| is_bar(row[at])).collect() };
    let rows = lines.iter().filter(|line| line.iter().all(is_of_cells)).filter_map(|line| {
        let start = if has_labels { line.iter().position(|&byte| is_bar(byte))? } else { 0 };
        Some(&line[start..])
    });
    let Some((bars, _)) = most_common(rows.clone().map(bars_of)) else { return vec![] };
    let rows = || rows.clone().filter(|row| bars_of(row) == bars);

    // The parts of a row end at a bar on each side, or are open.
    let edges: Vec<_> = iter::once(None).chain(bars.iter().copied().map(Some)).chain([None]).collect();
    let is_filled = |text: &[u8]| !text.trim_ascii().is_empty();
    let is_part = |edges: &&[Option<usize>]| {
        let text = |row: &'a [u8]| &row[edges[0].map_or(0, |bar| bar + 1)..edges[1].unwrap_or(row.len())];
        !edges.contains(&None) || rows().any(|row| is_filled(text(row)))
    };
    let parts: Vec<_> = edges.windows(2).filter(is_part).collect();
    let indent = rows().filter_map(|row| row.iter().position(|byte| *byte != b' ')).min().unwrap_or(0);

    let mut forms = vec![];
    let has_boxes = |size: &Size| parts.len() == size.stacks() || parts.len() == 1;
    for size in Size::ALL.into_iter().filter(has_boxes) {
        let width = size.side() / parts.len();
        let most_digits = if size > Size::Nine { 2 } else { 1 };
        let digits = 1..=most_digits;
        // Try all distances between cells, and all margins at bars, that programs use. Few of them fit the bars.
        let distances = digits.flat_map(|digits| (digits..=4).map(move |distance| (digits, distance)));
        for (margin, (digits, distance)) in distances.flat_map(|pair| (0..=2).map(move |margin| (margin, pair))) {
            let span = digits - 1 + (width - 1) * distance;
            let start_of = |part: &&[Option<usize>]| match **part {
                [Some(bar), Some(next)] => (bar + 2 + 2 * margin + span == next).then_some(bar + 1 + margin),
                [Some(bar), None] => Some(bar + 1 + margin),
                [None, Some(next)] => next.checked_sub(margin + span + 1),
                _ => (margin == 0).then_some(indent),
            };
            let places_from = |start| (0..width).map(move |cell| start + digits - 1 + cell * distance);
            if let Some(starts) = parts.iter().map(start_of).collect::<Option<Vec<_>>>() {
                let places = starts.into_iter().flat_map(places_from).collect();
                forms.push(CellForm::Columns { bars: bars.clone(), places });
            }
        }
    }
    forms
}

/// The cells that end at these places of a line; `None` if there is anything else between the bars.
fn cells_at<'a>(places: &[usize], bars: &[usize], line: &'a [u8]) -> Option<Vec<&'a [u8]>> {
    let is_filled = |at: usize| line.get(at).is_some_and(|byte| *byte != b' ' && !is_bar(*byte));
    let mut after = 0;
    let cells: Vec<&[u8]> = places
        .iter()
        .map(|&place| {
            // Numbers are aligned to the right, so a cell ends at its place.
            let start = (after..=place).rev().take_while(|&at| is_filled(at)).last();
            after = place + 1;
            start.map_or(&[][..], |start| &line[start..=place])
        })
        .collect();

    // Without spaces between cells and a bar at the end, only the length proves that no cell is lost.
    let last = *places.last()?;
    let is_open = places.get(1) == Some(&(places[0] + 1)) && bars.last().is_none_or(|bar| *bar < last);
    let is_value = |cell: &&[u8]| cell.iter().all(u8::is_ascii_alphanumeric) && *cell != b"0";
    let filled = line.iter().filter(|byte| **byte != b' ').count();
    let is_row = bars.iter().all(|&bar| line.get(bar).is_some_and(|&byte| is_bar(byte)))
        && filled == cells.concat().len() + bars.len()
        && cells.iter().all(is_value)
        && (filled > 0 || line.len() > last)
        && (!is_open || line.len() == last + 1);
    is_row.then_some(cells)
}

/// A line without the brackets around it, and without anything before them, such as the name of an array: the row of
/// `grid = [| 5, 3, 0 |`, `problem(1, [[5,_,3],` or `5 3 0;`.
fn without_brackets(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    let text = if text.ends_with(b").") { &text[..text.len() - 1] } else { text };
    let name = memrchr(b'=', text).map_or(0, |equals| equals + 1);
    let start = text[name..].iter().rposition(|byte| b"[({".contains(byte)).map_or(0, |bracket| name + bracket + 1);
    let end = text.iter().rposition(|byte| !b"])}|;, ".contains(byte)).map_or(start, |last| last + 1);
    let is_closed = text[end..].iter().any(|byte| b"])}|;".contains(byte)) || text.starts_with(b"|");
    // Another row may be before the last bracket.
    if start == 0 && !is_closed || text[name.min(start)..start].iter().any(|byte| b"])}".contains(byte)) || end < start
    {
        return line;
    }
    let row = &text[start..end];
    row.strip_prefix(b"|").unwrap_or(row).trim_ascii()
}

/// Whether a byte is a bar between cells.
fn is_bar(byte: u8) -> bool {
    matches!(byte, b'|' | b'+')
}

/// Whether a line is only a rule.
fn is_border(line: &[u8]) -> bool {
    let rules = b"-=~_*";
    line.iter().any(|byte| rules.contains(byte))
        && line.iter().all(|byte| rules.contains(byte) || b"+|:.' \t".contains(byte))
}

/// Whether a line numbers the columns of a grid: `1 2 3 ...`, `C1 C2 C3 ...`, `| | A | B | C | ...`, `ABC DEF GHI`.
fn counts_up(line: &[u8], side: usize) -> bool {
    let words = || line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_count = |labels: Vec<Option<usize>>| {
        labels.len() == side
            && (0..=1).any(|first| (first..).zip(&labels).all(|(number, label)| *label == Some(number)))
    };
    is_count(words().map(ordinal).collect()) || is_count(words().flat_map(|word| word.chunks(1)).map(ordinal).collect())
}

/// The number of the label at the start of a line, and the text after it: `3`, `R3`, `Row 3` or `C`.
fn split_label(line: &[u8]) -> Option<(usize, &[u8])> {
    let count = |text: &[u8], is: fn(&u8) -> bool| text.iter().take_while(|byte| is(byte)).count();
    let (word, text) = line.split_at(count(line, u8::is_ascii_alphabetic));
    let text = if word.len() > 1 { text.trim_ascii_start() } else { text };
    let (number, rest) = text.split_at(count(text, u8::is_ascii_digit));
    let number = match (word, number) {
        (&[letter], b"") => usize::from(letter.to_ascii_lowercase() - b'a') + 1,
        _ => str::from_utf8(number).ok()?.parse().ok()?,
    };
    Some((number, rest))
}

/// The number of a label, which may be bold: `**C**`.
fn ordinal(label: &[u8]) -> Option<usize> {
    let bold = label.strip_prefix(b"**").and_then(|label| label.strip_suffix(b"**"));
    split_label(bold.unwrap_or(label)).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}
