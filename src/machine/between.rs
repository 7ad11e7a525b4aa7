//! `between/3`, whose choice point is of a kind of its own.

use super::choices::{Alt, Choice};
use super::host::Next;
use super::instr::TypeTest;
use super::{Fault, Machine, arithmetic};
use zug_term::Cell;
use zug_term::symbol::atoms;

impl Machine {
    /// `between(Low, High, X)`.
    pub(super) fn between(&mut self) -> Result<Next, Fault> {
        self.first_between().inspect_err(|_| {
            self.fault_in = Some((self.symbols.intern("between"), 3));
        })
    }

    fn first_between(&mut self) -> Result<Next, Fault> {
        let low = self.heap.deref(self.x[0]);
        let high = self.heap.deref(self.x[1]);
        let x = self.heap.deref(self.x[2]);
        if low.is_var() || high.is_var() {
            return Err(self.instantiation_error());
        }
        let unbounded = matches!(high.as_atom(), Some(atoms::INF | atoms::INFINITE));
        for (cell, is_given) in [(low, true), (high, !unbounded), (x, !x.is_var())] {
            if is_given && !self.type_test(TypeTest::Integer, cell) {
                return Err(self.type_error("integer", cell));
            }
        }
        let order = |a, b| zug_term::compare(&self.heap, &self.symbols, a, b);
        if !x.is_var() {
            let is_between = order(low, x).is_le() && (unbounded || order(x, high).is_le());
            return Ok(if is_between { Next::Go(self.cp) } else { Next::Fail });
        }
        if !unbounded {
            let order = order(low, high);
            if order.is_gt() {
                return Ok(Next::Fail);
            }
            if order.is_eq() {
                self.bind(x, low);
                return Ok(Next::Go(self.cp));
            }
        }
        self.x[0] = low;
        self.x[1] = high;
        self.x[2] = x;
        self.push_choice(Alt::Between, 3);
        self.bind(x, low);
        Ok(Next::Go(self.cp))
    }

    /// The next answer of `between/3`, its arguments reloaded into X. Errors: a limit ended a long addition.
    pub(super) fn next_between(&mut self, choice: &Choice) -> Result<(), Fault> {
        let (low, high, x) = (self.x[0], self.x[1], self.x[2]);
        let next = match low.as_int().and_then(|low| Cell::try_small(low + 1)) {
            Some(next) => next,
            None => {
                let one = Cell::small(1);
                self.apply2(arithmetic::Op2::Add, low, one)?
            }
        };
        if next.is_int() && next == high
            || !next.is_int() && zug_term::structural_eq(&self.heap, next, high)
        {
            self.pop_choice(choice);
        } else {
            self.choice_args[choice.args as usize] = next;
            // The number may be boxed: keep it when backtracking.
            let top = self.choices.len() - 1;
            self.choices[top].heap = self.heap.top();
            self.hb = self.heap.top();
        }
        self.bind(x, next);
        Ok(())
    }
}
