//! Strategies: [`strategy`] takes one from a solved game, [`check_strategy`] finds out what it guarantees.
//!
//! A strategy of one of two players is a set of positions with a move for each where it is that player's turn. It
//! guarantees the player a value, if the set has the start, every end in it is worth so much, the move chosen leads to a
//! position of the set, and so does every move of the opponent. Play that never ends is worth 0: a value above 0
//! takes ranks besides, natural numbers that every move makes less, so that play ends.
//!
//! Two strategies, one for either side, whose values are each other's negation are a proof of the value of a game.

use crate::ranks::ranks;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use zug_search::game::{CHANCE, Edge, Game, GraphOf, NodeId, Player, Solved, Value};
use zug_search::{StateId, StateStore};

/// A position of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<M> {
    /// The state, by its number in the graph.
    pub node: NodeId,
    /// At least the number of moves that are left, if the strategy forces the end; else 0.
    pub rank: u32,
    /// The move, where it is the player's turn and the game is not over.
    pub mv: Option<M>,
}

/// A strategy of one of two players from a solved node, that guarantees the value of that node: its positions, the
/// node's first. `None` if the game is not solved there, or chance moves.
pub fn strategy<G: Game>(
    graph: &GraphOf<G>,
    solved: &Solved<G::Value>,
    root: NodeId,
    player: Player,
) -> Option<Vec<Position<G::Move>>> {
    let forces = solved.value_to(graph, root, player)? > G::Value::ZERO;
    let mut positions = vec![Position { node: root, rank: 0, mv: None }];
    let mut places = FxHashMap::from_iter([(root, 0)]);
    let mut leads: Vec<Vec<u32>> = Vec::new();
    while let Some(&Position { node, .. }) = positions.get(leads.len()) {
        let mut edges = graph.known_edges(node);
        match graph.player(node) {
            CHANCE => return None,
            mover if mover == player && !edges.is_empty() => {
                let best = solved.best_edge(graph, node)? as usize;
                positions[leads.len()].mv = Some(edges[best].mv);
                edges = &edges[best..=best];
            }
            _ => {}
        }
        let place = |edge: &Edge<G::Move>| {
            *places.entry(edge.to).or_insert_with(|| {
                positions.push(Position { node: edge.to, rank: 0, mv: None });
                positions.len() as u32 - 1
            })
        };
        leads.push(edges.iter().map(place).collect());
    }
    if forces {
        for (position, rank) in positions.iter_mut().zip(ranks(&leads)?) {
            position.rank = rank;
        }
    }
    Some(positions)
}

/// What a strategy is to guarantee.
#[derive(Clone, Copy, Debug)]
pub struct StrategyClaim<V> {
    /// Whose strategy it is.
    pub player: Player,
    /// What the player gets at least.
    pub value: V,
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
    /// The name of the move, if there is one.
    pub mv: Option<N>,
}

/// Why a strategy does not guarantee what it is to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyFault<S, V, E> {
    /// The start is not among its positions.
    Start,
    /// A position is there twice: the line of the second time.
    Twice(u64),
    /// The end on this line is worth so much.
    End(u64, V),
    /// There is no move on this line, or one where there should be none.
    Choice(u64),
    /// The move on this line is none of the state, or leads to no position, or to none of lower rank.
    Move(u64),
    /// A move of the opponent from the position of this line leads to this state, which is no position.
    LeftOut(u64, S),
    /// A move of the opponent leads from this line to another one, whose rank is not lower.
    Rank(u64, u64),
    /// Chance moves in the state of this line.
    Chance(u64),
    /// The game failed at the position of this line.
    Failed(u64, E),
}

/// A strategy with what it is to guarantee, and its states by number.
struct Claimed<'a, G: Game, N> {
    claim: StrategyClaim<G::Value>,
    list: &'a [Holding<G::State, N>],
    store: G::Store,
}

type FaultOf<G> = StrategyFault<<G as Game>::State, <G as Game>::Value, <G as Game>::Error>;

/// Whether a strategy of one of two players guarantees a value. `name` names a move.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check_strategy<G: Game, N: PartialEq + Debug>(
    game: &mut G,
    start: &G::State,
    claim: StrategyClaim<G::Value>,
    list: &[Holding<G::State, N>],
    mut name: impl FnMut(&mut G, G::Move) -> N,
) -> Result<(), FaultOf<G>> {
    let mut claimed = Claimed::<G, N> { claim, list, store: game.new_store() };
    for holding in list {
        if !claimed.store.intern(&holding.state).1 {
            return Err(StrategyFault::Twice(holding.line));
        }
    }
    if claimed.store.find(start).is_none() {
        return Err(StrategyFault::Start);
    }
    for holding in list {
        check_position(game, &claimed, holding, &mut name)?;
    }
    Ok(())
}

fn check_position<G: Game, N: PartialEq + Debug>(
    game: &mut G,
    Claimed { claim, list, store }: &Claimed<'_, G, N>,
    holding: &Holding<G::State, N>,
    name: &mut impl FnMut(&mut G, G::Move) -> N,
) -> Result<(), FaultOf<G>> {
    let Holding { line, state, rank, mv } = holding;
    let failed = |error| StrategyFault::Failed(*line, error);
    if game.is_over(state).map_err(failed)? {
        return match (end(game, state, claim.player).map_err(failed)?, mv) {
            (worth, _) if worth < claim.value => Err(StrategyFault::End(*line, worth)),
            (_, Some(_)) => Err(StrategyFault::Choice(*line)),
            _ => Ok(()),
        };
    }
    let mover = game.player(state);
    if mover == CHANCE {
        return Err(StrategyFault::Chance(*line));
    }
    if (mover == claim.player) != mv.is_some() {
        return Err(StrategyFault::Choice(*line));
    }
    let lower = |id: StateId| claim.value <= G::Value::ZERO || list[id as usize].rank < *rank;
    let mut moves = Vec::new();
    game.moves(state, &mut moves).map_err(failed)?;
    let Some(chosen) = mv else {
        return moves.into_iter().try_for_each(|(_, to)| match store.find(&to) {
            None => Err(StrategyFault::LeftOut(*line, to)),
            Some(id) if !lower(id) => Err(StrategyFault::Rank(*line, list[id as usize].line)),
            Some(_) => Ok(()),
        });
    };
    let fits = moves
        .into_iter()
        .any(|(mv, to)| store.find(&to).is_some_and(lower) && name(game, mv) == *chosen);
    if fits { Ok(()) } else { Err(StrategyFault::Move(*line)) }
}

/// What an end is worth to a player, on the scale on which values to both are each other's negation.
fn end<G: Game>(game: &mut G, state: &G::State, player: Player) -> Result<G::Value, G::Error> {
    let mover = game.valued_for(state);
    let worth = game.utility(state, mover)?;
    let worth = game.balanced(worth)?;
    Ok(if mover == player { worth } else { worth.negated() })
}
