//! `zug play`: a game or a puzzle at the terminal, or games among machines.

use super::args::{CodeArgs, Format};
use super::base::BaseArgs;
use super::given::{Given, option_set};
use super::play_records::Lines;
use super::rule_args::RuleArgs;
use super::{Exit, base, complain, emit, fail, io, play_records, print, rules};
use clap::Args;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_domain::{Contract, DomainKind};
use zug_options::{Rows, Within};
use zug_prolog::session::Session;
use zug_render::play as render;
use zug_render::style::Theme;
use zug_repl::{Console, Dialogue, DialogueEnd, DialogueError, Piped, Terminal};
use zug_usecases::Failure;
use zug_usecases::no_model;
use zug_usecases::play::options::{GAMES, LENGTH, LOAD, PLACE, PLAYERS, PlayOptions, TIME};
use zug_usecases::play::{AgentScore, Match, NotLoaded, PlayRequest, Played, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};
use zug_usecases::rounds::{Rounds, RoundsRequest};

/// Who there is to play against.
pub const PLAYING: &str = "\
Opponents:
  level:1 … level:9  from nearly random to exact, or as far ahead as the time allows
  random             any move
  alphabeta:6        an engine, looking 6 moves ahead; minimax, negamax and maxn too
  alphabeta          the engine, as far ahead as the time allows
  mcts:5000          Monte Carlo tree search with 5000 plays at random for a move
  solve_game         exact play
  policy:FILE        what `zug train --save FILE` learned; greedy:FILE its likeliest moves

Where all choose at once, as rock, paper, scissors:
  history(3), mixture([1,2,3]), counter(history(1)), nash, … (`zug match --help`)

Two opponents for two players play each other:
  zug play rules/nim.pl --against level:9 --against random --games 10 --seed 1";

/// `zug play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Playing>,
    /// How to print the game
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// For programs: a move is its term, never its number in the list, and the first line that is no legal move
    /// ends the play with exit code 2
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub thinking: Given<Thinking>,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// Who plays what.
    Playing: PlayOptions = [
        Rows(&PLAYERS),
        Rows(&PLACE),
        Rows(&LOAD),
        Rows(&GAMES),
        Within(&LENGTH, |to: &mut PlayOptions| &mut to.contest),
    ]
}

option_set! {
    /// How long is thought.
    Thinking: PlayOptions = [Rows(&TIME)]
}

/// Runs the command.
pub fn run(args: &PlayArgs, flag: &Arc<AtomicBool>) -> Exit {
    played(args, flag).unwrap_or_else(|exit| exit)
}

fn played(args: &PlayArgs, flag: &Arc<AtomicBool>) -> Result<Exit, Exit> {
    if args.strict && !emit::is_open() {
        return Err(misused("--strict is for programs: it goes with --format json or jsonl"));
    }
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = rules::open(&args.file, &terms, flag)?;
    let mut given = args.given.0.clone();
    given.request.time = args.thinking.request.time;
    zug_domain::set_asking_time(&mut session.world, given.request.time);
    let name = file.display().to_string();
    let kind = Contract::of(&session.machine).kind();
    if let Some(words) = given.misfit(kind) {
        return Err(misused(words));
    }
    let exit = match kind {
        DomainKind::Model => {
            Err(shown(no_model("there is nothing to play; `zug solve` solves it")))
        }
        DomainKind::Simultaneous => rounds(&mut session, args, given.rounds(name)),
        DomainKind::Puzzle => puzzle(&mut session, args, given.puzzle(name)),
        _ => in_turn(&mut session, args, given, name),
    };
    let _ = session.world.streams.flush_standard();
    exit
}

/// Tells a failure.
fn shown(failure: Failure) -> Exit {
    rules::show_failure(&failure)
}

/// Tells what is wrong with the arguments.
fn misused(words: &str) -> Exit {
    fail("arguments", words);
    Exit::Usage
}

/// Games of players in turn.
fn in_turn(
    session: &mut Session,
    args: &PlayArgs,
    given: PlayOptions,
    rules: String,
) -> Result<Exit, Exit> {
    base::open(session, args.base.db.as_deref())?;
    let request = given.in_turn(rules);
    let request = request.map_err(|(who, why)| misused(&format!("`--against {who}`: {why}")))?;
    let exit = match args.given.games {
        Some(games) => Ok(series(session, &request, games)),
        None => game(session, &request, args),
    };
    base::note(session);
    exit
}

/// One game.
fn game(session: &mut Session, request: &PlayRequest, args: &PlayArgs) -> Result<Exit, Exit> {
    let mut game = Match::begin(session, request).map_err(shown)?;
    load(session, &mut game, args.given.load.as_deref())?;
    if emit::is_open() {
        return Ok(play_records::game(session, game, Lines::new(args.strict)));
    }
    Ok(talk(session, |dialogue| dialogue.game(game)))
}

/// Rounds of a game in which all choose at once.
fn rounds(session: &mut Session, args: &PlayArgs, request: RoundsRequest) -> Result<Exit, Exit> {
    let rounds = Rounds::begin(session, request).map_err(shown)?;
    if emit::is_open() {
        return Ok(play_records::rounds(session, rounds, Lines::new(args.strict)));
    }
    Ok(talk(session, |dialogue| dialogue.rounds(rounds)))
}

/// A puzzle, by hand.
fn puzzle(session: &mut Session, args: &PlayArgs, request: PuzzleRequest) -> Result<Exit, Exit> {
    let mut puzzle = Puzzle::begin(session, &request).map_err(shown)?;
    load(session, &mut puzzle, args.given.load.as_deref())?;
    if emit::is_open() {
        return Ok(play_records::puzzle(session, puzzle, Lines::new(args.strict)));
    }
    Ok(talk(session, |dialogue| dialogue.puzzle(puzzle)))
}

/// Goes on with a record, if one is given.
fn load(session: &mut Session, play: &mut impl Played, record: Option<&Path>) -> Result<(), Exit> {
    let Some(path) = record else { return Ok(()) };
    let file = path.display();
    match play.load(session, path) {
        Ok(other) => {
            if let Some(rules) = other {
                complain(&format!("note: the game was played by the rules `{rules}`"));
            }
            Ok(())
        }
        Err(NotLoaded::Unreadable(error)) => {
            fail("unreadable", &format!("can't read `{file}`: {error}"));
            Err(Exit::Usage)
        }
        Err(NotLoaded::Unfit(why)) => Err(misused(&format!("`{file}` is not loaded: {why}"))),
        Err(NotLoaded::Syntax(findings)) => {
            rules::show_all(&findings);
            Err(misused(&format!("`{file}` is not loaded")))
        }
        Err(NotLoaded::Rule(failure)) => Err(shown(failure)),
    }
}

/// Holds a conversation at a terminal with its keys, or on a pipe.
fn talk(
    session: &mut Session,
    play: impl FnOnce(Dialogue<'_>) -> Result<DialogueEnd, DialogueError>,
) -> Exit {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colour = io::colours().0;
    let mut console: Box<dyn Console> = match Terminal::new(None, colour) {
        Ok(keys) if terminal => Box::new(keys),
        _ => Box::new(Piped),
    };
    match play(Dialogue::new(session, &mut *console, Theme::new(colour))) {
        Ok(DialogueEnd::Over | DialogueEnd::Left) => Exit::Success,
        Ok(DialogueEnd::Interrupted) => Exit::Interrupted,
        Err(DialogueError::Rules(failure)) => shown(failure),
        Err(DialogueError::Io(error)) => {
            fail("io", &error.to_string());
            Exit::Error
        }
    }
}

/// Games among machines: each on a line, then the score.
fn series(session: &mut Session, request: &PlayRequest, games: u32) -> Exit {
    if emit::is_open() {
        return play_records::series(session, request, games);
    }
    let played = |session: &mut Session| -> Result<Exit, Failure> {
        let mut series = Series::new(session, request)?;
        print(&render::series(&series, request.seed));
        let mut tallies = vec![AgentScore::default(); series.agents().len()];
        for number in 1..=games {
            let game = match series.next(session) {
                Ok(game) => game,
                Err(failure) => {
                    print(&render::score(&series, &tallies));
                    return Err(failure);
                }
            };
            game.count(&mut tallies);
            if print(&render::played(session, u64::from(number), &game)) != Exit::Success {
                return Ok(Exit::Error);
            }
        }
        Ok(print(&render::score(&series, &tallies)))
    };
    played(session).unwrap_or_else(shown)
}
