//! Games solved without their graph: sorted states with a mark of a byte or two each, and no edges.
//!
//! What can be reached is found layer by layer ([`spread`]), what it is worth by asking for moves again
//! ([`settle`]). Value, distance, move and line are those of [`super::retrograde`], for two players of whom one wins
//! what the other loses, where chance does not move.

mod batch;
mod labels;
mod measure;
mod order;
mod settle;
mod spread;
mod states;
mod team;

#[cfg(test)]
mod tests;

use super::graph::{Graph, GraphOf, NodeId};
use super::interface::Game;
use super::links::Links;
use super::meter::{Answer, Halt, Meter, PerhapsAnswer};
use super::options::GameOptions;
use super::report::Verdict;
use super::solved::{self, LONGEST_LINE};
use super::value::Value;
use crate::fork::Crew;
use crate::report::StopReason;
use crate::space::{MoveId, Row};
use labels::{ENDLESS, Label, value_to};
use spread::Space;
use states::{Bytes, Refused, moves};
use team::Team;

/// States from which on a game that comes to an end is solved without a graph: it takes about as long then.
const MANY: usize = 1 << 24;

/// Solves a state with the graph, or without it if that is asked for, if there are very many states, or if the graph
/// takes all memory.
pub(super) fn search<G: Game>(
    game: &mut G,
    known: (&mut GraphOf<G>, &mut solved::Solved<G::Value>),
    root: NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let mut crew = Crew::of(game);
    let answer = search_by(game, &mut crew, known, root, options, meter);
    crew.disband(game);
    answer
}

fn search_by<G: Game>(
    game: &mut G,
    crew: &mut Crew<G>,
    (graph, solved): (&mut GraphOf<G>, &mut solved::Solved<G::Value>),
    root: NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let (start, before) = (graph.state(root), meter.stats);
    let may = applies(game, &start) && !solved.contains(root);
    if may
        && options.storage.compact
        && let Some(verdict) = solve(game, crew, &start, meter)?
    {
        return Ok(verdict);
    }
    let asked = graph.asked();
    let most = if may && !options.storage.compact { MANY } else { usize::MAX };
    let found = match solved.search(game, crew, graph, root, most, meter) {
        Ok(Some(verdict)) => return Ok(verdict),
        Ok(None) if comes_to_an_end(graph) => None,
        Ok(None) => {
            meter.stats.nodes = before.nodes;
            match solved.search(game, crew, graph, root, usize::MAX, meter) {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) => None,
                Err(halt) => Some(halt),
            }
        }
        Err(halt) => Some(halt),
    };
    match found {
        None | Some(Halt::Stop(StopReason::Memory)) if may && !options.storage.compact => {
            graph.clear(asked);
            *solved = solved::Solved::new(game);
            meter.stats.nodes = before.nodes;
            let verdict = solve(game, crew, &start, meter)?;
            verdict.ok_or(Halt::Stop(StopReason::Memory))
        }
        Some(halt) => Err(halt),
        None => Err(Halt::Stop(StopReason::Memory)),
    }
}

/// Whether no play comes back to a state, as far as the graph goes.
fn comes_to_an_end<S: Row, V>(graph: &Graph<S, V>) -> bool {
    let nodes: Vec<NodeId> = (0..graph.len() as NodeId).collect();
    Links::of(graph, &nodes).order(graph, &nodes).len() == nodes.len()
}

/// Whether a game may be solved so: of two players of whom one wins what the other loses, with states that have bytes.
fn applies<G: Game>(game: &G, start: &G::State) -> bool {
    game.players() == 2 && !game.is_general_sum() && start.write(&mut Vec::new())
}

/// What is found in a space.
type Found<T> = Result<T, Refused>;
/// A move and where it leads.
type Step<G> = (MoveId, <G as Game>::State);

/// Solves a state and all that can be reached from it; `None` if the game is not one that can be solved so.
fn solve<G: Game>(
    game: &mut G,
    crew: &mut Crew<G>,
    root: &G::State,
    meter: &mut Meter<'_>,
) -> PerhapsAnswer<G> {
    let before = meter.stats;
    let mut found = solve_as::<G, 1>(game, crew, root, meter);
    // Longer numbers, until they fit.
    for longer in [solve_as::<G, 2>, solve_as::<G, 4>, solve_as::<G, 16>] {
        if !matches!(found, Err(Refused::TooLong)) {
            break;
        }
        (meter.stats.nodes, meter.stats.states) = (before.nodes, before.states);
        found = longer(game, crew, root, meter);
    }
    match found {
        Ok(verdict) => Ok(Some(verdict)),
        Err(Refused::Halt(halt)) => Err(halt),
        Err(Refused::TooLong | Refused::Unfit) => {
            (meter.stats.nodes, meter.stats.states) = (before.nodes, before.states);
            Ok(None)
        }
    }
}

fn solve_as<G: Game, const W: usize>(
    game: &mut G,
    crew: &mut Crew<G>,
    root: &G::State,
    meter: &mut Meter<'_>,
) -> Found<Verdict<G::Value>> {
    let team = &mut Team { game, crew };
    let mut space = Space::<G::Value, W>::of(team, root, meter)?;
    space.settle(team, meter)?;
    let game = &mut *team.game;
    let mut solved = Solved { bytes: Bytes::new(space.run.coding().clone()), space };
    let label = solved.label(root)?;
    let line = solved.line(game, root)?;
    Ok(Verdict {
        value: Some(value_to(label.value, game.player(root))),
        best: line.first().copied(),
        played: Some(line),
        exact: true,
        distance: Some(label.distance).filter(|&distance| distance != ENDLESS),
        ..Verdict::default()
    })
}

/// A space whose states have labels.
struct Solved<V, const W: usize> {
    space: Space<V, W>,
    bytes: Bytes<W>,
}

impl<V: Value, const W: usize> Solved<V, W> {
    fn label<S: Row>(&mut self, state: &S) -> Found<Label<V>> {
        let number = self.bytes.number(state).ok_or(Refused::Unfit)?;
        let place = self.space.run.finder().find(number).ok_or(Refused::Unfit)?;
        let mark = self.space.run.segments[place.segment].marks.get(place.at);
        Ok(self.space.labels.label(mark))
    }

    /// The move to be made at a state, and where it leads: the first that reaches the value and keeps to the
    /// distance. `None` where the game is over.
    fn best<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        state: &G::State,
    ) -> Found<Option<Step<G>>> {
        let own = self.label(state)?;
        if own.distance == 0 {
            return Ok(None);
        }
        let mut found = Vec::new();
        game.meet(state);
        moves(game, state, &mut found)?;
        for (mv, successor) in found {
            let label = self.label(&successor)?;
            let keeps = own.value == V::ZERO || label.distance == own.distance.wrapping_sub(1);
            if label.value == own.value && keeps {
                return Ok(Some((mv, successor)));
            }
        }
        Ok(None)
    }

    /// Best play from a state, until the end or until it comes back to a state.
    fn line<G: Game<Value = V>>(&mut self, game: &mut G, root: &G::State) -> Found<Vec<MoveId>> {
        let (mut line, mut state) = (Vec::new(), root.clone());
        let mut met = std::collections::HashSet::new();
        while line.len() < LONGEST_LINE
            && met.insert(state.clone())
            && let Some((mv, successor)) = self.best(game, &state)?
        {
            line.push(mv);
            state = successor;
        }
        Ok(line)
    }
}
