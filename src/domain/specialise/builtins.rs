//! Built-ins in the symbolic run: control, comparison, terms, all solutions.

use super::arithmetic::Value;
use super::ops::{Op, TypeTest};
use super::residual::{Answer, Cond, Expr, FAIL, Node, NodeId, kind};
use super::run::{Context, Frame, Rest, Run, Site, Step, Stop, Taken};
use super::terms::{self, View};
use crate::machine::PredId;
use crate::symbol::atoms;
use crate::term::{self, Cell, Record};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Where a goal is called.
pub struct At<'r> {
    pub site: Site,
    pub next: &'r Rest,
    pub depth: u32,
}

/// The most answers of `between/3` and elements of a new list.
const MOST_NUMBERS: i64 = 1000;

fn deopt<T>(what: &str) -> Taken<T> {
    Err(Stop::Deopt(what.to_owned(), false))
}

fn holds(outcome: bool, at: &At<'_>) -> Taken<Step> {
    if outcome { Ok(Step::Next(at.next.clone())) } else { Err(Stop::Fail) }
}

/// Runs a built-in.
pub fn call(run: &mut Run<'_>, op: Op, args: &[Cell], at: &At<'_>) -> Taken<Step> {
    let done = |()| Step::Next(at.next.clone());
    match op {
        Op::Unify => run.unify(args[0], args[1]).map(done),
        Op::NotUnify => {
            let goal = run.heap.new_struct(atoms::UNIFY, args);
            run.negation(goal, at.site, at.next)
        }
        Op::Identical => holds(run.identical(args[0], args[1])?, at),
        Op::NotIdentical => holds(!run.identical(args[0], args[1])?, at),
        Op::Before { swap, negate } => {
            let order = run.compare(args[usize::from(swap)], args[usize::from(!swap)])?;
            holds((order == Ordering::Less) != negate, at)
        }
        Op::Compare => {
            let order = match run.compare(args[1], args[2])? {
                Ordering::Less => atoms::NUM_LT,
                Ordering::Equal => atoms::UNIFY,
                Ordering::Greater => atoms::NUM_GT,
            };
            match run.view(args[0]) {
                View::Var(_) => {}
                View::Const(c)
                    if matches!(
                        c.as_atom(),
                        Some(atoms::NUM_LT | atoms::UNIFY | atoms::NUM_GT)
                    ) => {}
                _ => return deopt("compare/3 with an order that is none"),
            }
            run.unify(args[0], Cell::atom(order)).map(done)
        }
        Op::Is => {
            let value = run.eval(args[1])?;
            let value = run.value_cell(value);
            run.unify(args[0], value).map(done)
        }
        Op::Less { swap, negate } => {
            let (first, second) = (run.eval(args[0])?, run.eval(args[1])?);
            let (x, y) = if swap { (second, first) } else { (first, second) };
            let less = match (x, y) {
                (Value::Int(x), Value::Int(y)) => run.less(x, y)?,
                (x, y) => run.known_order(x, y)? == Ordering::Less,
            };
            holds(less != negate, at)
        }
        Op::NumEqual | Op::NumNotEqual => {
            let equal = match (run.eval(args[0])?, run.eval(args[1])?) {
                (Value::Int(x), Value::Int(y)) => run.equal(x, y)?,
                (x, y) => run.known_order(x, y)? == Ordering::Equal,
            };
            holds(equal == (op == Op::NumEqual), at)
        }
        Op::Type(test) => {
            let outcome = run.type_test(test, args[0])?;
            holds(outcome, at)
        }
        Op::Ground => holds(run.is_ground(args[0])?, at),
        Op::Functor => run.functor(args).map(done),
        Op::Arg => run.arg(args).map(done),
        Op::Univ => run.univ(args).map(done),
        Op::CopyTerm => {
            let copy = run.copy(args[0])?;
            run.unify(copy, args[1]).map(done)
        }
        Op::Findall | Op::FindallTail => {
            let list = run.findall(args[0], args[1], at)?;
            if op == Op::Findall {
                return run.unify(args[2], list).map(done);
            }
            let list = run.known_list(list)?;
            let list = run.heap.list_from(&list, args[3]);
            run.unify(args[2], list).map(done)
        }
        Op::Forall => {
            let not = run.heap.new_struct(atoms::NOT_PROVABLE, &args[1..2]);
            let call = run.heap.new_struct(atoms::CALL, &args[..1]);
            let both = run.heap.new_struct(atoms::COMMA, &[call, not]);
            run.negation(both, at.site, at.next)
        }
        Op::Not => run.negation(args[0], at.site, at.next),
        Op::Once | Op::Ignore => {
            let other = if op == Op::Once { atoms::FAIL } else { atoms::TRUE };
            let true_ = Cell::atom(atoms::TRUE);
            run.if_then_else([args[0], true_, Cell::atom(other)], at.site, at.next)
        }
        // An exception is for the machine anyhow.
        Op::Catch => Ok(Step::Next(Run::then(Frame::Call(args[0], at.site), at.next))),
        Op::AggregateAll => run.aggregate_all(args, at),
        Op::Between => run.between(args, at),
        Op::Length => run.length(args, at),
        Op::MemberCheck => {
            run.known_list_or_bag(args[1])?;
            let member = run.machine.symbols.intern("member");
            let goal = run.heap.new_struct(member, args);
            let goal = run.heap.new_struct(atoms::COLON, &[Cell::atom(atoms::SYSTEM), goal]);
            let [true_, fail] = [atoms::TRUE, atoms::FAIL].map(Cell::atom);
            run.if_then_else([goal, true_, fail], at.site, at.next)
        }
        Op::SumList => {
            let sum = run.sum(args[0])?;
            run.unify(args[1], sum).map(done)
        }
        Op::MaxList | Op::MinList => {
            let extreme = run.extreme(args[0], op == Op::MaxList)?;
            run.unify(args[1], extreme).map(done)
        }
        Op::Reversed => {
            let mut items = run.known_list(args[0])?;
            items.reverse();
            let list = run.heap.list_from(&items, Cell::NIL);
            run.unify(args[1], list).map(done)
        }
        Op::Sort | Op::Msort | Op::ListToSet => {
            let list = run.sorted(op, args[0])?;
            run.unify(args[1], list).map(done)
        }
        Op::Nth => {
            let mut rest = args[1];
            for _ in 0..run.known_int(args[0])? {
                rest = run.tail(rest)?.1;
            }
            let (item, _) = run.tail(rest)?;
            run.unify(args[2], item).map(done)
        }
        Op::Succ => run.succ(args).map(done),
        Op::Plus => run.plus(args).map(done),
        Op::PartialList => match run.view(args[0]) {
            View::Var(_) | View::Bag(_) => Ok(done(())),
            _ => run.known_list(args[0]).map(|_| done(())),
        },
        Op::IsList => {
            let outcome = run.is_list(args[0])?;
            holds(outcome, at)
        }
        Op::NumList => {
            let (low, high) = (run.known_int(args[0])?, run.known_int(args[1])?);
            if high < low {
                return Err(Stop::Fail);
            }
            if high.saturating_sub(low) > MOST_NUMBERS {
                return deopt("the list is too long");
            }
            let items: Vec<Cell> = (low..=high).map(Cell::small).collect();
            let list = run.heap.list_from(&items, Cell::NIL);
            run.unify(args[2], list).map(done)
        }
    }
}

impl Run<'_> {
    /// The order of two numbers that are known.
    fn known_order(&mut self, x: Value, y: Value) -> Taken<Ordering> {
        let (x, y) = (self.value_cell(x), self.value_cell(y));
        let number = |run: &Self, cell: Cell| match run.view(cell) {
            View::Const(cell) => match run.heap.value(cell) {
                term::Value::Int(value) if value.unsigned_abs() < 1 << 52 => Ok(value as f64),
                term::Value::Float(value) if !value.is_nan() => Ok(value),
                _ => deopt("a large number is compared"),
            },
            _ => deopt("a float is compared with a value that is not known"),
        };
        let (x, y) = (number(self, x)?, number(self, y)?);
        x.partial_cmp(&y).ok_or_else(|| Stop::Deopt("not a number".to_owned(), false))
    }

    fn type_test(&mut self, test: TypeTest, cell: Cell) -> Taken<bool> {
        use TypeTest as T;
        Ok(match self.view(cell) {
            View::Var(_) => test == T::Var,
            View::Leaf(leaf) => {
                let kinds = match test {
                    T::Var => kind::VAR,
                    T::Nonvar | T::Atomic => kind::INT | kind::CONST,
                    T::Atom | T::Callable => kind::CONST,
                    T::Integer | T::Number => kind::INT,
                    T::Float | T::Compound | T::Text => return Ok(false),
                };
                self.ask(Cond::Kind(leaf, kinds))?
            }
            View::Expr(_) => matches!(test, T::Nonvar | T::Integer | T::Number | T::Atomic),
            View::List(_) | View::Struct(..) => {
                matches!(test, T::Nonvar | T::Compound | T::Callable)
            }
            View::Bag(bag) => match test {
                T::Var => false,
                T::Nonvar | T::Callable => true,
                T::Compound => !self.is_empty(bag)?,
                T::Atom | T::Atomic => self.is_empty(bag)?,
                T::Integer | T::Number | T::Float | T::Text => false,
            },
            View::Const(cell) => match test {
                T::Var | T::Compound => false,
                T::Nonvar | T::Atomic => true,
                T::Atom | T::Callable => cell.is_atom(),
                T::Integer => {
                    matches!(self.heap.value(cell), term::Value::Int(_) | term::Value::Big(_))
                }
                T::Float => matches!(self.heap.value(cell), term::Value::Float(_)),
                T::Number => {
                    !matches!(self.heap.value(cell), term::Value::Atom(_) | term::Value::Str(_))
                }
                T::Text => matches!(self.heap.value(cell), term::Value::Str(_)),
            },
        })
    }

    fn is_ground(&mut self, cell: Cell) -> Taken<bool> {
        let mut todo = vec![cell];
        let mut cells = 0;
        while let Some(cell) = todo.pop() {
            cells += 1;
            if cells > 1 << 14 {
                return deopt("the term is too large");
            }
            match self.view(cell) {
                View::Var(_) => return Ok(false),
                View::Leaf(leaf) => {
                    if self.ask(Cond::Kind(leaf, kind::VAR))? {
                        return Ok(false);
                    }
                }
                View::List(addr) => todo.extend([self.heap.at(addr), self.heap.at(addr + 1)]),
                View::Struct(header, args) => {
                    todo.extend((0..header.functor_arity()).map(|i| self.heap.at(args + i)));
                }
                View::Bag(bag) => todo.push(self.open(bag)?),
                View::Const(_) | View::Expr(_) => {}
            }
        }
        Ok(true)
    }

    /// A known integer; leaves are asked for their values.
    pub fn known_int(&mut self, cell: Cell) -> Taken<i64> {
        match self.view(cell) {
            View::Const(c) => match c.as_int() {
                Some(value) => Ok(value),
                None => deopt("an integer is expected"),
            },
            View::Leaf(leaf) => {
                if !self.ask(Cond::Kind(leaf, kind::INT))? {
                    return deopt("an integer is expected");
                }
                self.concretise(leaf)?;
                deopt("an integer is expected")
            }
            View::Expr(expr) => {
                self.concretise_expr(expr)?;
                deopt("an integer is expected")
            }
            _ => deopt("an integer is expected"),
        }
    }

    fn functor(&mut self, args: &[Cell]) -> Taken<()> {
        let (name, arity) = match self.view(args[0]) {
            View::Var(_) => {
                let arity = self.known_int(args[2])?;
                if !(0..=100).contains(&arity) {
                    return deopt("functor/3 with such an arity");
                }
                let View::Const(name) = self.view(args[1]) else {
                    return deopt("functor/3 with a name that is not known");
                };
                let term = match (arity, name.as_atom()) {
                    (0, _) => name,
                    (_, Some(name)) => {
                        let vars: Vec<Cell> = (0..arity).map(|_| self.heap.new_var()).collect();
                        self.heap.new_struct(name, &vars)
                    }
                    _ => return deopt("functor/3 with such a name"),
                };
                return self.unify(args[0], term);
            }
            View::Leaf(leaf) => {
                if self.ask(Cond::Kind(leaf, kind::VAR))? {
                    return deopt("functor/3 of an unbound leaf");
                }
                (args[0], 0)
            }
            View::Bag(bag) => {
                let list = self.open(bag)?;
                return self.functor(&[list, args[1], args[2]]);
            }
            View::Const(_) | View::Expr(_) => (args[0], 0),
            // The list constructor's name is the machine's own affair.
            View::List(_) => return deopt("functor/3 of a list cell"),
            View::Struct(header, _) => {
                (Cell::atom(header.functor_name()), header.functor_arity() as i64)
            }
        };
        self.unify(args[1], name)?;
        self.unify(args[2], Cell::small(arity))
    }

    fn arg(&mut self, args: &[Cell]) -> Taken<()> {
        let n = self.known_int(args[0])?;
        let (arity, first) = match self.view(args[1]) {
            View::List(addr) => (2, addr),
            View::Struct(header, args) => (header.functor_arity() as i64, args),
            _ => return deopt("arg/3 of something that is no compound"),
        };
        if n < 0 {
            return deopt("arg/3 of a negative number");
        }
        if n < 1 || n > arity {
            return Err(Stop::Fail);
        }
        self.unify(args[2], self.heap.at(first + n as usize - 1))
    }

    fn univ(&mut self, args: &[Cell]) -> Taken<()> {
        match self.view(args[0]) {
            View::Struct(header, first) => {
                let mut items = vec![Cell::atom(header.functor_name())];
                items.extend((0..header.functor_arity()).map(|i| self.heap.at(first + i)));
                let list = self.heap.list_from(&items, Cell::NIL);
                self.unify(args[1], list)
            }
            View::Var(_) => {
                let items = self.known_list(args[1])?;
                let Some((&name, rest)) = items.split_first() else {
                    return deopt("=.. of an empty list");
                };
                let term = match (self.view(name), rest) {
                    (View::Const(name), []) => name,
                    (View::Const(name), _) if name.is_atom() => {
                        let name = name.as_atom().unwrap_or(atoms::NIL);
                        self.heap.new_struct(name, rest)
                    }
                    (View::Leaf(leaf), _) => {
                        self.concretise(leaf)?;
                        return deopt("=.. with a name that is not known");
                    }
                    _ => return deopt("=.. with such a name"),
                };
                self.unify(args[0], term)
            }
            View::Leaf(leaf) if self.ask(Cond::Kind(leaf, kind::VAR))? => {
                deopt("=.. of an unbound leaf")
            }
            View::Leaf(_) | View::Const(_) | View::Expr(_) => {
                let list = self.heap.list_from(&args[..1], Cell::NIL);
                self.unify(args[1], list)
            }
            View::Bag(_) | View::List(_) => deopt("=.. of a list cell"),
        }
    }

    fn succ(&mut self, args: &[Cell]) -> Taken<()> {
        let one = self.residual.constant(1);
        let zero = self.residual.constant(0);
        let unbound = |view| matches!(view, View::Var(_));
        if unbound(self.view(args[1])) {
            let low = self.eval_int(args[0])?;
            if self.less(low, zero)? {
                return deopt("succ/2 of a negative number");
            }
            let sum = self.residual.expr(Expr::Binary(super::residual::BinaryOp::Add, low, one));
            let Some(sum) = sum else { return deopt("the value is too large") };
            let sum = self.value_cell(Value::Int(sum));
            return self.unify(args[1], sum);
        }
        let high = self.eval_int(args[1])?;
        if self.less(high, zero)? {
            return deopt("succ/2 of a negative number");
        }
        if self.equal(high, zero)? {
            return if unbound(self.view(args[0])) {
                Err(Stop::Fail)
            } else {
                deopt("succ/2 of 0")
            };
        }
        let low = self.residual.expr(Expr::Binary(super::residual::BinaryOp::Sub, high, one));
        let Some(low) = low else { return deopt("the value is too large") };
        let low = self.value_cell(Value::Int(low));
        self.unify(args[0], low)
    }

    fn plus(&mut self, args: &[Cell]) -> Taken<()> {
        use super::residual::BinaryOp::{Add, Sub};
        let unbound: Vec<bool> =
            args.iter().map(|&arg| matches!(self.view(arg), View::Var(_))).collect();
        let (op, x, y, to) = match unbound[..] {
            [_, _, true] => (Add, 0, 1, 2),
            [_, true, _] => (Sub, 2, 0, 1),
            [true, _, _] => (Sub, 2, 1, 0),
            _ => (Add, 0, 1, 2),
        };
        let (x, y) = (self.eval_int(args[x])?, self.eval_int(args[y])?);
        let Some(value) = self.residual.expr(Expr::Binary(op, x, y)) else {
            return deopt("the value is too large");
        };
        let value = self.value_cell(Value::Int(value));
        self.unify(args[to], value)
    }

    fn between(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let infinite = matches!(self.view(args[1]), View::Const(c)
            if matches!(c.as_atom(), Some(atoms::INF | atoms::INFINITE)));
        if !matches!(self.view(args[2]), View::Var(_)) {
            let is_int = self.type_test(TypeTest::Integer, args[2])?;
            if !is_int {
                return deopt("between/3 with something that is no integer");
            }
            let (low, x) = (self.eval_int(args[0])?, self.eval_int(args[2])?);
            let mut inside = !self.less(x, low)?;
            if inside && !infinite {
                let high = self.eval_int(args[1])?;
                inside = !self.less(high, x)?;
            }
            return holds(inside, at);
        }
        if infinite {
            return deopt("between/3 without an upper bound");
        }
        let (low, high) = (self.known_int(args[0])?, self.known_int(args[1])?);
        if high < low {
            return Err(Stop::Fail);
        }
        if high.saturating_sub(low) > MOST_NUMBERS {
            return deopt("between/3 has too many answers");
        }
        let unify = |i| Run::then(Frame::Unify(args[2], Cell::small(i)), at.next);
        Ok(Step::Alternatives(0, (low..=high).map(unify).collect()))
    }

    /// All answers of a goal: a list, or a list of answers.
    fn findall(&mut self, template: Cell, goal: Cell, at: &At<'_>) -> Taken<Cell> {
        let bag = self.answers(Context::Bag(template), goal, at.site, at.depth);
        Ok(self.bag(bag))
    }

    /// A list of answers, as a list if it depends on nothing.
    fn bag(&mut self, bag: NodeId) -> Cell {
        let open = |node: &Node| !matches!(node, Node::Fail | Node::Alt(_) | Node::Answer(_));
        if self.residual.any(bag, open) {
            return terms::bag_cell(&mut self.heap, bag);
        }
        match self.open(bag) {
            Ok(list) => list,
            Err(_) => terms::bag_cell(&mut self.heap, bag),
        }
    }

    fn aggregate_all(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let done = |()| Step::Next(at.next.clone());
        let template = match self.view(args[0]) {
            View::Const(c) => Some((c, None)),
            View::Struct(header, first) if header.functor_arity() == 1 => {
                Some((Cell::atom(header.functor_name()), Some(self.heap.at(first))))
            }
            _ => None,
        };
        let kind = template.map(|(c, of)| {
            let name = c.as_atom().map_or("", |atom| self.machine.symbols.name(atom));
            (name.to_owned(), of)
        });
        let (name, of) = match kind {
            Some((name, of))
                if matches!(name.as_str(), "count" | "sum" | "max" | "min" | "bag") =>
            {
                (name, of)
            }
            _ => {
                // The library's own definition.
                let aggregate = self.machine.symbols.intern("$aggregate_all");
                let goal = self.heap.new_struct(aggregate, args);
                let goal = self.heap.new_struct(atoms::COLON, &[Cell::atom(atoms::SYSTEM), goal]);
                return Ok(Step::Next(Run::then(Frame::Call(goal, at.site), at.next)));
            }
        };
        let list = self.findall(of.unwrap_or(Cell::NIL), args[1], at)?;
        let value = match name.as_str() {
            "count" => self.length_of(list)?,
            "sum" => self.sum(list)?,
            "bag" => list,
            name => self.extreme(list, name == "max")?,
        };
        self.unify(args[2], value).map(done)
    }

    /// The number of elements of a list of answers.
    fn count(&mut self, bag: NodeId) -> u32 {
        self.residual.expr(Expr::Count(bag)).expect("a count has a value")
    }

    /// Whether a list of answers is empty.
    pub fn is_empty(&mut self, bag: NodeId) -> Taken<bool> {
        let (count, zero) = (self.count(bag), self.residual.constant(0));
        self.equal(count, zero)
    }

    fn length_of(&mut self, list: Cell) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            let count = self.count(bag);
            return Ok(self.value_cell(Value::Int(count)));
        }
        let length = self.known_list(list)?.len();
        Ok(Cell::small(length as i64))
    }

    fn length(&mut self, args: &[Cell], at: &At<'_>) -> Taken<Step> {
        let done = |()| Step::Next(at.next.clone());
        if matches!(self.view(args[1]), View::Const(c) if !c.is_int()) {
            return deopt("length/2 with something that is no integer");
        }
        // A list that ends in a variable gets as many elements as are wanted.
        let mut items = 0;
        let mut rest = args[0];
        while let View::List(addr) = self.view(rest) {
            items += 1;
            rest = self.heap.at(addr + 1);
        }
        if let View::Var(_) = self.view(rest) {
            if matches!(self.view(args[1]), View::Var(_)) {
                return deopt("length/2 of a list without end");
            }
            let length = self.known_int(args[1])?;
            if length < items {
                return if length < 0 {
                    deopt("length/2 of a negative number")
                } else {
                    Err(Stop::Fail)
                };
            }
            if length - items > MOST_NUMBERS {
                return deopt("the list is too long");
            }
            let more: Vec<Cell> = (items..length).map(|_| self.heap.new_var()).collect();
            let list = self.heap.list_from(&more, Cell::NIL);
            return self.unify(rest, list).map(done);
        }
        let length = self.length_of(args[0])?;
        self.unify(args[1], length).map(done)
    }

    /// A list sorted, without duplicates or with; or in its order without duplicates.
    fn sorted(&mut self, op: Op, list: Cell) -> Taken<Cell> {
        let mut sorted: Vec<Cell> = Vec::new();
        'items: for item in self.known_list(list)? {
            let mut at = sorted.len();
            for i in (0..sorted.len()).rev() {
                match self.compare(sorted[i], item)? {
                    Ordering::Equal if op == Op::Msort => break,
                    Ordering::Equal => continue 'items,
                    Ordering::Less if op != Op::ListToSet => break,
                    _ => at = if op == Op::ListToSet { at } else { i },
                }
            }
            sorted.insert(at, item);
        }
        Ok(self.heap.list_from(&sorted, Cell::NIL))
    }

    fn is_list(&mut self, list: Cell) -> Taken<bool> {
        let mut rest = list;
        loop {
            match self.view(rest) {
                View::List(addr) => rest = self.heap.at(addr + 1),
                View::Const(cell) => return Ok(cell == Cell::NIL),
                View::Leaf(leaf) => {
                    let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                    return self.ask(Cond::Is(leaf, nil));
                }
                View::Bag(_) => return Ok(true),
                _ => return Ok(false),
            }
        }
    }

    /// The elements of a proper list.
    pub fn known_list(&mut self, list: Cell) -> Taken<Vec<Cell>> {
        let mut items = Vec::new();
        let mut rest = list;
        loop {
            match self.view(rest) {
                View::List(addr) => {
                    items.push(self.heap.at(addr));
                    rest = self.heap.at(addr + 1);
                    if items.len() > 1 << 14 {
                        return deopt("the list is too long");
                    }
                }
                View::Const(cell) if cell == Cell::NIL => return Ok(items),
                View::Bag(bag) => rest = self.open(bag)?,
                View::Leaf(leaf) => {
                    let nil = self.words.word(Cell::NIL).expect("an atom has a word");
                    self.ask(Cond::Is(leaf, nil))?;
                    return deopt("a list is expected");
                }
                _ => return deopt("a list is expected"),
            }
        }
    }

    fn known_list_or_bag(&mut self, list: Cell) -> Taken<()> {
        self.known_list(list).map(|_| ())
    }

    /// Head and tail of a list that is not empty.
    fn tail(&mut self, list: Cell) -> Taken<(Cell, Cell)> {
        match self.view(list) {
            View::List(addr) => Ok((self.heap.at(addr), self.heap.at(addr + 1))),
            View::Bag(bag) => {
                let list = self.open(bag)?;
                self.tail(list)
            }
            View::Var(_) => deopt("a list without end"),
            View::Leaf(leaf) if self.ask(Cond::Kind(leaf, kind::VAR))? => {
                deopt("a list without end")
            }
            _ => Err(Stop::Fail),
        }
    }

    fn sum(&mut self, list: Cell) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            let values = self.with_values(bag)?;
            let Some(sum) = self.residual.expr(Expr::Sum(values)) else {
                return deopt("the sum is too large");
            };
            return Ok(self.value_cell(Value::Int(sum)));
        }
        let mut sum = Value::Int(self.residual.constant(0));
        for item in self.known_list(list)? {
            let item = self.eval(item)?;
            let (a, b) = (self.value_cell(sum), self.value_cell(item));
            let term = self.heap.new_struct(atoms::PLUS, &[a, b]);
            sum = self.eval(term)?;
        }
        Ok(self.value_cell(sum))
    }

    /// The greatest or least element; fails for the empty list.
    fn extreme(&mut self, list: Cell, greatest: bool) -> Taken<Cell> {
        if let View::Bag(bag) = self.view(list) {
            if self.is_empty(bag)? {
                return Err(Stop::Fail);
            }
            let values = self.with_values(bag)?;
            let expr = if greatest { Expr::Max(values) } else { Expr::Min(values) };
            let Some(expr) = self.residual.expr(expr) else {
                return deopt("the value is too large");
            };
            return Ok(self.value_cell(Value::Int(expr)));
        }
        let items = self.known_list(list)?;
        let Some((&first, rest)) = items.split_first() else { return Err(Stop::Fail) };
        let mut best = self.eval(first)?;
        let name = if greatest { atoms::MAX } else { atoms::MIN };
        for &item in rest {
            let item = self.eval(item)?;
            let (a, b) = (self.value_cell(best), self.value_cell(item));
            let term = self.heap.new_struct(name, &[a, b]);
            best = self.eval(term)?;
        }
        Ok(self.value_cell(best))
    }

    /// A list of answers, each with its value.
    fn with_values(&mut self, bag: NodeId) -> Taken<NodeId> {
        let mut memo = FxHashMap::default();
        self.valued(bag, &mut memo, 0)
    }

    fn valued(
        &mut self,
        node: NodeId,
        memo: &mut FxHashMap<NodeId, NodeId>,
        depth: u32,
    ) -> Taken<NodeId> {
        if let Some(&done) = memo.get(&node) {
            return Ok(done);
        }
        if depth > 500 {
            return deopt("the answers nest too deep");
        }
        let new = match self.residual.node(node).clone() {
            Node::Fail => FAIL,
            Node::Deopt(_) => node,
            Node::Alt(parts) => {
                let mut new = Vec::new();
                for &part in &parts {
                    new.push(self.valued(part, memo, depth + 1)?);
                }
                self.residual.alt(&new)
            }
            Node::If(cond, a, b) => {
                let a = self.valued(a, memo, depth + 1)?;
                let b = self.valued(b, memo, depth + 1)?;
                self.residual.test(cond, a, b)
            }
            Node::Scope(label, inner) => {
                let inner = self.valued(inner, memo, depth + 1)?;
                self.residual.scope(label, inner)
            }
            Node::Commit(label, inner) => {
                let inner = self.valued(inner, memo, depth + 1)?;
                self.residual.commit(label, inner)
            }
            Node::Answer(answer) => match self.residual.answers[answer as usize].clone() {
                Answer::Item { term: Some(term), .. } => {
                    let cell = term.instantiate(&mut self.heap);
                    let value = Some(self.eval_int(cell)?);
                    self.residual.answer(Answer::Item { term: None, value })
                }
                _ => return deopt("an answer whose value can't be told"),
            },
        };
        memo.insert(node, new);
        Ok(new)
    }

    /// The elements of a list of answers, in order; asks until they are known.
    pub fn open(&mut self, bag: NodeId) -> Taken<Cell> {
        if let Some(&(_, list)) = self.known.opened.iter().find(|(opened, _)| *opened == bag) {
            return Ok(list);
        }
        let mut items = Vec::new();
        self.collect(bag, &mut items, 0)?;
        let items: Vec<Cell> = items.iter().map(|item| item.instantiate(&mut self.heap)).collect();
        let list = self.heap.list_from(&items, Cell::NIL);
        self.known.opened.push((bag, list));
        Ok(list)
    }

    /// Goes through a list of answers; the label that was committed to, if one was.
    fn collect(&mut self, node: NodeId, items: &mut Vec<Record>, depth: u32) -> Taken<Option<u32>> {
        if depth > 500 {
            return deopt("the answers nest too deep");
        }
        match self.residual.node(node).clone() {
            Node::Fail => Ok(None),
            Node::Alt(parts) => {
                for &part in &parts {
                    if let Some(label) = self.collect(part, items, depth + 1)? {
                        return Ok(Some(label));
                    }
                }
                Ok(None)
            }
            Node::If(cond, a, b) => {
                let part = if self.ask(cond)? { a } else { b };
                self.collect(part, items, depth + 1)
            }
            Node::Scope(label, inner) => {
                let left = self.collect(inner, items, depth + 1)?;
                Ok(left.filter(|&left| left != label))
            }
            Node::Commit(label, inner) => {
                let left = self.collect(inner, items, depth + 1)?;
                Ok(Some(left.unwrap_or(label)))
            }
            Node::Answer(answer) => match &self.residual.answers[answer as usize] {
                Answer::Item { term: Some(term), .. } => {
                    items.push(term.clone());
                    Ok(None)
                }
                _ => deopt("an answer that can't be told"),
            },
            Node::Deopt(reason) => {
                let reason = &self.residual.reasons[reason as usize];
                Err(Stop::Deopt(reason.what.clone(), reason.new_value))
            }
        }
    }

    /// A built-in that has no symbolic form, on arguments that are known: the machine runs it.
    pub fn concrete_call(&mut self, pred: PredId, args: usize, next: &Rest) -> Taken<Step> {
        let predicate = &self.machine.program.preds[pred as usize];
        let (name, arity) = (self.machine.symbols.name(predicate.name).to_owned(), predicate.arity);
        if !PURE.contains(&(name.as_str(), arity)) {
            return deopt("it has no symbolic form");
        }
        let mut known = Vec::new();
        let mut unbound = Vec::new();
        for i in 0..arity {
            let cell = self.heap.at(args + i);
            known.push(match self.view(cell) {
                View::Var(addr) if unbound.contains(&addr) => {
                    return deopt("one variable is two arguments");
                }
                View::Var(addr) => {
                    unbound.push(addr);
                    self.heap.new_var()
                }
                _ => self.concrete(cell, 0)?,
            });
        }
        let all = self.heap.new_struct(atoms::CALL, &known);
        let record = Record::new(&mut self.heap, all);
        let run = self.machine.open();
        let term = record.instantiate(&mut self.machine.heap);
        let (_, _, first) = self.machine.heap.name_arity(term).unwrap_or((atoms::NIL, 0, 0));
        let cells: Vec<Cell> = (0..arity).map(|i| self.machine.heap.at(first + i)).collect();
        self.machine.roots.push(term);
        let outcome = self.machine.call(self.world, run, pred, &cells);
        let term = self.machine.roots.pop().unwrap_or(term);
        let answer = match outcome {
            Ok(true) if self.machine.has_more(run) => {
                self.machine.abandon(run);
                return deopt("it has several answers");
            }
            Ok(true) => {
                let answer = Record::new(&mut self.machine.heap, term);
                self.machine.abandon(run);
                answer
            }
            Ok(false) => return Err(Stop::Fail),
            Err(_) => return deopt("it raises an error"),
        };
        let answer = answer.instantiate(&mut self.heap);
        if !term::is_ground(&self.heap, answer) {
            return deopt("its answer has variables");
        }
        let (_, _, first) = self.heap.name_arity(answer).unwrap_or((atoms::NIL, 0, 0));
        for i in 0..arity {
            self.unify(self.heap.at(args + i), self.heap.at(first + i))?;
        }
        Ok(Step::Next(next.clone()))
    }

    /// A term without leaves, whose values are asked for.
    fn concrete(&mut self, cell: Cell, depth: u32) -> Taken<Cell> {
        if depth > 200 {
            return deopt("the term is too deep");
        }
        Ok(match self.view(cell) {
            View::Var(_) => return deopt("a variable in a built-in without symbolic form"),
            View::Const(cell) => cell,
            View::Leaf(leaf) => {
                if self.ask(Cond::Kind(leaf, kind::VAR))? {
                    return deopt("an unbound leaf in a built-in without symbolic form");
                }
                self.concretise(leaf)?;
                return deopt("a leaf in a built-in without symbolic form");
            }
            View::Expr(expr) => {
                self.concretise_expr(expr)?;
                return deopt("a value in a built-in without symbolic form");
            }
            View::Bag(bag) => {
                let list = self.open(bag)?;
                self.concrete(list, depth + 1)?
            }
            View::List(_) => {
                let mut items = Vec::new();
                let mut rest = cell;
                while let View::List(addr) = self.view(rest) {
                    items.push(self.concrete(self.heap.at(addr), depth + 1)?);
                    rest = self.heap.at(addr + 1);
                }
                let tail = self.concrete(rest, depth + 1)?;
                self.heap.list_from(&items, tail)
            }
            View::Struct(header, args) => {
                let mut parts = Vec::new();
                for i in 0..header.functor_arity() {
                    parts.push(self.concrete(self.heap.at(args + i), depth + 1)?);
                }
                self.heap.new_struct(header.functor_name(), &parts)
            }
        })
    }
}

/// Built-ins of the machine with at most one answer that depend on nothing but their
/// arguments, of which those that are unbound are bound to ground terms.
const PURE: &[(&str, usize)] = &[
    ("atom_length", 2),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_codes", 2),
    ("number_chars", 2),
    ("atom_number", 2),
    ("atom_string", 2),
    ("string_concat", 3),
    ("string_chars", 2),
    ("string_length", 2),
    ("number_string", 2),
    ("upcase_atom", 2),
    ("downcase_atom", 2),
    ("atomic_list_concat", 2),
    ("$concat", 5),
    ("$sub_text", 7),
    ("$length", 3),
    ("$sum_list", 3),
    ("$max_list", 3),
    ("$min_list", 3),
    ("$arity", 2),
    ("$skip_list", 3),
    ("sort", 4),
    ("keysort", 2),
];
