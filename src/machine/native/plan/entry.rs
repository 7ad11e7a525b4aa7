//! The entry of a predicate as machine code: which clauses may match a call.
//!
//! The argument by which the tables of clauses tell them apart says which are tried. A clause that decides by its head and
//! tests is tried without a choice point, like those of the loop: if it is not the one, its bindings are undone and
//! the next one is tried. For another one a choice point is made only if some clause behind it may match, as far as
//! the kinds and functors of the arguments tell.

use super::{MOST_INLINE, Plan};
use crate::instr::{Instr, Relation, Slot};
use crate::native::Exit;
use crate::native::clause::{self, Again, Choices, Clause, Tried};
use crate::native::emit::{Emit, machine, step};
use crate::native::steps::Pushed;
use crate::program::Program;
use crate::{Machine, keys};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::mem::offset_of;
use zug_jit::codegen::ir::{Block, Value};
use zug_jit::frontend::FunctionBuilder;
use zug_term::{Cell, Tag};

/// Arguments by which clauses are told apart before a choice point is made.
const TOLD_BY: usize = 16;

impl Plan {
    pub(super) fn entry(&self, b: &mut FunctionBuilder<'_>, program: &Program) {
        let e = Emit::begin(b);
        e.load_arguments(self.arity);
        let again = self.calls_itself().then(|| {
            let block = e.block();
            e.jump(block);
            e.enter(block);
            e.add_dirty((0..self.arity).map(|x| x as u16));
            Again { pred: self.pred, number: self.number, block }
        });
        let most = self.parts.iter().map(|part| clause::pushes(&part.code)).max();
        e.need_room(most.unwrap_or(0));
        let dirty = e.dirty();
        let (blocks, todo) = (FxHashMap::default(), Vec::new());
        let mut entry =
            Entry { plan: self, program, e: &e, again, inlined: 0, elsewhere: None, blocks, todo };
        entry.all(dirty);
        e.end();
    }
}

/// The entry that is being made.
struct Entry<'p, 'e, 'f> {
    plan: &'p Plan,
    program: &'p Program,
    e: &'p Emit<'e, 'f>,
    again: Option<Again>,
    /// Instructions written so far.
    inlined: usize,
    /// Goes on in the function of a clause, whose stub it takes.
    elsewhere: Option<(Block, Value)>,
    /// The blocks that try clauses, with the key that is known of the argument that told so.
    blocks: FxHashMap<(Vec<usize>, Option<Cell>), Block>,
    /// Those that are still to be made.
    todo: Vec<(Vec<usize>, Option<Cell>, Block)>,
}

impl Entry<'_, '_, '_> {
    fn all(&mut self, dirty: BTreeSet<u16>) {
        let e = self.e;
        match self.plan.by {
            None => {
                let block = self.block_of((0..self.plan.parts.len()).collect(), None);
                e.jump(block);
            }
            Some(by) => self.dispatch(by),
        }
        // The arguments are as they were wherever a clause is gone to.
        while let Some((set, key, block)) = self.todo.pop() {
            e.set_dirty(dirty.clone());
            e.know(self.plan.by.zip(key).map(|(by, key)| (by as u16, key)));
            e.enter(block);
            self.sequence(&set, key);
        }
        if let Some((block, stub)) = self.elsewhere {
            e.set_dirty(dirty);
            e.enter(block);
            e.save_all();
            e.go_to(stub);
        }
    }

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
        let (e, plan) = (self.e, self.plan);
        let value = self.operand(Slot::x(by as u16));
        let all = self.block_of((0..plan.parts.len()).collect(), None);
        let other = self.block_of(plan.those_with(by, None), None);
        let keys = plan.keys_of(by);
        let mut by_kind = |tag: Tag| -> Vec<(Cell, Block)> {
            let own = keys.iter().filter(|key| kind(**key) == tag);
            let block = |&key| (key, self.block_of(plan.those_with(by, Some(key)), Some(key)));
            own.map(block).collect()
        };
        let list = by_kind(Tag::List).first().map_or(other, |&(_, block)| block);
        let boxed = by_kind(Tag::Boxed).first().map_or(other, |&(_, block)| block);
        let (structs, constants) = (by_kind(Tag::Struct), by_kind(Tag::Atom));
        let tag = e.tag(value);
        // Lists first: they are met most.
        let [next, after, compound, simple] = e.blocks();
        e.branch(e.is_any(tag, &[Tag::List]), list, next);
        e.enter(next);
        e.branch(e.is_var(value), all, after);
        e.enter(after);
        e.branch(e.is_any(tag, &[Tag::Struct]), compound, simple);
        e.enter(compound);
        if structs.is_empty() {
            e.jump(other);
        } else {
            e.switch(e.heap_cell(e.address(value, Tag::Struct), 0), &structs, other);
        }
        e.enter(simple);
        if boxed != other {
            let next = e.block();
            e.branch(e.is_any(tag, &[Tag::Boxed]), boxed, next);
            e.enter(next);
        }
        e.switch(value, &constants, other);
    }

    fn sequence(&mut self, set: &[usize], key: Option<Cell>) {
        let e = self.e;
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
            let tried = Tried {
                next: e.block(),
                row: (from + 1, end),
                mark: e.field(machine!(window.trail.len)),
                top: e.top(),
                arguments: (0..self.plan.arity).map(|x| e.x(x as u16)).collect(),
                dirty: e.dirty(),
            };
            self.write(first, Choices::Tried(&tried));
            e.enter(tried.next);
            tried.restore(e);
            let rest = self.block_of(rest.to_vec(), key);
            return e.jump(rest);
        }
        // The first may be out of the question itself.
        let [may, not] = e.blocks();
        self.may_match(first, may, not);
        e.enter(not);
        let others = self.block_of(rest.to_vec(), key);
        e.jump(others);
        e.enter(may);
        let (block, place) = e.taking();
        for (j, &later) in rest.iter().enumerate() {
            let [may, not] = e.blocks();
            self.may_match(later, may, not);
            e.enter(may);
            e.jump_with(block, &[e.constant(u64::from(from + 1 + j as u32))]);
            e.enter(not);
        }
        e.jump_with(block, &[e.constant(0)]);
        e.enter(block);
        let [push, run] = e.blocks();
        e.branch(place, push, run);
        e.enter(push);
        let dirty = e.dirty();
        e.save_all();
        e.push_choice(Pushed::Clauses, [place, e.constant(u64::from(end))], self.plan.arity);
        e.set_dirty(dirty);
        e.jump(run);
        e.enter(run);
        self.write(first, Choices::Some);
    }

    /// Whether some clauses are written here. Of many that don't decide, the tables of the loop may tell more.
    fn is_written(&self, set: &[usize]) -> bool {
        let parts = &self.plan.parts;
        let decide = set[..set.len() - 1].iter().all(|&i| parts[i].decides);
        self.fits(set) && (decide || set.len() <= keys::FEW)
    }

    /// Selects the clauses that may match by the tables of the loop, which has some for many.
    fn select_by_loop(&self) {
        self.e.save_all();
        match self.plan.table {
            Some(table) => self.e.go_on_by(step!(switch), &[self.e.constant(u64::from(table))]),
            None => self.e.leave(Exit::Go, self.plan.origin),
        }
    }

    /// Whether there is room here for some clauses.
    fn fits(&self, set: &[usize]) -> bool {
        let size: usize = set.iter().map(|&i| self.plan.parts[i].code.len()).sum();
        self.inlined + size <= MOST_INLINE
    }

    fn only(&mut self, i: usize) {
        // One that is alone has no function of its own.
        if self.fits(&[i]) || self.plan.parts.len() == 1 {
            return self.write(i, Choices::None);
        }
        let (block, _) = *self.elsewhere.get_or_insert_with(|| self.e.taking());
        let stub = self.e.constant(u64::from(self.plan.parts[i].stub));
        self.e.jump_with(block, &[stub]);
    }

    fn write(&mut self, i: usize, choices: Choices<'_>) {
        self.inlined += self.plan.parts[i].code.len();
        let body = self.plan.body(self.program, i, self.again);
        Clause::new(self.e, &body, choices, false).from(0);
    }

    /// Branches by whether a clause may match, as far as kinds of arguments and tests of words tell.
    fn may_match(&self, i: usize, may: Block, not: Block) {
        let e = self.e;
        for (x, key) in self.plan.parts[i].keys.iter().enumerate().take(TOLD_BY) {
            let Some(key) = *key else { continue };
            let value = self.operand(Slot::x(x as u16));
            let next = e.block();
            self.unless_var(value, next, may);
            let same = match kind(key) {
                Tag::Struct => {
                    e.require(e.has_tag(value, Tag::Struct), not);
                    e.equals(e.heap_cell(e.address(value, Tag::Struct), 0), key.0)
                }
                tag @ (Tag::List | Tag::Boxed) => e.has_tag(value, tag),
                _ => e.equals(value, key.0),
            };
            e.branch(same, next, not);
            e.enter(next);
        }
        for test in &self.plan.parts[i].tests {
            self.may_hold(test, may, not);
        }
        e.jump(may);
    }

    /// Goes on where a test may hold, of a variable that the head may bind before too. Where it can't be told by words, and
    /// where goals may wake up before it, there is no saying about the tests behind it either.
    fn may_hold(&self, test: &Instr, may: Block, not: Block) {
        let e = self.e;
        let next = e.block();
        match *test {
            Instr::Type { test, slot, .. } => {
                let value = self.operand(slot);
                self.unless_var(value, next, may);
                match clause::tags(test) {
                    [] => e.jump(not),
                    tags => e.branch(e.is_any(e.tag(value), tags), next, not),
                }
            }
            Instr::CompareNumbers { relation, a, b, .. } => {
                let (a, b) = (self.operand(a), self.operand(b));
                e.require(clause::are_ints(e, a, b), may);
                e.branch(e.is(clause::condition(relation), a, b), next, not);
            }
            Instr::CompareTerms { relation, a, b, .. } => {
                let (a, b) = (self.operand(a), self.operand(b));
                e.require(e.band(e.is_word(a), e.is_word(b)), next);
                match relation {
                    Relation::Equal => e.branch(e.equal(a, b), next, not),
                    _ => e.branch(e.equal(a, b), not, next),
                }
            }
            _ => unreachable!("a leading test"),
        }
        e.enter(next);
    }

    /// Goes on for a value; a variable goes to one of two blocks, by whether it has attributes.
    fn unless_var(&self, value: Value, plain: Block, attributed: Block) {
        let e = self.e;
        let [var, other] = e.blocks();
        e.branch(e.is_var(value), var, other);
        e.enter(var);
        e.branch(e.band_imm(value, Tag::Attributed as i64), attributed, plain);
        e.enter(other);
    }

    fn operand(&self, slot: Slot) -> Value {
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
