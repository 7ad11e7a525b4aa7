//! From body term to goals the compiler knows: the intermediate form.
//!
//! Control constructs become a tree; unification, arithmetic, comparison and type tests become goals of their own;
//! everything else is a call. Variables and arguments stay cells of the clause's image.

use super::code::Problem;
use super::image::Image;
use crate::instr::{Instr, Relation, TypeTest};
use crate::program::Known;
use crate::{PredId, Program, Space};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// Nesting of control constructs beyond which a body goal is left to `call/1`.
const MAX_NESTING: usize = 64;

/// What a cut cuts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutTarget {
    Clause,
    /// The condition, negation or `findall` goal it stands in: number of its mark.
    Local(usize),
}

/// Where the choice stack's height is noted for a construct: before it, and behind its choice point, for its own cuts.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    pub outer: usize,
    pub inner: usize,
}

/// A goal of a body, with what the analysis finds out about it.
#[derive(Debug)]
pub struct GoalNode {
    pub goal: Goal,
    /// Image address of the cell that holds the goal, for spans.
    pub slot: usize,
    /// Position in the order of emission; set by the analysis.
    pub pos: u32,
    /// Position behind the goal and everything in it.
    pub end: u32,
    /// For control constructs: variables that occur inside.
    pub vars: Vec<u32>,
}

/// One goal.
#[derive(Debug)]
pub enum Goal {
    /// Succeeds.
    True,
    /// Fails.
    Fail,
    /// `!`, or what cuts to the mark of a construct.
    Cut(CutTarget),
    /// Calls a predicate.
    Call { pred: PredId, args: Vec<Cell> },
    /// Runs a built-in in place.
    Builtin { id: u16, args: Vec<Cell>, pure: bool },
    /// `A = B`.
    Unify(Cell, Cell),
    /// A variable and the term that must subsume its value.
    Match(Cell, Cell),
    /// `Result is Expression`.
    Is(Cell, Cell),
    /// `<` and the like.
    CompareNumbers(Relation, Cell, Cell),
    /// `@<` and the like.
    CompareTerms(Relation, Cell, Cell),
    /// `atom/1` and the like.
    Type(TypeTest, Cell),
    /// A conjunction.
    Seq(Vec<GoalNode>),
    /// If-then-else: condition, then, else.
    If { parts: Box<[GoalNode; 3]>, soft: bool, marks: Marks },
    /// Alternatives, each with answers of its own.
    Or(Vec<GoalNode>),
    /// Tests in a condition, of which one is enough.
    Either(Vec<GoalNode>),
    /// `\+`.
    Not { goal: Box<GoalNode>, marks: Marks },
    /// The rest of a clause, behind `$/0`.
    Guarded { goal: Box<GoalNode>, marks: Marks },
    /// `findall/3`.
    Findall { template: Cell, goal: Box<GoalNode>, result: Cell, inner: usize },
}

impl GoalNode {
    fn new(goal: Goal, slot: usize) -> GoalNode {
        GoalNode { goal, slot, pos: 0, end: 0, vars: Vec::new() }
    }

    /// Makes unifications of an argument with a term at the start of a guard part of the head.
    pub fn match_first(&mut self, image: Image, head_args: &[Cell]) {
        let goals = match &mut self.goal {
            Goal::Seq(goals) => goals.as_mut_slice(),
            _ => return,
        };
        for node in goals {
            let Goal::Unify(a, b) = node.goal else { return };
            let (a, b) = (image.deref(a), image.deref(b));
            let is_argument = |cell: Cell| cell.is_var() && head_args.contains(&cell);
            node.goal = match () {
                () if is_argument(a) && !b.is_var() => Goal::Match(a, b),
                () if is_argument(b) && !a.is_var() => Goal::Match(b, a),
                () => continue,
            };
        }
    }

    /// The goal, with a cut of the clause before it.
    pub fn after_cut(self) -> GoalNode {
        let slot = self.slot;
        let cut = GoalNode::new(Goal::Cut(CutTarget::Clause), 0);
        GoalNode::new(Goal::Seq(flatten(vec![cut, self])), slot)
    }

    /// Whether the goal is a test that binds nothing and makes no choice point, so that its failure can be a jump.
    pub fn is_test(&self) -> bool {
        match &self.goal {
            Goal::True | Goal::Fail => true,
            Goal::CompareNumbers(..) | Goal::CompareTerms(..) | Goal::Type(..) => true,
            Goal::Builtin { pure, .. } => *pure,
            Goal::Seq(goals) | Goal::Either(goals) => goals.iter().all(GoalNode::is_test),
            Goal::Not { goal, .. } => goal.is_test(),
            _ => false,
        }
    }

    fn is_test_once(&self) -> bool {
        match &self.goal {
            Goal::Seq(goals) | Goal::Or(goals) => goals.iter().all(GoalNode::is_test_once),
            _ => self.is_test(),
        }
    }

    /// The goal as a condition, of which one answer is wanted: a test if it can be one.
    fn condition(self) -> GoalNode {
        if self.is_test_once() { self.either() } else { self }
    }

    fn either(mut self) -> GoalNode {
        let all = |goals: Vec<GoalNode>| goals.into_iter().map(GoalNode::either).collect();
        self.goal = match self.goal {
            Goal::Seq(goals) => Goal::Seq(all(goals)),
            Goal::Or(goals) => Goal::Either(all(goals)),
            other => other,
        };
        self
    }

    /// Whether the goal runs without a call and without a choice point.
    pub fn is_inline(&self) -> bool {
        match &self.goal {
            Goal::Call { .. } | Goal::Findall { .. } | Goal::Guarded { .. } => false,
            Goal::Seq(goals) => goals.iter().all(GoalNode::is_inline),
            Goal::If { parts, soft, .. } => {
                let [test, then, other] = &**parts;
                !soft && test.is_test() && then.is_inline() && other.is_inline()
            }
            Goal::Or(_) => false,
            Goal::Not { .. } => self.is_test(),
            _ => true,
        }
    }
}

/// Reads bodies of one clause.
pub struct Reader<'a> {
    pub program: &'a mut Program,
    pub image: Image<'a>,
    /// The space the clause belongs to.
    pub space: Space,
    /// Marks handed out so far.
    pub marks: usize,
    /// Every goal is to be a call of its own: see [`crate::Observer`].
    pub plain: bool,
}

type Parsed = Result<GoalNode, Problem>;

impl Reader<'_> {
    fn mark(&mut self) -> usize {
        self.marks += 1;
        self.marks - 1
    }

    fn marks(&mut self) -> Marks {
        Marks { outer: self.mark(), inner: self.mark() }
    }

    /// The goal tree of a body held by the cell at `slot`.
    pub fn body(&mut self, slot: usize, cut: CutTarget, depth: usize) -> Parsed {
        self.conjunction(vec![slot], cut, depth)
    }

    /// The goals at some places, of which the last is the first: conjunctions, however nested, become one sequence.
    fn conjunction(&mut self, mut todo: Vec<usize>, cut: CutTarget, depth: usize) -> Parsed {
        let slot = todo.last().copied().unwrap_or_default();
        let mut goals = Vec::new();
        while let Some(slot) = todo.pop() {
            let cell = self.image.deref(self.image.at(slot));
            match self.image.functor(cell) {
                Some((atoms::COMMA, 2, args)) => {
                    todo.push(args + 1);
                    todo.push(args);
                }
                Some((atoms::DOLLAR, 0, _)) if cut == CutTarget::Clause && depth == 0 => {
                    goals.push(GoalNode::new(Goal::Cut(cut), slot));
                    if !todo.is_empty() {
                        let rest = self.guarded(std::mem::take(&mut todo), slot)?;
                        goals.push(rest);
                    }
                }
                _ => {
                    let node = self.goal(cell, slot, cut, depth)?;
                    match node.goal {
                        Goal::True => {}
                        Goal::Seq(inner) => goals.extend(inner),
                        _ => goals.push(node),
                    }
                }
            }
        }
        Ok(match goals.len() {
            1 => goals.pop().expect("one goal"),
            _ => GoalNode::new(Goal::Seq(goals), slot),
        })
    }

    /// The goals behind `$/0`, whose cuts leave the choice point that says that they must have an answer.
    fn guarded(&mut self, rest: Vec<usize>, slot: usize) -> Parsed {
        let marks = self.marks();
        let goal = Box::new(self.conjunction(rest, CutTarget::Local(marks.inner), 0)?);
        Ok(GoalNode::new(Goal::Guarded { goal, marks }, slot))
    }

    fn goal(&mut self, cell: Cell, slot: usize, cut: CutTarget, depth: usize) -> Parsed {
        if cell.is_var() {
            return Ok(self.call(atoms::CALL, vec![cell], slot));
        }
        let Some((name, arity, args)) = self.image.functor(cell) else {
            return Err(Problem::NotCallable(cell));
        };
        if depth > MAX_NESTING && nests(name, arity) {
            return Ok(self.call(atoms::CALL, vec![cell], slot));
        }
        if let Some(node) = self.control(name, arity, args, slot, cut, depth)? {
            return Ok(node);
        }
        let arg = |i: usize| self.image.deref(self.image.at(args + i));
        if (!self.plain || (name, arity) == (atoms::TRUE, 0))
            && let Some(goal) = simple_goal(name, arity, arg)
        {
            return Ok(GoalNode::new(goal, slot));
        }
        if name == atoms::COLON && arity == 2 {
            return Ok(self.qualified(cell, slot));
        }
        let args = (0..arity).map(arg).collect();
        Ok(self.call(name, args, slot))
    }

    /// Control constructs and the meta-predicates that are compiled in place.
    fn control(
        &mut self,
        name: Atom,
        arity: usize,
        args: usize,
        slot: usize,
        cut: CutTarget,
        depth: usize,
    ) -> Result<Option<GoalNode>, Problem> {
        let node = match (name, arity) {
            (atoms::CUT | atoms::DOLLAR, 0) => GoalNode::new(Goal::Cut(cut), slot),
            (atoms::SEMICOLON | atoms::BAR, 2) => self.disjunction(args, slot, cut, depth)?,
            (atoms::ARROW | atoms::SOFT_ARROW, 2) => {
                let fail = GoalNode::new(Goal::Fail, slot);
                self.conditional(name, args, fail, slot, cut, depth)?
            }
            (atoms::NOT_PROVABLE, 1) => self.negation(args, slot, depth)?,
            (atoms::NOT, 1) if self.is_standard(name, arity) => self.negation(args, slot, depth)?,
            (atoms::ONCE | atoms::IGNORE, 1) if self.is_standard(name, arity) => {
                let marks = self.marks();
                let test = self.body(args, CutTarget::Local(marks.inner), depth + 1)?;
                let then = GoalNode::new(Goal::True, slot);
                let other = if name == atoms::ONCE { Goal::Fail } else { Goal::True };
                let other = GoalNode::new(other, slot);
                let parts = Box::new([test.condition(), then, other]);
                GoalNode::new(Goal::If { parts, soft: false, marks }, slot)
            }
            (atoms::FORALL, 2) if !self.plain && self.is_standard(name, arity) => {
                // \+ (Condition, \+ Action)
                let marks = self.marks();
                let condition = self.body(args, CutTarget::Local(marks.inner), depth + 1)?;
                let action = self.negation(args + 1, slot, depth + 1)?;
                let both =
                    GoalNode::new(Goal::Seq(flatten(vec![condition, action])), slot).condition();
                GoalNode::new(Goal::Not { goal: Box::new(both), marks }, slot)
            }
            (atoms::FINDALL, 3)
                if !self.plain && self.image.deref(self.image.at(args + 1)).is_compound() =>
            {
                let inner = self.mark();
                let goal = self.body(args + 1, CutTarget::Local(inner), depth + 1)?;
                let template = self.image.deref(self.image.at(args));
                let result = self.image.deref(self.image.at(args + 2));
                if !(result.is_var() || result.is_list() || result == Cell::NIL) {
                    return Ok(None);
                }
                GoalNode::new(Goal::Findall { template, goal: Box::new(goal), result, inner }, slot)
            }
            _ => return Ok(None),
        };
        Ok(Some(node))
    }

    /// Whether a library control predicate still means what it says: library
    /// clauses always, user clauses unless the user has defined it.
    fn is_standard(&self, name: Atom, arity: usize) -> bool {
        !self.program.is_users(name, arity, self.space)
    }

    fn negation(&mut self, arg: usize, slot: usize, depth: usize) -> Parsed {
        let marks = self.marks();
        let goal = Box::new(self.body(arg, CutTarget::Local(marks.inner), depth + 1)?.condition());
        Ok(GoalNode::new(Goal::Not { goal, marks }, slot))
    }

    fn disjunction(&mut self, args: usize, slot: usize, cut: CutTarget, depth: usize) -> Parsed {
        let left = self.image.deref(self.image.at(args));
        if let Some((name @ (atoms::ARROW | atoms::SOFT_ARROW), 2, parts)) =
            self.image.functor(left)
        {
            let other = self.body(args + 1, cut, depth + 1)?;
            return self.conditional(name, parts, other, slot, cut, depth);
        }
        // A chain of alternatives becomes one node, as far as they are plain.
        let mut alternatives = vec![self.body(args, cut, depth + 1)?];
        let mut rest = args + 1;
        loop {
            let cell = self.image.deref(self.image.at(rest));
            match self.image.functor(cell) {
                Some((atoms::SEMICOLON | atoms::BAR, 2, inner)) if !self.is_arrow(inner) => {
                    alternatives.push(self.body(inner, cut, depth + 1)?);
                    rest = inner + 1;
                }
                _ => break,
            }
        }
        alternatives.push(self.body(rest, cut, depth + 1)?);
        Ok(GoalNode::new(Goal::Or(alternatives), slot))
    }

    fn is_arrow(&self, slot: usize) -> bool {
        let cell = self.image.deref(self.image.at(slot));
        matches!(self.image.functor(cell), Some((atoms::ARROW | atoms::SOFT_ARROW, 2, _)))
    }

    fn conditional(
        &mut self,
        arrow: Atom,
        args: usize,
        other: GoalNode,
        slot: usize,
        cut: CutTarget,
        depth: usize,
    ) -> Parsed {
        let marks = self.marks();
        let test = self.body(args, CutTarget::Local(marks.inner), depth + 1)?;
        let then = self.body(args + 1, cut, depth + 1)?;
        let soft = arrow == atoms::SOFT_ARROW;
        let test = if soft { test } else { test.condition() };
        let parts = Box::new([test, then, other]);
        Ok(GoalNode::new(Goal::If { parts, soft, marks }, slot))
    }

    /// `Module:Goal`: a call of the module's predicate, if that is all it is.
    fn qualified(&mut self, cell: Cell, slot: usize) -> GoalNode {
        let (_, _, parts) = self.image.functor(cell).expect("a compound");
        let module = self.image.deref(self.image.at(parts)).as_atom();
        let goal = self.image.deref(self.image.at(parts + 1));
        let space = module.and_then(|module| self.program.modules.named(module));
        match (space, self.image.functor(goal)) {
            (Some(space @ (Space::User | Space::Module(_))), Some((name, arity, args)))
                if self.program.is_users(name, arity, space)
                    && !self.program.takes_goals(name, arity, space) =>
            {
                let args = (0..arity).map(|i| self.image.deref(self.image.at(args + i))).collect();
                let pred = self.program.pred(name, arity, space);
                GoalNode::new(Goal::Call { pred, args }, slot)
            }
            // What is known only when it is called, or means something else by its module.
            _ => self.call(atoms::CALL, vec![cell], slot),
        }
    }

    /// A call, or a built-in in place where its meaning is settled.
    fn call(&mut self, name: Atom, args: Vec<Cell>, slot: usize) -> GoalNode {
        let pred = self.program.pred(name, args.len(), self.space);
        let target = self.program.resolve(pred);
        let predicate = &self.program.preds[target as usize];
        let reentrant = predicate.reentrant;
        let settled = self.space == Space::System || predicate.protected;
        if settled
            && !self.plain
            && let Instr::BuiltinEntry { id } = self.program.code[predicate.slot as usize]
            && !reentrant
        {
            let pure = name == atoms::NOT_UNIFY && args.len() == 2;
            return GoalNode::new(Goal::Builtin { id, args, pure }, slot);
        }
        if settled
            && !self.plain
            && name == atoms::ARG
            && args.len() == 3
            && let Some(id) = self.program.id_of(Known::Arg)
        {
            return self.argument(pred, id, args, slot);
        }
        GoalNode::new(Goal::Call { pred, args }, slot)
    }

    /// `arg/3`: a built-in where the number of the argument is known, else a call.
    fn argument(&mut self, pred: PredId, id: u16, args: Vec<Cell>, slot: usize) -> GoalNode {
        let number = args[0];
        let known = Goal::Builtin { id, args: args.clone(), pure: false };
        if !number.is_var() {
            return GoalNode::new(known, slot);
        }
        let goals = [Goal::Type(TypeTest::Var, number), Goal::Call { pred, args }, known];
        let parts = Box::new(goals.map(|goal| GoalNode::new(goal, slot)));
        let marks = self.marks();
        GoalNode::new(Goal::If { parts, soft: false, marks }, slot)
    }
}

fn flatten(nodes: Vec<GoalNode>) -> Vec<GoalNode> {
    let mut flat = Vec::new();
    for node in nodes {
        match node.goal {
            Goal::Seq(inner) => flat.extend(inner),
            _ => flat.push(node),
        }
    }
    flat
}

fn nests(name: Atom, arity: usize) -> bool {
    matches!(
        (name, arity),
        (atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW | atoms::FORALL, 2)
            | (atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE, 1)
            | (atoms::FINDALL, 3)
    )
}

fn simple_goal(name: Atom, arity: usize, arg: impl Fn(usize) -> Cell) -> Option<Goal> {
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let numbers = |relation| Some(Goal::CompareNumbers(relation, arg(0), arg(1)));
    let terms = |relation| Some(Goal::CompareTerms(relation, arg(0), arg(1)));
    let is = |test| Some(Goal::Type(test, arg(0)));
    match (name, arity) {
        (atoms::TRUE, 0) => Some(Goal::True),
        (atoms::FAIL | atoms::FALSE, 0) => Some(Goal::Fail),
        (atoms::UNIFY, 2) => Some(Goal::Unify(arg(0), arg(1))),
        (atoms::IS, 2) => Some(Goal::Is(arg(0), arg(1))),
        (atoms::NUM_EQ, 2) => numbers(Equal),
        (atoms::NUM_NE, 2) => numbers(NotEqual),
        (atoms::NUM_LT, 2) => numbers(Less),
        (atoms::NUM_GT, 2) => numbers(Greater),
        (atoms::NUM_LE, 2) => numbers(LessEqual),
        (atoms::NUM_GE, 2) => numbers(GreaterEqual),
        (atoms::IDENTICAL, 2) => terms(Equal),
        (atoms::NOT_IDENTICAL, 2) => terms(NotEqual),
        (atoms::TERM_LT, 2) => terms(Less),
        (atoms::TERM_GT, 2) => terms(Greater),
        (atoms::TERM_LE, 2) => terms(LessEqual),
        (atoms::TERM_GE, 2) => terms(GreaterEqual),
        (atoms::VAR, 1) => is(TypeTest::Var),
        (atoms::NONVAR, 1) => is(TypeTest::Nonvar),
        (atoms::ATOM, 1) => is(TypeTest::Atom),
        (atoms::INTEGER, 1) => is(TypeTest::Integer),
        (atoms::FLOAT, 1) => is(TypeTest::Float),
        (atoms::NUMBER, 1) => is(TypeTest::Number),
        (atoms::ATOMIC, 1) => is(TypeTest::Atomic),
        (atoms::COMPOUND, 1) => is(TypeTest::Compound),
        (atoms::CALLABLE, 1) => is(TypeTest::Callable),
        _ => None,
    }
}
