//! Several functions that are put together at run time without the rules of [`Builder`](super::Builder): for the
//! machine's own code, which lives on its stacks. Who builds them answers for what they do.

use super::function::{calling_isa, free};
use cranelift_codegen::Context;
use cranelift_codegen::{ir, isa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

/// Functions with the memory that they lie in, which is given back when this is dropped.
pub struct Assembly {
    module: Option<JITModule>,
    addresses: Box<[usize]>,
}

#[expect(unsafe_code, reason = "a module does not say that it may be moved to another thread")]
// SAFETY: as that of a `Function`.
unsafe impl Send for Assembly {}

#[expect(unsafe_code, reason = "a module does not say that several threads may look at it")]
// SAFETY: as that of a `Function`: nobody looks at the module again but `Drop`.
unsafe impl Sync for Assembly {}

/// How the functions of the program that was compiled before are called: those of `extern "C"`.
pub fn outer_convention() -> Option<isa::CallConv> {
    Some(calling_isa()?.default_call_conv())
}

/// A function to be built.
pub type Build<'b> = dyn FnMut(&mut FunctionBuilder<'_>) + 'b;

impl Assembly {
    /// Makes functions, each with its signature and what builds its body. `None` if that can't be done on this
    /// processor, or one is too large for the compiler.
    pub fn make(parts: &mut [(ir::Signature, Box<Build<'_>>)]) -> Option<Assembly> {
        let builder = JITBuilder::with_isa(calling_isa()?.clone(), default_libcall_names());
        let mut module = JITModule::new(builder);
        let mut context = Context::new();
        let mut scratch = FunctionBuilderContext::new();
        let mut made = Vec::with_capacity(parts.len());
        for (signature, build) in parts {
            module.clear_context(&mut context);
            context.func.signature = signature.clone();
            let mut builder = FunctionBuilder::new(&mut context.func, &mut scratch);
            build(&mut builder);
            builder.seal_all_blocks();
            builder.finalize();
            let id = module.declare_anonymous_function(signature).ok();
            match id.filter(|&id| module.define_function(id, &mut context).is_ok()) {
                Some(id) => made.push(id),
                None => {
                    free(module);
                    return None;
                }
            }
        }
        if module.finalize_definitions().is_err() {
            free(module);
            return None;
        }
        let address = |&id| module.get_finalized_function(id) as usize;
        let addresses = made.iter().map(address).collect();
        Some(Assembly { module: Some(module), addresses })
    }

    /// Where a function lies. It lies there as long as this lives: who calls it there keeps this, or never drops it.
    pub fn address(&self, number: usize) -> usize {
        self.addresses[number]
    }
}

impl Drop for Assembly {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            free(module);
        }
    }
}
