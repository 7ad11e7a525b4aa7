//! What the command line takes, as clap sees it.

use super::base::{BaseArgs, DB, DbCommand};
use super::batch_args::{BATCHES, BatchArgs};
use super::boards::BoardArgs;
#[cfg(feature = "cluster")]
use super::cluster_args::ClusterArgs;
use super::compare::{COMPARING, CompareArgs};
use super::contest::{MatchArgs, PLAYERS, TournamentArgs};
use super::generate::{GENERATING_HELP, GenerateArgs};
use super::given::{Given, option_set};
use super::guide_args::{
    CompletionsArgs, FmtArgs, HelpArgs, INSTALLING, LspArgs, ManArgs, NewArgs,
};
use super::heuristics::HeuristicsArgs;
use super::import::{FORMATS, ImportArgs};
#[cfg(feature = "mcp")]
use super::mcp::{CLIENTS, McpArgs};
use super::plot_args::PlotArgs;
use super::rule_args::{RuleArgs, SandboxArgs, TimedArgs};
#[cfg(feature = "serve")]
use super::serve_args::{SERVING, ServeArgs};
use super::simultaneous_args::NashArgs;
use super::test::{TESTING, TestArgs};
use super::trace::{ProfileArgs, TraceArgs};
use super::train::{TRAINING, TrainArgs};
use super::tree::{TREES, TreeArgs};
use super::verify::CheckCertificateArgs;
use super::verify_args::VerifyArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zug_code::Specialise;
use zug_domain::model::{LABELLING, Labelling};
use zug_options::{Row, Rows, units};
use zug_random::Random;
use zug_search::game::{Sampling, Storage, game_engines};
use zug_search::options::{DEPTH, NODES, PARAMETERS, SAMPLING, STORAGE, SYMMETRY, THREADS};
use zug_search::{Limits, Options};
use zug_usecases::play::Level;

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
    Solve(SolveArgs),
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
            Command::Play(args) if args.load.is_none() => {
                Some(*args.seed.get_or_insert_with(drawn))
            }
            Command::Solve(args) => Some(args.sampling.seed),
            Command::Compare(args) => Some(args.sampling.seed),
            Command::Tree(args) => Some(args.sampling.seed),
            Command::Train(args) => Some(args.given.schedule.seed),
            Command::Heuristics(args) => Some(args.survey.seed),
            Command::Generate(args) => Some(args.options.seed),
            Command::Nash(args) => args.lessons.seed,
            _ => None,
        }
    }
}

/// `zug query`.
#[derive(Args, Debug)]
pub struct QueryArgs {
    /// The rule file
    pub file: PathBuf,
    /// The goal, as 'member(X, [1,2,3])'; the full stop may be left out
    #[arg(allow_hyphen_values = true)]
    pub goal: String,
    /// Show at most this many answers
    #[arg(short = 'n', long = "answers", value_name = "N")]
    pub answers: Option<NonZeroUsize>,
    /// How to print the answers
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// How engines run the rules.
#[derive(Args, Debug, Clone, Copy)]
pub struct CodeArgs {
    /// Don't make code from the rules: run them as they are written
    #[arg(long)]
    pub no_specialize: bool,
    /// Run both the rules and the code made from them, and compare at every state
    #[arg(long, conflicts_with = "no_specialize")]
    pub cross_check: bool,
}

impl CodeArgs {
    /// What engines are told.
    pub fn mode(self) -> Specialise {
        match (self.no_specialize, self.cross_check) {
            (true, _) => Specialise::Off,
            (_, true) => Specialise::CrossCheck,
            _ => Specialise::On,
        }
    }
}

/// What a search may use.
#[derive(Args, Debug, Clone)]
pub struct LimitArgs {
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub counts: Given<Counts>,
}

/// Rows of the limits that count, and of threads.
static COUNTS: [Row<Limits>; 3] = [NODES, DEPTH, THREADS];

option_set! {
    /// The options about nodes, depth and threads.
    Counts: Limits = [Rows(&COUNTS)]
}

option_set! {
    /// The parameters of engines.
    Parameters: Options = [Rows(&PARAMETERS)]
}

option_set! {
    /// The same, and whether states that are alike count as one.
    SearchParameters: Options = [Rows(&PARAMETERS), Rows(&SYMMETRY)]
}

option_set! {
    /// How plays at random are made.
    AtRandom: Sampling = [Rows(&SAMPLING)]
}

option_set! {
    /// How variables of models are labelled.
    Labels: Labelling = [Rows(&LABELLING)]
}

option_set! {
    /// How positions of games are kept.
    Kept: Storage = [Rows(&STORAGE)]
}

/// `zug solve`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// The rule file
    pub file: PathBuf,
    /// The engine [default: astar if the file has a heuristic, else ucs; for games solve_game,
    /// or alphabeta if a depth or a time is given]
    #[arg(short, long, value_name = "NAME", value_parser = engine_names(), hide_possible_values = true)]
    pub engine: Option<String>,
    /// The player to move, in a game [default: the initial player]
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub player: Option<String>,
    /// The state to start from, as '[[x,_,_],[_,o,_],[_,_,_]]'
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with_all = ["instance", "all"])]
    pub state: Option<String>,
    /// Find all cheapest plans of a puzzle: how many there are, and N of them [default: 20]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "20", conflicts_with_all = ["all_solutions", "unique"])]
    pub all_plans: Option<usize>,
    /// Find all solutions of a model, with an objective all best ones: how many there are, and N of them
    /// [default: 20]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "20")]
    pub all_solutions: Option<usize>,
    /// Find out whether a solution of a model is the only one, with an objective the only best one
    #[arg(long, conflicts_with = "all_solutions")]
    pub unique: bool,
    #[command(flatten)]
    pub labelling: Given<Labels>,
    /// The heuristic, if the file has several: the name in heuristic(Name, S, H)
    /// [default: the first]
    #[arg(long, value_name = "NAME")]
    pub heuristic: Option<String>,
    /// The instance, if the file has several: the name in initial_state(Name, S) or model(Name, Vars),
    /// or its number [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// Solve every instance, one report after the other
    #[arg(long, conflicts_with = "instance")]
    pub all: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub parameters: Given<SearchParameters>,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub base: BaseArgs,
    /// Keep in this base what is known then: of a game every state with value, distance and best
    /// move, of a puzzle the states along a cheapest plan, and tables of `--heuristic derived`; what
    /// is there is not searched, or derived, again
    #[arg(long, value_name = "DB", conflicts_with = "db")]
    pub save: Option<PathBuf>,
    /// Write into this file what proves the result, to be checked by `zug verify` or others
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["all", "all_plans"])]
    pub certificate: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Keep the layers of a game's positions, with the moves between them, in files of this folder too, and go on from
    /// there if it has some
    #[cfg(feature = "cluster")]
    #[arg(
        long,
        value_name = "DIR",
        value_hint = clap::ValueHint::DirPath,
        requires = "ClusterArgs",
        help_heading = "Several workers"
    )]
    pub disk: Option<PathBuf>,
    #[command(flatten)]
    pub sampling: Given<AtRandom>,
    #[command(flatten)]
    pub storage: Given<Kept>,
    #[command(flatten)]
    pub boards: BoardArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// Who there is to play against.
const PLAYING: &str = "\
Opponents:
  level:1 … level:9  from nearly random to exact, or as far ahead as the time allows
  random             any move
  alphabeta:6        an engine, looking 6 moves ahead; minimax, negamax and maxn too
  alphabeta          the engine, as far ahead as the time allows
  mcts:5000          Monte Carlo tree search with 5000 plays at random for a move
  solve_game         exact play
  policy:FILE        what `zug train --save FILE` learned; greedy:FILE its likeliest moves

Where all choose at once, as rock, paper, scissors:
  history(3), mixture([1,2,3]), counter(history(1)), nash, … (`zug match --help`)

Two opponents for two players play each other:
  zug play rules/nim.pl --against level:9 --against random --games 10 --seed 1";

/// `zug play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The rule file
    pub file: PathBuf,
    /// The player you are, `none` to watch, or `all` to make the moves of all players, for two
    /// people at one keyboard; may be given several times [default: the one who begins]
    #[arg(long = "as", value_name = "PLAYER")]
    pub human: Vec<String>,
    /// Who plays the others, in order of turns; the last one all that are left
    /// [default: level:5; in a game in which all choose at once mixture([1,2,3])]
    #[arg(long, value_name = "WHO")]
    pub against: Vec<String>,
    /// How strong the machine plays, from 1 to 9: short for --against level:N
    #[arg(long, value_name = "N", conflicts_with = "against", value_parser = level)]
    pub level: Option<Level>,
    /// The player who begins [default: the one the file says]
    #[arg(long, value_name = "PLAYER")]
    pub first: Option<String>,
    /// The instance, if the file has several: the name in initial_state(Name, S), or its number
    /// [default: the largest of a game, the first of a puzzle]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// The state to start from, as a term; `zug tree` and `zug solve` take it too
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// Go on with a game that was written down with the word `save`
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "human", "against", "level", "first", "instance", "state", "games", "seed", "to", "rounds",
    ])]
    pub load: Option<PathBuf>,
    /// Let machines play this many games, and count
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroU32>,
    /// In a game in which all choose at once: rounds to win [default: 50]
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub to: Option<NonZeroU64>,
    /// In a game in which all choose at once: rounds to play
    #[arg(long, value_name = "N")]
    pub rounds: Option<NonZeroU64>,
    /// The seed of what happens at random [default: another one each time]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How to print the game
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// For programs: a move is its term, never its number in the list, and the first line that is no legal move
    /// ends the play with exit code 2
    #[arg(long)]
    pub strict: bool,
    /// Time for a move of the machine, or for a look ahead in a puzzle, as 10s or 500ms [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// `zug specialize`.
#[derive(Args, Debug)]
pub struct SpecialiseArgs {
    /// The rule file
    pub file: PathBuf,
    /// Only this predicate, as rule/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub predicate: Option<String>,
    /// What to show
    #[arg(long, value_name = "STAGE", default_value = "stats")]
    pub emit: Emit,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// What `zug specialize` shows.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The shapes of states, with names for their leaves
    Shape,
    /// What the rules come to once the shape is known: answers with their conditions
    Answers,
    /// What is left to do once the shape is known: blocks and values, moves and tables
    Program,
    /// Sizes and times, and what stands in the way
    Stats,
}

/// `zug enumerate`.
#[derive(Args, Debug)]
pub struct EnumerateArgs {
    /// The rule file
    pub file: PathBuf,
    /// The instance to start from: the name in initial_state(Name, S), or its number
    /// [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// The state to start from, as a term
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// Keep in this base what it costs to get from each state to a goal, for `zug solve --db`
    #[arg(long, value_name = "DB")]
    pub save: Option<PathBuf>,
    /// Keep the states in files of this folder, and not in memory; go on from there if it has some.
    /// Of layers that it has already all are counted, whatever `--depth` says
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with = "save")]
    pub disk: Option<PathBuf>,
    /// List no state: layers are decision diagrams, which may be small where states are very many
    #[arg(long, conflicts_with_all = ["save", "disk", "cross_check", "inferences"])]
    pub diagrams: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub plot: PlotArgs,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

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

/// `zug doc`.
#[derive(Args, Debug)]
pub struct DocArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// What to write [default: by the name of the output, else markdown]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<DocFormat>,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Overwrite the output if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Kinds of documents.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocFormat {
    /// A page for a browser: one file that needs nothing else
    Html,
    /// Text with marks
    Markdown,
}

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line, as they come
    Jsonl,
}

impl Format {
    /// Whether results are for people.
    pub fn is_text(self) -> bool {
        self == Format::Text
    }
}

pub(super) fn engine_names() -> clap::builder::PossibleValuesParser {
    let plans = zug_search::engines().map(|engine| engine.name);
    plans.chain(game_engines().map(|engine| engine.name)).collect::<Vec<_>>().into()
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

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 9".to_owned())
}
