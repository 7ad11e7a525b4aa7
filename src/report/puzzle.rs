//! The result of a search in a puzzle.

use crate::claim::Ending;
use crate::code::CodeUse;
use crate::number::Number;
use crate::outcome::{Outcome, StoppedIn};
use crate::stats::Stats;
use crate::symmetries::Symmetries;
use serde::{Serialize, Serializer};

/// What a search in a puzzle found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(bound = "T: Serialize + Clone")]
#[cfg_attr(feature = "schema", schemars(bound = "T: schemars::JsonSchema"))]
pub struct Solution<T> {
    /// The engine, by its name in the registry.
    pub engine: &'static str,
    /// The heuristic, if the engine uses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    /// States alike by these symmetries counted as one, if any did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<Symmetries>,
    /// How it ended, and what is said of that.
    #[serde(flatten)]
    pub ending: Ending<T>,
    /// Why no goal can be reached, where the rules show it and not all states were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_plan: Option<String>,
    /// Where in the rules a limit struck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_in: Option<StoppedIn<T>>,
    /// The cost of the plan, as its moves add up.
    pub cost: Option<Number>,
    /// The cost is at most this many times the least, on the condition that
    /// [`Ending::given`] says.
    #[serde(skip)]
    pub factor: Option<f64>,
    /// No plan costs less than this, on the same condition.
    #[serde(skip)]
    pub lower_bound: Option<Number>,
    /// The moves of the plan, if there is one.
    pub path: Option<Vec<T>>,
    /// The state the search began in.
    pub start: T,
    /// The states along the plan, start and goal included; empty without a plan.
    #[serde(rename = "goal", serialize_with = "last")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<T>"))]
    pub states: Vec<T>,
    /// It was read from a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub from_base: bool,
    /// What has to be so for what a base said, if one was asked.
    #[serde(skip)]
    pub base_if: Option<String>,
    /// The heuristic that was derived from the rules was read from a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub derived_from_base: bool,
    /// The counts.
    pub stats: Stats,
    /// What answered the questions asked of the rules; `None` if no code was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
}

fn last<T: Serialize, S: Serializer>(states: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    states.last().serialize(serializer)
}

impl<T> Solution<T> {
    /// What there is to say before a search begins: nothing was found.
    pub fn nothing(engine: &'static str, heuristic: Option<String>, start: T) -> Solution<T> {
        Solution {
            engine,
            heuristic,
            symmetries: None,
            ending: Ending::of(Outcome::Exhausted),
            no_plan: None,
            stopped_in: None,
            cost: None,
            factor: None,
            lower_bound: None,
            path: None,
            start,
            states: Vec::new(),
            from_base: false,
            base_if: None,
            derived_from_base: false,
            stats: Stats::default(),
            code: None,
        }
    }

    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        self.ending.outcome
    }

    /// The moves of the plan; none if there is no plan.
    pub fn moves(&self) -> &[T] {
        self.path.as_deref().unwrap_or_default()
    }

    /// The same with terms in another form.
    pub fn map<U>(&self, mut term: impl FnMut(&T) -> U) -> Solution<U> {
        Solution {
            engine: self.engine,
            heuristic: self.heuristic.clone(),
            symmetries: self.symmetries,
            ending: self.ending.map(&mut term),
            no_plan: self.no_plan.clone(),
            stopped_in: self.stopped_in.as_ref().map(|place| place.map(&mut term)),
            cost: self.cost.clone(),
            factor: self.factor,
            lower_bound: self.lower_bound.clone(),
            path: self.path.as_ref().map(|path| path.iter().map(&mut term).collect()),
            start: term(&self.start),
            states: self.states.iter().map(term).collect(),
            from_base: self.from_base,
            base_if: self.base_if.clone(),
            derived_from_base: self.derived_from_base,
            stats: self.stats,
            code: self.code.clone(),
        }
    }
}
