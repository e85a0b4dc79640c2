//! Arguments that several commands share: each is declared here once, with the files that it names. Errors of arguments
//! are also put in words here.

mod card;
mod input;
mod output;
mod solvers;
mod solving;
mod table;
pub(crate) mod values;

use std::path::Path;

use clap::error::ErrorKind;

pub(crate) use self::card::CardArgs;
use self::input::is_like_puzzle;
pub(crate) use self::input::{
    AnswerArgs, CheckedAnswerArgs, InputArgs, LongRunArgs, LookupArgs, origins, origins_if_any, read_once,
};
pub(crate) use self::output::{OutputArgs, PageArgs, ProgressArgs, QuietArgs, ReportingArgs, TopArgs};
pub(crate) use self::solvers::SolversArgs;
pub(crate) use self::solving::{ExecutionArgs, GroupArgs, SolvingArgs, WorkArgs, describe_by};
pub(crate) use self::table::{RowArgs, TableArgs, To};
use crate::cli::call;

/// Words of other programs and of the field that newcomers try, with their meanings here. `FILE` is an argument without
/// dashes.
const MEANT: [(&str, &str); 23] = [
    ("check verify lint test", "validate"),
    ("difficulty level", "rate"),
    ("cat concat join append combine", "convert A.csv B.csv --keep all -o ALL.csv"),
    ("book pdf print", "sheet"),
    ("draw picture image", "convert -o PICTURE.svg"),
    ("hint hints steps", "explain"),
    ("make create gen", "generate"),
    ("filter select where grep", "sample --where CONDITION"),
    ("uniq unique", "dedupe, or solve --strict for puzzles with one solution"),
    ("--difficulty --hardness --grade", "--level, or --er A..B"),
    ("--level --er --min-er", "--max-er, or sample --where level=hard on rows of rate"),
    ("--unique --single", "nothing: the puzzles of generate have one solution; solve has --strict"),
    ("--format --output-format --type -f -t", "--to, or the extension of -o FILE"),
    ("--json --ndjson", "--to jsonl"),
    ("--csv", "--to csv"),
    ("-j --jobs --cores --workers --parallel", "--threads"),
    ("--fields --select", "--columns"),
    ("-v --verbose", "--progress always"),
    ("--compare --train --other --baseline", "--against"),
    (
        "--solutions --answers",
        "nothing: sheet has the solutions at the end; --with-solution and --columns choose them elsewhere",
    ),
    ("--input -i --file", "nothing: name the file without an option"),
    ("pipe FILE", "solve: pipe reads standard input"),
    ("generate FILE", "-n COUNT"),
];

/// The way for a word that has another name here.
fn meant(kind: ErrorKind, given: &str, command: &str) -> Option<&'static str> {
    match kind {
        ErrorKind::InvalidSubcommand if is_like_puzzle(given) => return Some("echo PUZZLE | gridmill solve"),
        ErrorKind::InvalidSubcommand if Path::new(given).exists() => return Some("gridmill solve FILE"),
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument => {}
        _ => return None,
    }

    let is_file = kind == ErrorKind::UnknownArgument && !given.starts_with('-');
    let is_meant = |names: &str| {
        if is_file { names == format!("{command} FILE") } else { names.split(' ').any(|name| name == given) }
    };
    MEANT.iter().find(|(names, _)| is_meant(names)).map(|&(_, way)| way)
}

/// Whether a name that is suggested may be misspelled: with the same first letter, and about as long, or with more around it.
fn is_misspelled(given: &str, name: &str) -> bool {
    let [given, name] = [given, name].map(|text| text.trim_start_matches('-'));
    let is_near = given.chars().next() == name.chars().next() && given.len().abs_diff(name.len()) <= 2;
    is_near || given.contains(name) || given.len() > 2 && name.contains(given)
}

/// The fault of the arguments and its remedy, on one line like all other errors. clap says them on several.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    let (mut message, mut tips, mut has_usage) = (String::new(), vec![], false);
    let text = error.render().to_string();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(tip) = line.strip_prefix("tip: ") {
            tips.push(tip);
        } else if line.starts_with("Usage: ") || line.starts_with("For more information") {
            has_usage = line.starts_with("Usage: ");
            break;
        } else if message.is_empty() {
            message.push_str(line.trim_start_matches("error: "));
        } else {
            // An argument, or the possible values.
            message.push_str(if message.ends_with(':') || line.starts_with('[') { " " } else { ", " });
            message.push_str(line);
        }
    }

    let given = message.split('\'').nth(1).unwrap_or_default().to_owned();
    let command = call::arguments().first().map(|name| name.to_string_lossy()).unwrap_or_default();
    if let Some(way) = meant(error.kind(), &given, &command) {
        return format!("{message}; tip: use {way}");
    }

    // clap suggests names that are far off. To pass the word as a value is never the way.
    tips.retain(|tip| {
        let mut names = tip.split('\'').skip(1).step_by(2);
        !tip.starts_with("to pass ") && (!tip.contains(" similar ") || names.any(|name| is_misspelled(&given, name)))
    });
    message.extend(tips.iter().map(|tip| format!("; tip: {tip}")));
    if message.contains(" for '--columns ") && !["generate", "pipe"].contains(&&*command) {
        message.push_str("; --keep copies columns of the input");
    }
    if !has_usage || (tips.is_empty() && error.kind() == ErrorKind::UnknownArgument) {
        message.push_str(" (see --help)");
    }
    message
}
