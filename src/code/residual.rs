//! What a symbolic run leaves behind: a program over the leaves of a state.
//!
//! Nodes are hash-consed: equal parts are one node, so the residual is a graph without
//! cycles. Backtracking is structure: alternatives run one after the other, answers are what
//! they do on the way, and a cut leaves a labelled scope.

use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use zug_state::Word;
pub use zug_state::kind;
use zug_term::Record;

/// The number of a node.
pub type NodeId = u32;
/// The number of an expression.
pub type ExprId = u32;
/// A scope that a commit can leave, counted from the outside.
pub type Label = u32;
/// The number of a leaf of the state, in preorder.
pub type Leaf = u16;

/// The most operations of an expression, shared ones counted each time.
const MOST_OPERATIONS: u32 = 4000;

/// A reason for which no state is ever given back: that the answers of a goal are fewer than
/// none, which is asked where all of them are to be looked for.
pub const NEVER: &str = "the answers are fewer than none";

/// The node that does nothing: no answers.
pub const FAIL: NodeId = 0;

/// How two integers compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Equal.
    Equal,
}

/// What is tested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cond {
    /// The leaf is this constant, or unbound for [`Word::VAR`].
    Is(Leaf, Word),
    /// Two leaves that are not unbound are equal.
    Same(Leaf, Leaf),
    /// No two leaves of the state are alike.
    Distinct,
    /// The leaf is of one of these kinds.
    Kind(Leaf, u8),
    /// Two integers compare so.
    Compare(Relation, ExprId, ExprId),
    /// One stands before the other in the standard order.
    Before(Operand, Operand),
}

/// A leaf or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A leaf.
    Leaf(Leaf),
    /// A constant.
    Word(Word),
}

/// An operation on integers that fit 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded toward zero.
    Div,
    /// Quotient, rounded down.
    FloorDiv,
    /// Remainder with the sign of the divisor.
    Mod,
    /// Remainder with the sign of the dividend.
    Rem,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// An integer that depends on leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(i64),
    /// The value of a leaf that is known to be an integer where this is used.
    Leaf(Leaf),
    /// An operation; leaves the compiled code if it overflows or divides by zero.
    Binary(BinaryOp, ExprId, ExprId),
    /// How many answers a residual has.
    Count(NodeId),
    /// The sum of the values that a residual answers.
    Sum(NodeId),
    /// The greatest value that a residual answers; it has one where this is used.
    Max(NodeId),
    /// The least one.
    Min(NodeId),
}

/// Where a leaf of an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A constant.
    Word(Word),
    /// A leaf of the state.
    Leaf(Leaf),
    /// A computed integer.
    Expr(ExprId),
    /// An unbound variable that occurs once.
    Fresh,
}

/// A term with holes: its shape and where the leaves come from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Built {
    /// The number of the shape.
    pub shape: u8,
    /// A source for each leaf, in preorder.
    pub leaves: Box<[Source]>,
}

/// A number that an answer gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Amount {
    /// A computed integer.
    Expr(ExprId),
    /// A float, by its bits.
    Float(u64),
}

/// What an answer says.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// Yes.
    True,
    /// A number.
    Value(Amount),
    /// A move.
    Successor {
        /// Its name.
        name: Built,
        /// Its cost; `None` in games.
        cost: Option<Amount>,
        /// Where it leads.
        to: Built,
    },
    /// An element of a list of answers.
    Item {
        /// The term, unless something in it can't be told.
        term: Option<Record>,
        /// Its value, where values are added up or compared.
        value: Option<ExprId>,
        /// A number of its own if the term has variables: no other list has the same ones.
        copy: u32,
    },
}

impl Answer {
    /// An element of which nothing can be told.
    pub const UNKNOWN: Answer = Answer::Item { term: None, value: None, copy: 0 };
}

/// A part of a residual program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// No answers.
    Fail,
    /// One after the other.
    Alt(Box<[NodeId]>),
    /// A test, what follows if it holds, and if not.
    If(Cond, NodeId, NodeId),
    /// What a commit to the label leaves.
    Scope(Label, NodeId),
    /// Runs the node, then leaves the scope.
    Commit(Label, NodeId),
    /// An answer.
    Answer(u32),
    /// This state is asked of the machine; the number of the reason.
    Deopt(u32),
}

/// Why compiled code gives a state back to the machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reason {
    /// What stood in the way.
    pub what: String,
    /// The goal, as text.
    pub goal: String,
    /// The clause it stands in.
    pub clause: Option<u32>,
    /// A value that was not met before: with it the code could be made again.
    pub new_value: bool,
}

/// What must be known for an expression's value to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// It is a constant.
    Nothing,
    /// This leaf, perhaps among others.
    Leaf(Leaf),
    /// All answers of a residual.
    State,
}

/// A residual program.
#[derive(Default, Clone)]
pub struct Residual {
    /// Nodes by number; parts have smaller numbers than what they are part of.
    pub nodes: Vec<Node>,
    node_index: FxHashMap<Node, NodeId>,
    /// Expressions by number.
    pub exprs: Vec<Expr>,
    /// How many operations it takes to evaluate each.
    sizes: Vec<u32>,
    /// What must be known of each before its value can be.
    needs: Vec<Need>,
    expr_index: FxHashMap<Expr, ExprId>,
    /// Answers by number.
    pub answers: Vec<Answer>,
    answer_index: FxHashMap<Answer, u32>,
    /// Reasons by number.
    pub reasons: Vec<Reason>,
    /// For each node: every way through it ends in a commit, an end, or the machine.
    sure: Vec<bool>,
    /// For each node: the labels it commits to, sorted.
    labels: Vec<Rc<[Label]>>,
    /// None, shared.
    no_labels: Rc<[Label]>,
}

impl Residual {
    /// The program without answers.
    pub fn new() -> Residual {
        let mut residual = Residual::default();
        residual.add(Node::Fail);
        residual
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Whether every way through a node leaves what it stands in.
    pub fn is_sure(&self, id: NodeId) -> bool {
        self.sure[id as usize]
    }

    fn add(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.node_index.get(&node) {
            return id;
        }
        let (sure, labels) = match &node {
            Node::Fail => (false, self.no_labels.clone()),
            Node::Alt(parts) => {
                (parts.iter().any(|&p| self.is_sure(p)), self.labels_of(parts.iter().copied()))
            }
            Node::If(_, a, b) => (self.is_sure(*a) && self.is_sure(*b), self.labels_of([*a, *b])),
            // A commit to this very scope does not leave what the scope stands in.
            Node::Scope(label, inner) => {
                let labels = &self.labels[*inner as usize];
                let sure = self.is_sure(*inner) && !labels.contains(label);
                (sure, labels.iter().copied().filter(|other| other != label).collect())
            }
            Node::Commit(label, inner) => {
                let mut labels = self.labels[*inner as usize].to_vec();
                labels.push(*label);
                labels.sort_unstable();
                labels.dedup();
                (true, labels.into())
            }
            Node::Answer(answer) => {
                let answer = &self.answers[*answer as usize];
                (matches!(answer, Answer::True | Answer::Value(_)), self.no_labels.clone())
            }
            Node::Deopt(_) => (true, self.no_labels.clone()),
        };
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node.clone());
        self.node_index.insert(node, id);
        self.sure.push(sure);
        self.labels.push(labels);
        id
    }

    /// The labels that some nodes commit to.
    fn labels_of(&self, nodes: impl IntoIterator<Item = NodeId>) -> Rc<[Label]> {
        let mut all: Option<Rc<[Label]>> = None;
        for id in nodes {
            let more = &self.labels[id as usize];
            all = Some(match all {
                None => more.clone(),
                Some(all) if more.iter().all(|label| all.contains(label)) => all,
                Some(all) => {
                    let mut both: Vec<Label> = all.iter().chain(more.iter()).copied().collect();
                    both.sort_unstable();
                    both.dedup();
                    both.into()
                }
            });
        }
        all.unwrap_or_else(|| self.no_labels.clone())
    }

    /// The labels that a node commits to and does not hold itself.
    pub fn labels(&self, id: NodeId) -> &[Label] {
        &self.labels[id as usize]
    }

    /// One after the other; what stands behind a sure exit is dropped.
    pub fn alt(&mut self, parts: &[NodeId]) -> NodeId {
        let mut flat = Vec::new();
        'parts: for &part in parts {
            let inner = match self.node(part) {
                Node::Fail => continue,
                Node::Alt(inner) => inner,
                _ => std::slice::from_ref(&part),
            };
            for &id in inner {
                flat.push(id);
                if self.is_sure(id) {
                    break 'parts;
                }
            }
        }
        match flat[..] {
            [] => FAIL,
            [one] => one,
            _ => self.add(Node::Alt(flat.into())),
        }
    }

    /// A test.
    pub fn test(&mut self, cond: Cond, then: NodeId, other: NodeId) -> NodeId {
        if then == other { then } else { self.add(Node::If(cond, then, other)) }
    }

    /// A scope, where something commits to it.
    pub fn scope(&mut self, label: Label, inner: NodeId) -> NodeId {
        if !self.labels[inner as usize].contains(&label) {
            return inner;
        }
        match *self.node(inner) {
            Node::Commit(to, rest) if to == label => self.scope(label, rest),
            _ => self.add(Node::Scope(label, inner)),
        }
    }

    /// Runs a node, then leaves a scope.
    pub fn commit(&mut self, label: Label, inner: NodeId) -> NodeId {
        if self.is_sure(inner) && self.labels[inner as usize].is_empty() {
            return inner;
        }
        self.add(Node::Commit(label, inner))
    }

    /// An answer.
    pub fn answer(&mut self, answer: Answer) -> NodeId {
        let new = self.answers.len() as u32;
        let id = *self.answer_index.entry(answer.clone()).or_insert(new);
        if id == new {
            self.answers.push(answer);
        }
        self.add(Node::Answer(id))
    }

    /// Asks the machine.
    pub fn deopt(&mut self, reason: Reason) -> NodeId {
        let known = self.reasons.iter().position(|known| *known == reason);
        let id = known.unwrap_or(self.reasons.len());
        if known.is_none() {
            self.reasons.push(reason);
        }
        self.add(Node::Deopt(id as u32))
    }

    /// An expression, folded if its parts are constant. `None`: it has no value that fits.
    pub fn expr(&mut self, expr: Expr) -> Option<ExprId> {
        let expr = match expr {
            Expr::Binary(op, a, b) => match (self.exprs[a as usize], self.exprs[b as usize]) {
                (Expr::Const(x), Expr::Const(y)) => Expr::Const(op.apply(x, y)?),
                (_, Expr::Const(0)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                    return Some(a);
                }
                (Expr::Const(0), _) if op == BinaryOp::Add => return Some(b),
                _ => expr,
            },
            Expr::Count(FAIL) | Expr::Sum(FAIL) => Expr::Const(0),
            _ => expr,
        };
        let size = match expr {
            Expr::Binary(_, a, b) => 1 + self.sizes[a as usize] + self.sizes[b as usize],
            _ => 1,
        };
        if size > MOST_OPERATIONS {
            return None;
        }
        let new = self.exprs.len() as ExprId;
        let id = *self.expr_index.entry(expr).or_insert(new);
        if id == new {
            self.exprs.push(expr);
            self.sizes.push(size);
            self.needs.push(self.need_of(expr));
        }
        Some(id)
    }

    fn need_of(&self, expr: Expr) -> Need {
        match expr {
            Expr::Const(_) => Need::Nothing,
            Expr::Leaf(leaf) => Need::Leaf(leaf),
            Expr::Binary(_, a, b) => match self.need(a) {
                Need::Nothing => self.need(b),
                need => need,
            },
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => Need::State,
        }
    }

    /// What must be known before an expression's value can be, if not all.
    pub fn need(&self, expr: ExprId) -> Need {
        self.needs[expr as usize]
    }

    /// What an expression is the sum of.
    pub fn addends(&self, expr: ExprId) -> Vec<ExprId> {
        let (mut addends, mut todo) = (Vec::new(), vec![expr]);
        while let Some(expr) = todo.pop() {
            match self.exprs[expr as usize] {
                Expr::Binary(BinaryOp::Add, a, b) => todo.extend([b, a]),
                Expr::Binary(BinaryOp::Sub, a, b) if self.const_value(b).is_some() => {
                    // The difference is known once the rest is; `without` writes it anew.
                    addends.extend(self.addends(a));
                }
                _ => addends.push(expr),
            }
        }
        addends
    }

    /// A sum of sums as one over all their parts, which can be looked up leaf by leaf; any other
    /// expression as it is.
    pub fn as_one_sum(&mut self, whole: ExprId) -> ExprId {
        let (mut bags, mut others, mut sums) = (Vec::new(), Vec::new(), 0);
        let (mut constant, mut todo) = (Some(0i64), vec![whole]);
        while let Some(expr) = todo.pop() {
            match self.exprs[expr as usize] {
                Expr::Const(value) => constant = constant.and_then(|sum| sum.checked_add(value)),
                Expr::Binary(BinaryOp::Add, a, b) => todo.extend([b, a]),
                Expr::Binary(BinaryOp::Sub, a, b) if self.const_value(b).is_some() => {
                    let less = self.const_value(b).and_then(i64::checked_neg);
                    constant = constant.zip(less).and_then(|(sum, less)| sum.checked_add(less));
                    todo.push(a);
                }
                Expr::Sum(bag) => {
                    sums += 1;
                    match self.node(bag) {
                        Node::Alt(parts) => bags.extend(parts.iter().copied()),
                        _ => bags.push(bag),
                    }
                }
                _ => others.push(expr),
            }
        }
        let Some(constant) = constant.filter(|_| sums > 1) else { return whole };
        let constant = self.constant(constant);
        let all = self.alt(&bags);
        let mut sum = self.expr(Expr::Sum(all));
        for addend in others.into_iter().chain([constant]) {
            sum = sum.and_then(|sum| self.expr(Expr::Binary(BinaryOp::Add, sum, addend)));
        }
        sum.unwrap_or(whole)
    }

    /// An expression without some of its [addends](Residual::addends); `None` if a number in it
    /// grows too large.
    pub fn without(&mut self, expr: ExprId, addends: &[ExprId]) -> Option<ExprId> {
        let mut left = addends.to_vec();
        self.reduced(expr, &mut left)
    }

    fn reduced(&mut self, expr: ExprId, addends: &mut Vec<ExprId>) -> Option<ExprId> {
        match self.exprs[expr as usize] {
            _ if addends.is_empty() => Some(expr),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                if op == BinaryOp::Add || self.const_value(b).is_some() =>
            {
                let a = self.reduced(a, addends)?;
                let b = if op == BinaryOp::Add { self.reduced(b, addends)? } else { b };
                self.expr(Expr::Binary(op, a, b))
            }
            _ => match addends.iter().position(|&addend| addend == expr) {
                Some(at) => {
                    addends.swap_remove(at);
                    Some(self.constant(0))
                }
                None => Some(expr),
            },
        }
    }

    /// A constant expression.
    pub fn constant(&mut self, value: i64) -> ExprId {
        self.expr(Expr::Const(value)).expect("a constant has a value")
    }

    /// The value of a constant expression.
    pub fn const_value(&self, id: ExprId) -> Option<i64> {
        match self.exprs[id as usize] {
            Expr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Why nothing but the machine can run a program.
    pub fn whole_deopt(&self, root: NodeId) -> Option<&Reason> {
        match *self.node(root) {
            Node::Deopt(reason) => Some(&self.reasons[reason as usize]),
            _ => None,
        }
    }

    /// Whether something in the parts of a node fulfils a test.
    pub fn any(&self, root: NodeId, mut test: impl FnMut(&Node) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.node(id);
            if test(node) {
                return true;
            }
            match node {
                Node::Alt(parts) => todo.extend(parts.iter()),
                Node::If(_, a, b) => todo.extend([a, b]),
                Node::Scope(_, a) | Node::Commit(_, a) => todo.push(*a),
                _ => {}
            }
        }
        false
    }
}

impl BinaryOp {
    /// The result, if it fits.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::FloorDiv => {
                let quotient = a.checked_div(b)?;
                Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
            }
            BinaryOp::Mod => {
                let rest = a.checked_rem(b)?;
                Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            }
            BinaryOp::Rem => a.checked_rem(b),
            BinaryOp::Min => Some(a.min(b)),
            BinaryOp::Max => Some(a.max(b)),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
        }
    }
}

impl Relation {
    /// Whether it holds.
    #[inline]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Equal => a == b,
        }
    }
}

impl Reason {
    /// Of two reasons for one thing the one that names a place in the rules; else the first.
    pub fn of_two(one: Option<&Reason>, other: &Reason) -> Reason {
        match one {
            Some(one) if one.clause.is_some() || other.clause.is_none() => one.clone(),
            _ => other.clone(),
        }
    }

    /// A reason that has no goal.
    pub fn plain(what: &str) -> Reason {
        Reason { what: what.to_owned(), goal: String::new(), clause: None, new_value: false }
    }

    /// A state is given back for it at times.
    pub fn happens(&self) -> bool {
        self.what != NEVER
    }

    /// The reason for the user's goal for which the library called this one.
    pub fn for_caller(self, goal: String, clause: u32) -> Reason {
        let what = match (self.what.strip_prefix("it has"), self.goal.as_str()) {
            (Some(_), "throw/1") => "it raises an error".to_owned(),
            (Some(rest), called) => format!("{called} has{rest}"),
            (None, _) => self.what,
        };
        Reason { what, goal, clause: Some(clause), new_value: self.new_value }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.goal.as_str() {
            "" => f.write_str(&self.what),
            goal => write!(f, "{goal}: {}", self.what),
        }
    }
}
