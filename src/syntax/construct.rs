//! Building terms from what a clause's stacks hold.

use super::clause::Clause;
use super::stacks::{Frame, FrameKind, Operand, Stacks};
use zug_term::Cell;
use zug_term::symbol::Atom;

impl Clause<'_> {
    /// Builds the term of the innermost waiting operator.
    pub(super) fn reduce(&mut self) {
        let op = self.stacks.ops.pop().expect("called with an operator pending");
        let right = self.pop_operand();
        if op.prefix {
            self.build(op.name, &[right], op.start, right.end, op.priority);
        } else {
            let left = self.pop_operand();
            self.build(op.name, &[left, right], left.start, right.end, op.priority);
        }
    }

    pub(super) fn reduce_all(&mut self) {
        let base = self.frame().ops as usize;
        while self.stacks.ops.len() > base {
            self.reduce();
        }
    }

    pub(super) fn build<const N: usize>(
        &mut self,
        name: Atom,
        args: &[Operand; N],
        start: u32,
        end: u32,
        priority: u16,
    ) {
        let cell = self.heap.new_struct(name, &args.map(|arg| arg.cell));
        let at = cell.addr() + usize::from(cell.is_struct());
        let spans = args.iter().enumerate().map(|(i, arg)| (at + i, arg.span()));
        self.stacks.spans.extend(spans);
        self.push(cell, start, end, priority);
    }

    pub(super) fn close_args(&mut self, frame: Frame, end: u32) {
        let Stacks { operands, cells, spans, .. } = &mut *self.stacks;
        let args = &operands[frame.operands as usize..];
        cells.clear();
        cells.extend(args.iter().map(|arg| arg.cell));
        let cell = self.heap.new_struct(frame.name, cells);
        let at = cell.addr() + usize::from(cell.is_struct());
        spans.extend(args.iter().enumerate().map(|(i, arg)| (at + i, arg.span())));
        operands.truncate(frame.operands as usize);
        self.push(cell, frame.start, end, 0);
    }

    pub(super) fn close_list(&mut self, frame: Frame, end: u32) {
        let Stacks { operands, spans, .. } = &mut *self.stacks;
        let mut items = &operands[frame.operands as usize..];
        let mut tail = None;
        if frame.kind == FrameKind::Tail
            && let Some((last, rest)) = items.split_last()
        {
            tail = Some(*last);
            items = rest;
        }
        let first = self.heap.top();
        for item in items {
            let at = self.heap.push(item.cell);
            spans.push((at, item.span()));
            self.heap.push(Cell::list(at + 2));
        }
        let last = self.heap.top() - 1;
        self.heap.set(last, tail.map_or(Cell::NIL, |tail| tail.cell));
        spans.extend(tail.map(|tail| (last, tail.span())));
        operands.truncate(frame.operands as usize);
        self.push(Cell::list(first), frame.start, end, 0);
    }
}
