//! `gridmill generate`: puzzles with exactly one solution.

use std::fs;
use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::ArgPredicate;
use gridmill::corpus::{Corpus, CorpusError, Shard};
use gridmill::format::{DetectError, InputOptions, NoCorpusError, UnclearAlphabetError};
use gridmill::jobs::generate::{
    ClueRange, GenerateCounts, GenerateError, GenerateOptions, KnownClasses, Pattern, Target,
};
use gridmill::jobs::{EngineSource, Generate, JobError};
use gridmill::output::RunFiles;
use gridmill::puzzle::{Size, Symmetry};
use gridmill::rating::{Difficulty, ErRange, Level, TechniqueName};
use gridmill::rows::OutputFormat;
use gridmill::stats::RunFacts;

use super::frame::{Report, Run, described_if_complete, finish, note_on_digits};
use crate::cli::args::values::{named, number, positive};
use crate::cli::args::{
    CardArgs, LongRunArgs, LookupArgs, OutputArgs, PageArgs, ReportingArgs, SolvingArgs, TableArgs, WorkArgs, origins,
    origins_if_any,
};
use crate::cli::call::Exit;
use crate::cli::card::SplitFile;
use crate::cli::report::{Page, Section};
use crate::cli::ui::ending;
use crate::cli::ui::progress::{Progress, rate};
use crate::cli::ui::summary::{Counted, Seconds, with_resumed};

const EXAMPLES: &str = "\
Examples:
  Generate a thousand puzzles of 30 clues:
    gridmill generate -n 1000 --clues 30 --seed 7 -o puzzles.txt
  Generate minimal puzzles with their solutions, as CSV:
    gridmill generate -n 10 --with-solution
  Generate puzzles that are hard for a person:
    gridmill generate -n 3 --level hard
  Generate puzzles that need an X-wing and nothing harder, with their ratings:
    gridmill generate -n 3 --technique x-wing --max-er 3.2 --to csv
  Generate symmetric puzzles of 24 to 28 clues, no two of them isomorphic:
    gridmill generate -n 100 --symmetry rot180 --clues 24..28 --distinct
  Generate 100,000 grids, all equally likely:
    gridmill generate -n 1e5 --grids -o grids.txt
  Generate two 16x16 puzzles:
    gridmill generate -n 2 --size 16x16 --clues 130";

const TO: &str = "Output format [default: by the extension of FILE; without one lines, or csv for --columns]";

const SHARD: &str = "Make only shard K of N: every Nth block of 4096 puzzles, starting with the Kth";

const MAX_BRANCHES: &str = "Leave a clue in its puzzle if it takes more than N guesses to check that it can be removed";

/// The rest of the help of `--max-branches`.
const LEFT_CLUES: &str = "\
Such a clue may not be needed; the last line says how many there are. By default, only sizes above 9x9 have a bound: 500,000 \
guesses, and 100, with which a 25x25 puzzle takes about a second. `none` lifts the bound.";

const TECHNIQUE: &str = "Make only puzzles that need this technique, such as x-wing; of several, each";

/// The help of `--technique` with all names.
fn technique_help() -> String {
    format!(
        "{TECHNIQUE}\n\nA puzzle needs a technique if `gridmill rate` finds a step of it, which it does where no easier \
         technique finds a step. The names, of which some are for several types, are: {}.",
        TechniqueName::families().join(", ")
    )
}

/// Generate puzzles with exactly one solution.
///
/// The same seed gives the same puzzles on any machine and with any number of threads.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("to", |to| to.help(TO)),
    mut_arg("class_key", |key| key.requires("not_in")),
    mut_arg("allow_malformed", |allow| allow.requires("not_in")),
    mut_arg("shard", |shard| shard.help(SHARD).help_heading("Output")),
    mut_arg("columns", |columns| columns.help("Columns of the rows, in this order [default: puzzle]")),
    mut_arg("max_branches", |bound| bound.help(MAX_BRANCHES).long_help(format!("{MAX_BRANCHES}\n\n{LEFT_CLUES}"))),
)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct GenerateArgs {
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = number::<u64>)]
    count: u64,

    /// Size of the puzzles
    // It is not given if there is a pattern, which has a size.
    #[arg(
        long,
        value_parser = named::<Size>(),
        default_value = "9x9",
        default_value_if("pattern", ArgPredicate::IsPresent, None),
    )]
    size: Option<Size>,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>)]
    seed: u64,

    /// Leave out the first N puzzles of the seed, so that several machines can make its puzzles
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>, hide_short_help = true)]
    skip: u64,

    /// Remove clues until N are left; N..M is any number from N to M, both included
    ///
    /// For each puzzle, a number from the range is drawn. If so few clues are not enough, more are left, but at most M.
    #[arg(long, alias = "givens", value_name = "N|N..M")]
    clues: Option<ClueRange>,

    /// Every clue is needed; this is the default if neither --clues, --symmetry nor --pattern is given
    #[arg(long)]
    minimal: bool,

    /// Make complete grids; 4x4, 6x6 and 9x9 grids are all equally likely
    #[arg(long)]
    grids: bool,

    /// Make minimal 9x9 puzzles with a known probability, whose inverse is in the column weight; CSV unless --to says otherwise
    ///
    /// Means weighted by it are means over all minimal puzzles, which have 26.6 clues on average.
    #[arg(long, hide_short_help = true)]
    weighted: bool,

    /// Make minimal 9x9 puzzles that are all equally likely, up to 32 clues
    ///
    /// A puzzle takes some thirty times as long as with --weighted.
    #[arg(long, hide_short_help = true)]
    unbiased: bool,

    /// Make only puzzles whose ER is in this range, as in 3.0..4.5, 7.1.. or 2.6
    ///
    /// ER says how hard a puzzle is for a person; see `gridmill rate`. Puzzles are made and rated until one has such an
    /// ER: the last line says how many were not taken.
    #[arg(long, value_name = "A..B")]
    er: Option<ErRange>,

    /// Make only puzzles of this level: easy, medium, hard, very-hard, fiendish or extreme
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,

    /// Make only puzzles whose ER is at most X: the same as --er ..X
    #[arg(long, value_name = "X")]
    max_er: Option<Difficulty>,

    #[arg(long, value_name = "NAME", value_delimiter = ',', help = TECHNIQUE, long_help = technique_help())]
    technique: Vec<TechniqueName>,

    /// The cells with clues are symmetric
    ///
    /// Clues are removed in groups that keep the symmetry: without --clues, until no group can be removed. A group may
    /// still have a clue that is not needed; with --minimal it has none, which is rare for symmetries with large groups.
    #[arg(long, value_name = "NAME", value_parser = named::<Symmetry>())]
    symmetry: Option<Symmetry>,

    /// The clues are in the cells that this file marks
    ///
    /// It has a grid of `x`, `*`, `#`, digits or letters for clues and `.`, `0` or `_` for blanks; a puzzle is a pattern,
    /// too. White space and lines between boxes do not matter.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pattern: Option<PathBuf>,

    /// No two puzzles are isomorphic; 4x4, 6x6 and 9x9 only
    #[arg(long)]
    distinct: bool,

    /// No puzzle is in these files, nor is an isomorph of it; 4x4, 6x6 and 9x9 only
    ///
    /// They may also be sets of classes, which `gridmill classes` writes.
    #[arg(long, value_name = "OLD", num_args = 1..)]
    not_in: Vec<PathBuf>,

    #[command(flatten)]
    lookup: LookupArgs,

    /// Write puzzles with their solutions: the columns puzzle and solution, as CSV unless --to says otherwise
    // Between the two options of `lookup`.
    #[arg(long, display_order = 17)]
    with_solution: bool,

    /// Give up if N random grids give no such puzzle [default: 1000000 for 9x9]
    ///
    /// The default is 100000 for 9x9 with --er, --level, --max-er or --technique, 200 for --pattern, 1000 for both, 40 for
    /// 16x16 and 10 for 25x25. The puzzles do not depend on it.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, hide_short_help = true)]
    max_tries: Option<NonZeroU32>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    long_run: LongRunArgs,

    #[command(flatten)]
    table: TableArgs<GenerateOptions>,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    page: PageArgs,

    #[command(flatten)]
    card: CardArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for GenerateArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let read = self.not_in.iter().chain(&self.pattern).cloned().collect::<Vec<_>>();
        let files = self.output.add_to(self.lookup.add_to(RunFiles::new().corpus(&origins(&read)?)));
        Ok(self.reporting.add_to(self.card.add_to(self.page.add_to(files))))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let mut job = self.job()?;
        self.card.check_output(&self.output, !self.table.no_header)?;
        self.card.check_shard(self.long_run.shard)?;
        job.check(&[], self.long_run.shard).map_err(in_words)?;

        // Only now, since this may read large files.
        if !self.not_in.is_empty() {
            let Some(known) = self.known_classes()? else { return Ok(Exit::Interrupted) };
            job = job.not_in(known);
        }

        // The bar counts the puzzles of this shard.
        let shard = self.long_run.shard.unwrap_or(Shard::ONLY);
        let progress = self.reporting.progress_of_puzzles(shard.share(self.count));
        let inputs = origins_if_any(&self.not_in)?;
        let page = self.page.file(&inputs);
        let target = self.output.target()?;
        let card = job.card(&inputs);
        let corpus = self.long_run.shard.map_or_else(Corpus::empty, |shard| Corpus::empty().shard(shard));
        let finished = job.run_to(corpus, &target, &self.solving.execution(&progress)).map_err(in_words);

        let finished = described_if_complete(finished, |report| {
            let files = self.output.output.iter().map(SplitFile::new).collect::<Vec<_>>();
            self.card.write(&card, report, &files)
        });
        let code = finish(finished, &self.reporting, page, &progress, |_| false)?;

        // By default, rows have no solutions.
        let has_solutions = self.with_solution || self.table.columns.is_some() && self.table.has_solutions();
        if code != Exit::Interrupted && has_solutions {
            note_on_digits(&self.output, self.format()?, &progress);
        }
        Ok(code)
    }
}

impl GenerateArgs {
    /// The job that the options describe.
    fn job(&self) -> anyhow::Result<Generate> {
        let &GenerateArgs { count, size, seed, skip, clues, minimal, grids, weighted, unbiased, er, .. } = self;
        let &GenerateArgs { level, max_er, symmetry, distinct, with_solution, max_tries, .. } = self;
        let options = GenerateOptions {
            count,
            size,
            seed,
            skip,
            clues,
            minimal,
            grids,
            weighted,
            unbiased,
            er,
            level,
            max_er,
            technique: self.technique.clone(),
            symmetry,
            pattern: self.pattern()?,
            distinct,
            not_in: None,
            with_solution,
            max_tries,
        };
        Ok(self.table.set(Generate::of(options), &self.solving, self.format()?).resume(self.long_run.resume))
    }

    /// The format of the output: lines, or CSV if columns are asked for.
    fn format(&self) -> anyhow::Result<OutputFormat> {
        let has_columns = self.with_solution || self.weighted || self.table.columns.is_some();
        self.table.format(&self.output, if has_columns { OutputFormat::Csv } else { OutputFormat::Lines })
    }

    /// The pattern of `--pattern`.
    fn pattern(&self) -> anyhow::Result<Option<Pattern>> {
        let Some(path) = &self.pattern else { return Ok(None) };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let pattern = text.parse().map_err(|error| anyhow!("{} is not a pattern of clues: {error}", path.display()))?;
        Ok(Some(pattern))
    }

    /// The classes of the puzzles of `--not-in`; `None` if reading them was stopped.
    fn known_classes(&self) -> anyhow::Result<Option<KnownClasses>> {
        let (sets, old) = self.lookup.sets_among("--not-in", &self.not_in)?;
        let progress = self.reporting.progress(&old);
        let opened = (!old.is_empty()).then(|| Corpus::open(old, InputOptions::default()).map_err(cannot_compare));
        let corpus = opened.transpose()?.map(|corpus| corpus.on_open(progress.announcer()));
        let (engine, execution) = (EngineSource::from(self.solving.engine()), self.solving.execution(&progress));
        let known = KnownClasses::read(
            corpus,
            sets,
            self.lookup.allow_malformed,
            &engine,
            self.solving.max_branches,
            &execution,
        );
        progress.finish();
        known.map_err(ending::in_words)
    }
}

/// An error of an input of `--not-in`, which has no options such as `--from`.
fn cannot_compare(error: CorpusError) -> anyhow::Error {
    let CorpusError::Detect { name, source } = error else { return error.into() };
    let why = match source {
        DetectError::NoCorpus(no_corpus) => {
            let NoCorpusError { line, reason, .. } = *no_corpus;
            format!("not a puzzle file: no record is close to a puzzle, line {line}: {reason}")
        }
        DetectError::NoPuzzleColumn { columns } => {
            let columns = columns.join(", ");
            format!("which column holds the puzzles is not clear; call it puzzle, the input has {columns}")
        }
        DetectError::SeveralPuzzleColumns { .. } => format!("{source}; call one puzzle"),
        DetectError::Alphabet(UnclearAlphabetError { size }) => {
            format!(
                "the alphabet of the {size} puzzles is not clear; only 4x4, 6x6 and 9x9 puzzles are compared, leave them out"
            )
        }
        source => source.to_string(),
    };
    anyhow!("cannot look for isomorphs in --not-in: {name}: {why}")
}

impl Report for GenerateCounts {
    /// Also without puzzles, it says how many grids were tried.
    const IS_NEVER_EMPTY: bool = true;

    fn show(&self, run: &RunFacts, progress: &Progress) {
        progress.note(with_resumed(sentence(self, run), run));
    }

    fn page(&self, run: &RunFacts) -> Option<Page> {
        let sections = Section::clues(&self.clues).into_iter().collect();
        Some(Page { title: "Generated puzzles".into(), lead: with_resumed(sentence(self, run), run), sections })
    }
}

/// The numbers of puzzles, clues and grids, and the time.
fn sentence(counts: &GenerateCounts, run: &RunFacts) -> String {
    let clues = match (counts.clues.first_key_value(), counts.clues.last_key_value()) {
        (Some((fewest, _)), Some((most, _))) if fewest < most => format!("; {fewest} to {most} clues"),
        (_, Some((most, _))) => format!("; {most} clues"),
        _ => String::new(),
    };

    let missed = match counts.missed {
        0 => String::new(),
        missed if counts.puzzles == 0 => format!("; {} gave no such puzzle", Counted(missed, "grid")),
        missed => {
            let grids = (missed + counts.puzzles) as f64 / counts.puzzles as f64;
            format!("; {} gave no such puzzle: one in {grids:.1} did", Counted(missed, "grid"))
        }
    };

    let repeats = match counts.repeats {
        0 => String::new(),
        repeats => {
            let new = 100.0 * counts.puzzles as f64 / (counts.puzzles + repeats) as f64;
            format!("; {} dropped: {new:.1} % of the puzzles were new", Counted(repeats, "isomorph"))
        }
    };
    let undecided = match counts.undecided_clues {
        0 => String::new(),
        1 => "; 1 clue may not be needed: the check took too many guesses".to_owned(),
        clues => format!("; {clues} clues may not be needed: the checks took too many guesses"),
    };
    format!(
        "{} in {}: {} a second, {} with {}{clues}{missed}{repeats}{undecided}",
        Counted(counts.puzzles, "puzzle"),
        Seconds(run.wall_seconds),
        rate(run.records_per_second),
        Counted(run.threads as u64, "thread"),
        run.engine,
    )
}

/// Errors with the options that help.
fn in_words(error: JobError) -> anyhow::Error {
    let JobError::Run(broken) = error else { return ending::in_words(error) };
    let Some(error) = broken.error.downcast_ref() else { return broken.error.into() };
    let help = match error {
        GenerateError::OutOfReach { spec, .. } if !spec.techniques.is_empty() => "; raise --max-tries to search longer",
        GenerateError::OutOfReach { spec, .. } if spec.er.is_some() => "; ask for a wider range, or raise --max-tries",
        GenerateError::OutOfReach { spec, .. } => match spec.target {
            Target::Clues(_) | Target::Range(_) => "; ask for more clues, or raise --max-tries",
            _ => "; raise --max-tries to search longer",
        },
        _ => "",
    };
    ending::broken_run(anyhow!("{error}{help}"), broken.partial.as_ref())
}
