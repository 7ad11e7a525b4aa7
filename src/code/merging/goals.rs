//! Clauses and goals as the merging run takes them.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_machine::modules::Modules;
use zug_machine::{ClauseId, PredId, Space};
use zug_symbolic::{Shape, Store, Term, Variable};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record};

/// A clause: its variables are numbered from 0.
#[derive(Debug)]
pub struct Clause {
    pub id: ClauseId,
    pub head: Arc<[Term]>,
    pub body: Arc<Goal>,
}

#[derive(Debug)]
pub struct Goal {
    pub kind: Kind,
    /// The variables in it, ascending.
    pub variables: Box<[Variable]>,
    /// A cut in it ends the clause.
    pub cuts: bool,
}

#[derive(Debug)]
pub struct Conjunct {
    /// The goal, which is no conjunction.
    pub goal: Arc<Goal>,
    /// The variables of the goals after it, ascending.
    pub after: Box<[Variable]>,
}

#[derive(Debug)]
pub enum Kind {
    True,
    Fail,
    Cut,
    And(Box<[Conjunct]>),
    Or(Arc<Goal>, Arc<Goal>),
    /// `( Test -> Then ; Otherwise )`, or with `*->`, by the arrow.
    If(Atom, [Arc<Goal>; 3]),
    Not(Arc<Goal>),
    /// A term that is called, with further arguments, as one of the user's.
    Meta(Term, Arc<[Term]>),
    /// A call of a predicate, as a goal of a space means it.
    Call(Atom, Space, Arc<[Term]>),
    Wrong,
}

/// Goals by the terms that they were read from, and the spaces.
#[derive(Default)]
pub struct Goals(FxHashMap<(Term, Space), Arc<Goal>>);

#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub modules: &'a Modules,
    /// The space of the clause; the user's, of what is called as a term.
    pub space: Space,
}

impl Goals {
    pub fn of(&mut self, store: &mut Store, term: Term, around: Around<'_>) -> Arc<Goal> {
        if let Some(goal) = self.0.get(&(term, around.space)) {
            return goal.clone();
        }
        let kind = self.kind(store, term, around);
        let cuts = cuts(&kind);
        let goal = Arc::new(Goal { kind, variables: variables(store, term), cuts });
        self.0.insert((term, around.space), goal.clone());
        goal
    }

    /// The body of a clause, at a cell; `None` if it has terms that are for no store. A long conjunction is no deep term.
    pub fn of_body(
        &mut self,
        (store, reader): (&mut Store, &mut Reader<'_>),
        cell: Cell,
        around: Around<'_>,
    ) -> Option<Arc<Goal>> {
        let comma = Cell::functor(atoms::COMMA, 2);
        let (mut goals, mut rest) = (Vec::new(), Some(cell));
        while let Some(cell) = rest.take() {
            let cell = reader.heap.deref(cell);
            let (first, others) = match cell.is_struct() && reader.heap.at(cell.addr()) == comma {
                true => (reader.heap.at(cell.addr() + 1), Some(reader.heap.at(cell.addr() + 2))),
                false => (cell, None),
            };
            let term = reader.term(store, first)?;
            goals.push(self.of(store, term, around));
            rest = others;
        }
        if let [only] = &goals[..] {
            return Some(only.clone());
        }
        let variables = goals.iter().fold(Vec::new(), |all, goal| joined(&all, &goal.variables));
        let kind = conjunction(goals);
        let cuts = cuts(&kind);
        Some(Arc::new(Goal { kind, variables: variables.into(), cuts }))
    }

    fn kind(&mut self, store: &mut Store, term: Term, around: Around<'_>) -> Kind {
        let (name, arguments) = match store.shape(term).clone() {
            Shape::Variable(_) => return Kind::Meta(term, Arc::default()),
            Shape::Constant(cell) => match cell.as_atom() {
                Some(name) => (name, Arc::default()),
                None => return Kind::Wrong,
            },
            Shape::Struct(header, arguments) => (header.functor_name(), arguments),
            _ => return Kind::Wrong,
        };
        match (name, &arguments[..]) {
            (atoms::TRUE, []) => Kind::True,
            (atoms::FAIL | atoms::FALSE, []) => Kind::Fail,
            (atoms::CUT, []) => Kind::Cut,
            // Behind it nothing may leave a choice, which only the machine knows.
            (atoms::DOLLAR, []) => Kind::Wrong,
            (atoms::COMMA, [_, _]) => self.conjunction(store, term, around),
            (atoms::SEMICOLON | atoms::BAR, &[left, right]) => {
                if let Some((arrow, test, then)) = arrow_of(store, left) {
                    return self.conditional(store, arrow, [test, then, right], around);
                }
                let [left, right] = [left, right].map(|part| self.of(store, part, around));
                Kind::Or(left, right)
            }
            (atoms::ARROW | atoms::SOFT_ARROW, &[test, then]) => {
                let fail = store.constant(Cell::atom(atoms::FAIL));
                self.conditional(store, name, [test, then, fail], around)
            }
            (atoms::NOT_PROVABLE, &[goal]) => Kind::Not(self.of(store, goal, around)),
            (atoms::CALL, [goal, further @ ..]) => Kind::Meta(*goal, further.into()),
            (atoms::COLON, &[module, goal]) => {
                let &Shape::Constant(module) = store.shape(module) else { return Kind::Wrong };
                match module.as_atom().and_then(|module| around.modules.named(module)) {
                    Some(space) => self.kind(store, goal, Around { space, ..around }),
                    None => Kind::Wrong,
                }
            }
            _ => Kind::Call(name, around.space, arguments),
        }
    }

    fn conditional(
        &mut self,
        store: &mut Store,
        arrow: Atom,
        parts: [Term; 3],
        around: Around<'_>,
    ) -> Kind {
        Kind::If(arrow, parts.map(|part| self.of(store, part, around)))
    }

    fn conjunction(&mut self, store: &mut Store, term: Term, around: Around<'_>) -> Kind {
        let comma = Cell::functor(atoms::COMMA, 2);
        let (mut goals, mut waiting) = (Vec::new(), vec![term]);
        while let Some(term) = waiting.pop() {
            match store.shape(term) {
                Shape::Struct(header, parts) if *header == comma => {
                    waiting.extend([parts[1], parts[0]]);
                }
                _ => goals.push(self.of(store, term, around)),
            }
        }
        conjunction(goals)
    }
}

fn conjunction(goals: Vec<Arc<Goal>>) -> Kind {
    let mut after: Vec<Variable> = Vec::new();
    let mut all = Vec::with_capacity(goals.len());
    for goal in goals.into_iter().rev() {
        let before = joined(&after, &goal.variables);
        let after = std::mem::replace(&mut after, before).into();
        all.push(Conjunct { goal, after });
    }
    all.reverse();
    Kind::And(all.into())
}

/// The parts of an arrow: `->` or `*->`.
fn arrow_of(store: &Store, term: Term) -> Option<(Atom, Term, Term)> {
    match store.shape(term) {
        Shape::Struct(header, parts) if parts.len() == 2 => {
            let name = header.functor_name();
            let is_arrow = name == atoms::ARROW || name == atoms::SOFT_ARROW;
            is_arrow.then(|| (name, parts[0], parts[1]))
        }
        _ => None,
    }
}

pub fn joined(one: &[Variable], other: &[Variable]) -> Vec<Variable> {
    debug_assert!(one.is_sorted() && other.is_sorted());
    // PERF: for each goal of each call.
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one, other);
    while let ([a, ..], [b, ..]) = (one, other) {
        let (in_one, in_other) = (a <= b, b <= a);
        all.push(if in_one { *a } else { *b });
        one = &one[usize::from(in_one)..];
        other = &other[usize::from(in_other)..];
    }
    all.extend_from_slice(one);
    all.extend_from_slice(other);
    all
}

pub fn variables(store: &Store, term: Term) -> Box<[Variable]> {
    let (mut found, mut waiting) = (Vec::new(), vec![term]);
    while let Some(term) = waiting.pop() {
        if store.is_ground(term) {
            continue;
        }
        match store.shape(term) {
            Shape::Variable(variable) => found.push(*variable),
            Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
            Shape::Struct(_, parts) | Shape::Integer(_, parts) | Shape::Float(_, parts) => {
                waiting.extend(parts.iter());
            }
            Shape::Choice(ways) | Shape::Present(ways) => {
                waiting.extend(ways.iter().map(|&(_, term)| term));
            }
            Shape::Constant(_) | Shape::Boxed(_) | Shape::Leaf(_) | Shape::Opaque(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// A reader of terms of a heap into a store, whose variables are numbered as they are met.
pub struct Reader<'a> {
    heap: &'a Heap,
    variables: FxHashMap<usize, Variable>,
}

impl<'a> Reader<'a> {
    pub fn new(heap: &'a Heap) -> Reader<'a> {
        Reader { heap, variables: FxHashMap::default() }
    }

    /// The term at a cell; `None` if it has numbers or texts that no cell holds.
    pub fn term(&mut self, store: &mut Store, cell: Cell) -> Option<Term> {
        let mut items = Vec::new();
        let mut rest = self.heap.deref(cell);
        while rest.is_list() {
            let head = self.heap.deref(self.heap.at(rest.addr()));
            items.push(self.term(store, head)?);
            rest = self.heap.deref(self.heap.at(rest.addr() + 1));
        }
        let tail = self.other(store, rest)?;
        Some(store.list(&items, tail))
    }

    fn other(&mut self, store: &mut Store, cell: Cell) -> Option<Term> {
        Some(if cell.is_var() {
            let next = Variable(self.variables.len() as u32);
            store.variable(*self.variables.entry(cell.addr()).or_insert(next))
        } else if cell.is_struct() {
            let header = self.heap.at(cell.addr());
            let places = 1..=header.functor_arity();
            let mut argument = |place| self.term(store, self.heap.at(cell.addr() + place));
            let arguments = places.map(&mut argument).collect::<Option<Vec<Term>>>()?;
            store.structure(header, arguments)
        } else if cell.is_boxed() {
            let first = cell.addr();
            let last = first + self.heap.at(first).payload_words();
            let cells = (first..=last).map(|at| self.heap.at(at)).collect();
            store.boxed(Record { cells, root: Cell::boxed(0) })
        } else {
            store.constant(cell)
        })
    }
}

/// A call that is left for later, after the answers of the clause.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Call {
    pub pred: PredId,
    pub name: Atom,
    pub arguments: Box<[Argument]>,
}

impl Call {
    pub fn inputs(&self) -> impl Iterator<Item = Term> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Input(term) => Some(*term),
            _ => None,
        })
    }

    /// What stands for the values of its variables.
    pub fn outputs(&self) -> impl Iterator<Item = Term> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Output(term) => Some(*term),
            _ => None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    Fixed(Term),
    Input(Term),
    /// A variable: what stands for its value.
    Output(Term),
}

/// Whether a goal has a cut that ends the clause it stands in.
pub fn cuts(kind: &Kind) -> bool {
    match kind {
        Kind::Cut => true,
        Kind::And(goals) => goals.iter().any(|one| one.goal.cuts),
        Kind::Or(one, other) | Kind::If(_, [_, one, other]) => one.cuts || other.cuts,
        _ => false,
    }
}
