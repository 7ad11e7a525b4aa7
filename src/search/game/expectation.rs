//! Exact play where chance moves: the values of all states that can be reached from one.
//!
//! States from which play comes to an end are worked through backwards, in fractions. Where
//! play can come back to a state the values are those that the rules of the game hold
//! together, one equation for each state, and are found by value iteration from below and
//! from above: the lower values only rise and the upper ones only fall, what a state is worth
//! lies between them, and they are done when nowhere more than [`GAP`] is left between.
//! If they never meet, play can go round without chance ever ending it, and nobody says what
//! that is worth.
//!
//! Shapley, *Stochastic games*, PNAS 39 (1953); Haddad & Monmege, *Reachability in MDPs:
//! refining convergence of value iteration* (2014).

use super::expected::Expected;
use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::interface::{CHANCE, Game, Player};
use super::links::Links;
use super::maxn::utilities;
use super::meter::{Halt, Meter};
use super::value::Value;
use crate::search::problem::StateStore;
use crate::search::report::StopReason;

/// The greatest distance left between lower and upper values, as a part of that between the
/// least and the greatest value.
const GAP: f64 = 1e-9;

/// What a state is worth.
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

/// A successor: with which probability, which equation or, if none, what it is worth.
struct Successor {
    chance: f64,
    equation: u32,
    worth: f64,
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

    /// What a state is worth to a player.
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
    pub fn best_edge<S: StateStore, M: Copy, V: Value>(
        &self,
        graph: &Graph<S, M, V>,
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

    /// Solves states whose successors are among them or solved.
    pub fn solve<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt<G::Error>> {
        self.solutions.resize(graph.len().max(self.solutions.len()), None);
        let order = Links::of(graph, new).order(graph, new);
        let players = game.players();
        let width = if players <= 2 { 1 } else { players };
        let done = self.work_through(game, graph, &order, width, meter).and_then(|()| {
            if order.len() == new.len() {
                return Ok(());
            }
            if width > 1 {
                return Err(Halt::Stop(StopReason::Cycle));
            }
            self.iterate(game, graph, new, players == 1, meter)
        });
        if done.is_err() {
            new.iter().for_each(|&node| self.solutions[node as usize] = None);
        }
        done
    }

    /// States in an order where each comes behind its successors.
    fn work_through<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        order: &[NodeId],
        width: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt<G::Error>> {
        for &node in order {
            meter.watch()?;
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

    /// The states that are left, from which play can come back to a state.
    fn iterate<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        alone: bool,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt<G::Error>> {
        let left: Vec<NodeId> = new.iter().copied().filter(|&node| !self.contains(node)).collect();
        let equations = self.equations(game, graph, &left, alone)?;
        let (low, high) = equations.solve(meter)?;
        for ((&node, low), high) in left.iter().zip(low).zip(high) {
            let error = (high - low) / 2.0;
            self.set(node, Box::new([Expected::Float(low + error)]), error);
        }
        Ok(())
    }

    fn equations<G: Game>(
        &self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        left: &[NodeId],
        alone: bool,
    ) -> Result<Equations, Halt<G::Error>> {
        let mut numbers = vec![UNKNOWN; graph.len()];
        (0..).zip(left).for_each(|(number, &node)| numbers[node as usize] = number);
        let mut equations = Equations { states: Vec::new(), successors: Vec::new() };
        for &node in left {
            let turn = match graph.player(node) {
                CHANCE => Turn::Mean,
                player if alone || player == 0 => Turn::Greatest,
                _ => Turn::Least,
            };
            let chances = match turn {
                Turn::Mean => Some(graph.probabilities(game, node)?),
                _ => None,
            };
            let from = equations.successors.len();
            for (at, edge) in graph.known_edges(node).iter().enumerate() {
                let chance = chances.as_ref().map_or(1.0, |chances| chances[at].as_f64());
                let equation = numbers[edge.to as usize];
                let worth = match equation {
                    UNKNOWN => self.known(edge.to, 0).as_f64(),
                    _ => 0.0,
                };
                equations.successors.push(Successor { chance, equation, worth });
            }
            let to = equations.successors.len();
            equations.states.push(Equation { turn, from, to });
        }
        Ok(equations)
    }
}

/// What an end is worth: to the first of one or two players, to each of more.
fn ends<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    node: NodeId,
    width: usize,
) -> Result<Box<[Expected]>, Halt<G::Error>> {
    if width > 1 {
        return Ok(utilities(game, graph, node)?.into_iter().map(Expected::of).collect());
    }
    let value = graph.utility(game, node)?;
    let own = graph.valued_for(node) == 0;
    Ok(Box::new([Expected::of(if own { value } else { value.negated() })]))
}

impl Equations {
    /// Values that all states are worth at least, and at most.
    fn solve<E>(&self, meter: &mut Meter<'_>) -> Result<(Vec<f64>, Vec<f64>), Halt<E>> {
        let ends = self.successors.iter().filter(|successor| successor.equation == UNKNOWN);
        let (least, greatest) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| {
            (low.min(end.worth), high.max(end.worth))
        });
        let mut low = vec![least; self.states.len()];
        let mut high = vec![greatest; self.states.len()];
        loop {
            let (mut gap, mut moved) = (0.0f64, false);
            // States nearer to the ends were met later.
            for at in (0..self.states.len()).rev() {
                meter.watch()?;
                let (rises, falls) = (self.right(at, &low), self.right(at, &high));
                moved |= rises > low[at] || falls < high[at];
                low[at] = low[at].max(rises);
                // Rounding must not let them cross.
                high[at] = high[at].min(falls).max(low[at]);
                gap = gap.max(high[at] - low[at]);
            }
            if gap <= GAP * (greatest - least) {
                return Ok((low, high));
            }
            if !moved {
                return Err(Halt::Stop(StopReason::Cycle));
            }
        }
    }

    /// The right side of an equation.
    fn right(&self, at: usize, values: &[f64]) -> f64 {
        let Equation { turn, from, to } = self.states[at];
        let successors = self.successors[from..to].iter();
        let worth = |successor: &Successor| match successor.equation {
            UNKNOWN => successor.worth,
            equation => values[equation as usize],
        };
        match turn {
            Turn::Greatest => successors.map(worth).fold(f64::NEG_INFINITY, f64::max),
            Turn::Least => successors.map(worth).fold(f64::INFINITY, f64::min),
            Turn::Mean => successors.map(|one| one.chance * worth(one)).sum(),
        }
    }
}
