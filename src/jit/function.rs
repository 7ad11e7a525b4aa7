//! A compiled function and the memory that it lies in: all that is unsafe here.

use super::builder::{Builder, Extent};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, types::I64};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// Gets the input and the exit; returns a status.
type Entry = unsafe extern "C" fn(*const u8, *mut i64) -> i64;

/// A compiled function, with the memory that it lies in, which it gives back when it is dropped.
pub struct Function {
    entry: Entry,
    /// What it may read and write.
    extent: Extent,
    /// The tables that it reads.
    _tables: Arc<dyn Any + Send + Sync>,
    _code: Code,
}

/// The module of compiled functions, whose memory is freed on drop.
pub(super) struct Code(Option<JITModule>);

#[expect(unsafe_code, reason = "a module does not say that it may be moved to another thread")]
// SAFETY: a module is made of parts that are `Send`, but for its source of memory, which is a
// trait object; here it is always cranelift-jit's own, which keeps blocks of the allocator.
unsafe impl Send for Code {}

#[expect(unsafe_code, reason = "a module does not say that several threads may look at it")]
// SAFETY: only `Drop` accesses the module of finished functions, and has it alone. What may be
// called from several threads at once is the code, which is made executable, and no more written, before there is a
// `Function` or an `Assembly`: cranelift-jit clears the caches and flushes the pipelines of all threads then. The code of
// a `Function` reads its input and tables that are `Sync`, and writes to its stack and the caller's own exit.
unsafe impl Sync for Code {}

impl Code {
    pub fn new(isa: &OwnedTargetIsa) -> Code {
        let builder = JITBuilder::with_isa(isa.clone(), default_libcall_names());
        Code(Some(JITModule::new(builder)))
    }

    pub fn module(&mut self) -> &mut JITModule {
        self.0.as_mut().expect("it goes with this")
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let Some(module) = self.0.take() else { return };
        #[expect(unsafe_code, reason = "functions are freed")]
        // SAFETY: the address of the one function of a `Function` is known to that alone, which is going and is not
        // running, as it is borrowed while it runs. Addresses of an `Assembly` are known to whoever built it, who keeps it
        // as long as them (`Assembly::address`).
        unsafe {
            module.free_memory();
        }
    }
}

/// What inputs are made of: all bits are significant and none is padding.
pub trait Plain: sealed::Sealed {}
impl Plain for u8 {}
impl Plain for i64 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for i64 {}
}

/// How much is done for fast code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// What is computed twice is computed once, wherever in the function that is.
    Full,
    /// Operations are compiled as they stand. Of functions with thousands of operations that takes a
    /// fraction of the time: what is computed once for uses far apart needs a register all the way.
    Little,
}

/// The processor.
fn isa(effort: Effort) -> Option<&'static OwnedTargetIsa> {
    static ISAS: [OnceLock<Option<OwnedTargetIsa>>; 2] = [OnceLock::new(), OnceLock::new()];
    ISAS[effort as usize].get_or_init(|| make_isa(effort, false)).as_ref()
}

/// The processor, for functions that call each other last.
pub(super) fn calling_isa() -> Option<&'static OwnedTargetIsa> {
    static ISA: OnceLock<Option<OwnedTargetIsa>> = OnceLock::new();
    ISA.get_or_init(|| make_isa(Effort::Full, true)).as_ref()
}

fn make_isa(effort: Effort, last_calls: bool) -> Option<OwnedTargetIsa> {
    // Others may lack some operation: the compiler would panic.
    let known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    if !known || !cfg!(all(target_pointer_width = "64", target_endian = "little")) {
        return None;
    }
    let flag = |is_set| if is_set { "true" } else { "false" };
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if effort == Effort::Full { "speed" } else { "none" }),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_verifier", flag(cfg!(debug_assertions))),
        ("unwind_info", "false"),
        // Last calls rely on them.
        ("preserve_frame_pointers", flag(last_calls)),
        // Frames of many kept values are larger than the page that guards the stack.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}

/// Makes a function: `build` says what it does, and may take tables from `tables`, which the
/// function holds. With `puts_down` it has a cursor. `None` if that can't be done on this
/// processor, or the function is too large for the compiler.
///
/// # Panics
/// `build` leaves a block that is led to without its end, or breaks another rule of the [`Builder`].
pub fn compile<T: Send + Sync + 'static>(
    tables: Arc<T>,
    puts_down: bool,
    effort: Effort,
    build: impl for<'f> FnOnce(&mut Builder<'f>, &'f T),
) -> Option<Function> {
    let mut code = Code::new(isa(effort)?);
    let (address, extent) = define(code.module(), &*tables, puts_down, build)?;
    #[expect(unsafe_code, reason = "compiled code has an address")]
    // SAFETY: `define` gave the function there this signature, in the processor's own calling convention.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
    Some(Function { entry, extent, _tables: tables, _code: code })
}

/// Compiles a function into a module: its address, and what it reads and writes.
fn define<T>(
    module: &mut JITModule,
    tables: &T,
    puts_down: bool,
    build: impl for<'f> FnOnce(&mut Builder<'f>, &'f T),
) -> Option<(*const u8, Extent)> {
    let mut context = Context::new();
    context.func.signature = module.make_signature();
    context.func.signature.params = vec![AbiParam::new(I64); 2];
    context.func.signature.returns = vec![AbiParam::new(I64)];
    let mut parts = FunctionBuilderContext::new();
    let mut builder = Builder::new(&mut context.func, &mut parts, puts_down);
    build(&mut builder, tables);
    let extent = builder.finish();
    let function = module.declare_anonymous_function(&context.func.signature).ok()?;
    module.define_function(function, &mut context).ok()?;
    module.finalize_definitions().ok()?;
    Some((module.get_finalized_function(function), extent))
}

impl Function {
    /// Words that an exit has to have.
    pub fn room(&self) -> usize {
        self.extent.room
    }

    /// Runs the function on an input: the status that it leaves with.
    ///
    /// # Panics
    /// The input has fewer bytes than the function reads, or the exit fewer words than [`Function::room`].
    #[inline]
    pub fn call<P: Plain>(&self, input: &[P], exit: &mut [i64]) -> i64 {
        assert!(size_of_val(input) >= self.extent.reads, "the input is as long as it is read");
        assert!(exit.len() >= self.extent.room, "there is room in the exit");
        #[expect(unsafe_code, reason = "compiled code is called")]
        // SAFETY: the module is alive, as it goes with `self`. The function reads `extent.reads`
        // bytes of the input, of any alignment, and tables that `self._tables` holds, within
        // their length; it writes at most `extent.room` words of the exit (see the crate's text).
        unsafe {
            (self.entry)(input.as_ptr().cast(), exit.as_mut_ptr())
        }
    }
}
