//! A rule program as a [`search::game::Game`](zug_search::game::Game), run by the machine.
//!
//! A state is a byte for the player to move and the packed term. `code` answers from code made
//! for the rules, `asked` from the machine where there is none; `players` says who takes turns.

use super::alike::Alike;
use super::chance::Distributions;
use super::code::Question;
use super::deferred::Unmade;
use super::fork::Copies;
use super::roles::Roles;
use super::utilities::{Shared, UtilityKind};
use super::value::{GameValue, RuleValue};
use crate::ask::{self, Asker};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::problem::Moves;
use crate::replies::truth;
use crate::{Packed, PackedStore};
use std::marker::PhantomData;
use std::sync::Arc;
use zug_code::{Numbering, Played, Seat, Specialise, Units};
use zug_machine::{Fault, Machine};
use zug_prolog::builtins::World;
use zug_prolog::builtins::tracer::watch;
use zug_search::game::{CHANCE, Expected, Game, Player};
use zug_search::{Failure, StateId, StopReason};
use zug_state::{Codec, Number, PackedState};
use zug_term::{Cell, Record};

/// What outlives a search: the codec and the players.
#[derive(Default)]
pub struct Kit {
    pub(super) codec: Codec,
    /// How states are represented is decided.
    pub(super) is_decided: bool,
    /// Lists of states are padded: then not all leaves make a state.
    pub(super) is_padded: bool,
    /// Whether the rules tell moves apart from the states they lead to, once it was looked at.
    pub(super) defers: Option<bool>,
    /// Symmetries found in the rules, once they were looked for.
    pub(super) alike: Option<Alike>,
    pub(super) moves: Moves,
    /// The players, packed, in the order of turns as far as it is known.
    pub(super) players: PackedStore,
    /// Who moves after each player.
    pub(super) next: Vec<Option<Player>>,
    /// Who moves after chance, where the states don't say it.
    pub(super) after_chance: Option<Player>,
    /// Chance moves somewhere.
    pub(super) met_chance: bool,
    /// Probabilities that depend on the moves alone.
    pub(super) distributions: Distributions,
    /// Chance as a packed term, once it was met.
    pub(super) chance: Option<Box<[u8]>>,
    /// The engine at work, if it can't play where chance moves.
    pub(super) no_chance: Option<&'static str>,
    /// The bounds of all values, if they were asked for.
    pub(super) bounds: Option<(Number, Number)>,
    /// What two players play for.
    pub(super) shared: Shared,
    /// The code of the rules, and its predicates by what is asked and of whom.
    pub(super) units: Option<Units>,
    pub(super) targets: Vec<Option<usize>>,
    /// What plays ask where a player is to move, by player.
    pub(super) seats: Vec<Option<Seat>>,
}

/// A rule program under search by game engines, which carry its states as `S` and its values
/// as `V`.
pub struct RuleGame<'a, S = Packed, V = GameValue> {
    pub(super) machine: &'a mut Machine,
    pub(super) world: &'a mut World,
    pub(super) roles: Roles,
    pub(super) kit: &'a mut Kit,
    pub(super) scratch: Vec<u8>,
    /// Where copies for other threads are to be, until they are made.
    pub(super) copies: Option<Copies<'a>>,
    /// Those that no search has.
    pub(super) forks: Vec<RuleGame<'a, S, V>>,
    /// It is one of them.
    pub(super) is_copy: bool,
    /// Whether rules run by code, as it was when the game was put on the table.
    mode: Specialise,
    kinds: PhantomData<(S, V)>,
}

/// An odd number whose bits are spread: 2⁶⁴ divided by the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// What an operation of a game returns.
pub(super) type Answered<T> = Result<T, Box<RuleError>>;

impl<'a, S: PackedState, V: RuleValue> RuleGame<'a, S, V> {
    /// The game that a program poses, as far as `kit` knows it already.
    pub fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        roles: Roles,
        kit: &'a mut Kit,
    ) -> Self {
        let mode = Specialise::now(machine, world);
        RuleGame {
            machine,
            world,
            roles,
            kit,
            scratch: Vec::new(),
            copies: None,
            forks: Vec::new(),
            is_copy: false,
            mode,
            kinds: PhantomData,
        }
    }

    /// The same game, of which copies may be made.
    #[must_use]
    pub(super) fn with_copies(self, copies: Copies<'a>) -> Self {
        RuleGame { copies: Some(copies), ..self }
    }

    /// The same game with states and values of other kinds.
    pub(super) fn with<T: PackedState, U: RuleValue>(&mut self) -> RuleGame<'_, T, U> {
        let copies = self.copies.as_mut().map(Copies::reborrow);
        RuleGame { copies, ..RuleGame::new(self.machine, self.world, self.roles, self.kit) }
    }

    /// The predicates of the game.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The machine, for what is done between searches.
    pub fn machine(&mut self) -> (&mut Machine, &mut World) {
        (self.machine, self.world)
    }

    /// A move's name.
    pub fn move_term(&mut self, mv: StateId) -> Record {
        ask::unpack(self.machine, &self.kit.codec, self.kit.moves.bytes_of(mv))
    }

    /// The term of a state, without the player.
    pub fn state_term(&mut self, state: &S) -> Record {
        self.unpack(&state.bytes()[1..])
    }

    pub(super) fn unpack(&mut self, packed: &[u8]) -> Record {
        ask::unpack(self.machine, &self.kit.codec, packed)
    }

    /// A state with a player to move, who is ignored where the state says who it is.
    ///
    /// # Errors
    /// The state is cyclic or too large, or to_move/2 goes wrong.
    pub fn pack(&mut self, player: Player, state: &Record) -> Answered<S> {
        let packed = self.pack_unasked(player, state)?;
        if self.roles.to_move.is_some() {
            let player = self.whose_turn(&packed)?;
            return Ok(self.for_player(&packed, player));
        }
        Ok(packed)
    }

    /// A state with a player to move, of whom the rules are not asked.
    ///
    /// # Errors
    /// The state is cyclic or too large.
    pub(crate) fn pack_unasked(&mut self, player: Player, state: &Record) -> Answered<S> {
        if !self.kit.is_decided {
            self.represent(player, state);
        }
        let (scratch, codec) = (&mut self.scratch, &mut self.kit.codec);
        let packed = self.machine.scratch(|m| {
            let cell = state.instantiate(&mut m.heap);
            pack_into(scratch, m, codec, player, cell)
        });
        packed.map_err(|violation| {
            let mut error = RuleError::new(violation, indicator::INITIAL_STATE);
            error.state = Some(state.clone());
            error
        })
    }

    /// The same state with another player to move.
    pub(super) fn for_player(&self, state: &S, player: Player) -> S {
        let mut state = state.clone();
        state.set_byte(0, player);
        state
    }

    /// Tells of a state whose moves are asked for, if it is watched.
    #[cold]
    #[inline(never)]
    fn tell_watched(&mut self, state: &S) {
        let record = self.state_term(state);
        if watch::is_watched(self.machine, self.world, &record) {
            let player = self.player_term(state.bytes()[0]);
            let player = watch::text(self.machine, self.world, &player);
            watch::tell(self.machine, self.world, &record, &format!("{player} to move"));
        }
    }

    pub(super) fn error(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        player: Player,
        state: &S,
    ) -> Box<RuleError> {
        let mut error = RuleError::new(violation, predicate);
        error.state = Some(self.state_term(state));
        error.player = Some(self.player_term(player));
        error
    }
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    #[inline]
    pub(crate) fn asker(&mut self) -> Asker<'_> {
        (self.machine, self.world, &mut self.kit.codec)
    }

    #[inline]
    pub(crate) fn engine_code(&self) -> Specialise {
        self.mode
    }

    /// Whether code and machine are to be compared.
    #[inline]
    pub(crate) fn cross_checks(&self) -> bool {
        self.mode == Specialise::CrossCheck
    }

    /// What code said, unless it said nothing or is to be compared: then what the rules say.
    ///
    /// # Errors
    /// What the rules raise; code said something else.
    #[inline]
    pub(super) fn settled<T: PartialEq>(
        &mut self,
        code: Option<T>,
        predicate: &'static str,
        state: &S,
        rules: impl FnOnce(&mut Self) -> Answered<T>,
    ) -> Answered<T> {
        match code {
            Some(found) if !self.cross_checks() => Ok(found),
            code => {
                let found = rules(self)?;
                self.must_agree(code.is_none_or(|code| code == found), predicate, state)?;
                Ok(found)
            }
        }
    }

    /// # Errors
    /// Code and machine differ.
    pub(super) fn must_agree(
        &mut self,
        agree: bool,
        predicate: &'static str,
        state: &S,
    ) -> Answered<()> {
        if agree { Ok(()) } else { Err(self.about(Violation::Differs, predicate, state)) }
    }

    #[cold]
    pub(crate) fn about(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        state: &S,
    ) -> Box<RuleError> {
        self.error(violation, predicate, state.bytes()[0], state)
    }
}

/// Packs a state on the heap, with the player to move.
#[inline]
pub(super) fn pack_into<S: PackedState>(
    scratch: &mut Vec<u8>,
    m: &mut Machine,
    codec: &mut Codec,
    player: Player,
    state: Cell,
) -> Result<S, Violation> {
    let bytes = codec.encode_bytes(&mut m.heap, state)?;
    scratch.clear();
    scratch.push(player);
    scratch.extend_from_slice(bytes);
    S::from_bytes(scratch).ok_or(Violation::Room)
}

impl<S: PackedState, V: RuleValue> Game for RuleGame<'_, S, V> {
    type State = S;
    type Value = V;

    fn has_chance(&self) -> bool {
        self.has_chance()
    }

    fn players(&self) -> usize {
        if self.roles.opponent.is_none() { 2 } else { self.kit.next.len() }
    }

    #[inline]
    fn player(&self, state: &S) -> Player {
        state.bytes()[0]
    }

    fn is_over(&mut self, state: &S) -> Result<bool, Failure> {
        match self.roles.terminal {
            Some(role) => {
                let mover = state.bytes()[0];
                let code = truth(self.ask_code(Question::Over, role, mover, state));
                Ok(self.settled(code, role.indicator, state, |game| {
                    let over = game.first(role, mover, state, |_, _, []| Ok(()))?;
                    Ok(over.is_some())
                })?)
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

    fn utility(&mut self, state: &S, player: Player) -> Result<V, Failure> {
        match self.roles.utility.or(self.roles.heuristic) {
            Some(role) if !self.roles.is_normal_play() => {
                let known = self.roles.utility.is_some();
                if known && role.with_player && self.players() == 2 {
                    return Ok(self.shared_utility(role, state, player)?);
                }
                let question = if known { Question::Utility } else { Question::Heuristic };
                let value = self.quick_worth(question, role, state, player)?;
                Ok(self.within_bounds(value, role.indicator, state)?)
            }
            _ if self.roles.is_normal_play() && state.bytes()[0] == CHANCE => {
                let indicator = self.roles.moves.indicator;
                Err(self.error(Violation::Impersonal, indicator, CHANCE, state).into())
            }
            _ if self.roles.is_normal_play() => {
                let lost = V::WIN.negated();
                Ok(if player == state.bytes()[0] { lost } else { V::WIN })
            }
            _ => {
                let missing = Violation::Missing("utility(J, S, U)");
                Err(RuleError::new(missing, indicator::UTILITY_3).into())
            }
        }
    }

    fn heuristic(&mut self, state: &S, player: Player) -> Result<V, Failure> {
        match self.roles.heuristic {
            Some(role) => {
                let value = self.quick_worth(Question::Heuristic, role, state, player)?;
                Ok(self.within_bounds(value, role.indicator, state)?)
            }
            None => {
                let mut error = RuleError::new(
                    Violation::Missing("heuristic(J, S, H)"),
                    indicator::HEURISTIC_3,
                );
                error.state = Some(self.state_term(state));
                Err(error.into())
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

    fn moves(&mut self, state: &S, out: &mut Vec<(StateId, S)>) -> Result<(), Failure> {
        self.begin_moves(state)?;
        let before = out.len();
        let answered = self.code_moves(state, out);
        Ok(self.end_moves(state, out, (before, answered))?)
    }

    fn play_on(
        &mut self,
        state: &mut S,
        most: u32,
        choose: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Result<(u32, bool), Failure> {
        if !self.picks_by_code() {
            return Ok((0, false));
        }
        if !self.cross_checks() {
            let played = self.code_play(state, most, choose);
            return Ok((played.moves, played.is_over));
        }
        let start = state.clone();
        let mut chosen = Vec::new();
        let played = self.code_play(state, most, &mut |made, count| {
            let at = choose(made, count);
            chosen.push((count, at));
            at
        });
        chosen.truncate(played.moves as usize);
        self.replayed(start, &chosen, (state, played))?;
        Ok((played.moves, played.is_over))
    }

    fn pick(
        &mut self,
        state: &S,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> Result<(StateId, S), Failure> {
        // A random number is drawn once: code is asked first, with the choice kept.
        let mut chosen = None;
        let mut keep = |count| {
            let at = choose(count);
            chosen = Some((count, at));
            at
        };
        let code = if self.picks_by_code() { self.code_pick(state, &mut keep) } else { None };
        let code = match code {
            Some((mv, next)) => Some((mv, self.with_turn(next)?)),
            None => None,
        };
        let code = match code {
            Some(found) if !self.cross_checks() => return Ok(found),
            code => code,
        };
        let mut moves = Vec::new();
        let unmade = self.moves_or_unmade(state, &mut moves)?;
        let count = unmade.as_ref().map_or(moves.len(), Vec::len) as u32;
        let (counted, at) = chosen.unwrap_or_else(|| (count, choose(count)));
        if let Some(unmade) = unmade {
            self.must_agree(counted == count, self.roles.moves.indicator, state)?;
            let (mv, next) = self.made(state, &unmade[at as usize])?;
            return Ok((mv, self.with_turn(next)?));
        }
        let found = moves.get(at as usize).cloned();
        let same = counted == count && code.is_none_or(|code| found.as_ref() == Some(&code));
        self.must_agree(same, self.roles.moves.indicator, state)?;
        Ok(moves.swap_remove(at as usize))
    }

    fn count_moves(&mut self, state: &S) -> Result<u32, Failure> {
        let code = if self.picks_by_code() { self.code_count(state) } else { None };
        // That there is none is an error, or an end.
        let code = code.filter(|&count| count > 0);
        Ok(self.settled(code, self.roles.moves.indicator, state, |game| {
            let mut moves = Vec::new();
            let unmade = game.moves_or_unmade(state, &mut moves)?;
            Ok(unmade.map_or(moves.len(), |unmade| unmade.len()) as u32)
        })?)
    }

    fn probabilities(&mut self, state: &S, moves: &[StateId]) -> Result<Arc<[Expected]>, Failure> {
        Ok(self.chances(state, moves)?)
    }

    fn bounds(&mut self) -> Result<Option<(V, V)>, Failure> {
        match self.declared_bounds()? {
            Some((low, high)) => Ok(Some((self.balanced(low)?, self.balanced(high)?))),
            None => Ok(None),
        }
    }

    fn is_general_sum(&self) -> bool {
        self.players() > 2 || self.kit.shared.now == Some(UtilityKind::GeneralSum)
    }

    fn is_zero_sum(&self) -> bool {
        !self.is_general_sum() && self.kit.shared.shift.is_none()
    }

    #[inline]
    fn balanced(&mut self, value: V) -> Result<V, Failure> {
        match self.kit.shared.shift {
            None => Ok(value),
            Some(scale) => Ok(self.on_scale(value, scale)?),
        }
    }

    fn limit_met(&self, failure: &Failure) -> Option<StopReason> {
        match stop_of(failure.get::<Box<RuleError>>()?)? {
            zug_machine::StopReason::Time => Some(StopReason::Time),
            zug_machine::StopReason::Interrupted => Some(StopReason::Cancelled),
            _ => None,
        }
    }

    fn change(&self, before: &S, after: &S) -> u32 {
        let mut sum = 0_u64;
        // The first byte is the player.
        let alike = before.each_difference(after, |at, old, new| {
            let leaf = (at as u32) << 16 | u32::from(old) << 8 | u32::from(new);
            let mixed = if at > 0 { u64::from(leaf).wrapping_mul(MIX) >> 24 } else { 0 };
            sum += mixed;
            true
        });
        if alike { (sum ^ sum >> 16) as u32 } else { 0 }
    }

    fn meet(&mut self, state: &S) {
        self.kit.codec.see_packed(&state.bytes()[1..]);
    }

    fn write_move(&self, mv: StateId, out: &mut Vec<u8>) {
        out.extend_from_slice(self.kit.moves.bytes_of(mv));
    }

    fn move_of(&mut self, _: StateId, name: &[u8]) -> StateId {
        self.kit.moves.store.intern_bytes(name).0
    }

    fn has_symmetry(&self) -> bool {
        self.roles.symmetry.is_some() || self.has_alike()
    }

    fn symmetry_keeps_estimates(&self) -> bool {
        self.roles.symmetry.is_some() || self.alike_in_estimates()
    }

    fn canonical(&mut self, state: &S) -> Result<S, Failure> {
        Ok(self.standing_for(state)?)
    }
}

/// The moves of a state, from code or from the machine.
impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// What precedes every query for moves.
    ///
    /// # Errors
    /// It is chance that moves, for an engine that can't have that.
    fn begin_moves(&mut self, state: &S) -> Answered<()> {
        if state.bytes()[0] == CHANCE
            && let Some(engine) = self.kit.no_chance
        {
            let indicator = self.roles.moves.indicator;
            return Err(self.error(Violation::Chance(engine), indicator, CHANCE, state));
        }
        if !self.world.tracer.watches.is_empty() {
            self.tell_watched(state);
        }
        Ok(())
    }

    /// The moves behind the first ones of a list, which code has put there if it has `answered`.
    ///
    /// # Errors
    /// An error in a rule, an answer that breaks the contract, or none.
    fn end_moves(
        &mut self,
        state: &S,
        out: &mut Vec<(StateId, S)>,
        (before, answered): (usize, bool),
    ) -> Answered<()> {
        if !answered || self.cross_checks() {
            let code = answered.then(|| out.split_off(before));
            self.each_move(state, out).map_err(|ended| self.move_error(ended, state))?;
            let same = code.is_none_or(|code| code == out[before..]);
            self.must_agree(same, self.roles.moves.indicator, state)?;
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

    /// The moves, unmade where only the machine knows them and the rules tell them apart from their states; else they
    /// are put into the list.
    fn moves_or_unmade(
        &mut self,
        state: &S,
        moves: &mut Vec<(StateId, S)>,
    ) -> Answered<Option<Vec<Unmade>>> {
        self.begin_moves(state)?;
        // Asked first, though it may make no single move: what the machine does instead pays for code.
        let answered = self.code_moves(state, moves);
        if !answered && !self.cross_checks() {
            let unmade = self.unmade(state)?.filter(|unmade| !unmade.is_empty());
            if unmade.is_some() {
                return Ok(unmade);
            }
        }
        self.end_moves(state, moves, (0, answered))?;
        Ok(None)
    }

    /// A state that a move leads to, with the player to move as the rules say.
    #[inline]
    fn with_turn(&mut self, next: S) -> Answered<S> {
        if self.roles.to_move.is_none() {
            return Ok(next);
        }
        let player = self.whose_turn(&next)?;
        Ok(self.for_player(&next, player))
    }

    /// Whether one move is asked of code without the others: nobody watches.
    fn picks_by_code(&self) -> bool {
        self.mode != Specialise::Off && self.world.tracer.watches.is_empty()
    }

    /// The names of the moves, and their numbers, where code can tell them without making the moves; `None`
    /// if it could not.
    ///
    /// # Errors
    /// The machine differs.
    #[inline]
    pub(super) fn move_names(
        &mut self,
        state: &S,
        names: &mut Vec<StateId>,
        numbers: &mut Vec<u32>,
    ) -> Answered<Option<Numbering>> {
        if !self.picks_by_code() {
            return Ok(None);
        }
        // That there are no moves is an error, or an end.
        let Some(numbering) = self.code_names(state, names, numbers).filter(|_| !names.is_empty())
        else {
            return Ok(None);
        };
        if self.cross_checks() {
            let mut moves = Vec::new();
            self.moves(state, &mut moves)?;
            let same = moves.iter().map(|&(mv, _)| mv).eq(names.iter().copied());
            self.must_agree(same, self.roles.moves.indicator, state)?;
        }
        Ok(Some(numbering))
    }

    /// The state that a move leads to which [`RuleGame::move_names`] has numbered for this state; `None` if
    /// that has to be found out otherwise.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    #[inline]
    pub(super) fn numbered_move(&mut self, state: &S, mv: (u32, Numbering)) -> Answered<Option<S>> {
        // What is compared with the machine is picked by its place.
        if !self.picks_by_code() || self.cross_checks() {
            return Ok(None);
        }
        self.code_numbered(state, mv).map(|next| self.with_turn(next)).transpose()
    }

    /// Plays what code has played once more by the machine, with the moves that were picked: of so many,
    /// which.
    ///
    /// # Errors
    /// The machine differs.
    fn replayed(
        &mut self,
        start: S,
        chosen: &[(u32, u32)],
        (end, played): (&S, Played),
    ) -> Answered<()> {
        let (moves, turn) = (self.roles.moves.indicator, self.roles.terminal);
        let over = turn.map_or(moves, |role| role.indicator);
        let mut state = start;
        for &(count, at) in chosen {
            let is_over = self.is_over(&state)?;
            self.must_agree(!is_over, over, &state)?;
            let mut all = Vec::new();
            self.moves(&state, &mut all)?;
            self.must_agree(all.len() == count as usize, moves, &state)?;
            state = all.swap_remove(at as usize).1;
        }
        self.must_agree(state == *end, moves, &state)?;
        if played.is_over {
            let is_over = self.is_over(&state)?;
            self.must_agree(is_over, over, &state)?;
        }
        Ok(())
    }
}

/// A fault that a rule raised, before engines handle it.
pub(crate) fn stop_of(error: &RuleError) -> Option<zug_machine::StopReason> {
    match error.fault() {
        Some(Fault::Stopped(reason)) => Some(*reason),
        _ => None,
    }
}
