//! `zug train`: learning a game by reinforcement.

use super::args::{CodeArgs, Format};
use super::given::{Given, option_set};
use super::plot_args::{Drawing, PlotArgs, PlotTargets};
use super::progress::ProgressLine;
use super::rule_args::TimedArgs;
use super::{Exit, complain, emit, io, report as tell_report, rules, stopped};
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use zug_domain::RuleError;
use zug_domain::game::Position;
use zug_domain::game::training::{TrainingEnd, TrainingEvent, TrainingProgress};
use zug_options::{Rows, Within};
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::{learn, play};
use zug_repl::{Console, Line, Piped, Terminal};
use zug_search::Limits;
use zug_search::game::learn::OutcomeCounts;
use zug_search::options::{BEADS, METHOD, RATES, SCHEDULE};
use zug_usecases::Failure;
use zug_usecases::record::Progress;
use zug_usecases::train::options::{AGAINST, INSTANCE, RESULT, RESUME};
use zug_usecases::train::{TrainReport, TrainRequest, Trainer};

/// How there is to learn, and from whom.
pub const TRAINING: &str = "\
Methods:
  matchboxes   beads in a box for every state: Michie's machine
  q            Q-learning, step by step
  monte-carlo  the mean of what games came to

Opponents:
  self         the learner, from the same boxes
  random       any move
  optimal      any move that solve_game finds optimal
  alphabeta:4  an engine; without a depth it follows every play to its end
  expectiminimax:3, mcts:500  engines for games with chance
  policy:FILE  what was learned before; greedy:FILE its likeliest moves
  human        you

  zug train rules/nim.pl --games 10000 --punish --save nim.policy
  zug play rules/nim.pl --against policy:nim.policy";

/// `zug train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Trained>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub place: Given<Place>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// How a training goes.
    Trained: TrainRequest = [
        Within(&SCHEDULE, |to: &mut TrainRequest| &mut to.schedule),
        Rows(&AGAINST),
        Within(&METHOD, |to: &mut TrainRequest| &mut to.rule),
        Within(&BEADS, |to: &mut TrainRequest| &mut to.rule),
        Within(&RATES, |to: &mut TrainRequest| &mut to.rule),
        Rows(&RESULT),
        Rows(&RESUME),
    ]
}

option_set! {
    /// Where games start.
    Place: TrainRequest = [Rows(&INSTANCE)]
}

/// Runs the command.
pub fn run(args: &TrainArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = TrainRequest {
        rules: file.display().to_string(),
        instance: args.place.instance.clone(),
        ..args.given.0.clone()
    };
    let exit = train(&mut session, args, &request);
    let _ = session.world.streams.flush_standard();
    exit.unwrap_or_else(|failure| rules::show_failure(&failure))
}

fn train(session: &mut Session, args: &TrainArgs, request: &TrainRequest) -> Result<Exit, Failure> {
    let wanted = args.plot.check()?;
    if let Some(path) = &args.given.save {
        Trainer::may_save(&zug_files::Access::FREE, path)?;
    }
    let mut trainer = Trainer::begin(session, request)?;
    let ended = play_all(session, args, &mut trainer);
    let _ = session.world.streams.flush_standard();
    // Ctrl-C was for the training.
    session.machine.interrupt.store(false, Ordering::Relaxed);
    if let Some(path) = &args.given.save {
        trainer.save(session, path)?;
    }
    let saved = args.given.save.as_deref().map(|path| (path, trainer.training().games()));
    if let TrainingEnd::Failed(error) = &ended {
        note_saved(saved);
        return Err(Failure::rule(session, error));
    }
    let report = trainer.report(session, &ended)?;
    let shown = show(&report, args, &wanted);
    note_saved(saved);
    Ok(match report.stopped {
        _ if shown != Exit::Success => shown,
        None => Exit::Success,
        Some(reason) => stopped(reason),
    })
}

fn show(report: &TrainReport, args: &TrainArgs, wanted: &PlotTargets<'_>) -> Exit {
    let shown = tell_report(report, || learn::report(report, &Theme::new(io::colours().0)));
    // The report for people has the curve anyway, if there is one.
    let for_people = args.format.is_text();
    let wanted = PlotTargets { text: wanted.text && !for_people, ..*wanted };
    let drawing = Drawing::Plot(learn::plot(report));
    match args.plot.draw(&wanted, Some(&drawing), for_people) {
        Exit::Success => shown,
        failure => failure,
    }
}

fn note_saved(saved: Option<(&Path, u64)>) {
    if let Some((path, games)) = saved {
        let games = zug_render::number::counted(games, "game");
        complain(&format!("what was learned in {games} is in `{}`", path.display()));
    }
}

/// Plays the games, and asks for the moves of a person.
fn play_all(session: &mut Session, args: &TrainArgs, trainer: &mut Trainer) -> TrainingEnd {
    let limits =
        Limits { memory: args.rules.rules.used.limits.memory, ..args.rules.timed.0.clone() };
    let (began, goal) = (Instant::now(), trainer.goal());
    let baseline = args.given.baseline.to_string();
    let mut line = ProgressLine::new();
    let mut console: Option<Box<dyn Console>> = None;
    let mut tally = trainer.training().tally();
    loop {
        let limits = Limits {
            time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
            ..limits.clone()
        };
        let mut watch = |now: &TrainingProgress<'_>| {
            let elapsed = began.elapsed();
            let text = || learn::progress(now.games, goal, now.curve, &baseline);
            line.show(elapsed, text, || Progress::trained(now, goal, elapsed));
        };
        let ended = trainer.run(session, &limits, &mut watch);
        line.clear();
        if let Err(error) = tell(session, trainer, &mut tally) {
            return TrainingEnd::Failed(error);
        }
        let TrainingEnd::Waiting(position) = ended else { return ended };
        let console = console.get_or_insert_with(keys);
        let Some(choice) = ask(session, console.as_mut(), &position) else {
            // Who leaves is done.
            trainer.training().break_off();
            return TrainingEnd::Done;
        };
        trainer.training().answer(choice);
    }
}

/// Tells a person what the learner and chance did, and how games ended.
fn tell(
    session: &mut Session,
    trainer: &mut Trainer,
    tally: &mut OutcomeCounts,
) -> Result<(), Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let theme = Theme::new(io::colours().0);
    for news in trainer.training().news(m, w)? {
        let text = match &news {
            TrainingEvent::Made(player, mv) => play::made(session, player, mv, &theme),
            TrainingEvent::Over(now) => {
                learn::result(std::mem::replace(tally, *now), *now).to_owned()
            }
        };
        let _ = say(session, &text);
    }
    Ok(())
}

fn keys() -> Box<dyn Console> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    match Terminal::new(None, io::colours().0) {
        Ok(keys) if terminal && !emit::is_open() => Box::new(keys),
        _ => Box::new(Piped),
    }
}

/// Writes to the person; `None` if they are gone.
fn say(session: &mut Session, text: &str) -> Option<()> {
    session.world.streams.put_str(USER_OUTPUT, text).ok()
}

/// Asks a person for a move; `None` to leave.
fn ask(session: &mut Session, console: &mut dyn Console, position: &Position) -> Option<usize> {
    let theme = Theme::new(io::colours().0);
    let board = play::board(session, &position.state);
    let moves = play::moves(session, position, &theme);
    say(session, &format!("\n{board}\n{moves}"))?;
    let choices = play::choices(session, position);
    let names = &choices.names;
    let prompt = format!("{}> ", play::name(session, &position.player));
    loop {
        let Ok(Line::Text(text)) = console.line(session, &prompt, names) else { return None };
        let text = text.trim().trim_end_matches('.').trim();
        if matches!(text, "quit" | "exit") {
            return None;
        }
        let named = names.iter().position(|name| name == text);
        let number =
            text.parse::<usize>().ok().filter(|_| !choices.integers).and_then(|n| n.checked_sub(1));
        match named.or(number).filter(|&at| at < names.len()) {
            Some(at) => return Some(at),
            None if text.is_empty() && names.len() == 1 => return Some(0),
            None => {
                let words = choices.no_such_move(text);
                say(session, &words)?;
            }
        }
    }
}
