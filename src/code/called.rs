//! Inputs and answers of residual calls.

use super::code::{Call, Layout};
use super::filling::{Answer, Filling};
use super::frame::Frame;
use super::moves::Visit;
use super::units::unit::At;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::Codec;

/// Bytes before the leaves of an input: its shape.
pub(super) const BEFORE: usize = 1;
pub(super) const LAYOUT: Layout = Layout { before: BEFORE, words: 0 };

pub(super) struct Rules<'a> {
    pub m: &'a mut Machine,
    pub w: &'a mut World,
    pub codec: &'a mut Codec,
}

pub(super) enum Unanswered {
    Deopt,
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
    pub fn clear(&mut self) {
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
