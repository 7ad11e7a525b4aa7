//! Sessions with rule files loaded.

use super::rule_args::Terms;
use super::{Exit, complain, io, memory};
use crate::diagnostic::Diagnostic;
use crate::machine::{Fault, StopReason};
use crate::render::diagnostic::{RenderOptions, render};
use crate::render::uncaught::Uncaught;
use crate::search::game::game_engines;
use crate::session::{Allowance, LoadError, Session};
use crate::usecases::Failure;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A session for a rule file on the process's streams that heeds Ctrl-C and the limits
/// given; its clock runs from now on.
pub fn within(terms: &Terms, file: &Path, flag: &Arc<AtomicBool>) -> Session {
    let terminal = std::io::stdin().is_terminal();
    let input: Box<dyn std::io::Read + Send> = if terminal {
        Box::new(io::Keyboard::new(flag.clone()))
    } else {
        Box::new(std::io::stdin())
    };
    let mut session = Session::with_io(input, Box::new(io::stdout()), Box::new(io::stderr()));
    let interactive = terminal && std::io::stdout().is_terminal();
    session.world.streams.set_interactive(interactive);
    session.world.specialise = terms.mode;
    session.machine.interrupt = flag.clone();
    let memory = terms.allowance.memory.or_else(|| Some(memory::default_limit()));
    session.allow(&Allowance { memory, ..terms.allowance });
    if terms.sandbox {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        session.sandbox(folder.unwrap_or(Path::new(".")));
    }
    session
}

/// The rule file that a name means: as it is, or with `.pl` behind it.
///
/// # Errors
/// What is wrong with it, said on standard error.
pub fn find(name: &Path) -> Result<PathBuf, Exit> {
    let with_extension = || {
        let mut longer = name.as_os_str().to_owned();
        longer.push(".pl");
        Some(PathBuf::from(longer)).filter(|path| path.is_file())
    };
    if name.is_file() {
        return Ok(name.to_owned());
    }
    if let Some(path) = with_extension() {
        return Ok(path);
    }
    let shown = name.display();
    let mut message = match std::fs::metadata(name) {
        Ok(data) if data.is_dir() => format!("`{shown}` is a folder, not a rule file"),
        // A pipe or a device: `zug check <(generate)`.
        Ok(_) => return Ok(name.to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("there is no file `{shown}`")
        }
        Err(error) => format!("can't read `{shown}`: {error}"),
    };
    if let Some(hint) = meant(name) {
        message += &format!("; did you mean {hint}?");
    }
    let theme = crate::render::style::Theme::new(io::colours().1);
    complain(&format!("{}: {message}", crate::render::style::paint(theme.error, "error")));
    Err(Exit::Usage)
}

/// A command or a file of nearly this name.
fn meant(name: &Path) -> Option<String> {
    const COMMANDS: [&str; 16] = [
        "query",
        "solve",
        "nash",
        "match",
        "tournament",
        "play",
        "train",
        "tree",
        "compare",
        "heuristics",
        "enumerate",
        "check",
        "specialize",
        "trace",
        "profile",
        "engines",
    ];
    let typed = name.to_str()?;
    let near =
        COMMANDS.iter().map(|command| (strsim::damerau_levenshtein(command, typed), command));
    if let Some((_, command)) = near.min().filter(|(distance, _)| *distance <= 2) {
        return Some(format!("the command `{command}`"));
    }
    let folder =
        name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = name.file_name()?.to_str()?;
    let mut near: Vec<(usize, String)> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .map(|other| {
            let stem = other.strip_suffix(".pl").unwrap_or(&other);
            let distance = strsim::damerau_levenshtein(wanted, &other);
            (distance.min(strsim::damerau_levenshtein(wanted, stem)), other)
        })
        .filter(|(distance, _)| *distance <= 2 && *distance * 3 <= wanted.len())
        .collect();
    near.sort();
    let (_, other) = near.into_iter().next()?;
    Some(format!("`{}`", name.with_file_name(other).display()))
}

/// Finds a rule file and loads it into a session of its own. Loading has the limits given; what
/// follows has them anew, but for the time, which each search has for itself.
///
/// # Errors
/// How the command ends: there is no such file, or it has errors. They were shown.
pub fn open(
    name: &Path,
    terms: &Terms,
    flag: &Arc<AtomicBool>,
) -> Result<(PathBuf, Session), Exit> {
    let file = find(name)?;
    let mut session = within(terms, &file, flag);
    load(&mut session, &file)?;
    session.allow(&Allowance { time: None, ..terms.allowance });
    Ok((file, session))
}

/// Loads a rule file and shows what is wrong with it.
///
/// # Errors
/// It has errors, or called `halt`, or was interrupted.
pub fn load(session: &mut Session, file: &Path) -> Result<(), Exit> {
    let (found, ended) = match session.load_file(file) {
        Ok(found) => (found, None),
        Err(LoadError::Io(error)) => {
            complain(&format!("error: can't read `{}`: {error}", file.display()));
            return Err(Exit::Usage);
        }
        Err(LoadError::Stopped(fault, found)) => (found, Some(fault)),
    };
    // What directives wrote comes before what is said about them.
    let _ = session.world.streams.flush_standard();
    show_all(&found);
    match ended {
        Some(Fault::Halt(status)) => return Err(Exit::Halt(status)),
        Some(Fault::Stopped(StopReason::Interrupted)) => return Err(Exit::Interrupted),
        Some(Fault::Stopped(reason)) => {
            let more = more(reason);
            complain(&format!("{reason} while `{}` was loaded{more}", file.display()));
            return Err(Exit::Limit);
        }
        Some(fault @ Fault::Ball(_)) => {
            let words = session.describe(&fault).message;
            let limit = fault.is_limit();
            let more = if limit { " (`--memory` gives more)" } else { "" };
            complain(&format!("error: {words} while `{}` was loaded{more}", file.display()));
            return Err(if limit { Exit::Limit } else { Exit::Rules });
        }
        None => {}
    }
    let errors = found.iter().filter(|finding| finding.is_error()).count() as u64;
    if errors > 0 {
        let count = crate::render::number::counted(errors, "error");
        complain(&format!("{}: {count}; nothing was run", file.display()));
        return Err(Exit::Rules);
    }
    Ok(())
}

/// Shows a finding on standard error.
pub fn show(finding: &Diagnostic) {
    let mut text = String::new();
    let options = RenderOptions { colour: io::colours().1 };
    if render(&mut text, finding, options).is_ok() {
        complain(text.trim_end());
    }
}

/// Findings of one kind shown of a file.
const SHOWN: usize = 100;

/// Shows findings; of very many warnings the first.
pub fn show_all(findings: &[Diagnostic]) {
    let (mut errors, mut warnings) = (0, 0);
    for finding in findings {
        let count = if finding.is_error() { &mut errors } else { &mut warnings };
        *count += 1;
        if *count <= SHOWN {
            show(finding);
        }
    }
    for (count, what) in [(errors, "error"), (warnings, "warning")] {
        if count > SHOWN {
            let more = crate::render::number::counted((count - SHOWN) as u64, what);
            complain(&format!("and {more} more"));
        }
    }
}

/// Shows an uncaught error with its chain of calls.
pub fn show_error(error: &Uncaught) {
    show(&error.diagnostic);
    if error.chain.len() > 1 {
        for line in &error.chain {
            complain(&format!("   {line}"));
        }
    }
}

/// How a limit is raised, to be said behind what it was.
pub fn more(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Interrupted => "",
        StopReason::Time => " (`--time` gives more)",
        StopReason::Inferences => " (`--inferences` allows more)",
        StopReason::Output => " (`--output` allows more)",
    }
}

/// Shows why a use case came to no report.
pub fn show_failure(failure: &Failure) -> Exit {
    match failure {
        Failure::Unreadable(error) => complain(&format!("error: can't read the file: {error}")),
        Failure::Unwritable(path, error) => {
            complain(&format!("error: can't write `{}`: {error}", path.display()));
        }
        Failure::Faults(findings) | Failure::Policy(findings) | Failure::Stopped(_, findings) => {
            show_all(findings)
        }
        Failure::Rule(finding) | Failure::Limit(finding) => show(finding),
        Failure::NoSuchInstance(name, known) if known.is_empty() => {
            complain(&format!(
                "error: there is no instance `{name}`; the program has no initial state"
            ));
        }
        Failure::NoSuchInstance(name, known) => no_such("instance", name, known),
        Failure::NoSuchHeuristic(name, known) => no_such("heuristic", name, known),
        Failure::NoSuchPlayer(name, known) => no_such("player", name, known),
        Failure::Players(why) => complain(&format!("error: {why}")),
        Failure::NoGame { puzzle: true } => {
            complain("error: the rules are those of a puzzle, with rule/4; `zug solve` solves it")
        }
        Failure::NoGame { puzzle: false } => complain(
            "error: the rules are of no game of players in turn: there is no move(J, M, S1, S2)",
        ),
        Failure::NotAtOnce => complain(
            "error: the rules are of no game in which all choose at once: there is neither \
             payoff(As, Us) nor joint_move(As, S1, S2)",
        ),
        Failure::NoSuchPredicate(name, known) => complain(&format!(
            "error: the engines ask no predicate `{name}` of this file; they ask {}",
            known.join(", ")
        )),
        Failure::UnknownPredicate(name) => {
            complain(&format!("error: the program has no predicate `{name}`"));
        }
        Failure::NoDomain => complain(
            "error: the file is no puzzle and no game: it has neither rule/4 nor move/4 \
             (`zug check` says what is there)",
        ),
        Failure::NoSuchEngine(name) => complain(&format!("error: there is no engine `{name}`")),
        Failure::NotForGames(name) => complain(&format!(
            "error: `{name}` is an engine for puzzles, and this file is a game; \
             for games there are {}",
            game_engines().map(|engine| engine.name).collect::<Vec<_>>().join(", ")
        )),
        Failure::NotForPuzzles(name) => complain(&format!(
            "error: `{name}` is an engine for games, and this file is a puzzle (rule/4)"
        )),
        Failure::UnreadableTerm(what, fault) => {
            complain(&format!("error: the {what} given can't be read"));
            show(&fault.diagnostic);
        }
    }
    if let Failure::Stopped(Fault::Halt(status), _) = failure {
        return Exit::Halt(*status);
    }
    match failure.exit_code() {
        2 => Exit::Usage,
        3 => Exit::Rules,
        130 => {
            complain("interrupted");
            Exit::Interrupted
        }
        4 => {
            if let Failure::Stopped(Fault::Stopped(reason), _) = failure {
                complain(&format!("{reason}{}", more(*reason)));
            }
            Exit::Limit
        }
        _ => Exit::Error,
    }
}

/// Names shown of those there are.
const KNOWN: usize = 20;

fn no_such(what: &str, name: &str, known: &[String]) {
    let mut message = format!("error: there is no {what} `{name}`; ");
    if known.is_empty() {
        message += "the program has none with a name";
    } else {
        message += &format!("the program has {}", known[..known.len().min(KNOWN)].join(", "));
        if known.len() > KNOWN {
            message += &format!(" and {} more", known.len() - KNOWN);
        }
    }
    complain(&message);
}
