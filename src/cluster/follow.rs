//! Best play from the start, which the owners of its positions tell.

use crate::breadth::take_all;
use crate::bytes::{push_varint, take_varint};
use crate::error::SearchEnd;
use crate::games::{Analysis, SolvedGame};
use crate::limits::Halt;
use crate::peers::Peers;
use crate::positions::{NONE, Position};
use crate::rounds::{Rounds, senseless};
use crate::shard::{GameShard, write_sized, written};
use std::collections::HashSet;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Label {
    /// The place of its value among all.
    value: u32,
    distance: u32,
}

impl<S: GameShard> Analysis<'_, S> {
    /// What is known of a position of this worker, with its place; `None` if it is none.
    fn known(&mut self, state: &S::State) -> Option<(Label, &Position)> {
        let number = self.shard.number(state);
        let position = self.positions.all.get(number)?;
        let value = if position.value == NONE { self.nothing } else { position.value };
        Some((Label { value, distance: position.distance }, position))
    }

    /// Follows best play from the start, for as many moves as `longest` says, and notes what the start is worth.
    pub fn follow(
        &mut self,
        peers: &mut Peers<'_>,
        rounds: &mut Rounds,
        start: &S::State,
        (longest, found): (usize, &mut SolvedGame<S::Value>),
    ) -> Result<(), SearchEnd<S::Error>> {
        let hash = self.shard.hash(start);
        let (mut owner, mut at) = (peers.owner(hash), written(self.shard, start));
        let mut met = HashSet::new();
        loop {
            let is_new = met.insert(at.clone());
            found.line.push(at.clone());
            if !is_new || found.line.len() > longest {
                return Ok(());
            }
            // The owner asks for the moves.
            let (mut said, mut halted) = (Vec::new(), None);
            if owner == peers.index() {
                match self.told(&at) {
                    Ok(told) => said = told,
                    Err(halt) => halted = Some(halt),
                }
            }
            let read = |said: &[u8]| match said {
                [] => Some(None),
                said => Told::read(said).map(Some),
            };
            let (mut all, stop) = rounds.agree::<S, _>(peers, &said, halted, read)?;
            if stop.is_some() {
                found.layers.stopped = stop;
                (found.value, found.distance, found.line) = (None, None, Vec::new());
                return Ok(());
            }
            let told = all.swap_remove(owner).ok_or_else(|| senseless(peers, owner))?;
            if found.line.len() == 1 {
                let value = self.values.get(told.label.value as usize);
                found.value = Some(value.ok_or_else(|| senseless(peers, owner))?.clone());
                found.distance = Some(told.label.distance).filter(|&distance| distance != NONE);
            }
            // Their owners say what is known of what they lead to.
            let labels = self.labels(peers, rounds, (owner, &told))?;
            let nothing = self.nothing;
            let best = labels.iter().position(|&(label, _)| told.is_best(label, nothing));
            let Some(best) = best else { return Ok(()) };
            (at, owner) = (told.successors[best].clone(), labels[best].1);
        }
    }

    /// What the owner of a position says of it, and what its moves lead to.
    fn told(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Halt<S::Error>> {
        let mut said = Vec::new();
        let Some(state) = self.shard.read(bytes) else { return Ok(said) };
        let Some((label, _)) = self.known(&state) else { return Ok(said) };
        let head = [u64::from(label.value), u64::from(label.distance)];
        head.into_iter().for_each(|number| push_varint(number, &mut said));
        let mut out = Vec::new();
        let asked = self.shard.within_limits(|shard| shard.successors(&state, &mut out));
        match asked {
            Ok(Ok(())) => {}
            Err(stop) => return Err(Halt::Stop(stop)),
            Ok(Err(error)) => {
                return Err(match self.shard.stop_of(&error) {
                    Some(stop) => Halt::Stop(stop),
                    None => Halt::Fail(error),
                });
            }
        }
        out.iter().for_each(|successor| write_sized(self.shard, successor, &mut said));
        Ok(said)
    }

    /// What is known of what the moves of a position lead to, and who owns it.
    fn labels(
        &mut self,
        peers: &mut Peers<'_>,
        rounds: &mut Rounds,
        (teller, told): (usize, &Told),
    ) -> Result<Vec<(Label, usize)>, SearchEnd<S::Error>> {
        let mut said = Vec::new();
        for (successor, place) in told.successors.iter().zip(0..) {
            let state = self.shard.read(successor).ok_or_else(|| senseless(peers, teller))?;
            let hash = self.shard.hash(&state);
            if peers.owner(hash) == peers.index()
                && let Some((label, _)) = self.known(&state)
            {
                let Label { value, distance } = label;
                let numbers = [place, u64::from(value), u64::from(distance)];
                numbers.into_iter().for_each(|number| push_varint(number, &mut said));
            }
        }
        let (all, _) = rounds.agree::<S, _>(peers, &said, None, |mut said| {
            let mut labels = Vec::new();
            while !said.is_empty() {
                let place = usize::try_from(take_varint(&mut said)?).ok()?;
                labels.push((place, Label::read(&mut said)?));
            }
            Some(labels)
        })?;
        let mut labels = vec![None; told.successors.len()];
        for (worker, all) in all.into_iter().enumerate() {
            for (place, label) in all {
                let known = labels.get_mut(place).ok_or_else(|| senseless(peers, worker))?;
                *known = Some((label, worker));
            }
        }
        let all: Option<Vec<_>> = labels.into_iter().collect();
        Ok(all.ok_or_else(|| senseless(peers, teller))?)
    }
}

impl Label {
    fn read(said: &mut &[u8]) -> Option<Label> {
        let mut next = || u32::try_from(take_varint(said)?).ok();
        Some(Label { value: next()?, distance: next()? })
    }
}

/// What the owner of a position says of it.
struct Told {
    label: Label,
    /// What its moves lead to, in move order.
    successors: Vec<Vec<u8>>,
}

impl Told {
    fn read(mut said: &[u8]) -> Option<Told> {
        let label = Label::read(&mut said)?;
        Some(Told { label, successors: take_all(said)? })
    }

    /// Whether a move is as good as any: where something can be won or lost, it has to keep to the distance.
    fn is_best(&self, to: Label, nothing: u32) -> bool {
        let own = self.label;
        let keeps = own.value == nothing || to.distance == own.distance.wrapping_sub(1);
        to.value == own.value && keeps
    }
}
