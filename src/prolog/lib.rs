//! An embeddable Prolog: built-in predicates, the loader, the library, and [`Session`], which loads
//! rules, asks queries and goes through answers.
//!
//! ```
//! use zug_prolog::Session;
//!
//! let mut session = Session::new();
//! session.load_text("family", "parent(tom, bob). parent(bob, ann).");
//! let mut query = session.query("parent(X, Y)").expect("it reads");
//! while session.next(&mut query).expect("no error") {
//!     println!("{}", session.answer(&query));
//! }
//! session.close(query);
//! ```

pub mod builtins;
pub mod session;

pub use builtins::{
    Extension, FindHint, MakeText, NativeAttribute, World, term_text, user_predicate,
};
pub use session::{Allowance, LibraryText, LoadError, Query, Session};
