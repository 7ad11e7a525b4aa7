//! Folded moves: one body for many, run for the number of a move.
//!
//! What depends on the parameter of a fold alone is looked up by the number of the move: a number or a word, or a bit of
//! a word that holds the truth of up to 64 conditions.

use super::moves::Guide;
use super::{Guided, Lowering, Lowers};
use crate::program::slices::Picking;
use crate::program::{BlockId, End, NOTHING, Op, PLACES, Step, ValueId};
use rustc_hash::FxHashMap;
use zug_symbolic::{Condition, Leaf, Leaves, Set, Shape, Store, Term};
use zug_term::Cell;

/// The moves of each value of a parameter, and what is looked up of them.
#[derive(Default)]
pub(super) struct Parameter {
    /// By move: its number, and the value of the parameter.
    moves: Vec<(u32, u32)>,
    /// By condition on it: which bit of which table says whether it holds.
    bits: FxHashMap<Set, (u32, u8)>,
    /// The table that has room for more bits, and how many it has.
    open: Option<(u32, u8)>,
}

impl Lowering<'_, '_> {
    /// The parameter that a leaf is; `None` if it is a place of the state.
    pub(super) fn parameter_of(&self, leaf: Leaf) -> Option<Leaf> {
        (leaf.0 as usize >= self.board.leaves).then_some(leaf)
    }

    /// The slices of moves some of which are folded: guards, and bodies, of which folded moves have one together.
    pub(super) fn folded_picking(
        &mut self,
        guided: &[Guided],
        deopt: Condition,
    ) -> Lowers<Picking> {
        let (guards, groups) = self.guards_of(guided, deopt)?;
        self.begin_bodies();
        self.parameters.clear();
        for (number, one) in guided.iter().enumerate() {
            if let Some(guide) = &one.guide {
                let parameter = self.parameters.entry(guide.parameter).or_default();
                parameter.moves.push((number as u32, guide.value));
            }
        }
        self.moves_in_all = guided.len();
        let mut entries = Vec::with_capacity(guided.len());
        let mut bodies: FxHashMap<u32, (u32, BlockId)> = FxHashMap::default();
        for (number, one) in guided.iter().enumerate() {
            let number = number as u32;
            let known = one.guide.as_ref().and_then(|guide| bodies.get(&guide.answer).copied());
            if let Some((first, entry)) = known {
                self.same_body(one, first)?;
                entries.push(entry);
                continue;
            }
            let entry = self.body_of(one, number)?;
            entries.push(entry);
            if let Some(guide) = &one.guide {
                bodies.insert(guide.answer, (number, entry));
            }
        }
        self.block(Vec::new(), End::Enter(entries.into()));
        Ok(Picking { guards, groups, bodies: self.finish() })
    }

    /// The block that makes a move, or all that are made in the same way.
    fn body_of(&mut self, one: &Guided, number: u32) -> Lowers<BlockId> {
        let outer = std::mem::replace(&mut self.back, Condition::NEVER);
        let general;
        let made = match &one.guide {
            Some(guide) => {
                let Guide { condition, cost, to, .. } = *guide;
                let (name, later, guide) = (one.name, None, None);
                general = Guided { condition, name, cost, to, later, guide };
                self.move_of(&general)
            }
            None => self.move_of(one),
        };
        let back = std::mem::replace(&mut self.back, outer);
        let Some(made) = made? else { return Err("a move is given back".to_owned()) };
        debug_assert_eq!(made, number);
        let entry = self.block(vec![Step::Move(made)], End::Done);
        if back == Condition::NEVER {
            return Ok(entry);
        }
        let ask = self.block(Vec::new(), End::Deopt(0));
        self.test(back, ask, entry)
    }

    /// A move that is made as an earlier one, and has a name of its own.
    fn same_body(&mut self, one: &Guided, first: u32) -> Lowers<()> {
        let mut made = self.moves[first as usize].clone();
        if one.guide.as_ref().is_some_and(|guide| guide.is_named) {
            made.name = self.template(one.name)?;
        }
        self.moves.push(made);
        self.program.needs.push(Box::default());
        Ok(())
    }

    /// Whether a condition on a parameter holds, looked up by the number of the move.
    pub(super) fn bit_by_move(&mut self, parameter: Leaf, set: Set) -> Lowers<ValueId> {
        let of = self.parameters.get_mut(&parameter).ok_or(NO_MOVE_OF)?;
        let (table, bit) = match of.bits.get(&set) {
            Some(&known) => known,
            None => {
                let (table, bit) = match of.open {
                    Some((table, bits)) if usize::from(bits) < PLACES => (table, bits),
                    _ => {
                        self.program.by_move.push(vec![0; self.moves_in_all].into());
                        (self.program.by_move.len() as u32 - 1, 0)
                    }
                };
                of.open = Some((table, bit + 1));
                of.bits.insert(set, (table, bit));
                let entries = &mut self.program.by_move[table as usize];
                for &(number, value) in &of.moves {
                    let holds = self.store.has_place(set, value as usize);
                    entries[number as usize] |= i64::from(holds) << bit;
                }
                self.store.spend(1 + of.moves.len() / 16);
                (table, bit)
            }
        };
        let word = self.program.value(Op::OfMove(table));
        Ok(self.program.value(Op::Has(word, bit)))
    }

    /// The integer that depends on a parameter alone.
    pub(super) fn number_by_move(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        self.by_move(term, |store, term, state, _| store.integer_in(term, state))
    }

    /// The float that depends on a parameter alone, by its bits.
    pub(super) fn float_by_move(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        self.by_move(term, |store, term, state, _| {
            store.float_in(term, state).map(|value| value.to_bits() as i64)
        })
    }

    /// The word that depends on a parameter alone.
    pub(super) fn word_by_move(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        let Leaves::One(leaf) = self.store.leaves(term) else { return Ok(None) };
        let Some(parameter) = self.parameter_of(leaf) else { return Ok(None) };
        let mut words: FxHashMap<Cell, i64> = FxHashMap::default();
        let values = self.parameters.get(&parameter).ok_or(NO_MOVE_OF)?.moves.clone();
        let mut entries = vec![NOTHING; self.moves_in_all];
        for (number, value) in values {
            self.store.spend(1);
            let mut known = zug_symbolic::Instance::default();
            let found = self.store.term_at(term, (parameter, value as usize), &mut known);
            let Some(found) = found else { continue };
            let Shape::Constant(cell) = *self.store.shape(found) else { return Ok(None) };
            entries[number as usize] = match words.get(&cell) {
                Some(&word) => word,
                None => {
                    let word = self.word(cell)?.0;
                    words.insert(cell, word);
                    word
                }
            };
        }
        Ok(Some(self.table_by_move(entries)))
    }

    fn by_move(
        &mut self,
        term: Term,
        of: impl Fn(&Store, Term, &[Cell], u32) -> Option<i64>,
    ) -> Lowers<Option<ValueId>> {
        let Leaves::One(leaf) = self.store.leaves(term) else { return Ok(None) };
        let Some(parameter) = self.parameter_of(leaf) else { return Ok(None) };
        let moves = &self.parameters.get(&parameter).ok_or(NO_MOVE_OF)?.moves;
        let mut entries = vec![NOTHING; self.moves_in_all];
        let mut state = vec![Cell::NIL; parameter.0 as usize + 1];
        for &(number, value) in moves {
            state[parameter.0 as usize] = Cell::small(i64::from(value));
            match of(self.store, term, &state, value) {
                Some(NOTHING) => return Ok(None),
                found => entries[number as usize] = found.unwrap_or(NOTHING),
            }
        }
        self.store.spend(1 + entries.len() / 4);
        Ok(Some(self.table_by_move(entries)))
    }

    /// The value looked up in a table; where there is none, any will do.
    fn table_by_move(&mut self, mut entries: Vec<i64>) -> ValueId {
        let some = entries.iter().copied().find(|&entry| entry != NOTHING).unwrap_or(0);
        entries.iter_mut().filter(|entry| **entry == NOTHING).for_each(|entry| *entry = some);
        let known = self.program.by_move.iter().position(|known| **known == entries[..]);
        // Tables of bits grow: what was equal may be no more.
        let is_fixed = |table: usize| {
            let bits = |of: &Parameter| of.open.is_some_and(|(open, _)| open as usize == table);
            !self.parameters.values().any(bits)
        };
        let table = known.filter(|&table| is_fixed(table)).unwrap_or_else(|| {
            self.program.by_move.push(entries.into());
            self.program.by_move.len() - 1
        });
        self.program.value(Op::OfMove(table as u32))
    }
}

const NO_MOVE_OF: &str = "a parameter that no move has";
