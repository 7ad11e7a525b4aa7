//! Places that never have several values, proved from the rules.
//!
//! A state in which no place has two values leads to such states only if no two rules say different values
//! of one place to hold next: then what both ask for can't be. That is refuted by a tableau over the
//! conditions as they are written: relations are replaced by the bodies of their rules, one case for each;
//! a case is closed if a fluent has two values on one place, a player does two things, or something holds
//! and does not. That what players do is legal is used as well. (Proofs of invariants by induction over
//! states: S. Haufe, S. Schiffel, M. Thielscher, *Automated verification of state sequence invariants in
//! general game playing*, 2012; there by answer sets, over ground rules.)

use super::boards::Boards;
use super::interpret::Interpreter;
use super::order;
use super::program::{Level, Program, fluent, key};
use super::relaxed;
use super::syntax::{Atom, Key, Literal, Rule, Term};
use super::turns::atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Goals of derivations before the proofs of a game are given up,
const BUDGET: u64 = 200_000;
/// for how many of them a case counts,
const CASE: u64 = 20;
/// and how many rows that are looked at count for one.
const ROWS: u64 = 10;
/// The most cases that one condition may make.
const MAX_CASES: usize = 12;
/// How deep relations are replaced by their rules, and derived from them.
const DEPTH: usize = 4;
/// The most rows of a static relation that are looked at.
const MAX_ROWS: usize = 3_000;

/// Finds out which boards have one value on a place at most, in all states.
pub fn prove(program: &Program, interpreter: &Interpreter, boards: &mut Boards) {
    let values: FxHashMap<Key, usize> = boards
        .boards
        .iter()
        .filter_map(|board| Some((board.functor.clone(), board.value?)))
        .filter(|(functor, value)| is_single_at_first(interpreter, functor, *value))
        .collect();
    if values.is_empty() {
        return;
    }
    let mut prover =
        Prover { program, statics: Rc::new(statics(program, interpreter)), values, left: BUDGET };
    // Each proof may use that the others have one value; what fails takes that away from them.
    loop {
        let mut all: Vec<Key> = prover.values.keys().cloned().collect();
        all.sort_unstable();
        match all.into_iter().find(|functor| !prover.stays_single(functor)) {
            Some(functor) => prover.values.remove(&functor),
            None => break,
        };
    }
    for board in &mut boards.boards {
        board.single = prover.values.contains_key(&board.functor);
    }
}

fn is_single_at_first(interpreter: &Interpreter, functor: &Key, value: usize) -> bool {
    let mut seen = FxHashSet::default();
    interpreter.initial().iter().all(|&fact| {
        let (symbol, args) = interpreter.terms().get(fact);
        let own = args.len() == functor.1 && interpreter.terms().name(symbol) == functor.0.as_str();
        let places = args.iter().enumerate().filter(|(n, _)| *n != value);
        !own || seen.insert(places.map(|(_, &arg)| arg).collect::<Vec<_>>())
    })
}

type Rows = FxHashMap<Key, Vec<Vec<Term>>>;

/// What static relations hold of, where that is not much.
fn statics(program: &Program, interpreter: &Interpreter) -> Rows {
    let keys = program.relations.keys().filter(|key| program.level(key) == Level::Static);
    let terms = interpreter.terms();
    keys.filter_map(|key| {
        let table = interpreter.rows(key).filter(|table| table.len() <= MAX_ROWS)?;
        let row = |row: &[u32]| row.iter().map(|&id| relaxed::term(terms, id)).collect();
        Some((key.clone(), table.rows().map(row).collect()))
    })
    .collect()
}

/// Values of variables.
type Bindings = FxHashMap<usize, Term>;

/// A term with its variables replaced by their values.
fn resolved(term: &Term, bindings: &Bindings) -> Term {
    match term {
        Term::Var(var) => match bindings.get(var) {
            Some(value) => resolved(value, bindings),
            None => term.clone(),
        },
        Term::Constant(_) => term.clone(),
        Term::Function(name, args) => {
            let args = args.iter().map(|arg| resolved(arg, bindings)).collect();
            Term::Function(name.clone(), args)
        }
    }
}

/// Makes two terms the same; variables below `rigid` are not bound, they stand for what is not known.
fn unify(one: &Term, other: &Term, rigid: usize, bindings: &mut Bindings) -> bool {
    match (resolved(one, bindings), resolved(other, bindings)) {
        (one, other) if one == other => true,
        (Term::Var(var), term) | (term, Term::Var(var)) if var >= rigid => {
            let mut vars = Vec::new();
            term.vars(&mut vars);
            !vars.contains(&var) && bindings.insert(var, term).is_none()
        }
        (Term::Function(name1, args1), Term::Function(name2, args2)) => {
            name1 == name2 && unify_all(&args1, &args2, rigid, bindings)
        }
        _ => false,
    }
}

fn unify_all(ones: &[Term], others: &[Term], rigid: usize, bindings: &mut Bindings) -> bool {
    ones.len() == others.len()
        && ones.iter().zip(others).all(|(one, other)| unify(one, other, rigid, bindings))
}

/// A rule with variables of its own.
fn renamed(rule: &Rule, free: &mut usize) -> Rule {
    let base = *free;
    *free += rule.vars.len();
    shifted(rule, base)
}

fn shifted(rule: &Rule, base: usize) -> Rule {
    fn term(of: &Term, base: usize) -> Term {
        match of {
            Term::Var(var) => Term::Var(var + base),
            Term::Constant(_) => of.clone(),
            Term::Function(name, args) => {
                Term::Function(name.clone(), args.iter().map(|arg| term(arg, base)).collect())
            }
        }
    }
    let atom = |of: &Atom| Atom {
        args: of.args.iter().map(|arg| term(arg, base)).collect(),
        ..of.clone()
    };
    let literal = |of: &Literal| match of {
        Literal::Positive(of) => Literal::Positive(atom(of)),
        Literal::Negative(of) => Literal::Negative(atom(of)),
        Literal::Same(same, one, other, span) => {
            Literal::Same(*same, term(one, base), term(other, base), *span)
        }
    };
    Rule { head: atom(&rule.head), body: rule.body.iter().map(literal).collect(), ..rule.clone() }
}

/// What is assumed in one case.
#[derive(Clone, Default)]
struct Case {
    bindings: Bindings,
    /// The first variable that is not used.
    free: usize,
    /// What holds,
    facts: Vec<Atom>,
    /// and what does not, for any value of some variables.
    denied: Vec<(Atom, Vec<usize>)>,
    /// Terms that are not the same.
    different: Vec<(Term, Term)>,
    /// Facts that are not yet replaced by what they come from, and how deep they are.
    pending: Vec<(Atom, usize)>,
}

impl Case {
    /// Assumes what a rule asks for; whether that can still be.
    fn assume(&mut self, rule: &Rule, depth: usize) -> bool {
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

    fn hold(&mut self, fact: Atom, depth: usize) {
        if fact.name == "does" {
            let legal = atom("legal", &fact.args);
            self.pending.push((legal.clone(), depth));
            self.facts.push(legal);
        } else if fact.name != "true" {
            self.pending.push((fact.clone(), depth));
        }
        self.facts.push(fact);
    }

    fn same(&self, one: &Term, other: &Term) -> bool {
        one == other || resolved(one, &self.bindings) == resolved(other, &self.bindings)
    }
}

/// Proves, as long as the budget lasts.
struct Prover<'a> {
    program: &'a Program,
    statics: Rc<Rows>,
    /// Relations with one value on a place: which argument that is.
    values: FxHashMap<Key, usize>,
    left: u64,
}

impl Prover<'_> {
    /// Whether the rules never say two values of a place to hold next.
    fn stays_single(&mut self, functor: &Key) -> bool {
        let program = self.program;
        let rules: Vec<&Rule> = program
            .rules_of(&key("next", 1))
            .filter(|rule| {
                let name = fluent(&rule.head).and_then(Term::functor);
                name == Some((functor.0.as_str(), functor.1))
            })
            .collect();
        let pairs = (0..rules.len()).flat_map(|one| (one..rules.len()).map(move |two| (one, two)));
        let mut pairs = pairs.map(|(one, two)| (rules[one], rules[two]));
        let value = self.values[functor];
        pairs.all(|(one, two)| self.exclude_each_other(one, two, value))
    }

    fn exclude_each_other(&mut self, one: &Rule, two: &Rule, value: usize) -> bool {
        let mut case = Case::default();
        let one = renamed(one, &mut case.free);
        let two = renamed(two, &mut case.free);
        let (Some(left), Some(right)) = (fluent(&one.head), fluent(&two.head)) else {
            return false;
        };
        let mut places = (0..left.args().len()).filter(|&n| n != value);
        if !places.all(|n| unify(&left.args()[n], &right.args()[n], 0, &mut case.bindings)) {
            return true;
        }
        case.different.push((left.args()[value].clone(), right.args()[value].clone()));
        !case.assume(&one, 0) || !case.assume(&two, 0) || self.refute(case)
    }

    /// Whether a case can't be.
    fn refute(&mut self, mut case: Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left = self.left.saturating_sub(CASE);
        if !self.settle(&mut case) || self.contradicts(&case) {
            return true;
        }
        let cases = (0..case.pending.len()).filter_map(|nth| {
            let cases = self.cases(&case, nth)?;
            Some((cases.len(), cases))
        });
        let best = cases.min_by_key(|(count, _)| *count);
        best.is_some_and(|(_, cases)| cases.into_iter().all(|case| self.refute(case)))
    }

    /// The cases of a fact that is pending: by the rows that it may be, or by the rules that it may come of.
    fn cases(&mut self, case: &Case, nth: usize) -> Option<Vec<Case>> {
        let (fact, depth) = &case.pending[nth];
        if *depth >= DEPTH {
            return None;
        }
        let mut rest = case.clone();
        rest.pending.swap_remove(nth);
        if self.program.level(&fact.key()) == Level::Static
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
        let rows = self.statics.get(&fact.key())?;
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

    /// Takes from what holds which terms have to be the same; whether they can be.
    fn settle(&self, case: &mut Case) -> bool {
        loop {
            let mut changed = false;
            for one in 0..case.facts.len() {
                for two in one + 1..case.facts.len() {
                    let Some((left, right)) = self.depends(case, one, two) else { continue };
                    if !case.same(&left, &right) {
                        changed = true;
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

    /// The terms of two facts that have to be the same: moves of a player, values on a place.
    fn depends(&self, case: &Case, one: usize, two: usize) -> Option<(Term, Term)> {
        let (one, two) = (&case.facts[one], &case.facts[two]);
        if one.name != two.name {
            return None;
        }
        if one.name == "does" {
            let same = case.same(&one.args[0], &two.args[0]);
            return same.then(|| (one.args[1].clone(), two.args[1].clone()));
        }
        if one.name != "true" {
            return None;
        }
        let left = resolved(fluent(one)?, &case.bindings);
        let right = resolved(fluent(two)?, &case.bindings);
        let functor = left.functor().filter(|functor| right.functor() == Some(*functor))?;
        let &value = self.values.get(&(functor.0.to_owned(), functor.1))?;
        let mut places = (0..functor.1).filter(|&n| n != value);
        places
            .all(|n| left.args()[n] == right.args()[n])
            .then(|| (left.args()[value].clone(), right.args()[value].clone()))
    }

    /// Whether something that is denied can be derived.
    fn contradicts(&mut self, case: &Case) -> bool {
        case.denied.iter().any(|(denied, local)| {
            let mut bindings = case.bindings.clone();
            for (nth, &var) in local.iter().enumerate() {
                bindings.insert(var, Term::Var(case.free + nth));
            }
            let free = case.free + local.len();
            let goal = Literal::Positive(denied.clone());
            self.derive(case, &[goal], bindings, free, DEPTH)
        })
    }

    /// Whether all goals follow from the facts of a case. Variables of the case are not bound.
    fn derive(
        &mut self,
        case: &Case,
        goals: &[Literal],
        bindings: Bindings,
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
                let mut next = bindings;
                unify(one, other, case.free, &mut next)
                    && self.derive(case, rest, next, free, depth)
            }
            Literal::Same(false, one, other, _) => {
                let pair = (resolved(one, &bindings), resolved(other, &bindings));
                let known = case.different.iter().any(|(left, right)| {
                    let known = (resolved(left, &bindings), resolved(right, &bindings));
                    known == pair || (known.1, known.0) == pair
                });
                (known || !unify(&pair.0, &pair.1, 0, &mut Bindings::default()))
                    && self.derive(case, rest, bindings, free, depth)
            }
            Literal::Negative(atom) => {
                self.is_denied(case, atom, &bindings, free)
                    && self.derive(case, rest, bindings, free, depth)
            }
            Literal::Positive(atom) => self.derive_one(case, atom, rest, &bindings, free, depth),
        }
    }

    fn derive_one(
        &mut self,
        case: &Case,
        goal: &Atom,
        rest: &[Literal],
        bindings: &Bindings,
        free: usize,
        depth: usize,
    ) -> bool {
        let by_fact = case.facts.iter().any(|fact| {
            let mut next = bindings.clone();
            fact.key() == goal.key()
                && unify_all(&fact.args, &goal.args, case.free, &mut next)
                && self.derive(case, rest, next, free, depth)
        });
        if by_fact {
            return true;
        }
        if self.program.level(&goal.key()) == Level::Static {
            let statics = Rc::clone(&self.statics);
            let rows = statics.get(&goal.key()).map_or(&[][..], Vec::as_slice);
            self.left = self.left.saturating_sub(rows.len() as u64 / ROWS);
            return rows.iter().any(|row| {
                let mut next = bindings.clone();
                unify_all(row, &goal.args, case.free, &mut next)
                    && self.derive(case, rest, next, free, depth)
            });
        }
        if depth == 0 {
            return false;
        }
        let program = self.program;
        program.rules_of(&goal.key()).any(|rule| {
            let mut free = free;
            let rule = renamed(rule, &mut free);
            let mut next = bindings.clone();
            unify_all(&rule.head.args, &goal.args, case.free, &mut next) && {
                let goals = [rule.body.as_slice(), rest].concat();
                self.derive(case, &goals, next, free, depth - 1)
            }
        })
    }

    /// Whether a relation is known not to hold, for all values of variables that are not of the case.
    fn is_denied(&self, case: &Case, goal: &Atom, bindings: &Bindings, free: usize) -> bool {
        let args: Vec<Term> = goal.args.iter().map(|arg| resolved(arg, bindings)).collect();
        let rows = self.statics.get(&goal.key());
        if let Some(rows) = rows.filter(|_| self.program.level(&goal.key()) == Level::Static) {
            return rows.iter().all(|row| !unify_all(row, &args, 0, &mut Bindings::default()));
        }
        case.denied.iter().any(|(denied, local)| {
            let mut next = case.bindings.clone();
            for (nth, &var) in local.iter().enumerate() {
                next.insert(var, Term::Var(free + nth));
            }
            denied.key() == goal.key() && unify_all(&denied.args, &args, free, &mut next)
        })
    }
}
