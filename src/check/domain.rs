//! The domain contract: what kind of domain a program is, what is missing, and whether the
//! rules work on its initial states.

use super::at_predicate;
use crate::builtins::World;
use crate::diagnostic::Diagnostic;
use crate::domain::{
    Contract, DomainKind, Heuristic, Instance, PREDICATES, Packed, RuleError, RuleProblem,
    instances, missing_hint, term_text, user_predicate,
};
use crate::explain::table_hint;
use crate::machine::{Fault, Machine};
use crate::search::{Estimates, Float, Problem, engines};
use crate::session::Session;
use crate::term::Record;
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// An engine and what a program lacks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFit {
    /// The engine.
    pub engine: &'static str,
    /// The missing predicates as patterns; empty if the engine applies.
    pub missing: Vec<&'static str>,
}

/// Time for trying the rules out, unless there is a limit.
const TRIAL: Duration = Duration::from_secs(1);
/// Instances tried.
pub(super) const TRIED: usize = 3;
/// Instances counted.
pub(super) const COUNTED: usize = 1000;

/// Names that only the contract of games in which all choose at once knows.
const AT_ONCE: [&str; 5] = ["players", "action", "payoff", "joint_move", "strategy"];
/// Names that it shares with others.
const SHARED: [&str; 3] = ["initial_state", "terminal", "utility"];

/// The contract predicates that the program defines.
pub(super) fn defines(m: &Machine, kind: DomainKind) -> Vec<String> {
    let defined = PREDICATES
        .iter()
        .filter(|p| kind == DomainKind::Simultaneous || !AT_ONCE.contains(&p.name))
        .filter(|p| user_predicate(m, p.name, p.arity).is_some());
    defined.map(|p| format!("{}/{}", p.name, p.arity)).collect()
}

/// What each engine misses.
pub(super) fn engines_for(contract: &Contract) -> Vec<EngineFit> {
    let base: Vec<&'static str> = [
        (contract.rule.is_some(), "rule(Name, Cost, S1, S2)"),
        (contract.initial.is_some() || contract.named_initial.is_some(), "initial_state(S)"),
        (contract.goal.is_some(), "final_state(S)"),
    ]
    .into_iter()
    .filter_map(|(there, pattern)| (!there).then_some(pattern))
    .collect();
    let fit = |name, informed| {
        let mut missing = base.clone();
        if informed && contract.heuristics().is_empty() && !contract.any_name {
            missing.push("heuristic(S, H)");
        }
        EngineFit { engine: name, missing }
    };
    engines().map(|info| fit(info.name, info.informed)).collect()
}

/// Contract names with an arity that the contract doesn't know.
pub(super) fn wrong_arity(m: &Machine, w: &World, contract: &Contract) -> Vec<Diagnostic> {
    let anchors = ["initial_state", "final_state", "rule"];
    let named = |name: &str| {
        super::user_predicates(m)
            .any(|id| m.symbols.name(m.program.preds[id as usize].name) == name)
    };
    // A lone `rule/3` may be anything; together with another name of the contract it isn't.
    let is_domain = contract.kind() != DomainKind::Program
        || anchors.iter().filter(|&&name| named(name)).count() >= 2;
    let mut findings = Vec::new();
    for id in super::user_predicates(m).filter(|_| is_domain) {
        let predicate = &m.program.preds[id as usize];
        let name = m.symbols.name(predicate.name);
        let in_contract = |name: &str| match contract.kind() {
            DomainKind::Game => {
                let elsewhere = ["rule", "final_state", "symmetry", "to_move"];
                !elsewhere.contains(&name) && !AT_ONCE.contains(&name)
            }
            DomainKind::Simultaneous => AT_ONCE.contains(&name) || SHARED.contains(&name),
            _ => anchors.contains(&name) || name == "heuristic",
        };
        let known: Vec<&str> = PREDICATES
            .iter()
            .filter(|p| p.name == name && in_contract(p.name))
            .map(|p| p.pattern)
            .collect();
        let right = PREDICATES.iter().any(|p| p.name == name && p.arity == predicate.arity);
        let has_right = PREDICATES
            .iter()
            .any(|p| p.name == name && user_predicate(m, p.name, p.arity).is_some());
        if known.is_empty() || right || has_right {
            continue;
        }
        let message = format!("`{name}/{}` is not the engines' `{name}`", predicate.arity);
        let hint = format!("they call `{}`", known.join("` or `"));
        findings.push(at_predicate(m, w, id, Diagnostic::warning("W0502", message).hint(hint)));
    }
    findings
}

/// What a program that means to be a puzzle lacks.
pub(super) fn incomplete(m: &Machine, w: &World, contract: &Contract) -> Vec<Diagnostic> {
    let initial = contract.initial.or(contract.named_initial);
    let parts = [initial, contract.goal, contract.rule];
    let there = parts.iter().flatten().count();
    let puzzle = matches!(contract.kind(), DomainKind::Puzzle | DomainKind::Program);
    if there == 0 || !puzzle || there == 3 {
        return Vec::new();
    }
    let wanted = [
        (initial.is_none(), "initial_state(S)", "no search has a start"),
        (contract.goal.is_none(), "final_state(S)", "no engine knows when it is done"),
        (contract.rule.is_none(), "rule(Name, Cost, S1, S2)", "there are no moves"),
    ];
    let first = parts.iter().flatten().next().copied();
    let lacking = wanted.into_iter().filter(|(lacks, ..)| *lacks);
    lacking
        .map(|(_, pattern, effect)| {
            let name = pattern.split('(').next().unwrap_or(pattern);
            let message = format!("this puzzle has no `{name}`: {effect}");
            let arity = pattern.matches(',').count() + 1;
            let hint = missing_hint(m, &format!("{name}/{arity}"), pattern);
            let finding = Diagnostic::warning("W0503", message).hint(hint);
            match first {
                Some(pred) => at_predicate(m, w, pred, finding),
                None => finding,
            }
        })
        .collect()
}

/// What trying the rules out came to.
#[derive(Default)]
pub(super) struct Trial {
    pub findings: Vec<Diagnostic>,
    pub instances: Vec<String>,
}

impl Trial {
    /// Notes the names of the instances.
    pub(super) fn name(&mut self, session: &Session, found: &[Instance]) {
        for (i, instance) in found.iter().enumerate() {
            self.instances.push(match &instance.name {
                Some(name) => term_text(&session.machine, &session.world, name),
                None => (i + 1).to_string(),
            });
        }
        if found.is_empty() {
            let finding = Diagnostic::warning("W0504", "there is no initial state");
            self.findings.push(finding.hint("initial_state has no answer"));
        }
    }
}

/// States behind an initial state that are tried out.
const WALKED: usize = 300;

/// Time for trying the rules out.
fn trial_time(w: &World) -> Duration {
    w.asking_time.unwrap_or(TRIAL)
}

/// Has the machine stop when the time for trying the rules out is over; the deadline that was
/// in force.
pub(super) fn begin_trial(session: &mut Session) -> Option<Instant> {
    let outer = session.machine.deadline;
    let own = Instant::now().checked_add(trial_time(&session.world));
    session.machine.deadline = outer.into_iter().chain(own).min();
    outer
}

/// Looks for initial states and makes the first moves, in the time of a trial.
pub(super) fn try_out(session: &mut Session, contract: &Contract) -> Trial {
    let mut trial = Trial::default();
    if contract.initial.is_none() && contract.named_initial.is_none() {
        return trial;
    }
    let outer = begin_trial(session);
    let (m, w) = (&mut session.machine, &mut session.world);
    match instances(m, w, contract, COUNTED) {
        Err(error) => trial.findings.push(finding(session, &error)),
        Ok(found) => {
            trial.name(session, &found);
            for (instance, name) in found.iter().zip(&trial.instances).take(TRIED) {
                let tried = first_moves(session, contract, &instance.state, name);
                match tried {
                    Ok(findings) => {
                        trial.findings.extend(findings);
                        if let Err(error) = walk(session, contract, &instance.state)
                            && !matches!(error.fault(), Some(Fault::Stopped(_)))
                        {
                            trial.findings.push(finding(session, &error));
                            break;
                        }
                    }
                    Err(error) => {
                        trial.findings.push(finding(session, &error));
                        break;
                    }
                }
            }
        }
    }
    session.machine.deadline = outer;
    trial
}

/// An error met while trying out; being too slow is only a warning.
pub(super) fn finding(session: &Session, error: &RuleError) -> Diagnostic {
    let mut found = error.diagnostic(&session.machine, &session.world);
    if matches!(error.fault(), Some(Fault::Stopped(_))) {
        found.severity = crate::diagnostic::Severity::Warning;
        found.code = "W0506";
        // Where it was when the time was over is by chance.
        (found.primary, found.secondary) = (None, Vec::new());
        let time = trial_time(&session.world);
        let time = if time == TRIAL { "a second".to_owned() } else { format!("{time:?}") };
        found.message = format!("{} takes longer than {time}", error.predicate);
        let hint = error.trace().and_then(|trace| table_hint(&session.machine, trace));
        found.hint = hint.or_else(|| Some("does it come to an end?".to_owned()));
    }
    found
}

/// Goal test, moves and estimates of the first states behind an initial state, breadth first.
fn walk(session: &mut Session, contract: &Contract, state: &Record) -> Result<(), Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let problem = RuleProblem::<Float>::new(m, w, contract, None, false)?;
    let mut problem = problem.with_estimates(contract, &contract.heuristics());
    let start: Packed = problem.pack(state)?;
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    let mut next = Vec::new();
    while let Some(state) = waiting.pop_front() {
        for number in 0..problem.estimates() {
            problem.use_estimate(number);
            problem.heuristic(&state)?;
        }
        if contract.goal.is_some() && problem.is_goal(&state)? {
            continue;
        }
        problem.successors(&state, &mut next)?;
        for successor in next.drain(..) {
            if seen.len() < WALKED && seen.insert(successor.state.clone()) {
                waiting.push_back(successor.state);
            }
        }
    }
    Ok(())
}

/// Goal test, moves and estimates of one initial state.
fn first_moves(
    session: &mut Session,
    contract: &Contract,
    state: &Record,
    name: &str,
) -> Result<Vec<Diagnostic>, Box<RuleError>> {
    let mut findings = Vec::new();
    let heuristics: Vec<Option<Heuristic>> = contract.heuristics().into_iter().map(Some).collect();
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut problem = RuleProblem::<Float>::new(m, w, contract, None, false)?;
    let packed: Packed = problem.pack(state)?;
    let is_goal = contract.goal.is_some() && problem.is_goal(&packed)?;
    let mut successors = Vec::new();
    problem.successors(&packed, &mut successors)?;
    for heuristic in heuristics {
        let mut problem = RuleProblem::<Float>::new(m, w, contract, heuristic, false)?;
        let packed = problem.pack(state)?;
        let estimate = problem.heuristic(&packed)?;
        if is_goal && estimate.is_none_or(|h| h.0 > 0.0) {
            let which = heuristic.map_or(String::new(), |h| h.name(&m.symbols));
            let message =
                format!("`{which}` says more than 0 of the goal that instance `{name}` starts in");
            findings.push(Diagnostic::warning("W0507", message));
        }
    }
    if successors.is_empty() && !is_goal {
        let message = format!("no move applies in the initial state `{name}`");
        let finding = Diagnostic::warning("W0505", message)
            .hint("rule/4 has no answer there: is the state written as the rules expect it?");
        findings.push(finding);
    }
    Ok(findings)
}
