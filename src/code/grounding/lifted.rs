//! Lifted evaluation: a clause runs once on a state of unknown sets, and leaves a schema for each way through it.
//!
//! A set of the state is a term of its own, which built-ins on lists take apart and change. What they ask of its elements
//! becomes a literal, as does every goal that no set occurs in. What takes the first of several solutions leaves one
//! where they differ in one element. Cuts, and lists that are taken apart by unification, have no schemas.

use super::facts::compared;
use super::schema::{Change, Literal, Schema, SetId, Way};
use crate::merging::{Around, Goal, Goals, Kind, Reader, called, variables_in};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use zug_machine::{Kind as PredKind, Machine, PredId, Space};
use zug_symbolic::{Shape, Store, Substitute, Term, Variable};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// Calls that are replaced by the bodies of their clauses, one within the other.
const NESTED: u32 = 40;
/// Ways through all clauses.
const WAYS: usize = 1 << 15;

/// Library predicates on lists, which many programs define for themselves: their clauses, with variables in the order in
/// which they occur.
const LISTS: [(&str, &str); 5] = [
    ("member", "A,[A|B]. A,[B|C]:-A,C."),
    ("memberchk", "A,[A|B]:-!. A,[B|C]:-A,C."),
    ("select", "A,[A|B],B. A,[B|C],[B|D]:-A,C,D."),
    ("selectchk", "A,[A|B],B:-!. A,[B|C],[B|D]:-A,C,D."),
    ("append", "[],A,A. [A|B],C,[A|D]:-B,C,D."),
];

/// A set that is being changed.
#[derive(Clone, Debug, Default)]
struct Changed {
    /// The set of the state that it comes from; none if it has only elements that were added.
    base: Option<SetId>,
    changes: Vec<Change>,
    /// Its elements are in the standard order, each once.
    sorted: bool,
}

/// What happened on a way so far.
#[derive(Clone, Default)]
struct Path {
    literals: Vec<Literal>,
    bindings: FxHashMap<Variable, Term>,
}

struct Clause {
    head: Term,
    body: Arc<Goal>,
    variables: u32,
}

/// The ways where a condition holds, and the one where it does not.
struct Held {
    yes: Vec<Path>,
    no: Path,
}

/// Evaluates clauses on sets.
pub(super) struct Lifter<'a> {
    pub m: &'a Machine,
    pub store: &'a mut Store,
    goals: Goals,
    clauses: FxHashMap<PredId, Rc<[Clause]>>,
    /// By predicate: the library predicate that it defines, and the places of that one's arguments.
    own_lists: FxHashMap<PredId, Option<(&'static str, &'static [usize])>>,
    /// Predicates that are unfolded although no set occurs in them, since the lists that they find are taken apart.
    pub unfolded: FxHashSet<PredId>,
    /// By number of an opaque term: the set.
    sets: Vec<Changed>,
    next: u32,
    depth: u32,
    ways: usize,
}

/// Variables that occur elsewhere too.
type Live<'l> = &'l FxHashSet<Variable>;

impl<'a> Lifter<'a> {
    pub fn new(m: &'a Machine, store: &'a mut Store) -> Lifter<'a> {
        Lifter {
            m,
            store,
            goals: Goals::default(),
            clauses: FxHashMap::default(),
            own_lists: FxHashMap::default(),
            unfolded: FxHashSet::default(),
            sets: Vec::new(),
            next: 0,
            depth: 0,
            ways: 0,
        }
    }

    /// A set of the state: numbers are given in order.
    pub fn set_of_state(&mut self) -> (SetId, Term) {
        let set = self.sets.len() as SetId;
        (set, self.set(Changed { base: Some(set), changes: Vec::new(), sorted: true }))
    }

    /// A fresh variable.
    pub fn variable(&mut self) -> Term {
        self.next += 1;
        self.store.variable(Variable(self.next - 1))
    }

    fn set(&mut self, changed: Changed) -> Term {
        self.sets.push(changed);
        self.store.opaque(self.sets.len() as u32 - 1)
    }

    /// The ways in which a state is a goal.
    pub fn goal(
        &mut self,
        pred: PredId,
        state: Term,
        values: &[(SetId, Term)],
    ) -> Option<Vec<Way>> {
        let literals = values.iter().map(|&(set, value)| Literal::Element(set, value)).collect();
        let paths = self.call(pred, &[state], Path { literals, ..Path::default() })?;
        let ways = paths.into_iter().map(|path| {
            let literals = self.way(&path, 0);
            let literals = self.used(&literals, &[], values);
            mapped(self.store, &literals, &mut numbering())
        });
        Some(ways.collect())
    }

    /// The schemas of the moves from a state, whose parts that are one of several values are given with their sets.
    pub fn moves(
        &mut self,
        rule: PredId,
        state: Term,
        values: &[(SetId, Term)],
    ) -> Option<Vec<Schema>> {
        let [name, cost, to] = std::array::from_fn(|_| self.variable());
        let literals = values.iter().map(|&(set, value)| Literal::Element(set, value)).collect();
        let path = Path { literals, ..Path::default() };
        let mut schemas = Vec::new();
        for path in self.call(rule, &[name, cost, state, to], path)? {
            let mut changes = Vec::new();
            self.changes((state, to), values, &path, &mut changes)?;
            let [name, cost] = [name, cost].map(|term| self.resolve(term, &path));
            if self.has_set(name) || self.has_set(cost) {
                return None;
            }
            let literals = self.way(&path, 0);
            let changes: Vec<Change> = changes
                .into_iter()
                .map(|change| {
                    let term = self.resolve(change.term, &path);
                    let when = change.when.map(|when| self.resolved(&when, &path));
                    Change { term, when, ..change }
                })
                .collect();
            let mut others = vec![Literal::Same(name, cost)];
            for change in &changes {
                others.push(Literal::Element(change.set, change.term));
                others.extend(change.when.iter().flat_map(|when| when.iter().cloned()));
            }
            let literals = self.used(&literals, &others, values);
            let (store, mut number) = (&mut *self.store, numbering());
            let literals = mapped(store, &literals, &mut number);
            let [name, cost] = [name, cost].map(|term| number(store, term));
            let changes = changes.into_iter().map(|change| Change {
                term: number(store, change.term),
                when: change.when.map(|when| mapped(store, &when, &mut number)),
                ..change
            });
            schemas.push(Schema { literals, name, cost, changes: changes.collect() });
        }
        Some(schemas)
    }

    /// Literals without what they ask of values that nothing else is about.
    fn used(&mut self, literals: &[Literal], others: &[Literal], values: &[(SetId, Term)]) -> Way {
        let mut uses: FxHashMap<Variable, u32> = FxHashMap::default();
        for literal in literals.iter().chain(others) {
            for variable in variables_of(self.store, std::slice::from_ref(literal)) {
                *uses.entry(variable).or_default() += 1;
            }
        }
        let is_used = |(at, literal): &(usize, &Literal)| match literal {
            Literal::Element(_, term) if *at < values.len() => match self.store.shape(*term) {
                Shape::Variable(variable) => uses[variable] > 1,
                _ => true,
            },
            _ => true,
        };
        literals.iter().enumerate().filter(is_used).map(|(_, literal)| literal.clone()).collect()
    }

    /// What is changed where one state leads to another. `from` is the state as it was given, before any rule.
    fn changes(
        &mut self,
        (from, to): (Term, Term),
        values: &[(SetId, Term)],
        path: &Path,
        all: &mut Vec<Change>,
    ) -> Option<()> {
        let to = self.walk(to, path);
        match (self.store.shape(from).clone(), self.store.shape(to).clone()) {
            (Shape::Opaque(base), _) => {
                let changed = self.as_set(to, path)?;
                let set = self.sets[base as usize].base?;
                if !changed.sorted || changed.base.is_some_and(|base| base != set) {
                    return None;
                }
                if changed.base.is_none() {
                    // Another list in its place: all elements go.
                    let term = self.variable();
                    let when = Some([Literal::Element(set, term)].into());
                    all.push(Change { set, term, becomes: false, when });
                }
                all.extend(changed.changes.into_iter().map(|change| Change { set, ..change }));
            }
            (Shape::Pair(a, b), Shape::Pair(c, d)) => {
                self.changes((a, c), values, path, all)?;
                self.changes((b, d), values, path, all)?;
            }
            (Shape::Struct(one, parts), Shape::Struct(other, others)) if one == other => {
                for (&from, &to) in parts.iter().zip(others.iter()) {
                    self.changes((from, to), values, path, all)?;
                }
            }
            (Shape::Variable(_), _) => {
                let &(set, _) = values.iter().find(|(_, value)| *value == from)?;
                let (before, term) = (self.resolve(from, path), self.resolve(to, path));
                if self.has_set(term) {
                    return None;
                }
                if before != term {
                    all.push(Change { set, term, becomes: true, when: None });
                }
            }
            (Shape::Constant(_) | Shape::Boxed(_), _) if from == to => {}
            _ => return None,
        }
        Some(())
    }

    /// A term as far as its outermost structure goes.
    fn walk(&self, mut term: Term, path: &Path) -> Term {
        while let Shape::Variable(variable) = self.store.shape(term)
            && let Some(&bound) = path.bindings.get(variable)
        {
            term = bound;
        }
        term
    }

    fn resolve(&mut self, term: Term, path: &Path) -> Term {
        resolved_in(self.store, term, path)
    }

    /// The literals from one on, with what variables are bound to.
    fn way(&mut self, path: &Path, from: usize) -> Way {
        self.resolved(&path.literals[from..], path)
    }

    fn resolved(&mut self, literals: &[Literal], path: &Path) -> Way {
        mapped(self.store, literals, &mut |store, term| resolved_in(store, term, path))
    }

    fn has_set(&self, term: Term) -> bool {
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Opaque(_) => return true,
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter()),
                _ => {}
            }
        }
        false
    }

    fn variables(&mut self, term: Term, path: &Path) -> FxHashSet<Variable> {
        let term = self.resolve(term, path);
        variables_in(self.store, term).iter().copied().collect()
    }

    /// The variables that have values wherever this way goes on: those of its literals.
    fn known(&mut self, path: &Path) -> FxHashSet<Variable> {
        let mut known = FxHashSet::default();
        for literal in &path.literals {
            let terms: &[Term] = match literal {
                Literal::Element(_, term) | Literal::Same(_, term) => &[*term],
                Literal::Goal { args, .. } => args,
                _ => &[],
            };
            for &term in terms {
                known.extend(self.variables(term, path));
            }
        }
        known
    }

    /// Whether a variable was bound by a goal: what it is compared with later is no input of that.
    fn is_firm(&mut self, variable: Variable, path: &Path) -> bool {
        path.literals.iter().any(|literal| match literal {
            Literal::Goal { args, .. } => {
                args.iter().any(|&arg| self.variables(arg, path).contains(&variable))
            }
            _ => false,
        })
    }

    /// Whether two terms unify; `None` if that depends on what a set is.
    fn unify(&mut self, one: Term, other: Term, path: &mut Path) -> Option<bool> {
        let mut pairs = vec![(one, other)];
        while let Some((one, other)) = pairs.pop() {
            let (one, other) = (self.walk(one, path), self.walk(other, path));
            if one == other {
                continue;
            }
            match (self.store.shape(one).clone(), self.store.shape(other).clone()) {
                (Shape::Variable(a), Shape::Variable(b)) => {
                    let known = self.known(path);
                    match (known.contains(&a), known.contains(&b)) {
                        (false, _) => drop(path.bindings.insert(a, other)),
                        (_, false) => drop(path.bindings.insert(b, one)),
                        _ => self.bind(a, other, path)?,
                    }
                }
                (Shape::Variable(variable), _) => self.bind(variable, other, path)?,
                (_, Shape::Variable(variable)) => self.bind(variable, one, path)?,
                (Shape::Opaque(set), _) | (_, Shape::Opaque(set)) => {
                    let list = if self.store.is_opaque(one) { other } else { one };
                    match self.is_all(set, list, path)? {
                        Some(is) => path.literals.extend(is),
                        None => return Some(false),
                    }
                }
                (Shape::Pair(a, b), Shape::Pair(c, d)) => pairs.extend([(b, d), (a, c)]),
                (Shape::Struct(name, parts), Shape::Struct(other, others)) if name == other => {
                    pairs.extend(parts.iter().copied().zip(others.iter().copied()));
                }
                _ => return Some(false),
            }
        }
        Some(true)
    }

    /// Literals that say that a set is a list of ground elements, unless it never is.
    fn is_all(&mut self, set: u32, list: Term, path: &Path) -> Option<Option<Vec<Literal>>> {
        let set = self.sets[set as usize].clone();
        let list = self.resolve(list, path);
        if !self.store.is_ground(list) || self.has_set(list) {
            return None;
        }
        let (Some(base), true, true) = (set.base, set.sorted, set.changes.is_empty()) else {
            return None;
        };
        let Changed { base: None, changes, sorted: true } = self.as_set(list, path)? else {
            return Some(None);
        };
        let other = self.variable();
        let mut rest = vec![Literal::Element(base, other)];
        let mut all = Vec::new();
        for change in changes {
            all.push(Literal::Element(base, change.term));
            rest.push(Literal::Differ(other, change.term));
        }
        let ways = [rest.into()].into();
        all.push(Literal::Holds { ways, inputs: [].into(), wanted: false });
        Some(Some(all))
    }

    /// Whether two terms are different whatever their variables are.
    fn are_apart(&self, one: Term, other: Term, path: &Path) -> bool {
        let mut pairs = vec![(one, other)];
        while let Some((one, other)) = pairs.pop() {
            let (one, other) = (self.walk(one, path), self.walk(other, path));
            match (self.store.shape(one), self.store.shape(other)) {
                (Shape::Variable(_), _) | (_, Shape::Variable(_)) => {}
                (Shape::Pair(a, b), Shape::Pair(c, d)) => pairs.extend([(*a, *c), (*b, *d)]),
                (Shape::Struct(name, parts), Shape::Struct(other, others)) if name == other => {
                    pairs.extend(parts.iter().copied().zip(others.iter().copied()));
                }
                _ if one == other => {}
                _ => return true,
            }
        }
        false
    }

    fn bind(&mut self, variable: Variable, term: Term, path: &mut Path) -> Option<()> {
        if self.variables(term, path).contains(&variable) {
            return None;
        }
        if self.is_firm(variable, path) {
            if matches!(self.store.shape(term), Shape::Pair(..) | Shape::Constant(Cell::NIL)) {
                self.unfold(variable, path);
            }
            let variable = self.store.variable(variable);
            path.literals.push(Literal::Same(variable, term));
        } else {
            path.bindings.insert(variable, term);
        }
        Some(())
    }

    /// A list as a set: elements that are there, before a set or none.
    fn as_set(&mut self, list: Term, path: &Path) -> Option<Changed> {
        let (mut front, mut rest) = (Vec::new(), self.walk(list, path));
        while let Shape::Pair(head, tail) = *self.store.shape(rest) {
            front.push(self.resolve(head, path));
            rest = self.walk(tail, path);
        }
        let mut set = match *self.store.shape(rest) {
            Shape::Constant(Cell::NIL) => {
                let sorted = front.windows(2).all(|pair| self.ascends(pair[0], pair[1]));
                Changed { sorted, ..Changed::default() }
            }
            Shape::Opaque(number) => {
                let set = self.sets[number as usize].clone();
                Changed { sorted: set.sorted && front.is_empty(), ..set }
            }
            Shape::Variable(variable) => {
                self.unfold(variable, path);
                return None;
            }
            _ => return None,
        };
        if front.iter().any(|&term| self.has_set(term)) {
            return None;
        }
        let of = set.base.unwrap_or(SetId::MAX);
        let added =
            front.into_iter().map(|term| Change { set: of, term, becomes: true, when: None });
        set.changes.extend(added);
        Some(set)
    }

    /// Has the goal unfolded that finds a list.
    fn unfold(&mut self, list: Variable, path: &Path) {
        for literal in &path.literals {
            if let Literal::Goal { pred, args, .. } = literal
                && self.m.program.preds[*pred as usize].space.is_users()
                && args.iter().any(|&arg| self.variables(arg, path).contains(&list))
            {
                self.unfolded.insert(*pred);
            }
        }
    }

    /// Whether a term is before another one in the standard order, whatever their variables are.
    fn ascends(&mut self, one: Term, other: Term) -> bool {
        if self.store.is_ground(one) && self.store.is_ground(other) {
            return compared(self.store, &self.m.symbols, one, other).is_lt();
        }
        match (self.store.shape(one), self.store.shape(other)) {
            (Shape::Struct(a, _), Shape::Struct(b, _)) => {
                let by = |header: Cell| {
                    (header.functor_arity(), self.m.symbols.name(header.functor_name()))
                };
                by(*a) < by(*b)
            }
            _ => false,
        }
    }

    /// The answers of a predicate, by its clauses.
    fn call(&mut self, pred: PredId, args: &[Term], path: Path) -> Option<Vec<Path>> {
        if self.depth == NESTED || self.store.is_spent() {
            return None;
        }
        self.depth += 1;
        let clauses = self.clauses(pred)?;
        let (mut all, several) = (Vec::new(), clauses.len() > 1);
        for (number, clause) in clauses.iter().enumerate() {
            let base = self.next;
            self.next += clause.variables;
            let mut path = path.clone();
            if several {
                path.literals.push(Literal::Branch(number as u32));
            }
            let head = self.renamed(clause.head, base);
            let parts = match self.store.shape(head).clone() {
                Shape::Struct(_, parts) => parts,
                Shape::Pair(head, tail) => [head, tail].into(),
                _ => Arc::default(),
            };
            let mut fits = true;
            for (&part, &arg) in parts.iter().zip(args) {
                fits = fits && self.unify(part, arg, &mut path)?;
            }
            if fits {
                let live = variables_in(self.store, head).iter().copied().collect();
                all.extend(self.solve(&clause.body, base, path, &live)?);
            }
        }
        self.depth -= 1;
        self.ways += all.len();
        (self.ways <= WAYS).then_some(all)
    }

    fn renamed(&mut self, term: Term, base: u32) -> Term {
        self.store.renamed(term, &mut |variable| Variable(variable.0 + base))
    }

    fn clauses(&mut self, pred: PredId) -> Option<Rc<[Clause]>> {
        if let Some(clauses) = self.clauses.get(&pred) {
            return Some(clauses.clone());
        }
        let program = &self.m.program;
        let of = &program.preds[pred as usize];
        let is_plain = of.kind == PredKind::Static && of.rules.is_none();
        if !is_plain || program.is_det(pred) || program.is_tabled(pred) {
            return None;
        }
        let around = Around { modules: &program.modules, space: of.space };
        let mut clauses = Vec::new();
        for id in program.live_clauses(pred) {
            let (heap, root) = program.clauses[id as usize].record.to_heap();
            let mut reader = Reader::new(&heap);
            let parts = (heap.at(root.addr() + 1), heap.at(root.addr() + 2));
            let head = reader.term(self.store, parts.0)?;
            let body = self.goals.of_body((self.store, &mut reader), parts.1, around)?;
            let last =
                variables_in(self.store, head).last().copied().max(body.variables.last().copied());
            clauses.push(Clause { head, body, variables: last.map_or(0, |last| last.0 + 1) });
        }
        let clauses: Rc<[Clause]> = clauses.into();
        self.clauses.insert(pred, clauses.clone());
        Some(clauses)
    }

    /// The ways in which a goal holds; `None` if they can't be told.
    fn solve(&mut self, goal: &Goal, base: u32, path: Path, live: Live<'_>) -> Option<Vec<Path>> {
        match &goal.kind {
            Kind::True => Some(vec![path]),
            Kind::Fail => Some(Vec::new()),
            Kind::Cut | Kind::Wrong => None,
            Kind::And(goals) => {
                let mut paths = vec![path];
                for (number, conjunct) in goals.iter().enumerate() {
                    let mut all = Vec::new();
                    let others = goals.iter().enumerate().filter(|(at, _)| *at != number);
                    let mut live = live.clone();
                    let others = others.flat_map(|(_, other)| other.goal.variables.iter());
                    live.extend(others.map(|variable| Variable(variable.0 + base)));
                    for path in paths {
                        all.extend(self.solve(&conjunct.goal, base, path, &live)?);
                    }
                    paths = all;
                }
                Some(paths)
            }
            Kind::Or(left, right) => {
                let mut all = Vec::new();
                for (number, part) in [left, right].into_iter().enumerate() {
                    let mut path = path.clone();
                    path.literals.push(Literal::Branch(number as u32));
                    all.extend(self.solve(part, base, path, live)?);
                }
                Some(all)
            }
            Kind::If(arrow, [test, then, otherwise]) => {
                if *arrow != atoms::ARROW {
                    return None;
                }
                let mut inner = live.clone();
                let of_then = then.variables.iter().map(|variable| Variable(variable.0 + base));
                inner.extend(of_then);
                let Held { yes, no } = self.condition(test, base, (path, &inner))?;
                let mut all = Vec::new();
                for yes in yes {
                    all.extend(self.solve(then, base, yes, live)?);
                }
                all.extend(self.solve(otherwise, base, no, live)?);
                Some(all)
            }
            Kind::Not(goal) => {
                Some(vec![self.condition(goal, base, (path, &FxHashSet::default()))?.no])
            }
            Kind::Meta(term, further) => {
                let term = self.renamed(*term, base);
                let term = self.resolve(term, &path);
                let mut args: Vec<Term> = Vec::new();
                let name = match self.store.shape(term).clone() {
                    Shape::Constant(cell) => cell.as_atom()?,
                    Shape::Struct(header, parts) => {
                        args.extend(parts.iter());
                        header.functor_name()
                    }
                    _ => return None,
                };
                for &further in further.iter() {
                    args.push(self.renamed(further, base));
                }
                let goal = match &args[..] {
                    [] => self.store.constant(Cell::atom(name)),
                    args => self.store.structure(Cell::functor(name, args.len()), args),
                };
                self.term_goal(goal, path, live)
            }
            Kind::Call(name, space, args) => {
                let mut all = Vec::with_capacity(args.len());
                for &arg in args.iter() {
                    let arg = self.renamed(arg, base);
                    all.push(self.resolve(arg, &path));
                }
                self.goal_of(*name, *space, &all, path, live)
            }
        }
    }

    /// A goal as a term, which has no variables of a clause.
    fn term_goal(&mut self, goal: Term, path: Path, live: Live<'_>) -> Option<Vec<Path>> {
        let around = Around { modules: &self.m.program.modules, space: Space::User };
        let goal = self.goals.of(self.store, goal, around);
        self.solve(&goal, 0, path, live)
    }

    /// Where a goal holds and where it does not. Where variables that it binds are looked at behind it, its first
    /// solution counts.
    fn condition(
        &mut self,
        goal: &Goal,
        base: u32,
        (path, live): (Path, Live<'_>),
    ) -> Option<Held> {
        let variables = goal.variables.iter().map(|variable| Variable(variable.0 + base));
        let (known, is_local) = self.outer(variables.collect(), &path, live);
        let nothing = self.store.constant(Cell::NIL);
        let solved = match is_local {
            true => self.solve(goal, base, path.clone(), &FxHashSet::default())?,
            false => self.solve(goal, base, path.clone(), live)?,
        };
        let told = self.told(solved.clone(), (&path, nothing), &known);
        let ways: Rc<[Way]> = told.into_iter().map(|(way, _)| way).collect();
        let inputs = self.inputs(&ways, &known);
        let holds =
            |wanted: bool| Literal::Holds { ways: ways.clone(), inputs: inputs.clone(), wanted };
        let with = |literal: Literal| {
            let mut path = path.clone();
            path.literals.push(literal);
            path
        };
        let yes = match is_local {
            true => vec![with(holds(true))],
            false => self.first(solved, &path)?,
        };
        Some(Held { yes, no: with(holds(false)) })
    }

    /// The first of the solutions of a goal behind a path, if they differ in one element alone.
    fn first(&mut self, mut solved: Vec<Path>, path: &Path) -> Option<Vec<Path>> {
        let Some(mut found) = solved.pop() else { return Some(Vec::new()) };
        let outer = self.known(path);
        let mut known = outer.clone();
        let literals = self.way(&found, path.literals.len());
        let elements = literals.iter().filter_map(|literal| match literal {
            Literal::Element(_, term) => Some(*term),
            _ => None,
        });
        let elements: Vec<Term> = elements.collect();
        if elements.len() > 1 || !solved.is_empty() {
            return None;
        }
        known.extend(elements.iter().flat_map(|&element| variables_in(self.store, element)));
        // Goals that find something have an order of their own.
        let is_test = |literal: &Literal| match literal {
            Literal::Goal { .. } => {
                variables_of(self.store, std::slice::from_ref(literal)).is_subset(&known)
            }
            _ => true,
        };
        if !literals.iter().all(is_test) {
            return None;
        }
        let Some(&element) = elements.first() else { return Some(vec![found]) };
        let told = self.told(vec![found.clone()], (path, element), &outer);
        let before = told.into_iter().map(|(way, other)| {
            way.iter().cloned().chain([Literal::Before(other, element)]).collect()
        });
        let ways: Rc<[Way]> = before.collect();
        let inputs = self.inputs(&ways, &known);
        found.literals.push(Literal::Holds { ways, inputs, wanted: false });
        Some(vec![found])
    }

    /// The variables of ways that have values already.
    fn inputs(&self, ways: &[Way], known: &FxHashSet<Variable>) -> Rc<[Variable]> {
        let all = ways.iter().flat_map(|way| variables_of(self.store, way));
        let mut inputs: Vec<Variable> = all.filter(|one| known.contains(one)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.into()
    }

    /// Where a goal as a term holds.
    fn term_condition(&mut self, goal: Term, path: Path, live: Live<'_>) -> Option<Held> {
        let around = Around { modules: &self.m.program.modules, space: Space::User };
        let goal = self.goals.of(self.store, goal, around);
        self.condition(&goal, 0, (path, live))
    }

    /// The variables that have values, and whether the other ones of a condition live on nowhere.
    fn outer(
        &mut self,
        variables: Vec<Variable>,
        path: &Path,
        live: Live<'_>,
    ) -> (FxHashSet<Variable>, bool) {
        let known = self.known(path);
        let mut living = FxHashSet::default();
        for &variable in live {
            let variable = self.store.variable(variable);
            living.extend(self.variables(variable, path));
        }
        let is_local = variables.into_iter().all(|variable| {
            let variable = self.store.variable(variable);
            let unknown = self.variables(variable, path);
            unknown.iter().all(|variable| known.contains(variable) || !living.contains(variable))
        });
        (known, is_local)
    }

    /// Ways as conditions: what they say beside what holds on the path, with what known variables are bound to, and a
    /// term by each. Other variables are their own.
    fn told(
        &mut self,
        solved: Vec<Path>,
        (path, template): (&Path, Term),
        known: &FxHashSet<Variable>,
    ) -> Vec<(Way, Term)> {
        let mut ways = Vec::with_capacity(solved.len());
        for solved in solved {
            let is_bound = |variable: &Variable| {
                solved.bindings.contains_key(variable) && !path.bindings.contains_key(variable)
            };
            let mut bound: Vec<Variable> = known.iter().copied().filter(is_bound).collect();
            bound.sort_unstable();
            let mut literals = Vec::new();
            for variable in bound {
                let of = self.store.variable(variable);
                literals.push(Literal::Same(of, self.resolve(of, &solved)));
            }
            let inner = self.way(&solved, path.literals.len());
            literals.extend(inner.iter().filter(|one| !matches!(one, Literal::Branch(_))).cloned());
            let template = self.resolve(template, &solved);
            let mut own = Path::default();
            let mut variables = variables_of(self.store, &literals);
            variables.extend(variables_in(self.store, template));
            for variable in variables {
                if !known.contains(&variable) {
                    own.bindings.insert(variable, self.variable());
                }
            }
            ways.push((self.resolved(&literals, &own), self.resolve(template, &own)));
        }
        ways
    }

    /// A call of a predicate whose arguments are resolved.
    fn goal_of(
        &mut self,
        name: Atom,
        space: Space,
        args: &[Term],
        mut path: Path,
        live: Live<'_>,
    ) -> Option<Vec<Path>> {
        if self.store.is_spent() {
            return None;
        }
        let pred = called(&self.m.program, name, args.len(), space)?;
        let is_system = !self.m.program.preds[pred as usize].space.is_users();
        let mut text = if is_system { self.m.symbols.name(name) } else { "" };
        match (text, args) {
            ("=", &[one, other]) => {
                let fits = self.unify(one, other, &mut path)?;
                return Some(fits.then_some(path).into_iter().collect());
            }
            ("once", &[goal]) if self.has_set(goal) => {
                return Some(self.term_condition(goal, path, live)?.yes);
            }
            ("forall", &[test, then]) => {
                let not = self.store.structure(Cell::functor(atoms::NOT_PROVABLE, 1), [then]);
                let both = self.store.structure(Cell::functor(atoms::COMMA, 2), [test, not]);
                let held = self.term_condition(both, path, &FxHashSet::default())?;
                return Some(vec![held.no]);
            }
            ("findall", &[template, goal, list]) => {
                if let Some(paths) = self.collected((template, goal, list), &path) {
                    return Some(paths);
                }
            }
            _ => {}
        }
        if !args.iter().any(|&arg| self.has_set(arg)) {
            if self.unfolded.contains(&pred) {
                return self.call(pred, args, path);
            }
            return self.static_goal((text, pred), args, path);
        }
        let mut own = Vec::new();
        if !is_system && let Some((name, places)) = self.own_list(pred) {
            (text, own) = (name, places.iter().map(|&place| args[place]).collect());
        }
        let args = if own.is_empty() { args } else { &own[..] };
        // Ordered ones stop at the first element that is not in order, and compare.
        if text.starts_with("ord_") {
            for &arg in args {
                if self.as_set(arg, &path).is_some_and(|set| !set.sorted) {
                    return None;
                }
            }
        }
        match (text, args) {
            ("", _) => self.call(pred, args, path),
            ("member", &[element, set]) => self.member(element, set, path),
            ("memberchk" | "ord_memberchk", &[element, set]) => {
                if text == "ord_memberchk" {
                    self.all_known(element, &path)?;
                }
                self.is_member(element, set, path, live)
            }
            ("select", &[element, set, rest]) => {
                let mut all = Vec::new();
                for path in self.member(element, set, path)? {
                    let element = self.resolve(element, &path);
                    all.extend(self.without(set, element, rest, path)?);
                }
                Some(all)
            }
            ("select", &[element, set, other, rest]) => {
                let mut all = Vec::new();
                for path in self.member(element, set, path)? {
                    self.all_known(other, &path)?;
                    let [element, other] = [element, other].map(|term| self.resolve(term, &path));
                    let mut set = self.as_set(set, &path)?;
                    let of = set.base?;
                    for (term, becomes) in [(element, false), (other, true)] {
                        set.changes.push(Change { set: of, term, becomes, when: None });
                    }
                    all.extend(self.answer(Changed { sorted: false, ..set }, rest, path)?);
                }
                Some(all)
            }
            ("selectchk", &[element, set, rest]) => {
                // An element that was added may be there twice, and one of the two goes.
                let added = self.as_set(set, &path)?.changes;
                let wanted = self.resolve(element, &path);
                if added.iter().any(|one| one.becomes && !self.are_apart(one.term, wanted, &path)) {
                    return None;
                }
                let found = match self.all_known(element, &path) {
                    Some(()) => self.is_member(element, set, path, live)?,
                    None => {
                        let solved = self.member(element, set, path.clone())?;
                        self.first(solved, &path)?
                    }
                };
                let mut all = Vec::new();
                for path in found {
                    let element = self.resolve(element, &path);
                    all.extend(self.without(set, element, rest, path)?);
                }
                Some(all)
            }
            ("subtract" | "ord_subtract", &[set, removed, rest]) => {
                let removed = self.as_set(removed, &path)?;
                if removed.base.is_some() {
                    return None;
                }
                self.are_known(&removed, &path)?;
                let mut set = self.as_set(set, &path)?;
                let id = set.base?;
                for change in removed.changes {
                    // Nothing is taken out of what is removed.
                    if !change.becomes {
                        return None;
                    }
                    set.changes.push(Change { set: id, becomes: false, ..change });
                }
                self.answer(set, rest, path)
            }
            ("delete" | "ord_del_element", &[set, element, rest]) => {
                self.all_known(element, &path)?;
                self.without(set, element, rest, path)
            }
            ("append" | "union" | "ord_union" | "ord_add_element", &[one, other, all]) => {
                let other = match text {
                    "ord_add_element" => {
                        let nil = self.store.constant(Cell::NIL);
                        self.store.pair(other, nil)
                    }
                    _ => other,
                };
                let [one, other] = [self.as_set(one, &path)?, self.as_set(other, &path)?];
                let is_ordered = text.starts_with("ord_");
                if text != "append" {
                    self.are_known(&one, &path)?;
                    self.are_known(&other, &path)?;
                }
                let joined = joined(one, other, is_ordered)?;
                self.answer(joined, all, path)
            }
            ("sort" | "list_to_ord_set", &[list, set]) => {
                let list = self.as_set(list, &path)?;
                self.are_known(&list, &path)?;
                self.answer(Changed { sorted: true, ..list }, set, path)
            }
            ("subset" | "ord_subset", &[part, set]) => {
                let part = self.as_set(part, &path)?;
                if part.base.is_some()
                    || part.changes.iter().any(|one| one.when.is_some() || !one.becomes)
                {
                    return None;
                }
                let mut paths = vec![path];
                for one in part.changes {
                    let mut all = Vec::new();
                    for path in paths {
                        self.all_known(one.term, &path)?;
                        all.extend(self.is_member(one.term, set, path, live)?);
                    }
                    paths = all;
                }
                Some(paths)
            }
            _ => None,
        }
    }

    /// The ways in which a list is all that a goal finds.
    fn collected(
        &mut self,
        (template, goal, list): (Term, Term, Term),
        path: &Path,
    ) -> Option<Vec<Path>> {
        let known = self.known(path);
        let mut path = path.clone();
        let solved = self.term_goal(goal, path.clone(), &FxHashSet::default())?;
        let told = self.told(solved, (&path, template), &known);
        path.literals.extend(told.iter().map(|(way, _)| Literal::Called(way.clone())));
        let added = told.into_iter().map(|(way, term)| Change {
            set: SetId::MAX,
            term,
            becomes: true,
            when: Some(way),
        });
        let changes = added.collect();
        self.answer(Changed { changes, ..Changed::default() }, list, path)
    }

    /// The library predicate that a program's own one defines, and the places of that one's arguments.
    fn own_list(&mut self, pred: PredId) -> Option<(&'static str, &'static [usize])> {
        if let Some(known) = self.own_lists.get(&pred) {
            return *known;
        }
        let found = self.find_own_list(pred);
        self.own_lists.insert(pred, found);
        found
    }

    fn find_own_list(&mut self, pred: PredId) -> Option<(&'static str, &'static [usize])> {
        const ORDERS: [&[usize]; 8] = [
            &[0, 1],
            &[1, 0],
            &[0, 1, 2],
            &[1, 0, 2],
            &[0, 2, 1],
            &[2, 0, 1],
            &[1, 2, 0],
            &[2, 1, 0],
        ];
        if self.m.program.live_clauses(pred).len() != 2 {
            return None;
        }
        let clauses = self.clauses(pred)?;
        let arity = self.m.program.preds[pred as usize].arity;
        ORDERS.into_iter().filter(|order| order.len() == arity).find_map(|order| {
            let clauses = clauses.iter().map(|clause| self.clause_text(clause, pred, order));
            let text = clauses.collect::<Option<Vec<String>>>()?.join(" ");
            let (name, _) = LISTS.into_iter().find(|(_, clauses)| *clauses == text)?;
            Some((name, order))
        })
    }

    /// A clause that does no more than call its own predicate, with arguments in an order.
    fn clause_text(&self, clause: &Clause, pred: PredId, order: &[usize]) -> Option<String> {
        let mut names = Vec::new();
        let mut list = |args: &[Term]| {
            let texts = order.iter().map(|&at| self.text(*args.get(at)?, &mut names));
            Some(texts.collect::<Option<Vec<String>>>()?.join(","))
        };
        let Shape::Struct(_, head) = self.store.shape(clause.head) else { return None };
        let head = list(head)?;
        Some(match &clause.body.kind {
            Kind::True => format!("{head}."),
            Kind::Cut => format!("{head}:-!."),
            Kind::Call(name, space, args)
                if called(&self.m.program, *name, args.len(), *space) == Some(pred) =>
            {
                format!("{head}:-{}.", list(args)?)
            }
            _ => return None,
        })
    }

    fn text(&self, term: Term, names: &mut Vec<Variable>) -> Option<String> {
        Some(match *self.store.shape(term) {
            Shape::Constant(Cell::NIL) => "[]".to_owned(),
            Shape::Variable(variable) => {
                let known = names.iter().position(|&name| name == variable);
                let at = known.unwrap_or_else(|| {
                    names.push(variable);
                    names.len() - 1
                });
                char::from_u32(u32::from('A') + at as u32)?.to_string()
            }
            Shape::Pair(head, tail) => {
                format!("[{}|{}]", self.text(head, names)?, self.text(tail, names)?)
            }
            _ => return None,
        })
    }

    /// A goal that no set occurs in: it is asked when states are.
    fn static_goal(
        &mut self,
        (text, pred): (&str, PredId),
        args: &[Term],
        mut path: Path,
    ) -> Option<Vec<Path>> {
        let known = self.known(&path);
        let mut variables = FxHashSet::default();
        for &arg in args {
            variables.extend(self.variables(arg, &path));
        }
        let mut inputs: Vec<Variable> = variables.intersection(&known).copied().collect();
        inputs.sort_unstable();
        let is_known = inputs.len() == variables.len();
        path.literals.push(match (text, args) {
            ("\\==" | "\\=", &[one, other]) if is_known => Literal::Differ(one, other),
            ("==", &[one, other]) if is_known => Literal::Same(one, other),
            // What is unbound may be bound by what follows.
            ("\\==" | "\\=" | "==" | "dif" | "var" | "nonvar" | "freeze", _) => return None,
            _ => Literal::Goal { pred, args: args.into(), inputs: inputs.into() },
        });
        Some(vec![path])
    }

    /// `None` if a variable of a term may have no value.
    fn all_known(&mut self, term: Term, path: &Path) -> Option<()> {
        let known = self.known(path);
        self.variables(term, path).is_subset(&known).then_some(())
    }

    /// `None` if a variable of what is added to a set, or removed from it, may have no value.
    fn are_known(&mut self, set: &Changed, path: &Path) -> Option<()> {
        let known = self.known(path);
        for change in &set.changes {
            let mut known = known.clone();
            if let Some(when) = &change.when {
                known.extend(variables_of(self.store, when));
            }
            if !self.variables(change.term, path).is_subset(&known) {
                return None;
            }
        }
        Some(())
    }

    /// The elements of a set, one after the other.
    fn member(&mut self, element: Term, set: Term, mut path: Path) -> Option<Vec<Path>> {
        let set = self.as_set(set, &path)?;
        let element = self.resolve(element, &path);
        if self.has_set(element) {
            return None;
        }
        // What was added comes between the others.
        let mut changes = set.changes;
        changes.retain(|one| !self.are_apart(one.term, element, &path));
        if changes.iter().any(|one| one.becomes || one.when.is_some()) {
            return None;
        }
        let Some(base) = set.base else { return Some(Vec::new()) };
        path.literals.push(Literal::Element(base, element));
        for removed in changes {
            path.literals.push(Literal::Differ(element, removed.term));
        }
        Some(vec![path])
    }

    /// Whether something is in a set, which is looked at once.
    fn is_member(
        &mut self,
        element: Term,
        set: Term,
        mut path: Path,
        live: Live<'_>,
    ) -> Option<Vec<Path>> {
        let element = self.resolve(element, &path);
        let (known, is_local) = self.outer(variables_in(self.store, element).to_vec(), &path, live);
        if !is_local {
            let solved = self.member(element, set, path.clone())?;
            return self.first(solved, &path);
        }
        let set = self.as_set(set, &path)?;
        if self.has_set(element) {
            return None;
        }
        let is_known = variables_in(self.store, element).iter().all(|one| known.contains(one));
        match (set.base, &set.changes[..]) {
            (Some(base), []) if is_known => path.literals.push(Literal::Element(base, element)),
            (base, changes) => {
                if changes.iter().any(|one| one.when.is_some()) {
                    return None;
                }
                // The last change of an element counts.
                let mut ways: Vec<Way> = Vec::new();
                for (number, change) in changes.iter().enumerate() {
                    let later = changes[number + 1..].iter().filter(|later| !later.becomes);
                    let later = later.map(|later| Literal::Differ(change.term, later.term));
                    if change.becomes {
                        let is_it = Literal::Same(change.term, element);
                        ways.push([is_it].into_iter().chain(later).collect());
                    }
                }
                if let Some(base) = base {
                    let removed = changes.iter().filter(|change| !change.becomes);
                    let differ = removed.map(|removed| Literal::Differ(element, removed.term));
                    let is_it = Literal::Element(base, element);
                    ways.push([is_it].into_iter().chain(differ).collect());
                }
                let inputs = self.inputs(&ways, &known);
                path.literals.push(Literal::Holds { ways: ways.into(), inputs, wanted: true });
            }
        }
        Some(vec![path])
    }

    /// A set without an element, all of whose variables have values.
    fn without(&mut self, set: Term, element: Term, rest: Term, path: Path) -> Option<Vec<Path>> {
        let mut set = self.as_set(set, &path)?;
        if self.has_set(element) {
            return None;
        }
        set.changes.push(Change { set: set.base?, term: element, becomes: false, when: None });
        self.answer(set, rest, path)
    }

    fn answer(&mut self, set: Changed, result: Term, mut path: Path) -> Option<Vec<Path>> {
        let set = self.set(set);
        let fits = self.unify(result, set, &mut path)?;
        Some(fits.then_some(path).into_iter().collect())
    }
}

/// A term with what variables are bound to.
fn resolved_in(store: &mut Store, term: Term, path: &Path) -> Term {
    store.substituted(term, &mut |store, variable| match path.bindings.get(&variable) {
        Some(&bound) => Substitute::More(bound),
        None => Substitute::Done(store.variable(variable)),
    })
}

/// A function that numbers variables as it meets them.
fn numbering() -> impl FnMut(&mut Store, Term) -> Term {
    let mut numbers: FxHashMap<Variable, Variable> = FxHashMap::default();
    move |store, term| {
        store.renamed(term, &mut |variable| {
            let next = Variable(numbers.len() as u32);
            *numbers.entry(variable).or_insert(next)
        })
    }
}

/// The elements of two sets, of which one at most is of the state.
fn joined(one: Changed, other: Changed, is_ordered: bool) -> Option<Changed> {
    if is_ordered && !(one.sorted && other.sorted) {
        return None;
    }
    let is_empty = |set: &Changed| set.base.is_none() && set.changes.is_empty();
    let sorted = is_ordered || (one.sorted && is_empty(&other)) || (other.sorted && is_empty(&one));
    let (base, added) = match (one.base, other.base) {
        (_, None) => (one, other),
        (None, _) => (other, one),
        _ => return None,
    };
    if added.changes.iter().any(|change| !change.becomes) {
        return None;
    }
    let set = base.base.unwrap_or(SetId::MAX);
    let added = added.changes.into_iter().map(|change| Change { set, ..change });
    Some(Changed { sorted, changes: base.changes.into_iter().chain(added).collect(), ..base })
}

/// The variables of literals.
fn variables_of(store: &Store, literals: &[Literal]) -> FxHashSet<Variable> {
    let mut all = FxHashSet::default();
    for literal in literals {
        match literal {
            Literal::Element(_, term) => all.extend(variables_in(store, *term)),
            Literal::Same(one, other)
            | Literal::Differ(one, other)
            | Literal::Before(one, other) => {
                all.extend(variables_in(store, *one));
                all.extend(variables_in(store, *other));
            }
            Literal::Goal { args, .. } => {
                all.extend(args.iter().flat_map(|&arg| variables_in(store, arg)));
            }
            Literal::Holds { ways, .. } => {
                all.extend(ways.iter().flat_map(|way| variables_of(store, way)));
            }
            Literal::Called(way) => all.extend(variables_of(store, way)),
            Literal::Branch(_) => {}
        }
    }
    all
}

/// Literals with other terms in the place of theirs.
fn mapped(
    store: &mut Store,
    literals: &[Literal],
    map: &mut dyn FnMut(&mut Store, Term) -> Term,
) -> Way {
    let mut all = Vec::with_capacity(literals.len());
    for literal in literals {
        let inputs = |store: &mut Store,
                      inputs: &[Variable],
                      map: &mut dyn FnMut(&mut Store, Term) -> Term| {
            let mut all: Vec<Variable> = Vec::new();
            for &input in inputs {
                let input = store.variable(input);
                let input = map(store, input);
                all.extend(variables_in(store, input));
            }
            all.sort_unstable();
            all.dedup();
            all.into()
        };
        all.push(match literal {
            Literal::Holds { ways, inputs: known, wanted } => {
                let ways = ways.iter().map(|way| mapped(store, way, map)).collect();
                Literal::Holds { ways, inputs: inputs(store, known, map), wanted: *wanted }
            }
            &Literal::Element(set, term) => Literal::Element(set, map(store, term)),
            &Literal::Same(one, other) => Literal::Same(map(store, one), map(store, other)),
            &Literal::Differ(one, other) => Literal::Differ(map(store, one), map(store, other)),
            &Literal::Before(one, other) => Literal::Before(map(store, one), map(store, other)),
            Literal::Goal { pred, args, inputs: known } => {
                let args = args.iter().map(|&arg| map(store, arg)).collect();
                Literal::Goal { pred: *pred, args, inputs: inputs(store, known, map) }
            }
            Literal::Called(way) => Literal::Called(mapped(store, way, map)),
            Literal::Branch(number) => Literal::Branch(*number),
        });
    }
    all.into()
}
