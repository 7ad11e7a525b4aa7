//! A tableau over the conditions of rules.
//!
//! Relations are replaced by the bodies of their rules, one case for each; a case is closed if a fluent has
//! two values on one place, a player does two things, something holds and does not, or something holds that
//! is said never to. That what players do is legal is used as well, and that arguments of static relations
//! depend on the others.

use super::interpret::Interpreter;
use super::order;
use super::program::{Level, Program};
use super::relaxed::Reach;
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::table::is_determined;
use super::unify::{Bindings, is_open, renamed, resolved, unify, unify_all};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How much of a budget a case takes,
const CASE: u64 = 20;
/// and how many rows that are looked at take one.
const ROWS: u64 = 10;
/// The same of pairs of facts.
const PAIRS: u64 = 10;
/// The most cases that one condition may make.
const MAX_CASES: usize = 12;
/// How deep relations are replaced by their rules, and derived from them.
const DEPTH: usize = 4;
/// The most rows of a static relation that are looked at.
const MAX_ROWS: usize = 3_000;

/// What static relations hold of, where that is not much.
#[derive(Default)]
pub struct Statics {
    rows: FxHashMap<Key, Vec<Vec<Term>>>,
    /// Arguments that have one value for all others together.
    dependent: FxHashMap<Key, Vec<usize>>,
    /// What each argument of a fluent may be, if that is little.
    ranges: FxHashMap<Key, Vec<Vec<Term>>>,
}

impl Statics {
    /// The static relations of a game, and what its fluents may be.
    pub fn of(program: &Program, interpreter: &Interpreter, reach: &Reach) -> Statics {
        let mut statics = Statics::default();
        for (functor, rows) in &reach.fluents {
            let range = |argument: usize| {
                let mut values: Vec<Term> = Vec::new();
                for row in rows {
                    if !values.contains(&row[argument]) && values.len() <= MAX_CASES {
                        values.push(row[argument].clone());
                    }
                }
                if values.len() <= MAX_CASES { values } else { Vec::new() }
            };
            statics.ranges.insert(functor.clone(), (0..functor.1).map(range).collect());
        }
        let terms = &interpreter.terms;
        for key in program.relations.keys().filter(|key| program.level(key) == Level::Static) {
            let Some(table) = interpreter.tables.rows(key).filter(|table| table.len() <= MAX_ROWS)
            else {
                continue;
            };
            let row = |row: &[u32]| row.iter().map(|&id| terms.term(id)).collect();
            statics.rows.insert(key.clone(), table.rows().map(row).collect());
            let depends = |&argument: &usize| key.1 > 1 && is_determined(table.rows(), argument);
            let dependent = (0..key.1).filter(depends).collect();
            statics.dependent.insert(key.clone(), dependent);
        }
        statics
    }
}

/// What is assumed in one case.
#[derive(Clone, Default)]
pub struct Case {
    pub bindings: Bindings,
    /// The first variable that is not used.
    pub free: usize,
    /// What holds,
    pub facts: Vec<Atom>,
    /// and what does not, for any value of some variables.
    pub denied: Vec<(Atom, Vec<usize>)>,
    /// Terms that are not the same.
    pub different: Vec<(Term, Term)>,
    /// Facts that are not yet replaced by what they come from, and how deep they are.
    pending: Vec<(Atom, usize)>,
}

impl Case {
    /// Assumes what a rule asks for; whether that can still be.
    pub fn assume(&mut self, rule: &Rule, depth: usize) -> bool {
        rule.body.iter().enumerate().all(|(nth, literal)| match literal {
            Literal::Positive(atom) => {
                self.hold(atom.clone(), depth);
                true
            }
            Literal::Negative(atom) => {
                self.denied.push((atom.clone(), order::local(rule, nth).into_iter().collect()));
                true
            }
            Literal::Same(true, one, other, _) => unify(one, other, 0, &mut self.bindings),
            Literal::Same(false, one, other, _) => {
                self.different.push((one.clone(), other.clone()));
                true
            }
        })
    }

    pub fn hold(&mut self, fact: Atom, depth: usize) {
        if fact.name == "does" {
            let legal = Atom::new("legal", &fact.args);
            self.pending.push((legal.clone(), depth));
            self.facts.push(legal);
        } else if fact.name != "true" {
            self.pending.push((fact.clone(), depth));
        }
        self.facts.push(fact);
    }

    fn same(&self, one: &Term, other: &Term) -> bool {
        match (self.bindings.value(one), self.bindings.value(other)) {
            (Term::Function(..), Term::Function(..)) => {
                resolved(one, &self.bindings) == resolved(other, &self.bindings)
            }
            (one, other) => one == other,
        }
    }
}

/// What a proof may take for granted of the states from which moves are made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Premise {
    /// Places of the relation have one value at most.
    Single(Key),
    /// The conditions with this number are never met.
    Never(usize),
}

/// Proves, as long as the budget lasts.
pub struct Prover<'a> {
    pub program: &'a Program,
    statics: Rc<Statics>,
    /// Relations with one value on a place: which argument that is.
    pub values: FxHashMap<Key, usize>,
    /// Conditions that are never met together, with their numbers.
    pub never: Vec<(usize, Rc<Rule>)>,
    /// What was taken for granted.
    pub used: FxHashSet<Premise>,
    /// Whether static conditions are left as they are where they may be several rows.
    pub lifted: bool,
    /// Whether values that are not known are tried one by one, where nothing else is left.
    pub by_ranges: bool,
    /// The first case that could not be closed.
    pub open: Option<Case>,
    pub left: u64,
}

impl<'a> Prover<'a> {
    /// A prover with a budget: goals of derivations.
    pub fn new(program: &'a Program, statics: &Rc<Statics>, budget: u64) -> Prover<'a> {
        Prover {
            program,
            statics: Rc::clone(statics),
            values: FxHashMap::default(),
            never: Vec::new(),
            used: FxHashSet::default(),
            lifted: false,
            by_ranges: false,
            open: None,
            left: budget,
        }
    }

    /// Takes what a case costs from the budget; whether there was any left.
    pub fn pay(&mut self) -> bool {
        let any = self.left > 0;
        self.left = self.left.saturating_sub(CASE);
        any
    }

    /// Whether a case can't be.
    pub fn refute(&mut self, mut case: Case) -> bool {
        if !self.pay() {
            return false;
        }
        self.left = self.left.saturating_sub(case.facts.len().pow(2) as u64 / PAIRS);
        if !self.settle(&mut case) || self.contradicts(&case) || self.is_excluded(&case) {
            return true;
        }
        let cases = (0..case.pending.len()).filter_map(|nth| {
            let cases = self.cases(&case, nth)?;
            let left_out = self.lifted && cases.len() > 1 && self.is_static(&case.pending[nth].0);
            (!left_out).then_some((cases.len(), cases))
        });
        let best = cases.min_by_key(|(count, _)| *count).map(|(_, cases)| cases);
        match best.or_else(|| self.by_value(&case)) {
            Some(cases) => cases.into_iter().all(|case| self.refute(case)),
            None => {
                self.open.get_or_insert(case);
                false
            }
        }
    }

    /// The cases of a value on a place that is not known, by what it may be.
    fn by_value(&self, case: &Case) -> Option<Vec<Case>> {
        if self.lifted || !self.by_ranges {
            return None;
        }
        let (var, range) =
            case.facts.iter().filter(|fact| fact.name == "true").find_map(|fact| {
                let term = case.bindings.value(fluent(fact)?);
                let (name, arity) = term.functor()?;
                let functor = (name.to_owned(), arity);
                let &value = self.values.get(&functor)?;
                let range = &self.statics.ranges.get(&functor)?[value];
                match case.bindings.value(&term.args()[value]) {
                    Term::Var(var) if !range.is_empty() => Some((*var, range)),
                    _ => None,
                }
            })?;
        let with = |value: &Term| {
            let mut case = case.clone();
            case.bindings.bind(var, value.clone());
            case
        };
        Some(range.iter().map(with).collect())
    }

    /// The cases of a fact that is pending: by the rows that it may be, or by the rules that it may come of.
    fn cases(&mut self, case: &Case, nth: usize) -> Option<Vec<Case>> {
        let (fact, depth) = &case.pending[nth];
        if *depth >= DEPTH {
            return None;
        }
        let mut rest = case.clone();
        rest.pending.swap_remove(nth);
        if self.is_static(fact)
            && let Some(cases) = self.by_rows(&rest, fact)
        {
            return Some(cases);
        }
        let mut cases = Vec::new();
        for rule in self.program.rules_of(&fact.key()) {
            let mut next = rest.clone();
            let rule = renamed(rule, &mut next.free);
            if unify_all(&fact.args, &rule.head.args, 0, &mut next.bindings)
                && next.assume(&rule, depth + 1)
            {
                if cases.len() == MAX_CASES {
                    return None;
                }
                cases.push(next);
            }
        }
        Some(cases)
    }

    /// The cases of a static fact by what it may be, if that are few.
    fn by_rows(&mut self, rest: &Case, fact: &Atom) -> Option<Vec<Case>> {
        let statics = Rc::clone(&self.statics);
        let rows = statics.rows.get(&fact.key())?;
        self.left = self.left.saturating_sub(rows.len() as u64 / ROWS);
        let mut cases = Vec::new();
        for row in rows {
            let mut bindings = rest.bindings.clone();
            if unify_all(&fact.args, row, 0, &mut bindings) {
                if cases.len() == MAX_CASES {
                    return None;
                }
                cases.push(Case { bindings, ..rest.clone() });
            }
        }
        Some(cases)
    }

    fn is_static(&self, fact: &Atom) -> bool {
        self.program.level(&fact.key()) == Level::Static
    }

    /// Takes from what holds which terms have to be the same; whether they can be.
    pub fn settle(&mut self, case: &mut Case) -> bool {
        loop {
            let mut changed = false;
            for one in 0..case.facts.len() {
                for two in one + 1..case.facts.len() {
                    for (left, right) in self.depends(case, one, two) {
                        if case.same(&left, &right) {
                            continue;
                        }
                        changed = true;
                        let of = fluent(&case.facts[one]).map(|term| case.bindings.value(term));
                        if let Some((name, arity)) = of.and_then(Term::functor) {
                            self.used.insert(Premise::Single((name.to_owned(), arity)));
                        }
                        if !unify(&left, &right, 0, &mut case.bindings) {
                            return false;
                        }
                    }
                }
            }
            if !changed {
                return case.different.iter().all(|(one, other)| !case.same(one, other));
            }
        }
    }

    /// The terms of two facts that have to be the same: moves of a player, values on a place, arguments that
    /// depend on the others.
    fn depends(&self, case: &Case, one: usize, two: usize) -> Vec<(Term, Term)> {
        let (one, two) = (&case.facts[one], &case.facts[two]);
        if one.name != two.name || one.args.len() != two.args.len() {
            return Vec::new();
        }
        let (left, right, dependent) = match (fluent(one), fluent(two)) {
            (Some(left), Some(right)) if one.name == "true" => {
                let left = resolved(left, &case.bindings);
                let right = resolved(right, &case.bindings);
                let functor = left.functor().filter(|functor| right.functor() == Some(*functor));
                let value = functor
                    .and_then(|(name, arity)| self.values.get(&(name.to_owned(), arity)).copied());
                let Some(value) = value else { return Vec::new() };
                (left.args().to_vec(), right.args().to_vec(), vec![value])
            }
            _ => {
                let dependent = match one.name.as_str() {
                    "does" => vec![1],
                    _ => self.statics.dependent.get(&one.key()).cloned().unwrap_or_default(),
                };
                (one.args.clone(), two.args.clone(), dependent)
            }
        };
        let differ = |n: &usize| !case.same(&left[*n], &right[*n]);
        let differing: Vec<usize> = (0..left.len()).filter(differ).collect();
        let only = dependent.into_iter().filter(|n| differing == [*n]);
        only.map(|n| (left[n].clone(), right[n].clone())).collect()
    }

    /// Whether what holds is said never to.
    fn is_excluded(&mut self, case: &Case) -> bool {
        let never = self.never.clone();
        never.into_iter().any(|(number, rule)| {
            let is_there = |atom: &Atom| case.facts.iter().any(|fact| is_of(atom, fact));
            if !rule.asked().filter(|asked| asked.name == "true").all(is_there) {
                return false;
            }
            self.left = self.left.saturating_sub(rule.body.len() as u64);
            let mut free = case.free;
            let rule = renamed(&rule, &mut free);
            let mut bindings = case.bindings.clone();
            let excluded = self.derive(case, &rule.body, &mut bindings, free, DEPTH);
            if excluded {
                self.used.insert(Premise::Never(number));
            }
            excluded
        })
    }

    /// Whether something that is denied can be derived.
    fn contradicts(&mut self, case: &Case) -> bool {
        case.denied.iter().any(|(denied, local)| {
            let mut bindings = case.bindings.clone();
            for (nth, &var) in local.iter().enumerate() {
                bindings.bind(var, Term::Var(case.free + nth));
            }
            let free = case.free + local.len();
            let goal = Literal::Positive(denied.clone());
            self.derive(case, &[goal], &mut bindings, free, DEPTH)
        })
    }

    /// Whether all goals follow from the facts of a case. Variables of the case are not bound, and all others
    /// have the values afterwards that they had before.
    fn derive(
        &mut self,
        case: &Case,
        goals: &[Literal],
        bindings: &mut Bindings,
        free: usize,
        depth: usize,
    ) -> bool {
        let Some((goal, rest)) = goals.split_first() else { return true };
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        match goal {
            Literal::Same(true, one, other, _) => {
                let pair = [(one, other)];
                self.derive_by(case, pair, rest, bindings, free, depth)
            }
            Literal::Same(false, one, other, _) => {
                let pair = (resolved(one, bindings), resolved(other, bindings));
                let known = case.different.iter().any(|(left, right)| {
                    let known = (resolved(left, bindings), resolved(right, bindings));
                    known == pair || (known.1, known.0) == pair
                });
                (known || !unify(&pair.0, &pair.1, 0, &mut Bindings::default()))
                    && self.derive(case, rest, bindings, free, depth)
            }
            Literal::Negative(atom) => {
                self.is_denied(case, atom, bindings, free)
                    && self.derive(case, rest, bindings, free, depth)
            }
            Literal::Positive(atom) => self.derive_one(case, atom, rest, bindings, free, depth),
        }
    }

    /// Whether goals follow if these terms are the same.
    fn derive_by<'t>(
        &mut self,
        case: &Case,
        pairs: impl IntoIterator<Item = (&'t Term, &'t Term)>,
        goals: &[Literal],
        bindings: &mut Bindings,
        free: usize,
        depth: usize,
    ) -> bool {
        let mark = bindings.count();
        let mut pairs = pairs.into_iter();
        let follows = pairs.all(|(one, other)| unify(one, other, case.free, bindings))
            && self.derive(case, goals, bindings, free, depth);
        bindings.undo(mark);
        follows
    }

    fn derive_one(
        &mut self,
        case: &Case,
        goal: &Atom,
        rest: &[Literal],
        bindings: &mut Bindings,
        free: usize,
        depth: usize,
    ) -> bool {
        let statics = Rc::clone(&self.statics);
        let rows = statics.rows.get(&goal.key());
        for fact in &case.facts {
            let of_relation = fact.name == goal.name
                && fact.args.len() == goal.args.len()
                && fact.part == goal.part;
            // What is known to hold of a listed relation without variables is a row of it.
            if of_relation && (rows.is_none() || fact.args.iter().any(|arg| is_open(arg, bindings)))
            {
                let pairs = fact.args.iter().zip(&goal.args);
                if self.derive_by(case, pairs, rest, bindings, free, depth) {
                    return true;
                }
            }
        }
        if self.is_static(goal) {
            let rows = rows.map_or(&[][..], Vec::as_slice);
            self.left = self.left.saturating_sub(rows.len() as u64 / ROWS);
            return rows.iter().any(|row| {
                self.derive_by(case, row.iter().zip(&goal.args), rest, bindings, free, depth)
            });
        }
        if depth == 0 {
            return false;
        }
        let program = self.program;
        program.rules_of(&goal.key()).any(|rule| {
            let mut free = free;
            let rule = renamed(rule, &mut free);
            let goals = [rule.body.as_slice(), rest].concat();
            let pairs = rule.head.args.iter().zip(&goal.args);
            self.derive_by(case, pairs, &goals, bindings, free, depth - 1)
        })
    }

    /// Whether a relation is known not to hold, for all values of variables that are not of the case.
    fn is_denied(&self, case: &Case, goal: &Atom, bindings: &Bindings, free: usize) -> bool {
        let args: Vec<Term> = goal.args.iter().map(|arg| resolved(arg, bindings)).collect();
        if let Some(rows) = self.statics.rows.get(&goal.key()) {
            return rows.iter().all(|row| !unify_all(row, &args, 0, &mut Bindings::default()));
        }
        case.denied.iter().any(|(denied, local)| {
            let mut next = case.bindings.clone();
            for (nth, &var) in local.iter().enumerate() {
                next.bind(var, Term::Var(free + nth));
            }
            denied.key() == goal.key() && unify_all(&denied.args, &args, free, &mut next)
        })
    }
}

/// Whether two fluents are of one relation, if the second is of a known one.
fn is_of(one: &Atom, two: &Atom) -> bool {
    let functor = |atom| fluent(atom).and_then(Term::functor);
    two.name == "true" && (functor(two).is_none() || functor(one) == functor(two))
}
