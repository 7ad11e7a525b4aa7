//! The store of conditions and terms: each is made once and has a number, so that equal ones are
//! equal numbers, and what was found out of one is found out once.

use crate::limits;
use crate::sets::{Set, Sets};
use rustc_hash::FxHashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use zug_term::symbol::Atom;
use zug_term::{Cell, Record};

/// The value of a leaf that is unbound: no other constant is this one.
pub const UNBOUND: Cell = Cell::atom(Atom(u32::MAX));

/// A leaf of the state: a place whose value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leaf(pub u32);

/// A condition on leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition(u32);

/// A term in which leaves stand, and which may differ by condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(
    // PERF: many terms that may be absent are kept.
    NonZeroU32,
);

/// A constant that no cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Boxed(u32);

/// A variable of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// A term that there is under a condition.
pub type Guarded = (Condition, Term);

impl Term {
    fn of_index(index: usize) -> Term {
        Term(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Its number: equal terms have equal ones.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

impl Condition {
    /// It holds in no state.
    pub const NEVER: Condition = Condition(0);
    /// It holds in every state.
    pub const ALWAYS: Condition = Condition(1);

    /// It holds in every state, or in none.
    pub fn certain(holds: bool) -> Condition {
        if holds { Condition::ALWAYS } else { Condition::NEVER }
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a leaf may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// One of these atoms and integers, each at most once. Literals are about it.
    Values(Box<[Cell]>),
    /// An integer within bounds. Only comparisons are about it.
    Range(i64, i64),
    /// One of these, of which none is an integer, or an integer within bounds. Literals take all integers
    /// for one value, the last; comparisons are about the [number](Store::number_of).
    Mixed(Box<[Cell]>, i64, i64),
}

impl Domain {
    /// How many values literals tell apart.
    pub(crate) fn places(&self) -> Option<usize> {
        match self {
            Domain::Values(values) => Some(values.len()),
            Domain::Range(..) => None,
            Domain::Mixed(others, ..) => Some(others.len() + 1),
        }
    }

    /// The place of a value among those that literals tell apart.
    pub(crate) fn place(&self, value: Cell) -> Option<usize> {
        match self {
            Domain::Values(values) => {
                // PERF: of a parameter, and of many others, each number is at its own place.
                let own = value.as_int().and_then(|number| usize::try_from(number).ok());
                let own = own.filter(|&own| values.get(own) == Some(&value));
                own.or_else(|| values.iter().position(|&known| known == value))
            }
            Domain::Range(..) => None,
            Domain::Mixed(others, low, high) => match value.as_int() {
                Some(value) => (*low..=*high).contains(&value).then_some(others.len()),
                None => others.iter().position(|&known| known == value),
            },
        }
    }

    /// Whether it may be this.
    pub fn has(&self, value: Cell) -> bool {
        match self {
            Domain::Range(low, high) => {
                value.as_int().is_some_and(|value| (*low..=*high).contains(&value))
            }
            _ => self.place(value).is_some(),
        }
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `=:=`
    Equal,
}

impl Relation {
    /// Whether two numbers compare so.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::Equal => left == right,
        }
    }
}

/// What a condition says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Nothing that any state fulfils.
    Never,
    /// Nothing that any state has to fulfil.
    Always,
    /// The value of the leaf is in the set.
    Literal(Leaf, Set),
    /// Two integers, or two floats, compare so, or, negated, do not.
    Comparison {
        /// How they compare.
        relation: Relation,
        /// The first number.
        left: Term,
        /// The second.
        right: Term,
        /// Whether they do not compare so.
        negated: bool,
    },
    /// All of them: no two literals of one leaf, no conjunctions, ascending.
    And(Arc<[Condition]>),
    /// One of them at least: the negation of a conjunction.
    Or(Arc<[Condition]>),
}

/// Why there is no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It is computed of something that is none.
    NotInteger,
    /// The operation has no value for it, as division by zero.
    Undefined,
    /// It is, or may be, beyond what one cell holds.
    Large,
}

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `+`
    Add,
    /// `-` of two
    Subtract,
    /// `*`
    Multiply,
    /// Division that truncates towards zero (`//`).
    Truncate,
    /// Division that rounds down (`div`).
    Floor,
    /// The remainder that has the sign of the divisor (`mod`).
    Modulo,
    /// The remainder that has the sign of the dividend (`rem`).
    Remainder,
    /// `min`
    Minimum,
    /// `max`
    Maximum,
    /// `/\`
    BitAnd,
    /// `\/`
    BitOr,
    /// `xor`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`, which keeps the sign
    ShiftRight,
    /// `-` of one
    Negate,
    /// `abs`
    Absolute,
    /// How many bits are set (`popcount`), of what is not below zero.
    PopCount,
    /// The number of the highest bit that is set (`msb`), of what is above zero.
    HighestBit,
    /// The number of the lowest one (`lsb`).
    LowestBit,
    /// The integer that a leaf is which may be something else, too.
    Number,
    /// The integer that a float is rounded to: its operand is a float.
    Round(Rounding),
}

/// To which integer a float is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// Towards zero (`truncate`).
    Truncate,
    /// Down (`floor`).
    Floor,
    /// Up (`ceiling`).
    Ceiling,
    /// To the nearest one, away from zero between two (`round`, `integer`).
    Nearest,
}

/// An operation on floats, whose value is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatOperation {
    /// The float that is nearest to an integer: its operand is one.
    OfInteger,
    /// `+`
    Add,
    /// `-` of two
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `min`: of two zeros, the one with the sign.
    Minimum,
    /// `max`: of two zeros, the one without.
    Maximum,
    /// `-` of one
    Negate,
    /// `abs`
    Absolute,
    /// `sqrt`
    SquareRoot,
}

/// What stands in the place of a variable.
#[derive(Clone, Copy, Debug)]
pub enum Substitute {
    /// This term, as it is.
    Done(Term),
    /// This term, whose variables are substituted in turn.
    More(Term),
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An atom or an integer.
    Constant(Cell),
    /// A constant that no cell holds: a text, a float or an integer of many words.
    Boxed(Boxed),
    /// An unbound variable.
    Variable(Variable),
    /// The value of a leaf.
    Leaf(Leaf),
    /// A list cell: head and tail.
    Pair(Term, Term),
    /// A header of name and arity, and the arguments.
    Struct(Cell, Arc<[Term]>),
    /// One of several, by condition: of those, exactly one holds.
    Choice(Arc<[Guarded]>),
    /// A list of the elements whose conditions hold, in this order.
    Present(Arc<[Guarded]>),
    /// An integer computed of integers, or of a float.
    Integer(Operation, Arc<[Term]>),
    /// A float computed of floats, or of an integer.
    Float(FloatOperation, Arc<[Term]>),
    /// The output with this number of a call that is made later: nothing is known of it.
    Opaque(u32),
}

/// Of which leaves a term is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Of none.
    None,
    /// Of this one alone.
    One(Leaf),
    /// Of more.
    Several,
}

/// Which leaves a condition or a term is about.
#[derive(Clone, Copy, Debug)]
struct About {
    leaves: Leaves,
    filter: LeafFilter,
    /// There is a comparison in it.
    compares: bool,
}

impl About {
    const NOTHING: About = About { leaves: Leaves::None, filter: LeafFilter(0), compares: false };

    fn leaf(leaf: Leaf) -> About {
        About { leaves: Leaves::One(leaf), filter: LeafFilter::of(leaf), compares: false }
    }

    fn with(self, other: About) -> About {
        let leaves = match (self.leaves, other.leaves) {
            (Leaves::None, leaves) | (leaves, Leaves::None) => leaves,
            (one, other) if one == other => one,
            _ => Leaves::Several,
        };
        let compares = self.compares || other.compares;
        About { leaves, filter: self.filter.with(other.filter), compares }
    }
}

/// Leaves as bits, several to a bit (B. H. Bloom, *Space/Time Trade-offs in Hash Coding with Allowable Errors*, 1970).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeafFilter(u64);

impl LeafFilter {
    pub(crate) fn of(leaf: Leaf) -> LeafFilter {
        LeafFilter(1 << (leaf.0 % 64))
    }

    pub(crate) fn with(self, other: LeafFilter) -> LeafFilter {
        LeafFilter(self.0 | other.0)
    }

    /// What is in both.
    pub(crate) fn common(self, other: LeafFilter) -> LeafFilter {
        LeafFilter(self.0 & other.0)
    }

    /// Whether no leaf is in both.
    pub(crate) fn is_apart(self, other: LeafFilter) -> bool {
        self.common(other) == LeafFilter(0)
    }
}

/// What is found out of a term when it is made.
#[derive(Clone, Copy, Debug)]
struct Traits {
    ground: bool,
    /// No choice and no present list in it.
    plain: bool,
    /// An output of a call that is made later is in it.
    opaque: bool,
    about: About,
    /// Of nested structures; a tail is as deep as its list.
    depth: u32,
    /// What it is at least and at most, if it is an integer.
    bounds: Option<(i64, i64)>,
    /// How many bits of it may be set, if it is an integer not below zero.
    ones: Option<u32>,
    /// What it is at least and at most, if it is a float: finite.
    floats: Option<(f64, f64)>,
}

/// All conditions and terms of one symbolic run.
#[derive(Debug, Default)]
pub struct Store {
    formulas: Vec<Formula>,
    conditions: FxHashMap<Formula, Condition>,
    depths: Vec<u32>,
    /// By condition.
    about: Vec<About>,
    pub(crate) negations: Vec<Option<Condition>>,
    /// Conjunctions of two conditions, ascending, that were made,
    pub(crate) pairs: FxHashMap<[Condition; 2], Condition>,
    /// of more,
    pub(crate) conjunctions: FxHashMap<Box<[Condition]>, Condition>,
    /// and disjunctions of two or more.
    pub(crate) disjunctions: FxHashMap<Box<[Condition]>, Condition>,
    shapes: Vec<Shape>,
    terms: FxHashMap<Shape, Term>,
    traits: Vec<Traits>,
    domains: Vec<(Domain, Option<Set>)>,
    boxed: Vec<Record>,
    boxed_numbers: FxHashMap<Record, Boxed>,
    /// Of integers computed of one leaf, by its value.
    pub(crate) values: FxHashMap<(Term, Cell), Result<i64, Obstacle>>,
    /// The same of floats.
    pub(crate) floats: FxHashMap<(Term, Cell), Result<f64, Obstacle>>,
    pub(crate) sets: Sets,
    work: u64,
    limit: u64,
    /// Something was nested too deep.
    is_too_deep: bool,
}

impl Store {
    /// A store for leaves of these domains, [spent](Store::is_spent) after `limit` conjuncts and elements looked at.
    pub fn new(domains: Vec<Domain>, limit: u64) -> Store {
        let mut sets = Sets::default();
        let with_set = |domain: Domain| {
            let all = domain.places().map(|places| sets.all(places));
            (domain, all)
        };
        let domains = domains.into_iter().map(with_set).collect();
        let mut store = Store { domains, sets, limit, ..Store::default() };
        let never = store.formula(Formula::Never);
        let always = store.formula(Formula::Always);
        debug_assert!(never == Condition::NEVER && always == Condition::ALWAYS);
        store.negations = vec![Some(always), Some(never)];
        store
    }

    pub(crate) fn add_leaf(&mut self, domain: Domain) -> Leaf {
        let all = domain.places().map(|places| self.sets.all(places));
        self.domains.push((domain, all));
        Leaf(self.domains.len() as u32 - 1)
    }

    /// Work left before the store is spent.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.work)
    }

    /// Whether the limit was reached, or something was nested [too deep](Store::is_too_deep). Conditions
    /// and terms that are made then mean nothing, and nothing that is found out of them is kept: after
    /// [`Store::allow`] the same work finds what was known before, and goes on.
    pub fn is_spent(&self) -> bool {
        self.is_too_deep || self.work > self.limit
    }

    /// Whether something was nested too deep: that does not change.
    pub fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Units of work done.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Counts work against the limit: that of the store, and of a run that works with it.
    pub fn spend(&mut self, units: usize) {
        self.work += units as u64;
    }

    /// Allows so much work. What was made while it was [spent](Store::is_spent) is to be made again.
    pub fn allow(&mut self, limit: u64) {
        self.limit = self.work.saturating_add(limit);
    }

    /// So much more work may be done.
    pub fn extend(&mut self, limit: u64) {
        self.limit = self.limit.saturating_add(limit);
    }

    /// What a leaf may hold.
    pub fn domain(&self, leaf: Leaf) -> &Domain {
        &self.domains[leaf.0 as usize].0
    }

    /// Whether integers are in a set of the values of a leaf that takes them for one.
    pub fn has_integers(&self, leaf: Leaf, set: Set) -> Option<bool> {
        match self.domain(leaf) {
            Domain::Mixed(others, ..) => Some(self.sets.contains(set, others.len())),
            _ => None,
        }
    }

    /// Whether the value at a place of its domain is in a set.
    pub fn has_place(&self, set: Set, place: usize) -> bool {
        self.sets.contains(set, place)
    }

    /// The values of a leaf in a set, and those not, without [integers taken for one](Store::has_integers).
    pub fn values_by(&self, leaf: Leaf, set: Set) -> (Vec<Cell>, Vec<Cell>) {
        let (Domain::Values(values) | Domain::Mixed(values, ..)) = self.domain(leaf) else {
            return Default::default();
        };
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (number, &value) in values.iter().enumerate() {
            let of = if self.sets.contains(set, number) { &mut inside } else { &mut outside };
            of.push(value);
        }
        (inside, outside)
    }

    /// All values of a leaf, where they are numbered.
    pub(crate) fn all_values(&self, leaf: Leaf) -> Option<Set> {
        self.domains[leaf.0 as usize].1
    }

    /// What a condition says.
    pub fn says(&self, condition: Condition) -> &Formula {
        &self.formulas[condition.index()]
    }

    pub(crate) fn formula(&mut self, formula: Formula) -> Condition {
        if let Some(&condition) = self.conditions.get(&formula) {
            return condition;
        }
        self.spend(1);
        let condition = Condition(self.formulas.len() as u32);
        let depth = match &formula {
            Formula::And(parts) | Formula::Or(parts) => {
                1 + parts.iter().map(|part| self.depths[part.index()]).max().unwrap_or(0)
            }
            _ => 0,
        };
        if depth > limits::TERM_DEPTH {
            self.is_too_deep = true;
            return Condition::NEVER;
        }
        let about = match &formula {
            Formula::Never | Formula::Always => About::NOTHING,
            Formula::Literal(leaf, _) => About::leaf(*leaf),
            Formula::Comparison { left, right, .. } => {
                let about = self.traits(*left).about.with(self.traits(*right).about);
                About { compares: true, ..about }
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = parts.iter().map(|part| self.about[part.index()]);
                all.fold(About::NOTHING, About::with)
            }
        };
        self.about.push(about);
        self.depths.push(depth);
        self.formulas.push(formula.clone());
        self.conditions.insert(formula, condition);
        self.negations.push(None);
        condition
    }

    /// The leaves that a condition is about.
    pub(crate) fn filter(&self, condition: Condition) -> LeafFilter {
        self.about[condition.index()].filter
    }

    /// The leaves that a term is made of.
    pub(crate) fn filter_of_term(&self, term: Term) -> LeafFilter {
        self.traits(term).about.filter
    }

    /// How deep a term is nested.
    pub(crate) fn depth(&self, term: Term) -> u32 {
        self.traits(term).depth
    }

    /// Whether there is a comparison in a condition.
    pub(crate) fn compares(&self, condition: Condition) -> bool {
        self.about[condition.index()].compares
    }

    /// What a term is.
    pub fn shape(&self, term: Term) -> &Shape {
        &self.shapes[term.index()]
    }

    fn traits(&self, term: Term) -> Traits {
        self.traits[term.index()]
    }

    /// Whether no variable is in it.
    pub fn is_ground(&self, term: Term) -> bool {
        self.traits(term).ground
    }

    /// Whether nothing in it differs by condition, but for the values of leaves.
    pub fn is_plain(&self, term: Term) -> bool {
        self.traits(term).plain
    }

    /// Whether it is the same in all states, and has no variables: such terms are kept once each.
    pub fn is_known(&self, term: Term) -> bool {
        let traits = self.traits(term);
        traits.plain && traits.ground && !traits.opaque && traits.about.leaves == Leaves::None
    }

    /// Whether an output of a call that is made later is in it.
    pub fn is_opaque(&self, term: Term) -> bool {
        self.traits(term).opaque
    }

    /// Bounds, not always reached, of a term that is always an integer that a cell holds.
    pub fn bounds(&self, term: Term) -> Option<(i64, i64)> {
        self.traits(term).bounds
    }

    /// Finite bounds, not always reached, of a term that is always a float.
    pub fn float_bounds(&self, term: Term) -> Option<(f64, f64)> {
        self.traits(term).floats
    }

    /// How many bits of a term may be set, if it is an integer not below zero.
    pub(crate) fn ones(&self, term: Term) -> Option<u32> {
        self.traits(term).ones
    }

    /// The leaves that it is made of.
    pub fn leaves(&self, term: Term) -> Leaves {
        self.traits(term).about.leaves
    }

    pub(crate) fn term(&mut self, shape: Shape) -> Term {
        if let Some(&term) = self.terms.get(&shape) {
            return term;
        }
        self.spend(1);
        let traits = self.traits_of(&shape);
        if traits.depth > limits::TERM_DEPTH {
            self.is_too_deep = true;
            return self.constant(Cell::NIL);
        }
        let term = Term::of_index(self.shapes.len());
        self.traits.push(traits);
        self.shapes.push(shape.clone());
        self.terms.insert(shape, term);
        term
    }

    fn traits_of(&self, shape: &Shape) -> Traits {
        let mut bounds = self.bounds_of_shape(shape);
        let ones = bounds.and_then(|bounds| self.ones_of_shape(shape, bounds));
        if ones == Some(0) {
            bounds = Some((0, 0));
        }
        let floats = self.float_bounds_of_shape(shape);
        let atomic = Traits {
            ground: true,
            plain: true,
            opaque: false,
            about: About::NOTHING,
            depth: 0,
            bounds,
            ones,
            floats,
        };
        let joined = |all: Traits, term: Term| {
            let one = self.traits(term);
            Traits {
                ground: all.ground && one.ground,
                plain: all.plain && one.plain,
                opaque: all.opaque || one.opaque,
                about: all.about.with(one.about),
                depth: all.depth.max(one.depth),
                ..atomic
            }
        };
        let over = |terms: &[Term]| {
            let all = terms.iter().copied().fold(atomic, joined);
            Traits { depth: all.depth + 1, ..all }
        };
        let over_guarded = |terms: &[Guarded]| {
            let all = terms.iter().map(|&(_, term)| term).fold(atomic, joined);
            let about = terms.iter().map(|&(condition, _)| self.about[condition.index()]);
            let about = about.fold(all.about, About::with);
            Traits { plain: false, about, depth: all.depth + 1, ..all }
        };
        match shape {
            Shape::Constant(_) | Shape::Boxed(_) => atomic,
            Shape::Variable(_) => Traits { ground: false, ..atomic },
            Shape::Opaque(_) => Traits { opaque: true, ..atomic },
            Shape::Leaf(leaf) => Traits { about: About::leaf(*leaf), ..atomic },
            Shape::Pair(head, tail) => {
                let depth = self.traits(*tail).depth.max(self.traits(*head).depth + 1);
                Traits { depth, ..joined(joined(atomic, *head), *tail) }
            }
            Shape::Struct(_, arguments)
            | Shape::Integer(_, arguments)
            | Shape::Float(_, arguments) => over(arguments),
            Shape::Choice(items) | Shape::Present(items) => over_guarded(items),
        }
    }

    /// The term of an atom or an integer.
    pub fn constant(&mut self, cell: Cell) -> Term {
        self.term(Shape::Constant(cell))
    }

    /// The term of an integer, if it is a small one.
    pub fn integer(&mut self, value: i64) -> Option<Term> {
        Cell::try_small(value).map(|cell| self.constant(cell))
    }

    /// The term of a constant that no cell holds.
    pub fn boxed(&mut self, constant: Record) -> Term {
        let next = Boxed(self.boxed.len() as u32);
        let number = *self.boxed_numbers.entry(constant).or_insert_with_key(|constant| {
            self.boxed.push(constant.clone());
            next
        });
        self.term(Shape::Boxed(number))
    }

    /// A constant that no cell holds.
    pub fn unboxed(&self, boxed: Boxed) -> &Record {
        &self.boxed[boxed.0 as usize]
    }

    /// The term of a variable.
    pub fn variable(&mut self, variable: Variable) -> Term {
        self.term(Shape::Variable(variable))
    }

    /// The output with this number of a call that is made later.
    pub fn opaque(&mut self, number: u32) -> Term {
        self.term(Shape::Opaque(number))
    }

    /// The term of a leaf; the constant, if its domain has one value.
    pub fn leaf(&mut self, leaf: Leaf) -> Term {
        match self.domain(leaf) {
            Domain::Values(values) if values.len() == 1 && values[0] != UNBOUND => {
                let only = values[0];
                self.constant(only)
            }
            _ => self.term(Shape::Leaf(leaf)),
        }
    }

    /// A list cell.
    pub fn pair(&mut self, head: Term, tail: Term) -> Term {
        self.term(Shape::Pair(head, tail))
    }

    /// A structure: a header of name and arity, and as many arguments.
    pub fn structure(&mut self, header: Cell, arguments: impl Into<Arc<[Term]>>) -> Term {
        self.term(Shape::Struct(header, arguments.into()))
    }

    /// A list of terms with a tail.
    pub fn list(&mut self, items: &[Term], tail: Term) -> Term {
        items.iter().rev().fold(tail, |tail, &item| self.pair(item, tail))
    }

    /// A proper list of the elements whose conditions hold.
    pub fn present(&mut self, items: Vec<Guarded>) -> Term {
        let mut items = items;
        items.retain(|&(condition, _)| condition != Condition::NEVER);
        // What is there for certain at the front are list cells: rules take it off without a test.
        let certain = |&(condition, _): &Guarded| condition == Condition::ALWAYS;
        let front = items.iter().take_while(|item| certain(item)).count();
        let rest = items.split_off(front);
        let nil = self.constant(Cell::NIL);
        let tail = if rest.is_empty() { nil } else { self.term(Shape::Present(rest.into())) };
        let front: Vec<Term> = items.into_iter().map(|(_, term)| term).collect();
        self.list(&front, tail)
    }

    /// A term with something else in the place of its variables.
    pub fn substituted(
        &mut self,
        term: Term,
        of: &mut impl FnMut(&mut Store, Variable) -> Substitute,
    ) -> Term {
        let mut items = Vec::new();
        let mut rest = term;
        let tail = loop {
            if self.is_ground(rest) {
                break rest;
            }
            self.spend(1);
            match self.shape(rest).clone() {
                Shape::Variable(variable) => match of(self, variable) {
                    Substitute::Done(term) => break term,
                    Substitute::More(term) => rest = term,
                },
                Shape::Pair(head, tail) => {
                    items.push(self.substituted(head, of));
                    rest = tail;
                }
                Shape::Struct(header, arguments) => {
                    let arguments: Vec<Term> =
                        arguments.iter().map(|&term| self.substituted(term, of)).collect();
                    break self.structure(header, arguments);
                }
                Shape::Present(elements) => {
                    let elements = self.substituted_ways(&elements, of);
                    break self.present(elements);
                }
                Shape::Choice(ways) => {
                    let ways = self.substituted_ways(&ways, of);
                    break self.chosen(ways);
                }
                Shape::Constant(_)
                | Shape::Boxed(_)
                | Shape::Leaf(_)
                | Shape::Integer(..)
                | Shape::Float(..)
                | Shape::Opaque(_) => break rest,
            }
        };
        self.list(&items, tail)
    }

    fn substituted_ways(
        &mut self,
        ways: &[Guarded],
        of: &mut impl FnMut(&mut Store, Variable) -> Substitute,
    ) -> Vec<Guarded> {
        ways.iter().map(|&(condition, term)| (condition, self.substituted(term, of))).collect()
    }

    /// A term with other variables.
    pub fn renamed(&mut self, term: Term, name: &mut impl FnMut(Variable) -> Variable) -> Term {
        self.substituted(term, &mut |store, variable| {
            let variable = name(variable);
            Substitute::Done(store.variable(variable))
        })
    }

    /// The elements of a proper list, if they are there for certain.
    pub fn certain_elements(&mut self, list: Term) -> Option<Vec<Term>> {
        let items = self.elements(list)?;
        let is_certain = items.iter().all(|&(there, _)| there == Condition::ALWAYS);
        is_certain.then(|| items.into_iter().map(|(_, item)| item).collect())
    }

    /// The elements of a proper list with their conditions; `None` if it is none.
    pub fn elements(&mut self, list: Term) -> Option<Vec<Guarded>> {
        let mut items = Vec::new();
        let mut rest = list;
        loop {
            self.spend(1);
            match self.shape(rest) {
                Shape::Pair(head, tail) => {
                    items.push((Condition::ALWAYS, *head));
                    rest = *tail;
                }
                Shape::Present(present) => {
                    items.extend_from_slice(present);
                    return Some(items);
                }
                &Shape::Constant(Cell::NIL) => return Some(items),
                _ => return None,
            }
        }
    }
}
