//! Strategies: [`strategy`] takes one from a solved game, [`check_strategy`] finds out what it guarantees.
//!
//! A strategy of one of two players is a set of positions with a move for each where it is that player's turn. It
//! guarantees the player a value, if the set has the start, every end in it is worth so much, the move chosen leads to a
//! position of the set, and so does every move of the opponent. Play that never ends is worth 0: a value above 0
//! takes ranks besides, natural numbers that every move makes less, so that play ends.
//!
//! Where chance moves each position has a bound of its own: what the player gets from there at least. The end is worth as
//! much, the move chosen and all moves of the opponent lead to positions worth as much, and those of chance in the mean. So
//! what the positions of a play are worth is a bounded submartingale. Of positions worth more than 0 the ranks fall: by
//! the move chosen, by all moves of the opponent, by some move of chance. From each of them play is, within so many moves
//! and with a probability of its own, over or where no more than 0 is claimed; so it does not stay among them for ever.
//!
//! Two strategies, one for either side, whose values are each other's negation are a proof of the value of a game.

use crate::ranks::{ranks, reached};
use crate::walk::Walk;
use std::fmt::Debug;
use zug_search::game::{CHANCE, Expected, Game, GraphOf, NodeId, Player, Solved, Value};
use zug_search::{Failure, MoveId, Row, StateStore};

/// A position of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The state, by its number in the graph.
    pub node: NodeId,
    /// At least the number of moves that are left, if the strategy forces the end; else 0.
    pub rank: u32,
    /// The move, where it is the player's turn and the game is not over.
    pub mv: Option<MoveId>,
}

/// A strategy of one of two players from a solved node, that guarantees the value of that node: its positions, the
/// node's first. `None` if the game is not solved there, or chance moves.
pub fn strategy<G: Game>(
    graph: &GraphOf<G>,
    solved: &Solved<G::Value>,
    root: NodeId,
    player: Player,
) -> Option<Vec<Position>> {
    let forces = solved.value_to(graph, root, player)? > G::Value::ZERO;
    let mut moves = Vec::new();
    let (nodes, leads) = reached(root, |node| {
        let edges = graph.known_edges(node);
        let best = match graph.player(node) {
            CHANCE => return None,
            mover if mover == player && !edges.is_empty() => Some(solved.best_edge(graph, node)?),
            _ => None,
        };
        moves.push(best.map(|best| edges[best as usize].mv));
        Some(best.map_or(edges, |best| &edges[best as usize..=best as usize]))
    })?;
    let ranks = if forces { ranks(&leads)? } else { vec![0; nodes.len()] };
    let all = nodes.into_iter().zip(ranks).zip(moves);
    Some(all.map(|((node, rank), mv)| Position { node, rank, mv }).collect())
}

/// What a strategy is to guarantee, on a scale on which its player wants more.
#[derive(Clone, Debug)]
pub struct StrategyClaim {
    /// Whose strategy it is.
    pub player: Player,
    /// What the start is worth at least.
    pub least: Expected,
    /// Twice what play without an end is worth.
    pub base: Expected,
}

/// A position as a certificate has it.
#[derive(Clone, Debug)]
pub struct Holding<S, N> {
    /// The line that it stands on.
    pub line: u64,
    /// The state.
    pub state: S,
    /// Its rank.
    pub rank: u64,
    /// What it is worth at least, which must be exact; `None`: what is claimed of the start.
    pub worth: Option<Expected>,
    /// The name of the move, if there is one.
    pub mv: Option<N>,
}

/// An end that a strategy leads to; the caller checks its utility.
#[derive(Clone, Debug, PartialEq)]
pub struct End<S> {
    /// The line that it stands on.
    pub line: u64,
    /// The state.
    pub state: S,
    /// What it has to be worth at least.
    pub least: Expected,
}

/// Why a strategy does not guarantee what it is to.
#[derive(Debug)]
pub enum StrategyFault<S> {
    /// The start is not among its positions, or is worth less.
    Start,
    /// A position is there twice: the line of the second time.
    Twice(u64),
    /// Nothing leads to the position on this line.
    Unreached(u64),
    /// There is no move on this line, or one where there should be none.
    Choice(u64),
    /// The move on this line is none of the state, or leads to no position that is worth as much and of lower rank.
    Move(u64),
    /// A move that is not the player's leads from the position of this line to this state, which is no position.
    LeftOut(u64, S),
    /// A move of the opponent leads from this line to another one, which is worth less.
    Less(u64, u64),
    /// What chance leads to from this line is worth so much in the mean.
    Mean(u64, Expected),
    /// A move of the opponent leads from this line to another one, whose rank is not lower; or all moves of chance do.
    Rank(u64, u64),
    /// There are floats where numbers have to be exact.
    Inexact(u64),
    /// The game failed at the position of this line.
    Failed(u64, Failure),
}

/// A strategy with what it is to guarantee, and its states by number.
struct Claimed<'a, G: Game, N> {
    claim: StrategyClaim,
    list: &'a [Holding<G::State, N>],
    store: <G::State as Row>::Store,
    walk: Walk,
    ends: Vec<End<G::State>>,
}

type FaultOf<G> = StrategyFault<<G as Game>::State>;

/// Whether a strategy of one of two players guarantees what is claimed, if the ends that it leads to are worth as much:
/// these ends. `name` names a move.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check_strategy<G: Game, N: PartialEq + Debug>(
    game: &mut G,
    start: &G::State,
    claim: StrategyClaim,
    list: &[Holding<G::State, N>],
    mut name: impl FnMut(&mut G, MoveId) -> N,
) -> Result<Vec<End<G::State>>, FaultOf<G>> {
    let (store, walk) = (<G::State as Row>::Store::default(), Walk::new(list.len()));
    let mut claimed = Claimed::<G, N> { claim, list, store, walk, ends: Vec::new() };
    for holding in list {
        if !claimed.store.intern(&holding.state).1 {
            return Err(StrategyFault::Twice(holding.line));
        }
    }
    let first = claimed.reach(start);
    if first.is_none_or(|at| *claimed.worth(at) < claimed.claim.least) {
        return Err(StrategyFault::Start);
    }
    while let Some(at) = claimed.walk.pop() {
        claimed.check(game, &list[at], &mut name)?;
    }
    match claimed.walk.unreached() {
        Some(at) => Err(StrategyFault::Unreached(list[at].line)),
        None => Ok(claimed.ends),
    }
}

impl<G: Game, N: PartialEq> Claimed<'_, G, N> {
    /// The place of a position that something leads to.
    fn reach(&mut self, state: &G::State) -> Option<usize> {
        self.walk.reach(self.store.find(state))
    }

    fn worth(&self, at: usize) -> &Expected {
        self.least(&self.list[at])
    }

    fn least<'h>(&'h self, holding: &'h Holding<G::State, N>) -> &'h Expected {
        holding.worth.as_ref().unwrap_or(&self.claim.least)
    }

    /// Whether a position may lead to another one: its rank is lower, where ranks have to fall.
    fn falls(&self, holding: &Holding<G::State, N>, at: usize) -> bool {
        let worth = self.least(holding);
        worth.plus(worth) <= self.claim.base || self.list[at].rank < holding.rank
    }

    fn check(
        &mut self,
        game: &mut G,
        holding: &Holding<G::State, N>,
        name: &mut impl FnMut(&mut G, MoveId) -> N,
    ) -> Result<(), FaultOf<G>> {
        let Holding { line, state, mv, .. } = holding;
        let failed = |error| StrategyFault::Failed(*line, error);
        let least = self.least(holding).clone();
        if game.is_over(state).map_err(failed)? {
            if mv.is_some() {
                return Err(StrategyFault::Choice(*line));
            }
            self.ends.push(End { line: *line, state: state.clone(), least });
            return Ok(());
        }
        let mover = game.player(state);
        if (mover == self.claim.player) != mv.is_some() {
            return Err(StrategyFault::Choice(*line));
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(failed)?;
        if let Some(chosen) = mv {
            // Moves of the same name count as one: any of them may be made.
            let mut fits = false;
            for (mv, to) in moves {
                if name(game, mv) == *chosen
                    && let Some(at) = self.reach(&to)
                {
                    fits |= self.falls(holding, at) && *self.worth(at) >= least;
                }
            }
            return if fits { Ok(()) } else { Err(StrategyFault::Move(*line)) };
        }
        let mut leads = Vec::with_capacity(moves.len());
        for (mv, to) in moves {
            match self.reach(&to) {
                None => return Err(StrategyFault::LeftOut(*line, to)),
                Some(at) => leads.push((mv, at)),
            }
        }
        if mover == CHANCE {
            return self.check_chance(game, holding, &leads);
        }
        let line_of = |at: usize| self.list[at].line;
        leads.into_iter().try_for_each(|(_, at)| match at {
            at if *self.worth(at) < least => Err(StrategyFault::Less(*line, line_of(at))),
            at if !self.falls(holding, at) => Err(StrategyFault::Rank(*line, line_of(at))),
            _ => Ok(()),
        })
    }

    /// A position where chance moves, with what its moves lead to.
    fn check_chance(
        &self,
        game: &mut G,
        holding: &Holding<G::State, N>,
        leads: &[(MoveId, usize)],
    ) -> Result<(), FaultOf<G>> {
        let line = holding.line;
        let names: Vec<MoveId> = leads.iter().map(|&(mv, _)| mv).collect();
        let chances = game.probabilities(&holding.state, &names);
        let chances = chances.map_err(|error| StrategyFault::Failed(line, error))?;
        let mean = Expected::mean(&chances, leads.iter().map(|&(_, at)| self.worth(at)));
        let least = self.least(holding);
        match leads.first() {
            _ if !mean.is_exact() => Err(StrategyFault::Inexact(line)),
            _ if mean < *least => Err(StrategyFault::Mean(line, mean)),
            Some(&(_, first)) if !leads.iter().any(|&(_, at)| self.falls(holding, at)) => {
                Err(StrategyFault::Rank(line, self.list[first].line))
            }
            _ => Ok(()),
        }
    }
}
