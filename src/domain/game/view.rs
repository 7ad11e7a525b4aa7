//! A position as people see it: who is to move, what the moves are, how it ended.

use super::table::Table;
use crate::error::RuleError;
use crate::{Number, Packed};
use rustc_hash::FxHashSet;
use zug_search::game::{CHANCE, Expected, Game, Player, Value};
use zug_search::{StateId, StopReason};
use zug_term::Record;

/// Moves of a line of exact play that are looked up.
const LONGEST_LINE: usize = 1000;

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Record,
    /// Who is to move after it.
    pub player: Record,
    /// The state it leads to.
    pub state: Record,
}

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Who is to move.
    pub player: Record,
    /// The state.
    pub state: Record,
    /// The moves, in move order; none where the game is over.
    pub choices: Vec<Choice>,
    /// How likely each move is, where chance moves; else none.
    pub chances: Vec<f64>,
    /// What the end is worth to each player; `None` while the game goes on.
    pub ends: Option<Vec<(Record, Number)>>,
}

/// The values of exact play.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// The value to each player.
    pub values: Vec<(Record, Expected)>,
    /// The values are means over what chance does, right but for `error` if there is one.
    pub mean: bool,
    /// By how much the values may be off.
    pub error: Option<f64>,
    /// Best play from here on; the moves of a game with symmetries are those of the states
    /// that stand for others.
    pub line: Vec<Record>,
    /// Moves to the end; `None` if nobody can force one.
    pub distance: Option<u32>,
}

impl Table<'_> {
    /// The players met so far, in order of turns from the one asked about first.
    pub fn players(&mut self) -> Vec<Record> {
        (0..self.game.known_players()).map(|seat| self.game.player_term(seat)).collect()
    }

    /// The position of a packed state.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub fn look(&mut self, at: &Packed) -> Result<Position, Box<RuleError>> {
        let over = self.game.is_over(at)?;
        let mut moves = Vec::new();
        if !over {
            self.game.moves(at, &mut moves)?;
        }
        let mut chances = Vec::new();
        if self.game.player(at) == CHANCE && !over {
            let names: Vec<StateId> = moves.iter().map(|&(mv, _)| mv).collect();
            chances = self.game.probabilities(at, &names)?.iter().map(Expected::as_f64).collect();
        }
        // Two derivations of the same move to the same state are one choice.
        let mut met = FxHashSet::default();
        if chances.is_empty() {
            moves.retain(|made| met.insert(made.clone()));
        }
        let mut choices = Vec::with_capacity(moves.len());
        for (mv, to) in moves {
            let to_move = self.game.player(&to);
            choices.push(Choice {
                mv: self.game.move_term(mv),
                player: self.game.player_term(to_move),
                state: self.game.state_term(&to),
            });
        }
        let to_move = self.game.player(at);
        let ends = if over { Some(self.utilities(at)?) } else { None };
        let player = self.game.player_term(to_move);
        Ok(Position { player, state: self.game.state_term(at), choices, chances, ends })
    }

    /// What an end is worth to each player. Of two whose utilities the rules don't tell both, what
    /// one wins the other loses.
    fn utilities(&mut self, at: &Packed) -> Result<Vec<(Record, Number)>, Box<RuleError>> {
        let to_move = self.game.valued_for(at);
        let each = self.game.players() != 2 || self.game.asks_both();
        self.weigh()?;
        let own = self.game.utility(at, to_move)?;
        let mut values = Vec::new();
        for seat in 0..self.game.known_players() {
            let worth = match seat {
                _ if seat == to_move => own,
                _ if each => self.game.utility(at, seat)?,
                _ => own.negated(),
            };
            values.push((self.game.player_term(seat), worth.0));
        }
        Ok(values)
    }

    /// The exact value of a state, from what is solved already or by solving it now.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn exact(&mut self, at: &Packed) -> Result<Result<Exact, StopReason>, Box<RuleError>> {
        let (mut node, from_base) = match self.tell(at)? {
            Ok(told) => told,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut exact = Exact {
            values: Vec::new(),
            mean: self.game.has_chance(),
            error: None,
            line: Vec::new(),
            distance: None,
        };
        let seats = self.game.known_players();
        let Some(solved) = self.known(from_base) else { return Ok(Ok(exact)) };
        exact.distance = solved.distance(node);
        let shift = self.game.kit.shared.shift;
        let meant = |error| shift.map_or(error, |scale| scale.distance(error));
        exact.error = solved.error(node).map(meant);
        let worths: Vec<(Player, Expected)> = (0..seats)
            .filter_map(|seat| Some((seat, solved.mean_to(self.graph, node, seat)?)))
            .map(|(seat, value)| (seat, self.game.kit.shared.meant(value)))
            .collect();
        let mut moves = Vec::new();
        let mut met = FxHashSet::default();
        // Play that need not end comes back to where it was.
        while moves.len() < LONGEST_LINE
            && met.insert(node)
            && let Some(edge) = solved.best_edge(self.graph, node)
        {
            let edge = self.graph.known_edges(node)[edge as usize];
            moves.push(edge.mv);
            node = edge.to;
        }
        let named = |(seat, number)| (self.game.player_term(seat), number);
        exact.values = worths.into_iter().map(named).collect();
        exact.line = moves.into_iter().map(|mv| self.game.move_term(mv)).collect();
        Ok(Ok(exact))
    }
}
