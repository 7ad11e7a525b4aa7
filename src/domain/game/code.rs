//! What code made for the rules says of a game's states.

use super::players::MOST_PLAYERS;
use super::roles::Role;
use super::rules::{Answered, Kit, RuleGame};
use super::value::RuleValue;
use crate::replies::number;
use zug_code::{
    Arg, Asked, Counts, Course, Examined, Layout, NumberedMove, Numbering, Picked, Played, Players,
    Reply, Seat, Specialise, Stage, Target, Units, is_ignored,
};
use zug_report::CodeUse;
use zug_search::StateId;
use zug_search::game::{CHANCE, Game, Player};
use zug_state::{Number, PackedState, PackedStore};

/// What code is asked.
#[derive(Clone, Copy)]
pub(super) enum Question {
    Over,
    Moves,
    Turn,
    Utility,
    Heuristic,
}

/// Who may move.
fn players_of<'k>(seated: &'k PackedStore, chance: Option<&'k [u8]>) -> Players<'k> {
    Players { seated, chance: chance.map(|chance| (chance, CHANCE)) }
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The player to move, the shape, then the leaves.
    pub(super) const LAYOUT: Layout = Layout { before: 2, words: S::WORDS };

    /// What there is of code for the rules.
    pub fn examine(&mut self, stage: Stage) -> Vec<Examined> {
        let Kit { codec, units, .. } = &mut *self.kit;
        match units {
            Some(units) => units.examine((self.machine, self.world, codec), stage),
            None => Vec::new(),
        }
    }

    /// The code of the rules.
    pub(super) fn units(&mut self) -> &mut Units {
        let (machine, mode) = (&*self.machine, self.engine_code());
        self.kit.units.get_or_insert_with(|| Units::new(machine, mode, Self::LAYOUT))
    }

    /// Steps of making code are paid for, as if a search had gone on for so long already.
    pub(crate) fn pay(&mut self, steps: u64) {
        self.units().pay(steps);
    }

    /// Inferences of the machine so far.
    pub(crate) fn inferences(&self) -> u64 {
        self.machine.inferences()
    }

    /// How many questions code and machine answered so far.
    pub(crate) fn counts(&self) -> Counts {
        self.kit.units.as_ref().map_or_else(Counts::default, Units::counts)
    }

    /// What answered the questions since the counts were these.
    pub(crate) fn code_use(&self, since: &Counts) -> Option<CodeUse> {
        self.kit.units.as_ref()?.report(self.machine, self.world, since)
    }

    /// The number of a predicate that may have code.
    pub(super) fn target(&mut self, question: Question, role: Role, player: Player) -> usize {
        let of = if role.with_player { usize::from(player) } else { 0 };
        // Chance comes behind all players.
        let at = question as usize * (MOST_PLAYERS + 1) + of.min(MOST_PLAYERS);
        if let Some(&Some(target)) = self.kit.targets.get(at) {
            return target;
        }
        // What ignores who plays has one code for all players.
        let is_shared = of > 0 && is_ignored(&self.machine.program, role.pred, 0);
        let target = match is_shared {
            true => self.target(question, role, 0),
            false => self.new_target(question, role, player),
        };
        if self.kit.targets.len() <= at {
            self.kit.targets.resize(at + 1, None);
        }
        self.kit.targets[at] = Some(target);
        target
    }

    fn new_target(&mut self, question: Question, role: Role, player: Player) -> usize {
        let mut args = Vec::new();
        if role.with_player {
            args.push(Arg::Fixed(self.player_term(player)));
        }
        match question {
            Question::Over => args.push(Arg::State),
            Question::Moves => args.extend([Arg::Name, Arg::State, Arg::To]),
            Question::Turn => args.extend([Arg::State, Arg::Name]),
            Question::Utility | Question::Heuristic => args.extend([Arg::State, Arg::Value]),
        }
        self.units().add(Target { pred: role.pred, indicator: role.indicator, args })
    }

    /// Asks code a question that has one answer.
    pub(super) fn ask_code(
        &mut self,
        question: Question,
        role: Role,
        player: Player,
        state: &S,
    ) -> Option<Reply> {
        if self.engine_code() == Specialise::Off {
            return None;
        }
        let target = self.target(question, role, player);
        let units = self.kit.units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        let machine = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        match units.answer(target, (state.bytes(), state.room()), machine) {
            Asked::Answered(reply) => Some(reply),
            Asked::Machine => None,
        }
    }

    /// Asks code for the moves; if it does not know, nothing is added.
    pub(super) fn code_moves(&mut self, state: &S, out: &mut Vec<(StateId, S)>) -> bool {
        if self.engine_code() == Specialise::Off {
            return false;
        }
        let mover = state.bytes()[0];
        let Ok(next) = self.after(mover) else { return false };
        let role = self.roles.moves;
        let target = self.target(Question::Moves, role, mover);
        let before = out.len();
        let Kit { codec, moves, units, .. } = &mut *self.kit;
        let Some(units) = units else { return false };
        units.lay_out(Self::LAYOUT);
        let machine = (&mut *self.machine, &mut *self.world, codec);
        let asked = units.ask(target, state, machine, |visit| {
            let Some(mv) = visit.name(|name| Some(moves.store.intern_bytes(name).0)) else {
                return false;
            };
            let Some(to) = visit.next(state, Some(next)) else { return false };
            out.push((mv, to));
            true
        });
        let answered = matches!(asked, Asked::Answered(_));
        if !answered {
            out.truncate(before);
        }
        answered
    }

    /// One of the moves by code, without the others; `None` if it does not know.
    pub(super) fn code_pick(
        &mut self,
        state: &S,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> Option<(StateId, S)> {
        let mover = state.bytes()[0];
        let next = self.after(mover).ok()?;
        let target = self.target(Question::Moves, self.roles.moves, mover);
        let Kit { codec, moves, units, .. } = &mut *self.kit;
        let units = units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        let choose = |count| if count == 0 { None } else { Some(choose(count)) };
        let picked = units.pick(target, state, self.machine, codec, choose, |visit| {
            let mv = visit.name(|name| Some(moves.store.intern_bytes(name).0))?;
            Some((mv, visit.next(state, Some(next))?))
        });
        match picked? {
            Picked::Move(found) => Some(found),
            Picked::Nothing => None,
        }
    }

    /// The moves by code, without being made: names in one list, numbers in the other; `None` if it does not
    /// know.
    #[inline]
    pub(super) fn code_names(
        &mut self,
        state: &S,
        names: &mut Vec<StateId>,
        numbers: &mut Vec<u32>,
    ) -> Option<Numbering> {
        let mover = state.bytes()[0];
        let target = self.target(Question::Moves, self.roles.moves, mover);
        let Kit { codec, moves, units, .. } = &mut *self.kit;
        let units = units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        let intern = |name: &[u8]| moves.store.intern_bytes(name).0;
        let put = |found: NumberedMove| {
            names.push(found.name);
            numbers.push(found.number);
        };
        let numbering = units.names(target, state, self.machine, codec, intern, put);
        if numbering.is_none() {
            names.clear();
            numbers.clear();
        }
        numbering
    }

    /// The state that a numbered move leads to by code; `None` if it does not know.
    #[inline]
    pub(super) fn code_numbered(&mut self, state: &S, mv: (u32, Numbering)) -> Option<S> {
        let mover = state.bytes()[0];
        let next = self.after(mover).ok()?;
        let target = self.target(Question::Moves, self.roles.moves, mover);
        let Kit { codec, units, .. } = &mut *self.kit;
        let units = units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        units.make_numbered(target, state, mv, self.machine, codec, |visit| {
            visit.next(state, Some(next))
        })
    }

    /// Whose turn it is by code, as the rules name him; `None` if it does not know, or he was not met yet.
    pub(super) fn code_turn(&mut self, role: Role, state: &S) -> Option<Player> {
        if self.engine_code() == Specialise::Off {
            return None;
        }
        let target = self.target(Question::Turn, role, 0);
        let Kit { codec, players, chance, units, .. } = &mut *self.kit;
        let players = players_of(players, chance.as_deref());
        let units = units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        let machine = (&mut *self.machine, &mut *self.world, codec);
        let mut found = None;
        let asked = units.ask(target, state, machine, |visit| {
            found = found.or_else(|| visit.name(|name| players.number(name).map(u32::from)));
            found.is_some()
        });
        match asked {
            Asked::Answered(_) => Player::try_from(found?).ok(),
            Asked::Machine => None,
        }
    }

    /// Goes on from a state by moves that `choose` picks, as far as code can tell.
    pub(super) fn code_play(
        &mut self,
        state: &mut S,
        most: u32,
        choose: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Played {
        let turn =
            self.roles.to_move.map(|pred| self.target(Question::Turn, Role::of_turn(pred), 0));
        while self.kit.seats.len() < self.players() {
            let seat = self.seat_of(self.kit.seats.len() as Player);
            self.kit.seats.push(seat);
        }
        let Kit { codec, units, seats, players, chance, .. } = &mut *self.kit;
        let players = players_of(players, chance.as_deref());
        let Some(units) = units else { return Played::default() };
        units.lay_out(Self::LAYOUT);
        let course = Course { seats, turn, players };
        units.play_on(state, course, most, (self.machine, codec), choose)
    }

    /// What a play asks where a player is to move, if he and the next one are known.
    fn seat_of(&mut self, player: Player) -> Option<Seat> {
        let next = self.after(player).ok().filter(|&next| next != CHANCE)?;
        let over = self.roles.terminal.map(|role| self.target(Question::Over, role, player));
        Some(Seat { over, moves: self.target(Question::Moves, self.roles.moves, player), next })
    }

    /// How many moves there are, by code, without making them; `None` if it does not know.
    pub(super) fn code_count(&mut self, state: &S) -> Option<u32> {
        let mover = state.bytes()[0];
        let target = self.target(Question::Moves, self.roles.moves, mover);
        let Kit { codec, units, .. } = &mut *self.kit;
        let units = units.as_mut()?;
        units.lay_out(Self::LAYOUT);
        units.count_moves(target, state, self.machine, codec)
    }

    /// As [`RuleGame::worth`], by code where there is some.
    pub(super) fn quick_worth(
        &mut self,
        question: Question,
        role: Role,
        state: &S,
        player: Player,
    ) -> Answered<V> {
        let turned = self.is_turned(role, state, player)?;
        let number = match number(self.ask_code(question, role, player, state)) {
            // An estimate's opposite is one too.
            Some(Number::Int(i64::MIN)) => None,
            number => number,
        };
        let worth = number.and_then(V::of);
        let code = worth.map(|worth| if turned { worth.negated() } else { worth });
        self.settled(code, role.indicator, state, |game| game.worth(role, state, player))
    }
}
