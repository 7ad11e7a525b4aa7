//! From a residual program to straight code.
//!
//! A node is compiled for a place to go on at; a commit is a jump. So a residual becomes a
//! graph of blocks, and parts with the same continuation are compiled once.

use super::code::{
    Block, BlockId, Code, Cost, End, Find, Hole, Move, NOTHING, Step, Switch, Temp, Template,
};
use super::residual::{
    Amount, Answer, BinaryOp, Built, Cond, Expr, ExprId, FAIL, Label, Leaf, Node, NodeId, Relation,
    Residual, Source, kind,
};
use super::straighten::straighten;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use zug_state::{Number, Word};

/// The most blocks of a program.
pub const MOST_BLOCKS: usize = 100_000;
/// Cases from which a switch is worth it.
const SWITCH: usize = 3;
/// Leaves from which looking for a value is.
const FIND: usize = 3;

/// What an answer does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mode {
    /// What the program is for.
    Top,
    /// It is counted.
    Count(Temp),
    /// Its value is added.
    Sum(Temp),
    /// The greatest value is kept.
    Max(Temp),
    Min(Temp),
}

/// Where a node is compiled.
#[derive(Clone)]
struct Place {
    next: BlockId,
    /// Where commits lead.
    scopes: Rc<Vec<(Label, BlockId)>>,
    mode: Mode,
    /// Values that are there already: the number of a set.
    known: Known,
}

/// The number of a set of expressions whose values are there.
type Known = u32;

/// What a part adds to a sum by the value of a leaf, or whatever that is.
type PartTable = (Option<Leaf>, Rc<[i64; 256]>);

type Key = (NodeId, BlockId, Mode, Vec<BlockId>, Known);

struct Compiler<'r> {
    residual: &'r Residual,
    code: Code,
    memo: FxHashMap<Key, BlockId>,
    temps: FxHashMap<ExprId, Temp>,
    moves: FxHashMap<u32, u32>,
    /// Tables of expressions, by their numbers.
    tabulated: FxHashMap<ExprId, u32>,
    /// What parts add to sums, and whether they are counted.
    tabled: FxHashMap<(NodeId, bool), Option<PartTable>>,
    /// Sets of expressions by number; 0 is the empty one.
    known: Vec<Rc<[ExprId]>>,
    known_index: FxHashMap<Rc<[ExprId]>, Known>,
    /// Leaves whose values have words of one byte, as far as is known.
    narrow: &'r [bool],
    most_blocks: usize,
    finds: bool,
    /// No two leaves are alike.
    distinct: bool,
    too_large: bool,
}

/// Compiles a residual program; `narrow` says which leaves have values with words of one byte,
/// as far as is known. `None` if there would be more blocks than `most_blocks`.
pub fn compile(
    residual: &Residual,
    root: NodeId,
    shape: u8,
    narrow: &[bool],
    most_blocks: usize,
) -> Option<Code> {
    let leaves = narrow.len();
    let code = Code { leaves, shape, ..Code::default() };
    let mut compiler = Compiler {
        residual,
        code,
        memo: FxHashMap::default(),
        temps: FxHashMap::default(),
        moves: FxHashMap::default(),
        tabulated: FxHashMap::default(),
        tabled: FxHashMap::default(),
        known: Vec::new(),
        known_index: FxHashMap::default(),
        narrow,
        most_blocks,
        finds: leaves <= 64,
        distinct: matches!(residual.node(root), Node::If(Cond::Distinct, ..)),
        too_large: false,
    };
    let done = compiler.block(Vec::new(), End::Done);
    let place = Place {
        next: done,
        scopes: Rc::new(Vec::new()),
        mode: Mode::Top,
        known: compiler.known_set(Vec::new()),
    };
    compiler.code.entry = compiler.node(root, &place);
    if compiler.too_large {
        return None;
    }
    compiler.switches();
    straighten(&mut compiler.code);
    compiler.code.temps = compiler.temps.len();
    compiler.code.sum = compiler.code.find_sum();
    Some(compiler.code)
}

impl Compiler<'_> {
    fn block(&mut self, steps: Vec<Step>, end: End) -> BlockId {
        if self.code.blocks.len() >= self.most_blocks
            || self.temps.len() > usize::from(u16::MAX) - 1
        {
            self.too_large = true;
            return 0;
        }
        self.code.blocks.push(Block { steps, end });
        self.code.blocks.len() as BlockId - 1
    }

    /// The number of a set of expressions.
    fn known_set(&mut self, exprs: Vec<ExprId>) -> Known {
        let exprs: Rc<[ExprId]> = exprs.into();
        let new = self.known.len() as Known;
        let number = *self.known_index.entry(exprs.clone()).or_insert(new);
        if number == new {
            self.known.push(exprs);
        }
        number
    }

    /// A set of expressions with more.
    fn with_known(&mut self, known: Known, more: &[ExprId]) -> Known {
        if more.is_empty() {
            return known;
        }
        let mut all = self.known[known as usize].to_vec();
        all.extend(more);
        self.known_set(all)
    }

    fn temp(&mut self, expr: ExprId) -> Temp {
        let new = self.temps.len() as Temp;
        *self.temps.entry(expr).or_insert(new)
    }

    /// The block that runs a node.
    fn node(&mut self, id: NodeId, place: &Place) -> BlockId {
        if id == FAIL || self.too_large {
            return place.next;
        }
        let target = |label: Label| {
            let scope = place.scopes.iter().rev().find(|(known, _)| *known == label);
            scope.map_or(place.next, |&(_, block)| block)
        };
        let targets: Vec<BlockId> =
            self.residual.labels(id).iter().map(|&label| target(label)).collect();
        let key = (id, place.next, place.mode, targets, place.known);
        if let Some(&block) = self.memo.get(&key) {
            return block;
        }
        let residual = self.residual;
        let block = match residual.node(id) {
            Node::Fail => place.next,
            Node::Alt(parts) => self.alternatives(parts, place),
            &Node::If(cond, then, other) => self.test(cond, then, other, place),
            &Node::Scope(label, inner) => {
                let mut scopes = place.scopes.to_vec();
                scopes.push((label, place.next));
                self.node(inner, &Place { scopes: Rc::new(scopes), ..place.clone() })
            }
            &Node::Commit(label, inner) => {
                self.node(inner, &Place { next: target(label), ..place.clone() })
            }
            &Node::Answer(answer) => self.answer(answer, place),
            &Node::Deopt(reason) => self.block(Vec::new(), End::Deopt(reason)),
        };
        self.memo.insert(key, block);
        block
    }

    /// The leaf and value of a part that does nothing unless the leaf has the value.
    fn guard(&self, part: NodeId) -> Option<(Leaf, Word, NodeId)> {
        match *self.residual.node(part) {
            Node::If(Cond::Is(leaf, word), then, FAIL) => Some((leaf, word, then)),
            _ => None,
        }
    }

    fn alternatives(&mut self, parts: &[NodeId], place: &Place) -> BlockId {
        let mut next = place.next;
        let mut end = parts.len();
        while end > 0 {
            let last = self.guard(parts[end - 1]);
            let place = Place { next, ..place.clone() };
            let Some((leaf, word, _)) = last else {
                next = self.node(parts[end - 1], &place);
                end -= 1;
                continue;
            };
            // As many as ask the same leaf, or for the same value.
            let run = |test: &dyn Fn(Leaf, Word) -> bool| {
                let same = parts[..end].iter().rev();
                same.take_while(|&&part| self.guard(part).is_some_and(|(l, w, _)| test(l, w)))
                    .count()
            };
            let by_leaf = run(&|l, _| l == leaf);
            let by_word = if self.finds { run(&|_, w| w == word) } else { 0 };
            if by_word >= FIND && by_word > by_leaf {
                next = self.find(&parts[end - by_word..end], word, &place);
                end -= by_word;
            } else {
                next = self.by_leaf(&parts[end - by_leaf..end], &place);
                end -= by_leaf;
            }
        }
        next
    }

    /// Parts that ask one leaf for its value: at most one value is met.
    fn by_leaf(&mut self, parts: &[NodeId], place: &Place) -> BlockId {
        let mut seen: Vec<(Leaf, Word, Vec<NodeId>)> = Vec::new();
        for &part in parts {
            let Some((leaf, word, then)) = self.guard(part) else { continue };
            match seen.iter_mut().find(|(_, known, _)| *known == word) {
                Some((.., all)) => all.push(then),
                None => seen.push((leaf, word, vec![then])),
            }
        }
        let mut other = place.next;
        for (leaf, word, all) in seen.into_iter().rev() {
            let then = self.sequence(&all, place);
            other = self.block(Vec::new(), End::Is(leaf, word, then, other));
        }
        other
    }

    fn sequence(&mut self, parts: &[NodeId], place: &Place) -> BlockId {
        let mut next = place.next;
        for &part in parts.iter().rev() {
            next = self.node(part, &Place { next, ..place.clone() });
        }
        next
    }

    /// Parts that ask different leaves for one value.
    fn find(&mut self, parts: &[NodeId], word: Word, place: &Place) -> BlockId {
        let guards: Vec<(Leaf, Word, NodeId)> =
            parts.iter().filter_map(|&part| self.guard(part)).collect();
        // One after the other, if several leaves have it and may.
        let mut several = place.next;
        let guarded = if self.distinct { &[][..] } else { &guards[..] };
        for &(leaf, word, then) in guarded.iter().rev() {
            let then = self.node(then, &Place { next: several, ..place.clone() });
            several = self.block(Vec::new(), End::Is(leaf, word, then, several));
        }
        let mut at = vec![place.next; self.code.leaves];
        let mut leaves = 0;
        for &(leaf, ..) in &guards {
            if leaves >> leaf & 1 == 0 {
                leaves |= 1 << leaf;
                let of_leaf: Vec<NodeId> =
                    guards.iter().filter(|g| g.0 == leaf).map(|g| g.2).collect();
                at[usize::from(leaf)] = self.sequence(&of_leaf, place);
            }
        }
        self.code.finds.push(Find { word, leaves, at, none: place.next, several });
        self.block(Vec::new(), End::Find(self.code.finds.len() as u32 - 1))
    }

    /// The bag whose answers a test that always holds looks for, for the sake of errors.
    fn looked_for(&self, cond: Cond) -> Option<NodeId> {
        let Cond::Compare(Relation::LessEqual, zero, count) = cond else { return None };
        match (self.residual.const_value(zero), self.residual.exprs[count as usize]) {
            (Some(0), Expr::Count(bag)) => Some(bag),
            _ => None,
        }
    }

    /// Whether all answers of a bag are looked for anyhow, by the value that a node answers.
    fn comes_anyhow(&self, node: NodeId, bag: NodeId) -> bool {
        match *self.residual.node(node) {
            Node::If(cond, then, _) if self.looked_for(cond).is_some() => {
                self.comes_anyhow(then, bag)
            }
            Node::Answer(answer) => match self.residual.answers[answer as usize] {
                Answer::Value(Amount::Expr(expr)) => {
                    let mut aggregates = Vec::new();
                    self.aggregates(expr, &[], &mut aggregates);
                    aggregates.iter().any(|&expr| match self.residual.exprs[expr as usize] {
                        Expr::Count(other)
                        | Expr::Sum(other)
                        | Expr::Max(other)
                        | Expr::Min(other) => self.has_within(bag, other),
                        _ => false,
                    })
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether all answers of a bag are looked for where those of another are.
    fn has_within(&self, bag: NodeId, other: NodeId) -> bool {
        let parts = match (self.residual.node(other), self.residual.node(bag)) {
            _ if self.goes_alike(bag, other, &mut 2000) => return true,
            (Node::Alt(parts), Node::Alt(few)) => {
                let mut windows = parts.windows(few.len());
                return windows.any(|window| {
                    let mut pairs = few.iter().zip(window);
                    pairs.all(|(&a, &b)| self.goes_alike(a, b, &mut 2000))
                });
            }
            (Node::Alt(parts), _) => parts,
            _ => return false,
        };
        parts.iter().any(|&part| self.goes_alike(bag, part, &mut 2000))
    }

    /// Whether two bags differ in what their answers say alone.
    fn goes_alike(&self, a: NodeId, b: NodeId, most: &mut u32) -> bool {
        *most = most.saturating_sub(1);
        if a == b || *most == 0 {
            return a == b;
        }
        match (self.residual.node(a), self.residual.node(b)) {
            (Node::If(c, a1, a2), Node::If(d, b1, b2)) => {
                c == d && self.goes_alike(*a1, *b1, most) && self.goes_alike(*a2, *b2, most)
            }
            (Node::Alt(x), Node::Alt(y)) => {
                x.len() == y.len()
                    && x.iter().zip(y.iter()).all(|(&a, &b)| self.goes_alike(a, b, most))
            }
            (Node::Scope(l, a), Node::Scope(m, b)) | (Node::Commit(l, a), Node::Commit(m, b)) => {
                l == m && self.goes_alike(*a, *b, most)
            }
            (Node::Answer(_), Node::Answer(_)) => true,
            _ => false,
        }
    }

    fn test(&mut self, cond: Cond, then: NodeId, other: NodeId, place: &Place) -> BlockId {
        if self.looked_for(cond).is_some_and(|bag| self.comes_anyhow(then, bag)) {
            return self.node(then, place);
        }
        let exprs = match cond {
            Cond::Compare(_, a, b) => vec![a, b],
            _ => Vec::new(),
        };
        let (place, order) = self.computing(&exprs, place);
        let (then, other) = (self.node(then, &place.0), self.node(other, &place.0));
        let end = match cond {
            _ if then == other => End::Goto(then),
            Cond::Is(leaf, word) => End::Is(leaf, word, then, other),
            Cond::Same(a, b) => End::Same(a, b, then, other),
            Cond::Distinct => End::Distinct(then, other),
            Cond::Kind(leaf, kinds) => End::Kind(leaf, kinds, then, other),
            Cond::Compare(relation, a, b) => {
                End::Compare(relation, self.temp(a), self.temp(b), then, other)
            }
            Cond::Before(a, b) => End::Before(a, b, then, other),
        };
        self.computed(&exprs, order, &place.1, end, Vec::new())
    }

    /// The aggregates among the parts of some expressions, in the order of evaluation, and the
    /// place where they are known.
    fn computing(&mut self, exprs: &[ExprId], place: &Place) -> ((Place, Place), Vec<ExprId>) {
        let mut order = Vec::new();
        for &expr in exprs {
            self.aggregates(expr, &self.known[place.known as usize], &mut order);
        }
        let known = self.with_known(place.known, &order);
        ((Place { known, ..place.clone() }, place.clone()), order)
    }

    fn aggregates(&self, expr: ExprId, known: &[ExprId], order: &mut Vec<ExprId>) {
        match self.residual.exprs[expr as usize] {
            Expr::Const(_) | Expr::Leaf(_) => {}
            Expr::Binary(_, a, b) => {
                self.aggregates(a, known, order);
                self.aggregates(b, known, order);
            }
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => {
                if !known.contains(&expr) && !order.contains(&expr) {
                    order.push(expr);
                }
            }
        }
    }

    /// The block that computes expressions and then ends so.
    fn computed(
        &mut self,
        exprs: &[ExprId],
        aggregates: Vec<ExprId>,
        place: &Place,
        end: End,
        more: Vec<Step>,
    ) -> BlockId {
        let mut steps = Vec::new();
        for &expr in exprs {
            self.evaluate(expr, &mut steps);
        }
        steps.extend(more);
        let mut entry = self.block(steps, end);
        for (i, &expr) in aggregates.iter().enumerate().rev() {
            let known = self.with_known(place.known, &aggregates[..i]);
            let place = Place { known, next: entry, ..place.clone() };
            entry = self.aggregate(expr, &place);
        }
        entry
    }

    fn evaluate(&mut self, expr: ExprId, steps: &mut Vec<Step>) {
        let temp = self.temp(expr);
        match self.residual.exprs[expr as usize] {
            Expr::Const(value) => steps.push(Step::Const(temp, value)),
            Expr::Leaf(leaf) => steps.push(Step::Leaf(temp, leaf)),
            Expr::Binary(_, a, b) if self.tabulate(expr, a, b, steps) => {}
            Expr::Binary(op, a, b) => {
                self.evaluate(a, steps);
                self.evaluate(b, steps);
                let step = Step::Binary(op, temp, self.temp(a), self.temp(b));
                steps.push(step);
            }
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => {}
        }
    }

    /// Looks an expression up that depends on one leaf, if it has several parts.
    fn tabulate(&mut self, expr: ExprId, a: ExprId, b: ExprId, steps: &mut Vec<Step>) -> bool {
        let simple = |expr: ExprId| !matches!(self.residual.exprs[expr as usize], Expr::Binary(..));
        let mut leaf = None;
        if simple(a) && simple(b) || !self.depends_on(expr, &mut leaf) {
            return false;
        }
        let Some(leaf) = leaf.filter(|&leaf| self.narrow[usize::from(leaf)]) else { return false };
        let table = match self.tabulated.get(&expr) {
            Some(&table) => table,
            None => {
                let mut table = Box::new([NOTHING; 256]);
                let words = (0..).map(Word).zip(table.iter_mut());
                for (word, entry) in words.filter(|(word, _)| word.is_int()) {
                    *entry = self.value_at(expr, word).unwrap_or(NOTHING);
                }
                let table = self.add_table(&table);
                self.tabulated.insert(expr, table);
                table
            }
        };
        let temp = self.temp(expr);
        steps.push(Step::Const(temp, 0));
        steps.push(Step::Table(temp, leaf, table));
        true
    }

    fn add_table(&mut self, table: &[i64; 256]) -> u32 {
        match self.code.tables.iter().position(|known| known == table) {
            Some(number) => number as u32,
            None => {
                self.code.tables.push(*table);
                self.code.tables.len() as u32 - 1
            }
        }
    }

    /// The block that computes an aggregate.
    fn aggregate(&mut self, expr: ExprId, place: &Place) -> BlockId {
        let temp = self.temp(expr);
        let (bag, mode, start) = match self.residual.exprs[expr as usize] {
            Expr::Count(bag) => (bag, Mode::Count(temp), 0),
            Expr::Sum(bag) => (bag, Mode::Sum(temp), 0),
            Expr::Max(bag) => (bag, Mode::Max(temp), i64::MIN),
            Expr::Min(bag) => (bag, Mode::Min(temp), i64::MAX),
            _ => return place.next,
        };
        let mut steps = vec![Step::Const(temp, start)];
        let parts: Vec<NodeId> = match self.residual.node(bag) {
            Node::Alt(parts) => parts.to_vec(),
            _ => vec![bag],
        };
        // What depends on one leaf only is looked up.
        let mut rest = Vec::new();
        let mut tables: Vec<(Leaf, [i64; 256])> = Vec::new();
        let mut fixed = 0i64;
        let additive = matches!(mode, Mode::Count(_) | Mode::Sum(_));
        for part in parts {
            match if additive { self.table(part, mode) } else { None } {
                Some((None, table))
                    if table[0] != NOTHING && fixed.checked_add(table[0]).is_some() =>
                {
                    fixed += table[0];
                }
                Some((Some(leaf), table)) => match tables.iter_mut().find(|t| t.0 == leaf) {
                    Some((_, sum)) => {
                        for (sum, more) in sum.iter_mut().zip(table.iter()) {
                            *sum = if *sum == NOTHING || *more == NOTHING {
                                NOTHING
                            } else {
                                sum.checked_add(*more).unwrap_or(NOTHING)
                            };
                        }
                    }
                    None => tables.push((leaf, *table)),
                },
                _ => rest.push(part),
            }
        }
        if fixed != 0 {
            steps.push(Step::Add(temp, fixed));
        }
        for (leaf, table) in tables {
            let table = self.add_table(&table);
            steps.push(Step::Table(temp, leaf, table));
        }
        let scopes = Rc::new(Vec::new());
        let next = self.alternatives(&rest, &Place { mode, scopes, ..place.clone() });
        self.block(steps, End::Goto(next))
    }

    /// What a part adds to a sum, by the value of the one leaf it depends on.
    fn table(&mut self, part: NodeId, mode: Mode) -> Option<PartTable> {
        // PERF: what follows a choice may be compiled for each of its ways.
        let key = (part, matches!(mode, Mode::Count(_)));
        if let Some(known) = self.tabled.get(&key) {
            return known.clone();
        }
        let table = self.make_table(part, mode);
        self.tabled.insert(key, table.clone());
        table
    }

    fn make_table(&self, part: NodeId, mode: Mode) -> Option<PartTable> {
        let mut leaf = None;
        let mut nodes = 0;
        let mut asked = Vec::new();
        let mut computed = false;
        let other = self.residual.any(part, |node| {
            nodes += 1;
            match node {
                Node::If(Cond::Is(l, word), ..) => {
                    asked.push(*word);
                    *leaf.get_or_insert(*l) != *l
                }
                Node::If(Cond::Kind(l, _), ..) => *leaf.get_or_insert(*l) != *l,
                Node::If(Cond::Compare(_, a, b), ..) => {
                    computed = true;
                    !self.depends_on(*a, &mut leaf) || !self.depends_on(*b, &mut leaf)
                }
                Node::If(..) => true,
                Node::Answer(answer) => match &self.residual.answers[*answer as usize] {
                    Answer::Item { value: Some(value), .. } => {
                        computed |= self.residual.const_value(*value).is_none();
                        matches!(mode, Mode::Sum(_)) && !self.depends_on(*value, &mut leaf)
                    }
                    Answer::Item { value: None, .. } => matches!(mode, Mode::Sum(_)),
                    _ => true,
                },
                _ => false,
            }
        });
        if other || nodes > 2000 || leaf.is_some_and(|leaf| !self.narrow[usize::from(leaf)]) {
            return None;
        }
        let value = |word| {
            let mut sum = 0i64;
            let known = self.add_up(part, word, mode, &mut sum, 0);
            known.map_or(NOTHING, |_| sum)
        };
        // What is not asked for and not computed with is alike for all of one kind.
        let mut of_kind = [None; 1 + kind::ANY as usize];
        let mut table = [NOTHING; 256];
        for (word, entry) in (0..).map(Word).zip(table.iter_mut()) {
            *entry = if computed || asked.contains(&word) {
                value(word)
            } else {
                *of_kind[usize::from(word.kind())].get_or_insert_with(|| value(word))
            };
        }
        Some((leaf, Rc::new(table)))
    }

    /// Whether an expression depends on one leaf at most, which is the one given if there is one.
    fn depends_on(&self, expr: ExprId, leaf: &mut Option<Leaf>) -> bool {
        match self.residual.exprs[expr as usize] {
            Expr::Const(_) => true,
            Expr::Leaf(own) => *leaf.get_or_insert(own) == own,
            Expr::Binary(_, a, b) => self.depends_on(a, leaf) && self.depends_on(b, leaf),
            Expr::Count(_) | Expr::Sum(_) | Expr::Max(_) | Expr::Min(_) => false,
        }
    }

    /// The value of an expression that depends on one leaf at most.
    fn value_at(&self, expr: ExprId, word: Word) -> Option<i64> {
        match self.residual.exprs[expr as usize] {
            Expr::Const(value) => Some(value),
            Expr::Leaf(_) => word.is_int().then(|| word.int_value()),
            Expr::Binary(op, a, b) => op.apply(self.value_at(a, word)?, self.value_at(b, word)?),
            _ => None,
        }
    }

    /// Runs a part for a value of its leaf; the label it left for, or `None` for the machine.
    fn add_up(
        &self,
        node: NodeId,
        word: Word,
        mode: Mode,
        sum: &mut i64,
        depth: u32,
    ) -> Option<Option<Label>> {
        if depth > 500 {
            return None;
        }
        match self.residual.node(node) {
            Node::Fail => Some(None),
            Node::Alt(parts) => {
                for &part in parts {
                    let left = self.add_up(part, word, mode, sum, depth + 1)?;
                    if left.is_some() {
                        return Some(left);
                    }
                }
                Some(None)
            }
            Node::If(cond, a, b) => {
                let holds = match cond {
                    Cond::Is(_, other) => *other == word,
                    Cond::Kind(_, kinds) => word.kind() & kinds != 0,
                    Cond::Compare(relation, a, b) => {
                        relation.holds(self.value_at(*a, word)?, self.value_at(*b, word)?)
                    }
                    _ => return None,
                };
                self.add_up(if holds { *a } else { *b }, word, mode, sum, depth + 1)
            }
            Node::Scope(label, inner) => {
                let left = self.add_up(*inner, word, mode, sum, depth + 1)?;
                Some(left.filter(|left| left != label))
            }
            Node::Commit(label, inner) => {
                let left = self.add_up(*inner, word, mode, sum, depth + 1)?;
                Some(Some(left.unwrap_or(*label)))
            }
            Node::Answer(answer) => {
                let value = match (mode, &self.residual.answers[*answer as usize]) {
                    (Mode::Count(_), _) => 1,
                    (_, Answer::Item { value: Some(value), .. }) => self.value_at(*value, word)?,
                    _ => return None,
                };
                *sum = sum.checked_add(value)?;
                Some(None)
            }
            Node::Deopt(_) => None,
        }
    }

    fn answer(&mut self, answer: u32, place: &Place) -> BlockId {
        let residual = self.residual;
        match (place.mode, &residual.answers[answer as usize]) {
            (Mode::Top, Answer::True) => self.block(Vec::new(), End::True),
            (Mode::Top, &Answer::Value(amount)) => {
                let exprs = match amount {
                    Amount::Expr(expr) => vec![expr],
                    Amount::Float(_) => Vec::new(),
                };
                let (places, order) = self.computing(&exprs, place);
                let temp = exprs.first().map_or(0, |&expr| self.temp(expr));
                self.computed(&exprs, order, &places.1, End::Value(amount, temp), Vec::new())
            }
            (Mode::Top, Answer::Successor { name, cost, to }) => {
                let mut exprs = Vec::new();
                let sources = name.leaves.iter().chain(to.leaves.iter());
                exprs.extend(sources.filter_map(|source| match source {
                    Source::Expr(expr) => Some(*expr),
                    _ => None,
                }));
                if let Some(Amount::Expr(expr)) = cost
                    && residual.const_value(*expr).is_none()
                {
                    exprs.push(*expr);
                }
                let (places, order) = self.computing(&exprs, place);
                let number = match self.moves.get(&answer) {
                    Some(&number) => number,
                    None => {
                        let cost = cost.map(|cost| match cost {
                            Amount::Float(bits) => Cost::Fixed(Number::Float(f64::from_bits(bits))),
                            Amount::Expr(expr) => match residual.const_value(expr) {
                                Some(value) => Cost::Fixed(Number::Int(value)),
                                None => Cost::Temp(self.temp(expr)),
                            },
                        });
                        let (name, to) = (self.template(name), self.template(to));
                        let same = to.shape == self.code.shape;
                        let writes = same.then(|| writes(&to.leaves));
                        self.code.moves.push(Move { name, cost, to, writes });
                        let number = self.code.moves.len() as u32 - 1;
                        self.moves.insert(answer, number);
                        number
                    }
                };
                let end = End::Goto(place.next);
                self.computed(&exprs, order, &places.1, end, vec![Step::Move(number)])
            }
            (Mode::Count(temp), _) => self.block(vec![Step::Add(temp, 1)], End::Goto(place.next)),
            (mode, &Answer::Item { value: Some(value), .. }) => {
                let (op, to) = match mode {
                    Mode::Max(to) => (BinaryOp::Max, to),
                    Mode::Min(to) => (BinaryOp::Min, to),
                    Mode::Sum(to) | Mode::Count(to) => (BinaryOp::Add, to),
                    Mode::Top => return self.block(Vec::new(), End::Deopt(0)),
                };
                let (places, order) = self.computing(&[value], place);
                let step = Step::Binary(op, to, to, self.temp(value));
                self.computed(&[value], order, &places.1, End::Goto(place.next), vec![step])
            }
            _ => {
                self.too_large = true;
                place.next
            }
        }
    }

    fn template(&mut self, built: &Built) -> Template {
        let holes = built.leaves.iter().map(|source| match *source {
            Source::Word(word) => Hole::Word(word),
            Source::Leaf(leaf) => Hole::Leaf(leaf),
            Source::Expr(expr) => Hole::Temp(self.temp(expr)),
            Source::Fresh => Hole::Word(Word::VAR),
        });
        Template { shape: built.shape, leaves: holes.collect() }
    }

    /// Joins chains of tests of one leaf into switches.
    fn switches(&mut self) {
        let mut joined = vec![false; self.code.blocks.len()];
        // The head of a chain was made after what follows it.
        for at in (0..self.code.blocks.len()).rev() {
            let End::Is(leaf, ..) = self.code.blocks[at].end else { continue };
            if joined[at] {
                continue;
            }
            let mut cases: Vec<(Word, BlockId)> = Vec::new();
            let mut block = at;
            let other = loop {
                match self.code.blocks[block].end {
                    End::Is(l, word, then, other)
                        if l == leaf
                            && (block == at || self.code.blocks[block].steps.is_empty()) =>
                    {
                        joined[block] = true;
                        if !cases.iter().any(|(known, _)| *known == word) {
                            cases.push((word, then));
                        }
                        block = other as usize;
                    }
                    End::Goto(next) if self.code.blocks[block].steps.is_empty() => {
                        block = next as usize;
                    }
                    _ => break block as BlockId,
                }
            };
            if cases.len() < SWITCH {
                continue;
            }
            let mut narrow = Box::new([other; 256]);
            let mut wide = Vec::new();
            for (word, block) in cases {
                match word.byte() {
                    Some(byte) => narrow[usize::from(byte)] = block,
                    None => wide.push((word, block)),
                }
            }
            self.code.switches.push(Switch { narrow, wide, other });
            self.code.blocks[at].end = End::Switch(leaf, self.code.switches.len() as u32 - 1);
        }
    }
}

/// The leaves that change.
pub fn writes(leaves: &[Hole]) -> Vec<(Leaf, Hole)> {
    let all = leaves.iter().enumerate();
    all.filter(|&(i, hole)| *hole != Hole::Leaf(i as Leaf))
        .map(|(i, &hole)| (i as Leaf, hole))
        .collect()
}
