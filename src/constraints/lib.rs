//! Constraints over integers.
//!
//! `store` has variables with domains, and runs propagators until nothing changes; `propagators`
//! are the constraints there are. Both know nothing of terms and rules. Over them is library(clpfd):
//! expressions and formulas as they are written (`expression`, `post`, `formula`), the store of a session
//! (`session`), its predicates, and what is left of constraints in an answer (`residual`).

mod domain;
mod expression;
mod formula;
mod globals;
mod hints;
pub mod model;
mod names;
mod number;
mod post;
mod predicates;
pub mod proof;
mod propagators;
mod reasons;
mod residual;
mod session;
#[cfg(test)]
mod session_tests;
mod sets;
mod shown;
mod store;
#[cfg(test)]
mod store_tests;

pub use names::pairs;
pub use predicates::is_constraint;
pub use reasons::{stop_noting, while_noting};

use zug_prolog::builtins::{Library, NativeAttribute};
use zug_prolog::{Extension, library};

/// The extension of the language: library(clpfd).
pub const EXTENSION: Extension = Extension {
    tables: &[predicates::CONSTRAINTS, predicates::TABLE, sets::TABLE],
    library: library! { "clpfd" "clpfd", },
    attributes: &[NativeAttribute {
        module: session::MODULE,
        unify: predicates::bound,
        goals: residual::goals,
    }],
    hint: Some(hints::better_hint),
    libraries: &[Library { name: "clpfd", operators: OPERATORS }],
    ..Extension::NONE
};

/// Its operators.
const OPERATORS: &[(i64, &str, &str)] = &[
    (760, "yfx", "#<==>"),
    (750, "xfy", "#==>"),
    (750, "yfx", "#<=="),
    (740, "yfx", "#\\/"),
    (730, "yfx", "#\\"),
    (720, "yfx", "#/\\"),
    (710, "fy", "#\\"),
    (700, "xfx", "#>"),
    (700, "xfx", "#<"),
    (700, "xfx", "#>="),
    (700, "xfx", "#=<"),
    (700, "xfx", "#="),
    (700, "xfx", "#\\="),
    (700, "xfx", "in"),
    (700, "xfx", "ins"),
    (700, "xfx", "in_set"),
    (450, "xfx", ".."),
];
