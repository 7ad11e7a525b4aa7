//! `zug match` and `zug tournament`: players of a repeated game among themselves.

use super::args::Format;
use super::given::{Given, option_set};
use super::plot_args::{Drawing, PlotArgs};
use super::progress::ProgressLine;
use super::rule_args::TimedArgs;
use super::{Exit, io, report as tell, rules, stopped};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use zug_code::Specialise;
use zug_domain::simultaneous::contests::{ROUNDS, WINS};
use zug_matrix::options::{ContestOptions, MATCH, TOURNAMENT};
use zug_matrix::repeated::{Tournament, Until};
use zug_options::Rows;
use zug_prolog::session::Session;
use zug_render::contest as render;
use zug_render::number::{counted, grouped};
use zug_render::style::Theme;
use zug_search::{Limits, StopReason};
use zug_usecases::Failure;
use zug_usecases::contest::{ContestRequest, play_all, play_one};
use zug_usecases::record::Progress;

option_set! {
    /// When a match is over.
    Matched: ContestOptions = [Rows(&MATCH)]
}
option_set! {
    /// How many matches there are.
    Matches: ContestOptions = [Rows(&TOURNAMENT)]
}

/// Who there is to play a repeated game.
pub const PLAYERS: &str = "\
Players of repeated games:
  uniform            any action alike
  fixed(rock)        always the same
  history(3)         best reply to what most often followed the last 3 actions of the other
  mixture([1,2,3])   the same with several memories, weighed by their success
  counter(P)         best reply to a player by P
  nash               the equilibrium
  NAME               what the file says in strategy(NAME, Own, Others, Action)";

/// What matches and tournaments have in common.
#[derive(Args, Debug)]
pub struct ContestArgs {
    #[command(flatten)]
    pub given: Given<Matched>,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// `zug match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The rule file
    pub file: PathBuf,
    /// Who plays as the first player
    #[arg(value_name = "PLAYER")]
    pub first: String,
    /// Who plays as the second
    #[arg(value_name = "PLAYER")]
    pub second: String,
    #[command(flatten)]
    pub contest: ContestArgs,
}

/// `zug tournament`.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// The rule file
    pub file: PathBuf,
    /// Who takes part
    #[arg(value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    #[command(flatten)]
    pub matches: Given<Matches>,
    #[command(flatten)]
    pub contest: ContestArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
}

/// Runs `zug match`.
pub fn run_match(args: &MatchArgs, flag: &Arc<AtomicBool>) -> Exit {
    let until = args.contest.given.until.unwrap_or(Until::first_to(WINS));
    let players = vec![args.first.clone(), args.second.clone()];
    let drawn = (&args.contest, &PlotArgs::default());
    run(&args.file, players, drawn, (1, until), flag, |session, request, theme| {
        let mut line = ProgressLine::new();
        let began = Instant::now();
        let report = play_one(session, request, &mut |rounds, _| {
            let elapsed = began.elapsed();
            let text = || format!("{} played", counted(rounds, "round"));
            line.show(elapsed, text, || Progress::rounds(rounds, elapsed));
        });
        line.clear();
        let report = report?;
        let _ = session.world.streams.end_query();
        let shown = tell(&report, || render::one(&report, theme));
        Ok(ContestEnd { shown, drawing: None, stopped: report.stopped })
    })
}

/// Runs `zug tournament`.
pub fn run_tournament(args: &TournamentArgs, flag: &Arc<AtomicBool>) -> Exit {
    let until = args.contest.given.until.unwrap_or(Until::Rounds(ROUNDS));
    let how = (args.matches.matches, until);
    let drawn = (&args.contest, &args.plot);
    run(&args.file, args.players.clone(), drawn, how, flag, |session, request, theme| {
        let mut line = ProgressLine::new();
        let began = Instant::now();
        let players = request.players.len() as u64;
        let all = (players * players.saturating_sub(1) / 2).saturating_mul(request.how.matches);
        let report = play_all(session, request, &mut |rounds, matches| {
            let elapsed = began.elapsed();
            let text = || format!("{} of {} matches played", grouped(matches), grouped(all));
            line.show(elapsed, text, || Progress {
                rounds: Some(rounds),
                ..Progress::counted(matches, all, elapsed)
            });
        });
        line.clear();
        let report = report?;
        let _ = session.world.streams.end_query();
        let shown = tell(&report, || render::all(&report, theme));
        let drawing = Some(Drawing::Bars(render::bars(&report)));
        Ok(ContestEnd { shown, drawing, stopped: report.stopped })
    })
}

/// What a contest came to.
struct ContestEnd {
    /// Whether that could be written.
    shown: Exit,
    drawing: Option<Drawing>,
    /// The limit that ended it.
    stopped: Option<StopReason>,
}

fn run(
    file: &Path,
    players: Vec<String>,
    (args, plot): (&ContestArgs, &PlotArgs),
    (matches, until): (u64, Until),
    flag: &Arc<AtomicBool>,
    play: impl FnOnce(&mut Session, &ContestRequest, &Theme) -> Result<ContestEnd, Failure>,
) -> Exit {
    let wanted = match plot.check() {
        Ok(wanted) => wanted,
        Err(failure) => return rules::show_failure(&failure),
    };
    let terms = args.rules.terms(Specialise::Off);
    let (file, mut session) = match rules::open(file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let seed = args.given.seed();
    let limits = Limits { memory: None, ..args.rules.limits(flag) };
    let how = Tournament { matches, until, seed };
    let request = ContestRequest { file, players, how, limits };
    let told = play(&mut session, &request, &Theme::new(io::colours().0));
    let _ = session.world.streams.end_query();
    let told = match told {
        Ok(told) => told,
        Err(failure) => return rules::show_failure(&failure),
    };
    let shown = match told.shown {
        Exit::Success => plot.draw(&wanted, told.drawing.as_ref(), args.format.is_text()),
        failure => failure,
    };
    match (shown, told.stopped) {
        (Exit::Success, Some(reason)) => stopped(reason),
        (shown, _) => shown,
    }
}
