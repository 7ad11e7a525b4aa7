//! The command line: reads arguments, runs a command, tells how it went.
//!
//! Results go to standard output, everything else to standard error. The exit
//! codes are those of [`Exit`]. Only this module and the REPL touch the process's
//! own streams and signals.

mod args;
mod base;
mod base_args;
mod boards;
mod check;
mod compare;
mod contest;
mod doc;
mod enumerate;
mod heuristics;
mod io;
mod judge_args;
mod memory;
mod nash;
mod output;
mod play;
mod plot_args;
mod progress;
mod query;
mod repl;
mod rule_args;
mod rules;
mod simultaneous_args;
mod solve;
mod solve_game;
mod specialise;
mod trace;
mod trace_args;
mod train;
mod train_args;
mod tree;
mod tree_args;
mod units;

use args::{Cli, Command};
use clap::Parser;
use clap::error::ErrorKind;
use rule_args::Terms;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What `zug tutorial` prints; `tests/documents.rs` follows it.
const TUTORIAL: &str = include_str!("../../docs/tutorial.md");

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Solved; the query has an answer; nothing is wrong with the files.
    Success,
    /// No solution, or no answer: proved.
    Failure,
    /// Wrong usage, or a file that can't be read.
    Usage,
    /// The rule file has errors.
    Rules,
    /// A limit was reached.
    Limit,
    /// A run-time error.
    Error,
    /// Ctrl-C.
    Interrupted,
    /// A bug in zug.
    Bug,
    /// What the rules said with `halt/1`.
    Halt(i32),
}

impl Exit {
    /// The status of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Rules => 3,
            Exit::Limit => 4,
            Exit::Error => 5,
            Exit::Bug => 70,
            Exit::Interrupted => 130,
            // As the operating system does: the low eight bits.
            Exit::Halt(status) => status as u8,
        }
    }
}

/// Runs the command of this process.
pub fn main() -> ExitCode {
    let panic: Arc<Mutex<String>> = Arc::default();
    let seen = panic.clone();
    std::panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let exit = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let what = panic.lock().unwrap_or_else(PoisonError::into_inner).clone();
        complain(&format!(
            "\nzug: this is a bug in zug, not in your rules: {what}\n\
             Please report it with the command and the rule file."
        ));
        Exit::Bug
    });
    let _ = io::stdout().flush();
    ExitCode::from(exit.code())
}

fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and versions go to standard output, complaints elsewhere.
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
                _ => Exit::Usage,
            };
        }
    };
    let flag = Arc::new(AtomicBool::new(false));
    listen(&flag);
    match cli.command {
        None => {
            let terms = Terms::new(cli.memory, cli.code.mode()).sandbox(cli.sandbox);
            repl::run(&cli.files, &terms, cli.base.db.as_deref(), &flag)
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
        Some(Command::Check(args)) => check::run(&args, &flag),
        Some(Command::Doc(args)) => doc::run(&args, &flag),
        Some(Command::Specialize(args)) => specialise::run(&args, &flag),
        Some(Command::Trace(args)) => trace::run_trace(&args, &flag),
        Some(Command::Profile(args)) => trace::run_profile(&args, &flag),
        Some(Command::Db { command }) => base::run(&command),
        Some(Command::Engines) => {
            let theme = crate::render::style::Theme::new(io::colours().0);
            print(&crate::render::engines::table(&theme))
        }
        Some(Command::Tutorial) => print(TUTORIAL),
    }
}

/// Has Ctrl-C set the flag, which queries and searches poll. Pressed again and
/// again while nothing takes notice, it ends the process.
fn listen(flag: &Arc<AtomicBool>) {
    const PATIENCE: u32 = 3;
    let flag = flag.clone();
    let ignored = AtomicU32::new(0);
    let set = ctrlc::set_handler(move || {
        if !flag.swap(true, Ordering::Relaxed) {
            ignored.store(0, Ordering::Relaxed);
        } else if ignored.fetch_add(1, Ordering::Relaxed) + 2 >= PATIENCE {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
    if let Err(error) = set {
        complain(&format!("zug: Ctrl-C will end the process at once: {error}"));
    }
}

/// Writes results to standard output.
fn print(text: &str) -> Exit {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Success,
        Err(error) => {
            complain(&format!("zug: can't write the result: {error}"));
            Exit::Error
        }
    }
}

/// Writes a line to standard error.
fn complain(text: &str) {
    // Where nobody listens there is nothing to do about it.
    let _ = writeln!(io::stderr(), "{text}");
}
