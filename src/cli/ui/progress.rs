//! The progress bar and the notes on standard error. Rows never go there.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use gridmill::corpus::{Corpus, Input, InputNews, OnOpen, Origin};
use gridmill::format::Remedy;
use gridmill::jobs::Event;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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

/// The amount of output on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Notes, progress and the summary.
    Normal,
    /// Only errors, and warnings about worthless results.
    Quiet,
    /// Only errors.
    Silent,
}

/// A progress bar, and the notes above it. Clones share the bar.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    counts: Arc<Counts>,
    verbosity: Verbosity,
    extent: Extent,
}

/// The text of the bar next to its position.
#[derive(Debug, Default)]
struct Counts {
    /// Records, or generated puzzles, since the start of new work.
    records: AtomicU64,
    /// The position of the bar at the start of new work.
    start: AtomicU64,
    /// The bytes of the inputs whose rows were skipped.
    skipped: AtomicU64,
    /// The random grids that gave no puzzle.
    missed: AtomicU64,
    /// Whether a search that takes long was noted.
    is_noted: AtomicBool,
    /// The generated puzzles that were isomorphs of earlier ones.
    dropped: AtomicU64,
    /// Whether an input was read by a guess that no record confirms.
    is_misread: AtomicBool,
}

/// The unit of the bar of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// Bytes of the inputs.
    Bytes(u64),
    /// Generated puzzles.
    Puzzles(u64),
    /// Tasks with a name, one after another, and the time since the start.
    Tasks,
    Unknown,
}

impl Progress {
    /// Shows the progress through these inputs, in bytes if their sizes are known.
    pub(crate) fn of_inputs(when: When, verbosity: Verbosity, origins: &[Origin]) -> Progress {
        let extent = Corpus::size(origins).map_or(Extent::Unknown, Extent::Bytes);
        Progress::start(when, verbosity, extent)
    }

    /// Shows only notes.
    pub(crate) fn without_bar(verbosity: Verbosity) -> Progress {
        Progress::start(When::Never, verbosity, Extent::Unknown)
    }

    /// Shows the progress in this unit.
    pub(crate) fn start(when: When, verbosity: Verbosity, extent: Extent) -> Progress {
        let target = match when {
            _ if verbosity != Verbosity::Normal => ProgressDrawTarget::hidden(),
            When::Never => ProgressDrawTarget::hidden(),
            When::Auto => ProgressDrawTarget::stderr(),
            When::Always => ProgressDrawTarget::term_like(Box::new(console::Term::stderr())),
        };
        let counts = Arc::<Counts>::default();
        let length = match extent {
            Extent::Bytes(length) | Extent::Puzzles(length) => Some(length),
            Extent::Tasks | Extent::Unknown => None,
        };
        let bar = ProgressBar::with_draw_target(length, target).with_style(style(extent, &counts));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, counts, verbosity, extent }
    }

    /// A function that shows the events of a job.
    pub(crate) fn observer(&self) -> impl Fn(Event<'_>) + Send + Sync + use<> {
        let progress = self.clone();
        move |event| progress.show(event)
    }

    fn show(&self, event: Event<'_>) {
        match event {
            Event::Written { records, input_bytes } => {
                self.counts.records.fetch_add(records as u64, Ordering::Relaxed);
                self.bar.inc(if let Extent::Puzzles(_) = self.extent { records as u64 } else { input_bytes });
            }
            Event::Skipping { input_bytes } => {
                let before = self.counts.skipped.swap(input_bytes, Ordering::Relaxed);
                self.bar.inc(input_bytes - before);
                self.start_work();
            }
            Event::NothingToResume { partial } => {
                let partial = partial.display();
                self.note(format_args!("{partial}: nothing to resume, starting from the beginning"));
            }
            Event::Resuming { partial, records } => {
                if let Extent::Puzzles(_) = self.extent {
                    self.bar.inc(records);
                }
                self.start_work();
                self.note(format_args!("resuming {} after {}", partial.display(), Counted(records, "record")));
            }
            Event::Missed { grids } => {
                let missed = self.counts.missed.fetch_add(grids.into(), Ordering::Relaxed) + u64::from(grids);
                self.note_search(missed);
            }
            Event::LeftOut { puzzles } => {
                self.counts.dropped.fetch_add(puzzles, Ordering::Relaxed);
            }
            Event::AlreadyFinished => self.note("this shard was finished by an earlier run"),
            Event::NoPuzzle(input) => {
                self.counts.is_misread.fetch_or(input.guess.is_some(), Ordering::Relaxed);
                self.warn(input.error().spelled(|option| format!("--{option}")));
            }
            Event::NotCompared(input) => self.warn(format_args!("{input}; they are not compared")),
            Event::DamagedShard => {
                self.note("this shard was finished by an earlier run, but its output is damaged; it is computed again");
            }
        }
    }

    /// Notes once that no puzzle was found for a second, where no bar shows it.
    fn note_search(&self, missed: u64) {
        let is_long = self.bar.is_hidden() && self.bar.elapsed() > Duration::from_secs(1);
        if is_long && self.bar.position() == 0 && !self.counts.is_noted.swap(true, Ordering::Relaxed) {
            let grids = Counted(missed, "random grid");
            self.note(format_args!("{grids} gave no such puzzle so far; --max-tries bounds the search"));
        }
    }

    /// Marks everything so far as old work: the rate and the time left do not depend on it.
    fn start_work(&self) {
        self.counts.start.store(self.bar.position(), Ordering::Relaxed);
        self.counts.records.store(0, Ordering::Relaxed);
        self.bar.reset_elapsed();
    }

    /// A function that notes the format of each input when it is opened, and warns about its faults.
    pub(crate) fn announcer(&self) -> OnOpen {
        let progress = self.clone();
        Box::new(move |Input { name, compression, layout }, news| match news {
            InputNews::Remark(remark) => progress.warn(format_args!("{name}: {remark}")),
            InputNews::Skipped(skipped) if skipped.has_puzzles() => progress.warn(format_args!("{name}: {skipped}")),
            InputNews::Skipped(skipped) => progress.note(format_args!("{name}: {skipped}")),
            InputNews::Opened => {
                let compression = compression.map(|by| format!("{by}, ")).unwrap_or_default();
                let remedy = layout.remedy() == Some(Remedy::AnswerColumn);
                let hint = if remedy { ", --answer-column checks it" } else { "" };
                progress.note(format_args!("{name}: {compression}{layout}{hint}"));
            }
        })
    }

    /// Writes a line above the bar, unless `--quiet` is given.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if self.verbosity == Verbosity::Normal {
            self.bar.suspend(|| say(text));
        }
    }

    /// Writes a line above the bar, even with `--quiet`.
    pub(crate) fn warn(&self, text: impl fmt::Display) {
        if self.verbosity != Verbosity::Silent {
            self.bar.suspend(|| say(text));
        }
    }

    /// Hides the bar while something is written.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Sets the current task.
    pub(crate) fn task(&self, text: impl fmt::Display) {
        self.bar.set_message(in_one_line(text));
    }

    /// Writes a summary, unless `--quiet` is given; then it is not made. Names in it must already be [in one line](in_one_line),
    /// since it may have colours.
    pub(crate) fn report(&self, lines: impl FnOnce() -> String) {
        if self.verbosity == Verbosity::Normal {
            self.bar.suspend(|| write_fitted(&format!("gridmill: {}", lines())));
        }
    }

    /// Whether an input was read by a guess that no record confirms.
    pub(crate) fn is_misread(&self) -> bool {
        self.counts.is_misread.load(Ordering::Relaxed)
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

/// Writes some lines on standard error. Names in them must already be [in one line](in_one_line).
pub(crate) fn say_lines(lines: impl fmt::Display) {
    write_fitted(&format!("gridmill: {}", in_lines(lines)));
}

/// Writes lines on standard error, wrapped to the width of a terminal. Errors of standard error are ignored.
fn write_fitted(text: &str) {
    let _ = writeln!(io::stderr(), "{}", wrapped(text, screen::stderr_width()));
}

fn style(extent: Extent, counts: &Arc<Counts>) -> ProgressStyle {
    let template = match extent {
        Extent::Bytes(_) => "{wide_bar:.cyan/dim} {bytes}/{total_bytes}  {records} puzzles  {rate}/s  {left}",
        Extent::Puzzles(_) => "{wide_bar:.cyan/dim} {human_pos}/{human_len} puzzles  {rate}/s  {left}{missed}{dropped}",
        Extent::Tasks => "{spinner} {wide_msg}  {elapsed}",
        Extent::Unknown => "{spinner} {bytes}  {records} puzzles  {rate}/s  {elapsed}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    KEYS.into_iter().fold(style, |style, (key, show)| {
        let counts = Arc::clone(counts);
        style.with_key(key, move |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&show(&counts, state));
        })
    })
}

/// A number, with a digit after the point if it is small.
pub(crate) fn rate(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { HumanCount(number as u64).to_string() }
}

/// The value of a key of a template.
type Show = fn(&Counts, &ProgressState) -> String;

/// Our own keys of templates.
const KEYS: [(&str, Show); 5] = [
    ("records", |counts, _| HumanCount(counts.records.load(Ordering::Relaxed)).to_string()),
    ("rate", |counts, state| {
        rate(counts.records.load(Ordering::Relaxed) as f64 / state.elapsed().as_secs_f64().max(1e-3))
    }),
    ("left", |counts, state| {
        let start = counts.start.load(Ordering::Relaxed);
        match state.len().and_then(|length| time_left(start, state.pos(), length, state.elapsed())) {
            Some(left) => format!("{:#} left", HumanDuration(left)),
            None => "time left unknown".to_owned(),
        }
    }),
    ("missed", |counts, _| match (counts.missed.load(Ordering::Relaxed), counts.records.load(Ordering::Relaxed)) {
        (0, _) => String::new(),
        (missed, 0) => format!("  {} without one", Counted(missed, "grid")),
        (missed, puzzles) => format!("  one in {} grids", rate((missed + puzzles) as f64 / puzzles as f64)),
    }),
    ("dropped", |counts, _| match counts.dropped.load(Ordering::Relaxed) {
        0 => String::new(),
        dropped => format!("  {} dropped", HumanCount(dropped)),
    }),
];

/// The time left from `position` to `length`, at the rate from `start` to `position`. `None` if it is unknown:
/// nothing has been done yet, or more than expected.
fn time_left(start: u64, position: u64, length: u64, elapsed: Duration) -> Option<Duration> {
    let done = position.checked_sub(start).filter(|&done| done > 0)?;
    let left = length.checked_sub(position)?;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * left as f64 / done as f64).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_time_left_is_that_of_new_work_or_unknown() {
        let left = |start, position, length| time_left(start, position, length, Duration::from_secs(10));
        assert_eq!(left(0, 20, 100), Some(Duration::from_secs(40)));
        assert_eq!(left(0, 100, 100), Some(Duration::ZERO));
        assert_eq!(left(900, 920, 1000), Some(Duration::from_secs(40)));
        // Nothing has been done yet; an input has grown.
        assert_eq!([left(0, 0, 100), left(900, 900, 1000), left(0, 101, 100)], [None; 3]);
        assert_eq!(time_left(0, 1, u64::MAX, Duration::MAX), None);
    }

    #[test]
    fn skipped_records_move_the_bar_and_do_not_count_as_work() {
        let progress = Progress::start(When::Never, Verbosity::Silent, Extent::Bytes(10_000));
        // The inputs of `--against` may be read first.
        progress.show(Event::Written { records: 7, input_bytes: 70 });
        let partial = Path::new("rows.partial");
        for input_bytes in [4000, 9000] {
            progress.show(Event::Skipping { input_bytes });
        }
        progress.show(Event::Resuming { partial, records: 900 });
        progress.show(Event::Written { records: 3, input_bytes: 30 });
        let Counts { records, start, .. } = &*progress.counts;
        assert_eq!((progress.bar.position(), start.load(Ordering::Relaxed)), (9100, 9070));
        assert_eq!(records.load(Ordering::Relaxed), 3);
    }
}
