//! `solve_game`: the exact value of every state that can be reached.
//!
//! The graph is laid out from the root, then worked through backwards from where the game is
//! over.
//!
//! With two players a value is greater than zero to a player if that player can force the
//! play to an end worth so much, whatever the other does; ends are taken in the order of what
//! they are worth, the greatest first, and within one value by distance, so that who wins
//! takes the shortest way and who loses the longest. What neither can force, play that goes
//! round for ever among it, is worth zero: a draw.
//!
//! With more players, and with two where what one wins is not what the other loses, every state
//! gets the values that follow if each player in turn takes the move best for that player alone,
//! the first of equals; such a game must come to an end. Where moves are equals to who makes them
//! and not to others, the values rest on that choice: every state has a range for each player, from
//! the least to the greatest that some choice among equals comes to.
//!
//! Where chance moves values are means, see [`super::expectation`].
//!
//! The move is the first in move order that reaches the value, and with two players also keeps to the distance: the
//! shortest win, the longest defence.
//!
//! Bellman, *On the application of dynamic programming to the determination of optimal play in
//! chess and checkers*, PNAS 53 (1965); Ströhlein 1970; Thompson, *Retrograde analysis of
//! certain endgames*, ICCA Journal 9 (1986).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(1001, 3);
//! let start = nim.start(1001);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::SolveGame);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!((report.value, report.distance), (Some(-1), Some(501)));
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::asking::Asking;
use super::compact;
use super::expected::Expected;
use super::graph::{Graph, GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{CHANCE, Game, Player};
use super::links::{Links, lay_out_some};
use super::meter::{Answer, Halt, Meter, PerhapsAnswer};
use super::options::GameOptions;
use super::solved::Solved;
use super::value::Value;
use crate::fork::{Crew, on_threads};
use crate::limits::Limits;
use crate::space::Row;
use std::cmp::Reverse;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "solve_game",
    title: "retrograde analysis",
    summary: "the exact value of every state that can be reached, from the ends backwards",
    players: PlayersAllowed::Any,
    chance: true,
    threads: true,
    when: "the states fit in memory",
    reference: "Bellman 1965",
};

impl<V: Value> Solved<V> {
    /// Solves a node and all that can be reached from it.
    ///
    /// # Errors
    /// A limit, or the failure of an operation of the game.
    pub fn solve<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        root: NodeId,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let mut meter = Meter::new(limits, None);
        let mut crew = Crew::of(game);
        let solved = self.solve_within(game, &mut crew, graph, root, usize::MAX, &mut meter);
        crew.disband(game);
        solved.map(drop)
    }

    /// Solves a node, if it is not solved, and says what is known of it; `None` if more than `most` states are to be
    /// solved.
    pub(super) fn search<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        crew: &mut Crew<G>,
        graph: &mut GraphOf<G>,
        root: NodeId,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> PerhapsAnswer<G> {
        let is_solved = self.solve_within(game, crew, graph, root, most, meter)?;
        Ok(is_solved.then(|| self.verdict(graph, root)))
    }

    fn solve_within<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        crew: &mut Crew<G>,
        graph: &mut GraphOf<G>,
        root: NodeId,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Halt> {
        if self.contains(root) {
            return Ok(true);
        }
        // Beside the graph: links back, counts, values and the queue.
        let own = self.bytes() + graph.len() * (size_of::<V>() + 12);
        let is_known = |node| self.contains(node);
        let asking = &mut Asking::by(crew, self.width == 1);
        let own = (own, 40);
        let (new, all) = lay_out_some(game, graph, root, is_known, own, most, (asking, meter))?;
        if !all {
            return Ok(false);
        }
        self.make_room(graph.len());
        let (new, chancy) = self.part(graph, new);
        let links = Links::of(graph, &new);
        let done = if self.width == 1 {
            self.two_players(game, graph, &new, &links, (crew.threads(), meter))
        } else {
            self.more_players(game, graph, &new, &links, meter)
        };
        if done.is_err() {
            for &node in &new {
                let at = self.at(node);
                self.values[at..at + self.width].fill(None);
                self.ranges.forget(node);
            }
        }
        done?;
        if chancy.is_empty() {
            return Ok(true);
        }
        self.hand_over(graph, &chancy);
        let tied: Vec<NodeId> = self.expectations.solve(game, graph, &chancy, meter, &self.ties)?;
        tied.into_iter().for_each(|node| self.ties[node as usize] = true);
        Ok(true)
    }

    /// The states that are laid out, those apart from which play can come to where chance moves.
    /// What a state is worth is found in the same way whatever is solved besides.
    fn part<S: Row>(&self, graph: &Graph<S, V>, new: Vec<NodeId>) -> (Vec<NodeId>, Vec<NodeId>) {
        let leads_on = |node: NodeId| {
            let mut edges = graph.known_edges(node).iter().map(|edge| edge.to);
            edges.any(|to| self.is_mean(to))
        };
        let meets = |node: NodeId| graph.player(node) == CHANCE || leads_on(node);
        let mut open: Vec<NodeId> = new.iter().copied().filter(|&node| meets(node)).collect();
        if open.is_empty() {
            return (new, Vec::new());
        }
        let links = Links::of(graph, &new);
        let mut chancy = vec![false; graph.len()];
        open.iter().for_each(|&node| chancy[node as usize] = true);
        while let Some(node) = open.pop() {
            for &at in links.before(node) {
                let before = new[at as usize];
                if !std::mem::replace(&mut chancy[before as usize], true) {
                    open.push(before);
                }
            }
        }
        new.into_iter().partition(|&node| !chancy[node as usize])
    }

    /// What was solved without chance and is met on the way, to those who reckon with it.
    fn hand_over<S: Row>(&mut self, graph: &Graph<S, V>, new: &[NodeId]) {
        for node in new.iter().flat_map(|&node| graph.known_edges(node)).map(|edge| edge.to) {
            let seats = 0..self.width as Player;
            let values: Option<Vec<V>> =
                seats.map(|seat| self.value_to(graph, node, seat)).collect();
            if let Some(values) = values {
                self.expectations.adopt(node, values.into_iter().map(Expected::of).collect());
            }
        }
    }

    fn two_players<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        links: &Links,
        (threads, meter): (usize, &mut Meter<'_>),
    ) -> Result<(), Halt> {
        for &node in new {
            meter.poll()?;
            if graph.known_edges(node).is_empty() {
                let value = graph.utility(game, node)?;
                self.values[node as usize] = Some(value);
                self.distances[node as usize] = 0;
            }
        }
        // Nobody can force what the other one can: each player is looked at alone.
        let (own, graph, began) = (&*self, &*graph, meter.began());
        let found: Vec<Result<Forced<V>, Halt>> = match threads {
            1 => (0..2).map(|player| own.forced(graph, new, links, (player, meter))).collect(),
            _ => on_threads(vec![0, 1], threads, |player| {
                let mut meter = Meter::beside(began, (u64::MAX, usize::MAX));
                own.forced(graph, new, links, (player, &mut meter))
            }),
        };
        for (player, found) in (0..).zip(found) {
            let Forced { nodes, steps } = found?;
            let mut begin = 0;
            for (end, value, distance) in steps {
                for &node in &nodes[std::mem::replace(&mut begin, end)..end] {
                    let own = graph.player(node) == player;
                    let value = if own { value } else { value.negated() };
                    self.values[node as usize] = Some(value);
                    self.distances[node as usize] = distance;
                }
            }
        }
        for &node in new {
            let value = &mut self.values[node as usize];
            *value = value.or(Some(V::ZERO));
        }
        Ok(())
    }

    /// The states from which a player can force an end that is worth more than nothing: those with the greatest value
    /// first, and of these the nearest to the end.
    fn forced<S: Row>(
        &self,
        graph: &Graph<S, V>,
        new: &[NodeId],
        links: &Links,
        (player, meter): (Player, &mut Meter<'_>),
    ) -> Result<Forced<V>, Halt> {
        let known = links.children.iter().filter_map(|&child| {
            let value = self.value_to(graph, child, player).filter(|&v| v > V::ZERO)?;
            Some((Reverse(value), self.distances[child as usize], child))
        });
        let mut known: Vec<_> = known.collect();
        known.sort_unstable_by_key(|&(value, distance, _)| (value, distance));
        let mut is_known: Vec<bool> =
            new.iter().map(|&node| self.values[node as usize].is_some()).collect();
        // Moves of the opponent that don't lead there yet.
        let mut ways_out: Vec<u32> =
            new.iter().map(|&n| graph.known_edges(n).len() as u32).collect();
        let mut forced = Forced { nodes: Vec::new(), steps: Vec::new() };
        for mut same in known.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(Reverse(value), mut distance, _)) = same.first() else { continue };
            // Those that were found in the last step are as far away as those that are next among the known.
            let mut last = forced.nodes.len()..forced.nodes.len();
            while !last.is_empty() || !same.is_empty() {
                if let (true, Some(&(_, next, _))) = (last.is_empty(), same.first()) {
                    distance = next;
                }
                let here = same.partition_point(|&(_, known, _)| known <= distance);
                let (there, rest) = same.split_at(here);
                same = rest;
                let begin = forced.nodes.len();
                for at in 0..last.len() + there.len() {
                    meter.poll()?;
                    let child = match at.checked_sub(last.len()) {
                        None => forced.nodes[last.start + at],
                        Some(at) => there[at].2,
                    };
                    for &at in links.before(child) {
                        if is_known[at as usize] {
                            continue;
                        }
                        let node = new[at as usize];
                        if graph.player(node) != player {
                            ways_out[at as usize] -= 1;
                            if ways_out[at as usize] > 0 {
                                continue;
                            }
                        }
                        is_known[at as usize] = true;
                        forced.nodes.push(node);
                    }
                }
                distance += 1;
                last = begin..forced.nodes.len();
                forced.steps.push((last.end, value, distance));
            }
        }
        Ok(forced)
    }
}

/// What a player can force.
struct Forced<V> {
    /// The states, in the order in which they were found.
    nodes: Vec<NodeId>,
    /// Where those end that are worth so much to the player and as far from an end.
    steps: Vec<(usize, V, u32)>,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    compact::search(game, (graph, &mut Solved::new(game)), *root, options, meter)
}
