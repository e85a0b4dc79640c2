//! What is printed on a terminal fits its width, and has colours unless `NO_COLOR` is set.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::TestDir;

/// What a command prints on a terminal.
struct Screen {
    /// With all escape sequences.
    text: String,
    /// The lines without escape sequences. A line that was overwritten is there in each of its versions.
    lines: Vec<String>,
}

impl Screen {
    /// Runs a command with all its streams on a terminal that is so many columns wide.
    #[track_caller]
    fn new(arguments: &str, columns: u16, variables: &[(&str, &str)]) -> Screen {
        let dir = TestDir::new();
        // Names are short, wherever the repository is.
        symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/data"), dir.path("data")).unwrap();
        let (controller, terminal) = terminal(columns);
        let stream = || Stdio::from(terminal.try_clone().unwrap());
        let mut command = dir.command(arguments);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command.env("TERM", "xterm-256color").envs(variables.iter().copied());
        let mut child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        // The end of its output is seen when nobody has the terminal any more.
        drop((command, terminal));
        let mut output = Vec::new();
        // On Linux, that is an error.
        let _ = File::from(controller).read_to_end(&mut output);
        assert!(child.wait().unwrap().code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output));
        let text = String::from_utf8(output).unwrap();
        let lines = console::strip_ansi_codes(&text).split(['\r', '\n']).map(str::to_owned).collect();
        Screen { text, lines }
    }

    /// The number of columns that the longest line takes.
    fn width(&self) -> usize {
        self.lines.iter().map(|line| console::measure_text_width(line)).max().unwrap_or(0)
    }

    /// Whether it sets a colour or a style: an escape sequence that ends with `m`.
    fn has_colours(&self) -> bool {
        let mut sequences = self.text.split("\u{1b}[").skip(1);
        sequences.any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
    }
}

/// Both ends of a new terminal.
fn terminal(columns: u16) -> (OwnedFd, File) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.as_bytes())).unwrap();
    let size = Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    (controller, terminal)
}

/// Commands with tables, bars, and puzzles and names that are longer than a line.
const COMMANDS: [&str; 4] = [
    "solve data/minimal.txt data/25x25.txt --top 9 -o rows.csv",
    "validate data/mixed.txt data/minimal.txt --minimal --duplicates --isomorphs --against data/minimal.txt -o rows.csv",
    "rate data/minimal.txt --only er -o rows.csv",
    "bench data/easy.txt data/minimal.txt --engines bitmask,dlx,lanes --seconds 0",
];

#[test]
fn no_line_is_longer_than_the_terminal_is_wide() {
    for arguments in COMMANDS {
        for columns in [80, 120, 200] {
            let screen = Screen::new(arguments, columns, &[]);
            assert!(screen.width() <= columns.into(), "{arguments}, {columns} columns:\n{}", screen.lines.join("\n"));
        }
    }
}

#[test]
fn a_wide_terminal_is_used() {
    for arguments in COMMANDS {
        let screen = Screen::new(arguments, 200, &[]);
        let lines = screen.lines.join("\n");
        assert!(screen.width() > 100, "{lines}");
        if arguments.starts_with("bench") {
            let titles = screen.lines.iter().find(|line| line.contains("puzzles/s")).expect("a table");
            assert!(titles.starts_with("file") && titles.trim_end().ends_with("max"), "{titles}");
            let rows: Vec<_> = screen.lines.iter().filter(|line| line.contains("  CPU  ")).collect();
            assert!(rows.len() == 6 && rows.iter().all(|row| !row.contains('\u{2026}')), "{lines}");
        }
    }
}

#[test]
fn colours_are_used_unless_they_are_unwanted() {
    for arguments in COMMANDS.into_iter().filter(|arguments| !arguments.starts_with("bench")) {
        let coloured = Screen::new(arguments, 80, &[]);
        assert!(coloured.has_colours(), "{arguments}: {:?}", coloured.text);
        for variable in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            let plain = Screen::new(arguments, 80, &[variable]);
            assert!(!plain.has_colours(), "{arguments}, {variable:?}: {:?}", plain.text);
        }
    }
}

/// Nothing is done until the only chunk is, and the bar is drawn before.
#[test]
fn the_time_left_is_unknown_before_anything_is_done() {
    let screen = Screen::new("rate data/minimal.txt --chunk 10000 -o rows.csv", 120, &[]);
    let first = screen.lines.iter().find(|line| line.contains(" puzzles  ")).expect("a bar");
    assert!(first.ends_with("  0 puzzles  0.0/s  time left unknown"), "{}", screen.lines.join("\n"));
}

/// Without a file, a terminal is not read.
#[test]
fn bench_alone_says_what_to_type() {
    let dir = TestDir::new();
    let (controller, terminal) = terminal(80);
    let mut command = dir.command("bench");
    let mut child = command.stdin(terminal).stderr(Stdio::piped()).spawn().unwrap();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(error.contains("gridmill bench puzzles.txt") && error.contains("gridmill generate -n"), "{error}");
    drop(controller);
}
