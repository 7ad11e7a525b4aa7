//! The domain contract: what kind of domain a program is, what is missing, and whether the
//! rules work on its initial states.

use super::names::synonym;
use super::states::{self, Seen};
use super::{at_predicate, slips};
use crate::builtins::World;
use crate::diagnostic::Diagnostic;
use crate::domain::purity::{self, goals};
use crate::domain::{
    Contract, DomainKind, Heuristic, Instance, Number, PREDICATES, Packed, RuleError, RuleProblem,
    instances, judge, missing_hint, short_text, term_text, user_predicate,
};
use crate::explain::{called_at, head_place, table_hint};
use crate::machine::{Fault, Machine, PredId, StopReason, Trace};
use crate::search::{Estimates, Float, Limits, Problem, Survey, engines};
use crate::session::Session;
use crate::source::{Source, Span};
use crate::term::{Cell, Record};
use std::collections::{HashMap, VecDeque};
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
            let hint = match synonym(m, name, &[arity]) {
                Some(other) => format!("rename `{other}`: the engines ask `{pattern}`"),
                None => missing_hint(m, &format!("{name}/{arity}"), pattern),
            };
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
        self.findings.extend(twice(session, found));
        if found.is_empty() {
            let finding = Diagnostic::warning("W0504", "there is no initial state");
            self.findings.push(finding.hint("initial_state has no answer"));
        }
    }
}

/// States behind an initial state that are tried out.
const WALKED: usize = 300;
/// States searched for a plan from the end of a walk at random.
const SOLVED: u64 = 300;

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

/// Instances of one name: only the first of them can be asked for.
fn twice(session: &Session, found: &[Instance]) -> Vec<Diagnostic> {
    let (m, w) = (&session.machine, &session.world);
    let pred = user_predicate(m, "initial_state", 2);
    let at = |finding: Diagnostic, name: &Record| {
        let clause = pred.and_then(|pred| {
            let named = m.program.live_clauses(pred).into_iter().filter(|&id| {
                let clause = &m.program.clauses[id as usize];
                clause.key.is_some() && clause.key == name.root.as_atom().map(Cell::atom)
            });
            named.last()
        });
        match clause.and_then(|id| head_place(m, w, id)) {
            Some((source, span)) => finding.at(&source, span, ""),
            None => finding,
        }
    };
    let mut findings = Vec::new();
    let mut names: Vec<&Record> = Vec::new();
    let mut said: Vec<&Record> = Vec::new();
    for name in found.iter().filter_map(|instance| instance.name.as_ref()) {
        if names.contains(&name) && !said.contains(&name) {
            said.push(name);
            let text = term_text(m, w, name);
            let count = found.iter().filter(|other| other.name.as_ref() == Some(name)).count();
            let count = if count == 2 { "two".to_owned() } else { count.to_string() };
            let message = format!("{count} instances are named `{text}`");
            let finding = Diagnostic::warning("W0518", message)
                .hint("--instance and instance/1 find the first only: give each a name of its own");
            findings.push(at(finding, name));
        }
        names.push(name);
    }
    let other = |name: &&Record| {
        found.iter().any(|there| {
            there.state == **name && there.name.as_ref().is_some_and(|own| own != *name)
        })
    };
    if let Some(name) = names.iter().copied().find(other) {
        let text = term_text(m, w, name);
        let message = format!("`{text}` is the name of an instance and the state of another");
        let finding = Diagnostic::warning("W0522", message)
            .hint("a query `astar(S, P, C)` can mean one of them only: rename the instance");
        findings.push(at(finding, name));
    }
    findings
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
            session.machine.deadline = outer;
            let mut over = 0;
            let tried: Vec<(&Instance, String)> =
                found.iter().zip(trial.instances.clone()).take(TRIED).collect();
            for (instance, name) in &tried {
                let named = found.len() > 1 || instance.name.is_some();
                let mut seen = Seen::default();
                let looked = look(session, contract, instance, named.then_some(name), &mut seen);
                let error = match looked {
                    Ok((findings, is_goal)) => {
                        trial.findings.extend(findings);
                        over += usize::from(is_goal);
                        None
                    }
                    Err(error) => Some(error),
                };
                let found = said_of(session, contract, &seen);
                let known = found.is_some();
                trial.findings.extend(found);
                if let Some(error) = error {
                    trial.findings.extend(told(session, &error, outer, seen.states.len() < 2));
                    break;
                }
                if known {
                    break;
                }
            }
            if over > 0 && over == tried.len() {
                trial.findings.push(solved(session, contract, &trial.instances, found.len()));
            }
            if trial.findings.is_empty() {
                let starts: Vec<Record> = tried.iter().map(|one| one.0.state.clone()).collect();
                trial.findings.extend(estimates(session, contract, &starts));
            }
        }
    }
    session.machine.deadline = outer;
    trial
}

/// All instances are solved where they start.
fn solved(session: &Session, contract: &Contract, names: &[String], count: usize) -> Diagnostic {
    let (m, w) = (&session.machine, &session.world);
    let message = match (count, names) {
        (1, _) => "the initial state is final: there is nothing to search".to_owned(),
        (2.., [first, ..]) => {
            format!("the instances that were tried, `{first}` first, are final where they start")
        }
        _ => "the instances that were tried are final where they start".to_owned(),
    };
    let finding = Diagnostic::warning("W0521", message)
        .hint("does final_state/1 ask for less than it should?");
    match contract.goal {
        Some(goal) => at_predicate(m, w, goal, finding),
        None => finding,
    }
}

/// What the states that were seen say.
fn said_of(session: &Session, contract: &Contract, seen: &Seen) -> Option<Diagnostic> {
    let (m, w) = (&session.machine, &session.world);
    let rule = contract.rule?;
    let rules = purity::reached(m, rule);
    let uncomputed = states::uncomputed(m, w, seen, || slips::uncomputed(m, w, &rules));
    if uncomputed.is_some() {
        return uncomputed;
    }
    let goal = contract.goal?;
    if !states::never_fits(m, seen, goal, &rules) {
        return None;
    }
    let (state, _) = seen.states.first()?;
    let state = short_text(m, w, state);
    let message = format!("no state is of the shape of final_state/1; one is {state}");
    let finding = Diagnostic::warning("W0520", message)
        .hint("write the state in final_state/1 as initial_state and rule/4 do");
    Some(at_predicate(m, w, goal, finding))
}

/// Estimates that are above the cost of a plan, among a few hundred states.
fn estimates(session: &mut Session, contract: &Contract, starts: &[Record]) -> Vec<Diagnostic> {
    let heuristics = contract.heuristics();
    if heuristics.is_empty() || contract.goal.is_none() || starts.is_empty() {
        return Vec::new();
    }
    let how = Survey { states: WALKED, walks: 10, steps: 12, seed: 1, nodes: SOLVED };
    let time = trial_time(&session.world);
    let limits = Limits { time: Some(time), ..Limits::none() };
    let (m, w) = (&mut session.machine, &mut session.world);
    // What goes wrong in a rule was looked for before.
    let Ok(found) = judge::survey(m, w, (contract, &heuristics, starts, &how), &limits, None)
    else {
        return Vec::new();
    };
    let (m, w) = (&session.machine, &session.world);
    let mut findings = Vec::new();
    for (heuristic, one) in heuristics.iter().zip(&found.heuristics) {
        let name = heuristic.name(&m.symbols);
        let said = |estimate: Option<Number>| estimate.map_or("inf".to_owned(), |n| n.to_string());
        let message = if let Some((state, estimate)) = &one.goal_above {
            let state = short_text(m, w, state);
            format!("`{name}` says {} of the final state {state}, not 0", said(*estimate))
        } else if let Some(high) = &one.overestimate {
            let state = short_text(m, w, &high.state);
            let (estimate, cost) = (said(high.estimate), high.cost);
            format!("`{name}` says {estimate} of {state}, from where a plan costs {cost}")
        } else {
            continue;
        };
        let finding = Diagnostic::warning("W0519", format!("{message}: it overestimates"))
            .hint("with it astar and idastar may find a plan that is not the cheapest");
        let pred = match heuristic {
            Heuristic::Plain => contract.heuristic,
            Heuristic::Named(_) => contract.named_heuristic,
        };
        findings.push(match pred.and_then(|pred| clause_of(m, w, pred, *heuristic)) {
            Some((source, span)) => finding.at(&source, span, ""),
            None => finding,
        });
    }
    findings
}

/// The first clause of a heuristic.
fn clause_of(m: &Machine, w: &World, pred: PredId, which: Heuristic) -> Option<(Source, Span)> {
    let clauses = m.program.live_clauses(pred);
    let named = clauses.iter().copied().find(|&id| match which {
        Heuristic::Named(name) => m.program.clauses[id as usize].key == Some(Cell::atom(name)),
        Heuristic::Plain => true,
    });
    head_place(m, w, named.or(clauses.first().copied())?)
}

/// An error of the look at the first states. Behind the first of them a limit from outside that
/// strikes says nothing of the rules.
fn told(
    session: &Session,
    error: &RuleError,
    outer: Option<Instant>,
    first: bool,
) -> Option<Diagnostic> {
    let over = outer.is_some_and(|outer| Instant::now() >= outer) && !first;
    let cut = match error.fault() {
        Some(Fault::Stopped(StopReason::Interrupted)) => true,
        Some(Fault::Stopped(_)) => over,
        _ => false,
    };
    (!cut).then(|| finding(session, error))
}

/// An error met while trying out; being too slow is only a warning.
pub(super) fn finding(session: &Session, error: &RuleError) -> Diagnostic {
    let mut found = error.diagnostic(&session.machine, &session.world);
    if matches!(error.fault(), Some(Fault::Stopped(_))) {
        found.severity = crate::diagnostic::Severity::Warning;
        found.code = "W0506";
        let (m, w) = (&session.machine, &session.world);
        // Where in the loop it was when the time was over is by chance: the call that comes
        // again and again is not.
        let again = error.trace().and_then(|trace| again(m, w, trace));
        if let Some((source, span, name)) = again {
            found = found.at(&source, span, format!("`{name}` calls itself here"));
        }
        let time = trial_time(w);
        let time = if time == TRIAL { "a second".to_owned() } else { format!("{time:?}") };
        found.message = format!("{} takes longer than {time}", error.predicate);
        if let Some(state) = &error.state {
            found.message += &format!(", in state {}", short_text(m, w, state));
        }
        let hint = error.trace().and_then(|trace| table_hint(m, trace));
        found.hint = hint.or_else(|| Some("does it come to an end?".to_owned()));
    }
    found
}

/// The call that comes again most often among those that were running, if one comes again.
fn again(m: &Machine, w: &World, trace: &Trace) -> Option<(Source, Span, String)> {
    let mut counts: Vec<(PredId, usize)> = Vec::new();
    for &(pred, _) in trace.callers.iter().take(1000) {
        match counts.iter_mut().find(|known| known.0 == pred) {
            Some(known) => known.1 += 1,
            None => counts.push((pred, 1)),
        }
    }
    let users = |&&(pred, times): &&(PredId, usize)| {
        times > 1 && m.program.preds[pred as usize].space.is_users()
    };
    let &(pred, _) = counts.iter().filter(users).max_by_key(|known| known.1)?;
    let name = m.program.indicator(pred, &m.symbols);
    let own = &m.program.preds[pred as usize];
    m.program.live_clauses(pred).into_iter().find_map(|id| {
        let goals = goals::of_clause(m, id);
        let goal = goals.iter().find(|goal| (goal.name, goal.arity) == (own.name, own.arity))?;
        let (source, span) = called_at(m, w, id, goal.slot, goal.name)?;
        Some((source, span, name.clone()))
    })
}

/// Goal test, moves and estimates of an initial state and the first states behind it, breadth
/// first: what is odd about the start, and whether it is a goal. Each question has the time of a
/// trial.
fn look(
    session: &mut Session,
    contract: &Contract,
    instance: &Instance,
    name: Option<&String>,
    seen: &mut Seen,
) -> Result<(Vec<Diagnostic>, bool), Box<RuleError>> {
    let time = trial_time(&session.world);
    let outer = session.machine.deadline;
    let begun = Instant::now();
    let (m, w) = (&mut session.machine, &mut session.world);
    let problem = RuleProblem::<Float>::new(m, w, contract, None, false)?;
    let mut problem = problem.with_estimates(contract, &contract.heuristics());
    let start: Packed = problem.pack(&instance.state)?;
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut waiting = VecDeque::from([start]);
    seen.states.push((instance.state.clone(), None));
    let mut next = Vec::new();
    let (mut findings, mut at, mut start_is_goal, mut cut) = (Vec::new(), 0, false, false);
    while let Some(state) = waiting.pop_front() {
        if at > 0 && begun.elapsed() > time {
            cut = true;
            break;
        }
        let within = |problem: &mut RuleProblem<'_, Float>| {
            let own = Instant::now().checked_add(time);
            problem.set_deadline(outer.into_iter().chain(own).min());
        };
        for number in 0..problem.estimates() {
            within(&mut problem);
            problem.use_estimate(number);
            problem.heuristic(&state)?;
        }
        within(&mut problem);
        let is_goal = contract.goal.is_some() && problem.is_goal(&state)?;
        seen.ends |= is_goal;
        start_is_goal |= is_goal && at == 0;
        if !is_goal || at == 0 {
            within(&mut problem);
            problem.successors(&state, &mut next)?;
        }
        if at == 0 && next.is_empty() && !is_goal {
            findings.push((instance.state.clone(), name.cloned()));
        }
        for successor in next.drain(..) {
            if known.len() >= WALKED {
                cut = true;
            } else if !known.contains_key(&successor.state) {
                known.insert(successor.state.clone(), known.len());
                seen.states.push((problem.unpack(successor.state.bytes()), Some(at)));
                waiting.push_back(successor.state);
            }
        }
        at += 1;
    }
    seen.whole = !cut;
    let (m, w) = (&session.machine, &session.world);
    let stuck = findings.into_iter().map(|(state, name)| {
        let state = short_text(m, w, &state);
        let which = name.map_or(String::new(), |name| format!(", instance `{name}`"));
        let message = format!("no move applies in the initial state `{state}`{which}");
        let finding = Diagnostic::warning("W0505", message)
            .hint("rule/4 has no answer there: is the state written as the rules expect it?");
        match contract.rule {
            Some(rule) => at_predicate(m, w, rule, finding),
            None => finding,
        }
    });
    Ok((stuck.collect(), start_is_goal))
}
