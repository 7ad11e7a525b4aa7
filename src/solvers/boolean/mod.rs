//! Constraints over Boolean variables: library(clpb).
//!
//! `diagrams` has formulas as decision diagrams, `expression` reads them from terms, `store` keeps what is known of
//! the variables of a session, `consequences` finds values and equalities that follow, `residual` writes what is
//! left, and `predicates` are the predicates. The semantics is that of library(clpb) of SWI-Prolog (Triska, *The Boolean
//! Constraint Solver of SWI-Prolog*, FLOPS 2016).

mod consequences;
mod diagrams;
mod expression;
mod predicates;
mod residual;
mod session;
mod store;

pub use predicates::TABLE;
pub use residual::goals;
pub use session::{MODULE, bound};
