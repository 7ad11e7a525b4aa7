//! What ends a goal other than success and failure: thrown balls, `halt`, interrupts.
//!
//! The constructors build the standard's error terms (ISO 13211-1, 7.12.2). The context argument stays unbound here;
//! the machine fills it in when it knows which predicate was running.

use super::Machine;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record};

/// Why a goal neither succeeded nor failed.
#[derive(Debug, Clone)]
pub enum Fault {
    /// An exception: the ball of `throw/1`, copied.
    Ball(Box<Record>),
    /// `halt/1` with its exit status.
    Halt(i32),
    /// The user or a limit asked to stop; not catchable by rules.
    Stopped(StopReason),
}

impl Fault {
    /// Whether a limit ended the goal: of time, inferences or output, or, as an exception
    /// that nothing caught, of memory or another resource.
    pub fn is_limit(&self) -> bool {
        match self {
            Fault::Ball(_) => self.resource().is_some(),
            Fault::Stopped(reason) => *reason != StopReason::Interrupted,
            Fault::Halt(_) => false,
        }
    }

    /// The resource that is used up, of an exception that says so: `memory`.
    pub fn resource(&self) -> Option<Atom> {
        let Fault::Ball(ball) = self else { return None };
        let (heap, root) = ball.to_heap();
        let [formal, _] = heap.match_struct::<2>(root, atoms::ERROR)?;
        let [resource] = heap.match_struct::<1>(formal, atoms::RESOURCE_ERROR)?;
        Some(heap.deref(resource).as_atom().unwrap_or(atoms::MEMORY))
    }
}

/// Which request or limit ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Ctrl-C or a cancel flag.
    Interrupted,
    /// The time limit.
    Time,
    /// The inference limit.
    Inferences,
    /// The limit of what rules may write.
    Output,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Interrupted => "interrupted",
            StopReason::Time => "the time is over",
            StopReason::Inferences => "the limit of inferences is reached",
            StopReason::Output => "the limit of output is reached",
        })
    }
}

/// Result of a built-in predicate: true, false, or a fault.
pub type Outcome = Result<bool, Fault>;

impl Machine {
    /// The ball `error(Formal, _)` for a formal term already on the heap.
    pub fn error(&mut self, formal: Cell) -> Fault {
        let context = self.heap.new_var();
        let ball = self.heap.new_struct(atoms::ERROR, &[formal, context]);
        self.ball(ball)
    }

    /// An exception with this ball, copied off the heap.
    pub fn ball(&mut self, ball: Cell) -> Fault {
        Fault::Ball(Box::new(Record::new(&mut self.heap, ball)))
    }

    fn error_of(&mut self, name: Atom, args: &[Cell]) -> Fault {
        let formal = self.heap.new_struct(name, args);
        self.error(formal)
    }

    /// `Name/Arity`.
    pub(super) fn indicator(&mut self, name: Atom, arity: usize) -> Cell {
        indicator(&mut self.heap, name, arity)
    }

    fn atom_cell(&mut self, text: &str) -> Cell {
        Cell::atom(self.symbols.intern(text))
    }

    /// `instantiation_error`.
    pub fn instantiation_error(&mut self) -> Fault {
        self.error(Cell::atom(atoms::INSTANTIATION_ERROR))
    }

    /// `uninstantiation_error(Culprit)`.
    pub fn uninstantiation_error(&mut self, culprit: Cell) -> Fault {
        self.error_of(atoms::UNINSTANTIATION_ERROR, &[culprit])
    }

    /// `type_error(Type, Culprit)`; an unbound culprit gives an instantiation error.
    pub fn type_error(&mut self, expected: &str, culprit: Cell) -> Fault {
        if self.heap.deref(culprit).is_var() && expected != "free_of_attvar" {
            return self.instantiation_error();
        }
        let expected = self.atom_cell(expected);
        self.error_of(atoms::TYPE_ERROR, &[expected, culprit])
    }

    /// `domain_error(Domain, Culprit)`.
    pub fn domain_error(&mut self, domain: &str, culprit: Cell) -> Fault {
        let domain = self.atom_cell(domain);
        self.error_of(atoms::DOMAIN_ERROR, &[domain, culprit])
    }

    /// `existence_error(Kind, What)`.
    pub fn existence_error(&mut self, kind: &str, what: Cell) -> Fault {
        let kind = self.atom_cell(kind);
        self.error_of(atoms::EXISTENCE_ERROR, &[kind, what])
    }

    /// `permission_error(Action, Type, Culprit)`.
    pub fn permission_error(&mut self, action: &str, kind: &str, culprit: Cell) -> Fault {
        let (action, kind) = (self.atom_cell(action), self.atom_cell(kind));
        self.error_of(atoms::PERMISSION_ERROR, &[action, kind, culprit])
    }

    /// `representation_error(Flag)`.
    pub fn representation_error(&mut self, flag: &str) -> Fault {
        let flag = self.atom_cell(flag);
        self.error_of(atoms::REPRESENTATION_ERROR, &[flag])
    }

    /// `evaluation_error(What)`: `zero_divisor`, `undefined`, `float_overflow`.
    pub fn evaluation_error(&mut self, what: &str) -> Fault {
        let what = self.atom_cell(what);
        self.error_of(atoms::EVALUATION_ERROR, &[what])
    }

    /// `resource_error(Resource)`.
    pub fn resource_error(&mut self, resource: &str) -> Fault {
        let resource = self.atom_cell(resource);
        self.error_of(atoms::RESOURCE_ERROR, &[resource])
    }

    /// `syntax_error(Message)`.
    pub fn syntax_error(&mut self, message: &str) -> Fault {
        let message = self.atom_cell(message);
        self.error_of(atoms::SYNTAX_ERROR, &[message])
    }
}

/// `Name/Arity`.
pub(super) fn indicator(heap: &mut Heap, name: Atom, arity: usize) -> Cell {
    heap.new_struct(atoms::SLASH, &[Cell::atom(name), Cell::small(arity as i64)])
}
