//! What functions read and write: their input, tables, and the exit.

use super::super::HEAD;
use super::{Bit, Brand, Builder, Byte, Entry, Index, Int, Lanes, Value};
use cranelift_codegen::ir::types::{I8, I8X16, I32, I64};
use cranelift_codegen::ir::{self, InstBuilder, MemFlags, StackSlotData, StackSlotKind, Type};
use std::marker::PhantomData;

/// A value in the function's own memory.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'f>(ir::StackSlot, Brand<'f>);

/// Values that are kept.
impl<'f> Builder<'f> {
    /// Keeps a value in memory, for uses that are far away: registers are looked for in all that lies
    /// between a value and its last use, and where there are very many of both that takes long.
    pub fn keep(&mut self, value: Int<'f>) -> Kept<'f> {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_store(value.0, slot, 0);
        Kept(slot, PhantomData)
    }

    /// A value that was kept on all ways here.
    pub fn kept(&mut self, kept: Kept<'f>) -> Int<'f> {
        Value::new(self.b.ins().stack_load(I64, kept.0, 0))
    }
}

/// Input, tables and exit.
impl<'f> Builder<'f> {
    /// The address of a number of bytes of the input, as what is added to its begin.
    ///
    /// # Panics
    /// It is beyond 2³¹ bytes.
    fn place(&mut self, at: usize, bytes: usize) -> i32 {
        self.extent.reads = self.extent.reads.max(at + bytes);
        i32::try_from(at).expect("inputs are shorter")
    }

    fn input(&mut self, kind: Type, at: usize) -> ir::Value {
        let place = self.place(at, kind.bytes() as usize);
        // PERF: an input of packed bytes may lie anywhere.
        let flags = MemFlags::new().with_notrap().with_readonly();
        self.b.ins().load(kind, flags, self.input, place)
    }

    /// A byte of the input.
    pub fn input_byte(&mut self, at: usize) -> Byte<'f> {
        Value::new(self.input(I8, at))
    }

    /// Eight bytes of the input, from that byte on.
    pub fn input_int(&mut self, at: usize) -> Int<'f> {
        Value::new(self.input(I64, at))
    }

    /// Sixteen bytes of the input, from that byte on.
    pub fn input_lanes(&mut self, at: usize) -> Lanes<'f> {
        Value::new(self.input(I8X16, at))
    }

    fn entry<E: Entry>(&mut self, begin: *const E, index: ir::Value) -> Int<'f> {
        let begin = self.b.ins().iconst(I64, begin as i64);
        let offset = self.b.ins().ishl_imm(index, E::SHIFT);
        let address = self.b.ins().iadd(begin, offset);
        let flags = MemFlags::trusted().with_readonly();
        let kind = if E::SHIFT == 3 { I64 } else { I32 };
        let value = self.b.ins().load(kind, flags, address, 0);
        Value::new(match E::SHIFT {
            3 => value,
            _ if E::SIGNED => self.b.ins().sextend(I64, value),
            _ => self.b.ins().uextend(I64, value),
        })
    }

    /// An entry of a table.
    pub fn look_up<E: Entry>(&mut self, table: &'f [E; 256], index: Index<'f>) -> Int<'f> {
        self.entry(table.as_ptr(), index.0)
    }

    /// An entry of a table of any length; the last one if there are fewer.
    ///
    /// # Panics
    /// The table is empty.
    pub fn look_up_within<E: Entry>(&mut self, table: &'f [E], index: Int<'f>) -> Int<'f> {
        let last = i64::try_from(table.len()).expect("tables are shorter") - 1;
        assert!(last >= 0, "there is an entry");
        let last = self.b.ins().iconst(I64, last);
        let index = self.b.ins().umin(index.0, last);
        self.entry(table.as_ptr(), index)
    }

    /// What the function was given: the second word of the exit, as it was when it was called.
    pub fn given(&mut self) -> Int<'f> {
        Value::new(self.given)
    }

    /// What the function answers: the second word of the exit.
    pub fn answer(&mut self, value: Int<'f>) {
        self.b.ins().store(MemFlags::trusted(), value.0, self.exit, 8);
    }

    fn store(&mut self, value: ir::Value, at: usize, words: usize) {
        let cursor = self.cursor.expect("the function puts down");
        self.extent.room = self.extent.room.max(HEAD + self.put + at + words);
        let cursor = self.b.use_var(cursor);
        let place = i32::try_from(8 * at).expect("exits are shorter");
        self.b.ins().store(MemFlags::trusted(), value, cursor, place);
    }

    /// Puts a word down, N words behind the cursor.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn put(&mut self, at: usize, value: Int<'f>) {
        self.store(value.0, at, 1);
    }

    /// Puts two words down, N words behind the cursor.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn put_lanes(&mut self, at: usize, value: Lanes<'f>) {
        self.store(value.0, at, 2);
    }

    /// Moves the cursor on by as many words; if `fewer` holds, by its number instead.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn advance(&mut self, words: usize, fewer: Option<(Bit<'f>, usize)>) {
        let cursor = self.cursor.expect("the function puts down");
        let at = self.b.use_var(cursor);
        let mut next = self.b.ins().iadd_imm(at, 8 * words as i64);
        let mut most = words;
        if let Some((holds, words)) = fewer {
            let bare = self.b.ins().iadd_imm(at, 8 * words as i64);
            next = self.b.ins().select(holds.0, bare, next);
            most = most.max(words);
        }
        self.b.def_var(cursor, next);
        self.put += most;
        self.extent.room = self.extent.room.max(HEAD + self.put);
    }
}
