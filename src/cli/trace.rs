//! `zug trace` and `zug profile`: what a goal does while it runs.

use super::args::{CodeArgs, Format};
use super::rule_args::{Terms, TimedArgs};
use super::rules::in_order;
use super::{Exit, complain, emit, io, output, print, report as tell_report, rules, stopped_run};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_machine::Fault;
use zug_options::units;
use zug_prolog::builtins::tracer::tree::{Layout, MOST_CALLS, TreeOptions};
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::uncaught::uncaught;
use zug_render::{profile, trace};
use zug_usecases::record;

/// A goal to be watched.
#[derive(Args, Debug)]
pub struct GoalArgs {
    /// The rule file
    pub file: PathBuf,
    /// The goal, as 'path(a, X)'; the full stop may be left out
    #[arg(allow_hyphen_values = true)]
    pub goal: String,
    /// Look for this many answers
    #[arg(short = 'n', long = "answers", value_name = "N", default_value = "1")]
    pub answers: NonZeroUsize,
    /// Look for all answers
    #[arg(long, conflicts_with = "answers")]
    pub all: bool,
    #[command(flatten)]
    pub rules: TimedArgs,
}

impl GoalArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        self.rules.terms(mode)
    }

    /// Answers to look for.
    pub fn answers(&self) -> usize {
        if self.all { usize::MAX } else { self.answers.get() }
    }
}

/// `zug trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Only calls of this predicate, as edge/2; may be given several times
    #[arg(long, value_name = "NAME/ARITY", value_parser = indicator)]
    pub predicate: Vec<(String, usize)>,
    /// Levels of the tree
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Lines of text
    #[arg(long, value_name = "N", default_value_t = Layout::default().lines)]
    pub lines: usize,
    /// Calls the tree holds, as 20000 or 1M
    #[arg(long, value_name = "N", value_parser = units::count, default_value_t = MOST_CALLS as u64)]
    pub calls: u64,
    /// Also built-ins and library predicates that have an answer and call nothing
    #[arg(long)]
    pub builtins: bool,
    /// How to show the tree
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TraceFormat,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// How a tree of calls is shown.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// A tree of lines
    Text,
    /// A page that folds
    Html,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line
    Jsonl,
}

/// `zug profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Look at the stack every so many inferences [default: at each at first, in long runs
    /// ever more rarely]
    #[arg(long, value_name = "N")]
    pub every: Option<NonZeroU32>,
    /// Write the stacks as a flame graph to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub flame: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
    /// How to print the table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub code: CodeArgs,
}

fn indicator(text: &str) -> Result<(String, usize), String> {
    let parts = text.rsplit_once('/').and_then(|(name, arity)| Some((name, arity.parse().ok()?)));
    let (name, arity) = parts.ok_or("it is written with its arity, as edge/2")?;
    Ok((name.trim_matches('\'').to_owned(), arity))
}

/// Runs `zug trace`.
pub fn run_trace(args: &TraceArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.out.as_deref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    if let Err(exit) = in_order("trace", &args.goal.file, Some(&args.goal.goal)) {
        return exit;
    }
    let (file, mut session) =
        match rules::open(&args.goal.file, &args.goal.terms(Specialise::Off), flag) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
    let predicates = match zug_usecases::trace::predicates(&mut session, &args.predicate) {
        Ok(predicates) => predicates,
        Err(failure) => return rules::show_failure(&failure),
    };
    let options = TreeOptions {
        predicates,
        depth: args.depth.unwrap_or(u32::MAX),
        calls: usize::try_from(args.calls).unwrap_or(usize::MAX),
        builtins: args.builtins,
    };
    session.allow(&args.goal.terms(Specialise::Off).allowance);
    let watched =
        zug_usecases::trace::trace(&mut session, &args.goal.goal, options, args.goal.answers());
    let watched = match watched {
        Ok(watched) => watched,
        Err(failure) => return rules::show_failure(&failure),
    };
    let tree = &watched.report;
    let goal = args.goal.goal.trim().trim_end_matches('.').trim_end();
    let colour = args.out.is_none() && io::colours().0;
    let file = file.display().to_string();
    let data = GoalReport { file: &file, goal, report: tree };
    let shown = match args.format {
        TraceFormat::Json | TraceFormat::Jsonl if args.out.is_none() => {
            let _ = session.world.streams.end_query();
            tell_report(&data, String::new)
        }
        format => {
            let text = match format {
                TraceFormat::Text => trace::text(tree, args.lines, &Theme::new(colour)),
                TraceFormat::Html => trace::html(tree, goal, &file),
                TraceFormat::Json | TraceFormat::Jsonl => record::line("result", &data) + "\n",
            };
            show(&mut session, &text, args.out.as_deref(), args.force)
        }
    };
    ended(&mut session, watched.fault, watched.answers, shown)
}

/// Runs `zug profile`.
pub fn run_profile(args: &ProfileArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.flame.as_deref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    if let Err(exit) = in_order("profile", &args.goal.file, Some(&args.goal.goal)) {
        return exit;
    }
    let opened = rules::open(&args.goal.file, &args.goal.terms(args.code.mode()), flag);
    let (file, mut session) = match opened {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    session.allow(&args.goal.terms(Specialise::Off).allowance);
    let goal = args.goal.goal.trim().trim_end_matches('.').trim_end();
    let every = args.every.map(std::num::NonZeroU32::get);
    let watched =
        zug_usecases::trace::profile(&mut session, &args.goal.goal, every, args.goal.answers());
    let watched = match watched {
        Ok(watched) => watched,
        Err(failure) => return rules::show_failure(&failure),
    };
    let Some(report) = &watched.report else { return Exit::Error };
    let _ = session.world.streams.end_query();
    let data = GoalReport { file: &file.display().to_string(), goal, report };
    let mut shown = tell_report(&data, || profile::text(report, &Theme::new(io::colours().0)));
    if let Some(path) = &args.flame {
        let picture = profile::flame(report, goal);
        if let Err(failure) = output::write(path, picture.as_bytes(), args.force) {
            shown = rules::show_failure(&failure);
        } else {
            complain(&format!("wrote {}", path.display()));
        }
    }
    ended(&mut session, watched.fault, watched.answers, shown)
}

/// A report of a goal, for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct GoalReport<'a, R> {
    /// The rule file.
    file: &'a str,
    /// The goal, as it was typed.
    goal: &'a str,
    #[serde(flatten)]
    report: &'a R,
}

/// Shows a result behind what the program wrote, or writes it to a file.
fn show(session: &mut Session, text: &str, out: Option<&Path>, force: bool) -> Exit {
    let _ = session.world.streams.end_query();
    let Some(path) = out else { return print(text) };
    match output::write(path, text.as_bytes(), force) {
        Ok(()) => {
            complain(&format!("wrote {}", path.display()));
            Exit::Success
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// How the command ends: as `zug query` does.
fn ended(session: &mut Session, fault: Option<Fault>, answers: usize, shown: Exit) -> Exit {
    emit::answers(answers as u64);
    let exit = match fault {
        None if answers > 0 => Exit::Success,
        None => Exit::Failure,
        Some(Fault::Halt(status)) => Exit::Halt(status),
        Some(Fault::Ball(ball)) => {
            rules::show_error(&uncaught(session, &ball));
            rules::uncaught_end(session, &Fault::Ball(ball))
        }
        Some(Fault::Stopped(reason)) => {
            let exit = stopped_run(reason);
            if exit == Exit::Interrupted {
                complain("interrupted: this is what had been done by then");
            } else {
                let more = rules::more(reason);
                complain(&format!("{reason}: this is what had been done by then{more}"));
            }
            exit
        }
    };
    session.run_at_halt();
    let _ = session.world.streams.end_query();
    if shown == Exit::Success { exit } else { shown }
}
