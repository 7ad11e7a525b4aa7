//! Exact play where chance moves: the values of all states that can be reached from one.
//!
//! States from which play comes to an end are worked through backwards, in fractions. Where
//! play can come back to a state the values are those that the rules of the game hold
//! together, one equation for each state, and are found by value iteration from below and
//! from above: the lower values only rise and the upper ones only fall, what a state is worth
//! lies between them, and they are done when nowhere more than [`GAP`] is left between.
//! If they never meet, what a play is worth that goes round for ever decides, and nobody says
//! what that is. States that lead to each other are solved together, and apart from all others:
//! what they are worth doesn't hang on what else is asked about. Fractions that are near enough
//! and satisfy all their equations are the values themselves ([`super::fraction`]).
//!
//! Shapley, *Stochastic games*, PNAS 39 (1953); Haddad & Monmege, *Reachability in MDPs:
//! refining convergence of value iteration* (2014).

use super::expected::Expected;
use super::fraction::simplest_between;
use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::interface::{CHANCE, Game, Player};
use super::links::{Links, groups};
use super::meter::{Halt, Meter};
use super::value::Value;
use crate::report::StopReason;
use crate::space::Row;
use rustc_hash::FxHashMap;

/// The greatest distance left between lower and upper values, as a part of that between the
/// least and the greatest value.
const GAP: f64 = 1e-9;
/// The distance at which a group of states that lead to each other is done.
const FINE: f64 = 1e-13;
/// What rounding may come to, as a part of a value.
const ROUNDING: f64 = 1e-12;

/// The value of a state.
#[derive(Clone, Debug)]
struct Solution {
    /// With one or two players the value to the first, with more that to each.
    values: Box<[Expected]>,
    /// It may be off by so much.
    error: f64,
}

/// States that are solved of a game where chance moves, by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Expectations {
    solutions: Vec<Option<Solution>>,
    /// Bytes of the values.
    bytes: usize,
}

/// A state of which play can come back to a state.
struct Equation {
    turn: Turn,
    /// Its successors among [`Equations::successors`].
    from: usize,
    to: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Greatest,
    Least,
    Mean,
}

/// A successor: with which probability, which equation or, if none, what it is worth at least and
/// at most.
struct Successor {
    chance: f64,
    equation: u32,
    low: f64,
    high: f64,
}

/// Which bound of what is known.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Low,
    High,
}

/// Who decides where a player moves.
fn turn(player: Player, alone: bool) -> Turn {
    match player {
        CHANCE => Turn::Mean,
        player if alone || player == 0 => Turn::Greatest,
        _ => Turn::Least,
    }
}

struct Equations {
    states: Vec<Equation>,
    successors: Vec<Successor>,
}

impl Expectations {
    fn solution(&self, node: NodeId) -> Option<&Solution> {
        self.solutions.get(node as usize)?.as_ref()
    }

    /// Whether a state is solved.
    pub fn contains(&self, node: NodeId) -> bool {
        self.solution(node).is_some()
    }

    /// The value of a state to a player.
    pub fn value_to(&self, node: NodeId, player: Player) -> Option<Expected> {
        let values = &self.solution(node)?.values;
        match (values.len(), player) {
            (1, 0) => values.first().cloned(),
            (1, _) => values.first().map(Expected::negated),
            (_, player) => values.get(usize::from(player)).cloned(),
        }
    }

    /// By how much its value may be off.
    pub fn error(&self, node: NodeId) -> f64 {
        self.solution(node).map_or(0.0, |solution| solution.error)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.solutions.capacity() * size_of::<Option<Solution>>() + self.bytes
    }

    /// The best move of a state where a player chooses: the first in move order, among those
    /// that can't be told apart.
    pub fn best_edge<S: Row, V: Value>(
        &self,
        graph: &Graph<S, V>,
        node: NodeId,
        known: impl Fn(NodeId, Player) -> Option<Expected>,
    ) -> Option<u32> {
        let player = graph.player(node);
        if player == CHANCE {
            return None;
        }
        let worth: Option<Vec<Expected>> =
            graph.known_edges(node).iter().map(|edge| known(edge.to, player)).collect();
        let worth = worth?;
        let best = worth.iter().max()?;
        let slack = 2.0 * self.error(node);
        let good = |value: &Expected| {
            value == best || slack > 0.0 && best.as_f64() - value.as_f64() <= slack
        };
        worth.iter().position(good).map(|at| at as u32)
    }

    /// Takes over a state that was solved otherwise.
    pub fn adopt(&mut self, node: NodeId, values: Box<[Expected]>) {
        if self.solutions.len() <= node as usize {
            self.solutions.resize(node as usize + 1, None);
        }
        if !self.contains(node) {
            self.set(node, values, 0.0);
        }
    }

    /// What is known of a state: its values, and by how much they may be off.
    pub fn solved(&self, node: NodeId) -> Option<(&[Expected], f64)> {
        self.solution(node).map(|solution| (&*solution.values, solution.error))
    }

    /// Brings a state back that was solved before.
    pub fn bring(&mut self, node: NodeId, values: Box<[Expected]>, error: f64) {
        if self.solutions.len() <= node as usize {
            self.solutions.resize(node as usize + 1, None);
        }
        self.set(node, values, error);
    }

    fn set(&mut self, node: NodeId, values: Box<[Expected]>, error: f64) {
        let size = |value: &Expected| match value {
            Expected::Exact(value) => (value.numer().bits() + value.denom().bits()) as usize / 8,
            Expected::Float(_) => 0,
        };
        self.bytes += values.iter().map(|value| size_of::<Expected>() + size(value)).sum::<usize>();
        self.solutions[node as usize] = Some(Solution { values, error });
    }

    /// Solves states whose successors are among them or solved; those of which the values rest on
    /// a choice among equals, as those do that are `tied` already.
    pub fn solve<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        meter: &mut Meter<'_>,
        tied: &[bool],
    ) -> Result<Vec<NodeId>, Halt> {
        self.solutions.resize(graph.len().max(self.solutions.len()), None);
        let width = if game.is_general_sum() { game.players() } else { 1 };
        let done = self.solve_all(game, graph, new, width, meter);
        if done.is_err() {
            new.iter().for_each(|&node| self.solutions[node as usize] = None);
        }
        let order = done?;
        Ok(if width == 1 { Vec::new() } else { self.tied(graph, &order, tied) })
    }

    fn solve_all<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        width: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<NodeId>, Halt> {
        let order = Links::of(graph, new).order(graph, new);
        self.work_through(game, graph, &order, width, meter)?;
        if order.len() == new.len() {
            return Ok(order);
        }
        if width > 1 {
            return Err(Halt::Stop(StopReason::Cycle));
        }
        let left: Vec<NodeId> = new.iter().copied().filter(|&node| !self.contains(node)).collect();
        let alone = game.players() == 1;
        for group in groups(graph, &left) {
            let round = |node: NodeId| graph.known_edges(node).iter().any(|edge| edge.to == node);
            if group.len() == 1 && !round(group[0]) {
                self.work_through(game, graph, &group, width, meter)?;
            } else {
                self.iterate(game, graph, &group, alone, meter)?;
            }
        }
        Ok(order)
    }

    /// The states, each behind its successors, of which the values rest on a choice among equals.
    fn tied<S: Row, V>(
        &self,
        graph: &Graph<S, V>,
        order: &[NodeId],
        known: &[bool],
    ) -> Vec<NodeId> {
        let mut tied = Vec::new();
        let mut is_tied = known.to_vec();
        for &node in order {
            let children = graph.known_edges(node).iter().map(|edge| edge.to);
            let values = |child| self.solution(child).map(|solution| &*solution.values);
            let player = usize::from(graph.player(node));
            let own = |child| values(child).and_then(|values| values.get(player));
            let best = children.clone().map(own).max().flatten();
            let mut equals = children.clone().filter(|&child| best.is_some() && own(child) == best);
            let first = equals.next().and_then(values);
            let below = children.clone().any(|child| is_tied[child as usize]);
            if below || equals.any(|child| values(child) != first) {
                is_tied[node as usize] = true;
                tied.push(node);
            }
        }
        tied
    }

    /// States in an order where each comes behind its successors.
    fn work_through<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        order: &[NodeId],
        width: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        for &node in order {
            meter.poll()?;
            meter.hold(graph, self.bytes())?;
            let seats = 0..width as Player;
            let edges = graph.known_edges(node);
            let error = edges.iter().map(|edge| self.error(edge.to)).fold(0.0, f64::max);
            let values: Box<[Expected]> = if edges.is_empty() {
                ends(game, graph, node, width)?
            } else if graph.player(node) == CHANCE {
                let chances = graph.probabilities(game, node)?;
                let edges = graph.known_edges(node);
                let mean = |seat| {
                    let worth = edges.iter().map(|edge| self.known(edge.to, seat));
                    Expected::mean(&chances, &worth.collect::<Vec<_>>())
                };
                seats.map(mean).collect()
            } else {
                let best = self.best_edge(graph, node, |at, p| self.value_to(at, p));
                let to = graph.edge(node, best.expect("all successors are known")).to;
                seats.map(|seat| self.known(to, seat)).collect()
            };
            self.set(node, values, error);
        }
        Ok(())
    }

    fn known(&self, node: NodeId, player: Player) -> Expected {
        self.value_to(node, player).expect("successors come first")
    }

    /// States that lead to each other.
    fn iterate<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        left: &[NodeId],
        alone: bool,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let equations = self.equations(game, graph, left, alone)?;
        let (low, high) = equations.solve(meter)?;
        if let Some(values) = self.fractions(game, graph, left, (&low, &high), alone)? {
            for (&node, value) in left.iter().zip(values) {
                self.set(node, Box::new([value]), 0.0);
            }
            return Ok(());
        }
        for ((&node, low), high) in left.iter().zip(low).zip(high) {
            // Floats are rounded: none of them is sure to the last digit.
            let error = ((high - low) / 2.0).max(ROUNDING * low.abs().max(high.abs()));
            let value = Expected::Float(low + (high - low) / 2.0);
            self.set(node, Box::new([value]), error.max(f64::MIN_POSITIVE));
        }
        Ok(())
    }

    /// Fractions between bounds that satisfy all equations, if those near at hand do.
    fn fractions<G: Game>(
        &self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        left: &[NodeId],
        (low, high): (&[f64], &[f64]),
        alone: bool,
    ) -> Result<Option<Vec<Expected>>, Halt> {
        let mut near = FxHashMap::default();
        for ((&node, &low), &high) in left.iter().zip(low).zip(high) {
            let Some(value) = simplest_between(low, high) else { return Ok(None) };
            near.insert(node, value);
        }
        for &node in left {
            let edges = graph.known_edges(node).iter().map(|edge| edge.to);
            let worth = edges.map(|to| near.get(&to).cloned().unwrap_or_else(|| self.known(to, 0)));
            let worth: Vec<Expected> = worth.collect();
            let sure = |(value, to): (&Expected, NodeId)| value.is_exact() && self.error(to) == 0.0;
            let ends = graph.known_edges(node).iter().map(|edge| edge.to);
            if !worth.iter().zip(ends).all(sure) {
                return Ok(None);
            }
            let right = match turn(graph.player(node), alone) {
                Turn::Greatest => worth.iter().max().cloned(),
                Turn::Least => worth.iter().min().cloned(),
                Turn::Mean => {
                    let chances = graph.probabilities(game, node)?;
                    Some(Expected::mean(&chances, &worth))
                }
            };
            if right.is_none_or(|right| !right.is_exact() || right != near[&node]) {
                return Ok(None);
            }
        }
        Ok(Some(left.iter().filter_map(|node| near.remove(node)).collect()))
    }

    fn equations<G: Game>(
        &self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        left: &[NodeId],
        alone: bool,
    ) -> Result<Equations, Halt> {
        let mut numbers = vec![UNKNOWN; graph.len()];
        (0..).zip(left).for_each(|(number, &node)| numbers[node as usize] = number);
        let mut equations = Equations { states: Vec::new(), successors: Vec::new() };
        for &node in left {
            let turn = turn(graph.player(node), alone);
            let chances = match turn {
                Turn::Mean => Some(graph.probabilities(game, node)?),
                _ => None,
            };
            let from = equations.successors.len();
            for (at, edge) in graph.known_edges(node).iter().enumerate() {
                let chance = chances.as_ref().map_or(1.0, |chances| chances[at].as_f64());
                let equation = numbers[edge.to as usize];
                let (worth, error) = match equation {
                    UNKNOWN => (self.known(edge.to, 0).as_f64(), self.error(edge.to)),
                    _ => (0.0, 0.0),
                };
                let (low, high) = (worth - error, worth + error);
                equations.successors.push(Successor { chance, equation, low, high });
            }
            let to = equations.successors.len();
            equations.states.push(Equation { turn, from, to });
        }
        Ok(equations)
    }
}

/// The value of an end: to the first of one or two players, to each of more.
fn ends<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    node: NodeId,
    width: usize,
) -> Result<Box<[Expected]>, Halt> {
    if width > 1 {
        return Ok(graph.utilities(game, node)?.into_iter().map(Expected::of).collect());
    }
    let value = graph.utility(game, node)?;
    let own = graph.valued_for(node) == 0;
    Ok(Box::new([Expected::of(if own { value } else { value.negated() })]))
}

impl Equations {
    /// Values that all states are worth at least, and at most, whatever a play is worth that never
    /// ends: between the least and the greatest end, nothing among them.
    fn solve(&self, meter: &mut Meter<'_>) -> Result<(Vec<f64>, Vec<f64>), Halt> {
        let ends = self.successors.iter().filter(|successor| successor.equation == UNKNOWN);
        let (least, greatest) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| {
            (low.min(end.low), high.max(end.high))
        });
        // What is nothing either way must be so by the rules.
        let (least, greatest) =
            if least < greatest { (least, greatest) } else { (least - 1.0, greatest + 1.0) };
        let width = greatest - least;
        let ends = self.successors.iter().filter(|successor| successor.equation == UNKNOWN);
        let given = ends.map(|end| end.high - end.low).fold(0.0, f64::max);
        let mut low = vec![least; self.states.len()];
        let mut high = vec![greatest; self.states.len()];
        loop {
            let (mut gap, mut moved) = (0.0f64, false);
            // States nearer to the ends were met later.
            for at in (0..self.states.len()).rev() {
                meter.poll()?;
                let rises = self.right(at, &low, Bound::Low);
                let falls = self.right(at, &high, Bound::High);
                moved |= rises > low[at] || falls < high[at];
                low[at] = low[at].max(rises);
                // Rounding must not let them cross.
                high[at] = high[at].min(falls).max(low[at]);
                gap = gap.max(high[at] - low[at]);
            }
            // Groups that lead here must leave room for those that lead to them.
            if gap <= FINE * width + given {
                return Ok((low, high));
            }
            if !moved {
                let near = gap <= GAP * width + given;
                return if near { Ok((low, high)) } else { Err(Halt::Stop(StopReason::Cycle)) };
            }
        }
    }

    /// The right side of an equation.
    fn right(&self, at: usize, values: &[f64], bound: Bound) -> f64 {
        let Equation { turn, from, to } = self.states[at];
        let successors = self.successors[from..to].iter();
        let worth = |successor: &Successor| match successor.equation {
            UNKNOWN if bound == Bound::Low => successor.low,
            UNKNOWN => successor.high,
            equation => values[equation as usize],
        };
        match turn {
            Turn::Greatest => successors.map(worth).fold(f64::NEG_INFINITY, f64::max),
            Turn::Least => successors.map(worth).fold(f64::INFINITY, f64::min),
            Turn::Mean => successors.map(|one| one.chance * worth(one)).sum(),
        }
    }
}
