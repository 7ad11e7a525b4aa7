//! `zug play`: a game or a puzzle at the terminal, or games among machines.

use super::args::{CodeArgs, Format};
use super::base::BaseArgs;
use super::play_records::Lines;
use super::rule_args::RuleArgs;
use super::{Exit, base, complain, emit, fail, io, play_records, print, rules};
use clap::Args;
use std::io::IsTerminal;
use std::num::NonZeroU32;
use std::num::NonZeroU64;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_domain::simultaneous::contests::WINS;
use zug_domain::{Contract, DomainKind};
use zug_machine::arithmetic::Random;
use zug_matrix::repeated::Until;
use zug_options::units;
use zug_prolog::session::Session;
use zug_render::play as render;
use zug_render::style::Theme;
use zug_repl::{Console, Dialogue, DialogueEnd, DialogueError, Piped, Terminal};
use zug_usecases::Failure;
use zug_usecases::no_model;
use zug_usecases::play::Level;
use zug_usecases::play::{Agent, AgentScore, Match, NotLoaded, PlayRequest, Played, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};
use zug_usecases::rounds::{OPPONENT, Rounds, RoundsRequest};

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
    /// The player you are, `none` to watch, or `all` to make the moves of all players, for two
    /// people at one keyboard; may be given several times [default: the one who begins]
    #[arg(long = "as", value_name = "PLAYER")]
    pub human: Vec<String>,
    /// Who plays the others, in order of turns; the last one all that are left
    /// [default: level:5; in a game in which all choose at once mixture([1,2,3])]
    #[arg(long, value_name = "WHO")]
    pub against: Vec<String>,
    /// How strong the machine plays, from 1 to 9: short for --against level:N
    #[arg(long, value_name = "N", conflicts_with = "against", value_parser = level)]
    pub level: Option<Level>,
    /// The player who begins [default: the one the file says]
    #[arg(long, value_name = "PLAYER")]
    pub first: Option<String>,
    /// The instance, if the file has several: the name in initial_state(Name, S), or its number
    /// [default: the largest of a game, the first of a puzzle]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// The state to start from, as a term; `zug tree` and `zug solve` take it too
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// Go on with a game that was written down with the word `save`
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "human", "against", "level", "first", "instance", "state", "games", "seed", "to", "rounds",
    ])]
    pub load: Option<PathBuf>,
    /// Let machines play this many games, and count
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroU32>,
    /// In a game in which all choose at once: rounds to win [default: 50]
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub to: Option<NonZeroU64>,
    /// In a game in which all choose at once: rounds to play
    #[arg(long, value_name = "N")]
    pub rounds: Option<NonZeroU64>,
    /// The seed of what happens at random [default: another one each time]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How to print the game
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// For programs: a move is its term, never its number in the list, and the first line that is no legal move
    /// ends the play with exit code 2
    #[arg(long)]
    pub strict: bool,
    /// Time for a move of the machine, or for a look ahead in a puzzle, as 10s or 500ms [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub code: CodeArgs,
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
    zug_domain::set_asking_time(&mut session.world, args.time);
    let name = file.display().to_string();
    let exit = match Contract::of(&session.machine).kind() {
        DomainKind::Model => {
            Err(shown(no_model("there is nothing to play; `zug solve` solves it")))
        }
        DomainKind::Simultaneous => rounds(&mut session, args, name),
        DomainKind::Puzzle => puzzle(&mut session, args, name),
        _ => in_turn(&mut session, args, name),
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
fn in_turn(session: &mut Session, args: &PlayArgs, rules: String) -> Result<Exit, Exit> {
    if args.to.is_some() || args.rounds.is_some() {
        return Err(misused("--to and --rounds are for games in which all choose at once"));
    }
    base::open(session, args.base.db.as_deref())?;
    let agent = |who: &String| {
        who.parse().map_err(|why: String| misused(&format!("`--against {who}`: {why}")))
    };
    let mut agents = args.against.iter().map(agent).collect::<Result<Vec<Agent>, Exit>>()?;
    agents.extend(args.level.map(Agent::Level));
    let request = PlayRequest {
        rules,
        instance: args.instance.clone(),
        state: args.state.clone(),
        humans: args.human.clone(),
        first: args.first.clone(),
        agents,
        seed: seed(args),
        time: args.time,
    };
    let exit = match args.games {
        Some(games) => Ok(series(session, &request, games.get())),
        None => game(session, &request, args),
    };
    base::note(session);
    exit
}

/// One game.
fn game(session: &mut Session, request: &PlayRequest, args: &PlayArgs) -> Result<Exit, Exit> {
    let mut game = Match::begin(session, request).map_err(shown)?;
    load(session, &mut game, args.load.as_deref())?;
    if emit::is_open() {
        return Ok(play_records::game(session, game, Lines::new(args.strict)));
    }
    Ok(talk(session, |dialogue| dialogue.game(game)))
}

/// Rounds of a game in which all choose at once.
fn rounds(session: &mut Session, args: &PlayArgs, rules: String) -> Result<Exit, Exit> {
    if args.human.len() > 1 || args.human.iter().any(|who| who == "all" || who == "both") {
        return Err(misused(
            "all choose at once in this game, and at one keyboard each would see the other's \
             choice: one person plays, against a player such as --against nash",
        ));
    }
    let in_turn = args.level.is_some()
        || args.first.is_some()
        || args.games.is_some()
        || args.instance.is_some()
        || args.state.is_some()
        || args.load.is_some();
    if in_turn || args.against.len() > 1 {
        return Err(misused(
            "all choose at once in this game: there is one opponent, as --against history(3), \
             and no --level, --first, --games, --load, --instance or --state",
        ));
    }
    let against = args.against.first().cloned().unwrap_or_else(|| OPPONENT.to_owned());
    let until = match (args.to, args.rounds) {
        (_, Some(rounds)) => Until::Rounds(rounds.get()),
        (to, None) => Until::first_to(to.map_or(WINS, NonZeroU64::get)),
    };
    let person = args.human.first().cloned();
    let request = RoundsRequest { rules, person, against, until, seed: seed(args) };
    let rounds = Rounds::begin(session, request).map_err(shown)?;
    if emit::is_open() {
        return Ok(play_records::rounds(session, rounds, Lines::new(args.strict)));
    }
    Ok(talk(session, |dialogue| dialogue.rounds(rounds)))
}

/// A puzzle, by hand.
fn puzzle(session: &mut Session, args: &PlayArgs, rules: String) -> Result<Exit, Exit> {
    // All players are the one who solves it.
    let of_a_game = args.human.iter().any(|who| who != "all")
        || !args.against.is_empty()
        || args.level.is_some()
        || args.first.is_some()
        || args.games.is_some()
        || args.to.is_some()
        || args.rounds.is_some();
    if of_a_game {
        return Err(misused(
            "the rules are those of a puzzle, with rule/4: you make the moves, and there is no \
             --as, --against, --level, --first, --games, --to or --rounds",
        ));
    }
    let request = PuzzleRequest {
        rules,
        instance: args.instance.clone(),
        state: args.state.clone(),
        time: args.time,
    };
    let mut puzzle = Puzzle::begin(session, &request).map_err(shown)?;
    load(session, &mut puzzle, args.load.as_deref())?;
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

/// The seed: a short one, so that it can be typed again.
fn seed(args: &PlayArgs) -> u64 {
    args.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000))
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

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 9".to_owned())
}
