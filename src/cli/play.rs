//! `zug play`: a game at the terminal, or games among machines.

use super::args::PlayArgs;
use super::{Exit, complain, io, print, rules};
use crate::machine::arithmetic::Random;
use crate::render::play as render;
use crate::render::style::Theme;
use crate::repl::{Console, Ended, Piped, Talk, Terminal};
use crate::session::Session;
use crate::usecases::Failure;
use crate::usecases::play::{Agent, Match, PlayRequest, Series, Tally};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub fn run(args: &PlayArgs, flag: &Arc<AtomicBool>) -> Exit {
    let file = match rules::find(&args.file) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let mut session = rules::session(args.memory, args.code.mode(), flag);
    if let Err(exit) = rules::load(&mut session, &file) {
        return exit;
    }
    let mut agents = args.against.clone();
    agents.extend(args.level.map(Agent::Level));
    let request = PlayRequest {
        rules: file.display().to_string(),
        instance: args.instance.clone(),
        human: args.human.clone(),
        first: args.first.clone(),
        agents,
        // Short, so that it can be typed again.
        seed: args.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000)),
        time: args.time,
    };
    let exit = match args.games {
        Some(games) => series(&mut session, &request, games.get()),
        None => game(&mut session, &request),
    };
    let _ = session.world.streams.flush_standard();
    exit
}

/// One game.
fn game(session: &mut Session, request: &PlayRequest) -> Exit {
    let game = match Match::begin(session, request) {
        Ok(game) => game,
        Err(failure) => return rules::show_failure(&failure),
    };
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colour = io::colours().0;
    let mut console: Box<dyn Console> = match Terminal::new(None, colour) {
        Ok(keys) if terminal => Box::new(keys),
        _ => Box::new(Piped),
    };
    let talk = Talk::new(session, &mut *console, Theme::new(colour));
    match talk.play(game) {
        Ok(Ok(Ended::Over | Ended::Left)) => Exit::Success,
        Ok(Err(failure)) => rules::show_failure(&failure),
        Err(error) => {
            complain(&format!("zug: {error}"));
            Exit::Error
        }
    }
}

/// Games among machines: each on a line, then the score.
fn series(session: &mut Session, request: &PlayRequest, games: u32) -> Exit {
    let played = |session: &mut Session| -> Result<Exit, Failure> {
        let mut series = Series::new(session, request)?;
        print(&render::series(&series, request.seed));
        let mut tallies = vec![Tally::default(); series.agents().len()];
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
    played(session).unwrap_or_else(|failure| rules::show_failure(&failure))
}
