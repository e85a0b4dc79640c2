//! Where the workers of a job get their engines from.

use std::fmt;
use std::sync::Arc;

use crate::engine::lanes::SimdError;
use crate::engine::{Engine, EngineKind};

/// A way to build an engine for each worker: one of gridmill's by its kind, or a custom one.
#[derive(Clone)]
pub struct EngineSource(Source);

#[derive(Clone)]
enum Source {
    Kind(EngineKind),
    Custom { name: String, build: Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync> },
}

impl EngineSource {
    /// A custom engine; `build` is called once for each worker. Before its first batch of a size, an engine gets some
    /// easy puzzles whose verdicts do not count.
    pub fn custom(
        name: impl Into<String>,
        build: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static,
    ) -> EngineSource {
        EngineSource(Source::Custom { name: name.into(), build: Arc::new(build) })
    }

    /// An engine for one worker.
    pub(super) fn build(&self) -> Result<Box<dyn Engine>, SimdError> {
        match &self.0 {
            Source::Kind(kind) => kind.build(),
            Source::Custom { build, .. } => Ok(build()),
        }
    }

    /// A function that builds engines, once it is known that they can be built.
    pub(super) fn builder(&self) -> Result<impl Fn() -> Box<dyn Engine>, SimdError> {
        self.build()?;
        Ok(|| self.build().expect("a CPU keeps the vectors that it has"))
    }

    /// The name with the width of the vectors that this CPU uses, for summaries.
    pub(super) fn name(&self) -> String {
        match &self.0 {
            Source::Kind(kind) => match (kind, kind.resolved()) {
                (EngineKind::Auto, EngineKind::Lanes(simd)) => format!("auto:{simd}"),
                (_, resolved) => resolved.to_string(),
            },
            Source::Custom { name, .. } => name.clone(),
        }
    }

    /// The name of the engine that decides on `branches`, for manifests: any width gives the same rows.
    pub(super) fn row_name(&self) -> String {
        match &self.0 {
            Source::Kind(kind) => <&str>::from(kind.resolved()).to_owned(),
            Source::Custom { name, .. } => name.clone(),
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
        EngineSource(Source::Kind(kind))
    }
}

impl fmt::Debug for EngineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineSource").field(&self.name()).finish()
    }
}
