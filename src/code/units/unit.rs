//! Units: the code of a predicate for a shape, and what is known of its use.

use crate::backend::Backend;
use crate::costs::{PACKING, WARM};
use crate::frame::Frame;
use crate::moves::Label;
use crate::picker::Picker;
use crate::program::expected::Integers;
use crate::program::make::Progress;
use crate::reason::Reason;
use crate::tally::Lost;
use zug_state::{Codec, Word};

/// The code for a predicate and a shape.
#[derive(Default)]
pub(crate) enum State {
    #[default]
    Cold,
    Ready(Box<Compiled>),
    /// Code that is slower than the machine until it is compiled, which has not paid yet.
    Waiting(Box<Compiled>),
    Machine(Reason),
}

/// Code with what it takes for granted.
#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) code: Backend,
    pub(crate) reasons: Vec<Reason>,
    /// Leaves that may be unbound.
    pub(crate) unbound: Vec<bool>,
    pub(crate) any_unbound: bool,
    /// By move, what is constant of it.
    pub(crate) labels: Vec<Label>,
    /// The code has not deoptimised so far.
    pub(crate) kept_all: bool,
    /// The version of what leaves may be that it was made for.
    pub(crate) version: u32,
    /// The moves, to be picked from.
    pub(crate) picker: Option<Box<Picker>>,
}

#[derive(Default)]
pub(crate) struct Unit {
    pub(crate) state: State,
    pub(crate) asked: u32,
    pub(crate) runs: u64,
    pub(crate) deopts: u64,
    /// States with a value that was not met before, since code was made.
    pub(crate) news: u32,
    pub(crate) tries: u32,
    /// Steps to be affordable before code is made again.
    pub(crate) needed: u64,
    /// Steps that were taken for a program, however often its making was interrupted.
    pub(crate) taken: u64,
    /// The most steps that were taken for a program so far.
    pub(crate) past: u64,
    pub(crate) progress: Option<Progress>,
    /// What the machine took for questions.
    pub(crate) by_machine: ByMachine,
    /// Why code deoptimised last.
    pub(crate) last_deopt: Option<Reason>,
    /// The leaves of a state that was met.
    pub(crate) sample: Vec<Word>,
    pub(crate) leaves: usize,
    /// What just one leaf was in all states that were met.
    pub(crate) singles: Vec<Word>,
    /// The integers that leaves were seen to be when a program was last worked at.
    pub(crate) integers_before: Option<Integers>,
    /// What is known of code that other threads make.
    pub(crate) known: Known,
}

pub(crate) type At = (usize, u8);

/// Units by target, then by shape.
#[derive(Default)]
pub(crate) struct UnitTable(pub(crate) Vec<Vec<Option<Unit>>>);

impl UnitTable {
    #[inline(always)]
    pub(crate) fn get(&self, at: At) -> Option<&Unit> {
        self.0.get(at.0)?.get(usize::from(at.1))?.as_ref()
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, at: At) -> Option<&mut Unit> {
        self.0.get_mut(at.0)?.get_mut(usize::from(at.1))?.as_mut()
    }

    /// The code that answers, if there is some, and how often it ran.
    #[inline(always)]
    pub(crate) fn ready(&mut self, at: At) -> Option<(&mut Compiled, &mut u64)> {
        match self.get_mut(at)? {
            Unit { state: State::Ready(compiled), runs, .. } => Some((compiled, runs)),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn compiled(&self, at: At) -> Option<&Compiled> {
        match &self.get(at)?.state {
            State::Ready(compiled) => Some(compiled),
            _ => None,
        }
    }

    /// The unit of what was asked about, made if there is none.
    pub(crate) fn entry(&mut self, at: At, codec: &Codec) -> &mut Unit {
        let units = &mut self.0[at.0];
        if units.len() <= usize::from(at.1) {
            units.resize_with(usize::from(at.1) + 1, || None);
        }
        units[usize::from(at.1)].get_or_insert_with(|| Unit::new(codec, at.1))
    }

    pub(crate) fn of(&self, target: usize) -> impl Iterator<Item = &Unit> {
        self.0[target].iter().flatten()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Unit> {
        self.0.iter().flatten().flatten()
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Unit> {
        self.0.iter_mut().flatten().flatten()
    }
}

impl Compiled {
    /// Whether moves are folded: only its picker makes them.
    #[inline(always)]
    pub(crate) fn is_folded(&self) -> bool {
        self.picker.as_ref().is_some_and(|picker| picker.folded.is_some())
    }

    /// Whether only leaves are unbound that may be, of bytes or of words in the frame.
    #[inline]
    pub(crate) fn allows(&self, narrow: Option<&[u8]>, frame: &Frame) -> bool {
        const VAR: u8 = Word::VAR.0 as u8;
        match (narrow, self.any_unbound) {
            (Some(leaves), false) => !has_byte(leaves, VAR),
            (Some(leaves), true) => {
                self.unbound.iter().zip(leaves).all(|(&may, &leaf)| may || leaf != VAR)
            }
            (None, false) => !frame.has_unbound(),
            (None, true) => {
                let mut leaves = self.unbound.iter().zip(&frame.words);
                leaves.all(|(&may, &word)| may || word != Word::VAR.0)
            }
        }
    }
}

#[inline]
fn has_byte(bytes: &[u8], wanted: u8) -> bool {
    // PERF: eight at once; states are short.
    let has = |eight: &[u8; 8]| {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let differ = u64::from_le_bytes(*eight) ^ (LOW * u64::from(wanted));
        differ.wrapping_sub(LOW) & !differ & (LOW << 7) != 0
    };
    match bytes.last_chunk() {
        Some(last) => has(last) || bytes.chunks_exact(8).any(|e| e.try_into().is_ok_and(&has)),
        None => bytes.contains(&wanted),
    }
}

/// What the machine took for questions about states of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByMachine {
    pub(crate) questions: u64,
    pub(crate) work: u64,
}

impl ByMachine {
    /// For one question, on average, if it is known.
    pub(crate) fn each(self) -> Option<u64> {
        Some(PACKING + self.work.checked_div(self.questions)?)
    }
}

/// What a unit knows of its place on the [shelf](crate::shelf).
#[derive(Default)]
pub(crate) struct Known {
    /// The number of what was taken from there, or put there, last.
    pub(crate) number: u32,
    /// When it was looked for something in vain: how much had been put down, and how many numbers the codec had given.
    pub(crate) looked: Option<(u64, usize)>,
    /// How often somebody else was waited for.
    pub(crate) waited: u32,
}

impl Unit {
    pub(crate) fn new(codec: &Codec, shape: u8) -> Unit {
        Unit { leaves: codec.leaves_of(shape), ..Unit::default() }
    }

    pub(crate) fn why(&self) -> Lost<'_> {
        match &self.state {
            State::Machine(reason) => Lost::Reason(reason),
            State::Cold if self.asked >= WARM => Lost::NotBought,
            State::Waiting(_) => Lost::NotBought,
            _ if self.tries > 1 => Lost::News,
            _ => Lost::First,
        }
    }

    #[cold]
    pub(crate) fn see(&mut self, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        if !frame.load(leaves, self.leaves, codec) {
            return;
        }
        let is_first = self.sample.is_empty();
        self.sample = frame.words.iter().map(|&word| Word(word)).collect();
        let is_single =
            |word: &Word| self.sample.iter().filter(|&other| other == word).count() == 1;
        if is_first {
            self.singles = self.sample.iter().copied().filter(|word| is_single(word)).collect();
        } else {
            self.singles.retain(is_single);
        }
    }
}
