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
use crate::positions::{NONE, Positions};
use crate::rounds::{Rounds, sum};
use crate::shard::GameShard;

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

/// A game that is laid out.
pub(crate) struct Analysis<'s, S: GameShard> {
    pub shard: &'s mut S,
    pub positions: Positions,
    /// What ends are worth to player 0, from the least on, and nothing among it.
    pub values: Vec<S::Value>,
    /// Where nothing is among the values.
    pub nothing: u32,
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
        let place = |value: &S::Value| values.partition_point(|known| known < value) as u32;
        let places: Vec<u32> = own.iter().map(place).collect();
        let nothing = place(&S::nothing());
        for (position, number) in self.positions.all.iter_mut().zip(0..) {
            if position.value != NONE {
                position.value = places[position.value as usize];
                self.ends.push((position.value, number));
            }
        }
        self.ends.sort_unstable();
        let count = values.len() as u32;
        (self.values, self.nothing) = (values, nothing);
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
        let mut turn = match Turn::begin(bounds, rounds.room(bounds), peers) {
            Ok(turn) => turn,
            Err(stop) => return Some(stop),
        };
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
}
