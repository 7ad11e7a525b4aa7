//! Bases at the command line: `zug db`, and `--db` of other commands.

use super::base_args::{DbArgs, DbCommand};
use super::{Exit, complain, io, report, rules};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Session;
use zug_render::base as render;
use zug_render::style::Theme;
use zug_term::watchdog::LimitScope;
use zug_usecases::Failure;
use zug_usecases::base::{attach, check, info, remark};

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
