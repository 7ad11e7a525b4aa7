//! Which predicates have code for which shapes, and running it.
//!
//! Code is made when a shape has been met a few times, within a budget that grows with the
//! work the machine has done, so that no search takes much longer for it. Code that keeps
//! giving states back is dropped; code that lacked values it had not met is made again.

use super::backend::Backend;
use super::code::{Cost, Hole, Move, Template};
use super::interpreter::{Frame, Reply, is_narrow};
use super::ops::Ops;
use super::residual::Reason;
use super::word::Word;
use crate::builtins::{Specialise, World};
use crate::domain::codec::Codec;
use crate::domain::{Number, PackedState};
use crate::machine::{Machine, PredId};
use crate::term::Record;

/// An argument of a contract predicate.
#[derive(Clone, Debug)]
pub enum Arg {
    /// Always the same term: a player, the name of a heuristic.
    Fixed(Record),
    /// The state.
    State,
    /// The name of a move.
    Name,
    /// Its cost.
    Cost,
    /// The state it leads to.
    To,
    /// A number.
    Value,
}

/// A contract predicate with the arguments it is called with.
#[derive(Clone, Debug)]
pub struct Target {
    /// The predicate.
    pub pred: PredId,
    /// As in `rule/4`.
    pub indicator: &'static str,
    /// Its arguments.
    pub args: Vec<Arg>,
}

/// Times a shape is met before code is made for it.
const WARM: u32 = 4;
/// Values of a leaf that are remembered.
const MOST_VALUES: usize = 64;
/// Times that code is made for one shape.
pub(super) const MOST_TRIES: u32 = 6;

/// What there is for a predicate and a shape.
pub(super) enum State {
    /// Nothing yet.
    Cold,
    Ready(Box<Compiled>),
    /// The machine, and why.
    Machine(Reason),
}

/// Code with what it takes for granted.
pub(super) struct Compiled {
    pub(super) code: Backend,
    pub(super) reasons: Vec<Reason>,
    /// Leaves that may be unbound.
    pub(super) unbound: Vec<bool>,
    pub(super) any_unbound: bool,
    /// The numbers of the names of moves, if they are constant.
    pub(super) names: Vec<Option<u32>>,
}

pub(super) struct Unit {
    pub(super) state: State,
    pub(super) asked: u32,
    pub(super) runs: u64,
    pub(super) deopts: u64,
    /// States with a value that was not met before, since code was made.
    news: u32,
    pub(super) tries: u32,
    /// Steps to be affordable before code is made again.
    pub(super) needed: u64,
    /// Why code gave a state back last.
    pub(super) gave_back: Option<Reason>,
    /// What leaves were seen to be.
    pub(super) seen: Vec<Vec<Word>>,
}

/// What became of a question.
pub enum Asked {
    /// Code answered it.
    Answered(Reply),
    /// The machine must.
    Machine,
}

/// Counts for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions that code answered.
    pub code: u64,
    /// Questions that the machine answered.
    pub machine: u64,
}

/// The code of a search.
pub struct Units {
    mode: Specialise,
    pub(super) ops: Option<Ops>,
    pub(super) targets: Vec<Target>,
    /// By target, then by shape.
    pub(super) units: Vec<Vec<Option<Unit>>>,
    frame: Frame,
    /// The state of the program that code was made for.
    stamp: (u64, usize),
    pub(super) changes: u32,
    pub(super) steps: u64,
    pub(super) inferences: u64,
    /// What answered questions.
    pub counts: Counts,
    /// Bytes of the state that a move leads to.
    bytes: Vec<u8>,
}

/// Program changes after which no code is made any more.
pub(super) const MOST_CHANGES: u32 = 4;

impl Units {
    /// No code yet.
    pub fn new(m: &Machine, mode: Specialise) -> Units {
        Units {
            mode,
            ops: None,
            targets: Vec::new(),
            units: Vec::new(),
            frame: Frame::default(),
            stamp: stamp(m),
            changes: 0,
            steps: 0,
            inferences: m.inferences(),
            counts: Counts::default(),
            bytes: Vec::new(),
        }
    }

    /// How rules are run.
    pub fn mode(&self) -> Specialise {
        self.mode
    }

    /// Adds a predicate: its number.
    pub fn add(&mut self, target: Target) -> usize {
        self.targets.push(target);
        self.units.push(Vec::new());
        self.targets.len() - 1
    }

    /// Asks code about a packed state, which begins with its shape. `visit` gets the moves.
    #[inline]
    pub fn ask(
        &mut self,
        target: usize,
        packed: &[u8],
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        if self.mode == Specialise::Off {
            return Asked::Machine;
        }
        let asked = self.try_code(target, packed, (m, w, codec), visit);
        match asked {
            Asked::Answered(_) => self.counts.code += 1,
            Asked::Machine => self.counts.machine += 1,
        }
        asked
    }

    /// The value of a state, given that of the state before; `None` if code can't tell from the
    /// difference.
    #[inline]
    pub fn value_after(
        &mut self,
        target: usize,
        (before, value): (&[u8], i64),
        after: &[u8],
        m: &Machine,
        codec: &Codec,
    ) -> Option<i64> {
        if self.mode != Specialise::On || stamp(m) != self.stamp || codec.has_boxed() {
            return None;
        }
        let shape = *before.first().filter(|shape| after.first() == Some(shape))?;
        match &self.units[target].get(usize::from(shape))?.as_ref()?.state {
            State::Ready(compiled) if !compiled.any_unbound => {
                let value = compiled.code.value_after(before, value, after)?;
                self.counts.code += 1;
                Some(value)
            }
            _ => None,
        }
    }

    fn try_code(
        &mut self,
        target: usize,
        packed: &[u8],
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        mut visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        let Some(shape) = Codec::shape_of(packed) else { return Asked::Machine };
        if stamp(m) != self.stamp {
            self.forget(m);
        }
        let units = &mut self.units[target];
        if units.len() <= usize::from(shape) {
            units.resize_with(usize::from(shape) + 1, || None);
        }
        let unit = units[usize::from(shape)].get_or_insert_with(|| Unit::new(codec, shape));
        let leaves = &packed[1..];
        let compiled = match &mut unit.state {
            State::Ready(compiled) => compiled,
            State::Machine(_) => {
                unit.asked = unit.asked.saturating_add(1);
                return Asked::Machine;
            }
            State::Cold => {
                unit.asked += 1;
                unit.see(leaves, codec, &mut self.frame);
                if unit.asked < WARM {
                    return Asked::Machine;
                }
                self.make(target, shape, m, w, codec);
                return Asked::Machine;
            }
        };
        unit.runs += 1;
        let count = compiled.code.code().leaves;
        let narrow = is_narrow(leaves, count, codec);
        if !narrow && !self.frame.load(leaves, count, codec) {
            unit.deopts += 1;
            let what = "a leaf is a float, a string, a large integer or a variable met before";
            unit.weigh(Reason::plain(what));
            return Asked::Machine;
        }
        let narrow = narrow.then_some(leaves);
        if !compiled.allows(narrow, &self.frame) {
            unit.met_new(leaves, codec, &mut self.frame);
            return Asked::Machine;
        }
        let (names, bytes) = (&mut compiled.names, &mut self.bytes);
        let ended = compiled.code.run(narrow, &mut self.frame, |code, number, frame| {
            let mv = &code.moves[number as usize];
            let name = &mut names[number as usize];
            let from = Filler { frame, narrow };
            visit(&mut Visit { mv, from, name, bytes })
        });
        if let Reply::Deopt(reason) = ended {
            unit.deopts += 1;
            let reason = reason.map(|reason| compiled.reasons[reason as usize].clone());
            match reason {
                Some(reason) if reason.new_value => {
                    unit.met_new(leaves, codec, &mut self.frame);
                }
                Some(reason) => unit.weigh(reason),
                None => unit.weigh(Reason::plain("a value is out of range")),
            }
            return Asked::Machine;
        }
        Asked::Answered(ended)
    }

    /// The program has changed.
    #[cold]
    fn forget(&mut self, m: &Machine) {
        self.stamp = stamp(m);
        self.changes += 1;
        for units in &mut self.units {
            units.clear();
        }
        if self.changes > MOST_CHANGES {
            self.mode = Specialise::Off;
        }
    }
}

fn stamp(m: &Machine) -> (u64, usize) {
    (m.program.generation, m.program.clauses.len())
}

impl Unit {
    fn new(codec: &Codec, shape: u8) -> Unit {
        Unit {
            state: State::Cold,
            asked: 0,
            runs: 0,
            deopts: 0,
            news: 0,
            tries: 0,
            needed: 0,
            gave_back: None,
            seen: vec![Vec::new(); codec.leaves_of(shape)],
        }
    }

    /// Remembers the values of a state's leaves.
    #[cold]
    fn see(&mut self, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        if !frame.load(leaves, self.seen.len(), codec) {
            return;
        }
        for (seen, &word) in self.seen.iter_mut().zip(&frame.words) {
            if seen.len() < MOST_VALUES && !seen.contains(&Word(word)) {
                seen.push(Word(word));
            }
        }
    }

    /// Code lacked a value.
    #[cold]
    fn met_new(&mut self, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        self.deopts += 1;
        self.see(leaves, codec, frame);
        self.news += 1;
        if self.tries >= MOST_TRIES {
            self.weigh(Reason::plain("leaves have too many values"));
        } else if self.news >= 4 << (2 * self.tries) {
            self.state = State::Cold;
            self.asked = WARM - 1;
            self.news = 0;
            self.needed = 0;
        }
    }

    /// Drops code that does not do its work.
    fn weigh(&mut self, reason: Reason) {
        if self.deopts >= 64 && self.deopts * 2 > self.runs {
            self.state = State::Machine(reason);
        } else {
            self.gave_back = Some(reason);
        }
    }
}

impl Compiled {
    /// Whether only leaves are unbound that may be; they are given as bytes, or lie in the
    /// frame.
    #[inline]
    fn allows(&self, narrow: Option<&[u8]>, frame: &Frame) -> bool {
        const VAR: u8 = Word::VAR.0 as u8;
        match (narrow, self.any_unbound) {
            (Some(leaves), false) => !has_byte(leaves, VAR),
            (Some(leaves), true) => {
                self.unbound.iter().zip(leaves).all(|(&may, &leaf)| may || leaf != VAR)
            }
            (None, false) => !frame.has_unbound(),
            (None, true) => {
                let mut leaves = self.unbound.iter().zip(&frame.words);
                leaves.all(|(&may, &word)| may || word != Word::VAR.0)
            }
        }
    }
}

/// Whether a byte occurs.
#[inline]
fn has_byte(bytes: &[u8], wanted: u8) -> bool {
    // PERF: eight at once; states are short.
    let has = |eight: &[u8; 8]| {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let differ = u64::from_le_bytes(*eight) ^ (LOW * u64::from(wanted));
        differ.wrapping_sub(LOW) & !differ & (LOW << 7) != 0
    };
    match bytes.last_chunk() {
        Some(last) => has(last) || bytes.chunks_exact(8).any(|e| e.try_into().is_ok_and(&has)),
        None => bytes.contains(&wanted),
    }
}

/// A move that code answers.
pub struct Visit<'v> {
    mv: &'v Move,
    from: Filler<'v>,
    name: &'v mut Option<u32>,
    bytes: &'v mut Vec<u8>,
}

impl Visit<'_> {
    /// The cost; `None` if there is none or it does not fit.
    #[inline]
    pub fn cost(&self) -> Option<Number> {
        match self.mv.cost? {
            Cost::Fixed(cost) => Some(cost),
            Cost::Temp(temp) => Some(Number::Int(self.from.frame.temps[usize::from(temp)])),
        }
    }

    /// The number of the name; `intern` numbers packed names.
    #[inline]
    pub fn name(&mut self, intern: impl FnOnce(&[u8]) -> u32) -> Option<u32> {
        if let Some(number) = *self.name {
            return Some(number);
        }
        self.name_of(intern)
    }

    fn name_of(&mut self, intern: impl FnOnce(&[u8]) -> u32) -> Option<u32> {
        self.bytes.clear();
        if !self.from.pack(&self.mv.name, self.bytes) {
            return None;
        }
        let number = intern(self.bytes);
        if self.mv.name.leaves.iter().all(|hole| matches!(hole, Hole::Word(_))) {
            *self.name = Some(number);
        }
        Some(number)
    }

    /// The packed state that the move leads to from a state, with the player to move in front
    /// if there is one; `None` if a leaf does not fit.
    #[inline]
    pub fn next<S: PackedState>(&mut self, from: &S, player: Option<u8>) -> Option<S> {
        if self.from.narrow.is_some()
            && let Some(writes) = &self.mv.writes
        {
            let mut next = from.clone();
            let leaves = 1 + usize::from(player.is_some());
            if let Some(player) = player {
                next.set_byte(0, player);
            }
            let fits = writes.iter().all(|&(leaf, hole)| {
                let byte = self.from.word(hole).and_then(|word| word.byte());
                byte.map(|byte| next.set_byte(leaves + usize::from(leaf), byte)).is_some()
            });
            if fits {
                return Some(next);
            }
        }
        self.bytes.clear();
        self.bytes.extend(player);
        if !self.from.pack(&self.mv.to, self.bytes) {
            return None;
        }
        S::from_bytes(self.bytes)
    }
}

/// What fills holes.
#[derive(Clone, Copy)]
struct Filler<'v> {
    frame: &'v Frame,
    /// The leaves, if each is of one byte; else they lie in the frame.
    narrow: Option<&'v [u8]>,
}

impl Filler<'_> {
    #[inline]
    fn word(self, hole: Hole) -> Option<Word> {
        match (hole, self.narrow) {
            (Hole::Word(word), _) => Some(word),
            (Hole::Leaf(leaf), Some(leaves)) => Some(Word(i64::from(leaves[usize::from(leaf)]))),
            (Hole::Leaf(leaf), None) => Some(Word(self.frame.words[usize::from(leaf)])),
            (Hole::Temp(temp), _) => Word::int(self.frame.temps[usize::from(temp)]),
        }
    }

    /// Packs a term behind others; false if an integer does not fit.
    fn pack(self, template: &Template, out: &mut Vec<u8>) -> bool {
        out.push(template.shape);
        for &hole in &template.leaves {
            let Some(word) = self.word(hole) else { return false };
            Codec::push_word(word, out);
        }
        true
    }
}
