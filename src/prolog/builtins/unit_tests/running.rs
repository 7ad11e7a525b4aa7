//! The steps under `run_tests/0`: looking at units and tests, and running one goal of a test
//! with what it may take.

use super::loading::{self, shortened, shown};
use super::outcome::{self, Trouble};
use super::{Running, TestEvent, TestOutcome, TestRun};
use crate::builtins::streams::{USER_ERROR, USER_OUTPUT};
use crate::builtins::{Entry, World, args};
use std::time::{Duration, Instant};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::source::{Source, Span};
use zug_term::{Cell, Record, Value};

/// Predicates that run goals.
pub const REENTRANT: &[Entry] =
    &[Entry::session("$run_guarded", 1, run_guarded), Entry::session("$test_call", 2, test_call)];

/// Predicates that only look or note.
pub const TABLE: &[Entry] = &[
    Entry::session("begin_tests", 1, loading::begin),
    Entry::session("begin_tests", 2, loading::begin),
    Entry::session("end_tests", 1, loading::end),
    Entry::session("$test_units", 1, units),
    Entry::session("$test_unit", 5, unit),
    Entry::session("$test", 5, test),
    Entry::session("$test_line", 3, line),
    Entry::session("$test_time", 1, test_time),
    Entry::session("$test_begin", 3, test_begin),
    Entry::session("$test_end", 2, test_end),
    Entry::session("$test_warn", 3, test_warn),
    Entry::session("$note_assertion", 2, note_assertion),
    Entry::session("$tests_begin", 1, tests_begin),
    Entry::session("$tests_end", 1, tests_end),
];

/// The number in an argument, as an index.
fn index(m: &Machine, cell: Cell) -> usize {
    m.heap.deref(cell).as_int().map_or(usize::MAX, |value| value as usize)
}

/// `'$test_units'(Names)`: the units in the order of their files.
fn units(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let names: Vec<Cell> = w.tests.units.iter().map(|unit| Cell::atom(unit.name)).collect();
    Ok(args::unify_list(m, a[0], &names))
}

/// `'$test_unit'(Name, Unit, Module, Options, Size)`: number, module, options and number of
/// tests of a unit.
fn unit(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = m.heap.deref(a[0]).as_atom();
    let Some(at) = w.tests.units.iter().position(|unit| Some(unit.name) == name) else {
        return Ok(false);
    };
    let unit = &w.tests.units[at];
    let options = match unit.problem {
        None => unit.options.instantiate(&mut m.heap),
        Some(_) => args::atom_cell(m, "$problem"),
    };
    let size = Cell::small(unit.tests.len() as i64);
    let module = Cell::atom(m.program.modules.name_of(unit.space));
    let number = Cell::small(at as i64);
    let pairs = [(a[1], number), (a[2], module), (a[3], options), (a[4], size)];
    Ok(pairs.into_iter().all(|(left, right)| m.unify(left, right)))
}

/// Name, options and goal of a test, fresh; `None` if there is no such test.
fn instance(m: &mut Machine, w: &World, unit: usize, test: usize) -> Option<[Cell; 3]> {
    let test = w.tests.units.get(unit)?.tests.get(test)?;
    let record = &m.program.clauses.get(test.clause as usize)?.record;
    let root = record.instantiate(&mut m.heap);
    let goal = m.heap.deref(m.heap.at(root.addr() + 1));
    let (_, arity, at) = m.heap.name_arity(goal)?;
    let options = if arity == 2 { m.heap.deref(m.heap.at(at + 1)) } else { Cell::NIL };
    Some([m.heap.deref(m.heap.at(at)), options, goal])
}

/// `'$test'(Unit, Test, Name, Options, Goal)`: a test by number, fresh; `Options` is
/// `'$problem'` if they are wrong.
fn test(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (unit, number) = (index(m, a[0]), index(m, a[1]));
    let Some([name, options, goal]) = instance(m, w, unit, number) else { return Ok(false) };
    let wrong = w.tests.units[unit].tests[number].problem.is_some();
    let options = if wrong { args::atom_cell(m, "$problem") } else { options };
    Ok(m.unify(a[2], name) && m.unify(a[3], options) && m.unify(a[4], goal))
}

/// `'$test_line'(Unit, Test, Line)`: the line that a test stands at.
fn line(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (unit, number) = (index(m, a[0]), index(m, a[1]));
    let test = w.tests.units.get(unit).and_then(|unit| unit.tests.get(number));
    let Some(test) = test else { return Ok(false) };
    let line = i64::from(test.source.position(test.span.start).line);
    Ok(m.unify(a[2], Cell::small(line)))
}

/// `'$test_time'(Seconds)`: the running test may take this long, as its option says.
fn test_time(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let seconds = match m.heap.value(a[0]) {
        Value::Int(seconds) => seconds as f64,
        Value::Float(seconds) => seconds,
        _ => return Err(m.type_error("number", a[0])),
    };
    if let Some(running) = w.tests.running.last_mut() {
        running.time = Duration::try_from_secs_f64(seconds).ok();
    }
    Ok(true)
}

/// `'$run_guarded'(Goal)`: the first answer of a goal that runs tests. A test that a limit of
/// the whole leaves in the middle is noted.
fn run_guarded(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let depth = w.tests.running.len();
    let (run, outcome) = m.solve(w, a[0]);
    if !matches!(outcome, Ok(true)) {
        while w.tests.running.len() > depth {
            abandoned(m, w, outcome.as_ref().err().cloned());
        }
        return outcome;
    }
    m.finish(run);
    Ok(true)
}

/// Notes a test that was left in the middle.
fn abandoned(m: &Machine, w: &mut World, fault: Option<Fault>) {
    if let Some(Fault::Stopped(reason)) = fault
        && reason != StopReason::Interrupted
    {
        w.tests.troubles.push(Trouble::Stopped(reason));
        finish(m, w, outcome::stopped);
    } else if let Some(left) = w.tests.running.pop() {
        let label = label_of(m, w, &left);
        w.tests.interrupted.get_or_insert(label);
    }
}

/// Unit and name of a test, as text.
fn names_of(m: &Machine, w: &World, running: &Running) -> (String, String) {
    let unit = &w.tests.units[running.unit];
    let test = &unit.tests[running.test];
    let (heap, root) = m.program.clauses[test.clause as usize].record.to_heap();
    let args = heap.name_arity(heap.at(root.addr() + 1)).map(|(_, _, args)| args);
    let name = args.map_or(String::new(), |args| shown(&heap, m, w, heap.at(args)));
    (m.symbols.name(unit.name).to_owned(), name)
}

/// `unit:name`, with the instance of `forall`.
fn label_of(m: &Machine, w: &World, running: &Running) -> String {
    let (unit, name) = names_of(m, w, running);
    super::label(&unit, &name, running.instance.as_deref())
}

/// `'$test_begin'(Unit, Test, Instance)`: a test begins; `Instance` lists the values of the
/// variables of `forall`, or is `none`.
fn test_begin(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (unit, test) = (index(m, a[0]), index(m, a[1]));
    if w.tests.units.get(unit).and_then(|unit| unit.tests.get(test)).is_none() {
        return Ok(false);
    }
    let instance = match m.heap.deref(a[2]) {
        cell if cell.is_atom() && cell != Cell::NIL => None,
        cell => Some(shortened(shown(&m.heap, m, w, cell))),
    };
    // What was written before is nobody's.
    let _ = w.streams.flush_standard();
    if let Some(output) = &w.tests.output {
        output.take();
    }
    if w.tests.bytes.is_some() {
        w.streams.limit_output(w.tests.bytes);
    }
    w.tests.running.push(Running {
        unit,
        test,
        instance,
        started: Instant::now(),
        time: None,
        unproved: None,
        assertions: Vec::new(),
        warnings: Vec::new(),
    });
    if let (Some(mut listener), Some(running)) = (w.tests.listener.take(), w.tests.running.last()) {
        listener(&TestEvent::Begun(&label_of(m, w, running)));
        w.tests.listener = Some(listener);
    }
    Ok(true)
}

/// `'$test_call'(Goal, Result)`: the first answer of a goal within what a test may take.
/// Result is `true(Det)`, `false`, `raised(Ball, Key)` or `stopped(Key)`; the key is that of
/// [`super::Tests::troubles`].
fn test_call(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let outer = m.deadline;
    let running = w.tests.running.last();
    let time = running.map_or(w.tests.time, |running| running.allowed(w.tests.time));
    let started = running.map_or_else(Instant::now, |running| running.started);
    let own = time.and_then(|time| started.checked_add(time));
    m.deadline = outer.into_iter().chain(own).min();
    let most = w.tests.inferences.unwrap_or(u64::MAX);
    let outer_inferences = m.limit_inferences(most);
    m.roots.push(a[1]);
    let (run, outcome) = m.solve(w, a[0]);
    m.deadline = outer;
    m.inference_limit = outer_inferences;
    let result = m.roots.pop().expect("pushed above");
    let key = Cell::small(w.tests.troubles.len() as i64);
    let stopped = |m: &mut Machine| {
        let name = m.symbols.intern("stopped");
        m.heap.new_struct(name, &[key])
    };
    let (answer, trouble) = match outcome {
        Ok(true) => {
            let det = args::atom_cell(m, if m.has_more(run) { "false" } else { "true" });
            m.finish(run);
            let name = m.symbols.intern("true");
            (m.heap.new_struct(name, &[det]), None)
        }
        Ok(false) => (args::atom_cell(m, "false"), None),
        Err(Fault::Ball(ball)) => {
            let term = ball.instantiate(&mut m.heap);
            let place = raised_at(m, w);
            let name = m.symbols.intern("raised");
            (m.heap.new_struct(name, &[term, key]), Some(Trouble::Raised(ball, place)))
        }
        Err(Fault::Stopped(reason)) => {
            let is_own = match reason {
                StopReason::Time => outer.is_none_or(|outer| Instant::now() < outer),
                StopReason::Inferences => m.inferences() < outer_inferences,
                StopReason::Output => w.tests.bytes.is_some() && !w.tests.running.is_empty(),
                StopReason::Interrupted => false,
            };
            if !is_own {
                return Err(Fault::Stopped(reason));
            }
            (stopped(m), Some(Trouble::Stopped(reason)))
        }
        Err(Fault::Halt(status)) => (stopped(m), Some(Trouble::Halt(status))),
    };
    w.tests.troubles.extend(trouble);
    Ok(m.unify(result, answer))
}

/// Where the user's goal stands that raised the last uncaught exception.
fn raised_at(m: &Machine, w: &World) -> Option<(Source, Span)> {
    let steps = m.trace.callers.iter().zip(&m.trace.addresses);
    steps.into_iter().find_map(|(&(_, clause), &address)| {
        let place = m.program.clauses.get(clause as usize)?.place.as_ref()?;
        let span = m.program.goal_span(clause, address)?;
        Some((w.loader.sources.get(place.source as usize)?.clone(), span))
    })
}

/// `'$test_warn'(What, Goal, Result)`: a cleanup did not come out true.
fn test_warn(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let finding = outcome::around(m, w, a, "W0902");
    match w.tests.running.last_mut() {
        Some(running) => running.warnings.push(finding),
        None => w.tests.warnings.push(finding),
    }
    Ok(true)
}

/// `'$note_assertion'(Goal, Result)`: an assertion of the running test is not true; fails if no
/// test runs.
fn note_assertion(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if w.tests.running.is_empty() {
        return Ok(false);
    }
    let raised = m.heap.name_arity(a[1]).filter(|found| found.1 == 1);
    let ball = raised.map(|(_, _, args)| m.heap.at(args));
    let ball = ball.map(|ball| Record::new(&mut m.heap, ball));
    let finding = outcome::assertion(m, w, a[0], ball.as_ref());
    w.tests.running.last_mut().expect("not empty").assertions.push(finding);
    Ok(true)
}

/// `'$test_end'(Result, Goal)`: the result of the running test; `Goal` is its goal now.
fn test_end(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if m.heap.name_arity(a[0]).is_some_and(|(name, ..)| m.symbols.name(name) == "unit_around") {
        w.tests.unit_errors += 1;
    }
    let asked = match m.heap.name_arity(a[0]) {
        Some((name, 1, args)) if m.symbols.name(name) == "failed" => Some(m.heap.at(args)),
        _ => None,
    };
    let asked = asked.map(|asked| Record::new(&mut m.heap, asked));
    if let Some(running) = w.tests.running.last_mut() {
        running.unproved = asked;
    }
    finish(m, w, |m, w, running| outcome::of(m, w, running, a));
    Ok(true)
}

/// Stores the result of the running test.
fn finish(
    m: &Machine,
    w: &mut World,
    judge: impl Fn(&Machine, &World, &Running) -> outcome::Verdict,
) {
    let _ = w.streams.flush_standard();
    let Some(mut running) = w.tests.running.pop() else { return };
    let elapsed = running.started.elapsed();
    let warnings = std::mem::take(&mut running.warnings);
    let verdict = judge(m, w, &running);
    let unit = &w.tests.units[running.unit];
    let test = &unit.tests[running.test];
    let (unit_name, name) = names_of(m, w, &running);
    let run = TestRun {
        unit: unit_name,
        name,
        instance: running.instance,
        source: test.source.clone(),
        head: test.head,
        outcome: verdict.outcome,
        choice_point: verdict.choice_point,
        reason: verdict.reason,
        findings: verdict.findings,
        warnings: warnings.into_iter().chain(verdict.warnings).collect(),
        output: w.tests.output.as_ref().map_or(String::new(), |output| output.take()),
        elapsed,
        was_unproved: running.unproved.is_some() && verdict.outcome == TestOutcome::Failed,
        unproved: running.unproved.filter(|_| verdict.outcome == TestOutcome::Failed),
        space: unit.space,
    };
    if let Some(listener) = &mut w.tests.listener {
        listener(&TestEvent::Ended(&run));
    }
    w.tests.runs.push(run);
}

/// `'$tests_begin'(Mark)`: tests are run from here on.
fn tests_begin(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if w.tests.running.is_empty() {
        w.tests.troubles.clear();
    }
    Ok(m.unify(a[0], Cell::small(w.tests.runs.len() as i64)))
}

/// `'$tests_end'(Mark)`: reports the tests run since; true if all of them passed.
fn tests_end(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mark = index(m, a[0]).min(w.tests.runs.len());
    let passed = !w.tests.runs[mark..].iter().any(|run| run.outcome.is_failure());
    if !w.tests.keep || mark > 0 {
        let text = outcome::report(&w.tests.runs[mark..]);
        // What the tests wrote comes first.
        let _ = w.streams.flush(USER_OUTPUT);
        let _ = w.streams.put_str(USER_ERROR, &text);
        w.tests.runs.truncate(mark);
    }
    Ok(passed)
}
