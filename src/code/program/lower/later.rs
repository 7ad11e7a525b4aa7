//! Moves that go on with a call: each stands for the answers of a callee.

use super::{Later, Lowering, Lowers};
use crate::code::{Call, Callee, Holes, Leaf};
use crate::merging::{self, Argument, in_heap};
use crate::target::Arg;
use zug_symbolic::{Shape, Term, limits};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

impl Lowering<'_, '_> {
    /// The input of a call that an answer was left with.
    pub(super) fn input_of(&mut self, call: &merging::Call) -> Term {
        let inputs: Vec<Term> = call.inputs().collect();
        match inputs[..] {
            [only] => only,
            _ => self.store.structure(Cell::functor(atoms::CALL, inputs.len()), inputs),
        }
    }

    /// The call of a move, in whose name outputs stand in these places.
    pub(super) fn call_of(&mut self, later: &Later, name: &[(Leaf, Term)]) -> Lowers<Call> {
        let outputs: Vec<Term> = later.call.outputs().collect();
        if later.call.arguments.len() > limits::FEW_ALTERNATIVES {
            return Err("a call has too many arguments".to_owned());
        }
        let (mut to, mut state) = (None, later.to);
        if !matches!(self.store.shape(later.to), Shape::Opaque(_)) {
            if self.words.0.represents() {
                return Err("a state that a call leads to is represented".to_owned());
            }
            let template = self.template(later.to)?;
            let found = std::mem::take(&mut self.opaque);
            state = found.first().map_or(outputs[outputs.len() - 1], |&(_, output)| output);
            to = Some((template, holes(&found, &outputs)?));
        }
        let callee = self.callee(&later.call, state)?;
        let state = outputs.iter().position(|&output| output == state).unwrap_or_default() as u8;
        let (name, count) = (holes(name, &outputs)?, outputs.len() as u8);
        Ok(Call { callee, target: usize::MAX, outputs: count, state, name, to })
    }

    /// What a call is made of, where one of the outputs is the state that the callee leads to.
    fn callee(&mut self, call: &merging::Call, state: Term) -> Lowers<Callee> {
        let is_only = call.inputs().count() == 1;
        let (mut args, mut part) = (Vec::with_capacity(call.arguments.len()), 0);
        for argument in &call.arguments {
            args.push(match *argument {
                Argument::Fixed(term) => {
                    let cell = in_heap(self.store, self.heap, term);
                    Arg::Fixed(Record::new(self.heap, cell))
                }
                Argument::Input(_) if is_only => Arg::State,
                Argument::Input(_) => {
                    part += 1;
                    Arg::Part(part - 1)
                }
                Argument::Output(term) if term == state => Arg::To,
                Argument::Output(_) => Arg::Output,
            });
        }
        if !args.contains(&Arg::To) {
            return Err("a call leads to no state".to_owned());
        }
        Ok(Callee { pred: call.pred, name: call.name, args })
    }
}

/// The places of outputs, with the numbers of these.
fn holes(found: &[(Leaf, Term)], outputs: &[Term]) -> Lowers<Holes> {
    let number = |&(leaf, term): &(Leaf, Term)| {
        let output = outputs.iter().position(|&output| output == term);
        Some((leaf, output? as u8))
    };
    let all: Option<Holes> = found.iter().map(number).collect();
    Ok(all.ok_or("an output of another call")?)
}
