//! What the engines called in a query did, for the report under its answer.

use super::contract::Contract;
use super::memory::{Stamp, engines, stamp};
use super::run::Task;
use super::verify::{Effort, verify};
use crate::error::RuleError;
use crate::judge::Comparison;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{CodeUse, GameSolution, Solution};
use zug_search::Limits;
use zug_term::Record;

/// Searches whose plans and lines are kept, and whose claims may be verified afterwards: no more of
/// them are shown.
const MOST_WHOLE: usize = 8;

/// A search that an error in a rule ended.
#[derive(Clone, Debug)]
pub struct FailedSearch {
    /// The engine.
    pub engine: &'static str,
    /// The heuristic it used, if any.
    pub heuristic: Option<String>,
    /// What went wrong.
    pub message: String,
}

/// A search in a puzzle with a result.
#[derive(Clone, Debug)]
pub struct FinishedSearch {
    /// What it found.
    pub solution: Solution<Record>,
    /// Its limits, and the program as it was then; `None` if what it says is not to be looked at.
    unverified: Option<(Limits, Stamp)>,
}

/// Results of engines since they were last taken, oldest first.
#[derive(Default, Debug)]
pub struct Journal {
    /// Searches in puzzles; plans of all but the first are left out.
    pub puzzles: Vec<Result<FinishedSearch, FailedSearch>>,
    /// Searches in games; lines of all but the first are left out.
    pub games: Vec<GameSolution<Record>>,
    /// Searches put beside each other.
    pub comparisons: Vec<Comparison>,
    /// What has to be so for answers about games to hold that no search above reports.
    pub conditions: Vec<String>,
}

impl Journal {
    /// What has to be so for answers about games to hold, each condition once.
    pub fn conditions_of_games(&self) -> Vec<&str> {
        let given = self.games.iter().filter_map(|found| found.certainty.given.as_deref());
        let mut all: Vec<&str> = Vec::new();
        for condition in given.chain(self.conditions.iter().map(String::as_str)) {
            if !all.contains(&condition) {
                all.push(condition);
            }
        }
        all
    }
}

/// What engines did since this was last called.
pub fn take_journal(w: &mut World) -> Journal {
    w.slots.take().unwrap_or_default()
}

/// What engines did since it was last taken.
pub fn journal(w: &mut World) -> &Journal {
    w.slots.get_mut()
}

fn count(w: &mut World, code: Option<&CodeUse>) {
    engines(w).by_code += code.map_or(0, |code| code.by_code);
}

/// Notes a search in a puzzle.
pub(super) fn note(m: &Machine, w: &mut World, mut found: Solution<Record>, limits: &Limits) {
    count(w, found.code.as_ref());
    if w.experiment {
        return;
    }
    let stamp = stamp(m, w);
    let is_outer = engines(w).running == 0;
    let known: &mut Journal = w.slots.get_mut();
    let whole = known.puzzles.len() < MOST_WHOLE;
    let unverified = (whole && is_outer).then(|| (limits.clone(), stamp));
    if !whole {
        (found.path, found.states) = (None, Vec::new());
    }
    known.puzzles.push(Ok(FinishedSearch { solution: found, unverified }));
}

/// Notes a search in a puzzle that an error in a rule ended.
pub(super) fn note_error(m: &Machine, w: &mut World, task: &Task, error: &RuleError) {
    if w.experiment {
        return;
    }
    let failed = FailedSearch::of(m, w, task, error);
    w.slots.get_mut::<Journal>().puzzles.push(Err(failed));
}

/// Notes a search in a game.
pub(super) fn note_game(w: &mut World, found: &GameSolution<Record>) {
    count(w, found.code.as_ref());
    if !w.experiment {
        let games = &mut w.slots.get_mut::<Journal>().games;
        let mut found = found.clone();
        if games.len() >= MOST_WHOLE {
            (found.line, found.tried) = (Vec::new(), Vec::new());
        }
        games.push(found);
    }
}

/// Notes what has to be so for an answer about a game to hold.
pub(super) fn note_condition(w: &mut World, condition: String) {
    let conditions = &mut w.slots.get_mut::<Journal>().conditions;
    if !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// Notes searches that were put beside each other.
pub(super) fn note_comparison(w: &mut World, found: Comparison) {
    if !w.experiment {
        w.slots.get_mut::<Journal>().comparisons.push(found);
    }
}

impl FailedSearch {
    /// What an error in a rule left of a search.
    pub fn of(m: &Machine, w: &World, task: &Task, error: &RuleError) -> FailedSearch {
        FailedSearch {
            engine: task.engine.info().name,
            heuristic: task.heuristic.map(|heuristic| heuristic.name(&m.symbols)),
            message: error.message(m, w),
        }
    }
}

impl FinishedSearch {
    /// Finds out whether what the search says holds without its heuristic, if the program is still
    /// the one that was searched: for a report that is about to be shown, so that rules which call
    /// engines don't pay for it.
    pub fn verify(&mut self, m: &mut Machine, w: &mut World, effort: Effort) {
        let Some((limits, then)) = self.unverified.take() else { return };
        if then == stamp(m, w) {
            let contract = Contract::of(m);
            verify(m, w, &contract, (&limits, effort), &mut self.solution);
        }
    }
}
