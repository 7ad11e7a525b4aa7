//! `zug tree`: the tree of a search, or of all moves, as a picture.

use super::misuse::in_order;
use super::tree_args::TreeArgs;
use super::{Exit, complain, emit, fail, io, output, print, report as tell_report, rules};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::tree as render;
use zug_render::tree::{TreeOutput, View};
use zug_search::Limits;
use zug_usecases::Failure;
use zug_usecases::tree::{TreeRequest, read_goal, tree};

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
