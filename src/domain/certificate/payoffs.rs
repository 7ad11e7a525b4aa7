//! Payoffs of ends, by the kind of utilities that the rules define: [`Payoffs`].
//!
//! The kind follows from the ends among the states nearest to the start, breadth first, and from all ends of the
//! certificate; what the certificate says is compared with it.

use super::games::EACH;
use super::records::Fact;
use super::{Found, Rejected};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::error::RuleError;
use crate::game::{EndValues, GameValue, Table, UtilityKind, add_up};
use num_bigint::BigInt;
use zug_search::game::{CHANCE, Expected, Game, Player};
use zug_state::Number;

/// Where an end has no mover and rules give what it is worth to the mover.
const IMPERSONAL: &str = "the rules do not say which player the utility of the end is for";
const UNTOLD: &str = "the rules give no utility of the end";

/// How ends are read.
pub(super) struct Payoffs {
    /// The name, as certificates have it.
    pub kind: &'static str,
    /// What two players get together.
    pub sum: Number,
    /// `None` where players are not two: each has utilities of its own.
    how: Option<UtilityKind>,
}

/// Ends that a certificate is about, with the lines that they stand on.
pub(super) type Ends = Vec<(u64, Packed)>;

impl Payoffs {
    /// How ends are read from a start, if these occur as well. `place` gets the line that an error is about.
    ///
    /// # Errors
    /// A limit struck, or an error in a rule.
    pub fn of(
        table: &mut Table<'_>,
        start: &Packed,
        ends: &Ends,
        place: &mut Option<u64>,
    ) -> Result<Payoffs, Box<RuleError>> {
        if table.game.players() != 2 {
            return Ok(Payoffs { kind: EACH, sum: Number::Int(0), how: None });
        }
        let mut known = table.ends_near(start)?;
        if table.game.asks_both() {
            for (line, state) in ends {
                *place = Some(*line);
                known.push(table.end_values(state)?);
            }
        }
        let (how, source) = table.reading(&known);
        let sum = match how {
            UtilityKind::ConstantSum(sum) => sum,
            _ => Number::Int(0),
        };
        let kind = match how {
            UtilityKind::GeneralSum => EACH,
            how => how.utilities(source).kind,
        };
        Ok(Payoffs { kind, sum, how: Some(how) })
    }

    /// Whether a certificate says the same.
    pub fn check(&self, table: &mut Table<'_>, said: &Fact) -> Result<(), Rejected> {
        let (m, w) = table.game.machine();
        let kind = canonical_text(m, w, &said.arguments[0]);
        if kind == self.kind && said.figure(1)?.is(&of(self.sum)) {
            return Ok(());
        }
        let why = format!("by the rules it is utilities({},{})", self.kind, self.sum);
        Err(Rejected::at(said.line, why))
    }

    /// Half of what two players get: what play without an end is worth.
    pub fn half(&self) -> Expected {
        of(self.sum).over(&Expected::integer(2))
    }

    /// What an end is worth to a player; to the one behind the last what the last one loses.
    ///
    /// # Errors
    /// A limit struck, or an error in a rule.
    pub fn worth(
        &self,
        table: &mut Table<'_>,
        (line, state): (u64, &Packed),
        player: Player,
    ) -> Found<Expected> {
        let untold = |why: &str| Err(Rejected::at(line, why).into());
        let game = &mut table.game;
        let is_nobody = usize::from(player) >= game.players();
        let role = game.roles().utility.or(game.roles().heuristic);
        let by_player = role.is_some_and(|role| role.with_player);
        let worth = match self.how {
            None if is_nobody => of(game.utility(state, player - 1)?.0).negated(),
            None if game.players() > 1 && !by_player => return untold(IMPERSONAL),
            None => of(game.utility(state, player)?.0),
            Some(UtilityKind::GeneralSum) => {
                game.read_as(UtilityKind::GeneralSum);
                of(game.utility(state, player)?.0)
            }
            Some(UtilityKind::MoverOnly) => {
                game.read_as(UtilityKind::MoverOnly);
                if game.player(state) == CHANCE && !by_player {
                    return untold(IMPERSONAL);
                }
                let mover = game.valued_for(state);
                let own = of(game.utility(state, mover)?.0);
                if mover == player { own } else { own.negated() }
            }
            Some(UtilityKind::ConstantSum(sum)) => {
                let EndValues { mover, own, theirs, .. } = table.end_values(state)?;
                if let (Some(own), Some(theirs)) = (own, theirs)
                    && !add_up(own, theirs, sum)
                {
                    return untold("what both players get adds up to something else");
                }
                let (ours, others) = if mover == player { (own, theirs) } else { (theirs, own) };
                match (ours, others) {
                    (Some(ours), _) => of(ours),
                    (None, Some(others)) => of(sum).minus(&of(others)),
                    (None, None) => return untold(UNTOLD),
                }
            }
        };
        Ok(match worth {
            Expected::Float(worth) => Expected::Float(worth + 0.0),
            worth => worth,
        })
    }
}

fn of(number: Number) -> Expected {
    Expected::of(GameValue(number))
}

/// A fraction whose denominator is not zero.
pub(super) fn part(above: BigInt, below: &BigInt) -> Expected {
    Expected::fraction(above, below.clone()).unwrap_or_else(Expected::zero)
}
