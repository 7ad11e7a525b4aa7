//! Answers that go on with a call: what a move leads to is the input of another predicate, and each of
//! its answers is a move.
//!
//! [Residual calls](super::merging::Residual) are made here, between the programs: the callee has a program
//! of its own for the shape of its input. If there is none, or it gives the input back, the machine answers
//! the whole question.

use super::backend::{Backend, Narrow};
use super::code::{Call, Callee, Layout, Move};
use super::filling::{Answer, Filling};
use super::frame::{Frame, Reply};
use super::moves::{HEAD, Label, Source, Visit};
use super::program::lower::Lowered;
use super::reason::Reason;
use super::tally::Lost;
use super::target::{CALLED, Target};
use super::units::given_back::Back;
use super::units::{Asked, At, State, Unit, Units};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::Codec;

/// Calls nested deeper than this are for the machine.
pub(super) const DEEPEST: u32 = 64;
/// Different calls beyond which no more are made: of a predicate that counts, each would be another.
const MOST_CALLEES: usize = 4096;
/// Where the thread's stack has less than this left, more is taken.
const STACK_LEFT: usize = 128 << 10;
const STACK_MORE: usize = 1 << 20;
/// Bytes before the leaves of an input: its shape.
pub(super) const BEFORE: usize = 1;
pub(super) const LAYOUT: Layout = Layout { before: BEFORE, words: 0 };

pub(super) struct Rules<'a> {
    pub m: &'a mut Machine,
    pub w: &'a mut World,
    pub codec: &'a mut Codec,
}

pub(super) enum Unanswered {
    Back,
    /// A callee does not answer: which, and for which shape.
    Callee(Option<At>),
}

#[derive(Default)]
pub(super) struct Called {
    pub filling: Filling,
    #[expect(clippy::vec_box, reason = "rooms are large, and handed on")]
    spare: Vec<Box<Spare>>,
    pub numbers: Vec<u32>,
    /// Whose moves were picked from for a while.
    pub due: Vec<At>,
}

#[derive(Default)]
pub(super) struct Spare {
    pub frame: Frame,
    pub input: Vec<u8>,
    pub name: Vec<u8>,
    pub to: Vec<u8>,
    pub whole_name: Vec<u8>,
    pub whole_state: Vec<u8>,
    pub bytes: Vec<u8>,
    pub found: Found,
}

/// Answers of a callee: names and states as packed terms.
#[derive(Default)]
pub(super) struct Found {
    bytes: Vec<u8>,
    /// Where each name ends, and its state.
    ends: Vec<(usize, usize)>,
}

impl Found {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub fn take(&mut self, visit: &Visit<'_>, before: usize) -> bool {
        if !visit.put_name(&mut self.bytes) {
            return false;
        }
        let name = self.bytes.len();
        let fits = visit.put_state(before, &mut self.bytes);
        self.ends.push((name, self.bytes.len()));
        fits
    }

    pub fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|&(_, end)| end));
        let ends = starts.zip(&self.ends);
        ends.map(|(from, &(name, end))| (&self.bytes[from..name], &self.bytes[name..end]))
    }
}

impl Spare {
    /// Takes input, name and state of the call of an answer; false if a part does not fit.
    pub fn take_call(&mut self, visit: &Visit<'_>, call: &Call, before: usize) -> bool {
        [&mut self.input, &mut self.name, &mut self.to].into_iter().for_each(Vec::clear);
        let behind = call.to.as_ref();
        visit.put_name(&mut self.name)
            && visit.put_state(before, &mut self.input)
            && behind.is_none_or(|(to, _)| visit.put(to, &mut self.to))
    }

    /// Puts name and state together of an answer and one of its call.
    pub fn fill(
        &mut self,
        filling: &mut Filling,
        codec: &mut Codec,
        call: &Call,
        (name, state): (&[u8], &[u8]),
    ) -> Option<()> {
        let answer = Answer { name, state, outputs: call.outputs, which: call.state };
        self.whole_name.clear();
        self.whole_state.clear();
        filling.fill(codec, (&self.name, &call.name), answer, &mut self.whole_name)?;
        match &call.to {
            None => self.whole_state.extend_from_slice(state),
            Some((_, holes)) => {
                filling.fill(codec, (&self.to, holes), answer, &mut self.whole_state)?;
                // It is a state that no program was told of.
                codec.see_packed(&self.whole_state);
            }
        }
        Some(())
    }
}

impl Called {
    pub fn spare(&mut self) -> Box<Spare> {
        self.spare.pop().unwrap_or_default()
    }

    pub fn give(&mut self, spare: Box<Spare>) {
        self.spare.push(spare);
    }
}

impl Units {
    pub(super) fn layout_of(&self, target: usize) -> Layout {
        if self.targets[target].indicator == CALLED { LAYOUT } else { self.layout }
    }

    pub(super) fn link(&mut self, lowered: &mut Lowered) {
        let picked = lowered.picking.iter_mut().flat_map(|picking| &mut picking.bodies.moves);
        self.link_moves(lowered.code.moves.iter_mut().chain(picked));
    }

    /// Gives what moves go on with a number.
    pub(super) fn link_moves<'m>(&mut self, moves: impl Iterator<Item = &'m mut Move>) {
        for call in moves.filter_map(|mv| mv.call.as_deref_mut()) {
            call.target = self.callee(&call.callee);
        }
    }

    pub(super) fn callee(&mut self, callee: &Callee) -> usize {
        let is_it = |target: &Target| {
            target.indicator == CALLED && target.pred == callee.pred && target.args == callee.args
        };
        if let Some(known) = self.targets.iter().position(is_it) {
            return known;
        }
        if self.targets.len() >= MOST_CALLEES {
            return usize::MAX;
        }
        let Callee { pred, args, .. } = callee.clone();
        self.add(Target { pred, indicator: CALLED, args })
    }

    /// Calls `visit` with the answers that code has put down, those of calls in their place.
    pub(super) fn each_answer(
        &mut self,
        (at, leaves, before): (At, Option<&[u8]>, usize),
        rules: &mut Rules<'_>,
        depth: u32,
        visit: &mut dyn FnMut(&mut Visit<'_>) -> bool,
    ) -> Result<(), Unanswered> {
        let Some((compiled, _)) = self.units.ready(at) else {
            return Err(Unanswered::Back);
        };
        let (code, forms) = compiled.code.shared();
        let mut labels = std::mem::take(&mut compiled.labels);
        if labels.len() < code.moves.len() {
            // It is called from itself, and they are in use there.
            labels = Label::all(&code);
        }
        let mut spare = self.called.spare();
        std::mem::swap(&mut self.frame, &mut spare.frame);
        let frame = std::mem::take(&mut spare.frame);
        let source = Source {
            code: &code,
            forms: &forms,
            exit: &frame.exit[..frame.end],
            narrow: leaves,
            words: &frame.words,
        };
        let mut bytes = std::mem::take(&mut spare.bytes);
        let (mut read, mut done) = (HEAD, Ok(()));
        while read < source.exit.len() && done.is_ok() {
            let (mut found, next) = source.read(read, false, &mut labels, &mut bytes);
            read = next;
            done = match found.call() {
                None if visit(&mut found) => Ok(()),
                None => Err(Unanswered::Back),
                Some(call) => {
                    self.called_from(&found, (call, before), rules, depth, visit, &mut spare)
                }
            };
        }
        spare.bytes = bytes;
        spare.frame = frame;
        std::mem::swap(&mut self.frame, &mut spare.frame);
        self.called.give(spare);
        if let Some((compiled, _)) = self.units.ready(at) {
            compiled.labels = labels;
            if compiled.code.is_due() {
                self.look(at, rules.m);
            }
        }
        done
    }

    fn called_from(
        &mut self,
        found: &Visit<'_>,
        (call, before): (&Call, usize),
        rules: &mut Rules<'_>,
        depth: u32,
        visit: &mut dyn FnMut(&mut Visit<'_>) -> bool,
        spare: &mut Spare,
    ) -> Result<(), Unanswered> {
        if !spare.take_call(found, call, before) {
            return Err(Unanswered::Back);
        }
        let mut answers = std::mem::take(&mut spare.found);
        answers.clear();
        let mut done = self.answers_of(call.target, &spare.input, rules, depth + 1, &mut answers);
        if done.is_ok() {
            for answer in answers.all() {
                let filled = spare.fill(&mut self.called.filling, rules.codec, call, answer);
                let Spare { bytes, whole_name, whole_state, .. } = spare;
                let mut label = Label::default();
                let whole = (&whole_name[..], &whole_state[..]);
                if filled.is_none() || !visit(&mut found.whole(&mut label, bytes, whole)) {
                    done = Err(Unanswered::Back);
                    break;
                }
            }
        }
        spare.found = answers;
        done
    }

    fn answers_of(
        &mut self,
        target: usize,
        input: &[u8],
        rules: &mut Rules<'_>,
        depth: u32,
        out: &mut Found,
    ) -> Result<(), Unanswered> {
        if depth > DEEPEST || target >= self.targets.len() {
            return Err(Unanswered::Callee(None));
        }
        let Some(shape) = Codec::shape_of(input) else { return Err(Unanswered::Back) };
        let at = (target, shape);
        let leaves = &input[BEFORE..];
        let Some((compiled, runs)) = self.units.ready((target, shape)) else {
            self.without_code(at, leaves, (rules.m, rules.w, rules.codec));
            return Err(Unanswered::Callee(Some(at)));
        };
        *runs += 1;
        let code = &mut compiled.code;
        let ran = run_on(code, input, BEFORE, (&mut self.frame, &mut self.room), rules.codec);
        let (reply, is_narrow) = match ran {
            Ok(ran) => ran,
            Err(why) => {
                self.give_back(at, why, leaves, rules.codec);
                return Err(Unanswered::Callee(Some(at)));
            }
        };
        let narrow = is_narrow.then_some(leaves);
        if rules.codec.has_variables() && !compiled.allows(narrow, &self.frame) {
            self.give_back(at, Back::New, leaves, rules.codec);
            return Err(Unanswered::Callee(Some(at)));
        }
        if let Reply::Deopt(reason) = reply {
            self.give_back(at, Back::Asked(reason), leaves, rules.codec);
            return Err(Unanswered::Callee(Some(at)));
        }
        let mut visit = |found: &mut Visit<'_>| out.take(found, BEFORE);
        stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
            self.each_answer((at, narrow, BEFORE), rules, depth, &mut visit)
        })
    }

    #[cold]
    pub(super) fn not_called(&mut self, (target, shape): At, callee: Option<At>) -> Asked {
        let too_deep = Reason::plain("calls nest too deep");
        let unit = callee.and_then(|at| self.units.get(at));
        let why = unit.map_or(Lost::Reason(&too_deep), Unit::why_called);
        self.counts.lost(target, why);
        if let Lost::Reason(reason) = why {
            let reason = reason.clone();
            if let Some(unit) = self.units.get_mut((target, shape)) {
                unit.deopts += 1;
                unit.weigh(reason);
            }
        }
        self.cool();
        Asked::Machine
    }
}

impl Unit {
    fn why_called(&self) -> Lost<'_> {
        match (&self.state, &self.gave_back) {
            (State::Ready(_), Some(reason)) => Lost::Reason(reason),
            (State::Ready(_), None) => Lost::News,
            _ => self.why(),
        }
    }
}

/// Runs code on a state with leaves at `before`: its reply, and whether it is narrow.
pub(super) fn run_on(
    code: &mut Backend,
    state: &[u8],
    before: usize,
    (frame, room): (&mut Frame, &mut Vec<u8>),
    codec: &Codec,
) -> Result<(Reply, bool), Back> {
    let leaves = &state[before..];
    match code.load(leaves, frame, codec) {
        None => return Err(Back::of_leaves(code)),
        Some(false) => return Ok((code.run(None, frame), false)),
        Some(true) => {}
    }
    room.clear();
    room.extend_from_slice(state);
    room.resize(state.len().max(8 * code.words()), 0);
    Ok((code.run(Some(Narrow { room, leaves }), frame), true))
}
