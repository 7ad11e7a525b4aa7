//! Checking certificates of equilibria.

use super::equilibria::EQUILIBRIUM;
use super::records::{Fact, Facts};
use super::{Accepted, Checked, Origin, ProvedNumbers, Rejected, is_start, origin_words};
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::error::RuleError;
use crate::simultaneous::{Mix, Parts, Play, PlayFault, check_plays, players};
use zug_machine::Machine;
use zug_matrix::Rational;
use zug_prolog::builtins::World;
use zug_report::{Number, Worth};
use zug_search::game::Expected;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record};

/// Checks a certificate of an equilibrium.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    facts: Facts,
    place: &mut Option<u64>,
) -> Result<Checked, Box<RuleError>> {
    let records = facts.0.len() as u64;
    let stated = match Stated::of(m, facts) {
        Ok(stated) => stated,
        Err(rejected) => return Ok(Err(rejected)),
    };
    if let Some(rejected) = stated.wrong_claim(m, w, contract)? {
        return Ok(Err(rejected));
    }
    let mut at = None;
    let checked = check_plays(m, w, (&stated.start, &stated.values), &stated.plays, &mut at);
    *place = at.map(|at| stated.lines[at]);
    if let Err(fault) = checked? {
        return Ok(Err(stated.refuted(m, w, fault)));
    }
    let from = match stated.origin {
        Origin::Once => "of the game".to_owned(),
        _ => origin_words(m, w, (&stated.origin, &stated.start)),
    };
    let values: Vec<String> = stated.values.iter().map(Rational::to_string).collect();
    let players: Vec<String> =
        stated.players.iter().map(|player| canonical_text(m, w, player)).collect();
    let (values, players) = (values.join(","), players.join(", "));
    let worth = |(player, value): (&Record, &Rational)| Worth {
        player: player.clone(),
        value: Number::exact(value.clone()),
    };
    let worths = stated.players.iter().zip(&stated.values).map(worth).collect();
    let proved = ProvedNumbers { values: worths, ..ProvedNumbers::default() };
    let proves =
        format!("the strategies are an equilibrium {from}, which pays [{values}] to {players}");
    Ok(Ok(Accepted { kind: EQUILIBRIUM.to_owned(), proves, proved, records }))
}

/// What a certificate says.
struct Stated {
    line: u64,
    origin: Origin,
    start: Record,
    /// The line of the players.
    second: u64,
    players: Vec<Record>,
    values: Vec<Rational>,
    plays: Vec<Play>,
    /// The lines of the plays.
    lines: Vec<u64>,
}

impl Stated {
    fn of(m: &Machine, mut facts: Facts) -> Result<Stated, Rejected> {
        let (line, origin, start) = facts.start(m)?;
        let players = facts.take("players", 1)?;
        let second = players.line;
        let players = players.list(0);
        let players = players.ok_or_else(|| Rejected::at(second, "the players are no list"))?;
        let values = rationals(m, &facts.take("values", 1)?, 0)?;
        let lines = facts.0.iter().map(|fact| fact.line).collect();
        let plays = facts.0.iter().map(|fact| play(m, fact));
        let plays = plays.collect::<Result<Vec<Play>, Rejected>>()?;
        Ok(Stated { line, origin, start, second, players, values, plays, lines })
    }

    /// What is wrong with the start or the players.
    fn wrong_claim(
        &self,
        m: &mut Machine,
        w: &mut World,
        contract: &Contract,
    ) -> Result<Option<Rejected>, Box<RuleError>> {
        let begins = match self.origin {
            Origin::Once => {
                let (heap, root) = self.start.to_heap();
                let is_variable = heap.deref(root).is_var();
                is_variable && Parts::of(m).is_some_and(|parts| parts.is_matrix())
            }
            _ => is_start(m, w, contract, (&self.origin, &self.start))?,
        };
        if !begins {
            return Ok(Some(Rejected::at(self.line, "the rules do not begin there")));
        }
        let known = players(m, w)?;
        let texts = |players: &[Record]| -> Vec<String> {
            players.iter().map(|player| canonical_text(m, w, player)).collect()
        };
        let same = texts(&known) == texts(&self.players);
        Ok((!same).then(|| Rejected::at(self.second, "the players are others")))
    }

    /// What is wrong with a play, in words.
    fn refuted(&self, m: &Machine, w: &World, fault: PlayFault) -> Rejected {
        let player = |at: usize| canonical_text(m, w, &self.players[at]);
        let (at, why) = match fault {
            PlayFault::Start => {
                return Rejected::new("the start is in no record, or is worth something else");
            }
            PlayFault::Twice(at) => (at, "the state is listed before".to_owned()),
            PlayFault::Shape(at) => {
                let why =
                    "there must be a value for each player, and a strategy unless the game is over";
                (at, why.to_owned())
            }
            PlayFault::Strategy(at, who) => {
                let who = player(who);
                (at, format!("what {who} does are no actions with probabilities that add up to 1"))
            }
            PlayFault::LeftOut(at, state) => {
                let state = canonical_text(m, w, &state);
                (at, format!("actions lead to {state}, which is not listed"))
            }
            PlayFault::Rank(at, other) => {
                let line = self.lines[other];
                (at, format!("actions lead to line {line}, whose rank is not lower"))
            }
            PlayFault::Values(at, values) => {
                let values: Vec<String> = values.iter().map(Rational::to_string).collect();
                (at, format!("it pays {}", values.join(", ")))
            }
            PlayFault::Gains(at, who, gain) => {
                (at, format!("{} gains {gain} by another action", player(who)))
            }
        };
        Rejected::at(self.lines[at], why)
    }
}

fn play(m: &Machine, fact: &Fact) -> Result<Play, Rejected> {
    if fact.name != "plays" || fact.arguments.len() != 4 {
        let (name, arity) = (&fact.name, fact.arguments.len());
        let why = format!("a certificate of kind `{EQUILIBRIUM}` has no record {name}/{arity}");
        return Err(Rejected::at(fact.line, why));
    }
    let rank = u64::try_from(fact.integer(1)?);
    let rank = rank.map_err(|_| Rejected::at(fact.line, "its rank is no natural number"))?;
    let state = Some(fact.arguments[0].clone());
    let strategies = mixes(m, &fact.arguments[3]);
    let strategies = strategies.ok_or_else(|| {
        Rejected::at(fact.line, "its strategies are no lists of ACTION-PROBABILITY")
    })?;
    Ok(Play { state, rank, values: rationals(m, fact, 2)?, strategies })
}

/// An argument that is a list of fractions.
fn rationals(m: &Machine, fact: &Fact, at: usize) -> Result<Vec<Rational>, Rejected> {
    let rational = |value| match value {
        Expected::Exact(value) => Ok(value),
        Expected::Float(_) => Err(Rejected::at(fact.line, "it has a float where none belongs")),
    };
    fact.exacts(m, at)?.into_iter().map(rational).collect()
}

/// A list of lists of actions with their probabilities.
fn mixes(m: &Machine, term: &Record) -> Option<Vec<Mix>> {
    let (mut heap, root) = term.to_heap();
    let lists = heap.proper_list(root)?;
    let mix = |list: Cell| -> Option<Mix> {
        let items = heap.proper_list(list)?;
        items.into_iter().map(|item| share(m, &mut heap, item)).collect()
    };
    lists.into_iter().map(mix).collect()
}

fn share(m: &Machine, heap: &mut Heap, item: Cell) -> Option<(Record, Rational)> {
    let [action, share] = heap.match_struct::<2>(item, atoms::MINUS)?;
    match super::records::exact(m, heap, share)? {
        Expected::Exact(share) => Some((Record::new(heap, action), share)),
        Expected::Float(_) => None,
    }
}
