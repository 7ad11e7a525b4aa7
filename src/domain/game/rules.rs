//! A rule program as a [`search::game::Game`](crate::search::game::Game), run by the machine.
//!
//! A state is a byte for the player to move and the packed term. Each operation opens a run,
//! puts the state on the heap, calls the contract predicate and packs its answers; when it
//! returns, heap and trail are as before.

use super::roles::{Role, Roles};
use super::worth::Worth;
use crate::builtins::{CodeUse, Specialise, World};
use crate::domain::codec::Codec;
use crate::domain::error::{RuleError, Violation};
use crate::domain::number::{NoNumber, Number};
use crate::domain::problem::{MOST_MOVES, Moves, unpackable};
use crate::domain::specialise::{
    Arg, Asked, Counts, Examined, Layout, Reply, Stage, Target, Units,
};
use crate::domain::{Packed, PackedStore};
use crate::machine::{Fault, Machine};
use crate::search::StateId;
use crate::search::game::{Game, Player, Value};
use crate::term;
use crate::term::{Cell, Record};

/// The most players.
const MOST_PLAYERS: usize = 200;

/// What outlives a search: how terms are packed, and the players.
#[derive(Default)]
pub struct Kit {
    codec: Codec,
    moves: Moves,
    /// The players, packed, in the order of turns as far as it is known.
    players: PackedStore,
    /// Who moves after each player.
    next: Vec<Option<Player>>,
    /// The code of the rules, and its predicates by what is asked and of whom.
    units: Option<Units>,
    targets: Vec<Option<usize>>,
}

/// What code is asked.
#[derive(Clone, Copy)]
enum Question {
    Over,
    Moves,
    Utility,
    Heuristic,
}

/// A rule program under search by game engines.
pub struct RuleGame<'a> {
    pub(super) machine: &'a mut Machine,
    pub(super) world: &'a mut World,
    pub(super) roles: Roles,
    kit: &'a mut Kit,
    scratch: Vec<u8>,
}

/// What an operation of a game returns.
pub(super) type Answered<T> = Result<T, Box<RuleError>>;

impl<'a> RuleGame<'a> {
    /// The game that a program poses, as far as `kit` knows it already.
    pub fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        roles: Roles,
        kit: &'a mut Kit,
    ) -> RuleGame<'a> {
        RuleGame { machine, world, roles, kit, scratch: Vec::new() }
    }

    /// The predicates of the game.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The machine, for what is done between searches.
    pub fn machine(&mut self) -> (&mut Machine, &mut World) {
        (self.machine, self.world)
    }

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
        let mut at = number;
        for _ in 0..=MOST_PLAYERS {
            at = self.after(at)?;
            if at == number {
                return Ok(number);
            }
        }
        let mut error = RuleError::new(Violation::NoReturn, "opponent/2");
        error.player = Some(player.clone());
        Err(error)
    }

    /// Names the other one of two players who are not told apart.
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
        let run = self.machine.open();
        let cell = player.instantiate(&mut self.machine.heap);
        let number = self.intern_player(cell);
        self.machine.abandon(run);
        number
    }

    fn intern_player(&mut self, player: Cell) -> Answered<Player> {
        let Kit { codec, players, next, .. } = &mut *self.kit;
        let about = |violation| RuleError::new(violation, "opponent/2");
        let packed = codec.encode_bytes(&mut self.machine.heap, player);
        let (number, new) = players.intern_bytes(packed.map_err(|p| about(unpackable(p)))?);
        if new {
            next.push(None);
        }
        let number = number as usize;
        if number < MOST_PLAYERS {
            return Ok(number as Player);
        }
        let mut error = about(Violation::NoReturn);
        error.player = Some(Record::new(&mut self.machine.heap, player));
        Err(error)
    }

    /// Who moves after a player.
    fn after(&mut self, player: Player) -> Answered<Player> {
        if let Some(&Some(next)) = self.kit.next.get(usize::from(player)) {
            return Ok(next);
        }
        let Some(opponent) = self.roles.opponent else {
            // Two, who are not told apart.
            return Ok(player ^ 1);
        };
        let base = self.machine.roots.len();
        let run = self.machine.open();
        let from = self.player_cell(player);
        let to = self.machine.heap.new_var();
        self.machine.roots.push(to);
        let found = match self.machine.call(self.world, run, opponent, &[from, to]) {
            Ok(true) => {
                let to = self.machine.roots[base];
                let unbound = self.machine.heap.deref(to).is_ref();
                let next = if unbound { Err(None) } else { Ok(self.intern_player(to)) };
                self.machine.abandon(run);
                next
            }
            Ok(false) => Err(None),
            Err(fault) => Err(Some(fault)),
        };
        self.machine.roots.truncate(base);
        let violation = match found {
            Ok(next) => {
                let next = next?;
                self.kit.next[usize::from(player)] = Some(next);
                return Ok(next);
            }
            Err(None) => Violation::NoOpponent,
            Err(Some(fault)) => Violation::Fault(fault, Box::new(self.machine.trace.clone())),
        };
        let mut error = RuleError::new(violation, "opponent/2");
        error.player = Some(self.player_term(player));
        Err(error)
    }

    fn player_cell(&mut self, player: Player) -> Cell {
        let packed = self.kit.players.bytes_of(StateId::from(player));
        self.kit.codec.decode(packed, &mut self.machine.heap)
    }

    /// How many players were met so far; all that take turns, once one has a seat.
    pub fn known_players(&self) -> Player {
        self.kit.next.len() as Player
    }

    /// A player's name.
    pub fn player_term(&mut self, player: Player) -> Record {
        if usize::from(player) >= self.kit.next.len() {
            // One who was never seen to move.
            let name = Cell::atom(self.machine.symbols.intern("other"));
            return Record::new(&mut self.machine.heap, name);
        }
        let packed = self.kit.players.bytes_of(StateId::from(player)).to_vec();
        self.unpack(&packed)
    }

    /// A move's name.
    pub fn move_term(&mut self, mv: StateId) -> Record {
        let packed = self.kit.moves.bytes_of(mv).to_vec();
        self.unpack(&packed)
    }

    /// The term of a state, without the player.
    pub fn state_term(&mut self, state: &Packed) -> Record {
        self.unpack(&state.bytes()[1..])
    }

    fn unpack(&mut self, packed: &[u8]) -> Record {
        let run = self.machine.open();
        let cell = self.kit.codec.decode(packed, &mut self.machine.heap);
        let record = Record::new(&mut self.machine.heap, cell);
        self.machine.abandon(run);
        record
    }

    /// A state with a player to move, who is ignored where the state says who it is.
    ///
    /// # Errors
    /// The state is cyclic or too large, or to_move/2 goes wrong.
    pub fn pack(&mut self, player: Player, state: &Record) -> Answered<Packed> {
        let run = self.machine.open();
        let cell = state.instantiate(&mut self.machine.heap);
        let packed = self.pack_cell(player, cell);
        self.machine.abandon(run);
        let packed = packed.map_err(|violation| {
            let mut error = RuleError::new(violation, "initial_state/1");
            error.state = Some(state.clone());
            error
        })?;
        if self.roles.to_move.is_some() {
            let player = self.whose_turn(&packed)?;
            return Ok(self.for_player(&packed, player));
        }
        Ok(packed)
    }

    pub(super) fn pack_cell(&mut self, player: Player, state: Cell) -> Result<Packed, Violation> {
        let Kit { codec, .. } = &mut *self.kit;
        let bytes = codec.encode_bytes(&mut self.machine.heap, state).map_err(unpackable)?;
        self.scratch.clear();
        self.scratch.push(player);
        self.scratch.extend_from_slice(bytes);
        Ok(Packed::new(&self.scratch))
    }

    /// The same state with another player to move.
    fn for_player(&mut self, state: &Packed, player: Player) -> Packed {
        self.scratch.clear();
        self.scratch.extend_from_slice(state.bytes());
        self.scratch[0] = player;
        Packed::new(&self.scratch)
    }

    pub(super) fn decode(&mut self, state: &Packed) -> Cell {
        self.kit.codec.decode(&state.bytes()[1..], &mut self.machine.heap)
    }

    /// Calls a predicate with the player, if it wants one, the state and a variable for its
    /// answer, and reads the first one.
    fn ask<T>(
        &mut self,
        role: Role,
        player: Player,
        state: &Packed,
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

    #[cold]
    pub(super) fn error(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        player: Player,
        state: &Packed,
    ) -> Box<RuleError> {
        let mut error = RuleError::new(violation, predicate);
        error.state = Some(self.state_term(state));
        error.player = Some(self.player_term(player));
        error
    }

    /// Who is to move in a state that says so.
    fn whose_turn(&mut self, state: &Packed) -> Answered<Player> {
        let Some(pred) = self.roles.to_move else { return Ok(state.bytes()[0]) };
        let role = Role { pred, with_player: false, indicator: "to_move/2" };
        let player = self.ask(role, state.bytes()[0], state, true, |m, cell| {
            if m.heap.deref(cell).is_ref() {
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
                if usize::from(number) >= if circle { known } else { 2 } {
                    let indicator = "to_move/2";
                    return Err(self.error(Violation::ForeignPlayer, indicator, number, state));
                }
                Ok(number)
            }
            None => Err(self.error(Violation::NoPlayer, "to_move/2", state.bytes()[0], state)),
        }
    }

    /// Whether it is the turn of this player, where the state says whose it is.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn must_move(&mut self, player: &Record, state: &Packed) -> Answered<()> {
        let mover = state.bytes()[0];
        let known = self.kit.next.len();
        let number = self.number_of(player)?;
        if number == mover && usize::from(number) < known {
            return Ok(());
        }
        let turn = Violation::NotTurn(self.player_term(mover));
        let mut error = RuleError::new(turn, "to_move/2");
        error.player = Some(player.clone());
        error.state = Some(self.state_term(state));
        Err(error)
    }

    /// The value that a predicate gives for a player.
    fn worth(&mut self, role: Role, state: &Packed, player: Player) -> Answered<Worth> {
        let mover = state.bytes()[0];
        let found = self.ask(role, player, state, true, |m, cell| match Number::read(m, cell) {
            _ if matches!(m.heap.value(cell), term::Value::Big(_)) => Err(Violation::HugeValue),
            Ok(Number::Int(i64::MIN)) => Err(Violation::HugeValue),
            Ok(number) => Ok(Worth(number)),
            Err(NoNumber::Unbound) => Err(Violation::Unbound),
            Err(NoNumber::Other) => Err(Violation::NotNumber(Record::new(&mut m.heap, cell))),
        })?;
        let worth = match found {
            Some(worth) => worth,
            None => return Err(self.error(Violation::NoWorth, role.indicator, player, state)),
        };
        // Without the player the value is that for who is to move.
        let turned = !role.with_player && player != mover;
        Ok(if turned { worth.negated() } else { worth })
    }

    /// All moves; what is wrong with one, and the move.
    fn each_move(
        &mut self,
        state: &Packed,
        out: &mut Vec<(StateId, Packed)>,
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

    fn read_move(
        &mut self,
        next: Player,
        name: Cell,
        to: Cell,
    ) -> Result<(StateId, Packed), Violation> {
        if self.machine.heap.deref(to).is_ref() {
            return Err(Violation::NoSuccessor);
        }
        let Kit { codec, moves, .. } = &mut *self.kit;
        let mv = moves.intern(codec, &mut self.machine.heap, name)?;
        Ok((mv, self.pack_cell(next, to)?))
    }
}

impl Game for RuleGame<'_> {
    type State = Packed;
    type Move = StateId;
    type Value = Worth;
    type Store = PackedStore;
    type Error = Box<RuleError>;

    fn new_store(&self) -> PackedStore {
        PackedStore::default()
    }

    fn players(&self) -> usize {
        if self.roles.opponent.is_none() { 2 } else { self.kit.next.len() }
    }

    #[inline]
    fn player(&self, state: &Packed) -> Player {
        state.bytes()[0]
    }

    fn is_over(&mut self, state: &Packed) -> Answered<bool> {
        match self.roles.terminal {
            Some(role) => {
                let code = match self.ask_code(Question::Over, role, state.bytes()[0], state) {
                    Some(Reply::True) => Some(true),
                    Some(Reply::Done) => Some(false),
                    _ => None,
                };
                if let Some(over) = code
                    && !self.cross_checks()
                {
                    return Ok(over);
                }
                let over = self.ask(role, state.bytes()[0], state, false, |_, _| Ok(()))?;
                self.compare(code, over.is_some(), role, state)
            }
            None => {
                let mut moves = Vec::new();
                if self.code_moves(state, &mut moves) && !self.cross_checks() {
                    return Ok(moves.is_empty());
                }
                moves.clear();
                self.each_move(state, &mut moves).map_err(|ended| self.move_error(ended, state))?;
                Ok(moves.is_empty())
            }
        }
    }

    fn utility(&mut self, state: &Packed, player: Player) -> Answered<Worth> {
        match self.roles.utility.or(self.roles.heuristic) {
            Some(role) if !self.roles.is_normal_play() => {
                let known = self.roles.utility.is_some();
                let question = if known { Question::Utility } else { Question::Heuristic };
                self.quick_worth(question, role, state, player)
            }
            _ if self.roles.is_normal_play() => {
                let lost = Worth::WIN.negated();
                Ok(if player == state.bytes()[0] { lost } else { Worth::WIN })
            }
            _ => Err(RuleError::new(Violation::Missing("utility(J, S, U)"), "utility/3")),
        }
    }

    fn heuristic(&mut self, state: &Packed, player: Player) -> Answered<Worth> {
        match self.roles.heuristic {
            Some(role) => self.quick_worth(Question::Heuristic, role, state, player),
            None => {
                let mut error =
                    RuleError::new(Violation::Missing("heuristic(J, S, H)"), "heuristic/3");
                error.state = Some(self.state_term(state));
                Err(error)
            }
        }
    }

    fn has_heuristic(&self) -> bool {
        self.roles.heuristic.is_some()
    }

    fn heuristic_is_utility(&self) -> bool {
        self.roles.heuristic.is_none()
            || self.roles.utility.is_none() && !self.roles.is_normal_play()
    }

    fn moves(&mut self, state: &Packed, out: &mut Vec<(StateId, Packed)>) -> Answered<()> {
        let before = out.len();
        let answered = self.code_moves(state, out);
        if !answered || self.cross_checks() {
            let code = answered.then(|| out.split_off(before));
            self.each_move(state, out).map_err(|ended| self.move_error(ended, state))?;
            let role = self.roles.moves;
            self.compare(code.as_deref(), &out[before..], role, state)?;
        }
        if out.len() == before {
            let indicator = self.roles.moves.indicator;
            return Err(self.error(Violation::NoMoves, indicator, state.bytes()[0], state));
        }
        if self.roles.to_move.is_some() {
            for (_, next) in &mut out[before..] {
                let player = self.whose_turn(next)?;
                *next = self.for_player(next, player);
            }
        }
        Ok(())
    }

    fn has_symmetry(&self) -> bool {
        self.roles.symmetry.is_some()
    }

    fn canonical(&mut self, state: &Packed) -> Answered<Packed> {
        self.standing_for(state)
    }
}

impl RuleGame<'_> {
    /// What there is of code for the rules.
    pub fn examine(&mut self, stage: Stage) -> Vec<Examined> {
        let Kit { codec, units, .. } = &mut *self.kit;
        match units {
            Some(units) => units.examine((self.machine, self.world, codec), stage),
            None => Vec::new(),
        }
    }

    /// How many questions code and machine answered so far.
    pub(in crate::domain) fn counts(&self) -> Counts {
        self.kit.units.as_ref().map_or(Counts::default(), |units| units.counts)
    }

    /// What answered the questions since the counts were these.
    pub(in crate::domain) fn code_use(&self, since: Counts) -> Option<CodeUse> {
        self.kit.units.as_ref()?.report(self.machine, self.world, since)
    }

    /// Whether code and machine are to be compared.
    fn cross_checks(&self) -> bool {
        self.world.specialise == Specialise::CrossCheck
    }

    /// What the machine says, unless code said something else.
    fn compare<T: PartialEq>(
        &mut self,
        code: Option<T>,
        machine: T,
        role: Role,
        state: &Packed,
    ) -> Answered<T> {
        if code.is_some_and(|code| code != machine) {
            let player = state.bytes()[0];
            return Err(self.error(Violation::Differs, role.indicator, player, state));
        }
        Ok(machine)
    }

    /// The number of a predicate that may have code.
    fn target(&mut self, question: Question, role: Role, player: Player) -> usize {
        let of = if role.with_player { player } else { 0 };
        let at = question as usize * (MOST_PLAYERS + 1) + usize::from(of);
        if let Some(&Some(target)) = self.kit.targets.get(at) {
            return target;
        }
        let mut args = Vec::new();
        if role.with_player {
            args.push(Arg::Fixed(self.player_term(player)));
        }
        match question {
            Question::Over => args.push(Arg::State),
            Question::Moves => args.extend([Arg::Name, Arg::State, Arg::To]),
            Question::Utility | Question::Heuristic => args.extend([Arg::State, Arg::Value]),
        }
        let (machine, mode) = (&*self.machine, self.world.specialise);
        let units = self
            .kit
            .units
            .get_or_insert_with(|| Units::new(machine, mode, Layout { before: 2, words: 0 }));
        let target = units.add(Target { pred: role.pred, indicator: role.indicator, args });
        if self.kit.targets.len() <= at {
            self.kit.targets.resize(at + 1, None);
        }
        self.kit.targets[at] = Some(target);
        target
    }

    /// Asks code a question that has one answer.
    fn ask_code(
        &mut self,
        question: Question,
        role: Role,
        player: Player,
        state: &Packed,
    ) -> Option<Reply> {
        if self.world.specialise == Specialise::Off {
            return None;
        }
        let target = self.target(question, role, player);
        let units = self.kit.units.as_mut()?;
        let machine = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        match units.ask(target, state, machine, |_| false) {
            Asked::Answered(reply) => Some(reply),
            Asked::Machine => None,
        }
    }

    /// Asks code for the moves; if it does not know, nothing is added.
    fn code_moves(&mut self, state: &Packed, out: &mut Vec<(StateId, Packed)>) -> bool {
        if self.world.specialise == Specialise::Off {
            return false;
        }
        let mover = state.bytes()[0];
        let Ok(next) = self.after(mover) else { return false };
        let role = self.roles.moves;
        let target = self.target(Question::Moves, role, mover);
        let before = out.len();
        let Kit { codec, moves, units, .. } = &mut *self.kit;
        let Some(units) = units else { return false };
        let machine = (&mut *self.machine, &mut *self.world, codec);
        let asked = units.ask(target, state, machine, |visit| {
            let Some(mv) = visit.name(|name| moves.store.intern_bytes(name).0) else {
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

    /// As [`RuleGame::worth`], by code where there is some.
    fn quick_worth(
        &mut self,
        question: Question,
        role: Role,
        state: &Packed,
        player: Player,
    ) -> Answered<Worth> {
        let number = match self.ask_code(question, role, player, state) {
            Some(Reply::Int(value)) if value != i64::MIN => Some(Number::Int(value)),
            Some(Reply::Float(value)) => Some(Number::Float(value)),
            _ => None,
        };
        let turned = !role.with_player && player != state.bytes()[0];
        let code = number.map(|number| {
            let worth = Worth(number);
            if turned { worth.negated() } else { worth }
        });
        match code {
            Some(worth) if !self.cross_checks() => Ok(worth),
            _ => {
                let machine = self.worth(role, state, player)?;
                self.compare(code, machine, role, state)
            }
        }
    }

    #[cold]
    fn move_error(
        &mut self,
        (violation, mv): (Violation, Option<Record>),
        state: &Packed,
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

/// A fault that a rule raised, apart from what engines make of it.
pub(super) fn stop_of(error: &RuleError) -> Option<crate::machine::StopReason> {
    match error.fault() {
        Some(Fault::Stopped(reason)) => Some(*reason),
        _ => None,
    }
}
