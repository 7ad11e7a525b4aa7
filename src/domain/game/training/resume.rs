//! Going on with what was learned before: [`Saved`].

use super::{CurvePoint, Row, Rules, Table, Training, for_all};
use crate::error::RuleError;
use crate::memory::asking_time;
use crate::{Packed, canonical_text};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_search::game::Game;
use zug_search::game::learn::{MoveStats, OutcomeCounts, Policy};
use zug_term::Record;

/// What was learned before, with all that it takes to go on.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Games learned from.
    pub games: u64,
    /// How they ended.
    pub tally: OutcomeCounts,
    /// Where the random numbers stood.
    pub random: u64,
    /// The results of evaluation games.
    pub curve: Vec<CurvePoint>,
    /// What was learned; with the states as terms, and who is to move.
    pub rows: Vec<(Row, Record, Option<Record>)>,
}

/// A row that does not fit the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Which one.
    pub row: usize,
    /// What is wrong with it.
    pub why: String,
}

impl Training {
    /// Goes on with what was learned before.
    ///
    /// # Errors
    /// An error in a rule; inside, the first row that does not fit the rules.
    pub fn resume(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        saved: Saved,
    ) -> Result<Result<(), Misfit>, Box<RuleError>> {
        let (shared, learner) = (self.shared, &mut self.learner);
        let limits = Limits { time: asking_time(w), ..Limits::none() };
        let curve = self.own.with(m, w, &limits, |table| fill(table, learner, saved, shared))?;
        Ok(curve.map(|curve| self.curve = curve))
    }
}

fn fill(
    table: &mut Table<'_>,
    learner: &mut Rules,
    saved: Saved,
    shared: bool,
) -> Result<Result<Vec<CurvePoint>, Misfit>, Box<RuleError>> {
    let mut policy = Policy::new();
    let known = table.players();
    for (number, (row, state, player)) in saved.rows.iter().enumerate() {
        let misfit = |why: String| Ok(Err(Misfit { row: number, why }));
        let player = match player {
            None if shared => known.first(),
            None => return misfit("it does not say who is to move".to_owned()),
            Some(_) if shared => {
                return misfit("players share their boxes here: it begins with `_`".to_owned());
            }
            Some(player) if !known.contains(player) => {
                return misfit("there is no such player".to_owned());
            }
            player => player.as_ref(),
        };
        let at = table.position(player, state)?;
        let at = if shared { for_all(&at) } else { at };
        match stats_of(table, &at, row)? {
            _ if policy.get(&at).is_some() => {
                return misfit("the state was there before".to_owned());
            }
            Ok(known) => policy.set(at, known),
            Err(why) => return misfit(why),
        }
    }
    learner.resume(policy, saved.random, saved.games, saved.tally);
    Ok(Ok(saved.curve))
}

/// The numbers of a row, if its moves are those that the rules give.
fn stats_of(
    table: &mut Table<'_>,
    at: &Packed,
    row: &Row,
) -> Result<Result<Vec<MoveStats>, String>, Box<RuleError>> {
    if table.game.is_over(at)? {
        return Ok(Err("the game is over in this state".to_owned()));
    }
    let mut moves = Vec::new();
    table.game.moves(at, &mut moves)?;
    let terms: Vec<Record> = moves.iter().map(|&(mv, _)| table.game.move_term(mv)).collect();
    let (m, w) = table.game.machine();
    let legal: Vec<String> = terms.iter().map(|mv| canonical_text(m, w, mv)).collect();
    if !legal.iter().eq(row.moves.iter().map(|(mv, _)| mv)) {
        return Ok(Err(format!("by the rules its moves are {}", legal.join(", "))));
    }
    Ok(Ok(row.moves.iter().map(|(_, known)| *known).collect()))
}
