//! `gridmill plugin-solver`: answers puzzles with a solver from a shared library. `bench --plugin` runs it as another
//! program, so a crash or a hang of the library ends that process alone.
//!
//! The function has the signature of tdoku's benchmark:
//! `size_t solve(const char *input, size_t limit, uint32_t configuration, char *solution, size_t *guesses)`. It returns
//! the number of solutions up to the limit, and writes the first one.

mod library;

use std::io::{self, BufRead, BufWriter, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::Context;
use clap::Args;

use self::library::Function;

/// Where a solver is in a shared library: `PATH:SYMBOL`, or `PATH:SYMBOL:CONFIGURATION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PluginPath {
    library: PathBuf,
    symbol: String,
    configuration: u32,
}

impl FromStr for PluginPath {
    type Err = String;

    fn from_str(text: &str) -> Result<PluginPath, String> {
        let mut parts = text.split(':');
        let (library, symbol) = parts.next().zip(parts.next()).ok_or("a plugin is written FILE.so:FUNCTION")?;
        let configuration = match parts.next() {
            Some(number) => number.parse().map_err(|_| format!("the configuration '{number}' is no number"))?,
            None => 0,
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if library.is_empty() || symbol.is_empty() || !symbol.chars().all(is_word) || parts.next().is_some() {
            return Err("a plugin is written FILE.so:FUNCTION or FILE.so:FUNCTION:CONFIGURATION".to_owned());
        }
        Ok(PluginPath { library: library.into(), symbol: symbol.to_owned(), configuration })
    }
}

impl PluginPath {
    /// The shell command of the process that answers puzzles with it.
    pub(crate) fn command(&self, limit: NonZeroU64) -> anyhow::Result<String> {
        let quoted = |path: PathBuf| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
        let program = quoted(std::env::current_exe().context("cannot find the path of gridmill")?);
        // A name without a folder would be looked up among the libraries of the system.
        let library = std::path::absolute(&self.library).context("cannot find the current folder")?;
        let solver = quoted(format!("{}:{}:{}", library.display(), self.symbol, self.configuration).into());
        Ok(format!("exec {program} plugin-solver {solver} {limit}"))
    }
}

/// The arguments of the process that loads the library.
#[derive(Debug, Args)]
pub(crate) struct PluginArgs {
    /// The function
    solver: PluginPath,
    /// Count solutions up to this
    limit: usize,
}

/// The cells of a puzzle, which has to be 9x9.
const CELLS: usize = 81;

/// Answers each line with the number of solutions, and the first one if there is one.
pub(crate) fn run(args: &PluginArgs) -> anyhow::Result<ExitCode> {
    let PluginPath { library, symbol, configuration } = &args.solver;
    let function =
        Function::load(library, symbol).with_context(|| format!("cannot load {symbol} from {}", library.display()))?;
    let (mut input, mut output) = (io::stdin().lock(), BufWriter::new(io::stdout().lock()));
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let puzzle: [u8; CELLS] = line.trim_ascii_end().try_into().context("a plugin solves 9x9 puzzles only")?;
        match function.solve(&puzzle, args.limit, *configuration) {
            (0, _) => writeln!(output, "0")?,
            (solutions, grid) => {
                write!(output, "{solutions} ")?;
                output.write_all(&grid)?;
                output.write_all(b"\n")?;
            }
        }
        line.clear();
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_a_file_and_a_function() {
        let plugin = PluginPath { library: "./a.so".into(), symbol: "solve".into(), configuration: 3 };
        assert_eq!("./a.so:solve:3".parse(), Ok(plugin.clone()));
        assert_eq!("./a.so:solve".parse(), Ok(PluginPath { configuration: 0, ..plugin }));
        for text in ["a.so", ":f", "a.so:", "a.so:f:x", "a.so:f:1:2", "a.so:f g"] {
            assert!(text.parse::<PluginPath>().is_err(), "{text}");
        }
    }
}
