//! Runs with little memory and few threads: whatever comes in, what a run needs is bounded.

use std::fs::File;
use std::io::{BufWriter, Write};

use gridmill::compression::{Compression, Encoder};

use crate::{Place, Ran, UNIQUE};

/// Less than any of these inputs has, unpacked; each thread has some address space of its own.
const MEMORY: &str = "ulimit -v 600000; RUN";

const ROWS: &str = "solve -q --threads 2 --no-header --columns line,status,detail";

fn rows(place: &Place, name: &str) -> String {
    Ran::from(place.shell(MEMORY, &format!("{ROWS} {name}")).output().unwrap()).ends(0)
}

/// A stream of `UNIQUE`, many times the same megabyte, and `UNIQUE`.
fn bomb(place: &Place, compression: Compression, part: &[u8], times: usize) {
    let file = BufWriter::new(File::create(place.path("bomb")).unwrap());
    let mut encoder = Encoder::new(file, compression, 2);
    encoder.write_all(format!("{UNIQUE}\n").as_bytes()).unwrap();
    for _ in 0..times {
        encoder.write_all(part).unwrap();
    }
    encoder.write_all(format!("\n{UNIQUE}\n").as_bytes()).unwrap();
    encoder.finish().unwrap().flush().unwrap();
}

#[test]
fn a_bomb_takes_no_more_memory_than_a_stream() {
    let place = Place::new();
    let long = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\"";
    for (compression, byte, mebibytes) in
        [(Compression::Zstd, b'0', 700), (Compression::Zstd, b'\0', 700), (Compression::Gzip, b'1', 700)]
    {
        bomb(&place, compression, &vec![byte; 1 << 20], mebibytes);
        assert_eq!(rows(&place, "bomb"), format!("1,unique,\n{long}\n3,unique,\n"), "{compression}");
    }
    // Empty lines are no records.
    bomb(&place, Compression::Zstd, &vec![b'\n'; 1 << 20], 700);
    assert_eq!(rows(&place, "bomb"), format!("1,unique,\n{},unique,\n", (700 << 20) + 3));
}

#[test]
fn a_long_line_is_one_row() {
    let place = Place::new();
    let mut file = File::create(place.path("in.txt")).unwrap();
    file.write_all(format!("{UNIQUE}\n").as_bytes()).unwrap();
    let part = vec![b'.'; 1 << 20];
    for _ in 0..700 {
        file.write_all(&part).unwrap();
    }
    file.write_all(format!("\n{UNIQUE}").as_bytes()).unwrap();
    let long = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\"";
    assert_eq!(rows(&place, "in.txt"), format!("1,unique,\n{long}\n3,unique,\n"));
}

/// Stacks are so large that some fit, and that there is room enough for all else.
#[test]
fn too_many_threads_are_an_error() {
    let place = Place::new();
    place.write("in.txt", format!("{UNIQUE}\n").repeat(1000));
    let output = place.shell(MEMORY, "solve -q in.txt --threads 64").env("RUST_MIN_STACK", "100000000").output();
    let error = Ran::from(output.unwrap()).fails();
    assert!(error.starts_with("gridmill: cannot start the threads: "), "{error}");
}
