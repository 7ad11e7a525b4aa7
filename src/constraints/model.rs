//! A search over a model: what the model has posted, how far the search is, and what it leaves open.
//!
//! The search is `'$fd_search'/6` of the library. Here is what it says about itself to whoever runs it:
//! a model in the slot of the session is begun by [`begin`], and read by [`taken`].

use crate::domain::Domain;
use crate::expression::integer;
use crate::names::{leaves, pairs};
use crate::number::Bound;
use crate::session::Session;
use crate::shown::Var;
use crate::store::Store;
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_prolog::World;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::{Cell, watchdog};

/// Steps of labelling between two reports of how far it is.
const WATCHED: u64 = 256;

/// What a model has posted, before any variable was given a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Variables and integers in the values of its list.
    pub variables: u64,
    /// Constraints that were posted; domains are none.
    pub constraints: u64,
    /// The names of those that have a value already, with the value.
    pub fixed: Vec<(String, BigInt)>,
    /// The names of those without a value that no constraint holds back from any value of their domains.
    pub free: Vec<String>,
    /// Names that the list has twice.
    pub twice: Vec<String>,
    /// The names of variables without bounds.
    pub unbounded: Vec<String>,
    /// How many ways there are to give the others values of their domains.
    pub space: BigInt,
}

/// An answer of a model that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongAnswer {
    /// It is no list of `Name=Variable`.
    List,
    /// The objective has no answer, or is neither `min(E)` nor `max(E)`.
    Objective,
    /// The objective has no bounds where all variables of the list have values.
    OpenObjective,
}

/// How a search over a model stands.
#[derive(Clone, Debug, Default)]
pub struct ModelRun {
    /// Of the first answer of the model.
    pub survey: Option<Survey>,
    /// The model may have several answers.
    pub has_alternatives: bool,
    /// Steps of labelling.
    pub nodes: u64,
    /// Runs of propagators.
    pub propagations: u64,
    /// The limit of steps was reached.
    pub out_of_nodes: bool,
    /// What the model, or its objective, has answered that it may not.
    pub wrong: Option<WrongAnswer>,
    /// A constraint of the model could not hold, or not with the value of a variable.
    pub refused: bool,
    /// The objective is asked, or posted: what is raised is its error.
    pub in_objective: bool,
    /// A constraint on variables that are not in the list has infinitely many values to be tried.
    pub is_open: bool,
    most: Option<u64>,
    watch: Option<fn(u64)>,
    runs_before: u64,
}

/// The labelling of a session.
#[derive(Default)]
struct Labelling {
    /// Steps since the session began.
    steps: u64,
    /// The search over a model that was begun last.
    run: ModelRun,
}

/// A search begins: it takes at most N steps, and reports progress to `watch`.
pub fn begin(w: &mut World, most: Option<u64>, watch: Option<fn(u64)>) {
    let store = w.slots.get_mut::<Store>();
    store.count_from_here();
    let runs_before = store.runs;
    *run_of(w) = ModelRun { most, watch, runs_before, ..ModelRun::default() };
}

/// How the search that was begun last stands; it is over then.
pub fn taken(w: &mut World) -> ModelRun {
    let runs = w.slots.get_mut::<Store>().runs;
    let mut run = std::mem::take(run_of(w));
    run.propagations = runs - run.runs_before;
    run
}

/// Steps of labelling of the search that runs.
pub fn nodes(w: &World) -> u64 {
    w.slots.get::<Labelling>().map_or(0, |labelling| labelling.run.nodes)
}

/// Steps of labelling since the session began, whoever asked for values.
pub fn steps(w: &World) -> u64 {
    w.slots.get::<Labelling>().map_or(0, |labelling| labelling.steps)
}

/// Whether the model of the search that runs may have several answers.
pub fn has_alternatives(w: &World) -> bool {
    w.slots.get::<Labelling>().is_some_and(|labelling| labelling.run.has_alternatives)
}

pub(crate) fn run_of(w: &mut World) -> &mut ModelRun {
    &mut w.slots.get_mut::<Labelling>().run
}

/// Counts a step of labelling.
pub(crate) fn count(w: &mut World) -> Result<(), Fault> {
    let Labelling { steps, run } = w.slots.get_mut();
    *steps += 1;
    if run.most.is_some_and(|most| run.nodes >= most) {
        run.out_of_nodes = true;
        return Err(Fault::Stopped(StopReason::Inferences));
    }
    run.nodes += 1;
    if let Some(watch) = run.watch.filter(|_| run.nodes.is_multiple_of(WATCHED)) {
        watch(run.nodes);
    }
    Ok(())
}

/// `'$fd_model'(Model, Labelled)`: the variables of a model that was posted, which are to be labelled.
pub(crate) fn posted(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let Some(pairs) = pairs(&m.heap, args[0]) else {
        run_of(w).wrong = Some(WrongAnswer::List);
        return Err(m.domain_error("model", args[0]));
    };
    let mut found = Vec::new();
    let (mut names, mut twice) = (FxHashSet::default(), Vec::new());
    for (name, value) in pairs {
        let options = WriteOptions { quoted: true, ..WriteOptions::default() };
        let name = term_to_string(&m.heap, &m.symbols, &w.operators, name, &options);
        if !names.insert(name.clone()) && !twice.contains(&name) {
            twice.push(name.clone());
        }
        leaves(&m.heap, &name, value, &mut |name, cell| found.push((name, cell)));
    }
    let has_alternatives = m.has_alternatives();
    let session = Session::new(m, w);
    let constraints = session.store.posted();
    let mut survey = Survey { constraints, twice, space: 1.into(), ..Survey::default() };
    let mut variables: Vec<Cell> = Vec::new();
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut counted: FxHashSet<Var> = FxHashSet::default();
    for (name, cell) in found {
        watchdog::step();
        survey.variables += 1;
        if !cell.is_var() && session.known(cell).is_none() {
            survey.fixed.extend(integer(&session.m.heap, cell).map(|value| (name, value)));
            continue;
        }
        if !seen.insert(cell) {
            continue;
        }
        variables.push(cell);
        let known = session.known(cell);
        let domain = known.map_or_else(Domain::all, |var| session.store.domain(var).clone());
        match domain.size() {
            Bound::Fin(size) => {
                if known.is_some_and(|var| session.store.is_free(var)) {
                    survey.free.push(name);
                }
                if known.is_none_or(|var| counted.insert(session.store.find(var))) {
                    survey.space *= size;
                }
            }
            _ => survey.unbounded.push(name),
        }
    }
    let is_bounded = survey.unbounded.is_empty();
    let run = run_of(w);
    run.has_alternatives |= has_alternatives || run.survey.is_some();
    if run.survey.is_none() || !is_bounded {
        run.survey = Some(survey);
    }
    if !is_bounded {
        return Err(m.instantiation_error());
    }
    let list = m.heap.list_from(&variables, Cell::NIL);
    Ok(m.unify(args[1], list))
}

/// `'$fd_hidden'(Variables)`: those that have no value and are in a constraint that still holds something back.
pub(crate) fn hidden(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let mut session = Session::new(m, w);
    let store = &*session.store;
    let is_held = |&var: &Var| {
        store.find(var) == var && !store.is_fixed(var) && {
            watchdog::step();
            !store.is_free(var)
        }
    };
    let found: Vec<Var> = (0..store.len() as u32).map(Var).filter(is_held).collect();
    if found.iter().any(|&var| store.domain(var).size() == Bound::Sup) {
        run_of(w).is_open = true;
        return Err(m.instantiation_error());
    }
    let cells: Vec<Cell> = found.into_iter().map(|var| session.term(var)).collect();
    session.keep();
    let list = m.heap.list_from(&cells, Cell::NIL);
    Ok(m.unify(args[0], list))
}

/// `'$fd_part'(Part)`: whether the objective is asked, or else the model.
pub(crate) fn part(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let part = m.heap.deref(args[0]).as_atom();
    let in_objective = part.is_some_and(|part| m.symbols.name(part) == "objective");
    run_of(w).in_objective = in_objective;
    Ok(true)
}

/// `'$fd_bounded_aim'(Value)`: the objective has finitely many values left.
pub(crate) fn bounded_aim(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let session = Session::new(m, w);
    let var = session.known(args[0]);
    if var.is_none_or(|var| session.store.domain(var).size() != Bound::Sup) {
        return Ok(true);
    }
    run_of(w).wrong = Some(WrongAnswer::OpenObjective);
    Err(m.instantiation_error())
}

/// `'$fd_no_objective'(Objective)`: always an exception.
pub(crate) fn no_objective(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    run_of(w).wrong = Some(WrongAnswer::Objective);
    Err(m.domain_error("objective", args[0]))
}
