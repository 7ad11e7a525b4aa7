//! `zug solve` of a model.

use super::args::SolveArgs;
use super::progress::ProgressLine;
use super::solve::{certificate, limits, note_others};
use super::{Exit, emit, ended, fail, io, print, report_of, rules};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_domain::model::{Improvement, SolutionsWanted};
use zug_domain::{Contract, Effort};
use zug_prolog::session::Session;
use zug_render::board::printed_by;
use zug_render::explain::explanation;
use zug_render::model as render;
use zug_render::style::Theme;
use zug_report::round_seconds;
use zug_search::Options;
use zug_search::game::Sampling;
use zug_search::progress::{ProgressEvent, set_listener};
use zug_usecases::model::{ModelReport, ModelRequest, solve_models};
use zug_usecases::record::Progress;

/// Runs the command, with the rules loaded.
pub fn run(session: &mut Session, args: &SolveArgs, file: PathBuf, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(option) = not_for_models(args) {
        fail("arguments", &format!("{option} is not for models, and this file is one"));
        return Exit::Usage;
    }
    let wanted = match (args.all_solutions, args.unique) {
        (Some(_), _) => SolutionsWanted::All,
        (None, true) => SolutionsWanted::Second,
        (None, false) => SolutionsWanted::One,
    };
    let shown = match wanted {
        SolutionsWanted::Second => 2,
        _ => args.all_solutions.unwrap_or(1),
    };
    let request = ModelRequest {
        file,
        instance: args.instance.clone(),
        every: args.all,
        labelling: args.labelling.0,
        wanted,
        shown,
        limits: limits(&args.limits, flag),
        certificate: certificate(args),
    };
    let theme = Theme::new(io::colours().0);
    let display = Contract::of(&session.machine);
    let display = display.print_model.or(display.print_state);
    let line = Rc::new(RefCell::new(ProgressLine::new()));
    let best: Rc<RefCell<Option<String>>> = Rc::default();
    watch(&line, &best);
    let mut observer = |better: &Improvement| {
        *best.borrow_mut() = Some(better.value.clone());
        line.borrow_mut().show(
            better.elapsed,
            || render::progress(Some(&better.value), better.nodes, better.elapsed),
            || Progress {
                elapsed_seconds: round_seconds(better.elapsed),
                nodes: Some(better.nodes),
                best: Some(better.value.clone()),
                ..Progress::default()
            },
        );
    };
    let (mut first, mut exit) = (true, Exit::Success);
    let each = |report: &ModelReport, session: &mut Session| {
        line.borrow_mut().clear();
        best.borrow_mut().take();
        exit = exit.graver(ended(report));
        if !first && !emit::is_open() {
            let _ = print("\n");
        }
        first = false;
        let written = if emit::is_open() {
            let plain = Theme::new(false);
            let conflict = report.conflict.iter().map(|found| {
                let shown = explanation(session, found, "", &plain);
                shown.full.unwrap_or(shown.text)
            });
            let conflict = conflict.collect();
            report_of(session, |session| report.record(session, conflict), |_| String::new())
        } else {
            report_of(
                session,
                |session| report.record(session, Vec::new()),
                |session| {
                    let solutions = report.found.solutions.iter();
                    let printed: Vec<Option<String>> =
                        solutions.map(|one| printed_by(session, display?, &one.list)).collect();
                    render::text(report, session, &printed, &theme)
                },
            )
        };
        if written != Exit::Success {
            exit = written;
        }
        written == Exit::Success
    };
    let solved = solve_models(session, &request, Some(&mut observer), each);
    set_listener(None);
    line.borrow_mut().clear();
    let _ = session.world.streams.end_query();
    match solved {
        Ok(others) => {
            note_others(&others);
            exit
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// Shows how far the search is that runs in this thread.
fn watch(line: &Rc<RefCell<ProgressLine>>, best: &Rc<RefCell<Option<String>>>) {
    let (line, best) = (line.clone(), best.clone());
    set_listener(Some(Box::new(move |event| {
        let ProgressEvent::Counted(work) = event else { return };
        let best = best.borrow().clone();
        line.borrow_mut().show(
            work.elapsed,
            || render::progress(best.as_deref(), work.done, work.elapsed),
            || Progress {
                elapsed_seconds: round_seconds(work.elapsed),
                nodes: Some(work.done),
                best: best.clone(),
                ..Progress::default()
            },
        );
    })));
}

/// An option that was given for a model and says something of states and moves only.
fn not_for_models(args: &SolveArgs) -> Option<&'static str> {
    let given = [
        ("--engine", args.engine.is_some()),
        ("--player", args.player.is_some()),
        ("--state", args.state.is_some()),
        ("--heuristic", args.heuristic.is_some()),
        ("--all-plans (for models there is --all-solutions)", args.all_plans.is_some()),
        ("--depth", args.limits.counts.depth.is_some()),
        ("--threads", args.limits.counts.threads() > 1),
        ("--symmetry", args.parameters.symmetry),
        ("a parameter of engines, as --weight,", args.parameters.0 != Options::default()),
        ("--verify", args.verify.0 != Effort::default()),
        ("--seed", args.sampling.0 != Sampling::default()),
        ("--save, as --db,", args.save.is_some() || args.base.db.is_some()),
        ("--boards, as --step and --draw,", args.boards.wants_states()),
        #[cfg(feature = "cluster")]
        ("--workers, as --hosts,", args.cluster.wanted().is_some()),
    ];
    given.into_iter().find_map(|(option, given)| given.then_some(option))
}
