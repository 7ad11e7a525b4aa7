//! The predicates in Rust, over which `library/clpfd.pl` has the others.

use crate::domain::{Domain, Small};
use crate::expression::{Binary, Expression, Node, integer};
use crate::hints::Unlabelled;
use crate::number::{Bound, Number};
use crate::post::Comparison;
use crate::propagators::reified::set_shown;
use crate::session::{Posted, Refusal, Session, outcome};
use crate::shown::{Shown, Var};
use crate::{globals, model, reasons};
use num_bigint::BigInt;
use zug_machine::{Machine, Outcome};
use zug_prolog::World;
use zug_prolog::builtins::Entry;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// A constraint on the arguments of a goal, as it is posted.
pub(crate) type Post = fn(&mut Session<'_>, &[Cell]) -> Posted;

/// Makes a table of predicates that post constraints, and a function that finds them by name.
macro_rules! constraints {
    ($($name:literal $arity:literal $post:expr;)*) => {
        pub const CONSTRAINTS: &[Entry] = &[$(
            Entry::pure($name, $arity, |m, w, args| run(m, w, $name, $post, args)).with_site(),
        )*];

        /// What a goal of this name and arity posts.
        pub(crate) fn post_of(name: &str, arity: usize) -> Option<Post> {
            $(if name == $name && arity == $arity {
                let post: Post = $post;
                return Some(post);
            })*
            None
        }
    };
}

constraints! {
    "#=" 2 |s, args| s.compare(Comparison::Equal, args[0], args[1]);
    "#\\=" 2 |s, args| s.compare(Comparison::NotEqual, args[0], args[1]);
    "#<" 2 |s, args| s.compare(Comparison::Less, args[0], args[1]);
    "#=<" 2 |s, args| s.compare(Comparison::AtMost, args[0], args[1]);
    "#>" 2 |s, args| s.compare(Comparison::Greater, args[0], args[1]);
    "#>=" 2 |s, args| s.compare(Comparison::AtLeast, args[0], args[1]);
    "#\\" 1 |s, args| formula(s, "#\\", args);
    "#\\" 2 |s, args| formula(s, "#\\", args);
    "#/\\" 2 |s, args| formula(s, "#/\\", args);
    "#\\/" 2 |s, args| formula(s, "#\\/", args);
    "#==>" 2 |s, args| formula(s, "#==>", args);
    "#<==" 2 |s, args| formula(s, "#<==", args);
    "#<==>" 2 |s, args| formula(s, "#<==>", args);
    "in" 2 within;
    "ins" 2 all_within;
    "in_set" 2 in_set;
    "scalar_product" 4 scalar_product;
    "all_different" 1 globals::all_different;
    "all_distinct" 1 globals::all_distinct;
    "circuit" 1 globals::circuit;
    "lex_chain" 1 globals::lex_chain;
    "tuples_in" 2 globals::tuples_in;
    "element" 3 globals::element;
    "global_cardinality" 2 globals::global_cardinality;
    "global_cardinality" 3 globals::global_cardinality;
    "serialized" 2 globals::serialized;
    "cumulative" 1 globals::cumulative;
    "cumulative" 2 globals::cumulative;
    "disjoint2" 1 globals::disjoint2;
    "$fd_remove" 2 remove;
    "$fd_better" 3 better;
}

/// Whether a goal of this name and arity posts a constraint.
pub fn is_constraint(name: &str, arity: usize) -> bool {
    let in_library = matches!((name, arity), ("sum", 3) | ("chain", 2) | ("automaton", 3 | 8));
    in_library || !name.starts_with('$') && post_of(name, arity).is_some()
}

/// Posts a constraint, runs the propagators, and binds what has got a value. What is refused leaves
/// things to backtracking.
fn run(m: &mut Machine, w: &mut World, name: &str, post: Post, args: &[Cell]) -> Outcome {
    if reasons::is_noting(w) {
        return reasons::note(m, w, name, post, args);
    }
    reasons::watch(m, w, name, args);
    let is_step = name.starts_with('$');
    let is_counted = !is_step && !matches!(name, "in" | "ins" | "in_set");
    let mut session = Session::new(m, w);
    if is_counted {
        session.store.count_posted();
    }
    let posted = session.post_and_settle(post, args);
    let is_refused = matches!(posted, Ok(false));
    if is_refused {
        reasons::refuse(w);
    }
    if is_refused && !is_step {
        model::run_of(w).refused = true;
    }
    posted
}

/// Posts a constraint whether constraints are noted or not.
pub(crate) fn post_now(m: &mut Machine, w: &mut World, post: Post, args: &[Cell]) -> Outcome {
    Session::new(m, w).post_and_settle(post, args)
}

/// Variables of terms have been bound: pairs of the attribute and the value.
pub(crate) fn bound(m: &mut Machine, w: &mut World, pairs: &[(Cell, Cell)]) -> Outcome {
    let mut session = Session::new(m, w);
    let posted = session.bound(pairs).and_then(|()| session.settle());
    if matches!(posted, Err(Refusal::Fail)) {
        reasons::refuse(w);
        model::run_of(w).refused = true;
    }
    outcome(posted.map(|()| true))
}

pub const TABLE: &[Entry] = &[
    Entry::pure("fd_var", 1, |m, w, args| Ok(Session::new(m, w).known(args[0]).is_some())),
    Entry::pure("fd_inf", 2, |m, w, args| ask(m, w, args, |s, domain| s.bound_term(&domain.lo()))),
    Entry::pure("fd_sup", 2, |m, w, args| ask(m, w, args, |s, domain| s.bound_term(&domain.hi()))),
    Entry::pure("fd_size", 2, |m, w, args| {
        ask(m, w, args, |s, domain| s.bound_term(&domain.size()))
    }),
    Entry::pure("fd_dom", 2, |m, w, args| ask(m, w, args, domain_term)),
    Entry::pure("fd_set", 2, |m, w, args| ask(m, w, args, |s, set| s.set_term(Some(set)))),
    Entry::pure("fd_degree", 2, degree),
    Entry::pure("$labeling", 2, finite),
    Entry::pure("$fd_integer_unknowns", 1, integer_unknowns),
    Entry::pure("$fd_pick", 5, pick),
    Entry::pure("$fd_elements", 2, elements),
    Entry::session("$conflict", 1, reasons::conflict),
    Entry::session("$constrained", 1, reasons::is_posted),
    Entry::session("$why_constrained", 2, reasons::forced),
    Entry::pure("$fd_whole", 1, reasons::whole).with_site(),
    Entry::pure("$fd_noted_label", 0, reasons::label_noted),
    Entry::session("$fd_model", 2, model::posted),
    Entry::session("$fd_hidden", 1, model::hidden),
    Entry::session("$fd_no_objective", 1, model::no_objective),
    Entry::session("$fd_part", 1, model::part),
    Entry::session("$fd_bounded_aim", 1, model::bounded_aim),
];

fn formula(session: &mut Session<'_>, name: &str, args: &[Cell]) -> Posted {
    let name = session.m.symbols.intern(name);
    let term = session.m.heap.new_struct(name, args);
    session.assert(term)
}

fn within(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    integer_or_variable(session, args[0])?;
    let set = session.set(args[1])?;
    restrict(session, args[0], set.as_ref())
}

fn in_set(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    integer_or_variable(session, args[0])?;
    let set = session.given_set(args[1])?;
    restrict(session, args[0], set.as_ref())
}

fn all_within(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let items = session.list(args[0])?;
    for &item in &items {
        integer_or_variable(session, item)?;
    }
    let set = session.set(args[1])?;
    items.into_iter().try_for_each(|item| restrict(session, item, set.as_ref()))
}

fn integer_or_variable(session: &mut Session<'_>, cell: Cell) -> Posted {
    match session.m.heap.value(cell) {
        Value::Var(_) | Value::Int(_) | Value::Big(_) => Ok(()),
        _ => Err(session.m.type_error("integer", cell).into()),
    }
}

fn restrict(session: &mut Session<'_>, cell: Cell, set: Option<&Domain>) -> Posted {
    let Some(set) = set else { return Err(Refusal::Fail) };
    match session.m.heap.value(cell) {
        Value::Int(value) if set.has(value) => Ok(()),
        Value::Int(_) => Err(Refusal::Fail),
        _ => {
            let var = session.operand(cell)?;
            session.store.restart(var);
            Ok(session.store.intersect(var, set)?)
        }
    }
}

/// `scalar_product(Coefficients, Variables, Relation, Expression)`.
fn scalar_product(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let numbers = session.numbers(args[0])?;
    let items = session.list(args[1])?;
    for &item in &items {
        integer_or_variable(session, item)?;
    }
    if numbers.len() != items.len() {
        return Err(Refusal::Fail);
    }
    let name = match session.m.heap.value(args[2]) {
        Value::Var(_) => return Err(session.m.instantiation_error().into()),
        Value::Atom(name) => name,
        _ => return Err(session.m.type_error("callable", args[2]).into()),
    };
    let Some(comparison) = Comparison::of(session.m.symbols.name(name)) else {
        return Err(session.m.domain_error("scalar_product_relation", args[2]).into());
    };
    session.compare_product(&numbers, &items, comparison, args[3])
}

/// Answers a question about the values of a variable or an integer.
fn ask(
    m: &mut Machine,
    w: &mut World,
    args: &[Cell],
    answer: impl FnOnce(&mut Session<'_>, &Domain) -> Cell,
) -> Outcome {
    let noted = reasons::is_noting(w).then(|| reasons::domain_of_noted(m, w, args[0]));
    let mut session = Session::new(m, w);
    let domain = match (session.m.heap.value(args[0]), integer(&session.m.heap, args[0])) {
        (Value::Var(_), _) => match (noted, session.known(args[0])) {
            (Some(noted), _) => noted,
            (None, Some(var)) => session.store.domain(var).clone(),
            (None, None) => Domain::all(),
        },
        (_, Some(value)) => Domain::value(&value),
        _ => return Err(m.type_error("integer", args[0])),
    };
    let value = answer(&mut session, &domain);
    Ok(m.unify(args[1], value))
}

/// A domain as `fd_dom/2` has it, where one value is an interval too.
fn domain_term(session: &mut Session<'_>, domain: &Domain) -> Cell {
    let set = match set_shown(domain) {
        Shown::Chain(_, parts) if domain.single().is_some() => {
            Shown::binary("..", parts[0].clone(), parts[0].clone())
        }
        set => set,
    };
    session.shown(&set)
}

fn degree(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let session = Session::new(m, w);
    let degree = match session.m.heap.value(args[0]) {
        Value::Var(_) => session.known(args[0]).map_or(0, |var| session.store.degree(var)),
        Value::Int(_) | Value::Big(_) => 0,
        _ => return Err(m.type_error("integer", args[0])),
    };
    Ok(m.unify(args[1], Cell::small(degree as i64)))
}

/// `'$labeling'(Options, Variables)`: each can be labelled.
fn finite(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let mut session = Session::new(m, w);
    let items = match session.list(args[1]) {
        Ok(items) => items,
        Err(refusal) => return outcome(Err(refusal)),
    };
    for (at, item) in items.into_iter().enumerate() {
        match session.m.heap.value(item) {
            Value::Int(_) | Value::Big(_) => {}
            Value::Var(_) => {
                let known = session.known(item);
                let domain = known.map(|var| session.store.domain(var));
                if domain.is_none_or(|domain| domain.size() == Bound::Sup) {
                    let domain = domain.cloned().unwrap_or_else(Domain::all);
                    let unlabelled = Unlabelled { place: at + 1, domain };
                    w.slots.put(unlabelled);
                    return Err(m.instantiation_error());
                }
            }
            _ => return Err(m.type_error("integer", item)),
        }
    }
    Ok(true)
}

/// `'$fd_integer_unknowns'(List)`: the variables of a list are integers, which has to be said where the flag
/// `clpfd_monotonic` is set.
fn integer_unknowns(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    if !w.flags.clpfd_monotonic {
        return Ok(true);
    }
    let mut session = Session::new(m, w);
    for item in session.m.heap.proper_list(args[0]).unwrap_or_default() {
        if session.m.heap.deref(item).is_var() {
            session.variable(item);
        }
    }
    session.keep();
    Ok(true)
}

/// `'$fd_pick'(Variables, Selection, Order, Pick, Rest)`: the next variable to be labelled and what to do with
/// it first, `Var-Value`, or `done`; `Rest` are the variables without those in front that have values.
fn pick(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let mut session = Session::new(m, w);
    let mut rest = session.m.heap.deref(args[0]);
    let mut best: Option<(Cell, Var)> = None;
    let mut first_open = None;
    let [selection, order] = [args[1], args[2]].map(|cell| {
        let name = session.m.heap.deref(cell).as_atom();
        name.map(|name| session.m.symbols.name(name).to_owned()).unwrap_or_default()
    });
    let mut open = Vec::new();
    while rest.is_list() {
        let (item, tail) = (session.m.heap.at(rest.addr()), session.m.heap.at(rest.addr() + 1));
        if let Some(var) = session.known(item) {
            first_open.get_or_insert(rest);
            let item = session.m.heap.deref(item);
            let is_better = match (&best, &*selection) {
                (None, _) => true,
                (Some((_, than)), by) => precedes(&session, by, var, *than),
            };
            if selection == "random_variable" {
                open.push((item, var));
            }
            if is_better {
                best = Some((item, var));
            }
            if selection == "leftmost" || selection.is_empty() {
                break;
            }
        }
        rest = session.m.heap.deref(tail);
    }
    if !open.is_empty() {
        let at = session.m.arithmetic.random.below(open.len() as u64) as usize;
        best = Some(open[at]);
    }
    let Some((cell, var)) = best else {
        let done = Cell::atom(m.symbols.intern("done"));
        return Ok(m.unify(args[3], done));
    };
    let domain = session.store.domain(var).clone();
    let value = match &*order {
        "down" => domain.hi(),
        "random_value" => {
            let parts = domain.parts();
            let part = session.m.arithmetic.random.below(parts.len() as u64) as usize;
            let (lo, hi) = &parts[part];
            match (lo.small(), hi.small()) {
                (Some(lo), Some(hi)) => {
                    let at = session.m.arithmetic.random.below((hi - lo) as u64 + 1);
                    Bound::from(lo + at as i64)
                }
                _ => lo.clone(),
            }
        }
        "middle" => {
            let hi = domain.hi();
            let middle = domain.lo().plus(&hi).trunc_div(&Bound::int(2));
            if middle == hi { middle.pred() } else { middle }
        }
        _ => domain.lo(),
    };
    let value = session.bound_term(&value);
    let pair = session.m.heap.new_struct(atoms::MINUS, &[cell, value]);
    let rest = first_open.expect("one is open");
    model::count(w)?;
    Ok(m.unify(args[3], pair) && m.unify(args[4], rest))
}

/// Whether a variable is to be labelled before another that stands further left.
fn precedes(session: &Session<'_>, selection: &str, var: Var, than: Var) -> bool {
    let store = &*session.store;
    match selection {
        "ff" => size(session, var) < size(session, than),
        "ffc" => {
            let (own, other) = (size(session, var), size(session, than));
            own < other || own == other && store.degree(var) > store.degree(than)
        }
        "min" => store.domain(var).lo() < store.domain(than).lo(),
        "max" => store.domain(var).hi() > store.domain(than).hi(),
        _ => false,
    }
}

fn size(session: &Session<'_>, var: Var) -> u64 {
    session.store.domain(var).as_small().map_or(u64::MAX, Small::size)
}

/// `'$fd_elements'(Variable, Values)`: in ascending order, of a variable with finitely many.
fn elements(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let mut session = Session::new(m, w);
    let Some(var) = session.known(args[0]) else { return Ok(m.unify(args[1], Cell::NIL)) };
    let set = session.store.domain(var).clone();
    let list = session.values(Some(&set));
    Ok(m.unify(args[1], list))
}

fn remove(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let var = session.operand(args[0])?;
    let value = session.number(args[1])?;
    Ok(session.store.remove(var, &Bound::Fin(value))?)
}

/// `'$fd_better'(Direction, Expression, Best)`: the value of a variable will be better than the best so far,
/// `best(Value)`, or `none`.
fn better(session: &mut Session<'_>, args: &[Cell]) -> Posted {
    let best = session.m.symbols.intern("best");
    let Some([best]) = session.m.heap.match_struct::<1>(args[2], best) else { return Ok(()) };
    let var = session.operand(args[1])?;
    let least = session.m.heap.deref(args[0]).as_atom() == Some(atoms::MIN);
    let bound = Bound::Fin(session.number(best)?);
    let step = if least {
        session.store.at_most(var, &bound.pred())
    } else {
        session.store.at_least(var, &bound.succ())
    };
    Ok(step?)
}

impl Session<'_> {
    fn post_and_settle(&mut self, post: Post, args: &[Cell]) -> Outcome {
        let posted = post(self, args).and_then(|()| self.settle());
        outcome(posted.map(|()| true))
    }

    /// Posts that a sum of products compares so with an expression.
    fn compare_product(
        &mut self,
        coefs: &[BigInt],
        items: &[Cell],
        comparison: Comparison,
        right: Cell,
    ) -> Posted {
        let mut e = Expression::default();
        let mut sum = e.push(Node::Integer(0.into()));
        for (coef, &item) in coefs.iter().zip(items) {
            let heap = &self.m.heap;
            let item = integer(heap, item).map_or(Node::Variable(heap.deref(item)), Node::Integer);
            // The sum so far, then the product: parts before wholes.
            let coef = e.push(Node::Integer(coef.clone()));
            let item = e.push(item);
            let product = e.push(Node::Binary(Binary::Multiply, coef, item));
            sum = e.push(Node::Binary(Binary::Add, sum, product));
        }
        let other = self.expression(right)?;
        let other = e.append(other);
        self.compare_parts(comparison, e, sum, other)
    }
}
