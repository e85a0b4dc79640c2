//! Values that options have, and how they are read.

use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use gridmill::jobs::validate::Finding;
use gridmill::puzzle::Order;

/// Reads one of the library's values by its name, and lists the names in `--help`.
pub(super) fn named<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(move |&value| name(value))).map(move |given| {
        let is_given = |&&value: &&T| name(value).eq_ignore_ascii_case(&given);
        *all.iter().find(is_given).expect("clap lets no other name through")
    })
}

/// Findings under one name.
pub(crate) type Kinds = &'static [Finding];

/// Reads a finding by its name, or the name of several.
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

pub(super) fn order_parser() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(["2", "3", "4", "5"])
        .map(|order| order.parse().ok().and_then(Order::new).expect("clap lets no other order through"))
}

/// Where random choices start.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seed {
    /// Somewhere else each time.
    Random,
    /// Here.
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
            return Err(format!("it has to be from 0 to {most} seconds"));
        }
        Ok(DurationArg(Duration::from_secs_f64(seconds)))
    }
}
