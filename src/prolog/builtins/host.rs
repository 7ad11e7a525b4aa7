//! The world as the machine's host: built-ins by number, compiling, undefined predicates.

use super::impurity::impurity_of_call;
use super::{Builtin, Entry, OrFault, World, flags};
use std::sync::LazyLock;
use zug_machine::instr::Instr;
use zug_machine::{
    ClauseId, Host, Impurity, Kind, Machine, Outcome, PredId, Space, compile, fixed,
};
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

    fn compile(&mut self, m: &mut Machine, clause: ClauseId) -> OrFault<()> {
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

    fn residual(&mut self, m: &mut Machine, native: u16, variables: &[Cell]) -> OrFault<Vec<Cell>> {
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
        let all =
            group.iter().flat_map(|entry| (entry.arity..=entry.most).map(move |n| (entry, n)));
        for (&Entry { name: text, run, effect, refused, sited, .. }, arity) in all {
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
];

/// Built-ins of the standard, which a program can't redefine.
pub static PROTECTED: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
    const NAMES: &[(usize, &str)] = &[
        (0, "true fail ! $ halt nl flush_output at_end_of_stream"),
        (
            1,
            "$ throw var nonvar atom number integer float atomic compound callable \
            current_predicate asserta assertz assert retract abolish \\+ once halt read write \
            writeq write_canonical print nl get_char peek_char put_char get_code peek_code \
            get_byte peek_byte put_byte close current_input current_output set_input \
            set_output flush_output at_end_of_stream retractall ground",
        ),
        (
            2,
            ", ; -> *-> | = \\= unify_with_occurs_check == \\== @< @> @=< @>= =.. copy_term \
            term_variables is =:= =\\= < > =< >= clause atom_length atom_chars atom_codes \
            char_code number_chars number_codes set_prolog_flag current_prolog_flag read \
            read_term write writeq write_term write_canonical get_char peek_char put_char \
            get_code peek_code get_byte peek_byte put_byte close stream_property keysort sort \
            msort subsumes_term",
        ),
        (
            3,
            "catch compare functor arg findall bagof setof atom_concat op current_op read_term \
            write_term open number_vars",
        ),
        (4, "open"),
        (5, "sub_atom"),
    ];
    let of_arity =
        |&(arity, names): &(usize, &'static str)| names.split(' ').map(move |name| (name, arity));
    NAMES.iter().flat_map(of_arity).chain((1..=CALLED).map(|n| ("call", usize::from(n)))).collect()
});

/// The most arguments of `call/N`.
const CALLED: u16 = 16;

/// Registers instructions and marks what is protected. Called when the library
/// is loaded.
pub fn define_instructions(m: &mut Machine) {
    let calls = (1..=CALLED).map(|n| ("call", usize::from(n), Instr::MetaCall { n }));
    for (name, arity, entry) in INSTRUCTIONS.iter().copied().chain(calls) {
        let name = m.symbols.intern(name);
        let pred = m.program.pred(name, arity, Space::System);
        m.program.define(pred, Kind::Builtin, entry);
    }
}

/// Marks the standard's built-ins.
pub fn protect(m: &mut Machine) {
    for &(name, arity) in PROTECTED.iter() {
        let name = m.symbols.intern(name);
        let pred = m.program.pred(name, arity, Space::System);
        m.program.preds[pred as usize].protected = true;
    }
}
