//! What is wrong with rule files ([`check`]), what predicates do ([`manual`]), and the whole
//! [`language`] of rule files.

pub mod check;
pub mod columns;
pub mod language;
pub mod manual;
