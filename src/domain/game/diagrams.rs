//! A game as operators of which nothing is left open, for a search over sets of states.

use super::code::Question;
use super::roles::Role;
use super::rules::{Answered, RuleGame};
use super::value::RuleValue;
use crate::error::{RuleError, Violation};
use crate::problem::in_words;
use zug_code::Specialise;
use zug_code::operators::{Label, Outcomes, Question as Asked};
use zug_derived::{ConditionId, Operators};
use zug_search::game::{Game, Player};
use zug_state::{PackedState, Word};

/// What is known of the states in which a player is to move.
pub(crate) struct Told {
    /// The moves.
    pub moves: Operators,
    /// Where the game is over are the goals of these, if that is said.
    pub over: Option<Operators>,
    /// Who moves next, if it is always the same; of two players without names it is the other one.
    pub next: Player,
}

/// What a game is told as.
pub(crate) struct ToldGame {
    /// By player.
    pub sides: Vec<Told>,
    /// Whose turn it is, where the state says it: that of the first of these that holds.
    pub turns: Option<(Operators, Vec<(ConditionId, usize)>)>,
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The moves, ends and turns of what can be reached from a state, with so many steps of making code at most.
    ///
    /// # Errors
    /// They are not known in full; or an error in one of the rules.
    pub(crate) fn told_in_full(&mut self, start: &S, steps: u64) -> Answered<ToldGame> {
        let refused = |game: &Self, why: &str| {
            RuleError::new(Violation::NoDiagrams(why.to_owned()), game.roles.moves.indicator)
        };
        if self.engine_code() == Specialise::Off {
            return Err(refused(self, "code is not wanted"));
        }
        if self.roles.probability.is_some() || self.kit.met_chance {
            return Err(refused(self, "chance moves"));
        }
        let players = self.players();
        let (mut questions, mut sides) = (Vec::new(), Vec::new());
        for player in 0..players as Player {
            let mut ask = |game: &mut Self, question, role: Role| {
                let target = game.target(question, role, player);
                let asked = match question {
                    Question::Over => Asked::Holds(target),
                    _ => Asked::Moves(target, None),
                };
                questions.iter().position(|other| *other == asked).unwrap_or_else(|| {
                    questions.push(asked);
                    questions.len() - 1
                })
            };
            let moves = ask(self, Question::Moves, self.roles.moves);
            let over = self.roles.terminal.map(|role| ask(self, Question::Over, role));
            sides.push((moves, over, self.after(player)?));
        }
        let turn = self.roles.to_move.map(|role| {
            let target = self.target(Question::Turn, Role::of_turn(role), 0);
            questions.push(Asked::Name(target));
            questions.len() - 1
        });
        let Some(units) = self.kit.units.as_mut() else {
            return Err(refused(self, "there is no code"));
        };
        units.lay_out(Self::LAYOUT);
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let told = units.answers_in_full(&questions, start, asker, steps);
        let told = told.map_err(|why| refused(self, &in_words(why)))?;
        let turns = match turn {
            Some(turn) => Some((told[turn].0.clone(), self.turns(&told[turn].1, players)?)),
            None => None,
        };
        let side = |(moves, over, next): (usize, Option<usize>, Player)| Told {
            moves: told[moves].0.clone(),
            over: over.map(|over| told[over].0.clone()),
            next,
        };
        Ok(ToldGame { sides: sides.into_iter().map(side).collect(), turns })
    }

    /// Players, by the conditions under which it is their turn.
    fn turns(&mut self, told: &Outcomes, players: usize) -> Answered<Vec<(ConditionId, usize)>> {
        let mut ordered: Vec<&(ConditionId, (u32, Label))> = told.iter().collect();
        ordered.sort_by_key(|(_, (rank, _))| *rank);
        let mut turns = Vec::with_capacity(ordered.len());
        for (condition, (_, label)) in ordered {
            let packed = match label {
                Label::Name(shape, words) => {
                    let words = words.iter().map(|&word| Word(word).byte());
                    [Some(*shape)].into_iter().chain(words).collect::<Option<Vec<u8>>>()
                }
                Label::Number(_) => None,
            };
            let known = packed.and_then(|packed| self.kit.players.find_bytes(&packed));
            // What nobody is named is never a turn, or the search comes upon it.
            let Some(known) = known.map(|known| known as usize) else { continue };
            if known < players {
                turns.push((*condition, known));
            }
        }
        Ok(turns)
    }

    /// Has leaves be expected to be what they are in states of plays at random.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn expect_met(&mut self, start: &S) -> Answered<()> {
        let met = self.plays(start)?;
        met.iter().for_each(|state| self.kit.codec.see_packed(&state.bytes()[1..]));
        Ok(())
    }

    /// Has leaves be expected to be what they are in the successors of a state; whether they were not before.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn expect_behind(&mut self, state: &S) -> Answered<bool> {
        let before = self.kit.codec.version();
        let mut moves = Vec::new();
        if !self.is_over(state)? {
            self.moves(state, &mut moves)?;
        }
        moves.iter().for_each(|(_, after)| self.kit.codec.see_packed(&after.bytes()[1..]));
        Ok(self.kit.codec.version() != before)
    }

    /// The values of the leaves of a packed state, if each is one of a byte.
    pub(crate) fn leaf_values(&self, state: &S) -> Option<Vec<u8>> {
        let leaves = state.bytes().get(2..)?;
        let shape = *state.bytes().get(1)?;
        (leaves.len() == self.kit.codec.leaves_of(shape)).then(|| leaves.to_vec())
    }
}
