//! `zug solve --all-plans`: every cheapest plan, and how many there are.

use super::args::SolveArgs;
use super::progress::ProgressLine;
use super::solve::note_others;
use super::{Exit, base, emit, ended, fail, io, print, report_of, rules};
use std::cell::RefCell;
use zug_prolog::session::Session;
use zug_render::board::draw_in;
use zug_render::plans as render;
use zug_render::style::Theme;
use zug_usecases::plans::{PlansReport, plans};
use zug_usecases::solve::SolveRequest;

/// Runs the command, with the rules loaded; `most` plans of each instance are shown.
pub fn run(session: &mut Session, args: &SolveArgs, request: &SolveRequest, most: usize) -> Exit {
    if let Some(words) = misused(args) {
        fail("arguments", words);
        return Exit::Usage;
    }
    let theme = Theme::new(io::colours().0).telling_code(args.tells_code);
    let line = RefCell::new(ProgressLine::new());
    let mut observer = |state: &_| line.borrow_mut().update(state);
    let (mut first, mut exit) = (true, Exit::Success);
    let each = |found: &PlansReport, session: &mut Session| {
        line.borrow_mut().clear();
        exit = exit.graver(ended(found));
        if !first && !emit::is_open() {
            let _ = print("\n");
        }
        first = false;
        let shown = report_of(
            session,
            |session| found.record(session),
            |session| {
                let manner = args.boards.manner();
                let start = draw_in(session, &found.first.found.start, manner);
                let ends = &found.first.found.states;
                let end = ends.last().filter(|_| ends.len() > 1);
                let end = end.and_then(|state| draw_in(session, state, manner));
                render::text(found, session, (start.as_deref(), end.as_deref()), &theme)
            },
        );
        if shown != Exit::Success {
            exit = shown;
        }
        shown == Exit::Success
    };
    let searched = plans(session, request, most, Some(&mut observer), each);
    line.borrow_mut().clear();
    let _ = session.world.streams.end_query();
    base::note(session);
    match searched {
        Ok(others) => {
            note_others(&others);
            exit
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// Why options don't go together, if they don't.
fn misused(args: &SolveArgs) -> Option<&'static str> {
    if args.limits.counts.depth.is_some() {
        return Some("--all-plans looks at plans of any number of moves: it takes no --depth");
    }
    if args.engine.as_deref().is_some_and(|engine| engine != "ucs") || args.heuristic.is_some() {
        return Some(
            "--all-plans proves that no plan is cheaper by a blind search: it takes no --engine \
             and no --heuristic",
        );
    }
    if args.save.is_some() {
        return Some("--all-plans keeps nothing in a base: it takes no --save");
    }
    if args.boards.wants_states() {
        return Some("--all-plans shows plans by their moves: no --boards, --step or --draw");
    }
    None
}
