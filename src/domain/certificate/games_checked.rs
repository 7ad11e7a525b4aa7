//! Checking certificates of games.

use super::figures::Figure;
use super::games::{BOUNDS, EACH, VALUE};
use super::payoffs::part;
use super::records::{Fact, Facts};
use super::seats::{begin, seat_of};
use super::starts::Start;
use super::{Accepted, Found, ProvedNumbers, Rejected, split};
use super::{strategies_checked, table_checked};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::game::{Table, with_plain_game};
use num_bigint::{BigInt, Sign};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Number, Worth};
use zug_search::Limits;
use zug_search::game::{Expected, Player};
use zug_term::Record;

/// What a certificate says.
pub(super) struct Stated {
    start: Start,
    pub player: Fact,
    pub utilities: Fact,
    pub value: Fact,
    pub claim: Claim,
    /// Positions of strategies, or of a table.
    pub positions: Vec<Fact>,
}

/// What the game is worth.
pub(super) enum Claim {
    /// To the player to move.
    Value(Figure),
    /// To each of these players.
    Values(Fact, Vec<Record>, Vec<Figure>),
    /// At least and at most, to one player.
    Bounds(Bounds),
}

/// What a game is worth at least and at most: multiples of 1 by a scale, above half of what both players get.
pub(super) struct Bounds {
    pub scale: BigInt,
    /// At least, and at most.
    pub units: [BigInt; 2],
    /// The same as the rules mean it.
    meant: [Expected; 2],
}

impl Bounds {
    fn of((scale, between, utilities): (&Fact, &Fact, &Fact)) -> Result<Bounds, Rejected> {
        let below = scale.units(0)?;
        if below.sign() != Sign::Plus {
            return Err(Rejected::at(scale.line, "the scale is not greater than 0"));
        }
        let Figure::Whole(sum) = utilities.figure(1)? else {
            return Err(Rejected::at(utilities.line, "the sum is not exact"));
        };
        let half = Expected::integer(sum).over(&Expected::integer(2));
        let units = [between.units(1)?, between.units(2)?];
        let meant = units.clone().map(|units| half.plus(&part(units, &below)));
        Ok(Bounds { scale: below, units, meant })
    }
}

/// Checks a certificate of the value of a game.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (kind, facts): (&str, Facts),
    (limits, place): (&Limits, &mut Option<u64>),
) -> Found<Accepted> {
    let records = facts.0.len() as u64;
    let stated = stated(m, kind, facts)?;
    let at = usize::from(!matches!(stated.claim, Claim::Values(..)));
    let others = stated.positions.iter().map(|fact| &fact.arguments[at + 1]);
    stated.start.check(m, w, contract, others)?;
    with_plain_game(m, w, limits, |table| split(check_positions(table, &stated, place)))??;
    let (proves, proved) = (words(m, w, &stated), proved(&stated));
    Ok(Accepted { kind: kind.to_owned(), proves, proved, records })
}

fn check_positions(table: &mut Table<'_>, stated: &Stated, place: &mut Option<u64>) -> Found<()> {
    let start = begin(table, (&stated.start.state, &stated.start.origin), &stated.player)?;
    match &stated.claim {
        Claim::Values(said, players, values) => {
            table_checked::check(table, stated, (said, players, values), &start, place)
        }
        _ => strategies_checked::check(table, stated, &start, place),
    }
}

fn stated(m: &Machine, kind: &str, mut facts: Facts) -> Result<Stated, Rejected> {
    let start = Start::take(m, &mut facts)?;
    let (player, utilities) = (facts.take("player", 1)?, facts.take("utilities", 2)?);
    let value = match kind {
        BOUNDS => facts.take("between", 3)?,
        kind => facts.take(kind, 1)?,
    };
    let (claim, record, arities) = match kind {
        VALUE => (Claim::Value(value.figure(0)?), "holds", 4..=5),
        BOUNDS => {
            let scale = facts.take("scale", 1)?;
            (Claim::Bounds(Bounds::of((&scale, &value, &utilities))?), "gets", 5..=6)
        }
        _ => {
            let players = facts.take("players", 1)?;
            let listed = players.list(0);
            let listed =
                listed.ok_or_else(|| Rejected::at(players.line, "the players are no list"))?;
            (Claim::Values(players, listed, value.figures(0)?), "worth", 4..=4)
        }
    };
    if let Some(fact) =
        facts.0.iter().find(|fact| fact.name != record || !arities.contains(&fact.arguments.len()))
    {
        return Err(fact.foreign(kind));
    }
    Ok(Stated { start, player, utilities, value, claim, positions: facts.0 })
}

/// A state of a record with the player to move by the record; no goal of the rules runs.
pub(super) fn position(table: &mut Table<'_>, fact: &Fact, at: usize) -> Found<(Packed, Player)> {
    let [mover, state] = [&fact.arguments[at], &fact.arguments[at + 1]];
    match table.game.met_player(mover) {
        Some(mover) => Ok((table.game.pack_unasked(mover, state)?, mover)),
        None => Err(Rejected::at(fact.line, "there is no such player").into()),
    }
}

/// What is proved, in numbers.
fn proved(stated: &Stated) -> ProvedNumbers {
    match &stated.claim {
        Claim::Value(value) => ProvedNumbers {
            player: stated.player.arguments.first().cloned(),
            value: Some(number(value)),
            ..ProvedNumbers::default()
        },
        Claim::Values(_, players, values) => {
            let worth = |(player, value): (&Record, &Figure)| Worth {
                player: player.clone(),
                value: number(value),
            };
            ProvedNumbers {
                values: players.iter().zip(values).map(worth).collect(),
                ..ProvedNumbers::default()
            }
        }
        Claim::Bounds(bounds) => ProvedNumbers {
            player: stated.value.arguments.first().cloned(),
            bounds: Some(bounds.meant.clone().map(Into::into)),
            ..ProvedNumbers::default()
        },
    }
}

/// A number that was proved.
fn number(figure: &Figure) -> Number {
    match figure {
        Figure::Whole(value) => Number::exact(value.clone().into()),
        Figure::Fraction(above, below) => part(above.clone(), below).into(),
        Figure::Float(value) => Number::Float(*value),
    }
}

/// What is proved, in words.
fn words(m: &Machine, w: &World, stated: &Stated) -> String {
    let from = stated.start.words(m, w);
    let text = |fact: &Fact| canonical_text(m, w, &fact.arguments[0]);
    match &stated.claim {
        Claim::Value(_) => {
            let (value, player) = (text(&stated.value), text(&stated.player));
            format!("the game {from} is worth {value} to {player}, who is to move")
        }
        Claim::Values(_, players, _) => {
            let players: Vec<String> =
                players.iter().map(|player| canonical_text(m, w, player)).collect();
            let (values, players) = (text(&stated.value), players.join(", "));
            let worth = format!("the game {from} is worth {values} to {players}");
            match text(&stated.utilities).as_str() {
                EACH => {
                    format!(
                        "{worth}, if players make the first of moves that are equally good to them"
                    )
                }
                _ => worth,
            }
        }
        Claim::Bounds(bounds) => {
            let player = text(&stated.value);
            let [low, high] = &bounds.meant;
            match low == high {
                true => format!("the game {from} is worth {low} to {player}"),
                false => format!("the game {from} is worth from {low} to {high} to {player}"),
            }
        }
    }
}

/// That a move leads to a state that is not listed.
pub(super) fn left_out(table: &mut Table<'_>, line: u64, state: &Packed) -> Rejected {
    let state = table.game.state_term(state);
    let (m, w) = table.game.machine();
    let state = canonical_text(m, w, &state);
    Rejected::at(line, format!("a move leads to {state}, which is not listed"))
}

/// The seats of players that a certificate lists, who have to be those of the rules.
pub(super) fn seats(
    table: &mut Table<'_>,
    (said, players): (&Fact, &[Record]),
    count: usize,
) -> Result<Vec<usize>, Rejected> {
    let others = || Rejected::at(said.line, "the players are others");
    if players.len() != count {
        return Err(others());
    }
    let mut seats = Vec::with_capacity(count);
    for player in players {
        seats.push(usize::from(seat_of(table, player, said.line)?));
    }
    let mut sorted = seats.clone();
    sorted.sort_unstable();
    if sorted.into_iter().eq(0..count) { Ok(seats) } else { Err(others()) }
}
