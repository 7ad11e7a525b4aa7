//! Domains and problems from expressions.

use super::formula::{Atom, Condition, Term};
use crate::sexpr::{self, Node};
use std::collections::BTreeMap;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// The type of all objects.
pub const OBJECT: &str = "object";

/// A name with its types: one, or several of which it may be any.
pub type Typed = (String, Vec<String>);

/// A domain.
#[derive(Debug, Default)]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// Types with those above them.
    pub types: Vec<Typed>,
    /// Objects of all problems.
    pub constants: Vec<Typed>,
    /// Predicates with the types of their arguments.
    pub predicates: BTreeMap<String, Vec<Vec<String>>>,
    /// Predicates in the order of the text.
    pub order: Vec<String>,
    /// Functions with the number of their arguments.
    pub functions: BTreeMap<String, usize>,
    /// What may be done.
    pub actions: Vec<Action>,
    /// Predicates that follow from others.
    pub derived: Vec<Derived>,
}

/// An action.
#[derive(Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Variables and their types; the first ones are the parameters, others are bound inside.
    pub vars: Vec<Typed>,
    /// How many of them are parameters.
    pub parameters: usize,
    /// When it may be done.
    pub precondition: Condition,
    /// What it changes.
    pub effects: Vec<Effect>,
    /// What it costs, if that is said: the sum of these.
    pub costs: Vec<Cost>,
    /// The comment before it.
    pub comments: Vec<String>,
}

/// A derived predicate.
#[derive(Debug)]
pub struct Derived {
    /// What follows.
    pub head: Atom,
    /// Variables and their types.
    pub vars: Vec<Typed>,
    /// From what.
    pub condition: Condition,
}

/// An effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Objects of these variables, each of them.
    pub vars: Vec<usize>,
    /// If this holds.
    pub condition: Condition,
    /// The atom comes to hold (`true`), or ceases to.
    pub holds: bool,
    /// The atom.
    pub atom: Atom,
}

/// A part of a cost.
#[derive(Clone, Debug)]
pub enum Cost {
    /// A number.
    Number(String),
    /// The value of a static function.
    Function(Atom),
}

/// A problem.
#[derive(Debug)]
pub struct Problem {
    /// Its name.
    pub name: String,
    /// Its objects, with the constants of the domain.
    pub objects: Vec<Typed>,
    /// What holds at first.
    pub init: Vec<(String, Vec<String>)>,
    /// The values of functions.
    pub values: Vec<(String, Vec<String>, String)>,
    /// What is wanted.
    pub goal: Condition,
    /// Variables of the goal and their types.
    pub vars: Vec<Typed>,
    /// Whether costs count.
    pub costs: bool,
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// The requirements that are understood.
const SUPPORTED: &[&str] = &[
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":action-costs",
    ":derived-predicates",
];

/// Reads a domain.
pub fn domain(source: &Source, faults: &mut Vec<Diagnostic>) -> Domain {
    let mut domain = Domain::default();
    let Some(parts) = definition(source, "domain", faults) else { return domain };
    let reader = Reader { source };
    domain.name = parts.0;
    for (part, comments) in parts.1 {
        if let Err(fault) = reader.domain_part(&part, comments, &mut domain) {
            faults.push(*fault);
        }
    }
    domain
}

/// Reads a problem of a domain.
pub fn problem(source: &Source, domain: &Domain, faults: &mut Vec<Diagnostic>) -> Option<Problem> {
    let (name, parts) = definition(source, "problem", faults)?;
    let mut problem = Problem {
        name,
        objects: domain.constants.clone(),
        init: Vec::new(),
        values: Vec::new(),
        goal: Condition::And(Vec::new()),
        vars: Vec::new(),
        costs: false,
    };
    let reader = Reader { source };
    for (part, _) in &parts {
        if let Err(fault) = reader.problem_part(part, domain, &mut problem) {
            faults.push(*fault);
        }
    }
    Some(problem)
}

type Parts = Vec<(Node, Vec<String>)>;

/// The name of a `(define (KIND NAME) …)` and its parts, in lower case.
fn definition(
    source: &Source,
    kind: &str,
    faults: &mut Vec<Diagnostic>,
) -> Option<(String, Parts)> {
    let lower = Source { text: source.text.to_lowercase().into(), ..source.clone() };
    let before = faults.len();
    let forms = sexpr::read(&lower, faults);
    if faults.len() > before {
        return None;
    }
    let found = forms.iter().find_map(|form| match form.node.call() {
        Some(("define", [head, parts @ ..])) => match head.call() {
            Some((own, [name])) if own == kind => {
                let parts = parts.iter().map(|part| (part.clone(), Vec::new())).collect();
                Some((name.symbol().unwrap_or(kind).to_owned(), parts))
            }
            _ => None,
        },
        _ => None,
    });
    if found.is_none() {
        let message = format!("the text has no `(define ({kind} NAME) …)`");
        faults.push(Diagnostic::error("E0820", message).at(source, Span::new(0, 0), ""));
    }
    found
}

struct Reader<'a> {
    source: &'a Source,
}

/// Variables in force: their names, types, and numbers.
#[derive(Default)]
struct Scope {
    all: Vec<Typed>,
    visible: Vec<(String, usize)>,
}

impl Scope {
    fn add(&mut self, typed: Typed) -> usize {
        let number = self.all.len();
        self.visible.push((typed.0.clone(), number));
        self.all.push(typed);
        number
    }
}

impl Reader<'_> {
    fn fault(&self, node: &Node, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error("E0821", message).at(self.source, node.span, "").into()
    }

    fn unsupported(&self, node: &Node, what: &str) -> Box<Diagnostic> {
        Diagnostic::error("E0822", format!("`{what}` is not supported"))
            .at(self.source, node.span, "")
            .into()
    }

    fn word<'n>(&self, node: &'n Node) -> Fallible<&'n str> {
        node.symbol().ok_or_else(|| self.fault(node, "a name is expected here"))
    }

    fn call<'n>(&self, node: &'n Node) -> Fallible<(&'n str, &'n [Node])> {
        node.call()
            .ok_or_else(|| self.fault(node, "a list that begins with a name is expected here"))
    }

    fn domain_part(&self, node: &Node, comments: Vec<String>, domain: &mut Domain) -> Fallible<()> {
        let (name, rest) = self.call(node)?;
        match name {
            ":requirements" => self.requirements(rest),
            ":types" => self.typed(rest).map(|typed| domain.types = typed),
            ":constants" => self.typed(rest).map(|typed| domain.constants = typed),
            ":predicates" => self.predicates(rest, domain),
            ":functions" => self.functions(rest, domain),
            ":action" => {
                self.action(node, rest, comments).map(|action| domain.actions.push(action))
            }
            ":derived" => self.derived(node, rest).map(|derived| domain.derived.push(derived)),
            other => Err(self.unsupported(node, other)),
        }
    }

    fn requirements(&self, nodes: &[Node]) -> Fallible<()> {
        for node in nodes {
            let word = self.word(node)?;
            if !SUPPORTED.contains(&word) {
                return Err(self.unsupported(node, word));
            }
        }
        Ok(())
    }

    /// `a b - type c`.
    fn typed(&self, nodes: &[Node]) -> Fallible<Vec<Typed>> {
        let mut typed = Vec::new();
        let mut names = Vec::new();
        let mut nodes = nodes.iter();
        while let Some(node) = nodes.next() {
            if node.symbol() == Some("-") {
                let kind =
                    nodes.next().ok_or_else(|| self.fault(node, "a type is missing behind `-`"))?;
                let types = self.types(kind)?;
                typed.extend(names.drain(..).map(|name| (name, types.clone())));
            } else {
                names.push(self.word(node)?.to_owned());
            }
        }
        typed.extend(names.into_iter().map(|name| (name, vec![OBJECT.to_owned()])));
        Ok(typed)
    }

    fn types(&self, node: &Node) -> Fallible<Vec<String>> {
        if let Some(word) = node.symbol() {
            return Ok(vec![word.to_owned()]);
        }
        match node.call() {
            Some(("either", types)) => {
                types.iter().map(|kind| Ok(self.word(kind)?.to_owned())).collect()
            }
            _ => Err(self.fault(node, "a type is expected here")),
        }
    }

    fn predicates(&self, nodes: &[Node], domain: &mut Domain) -> Fallible<()> {
        for node in nodes {
            let (name, args) = self.call(node)?;
            let types = self.typed(args)?.into_iter().map(|(_, types)| types).collect();
            domain.predicates.insert(name.to_owned(), types);
            domain.order.push(name.to_owned());
        }
        Ok(())
    }

    fn functions(&self, nodes: &[Node], domain: &mut Domain) -> Fallible<()> {
        let mut nodes = nodes.iter();
        while let Some(node) = nodes.next() {
            if node.symbol() == Some("-") {
                nodes.next();
                continue;
            }
            let (name, args) = self.call(node)?;
            domain.functions.insert(name.to_owned(), self.typed(args)?.len());
        }
        Ok(())
    }

    fn action(&self, node: &Node, nodes: &[Node], comments: Vec<String>) -> Fallible<Action> {
        let [name, fields @ ..] = nodes else {
            return Err(self.fault(node, "an action has a name"));
        };
        let mut scope = Scope::default();
        let mut action = Action {
            name: self.word(name)?.to_owned(),
            vars: Vec::new(),
            parameters: 0,
            precondition: Condition::And(Vec::new()),
            effects: Vec::new(),
            costs: Vec::new(),
            comments,
        };
        for field in fields.chunks(2) {
            let [key, value] = field else {
                return Err(self.fault(&field[0], "its value is missing"));
            };
            match self.word(key)? {
                ":parameters" => {
                    let items =
                        value.list().ok_or_else(|| self.fault(value, "a list is expected here"))?;
                    self.typed(items)?.into_iter().for_each(|typed| {
                        scope.add(typed);
                    });
                    action.parameters = scope.all.len();
                }
                ":precondition" => action.precondition = self.condition(value, &mut scope, true)?,
                ":effect" => {
                    let always = Condition::And(Vec::new());
                    self.effect(value, &mut scope, &[], &always, &mut action)?;
                }
                other => return Err(self.unsupported(key, other)),
            }
        }
        action.vars = scope.all;
        Ok(action)
    }

    fn derived(&self, node: &Node, nodes: &[Node]) -> Fallible<Derived> {
        let [head, condition] = nodes else {
            return Err(self.fault(node, "a derived predicate has a head and a condition"));
        };
        let (name, args) = self.call(head)?;
        let mut scope = Scope::default();
        let vars: Vec<usize> =
            self.typed(args)?.into_iter().map(|typed| scope.add(typed)).collect();
        let head = Atom { name: name.to_owned(), args: vars.into_iter().map(Term::Var).collect() };
        let condition = self.condition(condition, &mut scope, true)?;
        Ok(Derived { head, vars: scope.all, condition })
    }

    fn term(&self, node: &Node, scope: &Scope) -> Fallible<Term> {
        let word = self.word(node)?;
        if !word.starts_with('?') {
            return Ok(Term::Object(word.to_owned()));
        }
        let known = scope.visible.iter().rev().find(|(name, _)| name == word);
        known.map(|(_, var)| Term::Var(*var)).ok_or_else(|| {
            self.fault(node, format!("`{word}` is no parameter and no variable of a quantifier"))
        })
    }

    fn atom(&self, node: &Node, scope: &Scope) -> Fallible<Atom> {
        let (name, args) = self.call(node)?;
        let args = args.iter().map(|arg| self.term(arg, scope)).collect::<Fallible<_>>()?;
        Ok(Atom { name: name.to_owned(), args })
    }

    /// A condition, or its contrary.
    fn condition(&self, node: &Node, scope: &mut Scope, holds: bool) -> Fallible<Condition> {
        if node.list().is_some_and(<[Node]>::is_empty) {
            return Ok(Condition::And(Vec::new()));
        }
        let (name, rest) = self.call(node)?;
        let found = match (name, rest) {
            ("and", parts) => Condition::And(self.conditions(parts, scope)?),
            ("or", parts) => Condition::Or(self.conditions(parts, scope)?),
            ("not", [inner]) => return self.condition(inner, scope, !holds),
            ("imply", [left, right]) => Condition::Or(vec![
                self.condition(left, scope, false)?,
                self.condition(right, scope, true)?,
            ]),
            ("=", [left, right]) => {
                Condition::Same(true, self.term(left, scope)?, self.term(right, scope)?)
            }
            ("exists" | "forall", [vars, inner]) => {
                let items =
                    vars.list().ok_or_else(|| self.fault(vars, "a list is expected here"))?;
                let outside = scope.visible.len();
                let vars = self.typed(items)?.into_iter().map(|typed| scope.add(typed)).collect();
                let inner = self.condition(inner, scope, name == "exists")?;
                scope.visible.truncate(outside);
                Condition::Exists(name == "exists", vars, inner.into())
            }
            ("<" | ">" | "<=" | ">=" | "preference", _) => return Err(self.unsupported(node, name)),
            _ => Condition::Atom(true, self.atom(node, scope)?),
        };
        Ok(if holds { found } else { found.negated() })
    }

    fn conditions(&self, nodes: &[Node], scope: &mut Scope) -> Fallible<Vec<Condition>> {
        nodes.iter().map(|node| self.condition(node, scope, true)).collect()
    }

    fn effect(
        &self,
        node: &Node,
        scope: &mut Scope,
        vars: &[usize],
        condition: &Condition,
        action: &mut Action,
    ) -> Fallible<()> {
        if node.list().is_some_and(<[Node]>::is_empty) {
            return Ok(());
        }
        let (name, rest) = self.call(node)?;
        match (name, rest) {
            ("and", parts) => {
                parts.iter().try_for_each(|part| self.effect(part, scope, vars, condition, action))
            }
            ("forall", [bound, inner]) => {
                let items =
                    bound.list().ok_or_else(|| self.fault(bound, "a list is expected here"))?;
                let outside = scope.visible.len();
                let mut vars = vars.to_vec();
                vars.extend(self.typed(items)?.into_iter().map(|typed| scope.add(typed)));
                self.effect(inner, scope, &vars, condition, action)?;
                scope.visible.truncate(outside);
                Ok(())
            }
            ("when", [when, inner]) => {
                let when = self.condition(when, scope, true)?;
                let both = Condition::And(vec![condition.clone(), when]);
                self.effect(inner, scope, vars, &both, action)
            }
            ("increase", [_, amount]) => {
                if !vars.is_empty() || *condition != Condition::And(Vec::new()) {
                    return Err(self.unsupported(node, "a cost under a condition"));
                }
                action.costs.push(self.cost(node, rest, amount, scope)?);
                Ok(())
            }
            ("assign" | "decrease" | "scale-up" | "scale-down", _) => {
                Err(self.unsupported(node, name))
            }
            ("not", [inner]) => {
                let atom = self.atom(inner, scope)?;
                action.effects.push(Effect {
                    vars: vars.to_vec(),
                    condition: condition.clone(),
                    holds: false,
                    atom,
                });
                Ok(())
            }
            _ => {
                let atom = self.atom(node, scope)?;
                action.effects.push(Effect {
                    vars: vars.to_vec(),
                    condition: condition.clone(),
                    holds: true,
                    atom,
                });
                Ok(())
            }
        }
    }

    fn cost(&self, node: &Node, rest: &[Node], amount: &Node, scope: &Scope) -> Fallible<Cost> {
        let what = rest[0].call().map(|(name, _)| name).or_else(|| rest[0].symbol());
        if what != Some("total-cost") {
            return Err(
                self.unsupported(node, &format!("increase of {}", what.unwrap_or("a number")))
            );
        }
        match amount.symbol() {
            Some(word) => Ok(Cost::Number(word.to_owned())),
            None => Ok(Cost::Function(self.atom(amount, scope)?)),
        }
    }

    fn problem_part(&self, node: &Node, domain: &Domain, problem: &mut Problem) -> Fallible<()> {
        let (name, rest) = self.call(node)?;
        match name {
            ":domain" => Ok(()),
            ":requirements" => self.requirements(rest),
            ":objects" => self.typed(rest).map(|typed| problem.objects.extend(typed)),
            ":init" => rest.iter().try_for_each(|fact| self.fact(fact, domain, problem)),
            ":goal" => {
                let [goal] = rest else { return Err(self.fault(node, "a problem has one goal")) };
                let mut scope = Scope::default();
                problem.goal = self.condition(goal, &mut scope, true)?;
                problem.vars = scope.all;
                Ok(())
            }
            ":metric" => {
                let [how, what] = rest else { return Err(self.unsupported(node, ":metric")) };
                let total = what.call().map(|(name, _)| name).or_else(|| what.symbol());
                if how.symbol() != Some("minimize") || total != Some("total-cost") {
                    return Err(
                        self.unsupported(node, "a metric other than (minimize (total-cost))")
                    );
                }
                problem.costs = true;
                Ok(())
            }
            other => Err(self.unsupported(node, other)),
        }
    }

    fn fact(&self, node: &Node, domain: &Domain, problem: &mut Problem) -> Fallible<()> {
        let (name, args) = self.call(node)?;
        let words = |nodes: &[Node]| -> Fallible<Vec<String>> {
            nodes.iter().map(|arg| Ok(self.word(arg)?.to_owned())).collect()
        };
        match (name, args) {
            ("=", [what, value]) => {
                let (function, args) = match what.symbol() {
                    Some(word) => (word, &[][..]),
                    None => self.call(what)?,
                };
                if function != "total-cost" {
                    let value = self.word(value)?.to_owned();
                    problem.values.push((function.to_owned(), words(args)?, value));
                }
                Ok(())
            }
            ("not", _) => Ok(()),
            _ if domain.predicates.contains_key(name) => {
                problem.init.push((name.to_owned(), words(args)?));
                Ok(())
            }
            _ => Err(self.fault(node, format!("the domain has no predicate `{name}`"))),
        }
    }
}
