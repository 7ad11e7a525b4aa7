//! The stages of `joint_move/3` as search takes them: states packed and numbered.

use super::Breach;
use super::plays::{Play, strategies};
use super::rules::{Answered, Rules};
use super::table::{Table, actions};
use crate::PackedStore;
use crate::ask;
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use rustc_hash::FxHashMap;
use zug_matrix::{
    NormalForm, Rational, Stage, StageError, StageGame, StageValues, solve_stage, solve_stages,
};
use zug_search::{Limits, StateId, StateStore, StopReason};
use zug_term::{Cell, Record};

/// A game of several stages.
struct Stages<'r, 'a> {
    rules: &'r mut Rules<'a>,
    players: Vec<Record>,
    states: PackedStore,
}

impl<'r, 'a> Stages<'r, 'a> {
    fn of(rules: &'r mut Rules<'a>) -> Answered<Self> {
        let players = rules.players()?;
        Ok(Stages { rules, players, states: PackedStore::default() })
    }

    /// Solves all that can follow a state: its number, and the values.
    fn solve(
        &mut self,
        state: Option<&Record>,
        limits: &Limits,
    ) -> Answered<Result<(StateId, StageValues), StopReason>> {
        let Some(state) = state else {
            let missing = Violation::Missing("initial_state(S)");
            return Err(RuleError::new(missing, indicator::INITIAL_STATE));
        };
        let start = self.number(state)?;
        match solve_stages(self, start, limits) {
            Ok(values) => Ok(Ok((start, values))),
            Err(StageError::Stopped(reason)) => Ok(Err(reason)),
            Err(StageError::Failed(error)) => Err(error),
            Err(StageError::Cycle(state)) => Err(self.about(Breach::Cycle, state)),
            Err(StageError::NoEquilibrium(state)) => Err(self.about(Breach::NoEquilibrium, state)),
        }
    }

    /// The number of a state.
    fn number(&mut self, state: &Record) -> Answered<StateId> {
        let (m, _, codec) = self.rules.asker();
        let number = ask::pack(m, codec, state).map(|bytes| self.states.intern_bytes(bytes).0);
        number.map_err(|violation| RuleError::new(violation, indicator::JOINT_MOVE))
    }

    fn state(&mut self, number: StateId) -> Record {
        let (m, _, codec) = self.rules.asker();
        ask::unpack(m, codec, self.states.bytes_of(number))
    }

    fn about(&mut self, breach: Breach, state: StateId) -> Box<RuleError> {
        let mut error = RuleError::new(Violation::Together(breach), indicator::JOINT_MOVE);
        error.state = Some(self.state(state));
        error
    }

    /// The actions in a state, and the states that they lead to.
    fn choices(&mut self, state: StateId) -> Answered<(Vec<Vec<Record>>, Stage)> {
        let state = self.state(state);
        let own = actions(self.rules, &self.players, Some(&state))?;
        // A table whose payoffs are the numbers of states, for its order of profiles.
        let mut next = Vec::new();
        Table::fill(self.players.clone(), own.clone(), |profile| {
            let to = self.rules.joint_move(profile, &state)?;
            next.push(self.number(&to)?);
            Ok(vec![Rational::default(); profile.len()])
        })?;
        let actions = own.iter().map(Vec::len).collect();
        Ok((own, Stage { actions, next }))
    }
}

impl StageGame for Stages<'_, '_> {
    type Error = Box<RuleError>;

    fn ends(&mut self, state: StateId) -> Answered<Option<Vec<Rational>>> {
        let state = self.state(state);
        if !self.rules.is_over(&self.players[0], &state)? {
            return Ok(None);
        }
        let worth = self.players.iter().map(|player| self.rules.utility(player, &state));
        worth.collect::<Answered<_>>().map(Some)
    }

    fn stage(&mut self, state: StateId) -> Answered<Stage> {
        Ok(self.choices(state)?.1)
    }

    fn bytes(&self) -> usize {
        self.rules.codec.bytes() + self.states.bytes()
    }
}

/// A stage as a table of what continuing is worth, and how many states were solved for it. Where
/// the game is over every player has the action `none`.
pub(super) fn table(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    limits: &Limits,
) -> Answered<Result<(Table, usize), StopReason>> {
    let mut stages = Stages::of(rules)?;
    let (start, values) = match stages.solve(state, limits)? {
        Ok(solved) => solved,
        Err(reason) => return Ok(Err(reason)),
    };
    let table = of_values(&mut stages, start, &values)?;
    Ok(Ok((table, values.len())))
}

/// What every player does in each of the stages that can follow a state, in an order of ranks.
pub(super) fn plays(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    limits: &Limits,
) -> Answered<Result<Vec<Play>, StopReason>> {
    let mut stages = Stages::of(rules)?;
    let values = match stages.solve(state, limits)? {
        Ok((_, values)) => values,
        Err(reason) => return Ok(Err(reason)),
    };
    let inner = Limits { nodes: None, ..limits.clone() };
    let mut ranks: FxHashMap<StateId, u64> = FxHashMap::default();
    let mut plays = Vec::with_capacity(values.len());
    for &number in values.states() {
        let worth = values.of(number).unwrap_or_default().to_vec();
        let mut play = Play { state: None, rank: 0, values: worth, strategies: Vec::new() };
        if stages.ends(number)?.is_none() {
            let (actions, stage) = stages.choices(number)?;
            let below = stage.next.iter().filter_map(|to| ranks.get(to)).max();
            play.rank = below.map_or(0, |rank| rank + 1);
            let solved = values.table(&stage).map(|table| solve_stage(&table, &inner));
            match solved.transpose() {
                Ok(solved) => play.strategies = strategies(&actions, solved.flatten()),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        ranks.insert(number, play.rank);
        play.state = Some(stages.state(number));
        plays.push(play);
    }
    Ok(Ok(plays))
}

fn of_values(stages: &mut Stages<'_, '_>, start: StateId, values: &StageValues) -> Answered<Table> {
    let over = |values: &[Rational]| NormalForm::new(vec![1; values.len()], values.to_vec());
    let too_large = || RuleError::new(Violation::Together(Breach::TooLarge), indicator::JOINT_MOVE);
    let players = stages.players.clone();
    if stages.ends(start)?.is_some() {
        let none = stages.rules.machine.symbols.intern("none");
        let none = Record::atomic(Cell::atom(none));
        let game = over(values.of(start).unwrap_or_default()).map_err(|_| too_large())?;
        return Ok(Table { actions: vec![vec![none]; players.len()], players, game });
    }
    let (actions, stage) = stages.choices(start)?;
    let game = values.table(&stage).ok_or_else(too_large)?;
    Ok(Table { players, actions, game })
}
