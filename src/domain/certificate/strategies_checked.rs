//! Checking of strategies of both players: the lower bound that one guarantees, and the upper bound of the other.

use super::figures::Figure;
use super::games::EACH;
use super::games_checked::{Claim, Stated, left_out, position};
use super::payoffs::{Ends, Payoffs, part};
use super::records::Fact;
use super::seats::{NOBODY, seat_of};
use super::{Found, Refusal, Rejected};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::game::Table;
use crate::simultaneous::same;
use zug_certificate::{End, Holding, StrategyClaim, StrategyFault, check_strategy};
use zug_search::game::{Expected, Game, Player};
use zug_term::Record;

/// The name of a move.
#[derive(Debug)]
struct Name(Record);

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        same(&self.0, &other.0)
    }
}

/// What is claimed: to whom it is worth so much, what play without an end is worth twice, and what it is worth to that
/// player at least and at most.
struct Claimed {
    seat: Player,
    base: Expected,
    low: Expected,
    high: Expected,
}

/// Checks the strategies of both players.
pub(super) fn check(
    table: &mut Table<'_>,
    stated: &Stated,
    start: &Packed,
    place: &mut Option<u64>,
) -> Found<()> {
    let claimed = claimed(table, stated)?;
    let mut lists: [Vec<Holding<Packed, Name>>; 2] = [Vec::new(), Vec::new()];
    for fact in &stated.positions {
        *place = Some(fact.line);
        let seat = usize::from(seat_of(table, &fact.arguments[0], fact.line)?);
        if seat > 1 {
            return Err(Rejected::at(fact.line, "there is no such player").into());
        }
        let base = if seat == usize::from(claimed.seat) {
            claimed.base.clone()
        } else {
            claimed.base.negated()
        };
        lists[seat].push(holding(table, fact, &stated.claim, &base)?);
    }
    let Claimed { seat, base, low, high } = claimed;
    let own = StrategyClaim { player: seat, least: low, base: base.clone() };
    let other = StrategyClaim { player: seat ^ 1, least: high.negated(), base: base.negated() };
    let mut ends = Vec::new();
    for claim in [own, other] {
        let player = claim.player;
        let list = &lists[usize::from(player)];
        let checked = check_strategy(&mut table.game, start, claim, list, |game, mv| {
            Name(game.move_term(mv))
        });
        let found = checked.map_err(|fault| refuted(table, player, fault, place))?;
        ends.extend(found.into_iter().map(|end| (player, end)));
    }
    check_ends(table, (stated, start), (seat, &ends), place)
}

fn claimed(table: &mut Table<'_>, stated: &Stated) -> Result<Claimed, Rejected> {
    let no_sum = || Rejected::at(stated.utilities.line, "what ends are worth is not said");
    let base = match stated.utilities.figure(1)? {
        Figure::Fraction(..) => return Err(no_sum()),
        sum => sum.expected().ok_or_else(no_sum)?,
    };
    let players = table.game.players();
    let none = |why: &str| Err(Rejected::at(stated.value.line, why));
    match &stated.claim {
        Claim::Value(_) if players != 2 => none("the game is none of two players"),
        Claim::Value(value) => {
            let seat = seat_of(table, &stated.player.arguments[0], stated.player.line)?;
            let value = value.expected();
            let value = value.ok_or_else(|| {
                Rejected::at(stated.value.line, "no end is worth that to the player")
            })?;
            Ok(Claimed { seat, base, low: value.clone(), high: value })
        }
        Claim::Bounds(_) if players > 2 => none("the game is none of two players"),
        Claim::Bounds(bounds) => {
            let seat = seat_of(table, &stated.value.arguments[0], stated.value.line)?;
            let half = base.over(&Expected::integer(2));
            let [low, high] =
                bounds.units.clone().map(|units| half.plus(&part(units, &bounds.scale)));
            Ok(Claimed { seat, base, low, high })
        }
        Claim::Values(..) => unreachable!("they have no strategies"),
    }
}

/// A position as the check wants it. `base`: twice what play without an end is worth to its player.
fn holding(
    table: &mut Table<'_>,
    fact: &Fact,
    claim: &Claim,
    base: &Expected,
) -> Found<Holding<Packed, Name>> {
    let (choice, scale) = match claim {
        Claim::Bounds(bounds) => (5, Some(&bounds.scale)),
        _ => (4, None),
    };
    let worth = match scale {
        Some(scale) => Some(base.over(&Expected::integer(2)).plus(&part(fact.units(4)?, scale))),
        None => None,
    };
    let (line, rank) = (fact.line, fact.rank(3)?);
    let mv = fact.arguments.get(choice).cloned().map(Name);
    let (state, _) = position(table, fact, 1)?;
    Ok(Holding { line, state, rank, worth, mv })
}

/// Whether the ends that strategies lead to are worth what is claimed.
fn check_ends(
    table: &mut Table<'_>,
    (stated, start): (&Stated, &Packed),
    (seat, ends): (Player, &[(Player, End<Packed>)]),
    place: &mut Option<u64>,
) -> Found<()> {
    let states: Ends = ends.iter().map(|(_, end)| (end.line, end.state.clone())).collect();
    let payoffs = Payoffs::of(table, start, &states, place)?;
    payoffs.check(table, &stated.utilities)?;
    if payoffs.kind == EACH && table.game.players() == 2 {
        let why = "what one player gets the other does not lose: the game has no value";
        return Err(Rejected::at(stated.utilities.line, why).into());
    }
    let value = match &stated.claim {
        Claim::Value(value) => Some(value),
        _ => None,
    };
    let mut is_worth = value.is_none_or(|value| value.is(&payoffs.half()));
    for (player, End { line, state, least }) in ends {
        *place = Some(*line);
        let worth = payoffs.worth(table, (*line, state), seat)?;
        let own = if *player == seat { worth.clone() } else { worth.negated() };
        if own < *least {
            let worth = zug_report::Number::from(worth);
            let why = format!("the end is worth {worth} to the player, not what is claimed");
            return Err(Rejected::at(*line, why).into());
        }
        match value {
            Some(value) => is_worth |= value.is(&worth),
            None if !worth.is_exact() => return Err(inexact(*line).into()),
            None => {}
        }
    }
    match is_worth {
        true => Ok(()),
        false => Err(Rejected::at(stated.value.line, "no end is worth that to the player").into()),
    }
}

fn inexact(line: u64) -> Rejected {
    Rejected::at(line, "the rules say floats there, of which nothing exact follows")
}

/// What is wrong with a strategy, in words.
fn refuted(
    table: &mut Table<'_>,
    seat: Player,
    fault: StrategyFault<Packed>,
    place: &mut Option<u64>,
) -> Refusal {
    let player = match usize::from(seat) < table.game.players() {
        true => {
            let player = table.game.player_term(seat);
            let (m, w) = table.game.machine();
            canonical_text(m, w, &player)
        }
        false => NOBODY.to_owned(),
    };
    let rejected = match fault {
        StrategyFault::Failed(line, error) => {
            *place = Some(line);
            return error.into();
        }
        StrategyFault::Start => Rejected::new(format!(
            "the start is not among the positions of {player}, or is worth less there"
        )),
        StrategyFault::Twice(line) => Rejected::at(line, "the position is listed before"),
        StrategyFault::Unreached(line) => Rejected::at(line, "nothing leads there from the start"),
        StrategyFault::Choice(line) => {
            let why = format!("there must be a move where {player} is to move, and nowhere else");
            Rejected::at(line, why)
        }
        StrategyFault::Move(line) => {
            let why =
                "the move is not legal, or leads to no position worth as much and of lower rank";
            Rejected::at(line, why)
        }
        StrategyFault::LeftOut(line, state) => left_out(table, line, &state),
        StrategyFault::Less(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, which is worth less"))
        }
        StrategyFault::Mean(line, mean) => Rejected::at(
            line,
            format!("what chance leads to is worth {mean} in the mean, which is less"),
        ),
        StrategyFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
        StrategyFault::Inexact(line) => inexact(line),
    };
    rejected.into()
}
