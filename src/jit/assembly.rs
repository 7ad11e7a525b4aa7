//! Several functions that are put together at run time without the rules of [`Builder`](super::Builder): for the
//! machine's own code, which lives on its stacks. Who builds them answers for what they do.

use super::function::{Code, calling_isa};
use cranelift_codegen::Context;
use cranelift_codegen::{ir, isa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::Module;

/// Functions with the memory that they lie in, which is given back when this is dropped.
pub struct Assembly {
    _code: Code,
    addresses: Box<[usize]>,
}

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
        let mut code = Code::new(calling_isa()?);
        let module = code.module();
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
            let id = module.declare_anonymous_function(signature).ok()?;
            module.define_function(id, &mut context).ok()?;
            made.push(id);
        }
        module.finalize_definitions().ok()?;
        let address = |&id| module.get_finalized_function(id) as usize;
        let addresses = made.iter().map(address).collect();
        Some(Assembly { _code: code, addresses })
    }

    /// Where a function lies. It lies there as long as this lives: who calls it there keeps this, or never drops it.
    pub fn address(&self, number: usize) -> usize {
        self.addresses[number]
    }
}
