//! Conditions, effects and facts from expressions, held against what is declared.

use super::definitions::{Action, Cost, Derived, Domain, Effect, KEYWORDS, Objects, Problem};
use super::formula::{Atom, Condition, Term};
use super::log::{Log, What};
use super::types::{OBJECT, Typed};
use crate::sexpr::Node;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::source::Span;
use zug_term::watchdog;

/// The function that costs are added to.
const TOTAL: &str = "total-cost";

/// The parts of an action.
const FIELDS: &[&str] = &[":parameters", ":precondition", ":effect"];

/// Reads what stands in actions and problems.
pub struct Reader<'a> {
    pub log: &'a Log<'a>,
    /// What is declared.
    pub domain: &'a Domain,
    /// The objects that are declared here,
    pub objects: &'a Objects,
    /// and others that all problems have.
    pub shared: &'a Objects,
}

/// Variables in force: their names, types, and numbers.
#[derive(Default)]
pub struct Scope {
    pub all: Vec<Typed>,
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

/// Where an effect stands.
struct Context<'c> {
    /// Variables of all objects of which it is,
    vars: &'c [usize],
    condition: &'c Condition,
}

impl Reader<'_> {
    /// An action and its name.
    pub fn action<'n>(&self, node: &Node, nodes: &'n [Node]) -> Option<(&'n str, Action)> {
        let log = self.log;
        let [name, fields @ ..] = nodes else {
            log.fault(node.span, "an action has a name");
            return None;
        };
        let name = log.word(name)?;
        let mut scope = Scope::default();
        let mut action = Action { name: name.to_owned(), ..Action::default() };
        let fields = self.fields(fields);
        if let Some((.., value)) = fields.iter().find(|(word, ..)| *word == ":parameters") {
            self.variables(value, &mut scope);
            action.parameters = scope.all.len();
        }
        // What is not supported may declare variables too, such as `:vars`.
        for (.., value) in fields.iter().filter(|(word, ..)| !FIELDS.contains(word)) {
            let first = value.list().and_then(<[Node]>::first).and_then(Node::symbol);
            if first.is_some_and(|word| word.starts_with('?')) {
                self.variables(value, &mut scope);
            }
        }
        for (word, key, value) in fields {
            match word {
                ":parameters" => {}
                ":precondition" => action.precondition = self.condition(value, &mut scope, true),
                ":effect" => {
                    let context = Context { vars: &[], condition: &Condition::default() };
                    self.effect(value, &mut scope, &context, &mut action);
                }
                other => log.unknown(key.span, other, FIELDS.iter().copied()),
            }
        }
        action.vars = scope.all;
        Some((name, action))
    }

    /// The fields of an action, each once: keys and values.
    fn fields<'n>(&self, nodes: &'n [Node]) -> Vec<(&'n str, &'n Node, &'n Node)> {
        let mut fields: Vec<(&str, &Node, &Node)> = Vec::new();
        for field in nodes.chunks(2) {
            let Some(word) = self.log.word(&field[0]) else { continue };
            let [key, value] = field else {
                self.log.fault(field[0].span, format!("`{word}` has no value"));
                continue;
            };
            match fields.iter().find(|(known, ..)| *known == word) {
                Some((_, first, _)) => self.log.second(word, key.span, first.span),
                None => fields.push((word, key, value)),
            }
        }
        fields
    }

    /// Variables that come in force.
    fn variables(&self, node: &Node, scope: &mut Scope) -> Vec<usize> {
        let items = self.log.typed(self.log.list(node));
        let typed = self.log.declared(&items, What::Variable, &self.domain.types);
        typed.into_iter().map(|typed| scope.add(typed)).collect()
    }

    /// A rule for a derived predicate.
    pub fn derived(&self, node: &Node, nodes: &[Node]) -> Option<Derived> {
        let log = self.log;
        log.uses(":derived-predicates", node.span);
        let [head, condition] = nodes else {
            log.fault(node.span, "a derived predicate has a head and a condition");
            return None;
        };
        let (name, args) = log.call(head)?;
        let mut scope = Scope::default();
        let items = log.typed(args);
        for typed in log.declared(&items, What::Variable, &self.domain.types) {
            scope.add(typed);
        }
        let args: Vec<Term> = (0..scope.all.len()).map(Term::Var).collect();
        if let Some(expected) = self.predicate(head, name) {
            self.arity(head, name, args.len(), expected.len());
            for (item, (arg, expected)) in items.iter().zip(args.iter().zip(expected)) {
                self.type_of(arg, item.span, (name, expected), &scope);
            }
        }
        let condition = self.condition(condition, &mut scope, true);
        let head_atom = Atom { name: name.to_owned(), args };
        Some(Derived { head: head_atom, span: head.span, vars: scope.all, condition })
    }

    /// The types of the arguments of a predicate.
    fn predicate(&self, node: &Node, name: &str) -> Option<&[Vec<String>]> {
        let found = self.domain.predicates.get(name);
        if found.is_none() {
            let span = node.list().and_then(<[Node]>::first).map_or(node.span, |word| word.span);
            if self.domain.functions.contains_key(name) {
                self.log.fault(span, format!("`{name}` is a function, and no predicate"));
            } else {
                let known = self.domain.predicates.keys().map(String::as_str);
                self.log.undeclared(span, "predicate", name, known);
            }
        }
        found.map(Vec::as_slice)
    }

    fn arity(&self, node: &Node, name: &str, count: usize, expected: usize) {
        if count != expected {
            let word = if expected == 1 { "argument" } else { "arguments" };
            let message = format!("`{name}` has {expected} {word}, and not {count}");
            self.log.error("E0824", node.span, message);
        }
    }

    fn term(&self, node: &Node, scope: &Scope) -> Option<Term> {
        watchdog::step();
        let word = self.log.word(node)?;
        if !word.starts_with('?') {
            let term = Term::Object(word.to_owned());
            if self.objects.contains_key(word) {
                return Some(term);
            }
            if self.shared.contains_key(word) {
                let message =
                    format!("`{word}` is no constant of the domain, but an object of its problems");
                self.log.warn("W0822", node.span, message);
                return Some(term);
            }
            let known = self.objects.keys().map(String::as_str);
            self.log.undeclared(node.span, "object", word, known);
            return None;
        }
        let found = scope.visible.iter().rev().find(|(name, _)| name == word);
        if found.is_none() {
            let known = scope.visible.iter().map(|(name, _)| name.as_str());
            self.log.undeclared(node.span, "variable", word, known);
        }
        found.map(|(_, var)| Term::Var(*var))
    }

    /// Whether a term is of a type that an argument of a predicate or function has.
    fn type_of(&self, term: &Term, span: Span, (name, expected): (&str, &[String]), scope: &Scope) {
        let all = &self.domain.types;
        let (word, types) = match term {
            Term::Var(var) => {
                let (word, types) = &scope.all[*var];
                (word, std::slice::from_ref(types))
            }
            Term::Object(word) => {
                let declared = self.objects.get(word).or_else(|| self.shared.get(word));
                (word, declared.map_or(&[][..], Vec::as_slice))
            }
        };
        // What is not declared is reported where it stands.
        let mut named = types.iter().flatten().chain(expected);
        if types.iter().any(|types| all.within(types, expected)) || !named.all(|kind| all.has(kind))
        {
            return;
        }
        let wanted = expected.join(" or ");
        let is_any = types.iter().all(|types| types[..] == [OBJECT.to_owned()]);
        if term.var().is_some() && is_any {
            let message =
                format!("`{word}` may be anything, and `{name}` is declared for `{wanted}`");
            self.log.warn("W0821", span, message);
            return;
        }
        let types: Vec<String> = types.iter().map(|types| types.join(" or ")).collect();
        let own = types.join(" and ");
        let message =
            format!("`{word}` is of type `{own}`, and `{name}` is declared for `{wanted}`");
        self.log.error("E0825", span, message);
    }

    /// Arguments of a predicate or function, of which these are the types.
    fn arguments(
        &self,
        node: &Node,
        (name, args): (&str, &[Node]),
        expected: Option<&[Vec<String>]>,
        scope: &Scope,
    ) -> Option<Atom> {
        let terms: Vec<Option<Term>> = args.iter().map(|arg| self.term(arg, scope)).collect();
        let expected = expected?;
        self.arity(node, name, args.len(), expected.len());
        for ((arg, term), expected) in args.iter().zip(&terms).zip(expected) {
            if let Some(term) = term {
                self.type_of(term, arg.span, (name, expected), scope);
            }
        }
        Some(Atom { name: name.to_owned(), args: terms.into_iter().collect::<Option<_>>()? })
    }

    fn atom(&self, node: &Node, scope: &Scope) -> Option<Atom> {
        let (name, args) = self.log.call(node)?;
        let is_known = self.domain.predicates.contains_key(name);
        if KEYWORDS.contains(&name) {
            self.log.fault(node.span, format!("`{name}` can't stand here"));
            return None;
        }
        // Arguments are names: this is of another kind, or a word that is misspelt.
        if !is_known && args.iter().any(|arg| arg.list().is_some()) {
            self.log.unknown(node.span, name, KEYWORDS.iter().copied());
            return None;
        }
        self.arguments(node, (name, args), self.predicate(node, name), scope)
    }

    /// The value of a function.
    fn function(&self, node: &Node, scope: &Scope) -> Option<Atom> {
        let call = match node.symbol() {
            Some(word) => (word, &[][..]),
            None => self.log.call(node)?,
        };
        let found = self.domain.functions.get(call.0);
        if found.is_none() {
            let known = self.domain.functions.keys().map(String::as_str);
            self.log.undeclared(node.span, "function", call.0, known);
        }
        self.arguments(node, call, found.map(Vec::as_slice), scope)
    }

    /// A condition, or its contrary.
    pub fn condition(&self, node: &Node, scope: &mut Scope, holds: bool) -> Condition {
        if node.list().is_some_and(<[Node]>::is_empty) {
            return Condition::default();
        }
        let log = self.log;
        let Some((name, rest)) = log.call(node) else { return Condition::default() };
        let found = match (name, rest) {
            ("and", parts) => Condition::And(self.conditions(parts, scope)),
            ("or", parts) => {
                log.uses(":disjunctive-preconditions", node.span);
                Condition::Or(self.conditions(parts, scope))
            }
            ("not", [inner]) => {
                if inner.call().is_none_or(|(name, _)| name != "=") {
                    log.uses(":negative-preconditions", node.span);
                }
                return self.condition(inner, scope, !holds);
            }
            ("imply", [left, right]) => {
                log.uses(":disjunctive-preconditions", node.span);
                let left = self.condition(left, scope, false);
                Condition::Or(vec![left, self.condition(right, scope, true)])
            }
            ("=", [left, right]) if left.symbol().is_some() && right.symbol().is_some() => {
                log.uses(":equality", node.span);
                match (self.term(left, scope), self.term(right, scope)) {
                    (Some(left), Some(right)) => Condition::Same(true, left, right),
                    _ => Condition::default(),
                }
            }
            ("exists" | "forall", [vars, inner]) => {
                let some = name == "exists";
                let what =
                    if some { ":existential-preconditions" } else { ":universal-preconditions" };
                log.uses(what, node.span);
                let outside = scope.visible.len();
                let vars = self.variables(vars, scope);
                let inner = self.condition(inner, scope, some);
                scope.visible.truncate(outside);
                Condition::Exists(some, vars, inner.into())
            }
            ("=" | "<" | ">" | "<=" | ">=", [_, _]) => {
                log.unsupported(node.span, "a condition on numbers");
                Condition::default()
            }
            ("preference", _) => {
                log.unsupported(node.span, "`preference`");
                Condition::default()
            }
            ("not" | "imply" | "=" | "exists" | "forall", _) => {
                let count = if name == "not" { 1 } else { 2 };
                log.fault(node.span, format!("`{name}` takes {count}, and not {}", rest.len()));
                Condition::default()
            }
            _ => {
                let atom = self.atom(node, scope);
                atom.map_or_else(Condition::default, |atom| Condition::Atom(true, atom))
            }
        };
        if holds { found } else { found.negated() }
    }

    fn conditions(&self, nodes: &[Node], scope: &mut Scope) -> Vec<Condition> {
        nodes.iter().map(|node| self.condition(node, scope, true)).collect()
    }

    fn effect(&self, node: &Node, scope: &mut Scope, context: &Context<'_>, action: &mut Action) {
        if node.list().is_some_and(<[Node]>::is_empty) {
            return;
        }
        let log = self.log;
        let Some((name, rest)) = log.call(node) else { return };
        match (name, rest) {
            ("and", parts) => {
                parts.iter().for_each(|part| self.effect(part, scope, context, action))
            }
            ("forall", [bound, inner]) => {
                log.uses(":conditional-effects", node.span);
                let outside = scope.visible.len();
                let vars = [context.vars, &self.variables(bound, scope)].concat();
                self.effect(inner, scope, &Context { vars: &vars, ..*context }, action);
                scope.visible.truncate(outside);
            }
            ("when", [when, inner]) => {
                log.uses(":conditional-effects", node.span);
                let when = self.condition(when, scope, true);
                let both = Condition::And(vec![context.condition.clone(), when]);
                self.effect(inner, scope, &Context { condition: &both, ..*context }, action);
            }
            ("increase", [what, amount]) => {
                log.uses(":action-costs", node.span);
                let is_free = context.vars.is_empty() && *context.condition == Condition::default();
                let total = self.function(what, scope);
                if total.is_some_and(|total| total.name != TOTAL) {
                    log.unsupported(node.span, "an increase of anything but `total-cost`");
                } else if !is_free {
                    log.unsupported(node.span, "a cost under a condition");
                } else {
                    action.costs.extend(self.cost(amount, scope));
                }
            }
            ("assign" | "decrease" | "scale-up" | "scale-down", _) => {
                log.unsupported(node.span, &format!("`{name}`"));
            }
            ("forall" | "when" | "increase", _) => {
                log.fault(node.span, format!("`{name}` takes 2, and not {}", rest.len()));
            }
            ("not", [inner]) => self.change(inner, scope, context, (false, action)),
            ("not", _) => {
                log.fault(node.span, format!("`not` takes 1, and not {}", rest.len()));
            }
            _ => self.change(node, scope, context, (true, action)),
        }
    }

    /// An atom that is added or deleted.
    fn change(
        &self,
        node: &Node,
        scope: &Scope,
        context: &Context<'_>,
        (holds, action): (bool, &mut Action),
    ) {
        if let Some(atom) = self.atom(node, scope) {
            let (vars, condition) = (context.vars.to_vec(), context.condition.clone());
            action.effects.push(Effect { vars, condition, holds, atom });
        }
    }

    fn cost(&self, node: &Node, scope: &Scope) -> Option<Cost> {
        if let Some(("+" | "-" | "*" | "/", _)) = node.call() {
            self.log.unsupported(node.span, "arithmetic");
            return None;
        }
        match node.symbol() {
            Some(word) if !self.domain.functions.contains_key(word) => {
                Some(Cost::Number(self.number(node)?))
            }
            _ => Some(Cost::Function(self.function(node, scope)?, node.span)),
        }
    }

    /// A number that is no less than 0, as it is written in rules.
    fn number(&self, node: &Node) -> Option<String> {
        let word = self.log.word(node)?;
        let found = number(word);
        match &found {
            None => self.log.fault(node.span, format!("`{word}` is no number")),
            Some(number) if number.starts_with('-') => {
                self.log.unsupported(node.span, "a cost below 0");
            }
            Some(_) => {}
        }
        found
    }

    /// Facts of the first state.
    pub fn init(&self, nodes: &[Node], problem: &mut Problem) {
        let mut values: BTreeMap<(String, Vec<String>), (String, Span)> = BTreeMap::new();
        let scope = Scope::default();
        let mut denied = Vec::new();
        for node in nodes {
            let Some((name, args)) = self.log.call(node) else { continue };
            match (name, args) {
                ("=", [what, value]) => {
                    let function = self.function(what, &scope);
                    let Some(value) = self.number(value) else { continue };
                    let Some(key) = function.and_then(ground) else { continue };
                    match values.get(&key) {
                        Some((other, first)) if *other != value => {
                            self.log.two_values(&key, [other, &value], node.span, *first);
                        }
                        Some(_) => {}
                        None => {
                            if key.0 != TOTAL {
                                let (name, args) = key.clone();
                                problem.values.push((name, args, value.clone()));
                            }
                            values.insert(key, (value, node.span));
                        }
                    }
                }
                ("not", [inner]) => {
                    denied.extend(self.atom(inner, &scope).and_then(ground).zip(Some(node.span)));
                }
                ("at", [time, fact]) if fact.list().is_some() && time.symbol().is_some() => {
                    self.log.unsupported(node.span, "a timed initial literal");
                }
                _ => {
                    problem.init.extend(self.atom(node, &scope).and_then(ground));
                    if self.domain.derived.iter().any(|derived| derived.head.name == name) {
                        let message =
                            format!("`{name}` is derived, and not for the first state to say");
                        self.log.error("E0827", node.span, message);
                    }
                }
            }
        }
        let held: BTreeSet<&(String, Vec<String>)> = problem.init.iter().collect();
        for (fact, span) in denied.iter().filter(|(fact, _)| held.contains(fact)) {
            let message = format!("the first state has this fact of `{}` and denies it", fact.0);
            self.log.error("E0823", *span, message);
        }
    }

    /// Whether costs count.
    pub fn metric(&self, node: &Node, nodes: &[Node]) -> bool {
        let [how, what] = nodes else {
            self.log.fault(node.span, "`:metric` takes `minimize` and what is to be minimal");
            return false;
        };
        let total = what.call().map(|(name, _)| name).or_else(|| what.symbol());
        if how.symbol() == Some("minimize") && total == Some(TOTAL) {
            return self.function(what, &Scope::default()).is_some();
        }
        let before = self.log.count();
        self.expression(what);
        if self.log.count() == before {
            self.log.unsupported(node.span, "a metric other than (minimize (total-cost))");
        }
        false
    }

    /// An expression of numbers, of which there are only the names to be checked.
    fn expression(&self, node: &Node) {
        match node.call() {
            Some(("+" | "-" | "*" | "/", parts)) => {
                parts.iter().for_each(|part| self.expression(part))
            }
            Some(("total-time" | "is-violated", _)) => {}
            _ if node
                .symbol()
                .is_some_and(|word| word == "total-time" || number(word).is_some()) => {}
            _ => drop(self.function(node, &Scope::default())),
        }
    }
}

/// A name with objects.
fn ground(atom: Atom) -> Option<(String, Vec<String>)> {
    let objects = atom.args.into_iter().map(|term| match term {
        Term::Object(name) => Some(name),
        Term::Var(_) => None,
    });
    Some((atom.name, objects.collect::<Option<_>>()?))
}

/// A number as it is written in rules: digits before a point, and behind it if there is one.
fn number(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let part = part.trim_end_matches('0');
    let point = if part.is_empty() { "" } else { "." };
    let zero = whole == "0" && part.is_empty();
    Some(format!("{}{whole}{point}{part}", if zero { "" } else { sign }))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_written_so_that_rules_read_them() {
        let read = |word| number(word).unwrap_or_default();
        assert_eq!(["5", "005", "+5", "5.", "5.0"].map(read), ["5"; 5]);
        assert_eq!([".5", "-0.50", "-0", "10.25"].map(read), ["0.5", "-0.5", "0", "10.25"]);
        assert_eq!(["", ".", "-", "5x", "1e3", "1.2.3", "--1"].map(read), [""; 7]);
    }
}
