//! What one worker knows of the positions that it owns, and who leads to them: [`Positions`].

use crate::breadth::Trail;
use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::shard::GameShard;
use std::collections::BTreeMap;

/// No number, value or distance.
pub(crate) const NONE: u32 = u32::MAX;
/// More moves than this have no place.
const MOST_MOVES: usize = 1 << 31;
/// Bytes of a part that is written.
const PART: usize = 1 << 16;
/// What is in a part: positions, or moves that lead to some.
const POSITIONS: u8 = 0;
const MOVES: u8 = 1;

/// A position that was expanded.
pub(crate) struct Position {
    /// Moves of the one who is to move that don't lead yet where the other one wins.
    pub ways_out: u32,
    /// Moves that may lead back to a position.
    pub open: u32,
    /// The place of what it is worth to the first player among all values; of an end, until these are known, among those
    /// of this worker.
    pub value: u32,
    /// Moves to the end.
    pub distance: u32,
    /// Who is to move, 0 or 1.
    pub mover: u8,
}

/// A move to a position.
#[derive(Clone, Copy)]
struct Arrival {
    /// The one before it, to the same position.
    before: u32,
    /// Who owns the position that the move is made in, and its number there.
    worker: u32,
    number: u32,
}

/// The positions of one worker, by number, as far as they were expanded, and the moves to them.
pub(crate) struct Positions {
    pub all: Vec<Position>,
    /// What ends are worth, as it is written, with the order in which it was met.
    values: BTreeMap<Vec<u8>, u32>,
    /// The last move to each position.
    last: Vec<u32>,
    moves: Vec<Arrival>,
    /// What was written.
    kept: (usize, usize),
    /// Whether it is written: then where the moves lead that are to be.
    fresh: Option<Vec<u32>>,
    /// How many workers there are.
    workers: usize,
}

impl Positions {
    /// None yet; `is_kept`: they are to be written.
    pub fn new(workers: usize, is_kept: bool) -> Positions {
        Positions {
            all: Vec::new(),
            values: BTreeMap::new(),
            last: Vec::new(),
            moves: Vec::new(),
            kept: (0, 0),
            fresh: is_kept.then(Vec::new),
            workers,
        }
    }

    /// What ends are worth, as it is written, in the order of the numbers that it has here.
    pub fn values(&self) -> Vec<&[u8]> {
        let mut all: Vec<(u32, &[u8])> =
            self.values.iter().map(|(value, &number)| (number, &value[..])).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, value)| value).collect()
    }

    /// The moves that lead to a position: workers, and numbers of positions.
    pub fn before(&self, number: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut at = self.last.get(number as usize).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let arrival = *self.moves.get(at as usize)?;
            at = arrival.before;
            Some((arrival.worker, arrival.number))
        })
    }

    fn push(&mut self, mover: u8, moves: u32, worth: Option<&[u8]>) {
        let value = worth.map_or(NONE, |worth| {
            let next = self.values.len() as u32;
            match self.values.get(worth) {
                Some(&known) => known,
                None => *self.values.entry(worth.to_vec()).or_insert(next),
            }
        });
        let distance = if value == NONE { NONE } else { 0 };
        self.all.push(Position { ways_out: moves, open: moves, value, distance, mover });
    }

    fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Position>()
            + self.moves.capacity() * size_of::<Arrival>()
            + self.last.capacity() * 4
            + self.fresh.as_ref().map_or(0, |fresh| fresh.capacity() * 4)
            + self.values.len() * 64
    }

    fn arrive(&mut self, number: usize, (worker, from): (usize, u64)) -> bool {
        let (Ok(to), Ok(worker), Ok(from)) =
            (u32::try_from(number), u32::try_from(worker), u32::try_from(from))
        else {
            return false;
        };
        let at = self.moves.len() as u32;
        if self.moves.len() >= NONE as usize || worker as usize >= self.workers {
            return false;
        }
        if self.last.len() <= number {
            self.last.resize(number + 1, NONE);
        }
        let before = std::mem::replace(&mut self.last[number], at);
        self.moves.push(Arrival { before, worker, number: from });
        if let Some(fresh) = &mut self.fresh {
            fresh.push(to);
        }
        true
    }
}

impl<S: GameShard> Trail<S> for Positions {
    const IS_TOLD: bool = true;

    fn bytes(&self) -> usize {
        Positions::bytes(self)
    }

    fn is_full(&self) -> bool {
        self.moves.len() >= MOST_MOVES
    }

    fn expanded(&mut self, shard: &mut S, state: &S::State, moves: usize) -> Result<(), S::Error> {
        let mut worth = Vec::new();
        if moves == 0 {
            S::write_value(&shard.worth(state)?, &mut worth);
        }
        self.push(shard.mover(state), moves as u32, (moves == 0).then_some(&worth));
        Ok(())
    }

    fn arrived(&mut self, number: usize, from: (usize, u64)) -> bool {
        self.arrive(number, from)
    }

    fn write<E>(&mut self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let values = self.values();
        let mut part = vec![POSITIONS];
        for position in &self.all[self.kept.0..] {
            push_varint(u64::from(position.open) << 1 | u64::from(position.mover), &mut part);
            if position.open == 0 {
                push_bytes(values[position.value as usize], &mut part);
            }
            flush(&mut part, PART, &mut put)?;
        }
        flush(&mut part, 1, &mut put)?;
        part = vec![MOVES];
        let targets = self.fresh.take().unwrap_or_default();
        for (&to, arrival) in targets.iter().zip(&self.moves[self.kept.1..]) {
            for number in [to, arrival.worker, arrival.number] {
                push_varint(u64::from(number), &mut part);
            }
            flush(&mut part, PART, &mut put)?;
        }
        flush(&mut part, 1, &mut put)?;
        (self.kept, self.fresh) = ((self.all.len(), self.moves.len()), Some(Vec::new()));
        Ok(())
    }

    fn read(&mut self, part: &[u8]) -> bool {
        let Some((&kind, mut part)) = part.split_first() else { return false };
        while !part.is_empty() {
            let mut one = || {
                let mut next = || u32::try_from(take_varint(&mut part)?).ok();
                if kind == MOVES {
                    let (to, worker, number) = (next()?, next()?, next()?);
                    return self
                        .arrive(to as usize, (worker as usize, u64::from(number)))
                        .then_some(());
                }
                let head = next()?;
                let (mover, moves) = ((head & 1) as u8, head >> 1);
                let worth = if moves == 0 { Some(take_bytes(&mut part)?) } else { None };
                self.push(mover, moves, worth);
                Some(())
            };
            if one().is_none() {
                return false;
            }
        }
        self.kept = (self.all.len(), self.moves.len());
        self.fresh.iter_mut().for_each(Vec::clear);
        kind <= MOVES
    }
}

/// Hands out a part that has so many bytes behind its kind; what comes next is of the same.
fn flush<E>(
    part: &mut Vec<u8>,
    least: usize,
    put: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    if part.len() > least {
        put(part)?;
        part.truncate(1);
    }
    Ok(())
}
