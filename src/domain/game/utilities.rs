//! Utilities of two players: zero-sum, constant-sum or general-sum.
//!
//! Engines for two players require that what one gets the other loses. The utilities show whether
//! that holds: where `utility/3` distinguishes the players it is asked for both at every end. If
//! the sum is the same at all ends the game is constant-sum, mostly zero-sum, else general-sum.
//!
//! Many rule files give utilities from the view of the player to move alone, as the contract lets
//! them. They are read as zero-sum, and known by this: `utility/3` never looks at the player; or it
//! answers for one alone; or there are ends that are over for who is to move and not for the other
//! (`terminal/2`); or who has lost gets less than nothing and the other one nothing.
//!
//! **Invariant.** What is found out of a program by [`Table::survey`](super::Table) hangs on the
//! program alone: the same states are looked at in the same order, whatever was asked before. What
//! a search meets beyond that counts for this search.

use super::rules::{Answered, RuleGame};
use super::training::ignores_player;
use super::value::RuleValue;
use super::{Role, stop_of};
use crate::contract::indicator;
use crate::error::Violation;
use zug_report::Utilities;
use zug_search::game::{Expected, Game, Player};
use zug_state::{Number, PackedState};
use zug_term::Record;

use super::code::Question;

/// How the utilities of two players are related.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UtilityKind {
    /// The rules speak of the player to move alone; what that player gets the other loses.
    MoverOnly,
    /// What both get adds up to so much at every end.
    ConstantSum(Number),
    /// Neither: each player maximises their own.
    GeneralSum,
}

impl UtilityKind {
    /// What one gets the other loses, as the rules say it of both.
    pub const ZERO: UtilityKind = UtilityKind::ConstantSum(Number::Int(0));

    /// Both add up to so much; a float without a fraction is the integer, lest integers beside it
    /// become floats. Ends that add up to it differ in the last digits, which are left out.
    pub(super) fn constant(sum: Number) -> UtilityKind {
        UtilityKind::ConstantSum(match sum {
            Number::Float(float) => match rounded(float) {
                float if float.fract() == 0.0 && float.abs() < WHOLE => Number::Int(float as i64),
                float => Number::Float(float),
            },
            sum => sum,
        })
    }

    /// Its name in reports.
    pub fn utilities(self, source: UtilitySource) -> Utilities {
        let (kind, sum) = match (self, source) {
            (UtilityKind::GeneralSum, _) => ("general_sum", None),
            (UtilityKind::ConstantSum(sum), _) if sum.as_f64() != 0.0 => {
                ("constant_sum", Some(sum.to_string()))
            }
            (UtilityKind::ConstantSum(_), _) => ("zero_sum", None),
            (UtilityKind::MoverOnly, UtilitySource::Heuristic) => ("heuristic", None),
            (UtilityKind::MoverOnly, UtilitySource::NormalPlay) => ("cannot_move_loses", None),
            (UtilityKind::MoverOnly, _) => ("player_to_move", None),
        };
        Utilities { kind, sum }
    }
}

/// Where an engine has the utilities from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UtilitySource {
    /// Both players are asked for utilities.
    Both,
    /// The player to move alone: the rules give utilities from that player's view.
    Mover,
    /// Without utilities, the heuristic of the player to move is asked.
    Heuristic,
    /// Who can't move has lost.
    NormalPlay,
}

/// An end, and what it is worth to each player.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The state.
    pub state: Record,
    /// Players and what they get.
    pub values: Vec<(Record, Number)>,
}

/// What a survey of the ends of a game for two has found.
#[derive(Clone, Debug, PartialEq)]
pub struct UtilitySurvey {
    /// How the utilities are related, as far as the survey went.
    pub kind: UtilityKind,
    /// Where they are from.
    pub source: UtilitySource,
    /// Ends surveyed.
    pub ends: u64,
    /// All reachable ends were surveyed.
    pub complete: bool,
    /// Two ends with different sums, in a general-sum game.
    pub witnesses: Vec<End>,
    /// Some end is worth something to who is not to move, by the rules.
    pub(super) other_is_valued: bool,
    /// Some end is over for the player to move alone.
    pub(super) over_alone: bool,
}

/// What searches assume: cached with the players and the codes of states.
#[derive(Clone, Default)]
pub(super) struct Shared {
    /// The survey of the program.
    pub known: Option<UtilitySurvey>,
    /// What the running search assumes; not decided yet.
    pub now: Option<UtilityKind>,
    /// Whether an end that doesn't fit stops the search.
    pub strict: bool,
    /// The scale on which engines reckon, if the sum is not nothing.
    pub shift: Option<Scale>,
}

/// A linear scale on which the values of two players are each other's negation: so many times
/// the value, less a number. Integers stay integers there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub sum: Number,
    times: i64,
    less: Number,
    /// Some value of the rules is a float with a fraction: a fraction of values is a float, too.
    floats: bool,
}

/// The greatest part of 1 that sums are taken for fractions of.
const PARTS: i64 = 1 << 20;

impl Scale {
    fn of(sum: Number) -> Scale {
        let whole = Scale { sum, times: 2, less: sum, floats: matches!(sum, Number::Float(_)) };
        let Number::Float(float) = sum else { return whole };
        let mut parts = 1;
        while parts <= PARTS {
            let all = float * parts as f64;
            if all.fract() == 0.0 && all.abs() < WHOLE {
                return Scale { times: 2 * parts, less: Number::Int(all as i64), ..whole };
            }
            parts *= 2;
        }
        whole
    }

    /// A value on the scale; `None` if it has no place there.
    fn scaled(self, value: Number) -> Option<Number> {
        let scaled = match (value, self.less) {
            (Number::Int(value), Number::Int(less)) => {
                Number::Int(value.checked_mul(self.times)?.checked_sub(less)?)
            }
            (value, less) => {
                Number::Float(self.times as f64 * value.as_f64() - less.as_f64() + 0.0)
            }
        };
        let same = match (self.meant(of(scaled)), value) {
            (Expected::Float(meant), value) => {
                let value = value.as_f64();
                meant == value || (meant - value).abs() <= NEAR * value.abs()
            }
            (meant, value) => meant == of(value),
        };
        same.then_some(scaled)
    }

    /// What a value on the scale means.
    pub fn meant(self, value: Expected) -> Expected {
        let value = value.plus(&of(self.less)).over(&Expected::integer(self.times));
        match value {
            // The last digits were lost on the scale.
            Expected::Float(value) => Expected::Float(rounded(value)),
            Expected::Exact(value) if self.floats && !value.is_integer() => {
                Expected::Float(Expected::Exact(value).as_f64())
            }
            value => value,
        }
    }

    /// What a distance between values means.
    pub fn distance(self, distance: f64) -> f64 {
        distance / self.times as f64
    }
}

impl Shared {
    /// Goes by something else from now on.
    pub fn take(&mut self, kind: UtilityKind) {
        self.now = Some(kind);
        self.shift = match kind {
            UtilityKind::ConstantSum(sum) if sum.as_f64() != 0.0 => Some(Scale::of(sum)),
            _ => None,
        };
    }

    /// What somebody else met who went by the same counts as met.
    pub fn met_also(&mut self, other: &Shared) {
        if let (Some(own), Some(theirs)) = (&mut self.shift, &other.shift) {
            own.floats |= theirs.floats;
        }
    }

    /// Counts as met what ends are worth on the scale, wherever that was found.
    #[cfg(feature = "cluster")]
    pub fn meet_ends(&mut self, ends: impl Iterator<Item = Number>) {
        let Some(scale) = &mut self.shift else { return };
        let whole = *scale;
        scale.floats |= ends.map(of).any(|worth| match whole.meant(worth) {
            Expected::Float(value) => value.fract() != 0.0,
            Expected::Exact(_) => false,
        });
    }

    /// A value that engines reckoned with, as the rules mean it.
    pub fn meant(&self, value: Expected) -> Expected {
        scaled_back(self.shift, value)
    }

    /// What the other one gets where one gets so much.
    pub fn rest(&self, value: &Expected) -> Expected {
        match self.shift {
            Some(scale) => of(scale.sum).minus(value),
            None => value.negated(),
        }
    }
}

/// A value that engines reckoned with, on a scale if there is one, as the rules mean it.
fn scaled_back(shift: Option<Scale>, value: Expected) -> Expected {
    match shift {
        Some(scale) => scale.meant(value),
        None => value,
    }
}

fn of(number: Number) -> Expected {
    match number {
        Number::Int(value) => Expected::integer(value),
        Number::Large(value) => Expected::integer(value.to_big()),
        Number::Float(value) => Expected::Float(value),
    }
}

/// A float without its last digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

/// Floats below this are integers if they have no fraction.
const WHOLE: f64 = 9e15;
/// Floats that differ by no more than this part of them mean the same.
const NEAR: f64 = 1e-12;
/// Floats add up to a sum but for this, as a part of them.
const TOLERANCE: f64 = 1e-9;

/// Whether two numbers add up to a third.
pub(crate) fn add_up(a: Number, b: Number, sum: Number) -> bool {
    if let (Number::Int(a), Number::Int(b), Number::Int(sum)) = (a, b, sum) {
        return i128::from(a) + i128::from(b) == i128::from(sum);
    }
    let (a, b, sum) = (a.as_f64(), b.as_f64(), sum.as_f64());
    if a.is_infinite() || b.is_infinite() {
        return a == -b;
    }
    (a + b - sum).abs() <= TOLERANCE * (1.0 + a.abs() + b.abs())
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// Goes by how utilities are related, as the caller knows.
    pub(crate) fn read_as(&mut self, kind: UtilityKind) {
        self.kit.shared.take(kind);
    }

    /// Whether both of two players can be asked for utilities.
    pub(crate) fn asks_both(&self) -> bool {
        let role = self.roles.utility.filter(|role| role.with_player);
        role.is_some_and(|role| self.players() == 2 && !ignores_player(self.machine, role))
    }

    /// How what both get stands to each other, as far as it is known.
    #[inline]
    fn kind(&mut self) -> UtilityKind {
        match self.kit.shared.now {
            Some(kind) => kind,
            None => {
                let kind =
                    if self.asks_both() { UtilityKind::ZERO } else { UtilityKind::MoverOnly };
                self.kit.shared.take(kind);
                kind
            }
        }
    }

    /// A value on the scale of the engines, as the rules mean it.
    pub fn meant(&self, value: Expected) -> Expected {
        self.kit.shared.meant(value)
    }

    /// [`RuleGame::meant`], for when the game is busy.
    pub fn meaning(&self) -> impl Fn(Expected) -> Expected + use<S, V> {
        let shift = self.kit.shared.shift;
        move |value| scaled_back(shift, value)
    }

    /// What two players get together at every end, if that is not nothing.
    pub fn sum_of_both(&self) -> Option<Number> {
        self.kit.shared.shift.map(|scale| scale.sum)
    }

    /// What the other one of two players gets where one gets so much.
    pub fn rest_of(&self, value: &Expected) -> Expected {
        self.kit.shared.rest(value)
    }

    fn utility_of(&mut self, role: Role, state: &S, player: Player) -> Answered<V> {
        let value = self.quick_worth(Question::Utility, role, state, player)?;
        self.within_bounds(value, role.indicator, state)
    }

    /// What an end is worth to one of two players.
    pub(super) fn shared_utility(&mut self, role: Role, state: &S, player: Player) -> Answered<V> {
        let mover = self.valued_for(state);
        match self.kind() {
            UtilityKind::GeneralSum => self.utility_of(role, state, player),
            UtilityKind::MoverOnly => {
                let own = self.utility_of(role, state, mover)?;
                Ok(if player == mover { own } else { own.negated() })
            }
            UtilityKind::ConstantSum(sum) => {
                let (own, theirs) = self.both(role, state, mover, sum)?;
                Ok(if player == mover { own } else { theirs })
            }
        }
    }

    /// What an end is worth to the player to move and to the other one.
    fn both(&mut self, role: Role, state: &S, mover: Player, sum: Number) -> Answered<(V, V)> {
        let own = match self.utility_of(role, state, mover) {
            Err(error) if matches!(error.violation, Violation::NoWorth) => {
                let Some(theirs) = self.told(role, state, mover ^ 1)? else { return Err(error) };
                return Ok((self.rest(role, state, theirs, sum)?, theirs));
            }
            own => own?,
        };
        if let Some(theirs) = self.told(role, state, mover ^ 1)?
            && (add_up(own.number(), theirs.number(), sum)
                || !self.fits(state, mover, own.number(), theirs.number())?)
        {
            return Ok((own, theirs));
        }
        Ok((own, self.rest(role, state, own, sum)?))
    }

    /// What the rules say an end is worth to a player whose turn it is not, if they do.
    pub(crate) fn told(&mut self, role: Role, state: &S, player: Player) -> Answered<Option<V>> {
        let error = match self.utility_of(role, state, player) {
            Ok(value) => return Ok(Some(value)),
            Err(error) => error,
        };
        let nothing = match error.violation {
            Violation::NoWorth | Violation::Unbound | Violation::NotNumber(_) => true,
            // Nobody may have thought of this question.
            Violation::Fault(..) => stop_of(&error).is_none(),
            _ => false,
        };
        if nothing { Ok(None) } else { Err(error) }
    }

    /// What is left of a sum.
    fn rest(&mut self, role: Role, state: &S, value: V, sum: Number) -> Answered<V> {
        if sum == Number::Int(0) {
            return Ok(value.negated());
        }
        let rest = match (sum, value.number()) {
            (Number::Int(sum), Number::Int(value)) => sum.checked_sub(value).map(Number::Int),
            (sum, value) => Some(Number::Float(sum.as_f64() - value.as_f64())),
        };
        self.in_range(role, state, rest)
    }

    fn in_range(&mut self, role: Role, state: &S, number: Option<Number>) -> Answered<V> {
        let player = state.bytes()[0];
        let huge =
            |game: &mut Self| game.error(Violation::HugeValue, role.indicator, player, state);
        match number {
            None => Err(huge(self)),
            Some(number) => match V::of(number) {
                Some(value) => Ok(value),
                None => Err(self.error(Violation::Fraction, role.indicator, player, state)),
            },
        }
    }

    /// Whether an end that is over for one player is over for another.
    pub(super) fn is_over_for(&mut self, state: &S, player: Player) -> Answered<bool> {
        match self.roles.terminal {
            Some(role) if role.with_player => {
                Ok(self.first(role, player, state, |_, _, []| Ok(()))?.is_some())
            }
            _ => Ok(true),
        }
    }

    /// Whether an end where the values of both don't add up as they should fits all the same: the
    /// rules speak of the player to move.
    ///
    /// # Errors
    /// It doesn't, and the search can't go on.
    #[cold]
    fn fits(&mut self, state: &S, mover: Player, own: Number, theirs: Number) -> Answered<bool> {
        if !self.is_over_for(state, mover ^ 1).unwrap_or(false) {
            return Ok(true);
        }
        let known = self.kit.shared.known.as_ref();
        let (other_is_valued, over_alone) =
            known.map_or((false, false), |known| (known.other_is_valued, known.over_alone));
        let loss = own.as_f64() < 0.0 && theirs.as_f64() == 0.0;
        if known.is_some() && (over_alone || loss && !other_is_valued) {
            return Ok(true);
        }
        if !self.kit.shared.strict {
            return Ok(false);
        }
        let values = [(mover, own), (mover ^ 1, theirs)];
        let end = End {
            state: self.state_term(state),
            values: values.map(|(seat, value)| (self.player_term(seat), value)).to_vec(),
        };
        Err(self.error(Violation::Unbalanced(Box::new(end)), indicator::UTILITY_3, mover, state))
    }

    /// A value as engines for two reckon with it.
    pub(super) fn on_scale(&mut self, value: V, scale: Scale) -> Answered<V> {
        let about = |violation| crate::error::RuleError::new(violation, indicator::UTILITY_3);
        if let (Number::Float(value), Some(shift)) = (value.number(), &mut self.kit.shared.shift) {
            shift.floats |= value.fract() != 0.0;
        }
        let scaled = scale.scaled(value.number()).ok_or_else(|| about(Violation::HugeValue))?;
        V::of(scaled).ok_or_else(|| about(Violation::Fraction))
    }
}

/// Whether values of both players that add up to a sum have their places on its scale.
pub(super) fn has_scale(sum: Number, mut values: impl Iterator<Item = (Number, Number)>) -> bool {
    let scale = Scale::of(sum);
    sum.as_f64() == 0.0
        || values.all(|(a, b)| scale.scaled(a).is_some() && scale.scaled(b).is_some())
}
