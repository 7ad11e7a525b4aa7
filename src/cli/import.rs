//! `zug import`: rule files from other formats.

use super::{Exit, complain, fail, memory, output, print, rules};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use zug_import::Format;
use zug_options::units;
use zug_term::watchdog::LimitScope;

/// What the formats are.
pub const FORMATS: &str = "\
Formats:
  gdl      GAME.kif: a game in GDL, the Game Description Language, for any number of players
  pddl     DOMAIN.pddl PROBLEM.pddl…: a planning task, its parts in any order, in one file or
           several; each problem becomes an instance
  sokoban  levels of Sokoban as text; each level becomes an instance";

/// `zug import`.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// GAME.kif; DOMAIN.pddl and PROBLEM.pddl; or levels of Sokoban
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What the files hold [default: by the ending of the first]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<From>,
    /// Where to write the rule file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Overwrite the output if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Stop after this time, as 10s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Memory that importing may take, as 512M or 1G [default: half of what the machine, a container or
    /// `ulimit -v` gives, at most 2G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
}

/// The formats by name.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A game in the Game Description Language
    Gdl,
    /// A planning task: a domain and problems
    Pddl,
    /// Levels of Sokoban
    Sokoban,
}

impl From {
    fn format(self) -> Format {
        match self {
            From::Gdl => Format::Gdl,
            From::Pddl => Format::Pddl,
            From::Sokoban => Format::Sokoban,
        }
    }
}

/// Runs the command.
pub fn run(args: &ImportArgs, flag: &Arc<AtomicBool>) -> Exit {
    let is_input = |out: &PathBuf| {
        args.files.iter().any(|file| zug_files::canonical(file) == zug_files::canonical(out))
    };
    if let Some(out) = args.out.as_ref().filter(|out| is_input(out)) {
        let message = format!("`{}` is read, and not to be overwritten", out.display());
        fail("arguments", &message);
        return Exit::Usage;
    }
    if let Some(Err(failure)) = args.out.as_ref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let limits = LimitScope::new(deadline, flag, args.memory.unwrap_or_else(memory::default_limit));
    let format = args.from.map(From::format);
    let imported = match zug_usecases::import::import(&args.files, format, limits) {
        Ok(imported) => imported,
        Err(failure) => return rules::show_failure(&failure),
    };
    rules::show_all(&imported.findings);
    let Some(path) = &args.out else { return print(&imported.rules) };
    match output::write(path, imported.rules.as_bytes(), args.force) {
        Ok(()) => {
            complain(&format!("the rules are in `{}`", path.display()));
            Exit::Success
        }
        Err(failure) => rules::show_failure(&failure),
    }
}
