//! Checking certificates of games.

use super::records::{Fact, Facts};
use super::{Accepted, Checked, Origin, Rejected, is_start, origin_words};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::game::{GameValue, Table, with_plain_game};
use zug_certificate::{
    Holding, StrategyClaim, StrategyFault, Valued, ValuesFault, check_strategy, check_values,
};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_search::game::{Expected, Game, Value};
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
        Claim::Value(_) => check_value(table, &stated, place),
        Claim::Values(..) => check_table(table, &stated, place),
    })?;
    let kind = kind.to_owned();
    Ok(checked.map(|()| Accepted { kind, proves: words(m, w, &stated), records }))
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
    }
}

/// What the game is worth.
enum Claim {
    /// To the player to move.
    Value(Number),
    /// To each of these players.
    Values(Vec<Record>, Vec<Expected>),
}

fn stated(m: &mut Machine, kind: &str, mut facts: Facts) -> Result<Stated, Rejected> {
    let (line, origin, start) = facts.start(m)?;
    let (player, utilities) = (facts.take("player", 1)?, facts.take("utilities", 2)?);
    let value = facts.take(kind, 1)?;
    let (claim, record, arities) = if kind == super::games::VALUE {
        (Claim::Value(value.number(m, 0)?), "holds", 4..=5)
    } else {
        let players = facts.take("players", 1)?;
        let listed = players.list(0);
        let listed = listed.ok_or_else(|| Rejected::at(players.line, "the players are no list"))?;
        (Claim::Values(listed, value.exacts(m, 0)?), "worth", 4..=4)
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
fn check_value(
    table: &mut Table<'_>,
    stated: &Stated,
    place: &mut Option<u64>,
) -> Result<Result<(), Rejected>, Box<RuleError>> {
    let player = &stated.player.arguments[0];
    let start = table.position(Some(player), &stated.start)?;
    if let Some(rejected) = other_utilities(table, stated)? {
        return Ok(Err(rejected));
    }
    let Claim::Value(value) = stated.claim else { unreachable!("there is a value") };
    let mover = table.game.player(&start);
    let balanced = table.game.balanced(GameValue(value))?;
    let mut lists: [Vec<Holding<Packed, String>>; 2] = [Vec::new(), Vec::new()];
    for fact in &stated.positions {
        *place = Some(fact.line);
        let seat = table.game.seat(&fact.arguments[0])?;
        let holding = match holding(table, fact)? {
            Ok(holding) => holding,
            Err(rejected) => return Ok(Err(rejected)),
        };
        if seat > 1 {
            return Ok(Err(Rejected::at(fact.line, "there is no such player")));
        }
        lists[usize::from(seat)].push(holding);
    }
    for (seat, value) in [(mover, balanced), (mover ^ 1, balanced.negated())] {
        let claim = StrategyClaim { player: seat, value };
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

/// Whether the rules mean other utilities than the certificate says.
fn other_utilities(
    table: &mut Table<'_>,
    stated: &Stated,
) -> Result<Option<Rejected>, Box<RuleError>> {
    table.weigh()?;
    let apart = table.game.players() != 2 || table.game.is_general_sum();
    if matches!(stated.claim, Claim::Value(_)) && (apart || table.game.has_chance()) {
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
        let there = match holding(table, fact)? {
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
) -> Result<Result<Holding<Packed, String>, Rejected>, Box<RuleError>> {
    let (m, w) = table.game.machine();
    let first = usize::from(fact.name == "holds");
    let rank = match fact.number(m, first + 2) {
        Ok(Number::Int(rank)) if rank >= 0 => rank as u64,
        Ok(_) => return Ok(Err(Rejected::at(fact.line, "its rank is no natural number"))),
        Err(rejected) => return Ok(Err(rejected)),
    };
    let mv = (fact.name == "holds" && fact.arguments.len() == 5).then(|| fact.text(m, w, 4));
    let [mover, state] = [&fact.arguments[first], &fact.arguments[first + 1]];
    let state = table.position(Some(mover), state)?;
    let mover = table.game.seat(mover)?;
    if table.game.player(&state) != mover {
        return Ok(Err(Rejected::at(fact.line, "somebody else is to move there")));
    }
    Ok(Ok(Holding { line: fact.line, state, rank, mv }))
}

/// What is wrong with a strategy, in words.
fn refuted(
    table: &mut Table<'_>,
    seat: u8,
    fault: StrategyFault<Packed, GameValue, Box<RuleError>>,
) -> Rejected {
    let player = table.game.player_term(seat);
    let (m, w) = table.game.machine();
    let player = canonical_text(m, w, &player);
    match fault {
        StrategyFault::Start => {
            Rejected::new(format!("the start is not among the positions of {player}"))
        }
        StrategyFault::Twice(line) => Rejected::at(line, "the position is listed before"),
        StrategyFault::End(line, worth) => {
            let worth = zug_report::Number::from(worth.0);
            Rejected::at(
                line,
                format!("the end is worth {worth} to {player}, less than is claimed"),
            )
        }
        StrategyFault::Choice(line) => {
            let why = format!("there must be a move where {player} is to move, and nowhere else");
            Rejected::at(line, why)
        }
        StrategyFault::Move(line) => {
            let why =
                "the move is not legal, or leads to no position of the strategy of lower rank";
            Rejected::at(line, why)
        }
        StrategyFault::LeftOut(line, state) => left_out(table, line, &state),
        StrategyFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
        StrategyFault::Chance(line) => Rejected::at(line, "chance moves there"),
        StrategyFault::Failed(line, error) => Rejected::at(line, error.predicate),
    }
}
