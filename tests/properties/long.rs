//! Property: texts with records of the maximal length and above are split the same at once, in pieces, and by a
//! [`Corpus`], whose window has to grow for them.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::mpsc;

use arbitrary::{Arbitrary, Unstructured};
use gridmill::compression::Compression;
use gridmill::corpus::{ChunkInput, Corpus, Input, InputNews, Origin};
use gridmill::format::{BatchLimits, InputFormat, InputOptions, MAX_RECORD, Malformed};
use gridmill::pipeline::{self, Chunk, ChunkSize, Stop, Work};
use gridmill::puzzle::Puzzles;

use super::reading::split;
use super::{decode, variant};

/// The largest length of a text.
const MAX_TEXT: usize = 3 * MAX_RECORD;

/// A long text that few bytes of fuzzer input can describe.
#[derive(Debug)]
struct LongText {
    format: u8,
    step: u32,
    records: u8,
    runs: Vec<ByteRun>,
}

arbitrary_fields!(LongText { format, step, records; runs });

/// The same bytes, repeated.
#[derive(Debug)]
struct ByteRun {
    /// The length after repetition. Lengths close to that of a record are the interesting ones.
    length: Length,
    bytes: Vec<u8>,
}

arbitrary_fields!(ByteRun { length; bytes });

#[derive(Debug)]
enum Length {
    Once,
    Some(u16),
    /// The maximal length of a record, plus this.
    Around(i8),
}

impl<'a> Arbitrary<'a> for Length {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Length> {
        Ok(match variant(bytes, 3)? {
            0 => Length::Once,
            1 => Length::Some(bytes.arbitrary()?),
            _ => Length::Around(bytes.arbitrary()?),
        })
    }
}

impl LongText {
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for ByteRun { length, bytes } in &self.runs {
            let length = match *length {
                Length::Once => bytes.len(),
                Length::Some(length) => usize::from(length),
                Length::Around(more) => MAX_RECORD.saturating_add_signed(more.into()),
            };
            let length = length.min(MAX_TEXT - text.len());
            text.extend(bytes.iter().cycle().take(length));
        }
        text
    }
}

/// Checks that the splitting of a text does not depend on how it is read, whatever the length of its records.
pub fn long_records(bytes: &[u8]) {
    let Some(long) = decode::<LongText>(bytes) else { return };
    let text = long.text();
    if Compression::detect(&text).is_some() {
        return;
    }
    let format = InputFormat::ALL.get(usize::from(long.format) % (InputFormat::ALL.len() + 1)).copied();
    let options = InputOptions { format, ..InputOptions::default() };
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    fs::write(&file, &text).expect("a file can be written");
    let (sender, layouts) = mpsc::channel();
    let on_open =
        move |input: &Input, _: InputNews<'_>| sender.send(input.layout.clone()).expect("the test waits for it");
    let corpus =
        Corpus::open(vec![Origin::File(file.path().to_owned())], options).map(|corpus| corpus.on_open(on_open));
    let (Ok(corpus), Ok(layout)) = (corpus, layouts.recv()) else { return };
    // The corpus has skipped the comments, so its layout is not that of the text.
    let text_after_mark = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    if text_after_mark.trim_ascii_start().starts_with(b"#") {
        return;
    }
    let records = split(&mut *layout.splitter(), &text, &[text.len()], BatchLimits::NONE);
    // The time for small steps through a long record grows with the square of its length.
    let one = BatchLimits { records: 1, ..BatchLimits::NONE };
    let step = (text.len() / 16).max(1) + long.step as usize % (MAX_RECORD / 2);
    assert_eq!(split(&mut *layout.splitter(), &text, &[step], one), records, "in pieces");

    let mut parser = layout.parser();
    for record in records.iter().filter(|record| record.text.len() == MAX_RECORD) {
        assert_eq!(parser.parse(&text[record.text.clone()], &mut Puzzles::new()), Err(Malformed::TooLong));
    }

    let mut left = records.iter();
    let mut consumed = 0;
    // Where the last record should end, and where it does.
    let (mut end, mut read) = (0, 0);
    let mut compare = |chunk: &mut Chunk<ChunkInput>| {
        for (line, text_read) in chunk.texts() {
            let record = left.next().expect("a corpus has no more records than its text");
            assert!(text_read == &text[record.text.clone()] && line == record.line, "line {line}");
            assert_eq!(read, end, "the rest of the record before line {line}");
            (end, read) = (record.end, record.text.end);
        }
        if chunk.records.is_empty() {
            assert!(chunk.text == text[read..read + chunk.text.len()], "the rest of a record");
            read += chunk.text.len();
        }
        consumed += chunk.input_bytes;
        Ok(())
    };
    let size = ChunkSize::Fixed(NonZeroUsize::MIN.saturating_add(long.records.into()));
    pipeline::run(Box::new(corpus), vec![&mut IdleWorker], &mut compare, size, &Stop::new()).expect("a file is read");
    assert_eq!(left.next(), None);
    assert!(consumed <= text.len() as u64);
}

/// Has no output.
struct IdleWorker;

impl Work<ChunkInput> for IdleWorker {
    fn work(&mut self, _chunk: &mut Chunk<ChunkInput>) {}
}
