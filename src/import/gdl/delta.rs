//! Delta rules: what a move takes from a board and puts there, in place of all that holds next (A. Gupta, I. Mumick,
//! V. Subrahmanian, *Maintaining views incrementally*, SIGMOD 1993).
//!
//! Where one rule keeps all but exceptions,
//!
//! ```text
//! (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (not (turned ?x ?y)))
//! ```
//!
//! what is turned is lost, and what the other rules say is gained: both are asked once for the move, and not for each
//! place. A place has one value at most, so that it is known what stands there then. Nothing is lost that another rule puts
//! something in the place of wherever it goes.

use super::board::{Board, Boards, Delta};
use super::program::{Program, is_of_next, rules_of_next};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::unify::{Bindings, renamed, resolved, unify, unify_all};
use rustc_hash::FxHashSet;

/// How many relations deep it is looked for what a relation implies.
const MAX_PATH: usize = 5;

/// What a move takes away,
pub const LOST: &str = "lost";
/// what it puts there,
pub const GAINED: &str = "gained";
/// and what stays as it is.
const KEPT: &str = "kept";

/// The program in which rules say what moves change on some boards, which are marked.
pub fn by_rules(program: &Program, boards: &mut Boards) -> Option<Program> {
    let mut rules = program.rules.clone();
    for board in &mut boards.boards {
        let Some((delta, changed)) = changed(program, board) else { continue };
        let functor = (board.functor.0.as_str(), board.functor.1);
        let of_board = |rule: &Rule| is_of_next(rule, functor);
        let at = rules.iter().position(of_board)?;
        rules.retain(|rule| !of_board(rule));
        rules.splice(at..at, changed);
        board.delta = Some(delta);
    }
    let any = boards.boards.iter().any(|board| board.delta.is_some());
    any.then(|| Program::of_relations(&program.source, rules))
}

/// The rules for what a move changes on a board: what is lost are the exceptions of the one rule that keeps all else, or
/// where it is not known which places moves change, whatever no rule keeps.
fn changed(program: &Program, board: &Board) -> Option<(Delta, Vec<Rule>)> {
    let rules = rules_of_next(program, (&board.functor.0, board.functor.1));
    let (keeps, sets): (Vec<&Rule>, Vec<&Rule>) =
        rules.into_iter().partition(|rule| rule.own().is_some());
    if board.is_several() || board.keys.is_empty() || sets.is_empty() {
        return None;
    }
    let mut changed = Vec::new();
    if let &[keep] = keeps.as_slice()
        && let Some(excepted) = exceptions(keep)
    {
        for excepted in excepted {
            if sets.iter().any(|set| replaces(program, board, (keep, excepted), set)) {
                continue;
            }
            let body = vec![keep.body[keep.own()?].clone(), Literal::Positive(excepted.clone())];
            changed.push(Rule { head: effect(LOST, board, &keep.head), body, ..keep.clone() });
        }
        changed.iter_mut().skip(1).for_each(|rule| rule.comments.clear());
    } else if board.is_whole && !keeps.is_empty() {
        changed = unless_kept(board, &keeps);
    } else {
        return None;
    }
    let delta = if changed.is_empty() { Delta::Gained } else { Delta::Both };
    let gained = |set: &Rule| Rule { head: effect(GAINED, board, &set.head), ..set.clone() };
    changed.extend(sets.into_iter().map(gained));
    Some((delta, changed))
}

/// Rules by which all is lost that none of some rules keeps.
fn unless_kept(board: &Board, keeps: &[&Rule]) -> Vec<Rule> {
    let (name, arity) = &board.functor;
    let args = (0..*arity).map(Term::Var).collect();
    let held = Atom::new("true", &[Term::Function(name.clone(), args)]);
    let body = vec![Literal::Positive(held.clone()), Literal::Negative(effect(KEPT, board, &held))];
    let vars = (1..=*arity).map(|n| format!("x{n}")).collect();
    let lost = Rule { body, vars, ..Rule::fact(effect(LOST, board, &held)) };
    let kept = keeps.iter().map(|keep| {
        let own = keep.own();
        let others = keep.body.iter().enumerate().filter(|(nth, _)| Some(*nth) != own);
        let body = others.map(|(_, literal)| literal.clone()).collect();
        Rule { head: effect(KEPT, board, &keep.head), body, ..(**keep).clone() }
    });
    [lost].into_iter().chain(kept).collect()
}

fn effect(name: &str, board: &Board, head: &Atom) -> Atom {
    Atom { name: name.to_owned(), part: Some(board.functor.0.clone()), ..head.clone() }
}

/// What a rule excepts that keeps all other values of all places, if that is what it says.
fn exceptions(keep: &Rule) -> Option<Vec<&Atom>> {
    let args = fluent(&keep.head)?.args();
    let vars: FxHashSet<&Term> = args.iter().filter(|arg| matches!(arg, Term::Var(_))).collect();
    let others = keep.body.iter().enumerate().filter(|(nth, _)| Some(*nth) != keep.own());
    let excepted = others.map(|(_, literal)| match literal {
        Literal::Negative(excepted) => Some(excepted),
        _ => None,
    });
    let excepted = excepted.collect::<Option<Vec<&Atom>>>()?;
    (vars.len() == args.len()).then_some(excepted)
}

/// Whether a rule puts something on each place from which the rule that keeps the others excepts something.
fn replaces(
    program: &Program,
    board: &Board,
    (keep, excepted): (&Rule, &Atom),
    set: &Rule,
) -> bool {
    let (Some(kept), Some(own)) = (fluent(&keep.head), keep.own()) else { return false };
    let rigid = keep.vars.len();
    let mut free = rigid;
    let set = renamed(set, &mut free);
    let Some(put) = fluent(&set.head) else { return false };
    let mut bindings = Bindings::default();
    let places = board.places();
    if !places.iter().all(|&n| unify(&put.args()[n], &kept.args()[n], rigid, &mut bindings)) {
        return false;
    }
    let given: Vec<&Atom> = keep.body[own].atom().into_iter().chain([excepted]).collect();
    let Some(left) = not_given(&set, &given, rigid, &mut bindings) else { return false };
    left.into_iter().all(|nth| {
        let Some(asked) = set.body[nth].atom() else { return false };
        let pattern = asked.with_args(asked.args.iter().map(|arg| resolved(arg, &bindings)));
        let others = (0..set.body.len()).filter(|&other| other != nth);
        let others: Vec<usize> = others.flat_map(|other| set.body[other].vars()).collect();
        pattern.vars().iter().all(|var| *var >= rigid && !others.contains(var))
            && implies(program, &excepted.key(), &pattern, &mut Vec::new())
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
