//! Games of several stages: all choose at once, and what they choose leads to the next stage.
//!
//! Solved from the ends backwards (Shapley 1953, for games that end): what a stage is worth
//! follows from the table of what its successors are worth. Where one of two players gains what
//! the other loses, that is the value. Elsewhere it is what one equilibrium pays, the first
//! pure one, else that of [`lemke_howson`] with label 0: together they are an equilibrium of the
//! whole game, one of many.

use super::lemke_howson::lemke_howson;
use super::meter::Meter;
use super::normal_form::NormalForm;
use super::pure::pure_equilibria;
use super::rational::Rational;
use super::strategy::MixedStrategy;
use super::verify::verify;
use super::zero_sum::solve_zero_sum;
use rustc_hash::{FxHashMap, FxHashSet};
use zug_search::{Limits, StateId, StopReason};

/// A game of several stages, whose states have numbers.
pub trait StageGame {
    /// Why an operation fails.
    type Error;

    /// The utilities of a state where the game is over.
    ///
    /// # Errors
    /// The game's own.
    fn ends(&mut self, state: StateId) -> Result<Option<Vec<Rational>>, Self::Error>;

    /// The choices in a state where the game is not over.
    ///
    /// # Errors
    /// The game's own.
    fn stage(&mut self, state: StateId) -> Result<Stage, Self::Error>;

    /// Bytes held by states.
    fn bytes(&self) -> usize;
}

/// What can be chosen in a state, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How many actions each player has; 1 at least.
    pub actions: Vec<usize>,
    /// Where each profile leads; the action of the last player changes fastest.
    pub next: Vec<StateId>,
}

/// Why a game is not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageError<E> {
    /// A limit struck; `nodes` are states.
    Stopped(StopReason),
    /// An operation failed.
    Failed(E),
    /// Play can come back to this state.
    Cycle(StateId),
    /// More than two players have no pure equilibrium in this state.
    NoEquilibrium(StateId),
}

/// Values of states.
#[derive(Clone, Debug, Default)]
pub struct StageValues {
    values: FxHashMap<StateId, Vec<Rational>>,
    /// The states, each behind those that it leads to.
    order: Vec<StateId>,
}

/// Bytes that a value takes, about.
const VALUE_BYTES: usize = 96;

impl StageValues {
    /// The value of a solved state to each player.
    pub fn of(&self, state: StateId) -> Option<&[Rational]> {
        self.values.get(&state).map(Vec::as_slice)
    }

    /// The solved states, each behind those that it leads to.
    pub fn states(&self) -> &[StateId] {
        &self.order
    }

    fn insert(&mut self, state: StateId, values: Vec<Rational>) {
        self.values.insert(state, values);
        self.order.push(state);
    }

    /// How many states are solved.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The table of a stage whose successors are solved.
    pub fn table(&self, stage: &Stage) -> Option<NormalForm> {
        let values: Option<Vec<&[Rational]>> = stage.next.iter().map(|&to| self.of(to)).collect();
        NormalForm::new(stage.actions.clone(), values?.concat()).ok()
    }

    fn bytes(&self) -> usize {
        let players = self.values.values().next().map_or(0, Vec::len);
        self.values.len() * VALUE_BYTES * players.max(1)
    }
}

/// A stage on the way down: its state, and how many of its successors were looked at.
struct Open {
    state: StateId,
    stage: Stage,
    looked: usize,
}

/// Solves a state and all that can follow it.
///
/// # Errors
/// See [`StageError`].
pub fn solve_stages<G: StageGame>(
    game: &mut G,
    start: StateId,
    limits: &Limits,
) -> Result<StageValues, StageError<G::Error>> {
    let mut solver = Solver { game, limits, meter: Meter::new(limits), values: <_>::default() };
    let mut path: Vec<Open> = Vec::new();
    let mut on_path: FxHashSet<StateId> = FxHashSet::default();
    let mut entered = Some(start);
    loop {
        if let Some(open) = entered.take().map(|state| solver.enter(state)).transpose()?.flatten() {
            on_path.insert(open.state);
            path.push(open);
        }
        let Some(open) = path.last_mut() else { break };
        match open.stage.next.get(open.looked) {
            Some(next) if on_path.contains(next) => return Err(StageError::Cycle(*next)),
            Some(&next) => {
                open.looked += 1;
                entered = solver.values.of(next).is_none().then_some(next);
            }
            None => {
                solver.leave(open)?;
                on_path.remove(&open.state);
                path.pop();
            }
        }
    }
    Ok(solver.values)
}

struct Solver<'g, 'l, G> {
    game: &'g mut G,
    limits: &'l Limits,
    meter: Meter<'l>,
    values: StageValues,
}

impl<G: StageGame> Solver<'_, '_, G> {
    /// Looks at a new state; an end is solved at once.
    fn enter(&mut self, state: StateId) -> Result<Option<Open>, StageError<G::Error>> {
        self.meter.step().map_err(StageError::Stopped)?;
        let held = self.values.bytes() + self.game.bytes();
        if self.limits.memory.is_some_and(|most| held > most) {
            return Err(StageError::Stopped(StopReason::Memory));
        }
        if let Some(values) = self.game.ends(state).map_err(StageError::Failed)? {
            self.values.insert(state, values);
            return Ok(None);
        }
        let stage = self.game.stage(state).map_err(StageError::Failed)?;
        Ok(Some(Open { state, stage, looked: 0 }))
    }

    /// Solves a stage whose successors are solved.
    fn leave(&mut self, open: &Open) -> Result<(), StageError<G::Error>> {
        let table = self.values.table(&open.stage).expect("successors are solved before");
        let inner = Limits { nodes: None, ..self.limits.clone() };
        let solved = solve_stage(&table, &inner).map_err(StageError::Stopped)?;
        let solved = solved.ok_or(StageError::NoEquilibrium(open.state))?;
        self.values.insert(open.state, solved.values);
        Ok(())
    }
}

/// The equilibrium that a stage is solved by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSolution {
    /// A strategy for each player.
    pub profile: Vec<MixedStrategy>,
    /// What it pays to each.
    pub values: Vec<Rational>,
}

/// Solves a stage by the table of what its successors are worth; `None` if no equilibrium can be found.
///
/// # Errors
/// A limit struck.
pub fn solve_stage(
    table: &NormalForm,
    limits: &Limits,
) -> Result<Option<StageSolution>, StopReason> {
    let matrices = table.to_bimatrix();
    if let Some(game) = matrices.as_ref().and_then(|game| game.to_zero_sum()) {
        let solved = solve_zero_sum(&game, limits)?;
        let values = vec![solved.value.clone(), -solved.value];
        return Ok(Some(StageSolution { profile: solved.profile.into(), values }));
    }
    if let Some(pure) = pure_equilibria(table, limits)?.first() {
        let players = 0..table.shape().len();
        let values = players.map(|player| table.payoff(pure, player).clone()).collect();
        let own = pure.iter().zip(table.shape());
        let profile = own.map(|(&action, &of)| MixedStrategy::pure(action, of)).collect();
        return Ok(Some(StageSolution { profile, values }));
    }
    let Some(game) = matrices else { return Ok(None) };
    let Some(found) = lemke_howson(&game, 0, limits)? else { return Ok(None) };
    let values = verify(&game, &found).ok().map(|certificate| certificate.payoffs);
    Ok(values.map(|values| StageSolution { profile: found.into(), values }))
}
