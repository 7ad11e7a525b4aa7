//! Reasons: why constraints can't hold together, and why a variable has no other value.
//!
//! The goal that is asked about is run once more while its constraints are *noted* and not posted
//! (`noting`); then they are posted into a store of their own, all of them and parts of them (`trial`), until a
//! set is left of which none can be left out (`least`). What propagators do with that set is logged, and of the
//! log is told what the contradiction, or the value, comes from (`steps`).

mod conflict;
mod cycles;
mod derivation;
mod forced;
mod least;
mod model;
mod noting;
mod posted;
mod steps;
mod trial;
mod words;

pub(crate) use conflict::conflict;
pub(crate) use forced::{forced, is_posted};
pub(crate) use model::{NotNoted, NotedModel, noted_model};
pub(crate) use noting::{domain_of_noted, is_noting, label_noted, note, whole};
pub use noting::{stop_noting, while_noting};
pub(crate) use posted::{refuse, watch};

use noting::Noted;
use rustc_hash::FxHashSet;
use zug_machine::Machine;
use zug_prolog::World;
use zug_term::Cell;

/// Constraints that were noted, and what is found out about them.
struct Reasons<'a> {
    m: &'a mut Machine,
    w: &'a mut World,
    noted: Vec<Noted>,
    /// The variables in them, as they occur.
    terms: Vec<Cell>,
}

impl<'a> Reasons<'a> {
    fn of(m: &'a mut Machine, w: &'a mut World, noted: Vec<Noted>) -> Reasons<'a> {
        let mut seen = FxHashSet::default();
        let goals = noted.iter().flat_map(|noted| noted.parts.iter().chain([&noted.goal]));
        let all = goals.flat_map(|&goal| zug_term::variables(&m.heap, goal));
        let terms = all.map(|cell| m.heap.deref(cell)).filter(|&cell| seen.insert(cell)).collect();
        Reasons { m, w, noted, terms }
    }

    fn all(&self) -> Vec<usize> {
        (0..self.noted.len()).collect()
    }
}
