//! The entry of a predicate as machine code: which clauses may match a call.
//!
//! The argument by which the tables of clauses tell them apart says which are tried. A clause that decides by its head and
//! tests is tried without a choice point, like those of the loop: if it is not the one, its bindings are undone and
//! the next one is tried. For another one a choice point is made only if some clause behind it may match, as far as
//! the kinds and functors of the arguments tell.

use super::super::Machine;
use super::super::instr::Instr;
use super::super::program::{ClauseId, PredId, Program};
use super::super::{database, shallow};
use super::clause::{self, Again, Body, Choices, Clause, Tried};
use super::emit::{Emit, arg, signature, window};
use super::steps;
use super::window::{SLACK, Window};
use rustc_hash::FxHashMap;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_jit::frontend::{FunctionBuilder, Switch};
use zug_jit::{Assembly, Build};
use zug_term::{Cell, Tag};

/// Clauses that a predicate may have to get machine code.
const MOST_CLAUSES: usize = 64;
/// Instructions that its clauses may have together.
const MOST_CODE: usize = 4096;
/// Instructions that are written into its entry, beyond which clauses are functions of their own.
const MOST_INLINE: usize = 1024;
/// Arguments by which clauses are told apart before a choice point is made.
const TOLD_BY: usize = 4;

/// A clause of the predicate.
struct Part {
    start: u32,
    code: Vec<Instr>,
    /// It decides by its head and tests.
    decides: bool,
    /// The keys of its first arguments.
    keys: Vec<Option<Cell>>,
}

/// A function to be made.
enum Function {
    /// The entry of the predicate.
    Entry,
    /// A clause that is come to by backtracking.
    Clause(usize),
    /// A place in a clause that is come back to: behind a call, or by backtracking.
    Place(usize, usize),
}

/// What is to be made of a predicate.
pub(super) struct Plan {
    pred: PredId,
    arity: usize,
    parts: Vec<Part>,
    functions: Vec<Function>,
    numbers: Vec<u32>,
    /// The stub for an address in the clauses.
    stubs: FxHashMap<u32, u32>,
    /// The argument that tells clauses apart first.
    by: Option<usize>,
    /// Where the stubs of some clauses stand in the tables of clauses.
    rows: FxHashMap<Vec<usize>, u32>,
    inlined: usize,
}

impl Plan {
    /// Looks at a predicate, and makes the stubs for it.
    pub fn of(program: &mut Program, pred: PredId) -> Option<Plan> {
        let predicate = &program.preds[pred as usize];
        let (arity, slot) = (predicate.arity, predicate.slot);
        let ids = predicate.clauses.clone();
        if ids.is_empty() || ids.len() > MOST_CLAUSES {
            return None;
        }
        let parts: Vec<Part> = ids.iter().map(|&id| Part::of(program, id, arity)).collect();
        let size: usize = parts.iter().map(|part| part.code.len()).sum();
        let small = parts.iter().all(|part| clause::pushes(&part.code) < SLACK);
        if size > MOST_CODE || !small || ids.iter().any(|&id| program.clauses[id as usize].code == 0)
        {
            return None;
        }
        let entry = program.code[slot as usize];
        let by = match entry {
            Instr::Switch { table } => {
                Some(usize::from(program.indexes[table as usize].first.arg))
            }
            _ => None,
        };
        let mut plan = Plan {
            pred,
            arity,
            parts,
            functions: Vec::new(),
            numbers: Vec::new(),
            stubs: FxHashMap::default(),
            by,
            rows: FxHashMap::default(),
            inlined: 0,
        };
        // Where the loop goes on if the entry can't be used.
        let origin = program.code.len() as u32;
        program.code.push(entry);
        let (number, _) = program.stub(origin, None);
        plan.functions.push(Function::Entry);
        plan.numbers.push(number);
        plan.make_stubs(program);
        plan.make_rows(program);
        Some(plan)
    }

    /// The numbers of the functions, that of the entry first.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    fn make_stubs(&mut self, program: &mut Program) {
        for i in 0..self.parts.len() {
            let start = self.parts[i].start;
            if self.parts.len() > 1 {
                self.make_stub(program, start, None, Function::Clause(i));
            }
            for at in 0..self.parts[i].code.len() {
                match self.parts[i].code[at] {
                    call @ Instr::Call { .. } => {
                        let place = Function::Place(i, at + 1);
                        self.make_stub(program, start + at as u32 + 1, Some(call), place);
                    }
                    Instr::TryElse { to, .. } if !self.stubs.contains_key(&to) => {
                        let place = Function::Place(i, (to - start) as usize);
                        self.make_stub(program, to, None, place);
                    }
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
        let (number, stub) = program.stub(origin, call);
        self.stubs.insert(origin, stub);
        self.numbers.push(number);
        self.functions.push(function);
    }

    /// Puts the stubs of clauses that may be tried together into the tables of clauses.
    fn make_rows(&mut self, program: &mut Program) {
        let mut sets = vec![(0..self.parts.len()).collect::<Vec<usize>>()];
        if let Some(by) = self.by {
            sets.push(self.those_with(by, None));
            sets.extend(self.keys_of(by).into_iter().map(|key| self.those_with(by, Some(key))));
        }
        for set in sets.into_iter().filter(|set| set.len() > 1) {
            if !self.rows.contains_key(&set) {
                self.rows.insert(set.clone(), program.targets.len() as u32);
                program.targets.extend(set.iter().map(|&i| self.stubs[&self.parts[i].start]));
            }
        }
    }

    /// The keys that clauses have at an argument, each once.
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
        (0..self.parts.len()).filter(|&i| fits(&self.parts[i])).collect()
    }

    /// Makes the functions.
    pub fn make(&mut self, program: &Program) -> Option<Assembly> {
        self.inlined = 0;
        let plan = &*self;
        let build = |function| -> Box<Build<'_>> {
            match function {
                &Function::Entry => Box::new(move |b: &mut FunctionBuilder<'_>| {
                    plan.entry(b, program);
                }),
                &Function::Clause(i) => Box::new(move |b: &mut FunctionBuilder<'_>| {
                    plan.clause(b, program, i);
                }),
                &Function::Place(i, at) => Box::new(move |b: &mut FunctionBuilder<'_>| {
                    plan.place(b, program, i, at);
                }),
            }
        };
        let mut functions: Vec<_> =
            self.functions.iter().map(|function| (signature(), build(function))).collect();
        Assembly::make(&mut functions)
    }

    fn body(&self, i: usize, again: Option<Again>) -> Body<'_> {
        let part = &self.parts[i];
        Body {
            start: part.start,
            code: &part.code,
            stubs: &self.stubs,
            arity: self.arity,
            again,
        }
    }

    fn clause(&self, b: &mut FunctionBuilder<'_>, program: &Program, i: usize) {
        let mut e = Emit::begin(b, program);
        e.load_arguments(self.arity);
        e.need_room(clause::pushes(&self.parts[i].code));
        Clause::new(&mut e, &self.body(i, None), Choices::Some, false).from(0);
        e.end();
    }

    fn place(&self, b: &mut FunctionBuilder<'_>, program: &Program, i: usize, at: usize) {
        let mut e = Emit::begin(b, program);
        e.load_frame();
        e.need_room(clause::pushes(&self.parts[i].code[at..]));
        Clause::new(&mut e, &self.body(i, None), Choices::Some, true).from(at);
        e.end();
    }

    fn entry(&self, b: &mut FunctionBuilder<'_>, program: &Program) {
        let mut e = Emit::begin(b, program);
        e.load_arguments(self.arity);
        let again = self.calls_itself().then(|| {
            let block = e.block();
            e.jump(block);
            e.enter(block);
            e.dirty.extend((0..self.arity).map(|x| x as u16));
            Again { pred: self.pred, block }
        });
        let most = self.parts.iter().map(|part| clause::pushes(&part.code)).max();
        e.need_room(most.unwrap_or(0));
        let mut entry = Entry { plan: self, e: &mut e, again, inlined: 0, todo: Vec::new() };
        match self.by {
            None => {
                let all = (0..self.parts.len()).collect();
                let block = entry.block_of(all);
                entry.e.jump(block);
            }
            Some(by) => entry.dispatch(by),
        }
        let dirty = entry.e.dirty.clone();
        while let Some((set, block)) = entry.todo.pop() {
            entry.e.dirty.clone_from(&dirty);
            entry.e.enter(block);
            entry.sequence(&set);
        }
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
            decides: shallow::decides(&code),
            code,
            keys: (0..arity).map(|arg| database::arg_key(clause, arity, arg)).collect(),
        }
    }
}

/// The entry that is being made.
struct Entry<'p, 'e, 'f> {
    plan: &'p Plan,
    e: &'p mut Emit<'e, 'f>,
    again: Option<Again>,
    /// Instructions written so far.
    inlined: usize,
    /// Clauses to be tried in blocks that are still to be made.
    todo: Vec<(Vec<usize>, Block)>,
}

impl Entry<'_, '_, '_> {
    /// The block that tries some clauses.
    fn block_of(&mut self, set: Vec<usize>) -> Block {
        if set.is_empty() {
            return self.e.fail_block();
        }
        if let Some((_, block)) = self.todo.iter().find(|(known, _)| *known == set) {
            return *block;
        }
        let block = self.e.block();
        self.todo.push((set, block));
        block
    }

    /// Looks at an argument for the clauses to try.
    fn dispatch(&mut self, by: usize) {
        let value = self.e.x(by as u16);
        let value = self.e.deref(value);
        self.e.keep_x(by as u16, value);
        let all = self.block_of((0..self.plan.parts.len()).collect());
        let other = self.block_of(self.plan.those_with(by, None));
        let keys = self.plan.keys_of(by);
        let by_kind = |entry: &mut Self, tag: Tag| -> Vec<(Cell, Block)> {
            let own = keys.iter().filter(|key| kind(**key) == tag);
            own.map(|&key| (key, entry.block_of(entry.plan.those_with(by, Some(key))))).collect()
        };
        let list = by_kind(self, Tag::List).first().map_or(other, |&(_, block)| block);
        let boxed = by_kind(self, Tag::Boxed).first().map_or(other, |&(_, block)| block);
        let structs = by_kind(self, Tag::Struct);
        let constants = by_kind(self, Tag::Atom);
        let tag = self.e.tag(value);
        let is = |e: &mut Emit<'_, '_>, tag: Value, of: Tag| {
            e.is_constant(IntCC::Equal, tag, of as u64)
        };
        // Lists first: they are met most.
        let (next, after) = (self.e.block(), self.e.block());
        let is_list = is(self.e, tag, Tag::List);
        self.e.branch(is_list, list, next);
        self.e.enter(next);
        let var = self.e.is_var(value);
        self.e.branch(var, all, after);
        self.e.enter(after);
        let (compound, simple) = (self.e.block(), self.e.block());
        let is_compound = is(self.e, tag, Tag::Struct);
        self.e.branch(is_compound, compound, simple);
        self.e.enter(compound);
        if structs.is_empty() {
            self.e.jump(other);
        } else {
            let address = self.e.address(value, Tag::Struct);
            let header = self.e.heap_cell(address, 0);
            self.select(header, &structs, other);
        }
        self.e.enter(simple);
        if boxed != other {
            let next = self.e.block();
            let is_boxed = is(self.e, tag, Tag::Boxed);
            self.e.branch(is_boxed, boxed, next);
            self.e.enter(next);
        }
        self.select(value, &constants, other);
    }

    /// Goes to the block of a word.
    fn select(&mut self, value: Value, keys: &[(Cell, Block)], other: Block) {
        let mut switch = Switch::new();
        for &(key, block) in keys {
            switch.set_entry(u128::from(key.0), block);
        }
        switch.emit(self.e.b, value, other);
    }

    /// Tries clauses in their order.
    fn sequence(&mut self, set: &[usize]) {
        let start = Start::of(self.e, self.plan.arity);
        if set.len() == 1 {
            return self.only(set[0]);
        }
        let end = self.plan.rows[set] + set.len() as u32;
        let row = |k: usize| end - (set.len() - k) as u32;
        for (k, &i) in set.iter().enumerate() {
            if k + 1 == set.len() {
                self.only(i);
            } else if !self.fits(i) {
                // Too much would be written here.
                self.push_choice((row(k + 1), end));
                return self.elsewhere(i);
            } else if self.plan.parts[i].decides {
                let next = self.e.block();
                let tried =
                    Tried { next, row: (row(k + 1), end), mark: start.mark, top: start.top };
                self.write(i, Choices::Tried(tried));
                self.e.enter(next);
                start.restore(self.e);
            } else {
                let block = self.e.block();
                let place = self.e.b.append_block_param(block, I64);
                for (j, &later) in set.iter().enumerate().skip(k + 1) {
                    let (may, not) = (self.e.block(), self.e.block());
                    self.may_match(later, may, not);
                    self.e.enter(may);
                    let at = self.e.constant(u64::from(row(j)));
                    self.e.b.ins().jump(block, &[arg(at)]);
                    self.e.enter(not);
                }
                let none = self.e.constant(0);
                self.e.b.ins().jump(block, &[arg(none)]);
                self.e.enter(block);
                let (push, run) = (self.e.block(), self.e.block());
                self.e.branch(place, push, run);
                self.e.enter(push);
                let dirty = self.e.dirty.clone();
                self.push_choice_at(place, end);
                self.e.dirty = dirty;
                self.e.jump(run);
                self.e.enter(run);
                return self.write(i, Choices::Some);
            }
        }
    }

    /// Whether a clause is written here.
    fn fits(&self, i: usize) -> bool {
        self.inlined + self.plan.parts[i].code.len() <= MOST_INLINE
    }

    /// The only clause that is left.
    fn only(&mut self, i: usize) {
        // One that is alone has no function of its own.
        if self.fits(i) || self.plan.parts.len() == 1 {
            self.write(i, Choices::None);
        } else {
            self.elsewhere(i);
        }
    }

    fn write(&mut self, i: usize, choices: Choices) {
        self.inlined += self.plan.parts[i].code.len();
        let body = self.plan.body(i, self.again);
        Clause::new(self.e, &body, choices, false).from(0);
    }

    /// Goes on in the function of a clause.
    fn elsewhere(&mut self, i: usize) {
        self.e.save_all();
        let stub = self.plan.stubs[&self.plan.parts[i].start];
        let stub = self.e.constant(u64::from(stub));
        self.e.go_to(stub);
    }

    fn push_choice(&mut self, (next, end): (u32, u32)) {
        let next = self.e.constant(u64::from(next));
        self.push_choice_at(next, end);
    }

    fn push_choice_at(&mut self, next: Value, end: u32) {
        self.e.save_all();
        let end = self.e.constant(u64::from(end));
        let arity = self.e.constant(self.plan.arity as u64);
        self.e.step(steps::push_clauses as *const () as usize, &[next, end, arity]);
    }

    /// Goes to one of two blocks by whether a clause may match, as far as the kinds of its arguments tell.
    fn may_match(&mut self, i: usize, may: Block, not: Block) {
        let keys = &self.plan.parts[i].keys;
        for (x, key) in keys.iter().enumerate().take(TOLD_BY) {
            let Some(key) = *key else { continue };
            let value = self.e.x(x as u16);
            let value = self.e.deref(value);
            self.e.keep_x(x as u16, value);
            let next = self.e.block();
            let other = self.e.block();
            let var = self.e.is_var(value);
            self.e.branch(var, next, other);
            self.e.enter(other);
            match kind(key) {
                Tag::Struct => {
                    let tagged = self.e.has_tag(value, Tag::Struct);
                    self.e.require(tagged, not);
                    let address = self.e.address(value, Tag::Struct);
                    let header = self.e.heap_cell(address, 0);
                    let same = self.e.is_constant(IntCC::Equal, header, key.0);
                    self.e.branch(same, next, not);
                }
                tag @ (Tag::List | Tag::Boxed) => {
                    let same = self.e.has_tag(value, tag);
                    self.e.branch(same, next, not);
                }
                _ => {
                    let same = self.e.is_constant(IntCC::Equal, value, key.0);
                    self.e.branch(same, next, not);
                }
            }
            self.e.enter(next);
        }
        self.e.jump(may);
    }
}

/// What a key is of; that of an integer is like that of an atom.
fn kind(key: Cell) -> Tag {
    match key.tag() {
        Tag::Header => Tag::Struct,
        Tag::Int => Tag::Atom,
        tag => tag,
    }
}

/// The state in which clauses are tried.
struct Start {
    mark: Value,
    top: Value,
}

impl Start {
    fn of(e: &mut Emit<'_, '_>, arity: usize) -> Start {
        e.begin_trying(arity);
        Start { mark: e.field(window!(trail_len)), top: e.top() }
    }

    /// Takes back what a clause did that was not the one.
    fn restore(&self, e: &mut Emit<'_, '_>) {
        e.set_top(self.top);
        let len = e.field(window!(trail_len));
        let same = e.is(IntCC::Equal, len, self.mark);
        let (undo, next) = (e.rare(), e.block());
        e.branch(same, next, undo);
        e.enter(undo);
        e.step(steps::undo as *const () as usize, &[self.mark]);
        e.jump(next);
        e.enter(next);
        e.restore_arguments();
    }
}

const _: () = assert!(offset_of!(Machine, window) > 0);
