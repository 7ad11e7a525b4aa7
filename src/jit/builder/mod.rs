//! What a function does, block by block.

mod arithmetic;
mod blocks;
mod kinds;
mod memory;
mod wide;

use super::HEAD;
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{self, InstBuilder, MemFlags};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
pub use kinds::{Bit, Bits, Byte, Compare, Entry, Float, Index, Int, Lanes, Value};
pub use memory::Kept;
use std::marker::PhantomData;

/// Ties what it is part of to one builder: a lifetime that no other has.
type Brand<'f> = PhantomData<fn(&'f ()) -> &'f ()>;

/// A stretch of a function that is run from its begin to its end.
#[derive(Clone, Copy, Debug)]
pub struct Block<'f>(ir::Block, Brand<'f>);

/// What a function may read and write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Bytes of the input.
    pub reads: usize,
    /// Words of the exit.
    pub room: usize,
}

/// A loop through the places of a plane, whose bodies are built.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'f>(usize, Brand<'f>);

/// What is known of a loop.
struct LoopState {
    header: ir::Block,
    /// The most words that were put down before it.
    put: usize,
    /// By body: its context, and the most words that it puts down.
    bodies: Vec<(Context, usize)>,
    /// What comes behind it.
    then: ir::Block,
    /// Nothing may be added to its bodies any more.
    closed: bool,
}

/// What a block is part of: a body of a loop, or, as 0, of none. A block is part of one.
type Context = usize;

/// How far a block is.
#[derive(Clone, Copy)]
enum Progress {
    /// The most words that were put down on a way there, if there is one.
    Before(Option<usize>),
    Entered,
}

/// Builds a function. Operations go to the block that was entered last, which ends with a jump, a
/// branch or by leaving the function. A block is entered once, behind all ends that lead to it;
/// what is entered first is there from the begin.
pub struct Builder<'f> {
    b: FunctionBuilder<'f>,
    input: ir::Value,
    exit: ir::Value,
    given: ir::Value,
    /// Behind what was put down.
    cursor: Option<cranelift_frontend::Variable>,
    extent: Extent,
    /// The most words that were put down before this place.
    put: usize,
    /// By block.
    progress: Vec<Progress>,
    /// By block, where it was led to.
    contexts: Vec<Option<Context>>,
    /// The loop of a context.
    loop_of: Vec<Option<usize>>,
    context: Context,
    loops: Vec<LoopState>,
    brand: Brand<'f>,
}

impl<'f> Builder<'f> {
    /// A function of nothing yet; with `puts_down` it has a cursor.
    pub(super) fn new(
        function: &'f mut ir::Function,
        parts: &'f mut FunctionBuilderContext,
        puts_down: bool,
    ) -> Self {
        let mut b = FunctionBuilder::new(function, parts);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let [input, exit] = [0, 1].map(|i| b.block_params(entry)[i]);
        // Dead code where nobody asks for it.
        let given = b.ins().load(I64, MemFlags::trusted(), exit, 8);
        let cursor = puts_down.then(|| b.declare_var(I64));
        if let Some(cursor) = cursor {
            let begin = b.ins().iadd_imm(exit, 8 * HEAD as i64);
            b.def_var(cursor, begin);
        }
        let extent = Extent { reads: 0, room: HEAD };
        let mut progress = vec![Progress::Before(None); entry.index()];
        progress.push(Progress::Entered);
        Builder {
            b,
            input,
            exit,
            given,
            cursor,
            extent,
            put: 0,
            contexts: vec![Some(0); progress.len()],
            progress,
            loop_of: vec![None],
            context: 0,
            loops: Vec::new(),
            brand: PhantomData,
        }
    }

    pub(super) fn finish(mut self) -> Extent {
        let open = |progress: &&Progress| matches!(progress, Progress::Before(Some(_)));
        assert!(self.progress.iter().find(open).is_none(), "a block is led to and never entered");
        assert!(self.b.current_block().is_none_or(|_| self.is_ended()), "a block has no end");
        self.b.seal_all_blocks();
        self.b.finalize();
        self.extent
    }
}
