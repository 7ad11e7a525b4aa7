//! What alpha-beta asks of one state: its moves, or its value where there are none.

use super::interface::{Game, Player};
use super::meter::Halt;
use super::transposition::{Bound, Entries, StateKey, SubtreeValue, Window, for_player};
use super::value::Value;
use crate::space::{Failure, MoveId};
use crate::store::hash_of;

/// What the table tells of a successor, to the player to move before it.
#[derive(Clone, Copy)]
pub(super) enum Told<V> {
    /// Nothing.
    Nothing,
    /// Its value, as far as that matters.
    Value(SubtreeValue<V>),
    /// What came of another search of it.
    Guess(V, Bound),
}

/// What a move is to the history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveKey {
    /// The number of its name.
    pub name: u32,
    /// What it changes ([`Game::change`]).
    pub change: u32,
}

/// The moves of a node on the path.
pub(super) struct Ply<G: Game> {
    /// In move order, with the states they lead to.
    pub moves: Vec<(MoveId, G::State)>,
    /// Of a game with symmetries what stands for these states in the table: play goes on from the states
    /// themselves, so that what orders moves means the same all along a path.
    standing: Vec<G::State>,
    /// The hashes of these states, or of what stands for them.
    pub hashes: Vec<u32>,
    /// What the table tells of them.
    pub told: Vec<Told<G::Value>>,
    /// What the moves are to the history.
    pub ids: Vec<MoveKey>,
    /// The moves that are to be tried, in that order.
    pub order: Vec<u32>,
    /// The game is over in none of the states that are to be searched.
    pub go_on: bool,
}

impl<G: Game> Ply<G> {
    pub fn new() -> Self {
        Self {
            moves: Vec::new(),
            standing: Vec::new(),
            hashes: Vec::new(),
            told: Vec::new(),
            ids: Vec::new(),
            order: Vec::new(),
            go_on: false,
        }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.moves.capacity() * size_of::<(MoveId, G::State)>()
            + self.standing.capacity() * size_of::<G::State>()
            + self.told.capacity() * size_of::<Told<G::Value>>()
            + self.ids.capacity() * size_of::<MoveKey>()
            + (self.hashes.capacity() + self.order.capacity()) * size_of::<u32>()
    }

    /// Asks for the moves of a state where the game is not over; `whole`: to the end of play.
    pub fn ask(&mut self, game: &mut G, state: &G::State, whole: bool) -> Result<(), Halt> {
        self.moves.clear();
        self.go_on = false;
        game.moves(state, &mut self.moves)?;
        debug_assert!(!self.moves.is_empty(), "a state that is not over has a move");
        self.ids.clear();
        self.ids.extend(
            self.moves
                .iter()
                .map(|&(mv, ref after)| MoveKey { name: mv, change: game.change(state, after) }),
        );
        self.hashes.clear();
        self.standing.clear();
        if game.has_symmetry() && (whole || game.symmetry_keeps_estimates()) {
            for (_, state) in &self.moves {
                self.standing.push(game.canonical(state)?);
            }
            self.hashes.extend(self.standing.iter().map(hash_of));
        } else {
            self.hashes.extend(self.moves.iter().map(|(_, state)| hash_of(state)));
        }
        Ok(())
    }

    /// A state that a move leads to.
    pub fn state(&self, at: u32) -> &G::State {
        &self.moves[at as usize].1
    }

    /// What stands for it in the table, if the game has symmetries.
    pub fn standing(&self, at: u32) -> Option<&G::State> {
        self.standing.get(at as usize)
    }

    /// What the table knows it by.
    pub fn key(&self, at: u32) -> StateKey<'_, G::State> {
        let state = self.standing(at).unwrap_or_else(|| self.state(at));
        StateKey { state, hash: self.hashes[at as usize] }
    }

    /// Looks up what the table tells of the moves. One that is known to cut makes the search of the node
    /// needless: its value, if that `may_cut`. `winner`: only wins of this player within
    /// the depth count.
    pub fn look_up(
        &mut self,
        game: &G,
        table: &impl Entries<G::State, G::Value>,
        player: Player,
        left: u32,
        (window, may_cut, winner): (Window<G::Value>, bool, Option<Player>),
    ) -> Option<SubtreeValue<G::Value>> {
        table.prepare(&self.hashes);
        self.told.clear();
        for at in 0..self.moves.len() as u32 {
            let key = self.key(at);
            let Some(entry) = table.get(key) else {
                self.told.push(Told::Nothing);
                continue;
            };
            let turns = game.player(key.state) != player;
            let asked = window.for_player(turns);
            let answer = match winner {
                None => entry.answer(left, asked),
                Some(winner) => entry.answer_before(left, asked, winner == game.player(key.state)),
            };
            let told = match answer {
                Some(found) => {
                    let value = for_player(found.value, turns);
                    if may_cut && value >= window.beta {
                        return Some(SubtreeValue { value, height: found.height + 1, ..found });
                    }
                    Told::Value(SubtreeValue { value, ..found })
                }
                None => {
                    let bound = if turns { entry.bound.turned() } else { entry.bound };
                    Told::Guess(for_player(entry.found.value, turns), bound)
                }
            };
            self.told.push(told);
        }
        None
    }

    /// The moves whose values are told, with these.
    pub fn values(&self) -> impl Iterator<Item = (u32, SubtreeValue<G::Value>)> {
        (0..).zip(&self.told).filter_map(|(at, told)| match *told {
            Told::Value(found) => Some((at, found)),
            _ => None,
        })
    }
}

/// The depth of a search for wins of a player: a state there where the game goes on has the worst value to that player.
pub(super) struct Horizon<V> {
    pub winner: Player,
    /// The least and the greatest win met.
    wins: Option<(V, V)>,
}

impl<V: Value> Horizon<V> {
    pub fn against(winner: Player) -> Self {
        Self { winner, wins: None }
    }

    /// Whether all wins met are worth the same.
    pub fn all_alike(&self) -> bool {
        self.wins.is_some_and(|(least, greatest)| least == greatest)
    }

    fn meet(&mut self, value: V, player: Player) {
        let won = if player == self.winner { value } else { value.negated() };
        if won > V::ZERO {
            let (least, greatest) = self.wins.unwrap_or((won, won));
            self.wins = Some((least.min(won), greatest.max(won)));
        }
    }
}

/// The value of a node at the depth or at the end of the game; `None` if play goes on, which may be
/// known.
#[inline]
pub(super) fn leaf<G: Game>(
    game: &mut G,
    state: &G::State,
    left: u32,
    goes_on: bool,
    horizon: Option<&mut Horizon<G::Value>>,
) -> Result<Option<SubtreeValue<G::Value>>, Failure> {
    if goes_on && left > 0 {
        return Ok(None);
    }
    if let Some(horizon) = horizon {
        return leaf_before(game, state, left, horizon);
    }
    let player = game.player(state);
    let over = (left > 0 || game.heuristic_is_utility()) && game.is_over(state)?;
    let value = if over && (left > 0 || !game.has_heuristic()) {
        game.utility(state, player)?
    } else if left == 0 {
        game.heuristic(state, player)?
    } else {
        return Ok(None);
    };
    Ok(Some(SubtreeValue { value: game.balanced(value)?, height: 0, exact: over }))
}

/// As [`leaf`], without estimates.
fn leaf_before<G: Game>(
    game: &mut G,
    state: &G::State,
    left: u32,
    horizon: &mut Horizon<G::Value>,
) -> Result<Option<SubtreeValue<G::Value>>, Failure> {
    let player = game.player(state);
    if game.is_over(state)? {
        let value = game.utility(state, player)?;
        let value = game.balanced(value)?;
        horizon.meet(value, player);
        return Ok(Some(SubtreeValue { value, height: 0, exact: true }));
    }
    let worst = if player == horizon.winner { G::Value::LEAST } else { G::Value::GREATEST };
    Ok((left == 0).then_some(SubtreeValue { value: worst, height: 0, exact: false }))
}
