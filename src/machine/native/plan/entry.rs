//! The entry of a predicate as machine code: which clauses may match a call.
//!
//! The argument by which the tables of clauses tell them apart says which are tried. A clause that decides by its head and
//! tests is tried without a choice point, like those of the loop: if it is not the one, its bindings are undone and
//! the next one is tried. For another one a choice point is made only if some clause behind it may match, as far as
//! the kinds and functors of the arguments tell.

use super::{MOST_INLINE, Plan};
use crate::Machine;
use crate::instr::{Instr, Relation, Slot, TypeTest};
use crate::keys;
use crate::native::Exit;
use crate::native::clause::{self, Again, Choices, Clause, Tried};
use crate::native::emit::{Emit, arg, window};
use crate::native::steps::{self, Pushed};
use crate::native::window::Window;
use crate::program::Program;
use rustc_hash::FxHashMap;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_jit::frontend::{FunctionBuilder, Switch};
use zug_term::{Cell, Tag};

/// Arguments by which clauses are told apart before a choice point is made.
const TOLD_BY: usize = 16;

impl Plan {
    /// Makes the function of the entry.
    pub(super) fn entry(&self, b: &mut FunctionBuilder<'_>, program: &Program) {
        let mut e = Emit::begin(b);
        e.load_arguments(self.arity);
        let again = self.calls_itself().then(|| {
            let block = e.block();
            e.jump(block);
            e.enter(block);
            e.dirty.extend((0..self.arity).map(|x| x as u16));
            Again { pred: self.pred, number: self.number, block }
        });
        let most = self.parts.iter().map(|part| clause::pushes(&part.code)).max();
        e.need_room(most.unwrap_or(0));
        let mut entry = Entry {
            plan: self,
            program,
            e: &mut e,
            again,
            inlined: 0,
            elsewhere: None,
            blocks: FxHashMap::default(),
            todo: Vec::new(),
        };
        match self.by {
            None => {
                let all = (0..self.parts.len()).collect();
                let block = entry.block_of(all, None);
                entry.e.jump(block);
            }
            Some(by) => entry.dispatch(by),
        }
        let dirty = entry.e.dirty.clone();
        // The arguments are as they were wherever a clause is gone to.
        while let Some((set, key, block)) = entry.todo.pop() {
            entry.e.dirty.clone_from(&dirty);
            entry.e.know(self.by.zip(key).map(|(by, key)| (by as u16, key)));
            entry.e.enter(block);
            entry.sequence(&set, key);
        }
        if let Some(block) = entry.elsewhere {
            entry.e.dirty = dirty;
            entry.e.enter(block);
            entry.e.save_all();
            let stub = entry.e.b.block_params(block)[0];
            entry.e.go_to(stub);
        }
        e.end();
    }
}

/// The entry that is being made.
struct Entry<'p, 'e, 'f> {
    plan: &'p Plan,
    program: &'p Program,
    e: &'p mut Emit<'e, 'f>,
    again: Option<Again>,
    /// Instructions written so far.
    inlined: usize,
    /// Goes on in the function of a clause, whose stub it takes.
    elsewhere: Option<Block>,
    /// The blocks that try clauses, with the key that is known of the argument that told so.
    blocks: FxHashMap<(Vec<usize>, Option<Cell>), Block>,
    /// Those that are still to be made.
    todo: Vec<(Vec<usize>, Option<Cell>, Block)>,
}

impl Entry<'_, '_, '_> {
    /// The block that tries some clauses, for calls with a key of the argument that tells them apart.
    fn block_of(&mut self, set: Vec<usize>, key: Option<Cell>) -> Block {
        if set.is_empty() {
            return self.e.fail_block();
        }
        // What is known helps only clauses that ask for it.
        let asked = |by: usize| set.iter().any(|&i| self.plan.parts[i].keys[by].is_some());
        let key = key.filter(|_| self.plan.by.is_some_and(asked));
        if let Some(&block) = self.blocks.get(&(set.clone(), key)) {
            return block;
        }
        let block = self.e.block();
        self.blocks.insert((set.clone(), key), block);
        self.todo.push((set, key, block));
        block
    }

    /// Looks at an argument for the clauses to try.
    fn dispatch(&mut self, by: usize) {
        let value = self.operand(Slot::x(by as u16));
        let all = self.block_of((0..self.plan.parts.len()).collect(), None);
        let other = self.block_of(self.plan.those_with(by, None), None);
        let keys = self.plan.keys_of(by);
        let by_kind = |entry: &mut Self, tag: Tag| -> Vec<(Cell, Block)> {
            let own = keys.iter().filter(|key| kind(**key) == tag);
            own.map(|&key| (key, entry.block_of(entry.plan.those_with(by, Some(key)), Some(key))))
                .collect()
        };
        let list = by_kind(self, Tag::List).first().map_or(other, |&(_, block)| block);
        let boxed = by_kind(self, Tag::Boxed).first().map_or(other, |&(_, block)| block);
        let structs = by_kind(self, Tag::Struct);
        let constants = by_kind(self, Tag::Atom);
        let tag = self.e.tag(value);
        let is =
            |e: &mut Emit<'_, '_>, tag: Value, of: Tag| e.is_constant(IntCC::Equal, tag, of as u64);
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
    fn sequence(&mut self, set: &[usize], key: Option<Cell>) {
        let &[first, ref rest @ ..] = set else { return };
        if rest.is_empty() {
            return self.only(first);
        }
        if !self.is_written(set) {
            return self.select_by_loop();
        }
        let from = self.plan.rows[set];
        let end = from + set.len() as u32;
        if self.plan.parts[first].decides {
            let start = Start::of(self.e, self.plan.arity);
            let next = self.e.block();
            let tried = Tried { next, row: (from + 1, end), mark: start.mark, top: start.top };
            self.write(first, Choices::Tried(tried));
            self.e.enter(next);
            start.restore(self.e);
            let rest = self.block_of(rest.to_vec(), key);
            return self.e.jump(rest);
        }
        // The first may be out of the question itself.
        let (may, not) = (self.e.block(), self.e.block());
        self.may_match(first, may, not);
        self.e.enter(not);
        let others = self.block_of(rest.to_vec(), key);
        self.e.jump(others);
        self.e.enter(may);
        let block = self.e.block();
        let place = self.e.b.append_block_param(block, I64);
        for (j, &later) in rest.iter().enumerate() {
            let (may, not) = (self.e.block(), self.e.block());
            self.may_match(later, may, not);
            self.e.enter(may);
            let at = self.e.constant(u64::from(from + 1 + j as u32));
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
        self.push_choice(place, end);
        self.e.dirty = dirty;
        self.e.jump(run);
        self.e.enter(run);
        self.write(first, Choices::Some);
    }

    /// Whether some clauses are written here. Of many, of which not all decide by themselves, the tables of the loop may
    /// tell more.
    fn is_written(&self, set: &[usize]) -> bool {
        let parts = &self.plan.parts;
        let decide = set[..set.len() - 1].iter().all(|&i| parts[i].decides);
        self.fits(set) && (decide || set.len() <= keys::FEW)
    }

    /// Selects the clauses that may match by the tables of the loop, which has some for many.
    fn select_by_loop(&mut self) {
        self.e.save_all();
        match self.plan.table {
            Some(table) => {
                let table = self.e.constant(u64::from(table));
                self.e.go_on_by(steps::switch as *const () as usize, &[table]);
            }
            None => self.e.leave(Exit::Go, self.plan.origin),
        }
    }

    /// Whether there is room here for some clauses.
    fn fits(&self, set: &[usize]) -> bool {
        let size: usize = set.iter().map(|&i| self.plan.parts[i].code.len()).sum();
        self.inlined + size <= MOST_INLINE
    }

    /// The only clause that is left.
    fn only(&mut self, i: usize) {
        // One that is alone has no function of its own.
        if self.fits(&[i]) || self.plan.parts.len() == 1 {
            self.write(i, Choices::None);
        } else {
            self.elsewhere(i);
        }
    }

    fn write(&mut self, i: usize, choices: Choices) {
        self.inlined += self.plan.parts[i].code.len();
        let body = self.plan.body(self.program, i, self.again);
        Clause::new(self.e, &body, choices, false).from(0);
    }

    /// Goes on in the function of a clause.
    fn elsewhere(&mut self, i: usize) {
        let stub = self.e.constant(u64::from(self.plan.parts[i].stub));
        let block = match self.elsewhere {
            Some(block) => block,
            None => {
                let block = self.e.block();
                self.e.b.append_block_param(block, I64);
                *self.elsewhere.insert(block)
            }
        };
        self.e.b.ins().jump(block, &[arg(stub)]);
    }

    fn push_choice(&mut self, next: Value, end: u32) {
        self.e.save_all();
        let end = self.e.constant(u64::from(end));
        self.e.push_choice(Pushed::Clauses, [next, end], self.plan.arity);
    }

    /// Goes to one of two blocks by whether a clause may match, as far as the kinds of its arguments tell, and tests of
    /// them that need no more than what is in a word.
    fn may_match(&mut self, i: usize, may: Block, not: Block) {
        let keys = &self.plan.parts[i].keys;
        for (x, key) in keys.iter().enumerate().take(TOLD_BY) {
            let Some(key) = *key else { continue };
            let value = self.operand(Slot::x(x as u16));
            let next = self.e.block();
            self.unless_var(value, next, may);
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
        for test in &self.plan.parts[i].tests {
            self.may_hold(test, may, not);
        }
        self.e.jump(may);
    }

    /// Goes on where a test may hold, of a variable that the head may bind before too. Where it can't be told by words, and
    /// where goals may wake up before it, there is no saying about the tests behind it either.
    fn may_hold(&mut self, test: &Instr, may: Block, not: Block) {
        let next = self.e.block();
        match *test {
            Instr::Type { test, slot, .. } => {
                let value = self.operand(slot);
                self.unless_var(value, next, may);
                let tag = self.e.tag(value);
                let tags: &[Tag] = match test {
                    TypeTest::Atom => &[Tag::Atom],
                    TypeTest::Compound => &[Tag::List, Tag::Struct],
                    TypeTest::Callable => &[Tag::List, Tag::Struct, Tag::Atom],
                    TypeTest::Atomic => &[Tag::Atom, Tag::Int, Tag::Boxed],
                    TypeTest::Integer | TypeTest::Number => &[Tag::Int, Tag::Boxed],
                    TypeTest::Float | TypeTest::String => &[Tag::Boxed],
                    TypeTest::Nonvar | TypeTest::IsList | TypeTest::Ground => {
                        &[Tag::List, Tag::Struct, Tag::Atom, Tag::Int, Tag::Boxed]
                    }
                    TypeTest::Var => &[],
                };
                for &of in tags {
                    let (is, more) =
                        (self.e.is_constant(IntCC::Equal, tag, of as u64), self.e.block());
                    self.e.branch(is, next, more);
                    self.e.enter(more);
                }
                self.e.jump(not);
            }
            Instr::CompareNumbers { relation, a, b, .. } => {
                let (a, b) = (self.operand(a), self.operand(b));
                let ints = clause::are_ints(self.e, a, b);
                let told = self.e.block();
                self.e.branch(ints, told, may);
                self.e.enter(told);
                let holds = self.e.is(clause::condition(relation), a, b);
                self.e.branch(holds, next, not);
            }
            Instr::CompareTerms { relation, a, b, .. } => {
                let (a, b) = (self.operand(a), self.operand(b));
                let (left, right) = (self.e.is_word(a), self.e.is_word(b));
                let words = self.e.b.ins().band(left, right);
                let told = self.e.block();
                self.e.branch(words, told, next);
                self.e.enter(told);
                let equal = self.e.is(IntCC::Equal, a, b);
                match relation {
                    Relation::Equal => self.e.branch(equal, next, not),
                    _ => self.e.branch(equal, not, next),
                }
            }
            _ => unreachable!("a leading test"),
        }
        self.e.enter(next);
    }

    /// Goes on for a value; a variable goes to one of two blocks, by whether it has attributes.
    fn unless_var(&mut self, value: Value, plain: Block, attributed: Block) {
        let (var, other, special) = (self.e.block(), self.e.block(), self.e.block());
        let is_var = self.e.is_var(value);
        self.e.branch(is_var, var, other);
        self.e.enter(var);
        let bit = self.e.b.ins().band_imm(value, Tag::Attributed as i64);
        self.e.branch(bit, special, plain);
        self.e.enter(special);
        self.e.jump(attributed);
        self.e.enter(other);
    }

    /// The content of a slot, dereferenced.
    fn operand(&mut self, slot: Slot) -> Value {
        let value = self.e.slot(slot);
        if slot.0 >= Slot::Y {
            return value;
        }
        let value = self.e.deref(value);
        self.e.keep_x(slot.0, value);
        value
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
