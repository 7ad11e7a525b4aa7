//! Checking the values of all states of a game.

use super::figures::Figure;
use super::games_checked::{Stated, left_out, position, seats};
use super::payoffs::{Ends, Payoffs};
use super::records::Fact;
use super::{Found, Rejected};
use crate::Packed;
use crate::error::RuleError;
use crate::game::Table;
use zug_certificate::{Ranked, Row, ValuesFault, check_values, rows};
use zug_search::game::{Expected, Game, Player};
use zug_term::Record;

/// Why a table proves nothing: what is wrong with it, or with the rules.
enum Stop {
    Rejected(Rejected),
    Failed(Box<RuleError>),
}

/// Checks the values of all states.
pub(super) fn check(
    table: &mut Table<'_>,
    stated: &Stated,
    (said, players, claimed): (&Fact, &[Record], &[Figure]),
    start: &Packed,
    place: &mut Option<u64>,
) -> Found<()> {
    let (mut ranked, mut given) = (Vec::new(), Vec::new());
    let count = table.game.players();
    let seats = match seats(table, (said, players), count) {
        Ok(seats) => seats,
        Err(rejected) => return Ok(Err(rejected)),
    };
    for fact in &stated.positions {
        *place = Some(fact.line);
        let (state, _) = match position(table, fact, 0)? {
            Ok(position) => position,
            Err(rejected) => return Ok(Err(rejected)),
        };
        match (fact.rank(2), fact.figures(3)) {
            (Ok(rank), Ok(values)) if values.len() == count => {
                ranked.push(Ranked { line: fact.line, state, rank });
                given.push(values);
            }
            (Err(rejected), _) | (_, Err(rejected)) => return Ok(Err(rejected)),
            _ => return Ok(Err(Rejected::at(fact.line, "there is not one value for each player"))),
        }
    }
    let (found, root) = match rows(&mut table.game, start, &ranked) {
        Ok(found) => found,
        Err(ValuesFault::Failed(line, error)) => {
            *place = Some(line);
            return Err(error.into());
        }
        Err(fault) => return Ok(Err(unproved(table, fault))),
    };
    let is_end = |(_, row): &(&Ranked<Packed>, &Row)| **row == Row::End;
    let ends = ranked.iter().zip(&found).filter(is_end);
    let ends: Ends = ends.map(|(row, _)| (row.line, row.state.clone())).collect();
    let payoffs = Payoffs::of(table, start, &ends, place)?;
    if let Err(rejected) = payoffs.check(table, &stated.utilities) {
        return Ok(Err(rejected));
    }
    let end = |row: &Ranked<Packed>| {
        *place = Some(row.line);
        let worth = |seat: usize| {
            let worth = payoffs.worth(table, (row.line, &row.state), seat as Player);
            worth.map_err(Stop::Failed)?.map_err(Stop::Rejected)
        };
        (0..count).map(worth).collect()
    };
    let checked = check_values(count, (&ranked, &found), end, |at, values| {
        let is_exact = values.iter().all(Expected::is_exact);
        if matches!(found[at], Row::Chance(_)) && !is_exact {
            let why = "nothing exact follows from floats";
            return Err(Stop::Rejected(Rejected::at(ranked[at].line, why)));
        }
        if are(&seats, &given[at], values) {
            return Ok(());
        }
        let values: Vec<String> = seats.iter().map(|&seat| values[seat].to_string()).collect();
        let why = format!("by what it leads to it is worth {}", values.join(", "));
        Err(Stop::Rejected(Rejected::at(ranked[at].line, why)))
    });
    match checked {
        Ok(()) if given[root] == *claimed => Ok(Ok(())),
        Ok(()) => Ok(Err(Rejected::at(stated.value.line, "the start is worth something else"))),
        Err(Stop::Rejected(rejected)) => Ok(Err(rejected)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Whether numbers of a certificate, in the order of these seats, are the values of the seats.
fn are(seats: &[usize], given: &[Figure], values: &[Expected]) -> bool {
    seats.iter().zip(given).all(|(&seat, given)| given.is(&values[seat]))
}

/// What is wrong with a table, in words.
fn unproved(table: &mut Table<'_>, fault: ValuesFault<Packed>) -> Rejected {
    match fault {
        ValuesFault::Start => Rejected::new("the start is not in the table"),
        ValuesFault::Twice(line) => Rejected::at(line, "the state is listed before"),
        ValuesFault::Unreached(line) => Rejected::at(line, "nothing leads there from the start"),
        ValuesFault::LeftOut(line, state) => left_out(table, line, &state),
        ValuesFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
        ValuesFault::Failed(line, error) => {
            Rejected::at(line, Box::<RuleError>::from(error).predicate)
        }
    }
}
