//! What the tests of rule files share: [`ask`] asks queries, [`explore`] visits the states of
//! a program by plain queries, [`compare`] holds the domain's answers against them, [`random`]
//! makes programs.

pub mod ask;
pub mod compare;
pub mod explore;
pub mod random;

/// Whether tests run at full strength: `ZUG_FULL=1`, for builds with optimisation, as in `.ci/run`.
/// Without it they take samples, so that a plain `cargo test` is soon over.
pub fn full() -> bool {
    std::env::var("ZUG_FULL").is_ok_and(|wish| wish == "1")
}
