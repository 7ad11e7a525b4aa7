//! Starts of which the rules show that there is no plan: at once where a heuristic derived from the rules was
//! asked for, else once a search has gone on for so long that it pays to look.

use super::derived::{Deriving, FIRST, MET, STEP, STEPS, newest};
use super::{PuzzleCore, RuleProblem};
use crate::Packed;
use crate::error::RuleError;
use zug_code::Specialise;
use zug_derived::{Abstraction, NoPlan, Operators, Unseen, Value};
use zug_state::{PackedState, RuleCost, Word};

/// States and moves of coarser puzzles that are looked at.
const COARSER: usize = 1 << 16;

/// States and moves of parts of a puzzle that are looked at to see which of them has no plan.
const PARTS: usize = 1 << 20;

/// Whether it is looked for a proof that there is no plan.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Proof {
    /// Nobody wants one, or there is none.
    #[default]
    None,
    /// When it pays.
    InTime,
    /// There is no plan from the start, for this reason.
    Found(String),
}

/// What shows that there is no plan from a start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// This does.
    Shown(String),
    /// Whether something does is not known, for this reason.
    Unseen(String),
    /// Nothing smaller than all that can be reached.
    Nothing,
}

/// Why it is not known whether a part of the states shows that there is no plan.
fn unseen_in_words(why: Unseen) -> String {
    let numbers = format!("whole numbers from {} to {}", Word::FIRST_INT, Word::LAST_INT);
    match why {
        Unseen::Values => format!(
            "parts of states are looked at by themselves where they are atoms or {numbers}, and not too many"
        ),
        Unseen::Escapes => format!("some states could not be looked into: only {numbers} can"),
        Unseen::Room => format!("parts have more than {PARTS} states and moves"),
    }
}

impl PuzzleCore<'_> {
    /// Has a search that goes on for long look for a proof that there is no plan.
    pub(crate) fn look_for_proof(&mut self) {
        // Where no code is wanted none is made for this either.
        let may = self.engine_code() != Specialise::Off && self.watching.is_none();
        if may && !self.derives_at_once() {
            self.proof = Proof::InTime;
        }
    }

    /// Why there is no plan from the start, if that was found out.
    pub(crate) fn why_no_plan(&mut self) -> Option<String> {
        match std::mem::take(&mut self.proof) {
            Proof::Found(why) => Some(why),
            Proof::None | Proof::InTime => None,
        }
    }

    /// Looks for the proof with the rules as operators.
    fn prove(&mut self, start: &[u8]) {
        self.proof = Proof::None;
        let Some((operators, leaves)) = self.read_as_operators(start) else { return };
        if let Some(why) = NoPlan::of(operators, &leaves, COARSER) {
            self.proof = Proof::Found(self.no_plan_in_words(&why));
        }
    }

    /// The rules as operators, if they were read, and the leaves of a state.
    fn read_as_operators(&self, start: &[u8]) -> Option<(&Operators, Vec<Value>)> {
        let operators = self.derived_operators()?;
        if start.first() != Some(&self.kit.derived.shape) {
            return None;
        }
        let mut words = Vec::new();
        self.kit.codec.words(&start[1..], &mut words).ok()?;
        let leaves: Option<Vec<Value>> = words.into_iter().map(|word| Word(word).byte()).collect();
        Some((operators, leaves?))
    }

    /// What shows that there is no plan from a start, in words, without a search: the smallest part of the states in which
    /// there is none either, if it is smaller than the whole, else an invariant of the moves.
    fn obstacle_by(&mut self, start: &Packed, met: &[Packed]) -> Obstacle {
        if let Err(why) = self.read_operators(start, met, STEPS) {
            return Obstacle::Unseen(why);
        }
        self.prove(start.bytes());
        let invariant = self.why_no_plan();
        let part = match self.read_as_operators(start.bytes()) {
            Some((operators, leaves)) => Abstraction::of(operators, &leaves, PARTS),
            None => Err(Unseen::Values),
        };
        match (part, invariant) {
            (Ok(Some(part)), _) if part.coarser => {
                Obstacle::Shown(self.abstraction_in_words(&part))
            }
            (_, Some(invariant)) => Obstacle::Shown(invariant),
            (Err(why), None) => Obstacle::Unseen(unseen_in_words(why)),
            (Ok(_), None) => Obstacle::Nothing,
        }
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The same for a start from which nothing was searched yet, where estimates were asked for that are
    /// derived from the rules.
    pub(crate) fn no_plan_at_once(&mut self, start: &S) -> Option<String> {
        if !self.derives_at_once() || self.core.watching.is_some() {
            return None;
        }
        // What is wrong with the rules is told when estimates are derived.
        let Ok(walks) = self.walks(start) else { return None };
        let start = Packed::new(start.bytes());
        if self.core.read_operators(&start, &walks.1, STEPS).is_ok() {
            self.core.prove(start.bytes());
        }
        self.core.walked = Some((start, walks));
        self.why_no_plan()
    }

    /// Whether it is known by now that there is no plan from the start, after so many expansions. Where estimates are
    /// derived too it is looked for when the rules were read for these.
    pub(super) fn has_no_plan(
        &mut self,
        expanded: u64,
        start: &S,
        store: Option<&S::Store>,
    ) -> Result<bool, Box<RuleError>> {
        if self.core.proof != Proof::InTime {
            return Ok(matches!(self.core.proof, Proof::Found(_)));
        }
        let work = self.work(expanded);
        if work < FIRST {
            return Ok(false);
        }
        self.core.kit.derived.begin(&self.core.kit.codec, start.bytes());
        if self.core.deriving == Deriving::Never {
            let met = match store {
                Some(store) => newest(store, MET),
                None => self.walks(start)?.1,
            };
            let steps = work / STEP;
            // With more steps there may be code.
            if self.core.read_operators(&Packed::new(start.bytes()), &met, steps).is_err()
                && steps > STEPS
            {
                self.core.proof = Proof::None;
            }
        }
        if self.derived_operators().is_some() {
            self.core.prove(start.bytes());
        }
        Ok(matches!(self.core.proof, Proof::Found(_)))
    }

    /// What shows that there is no plan from a start, without a search; see [`PuzzleCore::obstacle_by`].
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn obstacle(&mut self, start: &S) -> Result<Obstacle, Box<RuleError>> {
        let (_, met) = self.walks(start)?;
        Ok(self.core.obstacle_by(&Packed::new(start.bytes()), &met))
    }
}
