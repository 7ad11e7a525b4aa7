//! The symbolic run: rules executed on a state whose leaves are not known.
//!
//! An ordinary depth-first interpreter, but for two things. A step that must know something
//! of a leaf asks ([`Stop::Need`]); the run then goes both ways, once with yes and once with
//! no, and writes down a test. And where an interpreter would come back to a choice, the
//! alternatives are run one after the other and written down as such.

use super::knowledge::{self, Knowledge};
use super::ops::{Op, Ops};
use super::recursion::Awaited;
use super::residual::{
    Amount, Answer, Cond, Expr, ExprId, FAIL, Label, NEVER, Need, Node, NodeId, Reason, Residual,
    kind,
};
use super::terms::{self, View};
use super::words::Words;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use zug_machine::{ClauseId, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_state::Word;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Terms, clauses, cells and nodes that a step may look at before it counts for two.
const LOOKS: u64 = 32;
/// Nested alternatives and tests, each of which takes its part of the Rust stack.
const DEEPEST: u32 = 700;
/// Tests and choices along one path.
const LONGEST: usize = 1500;
/// The most nodes of a residual program.
const MOST_NODES: usize = 200_000;
/// The most cells of the run's heap.
const MOST_CELLS: usize = 1 << 22;

/// Why a step was not taken.
#[derive(Debug)]
pub enum Stop {
    /// The goal fails.
    Fail,
    /// The outcome of a test must be known.
    Need(Cond),
    /// The run can't go on here; `true`: a leaf has a value that was not met before.
    Deopt(String, bool),
}

/// What a step comes to.
pub type Taken<T> = Result<T, Stop>;

/// What is still to be done.
pub type Rest = Option<Rc<Link>>;

/// A goal, and what comes after it.
pub struct Link {
    pub frame: Frame,
    pub next: Rest,
}

/// Where a goal stands: whose clause it is in, and what a cut in it leaves.
#[derive(Clone, Copy)]
pub struct Site {
    pub clause: Option<ClauseId>,
    pub space: Space,
    pub cut: Label,
    /// In a clause of the library: the user's goal that it is run for, and whose clause that
    /// stands in.
    pub caller: Option<(Cell, ClauseId)>,
    /// The next call of a predicate is not run as it stands.
    pub awaited: Option<Awaited>,
}

/// Something to do.
#[derive(Clone, Copy)]
pub enum Frame {
    /// A goal of a body.
    Goal(Cell, Site),
    /// A goal that a cut does not leave.
    Call(Cell, Site),
    /// A clause for a goal; the site of the goal, and what a cut in the clause leaves.
    Clause(ClauseId, Cell, Site),
    /// The condition held: leave the scope with this.
    Then(Label, Cell, Site),
    /// The goal of a negation held.
    Refuse(Label),
    /// A goal fails.
    Not(Cell, Site),
    /// Two terms are made equal.
    Unify(Cell, Cell),
    /// A choice that all ways through come to the same call in, which was run by now.
    Resume(Cell, Site),
}

/// What a step leads to.
pub enum Step {
    /// On with this.
    Next(Rest),
    /// The alternatives are cut off, then on.
    Commit(Label, Rest),
    /// The scope is left without an answer.
    Refuse(Label),
    /// Alternatives, in a scope.
    Alternatives(Label, Vec<Rest>),
    /// All answers of this residual are looked for, then on: one of them may be an error.
    All(NodeId, Rest),
}

/// What answers of a run are.
#[derive(Clone, Copy)]
pub enum Context {
    /// There is one.
    Test,
    /// The value of this term.
    Value(Cell),
    /// Moves: name, cost if they have one, the state they lead to.
    Moves(Cell, Option<Cell>, Cell),
    /// The instances of a term.
    Bag(Cell),
    /// What a choice that began here has bound.
    Join(Mark),
    /// The arguments of the call, if the variable is bound to one, that a choice which began here
    /// came to.
    Call(Cell, Mark),
}

/// Where a run stood.
#[derive(Clone, Copy)]
pub struct Mark {
    knowledge: knowledge::Mark,
    bindings: usize,
    top: usize,
    label: Label,
}

impl Mark {
    /// Whether a variable was there.
    pub fn is_after(&self, var: usize) -> bool {
        var < self.top
    }
}

/// What is put around the rest of a path.
enum Wrap {
    /// The rest is what follows if a test holds; the node if not.
    If(Cond, NodeId),
    Commit(Label),
    /// The rest is the last alternative.
    Alternatives(Label, Vec<NodeId>),
}

/// A symbolic run.
pub struct Run<'a> {
    pub machine: &'a mut Machine,
    pub world: &'a mut World,
    pub words: Words<'a>,
    pub ops: &'a Ops,
    /// Values that leaves were seen to have.
    pub domains: &'a [Vec<Word>],
    pub heap: Heap,
    pub known: Knowledge,
    pub residual: Residual,
    pub contexts: Vec<Context>,
    bindings: Vec<usize>,
    /// Room for pairs of terms.
    pub pairs: Vec<(Cell, Cell)>,
    /// The scopes opened on the path.
    label: Label,
    /// Steps so far, and how many there may be.
    pub steps: u64,
    /// Terms looked at since the last step.
    pub looks: std::cell::Cell<u64>,
    pub most_steps: u64,
    pub has_cut: FxHashMap<ClauseId, bool>,
    /// Clauses that call their own predicate.
    pub recursive: FxHashMap<ClauseId, bool>,
    /// Copies of terms with variables in lists of answers.
    pub copies: u32,
    /// Choices between numbers become numbers.
    pub joins: bool,
    /// How often a choice of a predicate turned out to be no such one.
    pub refused: FxHashMap<PredId, u32>,
    /// How deep the path is nested.
    pub depth: u32,
}

impl<'a> Run<'a> {
    /// A run on leaves of these kinds.
    pub fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        words: Words<'a>,
        ops: &'a Ops,
        domains: &'a [Vec<Word>],
        kinds: &[u8],
        most_steps: u64,
    ) -> Run<'a> {
        Run {
            machine,
            world,
            words,
            ops,
            domains,
            heap: Heap::new(),
            known: Knowledge::new(kinds),
            residual: Residual::new(),
            contexts: Vec::new(),
            bindings: Vec::new(),
            pairs: Vec::new(),
            label: 0,
            steps: 0,
            looks: std::cell::Cell::new(0),
            most_steps,
            has_cut: FxHashMap::default(),
            recursive: FxHashMap::default(),
            copies: 0,
            joins: false,
            refused: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Counts looks at so many cells, clauses or nodes that no step is taken for.
    pub fn look(&self, many: usize) {
        self.looks.set(self.looks.get() + many as u64);
    }

    /// Looks at a term.
    pub fn view(&self, cell: Cell) -> View {
        self.look(1);
        let view = terms::view(&self.heap, &self.known, |word| self.words.cell(word), cell);
        match view {
            View::Expr(expr) => match self.fold(expr).and_then(Cell::try_small) {
                Some(cell) => View::Const(cell),
                None => view,
            },
            _ => view,
        }
    }

    /// The value of an expression whose leaves are known.
    pub fn fold(&self, expr: ExprId) -> Option<i64> {
        // PERF: without going through all of a long expression.
        let known = match self.residual.need(expr) {
            Need::Nothing => true,
            Need::Leaf(leaf) => self.known.leaf(self.known.root(leaf)).is.is_some(),
            Need::State => false,
        };
        if !known {
            return None;
        }
        match self.residual.exprs[expr as usize] {
            Expr::Const(value) => Some(value),
            Expr::Leaf(leaf) => {
                let word = self.known.leaf(self.known.root(leaf)).is?;
                word.is_int().then(|| word.int_value())
            }
            Expr::Binary(op, a, b) => op.apply(self.fold(a)?, self.fold(b)?),
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => None,
        }
    }

    /// The outcome of a test, which is asked for if it is not known.
    pub fn ask(&self, cond: Cond) -> Taken<bool> {
        self.known.outcome(cond).ok_or(Stop::Need(cond))
    }

    /// Binds a variable of the rules.
    pub fn bind(&mut self, addr: usize, to: Cell) {
        self.heap.set(addr, to);
        self.bindings.push(addr);
    }

    /// A scope that no other on the path has.
    pub fn new_label(&mut self) -> Label {
        self.label += 1;
        self.label
    }

    /// Where the run stands.
    pub fn mark(&self) -> Mark {
        Mark {
            knowledge: self.known.mark(),
            bindings: self.bindings.len(),
            top: self.heap.top(),
            label: self.label,
        }
    }

    /// Goes back. The heap keeps what lies above `mark.top` if `keep` says so.
    pub fn undo(&mut self, mark: Mark) {
        self.known.undo(mark.knowledge);
        for &addr in &self.bindings[mark.bindings..] {
            self.heap.set(addr, Cell::reference(addr));
        }
        self.bindings.truncate(mark.bindings);
        self.heap.cells.truncate(mark.top);
        self.label = mark.label;
    }

    /// A goal before others.
    pub fn then(frame: Frame, next: &Rest) -> Rest {
        Some(Rc::new(Link { frame, next: next.clone() }))
    }

    /// What solving the rest leaves behind. What the run knows afterwards is meaningless:
    /// the caller goes back to a mark.
    pub fn solve(&mut self, mut rest: Rest, depth: u32) -> NodeId {
        let mut wraps = Vec::new();
        let node = loop {
            if let Some(apart) = self.first_of(&rest) {
                rest = Some(apart);
            }
            // One that looks at many terms counts for several.
            self.steps += 1 + self.looks.take() / LOOKS;
            if let Some(what) = self.exhausted(depth, wraps.len()) {
                break self.deopt(&rest, what, false);
            }
            let mark = self.mark();
            let taken = match &rest {
                None => match self.answer() {
                    Ok(node) => break node,
                    Err(stop) => Err(stop),
                },
                Some(link) => {
                    self.depth = depth;
                    self.step(link.clone(), depth)
                }
            };
            match taken {
                Ok(Step::Next(next)) => rest = next,
                Ok(Step::Commit(label, next)) => {
                    wraps.push(Wrap::Commit(label));
                    rest = next;
                }
                Ok(Step::Refuse(label)) => break self.residual.commit(label, FAIL),
                Ok(Step::Alternatives(label, alternatives)) => {
                    match self.all_but_last(label, alternatives, depth, &mut wraps) {
                        Some(last) => rest = last,
                        None => break FAIL,
                    }
                }
                Ok(Step::All(bag, next)) => {
                    let cond = self.always(bag);
                    if self.known.outcome(cond).is_none() {
                        let other = self.deopt(&rest, NEVER.to_owned(), false);
                        self.known.assume(cond, true);
                        wraps.push(Wrap::If(cond, other));
                    }
                    rest = next;
                }
                Err(Stop::Fail) => break FAIL,
                Err(Stop::Need(cond)) => {
                    self.undo(mark);
                    let mut other = FAIL;
                    if self.known.assume(cond, false) {
                        other = self.solve(rest.clone(), depth + 1);
                    }
                    self.undo(mark);
                    if !self.known.assume(cond, true) {
                        break other;
                    }
                    wraps.push(Wrap::If(cond, other));
                }
                Err(Stop::Deopt(what, new_value)) => {
                    self.undo(mark);
                    break self.deopt(&rest, what, new_value);
                }
            }
        };
        self.wrapped(node, wraps)
    }

    /// The same, if it begins with a conjunction, with its first goal before the others.
    // PERF: most goals stand in conjunctions.
    fn first_of(&self, rest: &Rest) -> Option<Rc<Link>> {
        let link = rest.as_ref()?;
        let Frame::Goal(goal, site) = link.frame else { return None };
        if !goal.is_struct() || self.heap.at(goal.addr()) != Cell::functor(atoms::COMMA, 2) {
            return None;
        }
        let [first, second] = [1, 2].map(|i| Frame::Goal(self.heap.at(goal.addr() + i), site));
        Self::then(first, &Self::then(second, &link.next))
    }

    fn wrapped(&mut self, mut node: NodeId, wraps: Vec<Wrap>) -> NodeId {
        for wrap in wraps.into_iter().rev() {
            node = match wrap {
                Wrap::If(cond, other) => self.residual.test(cond, node, other),
                Wrap::Commit(label) => self.residual.commit(label, node),
                Wrap::Alternatives(label, mut before) => {
                    before.push(node);
                    let all = self.residual.alt(&before);
                    self.residual.scope(label, all)
                }
            };
        }
        node
    }

    /// Runs all alternatives of a choice.
    pub fn choice(&mut self, label: Label, alternatives: Vec<Rest>, depth: u32) -> NodeId {
        let mut wraps = Vec::new();
        let node = match self.all_but_last(label, alternatives, depth, &mut wraps) {
            Some(last) => self.solve(last, depth + 1),
            None => FAIL,
        };
        self.wrapped(node, wraps)
    }

    /// Variables that were there at a mark and have been bound since; `None` if a leaf was.
    pub fn bound_since(&self, mark: Mark) -> Option<Vec<usize>> {
        if self.known.has_bound_since(mark.knowledge) {
            return None;
        }
        let since = self.bindings[mark.bindings..].iter().copied();
        Some(since.filter(|&addr| addr < mark.top).collect())
    }

    /// Runs all alternatives but the last, which is returned if it can be reached.
    fn all_but_last(
        &mut self,
        label: Label,
        mut alternatives: Vec<Rest>,
        depth: u32,
        wraps: &mut Vec<Wrap>,
    ) -> Option<Rest> {
        let last = alternatives.pop()?;
        let mut before = Vec::new();
        let mut reached = true;
        for alternative in alternatives {
            let mark = self.mark();
            let node = self.solve(alternative, depth + 1);
            self.undo(mark);
            before.push(node);
            if self.residual.is_sure(node) || !self.refuted(node) {
                reached = false;
                break;
            }
        }
        wraps.push(Wrap::Alternatives(label, before));
        reached.then_some(last)
    }

    /// Takes it for granted that a part was gone through without leaving what it stands in;
    /// false if that can't be.
    fn refuted(&mut self, node: NodeId) -> bool {
        match *self.residual.node(node) {
            Node::If(cond, then, other) => {
                if self.residual.is_sure(then) {
                    self.known.assume(cond, false) && self.refuted(other)
                } else if self.residual.is_sure(other) {
                    self.known.assume(cond, true) && self.refuted(then)
                } else {
                    true
                }
            }
            Node::Alt(ref parts) => {
                let parts = parts.clone();
                parts.iter().all(|&part| self.refuted(part))
            }
            _ => !self.residual.is_sure(node),
        }
    }

    fn exhausted(&self, depth: u32, tests: usize) -> Option<String> {
        if self.steps > self.most_steps {
            return Some(format!("it takes more than {} steps to follow", self.most_steps));
        }
        if depth > DEEPEST || tests > LONGEST {
            return Some("tests and choices nest too deep".to_owned());
        }
        if self.residual.nodes.len() > MOST_NODES || self.heap.top() > MOST_CELLS {
            return Some("the code would become too large".to_owned());
        }
        None
    }

    fn deopt(&mut self, rest: &Rest, what: String, new_value: bool) -> NodeId {
        // The first goal of a clause there is to do.
        let mut links = std::iter::successors(rest.as_deref(), |link| link.next.as_deref());
        let found = links.find_map(|link| match link.frame {
            Frame::Goal(goal, site) | Frame::Call(goal, site) | Frame::Resume(goal, site) => {
                Some((goal, site))
            }
            Frame::Clause(id, goal, site) => Some((goal, Site { clause: Some(id), ..site })),
            _ => None,
        });
        let (goal, site) = found.unzip();
        let goal = goal.map_or_else(String::new, |goal| self.goal_text(goal));
        let clause = site.and_then(|site| site.clause);
        let reason = Reason { what, goal, clause, new_value };
        let reason = match site.and_then(|site| site.caller) {
            Some((caller, clause)) => reason.for_caller(self.goal_text(caller), clause),
            None => reason,
        };
        self.residual.deopt(reason)
    }

    /// A goal as name and arity; of several the first.
    fn goal_text(&self, goal: Cell) -> String {
        match self.heap.name_arity(goal) {
            Some((atoms::COMMA, 2, args)) => self.goal_text(self.heap.at(args)),
            Some((name, arity, _)) if name.0 < self.machine.symbols.len() as u32 => {
                format!("{}/{arity}", self.machine.symbols.name(name))
            }
            _ => String::new(),
        }
    }

    /// Takes a step.
    fn step(&mut self, link: Rc<Link>, depth: u32) -> Taken<Step> {
        let next = &link.next;
        match link.frame {
            Frame::Goal(goal, site) => self.goal(goal, site, next, depth),
            Frame::Call(goal, site) => {
                let site = Site { awaited: None, ..site };
                if !self.cuts(goal)? {
                    return self.goal(goal, site, next, depth);
                }
                let cut = self.new_label();
                let inner = Self::then(Frame::Goal(goal, Site { cut, ..site }), next);
                Ok(Step::Alternatives(cut, vec![inner]))
            }
            Frame::Clause(id, goal, site) => self.enter(id, goal, site, next),
            Frame::Then(label, goal, site) => {
                Ok(Step::Commit(label, Self::then(Frame::Goal(goal, site), next)))
            }
            Frame::Refuse(label) => Ok(Step::Refuse(label)),
            Frame::Not(goal, site) => self.negation(goal, site, next),
            Frame::Resume(choice, site) => self.resume(choice, site, next),
            Frame::Unify(a, b) => {
                self.unify(a, b)?;
                Ok(Step::Next(next.clone()))
            }
        }
    }

    /// The answers of a goal as a residual of their own.
    pub fn answers(&mut self, context: Context, goal: Cell, site: Site, depth: u32) -> NodeId {
        let mark = self.mark();
        self.contexts.push(context);
        let goal = Self::then(Frame::Call(goal, site), &None);
        let node = self.solve(goal, depth + 1);
        self.contexts.pop();
        self.undo(mark);
        node
    }

    /// Passes a built-in on.
    pub fn built_in(
        &mut self,
        op: Op,
        args: &[Cell],
        site: Site,
        next: &Rest,
        depth: u32,
    ) -> Taken<Step> {
        let ctx = super::builtins::At { site, next, depth };
        super::builtins::call(self, op, args, &ctx)
    }

    /// The answer at the end of a path.
    fn answer(&mut self) -> Taken<NodeId> {
        let Some(&context) = self.contexts.last() else { return Err(Stop::Fail) };
        let answer = match context {
            Context::Test => Answer::True,
            Context::Value(cell) => {
                let amount = self.amount(cell)?;
                Answer::Value(match amount {
                    Amount::Expr(expr) => Amount::Expr(self.residual.as_one_sum(expr)),
                    Amount::Float(_) => amount,
                })
            }
            Context::Moves(name, cost, to) => {
                // A variable is no state.
                let unbound = match self.view(to) {
                    View::Var(_) => true,
                    View::Leaf(leaf) => self.ask(Cond::Kind(leaf, kind::VAR))?,
                    _ => false,
                };
                if unbound {
                    let what = "the state after a move is unbound".to_owned();
                    return Err(Stop::Deopt(what, false));
                }
                let cost = match cost {
                    Some(cost) => Some(self.amount(cost)?),
                    None => None,
                };
                Answer::Successor { name: self.built(name)?, cost, to: self.built(to)? }
            }
            Context::Bag(template) => self.item(template)?,
            Context::Join(mark) => self.joined(mark)?,
            Context::Call(met, mark) => self.called_with(met, mark)?,
        };
        Ok(self.residual.answer(answer))
    }
}
