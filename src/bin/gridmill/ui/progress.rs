//! Progress and notes on standard error, which belongs to people: rows never go there.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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
pub(crate) enum Talk {
    /// Yes.
    Normal,
    /// Only errors are.
    Quiet,
}

impl Talk {
    /// What the option for quiet asks for.
    pub(crate) fn unless(quiet: bool) -> Talk {
        if quiet { Talk::Quiet } else { Talk::Normal }
    }
}

/// A progress bar, and the lines that stand above it. Clones draw the same bar.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    records: Arc<AtomicU64>,
    talk: Talk,
}

impl Progress {
    /// Starts to show the way through so many bytes of input, if they can be known.
    pub(crate) fn start(when: When, talk: Talk, bytes: Option<u64>) -> Progress {
        let target = match when {
            _ if talk == Talk::Quiet => ProgressDrawTarget::hidden(),
            When::Never => ProgressDrawTarget::hidden(),
            When::Auto => ProgressDrawTarget::stderr(),
            When::Always => ProgressDrawTarget::term_like(Box::new(console::Term::stderr())),
        };
        let records = Arc::new(AtomicU64::new(0));
        let bar = ProgressBar::with_draw_target(bytes, target).with_style(style(bytes, &records));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, records, talk }
    }

    /// Moves on by some records and the bytes that they took in the input.
    pub(crate) fn advance(&self, records: usize, bytes: u64) {
        self.records.fetch_add(records as u64, Ordering::Relaxed);
        self.bar.inc(bytes);
    }

    /// Moves to where so many bytes of the input are passed.
    pub(crate) fn pass_to(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Measures from here on: what was passed does not count for the rate, nor for the time that is left.
    pub(crate) fn start_here(&self) {
        self.bar.reset_elapsed();
        self.bar.reset_eta();
    }

    /// Says something, on a line of its own above the bar.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if self.talk == Talk::Normal {
            self.bar.suspend(|| say(text));
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Says something on standard error. Where that cannot be done, nobody is there to be told.
pub(crate) fn say(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "gridmill: {text}");
}

fn style(bytes: Option<u64>, records: &Arc<AtomicU64>) -> ProgressStyle {
    let template = match bytes {
        Some(_) => "{bar:30} {bytes}/{total_bytes}  {records} puzzles  {rate}/s  {eta} left",
        None => "{spinner} {bytes}  {records} puzzles  {rate}/s  {elapsed}",
    };
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
}
