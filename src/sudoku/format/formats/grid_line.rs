//! The kind of a line, judged in isolation: a row of a grid, a row of candidates, a border, a title or prose.

use std::borrow::Cow;

use crate::format::Size;
use crate::format::alphabet::is_digit_or_blank;
use crate::format::characters::ascii;

/// The kind of a line, judged in isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScannedLine {
    /// White space.
    Blank,
    /// The title of the next grid.
    Title,
    /// A comment or a border.
    Ignored,
    /// A rule line: one symbol, repeated as often as a row of a size has cells. It is a border or a row of blanks.
    Rule { symbol: u8, size: Size },
    /// A row with this many cells. `rule_symbol` is the symbol of rule lines that is among them.
    Cells { count: usize, rule_symbol: Option<u8> },
}

impl ScannedLine {
    /// Classifies a line, given without its line end.
    pub(super) fn scan(line: &[u8]) -> ScannedLine {
        let mut counts = [0; 6];
        for &byte in line {
            counts[usize::from(KINDS[usize::from(byte)])] += 1;
        }
        let [dashes, stars, underlines, spacing, edges, others] = counts;
        if others > 0
            && let Cow::Owned(line) = ascii(line)
        {
            return ScannedLine::scan(&line);
        }
        let rules = dashes + stars + underlines;
        let rule = [(dashes, b'-'), (stars, b'*'), (underlines, b'_')].into_iter().find(|(count, _)| *count > 0);
        match rule {
            _ if line.first() == Some(&b'#') => ScannedLine::Ignored,
            _ if others > 0 && is_title(line) => ScannedLine::Title,
            _ if others > 0 => {
                ScannedLine::Cells { count: rules + others, rule_symbol: rule.map(|(_, symbol)| symbol) }
            }
            Some((count, symbol)) if edges == 0 && count == rules => {
                Size::from_side(count).map_or(ScannedLine::Ignored, |size| ScannedLine::Rule { symbol, size })
            }
            None if spacing == line.len() && !line.contains(&b'|') => ScannedLine::Blank,
            _ => ScannedLine::Ignored,
        }
    }
}

/// The indices of spacing, and of the edges of boxes, in the list of [`KINDS`].
const BETWEEN: u8 = 3;
const EDGES: u8 = 4;

/// The kind of each byte in a grid: an index of the list below, or one more for part of a cell. A table, because
/// branches on the mixed bytes of a grid would be unpredictable.
const KINDS: [u8; 256] = {
    let kinds: [&[u8]; 5] = [b"-", b"*", b"_", b" \t\r\x0c|", b"+="];
    let mut table = [kinds.len() as u8; 256];
    let mut kind = 0;
    while kind < kinds.len() {
        let mut index = 0;
        while index < kinds[kind].len() {
            table[kinds[kind][index] as usize] = kind as u8;
            index += 1;
        }
        kind += 1;
    }
    table
};

/// Whether a byte between cells is ignored.
pub(super) const fn is_spacing(byte: u8) -> bool {
    matches!(KINDS[byte as usize], BETWEEN | EDGES)
}

/// Whether a line is `Grid` and a number, or begins a section.
fn is_title(line: &[u8]) -> bool {
    let (word, number) = line.trim_ascii().split_at_checked(4).unwrap_or_default();
    let is_grid =
        word.eq_ignore_ascii_case(b"grid") && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b' ');
    is_grid || SadManSection::of_title(line).is_some()
}

/// A section of a file of SadMan Sudoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SadManSection {
    /// `[Puzzle]`: the puzzle.
    Puzzle,
    /// `[State]`, `[PencilMarks]` or `[Colours]`: the progress of a player, with a line for each row.
    Play,
}

impl SadManSection {
    /// The section that a line begins.
    pub(super) fn of_title(line: &[u8]) -> Option<SadManSection> {
        let name = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
        let is = |other: &&[u8]| name.eq_ignore_ascii_case(other);
        match name {
            _ if is(&&b"puzzle"[..]) => Some(SadManSection::Puzzle),
            _ if [&b"state"[..], b"pencilmarks", b"colours", b"colors"].iter().any(is) => Some(SadManSection::Play),
            _ => None,
        }
    }

    /// The number of its lines that do not belong to the puzzle.
    pub(super) fn lines_of_play(self) -> usize {
        match self {
            SadManSection::Puzzle => 0,
            SadManSection::Play => Size::Nine.side(),
        }
    }
}

/// The cells of a line, including wrong symbols in their places.
fn cells(line: &[u8]) -> impl Iterator<Item = u8> + Clone {
    line.iter().copied().filter(|byte| !is_spacing(*byte))
}

/// The size whose rows have the same number of cells as the line, and allow all its symbols.
pub(super) fn size_of_row(line: &[u8]) -> Option<Size> {
    let (mut count, mut sizes) = (0, SPACING);
    for &byte in line {
        let allowed = SIZES[usize::from(byte)];
        count += usize::from(allowed != SPACING);
        sizes &= allowed;
    }
    let size = Size::from_side(count).filter(|size| sizes & 1 << size.index() != 0);
    match ascii(line) {
        Cow::Owned(line) if size.is_none() => size_of_row(&line),
        _ => size,
    }
}

/// The sizes whose rows may contain a byte, with a bit for each [`Size::index`]. Many words are as long as a row of
/// 10x10 or 12x12, but few consist only of their letters. A table, because every first row is tested.
const SIZES: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let symbol = byte as u8;
        table[byte] = match symbol {
            _ if is_spacing(symbol) => SPACING,
            b'0'..=b'4' | b'.' | b'_' | b'-' | b'*' | b'x' | b'X' | b'?' => from(Size::Four),
            b'5'..=b'6' => from(Size::Six),
            b'7'..=b'8' => from(Size::Eight),
            b'9' => from(Size::Nine),
            b'A'..=b'J' | b'a'..=b'j' => from(Size::Ten),
            b'K'..=b'L' | b'k'..=b'l' => from(Size::Twelve),
            b'M'..=b'Z' | b'm'..=b'z' => from(Size::Sixteen),
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// This size and all larger ones.
const fn from(size: Size) -> u16 {
    (1 << Size::ALL.len()) - (1 << size.index())
}

/// The entry of a byte between cells. It has more bits than all sizes together.
const SPACING: u16 = u16::MAX;

/// Whether a line is likely to be a row, perhaps a damaged one: it is not a short number, and at least half of its
/// symbols, apart from punctuation, are digits and blanks.
pub(super) fn looks_like_row(line: &[u8]) -> bool {
    let line = &*ascii(line);
    let symbols = || cells(line).filter(|byte| !b",;:()[]{}#/\"'".contains(byte));
    let (count, digits) = (symbols().count(), symbols().filter(u8::is_ascii_digit).count());
    let is_number = digits == count && !line.trim_ascii().contains(&b' ');
    count > 0 && 2 * symbols().filter(|byte| is_digit_or_blank(*byte)).count() >= count && !(is_number && count <= 3)
}

/// Whether a line is a number or a date, perhaps with words: `2006-08-03`, `10:30`, `No. 7`, `Game 9 of 12`.
///
/// A row with spaces between its cells has more than two single digits, and a row with blanks has symbols that are
/// single, adjacent, or spaces.
pub(super) fn is_number_or_date(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let tokens = || text.split(|&byte| byte == b' ');
    let digits_alone = tokens().filter(|token| token.len() == 1 && token[0].is_ascii_digit()).count();
    let has_digit = text.iter().any(u8::is_ascii_digit);
    has_digit && text.len() <= LONGEST_LABEL && digits_alone <= 2 && tokens().all(is_word_or_number)
}

/// The maximum length of a title that looks like a row, in bytes.
const LONGEST_LABEL: usize = 40;

/// Whether a token between spaces is a word, a number or a date, with or without punctuation: `No.`, `(12)`, `#7:`,
/// `10:30`.
fn is_word_or_number(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"(").or(token.strip_prefix(b"#")).unwrap_or(token);
    let token = token.strip_suffix(b":").unwrap_or(token);
    let token = token.strip_suffix(b".").or(token.strip_suffix(b")")).or(token.strip_suffix(b",")).unwrap_or(token);
    let is_word = token.len() >= 2 && token.iter().all(u8::is_ascii_alphabetic);
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    is_word || token.split(|byte| b"-/:".contains(byte)).all(is_number)
}

/// The groups of a row.
pub(super) fn groups(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    row.split(|&byte| is_spacing(byte)).filter(|group| !group.is_empty())
}

/// Whether a line is a row of a candidate grid with several candidates in a cell. A row of values could belong to any
/// grid.
pub(super) fn has_candidates(line: &[u8]) -> bool {
    let line = &*ascii(line);
    let sets = groups(line).map(candidates_of);
    let (mut count, mut has_several) = (0, false);
    for set in sets {
        let Ok(set) = set else { return false };
        count += 1;
        has_several |= set.count_ones() > 1;
    }
    count == Size::Nine.side() && has_several
}

/// The candidates of a group, bit 0 for digit 1. Fails with the index of a byte that is not a candidate.
pub(super) fn candidates_of(group: &[u8]) -> Result<u16, usize> {
    let has_mark = matches!(group[0], b'*' | b'#' | b'@' | b'u' | b'A'..=b'Z');
    let mut candidates = 0_u16;
    for (index, &byte) in group.iter().enumerate().skip(usize::from(has_mark)) {
        let is_deleted = byte == b'-' && group.get(index + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            _ if is_deleted => {}
            // Programs write candidates in ascending order. Few other numbers have ascending digits.
            b'1'..=b'9' if 1 << (byte - b'1') > candidates => candidates |= 1 << (byte - b'1'),
            _ => return Err(index),
        }
    }
    if candidates == 0 { Err(0) } else { Ok(candidates) }
}
