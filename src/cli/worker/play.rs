//! States and their moves, and what the machine thinks of them.

use super::board::{Board, Painter};
use super::header::Header;
use super::question::At;
use super::reply::End;
use super::{Desk, at_once, click, gallery};
use serde::Serialize;
use std::time::Duration;
use zug_domain::{Contract, DomainKind, canonical_text};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_render::{play as words, puzzle as puzzle_words, style::Theme};
use zug_report::Number;
use zug_search::Limits;
use zug_search::game::game_engines;
use zug_term::Record;
use zug_usecases::Failure;
use zug_usecases::given::{preferred_start, starts};
use zug_usecases::play::{Agent, Match, Outlook, PlayRequest};
use zug_usecases::puzzle::{GoalOutlook, Puzzle, PuzzleRequest};
use zug_usecases::record::Finding;
use zug_usecases::round::{opponents, standing};

/// Time for a move, unless the question says how much.
const MOVE: Duration = Duration::from_secs(2);

/// What a rule file is.
#[derive(Serialize)]
struct Domain {
    /// `puzzle`, `game`, `simultaneous`, `model` or `program`.
    kind: &'static str,
    /// Names of the starts.
    instances: Vec<String>,
    /// The one to open with.
    start: Option<String>,
    /// The players of a game, from the one who begins.
    players: Vec<String>,
    /// Who may play for the machine where all choose at once, the usual one first.
    opponents: Vec<String>,
    heuristics: Vec<String>,
    /// The engines for it.
    engines: Vec<EngineData>,
    /// What was found when it was loaded.
    findings: Vec<Finding>,
    /// Title, rules and goal in words.
    header: Header,
    /// The only final state of a puzzle, if there is exactly one.
    goal: Option<Board>,
}

/// An engine.
#[derive(Serialize)]
struct EngineData {
    name: &'static str,
    summary: &'static str,
    /// It asks the heuristic.
    informed: bool,
    /// What it needs and is not there.
    missing: Option<String>,
}

/// A state.
#[derive(Serialize)]
pub struct Spot {
    /// None in a game of one round.
    pub state: Option<String>,
    /// Who is to move, in a game.
    pub player: Option<String>,
    /// A puzzle is solved, a game is over.
    pub over: bool,
    /// How it ended, in words.
    pub ending: Option<String>,
    /// Chance is to move.
    pub chance: bool,
    /// The moves of who is to move.
    pub moves: Vec<MoveData>,
    /// What each player may choose, where all choose at once.
    pub choices: Vec<ChoiceData>,
    /// What it looks like.
    pub board: Option<Board>,
}

/// What a player may choose where all choose at once.
#[derive(Serialize)]
pub struct ChoiceData {
    /// Who chooses.
    pub player: String,
    /// The actions.
    pub actions: Vec<String>,
}

/// A move.
#[derive(Serialize)]
pub struct MoveData {
    text: String,
    /// What it costs, in a puzzle.
    cost: Option<Number>,
    /// How likely it is, where chance moves.
    chance: Option<f64>,
    /// The state it leads to, and who is to move there.
    state: String,
    player: Option<String>,
    board: Option<Board>,
    /// The squares that mean it by `click/3`, as row and column from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<Vec<(u64, u64)>>,
}

/// A move of the machine.
#[derive(Serialize)]
struct MachineMove {
    /// Its place among the moves.
    choice: usize,
    /// What there is to say of it.
    text: String,
}

/// What is known of a state.
#[derive(Serialize)]
pub struct Advice {
    /// The best move's place, if one is known.
    pub choice: Option<usize>,
    /// In words.
    pub text: String,
}

/// What a move comes to.
#[derive(Serialize)]
struct MoveValue {
    choice: usize,
    /// In a game the value to who makes the move; in a puzzle what a plan costs that begins so.
    value: Option<Number>,
    /// It is proved.
    exact: bool,
    /// What has to be so for it to be exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_if: Option<String>,
    /// In a game, the moves of all players to its end after this one, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    text: String,
}

pub fn kind(contract: &Contract) -> &'static str {
    match contract.kind() {
        DomainKind::Puzzle => "puzzle",
        DomainKind::Game => "game",
        DomainKind::Simultaneous => "simultaneous",
        DomainKind::Model => "model",
        DomainKind::Program => "program",
    }
}

/// Says what the rules are.
pub fn open(desk: &Desk) -> Result<End, Failure> {
    let (mut session, found) = desk.loaded()?;
    let contract = Contract::of(&session.machine);
    let heuristics = contract.heuristics();
    let heuristics: Vec<String> =
        heuristics.iter().map(|heuristic| heuristic.name(&session.machine.symbols)).collect();
    let starts = match contract.kind() {
        DomainKind::Program => Vec::new(),
        // A program that has none is told so where one is asked for.
        _ => starts(&mut session, &contract, None, None).unwrap_or_default(),
    };
    let preferred = preferred_start(&contract, &starts);
    let instances: Vec<String> = starts.iter().map(|start| start.name().to_owned()).collect();
    let (players, opponents) = match contract.kind() {
        DomainKind::Game => (players(desk, &mut session)?, Vec::new()),
        DomainKind::Simultaneous => players_at_once(&mut session, &desk.limits())?,
        _ => (Vec::new(), Vec::new()),
    };
    let players: Vec<String> = players.iter().map(|player| name(&session, player)).collect();
    let domain = Domain {
        kind: kind(&contract),
        start: instances.get(preferred).cloned(),
        instances,
        engines: engines(contract.kind(), &heuristics, players.len()),
        players,
        opponents,
        heuristics,
        findings: found.iter().map(Finding::from).collect(),
        header: desk.header(),
        goal: gallery::goal(&mut session, &contract),
    };
    desk.reply.record("domain", &domain);
    Ok(End::done())
}

/// The players of a game in which all choose at once, and who may play for the machine.
fn players_at_once(
    session: &mut Session,
    limits: &Limits,
) -> Result<(Vec<Record>, Vec<String>), Failure> {
    let players = standing(session, None, None, limits)?.choices.players;
    Ok((players, opponents(session, limits)?))
}

/// The engines for a kind of domain.
fn engines(kind: DomainKind, heuristics: &[String], players: usize) -> Vec<EngineData> {
    let path = zug_search::engines().map(|info| EngineData {
        name: info.name,
        summary: info.summary,
        informed: info.informed,
        missing: (info.informed && heuristics.is_empty()).then(|| "a heuristic".to_owned()),
    });
    let game = game_engines().map(|info| EngineData {
        name: info.name,
        summary: info.summary,
        informed: false,
        missing: (!info.players.allows(players)).then(|| info.players.words().to_owned()),
    });
    match kind {
        DomainKind::Puzzle => path.collect(),
        DomainKind::Game => game.collect(),
        _ => Vec::new(),
    }
}

fn name(session: &Session, record: &Record) -> String {
    term_text(&session.machine, &session.world, record)
}

fn state_text(session: &Session, record: &Record) -> String {
    canonical_text(&session.machine, &session.world, record)
}

/// The players of a game, from the one who begins.
pub fn players(desk: &Desk, session: &mut Session) -> Result<Vec<Record>, Failure> {
    Ok(game(desk, session, &At::default(), None)?.players)
}

/// A game at a state: the agent, with a seed, in all seats; without one people sit there.
fn game(
    desk: &Desk,
    session: &mut Session,
    at: &At,
    agent: Option<(Agent, u64)>,
) -> Result<Match, Failure> {
    let who = if agent.is_some() { "none" } else { "all" };
    let (agents, seeds): (Vec<Agent>, Vec<u64>) = agent.into_iter().unzip();
    let request = PlayRequest {
        rules: desk.question.file.clone(),
        instance: at.instance.clone().filter(|_| at.state.is_none()),
        state: at.state.clone(),
        humans: vec![who.to_owned()],
        first: at.player.clone(),
        agents,
        seed: seeds.first().copied().unwrap_or_default(),
        time: Some(move_time(desk)),
    };
    Match::begin(session, &request)
}

fn puzzle(desk: &Desk, session: &mut Session, at: &At) -> Result<Puzzle, Failure> {
    let request = PuzzleRequest {
        rules: desk.question.file.clone(),
        instance: at.instance.clone().filter(|_| at.state.is_none()),
        state: at.state.clone(),
        time: Some(move_time(desk)),
    };
    Puzzle::begin(session, &request)
}

fn move_time(desk: &Desk) -> Duration {
    if desk.question.seconds.is_some() { desk.time() } else { MOVE.min(desk.time()) }
}

/// Shows a state and its moves.
pub fn look(desk: &Desk, at: &At) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    let spot = match contract.kind() {
        DomainKind::Puzzle => {
            let puzzle = puzzle(desk, &mut session, at)?;
            puzzle_spot(&mut session, &puzzle)
        }
        DomainKind::Simultaneous => at_once::spot(desk, &mut session, at)?,
        _ => {
            let game = game(desk, &mut session, at, None)?;
            game_spot(&mut session, &game)
        }
    };
    desk.reply.record("spot", &spot);
    Ok(End::done())
}

fn puzzle_spot(session: &mut Session, puzzle: &Puzzle) -> Spot {
    let now = puzzle.now();
    let mut painter = Painter::default();
    let board = painter.board(session, &now.state);
    let squares = click::squares(session, &now.state, now.moves.iter().map(|to| &to.mv));
    let mut squares = squares.into_iter();
    let moves = now.moves.iter().map(|to| MoveData {
        text: name(session, &to.mv),
        cost: Some(to.cost.into()),
        chance: None,
        state: state_text(session, &to.state),
        player: None,
        board: painter.board(session, &to.state),
        squares: squares.next().flatten(),
    });
    let moves = moves.collect();
    Spot {
        state: Some(state_text(session, &now.state)),
        player: None,
        over: now.goal,
        ending: None,
        chance: false,
        moves,
        choices: Vec::new(),
        board,
    }
}

fn game_spot(session: &mut Session, game: &Match) -> Spot {
    let now = game.now();
    let mut painter = Painter::default();
    let board = painter.board(session, &now.state);
    let squares = click::squares(session, &now.state, now.choices.iter().map(|to| &to.mv));
    let mut squares = squares.into_iter();
    let moves = now.choices.iter().enumerate().map(|(number, to)| MoveData {
        text: name(session, &to.mv),
        cost: None,
        chance: now.chances.get(number).copied(),
        state: state_text(session, &to.state),
        player: Some(name(session, &to.player)),
        board: painter.board(session, &to.state),
        squares: squares.next().flatten(),
    });
    let moves = moves.collect();
    let ending = game.ending();
    Spot {
        state: Some(state_text(session, &now.state)),
        player: Some(name(session, &now.player)),
        over: ending.is_some(),
        ending: ending.map(|ending| words::result(session, &ending)),
        chance: !now.chances.is_empty(),
        moves,
        choices: Vec::new(),
        board,
    }
}

/// Makes a move of the machine.
pub fn machine(desk: &Desk, at: &At, agent: &str, seed: u64) -> Result<End, Failure> {
    let agent: Agent = agent.parse().map_err(Failure::Players)?;
    if matches!(agent, Agent::Policy { .. } | Agent::Human) {
        return Err(Failure::Players(format!("`{agent}` can't play here")));
    }
    let (mut session, _) = desk.domain()?;
    let mut game = game(desk, &mut session, at, Some((agent, seed)))?;
    if game.now().choices.is_empty() {
        return Err(Failure::Players("the game is over".to_owned()));
    }
    let thought = game.think(&mut session)?;
    let text = words::thought(&session, game.now(), &thought, &Theme::new(false));
    let choice = thought.choice;
    desk.reply.record("machine", &MachineMove { choice, text: text.trim().to_owned() });
    Ok(End::done())
}

/// Says the best move.
pub fn hint(desk: &Desk, at: &At) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    if contract.kind() == DomainKind::Simultaneous {
        return at_once::hint(desk, &mut session, at);
    }
    let advice = if contract.kind() == DomainKind::Puzzle {
        let mut puzzle = puzzle(desk, &mut session, at)?;
        let ahead = puzzle.ahead(&mut session)?;
        let first = ahead.way().and_then(|way| way.path.first());
        let choice = first.and_then(|mv| puzzle.now().moves.iter().position(|to| to.mv == *mv));
        Advice { choice, text: puzzle_words::hint(&session, &ahead) }
    } else {
        let mut game = game(desk, &mut session, at, None)?;
        let outlook = game.evaluate(&mut session)?;
        let text = words::hint(&session, game.now(), &outlook);
        Advice { choice: outlook.choice, text }
    };
    desk.reply.record("advice", &Advice { text: advice.text.trim().to_owned(), ..advice });
    Ok(End::done())
}

/// Says what each move comes to, one after the other.
pub fn values(desk: &Desk, at: &At) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    if contract.kind() == DomainKind::Puzzle {
        puzzle_values(desk, &mut session, at)
    } else {
        game_values(desk, &mut session, at)
    }
}

fn puzzle_values(desk: &Desk, session: &mut Session, at: &At) -> Result<End, Failure> {
    let mut puzzle = puzzle(desk, session, at)?;
    for choice in 0..puzzle.now().moves.len() {
        if desk.is_stopped() {
            break;
        }
        let own = puzzle.now().moves[choice].cost;
        puzzle.make(session, choice)?;
        let ahead = puzzle.ahead(session)?;
        puzzle.undo(1);
        let value = ahead.way().map(|way| own.plus(way.cost).into());
        let exact = matches!(ahead, GoalOutlook::Cheapest(_) | GoalOutlook::DeadEnd(_));
        let text = puzzle_words::far(&ahead).trim().to_owned();
        let (exact_if, distance) = (None, None);
        let data = MoveValue { choice, value, exact, exact_if, distance, text };
        desk.reply.record("value", &data);
    }
    Ok(End::done())
}

fn game_values(desk: &Desk, session: &mut Session, at: &At) -> Result<End, Failure> {
    let mut game = game(desk, session, at, None)?;
    if !game.now().chances.is_empty() {
        return Err(Failure::Players("chance is to move here: nobody chooses".to_owned()));
    }
    let mover = game.now().player.clone();
    for choice in 0..game.now().choices.len() {
        if desk.is_stopped() {
            break;
        }
        game.play(session, choice)?;
        let data = match game.ending() {
            Some(ending) => {
                let own = ending.values.iter().find(|(player, _)| *player == mover);
                let value = own.map(|(_, value)| (*value).into());
                let text = words::result(session, &ending);
                let (exact_if, distance) = (None, Some(0));
                MoveValue { choice, value, exact: true, exact_if, distance, text }
            }
            None => {
                let outlook = game.evaluate(session)?;
                let own = outlook.values.iter().find(|(player, _)| *player == mover);
                let value = own.map(|(_, value)| Number::from(value.clone()));
                let text = words::outlook(session, game.now(), &outlook).trim().to_owned();
                let Outlook { exact, exact_if, distance, .. } = outlook;
                MoveValue { choice, value, exact, exact_if, distance, text }
            }
        };
        desk.reply.record("value", &data);
        game.undo();
    }
    Ok(End::done())
}
