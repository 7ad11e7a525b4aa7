//! Rules of GDL from expressions: in disjunctive form, variables numbered by rule.

use crate::sexpr::{self, Form, Node};
use crate::text;
use rustc_hash::FxHashSet;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::watchdog;

/// The most rules that one with alternatives may become.
const MAX_ALTERNATIVES: usize = 500;

/// Words with a meaning of their own, and how many arguments they take.
#[rustfmt::skip]
pub const KEYWORDS: &[(&str, usize)] = &[
    ("role", 1), ("init", 1), ("true", 1), ("next", 1), ("base", 1), ("does", 2), ("legal", 2),
    ("goal", 2), ("input", 2), ("terminal", 0), ("distinct", 2), ("not", 1),
];
/// Words with a meaning of their own that take any number of arguments.
pub const CONNECTIVES: &[&str] = &["or", "and", "<="];

/// Whether a word has a meaning of its own.
pub fn is_keyword(word: &str) -> bool {
    CONNECTIVES.contains(&word) || KEYWORDS.iter().any(|(known, _)| *known == word)
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable, by its number in the rule.
    Var(usize),
    Constant(String),
    Function(String, Vec<Term>),
}

impl Term {
    /// The variables, with repetitions.
    pub fn vars(&self, into: &mut Vec<usize>) {
        match self {
            Term::Var(var) => into.push(*var),
            Term::Constant(_) => {}
            Term::Function(_, args) => args.iter().for_each(|arg| arg.vars(into)),
        }
    }

    /// Name and number of arguments, of what is no variable.
    pub fn functor(&self) -> Option<(&str, usize)> {
        match self {
            Term::Var(_) => None,
            Term::Constant(name) => Some((name, 0)),
            Term::Function(name, args) => Some((name, args.len())),
        }
    }

    /// The arguments of a function.
    pub fn args(&self) -> &[Term] {
        match self {
            Term::Function(_, args) => args,
            _ => &[],
        }
    }

    /// The term with others in the place of the parts that `by` replaces.
    pub fn replaced(&self, by: &dyn Fn(&Term) -> Option<Term>) -> Term {
        match (by(self), self) {
            (Some(other), _) => other,
            (None, Term::Function(name, args)) => {
                Term::Function(name.clone(), args.iter().map(|arg| arg.replaced(by)).collect())
            }
            (None, _) => self.clone(),
        }
    }

    /// The term in the rule language, with these names of variables.
    pub fn text(&self, name_of: &dyn Fn(usize) -> String) -> String {
        match self {
            Term::Var(var) => name_of(*var),
            Term::Constant(name) => text::constant(name),
            Term::Function(name, args) => {
                let args: Vec<String> = args.iter().map(|arg| arg.text(name_of)).collect();
                text::compound(&text::atom(name), &args)
            }
        }
    }
}

/// The fluent of an atom `true`, `next` or `init`.
pub fn fluent(atom: &Atom) -> Option<&Term> {
    match (atom.name.as_str(), atom.args.as_slice()) {
        ("true" | "next" | "init", [fluent]) => Some(fluent),
        _ => None,
    }
}

/// A relation of terms.
#[derive(Clone, Debug)]
pub struct Atom {
    pub name: String,
    pub args: Vec<Term>,
    pub span: Span,
    /// The part of the relation that is meant, if rules tell parts apart: goals by their values.
    pub part: Option<String>,
}

impl Atom {
    /// A relation that no text has.
    pub fn new(name: &str, args: &[Term]) -> Atom {
        Atom { name: name.to_owned(), args: args.to_vec(), span: Span::default(), part: None }
    }

    /// The same relation of other arguments.
    pub fn with_args(&self, args: impl Iterator<Item = Term>) -> Atom {
        let (name, part) = (self.name.clone(), self.part.clone());
        Atom { name, args: args.collect(), span: self.span, part }
    }

    /// Name and number of arguments.
    pub fn key(&self) -> Key {
        match &self.part {
            Some(part) => (format!("{} {part}", self.name), self.args.len()),
            None => (self.name.clone(), self.args.len()),
        }
    }

    /// The variables, with repetitions.
    pub fn vars(&self) -> Vec<usize> {
        let mut vars = Vec::new();
        self.args.iter().for_each(|arg| arg.vars(&mut vars));
        vars
    }
}

/// A relation by its name and number of arguments.
pub type Key = (String, usize);

/// A condition of a rule.
#[derive(Clone, Debug)]
pub enum Literal {
    Positive(Atom),
    Negative(Atom),
    /// Two terms are the same (`true`), or they are not.
    Same(bool, Term, Term, Span),
}

impl Literal {
    /// The relation that it asks.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Same(..) => None,
        }
    }

    /// The relation that it asks to hold.
    pub fn positive(&self) -> Option<&Atom> {
        self.atom().filter(|_| matches!(self, Literal::Positive(_)))
    }

    /// The same condition on another relation; a comparison stays as it is.
    pub fn with(&self, atom: Atom) -> Literal {
        match self {
            Literal::Positive(_) => Literal::Positive(atom),
            Literal::Negative(_) => Literal::Negative(atom),
            Literal::Same(..) => self.clone(),
        }
    }

    /// The variables, with repetitions.
    pub fn vars(&self) -> Vec<usize> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.vars(),
            Literal::Same(_, left, right, _) => {
                let mut vars = Vec::new();
                left.vars(&mut vars);
                right.vars(&mut vars);
                vars
            }
        }
    }
}

/// A rule, or a fact.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What holds,
    pub head: Atom,
    /// if all of this does.
    pub body: Vec<Literal>,
    /// The names of the variables, without question marks.
    pub vars: Vec<String>,
    pub span: Span,
    /// The comment before it.
    pub comments: Vec<String>,
}

impl Rule {
    /// A rule without conditions.
    pub fn fact(head: Atom) -> Rule {
        Rule {
            head,
            body: Vec::new(),
            vars: Vec::new(),
            span: Span::default(),
            comments: Vec::new(),
        }
    }

    /// The relations that its conditions ask.
    pub fn asked(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(Literal::atom)
    }

    /// The relations that its conditions ask to hold.
    pub fn positive(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(Literal::positive)
    }

    /// The head and the relations that the conditions ask.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        std::iter::once(&self.head).chain(self.asked())
    }

    /// The variables that conditions give values.
    pub fn bound(&self) -> FxHashSet<usize> {
        self.positive().flat_map(Atom::vars).collect()
    }

    /// The condition that what the rule says to hold next holds now.
    pub fn own(&self) -> Option<usize> {
        self.body.iter().position(|literal| {
            let asked = literal.positive().filter(|asked| asked.name == "true");
            asked.is_some_and(|asked| fluent(asked) == fluent(&self.head))
        })
    }

    /// The rule with other terms in the place of those that `by` replaces.
    pub fn replaced(&self, by: &dyn Fn(&Term) -> Option<Term>) -> Rule {
        let atom = |of: &Atom| of.with_args(of.args.iter().map(|arg| arg.replaced(by)));
        let literal = |of: &Literal| match of {
            Literal::Same(same, one, other, span) => {
                Literal::Same(*same, one.replaced(by), other.replaced(by), *span)
            }
            Literal::Positive(asked) | Literal::Negative(asked) => of.with(atom(asked)),
        };
        let body = self.body.iter().map(literal).collect();
        let (vars, comments) = (self.vars.clone(), self.comments.clone());
        Rule { head: atom(&self.head), body, vars, span: self.span, comments }
    }
}

/// The most conditions of a rule: what looks at all of them may call itself for each.
const MAX_CONDITIONS: usize = 2_000;

pub fn rules(source: &Source, faults: &mut Vec<Diagnostic>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for form in sexpr::read(source, b"", faults) {
        let mut scope = Scope { source, vars: Vec::new(), faults: Vec::new() };
        let found = scope.rule(&form);
        if scope.faults.is_empty() {
            rules.extend(found);
        }
        faults.append(&mut scope.faults);
    }
    rules
}

/// A word; keywords in lower case, however they are written.
fn cased(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    if is_keyword(&lower) { lower } else { word.to_owned() }
}

type Bodies = Vec<Vec<Literal>>;

/// The variables of one rule, and its faults: what has one is replaced by something else.
struct Scope<'a> {
    source: &'a Source,
    vars: Vec<String>,
    faults: Vec<Diagnostic>,
}

impl Scope<'_> {
    fn fault(&mut self, span: Span, message: &str) {
        self.faults.push(Diagnostic::error("E0804", message).at(self.source, span, ""));
    }

    /// A rule for each of its alternatives.
    fn rule(&mut self, form: &Form) -> Vec<Rule> {
        let span = form.node.span;
        let (head, conditions) = match form.node.call() {
            Some(("<=", [head, body @ ..])) => (head, body),
            Some(("<=", [])) => {
                self.fault(span, "this rule has no head");
                return Vec::new();
            }
            _ => (&form.node, &[][..]),
        };
        let head = self.atom(head);
        let mut bodies = vec![Vec::new()];
        for condition in conditions {
            let alternatives = self.alternatives(condition, true);
            bodies = self.product(condition, &bodies, &alternatives);
        }
        if bodies.iter().any(|body| body.len() > MAX_CONDITIONS) {
            self.fault(span, &format!("this rule has more than {MAX_CONDITIONS} conditions"));
        }
        let rule = |(nth, body)| {
            let comments = if nth == 0 { form.comments.clone() } else { Vec::new() };
            Rule { head: head.clone(), body, vars: self.vars.clone(), span, comments }
        };
        bodies.into_iter().enumerate().map(rule).collect()
    }

    /// Each of the one before each of the other, if they are not too many.
    fn product(&mut self, node: &Node, left: &Bodies, right: &Bodies) -> Bodies {
        if left.len() * right.len() > MAX_ALTERNATIVES {
            if self.faults.is_empty() {
                self.fault(node.span, "with this condition the rule has too many alternatives");
            }
            return left.clone();
        }
        let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
        let joined = |(one, other): (&Vec<Literal>, &Vec<Literal>)| {
            watchdog::steps(one.len() + other.len());
            [one.as_slice(), other].concat()
        };
        pairs.map(joined).collect()
    }

    /// A condition, or its contrary, as alternatives.
    fn alternatives(&mut self, node: &Node, holds: bool) -> Bodies {
        let word = node.call().map(|(name, parts)| (cased(name), parts));
        match word.as_ref().map(|(name, parts)| (name.as_str(), *parts)) {
            Some(("not", [inner])) => self.alternatives(inner, !holds),
            Some(("or", parts)) => self.parts(node, parts, holds, !holds),
            Some(("and", parts)) => self.parts(node, parts, holds, holds),
            Some(("distinct", [left, right])) => {
                let (left, right) = (self.term(left), self.term(right));
                vec![vec![Literal::Same(!holds, left, right, node.span)]]
            }
            _ if holds => vec![vec![Literal::Positive(self.atom(node))]],
            _ => vec![vec![Literal::Negative(self.atom(node))]],
        }
    }

    /// All of the parts together, or one of them.
    fn parts(&mut self, node: &Node, parts: &[Node], holds: bool, all: bool) -> Bodies {
        let mut bodies = if all { vec![Vec::new()] } else { Vec::new() };
        for part in parts {
            let alternatives = self.alternatives(part, holds);
            if all {
                bodies = self.product(node, &bodies, &alternatives);
            } else {
                bodies.extend(alternatives);
            }
        }
        bodies
    }

    fn atom(&mut self, node: &Node) -> Atom {
        let (name, args) = match self.term(node) {
            Term::Constant(name) => (name, Vec::new()),
            Term::Function(name, args) => (name, args),
            Term::Var(_) => {
                self.fault(node.span, "a variable stands where a relation should");
                Default::default()
            }
        };
        Atom { name, args, span: node.span, part: None }
    }

    fn term(&mut self, node: &Node) -> Term {
        if let Some(word) = node.symbol() {
            return match word.strip_prefix('?') {
                Some(name) => Term::Var(self.var(name)),
                None => Term::Constant(cased(word)),
            };
        }
        let Some((name, args)) = node.call() else {
            self.fault(node.span, "a list begins with a name");
            return Term::Constant(String::new());
        };
        if name.starts_with('?') {
            self.fault(node.span, "a variable stands where a name should");
        }
        if args.is_empty() {
            return Term::Constant(cased(name));
        }
        Term::Function(cased(name), args.iter().map(|arg| self.term(arg)).collect())
    }

    fn var(&mut self, name: &str) -> usize {
        watchdog::steps(self.vars.len());
        self.vars.iter().position(|known| known == name).unwrap_or_else(|| {
            self.vars.push(name.to_owned());
            self.vars.len() - 1
        })
    }
}
