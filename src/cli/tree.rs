//! `zug tree`: the tree of a search, or of all moves, as a picture.

use super::tree_args::{TreeArgs, TreeFormat};
use super::{Exit, complain, io, output, print, rules};
use crate::render::style::Theme;
use crate::render::tree as render;
use crate::search::{Limits, Options};
use crate::session::Session;
use crate::usecases::Failure;
use crate::usecases::tree::{TreeReport, TreeRequest, tree};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub fn run(args: &TreeArgs, flag: &Arc<AtomicBool>) -> Exit {
    let (file, mut session) = match rules::open(&args.file, args.memory, args.code.mode(), flag) {
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
    if let Some(path) = &args.output {
        output::check(path, args.force)?;
    }
    let request = TreeRequest {
        file,
        engine: args.engine.clone(),
        heuristic: args.heuristic.clone(),
        instance: args.instance.clone(),
        player: args.player.clone(),
        state: args.state.clone(),
        depth: args.depth,
        options: Options { weight: args.weight, width: args.width },
        limits: Limits {
            nodes: args.nodes,
            depth: args.depth,
            time: args.time,
            memory: args.memory,
            cancel: Some(flag.clone()),
        },
        sampling: args.sampling.options(),
        form: args.form(),
        symmetry: args.symmetry,
        max_nodes: args.max_nodes,
        marks: args.marks(),
    };
    let report = tree(session, &request)?;
    let labels = render::labels(session, &report, args.label.kind());
    // What rules write on the way comes before the tree.
    let _ = session.world.streams.end_query();
    let bytes = written(&report, &labels, args)?;
    let Some(path) = &args.output else {
        return Ok(print(&bytes));
    };
    output::write(path, bytes.as_bytes(), args.force)?;
    for remark in &report.remarks {
        complain(remark);
    }
    Ok(Exit::Success)
}

/// The tree in the format that is asked for.
fn written(
    report: &TreeReport,
    labels: &[render::Label],
    args: &TreeArgs,
) -> Result<String, Failure> {
    Ok(match args.format() {
        TreeFormat::Text => {
            let colour = args.output.is_none() && io::colours().0;
            render::text::text(report, &Theme::new(colour))
        }
        TreeFormat::Dot => render::dot::dot(report, labels),
        TreeFormat::Svg => render::svg::svg(report, labels),
        // Only maps with other keys than strings can fail.
        TreeFormat::Json => serde_json::to_string(report).unwrap_or_default() + "\n",
        TreeFormat::Html => render::html::html(report, labels),
        TreeFormat::Png => {
            return Err(Failure::Players("not yet".to_owned()));
        }
    })
}
