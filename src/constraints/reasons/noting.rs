//! Running a goal while its constraints are noted.

use super::Reasons;
use crate::domain::Domain;
use crate::predicates::Post;
use crate::session::{Constraints, Refusal, Session};
use zug_machine::{Fault, Machine, Outcome, Run, StopReason};
use zug_prolog::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, is_ground};

/// Calls that a goal may make while its constraints are noted.
const INFERENCES: u64 = 1_000_000;
/// Constraints that are looked at one by one.
const MOST: usize = 20_000;

/// Whether constraints are noted now, and since when.
#[derive(Default)]
pub(crate) struct Noting {
    /// The number of anchors of the machine when it began.
    since: Option<usize>,
}

/// A constraint that was noted.
#[derive(Clone)]
pub(super) struct Noted {
    pub goal: Cell,
    /// The address of the user's goal that it was called for.
    pub at: Option<u32>,
}

/// Whether constraints are noted now.
pub(crate) fn is_noting(w: &World) -> bool {
    w.slots.get::<Constraints>().is_some_and(|constraints| constraints.noting.since.is_some())
}

/// Notes a constraint. What is known is done at once: recursion over numbers must end, and values that are
/// computed are computed.
pub(crate) fn note(
    m: &mut Machine,
    w: &mut World,
    name: &str,
    post: Post,
    args: &[Cell],
) -> Outcome {
    if name.starts_with('$') {
        return Ok(true);
    }
    let atom = m.symbols.intern(name);
    if name == "#=" {
        for (one, other) in [(args[0], args[1]), (args[1], args[0])] {
            if m.heap.deref(one).is_var() && is_ground(&m.heap, other) {
                return at_once(m, w, post, args);
            }
        }
    }
    let goal = m.heap.new_struct(atom, args);
    if is_ground(&m.heap, goal) && at_once(m, w, post, args)? {
        return Ok(true);
    }
    if is_ground(&m.heap, goal) && m.has_alternatives() {
        return Ok(false);
    }
    let at = place(m);
    if name == "ins" {
        let one = m.symbols.intern("in");
        if let Some(items) = m.heap.proper_list(args[0]) {
            for item in items {
                let goal = m.heap.new_struct(one, &[item, args[1]]);
                keep_note(m, goal, at);
            }
            return Ok(true);
        }
    }
    keep_note(m, goal, at);
    Ok(true)
}

fn keep_note(m: &mut Machine, goal: Cell, at: Option<u32>) {
    let at = Cell::small(at.map_or(-1, i64::from));
    let note = m.heap.new_struct(atoms::MINUS, &[goal, at]);
    m.anchor(note);
}

/// Posts what is known.
fn at_once(m: &mut Machine, w: &mut World, post: Post, args: &[Cell]) -> Outcome {
    let mut session = Session::new(m, w);
    match post(&mut session, args).and_then(|()| session.settle()) {
        Ok(()) => Ok(true),
        Err(Refusal::Fail) => Ok(false),
        Err(Refusal::Fault(fault)) => Err(fault),
    }
}

/// The address of the user's goal that the running built-in was called for.
fn place(m: &Machine) -> Option<u32> {
    m.call_sites().find(|&at| {
        m.program.clause_at(at).is_some_and(|clause| {
            let pred = m.program.clauses[clause as usize].pred;
            m.program.preds[pred as usize].space.is_users()
        })
    })
}

/// Does something while constraints are noted and not posted.
pub fn while_noting<T>(
    m: &mut Machine,
    w: &mut World,
    work: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let since = Some(m.anchors());
    let noting = &mut w.slots.get_mut::<Constraints>().noting.since;
    let before = std::mem::replace(noting, since);
    let done = work(m, w);
    w.slots.get_mut::<Constraints>().noting.since = before;
    done
}

/// Runs a goal once while its constraints are noted: the run, which the caller is to
/// [abandon](Machine::abandon), and what was noted; nothing if the goal fails whatever its constraints, or
/// has an error, or so many constraints that it takes too long to look at them.
///
/// # Errors
/// An interrupt, or the end of the time.
pub(super) fn noted_run(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
) -> Result<Option<(Run, Vec<Noted>)>, Fault> {
    let (base, limit) = (m.anchors(), m.inference_limit);
    m.inference_limit = limit.min(m.inferences() + INFERENCES);
    let (run, outcome) = while_noting(m, w, |m, w| m.solve(w, goal));
    m.inference_limit = limit;
    match outcome {
        Ok(true) => {}
        Err(fault @ Fault::Stopped(StopReason::Interrupted | StopReason::Time)) => {
            return Err(fault);
        }
        _ => return Ok(None),
    }
    let noted = noted_since(m, base);
    if noted.len() > MOST {
        m.abandon(run);
        return Ok(None);
    }
    Ok(Some((run, noted)))
}

fn noted_since(m: &Machine, base: usize) -> Vec<Noted> {
    (base..m.anchors()).filter_map(|at| noted_at(m, at)).collect()
}

fn noted_at(m: &Machine, at: usize) -> Option<Noted> {
    let [goal, address] = m.heap.match_struct::<2>(m.anchored(at), atoms::MINUS)?;
    let address = m.heap.deref(address).as_int()?;
    Some(Noted { goal, at: u32::try_from(address).ok() })
}

/// What the constraints that were noted so far leave of a variable.
pub(crate) fn domain_of_noted(m: &mut Machine, w: &mut World, variable: Cell) -> Domain {
    let since = w.slots.get_mut::<Constraints>().noting.since;
    let noted = noted_since(m, since.unwrap_or_else(|| m.anchors()));
    let variable = m.heap.deref(variable);
    let mut reasons = Reasons::of(m, w, noted);
    let trial = reasons.trial(&reasons.all(), None, false);
    let known = trial.variables.iter().find(|&&(cell, _)| cell == variable);
    known.map_or_else(Domain::all, |&(_, var)| trial.store.domain(var).clone())
}
