//! Programs as text that a person reads.

use super::slices::Picking;
use super::{BlockId, End, Op, PLACES, Program, Step, ValueId};
use crate::code::{Call, Code, Cost, Hole, Leaf, NOTHING, Template};
use crate::target::Arg;
use std::fmt::Write;
use zug_state::Word;
use zug_symbolic::Relation;
use zug_term::Record;
use zug_term::symbol::Atom;

pub trait Terms {
    fn constant(&self, word: Word) -> String;
    fn term(&self, shape: u8, leaves: &[String]) -> String;
    fn record(&self, term: &Record) -> String;
    fn name(&self, name: Atom) -> String;
}

pub fn leaf(number: Leaf) -> String {
    format!("c{number}")
}

/// What is computed for all places of a board at once, and what is asked of that.
pub fn planes_text(program: &Program, terms: &impl Terms) -> String {
    let shown = Shown { program, terms };
    let mut text = String::new();
    for (value, op) in program.values.iter().enumerate() {
        if op.is_of_planes() {
            let _ = writeln!(text, "t{value} := {}", shown.op(op));
        }
    }
    match text.is_empty() {
        true => "no planes: conditions are asked one by one\n".to_owned(),
        false => text,
    }
}

/// The slices that moves are picked with.
pub fn slices_text(picking: &Picking, terms: &impl Terms) -> String {
    let planes: usize = picking.groups.iter().map(|group| group.planes.len()).sum();
    let (guards, bodies) =
        (program_text(&picking.guards, terms), program_text(&picking.bodies, terms));
    format!("guards of moves, {planes} planes\n{guards}moves by number\n{bodies}")
}

/// A program as text: a paragraph a block, then tables. Cheap values are written where they are used; values that are not
/// scheduled come first.
pub fn program_text(code: &Code, terms: &impl Terms) -> String {
    let program = &code.program;
    let shown = Shown { program, terms };
    let mut text = String::new();
    let is_let = |step: &Step| matches!(step, Step::Let(_));
    if !program.blocks.iter().any(|block| block.steps.iter().any(is_let)) {
        for (value, op) in program.values.iter().enumerate().filter(|(_, op)| !op.is_cheap()) {
            let _ = writeln!(text, "t{value} := {}", shown.op(op));
        }
    }
    for (at, block) in program.blocks.iter().enumerate() {
        let _ = writeln!(text, "b{at}:");
        for step in &block.steps {
            match step {
                Step::Let(value) if program.op(*value).is_cheap() => {}
                Step::Let(value) => {
                    let _ = writeln!(text, "  t{value} := {}", shown.op(program.op(*value)));
                }
                Step::Move(number) => {
                    let _ = writeln!(text, "  {}", move_text(code, *number, terms));
                    for &value in &program.needs[*number as usize] {
                        if program.op(value).is_cheap() {
                            let _ = writeln!(text, "    t{value} = {}", shown.value(value));
                        }
                    }
                }
            }
        }
        let _ = writeln!(text, "  {}", shown.end(&block.end));
    }
    let is_of_floats = |number: u32| {
        let is_it = |op: &Op| matches!(op, Op::FloatTable(_, table) if *table == number);
        program.values.iter().any(is_it)
    };
    for (number, table) in program.tables.iter().enumerate() {
        let of_floats = is_of_floats(number as u32);
        let _ = write!(text, "table{number}:");
        for (word, &value) in (0..).zip(table.iter()) {
            if value != NOTHING && word != Word::VAR.0 {
                let constant = terms.constant(Word(word));
                if constant != "?" {
                    let _ = match of_floats {
                        true => write!(text, " {constant} {:?};", f64::from_bits(value as u64)),
                        false => write!(text, " {constant} {value};"),
                    };
                }
            }
        }
        text.push('\n');
    }
    text
}

struct Shown<'a, T> {
    program: &'a Program,
    terms: &'a T,
}

impl<T: Terms> Shown<'_, T> {
    fn value(&self, value: ValueId) -> String {
        match self.program.op(value) {
            op if op.is_cheap() => self.op(op),
            _ => format!("t{value}"),
        }
    }

    fn list(&self, values: &[ValueId], between: &str) -> String {
        let parts: Vec<String> = values.iter().map(|&value| self.value(value)).collect();
        if parts.is_empty() { "()".to_owned() } else { parts.join(between) }
    }

    fn words(&self, set: u32) -> String {
        let words = self.program.sets[set as usize].iter();
        let names: Vec<String> = words
            .map(|&word| if word == Word::VAR { "_".to_owned() } else { self.terms.constant(word) })
            .collect();
        format!("{{{}}}", names.join(", "))
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Int(value) => value.to_string(),
            Op::Word(Word::VAR) => "_".to_owned(),
            Op::Word(word) => self.terms.constant(*word),
            Op::Leaf(number) | Op::Number(number) => leaf(*number),
            Op::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
            Op::Floating(operation, operands) => {
                self.operation(&format!("{operation:?}"), operands)
            }
            Op::Rounded(rounding, of) => {
                format!("{rounding:?}({})", self.value(*of)).to_lowercase()
            }
            Op::Table(number, table) | Op::FloatTable(number, table) => {
                format!("table{table}[{}]", leaf(*number))
            }
            Op::Integer(operation, operands) => self.operation(&format!("{operation:?}"), operands),
            Op::Within(value, low, high) | Op::Fitting(value, low, high) => {
                format!("{} within {low}..{high}", self.value(*value))
            }
            Op::Choose(condition, then, other) => {
                let [condition, then, other] = [condition, then, other].map(|&v| self.value(v));
                format!("({condition} -> {then} ; {other})")
            }
            Op::In(number, set) => format!("{} in {}", leaf(*number), self.words(*set)),
            Op::Compare(relation, left, right) | Op::CompareFloats(relation, left, right) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::Equal => "=",
                };
                format!("{} {sign} {}", self.value(*left), self.value(*right))
            }
            Op::All(parts) if parts.is_empty() => "true".to_owned(),
            Op::Any(parts) if parts.is_empty() => "false".to_owned(),
            Op::All(parts) => format!("({})", self.list(parts, " and ")),
            Op::Any(parts) => format!("({})", self.list(parts, " or ")),
            Op::Not(value) => format!("not {}", self.value(*value)),
            Op::Cells(set, 0) => format!("cells {}", self.words(*set)),
            Op::Cells(set, first) => format!("cells from {} {}", leaf(*first), self.words(*set)),
            Op::Ones(bits) => format!("places {}", places(*bits)),
            Op::Spread(value) => format!("all places if {}", self.value(*value)),
            Op::Shift(plane, by) => format!("{} shifted by {by}", self.value(*plane)),
            Op::Meet(planes) => self.list(planes, " & "),
            Op::Join(planes) => self.list(planes, " | "),
            Op::Flip(plane) => format!("~{}", self.value(*plane)),
            Op::Has(plane, place) => format!("{}[{place}]", self.value(*plane)),
            Op::Some(plane) => format!("any of {}", self.value(*plane)),
            Op::Count(plane) => format!("count of {}", self.value(*plane)),
            Op::OfMove(table) => format!("moves{table}[number]"),
            Op::First(plane, table) => format!("table{table}[first of {}]", self.value(*plane)),
        }
    }

    fn operation(&self, name: &str, operands: &[ValueId]) -> String {
        let sign = match name {
            "Add" => " + ",
            "Subtract" => " - ",
            "Multiply" => " * ",
            "Divide" => " / ",
            "OfInteger" => return format!("float({})", self.list(operands, ", ")),
            _ => return format!("{name}({})", self.list(operands, ", ")).to_lowercase(),
        };
        self.list(operands, sign)
    }

    fn places(&self, of: &str, plane: ValueId, at: &[(u8, BlockId)]) -> String {
        let at: String = at.iter().map(|(place, block)| format!(" {place} b{block};")).collect();
        format!("{of} {}:{at}", self.value(plane))
    }

    fn end(&self, end: &End) -> String {
        match end {
            End::Each { plane, at, then } => {
                format!("{} then b{then}", self.places("for each of", *plane, at))
            }
            End::Only { plane, at, none, several } => {
                let text = self.places("the only one of", *plane, at);
                format!("{text} none b{none}; several b{several}")
            }
            End::If(value, then, other) => {
                format!("if {} goto b{then} else b{other}", self.value(*value))
            }
            End::Goto(next) => format!("goto b{next}"),
            End::Next => "next".to_owned(),
            End::Done => "end".to_owned(),
            End::True => "yes".to_owned(),
            End::Int(value) => format!("value {}", self.value(*value)),
            End::Float(value) => format!("value {}", self.value(*value)),
            End::Deopt(_) => "ask the machine".to_owned(),
            End::Planes(planes) => format!("planes {}", self.list(planes, "; ")),
            End::Enter(blocks) => {
                let blocks: Vec<String> = blocks.iter().map(|block| format!("b{block}")).collect();
                format!("by number: {}", blocks.join("; "))
            }
        }
    }
}

fn places(bits: u64) -> String {
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < PLACES {
        if bits >> at & 1 == 0 {
            at += 1;
            continue;
        }
        let length = (bits >> at).trailing_ones() as usize;
        let last = at + length - 1;
        parts.push(if length > 1 { format!("{at}-{last}") } else { at.to_string() });
        at += length;
    }
    format!("{{{}}}", parts.join(", "))
}

fn hole_text(hole: Hole, terms: &impl Terms) -> String {
    match hole {
        Hole::Word(Word::VAR) => "_".to_owned(),
        Hole::Word(word) => terms.constant(word),
        Hole::Leaf(number) => leaf(number),
        Hole::Temp(temp) | Hole::Value(temp) => format!("t{temp}"),
    }
}

/// The same, with outputs of a call in some places.
fn filled_text(template: &Template, holes: &[(Leaf, u8)], terms: &impl Terms) -> String {
    let mut leaves: Vec<String> = template.leaves.iter().map(|&h| hole_text(h, terms)).collect();
    holes.iter().for_each(|&(at, output)| leaves[usize::from(at)] = format!("v{output}"));
    terms.term(template.shape, &leaves)
}

/// A move: its name, its cost if there is one, and what it writes or leads to.
fn move_text(code: &Code, number: u32, terms: &impl Terms) -> String {
    let mv = &code.moves[number as usize];
    let holes = mv.call.as_ref().map_or(&[][..], |call| &call.name);
    let name = filled_text(&mv.name, holes, terms);
    let to = match &mv.writes {
        Some(writes) => {
            let writes = writes.iter();
            let writes: Vec<String> = writes
                .map(|&(to, hole)| format!("{} := {}", leaf(to), hole_text(hole, terms)))
                .collect();
            writes.join(", ")
        }
        None => filled_text(&mv.to, &[], terms),
    };
    let cost = match mv.cost {
        Some(Cost::Fixed(cost)) => format!(", cost {cost}"),
        Some(Cost::Temp(temp) | Cost::Float(temp)) => format!(", cost t{temp}"),
        None => String::new(),
    };
    match &mv.call {
        None => format!("move {name}{cost}: {to}"),
        Some(call) => call_text(call, (&format!("move {name}{cost}"), &to), terms),
    }
}

/// A move that goes on with a call: what follows for each of its answers, and its input.
fn call_text(call: &Call, (mv, input): (&str, &str), terms: &impl Terms) -> String {
    let to = call.to.as_ref().map(|(to, holes)| filled_text(to, holes, terms));
    let to = to.unwrap_or_else(|| format!("v{}", call.state));
    let mut outputs = 0;
    let args = call.callee.args.iter().map(|arg| match arg {
        Arg::Fixed(term) => terms.record(term),
        Arg::Part(part) => format!("P{}", part + 1),
        Arg::State => "S".to_owned(),
        _ => {
            outputs += 1;
            format!("v{}", outputs - 1)
        }
    });
    let args: Vec<String> = args.collect();
    let callee = format!("{}({})", terms.name(call.callee.name), args.join(", "));
    format!("{mv}: {to} for each {callee}, S with {input}")
}
