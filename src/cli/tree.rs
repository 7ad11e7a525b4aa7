//! `zug tree`: the tree of a search, or of all moves, as a picture.

use super::args::{AtRandom, CodeArgs, Parameters};
use super::given::{Given, option_set};
use super::rule_args::TimedArgs;
use super::rules::in_order;
use super::verify_args::VerifyArgs;
use super::{Exit, complain, emit, fail, io, output, print, report as tell_report, rules};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_options::{Row, Rows, units};
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::tree as render;
use zug_render::tree::{LabelKind, TreeOutput, View};
use zug_search::Limits;
use zug_search::options::NODES;
use zug_usecases::Failure;
use zug_usecases::tree::{
    ALL_NODES, Form, MOST_NODES, MOST_UNFOLDED, Marks, TreeRequest, read_goal, tree,
};

/// What there is to draw.
pub const TREES: &str = "\
Goals:
  astar(P, C)            the search of an engine from an initial state, or from S: astar(S, P, C)
  negamax(x, S, 0, 4)    the same for a game; S and the player may be unbound
  none                   every move of every state, without an engine

  zug tree rules/nim.pl --depth 3
  zug tree rules/taquin.pl 'astar(P, C)' -o taquin.svg
  zug tree rules/tictactoe.pl --depth 2 --graph --symmetry -o squares.html";

/// `zug tree`.
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// The rule file
    pub file: PathBuf,
    /// The goal of an engine, as 'astar(P, C)' [default: every move of every state]
    #[arg(allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// The engine whose search is drawn, instead of a goal
    #[arg(short, long, value_name = "NAME", conflicts_with = "goal")]
    #[arg(value_parser = super::args::engine_names(), hide_possible_values = true)]
    pub engine: Option<String>,
    /// The player to move, in a game [default: the initial player]
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub player: Option<String>,
    /// The state to start from
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// The heuristic, if the file has several [default: the first]
    #[arg(long, value_name = "NAME")]
    pub heuristic: Option<String>,
    /// The instance, if the file has several: its name, or its number [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// How deep to go; of an engine, how deep it searches
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Draw every occurrence of a state with all that is below it [default]
    #[arg(long)]
    pub full: bool,
    /// Draw what is below a state once, and an ellipsis where it comes again
    #[arg(long, conflicts_with = "full")]
    pub truncate: bool,
    /// Draw every state once, as a graph
    #[arg(long, conflicts_with_all = ["full", "truncate"])]
    pub graph: bool,
    /// Take symmetrical states for one, by symmetry(S1, S2) or mirrored(S1, S2)
    #[arg(long)]
    pub symmetry: bool,
    /// Draw all of it, however large: up to 20000 nodes, or --max-nodes [default: what fits a
    /// page, or the terminal; nodes say how many more there are below them]
    #[arg(long)]
    pub all: bool,
    /// Draw this many nodes at most, however large that is [default: 500, of a page 2000]
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub max_nodes: Option<usize>,
    /// What is marked
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    #[arg(default_values = ["pv", "winning", "pruned", "path"])]
    pub highlight: Vec<Highlight>,
    /// What stands in a node
    #[arg(long, value_name = "WHAT", default_value = "board")]
    pub label: LabelArg,
    /// What is written [default: by the name of the file, else text]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<TreeFormat>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long, requires = "out")]
    pub force: bool,
    #[command(flatten)]
    pub counts: Given<TreeNodes>,
    #[command(flatten)]
    pub parameters: Given<Parameters>,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub sampling: Given<AtRandom>,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// What is marked in a tree.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// The line of best play
    Pv,
    /// States that are won or lost for the player to move
    Winning,
    /// The same by who wins, whoever is to move
    Winner,
    /// What a search left out
    Pruned,
    /// The path to a goal
    Path,
    /// Nothing
    None,
}

/// What stands in a node.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelArg {
    /// What print_state/1 draws, or the term
    Board,
    /// The term
    Term,
    /// Nothing
    None,
}

impl LabelArg {
    /// Options of the drawing.
    pub fn kind(self) -> LabelKind {
        match self {
            LabelArg::Board => LabelKind::Board,
            LabelArg::Term => LabelKind::Term,
            LabelArg::None => LabelKind::None,
        }
    }
}

/// What a tree is written as.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFormat {
    /// Lines, children indented
    Text,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// A page to step through
    Html,
    /// A picture in pixels
    Png,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line
    Jsonl,
}

impl TreeArgs {
    /// The most nodes there are to draw.
    pub fn most_nodes(&self, format: TreeOutput) -> usize {
        self.max_nodes.unwrap_or(match format {
            _ if self.all => ALL_NODES,
            TreeOutput::Html if !self.graph => MOST_UNFOLDED,
            _ => MOST_NODES,
        })
    }

    /// Whether nothing is folded: who says how many nodes to draw wants to see them.
    pub fn draws_all(&self) -> bool {
        self.all || self.max_nodes.is_some()
    }

    /// What is written: as asked for, or as the name of the file says.
    pub fn format(&self) -> TreeOutput {
        match self.format {
            None => TreeOutput::by_name(self.out.as_deref()),
            Some(TreeFormat::Text) => TreeOutput::Text,
            Some(TreeFormat::Dot) => TreeOutput::Dot,
            Some(TreeFormat::Svg) => TreeOutput::Svg,
            Some(TreeFormat::Html) => TreeOutput::Html,
            Some(TreeFormat::Png) => TreeOutput::Png,
            Some(TreeFormat::Json | TreeFormat::Jsonl) => TreeOutput::Json,
        }
    }

    /// What is made of states that occur more than once.
    pub fn form(&self) -> Form {
        match (self.graph, self.truncate) {
            (true, _) => Form::Graph,
            (_, true) => Form::Truncated,
            _ => Form::Full,
        }
    }

    /// What is marked.
    pub fn marks(&self) -> Marks {
        let has = |what| self.highlight.contains(&what);
        Marks {
            pv: has(Highlight::Pv),
            winning: has(Highlight::Winning),
            winner: has(Highlight::Winner),
            pruned: has(Highlight::Pruned),
            path: has(Highlight::Path),
        }
    }
}

fn nodes(text: &str) -> Result<usize, String> {
    let count = units::count(text)?;
    let count = usize::try_from(count).map_err(|_| "that is more than there can be".to_owned())?;
    if count == 0 { Err("there is a root at least".to_owned()) } else { Ok(count) }
}

/// Nodes of a search.
static NODES_OF_TREES: [Row<Limits>; 1] =
    [NODES.help("Stop the search after this many expansions, as 100000 or 5M")];

option_set! {
    /// The option about nodes. The depth is that of the tree.
    TreeNodes: Limits = [Rows(&NODES_OF_TREES)]
}

/// Lines of a terminal that are for something else than nodes.
const ABOUT: usize = 6;
/// Nodes that a terminal shows, however low it is.
const LINES: usize = 40;

/// Runs the command.
pub fn run(args: &TreeArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(args.code.mode());
    if let Err(exit) = in_order("tree", &args.file, args.goal.as_deref()) {
        return exit;
    }
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let exit = draw(&mut session, args, file, flag);
    let _ = session.world.streams.flush_standard();
    exit.unwrap_or_else(|failure| rules::show_failure(&failure))
}

fn draw(
    session: &mut Session,
    args: &TreeArgs,
    file: PathBuf,
    flag: &Arc<AtomicBool>,
) -> Result<Exit, Failure> {
    let format = args.format();
    if format == TreeOutput::Png && args.out.is_none() {
        fail("arguments", "a png goes to a file: -o FILE");
        return Ok(Exit::Usage);
    }
    if let Some(path) = &args.out {
        output::check(path, args.force)?;
    }
    let mut request = TreeRequest {
        file,
        engine: args.engine.clone(),
        heuristic: args.heuristic.clone(),
        instance: args.instance.clone(),
        player: args.player.clone(),
        state: args.state.clone(),
        depth: args.depth,
        options: args.parameters.0.clone(),
        limits: Limits { nodes: args.counts.nodes, depth: args.depth, ..args.rules.limits(flag) },
        effort: args.verify.0,
        sampling: args.sampling.0.clone(),
        form: args.form(),
        symmetry: args.symmetry,
        max_nodes: args.most_nodes(format),
        marks: args.marks(),
    };
    if let Some(goal) = &args.goal {
        read_goal(session, goal, &mut request)?;
        request.limits.depth = request.depth;
    }
    let report = tree(session, &request)?;
    // Programs get the tree itself, without what is drawn in its nodes.
    if emit::is_open() && args.out.is_none() {
        let _ = session.world.streams.end_query();
        return Ok(tell_report(&report, String::new));
    }
    let labels = render::labels(session, &report, args.label.kind());
    // What rules write on the way comes before the tree.
    let _ = session.world.streams.end_query();
    let theme = Theme::new(args.out.is_none() && io::colours().0);
    let terminal = args.out.is_none().then(io::lines).flatten();
    let view = View {
        all: args.draws_all(),
        columns: args.out.is_none().then(io::columns).flatten(),
        lines: terminal.map(|lines| lines.saturating_sub(ABOUT).max(LINES)),
    };
    let output = render::written(&report, &labels, format, &theme, view);
    let output = output.map_err(Failure::Players)?;
    let Some(path) = &args.out else {
        return Ok(print(&String::from_utf8_lossy(&output.bytes)));
    };
    output::write(path, &output.bytes, args.force)?;
    for remark in &output.remarks {
        complain(remark);
    }
    Ok(Exit::Success)
}
