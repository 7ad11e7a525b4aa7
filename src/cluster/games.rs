//! Games of two players of whom one wins what the other loses, solved from the ends backwards: [`retrograde`].
//!
//! The positions are laid out breadth-first, and each owner is told who leads to its positions. Then three *waves* go
//! from the ends backwards at once, along these moves: one for each player, over the positions from which that player
//! can force an end worth more than nothing, and one over those from which no play comes back to a position. The waves of
//! a player take what ends are worth one after the other, the most first, and each goes on by one move at a time: so a
//! position is met with the value and the distance that it has (K. Thompson, *Retrograde analysis of certain endgames*,
//! ICCA Journal 9, 1986). What no wave of a player meets is worth nothing. At the end best play is followed, by asking
//! the owners of its positions.

use crate::breadth::{Layers, Trail, lay_out, take_all};
use crate::bytes::{push_bytes, push_varint, take_varint};
use crate::error::SearchEnd;
use crate::kept::Kept;
use crate::limits::{Bounds, Halt, Next, Observer, Progress, ROUND, Stop, Turn};
use crate::peers::Peers;
use crate::positions::{NONE, Position, Positions};
use crate::rounds::{Rounds, senseless, sum};
use crate::shard::{Shard, write_sized, written};
use std::collections::HashSet;

/// Positions of a game of two players, 0 and 1; successors of a position are what its moves lead to, in move order, and
/// one without any is an end.
pub trait GameShard: Shard {
    /// What an end is worth.
    type Value: Clone + Ord;

    /// What is worth nothing to either player.
    fn nothing() -> Self::Value;

    /// Who is to move, 0 or 1.
    fn mover(&self, state: &Self::State) -> u8;

    /// What an end is worth to player 0; the other one loses it.
    ///
    /// # Errors
    /// It can't be told.
    fn worth(&mut self, end: &Self::State) -> Result<Self::Value, Self::Error>;

    /// Appends the bytes of a value.
    fn write_value(value: &Self::Value, out: &mut Vec<u8>);

    /// The value of these bytes; `None` if they make no sense.
    fn read_value(bytes: &[u8]) -> Option<Self::Value>;
}

/// What all workers have found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedGame<V> {
    /// What the start is worth to player 0; nothing if the search stopped.
    pub value: Option<V>,
    /// Moves to the end, if a player can force one that is worth something: soonest for who wins, latest for who loses.
    pub distance: Option<u32>,
    /// Bytes of the positions of best play: the start, and what the first best move leads to, and so on, until the end
    /// or until one is there twice.
    pub line: Vec<Vec<u8>>,
    /// What ends are worth to player 0, as they say it: of what is equal, and written in another way, each.
    pub ends: Vec<V>,
    /// The positions by depth, with the counts.
    pub layers: Layers,
}

/// The waves that go on until nothing more can be won; of those of players the number is the player.
const WAVES: usize = 3;
/// The wave over positions from which no play comes back.
const ENDING: usize = 2;

/// A wave, as far as it is: the same in all workers but for the positions.
#[derive(Default)]
struct Wave {
    /// Positions to go back from, those before `at` done.
    here: Vec<u32>,
    at: usize,
    /// How many there were when this move began.
    size: usize,
    /// Positions that are met by the next move.
    next: Vec<u32>,
    distance: u32,
    /// Values of ends that are to come, the next one last.
    values: Vec<u32>,
    /// The value of this one.
    value: u32,
    is_over: bool,
}

impl Wave {
    fn begin(&mut self, here: Vec<u32>) {
        (self.size, self.here, self.at) = (here.len(), here, 0);
    }

    fn bytes(&self) -> usize {
        (self.here.capacity() + self.next.capacity()) * 4
    }
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Label {
    /// The place of its value among all.
    value: u32,
    distance: u32,
}

struct Analysis<'s, S: GameShard> {
    shard: &'s mut S,
    positions: Positions,
    /// What ends are worth to player 0, from the least on, and nothing among it.
    values: Vec<S::Value>,
    /// Where nothing is among the values.
    nothing: u32,
    waves: [Wave; WAVES],
    /// Ends of this worker by value.
    ends: Vec<(u32, u32)>,
}

/// Finds what a position is worth, and best play from it, for as many moves as `longest` says; all workers are told
/// the same. `kept` has the complete layers of this worker with the moves between them, and what all workers have is not
/// asked again. `observe` is told how far it is.
///
/// # Errors
/// A question about a position fails, here or elsewhere; a process is lost; a file can't be read or written.
pub fn retrograde<S: GameShard>(
    mut peers: Peers<'_>,
    shard: &mut S,
    start: &S::State,
    bounds: &Bounds,
    kept: Option<&mut Kept>,
    longest: usize,
    mut observe: Option<Observer<'_>>,
) -> Result<SolvedGame<S::Value>, SearchEnd<S::Error>> {
    let (peers, mut rounds) = (&mut peers, Rounds::default());
    let mut positions = Positions::new(peers.count(), kept.is_some());
    let search = (&mut *peers, &mut rounds, &mut *shard);
    let observed = observe.as_mut().map(|observe| &mut **observe as Observer<'_>);
    let (layers, _) = lay_out(search, &mut positions, start, bounds, kept, observed)?;
    let (line, ends) = (Vec::new(), Vec::new());
    let mut found = SolvedGame { value: None, distance: None, line, ends, layers };
    if found.layers.stopped.is_none() {
        let mut analysis = Analysis {
            shard,
            positions,
            values: Vec::new(),
            nothing: 0,
            waves: Default::default(),
            ends: Vec::new(),
        };
        found.ends = analysis.settle_values(peers, &mut rounds)?;
        let stop = analysis.spread(peers, &mut rounds, bounds, (&found.layers, observe))?;
        found.layers.stopped = stop;
        if stop.is_none() {
            analysis.follow(peers, &mut rounds, start, (longest, &mut found))?;
        }
    }
    found.layers.peak_bytes = rounds.peak_bytes;
    Ok(found)
}

impl<S: GameShard> Analysis<'_, S> {
    fn bytes(&self) -> usize {
        let waves: usize = self.waves.iter().map(Wave::bytes).sum();
        self.shard.bytes() + Trail::<S>::bytes(&self.positions) + waves + self.ends.capacity() * 8
    }

    /// Numbers what ends are worth in the same way everywhere, from the least on.
    fn settle_values(
        &mut self,
        peers: &mut Peers<'_>,
        rounds: &mut Rounds,
    ) -> Result<Vec<S::Value>, SearchEnd<S::Error>> {
        let mut said = Vec::new();
        self.positions.values().iter().for_each(|value| push_bytes(value, &mut said));
        let (all, _) = rounds.agree::<S, _>(peers, &said, None, |said| {
            take_all(said)?.iter().map(|bytes| S::read_value(bytes)).collect::<Option<Vec<_>>>()
        })?;
        let own = all[peers.index()].clone();
        let all: Vec<S::Value> = all.into_iter().flatten().collect();
        let mut values = vec![S::nothing()];
        values.extend(all.iter().cloned());
        // Of equals the same one is taken everywhere, since they come in the order of the workers.
        values.sort();
        values.dedup();
        let place = |value: &S::Value| values.binary_search(value).unwrap_or(0) as u32;
        self.nothing = place(&S::nothing());
        let places: Vec<u32> = own.iter().map(place).collect();
        for (position, number) in self.positions.all.iter_mut().zip(0..) {
            if position.value != NONE {
                position.value = places[position.value as usize];
                self.ends.push((position.value, number));
            }
        }
        self.ends.sort_unstable();
        let count = values.len() as u32;
        self.values = values;
        // The last one is the first to be taken.
        self.waves[0].values = (self.nothing + 1..count).collect();
        self.waves[1].values = (0..self.nothing).rev().collect();
        for player in 0..ENDING {
            self.next_value(player);
        }
        let ends = self.ends.iter().map(|&(_, end)| end).collect();
        self.waves[ENDING].begin(ends);
        Ok(all)
    }

    /// A wave begins with the ends that are worth the next value.
    fn next_value(&mut self, player: usize) {
        let wave = &mut self.waves[player];
        let Some(value) = wave.values.pop() else {
            wave.is_over = true;
            wave.begin(Vec::new());
            return;
        };
        (wave.value, wave.distance) = (value, 0);
        let first = self.ends.partition_point(|&(known, _)| known < value);
        let ends = self.ends[first..].iter().take_while(|&&(known, _)| known == value);
        wave.begin(ends.map(|&(_, end)| end).collect());
    }

    /// Notes that a move of a position leads to where a wave is: whether that makes sense.
    fn meet(&mut self, number: u32, wave: usize) -> bool {
        let player = wave;
        let (Some(position), Some(wave)) =
            (self.positions.all.get_mut(number as usize), self.waves.get_mut(wave))
        else {
            return false;
        };
        if player == ENDING {
            let Some(open) = position.open.checked_sub(1) else { return false };
            position.open = open;
            if open == 0 {
                wave.next.push(number);
            }
            return true;
        }
        if position.value != NONE {
            return true;
        }
        if usize::from(position.mover) != player {
            let Some(ways_out) = position.ways_out.checked_sub(1) else { return false };
            position.ways_out = ways_out;
            if ways_out > 0 {
                return true;
            }
        }
        (position.value, position.distance) = (wave.value, wave.distance + 1);
        wave.next.push(number);
        true
    }

    /// Takes what another worker sent: whether it makes sense.
    fn receive(&mut self, mut batch: &[u8]) -> bool {
        while !batch.is_empty() {
            let met = take_varint(&mut batch).and_then(|met| {
                let number = u32::try_from(met >> 2).ok()?;
                self.meet(number, (met & 3) as usize).then_some(())
            });
            if met.is_none() {
                return false;
            }
        }
        true
    }

    /// Has the waves go on until nothing is left.
    fn spread(
        &mut self,
        peers: &mut Peers<'_>,
        rounds: &mut Rounds,
        bounds: &Bounds,
        (layers, mut observe): (&Layers, Option<Observer<'_>>),
    ) -> Result<Option<Stop>, SearchEnd<S::Error>> {
        while self.waves.iter().any(|wave| !wave.is_over) {
            let halted = self.go_back(peers, rounds, bounds).map(Halt::Stop);
            let left = |wave: &Wave| (wave.here.len() - wave.at) as u64;
            let [a, b, c] = [0, 1, 2].map(|at| &self.waves[at]);
            let said = [left(a), left(b), left(c), a.size as u64, b.size as u64, c.size as u64];
            let said = (said, self.bytes());
            let (all, stop) =
                rounds.end::<S, 6>(peers, said, halted, &mut |_, batch| self.receive(batch))?;
            if let Some(observe) = &mut observe {
                let &Layers { expanded, generated, terminal, .. } = layers;
                let (depth, bytes) = (layers.by_depth.len() as u32, rounds.bytes);
                observe(&Progress { expanded, generated, terminal, depth, bytes });
            }
            if stop.is_some() {
                return Ok(stop);
            }
            let all = sum(&all);
            for at in 0..WAVES {
                let (is_done, was_empty) = (all[at] == 0, all[WAVES + at] == 0);
                let wave = &mut self.waves[at];
                if wave.is_over || !is_done {
                    continue;
                }
                if !was_empty {
                    wave.distance += 1;
                    let next = std::mem::take(&mut wave.next);
                    wave.begin(next);
                } else if at == ENDING {
                    wave.is_over = true;
                } else {
                    self.next_value(at);
                }
            }
        }
        Ok(None)
    }

    /// Goes back from so many positions as a round has.
    fn go_back(
        &mut self,
        peers: &mut Peers<'_>,
        rounds: &mut Rounds,
        bounds: &Bounds,
    ) -> Option<Stop> {
        let mut turn = Turn::new(bounds, rounds.room(bounds));
        let (own, mut left, mut before) = (peers.index() as u32, ROUND, Vec::new());
        for at in 0..WAVES {
            while left > 0 && self.waves[at].at < self.waves[at].here.len() {
                match turn.next(peers, || self.bytes()) {
                    Next::GoOn => {}
                    Next::Take => rounds.take(peers, &mut |_, batch| self.receive(batch)),
                    Next::End => return None,
                    Next::Stop(stop) => return Some(stop),
                }
                let wave = &mut self.waves[at];
                let number = wave.here[wave.at];
                wave.at += 1;
                left -= 1;
                before.clear();
                before.extend(self.positions.before(number));
                for &(worker, number) in &before {
                    if worker == own {
                        let is_known = self.meet(number, at);
                        debug_assert!(is_known, "it was noted when it was expanded");
                    } else {
                        let met = u64::from(number) << 2 | at as u64;
                        peers.send(worker as usize, |bytes| push_varint(met, bytes));
                    }
                }
            }
        }
        None
    }

    /// What is known of a position of this worker, with its place; `None` if it is none.
    fn known(&mut self, state: &S::State) -> Option<(Label, &Position)> {
        let number = self.shard.number(state);
        let position = self.positions.all.get(number)?;
        let value = if position.value == NONE { self.nothing } else { position.value };
        Some((Label { value, distance: position.distance }, position))
    }

    /// Follows best play from the start.
    fn follow(
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
        let Some((label, position)) = self.known(&state) else { return Ok(said) };
        let is_ending = u64::from(position.open == 0);
        let head = [u64::from(label.value), u64::from(label.distance), is_ending];
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
    /// No play from it comes back to a position.
    is_ending: bool,
    /// What its moves lead to, in move order.
    successors: Vec<Vec<u8>>,
}

impl Told {
    fn read(mut said: &[u8]) -> Option<Told> {
        let label = Label::read(&mut said)?;
        let is_ending = take_varint(&mut said)? != 0;
        Some(Told { label, is_ending, successors: take_all(said)? })
    }

    /// Whether a move is as good as any: where play can come back to a position, and something can be won or lost, it
    /// has to keep to the distance.
    fn is_best(&self, to: Label, nothing: u32) -> bool {
        let own = self.label;
        let keeps =
            self.is_ending || own.value == nothing || to.distance == own.distance.wrapping_sub(1);
        to.value == own.value && keeps
    }
}
