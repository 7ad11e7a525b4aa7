//! Rules of GDL from expressions: in disjunctive form, variables numbered by rule.

use crate::sexpr::{self, Form, Node};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// The most rules that one with alternatives may become.
const MAX_ALTERNATIVES: usize = 500;

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable, by its number in the rule.
    Var(usize),
    /// A constant.
    Constant(String),
    /// A function of terms.
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
}

/// A relation of terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub name: String,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it stands.
    pub span: Span,
    /// The part of the relation that is meant, if rules tell parts apart: goals by their values.
    pub part: Option<String>,
}

impl Atom {
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
    /// The relation holds.
    Positive(Atom),
    /// It doesn't.
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

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.span,
            Literal::Same(_, _, _, span) => *span,
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
    /// Where it stands.
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
}

/// The rules of a text.
pub fn rules(source: &Source, faults: &mut Vec<Diagnostic>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for form in sexpr::read(source, faults) {
        if let Err(fault) = add(source, &form, &mut rules) {
            faults.push(*fault);
        }
    }
    rules
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

fn add(source: &Source, form: &Form, rules: &mut Vec<Rule>) -> Fallible<()> {
    let mut scope = Scope { source, vars: Vec::new() };
    let (head, conditions) = match form.node.call() {
        Some(("<=", [head, body @ ..])) => (head, body),
        Some(("<=", [])) => return Err(fault(source, form.node.span, "this rule has no head")),
        _ => (&form.node, &[][..]),
    };
    let head = scope.atom(head)?;
    let mut bodies = vec![Vec::new()];
    for condition in conditions {
        let alternatives = scope.alternatives(condition, true)?;
        bodies = product(&bodies, &alternatives)
            .ok_or_else(|| fault(source, condition.span, "this rule has too many alternatives"))?;
    }
    for (nth, body) in bodies.into_iter().enumerate() {
        let comments = if nth == 0 { form.comments.clone() } else { Vec::new() };
        let (head, vars) = (head.clone(), scope.vars.clone());
        rules.push(Rule { head, body, vars, span: form.node.span, comments });
    }
    Ok(())
}

fn fault(source: &Source, span: Span, message: &str) -> Box<Diagnostic> {
    Diagnostic::error("E0804", message).at(source, span, "").into()
}

type Bodies = Vec<Vec<Literal>>;

/// Each of the one before each of the other, if they are not too many.
fn product(left: &Bodies, right: &Bodies) -> Option<Bodies> {
    if left.len() * right.len() > MAX_ALTERNATIVES {
        return None;
    }
    let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
    Some(pairs.map(|(one, other)| [one.as_slice(), other].concat()).collect())
}

/// The variables of one rule.
struct Scope<'a> {
    source: &'a Source,
    vars: Vec<String>,
}

impl Scope<'_> {
    /// A condition, or its contrary, as alternatives.
    fn alternatives(&mut self, node: &Node, holds: bool) -> Fallible<Bodies> {
        match node.call() {
            Some(("not", [inner])) => self.alternatives(inner, !holds),
            Some(("or", parts)) => self.parts(node, parts, holds, !holds),
            Some(("and", parts)) => self.parts(node, parts, holds, holds),
            Some(("distinct", [left, right])) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                Ok(vec![vec![Literal::Same(!holds, left, right, node.span)]])
            }
            _ if holds => Ok(vec![vec![Literal::Positive(self.atom(node)?)]]),
            _ => Ok(vec![vec![Literal::Negative(self.atom(node)?)]]),
        }
    }

    /// All of the parts together, or one of them.
    fn parts(&mut self, node: &Node, parts: &[Node], holds: bool, all: bool) -> Fallible<Bodies> {
        let mut bodies = if all { vec![Vec::new()] } else { Vec::new() };
        for part in parts {
            let alternatives = self.alternatives(part, holds)?;
            if all {
                let too_many = "this condition has too many alternatives";
                bodies = product(&bodies, &alternatives)
                    .ok_or_else(|| fault(self.source, node.span, too_many))?;
            } else {
                bodies.extend(alternatives);
            }
        }
        Ok(bodies)
    }

    fn atom(&mut self, node: &Node) -> Fallible<Atom> {
        match self.term(node)? {
            Term::Constant(name) => {
                Ok(Atom { name, args: Vec::new(), span: node.span, part: None })
            }
            Term::Function(name, args) => Ok(Atom { name, args, span: node.span, part: None }),
            Term::Var(_) => {
                Err(fault(self.source, node.span, "a variable stands where a relation should"))
            }
        }
    }

    fn term(&mut self, node: &Node) -> Fallible<Term> {
        if let Some(word) = node.symbol() {
            return Ok(match word.strip_prefix('?') {
                Some(name) => Term::Var(self.var(name)),
                None => Term::Constant(word.to_owned()),
            });
        }
        let Some((name, args)) = node.call() else {
            return Err(fault(self.source, node.span, "a list begins with a name"));
        };
        if name.starts_with('?') {
            return Err(fault(self.source, node.span, "a variable stands where a name should"));
        }
        if args.is_empty() {
            return Ok(Term::Constant(name.to_owned()));
        }
        let args = args.iter().map(|arg| self.term(arg)).collect::<Fallible<_>>()?;
        Ok(Term::Function(name.to_owned(), args))
    }

    fn var(&mut self, name: &str) -> usize {
        self.vars.iter().position(|known| known == name).unwrap_or_else(|| {
            self.vars.push(name.to_owned());
            self.vars.len() - 1
        })
    }
}
