//! The result of a search over a model.

use crate::outcome::Outcome;
use crate::stats::seconds;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// What a search over a model found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(bound = "T: Serialize + Clone")]
#[cfg_attr(feature = "schema", schemars(bound = "T: schemars::JsonSchema"))]
pub struct ModelSolution<T> {
    /// `solved`: what was asked for was found. `exhausted`: there is no solution, proved. `stopped`: a limit struck
    /// before that.
    #[serde(serialize_with = "outcome_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["solved", "exhausted", "stopped"])))]
    pub outcome: Outcome,
    /// The objective: `min` or `max`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["min", "max"])))]
    pub objective: Option<&'static str>,
    /// The value of the objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<T>,
    /// With an objective, true: no solution has a better value, proved. Null: nobody knows.
    pub optimal: Option<bool>,
    /// Why no solution has a better value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_by: Option<&'static str>,
    /// What has to be so for no solution to have a better value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_if: Option<String>,
    /// What has to be so for there to be no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_if: Option<String>,
    /// What has to be so for all solutions, or all best ones, to have been counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete_if: Option<String>,
    /// Solutions found; with an objective, those of the best value.
    pub count: u64,
    /// All solutions, or all best ones, were counted.
    pub complete: bool,
    /// There is no other solution (with an objective, no other best one), if that is known.
    pub unique: Option<bool>,
    /// Solutions, as many as were to be shown.
    pub solutions: Vec<ModelValues<T>>,
    /// Solutions with a better value than any before.
    pub improvements: u64,
    /// What the model posted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posted: Option<PostedModel>,
    /// No constraint was refused: there is no solution since another goal of the model fails.
    #[serde(skip)]
    pub goal_failed: bool,
    /// The counts.
    pub stats: ModelStats,
}

/// A solution of a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(bound = "T: Serialize + Clone")]
#[cfg_attr(feature = "schema", schemars(bound = "T: schemars::JsonSchema"))]
pub struct ModelValues<T> {
    /// Names and their values, in the order of the model.
    pub values: Vec<NamedValue<T>>,
    /// The list of the model, as it is given to predicates that print it.
    #[serde(skip)]
    pub list: T,
}

/// A name of a model and its value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(bound = "T: Serialize + Clone")]
#[cfg_attr(feature = "schema", schemars(bound = "T: schemars::JsonSchema"))]
pub struct NamedValue<T> {
    /// The name.
    pub name: T,
    /// Its value.
    pub value: T,
}

/// What a model posted, before any variable was given a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PostedModel {
    /// Variables in its list, with those that have a value.
    pub variables: u64,
    /// Those of them that constraints alone gave a value, or that had one from the start.
    pub fixed: u64,
    /// Constraints; domains are none.
    pub constraints: u64,
    /// The decimal logarithm of the number of ways to give each other variable a value of its domain.
    pub log10_space: f64,
}

/// The counts of a search over a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelStats {
    /// Steps of labelling: a variable was given a value, or had one taken away.
    pub nodes: u64,
    /// Runs of propagators.
    pub propagations: u64,
    /// Wall-clock time, in seconds.
    #[serde(rename = "elapsed_seconds", serialize_with = "seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub elapsed: Duration,
}

fn outcome_name<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.name())
}

impl<T> ModelSolution<T> {
    /// Has what is claimed rest on a condition; names in it stand in backquotes.
    pub fn rest_on(&mut self, condition: &str) {
        let condition = || Some(condition.replace('`', ""));
        let is_optimal = self.optimal.take().is_some();
        self.optimal_by = None;
        if self.outcome == Outcome::Exhausted {
            self.exhausted_if = condition();
        } else {
            self.complete_if = condition().filter(|_| self.complete);
            self.optimal_if = condition().filter(|_| is_optimal);
        }
        self.complete = false;
        self.unique = self.unique.filter(|unique| !unique);
    }

    /// The same with terms in another form.
    pub fn map<U>(&self, term: impl Fn(&T) -> U) -> ModelSolution<U> {
        let solution = |solution: &ModelValues<T>| ModelValues {
            values: solution
                .values
                .iter()
                .map(|one| NamedValue { name: term(&one.name), value: term(&one.value) })
                .collect(),
            list: term(&solution.list),
        };
        ModelSolution {
            outcome: self.outcome,
            objective: self.objective,
            value: self.value.as_ref().map(&term),
            optimal: self.optimal,
            optimal_by: self.optimal_by,
            optimal_if: self.optimal_if.clone(),
            exhausted_if: self.exhausted_if.clone(),
            complete_if: self.complete_if.clone(),
            count: self.count,
            complete: self.complete,
            unique: self.unique,
            solutions: self.solutions.iter().map(solution).collect(),
            improvements: self.improvements,
            posted: self.posted.clone(),
            goal_failed: self.goal_failed,
            stats: self.stats,
        }
    }
}
