//! Domains of arguments: what may stand in each argument of a relation, whatever stands in the others.
//!
//! Instances of fluents are listed from the first state on (`relaxed`), unless a game has too many moves for that. Then
//! domains bound them: the domain of a variable in a rule is the intersection of those of the arguments where it occurs
//! (S. Schiffel, M. Thielscher, *Fluxplayer: a successful general game player*, AAAI 2007).

use super::interpret::Interpreter;
use super::program::{Level, Program, key};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::watchdog;

/// Rows that are looked at before the analysis is given up.
const BUDGET: u64 = 8_000_000;
/// The most instances of a relation of fluents.
const MAX_INSTANCES: usize = 20_000;

/// An argument of a relation, of a fluent or of a move.
type Place = (Key, usize);

/// The instances that each relation of fluents may have by the domains of its arguments; `None` if these are not
/// known, or too many.
pub fn of_fluents(
    program: &Program,
    interpreter: &Interpreter,
    fluents: &[Key],
) -> Option<FxHashMap<Key, Vec<Vec<Term>>>> {
    let domains = Domains::of(program, interpreter)?;
    let all = |functor: &Key| {
        let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
        for nth in 0..functor.1 {
            let mut values: Vec<&Term> = domains.domain(&of_fluent(functor), nth).collect();
            if values.iter().any(|value| matches!(value, Term::Function(..))) {
                return None;
            }
            values.sort_unstable_by_key(|value| value.text(&|_| String::new()));
            if rows.len().saturating_mul(values.len()) > MAX_INSTANCES {
                return None;
            }
            let with = |row: Vec<Term>| {
                let longer = |&value: &&Term| [&row[..], std::slice::from_ref(value)].concat();
                values.iter().map(longer).collect::<Vec<_>>()
            };
            rows = rows.into_iter().flat_map(with).collect();
            watchdog::steps(rows.len());
        }
        Some((functor.clone(), rows))
    };
    fluents.iter().map(all).collect()
}

/// The key that a relation of fluents has among domains: names of games have no blanks.
fn of_fluent((name, arity): &Key) -> Key {
    key(&format!("fluent {name}"), *arity)
}

/// The game, with the tables of these relations.
fn listed(program: &Program, interpreter: &Interpreter, asked: &[&Key]) -> Option<Interpreter> {
    let ask = |&relation: &&Key| {
        let args: Vec<Term> = (0..relation.1).map(Term::Var).collect();
        let vars = (0..relation.1).map(|n| format!("v{n}")).collect();
        let body = vec![Literal::Positive(Atom::new(&relation.0, &args))];
        let head = Atom::new(&format!("all of {}", relation.0), &args);
        Rule { body, vars, ..Rule::fact(head) }
    };
    let rules = asked.iter().map(ask).collect();
    interpreter.extended(&Program::of_relations(&program.source, rules), BUDGET).ok()
}

/// What stands in an argument: of a function its name, without its arguments.
enum Value {
    Var(usize),
    Known(Term),
}

#[derive(Default)]
struct Domains {
    values: FxHashMap<Place, FxHashSet<Term>>,
}

impl Domains {
    fn of(program: &Program, interpreter: &Interpreter) -> Option<Domains> {
        let mut domains = Domains::default();
        let is_static =
            |relation: &Key| program.level(relation) == Level::Static && relation.0 != "init";
        let asked = program.relations.keys().filter(|relation| is_static(relation));
        let asked: Vec<&Key> = asked.filter(|key| interpreter.tables.is_listed(key)).collect();
        let model = listed(program, interpreter, &asked)?;
        for relation in asked {
            for row in model.tables.rows(relation)?.rows() {
                let row: Vec<Term> = row.iter().map(|&id| model.terms.term(id)).collect();
                let mut found = Vec::new();
                add_places(relation, &row, &mut found);
                for (place, value) in found {
                    if let Value::Known(value) = value {
                        domains.values.entry(place).or_default().insert(value);
                    }
                }
            }
        }
        let is_open = |rule: &&Rule| {
            let relation = rule.head.key();
            !is_static(&relation) || !interpreter.tables.is_listed(&relation)
        };
        let rules: Vec<&Rule> = program.rules.iter().filter(is_open).collect();
        loop {
            let mut grows = false;
            for rule in &rules {
                grows |= domains.add(rule)?;
            }
            if !grows {
                return Some(domains);
            }
        }
    }

    fn domain(&self, relation: &Key, nth: usize) -> impl Iterator<Item = &Term> {
        self.values.get(&(relation.clone(), nth)).into_iter().flatten()
    }

    /// Adds what a rule allows; whether that was more than before.
    fn add(&mut self, rule: &Rule) -> Option<bool> {
        let mut allowed: FxHashMap<usize, FxHashSet<Term>> = FxHashMap::default();
        for literal in &rule.body {
            let Literal::Positive(asked) = literal else { continue };
            for (place, value) in places(asked) {
                let values = self.values.get(&place);
                watchdog::steps(values.map_or(1, FxHashSet::len));
                match value {
                    Value::Var(var) => {
                        let values = values.cloned().unwrap_or_default();
                        match allowed.get_mut(&var) {
                            Some(known) => known.retain(|value| values.contains(value)),
                            None => {
                                allowed.insert(var, values);
                            }
                        }
                    }
                    Value::Known(known) if values.is_none_or(|of| !of.contains(&known)) => {
                        return Some(false);
                    }
                    Value::Known(_) => {}
                }
            }
        }
        if allowed.values().any(FxHashSet::is_empty) {
            return Some(false);
        }
        let mut grows = false;
        for (place, value) in places(&rule.head) {
            let known = self.values.entry(place).or_default();
            match value {
                Value::Var(var) => {
                    let values = allowed.get(&var)?;
                    let before = known.len();
                    known.extend(values.iter().cloned());
                    grows |= known.len() > before;
                }
                Value::Known(value) => grows |= known.insert(value),
            }
        }
        Some(grows)
    }
}

/// The arguments of a relation, of a fluent or of a move, and those of functions in them: of these all functions of one
/// name have the same.
fn places(atom: &Atom) -> Vec<(Place, Value)> {
    let mut found = Vec::new();
    let (relation, args) = match (fluent(atom), atom.name.as_str()) {
        (Some(Term::Var(_)), _) => return found,
        (Some(fluent), _) => {
            let (name, arity) = fluent.functor().unwrap_or_default();
            (of_fluent(&key(name, arity)), fluent.args())
        }
        (None, "does" | "legal") => (key("what is done", 2), &atom.args[..]),
        _ => (atom.key(), &atom.args[..]),
    };
    add_places(&relation, args, &mut found);
    found
}

fn add_places(relation: &Key, args: &[Term], found: &mut Vec<(Place, Value)>) {
    for (nth, arg) in args.iter().enumerate() {
        let value = match arg {
            Term::Var(var) => Value::Var(*var),
            Term::Constant(_) => Value::Known(arg.clone()),
            Term::Function(name, parts) => {
                add_places(&key(&format!("function {name}"), parts.len()), parts, found);
                let parts = vec![Term::Constant(String::new()); parts.len()];
                Value::Known(Term::Function(name.clone(), parts))
            }
        };
        found.push(((relation.clone(), nth), value));
    }
}
