//! The command line: reads arguments, runs a command, tells how it went.
//!
//! Results go to standard output, everything else to standard error. The exit
//! codes are those of [`Exit`]. Only this module and the REPL touch the process's
//! own streams and signals.

mod args;
mod base;
mod batch;
mod batch_args;
mod boards;
mod check;
#[cfg(feature = "cluster")]
mod cluster_args;
mod command;
mod compare;
mod contest;
mod doc;
mod emit;
mod enumerate;
mod fmt;
mod generate;
mod given;
mod guide;
mod guide_args;
mod heuristics;
mod import;
mod io;
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
pub mod memory;
mod misuse;
mod nash;
mod new;
mod output;
mod panics;
mod play;
mod play_records;
mod plot_args;
mod progress;
mod query;
mod repl;
mod rule_args;
mod rules;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_args;
mod solve;
mod specialise;
mod starting;
mod test;
mod trace;
mod train;
mod tree;
mod verify;
mod verify_args;
mod version;
#[cfg(feature = "serve")]
mod worker;

use clap::{CommandFactory, FromArgMatches};
use command::{Cli, Command};
use rule_args::Terms;
use serde::Serialize;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use zug_report::Seed;
use zug_usecases::exit::{CommandResult, Exit};
use zug_usecases::record::{ErrorData, Start};

/// What `zug schema` prints; `tests/command/json.rs` holds all output against it.
const SCHEMA: &str = include_str!("../../docs/schema/zug-2.json");
/// What `zug tutorial` prints; `tests/command/documents.rs` follows it.
const TUTORIAL: &str = include_str!("../../docs/tutorial.md");

/// Runs the command of this process.
pub fn main() -> ExitCode {
    zug_term::watchdog::watch_process_memory();
    panics::watch();
    let exit = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let what = panics::last();
        emit::error(ErrorData::new("bug", what.clone()));
        tell(&format!(
            "\nzug: this is a bug in zug, not in your rules: {what}\n\
             Please report it with the command and the rule file."
        ));
        Exit::Bug
    });
    let mut exit = emit::end(exit);
    let _ = io::stdout().flush();
    if let Some(error) = io::lost() {
        tell(&format!("error: can't write the result: {error}"));
        if !matches!(exit, Exit::Bug | Exit::Interrupted) {
            exit = Exit::Error;
        }
    }
    ExitCode::from(exit.code())
}

/// Whether a command line, without the name of the program, makes sense; nothing of it is run.
///
/// # Errors
/// What is wrong with it, as people are told.
pub fn understand(words: impl Iterator<Item = std::ffi::OsString>) -> Result<(), String> {
    let words = std::iter::once("zug".into()).chain(words);
    let cli = <Cli as clap::Parser>::try_parse_from(words).map_err(|error| error.to_string())?;
    let plot = match &cli.command {
        Some(Command::Compare(args)) => &args.plot,
        Some(Command::Enumerate(args)) => &args.plot,
        Some(Command::Tournament(args)) => &args.plot,
        Some(Command::Train(args)) => &args.plot,
        _ => return Ok(()),
    };
    plot.wanted().map(drop)
}

/// The program that runs, also when another one has taken its place in the meantime.
#[cfg(feature = "serve")]
fn own_program() -> std::io::Result<std::path::PathBuf> {
    let running = std::path::Path::new("/proc/self/exe");
    if running.exists() { Ok(running.to_owned()) } else { std::env::current_exe() }
}

fn run() -> Exit {
    zug_tools::columns::ask(io::columns);
    // 0 is as wide as it comes.
    let mut known = Cli::command().term_width(io::columns().unwrap_or(0));
    let matches = known.try_get_matches_from_mut(std::env::args_os());
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (mut cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return misuse::misused(&error.format(&mut known), &known),
    };
    let flag = Arc::new(AtomicBool::new(false));
    listen(&flag);
    let seed = cli.command.as_mut().and_then(Command::seed);
    if let Some((shape, start)) = starting::start(&matches, &known) {
        emit::begin(shape, Start { seed: seed.map(Seed), ..start });
    }
    progress::listen();
    match cli.command {
        None => {
            let terms = Terms::new(cli.memory, cli.code.mode()).sandbox(cli.sandbox);
            repl::run((&cli.files, &cli.arguments), &terms, cli.base.db.as_deref(), &flag)
        }
        Some(Command::Query(args)) => query::run(&args, &flag),
        Some(Command::Solve(args)) => solve::run(&args, &flag),
        Some(Command::Nash(args)) => nash::run(&args, &flag),
        Some(Command::Match(args)) => contest::run_match(&args, &flag),
        Some(Command::Tournament(args)) => contest::run_tournament(&args, &flag),
        Some(Command::Play(args)) => play::run(&args, &flag),
        Some(Command::Train(args)) => train::run(&args, &flag),
        Some(Command::Tree(args)) => tree::run(&args, &flag),
        Some(Command::Compare(args)) => compare::run(&args, &flag),
        Some(Command::Heuristics(args)) => heuristics::run(&args, &flag),
        Some(Command::Enumerate(args)) => enumerate::run(&args, &flag),
        Some(Command::Generate(args)) => generate::run(&args, &flag),
        Some(Command::Batch(args)) => batch::run(&args, &flag),
        Some(Command::Check(args)) => check::run(&args, &flag),
        Some(Command::Fmt(args)) => fmt::run(&args),
        Some(Command::Lsp(args)) => lsp::run(&args),
        Some(Command::Test(args)) => test::run(&args, &flag),
        Some(Command::Doc(args)) => doc::run(&args, &flag),
        Some(Command::Specialize(args)) => specialise::run(&args, &flag),
        Some(Command::Trace(args)) => trace::run_trace(&args, &flag),
        Some(Command::Profile(args)) => trace::run_profile(&args, &flag),
        Some(Command::Verify(args)) => verify::run(&args, &flag),
        Some(Command::Db { command }) => base::run(&command, &flag),
        Some(Command::Engines) => {
            let theme = zug_render::style::Theme::new(io::colours().0);
            print(&zug_render::engines::table(&theme))
        }
        Some(Command::Schema) => print(SCHEMA),
        Some(Command::Tutorial) => print(TUTORIAL),
        #[cfg(feature = "mcp")]
        Some(Command::Mcp(args)) => mcp::run(&args, &flag),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => serve::run(&args, &flag),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Import(args)) => import::run(&args, &flag),
        Some(Command::Completions(args)) => guide::completions(&args),
        Some(Command::Man(args)) => guide::man(&args),
        Some(Command::Help(args)) => guide::help(&args),
    }
}

/// Has Ctrl-C and SIGTERM set the flag, which queries and searches poll. Pressed again and again
/// while nothing takes notice, Ctrl-C ends the process.
fn listen(flag: &Arc<AtomicBool>) {
    const PATIENCE: u32 = 3;
    let asked = flag.clone();
    let ignored = AtomicU32::new(0);
    let set = ctrlc::set_handler(move || {
        if !asked.swap(true, Ordering::Relaxed) {
            ignored.store(0, Ordering::Relaxed);
        } else if ignored.fetch_add(1, Ordering::Relaxed) + 2 >= PATIENCE {
            end_now();
        }
    });
    if let Err(error) = set {
        complain(&format!("zug: Ctrl-C will end the process at once: {error}"));
    }
    #[cfg(unix)]
    if let Err(error) = listen_for_end(flag) {
        complain(&format!("zug: SIGTERM will end the process at once: {error}"));
    }
}

/// Has SIGTERM set the flag. What takes no notice within some seconds, as a prompt that waits
/// for a line, is ended.
#[cfg(unix)]
fn listen_for_end(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    use std::time::Duration;
    const PATIENCE: Duration = Duration::from_secs(3);
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM])?;
    let flag = flag.clone();
    let wait = move || {
        if signals.forever().next().is_some() {
            flag.store(true, Ordering::Relaxed);
            std::thread::sleep(PATIENCE);
            end_now();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Ends the process from a thread that waits for signals.
fn end_now() -> ! {
    emit::end_soon(Exit::Interrupted);
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// Writes results for people to standard output.
fn print(text: &str) -> Exit {
    debug_assert!(!emit::is_open(), "text among the records: {text}");
    let mut out = io::stdout();
    let text = zug_tools::columns::fitted(text);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Success,
        // What is wrong is said once, at the end.
        Err(_) => Exit::Error,
    }
}

/// Writes a result: for programs as a record, for people as text.
fn report(data: &impl Serialize, text: impl FnOnce() -> String) -> Exit {
    if emit::is_open() {
        emit::record("result", data);
        return emit::full().unwrap_or(Exit::Success);
    }
    print(&text())
}

/// Writes a line to standard error.
fn tell(text: &str) {
    let text = zug_tools::columns::fitted(text);
    // Where nobody listens there is nothing to do about it.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes a remark to standard error, and tells programs.
fn complain(text: &str) {
    emit::note(text);
    tell(text);
}

/// Writes an error to standard error, and tells programs: of a kind, in words.
fn fail(kind: &'static str, message: &str) {
    emit::error(ErrorData::new(kind, message));
    tell(&format!("error: {message}"));
}

/// How a command ends that came to a report; programs are told which limit stopped it.
fn ended(report: &impl CommandResult) -> Exit {
    if let (Exit::Limit, Some(reason)) = (report.exit(), report.limit()) {
        emit::reason(reason.to_string());
    }
    report.exit()
}

/// The end of a search that a limit stopped, or Ctrl-C.
fn stopped(reason: zug_search::StopReason) -> Exit {
    if Exit::from(reason) == Exit::Limit {
        emit::reason(reason.to_string());
    }
    reason.into()
}

/// The end of a run of the machine that a limit stopped, or Ctrl-C.
fn stopped_run(reason: zug_machine::StopReason) -> Exit {
    emit::reason(match reason {
        zug_machine::StopReason::Interrupted => return Exit::Interrupted,
        zug_machine::StopReason::Time => "time",
        zug_machine::StopReason::Inferences => "inferences",
        zug_machine::StopReason::Output => "output",
    });
    Exit::Limit
}
