//! The machine's thoughts about a position.
//!
//! A search that is to look as far as the time allows is one search for each depth, of which
//! the last that came to its end counts: whatever stops the next one, be it inside a rule, its
//! move stands. The states met are kept from one to the next.

use super::agent::{Agent, Level};
use super::{look, players_of};
use crate::{Failure, train::learned};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_domain::RuleError;
use zug_domain::game::training::Learned;
use zug_domain::game::{Choice, Exact, GameTask, Position, find_game, with_game};
use zug_machine::Fault;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_report::Exactness;
use zug_search::game::{Expected, Game, GameEngine, GameOutcome, Sampling};
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// Time for a move unless something else is said.
pub const MOVE_TIME: Duration = Duration::from_secs(2);
/// Depths beyond which play is followed to its end anyway.
const DEEPEST: u32 = 500;
/// States of best play that are looked up to see that it can be played.
const LONGEST_LINE: usize = 60;

/// What there is to know of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// The best move, as a place in [`Position::choices`]; none if the game is over.
    pub choice: Option<usize>,
    /// The value to each player; empty if nothing is known.
    pub values: Vec<(Record, Expected)>,
    /// The values are means over what chance does or over plays at random.
    pub mean: bool,
    /// Best play.
    pub line: Vec<Record>,
    /// No estimate went into the value, and it rests on no condition.
    pub exact: bool,
    /// What has to be so for the value to be exact; names stand in backquotes.
    pub exact_if: Option<String>,
    /// Who found it.
    pub engine: Option<GameEngine>,
    /// How many moves ahead were looked at, if the value is an estimate.
    pub depth: Option<u32>,
    /// Moves to the end, where it is known.
    pub distance: Option<u32>,
    /// What kept it from looking farther.
    pub stopped: Option<StopReason>,
}

/// A move of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move, as a place in [`Position::choices`].
    pub choice: usize,
    /// What the machine knows; `None` if it did not think at all.
    pub outlook: Option<Outlook>,
    /// The move is one at random because nothing was known in time.
    pub guess: bool,
}

/// What the machine remembers during a game.
#[derive(Clone, Debug)]
pub(super) struct MachinePlayer {
    pub random: Random,
    /// What chance does, whatever the machine thinks.
    pub dice: Random,
    /// Time for a move, if it was given.
    pub time: Option<Duration>,
    /// Solving the game took too long.
    pub too_large: bool,
    /// Policies by file.
    policies: Vec<(Arc<str>, Policy)>,
}

type Policy = Arc<Learned>;

/// How far to look.
#[derive(Clone, Copy, Debug)]
struct SearchSetting {
    engine: GameEngine,
    /// Moves ahead; for an engine that makes plays at random how many of them.
    depth: Option<u32>,
    /// The seed of what happens at random.
    seed: u64,
    time: Option<Duration>,
}

impl MachinePlayer {
    pub fn new(seed: u64, time: Option<Duration>) -> MachinePlayer {
        let dice = Random::new(!seed);
        MachinePlayer {
            random: Random::new(seed),
            dice,
            time,
            too_large: false,
            policies: Vec::new(),
        }
    }

    fn move_time(&self) -> Duration {
        self.time.unwrap_or(MOVE_TIME)
    }

    /// A move at random.
    pub fn any(&mut self, position: &Position) -> usize {
        self.random.below(position.choices.len().max(1) as u64) as usize
    }

    /// A seed for an engine that wants one.
    fn seed_for(&mut self, engine: GameEngine) -> u64 {
        if engine.is_sampling() { self.random.next_u64() } else { 0 }
    }

    /// What chance does.
    pub fn roll(&mut self, position: &Position) -> usize {
        let mut left = self.dice.float();
        let falls = position.chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        // Floats may add up to a little less than 1.
        falls.unwrap_or(position.choices.len().saturating_sub(1))
    }

    /// The move of an agent in a position where the game is not over, and what came before it.
    pub fn think(
        &mut self,
        session: &mut Session,
        position: &Position,
        past: &[(Position, usize)],
        agent: &Agent,
    ) -> Result<Thought, Failure> {
        if !position.chances.is_empty() {
            return Ok(Thought { choice: self.roll(position), outlook: None, guess: false });
        }
        if position.choices.len() == 1 {
            return Ok(Thought { choice: 0, outlook: None, guess: false });
        }
        let outlook = match agent {
            Agent::Random | Agent::Human | Agent::Chance => {
                return Ok(Thought { choice: self.any(position), outlook: None, guess: false });
            }
            Agent::Level(level) => {
                if self.random.below(100) < level.at_random() {
                    let any = self.any(position);
                    let win = if level.is_strong() { win_in_one(session, position)? } else { None };
                    let choice = win.unwrap_or(any);
                    return Ok(Thought { choice, outlook: None, guess: false });
                }
                self.look_ahead(session, position, *level)?
            }
            Agent::Engine(engine, depth) => self.search(session, position, *engine, *depth)?,
            Agent::Policy { file, greedy } => {
                return self.recall(session, position, file, *greedy);
            }
        };
        let outlook = self.avoid_repetition(session, position, past, outlook)?;
        let guess = outlook.choice.is_none();
        let choice = outlook.choice.unwrap_or_else(|| self.any(position));
        Ok(Thought { choice, outlook: Some(outlook), guess })
    }

    /// Another move of the same value or more, if the one found leads to a position that came before and the mover is
    /// not known to have the worse of it: what comes for the third time is a draw.
    fn avoid_repetition(
        &mut self,
        session: &mut Session,
        position: &Position,
        past: &[(Position, usize)],
        outlook: Outlook,
    ) -> Result<Outlook, Failure> {
        let came_before = |choice: &Choice| {
            past.iter().any(|(at, _)| at.state == choice.state && at.player == choice.player)
        };
        let Some(found) = outlook.choice.map(|at| &position.choices[at]) else {
            return Ok(outlook);
        };
        let known = value_to(&position.player, &outlook.values);
        if outlook.distance.is_some() || outlook.exact || known < 0.0 || !came_before(found) {
            return Ok(outlook);
        }
        let others: Vec<usize> =
            (0..position.choices.len()).filter(|&at| !came_before(&position.choices[at])).collect();
        let engine = outlook.engine.unwrap_or(GameEngine::Alphabeta);
        let share = self.move_time() / (others.len().max(1) as u32);
        let depth = outlook.depth.map(|depth| depth.saturating_sub(1).max(1));
        let mut best: Option<(f64, usize, Outlook)> = None;
        for at in others {
            let Choice { player, state, .. } = &position.choices[at];
            let next = look(session, Some(player), state)?;
            if next.ends.is_some() || !next.chances.is_empty() {
                continue;
            }
            let reach =
                SearchSetting { engine, depth, time: Some(share), seed: self.seed_for(engine) };
            let after = once(session, &next, reach)?;
            let value = value_to(&position.player, &after.values);
            let holds = if known > 0.0 { value > 0.0 } else { value >= known };
            if holds && best.as_ref().is_none_or(|(known, ..)| value > *known) {
                best = Some((value, at, after));
            }
        }
        let Some((_, at, after)) = best else { return Ok(outlook) };
        let line = std::iter::once(position.choices[at].mv.clone()).chain(after.line).collect();
        Ok(Outlook { choice: Some(at), line, values: after.values, ..outlook })
    }

    /// The policy in a file, read once.
    pub fn policy(&mut self, session: &mut Session, file: &Arc<str>) -> Result<Policy, Failure> {
        if let Some((_, policy)) = self.policies.iter().find(|(known, _)| known == file) {
            return Ok(policy.clone());
        }
        let policy = learned(session, file)?;
        self.policies.push((file.clone(), policy.clone()));
        Ok(policy)
    }

    /// The move of a policy; a guess in a state that it never met.
    fn recall(
        &mut self,
        session: &mut Session,
        position: &Position,
        file: &Arc<str>,
        greedy: bool,
    ) -> Result<Thought, Failure> {
        let policy = self.policy(session, file)?;
        let moves: Vec<Record> = position.choices.iter().map(|choice| choice.mv.clone()).collect();
        let at = (&position.player, &position.state);
        let (m, w) = (&session.machine, &session.world);
        let (choice, known) = policy.choose(m, w, at, &moves, greedy, &mut self.random);
        Ok(Thought { choice, outlook: None, guess: !known })
    }

    /// The value of a position and best play, as well as can be known in the time.
    pub fn evaluate(
        &mut self,
        session: &mut Session,
        position: &Position,
    ) -> Result<Outlook, Failure> {
        self.look_ahead(session, position, Level::BEST)
    }

    fn look_ahead(
        &mut self,
        session: &mut Session,
        position: &Position,
        level: Level,
    ) -> Result<Outlook, Failure> {
        let GameFacts { heuristic, players, chance } = game_facts(session)?;
        let mut stopped = None;
        if (level.is_exact() || !heuristic) && !self.too_large {
            match solve(session, position, Some(self.move_time() * 2))? {
                Ok(outlook) => return Ok(outlook),
                // Who is in a hurry does not want another search either.
                Err(StopReason::Cancelled) => stopped = Some(StopReason::Cancelled),
                Err(_) => self.too_large = true,
            }
        }
        let time = Some(self.move_time() / level.share_of_time());
        let engine = match (chance, players) {
            _ if !heuristic => GameEngine::Mcts,
            (true, 1 | 2) => GameEngine::Expectiminimax,
            (false, 2) => GameEngine::Alphabeta,
            (false, _) => GameEngine::Maxn,
            (true, _) => GameEngine::Mcts,
        };
        let seed = self.seed_for(engine);
        if engine == GameEngine::Mcts {
            // There is no looking a few moves ahead.
            if stopped.is_some() {
                return Ok(Outlook { stopped, ..Outlook::default() });
            }
            return once(session, position, SearchSetting { engine, depth: None, time, seed });
        }
        let depth = if stopped.is_some() { Some(1) } else { level.depth() };
        let reach = SearchSetting { engine, depth, time, seed };
        let outlook = deepen(session, position, reach)?;
        Ok(Outlook { stopped: stopped.or(outlook.stopped), ..outlook })
    }

    /// A named engine: to its depth, however long that takes, or as deep as the time allows.
    fn search(
        &mut self,
        session: &mut Session,
        position: &Position,
        engine: GameEngine,
        depth: Option<u32>,
    ) -> Result<Outlook, Failure> {
        let GameFacts { heuristic, .. } = game_facts(session)?;
        if engine == GameEngine::SolveGame {
            let solved = solve(session, position, self.time)?;
            return Ok(
                solved.unwrap_or_else(|stop| Outlook { stopped: Some(stop), ..Outlook::default() })
            );
        }
        let time = if depth.is_some() { self.time } else { Some(self.move_time()) };
        let reach = SearchSetting { engine, depth, time, seed: self.seed_for(engine) };
        let whole = engine.is_sampling() || engine == GameEngine::Pns;
        if whole || !heuristic {
            let outlook = once(session, position, reach)?;
            if outlook.choice.is_none() && outlook.stopped == Some(StopReason::Cycle) {
                let name = engine.info().name;
                return Err(Failure::Players(format!(
                    "{name} follows play to its end, and here play can go round for ever; take mcts or a level, or \
                     write heuristic/3"
                )));
            }
            return Ok(outlook);
        }
        deepen(session, position, reach)
    }
}

/// A move that wins immediately.
fn win_in_one(session: &mut Session, position: &Position) -> Result<Option<usize>, Failure> {
    for (at, Choice { player, state, .. }) in position.choices.iter().enumerate() {
        let ends = look(session, Some(player), state)?.ends;
        let mut values = ends.iter().flatten();
        let own = values.find(|(player, _)| *player == position.player);
        if own.is_some_and(|(_, value)| value.as_f64() > 0.0) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// A value to a player; that of a draw where none is known.
fn value_to(player: &Record, values: &[(Record, Expected)]) -> f64 {
    let own = values.iter().find(|(other, _)| other == player);
    own.map_or(0.0, |(_, value)| value.as_f64())
}

/// Ctrl-C was for the search that it ended, not for the next one. Whether there was one: a
/// search may come to its end before it sees it.
fn calm(session: &Session) -> Option<StopReason> {
    let asked = session.machine.interrupt.swap(false, Ordering::Relaxed);
    asked.then_some(StopReason::Cancelled)
}

/// What there is to know of a game before thinking about it.
pub(super) struct GameFacts {
    /// There is an estimate.
    pub heuristic: bool,
    players: usize,
    /// Chance moves somewhere.
    pub chance: bool,
}

pub(super) fn game_facts(session: &mut Session) -> Result<GameFacts, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let facts = with_game(m, w, &Limits::none(), |table| {
        let game = &table.game;
        let (heuristic, players) = (game.has_heuristic(), game.players());
        Ok(GameFacts { heuristic, players, chance: game.has_chance() })
    });
    facts.map_err(|error| Failure::rule(session, &error))
}

/// Solves a position and all that can be reached from it.
fn solve(
    session: &mut Session,
    position: &Position,
    time: Option<Duration>,
) -> Result<Result<Outlook, StopReason>, Failure> {
    let limits = Limits { time, ..Limits::none() };
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut condition = None;
    let found = with_game(m, w, &limits, |table| {
        let at = table.position(Some(&position.player), &position.state)?;
        let found = table.exact(&at)?;
        condition = table.impurity();
        Ok(found)
    });
    let stopped = calm(session);
    let Exact { values, mean, error, line, distance } = match found {
        Ok(Ok(exact)) => exact,
        Ok(Err(reason)) => return Ok(Err(reason)),
        Err(error) if is_late(&error) => return Ok(Err(StopReason::Time)),
        Err(error) => return Err(Failure::rule(session, &error)),
    };
    let choice = line.first().and_then(|mv| choice_of(position, mv));
    let line = playable(session, position, line)?;
    let whole = |&moves: &u32| line.len() == moves as usize || line.len() == LONGEST_LINE;
    let outlook = Outlook {
        choice,
        values,
        mean,
        exact: error.is_none() && condition.is_none(),
        exact_if: condition.filter(|_| error.is_none()),
        engine: Some(GameEngine::SolveGame),
        // A base of before may keep other moves.
        distance: distance.filter(whole),
        line,
        stopped,
        ..Outlook::default()
    };
    Ok(Ok(outlook))
}

/// Whether the time was over before a search began.
fn is_late(error: &RuleError) -> bool {
    matches!(error.fault(), Some(Fault::Stopped(zug_machine::StopReason::Time)))
}

fn choice_of(position: &Position, mv: &Record) -> Option<usize> {
    position.choices.iter().position(|choice| choice.mv == *mv)
}

/// As much of a line as can be played from a position.
fn playable(
    session: &mut Session,
    position: &Position,
    line: Vec<Record>,
) -> Result<Vec<Record>, Failure> {
    let mut at = position.clone();
    let mut played = Vec::new();
    for mv in line.into_iter().take(LONGEST_LINE) {
        let Some(choice) = choice_of(&at, &mv) else { break };
        let Choice { player, state, .. } = at.choices.swap_remove(choice);
        played.push(mv);
        at = match look(session, Some(&player), &state) {
            Ok(next) => next,
            // Ctrl-C: what is known so far will do.
            Err(Failure::Stopped(..)) => break,
            Err(error) => return Err(error),
        };
    }
    Ok(played)
}

/// One search.
fn once(
    session: &mut Session,
    position: &Position,
    reach: SearchSetting,
) -> Result<Outlook, Failure> {
    let limits = Limits { time: reach.time, ..Limits::none() };
    let (depth, soonest) = (reach.depth, true);
    let mut task = GameTask { depth, limits, soonest, ..GameTask::of(reach.engine) };
    if reach.engine.is_sampling() {
        let playouts = task.depth.take().map(u64::from);
        task.sampling = Sampling { playouts, seed: reach.seed, ..Sampling::default() };
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    let player = Some(&position.player);
    let found = find_game(m, w, &task, player, &position.state, None);
    let asked = calm(session);
    let found = match found {
        Ok(found) => found,
        Err(error) if is_late(&error) => {
            let (engine, stopped) = (Some(reach.engine), Some(StopReason::Time));
            return Ok(Outlook { engine, stopped, ..Outlook::default() });
        }
        Err(error) => return Err(Failure::rule(session, &error)),
    };
    let mean = reach.engine.info().chance && reach.engine != GameEngine::SolveGame;
    let worths = found.values.into_iter();
    let mut values: Vec<(Record, Expected)> =
        worths.map(|worth| (worth.player, Expected::from(&worth.value))).collect();
    if values.is_empty()
        && let Some(value) = &found.value
    {
        values = shared(session, position, value.into())?;
    }
    let known = found.certainty.exactness == Exactness::Exact || found.distance.is_some();
    Ok(Outlook {
        choice: found.best.as_ref().and_then(|mv| choice_of(position, mv)),
        values,
        mean,
        line: found.line,
        exact: found.certainty.is_exact(),
        exact_if: found.certainty.given.filter(|_| known),
        engine: Some(reach.engine),
        depth: found.depth,
        distance: found.distance,
        stopped: match found.outcome {
            GameOutcome::Solved => asked,
            GameOutcome::Stopped(reason) => Some(reason),
        },
    })
}

/// With two players, what one wins the other loses.
fn shared(
    session: &mut Session,
    position: &Position,
    value: Expected,
) -> Result<Vec<(Record, Expected)>, Failure> {
    let players = players_of(session, &position.player, &position.state)?;
    let other = value.negated();
    let values = players.into_iter().map(|player| {
        let own = player == position.player;
        (player, if own { value.clone() } else { other.clone() })
    });
    Ok(values.collect())
}

/// One search for each depth, up to that of `reach`; what the last that came to its end found.
fn deepen(
    session: &mut Session,
    position: &Position,
    reach: SearchSetting,
) -> Result<Outlook, Failure> {
    let began = Instant::now();
    let deepest = reach.depth.unwrap_or(DEEPEST);
    let mut known = Outlook::default();
    for depth in 1..=deepest {
        let time = reach.time.map(|time| time.saturating_sub(began.elapsed()));
        let next = SearchSetting { depth: Some(depth), time, ..reach };
        let outlook = once(session, position, next)?;
        if outlook.stopped.is_some() {
            known.stopped = outlook.stopped;
            if known.choice.is_none() {
                known = outlook;
            }
            break;
        }
        known = outlook;
        if known.exact || known.exact_if.is_some() || known.distance.is_some() {
            break;
        }
    }
    known.line = playable(session, position, std::mem::take(&mut known.line))?;
    Ok(known)
}
