//! Rules as a model: constraints on variables that are posted by `model/1` or `model/2`, and values for the variables
//! found by labelling, the best ones where there is an objective.
//!
//! The search itself is labelling in the library of constraints; it is run here solution by solution, under the
//! limits of a search, and what it came to is said as for other searches: proved, or stopped.

use crate::contract::{Contract, indicator};
use crate::error::{RuleError, Violation};
use crate::run::{Instance, asking, within};
use rustc_hash::FxHashSet;
use std::cell::Cell as Shared;
use std::time::{Duration, Instant};
pub use zug_constraints::model::steps as labelling_steps;
use zug_constraints::model::{self, ModelRun, Survey, WrongAnswer};
use zug_constraints::{proof, while_noting};
use zug_machine::{Fault, Machine, OpenQuery, PredId};
use zug_options::{Rejected, Row};
use zug_prolog::builtins::World;
use zug_prolog::term_text;
use zug_report::{
    ModelSolution, ModelStats, ModelValues, NamedValue, Outcome, PostedModel, StopReason,
};
use zug_search::Limits;
use zug_search::progress::{self, CountedWork, ProgressEvent};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

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

/// The models of a program: one without a name, those that have one, or both. Nothing is posted for it.
///
/// # Errors
/// An error in the rules, or a limit.
pub fn models(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Vec<Option<Record>>, Box<RuleError>> {
    let mut found: Vec<Option<Record>> = contract.model.map(|_| None).into_iter().collect();
    let Some(pred) = contract.named_model else { return Ok(found) };
    let ended = asking(m, w, |m, w| {
        while_noting(m, w, |m, w| {
            m.ask(w, |ask| {
                let [name, list]: [Cell; 2] = ask.outputs();
                let mut answered = ask.call(pred, &[name, list]);
                loop {
                    match answered {
                        Ok(true) => {}
                        Ok(false) => return Ok(()),
                        Err(fault) => return Err(Violation::raised(ask.machine, fault)),
                    }
                    let [name, _]: [Cell; 2] = ask.rooted();
                    let heap = &mut ask.machine.heap;
                    let name = (!heap.deref(name).is_var()).then(|| Record::new(heap, name));
                    if !found.contains(&name) {
                        found.push(name);
                    }
                    answered = if found.len() < most { ask.redo() } else { Ok(false) };
                }
            })
        })
    });
    ended.map_err(|violation| RuleError::new(violation, indicator::MODEL_2))?;
    Ok(found)
}

/// The same as starts of searches are given: models have no state.
///
/// # Errors
/// As [`models`].
pub fn instances(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Vec<Instance>, Box<RuleError>> {
    let state = Record { cells: Box::default(), root: Cell::NIL };
    let all = models(m, w, contract, most)?;
    Ok(all.into_iter().map(|name| Instance { name, state: state.clone() }).collect())
}

/// The predicates of one model.
struct Parts {
    model: PredId,
    indicator: &'static str,
    objective: Option<Objective>,
}

/// The predicate of an objective.
#[derive(Clone, Copy)]
struct Objective {
    pred: PredId,
    indicator: &'static str,
}

fn parts(contract: &Contract, name: Option<&Record>) -> Option<Parts> {
    let (model, indicator) = match name {
        None if contract.model.is_some() => (contract.model?, indicator::MODEL_1),
        _ => (contract.named_model?, indicator::MODEL_2),
    };
    let of = |pred: Option<PredId>, indicator| pred.map(|pred| Objective { pred, indicator });
    let plain = of(contract.objective, indicator::OBJECTIVE_2);
    let objective = match indicator {
        indicator::MODEL_1 => plain,
        // One objective may be that of all models.
        _ => of(contract.named_objective, indicator::OBJECTIVE_3).or(plain),
    };
    Some(Parts { model, indicator, objective })
}

impl Parts {
    /// The error of a run that ended with an exception, which is that of the model or of its objective.
    fn error(&self, m: &Machine, fault: Fault, run: &ModelRun) -> Box<RuleError> {
        let unbounded = run.survey.as_ref().map_or(&[][..], |survey| &survey.unbounded);
        let (objective, mut pred) = (self.objective, self.model);
        let mut indicator = self.indicator;
        let mut of_objective = |violation| {
            if let Some(objective) = objective {
                (pred, indicator) = (objective.pred, objective.indicator);
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
        error.clause = m.program.live_clauses(pred).first().copied();
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
    let Some(parts) = parts(contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    let begun = Instant::now();
    BEGUN.set(Some((begun, begun)));
    let found = within(m, &task.limits, |m, limits| {
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
    });
    BEGUN.set(None);
    progress::notify(ProgressEvent::Over);
    found
}

/// Keeps the explanation of why a model has no solution, if its constraints tell.
fn explain(m: &mut Machine, w: &mut World, parts: &Parts, name: Option<&Record>) {
    let conflict = m.symbols.intern("$conflict");
    let model = m.program.preds[parts.model as usize].name;
    // What limits say of it is not about the model.
    let _ = m.ask(w, |ask| {
        let heap = &mut ask.machine.heap;
        let list = heap.new_var();
        let goal = goal_of(heap, model, name, parts, &[list]);
        let goal = heap.new_struct(conflict, &[goal]);
        ask.goal(goal)
    });
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
            _ => return Halt::Error(self.parts.error(self.m, fault, run)),
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
    let [list, value, objective]: [Cell; 3] = ask.outputs();
    let m = &mut *ask.machine;
    let [search, label, ground, best, none] =
        ["$fd_search", "l", "ground", "best", "none"].map(|name| m.symbols.intern(name));
    let how = [labelling.selection, labelling.order, labelling.choice];
    let how = how.map(|name| Cell::atom(m.symbols.intern(name)));
    let functor = m.program.preds[parts.model as usize].name;
    let known = match phase {
        Phase::Valued(value) => value.instantiate(&mut m.heap),
        _ => Cell::atom(none),
    };
    let aim = match phase {
        Phase::Any => Cell::atom(none),
        _ => aim(m, name, parts, [list, objective, known]),
    };
    let heap = &mut m.heap;
    let how = heap.new_struct(label, &[how[0], how[1], how[2], Cell::atom(ground)]);
    let goal = goal_of(heap, functor, name, parts, &[list]);
    let best = heap.new_struct(best, &[Cell::atom(none)]);
    heap.new_struct(search, &[goal, aim, list, how, best, value])
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
    let Some(parts) = parts(contract, name) else {
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
        Err(fault) => return Err(parts.error(m, fault, &run)),
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
    let Some(parts) = parts(contract, name) else {
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

/// Whether the constraints of a model take a solution, of a value if one is given.
///
/// # Errors
/// An error in the rules, or a limit.
pub(crate) fn is_solution_of(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    name: Option<&Record>,
    (solution, value): (&Record, Option<&Record>),
) -> Result<bool, Box<RuleError>> {
    let Some(parts) = parts(contract, name) else {
        return Err(RuleError::new(Violation::Missing("model(Vars)"), indicator::MODEL_1));
    };
    let phase = match (value, parts.objective) {
        (Some(value), Some(_)) => Phase::Valued(value.clone()),
        (None, None) => Phase::Any,
        _ => return Ok(false),
    };
    model::begin(w, None, None);
    let ended = m.ask(w, |ask| {
        let goal = goal(ask, &phase, name, &parts, Labelling::default());
        let [list, _, _]: [Cell; 3] = ask.rooted();
        let given = solution.instantiate(&mut ask.machine.heap);
        if !zug_term::is_ground(&ask.machine.heap, given) {
            return Ok(false);
        }
        let with = ask.machine.heap.new_struct(atoms::UNIFY, &[list, given]);
        let both = ask.machine.heap.new_struct(atoms::COMMA, &[with, goal]);
        ask.goal(both)
    });
    let run = model::taken(w);
    ended.map_err(|fault| parts.error(m, fault, &run))
}
