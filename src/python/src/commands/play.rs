//! Who plays: trainings, games among machines, players of repeated games.

use super::{Found, Reports, failed, limits, one};
use crate::asked::{Asked, refused, take};
use crate::errors::Trouble;
use crate::progress::Told;
use crate::session::Rules;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug::record_line;
use zug::usecases::contest::{ContestRequest, play_all, play_one};
use zug::usecases::play::options::{GAMES, PLACE, PlayOptions, SEED, TIME as MOVE_TIME};
use zug::usecases::play::{Agent, AgentScore, PlayRequest, Series};
use zug::usecases::record::{Progress, games as records};
use zug::usecases::train::options::{AGAINST, INSTANCE, RESULT, RESUME};
use zug::usecases::train::{Against, TrainRequest, Trainer};
use zug_domain::game::training::{TrainingEnd, TrainingProgress};
use zug_domain::set_asking_time;
use zug_domain::simultaneous::contests::{ROUNDS, WINS};
use zug_matrix::options::{ContestOptions, MATCH, TOURNAMENT};
use zug_matrix::repeated::{Tournament, Until};
use zug_options::{Row, Rows, Table, Within, row};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::options::{BEADS, LIMITS, METHOD, RATES, SCHEDULE};

/// What is asked of a training.
#[derive(Clone, Debug, Default)]
struct Training {
    request: TrainRequest,
    limits: Limits,
}

static TRAIN: Table<Training> = Table(&[
    &Within(&SCHEDULE, |to: &mut Training| &mut to.request.schedule),
    &Within(&AGAINST, |to: &mut Training| &mut to.request),
    &Within(&METHOD, |to: &mut Training| &mut to.request.rule),
    &Within(&BEADS, |to: &mut Training| &mut to.request.rule),
    &Within(&RATES, |to: &mut Training| &mut to.request.rule),
    &Within(&RESULT, |to: &mut Training| &mut to.request),
    &Within(&RESUME, |to: &mut Training| &mut to.request),
    &Within(&INSTANCE, |to: &mut Training| &mut to.request),
    &Within(&LIMITS, |to: &mut Training| &mut to.limits),
]);

/// What is asked of players of a repeated game.
#[derive(Clone, Debug, Default)]
struct Contest {
    players: Vec<String>,
    options: ContestOptions,
    limits: Limits,
}

const PLAYERS: &[Row<Contest>] =
    &[row!(names("players", "NAMES", "Who takes part") => Contest.players)];

static ONE_MATCH: Table<Contest> = Table(&[
    &Rows(PLAYERS),
    &Within(&MATCH, |to: &mut Contest| &mut to.options),
    &Within(&LIMITS, |to: &mut Contest| &mut to.limits),
]);

static ALL_MATCHES: Table<Contest> = Table(&[
    &Rows(PLAYERS),
    &Within(&MATCH, |to: &mut Contest| &mut to.options),
    &Within(&TOURNAMENT, |to: &mut Contest| &mut to.options),
    &Within(&LIMITS, |to: &mut Contest| &mut to.limits),
]);

/// Learns a game by playing it.
pub(super) fn train(rules: &mut Rules, asked: &Asked, told: &Told) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut training = Training::default();
    take(asked, "train", &TRAIN, &mut training)?;
    let Training { mut request, limits: given } = training;
    if request.against == Against::Agent(Agent::Human) {
        return Err(refused("a person is asked for moves by `zug train` alone"));
    }
    request.rules = file.display().to_string();
    if let Some(path) = &request.save {
        Trainer::may_save(&session.world.files, path).map_err(failed)?;
    }
    let mut trainer = Trainer::begin(session, &request).map_err(failed)?;
    let (goal, mut evaluated) = (trainer.goal(), 0);
    let mut watch = |now: &TrainingProgress<'_>| {
        let data = |elapsed| Progress::trained(now, goal, elapsed);
        if now.curve.len() > evaluated || now.games == goal {
            evaluated = now.curve.len();
            told.tell_now(data);
        } else {
            told.tell(data);
        }
    };
    let ended = trainer.run(session, &limits(session, given), &mut watch);
    // Ctrl-C was for the training: what was learned by then is kept.
    session.machine.interrupt.store(false, Ordering::Relaxed);
    if let Some(path) = &request.save {
        trainer.save(session, path).map_err(failed)?;
    }
    match &ended {
        TrainingEnd::Failed(error) => Err(Trouble::rule(session, error)),
        _ => Ok(one(&trainer.report(session, &ended).map_err(failed)?)),
    }
}

/// Players of a repeated game: two of them once, or every two.
pub(super) fn contest(rules: &mut Rules, asked: &Asked, is_match: bool, told: &Told) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let (what, table, usual) = match is_match {
        true => ("match", &ONE_MATCH, Until::first_to(WINS)),
        false => ("tournament", &ALL_MATCHES, Until::Rounds(ROUNDS)),
    };
    let mut contest = Contest::default();
    take(asked, what, table, &mut contest)?;
    let Contest { players, options, limits: given } = contest;
    let how = Tournament {
        matches: if is_match { 1 } else { options.matches },
        until: options.until.unwrap_or(usual),
        seed: options.seed(),
    };
    let request = ContestRequest { file, players, how, limits: limits(session, given) };
    let pairs = (request.players.len() as u64).saturating_mul(request.players.len() as u64 - 1) / 2;
    let all = pairs.saturating_mul(request.how.matches);
    let watch = &mut |rounds, matches| {
        told.tell(|elapsed| match is_match {
            true => Progress::rounds(rounds, elapsed),
            false => Progress { rounds: Some(rounds), ..Progress::counted(matches, all, elapsed) },
        });
    };
    Ok(match is_match {
        true => one(&play_one(session, &request, watch).map_err(failed)?),
        false => one(&play_all(session, &request, watch).map_err(failed)?),
    })
}

/// Games among machines.
#[derive(Clone, Debug, Default)]
struct Games {
    options: PlayOptions,
    db: Option<PathBuf>,
}

static SERIES: Table<Games> = Table(&[
    &Rows(&[
        row!(names("agents", "NAMES", "Who plays") => Games.options.against),
        row!(file("db", "DB", "Answer from this base") => Some(Games.db)),
        row!(text("first", "PLAYER", "The player who begins") => Some(Games.options.request.first)),
    ]),
    &Within(&GAMES, |to: &mut Games| &mut to.options),
    &Within(&SEED, |to: &mut Games| &mut to.options.contest),
    &Within(&PLACE, |to: &mut Games| &mut to.options),
    &Within(&MOVE_TIME, |to: &mut Games| &mut to.options),
]);

/// Games among machines, who begin in turn: a record for each, and the score.
pub(super) fn series(rules: &mut Rules, asked: &Asked, told: &Told) -> Reports {
    let mut wanted = Games::default();
    take(asked, "series", &SERIES, &mut wanted)?;
    let games = wanted.options.games.unwrap_or(1);
    let request = wanted.options.in_turn(rules.file().display().to_string());
    let request = request.map_err(|(who, why)| refused(format!("`{who}` plays no game: {why}")))?;
    rules.with_base((wanted.db.as_deref(), None), |rules| {
        let session = &mut rules.session;
        set_asking_time(&mut session.world, request.time);
        let played = play_series(session, &request, games, told);
        set_asking_time(&mut session.world, None);
        played
    })
}

fn play_series(session: &mut Session, request: &PlayRequest, games: u32, told: &Told) -> Reports {
    let mut series = Series::new(session, request).map_err(failed)?;
    let mut tallies = vec![AgentScore::default(); series.agents().len()];
    let mut found = Found::default();
    for number in 1..=u64::from(games) {
        let next = series.next(session);
        // What was played before Ctrl-C is a score, too.
        if session.machine.interrupt.load(Ordering::Relaxed) {
            break;
        }
        let played = next.map_err(failed)?;
        played.count(&mut tallies);
        let at = (number, played.opening);
        let result = records::result(session, at, &played.game, played.ending.as_ref());
        found.records.push(record_line("result", &result));
        told.tell(|elapsed| Progress::counted(number, games.into(), elapsed));
    }
    found.records.push(record_line("score", &records::score(&series, &tallies)));
    Ok(found)
}
