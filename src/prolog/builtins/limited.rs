//! Goals with a limit of their own, and the steps under `setup_call_cleanup/3`.

use super::{Entry, World, args};
use std::time::{Duration, Instant};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::Cell;

/// Predicates that run goals or, `$push_cleanup`, leave a choice point: never compiled in
/// place, so the environment and the continuation are those of a call.
pub const REENTRANT: &[Entry] = &[
    Entry::session("$call_in_time", 3, in_time),
    Entry::session("$call_within_inferences", 3, within_inferences),
    Entry::session("$push_cleanup", 2, push_cleanup),
];

/// A step that looks at the machine's choice points.
pub const TABLE: &[Entry] = &[Entry::session("$cleanup_state", 3, cleanup_state)];

/// `'$call_in_time'(Goal, Seconds, InTime)`: the first answer of Goal with InTime = true,
/// or InTime = false.
fn in_time(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let seconds = match m.heap.value(a[1]) {
        zug_term::Value::Int(seconds) => seconds as f64,
        zug_term::Value::Float(seconds) => seconds,
        _ => f64::INFINITY,
    };
    let wait = Duration::try_from_secs_f64(seconds).ok();
    let outer = m.deadline;
    let own = wait.and_then(|wait| Instant::now().checked_add(wait));
    m.deadline = match (outer, own) {
        (Some(outer), Some(own)) => Some(outer.min(own)),
        (outer, own) => outer.or(own),
    };
    m.roots.push(a[2]);
    let (run, outcome) = m.solve(w, a[0]);
    m.deadline = outer;
    let result = m.roots.pop().expect("pushed above");
    let answer = match outcome {
        Ok(true) => {
            m.finish(run);
            "true"
        }
        Err(Fault::Stopped(StopReason::Time))
            if outer.is_none_or(|outer| Instant::now() < outer) =>
        {
            "false"
        }
        other => return other,
    };
    let answer = args::atom_cell(m, answer);
    Ok(m.unify(result, answer))
}

/// `'$call_within_inferences'(Goal, Limit, Result)`.
fn within_inferences(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let most = a[1].as_int().and_then(|most| u64::try_from(most).ok()).unwrap_or(u64::MAX);
    let outer = m.limit_inferences(most);
    m.roots.push(a[2]);
    let (run, outcome) = m.solve(w, a[0]);
    m.inference_limit = outer;
    let result = m.roots.pop().expect("pushed above");
    let answer = match outcome {
        Ok(true) => {
            m.finish(run);
            "!"
        }
        Err(Fault::Stopped(StopReason::Inferences)) if m.inferences() < outer => {
            "inference_limit_exceeded"
        }
        other => return other,
    };
    let answer = args::atom_cell(m, answer);
    Ok(m.unify(result, answer))
}

/// `'$push_cleanup'(Cleanup, Height)`.
fn push_cleanup(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let height = m.push_cleanup(a[0]);
    Ok(m.unify(a[1], Cell::small(height as i64)))
}

/// `'$cleanup_state'(Height, Ball, State)`: State is `waiting` while the goal may have
/// more answers, `done` when not, `raised` when Ball is bound.
fn cleanup_state(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let height = a[0].as_int().map_or(0, |height| height as usize);
    let state = if !a[1].is_var() {
        "raised"
    } else if m.is_last_choice(height) {
        "done"
    } else {
        "waiting"
    };
    if state != "waiting" {
        m.disarm_cleanup(height);
    }
    let state = args::atom_cell(m, state);
    Ok(m.unify(a[2], state))
}
