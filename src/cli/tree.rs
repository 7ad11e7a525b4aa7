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
use zug_options::{Row, Rows, Within};
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::tree as render;
use zug_render::tree::{LABEL, LabelKind, TreeOutput, View};
use zug_search::Limits;
use zug_search::options::NODES;
use zug_usecases::Failure;
use zug_usecases::tree::options::{DEPTH, FORM, MARKS, PLACE, STATE};
use zug_usecases::tree::{Form, MOST_NODES, TreeRequest, read_goal, tree};

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
    #[command(flatten)]
    pub given: Given<Drawn>,
    #[command(flatten)]
    pub label: Given<Label>,
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
}

/// Nodes of a search.
static NODES_OF_TREES: [Row<Limits>; 1] =
    [NODES.help("Stop the search after this many expansions, as 100000 or 5M")];

option_set! {
    /// Which tree is drawn, and how much of it.
    Drawn: TreeRequest = [
        Rows(&STATE),
        Rows(&PLACE),
        Within(&DEPTH, |to: &mut TreeRequest| &mut to.limits),
        Rows(&FORM),
        Rows(&MARKS),
    ]
}

option_set! {
    /// What stands in a node.
    Label: LabelKind = [Rows(&LABEL)]
}

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
        options: args.parameters.0.clone(),
        limits: Limits {
            nodes: args.counts.nodes,
            depth: args.given.limits.depth,
            ..args.rules.limits(flag)
        },
        effort: args.verify.0,
        sampling: args.sampling.0.clone(),
        ..args.given.0.clone()
    };
    let is_page = format == TreeOutput::Html && request.form != Form::Graph;
    request.set_most_nodes(is_page, MOST_NODES);
    if let Some(goal) = &args.goal {
        read_goal(session, goal, &mut request)?;
    }
    let report = tree(session, &request)?;
    // Programs get the tree itself, without what is drawn in its nodes.
    if emit::is_open() && args.out.is_none() {
        let _ = session.world.streams.end_query();
        return Ok(tell_report(&report, String::new));
    }
    let labels = render::labels(session, &report, args.label.0);
    // What rules write on the way comes before the tree.
    let _ = session.world.streams.end_query();
    let theme = Theme::new(args.out.is_none() && io::colours().0);
    let terminal = args.out.is_none().then(io::lines).flatten();
    let view = View {
        all: request.all,
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
