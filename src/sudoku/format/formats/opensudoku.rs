//! `opensudoku`: the XML that OpenSudoku imports and exports, with an element for each game.
//!
//! ```text
//! <?xml version="1.0" encoding="UTF-8"?>
//! <opensudoku>
//!   <name>Easy</name>
//!   <game data="379000014060010070080009005435007000090040020000800436900700080040080050850000249"/>
//! </opensudoku>
//! ```
//!
//! A record is the start tag of a game. Its cells are in the attribute `data`, or `cells_data` in OpenSudoku 2. In a
//! game that was saved while it was played, the attribute has a version, and then for each cell its value, its notes,
//! and 1 if the player may edit it (`version: 3&#10;3|0|0|0|24|1|...`); the puzzle is the cells that the player may not
//! edit.
//!
//! A valid tag contains no `<`, so a damaged tag ends before the next one, and only its record is lost. An XML reader
//! would stop at the damage, and could not pause within a tag when the text of a call ends. So this is a small scanner
//! that knows tags, comments and the entities in an attribute, and ignores all other elements.

use memchr::{memchr, memmem};

use crate::format::alphabet::Alphabets;
use crate::format::definition::{PlainFormat, with_sizes};
use crate::format::refusal::is_open_sudoku;
use crate::format::splitter::{FindRecord, NextRecord, TextEnd, window};
use crate::format::{BatchEnd, Malformed, ParsedPuzzle, Parser, Puzzles, Size, SymbolPosition, cells};

/// The format.
pub(super) const OPEN_SUDOKU: PlainFormat = PlainFormat {
    is_likely: |start| is_open_sudoku(start.text()),
    preamble: |start| start.mark,
    splitter: |preamble| Box::new(GameSplitter.after(preamble)),
    parser: |alphabets| Box::new(GameParser { alphabets, text: vec![] }),
    has_symbols: true,
    describe: |sizes| with_sizes("games of OpenSudoku", sizes),
};

/// Splits a stream into the tags of games.
#[derive(Clone, Debug)]
struct GameSplitter;

/// A tag or a comment at the start of a text.
struct Markup {
    length: usize,
    is_record: bool,
}

impl FindRecord for GameSplitter {
    const HAS_TITLES: bool = false;

    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut start = 0;
        loop {
            let Some(between) = memchr(b'<', &text[start..]) else {
                let end = if at_end { BatchEnd::EndOfInput } else { BatchEnd::Incomplete };
                return NextRecord::none(text.len(), end);
            };
            start += between;
            let window = window(&text[start..]);
            let Some(markup) = Markup::scan(window, TextEnd::of_window(window, at_end)) else {
                return NextRecord::none(start, BatchEnd::Incomplete);
            };
            let end = start + markup.length;
            if markup.is_record {
                return NextRecord::found(start..end, end);
            }
            start = end;
        }
    }
}

impl Markup {
    /// The tag or comment at the start of `text`, which starts with `<`. `None` if more text is needed.
    fn scan(text: &[u8], end: TextEnd) -> Option<Markup> {
        let mut comment = None;
        if let Some(inner) = text.strip_prefix(b"<!--") {
            // A valid comment contains no other `--`, so an unclosed comment costs no game after it.
            match memmem::find(inner, b"--").map(|length| &inner[length + 2..]) {
                Some([b'>', after @ ..]) => return Some(Markup { length: text.len() - after.len(), is_record: false }),
                Some([]) | None if end == TextEnd::More => return None,
                _ => comment = Some(memchr(b'<', inner).map(|length| text.len() - inner.len() + length)),
            }
        }

        let length = match comment.unwrap_or_else(|| tag_length(text)) {
            Some(length) => length,
            None if end == TextEnd::More => return None,
            None => text.len(),
        };
        Some(Markup { length, is_record: comment.is_some() || is_game(&text[..length]) })
    }
}

/// The length of the tag at the start of a text; a damaged tag ends before the next. `None` if the text ends first.
fn tag_length(text: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (index, &byte) in text.iter().enumerate().skip(1) {
        match quote {
            // A tag cannot contain `<`, so a damaged tag ends before the next one.
            _ if byte == b'<' => return Some(index),
            None if byte == b'>' => return Some(index + 1),
            None => quote = matches!(byte, b'"' | b'\'').then_some(byte),
            Some(opened) if opened == byte => quote = None,
            Some(_) => {}
        }
    }
    None
}

/// Whether a tag starts a game, by its name or by its attribute: one of them may be damaged.
fn is_game(tag: &[u8]) -> bool {
    let name = tag[1..].split(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte)).next().unwrap_or_default();
    name == b"game" || memmem::find(tag, b"data=").is_some()
}

/// The value of the first of these attributes that a tag has. Fails if the tag is invalid.
fn attribute<'a>(tag: &'a [u8], names: &[&[u8]]) -> Result<Option<&'a [u8]>, Malformed> {
    let invalid = Malformed::InvalidTag;
    let inner = tag.strip_prefix(b"<").and_then(|tag| tag.strip_suffix(b">")).ok_or(invalid)?;
    let mut rest = inner.strip_suffix(b"/").unwrap_or(inner);
    let name = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    rest = rest[name..].trim_ascii_start();

    let mut found = None;
    while !rest.is_empty() {
        let equals = memchr(b'=', rest).ok_or(invalid)?;
        let name = rest[..equals].trim_ascii();
        let is_name = !name.is_empty() && name.iter().all(|byte| !byte.is_ascii_whitespace() && !b"\"'".contains(byte));
        let quoted = rest[equals + 1..].trim_ascii_start();
        let (&quote, value) = quoted.split_first().filter(|(quote, _)| b"\"'".contains(quote)).ok_or(invalid)?;
        let length = memchr(quote, value).ok_or(invalid)?;
        let after = &value[length + 1..];
        let is_separate = after.first().is_none_or(u8::is_ascii_whitespace);
        // As XML requires. With two values, it would be unclear which puzzle is meant.
        if !is_name || !is_separate || names.contains(&name) && found.is_some() {
            return Err(invalid);
        }
        if names.contains(&name) {
            found = Some(&value[..length]);
        }
        rest = after.trim_ascii_start();
    }
    Ok(found)
}

/// Parses the cells of games.
#[derive(Clone, Debug)]
struct GameParser {
    alphabets: Alphabets,
    /// The cells, without entities.
    text: Vec<u8>,
}

impl GameParser {
    /// Replaces the text by the value of an attribute. Known entities become symbols; unknown ones stay.
    fn unescape(&mut self, mut value: &[u8]) {
        self.text.clear();
        while let Some(start) = memchr(b'&', value) {
            self.text.extend_from_slice(&value[..start]);
            let length = memchr(b';', &value[start..]).map_or(1, |length| length + 1);
            let entity = &value[start..start + length];
            match symbol_of(entity) {
                Some(symbol) => self.text.push(symbol),
                // An unknown entity stays as it is, and a message shows it.
                None => self.text.extend_from_slice(entity),
            }
            value = &value[start + length..];
        }
        self.text.extend_from_slice(value);
    }

    /// Replaces the text of a saved game by its givens, with 0 for all other cells. Any other text stays.
    fn take_givens(&mut self) -> Result<(), Malformed> {
        let Some(saved) = self.text.trim_ascii().strip_prefix(b"version:") else { return Ok(()) };
        let saved = saved.trim_ascii_start();
        let version = saved.iter().position(u8::is_ascii_whitespace).ok_or(Malformed::InvalidSavedGame)?;
        // One version has two bars after the notes.
        let fields: Vec<&[u8]> = saved[version..]
            .split(|&byte| byte == b'|')
            .map(<[u8]>::trim_ascii)
            .filter(|field| !field.is_empty())
            .collect();

        // Later versions have notes of two kinds.
        let cells = Size::Nine.cells();
        let of_cell = fields.len() / cells;
        if !fields.len().is_multiple_of(cells) || !(3..=4).contains(&of_cell) {
            return Err(Malformed::InvalidSavedGame);
        }
        // The last field tells whether the player can change the cell. Then its value is not a clue.
        let givens = fields.chunks(of_cell).map(|cell| match (cell[0], cell[of_cell - 1]) {
            ([value @ b'0'..=b'9'], b"0") => Ok(*value),
            ([b'0'..=b'9'], b"1") => Ok(b'0'),
            _ => Err(Malformed::InvalidSavedGame),
        });
        self.text = givens.collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// The symbol of an entity such as `&#10;`, if it is in ASCII.
fn symbol_of(entity: &[u8]) -> Option<u8> {
    let name = str::from_utf8(entity).ok()?.strip_prefix('&')?.strip_suffix(';')?;
    match name {
        "amp" => Some(b'&'),
        "lt" => Some(b'<'),
        "gt" => Some(b'>'),
        "quot" => Some(b'"'),
        "apos" => Some(b'\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(digits) => u8::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code.ok().filter(u8::is_ascii)
        }
    }
}

impl Parser for GameParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        if !record.starts_with(b"<") {
            return Err(Malformed::Outside);
        }
        let data = attribute(record, &[b"data", b"cells_data"])?.ok_or(Malformed::MissingData)?;
        self.unescape(data);
        self.take_givens()?;
        let text = self.text.trim_ascii();
        cells::parse(text, &self.alphabets, puzzles, |index| SymbolPosition::of_cell(index, Size::Nine.side()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::{DetectError, InputFormat, InputOptions, MAX_RECORD, Splitter, detect, testing};

    const CELLS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn zeros() -> String {
        CELLS.replace('.', "0")
    }

    fn game(data: &str) -> String {
        format!("<game data=\"{data}\"/>")
    }

    /// A saved game where the player has placed 4 in the third cell, in the format of a version.
    fn saved(version: u8, notes: &str) -> String {
        let cells = CELLS.char_indices().map(|(index, cell)| match (index, cell) {
            (2, _) => format!("4|{notes}|1|"),
            (_, '.') => format!("0|{notes}|1|"),
            (_, given) => format!("{given}|{notes}|0|"),
        });
        format!("version: {version}&#10;{}", cells.collect::<String>())
    }

    fn splitter() -> impl Splitter {
        GameSplitter.after(Preamble::default())
    }

    /// The cells or the fault of each game in a text, with its line.
    fn read(text: &str) -> Vec<(String, u64)> {
        let alphabets = Alphabets::default();
        let mut parser = GameParser { alphabets, text: vec![] };
        let records = testing::split(&mut splitter(), text).into_iter();
        records
            .map(|(record, line)| {
                let read = testing::parse(&mut parser, &alphabets, record.as_bytes());
                (read.unwrap_or_else(|reason| reason), line)
            })
            .collect()
    }

    #[test]
    fn games_of_every_version_are_read() {
        let zeros = zeros();
        for tag in [
            game(&zeros),
            game(CELLS),
            format!("<game data='{zeros}'></game>"),
            format!("<game\n  created = \"1\" note=\"a > b, 'c'\"\n  data = \"{zeros}\"\n/>"),
            format!("<game cells_data=\"{zeros}\" user_note=\"&lt;game&gt;\" />"),
            game(&zeros.replacen('5', "&#53;", 1).replacen('6', "&#x36;", 1)),
            game(&saved(1, "1,2,3,")),
            game(&saved(1, "-")),
            game(&saved(2, "12|")),
            game(&saved(3, "0").replace("&#10;", "\n")),
            game(&saved(4, "0|17")),
        ] {
            for (head, between, tail) in [
                ("<opensudoku>", "", "</opensudoku>"),
                ("\u{feff}<?xml version=\"1.0\"?>\r\n<opensudoku version='2'>\n", "\r\n", "</opensudoku>\n"),
                ("<opensudoku2 version=\"3\"><folder name=\"a\">", "</folder><folder name='<'>", "</folder>"),
                ("<!-- <game/> --><opensudoku><name>1 > 2 \" '</name>", "<!-- - -> -->", "<!----><!-- <game/>\n-->"),
            ] {
                let text = format!("{head}{tag}{between}{tag}{tail}");
                let texts: Vec<_> = read(&text).into_iter().map(|read| read.0).collect();
                assert_eq!(texts, [CELLS, CELLS], "{text}");
                let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
                assert_eq!(layout.format(), InputFormat::OpenSudoku, "{text}");
            }
        }
    }

    #[test]
    fn damaged_games_are_one_record() {
        let (good, zeros) = (game(&zeros()), zeros());
        let invalid = "the tag of the game is not valid XML; it may have been cut off";
        let saved_reason = "no saved game, which has a value, notes and 0 or 1 for each of 81 cells";
        for (damaged, reason) in [
            (game(&zeros[1..]), "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (game(&zeros.replacen('0', "q", 1)), "row 1, column 3: 'q' is not a digit"),
            (game(&zeros.replacen('0', "&amp;", 1)), "row 1, column 3: '&' is not a digit"),
            (game(""), "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("<game/>".to_owned(), "the game has no attribute data"),
            ("<game id=\"data\">".to_owned(), "the game has no attribute data"),
            (format!("<game data=\"{zeros}/>"), invalid),
            (format!("<game data={zeros}\"/>"), invalid),
            (format!("<game data=\"{zeros}\""), invalid),
            (format!("<game data=\"{zeros}\" data=\"{zeros}\"/>"), invalid),
            (format!("<game data=\"{zeros}\"a=\"\"/>"), invalid),
            (format!("<game data=\"{zeros}\" a/>"), invalid),
            ("<game".to_owned(), invalid),
            ("<!-- a".to_owned(), invalid),
            ("<!-- a -- b".to_owned(), invalid),
            (game(&saved(3, "0")[..100]), saved_reason),
            (game(&saved(3, "0|0|0")), saved_reason),
            (game(&saved(3, "0").replacen("|1|", "|2|", 1)), saved_reason),
            (game("version: 3"), saved_reason),
        ] {
            for between in ["", "\n"] {
                let text = format!("<opensudoku>{good}{between}{damaged}{between}{good}</opensudoku>");
                let texts: Vec<_> = read(&text).into_iter().map(|read| read.0).collect();
                assert_eq!(texts, [CELLS, reason, CELLS], "{text}");
            }
            let last = read(&format!("<opensudoku>{good}{damaged}"));
            assert_eq!(last.last().unwrap().0, reason, "{damaged}");
        }
        // A name that is damaged.
        assert_eq!(read(&game(&zeros).replace("game", "gme"))[0].0, CELLS);
    }

    #[test]
    fn lines_are_counted() {
        let good = game(CELLS);
        let text =
            format!("<opensudoku>\n<name>\n</name>{good}{good}\n{}\n<!--\n\n-->{good}", good.replace(' ', "\n\n"));
        assert_eq!(read(&text).into_iter().map(|read| read.1).collect::<Vec<_>>(), [3, 3, 4, 9]);
    }

    #[test]
    fn a_long_tag_is_one_record() {
        let good = game(CELLS);
        let long = format!("<game note=\"{}\" data=\"{CELLS}\"/>", "a ".repeat(MAX_RECORD));
        let comment = format!("<!--{}-->", " ".repeat(MAX_RECORD / 2));
        let text = format!("<opensudoku>{good}{long}{good}\n{comment}{}{good}", "text\n".repeat(MAX_RECORD));
        for size in [30_000, text.len()] {
            let records = testing::split_bytes(&mut splitter(), text.as_bytes(), &[size]);
            let lengths: Vec<_> = records.iter().map(|record| record.0.len()).collect();
            assert_eq!(lengths, [good.len(), MAX_RECORD, good.len(), good.len()]);
        }
    }

    #[test]
    fn other_xml_is_refused() {
        for text in ["<?xml version=\"1.0\"?><puzzles></puzzles>", "<games data=\"1\"/>"] {
            let error = detect(text.as_bytes(), true, &InputOptions::default()).unwrap_err();
            assert!(matches!(error, DetectError::Unsupported { what: "XML", .. }), "{error}");
        }
    }
}
