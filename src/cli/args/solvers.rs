//! The solvers to compare, for `bench` and `fuzz`.

use std::env;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::cli::bench::{Process, Program, Solvers};
use anyhow::bail;
use clap::{Args, ValueHint};
use gridmill::engine::{EngineKind, Limit, MaxBranches};
use gridmill::pipeline::Stop;

use super::solving::max_branches_help;
#[cfg(unix)]
use super::values::PluginArg;
use super::values::{SolverArg, max_branches, positive, timeout};

const GIVES_UP: &str = "Let an engine give up on a puzzle that takes more than N guesses";

/// The solvers, and how they answer.
#[derive(Debug, Args)]
pub(crate) struct SolversArgs {
    /// Engines to compare, such as `bitmask` or `lanes:avx2` [default: all of them]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = EngineKind::from_str, help_heading = "Solvers")]
    engines: Vec<EngineKind>,

    /// Another program to compare, run by `sh -c`, with a name for the table; may be given several times
    ///
    /// It reads one puzzle per line from standard input, with '.' for a blank, and answers each with one line: the
    /// solution, or the number of solutions. Its name has letters, digits, '-', '.', '+' and '_'; to set a variable
    /// without one, write `env NAME=VALUE CMD`.
    #[arg(long, value_name = "[NAME=]CMD", value_hint = ValueHint::CommandString, help_heading = "Solvers")]
    solver: Vec<SolverArg>,

    /// A solver in a shared library, with a name for the table: ./lib.so:FUNCTION; may be given several times
    ///
    /// The function has the signature of tdoku's benchmark: `size_t solve(const char *input, size_t limit, uint32_t
    /// configuration, char *solution, size_t *guesses)`. The configuration is 0, or a number after a second colon. A
    /// process of its own calls it, and measures it as an engine is measured; so a crash is an error of that process.
    /// If several threads call it, the function must be re-entrant.
    #[cfg(unix)]
    #[arg(long, value_name = "NAME=FILE.so:FUNCTION", help_heading = "Solvers")]
    plugin: Vec<PluginArg>,

    /// The solver to compare the other solvers with, by its name in the table [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = "Solvers")]
    pub(crate) reference: Option<String>,

    /// Kill another program or a plugin that takes longer than S seconds for a run
    ///
    /// By default, `bench` lets it run, and `fuzz` kills it after 10 seconds.
    #[arg(long, value_name = "S", value_parser = timeout, help_heading = "Solvers")]
    pub(crate) timeout: Option<Duration>,

    /// Stop counting at N solutions
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive::<NonZeroU64>, help_heading = "Solvers")]
    limit: NonZeroU64,

    #[arg(
        long,
        value_name = "N|none",
        default_value = "default",
        hide_default_value = true,
        value_parser = max_branches,
        help_heading = "Solvers",
        help = GIVES_UP,
        long_help = max_branches_help(GIVES_UP, "Its answer is not compared."),
    )]
    max_branches: MaxBranches,
}

impl SolversArgs {
    /// The limit for counting solutions.
    pub(crate) fn limit(&self) -> Limit {
        Limit::new(self.limit)
    }

    /// Every engine with each number of threads, then every other program, then every plugin with each number of
    /// threads.
    pub(crate) fn solvers(&self, threads: &[u16], timeout: Option<Duration>, stop: &Stop) -> anyhow::Result<Solvers> {
        self.check_names()?;
        let engines = if self.engines.is_empty() { &EngineKind::COMPARED[..] } else { &self.engines };
        let mut solvers = Solvers::of_engines(engines, threads, self.max_branches, stop)?;
        let process = |name: &String| Process { name: name.clone(), timeout, stop: stop.clone() };
        for SolverArg { name, command } in &self.solver {
            solvers = solvers.with(Program::new(process(name), command.clone()));
        }

        #[cfg(unix)]
        for PluginArg { name, path } in &self.plugin {
            for &threads in threads {
                solvers = solvers.with(path.solver(process(name), threads.into())?);
            }
        }

        Ok(match &self.reference {
            Some(name) => solvers.reference(name)?,
            None => solvers,
        })
    }

    /// The names of all programs and plugins, with their files: the shared library, or the file that the first word of the
    /// command names, if it can be found.
    pub(crate) fn files(&self) -> Vec<(String, Option<PathBuf>)> {
        let file = |command: &str| {
            let word = command.split_whitespace().next()?.trim_matches(['\'', '"']);
            let path = env::var_os("PATH").filter(|_| !word.contains('/')).unwrap_or_default();
            env::split_paths(&path).map(|folder| folder.join(word)).find(|file| file.is_file())
        };
        let programs = self.solver.iter().map(|solver| (solver.name.clone(), file(&solver.command)));
        #[cfg(unix)]
        let programs =
            programs.chain(self.plugin.iter().map(|plugin| (plugin.name.clone(), Some(plugin.path.library().into()))));
        programs.collect()
    }

    /// Checks that all solvers have different names, because a baseline finds them by name. The same command may be
    /// given twice.
    fn check_names(&self) -> anyhow::Result<()> {
        let mut names: Vec<String> = self.engines.iter().map(ToString::to_string).collect();
        names.dedup();
        let programs = self.solver.iter().filter(|solver| solver.name != solver.command).map(|solver| &solver.name);
        #[cfg(unix)]
        let programs = programs.chain(self.plugin.iter().map(|plugin| &plugin.name));
        for name in programs {
            if names.contains(name) {
                bail!("two solvers are called '{name}'");
            }
            names.push(name.clone());
        }
        Ok(())
    }
}
