//! The key with which classes are hashed.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use gridmill::jobs::ClassKey;
use gridmill::resume::RunFiles;

/// The key with which classes are hashed.
#[derive(Debug, Args)]
pub(crate) struct ClassKeyArgs {
    /// Hash classes with the bytes of this file, at least 16
    #[arg(long, value_name = "FILE")]
    class_key: Option<PathBuf>,
}

impl ClassKeyArgs {
    /// Adds the file of the key, which is read.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        self.class_key.iter().fold(files, RunFiles::input)
    }

    /// Reads the key.
    pub(crate) fn read(&self) -> anyhow::Result<Option<ClassKey>> {
        self.class_key.as_deref().map(ClassKey::read).transpose().context("cannot use --class-key")
    }
}
