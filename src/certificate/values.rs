//! Values of all states: [`rank_all`] and [`check_values`].
//!
//! Where play comes to an end whatever is done, what a state is worth to each player follows from what it leads to: an
//! end is worth what the rules say; where chance moves, the mean; else who is to move makes the first of the moves that
//! are worth the most to that player. A table of all states that can be reached proves its values if they fit at each
//! state by itself, and if ranks, natural numbers that every move makes less, show that play ends.

use crate::ranks::ranks;
use rustc_hash::FxHashMap;
use zug_search::StateStore;
use zug_search::game::{CHANCE, Edge, Expected, Game, GraphOf, NodeId, Player};

/// All nodes that can be reached from one, each with the greatest number of moves that are left; `None` if play may come
/// back to a state.
pub fn rank_all<G: Game>(graph: &GraphOf<G>, root: NodeId) -> Option<Vec<(NodeId, u32)>> {
    let mut nodes = vec![root];
    let mut places = FxHashMap::from_iter([(root, 0)]);
    let mut leads: Vec<Vec<u32>> = Vec::new();
    while let Some(&node) = nodes.get(leads.len()) {
        let place = |edge: &Edge<G::Move>| {
            *places.entry(edge.to).or_insert_with(|| {
                nodes.push(edge.to);
                nodes.len() as u32 - 1
            })
        };
        leads.push(graph.known_edges(node).iter().map(place).collect());
    }
    let ranks = ranks(&leads)?;
    Some(nodes.into_iter().zip(ranks).collect())
}

/// A state with its values, as a certificate has it.
#[derive(Clone, Debug)]
pub struct Valued<S> {
    /// The line that it stands on.
    pub line: u64,
    /// The state.
    pub state: S,
    /// Its rank.
    pub rank: u64,
    /// What it is worth to each player.
    pub values: Vec<Expected>,
}

/// Why a table proves nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum ValuesFault<S, E> {
    /// The start is not in it.
    Start,
    /// A state is there twice: the line of the second time.
    Twice(u64),
    /// The values on this line are others by what the state leads to.
    Values(u64, Vec<Expected>),
    /// A move from the state of this line leads to this state, which is not in the table.
    LeftOut(u64, S),
    /// A move leads from this line to another one, whose rank is not lower.
    Rank(u64, u64),
    /// The game failed at the state of this line.
    Failed(u64, E),
}

type FaultOf<G> = ValuesFault<<G as Game>::State, <G as Game>::Error>;

/// Whether a table proves what its states are worth: the values of the start.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check_values<G: Game>(
    game: &mut G,
    start: &G::State,
    table: &[Valued<G::State>],
) -> Result<Vec<Expected>, FaultOf<G>> {
    let mut store = game.new_store();
    for valued in table {
        if !store.intern(&valued.state).1 {
            return Err(ValuesFault::Twice(valued.line));
        }
    }
    let Some(root) = store.find(start) else { return Err(ValuesFault::Start) };
    for valued in table {
        let values = values_of(game, (table, &store), valued)?;
        if values != valued.values {
            return Err(ValuesFault::Values(valued.line, values));
        }
    }
    Ok(table[root as usize].values.clone())
}

/// What a state is worth by what it leads to.
fn values_of<G: Game>(
    game: &mut G,
    (table, store): (&[Valued<G::State>], &G::Store),
    Valued { line, state, rank, .. }: &Valued<G::State>,
) -> Result<Vec<Expected>, FaultOf<G>> {
    let failed = |error| ValuesFault::Failed(*line, error);
    if game.is_over(state).map_err(failed)? {
        let mut worths = Vec::with_capacity(game.players());
        for player in 0..game.players() as Player {
            let worth = game.utility(state, player).map_err(failed)?;
            worths.push(Expected::of(worth));
        }
        return Ok(worths);
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves).map_err(failed)?;
    let mut worths: Vec<&[Expected]> = Vec::with_capacity(moves.len());
    for (_, to) in &moves {
        let Some(id) = store.find(to) else { return Err(ValuesFault::LeftOut(*line, to.clone())) };
        let there = &table[id as usize];
        if there.rank >= *rank {
            return Err(ValuesFault::Rank(*line, there.line));
        }
        worths.push(&there.values);
    }
    let mover = game.player(state);
    if mover != CHANCE {
        let own = usize::from(mover);
        let mut worths = worths.into_iter();
        let first = worths.next().unwrap_or_default();
        let best =
            worths.fold(first, |best, worth| if worth[own] > best[own] { worth } else { best });
        return Ok(best.to_vec());
    }
    let names: Vec<G::Move> = moves.iter().map(|&(mv, _)| mv).collect();
    let chances = game.probabilities(state, &names).map_err(failed)?;
    let mean = |player: usize| Expected::mean(&chances, worths.iter().map(|worth| &worth[player]));
    Ok((0..game.players()).map(mean).collect())
}
