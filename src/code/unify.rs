//! Unification, identity and standard order of terms with leaves.

use super::residual::{Cond, Expr, ExprId, Operand, Relation, kind};
use super::run::{Run, Stop, Taken};
use super::terms::View;
use std::cmp::Ordering;
use zug_state::Word;
use zug_term::Cell;

/// Pairs of subterms that are looked at before a goal is given up.
const MOST_PAIRS: usize = 1 << 16;

impl Run<'_> {
    /// Goes through two terms, with the list of pairs that are still to be looked at.
    fn through<T>(
        &mut self,
        (a, b): (Cell, Cell),
        go: impl FnOnce(&mut Self, &mut Vec<(Cell, Cell)>) -> Taken<T>,
    ) -> Taken<T> {
        // PERF: one list for all.
        let mut todo = std::mem::take(&mut self.pairs);
        todo.clear();
        todo.push((a, b));
        let taken = go(self, &mut todo);
        self.pairs = todo;
        taken
    }

    /// Makes two terms equal.
    pub fn unify(&mut self, a: Cell, b: Cell) -> Taken<()> {
        self.through((a, b), Self::unify_all)
    }

    fn unify_all(&mut self, todo: &mut Vec<(Cell, Cell)>) -> Taken<()> {
        let mut pairs = 0;
        while let Some((a, b)) = todo.pop() {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return Err(Stop::Deopt("the terms are too large".to_owned(), false));
            }
            let (left, right) = (self.view(a), self.view(b));
            match (left, right) {
                (View::Var(x), View::Var(y)) if x == y => {}
                // The younger variable is bound, so that none points into what may go.
                (View::Var(x), View::Var(y)) if x < y => self.bind(y, Cell::reference(x)),
                (View::Var(x), _) => {
                    let b = self.heap.deref(b);
                    self.bind(x, b);
                }
                (_, View::Var(y)) => {
                    let a = self.heap.deref(a);
                    self.bind(y, a);
                }
                (View::Leaf(x), View::Leaf(y)) if x == y => {}
                (View::Leaf(_), _) => self.unify_leaf(left, right, b)?,
                (_, View::Leaf(_)) => self.unify_leaf(right, left, a)?,
                (View::List(x), View::List(y)) => {
                    todo.push((self.heap.at(x + 1), self.heap.at(y + 1)));
                    todo.push((self.heap.at(x), self.heap.at(y)));
                }
                (View::Struct(f, x), View::Struct(g, y)) => {
                    if f != g {
                        return Err(Stop::Fail);
                    }
                    let args = (0..f.functor_arity()).rev();
                    todo.extend(args.map(|i| (self.heap.at(x + i), self.heap.at(y + i))));
                }
                (View::Bag(x), View::Bag(y)) if x == y => {}
                (View::Bag(bag), _) => {
                    if matches!(right, View::Const(c) if c == Cell::NIL) {
                        if !self.is_empty(bag)? {
                            return Err(Stop::Fail);
                        }
                    } else if matches!(right, View::List(_) | View::Bag(_)) {
                        let list = self.open(bag)?;
                        todo.push((list, b));
                    } else {
                        return Err(Stop::Fail);
                    }
                }
                (_, View::Bag(_)) => todo.push((b, a)),
                (View::Expr(x), View::Expr(y)) => {
                    if !self.equal(x, y)? {
                        return Err(Stop::Fail);
                    }
                }
                (View::Expr(x), View::Const(c)) | (View::Const(c), View::Expr(x)) => {
                    if !self.expr_is(x, c)? {
                        return Err(Stop::Fail);
                    }
                }
                (View::Const(x), View::Const(y)) => {
                    if x != y && !(x.is_boxed() && zug_term::structural_eq(&self.heap, x, y)) {
                        return Err(Stop::Fail);
                    }
                }
                _ => return Err(Stop::Fail),
            }
        }
        Ok(())
    }

    /// Makes a leaf equal to a term that is no variable of the rules.
    fn unify_leaf(&mut self, leaf: View, other: View, cell: Cell) -> Taken<()> {
        let View::Leaf(leaf) = leaf else { return Err(Stop::Fail) };
        if self.ask(Cond::Kind(leaf, kind::VAR))? {
            let cell = self.heap.deref(cell);
            self.known.bind(leaf, cell);
            return Ok(());
        }
        let same = match other {
            View::Leaf(other) => {
                if self.ask(Cond::Kind(other, kind::VAR))? {
                    let cell = super::terms::leaf_cell(&mut self.heap, leaf);
                    self.known.bind(other, cell);
                    return Ok(());
                }
                self.same_leaf(leaf, other)?
            }
            View::Const(constant) => self.leaf_is(leaf, constant)?,
            View::Expr(expr) => self.leaf_equals(leaf, expr)?,
            View::Bag(bag) => {
                let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                self.ask(Cond::Is(leaf, nil))? && self.is_empty(bag)?
            }
            _ => false,
        };
        if same { Ok(()) } else { Err(Stop::Fail) }
    }

    fn same_leaf(&self, a: u16, b: u16) -> Taken<bool> {
        // A known value says more than equality.
        match (self.known.leaf(a).is, self.known.leaf(b).is) {
            (Some(word), None) => self.ask(Cond::Is(b, word)),
            (None, Some(word)) => self.ask(Cond::Is(a, word)),
            _ => self.ask(Cond::Same(a.min(b), a.max(b))),
        }
    }

    /// Whether a leaf is a constant.
    fn leaf_is(&mut self, leaf: u16, constant: Cell) -> Taken<bool> {
        match self.words.word(constant) {
            Some(word) => self.ask(Cond::Is(leaf, word)),
            None => Ok(false),
        }
    }

    fn leaf_equals(&mut self, leaf: u16, expr: ExprId) -> Taken<bool> {
        if !self.ask(Cond::Kind(leaf, kind::INT))? {
            return Ok(false);
        }
        let leaf = self.residual.expr(Expr::Leaf(leaf)).expect("a leaf has a value");
        self.equal(leaf, expr)
    }

    /// Whether an integer is a constant.
    fn expr_is(&mut self, expr: ExprId, constant: Cell) -> Taken<bool> {
        match self.heap.value(constant) {
            zug_term::Value::Int(value) => {
                let value = self.residual.constant(value);
                self.equal(expr, value)
            }
            zug_term::Value::Big(_) => {
                Err(Stop::Deopt("a large integer is compared".to_owned(), false))
            }
            _ => Ok(false),
        }
    }

    /// Whether two integers are equal.
    pub fn equal(&self, a: ExprId, b: ExprId) -> Taken<bool> {
        use super::residual::Expr::{Const, Leaf};
        if let (Some(x), Some(y)) = (self.fold(a), self.fold(b)) {
            return Ok(x == y);
        }
        let exprs = &self.residual.exprs;
        match (exprs[a as usize], exprs[b as usize]) {
            (Const(x), Const(y)) => Ok(x == y),
            (Leaf(leaf), Const(value)) | (Const(value), Leaf(leaf)) => match Word::int(value) {
                Some(word) => self.ask(Cond::Is(leaf, word)),
                None => Ok(false),
            },
            (Leaf(x), Leaf(y)) => self.same_leaf(self.known.root(x), self.known.root(y)),
            _ => self.ask(Cond::Compare(Relation::Equal, a.min(b), a.max(b))),
        }
    }

    /// Whether one integer is less than another.
    pub fn less(&self, a: ExprId, b: ExprId) -> Taken<bool> {
        match (self.fold(a), self.fold(b)) {
            (Some(x), Some(y)) => Ok(x < y),
            _ => self.ask(Cond::Compare(Relation::Less, a, b)),
        }
    }

    /// Whether two terms are identical.
    pub fn identical(&mut self, a: Cell, b: Cell) -> Taken<bool> {
        self.through((a, b), Self::all_identical)
    }

    fn all_identical(&mut self, todo: &mut Vec<(Cell, Cell)>) -> Taken<bool> {
        let mut pairs = 0;
        while let Some((a, b)) = todo.pop() {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return Err(Stop::Deopt("the terms are too large".to_owned(), false));
            }
            let same = match (self.view(a), self.view(b)) {
                (View::Var(x), View::Var(y)) => x == y,
                (View::Leaf(x), View::Leaf(y)) if x == y => true,
                (View::Leaf(x), View::Leaf(y)) => {
                    !self.ask(Cond::Kind(x, kind::VAR))?
                        && !self.ask(Cond::Kind(y, kind::VAR))?
                        && self.same_leaf(x, y)?
                }
                (View::Leaf(leaf), View::Const(c)) | (View::Const(c), View::Leaf(leaf)) => {
                    self.leaf_is(leaf, c)?
                }
                (View::Leaf(leaf), View::Expr(e)) | (View::Expr(e), View::Leaf(leaf)) => {
                    self.leaf_equals(leaf, e)?
                }
                (View::List(x), View::List(y)) => {
                    todo.push((self.heap.at(x + 1), self.heap.at(y + 1)));
                    todo.push((self.heap.at(x), self.heap.at(y)));
                    true
                }
                (View::Struct(f, x), View::Struct(g, y)) => {
                    let args = if f == g { f.functor_arity() } else { 0 };
                    let args = (0..args).rev();
                    todo.extend(args.map(|i| (self.heap.at(x + i), self.heap.at(y + i))));
                    f == g
                }
                (View::Expr(x), View::Expr(y)) => self.equal(x, y)?,
                (View::Expr(x), View::Const(c)) | (View::Const(c), View::Expr(x)) => {
                    self.expr_is(x, c)?
                }
                (View::Bag(bag), View::Const(c)) | (View::Const(c), View::Bag(bag)) => {
                    c == Cell::NIL && self.is_empty(bag)?
                }
                (View::Bag(bag), View::List(_) | View::Bag(_)) => {
                    let list = self.open(bag)?;
                    todo.push((list, b));
                    true
                }
                (View::List(_), View::Bag(bag)) => {
                    let list = self.open(bag)?;
                    todo.push((a, list));
                    true
                }
                (View::Const(x), View::Const(y)) => {
                    x == y || x.is_boxed() && zug_term::structural_eq(&self.heap, x, y)
                }
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How two terms stand in the standard order.
    pub fn compare(&mut self, a: Cell, b: Cell) -> Taken<Ordering> {
        self.through((a, b), Self::compare_all)
    }

    fn compare_all(&mut self, todo: &mut Vec<(Cell, Cell)>) -> Taken<Ordering> {
        let mut pairs = 0;
        while let Some((a, b)) = todo.pop() {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return Err(Stop::Deopt("the terms are too large".to_owned(), false));
            }
            let order = match (self.view(a), self.view(b)) {
                (View::List(x), View::List(y)) => {
                    todo.push((self.heap.at(x + 1), self.heap.at(y + 1)));
                    todo.push((self.heap.at(x), self.heap.at(y)));
                    Ordering::Equal
                }
                (View::Struct(f, x), View::Struct(g, y)) if f == g => {
                    let args = (0..f.functor_arity()).rev();
                    todo.extend(args.map(|i| (self.heap.at(x + i), self.heap.at(y + i))));
                    Ordering::Equal
                }
                (View::Bag(bag), _) => {
                    let list = self.open(bag)?;
                    todo.push((list, b));
                    Ordering::Equal
                }
                (_, View::Bag(bag)) => {
                    let list = self.open(bag)?;
                    todo.push((a, list));
                    Ordering::Equal
                }
                (x, y) => self.compare_others(x, y, a, b)?,
            };
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// As [`Run::compare`], where not both are compounds of one kind.
    fn compare_others(&mut self, x: View, y: View, a: Cell, b: Cell) -> Taken<Ordering> {
        let unbound = |run: &Run<'_>, view| match view {
            View::Leaf(leaf) => run.ask(Cond::Kind(leaf, kind::VAR)),
            view => Ok(matches!(view, View::Var(_))),
        };
        let (var_a, var_b) = (unbound(self, x)?, unbound(self, y)?);
        match (var_a, var_b) {
            (true, true) if x == y => return Ok(Ordering::Equal),
            (true, true) => return Err(Stop::Deopt("variables have no known order".into(), false)),
            (true, false) => return Ok(Ordering::Less),
            (false, true) => return Ok(Ordering::Greater),
            (false, false) => {}
        }
        let compound = |view| matches!(view, View::List(_) | View::Struct(..));
        match (compound(x), compound(y)) {
            (true, true) => {
                // Other names or arities: they alone decide.
                let (a, b) = (self.functor_term(a), self.functor_term(b));
                return Ok(zug_term::compare(&self.heap, &self.machine.symbols, a, b));
            }
            (true, false) => return Ok(Ordering::Greater),
            (false, true) => return Ok(Ordering::Less),
            (false, false) => {}
        }
        if let (View::Const(a), View::Const(b)) = (x, y) {
            return Ok(zug_term::compare(&self.heap, &self.machine.symbols, a, b));
        }
        if self.identical(a, b)? {
            return Ok(Ordering::Equal);
        }
        let boxed = |view| matches!(view, View::Const(cell) if cell.is_boxed());
        match (self.integer(x)?, self.integer(y)?) {
            (Some(a), Some(b)) => {
                return Ok(if self.less(a, b)? { Ordering::Less } else { Ordering::Greater });
            }
            (Some(_), None) if !boxed(y) => return Ok(Ordering::Less),
            (None, Some(_)) if !boxed(x) => return Ok(Ordering::Greater),
            _ => {}
        }
        let (a, b) = (self.operand(x)?, self.operand(y)?);
        let before = self.ask(Cond::Before(a, b))?;
        Ok(if before { Ordering::Less } else { Ordering::Greater })
    }

    /// A compound with variables for arguments.
    fn functor_term(&mut self, cell: Cell) -> Cell {
        let cell = match self.view(cell) {
            View::List(addr) => Cell::list(addr),
            View::Struct(_, args) => Cell::structure(args - 1),
            _ => return cell,
        };
        let Some((name, arity, _)) = self.heap.name_arity(cell) else { return cell };
        let args: Vec<Cell> = (0..arity).map(|_| Cell::ZERO).collect();
        self.heap.new_struct(name, &args)
    }

    /// The integer that a term is, if it is one.
    pub fn integer(&mut self, view: View) -> Taken<Option<ExprId>> {
        Ok(match view {
            View::Expr(expr) => Some(expr),
            View::Const(c) => c.as_int().map(|value| self.residual.constant(value)),
            View::Leaf(leaf) => {
                if self.ask(Cond::Kind(leaf, kind::INT))? {
                    self.residual.expr(Expr::Leaf(leaf))
                } else {
                    None
                }
            }
            _ => None,
        })
    }

    fn operand(&mut self, view: View) -> Taken<Operand> {
        let unknown = || Stop::Deopt("the terms have no known order".to_owned(), false);
        match view {
            View::Leaf(leaf) => Ok(Operand::Leaf(leaf)),
            View::Const(c) => self.words.word(c).map(Operand::Word).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }
}
