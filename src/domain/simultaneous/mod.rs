//! Rule programs as games in which all players choose at once.
//!
//! [`Parts`] finds the predicates that make a program such a game; [`Table`] is the table of
//! its payoffs as `search::matrix` takes it, players and actions beside it as terms; [`nash()`]
//! looks for equilibria. A game of several stages is solved backwards, and each of its stages is
//! such a table; [`try_actions`] makes plays at random instead. [`play_match`], [`play_tournament`] and [`Duel`] repeat a game;
//! [`choices`], [`choose`] and [`play_round`] play it one round at a time.
//!
//! # Invariants
//!
//! - Payoffs are exact: integers, fractions, floats as the binary fractions they are.
//! - Actions have the numbers of the rules' answers: the order of the rules is that of tables.

mod arena;
mod breach;
mod contest;
pub mod contests;
mod duel;
pub(crate) mod exact;
mod nash;
mod parts;
mod player_spec;
mod plays;
pub mod predicates;
mod round;
mod rules;
mod sampled;
#[cfg(test)]
mod stage_tests;
mod stages;
mod stepping;
mod table;
#[cfg(test)]
mod tests;

pub use breach::Breach;
pub use contest::{ContestResult, RoundObserver, play_match, play_tournament};
pub use duel::{Duel, DuelRound};
pub use nash::{Equilibrium, Extent, Nash, NashTask, nash};
pub use parts::Parts;
pub use plays::{Mix, Play, PlayFault, Stage, check_plays, equilibrium_plays};
pub use round::{Choices, RoundResult, Seat, choices, choose, opponents, play_round};
pub use sampled::{SampledActions, try_actions};
pub use stepping::Stages;
pub use table::Table;

use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::run::nested;
use crate::{Contract, instances};
use rules::Rules;
pub(crate) use rules::same;
use zug_machine::Machine;
use zug_matrix::{JointLearning, Learning, LearningReport, learn, learn_together};
use zug_prolog::builtins::World;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// The result of a search for equilibria.
#[derive(Clone, Debug)]
pub struct NashResult {
    /// The table; none if a limit struck before it was known.
    pub table: Option<Table>,
    /// The equilibria, or the limit that struck.
    pub nash: Result<Nash, StopReason>,
    /// In a game of several stages: states that were solved for the table.
    pub states: Option<usize>,
}

/// Looks for equilibria of the game that a program is, in a state.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
pub fn find_nash(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    task: &NashTask,
) -> Result<NashResult, Box<RuleError>> {
    nested(m, w, &task.limits, |m, w, limits| {
        Ok(match table(&mut Rules::of(m, w)?, state, limits)? {
            Ok((table, states)) => {
                let task = NashTask { limits: limits.clone(), ..task.clone() };
                let nash = nash(&table, &task);
                NashResult { table: Some(table), nash, states }
            }
            Err(reason) => NashResult { table: None, nash: Err(reason), states: None },
        })
    })
}

/// A table with the states solved for it, if it is of one stage of several; or the limit that
/// struck.
type Tabled = Result<(Table, Option<usize>), StopReason>;

/// The table of a game in a state.
fn table(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    limits: &Limits,
) -> Result<Tabled, Box<RuleError>> {
    if rules.parts.is_matrix() {
        return Ok(Ok((Table::of_payoffs(rules, state)?, None)));
    }
    let found = stages::table(rules, state, limits)?;
    Ok(found.map(|(table, states)| (table, Some(states))))
}

/// The result of learning with its table, or the limit that struck before.
pub type Learned = Result<(Table, LearningResult), StopReason>;

/// The result of learning.
#[derive(Clone, Debug)]
pub enum LearningResult {
    /// Two players, each for itself.
    Two(LearningReport),
    /// Any other number, together.
    Together(JointLearning),
}

impl LearningResult {
    /// The limit that ended it early.
    pub fn stopped(&self) -> Option<StopReason> {
        match self {
            LearningResult::Two(learned) => learned.stopped,
            LearningResult::Together(learned) => learned.stopped,
        }
    }
}

/// Lets the players of the game that a program is learn.
///
/// # Errors
/// As [`find_nash`].
pub fn find_by_learning(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    how: Learning,
    limits: &Limits,
) -> Result<Learned, Box<RuleError>> {
    nested(m, w, limits, |m, w, limits| {
        let table = match table(&mut Rules::of(m, w)?, state, limits)? {
            Ok((table, _)) => table,
            Err(reason) => return Ok(Err(reason)),
        };
        let lesson = match table.game.to_bimatrix() {
            Some(game) => LearningResult::Two(learn(&game, how, limits)),
            None => LearningResult::Together(learn_together(&table.game, how, limits)),
        };
        Ok(Ok((table, lesson)))
    })
}

/// States, or profiles of actions, that are looked at to see whether the rules hold together.
const FIRST_STATES: u64 = 300;

/// Asks about the beginning of a game everything that there is to ask; how many players there
/// are.
///
/// # Errors
/// As [`find_nash`].
pub fn outline(
    m: &mut Machine,
    w: &mut World,
    start: Option<&Record>,
) -> Result<usize, Box<RuleError>> {
    let limits = Limits { nodes: Some(FIRST_STATES), ..Limits::none() };
    let mut rules = Rules::of(m, w)?;
    if rules.parts.is_matrix() {
        return table::sample(&mut rules, start, FIRST_STATES as usize);
    }
    // A large game is not looked at as a whole.
    let _ = stages::table(&mut rules, start, &limits)?;
    Ok(rules.players()?.len())
}

/// The players, in order.
///
/// # Errors
/// The program is no such game, or an answer breaks the contract.
pub fn players(m: &mut Machine, w: &mut World) -> Result<Vec<Record>, Box<RuleError>> {
    Rules::of(m, w)?.players()
}

/// The first initial state, if the program has any.
fn first_state(m: &mut Machine, w: &mut World) -> Result<Option<Record>, Box<RuleError>> {
    let contract = Contract::of(m);
    if contract.initial.is_none() && contract.named_initial.is_none() {
        return Ok(None);
    }
    let first = instances(m, w, &contract, 1)?.into_iter().next();
    Ok(first.map(|instance| instance.state))
}

/// Something is for two players.
fn not_two(what: &'static str, players: usize) -> Box<RuleError> {
    RuleError::new(Violation::Together(Breach::NotTwo(what, players)), indicator::PLAYERS)
}
