//! Which predicates have code for which shapes, and running it.
//!
//! Code is made when a shape has been met a few times, within a budget that grows with the
//! work the machine has done, so that no search takes much longer for it. Code that keeps
//! giving states back is dropped; code that lacked values it had not met is made again.

use super::backend::{Backend, Narrow};
use super::code::{Code, Hole, Layout, Sum};
use super::compile::compile;
use super::interpreter::{Frame, Reply, is_narrow};
use super::moves::{HEAD, Label, Source, Visit};
use super::ops::Ops;
use super::residual::{NodeId, Reason, Residual, kind};
use super::run::{Context, Run, Site};
use super::terms;
use super::word::Word;
use super::words::Words;
use crate::builtins::{Specialise, World};
use crate::domain::PackedState;
use crate::domain::codec::Codec;
use crate::machine::{Machine, PredId, Space};
use crate::term::{Cell, Record};

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
/// Steps of symbolic runs that are free.
const FREE_STEPS: u64 = 60_000;
/// Inferences of the machine that buy a step; some sixteen take as long.
const STEP: u64 = 64;
/// The most steps of one.
pub(super) const MOST_STEPS: u64 = 600_000;
/// Integers that leaves may have in common.
const COMMON: i64 = 24;
/// Times that code is made for one shape.
const MOST_TRIES: u32 = 6;

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
    code: Backend,
    reasons: Vec<Reason>,
    /// Leaves that may be unbound.
    unbound: Vec<bool>,
    any_unbound: bool,
    /// By move, what is constant of it.
    labels: Vec<Label>,
    /// The code gave no state back so far.
    kept_all: bool,
}

pub(super) struct Unit {
    pub(super) state: State,
    pub(super) asked: u32,
    pub(super) runs: u64,
    pub(super) deopts: u64,
    /// States with a value that was not met before, since code was made.
    news: u32,
    tries: u32,
    /// Why code gave a state back last.
    pub(super) gave_back: Option<Reason>,
    /// What leaves were seen to be.
    seen: Vec<Vec<Word>>,
}

/// What became of a question.
pub enum Asked {
    /// Code answered it.
    Answered(Reply),
    /// The machine must.
    Machine,
}

/// Why code gives a state back.
enum Back {
    /// It can't work with its leaves.
    Leaves,
    /// A leaf is unbound that was not before.
    New,
    /// The machine is asked; the number of the reason, or a value is out of range.
    Asked(Option<u32>),
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
    ops: Option<Ops>,
    pub(super) targets: Vec<Target>,
    /// By target, then by shape.
    pub(super) units: Vec<Vec<Option<Unit>>>,
    frame: Frame,
    /// The state of the program that code was made for.
    stamp: (u64, usize),
    pub(super) changes: u32,
    steps: u64,
    inferences: u64,
    /// What answered questions.
    pub counts: Counts,
    /// Bytes of the state that a move leads to.
    bytes: Vec<u8>,
    /// Where the leaves of states of one length lie.
    layout: Layout,
    /// The predicate whose values moves may be told the differences of.
    value: Option<usize>,
    /// Changes when differences that code was told may hold no more.
    epoch: u64,
}

/// Program changes after which no code is made any more.
pub(super) const MOST_CHANGES: u32 = 4;

impl Units {
    /// No code yet, for states packed as `layout` says.
    pub fn new(m: &Machine, mode: Specialise, layout: Layout) -> Units {
        Units {
            mode,
            ops: None,
            targets: Vec::new(),
            units: Vec::new(),
            frame: Frame { exit: vec![0; HEAD], ..Frame::default() },
            stamp: stamp(m),
            changes: 0,
            steps: 0,
            inferences: m.inferences(),
            counts: Counts::default(),
            bytes: Vec::new(),
            layout,
            value: None,
            epoch: 0,
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

    /// Told how states are laid out from now on. Others, of no common length, may still be
    /// asked about.
    #[inline]
    pub fn lay_out(&mut self, layout: Layout) {
        if layout.words != 0 && layout != self.layout {
            self.lay_out_anew(layout);
        }
    }

    #[cold]
    fn lay_out_anew(&mut self, layout: Layout) {
        self.layout = layout;
        for unit in self.units.iter_mut().flatten().flatten() {
            if let State::Ready(compiled) = &mut unit.state {
                compiled.code.lay_out(layout);
            }
        }
    }

    /// Told which predicate's values are asked for along with moves.
    pub fn follow(&mut self, value: usize) {
        self.value = Some(value);
    }

    /// Asks code about a packed state. `visit` gets the moves.
    #[inline]
    pub fn ask<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
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
    pub fn value_after<S: PackedState>(
        &mut self,
        target: usize,
        (before, value): (&S, i64),
        after: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<i64> {
        if self.mode == Specialise::Off || stamp(m) != self.stamp || codec.has_boxed() {
            return None;
        }
        let first = self.layout.before;
        let shape = *before.bytes().get(first.checked_sub(1)?)?;
        match &self.units[target].get(usize::from(shape))?.as_ref()?.state {
            State::Ready(compiled) if !compiled.any_unbound && compiled.kept_all => {
                let value = compiled.code.code().value_after(first, before, value, after)?;
                self.counts.code += 1;
                Some(value)
            }
            _ => None,
        }
    }

    /// Counts a value that was told along with a move.
    #[inline]
    pub fn count_told(&mut self) {
        self.counts.code += 1;
    }

    // PERF: asked several times for each node of a search.
    #[inline(always)]
    fn try_code<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        mut visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        let (_, leaves) = packed.bytes().split_at(self.layout.before);
        let Some(shape) = Codec::shape_of(&packed.bytes()[self.layout.before - 1..]) else {
            return Asked::Machine;
        };
        if stamp(m) != self.stamp {
            self.forget(m);
        }
        let Some(Some(Unit { state: State::Ready(compiled), runs, .. })) =
            self.units[target].get_mut(usize::from(shape))
        else {
            self.without_code((target, shape), leaves, (m, w, codec));
            return Asked::Machine;
        };
        *runs += 1;
        let count = compiled.code.code().leaves;
        let has_room = packed.room().len() >= 8 * self.layout.words;
        let narrow = has_room && is_narrow(leaves, count, codec);
        if !narrow && !self.frame.load(leaves, count, codec) {
            return self.give_back((target, shape), Back::Leaves, leaves, codec);
        }
        let narrow = narrow.then_some(Narrow { room: packed.room(), leaves });
        if codec.has_variables() && !compiled.allows(narrow.map(|state| state.leaves), &self.frame)
        {
            return self.give_back((target, shape), Back::New, leaves, codec);
        }
        let ended = compiled.code.run(narrow, &mut self.frame);
        if let Reply::Deopt(reason) = ended {
            return self.give_back((target, shape), Back::Asked(reason), leaves, codec);
        }
        let told = compiled.code.epoch() == Some(self.epoch);
        let source = Source {
            code: compiled.code.code(),
            forms: compiled.code.forms(),
            exit: &self.frame.exit[..self.frame.end],
            narrow: narrow.map(|state| state.leaves),
            words: &self.frame.words,
        };
        let mut at = HEAD;
        while at < source.exit.len() {
            let (mut found, next) = source.read(at, told, &mut compiled.labels, &mut self.bytes);
            if !visit(&mut found) {
                return self.give_back((target, shape), Back::Asked(None), leaves, codec);
            }
            at = next;
        }
        if compiled.code.is_due() {
            self.make_native(target, shape);
        }
        Asked::Answered(ended)
    }

    /// A question for which there is no code: makes it if it is time to.
    #[cold]
    fn without_code(
        &mut self,
        (target, shape): (usize, u8),
        leaves: &[u8],
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
    ) {
        let units = &mut self.units[target];
        if units.len() <= usize::from(shape) {
            units.resize_with(usize::from(shape) + 1, || None);
        }
        let unit = units[usize::from(shape)].get_or_insert_with(|| Unit::new(codec, shape));
        unit.asked = unit.asked.saturating_add(1);
        if let State::Cold = unit.state {
            unit.see(leaves, codec, &mut self.frame);
            if unit.asked >= WARM {
                self.make(target, shape, m, w, codec);
            }
        }
    }

    /// Code gave a state back.
    #[cold]
    fn give_back(
        &mut self,
        (target, shape): (usize, u8),
        why: Back,
        leaves: &[u8],
        codec: &Codec,
    ) -> Asked {
        let Some(Some(unit)) = self.units[target].get_mut(usize::from(shape)) else {
            return Asked::Machine;
        };
        let State::Ready(compiled) = &mut unit.state else { return Asked::Machine };
        compiled.kept_all = false;
        if Some(target) == self.value {
            self.epoch += 1;
        }
        unit.deopts += 1;
        let reason = match why {
            Back::Leaves => Some(Reason::plain(
                "a leaf is a float, a string, a large integer or a variable met before",
            )),
            Back::Asked(Some(reason)) => Some(compiled.reasons[reason as usize].clone()),
            Back::Asked(None) => Some(Reason::plain("a value is out of range")),
            Back::New => None,
        };
        match reason.filter(|reason| !reason.new_value) {
            Some(reason) => unit.weigh(reason),
            None => unit.met_new(leaves, codec, &mut self.frame),
        }
        Asked::Machine
    }

    /// Makes native code for a shape.
    #[cold]
    fn make_native(&mut self, target: usize, shape: u8) {
        let sum = self.value.filter(|&value| value != target).and_then(|value| {
            match &self.units[value].get(usize::from(shape))?.as_ref()?.state {
                State::Ready(compiled) if !compiled.any_unbound && compiled.kept_all => {
                    compiled.code.code().sum.clone()
                }
                _ => None,
            }
        });
        let epoch = self.epoch;
        if let Some(Some(Unit { state: State::Ready(compiled), .. })) =
            self.units[target].get_mut(usize::from(shape))
        {
            compiled.code.make_native(sum, epoch);
        }
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

    /// Makes code for a shape, as far as the budget goes.
    #[cold]
    fn make(
        &mut self,
        target: usize,
        shape: u8,
        m: &mut Machine,
        w: &mut World,
        codec: &mut Codec,
    ) {
        let worked = m.inferences().saturating_sub(self.inferences);
        let budget = (FREE_STEPS + worked / STEP).saturating_sub(self.steps).min(MOST_STEPS);
        let Some(unit) = &mut self.units[target][usize::from(shape)] else { return };
        // Not yet affordable: later, when more work was done.
        if budget < 1000 || !unit.asked.is_power_of_two() {
            return;
        }
        let made = self.residual_of(target, shape, (m, w, codec), budget);
        self.steps += made.steps;
        let unit = self.units[target][usize::from(shape)].as_mut().expect("it was there");
        unit.tries += 1;
        unit.state = if made.out_of_steps && unit.tries < MOST_TRIES {
            State::Cold
        } else {
            unit.compiled(made, codec, m, (shape, self.layout))
        };
    }

    /// The residual program of a predicate on a shape that was asked about.
    pub(super) fn residual_of(
        &mut self,
        target: usize,
        shape: u8,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        most_steps: u64,
    ) -> Made {
        let ops = self.ops.get_or_insert_with(|| Ops::new(&mut m.symbols));
        let unit = self.units[target][usize::from(shape)].as_ref().expect("it was asked about");
        let (kinds, domains) = (unit.kinds(), unit.domains());
        let (kinds, domains) = (&kinds[..], &domains[..]);
        let question = Question { target: &self.targets[target], shape, kinds, domains };
        residual(m, w, codec, ops, &question, most_steps)
    }
}

#[inline]
fn stamp(m: &Machine) -> (u64, usize) {
    (m.program.generation, m.program.clauses.len())
}

/// A residual program with what its making took.
pub struct Made {
    /// The program.
    pub residual: Residual,
    /// Where it begins.
    pub root: NodeId,
    /// Steps of the symbolic run.
    pub steps: u64,
    /// There were not enough of them.
    pub out_of_steps: bool,
    /// Leaves that may be unbound.
    pub unbound: Vec<bool>,
}

/// What a symbolic run is about.
pub struct Question<'q> {
    /// The predicate.
    pub target: &'q Target,
    /// The shape of the state.
    pub shape: u8,
    /// What its leaves may be.
    pub kinds: &'q [u8],
    /// Values they were seen to have.
    pub domains: &'q [Vec<Word>],
}

/// Steps after which a run begins again with joins.
const FIRST_STEPS: u64 = 5_000;

/// Runs a contract predicate symbolically on a shape.
pub fn residual(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    ops: &Ops,
    question: &Question<'_>,
    most_steps: u64,
) -> Made {
    let first = most_steps.min(FIRST_STEPS);
    let made = symbolic_run(m, w, codec, ops, question, (first, false));
    if !made.out_of_steps || made.steps >= most_steps {
        return made;
    }
    let left = most_steps - made.steps;
    let second = symbolic_run(m, w, codec, ops, question, (left, true));
    Made { steps: made.steps + second.steps, ..second }
}

fn symbolic_run(
    m: &mut Machine,
    w: &mut World,
    codec: &mut Codec,
    ops: &Ops,
    question: &Question<'_>,
    (most_steps, joins): (u64, bool),
) -> Made {
    let &Question { target, shape, kinds, domains } = question;
    let name = m.program.preds[target.pred as usize].name;
    let mut run = Run::new(m, w, Words(codec), ops, domains, kinds, most_steps);
    run.joins = joins;
    let state =
        run.words.0.skeleton(shape, &mut run.heap, |heap, i| terms::leaf_cell(heap, i as u16));
    let (mut mv, mut cost, mut to) = (Cell::NIL, None, None);
    let mut args = Vec::new();
    let mut value = None;
    for arg in &target.args {
        let cell = match arg {
            Arg::Fixed(record) => record.instantiate(&mut run.heap),
            Arg::State => state,
            _ => run.heap.new_var(),
        };
        match arg {
            Arg::Name => mv = cell,
            Arg::Cost => cost = Some(cell),
            Arg::To => to = Some(cell),
            Arg::Value => value = Some(cell),
            Arg::Fixed(_) | Arg::State => {}
        }
        args.push(cell);
    }
    let context = match (to, value) {
        (Some(to), _) => Context::Moves(mv, cost, to),
        (None, Some(value)) => Context::Value(value),
        (None, None) => Context::Test,
    };
    let goal = run.heap.new_struct(name, &args);
    let site = Site { clause: None, space: Space::User, cut: 0 };
    let root = run.answers(context, goal, site, 0);
    let steps = run.steps;
    let unbound = kinds.iter().map(|kinds| kinds & kind::VAR != 0).collect();
    Made { residual: run.residual, root, steps, out_of_steps: steps > most_steps, unbound }
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
        self.see(leaves, codec, frame);
        self.news += 1;
        if self.tries >= MOST_TRIES {
            self.weigh(Reason::plain("leaves have too many values"));
        } else if self.news >= 4 << (2 * self.tries) {
            self.state = State::Cold;
            self.asked = WARM - 1;
            self.news = 0;
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

    fn kinds(&self) -> Vec<u8> {
        let unbound = |seen: &Vec<Word>| {
            if seen.contains(&Word::VAR) { kind::ANY } else { kind::INT | kind::CONST }
        };
        self.seen.iter().map(unbound).collect()
    }

    /// Leaves whose values all had words of one byte.
    pub(super) fn narrow(&self) -> Vec<bool> {
        let narrow = |seen: &Vec<Word>| seen.iter().all(|word| word.byte().is_some());
        self.seen.iter().map(narrow).collect()
    }

    /// Whether a sum tells of all values that leaves had.
    fn knows_all(&self, sum: &Sum) -> bool {
        let mut leaves = self.seen.iter().zip(&sum.tables);
        leaves.all(|(seen, table)| {
            let knows = |byte| table[usize::from(byte)] != Sum::UNKNOWN;
            seen.len() < MOST_VALUES && seen.iter().all(|word| word.byte().is_none_or(knows))
        })
    }

    /// The values that leaves may be asked for one by one.
    fn domains(&self) -> Vec<Vec<Word>> {
        // Small numbers that one leaf is, others may be too.
        let ints = self.seen.iter().flatten().filter(|word| word.is_int());
        let (low, high) = ints.fold((0, 0), |(low, high), word| {
            (word.int_value().min(low), word.int_value().max(high))
        });
        let common = if high - low <= COMMON { low..=high } else { 0..=0 };
        self.seen.iter().map(|seen| domain(seen, common.clone())).collect()
    }

    fn compiled(
        &self,
        made: Made,
        codec: &mut Codec,
        m: &Machine,
        (shape, layout): (u8, Layout),
    ) -> State {
        use super::residual::Node;
        if let Node::Deopt(reason) = made.residual.node(made.root) {
            return State::Machine(made.residual.reasons[*reason as usize].clone());
        }
        let Some(mut code) = compile(&made.residual, made.root, shape, &self.narrow()) else {
            return State::Machine(Reason::plain("the code would become too large"));
        };
        code.rank(codec, m);
        if code.moves.iter().any(|mv| mv.to.leaves.contains(&Hole::Word(Word::VAR))) {
            codec.expect_variables();
        }
        if code.sum.as_ref().is_some_and(|sum| !self.knows_all(sum)) {
            code.sum = None;
        }
        let labels = Label::all(&code);
        let code = Backend::new(code, layout);
        let any_unbound = made.unbound.contains(&true);
        let (reasons, unbound) = (made.residual.reasons, made.unbound);
        State::Ready(Box::new(Compiled {
            code,
            reasons,
            unbound,
            any_unbound,
            labels,
            kept_all: true,
        }))
    }
}

/// The values seen, the integers among them with those between, from 0 up, and common ones.
fn domain(seen: &[Word], common: std::ops::RangeInclusive<i64>) -> Vec<Word> {
    let mut all: Vec<Word> = seen.iter().copied().filter(|&word| word != Word::VAR).collect();
    let ints = || seen.iter().filter(|word| word.is_int()).map(|word| word.int_value());
    if let (Some(low), Some(high)) = (ints().min(), ints().max()) {
        let low = low.min(0).max(high - 64);
        for value in (low..=high).chain(common) {
            if let Some(word) = Word::int(value)
                && !all.contains(&word)
            {
                all.push(word);
            }
        }
    }
    all.sort_unstable();
    all
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

impl Code {
    /// Ranks the constants known so far, if code asks for their order.
    fn rank(&mut self, codec: &Codec, m: &Machine) {
        use super::code::End;
        use crate::term::{Heap, compare};
        if !self.blocks.iter().any(|block| matches!(block.end, End::Before(..))) {
            return;
        }
        let heap = Heap::new();
        let constants = codec.constants();
        let mut codes: Vec<usize> =
            (0..constants.len()).filter(|&i| constants[i].is_atom()).collect();
        codes.sort_by(|&a, &b| compare(&heap, &m.symbols, constants[a], constants[b]));
        self.ranks = vec![0; constants.len()];
        for (rank, code) in codes.into_iter().enumerate() {
            self.ranks[code] = rank as u32;
        }
    }
}
