//! Rule programs as search problems.
//!
//! The only crate that knows both the machine and the engines. [`Contract`] finds the contract
//! predicates of a program; [`RuleProblem`] is the program as a
//! [state space](zug_search::Space) of packed states; [`find`] and [`explore`] run an engine or an enumeration within limits,
//! and replay every plan before it is returned; [`predicates`] makes the engines
//! predicates.
//!
//! # Invariants
//!
//! - Two states are the same exactly when they are variants of each other.
//! - After an operation on a rule program its machine's heap and trail are as before.
//! - No plan leaves this module that rule/4 does not allow.

mod advice;
mod ask;
pub mod bases;
mod canonical_text;
pub mod certificate;
mod claim;
#[cfg(test)]
mod claim_tests;
#[cfg(feature = "cluster")]
mod cluster;
mod contract;
mod diagrams;
mod error;
mod examine;
mod fork;
pub mod game;
mod generate;
#[cfg(test)]
mod generate_tests;
mod journal;
pub mod judge;
#[cfg(test)]
mod language;
mod measure;
mod memory;
pub mod model;
mod on_disk;
#[cfg(test)]
mod option_tests;
pub mod options;
pub mod plan_predicates;
#[cfg(test)]
mod plan_tests;
mod plans;
pub mod predicates;
mod problem;
pub mod purity;
mod replies;
mod representing;
mod rule_space;
mod run;
pub mod simultaneous;
mod symmetry;
#[cfg(test)]
mod tests;
mod verify;

pub use advice::options_of;
pub use canonical_text::{canonical_cell_text, canonical_text};
pub use claim::{add_verdict, impurity, impurity_of_game, impurity_of_stages};
#[cfg(feature = "cluster")]
pub use cluster::{Cluster, ClusterFailure, explore_on_cluster, find_on_cluster, solve_on_cluster};
pub use contract::{Contract, ContractPredicate, DomainKind, Heuristic, PREDICATES};
pub use diagrams::explore_by_diagrams;
pub use error::{
    RuleError, Violation, ends_text, missing_hint, short_text, unbounded, unbounded_hint,
};
pub use examine::examine;
pub use fork::why_alone;
pub use generate::{RuleStarts, StartsWanted, generate};
pub use journal::{FailedSearch, FinishedSearch, Journal, journal, take_journal};
pub use measure::{Trial, measure};
pub use memory::{asking_time, choose_start, set_asking_time};
pub use on_disk::{ExploreError, explore_on_disk};
pub use plans::{FoundPlans, Plan, PlansWanted, find_plans, puzzle_state};
pub use problem::{
    KEPT_IF, OwnPuzzle, PuzzleCore, PuzzleMove, PuzzleState, RuleProblem, SPACE, save_costs,
    save_plan,
};
pub use rule_space::{RuleSpace, SpaceWork, with_game_space, with_puzzle_space};
pub use run::{Enumeration, Instance, Task, explore, find, instances, no_start};
pub use verify::{Effort, verify};
pub use zug_state::{
    AnyCost, Codec, Fixed, Large, Number, Packed, PackedState, PackedStore, RuleCost, Unpackable,
};

use zug_prolog::{Extension, library};

/// The extension of the language: engines as predicates.
pub const EXTENSION: Extension = Extension {
    tables: &[
        predicates::TABLE,
        plan_predicates::TABLE,
        judge::predicates::TABLE,
        bases::predicates::TABLE,
        game::predicates::TABLE,
        game::sampling::TABLE,
        simultaneous::predicates::TABLE,
        simultaneous::contests::TABLE,
        game::training::predicates::TABLE,
    ],
    library: library! {
        "engines" "engines",
        "judge" "judge",
        "games" "games",
        "simultaneous" "simultaneous",
        "contrast" "contrast",
        "play" "play",
    },
    option_advice: Some(advice::advice),
    made: Some(("library(engine)", predicates::wrappers)),
    carry: Some(memory::carry),
    outside: Some(memory::by_code),
    ..Extension::NONE
};
