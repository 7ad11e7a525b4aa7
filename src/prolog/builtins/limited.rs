//! Goals with a limit of their own, and the steps under `setup_call_cleanup/3`.

use super::{Entry, World, args};
use std::time::{Duration, Instant};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// Predicates that run goals or, `$push_cleanup`, leave a choice point: never compiled in
/// place, so the environment and the continuation are those of a call.
pub const REENTRANT: &[Entry] = &[
    Entry::session("$call_in_time", 3, in_time),
    Entry::session("$push_cleanup", 2, push_cleanup),
];

/// Steps that look at the machine's choice points and limits.
pub const TABLE: &[Entry] = &[
    Entry::session("$cleanup_state", 3, cleanup_state),
    Entry::session("$inference_limit", 2, limit_inferences),
    Entry::session("$inference_limits", 2, inference_limits),
    Entry::session("$inference_leave", 2, leave_inferences),
];

/// `'$call_in_time'(Goal, Seconds, InTime)`: the first answer of Goal with InTime = true,
/// or InTime = false.
fn in_time(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let seconds = match m.heap.value(a[1]) {
        Value::Int(seconds) => seconds as f64,
        Value::Float(seconds) => seconds,
        _ => f64::INFINITY,
    };
    let wait = Duration::try_from_secs_f64(seconds).ok();
    let outer = m.deadline;
    let own = wait.and_then(|wait| Instant::now().checked_add(wait));
    m.deadline = outer.into_iter().chain(own).min();
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
    Ok(args::unify_atom(m, result, answer))
}

/// `'$inference_limit'(Inferences, Number)`: the goal of this number may take N inferences more, if those around it
/// may.
fn limit_inferences(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let most = match m.heap.value(a[0]) {
        Value::Int(most) => u64::try_from(most).unwrap_or(0),
        _ => u64::MAX,
    };
    let number = m.heap.deref(a[1]).as_int().unwrap_or(0);
    let outer = m.limit_inferences(most);
    if m.inference_limit < outer {
        m.goal_limit = Some((m.inference_limit, number));
    }
    Ok(true)
}

/// `'$inference_limits'(Limit, Goal)`: the limits that hold, for `'$inference_leave'/2`.
fn inference_limits(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let whole = |limit: u64| i64::try_from(limit).unwrap_or(i64::MAX);
    let limit = m.heap.new_int(whole(m.inference_limit));
    let goal = match m.goal_limit {
        Some((limit, number)) => {
            let parts = [whole(limit), number].map(|part| m.heap.new_int(part));
            m.heap.new_struct(atoms::MINUS, &parts)
        }
        None => Cell::NIL,
    };
    Ok(m.unify(a[0], limit) && m.unify(a[1], goal))
}

/// `'$inference_leave'(Limit, Goal)`: the limits around a goal hold again.
fn leave_inferences(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let count = |m: &Machine, cell: Cell| match m.heap.value(cell) {
        Value::Int(limit) if limit < i64::MAX => u64::try_from(limit).ok(),
        _ => None,
    };
    m.inference_limit = count(m, a[0]).unwrap_or(u64::MAX);
    let goal = m.heap.match_struct::<2>(a[1], atoms::MINUS);
    m.goal_limit = goal.and_then(|[limit, number]| {
        let number = m.heap.deref(number).as_int()?;
        Some((count(m, limit)?, number))
    });
    Ok(true)
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
    Ok(args::unify_atom(m, a[2], state))
}
