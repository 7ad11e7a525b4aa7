//! Plays at random of a game in which all choose at once: [`try_actions`].

use super::rules::{Answered, Rules};
use super::table::actions;
use crate::Packed;
use crate::ask;
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::game::stop_of;
use crate::run::nested;
use zug_machine::Machine;
use zug_matrix::{
    Decoupled, JointGame, Next, Rational, SampleError, Turn, decoupled_uct, to_float,
};
use zug_prolog::builtins::World;
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// The result of decoupled UCT.
#[derive(Clone, Debug)]
pub struct SampledActions {
    /// The players, in order.
    pub players: Vec<Record>,
    /// The actions of each; none where the game is over.
    pub actions: Vec<Vec<Record>>,
    /// What came of them.
    pub found: Decoupled,
}

/// Tries the actions of all players in a state by decoupled UCT, without one in a game that has
/// none. Inside, the limit that struck before a play was over.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
pub fn try_actions(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    sampling: &Sampling,
    limits: &Limits,
) -> Result<Result<SampledActions, StopReason>, Box<RuleError>> {
    nested(m, w, limits, |m, w, inner| sample(&mut Rules::of(m, w)?, state, sampling, inner))
}

/// As [`try_actions`], with rules that are at hand.
pub(super) fn sample(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    sampling: &Sampling,
    limits: &Limits,
) -> Answered<Result<SampledActions, StopReason>> {
    let players = rules.players()?;
    let matrix = rules.parts.is_matrix();
    if !matrix && state.is_none() {
        let missing = Violation::Missing("initial_state(S)");
        return Err(RuleError::new(missing, indicator::INITIAL_STATE));
    }
    let mut game = Joint { rules, players, looked: None };
    let start = state.map(|state| game.pack(state)).transpose()?;
    let found = match decoupled_uct(&mut game, &start, sampling, limits) {
        Ok(found) => found,
        Err(SampleError::Stopped(reason)) => return Ok(Err(reason)),
        Err(SampleError::Failed(error)) => return Err(error),
    };
    let actions = if found.arms.is_empty() { Vec::new() } else { game.actions(&start)? };
    Ok(Ok(SampledActions { players: game.players, actions, found }))
}

/// A state; none in a game that has no states.
type State = Option<Packed>;

/// The rules as search plays them.
struct Joint<'r, 'a> {
    rules: &'r mut Rules<'a>,
    players: Vec<Record>,
    /// PERF: the state that was looked at last, with its term and actions. What is asked next
    /// is where they lead.
    looked: Option<(State, Option<Record>, Vec<Vec<Record>>)>,
}

impl Joint<'_, '_> {
    fn pack(&mut self, state: &Record) -> Answered<Packed> {
        let (m, _, codec) = self.rules.asker();
        let packed = ask::pack(m, codec, state).map(Packed::new);
        packed.map_err(|violation| RuleError::new(violation, indicator::JOINT_MOVE))
    }

    fn term(&mut self, state: &State) -> Option<Record> {
        let (m, _, codec) = self.rules.asker();
        Some(ask::unpack(m, codec, state.as_ref()?.bytes()))
    }

    /// The actions of all players in a state.
    fn actions(&mut self, state: &State) -> Answered<Vec<Vec<Record>>> {
        if self.looked.as_ref().is_none_or(|(known, ..)| known != state) {
            let term = self.term(state);
            let own = actions(self.rules, &self.players, term.as_ref())?;
            self.looked = Some((state.clone(), term, own));
        }
        Ok(self.looked.as_ref().map_or(Vec::new(), |(.., own)| own.clone()))
    }

    fn floats(values: &[Rational]) -> Vec<f64> {
        values.iter().map(to_float).collect()
    }
}

impl JointGame for Joint<'_, '_> {
    type State = State;
    type Error = Box<RuleError>;

    fn players(&self) -> usize {
        self.players.len()
    }

    fn look(&mut self, state: &State) -> Answered<Turn> {
        if !self.rules.parts.is_matrix()
            && let Some(term) = self.term(state)
            && self.rules.is_over(&self.players[0], &term)?
        {
            let worth = self.players.iter().map(|player| self.rules.utility(player, &term));
            let worth: Vec<Rational> = worth.collect::<Answered<_>>()?;
            return Ok(Turn::Over(Self::floats(&worth)));
        }
        Ok(Turn::Choose(self.actions(state)?.iter().map(Vec::len).collect()))
    }

    fn lead(&mut self, state: &State, chosen: &[usize]) -> Answered<Next<State>> {
        let own = self.actions(state)?;
        let profile: Vec<&Record> = chosen.iter().zip(&own).map(|(&at, own)| &own[at]).collect();
        if self.rules.parts.is_matrix() {
            return Ok(Next::Ends(Self::floats(&self.rules.payoffs(&profile)?)));
        }
        let Some(term) = self.looked.as_ref().and_then(|(_, term, _)| term.clone()) else {
            return Ok(Next::Ends(vec![0.0; self.players.len()]));
        };
        let to = self.rules.joint_move(&profile, &term)?;
        Ok(Next::State(Some(self.pack(&to)?)))
    }

    fn limit_met(&self, error: &Box<RuleError>) -> Option<StopReason> {
        match stop_of(error)? {
            zug_machine::StopReason::Time => Some(StopReason::Time),
            zug_machine::StopReason::Interrupted => Some(StopReason::Cancelled),
            _ => None,
        }
    }

    fn owned_bytes(&self, state: &State) -> usize {
        state.as_ref().map_or(0, |state| state.heap_bytes())
    }
}
