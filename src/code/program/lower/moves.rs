//! Answers that are moves: what shape each has, and what it needs.

use super::floats::NO_NUMBER;
use super::represented::Fitted;
use super::{Allowed, Guided, Later, Lowering, Lowers};
use crate::code::{Cost, Hole, Leaf, Move};
use crate::merging::{Answer, Fold, Outcome, UNBOUND};
use rustc_hash::FxHashMap;
use zug_state::Number;
use zug_state::representation::Part;
use zug_symbolic::{Condition, Formula, Guarded, Instance, Leaf as Parameter, Shape, Term, limits};

/// Of a move that is one of a fold: what all of them have in common.
pub(super) struct Guide {
    /// The number of the answer that it is one of.
    pub answer: u32,
    pub parameter: Parameter,
    /// Which of the moves it is.
    pub value: u32,
    /// The condition of the answer, without the guard of this move.
    pub condition: Condition,
    pub cost: Option<Term>,
    pub to: Term,
    /// Each of them has a name of its own, which does not depend on the state.
    pub is_named: bool,
}

/// A move by itself: its condition, its name, what it leads to, and what follows.
type Apart = (Condition, Term, Term, Option<Later>);

impl Lowering<'_, '_> {
    /// Answers whose terms are of one shape each.
    pub(super) fn split(&mut self, outcome: &Outcome, cost: bool) -> Lowers<Vec<Guided>> {
        let mut all = Vec::new();
        // Where the answers of a place begin at which ways were folded, with the ways that they are of.
        let mut site: Option<(u32, usize)> = None;
        let mut places: Vec<u32> = Vec::new();
        let may_be_unbound = (0..self.board.leaves)
            .any(|leaf| self.store.domain(zug_symbolic::Leaf(leaf as u32)).has(UNBOUND));
        for (number, answer) in outcome.answers.iter().enumerate() {
            let Answer { condition, values, call, fold } = answer;
            let fold = fold.map(|fold| &self.board.folds[fold as usize]);
            if site.map(|(of, _)| of) != fold.map(|fold| fold.site) {
                in_order(&mut all, &mut site, &mut places);
                site = fold.map(|fold| (fold.site, all.len()));
            }
            let (&name, &to) = match (values.first(), values.last()) {
                (Some(name), Some(to)) if values.len() == 2 + usize::from(cost) => (name, to),
                _ => return Err("an answer has other variables".to_owned()),
            };
            if let Some(fold) = fold {
                self.unfold(number as u32, fold, answer, cost, (&mut all, &mut places))?;
                continue;
            }
            let to = if may_be_unbound { self.without_copies(to, *condition) } else { to };
            let later = call.as_ref().map(|call| Later { call: call.clone(), to });
            let to = call.as_ref().map_or(to, |call| self.input_of(call));
            for (holds, name, to, later) in self.apart(*condition, name, to, later)? {
                if !cost {
                    all.push(Guided { condition: holds, name, cost: None, to, later, guide: None });
                    continue;
                }
                for (is, cost) in self.store.by_type(values[1]).ok_or(NO_NUMBER)? {
                    let condition = self.store.both(holds, is);
                    if condition != Condition::NEVER {
                        let later = later.clone();
                        all.push(Guided {
                            condition,
                            name,
                            cost: Some(cost),
                            to,
                            later,
                            guide: None,
                        });
                    }
                }
            }
            if all.len() > limits::ANSWERS {
                return Err("there are too many shapes of moves".to_owned());
            }
        }
        in_order(&mut all, &mut site, &mut places);
        Ok(all)
    }

    /// The moves that an answer of a fold stands for.
    fn unfold(
        &mut self,
        number: u32,
        fold: &Fold,
        answer: &Answer,
        cost: bool,
        (all, places): (&mut Vec<Guided>, &mut Vec<u32>),
    ) -> Lowers<()> {
        let Answer { condition, values, .. } = answer;
        let (name, to) = (values[0], values[values.len() - 1]);
        let cost = cost.then(|| values[1]);
        if cost.is_some_and(|cost| self.store.by_type(cost).is_none_or(|types| types.len() > 1)) {
            return Err("a cost is an integer in some states, and a float in others".to_owned());
        }
        let parameter = fold.parameter;
        let mut moves = Vec::with_capacity(fold.guards.len());
        let mut is_named = true;
        for (value, (&guard, &place)) in fold.guards.iter().zip(fold.places.iter()).enumerate() {
            let mut known = Instance::default();
            let own = self.store.condition_at(*condition, (parameter, value), &mut known);
            let condition = self.store.both(guard, own);
            self.go_on()?;
            if condition == Condition::NEVER {
                continue;
            }
            let name = self.store.term_at(name, (parameter, value), &mut known);
            let name = name.ok_or("a move of a fold has no name")?;
            is_named &= self.store.is_known(name);
            moves.push((value as u32, place, condition, name));
        }
        let is_one = (is_named || self.structural(name).is_none())
            && self.structural_in_state(to).unwrap_or_else(|| self.structural(to)).is_none();
        if !is_one {
            return Err("a move of a fold leads to states of several shapes".to_owned());
        }
        let (condition, general) = (*condition, name);
        for (value, place, holds, name) in moves {
            let guide = Guide { answer: number, parameter, value, condition, cost, to, is_named };
            let name = if is_named { name } else { general };
            let guide = Some(guide);
            all.push(Guided { condition: holds, name, cost, to, later: None, guide });
            places.push(place);
        }
        if all.len() > limits::FOLDED_ANSWERS {
            return Err("there are too many moves".to_owned());
        }
        Ok(())
    }

    /// Where states deoptimise, without parameters: for all ways of each fold.
    pub(super) fn unfolded(&mut self, condition: Condition) -> Lowers<Condition> {
        let mut parts = match self.store.says(condition).clone() {
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![condition],
        };
        let mut done: Vec<Parameter> = Vec::new();
        for fold in self.board.folds {
            let parameter = fold.parameter;
            if done.contains(&parameter) {
                continue;
            }
            done.push(parameter);
            let (of, others): (Vec<Condition>, Vec<Condition>) =
                parts.into_iter().partition(|&part| self.store.depends_on(part, parameter));
            parts = others;
            if of.is_empty() {
                continue;
            }
            let any = self.store.or(of);
            for (value, &guard) in fold.guards.iter().enumerate() {
                let mut known = Instance::default();
                let here = self.store.condition_at(any, (parameter, value), &mut known);
                self.go_on()?;
                parts.push(self.store.both(guard, here));
            }
        }
        Ok(self.store.or(parts))
    }

    fn apart(
        &mut self,
        condition: Condition,
        name: Term,
        to: Term,
        later: Option<Later>,
    ) -> Lowers<Vec<Apart>> {
        let mut waiting = vec![(condition, name, to, later)];
        let mut done = Vec::new();
        while let Some((condition, name, to, later)) = waiting.pop() {
            let behind = later.as_ref().map(|later| later.to);
            let choice = self
                .structural(name)
                .or_else(|| self.structural_in_state(to).unwrap_or_else(|| self.structural(to)))
                .or_else(|| behind.and_then(|behind| self.structural(behind)));
            let Some(ways) = choice else {
                done.push((condition, name, to, later));
                continue;
            };
            if done.len() + waiting.len() > limits::ANSWERS || self.store.is_spent() {
                return Err("there are too many shapes of states".to_owned());
            }
            self.store.spend(ways.len());
            for (way, _) in ways.into_iter().rev() {
                let both = self.store.both(condition, way);
                if both != Condition::NEVER {
                    let [name, to] = [name, to].map(|term| self.settled(term, both));
                    let later = later.clone();
                    let later = later.map(|of| Later { to: self.settled(of.to, both), ..of });
                    waiting.push((both, name, to, later));
                }
            }
        }
        Ok(done)
    }

    /// A choice in a term between structures, or whether an element is there.
    fn structural(&mut self, term: Term) -> Option<Vec<Guarded>> {
        let (mut waiting, mut visited) = (vec![term], Vec::new());
        let mut found = None;
        while let Some(term) = waiting.pop() {
            if self.store.is_plain(term) || self.whole.contains(&term) {
                continue;
            }
            visited.push(term);
            match self.store.shape(term) {
                Shape::Choice(ways) if !ways.iter().all(|&(_, way)| self.is_scalar(way)) => {
                    found = Some(ways.to_vec());
                    break;
                }
                Shape::Present(elements) => {
                    let (there, element) = elements[0];
                    let not = self.store.not(there);
                    found = Some(vec![(there, element), (not, element)]);
                    break;
                }
                Shape::Pair(head, tail) => waiting.extend([tail, head]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter().rev()),
                _ => {}
            }
        }
        self.store.spend(visited.len());
        if found.is_none() {
            self.whole.extend(visited);
        }
        found
    }

    /// A choice between structures outside of represented lists; `None` if the state is not represented.
    pub(super) fn structural_in_state(&mut self, term: Term) -> Option<Option<Vec<Guarded>>> {
        for (_, whole) in self.words.0.representations().to_vec() {
            if self.may_fit(term, &whole) {
                return Some(self.structural_in(term, &whole));
            }
        }
        None
    }

    fn structural_in(&mut self, term: Term, part: &Part) -> Option<Vec<Guarded>> {
        self.store.spend(1);
        if let Shape::Choice(ways) = self.store.shape(term).clone() {
            let is_scalar = ways.iter().all(|&(_, way)| self.is_scalar(way));
            return (!is_scalar || !matches!(part, Part::Leaf(_))).then(|| ways.to_vec());
        }
        let (parts, terms) = match (part, self.store.shape(term).clone()) {
            (Part::Struct(_, parts), Shape::Struct(_, terms)) => (&parts[..], terms.to_vec()),
            (Part::List(parts), _) => match self.store.elements(term) {
                Some(items) => match items.iter().find(|item| item.0 != Condition::ALWAYS) {
                    Some(&(there, item)) => {
                        let not = self.store.not(there);
                        return Some(vec![(there, item), (not, item)]);
                    }
                    None => (&parts[..], items.into_iter().map(|item| item.1).collect()),
                },
                None => return self.choice_of_tails(term),
            },
            (Part::Set(_) | Part::Padded(..) | Part::Variables(_), _) => {
                return self.choice_of_tails(term);
            }
            _ => return None,
        };
        parts.iter().zip(terms).find_map(|(part, term)| self.structural_in(term, part))
    }

    /// The choice that a list ends in, if it does.
    fn choice_of_tails(&self, list: Term) -> Option<Vec<Guarded>> {
        let mut rest = list;
        while let Shape::Pair(_, tail) = self.store.shape(rest) {
            rest = *tail;
        }
        match self.store.shape(rest) {
            Shape::Choice(ways) => Some(ways.to_vec()),
            _ => None,
        }
    }

    /// A term where a condition holds: without the ways in it that this rules out.
    pub(super) fn settled(&mut self, term: Term, known: Condition) -> Term {
        let (mut items, mut rest) = (Vec::new(), term);
        let tail = loop {
            if self.store.is_plain(rest) {
                break rest;
            }
            self.store.spend(1);
            match self.store.shape(rest).clone() {
                Shape::Pair(head, tail) => {
                    items.push(self.settled(head, known));
                    rest = tail;
                }
                Shape::Struct(header, parts) => {
                    let parts: Vec<Term> =
                        parts.iter().map(|&part| self.settled(part, known)).collect();
                    break self.store.structure(header, parts);
                }
                Shape::Present(elements) => {
                    let mut left = Vec::with_capacity(elements.len());
                    for &(there, element) in elements.iter() {
                        let both = self.store.both(known, there);
                        if both != Condition::NEVER {
                            let there = if both == known { Condition::ALWAYS } else { there };
                            left.push((there, self.settled(element, known)));
                        }
                    }
                    break self.store.present(left);
                }
                Shape::Choice(_) => {
                    let narrowed = self.store.narrowed(rest, known);
                    if narrowed == rest {
                        break rest;
                    }
                    rest = narrowed;
                }
                _ => break rest,
            }
        };
        self.store.list(&items, tail)
    }

    /// Whether there is a number or a text in a term that no word of a state holds.
    fn has_no_word(&mut self, term: Term) -> bool {
        let (mut waiting, mut seen) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            if self.worded.contains(&term) {
                continue;
            }
            self.store.spend(1);
            match self.store.shape(term) {
                Shape::Boxed(_) | Shape::Float(..) => return true,
                Shape::Pair(head, tail) => waiting.extend([*tail, *head]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter()),
                _ => continue,
            }
            seen.push(term);
        }
        self.worded.extend(seen);
        false
    }

    pub(super) fn is_scalar(&self, term: Term) -> bool {
        matches!(
            self.store.shape(term),
            Shape::Constant(_) | Shape::Leaf(_) | Shape::Integer(..) | Shape::Choice(_)
        )
    }

    /// The bytes that leaves may be where a condition holds, as far as its literals say, comparisons by
    /// the bounds of what is compared, and alternatives, so deep in one another, all together.
    fn allowed_by(&mut self, condition: Condition, depth: u32) -> Lowers<Allowed> {
        let mut allowed: Allowed = FxHashMap::default();
        for part in self.store.conjuncts(condition) {
            self.store.spend(1);
            let possible = match self.store.says(part).clone() {
                Formula::Literal(leaf, set) if self.store.has_integers(leaf, set) == Some(true) => {
                    continue;
                }
                Formula::Literal(leaf, _) if self.parameter_of(leaf).is_some() => continue,
                Formula::Literal(leaf, set) => vec![(leaf, self.store.values_by(leaf, set).0)],
                Formula::Or(ways) if depth > 0 && ways.len() <= limits::ALTERNATIVES => {
                    self.store.spend(ways.len());
                    let mut any: Option<Allowed> = None;
                    for &way in ways.iter() {
                        let of = self.allowed_by(way, depth - 1)?;
                        any = Some(match any {
                            None => of,
                            Some(any) => joined(any, &of),
                        });
                        if any.as_ref().is_some_and(FxHashMap::is_empty) {
                            break;
                        }
                    }
                    any.into_iter().flatten().for_each(|(leaf, of)| meet(&mut allowed, leaf, of));
                    continue;
                }
                _ => self.store.possible(part),
            };
            for (leaf, values) in possible {
                let mut bytes = [0u64; 4];
                for value in values {
                    if let Some(byte) = self.word(value)?.byte() {
                        bytes[usize::from(byte / 64)] |= 1 << (byte % 64);
                    }
                }
                meet(&mut allowed, leaf.0 as Leaf, bytes);
            }
        }
        Ok(allowed)
    }

    /// The number of a move; `None` if all states in which it is one deoptimise.
    pub(super) fn move_of(&mut self, one: &Guided) -> Lowers<Option<u32>> {
        let behind = one.later.as_ref().map(|later| later.to);
        if [one.name, one.to].into_iter().chain(behind).any(|term| self.has_no_word(term)) {
            self.back = self.store.or([self.back, one.condition]);
            return Ok(None);
        }
        // That a move leads to no state at all is for the machine to tell.
        let is_bare =
            matches!(self.store.shape(one.to), Shape::Variable(_)) || self.is_scalar(one.to);
        if is_bare && self.may_be(one.to, UNBOUND) {
            self.back = self.store.or([self.back, one.condition]);
            return Ok(None);
        }
        let allowed = self.allowed_by(one.condition, 0)?;
        self.allow(allowed);
        let name = self.template(one.name)?;
        let holes = std::mem::take(&mut self.opaque);
        let call = match &one.later {
            Some(later) => Some(Box::new(self.call_of(later, &holes)?)),
            None => None,
        };
        let to = match self.represented(one.to, one.condition)? {
            Fitted::Represented(to) => to,
            Fitted::Differs => self.template(one.to)?,
            Fitted::Deoptimises => return Ok(None),
        };
        let mut cost = None;
        if let Some(term) = one.cost {
            let known = (self.store.as_integer(term), self.store.as_float(term));
            cost = Some(match known {
                (Some(value), _) => Cost::Fixed(Number::Int(value)),
                (_, Some(value)) => Cost::Fixed(Number::Float(value)),
                _ if self.store.float_bounds(term).is_some() => Cost::Float(self.float(term)?),
                _ => Cost::Temp(self.int(term)?),
            });
        }
        let is_computed = |hole: &Hole| matches!(hole, Hole::Temp(_) | Hole::Value(_));
        if to.leaves.iter().any(is_computed) {
            let allowed = self.allowed_by(one.condition, limits::SHALLOWEST)?;
            self.allow(allowed);
        }
        let to = self.expected(to)?;
        let same = to.shape == self.board.shape && to.leaves.len() == self.board.leaves;
        let writes = same.then(|| crate::code::writes(&to.leaves));
        let mv = Move { name, cost, to, writes, call };
        self.program.needs.push(mv.needs(false));
        self.moves.push(mv);
        Ok(Some(self.moves.len() as u32 - 1))
    }
}

/// Puts the moves of ways that were folded in one place in the order of these.
fn in_order(all: &mut Vec<Guided>, site: &mut Option<(u32, usize)>, places: &mut Vec<u32>) {
    if let Some((_, first)) = site.take() {
        let mut moves: Vec<(u32, Guided)> = places.drain(..).zip(all.drain(first..)).collect();
        moves.sort_by_key(|&(place, _)| place);
        all.extend(moves.into_iter().map(|(_, one)| one));
    }
}

/// A leaf is one of these bytes, too.
fn meet(allowed: &mut Allowed, leaf: Leaf, bytes: [u64; 4]) {
    let all = allowed.entry(leaf).or_insert([u64::MAX; 4]);
    all.iter_mut().zip(bytes).for_each(|(all, of)| *all &= of);
}

/// What leaves may be by one of two, of those of which both say something.
fn joined(mut one: Allowed, other: &Allowed) -> Allowed {
    one.retain(|leaf, _| other.contains_key(leaf));
    for (leaf, bytes) in &mut one {
        bytes.iter_mut().zip(other[leaf]).for_each(|(all, of)| *all |= of);
    }
    one
}
