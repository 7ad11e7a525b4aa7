//! States that moves lead to whose lists are represented: which leaf is what.
//!
//! Of a set, an element's leaf says where it is in the list. Of a padded list, each place is the
//! element that as many others are there before. Where a list has no such form, because it does not
//! ascend, is too long or has an element that was never met, the state deoptimises: the machine
//! packs what it leads to.

use super::{Lowering, Lowers};
use crate::code::{Hole, Leaf, Template};
use crate::program::Op;
use zug_state::Word;
use zug_state::representation::{Part, Universe};
use zug_state::variables;
use zug_symbolic::{Condition, Guarded, Operation, Shape, Term};
use zug_term::Cell;

/// A term fitted to the representations.
pub enum Fitted {
    Represented(Template),
    /// It has none, in any state.
    Differs,
    /// All states that lead to it deoptimise.
    Deoptimises,
}

/// Why a term is not fitted to a part.
enum Stop {
    /// It does not fit.
    Unfit,
    /// There is no program, and why.
    Why(String),
}

impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop::Why(why)
    }
}

type Fits<T> = Result<T, Stop>;

/// What is known of the place of a part.
#[derive(Clone, Copy)]
struct Within {
    /// Where the move is one.
    answer: Condition,
    /// Where the element around it is there, given that.
    there: Condition,
    /// The state before has the same representation.
    is_own: bool,
}

impl Lowering<'_, '_> {
    /// The template of a state that a move leads to where a condition holds, if it is represented.
    pub(super) fn represented(&mut self, term: Term, answer: Condition) -> Lowers<Fitted> {
        for (shape, whole) in self.words.0.representations().to_vec() {
            let before = self.back;
            self.unbound.clear();
            self.fitted.clear();
            let is_own = shape == self.board.shape;
            let within = Within { answer, there: Condition::ALWAYS, is_own };
            if self.may_fit(term, &whole) {
                return match self.fit(&whole, term, within) {
                    Ok(()) => {
                        self.go_on()?;
                        let leaves = std::mem::take(&mut self.fitted);
                        Ok(Fitted::Represented(Template { shape, leaves }))
                    }
                    Err(Stop::Unfit) => {
                        self.back = self.store.or([before, answer]);
                        Ok(Fitted::Deoptimises)
                    }
                    Err(Stop::Why(why)) => Err(why),
                };
            }
        }
        Ok(Fitted::Differs)
    }

    /// Whether a term has the functors of a part outside of its lists: if not, it never fits.
    pub(super) fn may_fit(&mut self, term: Term, part: &Part) -> bool {
        match (part, self.store.shape(term).clone()) {
            (_, Shape::Choice(_)) => true,
            (Part::Leaf(_), shape) => !matches!(shape, Shape::Pair(..) | Shape::Struct(..)),
            (Part::Constant(constant), Shape::Constant(other)) => *constant == other,
            (Part::Constant(_), shape) => matches!(shape, Shape::Leaf(_)),
            (Part::Struct(header, parts), Shape::Struct(other, terms)) => {
                *header == other
                    && parts.iter().zip(terms.iter()).all(|(part, &term)| self.may_fit(term, part))
            }
            (Part::Struct(..), _) => false,
            (Part::List(parts), _) => match self.store.elements(term) {
                Some(items) if items.iter().all(|item| item.0 == Condition::ALWAYS) => {
                    items.len() == parts.len()
                        && parts.iter().zip(&items).all(|(part, item)| self.may_fit(item.1, part))
                }
                _ => true,
            },
            (Part::Set(_) | Part::Padded(..), Shape::Struct(..) | Shape::Boxed(_)) => false,
            (Part::Set(_) | Part::Padded(..), Shape::Constant(cell)) => cell == Cell::NIL,
            (Part::Set(_) | Part::Padded(..), _) => true,
            (Part::Variables(variables), _) => self.may_be_of(term, &variables.template),
        }
    }

    /// The same of a state whose leaves are variables.
    fn may_be_of(&mut self, term: Term, template: &variables::Template) -> bool {
        match (template, self.store.shape(term).clone()) {
            (_, Shape::Choice(_)) => true,
            (variables::Template::Constant(constant), Shape::Constant(other)) => *constant == other,
            (variables::Template::Constant(_), shape) => matches!(shape, Shape::Leaf(_)),
            (variables::Template::Struct(header, parts), Shape::Struct(other, terms)) => {
                *header == other
                    && parts
                        .iter()
                        .zip(terms.iter())
                        .all(|(part, &term)| self.may_be_of(term, part))
            }
            (variables::Template::Struct(..), _) => false,
            (variables::Template::Set(_), Shape::Struct(..) | Shape::Boxed(_)) => false,
            (variables::Template::Set(_), Shape::Constant(cell)) => cell == Cell::NIL,
            (variables::Template::Set(_) | variables::Template::OneOf(_), _) => true,
        }
    }

    fn fit(&mut self, part: &Part, term: Term, within: Within) -> Fits<()> {
        match part {
            Part::Leaf(filler) => return self.fit_leaf(*filler, term, within),
            Part::Constant(constant) => {
                let constant = self.store.constant(*constant);
                let same = self.store.identical(term, constant).ok_or(Stop::Unfit)?;
                let other = self.store.not(same);
                self.give_up(other, within);
            }
            Part::Struct(header, parts) => {
                let Shape::Struct(other, terms) = self.store.shape(term).clone() else {
                    return Err(Stop::Unfit);
                };
                if other != *header {
                    return Err(Stop::Unfit);
                }
                for (part, &term) in parts.iter().zip(terms.iter()) {
                    self.fit(part, term, within)?;
                }
            }
            Part::List(parts) => {
                let items = self.store.certain_elements(term).ok_or(Stop::Unfit)?;
                if items.len() != parts.len() {
                    return Err(Stop::Unfit);
                }
                for (part, item) in parts.iter().zip(items) {
                    self.fit(part, item, within)?;
                }
            }
            Part::Set(universe) => return self.fit_set(universe, term, within),
            Part::Padded(element, room) => {
                return self.fit_padded((element, *room), term, within);
            }
            // Moves write variables as ground operators, not as code.
            Part::Variables(_) => return Err(Stop::Unfit),
        }
        Ok(())
    }

    fn fit_leaf(&mut self, filler: Cell, term: Term, within: Within) -> Fits<()> {
        let is_scalar = match self.store.shape(term) {
            Shape::Choice(ways) => ways.iter().all(|&(_, way)| self.is_scalar(way)),
            Shape::Variable(_) => true,
            _ => self.is_scalar(term),
        };
        if !is_scalar {
            return Err(Stop::Unfit);
        }
        let mut term = self.bounded(term, within);
        if within.there != Condition::ALWAYS && !self.is_filled(filler, term, within) {
            let absent = self.store.not(within.there);
            let filler = self.store.constant(filler);
            term = self.store.chosen(vec![(within.there, term), (absent, filler)]);
        }
        let hole = self.hole(term)?;
        self.fitted.push(hole);
        Ok(())
    }

    /// A scalar within the bounds of its integers here: others are expected in no state.
    fn bounded(&mut self, term: Term, within: Within) -> Term {
        match self.store.shape(term).clone() {
            Shape::Choice(ways) => {
                let of = |way: &Guarded| matches!(self.store.shape(way.1), Shape::Integer(..));
                if !ways.iter().any(of) {
                    return term;
                }
                let here = self.store.both(within.answer, within.there);
                let mut bounded = Vec::with_capacity(ways.len());
                for &(holds, way) in ways.iter() {
                    if self.store.exclude(here, holds) {
                        continue;
                    }
                    let there = self.store.both(within.there, holds);
                    bounded.push((holds, self.bounded(way, Within { there, ..within })));
                }
                if bounded.is_empty() { term } else { self.store.chosen(bounded) }
            }
            Shape::Integer(..) => {
                let here = self.store.both(within.answer, within.there);
                let Some(values) = self.values_of(term) else { return term };
                let (mut least, mut most) = (i64::MAX, i64::MIN);
                for (is, value) in values {
                    if let Some(value) = self.store.as_integer(value)
                        && !self.store.exclude(is, here)
                    {
                        (least, most) = (least.min(value), most.max(value));
                    }
                }
                if least > most {
                    return term;
                }
                let bounded = [(Operation::Maximum, least), (Operation::Minimum, most)];
                bounded.into_iter().fold(term, |term, (operation, bound)| {
                    let bound = self.store.integer(bound);
                    let bounded = bound.map(|bound| self.store.compute(operation, &[term, bound]));
                    bounded.and_then(Result::ok).unwrap_or(term)
                })
            }
            _ => term,
        }
    }

    /// Whether a term is a leaf where its element is there, and the filler elsewhere.
    fn is_filled(&mut self, filler: Cell, term: Term, within: Within) -> bool {
        let Shape::Leaf(leaf) = *self.store.shape(term) else { return false };
        let Some(&(there, its)) = self.board.presence.elements.get(&leaf) else { return false };
        let here = self.store.both(within.answer, within.there);
        its == filler && (there == within.there || self.store.both(within.answer, there) == here)
    }

    /// The states in which a move is one and a condition holds deoptimise.
    fn give_up(&mut self, condition: Condition, within: Within) {
        let back = self.store.and([within.answer, within.there, condition]);
        self.back = self.store.or([self.back, back]);
    }

    fn fit_set(&mut self, universe: &Universe, term: Term, within: Within) -> Fits<()> {
        let items = self.store.elements(term).ok_or(Stop::Unfit)?;
        let mut placed: Vec<(usize, Condition)> = Vec::with_capacity(items.len());
        let mut is_there = vec![Condition::NEVER; universe.elements().len()];
        for (there, item) in items {
            let values = self.values_of(item).ok_or(Stop::Unfit)?;
            let first = placed.len();
            for (is, value) in values {
                let here = self.store.both(there, is);
                let Some(place) = self.place_of(universe, value) else {
                    self.give_up(here, within);
                    continue;
                };
                // What does not come behind all before it can't be there beside those.
                for &(other, beside) in &placed[..first] {
                    if other >= place {
                        let both = self.store.both(beside, here);
                        self.give_up(both, within);
                    }
                }
                self.store.spend(1 + first / 16);
                placed.push((place, here));
                is_there[place] = self.store.or([is_there[place], here]);
            }
        }
        for there in is_there {
            let there = self.store.both(within.there, there);
            let own = Leaf::try_from(self.fitted.len()).ok().filter(|_| within.is_own);
            let hole = self.flag(there, own, within)?;
            self.fitted.push(hole);
        }
        Ok(())
    }

    /// Whether a condition holds, as a leaf that is 0 or 1; `own`: where it is in the state before.
    fn flag(&mut self, holds: Condition, own: Option<Leaf>, within: Within) -> Lowers<Hole> {
        if let Some(own) = own {
            let leaf = zug_symbolic::Leaf(u32::from(own));
            if self.store.is_value(leaf, Cell::small(1)) == holds {
                return Ok(Hole::Leaf(own));
            }
        }
        if let Some(leaf) = self.board.presence.flags.get(&holds) {
            return Ok(Hole::Leaf(leaf.0 as Leaf));
        }
        let [absent, there] = [0, 1].map(|value| Word::int(value).expect("they are small"));
        let known = self.store.both(within.answer, holds);
        Ok(match known {
            Condition::NEVER => Hole::Word(absent),
            _ if known == within.answer => Hole::Word(there),
            _ => {
                let holds = self.store.given(holds, within.answer);
                let [absent, there] =
                    [absent, there].map(|word| self.program.value(Op::Word(word)));
                let bit = self.bit(holds)?;
                Hole::Value(self.program.value(Op::Choose(bit, there, absent)))
            }
        })
    }

    fn fit_padded(
        &mut self,
        (element, room): (&Part, usize),
        term: Term,
        within: Within,
    ) -> Fits<()> {
        let mut items = self.store.elements(term).ok_or(Stop::Unfit)?;
        if !self.is_chain(&items) {
            self.settle_items(&mut items, within);
        }
        let (places, counts) = match self.is_chain(&items) {
            true => self.places_of_chain(&items, room, within),
            false => {
                let Lowering { store, back, .. } = self;
                store.by_place(&items, room, |store, beyond| {
                    let more = store.and([within.answer, within.there, beyond]);
                    *back = store.or([*back, more]);
                })
            }
        };
        self.go_on()?;
        let length = self.length(&items, &counts, room, within);
        self.fit_leaf(Cell::ZERO, length, within)?;
        for ways in places {
            let there = self.store.or(ways.iter().map(|&(here, _)| here));
            if there == Condition::NEVER {
                self.fill(element)?;
                continue;
            }
            let item = self.store.merged(&ways).ok_or(Stop::Unfit)?;
            let inner = Within { there: self.store.both(within.there, there), ..within };
            let is_sure = self.store.both(within.answer, inner.there) == within.answer;
            let there = if is_sure { Condition::ALWAYS } else { inner.there };
            self.fit(element, item, Within { there, ..within })?;
        }
        Ok(())
    }

    /// Whether each element is there only where the one before it is.
    fn is_chain(&mut self, items: &[Guarded]) -> bool {
        items.windows(2).all(|pair| {
            let not = self.store.not(pair[0].0);
            self.store.exclude(not, pair[1].0)
        })
    }

    /// Elements that may be there where the move is one, unconditional if always.
    fn settle_items(&mut self, items: &mut Vec<Guarded>, within: Within) {
        let here = self.store.both(within.answer, within.there);
        for (there, _) in items.iter_mut() {
            match self.store.both(here, *there) {
                Condition::NEVER => *there = Condition::NEVER,
                both if both == here => *there = Condition::ALWAYS,
                _ => {}
            }
        }
        items.retain(|item| item.0 != Condition::NEVER);
    }

    /// By place, what is there and where; by number, where there are so many: of a chain.
    fn places_of_chain(
        &mut self,
        items: &[Guarded],
        room: usize,
        within: Within,
    ) -> (Vec<Vec<Guarded>>, Vec<Condition>) {
        if let Some(&(there, _)) = items.get(room) {
            self.give_up(there, within);
        }
        let items = &items[..room.min(items.len())];
        let mut places: Vec<Vec<Guarded>> = items.iter().map(|&item| vec![item]).collect();
        places.resize(room, Vec::new());
        let (mut counts, mut before) = (Vec::with_capacity(items.len() + 1), Condition::ALWAYS);
        for &(there, _) in items {
            let not = self.store.not(there);
            counts.push(self.store.both(before, not));
            before = there;
        }
        counts.push(before);
        (places, counts)
    }

    /// The number of elements: that of a list that was met and a constant, if that holds for every length.
    fn length(
        &mut self,
        items: &[Guarded],
        counts: &[Condition],
        room: usize,
        within: Within,
    ) -> Term {
        if let Some(length) = self.length_by_leaf(items, room, within) {
            return length;
        }
        let ways: Vec<Guarded> = (counts.iter().enumerate())
            .filter(|&(_, &holds)| holds != Condition::NEVER)
            .map(|(count, &holds)| (holds, self.store.constant(Cell::small(count as i64))))
            .collect();
        match self.store.merged(&ways) {
            Some(length) => length,
            None => self.store.constant(Cell::ZERO),
        }
    }

    fn length_by_leaf(&mut self, items: &[Guarded], room: usize, within: Within) -> Option<Term> {
        let (leaf, more) = self.store.count_by_leaf(items, [within.answer, within.there])?;
        let length = self.store.leaf(leaf);
        if more == 0 {
            return Some(length);
        }
        let [by, least, most] =
            [more, 0, room as i64].map(|value| self.store.constant(Cell::small(value)));
        let sum = self.store.compute(Operation::Add, &[length, by]).ok()?;
        let sum = self.store.compute(Operation::Maximum, &[sum, least]).ok()?;
        self.store.compute(Operation::Minimum, &[sum, most]).ok()
    }

    /// The leaves of an element that is nowhere there.
    fn fill(&mut self, part: &Part) -> Lowers<()> {
        match part {
            Part::Leaf(filler) => self.fill_one(*filler)?,
            Part::Constant(_) => {}
            Part::List(parts) | Part::Struct(_, parts) => {
                for part in parts {
                    self.fill(part)?;
                }
            }
            Part::Set(universe) => {
                for _ in universe.elements() {
                    self.fill_one(Cell::ZERO)?;
                }
            }
            Part::Padded(element, room) => {
                self.fill_one(Cell::ZERO)?;
                for _ in 0..*room {
                    self.fill(element)?;
                }
            }
            Part::Variables(_) => {}
        }
        Ok(())
    }
    fn fill_one(&mut self, filler: Cell) -> Lowers<()> {
        let word = self.word(filler)?;
        self.fitted.push(Hole::Word(word));
        Ok(())
    }
}
