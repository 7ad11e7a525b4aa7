//! States as terms: for each relation of fluents a sorted list of those that hold.

use super::interpret::Interpreter;
use super::program::{Program, fluent, key};
use super::syntax::Term;
use super::table::TermId;
use crate::text;

/// The parts of a state.
pub enum Layout {
    /// A list of all fluents: rules say what holds next without naming the relation.
    Whole,
    /// A list for each relation, and one for all constants.
    Parts(Vec<Part>),
}

/// A list of a state.
pub enum Part {
    /// Instances of a relation.
    Relation(String, usize),
    /// Fluents without arguments.
    Constants(Vec<String>),
}

impl Layout {
    /// The parts that the rules name.
    pub fn of(program: &Program, interpreter: &Interpreter) -> Layout {
        let mut functors: Vec<(String, usize)> = Vec::new();
        let mut add = |name: &str, arity: usize| {
            if !functors.iter().any(|known| known.0 == name && known.1 == arity) {
                functors.push((name.to_owned(), arity));
            }
        };
        for &fact in interpreter.initial() {
            let (symbol, args) = interpreter.terms().get(fact);
            add(interpreter.terms().name(symbol), args.len());
        }
        for rule in program.rules_of(&key("next", 1)) {
            match fluent(&rule.head).and_then(Term::functor) {
                Some((name, arity)) => add(name, arity),
                None => return Layout::Whole,
            }
        }
        let constants: Vec<String> = functors
            .iter()
            .filter(|(_, arity)| *arity == 0)
            .map(|(name, _)| name.clone())
            .collect();
        let relations = functors.into_iter().filter(|(_, arity)| *arity > 0);
        let mut parts: Vec<Part> =
            relations.map(|(name, arity)| Part::Relation(name, arity)).collect();
        if !constants.is_empty() {
            parts.push(Part::Constants(constants));
        }
        if parts.is_empty() { Layout::Whole } else { Layout::Parts(parts) }
    }

    /// What a state is, as a comment.
    pub fn comment(&self) -> String {
        match self {
            Layout::Whole => {
                "% A state is state(Fluents), the sorted list of all that holds.\n".to_owned()
            }
            Layout::Parts(parts) => {
                let term = text::compound("state", &names(parts));
                format!(
                    "% A state is {term},\n% for each relation the sorted list of what holds.\n"
                )
            }
        }
    }

    /// The first state.
    pub fn initial(&self, interpreter: &Interpreter) -> String {
        let lists = match self {
            Layout::Whole => vec![list(interpreter, |_| true)],
            Layout::Parts(parts) => parts
                .iter()
                .map(|part| list(interpreter, |fact| part.has(interpreter, fact)))
                .collect::<Vec<_>>(),
        };
        format!("state({})", lists.join(", "))
    }

    /// `holds/2` and `next_state/3`.
    pub fn write(&self, _interpreter: &Interpreter, out: &mut String) {
        match self {
            Layout::Whole => {
                *out += "holds(F, state(Fs)) :-\n    member(F, Fs).\n\n\
                         next_state(As, S, state(Fs)) :-\n    findall(F, next(F, As, S), Fs0),\n    \
                         sort(Fs0, Fs).\n\n";
            }
            Layout::Parts(parts) => {
                let names = names(parts);
                for (nth, part) in parts.iter().enumerate() {
                    part.holds(&names, nth, out);
                }
                out.push('\n');
                let goals: Vec<String> =
                    parts.iter().zip(&names).map(|(part, name)| part.next(name)).collect();
                let head = format!("next_state(As, S, {})", text::compound("state", &names));
                *out += &text::clause(&head, &goals);
                out.push('\n');
            }
        }
    }
}

/// The variables of the parts.
fn names(parts: &[Part]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let base = match part {
            Part::Relation(name, _) => format!("{}s", text::variable(name)),
            Part::Constants(_) => "Flags".to_owned(),
        };
        let taken =
            |name: &String| names.contains(name) || ["S", "As", "F"].contains(&name.as_str());
        let mut name = base.clone();
        let mut n = 1;
        while taken(&name) {
            n += 1;
            name = format!("{base}{n}");
        }
        names.push(name);
    }
    names
}

/// The facts of the first state that are wanted, in the standard order.
fn list(interpreter: &Interpreter, wanted: impl Fn(TermId) -> bool) -> String {
    let mut facts: Vec<TermId> =
        interpreter.initial().iter().copied().filter(|&fact| wanted(fact)).collect();
    facts.sort_by(|&one, &other| interpreter.terms().compare(one, other));
    let facts: Vec<String> = facts.into_iter().map(|fact| interpreter.terms().show(fact)).collect();
    if facts.len() > 4 {
        format!("[\n    {}]", facts.join(",\n    "))
    } else {
        format!("[{}]", facts.join(", "))
    }
}

impl Part {
    fn has(&self, interpreter: &Interpreter, fact: TermId) -> bool {
        let (symbol, args) = interpreter.terms().get(fact);
        let own = interpreter.terms().name(symbol);
        match self {
            Part::Relation(name, arity) => name == own && *arity == args.len(),
            Part::Constants(_) => args.is_empty(),
        }
    }

    fn holds(&self, names: &[String], nth: usize, out: &mut String) {
        let only: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(n, name)| if n == nth { name.clone() } else { "_".to_owned() })
            .collect();
        let state = text::compound("state", &only);
        let fluents = match self {
            Part::Relation(name, arity) => vec![pattern(name, *arity)],
            Part::Constants(names) => names.iter().map(|name| text::constant(name)).collect(),
        };
        for fluent in fluents {
            let goal = format!("member({fluent}, {})", names[nth]);
            *out += &text::clause(&format!("holds({fluent}, {state})"), &[goal]);
        }
    }

    fn next(&self, name: &str) -> String {
        match self {
            Part::Relation(relation, arity) => {
                let fluent = pattern(relation, *arity);
                format!("findall({fluent}, next({fluent}, As, S), {name}0), sort({name}0, {name})")
            }
            Part::Constants(names) => {
                let all: Vec<String> = names.iter().map(|name| text::constant(name)).collect();
                let all = all.join(", ");
                format!(
                    "findall(F, ( member(F, [{all}]), next(F, As, S) ), {name}0), sort({name}0, {name})"
                )
            }
        }
    }
}

/// A fluent with variables.
fn pattern(name: &str, arity: usize) -> String {
    let args: Vec<String> = (1..=arity).map(|n| format!("X{n}")).collect();
    text::compound(&text::atom(name), &args)
}
