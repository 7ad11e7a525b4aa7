//! Moves as numbered actions.

use crate::error::{Answered, EnvironmentError};
use rustc_hash::FxHashMap;
use zug_machine::Machine;
use zug_search::StateId;
use zug_term::{Record, compare};

/// In the place of a number where there is none.
const NONE: u32 = u32::MAX;
/// The most actions that are numbered.
pub(crate) const MOST: usize = 1 << 16;

/// A move by the number of its name, and how many moves of the same state and name stand before it.
pub(crate) type Key = (StateId, u32);

/// Moves, and the numbers that they have as actions.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    names: Vec<Record>,
    /// By the number of the name: that of the first move of this name.
    first: Vec<u32>,
    /// Those of others of the same name.
    others: FxHashMap<Key, u32>,
    /// The rules say which there are.
    pub is_declared: bool,
}

impl Actions {
    /// Numbers moves in the order of the list.
    pub(crate) fn listed(moves: Vec<(Key, Record)>) -> Answered<Actions> {
        if moves.len() > MOST {
            return Err(EnvironmentError::Space(format!(
                "there are more than {MOST} different moves; actions need a number each"
            )));
        }
        let mut actions = Actions::default();
        for (number, ((mv, before), name)) in moves.into_iter().enumerate() {
            actions.names.push(name);
            if before > 0 {
                actions.others.insert((mv, before), number as u32);
                continue;
            }
            let at = mv as usize;
            if actions.first.len() <= at {
                actions.first.resize(at + 1, NONE);
            }
            actions.first[at] = number as u32;
        }
        Ok(actions)
    }

    /// Numbers moves in the standard order of their names.
    pub(crate) fn sorted(m: &mut Machine, mut moves: Vec<(Key, Record)>) -> Answered<Actions> {
        m.scratch(|m| {
            let cell = |m: &mut Machine, name: &Record| name.instantiate(&mut m.heap);
            let mut cells: Vec<_> =
                moves.drain(..).map(|(key, name)| (cell(m, &name), key, name)).collect();
            let (heap, symbols) = (&m.heap, &m.symbols);
            cells.sort_by(|a, b| compare(heap, symbols, a.0, b.0).then(a.1.1.cmp(&b.1.1)));
            moves.extend(cells.into_iter().map(|(_, key, name)| (key, name)));
        });
        Actions::listed(moves)
    }

    /// The same; whether the rules say which there are.
    pub(crate) fn declared(self, is_declared: bool) -> Actions {
        Actions { is_declared, ..self }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the moves, by number.
    pub fn names(&self) -> &[Record] {
        &self.names
    }

    /// The number of a move; `before`: moves of the same state and name that stand before it.
    #[inline]
    pub(crate) fn number(&self, mv: StateId, before: u32) -> Option<u32> {
        if before > 0 {
            return self.others.get(&(mv, before)).copied();
        }
        self.first.get(mv as usize).copied().filter(|&number| number != NONE)
    }

    /// The numbers of the moves in a list, which are given by their names, in its order.
    ///
    /// # Errors
    /// The place of one that has no number.
    #[inline]
    pub(crate) fn of_all(&self, names: &[StateId], mut put: impl FnMut(u32)) -> Result<(), usize> {
        // PERF: nearly always no other has the same name, and there are few actions.
        let mut seen = 0_u64;
        for (at, &name) in names.iter().enumerate() {
            let first = self.first.get(name as usize).map_or(NONE, |&number| number);
            let bit = 1_u64.checked_shl(first).unwrap_or(0);
            if bit & !seen != 0 {
                seen |= bit;
                put(first);
                continue;
            }
            let before = names[..at].iter().filter(|&&other| other == name).count();
            put(self.number(name, before as u32).ok_or(at)?);
        }
        Ok(())
    }
}
