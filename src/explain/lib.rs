//! Why a goal is true, and why it is not: `why/1`, `why_not/1` and the hint under `false.`
//!
//! A `Prover` runs the goal over the clauses of the program, with variable names and
//! places in the text. The result is an [`Explanation`]: a proof (`proof`), or findings in the text
//! that show how close the goal came (`why_not`).
//! Explanations are data; they are stored in the session until the answer of the query is shown.
//!
//! The idea of pointing at the clause to blame is that of declarative debugging (E. Y.
//! Shapiro, *Algorithmic Program Debugging*, MIT Press 1983); the smallest set of goals is
//! found by deletion (A. Zeller, R. Hildebrandt, *Simplifying and Isolating Failure-Inducing
//! Input*, IEEE TSE 28(2), 2002).

mod advice;
mod case;
mod control;
mod effects;
mod explanation;
mod expressions;
mod failures;
mod goals;
mod hint;
mod left_recursion;
mod loops;
mod minimal;
mod misspellings;
mod places;
mod plan;
mod predicates;
mod proof;
mod prover;
mod question;
mod recording;
mod resolve;
mod tabled;
mod terms;
mod test;
mod trials;
mod unknown;
mod why_not;

pub use case::alike_names;
pub use effects::{does_more, is_pure};
pub use explanation::{Explanation, ProofLine, has_explanations, keep, take_explanations};
pub use hint::{Hint, hint};
pub use left_recursion::{table_hint, would_end};
pub use places::{
    called_at, clause_place, functor, has, head_args, head_place, indicator as indicator_of,
    is_number, resolve, variables_in, visit,
};
pub use plan::nearest_state;
pub use predicates::proof_of;
pub use question::Question;
pub use test::in_way;
pub use unknown::{calls_of, unknown_procedure};
pub use why_not::why_not;

use zug_prolog::{Extension, library};

/// The extension of the language: `why/1`, `why_not/1`, and hints for errors.
pub const EXTENSION: Extension = Extension {
    tables: &[predicates::TABLE],
    library: library! { "why" "why", },
    hint: Some(left_recursion::better_hint),
    ..Extension::NONE
};
