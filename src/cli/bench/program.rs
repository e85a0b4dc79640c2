//! Solvers in processes of their own.
//!
//! A [`Program`] is any other program, run by the shell. It reads puzzles from its standard input, one in each line, with
//! `.` for a blank. For each it writes a line to its standard output: the solution, the number of solutions, or both, with
//! a space between. All passes of a run are one process. The time of a process without input, measured before, is
//! subtracted from its time. If the program writes each answer before it reads the next puzzle, its puzzles are also timed
//! one at a time.
//!
//! A [`Plugin`] is a function of a shared library. A process calls it, and measures the times itself, so these do not
//! include the start of the process, reading and writing, and are comparable with the times of an engine. The process
//! reads all puzzles, one in each line, before it calls the function. It is given the limit, and then writes a
//! [`PluginAnswer`] for each puzzle; with `--passes P --threads N` it solves all puzzles P times on N threads and writes
//! one line, [`PluginTimes`].

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use serde::{Deserialize, Serialize};

use super::contender::{Contender, ContenderAnswer, ProgramError, ProgramFailure, RunTime, SetAnswers};
use super::process::{Process, excerpt, lines, text};
use super::set::PuzzleSet;
use crate::engine::{Cost, Limit};
use crate::format::Alphabet;
use crate::puzzle::Size;

/// A program that solves puzzles.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    command: String,
    process: Process,
    /// The time of a process that reads nothing, once it was measured; `None` if it does not end well without puzzles.
    start_up: OnceCell<Option<RunTime>>,
    /// Whether it may answer each puzzle before it reads the next one.
    may_answer_at_once: bool,
}

/// The number of processes for measuring the start; the median counts.
const STARTS: usize = 5;

impl Program {
    /// A program that the shell starts with `command`.
    pub(crate) fn new(process: Process, command: String) -> Program {
        Program { process, command, start_up: OnceCell::new(), may_answer_at_once: true }
    }

    /// A process of the program.
    fn shell(&self) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", &self.command]);
        shell
    }

    /// Runs the program once, on the text of a set `passes` times; returns its output and the time, without the time to
    /// start if that is known.
    fn run(&self, set: &PuzzleSet, puzzles: &[u8], passes: usize) -> Result<(Vec<u8>, RunTime), ProgramError> {
        let mut shell = self.shell();
        if passes == 0 {
            // The messages of a program without puzzles are of no interest.
            shell.stderr(Stdio::null());
        }
        let feed = move |stdin: &mut dyn Write, _: &_| (0..passes).try_for_each(|_| stdin.write_all(puzzles));
        let (output, run_time) = self.process.run(shell, set, set.len() * passes, feed)?;
        let (answers, puzzles) = (lines(&output).count(), set.len() * passes);
        if answers != puzzles {
            return Err(self.process.error(set, ProgramFailure::AnswerCount { answers, puzzles }));
        }
        let Some(Some(start)) = self.start_up.get() else { return Ok((output, run_time)) };
        let cpu = run_time.cpu.map(|cpu| without_start(cpu, start.cpu.unwrap_or_default()));
        Ok((output, RunTime { wall: without_start(run_time.wall, start.wall), cpu }))
    }

    /// The median time of a process that reads nothing.
    fn measure_start_up(&self, set: &PuzzleSet) -> Option<RunTime> {
        let mut runs = Vec::with_capacity(STARTS);
        for _ in 0..STARTS {
            runs.push(self.run(set, &[], 0).ok()?.1);
        }
        runs.sort_by_key(|run_time| (run_time.cpu, run_time.wall));
        Some(runs[STARTS / 2])
    }
}

/// A time without the start, but at least a tenth of it.
fn without_start(run: Duration, start: Duration) -> Duration {
    run.saturating_sub(start).max(run / 10)
}

impl Contender for Program {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn threads(&self) -> Option<usize> {
        None
    }

    fn answer(&mut self, set: &PuzzleSet, _limit: Limit) -> Result<SetAnswers, ProgramError> {
        let (output, time) = self.run(set, &text(set), 1)?;
        let invalid =
            |line, answer| self.process.error(set, ProgramFailure::InvalidAnswer { line, text: excerpt(answer) });
        let answers = lines(&output)
            .zip(set.puzzles())
            .map(|(answer, (size, line, _))| parse(answer, set.alphabet(size)).ok_or_else(|| invalid(line, answer)))
            .collect::<Result<_, _>>()?;
        Ok(SetAnswers { answers, costs: vec![], time })
    }

    fn time(&mut self, set: &PuzzleSet, _limit: Limit, passes: usize) -> Result<RunTime, ProgramError> {
        self.start_up(set);
        Ok(self.run(set, &text(set), passes)?.1)
    }

    /// Writes a line when the line before it is answered. The first one is there twice, as the program also starts then.
    fn costs(&mut self, set: &PuzzleSet, passes: usize, longest: Duration) -> Vec<Cost> {
        let (puzzles, mut costs) = (text(set), vec![]);
        let lines = || puzzles.split_inclusive(|&byte| byte == b'\n');
        let all = passes * set.len() + 1;
        let feed = |stdin: &mut dyn Write, next_line: &Receiver<()>| {
            for line in lines().take(1).chain((0..passes).flat_map(|_| lines())) {
                let start = Instant::now();
                stdin.write_all(line)?;
                next_line.recv_timeout(longest).map_err(io::Error::other)?;
                costs.push(Cost { branches: None, nanos: start.elapsed().as_nanos() as u64 });
            }
            Ok(())
        };
        if self.may_answer_at_once {
            let is_run = self.process.run(self.shell(), set, all, feed).is_ok();
            self.may_answer_at_once = is_run && costs.len() == all;
        }
        if !self.may_answer_at_once {
            return vec![];
        }
        let of_passes: Vec<&[Cost]> = costs[1..].chunks(set.len()).collect();
        let least = |puzzle: usize| of_passes.iter().map(|costs| costs[puzzle]).min_by_key(|cost| cost.nanos);
        (0..set.len()).filter_map(least).collect()
    }

    fn start_up(&mut self, set: &PuzzleSet) -> Option<RunTime> {
        *self.start_up.get_or_init(|| self.measure_start_up(set))
    }
}

/// Reads a solution, which has the length of a puzzle, or a number, or a number and a solution.
fn parse(line: &[u8], alphabet: Alphabet) -> Option<ContenderAnswer> {
    if let Some(space) = line.iter().position(|&byte| byte == b' ')
        && space > 0
        && line.len() - space > alphabet.size().cells()
    {
        let [count, solution] = [&line[..space], line[space..].trim_ascii()].map(|word| parse(word, alphabet));
        return Some(ContenderAnswer { solutions: Some(count?.solutions?), ..solution? });
    }

    if line.len() == alphabet.size().cells() {
        let cells: Box<[u8]> = line.iter().map(|&byte| alphabet.value(byte)).collect();
        return (!cells.contains(&0)).then_some(ContenderAnswer {
            solutions: None,
            gave_up: false,
            solution: Some(cells),
        });
    }

    let count = str::from_utf8(line).ok()?.parse().ok()?;
    Some(ContenderAnswer { solutions: Some(count), gave_up: false, solution: None })
}

/// A solver in a process that measures its times.
#[derive(Clone, Debug)]
pub(crate) struct Plugin {
    program: PathBuf,
    arguments: Vec<OsString>,
    threads: usize,
    process: Process,
    /// The numbers of solutions in the last answers, by puzzle.
    solutions: HashMap<Box<[u8]>, u64>,
}

/// The line of JSON that the process of a plugin writes for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PluginAnswer {
    /// The number of solutions.
    pub(crate) solutions: u64,
    /// The number of guesses; 0 if it was not reported.
    pub(crate) guesses: u64,
    /// The CPU time of the call, in nanoseconds.
    pub(crate) nanos: u64,
    /// The bytes that it wrote as the solution.
    pub(crate) grid: Option<String>,
}

/// The line of JSON that the process of a plugin writes for some passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PluginTimes {
    /// Wall time.
    pub(crate) wall: Duration,
    /// CPU time of the process.
    pub(crate) cpu: Duration,
    /// The sum of the numbers of solutions over all passes.
    pub(crate) solutions: u64,
}

impl Plugin {
    /// A solver that processes of `program` call, on a number of threads.
    pub(crate) fn new(process: Process, program: PathBuf, arguments: Vec<OsString>, threads: usize) -> Plugin {
        Plugin { program, arguments, threads, process, solutions: HashMap::new() }
    }

    /// Runs a process on the puzzles of a set.
    fn run(&self, set: &PuzzleSet, limit: Limit, options: &[String]) -> Result<Vec<u8>, ProgramError> {
        if set.puzzles().any(|(size, ..)| size != Size::Nine) {
            return Err(self.process.error(set, ProgramFailure::PluginSize));
        }

        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(limit.get().to_string()).args(options);
        let puzzles = text(set);
        let (output, _) = self.process.run(command, set, set.len(), |stdin, _| stdin.write_all(&puzzles))?;
        Ok(output)
    }
}

impl Contender for Plugin {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn threads(&self) -> Option<usize> {
        Some(self.threads)
    }

    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError> {
        let output = self.run(set, limit, &[])?;
        let (answers, puzzles) = (lines(&output).count(), set.len());
        if answers != puzzles {
            return Err(self.process.error(set, ProgramFailure::AnswerCount { answers, puzzles }));
        }

        let alphabet = set.alphabet(Size::Nine);
        let (mut answers, mut costs) = (SetAnswers::default(), Vec::with_capacity(puzzles));
        self.solutions.clear();
        for (text, (_, line, puzzle)) in lines(&output).zip(set.puzzles()) {
            let invalid =
                |text: &[u8]| self.process.error(set, ProgramFailure::InvalidAnswer { line, text: excerpt(text) });
            let answer = serde_json::from_slice(text).map_err(|_| invalid(text))?;
            let PluginAnswer { solutions, guesses, nanos, grid } = answer;

            let cells = |grid: String| -> Result<Box<[u8]>, ProgramError> {
                let cells: Box<[u8]> = grid.bytes().map(|digit| alphabet.value(digit)).collect();
                let is_full = cells.len() == Size::Nine.cells() && !cells.contains(&0);
                if is_full { Ok(cells) } else { Err(invalid(grid.as_bytes())) }
            };
            let solution = grid.map(cells).transpose()?;
            answers.answers.push(ContenderAnswer { solutions: Some(solutions), gave_up: false, solution });
            costs.push((solutions, Cost { branches: Some(guesses), nanos }));
            self.solutions.insert(puzzle.into(), solutions);
        }

        // A function that does not count guesses reports 0 for all puzzles.
        let counts_guesses = costs.iter().any(|(_, cost)| cost.branches > Some(0));
        let comparable = |(solutions, cost): (u64, Cost)| {
            // A search that reached the limit may have ended anywhere.
            let is_complete = solutions < limit.get();
            Cost { branches: cost.branches.filter(|_| counts_guesses && is_complete), ..cost }
        };
        answers.costs = costs.into_iter().map(comparable).collect();
        let time = answers.costs.iter().map(|cost| Duration::from_nanos(cost.nanos)).sum();
        answers.time = RunTime { wall: time, cpu: Some(time) };
        Ok(answers)
    }

    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError> {
        let options = ["--passes".to_owned(), passes.to_string(), "--threads".to_owned(), self.threads.to_string()];
        let output = self.run(set, limit, &options)?;
        let error = |failure| ProgramError { command: self.label(), ..self.process.error(set, failure) };
        let invalid = |_| error(ProgramFailure::InvalidTimes(excerpt(output.trim_ascii())));
        let PluginTimes { wall, cpu, solutions: counted } = serde_json::from_slice(&output).map_err(invalid)?;

        let solutions: Option<u64> = set.puzzles().map(|(_, _, puzzle)| self.solutions.get(puzzle)).sum();
        if let Some(expected) = solutions.map(|solutions| solutions * passes as u64)
            && counted != expected
        {
            return Err(error(ProgramFailure::Miscounted { counted, expected }));
        }
        Ok(RunTime { wall, cpu: (self.threads == 1 && !cpu.is_zero()).then_some(cpu) })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cli::bench::set::tests::read;
    use crate::stop::Stop;

    /// The program of a command, which is its name, too.
    fn program(command: &str, timeout: Option<Duration>) -> Program {
        let process = Process { name: command.to_owned(), timeout, stop: Stop::new() };
        Program::new(process, command.to_owned())
    }

    const PUZZLES: &str = "1.3..........4.2\n1...............\n";

    fn answer(puzzles: &str, command: &str) -> Result<Vec<ContenderAnswer>, String> {
        let answers = program(command, None).answer(&read(puzzles).unwrap(), Limit::UNIQUE);
        answers.map(|answers| answers.answers).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_solution_or_a_count() {
        let answers = answer(PUZZLES, "echo 1234432121433412; echo ' 7'").unwrap();
        assert_eq!(answers[0].solution.as_deref(), Some(&[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2][..]));
        assert_eq!(answers[1], ContenderAnswer { solutions: Some(7), gave_up: false, solution: None });
        let both = answer(PUZZLES, "echo 1 1234432121433412; echo 0").unwrap();
        assert_eq!(both[0], ContenderAnswer { solutions: Some(1), ..answers[0].clone() });
    }

    #[test]
    fn missing_or_unreadable_answers_are_errors() {
        for (command, reason) in [
            ("head -n 1 | sed 's/.*/1/'", "answered 1 lines for 2 puzzles"),
            ("sed 's/.*/1/'; echo", "answered 3 lines for 2 puzzles"),
            ("cat >/dev/null", "answered 0 lines for 2 puzzles"),
            ("cat", "the answer to line 1 is neither a solution nor a count: '1.3..........4.2'"),
            ("exit 3", "exit status: 3"),
        ] {
            let error = answer(PUZZLES, command).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    /// A program that writes all answers at its end is asked only once.
    #[test]
    fn puzzles_are_timed_if_they_are_answered_at_once() {
        let (set, second) = (read(PUZZLES).unwrap(), Duration::from_secs(1));
        let slow = "while read -r puzzle; do case $puzzle in 1.3*) sleep 0.1 ;; esac; echo 1; done";
        let costs = program(slow, None).costs(&set, 3, 60 * second);
        assert!(costs.len() == 2 && costs[0].nanos > 100_000_000 && costs[0].nanos > costs[1].nanos, "{costs:?}");

        let mut at_end = program("sed 's/.*/1/'", None);
        assert_eq!(at_end.costs(&set, 3, second / 100), []);
        assert!(!at_end.may_answer_at_once);
    }

    /// The start takes no part of the time, and all passes are one process.
    #[test]
    fn passes_are_fed_to_one_process() {
        let set = read(PUZZLES).unwrap();
        let mut program = program("sed 's/.*/2/'", None);
        let run_time = program.time(&set, Limit::UNIQUE, 1000).unwrap();
        assert!(run_time.wall > Duration::ZERO && program.start_up(&set).is_some());
        // A program that answers without a question cannot be started without puzzles.
        let mut program = self::program("echo 2; echo 2", None);
        program.time(&set, Limit::UNIQUE, 1).unwrap();
        assert_eq!(program.start_up(&set), None);
    }

    #[test]
    fn a_program_that_hangs_is_killed_with_those_that_it_started() {
        let set = read(PUZZLES).unwrap();
        let mut program = program("sleep 600 | sleep 600", Some(Duration::from_millis(50)));
        let error = program.answer(&set, Limit::UNIQUE).unwrap_err().to_string();
        assert!(error.ends_with("took longer than 0.05 s and was killed"), "{error}");
    }

    /// More text than the pipes can hold, with a program that writes while it reads, and with one that reads nothing.
    #[test]
    fn full_pipes_do_not_block_the_run() {
        let puzzles = PUZZLES.repeat(20_000);
        let answers = answer(&puzzles, "sed 's/.*/00000000000000000000000000000002/'").unwrap();
        assert!(answers.len() == 40_000 && answers.iter().all(|answer| answer.solutions == Some(2)));
        assert_eq!(answer(&puzzles, "yes 2 | head -n 40000").unwrap(), answers);
    }

    /// A plugin whose process is a shell script.
    fn plugin(script: &str, threads: usize) -> Plugin {
        let process = Process { name: "scripted".to_owned(), timeout: None, stop: Stop::new() };
        Plugin::new(process, "sh".into(), vec!["-c".into(), script.into()], threads)
    }

    fn nine(puzzles: usize) -> PuzzleSet {
        read(&format!("{}1\n", ".".repeat(80)).repeat(puzzles)).unwrap()
    }

    /// A command that writes an answer.
    fn echo(solutions: u64, guesses: u64, nanos: u64, grid: Option<&str>) -> String {
        let answer = PluginAnswer { solutions, guesses, nanos, grid: grid.map(str::to_owned) };
        format!("echo '{}';", serde_json::to_string(&answer).unwrap())
    }

    /// Guesses are unknown of a search that the limit ended, and of all if none is above zero.
    #[test]
    fn answers_have_costs() {
        let branches = |script: &str| -> Vec<Option<u64>> {
            let answers = plugin(script, 1).answer(&nine(2), Limit::UNIQUE).unwrap();
            answers.costs.iter().map(|cost| cost.branches).collect()
        };
        assert_eq!(branches(&(echo(1, 3, 50, None) + &echo(2, 4, 60, None))), [Some(3), None]);
        assert_eq!(branches(&(echo(1, 0, 50, None) + &echo(1, 0, 60, None))), [None, None]);
    }

    #[test]
    fn times_are_those_that_the_process_reports() {
        let [wall, cpu] = [900, 800].map(Duration::from_nanos);
        let times = serde_json::to_string(&PluginTimes { wall, cpu, solutions: 8 }).unwrap();
        let answers = echo(2, 0, 50, None) + &echo(2, 0, 60, None);
        let script = format!("case $* in *passes*) echo '{times}' ;; *) {answers} ;; esac").replace(";; ;;", ";;");
        for (threads, cpu) in [(1, Some(Duration::from_nanos(800))), (2, None)] {
            let mut plugin = plugin(&script, threads);
            plugin.answer(&nine(2), Limit::UNIQUE).unwrap();
            let run = plugin.time(&nine(2), Limit::UNIQUE, 2).unwrap();
            assert_eq!(run, RunTime { wall: Duration::from_nanos(900), cpu });
            let error = plugin.time(&nine(2), Limit::UNIQUE, 3).unwrap_err().to_string();
            assert!(error.contains("counted 8 solutions when it was timed instead of 12"), "{error}");
        }
    }

    #[test]
    fn what_a_process_must_not_write_is_an_error() {
        for (script, reason) in [
            (String::new(), "answered 1 lines for 2 puzzles"),
            ("echo debug".to_owned(), "the answer to line 2 is neither a solution nor a count: 'debug'"),
            (echo(1, 0, 50, Some("123")), "the answer to line 2 is neither a solution nor a count: '123'"),
        ] {
            let error =
                plugin(&(echo(1, 0, 50, None) + &script), 1).answer(&nine(2), Limit::UNIQUE).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = plugin("echo debug", 1).time(&nine(2), Limit::UNIQUE, 1).unwrap_err().to_string();
        assert!(error.contains("wrote 'debug' instead of its times"), "{error}");
        let small = read("1.3..........4.2\n").unwrap();
        let error = plugin(&echo(1, 0, 50, None), 1).answer(&small, Limit::UNIQUE).unwrap_err().to_string();
        assert!(error.ends_with("a plugin solves 9x9 puzzles only"), "{error}");
    }
}
