//! Delta rules for boards: the fluents that a move ends and those that it begins, computed once for the move (A. Gupta,
//! I. Mumick, V. Subrahmanian, *Maintaining views incrementally*, SIGMOD 1993).
//!
//! A frame rule says which fluents persist:
//!
//! ```text
//! (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (not (turned ?x ?y)))
//! ```
//!
//! Its exceptions, here `turned`, end a fluent: `lost`. The other rules for `next` begin one: `gained`. A place has at
//! most one value, so a gained value replaces the lost one; `lost` leaves out exceptions whose places always gain a value.

use super::board::{Board, Boards, Delta};
use super::program::{Program, is_of_next, rules_of_next};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::unify::{Bindings, renamed, resolved, unify, unify_all};
use rustc_hash::FxHashSet;

/// The most relations on a path of an inductive proof.
const MAX_PATH: usize = 5;

/// The relation of fluents that a move ends,
pub const LOST: &str = "lost";
/// of those that it begins,
pub const GAINED: &str = "gained";
/// and of those that persist.
const KEPT: &str = "kept";

/// The program with delta rules in place of `next`, and these boards marked; `None` if no board has any.
pub fn by_rules(program: &Program, boards: &mut Boards) -> Option<Program> {
    let mut rules = program.rules.clone();
    for board in &mut boards.boards {
        let Some((delta, changed)) = changed(program, board) else { continue };
        let functor = (board.functor.0.as_str(), board.functor.1);
        let is_own = |rule: &Rule| is_of_next(rule, functor);
        let at = rules.iter().position(is_own)?;
        rules.retain(|rule| !is_own(rule));
        rules.splice(at..at, changed);
        board.delta = Some(delta);
    }
    let any = boards.boards.iter().any(|board| board.delta.is_some());
    any.then(|| Program::of_relations(&program.source, rules))
}

/// The delta rules of a board. It has one frame rule with exceptions, or it is unknown which places a move changes.
fn changed(program: &Program, board: &Board) -> Option<(Delta, Vec<Rule>)> {
    let rules = rules_of_next(program, (&board.functor.0, board.functor.1));
    let (frame, others): (Vec<&Rule>, Vec<&Rule>) =
        rules.into_iter().partition(|rule| rule.own().is_some());
    if board.is_several() || board.keys.is_empty() || others.is_empty() {
        return None;
    }
    let mut changed = Vec::new();
    if let &[rule] = frame.as_slice()
        && let Some(exceptions) = exceptions(rule)
    {
        for exception in exceptions {
            if others.iter().any(|other| replaces(program, board, (rule, exception), other)) {
                continue;
            }
            let body = vec![rule.body[rule.own()?].clone(), Literal::Positive(exception.clone())];
            changed.push(Rule { head: of_board(LOST, board, &rule.head), body, ..rule.clone() });
        }
        changed.iter_mut().skip(1).for_each(|rule| rule.comments.clear());
    } else if board.is_whole && !frame.is_empty() {
        changed = unless_kept(board, &frame);
    } else {
        return None;
    }
    let delta = if changed.is_empty() { Delta::Gained } else { Delta::Both };
    let gained = |rule: &Rule| Rule { head: of_board(GAINED, board, &rule.head), ..rule.clone() };
    changed.extend(others.into_iter().map(gained));
    Some((delta, changed))
}

/// The rule that a fluent is lost unless it is kept, and those for `kept`: the frame rules without the fluent itself.
fn unless_kept(board: &Board, frame: &[&Rule]) -> Vec<Rule> {
    let (name, arity) = &board.functor;
    let args = (0..*arity).map(Term::Var).collect();
    let held = Atom::new("true", &[Term::Function(name.clone(), args)]);
    let body =
        vec![Literal::Positive(held.clone()), Literal::Negative(of_board(KEPT, board, &held))];
    let vars = (1..=*arity).map(|n| format!("x{n}")).collect();
    let lost = Rule { body, vars, ..Rule::fact(of_board(LOST, board, &held)) };
    let kept = frame.iter().filter_map(|&rule| {
        let mut kept = Rule { head: of_board(KEPT, board, &rule.head), ..rule.clone() };
        kept.body.remove(rule.own()?);
        Some(kept)
    });
    [lost].into_iter().chain(kept).collect()
}

/// A delta relation of the fluent of a head.
fn of_board(name: &str, board: &Board, head: &Atom) -> Atom {
    Atom { name: name.to_owned(), part: Some(board.functor.0.clone()), ..head.clone() }
}

/// The exceptions of a frame rule for all places and values that has no other conditions.
fn exceptions(rule: &Rule) -> Option<Vec<&Atom>> {
    let args = fluent(&rule.head)?.args();
    let vars: FxHashSet<&Term> = args.iter().filter(|arg| matches!(arg, Term::Var(_))).collect();
    let others = rule.body.iter().enumerate().filter(|(nth, _)| Some(*nth) != rule.own());
    let exceptions = others.map(|(_, literal)| match literal {
        Literal::Negative(exception) => Some(exception),
        _ => None,
    });
    let exceptions = exceptions.collect::<Option<Vec<&Atom>>>()?;
    (vars.len() == args.len()).then_some(exceptions)
}

/// Whether another rule gives a value to each place of which an exception of the frame rule holds.
fn replaces(
    program: &Program,
    board: &Board,
    (frame, exception): (&Rule, &Atom),
    other: &Rule,
) -> bool {
    let (Some(kept), Some(own)) = (fluent(&frame.head), frame.own()) else { return false };
    let rigid = frame.vars.len();
    let mut free = rigid;
    let other = renamed(other, &mut free);
    let Some(begun) = fluent(&other.head) else { return false };
    let mut bindings = Bindings::default();
    let places = board.places();
    if !places.iter().all(|&n| unify(&begun.args()[n], &kept.args()[n], rigid, &mut bindings)) {
        return false;
    }
    let given: Vec<&Atom> = frame.body[own].atom().into_iter().chain([exception]).collect();
    let Some(left) = not_given(&other, &given, rigid, &mut bindings) else { return false };
    left.into_iter().all(|nth| {
        let Some(asked) = other.body[nth].atom() else { return false };
        let pattern = asked.with_args(asked.args.iter().map(|arg| resolved(arg, &bindings)));
        let rest = (0..other.body.len()).filter(|&rest| rest != nth);
        let rest: Vec<usize> = rest.flat_map(|rest| other.body[rest].vars()).collect();
        pattern.vars().iter().all(|var| *var >= rigid && !rest.contains(var))
            && implies(program, &exception.key(), &pattern, &mut Vec::new())
    })
}

/// The conditions of a rule that are not among those given, if all ask that something holds.
fn not_given(
    rule: &Rule,
    given: &[&Atom],
    rigid: usize,
    bindings: &mut Bindings,
) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    for (nth, literal) in rule.body.iter().enumerate() {
        let Literal::Positive(asked) = literal else { return None };
        let is_known = given.iter().any(|known| {
            let before = bindings.count();
            let same =
                known.key() == asked.key() && unify_all(&asked.args, &known.args, rigid, bindings);
            if !same {
                bindings.undo(before);
            }
            same
        });
        if !is_known {
            left.push(nth);
        }
    }
    Some(left)
}

/// Whether something like the pattern holds wherever the relation holds of anything: by induction over how it
/// comes to hold, for relations on the `path`.
fn implies(program: &Program, key: &Key, pattern: &Atom, path: &mut Vec<Key>) -> bool {
    if path.contains(key) {
        return true;
    }
    if path.len() == MAX_PATH || program.rules_of(key).next().is_none() {
        return false;
    }
    path.push(key.clone());
    let all = program.rules_of(key).all(|rule| {
        rule.positive().any(|asked| is_like(asked, pattern, rule.vars.len()))
            || rule.positive().any(|asked| implies(program, &asked.key(), pattern, path))
    });
    path.pop();
    all
}

/// Whether what a rule of N variables asks for is an instance of a pattern.
fn is_like(asked: &Atom, pattern: &Atom, vars: usize) -> bool {
    let last = pattern.vars().into_iter().max();
    let own = vec![String::new(); last.map_or(0, |last| last + 1)];
    let rule = Rule { vars: own, ..Rule::fact(pattern.clone()) };
    let pattern = renamed(&rule, &mut vars.clone()).head;
    pattern.key() == asked.key()
        && unify_all(&pattern.args, &asked.args, vars, &mut Bindings::default())
}
