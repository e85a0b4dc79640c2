//! Values of arguments as Python gives them: errors name the argument.

use std::error::Error;
use std::str::FromStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use strum::VariantArray;

use crate::errors::in_words;

/// A text that stands for something.
pub(crate) fn parsed<T: FromStr<Err: Error + 'static>>(argument: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| wrong(argument, &error))
}

/// The same, of a text that may not be given.
pub(crate) fn parsed_if_any<T: FromStr<Err: Error + 'static>>(
    argument: &str,
    text: Option<&str>,
) -> PyResult<Option<T>> {
    text.map(|text| parsed(argument, text)).transpose()
}

/// The error of a value that stands for nothing.
pub(crate) fn wrong(argument: &str, error: &(dyn Error + 'static)) -> PyErr {
    PyValueError::new_err(format!("{argument}: {}", in_words(error)))
}

/// The value of an enum that has a name.
pub(crate) fn named<T>(argument: &str, what: &str, given: &str) -> PyResult<T>
where
    T: Copy + Into<&'static str> + VariantArray,
{
    T::VARIANTS.iter().copied().find(|&value| value.into() == given).ok_or_else(|| {
        let names: Vec<&str> = T::VARIANTS.iter().map(|&value| value.into()).collect();
        PyValueError::new_err(format!("{argument}: no {what} is called '{given}'; there are {}", names.join(", ")))
    })
}

/// Refuses several of some arguments that exclude each other.
pub(crate) fn at_most_one(arguments: &[(&str, bool)]) -> PyResult<()> {
    let given: Vec<&str> = arguments.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    match given[..] {
        [first, second, ..] => Err(PyValueError::new_err(format!("{first} and {second} exclude each other"))),
        _ => Ok(()),
    }
}
