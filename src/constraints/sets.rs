//! Sets of integers as terms: the predicates on them, which are those of SICStus Prolog and SWI-Prolog.
//!
//! A set is `empty`, an interval `from_to(Lo, Hi)` with `n(Integer)`, `inf` and `sup` for its ends, or
//! `split(Hole, Left, Right)`, where `Hole` is in neither and lies between the two. The same set may be split
//! in several ways; those that are made here are as even as they can be.

use crate::domain::Domain;
use crate::expression::{EndWatch, integer};
use crate::number::{Bound, Number};
use crate::propagators::reified::set_shown;
use crate::session::{Posted, Session, outcome};
use crate::shown::Shown;
use num_bigint::BigInt;
use zug_machine::{Machine, Outcome};
use zug_prolog::World;
use zug_prolog::builtins::Entry;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value, is_acyclic, is_ground, watchdog};

pub const TABLE: &[Entry] = &[
    Entry::pure("is_fdset", 1, |m, w, args| answer(m, w, |s| Ok(s.set_of(args[0]).is_some()))),
    Entry::pure("fdset_interval", 3, |m, w, args| answer(m, w, |s| interval(s, args))),
    Entry::pure("fdset_parts", 4, |m, w, args| answer(m, w, |s| parts(s, args))),
    Entry::pure("fdset_min", 2, |m, w, args| bound_of(m, w, args, |set| Some(set?.lo()))),
    Entry::pure("fdset_max", 2, |m, w, args| bound_of(m, w, args, |set| Some(set?.hi()))),
    Entry::pure("fdset_size", 2, |m, w, args| {
        bound_of(m, w, args, |set| Some(set.map_or_else(|| Bound::int(0), Domain::size)))
    }),
    Entry::pure("list_to_fdset", 2, |m, w, args| answer(m, w, |s| of_list(s, args))),
    Entry::pure("$fdset_elements", 2, |m, w, args| answer(m, w, |s| elements(s, args))),
    Entry::pure("range_to_fdset", 2, |m, w, args| answer(m, w, |s| of_range(s, args))),
    Entry::pure("fdset_to_range", 2, |m, w, args| answer(m, w, |s| to_range(s, args))),
    Entry::pure("fdset_add_element", 3, |m, w, args| answer(m, w, |s| add(s, args))),
    Entry::pure("fdset_del_element", 3, |m, w, args| answer(m, w, |s| delete(s, args))),
    Entry::pure("$fdset_contains", 2, |m, w, args| answer(m, w, |s| contains(s, args))),
    Entry::pure("fdset_complement", 2, |m, w, args| answer(m, w, |s| complement(s, args))),
    Entry::pure("fdset_eq", 2, |m, w, args| holds(m, w, args, |a, b| a == b)),
    Entry::pure("fdset_subset", 2, |m, w, args| holds(m, w, args, |a, b| common(a, b) == *a)),
    Entry::pure("fdset_intersect", 2, |m, w, args| {
        holds(m, w, args, |a, b| common(a, b).is_some())
    }),
    Entry::pure("fdset_disjoint", 2, |m, w, args| holds(m, w, args, |a, b| common(a, b).is_none())),
    Entry::pure("fdset_intersection", 3, |m, w, args| combine(m, w, args, common)),
    Entry::pure("fdset_union", 3, |m, w, args| combine(m, w, args, union)),
    Entry::pure("fdset_subtract", 3, |m, w, args| {
        combine(m, w, args, |a, b| common(a, &outside(b.as_ref())))
    }),
];

pub(crate) type Set = Option<Domain>;

fn common(a: &Set, b: &Set) -> Set {
    a.as_ref()?.and(b.as_ref()?)
}

fn union(a: &Set, b: &Set) -> Set {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

/// The interval of two ends; `None` if they are no ends of one.
fn interval_of(lo: Bound, hi: Bound) -> Option<Set> {
    (lo != Bound::Sup && hi != Bound::Inf).then(|| Domain::interval(&lo, &hi))
}

fn outside(set: Option<&Domain>) -> Set {
    set.map_or_else(|| Some(Domain::all()), Domain::complement)
}

fn answer(
    m: &mut Machine,
    w: &mut World,
    ask: impl FnOnce(&mut Session<'_>) -> Posted<bool>,
) -> Outcome {
    outcome(ask(&mut Session::new(m, w)))
}

fn holds(m: &mut Machine, w: &mut World, args: &[Cell], ask: fn(&Set, &Set) -> bool) -> Outcome {
    answer(m, w, |session| Ok(ask(&session.given_set(args[0])?, &session.given_set(args[1])?)))
}

fn combine(m: &mut Machine, w: &mut World, args: &[Cell], make: fn(&Set, &Set) -> Set) -> Outcome {
    answer(m, w, |session| {
        let made = make(&session.given_set(args[0])?, &session.given_set(args[1])?);
        Ok(session.unify_set(args[2], made.as_ref()))
    })
}

/// Asks a set for a number, which it may not have.
fn bound_of(
    m: &mut Machine,
    w: &mut World,
    args: &[Cell],
    ask: fn(Option<&Domain>) -> Option<Bound>,
) -> Outcome {
    answer(m, w, |session| {
        let set = session.given_set(args[0])?;
        let Some(bound) = ask(set.as_ref()) else { return Ok(false) };
        let bound = session.bound_term(&bound);
        Ok(session.m.unify(args[1], bound))
    })
}

/// `fdset_interval(Set, Min, Max)`: Set is given, or both ends are.
fn interval(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    if session.m.heap.deref(args[0]).is_var() {
        let Some(set) = session.ends(args[1], args[2])? else { return Ok(false) };
        return Ok(session.unify_set(args[0], Some(&set)));
    }
    let Some(set) = session.given_set(args[0])? else { return Ok(false) };
    let [(lo, hi)] = &set.parts()[..] else { return Ok(false) };
    let (lo, hi) = (session.bound_term(lo), session.bound_term(hi));
    Ok(session.m.unify(args[1], lo) && session.m.unify(args[2], hi))
}

/// `fdset_parts(Set, Min, Max, Rest)`: the first interval of a set and what is behind it. Set is given, or
/// all others are.
fn parts(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    if session.m.heap.deref(args[0]).is_var() {
        let Some(first) = session.ends(args[1], args[2])? else { return Ok(false) };
        let rest = session.given_set(args[3])?;
        let is_behind = rest.as_ref().is_none_or(|rest| rest.lo() > first.hi().succ());
        let whole = union(&Some(first), &rest);
        return Ok(is_behind && session.unify_set(args[0], whole.as_ref()));
    }
    let Some(set) = session.given_set(args[0])? else { return Ok(false) };
    let mut all = set.parts();
    let (lo, hi) = all.remove(0);
    let (lo, hi) = (session.bound_term(&lo), session.bound_term(&hi));
    let rest = Domain::of_parts(all);
    Ok(session.m.unify(args[1], lo)
        && session.m.unify(args[2], hi)
        && session.unify_set(args[3], rest.as_ref()))
}

fn of_list(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let mut values = Vec::new();
    for item in session.list(args[0])? {
        let value = Bound::Fin(session.given_integer(item)?);
        values.push((value.clone(), value));
    }
    Ok(session.unify_set(args[1], Domain::of_parts(values).as_ref()))
}

/// `'$fdset_elements'(Set, Elements)`: in ascending order, of a finite set.
fn elements(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let set = session.given_set(args[0])?;
    if set.as_ref().is_some_and(|set| set.size() == Bound::Sup) {
        return Ok(false);
    }
    let values = session.values(set.as_ref());
    Ok(session.m.unify(args[1], values))
}

fn of_range(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let set = session.set(args[0])?;
    Ok(session.unify_set(args[1], set.as_ref()))
}

fn to_range(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let range = match session.given_set(args[0])? {
        Some(set) => session.shown(&set_shown(&set)),
        None => session.shown(&Shown::binary("..", Shown::int(1), Shown::int(0))),
    };
    Ok(session.m.unify(args[1], range))
}

fn add(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let set = session.given_set(args[0])?;
    let more = Some(Domain::value(&session.given_integer(args[1])?));
    Ok(session.unify_set(args[2], union(&set, &more).as_ref()))
}

fn delete(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let set = session.given_set(args[0])?;
    let value = Bound::Fin(session.given_integer(args[1])?);
    let less = set.and_then(|set| set.without(&value));
    Ok(session.unify_set(args[2], less.as_ref()))
}

fn contains(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let value = Bound::Fin(session.given_integer(args[0])?);
    Ok(session.given_set(args[1])?.is_some_and(|set| set.contains(&value)))
}

fn complement(session: &mut Session<'_>, args: &[Cell]) -> Posted<bool> {
    let set = session.given_set(args[0])?;
    Ok(session.unify_set(args[1], outside(set.as_ref()).as_ref()))
}

/// What is still to be done for the set that is written after `in`.
enum Range {
    Read(Cell),
    Union,
    Complement,
}

/// What is still to be done for the set of a term, or the term of a set.
enum Task<T> {
    Do(T),
    /// A hole, with what is left and right of it.
    Join(BigInt),
}

impl Session<'_> {
    /// The set of integers that is written after `in`.
    pub fn set(&mut self, term: Cell) -> Posted<Set> {
        if !is_ground(&self.m.heap, term) {
            return Err(self.m.instantiation_error().into());
        }
        let mut sets: Vec<Set> = Vec::new();
        let mut tasks = vec![Range::Read(term)];
        let mut end = EndWatch::default();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            if !end.goes_on(&self.m.heap, term, sets.len() + tasks.len()) {
                return Err(self.m.type_error("clpfd_domain", term).into());
            }
            let set = match task {
                Range::Union => {
                    let (right, left) = (sets.pop().flatten(), sets.pop().flatten());
                    union(&left, &right)
                }
                Range::Complement => outside(sets.pop().flatten().as_ref()),
                Range::Read(cell) => match self.range(cell, &mut tasks) {
                    Some(Some(set)) => set,
                    Some(None) => continue,
                    None => return Err(self.m.domain_error("clpfd_domain", term).into()),
                },
            };
            sets.push(set);
        }
        Ok(sets.pop().expect("the whole"))
    }

    /// A set that has no sets as parts, or nothing but tasks to read these; `None` if the term is no set.
    fn range(&self, cell: Cell, tasks: &mut Vec<Range>) -> Option<Option<Set>> {
        let heap = &self.m.heap;
        let Value::Struct(name, arity, at) = heap.value(cell) else {
            return Some(Some(Some(Domain::value(&integer(heap, cell)?))));
        };
        match (self.m.symbols.name(name), arity) {
            ("\\/", 2) => {
                let [left, right] = [heap.at(at), heap.at(at + 1)].map(Range::Read);
                tasks.extend([Range::Union, right, left]);
                Some(None)
            }
            ("..", 2) => {
                Some(Some(interval_of(self.end(heap.at(at))?, self.end(heap.at(at + 1))?)?))
            }
            ("{}", 1) => Some(Some(Some(self.members(heap.at(at))?))),
            ("\\", 1) => {
                tasks.extend([Range::Complement, Range::Read(heap.at(at))]);
                Some(None)
            }
            _ => None,
        }
    }

    /// The set of the integers between which commas stand, as in `{1,3,4}`.
    fn members(&self, term: Cell) -> Option<Domain> {
        let heap = &self.m.heap;
        let mut values = Vec::new();
        let mut todo = vec![term];
        let mut end = EndWatch::default();
        while let Some(cell) = todo.pop() {
            watchdog::step();
            if !end.goes_on(heap, term, values.len() + todo.len()) {
                return None;
            }
            match heap.match_struct::<2>(cell, atoms::COMMA) {
                Some(both) => todo.extend(both),
                None => values.push(Bound::Fin(integer(heap, cell)?)),
            }
        }
        Domain::of_parts(values.into_iter().map(|value| (value.clone(), value)).collect())
    }

    /// An end of an interval, as it is written.
    fn end(&self, cell: Cell) -> Option<Bound> {
        let heap = &self.m.heap;
        let Value::Atom(name) = heap.value(cell) else {
            return integer(heap, cell).map(Bound::Fin);
        };
        match self.m.symbols.name(name) {
            "inf" => Some(Bound::Inf),
            "sup" => Some(Bound::Sup),
            _ => None,
        }
    }

    /// The set that a term is: `Some(None)` where it is empty, `None` where the term is no set.
    fn set_of(&self, term: Cell) -> Option<Set> {
        if !is_acyclic(&self.m.heap, term) {
            return None;
        }
        let mut tasks = vec![Task::Do(term)];
        let mut sets: Vec<Set> = Vec::new();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            match task {
                Task::Join(hole) => {
                    let (left, right) = (sets.pop().flatten(), sets.pop().flatten());
                    let hole = Bound::Fin(hole);
                    let in_order = left.as_ref().is_none_or(|left| left.hi() < hole)
                        && right.as_ref().is_none_or(|right| right.lo() > hole);
                    if !in_order {
                        return None;
                    }
                    sets.push(union(&left, &right));
                }
                Task::Do(term) => match self.node_of(term)? {
                    Node::Leaf(set) => sets.push(set),
                    Node::Split(hole, left, right) => {
                        // The left one is done last, and so on top.
                        tasks.extend([Task::Join(hole), Task::Do(left), Task::Do(right)]);
                    }
                },
            }
        }
        sets.pop()
    }

    fn node_of(&self, term: Cell) -> Option<Node> {
        let heap = &self.m.heap;
        match heap.value(term) {
            Value::Atom(name) if self.m.symbols.name(name) == "empty" => Some(Node::Leaf(None)),
            Value::Struct(name, 2, at) if self.m.symbols.name(name) == "from_to" => {
                let (lo, hi) = (self.set_end(heap.at(at))?, self.set_end(heap.at(at + 1))?);
                interval_of(lo, hi)?.map(|set| Node::Leaf(Some(set)))
            }
            Value::Struct(name, 3, at) if self.m.symbols.name(name) == "split" => {
                Some(Node::Split(integer(heap, heap.at(at))?, heap.at(at + 1), heap.at(at + 2)))
            }
            _ => None,
        }
    }

    /// An end of an interval as it stands in a set: `n(Integer)`, `inf`, `sup`.
    fn set_end(&self, cell: Cell) -> Option<Bound> {
        let heap = &self.m.heap;
        match heap.value(cell) {
            Value::Atom(_) => self.end(cell),
            Value::Struct(name, 1, at) if self.m.symbols.name(name) == "n" => {
                self.end(heap.at(at)).filter(Bound::is_finite)
            }
            _ => None,
        }
    }

    pub(crate) fn given_set(&mut self, term: Cell) -> Posted<Set> {
        if !is_ground(&self.m.heap, term) {
            return Err(self.m.instantiation_error().into());
        }
        self.set_of(term).ok_or_else(|| self.m.type_error("fdset", term).into())
    }

    fn given_integer(&mut self, cell: Cell) -> Posted<BigInt> {
        if self.m.heap.deref(cell).is_var() {
            return Err(self.m.instantiation_error().into());
        }
        self.number(cell)
    }

    /// The interval of two arguments, integers or `inf` and `sup`; nothing where there is none.
    fn ends(&mut self, lo: Cell, hi: Cell) -> Posted<Set> {
        if self.m.heap.deref(lo).is_var() || self.m.heap.deref(hi).is_var() {
            return Err(self.m.instantiation_error().into());
        }
        let ends = self.end(lo).zip(self.end(hi));
        Ok(ends.and_then(|(lo, hi)| interval_of(lo, hi)).flatten())
    }

    fn unify_set(&mut self, cell: Cell, set: Option<&Domain>) -> bool {
        let term = self.set_term(set);
        self.m.unify(cell, term)
    }

    pub(crate) fn set_term(&mut self, set: Option<&Domain>) -> Cell {
        let parts = set.map(Domain::parts).unwrap_or_default();
        let mut tasks = vec![Task::Do(0..parts.len())];
        let mut done: Vec<Cell> = Vec::new();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            let term = match task {
                Task::Join(hole) => {
                    let hole = self.integer(&hole);
                    let (left, right) = (done.pop(), done.pop());
                    let both = left.zip(right).expect("both sides were made");
                    self.compound("split", &[hole, both.0, both.1])
                }
                Task::Do(range) => match &parts[range.clone()] {
                    [] => Cell::atom(self.m.symbols.intern("empty")),
                    [(lo, hi)] => {
                        let ends = [self.set_end_term(lo), self.set_end_term(hi)];
                        self.compound("from_to", &ends)
                    }
                    _ => {
                        let middle = range.start + range.len() / 2;
                        let hole =
                            parts[middle].0.pred().finite().expect("between two parts").clone();
                        let (left, right) = (range.start..middle, middle..range.end);
                        tasks.extend([Task::Join(hole), Task::Do(left), Task::Do(right)]);
                        continue;
                    }
                },
            };
            done.push(term);
        }
        done.pop().expect("the whole")
    }

    pub(crate) fn bound_term(&mut self, bound: &Bound) -> Cell {
        match bound {
            Bound::Fin(value) => self.integer(value),
            Bound::Inf => Cell::atom(self.m.symbols.intern("inf")),
            Bound::Sup => Cell::atom(self.m.symbols.intern("sup")),
        }
    }

    /// The elements of a finite set in ascending order.
    pub(crate) fn values(&mut self, set: Option<&Domain>) -> Cell {
        let mut values = Vec::new();
        for (lo, hi) in set.map(Domain::parts).unwrap_or_default() {
            let mut value = lo;
            while value <= hi {
                watchdog::step();
                let cell = self.bound_term(&value);
                values.push(cell);
                value = value.succ();
            }
        }
        self.m.heap.list_from(&values, Cell::NIL)
    }

    fn set_end_term(&mut self, bound: &Bound) -> Cell {
        let term = self.bound_term(bound);
        if bound.is_finite() { self.compound("n", &[term]) } else { term }
    }

    fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let name = self.m.symbols.intern(name);
        self.m.heap.new_struct(name, args)
    }
}

enum Node {
    Leaf(Set),
    Split(BigInt, Cell, Cell),
}
