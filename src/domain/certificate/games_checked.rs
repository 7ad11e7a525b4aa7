//! Checking certificates of games.

use super::games::{BOUNDS, NOBODY, VALUE};
use super::records::{Fact, Facts};
use super::{Accepted, Checked, Origin, ProvedNumbers, Rejected, is_start, origin_words};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::game::{GameValue, Table, with_plain_game};
use num_bigint::{BigInt, Sign};
use zug_certificate::{
    Holding, StrategyClaim, StrategyFault, Valued, ValuesFault, check_strategy, check_values,
};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::Worth;
use zug_search::Limits;
use zug_search::game::{Expected, Game, Player};
use zug_state::Number;
use zug_term::Record;

/// What a certificate says.
struct Stated {
    line: u64,
    origin: Origin,
    start: Record,
    player: Fact,
    utilities: Fact,
    value: Fact,
    claim: Claim,
    /// Positions of strategies.
    positions: Vec<Fact>,
}

/// Checks a certificate of the value of a game.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (kind, facts): (&str, Facts),
    (limits, place): (&Limits, &mut Option<u64>),
) -> Result<Checked, Box<RuleError>> {
    let records = facts.0.len() as u64;
    let stated = match stated(m, kind, facts) {
        Ok(stated) => stated,
        Err(rejected) => return Ok(Err(rejected)),
    };
    if !is_start(m, w, contract, (&stated.origin, &stated.start))? {
        return Ok(Err(Rejected::at(stated.line, "the rules do not begin there")));
    }
    let checked = with_plain_game(m, w, limits, |table| match &stated.claim {
        Claim::Value(_) | Claim::Bounds(_) => check_both(table, &stated, place),
        Claim::Values(..) => check_table(table, &stated, place),
    })?;
    let kind = kind.to_owned();
    Ok(checked.map(|()| {
        let (proves, proved) = (words(m, w, &stated), proved(&stated));
        Accepted { kind, proves, proved, records }
    }))
}

/// What is proved, in numbers.
fn proved(stated: &Stated) -> ProvedNumbers {
    match &stated.claim {
        Claim::Value(value) => ProvedNumbers {
            player: stated.player.arguments.first().cloned(),
            value: Some((*value).into()),
            ..ProvedNumbers::default()
        },
        Claim::Values(players, values) => {
            let worth = |(player, value): (&Record, &Expected)| Worth {
                player: player.clone(),
                value: value.clone().into(),
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

/// What is proved, in words.
fn words(m: &Machine, w: &World, stated: &Stated) -> String {
    let from = origin_words(m, w, (&stated.origin, &stated.start));
    match &stated.claim {
        Claim::Value(value) => {
            let player = stated.player.text(m, w, 0);
            format!("the game {from} is worth {value} to {player}, who is to move")
        }
        Claim::Values(players, _) => {
            let values = stated.value.text(m, w, 0);
            let players: Vec<String> =
                players.iter().map(|player| canonical_text(m, w, player)).collect();
            let players = players.join(", ");
            let worth = format!("the game {from} is worth {values} to {players}");
            match stated.utilities.text(m, w, 0).as_str() {
                super::games::EACH => {
                    format!(
                        "{worth}, if players make the first of moves that are equally good to them"
                    )
                }
                _ => worth,
            }
        }
        Claim::Bounds(bounds) => {
            let player = stated.value.text(m, w, 0);
            let [low, high] = &bounds.meant;
            match low == high {
                true => format!("the game {from} is worth {low} to {player}"),
                false => format!("the game {from} is worth from {low} to {high} to {player}"),
            }
        }
    }
}

/// What the game is worth.
enum Claim {
    /// To the player to move.
    Value(Number),
    /// To each of these players.
    Values(Vec<Record>, Vec<Expected>),
    /// At least and at most, to one player.
    Bounds(Bounds),
}

/// What a game is worth at least and at most.
struct Bounds {
    /// Bounds are multiples of 1 by this, above half of what both players get.
    scale: BigInt,
    /// At least, and at most.
    units: [BigInt; 2],
    /// The same as the rules mean it.
    meant: [Expected; 2],
}

impl Bounds {
    fn of(
        m: &Machine,
        (scale, between, utilities): (&Fact, &Fact, &Fact),
    ) -> Result<Bounds, Rejected> {
        let below = scale.integer(0)?;
        if below.sign() != Sign::Plus {
            return Err(Rejected::at(scale.line, "the scale is not greater than 0"));
        }
        let half = utilities.exact(m, 1)?.over(&Expected::integer(2));
        let units = [between.integer(1)?, between.integer(2)?];
        let meant = units.clone().map(|units| half.plus(&part(units, &below)));
        Ok(Bounds { scale: below, units, meant })
    }
}

/// A fraction whose denominator is not zero.
fn part(above: BigInt, below: &BigInt) -> Expected {
    Expected::fraction(above, below.clone()).unwrap_or_else(Expected::zero)
}

fn stated(m: &mut Machine, kind: &str, mut facts: Facts) -> Result<Stated, Rejected> {
    let (line, origin, start) = facts.start(m)?;
    let (player, utilities) = (facts.take("player", 1)?, facts.take("utilities", 2)?);
    let value = match kind {
        BOUNDS => facts.take("between", 3)?,
        kind => facts.take(kind, 1)?,
    };
    let (claim, record, arities) = match kind {
        VALUE => (Claim::Value(value.number(m, 0)?), "holds", 4..=5),
        BOUNDS => {
            let scale = facts.take("scale", 1)?;
            (Claim::Bounds(Bounds::of(m, (&scale, &value, &utilities))?), "gets", 5..=6)
        }
        _ => {
            let players = facts.take("players", 1)?;
            let listed = players.list(0);
            let listed =
                listed.ok_or_else(|| Rejected::at(players.line, "the players are no list"))?;
            (Claim::Values(listed, value.exacts(m, 0)?), "worth", 4..=4)
        }
    };
    for fact in &facts.0 {
        if fact.name != record || !arities.contains(&fact.arguments.len()) {
            let (name, arity) = (&fact.name, fact.arguments.len());
            let why = format!("a certificate of kind `{kind}` has no record {name}/{arity}");
            return Err(Rejected::at(fact.line, why));
        }
    }
    let positions = facts.0;
    Ok(Stated { line, origin, start, player, utilities, value, claim, positions })
}

/// Checks the strategies of both players.
fn check_both(
    table: &mut Table<'_>,
    stated: &Stated,
    place: &mut Option<u64>,
) -> Result<Result<(), Rejected>, Box<RuleError>> {
    let start = table.position(Some(&stated.player.arguments[0]), &stated.start)?;
    if let Some(rejected) = other_utilities(table, stated)? {
        return Ok(Err(rejected));
    }
    let claims = match claims(table, stated, table.game.player(&start))? {
        Ok(claims) => claims,
        Err(rejected) => return Ok(Err(rejected)),
    };
    let mut lists: [Vec<Holding<Packed, String>>; 2] = [Vec::new(), Vec::new()];
    for fact in &stated.positions {
        *place = Some(fact.line);
        let seat = seat_of(table, &fact.arguments[0])?;
        let holding = match holding(table, fact, &stated.claim)? {
            Ok(holding) => holding,
            Err(rejected) => return Ok(Err(rejected)),
        };
        if seat > 1 {
            return Ok(Err(Rejected::at(fact.line, "there is no such player")));
        }
        lists[usize::from(seat)].push(holding);
    }
    for claim in claims {
        let seat = claim.player;
        let list = &lists[usize::from(seat)];
        let checked = check_strategy(&mut table.game, &start, claim, list, |game, mv| {
            let mv = game.move_term(mv);
            let (m, w) = game.machine();
            canonical_text(m, w, &mv)
        });
        match checked {
            Ok(()) => {}
            Err(StrategyFault::Failed(line, error)) => {
                *place = Some(line);
                return Err(error);
            }
            Err(fault) => return Ok(Err(refuted(table, seat, fault))),
        }
    }
    Ok(Ok(()))
}

/// What either player is said to get at least from the start, in which a player is to move.
fn claims(
    table: &mut Table<'_>,
    stated: &Stated,
    mover: Player,
) -> Result<Result<[StrategyClaim; 2], Rejected>, Box<RuleError>> {
    let (player, values) = match &stated.claim {
        Claim::Bounds(bounds) => {
            let seat = seat_of(table, &stated.value.arguments[0])?;
            let [low, high] = bounds.units.clone();
            (seat, [bounded(table, bounds, low), bounded(table, bounds, -high)])
        }
        Claim::Value(value) => {
            let value = Expected::of(table.game.balanced(GameValue(*value))?);
            (mover, [value.clone(), value.negated()])
        }
        Claim::Values(..) => unreachable!("they have no strategies"),
    };
    if player > 1 {
        return Ok(Err(Rejected::at(stated.value.line, "there is no such player")));
    }
    let [own, other] = values;
    let other = StrategyClaim { player: player ^ 1, value: other };
    Ok(Ok([StrategyClaim { player, value: own }, other]))
}

/// A bound in units on the scale on which what one player gets is the negation of what the other gets.
fn bounded(table: &Table<'_>, bounds: &Bounds, units: BigInt) -> Expected {
    let meant = |value: i64| table.game.meant(Expected::integer(value));
    part(units, &bounds.scale).over(&meant(1).minus(&meant(0)))
}

/// The number of a player; who is alone plays against nobody.
fn seat_of(table: &mut Table<'_>, player: &Record) -> Result<Player, Box<RuleError>> {
    if table.game.players() == 1 {
        let (m, w) = table.game.machine();
        if canonical_text(m, w, player) == NOBODY {
            return Ok(1);
        }
    }
    table.game.seat(player)
}

/// Whether the rules mean other utilities than the certificate says.
fn other_utilities(
    table: &mut Table<'_>,
    stated: &Stated,
) -> Result<Option<Rejected>, Box<RuleError>> {
    table.weigh()?;
    let players = table.game.players();
    let fits = match stated.claim {
        Claim::Value(_) => players == 2,
        Claim::Bounds(_) => players <= 2,
        Claim::Values(..) => true,
    };
    let is_listed = matches!(stated.claim, Claim::Values(..));
    if !fits || !is_listed && table.game.is_general_sum() {
        let why = "the game is none of two players, one of whom gets what the other loses";
        return Ok(Some(Rejected::at(stated.value.line, why)));
    }
    let (kind, sum) = super::games::utilities(table);
    let (m, w) = table.game.machine();
    let said = (stated.utilities.text(m, w, 0), stated.utilities.text(m, w, 1));
    if said == (kind.to_owned(), sum.clone()) {
        return Ok(None);
    }
    let why = format!("by the rules it is utilities({kind},{sum})");
    Ok(Some(Rejected::at(stated.utilities.line, why)))
}

/// Checks the values of all states.
fn check_table(
    table: &mut Table<'_>,
    stated: &Stated,
    place: &mut Option<u64>,
) -> Result<Result<(), Rejected>, Box<RuleError>> {
    let Claim::Values(players, values) = &stated.claim else { unreachable!("there are values") };
    let start = table.position(Some(&stated.player.arguments[0]), &stated.start)?;
    if let Some(rejected) = other_utilities(table, stated)? {
        return Ok(Err(rejected));
    }
    let mut seats = Vec::with_capacity(players.len());
    for player in players {
        seats.push(usize::from(table.game.seat(player)?));
    }
    let mut sorted = seats.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..table.game.players()) {
        return Ok(Err(Rejected::at(stated.value.line, "the players are others")));
    }
    let mut rows = Vec::with_capacity(stated.positions.len());
    for fact in &stated.positions {
        *place = Some(fact.line);
        let there = match holding(table, fact, &stated.claim)? {
            Ok(there) => there,
            Err(rejected) => return Ok(Err(rejected)),
        };
        let own = match fact.exacts(table.game.machine().0, 3) {
            Ok(own) if own.len() == seats.len() => in_seats(&seats, own),
            _ => return Ok(Err(Rejected::at(fact.line, "there is not one value for each player"))),
        };
        rows.push(Valued { line: fact.line, state: there.state, rank: there.rank, values: own });
    }
    let checked = check_values(&mut table.game, &start, &rows);
    Ok(match checked {
        Ok(found) if values.len() == seats.len() && found == in_seats(&seats, values.clone()) => {
            Ok(())
        }
        Ok(_) => Err(Rejected::at(stated.value.line, "the start is worth something else")),
        Err(ValuesFault::Failed(line, error)) => {
            *place = Some(line);
            return Err(error);
        }
        Err(fault) => Err(unproved(table, fault)),
    })
}

/// Values in the order of seats, given in that of the certificate.
fn in_seats(seats: &[usize], given: Vec<Expected>) -> Vec<Expected> {
    let mut values = vec![Expected::zero(); given.len()];
    for (&seat, value) in seats.iter().zip(given) {
        values[seat] = value;
    }
    values
}

/// What is wrong with a table, in words.
fn unproved(table: &mut Table<'_>, fault: ValuesFault<Packed, Box<RuleError>>) -> Rejected {
    match fault {
        ValuesFault::Start => Rejected::new("the start is not in the table"),
        ValuesFault::Twice(line) => Rejected::at(line, "the state is listed before"),
        ValuesFault::Values(line, values) => {
            let values: Vec<String> = values.iter().map(Expected::to_string).collect();
            Rejected::at(line, format!("by what it leads to it is worth {}", values.join(", ")))
        }
        ValuesFault::LeftOut(line, state) => left_out(table, line, &state),
        ValuesFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
        ValuesFault::Failed(line, error) => Rejected::at(line, error.predicate),
    }
}

fn left_out(table: &mut Table<'_>, line: u64, state: &Packed) -> Rejected {
    let state = table.game.state_term(state);
    let (m, w) = table.game.machine();
    let state = canonical_text(m, w, &state);
    Rejected::at(line, format!("a move leads to {state}, which is not listed"))
}

/// A position as the check wants it: of a strategy, or of a table, whose records have no player of their own.
fn holding(
    table: &mut Table<'_>,
    fact: &Fact,
    claim: &Claim,
) -> Result<Result<Holding<Packed, String>, Rejected>, Box<RuleError>> {
    // Where the mover stands, and the move.
    let (first, choice) = match claim {
        Claim::Value(_) => (1, 4),
        Claim::Bounds(_) => (1, 5),
        Claim::Values(..) => (0, 4),
    };
    let (m, w) = table.game.machine();
    let rank = match fact.number(m, first + 2) {
        Ok(Number::Int(rank)) if rank >= 0 => rank as u64,
        Ok(_) => return Ok(Err(Rejected::at(fact.line, "its rank is no natural number"))),
        Err(rejected) => return Ok(Err(rejected)),
    };
    let mv = (fact.arguments.len() > choice).then(|| fact.text(m, w, choice));
    let worth = match claim {
        Claim::Bounds(bounds) => match fact.integer(4) {
            Ok(units) => Some(bounded(table, bounds, units)),
            Err(rejected) => return Ok(Err(rejected)),
        },
        _ => None,
    };
    let [mover, state] = [&fact.arguments[first], &fact.arguments[first + 1]];
    let state = table.position(Some(mover), state)?;
    let mover = table.game.seat(mover)?;
    if table.game.player(&state) != mover {
        return Ok(Err(Rejected::at(fact.line, "somebody else is to move there")));
    }
    Ok(Ok(Holding { line: fact.line, state, rank, worth, mv }))
}

/// What is wrong with a strategy, in words.
fn refuted(
    table: &mut Table<'_>,
    seat: Player,
    fault: StrategyFault<Packed, Box<RuleError>>,
) -> Rejected {
    let player = match usize::from(seat) < table.game.players() {
        true => {
            let player = table.game.player_term(seat);
            let (m, w) = table.game.machine();
            canonical_text(m, w, &player)
        }
        false => NOBODY.to_owned(),
    };
    match fault {
        StrategyFault::Start => Rejected::new(format!(
            "the start is not among the positions of {player}, or is worth less there"
        )),
        StrategyFault::Twice(line) => Rejected::at(line, "the position is listed before"),
        StrategyFault::End(line, worth) => {
            let worth = zug_report::Number::from(worth);
            let why = format!("the end is worth {worth} to {player}, less than is claimed");
            Rejected::at(line, why)
        }
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
        StrategyFault::Inexact(line) => {
            Rejected::at(line, "the rules say floats there, of which nothing exact follows")
        }
        StrategyFault::Failed(line, error) => Rejected::at(line, error.predicate),
    }
}
