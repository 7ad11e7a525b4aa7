//! Steps of the loop: built-ins, tests, comparison, arithmetic.

use super::instr::{Relation, TypeTest};
use super::{Fault, Host, Machine, Outcome, arithmetic};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// Bytes of new atoms after which the next call looks at limits.
const ATOMS_STEP: usize = 1 << 24;
/// Cells that a built-in may push without being looked at for it.
const FILLED: usize = 1 << 10;
/// Most arguments of a built-in.
const BUILTIN_ARGS: usize = 8;

impl Machine {
    /// A copy of a literal on the heap.
    pub(super) fn put_literal(&mut self, literal: u32) -> Cell {
        let record = &self.program.literals[literal as usize];
        self.heap.instantiate(&record.cells, record.root)
    }

    /// Runs a built-in on `X[base]`…, for the instruction at an address.
    #[inline]
    pub(super) fn call_builtin<H: Host>(
        &mut self,
        host: &mut H,
        id: u16,
        base: u16,
        at: u32,
    ) -> Outcome {
        let outcome = self.begin_builtin(host, id, base)?;
        match self.undecided.take() {
            None => Ok(outcome),
            Some((a, b)) => {
                let goal = self.heap.new_struct(atoms::UNIFY, &[a, b]);
                Ok(!self.holds_at(host, at, goal)?)
            }
        }
    }

    /// As [`Machine::call_builtin`]; where its answer depends on what wakes up, that is left in `undecided`.
    #[inline]
    pub(super) fn begin_builtin<H: Host>(&mut self, host: &mut H, id: u16, base: u16) -> Outcome {
        let arity = host.arity(id);
        let mut args = [Cell::ZERO; BUILTIN_ARGS];
        for (i, arg) in args[..arity].iter_mut().enumerate() {
            *arg = self.heap.deref(self.x[base as usize + i]);
        }
        let before = self.heap.top();
        self.running = Some(id);
        let outcome = host.builtin(self, id, &args[..arity]);
        self.running = None;
        // What fills much of the heap took its time; backtracking may empty it again.
        let filled = self.heap.top().saturating_sub(before);
        self.built += 1 + filled as u64;
        if filled > FILLED {
            self.worked(filled);
        }
        let outcome = match std::mem::take(&mut self.short_of_room) && outcome.is_ok() {
            true => Err(self.resource_error("memory")),
            false => outcome,
        };
        if outcome.is_err() {
            self.fault_in = Some((host.builtin_name(id), arity));
        } else if self.symbols.bytes() > self.atoms_seen + ATOMS_STEP {
            self.atoms_seen = self.symbols.bytes();
            self.poll_soon();
        }
        outcome
    }

    pub(super) fn type_test(&self, test: TypeTest, cell: Cell) -> bool {
        match test {
            TypeTest::Var => cell.is_var(),
            TypeTest::Nonvar => !cell.is_var(),
            TypeTest::Atom => cell.is_atom(),
            TypeTest::Compound => cell.is_compound(),
            TypeTest::Callable => cell.is_atom() || cell.is_compound(),
            TypeTest::Atomic => !cell.is_var() && !cell.is_compound(),
            TypeTest::Integer => cell.is_int() || matches!(self.heap.value(cell), Value::Big(_)),
            TypeTest::Float => cell.is_boxed() && matches!(self.heap.value(cell), Value::Float(_)),
            TypeTest::Number => {
                cell.is_int() || cell.is_boxed() && !matches!(self.heap.value(cell), Value::Str(_))
            }
            TypeTest::String => cell.is_boxed() && matches!(self.heap.value(cell), Value::Str(_)),
            TypeTest::IsList => self.is_list(cell),
            TypeTest::Ground => zug_term::is_ground(&self.heap, cell),
        }
    }

    /// Whether a term is a proper list.
    pub fn is_list(&self, cell: Cell) -> bool {
        self.heap.is_list(cell)
    }

    /// Compares two expressions that are not both small integers.
    #[cold]
    pub(super) fn compare_slow(
        &mut self,
        relation: Relation,
        a: Cell,
        b: Cell,
    ) -> Result<bool, Fault> {
        let name = match relation {
            Relation::Equal => atoms::NUM_EQ,
            Relation::NotEqual => atoms::NUM_NE,
            Relation::Less => atoms::NUM_LT,
            Relation::LessEqual => atoms::NUM_LE,
            Relation::Greater => atoms::NUM_GT,
            Relation::GreaterEqual => atoms::NUM_GE,
        };
        let values = self.eval(a).and_then(|a| Ok((a, self.eval(b)?)));
        let (a, b) = values.inspect_err(|_| self.fault_in = Some((name, 2)))?;
        Ok(match self.compare_numbers(a, b) {
            Some(order) => relation.holds(order),
            None => relation == Relation::NotEqual,
        })
    }

    #[inline(always)]
    pub(super) fn compare_terms(&self, relation: Relation, a: Cell, b: Cell) -> bool {
        match relation {
            Relation::Equal => a == b || self.same_deep(a, b),
            Relation::NotEqual => a != b && !self.same_deep(a, b),
            _ => relation.holds(zug_term::compare(&self.heap, &self.symbols, a, b)),
        }
    }

    #[inline(always)]
    fn same_deep(&self, a: Cell, b: Cell) -> bool {
        // Atoms, small integers and variables are equal only as words.
        a.tag() == b.tag()
            && (a.is_compound() || a.is_boxed())
            && zug_term::structural_eq(&self.heap, a, b)
    }

    /// The value of an expression that is not a small integer.
    #[cold]
    pub(super) fn arith(&mut self, a: Cell) -> Result<Cell, Fault> {
        self.within_is(|m| m.eval(a))
    }

    #[inline]
    pub(super) fn arith1(&mut self, op: arithmetic::Op1, a: Cell) -> Result<Cell, Fault> {
        self.within_is(|m| {
            let a = if a.is_int() { a } else { m.eval(a)? };
            m.apply1(op, a)
        })
    }

    #[inline]
    pub(super) fn arith2(&mut self, op: arithmetic::Op2, a: Cell, b: Cell) -> Result<Cell, Fault> {
        self.within_is(|m| {
            let a = if a.is_int() { a } else { m.eval(a)? };
            let b = if b.is_int() { b } else { m.eval(b)? };
            m.apply2(op, a, b)
        })
    }

    /// Evaluates; what goes wrong did in `is/2`.
    #[inline]
    fn within_is(
        &mut self,
        evaluate: impl FnOnce(&mut Machine) -> Result<Cell, Fault>,
    ) -> Result<Cell, Fault> {
        let value = evaluate(self);
        if value.is_err() {
            self.fault_in = Some((atoms::IS, 2));
        }
        value
    }
}
