//! Who plays: trainings, games among machines, players of repeated games.

use super::{Found, Reports, failed, limits, one, texts};
use crate::asked::{Asked, refused, take};
use crate::errors::Trouble;
use crate::progress::Told;
use crate::session::Rules;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug::record_line;
use zug::usecases::contest::{ContestRequest, play_all, play_one};
use zug::usecases::play::{Agent, AgentScore, PlayRequest, Series};
use zug::usecases::record::{Progress, games as records};
use zug::usecases::train::options::{AGAINST, INSTANCE, RESULT, TrainOptions};
use zug::usecases::train::{Against, TrainRequest, Trainer};
use zug_domain::game::training::{TrainingEnd, TrainingProgress};
use zug_domain::set_asking_time;
use zug_domain::simultaneous::contests::{ROUNDS, WINS};
use zug_matrix::options::{ContestOptions, MATCH, TOURNAMENT};
use zug_matrix::repeated::{Tournament, Until};
use zug_options::{Rejected, Row, Rows, Table, Within};
use zug_prolog::session::Session;
use zug_random::Random;
use zug_search::Limits;
use zug_search::options::{BEADS, LIMITS, METHOD, RATES, SCHEDULE, TIME};

/// What is asked of a training.
#[derive(Clone, Debug, Default)]
struct Training {
    options: TrainOptions,
    resume: Option<PathBuf>,
    limits: Limits,
}

static TRAIN: Table<Training> = Table(&[
    &Within(&SCHEDULE, |to: &mut Training| &mut to.options.schedule),
    &Within(&AGAINST, |to: &mut Training| &mut to.options),
    &Within(&METHOD, |to: &mut Training| &mut to.options.rule),
    &Within(&BEADS, |to: &mut Training| &mut to.options.rule),
    &Within(&RATES, |to: &mut Training| &mut to.options.rule),
    &Within(&RESULT, |to: &mut Training| &mut to.options),
    &Within(&INSTANCE, |to: &mut Training| &mut to.options),
    &Rows(texts!(Training: "resume" file "Go on with what was learned before" => resume;)),
    &Within(&LIMITS, |to: &mut Training| &mut to.limits),
]);

/// What goes with `resume`: all else is in the file.
const RESUMED: [&str; 5] = ["resume", "games", "save", "time", "memory"];

/// What is asked of players of a repeated game.
#[derive(Clone, Debug, Default)]
struct Contest {
    players: Vec<String>,
    options: ContestOptions,
    limits: Limits,
}

const PLAYERS: &[Row<Contest>] =
    &[Row::names("players", "NAMES", "Who takes part", |to: &mut Contest, names| {
        to.players = names;
        Ok(())
    })];

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
    let Training { options, resume, limits: given } = training;
    if resume.is_some()
        && let Some(other) = asked.keys().find(|name| !RESUMED.contains(&name.as_str()))
    {
        return Err(refused(format!("`{other}` can't be given with `resume`: it is in the file")));
    }
    if options.against == Against::Agent(Agent::Human) {
        return Err(refused("a person is asked for moves by `zug train` alone"));
    }
    let request = TrainRequest {
        rules: file.display().to_string(),
        instance: options.instance,
        games: options.schedule.games,
        rule: options.rule,
        seed: options.schedule.seed,
        against: options.against,
        baseline: options.baseline,
        resume,
    };
    if let Some(path) = &options.save {
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
    if let Some(path) = &options.save {
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
        seed: options.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000)),
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
    agents: Vec<String>,
    games: u32,
    seed: Option<u64>,
    instance: Option<String>,
    state: Option<String>,
    first: Option<String>,
    time: Limits,
    db: Option<PathBuf>,
}

static SERIES: Table<Games> = Table(&[
    &Rows(&[
        Row::names("agents", "NAMES", "Who plays", |to: &mut Games, names| {
            to.agents = names;
            Ok(())
        }),
        Row::small("games", "N", "Games to play", |to: &mut Games, games| {
            if games == 0 {
                return Rejected::out_of_range();
            }
            to.games = games;
            Ok(())
        })
        .wants("write a whole number from 1 on"),
        Row::whole("seed", "S", "The seed of what happens at random", |to: &mut Games, seed| {
            to.seed = Some(seed);
            Ok(())
        }),
        Row::term_text("state", "TERM", "The state to start from", |to: &mut Games, term| {
            to.state = Some(term.to_owned());
            Ok(())
        })
        .conflicts(&["instance"]),
    ]),
    &Rows(texts!(Games:
        "instance" text "The instance" => instance;
        "first" term_text "The player who begins" => first;
        "db" file "Answer from this base" => db;
    )),
    &Within(&MOVE_TIME, |to: &mut Games| &mut to.time),
]);

static MOVE_TIME: [Row<Limits>; 1] = [TIME];

/// Games among machines, who begin in turn: a record for each, and the score.
pub(super) fn series(rules: &mut Rules, asked: &Asked, told: &Told) -> Reports {
    let mut wanted = Games { games: 1, ..Games::default() };
    take(asked, "series", &SERIES, &mut wanted)?;
    let agent = |who: &String| {
        who.parse::<Agent>().map_err(|why| refused(format!("`{who}` plays no game: {why}")))
    };
    let agents = wanted.agents.iter().map(agent).collect::<Result<Vec<Agent>, Trouble>>()?;
    let request = PlayRequest {
        rules: rules.file().display().to_string(),
        instance: wanted.instance,
        state: wanted.state,
        humans: Vec::new(),
        first: wanted.first,
        agents,
        seed: wanted.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000)),
        time: wanted.time.time,
    };
    rules.with_base((wanted.db.as_deref(), None), |rules| {
        let session = &mut rules.session;
        set_asking_time(&mut session.world, request.time);
        let played = play_series(session, &request, wanted.games, told);
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
