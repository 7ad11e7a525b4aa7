//! Blocks, and how they end.

use super::{Bits, Block, Builder, Int, Loop, LoopState, Progress, Value};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{self, BlockArg, BlockCall, InstBuilder, JumpTableData, MemFlags};
use std::marker::PhantomData;

/// Blocks.
impl<'f> Builder<'f> {
    /// A new block.
    pub fn block(&mut self) -> Block<'f> {
        let block = self.b.create_block();
        debug_assert_eq!(block.index(), self.progress.len());
        self.progress.push(Progress::Before(None));
        self.contexts.push(None);
        Block(block, PhantomData)
    }

    /// Whether the block that was entered last has its end.
    pub(super) fn is_ended(&self) -> bool {
        let last = |block| self.b.func.layout.last_inst(block);
        let end = self.b.current_block().and_then(last);
        end.is_some_and(|end| self.b.func.dfg.insts[end].opcode().is_terminator())
    }

    /// Goes on with a block.
    ///
    /// # Panics
    /// It was entered before, or the block before it has no end.
    pub fn enter(&mut self, block: Block<'f>) {
        assert!(self.is_ended(), "a block has no end");
        let progress = &mut self.progress[block.0.index()];
        match std::mem::replace(progress, Progress::Entered) {
            Progress::Before(put) => self.put = put.unwrap_or(0),
            Progress::Entered => panic!("a block is entered twice"),
        }
        self.context = self.contexts[block.0.index()].unwrap_or(0);
        let own = self.loop_of[self.context];
        assert!(own.is_none_or(|own| !self.loops[own].closed), "a body is added to a loop's end");
        for this in &mut self.loops {
            if this.then == block.0 {
                this.closed = true;
                let all = this.bodies.iter().map(|&(_, put)| put).sum::<usize>();
                self.put = this.put + all;
                // Wherever a body puts something down, all others may have done so before.
                self.extent.room += all;
            }
        }
        self.b.switch_to_block(block.0);
        self.b.seal_block(block.0);
    }

    /// Says that a block is hardly ever run.
    pub fn set_cold(&mut self, block: Block<'f>) {
        self.b.set_cold_block(block.0);
    }

    /// There is a way from here to a block.
    #[inline]
    fn lead(&mut self, block: Block<'f>) -> ir::Block {
        let context = self.contexts[block.0.index()].get_or_insert(self.context);
        assert!(*context == self.context, "a block is part of two bodies of loops");
        match &mut self.progress[block.0.index()] {
            Progress::Before(put) => *put = Some(put.map_or(self.put, |put| put.max(self.put))),
            Progress::Entered => panic!("a block is led to after it was entered"),
        }
        block.0
    }

    /// Ends the block: goes on there.
    pub fn jump(&mut self, block: Block<'f>) {
        let block = self.lead(block);
        self.b.ins().jump(block, &[]);
    }

    /// Ends the block: goes on in `then` if it holds, or is not zero, or else in `other`.
    pub fn branch<T: Bits>(&mut self, holds: Value<'f, T>, then: Block<'f>, other: Block<'f>) {
        let [then, other] = [then, other].map(|block| self.lead(block));
        self.b.ins().brif(holds.0, then, &[], other, &[]);
    }

    /// Ends the block: goes on in the block of that number, or in `other` if there is none. Of
    /// the index the low 32 bits count, without sign.
    pub fn jump_table(&mut self, index: Int<'f>, blocks: &[Block<'f>], other: Block<'f>) {
        let index = self.b.ins().ireduce(I32, index.0);
        let none: [BlockArg; 0] = [];
        let call = |this: &mut Self, block| {
            let block = this.lead(block);
            BlockCall::new(block, none, &mut this.b.func.dfg.value_lists)
        };
        let other = call(self, other);
        let calls: Vec<_> = blocks.iter().map(|&block| call(self, block)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(other, &calls));
        self.b.ins().br_table(index, table);
    }

    /// Ends the block: goes through the bits of a plane, the lowest first, to the blocks for their places; behind the
    /// last, to `then`, which is entered when all bodies are built. What there is no block for is left out.
    ///
    /// # Panics
    /// Places do not ascend below 64, or a block was led to before.
    pub fn each_bit(
        &mut self,
        plane: Int<'f>,
        places: &[(u8, Block<'f>)],
        then: Block<'f>,
    ) -> Loop<'f> {
        assert!(places.is_sorted_by(|one, other| one.0 < other.0), "places ascend");
        assert!(places.last().is_none_or(|last| last.0 < 64), "a plane has 64 places");
        let left = self.b.declare_var(I64);
        self.b.def_var(left, plane.0);
        let [header, pick] = [self.block(), self.block()];
        for inner in [header, pick] {
            self.contexts[inner.0.index()] = Some(self.context);
            self.progress[inner.0.index()] = Progress::Entered;
        }
        // The header is sealed at the end, as bodies lead back to it.
        self.b.ins().jump(header.0, &[]);
        self.b.switch_to_block(header.0);
        let bits = self.b.use_var(left);
        let then_block = self.lead(then);
        self.b.ins().brif(bits, pick.0, &[], then_block, &[]);
        self.b.switch_to_block(pick.0);
        self.b.seal_block(pick.0);
        let place = self.b.ins().ctz(bits);
        let less = self.b.ins().iadd_imm(bits, -1);
        let rest = self.b.ins().band(bits, less);
        self.b.def_var(left, rest);
        let number = self.loops.len();
        let outer = self.context;
        let call = |this: &mut Self, block: ir::Block| {
            // Each entry has a list of its own, as arguments are added to it.
            let none: [BlockArg; 0] = [];
            BlockCall::new(block, none, &mut this.b.func.dfg.value_lists)
        };
        let mut calls = Vec::with_capacity(64);
        let mut bodies = Vec::with_capacity(places.len());
        for &(at, block) in places {
            let fresh = matches!(self.progress[block.0.index()], Progress::Before(None));
            assert!(fresh, "a body was led to before");
            self.loop_of.push(Some(number));
            self.context = self.loop_of.len() - 1;
            bodies.push((self.context, 0));
            let block = self.lead(block);
            while calls.len() < usize::from(at) {
                calls.push(call(self, header.0));
            }
            calls.push(call(self, block));
        }
        self.context = outer;
        let skip = call(self, header.0);
        let place = self.b.ins().ireduce(I32, place);
        let table = self.b.create_jump_table(JumpTableData::new(skip, &calls));
        self.b.ins().br_table(place, table);
        let state =
            LoopState { header: header.0, put: self.put, bodies, then: then.0, closed: false };
        self.loops.push(state);
        Loop(number, PhantomData)
    }

    /// Ends the block, which is in a body of the loop: goes on with the next place.
    ///
    /// # Panics
    /// It is not in a body of this loop.
    pub fn next(&mut self, within: Loop<'f>) {
        let (put, context) = (self.put, self.context);
        let this = &mut self.loops[within.0];
        let body = this.bodies.iter_mut().find(|(body, _)| *body == context);
        let (_, most) = body.expect("it is in a body of the loop");
        *most = (*most).max(put - this.put);
        self.b.ins().jump(this.header, &[]);
    }

    /// Ends the block, and the function with a status.
    pub fn leave(&mut self, status: i64) {
        if let Some(cursor) = self.cursor {
            let end = self.b.use_var(cursor);
            self.b.ins().store(MemFlags::trusted(), end, self.exit, 0);
        }
        let status = self.b.ins().iconst(I64, status);
        self.b.ins().return_(&[status]);
    }
}
