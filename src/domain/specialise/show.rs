//! Shapes, residual programs and code as text that a person reads.

use super::code::{Block, Code, End, Hole, Step, Template};
use super::residual::{
    Amount, Answer, BinaryOp, Built, Cond, Expr, ExprId, FAIL, Leaf, Node, NodeId, Operand,
    Relation, Residual, Source, kind,
};
use super::word::Word;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Lines from which a part that occurs twice is shown once.
const WORTH_NAMING: usize = 4;
/// Lines after which a text is cut off.
const MOST_LINES: usize = 5000;

/// What is needed to write terms.
pub trait Terms {
    /// The text of a constant.
    fn constant(&self, word: Word) -> String;
    /// A term of a shape with these leaves.
    fn term(&self, shape: u8, leaves: &[String]) -> String;
}

/// The name of a leaf.
pub fn leaf(number: Leaf) -> String {
    format!("c{number}")
}

/// Writes a residual program.
pub struct Writer<'a, T> {
    terms: &'a T,
    residual: &'a Residual,
    /// The shape of the state, whose leaves have places in it.
    shape: u8,
    text: String,
    lines: usize,
    /// Parts that occur more than once, and under which number they are shown.
    uses: FxHashMap<NodeId, usize>,
    named: FxHashMap<NodeId, usize>,
    /// Aggregates that have a name on the path.
    aggregates: Vec<ExprId>,
}

impl<'a, T: Terms> Writer<'a, T> {
    /// A writer for the residual of a state of this shape.
    pub fn new(terms: &'a T, residual: &'a Residual, shape: u8) -> Self {
        Writer {
            terms,
            residual,
            shape,
            text: String::new(),
            lines: 0,
            uses: FxHashMap::default(),
            named: FxHashMap::default(),
            aggregates: Vec::new(),
        }
    }

    /// The text of a program.
    pub fn program(mut self, root: NodeId) -> String {
        self.count(root);
        self.node(root, 0);
        if self.lines > MOST_LINES {
            self.text.push_str("...\n");
        }
        self.text
    }

    /// Counts how often parts are used.
    fn count(&mut self, root: NodeId) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let uses = self.uses.entry(id).or_insert(0);
            *uses += 1;
            if *uses > 1 {
                continue;
            }
            match self.residual.node(id) {
                Node::Alt(parts) => todo.extend(parts.iter()),
                Node::If(_, a, b) => todo.extend([a, b]),
                Node::Scope(_, a) | Node::Commit(_, a) => todo.push(*a),
                _ => {}
            }
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.lines += 1;
        if self.lines <= MOST_LINES {
            let _ = writeln!(self.text, "{:width$}{text}", "", width = indent * 2);
        }
    }

    /// Lines that a part takes, up to a few.
    fn size(&self, id: NodeId) -> usize {
        let mut size = 0;
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            size += 1;
            if size > WORTH_NAMING {
                break;
            }
            match self.residual.node(id) {
                Node::Alt(parts) => todo.extend(parts.iter()),
                Node::If(_, a, b) => todo.extend([a, b]),
                Node::Scope(_, a) | Node::Commit(_, a) => todo.push(*a),
                _ => {}
            }
        }
        size
    }

    fn node(&mut self, id: NodeId, indent: usize) {
        if self.lines > MOST_LINES {
            return;
        }
        if let Some(name) = self.named.get(&id) {
            let text = format!("as at part {name}");
            return self.line(indent, &text);
        }
        if self.uses.get(&id).copied().unwrap_or(0) > 1 && self.size(id) >= WORTH_NAMING {
            let name = self.named.len() + 1;
            self.named.insert(id, name);
            self.line(indent, &format!("part {name}:"));
        }
        let residual = self.residual;
        match residual.node(id) {
            Node::Fail => self.line(indent, "nothing"),
            Node::Alt(parts) => {
                for &part in parts {
                    self.node(part, indent);
                }
            }
            &Node::If(cond, then, other) => {
                let depth = self.aggregates.len();
                self.introduce_cond(cond, indent);
                if then == FAIL {
                    let text = format!("if not {}", self.cond(cond));
                    self.line(indent, &text);
                    self.node(other, indent + 1);
                } else {
                    let text = format!("if {}", self.cond(cond));
                    self.line(indent, &text);
                    self.node(then, indent + 1);
                    if other != FAIL {
                        self.line(indent, "else");
                        self.node(other, indent + 1);
                    }
                }
                self.aggregates.truncate(depth);
            }
            &Node::Scope(label, inner) => {
                self.line(indent, &format!("block {label}"));
                self.node(inner, indent + 1);
            }
            &Node::Commit(label, inner) => {
                if inner != FAIL {
                    self.node(inner, indent);
                }
                self.line(indent, &format!("leave block {label}"));
            }
            &Node::Answer(answer) => self.answer(&residual.answers[answer as usize], indent),
            &Node::Deopt(reason) => {
                let text = format!("ask the machine: {}", residual.reasons[reason as usize]);
                self.line(indent, &text);
            }
        }
    }

    fn answer(&mut self, answer: &Answer, indent: usize) {
        let depth = self.aggregates.len();
        match answer {
            Answer::True => self.line(indent, "yes"),
            Answer::Value(amount) => {
                let text = self.amount(*amount, indent);
                self.line(indent, &format!("value {text}"));
            }
            Answer::Successor { name, cost, to } => {
                for source in name.leaves.iter().chain(to.leaves.iter()) {
                    if let Source::Expr(expr) = source {
                        self.introduce(*expr, indent);
                    }
                }
                let mut text = format!("move {}", self.built(name));
                if let Some(cost) = cost {
                    let cost = self.amount(*cost, indent);
                    let _ = write!(text, ", cost {cost}");
                }
                let to = self.target(to);
                self.line(indent, &format!("{text}: {to}"));
            }
            Answer::Item { value: Some(value), .. } => {
                self.introduce(*value, indent);
                let text = format!("item {}", self.expr(*value));
                self.line(indent, &text);
            }
            Answer::Item { .. } => self.line(indent, "item"),
        }
        self.aggregates.truncate(depth);
    }

    /// Where a move leads: what changes, if the shape stays.
    fn target(&self, to: &Built) -> String {
        if to.shape != self.shape {
            return self.built(to);
        }
        let leaves = to.leaves.iter().enumerate();
        let writes: Vec<String> = leaves
            .filter(|&(i, source)| *source != Source::Leaf(i as Leaf))
            .map(|(i, &source)| format!("{} := {}", leaf(i as Leaf), self.source(source)))
            .collect();
        if writes.is_empty() { "nothing changes".to_owned() } else { writes.join(", ") }
    }

    fn built(&self, built: &Built) -> String {
        let leaves: Vec<String> = built.leaves.iter().map(|&source| self.source(source)).collect();
        self.terms.term(built.shape, &leaves)
    }

    fn source(&self, source: Source) -> String {
        match source {
            Source::Word(word) => self.word(word),
            Source::Leaf(number) => leaf(number),
            Source::Expr(expr) => self.expr(expr),
            Source::Fresh => "_".to_owned(),
        }
    }

    fn word(&self, word: Word) -> String {
        if word == Word::VAR { "_".to_owned() } else { self.terms.constant(word) }
    }

    fn amount(&mut self, amount: Amount, indent: usize) -> String {
        match amount {
            Amount::Expr(expr) => {
                self.introduce(expr, indent);
                self.expr(expr)
            }
            Amount::Float(bits) => format!("{:?}", f64::from_bits(bits)),
        }
    }

    fn introduce_cond(&mut self, cond: Cond, indent: usize) {
        if let Cond::Compare(_, a, b) = cond {
            self.introduce(a, indent);
            self.introduce(b, indent);
        }
    }

    /// Shows the aggregates of an expression under names, before they are used.
    fn introduce(&mut self, expr: ExprId, indent: usize) {
        let (what, bag) = match self.residual.exprs[expr as usize] {
            Expr::Const(_) | Expr::Leaf(_) => return,
            Expr::Binary(_, a, b) => {
                self.introduce(a, indent);
                return self.introduce(b, indent);
            }
            Expr::Count(bag) => ("the number of items of", bag),
            Expr::Sum(bag) => ("the sum of the items of", bag),
            Expr::Max(bag) => ("the greatest item of", bag),
            Expr::Min(bag) => ("the least item of", bag),
        };
        if self.aggregates.contains(&expr) {
            return;
        }
        self.line(indent, &format!("n{expr} is {what}"));
        self.count(bag);
        self.node(bag, indent + 2);
        self.aggregates.push(expr);
    }

    fn expr(&self, expr: ExprId) -> String {
        match self.residual.exprs[expr as usize] {
            Expr::Const(value) => value.to_string(),
            Expr::Leaf(number) => leaf(number),
            Expr::Binary(op, a, b) => binary(op, &self.expr(a), &self.expr(b)),
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => format!("n{expr}"),
        }
    }

    fn cond(&self, cond: Cond) -> String {
        match cond {
            Cond::Is(number, Word::VAR) => format!("{} is unbound", leaf(number)),
            Cond::Is(number, word) => format!("{} = {}", leaf(number), self.word(word)),
            Cond::Same(a, b) => format!("{} = {}", leaf(a), leaf(b)),
            Cond::Kind(number, kinds) => format!("{} is {}", leaf(number), kinds_text(kinds)),
            Cond::Compare(relation, a, b) => {
                format!("{} {} {}", self.expr(a), sign(relation), self.expr(b))
            }
            Cond::Before(a, b) => {
                let side = |operand| match operand {
                    Operand::Leaf(number) => leaf(number),
                    Operand::Word(word) => self.word(word),
                };
                format!("{} @< {}", side(a), side(b))
            }
        }
    }
}

fn kinds_text(kinds: u8) -> &'static str {
    const NOT_VAR: u8 = kind::INT | kind::CONST;
    const NOT_INT: u8 = kind::VAR | kind::CONST;
    const NOT_CONST: u8 = kind::VAR | kind::INT;
    match kinds {
        kind::VAR => "unbound",
        kind::INT => "an integer",
        kind::CONST => "an atom",
        NOT_VAR => "not unbound",
        NOT_INT => "no integer",
        NOT_CONST => "no atom",
        _ => "anything",
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "=<",
        Relation::Equal => "=",
    }
}

fn binary(op: BinaryOp, a: &str, b: &str) -> String {
    let infix = match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "//",
        BinaryOp::FloorDiv => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Rem => "rem",
        BinaryOp::And => "/\\",
        BinaryOp::Or => "\\/",
        BinaryOp::Xor => "xor",
        BinaryOp::Min => return format!("min({a}, {b})"),
        BinaryOp::Max => return format!("max({a}, {b})"),
    };
    format!("({a} {infix} {b})")
}

/// Code as text: a block a paragraph, in the order in which they are reached.
pub fn code_text(code: &Code, terms: &impl Terms) -> String {
    let mut text = String::new();
    let mut order: Vec<u32> = Vec::new();
    let mut seen = vec![false; code.blocks.len()];
    let mut todo = vec![code.entry];
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        order.push(at);
        let mut next = targets(code, &code.blocks[at as usize]);
        next.reverse();
        todo.extend(next);
    }
    for at in order {
        let block = &code.blocks[at as usize];
        let _ = writeln!(text, "b{at}:");
        for step in &block.steps {
            let _ = writeln!(text, "  {}", step_text(code, *step, terms));
        }
        let _ = writeln!(text, "  {}", end_text(code, &block.end, terms));
    }
    text
}

/// Where a block may lead.
fn targets(code: &Code, block: &Block) -> Vec<u32> {
    match block.end {
        End::Goto(next) => vec![next],
        End::Is(.., a, b)
        | End::Same(.., a, b)
        | End::Kind(.., a, b)
        | End::Compare(.., a, b)
        | End::Before(.., a, b) => vec![a, b],
        End::Switch(_, number) => {
            let switch = &code.switches[number as usize];
            let mut all: Vec<u32> = switch.narrow.to_vec();
            all.extend(switch.wide.iter().map(|&(_, block)| block));
            all.push(switch.other);
            all.sort_unstable();
            all.dedup();
            all
        }
        End::Find(number) => {
            let find = &code.finds[number as usize];
            let mut all = find.at.clone();
            all.extend([find.none, find.several]);
            all.sort_unstable();
            all.dedup();
            all
        }
        End::Done | End::True | End::Value(..) | End::Deopt(_) => Vec::new(),
    }
}

fn hole_text(hole: Hole, terms: &impl Terms) -> String {
    match hole {
        Hole::Word(Word::VAR) => "_".to_owned(),
        Hole::Word(word) => terms.constant(word),
        Hole::Leaf(number) => leaf(number),
        Hole::Temp(temp) => format!("t{temp}"),
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
        Step::Move(number) => {
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
            format!("move {name}: {to}")
        }
    }
}

fn end_text(code: &Code, end: &End, terms: &impl Terms) -> String {
    let branch = |test: String, a: u32, b: u32| format!("if {test} goto b{a} else b{b}");
    match *end {
        End::Goto(next) => format!("goto b{next}"),
        End::Is(number, Word::VAR, a, b) => branch(format!("{} unbound", leaf(number)), a, b),
        End::Is(number, word, a, b) => {
            branch(format!("{} = {}", leaf(number), terms.constant(word)), a, b)
        }
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
