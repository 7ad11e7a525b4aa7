//! Grading: what was expected of a file, held against what came.
//!
//! Expectations stand in the rule file (`:- expect(cost(5)).`), in a `.expect` file beside it,
//! or in files of a teacher's, which then are the only ones that count.

use super::item_end::{ItemEnd, text};
use super::lines::{FileLine, GradedExpectation, ResultLine, points};
use super::outcome::Outcome;
use crate::files::each_clause;
use crate::record::TermData;
use num_bigint::BigInt;
use num_rational::Ratio;
use std::path::{Path, PathBuf};
use zug_files::Access;
use zug_machine::Fault;
use zug_prolog::builtins::expectations::{self, Expected};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_syntax::ReadTerm;
use zug_syntax::printer::{WriteOptions, beginning, write_term};
use zug_term::source::Source;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, is_variant};

/// Floats this near to each other, in parts of themselves, are the same.
const NEAR: f64 = 1e-9;

/// Where expectations come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grading {
    /// The rule files themselves, and the `.expect` files beside them.
    Own,
    /// This file, for every rule file; or this folder, with a `.expect` file for each by name.
    From(PathBuf),
}

impl Grading {
    /// Whether what the rule files say counts.
    pub fn trusts_files(&self) -> bool {
        *self == Grading::Own
    }

    /// The file with expectations of a rule file, if there is one.
    pub fn file_for(&self, rules: &Path) -> Option<PathBuf> {
        let named = rules.with_extension("expect");
        match self {
            Grading::Own => Some(named).filter(|path| path.is_file()),
            Grading::From(place) if place.is_dir() => {
                Some(place.join(named.file_name()?)).filter(|path| path.is_file())
            }
            Grading::From(file) => Some(file.clone()),
        }
    }
}

/// Reads a file of expectations: clauses `expect(…)`, with or without `:-` before them, and
/// operators for them.
///
/// # Errors
/// What is wrong with it, line by line.
pub fn read(session: &mut Session, path: &Path) -> Result<Vec<Expected>, Vec<String>> {
    let bytes = Access::FREE
        .read(path)
        .map_err(|error| vec![format!("can't read `{}`: {error}", path.display())])?;
    let source = Source::new(&path.to_string_lossy(), &zug_syntax::decode(&bytes).0);
    // Operators are for the expectations, not for the rules.
    let before = session.world.operators.clone();
    let mut expected = Vec::new();
    let mut wrong = Vec::new();
    let read = each_clause(session, source.clone(), |session, term| {
        let taken = take(session, term);
        match taken {
            Ok(found) => expected.extend(found),
            Err(message) => {
                let at = source.position(term.span.start);
                wrong.push(format!("{}:{}:{}: {message}", source.name, at.line, at.column));
            }
        }
        Ok::<(), ()>(())
    });
    session.world.operators = before;
    wrong.extend(read.unwrap_or_default().iter().map(text));
    if wrong.is_empty() { Ok(expected) } else { Err(wrong) }
}

/// The expectation in a clause; none in a directive `op/3`.
fn take(session: &mut Session, term: &ReadTerm) -> Result<Option<Expected>, String> {
    let (m, root) = (&mut session.machine, term.root);
    let clause = match m.heap.match_struct::<1>(root, atoms::NECK) {
        Some([goal]) => m.heap.deref(goal),
        None => m.heap.deref(root),
    };
    let form = "a clause `expect(What)`, `expect(Instance, What)` or one of them with `points(N)`";
    let Some((name, arity, at)) = m.heap.name_arity(clause) else {
        return Err(format!("this is not {form}"));
    };
    let arguments: Vec<Cell> = (at..at + arity).map(|at| m.heap.deref(m.heap.at(at))).collect();
    let outcome = match (m.symbols.name(name), arity) {
        ("expect", 1..=3) => expectations::read(m, &arguments).map(|mut expected| {
            let (symbols, operators) = (&m.symbols, &session.world.operators);
            let about = expectations::about(symbols, operators, &m.heap, clause, &term.variables);
            expected.written = about.filter(|_| expected.instance.is_some());
            Some(expected)
        }),
        ("op", 3) => m.holds(&mut session.world, clause).map(|_| None),
        _ => return Err(format!("this is not {form}")),
    };
    outcome.map_err(|fault: Fault| {
        let words = session.describe(&fault);
        let hint = words.hint.map_or(String::new(), |hint| format!("; {hint}"));
        words.message + &hint
    })
}

/// What a result is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Instance,
    Query,
    Test,
}

/// What of a file is to be run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Its instances are solved.
    pub instances: bool,
    /// Its queries are asked.
    pub queries: bool,
    /// Its unit tests are run.
    pub tests: bool,
}

/// What kind of result an expectation is of, by what it says.
fn kind_of(session: &Session, what: &Record) -> Option<Kind> {
    let (heap, root) = what.to_heap();
    let (name, arity, _) = heap.name_arity(root)?;
    match (session.machine.symbols.name(name), arity) {
        ("solved" | "unsolvable", 0) => Some(Kind::Instance),
        ("cost" | "moves" | "plan" | "value" | "best", 1) => Some(Kind::Instance),
        ("true" | "false", 0) | ("answers", 1) => Some(Kind::Query),
        ("passed" | "failed", 0) => Some(Kind::Test),
        _ => None,
    }
}

/// What of a loaded file its expectations ask for; `queries`: those and tests are wanted anyway.
pub fn wanted(session: &Session, expected: &[Expected], queries: bool) -> Selection {
    let mut wanted = Selection { instances: false, queries, tests: queries };
    let kept = session.world.loader.queries.as_deref().unwrap_or_default();
    for one in expected {
        match kind_of(session, &one.what) {
            Some(Kind::Instance) => wanted.instances = true,
            Some(Kind::Query) => wanted.queries = true,
            Some(Kind::Test) => wanted.tests = true,
            None => {
                let named = one.instance.as_ref();
                let asked = |name: &Record| kept.iter().any(|kept| same_goal(&kept.record, name));
                let ends = ["stopped", "error"];
                let (heap, root) = one.what.to_heap();
                let what =
                    heap.name_arity(root).map(|(name, ..)| session.machine.symbols.name(name));
                if named.is_some_and(asked) {
                    wanted.queries = true;
                } else if what.is_some_and(|what| ends.contains(&what)) {
                    // Anything may end so.
                    wanted = Selection { instances: true, queries: true, tests: true };
                } else if !queries {
                    wanted.instances = true;
                }
            }
        }
    }
    wanted
}

/// What came of an instance, a query or a file, as expectations look at it.
#[derive(Clone, Debug, Default)]
pub struct ActualResult {
    /// The instance.
    pub instance: Option<String>,
    /// The query, as `Goal :- Variables`.
    pub query: Option<Record>,
    /// The bindings of each answer, as lists.
    pub answers: Vec<Record>,
    /// There are more answers than were looked for, or may be.
    pub more: bool,
    /// What was thrown.
    pub ball: Option<Record>,
    kind: Kind,
    outcome: Option<Outcome>,
    words: String,
    cost: Option<String>,
    moves: Option<usize>,
    plan: Option<Vec<String>>,
    value: Option<String>,
    best: Option<String>,
}

impl ActualResult {
    /// What came of an instance.
    pub fn of(instance: Option<String>) -> ActualResult {
        ActualResult { instance, ..ActualResult::default() }
    }

    /// What came of a query, a record `Goal :- Variables`.
    pub fn of_query(query: Record) -> ActualResult {
        ActualResult { query: Some(query), kind: Kind::Query, ..ActualResult::default() }
    }

    /// What came of a unit test, `unit:name`.
    pub fn of_test(name: String) -> ActualResult {
        ActualResult { instance: Some(name), kind: Kind::Test, ..ActualResult::default() }
    }

    /// What came of a file that has no results.
    pub fn file(line: &FileLine) -> ActualResult {
        let words = match line.reason.as_ref().or(line.errors.first()) {
            Some(error) => format!("{}: {error}", line.outcome.name()),
            None => line.outcome.name().to_owned(),
        };
        ActualResult { outcome: Some(line.outcome), words, ..ActualResult::default() }
    }

    /// Notes what stands in a result line.
    pub(super) fn take(&mut self, line: &ResultLine) {
        let plain = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.cost = line.cost.as_ref().map(plain);
        self.value = line.value.as_ref().map(plain);
        self.moves = line.moves;
        let text = |term: &TermData| term.text.clone();
        self.plan = line.path.as_ref().map(|path| path.iter().map(text).collect());
        self.best = line.mv.as_ref().map(text);
    }

    /// Notes how it ended.
    pub(super) fn ended(mut self, ended: &ItemEnd) -> ActualResult {
        self.outcome = Some(ended.outcome);
        let more = ended.reason.as_ref().or(ended.message.as_ref());
        self.words = match more {
            Some(more) => format!("{}: {more}", ended.outcome.name()),
            None => ended.outcome.name().to_owned(),
        };
        if ended.counts_are_lost {
            (self.cost, self.value, self.moves, self.plan, self.best) = Default::default();
        }
        self
    }
}

/// Holds expectations against what came, in order; with the points of each.
pub fn judge(
    session: &mut Session,
    expected: &[Expected],
    came: &[ActualResult],
    whole: &ActualResult,
) -> Vec<(GradedExpectation, f64)> {
    expected.iter().map(|one| (judge_one(session, one, came, whole), one.points)).collect()
}

fn judge_one(
    session: &mut Session,
    expected: &Expected,
    all: &[ActualResult],
    whole: &ActualResult,
) -> GradedExpectation {
    let instance = expected.instance.as_ref().map(|instance| written(session, instance));
    let kind = kind_of(session, &expected.what);
    let meant: Vec<&ActualResult> =
        all.iter().filter(|came| kind.is_none_or(|kind| kind == came.kind)).collect();
    let (passed, came) = match (&expected.instance, &*meant) {
        _ if all.is_empty() => hold(session, &expected.what, whole),
        (None, []) => (false, nothing(kind)),
        (None, [first, ..]) => hold(session, &expected.what, first),
        (Some(record), _) => {
            match find(record, instance.as_deref().unwrap_or_default(), &meant, all) {
                Some(came) => hold(session, &expected.what, came),
                None => (false, nothing(kind)),
            }
        }
    };
    let what = zug_domain::canonical_text(&session.machine, &session.world, &expected.what);
    let instance = expected.written.clone().or(instance);
    GradedExpectation { instance, expected: what, came, passed, points: points(expected.points) }
}

/// What is said where there is no result that an expectation is about.
fn nothing(kind: Option<Kind>) -> String {
    let what = match kind {
        Some(Kind::Instance) => "instance",
        Some(Kind::Query) => "query",
        Some(Kind::Test) => "test",
        None => "instance, query or test",
    };
    format!("nothing: the file has no such {what}")
}

/// The result that is meant: by the name of the instance or test, by the goal of the query, or by
/// number, of its kind or else of all.
fn find<'a>(
    record: &Record,
    text: &str,
    meant: &[&'a ActualResult],
    all: &'a [ActualResult],
) -> Option<&'a ActualResult> {
    let named = |came: &&ActualResult| {
        let plain = |name: &String| name == text || name.trim_matches('\'') == text;
        came.instance.as_ref().is_some_and(plain)
    };
    let asked =
        |came: &&ActualResult| came.query.as_ref().is_some_and(|query| same_goal(query, record));
    let number = || {
        let at = text.parse::<usize>().ok()?.checked_sub(1)?;
        meant.get(at).copied().or_else(|| all.get(at))
    };
    let first = |which: &dyn Fn(&&ActualResult) -> bool| {
        meant.iter().copied().chain(all).find(|came| which(came))
    };
    first(&named).or_else(|| first(&asked)).or_else(number)
}

fn same_goal(query: &Record, goal: &Record) -> bool {
    let mut heap = Heap::new();
    let whole = query.instantiate(&mut heap);
    let goal = goal.instantiate(&mut heap);
    let parts = heap.match_struct::<2>(whole, atoms::NECK);
    parts.is_some_and(|[asked, _]| is_variant(&heap, asked, goal))
}

/// A term as a person writes it.
fn written(session: &Session, record: &Record) -> String {
    term_text(&session.machine, &session.world, record)
}

/// Whether an expectation is met, and what came in its place.
fn hold(session: &mut Session, what: &Record, came: &ActualResult) -> (bool, String) {
    let (heap, root) = what.to_heap();
    let Some((name, arity, at)) = heap.name_arity(root) else { return (false, came.words.clone()) };
    let name = session.machine.symbols.name(name).to_owned();
    let is = |outcome| came.outcome == Some(outcome);
    let words = came.words.clone();
    if arity == 0 {
        let outcome = Outcome::NAMES.iter().find(|(_, other)| *other == name);
        let met = match &*name {
            "unsolvable" => is(Outcome::Exhausted),
            _ => outcome.is_some_and(|(outcome, _)| is(*outcome)),
        };
        return (met, words);
    }
    let argument = heap.at(at);
    let mut image = heap.clone();
    let argument = Record::new(&mut image, argument);
    let number = |found: &Option<String>| match found {
        Some(found) => (same_number(&written(session, &argument), found), found.clone()),
        None => (false, words.clone()),
    };
    match &*name {
        "cost" => number(&came.cost),
        "value" => number(&came.value),
        "moves" => number(&came.moves.map(|moves| moves.to_string())),
        "best" => match &came.best {
            Some(best) => (written(session, &argument) == *best, best.clone()),
            None => (false, words),
        },
        "plan" => match &came.plan {
            Some(plan) => {
                let moves = items(&argument);
                let same = moves.len() == plan.len()
                    && moves.iter().zip(plan).all(|(one, other)| written(session, one) == *other);
                (same, format!("[{}]", plan.join(",")))
            }
            None => (false, words),
        },
        "answers" if is(Outcome::True) || is(Outcome::False) => {
            let wanted = items(&argument);
            let found: Vec<Record> = came.answers.iter().map(plain_answer).collect();
            let same = wanted.len() == found.len()
                && wanted.iter().zip(&found).all(|(one, other)| variants(one, other));
            let mut shown = shown(session, &found);
            if came.more {
                shown += " and more";
            }
            (same && !came.more, shown)
        }
        "stopped" => {
            let reason = came.words.strip_prefix("stopped: ");
            (reason == Some(&*written(session, &argument)), words)
        }
        "error" => {
            let met = came.ball.as_ref().is_some_and(|ball| thrown(session, &argument, ball));
            (met && is(Outcome::Error), words)
        }
        _ => (false, words),
    }
}

/// Answers as a list, the beginning of them: a small term may be written as a huge one.
fn shown(session: &Session, answers: &[Record]) -> String {
    const MOST: usize = 1 << 16;
    let (symbols, operators) = (&session.machine.symbols, &session.world.operators);
    let options = WriteOptions { priority: 999, ..WriteOptions::writeq() };
    beginning(MOST, |out| {
        out.write_char('[')?;
        for (at, answer) in answers.iter().enumerate() {
            out.write_str(if at > 0 { "," } else { "" })?;
            let (heap, root) = answer.to_heap();
            write_term(out, &heap, symbols, operators, root, &options)?;
        }
        out.write_char(']')
    })
}

/// The elements of a list.
fn items(list: &Record) -> Vec<Record> {
    let (mut heap, root) = list.to_heap();
    let cells = heap.proper_list(root).unwrap_or_default();
    cells.into_iter().map(|cell| Record::new(&mut heap, cell)).collect()
}

/// An answer as `answers/1` has it: the value of the only variable, else the list of all values;
/// `true` without variables.
fn plain_answer(list: &Record) -> Record {
    let mut values = items(list);
    match values.len() {
        0 => Record::atomic(Cell::atom(atoms::TRUE)),
        1 => values.swap_remove(0),
        _ => list.clone(),
    }
}

fn variants(one: &Record, other: &Record) -> bool {
    let mut heap = Heap::new();
    let (one, other) = (one.instantiate(&mut heap), other.instantiate(&mut heap));
    is_variant(&heap, one, other)
}

/// Whether what was thrown is `E`, or an error of the standard whose formal term is.
fn thrown(session: &mut Session, expected: &Record, ball: &Record) -> bool {
    session.machine.scratch(|m| {
        let expected = expected.instantiate(&mut m.heap);
        let ball = ball.instantiate(&mut m.heap);
        let formal = m.heap.match_struct::<2>(ball, atoms::ERROR).map(|[formal, _]| formal);
        m.unifiable(expected, ball) || formal.is_some_and(|formal| m.unifiable(expected, formal))
    })
}

/// Whether two texts are the same number: integers and fractions exactly, floats nearly.
fn same_number(expected: &str, found: &str) -> bool {
    let exact = |text: &str| -> Option<Ratio<BigInt>> { text.replace(" rdiv ", "/").parse().ok() };
    if let (Some(a), Some(b)) = (exact(expected), exact(found)) {
        return a == b;
    }
    match (expected.parse::<f64>(), found.parse::<f64>()) {
        (Ok(a), Ok(b)) if a.is_finite() && b.is_finite() => {
            (a - b).abs() <= NEAR * a.abs().max(b.abs())
        }
        _ => expected == found,
    }
}

#[cfg(test)]
mod tests {
    use super::same_number;

    #[test]
    fn numbers() {
        let same = [("5", "5"), ("5", "5.0"), ("2/6", "1/3"), ("1 rdiv 3", "1/3"), ("inf", "inf")];
        for (a, b) in same {
            assert!(same_number(a, b), "{a} {b}");
        }
        for (a, b) in [("5", "6"), ("1/3", "1/4"), ("-inf", "inf"), ("5", "solved")] {
            assert!(!same_number(a, b), "{a} {b}");
        }
        assert!(same_number("0.3", "0.30000000000000004"));
    }
}
