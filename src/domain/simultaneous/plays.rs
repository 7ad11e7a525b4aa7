//! What every player does in every stage of an equilibrium, and whether that is one.
//!
//! A table of stages is an equilibrium of the whole game from each of them (one-shot deviation; D. Blackwell, *Discounted
//! dynamic programming*, 1965, for games that end) if in none a player gains by another action, where what the stages
//! behind it are worth is taken from the table. Ranks, natural numbers that every profile of actions makes less, show that
//! play ends.

use super::rules::{Answered, Rules, same};
use super::stages;
use super::table::{Table, actions};
use crate::canonical_text::canonical_text;
use crate::run::nested;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use zug_certificate::Walk;
use zug_machine::Machine;
use zug_matrix::{MixedStrategy, Rational, StageSolution, solve_stage, verify};
use zug_prolog::builtins::World;
use zug_search::{Limits, StateId, StopReason};
use zug_term::Record;

/// Actions with their probabilities.
pub type Mix = Vec<(Record, Rational)>;

/// What every player does in a stage.
#[derive(Clone, Debug)]
pub struct Play {
    /// The state; none in a game that is played once and has none.
    pub state: Option<Record>,
    /// At least the number of stages that are left behind this one.
    pub rank: u64,
    /// What it is worth to each player.
    pub values: Vec<Rational>,
    /// The strategy of each player; none where the game is over.
    pub strategies: Vec<Mix>,
}

/// A stage as a certificate has it.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The state; a variable in a game that is played once and has none.
    pub state: Record,
    /// At least the number of stages that are left behind this one.
    pub rank: u64,
    /// The strategy of each player; none where the game is over.
    pub strategies: Vec<Mix>,
}

/// Why stages are no equilibrium: by the number of the stage.
#[derive(Clone, Debug)]
pub enum PlayFault {
    /// The start is none.
    Start,
    /// The state is in one before.
    Twice(usize),
    /// Nothing leads to it.
    Unreached(usize),
    /// There is not a strategy for each player, or there are strategies where the game is over.
    Shape(usize),
    /// The strategy of this player, by number, has something that is no action, or no probabilities.
    Strategy(usize, usize),
    /// Actions lead to this state, which is in no stage.
    LeftOut(usize, Record),
    /// Actions lead to another stage, whose rank is not lower.
    Rank(usize, usize),
    /// The player of this number gains so much by another action.
    Gains(usize, usize, Rational),
}

/// The players, and what they do in every stage; or the limit that struck.
pub type Plays = Result<(Vec<Record>, Vec<Play>), StopReason>;

/// What an equilibrium is made of, each stage behind those that it leads to.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract; there is no equilibrium that can be found.
pub fn equilibrium_plays(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    limits: &Limits,
) -> Answered<Plays> {
    nested(m, w, limits, |m, w, limits| {
        let mut rules = Rules::of(m, w)?;
        let players = rules.players()?;
        if !rules.parts.is_matrix() {
            let plays = stages::plays(&mut rules, state, limits)?;
            return Ok(plays.map(|plays| (players, plays)));
        }
        let table = Table::of_payoffs(&mut rules, state)?;
        Ok(solve_stage(&table.game, limits).map(|solved| {
            let values = solved.as_ref().map_or(Vec::new(), |solved| solved.values.clone());
            let strategies = strategies(&table.actions, solved);
            (players, vec![Play { state: state.cloned(), rank: 0, values, strategies }])
        }))
    })
}

/// Strategies with actions as the rules name them.
pub(super) fn strategies(actions: &[Vec<Record>], solved: Option<StageSolution>) -> Vec<Mix> {
    let Some(solved) = solved else { return Vec::new() };
    let mix = |(own, strategy): (&Vec<Record>, &MixedStrategy)| {
        strategy.support().map(|(at, share)| (own[at].clone(), share.clone())).collect()
    };
    actions.iter().zip(&solved.profile).map(mix).collect()
}

/// What each stage pays to each player, if all of them together are an equilibrium of the game from the start: nothing that
/// a certificate says of values goes into it.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract, `place` being the stage that it was about.
pub fn check_plays(
    m: &mut Machine,
    w: &mut World,
    start: &Record,
    stages: &[Stage],
    place: &mut Option<usize>,
) -> Answered<Result<Vec<Vec<Rational>>, PlayFault>> {
    let mut numbers = FxHashMap::default();
    for (at, stage) in stages.iter().enumerate() {
        if numbers.insert(canonical_text(m, w, &stage.state), at).is_some() {
            return Ok(Err(PlayFault::Twice(at)));
        }
    }
    let Some(&first) = numbers.get(&canonical_text(m, w, start)) else {
        return Ok(Err(PlayFault::Start));
    };
    let mut rules = Rules::of(m, w)?;
    let players = rules.players()?;
    let mut check = Check { rules, players, stages, numbers, walk: Walk::new(stages.len()) };
    check.walk.reach(Some(first as StateId));
    let mut nodes = vec![None; stages.len()];
    while let Some(at) = check.walk.pop() {
        *place = Some(at);
        match check.node(at)? {
            Ok(node) => nodes[at] = Some(node),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    *place = None;
    if let Some(at) = check.walk.unreached() {
        return Ok(Err(PlayFault::Unreached(at)));
    }
    let mut order: Vec<usize> = (0..stages.len()).collect();
    order.sort_by_key(|&at| stages[at].rank);
    let mut values = vec![Vec::new(); stages.len()];
    for at in order {
        *place = Some(at);
        let Some(node) = &nodes[at] else { continue };
        match check.values(at, node, &values)? {
            Ok(paid) => values[at] = paid,
            Err(fault) => return Ok(Err(fault)),
        }
    }
    *place = None;
    Ok(Ok(values))
}

/// What a stage leads to.
#[derive(Clone)]
enum Node {
    /// The end of a game: the utility of each player.
    End(Vec<Rational>),
    /// Actions of the players, with the strategy of each, and to which stage each profile leads; to none where it is
    /// paid at once.
    Stage(Vec<Vec<Record>>, Vec<MixedStrategy>, Vec<usize>),
}

/// Stages that are being checked.
struct Check<'a, 's> {
    rules: Rules<'a>,
    players: Vec<Record>,
    stages: &'s [Stage],
    /// By the canonical text of the state.
    numbers: FxHashMap<String, usize>,
    walk: Walk,
}

impl Check<'_, '_> {
    /// The state of a stage, as far as the game has any.
    fn state(&self, at: usize) -> Option<&Record> {
        let state = &self.stages[at].state;
        let (heap, root) = state.to_heap();
        (!heap.deref(root).is_var()).then_some(state)
    }

    fn node(&mut self, at: usize) -> Answered<Result<Node, PlayFault>> {
        let Stage { strategies, .. } = &self.stages[at];
        let state = self.state(at).cloned();
        let stage = state.as_ref().filter(|_| !self.rules.parts.is_matrix());
        if let Some(state) = stage
            && self.rules.is_over(&self.players[0], state)?
        {
            let worth = self.players.iter().map(|player| self.rules.utility(player, state));
            let worth = worth.collect::<Answered<Vec<Rational>>>()?;
            let is_bare = strategies.is_empty();
            return Ok(if is_bare { Ok(Node::End(worth)) } else { Err(PlayFault::Shape(at)) });
        }
        if strategies.len() != self.players.len() {
            return Ok(Err(PlayFault::Shape(at)));
        }
        let actions = actions(&mut self.rules, &self.players, state.as_ref())?;
        let mut profile = Vec::with_capacity(actions.len());
        for (player, (own, mix)) in actions.iter().zip(strategies).enumerate() {
            match spread(own, mix) {
                Some(strategy) => profile.push(strategy),
                None => return Ok(Err(PlayFault::Strategy(at, player))),
            }
        }
        let leads = match stage {
            None => Ok(Vec::new()),
            Some(state) => self.leads(at, &actions, state)?,
        };
        Ok(leads.map(|leads| Node::Stage(actions, profile, leads)))
    }

    /// The stages that profiles of actions lead to, in their order.
    fn leads(
        &mut self,
        at: usize,
        actions: &[Vec<Record>],
        state: &Record,
    ) -> Answered<Result<Vec<usize>, PlayFault>> {
        let (mut leads, mut fault) = (Vec::new(), None);
        let Check { rules, players, stages, numbers, walk } = self;
        Table::fill(players.clone(), actions.to_vec(), |profile| {
            let nothing = vec![Rational::zero(); profile.len()];
            if fault.is_some() {
                return Ok(nothing);
            }
            let to = rules.joint_move(profile, state)?;
            let text = canonical_text(rules.machine, rules.world, &to);
            match numbers.get(&text).copied() {
                None => fault = Some(PlayFault::LeftOut(at, to)),
                Some(next) if stages[next].rank >= stages[at].rank => {
                    fault = Some(PlayFault::Rank(at, next));
                }
                Some(next) => {
                    walk.reach(Some(next as StateId));
                    leads.push(next);
                }
            }
            Ok(nothing)
        })?;
        Ok(fault.map_or(Ok(leads), Err))
    }

    /// What a stage pays, where what it leads to is known; no player gains by another action.
    fn values(
        &mut self,
        at: usize,
        node: &Node,
        known: &[Vec<Rational>],
    ) -> Answered<Result<Vec<Rational>, PlayFault>> {
        let (actions, profile, leads) = match node {
            Node::End(worth) => return Ok(Ok(worth.clone())),
            Node::Stage(actions, profile, leads) => (actions, profile, leads),
        };
        let (rules, mut leads) = (&mut self.rules, leads.iter());
        let table =
            Table::fill(self.players.clone(), actions.clone(), |profile| match leads.next() {
                Some(&next) => Ok(known[next].clone()),
                None => rules.payoffs(profile),
            })?;
        let Ok(found) = verify(&table.game, profile) else {
            return Ok(Err(PlayFault::Shape(at)));
        };
        let gain = found.gains.iter().position(|gain| !gain.is_zero());
        Ok(match gain {
            Some(player) => Err(PlayFault::Gains(at, player, found.gains[player].clone())),
            None => Ok(found.payoffs),
        })
    }
}

/// A strategy over all actions; `None` if it is none.
fn spread(own: &[Record], mix: &Mix) -> Option<MixedStrategy> {
    let mut probabilities = vec![Rational::zero(); own.len()];
    for (action, share) in mix {
        let at = own.iter().position(|known| same(known, action))?;
        if !probabilities[at].is_zero() {
            return None;
        }
        probabilities[at] = share.clone();
    }
    MixedStrategy::new(probabilities)
}
