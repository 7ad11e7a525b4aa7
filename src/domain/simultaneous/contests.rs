//! Matches and tournaments as predicates. `simultaneous.pl` gives them the forms that users
//! call.

use super::predicates::raise;
use super::{ContestResult, exact, play_match, play_tournament};
use crate::options::AT_ONCE;
use crate::predicates::{limit, said_by};
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_matrix::options::{ContestOptions, MATCH, TOURNAMENT};
use zug_matrix::repeated::{Standings, Tournament, Until};
use zug_options::{Row, Table, Within};
use zug_prolog::builtins::{Entry, World};
use zug_search::options::{NODES, TIME};
use zug_search::{Limits, StopReason};
use zug_term::{Cell, Record};

/// The built-ins under the predicates; all run goals.
pub const TABLE: &[Entry] =
    &[Entry::search("$match", 4, match_up), Entry::search("$tournament", 3, tournament)];

/// Rounds to win in a match.
pub const WINS: u64 = 50;
/// Rounds of a match of a tournament.
pub const ROUNDS: u64 = 200;
/// Matches of every two in a tournament.
pub const MATCHES: u64 = ContestOptions::MATCHES;

/// The options of matches and tournaments.
#[derive(Default)]
pub(crate) struct ContestArguments {
    contest: ContestOptions,
    limits: Limits,
}

static LIMITS: [Row<Limits>; 2] = [NODES, TIME];

/// The options of match/4 and tournament/3.
pub(crate) static OPTIONS: Table<ContestArguments, Cell> = Table(&[
    &Within(&MATCH, |asked: &mut ContestArguments| &mut asked.contest),
    &Within(&TOURNAMENT, |asked: &mut ContestArguments| &mut asked.contest),
    &Within(&LIMITS, |asked: &mut ContestArguments| &mut asked.limits),
]);

fn wanted(
    m: &mut Machine,
    w: &World,
    list: Cell,
    until: Until,
) -> Result<(Tournament, Limits), Fault> {
    let mut asked = ContestArguments::default();
    AT_ONCE.read(m, w, list, &OPTIONS, &mut asked)?;
    let ContestOptions { until: given, seed, matches } = asked.contest;
    let (until, seed) = (given.unwrap_or(until), seed.unwrap_or(1));
    Ok((Tournament { matches, until, seed }, asked.limits))
}

/// `'$match'(P1, P2, Score, Options)`.
fn match_up(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let wanted = wanted(m, w, a[3], Until::first_to(WINS));
    let (how, limits) = wanted.map_err(|fault| said_by(m, fault, "match", 4))?;
    let players = [a[0], a[1]].map(|player| Record::new(&mut m.heap, player));
    let base = m.roots.len();
    m.roots.push(a[2]);
    let players = [&players[0], &players[1]];
    let played = play_match(m, w, players, how.until, how.seed, &limits, &mut |_, _| {});
    let played = stopped(played, |report| report.stopped);
    let result = m.roots[base];
    m.roots.truncate(base);
    let score = answered(m, w, played, "match", 4)?.score;
    let [first, second] = score.payoffs.map(|payoff| exact::write(&mut m.heap, &payoff));
    let payoffs = m.heap.list_from(&[first, second], Cell::NIL);
    let [won, lost] = score.wins.map(|wins| number(m, wins));
    let drawn = number(m, score.draws);
    let name = m.symbols.intern("score");
    let score = m.heap.new_struct(name, &[won, drawn, lost, payoffs]);
    Ok(m.unify(result, score))
}

/// `'$tournament'(Players, Standings, Options)`.
fn tournament(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let wanted = wanted(m, w, a[2], Until::Rounds(ROUNDS));
    let (how, limits) = wanted.map_err(|fault| said_by(m, fault, "tournament", 3))?;
    let players = m.heap.proper_list(a[0]).unwrap_or_default();
    let players: Vec<Record> =
        players.into_iter().map(|player| Record::new(&mut m.heap, player)).collect();
    let base = m.roots.len();
    m.roots.push(a[1]);
    let played =
        play_tournament(m, w, &players.iter().collect::<Vec<_>>(), &how, &limits, &mut |_, _| {});
    let played = stopped(played, |standings| standings.stopped);
    let result = m.roots[base];
    m.roots.truncate(base);
    let standings = answered(m, w, played, "tournament", 3)?;
    let standings = standings_term(m, &players, &standings);
    Ok(m.unify(result, standings))
}

fn standings_term(m: &mut Machine, players: &[Record], standings: &Standings) -> Cell {
    let name = m.symbols.intern("standing");
    let mut items = Vec::with_capacity(players.len());
    for &at in &standings.ranking {
        let record = &standings.records[at];
        let player = players[at].instantiate(&mut m.heap);
        let [won, drawn, lost] =
            [record.won, record.drawn, record.lost].map(|count| number(m, count));
        let payoff = exact::write(&mut m.heap, &record.payoff);
        items.push(m.heap.new_struct(name, &[player, won, drawn, lost, payoff]));
    }
    m.heap.list_from(&items, Cell::NIL)
}

/// A report that a limit cut short is none.
fn stopped<T>(
    played: ContestResult<T>,
    reason: impl Fn(&T) -> Option<StopReason>,
) -> ContestResult<T> {
    Ok(played?.and_then(|report| match reason(&report) {
        Some(reason) => Err(reason),
        None => Ok(report),
    }))
}

fn answered<T>(
    m: &mut Machine,
    w: &World,
    played: ContestResult<T>,
    name: &str,
    arity: i64,
) -> Result<T, Fault> {
    match played {
        Ok(Ok(report)) => Ok(report),
        Ok(Err(reason)) => Err(limit(m, reason, name)),
        Err(error) => Err(raise(m, w, *error, name, arity)),
    }
}

fn number(m: &mut Machine, count: u64) -> Cell {
    m.heap.new_int(i64::try_from(count).unwrap_or(i64::MAX))
}
