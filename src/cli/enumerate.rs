//! `zug enumerate`: the states that can be reached, by depth.

use super::args::EnumerateArgs;
#[cfg(feature = "cluster")]
use super::fail;
use super::plot_args::Drawing;
use super::progress::ProgressLine;
use super::{Exit, ended, io, report, rules, solve};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_render::base as render;
use zug_render::board::draw;
use zug_render::space;
use zug_render::style::Theme;
use zug_usecases::enumerate::{EnumerateRequest, enumerate_loaded};

/// Runs the command.
pub fn run(args: &EnumerateArgs, flag: &Arc<AtomicBool>) -> Exit {
    let wanted = match args.plot.check() {
        Ok(wanted) => wanted,
        Err(failure) => return rules::show_failure(&failure),
    };
    #[cfg(feature = "cluster")]
    if args.cluster.wanted().is_some() && (args.diagrams || args.save.is_some()) {
        let why =
            "several workers list states, and keep no costs: --diagrams and --save are for one";
        fail("arguments", why);
        return Exit::Usage;
    }
    let terms = args.limits.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = EnumerateRequest {
        file,
        instance: args.instance.clone(),
        state: args.state.clone(),
        limits: solve::limits(&args.limits, flag),
        disk: args.disk.clone(),
        diagrams: args.diagrams,
        #[cfg(feature = "cluster")]
        cluster: args.cluster.wanted(),
        save: args.save.clone().map(|path| zug_usecases::FileTo { path, force: args.plot.force }),
    };
    let mut line = ProgressLine::new();
    let mut observer = |state: &_| line.update(state);
    let explored = enumerate_loaded(&mut session, &request, Some(&mut observer));
    line.clear();
    let _ = session.world.streams.end_query();
    let found = match explored {
        Ok(found) => found,
        Err(failure) => return rules::show_failure(&failure),
    };
    let shown = report(&found, || {
        let board = found.explored.deepest.first().and_then(|state| draw(&mut session, state));
        let text = space::text(
            &found,
            board.as_deref(),
            &Theme::new(io::colours().0).telling_code(args.tells_code),
        );
        let saved = found.saved.as_ref().map(|saved| render::saved(saved, "state"));
        text + &saved.unwrap_or_default()
    });
    if shown != Exit::Success {
        return shown;
    }
    solve::note_threads(&session, &request.limits, None);
    let drawing = Drawing::Plot(space::plot(&found));
    match args.plot.draw(&wanted, Some(&drawing), args.format.is_text()) {
        Exit::Success => {}
        failure => return failure,
    }
    ended(&found)
}
