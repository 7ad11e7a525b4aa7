//! What failed while a query was looked for: for each goal of the program the failure that
//! came furthest, kept with its values.

use super::places::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_machine::{ClauseId, PredId};
use zug_term::Record;

/// The most failures in a list.
pub(super) const MOST: usize = 256;

/// Why a goal failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureReason {
    /// No clause has a head that matches.
    NoClause,
    /// A system predicate says no.
    Leaf,
    /// What it negates is true, or `forall/2` found an exception.
    Refuted,
    /// What `findall/3` collected is not the list that was asked for.
    Collected,
    Raised,
}

/// A failure, off the heap.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where the goal stands.
    pub site: Site,
    /// What it calls.
    pub pred: Option<PredId>,
    pub why: FailureReason,
    /// Goals proved until then.
    pub progress: usize,
    /// How often the goal failed.
    pub times: u64,
    /// The query could go on otherwise.
    pub soft: bool,
    /// `v(Goal, Value, …)`: the goal, then the values of the clause's variables.
    pub term: Record,
    /// The names of these variables.
    pub names: Vec<Arc<str>>,
    /// The goals in the text that led here, innermost first.
    pub callers: Vec<Site>,
    /// For a negation, the goal in it that was found to be true.
    pub witness: Option<Witness>,
}

/// What is true though a negation says that it is not.
#[derive(Clone, Debug)]
pub struct Witness {
    pub goal: Record,
    /// The clause that it is true by, if it is the user's.
    pub clause: Option<ClauseId>,
}

/// All failures of a run.
#[derive(Default)]
pub struct Failures {
    pub(super) list: Vec<Failure>,
    pub(super) index: FxHashMap<(Site, Option<PredId>), usize>,
    proved: FxHashSet<Site>,
}

impl Failures {
    /// The failures, in the order in which the goals first failed.
    pub fn all(&self) -> &[Failure] {
        &self.list
    }

    /// Whether a goal of the text was ever proved.
    pub fn was_proved(&self, site: Site) -> bool {
        self.proved.contains(&site)
    }

    /// Notes that a goal of the text was proved.
    pub fn proved(&mut self, site: Site) {
        if self.proved.len() < 16 * MOST {
            self.proved.insert(site);
        }
    }
}
