//! The progress bar and the notes on standard error. Rows never go there.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gridmill::corpus::{Corpus, Input, OnOpen, Origin};
use gridmill::format::Remedy;
use gridmill::jobs::Event;
use gridmill::jobs::generate::GenerateEvent;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::printable::{in_lines, in_one_line};
use super::screen::{self, Tone, wrapped};
use super::summary::Counted;

/// When a progress bar is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal.
    Auto,
    /// Wherever standard error goes.
    Always,
    /// Not at all.
    Never,
}

/// Whether notes, progress and the summary are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// They are.
    Normal,
    /// Only errors are, and what makes a result worthless.
    Quiet,
    /// Only errors are.
    Silent,
}

impl Verbosity {
    /// The verbosity that `--quiet` asks for.
    pub(crate) fn from_quiet(quiet: bool) -> Verbosity {
        if quiet { Verbosity::Quiet } else { Verbosity::Normal }
    }
}

/// A progress bar, and the notes above it. Clones draw the same bar.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    records: Arc<AtomicU64>,
    /// Random grids that gave no puzzle.
    missed: Arc<AtomicU64>,
    /// Generated puzzles that were isomorphs of others.
    dropped: Arc<AtomicU64>,
    verbosity: Verbosity,
}

/// What the bar of a run measures.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// Bytes of the inputs.
    Bytes(u64),
    /// Puzzles.
    Puzzles(u64),
    /// Tasks that are named one after another.
    Tasks,
    Unknown,
}

impl Progress {
    /// Shows the way through these inputs, in bytes if their sizes are known.
    pub(crate) fn of_inputs(when: When, verbosity: Verbosity, origins: &[Origin]) -> Progress {
        let extent = Corpus::size(origins).map_or(Extent::Unknown, Extent::Bytes);
        Progress::start(when, verbosity, extent)
    }

    /// Shows how many of `count` puzzles were generated.
    pub(crate) fn of_puzzles(when: When, verbosity: Verbosity, count: u64) -> Progress {
        Progress::start(when, verbosity, Extent::Puzzles(count))
    }

    /// Shows the task at the moment, and the time since the start.
    pub(crate) fn of_tasks(when: When, verbosity: Verbosity) -> Progress {
        Progress::start(when, verbosity, Extent::Tasks)
    }

    /// Shows notes only.
    pub(crate) fn without_bar(verbosity: Verbosity) -> Progress {
        Progress::start(When::Never, verbosity, Extent::Unknown)
    }

    fn start(when: When, verbosity: Verbosity, extent: Extent) -> Progress {
        let target = match when {
            _ if verbosity != Verbosity::Normal => ProgressDrawTarget::hidden(),
            When::Never => ProgressDrawTarget::hidden(),
            When::Auto => ProgressDrawTarget::stderr(),
            When::Always => ProgressDrawTarget::term_like(Box::new(console::Term::stderr())),
        };
        let records = Arc::new(AtomicU64::new(0));
        let missed = Arc::new(AtomicU64::new(0));
        let dropped = Arc::new(AtomicU64::new(0));
        let length = match extent {
            Extent::Bytes(length) | Extent::Puzzles(length) => Some(length),
            Extent::Tasks | Extent::Unknown => None,
        };
        let bar = ProgressBar::with_draw_target(length, target).with_style(style(extent, &records, &missed, &dropped));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, records, missed, dropped, verbosity }
    }

    /// A function that shows the events of a job.
    pub(crate) fn observer(&self) -> impl Fn(Event<'_>) + Send + Sync + use<> {
        let progress = self.clone();
        move |event| progress.show(event)
    }

    /// A function that shows the events of `generate`.
    pub(crate) fn observer_of_generate(&self) -> impl Fn(GenerateEvent) + Send + Sync + use<> {
        let progress = self.clone();
        move |event| match event {
            GenerateEvent::Generated { puzzles } => {
                progress.records.fetch_add(puzzles as u64, Ordering::Relaxed);
                progress.bar.inc(puzzles as u64);
            }
            GenerateEvent::Missed { grids } => {
                progress.missed.fetch_add(grids.into(), Ordering::Relaxed);
            }
            GenerateEvent::Dropped { puzzles } => {
                progress.dropped.fetch_add(puzzles, Ordering::Relaxed);
            }
            _ => {}
        }
    }

    fn show(&self, event: Event<'_>) {
        match event {
            Event::Written { records, input_bytes } => {
                self.records.fetch_add(records as u64, Ordering::Relaxed);
                self.bar.inc(input_bytes);
            }
            Event::Replaying { input_bytes } => self.bar.set_position(input_bytes),
            Event::NothingToResume { partial } => {
                let partial = partial.display();
                self.note(format_args!("{partial}: nothing to resume, starting from the beginning"));
            }
            Event::Resuming { partial, rows } => {
                // Rates and the time left are of the records that are still to do.
                self.bar.reset_elapsed();
                self.bar.reset_eta();
                self.note(format_args!("resuming {} after {}", partial.display(), Counted(rows, "row")));
            }
            Event::AlreadyFinished => self.note("this shard was finished by an earlier run"),
            Event::NoPuzzle(no_puzzle) => self.warn(no_puzzle),
            Event::DamagedShard => {
                self.note("this shard was finished by an earlier run, but its output is damaged; it is computed again");
            }
            _ => {}
        }
    }

    /// A function that notes the format of each input when it is opened.
    pub(crate) fn announcer(&self) -> OnOpen {
        let progress = self.clone();
        Box::new(move |Input { name, compression, layout }| {
            let compression = compression.map(|by| format!("{by}, ")).unwrap_or_default();
            let hint = if layout.remedy() == Some(Remedy::AnswerColumn) { ", --answer-column checks it" } else { "" };
            progress.note(format_args!("{name}: {compression}{layout}{hint}"));
        })
    }

    /// Writes a line above the bar, unless `--quiet` is given.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if self.verbosity == Verbosity::Normal {
            self.bar.suspend(|| say(text));
        }
    }

    /// Writes a line above the bar, also with `--quiet`.
    pub(crate) fn warn(&self, text: impl fmt::Display) {
        if self.verbosity != Verbosity::Silent {
            self.bar.suspend(|| say(text));
        }
    }

    /// Hides the bar while something is written.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Names the task at the moment.
    pub(crate) fn task(&self, text: impl fmt::Display) {
        self.bar.set_message(in_one_line(text));
    }

    /// Writes a summary, unless `--quiet` is given. Names in it must be [in one line](in_one_line) already.
    pub(crate) fn report(&self, lines: impl fmt::Display) {
        if self.verbosity == Verbosity::Normal {
            self.bar.suspend(|| say_report(&lines));
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes a line on standard error.
pub(crate) fn say(text: impl fmt::Display) {
    write_fitted(&format!("gridmill: {}", in_one_line(text)));
}

/// Writes an error on standard error.
pub(crate) fn say_error(text: impl fmt::Display) {
    write_fitted(&format!("{} {}", Tone::Bad.paint("gridmill:"), in_one_line(text)));
}

/// Writes a summary on standard error. Names in it must be [in one line](in_one_line) already: it may have colours.
fn say_report(lines: &impl fmt::Display) {
    write_fitted(&format!("gridmill: {lines}"));
}

/// Writes some lines on standard error. Names in them must be [in one line](in_one_line) already.
pub(crate) fn say_lines(lines: impl fmt::Display) {
    write_fitted(&format!("gridmill: {}", in_lines(lines)));
}

/// Writes lines on standard error, broken where a terminal ends. Write errors on stderr are ignored.
fn write_fitted(text: &str) {
    let _ = writeln!(io::stderr(), "{}", wrapped(text, screen::stderr_width()));
}

fn style(extent: Extent, records: &Arc<AtomicU64>, missed: &Arc<AtomicU64>, dropped: &Arc<AtomicU64>) -> ProgressStyle {
    let template = match extent {
        Extent::Bytes(_) => "{wide_bar:.cyan/dim} {bytes}/{total_bytes}  {records} puzzles  {rate}/s  {eta} left",
        Extent::Puzzles(_) => {
            "{wide_bar:.cyan/dim} {human_pos}/{human_len} puzzles  {rate}/s  {eta} left{missed}{dropped}"
        }
        Extent::Tasks => "{spinner} {wide_msg}  {elapsed}",
        Extent::Unknown => "{spinner} {bytes}  {records} puzzles  {rate}/s  {elapsed}",
    };
    let missed = Arc::clone(missed);
    let dropped = Arc::clone(dropped);
    let count = Arc::clone(records);
    let records = Arc::clone(records);
    ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key("records", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{}", HumanCount(records.load(Ordering::Relaxed)));
        })
        .with_key("rate", move |state: &ProgressState, text: &mut dyn fmt::Write| {
            let rate = count.load(Ordering::Relaxed) as f64 / state.elapsed().as_secs_f64().max(1e-3);
            let _ = write!(text, "{}", HumanCount(rate as u64));
        })
        .with_key("missed", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let missed = missed.load(Ordering::Relaxed);
            if missed > 0 {
                let _ = write!(text, "  {} without one", Counted(missed, "grid"));
            }
        })
        .with_key("dropped", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let dropped = dropped.load(Ordering::Relaxed);
            if dropped > 0 {
                let _ = write!(text, "  {} dropped", HumanCount(dropped));
            }
        })
}
