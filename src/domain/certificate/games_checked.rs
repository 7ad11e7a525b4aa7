//! Checking certificates of games.

use super::records::{Fact, Facts};
use super::{Accepted, Checked, Origin, Rejected, is_start, origin_words};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::game::{GameValue, Table, with_plain_game};
use zug_certificate::{Holding, StrategyClaim, StrategyFault, check_strategy};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::Utilities;
use zug_search::Limits;
use zug_search::game::{Game, Value};
use zug_state::Number;
use zug_term::Record;

/// What a certificate says.
struct Stated {
    line: u64,
    origin: Origin,
    start: Record,
    player: Fact,
    utilities: Fact,
    value: Number,
    value_line: u64,
    /// Positions of strategies.
    positions: Vec<Fact>,
}

/// Checks a certificate of the value of a game.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    facts: Facts,
    limits: &Limits,
) -> Result<Checked, Box<RuleError>> {
    let records = facts.0.len() as u64;
    let stated = match stated(m, facts) {
        Ok(stated) => stated,
        Err(rejected) => return Ok(Err(rejected)),
    };
    if !is_start(m, w, contract, (&stated.origin, &stated.start))? {
        return Ok(Err(Rejected::at(stated.line, "the rules do not begin there")));
    }
    let checked = with_plain_game(m, w, limits, |table| check_in(table, &stated))?;
    Ok(checked.map(|()| {
        let from = origin_words(m, w, (&stated.origin, &stated.start));
        let (player, value) = (stated.player.text(m, w, 0), stated.value);
        let proves = format!("the game {from} is worth {value} to {player}, who is to move");
        Accepted { kind: super::games::KIND.to_owned(), proves, records }
    }))
}

fn stated(m: &mut Machine, mut facts: Facts) -> Result<Stated, Rejected> {
    let (line, origin, start) = facts.start(m)?;
    let (player, utilities) = (facts.take("player", 1)?, facts.take("utilities", 2)?);
    let value = facts.take("value", 1)?;
    let (value_line, value) = (value.line, value.number(m, 0)?);
    for fact in &facts.0 {
        if fact.name != "holds" || !(4..=5).contains(&fact.arguments.len()) {
            let (name, arity) = (&fact.name, fact.arguments.len());
            let why = format!("a certificate of kind `value` has no record {name}/{arity}");
            return Err(Rejected::at(fact.line, why));
        }
    }
    let positions = facts.0;
    Ok(Stated { line, origin, start, player, utilities, value, value_line, positions })
}

fn check_in(
    table: &mut Table<'_>,
    stated: &Stated,
) -> Result<Result<(), Rejected>, Box<RuleError>> {
    let player = &stated.player.arguments[0];
    let start = table.position(Some(player), &stated.start)?;
    if let Some(rejected) = other_utilities(table, stated)? {
        return Ok(Err(rejected));
    }
    let mover = table.game.player(&start);
    let balanced = table.game.balanced(GameValue(stated.value))?;
    let mut lists: [Vec<Holding<Packed, String>>; 2] = [Vec::new(), Vec::new()];
    for fact in &stated.positions {
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
            Err(StrategyFault::Failed(error)) => return Err(error),
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
    if table.game.has_chance() || table.game.players() != 2 || table.is_general_sum()? {
        let why = "the game is none of two players, one of whom gets what the other loses";
        return Ok(Some(Rejected::at(stated.value_line, why)));
    }
    let Some(Utilities { kind, sum }) = table.described_utilities() else { return Ok(None) };
    let sum = sum.unwrap_or_else(|| "0".to_owned());
    let (m, w) = table.game.machine();
    let said = (stated.utilities.text(m, w, 0), stated.utilities.text(m, w, 1));
    if said == (kind.to_owned(), sum.clone()) {
        return Ok(None);
    }
    let why = format!("by the rules it is utilities({kind},{sum})");
    Ok(Some(Rejected::at(stated.utilities.line, why)))
}

/// A position as the check wants it.
fn holding(
    table: &mut Table<'_>,
    fact: &Fact,
) -> Result<Result<Holding<Packed, String>, Rejected>, Box<RuleError>> {
    let (m, w) = table.game.machine();
    let rank = match fact.number(m, 3) {
        Ok(Number::Int(rank)) if rank >= 0 => rank as u64,
        Ok(_) => return Ok(Err(Rejected::at(fact.line, "its rank is no natural number"))),
        Err(rejected) => return Ok(Err(rejected)),
    };
    let mv = (fact.arguments.len() == 5).then(|| fact.text(m, w, 4));
    let mover = table.game.seat(&fact.arguments[1])?;
    let state = table.position(Some(&fact.arguments[1]), &fact.arguments[2])?;
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
            Rejected::at(line, format!("the end is worth {worth} to {player}, less than is claimed"))
        }
        StrategyFault::Choice(line) => {
            let why = format!("there must be a move where {player} is to move, and nowhere else");
            Rejected::at(line, why)
        }
        StrategyFault::Move(line) => {
            let why = "the move is not legal, or leads to no position of the strategy of lower rank";
            Rejected::at(line, why)
        }
        StrategyFault::LeftOut(line, state) => {
            let state = table.game.state_term(&state);
            let (m, w) = table.game.machine();
            let state = canonical_text(m, w, &state);
            Rejected::at(line, format!("a move leads to {state}, which is not listed"))
        }
        StrategyFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
        StrategyFault::Chance(line) => Rejected::at(line, "chance moves there"),
        StrategyFault::Failed(error) => Rejected::new(error.predicate),
    }
}
