//! Text to terms and terms to text.
//!
//! [`token`] matches tokens by `grammars/rules.pest`; [`reader`] builds terms from
//! them with the [`operators`] in force; [`fault`] lists what can be wrong.
//! [`decode`] makes text of a file's bytes, [`complete`] tells whether typed text
//! is a whole clause.
//!
//! Invariants: nothing here knows what a clause means, and nothing recurses on
//! the nesting of a term.

mod chars;
pub mod complete;
pub mod decode;
mod explain;
pub mod fault;
pub mod listing;
pub mod literal;
pub mod operators;
pub mod printer;
pub mod reader;
mod recover;
pub mod token;
mod variables;

pub use complete::{Completeness, clause_end, completeness};
pub use decode::decode;
pub use fault::{FaultKind, SyntaxFault};
pub use listing::portray_clause;
pub use literal::parse_number;
pub use operators::{Op, OpError, OpKind, Operators};
pub use chars::{is_plain_atom, push_quoted};
pub use printer::{WriteOptions, format_float, term_to_string, write_term};
pub use reader::{Quotes, ReadOptions, ReadTerm, Reader};
pub use token::{Token, TokenKind, tokenize};

#[cfg(test)]
mod laws;
#[cfg(test)]
mod printed;
#[cfg(test)]
mod tests;
