//! The world as the machine's host: built-ins by number, compiling, undefined predicates.

use super::impurity::impurity_of_call;
use super::{Builtin, Entry, World, flags};
use zug_machine::compile;
use zug_machine::instr::Instr;
use zug_machine::{ClauseId, Fault, Host, Impurity, Kind, Machine, Outcome, PredId, Space, fixed};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// A built-in with its number's particulars.
#[derive(Clone, Copy)]
pub struct Registered {
    name: Atom,
    arity: usize,
    run: Builtin,
    /// What is in its place in a sandbox.
    refused: Option<Builtin>,
    /// What a call of it shows that answers depend on.
    impurity: Option<Impurity>,
}

impl Host for World {
    #[inline]
    fn builtin(&mut self, m: &mut Machine, id: u16, args: &[Cell]) -> Outcome {
        let Registered { run, impurity, .. } = self.table[id as usize];
        if let Some(impurity) = impurity {
            m.impurity.called.add(impurity);
        }
        run(m, self, args)
    }

    #[inline]
    fn arity(&self, id: u16) -> usize {
        self.table[id as usize].arity
    }

    fn builtin_name(&self, id: u16) -> Atom {
        self.table[id as usize].name
    }

    fn compile(&mut self, m: &mut Machine, clause: ClauseId) -> Result<(), Fault> {
        compile::compile_clause(m, clause)
    }

    fn undefined(&mut self, m: &mut Machine, pred: PredId) -> Outcome {
        let (name, arity) = {
            let pred = &m.program.preds[pred as usize];
            (pred.name, pred.arity)
        };
        let declared = |space| {
            let known = m.program.lookup(name, arity, space);
            known.is_some_and(|id| m.program.preds[id as usize].discontiguous)
        };
        let space = m.program.preds[pred as usize].space;
        if declared(space)
            || matches!(space, Space::Module(_)) && declared(Space::User)
            || self.flags.unknown == flags::Unknown::Fail
        {
            return Ok(false);
        }
        let mut indicator =
            m.heap.new_struct(atoms::SLASH, &[Cell::atom(name), Cell::small(arity as i64)]);
        if let Some(module) = m.program.modules.get(space).filter(|module| !module.is_unit) {
            let module = Cell::atom(module.name);
            indicator = m.heap.new_struct(atoms::COLON, &[module, indicator]);
        }
        Err(m.existence_error("procedure", indicator))
    }

    fn wake(&mut self, m: &mut Machine, native: u16, bound: &[(Cell, Cell)]) -> Outcome {
        match self.native(native) {
            Some(native) => (native.unify)(m, self, bound),
            None => Ok(true),
        }
    }

    fn residual(
        &mut self,
        m: &mut Machine,
        native: u16,
        variables: &[Cell],
    ) -> Result<Vec<Cell>, Fault> {
        match self.native(native) {
            Some(native) => (native.goals)(m, self, variables),
            None => Ok(Vec::new()),
        }
    }

    fn run(&mut self, m: &mut Machine, start: u32) -> Outcome {
        m.run_from(self, start)
    }
}

impl World {
    /// Names and arities of the built-ins.
    pub fn builtins(&self) -> impl Iterator<Item = (Atom, usize)> {
        self.table.iter().map(|known| (known.name, known.arity))
    }

    /// Puts the functions that refuse in the place of those that a sandbox has none of.
    pub(super) fn refuse_outside(&mut self) {
        for known in &mut self.table {
            if let Some(refused) = known.refused {
                known.run = refused;
            }
        }
    }

    /// Makes a group of Rust functions predicates of the system space.
    /// `reentrant`: they run goals of their own.
    pub fn register(&mut self, m: &mut Machine, group: &[Entry], reentrant: bool) {
        for &Entry { name: text, arity, run, effect, refused, sited } in group {
            let name = m.symbols.intern(text);
            let id = u16::try_from(self.table.len()).expect("fewer than 2^16 built-ins");
            let impurity = impurity_of_call(text);
            self.table.push(Registered { name, arity, run, refused, impurity });
            let pred = m.program.pred(name, arity, Space::System);
            m.program.define(pred, Kind::Builtin, Instr::BuiltinEntry { id });
            m.program.note_builtin(text, arity, id);
            let predicate = &mut m.program.preds[pred as usize];
            (predicate.reentrant, predicate.effect) = (reentrant, effect);
            predicate.sited = sited;
        }
    }
}

/// Predicates that are instructions.
const INSTRUCTIONS: &[(&str, usize, Instr)] = &[
    ("catch", 3, Instr::Jump { to: fixed::CATCH }),
    ("throw", 1, Instr::Throw),
    ("between", 3, Instr::Between),
    ("$walk", 4, Instr::Walk),
    ("$traced_original", 1, Instr::Original),
    ("$table_body", 1, Instr::TableBody),
    ("$", 1, Instr::DetCall),
    ("$table_run", 3, Instr::Jump { to: fixed::TABLE_RUN }),
    ("$table_consume", 2, Instr::TableConsume),
    ("$table_exhausted", 1, Instr::TableExhausted),
    ("reset", 3, Instr::Jump { to: fixed::RESET }),
    ("shift", 1, Instr::Shift),
    ("shift_for_copy", 1, Instr::Shift),
    ("call_continuation", 1, Instr::CallContinuation),
    ("$call_body", 2, Instr::MetaBody),
    ("call", 1, Instr::MetaCall { n: 1 }),
    ("call", 2, Instr::MetaCall { n: 2 }),
    ("call", 3, Instr::MetaCall { n: 3 }),
    ("call", 4, Instr::MetaCall { n: 4 }),
    ("call", 5, Instr::MetaCall { n: 5 }),
    ("call", 6, Instr::MetaCall { n: 6 }),
    ("call", 7, Instr::MetaCall { n: 7 }),
    ("call", 8, Instr::MetaCall { n: 8 }),
    ("call", 9, Instr::MetaCall { n: 9 }),
    ("call", 10, Instr::MetaCall { n: 10 }),
    ("call", 11, Instr::MetaCall { n: 11 }),
    ("call", 12, Instr::MetaCall { n: 12 }),
    ("call", 13, Instr::MetaCall { n: 13 }),
    ("call", 14, Instr::MetaCall { n: 14 }),
    ("call", 15, Instr::MetaCall { n: 15 }),
    ("call", 16, Instr::MetaCall { n: 16 }),
];

/// Built-ins of the standard, which a program can't redefine.
pub const PROTECTED: &[(&str, usize)] = &[
    ("true", 0),
    ("fail", 0),
    ("!", 0),
    ("$", 0),
    ("$", 1),
    (",", 2),
    (";", 2),
    ("->", 2),
    ("*->", 2),
    ("|", 2),
    ("call", 1),
    ("call", 2),
    ("call", 3),
    ("call", 4),
    ("call", 5),
    ("call", 6),
    ("call", 7),
    ("call", 8),
    ("call", 9),
    ("call", 10),
    ("call", 11),
    ("call", 12),
    ("call", 13),
    ("call", 14),
    ("call", 15),
    ("call", 16),
    ("catch", 3),
    ("throw", 1),
    ("=", 2),
    ("\\=", 2),
    ("unify_with_occurs_check", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("number", 1),
    ("integer", 1),
    ("float", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("==", 2),
    ("\\==", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
    ("compare", 3),
    ("functor", 3),
    ("arg", 3),
    ("=..", 2),
    ("copy_term", 2),
    ("term_variables", 2),
    ("is", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("<", 2),
    (">", 2),
    ("=<", 2),
    (">=", 2),
    ("clause", 2),
    ("current_predicate", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("assert", 1),
    ("retract", 1),
    ("abolish", 1),
    ("findall", 3),
    ("bagof", 3),
    ("setof", 3),
    ("\\+", 1),
    ("once", 1),
    ("atom_length", 2),
    ("atom_concat", 3),
    ("sub_atom", 5),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_chars", 2),
    ("number_codes", 2),
    ("set_prolog_flag", 2),
    ("current_prolog_flag", 2),
    ("halt", 0),
    ("halt", 1),
    ("op", 3),
    ("current_op", 3),
    ("read", 1),
    ("read", 2),
    ("read_term", 2),
    ("read_term", 3),
    ("write", 1),
    ("write", 2),
    ("writeq", 1),
    ("writeq", 2),
    ("write_term", 2),
    ("write_term", 3),
    ("write_canonical", 1),
    ("write_canonical", 2),
    ("print", 1),
    ("nl", 0),
    ("nl", 1),
    ("get_char", 1),
    ("get_char", 2),
    ("peek_char", 1),
    ("peek_char", 2),
    ("put_char", 1),
    ("put_char", 2),
    ("get_code", 1),
    ("get_code", 2),
    ("peek_code", 1),
    ("peek_code", 2),
    ("get_byte", 1),
    ("get_byte", 2),
    ("peek_byte", 1),
    ("peek_byte", 2),
    ("put_byte", 1),
    ("put_byte", 2),
    ("open", 3),
    ("open", 4),
    ("close", 1),
    ("close", 2),
    ("current_input", 1),
    ("current_output", 1),
    ("set_input", 1),
    ("set_output", 1),
    ("flush_output", 0),
    ("flush_output", 1),
    ("stream_property", 2),
    ("at_end_of_stream", 0),
    ("at_end_of_stream", 1),
    ("number_vars", 3),
    ("keysort", 2),
    ("sort", 2),
    ("msort", 2),
    ("retractall", 1),
    ("ground", 1),
    ("subsumes_term", 2),
];

/// Registers instructions and marks what is protected. Called when the library
/// is loaded.
pub fn define_instructions(m: &mut Machine) {
    for &(name, arity, entry) in INSTRUCTIONS {
        let name = m.symbols.intern(name);
        let pred = m.program.pred(name, arity, Space::System);
        m.program.define(pred, Kind::Builtin, entry);
    }
}

/// Marks the standard's built-ins.
pub fn protect(m: &mut Machine) {
    for &(name, arity) in PROTECTED {
        let name = m.symbols.intern(name);
        let pred = m.program.pred(name, arity, Space::System);
        m.program.preds[pred as usize].protected = true;
    }
}
