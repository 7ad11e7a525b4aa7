//! Reading of domains and problems: declarations first, then what refers to them.

use super::definitions::{Domain, KEYWORDS, Objects, Problem};
use super::files::Definition;
use super::log::{Item, Log, What};
use super::read::{Reader, Scope};
use super::requirements;
use super::types::{OBJECT, Typed, Types};
use crate::sexpr::Node;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Span;
use zug_term::watchdog;

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

/// The parts of a domain that there is one of,
const ONCE: &[&str] = &[":requirements", ":types", ":constants", ":predicates", ":functions"];

/// those of which there are several,
const SEVERAL: &[&str] = &[":action", ":derived"];

/// and the parts of a problem.
const OF_PROBLEM: &[&str] = &[":domain", ":requirements", ":objects", ":init", ":goal", ":metric"];

/// Reads the declarations of a domain.
pub fn declarations<'a, 'n>(definition: &'n Definition<'a>) -> Declarations<'a, 'n> {
    let mut domain = Domain { name: definition.name.clone(), ..Domain::default() };
    let log = Log::new(definition.source);
    let mut parts = parts(&log, &definition.parts, ONCE);
    let mut take = |wanted| take(&mut parts, wanted);
    requirements::read(&log, take(":requirements"), &mut domain.requirements);
    let mut kinds = log.typed(take(":types"));
    // Named among the others, it is the type of all objects nevertheless.
    kinds.retain(|kind| kind.name != OBJECT || !kind.types.is_empty());
    domain.types = types(&log, &kinds);
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
