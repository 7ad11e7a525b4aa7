//! The command line: the commands, and the options of all of them.

use super::args::CodeArgs;
use super::base::{BaseArgs, DB, DbCommand};
use super::batch_args::{BATCHES, BatchArgs};
use super::check::CheckArgs;
use super::compare::{COMPARING, CompareArgs};
use super::contest::{MatchArgs, PLAYERS, TournamentArgs};
use super::doc::DocArgs;
use super::enumerate::EnumerateArgs;
use super::generate::{GENERATING_HELP, GenerateArgs};
use super::guide_args::{
    CompletionsArgs, FmtArgs, HelpArgs, INSTALLING, LspArgs, ManArgs, NewArgs,
};
use super::heuristics::HeuristicsArgs;
use super::import::{FORMATS, ImportArgs};
#[cfg(feature = "mcp")]
use super::mcp::{CLIENTS, McpArgs};
use super::nash::NashArgs;
use super::play::{PLAYING, PlayArgs};
use super::query::QueryArgs;
use super::rule_args::SandboxArgs;
#[cfg(feature = "serve")]
use super::serve_args::{SERVING, ServeArgs};
use super::solve::SolveArgs;
use super::specialise::SpecialiseArgs;
use super::test::{TESTING, TestArgs};
use super::trace::{ProfileArgs, TraceArgs};
use super::train::{TRAINING, TrainArgs};
use super::tree::{TREES, TreeArgs};
use super::verify::CheckCertificateArgs;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use zug_options::units;
use zug_random::Random;
use zug_search::game::game_engines;

/// How the commands end.
const EXIT_CODES: &str = "\
Exit codes:
  0    solved, or the query has an answer
  1    no solution, or the query has no answer: proved
  2    wrong usage, or a file that can't be read
  3    the rule file has errors, or lacks a predicate
  4    a limit was reached
  5    run-time error
  130  interrupted

Without a command, zug loads the files and asks for queries: the REPL.";

/// Solves games and puzzles whose rules are written as Prolog clauses.
#[derive(Parser, Debug)]
#[command(
    name = "zug",
    version,
    long_version = super::version::long(),
    about,
    after_help = EXIT_CODES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do; without a command, the REPL
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Rule files to load before the first query
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What the rules find in the flag `argv`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
    /// Memory a query may take, as 512M or 1G [default: half of what the machine, a container or
    /// `ulimit -v` gives, at most 2G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Answers a query over a rule file, all answers one a line
    Query(QueryArgs),
    /// Solves a puzzle or a game: a plan to a final state; the value of a state and a move
    #[command(after_help = engine_help())]
    Solve(Box<SolveArgs>),
    /// Finds equilibria of a game in which all choose at once
    Nash(NashArgs),
    /// Lets two players meet in a game in which all choose at once, round after round
    #[command(after_help = PLAYERS)]
    Match(MatchArgs),
    /// Lets every player meet every other one in such matches
    #[command(after_help = PLAYERS)]
    Tournament(TournamentArgs),
    /// Plays a game against the machine, a puzzle by hand, or has machines play each other
    #[command(after_help = PLAYING)]
    Play(PlayArgs),
    /// Learns a game by playing it: a policy, and how well it plays
    #[command(after_help = TRAINING)]
    Train(TrainArgs),
    /// Draws the tree of a search, or of all moves
    #[command(after_help = TREES)]
    Tree(TreeArgs),
    /// Compares engines and heuristics: costs, nodes, time, memory
    #[command(after_help = COMPARING)]
    Compare(CompareArgs),
    /// Says whether heuristics are admissible and consistent, and how much they know
    Heuristics(HeuristicsArgs),
    /// Visits every state that can be reached and counts them by depth
    Enumerate(EnumerateArgs),
    /// Makes new starts for a puzzle: the hardest, or such as need a plan of a given cost
    #[command(after_help = GENERATING_HELP)]
    Generate(GenerateArgs),
    /// Runs many rule files: their instances solved, their queries answered, or graded
    #[command(after_help = BATCHES)]
    Batch(BatchArgs),
    /// Looks for mistakes in rule files and says which engines apply
    Check(CheckArgs),
    /// Lays rule files out: one goal a line, columns, blanks; nothing else changes
    Fmt(FmtArgs),
    /// Serves editors: the Language Server Protocol on standard input and output
    Lsp(LspArgs),
    /// Runs the unit tests that rule files bring
    #[command(after_help = TESTING)]
    Test(TestArgs),
    /// Makes a document of a rule file, from its comments and what it means to the engines
    Doc(DocArgs),
    /// Shows the code that is made from the rules for the shapes of states
    Specialize(SpecialiseArgs),
    /// Shows the calls of a goal as a tree
    Trace(TraceArgs),
    /// Shows which predicates a goal spends its inferences on
    Profile(ProfileArgs),
    /// Checks a certificate, which proves what `zug solve` said
    Verify(CheckCertificateArgs),
    /// Looks into bases, which keep what was solved
    #[command(after_help = DB)]
    Db {
        /// What to do with it
        #[command(subcommand)]
        command: DbCommand,
    },
    /// Serves rule files to the browser: to play, solve, watch, ask and edit them
    #[cfg(feature = "serve")]
    #[command(after_help = SERVING)]
    Serve(ServeArgs),
    /// Serves language models: tools to check, solve, play and ask rules, by the Model Context Protocol
    #[cfg(feature = "mcp")]
    #[command(after_help = CLIENTS)]
    Mcp(McpArgs),
    /// Writes a rule file to begin with: commented, complete, and it runs
    New(NewArgs),
    /// Makes a rule file of a game in GDL, a planning task in PDDL, or levels of Sokoban
    #[command(after_help = FORMATS)]
    Import(ImportArgs),
    /// Lists the search engines
    Engines,
    /// Prints the JSON Schema of what `--format json` and `jsonl` write
    Schema,
    /// Prints the tutorial: from nothing to your own puzzle and game in half an hour
    Tutorial,
    /// Prints completions for a shell
    #[command(after_help = INSTALLING)]
    Completions(CompletionsArgs),
    /// Writes the manual pages
    Man(ManArgs),
    /// Explains a command, an engine or a predicate
    Help(HelpArgs),
}

impl Command {
    /// The seed of what happens at random, if the command has one; it is drawn here if none
    /// was given.
    pub fn seed(&mut self) -> Option<u64> {
        // Short, so that it can be typed again.
        let drawn = || Random::from_clock().below(1_000_000);
        match self {
            Command::Match(MatchArgs { contest, .. })
            | Command::Tournament(TournamentArgs { contest, .. }) => {
                Some(*contest.given.0.seed.get_or_insert_with(drawn))
            }
            Command::Play(args) if args.given.load.is_none() => {
                Some(*args.given.0.contest.seed.get_or_insert_with(drawn))
            }
            Command::Solve(args) => Some(args.sampling.seed),
            Command::Compare(args) => Some(args.sampling.seed),
            Command::Tree(args) => Some(args.sampling.seed),
            Command::Train(args) => Some(args.given.schedule.seed),
            Command::Heuristics(args) => Some(args.given.survey.seed),
            Command::Generate(args) => Some(args.given.options.seed),
            Command::Nash(args) => args.lessons.seed,
            _ => None,
        }
    }
}

fn engine_help() -> String {
    let mut text = String::from("Engines:\n");
    for engine in zug_search::engines() {
        text += &format!("  {:<10} {}\n", engine.name, engine.summary);
    }
    text += "\nEngines for games:\n";
    for engine in game_engines() {
        text += &format!("  {:<14} {}\n", engine.name, engine.summary);
    }
    text
}
