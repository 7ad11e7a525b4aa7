//! `zug solve`: a plan for an instance of a puzzle, or for all of them.

use super::args::{LimitArgs, SolveArgs};
use super::progress::ProgressLine;
use super::{
    Exit, base, complain, ended, fail, io, model, nash, plans, report_of, rules, solve_game,
};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_domain::model::Labelling;
use zug_domain::{Contract, DomainKind};
use zug_prolog::session::Session;
use zug_render::base::saved;
use zug_render::board::{BoardStyle, draw_in};
use zug_render::certificate::made;
use zug_render::solution;
use zug_render::style::Theme;
use zug_render::tree::file_name;
use zug_search::{Limits, Outcome};
use zug_usecases::base::SaveTo;
use zug_usecases::certificate::CertificateTo;
use zug_usecases::given::GIVEN;
use zug_usecases::record::TermData;
use zug_usecases::solve::{InstanceReport, SolveRequest, solve_loaded, why_one_thread};

/// Other instances that are named in the note about them.
const OTHERS: usize = 8;

/// Runs the command.
pub fn run(args: &SolveArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.limits.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let written = args.save.is_some() || args.certificate.is_some();
    if args.boards.force && args.boards.draw.is_none() && !written {
        fail("arguments", "--force goes with --draw, --save or --certificate");
        return Exit::Usage;
    }
    if let Err(exit) = base::open(&mut session, args.base.db.as_deref()) {
        return exit;
    }
    let kind = Contract::of(&session.machine).kind();
    if let Some(option) = for_puzzles(args, kind) {
        fail("arguments", &format!("{option} is for puzzles, and this file is a game"));
        return Exit::Usage;
    }
    if kind != DomainKind::Model
        && let Some(option) = for_models(args)
    {
        fail(
            "arguments",
            &format!("{option} is for models (`model(Vars)`), and this file is none"),
        );
        return Exit::Usage;
    }
    if kind != DomainKind::Model && Contract::of(&session.machine).has_model() {
        let what = if kind == DomainKind::Puzzle { "puzzle" } else { "game" };
        complain(&format!("the file has a model too; it is solved as a {what}"));
    }
    match kind {
        DomainKind::Model => return model::run(&mut session, args, file, flag),
        DomainKind::Game => return solve_game::run(&mut session, args, file, flag),
        DomainKind::Simultaneous => return nash::solve(&mut session, args, file, flag),
        DomainKind::Puzzle | DomainKind::Program => {}
    }
    if args.player.is_some() {
        fail("arguments", "--player is for games, and this file is none");
        return Exit::Usage;
    }
    if let Err(failure) = args.boards.check() {
        return rules::show_failure(&failure);
    }
    let request = SolveRequest {
        file,
        engine: args.engine.clone(),
        heuristic: args.heuristic.clone(),
        instance: args.instance.clone(),
        state: args.state.clone(),
        every: args.all,
        options: args.parameters.0.clone(),
        limits: limits(&args.limits, flag),
        effort: args.verify.0,
        save: save(args),
        certificate: certificate(args),
        #[cfg(feature = "cluster")]
        cluster: args.cluster.wanted(),
    };
    if let Some(most) = args.all_plans {
        #[cfg(feature = "cluster")]
        if request.cluster.is_some() {
            fail("arguments", "--all-plans is for one worker: leave --workers and --hosts out");
            return Exit::Usage;
        }
        if request.options.symmetry {
            fail(
                "arguments",
                "--all-plans counts every state for itself: it can't go with --symmetry",
            );
            return Exit::Usage;
        }
        return plans::run(&mut session, args, &request, most);
    }
    #[cfg(feature = "cluster")]
    if request.cluster.is_some() && has_base(args) {
        return no_base();
    }
    #[cfg(feature = "cluster")]
    if args.disk.is_some() {
        fail("arguments", "nothing is kept of a search for a plan: --disk is for games here");
        return Exit::Usage;
    }
    let theme = Theme::new(io::colours().0).telling_code(args.tells_code);
    let line = RefCell::new(ProgressLine::new());
    let mut observer = |state: &_| line.borrow_mut().update(state);
    let mut first = true;
    let mut exit = Exit::Success;
    let (mut hopeless, mut shared) = (None, None);
    let each = |found: &InstanceReport, session: &mut Session| {
        line.borrow_mut().clear();
        exit = exit.graver(ended(found));
        shared = Some(found.found.engine);
        let is_seen = found.found.outcome() == Outcome::Exhausted && found.found.no_plan.is_none();
        if is_seen && hopeless.is_none() {
            hopeless = Some(advice(session, found));
        }
        let shown = report_of(
            session,
            |session| found.record(session),
            |session| text(found, session, &theme, (first, args.boards.manner())),
        );
        first = false;
        if let Some(why) = args.save.as_ref().and_then(|_| found.not_kept()) {
            complain(&why);
        }
        if shown != Exit::Success {
            exit = shown;
            return false;
        }
        let states = match found.found.states.as_slice() {
            [] => std::slice::from_ref(&found.found.start),
            states => states,
        };
        let title = format!("{}, {}", file_name(&found.file), found.instance);
        let moves = solution::names(session, found.found.moves());
        let shown = args.boards.show(session, &title, states, &moves);
        exit = exit.graver(shown);
        shown == Exit::Success
    };
    let solved = solve_loaded(&mut session, &request, Some(&mut observer), each);
    line.borrow_mut().clear();
    let _ = session.world.streams.end_query();
    base::note(&session);
    match solved {
        Ok(report) => {
            rules::show_all(&report.findings);
            for advice in hopeless.unwrap_or_default() {
                complain(&advice);
            }
            note_others(&report.others);
            note_threads(&session, &request.limits, shared);
            exit
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// Whether a base is wanted.
#[cfg(feature = "cluster")]
pub fn has_base(args: &SolveArgs) -> bool {
    args.save.is_some() || args.base.db.is_some()
}

/// Says that several workers have no base.
#[cfg(feature = "cluster")]
pub fn no_base() -> Exit {
    fail("arguments", "several workers have no base: leave --save and --db out");
    Exit::Usage
}

/// Where what is found is to be kept.
pub fn save(args: &SolveArgs) -> Option<SaveTo> {
    args.save.clone().map(|path| SaveTo { path, force: args.boards.force })
}

/// Where a certificate is to be written.
pub fn certificate(args: &SolveArgs) -> Option<CertificateTo> {
    args.certificate.clone().map(|path| CertificateTo { path, force: args.boards.force })
}

/// The limits of a search. Memory falls back on what the session may take.
pub fn limits(args: &LimitArgs, flag: &Arc<AtomicBool>) -> Limits {
    let Limits { nodes, depth, threads, .. } = *args.counts;
    Limits { nodes, depth, threads, ..args.rules.limits(flag) }
}

fn text(
    report: &InstanceReport,
    session: &mut Session,
    theme: &Theme,
    (first, manner): (bool, BoardStyle),
) -> String {
    let start = draw_in(session, &report.found.start, manner);
    let end = report.found.states.last().filter(|_| report.found.states.len() > 1);
    let end = end.and_then(|state| draw_in(session, state, manner));
    let (start, end) = match (start, end) {
        // Sentences don't stand beside each other.
        (Some(start), Some(end)) if manner == BoardStyle::Sentences => {
            (Some(format!("from\n{start}to\n{end}")), None)
        }
        boards => boards,
    };
    let mut text = solution::text(report, session, (start.as_deref(), end.as_deref()), theme);
    if let Some(kept) = &report.saved {
        text += &saved(kept, "state");
    }
    if let Some(certificate) = &report.certificate {
        text += &made(certificate);
    }
    if first { text } else { format!("\n{text}") }
}

/// An option that was given for a game and says something of puzzles only.
fn for_puzzles(args: &SolveArgs, kind: DomainKind) -> Option<&'static str> {
    let at_once = kind == DomainKind::Simultaneous;
    if kind != DomainKind::Game && !at_once {
        return None;
    }
    let given = [
        ("--all-plans", args.all_plans.is_some()),
        ("--heuristic", args.heuristic.is_some()),
        ("--all", args.all && !at_once),
        #[cfg(feature = "cluster")]
        ("--workers, as --hosts,", at_once && args.cluster.wanted().is_some()),
    ];
    given.into_iter().find_map(|(option, given)| given.then_some(option))
}

/// An option that was given and says something of models only.
fn for_models(args: &SolveArgs) -> Option<&'static str> {
    let given = [
        ("--all-solutions", args.all_solutions.is_some()),
        ("--unique", args.unique),
        ("--label", args.labelling.0 != Labelling::default()),
    ];
    given.into_iter().find_map(|(option, given)| given.then_some(option))
}

/// The commands that show why there is no solution, and how near it comes where there is more than the start.
fn advice(session: &Session, report: &InstanceReport) -> Vec<String> {
    let why = format!("to see why: {}", why_not(session, report, "solvable", ""));
    let near = why_not(session, report, report.found.engine, "P, C");
    let near = format!("to see how near it comes: {near}");
    if report.found.stats.expanded > 1 { vec![why, near] } else { vec![why] }
}

/// The command that shows why a predicate of a start, with these arguments behind it, fails.
fn why_not(session: &Session, report: &InstanceReport, predicate: &str, more: &str) -> String {
    let name = &report.instance;
    let call = |start: &str| match (start, more) {
        ("", "") => format!("why_not({predicate})"),
        ("", more) => format!("why_not({predicate}({more}))"),
        (start, "") => format!("why_not({predicate}({start}))"),
        (start, more) => format!("why_not({predicate}({start}, {more}))"),
    };
    let goal = match (report.named, report.has_name) {
        _ if name == GIVEN => call(&TermData::text_of(session, &report.found.start)),
        (false, _) => call(""),
        (true, true) => format!("initial_state({name}, S), {}", call("S")),
        // One of several without names is known by its number.
        (true, false) => {
            format!("findall(I, initial_state(I), L), nth1({name}, L, S), {}", call("S"))
        }
    };
    format!("zug query {} '{}'", zug_term::source::word(&report.file), goal.replace('\'', "'\\''"))
}

/// Tells why one thread did what several were to do; an enumeration has no engine.
pub(super) fn note_threads(session: &Session, limits: &Limits, engine: Option<&str>) {
    if let Some(why) = why_one_thread(session, limits, engine) {
        complain(&why);
    }
}

pub(super) fn note_others(others: &[String]) {
    if others.is_empty() {
        return;
    }
    let mut names = others[..others.len().min(OTHERS)].join(", ");
    if others.len() > OTHERS {
        names += ", …";
    }
    let (number, verb) = match others.len() {
        1 => ("another instance".to_owned(), "was"),
        n => (format!("{n} other instances"), "were"),
    };
    complain(&format!("{number} {verb} not tried: {names} (--instance NAME, or --all)"));
}
