//! Checking the values of all states of a game.

use super::figures::Figure;
use super::games_checked::{Stated, left_out, position, seats};
use super::payoffs::{Ends, Payoffs};
use super::records::Fact;
use super::{Found, Refusal, Rejected};
use crate::Packed;
use crate::game::Table;
use zug_certificate::{Ranked, Row, ValuesFault, check_values, rows};
use zug_search::game::{Expected, Game, Player};
use zug_term::Record;

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
    let seats = seats(table, (said, players), count)?;
    for fact in &stated.positions {
        *place = Some(fact.line);
        let (state, _) = position(table, fact, 0)?;
        let (rank, values) = (fact.rank(2)?, fact.figures(3)?);
        if values.len() != count {
            return Err(Rejected::at(fact.line, "there is not one value for each player").into());
        }
        ranked.push(Ranked { line: fact.line, state, rank });
        given.push(values);
    }
    let found = rows(&mut table.game, start, &ranked);
    let (found, root) = found.map_err(|fault| unproved(table, fault, place))?;
    let is_end = |(_, row): &(&Ranked<Packed>, &Row)| **row == Row::End;
    let ends = ranked.iter().zip(&found).filter(is_end);
    let ends: Ends = ends.map(|(row, _)| (row.line, row.state.clone())).collect();
    let payoffs = Payoffs::of(table, start, &ends, place)?;
    payoffs.check(table, &stated.utilities)?;
    let end = |row: &Ranked<Packed>| {
        *place = Some(row.line);
        let worth = |seat: usize| payoffs.worth(table, (row.line, &row.state), seat as Player);
        (0..count).map(worth).collect()
    };
    check_values(count, (&ranked, &found), end, |at, values| {
        let is_exact = values.iter().all(Expected::is_exact);
        if matches!(found[at], Row::Chance(_)) && !is_exact {
            let why = "nothing exact follows from floats";
            return Err(Rejected::at(ranked[at].line, why).into());
        }
        if are(&seats, &given[at], values) {
            return Ok(());
        }
        let values: Vec<String> = seats.iter().map(|&seat| values[seat].to_string()).collect();
        let why = format!("by what it leads to it is worth {}", values.join(", "));
        Err(Rejected::at(ranked[at].line, why).into())
    })?;
    match given[root] == *claimed {
        true => Ok(()),
        false => Err(Rejected::at(stated.value.line, "the start is worth something else").into()),
    }
}

/// Whether numbers of a certificate, in the order of these seats, are the values of the seats.
fn are(seats: &[usize], given: &[Figure], values: &[Expected]) -> bool {
    seats.iter().zip(given).all(|(&seat, given)| given.is(&values[seat]))
}

/// What is wrong with a table, in words.
fn unproved(table: &mut Table<'_>, fault: ValuesFault<Packed>, place: &mut Option<u64>) -> Refusal {
    let rejected = match fault {
        ValuesFault::Failed(line, error) => {
            *place = Some(line);
            return error.into();
        }
        ValuesFault::Start => Rejected::new("the start is not in the table"),
        ValuesFault::Twice(line) => Rejected::at(line, "the state is listed before"),
        ValuesFault::Unreached(line) => Rejected::at(line, "nothing leads there from the start"),
        ValuesFault::LeftOut(line, state) => left_out(table, line, &state),
        ValuesFault::Rank(line, other) => {
            Rejected::at(line, format!("a move leads to line {other}, whose rank is not lower"))
        }
    };
    rejected.into()
}
