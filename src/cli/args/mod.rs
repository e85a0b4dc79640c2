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

use clap::Command;
use clap::error::ErrorKind;

pub(crate) use self::card::CardArgs;
use self::input::is_like_puzzle;
pub(crate) use self::input::{
    AnswerArgs, CheckedAnswerArgs, InputArgs, LongRunArgs, LookupArgs, origins, origins_if_any, read_once,
    without_record,
};
pub(crate) use self::output::{OutputArgs, PageArgs, ProgressArgs, QuietArgs, ReportingArgs, TopArgs};
pub(crate) use self::solvers::SolversArgs;
pub(crate) use self::solving::{ExecutionArgs, GroupArgs, SolvingArgs, WorkArgs, describe_by};
pub(crate) use self::table::{RowArgs, TableArgs, To};

/// Words of other programs and of the field that newcomers try, with tips.
const WORDS: &str = include_str!("words.txt");

/// The tip for a word that has another name here.
fn tip_for(given: &str, kind: ErrorKind, command: Option<&Command>) -> Option<&'static str> {
    let given = match kind {
        ErrorKind::InvalidSubcommand if is_like_puzzle(given) => return Some("use echo PUZZLE | gridmill solve"),
        ErrorKind::InvalidSubcommand if Path::new(given).exists() => return Some("use gridmill solve FILE"),
        ErrorKind::InvalidSubcommand if given.contains('.') => {
            return Some("no file has this name, and a command is first");
        }
        ErrorKind::UnknownArgument if !given.starts_with('-') => "FILE",
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument => given,
        _ => return None,
    };

    WORDS.lines().filter_map(|line| line.split_once(" | ")).find_map(|(words, tip)| {
        let (of, words) = words.split_once(": ").unwrap_or(("", words));
        let is_for_command = of.is_empty() || command.is_some_and(|command| command.get_name() == of);
        let option = tip.strip_prefix("use --").and_then(|tip| tip.split([' ', ',', ':']).next());
        let is_known = option.is_none_or(|option| command.is_some_and(|command| has_option(command, option)));
        (is_for_command && is_known && words.split(' ').any(|word| word == given)).then_some(tip)
    })
}

fn has_option(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(name))
}

/// Whether a name that is suggested may be misspelled: with the same first letter, and about as long, or with more around it.
fn is_misspelled(given: &str, name: &str) -> bool {
    let [given, name] = [given, name].map(|text| text.trim_start_matches('-'));
    let is_near = given.chars().next() == name.chars().next() && given.len().abs_diff(name.len()) <= 2;
    is_near || given.contains(name) || given.len() > 2 && name.contains(given)
}

/// The fault of the arguments of a command and its remedy, on one line like all other errors. clap says them on several.
pub(crate) fn in_one_line(error: &clap::Error, command: Option<&Command>) -> String {
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
    if let Some(tip) = tip_for(&given, error.kind(), command) {
        return format!("{message}; tip: {tip}");
    }
    if message.ends_with("cannot be used multiple times") {
        return format!("{message}; tip: run gridmill once for each value");
    }

    // clap suggests names that are far off, the nearest last. To pass the word as a value is never the way.
    let nearest = |tip: &str| match tip.split_once(" similar ") {
        Some((_, names)) => {
            let name = names.split('\'').skip(1).step_by(2).filter(|name| is_misspelled(&given, name)).last()?;
            let kind = names.split(' ').next()?.trim_end_matches('s');
            Some(format!("a similar {kind} exists: '{name}'"))
        }
        None => (!tip.starts_with("to pass ")).then(|| tip.to_owned()),
    };
    let tips: Vec<String> = tips.into_iter().filter_map(nearest).collect();
    message.extend(tips.iter().map(|tip| format!("; tip: {tip}")));
    if message.contains(" for '--columns ") && command.is_some_and(|command| has_option(command, "keep")) {
        message.push_str("; --keep copies columns of the input");
    }
    let is_unknown = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
    if !has_usage || (tips.is_empty() && is_unknown) {
        message.push_str(" (see --help)");
    }
    message
}
