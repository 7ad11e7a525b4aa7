//! Checks of the rules of a game, against the restrictions of GDL (N. Love, T. Hinrichs, D. Haley, E. Schkufza,
//! M. Genesereth, *General Game Playing: Game Description Language Specification*, 2008).
//!
//! A violation that leaves the meaning of the game open is an error; one that public games have and that does no
//! harm is a warning. In rules that the game does not use everything is a warning.

use super::order;
use super::program::{Level, Program, key, name};
use super::syntax::{Atom, CONNECTIVES, KEYWORDS, Key, Literal, Rule, Term, fluent, is_keyword};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};
use zug_term::{spelling, watchdog};

/// Relations that may depend on the state, or on moves, at most.
const HIGHEST: &[(&str, usize, Level)] = &[
    ("role", 1, Level::Static),
    ("init", 1, Level::Static),
    ("legal", 2, Level::State),
    ("goal", 2, Level::State),
    ("terminal", 0, Level::State),
];

/// What makes the game: nothing else matters but what these depend on.
const ROOTS: &[(&str, usize)] =
    &[("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("goal", 2), ("terminal", 0)];

/// The game that the rules of a text make, if all of them could be read.
pub fn checked(
    source: &Source,
    mut rules: Vec<Rule>,
    complete: bool,
    faults: &mut Vec<Diagnostic>,
) -> Program {
    part_goals(&mut rules);
    let whole = Program::of_relations(source, rules);
    let is_root = |key: &Key| name(key) == "sees" || ROOTS.contains(&(name(key), key.1));
    let used = whole.reached(is_root, |_| true);
    let used = used.iter().map(|used| key(name(used), used.1)).collect();
    faults.extend(check(&whole, &used, complete));
    let rules = whole.rules.into_iter().filter(|rule| used.contains(&plain(&rule.head)));
    Program::of_relations(source, rules.collect())
}

/// Finds what is wrong with the rules of a text. A game has `used` relations; relations are `complete` if all rules of
/// the text could be read.
fn check(program: &Program, used: &FxHashSet<Key>, complete: bool) -> Vec<Diagnostic> {
    let mut checker = Checker { program, used, found: Vec::new() };
    for rule in &program.rules {
        watchdog::steps(1 + rule.body.len());
        checker.head(rule);
        rule.body.iter().for_each(|literal| checker.literal(rule, literal));
        checker.safety(rule);
    }
    checker.arities();
    checker.case();
    for component in &program.components {
        checker.stratification(component);
        checker.recursion(component);
    }
    HIGHEST.iter().for_each(|&(name, arity, most)| checker.level(&key(name, arity), most));
    if complete {
        checker.missing();
        checker.undefined();
    }
    let mut found = checker.found;
    found.sort_by_key(|finding| finding.primary.as_ref().map_or(0, |label| label.span.start));
    // Alternatives of a rule have their faults in common.
    found.dedup();
    found
}

struct Checker<'a> {
    program: &'a Program,
    used: &'a FxHashSet<Key>,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn is_used(&self, rule: &Rule) -> bool {
        self.used.contains(&plain(&rule.head))
    }

    fn put(&mut self, span: Span, finding: Diagnostic) {
        self.found.push(finding.at(&self.program.source, span, ""));
    }

    fn add(&mut self, rule: &Rule, span: Span, mut finding: Diagnostic) {
        if finding.is_error() && !self.is_used(rule) {
            finding.severity = Severity::Warning;
            finding.code = "W0806";
            finding.message = format!("in a rule that the game does not use: {}", finding.message);
        }
        self.put(span, finding);
    }

    fn error(&mut self, rule: &Rule, span: Span, code: &'static str, message: String) {
        self.add(rule, span, Diagnostic::error(code, message));
    }

    fn warn(&mut self, rule: &Rule, span: Span, code: &'static str, message: String) {
        if self.is_used(rule) {
            self.add(rule, span, Diagnostic::warning(code, message));
        }
    }

    fn head(&mut self, rule: &Rule) {
        let head = &rule.head;
        let (word, count) = (head.name.as_str(), head.args.len());
        let is_given = matches!(word, "true" | "does" | "distinct" | "not");
        if is_given || CONNECTIVES.contains(&word) {
            // No relation that the game uses has such a head.
            let message = format!("`{word}` is not for rules to define");
            self.put(head.span, Diagnostic::error("E0805", message));
        } else if word == "sees" {
            let message = "`sees` is not supported: players see the whole state".to_owned();
            self.error(rule, head.span, "E0807", message);
        } else if let Some(message) = wrong_arity(word, count) {
            self.put(head.span, Diagnostic::error("E0804", message));
        } else if word == "goal"
            && let Term::Constant(value) = &head.args[1]
        {
            if value.parse::<i64>().is_err() {
                let message = format!("the goal value `{value}` is not a number");
                self.error(rule, head.span, "E0804", message);
            } else if !matches!(value.parse(), Ok(0..=100_i64)) {
                let message = format!("the goal value {value} is not between 0 and 100");
                self.warn(rule, head.span, "W0805", message);
            }
        }
    }

    fn literal(&mut self, rule: &Rule, literal: &Literal) {
        let Some(atom) = literal.atom() else { return };
        let (word, count) = (atom.name.as_str(), atom.args.len());
        if let Some(message) = wrong_arity(word, count) {
            self.error(rule, atom.span, "E0804", message);
        } else if CONNECTIVES.contains(&word) {
            let message = format!("`{word}` stands where a relation should");
            self.error(rule, atom.span, "E0804", message);
        }
    }

    /// Each variable of the head, of negative conditions and of comparisons stands in a condition that holds.
    fn safety(&mut self, rule: &Rule) {
        let bound = rule.bound();
        let mut reported = FxHashSet::default();
        let mut report = |this: &mut Self, vars: Vec<usize>, span: Span| {
            for var in vars {
                if !bound.contains(&var) && reported.insert(var) {
                    let name = &rule.vars[var];
                    let message =
                        format!("`?{name}` has no value: it stands in no condition that holds");
                    this.error(rule, span, "E0809", message);
                }
            }
        };
        report(self, rule.head.vars(), rule.head.span);
        for (nth, literal) in rule.body.iter().enumerate() {
            match literal {
                Literal::Positive(_) => {}
                Literal::Same(_, _, _, span) => report(self, literal.vars(), *span),
                Literal::Negative(atom)
                    if literal.vars().iter().any(|var| !bound.contains(var)) =>
                {
                    let local = order::local(rule, nth);
                    let vars = atom.vars().into_iter().filter(|var| !local.contains(var));
                    report(self, vars.collect(), atom.span);
                    let mut local: Vec<usize> = local.into_iter().collect();
                    local.sort_unstable();
                    for var in local {
                        let message = format!(
                            "`?{}` stands in this condition alone: no value of it may meet the condition",
                            rule.vars[var]
                        );
                        self.warn(rule, atom.span, "W0803", message);
                    }
                }
                Literal::Negative(_) => {}
            }
        }
    }

    /// A relation has the same number of arguments everywhere, and so has a function.
    fn arities(&mut self) {
        let program = self.program;
        let mut known: BTreeMap<(bool, &str), Vec<(usize, Span)>> = BTreeMap::new();
        for atom in program.rules.iter().flat_map(Rule::atoms) {
            watchdog::step();
            if !is_keyword(&atom.name) {
                let place = (atom.args.len(), atom.span);
                known.entry((true, &atom.name)).or_default().push(place);
            }
            let mut words = Vec::new();
            atom.args.iter().for_each(|arg| functions(arg, &mut words));
            for (word, count) in words {
                known.entry((false, word)).or_default().push((count, atom.span));
            }
        }
        for ((is_relation, word), places) in known {
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            places.iter().for_each(|(count, _)| *counts.entry(*count).or_default() += 1);
            // What is written most often is meant.
            let most = counts.iter().max_by_key(|(_, places)| **places);
            let Some((&usual, _)) = most else { continue };
            let Some(&(_, here)) = places.iter().find(|place| place.0 == usual) else { continue };
            let what = if is_relation { "relation" } else { "function" };
            for (count, span) in places.into_iter().filter(|place| place.0 != usual) {
                let here_are = arguments(count);
                let message =
                    format!("the {what} `{word}` has {here_are} here, and {usual} elsewhere");
                let finding = Diagnostic::error("E0814", message).at(&program.source, span, "");
                let beside = format!("{} here", arguments(usual));
                self.found.push(finding.also(&program.source, here, beside));
            }
        }
    }

    /// Names that differ in upper and lower case alone are probably meant to be one.
    fn case(&mut self) {
        let program = self.program;
        let mut known: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (word, _) in KEYWORDS {
            known.insert((*word).to_owned(), vec![word]);
        }
        for rule in &program.rules {
            for atom in rule.atoms() {
                let mut words = vec![atom.name.as_str()];
                atom.args.iter().for_each(|arg| names(arg, &mut words));
                for word in words {
                    watchdog::step();
                    let same = known.entry(word.to_lowercase()).or_default();
                    if same.contains(&word) {
                        continue;
                    }
                    if let Some(first) = same.first() {
                        let message =
                            format!("`{word}` and `{first}` differ in upper and lower case");
                        self.warn(rule, atom.span, "W0802", message);
                    }
                    same.push(word);
                }
            }
        }
    }

    /// No relation may depend on the contrary of itself.
    fn stratification(&mut self, component: &[Key]) {
        let program = self.program;
        for rule in component.iter().flat_map(|key| program.rules_of(key)) {
            for literal in &rule.body {
                watchdog::steps(component.len());
                let Literal::Negative(atom) = literal else { continue };
                if component.contains(&atom.key()) {
                    let message = format!(
                        "`{}` depends on the contrary of itself, through `{}`",
                        shown(&rule.head),
                        shown(atom)
                    );
                    self.error(rule, atom.span, "E0808", message);
                }
            }
        }
    }

    /// Where recursive rules build terms, what they ask of themselves has to be listed by other
    /// conditions (definition 15 of the specification), or there may be no end of terms.
    fn recursion(&mut self, component: &[Key]) {
        let program = self.program;
        if !component.iter().any(|key| program.recursive(key)) {
            return;
        }
        for rule in component.iter().flat_map(|key| program.rules_of(key)) {
            watchdog::steps(component.len() * (1 + rule.body.len()));
            let (own, others): (Vec<&Atom>, Vec<&Atom>) =
                rule.positive().partition(|atom| component.contains(&atom.key()));
            let mut head = Vec::new();
            let built = rule.head.args.iter().filter(|arg| matches!(arg, Term::Function(..)));
            built.for_each(|arg| arg.vars(&mut head));
            let listed: FxHashSet<usize> = others.into_iter().flat_map(Atom::vars).collect();
            for atom in own {
                if atom.vars().iter().any(|var| head.contains(var) && !listed.contains(var)) {
                    let message = format!(
                        "`{}` may hold of ever larger terms: nothing else limits what it asks of itself",
                        shown(&rule.head)
                    );
                    self.warn(rule, atom.span, "W0804", message);
                }
            }
        }
    }

    /// Players and the first state depend on nothing, moves, goals and the end on the state alone.
    fn level(&mut self, of: &Key, most: Level) {
        let program = self.program;
        let mut keys: Vec<&Key> = program.relations.keys().collect();
        keys.retain(|key| name(key) == of.0 && key.1 == of.1);
        keys.sort_unstable();
        for rule in keys.into_iter().flat_map(|key| program.rules_of(key)) {
            let too_high = |atom: &&Atom| program.level(&atom.key()) > most;
            let Some(atom) = rule.asked().find(too_high) else { continue };
            let on = match program.level(&atom.key()) {
                Level::Joint => "what the players do",
                _ => "the state",
            };
            let through = match atom.name.as_str() {
                "true" | "does" => String::new(),
                _ => format!(", through `{}`", shown(atom)),
            };
            let message = format!("`{}` may not depend on {on}{through}", of.0);
            self.error(rule, atom.span, "E0812", message);
        }
    }

    /// A game has players, moves and an end.
    fn missing(&mut self) {
        let start = Span::new(0, 0);
        for (word, arity) in [("role", 1), ("legal", 2), ("terminal", 0), ("goal", 2)] {
            if !self.program.rules.iter().any(|rule| plain(&rule.head) == key(word, arity)) {
                let message = format!("the game has no rule for `{word}/{arity}`");
                let finding = match word {
                    "goal" => Diagnostic::warning("W0801", message),
                    _ => Diagnostic::error("E0806", message),
                };
                self.put(start, finding);
            }
        }
    }

    /// Conditions that are never met, because no rule says what they ask.
    fn undefined(&mut self) {
        let program = self.program;
        let heads = |word: &'static str| program.rules.iter().filter(move |r| r.head.name == word);
        let fluents = Terms::of(heads("init").chain(heads("next")).filter_map(|r| fluent(&r.head)));
        let moves = Terms::of(heads("legal").filter_map(|rule| rule.head.args.get(1)));
        let players = Terms::of(heads("role").map(|rule| {
            let is_fact = |head: &&Term| rule.body.is_empty() && matches!(head, Term::Constant(_));
            rule.head.args.first().filter(is_fact).unwrap_or(&ANY)
        }));
        let relations: FxHashSet<Key> = program.rules.iter().map(|r| plain(&r.head)).collect();
        let mut reported = FxHashSet::default();
        for rule in &program.rules {
            for atom in rule.atoms() {
                let (known, term, message) = match (atom.name.as_str(), atom.args.as_slice()) {
                    ("legal" | "does" | "goal", [player, _]) if !players.contain(player) => {
                        (Some(&players), player, format!("there is no player `{}`", head(player)))
                    }
                    ("true", [term]) if !fluents.contain(term) => {
                        let message = "never holds: no rule for `init` or `next` says it";
                        (Some(&fluents), term, format!("`{}` {message}", head(term)))
                    }
                    ("does", [_, term]) if !moves.contain(term) => {
                        let message = "is never done: no rule for `legal` says it";
                        (Some(&moves), term, format!("`{}` {message}", head(term)))
                    }
                    (word, _) if is_keyword(word) || relations.contains(&plain(atom)) => continue,
                    _ => (None, &ANY, format!("`{}` has no rules: it never holds", shown(atom))),
                };
                if !self.is_used(rule) || !reported.insert(message.clone()) {
                    continue;
                }
                let names = relations.iter().map(|(name, _)| name.as_str());
                watchdog::steps(relations.len());
                let meant = match known {
                    Some(known) => known.nearest(term),
                    None => spelling::nearest(names, &atom.name),
                };
                let mut finding = Diagnostic::warning("W0801", message);
                finding.hint = meant.map(|name| format!("did you mean `{name}`?"));
                self.add(rule, atom.span, finding);
            }
        }
    }
}

/// A term of which nothing is known.
static ANY: Term = Term::Var(0);

/// What rules say that holds or is legal: names and numbers of arguments; `None` where any term may.
struct Terms<'a>(Option<FxHashSet<(&'a str, usize)>>);

impl<'a> Terms<'a> {
    fn of(terms: impl Iterator<Item = &'a Term>) -> Terms<'a> {
        Terms(terms.map(Term::functor).collect())
    }

    fn contain(&self, term: &Term) -> bool {
        match (&self.0, term.functor()) {
            (Some(known), Some(functor)) => known.contains(&functor),
            _ => true,
        }
    }

    fn nearest(&self, term: &Term) -> Option<&'a str> {
        let names = self.0.iter().flatten().map(|(name, _)| *name);
        spelling::nearest(names, term.functor()?.0)
    }
}

/// The relation of an atom, goals of all values together.
fn plain(atom: &Atom) -> Key {
    key(&atom.name, atom.args.len())
}

/// A relation as it is written in messages.
fn shown(atom: &Atom) -> String {
    format!("{}/{}", atom.name, atom.args.len())
}

/// Name and number of arguments of a term, for messages.
fn head(term: &Term) -> String {
    let (name, arity) = term.functor().unwrap_or_default();
    if arity == 0 { name.to_owned() } else { format!("{name}/{arity}") }
}

fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

/// What is wrong with the number of arguments of a keyword.
fn wrong_arity(word: &str, count: usize) -> Option<String> {
    let &(_, expected) = KEYWORDS.iter().find(|(known, _)| *known == word)?;
    let message = || format!("`{word}` has {}, and not {count}", arguments(expected));
    (count != expected).then(message)
}

fn functions<'t>(term: &'t Term, into: &mut Vec<(&'t str, usize)>) {
    if let Term::Function(name, args) = term {
        into.push((name, args.len()));
        args.iter().for_each(|arg| functions(arg, into));
    }
}

/// All words in a term.
fn names<'t>(term: &'t Term, into: &mut Vec<&'t str>) {
    into.extend(term.functor().map(|(name, _)| name));
    term.args().iter().for_each(|arg| names(arg, into));
}

/// Tells goals apart by their values, where all are constants: goals of one value may depend on there being
/// no other.
fn part_goals(rules: &mut [Rule]) {
    fn atoms(rule: &mut Rule) -> impl Iterator<Item = &mut Atom> {
        let body = rule.body.iter_mut().filter_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Same(..) => None,
        });
        std::iter::once(&mut rule.head).chain(body).filter(|atom| atom.name == "goal")
    }
    let constant = |atom: &mut Atom| matches!(atom.args.as_slice(), [_, Term::Constant(_)]);
    if rules.iter_mut().all(|rule| atoms(rule).all(constant)) {
        for atom in rules.iter_mut().flat_map(atoms) {
            if let [_, Term::Constant(value)] = atom.args.as_slice() {
                atom.part = Some(value.clone());
            }
        }
    }
}
