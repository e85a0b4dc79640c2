//! Runs with limited memory: memory does not depend on the input.

use std::fs::File;
use std::io::{BufWriter, Write};

use gridmill::compression::{Compression, Encoder};

use crate::{RunResult, TestDir, UNIQUE};

/// Less address space than the decompressed inputs have, but enough for the stacks of two threads.
const MEMORY: &str = "ulimit -v 600000; RUN";

const ROWS: &str = "solve -q --threads 2 --no-header --columns line,status,detail";

fn rows(dir: &TestDir, name: &str) -> String {
    RunResult::from(dir.shell(MEMORY, &format!("{ROWS} {name}")).output().unwrap()).ends(0)
}

/// A stream of `UNIQUE`, many times the same megabyte, and `UNIQUE`.
fn bomb(dir: &TestDir, compression: Compression, part: &[u8], times: usize) {
    let file = BufWriter::new(File::create(dir.path("bomb")).unwrap());
    let mut encoder = Encoder::new(file, compression, 2);
    encoder.write_all(format!("{UNIQUE}\n").as_bytes()).unwrap();
    for _ in 0..times {
        encoder.write_all(part).unwrap();
    }
    encoder.write_all(format!("\n{UNIQUE}\n").as_bytes()).unwrap();
    encoder.finish().unwrap().flush().unwrap();
}

#[test]
fn a_decompression_bomb_takes_no_more_memory_than_other_streams() {
    let dir = TestDir::new();
    let long = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\"";
    for (compression, byte, mebibytes) in
        [(Compression::Zstd, b'0', 700), (Compression::Zstd, b'\0', 700), (Compression::Gzip, b'1', 700)]
    {
        bomb(&dir, compression, &vec![byte; 1 << 20], mebibytes);
        assert_eq!(rows(&dir, "bomb"), format!("1,unique,\n{long}\n3,unique,\n"), "{compression}");
    }
    // Empty lines are no records.
    bomb(&dir, Compression::Zstd, &vec![b'\n'; 1 << 20], 700);
    assert_eq!(rows(&dir, "bomb"), format!("1,unique,\n{},unique,\n", (700 << 20) + 3));
}

#[test]
fn a_long_line_is_one_row() {
    let dir = TestDir::new();
    let mut file = File::create(dir.path("in.txt")).unwrap();
    file.write_all(format!("{UNIQUE}\n").as_bytes()).unwrap();
    let part = vec![b'.'; 1 << 20];
    for _ in 0..700 {
        file.write_all(&part).unwrap();
    }
    file.write_all(format!("\n{UNIQUE}").as_bytes()).unwrap();
    let long = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\"";
    assert_eq!(rows(&dir, "in.txt"), format!("1,unique,\n{long}\n3,unique,\n"));
}

/// The stacks are so large that not two of them fit.
#[test]
fn too_many_threads_are_an_error() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(1000));
    let output = dir.shell(MEMORY, "solve -q in.txt --threads 2").env("RUST_MIN_STACK", "400000000").output();
    let error = RunResult::from(output.unwrap()).fails();
    assert!(error.starts_with("gridmill: cannot start the threads: "), "{error}");
}

/// The copies of one puzzle are many times the memory that there is.
#[test]
fn many_copies_of_a_puzzle_take_no_more_memory_than_few() {
    let dir = TestDir::new();
    dir.run("generate -q -n 1 -o one").ends(0);
    for (output, length) in [("-o copies.csv", 82), ("-o copies.jsonl", 95)] {
        let output =
            dir.shell(MEMORY, &format!("augment -q one --threads 2 --copies 1e6 --no-header {output}")).output();
        RunResult::from(output.unwrap()).ends(0);
        let name = if length == 82 { "copies.csv" } else { "copies.jsonl" };
        assert_eq!(std::fs::metadata(dir.path(name)).unwrap().len(), length * 1_000_000);
    }
}

/// The input has no end, and all of it is in the sample.
#[test]
fn a_sample_that_does_not_fit_into_memory_is_an_error() {
    let dir = TestDir::new();
    let script = format!("ulimit -v 600000; yes {UNIQUE} | RUN");
    let output = dir.shell(&script, "sample -q -n 1e12 --threads 2 -o sample.txt").output();
    let error = RunResult::from(output.unwrap()).fails();
    assert_eq!(error, "gridmill: the sample takes more memory than there is; take fewer records");
}

/// A list of solutions is as long as its limit, and this one does not fit.
#[test]
fn memory_that_cannot_be_had_ends_any_run_with_exit_code_2() {
    let dir = TestDir::new();
    dir.write("blank.txt", format!("{}\n", ".".repeat(81)));
    let listing = "solve -q blank.txt --threads 2 --limit 1e8 --to listing -o listing.txt";
    let result = RunResult::from(dir.shell(MEMORY, listing).env("RUST_BACKTRACE", "0").output().unwrap());
    assert_eq!(result.code, Some(2), "{}", result.err);
    assert!(result.err.starts_with("memory allocation of "), "{}", result.err);
}
