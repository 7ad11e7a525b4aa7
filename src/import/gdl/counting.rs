//! Rules that count.
//!
//! Two rules that differ in this alone are one clause: what the one asks for the other denies, and then the one
//! counts.
//!
//! ```text
//! (<= (count ?x ?n1) (before ?y ?x) (count ?y ?n) (true (at ?x)) (succ ?n ?n1))
//! (<= (count ?x ?n) (before ?y ?x) (count ?y ?n) (not (true (at ?x))))
//! ```
//!
//! ```prolog
//! count(X1, N, S) :-
//!     count_list(X1, Counted, S),
//!     length(Counted, N),
//!     N =< 64.
//!
//! count_list(X, Counted, S) :-
//!     before(Y, X),
//!     count_list(Y, Before, S),
//!     findall(x, holds(at(X), S), One),
//!     append(One, Before, Counted).
//! ```
//!
//! So a count is the length of a list, and not found among the numbers that there may be.

use super::interpret::Interpreter;
use super::names;
use super::numbers::{Numbers, numbers};
use super::program::{Level, Program};
use super::syntax::{Atom, Key, Literal, Rule, Term};
use crate::text;
use rustc_hash::FxHashMap;

/// The most from which it is counted.
const MOST: i64 = 8;

/// Two rules as one.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The rule that counts,
    pub counts: usize,
    /// and the one that does not.
    pub other: usize,
    /// The argument of the head that is counted.
    pub argument: usize,
    /// The condition of the other rule that what the first one asks for does not hold.
    pub denied: usize,
    /// The greatest number from which it is counted.
    pub last: i64,
}

/// The pairs of the relations that count: of each one at least, and all of the same argument.
pub type Counted = FxHashMap<Key, Vec<Pair>>;

/// The relations of a game that count.
pub fn counted(program: &Program, interpreter: &Interpreter) -> Counted {
    let keys = program.components.iter().flatten();
    let all = keys.map(|key| (key.clone(), pairs(program, interpreter, key)));
    all.filter(|(_, pairs)| !pairs.is_empty()).collect()
}

/// The rules of a relation that count, in pairs: all rules that ask for it, so that what is counted is a number.
fn pairs(program: &Program, interpreter: &Interpreter, key: &Key) -> Vec<Pair> {
    let Some(relation) = program.relations.get(key) else { return Vec::new() };
    if !relation.recursive || relation.level == Level::Static {
        return Vec::new();
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for &counts in &relation.rules {
        let rules = relation.rules.iter().filter(|&&other| other != counts);
        pairs.extend(rules.filter_map(|&other| pair(program, interpreter, counts, other)).next());
    }
    let paired = |nth: usize| pairs.iter().filter(|p| p.counts == nth || p.other == nth).count();
    let Some(argument) = pairs.first().map(|pair| pair.argument) else { return Vec::new() };
    let known = |&nth: &usize| {
        let rule = &program.rules[nth];
        if rule.asked().any(|atom| atom.key() == *key) {
            return paired(nth) == 1;
        }
        number(&rule.head.args[argument]).is_some_and(|n| (0..=MOST).contains(&n))
    };
    let (name, last) = (list(key), pairs[0].last);
    let mut others = program.relations.keys().filter(|other| *other != key);
    let sound = names::is_free(&name)
        && key.0 != name
        && others.all(|other| other.0 != name && other.0 != key.0)
        && last >= MOST
        && pairs.iter().all(|pair| pair.argument == argument && pair.last == last)
        && relation.rules.iter().all(known);
    if sound { pairs } else { Vec::new() }
}

/// The relation of the list of what a relation counts.
pub fn list(key: &Key) -> String {
    format!("{}_list", key.0)
}

/// The integer that a term is.
pub fn number(term: &Term) -> Option<i64> {
    match term {
        Term::Constant(name) if text::is_integer(name) => name.parse().ok(),
        _ => None,
    }
}

/// Whether two rules are a pair.
fn pair(program: &Program, interpreter: &Interpreter, counts: usize, other: usize) -> Option<Pair> {
    let (rule, without) = (&program.rules[counts], &program.rules[other]);
    if rule.body.len() != without.body.len() + 1 {
        return None;
    }
    (0..rule.body.len()).find_map(|nth| {
        let asked = rule.body[nth].positive()?;
        let sum = static_sum(program, interpreter, asked)?;
        let Numbers::Sum { by, first, last } = sum else { return None };
        let [Term::Var(old), Term::Var(new)] = asked.args.as_slice() else { return None };
        let argument = counted_argument(rule, *old, *new).filter(|_| by == 1 && first <= 0)?;
        let mut head = rule.head.clone();
        head.args[argument] = Term::Var(*old);
        let others = rule.body.iter().enumerate().filter(|(other, _)| *other != nth);
        let others: Vec<&Literal> = others.map(|(_, literal)| literal).collect();
        let denied = denied(&head, &others, without)?;
        Some(Pair { counts, other, argument, denied, last })
    })
}

/// The argument of a rule's relation that is the new number where it was the old one of the one call.
fn counted_argument(rule: &Rule, old: usize, new: usize) -> Option<usize> {
    let uses = rule.body.iter().flat_map(Literal::vars).filter(|var| *var == new).count();
    let argument = rule.head.args.iter().position(|arg| *arg == Term::Var(new))?;
    let own = rule.head.key();
    let called = rule.positive().filter(|atom| atom.key() == own).map(|atom| &atom.args[argument]);
    (uses == 1 && called.eq([&Term::Var(old)])).then_some(argument)
}

fn static_sum(program: &Program, interpreter: &Interpreter, atom: &Atom) -> Option<Numbers> {
    let key = atom.key();
    (program.level(&key) == Level::Static && atom.args.len() == 2)
        .then(|| numbers(interpreter, &key))?
}

/// The condition of a rule that denies what is asked for; all else is the same but for names of variables.
fn denied(head: &Atom, body: &[&Literal], rule: &Rule) -> Option<usize> {
    let mut names = Names::default();
    if !names.all(&head.args, &rule.head.args) {
        return None;
    }
    let mut denied = None;
    for (nth, (one, other)) in body.iter().zip(&rule.body).enumerate() {
        let same = match (one, other) {
            (Literal::Same(same1, left1, right1, _), Literal::Same(same2, left2, right2, _)) => {
                same1 == same2 && names.same(left1, left2) && names.same(right1, right2)
            }
            _ => {
                let (Some(asked), Some(known)) = (one.atom(), other.atom()) else { return None };
                let alike = one.positive().is_some() == other.positive().is_some();
                if !alike && (denied.is_some() || one.positive().is_none()) {
                    return None;
                }
                if !alike {
                    denied = Some(nth);
                }
                asked.key() == known.key() && names.all(&asked.args, &known.args)
            }
        };
        if !same {
            return None;
        }
    }
    denied
}

/// Variables of one rule as those of another.
#[derive(Default)]
struct Names {
    there: FxHashMap<usize, usize>,
    back: FxHashMap<usize, usize>,
}

impl Names {
    fn all(&mut self, ones: &[Term], others: &[Term]) -> bool {
        ones.len() == others.len()
            && ones.iter().zip(others).all(|(one, other)| self.same(one, other))
    }

    fn same(&mut self, one: &Term, other: &Term) -> bool {
        match (one, other) {
            (Term::Var(one), Term::Var(other)) => {
                *self.there.entry(*one).or_insert(*other) == *other
                    && *self.back.entry(*other).or_insert(*one) == *one
            }
            (Term::Function(name1, args1), Term::Function(name2, args2)) => {
                name1 == name2 && self.all(args1, args2)
            }
            _ => one == other,
        }
    }
}
