//! Text to terms and terms to text.
//!
//! [`token`] matches tokens by `grammars/rules.pest`; [`reader`] builds terms from
//! them with the [`operators`] in force and goes on after a fault; [`fault`] lists
//! what can be wrong. [`printer`] writes terms. [`mod@decode`]
//! makes text of a file's bytes, [`complete`] decides whether typed text is a whole
//! clause.
//!
//! Invariants: nothing here knows what a clause means; nothing recurses on the
//! nesting of a term; every text, whatever it holds, yields terms and faults in
//! bounded time and never a panic.

mod chars;
mod clause;
mod clause_read;
pub mod complete;
mod construct;
pub mod decode;
mod explain;
mod explain_tokens;
pub mod fault;
pub mod literal;
pub mod operators;
pub mod printer;
pub mod reader;
mod recover;
mod stacks;
pub mod stored;
pub mod token;
#[cfg(any(test, feature = "trees"))]
pub mod trees;
mod variables;

pub use chars::{is_plain_atom, is_symbol, push_quoted};
pub use clause_read::{Quotes, ReadOptions, ReadTerm, Role};
pub use complete::{Completeness, clause_end, completeness};
pub use decode::decode;
pub use fault::{FaultKind, SyntaxFault};
pub use literal::{parse_number, unquoted};
pub use operators::{Op, OpError, OpKind, Operators};
pub use printer::{WriteOptions, format_float, term_to_string, write_term};
pub use reader::Reader;
pub use token::{ReadLimit, Token, TokenKind, floor_char_boundary, tokenize};

#[cfg(test)]
mod laws;
#[cfg(test)]
mod printed;
#[cfg(test)]
mod tests;
