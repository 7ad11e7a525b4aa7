//! What the heuristics of a puzzle are worth: [`zug_search::survey()`] over its rules.

use crate::contract::{Contract, Heuristic};
use crate::error::RuleError;
use crate::error::stop_reason;
use crate::problem::RuleProblem;
use crate::run::{by_cost, nested};
use crate::{Packed, Violation};
use zug_engines::AnyEngine;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{
    Estimated, Inconsistency, Limits, Observer, Overestimated, StopReason, SurveyOptions,
    SurveyReport,
};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// What is found of heuristics, in terms.
pub type RuleSurvey = SurveyReport<Record, Number, Record>;

/// A survey, and what a derived heuristic is, in words, if there is one.
pub type ExplainedSurvey = (RuleSurvey, Option<String>);

/// What is to be surveyed: rules, heuristics, starts, and options.
type SurveyRequest<'a> = (&'a Contract, &'a [Heuristic], &'a [Record], &'a SurveyOptions);

/// Looks at heuristics over what can be reached from the starts.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
#[expect(clippy::needless_option_as_deref, reason = "the macro may attempt it several times")]
pub fn survey(
    m: &mut Machine,
    w: &mut World,
    asked: SurveyRequest<'_>,
    limits: &Limits,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<ExplainedSurvey, Box<RuleError>> {
    nested(
        m,
        w,
        limits,
        |m, w, limits| by_cost!(<C> survey_as::<C>(m, w, asked, limits, observer.as_deref_mut())),
    )
}

fn survey_as<C: RuleCost + AnyEngine>(
    m: &mut Machine,
    w: &mut World,
    (contract, heuristics, starts, how): SurveyRequest<'_>,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<ExplainedSurvey, Box<RuleError>> {
    let problem = RuleProblem::<C, Packed>::new(m, w, contract, None, true)?;
    let mut problem = problem.with_estimates(contract, heuristics);
    let packed: Result<Vec<Packed>, _> = starts.iter().map(|s| problem.pack(s)).collect();
    match C::survey(&mut problem, &packed?, how, limits, observer) {
        Ok(found) if found.max_cost.is_saturated() => {
            Err(RuleError::new(Violation::Beyond, "rule/4"))
        }
        Ok(found) => Ok((in_terms(&mut problem, found), problem.explain_derived())),
        Err(failed) => {
            let error = Box::<RuleError>::from(failed);
            let reason = stop_reason(&error, limits.time.is_some());
            let stopped = |reason| (nothing(heuristics.len(), reason), None);
            reason.map(stopped).ok_or(error)
        }
    }
}

/// What a limit that struck inside a rule leaves.
fn nothing(heuristics: usize, reason: StopReason) -> RuleSurvey {
    let unknown = Estimated {
        overestimated: 0,
        overestimate: None,
        inconsistent: 0,
        inconsistency: None,
        goals_above: 0,
        goal_above: None,
        mean: 0.0,
        max: Number::Int(0),
        informed: 0.0,
    };
    SurveyReport {
        whole: false,
        states: 0,
        moves: 0,
        goals: 0,
        solved: 0,
        mean_cost: 0.0,
        max_cost: Number::Int(0),
        walks: 0,
        stopped: Some(reason),
        heuristics: vec![unknown; heuristics],
        above: vec![vec![0; heuristics]; heuristics],
    }
}

fn in_terms<C: RuleCost>(
    problem: &mut RuleProblem<'_, C, Packed>,
    found: SurveyReport<Packed, C>,
) -> RuleSurvey {
    let number = |cost: Option<C>| cost.map(C::number);
    let heuristics = found.heuristics.into_iter().map(|one| Estimated {
        overestimated: one.overestimated,
        overestimate: one.overestimate.map(|witness| Overestimated {
            state: problem.unpack(witness.state.bytes()),
            estimate: number(witness.estimate),
            cost: witness.cost.number(),
            plan: witness.plan.into_iter().map(|mv| problem.move_term(mv)).collect(),
        }),
        inconsistent: one.inconsistent,
        inconsistency: one.inconsistency.map(|fall| Inconsistency {
            from: problem.unpack(fall.from.bytes()),
            before: number(fall.before),
            mv: problem.move_term(fall.mv),
            cost: fall.cost.number(),
            to: problem.unpack(fall.to.bytes()),
            after: fall.after.number(),
        }),
        goals_above: one.goals_above,
        goal_above: one
            .goal_above
            .map(|(state, estimate)| (problem.unpack(state.bytes()), number(estimate))),
        mean: one.mean,
        max: one.max.number(),
        informed: one.informed,
    });
    SurveyReport {
        heuristics: heuristics.collect(),
        whole: found.whole,
        states: found.states,
        moves: found.moves,
        goals: found.goals,
        solved: found.solved,
        mean_cost: found.mean_cost,
        max_cost: found.max_cost.number(),
        walks: found.walks,
        stopped: found.stopped,
        above: found.above,
    }
}
