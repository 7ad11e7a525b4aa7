//! Who plays against the one who learns: [`Opponent`].

use super::Solving;
use super::learned::Learned;
use crate::Packed;
use crate::game::table::Table;
use crate::game::{GameTask, GameValue, RuleGame};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_random::Random;
use zug_search::game::learn::{MoveStats, good_moves};
use zug_search::game::{GameEngine, GameOutcome, Graph, Halt, NodeId, Sampling, Solved, Value};
use zug_search::{Failure, Limits, StopReason};

/// Who plays against the one who learns.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// The learner itself, from the same boxes.
    Itself,
    /// Any move.
    Random,
    /// Any of the moves that are optimal by `solve_game`; the shortest way to a win.
    Optimal,
    /// An engine to a depth, or to the end of every play; one that makes plays at random with
    /// so many of them.
    Engine(GameEngine, Option<u32>),
    /// A policy, by drawing or by its likeliest moves.
    Policy(Arc<Learned>, bool),
    /// A person.
    Human,
}

/// The moves among which an opponent chooses.
#[derive(Clone)]
enum CandidateMoves {
    /// Any of these.
    Any(Vec<usize>),
    /// As a policy knows them.
    Stats(Vec<MoveStats>),
}

/// An opponent with what it thought before.
pub(super) struct Sparring {
    who: Opponent,
    known: FxHashMap<NodeId, CandidateMoves>,
}

/// The graph and the solved states that an opponent uses.
pub(super) struct OpponentMemory<'a> {
    pub graph: &'a mut Graph<Packed, GameValue>,
    pub solved: &'a mut Option<Solved<GameValue>>,
    pub recalled: &'a mut Option<Solved<GameValue>>,
    pub limits: &'a Limits,
}

impl Sparring {
    pub fn new(who: Opponent) -> Sparring {
        Sparring { who, known: FxHashMap::default() }
    }

    /// Whether nobody else plays.
    pub fn is_learner(&self) -> bool {
        matches!(self.who, Opponent::Itself)
    }

    /// The move of a node of the learner's graph, as a place among its edges.
    pub fn choose(
        &mut self,
        game: &mut RuleGame<'_>,
        memory: &mut OpponentMemory<'_>,
        graph: &Graph<Packed, GameValue>,
        node: NodeId,
        random: &mut Random,
    ) -> Solving<Option<usize>> {
        let count = graph.known_edges(node).len();
        if let Opponent::Human = self.who {
            return Ok(None);
        }
        if !self.known.contains_key(&node) {
            let known = match &self.who {
                Opponent::Optimal => optimal(game, memory, &graph.state(node))?,
                Opponent::Engine(engine, depth) => {
                    searched(game, memory, graph, node, (*engine, *depth))?
                }
                Opponent::Policy(learned, _) => learned_moves(game, learned, graph, node),
                _ => CandidateMoves::Any((0..count).collect()),
            };
            self.known.insert(node, known);
        }
        Ok(Some(match (&self.known[&node], &self.who) {
            (CandidateMoves::Stats(known), Opponent::Policy(learned, greedy)) => {
                learned.draw(known, *greedy, random)
            }
            (CandidateMoves::Any(moves), _) if moves.len() > 1 => {
                moves[random.below(moves.len() as u64) as usize]
            }
            (CandidateMoves::Any(moves), _) => moves.first().copied().unwrap_or(0),
            (CandidateMoves::Stats(_), _) => 0,
        }))
    }
}

/// The table with another graph than the learner's.
fn table<'t>(game: &'t mut RuleGame<'_>, memory: &'t mut OpponentMemory<'_>) -> Table<'t> {
    Table {
        game: game.with(),
        graph: &mut *memory.graph,
        solved: &mut *memory.solved,
        recalled: &mut *memory.recalled,
        limits: memory.limits.clone(),
    }
}

fn optimal(
    game: &mut RuleGame<'_>,
    memory: &mut OpponentMemory<'_>,
    state: &Packed,
) -> Solving<CandidateMoves> {
    let mut table = table(game, memory);
    let node = table.solve(state).map_err(Failure::from)?.map_err(Halt::Stop)?;
    let Some(solved) = table.solved() else { return Ok(CandidateMoves::Any(Vec::new())) };
    let edges = table.graph.known_edges(node);
    let keep = good_moves(table.graph, solved, node);
    let mut good: Vec<usize> = (0..edges.len()).filter(|&at| keep[at]).collect();
    // The shortest win, the longest defence.
    if solved.value(table.graph, node).is_some_and(|value| value != GameValue::ZERO)
        && let Some(step) = solved.distance(node).and_then(|distance| distance.checked_sub(1))
    {
        good.retain(|&at| solved.distance(edges[at].to) == Some(step));
    }
    Ok(CandidateMoves::Any(good))
}

fn searched(
    game: &mut RuleGame<'_>,
    memory: &mut OpponentMemory<'_>,
    graph: &Graph<Packed, GameValue>,
    node: NodeId,
    (engine, depth): (GameEngine, Option<u32>),
) -> Solving<CandidateMoves> {
    let limits = memory.limits.clone();
    let mut task = GameTask { depth, limits, soonest: true, ..GameTask::of(engine) };
    if engine.is_sampling() {
        // It must end by its plays, not by the time of the training.
        let playouts = task.depth.take().map_or(Sampling::PLAYOUTS, u64::from);
        task.sampling.playouts = Some(playouts);
    }
    let mut table = table(game, memory);
    let found = table.search(&task, &graph.state(node), None).map_err(Failure::from)?;
    // What is known when the training must end is not what it plays otherwise.
    let ends = |reason| matches!(reason, StopReason::Time | StopReason::Cancelled);
    if let GameOutcome::Stopped(reason) = found.outcome
        && (found.best.is_none() || ends(reason))
    {
        return Err(Halt::Stop(reason));
    }
    let edges = graph.known_edges(node).iter();
    let mut moves = edges.map(|edge| table.game.move_term(edge.mv));
    let best = moves.position(|mv| Some(mv) == found.best);
    Ok(CandidateMoves::Any(best.into_iter().collect()))
}

fn learned_moves(
    game: &mut RuleGame<'_>,
    learned: &Learned,
    graph: &Graph<Packed, GameValue>,
    node: NodeId,
) -> CandidateMoves {
    let edges = graph.known_edges(node);
    let moves: Vec<_> = edges.iter().map(|edge| game.move_term(edge.mv)).collect();
    let state = game.state_term(&graph.state(node));
    let player = game.player_term(graph.player(node));
    let (m, w) = game.machine();
    match learned.moves(m, w, (&player, &state), &moves) {
        Some(known) => CandidateMoves::Stats(known),
        None => CandidateMoves::Any((0..edges.len()).collect()),
    }
}
