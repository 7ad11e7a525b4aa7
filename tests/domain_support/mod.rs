//! What the tests of rule files share: [`ask`] asks queries, [`explore`] visits the states of
//! a program by plain queries, [`compare`] holds the domain's answers against them.

pub mod ask;
pub mod compare;
pub mod explore;
