//! Arrays of `NumPy` as inputs and outputs of the binary.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// An array with this header and these numbers, in their order in the file.
fn array(descr: &str, is_fortran: bool, shape: &[usize], numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ") + comma;
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = header.len() as u16;
    let mut bytes = [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], header.as_bytes()].concat();

    let width: usize = descr[2..].parse().unwrap();
    for number in numbers {
        let number = match &descr[1..] {
            "f2" => i64::from(half(number)),
            "f4" => i64::from((number as f32).to_bits()),
            "f8" => (number as f64).to_bits().cast_signed(),
            _ => number,
        };
        let number = number.to_le_bytes();
        if descr.starts_with('>') {
            bytes.extend(number[..width].iter().rev());
        } else {
            bytes.extend(&number[..width]);
        }
    }
    bytes
}

/// The bits of a small natural number in 16 bits.
fn half(number: i64) -> u16 {
    let number = number as u16;
    let exponent = number.checked_ilog2().map_or(0, |exponent| exponent as u16);
    if number == 0 { 0 } else { (exponent + 15) << 10 | (number - (1 << exponent)) << (10 - exponent) }
}

/// An array of texts of one byte a symbol, or of four.
fn texts(descr: &str, shape: &[usize], texts: &[&str]) -> Vec<u8> {
    let mut bytes = array("|S0", false, shape, std::iter::empty());
    let at = bytes.windows(3).position(|bytes| bytes == b"|S0").unwrap();
    bytes.splice(at..at + 3, descr.bytes());
    bytes[8] += descr.len() as u8 - 3;
    let width: usize = descr[2..].parse().unwrap();
    for text in texts {
        for symbol in text.bytes().chain(std::iter::repeat(0)).take(width) {
            match &descr[..2] {
                "|S" => bytes.push(symbol),
                "<U" => bytes.extend(u32::from(symbol).to_le_bytes()),
                _ => bytes.extend(u32::from(symbol).to_be_bytes()),
            }
        }
    }
    bytes
}

/// Lines of puzzles as an array of bytes.
fn bytes_of(lines: &[&str]) -> Vec<u8> {
    let cells = lines.iter().flat_map(|line| line.bytes()).map(cell);
    array("|u1", false, &[lines.len(), lines.first().map_or(81, |line| line.len())], cells)
}

fn cell(symbol: u8) -> i64 {
    if symbol == b'.' { 0 } else { i64::from(symbol - b'0') }
}

/// An archive as `numpy.savez` makes it, or `numpy.savez_compressed`.
fn archive(arrays: &[(&str, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut bytes = vec![];
    let mut writer = ZipArchiveWriter::new(&mut bytes);
    for (name, array) in arrays {
        let name = format!("{name}.npy");
        let (mut entry, config) = writer.new_file(&name).compression_method(method).start().unwrap();
        if method == CompressionMethod::STORE {
            let mut file = config.wrap(&mut entry);
            file.write_all(array).unwrap();
            let (_, descriptor) = file.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut file = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            file.write_all(array).unwrap();
            let (encoder, descriptor) = file.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    writer.finish().unwrap();
    bytes
}

/// Every size, type of numbers, order of bytes and of axes, from a file and from a pipe; and the array that is written.
#[test]
fn arrays_of_all_kinds_have_the_same_puzzles() {
    for (side, symbols) in [(4, "1234"), (9, "123456789"), (16, "123456789ABCDEFG"), (25, "ABCDEFGHIJKLMNOPQRSTUVWXY")]
    {
        let (rows, cells) = (3, side * side);
        let value = |row: usize, cell: usize| ((row * 7 + cell * cell * 5 + cell / 3) % (side + 1)) as u8;
        let symbol = |row, cell| {
            symbols.as_bytes().get(usize::from(value(row, cell)).wrapping_sub(1)).map_or('.', |&s| s.into())
        };
        let mut lines = String::new();
        for row in 0..rows {
            writeln!(lines, "{}", (0..cells).map(|cell| symbol(row, cell)).collect::<String>()).unwrap();
        }

        let (dir, mut names, mut expected) = (TestDir::new(), vec![], String::new());
        let mut streams = vec![];
        for kind in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"] {
            for end in ["<", ">"] {
                for (is_fortran, is_square) in [(false, false), (false, true), (true, false), (true, true)] {
                    let descr = format!("{}{kind}", if kind.ends_with('1') { "|" } else { end });
                    let square = |cell: usize| if is_square { cell % side * side + cell / side } else { cell };
                    let numbers: Vec<i64> = if is_fortran {
                        (0..cells)
                            .flat_map(|cell| (0..rows).map(move |row| i64::from(value(row, square(cell)))))
                            .collect()
                    } else {
                        (0..rows).flat_map(|row| (0..cells).map(move |cell| i64::from(value(row, cell)))).collect()
                    };
                    let shape = if is_square { vec![rows, side, side] } else { vec![rows, cells] };
                    let bytes = array(&descr, is_fortran, &shape, numbers.into_iter());
                    let name = format!("{}-{is_fortran}-{is_square}.npy", descr.replace(['<', '>', '|'], end));
                    dir.write(&name, &bytes);
                    if end == "<" && ["u1", "i8", "f4"].contains(&kind) {
                        streams.push(bytes);
                    }
                    names.push(name);
                    expected += &lines;
                }
            }
        }
        let found = dir.run(&format!("convert -q {} --to lines", names.join(" "))).ends(0);
        assert_eq!(found, expected, "{side}");
        for bytes in streams {
            assert_eq!(dir.run_on(&bytes, "convert -q --to lines").ends(0), lines);
        }

        dir.write("in.txt", &lines);
        let alphabet = if side == 25 { "A-Y" } else { "1-G" };
        dir.run(&format!("convert -q in.txt --alphabet {alphabet} -o out.npy")).ends(0);
        let numbers = (0..rows).flat_map(|row| (0..cells).map(move |cell| i64::from(value(row, cell))));
        assert_eq!(std::fs::read(dir.path("out.npy")).unwrap(), array("|u1", false, &[rows, cells], numbers));
    }
}

#[test]
fn arrays_are_solved_as_the_same_lines() {
    let dir = TestDir::new();
    let text = std::fs::read_to_string(data("easy.txt")).unwrap().repeat(6);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6000);
    dir.write("in.txt", &text).write("in.npy", bytes_of(&lines));
    let solve = |rest: &str| dir.run(&format!("solve -q --columns line,puzzle,status,solution {rest}")).ends(0);
    let expected = solve("in.txt").replace('0', ".");
    assert_eq!(solve("in.npy").replace('0', "."), expected);
    assert_eq!(solve("in.npy --from npy").replace('0', "."), expected);
    assert_eq!(
        dir.run("solve in.npy --columns line").err.lines().next(),
        Some("gridmill: in.npy: NumPy, puzzle in array 'puzzle', 0 for a blank")
    );

    // Shards, which are blocks of 4096 records, and runs that continue.
    let shard = "solve -q in.npy --columns line,puzzle,status,solution --shard";
    dir.run(&format!("{shard} 1/2 -o 1.csv")).ends(0);
    dir.run(&format!("{shard} 2/2 -o 2.csv")).ends(0);
    assert_eq!(dir.run("merge -q 1.csv 2.csv").ends(0).replace('0', "."), expected);

    // Compressed as a file, or in a pipe.
    dir.run_on(bytes_of(&lines), "solve -q --columns line,puzzle,status,solution -o piped.csv").ends(0);
    assert_eq!(dir.read("piped.csv").replace('0', "."), expected);
    let mut packed = flate2::write::GzEncoder::new(vec![], Compression::fast());
    packed.write_all(&bytes_of(&lines)).unwrap();
    dir.write("in.npy.gz", packed.finish().unwrap());
    assert_eq!(solve("in.npy.gz").replace('0', "."), expected);
}

#[test]
fn a_value_that_is_no_cell_makes_one_record_malformed() {
    let dir = TestDir::new();
    let row = |wrong: i64| {
        let mut cells: Vec<i64> = UNIQUE.bytes().map(cell).collect();
        cells[5] = wrong;
        cells
    };
    let numbers: Vec<i64> = [2, 5, -2, -1, 300].into_iter().flat_map(row).collect();
    dir.write("in.npy", array("<i2", false, &[5, 16], numbers.iter().copied()));
    let rows = dir.run("convert -q in.npy --columns line,puzzle,detail").ends(0);
    let expected = "line,puzzle,detail\n1,1.3..2.......4.2,\n\
                    2,\"[1, 0, 3, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2]\",\"row 2, column 2: 5 is above 4\"\n\
                    3,\"[1, 0, 3, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2]\",";
    assert!(rows.starts_with(expected), "{rows}");
    assert!(rows.contains("row 2, column 2: -2 is below 0"), "{rows}");
    assert!(
        rows.contains("4,\"[1, 0, 3, 0, 0, -1, ") && rows.contains("row 1, column 2: 0 beside other blanks"),
        "{rows}"
    );
    assert!(rows.contains("5,\"[1, 0, 3, 0, 0, 300, ") && rows.contains("row 2, column 2: 300 is above 4"), "{rows}");

    dir.write("large.npy", array("<u8", false, &[1, 16], (0..16).map(|cell| -i64::from(cell == 3))));
    let rows = dir.run("convert -q large.npy --columns detail").out;
    assert!(rows.contains(&u64::MAX.to_string()), "{rows}");
}

/// Axes of 1, one puzzle, texts: each array has its puzzles, whatever its shape.
#[test]
fn arrays_of_other_shapes_and_texts_are_read() {
    let dir = TestDir::new();
    let shaped = |descr: &str, shape: &[usize], lines: &str| array(descr, false, shape, lines.bytes().map(cell));
    let four = "1.3.......4.....";
    let five = format!("5{}", &"1...............".repeat(16)[1..]);
    let sixteen = UNIQUE.repeat(16);
    for (bytes, expected) in [
        (shaped("|u1", &[2, 4, 4, 1], &UNIQUE.repeat(2)), format!("{UNIQUE}\n{UNIQUE}\n")),
        (shaped("<f4", &[2, 1, 4, 4], &UNIQUE.repeat(2)), format!("{UNIQUE}\n{UNIQUE}\n")),
        (shaped("|u1", &[2, 16, 1], &UNIQUE.repeat(2)), format!("{UNIQUE}\n{UNIQUE}\n")),
        (shaped("|u1", &[1, 2, 16], &UNIQUE.repeat(2)), format!("{UNIQUE}\n{UNIQUE}\n")),
        (shaped("|u1", &[4, 4], UNIQUE), format!("{UNIQUE}\n")),
        (shaped("<i8", &[16], UNIQUE), format!("{UNIQUE}\n")),
        (shaped("|u1", &[1, 4, 4], UNIQUE), format!("{UNIQUE}\n")),
        // Sixteen puzzles, or one: a digit is too large, or is twice in a house.
        (shaped("|u1", &[16, 16], &sixteen), format!("{UNIQUE}\n").repeat(16)),
        (shaped("|u1", &[16, 16], &five), format!("{five}\n")),
        (texts("|S16", &[2], &[UNIQUE, four]), format!("{UNIQUE}\n{four}\n")),
        (texts("<U20", &[2], &[UNIQUE, four]), format!("{UNIQUE}\n{four}\n")),
        (texts(">U16", &[2, 1], &[UNIQUE, four]), format!("{UNIQUE}\n{four}\n")),
        (
            texts("<U1", &[1, 4, 4], &UNIQUE.split("").filter(|text| !text.is_empty()).collect::<Vec<_>>()),
            format!("{UNIQUE}\n"),
        ),
    ] {
        dir.write("in.npy", &bytes);
        let header = String::from_utf8_lossy(&bytes[10..70]).into_owned();
        assert_eq!(dir.run("convert -q in.npy --to lines").ends(0), expected, "{header}");
        assert_eq!(dir.run_on(&bytes, "convert -q --to lines").ends(0), expected, "{header}");
    }

    // A fraction is not a digit, and NaN is a blank.
    let mut bytes = shaped("<f4", &[3, 16], &UNIQUE.repeat(3));
    let start = bytes.len() - 3 * 64;
    bytes[start + 4..start + 8].copy_from_slice(&0.5_f32.to_le_bytes());
    let blanks = bytes[start + 128..].chunks_mut(4).filter(|bytes| bytes.iter().all(|&byte| byte == 0));
    blanks.for_each(|blank| blank.copy_from_slice(&f32::NAN.to_le_bytes()));
    dir.write("in.npy", &bytes);
    let rows = dir.run("solve -q in.npy --columns solution,detail").ends(0);
    let expected = format!(",\"row 1, column 2: no integer from 0 to 4\"\n{UNIQUE_SOLUTION},\n{UNIQUE_SOLUTION},\n");
    assert_eq!(rows, format!("solution,detail\n{expected}"));
}

/// Several arrays may be puzzles: those with blanks are, unless a name says more.
#[test]
fn arrays_without_usual_names_are_found_by_their_content() {
    let dir = TestDir::new();
    let (puzzles, answers) = (bytes_of(&[UNIQUE, UNIQUE]), bytes_of(&[UNIQUE_SOLUTION, UNIQUE_SOLUTION]));
    let fours = bytes_of(&[UNIQUE, UNIQUE, UNIQUE]);
    let shifted: String = UNIQUE_SOLUTION.bytes().map(|digit| char::from(digit - 1)).collect();
    let from_zero = bytes_of(&[&*shifted; 2]);
    let channels = array("|u1", false, &[2, 4, 4, 1], UNIQUE_SOLUTION.repeat(2).bytes().map(cell));
    // A mask tells which cells of a solution are clues: more than rows.
    let masks = array("|u1", false, &[2, 16], "1101011010110100".repeat(2).bytes().map(cell));
    for (arrays, described) in [
        (
            vec![("a", &answers), ("b", &puzzles)],
            "array 'b', found by its content, 4x4, 0 for a blank; array 'a' looks like answers, --answer-column checks it",
        ),
        (vec![("b", &puzzles), ("m", &masks)], "array 'b', found by its content, 4x4, 0 for a blank; not read: 'm'"),
        (
            vec![("y_train", &answers), ("x_train", &puzzles)],
            "array 'x_train', found by its content, answer in array 'y_train', 4x4, 0 for a blank",
        ),
        (
            vec![("x", &puzzles), ("y", &channels)],
            "array 'x', found by its content, answer in array 'y', 4x4, 0 for a blank",
        ),
        (
            vec![("puzzles_test", &puzzles), ("solutions_test", &answers)],
            "array 'puzzles_test', found by its content, answer in array 'solutions_test', 4x4, 0 for a blank",
        ),
        (
            vec![("x_train", &puzzles), ("y_train", &from_zero)],
            "array 'x_train', found by its content, answer in array 'y_train', 4x4, 0 for a blank",
        ),
    ] {
        let arrays: Vec<_> = arrays.into_iter().map(|(name, array)| (name, array.clone())).collect();
        dir.write("in.npz", archive(&arrays, CompressionMethod::STORE));
        let error = dir.run("validate in.npz --columns line").err;
        assert_eq!(error.lines().next(), Some(&*format!("gridmill: in.npz: NumPy, puzzle in {described}")));
    }

    let solutions = answers.clone();
    let arrays = [("x_train", puzzles), ("x_test", fours), ("y_train", answers)];
    dir.write("in.npz", archive(&arrays, CompressionMethod::STORE));
    let error = dir.run("solve in.npz").fails();
    assert!(error.contains("several columns have puzzles: x_train, x_test; name it with --puzzle-column"), "{error}");
    dir.write("in.npz.mask", archive(&[("m", masks.clone()), ("s", solutions)], CompressionMethod::STORE));
    let error = dir.run("solve in.npz.mask").fails();
    assert!(error.contains("'m' has only 0 and 1: a mask"), "{error}");
    let run = dir.run("validate in.npz --puzzle-column x_train --columns answer");
    assert!(run.err.contains("answer in array 'y_train', 4x4, 0 for a blank; not read: 'x_test'"), "{}", run.err);
    assert_eq!(run.ends(0), "answer\nright\nright\n");

    let two = bytes_of(&[UNIQUE, UNIQUE]);
    dir.write("masked.npz", archive(&[("a", two.clone()), ("b", two.clone()), ("m", masks)], CompressionMethod::STORE));
    let error = dir.run("solve masked.npz").fails();
    assert!(error.contains("several columns have puzzles: a, b; name it with --puzzle-column"), "{error}");
    dir.write("zero.npz", archive(&[("x", two), ("labels", from_zero)], CompressionMethod::STORE));
    let rows = dir.run("validate -q zero.npz --columns detail").out;
    assert_eq!(rows.lines().nth(1), Some("answer: its digits count from 0"));
}

/// Training sets have 1 for a blank, and the digits after it.
#[test]
fn numbers_of_training_sets_are_recognised() {
    let dir = TestDir::new();
    let numbers = |lines: &[&str]| {
        let cells: Vec<i64> = lines.iter().flat_map(|line| line.bytes()).map(|symbol| cell(symbol) + 1).collect();
        array("<i4", false, &[lines.len(), 16], cells.into_iter())
    };
    dir.write("in.npy", numbers(&[UNIQUE, UNIQUE_SOLUTION]));
    let run = dir.run("convert in.npy --to lines");
    assert!(run.err.contains("4x4, 1 for a blank"), "{}", run.err);
    assert_eq!(run.ends(0), format!("{UNIQUE}\n{UNIQUE_SOLUTION}\n"));

    // 0 is padding, and no cell.
    let mut cells: Vec<i64> = UNIQUE.repeat(5000).bytes().map(|symbol| cell(symbol) + 1).collect();
    cells[4999 * 16] = 0;
    dir.write("padded.npy", array("|i1", false, &[5000, 16], cells.into_iter()));
    let rows = dir.run("convert -q padded.npy --columns line,detail").ends(0);
    assert_eq!(rows.lines().last(), Some("5000,\"row 1, column 1: 127 is above 4\""));
    assert_eq!(rows.lines().filter(|row| row.contains("above")).count(), 1);

    // The sets that `augment` writes: their answers are beside the puzzles.
    dir.run("generate -q -n 20 --seed 1 --with-solution -o corpus.csv").ends(0);
    dir.run("augment -q corpus.csv --copies 2 --seed 1 --to hrm -o set").ends(0);
    for input in ["set/train", "set/train/all__inputs.npy"] {
        let run = dir.run(&format!("validate {input}"));
        assert!(run.err.contains("answer in array 'solution', 1 for a blank"), "{}", run.err);
        let rows = run.ends(0);
        assert_eq!(rows.lines().count(), 61);
        assert_eq!(rows.matches(",right").count(), 60, "{rows}");
    }
    let copies = dir.run("augment -q corpus.csv --copies 2 --seed 1 --original").ends(0);
    let puzzles: String = copies.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned() + "\n").collect();
    assert_eq!(dir.run("convert -q set/train --to lines").ends(0), puzzles);

    // One puzzle need not have all digits; the name of the file says what they are.
    let mut lacking = UNIQUE.replace('4', ".");
    dir.write("set/train/all__inputs.npy", numbers(&[&lacking]));
    std::fs::remove_file(dir.path("set/train/all__labels.npy")).unwrap();
    lacking.push('\n');
    assert_eq!(dir.run("convert -q set/train --to lines").ends(0), lacking);
    let error = dir.run("solve -q set").fails();
    assert!(error.contains("is a directory"), "{error}");
}

#[test]
fn archives_have_puzzles_and_answers() {
    let dir = TestDir::new();
    let (puzzles, answers) = (bytes_of(&[UNIQUE, UNIQUE]), bytes_of(&[UNIQUE_SOLUTION, "4321123443212143"]));
    let other = array("<f8", false, &[2, 16], 0..32);
    for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
        for [puzzle, answer] in [["inputs", "labels"], ["quizzes", "solutions"], ["x", "y"], ["arr_0", "answers"]] {
            let arrays = [("w", other.clone()), (answer, answers.clone()), (puzzle, puzzles.clone())];
            let bytes = archive(&arrays, method);
            dir.write("in.npz", &bytes);
            let found = dir.run("validate -q in.npz --columns line,answer").ends(1);
            assert_eq!(found, "line,answer\n1,right\n2,bad\n", "{puzzle}");
            assert_eq!(dir.run_on(&bytes, "validate -q --columns line,answer").ends(1), found);
        }
    }

    // Without usual names, the one with blanks; or the one that is named.
    let arrays = [("w", other.clone()), ("a", answers.clone()), ("b", puzzles.clone())];
    dir.write("in.npz", archive(&arrays, CompressionMethod::STORE));
    assert_eq!(dir.run("convert -q in.npz --to lines").ends(0), format!("{UNIQUE}\n{UNIQUE}\n"));
    assert_eq!(dir.run("convert -q in.npz --puzzle-column b --to lines").ends(0), format!("{UNIQUE}\n{UNIQUE}\n"));
    let rows = dir.run("validate -q in.npz --puzzle-column b --answer-column a --columns answer").ends(1);
    assert_eq!(rows, "answer\nright\nbad\n");
    let error = dir.run("solve -q in.npz --puzzle-column c").fails();
    assert!(error.contains("in.npz: no column is called 'c'; the input has w, a, b"), "{error}");

    for (arrays, message) in [
        (
            vec![("x", puzzles.clone()), ("y", bytes_of(&[UNIQUE]))],
            "the NumPy array 'y' has 1 rows, and the array of puzzles 2",
        ),
        (vec![("w", array("|O8", false, &[2, 16], 0..32))], "has the type |O8"),
    ] {
        dir.write("in.npz", archive(&arrays, CompressionMethod::STORE));
        let error = dir.run("validate -q in.npz").fails();
        assert!(error.contains("in.npz") && error.contains(message), "{error}");
    }

    // A byte that is not what the checksum says.
    let mut bytes = archive(&[("x", puzzles)], CompressionMethod::STORE);
    let at = bytes.windows(4).position(|bytes| bytes == b"\x01\x00\x03\x00").unwrap();
    bytes[at] = 2;
    dir.write("in.npz", &bytes);
    let error = dir.run("solve -q in.npz").fails();
    assert!(error.contains("in.npz"), "{error}");
    dir.write(
        "twice.npz",
        archive(&[("puzzle", bytes_of(&[UNIQUE])), ("puzzle", bytes_of(&[MULTIPLE]))], CompressionMethod::STORE),
    );
    let error = dir.run("solve -q twice.npz").fails();
    assert!(error.contains("twice.npz: the archive has two arrays 'puzzle'"), "{error}");
    dir.write("in.npz", &bytes[..bytes.len() / 2]);
    let error = dir.run("solve -q in.npz").fails();
    assert!(error.contains("in.npz"), "{error}");
}

#[test]
fn arrays_that_cannot_be_read_are_refused_in_one_line() {
    let dir = TestDir::new();
    let good = bytes_of(&[UNIQUE, UNIQUE]);
    let shaped = |shape: &[usize]| array("|u1", false, shape, (0..shape.iter().product::<usize>()).map(|_| 0));
    for (bytes, message) in [
        (array("|b1", false, &[2, 16], 0..32), "has the type |b1; write numbers with .astype('uint8')"),
        (array("|O8", false, &[2, 16], 0..32), "texts with .astype(str)"),
        (shaped(&[2, 80]), "has the shape (2, 80); puzzles have the shape (n, 81) or (n, 9, 9)"),
        (shaped(&[2, 9, 8]), "has the shape (2, 9, 8);"),
        (shaped(&[80]), "has the shape (80,);"),
        (shaped(&[2, 9, 9, 10]), "if it is one-hot: .argmax(-1)"),
        (shaped(&[2, 81, 9]), "numpy.where(array.any(-1), array.argmax(-1) + 1, 0)"),
        (shaped(&[2, 10, 9, 9]), "if it is one-hot: .argmax(1)"),
        (shaped(&[81, 2]), "if each column is a puzzle: .T"),
        (shaped(&[9, 9, 2]), "numpy.moveaxis(array, -1, 0)"),
        (shaped(&[18, 9]), ".reshape(-1, 81)"),
        (shaped(&[16, 16]), "write one with .reshape(1, 16, 16), or sixteen with .reshape(16, 4, 4)"),
        (array("|u1", false, &[usize::MAX, 625], 0..0), "has the shape (18446744073709551615, 625);"),
        (good[..40].to_vec(), "the header of the NumPy array is damaged"),
        (good[..good.len() - 1].to_vec(), "ends early, after 1 of 2 rows"),
        ([&good[..], b"\0"].concat(), "more bytes follow the last row of the NumPy array"),
        (array("|u1", true, &[2, 16], 0..31), "ends early, after 0 of 2 rows"),
        (array("|u1", false, &[1 << 50, 16], 0..16), "ends early, after 1 of 1125899906842624 rows"),
    ] {
        dir.write("in.npy", &bytes);
        let error = dir.run("solve -q in.npy -o out.csv").fails();
        assert!(error.contains("in.npy") && error.contains(message), "{error}");
        let error = dir.run_on(&bytes, "solve -q -o out.csv").fails();
        assert!(error.contains(message), "{error}");
    }
    dir.write("in.txt", UNIQUE);
    let error = dir.run("solve -q in.txt --from npy").fails();
    assert!(error.contains("the input is not in the format npy"), "{error}");
    assert_eq!(dir.run_on(shaped(&[0, 81]), "solve -q --columns line").ends(0), "line\n");
}

#[test]
fn rows_of_arrays_become_parquet() {
    let dir = TestDir::new();
    let made = dir.run("generate -q -n 20 --seed 3 --with-solution").ends(0);
    let column = |index| made.lines().skip(1).map(move |row| row.split(',').nth(index).unwrap()).collect::<Vec<_>>();
    let (puzzles, answers) = (column(0), column(1));
    let arrays = [
        ("inputs", bytes_of(&[&puzzles[..], &puzzles[..5]].concat())),
        ("others", bytes_of(&answers)),
        ("labels", bytes_of(&[&answers[..], &answers[..5]].concat())),
    ];
    dir.write("in.npz", archive(&arrays, CompressionMethod::STORE));
    dir.run("dedupe -q in.npz -o out.parquet").ends(0);
    let rows = puzzles.iter().map(|puzzle| puzzle.to_string() + ",right\n");
    let expected = "puzzle,answer\n".to_owned() + &rows.collect::<String>();
    assert_eq!(dir.run("validate -q out.parquet --columns puzzle,answer").ends(0), expected);

    dir.run("split -q in.npz --folds 2 -o parts").ends(0);
    let rows = dir.run("validate -q parts/fold-1.parquet parts/fold-2.parquet --columns answer").ends(0);
    assert_eq!(rows.matches("right").count(), 25);
    let error = dir.run("dedupe -q in.npz -o out.csv").fails();
    assert!(error.contains("as npy, and out.csv has another extension"), "{error}");
}

#[test]
fn solutions_and_puzzles_are_written_as_arrays() {
    let dir = TestDir::new();
    let read = |name: &str| std::fs::read(dir.path(name)).unwrap();
    dir.write("in.txt", [MULTIPLE, UNIQUE, "nothing", NONE, UNIQUE].join("\n"));
    let zeros = &"0".repeat(16)[..];
    dir.run("solve -q in.txt -o out.npy").ends(0);
    assert_eq!(read("out.npy"), bytes_of(&[zeros, UNIQUE_SOLUTION, zeros, zeros, UNIQUE_SOLUTION]));
    dir.run("convert -q in.txt --to npy -o new/puzzles").ends(0);
    assert_eq!(read("new/puzzles"), bytes_of(&[MULTIPLE, UNIQUE, zeros, NONE, UNIQUE]));
    dir.run("generate -q -n 300 --seed 5 -o made.npy").ends(0);
    dir.run("generate -q -n 300 --seed 5 -o made.txt").ends(0);
    assert_eq!(read("made.npy"), bytes_of(&dir.read("made.txt").lines().collect::<Vec<_>>()));
    dir.run("solve -q made.npy --to npy -o solved.npy --threads 1").ends(0);
    dir.run("solve -q made.txt -o solved.txt").ends(0);
    assert_eq!(read("solved.npy"), bytes_of(&dir.read("solved.txt").lines().collect::<Vec<_>>()));

    // Without any grid, the rows are those of 9x9.
    dir.write("none.txt", "nothing\nat all\n").write("empty.txt", "");
    dir.run("solve -q none.txt --from lines -o none.npy").ends(0);
    assert_eq!(read("none.npy"), bytes_of(&[&*"0".repeat(81); 2]));
    dir.run("solve -q empty.txt -o empty.npy").ends(0);
    assert_eq!(read("empty.npy"), bytes_of(&[]));

    dir.write("mixed.txt", format!("{UNIQUE}\n{}\n", "1".repeat(81)));
    dir.write("two-sizes.txt", format!("{UNIQUE}\n{UNIQUE}\n{}\n", ".".repeat(81)));
    let before = std::fs::read_dir(dir.path("")).unwrap().count();
    for (arguments, message) in [
        ("solve in.txt --to npy", "is written to a file that is not compressed"),
        ("solve in.txt -o out.npy.gz", "is written to a file that is not compressed"),
        ("solve in.txt -o a.npy --compress zstd", "is written to a file that is not compressed"),
        ("generate -n 1 --to npy", "is written to a file that is not compressed"),
        ("convert mixed.txt -o mixed/a.npy", "row 2 is a 9x9 grid, after 4x4 ones, but an array of NumPy has one size"),
        // Not even if a puzzle has no solution to write.
        ("solve mixed.txt -o a.npy", "row 2 is a 9x9 grid, after 4x4 ones, but an array of NumPy has one size"),
        ("solve two-sizes.txt -o a.npy", "row 3 is a 9x9 grid, after 4x4 ones"),
        ("solve in.txt --all -o a.npy", "at most one solution of each puzzle"),
        ("solve in.txt --columns line -o a.npy", "the format npy has no columns"),
        ("solve in.txt --resume -o a.npy", "a run that writes an array of NumPy cannot be resumed"),
        (
            "generate -n 1 --with-solution -o a.npy",
            "the format npy has no columns; --with-solution is for csv and jsonl",
        ),
        ("rate in.txt -o a.npy", "-o a.npy is NumPy, but rate writes"),
        ("solve in.txt --to lines -o a.npy", "-o a.npy is NumPy, but --to lines was given"),
    ] {
        let error = dir.run(&format!("{arguments} -q")).fails();
        assert!(error.contains(message), "{arguments}: {error}");
        assert_eq!(std::fs::read_dir(dir.path("")).unwrap().count(), before, "{arguments}");
    }
}
