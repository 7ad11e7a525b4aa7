//! Arithmetic in place: expressions become instructions over registers.

use super::emit::{Emit, Emitter, SCRATCH};
use crate::arithmetic::{Op1, Op2};
use crate::instr::{Instr, Slot};
use zug_term::Cell;

/// Nesting of expressions beyond which they are built and evaluated as terms.
const MAX_DEPTH: usize = 64;

impl Emitter<'_> {
    pub(super) fn is(&mut self, result: Cell, expression: Cell) -> Emit {
        let result = self.image.deref(result);
        let fresh = result.is_var() && {
            let var = self.var(result);
            let mut inside = false;
            self.image
                .for_each_variable(expression, |addr| inside |= self.analysis.number(addr) == var);
            !self.homes[var as usize].made && !inside && !self.is_void(var)
        };
        if fresh {
            let var = self.var(result);
            // Computed before the variable takes a register: operands may end here.
            let d = self.register_for(var)?;
            self.evaluate_into(d, expression)?;
            self.made_in_x(var, d);
            self.settle(var);
            return Ok(());
        }
        let d = self.temp(SCRATCH)?;
        self.evaluate_into(d, expression)?;
        self.unify_register(result, d)
    }

    /// `X[d]` := the value of an expression.
    fn evaluate_into(&mut self, d: u16, expression: Cell) -> Emit {
        let expression = self.image.deref(expression);
        if self.operation(Some(d), expression, 0)?.is_some() {
            return Ok(());
        }
        if expression.is_int() || self.is_number(expression) {
            return self.put(d, expression);
        }
        let a = self.term_slot(expression)?;
        self.emit(Instr::Eval { d, a });
        Ok(())
    }

    fn is_number(&self, cell: Cell) -> bool {
        use zug_term::HeaderKind;
        cell.is_boxed() && self.image.at(cell.addr()).header_kind() != HeaderKind::String
    }

    /// A slot for an operand: a number, a variable, or the result of an operation.
    pub(super) fn operand(&mut self, expression: Cell) -> Emit<Slot> {
        self.nested_operand(expression, 0)
    }

    fn nested_operand(&mut self, expression: Cell, depth: usize) -> Emit<Slot> {
        let expression = self.image.deref(expression);
        match self.operation(None, expression, depth)? {
            Some(d) => Ok(Slot::x(d)),
            None => self.term_slot(expression),
        }
    }

    /// An operation with an instruction: its result register.
    fn operation(&mut self, d: Option<u16>, expression: Cell, depth: usize) -> Emit<Option<u16>> {
        if depth > MAX_DEPTH || !expression.is_struct() {
            return Ok(None);
        }
        let (name, arity, args) = self.image.functor(expression).expect("a compound");
        let instr: Box<dyn Fn(u16, Slot, Slot) -> Instr> = match arity {
            1 => match Op1::from_functor(name) {
                Some(op) => Box::new(move |d, a, _| Instr::Arith1 { op, d, a }),
                None => return Ok(None),
            },
            2 => match Op2::from_functor(name) {
                Some(Op2::Add) => Box::new(|d, a, b| Instr::Add { d, a, b }),
                Some(Op2::Subtract) => Box::new(|d, a, b| Instr::Subtract { d, a, b }),
                Some(op) => Box::new(move |d, a, b| Instr::Arith2 { op, d, a, b }),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let a = self.nested_operand(self.image.at(args), depth + 1)?;
        let b = match arity {
            2 => self.nested_operand(self.image.at(args + 1), depth + 1)?,
            _ => a,
        };
        let d = match d {
            Some(d) => d,
            None => self.temp(SCRATCH)?,
        };
        self.emit(instr(d, a, b));
        Ok(Some(d))
    }
}
