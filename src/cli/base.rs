//! Bases at the command line: `zug db`, and `--db` of other commands.

use super::args::Format;
use super::{Exit, complain, io, report, rules};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Session;
use zug_render::base as render;
use zug_render::style::Theme;
use zug_term::watchdog::LimitScope;
use zug_usecases::Failure;
use zug_usecases::base::{attach, check, info, remark};

/// Where answers may be read.
#[derive(Args, Debug, Clone, Default)]
pub struct BaseArgs {
    /// Answer from this base, which `zug solve FILE --save DB` made; what is not in it is searched.
    /// A heuristic derived from the rules is read too
    #[arg(long = "db", value_name = "DB")]
    pub db: Option<PathBuf>,
}

/// `zug db`.
#[derive(Subcommand, Debug)]
pub enum DbCommand {
    /// Says what is in a base: rules, starts, positions, sizes
    Info(DbArgs),
    /// Reads all of a base and says whether it is whole
    Check(DbArgs),
}

/// A base.
#[derive(Args, Debug)]
pub struct DbArgs {
    /// The base
    pub db: PathBuf,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub(super) const DB: &str = "\
Bases are made and read by other commands:
  zug solve rules/nim.pl --save nim.db       keep every position with its value and best move
  zug solve rules/nim.pl --db nim.db         answer from there, without search
  zug query rules/nim.pl 'winning(a, 14)' --db nim.db
  zug play rules/nim.pl --level 9 --db nim.db";

/// Runs `zug db`.
pub fn run(command: &DbCommand, flag: &Arc<AtomicBool>) -> Exit {
    let theme = Theme::new(io::colours().0);
    match command {
        DbCommand::Info(args) => show(args, flag, info, |report| render::info(report, &theme)),
        DbCommand::Check(args) => show(args, flag, check, render::checked),
    }
}

fn show<R: serde::Serialize>(
    args: &DbArgs,
    flag: &Arc<AtomicBool>,
    ask: impl FnOnce(&Path) -> Result<R, Failure>,
    text: impl FnOnce(&R) -> String,
) -> Exit {
    match LimitScope::new(None, flag, 0).within(|| ask(&args.db)) {
        Ok(Ok(found)) => report(&found, || text(&found)),
        Ok(Err(failure)) => rules::show_failure(&failure),
        Err(_) => {
            complain("interrupted");
            Exit::Interrupted
        }
    }
}

/// Has a session answer from the base that was given, if one was.
///
/// # Errors
/// How the command ends; what is wrong was said.
pub fn open(session: &mut Session, db: Option<&Path>) -> Result<(), Exit> {
    match db.map(|path| attach(session, path)) {
        Some(Err(failure)) => Err(rules::show_failure(&failure)),
        _ => Ok(()),
    }
}

/// Says what was not in the base.
pub fn note(session: &Session) {
    if let Some(remark) = remark(session) {
        complain(&format!("note: {remark}"));
    }
}
