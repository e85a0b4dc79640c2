//! The options of jobs as Python gives them, by their names on the command line.

use std::error::Error;
use std::slice;
use std::str::FromStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use strum::VariantArray;

use crate::values::{named, parsed};

/// The options of a job that Python gives, by their names on the command line.
pub(crate) struct Options(Map<String, Value>);

impl Options {
    pub(crate) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
        let Some(given) = given else { return Ok(Options(Map::new())) };
        // An option may be a path.
        let default = [("default", given.py().import("os")?.getattr("fspath")?)].into_py_dict(given.py())?;
        let json = given.py().import("json")?.call_method("dumps", (given,), Some(&default))?;
        let given: Map<String, Value> = from_json(json.extract()?)?;
        // Nothing, and an empty list, stand for the default.
        let is_given = |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
        let named = given.into_iter().filter(|(_, value)| is_given(value));
        Ok(Options(named.map(|(name, value)| (name.replace('_', "-"), value)).collect()))
    }

    /// Takes an option that is not of the job.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)?.as_str().map(str::to_owned)
    }

    /// Takes a flag that is not of the job.
    pub(crate) fn take_flag(&mut self, name: &str) -> bool {
        self.0.remove(name) == Some(Value::Bool(true))
    }

    /// Takes the texts of an option that is not of the job.
    pub(crate) fn take_all(&mut self, name: &str) -> Vec<String> {
        let texts = self.texts(name).map(str::to_owned).collect();
        self.0.remove(name);
        texts
    }

    /// Checks names against the names of all values. `what` is the noun for them in an error.
    pub(crate) fn check_names<T>(&self, name: &str, what: &str) -> PyResult<()>
    where
        T: Copy + Into<&'static str> + VariantArray,
    {
        self.texts(name).try_for_each(|text| named::<T>(&name.replace('-', "_"), what, text).map(drop))
    }

    /// Checks texts that stand for something.
    pub(crate) fn check_texts<T: FromStr<Err: Error + 'static>>(&self, name: &str) -> PyResult<()> {
        self.texts(name).try_for_each(|text| parsed::<T>(&name.replace('-', "_"), text).map(drop))
    }

    /// The texts of an option.
    fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let given =
            self.0.get(name).map_or(&[][..], |given| given.as_array().map_or(slice::from_ref(given), Vec::as_slice));
        given.iter().filter_map(Value::as_str)
    }

    /// Turns the options into the options of a type of job.
    pub(crate) fn read<T: DeserializeOwned>(self) -> PyResult<T> {
        from_json(&Value::Object(self.0).to_string())
    }
}

fn from_json<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyTypeError::new_err(error.to_string()))
}
