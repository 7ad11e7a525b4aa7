//! What is to be made of a predicate: functions for its entry, and for the places in its clauses.
//!
//! - [`entry`]: the selection of clauses.

mod entry;

use crate::clause::{ClauseId, PredId};
use crate::instr::{Access, FAIL, Instr, Register, Relation};
use crate::native::clause::{self, Again, Body, Choices, Clause};
use crate::native::emit::{Emit, signature};
use crate::native::natives::{Function, Part, Plan};
use crate::native::window::SLACK;
use crate::program::Program;
use crate::{database, rules, shallow};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_jit::Assembly;
use zug_jit::frontend::FunctionBuilder;
use zug_term::Cell;

const MOST_CLAUSES: usize = 64;
/// Instructions that its clauses may have together.
const MOST_CODE: usize = 4096;
/// Instructions that are written into its entry, beyond which clauses are functions of their own.
pub(super) const MOST_INLINE: usize = 128;

impl Plan {
    /// Looks at a predicate, and makes the stubs for it.
    pub fn of(program: &mut Program, pred: PredId) -> Option<Plan> {
        let predicate = &program.preds[pred as usize];
        let (arity, slot) = (predicate.arity, predicate.slot);
        let ids = predicate.clauses.clone();
        if ids.is_empty() || ids.len() > MOST_CLAUSES {
            return None;
        }
        let mut parts: Vec<Part> = ids.iter().map(|&id| Part::of(program, id, arity)).collect();
        parts.extend(predicate.rules.map(|rules| Part::none(program, rules.none, arity)));
        let size: usize = parts.iter().map(|part| part.code.len()).sum();
        let small = parts.iter().all(|part| clause::pushes(&part.code) < SLACK);
        if size > MOST_CODE
            || !small
            || ids.iter().any(|&id| program.clauses[id as usize].code == 0)
        {
            return None;
        }
        let entry = program.code[slot as usize];
        let table = match entry {
            Instr::Switch { table } => Some(table),
            _ => None,
        };
        let by = table.map(|table| usize::from(program.indexes[table as usize].first.arg));
        let mut plan = Plan {
            pred,
            arity,
            parts,
            stubs: FxHashMap::default(),
            by,
            rows: FxHashMap::default(),
            origin: program.code.len() as u32,
            table,
            number: program.natives.functions.len() as u32,
        };
        // Where the loop goes on if the entry can't be used.
        program.code.push(entry);
        program.stub(plan.origin, None, Function::Entry);
        plan.make_stubs(program);
        plan.make_rows(program);
        program.lead_to_stubs(entry);
        Some(plan)
    }

    fn make_stubs(&mut self, program: &mut Program) {
        for i in 0..self.parts.len() {
            let start = self.parts[i].start;
            if self.parts.len() > 1 {
                self.make_stub(program, start, None, Function::Part(i, None));
                self.parts[i].stub = self.stubs[&start];
            }
            for at in 0..self.parts[i].code.len() {
                match self.parts[i].code[at] {
                    call @ Instr::Call { .. } => {
                        let place = Function::Part(i, Some(at + 1));
                        self.make_stub(program, start + at as u32 + 1, Some(call), place);
                    }
                    Instr::TryElse { to, .. } if !self.stubs.contains_key(&to) => {
                        let place = Function::Part(i, Some((to - start) as usize));
                        self.make_stub(program, to, None, place);
                    }
                    _ => continue,
                }
                // Where the loop runs the clause, it has machine code go on there.
                match &mut program.code[start as usize + at] {
                    Instr::Call { stub, .. } | Instr::TryElse { stub, .. } => *stub = true,
                    _ => {}
                }
            }
        }
    }

    fn make_stub(
        &mut self,
        program: &mut Program,
        origin: u32,
        call: Option<Instr>,
        function: Function,
    ) {
        let stub = program.stub(origin, call, function);
        self.stubs.insert(origin, stub);
    }

    /// Puts the stubs of clauses that may be tried together into the tables of clauses.
    fn make_rows(&mut self, program: &mut Program) {
        let mut sets = vec![(0..self.parts.len()).collect::<Vec<usize>>()];
        if let Some(by) = self.by {
            sets.push(self.those_with(by, None));
            sets.extend(self.keys_of(by).into_iter().map(|key| self.those_with(by, Some(key))));
        }
        for set in sets.into_iter().filter(|set| set.len() > 1) {
            if self.rows.contains_key(&set) {
                continue;
            }
            let from = program.targets.len() as u32;
            program.targets.extend(set.iter().map(|&i| self.parts[i].stub));
            for k in 0..set.len() - 1 {
                self.rows.entry(set[k..].to_vec()).or_insert(from + k as u32);
            }
        }
    }

    fn keys_of(&self, arg: usize) -> Vec<Cell> {
        let mut keys: Vec<Cell> = Vec::new();
        for key in self.parts.iter().filter_map(|part| part.keys[arg]) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The clauses that may match a call with this key at an argument; without, those for keys that no clause has.
    fn those_with(&self, arg: usize, key: Option<Cell>) -> Vec<usize> {
        let fits = |part: &Part| part.keys[arg].is_none() || key.is_some() && part.keys[arg] == key;
        let mut set: Vec<usize> = (0..self.parts.len()).filter(|&i| fits(&self.parts[i])).collect();
        if let Some(last) = set.iter().position(|&i| self.parts[i].settles.contains(&arg)) {
            set.truncate(last + 1);
        }
        set
    }

    /// Instructions that a function is made of, approximately.
    pub fn size(&self, function: Function) -> usize {
        match function {
            Function::Entry => {
                let size: usize = self.parts.iter().map(|part| part.code.len()).sum();
                size.min(MOST_INLINE)
            }
            Function::Part(i, at) => self.parts[i].code.len() - at.unwrap_or(0),
        }
    }

    pub fn make(&self, program: &Program, function: Function) -> Option<Assembly> {
        let build = |b: &mut FunctionBuilder<'_>| match function {
            Function::Entry => self.entry(b, program),
            Function::Part(i, at) => self.part(b, program, i, at),
        };
        Assembly::make(&mut [(signature(), Box::new(build))])
    }

    fn body<'b>(&'b self, program: &'b Program, i: usize, again: Option<Again>) -> Body<'b> {
        let part = &self.parts[i];
        Body { program, start: part.start, code: &part.code, stubs: &self.stubs, again }
    }

    /// A clause, or what is behind a place in it, where its environment is in place.
    fn part(&self, b: &mut FunctionBuilder<'_>, program: &Program, i: usize, at: Option<usize>) {
        let e = Emit::begin(b);
        match at {
            None => e.load_arguments(self.arity),
            Some(_) => e.load_frame(),
        }
        let from = at.unwrap_or(0);
        e.need_room(clause::pushes(&self.parts[i].code[from..]));
        let body = self.body(program, i, None);
        Clause::new(&e, &body, Choices::Some, at.is_some()).from(from);
        e.end();
    }

    fn calls_itself(&self) -> bool {
        self.parts.iter().flat_map(|part| &part.code).any(|instr| match *instr {
            Instr::Call { pred, .. }
            | Instr::Execute { pred }
            | Instr::DeallocateExecute { pred } => pred == self.pred,
            _ => false,
        })
    }
}

impl Part {
    fn of(program: &Program, id: ClauseId, arity: usize) -> Part {
        let clause = &program.clauses[id as usize];
        let code =
            program.code[clause.code as usize..(clause.code + clause.code_len) as usize].to_vec();
        Part {
            start: clause.code,
            stub: 0,
            tests: leading_tests(&code, arity),
            decides: shallow::decides(&code),
            code,
            keys: (0..arity).map(|arg| database::arg_key(clause, arity, arg)).collect(),
            settles: (0..arity).filter(|&arg| rules::settles(clause, arity, arg)).collect(),
        }
    }

    /// The entry behind rules of which none matches.
    fn none(program: &Program, at: u32, arity: usize) -> Part {
        Part {
            start: at,
            code: vec![program.code[at as usize]],
            stub: 0,
            decides: false,
            keys: vec![None; arity],
            tests: Vec::new(),
            settles: Vec::new(),
        }
    }
}

/// The tests of arguments with which a clause begins, or that come behind its head.
fn leading_tests(code: &[Instr], arity: usize) -> Vec<Instr> {
    let mut tests = Vec::new();
    let mut changed: FxHashSet<u16> = FxHashSet::default();
    for instr in code {
        let (mut of_arguments, mut defines) = (true, Vec::new());
        instr.registers(
            |_| 0,
            |_| 0,
            |access, register| match (access, register) {
                (Access::Use, Register::X(x)) => {
                    of_arguments &= usize::from(x) < arity && !changed.contains(&x);
                }
                (Access::Define, Register::X(x)) => defines.push(x),
                (_, Register::Y(_)) => of_arguments = false,
            },
        );
        match instr {
            Instr::Type { else_by: FAIL, .. }
            | Instr::CompareNumbers { else_by: FAIL, .. }
            | Instr::CompareTerms {
                relation: Relation::Equal | Relation::NotEqual,
                else_by: FAIL,
                ..
            } => {
                if of_arguments {
                    tests.push(*instr);
                }
            }
            // What binds no variable but those that keys are asked of: goals that wake up come before a test.
            Instr::GetAtom { .. }
            | Instr::GetInt { .. }
            | Instr::GetList { .. }
            | Instr::GetStruct { .. }
            | Instr::GetListXX { .. }
            | Instr::UnifyVarX { .. }
            | Instr::UnifyVarXX { .. }
            | Instr::UnifyVoid { .. }
            | Instr::Move { .. }
            | Instr::MoveMove { .. } => {}
            _ => break,
        }
        changed.extend(defines);
    }
    tests
}
