//! What the commands take that help to begin: `new`, `help`, `completions` and `man`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use zug_usecases::new::Kind;

/// Where a shell looks for completions.
pub const INSTALLING: &str = "\
To install them:
  bash        mkdir -p ~/.local/share/bash-completion/completions
              zug completions bash > ~/.local/share/bash-completion/completions/zug
  zsh         zug completions zsh > DIR/_zug, where DIR is a folder of $fpath
  fish        zug completions fish > ~/.config/fish/completions/zug.fish
  powershell  zug completions powershell >> $PROFILE";

/// `zug new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// What it is to be
    #[arg(value_name = "KIND")]
    pub kind: NewKind,
    /// Its name: the file is NAME.pl
    #[arg(value_name = "NAME")]
    pub name: PathBuf,
    /// Overwrite the file if it is there already
    #[arg(long)]
    pub force: bool,
}

/// Kinds of rule files.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewKind {
    /// One who moves, and a goal
    Puzzle,
    /// Two players in turn
    Game,
    /// Two players, and chance
    Chance,
    /// Two players who choose at once
    Simultaneous,
    /// Constraints on variables
    Model,
}

impl From<NewKind> for Kind {
    fn from(kind: NewKind) -> Kind {
        match kind {
            NewKind::Puzzle => Kind::Puzzle,
            NewKind::Game => Kind::Game,
            NewKind::Chance => Kind::Chance,
            NewKind::Simultaneous => Kind::Simultaneous,
            NewKind::Model => Kind::Model,
        }
    }
}

/// `zug fmt`.
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// The rule files; - takes the text from standard input and writes it to standard output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing: name the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// `zug lsp`.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Talk over standard input and output: the default, and the only way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `zug completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `zug man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder to write them to, one page a command, as ~/.local/share/man/man1
    /// [default: the page of zug itself goes to standard output]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// `zug help`.
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A command, as `solve` or `db info`; an engine; a predicate, as `append/3`
    #[arg(value_name = "WHAT")]
    pub what: Vec<String>,
}
