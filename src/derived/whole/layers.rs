//! Breadth-first search over numbered states, layer by layer, on several threads.
//!
//! A pass goes over the words of the layer: each is taken by one thread, which marks its states as done and
//! those that moves lead to as next. Words of the next layer are listed, as long as they are few; where they
//! are many, the next pass goes over all words. States that keep their distances under a move are marked
//! together, up to 32 at a time.

use super::ranks::Row;
use super::{Configured, IN_WORD, WholeSpace};
use crate::operators::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How many of the deepest states are handed out.
const DEEPEST: usize = 100;
/// Words that a thread takes at a time.
const CHUNK: usize = 1 << 9;
/// The most words of a layer that are listed, by each thread.
const LISTED: usize = 1 << 17;
/// One bit for each state of a word.
const EACH: u64 = 0x5555_5555_5555_5555;
/// What the two bits of a state say where it is done: that it is of an even and of an odd layer.
const DONE: u64 = 3;

/// What a walk may take.
#[derive(Clone, Copy, Debug)]
pub struct WalkLimits {
    /// States that N moves lead to are not expanded.
    pub depth: u32,
    /// Threads, the caller's among them.
    pub threads: usize,
}

/// How far a walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    /// States expanded.
    pub expanded: u64,
    /// Moves of these.
    pub generated: u64,
    /// The depth of the layer that is expanded.
    pub depth: u32,
}

/// Why a traversal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// There are no more states.
    Complete,
    /// By the limit of depth.
    Depth,
    /// Whoever watched it stopped it.
    Stopped,
}

/// What a walk found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// States by the fewest moves that lead to them. The last layer is incomplete if the walk was stopped.
    pub by_depth: Vec<u64>,
    /// Expanded states without a move.
    pub terminal: u64,
    /// What was done.
    pub walked: Walked,
    /// The first hundred of the deepest states by number.
    pub deepest: Vec<Vec<Value>>,
    /// Why it ended.
    pub ended: Ended,
}

impl WholeSpace {
    /// Walks over all states that the start leads to, while `watch`, which is called every few milliseconds,
    /// says so. `None` if there is not enough memory.
    pub fn walk(&self, limits: WalkLimits, watch: &mut dyn FnMut(Walked) -> bool) -> Option<Walk> {
        let words = usize::try_from(self.words * self.configurations.len() as u64).ok()?;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words).ok()?;
        bits.resize_with(words, AtomicU64::default);
        let layers = Layers { space: self, bits, threads: limits.threads.max(1) };
        Some(layers.walk(limits.depth, watch))
    }
}

/// The states of a walk.
struct Layers<'s> {
    space: &'s WholeSpace,
    /// Two bits for each number: 0 is not met, 1 and 2 by turns this layer and the next one, [`DONE`].
    bits: Vec<AtomicU64>,
    threads: usize,
}

/// The words that a pass goes over.
enum Words {
    All,
    Listed(Vec<u32>),
}

impl Words {
    fn count(&self, all: &[AtomicU64]) -> usize {
        match self {
            Words::All => all.len(),
            Words::Listed(listed) => listed.len(),
        }
    }
}

/// What a pass, or a thread's part of it, found.
#[derive(Default)]
struct Found {
    states: u64,
    expanded: u64,
    generated: u64,
    terminal: u64,
    /// Words of new states.
    words: Vec<u32>,
    /// There are more of these than are listed.
    more: bool,
    /// The first states that were expanded.
    sample: Vec<u64>,
}

/// The permutations of the states of a word, which several moves need.
#[derive(Default)]
struct Rows {
    known: u32,
    rows: [Row; IN_WORD as usize],
}

impl Rows {
    /// The permutation at a place of the word.
    #[inline(always)]
    fn row(&mut self, place: u32, of: impl FnOnce() -> Row) -> &Row {
        let row = &mut self.rows[place as usize];
        if self.known >> place & 1 == 0 {
            self.known |= 1 << place;
            *row = of();
        }
        row
    }
}

/// States that moves lead to, as words with a bit for each.
struct LedTo {
    words: [(u32, u64); 64],
    count: usize,
}

impl Default for LedTo {
    fn default() -> LedTo {
        LedTo { words: [(0, 0); 64], count: 0 }
    }
}

impl LedTo {
    #[inline(always)]
    fn push(&mut self, word: u64, states: u64) {
        self.words[self.count] = (word as u32, states);
        self.count += 1;
    }

    /// Whether there is no room for two more.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.count + 2 > self.words.len()
    }
}

/// What the threads of a pass share.
struct Pass<'w> {
    words: &'w Words,
    /// This layer's mark.
    mark: u64,
    taken: AtomicUsize,
    expanded: AtomicU64,
    generated: AtomicU64,
    stop: AtomicBool,
}

impl Layers<'_> {
    fn walk(&self, most_depth: u32, watch: &mut dyn FnMut(Walked) -> bool) -> Walk {
        self.bits[0].store(1, Relaxed);
        let mut walk = Walk {
            by_depth: vec![1],
            terminal: 0,
            walked: Walked::default(),
            deepest: Vec::new(),
            ended: Ended::Complete,
        };
        let (mut words, mut mark) = (Words::Listed(vec![0]), 1);
        let sample = loop {
            if walk.walked.depth >= most_depth {
                walk.ended = Ended::Depth;
                break self.marked(mark);
            }
            let (found, stopped) = self.pass(&words, mark, walk.walked, watch);
            walk.terminal += found.terminal;
            walk.walked.expanded += found.expanded;
            walk.walked.generated += found.generated;
            if found.states > 0 {
                walk.by_depth.push(found.states);
            }
            if stopped {
                walk.ended = Ended::Stopped;
                let sample = [found.sample, self.marked(mark)].concat();
                break if found.states > 0 { self.marked(DONE - mark) } else { sample };
            }
            if found.states == 0 {
                break found.sample;
            }
            walk.walked.depth += 1;
            mark = DONE - mark;
            words = if found.more { Words::All } else { Words::Listed(found.words) };
        };
        walk.deepest = self.first(sample);
        walk
    }

    /// The first states of these numbers.
    fn first(&self, mut sample: Vec<u64>) -> Vec<Vec<Value>> {
        sample.sort_unstable();
        sample.truncate(DEEPEST);
        sample.iter().filter_map(|&number| self.space.state(number)).collect()
    }

    /// The first states with a mark.
    fn marked(&self, mark: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for (word, bits) in self.bits.iter().enumerate() {
            sample(&mut found, word, with_mark(bits.load(Relaxed), mark));
            if found.len() >= DEEPEST {
                break;
            }
        }
        found
    }

    /// Expands a layer; and whether it was stopped.
    fn pass(
        &self,
        words: &Words,
        mark: u64,
        before: Walked,
        watch: &mut dyn FnMut(Walked) -> bool,
    ) -> (Found, bool) {
        let pass = Pass {
            words,
            mark,
            taken: AtomicUsize::new(0),
            expanded: AtomicU64::new(before.expanded),
            generated: AtomicU64::new(before.generated),
            stop: AtomicBool::new(false),
        };
        let threads = self.threads.min(words.count(&self.bits) / CHUNK).max(1);
        let depth = before.depth;
        let mut watched = |pass: &Pass<'_>| {
            let (expanded, generated) = (pass.expanded.load(Relaxed), pass.generated.load(Relaxed));
            watch(Walked { expanded, generated, depth })
        };
        let mut parts = std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..threads).map(|_| scope.spawn(|| self.work(&pass, &mut |_| true))).collect();
            let mut parts = vec![self.work(&pass, &mut watched)];
            let joined = others.into_iter().map(|other| other.join());
            parts.extend(
                joined.map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            );
            parts
        });
        let mut all = parts.pop().unwrap_or_default();
        for part in parts {
            all.states += part.states;
            all.expanded += part.expanded;
            all.generated += part.generated;
            all.terminal += part.terminal;
            all.words.extend(part.words);
            all.more |= part.more;
            all.sample.extend(part.sample);
        }
        all.words.sort_unstable();
        (all, pass.stop.into_inner())
    }

    /// Takes words of a pass until there are none; asks after each part whether to go on.
    fn work(&self, pass: &Pass<'_>, watch: &mut dyn FnMut(&Pass<'_>) -> bool) -> Found {
        let (mut found, mut rows, mut led_to) =
            (Found::default(), Rows::default(), LedTo::default());
        let count = pass.words.count(&self.bits);
        while !pass.stop.load(Relaxed) {
            let from = pass.taken.fetch_add(CHUNK, Relaxed);
            if from >= count {
                break;
            }
            let to = (from + CHUNK).min(count);
            let (expanded, generated) = (found.expanded, found.generated);
            match pass.words {
                Words::All => {
                    (from..to).for_each(|word| {
                        self.expand(word, pass.mark, (&mut rows, &mut led_to), &mut found)
                    });
                }
                Words::Listed(words) => {
                    let part = words[from..to].iter();
                    let mut expand = |&word| {
                        self.expand(word as usize, pass.mark, (&mut rows, &mut led_to), &mut found)
                    };
                    part.for_each(&mut expand);
                }
            }
            pass.expanded.fetch_add(found.expanded - expanded, Relaxed);
            pass.generated.fetch_add(found.generated - generated, Relaxed);
            if !watch(pass) {
                pass.stop.store(true, Relaxed);
            }
        }
        found
    }

    /// Expands the states of a word that are of this layer.
    #[inline]
    fn expand(
        &self,
        word: usize,
        mark: u64,
        (rows, led_to): (&mut Rows, &mut LedTo),
        found: &mut Found,
    ) {
        let layer = with_mark(self.bits[word].load(Relaxed), mark);
        if layer == 0 {
            return;
        }
        self.bits[word].fetch_or(layer * DONE, Relaxed);
        let (of, at) = (word as u64 / self.space.words, word as u64 % self.space.words);
        let Configured { configuration, steps } = &self.space.configurations[of as usize];
        let states = u64::from(layer.count_ones());
        found.expanded += states;
        found.generated += states * u64::from(configuration.moves);
        if configuration.moves == 0 {
            found.terminal += states;
        }
        if found.sample.len() < DEEPEST {
            sample(&mut found.sample, word, layer);
        }
        let next = DONE - mark;
        rows.known = 0;
        for (to, shuffle) in steps {
            let base = to * self.space.words;
            let Some(shuffle) = shuffle else {
                led_to.push(base + at, layer);
                if led_to.is_full() {
                    self.meet(led_to, next, found);
                }
                continue;
            };
            let (first, mut left) = (at * IN_WORD, layer);
            while left != 0 {
                let place = left.trailing_zeros();
                let rank = first + u64::from(place / 2);
                let (image, end) = if shuffle.has_table() {
                    shuffle.image(rank, configuration.is_odd)
                } else {
                    let row =
                        rows.row(place / 2, || self.space.ranks.unrank(rank, configuration.is_odd));
                    shuffle.image_of(rank, row)
                };
                let run = ((end - rank) * 2).min(u64::from(u64::BITS - place)) as u32;
                let states = left >> place & (u64::MAX >> (u64::BITS - run));
                left &= !(states << place);
                let (to, shift) = (base + image / IN_WORD, 2 * (image % IN_WORD) as u32);
                led_to.push(to, states << shift);
                // What is behind the end of the word.
                let behind = states >> 1 >> (u64::BITS - 1 - shift);
                if behind != 0 {
                    led_to.push(to + 1, behind);
                }
                if led_to.is_full() {
                    self.meet(led_to, next, found);
                }
            }
        }
        self.meet(led_to, next, found);
    }

    /// Marks states as those of the next layer, if they were not met.
    ///
    /// PERF: all words are looked at before the first is written to, so that they miss the cache together.
    fn meet(&self, led_to: &mut LedTo, next: u64, found: &mut Found) {
        let mut new = 0;
        for at in 0..led_to.count {
            let (word, states) = led_to.words[at];
            let states = states & unmet(self.bits[word as usize].load(Relaxed));
            led_to.words[new] = (word, states);
            new += usize::from(states != 0);
        }
        led_to.count = 0;
        for &(word, states) in &led_to.words[..new] {
            // Another thread, or another state, may have been first.
            let before = self.bits[word as usize].fetch_or(states * next, Relaxed);
            // What is marked already, has that mark.
            found.states += u64::from((states & unmet(before)).count_ones());
            if with_mark(before, next) == 0 {
                if found.words.len() < LISTED {
                    found.words.push(word);
                } else {
                    found.more = true;
                }
            }
        }
    }
}

/// The states of a word that were not met, one bit for each.
#[inline(always)]
fn unmet(bits: u64) -> u64 {
    !(bits | bits >> 1) & EACH
}

#[inline(always)]
fn with_mark(bits: u64, mark: u64) -> u64 {
    let (even, odd) = (bits & EACH, bits >> 1 & EACH);
    if mark == 1 { even & !odd } else { odd & !even }
}

fn sample(found: &mut Vec<u64>, word: usize, mut states: u64) {
    while states != 0 {
        found.push(word as u64 * IN_WORD + u64::from(states.trailing_zeros() / 2));
        states &= states - 1;
    }
}
