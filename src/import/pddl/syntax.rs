//! Domains and problems from definitions.

use super::files::Definition;
use super::formula::{Atom, Condition};
use super::log::{Item, Log, What};
use super::read::{Reader, Scope};
use super::requirements;
use super::types::Types;
use crate::sexpr::Node;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Span;
use zug_term::watchdog;

/// The type of all objects.
pub const OBJECT: &str = "object";

/// A name with its types: one, or several of which it may be any.
pub type Typed = (String, Vec<String>);

/// Objects with their types, each time that they are declared.
pub type Objects = BTreeMap<String, Vec<Vec<String>>>;

#[derive(Debug, Default)]
pub struct Domain {
    pub name: String,
    /// What it needs, with all that this stands for.
    pub requirements: BTreeSet<&'static str>,
    pub types: Types,
    /// Objects of all problems.
    pub constants: Vec<Typed>,
    /// Predicates with the types of their arguments.
    pub predicates: BTreeMap<String, Vec<Vec<String>>>,
    /// Predicates in the order of the text.
    pub order: Vec<String>,
    /// Functions with the types of their arguments.
    pub functions: BTreeMap<String, Vec<Vec<String>>>,
    pub actions: Vec<Action>,
    /// Predicates that follow from others.
    pub derived: Vec<Derived>,
}

impl Domain {
    /// The predicates that these are or depend on.
    pub fn depended_on<'a>(&'a self, names: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let mut pending: Vec<&str> = names.collect();
        let mut seen: BTreeSet<&str> = pending.iter().copied().collect();
        while let Some(next) = pending.pop() {
            for derived in self.derived.iter().filter(|derived| derived.head.name == next) {
                watchdog::step();
                let asked = derived.condition.predicates();
                pending.extend(asked.into_iter().filter(|asked| seen.insert(asked)));
            }
        }
        seen
    }

    /// Whether the variables of an atom are of the types that its predicate is declared for.
    pub fn is_typed(&self, vars: &[Typed], atom: &Atom) -> bool {
        let types = self.predicates.get(&atom.name);
        let mut args = atom.args.iter().zip(types.into_iter().flatten());
        args.all(|(arg, types)| arg.var().is_none_or(|var| self.types.within(&vars[var].1, types)))
    }
}

/// A domain of which only the declarations are read so far.
pub struct Declarations<'a, 'n> {
    pub domain: Domain,
    log: Log<'a>,
    parts: Vec<Part<'n>>,
}

/// A problem of which only the objects are read so far.
pub struct Declared<'a, 'n> {
    problem: Problem,
    log: Log<'a>,
    head: Span,
    parts: Vec<Part<'n>>,
    requirements: BTreeSet<&'static str>,
}

/// A part of a definition: its first word, the other items, and the whole.
type Part<'n> = (&'n str, &'n [Node], &'n Node);

#[derive(Debug, Default)]
pub struct Action {
    pub name: String,
    /// Variables and their types; the first ones are the parameters, others are bound inside.
    pub vars: Vec<Typed>,
    /// How many of them are parameters.
    pub parameters: usize,
    pub precondition: Condition,
    pub effects: Vec<Effect>,
    /// What it costs, if that is said: the sum of these.
    pub costs: Vec<Cost>,
}

#[derive(Debug)]
pub struct Derived {
    pub head: Atom,
    pub span: Span,
    pub vars: Vec<Typed>,
    pub condition: Condition,
}

#[derive(Clone, Debug)]
pub struct Effect {
    /// Objects of these variables, each of them.
    pub vars: Vec<usize>,
    pub condition: Condition,
    /// The atom comes to hold (`true`), or ceases to.
    pub holds: bool,
    pub atom: Atom,
}

/// A part of a cost.
#[derive(Clone, Debug)]
pub enum Cost {
    Number(String),
    /// A static function that is evaluated, and where.
    Function(Atom, Span),
}

#[derive(Debug, Default)]
pub struct Problem {
    pub name: String,
    /// Its objects, with the constants of the domain.
    pub objects: Vec<Typed>,
    pub init: Vec<(String, Vec<String>)>,
    /// The values of functions.
    pub values: Vec<(String, Vec<String>, String)>,
    pub goal: Condition,
    /// Variables of the goal and their types.
    pub vars: Vec<Typed>,
    pub costs: bool,
}

/// The parts of a domain that there is one of,
const ONCE: &[&str] = &[":requirements", ":types", ":constants", ":predicates", ":functions"];

/// those of which there are several,
const SEVERAL: &[&str] = &[":action", ":derived"];

/// and the parts of a problem.
const OF_PROBLEM: &[&str] = &[":domain", ":requirements", ":objects", ":init", ":goal", ":metric"];

/// Words that stand for no predicate and no function.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "=", "<", ">", "<=", ">=", "and", "or", "not", "imply", "exists", "forall", "when", "increase",
    "decrease", "assign", "scale-up", "scale-down", "preference", "either",
];

/// Reads the declarations of a domain.
pub fn declarations<'a, 'n>(definition: &'n Definition<'a>) -> Declarations<'a, 'n> {
    let mut domain = Domain { name: definition.name.clone(), ..Domain::default() };
    let log = Log::new(definition.source);
    let mut parts = parts(&log, &definition.parts, ONCE);
    let mut take = |wanted| take(&mut parts, wanted);
    requirements::read(&log, take(":requirements"), &mut domain.requirements);
    domain.types = types(&log, &log.typed(take(":types")));
    domain.constants = log.declared(&log.typed(take(":constants")), What::Object, &domain.types);
    let mut places = BTreeMap::new();
    let (predicates, types) = (take(":predicates"), &domain.types);
    for (name, types) in signatures(&log, "predicate", predicates, types, &mut places) {
        domain.order.push(name.clone());
        domain.predicates.entry(name).or_insert(types);
    }
    let functions = numeric(&log, take(":functions"));
    for (name, types) in signatures(&log, "function", &functions, types, &mut places) {
        domain.functions.entry(name).or_insert(types);
    }
    Declarations { domain, log, parts }
}

/// Reads actions and derived predicates of a domain. Problems of it have these objects in common.
pub fn domain(
    declarations: Declarations<'_, '_>,
    shared: &Objects,
    findings: &mut Vec<Diagnostic>,
) -> Domain {
    let Declarations { mut domain, log, parts } = declarations;
    let constants = objects(&domain.constants);
    let (mut actions, mut derived) = (Vec::new(), Vec::new());
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    let reader = Reader { log: &log, domain: &domain, objects: &constants, shared };
    for (word, nodes, node) in parts {
        watchdog::step();
        match word {
            ":action" => {
                let Some((name, action)) = reader.action(node, nodes) else { continue };
                match first.get(name) {
                    Some(&other) => log.twice("action", name, nodes[0].span, other),
                    None => drop(first.insert(name, nodes[0].span)),
                }
                actions.push(action);
            }
            ":derived" => derived.extend(reader.derived(node, nodes)),
            other => log.unknown(node.span, other, ONCE.iter().chain(SEVERAL).copied()),
        }
    }
    (domain.actions, domain.derived) = (actions, derived);
    super::derived::check(&domain, &log);
    log.close(&domain.requirements, findings);
    domain
}

/// Objects by name.
fn objects(declared: &[Typed]) -> Objects {
    let mut objects = Objects::new();
    for (name, types) in declared {
        let known = objects.entry(name.clone()).or_default();
        if !known.contains(types) {
            known.push(types.clone());
        }
    }
    objects
}

/// The objects that all problems have.
pub fn shared(problems: &[Declared<'_, '_>]) -> Objects {
    let mut all = problems.iter().map(|declared| objects(&declared.problem.objects));
    let Some(mut shared) = all.next() else { return Objects::new() };
    all.for_each(|other| shared.retain(|name, _| other.contains_key(name)));
    shared
}

/// The parts of a definition: first words, the other items, and the whole; some words `once`.
fn parts<'n>(log: &Log<'_>, nodes: &'n [Node], once: &[&str]) -> Vec<Part<'n>> {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    let mut found = Vec::new();
    for node in nodes {
        let Some((word, rest)) = log.call(node) else { continue };
        match first.get(word) {
            Some(&other) if once.contains(&word) => log.second(word, node.span, other),
            _ => {
                first.insert(word, node.span);
                found.push((word, rest, node));
            }
        }
    }
    found
}

/// The items of a part, which is taken out.
fn take<'n>(parts: &mut Vec<Part<'n>>, wanted: &str) -> &'n [Node] {
    let found = parts.iter().position(|(word, ..)| *word == wanted);
    found.map_or(&[], |nth| parts.remove(nth).1)
}

/// Types with those above them: none is above itself.
fn types(log: &Log<'_>, items: &[Item<'_>]) -> Types {
    let types = Types::of(&log.declared(items, What::Type, &Types::default()));
    let mut reported: BTreeSet<&str> = BTreeSet::new();
    for item in items {
        let own = item.types.iter().map(|(kind, _)| *kind).find(|kind| *kind == item.name);
        if let Some(other) = types.circle(item.name).or(own)
            && !reported.contains(other)
            && reported.insert(item.name)
        {
            let message = match item.name {
                OBJECT => format!("`{OBJECT}` is the type of all objects: none is above it"),
                name if name == other => format!("the type `{name}` is above itself"),
                name => format!("the type `{name}` is above `{other}` and below it"),
            };
            log.error("E0825", item.span, message);
        }
    }
    types
}

/// Names with the types of arguments.
fn signatures(
    log: &Log<'_>,
    what: &str,
    nodes: &[Node],
    types: &Types,
    places: &mut BTreeMap<String, Span>,
) -> Vec<(String, Vec<Vec<String>>)> {
    let mut found = Vec::new();
    for node in nodes {
        let Some((name, args)) = log.call(node) else { continue };
        if KEYWORDS.contains(&name) {
            log.fault(node.span, format!("`{name}` has a meaning of its own, and is no {what}"));
            continue;
        }
        match places.get(name) {
            Some(&first) => log.twice(what, name, node.span, first),
            None => drop(places.insert(name.to_owned(), node.span)),
        }
        // Names of variables mean nothing here.
        let args = log.typed(args);
        args.iter().for_each(|item| log.check_name(item, What::Variable));
        log.check_types(&args, types);
        found.push((name.to_owned(), args.iter().map(|item| item.typed().1).collect()));
    }
    found
}

/// Functions without their types, which are numbers.
fn numeric(log: &Log<'_>, nodes: &[Node]) -> Vec<Node> {
    let mut found = Vec::new();
    let mut nodes = nodes.iter();
    while let Some(node) = nodes.next() {
        if node.symbol() == Some("-") {
            match nodes.next() {
                Some(kind) if kind.symbol() == Some("number") => {}
                Some(kind) => log.unsupported(kind.span, "a function whose values are no numbers"),
                None => log.fault(node.span, "a type is missing behind `-`"),
            }
        } else {
            log.uses(":action-costs", node.span);
            found.push(node.clone());
        }
    }
    found
}

/// Reads the objects of a problem.
pub fn declared<'a, 'n>(definition: &'n Definition<'a>, domain: &Domain) -> Declared<'a, 'n> {
    let log = Log::new(definition.source);
    let mut problem = Problem { name: definition.name.clone(), ..Problem::default() };
    problem.objects.clone_from(&domain.constants);
    let mut parts = parts(&log, &definition.parts, OF_PROBLEM);
    let mut requirements = domain.requirements.clone();
    requirements::read(&log, take(&mut parts, ":requirements"), &mut requirements);
    let mut items = log.typed(take(&mut parts, ":objects"));
    if domain.types.is_empty() {
        untyped(&log, &mut items);
    }
    let constants = objects(&domain.constants);
    items.retain(|item| {
        let Some(types) = constants.get(item.name) else { return true };
        let message = format!("the object `{}` is a constant of the domain", item.name);
        if types.contains(&item.typed().1) {
            log.warn("W0822", item.span, message);
        } else {
            log.error("E0823", item.span, message + " of another type");
        }
        false
    });
    problem.objects.extend(log.declared(&items, What::Object, &domain.types));
    Declared { problem, log, head: definition.head, parts, requirements }
}

/// Objects of a domain without types: what types they have means nothing.
fn untyped(log: &Log<'_>, items: &mut [Item<'_>]) {
    let mut reported = BTreeSet::new();
    for item in items {
        for (kind, span) in std::mem::take(&mut item.types) {
            if kind != OBJECT && reported.insert(kind) {
                let message = format!("the type `{kind}` means nothing: the domain has no types");
                log.warn("W0822", span, message);
            }
        }
    }
}

/// Reads the other parts of a problem.
pub fn problem(
    declared: Declared<'_, '_>,
    domain: &Domain,
    findings: &mut Vec<Diagnostic>,
) -> Problem {
    let Declared { mut problem, log, head, parts, requirements } = declared;
    let objects = objects(&problem.objects);
    let reader = Reader { log: &log, domain, objects: &objects, shared: &Objects::new() };
    for (word, nodes, node) in &parts {
        match *word {
            ":domain" => match nodes {
                [name] if log.word(name).is_some_and(|name| name != domain.name) => {
                    let message = format!("the domain is `{}`", domain.name);
                    log.error("E0826", name.span, message);
                }
                [_] => {}
                _ => log.fault(node.span, "one name of a domain is expected here"),
            },
            ":init" => reader.init(nodes, &mut problem),
            ":goal" => match nodes {
                [goal] => {
                    let mut scope = Scope::default();
                    problem.goal = reader.condition(goal, &mut scope, true);
                    problem.vars = scope.all;
                }
                _ => log.fault(node.span, "one goal is expected here"),
            },
            ":metric" => {
                log.uses(":action-costs", node.span);
                problem.costs = reader.metric(node, nodes);
            }
            other => log.unknown(node.span, other, OF_PROBLEM.iter().copied()),
        }
    }
    for (word, what) in [(":domain", "domain"), (":init", "initial state"), (":goal", "goal")] {
        if !parts.iter().any(|(known, ..)| *known == word) {
            log.fault(head, format!("the problem has no {what}, `({word} …)`"));
        }
    }
    log.close(&requirements, findings);
    problem
}
