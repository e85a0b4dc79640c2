//! Arguments that several commands share: each is declared here once, and says which files it names.

mod card;
pub(crate) mod class_key;
mod input;
mod output;
mod refusal;
mod reporting;
mod solvers;
mod solving;
mod table;
pub(crate) mod values;

pub(crate) use self::card::CardArgs;
pub(crate) use self::input::{AnswerArgs, CheckedAnswerArgs, InputArgs, LongRunArgs, origins, read_once};
pub(crate) use self::output::OutputArgs;
pub(crate) use self::refusal::in_one_line;
pub(crate) use self::reporting::{PageArgs, ReportingArgs, TopArgs};
pub(crate) use self::solvers::SolversArgs;
pub(crate) use self::solving::{ExecutionArgs, SolvingArgs, WorkArgs};
pub(crate) use self::table::{RowArgs, Table, TableArgs, To};
