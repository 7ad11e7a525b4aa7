//! `zug check`: mistakes in rule files, and what kind of domain they are.

use super::args::Format;
use super::rule_args::TimedArgs;
use super::{Exit, complain, emit, fail, io, print, rules};
use clap::Args;
use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_prolog::session::Session;
use zug_render::check;
use zug_render::diagnostic::{RenderOptions, render};
use zug_render::style::Theme;
use zug_tools::check::FileCheck;
use zug_usecases::exit::CommandResult;

/// `zug check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The rule files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How to print what is found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Make the changes that are certain, in the files
    #[arg(long)]
    pub fix: bool,
    /// With --fix: print the changes and make none
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// Say of the first states which questions code answered, and what stood in its way
    #[arg(long)]
    pub code: bool,
    /// Look at the text alone: load the file, and don't try its rules out
    #[arg(long = "static", conflicts_with = "code")]
    pub untried: bool,
    /// Read texts of files that are not saved from the first line of the input, as JSON by path
    #[arg(long, hide = true, conflicts_with = "fix")]
    pub unsaved: bool,
    #[command(flatten)]
    pub rules: TimedArgs,
}

/// Runs the command: each file on its own, as if it were the only one.
pub fn run(args: &CheckArgs, flag: &Arc<AtomicBool>) -> Exit {
    let mut exit = Exit::Success;
    for (i, name) in args.files.iter().enumerate() {
        let found = match rules::find(name) {
            Ok(file) => check_file(args, &file, i > 0, flag),
            Err(exit) => exit,
        };
        if found == Exit::Interrupted {
            return found;
        }
        exit = exit.graver(found);
    }
    exit
}

fn check_file(args: &CheckArgs, file: &Path, apart: bool, flag: &Arc<AtomicBool>) -> Exit {
    let mut mended = 0;
    // Of a dry run the record has the findings with their changes.
    if args.fix && !(args.dry_run && emit::is_open()) {
        match fix(args, file, flag) {
            Ok(count) => mended = count,
            Err(exit) => return exit,
        }
        if args.dry_run {
            return Exit::Success;
        }
    }
    let (mut session, mut checked) = match checked(args, file, flag) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let exit = checked.exit();
    if exit == Exit::Success && args.code {
        checked.code = zug_tools::check::code_use(&mut session);
        let _ = session.world.streams.end_query();
    }
    if emit::is_open() {
        let report = zug_usecases::check::report(file, &checked);
        emit::record("result", &zug_usecases::check::CheckReport { fixed: mended, ..report });
        return emit::full().unwrap_or(exit);
    }
    let theme = Theme::new(io::colours().0);
    // The findings are what was asked for, so they are the result.
    let mut text = String::new();
    if apart {
        text.push('\n');
    }
    for finding in &checked.findings {
        // Writing to a string doesn't fail.
        let _ = render(&mut text, finding, RenderOptions { colour: theme.colour });
        text.push('\n');
    }
    text += &check::text(&file.display().to_string(), &checked, &theme);
    match print(&text) {
        Exit::Success => exit,
        failure => failure,
    }
}

/// Loads a file into a session of its own and checks it.
fn checked(
    args: &CheckArgs,
    file: &Path,
    flag: &Arc<AtomicBool>,
) -> Result<(Session, FileCheck), Exit> {
    let terms = args.rules.careful_terms(Specialise::Off);
    let mut session = rules::within(&terms, file, flag);
    zug_domain::set_asking_time(&mut session.world, terms.allowance.time);
    if args.unsaved {
        read_unsaved(&mut session)?;
    }
    let checked = zug_usecases::check::check(&mut session, file, !args.untried)
        .map_err(|failure| rules::show_failure(&failure))?;
    let _ = session.world.streams.end_query();
    Ok((session, checked))
}

/// Reads the first line of the standard input: texts, by path, of files that are being edited.
fn read_unsaved(session: &mut Session) -> Result<(), Exit> {
    let mut line = String::new();
    let texts = match std::io::stdin().lock().read_line(&mut line) {
        Ok(_) => serde_json::from_str::<BTreeMap<PathBuf, String>>(&line).map_err(Into::into),
        Err(error) => Err(error),
    };
    let texts = texts.map_err(|error| {
        fail("arguments", &format!("the texts that are not saved can't be read: {error}"));
        Exit::Usage
    })?;
    for (path, text) in texts {
        session.read_unsaved(&path, text);
    }
    Ok(())
}

/// Rounds of changes: one may bring another to light.
const ROUNDS: usize = 5;

/// Makes the changes that are certain, or prints them: how many findings they mend.
fn fix(args: &CheckArgs, file: &Path, flag: &Arc<AtomicBool>) -> Result<usize, Exit> {
    if !args.dry_run && file == Path::new(zug_prolog::builtins::loader::STDIN) {
        fail(
            "unwritable",
            "what comes from standard input can't be changed: `--fix --dry-run` shows the changes",
        );
        return Err(Exit::Usage);
    }
    let mut count = 0;
    for _ in 0..ROUNDS {
        let (_, checked) = checked(args, file, flag)?;
        let texts = zug_usecases::check::mended(&checked);
        if texts.is_empty() {
            break;
        }
        for text in &texts {
            count += text.mended.len();
            if args.dry_run {
                match print(&check::diff(text)) {
                    Exit::Success => continue,
                    exit => return Err(exit),
                }
            }
            zug_usecases::check::write_mended(text)
                .map_err(|failure| rules::show_failure(&failure))?;
        }
        if args.dry_run {
            break;
        }
    }
    if !emit::is_open() {
        let what = zug_render::number::counted(count as u64, "finding");
        let name = file.display();
        complain(&match (count, args.dry_run) {
            (0, _) => format!("{name}: no change is certain; nothing was changed"),
            (_, true) => format!("{name}: {what} would be mended"),
            (_, false) => format!("{name}: {what} mended"),
        });
    }
    Ok(count)
}
