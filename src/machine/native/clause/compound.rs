//! Compounds that are matched, or made where a variable stands for one.

use super::Clause;
use crate::instr::Instr;
use crate::native::emit::{CELL, arg};
use std::collections::BTreeMap;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_term::symbol::Atom;
use zug_term::{Cell, Tag};

impl Clause<'_, '_, '_> {
    /// Matches a compound, or makes it: `Get…` and the `Unify…` instructions behind it. The next place.
    pub(super) fn compound(&mut self, at: usize) -> usize {
        let code = self.body.code;
        let (a, functor) = match code[at] {
            Instr::GetStruct { a, f } => (a, Some(self.body.program.functors[f as usize])),
            Instr::GetList { a } | Instr::GetListXX { a, .. } | Instr::GetListVX { a, .. } => {
                (a, None)
            }
            _ => unreachable!("a compound begins there"),
        };
        let fused;
        let (parts, first): (&[Instr], usize) = match code[at] {
            Instr::GetListXX { h, t, .. } => {
                fused = [Instr::UnifyVarX { x: h }, Instr::UnifyVarX { x: t }];
                (&fused, at)
            }
            Instr::GetListVX { h, t, .. } => {
                fused = [Instr::UnifyValX { x: h }, Instr::UnifyVarX { x: t }];
                (&fused, at)
            }
            _ => {
                let rest = &code[at + 1..];
                let jumped = |i: usize| self.labels.contains_key(&(at + 1 + i));
                let many = (0..rest.len()).take_while(|&i| rest[i].is_part() && !jumped(i)).count();
                (&rest[..many], at + 1)
            }
        };
        let end = first + if first == at { 1 } else { parts.len() };
        let value = self.e.x(a);
        if self.e.known(a) == Some(functor.unwrap_or(Cell::list(0))) {
            let from = match functor {
                None => self.e.address(value, Tag::List),
                Some(_) => self.e.b.ins().iadd_imm(value, i64::from(CELL) - Tag::Struct as i64),
            };
            let mut turns = BTreeMap::new();
            self.read((parts, at), from, &mut turns);
            if !turns.is_empty() {
                let join = self.e.block();
                self.e.jump(join);
                self.write_all(parts, false, &turns);
                self.e.jump(join);
                self.e.enter(join);
            }
            return end;
        }
        let value = self.e.deref(value);
        let (reads, writes, join) = (self.e.block(), self.e.block(), self.e.block());
        let from = self.e.b.append_block_param(reads, I64);
        let (other, fail) = (self.e.block(), self.failing());
        match functor {
            None => {
                let list = self.e.has_tag(value, Tag::List);
                let address = self.e.address(value, Tag::List);
                self.e.b.ins().brif(list, reads, &[arg(address)], other, &[]);
            }
            Some(functor) => {
                let tagged = self.e.has_tag(value, Tag::Struct);
                let inside = self.e.block();
                self.e.branch(tagged, inside, other);
                self.e.enter(inside);
                let address = self.e.address(value, Tag::Struct);
                let header = self.e.heap_cell(address, 0);
                let same = self.e.is_constant(IntCC::Equal, header, functor.0);
                let args = self.e.b.ins().iadd_imm(address, i64::from(CELL));
                self.e.b.ins().brif(same, reads, &[arg(args)], fail, &[]);
            }
        }
        self.e.enter(other);
        let var = self.e.is_var(value);
        self.e.require(var, fail);
        let top = self.e.top();
        let term = match functor {
            None => self.e.with_tag(top, Tag::List),
            Some(functor) => {
                let functor = self.e.cell(functor);
                self.e.push(&[functor]);
                self.e.with_tag(top, Tag::Struct)
            }
        };
        self.bind(value, term);
        self.e.jump(writes);
        let mut turns = BTreeMap::new();
        self.e.enter(reads);
        self.read((parts, at), from, &mut turns);
        self.e.jump(join);
        self.e.enter(writes);
        self.write_all(parts, true, &turns);
        self.e.jump(join);
        self.e.enter(join);
        end
    }

    /// Writes the parts of a compound: from the first on, or from where reading turns to writing.
    pub(super) fn write_all(
        &mut self,
        parts: &[Instr],
        from_first: bool,
        turns: &BTreeMap<usize, Block>,
    ) {
        let mut writes = from_first;
        for (i, part) in parts.iter().enumerate() {
            if writes {
                self.write(part);
            }
            if let Some(&turn) = turns.get(&i) {
                if writes {
                    self.e.jump(turn);
                }
                self.e.enter(turn);
                writes = true;
            }
        }
    }

    /// The parts of a compound that is there, whose arguments begin at an address. `turns` gets the blocks, by the number of
    /// their part, where a variable stands for a compound, which is to be written from there on.
    pub(super) fn read(
        &mut self,
        (parts, at): (&[Instr], usize),
        from: Value,
        turns: &mut BTreeMap<usize, Block>,
    ) {
        let (mut from, mut offset) = (from, 0);
        for (i, part) in parts.iter().enumerate() {
            match *part {
                Instr::UnifyVarX { x } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(x, value);
                }
                Instr::UnifyVarXX { x, w } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(x, value);
                    offset += CELL;
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(w, value);
                }
                Instr::UnifyVarY { y } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_y(y, value);
                }
                Instr::UnifyValX { x } => {
                    let (own, other) = (self.e.x(x), self.e.heap_cell(from, offset));
                    self.unify(own, other, at);
                }
                Instr::UnifyValY { y } => {
                    let (own, other) = (self.e.y(y), self.e.heap_cell(from, offset));
                    self.unify(own, other, at);
                }
                Instr::UnifyAtom { atom } => {
                    let value = self.e.heap_cell(from, offset);
                    self.unify_constant(value, Cell::atom(Atom(atom)));
                }
                Instr::UnifyInt { value: int } => {
                    let value = self.e.heap_cell(from, offset);
                    self.unify_constant(value, Cell::small(i64::from(int)));
                }
                Instr::UnifyVoid { n } => offset += CELL * (n as i32 - 1),
                Instr::UnifyTailList | Instr::UnifyTailStruct { .. } => {
                    let value = self.e.heap_cell(from, offset);
                    let turn = self.e.block();
                    turns.insert(i, turn);
                    from = self.enter_tail(part, value, turn);
                    offset = -CELL;
                }
                _ => unreachable!("a part"),
            }
            offset += CELL;
        }
    }

    /// Goes on in the compound in the last argument, or has a block go on writing it. Where its arguments are.
    pub(super) fn enter_tail(&mut self, part: &Instr, value: Value, turn: Block) -> Value {
        let value = self.e.deref(value);
        let fail = self.failing();
        let (inside, other) = (self.e.block(), self.e.block());
        let from = self.e.b.append_block_param(inside, I64);
        match *part {
            Instr::UnifyTailStruct { f } => {
                let functor = self.body.program.functors[f as usize];
                let tagged = self.e.has_tag(value, Tag::Struct);
                let header_at = self.e.block();
                self.e.branch(tagged, header_at, other);
                self.e.enter(header_at);
                let address = self.e.address(value, Tag::Struct);
                let header = self.e.heap_cell(address, 0);
                let same = self.e.is_constant(IntCC::Equal, header, functor.0);
                let args = self.e.b.ins().iadd_imm(address, i64::from(CELL));
                self.e.b.ins().brif(same, inside, &[arg(args)], fail, &[]);
                self.e.enter(other);
                let var = self.e.is_var(value);
                self.e.require(var, fail);
                let top = self.e.top();
                let functor = self.e.cell(functor);
                self.e.push(&[functor]);
                let term = self.e.with_tag(top, Tag::Struct);
                self.bind(value, term);
            }
            _ => {
                let list = self.e.has_tag(value, Tag::List);
                let address = self.e.address(value, Tag::List);
                self.e.b.ins().brif(list, inside, &[arg(address)], other, &[]);
                self.e.enter(other);
                let var = self.e.is_var(value);
                self.e.require(var, fail);
                let top = self.e.top();
                let term = self.e.with_tag(top, Tag::List);
                self.bind(value, term);
            }
        }
        self.e.jump(turn);
        self.e.enter(inside);
        from
    }

    /// Writes a part of a compound.
    pub(super) fn write(&mut self, part: &Instr) {
        match *part {
            Instr::UnifyVarX { x } => {
                let var = self.e.push_var();
                self.e.set_x(x, var);
            }
            Instr::UnifyVarXX { x, w } => {
                for x in [x, w] {
                    let var = self.e.push_var();
                    self.e.set_x(x, var);
                }
            }
            Instr::UnifyVarY { y } => {
                let var = self.e.push_var();
                self.e.set_y(y, var);
            }
            Instr::UnifyValX { x } => {
                let value = self.e.x(x);
                self.e.push(&[value]);
            }
            Instr::UnifyValY { y } => {
                let value = self.e.y(y);
                self.e.push(&[value]);
            }
            Instr::UnifyAtom { atom } => {
                let value = self.e.cell(Cell::atom(Atom(atom)));
                self.e.push(&[value]);
            }
            Instr::UnifyInt { value } => {
                let value = self.e.cell(Cell::small(i64::from(value)));
                self.e.push(&[value]);
            }
            Instr::UnifyVoid { n } => {
                for _ in 0..n {
                    self.e.push_var();
                }
            }
            Instr::UnifyTailList => {
                let top = self.e.top();
                let next = self.e.b.ins().iadd_imm(top, i64::from(CELL));
                let list = self.e.with_tag(next, Tag::List);
                self.e.push(&[list]);
            }
            Instr::UnifyTailStruct { f } => {
                let top = self.e.top();
                let next = self.e.b.ins().iadd_imm(top, i64::from(CELL));
                let term = self.e.with_tag(next, Tag::Struct);
                let functor = self.functor(f);
                self.e.push(&[term, functor]);
            }
            _ => unreachable!("a part"),
        }
    }
}
