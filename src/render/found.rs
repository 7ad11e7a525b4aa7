//! Results of `solve`, of all kinds of domain.

use super::base::saved;
use super::board::{BoardStyle, draw_in, printed_by};
use super::certificate::made;
use super::explain::explanation;
use super::style::Theme;
use super::{game, model, nash, plans, solution, try_actions};
use zug_domain::Contract;
use zug_prolog::session::Session;
use zug_report::Solution;
use zug_term::Record;
use zug_usecases::record::TermData;
use zug_usecases::solve::{Found, FoundRecord, GameReport, ModelReport};

/// A result as text. Without a style of boards it has no boards, and of a game no heading: the reader knows
/// where the search began.
pub fn text(
    found: &Found,
    session: &mut Session,
    style: Option<BoardStyle>,
    theme: &Theme,
) -> String {
    let mut text = match found {
        Found::Plan(report) => {
            let (start, end) = ends(&report.found, session, style);
            let (start, end) = match (start, end) {
                // Sentences don't stand beside each other.
                (Some(start), Some(end)) if style == Some(BoardStyle::Sentences) => {
                    (Some(format!("from\n{start}to\n{end}")), None)
                }
                boards => boards,
            };
            solution::text(report, session, (start.as_deref(), end.as_deref()), theme)
        }
        Found::Plans(report) => {
            let (start, end) = ends(&report.first.found, session, style);
            plans::text(report, session, (start.as_deref(), end.as_deref()), theme)
        }
        Found::Value(report) => value(report, session, style, theme),
        Found::Model(report) => {
            let printed = style.map_or(Vec::new(), |_| printed(report, session));
            model::text(report, session, &printed, theme)
        }
        Found::Equilibria(report) => nash::text(report, theme),
        Found::Tries(report) => try_actions::text(report, theme),
    };
    let (kept, what, certificate) = match found {
        Found::Plan(report) => (&report.saved, "state", &report.certificate),
        Found::Value(report) => (&report.saved, "position", &report.certificate),
        Found::Model(report) => (&None, "", &report.certificate),
        Found::Equilibria(report) => (&None, "", &report.certificate),
        Found::Plans(_) | Found::Tries(_) => (&None, "", &None),
    };
    text.extend(kept.iter().map(|kept| saved(kept, what)));
    text.extend(certificate.iter().map(made));
    text
}

/// The boards of the start and of the goal, if a search moved at all.
fn ends(
    found: &Solution<Record>,
    session: &mut Session,
    style: Option<BoardStyle>,
) -> (Option<String>, Option<String>) {
    let Some(style) = style else { return (None, None) };
    let start = draw_in(session, &found.start, style);
    let end = found.states.last().filter(|_| found.states.len() > 1);
    (start, end.and_then(|state| draw_in(session, state, style)))
}

fn value(
    report: &GameReport,
    session: &mut Session,
    style: Option<BoardStyle>,
    theme: &Theme,
) -> String {
    let Some(style) = style else {
        let remark = report.remark.as_ref();
        let remark = remark.map_or(String::new(), |remark| format!("note: {remark}\n"));
        return game::run(&report.found, session, theme) + &remark;
    };
    let instance = report.instance.as_ref().filter(|name| *name != "1");
    let instance = instance.map_or(String::new(), |name| format!(", instance {name}"));
    let player = TermData::text_of(session, &report.found.player);
    let mut text = format!("{}{instance}, {player} to move\n", report.file);
    if let Some(board) = draw_in(session, &report.found.state, style) {
        text += &board;
        text += "\n";
    }
    text + &game::run(&report.found, session, theme)
}

/// What the file's own predicate writes of each solution, if it has one.
fn printed(report: &ModelReport, session: &mut Session) -> Vec<Option<String>> {
    let contract = Contract::of(&session.machine);
    let Some(print) = contract.print_model.or(contract.print_state) else { return Vec::new() };
    report.found.solutions.iter().map(|one| printed_by(session, print, &one.list)).collect()
}

/// A result for programs, with explanations in full.
pub fn record<'f>(found: &'f Found, session: &mut Session) -> FoundRecord<'f> {
    let conflict = found.model().map_or(&[][..], |report| &report.conflict);
    let explain = |why| {
        let shown = explanation(session, why, "", &Theme::new(false));
        shown.full.unwrap_or(shown.text)
    };
    let conflict = conflict.iter().map(explain).collect();
    found.record(session, conflict)
}
