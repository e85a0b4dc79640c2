//! Arguments that several commands share: each is declared here once, with the files that it names. Errors of arguments
//! are also put in words here.

mod card;
mod input;
mod output;
mod solvers;
mod solving;
mod table;
pub(crate) mod values;

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

pub(crate) use self::card::CardArgs;
use self::input::is_like_puzzle;
pub(crate) use self::input::{
    AnswerArgs, CheckedAnswerArgs, InputArgs, LongRunArgs, LookupArgs, origins, origins_if_any, read_once,
};
pub(crate) use self::output::{OutputArgs, PageArgs, ReportingArgs, TopArgs};
pub(crate) use self::solvers::SolversArgs;
pub(crate) use self::solving::{ExecutionArgs, GroupArgs, SolvingArgs, WorkArgs, describe_by};
pub(crate) use self::table::{RowArgs, TableArgs, To};
use crate::cli::call;

/// Words of other programs and of the field that newcomers try, with their meanings here. `FILE` is an argument without
/// dashes, and `=` begins a value of an option.
const MEANT: [(&str, &str); 42] = [
    ("check verify lint test", "validate"),
    ("difficulty level", "rate"),
    ("cat concat join append combine", "convert A.csv B.csv --keep all -o ALL.csv"),
    ("book pdf print", "sheet"),
    ("draw picture image", "convert -o PICTURE.svg"),
    ("hint hints steps", "explain"),
    ("normalize normalise minlex", "canon"),
    ("rotate relabel transform permute", "augment"),
    ("make create gen", "generate"),
    ("filter select where grep", "sample --where CONDITION"),
    ("train-test-split partition", "split"),
    ("uniq unique", "dedupe, or solve --strict for puzzles with one solution"),
    ("--difficulty --hardness --grade", "--level, or --er A..B"),
    ("--level --er --min-er", "--max-er, or sample --where level=hard on rows of rate"),
    ("--hints-given --clue", "--clues"),
    ("--unique --single", "nothing: the puzzles of generate have one solution; solve has --strict"),
    ("--format --output-format --type -f -t", "--to, or the extension of -o FILE"),
    ("--json --ndjson", "--to jsonl"),
    ("--csv", "--to csv"),
    ("--input-format", "--from"),
    ("-j --jobs --cores --workers --parallel", "--threads"),
    ("--fields --select", "--columns"),
    ("--keep", "nothing: records are copied with all columns"),
    ("--column", "--puzzle-column for the puzzles of the input, --columns for the output"),
    ("-v --verbose", "--progress always"),
    ("--delimiter --separator --sep --bom", "--to tsv, or --to excel for semicolons; CSV is read with any of them"),
    ("--compare --train --other --baseline", "--against"),
    ("--program --command --exec", "--solver NAME=COMMAND"),
    ("--runs --repeat --rounds --iterations --time --duration", "--seconds"),
    ("--times -k", "--copies"),
    ("--filter --condition --query", "--where CONDITION"),
    ("--rows --number --num --n -N", "--count"),
    ("--line --lines", "sed -n 3p FILE | gridmill COMMAND, for line 3"),
    ("--dupes --dups --repeats", "--duplicates"),
    ("--ratio --test-size --train-size", "--parts train=0.8,test=0.2"),
    (
        "--solutions --answers",
        "nothing: sheet has the solutions at the end; --with-solution and --columns choose them elsewhere",
    ),
    ("--input -i --file", "nothing: name the file without an option"),
    ("--equivalent =isomorph =isomorphs", "class: puzzles are isomorphic if their class is the same"),
    ("pipe FILE", "solve: pipe reads standard input"),
    ("fuzz FILE", "bench: fuzz makes its own puzzles"),
    ("generate FILE", "-n COUNT"),
    ("sample FILE", "-n COUNT"),
];

/// The tip for a word that has another name here.
fn tip(error: &clap::Error) -> Option<String> {
    let kinds = [(ContextKind::InvalidSubcommand, ""), (ContextKind::InvalidValue, "="), (ContextKind::InvalidArg, "")];
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return None;
    }
    let (given, start) = kinds.into_iter().find_map(|(kind, start)| Some((texts(error, kind).pop()?, start)))?;
    let given = &*format!("{start}{}", given.split(['=', ' ']).next()?);
    if error.kind() == ErrorKind::InvalidSubcommand && (Path::new(given).exists() || is_like_puzzle(given)) {
        let way = if is_like_puzzle(given) { "echo PUZZLE | gridmill solve" } else { "gridmill solve FILE" };
        return Some(way.to_owned());
    }

    let is_file = error.kind() == ErrorKind::UnknownArgument && !given.starts_with('-');
    let command = call::arguments().first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let meant = |names: &str| {
        if is_file { names == format!("{command} FILE") } else { names.split(' ').any(|name| name == given) }
    };
    MEANT.iter().find(|(names, _)| meant(names)).map(|&(_, way)| way.to_owned())
}

/// Whether a name that is suggested may be misspelled: with the same first letter, and about as long, or with more around it.
fn is_misspelled(given: &str, name: &str) -> bool {
    let [given, name] = [given, name].map(|text| text.trim_start_matches('-'));
    let is_near = given.chars().next() == name.chars().next() && given.len().abs_diff(name.len()) <= 2;
    is_near || given.contains(name) || given.len() > 2 && name.contains(given)
}

/// The fault of the arguments and its remedy, on one line like all other errors.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    let mut message = fault(error);
    if let Some(tip) = tip(error) {
        return format!("{message}; tip: use {tip}");
    }

    for (kind, given, thing) in [
        (ContextKind::SuggestedSubcommand, ContextKind::InvalidSubcommand, "subcommand"),
        (ContextKind::SuggestedArg, ContextKind::InvalidArg, "argument"),
        (ContextKind::SuggestedValue, ContextKind::InvalidValue, "value"),
    ] {
        let (mut names, given) = (texts(error, kind), texts(error, given).concat());
        names.retain(|name| is_misspelled(&given, name));
        match &names[..] {
            [] => {}
            [one] => add(&mut message, format_args!("; tip: a similar {thing} exists: '{one}'")),
            several => {
                add(&mut message, format_args!("; tip: some similar {thing}s exist: '{}'", several.join("', '")));
            }
        }
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        // To pass the word as a value is never the way.
        for tip in tips.iter().map(ToString::to_string).filter(|tip| !tip.starts_with("to pass ")) {
            add(&mut message, format_args!("; tip: {tip}"));
        }
    }

    let is_bare = error.kind() == ErrorKind::UnknownArgument && !message.contains("; tip: ");
    if is_bare || error.get(ContextKind::Usage).is_none() {
        message.push_str(" (see --help)");
    }
    message
}

/// The fault, without a hint.
fn fault(error: &clap::Error) -> String {
    let argument = texts(error, ContextKind::InvalidArg);
    let first = argument.first().map_or("", String::as_str);
    let value = texts(error, ContextKind::InvalidValue).pop().unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("unrecognized subcommand '{}'", texts(error, ContextKind::InvalidSubcommand).concat())
        }
        ErrorKind::UnknownArgument => format!("unexpected argument '{first}' found"),
        ErrorKind::MissingRequiredArgument => {
            format!("the following required arguments were not provided: {}", argument.join(", "))
        }
        ErrorKind::ArgumentConflict => match &texts(error, ContextKind::PriorArg)[..] {
            [prior] if prior == first => format!("the argument '{first}' cannot be used multiple times"),
            [prior] => format!("the argument '{first}' cannot be used with '{prior}'"),
            priors => format!("the argument '{first}' cannot be used with: {}", priors.join(", ")),
        },
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is required for '{first}' but none was supplied{}", possible_values(error))
        }
        ErrorKind::InvalidValue => format!("invalid value '{value}' for '{first}'{}", possible_values(error)),
        ErrorKind::ValueValidation => {
            let reason = error.source().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("invalid value '{value}' for '{first}'{reason}")
        }
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for '{first}' found; no more were expected"),
        ErrorKind::NoEquals => format!("equal sign is needed when assigning values to '{first}'"),
        kind => kind.to_string(),
    }
}

fn possible_values(error: &clap::Error) -> String {
    match &texts(error, ContextKind::ValidValue)[..] {
        [] => String::new(),
        values => format!(" [possible values: {}]", values.join(", ")),
    }
}

/// The texts that clap attaches to an error.
fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => vec![],
    }
}

fn add(message: &mut String, text: std::fmt::Arguments<'_>) {
    message.write_fmt(text).expect("a string takes any text");
}
