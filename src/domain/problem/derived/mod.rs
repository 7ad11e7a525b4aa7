//! A heuristic derived from the rules themselves: at once where it is asked for by name, else once a search
//! has gone on for so long that it pays.

mod found;
mod kept;
mod relaxed;
mod words;

pub(crate) use found::Derived;
use found::values;
pub(crate) use words::in_words;

use super::whole::processors;
use super::{PuzzleCore, RuleProblem};
use crate::Packed;
use crate::bases::{concerns_heuristics, kept_heuristic};
use crate::contract::Heuristic;
use crate::contract::indicator::RULE;
use crate::error::{RuleError, Violation};
use std::sync::Arc;
use std::time::Instant;
use zug_code::Specialise;
use zug_derived::{Budget, Cursor, Operators, RelaxedKind, Value};
use zug_random::Random;
use zug_search::{StateId, StateStore, Successors};
use zug_state::{Number, PackedState, RuleCost};

/// Steps of making the code that operators are read from, where a heuristic is asked for by name.
pub(super) const STEPS: u64 = 1_500_000;
/// States and moves of coarser puzzles looked at then, before the first estimate: a fraction of a second.
const AT_ONCE: u64 = 1 << 22;
/// The most that is ever looked at.
const MOST: u64 = 1 << 32;
/// Of the memory for states so many bytes, one for each of these, are for tables beside a search that keeps states.
const BESIDE_STATES: u64 = 8;
/// As many where a search keeps none.
const ALONE: u64 = 2;
/// Nanoseconds that looking at one may take.
const NANOSECONDS: u128 = 150;
/// Work of a search before anything is derived that was not asked for.
pub(super) const FIRST: u64 = 1 << 18;
/// Work of an expansion by code; an inference of the machine counts for one.
const EXPANSION: u64 = 4;
/// One state or move of a coarser puzzle for so much work of the search.
const SHARE: u64 = 2;
/// A step of making code for so much work.
pub(super) const STEP: u64 = 16;
/// States or moves of a coarser puzzle for an expansion of a search that keeps no states, where a heuristic was asked
/// for: they take about as long.
const ASKED_FOR: u64 = 2;
/// As many for an expansion of a search that keeps states.
const ASKED_FOR_STORED: u64 = 8;
/// How often estimates are derived for states of other spaces.
const ANEW: u32 = 8;
/// States that a heuristic is judged by.
const SAMPLES: usize = 100;
/// States that show what leaves may be.
pub(super) const MET: usize = 2000;
/// Moves of a walk at random to each of them, at most.
const WALK: u64 = 40;
/// Estimates pay if they save so many of the cheapest moves, or if one state in so many is hopeless.
const WORTH: u64 = 2;
/// See [`WORTH`].
const HOPELESS: usize = 20;

/// States at the ends of walks at random, and all along them.
pub(super) type Walks = (Vec<Packed>, Vec<Packed>);

/// Whether estimates are derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Deriving {
    #[default]
    Never,
    /// They were asked for.
    AtOnce,
    /// They were not asked for, but are of use from the first one on, if anything can be derived.
    IfPossible,
    /// When they pay.
    InTime,
    /// They are computed by the delete relaxation.
    Relaxed(RelaxedKind),
}

impl Deriving {
    pub(super) fn of(heuristic: Option<Heuristic>, mode: Specialise) -> Deriving {
        match heuristic {
            Some(heuristic) if heuristic.derives_at_once() => Deriving::AtOnce,
            Some(Heuristic::Relaxed(kind)) => Deriving::Relaxed(kind),
            // Where no code is wanted none is made for this either.
            Some(Heuristic::DerivedInTime) if mode != Specialise::Off => Deriving::InTime,
            _ => Deriving::Never,
        }
    }
}

impl PuzzleCore<'_> {
    /// Has estimates be of use to searches from several starts. Those that were to be derived in time are
    /// derived when they are of use first; they are 0 if nothing can be derived.
    pub(crate) fn derive_for_any_start(&mut self) {
        if self.deriving == Deriving::InTime {
            self.deriving = Deriving::IfPossible;
        }
        self.derive_anew();
    }

    /// Derives estimates again for states that are unreachable from the state they were derived for.
    fn derive_anew(&mut self) {
        self.kit.derived.anew.get_or_insert(ANEW);
        self.kit.derived.several_starts = true;
    }

    /// The state to derive estimates for: the start, or its [sorted](super::core::Kit::sorted) form, from which other
    /// states may be reachable.
    fn sorted_start(&mut self, start: &[u8]) -> Packed {
        let sorted = self.kit.sorted(start);
        if sorted.is_some() {
            self.derive_anew();
        }
        sorted.unwrap_or_else(|| Packed::new(start))
    }

    /// Has derived estimates be asked of states that may be reached from other starts.
    pub(super) fn expect_several_starts(&mut self) {
        self.kit.derived.several_starts = true;
    }

    /// Whether estimates are derived before anything is searched.
    pub(super) fn derives_at_once(&self) -> bool {
        self.deriving == Deriving::AtOnce
    }

    /// Whether there are derived estimates.
    pub(crate) fn has_derived(&self) -> bool {
        self.kit.derived.found.is_some() || self.relaxation().is_some()
    }

    /// The heuristic of the delete relaxation that states are estimated by, if it is one.
    pub(crate) fn relaxation(&self) -> Option<RelaxedKind> {
        match self.deriving {
            Deriving::Relaxed(kind) => Some(kind),
            _ => None,
        }
    }

    /// The work of a search so far.
    pub(super) fn work(&mut self, expanded: u64) -> u64 {
        let begun = *self.kit.derived.begun.get_or_insert_with(|| self.machine.inferences());
        let inferences = self.machine.inferences() - begun;
        expanded.saturating_mul(EXPANSION).saturating_add(inferences)
    }

    /// The budget for better estimates, after this number of expansions of a search that keeps states or not: steps of
    /// making code, and states and moves; `None` if it does not pay.
    fn budget_in_time(
        &mut self,
        expanded: u64,
        start: &[u8],
        keeps_states: bool,
    ) -> Option<(u64, Budget)> {
        if let Deriving::Relaxed(_) = self.deriving {
            return None;
        }
        let work = self.work(expanded);
        self.kit.derived.expanded = expanded;
        // What is derived on request is of use to searches to come, as it was to those before.
        let all = expanded.saturating_add(self.kit.derived.before);
        let (budget, steps) = match self.deriving {
            Deriving::AtOnce => {
                let each = if keeps_states { ASKED_FOR_STORED } else { ASKED_FOR };
                (all.saturating_mul(each), STEPS)
            }
            _ => (work / SHARE, work / STEP),
        };
        let budget = Budget {
            states: budget.min(MOST),
            bytes: self.machine.memory_limit as u64
                / if keeps_states { BESIDE_STATES } else { ALONE },
            threads: processors(),
        };
        self.kit.derived.begin(&self.kit.codec, start);
        let may = self.deriving != Deriving::Never
            && work >= FIRST
            && self
                .kit
                .derived
                .work_for_more(budget)
                .is_some_and(|states| !self.is_too_late(states));
        may.then_some((steps, budget))
    }

    /// Derives estimates again; whether they say more of samples.
    fn derive_more(
        &mut self,
        start: &Packed,
        (samples, met): (&[Packed], &[Packed]),
        (steps, budget): (u64, Budget),
    ) -> bool {
        let (old, old_hopeless) = self.said(samples);
        let before = self.kit.derived.found.take();
        let derived = self.derive(start, (samples, met), (steps, budget));
        if self.kit.derived.operators.is_none() {
            // The steps did not suffice: it is tried again sooner.
            self.kit.derived.budget = budget.states / 2;
        }
        let (new, hopeless) = self.said(samples);
        let move_cost =
            self.kit.derived.operators.as_ref().map_or(1, |operators| cheapest(operators));
        // Where estimates are asked for already, better ones cost no more.
        let worth = if before.is_some() { 0 } else { WORTH * move_cost * samples.len() as u64 };
        let pays =
            new > old + worth || (hopeless > old_hopeless && hopeless * HOPELESS >= samples.len());
        let pays = pays && derived.is_ok();
        if !pays {
            self.kit.derived.found = before;
            self.kit.derived.cursor = Cursor::default();
        }
        pays
    }

    /// Derives the first estimates, for a state where they help.
    ///
    /// # Errors
    /// They were asked for, and nothing can be derived.
    fn derive_first(&mut self, state: &[u8], (samples, met): &Walks) -> Result<(), Box<RuleError>> {
        let most = (STEPS, self.at_once());
        let start = self.sorted_start(state);
        let derived = self.derive(&start, (samples, met), most);
        if let (Err(why), Deriving::AtOnce) = (derived, self.deriving) {
            return Err(self.about(Violation::NotDerived(why), RULE, state));
        }
        Ok(())
    }

    /// What is looked at before the first estimate.
    fn at_once(&self) -> Budget {
        Budget {
            states: AT_ONCE,
            bytes: self.machine.memory_limit as u64 / BESIDE_STATES,
            threads: processors(),
        }
    }

    /// Whether there is no time any more to look at so many states and moves of coarser puzzles: then a search is
    /// about to end.
    fn is_too_late(&self, budget: u64) -> bool {
        self.machine.deadline.is_some_and(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now()).as_nanos();
            u128::from(budget) * NANOSECONDS > left
        })
    }

    /// What estimates come to together, and how many states are hopeless.
    fn said(&mut self, samples: &[Packed]) -> (u64, usize) {
        let (mut sum, mut hopeless) = (0, 0);
        for sample in samples {
            match self.kit.derived.estimate(&self.kit.codec, sample.bytes()) {
                Some(estimate) => sum += u64::from(estimate),
                None => hopeless += 1,
            }
        }
        (sum, hopeless)
    }

    /// Derives a heuristic for what can be reached from a state, which is to say much of samples, with no more steps
    /// of making code, and states and moves looked at, than that. Leaves are mostly what they are in states that
    /// were met; where moves may lead beyond, so that nothing can be said, they may be all that is expected of them.
    /// An error says why there is none.
    fn derive(
        &mut self,
        start: &Packed,
        (samples, met): (&[Packed], &[Packed]),
        most: (u64, Budget),
    ) -> Result<(), String> {
        let close = self.derive_by(start, (samples, met), most);
        let is_open =
            self.kit.derived.operators.as_ref().is_some_and(|operators| operators.has_escapes());
        if close.is_ok() || !is_open || met.is_empty() {
            return close;
        }
        self.kit.derived.operators = None;
        self.derive_by(start, (samples, &[]), most)
    }

    /// The same, by operators for the states that were met.
    fn derive_by(
        &mut self,
        start: &Packed,
        (samples, met): (&[Packed], &[Packed]),
        (steps, budget): (u64, Budget),
    ) -> Result<(), String> {
        self.kit.derived.budget = budget.states;
        let shape = start.bytes()[0];
        self.read_operators(start, met, steps)?;
        let Some(operators) = &self.kit.derived.operators else { return Ok(()) };
        let of_shape = [start].into_iter().chain(samples);
        let of_shape = of_shape.filter(|state| state.bytes().first() == Some(&shape));
        let mut all: Vec<Vec<Value>> = Vec::with_capacity(samples.len() + 1);
        for state in of_shape {
            let mut leaves = Vec::new();
            if values(&self.kit.codec, &state.bytes()[1..], operators, &mut leaves) {
                all.push(leaves);
            }
        }
        let all: Vec<&[Value]> = all.iter().map(|leaves| &leaves[..]).collect();
        let Some((first, others)) = all.split_first() else {
            return Err("parts of the state are no values of code".to_owned());
        };
        let key = (self.derives_at_once() && concerns_heuristics(self.world))
            .then(|| zug_derived::Derived::key(operators, first, others, budget));
        self.kit.derived.cursor = Cursor::default();
        if let Some(kept) = key.and_then(|key| kept_heuristic(self.machine, self.world, key)) {
            (self.kit.derived.found, self.kit.derived.is_from_base) = (Some(kept.into()), true);
            return Ok(());
        }
        let found = zug_derived::Derived::of(operators, first, others, budget);
        let nothing = "coarser puzzles say nothing of how far goals are";
        self.kit.derived.found = Some(found.ok_or(nothing)?.into());
        if let Some(key) = key {
            self.note_derived(key);
        }
        Ok(())
    }

    /// The rules as operators over the leaves of states like this one: ground operators, or what code says of states that
    /// were met, with N steps of making it at most. An error says why there are none.
    fn operators(
        &mut self,
        start: &Packed,
        met: &[Packed],
        steps: u64,
    ) -> Result<Arc<Operators>, String> {
        if let Some(grounded) = self.kit.grounded(start.bytes()) {
            return Ok(grounded.operators().clone());
        }
        let goal = self.kit.code.goal.ok_or("there is no goal")?;
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let asked = (self.kit.code.rule, Some(goal));
        let found = self.kit.units.operators(asked, (start, met), asker, steps);
        found.map(Arc::new).map_err(in_words)
    }

    /// Reads the rules as operators, unless that was done, with no more steps of making code than that. An error
    /// says why there are none.
    pub(super) fn read_operators(
        &mut self,
        start: &Packed,
        met: &[Packed],
        steps: u64,
    ) -> Result<(), String> {
        self.kit.derived.begin(&self.kit.codec, start.bytes());
        let shape = start.bytes()[0];
        if self.kit.derived.operators.is_none() || self.kit.derived.shape != shape {
            let operators = self.operators(start, met, steps)?;
            self.kit.derived.has_escapes = operators.has_escapes();
            self.kit.derived.version = self.kit.codec.seen_version(shape);
            (self.kit.derived.operators, self.kit.derived.shape) = (Some(operators), shape);
            self.kit.alike = super::alike::Alike::default();
        }
        Ok(())
    }

    /// The rules as operators, if they were read.
    pub(super) fn derived_operators(&self) -> Option<&Operators> {
        self.kit.derived.operators.as_deref()
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The estimate of a state by what is derived from the rules: derived at the first use, if the
    /// search derives at all.
    ///
    /// # Errors
    /// Nothing can be derived.
    pub(super) fn derived_estimate(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        if let Deriving::Relaxed(kind) = self.core.deriving {
            return self.relaxed_estimate(kind, state);
        }
        self.core.kit.derived.begin(&self.core.kit.codec, state.bytes());
        let at_once = matches!(self.core.deriving, Deriving::AtOnce | Deriving::IfPossible);
        if self.core.kit.derived.budget == 0 && at_once {
            let walks = match self.core.walked.take() {
                Some((start, walks)) if start.bytes() == state.bytes() => walks,
                _ => self.walks(state)?,
            };
            self.core.derive_first(state.bytes(), &walks)?;
        }
        let estimate = self.core.kit.derived.estimate(&self.core.kit.codec, state.bytes());
        if estimate.is_none() && self.core.kit.derived.anew.is_some() {
            return self.estimate_anew(state);
        }
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// The estimate of a state that is called hopeless, which may only be one that can't be reached from where
    /// estimates were derived for: then they are derived for it, unless that was done too often.
    fn estimate_anew(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        if self.core.kit.derived.knows(&self.core.kit.codec, state.bytes()) {
            return Ok(None);
        }
        let Some(left) = self.core.kit.derived.anew.and_then(|left| left.checked_sub(1)) else {
            return Ok(Some(C::ZERO));
        };
        (self.core.kit.derived.found, self.core.kit.derived.budget, self.core.kit.derived.anew) =
            (None, 0, Some(left));
        self.derived_estimate(state)
    }

    /// The estimate of a successor.
    #[inline]
    pub(super) fn derived_estimate_after(
        &mut self,
        before: &S,
        state: &S,
    ) -> Result<Option<C>, Box<RuleError>> {
        if let Deriving::Relaxed(kind) = self.core.deriving {
            return self.relaxed_estimate(kind, state);
        }
        if self.core.kit.derived.found.is_none() {
            return self.derived_estimate(state);
        }
        let estimate = self.core.kit.derived.estimate_after(
            &self.core.kit.codec,
            before.bytes(),
            state.bytes(),
        );
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// Derives estimates after this number of expansions, if that pays; whether they grew.
    pub(super) fn derive_in_time(
        &mut self,
        expanded: u64,
        start: &S,
        store: Option<&S::Store>,
    ) -> Result<bool, Box<RuleError>> {
        let most = self.core.budget_in_time(expanded, start.bytes(), store.is_some());
        let Some((steps, budget)) = most else { return Ok(false) };
        let work = self.core.work(expanded);
        let (samples, met) = match store {
            Some(store) => (newest(store, SAMPLES), newest(store, MET)),
            None => self.walks(start)?,
        };
        let known = (&samples[..], &met[..]);
        let first = self.core.sorted_start(start.bytes());
        let mut pays = self.core.derive_more(&first, known, (steps, budget));
        if self.core.deriving == Deriving::InTime {
            pays |= self.choose_landmark_cuts(&first, &samples);
        }
        if let Some(store) = store {
            self.count_alike_in_time(start, store, work);
        }
        Ok(pays)
    }

    /// States at the ends of walks at random, and all along them.
    pub(super) fn walks(&mut self, start: &S) -> Result<Walks, Box<RuleError>> {
        let (mut random, mut found) = (Random::new(1), Vec::with_capacity(SAMPLES));
        let (mut successors, mut met) = (Successors::default(), Vec::new());
        while found.len() < SAMPLES {
            let mut state = start.clone();
            for _ in 0..=random.below(WALK) {
                successors.clear();
                self.successors(&state, &mut successors)?;
                if successors.is_empty() {
                    break;
                }
                let at = random.below(successors.len() as u64) as usize;
                state = successors.rows.swap_remove(at);
                met.push(Packed::new(state.bytes()));
            }
            found.push(Packed::new(state.bytes()));
        }
        Ok((found, met))
    }
}

/// So many states of a search at most, those that were found last closest together.
pub(super) fn newest(store: &impl StateStore<State: PackedState>, samples: usize) -> Vec<Packed> {
    let count = store.len();
    let samples = samples.min(count);
    let id = |number| (count - 1 - number * (count / 2) / samples) as StateId;
    (0..samples).map(|number| Packed::new(store.state(id(number)).bytes())).collect()
}

/// What the cheapest move costs, of those that cost something.
fn cheapest(operators: &Operators) -> u64 {
    let costs = operators.operators.iter().map(|operator| u64::from(operator.cost));
    costs.filter(|&cost| cost > 0).min().unwrap_or(1)
}
