//! What is said of a result of a search in a puzzle, and on what it rests.

use crate::number::Number;
use crate::outcome::Outcome;
use serde::{Serialize, Serializer};

/// What an engine says of its result: that no path is cheaper than the one found, or that no goal
/// can be reached where none was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Nothing: a path was found, and there may be cheaper ones; or the search was stopped.
    #[default]
    Nothing,
    /// It is so: only the moves, their costs and the goals of the problem went in.
    Proved,
    /// It is so if the heuristic is admissible: never above the cost to a nearest goal, and
    /// infinite only where no goal can be reached. The engine takes its word.
    IfAdmissible,
}

/// What is said of a result: that no plan is cheaper than the one found, or that there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It is proved, by this.
    Proved(String),
    /// It is so if this is; names stand in backquotes.
    If(String),
    /// It is not so: there is a cheaper plan, or there is one.
    Refuted,
    /// Nothing.
    #[default]
    Open,
}

/// A state of which a heuristic says more than a plan from there costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overestimate<T> {
    /// The state.
    pub state: T,
    /// The moves from the start to it, if it lies on the plan that was found.
    #[serde(skip)]
    pub step: Option<usize>,
    /// What the heuristic says.
    pub estimate: Number,
    /// What a plan from there costs.
    pub cost: Number,
}

impl<T> Overestimate<T> {
    /// The same with terms in another form.
    pub fn map<U>(&self, term: impl FnOnce(&T) -> U) -> Overestimate<U> {
        let Overestimate { state, step, estimate, cost } = self;
        let (estimate, cost) = (estimate.clone(), cost.clone());
        Overestimate { state: term(state), step: *step, estimate, cost }
    }
}

/// How a search ended and what is said of that.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending<T> {
    /// How it ended.
    pub outcome: Outcome,
    /// What the engine itself claims, …
    pub claim: Claim,
    /// … and what that comes to: that no plan is cheaper, or that there is none.
    pub verdict: Verdict,
    /// What has to be so for bounds and factors to hold that the engine gives.
    pub given: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    pub cheapest: Option<Number>,
    /// Where the heuristic says too much, if that was seen.
    pub overestimate: Option<Overestimate<T>>,
}

impl<T> Ending<T> {
    /// An end of which nothing is said.
    pub fn of(outcome: Outcome) -> Ending<T> {
        Ending {
            outcome,
            claim: Claim::Nothing,
            verdict: Verdict::Open,
            given: None,
            cheapest: None,
            overestimate: None,
        }
    }

    /// The same with terms in another form.
    pub fn map<U>(&self, term: impl FnOnce(&T) -> U) -> Ending<U> {
        Ending {
            outcome: self.outcome,
            claim: self.claim,
            verdict: self.verdict.clone(),
            given: self.given.clone(),
            cheapest: self.cheapest.clone(),
            overestimate: self.overestimate.as_ref().map(|seen| seen.map(term)),
        }
    }

    /// That no plan is cheaper than the one found is proved.
    pub fn is_proved_optimal(&self) -> bool {
        self.outcome == Outcome::Solved && matches!(self.verdict, Verdict::Proved(_))
    }
}

/// What is said of a result, as fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claims<T> {
    /// True: no plan is cheaper, proved. False: there is a cheaper one. Null: nobody knows.
    #[cfg_attr(feature = "schema", schemars(with = "Optimal"))]
    pub optimal: Option<bool>,
    /// Why no plan is cheaper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_by: Option<String>,
    /// What has to be so for no plan to be cheaper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_if: Option<String>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_by: Option<String>,
    /// What has to be so for there to be no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_if: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cheapest: Option<Number>,
    /// A state of which the heuristic says too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overestimate: Option<Overestimate<T>>,
}

/// Names as they are, without the backquotes that people see.
fn plain(text: &str) -> Option<String> {
    Some(text.replace('`', ""))
}

impl<T> Claims<T> {
    /// Nothing.
    pub const NONE: Claims<T> = Claims {
        optimal: None,
        optimal_by: None,
        optimal_if: None,
        exhausted_by: None,
        exhausted_if: None,
        cheapest: None,
        overestimate: None,
    };

    /// What a verdict says of a search that ended so.
    pub fn of(verdict: &Verdict, outcome: Outcome) -> Claims<T> {
        let none = Claims::NONE;
        match (outcome, verdict) {
            (Outcome::Solved, Verdict::Proved(by)) => {
                Claims { optimal: Some(true), optimal_by: plain(by), ..none }
            }
            (Outcome::Solved, Verdict::If(condition)) => {
                Claims { optimal_if: plain(condition), ..none }
            }
            (Outcome::Solved, Verdict::Refuted) => Claims { optimal: Some(false), ..none },
            (Outcome::Exhausted, Verdict::Proved(by)) => Claims { exhausted_by: plain(by), ..none },
            (Outcome::Exhausted, Verdict::If(condition)) => {
                Claims { exhausted_if: plain(condition), ..none }
            }
            _ => none,
        }
    }
}

impl<T: Clone> Ending<T> {
    /// What is said, as fields.
    pub fn claims(&self) -> Claims<T> {
        let (cheapest, overestimate) = (self.cheapest.clone(), self.overestimate.clone());
        Claims { cheapest, overestimate, ..Claims::of(&self.verdict, self.outcome) }
    }
}

/// The fields of an [`Ending`].
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Fields<T> {
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(flatten)]
    claims: Claims<T>,
}

/// As fields, to be flattened into a report.
impl<T: Serialize + Clone> Serialize for Ending<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields { outcome: self.outcome, claims: self.claims() }.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Ending<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ending".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Fields::<T>::json_schema(generator)
    }
}

/// The schema of what is known of a plan's cost.
#[cfg(feature = "schema")]
pub struct Optimal;

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Optimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Optimal".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Of a plan: true, no plan is cheaper, proved; false, there is a cheaper \
                one; null, nobody knows, or there is no plan.",
            "type": ["boolean", "null"],
        })
    }
}
