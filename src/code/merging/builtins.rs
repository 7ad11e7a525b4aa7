//! Built-ins and library predicates that have a form of their own here. Others are clauses, run as
//! the user's are, or deoptimise.

use super::arithmetic::{evaluate, value};
use super::environment::{Way, Ways, tested};
use super::goals::variables;
use super::{Run, UNBOUND, order, places, present, structures};
use rustc_hash::FxHashMap;
use zug_symbolic::Relation::{Equal, Less};
use zug_symbolic::{Condition, Domain, Guarded, Operation, Relation, Shape, Store, Term, Variable};
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, HeaderKind};

/// A built-in: arguments, resolved; the way; what lives on.
pub type BuiltIn = fn(&mut Run<'_>, &[Term], Way, &[Variable]) -> Ways;

/// The arithmetic: name, arity, priority of an operator or 0 of a function.
pub const OPERATIONS: [(&str, usize, u16, Operation); 19] = [
    ("+", 2, 500, Operation::Add),
    ("-", 2, 500, Operation::Subtract),
    ("*", 2, 400, Operation::Multiply),
    ("//", 2, 400, Operation::Truncate),
    ("div", 2, 400, Operation::Floor),
    ("mod", 2, 400, Operation::Modulo),
    ("rem", 2, 400, Operation::Remainder),
    ("min", 2, 0, Operation::Minimum),
    ("max", 2, 0, Operation::Maximum),
    ("/\\", 2, 500, Operation::BitAnd),
    ("\\/", 2, 500, Operation::BitOr),
    ("xor", 2, 500, Operation::BitXor),
    ("<<", 2, 400, Operation::ShiftLeft),
    (">>", 2, 400, Operation::ShiftRight),
    ("-", 1, 0, Operation::Negate),
    ("abs", 1, 0, Operation::Absolute),
    ("popcount", 1, 0, Operation::PopCount),
    ("msb", 1, 0, Operation::HighestBit),
    ("lsb", 1, 0, Operation::LowestBit),
];

#[derive(Default)]
pub struct Table {
    entries: FxHashMap<(Atom, usize), BuiltIn>,
    pub operations: FxHashMap<(Atom, usize), Operation>,
}

impl Table {
    /// Fills it, unless that was done.
    pub fn fill(&mut self, symbols: &mut Symbols) {
        if !self.entries.is_empty() {
            return;
        }
        let entries: &[(&str, usize, BuiltIn)] = &[
            ("=", 2, |run, args, way, _| Some(run.unify(args[0], args[1], way))),
            ("\\=", 2, not_unifiable),
            ("==", 2, |run, args, way, _| identical(run, args, way, true)),
            ("\\==", 2, |run, args, way, _| identical(run, args, way, false)),
            ("is", 2, is),
            ("<", 2, |run, args, way, _| compare(run, Less, [args[0], args[1]], way, true)),
            (">", 2, |run, args, way, _| compare(run, Less, [args[1], args[0]], way, true)),
            (">=", 2, |run, args, way, _| compare(run, Less, [args[0], args[1]], way, false)),
            ("=<", 2, |run, args, way, _| compare(run, Less, [args[1], args[0]], way, false)),
            ("=:=", 2, |run, args, way, _| compare(run, Equal, [args[0], args[1]], way, true)),
            ("=\\=", 2, |run, args, way, _| compare(run, Equal, [args[0], args[1]], way, false)),
            ("var", 1, |run, args, way, _| unbound(run, args[0], way, true)),
            ("nonvar", 1, |run, args, way, _| unbound(run, args[0], way, false)),
            ("atom", 1, |run, args, way, _| of_type(run, args[0], way, &[Kind::Atom])),
            ("integer", 1, |run, args, way, _| of_type(run, args[0], way, &Kind::NUMBERS[..2])),
            ("float", 1, |run, args, way, _| of_type(run, args[0], way, &[Kind::Float])),
            ("string", 1, |run, args, way, _| of_type(run, args[0], way, &[Kind::Text])),
            ("number", 1, |run, args, way, _| of_type(run, args[0], way, &Kind::NUMBERS)),
            ("atomic", 1, |run, args, way, _| {
                let kinds = [&Kind::NUMBERS[..], &[Kind::Atom, Kind::Text]].concat();
                of_type(run, args[0], way, &kinds)
            }),
            ("compound", 1, |run, args, way, _| of_type(run, args[0], way, &[Kind::Compound])),
            ("callable", 1, |run, args, way, _| {
                of_type(run, args[0], way, &[Kind::Atom, Kind::Compound])
            }),
            ("compare", 3, |run, args, way, _| run.order(args, way)),
            ("@<", 2, |run, args, way, _| order::before(run, [args[0], args[1]], way, true)),
            ("@>", 2, |run, args, way, _| order::before(run, [args[1], args[0]], way, true)),
            ("@>=", 2, |run, args, way, _| order::before(run, [args[0], args[1]], way, false)),
            ("@=<", 2, |run, args, way, _| order::before(run, [args[1], args[0]], way, false)),
            ("sort", 2, |run, args, way, live| order::sort(run, args, way, live, true)),
            ("msort", 2, |run, args, way, live| order::sort(run, args, way, live, false)),
            ("sort", 4, order::sort_by),
            ("keysort", 2, order::keysort),
            ("list_to_set", 2, order::set),
            ("ground", 1, structures::is_ground),
            ("copy_term", 2, structures::copy_term),
            ("copy_term_nat", 2, structures::copy_term),
            ("term_variables", 2, structures::term_variables),
            ("functor", 3, structures::functor),
            ("=..", 2, structures::univ),
            ("$arg", 3, structures::argument),
            ("$arity", 2, structures::arity),
            ("catch", 3, |run, args, way, live| Some(run.meta(args[0], &[], way, live))),
            ("succ", 2, successor),
            ("plus", 3, plus),
            ("max_list", 2, |run, args, way, _| extreme(run, args, None, Operation::Maximum, way)),
            ("min_list", 2, |run, args, way, _| extreme(run, args, None, Operation::Minimum, way)),
            ("$max_list", 3, |run, args, way, _| {
                extreme(run, &[args[0], args[2]], Some(args[1]), Operation::Maximum, way)
            }),
            ("$min_list", 3, |run, args, way, _| {
                extreme(run, &[args[0], args[2]], Some(args[1]), Operation::Minimum, way)
            }),
            ("$sum_list", 3, |run, args, way, _| {
                let start = (Condition::ALWAYS, args[1]);
                let items = [vec![start], run.store.elements(args[0])?].concat();
                Some(adds_up(run, items, args[2], way))
            }),
            ("$list_end", 2, |run, args, way, _| {
                run.store.elements(args[0])?;
                let nil = run.store.constant(Cell::NIL);
                Some(run.unify(args[1], nil, way))
            }),
            ("is_list", 1, is_list),
            ("not", 1, not),
            ("once", 1, once),
            ("$", 1, demanded),
            ("ignore", 1, ignore),
            ("forall", 2, forall),
            ("findall", 3, findall),
            ("aggregate_all", 3, aggregate),
            ("between", 3, between),
            ("length", 2, length),
            ("member", 2, member),
            ("memberchk", 2, member_check),
            ("sum_list", 2, sum),
            ("sumlist", 2, sum),
            ("nth0", 3, |run, args, way, live| places::nth(run, args, way, live, 0)),
            ("nth1", 3, |run, args, way, live| places::nth(run, args, way, live, 1)),
            ("nth0", 4, |run, args, way, _| places::nth_rest(run, args, way, 0)),
            ("nth1", 4, |run, args, way, _| places::nth_rest(run, args, way, 1)),
            ("append", 3, append),
            ("append", 2, append_all),
            ("$reversed", 2, reversed),
            ("subtract", 3, |run, args, way, _| present::filtered(run, args, way, false)),
            ("intersection", 3, |run, args, way, _| present::filtered(run, args, way, true)),
            ("union", 3, present::union),
            ("subset", 2, present::subset),
            ("delete", 3, present::delete),
            ("select", 3, present::select),
            ("select", 4, present::select_replaced),
            ("last", 2, present::last),
            ("ord_memberchk", 2, present::is_among),
            ("ord_subtract", 3, |run, args, way, _| present::filtered_sets(run, args, way, false)),
            ("ord_intersection", 3, |run, args, way, _| {
                present::filtered_sets(run, args, way, true)
            }),
            ("ord_union", 3, present::ordered_union),
            ("ord_add_element", 3, present::with_element),
            ("ord_del_element", 3, present::without_element),
            ("include", 3, |run, args, way, _| filter(run, args, way, true)),
            ("exclude", 3, |run, args, way, _| filter(run, args, way, false)),
        ];
        let entries = entries.iter().map(|&(name, arity, of)| ((symbols.intern(name), arity), of));
        self.entries = entries.collect();
        let named = |(name, arity, _, operation)| ((symbols.intern(name), arity), operation);
        self.operations = OPERATIONS.map(named).into_iter().collect();
    }

    pub fn get(&self, name: Atom, arity: usize) -> Option<BuiltIn> {
        self.entries.get(&(name, arity)).copied()
    }
}

fn not_unifiable(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let equal = run.unify(args[0], args[1], way.clone());
    let equal = run.any_way(&equal);
    let not = run.store.not(equal);
    Some(tested(run, way, not))
}

fn identical(run: &mut Run<'_>, args: &[Term], way: Way, same: bool) -> Ways {
    let Some(mut condition) = run.store.identical(args[0], args[1]) else {
        run.deoptimise(way.condition, "lists are compared whose elements may be absent");
        return Some(Vec::new());
    };
    if !same {
        condition = run.store.not(condition);
    }
    Some(tested(run, way, condition))
}

fn is(run: &mut Run<'_>, args: &[Term], mut way: Way, _: &[Variable]) -> Ways {
    let Some((value, within)) = value(run, args[1], way.condition) else {
        return Some(Vec::new());
    };
    way.condition = within;
    Some(run.unify(args[0], value, way))
}

fn compare(run: &mut Run<'_>, by: Relation, sides: [Term; 2], mut way: Way, holds: bool) -> Ways {
    let mut values = sides;
    for side in &mut values {
        let Some((value, within)) = value(run, *side, way.condition) else {
            return Some(Vec::new());
        };
        *side = value;
        way.condition = within;
    }
    let mut condition = match run.store.compare_numbers(by, values[0], values[1]) {
        Some(condition) => condition,
        None => {
            let name = if by == Relation::Less { "<" } else { "=:=" };
            match run.compares(name, values, way.condition) {
                Some(condition) => condition,
                None => {
                    run.deoptimise(way.condition, "numbers are compared that are too large");
                    return Some(Vec::new());
                }
            }
        }
    };
    if !holds {
        condition = run.store.not(condition);
    }
    Some(tested(run, way, condition))
}

/// `succ/2`: of what is not below zero.
fn successor(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let one = run.store.constant(Cell::small(1));
    // An integer here, if the way says so.
    let known = |run: &mut Run<'_>, term: Term| match run.store.shape(term) {
        _ if run.store.bounds(term).is_some() => Some(term),
        Shape::Leaf(_) => evaluate(run, term, way.condition).ok(),
        _ => None,
    };
    let (known, other, operation, least) = match known(run, args[0]) {
        Some(first) => (first, args[1], Operation::Add, 0),
        None => (known(run, args[1])?, args[0], Operation::Subtract, 1),
    };
    let (low, _) = run.store.bounds(known)?;
    let mut way = way;
    if low < 0 {
        let zero = run.store.constant(Cell::ZERO);
        let below = run.store.compare(Relation::Less, known, zero);
        let back = run.store.both(way.condition, below);
        run.deoptimise(back, "a number below zero has no successor");
    }
    // Zero is the successor of nothing.
    if low < least {
        let least = run.store.integer(least)?;
        let below = run.store.compare(Relation::Less, known, least);
        way.condition = run.minus(way.condition, below);
        if way.condition == Condition::NEVER {
            return Some(Vec::new());
        }
    }
    let value = run.store.compute(operation, &[known, one]).ok()?;
    Some(run.unify(other, value, way))
}

fn plus(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let Some(way) = integers(run, args, i64::MIN, way)? else { return Some(Vec::new()) };
    let bounds = [args[0], args[1], args[2]].map(|term| run.store.bounds(term).is_some());
    let (other, value) = match bounds {
        [true, true, _] => (args[2], run.store.compute(Operation::Add, &args[..2])),
        [true, _, true] => (args[1], run.store.compute(Operation::Subtract, &[args[2], args[0]])),
        [_, true, true] => (args[0], run.store.compute(Operation::Subtract, &[args[2], args[1]])),
        _ => return None,
    };
    Some(run.unify(other, value.ok()?, way))
}

/// The greatest or least of the elements that are there, and of a first one, if there is one.
fn extreme(
    run: &mut Run<'_>,
    args: &[Term],
    first: Option<Term>,
    operation: Operation,
    mut way: Way,
) -> Ways {
    let mut items = run.store.elements(args[0])?;
    items.splice(0..0, first.map(|first| (Condition::ALWAYS, first)));
    let (mut some, mut so_far) = (Condition::NEVER, None);
    for (there, item) in items {
        run.store.bounds(item)?;
        so_far = Some(match so_far {
            None => item,
            Some(so_far) => {
                let both = run.store.compute(operation, &[so_far, item]).ok()?;
                let (is, not) = (run.store.both(some, there), run.store.not(there));
                let first = run.minus(there, some);
                let kept = run.store.both(some, not);
                let ways = [(is, both), (kept, so_far), (first, item)];
                let ways: Vec<Guarded> =
                    ways.into_iter().filter(|&(holds, _)| holds != Condition::NEVER).collect();
                run.store.merged(&ways)?
            }
        });
        some = run.store.or([some, there]);
    }
    way.condition = run.store.both(way.condition, some);
    match so_far {
        Some(value) if way.condition != Condition::NEVER => Some(run.unify(args[1], value, way)),
        _ => Some(Vec::new()),
    }
}

fn unbound(run: &mut Run<'_>, term: Term, way: Way, wanted: bool) -> Ways {
    let mut condition = is_unbound(&mut run.store, term);
    if !wanted {
        condition = run.store.not(condition);
    }
    Some(tested(run, way, condition))
}

fn is_unbound(store: &mut Store, term: Term) -> Condition {
    match store.shape(term).clone() {
        Shape::Variable(_) => Condition::ALWAYS,
        Shape::Leaf(leaf) => store.is_value(leaf, UNBOUND),
        Shape::Choice(ways) => {
            let unbound = store.any_way(&ways, |store, way| Some(is_unbound(store, way)));
            unbound.unwrap_or(Condition::NEVER)
        }
        _ => Condition::NEVER,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Atom,
    /// An integer that a cell holds.
    Integer,
    /// One that no cell does.
    Large,
    Float,
    /// A rational number that is no integer.
    Rational,
    Text,
    Compound,
}

impl Kind {
    const NUMBERS: [Kind; 4] = [Kind::Integer, Kind::Large, Kind::Float, Kind::Rational];
}

fn of_type(run: &mut Run<'_>, term: Term, way: Way, kinds: &[Kind]) -> Ways {
    let condition = has_type(&mut run.store, term, kinds)?;
    Some(tested(run, way, condition))
}

fn has_type(store: &mut Store, term: Term, kinds: &[Kind]) -> Option<Condition> {
    let is = |kind: Kind| Condition::certain(kinds.contains(&kind));
    let of_cell = |cell: Cell| if cell.is_atom() { Kind::Atom } else { Kind::Integer };
    Some(match store.shape(term).clone() {
        Shape::Constant(cell) => is(of_cell(cell)),
        Shape::Integer(..) => is(Kind::Integer),
        Shape::Float(..) => is(Kind::Float),
        Shape::Variable(_) | Shape::Opaque(_) => Condition::NEVER,
        Shape::Pair(..) | Shape::Struct(..) => is(Kind::Compound),
        Shape::Boxed(boxed) => {
            let constant = store.unboxed(boxed);
            is(match constant.cells[constant.root.addr()].header_kind() {
                HeaderKind::Float => Kind::Float,
                HeaderKind::String => Kind::Text,
                HeaderKind::Rational => Kind::Rational,
                HeaderKind::Big | HeaderKind::Functor => Kind::Large,
            })
        }
        Shape::Leaf(leaf) => match store.domain(leaf).clone() {
            Domain::Range(..) => is(Kind::Integer),
            Domain::Values(values) | Domain::Mixed(values, ..) => {
                let is = |&value: &Cell| value != UNBOUND && kinds.contains(&of_cell(value));
                let values = values.iter().copied().filter(is);
                let mut ways: Vec<Condition> =
                    values.map(|value| store.is_value(leaf, value)).collect();
                if kinds.contains(&Kind::Integer) {
                    ways.push(store.is_integer(leaf));
                }
                store.or(ways)
            }
        },
        Shape::Choice(ways) => store.any_way(&ways, |store, way| has_type(store, way, kinds))?,
        Shape::Present(elements) => {
            let there = store.or(elements.iter().map(|&(there, _)| there));
            let empty = store.not(there);
            let ways = [(there, Kind::Compound), (empty, Kind::Atom)];
            store.or(ways.into_iter().filter(|(_, kind)| kinds.contains(kind)).map(|way| way.0))
        }
    })
}

fn is_list(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let mut rest = args[0];
    while let &Shape::Pair(_, tail) = run.store.shape(rest) {
        run.store.spend(1);
        rest = tail;
    }
    match run.store.shape(rest) {
        Shape::Choice(_) => None,
        &Shape::Leaf(leaf) => {
            let is = run.store.is_value(leaf, Cell::NIL);
            Some(tested(run, way, is))
        }
        Shape::Present(_) | Shape::Constant(Cell::NIL) => Some(vec![way]),
        _ => Some(Vec::new()),
    }
}

fn append_all(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let mut all = Vec::new();
    for (there, list) in run.store.elements(args[0])? {
        for (inner, item) in run.store.elements(list)? {
            all.push((run.store.both(there, inner), item));
        }
    }
    let list = run.store.present(all);
    Some(run.unify(args[1], list, way))
}

fn not(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let ways = run.meta(args[0], &[], way.clone(), &[]);
    let holds = run.any_way(&ways);
    let not = run.store.not(holds);
    Some(tested(run, way, not))
}

fn once(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let ways = run.meta(args[0], &[], way, live);
    Some(run.first_way(ways, live))
}

/// `$/1` of `once/1`. Whether another goal leaves a choice behind, which is an error, only the machine knows.
fn demanded(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let goal = way.bindings.walk(&run.store, args[0]);
    if !matches!(run.store.shape(goal), Shape::Struct(header, _) if *header == Cell::functor(atoms::ONCE, 1))
    {
        return None;
    }
    let before = way.condition;
    let ways = run.meta(goal, &[], way, live);
    let holds = run.any_way(&ways);
    let fails = run.minus(before, holds);
    run.deoptimise(fails, "a goal that must have an answer has none");
    Some(ways)
}

fn ignore(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let ways = run.meta(args[0], &[], way.clone(), live);
    let holds = run.any_way(&ways);
    let rest = run.minus(way.condition, holds);
    let before = way.condition;
    let first = run.first_way(ways, live);
    let other = tested(run, Way { condition: rest, ..way }, Condition::ALWAYS);
    Some(run.joined_ways([first, other], [holds, rest], before, live))
}

fn forall(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let action = variables(&run.store, args[1]);
    let mut against = Vec::new();
    for one in run.meta(args[0], &[], way.clone(), &action) {
        let done = run.meta(args[1], &[], one.clone(), &[]);
        let done = run.any_way(&done);
        against.push(run.minus(one.condition, done));
    }
    let against = run.store.or(against);
    let not = run.store.not(against);
    Some(tested(run, way, not))
}

/// The instances of a term for the answers of a goal, each with its condition.
fn solutions(run: &mut Run<'_>, template: Term, goal: Term, way: &Way) -> Vec<Guarded> {
    let live = variables(&run.store, template);
    let ways = run.meta(goal, &[], way.clone(), &live);
    let mut items = Vec::with_capacity(ways.len());
    for one in ways {
        let item = one.bindings.resolve(&mut run.store, template);
        items.push((run.store.given(one.condition, way.condition), item));
    }
    items
}

/// The list of these, whose variables are new ones.
fn collected(run: &mut Run<'_>, template: Term, goal: Term, way: &mut Way) -> Term {
    let mut elements = Vec::new();
    for (there, item) in solutions(run, template, goal, way) {
        let within = run.store.both(way.condition, there);
        elements.push((there, run.copied(item, way, within)));
    }
    run.store.present(elements)
}

fn findall(run: &mut Run<'_>, args: &[Term], mut way: Way, _: &[Variable]) -> Ways {
    let list = collected(run, args[0], args[1], &mut way);
    Some(run.unify(args[2], list, way))
}

fn aggregate(run: &mut Run<'_>, args: &[Term], mut way: Way, _: &[Variable]) -> Ways {
    let (name, template) = match run.store.shape(args[0]).clone() {
        Shape::Constant(cell) => (cell.as_atom()?, None),
        Shape::Struct(header, parts) if parts.len() == 1 => (header.functor_name(), Some(parts[0])),
        _ => return None,
    };
    let nil = run.store.constant(Cell::NIL);
    let name = run.machine.symbols.name(name);
    match (name, template) {
        ("count", _) => {
            let one = run.store.constant(Cell::small(1));
            let items = solutions(run, template.unwrap_or(nil), args[1], &way);
            let items = items.into_iter().map(|(there, _)| (there, one)).collect();
            Some(adds_up(run, items, args[2], way))
        }
        ("sum", Some(template)) => {
            let items = solutions(run, template, args[1], &way);
            Some(adds_up(run, items, args[2], way))
        }
        ("bag", Some(template)) => {
            let list = collected(run, template, args[1], &mut way);
            Some(run.unify(args[2], list, way))
        }
        _ => None,
    }
}

/// The sum of the elements that are there, and where it is one: the other states deoptimise.
fn total(run: &mut Run<'_>, of: Vec<Guarded>, mut within: Condition) -> Option<(Term, Condition)> {
    let zero = run.store.constant(Cell::ZERO);
    let mut parts = Vec::with_capacity(of.len());
    for (there, item) in of {
        let here = run.store.both(within, there);
        if here == Condition::NEVER {
            continue;
        }
        let (item, is_one) = value(run, item, here).unwrap_or((zero, Condition::NEVER));
        if run.store.bounds(item).is_none() {
            run.deoptimise(within, "something added up is no integer in some states");
            return None;
        }
        let not = run.store.not(there);
        if is_one != here {
            let counts = run.store.or([not, is_one]);
            within = run.store.both(within, counts);
        }
        let part = match there {
            Condition::ALWAYS => Some(item),
            _ => run.store.merged(&[(there, item), (not, zero)]),
        };
        let Some(part) = part else {
            run.deoptimise(within, "something added up is no integer in some states");
            return None;
        };
        parts.push(part);
    }
    let sum = run.store.sum(&parts);
    if sum.is_none() {
        run.deoptimise(within, "a number may become too large");
    }
    Some((sum?, within))
}

fn adds_up(run: &mut Run<'_>, items: Vec<Guarded>, result: Term, way: Way) -> Vec<Way> {
    match total(run, items, way.condition) {
        Some((sum, condition)) if condition != Condition::NEVER => {
            run.unify(result, sum, Way { condition, ..way })
        }
        _ => Vec::new(),
    }
}

fn sum(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let items = run.store.elements(args[0])?;
    Some(adds_up(run, items, args[1], way))
}

/// A way on which terms are integers from `least` on or unbound, other states deoptimise;
/// `Some(None)` if it ends, `None` if not known.
fn integers(run: &mut Run<'_>, terms: &[Term], least: i64, mut way: Way) -> Option<Option<Way>> {
    for &term in terms {
        let is_other = match run.store.shape(term) {
            Shape::Variable(_) => continue,
            Shape::Constant(cell) => cell.as_int().is_none(),
            Shape::Struct(..)
            | Shape::Pair(..)
            | Shape::Present(_)
            | Shape::Boxed(_)
            | Shape::Float(..) => true,
            Shape::Leaf(_) | Shape::Choice(_) | Shape::Integer(..) | Shape::Opaque(_) => false,
        };
        if is_other {
            run.deoptimise(way.condition, "an argument is no integer");
            return Some(None);
        }
        let (low, _) = run.store.bounds(term)?;
        if low < least {
            let bound = run.store.integer(least)?;
            let below = run.store.compare(Relation::Less, term, bound);
            let back = run.store.both(way.condition, below);
            run.deoptimise(back, "an argument is a number that is too small");
            way.condition = run.minus(way.condition, below);
            if way.condition == Condition::NEVER {
                return Some(None);
            }
        }
    }
    Some(Some(way))
}

fn length(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let Some(way) = integers(run, &args[1..], 0, way)? else { return Some(Vec::new()) };
    let Some(items) = run.store.elements(args[0]) else { return length_of_open(run, args, way) };
    if let Some(length) = present::counted(run, &items, way.condition) {
        return Some(run.unify(args[1], length, way));
    }
    let one = run.store.constant(Cell::small(1));
    let items = items.into_iter().map(|(there, _)| (there, one)).collect();
    Some(adds_up(run, items, args[1], way))
}

/// A list with an open end gets as many elements as the length says.
fn length_of_open(run: &mut Run<'_>, args: &[Term], mut way: Way) -> Ways {
    let (mut known, mut end) = (0, args[0]);
    while let &Shape::Pair(_, tail) = run.store.shape(end) {
        (known, end) = (known + 1, tail);
    }
    if !matches!(run.store.shape(end), Shape::Variable(_)) {
        return None;
    }
    let (least, most) = run.store.bounds(args[1])?;
    if least < 0 || most > 10_000 || most - least > 256 {
        return None;
    }
    let nil = run.store.constant(Cell::NIL);
    let mut ways = Vec::new();
    for length in least.max(known)..=most {
        let number = run.store.integer(length)?;
        let here = run.store.compare(Relation::Equal, args[1], number);
        let bindings = std::rc::Rc::make_mut(&mut way.bindings);
        let fresh: Vec<Variable> = (known..length).map(|_| bindings.fresh()).collect();
        let fresh: Vec<Term> = fresh.into_iter().map(|fresh| run.store.variable(fresh)).collect();
        let list = run.store.list(&fresh, nil);
        for way in tested(run, way.clone(), here) {
            ways.extend(run.unify(end, list, way));
        }
    }
    Some(ways)
}

fn between(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let is_without_end = match run.store.shape(args[1]) {
        Shape::Constant(cell) => {
            let name = cell.as_atom().map(|atom| run.machine.symbols.name(atom));
            matches!(name, Some("inf" | "infinite"))
        }
        _ => false,
    };
    let bounds = if is_without_end { [args[0], args[2]].to_vec() } else { args.to_vec() };
    let Some(way) = integers(run, &bounds, i64::MIN, way)? else { return Some(Vec::new()) };
    if matches!(run.store.shape(args[2]), Shape::Variable(_)) {
        let (mut way, mut ends) = (way, [args[0], args[1]]);
        if is_without_end {
            run.deoptimise(way.condition, "integers are gone through without end");
            return Some(Vec::new());
        }
        for end in &mut ends {
            let Some((number, within)) = value(run, *end, way.condition) else {
                return Some(Vec::new());
            };
            (*end, way.condition) = (number, within);
        }
        let bounds = (run.store.bounds(ends[0]), run.store.bounds(ends[1]));
        let (Some((least, _)), Some((_, most))) = bounds else {
            run.deoptimise(way.condition, "an end is no integer in some states");
            return Some(Vec::new());
        };
        if most.checked_sub(least)? > 10_000 {
            run.deoptimise(way.condition, "too many integers are gone through");
            return Some(Vec::new());
        }
        let mut ways = Vec::new();
        // A known count from an unknown first number: the offsets are useful without it.
        if let Some(count) = run.store.distance(ends[0], ends[1])
            && 2 * count < most - least
        {
            for more in 0..=count {
                let more = run.store.integer(more)?;
                let value = run.store.compute(Operation::Add, &[ends[0], more]).ok()?;
                ways.extend(run.unify(args[2], value, way.clone()));
            }
            return Some(ways);
        }
        for value in least..=most {
            let value = run.store.integer(value)?;
            let [above, below] = [[value, ends[0]], [ends[1], value]]
                .map(|[one, other]| run.store.compare(Relation::Less, one, other));
            let outside = run.store.or([above, below]);
            let here = run.store.not(outside);
            for way in tested(run, way.clone(), here) {
                ways.extend(run.unify(args[2], value, way));
            }
            if run.stopped() {
                break;
            }
        }
        return Some(ways);
    }
    let not_below = compare(run, Relation::Less, [args[2], args[0]], way, false)?;
    if is_without_end {
        return Some(not_below);
    }
    let mut ways = Vec::new();
    for way in not_below {
        ways.extend(compare(run, Relation::Less, [args[1], args[2]], way, false)?);
    }
    Some(ways)
}

fn member(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let items = run.store.elements(args[1])?;
    let mut ways = Vec::new();
    for (there, item) in items {
        for way in tested(run, way.clone(), there) {
            ways.extend(run.unify(args[0], item, way));
        }
    }
    Some(ways)
}

fn member_check(run: &mut Run<'_>, args: &[Term], way: Way, live: &[Variable]) -> Ways {
    let ways = member(run, args, way, live)?;
    Some(run.first_way(ways, live))
}

fn append(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let Some(left) = run.store.elements(args[0]) else { return present::split(run, args, way) };
    let is_certain = |list: &[Guarded]| list.iter().all(|&(there, _)| there == Condition::ALWAYS);
    let certain = is_certain(&left);
    let list = match run.store.elements(args[1]) {
        Some(right) if !certain || !is_certain(&right) => run.store.present([left, right].concat()),
        _ if certain => {
            let items: Vec<Term> = left.into_iter().map(|(_, item)| item).collect();
            run.store.list(&items, args[1])
        }
        _ => {
            run.deoptimise(way.condition, "a list with an open end behind one of unknown length");
            return Some(Vec::new());
        }
    };
    Some(run.unify(args[2], list, way))
}

fn reversed(run: &mut Run<'_>, args: &[Term], way: Way, _: &[Variable]) -> Ways {
    let mut items = run.store.elements(args[0])?;
    items.reverse();
    let list = run.store.present(items);
    Some(run.unify(args[1], list, way))
}

fn filter(run: &mut Run<'_>, args: &[Term], way: Way, kept: bool) -> Ways {
    // What one element binds in the goal would hold for the next.
    if !run.store.is_ground(args[0]) && !is_lambda(run, args[0]) {
        return None;
    }
    let items = run.store.elements(args[1])?;
    let mut left = Vec::with_capacity(items.len());
    for (there, item) in items {
        let condition = run.store.both(way.condition, there);
        if condition == Condition::NEVER {
            continue;
        }
        let ways = run.meta(args[0], &[item], way.within(condition), &[]);
        let holds = run.any_way(&ways);
        let mut stays = run.store.given(holds, way.condition);
        if !kept {
            stays = run.store.not(stays);
        }
        left.push((run.store.both(there, stays), item));
    }
    let list = run.store.present(left);
    Some(run.unify(args[2], list, way))
}

/// Whether a goal is a lambda expression that is copied before each call.
fn is_lambda(run: &Run<'_>, goal: Term) -> bool {
    let name = |term| match run.store.shape(term) {
        Shape::Struct(header, parts) if parts.len() == 2 => {
            Some((run.machine.symbols.name(header.functor_name()), parts[0]))
        }
        _ => None,
    };
    name(goal).is_some_and(|(lambda, parameters)| {
        lambda == ">>" && name(parameters).is_none_or(|(free, _)| free != "/")
    })
}
