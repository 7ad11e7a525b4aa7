//! Constraints over integers.
//!
//! [`store`] has variables with domains, and runs propagators until nothing changes; `propagators`
//! are the constraints there are. Both know nothing of terms and rules.

pub mod domain;
pub mod number;
pub mod propagators;
pub mod shown;
pub mod store;
