//! Which arguments have values when a relation is asked, and in what order its rules ask their conditions
//! then. Rules are run top-down, so what callers bind is bound.

use super::board::Boards;
use super::delta::{GAINED, LOST};
use super::order::{self, Bound};
use super::program::{Level, Program, name};
use super::projection;
use super::sizes::Sizes;
use super::syntax::{Atom, Key, Rule, Term, fluent};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::watchdog;

/// Whether each argument has a value.
pub type Mode = Vec<bool>;

/// The order of conditions of each rule, by its number.
pub struct Modes {
    /// The arguments that have values at every call of a relation.
    pub bound: FxHashMap<Key, Mode>,
    /// The conditions of each rule in order.
    pub orders: Vec<Vec<usize>>,
    /// By rule: the number of conditions before the existential ones, if there are any.
    pub splits: Vec<Option<usize>>,
    /// The arguments that have values where it is asked what comes next, of relations that are boards.
    pub places: FxHashMap<Key, Vec<usize>>,
}

/// The modes of all relations, callers first. `repeating` has the source offsets of rules that repeat answers.
pub fn modes(
    program: &Program,
    sizes: &Sizes,
    boards: &Boards,
    repeating: &FxHashSet<u32>,
) -> Modes {
    let mut modes = Modes {
        bound: FxHashMap::default(),
        orders: program.rules.iter().map(|rule| (0..rule.body.len()).collect()).collect(),
        splits: vec![None; program.rules.len()],
        places: boards.boards.iter().map(|b| (b.functor.clone(), b.places())).collect(),
    };
    let listed = projection::listed(program, &["legal", LOST, GAINED]);
    for component in program.components.iter().rev() {
        for key in component {
            if let Some(mode) = of_root(key) {
                modes.meet(key.clone(), &mode);
            }
        }
        // Calls within the component may bind less; each round takes a bound argument away.
        loop {
            let known = |modes: &Modes| -> Vec<Option<Mode>> {
                component.iter().map(|key| modes.bound.get(key).cloned()).collect()
            };
            let before = known(&modes);
            for key in component {
                let none = FxHashSet::default();
                let repeating = if listed.contains(key) { repeating } else { &none };
                modes.order_rules(program, sizes, key, repeating);
            }
            if known(&modes) == before {
                break;
            }
        }
    }
    modes
}

/// What has a value when the file's own predicates ask.
fn of_root(key: &Key) -> Option<Mode> {
    match (name(key), key.1) {
        ("legal" | "goal", 2) => Some(vec![true, false]),
        ("next" | "role" | "init" | LOST | GAINED, 1) => Some(vec![false]),
        ("terminal", 0) => Some(Vec::new()),
        _ => None,
    }
}

impl Modes {
    fn meet(&mut self, key: Key, mode: &Mode) {
        let known = self.bound.entry(key).or_insert_with(|| mode.clone());
        known.iter_mut().zip(mode).for_each(|(known, new)| *known &= new);
    }

    /// The variables that the head of a rule binds at every call.
    pub fn bound_by_head(&self, rule: &Rule) -> Bound {
        let mut vars = Vec::new();
        if let Some(mode) = self.bound.get(&rule.head.key()) {
            let bound = rule.head.args.iter().zip(mode).filter(|(_, bound)| **bound);
            bound.for_each(|(arg, _)| arg.vars(&mut vars));
        }
        if let Some(fluent) = fluent(&rule.head).filter(|_| rule.head.name == "next") {
            let functor = fluent.functor().map(|(name, arity)| (name.to_owned(), arity));
            let places = functor.and_then(|functor| self.places.get(&functor));
            places.into_iter().flatten().for_each(|&n| fluent.args()[n].vars(&mut vars));
        }
        vars.into_iter().collect()
    }

    /// Orders the conditions of a relation's rules; those in `repeating` repeat answers.
    fn order_rules(
        &mut self,
        program: &Program,
        sizes: &Sizes,
        key: &Key,
        repeating: &FxHashSet<u32>,
    ) {
        // Facts replace its rules.
        let Some(relation) = program.relations.get(key).filter(|_| !sizes.is_table(key)) else {
            return;
        };
        for &nth in &relation.rules {
            let rule = &program.rules[nth];
            let mut bound = self.bound_by_head(rule);
            let order = order::order(rule, bound.clone(), sizes)
                .or_else(|| order::order(rule, Bound::default(), sizes))
                .unwrap_or_else(|| (0..rule.body.len()).collect());
            let order = calls_before_lists(program, rule, order, &bound);
            let repeats = repeating.contains(&rule.span.start);
            let split = repeats.then(|| projection::split(rule, &bound, sizes)).flatten();
            self.splits[nth] = split.as_ref().map(|(_, count)| *count);
            let order = split.map_or(order, |(order, _)| order);
            for &condition in &order {
                let literal = &rule.body[condition];
                if let Some(atom) = literal.atom() {
                    let mode = atom.args.iter().map(|arg| order::is_bound(arg, &bound)).collect();
                    self.meet(atom.key(), &mode);
                }
                bound.extend(literal.positive().into_iter().flat_map(Atom::vars));
            }
            self.orders[nth] = order;
        }
    }
}

/// The same order, but that recursive calls come before static conditions that would merely list values
/// for them: such as `count(X, N), succ(N, N1)`, where all numbers that have a successor would be tried.
/// A call is to have some other argument with a value, and nothing between them to need the values listed. Its
/// relation is to build no terms: with fewer values than in the text there might be no end of them.
fn calls_before_lists(
    program: &Program,
    rule: &Rule,
    mut order: Vec<usize>,
    bound: &Bound,
) -> Vec<usize> {
    let positive = |nth: usize| rule.body[nth].positive();
    if order.len() < 2 {
        return order;
    }
    watchdog::steps(program.components.len());
    let own = program.components.iter().find(|component| component.contains(&rule.head.key()));
    let is_call = |nth: usize| {
        let key = positive(nth).map(Atom::key);
        key.is_some_and(|key| {
            program.level(&key) != Level::Static && own.is_some_and(|own| own.contains(&key))
        })
    };
    let Some(mut call) = order.iter().position(|&nth| is_call(nth)) else { return order };
    if own.is_none_or(|own| builds_terms(program, own)) {
        return order;
    }
    let mut known = bound.clone();
    let mut at = 0;
    while at < call {
        let nth = order[at];
        let vars: Vec<usize> = rule.body[nth].vars();
        let lists = positive(nth)
            .is_some_and(|atom| program.level(&atom.key()) == Level::Static && !vars.is_empty())
            && vars.iter().all(|var| !known.contains(var));
        let used = |other: &usize| rule.body[*other].vars().iter().any(|var| vars.contains(var));
        let others = order[..call].iter().filter(|&&other| other != nth);
        let mut before = bound.clone();
        others.filter_map(|&other| positive(other)).for_each(|atom| before.extend(atom.vars()));
        let has_value = positive(order[call])
            .is_some_and(|atom| atom.args.iter().any(|arg| order::is_bound(arg, &before)));
        if lists && has_value && used(&order[call]) && !order[at + 1..call].iter().any(used) {
            order.remove(at);
            order.insert(call, nth);
            call -= 1;
        } else {
            known.extend(positive(nth).into_iter().flat_map(Atom::vars));
            at += 1;
        }
    }
    order
}

/// Whether rules of a component have heads with terms around variables.
fn builds_terms(program: &Program, component: &[Key]) -> bool {
    let mut heads = component.iter().flat_map(|key| program.rules_of(key)).map(|rule| &rule.head);
    heads.any(|head| {
        watchdog::step();
        let mut args = head.args.iter().filter(|arg| !matches!(arg, Term::Var(_)));
        args.any(|arg| !order::is_bound(arg, &Bound::default()))
    })
}
