//! Parsers for the values of options.

use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gridmill::jobs::validate::Finding;
use gridmill::puzzle::Order;
use gridmill::rows::Column;

/// Parses the name of one of the library's values; `--help` and completions list the names.
pub(super) fn named<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(move |&value| name(value))).map(move |given| {
        let is_given = |&&value: &&T| name(value).eq_ignore_ascii_case(&given);
        *all.iter().find(is_given).expect("clap lets no other name through")
    })
}

/// The findings that one name stands for.
pub(crate) type Kinds = &'static [Finding];

/// Parses the name of a finding or of a group of findings.
pub(super) fn kinds() -> impl TypedValueParser<Value = Kinds> {
    const ALL: Kinds = &Finding::ALL;
    const GROUPS: [(&str, Kinds); 2] = [("leak", &Finding::LEAKS), ("all", ALL)];
    let names = Finding::ALL.map(Finding::name).into_iter().chain(GROUPS.map(|(name, _)| name));
    PossibleValuesParser::new(names).map(|given| {
        let one = ALL.chunks(1).find(|finding| finding[0].name() == given);
        let several = || GROUPS.into_iter().find(|(name, _)| *name == given).map(|(_, kinds)| kinds);
        one.or_else(several).expect("clap lets no other name through")
    })
}

/// Parses the name of a column; `--help` says what each of them holds.
pub(super) fn columns() -> impl TypedValueParser<Value = Column> {
    const COLUMNS: [(Column, &str); Column::ALL.len()] = [
        (Column::File, "The name of the input"),
        (Column::Line, "The line on which the record starts, from 1"),
        (Column::Puzzle, "The puzzle on one line"),
        (Column::Status, "unique, multiple, none, undecided or malformed"),
        (Column::Solutions, "The number of solutions, counted up to --limit, but at least to 2; empty if undecided"),
        (Column::Solution, "The solution of a unique puzzle; with --first the first one, with --all all of them"),
        (Column::Branches, "The number of guesses of the search; empty if it was not complete"),
        (Column::Nanos, "The time for solving, in nanoseconds; with lanes a share of the time of a batch"),
        (Column::Detail, "Why there is no solution or no puzzle"),
    ];
    let values = COLUMNS.map(|(column, description)| PossibleValue::new(column.name()).help(description));
    PossibleValuesParser::new(values).map(|given| given.parse().expect("clap lets no other name through"))
}

/// Parses an order: 2 to 5.
pub(super) fn order_parser() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(["2", "3", "4", "5"])
        .map(|order| order.parse().ok().and_then(Order::new).expect("clap lets no other order through"))
}

/// The seed of random choices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seed {
    /// A different one each time.
    Random,
    /// This one.
    Given(u64),
}

impl FromStr for Seed {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Seed, ParseIntError> {
        if text == "random" { Ok(Seed::Random) } else { text.parse().map(Seed::Given) }
    }
}

/// A time in seconds, such as `0.5`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DurationArg(pub(crate) Duration);

impl FromStr for DurationArg {
    type Err = String;

    fn from_str(text: &str) -> Result<DurationArg, String> {
        let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
        let most = 86_400.0;
        if !(0.0..=most).contains(&seconds) {
            return Err(format!("it must be from 0 to {most} seconds"));
        }
        Ok(DurationArg(Duration::from_secs_f64(seconds)))
    }
}
