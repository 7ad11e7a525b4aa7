//! Values of all states: [`rank_all`], [`rows`] and [`check_values`].
//!
//! Where play comes to an end whatever is done, what a state is worth to each player follows from what it leads to: an
//! end is worth what the rules say; where chance moves, the mean; else who is to move makes the first of the moves that
//! are worth the most to that player. A table of all states that can be reached proves its values if they fit at each
//! state by itself, and if ranks, natural numbers that every move makes less, show that play ends.

use crate::ranks::{ranks, reached};
use crate::walk::Walk;
use zug_search::game::{CHANCE, Expected, Game, GraphOf, NodeId, Player};
use zug_search::{Failure, MoveId, StateStore};

/// All nodes that can be reached from one, each with the greatest number of moves that are left; `None` if play may come
/// back to a state.
pub fn rank_all<G: Game>(graph: &GraphOf<G>, root: NodeId) -> Option<Vec<(NodeId, u32)>> {
    let (nodes, leads) = reached(root, |node| Some(graph.known_edges(node)))?;
    let ranks = ranks(&leads)?;
    Some(nodes.into_iter().zip(ranks).collect())
}

/// A state with its rank, as a certificate has it.
#[derive(Clone, Debug)]
pub struct Ranked<S> {
    /// The line that it stands on.
    pub line: u64,
    /// The state.
    pub state: S,
    /// Its rank.
    pub rank: u64,
}

/// What follows what a state is worth from.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// The game is over.
    End,
    /// A player makes the first of the moves to these states, by place, that are worth the most.
    Choice(Player, Vec<u32>),
    /// Chance leads to these states, by place.
    Chance(Vec<(Expected, u32)>),
}

/// Why a table proves nothing.
#[derive(Debug)]
pub enum ValuesFault<S> {
    /// The start is not in it.
    Start,
    /// A state is there twice: the line of the second time.
    Twice(u64),
    /// Nothing leads to the state of this line.
    Unreached(u64),
    /// A move from the state of this line leads to this state, which is not in the table.
    LeftOut(u64, S),
    /// A move leads from this line to another one, whose rank is not lower.
    Rank(u64, u64),
    /// The game failed at the state of this line.
    Failed(u64, Failure),
}

type StoreOf<G> = <<G as Game>::State as zug_search::Row>::Store;
type FaultOf<G> = ValuesFault<<G as Game>::State>;

/// What the states of a table lead to, by place, and the place of the start: all of it leads to lower ranks.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn rows<G: Game>(
    game: &mut G,
    start: &G::State,
    table: &[Ranked<G::State>],
) -> Result<(Vec<Row>, usize), FaultOf<G>> {
    let mut store = StoreOf::<G>::default();
    for ranked in table {
        if !store.intern(&ranked.state).1 {
            return Err(ValuesFault::Twice(ranked.line));
        }
    }
    let (mut walk, mut rows) = (Walk::new(table.len()), vec![Row::End; table.len()]);
    let root = walk.reach(store.find(start)).ok_or(ValuesFault::Start)?;
    while let Some(at) = walk.pop() {
        rows[at] = row(game, (table, &store, &mut walk), &table[at])?;
    }
    match walk.unreached() {
        Some(at) => Err(ValuesFault::Unreached(table[at].line)),
        None => Ok((rows, root)),
    }
}

/// What a state leads to.
fn row<G: Game>(
    game: &mut G,
    (table, store, walk): (&[Ranked<G::State>], &StoreOf<G>, &mut Walk),
    Ranked { line, state, rank }: &Ranked<G::State>,
) -> Result<Row, FaultOf<G>> {
    let failed = |error| ValuesFault::Failed(*line, error);
    if game.is_over(state).map_err(failed)? {
        return Ok(Row::End);
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves).map_err(failed)?;
    let mut places = Vec::with_capacity(moves.len());
    for (_, to) in &moves {
        let Some(at) = walk.reach(store.find(to)) else {
            return Err(ValuesFault::LeftOut(*line, to.clone()));
        };
        if table[at].rank >= *rank {
            return Err(ValuesFault::Rank(*line, table[at].line));
        }
        places.push(at as u32);
    }
    let mover = game.player(state);
    if mover != CHANCE {
        return Ok(Row::Choice(mover, places));
    }
    let names: Vec<MoveId> = moves.iter().map(|&(mv, _)| mv).collect();
    let chances = game.probabilities(state, &names).map_err(failed)?;
    Ok(Row::Chance(chances.iter().cloned().zip(places).collect()))
}

/// What all states of a table are worth to each of so many players, by place, where ends are worth so much: nothing that a
/// certificate says goes into it. `check` gets the place and the values of each, those of lower ranks first.
///
/// # Errors
/// What `end` or `check` say.
pub fn check_values<S, E>(
    players: usize,
    (table, rows): (&[Ranked<S>], &[Row]),
    mut end: impl FnMut(&Ranked<S>) -> Result<Vec<Expected>, E>,
    mut check: impl FnMut(usize, &[Expected]) -> Result<(), E>,
) -> Result<(), E> {
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by_key(|&at| table[at].rank);
    let mut known: Vec<Vec<Expected>> = vec![Vec::new(); table.len()];
    for at in order {
        let values = match &rows[at] {
            Row::End => end(&table[at])?,
            Row::Choice(mover, places) => {
                let own = usize::from(*mover);
                let mut worths = places.iter().map(|&to| &known[to as usize]);
                let first = worths.next().cloned().unwrap_or_default();
                worths.fold(
                    first,
                    |best, worth| {
                        if worth[own] > best[own] { worth.clone() } else { best }
                    },
                )
            }
            Row::Chance(leads) => {
                let mean = |player: usize| {
                    let parts = leads.iter().map(|(p, to)| p.times(&known[*to as usize][player]));
                    parts.fold(Expected::zero(), |sum, part| sum.plus(&part))
                };
                (0..players).map(mean).collect()
            }
        };
        check(at, &values)?;
        known[at] = values;
    }
    Ok(())
}
