//! Sessions with rule files loaded.

use super::rule_args::Terms;
use super::{Exit, complain, emit, fail, io, memory, stopped_run, tell, version};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_files::Access;
use zug_machine::{Fault, StopReason};
use zug_prolog::builtins::loader::STDIN;
use zug_prolog::session::{Allowance, LoadError, Session};
use zug_render::diagnostic::{RenderOptions, render};
use zug_render::uncaught::Uncaught;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::word;
use zug_usecases::record::{ErrorData, Finding};
use zug_usecases::{Failure, nearest_file};

/// A session for a rule file on the process's streams that heeds Ctrl-C and the limits
/// given; its clock runs from now on.
pub fn within(terms: &Terms, file: &Path, flag: &Arc<AtomicBool>) -> Session {
    let terminal = std::io::stdin().is_terminal();
    let input = Box::new(io::Keyboard::new(flag.clone()));
    // Programs get what rules write as records.
    let records = emit::is_open();
    let output: Box<dyn Write + Send> =
        if records { Box::new(emit::Recorder) } else { Box::new(io::stdout()) };
    let mut session = on_streams(terms, file, flag, input, (output, Box::new(io::stderr())));
    let interactive = terminal && std::io::stdout().is_terminal() && !records;
    session.world.streams.set_interactive(interactive);
    session
}

/// The same on streams of any kind.
pub fn on_streams(
    terms: &Terms,
    file: &Path,
    flag: &Arc<AtomicBool>,
    input: Box<dyn Read + Send>,
    (output, error): (Box<dyn Write + Send>, Box<dyn Write + Send>),
) -> Session {
    let mut session = zug_tools::language::with_io(input, output, error);
    // Code made of rules computes as is usual.
    let mode = if terms.iso { Specialise::Off } else { terms.mode };
    mode.set(&mut session.world);
    session.machine.interrupt = flag.clone();
    let memory = terms.allowance.memory.or_else(|| Some(memory::default_limit()));
    session.allow(&Allowance { memory, ..terms.allowance });
    if terms.iso {
        session.follow_standard();
    }
    if terms.sandbox {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        session.sandbox(folder.unwrap_or(Path::new(".")));
    }
    session
}

/// The file that a name means, if it is there: as it is, or with `.pl` behind it.
pub fn existing(name: &Path) -> Option<PathBuf> {
    let mut longer = name.as_os_str().to_owned();
    longer.push(".pl");
    [name.to_owned(), PathBuf::from(longer)].into_iter().find(|path| path.is_file())
}

/// Says so where the goal stands before the file.
///
/// # Errors
/// It does.
pub fn in_order(command: &str, file: &Path, goal: Option<&str>) -> Result<(), Exit> {
    let Some(goal) = goal.filter(|goal| existing(Path::new(goal)).is_some()) else {
        return Ok(());
    };
    if existing(file).is_some() {
        return Ok(());
    }
    let swapped = quoted(&file.display().to_string());
    fail(
        "arguments",
        &format!(
            "file and goal are swapped: the file comes first, as `zug {command} {goal} {swapped}`"
        ),
    );
    Err(Exit::Usage)
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The rule file that a name means; `-` is the standard input.
///
/// # Errors
/// What is wrong with it, said on standard error.
pub fn find(name: &Path) -> Result<PathBuf, Exit> {
    find_or(name, |_| None)
}

/// The same, where the name may be a mistyped command, which `command` finds.
///
/// # Errors
/// What is wrong with it, said on standard error.
pub fn find_or(name: &Path, command: fn(&str) -> Option<String>) -> Result<PathBuf, Exit> {
    if name == Path::new("-") {
        if std::io::stdin().is_terminal() {
            tell("the rules are read from the terminal; Ctrl-D behind the last line ends them");
        }
        return Ok(PathBuf::from(STDIN));
    }
    if let Some(path) = existing(name) {
        return Ok(path);
    }
    let shown = name.display();
    let message = match Access::FREE.metadata(name) {
        Ok(data) if data.is_dir() => {
            let folder = word(&name.to_string_lossy());
            format!("`{shown}` is a folder, not a rule file; `zug batch {folder}` runs those in it")
        }
        // A pipe or a device: `zug check <(generate)`.
        Ok(_) => return Ok(name.to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            missing(name, name.to_str().and_then(command))
        }
        Err(error) => format!("can't read `{shown}`: {error}"),
    };
    let theme = zug_render::style::Theme::new(io::colours().1);
    emit::error(ErrorData::new("no_file", message.clone()));
    tell(&format!("{}: {message}", zug_render::style::paint(theme.error, "error")));
    Err(Exit::Usage)
}

/// Says that there is no such file, and what may have been meant.
fn missing(name: &Path, command: Option<String>) -> String {
    let shown = name.display();
    // The first word is a command or a file.
    let first = std::env::args_os().nth(1).is_some_and(|word| word == name.as_os_str());
    if let Some(why) = name.to_str().filter(|_| first).and_then(version::left_out) {
        return why;
    }
    let meant = command.map(|command| format!("the command `{command}`"));
    let meant = meant.or_else(|| Some(format!("`{}`", nearest_file(name)?.display())));
    let plain = name.to_str().is_some_and(|name| name.chars().all(|c| c.is_alphabetic()));
    match (meant, first && plain) {
        (Some(meant), _) => format!("there is no file `{shown}`; did you mean {meant}?"),
        (None, true) => format!(
            "there is neither a command nor a file `{shown}`; `zug help` lists the commands"
        ),
        (None, false) => format!("there is no file `{shown}`"),
    }
}

/// Finds a rule file and loads it into a session of its own. Loading has the limits given; what
/// follows has them anew, but for the time, which each search has for itself, and each question
/// before it.
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
    zug_domain::set_asking_time(&mut session.world, terms.allowance.time);
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
            fail("unreadable", &format!("can't read `{}`: {error}", file.display()));
            return Err(Exit::Usage);
        }
        Err(LoadError::Stopped(fault, found)) => (found, Some(fault)),
    };
    // What directives wrote comes before what is said about them.
    let _ = session.world.streams.flush_standard();
    show_load(&found, file);
    match ended {
        Some(Fault::Halt(status)) => {
            let words = format!("`{}` called halt({status}) while it was loaded", file.display());
            fail("halted", &words);
            return Err(Exit::Error);
        }
        Some(Fault::Stopped(reason)) => {
            let exit = stopped_run(reason);
            if exit != Exit::Interrupted {
                let more = more(reason);
                complain(&format!("{reason} while `{}` was loaded{more}", file.display()));
            }
            return Err(exit);
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
        let count = zug_render::number::counted(errors, "error");
        emit::error(ErrorData::new("faults", format!("{}: {count}", file.display())));
        tell(&format!("{}: {count}; nothing was run", file.display()));
        return Err(Exit::Rules);
    }
    Ok(())
}

/// Shows a finding on standard error, and tells programs.
pub fn show(finding: &Diagnostic) {
    emit::finding(finding);
    show_text(finding);
}

fn show_text(finding: &Diagnostic) {
    let mut text = String::new();
    let options = RenderOptions { colour: io::colours().1 };
    if render(&mut text, finding, options).is_ok() {
        tell(text.trim_end());
    }
}

/// Findings of one kind shown of a file.
const SHOWN: usize = 100;

/// Shows what a load found: what can change answers in full, and how much else there is.
fn show_load(findings: &[Diagnostic], file: &Path) {
    let errors = findings.iter().any(Diagnostic::is_error);
    let (style, rest): (Vec<Diagnostic>, Vec<Diagnostic>) =
        findings.iter().cloned().partition(|finding| finding.is_style() && !errors);
    show_all(&rest);
    style.iter().for_each(emit::finding);
    if !style.is_empty() {
        let count = zug_render::number::counted(style.len() as u64, "style finding");
        let verb = if style.len() == 1 { "it" } else { "them" };
        let file = word(&file.to_string_lossy());
        tell(&format!("{count}; `zug check {file}` shows {verb}"));
    }
}

/// Shows findings; of very many warnings the first.
pub fn show_all(findings: &[Diagnostic]) {
    let (mut errors, mut warnings) = (0, 0);
    for finding in findings {
        emit::finding(finding);
        let count = if finding.is_error() { &mut errors } else { &mut warnings };
        *count += 1;
        if *count <= SHOWN {
            show_text(finding);
        }
    }
    for (count, what) in [(errors, "error"), (warnings, "warning")] {
        if count > SHOWN {
            let more = zug_render::number::counted((count - SHOWN) as u64, what);
            tell(&format!("and {more} more"));
        }
    }
}

/// Shows an uncaught error with its chain of calls.
pub fn show_error(error: &Uncaught) {
    emit::error(ErrorData {
        kind: "uncaught",
        message: error.diagnostic.message.clone(),
        finding: Some(Finding::from(&error.diagnostic)),
        term: Some(error.term.clone()),
        calls: error.calls.clone(),
        known: Vec::new(),
    });
    show_text(&error.diagnostic);
    if error.chain.len() > 1 {
        for line in &error.chain {
            tell(&format!("   {line}"));
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

/// The error that a failure is for programs; `None` where findings tell it.
pub fn told(failure: &Failure) -> Option<ErrorData> {
    Some(match failure {
        Failure::Faults(_) | Failure::Stopped(..) => return None,
        Failure::Diagnosed(failure, _) => return told(failure),
        Failure::Policy(_) => ErrorData::new("policy", "the policy can't be used"),
        Failure::Rule(raised) | Failure::Limit(raised) => ErrorData {
            kind: "rule",
            message: raised.finding.message.clone(),
            finding: Some(Finding::from(&raised.finding)),
            term: raised.term.clone(),
            calls: raised.calls.clone(),
            known: Vec::new(),
        },
        Failure::UnreadableTerm(what, fault) => ErrorData {
            finding: Some(Finding::from(&fault.diagnostic)),
            ..ErrorData::new("unreadable_term", format!("the {what} given can't be read"))
        },
        other => ErrorData {
            known: other.known().to_vec(),
            ..ErrorData::new(other.kind(), other.to_string())
        },
    })
}

/// Shows why a use case came to no report.
pub fn show_failure(failure: &Failure) -> Exit {
    if let Failure::Diagnosed(failure, findings) = failure {
        let exit = show_failure(failure);
        show_all(findings);
        return exit;
    }
    if let Failure::Faults(findings) | Failure::Stopped(_, findings) | Failure::Policy(findings) =
        failure
    {
        show_all(findings);
    }
    if let Some(error) = told(failure) {
        let message = error.message.clone();
        emit::error(error);
        match failure {
            Failure::Policy(_) => {}
            Failure::Rule(raised) | Failure::Limit(raised) => show_text(&raised.finding),
            _ => tell(&format!("error: {message}")),
        }
    }
    if let Failure::UnreadableTerm(_, fault) = failure {
        show_text(&fault.diagnostic);
    }
    match failure {
        Failure::Stopped(Fault::Halt(_), _) => {
            fail("halted", &failure.to_string());
            return Exit::Error;
        }
        Failure::Stopped(Fault::Stopped(reason), _) => {
            let exit = stopped_run(*reason);
            if exit == Exit::Interrupted {
                complain("interrupted");
            } else {
                complain(&format!("{reason}{}", more(*reason)));
            }
            return exit;
        }
        _ => {}
    }
    if failure.exit() == Exit::Limit {
        let resource = match failure {
            Failure::Limit(raised) => raised.resource.as_deref(),
            _ => None,
        };
        emit::reason(resource.unwrap_or("memory"));
    }
    failure.exit()
}

/// The end of a goal with an exception that nothing caught.
pub fn uncaught_end(session: &Session, fault: &Fault) -> Exit {
    let Some(resource) = fault.resource() else { return Exit::Error };
    emit::reason(session.machine.symbols.name(resource));
    Exit::Limit
}
