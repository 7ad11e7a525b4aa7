//! `zug solve` of a game: the value of a state and the move.

use super::args::{Format, SolveArgs};
use super::progress::ProgressLine;
use super::{Exit, base, io, print, rules, solve};
use crate::render::board::{Manner, draw_in};
use crate::render::base as render;
use crate::render::game;
use crate::render::style::Theme;
use crate::session::Session;
use crate::usecases::solve_game::{GameReport, GameRequest, solve_game};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command on a session that has loaded the file.
pub fn run(session: &mut Session, args: &SolveArgs, file: PathBuf, flag: &Arc<AtomicBool>) -> Exit {
    let request = GameRequest {
        file,
        engine: args.engine.clone(),
        instance: args.instance.clone(),
        player: args.player.clone(),
        state: args.state.clone(),
        limits: solve::limits(&args.limits, flag),
        sampling: args.sampling.options(),
        boards: args.boards.wants_states(),
        save: solve::save(args),
    };
    if let Err(failure) = args.boards.check() {
        return rules::show_failure(&failure);
    }
    let line = RefCell::new(ProgressLine::new());
    let mut observer = |state: &_| line.borrow_mut().show(&game::progress(state), state.elapsed);
    let solved = solve_game(session, &request, Some(&mut observer));
    line.borrow_mut().clear();
    let _ = session.world.streams.end_query();
    let report = match solved {
        Ok(report) => report,
        Err(failure) => return rules::show_failure(&failure),
    };
    let text = match args.format {
        Format::Json => serde_json::to_string(&report).unwrap_or_default() + "\n",
        Format::Text => text(session, &report, args.boards.manner()),
    };
    base::note(session);
    let mut shown = print(&text);
    if shown == Exit::Success && args.boards.wants_states() {
        let title = format!("{}, {} to move", report.file, report.player);
        let states = std::iter::once(&report.state).chain(&report.states).cloned();
        shown = args.boards.show(session, &title, &states.collect::<Vec<_>>(), &report.line);
    }
    match (shown, report.exit_code()) {
        (Exit::Success, 0) => Exit::Success,
        (Exit::Success, 130) => Exit::Interrupted,
        (Exit::Success, _) => Exit::Limit,
        (failure, _) => failure,
    }
}

fn text(session: &mut Session, report: &GameReport, manner: Manner) -> String {
    let theme = Theme::new(io::colours().0);
    let instance = report.instance.as_ref().filter(|name| *name != "1");
    let instance = instance.map_or(String::new(), |name| format!(", instance {name}"));
    let mut text = format!("{}{instance}, {} to move\n", report.file, report.player);
    if let Some(board) = draw_in(session, &report.state, manner) {
        text += &board;
        text += "\n";
    }
    text += &game::run(&report.run, &theme);
    if let Some(saved) = &report.saved {
        text += &render::saved(saved, "position");
    }
    text
}
