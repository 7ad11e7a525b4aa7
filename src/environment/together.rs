//! Games in which all choose at once, as environments.

use crate::actions::Actions;
use crate::error::{Answered, EnvironmentError};
use crate::position::{Mover, Place, Position};
use crate::survey::{Leaves, SurveyLimits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use zug_domain::purity::{ImpurePredicate, impurities};
use zug_domain::simultaneous::Stages;
use zug_domain::{DomainKind, RuleError};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_search::Limits;
use zug_search::game::Player;
use zug_state::Codec;
use zug_term::Record;

/// The most profiles of actions that a state of the survey is left by.
const MOST_PROFILES: usize = 1_000;

/// A game in which all choose at once, and the numbers of its actions.
#[derive(Default)]
pub(crate) struct Together {
    pub(crate) players: Vec<Record>,
    pub(crate) is_matrix: bool,
    /// Answers of the rules depend on the state, and on what is chosen, alone.
    pub(crate) is_pure: bool,
    /// How states and actions are packed.
    pub(crate) codec: Codec,
    /// By packed name.
    numbers: FxHashMap<Box<[u8]>, u32>,
    /// Names of actions that were met.
    met: Vec<Record>,
    /// The actions have their numbers.
    is_fixed: bool,
    is_declared: bool,
}

impl Together {
    /// The game of a program.
    pub(crate) fn new(m: &mut Machine, w: &mut World, limits: &Limits) -> Answered<Together> {
        let (players, is_matrix) = Stages::with(m, w, limits, |stages| {
            let players = stages.players()?;
            Ok((players, stages.is_matrix()))
        })?;
        let found = impurities(m, w, DomainKind::Simultaneous);
        let is_pure = !found.iter().any(ImpurePredicate::matters);
        Ok(Together { players, is_matrix, is_pure, ..Together::default() })
    }

    /// A state, packed by this game's codec.
    pub(crate) fn packed(&mut self, m: &mut Machine, state: &Record) -> Answered<Vec<u8>> {
        pack(m, &mut self.codec, state)
    }

    /// The position of a place.
    pub(crate) fn position(
        &mut self,
        (m, w): (&mut Machine, &mut World),
        place: Place,
        limits: &Limits,
    ) -> Answered<Position> {
        let mut position = Position::at(place.clone(), Mover::Together);
        let state = match place {
            Place::Paid(paid) => {
                (position.mover, position.returns) = (Mover::Over, paid);
                return Ok(position);
            }
            Place::Stage(state) => state,
            Place::Packed(_) => None,
        };
        let players = &self.players;
        let (over, actions) = Stages::with(m, w, limits, |stages| {
            if let Some(state) = &state
                && stages.is_over(&players[0], state)?
            {
                let worth = players.iter().map(|player| stages.utility(player, state));
                return Ok((
                    Some(worth.collect::<Result<Vec<f64>, Box<RuleError>>>()?),
                    Vec::new(),
                ));
            }
            let actions = players.iter().map(|player| stages.actions(player, state.as_ref()));
            Ok((None, actions.collect::<Result<Vec<_>, _>>()?))
        })?;
        if let Some(returns) = over {
            (position.mover, position.returns) = (Mover::Over, returns);
            return Ok(position);
        }
        for names in actions {
            let mut numbered = Vec::with_capacity(names.len());
            for name in names {
                numbered.push((self.number(m, &name)?, name));
            }
            numbered.sort_by_key(|&(number, _)| number);
            let (numbers, names) = numbered.into_iter().unzip();
            position.legal.push(numbers);
            position.terms.push(names);
        }
        Ok(position)
    }

    /// The place that actions lead to, one of each player.
    pub(crate) fn next(
        &self,
        (m, w): (&mut Machine, &mut World),
        from: &Position,
        actions: &[u32],
        limits: &Limits,
    ) -> Answered<Place> {
        if actions.len() != self.players.len() {
            return Err(EnvironmentError::Illegal(format!(
                "{} actions are given, and there are {} players",
                actions.len(),
                self.players.len()
            )));
        }
        let mut chosen = Vec::with_capacity(actions.len());
        for (player, action) in actions.iter().enumerate() {
            let at = from.legal_of(player as Player).binary_search(action).map_err(|_| {
                EnvironmentError::Illegal(format!(
                    "action {action} of player {player} is not legal"
                ))
            })?;
            chosen.push(&from.terms[player][at]);
        }
        let place = match &from.place {
            Place::Stage(Some(state)) if !self.is_matrix => {
                let next = Stages::with(m, w, limits, |stages| stages.next(&chosen, state))?;
                Place::Stage(Some(next))
            }
            _ => Place::Paid(Stages::with(m, w, limits, |stages| stages.payoffs(&chosen))?),
        };
        Ok(place)
    }

    /// The number of an action; in the survey it gets one.
    fn number(&mut self, m: &mut Machine, name: &Record) -> Answered<u32> {
        let packed = pack(m, &mut self.codec, name)?;
        if let Some(&number) = self.numbers.get(&packed[..]) {
            return Ok(number);
        }
        if self.is_fixed {
            let (name, is_declared) = (name.clone(), self.is_declared);
            return Err(EnvironmentError::Unnumbered { name, is_declared });
        }
        let number = self.met.len() as u32;
        self.numbers.insert(packed.into(), number);
        self.met.push(name.clone());
        Ok(number)
    }

    /// Numbers the actions from here on as they stand in a list, or those met in the standard order.
    pub(crate) fn fix(
        &mut self,
        m: &mut Machine,
        listed: Option<Vec<Record>>,
    ) -> Answered<Actions> {
        let is_declared = listed.is_some();
        let names = listed.unwrap_or_else(|| std::mem::take(&mut self.met));
        let keyed = names.into_iter().zip(0_u32..).map(|(name, number)| ((number, 0), name));
        let actions = match is_declared {
            true => Actions::listed(keyed.collect())?,
            false => Actions::sorted(m, keyed.collect())?,
        };
        self.numbers.clear();
        for (name, number) in actions.names().iter().zip(0..) {
            self.numbers.insert(pack(m, &mut self.codec, name)?.into(), number);
        }
        (self.is_fixed, self.is_declared) = (true, is_declared);
        Ok(actions.declared(is_declared))
    }

    /// Looks at states that can be reached: whether these were all, and how many.
    pub(crate) fn survey(
        &mut self,
        (m, w): (&mut Machine, &mut World),
        start: &Place,
        limits: SurveyLimits,
        leaves: &mut Leaves,
    ) -> Answered<(bool, usize)> {
        let none = Limits::none();
        let (mut seen, mut met) = (0, FxHashSet::default());
        let mut queue = VecDeque::from([start.clone()]);
        let mut random = Random::new(0);
        let mut is_complete = true;
        while let Some(place) = queue.pop_front() {
            if let Place::Stage(Some(state)) = &place {
                let packed = self.packed(m, state)?;
                if !met.insert(packed.clone()) {
                    continue;
                }
                leaves.see(&self.codec, &packed);
            }
            seen += 1;
            let position = self.position((m, w), place, &none)?;
            if position.is_over() {
                continue;
            }
            if seen >= limits.states {
                return Ok((false, seen));
            }
            let sizes = position.legal.iter().map(Vec::len);
            let profiles = sizes.clone().try_fold(1_usize, usize::checked_mul);
            let all = profiles.filter(|&profiles| profiles <= MOST_PROFILES);
            is_complete &= all.is_some();
            for number in 0..all.unwrap_or(MOST_PROFILES) {
                let mut rest = number;
                let chosen = position.legal.iter().map(|legal| match all {
                    Some(_) => {
                        let at = rest % legal.len();
                        rest /= legal.len();
                        legal[at]
                    }
                    None => legal[random.below(legal.len() as u64) as usize],
                });
                let chosen: Vec<u32> = chosen.collect();
                queue.push_back(self.next((m, w), &position, &chosen, &none)?);
            }
        }
        Ok((is_complete, seen))
    }
}

/// Packs a term.
fn pack(m: &mut Machine, codec: &mut Codec, term: &Record) -> Answered<Vec<u8>> {
    let packed = m.scratch(|m| {
        let cell = term.instantiate(&mut m.heap);
        codec.encode_plain(&mut m.heap, cell).map(<[u8]>::to_vec)
    });
    packed.map_err(|_| EnvironmentError::Space("a state or an action can't be packed".to_owned()))
}
