//! `zug solve` of a game: the value of a state and the move.

use super::args::SolveArgs;
use super::progress::ProgressLine;
use super::{Exit, base, complain, ended, fail, io, report_of, rules, solve};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Session;
use zug_render::base as render;
use zug_render::board::{BoardStyle, draw_in};
use zug_render::certificate::made;
use zug_render::game;
use zug_render::solution::names;
use zug_render::style::Theme;
use zug_render::tree::file_name;
use zug_search::game::GameProgress;
use zug_tools::check::hidden_information;
use zug_usecases::record::TermData;
use zug_usecases::solve_game::{GameReport, GameRequest, solve_game};

/// Runs the command on a session that has loaded the file.
pub fn run(session: &mut Session, args: &SolveArgs, file: PathBuf, flag: &Arc<AtomicBool>) -> Exit {
    if args.save.is_some() && args.parameters.0.symmetry {
        fail(
            "arguments",
            "--save keeps every state of a game for itself: it can't go with --symmetry",
        );
        return Exit::Usage;
    }
    #[cfg(feature = "cluster")]
    if args.cluster.wanted().is_some() && solve::has_base(args) {
        return solve::no_base();
    }
    let request = GameRequest {
        file,
        engine: args.engine.clone(),
        instance: args.instance.clone(),
        player: args.player.clone(),
        state: args.state.clone(),
        limits: solve::limits(&args.limits, flag),
        sampling: args.sampling.0.clone(),
        storage: args.storage.0,
        symmetry: args.parameters.0.symmetry,
        boards: args.boards.wants_states(),
        save: solve::save(args),
        certificate: solve::certificate(args),
        #[cfg(feature = "cluster")]
        cluster: args.cluster.wanted().map(|wanted| (wanted, args.disk.clone())),
    };
    if let Err(failure) = args.boards.check() {
        return rules::show_failure(&failure);
    }
    let line = RefCell::new(ProgressLine::new());
    let mut observer = |state: &GameProgress| {
        line.borrow_mut().show(state.elapsed, || game::progress(state), || state.into());
    };
    let solved = solve_game(session, &request, Some(&mut observer));
    line.borrow_mut().clear();
    let _ = session.world.streams.end_query();
    let found = match solved {
        Ok(found) => found,
        Err(failure) => return rules::show_failure(&failure),
    };
    if let Some(finding) = hidden_information(&session.machine, &session.world) {
        rules::show(&finding);
    }
    base::note(session);
    solve::note_threads(session, &request.limits, Some(found.found.engine));
    let manner = args.boards.manner();
    let mut shown = report_of(
        session,
        |session| found.record(session),
        |session| text(session, &found, manner, args.tells_code),
    );
    if shown == Exit::Success && args.boards.wants_states() {
        let player = TermData::text_of(session, &found.found.player);
        let title = format!("{}, {player} to move", file_name(&found.file));
        let states = std::iter::once(&found.found.state).chain(&found.states).cloned();
        let line = names(session, &found.found.line);
        shown = args.boards.show(session, &title, &states.collect::<Vec<_>>(), &line);
    }
    if let Some(remark) = &found.remark {
        complain(&format!("note: {remark}"));
    }
    rules::show_all(&found.findings);
    if shown == Exit::Success { ended(&found) } else { shown }
}

fn text(session: &mut Session, report: &GameReport, manner: BoardStyle, code: bool) -> String {
    let theme = Theme::new(io::colours().0).telling_code(code);
    let instance = report.instance.as_ref().filter(|name| *name != "1");
    let instance = instance.map_or(String::new(), |name| format!(", instance {name}"));
    let player = TermData::text_of(session, &report.found.player);
    let mut text = format!("{}{instance}, {player} to move\n", report.file);
    if let Some(board) = draw_in(session, &report.found.state, manner) {
        text += &board;
        text += "\n";
    }
    text += &game::run(&report.found, session, &theme);
    if let Some(saved) = &report.saved {
        text += &render::saved(saved, "position");
    }
    if let Some(certificate) = &report.certificate {
        text += &made(certificate);
    }
    text
}
