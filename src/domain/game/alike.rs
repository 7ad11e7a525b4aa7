//! States of a game that are alike by symmetries of its rules, where no `symmetry/2` says so.
//!
//! Moves of all players, ends, utilities, estimates and turns are read as operators over the parts of a state;
//! a renaming that keeps all of them leads from a state to one that is worth the same to the same players.

use super::code::Question;
use super::roles::Role;
use super::rules::{Answered, RuleGame};
use super::value::RuleValue;
use crate::error::{RuleError, Violation};
use crate::problem::in_words;
use std::collections::BTreeMap;
use zug_code::operators::{Label, NoOperators, Question as Asked};
use zug_derived::{Part, Symmetries, Values};
use zug_random::Random;
use zug_search::game::{CHANCE, Game, Player};
use zug_state::PackedState;

/// Steps of making code that rules are read with.
const STEPS: u64 = 3_000_000;
/// Steps of looking for symmetries: some tenths of a second.
const LOOKED: u64 = 100_000_000;
/// Plays at random to states that tell symmetries apart, and moves of each.
const PLAYS: (usize, u64) = (60, 30);

/// Symmetries of a game, for states of one shape. No move leads from states with these values to others.
#[derive(Clone)]
pub(super) struct Alike {
    shape: u8,
    /// Estimates are the same, too.
    with_estimates: bool,
    /// What the parts of a state may be: of others nothing is known.
    domains: Vec<Values>,
    /// Nothing if there are none.
    found: Option<Symmetries>,
}

impl Alike {
    /// Whether it is about a state.
    fn knows<S: PackedState>(&self, state: &S) -> bool {
        let bytes = state.bytes();
        bytes[1] == self.shape
            && bytes.len() == self.domains.len() + 2
            && self.domains.iter().zip(&bytes[2..]).all(|(domain, &value)| domain.has(value))
    }
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The symmetries by which states stand for others.
    pub(super) fn symmetries(&self) -> Option<zug_report::Symmetries> {
        let alike = self.kit.alike.as_ref().filter(|_| self.roles.alike);
        let Some(found) = &alike?.found else {
            return Some(zug_report::Symmetries { renamings: 1, all: true });
        };
        let renamings = found.elements().len() as u64 + 1;
        Some(zug_report::Symmetries { renamings, all: found.is_group() })
    }

    /// Looks for symmetries of the rules, of estimates too if they are of use, unless they are known for what can
    /// be reached from a state. Says whether they are others than those known before.
    ///
    /// # Errors
    /// The rules are not known well enough to tell; or an error in one of them.
    pub(super) fn look_for_symmetries(&mut self, start: &S, estimates: bool) -> Answered<bool> {
        let is_known = |alike: &Alike| alike.knows(start) && alike.with_estimates == estimates;
        if self.kit.alike.as_ref().is_some_and(is_known) {
            return Ok(false);
        }
        self.kit.alike = None;
        let states = self.plays(start)?;
        let found = self.derived_symmetries(start, &states, estimates);
        let found = found.map_err(|why| {
            RuleError::new(Violation::NoSymmetries(why), self.roles.moves.indicator)
        })?;
        self.kit.alike = Some(found);
        Ok(true)
    }

    fn derived_symmetries(
        &mut self,
        start: &S,
        states: &[S],
        with_estimates: bool,
    ) -> Result<Alike, String> {
        let players = self.players();
        if players != 2 || self.is_general_sum() {
            return Err("they are of use where two play for the same".to_owned());
        }
        if self.roles.probability.is_some() || self.kit.met_chance {
            return Err("chance moves".to_owned());
        }
        if self.kit.is_padded {
            return Err("lists of states grow and shrink".to_owned());
        }
        let questions = self.questions(with_estimates);
        let shape = start.bytes()[1];
        let Some(units) = self.kit.units.as_mut() else {
            return Err("there is no code".to_owned());
        };
        units.lay_out(Self::LAYOUT);
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let told = units.answers_as_operators((&questions, true), start, asker, STEPS);
        let told = match told {
            Ok(told) if told.iter().all(|(operators, _)| operators.is_known()) => told,
            // What depends on very many parts of a state takes longer to tell.
            Ok(_) | Err(NoOperators::Outcomes) => {
                let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
                units.answers_in_full(&questions, start, asker, STEPS).map_err(in_words)?
            }
            Err(why) => return Err(in_words(why)),
        };
        // What answers say is told apart by numbers.
        let mut labels: BTreeMap<(u32, Label), i64> = BTreeMap::new();
        let outcomes: Vec<Vec<(u32, i64)>> = told
            .iter()
            .map(|(_, outcomes)| {
                let numbered = outcomes.iter().map(|(condition, label)| {
                    let next = labels.len() as i64;
                    (*condition, *labels.entry(label.clone()).or_insert(next))
                });
                numbered.collect()
            })
            .collect();
        let parts: Vec<Part<'_>> = told
            .iter()
            .zip(&outcomes)
            .map(|((operators, _), outcomes)| Part { operators, outcomes })
            .collect();
        let domains = told.first().map(|(operators, _)| operators.domains.clone());
        let domains = domains.unwrap_or_default();
        let leaves = domains.len() + 2;
        let of_shape = states.iter().map(PackedState::bytes);
        let of_shape = of_shape.filter(|bytes| bytes[1] == shape && bytes.len() == leaves);
        let states: Vec<&[u8]> = of_shape.map(|bytes| &bytes[2..]).collect();
        if states.is_empty() {
            return Err("parts of a state are no values of code".to_owned());
        }
        Ok(Alike { shape, with_estimates, domains, found: Symmetries::of(&parts, &states, LOOKED) })
    }

    /// What has to be the same in states that are alike.
    fn questions(&mut self, with_estimates: bool) -> Vec<Asked> {
        let roles = *self.roles();
        let mut questions = Vec::new();
        let about = |role: Option<Role>| match role {
            None => 0..0,
            Some(role) if role.with_player => 0..self.players() as Player,
            Some(_) => 0..1,
        };
        let all = [
            (Question::Moves, Some(roles.moves)),
            (Question::Over, roles.terminal),
            (Question::Utility, roles.utility),
            (Question::Heuristic, roles.heuristic.filter(|_| with_estimates)),
            (Question::Turn, roles.to_move.map(Role::of_turn)),
        ];
        let all = all.map(|(question, role)| (question, role, about(role)));
        for (question, role, players) in all {
            for player in players {
                let Some(role) = role else { continue };
                let target = self.target(question, role, player);
                questions.push(match question {
                    Question::Moves => Asked::Moves(target, None),
                    Question::Over => Asked::Holds(target),
                    Question::Utility | Question::Heuristic => Asked::Value(target),
                    Question::Turn => Asked::Name(target),
                });
            }
        }
        questions
    }

    /// States of plays at random from a state, which is the first.
    pub(super) fn plays(&mut self, start: &S) -> Answered<Vec<S>> {
        let (mut random, mut states) = (Random::new(1), vec![start.clone()]);
        let mut moves = Vec::new();
        for _ in 0..PLAYS.0 {
            let mut state = start.clone();
            for _ in 0..=random.below(PLAYS.1) {
                if self.player(&state) == CHANCE || self.is_over(&state)? {
                    break;
                }
                moves.clear();
                self.moves(&state, &mut moves)?;
                let at = random.below(moves.len() as u64) as usize;
                state = moves.swap_remove(at).1;
            }
            states.push(state);
        }
        Ok(states)
    }

    /// Whether states stand for others by symmetries of the rules.
    #[inline]
    pub(super) fn has_alike(&self) -> bool {
        self.roles.alike && self.kit.alike.as_ref().is_some_and(|alike| alike.found.is_some())
    }

    /// Whether states that are alike have the same estimates.
    pub(super) fn alike_in_estimates(&self) -> bool {
        self.kit.alike.as_ref().is_some_and(|alike| alike.with_estimates)
    }

    /// The state that stands for those alike, if it is another one.
    #[inline]
    pub(super) fn standing_for_alike(&mut self, state: &S) -> Option<S> {
        let alike = self.kit.alike.as_ref()?;
        let (bytes, other) = (state.bytes(), &mut self.scratch);
        if bytes[1] != alike.shape || bytes.len() != alike.domains.len() + 2 {
            return None;
        }
        debug_assert!(alike.knows(state), "moves lead to no other values");
        other.clear();
        other.extend_from_slice(bytes);
        let leaves = &mut other[2..];
        let is_other = alike.found.as_ref()?.stand_for_in(&bytes[2..], leaves);
        is_other.then(|| S::from_bytes(other)).flatten()
    }
}
