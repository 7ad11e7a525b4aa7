//! The value of a state of a game, and a move that reaches it.
//!
//! Without an engine it takes alpha-beta if a depth or a time is given and `solve_game`
//! otherwise; with more than two players `maxn` in the place of alpha-beta. A game with too many states to
//! be solved at once is looked at for some seconds as if a time were given. Without a state it
//! takes the first instance, or the one that is named, and without a player the initial one.
//! Several workers solve it by `solve_game`, unless a depth is given.

use super::{SolveEvent, SolveObserver, SolveRequest};
use crate::asking::ask;
use crate::base::{SavedReport, attach, keeper};
use crate::certificate::CertificateReport;
use crate::given::mover;
use crate::record::TermData;
use crate::{Failure, FileTo, Named};
use serde::Serialize;
use std::time::{Duration, Instant};
use zug_base::{BaseError, Start};
use zug_domain::bases::{BaseWriter, base_in_use, leave_base};
use zug_domain::game::{GameTask, SaveError, Saved, Table, with_game, with_game_for};
use zug_domain::{KEPT_IF, RuleError, canonical_text};
use zug_prolog::session::Session;
use zug_report::{GameOutcome, GameSolution, StopReason};
use zug_search::Limits;
use zug_search::game::{Game, GameEngine, GameObserver};
use zug_term::Record;

/// What became of a state.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The rule file.
    pub file: String,
    /// The instance, if the state is one.
    pub instance: Option<String>,
    /// What the search found.
    pub found: GameSolution<Record>,
    /// What was kept of it.
    pub saved: Option<SavedReport>,
    /// What became of its certificate, if one was wanted.
    pub certificate: Option<CertificateReport>,
    /// The states along the line of best play, if they were asked for; without the first.
    pub states: Vec<Record>,
    /// That the game was too large to be solved at once.
    pub remark: Option<String>,
}

/// States with which a game is solved where no engine and no limit is asked for.
const MOST_STATES: u64 = 500_000;
/// Time for an estimate of a game that has more.
const ESTIMATE_TIME: Duration = Duration::from_secs(5);

/// A state of a game as it is written for programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The rule file.
    pub file: String,
    /// The instance, if the state is one.
    pub instance: Option<String>,
    /// What the search found.
    #[serde(flatten)]
    pub found: GameSolution<TermData>,
    /// What was kept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedReport>,
    /// What became of its certificate, if one was wanted.
    #[serde(flatten)]
    pub certificate: Option<CertificateReport>,
}

impl GameReport {
    /// The report for programs.
    pub fn record(&self, session: &Session) -> GameRecord {
        let (m, w) = (&session.machine, &session.world);
        GameRecord {
            file: self.file.clone(),
            instance: self.instance.clone(),
            found: self.found.map(|term| TermData::of(m, w, term)),
            saved: self.saved.clone(),
            certificate: self.certificate.clone(),
        }
    }
}

/// The states of the line of best play and their successors, each with the index of its predecessor; none if a limit or a
/// rule error interrupts the traversal, since the value is found already.
pub(super) fn around_the_line(
    session: &mut Session,
    found: &GameSolution<Record>,
) -> Vec<(Record, Option<usize>)> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let around = with_game(m, w, &Limits::none(), |table| {
        let start = table.position(Some(&found.player), &found.state)?;
        table.around(&start, &found.line)
    });
    around.unwrap_or_default()
}

/// Solves a game, or estimates it where nothing is asked for and it is too large.
pub(super) fn solved(
    session: &mut Session,
    request: &SolveRequest,
    named: &Named,
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<GameReport, Failure> {
    let mut observer = observer.map(|observer| move |state: &_| observer(SolveEvent::Game(state)));
    let mut observer = observer.as_mut().map(|observer| observer as &mut GameObserver<'_>);
    let Limits { nodes: None, depth: None, time: None, .. } = request.limits else {
        let began = Instant::now();
        let report = searched(session, request, named, observer.as_deref_mut())?;
        let goes_round = report.found.outcome == GameOutcome::Stopped(StopReason::Cycle);
        if !goes_round || request.engine.is_some() || request.limits.depth.is_some() {
            return Ok(report);
        }
        // The default engine cannot search cyclic play.
        let engine = Some(GameEngine::SolveGame.info().name.to_owned());
        let time = request.limits.time.map(|time| time.saturating_sub(began.elapsed()));
        let limits = Limits { time, ..request.limits.clone() };
        let request = SolveRequest { engine, limits, ..request.clone() };
        return searched(session, &request, named, observer);
    };
    let asks = request.engine.is_some()
        || request.save.is_some()
        || request.certificate.is_some()
        || request.sampling.playouts.is_some();
    #[cfg(feature = "cluster")]
    let asks = asks || request.cluster.is_some();
    if asks {
        return searched(session, request, named, observer);
    }
    let limits = Limits { nodes: Some(MOST_STATES), ..request.limits.clone() };
    let bounded = SolveRequest { limits, ..request.clone() };
    let report = searched(session, &bounded, named, observer.as_deref_mut())?;
    if report.found.outcome != GameOutcome::Stopped(StopReason::Nodes) {
        return Ok(report);
    }
    let limits = Limits { time: Some(ESTIMATE_TIME), ..request.limits.clone() };
    let guesses = ask(session, |m, w| {
        with_game(m, w, &Limits::none(), |table| Ok(table.game.has_heuristic()))
    })?;
    let engine = (!guesses).then(|| GameEngine::Mcts.info().name.to_owned());
    let estimated = SolveRequest { engine, limits, ..request.clone() };
    let mut report = searched(session, &estimated, named, observer)?;
    report.remark = Some(format!(
        "the game has more than {MOST_STATES} states: this is an estimate of {} s; `--time 60s` gives a \
         better one, `--engine solve_game` the exact value",
        ESTIMATE_TIME.as_secs()
    ));
    Ok(report)
}

fn searched(
    session: &mut Session,
    request: &SolveRequest,
    named: &Named,
    observer: Option<&mut GameObserver<'_>>,
) -> Result<GameReport, Failure> {
    let state = &named.instance.state;
    let instance = request.state.is_none().then(|| named.name.clone());
    let player = mover(session, request.player.as_deref(), request.state.is_some())?;
    let engine = choose_engine(session, request, player.as_ref(), state)?;
    let (sampling, limits) = (request.sampling.clone(), request.limits.clone());
    let (storage, symmetry) = (request.storage, request.options.symmetry);
    let depth = limits.depth;
    let people = GameTask::for_people(engine);
    let task = GameTask { depth, sampling, storage, symmetry, limits, ..people };
    let (mut keeping, mut there) = (None, None);
    if let Some(to) = &request.save {
        if engine != GameEngine::SolveGame {
            return Err(Failure::NothingToKeep);
        }
        let (m, w) = (&session.machine, &session.world);
        let start = Start {
            instance: instance.clone(),
            player: player.as_ref().map(|player| canonical_text(m, w, player)),
            state: canonical_text(m, w, state),
            by: engine.info().name.to_owned(),
            complete: false,
        };
        there = all_there(session, to, &start);
        if there.is_none() {
            let keeper = keeper(session, to, &request.file)?;
            keeping = Some(Keeping { keeper, start, kept: None });
        }
    }
    let from = (player.as_ref(), state, instance);
    #[cfg(feature = "cluster")]
    if let Some(wanted) = &request.cluster {
        let cluster = wanted.cluster(request.disk.as_deref())?;
        let (m, w) = (&mut session.machine, &mut session.world);
        let start = (player.as_ref(), state);
        let found = zug_domain::solve_on_cluster(m, w, &task, start, &cluster, observer);
        let found = found.map_err(|failure| crate::cluster::failure(session, failure))?;
        return report(session, request, from, (found, None));
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = with_game_for(m, w, &task, |table| {
        let start = table.position(player.as_ref(), state)?;
        let found = table.search(&task, &start, observer)?;
        if let Some(keeping) = keeping.as_mut().filter(|_| found.outcome == GameOutcome::Solved) {
            keeping.keep(table)?;
        }
        Ok(found)
    });
    let saved = keeping.map(Keeping::close).transpose();
    let found = found.map_err(|error| Failure::rule(session, &error))?;
    let saved = saved?.flatten().or(there);
    report(session, request, from, (found, saved))
}

/// The report of what was found, with the states along the line if they are wanted.
fn report(
    session: &mut Session,
    request: &SolveRequest,
    (player, state, instance): (Option<&Record>, &Record, Option<String>),
    (found, saved): (GameSolution<Record>, Option<SavedReport>),
) -> Result<GameReport, Failure> {
    let file = request.file.display().to_string();
    let (certificate, states, remark) = (None, Vec::new(), None);
    let mut report = GameReport { file, instance, found, saved, certificate, states, remark };
    if request.boards {
        report.states = ask(session, |m, w| {
            with_game(m, w, &Limits::none(), |table| {
                let start = table.position(player, state)?;
                table.along(&start, &report.found.line)
            })
        })?;
    }
    Ok(report)
}

/// What is solved on its way into a base.
struct Keeping {
    keeper: BaseWriter,
    start: Start,
    kept: Option<Result<Saved, BaseError>>,
}

/// What a base holds that is to be kept, if all of it is there: then the session answers from it.
fn all_there(session: &mut Session, to: &FileTo, start: &Start) -> Option<SavedReport> {
    let there = |known: &Start| {
        known.complete && (&known.player, &known.state) == (&start.player, &start.state)
    };
    // Whatever is wrong with it is told when it is opened to be written to.
    let other = base_in_use(&session.world).is_some();
    if other || to.force || !to.path.exists() || attach(session, &to.path).is_err() {
        return None;
    }
    let meta = base_in_use(&session.world)?.base.meta();
    if !meta.starts.iter().any(there) {
        leave_base(&mut session.world);
        return None;
    }
    let all = meta.positions.all;
    Some(SavedReport::of(&to.path, (0, all, all), None))
}

impl Keeping {
    fn keep(&mut self, table: &mut Table<'_>) -> Result<(), Box<RuleError>> {
        // On what the values rest is kept with them.
        if let Some(condition) = table.impurity() {
            self.start.by += &format!("{KEPT_IF}{condition}");
        }
        self.kept = Some(match table.save(&mut self.keeper, self.start.clone()) {
            Ok(saved) => Ok(saved),
            Err(SaveError::Rule(error)) => return Err(error),
            Err(SaveError::Base(error)) => Err(error),
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

/// The engine that a request means.
pub(crate) fn choose_engine(
    session: &mut Session,
    request: &SolveRequest,
    player: Option<&Record>,
    state: &Record,
) -> Result<GameEngine, Failure> {
    if let Some(name) = &request.engine {
        return GameEngine::by_name(name).ok_or_else(|| Failure::NotForGames(name.clone()));
    }
    if request.save.is_some() {
        return Ok(GameEngine::SolveGame);
    }
    #[cfg(feature = "cluster")]
    if request.cluster.is_some() && request.limits.depth.is_none() {
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
        let apart = table.is_general_sum()?;
        Ok((table.game.has_chance(), table.game.players(), apart))
    };
    let by_depth = request.limits.depth.is_some();
    Ok(match ask(session, |m, w| with_game(m, w, &request.limits, look))? {
        (true, 1 | 2, false) if by_depth => GameEngine::Expectiminimax,
        (true, ..) => GameEngine::Mcts,
        (false, 2, false) => GameEngine::Alphabeta,
        (false, ..) => GameEngine::Maxn,
    })
}
