//! What the machine says of a game's states.
//!
//! Each operation opens a run, puts the state on the heap, calls the contract predicate and
//! packs its answers; when it returns, heap and trail are as before.

use super::roles::Role;
use super::rules::{Answered, Kit, RuleGame};
use super::worth::RuleValue;
use crate::error::{RuleError, Violation};
use crate::problem::MOST_MOVES;
use zug_machine::Machine;
use zug_search::StateId;
use zug_search::game::{CHANCE, Game, Player};
use zug_state::PackedState;
use zug_state::{NoNumber, Number};
use zug_term::{Cell, Record};

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// Calls a predicate with the player, if it wants one, the state and a variable for its
    /// answer, and reads the first one.
    pub(super) fn ask<T>(
        &mut self,
        role: Role,
        player: Player,
        state: &S,
        with_answer: bool,
        read: impl FnOnce(&mut Machine, Cell) -> Result<T, Violation>,
    ) -> Answered<Option<T>> {
        let base = self.machine.roots.len();
        let run = self.machine.open();
        let cell = self.decode(state);
        let mut args = Vec::with_capacity(3);
        if role.with_player {
            args.push(self.player_cell(player));
        }
        args.push(cell);
        let answer = self.machine.heap.new_var();
        self.machine.roots.push(answer);
        if with_answer {
            args.push(answer);
        }
        let outcome = self.machine.call(self.world, run, role.pred, &args);
        let m = &mut *self.machine;
        let read = match outcome {
            Ok(true) => {
                let read = read(m, m.roots[base]);
                m.abandon(run);
                read.map(Some)
            }
            Ok(false) => Ok(None),
            Err(fault) => Err(Violation::Fault(fault, Box::new(m.trace.clone()))),
        };
        m.roots.truncate(base);
        read.map_err(|violation| self.error(violation, role.indicator, player, state))
    }

    /// The value that a predicate gives for a player.
    pub(super) fn worth(&mut self, role: Role, state: &S, player: Player) -> Answered<V> {
        let turned = self.is_turned(role, state, player)?;
        let found = self.ask(role, player, state, true, |m, cell| match Number::read(m, cell) {
            _ if matches!(m.heap.value(cell), zug_term::Value::Big(_)) => Err(Violation::HugeValue),
            Ok(Number::Int(i64::MIN)) => Err(Violation::HugeValue),
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

    /// All moves; what is wrong with one, and the move.
    pub(super) fn each_move(
        &mut self,
        state: &S,
        out: &mut Vec<(StateId, S)>,
    ) -> Result<(), (Violation, Option<Record>)> {
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
            Err(error) => return Err((error.violation, None)),
        };
        let most = out.len() + MOST_MOVES;
        let base = self.machine.roots.len();
        let run = self.machine.open();
        let mut args = Vec::with_capacity(4);
        if self.roles.moves.with_player {
            args.push(self.player_cell(mover));
        }
        let from = self.decode(state);
        let [name, to] = std::array::from_fn(|_| self.machine.heap.new_var());
        args.extend([name, from, to]);
        self.machine.roots.extend([name, to]);
        let mut outcome = self.machine.call(self.world, run, self.roles.moves.pred, &args);
        let ended = loop {
            match outcome {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(fault) => {
                    let trace = Box::new(self.machine.trace.clone());
                    break Err((Violation::Fault(fault, trace), None));
                }
            }
            let [name, to] = std::array::from_fn(|i| self.machine.roots[base + i]);
            let read = self.read_move(next, name, to);
            match read {
                Ok(found) if out.len() < most => out.push(found),
                Ok(_) => {
                    self.machine.abandon(run);
                    break Err((Violation::TooManyMoves(MOST_MOVES), None));
                }
                Err(violation) => {
                    let mv = Record::new(&mut self.machine.heap, name);
                    self.machine.abandon(run);
                    break Err((violation, Some(mv)));
                }
            }
            if !self.machine.has_more(run) {
                self.machine.abandon(run);
                break Ok(());
            }
            outcome = self.machine.redo(self.world, run);
        };
        self.machine.roots.truncate(base);
        ended
    }

    fn read_move(&mut self, next: Player, name: Cell, to: Cell) -> Result<(StateId, S), Violation> {
        if self.machine.heap.deref(to).is_ref() {
            return Err(Violation::NoSuccessor);
        }
        let Kit { codec, moves, .. } = &mut *self.kit;
        let mv = moves.intern(codec, &mut self.machine.heap, name)?;
        Ok((mv, self.pack_cell(next, to)?))
    }

    #[cold]
    pub(super) fn move_error(
        &mut self,
        (violation, mv): (Violation, Option<Record>),
        state: &S,
    ) -> Box<RuleError> {
        let player = state.bytes()[0];
        if matches!(violation, Violation::NoOpponent | Violation::NoReturn) {
            let mut error = RuleError::new(violation, "opponent/2");
            error.player = Some(self.player_term(player));
            return error;
        }
        let mut error = self.error(violation, self.roles.moves.indicator, player, state);
        error.mv = mv;
        error
    }
}
