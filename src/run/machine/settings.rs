//! The settings that all jobs with rows share; the source of the workers' engines.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::engine::lanes::SimdError;
use crate::engine::{Engine, EngineKind, MaxBranches};
use crate::options::OptionError;
use crate::rows::{Column, OutputFormat, Table};

/// The settings of all jobs with rows.
#[derive(Clone, Debug)]
pub(crate) struct RowSettings {
    pub(crate) engine: EngineSource,
    pub(crate) max_branches: MaxBranches,
    pub(crate) format: OutputFormat,
    /// The names of the job's columns, in order; `None` for the default ones.
    pub(crate) columns: Option<Vec<String>>,
    /// Whether CSV has a header.
    pub(crate) header: bool,
    /// Whether the job continues the partial output of an interrupted run.
    pub(crate) resume: bool,
}

impl Default for RowSettings {
    fn default() -> RowSettings {
        RowSettings {
            engine: EngineSource::default(),
            max_branches: MaxBranches::default(),
            format: OutputFormat::Csv,
            columns: None,
            header: true,
            resume: false,
        }
    }
}

impl RowSettings {
    /// Whether a run has a column. Columns that were chosen replace the default ones.
    pub(crate) fn has_column(&self, name: &str, is_default: bool) -> bool {
        self.columns.as_ref().map_or(is_default, |names| names.iter().any(|chosen| chosen == name))
    }

    /// The columns of a run: the chosen ones, or the columns in `all` for which `is_default` is true.
    pub(crate) fn table(
        &self,
        all: &[Column],
        is_default: &dyn Fn(&Column) -> bool,
        keep: &[String],
    ) -> Result<Table, OptionError> {
        Table::new(all, self.columns.as_deref(), is_default, keep)
    }

    /// Checks that the job can write rows in this format.
    pub(crate) fn check_format(&self, formats: &[OutputFormat], keep: &[String]) -> Result<(), OptionError> {
        if !formats.contains(&self.format) {
            return Err(OptionError::new(format!("the rows do not come in the format {}", self.format)));
        }
        if !self.format.has_columns() && (self.columns.is_some() || !keep.is_empty()) {
            return Err(OptionError::no_columns(self.format, "`columns` and `keep` are"));
        }
        Ok(())
    }

    /// The settings that determine the bytes of the rows, apart from the bound on searches, for a manifest.
    pub(crate) fn in_manifest(&self, table: &Table) -> Map<String, Value> {
        let mut options = Map::new();
        options.insert("engine".into(), json!(self.engine.row_name()));
        options.insert("to".into(), json!(self.format));
        // The columns that rows have, also if they were not chosen: the default columns depend on the corpus.
        if self.format.has_columns() {
            options.insert("columns".into(), json!(table.own.iter().map(|column| column.name).collect::<Vec<_>>()));
        }
        if !self.header {
            options.insert("no-header".into(), json!(true));
        }
        options
    }
}

/// A way to build an engine for each worker: one of gridmill's by its kind, or a custom one.
#[derive(Clone)]
pub struct EngineSource(EngineOrigin);

#[derive(Clone)]
enum EngineOrigin {
    Kind(EngineKind),
    Custom { name: String, build: Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync> },
}

impl EngineSource {
    /// A custom engine. `build` is called once for each worker. Before its first batch of a size, the engine gets some
    /// easy puzzles whose verdicts are ignored.
    pub fn custom(
        name: impl Into<String>,
        build: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static,
    ) -> EngineSource {
        EngineSource(EngineOrigin::Custom { name: name.into(), build: Arc::new(build) })
    }

    /// An engine for one worker.
    pub(crate) fn build(&self) -> Result<Box<dyn Engine>, SimdError> {
        match &self.0 {
            EngineOrigin::Kind(kind) => kind.build(),
            EngineOrigin::Custom { build, .. } => Ok(build()),
        }
    }

    /// The name with the width of the vectors in use, for summaries.
    pub(crate) fn name(&self) -> String {
        match &self.0 {
            EngineOrigin::Kind(kind) => match (kind, kind.resolved()) {
                (EngineKind::Auto, EngineKind::Lanes(simd)) => format!("auto:{simd}"),
                (_, resolved) => resolved.to_string(),
            },
            EngineOrigin::Custom { name, .. } => name.clone(),
        }
    }

    /// The name of the engine for manifests. It leaves out the width of the vectors, which does not change the rows.
    pub(crate) fn row_name(&self) -> String {
        match &self.0 {
            EngineOrigin::Kind(kind) => <&str>::from(kind.resolved()).to_owned(),
            EngineOrigin::Custom { name, .. } => name.clone(),
        }
    }
}

impl Default for EngineSource {
    fn default() -> EngineSource {
        EngineKind::Auto.into()
    }
}

impl From<EngineKind> for EngineSource {
    fn from(kind: EngineKind) -> EngineSource {
        EngineSource(EngineOrigin::Kind(kind))
    }
}

impl fmt::Debug for EngineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineSource").field(&self.name()).finish()
    }
}
