//! Rules as a model: constraints on variables that are posted by `model/1` or `model/2`, and values for the variables
//! found by labelling, the best ones where there is an objective.
//!
//! The search itself is labelling in the library of constraints; it is run here solution by solution, under the
//! limits of a search, and what it came to is said as for other searches: proved, or stopped.

use crate::canonical_text::{canonical_cell_text, canonical_text};
use crate::claim::impurity_of_model;
use crate::contract::{Contract, indicator};
use crate::error::{RuleError, Violation};
use crate::memory::with_notes;
use crate::run::{Instance, asking, within};
use rustc_hash::FxHashSet;
use std::cell::Cell as Shared;
use std::time::{Duration, Instant};
pub use zug_constraints::model::steps as labelling_steps;
use zug_constraints::model::{self, ModelRun, Survey, WrongAnswer};
use zug_constraints::{pairs, proof, stop_noting, while_noting};
use zug_explain::{keep, take_explanations};
use zug_machine::{ClauseId, Fault, Machine, OpenQuery, PredId};
use zug_options::{Rejected, Row};
use zug_prolog::builtins::World;
use zug_prolog::term_text;
use zug_report::{
    ModelSolution, ModelStats, ModelValues, NamedValue, Outcome, PostedModel, StopReason,
};
use zug_search::Limits;
use zug_search::progress::{self, CountedWork, ProgressEvent};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record, Value, watchdog};

/// What proves that no solution has a better value.
const EXHAUSTION: &str = "exhaustion";
/// Time between two notices of how far a search is.
const NOTICE: Duration = Duration::from_millis(100);

/// How variables are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labelling {
    /// Which variable is next.
    pub selection: &'static str,
    /// Which value comes first.
    pub order: &'static str,
    /// How a domain is split.
    pub choice: &'static str,
}

impl Default for Labelling {
    fn default() -> Self {
        Labelling { selection: "ff", order: "up", choice: "step" }
    }
}

const SELECTIONS: &[&str] = &["leftmost", "ff", "ffc", "min", "max"];
const ORDERS: &[&str] = &["up", "down"];
const CHOICES: &[&str] = &["step", "enum", "bisect"];

/// The options of labelling.
pub static LABELLING: [Row<Labelling>; 1] = [Row::names(
    "label",
    "LIST",
    "How variables of a model get their values, as in labeling/2: the next variable is leftmost, ff, ffc, min \
     or max; values go up or down; domains are split by step, enum or bisect [default: ff,up,step]",
    |to: &mut Labelling, names| {
        let kinds = [SELECTIONS, ORDERS, CHOICES];
        let mut given: [Option<&'static str>; 3] = [None; 3];
        for name in names {
            let name = name.trim();
            let found = kinds.iter().zip(&mut given).find_map(|(kind, given)| {
                kind.iter().find(|&&one| one == name).map(|one| (kind, given, *one))
            });
            let Some((kind, given, name)) = found else {
                let all = kinds.concat().join(", ");
                return Err(Rejected::from(format!("`{name}` is none of {all}")));
            };
            if let Some(before) = given.replace(name) {
                let all = kind.join(", ");
                let why = format!("`{before}` and `{name}` are two of a kind: give one of {all}");
                return Err(Rejected::from(why));
            }
        }
        let [selection, order, choice] = given;
        to.selection = selection.unwrap_or(to.selection);
        to.order = order.unwrap_or(to.order);
        to.choice = choice.unwrap_or(to.choice);
        Ok(())
    },
)];

/// Which solutions are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolutionsWanted {
    /// One; a best one, where there is an objective.
    #[default]
    One,
    /// One, and whether there is another.
    Second,
    /// All; all best ones, where there is an objective.
    All,
}

/// What is asked of a model.
#[derive(Clone, Debug, Default)]
pub struct ModelTask {
    /// How variables are labelled.
    pub labelling: Labelling,
    /// Which solutions are looked for.
    pub wanted: SolutionsWanted,
    /// Solutions that are kept of all.
    pub kept: usize,
    /// Limits; nodes are steps of labelling.
    pub limits: Limits,
}

/// A better solution was found, or so many steps were taken.
pub type ModelObserver<'o> = dyn FnMut(&Improvement) + 'o;

/// A solution that is better than those before.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The value of the objective.
    pub value: String,
    /// Steps of labelling so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The models of a program.
#[derive(Clone, Debug, Default)]
pub struct Models {
    /// Their names; `None` is one without.
    pub names: Vec<Option<Record>>,
    /// Names that a body of model/2 makes may be missing, as this error ended it.
    pub error: Option<Box<RuleError>>,
}

/// The models of a program: one without a name, those that have one, or both. Nothing is posted for it. A name that stands
/// in the head of a clause is one whatever becomes of the body; others are those that the body makes.
///
/// # Errors
/// A limit.
pub fn models(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Models, Box<RuleError>> {
    let names: Vec<Option<Record>> = contract.model.map(|_| None).into_iter().collect();
    let mut found = Models { names, error: None };
    let Some(pred) = contract.named_model else { return Ok(found) };
    asking(m, w, |m, w| {
        for clause in m.program.live_clauses(pred) {
            if found.names.len() >= most {
                break;
            }
            if let Some(name) = name_in_head(m, clause) {
                let name = Some(name);
                if !found.names.contains(&name) {
                    found.names.push(name);
                }
                continue;
            }
            let ended =
                while_noting(m, w, |m, w| names_of_body(m, w, clause, &mut found.names, most));
            let Err(fault) = ended else { continue };
            let mut violation = Violation::raised(m, fault);
            if let Violation::Fault(_, trace) = &mut violation {
                // Variables whose constraints are noted have no attribute.
                trace.on_attributed = true;
            }
            let mut error = RuleError::new(violation, indicator::MODEL_2);
            error.clause = Some(clause);
            if error
                .fault()
                .is_none_or(|fault| !matches!(fault, Fault::Ball(_)) || fault.is_limit())
            {
                return Err(error);
            }
            found.error.get_or_insert(error);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The first argument of a clause's head, if it is ground.
fn name_in_head(m: &mut Machine, clause: ClauseId) -> Option<Record> {
    m.scratch(|m| {
        let (name, _) = head_and_body(m, clause)?;
        let heap = &mut m.heap;
        zug_term::is_ground(heap, name).then(|| Record::new(heap, name))
    })
}

/// The first argument of the head of a clause of a model or an objective, and the body.
fn head_and_body(m: &mut Machine, clause: ClauseId) -> Option<(Cell, Cell)> {
    let (head, body) = (m.heap.new_var(), m.heap.new_var());
    if !m.unify_clause(clause, head, body) {
        return None;
    }
    let (_, _, at) = m.heap.name_arity(m.heap.deref(head))?;
    Some((m.heap.deref(m.heap.at(at)), m.heap.deref(body)))
}

/// The names that the body of a clause makes.
fn names_of_body(
    m: &mut Machine,
    w: &mut World,
    clause: ClauseId,
    found: &mut Vec<Option<Record>>,
    most: usize,
) -> Result<(), Fault> {
    m.ask(w, |ask| {
        let Some((name, body)) = head_and_body(ask.machine, clause) else { return Ok(()) };
        ask.add_root(name);
        let mut answered = ask.goal(body)?;
        while answered {
            let [name]: [Cell; 1] = ask.rooted();
            let heap = &mut ask.machine.heap;
            let name = (!heap.deref(name).is_var()).then(|| Record::new(heap, name));
            if !found.contains(&name) {
                found.push(name);
            }
            answered = found.len() < most && ask.redo()?;
        }
        Ok(())
    })
}

/// The first clause of a predicate whose first argument can be a name; without one the first clause.
fn clause_for(m: &mut Machine, pred: PredId, name: Option<&Record>) -> Option<ClauseId> {
    m.program.live_clauses(pred).into_iter().find(|&clause| {
        let Some(name) = name else { return true };
        m.scratch(|m| {
            let Some((own, _)) = head_and_body(m, clause) else { return false };
            let name = name.instantiate(&mut m.heap);
            m.unify(own, name)
        })
    })
}

/// The first clause of a model, by its name if it has one, and whether it has an objective.
pub fn clause_of_model(
    m: &mut Machine,
    contract: &Contract,
    name: Option<&Record>,
) -> (Option<ClauseId>, bool) {
    parts(m, contract, name)
        .map_or((None, false), |parts| (parts.clause, parts.objective.is_some()))
}

/// Models as starts of searches, and the error that ended looking for more.
pub type Instances = (Vec<Instance>, Option<Box<RuleError>>);

/// The same as starts of searches are given: models have no state.
///
/// # Errors
/// As [`models`].
pub fn instances(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Instances, Box<RuleError>> {
    let state = Record { cells: Box::default(), root: Cell::NIL };
    let Models { names, error } = models(m, w, contract, most)?;
    let all = names.into_iter().map(|name| Instance { name, state: state.clone() }).collect();
    Ok((all, error))
}

/// The predicates of one model.
struct Parts {
    model: PredId,
    indicator: &'static str,
    /// The first clause that is about the model.
    clause: Option<ClauseId>,
    objective: Option<Objective>,
}

/// The predicate of an objective.
#[derive(Clone, Copy)]
struct Objective {
    pred: PredId,
    indicator: &'static str,
    /// The first clause that is about the model.
    clause: Option<ClauseId>,
}

/// A model whose name is in no clause of objective/3 has no objective of its own.
fn parts(m: &mut Machine, contract: &Contract, name: Option<&Record>) -> Option<Parts> {
    let (model, indicator) = match name {
        None if contract.model.is_some() => (contract.model?, indicator::MODEL_1),
        _ => (contract.named_model?, indicator::MODEL_2),
    };
    let plain = contract.objective.map(|pred| Objective {
        pred,
        indicator: indicator::OBJECTIVE_2,
        clause: clause_for(m, pred, None),
    });
    if indicator == indicator::MODEL_1 {
        let clause = clause_for(m, model, None);
        return Some(Parts { model, indicator, clause, objective: plain });
    }
    let named = contract.named_objective.and_then(|pred| {
        let clause = clause_for(m, pred, name)?;
        Some(Objective { pred, indicator: indicator::OBJECTIVE_3, clause: Some(clause) })
    });
    let clause = clause_for(m, model, name);
    // One objective may be that of all models.
    Some(Parts { model, indicator, clause, objective: named.or(plain) })
}

impl Parts {
    /// The error of a run that ended with an exception, which is that of the model or of its objective.
    fn error(
        &self,
        m: &Machine,
        name: Option<&Record>,
        fault: Fault,
        run: &ModelRun,
    ) -> Box<RuleError> {
        let unbounded = run.survey.as_ref().map_or(&[][..], |survey| &survey.unbounded);
        let (mut clause, mut indicator) = (self.clause, self.indicator);
        let mut of_objective = |violation| {
            if let Some(objective) = self.objective {
                (clause, indicator) = (objective.clause, objective.indicator);
            }
            violation
        };
        let violation = match (&fault, run.wrong) {
            (Fault::Ball(_), Some(WrongAnswer::List)) => Violation::NoModel,
            (Fault::Ball(_), Some(WrongAnswer::Objective)) => of_objective(Violation::NoObjective),
            (Fault::Ball(_), Some(WrongAnswer::OpenObjective)) => {
                of_objective(Violation::OpenObjective)
            }
            (Fault::Ball(_), None) if !unbounded.is_empty() => {
                Violation::Unbounded(unbounded.to_vec())
            }
            (Fault::Ball(_), None) if run.is_open => Violation::Undecided,
            _ if run.in_objective => of_objective(Violation::raised(m, fault)),
            _ => Violation::raised(m, fault),
        };
        let mut error = RuleError::new(violation, indicator);
        error.clause = clause;
        error.model = name.cloned();
        error
    }
}

thread_local! {
    /// When the search began, and when was last said how far it is.
    static BEGUN: Shared<Option<(Instant, Instant)>> = const { Shared::new(None) };
}

/// Says how far the search is that runs in this thread.
fn notice(nodes: u64) {
    let Some((begun, before)) = BEGUN.get() else { return };
    if before.elapsed() < NOTICE {
        return;
    }
    BEGUN.set(Some((begun, Instant::now())));
    let elapsed = begun.elapsed();
    progress::notify(ProgressEvent::Counted(CountedWork {
        what: "node",
        done: nodes,
        of: None,
        elapsed,
    }));
}

/// Searches a model for solutions.
///
/// # Errors
/// A variable has no bounds; an error in the rules.
pub fn solve_model(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
    task: &ModelTask,
    observer: Option<&mut ModelObserver<'_>>,
) -> Result<ModelSolution<Record>, Box<RuleError>> {
    let Some(parts) = parts(m, contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    let begun = Instant::now();
    BEGUN.set(Some((begun, begun)));
    let search = |m: &mut Machine, w: &mut World, limits: &Limits| {
        let mut search = ModelSearch::new(m, w, &parts, name, task, begun);
        let first = match parts.objective {
            None => Phase::Any,
            Some(_) => Phase::Best,
        };
        let mut ended = search.run(&first, limits, observer);
        // All best ones: the value is known now.
        let wants_all = first == Phase::Best && task.wanted != SolutionsWanted::One;
        if matches!(ended, Ok(None))
            && wants_all
            && let Some(value) = search.value.clone()
        {
            search.count = 0;
            search.solutions.clear();
            search.seen.clear();
            ended = search.run(&Phase::Valued(value), limits, None);
        }
        let report = search.report(ended)?;
        if report.outcome == Outcome::Exhausted {
            explain(m, w, &parts, name);
        }
        Ok(report)
    };
    let mut found =
        with_notes(m, w, |m, w| within(m, &task.limits, |m, limits| search(m, w, limits)));
    BEGUN.set(None);
    progress::notify(ProgressEvent::Over);
    if let Ok(found) = &mut found
        && let Some(condition) = impurity_of_model(m, w, contract)
    {
        found.rest_on(&condition);
    }
    found
}

/// Steps that it may take to explain why a model has no solution: about a second.
const EXPLAINING: u64 = 1 << 22;

/// Keeps the explanation of why a model has no solution, if its constraints tell, and if that is found within
/// [`EXPLAINING`] steps.
fn explain(m: &mut Machine, w: &mut World, parts: &Parts, name: Option<&Record>) {
    let conflict = m.symbols.intern("$conflict");
    let model = m.program.preds[parts.model as usize].name;
    let before = take_explanations(w);
    let (inferences, plain) = (m.inference_limit, m.program.plain);
    let budget = watchdog::StepBudget::new(EXPLAINING);
    // What limits say of it is not about the model.
    let _ = m.ask(w, |ask| {
        let heap = &mut ask.machine.heap;
        let list = heap.new_var();
        let goal = goal_of(heap, model, name, parts, &[list]);
        let goal = heap.new_struct(conflict, &[goal]);
        ask.goal(goal)
    });
    let mut found = take_explanations(w);
    if budget.is_used_up() {
        // Where it was aborted nothing is put back, and nothing is known.
        found.clear();
        stop_noting(w);
        m.inference_limit = inferences;
        m.program.set_plain(plain);
    }
    for explanation in before.into_iter().chain(found) {
        keep(w, explanation);
    }
}

/// A goal about a model, with its name in front if it is one with a name.
fn goal_of(
    heap: &mut zug_term::Heap,
    functor: Atom,
    name: Option<&Record>,
    parts: &Parts,
    arguments: &[Cell],
) -> Cell {
    let mut all = Vec::new();
    if parts.indicator == indicator::MODEL_2 {
        all.push(match name {
            Some(name) => name.instantiate(heap),
            None => heap.new_var(),
        });
    }
    all.extend(arguments);
    heap.new_struct(functor, &all)
}

/// What one run of the search looks for.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// Solutions.
    Any,
    /// Ever better ones.
    Best,
    /// Those of this value.
    Valued(Record),
}

struct ModelSearch<'a> {
    m: &'a mut Machine,
    w: &'a mut World,
    parts: &'a Parts,
    name: Option<&'a Record>,
    task: &'a ModelTask,
    begun: Instant,
    solutions: Vec<ModelValues<Record>>,
    /// Solutions that were seen, where a model may give one twice.
    seen: FxHashSet<Record>,
    count: u64,
    improvements: u64,
    direction: Option<&'static str>,
    value: Option<Record>,
    survey: Option<Survey>,
    /// A constraint of the model was refused.
    refused: bool,
    stats: ModelStats,
    /// The best value was found and proved.
    proved: bool,
}

/// What ended a run.
enum Halt {
    Stopped(StopReason),
    Error(Box<RuleError>),
}

impl<'a> ModelSearch<'a> {
    fn new(
        m: &'a mut Machine,
        w: &'a mut World,
        parts: &'a Parts,
        name: Option<&'a Record>,
        task: &'a ModelTask,
        begun: Instant,
    ) -> Self {
        ModelSearch {
            m,
            w,
            parts,
            name,
            task,
            begun,
            solutions: Vec::new(),
            seen: FxHashSet::default(),
            count: 0,
            improvements: 0,
            direction: None,
            value: None,
            survey: None,
            refused: false,
            stats: ModelStats::default(),
            proved: false,
        }
    }

    /// Looks for solutions until there are no more (`None`) or enough (`Some`).
    fn run(
        &mut self,
        phase: &Phase,
        limits: &Limits,
        mut observer: Option<&mut ModelObserver<'_>>,
    ) -> Result<Option<()>, Halt> {
        let left = limits.nodes.map(|nodes| nodes.saturating_sub(self.stats.nodes));
        model::begin(self.w, left, Some(notice));
        let (parts, name, labelling) = (self.parts, self.name, self.task.labelling);
        let nodes_before = self.stats.nodes;
        let mut found = Found {
            solutions: &mut self.solutions,
            seen: &mut self.seen,
            count: &mut self.count,
            value: &mut self.value,
            direction: &mut self.direction,
            improvements: &mut self.improvements,
            wanted: self.task.wanted,
            kept: self.task.kept.max(1),
        };
        let begun = self.begun;
        let ended = self.m.ask(self.w, |ask| {
            let goal = goal(ask, phase, name, parts, labelling);
            let mut answered = ask.goal(goal);
            loop {
                match answered {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(fault) => return Err(fault),
                }
                let enough = found.take(ask, phase);
                if let (Some(observer), Some(value), Phase::Best) =
                    (observer.as_deref_mut(), &*found.value, phase)
                {
                    let nodes = nodes_before + model::nodes(ask.host);
                    let value = term_text(ask.machine, ask.host, value);
                    observer(&Improvement { value, nodes, elapsed: begun.elapsed() });
                }
                if enough {
                    return Ok(Some(()));
                }
                answered = ask.redo();
            }
        });
        let run = model::taken(self.w);
        self.stats.nodes += run.nodes;
        self.stats.propagations += run.propagations;
        self.stats.elapsed = self.begun.elapsed();
        self.refused |= run.refused;
        let ended = ended.map_err(|fault| self.halt(fault, &run));
        if self.survey.is_none() {
            self.survey = run.survey;
        }
        if matches!(ended, Ok(None)) && *phase == Phase::Best {
            self.proved = self.value.is_some();
        }
        ended
    }

    fn halt(&self, fault: Fault, run: &ModelRun) -> Halt {
        let reason = match &fault {
            Fault::Stopped(_) if run.out_of_nodes => StopReason::Nodes,
            Fault::Stopped(zug_machine::StopReason::Time) => StopReason::Time,
            Fault::Stopped(zug_machine::StopReason::Interrupted) => StopReason::Cancelled,
            Fault::Stopped(zug_machine::StopReason::Inferences) => StopReason::Inferences,
            _ if fault.is_limit() => StopReason::Memory,
            _ => return Halt::Error(self.parts.error(self.m, self.name, fault, run)),
        };
        Halt::Stopped(reason)
    }

    fn report(
        self,
        ended: Result<Option<()>, Halt>,
    ) -> Result<ModelSolution<Record>, Box<RuleError>> {
        let outcome = match ended {
            Ok(_) if self.count > 0 => Outcome::Solved,
            Ok(_) => Outcome::Exhausted,
            Err(Halt::Stopped(reason)) => Outcome::Stopped(reason),
            Err(Halt::Error(error)) => return Err(error),
        };
        let complete = match (outcome, self.task.wanted) {
            (Outcome::Stopped(_), _) => false,
            (Outcome::Exhausted, _) | (_, SolutionsWanted::All) => true,
            (_, SolutionsWanted::Second) => self.count < 2,
            (_, SolutionsWanted::One) => false,
        };
        let unique = match self.task.wanted {
            SolutionsWanted::One => None,
            _ if self.count > 1 => Some(false),
            _ if complete && self.count == 1 => Some(true),
            _ => None,
        };
        let has_value = self.value.is_some();
        let optimal = (has_value && self.proved).then_some(true);
        Ok(ModelSolution {
            outcome,
            objective: self.direction,
            value: self.value,
            optimal,
            optimal_by: optimal.map(|_| EXHAUSTION),
            optimal_if: None,
            exhausted_if: None,
            complete_if: None,
            count: self.count,
            complete,
            unique,
            solutions: self.solutions,
            improvements: self.improvements,
            posted: self.survey.as_ref().map(posted),
            goal_failed: self.survey.is_none() && !self.refused,
            stats: self.stats,
        })
    }
}

/// What a model posted, in numbers.
pub fn posted(survey: &Survey) -> PostedModel {
    PostedModel {
        variables: survey.variables,
        fixed: survey.fixed.len() as u64,
        constraints: survey.constraints,
        log10_space: log10(&survey.space),
    }
}

/// The decimal logarithm of a number of ways.
fn log10(space: &num_bigint::BigInt) -> f64 {
    use num_traits::ToPrimitive;
    let bits = space.bits();
    // The leading 64 bits, and how many stand behind.
    let behind = bits.saturating_sub(64);
    let leading = (space >> behind).to_f64().unwrap_or(0.0);
    if leading <= 0.0 {
        return 0.0;
    }
    leading.log10() + behind as f64 * std::f64::consts::LOG10_2
}

/// Where solutions are put.
struct Found<'f> {
    solutions: &'f mut Vec<ModelValues<Record>>,
    seen: &'f mut FxHashSet<Record>,
    count: &'f mut u64,
    value: &'f mut Option<Record>,
    direction: &'f mut Option<&'static str>,
    improvements: &'f mut u64,
    wanted: SolutionsWanted,
    kept: usize,
}

impl Found<'_> {
    /// Takes the solution that stands; whether these are enough.
    fn take(&mut self, ask: &mut OpenQuery<'_, World>, phase: &Phase) -> bool {
        let [list, value, objective]: [Cell; 3] = ask.rooted();
        let minimum = ask.machine.symbols.intern("min");
        let heap = &mut ask.machine.heap;
        let all = Record::new(heap, list);
        if model::has_alternatives(ask.host) && !self.seen.insert(all.clone()) {
            return false;
        }
        if let Some((functor, 1, _)) = heap.name_arity(objective) {
            *self.direction = Some(if functor == minimum { "min" } else { "max" });
        }
        if *phase == Phase::Best {
            *self.value = Some(Record::new(heap, value));
            *self.improvements += 1;
            self.solutions.clear();
            *self.count = 0;
        }
        *self.count += 1;
        if self.solutions.len() < self.kept {
            let items = heap.proper_list(list).unwrap_or_default();
            let values = items.into_iter().filter_map(|item| {
                let [name, value] = heap.match_struct::<2>(item, atoms::UNIFY)?;
                Some(NamedValue { name: Record::new(heap, name), value: Record::new(heap, value) })
            });
            let values = values.collect();
            self.solutions.push(ModelValues { values, list: all });
        }
        match (phase, self.wanted) {
            (Phase::Best, _) | (_, SolutionsWanted::All) => false,
            (_, SolutionsWanted::One) => true,
            (_, SolutionsWanted::Second) => *self.count > 1,
        }
    }
}

/// The goal whose answers are the solutions. Its roots are the list, the value, and the objective.
fn goal(
    ask: &mut OpenQuery<'_, World>,
    phase: &Phase,
    name: Option<&Record>,
    parts: &Parts,
    labelling: Labelling,
) -> Cell {
    let (goal, aim, [list, value]) = posting(ask, phase, name, parts);
    let m = &mut *ask.machine;
    let [search, label, ground, best, none] =
        ["$fd_search", "l", "ground", "best", "none"].map(|name| m.symbols.intern(name));
    let how = [labelling.selection, labelling.order, labelling.choice];
    let how = how.map(|name| Cell::atom(m.symbols.intern(name)));
    let heap = &mut m.heap;
    let how = heap.new_struct(label, &[how[0], how[1], how[2], Cell::atom(ground)]);
    let best = heap.new_struct(best, &[Cell::atom(none)]);
    heap.new_struct(search, &[goal, aim, list, how, best, value])
}

/// The goal that posts a model, its objective or `none`, and the variables of its list and of the value.
fn posting(
    ask: &mut OpenQuery<'_, World>,
    phase: &Phase,
    name: Option<&Record>,
    parts: &Parts,
) -> (Cell, Cell, [Cell; 2]) {
    let [list, value, objective]: [Cell; 3] = ask.outputs();
    let m = &mut *ask.machine;
    let none = m.symbols.intern("none");
    let functor = m.program.preds[parts.model as usize].name;
    let known = match phase {
        Phase::Valued(value) => value.instantiate(&mut m.heap),
        _ => Cell::atom(none),
    };
    let aim = match phase {
        Phase::Any => Cell::atom(none),
        _ => aim(m, name, parts, [list, objective, known]),
    };
    (goal_of(&mut m.heap, functor, name, parts, &[list]), aim, [list, value])
}

/// The objective of a model as `objective(Goal, Objective, Known)`, or `none`.
fn aim(
    m: &mut Machine,
    name: Option<&Record>,
    parts: &Parts,
    [list, objective, known]: [Cell; 3],
) -> Cell {
    let [none, with] = ["none", "objective"].map(|name| m.symbols.intern(name));
    let Some(asked) = parts.objective else { return Cell::atom(none) };
    let functor = m.program.preds[asked.pred as usize].name;
    let heap = &mut m.heap;
    let goal = if asked.indicator == indicator::OBJECTIVE_2 {
        heap.new_struct(functor, &[list, objective])
    } else {
        goal_of(heap, functor, name, parts, &[list, objective])
    };
    heap.new_struct(with, &[goal, objective, known])
}

/// What becomes of a model that is posted.
#[derive(Clone, Debug)]
pub enum Surveyed {
    /// It can be searched.
    Posted(Survey),
    /// Its constraints can't hold together.
    Refused,
    /// Another of its goals fails.
    Failed,
}

/// Posts a model and its objective and looks what the model has posted, without labelling anything.
///
/// # Errors
/// An error in the rules, or a limit.
pub fn survey_model(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
) -> Result<Surveyed, Box<RuleError>> {
    let Some(parts) = parts(m, contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    model::begin(w, None, None);
    let survey = m.symbols.intern("$fd_survey");
    let functor = m.program.preds[parts.model as usize].name;
    let ended = m.ask(w, |ask| {
        let m = &mut *ask.machine;
        let terms = [m.heap.new_var(), m.heap.new_var(), m.heap.new_var()];
        let goal = goal_of(&mut m.heap, functor, name, &parts, &[terms[0]]);
        let aim = aim(m, name, &parts, terms);
        let goal = m.heap.new_struct(survey, &[goal, aim, terms[0]]);
        ask.goal(goal)
    });
    let run = model::taken(w);
    let is_open = run.survey.as_ref().is_some_and(|survey| !survey.unbounded.is_empty());
    let holds = match ended {
        Ok(holds) => holds,
        // What has no bounds is an exception to those who want to label it.
        Err(Fault::Ball(_)) if is_open => true,
        Err(fault) => return Err(parts.error(m, name, fault, &run)),
    };
    Ok(match run.survey {
        Some(survey) if holds => Surveyed::Posted(survey),
        None if !run.refused => Surveyed::Failed,
        _ => Surveyed::Refused,
    })
}

/// A model in linear form, with its objective if it is to have one; or why it has none.
///
/// # Errors
/// An error in the rules, or a limit.
pub(crate) fn encoded_model(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
    with_objective: bool,
) -> Result<Result<zug_proof::Model, String>, Box<RuleError>> {
    let Some(parts) = parts(m, contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    let functor = m.program.preds[parts.model as usize].name;
    let objective = parts.objective.filter(|_| with_objective);
    let asked = objective.map(|asked| m.program.preds[asked.pred as usize].name);
    let encoded = m.ask(w, |ask| {
        let heap = &mut ask.machine.heap;
        let (list, found) = (heap.new_var(), heap.new_var());
        let goal = goal_of(heap, functor, name, &parts, &[list]);
        let sought = objective.zip(asked).map(|(objective, asked)| {
            let goal = if objective.indicator == indicator::OBJECTIVE_2 {
                heap.new_struct(asked, &[list, found])
            } else {
                goal_of(heap, asked, name, &parts, &[list, found])
            };
            proof::Sought { goal, objective: found }
        });
        proof::encode(ask.machine, ask.host, goal, sought.as_ref())
    });
    match encoded {
        Ok(encoded) => Ok(encoded.map(|encoded| encoded.model)),
        Err(fault) => Err(RuleError::new(Violation::raised(m, fault), parts.indicator)),
    }
}

/// Answers of a model whose names are looked at.
const MOST_ANSWERS: usize = 1000;

/// Why a model refuses a solution: a sentence about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is none of the model's lists.
    List(String),
    /// The objective is another one, or has another value.
    Objective(String),
    /// The constraints of the model.
    Constraints,
}

/// A solution that is asked about, with the direction of the objective and its value, if there are some.
#[derive(Clone, Copy)]
pub(crate) struct Claimed<'c> {
    pub list: &'c Record,
    pub objective: Option<(&'c str, &'c Record)>,
}

/// Why a model refuses a solution, if it does: the names are looked at first, then the objective.
///
/// # Errors
/// An error in the rules, or a limit.
pub(crate) fn refusal(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
    claimed: Claimed<'_>,
) -> Result<Option<Refusal>, Box<RuleError>> {
    let Some(parts) = parts(m, contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    let (heap, list) = claimed.list.to_heap();
    let Some(given) = pairs(&heap, list).filter(|_| zug_term::is_ground(&heap, list)) else {
        let why = "it is no list of `Name=Value` without variables";
        return Ok(Some(Refusal::List(why.to_owned())));
    };
    let phase = match (claimed.objective, parts.objective) {
        (Some((_, value)), Some(_)) => Some(Phase::Valued(value.clone())),
        (None, None) => Some(Phase::Any),
        _ => None,
    };
    let tried = match &phase {
        Some(phase) => try_solution(m, w, (&parts, name), phase, claimed.list),
        None => Ok(None),
    };
    let (error, direction) = match tried {
        Ok(Some((direction, own)))
            if claimed.objective.is_none_or(|given| given == (direction, &own)) =>
        {
            return Ok(None);
        }
        Ok(Some((direction, _)))
            if claimed.objective.is_some_and(|(given, _)| given != direction) =>
        {
            (None, Some(direction))
        }
        Ok(_) => (None, None),
        Err(error) if matches!(error.fault(), Some(fault) if fault.is_limit()) => {
            return Err(error);
        }
        Err(error) => (Some(error), None),
    };
    let text = |m: &Machine, w: &World, cell| canonical_cell_text(m, w, &heap, cell);
    let names: Vec<String> = given.iter().map(|&(name, _)| text(m, w, name)).collect();
    let lists = lists_of_answers(m, w, (&parts, name));
    if let Some(why) = other_names(&lists, &names) {
        return Ok(Some(Refusal::List(why)));
    }
    if let Some(error) = error {
        let misfits = lists.iter().map(|list| {
            list.iter().zip(&given).find_map(|((name, shape), &(_, value))| {
                let value = (!shape.fits(&heap, value)).then(|| text(m, w, value))?;
                let due = shape.words();
                Some(format!("the value of `{name}` is `{value}`, and not {due}"))
            })
        });
        // The rules raise it for values that fit, too.
        let Some(why) = misfits.min().flatten() else { return Err(error) };
        return Ok(Some(Refusal::List(why)));
    }
    let objective = |why: String| Ok(Some(Refusal::Objective(why)));
    let (given, value) = match (claimed.objective, parts.objective) {
        (Some(_), None) => return objective("the model has no objective".to_owned()),
        (None, Some(asked)) => {
            let indicator = asked.indicator;
            return objective(format!(
                "the model has an objective ({indicator}), and there is no record objective/2"
            ));
        }
        (None, None) => return Ok(Some(Refusal::Constraints)),
        (Some(claimed), Some(_)) => claimed,
    };
    let turned =
        |direction: &str| format!("the objective of the model is `{direction}`, and not `{given}`");
    if let Some(direction) = direction {
        return objective(turned(direction));
    }
    let best = try_solution(m, w, (&parts, name), &Phase::Best, claimed.list)?;
    Ok(Some(match best {
        Some((direction, _)) if direction != given => Refusal::Objective(turned(direction)),
        Some((_, own)) if own != *value => {
            let [own, value] = [&own, value].map(|value| canonical_text(m, w, value));
            Refusal::Objective(format!(
                "the value of the objective is {own} for this solution, and not {value}"
            ))
        }
        _ => Refusal::Constraints,
    }))
}

/// Posts a model, whose list is given then: the direction of the objective and its value, if there is an answer.
fn try_solution(
    m: &mut Machine,
    w: &mut World,
    (parts, name): (&Parts, Option<&Record>),
    phase: &Phase,
    solution: &Record,
) -> Result<Option<(&'static str, Record)>, Box<RuleError>> {
    model::begin(w, None, None);
    let ended = m.ask(w, |ask| {
        let (model, aim, [list, value]) = posting(ask, phase, name, parts);
        let machine = &mut *ask.machine;
        let is_solution = machine.symbols.intern("$fd_solution");
        let given = solution.instantiate(&mut machine.heap);
        let goal = machine.heap.new_struct(is_solution, &[model, aim, list, given, value]);
        if !ask.goal(goal)? {
            return Ok(None);
        }
        let [_, value, objective]: [Cell; 3] = ask.rooted();
        let minimum = ask.machine.symbols.intern("min");
        let heap = &mut ask.machine.heap;
        let direction = match heap.name_arity(objective) {
            Some((functor, 1, _)) if functor == minimum => "min",
            Some((_, 1, _)) => "max",
            _ => "",
        };
        Ok(Some((direction, Record::new(heap, value))))
    });
    let run = model::taken(w);
    ended.map_err(|fault| parts.error(m, name, fault, &run))
}

/// What may stand in the place of a value of a solution.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Integer,
    List(Vec<Shape>),
    /// A term that is no variable of the constraints.
    Other,
}

/// Levels of nested lists in a value of a model that are compared.
const MOST_LISTS: u32 = 8;

impl Shape {
    fn of(heap: &Heap, cell: Cell) -> Shape {
        Shape::within(heap, cell, MOST_LISTS)
    }

    fn within(heap: &Heap, cell: Cell, most: u32) -> Shape {
        let is_integer = |cell: Cell| matches!(heap.value(cell), Value::Int(_) | Value::Big(_));
        match heap.proper_list(cell) {
            Some(_) if most == 0 => Shape::Other,
            Some(items) => {
                let shape = |item| Shape::within(heap, item, most - 1);
                Shape::List(items.into_iter().map(shape).collect())
            }
            None if heap.deref(cell).is_var() || is_integer(cell) => Shape::Integer,
            None => Shape::Other,
        }
    }

    fn fits(&self, heap: &Heap, value: Cell) -> bool {
        *self == Shape::Other || *self == Shape::of(heap, value)
    }

    fn words(&self) -> String {
        match self {
            Shape::Integer => "an integer".to_owned(),
            Shape::List(items) => format!("a list of {} values", items.len()),
            Shape::Other => "a term of the model".to_owned(),
        }
    }
}

/// The names and the shapes of values in the lists that a model answers, where its constraints are only noted.
fn lists_of_answers(
    m: &mut Machine,
    w: &mut World,
    (parts, name): (&Parts, Option<&Record>),
) -> Vec<Vec<(String, Shape)>> {
    let functor = m.program.preds[parts.model as usize].name;
    let mut found: Vec<Vec<(String, Shape)>> = Vec::new();
    while_noting(m, w, |m, w| {
        m.ask(w, |ask| {
            let [list]: [Cell; 1] = ask.outputs();
            let goal = goal_of(&mut ask.machine.heap, functor, name, parts, &[list]);
            let mut answered = ask.goal(goal);
            // What it raises here it may not raise where constraints are posted.
            while matches!(answered, Ok(true)) && found.len() < MOST_ANSWERS {
                let [list]: [Cell; 1] = ask.rooted();
                let heap = &ask.machine.heap;
                let named = pairs(heap, list).map(|pairs| {
                    let text = |name| canonical_cell_text(ask.machine, ask.host, heap, name);
                    let one = |(name, value)| (text(name), Shape::of(heap, value));
                    pairs.into_iter().map(one).collect()
                });
                found.extend(named);
                answered = ask.redo();
            }
        });
    });
    found
}

/// How names are other ones than those of all lists of a model: a sentence.
fn other_names(lists: &[Vec<(String, Shape)>], names: &[String]) -> Option<String> {
    let lists = lists.iter().map(|list| list.iter().map(|(name, _)| name.clone()).collect());
    let lists: Vec<Vec<String>> = lists.collect();
    let own = lists.first()?;
    if lists.iter().any(|own| own[..] == *names) {
        return None;
    }
    if let Some(name) = names.iter().find(|name| !own.contains(name)) {
        return Some(format!("the list of the model has no `{name}`; it has {}", own.join(", ")));
    }
    let count = |all: &[String], name: &String| all.iter().filter(|other| *other == name).count();
    if let Some(name) = own.iter().find(|name| count(names, name) < count(own, name)) {
        return Some(format!("it has no value for `{name}`"));
    }
    if let Some(name) = names.iter().find(|name| count(names, name) > count(own, name)) {
        return Some(format!("it has `{name}` more often than the list of the model"));
    }
    let (name, own) = names.iter().zip(own).find(|(name, own)| name != own)?;
    Some(format!(
        "`{name}` stands where the list of the model has `{own}`: the order is another one"
    ))
}
