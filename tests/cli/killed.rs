//! Runs that are killed, or told to end, anywhere: they go on to the bytes of a run that nobody disturbed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gridmill::compression::{Compression, Decoder};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::{Place, Ran, UNIQUE, planted};

/// Some seconds' worth of input: puzzles with their digits relabelled at random, now and then one that came before, one
/// with several solutions, or none at all.
fn corpus(records: usize, rng: &mut Xoshiro256PlusPlus) -> String {
    let puzzles = planted::corpus("-n 300 --minimal --seed 5");
    let mut digits = *b"123456789";
    let mut text = String::new();
    for _ in 0..records {
        let (puzzle, _) = &puzzles[rng.random_range(0..puzzles.len())];
        if !rng.random_ratio(1, 8) {
            let (one, other) = (rng.random_range(0..9), rng.random_range(0..9));
            digits.swap(one, other);
        }
        let clue = |byte: u8| if byte == b'.' { '.' } else { char::from(digits[usize::from(byte - b'1')]) };
        let record: String = puzzle.bytes().map(clue).collect();
        text += match rng.random_range(0..50) {
            0 => "rubbish, \"quoted\"",
            1 => &record[1..],
            _ => &record,
        };
        text.push('\n');
    }
    text
}

/// A run that is to be killed, and what it comes to if it is not.
struct Victim<'a> {
    place: &'a Place,
    arguments: String,
    /// The bytes of the undisturbed output, as they are stored.
    length: u64,
    leavings: PartialOutput,
}

/// All that a run leaves behind.
#[derive(PartialEq, Eq)]
struct PartialOutput {
    code: Option<i32>,
    /// As they are stored: compressed ones are the same too.
    rows: Vec<u8>,
    rejects: Option<String>,
    counts: [Value; 3],
}

impl<'a> Victim<'a> {
    fn new(place: &'a Place, arguments: &str, compression: Option<Compression>) -> Victim<'a> {
        let packing = compression.map_or(String::new(), |compression| format!(" --compress {compression}"));
        let arguments = format!("{arguments}{packing} -q -o out --summary card.json");
        let ran = place.run(&arguments);
        let length = fs::metadata(place.path("out")).unwrap().len();
        let mut victim = Victim { place, arguments, length, leavings: PartialOutput::none() };
        victim.leavings = victim.leavings(ran.code);
        fs::remove_file(place.path("out")).unwrap();
        victim
    }

    fn leavings(&self, code: Option<i32>) -> PartialOutput {
        let read = |name: &str| fs::read(self.place.path(name)).ok();
        let card: Value = serde_json::from_slice(&read("card.json").unwrap_or_default()).unwrap_or_default();
        PartialOutput {
            code,
            rows: read("out").unwrap(),
            rejects: read("rejects").map(|bytes| String::from_utf8(bytes).unwrap()),
            counts: ["records", "rows", "findings"].map(|figure| card[figure].clone()),
        }
    }

    /// Starts it, or goes on with it.
    fn start(&self) -> Child {
        let mut command = self.place.command(&format!("{} --resume", self.arguments));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// How far the output is.
    fn written(&self) -> u64 {
        fs::metadata(self.place.path("out.partial")).map_or(0, |file| file.len())
    }

    /// Waits for a random place of the output that it has not come to, or, now and then, for no place at all, so that
    /// it still reads back what there is. Gives up if the run ends.
    fn wait_somewhere(&self, child: &mut Child, rng: &mut Xoshiro256PlusPlus) {
        let written = self.written();
        if written > 0 && rng.random_ratio(1, 3) {
            return thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
        }
        let place = written + rng.random_range(0..=self.length.saturating_sub(written) / 2);
        let deadline = Instant::now() + Duration::from_mins(3);
        while self.written() <= place && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the run does not go on");
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(rng.random_range(0..2_000)));
    }

    /// Kills the run again and again, until it has been killed so many times; then lets it come to its end.
    fn outlives(&self, kills: usize, rng: &mut Xoshiro256PlusPlus) {
        let (mut killed, mut within, mut ends) = (0, 0, 0);
        while killed < kills {
            let mut child = self.start();
            self.wait_somewhere(&mut child, rng);
            child.kill().unwrap();
            let ran = child.wait_with_output().unwrap();
            if ran.status.signal() == Some(9) && !self.place.path("out").exists() {
                killed += 1;
                within += usize::from(self.written() > 0);
                self.lose_some(rng);
            } else if ran.status.signal().is_none() {
                self.ended_well(&Ran::from(ran));
                ends += 1;
            }
            assert!(ends <= kills, "{}: the run is too short to be killed", self.arguments);
        }
        assert!(2 * within > kills, "{}: {within} of {kills} were killed among the rows", self.arguments);
        self.ended_well(&Ran::from(self.start().wait_with_output().unwrap()));
    }

    /// Takes some bytes from the end, now and then, as if the power had gone before they were on the disk.
    fn lose_some(&self, rng: &mut Xoshiro256PlusPlus) {
        if let Ok(left) = File::options().write(true).open(self.place.path("out.partial"))
            && rng.random_ratio(1, 2)
        {
            let lost = rng.random_range(0..2_000);
            left.set_len(left.metadata().unwrap().len().saturating_sub(lost)).unwrap();
        }
    }

    fn ended_well(&self, ran: &Ran) {
        assert!(self.leavings(ran.code) == self.leavings, "{}: {:?} {}", self.arguments, ran.code, ran.err);
        for name in ["out.partial", "out.partial.json"] {
            assert!(!self.place.path(name).exists(), "{name} is left");
        }
        fs::remove_file(self.place.path("out")).unwrap();
    }
}

impl PartialOutput {
    fn none() -> PartialOutput {
        PartialOutput { code: None, rows: Vec::new(), rejects: None, counts: Default::default() }
    }
}

/// The text of an output, as far as it can be read.
pub(crate) fn unpacked(path: &Path, compression: Option<Compression>) -> String {
    let bytes = fs::read(path).unwrap();
    let Some(compression) = compression else { return String::from_utf8(bytes).unwrap() };
    let mut text = String::new();
    Decoder::new(&*bytes, compression).read_to_string(&mut text).unwrap();
    text
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &*child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

const SOLVE: &str = "solve in.txt --threads 2 --columns line,puzzle,status,solutions,solution,branches,detail";
const VALIDATE: &str = "validate in.txt --threads 2 --duplicates --isomorphs --rejects rejects";

#[test]
fn solving_outlives_kills() {
    let (place, mut rng) = (Place::new(), Xoshiro256PlusPlus::seed_from_u64(1));
    place.write("in.txt", corpus(60_000, &mut rng));
    for compression in [None, Some(Compression::Zstd), Some(Compression::Gzip)] {
        Victim::new(&place, &format!("{SOLVE} --engine bitmask"), compression).outlives(8, &mut rng);
    }
}

#[test]
fn validating_outlives_kills() {
    let (place, mut rng) = (Place::new(), Xoshiro256PlusPlus::seed_from_u64(2));
    place.write("in.txt", corpus(30_000, &mut rng));
    for compression in [None, Some(Compression::Zstd)] {
        Victim::new(&place, VALIDATE, compression).outlives(8, &mut rng);
    }
}

/// What whoever ends a run politely gets: whole rows, a word, and a run that goes on.
#[test]
fn every_signal_to_end_leaves_whole_rows() {
    let (place, mut rng) = (Place::new(), Xoshiro256PlusPlus::seed_from_u64(3));
    // A quarter is more than a chunk that is not full yet, and two frames: one is packed while the next is filled.
    let text = corpus(100_000, &mut rng);
    for (compression, signals) in [(None, ["INT", "TERM", "HUP"]), (Some(Compression::Zstd), ["HUP", "INT", "TERM"])] {
        let name = compression.map_or("none".to_owned(), |compression| compression.to_string());
        let solve = format!("solve - --threads 1 --columns line,puzzle,status,solution -o out --compress {name}");
        place.run_on(&text, &solve).ends(0);
        let whole = fs::read(place.path("out")).unwrap();
        let text_of_whole = unpacked(&place.path("out"), compression);
        fs::remove_file(place.path("out")).unwrap();
        let mut written = 0;
        for (part, signal) in (1..).zip(signals) {
            let mut child = place.start(&format!("{solve} --resume"));
            // It stays open, so that the run does not come to its end before the signal.
            let mut input = child.stdin.take().unwrap();
            input.write_all(&text.as_bytes()[..text.len() / 4 * part]).unwrap();
            place.wait_for("out.partial", written + 1);
            send(signal, &child);
            let ran = Ran::from(child.wait_with_output().unwrap());
            assert_eq!(ran.code, Some(130), "{signal}: {}", ran.err);
            let last = ran.err.lines().last().unwrap();
            let end = " of -; the rows so far are in out.partial; resume with --resume";
            assert!(last.starts_with("gridmill: stopped after line ") && last.ends_with(end), "{last}");
            let rows = unpacked(&place.path("out.partial"), compression);
            assert!(rows.ends_with('\n') && text_of_whole.starts_with(&rows), "{signal}");
            written = fs::metadata(place.path("out.partial")).unwrap().len();
        }
        place.run_on(&text, &format!("{solve} --resume")).ends(0);
        assert!(fs::read(place.path("out")).unwrap() == whole);
        fs::remove_file(place.path("out")).unwrap();
    }
}

/// Under nohup, a terminal that is closed is no reason to end.
#[test]
#[cfg(target_os = "linux")]
fn what_was_started_to_be_ignored_is_ignored() {
    let place = Place::new();
    let mut command = place.shell("trap '' HUP INT; RUN", "solve -q - -o out");
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{UNIQUE}\n").repeat(10_000).as_bytes()).unwrap();
    place.wait_for("out.partial.json", 1);
    for signal in ["HUP", "INT"] {
        send(signal, &child);
    }
    thread::sleep(Duration::from_millis(100));
    drop(input);
    Ran::from(child.wait_with_output().unwrap()).ends(0);
}
