//! Answers that go on with a call: what a move leads to is the input of another predicate, and each of
//! its answers is a move.
//!
//! [Residual calls](super::merging::Residual) are made here, between the programs: the callee has a program
//! of its own for the shape of its input. If there is none, or it deoptimises, the machine answers the whole query.

use super::called::{BEFORE, Found, LAYOUT, Rules, Spare, Unanswered};
use super::code::{Call, Callee, Layout, Move};
use super::deopt::{DeoptCause, run_on};
use super::frame::Reply;
use super::moves::{HEAD, Label, Source, Visit};
use super::program::lower::Lowered;
use super::reason::Reason;
use super::tally::Lost;
use super::target::{CALLED, Target};
use super::units::unit::{At, State, Unit};
use super::units::{Asked, Units};
use zug_state::Codec;
use zug_symbolic::limits;

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
        if self.targets.len() >= limits::ANSWERS {
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
            return Err(Unanswered::Deopt);
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
                None => Err(Unanswered::Deopt),
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
            return Err(Unanswered::Deopt);
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
                    done = Err(Unanswered::Deopt);
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
        if depth > limits::NESTED_CALLS || target >= self.targets.len() {
            return Err(Unanswered::Callee(None));
        }
        let Some(shape) = Codec::shape_of(input) else { return Err(Unanswered::Deopt) };
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
                self.deoptimise(at, why, leaves, rules.codec);
                return Err(Unanswered::Callee(Some(at)));
            }
        };
        let narrow = is_narrow.then_some(leaves);
        if rules.codec.has_variables() && !compiled.allows(narrow, &self.frame) {
            self.deoptimise(at, DeoptCause::New, leaves, rules.codec);
            return Err(Unanswered::Callee(Some(at)));
        }
        if let Reply::Deopt(reason) = reply {
            self.deoptimise(at, DeoptCause::Asked(reason), leaves, rules.codec);
            return Err(Unanswered::Callee(Some(at)));
        }
        let mut visit = |found: &mut Visit<'_>| out.take(found, BEFORE);
        stacker::maybe_grow(limits::STACK_LEFT, limits::STACK_MORE, || {
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
        match (&self.state, &self.last_deopt) {
            (State::Ready(_), Some(reason)) => Lost::Reason(reason),
            (State::Ready(_), None) => Lost::News,
            _ => self.why(),
        }
    }
}
