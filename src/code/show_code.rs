//! Code as text that a person reads.

use super::code::{Code, Cost, End, Hole, Step, Template};
use super::residual::{Amount, Leaf, Operand};
use super::show::{Terms, binary, kinds_text, leaf, sign};
use std::fmt::Write;
use zug_state::Word;

/// Code as text: a block a paragraph, in the order in which they are reached.
pub fn code_text(code: &Code, terms: &impl Terms) -> String {
    let mut text = String::new();
    for at in code.reached() {
        let block = &code.blocks[at as usize];
        let _ = writeln!(text, "b{at}:");
        for step in &block.steps {
            let _ = writeln!(text, "  {}", step_text(code, *step, terms));
        }
        let _ = writeln!(text, "  {}", end_text(code, &block.end, terms));
    }
    text
}

fn hole_text(hole: Hole, terms: &impl Terms) -> String {
    match hole {
        Hole::Word(Word::VAR) => "_".to_owned(),
        Hole::Word(word) => terms.constant(word),
        Hole::Leaf(number) => leaf(number),
        Hole::Temp(temp) | Hole::Value(temp) => format!("t{temp}"),
    }
}

fn template_text(template: &Template, terms: &impl Terms) -> String {
    let leaves: Vec<String> = template.leaves.iter().map(|&h| hole_text(h, terms)).collect();
    terms.term(template.shape, &leaves)
}

fn step_text(code: &Code, step: Step, terms: &impl Terms) -> String {
    match step {
        Step::Const(to, value) => format!("t{to} := {value}"),
        Step::Leaf(to, number) => format!("t{to} := {}", leaf(number)),
        Step::Binary(op, to, a, b) => {
            format!("t{to} := {}", binary(op, &format!("t{a}"), &format!("t{b}")))
        }
        Step::Add(to, value) => format!("t{to} += {value}"),
        Step::Table(to, number, table) => format!("t{to} += table{table}[{}]", leaf(number)),
        Step::Move(number) => move_text(code, number, terms),
    }
}

/// A move: its name, its cost if there is one, and what it writes or leads to.
pub(super) fn move_text(code: &Code, number: u32, terms: &impl Terms) -> String {
    let mv = &code.moves[number as usize];
    let name = template_text(&mv.name, terms);
    let to = match &mv.writes {
        Some(writes) => {
            let writes = writes.iter();
            let writes: Vec<String> = writes
                .map(|&(to, hole)| format!("{} := {}", leaf(to), hole_text(hole, terms)))
                .collect();
            writes.join(", ")
        }
        None => template_text(&mv.to, terms),
    };
    let cost = match mv.cost {
        Some(Cost::Fixed(cost)) => format!(", cost {cost}"),
        Some(Cost::Temp(temp) | Cost::Float(temp)) => format!(", cost t{temp}"),
        None => String::new(),
    };
    format!("move {name}{cost}: {to}")
}

fn end_text(code: &Code, end: &End, terms: &impl Terms) -> String {
    let branch = |test: String, a: u32, b: u32| format!("if {test} goto b{a} else b{b}");
    match *end {
        End::Goto(next) => format!("goto b{next}"),
        End::Is(number, Word::VAR, a, b) => branch(format!("{} unbound", leaf(number)), a, b),
        End::Is(number, word, a, b) => {
            branch(format!("{} = {}", leaf(number), terms.constant(word)), a, b)
        }
        End::Distinct(a, b) => branch("no two leaves are alike".to_owned(), a, b),
        End::Same(x, y, a, b) => branch(format!("{} = {}", leaf(x), leaf(y)), a, b),
        End::Kind(number, kinds, a, b) => {
            branch(format!("{} is {}", leaf(number), kinds_text(kinds)), a, b)
        }
        End::Compare(relation, x, y, a, b) => branch(format!("t{x} {} t{y}", sign(relation)), a, b),
        End::Before(x, y, a, b) => {
            let side = |operand| match operand {
                Operand::Leaf(number) => leaf(number),
                Operand::Word(word) => terms.constant(word),
            };
            branch(format!("{} @< {}", side(x), side(y)), a, b)
        }
        End::Switch(number, switch) => {
            let switch = &code.switches[switch as usize];
            let mut text = format!("switch {}:", leaf(number));
            for (word, &block) in (0..).zip(switch.narrow.iter()) {
                if block != switch.other {
                    let _ = write!(text, " {} b{block};", terms.constant(Word(word)));
                }
            }
            for &(word, block) in &switch.wide {
                let _ = write!(text, " {} b{block};", terms.constant(word));
            }
            let _ = write!(text, " else b{}", switch.other);
            text
        }
        End::Find(number) => {
            let find = &code.finds[number as usize];
            let mut text = format!("find {}:", terms.constant(find.word));
            for (number, &block) in find.at.iter().enumerate() {
                if find.leaves >> number & 1 == 1 {
                    let _ = write!(text, " {} b{block};", leaf(number as Leaf));
                }
            }
            let _ = write!(text, " none b{}; several b{}", find.none, find.several);
            text
        }
        End::Done => "end".to_owned(),
        End::True => "yes".to_owned(),
        End::Value(Amount::Float(bits), _) => format!("value {:?}", f64::from_bits(bits)),
        End::Value(Amount::Expr(_), temp) => format!("value t{temp}"),
        End::Deopt(_) => "ask the machine".to_owned(),
    }
}
