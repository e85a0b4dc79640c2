//! The columns of a table (CSV, JSON lines or Parquet), and the choice of the columns with puzzles and answers.

use super::Size;
use super::alphabet::listed;
use super::error::DetectError;
use crate::puzzle::SizeWithBoxes;

/// Column names of puzzles, in the order of preference.
const PUZZLE_NAMES: [&str; 12] = [
    "puzzle",
    "puzzles",
    "quizzes",
    "quiz",
    "question",
    "sudoku",
    "grid",
    "givens",
    "board",
    "initial_board",
    "input",
    "inputs",
];

/// Column names of answers, in the order of preference.
const ANSWER_NAMES: [&str; 12] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "solved",
    "solved_board",
    "label",
    "labels",
    "output",
    "outputs",
    "target",
    "targets",
];

/// Column names of responses, in the order of preference.
const RESPONSE_NAMES: [&str; 12] = [
    "response",
    "responses",
    "completion",
    "completions",
    "generation",
    "generations",
    "generated",
    "generated_text",
    "prediction",
    "predictions",
    "output",
    "answer",
];

/// The column of a table with the answers: the solutions according to its author.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnswerColumn {
    /// Answers are not read.
    #[default]
    Ignored,
    /// The column with one of the usual names (`solution`, `solutions`, `answer`, ...), if there is one.
    ByName,
    /// The column with one of the usual names for answers of a solver or a model (`response`, `completion`,
    /// `generation`, ...). Makes the format CSV, unless it is JSON lines.
    Response,
    /// The column with this name. Makes the format CSV, unless it is JSON lines.
    Named(String),
}

impl AnswerColumn {
    /// The given name.
    pub(crate) fn name(&self) -> Option<&str> {
        if let AnswerColumn::Named(name) = self { Some(name) } else { None }
    }
}

/// The name that stands for all columns to copy to the output, unless a column is called so.
pub(crate) const ALL_COLUMNS: &str = "all";

/// The columns that the user requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedColumns<'a> {
    /// The name of the column with the puzzles.
    pub(super) puzzle: Option<&'a str>,
    /// The column with the answers.
    pub(super) answer: &'a AnswerColumn,
    /// The names of the columns to copy to the output.
    pub(super) keep: &'a [String],
    /// Whether all other columns are read in place of these.
    pub(super) others: bool,
}

impl WantedColumns<'_> {
    /// Whether the column of the puzzles or of the answers was named.
    pub(super) fn has_name(&self) -> bool {
        self.puzzle.is_some() || matches!(self.answer, AnswerColumn::Named(_) | AnswerColumn::Response)
    }

    /// The names that were given.
    #[cfg(feature = "corpus")]
    pub(super) fn named(&self) -> impl Iterator<Item = &str> {
        self.puzzle.into_iter().chain(self.answer.name()).chain(self.keep.iter().map(String::as_str))
    }

    /// The names for a table without a header and records: the requested columns.
    pub(super) fn names(&self) -> Vec<String> {
        let response = (*self.answer == AnswerColumn::Response).then_some(RESPONSE_NAMES[0]);
        let cells = [self.puzzle.unwrap_or(PUZZLE_NAMES[0])].into_iter().chain(self.answer.name()).chain(response);
        cells.map(str::to_owned).chain(self.keep.iter().cloned()).collect()
    }
}

/// The texts to count in a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sought {
    /// Unsolved puzzles, without two equal digits in a house.
    Puzzles,
    /// Grids and texts that are close to a grid.
    Attempts,
    FullGrids,
    /// Grids whose only digit is 1.
    Masks,
}

/// The columns of a table that a run reads, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnChoice {
    /// The column with the puzzles.
    pub(crate) puzzle: usize,
    /// The column with the answers, if it exists and is read.
    pub(crate) answer: Option<usize>,
    /// The columns to copy to the output.
    pub(crate) keep: Vec<usize>,
}

/// The columns of a table, and the choice of the columns to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The names of all columns.
    pub(crate) names: Vec<String>,
    pub(crate) choice: ColumnChoice,
    /// Whether the puzzles were found by the content of their column.
    pub(crate) is_found: bool,
    /// The index of a column that looks like answers but was not requested.
    pub(crate) unnamed_answers: Option<usize>,
    /// Phrases for further columns, with typed values, that look like puzzles and are not read.
    pub(crate) not_read: Vec<String>,
}

impl Table {
    /// Chooses the requested columns, or columns with a usual name. If the column of the puzzles was not named, `find`
    /// looks for one.
    pub(super) fn choose(
        names: Vec<String>,
        wanted: WantedColumns<'_>,
        find: impl FnOnce(&[String]) -> Result<Option<usize>, DetectError>,
    ) -> Result<Table, DetectError> {
        let found = if wanted.puzzle.is_none() { find(&names)? } else { None };
        let choice = choose(&names, wanted, found)?;
        let is_found =
            found.is_some_and(|column| !PUZZLE_NAMES.contains(&&*last_key(&names[column]).to_ascii_lowercase()));
        Ok(Table { names, choice, is_found, unnamed_answers: None, not_read: vec![] })
    }

    /// The names of the columns to copy to the output.
    pub(super) fn kept(&self) -> Vec<&str> {
        self.choice.keep.iter().map(|&column| &*self.names[column]).collect()
    }

    /// A remark on the columns that are neither read nor copied, if there are any.
    pub(super) fn left_out(&self) -> Option<String> {
        let ColumnChoice { puzzle, answer, keep } = &self.choice;
        let is_left_out = |column: &usize| column != puzzle && Some(*column) != *answer && !keep.contains(column);
        let names: Vec<_> = (0..self.names.len()).filter(is_left_out).map(|column| &*self.names[column]).collect();
        (!names.is_empty()).then(|| format!("left out '{}', which the first input does not have", names.join("', '")))
    }

    /// A phrase: `puzzle in column 2 'question', 4x4`. `column` describes one by its index.
    pub(super) fn describe(&self, sizes: &[Size], column: impl Fn(usize) -> String) -> String {
        let puzzle = column(self.choice.puzzle) + if self.is_found { ", found by its content" } else { "" };
        let answer = self.choice.answer.map(|answer| format!(", answer in {}", column(answer))).unwrap_or_default();
        // Nearly all tables have 9x9 puzzles.
        let is_usual = sizes.is_empty() || sizes == [Size::Nine];
        let sizes =
            if is_usual { String::new() } else { format!(", {}", listed(sizes.iter().map(SizeWithBoxes), "and")) };
        format!("puzzle in {puzzle}{answer}{sizes}")
    }
}

/// Chooses the columns of a table with these names. `found` is the column where puzzles were found, if it was not
/// named.
fn choose(names: &[String], wanted: WantedColumns<'_>, found: Option<usize>) -> Result<ColumnChoice, DetectError> {
    let missing = |name: &str| DetectError::NoColumn { name: name.to_owned(), columns: names.to_vec() };
    let find = |name: &str| position(names, name).ok_or_else(|| missing(name));
    let puzzle = match wanted.puzzle {
        Some(name) => find(name)?,
        None => found
            .or_else(|| puzzle_column(names, None))
            .ok_or_else(|| DetectError::NoPuzzleColumn { columns: names.to_vec() })?,
    };
    let answer = match wanted.answer {
        AnswerColumn::Ignored => None,
        AnswerColumn::ByName => usual_answer_column(names)
            .or_else(|| names.iter().position(|name| are_answers(name, &names[puzzle])))
            .filter(|&answer| answer != puzzle),
        AnswerColumn::Response => Some(match RESPONSE_NAMES.iter().find_map(|name| usual_position(names, name)) {
            Some(response) => response,
            None => find(RESPONSE_NAMES[0])?,
        }),
        AnswerColumn::Named(name) => Some(find(name)?),
    };
    let others = (0..names.len()).filter(|&column| column != puzzle && Some(column) != answer);
    let keep: Vec<usize> = match wanted.keep {
        _ if wanted.others => others.collect(),
        [name] if name == ALL_COLUMNS && position(names, name).is_none() => others.collect(),
        keep => keep.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };

    // Names are ambiguous only if they are used.
    for &column in [puzzle].iter().chain(&answer).chain(&keep) {
        let name = &names[column];
        if !name.is_empty() && names.iter().filter(|other| *other == name).count() > 1 {
            return Err(DetectError::SameName { name: name.clone() });
        }
    }
    Ok(ColumnChoice { puzzle, answer, keep })
}

/// The index of the column with the puzzles: the column called `name` or, without a name, a column with a usual one.
pub(crate) fn puzzle_column(names: &[String], name: Option<&str>) -> Option<usize> {
    name.map_or_else(|| usual_puzzle_columns(names).next(), |name| position(names, name))
}

/// The columns with a usual name for puzzles, in the order of preference.
pub(super) fn usual_puzzle_columns(names: &[String]) -> impl Iterator<Item = usize> {
    PUZZLE_NAMES.iter().filter_map(|name| usual_position(names, name))
}

/// Whether a column has a usual name for answers or responses, or a name with a word for answers and none for puzzles.
pub(crate) fn is_named_as_answer(name: &str) -> bool {
    let name = last_key(name).to_ascii_lowercase();
    let has_word = |is_word: fn(&str) -> bool| name.split('_').any(is_word);
    RESPONSE_NAMES.contains(&&*name) || has_word(is_answer_word) && !has_word(is_puzzle_word)
}

/// Whether a column with this name has the answers to the puzzles in another: their names differ only in a word for
/// answers in place of one for puzzles, as `y_train` with `x_train`.
fn are_answers(name: &str, puzzles: &str) -> bool {
    let (name, puzzles) = (name.to_ascii_lowercase(), puzzles.to_ascii_lowercase());
    let [words, of_puzzles] = [&name, &puzzles].map(|name| name.split('_'));
    let is_pair = |(word, other): (&str, &str)| word == other || is_answer_word(word) && is_puzzle_word(other);
    name != puzzles && words.clone().count() == of_puzzles.clone().count() && words.zip(of_puzzles).all(is_pair)
}

fn is_answer_word(word: &str) -> bool {
    word == "y" || ANSWER_NAMES.contains(&word)
}

fn is_puzzle_word(word: &str) -> bool {
    word == "x" || PUZZLE_NAMES.contains(&word)
}

/// The index of the column with a usual name for answers.
pub(crate) fn usual_answer_column(names: &[String]) -> Option<usize> {
    ANSWER_NAMES.iter().find_map(|name| usual_position(names, name))
}

/// The index of the first column with a usual name, or of the first path that ends in it.
fn usual_position(names: &[String], name: &str) -> Option<usize> {
    position(names, name).or_else(|| names.iter().position(|other| last_key(other).eq_ignore_ascii_case(name)))
}

/// The last key of a path such as `metadata.puzzle`.
fn last_key(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// The index of the first column with a name. A column with the same case is preferred.
pub(super) fn position(names: &[String], name: &str) -> Option<usize> {
    let exact = names.iter().position(|other| other == name);
    exact.or_else(|| names.iter().position(|other| other.eq_ignore_ascii_case(name)))
}
