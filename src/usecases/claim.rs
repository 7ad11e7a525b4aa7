//! What is said of a plan, as data.

use super::record::TermData;
use super::solve::JsonNumber;
use serde::Serialize;
use zug_domain::{Number, Said};
use zug_prolog::builtins::Verdict;
use zug_prolog::session::Session;
use zug_search::Outcome;

/// Whether no plan is cheaper than the one that was found, and how that is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClaimData {
    /// True: no plan is cheaper, proved. False: there is a cheaper one. None: nobody knows.
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
    pub cheapest: Option<JsonNumber>,
    /// A state of which the heuristic says too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overestimate: Option<OverestimateData>,
}

/// A state of which a heuristic says more than a plan from there costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverestimateData {
    /// The state.
    pub state: TermData,
    /// What the heuristic says.
    pub estimate: JsonNumber,
    /// What a plan from there costs.
    pub cost: JsonNumber,
}

/// Names as they are, without the backquotes that people see.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

impl ClaimData {
    /// What a verdict says of a search that ended so.
    pub fn of(verdict: &Verdict, outcome: Option<Outcome>) -> ClaimData {
        let none = ClaimData::default();
        match (outcome, verdict) {
            (Some(Outcome::Solved), Verdict::Proved(by)) => {
                ClaimData { optimal: Some(true), optimal_by: Some(plain(by)), ..none }
            }
            (Some(Outcome::Solved), Verdict::If(condition)) => {
                ClaimData { optimal_if: Some(plain(condition)), ..none }
            }
            (Some(Outcome::Solved), Verdict::Refuted) => ClaimData { optimal: Some(false), ..none },
            (Some(Outcome::Exhausted), Verdict::Proved(by)) => {
                ClaimData { exhausted_by: Some(plain(by)), ..none }
            }
            (Some(Outcome::Exhausted), Verdict::If(condition)) => {
                ClaimData { exhausted_if: Some(plain(condition)), ..none }
            }
            _ => none,
        }
    }

    /// What is said of a result, with what a check of it has found.
    pub fn said(session: &Session, said: &Said, outcome: Outcome) -> ClaimData {
        let (m, w) = (&session.machine, &session.world);
        let infinite = Number::Float(f64::INFINITY);
        let overestimate = said.overestimate.as_ref().map(|seen| OverestimateData {
            state: TermData::of(m, w, &seen.state),
            estimate: seen.estimate.unwrap_or(infinite).into(),
            cost: seen.cost.into(),
        });
        let cheapest = said.cheapest.map(JsonNumber::from);
        ClaimData { cheapest, overestimate, ..ClaimData::of(&said.verdict, Some(outcome)) }
    }
}
