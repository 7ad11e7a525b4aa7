//! Compounds that are matched, or made where a variable stands for one.

use super::{Clause, constant};
use crate::instr::Instr;
use crate::native::emit::CELL;
use std::collections::BTreeMap;
use zug_jit::codegen::ir::{Block, Value};
use zug_term::{Cell, Tag};

impl Clause<'_, '_, '_> {
    /// Matches a compound, or makes it: `Get…` and the `Unify…` instructions behind it. The next place.
    pub(super) fn compound(&mut self, at: usize) -> usize {
        let (e, code) = (self.e, self.body.code);
        let pair;
        let (a, functor, parts, end): (u16, Option<Cell>, &[Instr], usize) = match code[at] {
            Instr::GetListXX { a, h, t } => {
                pair = [Instr::UnifyVarX { x: h }, Instr::UnifyVarX { x: t }];
                (a, None, &pair, at + 1)
            }
            Instr::GetListVX { a, h, t } => {
                pair = [Instr::UnifyValX { x: h }, Instr::UnifyVarX { x: t }];
                (a, None, &pair, at + 1)
            }
            get => {
                let (a, functor) = match get {
                    Instr::GetStruct { a, f } => (a, Some(self.body.program.functors[f as usize])),
                    Instr::GetList { a } => (a, None),
                    _ => unreachable!("a compound begins there"),
                };
                let rest = &code[at + 1..];
                let jumped = |i: usize| self.labels.contains_key(&(at + 1 + i));
                let many = (0..rest.len()).take_while(|&i| rest[i].is_part() && !jumped(i)).count();
                (a, functor, &rest[..many], at + 1 + many)
            }
        };
        let mut turns = BTreeMap::new();
        let value = e.x(a);
        if e.known(a) == Some(functor.unwrap_or(Cell::list(0))) {
            let from = match functor {
                None => e.address(value, Tag::List),
                Some(_) => e.iadd_imm(value, i64::from(CELL) - Tag::Struct as i64),
            };
            self.read((parts, at), from, &mut turns);
            if !turns.is_empty() {
                let join = e.block();
                e.jump(join);
                self.write_all(parts, false, &turns);
                e.jump(join);
                e.enter(join);
            }
            return end;
        }
        let value = e.deref(value);
        let ((reads, from), [writes, join]) = (e.taking(), e.blocks());
        self.match_or_bind(value, functor, reads, writes);
        e.enter(reads);
        self.read((parts, at), from, &mut turns);
        e.jump(join);
        e.enter(writes);
        self.write_all(parts, true, &turns);
        e.jump(join);
        e.enter(join);
        end
    }

    /// Writes the parts of a compound: from the first on, or from where reading turns to writing.
    fn write_all(&self, parts: &[Instr], from_first: bool, turns: &BTreeMap<usize, Block>) {
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
    fn read(
        &mut self,
        (parts, at): (&[Instr], usize),
        mut from: Value,
        turns: &mut BTreeMap<usize, Block>,
    ) {
        let e = self.e;
        let mut offset = 0;
        for (i, part) in parts.iter().enumerate() {
            match *part {
                Instr::UnifyVarX { x } => e.set_x(x, e.heap_cell(from, offset)),
                Instr::UnifyVarXX { x, w } => {
                    e.set_x(x, e.heap_cell(from, offset));
                    offset += CELL;
                    e.set_x(w, e.heap_cell(from, offset));
                }
                Instr::UnifyVarY { y } => e.set_y(y, e.heap_cell(from, offset)),
                Instr::UnifyValX { x } => self.unify(e.x(x), e.heap_cell(from, offset), at),
                Instr::UnifyValY { y } => self.unify(e.y(y), e.heap_cell(from, offset), at),
                Instr::UnifyVoid { n } => offset += CELL * (n as i32 - 1),
                Instr::UnifyTailList | Instr::UnifyTailStruct { .. } => {
                    let (turn, (inside, args)) = (e.block(), e.taking());
                    turns.insert(i, turn);
                    let functor = match *part {
                        Instr::UnifyTailStruct { f } => {
                            Some(self.body.program.functors[f as usize])
                        }
                        _ => None,
                    };
                    let value = e.deref(e.heap_cell(from, offset));
                    self.match_or_bind(value, functor, inside, turn);
                    e.enter(inside);
                    (from, offset) = (args, -CELL);
                }
                _ => {
                    let constant = constant(part).expect("a part");
                    self.unify_constant(e.heap_cell(from, offset), constant);
                }
            }
            offset += CELL;
        }
    }

    /// Goes to `reads`, with the address of its arguments, if a cell is a compound with this functor, or a list; to `writes`
    /// if it is a variable, which is bound to one whose arguments are to follow on the heap; else it fails.
    fn match_or_bind(&mut self, value: Value, functor: Option<Cell>, reads: Block, writes: Block) {
        let (e, other, fail) = (self.e, self.e.block(), self.failing());
        match functor {
            None => {
                let address = e.address(value, Tag::List);
                e.branch_with(e.has_tag(value, Tag::List), (reads, &[address]), (other, &[]));
            }
            Some(functor) => {
                e.require(e.has_tag(value, Tag::Struct), other);
                let address = e.address(value, Tag::Struct);
                let same = e.equals(e.heap_cell(address, 0), functor.0);
                let args = e.iadd_imm(address, i64::from(CELL));
                e.branch_with(same, (reads, &[args]), (fail, &[]));
            }
        }
        e.enter(other);
        e.require(e.is_var(value), fail);
        let top = e.top();
        let term = match functor {
            None => e.with_tag(top, Tag::List),
            Some(functor) => {
                e.push(&[e.cell(functor)]);
                e.with_tag(top, Tag::Struct)
            }
        };
        self.bind(value, term);
        e.jump(writes);
    }

    /// Writes a part of a compound: of a head, or of a body.
    pub(super) fn write(&self, part: &Instr) {
        let e = self.e;
        match *part {
            Instr::UnifyVarX { x } => e.set_x(x, e.push_var()),
            Instr::UnifyVarXX { x, w } => [x, w].into_iter().for_each(|x| e.set_x(x, e.push_var())),
            Instr::UnifyVarY { y } => e.set_y(y, e.push_var()),
            Instr::UnifyValX { x } | Instr::SetX { x } => e.push(&[e.x(x)]),
            Instr::UnifyValY { y } | Instr::SetY { y } => e.push(&[e.y(y)]),
            Instr::UnifyVoid { n } | Instr::SetVoid { n } => (0..n).for_each(|_| {
                e.push_var();
            }),
            Instr::UnifyTailList => self.push_pointer(Tag::List, 1),
            Instr::UnifyTailStruct { f } => {
                let next = e.iadd_imm(e.top(), i64::from(CELL));
                e.push(&[e.with_tag(next, Tag::Struct), self.functor(f)]);
            }
            _ => e.push(&[e.cell(constant(part).expect("a part"))]),
        }
    }
}
