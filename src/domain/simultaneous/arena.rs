//! A game that is played again and again, by models and by players of the rule file.
//!
//! What a player of the rule file does in a round, the rules are asked before it: search knows
//! such a player as a guest that plays what lies on its [`PlayerState`].

use super::nash::nash;
use super::player_spec::{Base, PlayerSpec};
use super::rules::{Answered, Question, Rules, same};
use super::table::Table;
use super::{Breach, NashTask, not_two};
use crate::ask::Arg;
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use std::cell::RefCell;
use std::rc::Rc;
use zug_matrix::repeated::{Guest, Model, ModelError, ModelSpec, RepeatedGame, constant};
use zug_matrix::{Decoupled, OneShot, SampleError, decoupled_uct, to_float};
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// What a player of the rule file has observed, and its next action.
struct PlayerState {
    name: Record,
    seat: usize,
    /// How many actions the two have: its own and the other's.
    actions: [usize; 2],
    /// What it played and what the other played, the latest last.
    own: Vec<usize>,
    other: Vec<usize>,
    next: usize,
}

type Shared = Rc<RefCell<PlayerState>>;

/// A player of the rule file as a model.
struct RuleModel(Shared);

impl Model for RuleModel {
    fn expects(&self) -> Vec<f64> {
        let others = self.0.borrow().actions[1];
        vec![1.0 / others as f64; others]
    }

    fn plays(&self) -> Vec<f64> {
        let slip = self.0.borrow();
        let mut plays = vec![0.0; slip.actions[0]];
        plays[slip.next] = 1.0;
        plays
    }

    fn observe(&mut self, own: usize, other: usize) {
        let mut slip = self.0.borrow_mut();
        slip.own.push(own);
        slip.other.push(other);
    }
}

/// A repeated game and who is in it.
pub(super) struct Arena {
    pub table: Table,
    pub game: RepeatedGame,
    /// The slips of all players of the rule file that were seated.
    slips: Rc<RefCell<Vec<Shared>>>,
}

impl Arena {
    /// The game, to be repeated.
    ///
    /// # Errors
    /// It has several stages, or not two players; or an error in the rules.
    pub fn new(rules: &mut Rules<'_>, state: Option<&Record>) -> Answered<Arena> {
        if !rules.parts.is_matrix() {
            return Err(RuleError::new(
                Violation::Together(Breach::NotMatrix),
                indicator::JOINT_MOVE,
            ));
        }
        let table = Table::of_payoffs(rules, state)?;
        let Some(game) = table.game.to_bimatrix() else {
            return Err(not_two("rounds are", table.players.len()));
        };
        Ok(Arena { table, game: RepeatedGame::new(game), slips: Rc::default() })
    }

    /// A player as a model.
    ///
    /// # Errors
    /// There is no such player; or a limit struck on the way to an equilibrium.
    pub fn invite(
        &mut self,
        who: PlayerSpec,
        limits: &Limits,
    ) -> Answered<Result<ModelSpec, StopReason>> {
        let spec = match who.base {
            Base::Uniform => ModelSpec::uniform(),
            Base::History(order) => ModelSpec::history(order),
            Base::Mixture(orders) => ModelSpec::mixture(orders),
            Base::Fixed(action) => {
                let guest = self.fixed(&action)?;
                self.game.invite(guest)
            }
            Base::Nash => match self.equilibrium(limits) {
                Ok(guest) => self.game.invite(guest),
                Err(reason) => return Ok(Err(reason)),
            },
            Base::Mcts(plays) => match self.tried(plays, limits) {
                Ok(guest) => self.game.invite(guest),
                Err(reason) => return Ok(Err(reason)),
            },
            Base::Named(name) => {
                let guest = self.named(name);
                self.game.invite(guest)
            }
        };
        Ok(Ok((0..who.counters).fold(spec, |spec, _| spec.counter())))
    }

    fn shape(&self) -> [usize; 2] {
        [self.table.actions[0].len(), self.table.actions[1].len()]
    }

    /// Always the same action, in the seats that have it.
    fn fixed(&self, action: &Record) -> Answered<Guest> {
        let find = |own: &Vec<Record>| own.iter().position(|known| same(known, action));
        let at: Vec<Option<usize>> = self.table.actions.iter().map(find).collect();
        if at.iter().all(Option::is_none) {
            let actions = self.table.actions.concat();
            let breach = Breach::NoSuchAction(action.clone(), actions);
            return Err(RuleError::new(Violation::Together(breach), indicator::ACTION));
        }
        let shape = self.shape();
        Ok(Rc::new(move |seat| {
            let mut plays = vec![0.0; shape[seat]];
            plays[at[seat]?] = 1.0;
            Some(constant(plays, shape[1 - seat]))
        }))
    }

    /// An equilibrium of one round: the first that is found.
    fn equilibrium(&self, limits: &Limits) -> Result<Guest, StopReason> {
        let task = NashTask { limits: limits.clone(), ..NashTask::default() };
        let found = nash(&self.table, &task)?.equilibria.into_iter().next();
        let shape = self.shape();
        let floats = |own: usize| match &found {
            Some(found) => found.profile[own].probabilities().iter().map(to_float).collect(),
            None => Vec::new(),
        };
        let profile: [Vec<f64>; 2] = [floats(0), floats(1)];
        Ok(Rc::new(move |seat| Some(constant(profile[seat].clone(), shape[1 - seat]))))
    }

    /// How often decoupled UCT tries each action, in so many plays of one round.
    fn tried(&self, plays: u64, limits: &Limits) -> Result<Guest, StopReason> {
        let mut round = OneShot::new(self.table.game.clone());
        let sampling = Sampling { playouts: Some(plays), ..Sampling::default() };
        // What nodes are to a match are rounds.
        let limits = Limits { nodes: None, ..limits.clone() };
        let found = match decoupled_uct(&mut round, &(), &sampling, &limits) {
            Ok(Decoupled { stopped: Some(reason), .. }) | Err(SampleError::Stopped(reason)) => {
                return Err(reason);
            }
            Ok(found) => found,
            Err(SampleError::Failed(never)) => match never {},
        };
        let shape = self.shape();
        Ok(Rc::new(move |seat| Some(constant(found.mixture(seat), shape[1 - seat]))))
    }

    /// A player of the rule file.
    fn named(&self, name: Record) -> Guest {
        let (slips, shape) = (self.slips.clone(), self.shape());
        Rc::new(move |seat| {
            let slip = Rc::new(RefCell::new(PlayerState {
                name: name.clone(),
                seat,
                actions: [shape[seat], shape[1 - seat]],
                own: Vec::new(),
                other: Vec::new(),
                next: 0,
            }));
            slips.borrow_mut().push(slip.clone());
            Some(Box::new(RuleModel(slip)))
        })
    }

    /// Asks the rules what their players do next. Before each round.
    ///
    /// # Errors
    /// `strategy/4` has no answer, or one that is no action.
    pub fn prepare(&self, rules: &mut Rules<'_>) -> Answered<()> {
        let mut slips = self.slips.borrow_mut();
        // Those of matches that are over.
        slips.retain(|slip| Rc::strong_count(slip) > 1);
        for slip in slips.iter() {
            let next = self.ask(rules, &slip.borrow())?;
            slip.borrow_mut().next = next;
        }
        Ok(())
    }

    fn ask(&self, rules: &mut Rules<'_>, slip: &PlayerState) -> Answered<usize> {
        const INDICATOR: &str = indicator::STRATEGY;
        let Some(pred) = rules.parts.strategy else {
            let missing = Violation::Missing("strategy(Name, MyHistory, TheirHistory, Action)");
            return Err(RuleError::new(missing, INDICATOR));
        };
        let (actions, others) =
            (&self.table.actions[slip.seat], &self.table.actions[1 - slip.seat]);
        let own: Vec<&Record> = slip.own.iter().rev().map(|&at| &actions[at]).collect();
        let other: Vec<&Record> = slip.other.iter().rev().map(|&at| &others[at]).collect();
        let args = [Arg::Term(&slip.name), Arg::List(&own), Arg::List(&other), Arg::Out];
        let question = Question { pred, indicator: INDICATOR, args: &args, most: 1 };
        let found = rules.ask(question, |m, [answer]| {
            let said = Record::new(&mut m.heap, answer);
            let at = actions.iter().position(|action| same(action, &said));
            at.ok_or_else(|| Violation::Together(Breach::NotAction(said, actions.clone())))
        });
        let none = || RuleError::new(Violation::Together(Breach::NoChoice), INDICATOR);
        let found = found.and_then(|mut found| found.pop().ok_or_else(none));
        found.map_err(|mut error| {
            error.player = Some(slip.name.clone());
            error
        })
    }
}

/// A model that can't be made.
pub(super) fn unfit(error: ModelError, table: &Table) -> Box<RuleError> {
    let breach = match error {
        ModelError::Seat(seat) => Breach::NoSeat(table.players[seat].clone()),
        other => Breach::Model(other),
    };
    RuleError::new(Violation::Together(breach), indicator::PLAYERS)
}
