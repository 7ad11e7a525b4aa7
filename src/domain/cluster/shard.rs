//! The states of a worker, packed by the rules that it asks: [`RuleShard`].

use crate::error::{RuleError, Violation, stop_reason};
use crate::fork::limits_of;
use crate::game::{CHANCE_MOVES, GameSpace, NOT_BALANCED};
use crate::problem::{PuzzleCore, RuleProblem};
use crate::{Packed, PackedState};
use std::sync::atomic::Ordering::SeqCst;
use std::time::Instant;
use zug_cluster::{Shard, Stop};
use zug_machine::Machine;
use zug_report::CodeUse;
use zug_search::{Row, Space, StateStore, StopReason, Successors};
use zug_state::RuleCost;
use zug_term::Record;

/// Why all processes begin again.
pub(super) const ROOM: &str = "its states are longer than was thought";

/// A space whose states can be sent to other processes.
pub(super) trait Worded:
    Space<<Self as Worded>::Row, <Self as Worded>::Cost> + Sized + Send
{
    /// How states are packed.
    type Row: PackedState;
    /// What costs are counted in.
    type Cost: RuleCost;
    /// How many words there are.
    type Counts: Copy + PartialEq + Send + Sync;

    fn counts(&self) -> Self::Counts;
    /// Whether a state has no words but those that there were.
    fn is_of(&self, state: &Self::Row, counts: Self::Counts) -> bool;
    /// Appends a state with all its words.
    fn spell(&mut self, state: &Self::Row, out: &mut Vec<u8>);
    fn unspell(&mut self, bytes: &[u8]) -> Option<Self::Row>;
    /// All words: the same where states are packed alike.
    fn word_list(&mut self) -> Vec<u8>;
    fn rules(&mut self) -> &mut Machine;
    fn term(&mut self, state: &Self::Row) -> Record;
    /// What answered the questions, as far as that is known.
    fn code_use(&self) -> Option<CodeUse>;
    /// The copies for other threads.
    fn take_forks(&mut self) -> Vec<Self>;
    fn return_forks(&mut self, forks: Vec<Self>);
    /// Appends the successors of a state.
    fn successors(
        &mut self,
        state: &Self::Row,
        out: &mut Successors<Self::Row, Self::Cost>,
    ) -> Result<(), Box<RuleError>>;

    /// All states that count as one with a state, if a state may stand for others.
    fn class_of(&mut self, _: &Self::Row) -> Result<Option<Vec<Self::Row>>, Box<RuleError>> {
        Ok(None)
    }

    /// What failed at a state when several questions are asked about it, as they are in a search.
    fn ask_again(&mut self, state: &Self::Row) -> Result<(), Box<RuleError>>;
}

impl<C: RuleCost, S: PackedState> Worded for RuleProblem<'_, C, S> {
    type Row = S;
    type Cost = C;
    type Counts = [usize; 3];

    fn counts(&self) -> [usize; 3] {
        self.codec().counts()
    }

    fn is_of(&self, state: &S, counts: [usize; 3]) -> bool {
        self.codec().is_of(state.bytes(), counts)
    }

    fn spell(&mut self, state: &S, out: &mut Vec<u8>) {
        PuzzleCore::spell(self, state.bytes(), out);
    }

    fn unspell(&mut self, bytes: &[u8]) -> Option<S> {
        RuleProblem::unspell(self, bytes)
    }

    fn word_list(&mut self) -> Vec<u8> {
        PuzzleCore::word_list(self)
    }

    fn rules(&mut self) -> &mut Machine {
        self.machine().0
    }

    fn term(&mut self, state: &S) -> Record {
        self.unpack(state.bytes())
    }

    fn code_use(&self) -> Option<CodeUse> {
        PuzzleCore::code_use(self)
    }

    fn take_forks(&mut self) -> Vec<Self> {
        RuleProblem::take_forks(self)
    }

    fn return_forks(&mut self, forks: Vec<Self>) {
        RuleProblem::return_forks(self, forks);
    }

    fn successors(&mut self, state: &S, out: &mut Successors<S, C>) -> Result<(), Box<RuleError>> {
        RuleProblem::successors(self, state, out)
    }

    fn ask_again(&mut self, state: &S) -> Result<(), Box<RuleError>> {
        RuleProblem::successors(self, state, &mut Successors::default())?;
        if self.has_goal() {
            RuleProblem::is_goal(self, state)?;
            self.heuristic(state)?;
        }
        Ok(())
    }
}

impl Worded for GameSpace<'_> {
    type Row = Packed;
    type Cost = i64;
    type Counts = (usize, [usize; 3]);

    fn counts(&self) -> Self::Counts {
        GameSpace::counts(self)
    }

    fn is_of(&self, state: &Packed, counts: Self::Counts) -> bool {
        GameSpace::is_of(self, state, counts)
    }

    fn spell(&mut self, state: &Packed, out: &mut Vec<u8>) {
        GameSpace::spell(self, state, out);
    }

    fn unspell(&mut self, bytes: &[u8]) -> Option<Packed> {
        GameSpace::unspell(self, bytes)
    }

    fn word_list(&mut self) -> Vec<u8> {
        GameSpace::word_list(self)
    }

    fn rules(&mut self) -> &mut Machine {
        self.0.machine().0
    }

    fn term(&mut self, state: &Packed) -> Record {
        self.0.state_term(state)
    }

    fn code_use(&self) -> Option<CodeUse> {
        None
    }

    fn take_forks(&mut self) -> Vec<Self> {
        GameSpace::take_forks(self)
    }

    fn return_forks(&mut self, forks: Vec<Self>) {
        GameSpace::return_forks(self, forks);
    }

    fn successors(
        &mut self,
        state: &Packed,
        out: &mut Successors<Packed, i64>,
    ) -> Result<(), Box<RuleError>> {
        GameSpace::successors(self, 0, state, out)
    }

    fn class_of(&mut self, state: &Packed) -> Result<Option<Vec<Packed>>, Box<RuleError>> {
        GameSpace::class_of(self, state)
    }

    fn ask_again(&mut self, state: &Packed) -> Result<(), Box<RuleError>> {
        let mut out = Successors::<Packed, i64>::default();
        GameSpace::successors(self, 0, state, &mut out)?;
        if out.is_empty() {
            self.worth(state)?;
        }
        Ok(())
    }
}

/// A hash of bytes that is the same on every machine.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let mut add = |word: u64| {
        hash = (hash.rotate_left(25) ^ word).wrapping_mul(0xF135_7AEA_2E62_A9C5);
    };
    let (words, rest) = bytes.as_chunks();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    if !rest.is_empty() {
        add(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    hash ^ hash >> 32
}

/// A state travels as its packed bytes.
const PACKED: u8 = 0;
/// A state travels with its words.
const SPELLED: u8 = 1;

/// What all workers of a search have alike.
#[derive(Clone, Copy)]
pub(super) struct Manner<C> {
    /// The words that all of them have.
    pub common: C,
    /// Time is limited.
    pub is_timed: bool,
    /// Estimates are asked for.
    pub is_informed: bool,
    /// Every move counts as one.
    pub by_moves: bool,
}

/// The states that one worker owns, packed by the rules it asks.
pub(super) struct RuleShard<P: Worded> {
    pub problem: P,
    pub manner: Manner<P::Counts>,
    store: <P::Row as Row>::Store,
    pub out: Successors<P::Row, P::Cost>,
    scratch: Vec<u8>,
}

/// What failed in a worker, and the state that it asked about.
pub(super) struct RuleFailure {
    pub error: Box<RuleError>,
    state: Vec<u8>,
}

/// What all workers are told where one has met what they must do otherwise.
pub(super) fn known_words(violation: &Violation) -> Option<&'static str> {
    match violation {
        Violation::Room => Some(ROOM),
        Violation::Chance(_) => Some(CHANCE_MOVES),
        Violation::Unbalanced(_) => Some(NOT_BALANCED),
        _ => None,
    }
}

impl<P: Worded> RuleShard<P> {
    pub fn new(problem: P, manner: Manner<P::Counts>) -> Self {
        let (store, out) = (Default::default(), Successors::default());
        RuleShard { problem, manner, store, out, scratch: Vec::new() }
    }

    /// The failure of a question about a state.
    pub fn failure(&mut self, error: Box<RuleError>, state: &P::Row) -> RuleFailure {
        let mut written = Vec::new();
        self.write(state, &mut written);
        RuleFailure { error, state: written }
    }

    /// The failure of another worker, in words of this one.
    pub fn ask_again(&mut self, failure: RuleFailure) -> Box<RuleError> {
        let state = self.read(&failure.state);
        let again = state.map(|state| self.problem.ask_again(&state));
        again.and_then(Result::err).unwrap_or(failure.error)
    }

    #[inline]
    fn is_common(&self, state: &P::Row) -> bool {
        // PERF: mostly no word was met since.
        self.problem.counts() == self.manner.common || self.problem.is_of(state, self.manner.common)
    }

    /// The state that stands for all that count as one with a state, for which the problem has one of them stand: the least
    /// one by the bytes that travel. As long as all words are common that is the problem's own.
    pub fn standing_for(&mut self, state: P::Row) -> Result<P::Row, Box<RuleError>> {
        if self.problem.counts() == self.manner.common {
            return Ok(state);
        }
        let Some(class) = self.problem.class_of(&state)? else { return Ok(state) };
        let written = |state: P::Row| {
            let mut bytes = Vec::new();
            self.write(&state, &mut bytes);
            (bytes, state)
        };
        let least = class.into_iter().map(written).min_by(|a, b| a.0.cmp(&b.0));
        Ok(least.map_or(state, |(_, state)| state))
    }
}

impl<P: Worded> Shard for RuleShard<P> {
    type State = P::Row;
    type Error = RuleFailure;

    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }

    #[inline]
    fn hash(&mut self, state: &P::Row) -> u64 {
        if self.is_common(state) {
            return hash_of(state.bytes());
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        self.problem.spell(state, &mut scratch);
        let hash = hash_of(&scratch);
        self.scratch = scratch;
        hash
    }

    #[inline]
    fn write(&mut self, state: &P::Row, out: &mut Vec<u8>) {
        if self.is_common(state) {
            out.push(PACKED);
            out.extend_from_slice(state.bytes());
        } else {
            out.push(SPELLED);
            self.problem.spell(state, out);
        }
    }

    #[inline]
    fn read(&mut self, bytes: &[u8]) -> Option<P::Row> {
        match bytes.split_first()? {
            (&PACKED, packed) if !packed.is_empty() => {
                let state = Space::read(&mut self.problem, packed)?;
                self.problem.is_of(&state, self.manner.common).then_some(state)
            }
            (&SPELLED, spelled) => self.problem.unspell(spelled),
            _ => None,
        }
    }

    #[inline]
    fn intern(&mut self, states: &mut Vec<P::Row>) {
        self.store.prepare(states.iter());
        for state in states.drain(..) {
            self.store.intern(&state);
        }
    }

    #[inline]
    fn number(&mut self, state: &P::Row) -> usize {
        self.store.intern(state).0 as usize
    }

    #[inline]
    fn state(&self, number: usize) -> P::Row {
        self.store.state(number as u32)
    }

    #[inline]
    fn successors(&mut self, state: &P::Row, out: &mut Vec<P::Row>) -> Result<(), RuleFailure> {
        let mut found = std::mem::take(&mut self.out);
        found.clear();
        let mut asked = Worded::successors(&mut self.problem, state, &mut found);
        for (_, row) in found.drain() {
            match self.standing_for(row) {
                Ok(state) => out.push(state),
                Err(error) => asked = asked.and(Err(error)),
            }
        }
        self.out = found;
        asked.map_err(|error| self.failure(error, state))
    }

    fn stop_of(&self, failure: &RuleFailure) -> Option<Stop> {
        Some(match stop_reason(&failure.error, self.manner.is_timed)? {
            StopReason::Time => Stop::Time,
            StopReason::Cancelled => Stop::Cancelled,
            StopReason::Nodes => Stop::Nodes,
            StopReason::Depth => Stop::Depth,
            _ => Stop::Memory,
        })
    }

    fn words_of(failure: &RuleFailure) -> String {
        let error = &failure.error;
        known_words(&error.violation)
            .map_or_else(|| format!("an error in {}", error.predicate), str::to_owned)
    }

    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Result<R, Stop> {
        let m = self.problem.rules();
        let (deadline, interrupt) = (m.deadline, m.interrupt.clone());
        limits_of(m).within(|| work(self)).map_err(|_| {
            if interrupt.load(SeqCst) {
                Stop::Cancelled
            } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Stop::Time
            } else {
                Stop::Memory
            }
        })
    }
}
