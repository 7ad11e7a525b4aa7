//! `solve` for a game: the value of a state and a move that reaches it.
//!
//! Without an engine it takes alpha-beta if a depth or a time is given and `solve_game`
//! otherwise; with more than two players `maxn` in the place of alpha-beta. Without a state it
//! takes the first instance, or the one that is named, and without a player the initial one.

use super::base::{SaveTo, SavedReport, attach, keeper};
use super::record::{TermData, seconds};
use super::solve::StoppedIn;
use super::{Failure, choose_instances};
use crate::usecases::solve::JsonNumber;
use serde::Serialize;
use std::path::PathBuf;
use zug_base::{BaseError, Start};
use zug_domain::game::{
    GameFound, GameTask, KeepError, Roles, Saved, Table, initial_player, with_game,
};
use zug_domain::kept::{Keeper, base_in_use};
use zug_domain::{Contract, RuleError, written};
use zug_machine::Machine;
use zug_prolog::builtins::{CodeUse, GameRun, Utilities, World};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::StopReason;
use zug_search::game::{
    Game, GameEngine, GameObserver, GameOutcome, GameStats, Proof, Sampling, Tried,
};
use zug_term::Record;

/// On what exact values rest where moves are equals to who makes them, and not to others.
pub const FIRST_OF_EQUALS: &str = "of moves that are equally good to them players make the first";

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct GameRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The engine's name.
    pub engine: Option<String>,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The player to move, as a term.
    pub player: Option<String>,
    /// The state, as a term.
    pub state: Option<String>,
    /// Limits; the depth says how far plays are followed.
    pub limits: Limits,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// The states along the line of best play are wanted.
    pub boards: bool,
    /// Where to keep what is solved.
    pub save: Option<SaveTo>,
}

/// One state as the command line writes it in JSON, with the terms themselves beside it.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The rule file.
    pub file: String,
    /// The engine.
    pub engine: String,
    /// The instance, if the state is one.
    pub instance: Option<String>,
    /// The player to move.
    pub player: TermData,
    /// The state.
    #[serde(rename = "state")]
    pub at: TermData,
    /// `solved` or `stopped`.
    pub outcome: &'static str,
    /// Which limit stopped it, if one did.
    pub reason: Option<String>,
    /// Where in the rules it struck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_in: Option<StoppedIn>,
    /// The value to the player to move.
    pub value: Option<JsonNumber>,
    /// The values to all players, where they are told apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<PlayerValue>,
    /// The values are right but for this much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Who wins is proved though the value is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'static str>,
    /// The moves that were tried in plays at random, in move order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<TriedMove>,
    /// The move; none where the game is over.
    #[serde(rename = "move")]
    pub mv: Option<TermData>,
    /// Best play.
    pub line: Vec<TermData>,
    /// No estimate went into the value, no limit, and no choice among equals; `null` if it would be
    /// exact but for such a choice.
    pub exact: Option<bool>,
    /// On what it rests that the value is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_if: Option<&'static str>,
    /// What two players play for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilities: Option<Utilities>,
    /// The depth of the value, if plays were not followed to their ends.
    pub depth: Option<u32>,
    /// Moves to the end with best play, if somebody can force it.
    pub distance: Option<u32>,
    /// It was read from a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_base: bool,
    /// What was kept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedReport>,
    /// The counts.
    pub stats: JsonGameStats,
    /// What answered the questions asked of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
    /// The report for people.
    #[serde(skip)]
    pub run: GameRun,
    /// The state.
    #[serde(skip)]
    pub state: Record,
    /// The states behind it along the line of best play, if they were asked for.
    #[serde(skip)]
    pub states: Vec<Record>,
}

/// A value of a player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerValue {
    /// The player.
    pub player: TermData,
    /// The value.
    pub value: JsonNumber,
}

/// A move that was tried in plays at random.
#[derive(Clone, Debug, Serialize)]
pub struct TriedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: TermData,
    /// How often.
    pub visits: u64,
    /// The mean of what the plays came to, for who made it.
    pub mean: f64,
    /// Plays with more than nothing for that player.
    pub wins: u64,
    /// Plays with nothing.
    pub draws: u64,
    /// Plays with less.
    pub losses: u64,
}

impl TriedMove {
    fn of(m: &Machine, w: &World, tried: &Tried<Record>) -> TriedMove {
        let [wins, draws, losses] = tried.outcomes;
        let (mv, visits, mean) = (TermData::of(m, w, &tried.mv), tried.visits, tried.mean);
        TriedMove { mv, visits, mean, wins, draws, losses }
    }
}

/// The counts of a game's search in JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JsonGameStats {
    /// Nodes of the search tree.
    pub nodes: u64,
    /// States whose moves were asked for.
    pub states: u64,
    /// Nodes whose value stood in the transposition table.
    pub table_hits: u64,
    /// Nodes where moves were left out.
    pub cutoffs: u64,
    /// The longest play looked at.
    pub max_depth: u32,
    /// Iterations of iterative deepening.
    pub iterations: u32,
    /// Wall-clock time.
    pub elapsed_seconds: f64,
    /// The most bytes held.
    pub peak_memory_bytes: usize,
}

impl From<&GameStats> for JsonGameStats {
    fn from(stats: &GameStats) -> JsonGameStats {
        JsonGameStats {
            nodes: stats.nodes,
            states: stats.states,
            table_hits: stats.table_hits,
            cutoffs: stats.cutoffs,
            max_depth: stats.max_depth,
            iterations: stats.iterations,
            elapsed_seconds: seconds(stats.elapsed),
            peak_memory_bytes: stats.peak_memory_bytes,
        }
    }
}

impl GameReport {
    /// The exit code of the command.
    pub fn exit_code(&self) -> i32 {
        let kept = self.saved.as_ref().and_then(|saved| saved.stopped);
        let outcome = kept.map_or(self.run.outcome, GameOutcome::Stopped);
        match outcome {
            GameOutcome::Solved => 0,
            GameOutcome::Stopped(StopReason::Cancelled) => 130,
            GameOutcome::Stopped(_) => 4,
        }
    }
}

/// Finds the value of a state of the game that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn solve_game(
    session: &mut Session,
    request: &GameRequest,
    observer: Option<&mut GameObserver<'_>>,
) -> Result<GameReport, Failure> {
    let (state, instance) = match &request.state {
        Some(text) => (term(session, "state", text)?, None),
        None => {
            let contract = Contract::of(&session.machine);
            let found = choose_instances(session, &contract, request.instance.as_deref())?;
            let first = found.into_iter().next();
            let first = first.ok_or_else(|| {
                Failure::NoSuchInstance(request.instance.clone().unwrap_or_default(), Vec::new())
            })?;
            (first.instance.state, Some(first.name))
        }
    };
    let player = mover(session, request.player.as_deref(), request.state.is_some())?;
    let engine = choose_engine(session, request, player.as_ref(), &state)?;
    let (sampling, limits) = (request.sampling.clone(), request.limits.clone());
    let task = GameTask { engine, depth: limits.depth, sampling, limits };
    let (mut keeping, mut there) = (None, None);
    if let Some(to) = &request.save {
        if engine != GameEngine::SolveGame {
            return Err(Failure::NothingToKeep);
        }
        let (m, w) = (&session.machine, &session.world);
        let start = Start {
            instance: instance.clone(),
            player: player.as_ref().map(|player| written(m, w, player)),
            state: written(m, w, &state),
            by: engine.info().name.to_owned(),
            complete: false,
        };
        there = all_there(session, to, &start);
        if there.is_none() {
            let keeper = keeper(session, to, &request.file)?;
            keeping = Some(Keeping { keeper, start, kept: None });
        }
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = with_game(m, w, &task.limits, |table| {
        let start = table.position(player.as_ref(), &state)?;
        let found = table.search(&task, &start, observer)?;
        if let Some(keeping) = keeping.as_mut().filter(|_| found.outcome == GameOutcome::Solved) {
            keeping.keep(table)?;
        }
        Ok(found)
    });
    let saved = keeping.map(Keeping::close).transpose();
    let found = found.map_err(|error| Failure::rule(session, &error))?;
    let mut report = describe(session, request, instance, state, &found);
    report.saved = saved?.flatten().or(there);
    if request.boards {
        let (m, w) = (&mut session.machine, &mut session.world);
        let along = with_game(m, w, &Limits::none(), |table| {
            let start = table.position(player.as_ref(), &report.state)?;
            table.along(&start, &found.line)
        });
        report.states = along.map_err(|error| Failure::rule(session, &error))?;
    }
    Ok(report)
}

/// What is solved on its way into a base.
struct Keeping {
    keeper: Keeper,
    start: Start,
    kept: Option<Result<Saved, BaseError>>,
}

/// What a base holds that is to be kept, if all of it is there: then the session answers from it.
fn all_there(session: &mut Session, to: &SaveTo, start: &Start) -> Option<SavedReport> {
    let there = |known: &Start| {
        known.complete && (&known.player, &known.state) == (&start.player, &start.state)
    };
    // Whatever is wrong with it is told when it is opened to be written to.
    let other = session.world.base.is_some();
    if other || to.force || !to.path.exists() || attach(session, &to.path).is_err() {
        return None;
    }
    let meta = base_in_use(&session.world)?.base.meta();
    if !meta.starts.iter().any(there) {
        session.world.base = None;
        return None;
    }
    let all = meta.positions.all;
    Some(SavedReport::of(&to.path, (0, all, all), None))
}

impl Keeping {
    fn keep(&mut self, table: &mut Table<'_>) -> Result<(), Box<RuleError>> {
        self.kept = Some(match table.keep(&mut self.keeper, self.start.clone()) {
            Ok(saved) => Ok(saved),
            Err(KeepError::Rule(error)) => return Err(error),
            Err(KeepError::Base(error)) => Err(error),
        });
        Ok(())
    }

    /// Closes the base: what was kept in it, if it came to that.
    fn close(self) -> Result<Option<SavedReport>, Failure> {
        let Keeping { keeper, kept, .. } = self;
        let Some(Ok(saved)) = kept else {
            let left = keeper.leave();
            return match kept {
                Some(Err(error)) => Err(Failure::Base(error)),
                _ => left.map(|()| None).map_err(Failure::Base),
            };
        };
        let (path, meta) = (keeper.path().to_owned(), keeper.meta().clone());
        let closed = if saved.stopped.is_none() { keeper.finish() } else { keeper.leave() };
        closed.map_err(Failure::Base)?;
        let counts = (saved.new, saved.known, meta.positions.all);
        Ok(Some(SavedReport::of(&path, counts, saved.stopped)))
    }
}

/// Who is to move: a player that was asked for, or the first one. Where a state was asked for
/// that says it itself (`to_move/2`), nobody else does.
pub(super) fn mover(
    session: &mut Session,
    asked: Option<&str>,
    of_a_state: bool,
) -> Result<Option<Record>, Failure> {
    if let Some(text) = asked {
        return term(session, "player", text).map(Some);
    }
    let told = Roles::of(&session.machine).is_some_and(|roles| roles.to_move.is_some());
    if of_a_state && told {
        return Ok(None);
    }
    initial_player(&mut session.machine, &mut session.world)
        .map_err(|error| Failure::rule(session, &error))
}

/// A term that was given as text.
pub(super) fn term(
    session: &mut Session,
    what: &'static str,
    text: &str,
) -> Result<Record, Failure> {
    if text.trim().is_empty() {
        return Err(Failure::Players(format!("the {what} given is empty")));
    }
    let query = session.query(text).map_err(|fault| Failure::UnreadableTerm(what, fault))?;
    let cell = session.goal(&query);
    let record = cell.map(|cell| Record::new(&mut session.machine.heap, cell));
    session.close(query);
    let record = record.ok_or_else(|| Failure::NoSuchInstance(text.to_owned(), Vec::new()))?;
    if record.root.is_ref() {
        let words = format!("a variable is no {what}; give the whole term, in quotes");
        return Err(Failure::Players(words));
    }
    Ok(record)
}

pub(super) fn choose_engine(
    session: &mut Session,
    request: &GameRequest,
    player: Option<&Record>,
    state: &Record,
) -> Result<GameEngine, Failure> {
    if let Some(name) = &request.engine {
        return GameEngine::by_name(name).ok_or_else(|| Failure::NotForGames(name.clone()));
    }
    if request.save.is_some() {
        return Ok(GameEngine::SolveGame);
    }
    if request.sampling.playouts.is_some() {
        return Ok(GameEngine::Mcts);
    }
    if request.limits.depth.is_none() && request.limits.time.is_none() {
        return Ok(GameEngine::SolveGame);
    }
    let look = |table: &mut Table<'_>| {
        table.position(player, state)?;
        let apart = table.tells_apart()?;
        Ok((table.game.has_chance(), table.game.players(), apart))
    };
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = with_game(m, w, &request.limits, look);
    let by_depth = request.limits.depth.is_some();
    Ok(match found.map_err(|error| Failure::rule(session, &error))? {
        (true, 1 | 2, false) if by_depth => GameEngine::Expectiminimax,
        (true, ..) => GameEngine::Mcts,
        (false, 2, false) => GameEngine::Alphabeta,
        (false, ..) => GameEngine::Maxn,
    })
}

pub(super) fn describe(
    session: &Session,
    request: &GameRequest,
    instance: Option<String>,
    state: Record,
    found: &GameFound,
) -> GameReport {
    let (m, w) = (&session.machine, &session.world);
    let run = found.run(m, w);
    let (outcome, reason, stopped_in) = match found.outcome {
        GameOutcome::Solved => ("solved", None, None),
        GameOutcome::Stopped(reason) => {
            ("stopped", Some(reason.to_string()), found.stopped_in.as_ref())
        }
    };
    GameReport {
        file: request.file.display().to_string(),
        engine: found.engine.info().name.to_owned(),
        instance,
        player: TermData::of(m, w, &found.player),
        at: TermData::of(m, w, &state),
        outcome,
        reason,
        stopped_in: stopped_in.map(|place| StoppedIn::of(session, place)),
        value: found.value.as_ref().map(JsonNumber::from),
        values: found
            .values
            .iter()
            .map(|(player, value)| PlayerValue {
                player: TermData::of(m, w, player),
                value: JsonNumber::from(value),
            })
            .collect(),
        error: found.error,
        proof: found.proof.map(|proof| match proof {
            Proof::Won => "won",
            Proof::Lost => "lost",
        }),
        moves: found.tried.iter().map(|tried| TriedMove::of(m, w, tried)).collect(),
        mv: found.best.as_ref().map(|mv| TermData::of(m, w, mv)),
        line: found.line.iter().map(|mv| TermData::of(m, w, mv)).collect(),
        exact: (!found.ties).then_some(found.exact),
        exact_if: found.ties.then_some(FIRST_OF_EQUALS),
        utilities: run.utilities.clone(),
        depth: found.depth,
        distance: found.distance,
        from_base: found.from_base,
        saved: None,
        stats: JsonGameStats::from(&found.stats),
        code: found.code.clone(),
        run,
        state,
        states: Vec::new(),
    }
}
