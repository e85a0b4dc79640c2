//! Parsers for the values of options.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use gridmill::ParseError;
use gridmill::engine::MaxBranches;
use gridmill::output::{FileType, OutputTarget};
use gridmill::rows::{Column, OutputFormat};
use strum::VariantArray;

#[cfg(unix)]
use crate::cli::plugin::PluginPath;
use crate::options::parse_count;

/// Parses the name of a value of an enum; `--help` and completions list the names.
pub(crate) fn named<T>() -> impl TypedValueParser<Value = T>
where
    T: Copy + Into<&'static str> + Send + Sync + VariantArray,
{
    one_of(T::VARIANTS, T::into)
}

/// Parses the name of one of these values.
pub(crate) fn one_of<T>(all: &[T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let all = all.to_vec();
    PossibleValuesParser::new(all.iter().map(|&value| name(value))).map(move |given| {
        let is_given = |&&value: &&T| name(value).eq_ignore_ascii_case(&given);
        *all.iter().find(is_given).expect("clap lets no other name through")
    })
}

/// Parses the name of a column, which may be in several of the lists; `--help` describes each column.
pub(crate) fn columns(lists: &[&'static [Column]]) -> PossibleValuesParser {
    let is_new =
        |list: usize, column: &Column| !lists[..list].iter().copied().flatten().any(|other| other.name == column.name);
    let all =
        lists.iter().enumerate().flat_map(|(list, columns)| columns.iter().filter(move |column| is_new(list, column)));
    let value =
        |column: &Column| PossibleValue::new(column.name).help(column.spelled_help(|option| format!("--{option}")));
    PossibleValuesParser::new(all.map(value))
}

/// Parses the name of a file for a page. It must not have the extension of another format.
pub(crate) fn page_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match FileType::from_path(&path) {
        None | Some(FileType::Rows(OutputFormat::Lines) | FileType::Html) => Ok(path),
        Some(other) => Err(format!("this is {other}, but the report is HTML; name it .html")),
    })
}

/// Parses a number: `100000`, `100_000` or `1e5`.
///
/// # Errors
///
/// If the text is not such a number, or does not fit the type.
pub(crate) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = parse_count(text).ok_or("not a number such as 5000, 5_000 or 5e3")?;
    T::try_from(number).map_err(|_| format!("{number} is {}", if number == 0 { "too small" } else { "too large" }))
}

/// Parses a [number] above zero.
///
/// # Errors
///
/// As [`number`].
pub(crate) fn positive<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    let number: NonZeroU64 = number(text)?;
    T::try_from(number).map_err(|_| format!("{number} is too large"))
}

/// Parses a [number] from 1 to `MOST`.
///
/// # Errors
///
/// If the text is not such a number.
pub(crate) fn up_to<const MOST: u16>(text: &str) -> Result<u16, String> {
    let number = number(text)?;
    if (1..=MOST).contains(&number) { Ok(number) } else { Err(format!("{number} is not in 1..={MOST}")) }
}

/// Parses a [number] of branches, or `none`.
///
/// # Errors
///
/// If the text is neither.
pub(crate) fn max_branches(text: &str) -> Result<MaxBranches, ParseError> {
    text.parse().or_else(|error| parse_count(text).map(MaxBranches::Number).ok_or(error))
}

/// Parses a seed, or draws one for `random`. A drawn seed has only 32 bits, so that it is short enough to type.
///
/// # Errors
///
/// If the text is neither.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    if text == "random" { Ok(RandomState::new().hash_one(0) >> 32) } else { number(text) }
}

/// Parses a time in seconds, such as `0.5`.
///
/// # Errors
///
/// If the text is not a number, or is below 0 or above a day.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let most = 86_400.0;
    if !(0.0..=most).contains(&seconds) {
        return Err(format!("it must be from 0 to {most} seconds"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Parses a [time](seconds) limit for a run.
///
/// # Errors
///
/// If the text is not a time, or the time is zero.
pub(crate) fn timeout(text: &str) -> Result<Duration, String> {
    let timeout = seconds(text)?;
    if timeout.is_zero() {
        return Err("no run ends within no time; leave --timeout out for no bound".to_owned());
    }
    Ok(timeout)
}

/// Parses the name of a file for rows with columns.
///
/// # Errors
///
/// If its extension belongs to another format.
pub(crate) fn table_file(text: &str) -> Result<OutputTarget, String> {
    let target = OutputTarget::file(text);
    if target.is_table() { Ok(target) } else { Err("its name should end in .csv, .jsonl or .parquet".to_owned()) }
}

/// Parses a share in percent, such as `5` or `5%`.
///
/// # Errors
///
/// If the text is not a number, or is below 0 or above 100.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse().map_err(|_| "not a number of percent".to_owned())?;
    if (0.0..=100.0).contains(&percent) { Ok(percent) } else { Err("it must be from 0 to 100 percent".to_owned()) }
}

/// The command of a program, with a name: `NAME=CMD`, or a command that is also its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SolverArg {
    pub(crate) name: String,
    pub(crate) command: String,
}

impl FromStr for SolverArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SolverArg, String> {
        let (name, command) = text.split_once('=').filter(|(name, _)| is_solver_name(name)).unwrap_or((text, text));
        if command.trim().is_empty() {
            return Err("the command is missing".to_owned());
        }
        Ok(SolverArg { name: name.to_owned(), command: command.to_owned() })
    }
}

/// Whether this may be the name of a solver.
fn is_solver_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-.+_".contains(c))
}

/// A solver in a shared library, with its name: `NAME=FILE.so:FUNCTION`.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PluginArg {
    pub(crate) name: String,
    pub(crate) path: PluginPath,
}

#[cfg(unix)]
impl FromStr for PluginArg {
    type Err = String;

    fn from_str(text: &str) -> Result<PluginArg, String> {
        let named = text.split_once('=').filter(|(name, _)| is_solver_name(name));
        let (name, path) = named.ok_or("a plugin is written NAME=FILE.so:FUNCTION")?;
        Ok(PluginArg { name: name.to_owned(), path: path.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_to_fit() {
        assert_eq!(number::<u16>("7e4").unwrap_err(), "70000 is too large");
        assert_eq!(positive::<NonZeroU64>("0").unwrap_err(), "0 is too small");
        assert_eq!((up_to::<1024>("1e3"), up_to::<1024>("1_024")), (Ok(1000), Ok(1024)));
        assert_eq!(up_to::<1024>("1_025").unwrap_err(), "1025 is not in 1..=1024");
        assert_eq!(seed("1e3"), Ok(1000));
        assert_eq!(max_branches("1e3"), Ok(MaxBranches::Number(1000)));
        assert_eq!(max_branches("none"), Ok(MaxBranches::Unlimited));
        assert!(max_branches("-1").is_err());
    }

    #[test]
    fn solvers_may_have_names() {
        for (text, name, command) in [
            ("./solve", "./solve", "./solve"),
            ("mine-2.0=./solve --fast", "mine-2.0", "./solve --fast"),
            ("./solve --n=3", "./solve --n=3", "./solve --n=3"),
        ] {
            let expected = SolverArg { name: name.into(), command: command.into() };
            assert_eq!(text.parse(), Ok(expected));
        }
        assert!("mine=".parse::<SolverArg>().is_err());
        assert_eq!(percent("5%"), Ok(5.0));
        assert!(percent("-5").is_err());
    }
}
