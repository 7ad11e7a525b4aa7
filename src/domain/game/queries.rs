//! Queries about a game's states that the machine answers.

use super::players::player_arg;
use super::roles::Role;
use super::rules::{Answered, Kit, RuleGame, pack_into};
use super::value::RuleValue;
use crate::ask::{self, Arg, Asker};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::problem::{MOST_MOVES, Moves};
use zug_machine::Machine;
use zug_search::StateId;
use zug_search::game::{CHANCE, Game, Player};
use zug_state::{Codec, NoNumber, Number, PackedState};
use zug_term::{Cell, Record};

/// Integers from here on are too large: sums and halves of values stay within 64 bits.
const LARGEST: u64 = 1 << 60;

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// Reads the first answer of a predicate to the player, if it wants one, and the state.
    #[inline]
    pub(super) fn first<T, const N: usize>(
        &mut self,
        role: Role,
        player: Player,
        state: &S,
        read: impl FnOnce(&mut Machine, &mut Codec, [Cell; N]) -> Result<T, Violation>,
    ) -> Answered<Option<T>> {
        let Kit { codec, players, .. } = &mut *self.kit;
        let by =
            if role.with_player { player_arg(players, self.machine, player) } else { Arg::Any };
        let args = [by, Arg::Packed(&state.bytes()[1..]), Arg::Out];
        let args = &args[usize::from(!role.with_player)..2 + N];
        let found = ask::first((self.machine, self.world, codec), role.pred, args, read);
        found.map_err(|violation| self.error(violation, role.indicator, player, state))
    }

    /// The value that a predicate gives for a player.
    pub(super) fn worth(&mut self, role: Role, state: &S, player: Player) -> Answered<V> {
        let turned = self.is_turned(role, state, player)?;
        let found =
            self.first(role, player, state, |m, _, [cell]| match Number::read(m, cell) {
                Ok(Number::Int(worth)) if worth.unsigned_abs() >= LARGEST => {
                    Err(Violation::HugeValue)
                }
                Ok(number) => V::of(number).ok_or(Violation::Fraction),
                Err(NoNumber::Unbound) => Err(Violation::Unbound),
                Err(NoNumber::Other) => Err(Violation::NotNumber(Record::new(&mut m.heap, cell))),
                Err(NoNumber::Huge) => Err(Violation::HugeValue),
            })?;
        let worth = match found {
            Some(worth) => worth,
            None => return Err(self.error(Violation::NoWorth, role.indicator, player, state)),
        };
        Ok(if turned { worth.negated() } else { worth })
    }

    /// Whether the value that a predicate gives is that of the other one of two players:
    /// without the player it is that for who is to move.
    ///
    /// # Errors
    /// That is chance.
    pub(super) fn is_turned(&mut self, role: Role, state: &S, player: Player) -> Answered<bool> {
        let mover = state.bytes()[0];
        if role.with_player || mover == player {
            return Ok(false);
        }
        if mover == CHANCE && self.players() > 1 {
            return Err(self.error(Violation::Impersonal, role.indicator, CHANCE, state));
        }
        Ok(mover != CHANCE)
    }

    /// Asks about the moves of a state: `ask` has what it asks with, what it keeps, and the arguments.
    #[inline]
    pub(super) fn about_moves<T>(
        &mut self,
        state: &S,
        ask: impl FnOnce(Asker<'_>, Keeping<'_>, &[Arg<'_>]) -> Result<T, Violation>,
    ) -> Result<T, Violation> {
        let mover = state.bytes()[0];
        let next = match self.after(mover) {
            Ok(next) => next,
            // A game that says who is to move needs no opponent/2.
            Err(error)
                if self.roles.to_move.is_some()
                    && matches!(error.violation, Violation::NoOpponent) =>
            {
                mover
            }
            Err(error) => return Err(error.violation),
        };
        let role = self.roles.moves;
        let Kit { codec, moves, players, .. } = &mut *self.kit;
        let by = if role.with_player { player_arg(players, self.machine, mover) } else { Arg::Any };
        let args = [by, Arg::Out, Arg::Packed(&state.bytes()[1..]), Arg::Out];
        let args = &args[usize::from(!role.with_player)..];
        let asker = (&mut *self.machine, &mut *self.world, codec);
        ask(asker, (moves, &mut self.scratch, next), args)
    }

    /// All moves; what is wrong with one, and the move.
    pub(super) fn each_move(
        &mut self,
        state: &S,
        out: &mut Vec<(StateId, S)>,
    ) -> Result<(), (Violation, Option<Record>)> {
        let (most, pred) = (out.len() + MOST_MOVES, self.roles.moves.pred);
        let mut wrong = None;
        let asked = self.about_moves(state, |asker, (moves, scratch, next), args| {
            ask::each(asker, pred, args, |m, codec, [name, to]| {
                let read = read_move(m, codec, (&mut *moves, &mut *scratch, next), [name, to]);
                let found = read.inspect_err(|_| wrong = Some(Record::new(&mut m.heap, name)))?;
                if out.len() >= most {
                    return Err(Violation::TooManyMoves(MOST_MOVES));
                }
                out.push(found);
                Ok(true)
            })
        });
        asked.map_err(|violation| (violation, wrong))
    }

    #[cold]
    pub(super) fn move_error(
        &mut self,
        (violation, mv): (Violation, Option<Record>),
        state: &S,
    ) -> Box<RuleError> {
        let player = state.bytes()[0];
        if matches!(violation, Violation::NoOpponent | Violation::NoReturn) {
            let mut error = RuleError::new(violation, indicator::OPPONENT);
            error.player = Some(self.player_term(player));
            return error;
        }
        let mut error = self.error(violation, self.roles.moves.indicator, player, state);
        error.mv = mv;
        error
    }
}

/// What keeps moves and states that are read: the names of moves, room to pack a state, and who moves next.
pub(super) type Keeping<'k> = (&'k mut Moves, &'k mut Vec<u8>, Player);

/// Reads one answer of the moves: the move, and the state with the player that moves next.
#[inline]
pub(super) fn read_move<S: PackedState>(
    m: &mut Machine,
    codec: &mut Codec,
    (moves, scratch, next): Keeping<'_>,
    [name, to]: [Cell; 2],
) -> Result<(StateId, S), Violation> {
    if m.heap.deref(to).is_var() {
        return Err(Violation::NoSuccessor);
    }
    let mv = moves.intern(codec, &mut m.heap, name)?;
    Ok((mv, pack_into(scratch, m, codec, next, to)?))
}
