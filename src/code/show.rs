//! Residual programs as text that a person reads.

use super::residual::{
    Amount, Answer, BinaryOp, Built, Cond, Expr, ExprId, FAIL, Label, Leaf, Node, NodeId, Operand,
    Relation, Residual, Source, kind,
};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use zug_state::Word;

/// Lines from which a part that occurs twice is shown once.
const WORTH_NAMING: usize = 4;
/// Columns of a line with several tests.
const WIDTH: usize = 76;
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
    /// Blocks around.
    blocks: Vec<Label>,
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
            blocks: Vec::new(),
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
        if self.is_part(id) {
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
            &Node::If(cond, then, other) => self.branch(cond, then, other, indent),
            &Node::Scope(label, inner) => {
                self.blocks.push(label);
                let text = format!("block {}", self.blocks.len());
                self.line(indent, &text);
                self.node(inner, indent + 1);
                self.blocks.pop();
            }
            &Node::Commit(label, inner) => {
                if inner != FAIL {
                    self.node(inner, indent);
                }
                let text = self.leaving(label);
                self.line(indent, &text);
            }
            &Node::Answer(answer) => self.answer(&residual.answers[answer as usize], indent),
            &Node::Deopt(reason) => {
                let text = format!("ask the machine: {}", residual.reasons[reason as usize]);
                self.line(indent, &text);
            }
        }
    }

    /// Where a commit goes.
    fn leaving(&self, label: Label) -> String {
        let depth = self.blocks.iter().rposition(|&around| around == label);
        depth.map_or("leave".to_owned(), |depth| format!("leave block {}", depth + 1))
    }

    /// A test with what follows; tests that all have to hold stand on one line.
    fn branch(&mut self, cond: Cond, then: NodeId, other: NodeId, indent: usize) {
        let depth = self.aggregates.len();
        self.introduce_cond(cond, indent);
        match (self.short(then), self.short(other)) {
            (_, Some(way)) if other != FAIL => {
                let text = format!("if {}: {way}", self.cond_not(cond));
                self.line(indent, &text);
                self.node(then, indent);
            }
            (Some(way), _) if then != FAIL && other != FAIL => {
                let text = format!("if {}: {way}", self.cond(cond));
                self.line(indent, &text);
                self.node(other, indent);
            }
            _ if then == FAIL => {
                let text = format!("if {}", self.cond_not(cond));
                self.line(indent, &text);
                self.node(other, indent + 1);
            }
            _ => {
                let (text, then) = self.conjunction(cond, then, other, indent);
                self.line(indent, &text);
                self.node(then, indent + 1);
                if other != FAIL {
                    self.line(indent, "else");
                    self.node(other, indent + 1);
                }
            }
        }
        self.aggregates.truncate(depth);
    }

    /// A part after which nothing that stands behind it runs, on one line.
    fn short(&self, id: NodeId) -> Option<String> {
        match self.residual.node(id) {
            &Node::Deopt(reason) => {
                Some(format!("ask the machine ({})", self.residual.reasons[reason as usize]))
            }
            _ => None,
        }
    }

    /// A test with those behind it that have to hold too, and what follows them.
    fn conjunction(
        &self,
        cond: Cond,
        mut then: NodeId,
        other: NodeId,
        indent: usize,
    ) -> (String, NodeId) {
        let mut text = format!("if {}", self.cond(cond));
        while let (FAIL, &Node::If(cond, a, b)) = (other, self.residual.node(then)) {
            let plain = self.is_plain(cond) && (a == FAIL) != (b == FAIL);
            let next = if b == FAIL { self.cond(cond) } else { self.cond_not(cond) };
            let wide = 2 * indent + text.len() + next.len() + 2 > WIDTH;
            if !plain || wide || self.is_part(then) {
                break;
            }
            let _ = write!(text, ", {next}");
            then = if b == FAIL { a } else { b };
        }
        (text, then)
    }

    /// Whether a test needs no line before it for an aggregate.
    fn is_plain(&self, cond: Cond) -> bool {
        let mut todo = match cond {
            Cond::Compare(_, a, b) => vec![a, b],
            _ => Vec::new(),
        };
        while let Some(expr) = todo.pop() {
            match self.residual.exprs[expr as usize] {
                Expr::Const(_) | Expr::Leaf(_) => {}
                Expr::Binary(_, a, b) => todo.extend([a, b]),
                Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => return false,
            }
        }
        true
    }

    /// Whether something is shown once under a name.
    fn is_part(&self, id: NodeId) -> bool {
        self.uses.get(&id).copied().unwrap_or(0) > 1 && self.size(id) >= WORTH_NAMING
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
        self.aggregates.push(expr);
        let name = self.name(expr);
        self.line(indent, &format!("{name} is {what}"));
        self.count(bag);
        self.node(bag, indent + 1);
    }

    fn expr(&self, expr: ExprId) -> String {
        match self.residual.exprs[expr as usize] {
            Expr::Const(value) => value.to_string(),
            Expr::Leaf(number) => leaf(number),
            Expr::Binary(op, a, b) => binary(op, &self.expr(a), &self.expr(b)),
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => self.name(expr),
        }
    }

    /// The name of an aggregate.
    fn name(&self, expr: ExprId) -> String {
        let number = self.aggregates.iter().rposition(|&known| known == expr);
        format!("n{}", number.map_or(0, |number| number + 1))
    }

    /// What holds where a test does not.
    fn cond_not(&self, cond: Cond) -> String {
        match cond {
            Cond::Is(number, Word::VAR) => format!("{} is not unbound", leaf(number)),
            Cond::Is(number, word) => format!("{} \\= {}", leaf(number), self.word(word)),
            Cond::Same(a, b) => format!("{} \\= {}", leaf(a), leaf(b)),
            Cond::Distinct => "two leaves are alike".to_owned(),
            Cond::Kind(number, kinds) => {
                format!("{} is {}", leaf(number), kinds_text(kind::ANY & !kinds))
            }
            Cond::Compare(relation, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                match relation {
                    Relation::Less => format!("{b} =< {a}"),
                    Relation::LessEqual => format!("{b} < {a}"),
                    Relation::Equal => format!("{a} \\= {b}"),
                }
            }
            Cond::Before(..) => format!("not {}", self.cond(cond)),
        }
    }

    fn cond(&self, cond: Cond) -> String {
        match cond {
            Cond::Is(number, Word::VAR) => format!("{} is unbound", leaf(number)),
            Cond::Is(number, word) => format!("{} = {}", leaf(number), self.word(word)),
            Cond::Same(a, b) => format!("{} = {}", leaf(a), leaf(b)),
            Cond::Distinct => "no two leaves are alike".to_owned(),
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

pub(super) fn kinds_text(kinds: u8) -> &'static str {
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

pub(super) fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "=<",
        Relation::Equal => "=",
    }
}

pub(super) fn binary(op: BinaryOp, a: &str, b: &str) -> String {
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
