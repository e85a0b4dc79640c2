//! Compressed input and output. The compression libraries, called directly, take the place of other programs.

use std::fs;
use std::io::{Read, Write};

use strum::VariantArray;

use gridmill::compression::Compression;

use crate::{RunResult, TestDir, UNIQUE, data};

const ROWS: &str = "-q --columns line,puzzle,status,solution,detail";

/// A text in one frame, as another program writes it.
fn frame(text: &[u8], compression: Compression) -> Vec<u8> {
    fn written<W: Write>(mut encoder: W, text: &[u8]) -> W {
        encoder.write_all(text).unwrap();
        encoder
    }
    match compression {
        Compression::Gzip => {
            let encoder =
                flate2::GzBuilder::new().filename("corpus.txt").mtime(7).write(vec![], flate2::Compression::best());
            written(encoder, text).finish().unwrap()
        }
        Compression::Zstd => {
            let mut encoder = zstd::Encoder::new(vec![], 19).unwrap();
            encoder.include_checksum(true).unwrap();
            written(encoder, text).finish().unwrap()
        }
        Compression::Xz => written(liblzma::write::XzEncoder::new(vec![], 9), text).finish().unwrap(),
        Compression::Bzip2 => {
            written(bzip2::write::BzEncoder::new(vec![], bzip2::Compression::fast()), text).finish().unwrap()
        }
        _ => panic!("no encoder for {compression}"),
    }
}

/// The text of a stream, as another program reads it.
fn unpacked(stream: &[u8], compression: Compression) -> String {
    let mut text = String::new();
    let read = match compression {
        Compression::Gzip => flate2::bufread::MultiGzDecoder::new(stream).read_to_string(&mut text),
        Compression::Zstd => zstd::Decoder::with_buffer(stream).unwrap().read_to_string(&mut text),
        Compression::Xz => liblzma::bufread::XzDecoder::new_multi_decoder(stream).read_to_string(&mut text),
        Compression::Bzip2 => bzip2::bufread::MultiBzDecoder::new(stream).read_to_string(&mut text),
        _ => panic!("no decoder for {compression}"),
    };
    read.unwrap();
    text
}

fn corpus() -> Vec<u8> {
    fs::read(data("minimal.txt")).unwrap()
}

#[test]
fn every_compression_is_read_from_files_and_pipes() {
    let (dir, text) = (TestDir::new(), corpus());
    let rows = dir.write("plain", &text).run(&format!("solve {ROWS} plain")).ends(0);
    for &compression in Compression::VARIANTS {
        // Frames end within lines, and one is empty.
        let parts = [&text[..1], &text[1..5000], &[], &text[5000..70_000], &text[70_000..]];
        let several: Vec<u8> = parts.iter().flat_map(|part| frame(part, compression)).collect();
        for stream in [frame(&text, compression), several] {
            assert!(dir.write("packed", &stream).run(&format!("solve {ROWS} packed")).ends(0) == rows, "{compression}");
            assert!(dir.run_on(&stream, &format!("solve {ROWS}")).ends(0) == rows, "{compression}");
        }
        let said = dir.run("solve packed -o rows").err;
        assert!(said.contains(&format!("gridmill: packed: {compression}, lines of 9x9, blank '.'\n")), "{said}");
    }
}

#[test]
fn skippable_zstd_frames_are_skipped() {
    let skippable = b"\x50\x2a\x4d\x18\x04\0\0\0junk";
    let puzzle = frame(format!("{UNIQUE}\n").as_bytes(), Compression::Zstd);
    let stream = [skippable, &puzzle[..], skippable, &puzzle, skippable].concat();
    let rows = TestDir::new().run_on(stream, "solve -q --no-header --columns line,status").ends(0);
    assert_eq!(rows, "1,unique\n2,unique\n");
}

#[test]
fn compressed_and_plain_inputs_can_be_mixed() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("{UNIQUE}\n")).write("b.gz", frame(format!("\n{UNIQUE}").as_bytes(), Compression::Gzip));
    let rows = dir.run("solve -q a.txt b.gz a.txt --no-header --columns file,line").ends(0);
    assert_eq!(rows, "a.txt,1\nb.gz,2\na.txt,1\n");
    let rows = dir.run("validate -q a.txt --against b.gz").ends(1);
    assert!(rows.contains("leak-exact") && rows.contains("b.gz"), "{rows}");
}

#[test]
fn every_output_is_compressed_by_its_extension_or_by_name() {
    let dir = TestDir::new();
    dir.write("in.txt", corpus());
    let commands = [
        format!("solve {ROWS} in.txt"),
        "validate -q in.txt".to_owned(),
        "canon -q in.txt".to_owned(),
        "generate -n 100 --with-solution".to_owned(),
    ];
    for command in commands {
        let rows = dir.run(&command).ends(0);
        for (&compression, extension) in Compression::VARIANTS.iter().zip(["gz", "zst", "xz", "bz2"]) {
            let packed = |name: &str| unpacked(&fs::read(dir.path(name)).unwrap(), compression);
            dir.run(&format!("{command} -o out.{extension}")).ends(0);
            assert!(packed(&format!("out.{extension}")) == rows, "{command} {compression}");
            dir.run(&format!("{command} -o out.csv --compress {compression}")).ends(0);
            assert!(packed("out.csv") == rows, "{command} {compression}");
            let output = dir.command(&format!("{command} -o - --compress {compression}")).output().unwrap();
            assert!(unpacked(&output.stdout, compression) == rows, "{command} {compression}");
        }
        dir.run(&format!("{command} -o out.gz --compress none")).ends(0);
        assert!(dir.read("out.gz") == rows, "{command}");
    }
}

#[test]
fn the_same_rows_are_compressed_to_the_same_bytes() {
    let dir = TestDir::new();
    dir.write("in.txt", corpus().repeat(40));
    for compression in [Compression::Gzip, Compression::Zstd] {
        let solve = format!("solve {ROWS} in.txt --compress {compression}");
        let streams = ["--threads 1", "--threads 3 --chunk 77", "--chunk 5000"].map(|running| {
            let output = dir.command(&format!("{solve} {running}")).output().unwrap();
            assert!(output.status.success());
            output.stdout
        });
        assert!(streams[0] == streams[1] && streams[0] == streams[2], "{compression}");
        assert!(unpacked(&streams[0], compression).len() > 3 << 20);
    }
}

#[test]
fn rejects_are_compressed_by_their_extension() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\nrubbish\n")).run("validate -q in.txt --rejects bad.zst").ends(1);
    assert_eq!(unpacked(&fs::read(dir.path("bad.zst")).unwrap(), Compression::Zstd), "rubbish\n");
}

#[test]
fn output_can_be_input() {
    let dir = TestDir::new();
    for extension in ["gz", "zst", "xz", "bz2"] {
        dir.run(&format!("generate -n 300 --with-solution -o corpus.{extension}")).ends(0);
        dir.run(&format!("validate -q corpus.{extension} -o report.{extension}")).ends(0);
        let rows = dir.run(&format!("solve report.{extension} --columns line --keep verdict,answer -q --no-header"));
        assert!(rows.ends(0).lines().all(|row| row.ends_with(",sound,right")));
    }
}

#[test]
fn empty_text_is_a_stream_too() {
    let dir = TestDir::new();
    assert_eq!(dir.run_on("", "solve -q --no-header").ends(0), "");
    for &compression in Compression::VARIANTS {
        assert_eq!(dir.run_on(frame(b"", compression), "solve -q --no-header").ends(0), "");
        dir.run(&format!("solve -q --no-header -o out --compress {compression}")).ends(0);
        let stream = fs::read(dir.path("out")).unwrap();
        assert!(!stream.is_empty() && unpacked(&stream, compression).is_empty(), "{compression}");
        dir.run(&format!("solve -q -o out --compress {compression}")).ends(0);
        assert!(unpacked(&fs::read(dir.path("out")).unwrap(), compression).starts_with("line,puzzle,"));
    }
}

/// The rows of a failed run, without the header, and its error message.
fn left(dir: &TestDir, arguments: &str) -> (Vec<String>, String) {
    let error = dir.run(&format!("solve {ROWS} -o out {arguments}")).fails();
    assert!(error.ends_with("; the rows so far are in out.partial"), "{error}");
    let rows = dir.read("out.partial");
    assert!(rows.ends_with('\n') || rows.is_empty());
    (rows.lines().skip(1).map(str::to_owned).collect(), error)
}

#[test]
fn a_truncated_stream_gives_its_complete_records_and_an_error() {
    let (dir, text) = (TestDir::new(), corpus());
    let rows = dir.write("plain", &text).run(&format!("solve {ROWS} plain")).ends(0);
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    for &compression in Compression::VARIANTS {
        let (one, other) = text.split_at(text.len() / 3);
        let first = frame(one, compression);
        let stream = [&first[..], &frame(other, compression)].concat();
        let places = (10..stream.len()).step_by(stream.len() / 17).chain(stream.len() - 3..stream.len());
        for length in places.filter(|&length| length != first.len()) {
            dir.write("cut", &stream[..length]);
            let RunResult { code, err, .. } = dir.run(&format!("solve {ROWS} -o out cut"));
            assert_eq!(code, Some(2));
            assert!(err.contains(&format!("the {compression} stream is cut short")), "{err}");
            // Without any text, no format is detected, and no output opened.
            if err.contains("after no record: ") {
                continue;
            }
            let (left, error) = left(&dir, "cut");
            let count = left.len();
            let reached =
                format!("after {count} records (the last on line {count}): the {compression} stream is cut short");
            assert!(error.starts_with("gridmill: cannot read cut beyond byte ") && error.contains(&reached), "{error}");
            assert!(left == rows[..count], "{compression} cut to {length}");
            assert!(length < first.len() || count >= one.len() / 82, "{compression} cut to {length}");
        }
    }
}

#[test]
fn an_incomplete_record_is_not_a_row() {
    let dir = TestDir::new();
    // Stored without compression, so that the stream can be truncated within the second line.
    let text = format!("{UNIQUE}\n{UNIQUE} {}\n", "q".repeat(10));
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    let stream = encoder.finish().unwrap();
    dir.write("cut", &stream[..stream.len() - 12]);
    let (rows, error) = left(&dir, "cut");
    assert_eq!(rows, [format!("1,{UNIQUE},unique,1234432121433412,")]);
    assert!(error.contains("after 1 record (on line 1): the gzip stream is cut short; "), "{error}");
    // A file that is not compressed may end there.
    dir.write("plain", &text[..text.len() - 4]);
    assert_eq!(dir.run(&format!("solve {ROWS} plain")).ends(0).lines().count(), 3);
}

#[test]
fn damage_is_always_an_error() {
    let (dir, text) = (TestDir::new(), &corpus()[..40_000]);
    let rows = dir.run_on(text, &format!("solve {ROWS}")).ends(0);
    for &compression in Compression::VARIANTS {
        let (one, other) = text.split_at(text.len() / 2);
        let stream = [frame(one, compression), frame(other, compression)].concat();
        for at in (10..stream.len()).step_by(stream.len() / 40) {
            let mut damaged = stream.clone();
            damaged[at] ^= 1 << (at % 8);
            let result = dir.write("bad", &damaged).run(&format!("solve {ROWS} bad"));
            // Some bytes of a header have no meaning.
            if result.code == Some(0) {
                assert!(result.ends(0) == rows, "{compression}, byte {at}");
            } else {
                let error = result.fails();
                assert!(error.contains(&format!(": the {compression} stream ")), "{error}");
            }
        }
    }
}

#[test]
fn bytes_after_a_stream_are_an_error_unless_they_are_padding() {
    let dir = TestDir::new();
    let with = |compression, after: &[u8]| {
        dir.write("in", [&frame(format!("{UNIQUE}\n").as_bytes(), compression), after].concat());
    };
    for (compression, after) in [
        (Compression::Gzip, &b"rubbish"[..]),
        (Compression::Gzip, b"\0\0rubbish"),
        (Compression::Zstd, b"rubbish"),
        (Compression::Zstd, b"\0\0\0\0"),
        (Compression::Xz, b"rubbish"),
        (Compression::Bzip2, b"rubbish"),
        (Compression::Bzip2, b"\0\0\0\0"),
    ] {
        with(compression, after);
        let (rows, error) = left(&dir, "in");
        let what =
            format!("1 record (on line 1): the {compression} stream is over, and what follows is not {compression}");
        assert!(rows.len() == 1 && error.contains(&what), "{error}");
    }
    for compression in [Compression::Gzip, Compression::Xz] {
        with(compression, &[0; 512]);
        assert_eq!(dir.run(&format!("solve {ROWS} in")).ends(0).lines().count(), 2);
    }
    // The first byte of a next member.
    with(Compression::Gzip, b"\x1f");
    assert!(left(&dir, "in").1.contains("the gzip stream is cut short"));
}

#[test]
fn a_stream_within_a_stream_is_refused() {
    let stream = frame(&frame(UNIQUE.as_bytes(), Compression::Xz), Compression::Gzip);
    let error = TestDir::new().run_on(stream, "solve -q").fails();
    assert_eq!(error, "gridmill: - is compressed twice, with xz and then with gzip; unpack it once");
    let archive = [b"easy.txt", &[0; 249][..], b"ustar\0", &[0; 1000]].concat();
    let error = TestDir::new().run_on(frame(&archive, Compression::Gzip), "solve -q").fails();
    assert!(error.contains("a tar archive"), "{error}");
}

#[test]
fn a_bomb_is_one_long_record() {
    let dir = TestDir::new();
    let bomb =
        [format!("{UNIQUE}\n").into_bytes(), vec![b'1'; 100 << 20], format!("\n{UNIQUE}\n").into_bytes()].concat();
    for compression in [Compression::Gzip, Compression::Zstd] {
        let mut encoder = gridmill::compression::Encoder::new(vec![], compression, 2);
        bomb.chunks(1 << 20).for_each(|part| encoder.write_all(part).unwrap());
        dir.write("bomb", encoder.finish().unwrap());
        let rows = dir.run("solve -q bomb --no-header --columns line,status").ends(0);
        assert_eq!(rows, "1,unique\n2,malformed\n3,unique\n", "{compression}");
    }
}

#[test]
fn a_stream_that_asks_for_too_much_memory_is_refused() {
    let dir = TestDir::new();
    let mut zstd = zstd::Encoder::new(vec![], 1).unwrap();
    zstd.window_log(28).unwrap();
    zstd.write_all(UNIQUE.as_bytes()).unwrap();
    let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
    let mut filters = liblzma::stream::Filters::new();
    filters.lzma2(options.dict_size(1 << 28));
    let xz = liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::Crc32).unwrap();
    let mut xz = liblzma::write::XzEncoder::new_stream(vec![], xz);
    xz.write_all(UNIQUE.as_bytes()).unwrap();
    for stream in [zstd.finish().unwrap(), xz.finish().unwrap()] {
        let error = dir.run_on(stream, "solve -q").fails();
        assert!(error.contains("stream needs more than 128 MiB of memory; unpack it first"), "{error}");
    }
}
