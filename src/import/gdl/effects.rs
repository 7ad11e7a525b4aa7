//! What a move changes, said by rules, where to ask of each place whether it changes would take too long.
//!
//! In Reversi a disc is kept if it is not turned over, and which discs are is a recursive relation along
//! lines. Asked of each place for itself, all lines through it are followed back to the move. Where one rule
//! keeps what it does not except,
//!
//! ```text
//! (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (not (turned ?x ?y)))
//! ```
//!
//! it is asked instead what is turned, once for the move: that goes, and what the other rules say comes. A place
//! has one value at most, so that it is known what stands there then. Nothing goes that another rule
//! puts something in the place of wherever it goes.

use super::board::{Board, Boards, Effects};
use super::program::{Level, Program, is_of_next, rules_of_next};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::unify::{Bindings, renamed, resolved, unify, unify_all};
use rustc_hash::FxHashSet;

/// How many relations deep it is looked for what a relation implies.
const MAX_PATH: usize = 5;

/// What a move takes away,
pub const LOST: &str = "lost";
/// and what it puts there.
pub const GAINED: &str = "gained";

/// The program in which rules say what moves change on some boards, and those boards.
pub fn by_rules(program: &Program, boards: &Boards) -> Option<(Program, Vec<(Key, Effects)>)> {
    let mut rules = program.rules.clone();
    let mut found = Vec::new();
    for board in &boards.boards {
        let Some((effects, changed)) = changed(program, board) else { continue };
        let functor = (board.functor.0.as_str(), board.functor.1);
        let of_board = |rule: &Rule| is_of_next(rule, functor);
        let at = rules.iter().position(of_board)?;
        rules.retain(|rule| !of_board(rule));
        rules.splice(at..at, changed);
        found.push((board.functor.clone(), effects));
    }
    (!found.is_empty()).then(|| (Program::of_relations(&program.source, rules), found))
}

/// The rules for what a move changes on a board.
fn changed(program: &Program, board: &Board) -> Option<(Effects, Vec<Rule>)> {
    let rules = rules_of_next(program, (&board.functor.0, board.functor.1));
    let (keeps, sets): (Vec<&Rule>, Vec<&Rule>) =
        rules.into_iter().partition(|r| r.own().is_some());
    let &[keep] = keeps.as_slice() else { return None };
    let excepted = excepted(keep)?;
    if !board.single
        || board.keys.is_empty()
        || sets.is_empty()
        || !comes_to_itself(program, &excepted.key())
    {
        return None;
    }
    let mut changed = Vec::new();
    let replaced = sets.iter().any(|set| replaces(program, board, keep, set));
    if !replaced {
        let body = vec![Literal::Positive(excepted.clone()), keep.body[keep.own()?].clone()];
        changed.push(Rule { head: effect(LOST, board, &keep.head), body, ..keep.clone() });
    }
    let gained = |set: &Rule| Rule { head: effect(GAINED, board, &set.head), ..set.clone() };
    changed.extend(sets.into_iter().map(gained));
    Some((if replaced { Effects::Gained } else { Effects::Both }, changed))
}

fn effect(name: &str, board: &Board, head: &Atom) -> Atom {
    Atom { name: name.to_owned(), part: Some(board.functor.0.clone()), ..head.clone() }
}

/// What a rule that keeps all values of all places excepts.
fn excepted(keep: &Rule) -> Option<&Atom> {
    let args = fluent(&keep.head)?.args();
    let vars: FxHashSet<&Term> = args.iter().filter(|arg| matches!(arg, Term::Var(_))).collect();
    match keep.body.as_slice() {
        [_, Literal::Negative(other)] | [Literal::Negative(other), _] => {
            (vars.len() == args.len()).then_some(other)
        }
        _ => None,
    }
}

/// Whether a relation of moves is recursive, or asks for such.
fn comes_to_itself(program: &Program, key: &Key) -> bool {
    let reached = program.reached(
        |root| root == key && program.level(root) == Level::Joint,
        |literal| literal.atom().is_some_and(|atom| program.level(&atom.key()) == Level::Joint),
    );
    reached.iter().any(|key| program.recursive(key))
}

/// Whether a rule puts something on each place from which the rule that keeps the others excepts something.
fn replaces(program: &Program, board: &Board, keep: &Rule, set: &Rule) -> bool {
    let Some(excepted) = excepted(keep) else { return false };
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
