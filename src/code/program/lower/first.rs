//! Choices by the first place of a plane, as lookups.
//!
//! Rules that search a board square by square for a piece, and count on the way, yield a choice with a way for each
//! square: the piece is there, and on no square before. Such a choice is a function of the first place of one plane.

use super::{Lowering, Lowers};
use crate::program::vectorise::{Place, Places, Source, word_and_bit};
use crate::program::{Op, PLACES, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::{Condition, Formula, Guarded, limits};

/// Whether conditions hold, if that is known.
type Known = FxHashMap<Condition, Option<bool>>;
/// The places of literals.
type Literals = FxHashMap<Condition, Place>;

impl Lowering<'_, '_> {
    /// The integer that a choice of constants is, if it says nothing but where the first place of a plane is.
    pub(super) fn by_first_place(&mut self, ways: &[Guarded]) -> Lowers<Option<ValueId>> {
        let mut values = Vec::with_capacity(ways.len());
        for &(_, way) in ways {
            let Some(value) = self.store.as_integer(way) else { return Ok(None) };
            values.push(value);
        }
        let conditions: Vec<Condition> = ways.iter().map(|&(condition, _)| condition).collect();
        let Some((source, literals, parts)) = self.only_plane(&conditions) else {
            return Ok(None);
        };
        let places: Places = literals.values().map(|place| place.at).collect();
        if places.len() < limits::FEWEST_FOLDED {
            return Ok(None);
        }
        // Where no way holds nobody uses the choice: any value will do.
        let mut value_at = |first| -> Lowers<Option<i64>> {
            let mut known = Known::default();
            let holds =
                |&condition: &Condition| self.at_first(condition, (first, &literals), &mut known);
            let found: Vec<Option<bool>> = conditions.iter().map(holds).collect();
            self.store.spend(1 + parts / 16);
            self.go_on()?;
            Ok(match found.iter().position(|&holds| holds == Some(true)) {
                None if found.contains(&None) => None,
                way => Some(values[way.unwrap_or(0)]),
            })
        };
        let Some(none) = value_at(None)? else { return Ok(None) };
        let mut tables = Vec::new();
        for (word, bits) in places.words() {
            let mut table = [values[0]; 256];
            table[PLACES] = none;
            for at in places.iter().filter(|&at| word_and_bit(at).0 == word) {
                let Some(value) = value_at(Some(at))? else { return Ok(None) };
                table[usize::from(word_and_bit(at).1)] = value;
            }
            tables.push((word, bits, table));
        }
        let mut first = None;
        for (word, bits, table) in tables.into_iter().rev() {
            let plane = self.plane(source, word, None)?;
            let plane = self.program.within(plane, bits);
            let table = self.program.table(table);
            let here = self.program.value(Op::First(plane, table));
            first = Some(match first {
                None => here,
                Some(behind) => {
                    let some = self.program.value(Op::Some(plane));
                    self.program.value(Op::Choose(some, here, behind))
                }
            });
        }
        Ok(first)
    }

    /// The one plane of cells that all literals of conditions are places of, these places, and of how many parts the
    /// conditions are joined.
    fn only_plane(&mut self, conditions: &[Condition]) -> Option<(Source, Literals, usize)> {
        let (mut of, mut literals, mut joined) = (None, Literals::default(), 0);
        let (mut seen, mut waiting) = (FxHashSet::default(), conditions.to_vec());
        while let Some(condition) = waiting.pop() {
            if !seen.insert(condition) {
                continue;
            }
            self.store.spend(1);
            match self.store.says(condition) {
                Formula::And(parts) | Formula::Or(parts) => {
                    joined += parts.len();
                    waiting.extend(parts.iter());
                }
                Formula::Literal(..) => {
                    let place =
                        self.families.place_of_literal(self.store, self.board.leaves, condition)?;
                    if !matches!(place.source, Source::Cells(_))
                        || *of.get_or_insert(place.source) != place.source
                    {
                        return None;
                    }
                    literals.insert(condition, place);
                }
                _ => return None,
            }
        }
        of.map(|source| (source, literals, joined))
    }

    /// Whether a condition on places of one plane holds where its first place is this one, or where it is empty; `None` if
    /// that depends on later places.
    fn at_first(
        &self,
        condition: Condition,
        of: (Option<u16>, &Literals),
        known: &mut Known,
    ) -> Option<bool> {
        if let Some(&known) = known.get(&condition) {
            return known;
        }
        let holds = match self.store.says(condition) {
            Formula::And(parts) => self.all_at_first(parts, of, true, known),
            Formula::Or(parts) => self.all_at_first(parts, of, false, known),
            _ => {
                let place = of.1.get(&condition)?;
                match of.0 {
                    Some(first) if place.at > first => None,
                    first => Some((first == Some(place.at)) != place.negated),
                }
            }
        };
        known.insert(condition, holds);
        holds
    }

    /// Whether all parts have this truth value, or else one that does not decides.
    fn all_at_first(
        &self,
        parts: &[Condition],
        of: (Option<u16>, &Literals),
        so: bool,
        known: &mut Known,
    ) -> Option<bool> {
        let mut all = Some(so);
        for &part in parts {
            match self.at_first(part, of, known) {
                Some(holds) if holds != so => return Some(!so),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }
}
