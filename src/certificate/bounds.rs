//! Strategies with what each position is worth at least, where chance moves: [`guarantee`].
//!
//! Values of a game in which play can come back to a state are floats that an iteration came to, or fractions with
//! thousands of digits. What a strategy guarantees is proved without them, by bounds from below that fit at every position
//! by itself ([`check_strategy`](crate::check_strategy)). They are integers, multiples of one unit: those near the values
//! known are lowered until every inequality holds exactly, so that an error in what is known makes a bound worse, never
//! wrong. (Bounds by an iteration that is sound: Haddad and Monmege 2014; Quatmann and Katoen, *Sound value iteration*,
//! 2018. There floats are rounded the safe way; here integers are.)
//!
//! Moves are chosen so that play ends with probability 1 as long as the position is worth more than 0: among those that
//! lose nothing by the values known, the one that comes nearer to an end (positive attractors; K. Chatterjee and T.
//! Henzinger, *A survey of stochastic omega-regular games*, 2012).

use crate::ranks::before;
use crate::strategies::Position;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use zug_search::game::{CHANCE, Expected, Game, GraphOf, NodeId, Player, Solved};
use zug_search::{Failure, Limits, MoveId, StopReason};

/// Steps between two looks at the clock.
const STRIDE: u64 = 1 << 12;
/// The unit where values are floats, or fractions of more digits: 1 by this.
const FINE: u64 = 1_000_000_000_000_000;

/// A position with what it is worth at least, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The position.
    pub position: Position,
    /// What it is worth.
    pub worth: i128,
}

/// Why there are no bounds.
#[derive(Debug)]
pub enum BoundsError {
    /// A limit struck.
    Stopped(StopReason),
    /// There are floats where numbers have to be exact, or they have too many digits.
    Inexact,
    /// The game failed.
    Failed(Failure),
}

/// How a position is bounded by what it leads to.
enum Turn {
    /// The player's own: by the move chosen.
    Own(Option<u32>),
    /// The opponent's: by the least.
    Opponent,
    /// By the mean: numerators and their denominator.
    Chance(Vec<i128>, i128),
}

/// A position in the making.
struct Place {
    node: NodeId,
    turn: Turn,
    /// Where its edges lead to; of the player's own those that lose nothing.
    leads: Vec<u32>,
    /// The numbers of those edges in the graph.
    edges: Vec<u32>,
    rank: u32,
    /// What it is worth, in units; in the end at least so much.
    worth: i128,
}

struct Places<'a, G: Game> {
    graph: &'a GraphOf<G>,
    solved: &'a Solved<G::Value>,
    player: Player,
    places: Vec<Place>,
    numbers: FxHashMap<NodeId, u32>,
    scale: BigInt,
}

/// The unit in which all that can be reached from a solved node is worth whole numbers, as its denominator; a fine one, if
/// values are floats or there is none of few digits.
pub fn unit<G: Game>(graph: &GraphOf<G>, solved: &Solved<G::Value>, root: NodeId) -> BigInt {
    let mut scale = BigInt::one();
    let mut seen = FxHashSet::from_iter([root]);
    let mut nodes = vec![root];
    while let Some(node) = nodes.pop() {
        match solved.mean_to(graph, node, 0) {
            Some(Expected::Exact(value)) => scale = scale.lcm(value.denom()),
            _ => return FINE.into(),
        }
        if scale > BigInt::from(FINE) {
            return FINE.into();
        }
        let leads = graph.known_edges(node).iter().map(|edge| edge.to);
        nodes.extend(leads.filter(|&to| seen.insert(to)));
    }
    scale
}

/// A strategy of one of two players, with what its positions are worth at least in units of 1 by `scale`; the root's first.
///
/// # Errors
/// See [`BoundsError`].
pub fn guarantee<G: Game>(
    game: &mut G,
    (graph, solved): (&GraphOf<G>, &Solved<G::Value>),
    (root, player): (NodeId, Player),
    scale: &BigInt,
    limits: &Limits,
) -> Result<Vec<Bounded>, BoundsError> {
    let (places, numbers) = (Vec::new(), FxHashMap::default());
    let mut places = Places::<G> { graph, solved, player, places, numbers, scale: scale.clone() };
    places.lay_out(game, root)?;
    places.choose();
    places.drop_unreached();
    places.settle(limits)?;
    Ok(places.positions())
}

impl<G: Game> Places<'_, G> {
    fn value(&self, node: NodeId) -> Expected {
        self.solved.mean_to(self.graph, node, self.player).unwrap_or_else(Expected::zero)
    }

    fn number(&mut self, node: NodeId, found: &mut Vec<NodeId>) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            found.push(node);
            found.len() as u32 - 1
        })
    }

    /// Finds all positions that moves lead to: of the player those that lose nothing, of others all.
    fn lay_out(&mut self, game: &mut G, root: NodeId) -> Result<(), BoundsError> {
        let mut nodes = Vec::new();
        self.number(root, &mut nodes);
        while let Some(&node) = nodes.get(self.places.len()) {
            let all = 0..self.graph.known_edges(node).len() as u32;
            let (turn, edges) = match self.graph.player(node) {
                CHANCE => (self.chances(game, node)?, all.collect()),
                mover if mover == self.player => (Turn::Own(None), self.best(node)),
                _ => (Turn::Opponent, all.collect::<Vec<u32>>()),
            };
            let to = |&edge: &u32| self.graph.known_edges(node)[edge as usize].to;
            let to: Vec<NodeId> = edges.iter().map(to).collect();
            let leads = to.into_iter().map(|to| self.number(to, &mut nodes)).collect();
            let worth = self.units(node).ok_or(BoundsError::Inexact)?;
            self.places.push(Place { node, turn, leads, edges, rank: 0, worth });
        }
        Ok(())
    }

    /// What a node is worth as far as that is known, in whole units.
    fn units(&self, node: NodeId) -> Option<i128> {
        let units = |value: Expected| match value {
            Expected::Exact(value) => (value * &self.scale).floor().to_integer().to_i128(),
            Expected::Float(value) => {
                let units = (value * self.scale.to_f64()?).floor();
                (units.abs() < 1e30).then_some(units as i128)
            }
        };
        let is_end = self.graph.known_edges(node).is_empty();
        Some(self.value(node)).filter(|value| value.is_exact() || !is_end).and_then(units)
    }

    /// The moves of a node that lose nothing, as far as values are known.
    fn best(&self, node: NodeId) -> Vec<u32> {
        let edges = self.graph.known_edges(node);
        let worth: Vec<Expected> = edges.iter().map(|edge| self.value(edge.to)).collect();
        let Some(best) = worth.iter().max() else { return Vec::new() };
        let slack = 2.0 * self.solved.error(node).unwrap_or_default();
        let good = |value: &Expected| {
            value == best || slack > 0.0 && best.as_f64() - value.as_f64() <= slack
        };
        (0..).zip(&worth).filter(|(_, value)| good(value)).map(|(at, _)| at).collect()
    }

    fn chances(&self, game: &mut G, node: NodeId) -> Result<Turn, BoundsError> {
        let moves: Vec<MoveId> = self.graph.known_edges(node).iter().map(|edge| edge.mv).collect();
        let chances = game.probabilities(&self.graph.state(node), &moves);
        let mut exact = Vec::with_capacity(moves.len());
        for chance in &*chances.map_err(BoundsError::Failed)? {
            match chance {
                Expected::Exact(chance) => exact.push(chance.clone()),
                Expected::Float(_) => return Err(BoundsError::Inexact),
            }
        }
        let below = exact.iter().fold(BigInt::one(), |all, chance| all.lcm(chance.denom()));
        let above = exact.iter().map(|chance| (chance.numer() * &below / chance.denom()).to_i64());
        let above = above.map(|above| above.map(i128::from)).collect::<Option<Vec<_>>>();
        match (above, below.to_i64()) {
            (Some(above), Some(below)) => Ok(Turn::Chance(above, below.into())),
            _ => Err(BoundsError::Inexact),
        }
    }

    /// Chooses moves and ranks by which play ends or comes to where it is worth no more than 0. Where that can't be forced
    /// no more than 0 is guaranteed.
    fn choose(&mut self) {
        let before = before(self.places.iter().map(|place| &place.leads[..]));
        let mut left: Vec<usize> = self.places.iter().map(|place| place.leads.len()).collect();
        let is_done = |place: &Place| place.leads.is_empty() || place.worth <= 0;
        let mut done: Vec<bool> = self.places.iter().map(is_done).collect();
        let mut queue: VecDeque<u32> =
            (0..).zip(&done).filter(|&(_, &done)| done).map(|(at, _)| at).collect();
        while let Some(at) = queue.pop_front() {
            let rank = self.places[at as usize].rank + 1;
            for &from in &before[at as usize] {
                let place = &mut self.places[from as usize];
                left[from as usize] -= 1;
                let is_last = left[from as usize] == 0;
                let comes = !matches!(place.turn, Turn::Opponent) || is_last;
                if done[from as usize] || !comes {
                    continue;
                }
                if let Turn::Own(chosen @ None) = &mut place.turn {
                    *chosen = place.leads.iter().position(|&to| to == at).map(|at| at as u32);
                }
                place.rank = rank;
                done[from as usize] = true;
                queue.push_back(from);
            }
        }
        for (place, done) in self.places.iter_mut().zip(done) {
            if let Turn::Own(chosen @ None) = &mut place.turn
                && !place.leads.is_empty()
            {
                *chosen = Some(0);
            }
            if !done {
                place.worth = place.worth.min(0);
            }
        }
    }

    /// Keeps the positions that the moves chosen and all moves of others lead to.
    fn drop_unreached(&mut self) {
        let mut places: Vec<Option<Place>> =
            std::mem::take(&mut self.places).into_iter().map(Some).collect();
        let (mut kept, mut numbers) = (vec![0_u32], FxHashMap::from_iter([(0, 0)]));
        while let Some(&old) = kept.get(self.places.len()) {
            let mut place = places[old as usize].take().expect("it is kept once");
            if let Turn::Own(Some(chosen)) = place.turn {
                place.leads = vec![place.leads[chosen as usize]];
                place.edges = vec![place.edges[chosen as usize]];
            }
            for to in &mut place.leads {
                *to = *numbers.entry(*to).or_insert_with(|| {
                    kept.push(*to);
                    kept.len() as u32 - 1
                });
            }
            self.places.push(place);
        }
    }

    /// Lowers what positions are worth until each fits what it leads to.
    fn settle(&mut self, limits: &Limits) -> Result<(), BoundsError> {
        let began = Instant::now();
        let before = before(self.places.iter().map(|place| &place.leads[..]));
        // What is nearer to the ends was met later.
        let mut queue: VecDeque<u32> = (0..self.places.len() as u32).rev().collect();
        let mut waits = vec![true; self.places.len()];
        let mut steps = 0_u64;
        while let Some(at) = queue.pop_front() {
            steps += 1;
            if steps.is_multiple_of(STRIDE) {
                look_at_limits(limits, began).map_err(BoundsError::Stopped)?;
            }
            waits[at as usize] = false;
            let right = self.right(at).ok_or(BoundsError::Inexact)?;
            let place = &mut self.places[at as usize];
            if right >= place.worth {
                continue;
            }
            place.worth = right;
            for &from in &before[at as usize] {
                if !std::mem::replace(&mut waits[from as usize], true) {
                    queue.push_back(from);
                }
            }
        }
        Ok(())
    }

    /// What a position is worth by what it leads to, rounded down; `None` if the numbers have too many digits.
    fn right(&self, at: u32) -> Option<i128> {
        let place = &self.places[at as usize];
        let mut worth = place.leads.iter().map(|&to| self.places[to as usize].worth);
        match &place.turn {
            _ if place.leads.is_empty() => Some(place.worth),
            Turn::Own(_) | Turn::Opponent => worth.min(),
            Turn::Chance(above, below) => {
                let sum = above.iter().try_fold(0_i128, |sum, chance| {
                    sum.checked_add(chance.checked_mul(worth.next()?)?)
                });
                Some(sum?.div_euclid(*below))
            }
        }
    }

    fn positions(self) -> Vec<Bounded> {
        let position = |place: &Place| {
            let own = matches!(place.turn, Turn::Own(_));
            let chosen = place.edges.first().filter(|_| own);
            let mv = chosen.map(|&edge| self.graph.known_edges(place.node)[edge as usize].mv);
            let position = Position { node: place.node, rank: place.rank, mv };
            Bounded { position, worth: place.worth }
        };
        self.places.iter().map(position).collect()
    }
}

fn look_at_limits(limits: &Limits, began: Instant) -> Result<(), StopReason> {
    if limits.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
        return Err(StopReason::Cancelled);
    }
    match limits.time {
        Some(time) if began.elapsed() >= time => Err(StopReason::Time),
        _ => Ok(()),
    }
}
