//! `zug [FILE…]`: the REPL on the process's terminal or pipe.

use super::misuse::{command_first, no_predicate};
use super::rule_args::Terms;
use super::{Exit, complain, fail, guide, io, rules};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zug_repl::{Console, Piped, PipedSession, Repl, SharedTerminal, Terminal};

/// Runs the REPL.
pub fn run(
    (files, arguments): (&[PathBuf], &[String]),
    terms: &Terms,
    db: Option<&Path>,
    flag: &Arc<AtomicBool>,
) -> Exit {
    if let Err(exit) = no_predicate(files).and_then(|()| command_first()) {
        return exit;
    }
    if files.iter().any(|file| file == Path::new("-")) {
        fail(
            "arguments",
            "the prompt reads queries from the standard input, so the rules can't come from there \
             too; `zug query - GOAL` asks one query of them",
        );
        return Exit::Usage;
    }
    let found: Result<Vec<PathBuf>, Exit> =
        files.iter().map(|file| rules::find_or(file, guide::nearest)).collect();
    let files = match found {
        Ok(files) => files,
        Err(exit) => return exit,
    };
    let mut session = match files.first() {
        Some(file) => rules::within(terms, file, flag),
        None => rules::within(terms, Path::new("./prompt"), flag),
    };
    session.world.flags.set_arguments(&mut session.machine.symbols, arguments);
    let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let console: Box<dyn Console> = if interactive {
        match Terminal::new(history(), io::colours().0) {
            Ok(terminal) => {
                let terminal = SharedTerminal::new(terminal);
                session.world.tracer.asker = Some(Box::new(terminal.clone()));
                Box::new(terminal)
            }
            Err(error) => {
                complain(&format!("zug: no line editing on this terminal: {error}"));
                Box::new(Piped)
            }
        }
    } else {
        Box::new(Piped)
    };
    let tally = Repl::new(&mut session, console, io::colours())
        .with_base(db.map(Path::to_owned))
        .run(&files);
    session.run_at_halt();
    let _ = session.world.streams.end_query();
    match tally {
        Ok(tally) => exit(tally, interactive),
        // Ctrl-C while a line was waited for.
        Err(_) if flag.load(Ordering::Relaxed) => Exit::Interrupted,
        Err(error) => {
            complain(&format!("zug: {error}"));
            Exit::Error
        }
    }
}

/// What a session that nobody watched tells the script it ran in.
fn exit(tally: PipedSession, interactive: bool) -> Exit {
    match tally {
        PipedSession { halted: Some(status), .. } => Exit::Halt(status),
        PipedSession { refused: true, .. } => Exit::Usage,
        _ if interactive => Exit::Success,
        PipedSession { unreadable: 1.., .. } => Exit::Rules,
        PipedSession { errors: 1.., .. } => Exit::Error,
        PipedSession { .. } => Exit::Success,
    }
}

/// Where queries are kept between sessions: `$ZUG_HISTORY` (nowhere if it is
/// empty), else the user's folder for such things.
fn history() -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("ZUG_HISTORY") {
        return Some(PathBuf::from(file)).filter(|file| !file.as_os_str().is_empty());
    }
    let variable =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")?
    } else {
        variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))?
    };
    Some(folder.join("zug").join("history"))
}
