//! A language server for rule files, over standard input and output.
//!
//! | module | what it does |
//! |---|---|
//! | `server` | the loop: messages in, answers out; who may fail, and what is cancelled |
//! | `dispatch` | which request goes where |
//! | `capabilities` | what is announced |
//! | `documents` `positions` | open texts with their versions; lines and columns as the editor counts them |
//! | `workspace` | the texts a file is connected with: open ones before those on disk |
//! | `known` | what is known of built-in predicates, the library and the contract |
//! | `checks` `findings` `guesses` | `zug check` as a child process, and its findings as diagnostics with changes |
//! | `hover` `completion` `navigation` `rename` `symbols` `tokens` `actions` `lenses` `layout` | the requests |
//!
//! **Invariants.** Rules run in child processes only, in a sandbox, under limits; a child is ended by the next
//! change of its text. Findings are published with the version of the text that was checked, and never of
//! another one. A request that panics is answered with an error, and the server goes on.

mod actions;
mod capabilities;
mod checks;
mod completion;
mod dispatch;
mod documents;
mod findings;
mod guesses;
mod hover;
mod known;
mod layout;
mod lenses;
mod navigation;
mod positions;
mod rename;
mod server;
mod symbols;
mod tokens;
mod workspace;

pub use server::serve;
