//! The domain contract: what kind of domain a program is, what is missing, and whether the
//! rules work on its initial states.

use super::guesses::elsewhere;
use super::states::{self, StateSample};
use super::trial::{Allowance, STATES};
use super::{at_predicate, lacks, placed, slips};
use std::collections::{HashMap, VecDeque};
use zug_domain::purity::{self, goals};
use zug_domain::{
    Contract, DomainKind, Heuristic, Instance, Number, PREDICATES, Packed, RuleError, RuleProblem,
    instances, judge, missing_hint, short_text,
};
use zug_explain::{Question, has, head_args, head_place, nearest_state, why_not};
use zug_machine::{Fault, Machine, PredId, StopReason};
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_prolog::{term_text, user_predicate};
use zug_search::{Estimates, Float, Limits, Successors, SurveyOptions, engines};
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};
use zug_term::{Cell, Record, is_ground};

/// An engine and what a program lacks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFit {
    /// The engine.
    pub engine: &'static str,
    /// The missing predicates as patterns; empty if the engine applies.
    pub missing: Vec<&'static str>,
}

/// Instances tried.
pub(super) const TRIED: usize = 3;
/// Instances counted.
pub(super) const COUNTED: usize = 1000;

/// Names that only the contract of games in which all choose at once knows.
const AT_ONCE: [&str; 5] = ["players", "action", "payoff", "joint_move", "strategy"];

/// Names that only the contract of models knows.
const MODEL: [&str; 3] = ["model", "objective", "print_model"];

/// The contract predicates that the program defines.
pub(super) fn defines(m: &Machine, kind: DomainKind) -> Vec<String> {
    let defined = PREDICATES
        .iter()
        .filter(|p| kind == DomainKind::Simultaneous || !AT_ONCE.contains(&p.name))
        .filter(|p| kind == DomainKind::Model || !MODEL.contains(&p.name))
        .filter(|p| user_predicate(m, p.name, p.arity).is_some());
    defined.map(|p| format!("{}/{}", p.name, p.arity)).collect()
}

pub(super) fn engines_for(contract: &Contract) -> Vec<EngineFit> {
    let mut base: Vec<&'static str> =
        lacking(contract).into_iter().map(|(pattern, _)| pattern).collect();
    base.sort_by_key(|pattern| !pattern.starts_with("rule"));
    let fit = |name, informed| {
        let mut missing = base.clone();
        if informed && contract.heuristics().is_empty() && !contract.any_name {
            missing.push("heuristic(S, H)");
        }
        EngineFit { engine: name, missing }
    };
    engines().map(|info| fit(info.name, info.informed)).collect()
}

/// The predicates that a puzzle lacks, with what can't be done without them.
fn lacking(contract: &Contract) -> Vec<(&'static str, &'static str)> {
    let parts = [
        (contract.initial.or(contract.named_initial), "initial_state(S)", "no search has a start"),
        (contract.goal, "final_state(S)", "no engine knows when it is done"),
        (contract.rule, "rule(Name, Cost, S1, S2)", "there are no moves"),
    ];
    let lacks = parts.into_iter().filter(|(part, ..)| part.is_none());
    lacks.map(|(_, pattern, effect)| (pattern, effect)).collect()
}

pub(super) fn incomplete(m: &Machine, w: &World, contract: &Contract) -> Vec<Diagnostic> {
    let lacking = lacking(contract);
    let puzzle = matches!(contract.kind(), DomainKind::Puzzle | DomainKind::Program);
    if lacking.len() == 3 || !puzzle {
        return Vec::new();
    }
    let first = contract.initial.or(contract.named_initial).or(contract.goal).or(contract.rule);
    lacks((m, w, first), "puzzle", lacking, |name, pattern| {
        let arity = pattern.matches(',').count() + 1;
        missing_hint(m, &format!("{name}/{arity}"), pattern)
    })
}

/// The result of trying the rules.
#[derive(Default)]
pub(super) struct Trial {
    pub findings: Vec<Diagnostic>,
    pub instances: Vec<String>,
}

impl Trial {
    /// Notes the names of the instances.
    pub(super) fn name(&mut self, session: &Session, contract: &Contract, found: &[Instance]) {
        for (i, instance) in found.iter().enumerate() {
            self.instances.push(match &instance.name {
                Some(name) => term_text(&session.machine, &session.world, name),
                None => (i + 1).to_string(),
            });
        }
        self.findings.extend(twice(session, found));
        if found.is_empty() {
            let finding = Diagnostic::warning("W0504", "there is no initial state")
                .hint("initial_state has no answer: see why with `?- why_not(initial_state(S)).`");
            let (m, w) = (&session.machine, &session.world);
            let initial = contract.initial.or(contract.named_initial);
            self.findings.push(at_predicate(m, w, initial, finding));
        }
    }
}

/// States behind an initial state that are tried out.
const WALKED: usize = 300;
/// Inferences for a survey of estimates.
const SURVEY: u64 = 4_000_000;
/// What is surveyed: states, walks at random, and states searched for a plan from the end of one.
const SURVEYS: [SurveyOptions; 3] = [
    SurveyOptions { states: WALKED, walks: 10, steps: 12, seed: 1, nodes: 300 },
    SurveyOptions { states: 100, walks: 4, steps: 12, seed: 1, nodes: 100 },
    SurveyOptions { states: 30, walks: 0, steps: 0, seed: 1, nodes: 30 },
];

/// Instances of one name: only the first of them can be asked for.
fn twice(session: &Session, found: &[Instance]) -> Vec<Diagnostic> {
    let (m, w) = (&session.machine, &session.world);
    let pred = user_predicate(m, "initial_state", 2);
    let at = |finding: Diagnostic, name: &Record| {
        let key = (name.root.is_atom() || name.root.as_int().is_some()).then_some(name.root);
        let clauses = pred.map(|pred| m.program.live_clauses(pred)).unwrap_or_default();
        let mut named = clauses.into_iter().rev();
        let clause = named.find(|&id| key.is_some() && m.program.clauses[id as usize].key == key);
        placed(finding, clause.and_then(|id| head_place(m, w, id)))
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

/// Looks for initial states and makes the first moves.
pub(super) fn try_out(session: &mut Session, contract: &Contract) -> Trial {
    let mut trial = Trial::default();
    if contract.initial.is_none() && contract.named_initial.is_none() {
        return trial;
    }
    let allowance = Allowance::new(&session.machine, &session.world);
    try_instances(session, contract, &allowance, &mut trial);
    allowance.end(&mut session.machine);
    trial
}

fn try_instances(
    session: &mut Session,
    contract: &Contract,
    allowance: &Allowance,
    trial: &mut Trial,
) {
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = {
        let _work = allowance.question(m);
        instances(m, w, contract, COUNTED)
    };
    let found = match found {
        Err(error) => return trial.findings.push(finding(session, &error)),
        Ok(found) => found,
    };
    trial.name(session, contract, &found);
    let (mut over, mut without) = (0, 0);
    let tried: Vec<(&Instance, String)> =
        found.iter().zip(trial.instances.clone()).take(TRIED).collect();
    let mut largest = StateSample::default();
    for (instance, name) in &tried {
        let named = found.len() > 1 || instance.name.is_some();
        let mut seen = StateSample::default();
        let looked = look(session, contract, instance, named.then_some(name), &mut seen, allowance);
        let error = match looked {
            Ok((findings, is_goal)) => {
                without += usize::from(seen.whole && !seen.ends && findings.is_empty());
                trial.findings.extend(findings);
                over += usize::from(is_goal);
                None
            }
            Err(error) => Some(error),
        };
        let said = said_of(session, contract, &seen);
        let known = said.is_some();
        // What was not computed ends as an error sooner or later: that is the cause.
        let explained = said.as_ref().is_some_and(|said| said.code == "W0516");
        trial.findings.extend(said);
        if let Some(error) = error.filter(|_| !explained) {
            let first = seen.states.len() < 2;
            let mut found = told(session, &error, allowance, first);
            if let Some(found) = &mut found {
                if let Some(hint) = led_there(session, error.state.as_ref(), &seen) {
                    let known = found.hint.take().map(|known| known + "; ").unwrap_or_default();
                    found.hint = Some(known + &hint);
                }
                if first && error.predicate == "rule/4" && error.fault().is_some() {
                    let hint = misplaced(session, &instance.state, allowance);
                    found.hint = hint.or(found.hint.take());
                }
            }
            trial.findings.extend(found);
            break;
        }
        if known {
            break;
        }
        if seen.states.len() >= largest.states.len() {
            largest = seen;
        }
    }
    if over > 0 && over == tried.len() {
        trial.findings.push(solved(session, contract, &trial.instances, &found));
    }
    if trial.findings.is_empty() && without == tried.len() && without == found.len() && without > 0
    {
        trial.findings.extend(unreachable(session, contract, &largest, found.len(), allowance));
    }
    if trial.findings.is_empty() {
        let starts: Vec<Record> = tried.iter().map(|one| one.0.state.clone()).collect();
        trial.findings.extend(estimates(session, contract, &starts, allowance));
    }
}

/// All states were looked at, and none is final.
fn unreachable(
    session: &mut Session,
    contract: &Contract,
    seen: &StateSample,
    instances: usize,
    allowance: &Allowance,
) -> Vec<Diagnostic> {
    let Some(goal) = contract.goal else { return Vec::new() };
    let (m, w) = (&session.machine, &session.world);
    let from = if instances == 1 { "" } else { " from any instance that was tried" };
    let message = match seen.states.len() {
        1 => format!("no final state can be reached{from}: all moves lead back to the start"),
        count if instances == 1 => format!(
            "no final state can be reached: the rules lead to {count} states, and none of them is final"
        ),
        count => format!(
            "no final state can be reached{from}: the rules lead from it to {count} states at most, and none of \
             them is final"
        ),
    };
    let stranger =
        seen.states.first().and_then(|start| super::constants::strangers(m, w, contract, &start.0));
    let states: Vec<&Record> = seen.states.iter().map(|(state, _)| state).collect();
    let nearest = nearest_state(m, goal, &states).and_then(|at| seen.states.get(at));
    let nearest = nearest.filter(|_| stranger.is_none()).map(|(state, _)| state);
    let hint = match (stranger, nearest) {
        (Some(hint), _) => hint,
        (None, _) if seen.states.len() == 1 => {
            "does rule/4 give the new state in its last argument?".to_owned()
        }
        (None, Some(state)) => format!(
            "is a move missing, or a test of rule/4 too strict? {} comes nearest to a final state",
            short_text(m, w, state)
        ),
        (None, None) => "is a move missing, or a test of rule/4 too strict?".to_owned(),
    };
    let finding = Diagnostic::new(Severity::Note, "N0605", message).hint(hint);
    let mut findings = vec![at_predicate(m, w, goal, finding)];
    if let Some(state) = nearest {
        findings.extend(in_the_way(session, "final_state", (0, 1), state, allowance));
        // A name that is nearly another one keeps it from a move.
        let stuck = in_the_way(session, "rule", (2, 4), state, allowance);
        findings.extend(stuck.filter(|finding| finding.hint.is_some()));
    }
    findings
}

/// The goal that keeps a predicate of an arity from an answer for a state, which is the argument at a place, from 0.
fn in_the_way(
    session: &mut Session,
    name: &str,
    (place, arity): (usize, usize),
    state: &Record,
    allowance: &Allowance,
) -> Option<Diagnostic> {
    let found = allowance.ask(session, |session| {
        let (m, w) = (&mut session.machine, &mut session.world);
        let mut argument = |at| match at == place {
            true => state.instantiate(&mut m.heap),
            false => m.heap.new_var(),
        };
        let args: Vec<Cell> = (0..arity).map(&mut argument).collect();
        let name = m.symbols.intern(name);
        let goal = m.heap.new_struct(name, &args);
        let question = Question::new(m, w, goal);
        why_not(m, w, &question)
    });
    found.ok()?.findings.into_iter().next().filter(|finding| finding.primary.is_some())
}

/// Where a state comes from in which something went wrong.
fn led_there(session: &Session, state: Option<&Record>, seen: &StateSample) -> Option<String> {
    let state = state?;
    let (_, before) = seen.states.iter().find(|(known, _)| known == state)?;
    let (m, w) = (&session.machine, &session.world);
    match before {
        Some(before) => {
            let before = short_text(m, w, &seen.states.get(*before)?.0);
            Some(format!("a move leads from {before} to this state"))
        }
        None => {
            let (heap, root) = state.to_heap();
            let open = !is_ground(&heap, root);
            open.then(|| "the initial state has a variable (`_`) in it".to_owned())
        }
    }
}

/// What to change if rule/4 takes the state as another argument than engines give it.
fn misplaced(session: &mut Session, state: &Record, allowance: &Allowance) -> Option<String> {
    let place = allowance.ask(session, |session| elsewhere(session, ("rule", 4), 2, state))?;
    Some(format!(
        "rule/4 has an answer with the state as its {place} argument: engines ask \
         `rule(Name, Cost, S1, S2)`, the state before the move third"
    ))
}

const CAPITAL: &str = "a word that begins with a capital letter is a variable, which fits anything: write it small, \
     or in quotes";

/// Whether a clause of final_state/1 is a fact with variables and without constants.
fn has_variables_only(m: &Machine, goal: PredId) -> bool {
    m.program.live_clauses(goal).into_iter().any(|id| {
        let clause = &m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        let Some(&state) = head_args(clause).first() else { return false };
        has(cells, state, Cell::is_var)
            && !has(cells, state, |cell| {
                cell.as_int().is_some() || cell.is_atom() && cell != Cell::NIL
            })
            && goals::of_clause(m, id).is_empty()
    })
}

/// All instances are solved where they start.
fn solved(
    session: &Session,
    contract: &Contract,
    names: &[String],
    found: &[Instance],
) -> Diagnostic {
    let (m, w) = (&session.machine, &session.world);
    let open = found.first().is_some_and(|first| {
        let (heap, root) = first.state.to_heap();
        !is_ground(&heap, root)
    });
    let initial = contract.initial.or(contract.named_initial).filter(|_| open && found.len() == 1);
    if let (Some(initial), Some(first)) = (initial, found.first()) {
        let state = short_text(m, w, &first.state);
        let message =
            format!("the initial state `{state}` has a variable in it and is final as it is");
        let finding = Diagnostic::warning("W0521", message).hint(CAPITAL);
        return at_predicate(m, w, initial, finding);
    }
    let message = match (found.len(), names) {
        (1, _) => "the initial state is final: there is nothing to search".to_owned(),
        (2.., [first, ..]) => {
            format!("the instances that were tried, `{first}` first, are final where they start")
        }
        _ => "the instances that were tried are final where they start".to_owned(),
    };
    let named = contract.goal.is_some_and(|goal| has_variables_only(m, goal));
    let finding = Diagnostic::warning("W0521", message).hint(if named {
        CAPITAL
    } else {
        "final_state/1 holds in the initial state: is its condition too weak?"
    });
    at_predicate(m, w, contract.goal, finding)
}

/// How many times a move is made again, and how many moves are tried.
const STEPS: usize = 5_000;
const MOVES: usize = 20;

/// A state in which a number is far greater than at the start, behind one move that is made again and again, of those
/// that the start has.
fn repeated(
    problem: &mut RuleProblem<'_, Float>,
    start: &Record,
    allowance: &Allowance,
) -> Result<Option<Record>, Box<RuleError>> {
    let began = problem.machine().0.inferences();
    let start_state: Packed = problem.pack(start)?;
    let (mut first, mut next) = (Successors::default(), Successors::default());
    problem.successors(&start_state, &mut first)?;
    for (begin, mut state) in first.drain().take(MOVES) {
        for step in 1.. {
            let _work = allowance.question(problem.machine().0);
            if step == STEPS {
                let far = problem.unpack(state.bytes());
                if states::has_grown(start, &far) {
                    return Ok(Some(far));
                }
                break;
            }
            problem.successors(&state, &mut next)?;
            if problem.machine().0.inferences() - began > STATES {
                return Ok(None);
            }
            let again = next.drain().find(|(head, _)| head.mv == begin.mv);
            match again {
                Some((_, again)) if !problem.is_goal(&again)? => state = again,
                _ => break,
            }
        }
    }
    Ok(None)
}

/// Arithmetic in the states that moves lead to, which was not computed.
pub(super) fn uncomputed(
    session: &Session,
    moves: PredId,
    seen: &StateSample,
) -> Option<Diagnostic> {
    let (m, w) = (&session.machine, &session.world);
    let last = m.program.preds[moves as usize].arity - 1;
    let rules = purity::reached(m, moves);
    states::uncomputed(m, w, seen, |grown| slips::uncomputed(m, w, (moves, last), &rules, grown))
}

/// What the states that were seen say.
fn said_of(session: &Session, contract: &Contract, seen: &StateSample) -> Option<Diagnostic> {
    let (m, w) = (&session.machine, &session.world);
    let rule = contract.rule?;
    let uncomputed = uncomputed(session, rule, seen);
    if uncomputed.is_some() {
        return uncomputed;
    }
    let goal = contract.goal?;
    let (start, _) = seen.states.first()?;
    // That no move applies is the cause.
    if seen.whole
        && seen.states.len() == 1
        && super::constants::strangers(m, w, contract, start).is_some()
    {
        return None;
    }
    let state = short_text(m, w, start);
    if let Some((missing, meant)) = super::constants::never_made(m, w, contract, seen) {
        let message = format!(
            "no state has the {missing} of final_state/1, and no rule makes one; the first is {state}"
        );
        let strange = || super::constants::strangers(m, w, contract, start);
        let hint = meant.or_else(strange).unwrap_or_else(|| {
            "write the state in final_state/1 as initial_state and rule/4 do".to_owned()
        });
        return Some(at_predicate(m, w, goal, Diagnostic::warning("W0520", message).hint(hint)));
    }
    if !states::never_fits(m, seen, (goal, 0), &purity::reached(m, rule)) {
        return None;
    }
    let message = format!("no state is of the shape of final_state/1; one is {state}");
    let finding = Diagnostic::warning("W0520", message)
        .hint("write the state in final_state/1 as initial_state and rule/4 do");
    Some(at_predicate(m, w, goal, finding))
}

/// Estimates that are above the cost of a plan, among a few hundred states.
fn estimates(
    session: &mut Session,
    contract: &Contract,
    starts: &[Record],
    allowance: &Allowance,
) -> Vec<Diagnostic> {
    let heuristics = contract.heuristics();
    if heuristics.is_empty() || contract.goal.is_none() || starts.is_empty() {
        return Vec::new();
    }
    // What goes wrong in a rule was looked for before; of rules that take long fewer states are
    // looked at.
    let found = SURVEYS.iter().find_map(|how| {
        let (m, w) = (&mut session.machine, &mut session.world);
        let _work = allowance.work(m, SURVEY);
        judge::survey(m, w, (contract, &heuristics, starts, how), &Limits::none(), None).ok()
    });
    let Some((found, _)) = found else { return Vec::new() };
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
            .hint(
                "with it astar and idastar may find a plan that is not the cheapest; if the estimate is right, a move \
                 leads too far",
            );
        let pred = match heuristic.own() {
            Some(Heuristic::Named(_)) => contract.named_heuristic,
            Some(_) => contract.heuristic,
            None => None,
        };
        let place = pred.and_then(|pred| clause_of(m, w, pred, *heuristic));
        findings.push(placed(finding, place));
    }
    findings
}

/// The first clause of a heuristic.
fn clause_of(m: &Machine, w: &World, pred: PredId, which: Heuristic) -> Option<(Source, Span)> {
    let clauses = m.program.live_clauses(pred);
    let named = clauses.iter().copied().find(|&id| match which.own() {
        Some(Heuristic::Named(name)) => {
            m.program.clauses[id as usize].key == Some(Cell::atom(name))
        }
        own => own.is_some(),
    });
    head_place(m, w, named.or(clauses.first().copied())?)
}

/// An error of the look at the first states. Behind the first of them a limit from outside that
/// strikes says nothing of the rules.
fn told(
    session: &Session,
    error: &RuleError,
    allowance: &Allowance,
    first: bool,
) -> Option<Diagnostic> {
    let cut = match error.fault() {
        Some(Fault::Stopped(StopReason::Interrupted)) => true,
        Some(Fault::Stopped(_)) => allowance.is_over() && !first,
        _ => false,
    };
    (!cut).then(|| finding(session, error))
}

/// An error met while trying out; being too slow is only a warning.
pub(super) fn finding(session: &Session, error: &RuleError) -> Diagnostic {
    let (m, w) = (&session.machine, &session.world);
    let mut found = error.diagnostic(m, w);
    if let Some(Fault::Stopped(reason)) = error.fault() {
        found.severity = Severity::Warning;
        found.code = "W0506";
        found.message = match (reason, zug_domain::asking_time(w)) {
            (StopReason::Time, Some(time)) => {
                format!("{} takes longer than {time:?}", error.predicate)
            }
            _ => format!("{} is not done after millions of steps", error.predicate),
        };
        if let Some(state) = &error.state {
            found.message += &format!(", in state {}", short_text(m, w, state));
        }
        found.hint = found.hint.or_else(|| Some("does it come to an end?".to_owned()));
    }
    if found.primary.is_some() {
        return found;
    }
    at_predicate(m, w, contract_predicate(m, error.predicate), found)
}

/// The user's predicate that an error speaks of, as `rule/4`.
fn contract_predicate(m: &Machine, indicator: &str) -> Option<PredId> {
    let (name, arity) = indicator.split_once('/')?;
    user_predicate(m, name, arity.parse().ok()?)
}

/// Goal test, moves and estimates of an initial state and the first states behind it, breadth
/// first: what is odd about the start, and whether it is a goal.
fn look(
    session: &mut Session,
    contract: &Contract,
    instance: &Instance,
    name: Option<&String>,
    seen: &mut StateSample,
    allowance: &Allowance,
) -> Result<(Vec<Diagnostic>, bool), Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let begun = m.inferences();
    let problem = RuleProblem::<Float>::new(m, w, contract, None, false)?;
    let mut problem = problem.with_estimates(contract, &contract.heuristics());
    let start: Packed = problem.pack(&instance.state)?;
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut waiting = VecDeque::from([start]);
    seen.states.push((instance.state.clone(), None));
    let mut next = Successors::default();
    let (mut stuck, mut at, mut start_is_goal, mut cut) = (false, 0, false, false);
    while let Some(state) = waiting.pop_front() {
        if at > 0 && problem.machine().0.inferences() - begun > STATES {
            cut = true;
            break;
        }
        for number in 0..problem.estimates() {
            let _work = allowance.question(problem.machine().0);
            problem.use_estimate(number);
            problem.heuristic(&state)?;
        }
        let is_goal = contract.goal.is_some() && {
            let _work = allowance.question(problem.machine().0);
            problem.is_goal(&state)?
        };
        seen.ends |= is_goal;
        start_is_goal |= is_goal && at == 0;
        if !is_goal || at == 0 {
            let _work = allowance.question(problem.machine().0);
            problem.successors(&state, &mut next)?;
        }
        stuck |= at == 0 && next.is_empty() && !is_goal;
        for (_, state) in next.drain() {
            if known.len() >= WALKED {
                cut = true;
            } else if !known.contains_key(&state) {
                known.insert(state.clone(), known.len());
                seen.states.push((problem.unpack(state.bytes()), Some(at)));
                waiting.push_back(state);
            }
        }
        at += 1;
    }
    seen.whole = !cut;
    let far = if cut && !seen.ends && contract.goal.is_some() {
        repeated(&mut problem, &instance.state, allowance)?
    } else {
        None
    };
    allowance.end(problem.machine().0);
    let (m, w) = (&session.machine, &session.world);
    if !stuck {
        let told = far.and_then(|far| Some((contract.rule?, short_text(m, w, &far))));
        let found = told.map(|(rule, far)| {
            let message = format!("numbers can grow without a bound: {STEPS} moves lead to {far}");
            let finding = Diagnostic::new(Severity::Note, "N0607", message)
                .hint("is a test missing in rule/4 that keeps the numbers small?");
            at_predicate(m, w, rule, finding)
        });
        return Ok((found.into_iter().collect(), start_is_goal));
    }
    let state = short_text(m, w, &instance.state);
    let which = name.map_or(String::new(), |name| format!(", instance `{name}`"));
    let message = format!("no move applies in the initial state `{state}`{which}");
    let strangers = super::constants::strangers(m, w, contract, &instance.state);
    let hint = strangers.or_else(|| states::text_as_state(&instance.state));
    let hint = hint.or_else(|| misplaced(session, &instance.state, allowance));
    let cause = if hint.is_some() {
        None
    } else {
        in_the_way(session, "rule", (2, 4), &instance.state, allowance)
    };
    let (m, w) = (&session.machine, &session.world);
    let finding = Diagnostic::warning("W0505", message).hint(match (&hint, &cause) {
        (Some(hint), _) => hint,
        (None, Some(_)) => "rule/4 has no answer there; the next note shows the goal that fails",
        (None, None) => "rule/4 has no answer there: is the state written as the rules expect it?",
    });
    let finding = at_predicate(m, w, contract.rule, finding);
    Ok(([finding].into_iter().chain(cause).collect(), start_is_goal))
}
