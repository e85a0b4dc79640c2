//! Sets of classes among files, and the key with which their classes are hashed.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use gridmill::jobs::{ClassKey, ClassSet};

/// The key with which classes are hashed.
#[derive(Debug, Args)]
pub(crate) struct ClassKeyArgs {
    /// Hash classes with the bytes of this file, at least 16
    #[arg(long, value_name = "FILE")]
    class_key: Option<PathBuf>,
}

impl ClassKeyArgs {
    /// Reads the key.
    pub(crate) fn read(&self) -> anyhow::Result<Option<ClassKey>> {
        let Some(path) = &self.class_key else { return Ok(None) };
        let secret = fs::read(path).with_context(|| format!("cannot read --class-key {}", path.display()))?;
        let key = ClassKey::new(&secret).map_err(|error| anyhow!("--class-key {}: {error}", path.display()))?;
        Ok(Some(key))
    }
}

/// Reads a set of classes; `None` if the file is anything else.
pub(crate) fn read_set(path: &Path, key: Option<&ClassKey>) -> anyhow::Result<Option<ClassSet>> {
    // Standard input, devices and pipes are read once, by those who read puzzles.
    if !path.is_file() {
        return Ok(None);
    }
    let name = || format!("cannot read {}", path.display());
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(name)?);
    if !file.fill_buf().with_context(name)?.starts_with(ClassSet::START) {
        return Ok(None);
    }
    let set =
        ClassSet::read(file, key).map_err(|error| anyhow!("cannot look for leaks in {}: {error}", path.display()))?;
    Ok(Some(set))
}
