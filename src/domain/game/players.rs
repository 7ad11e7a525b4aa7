//! Who takes turns in a game: players, numbered as they are met.

use super::chance;
use super::roles::Role;
use super::rules::{Answered, Kit, RuleGame};
use super::value::RuleValue;
use crate::PackedStore;
use crate::ask::{self, Arg};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use zug_machine::{Machine, PredId};
use zug_search::game::{CHANCE, Game, Player};
use zug_search::{StateId, StateStore};
use zug_state::PackedState;
use zug_term::{Cell, Record, is_ground};

/// The most players.
pub(super) const MOST_PLAYERS: usize = 200;

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The number of a player, who with all that move after is known then.
    ///
    /// # Errors
    /// opponent/2 has no answer for one of them, or never comes back.
    pub fn seat(&mut self, player: &Record) -> Answered<Player> {
        let number = self.number_of(player)?;
        if self.roles.opponent.is_none() {
            // States that say who is to move name the other one.
            if self.kit.next.len() < 2 && self.roles.to_move.is_none() {
                self.intern_other(player)?;
            }
            return Ok(number);
        }
        // States that say when it is the turn of chance need nobody to move after it.
        let number = if number == CHANCE { self.some_player()? } else { number };
        let mut at = number;
        for _ in 0..=MOST_PLAYERS {
            at = self.after(at)?;
            if at == number {
                return self.number_of(player);
            }
        }
        let mut error = RuleError::new(Violation::NoReturn, indicator::OPPONENT);
        error.player = Some(player.clone());
        Err(error)
    }

    /// One of the players.
    fn some_player(&mut self) -> Answered<Player> {
        if self.roles.to_move.is_none() {
            return Ok(CHANCE);
        }
        let Some(opponent) = self.roles.opponent else { return Ok(CHANCE) };
        let mut found = Ok(CHANCE);
        let kit = &mut *self.kit;
        self.machine.ask(self.world, |ask| {
            let pair: [Cell; 2] = ask.outputs();
            if !matches!(ask.call(opponent, &pair), Ok(true)) {
                return;
            }
            for player in ask.rooted::<2>() {
                if matches!(found, Ok(CHANCE)) && !ask.machine.heap.deref(player).is_var() {
                    found = kit.intern_player(ask.machine, player);
                }
            }
        });
        found
    }

    /// Names the other one of two players in a zero-sum game.
    fn intern_other(&mut self, player: &Record) -> Answered<()> {
        for name in ["second", "first"] {
            let name = Cell::atom(self.machine.symbols.intern(name));
            let name = Record::new(&mut self.machine.heap, name);
            if self.number_of(&name)? != self.number_of(player)? {
                break;
            }
        }
        Ok(())
    }

    fn number_of(&mut self, player: &Record) -> Answered<Player> {
        let kit = &mut *self.kit;
        self.machine.scratch(|m| {
            let cell = player.instantiate(&mut m.heap);
            kit.intern_player(m, cell)
        })
    }

    /// Who moves after a player.
    pub(super) fn after(&mut self, player: Player) -> Answered<Player> {
        let known = match player {
            CHANCE => self.kit.after_chance,
            player => self.kit.next.get(usize::from(player)).copied().flatten(),
        };
        if let Some(next) = known {
            return Ok(next);
        }
        let Some(opponent) = self.roles.opponent else {
            // Two, who are not told apart; behind chance the state says who it is.
            return Ok(if player == CHANCE { 0 } else { player ^ 1 });
        };
        let kit = &mut *self.kit;
        let found = self.machine.ask(self.world, |ask| {
            let from = player_arg(&kit.players, ask.machine, player);
            let from = from.cell(&mut ask.machine.heap, &kit.codec);
            let [to] = ask.outputs();
            if !ask.call(opponent, &[from, to]).map_err(Some)? {
                return Err(None);
            }
            let [to] = ask.rooted();
            let unbound = ask.machine.heap.deref(to).is_var();
            if unbound { Err(None) } else { Ok(kit.intern_player(ask.machine, to)) }
        });
        let violation = match found {
            Ok(next) => {
                let next = next?;
                match player {
                    CHANCE => self.kit.after_chance = Some(next),
                    player => self.kit.next[usize::from(player)] = Some(next),
                }
                return Ok(next);
            }
            Err(None) if player == CHANCE && self.roles.to_move.is_some() => {
                self.kit.after_chance = Some(CHANCE);
                return Ok(CHANCE);
            }
            Err(None) => Violation::NoOpponent,
            Err(Some(fault)) => Violation::raised(self.machine, fault),
        };
        let mut error = RuleError::new(violation, indicator::OPPONENT);
        error.player = Some(self.player_term(player));
        Err(error)
    }

    /// The number of a player that was met, or of chance; or of the other one who was not.
    pub(crate) fn met_player(&mut self, player: &Record) -> Option<Player> {
        let is_open = self.roles.opponent.is_none();
        let kit = &mut *self.kit;
        self.machine.scratch(|m| {
            let cell = player.instantiate(&mut m.heap);
            if m.heap.deref(cell) == unmet(m, CHANCE) {
                return Some(CHANCE);
            }
            let packed = kit.codec.encode_plain(&mut m.heap, cell).ok()?;
            let met = kit.players.find_bytes(packed).map(|number| number as Player);
            let next = kit.players.len() as Player;
            let is_other = is_open && next < 2 && m.heap.deref(cell) == unmet(m, next);
            met.or(is_other.then_some(next))
        })
    }

    /// The player whom the rules name first, where `mover` begins; `None` if they name no player.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn first_named(&mut self, mover: &Record) -> Answered<Option<Record>> {
        let (initial, opponent) = (self.roles.initial_player, self.roles.opponent);
        if let Some(first) = self.named_by(initial, &[Arg::Out], indicator::INITIAL_PLAYER)? {
            return Ok(Some(first));
        }
        if self.roles.to_move.is_some() && self.met_player(mover) != Some(CHANCE) {
            return Ok(Some(mover.clone()));
        }
        self.named_by(opponent, &[Arg::Out, Arg::Any], indicator::OPPONENT)
    }

    /// Who is to move in a state by to_move/2, if the rules have it and an answer.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn turn_named(&mut self, state: &Record) -> Answered<Option<Record>> {
        let Some(pred) = self.roles.to_move else { return Ok(None) };
        let args = [Arg::Term(state), Arg::Out];
        let found = ask::first(self.asker(), pred, &args, |m, _, [cell]| {
            Ok(Record::new(&mut m.heap, cell))
        });
        found.map_err(|violation| RuleError::new(violation, indicator::TO_MOVE))
    }

    /// The first answer that is a player.
    fn named_by(
        &mut self,
        pred: Option<PredId>,
        args: &[Arg<'_>],
        indicator: &'static str,
    ) -> Answered<Option<Record>> {
        let (Some(pred), mut found) = (pred, None) else { return Ok(None) };
        let asked = ask::each(self.asker(), pred, args, |m, _, [cell]| {
            let is_player = is_ground(&m.heap, cell) && m.heap.deref(cell) != unmet(m, CHANCE);
            found = is_player.then(|| Record::new(&mut m.heap, cell));
            Ok(found.is_none())
        });
        asked.map(|()| found).map_err(|violation| RuleError::new(violation, indicator))
    }

    /// How many players were met so far; all that take turns, once one has a seat.
    pub fn known_players(&self) -> Player {
        self.kit.next.len() as Player
    }

    /// A player's name.
    pub fn player_term(&mut self, player: Player) -> Record {
        if usize::from(player) >= self.kit.players.len() {
            let name = unmet(self.machine, player);
            return Record::new(&mut self.machine.heap, name);
        }
        let packed = self.kit.players.bytes_of(StateId::from(player));
        ask::unpack(self.machine, &self.kit.codec, packed)
    }

    /// Who is to move in a state that says so.
    pub(super) fn whose_turn(&mut self, state: &S) -> Answered<Player> {
        let Some(pred) = self.roles.to_move else { return Ok(state.bytes()[0]) };
        let role = Role::of_turn(pred);
        // That it is nobody's turn, or a stranger's, is for the machine to find.
        let code = self
            .code_turn(role, state)
            .filter(|&player| player == CHANCE || usize::from(player) < self.players());
        self.settled(code, role.indicator, state, |game| game.turn_by_rules(role, state))
    }

    /// As [`RuleGame::whose_turn`], by the machine.
    fn turn_by_rules(&mut self, role: Role, state: &S) -> Answered<Player> {
        let player = self.first(role, state.bytes()[0], state, |m, _, [cell]| {
            if m.heap.deref(cell).is_var() {
                return Err(Violation::NoPlayer);
            }
            Ok(Record::new(&mut m.heap, cell))
        })?;
        match player {
            Some(player) => {
                let known = self.kit.next.len();
                let number = self.number_of(&player)?;
                let circle = self.roles.opponent.is_some();
                if circle && known == 0 {
                    return self.seat(&player);
                }
                let places = if circle { known } else { 2 };
                if number != CHANCE && usize::from(number) >= places {
                    let indicator = indicator::TO_MOVE;
                    return Err(self.error(Violation::ForeignPlayer, indicator, number, state));
                }
                Ok(number)
            }
            None => {
                Err(self.error(Violation::NoPlayer, indicator::TO_MOVE, state.bytes()[0], state))
            }
        }
    }

    /// Whether it is the turn of this player, where the state says whose it is. It is the
    /// turn of any as long as chance moves.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn must_move(&mut self, player: &Record, state: &S) -> Answered<()> {
        let mover = state.bytes()[0];
        let known = self.kit.next.len();
        let number = self.number_of(player)?;
        let there = usize::from(number) < known || number == CHANCE;
        if there && (number == mover || mover == CHANCE) {
            return Ok(());
        }
        let turn = Violation::NotTurn(self.player_term(mover));
        let mut error = RuleError::new(turn, indicator::TO_MOVE);
        error.player = Some(player.clone());
        error.state = Some(self.state_term(state));
        Err(error)
    }
}

impl Kit {
    /// The number of a player on the heap.
    fn intern_player(&mut self, m: &mut Machine, player: Cell) -> Answered<Player> {
        if m.heap.deref(player) == unmet(m, CHANCE) {
            self.met_chance = true;
            if self.chance.is_none() {
                // Where it can't be packed the machine is asked.
                self.chance = self.codec.encode_plain(&mut m.heap, player).ok().map(Box::from);
            }
            return Ok(CHANCE);
        }
        let about = |violation| RuleError::new(violation, indicator::OPPONENT);
        let packed = self.codec.encode_plain(&mut m.heap, player);
        let (number, new) = self.players.intern_bytes(packed.map_err(|p| about(p.into()))?);
        if new {
            self.next.push(None);
        }
        let number = number as usize;
        if number < MOST_PLAYERS {
            return Ok(number as Player);
        }
        let mut error = about(Violation::NoReturn);
        error.player = Some(Record::new(&mut m.heap, player));
        Err(error)
    }
}

/// Chance, as rules name it, or who was never seen to move.
fn unmet(m: &mut Machine, player: Player) -> Cell {
    let name = if player == CHANCE { chance::NAME } else { "other" };
    Cell::atom(m.symbols.intern(name))
}

/// A player as an argument.
pub(super) fn player_arg<'k>(players: &'k PackedStore, m: &mut Machine, player: Player) -> Arg<'k> {
    match usize::from(player) < players.len() {
        true => Arg::Packed(players.bytes_of(StateId::from(player))),
        false => Arg::Atomic(unmet(m, player)),
    }
}
