//! Constraints over integers.
//!
//! [`store`] has variables with domains, and runs propagators until nothing changes; `propagators`
//! are the constraints there are. Both know nothing of terms and rules. Over them is library(clpfd):
//! expressions and formulas as they are written (`expression`, `post`, `formula`), the store of a session
//! (`session`), its predicates, and what is left of constraints in an answer (`residual`).

pub mod domain;
pub mod expression;
mod formula;
pub mod number;
mod post;
mod predicates;
pub mod propagators;
mod residual;
mod session;
pub mod shown;
pub mod store;

pub use session::Constraints;
