//! The errors of options and of their values, and numbers in the notations that people use.

mod count;
mod counted;

use std::borrow::Cow;
use std::fmt::Display;

pub(crate) use self::count::parse_count;
pub(crate) use self::counted::{Counted, Percent, WithCommas};

/// The error for a text that is not a value of the type that it is parsed as. It says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(String);

impl ParseError {
    /// The error with this reason.
    pub(crate) fn new(reason: impl Into<String>) -> ParseError {
        ParseError(reason.into())
    }

    /// The error for a text that is not one of the names of `things`.
    pub(crate) fn unknown(thing: &str, name: &str, names: impl IntoIterator<Item: Display>) -> ParseError {
        let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
        ParseError(format!("no {thing} is called '{name}'; there are {}", names.join(", ")))
    }
}

/// The error for options that contradict each other, or do not fit the inputs.
///
/// It names an option as the command line does, but in backquotes and without dashes: `` `answer-column` ``.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(Cow<'static, str>);

impl OptionError {
    /// The error with this reason.
    pub(crate) fn new(reason: impl Into<Cow<'static, str>>) -> OptionError {
        OptionError(reason.into())
    }

    /// The error for options about columns, in the format of this name, which has none.
    pub(crate) fn no_columns(format: impl Display, options_are: &str) -> OptionError {
        OptionError::new(format!("the format {format} has no columns; {options_are} for csv and jsonl"))
    }

    /// The reason, with options spelled by this function.
    ///
    /// ```
    /// use gridmill::jobs::{Execution, JobError, Rate};
    /// use gridmill::rows::OutputFormat;
    ///
    /// let Err(JobError::Options(error)) = Rate::new().format(OutputFormat::Jsonl).steps(true).check(&[], "1/2".parse().ok())
    /// else {
    ///     panic!("a shard of steps cannot be merged")
    /// };
    /// let words = error.spelled(|option| format!("--{option}"));
    /// assert_eq!(words, "--shard needs a row for each record, but --steps writes one for each step");
    /// ```
    pub fn spelled(&self, spell: impl Fn(&str) -> String) -> String {
        let is_option = |name: &str| !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-'));
        let (mut words, mut rest) = (String::new(), &*self.0);
        while let Some((before, after)) = rest.split_once('`') {
            words.push_str(before);
            // The name of a file may have a backquote, too.
            let (word, after) = match after.split_once('`').filter(|(name, _)| is_option(name)) {
                Some((option, after)) => (spell(option), after),
                None => ("`".to_owned(), after),
            };
            words.push_str(&word);
            rest = after;
        }
        words + rest
    }
}
