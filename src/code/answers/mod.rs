//! What a merging run found, for people: guarded answers, before they become a program.
//!
//! Conditions and terms are graphs. A part that is not small and is useful in several places, or that
//! is large, has a name (`q1` for a condition, `t1` for a term) and is shown once, under `where`.

mod lines;
mod numbers;
mod parts;
#[cfg(test)]
mod tests;
mod write;

use crate::merging::{self, Argument, Outcome};
use crate::program::lower::Asked;
use crate::program::show::leaf;
use lines::{WIDTH, filled};
use parts::{Part, Sizes};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use write::{AND, OR};
use zug_symbolic::{Condition, Formula, Leaf, Shape, Store, Term, limits};
use zug_syntax::Operators;
use zug_term::symbol::Symbols;

/// Lines from which on a text gets no further answers.
const MOST_LINES: usize = 400;

enum Answer {
    Yes,
    Value(Term),
    Move { name: Term, cost: Option<Term>, to: To, call: Option<(Arc<merging::Call>, Term)> },
}

enum To {
    Writes(Vec<(Leaf, Term)>),
    Whole(Term),
}

impl Answer {
    fn of(store: &Store, answer: &merging::Answer, asked: Asked, state: Term) -> Answer {
        match (asked, &answer.values[..]) {
            (Asked::Value, &[value, ..]) => Answer::Value(value),
            (Asked::Moves { cost }, &[name, .., to]) => {
                let call = answer.call.clone().map(|call| (call, to));
                let input = call.as_ref().and_then(|(call, _)| call.inputs().next());
                let (mut writes, to) = (Vec::new(), input.unwrap_or(to));
                let to = match changes(store, state, to, &mut writes) {
                    true => To::Writes(writes),
                    false => To::Whole(to),
                };
                Answer::Move { name, cost: cost.then(|| answer.values[1]), to, call }
            }
            _ => Answer::Yes,
        }
    }

    fn terms(&self) -> Vec<Term> {
        match self {
            Answer::Yes => Vec::new(),
            Answer::Value(value) => vec![*value],
            Answer::Move { name, cost, to, call } => {
                let to = match to {
                    To::Writes(writes) => writes.iter().map(|&(_, term)| term).collect(),
                    To::Whole(to) => vec![*to],
                };
                let behind = call.iter().flat_map(|(call, to)| call.inputs().skip(1).chain([*to]));
                [*name].into_iter().chain(*cost).chain(to).chain(behind).collect()
            }
        }
    }
}

/// The leaves that differ between two states; whether the states are of one shape.
fn changes(store: &Store, from: Term, to: Term, writes: &mut Vec<(Leaf, Term)>) -> bool {
    let (mut from, mut to) = (from, to);
    while from != to {
        match (store.shape(from), store.shape(to)) {
            (&Shape::Leaf(leaf), _) if is_atomic(store, to) => {
                writes.push((leaf, to));
                return true;
            }
            (&Shape::Pair(head, tail), &Shape::Pair(new, rest)) => {
                if !changes(store, head, new, writes) {
                    return false;
                }
                (from, to) = (tail, rest);
            }
            (Shape::Struct(one, old), Shape::Struct(other, new)) if one == other => {
                return old
                    .iter()
                    .zip(new.iter())
                    .all(|(&old, &new)| changes(store, old, new, writes));
            }
            _ => return false,
        }
    }
    true
}

/// Whether a term is what a leaf may be, in every state.
fn is_atomic(store: &Store, term: Term) -> bool {
    match store.shape(term) {
        Shape::Choice(ways) => ways.iter().all(|&(_, term)| is_atomic(store, term)),
        Shape::Pair(..) | Shape::Struct(..) | Shape::Present(_) => false,
        _ => true,
    }
}

/// Answers in order, by condition, then the deoptimised states, then the named parts.
pub fn answers_text(
    store: &Store,
    outcome: &Outcome,
    (asked, state): (Asked, Term),
    (symbols, operators): (&Symbols, &Operators),
) -> String {
    let mut groups: Vec<(Condition, Vec<Answer>)> = Vec::new();
    for found in &outcome.answers {
        let answer = Answer::of(store, found, asked, state);
        match groups.last_mut() {
            Some((last, answers)) if *last == found.condition => answers.push(answer),
            _ => groups.push((found.condition, vec![answer])),
        }
    }
    let terms = |answers: &[Answer]| answers.iter().flat_map(Answer::terms).collect::<Vec<_>>();
    let roots = groups.iter().flat_map(|(condition, answers)| {
        let terms = terms(answers).into_iter().map(Part::Term);
        [Part::Condition(*condition)].into_iter().chain(terms)
    });
    let roots: Vec<Part> = roots.chain([Part::Condition(outcome.deopt)]).collect();
    stacker::grow(limits::STACK_MORE, || {
        let sizes = Sizes::of(store, &roots);
        let (names, named) = (FxHashMap::default(), Vec::new());
        let writer = Writer { store, symbols, operators, sizes, names, named, defined: 0 };
        writer.text(&groups, outcome.deopt)
    })
}

struct Writer<'a> {
    store: &'a Store,
    symbols: &'a Symbols,
    operators: &'a Operators,
    sizes: Sizes,
    names: FxHashMap<Part, String>,
    /// The parts that have names, in the order in which these were first used.
    named: Vec<Part>,
    defined: usize,
}

impl Writer<'_> {
    fn text(mut self, groups: &[(Condition, Vec<Answer>)], deopt: Condition) -> String {
        let (mut lines, mut below) = (Vec::new(), Vec::new());
        let mut left: usize = groups.iter().map(|(_, answers)| answers.len()).sum();
        for (condition, answers) in groups {
            if lines.len() + below.len() >= MOST_LINES {
                break;
            }
            lines.extend(self.when(*condition));
            let room = MOST_LINES.saturating_sub(lines.len() + below.len()).max(1);
            for answer in answers.iter().take(room) {
                lines.extend(filled(&format!("  {}", self.answer(answer)), 4));
                left -= 1;
            }
            self.define(&mut below, MOST_LINES.saturating_sub(lines.len()));
        }
        if left > 0 {
            lines.push(format!("... and {left} more answers"));
        }
        if deopt != Condition::NEVER {
            lines.extend(self.when(deopt));
            lines.push("  ask the machine".to_owned());
        }
        if lines.is_empty() {
            lines.push("no answers".to_owned());
        }
        self.define(&mut below, MOST_LINES.saturating_sub(lines.len()));
        if !self.named.is_empty() {
            lines.push("where".to_owned());
            lines.append(&mut below);
            match self.named.len() - self.defined {
                0 => {}
                more => lines.push(format!("  ... and {more} more parts")),
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Shows parts that have names, and those in them, as long as there is room.
    fn define(&mut self, lines: &mut Vec<String>, room: usize) {
        while self.defined < self.named.len() && lines.len() < room {
            let part = self.named[self.defined];
            let name = self.names[&part].clone();
            self.defined += 1;
            match part {
                Part::Condition(condition) => {
                    let prefix = format!("  {name}: ");
                    lines.extend(self.in_lines(&prefix, condition));
                }
                Part::Term(term) => {
                    let prefix = format!("  {name} = ");
                    lines.extend(filled(&(prefix.clone() + &self.unnamed(term)), prefix.len()));
                }
            }
        }
    }

    fn when(&mut self, condition: Condition) -> Vec<String> {
        match self.name(Part::Condition(condition), false) {
            Some(name) => vec![format!("if {name}")],
            None if condition == Condition::ALWAYS => vec!["always".to_owned()],
            None => self.in_lines("if ", condition),
        }
    }

    /// A condition in one line, or, if it is long, in a line for each part.
    fn in_lines(&mut self, prefix: &str, condition: Condition) -> Vec<String> {
        let whole = self.formula(condition, OR);
        let (between, most) = match self.store.says(condition) {
            Formula::And(_) => (",", AND),
            Formula::Or(_) => (" ;", OR),
            _ => return vec![format!("{prefix}{whole}")],
        };
        if prefix.len() + whole.len() <= WIDTH {
            return vec![format!("{prefix}{whole}")];
        }
        let indent = " ".repeat(prefix.len());
        let parts = self.parts(condition);
        let last = parts.len() - 1;
        let (mut lines, mut line, mut literals) = (Vec::new(), prefix.to_owned(), true);
        for (at, part) in parts.into_iter().enumerate() {
            let text = self.condition(part, most - 1) + if at == last { "" } else { between };
            // Literals are beside one another.
            let is_literal = matches!(self.store.says(part), Formula::Literal(..));
            let fits = is_literal && literals && line.len() + text.len() < WIDTH;
            if at > 0 && fits {
                line.push(' ');
            } else if at > 0 {
                lines.extend(filled(&std::mem::replace(&mut line, indent.clone()), prefix.len()));
            }
            line += &text;
            literals = is_literal;
        }
        lines.extend(filled(&line, prefix.len()));
        lines
    }

    fn answer(&mut self, answer: &Answer) -> String {
        let (name, cost, to, call) = match answer {
            Answer::Yes => return "yes".to_owned(),
            Answer::Value(value) => return format!("value {}", self.term(*value)),
            Answer::Move { name, cost, to, call } => (name, cost, to, call),
        };
        let name = self.term(*name);
        let cost = cost.map_or_else(String::new, |cost| format!(", cost {}", self.term(cost)));
        let to = match to {
            To::Whole(to) => self.term(*to),
            To::Writes(writes) if writes.is_empty() => "no change".to_owned(),
            To::Writes(writes) => {
                let write = |&(number, term): &(Leaf, Term)| {
                    format!("{} := {}", leaf(number.0 as u16), self.term(term))
                };
                writes.iter().map(write).collect::<Vec<_>>().join(", ")
            }
        };
        match call {
            None => format!("move {name}{cost}: {to}"),
            Some((call, behind)) => {
                let (behind, callee) = (self.term(*behind), self.callee(call));
                format!("move {name}{cost}: {behind} for each {callee}, S with {to}")
            }
        }
    }

    /// A call that an answer goes on with; its first input is written as the state.
    fn callee(&mut self, call: &merging::Call) -> String {
        let mut inputs = 0;
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(match *argument {
                Argument::Input(_) if inputs == 0 => {
                    inputs += 1;
                    "S".to_owned()
                }
                Argument::Input(term) | Argument::Fixed(term) | Argument::Output(term) => {
                    self.term(term)
                }
            });
        }
        format!("{}({})", self.symbols.name(call.name), arguments.join(", "))
    }

    fn name(&mut self, part: Part, nested: bool) -> Option<String> {
        if !self.sizes.has_name(part, nested) {
            return None;
        }
        if let Some(name) = self.names.get(&part) {
            return Some(name.clone());
        }
        let is_condition = |part: &Part| matches!(part, Part::Condition(_));
        let alike = self.named.iter().filter(|other| is_condition(other) == is_condition(&part));
        let kind = if is_condition(&part) { 'q' } else { 't' };
        let name = format!("{kind}{}", alike.count() + 1);
        self.names.insert(part, name.clone());
        self.named.push(part);
        Some(name)
    }
}
