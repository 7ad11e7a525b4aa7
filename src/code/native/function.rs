//! A compiled function and the memory that it lies in: all that is unsafe here.

use super::Purpose;
use super::order::Order;
use super::translate::translate;
use crate::code::{Code, Sum, Width};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, types::I64};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::sync::{Arc, OnceLock};

/// Gets the state, or the words of its leaves, and the exit, an array of words; returns a [`super::translate::status`].
type Entry = unsafe extern "C" fn(*const u8, *mut i64) -> i64;

/// A compiled function. It reads the leaves, tables and ranks of its code, writes to its exit,
/// calls nothing and does not trap.
pub struct Function {
    entry: Entry,
    width: Width,
    /// How many bytes, or words, it may read.
    reads: usize,
    /// How many words it may write.
    room: usize,
    /// They hold the tables that it reads.
    _tables: (Arc<Code>, Option<Arc<Sum>>),
    module: Option<JITModule>,
}

#[expect(unsafe_code, reason = "a module does not say that it may be moved to another thread")]
// SAFETY: a module is made of parts that are `Send`, but for its source of memory, which is a
// trait object; here it is always cranelift-jit's own, which keeps blocks of the allocator.
unsafe impl Send for Function {}

/// The processor.
fn isa() -> Option<&'static OwnedTargetIsa> {
    static ISA: OnceLock<Option<OwnedTargetIsa>> = OnceLock::new();
    // Others may lack some operation: the compiler would panic.
    let known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    if !known || !cfg!(all(target_pointer_width = "64", target_endian = "little")) {
        return None;
    }
    let make = || {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("unwind_info", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
    };
    ISA.get_or_init(make).as_ref()
}

impl Function {
    /// Compiles code, which writes `room` words at most; `None` if that can't be done here.
    pub fn compile(
        code: &Arc<Code>,
        order: &Order,
        purpose: Purpose<'_>,
        room: usize,
    ) -> Option<Function> {
        let builder = JITBuilder::with_isa(isa()?.clone(), default_libcall_names());
        let mut module = JITModule::new(builder);
        let address = define(&mut module, code, order, purpose);
        let Some(address) = address else {
            free(module);
            return None;
        };
        #[expect(unsafe_code, reason = "compiled code has an address")]
        // SAFETY: `define` gave the function there this signature, in the processor's own
        // calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        let Purpose { width, layout, .. } = purpose;
        let reads = match width {
            Width::Bytes => (layout.before + code.leaves).max(8 * layout.words),
            Width::Words => code.leaves,
        };
        let _tables = (code.clone(), purpose.sum.cloned());
        Some(Function { entry, width, reads, room, _tables, module: Some(module) })
    }

    /// Runs the function on a packed state, with leaves of one byte each, or on words, as it was
    /// made for: what it returns.
    ///
    /// # Panics
    /// There are not as many bytes or words as the code reads, or not enough room.
    #[inline]
    pub fn call(&self, state: &[u8], words: &[i64], exit: &mut [i64]) -> i64 {
        let (count, start) = match self.width {
            Width::Bytes => (state.len(), state.as_ptr()),
            Width::Words => (words.len(), words.as_ptr().cast()),
        };
        assert!(count >= self.reads, "code is for a number of leaves");
        assert!(exit.len() >= self.room, "there is room for all moves");
        #[expect(unsafe_code, reason = "compiled code is called")]
        // SAFETY: the module is alive, as it goes with `self`. The function reads the state or
        // the words, which were counted, and tables that `self._tables` holds; it writes at most
        // `self.room` words of the exit, as no block of it runs twice.
        unsafe {
            (self.entry)(start, exit.as_mut_ptr())
        }
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            free(module);
        }
    }
}

/// Gives the memory of functions back.
fn free(module: JITModule) {
    #[expect(unsafe_code, reason = "functions are freed")]
    // SAFETY: the address of the one function in it is known to a `Function` at most, which
    // is going and is not running, as it is borrowed while it runs.
    unsafe {
        module.free_memory();
    }
}

/// Compiles a function into a module: its address.
fn define(
    module: &mut JITModule,
    code: &Code,
    order: &Order,
    purpose: Purpose<'_>,
) -> Option<*const u8> {
    let mut context = Context::new();
    context.func.signature = module.make_signature();
    context.func.signature.params = vec![AbiParam::new(I64); 2];
    context.func.signature.returns = vec![AbiParam::new(I64)];
    let mut builder = FunctionBuilderContext::new();
    translate(code, order, purpose, &mut context.func, &mut builder);
    let function = module.declare_anonymous_function(&context.func.signature).ok()?;
    module.define_function(function, &mut context).ok()?;
    module.finalize_definitions().ok()?;
    Some(module.get_finalized_function(function))
}
