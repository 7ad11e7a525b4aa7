//! Built-ins in the symbolic run: control, comparison, terms, all solutions.

use super::arithmetic::Value;
use super::numbers::MOST_NUMBERS;
use super::ops::{Op, TypeTest};
use super::residual::{Cond, kind};
use super::run::{Frame, Rest, Run, Site, Step, Stop, Taken};
use super::terms::View;
use std::cmp::Ordering;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value as Term};

/// Where a goal is called.
pub struct At<'r> {
    pub site: Site,
    pub next: &'r Rest,
    pub depth: u32,
}

/// Elements of a list that `=..` makes a term of.
const MOST_ARGS: usize = 1000;

/// A term is made equal to one of some others.
fn one_of(term: Cell, others: Vec<Cell>, at: &At<'_>) -> Taken<Step> {
    if others.is_empty() {
        return Err(Stop::Fail);
    }
    let each = others.into_iter().map(|other| Run::then(Frame::Unify(term, other), at.next));
    Ok(Step::Alternatives(0, each.collect()))
}

pub fn deopt<T>(what: &str) -> Taken<T> {
    Err(Stop::Deopt(what.to_owned(), false))
}

pub fn holds(outcome: bool, at: &At<'_>) -> Taken<Step> {
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
        Op::Identical
        | Op::NotIdentical
        | Op::Before { .. }
        | Op::Less { .. }
        | Op::NumEqual
        | Op::NumNotEqual
        | Op::Type(_)
        | Op::Ground
        | Op::IsList => holds(run.test(op, args)? == Some(true), at),
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
        Op::Functor => run.functor(args).map(done),
        Op::Arg => run.arg(args).map(done),
        Op::Arguments => {
            let (arity, first) = run.arguments(args[1])?;
            let wanted = run.heap.list_from(&args[..1], args[2]);
            let mut pairs = Vec::new();
            for (place, at) in (1..=arity).zip(first..) {
                let arg = run.heap.at(at);
                pairs.push(run.heap.list_from(&[Cell::small(place)], arg));
            }
            one_of(wanted, pairs, at)
        }
        Op::Univ => run.univ(args).map(done),
        Op::CopyTerm => {
            let copy = run.copy(args[0])?;
            run.unify(copy, args[1]).map(done)
        }
        Op::Findall => run.findall([args[0], args[1], args[2]], at),
        Op::Filter(filter) => run.filter(filter, [args[0], args[1], args[2]], at),
        Op::FindallTail => run.findall_tail([args[0], args[1], args[2], args[3]], at),
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
            let extreme = run.extreme(args[0], op == Op::MaxList, false)?;
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
        Op::Member => {
            let items = run.known_list(args[1])?;
            one_of(args[0], items, at)
        }
        Op::Element(first) => {
            let wanted = run.heap.list_from(&args[..1], args[2]);
            let mut elements = Vec::new();
            for (place, item) in (first..).zip(run.known_list(args[1])?) {
                let element = run.heap.list_from(&[Cell::small(place)], item);
                elements.push(element);
            }
            one_of(wanted, elements, at)
        }
        Op::Succ => run.succ(args).map(done),
        Op::Plus => run.plus(args).map(done),
        Op::PartialList => match run.view(args[0]) {
            View::Var(_) | View::Bag(_) => Ok(done(())),
            _ => run.known_list(args[0]).map(|_| done(())),
        },
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
    /// The outcome of a built-in that is a test and binds nothing; `None` for others.
    pub fn test(&mut self, op: Op, args: &[Cell]) -> Taken<Option<bool>> {
        let outcome = match op {
            Op::Identical => self.identical(args[0], args[1])?,
            Op::NotIdentical => !self.identical(args[0], args[1])?,
            Op::Before { swap, negate } => {
                let order = self.compare(args[usize::from(swap)], args[usize::from(!swap)])?;
                (order == Ordering::Less) != negate
            }
            Op::Less { swap, negate } => {
                let (first, second) = (self.eval(args[0])?, self.eval(args[1])?);
                let (x, y) = if swap { (second, first) } else { (first, second) };
                let less = match (x, y) {
                    (Value::Int(x), Value::Int(y)) => self.less(x, y)?,
                    (x, y) => self.known_order(x, y)? == Ordering::Less,
                };
                less != negate
            }
            Op::NumEqual | Op::NumNotEqual => {
                let equal = match (self.eval(args[0])?, self.eval(args[1])?) {
                    (Value::Int(x), Value::Int(y)) => self.equal(x, y)?,
                    (x, y) => self.known_order(x, y)? == Ordering::Equal,
                };
                equal == (op == Op::NumEqual)
            }
            Op::Type(test) => self.type_test(test, args[0])?,
            Op::Ground => self.is_ground(args[0])?,
            Op::IsList => self.is_list(args[0])?,
            _ => return Ok(None),
        };
        Ok(Some(outcome))
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
                    matches!(self.heap.value(cell), Term::Int(_) | Term::Big(_))
                }
                T::Float => matches!(self.heap.value(cell), Term::Float(_)),
                T::Number => !matches!(self.heap.value(cell), Term::Atom(_) | Term::Str(_)),
                T::Text => matches!(self.heap.value(cell), Term::Str(_)),
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
        let (arity, first) = self.arguments(args[1])?;
        if n < 0 {
            return deopt("arg/3 of a negative number");
        }
        if n < 1 || n > arity {
            return Err(Stop::Fail);
        }
        self.unify(args[2], self.heap.at(first + n as usize - 1))
    }

    /// How many arguments a term has, and where the first one stands.
    fn arguments(&self, term: Cell) -> Taken<(i64, usize)> {
        match self.view(term) {
            View::List(addr) => Ok((2, addr)),
            View::Struct(header, args) => Ok((header.functor_arity() as i64, args)),
            _ => deopt("arg/3 of something that is no compound"),
        }
    }

    fn univ(&mut self, args: &[Cell]) -> Taken<()> {
        match self.view(args[0]) {
            View::Struct(header, first) => {
                let mut items = vec![Cell::atom(header.functor_name())];
                items.extend((0..header.functor_arity()).map(|i| self.heap.at(first + i)));
                let list = self.heap.list_from(&items, Cell::NIL);
                self.unify_list(args[1], list)
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
                self.unify_list(args[1], list)
            }
            View::Bag(_) | View::List(_) => deopt("=.. of a list cell"),
        }
    }

    /// Makes a list equal to something that must be one, or become one.
    fn unify_list(&mut self, to: Cell, list: Cell) -> Taken<()> {
        let mut rest = to;
        for _ in 0..MOST_ARGS {
            let View::List(addr) = self.view(rest) else { break };
            rest = self.heap.at(addr + 1);
        }
        if !matches!(self.view(rest), View::Var(_)) {
            self.known_list(rest)?;
        }
        self.unify(to, list)
    }
}
