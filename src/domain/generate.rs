//! New starts for a puzzle: [`zug_search::generate()`] over its rules.

use super::PackedState;
use super::claim::{impurity, never_overestimates};
use super::contract::{Contract, Heuristic, indicator};
use super::error::{RuleError, Violation, stop_reason};
use super::problem::RuleProblem;
use super::run::{by_cost_and_state, nested};
use zug_engines::HotRow;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{CodeUse, Number};
use zug_search::{GenerateOptions, GenerateRequest, Limits, NewStart, NewStarts, Observer};
use zug_state::{Number as RuleNumber, RuleCost};
use zug_term::Record;

/// What new starts are wanted.
#[derive(Clone, Copy, Debug)]
pub struct StartsWanted<'a> {
    /// The estimate of searches, where the space is too large to be looked at as a whole.
    pub heuristic: Option<Heuristic>,
    /// The states from which others are reached. There is one at least.
    pub starts: &'a [Record],
    /// States that are no new starts.
    pub taken: &'a [Record],
    /// What their cheapest plans are to cost; as much as can be, if nothing is said.
    pub cost: Option<f64>,
    /// What else is wanted, and how it is looked for.
    pub how: &'a GenerateOptions,
}

/// New starts of a puzzle.
#[derive(Clone, Debug)]
pub struct RuleStarts {
    /// What was found.
    pub found: NewStarts<Record, Number, Record>,
    /// The estimate of the searches, if there were any.
    pub heuristic: Option<String>,
    /// What has to be so for the costs to be those of cheapest plans.
    pub trusted: Vec<String>,
    /// Costs are floats: plans are equally cheap that differ by no more than rounding does.
    pub rounded: bool,
    /// What answered the questions asked of the rules; `None` if no code was wanted.
    pub code: Option<CodeUse>,
}

/// Finds new starts among the states that can be reached from those there are.
///
/// # Errors
/// A predicate is missing, an error in a rule, or an answer that breaks the contract.
#[expect(clippy::needless_option_as_deref, reason = "the macro may attempt it several times")]
pub fn generate(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    wanted: &StartsWanted<'_>,
    limits: &Limits,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<RuleStarts, Box<RuleError>> {
    let Some(first) = wanted.starts.first() else {
        return Err(RuleError::new(Violation::NoStart, indicator::INITIAL_STATE));
    };
    nested(m, w, limits, |m, w, limits| {
        by_cost_and_state!(m, w, contract, first, <C, S> {
            generate_as::<C, S>(m, w, contract, (wanted, first), limits, observer.as_deref_mut())
        })
    })
}

fn generate_as<C: RuleCost, S: PackedState + HotRow<C>>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (wanted, first): (&StartsWanted<'_>, &Record),
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<RuleStarts, Box<RuleError>> {
    let cost = wanted.cost.map(cost_as::<C>).transpose()?;
    let heuristic = wanted.heuristic;
    let mut problem = RuleProblem::<C, S>::resumed(m, w, contract, heuristic, true, first)?;
    problem.derive_for_any_start();
    let mut pack = |states: &[Record]| -> Result<Vec<S>, _> {
        states.iter().map(|state| problem.pack(state)).collect()
    };
    let (starts, taken) = (pack(wanted.starts)?, pack(wanted.taken)?);
    let asked = GenerateRequest { starts: &starts, taken: &taken, cost, how: wanted.how };
    let timed = limits.time.is_some();
    let found = S::generate(&mut problem, asked, limits, observer, &|error| {
        stop_reason(error.get::<Box<RuleError>>()?, timed)
    })?;
    if found.greatest.is_some_and(C::is_saturated) {
        return Err(RuleError::new(Violation::Beyond, indicator::RULE));
    }
    let code = problem.code_use();
    let derived = heuristic == Some(Heuristic::DerivedInTime);
    let heuristic = heuristic.filter(|_| !found.whole && (!derived || problem.has_derived()));
    // What was found before somebody interrupted is still to be shown.
    let interrupt = std::mem::take(&mut problem.machine().0.interrupt);
    let starts = found.starts.into_iter().map(|start| in_terms(&mut problem, start));
    let starts = starts.collect::<Result<Vec<_>, _>>();
    problem.machine().0.interrupt = interrupt;
    let starts = starts?;
    let rounded = starts.iter().any(|start| matches!(start.cost, Number::Float(_)));
    let found = NewStarts {
        starts,
        whole: found.whole,
        states: found.states,
        solved: found.solved,
        unsolved: found.unsolved,
        greatest: found.greatest.map(|cost| cost.number().into()),
        at_greatest: found.at_greatest,
        from_goals: found.from_goals,
        stopped: found.stopped,
        stats: found.stats,
    };
    problem.keep();
    let admissible = heuristic.and_then(|heuristic| never_overestimates(m, heuristic));
    let pure = impurity(m, w, contract, heuristic);
    Ok(RuleStarts {
        found,
        heuristic: heuristic.map(|heuristic| heuristic.name(&m.symbols)),
        trusted: admissible.into_iter().chain(pure).collect(),
        rounded,
        code,
    })
}

/// A cost that is asked for, as the rules' costs are counted.
///
/// # Errors
/// Costs have to be counted otherwise for that.
fn cost_as<C: RuleCost>(cost: f64) -> Result<C, Box<RuleError>> {
    // Integers of floats are exact so far.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole = cost.fract() == 0.0 && cost.abs() <= EXACT;
    let number = if is_whole { RuleNumber::Int(cost as i64) } else { RuleNumber::Float(cost) };
    C::of(number).ok_or_else(|| RuleError::new(Violation::Fraction, indicator::RULE))
}

/// A start whose plan was made again by the rules, in terms.
fn in_terms<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    start: NewStart<S, C>,
) -> Result<NewStart<Record, Number, Record>, Box<RuleError>> {
    let (cost, greatest) = problem.replay(&start.path, &start.states)?;
    let [least, greatest] = [cost, greatest].map(|cost| C::of(cost).unwrap_or(start.cost));
    if start.cost.exceeds(greatest) || least.exceeds(start.cost) {
        let violation = Violation::Replay(start.path.len());
        return Err(RuleError::new(violation, indicator::RULE));
    }
    Ok(NewStart {
        state: problem.unpack(start.state.bytes()),
        cost: cost.into(),
        path: start.path.iter().map(|&mv| problem.move_term(mv)).collect(),
        states: start.states.iter().map(|state| problem.unpack(state.bytes())).collect(),
        plans: start.plans,
    })
}
