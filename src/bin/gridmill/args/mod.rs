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

use clap::error::{ContextKind, ContextValue, ErrorKind};

pub(crate) use self::card::CardArgs;
pub(crate) use self::input::{AnswerArgs, CheckedAnswerArgs, ClassKeyArgs, InputArgs, LongRunArgs, origins, read_once};
pub(crate) use self::output::{OutputArgs, PageArgs, ReportingArgs, TopArgs};
pub(crate) use self::solvers::SolversArgs;
pub(crate) use self::solving::{ExecutionArgs, SolvingArgs, WorkArgs};
pub(crate) use self::table::{RowArgs, TableArgs, To};

/// The fault of the arguments and its remedy, on one line like all other errors.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    let mut message = fault(error);

    for (kind, thing) in [
        (ContextKind::SuggestedSubcommand, "subcommand"),
        (ContextKind::SuggestedArg, "argument"),
        (ContextKind::SuggestedValue, "value"),
    ] {
        match &texts(error, kind)[..] {
            [] => {}
            [one] => add(&mut message, format_args!("; tip: a similar {thing} exists: '{one}'")),
            several => {
                add(&mut message, format_args!("; tip: some similar {thing}s exist: '{}'", several.join("', '")));
            }
        }
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        for tip in tips {
            add(&mut message, format_args!("; tip: {tip}"));
        }
    }

    // Without a hint or a usage from clap, the message says enough.
    if error.get(ContextKind::Usage).is_none() {
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
