//! A game that several workers solve: what a table makes ready for them, and the report of what they find.

use super::table::Table;
use super::value::GameValue;
use crate::Packed;
use crate::error::RuleError;
use zug_code::Counts;
use zug_report::{GameSolution, GameStats};
use zug_search::game::{Game, GameEngine, GameOutcome, GameReport, Value, Verdict};
use zug_search::{StateId, StopReason};
use zug_term::Record;

/// Why a game for more players is not solved.
const MORE_PLAYERS: &str = "several workers solve games of two players; without --workers and \
                            --hosts, solve_game and maxn take this one";
/// Why a game is not solved in which chance moves.
pub(crate) const CHANCE_MOVES: &str = "several workers solve games without chance; without --workers and --hosts, solve_game, \
     expectiminimax and mcts take this one";
/// Why a game is not solved in which utilities don't add up to the same everywhere.
pub(crate) const NOT_BALANCED: &str = "several workers solve games in which what one player wins the other loses; without --workers \
     and --hosts, solve_game and maxn take this one";

/// What several workers have found.
pub(crate) struct WorkersFound {
    /// What the start is worth to the first player; nothing if a limit struck.
    pub value: Option<GameValue>,
    /// Moves to the end, if a player can force one.
    pub distance: Option<u32>,
    /// Best play.
    pub line: Vec<StateId>,
    /// What ends are worth to the first player.
    pub ends: Vec<GameValue>,
    /// The limit that struck.
    pub stopped: Option<StopReason>,
    /// The counts.
    pub stats: GameStats,
}

impl Table<'_> {
    /// Makes ready for several workers: why they can't solve the game, if so.
    ///
    /// # Errors
    /// A limit struck, or an error in a rule.
    pub(crate) fn begin_for_workers(&mut self) -> Result<Option<&'static str>, Box<RuleError>> {
        if self.game.players() > 2 {
            return Ok(Some(MORE_PLAYERS));
        }
        if self.game.has_chance() {
            return Ok(Some(CHANCE_MOVES));
        }
        self.weigh()?;
        if self.game.is_general_sum() {
            return Ok(Some(NOT_BALANCED));
        }
        self.game.kit.no_chance = Some(GameEngine::SolveGame.info().name);
        (self.game.kit.bounds, self.game.kit.shared.strict) = (None, true);
        Ok(None)
    }

    /// The workers are done.
    pub(crate) fn end_for_workers(&mut self) {
        (self.game.kit.no_chance, self.game.kit.shared.strict) = (None, false);
    }

    /// The report of what they have found since the counts were these.
    pub(crate) fn found_by_workers(
        &mut self,
        start: &Packed,
        found: WorkersFound,
        before: &Counts,
    ) -> GameSolution<Record> {
        let code = self.game.code_use(before);
        let engine = GameEngine::SolveGame;
        let WorkersFound { value, distance, line, ends, stopped, stats } = found;
        self.game.kit.shared.meet_ends(ends.into_iter().map(|end| end.0));
        let Some(value) = value else {
            let reason = stopped.unwrap_or(StopReason::Cancelled);
            return GameSolution { stats, code, ..self.stopped_before(engine, start, reason) };
        };
        let mover = self.game.valued_for(start);
        let verdict = Verdict {
            value: Some(if mover == 0 { value } else { value.negated() }),
            best: line.first().copied(),
            exact: true,
            distance,
            ..Verdict::default()
        };
        let report = GameReport { engine, outcome: GameOutcome::Solved, line, verdict, stats };
        self.found(report, start, code)
    }

    /// The report of a limit that struck inside a rule.
    ///
    /// # Errors
    /// It was none, but an error in the rule.
    pub(crate) fn stopped_for_workers(
        &mut self,
        start: &Packed,
        error: Box<RuleError>,
    ) -> Result<GameSolution<Record>, Box<RuleError>> {
        let (reason, stopped_in) = self.stopped(error, self.limits.time.is_some())?;
        let found = self.stopped_before(GameEngine::SolveGame, start, reason);
        Ok(GameSolution { stopped_in, ..found })
    }
}
