//! Calls of clauses: run apart from their path, once for all calls that are alike.

use super::Run;
use super::builtins::BuiltIn;
use super::environment::{CALLERS, Way, Ways};
use super::goals::{Around, Call as LeftCall, Clause, Kind, Reader};
use super::solve::Solved;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use zug_machine::{Kind as PredKind, PredId, Program, Space};
use zug_symbolic::{Condition, Formula, Guarded, Leaves, Shape, Term, Variable, limits};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// What a call depends on: arguments, with variables numbered in order, and what is known of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub pred: PredId,
    arguments: Arc<[Term]>,
    known: Condition,
    apart: bool,
    /// Only the number of its answers matters.
    counts_only: bool,
    pub leaves: bool,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub condition: Condition,
    pub values: Box<[Term]>,
    /// The call that it was left with, whose answers it stands for.
    pub call: Option<Arc<LeftCall>>,
    /// The number of the fold whose ways it stands for.
    pub fold: Option<u32>,
}

#[derive(Debug)]
pub struct Outcome {
    /// Its answers. Variables in them are those of the call, and new ones with higher numbers.
    pub answers: Vec<Answer>,
    pub deopt: Condition,
}

/// A last call of a predicate by itself, not yet run.
struct Tail {
    /// The clause it is in, by its place among those that were run: its answers come there.
    clause: usize,
    arguments: Vec<Term>,
    way: Way,
}

/// What a goal calls.
#[derive(Clone, Copy)]
pub struct Callee {
    pred: PredId,
    is_system: bool,
    is_builtin: bool,
    /// It is `format/3`, whose text is made by the machine.
    is_format: bool,
    /// Its symbolic form.
    form: Option<BuiltIn>,
}

#[derive(Clone, Copy)]
struct Called<'a> {
    pred: PredId,
    functor: (Atom, usize),
    /// Its variables, and those that its answers are in.
    live: &'a [Variable],
    /// Its last calls of itself are returned.
    stop: bool,
    /// The place of the clause among those that were run.
    clause: usize,
}

impl Run<'_> {
    pub fn call(
        &mut self,
        (name, space): (Atom, Space),
        args: &[Term],
        way: Way,
        live: &[Variable],
    ) -> Vec<Way> {
        self.site.call(name, args.len());
        let mut arguments = Vec::with_capacity(args.len());
        for &argument in args {
            let argument = way.bindings.resolve(&mut self.store, argument);
            arguments.push(self.store.narrowed(argument, way.condition));
        }
        let Some(callee) = self.callee(name, args.len(), space) else {
            self.deoptimise(way.condition, "there is no such predicate");
            return Vec::new();
        };
        let pred = callee.pred;
        if callee.is_system
            && let Some(looked_at) =
                arguments.iter().find(|&&argument| self.store.is_opaque(argument))
        {
            match callee.is_builtin {
                _ if (name, args.len()) == (atoms::UNIFY, 2) => {}
                true => {
                    self.look_at(*looked_at);
                    return Vec::new();
                }
                false => return self.call_pred(pred, &arguments, way, live),
            }
        }
        if let Some(form) = callee.form
            && let Some(ways) = self.aside(|run| form(run, &arguments, way.clone(), live))
        {
            return ways;
        }
        if callee.is_builtin {
            if self.is_concrete(pred) && self.are_of_one_leaf(&arguments) {
                return self.call_pred(pred, &arguments, way, live);
            }
            if let Some(ways) = self.concrete(pred, &arguments, &way) {
                return ways;
            }
        }
        if callee.is_format
            && let Some(ways) = self.formatted(pred, &arguments, &way)
        {
            return ways;
        }
        self.call_pred(pred, &arguments, way, live)
    }

    /// What a goal of a space calls.
    fn callee(&mut self, name: Atom, arity: usize, space: Space) -> Option<Callee> {
        if let Some(&known) = self.memory.callees.get(&(name, arity, space)) {
            return known;
        }
        let program = &self.machine.program;
        let callee = called(program, name, arity, space).map(|pred| {
            let predicate = &program.preds[pred as usize];
            let is_system = predicate.space == Space::System;
            Callee {
                pred,
                is_system,
                is_builtin: predicate.kind == PredKind::Builtin,
                is_format: is_system && (self.machine.symbols.name(name), arity) == ("format", 3),
                form: if is_system { self.memory.builtins.get(name, arity) } else { None },
            }
        });
        self.memory.callees.insert((name, arity, space), callee);
        callee
    }

    /// A call of a predicate, its arguments resolved.
    fn call_pred(&mut self, pred: PredId, args: &[Term], way: Way, live: &[Variable]) -> Vec<Way> {
        if let Some(way) = self.leave(pred, args, &way) {
            return vec![way];
        }
        let one_was_left = way.bindings.call().is_some() || way.bindings.fold().is_some();
        let mut names: Vec<Variable> = Vec::new();
        let mut name = |variable: Variable| {
            let known = names.iter().position(|&name| name == variable);
            let place = known.unwrap_or_else(|| {
                names.push(variable);
                names.len() - 1
            });
            Variable(CALLERS + place as u32)
        };
        let store = &mut self.store;
        let args: Arc<[Term]> =
            args.iter().map(|&argument| store.renamed(argument, &mut name)).collect();
        let asked = self.asked == Some(pred);
        let counts_only = live.is_empty() && !names.is_empty();
        let known = if asked { way.condition } else { self.known_of(way.condition, &args) };
        let leaves = !one_was_left && self.leaves_calls(pred);
        let mut key = Key { pred, arguments: args, known, apart: asked, counts_only, leaves };
        // What the path says may end what would go on without.
        if !asked && matches!(self.memory.outcomes.get(&key), Some(None)) {
            key.known = way.condition;
        }
        let outcome = match one_was_left {
            true => self.aside(|run| run.outcome_of(key)),
            false => self.outcome_of(key),
        };
        let deopt = self.store.both(way.condition, outcome.deopt);
        self.deoptimise(deopt, "a call gives the state back");
        let mut ways = Vec::with_capacity(outcome.answers.len());
        let mut folds = FxHashMap::default();
        for Answer { condition: holds, values, call, fold } in &outcome.answers {
            let condition = self.store.both(way.condition, *holds);
            if condition == Condition::NEVER {
                continue;
            }
            let mut one = vec![way.within(condition)];
            if let Some(call) = call {
                Rc::make_mut(&mut one[0].bindings).leave(call.clone());
            }
            if let Some(fold) = fold {
                let here = self.fold_here(*fold, &mut folds);
                Rc::make_mut(&mut one[0].bindings).set_fold(Some(here));
            }
            let mut fresh: FxHashMap<Variable, Variable> = FxHashMap::default();
            for (place, &value) in values.iter().enumerate() {
                let variable = names[place];
                let value = if self.store.is_ground(value) {
                    value
                } else {
                    let bindings = Rc::make_mut(&mut one[0].bindings);
                    self.store.renamed(value, &mut |variable| {
                        let place = (variable.0 - CALLERS) as usize;
                        match names.get(place) {
                            Some(&variable) => variable,
                            None => *fresh.entry(variable).or_insert_with(|| bindings.fresh()),
                        }
                    })
                };
                let variable = self.store.variable(variable);
                if value == variable {
                    continue;
                }
                one = self.unify_on(one, variable, value);
                if one.is_empty() {
                    break;
                }
            }
            ways.append(&mut one);
        }
        ways
    }

    /// What a path says of the numbers among arguments: loops that count would not end without.
    fn known_of(&mut self, condition: Condition, arguments: &[Term]) -> Condition {
        let numbers =
            |&&term: &&Term| matches!(self.store.shape(term), Shape::Leaf(_) | Shape::Integer(..));
        let leaves: Vec<Leaves> =
            arguments.iter().filter(numbers).map(|&term| self.store.leaves(term)).collect();
        if leaves.is_empty() {
            return Condition::ALWAYS;
        }
        let mut known = self.store.conjuncts(condition);
        known.retain(|&part| match self.store.says(part) {
            Formula::Literal(leaf, _) => {
                leaves.iter().any(|of| matches!(of, Leaves::Several) || *of == Leaves::One(*leaf))
            }
            _ => false,
        });
        self.store.and(known)
    }

    pub fn outcome(
        &mut self,
        pred: PredId,
        arguments: Arc<[Term]>,
        known: Condition,
        counts_only: bool,
    ) -> Arc<Outcome> {
        let apart = self.asked == Some(pred);
        let leaves = self.leaves_calls(pred);
        self.outcome_of(Key { pred, arguments, known, apart, counts_only, leaves })
    }

    fn outcome_of(&mut self, key: Key) -> Arc<Outcome> {
        let known = self.memory.outcomes.get(&key);
        if let Some(Some(outcome)) = known {
            return outcome.clone();
        }
        let is_running = known.is_some();
        let sealed = std::mem::replace(&mut self.left.sealed, !key.leaves);
        let outer = std::mem::replace(&mut self.deopt, Condition::NEVER);
        let answers = if is_running {
            self.deoptimise(key.known, "a call that runs already is made again");
            Vec::new()
        } else {
            self.memory.outcomes.insert(key.clone(), None);
            self.running.push(key.pred);
            let answers = self.run(&key);
            self.running.pop();
            answers
        };
        self.left.sealed = sealed;
        self.met(key.pred, &key.arguments, &answers);
        let deopt = std::mem::replace(&mut self.deopt, outer);
        let outcome = Arc::new(Outcome { answers, deopt });
        if self.stopped() {
            self.memory.outcomes.remove(&key);
        } else if !is_running {
            self.memory.outcomes.insert(key, Some(outcome.clone()));
        }
        outcome
    }

    /// Whether calls may be left in a call of a predicate that is made now.
    fn leaves_calls(&mut self, pred: PredId) -> bool {
        self.left.direct && !self.left.sealed && (self.may_fold(pred) || self.may_leave(pred))
    }

    fn run(&mut self, key: &Key) -> Vec<Answer> {
        let predicate = &self.machine.program.preds[key.pred as usize];
        let functor = (predicate.name, predicate.arity);
        if self.machine.program.is_tabled(key.pred) {
            self.deoptimise(key.known, "the answers are kept in tables");
            return Vec::new();
        }
        let live = if key.counts_only { Vec::new() } else { self.variables_of(&key.arguments) };
        if predicate.kind == PredKind::Builtin
            && let Some(ways) = self.concrete(key.pred, &key.arguments, &Way::new(key.known))
        {
            return ways.into_iter().map(|way| self.closed(&way, &live)).collect();
        }
        let predicate = &self.machine.program.preds[key.pred as usize];
        if !matches!(predicate.kind, PredKind::Static | PredKind::Dynamic) {
            let name = self.machine.symbols.name(functor.0);
            let why = format!("{name}/{} is for the machine", functor.1);
            self.deoptimise(key.known, &why);
            return Vec::new();
        }
        let called = Called { pred: key.pred, functor, live: &live, stop: false, clause: 0 };
        let (asked, splits) = (self.asked == Some(key.pred), self.splits);
        let front = self.aside(|run| run.conditional_front(key, called));
        let ways = match front.filter(|_| !asked) {
            Some(ways) => self.merged_ways(ways, Some(&live)),
            None => {
                let (mut groups, _) = self.clauses(called, &key.arguments, key.known);
                if !asked && self.splits > splits {
                    let merged = |group| self.merged_ways(group, Some(&live));
                    groups = groups.into_iter().map(merged).collect();
                    self.splits = splits;
                }
                if asked { groups.concat() } else { self.merged_groups(groups, &live) }
            }
        };
        ways.into_iter().map(|way| self.closed(&way, &live)).collect()
    }

    /// The answer that a way is; variables other than the call's get numbers behind those.
    fn closed(&mut self, way: &Way, live: &[Variable]) -> Answer {
        let mut others: FxHashMap<Variable, u32> = FxHashMap::default();
        let mut values = Vec::with_capacity(live.len());
        for &variable in live {
            let term = self.store.variable(variable);
            let value = way.bindings.resolve(&mut self.store, term);
            values.push(self.store.renamed(value, &mut |variable| {
                if live.binary_search(&variable).is_ok() {
                    return variable;
                }
                let next = (live.len() + others.len()) as u32;
                Variable(CALLERS + *others.entry(variable).or_insert(next))
            }));
        }
        let (call, fold) = (way.bindings.call().cloned(), way.bindings.fold());
        Answer { condition: way.condition, values: values.into(), call, fold }
    }

    /// Answers of clauses that exclude one another are merged; those of one clause stay apart.
    fn merged_groups(&mut self, groups: Vec<Vec<Way>>, live: &[Variable]) -> Vec<Way> {
        let mut all: Vec<Vec<Way>> = Vec::with_capacity(groups.len());
        for group in groups {
            if let ([_], Some([_])) = (&group[..], all.last().map(|last| &last[..])) {
                let last = all.last_mut().expect("there is one");
                let both = [std::mem::take(last), group].concat();
                let mut merged = self.merged_ways(both, Some(live));
                let rest = merged.split_off(1);
                *last = merged;
                if !rest.is_empty() {
                    all.push(rest);
                }
                continue;
            }
            if !group.is_empty() {
                all.push(group);
            }
        }
        all.concat()
    }

    /// The answers of each clause, and the last calls of the predicate by itself if the run stops at them.
    fn clauses(
        &mut self,
        called: Called<'_>,
        arguments: &[Term],
        known: Condition,
    ) -> (Vec<Vec<Way>>, Vec<Tail>) {
        let (mut groups, mut tails) = (Vec::new(), Vec::new());
        let Some(clauses) = self.clauses_of(called.pred) else {
            self.deoptimise(
                known,
                "a clause has numbers or texts that are not for code, or is a rule with `=>`",
            );
            return (groups, tails);
        };
        let mut left = known;
        for (number, clause) in clauses.iter().enumerate() {
            self.store.spend(usize::from(number % 8 == 0));
            if !self.may_match(clause, arguments) {
                continue;
            }
            let pairs = clause.head.iter().copied().zip(arguments.iter().copied());
            let ways = self.unify_all(pairs, Way::new(left));
            let (mut group, mut cut) = (Vec::new(), Condition::NEVER);
            for mut way in ways {
                way.condition = self.minus(way.condition, cut);
                if way.condition == Condition::NEVER {
                    continue;
                }
                let outer = self.site;
                self.site.enter(clause.id, self.machine.program.preds[called.pred as usize].space);
                let called = Called { clause: groups.len(), ..called };
                let solved = self.body(clause, way, called, &mut tails);
                self.site = outer;
                group.extend(solved.ways);
                cut = self.store.or([cut, solved.cut]);
            }
            groups.push(group);
            left = self.minus(left, cut);
            if left == Condition::NEVER || self.stopped() {
                break;
            }
        }
        (groups, tails)
    }

    fn body(
        &mut self,
        clause: &Clause,
        way: Way,
        called: Called<'_>,
        tails: &mut Vec<Tail>,
    ) -> Solved {
        if called.stop {
            let (before, last) = match &clause.body.kind {
                Kind::And(goals) => (&goals[..goals.len() - 1], &goals[goals.len() - 1].goal),
                _ => (&[][..], &clause.body),
            };
            if let Kind::Call(name, space, arguments) = &last.kind
                && (*name, arguments.len()) == called.functor
                && self::called(&self.machine.program, *name, arguments.len(), *space)
                    == Some(called.pred)
            {
                let live = super::goals::joined(called.live, &last.variables);
                let solved = self.conjunction(before, vec![way], &live);
                for way in solved.ways {
                    let arguments = arguments
                        .iter()
                        .map(|&argument| way.bindings.resolve(&mut self.store, argument));
                    let arguments = arguments.collect();
                    tails.push(Tail { clause: called.clause, arguments, way });
                }
                return Solved { ways: Vec::new(), cut: solved.cut };
            }
        }
        self.solve(&clause.body, way, called.live)
    }

    /// A call on a list whose first element may be absent: `p([E|R], A)` where it is there and
    /// `p(R, A)` where it is not, which come to one call `p(R, …)` if the clauses go on with the rest.
    fn conditional_front(&mut self, key: &Key, called: Called<'_>) -> Ways {
        let place = key
            .arguments
            .iter()
            .position(|&argument| matches!(self.store.shape(argument), Shape::Present(_)))?;
        let clauses = self.clauses_of(key.pred)?;
        let takes_lists =
            |clause: &Clause| matches!(self.store.shape(clause.head[place]), Shape::Pair(..));
        if !clauses.iter().any(takes_lists) {
            return None;
        }
        let Shape::Present(elements) = self.store.shape(key.arguments[place]).clone() else {
            return None;
        };
        let ((there, first), rest) = (elements[0], elements[1..].to_vec());
        let rest = self.store.present(rest);
        let with = |list: Term| {
            let mut arguments = key.arguments.to_vec();
            arguments[place] = list;
            arguments
        };
        let (is, is_not) = (self.store.both(key.known, there), self.minus(key.known, there));
        let full = self.store.pair(first, rest);
        let stopping = Called { stop: true, ..called };
        let (groups, tails) = self.clauses(stopping, &with(full), is);
        let is_alone = groups.iter().all(Vec::is_empty);
        if let ([tail], true, true) = (&tails[..], is_alone, is_not != Condition::NEVER)
            && tail.arguments[place] == rest
            // What it has bound before holds on this way alone.
            && called.live.iter().all(|&variable| tail.way.bindings.get(variable).is_none())
            && let Some(joined) = self.joined_arguments(&tail.arguments, &with(rest), (tail, there))
        {
            let condition = match tail.way.condition {
                condition if condition == is => key.known,
                condition => {
                    let not = self.store.not(there);
                    let either = self.store.or([not, condition]);
                    self.store.both(key.known, either)
                }
            };
            return Some(self.call_pred(key.pred, &joined, Way::new(condition), called.live));
        }
        let (mut ways, mut tails) = (Vec::new(), tails.into_iter().peekable());
        for (clause, group) in groups.into_iter().enumerate() {
            ways.extend(group);
            while let Some(tail) = tails.next_if(|tail| tail.clause == clause) {
                ways.extend(self.call_pred(key.pred, &tail.arguments, tail.way, called.live));
            }
        }
        if is_not != Condition::NEVER {
            let way = Way::new(is_not);
            ways.extend(self.call_pred(key.pred, &with(rest), way, called.live));
        }
        Some(ways)
    }

    /// The arguments of two calls in one, if those that differ have no variables.
    fn joined_arguments(
        &mut self,
        one: &[Term],
        other: &[Term],
        (tail, there): (&Tail, Condition),
    ) -> Option<Vec<Term>> {
        let not = self.store.not(there);
        let mut joined = Vec::with_capacity(one.len());
        for (&left, &right) in one.iter().zip(other) {
            let left = self.store.narrowed(left, tail.way.condition);
            if left == right {
                joined.push(left);
                continue;
            }
            if !self.store.is_ground(left) || !self.store.is_ground(right) {
                return None;
            }
            // A list that is gone through beside this one: both stay what they are, as each of the
            // calls is made but once.
            if self.ends_in(right, left) {
                return None;
            }
            let ways: [Guarded; 2] = [(there, left), (not, right)];
            joined.push(self.store.merged(&ways)?);
        }
        Some(joined)
    }

    fn ends_in(&self, list: Term, end: Term) -> bool {
        let mut rest = list;
        while let Shape::Pair(_, tail) = *self.store.shape(rest) {
            rest = tail;
            if rest == end {
                return true;
            }
        }
        false
    }

    /// Whether a clause may match a call, by the constants and functors of both: most facts of a table do not.
    fn may_match(&self, clause: &Clause, arguments: &[Term]) -> bool {
        let pairs = clause.head.iter().zip(arguments);
        { pairs }.all(|(&formal, &actual)| self.may_unify(formal, actual, 0))
    }

    fn may_unify(&self, formal: Term, actual: Term, depth: u32) -> bool {
        if formal == actual || depth > limits::SHALLOW {
            return true;
        }
        let deeper = |(&formal, &actual): (&Term, &Term)| self.may_unify(formal, actual, depth + 1);
        match (self.store.shape(formal), self.store.shape(actual)) {
            (Shape::Constant(a), Shape::Constant(b)) => a == b,
            (Shape::Struct(a, parts), Shape::Struct(b, others)) => {
                a == b && parts.iter().zip(others.iter()).all(deeper)
            }
            (Shape::Pair(a, b), Shape::Pair(c, d)) => [a, b].into_iter().zip([c, d]).all(deeper),
            (Shape::Constant(_) | Shape::Struct(..), Shape::Pair(..))
            | (Shape::Constant(_) | Shape::Pair(..), Shape::Struct(..))
            | (Shape::Pair(..) | Shape::Struct(..), Shape::Constant(_)) => false,
            (Shape::Constant(a), Shape::Present(_)) => *a == Cell::NIL,
            // A leaf may be unbound, and is bound by unifying then.
            _ => true,
        }
    }

    /// The clauses; `None` if one has numbers or texts that no cell holds, or for rules that match.
    pub fn clauses_of(&mut self, pred: PredId) -> Option<Arc<[Clause]>> {
        if let Some(clauses) = self.memory.clauses.get(&pred) {
            return Some(clauses.clone());
        }
        let program = &self.machine.program;
        if program.preds[pred as usize].rules.is_some() || program.is_det(pred) {
            return None;
        }
        let mut clauses = Vec::new();
        for id in program.live_clauses(pred) {
            let (heap, root) = program.clauses[id as usize].record.to_heap();
            let mut reader = Reader::new(&heap);
            let parts = (heap.at(root.addr() + 1), heap.at(root.addr() + 2));
            let head = reader.term(&mut self.store, parts.0)?;
            let head = match self.store.shape(head).clone() {
                Shape::Struct(_, arguments) => arguments,
                Shape::Pair(head, tail) => [head, tail].into(),
                _ => Arc::default(),
            };
            let around =
                Around { modules: &program.modules, space: program.preds[pred as usize].space };
            let reading = (&mut self.store, &mut reader);
            let body = self.memory.goals.of_body(reading, parts.1, around)?;
            clauses.push(Clause { id, head, body });
        }
        let clauses: Arc<[Clause]> = clauses.into();
        self.memory.clauses.insert(pred, clauses.clone());
        Some(clauses)
    }
}

/// The predicate that a goal of a space calls.
pub fn called(program: &Program, name: Atom, arity: usize, space: Space) -> Option<PredId> {
    let found = program.lookup(name, arity, space).map(|id| program.resolve(id));
    found.or_else(|| program.find(name, arity, space))
}
