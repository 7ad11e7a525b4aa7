//! The survey of the ends of a game for two before it is searched: [`Table::survey_utilities`].

use super::table::{Table, initial_player};
use super::utilities::{End, UtilityKind, UtilitySource, UtilitySurvey, add_up, has_scale};
use super::value::RuleValue;
use super::{GameValue, stop_of};
use crate::Packed;
use crate::contract::Contract;
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use crate::run::instances;
use rustc_hash::FxHashSet;
use zug_random::Random;
use zug_search::game::{CHANCE, Game, Graph, Player};
use zug_state::Number;

/// States of which the moves are asked before a search, the nearest to the start first.
const FEW: usize = 64;
/// As many before a game is taken for one that is general-sum: an end that shows how its utilities
/// are meant may be far away.
const MANY: usize = 2000;
/// Plays at random that look for ends farther away, one for so many states; and their longest.
const STATES_A_PLAY: usize = 32;
const LONGEST: usize = 200;
/// Inferences in one walk before a search: a search that meets an end of another kind begins again.
const MOST_INFERENCES: u64 = 5_000_000;
/// Instances that are looked at.
const STARTS: usize = 4;

/// An end and its utilities.
#[derive(Clone)]
pub(crate) struct EndValues {
    state: Packed,
    /// Who is to move, or the first player where it is chance.
    pub mover: Player,
    /// What this player gets, if the rules say it.
    pub own: Option<Number>,
    /// What the other one gets, if the end is over for that player too and the rules say it.
    pub theirs: Option<Number>,
    over_alone: bool,
}

impl EndValues {
    /// What both get, if the rules speak of both.
    fn both(&self) -> Option<(Number, Number)> {
        Some((self.own?, self.theirs?))
    }

    /// Who has lost gets less than nothing and the other one nothing.
    fn is_loss_alone(&self) -> bool {
        self.both().is_some_and(|(own, theirs)| own.as_f64() < 0.0 && theirs.as_f64() == 0.0)
    }
}

/// Ends met on a walk over the states of a game.
#[derive(Default)]
struct EndSample {
    ends: Vec<EndValues>,
    met: FxHashSet<Packed>,
    complete: bool,
    /// Inferences of the machine after which it ends.
    until: u64,
}

impl Table<'_> {
    /// How the utilities of two players are related, as far as so many states show; `None` if there
    /// are not two players.
    ///
    /// # Errors
    /// A limit struck.
    pub fn survey_utilities(
        &mut self,
        most: Option<usize>,
    ) -> Result<Option<UtilitySurvey>, Box<RuleError>> {
        if self.game.players() != 2 {
            return Ok(None);
        }
        if most.is_none()
            && let Some(known) = &self.game.kit.shared.known
        {
            return Ok(Some(known.clone()));
        }
        let before = self.game.kit.shared.now;
        self.game.kit.shared.take(UtilityKind::GeneralSum);
        let few = most.unwrap_or(FEW);
        let mut utilities = self.walk(few).map(|walk| self.judge(walk));
        if few < MANY
            && utilities.as_ref().is_ok_and(|s| s.kind == UtilityKind::GeneralSum && !s.complete)
        {
            utilities = self.walk(MANY).map(|walk| self.judge(walk));
        }
        match before {
            Some(before) => self.game.kit.shared.take(before),
            None => self.game.kit.shared.now = None,
        }
        let utilities = utilities?;
        if most.is_none() {
            self.game.kit.shared.known = Some(utilities.clone());
        }
        Ok(Some(utilities))
    }

    /// Looks at the states near the starts of the program, and plays on at random.
    fn walk(&mut self, most: usize) -> Result<EndSample, Box<RuleError>> {
        let watches = std::mem::take(&mut self.game.machine().1.tracer.watches);
        let until = self.game.inferences().saturating_add(MOST_INFERENCES);
        let mut walk = EndSample { until, ..EndSample::default() };
        let done = match self.game.roles().is_normal_play() {
            true => Ok(()),
            false => self.walk_from_starts(most, &mut walk),
        };
        self.game.machine().1.tracer.watches = watches;
        match done {
            // Errors of the rules are reported where these states are queried.
            Err(error) if stop_of(&error).is_none() => {
                walk.complete = false;
                Ok(walk)
            }
            done => done.map(|()| walk),
        }
    }

    fn walk_from_starts(
        &mut self,
        most: usize,
        walk: &mut EndSample,
    ) -> Result<(), Box<RuleError>> {
        let (m, w) = self.game.machine();
        let contract = Contract::of(m);
        let player = initial_player(m, w)?;
        let found = instances(m, w, &contract, STARTS)?;
        let mut starts = Vec::new();
        for instance in &found {
            starts.push(self.position(player.as_ref(), &instance.state)?);
        }
        let whole = self.breadth_first(&starts, most, walk)?;
        walk.complete = whole && found.len() < STARTS;
        if walk.complete {
            return Ok(());
        }
        for play in 0..(most / STATES_A_PLAY) as u64 {
            let mut random = Random::nth(1, play);
            let Some(mut state) = starts.first().cloned() else { break };
            for _ in 0..LONGEST {
                if self.is_end(walk, &state)? || self.has_spent(walk) {
                    break;
                }
                let mut any = |count: u32| random.below(u64::from(count)) as u32;
                (_, state) = self.game.pick(&state, &mut any)?;
            }
        }
        Ok(())
    }

    /// Looks at the states nearest to some, breadth first: whether these are all there are.
    fn breadth_first(
        &mut self,
        starts: &[Packed],
        most: usize,
        walk: &mut EndSample,
    ) -> Result<bool, Box<RuleError>> {
        let mut open = starts.to_vec();
        walk.met.extend(starts.iter().cloned());
        let mut next = 0;
        while let Some(state) = open.get(next).filter(|_| next < most).cloned() {
            if self.has_spent(walk) {
                return Ok(false);
            }
            next += 1;
            for to in self.after(walk, &state)? {
                if walk.met.insert(to.clone()) {
                    open.push(to);
                }
            }
        }
        Ok(next == open.len())
    }

    /// The ends among the states nearest to one, up to an error in the rules.
    ///
    /// # Errors
    /// A limit struck.
    pub(crate) fn ends_near(&mut self, start: &Packed) -> Result<Vec<EndValues>, Box<RuleError>> {
        // What a certificate rests on does not depend on how fast the rules run.
        let mut walk = EndSample { until: u64::MAX, ..EndSample::default() };
        match self.breadth_first(std::slice::from_ref(start), MANY, &mut walk) {
            Err(error) if stop_of(&error).is_some() => Err(error),
            _ => Ok(walk.ends),
        }
    }

    /// How the utilities of two players are related, as some ends show.
    pub(crate) fn reading(&mut self, ends: &[EndValues]) -> (UtilityKind, UtilitySource) {
        let survey = self.judge(EndSample { ends: ends.to_vec(), ..EndSample::default() });
        (survey.kind, survey.source)
    }

    /// Whether a walk has taken as much of the machine as it may.
    fn has_spent(&self, walk: &EndSample) -> bool {
        self.game.inferences() >= walk.until
    }

    /// The states that moves lead to; the end is noted where there are none.
    fn after(
        &mut self,
        walk: &mut EndSample,
        state: &Packed,
    ) -> Result<Vec<Packed>, Box<RuleError>> {
        let mut moves = Vec::new();
        if !self.is_end(walk, state)? {
            self.game.moves(state, &mut moves)?;
        }
        Ok(moves.into_iter().map(|(_, to)| to).collect())
    }

    /// Whether the game is over in a state; the end is noted.
    fn is_end(&mut self, walk: &mut EndSample, state: &Packed) -> Result<bool, Box<RuleError>> {
        let is_over = self.game.is_over(state)?;
        if is_over && !walk.ends.iter().any(|end| end.state == *state) {
            let values = self.end_values(state)?;
            walk.ends.push(values);
        }
        Ok(is_over)
    }

    /// What the rules say of an end where both players can be asked.
    ///
    /// # Errors
    /// A limit struck, or a value is too large.
    pub(crate) fn end_values(&mut self, state: &Packed) -> Result<EndValues, Box<RuleError>> {
        let (mover, state) = (self.game.valued_for(state), state.clone());
        let Some(role) = self.game.roles().utility.filter(|_| self.game.asks_both()) else {
            let (own, theirs) = (None, None);
            return Ok(EndValues { state, mover, own, theirs, over_alone: false });
        };
        let over_alone = self.game.player(&state) != CHANCE
            && !self.game.is_over_for(&state, mover ^ 1).unwrap_or(true);
        let own = self.game.told(role, &state, mover)?.map(GameValue::number);
        let theirs = match over_alone {
            true => None,
            false => self.game.told(role, &state, mover ^ 1)?.map(GameValue::number),
        };
        Ok(EndValues { state, mover, own, theirs, over_alone })
    }

    /// What the ends show.
    fn judge(&mut self, walk: EndSample) -> UtilitySurvey {
        let EndSample { ends, complete, .. } = walk;
        let mut utilities = UtilitySurvey {
            kind: UtilityKind::MoverOnly,
            source: UtilitySource::Both,
            ends: ends.len() as u64,
            complete,
            witnesses: Vec::new(),
            other_is_valued: ends
                .iter()
                .any(|end| end.theirs.is_some_and(|value| value.as_f64() != 0.0)),
            over_alone: ends.iter().any(|end| end.over_alone),
        };
        if !self.game.asks_both() {
            let roles = self.game.roles();
            utilities.source = match roles.utility {
                _ if roles.is_normal_play() => UtilitySource::NormalPlay,
                Some(_) => UtilitySource::Mover,
                None => UtilitySource::Heuristic,
            };
            return utilities;
        }
        let sums = |end: &&EndValues| end.both().is_some();
        let Some((first, (own, theirs))) =
            ends.iter().find(sums).and_then(|end| Some((end, end.both()?)))
        else {
            if ends.iter().any(|end| end.own.is_some()) {
                utilities.source = UtilitySource::Mover;
            } else {
                utilities.kind = UtilityKind::ZERO;
            }
            return utilities;
        };
        let sum = own.plus(theirs);
        let fits = |end: &EndValues, sum| end.both().is_none_or(|(a, b)| add_up(a, b, sum));
        let odd = ends.iter().find(|end| !fits(end, sum));
        let zero = Number::Int(0);
        let by_loss = !utilities.other_is_valued
            && ends.iter().any(EndValues::is_loss_alone)
            && ends.iter().all(|end| fits(end, zero) || end.is_loss_alone());
        match odd {
            _ if by_loss => utilities.source = UtilitySource::Mover,
            None if has_scale(sum, ends.iter().filter_map(EndValues::both)) => {
                utilities.kind = UtilityKind::constant(sum);
            }
            None => utilities.kind = UtilityKind::GeneralSum,
            Some(_) if utilities.over_alone => utilities.source = UtilitySource::Mover,
            Some(odd) => {
                utilities.kind = UtilityKind::GeneralSum;
                utilities.witnesses = [first, odd].map(|end| self.shown_end(end)).to_vec();
            }
        }
        utilities
    }

    fn shown_end(&mut self, end: &EndValues) -> End {
        let state = self.game.state_term(&end.state);
        let (own, theirs) = end.both().unwrap_or((Number::Int(0), Number::Int(0)));
        let mut values = vec![(end.mover, own), (end.mover ^ 1, theirs)];
        values.sort_by_key(|(seat, _)| *seat);
        let values = values.into_iter().map(|(seat, value)| (self.game.player_term(seat), value));
        End { state, values: values.collect() }
    }

    /// Makes ready for a search: what it goes by is what the program shows, whatever other
    /// searches met.
    ///
    /// # Errors
    /// A limit struck.
    pub fn weigh(&mut self) -> Result<(), Box<RuleError>> {
        if self.game.players() != 2 {
            return Ok(());
        }
        if !self.game.asks_both() {
            self.go_by(UtilityKind::MoverOnly);
            return Ok(());
        }
        let known = self.survey_utilities(None)?.map(|utilities| utilities.kind);
        self.go_by(known.unwrap_or(UtilityKind::ZERO));
        Ok(())
    }

    /// As [`Table::weigh`] before any state was asked about.
    ///
    /// # Errors
    /// A limit struck, or an error in a rule.
    pub(super) fn weigh_from_start(&mut self) -> Result<(), Box<RuleError>> {
        let (m, w) = self.game.machine();
        let contract = Contract::of(m);
        let player = initial_player(m, w)?;
        let Some(first) = instances(m, w, &contract, 1)?.pop() else { return Ok(()) };
        self.position(player.as_ref(), &first.state)?;
        self.weigh()
    }

    /// Whether a game for two is general-sum.
    ///
    /// # Errors
    /// A limit struck.
    pub fn is_general_sum(&mut self) -> Result<bool, Box<RuleError>> {
        self.weigh()?;
        Ok(self.game.players() == 2 && self.game.is_general_sum())
    }

    /// What the utilities of both add up to, if that is not nothing.
    pub fn sum(&self) -> Option<Number> {
        self.game.kit.shared.shift.map(|scale| scale.sum)
    }

    /// Searches go by this from now on; what was found out by something else is forgotten.
    pub(super) fn go_by(&mut self, kind: UtilityKind) {
        let before = self.game.kit.shared.now.unwrap_or(UtilityKind::ZERO);
        self.game.kit.shared.take(kind);
        let scale = |kind| match kind {
            UtilityKind::MoverOnly => UtilityKind::ZERO,
            kind => kind,
        };
        if scale(before) != scale(kind) {
            *self.graph = Graph::default();
            (*self.solved, *self.recalled) = (None, None);
        }
    }

    /// Whether a search that met an end which doesn't fit can begin again, going by something
    /// else. `apart`: it can tell players apart.
    ///
    /// # Errors
    /// It can't, or a limit struck.
    pub(super) fn weigh_again(
        &mut self,
        engine: &'static str,
        apart: bool,
        end: End,
    ) -> Result<(), Box<RuleError>> {
        let before = self.game.kit.shared.now.unwrap_or(UtilityKind::ZERO);
        let unknown = self.game.kit.shared.known.is_none();
        let Some(utilities) = self.survey_utilities(None)? else { return Ok(()) };
        let sums: Vec<Number> = end.values.iter().map(|&(_, value)| value).collect();
        let next = match utilities.kind {
            known if unknown && known != before => known,
            // No end was seen before this one.
            UtilityKind::ConstantSum(Number::Int(0))
                if utilities.ends == 0 && before == UtilityKind::ZERO =>
            {
                UtilityKind::constant(sums.into_iter().fold(Number::Int(0), Number::plus))
            }
            _ => UtilityKind::GeneralSum,
        };
        if next == UtilityKind::GeneralSum && !apart {
            return Err(general_sum(engine, &utilities, Some(end)));
        }
        self.go_by(next);
        Ok(())
    }

    /// Refuses a general-sum game.
    ///
    /// # Errors
    /// It is one.
    pub fn must_not_be_apart(&mut self, engine: &'static str) -> Result<(), Box<RuleError>> {
        match self.game.kit.shared.now {
            Some(UtilityKind::GeneralSum) => {
                let utilities = self.survey_utilities(None)?;
                Err(utilities.map_or_else(
                    || {
                        RuleError::new(
                            Violation::GeneralSum(engine, Vec::new()),
                            indicator::UTILITY_3,
                        )
                    },
                    |utilities| general_sum(engine, &utilities, None),
                ))
            }
            _ => Ok(()),
        }
    }
}

fn general_sum(
    engine: &'static str,
    utilities: &UtilitySurvey,
    end: Option<End>,
) -> Box<RuleError> {
    let mut ends = utilities.witnesses.clone();
    if ends.is_empty() {
        ends.extend(end);
    }
    RuleError::new(Violation::GeneralSum(engine, ends), indicator::UTILITY_3)
}
