//! What the states of rules are made of, and which moves there are, by looking at them.
//!
//! States are enumerated breadth first; where that has an end within the limits, nothing is left
//! unseen. Beyond, plays at random go on from the start, so that states far from it are seen too, until
//! they have met nothing new for long.

use crate::actions::Key;
use crate::error::{Answered, EnvironmentError};
use crate::rules::Rules;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use zug_domain::Packed;
use zug_domain::game::{Outlook, Successors};
use zug_random::Random;
use zug_search::game::CHANCE;
use zug_state::{Codec, Word};

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyLimits {
    /// States that are enumerated.
    pub states: usize,
    /// Moves of plays at random in which nothing new is met, where these were not all.
    pub moves: usize,
}

impl Default for SurveyLimits {
    fn default() -> Self {
        SurveyLimits { states: 10_000, moves: 30_000 }
    }
}

/// The longest play at random.
const LONGEST: usize = 1_000;
/// How many times more moves there are at most, where something new is met again and again.
const MOST_TIMES: usize = 5;

/// The most integers of which each has a plane: those of puzzles with 25 tiles have, counters have not.
pub(crate) const MOST_INTEGERS: usize = 32;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// All states were seen.
    pub is_complete: bool,
    /// States that were looked at.
    pub states: usize,
    pub(crate) moves: Vec<Key>,
    pub(crate) outcomes: Vec<Key>,
    pub(crate) leaves: Leaves,
    pub(crate) known: [FxHashSet<Key>; 2],
    /// Moves have their numbers by the rules: others that are met are nothing new.
    pub(crate) is_declared: bool,
}

/// What leaves of states were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    /// By shape: how many leaves there are.
    pub(crate) shapes: BTreeMap<u8, usize>,
    /// The constants, and the word of what is unbound, in the order of their numbers.
    pub(crate) words: BTreeSet<i64>,
    /// The integers, until there are more than [`MOST_INTEGERS`] different ones.
    pub(crate) integers: BTreeSet<i64>,
    /// There are more.
    pub(crate) has_many_integers: bool,
    /// Why states can't be written by their leaves.
    pub(crate) trouble: Option<&'static str>,
    scratch: Vec<i64>,
}

impl Leaves {
    /// Sees the leaves of a packed state.
    pub(crate) fn see(&mut self, codec: &Codec, packed: &[u8]) {
        let Some(shape) = Codec::shape_of(packed) else {
            self.trouble = Some("states are of more than 240 different forms");
            return;
        };
        self.scratch.clear();
        if let Err(trouble) = codec.words(&packed[1..], &mut self.scratch) {
            self.trouble = Some(trouble);
            return;
        }
        self.shapes.insert(shape, self.scratch.len());
        for &word in &self.scratch {
            if Word(word).is_int() {
                if !self.has_many_integers && self.integers.insert(Word(word).int_value()) {
                    self.has_many_integers = self.integers.len() > MOST_INTEGERS;
                }
            } else if !self.words.contains(&word) {
                self.words.insert(word);
            }
        }
    }
}

impl Survey {
    /// Looks at the states that can be reached from some.
    pub(crate) fn of(
        rules: &mut dyn Rules<Packed>,
        starts: &[Packed],
        limits: SurveyLimits,
        is_declared: bool,
    ) -> Answered<Survey> {
        let mut survey = Survey { is_declared, ..Survey::default() };
        survey.is_complete = survey.enumerate(rules, starts, limits.states)?;
        if !survey.is_complete {
            survey.play(rules, starts, limits.moves)?;
        }
        Ok(survey)
    }

    /// Whether all states were seen.
    fn enumerate(
        &mut self,
        rules: &mut dyn Rules<Packed>,
        starts: &[Packed],
        most: usize,
    ) -> Answered<bool> {
        let mut met: FxHashSet<Packed> = starts.iter().cloned().collect();
        let mut queue: VecDeque<Packed> = starts.to_vec().into();
        let mut look = Outlook::default();
        while let Some(state) = queue.pop_front() {
            if self.states >= most {
                return Ok(false);
            }
            self.look_at(rules, &state, &mut look)?;
            for to in look.to.drain(..) {
                if !met.contains(&to) {
                    met.insert(to.clone());
                    queue.push_back(to);
                }
            }
        }
        Ok(true)
    }

    /// Plays at random.
    fn play(
        &mut self,
        rules: &mut dyn Rules<Packed>,
        starts: &[Packed],
        moves: usize,
    ) -> Answered<()> {
        let mut random = Random::new(0);
        let mut look = Outlook::default();
        let (mut left, mut most) = (moves, moves.saturating_mul(MOST_TIMES));
        while left > 0 && most > 0 {
            let mut state = starts[random.below(starts.len() as u64) as usize].clone();
            for _ in 0..LONGEST.min(left).min(most) {
                let before = self.met();
                self.look_at(rules, &state, &mut look)?;
                most -= 1;
                left = if self.met() > before { moves } else { left.saturating_sub(1) };
                if look.to.is_empty() {
                    break;
                }
                let at = random.below(look.to.len() as u64) as usize;
                state = look.to.swap_remove(at);
            }
        }
        Ok(())
    }

    /// Moves, outcomes, atoms and forms that were met.
    fn met(&self) -> usize {
        let Leaves { shapes, words, integers, .. } = &self.leaves;
        let moves = if self.is_declared { 0 } else { self.moves.len() };
        moves + self.outcomes.len() + shapes.len() + words.len() + integers.len()
    }

    fn look_at(
        &mut self,
        rules: &mut dyn Rules<Packed>,
        state: &Packed,
        look: &mut Outlook<Packed>,
    ) -> Answered<()> {
        self.states += 1;
        rules.outlook(state, Successors::Made, look)?;
        self.leaves.see(rules.codec(), &state.bytes()[rules.before()..]);
        let is_chance = rules.mover(state) == CHANCE;
        let (known, list) = match is_chance {
            false => (&mut self.known[0], &mut self.moves),
            true => (&mut self.known[1], &mut self.outcomes),
        };
        for (at, &mv) in look.names.iter().enumerate() {
            let before = look.names[..at].iter().filter(|&&other| other == mv).count();
            if known.insert((mv, before as u32)) {
                list.push((mv, before as u32));
            }
        }
        if list.len() > crate::actions::MOST {
            return Err(EnvironmentError::Space(format!(
                "after {} states there are more than {} different moves: they can't be numbered; \
                 name moves by what they do, not by the state they lead to",
                self.states,
                crate::actions::MOST
            )));
        }
        Ok(())
    }
}
