//! Why constraints can't hold together: a smallest set of those that a goal posts, and what each of them
//! rules out.
//!
//! The goal is run once more while its constraints are *noted* and not posted; then they are posted into a
//! store of their own, all of them and parts of them, until a set is left of which none can be left out
//! (U. Junker, *QuickXplain: preferred explanations and relaxations for over-constrained problems*, AAAI
//! 2004). What propagators do with that set is logged, and of the log is told what the contradiction
//! comes from.

use crate::domain::Domain;
use crate::names::{leaves, pairs};
use crate::number::Bound;
use crate::predicates::{Post, post_of};
use crate::propagators::reified::set_shown;
use crate::session::{Constraints, Posted, Refusal, Session};
use crate::shown::Shown;
use crate::store::{Change, Store, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_explain::{Explanation, keep};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_prolog::World;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, is_ground, watchdog};

/// Calls that a goal may make while its constraints are noted.
const INFERENCES: u64 = 1_000_000;
/// Values that are tried to find out whether constraints can hold together.
const TRIED: u64 = 20_000;
/// Constraints that are looked at one by one.
const MOST: usize = 20_000;
/// Lines that are told of what constraints rule out.
const LINES: usize = 24;
/// Cases that are told, where no propagator finds the contradiction.
const CASES: usize = 12;
/// Variables whose cases are told within cases of others.
const DEEPEST: usize = 2;
/// Lines after which no further cases are told.
const MOST_LINES: usize = 60;
/// Characters shown of a constraint.
const WIDTH: usize = 100;

/// Whether constraints are noted now.
pub(crate) fn is_noting(w: &World) -> bool {
    w.slots.get::<Constraints>().is_some_and(|constraints| constraints.noting)
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

/// A constraint that was noted.
#[derive(Clone)]
struct Noted {
    goal: Cell,
    at: Option<u32>,
}

/// Whether constraints can hold together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// They can.
    Holds,
    /// They can't: propagators say so, or all values that were tried.
    Fails,
    /// It was not found out.
    Open,
}

/// `'$conflict'(Goal)`: if Goal fails because its constraints can't hold together, keeps the explanation.
pub(crate) fn conflict(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    // Who has no operators of library(clpfd) has not asked for it.
    let operator = m.symbols.intern("#=");
    if is_noting(w) || w.operators.infix(operator).is_none() {
        return Ok(false);
    }
    let base = m.anchors();
    let limit = m.inference_limit;
    m.inference_limit = limit.min(m.inferences() + INFERENCES);
    w.slots.get_mut::<Constraints>().noting = true;
    let (run, outcome) = m.solve(w, args[0]);
    w.slots.get_mut::<Constraints>().noting = false;
    m.inference_limit = limit;
    if !matches!(outcome, Ok(true)) {
        // It has no way through but for its constraints, or an error: not our business.
        return match outcome {
            Err(fault @ Fault::Stopped(StopReason::Interrupted | StopReason::Time)) => Err(fault),
            _ => Ok(false),
        };
    }
    let noted: Vec<Noted> = (base..m.anchors()).filter_map(|at| noted_at(m, at)).collect();
    let found = match noted.len() {
        0 => None,
        1..=MOST => {
            let terms = variables_of(m, &noted);
            Conflict { m, w, noted, terms }.find(args[0])
        }
        _ => None,
    };
    m.abandon(run);
    if let Some(found) = found {
        keep(w, found);
        return Ok(true);
    }
    Ok(false)
}

fn variables_of(m: &Machine, noted: &[Noted]) -> Vec<Cell> {
    let mut seen = FxHashSet::default();
    let all = noted.iter().flat_map(|noted| zug_term::variables(&m.heap, noted.goal));
    all.map(|cell| m.heap.deref(cell)).filter(|&cell| seen.insert(cell)).collect()
}

fn noted_at(m: &Machine, at: usize) -> Option<Noted> {
    let [goal, address] = m.heap.match_struct::<2>(m.anchored(at), atoms::MINUS)?;
    let address = m.heap.deref(address).as_int()?;
    Some(Noted { goal, at: u32::try_from(address).ok() })
}

struct Conflict<'a> {
    m: &'a mut Machine,
    w: &'a mut World,
    noted: Vec<Noted>,
    /// The variables in them, as they occur.
    terms: Vec<Cell>,
}

/// A store in which some constraints were posted.
struct Trial {
    store: Store,
    /// Variables of terms in it.
    variables: Vec<(Cell, Var)>,
    /// They contradict each other, by what propagators find.
    failed: bool,
}

impl Conflict<'_> {
    /// The explanation, if the constraints can't hold together.
    fn find(mut self, goal: Cell) -> Option<Explanation> {
        let all: Vec<usize> = (0..self.noted.len()).collect();
        if self.verdict(&all) != Verdict::Fails {
            return None;
        }
        let least = self.least(&all);
        Some(self.told(goal, &least))
    }

    /// Posts some constraints into a store of their own.
    fn trial(&mut self, which: &[usize], logged: bool) -> Trial {
        let mut store = Store::new();
        if logged {
            store.log_changes();
        }
        let (noted, terms) = (&self.noted, &self.terms);
        let (variables, failed) = self.m.scratch(|m| {
            let mut session = Session::beside(m, &mut store);
            let mut failed = false;
            for &number in which {
                watchdog::step();
                session.store.set_origin(number as u32);
                let posted = post_goal(&mut session, noted[number].goal)
                    .and_then(|()| Ok(session.store.propagate()?));
                if posted.is_err() {
                    session.store.log_failure();
                    failed = true;
                    break;
                }
            }
            // As the variables are outside: what is attached to them here goes with the scratch.
            let variables = terms.iter().filter_map(|&cell| Some((cell, session.known(cell)?)));
            (variables.collect::<Vec<_>>(), failed)
        });
        Trial { store, variables, failed }
    }

    fn verdict(&mut self, which: &[usize]) -> Verdict {
        let mut trial = self.trial(which, false);
        if trial.failed {
            return Verdict::Fails;
        }
        let vars: Vec<Var> = trial.variables.iter().map(|&(_, var)| var).collect();
        let mut left = TRIED;
        search(&mut trial.store, &vars, &mut left)
    }

    /// A set of constraints that can't hold together, of which none can be left out.
    fn least(&mut self, all: &[usize]) -> Vec<usize> {
        // Junker's algorithm, with a stack of its own: what is known to be in the set, what was just added
        // to it, and what may be.
        enum Task {
            /// Looks for what is needed of these beside the background; whether the background has grown.
            Split(Vec<usize>, bool),
            /// The second half is known: the first one beside it.
            Then(Vec<usize>, usize),
            /// Both halves are known.
            Join(usize),
        }
        let mut background: Vec<usize> = Vec::new();
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut tasks = vec![Task::Split(all.to_vec(), false)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Split(candidates, has_grown) => {
                    if has_grown && self.verdict(&sorted(&background)) == Verdict::Fails {
                        found.push(Vec::new());
                        continue;
                    }
                    if candidates.len() == 1 {
                        found.push(candidates);
                        continue;
                    }
                    let (first, second) = candidates.split_at(candidates.len() / 2);
                    // Beside the first half, what of the second is needed?
                    let length = background.len();
                    background.extend(first);
                    tasks.push(Task::Then(first.to_vec(), length));
                    tasks.push(Task::Split(second.to_vec(), true));
                }
                Task::Then(first, length) => {
                    background.truncate(length);
                    let second = found.last().expect("the second half was looked at").clone();
                    let has_grown = !second.is_empty();
                    background.extend(second);
                    tasks.push(Task::Join(length));
                    tasks.push(Task::Split(first, has_grown));
                }
                Task::Join(length) => {
                    background.truncate(length);
                    let mut both = found.pop().expect("the first half was looked at");
                    both.extend(found.pop().expect("the second half was looked at"));
                    found.push(both);
                }
            }
        }
        sorted(&found.pop().expect("the whole"))
    }

    fn told(&mut self, goal: Cell, least: &[usize]) -> Explanation {
        let names = self.names(goal);
        let texts: FxHashMap<usize, String> = least
            .iter()
            .map(|&number| (number, self.text(self.noted[number].goal, &names)))
            .collect();
        let places: FxHashMap<usize, (Source, Span)> = least
            .iter()
            .filter_map(|&number| Some((number, self.source(self.noted[number].at?)?)))
            .collect();
        let mut explanation = Explanation::default();
        let count = match least.len() {
            1 => "one constraint can't hold".to_owned(),
            n => format!(
                "{n} constraints can't hold together; without any one of them, the others can"
            ),
        };
        explanation.title = count;
        explanation.findings.extend(finding(least, &texts, &places));
        let mut lines = self.steps(least, &names, &texts, &places);
        explanation.notes.append(&mut lines);
        explanation
    }

    /// What constraints rule out, one after the other, up to the contradiction.
    fn steps(
        &mut self,
        least: &[usize],
        names: &Names,
        texts: &FxHashMap<usize, String>,
        places: &FxHashMap<usize, (Source, Span)>,
    ) -> Vec<String> {
        let mut trial = self.trial(least, true);
        let log = trial.store.take_log();
        let labels = self.labels(&trial, names);
        let mut lines = Vec::new();
        if trial.failed {
            tell(&trial.store, &log, &Words { labels: &labels, texts, places }, 0, &mut lines);
            return lines;
        }
        let vars: Vec<Var> = trial.variables.iter().map(|&(_, var)| var).collect();
        let words = Words { labels: &labels, texts, places };
        for &at in relevant_to_all(&log).iter().take(LINES) {
            lines.extend(told_change(&trial.store, &log[at], &words));
        }
        by_cases(&mut trial.store, &vars, &words, 0, &mut lines);
        lines
    }

    /// How variables of a store are called: as the query or the model names them, with the places of
    /// elements in lists; as what they are the value of, if they are parts of an expression.
    fn labels(&mut self, trial: &Trial, names: &Names) -> FxHashMap<Var, String> {
        let mut labels = FxHashMap::default();
        for &(cell, var) in &trial.variables {
            let name = self.text(cell, names);
            labels.entry(trial.store.find(var)).or_insert(name);
        }
        labels
    }

    fn text(&self, term: Cell, names: &Names) -> String {
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            spacing: true,
            wide: true,
            max_depth: 30,
            priority: 999,
            variable_names: &names.0,
            ..WriteOptions::default()
        };
        let text = term_to_string(&self.m.heap, &self.m.symbols, &self.w.operators, term, &options);
        if text.chars().count() <= WIDTH {
            return text;
        }
        let short: String = text.chars().take(WIDTH - 1).collect();
        format!("{short}…")
    }

    fn source(&self, at: u32) -> Option<(Source, Span)> {
        let clause = self.m.program.clause_at(at)?;
        let span = self.m.program.goal_span(clause, at)?;
        let place = self.m.program.clauses[clause as usize].place.as_ref()?;
        Some((self.w.loader.sources.get(place.source as usize)?.clone(), span))
    }

    /// Names of the variables in the constraints.
    fn names(&self, goal: Cell) -> Names {
        let mut names = Names::default();
        // `Name = Variable` of a model, which are its last argument.
        if let Some((_, arity, at)) = self.m.heap.name_arity(goal)
            && arity > 0
            && let Some(pairs) = pairs(&self.m.heap, self.m.heap.at(at + arity - 1))
        {
            for (name, value) in pairs {
                let name = self.text(name, &Names::default());
                self.name(&name, value, &mut names);
            }
        }
        for (i, name) in self.w.query_names.iter().enumerate() {
            let Some(&root) = self.m.roots.get(self.w.query_roots + i) else { break };
            self.name(name, root, &mut names);
        }
        // What has no name is called by a letter.
        let mut seen: FxHashSet<Cell> = names.0.iter().map(|(_, cell)| *cell).collect();
        let mut unnamed = 0;
        for &variable in &self.terms {
            if seen.insert(variable) {
                unnamed += 1;
                names.0.push((format!("_{unnamed}").into(), variable));
            }
        }
        names
    }

    /// Gives a name to a variable, and to those in a list or a compound with their places in it.
    fn name(&self, name: &str, term: Cell, names: &mut Names) {
        let mut seen: FxHashSet<Cell> = names.0.iter().map(|(_, cell)| *cell).collect();
        leaves(&self.m.heap, name, term, &mut |name, cell| {
            if cell.is_var() && seen.insert(cell) {
                names.0.push((name.into(), cell));
            }
        });
    }
}

/// Names and the variables that have them.
#[derive(Default)]
struct Names(Vec<(Arc<str>, Cell)>);

fn sorted(numbers: &[usize]) -> Vec<usize> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Posts a goal.
fn post_goal(session: &mut Session<'_>, goal: Cell) -> Posted {
    let Some((name, arity, at)) = session.m.heap.name_arity(goal) else { return Ok(()) };
    let args: Vec<Cell> =
        (0..arity).map(|i| session.m.heap.deref(session.m.heap.at(at + i))).collect();
    let name = session.m.symbols.name(name).to_owned();
    match post_of(&name, arity) {
        Some(post) => post(session, &args),
        None => Ok(()),
    }
}

/// Tries values: whether there is a solution.
fn search(store: &mut Store, vars: &[Var], left: &mut u64) -> Verdict {
    /// A variable whose values are tried, and where they were when it began.
    struct Level {
        var: Var,
        values: Vec<i64>,
        next: usize,
        mark: usize,
    }
    let next = |store: &Store| -> Result<Option<Var>, ()> {
        let open = vars.iter().copied().filter(|&var| !store.is_fixed(var));
        let best = open.min_by_key(|&var| {
            store.domain(var).as_small().map_or(u64::MAX, crate::domain::Small::size)
        });
        match best {
            Some(var) if store.domain(var).as_small().is_none() => Err(()),
            best => Ok(best),
        }
    };
    let mut levels: Vec<Level> = Vec::new();
    let mut is_open = false;
    let mut descend = true;
    loop {
        if descend {
            match next(store) {
                Ok(None) => return Verdict::Holds,
                Err(()) => {
                    // There is no end of values: whether one of them goes is not tried.
                    is_open = true;
                }
                Ok(Some(var)) => {
                    let small = store.domain(var).as_small().expect("it was looked at");
                    if small.size() > *left {
                        is_open = true;
                    } else {
                        let values = small.values().collect();
                        let mark = store.mark();
                        levels.push(Level { var, values, next: 0, mark });
                    }
                }
            }
        }
        let Some(level) = levels.last_mut() else {
            return if is_open { Verdict::Open } else { Verdict::Fails };
        };
        let (var, mark) = (level.var, level.mark);
        store.undo_to(mark);
        store.mark();
        let Some(&value) = level.values.get(level.next) else {
            levels.pop();
            descend = false;
            continue;
        };
        level.next += 1;
        if *left == 0 {
            return Verdict::Open;
        }
        *left -= 1;
        watchdog::step();
        descend = store.fix_small(var, value).and_then(|()| store.propagate()).is_ok();
        if is_open && descend {
            return Verdict::Open;
        }
    }
}

/// How things are called.
struct Words<'a> {
    labels: &'a FxHashMap<Var, String>,
    /// Constraints by number.
    texts: &'a FxHashMap<usize, String>,
    places: &'a FxHashMap<usize, (Source, Span)>,
}

/// The number of what is assumed: no constraint's.
const ASSUMED: u32 = u32::MAX;

/// Tells of a contradiction that no propagator finds by itself: by cases of the variable with the fewest
/// values.
fn by_cases(
    store: &mut Store,
    vars: &[Var],
    words: &Words<'_>,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let indent = "  ".repeat(depth);
    let open = vars.iter().copied().filter(|&var| !store.is_fixed(var));
    let sized = open.filter_map(|var| Some((store.domain(var).as_small()?.size(), var)));
    let Some((_, var)) = sized.min_by_key(|(size, _)| *size) else { return };
    let Some(small) = store.domain(var).as_small() else { return };
    let values: Vec<i64> = small.values().take(CASES + 1).collect();
    let name = words.labels.get(&store.find(var)).cloned().unwrap_or_default();
    for (number, &value) in values.iter().enumerate() {
        if number == CASES || lines.len() > MOST_LINES {
            lines.push(format!("{indent}and so on for its other values"));
            return;
        }
        let mark = store.mark();
        store.set_origin(ASSUMED);
        store.log_changes();
        let failed = store.fix_small(var, value).and_then(|()| store.propagate()).is_err();
        let log = store.take_log();
        lines.push(format!("{indent}if {name} is {value}:"));
        if failed {
            tell(store, &log, words, depth + 1, lines);
        } else if depth < DEEPEST {
            by_cases(store, vars, words, depth + 1, lines);
        } else {
            lines.push(format!("{indent}  no values of the others go with it"));
        }
        store.undo_to(mark);
    }
}

/// Tells of the changes that a contradiction comes from.
fn tell(store: &Store, log: &[Change], words: &Words<'_>, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let kept = relevant(store, log);
    let told: Vec<String> =
        kept.iter().flat_map(|&at| told_change(store, &log[at], words)).collect();
    let skipped = told.len().saturating_sub(LINES);
    if skipped > 0 {
        lines.push(format!("{indent}(of {} steps the last {LINES})", told.len()));
    }
    lines.extend(told.into_iter().skip(skipped).map(|line| format!("{indent}{line}")));
}

/// The changes that the contradiction comes from, in their order; the last one is it.
fn relevant(store: &Store, log: &[Change]) -> Vec<usize> {
    let mut wanted: FxHashSet<Var> = FxHashSet::default();
    let mut kept = Vec::new();
    for (at, change) in log.iter().enumerate().rev() {
        if kept.is_empty() || change.var.is_some_and(|var| wanted.contains(&var)) {
            kept.push(at);
            wanted.extend(change.var);
            if let Some(prop) = change.by {
                wanted.extend(store.code(prop).vars().into_iter().map(|var| store.find(var)));
            }
        }
    }
    kept.reverse();
    kept
}

/// The last change of each variable.
fn relevant_to_all(log: &[Change]) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let mut kept: Vec<usize> =
        (0..log.len()).rev().filter(|&at| seen.insert(log[at].var)).collect();
    kept.reverse();
    kept
}

/// A change as a line, if its variable has a name.
fn told_change(store: &Store, change: &Change, words: &Words<'_>) -> Option<String> {
    let number = change.origin as usize;
    let text = words.texts.get(&number)?;
    let at = words.places.get(&number).map_or(String::new(), |(source, span)| {
        format!(" (line {})", source.position(span.start).line)
    });
    if change.by.is_none() && change.before == Domain::all() && change.after.is_some() {
        return Some(format!("{text}{at}"));
    }
    let name = change.var.and_then(|var| words.labels.get(&store.find(var)));
    let what = match (&change.after, name) {
        (None, Some(name)) => {
            format!("leaves no value for {name}, which was {}", set_text(&change.before))
        }
        (None, None) => "can't hold then".to_owned(),
        (Some(after), Some(name)) => match after.single() {
            Some(value) => format!("leaves {name} = {}", bound_text(&value)),
            None => format!("leaves {name} in {}", set_text(after)),
        },
        (Some(_), None) => return None,
    };
    Some(format!("{text}{at} {what}"))
}

fn bound_text(bound: &Bound) -> String {
    match bound {
        Bound::Inf => "inf".to_owned(),
        Bound::Sup => "sup".to_owned(),
        Bound::Fin(value) => value.to_string(),
    }
}

/// A set as it is written in rules.
fn set_text(set: &Domain) -> String {
    fn text(shown: &Shown) -> String {
        match shown {
            Shown::Int(value) => value.to_string(),
            Shown::Compound("..", ends) => format!("{}..{}", text(&ends[0]), text(&ends[1])),
            Shown::Compound(name, _) => (*name).to_owned(),
            Shown::Chain(name, parts) => {
                parts.iter().map(text).collect::<Vec<_>>().join(&format!(" {name} "))
            }
            Shown::Var(_) | Shown::List(_) => String::new(),
        }
    }
    text(&set_shown(set))
}

/// The constraints with their places.
fn finding(
    least: &[usize],
    texts: &FxHashMap<usize, String>,
    places: &FxHashMap<usize, (Source, Span)>,
) -> Option<Diagnostic> {
    let mut labelled: Vec<(&(Source, Span), Vec<&str>)> = Vec::new();
    for number in least {
        let (Some(place), Some(text)) = (places.get(number), texts.get(number)) else { continue };
        match labelled
            .iter_mut()
            .find(|(other, _)| other.1 == place.1 && other.0.name == place.0.name)
        {
            Some((_, all)) => all.push(text),
            None => labelled.push((place, vec![text])),
        }
    }
    let message = if least.len() == 1 {
        "this constraint can't hold"
    } else {
        "these constraints can't hold together"
    };
    let mut labels = labelled.into_iter();
    let (first, text) = labels.next()?;
    let mut diagnostic =
        Diagnostic::new(Severity::Note, "N0811", message).at(&first.0, first.1, text.join(", "));
    for (place, text) in labels {
        diagnostic = diagnostic.also(&place.0, place.1, text.join(", "));
    }
    Some(diagnostic)
}
