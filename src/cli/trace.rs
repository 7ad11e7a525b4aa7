//! `zug trace` and `zug profile`: what a goal does while it runs.

use super::misuse::in_order;
use super::trace_args::{ProfileArgs, TraceArgs, TraceFormat};
use super::{Exit, complain, emit, io, output, print, report as tell_report, rules, stopped_run};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_machine::Fault;
use zug_prolog::builtins::tracer::tree::TreeOptions;
use zug_prolog::session::Session;
use zug_render::style::Theme;
use zug_render::uncaught::uncaught;
use zug_render::{profile, trace};
use zug_usecases::record;

/// Runs `zug trace`.
pub fn run_trace(args: &TraceArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.out.as_deref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    if let Err(exit) = in_order("trace", &args.goal.file, Some(&args.goal.goal)) {
        return exit;
    }
    let (file, mut session) =
        match rules::open(&args.goal.file, &args.goal.terms(Specialise::Off), flag) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
    let predicates = match zug_usecases::trace::predicates(&mut session, &args.predicate) {
        Ok(predicates) => predicates,
        Err(failure) => return rules::show_failure(&failure),
    };
    let options = TreeOptions {
        predicates,
        depth: args.depth.unwrap_or(u32::MAX),
        calls: usize::try_from(args.calls).unwrap_or(usize::MAX),
        builtins: args.builtins,
    };
    session.allow(&args.goal.terms(Specialise::Off).allowance);
    let watched =
        zug_usecases::trace::trace(&mut session, &args.goal.goal, options, args.goal.answers());
    let watched = match watched {
        Ok(watched) => watched,
        Err(failure) => return rules::show_failure(&failure),
    };
    let tree = &watched.report;
    let goal = args.goal.goal.trim().trim_end_matches('.').trim_end();
    let colour = args.out.is_none() && io::colours().0;
    let file = file.display().to_string();
    let data = GoalReport { file: &file, goal, report: tree };
    let shown = match args.format {
        TraceFormat::Json | TraceFormat::Jsonl if args.out.is_none() => {
            let _ = session.world.streams.end_query();
            tell_report(&data, String::new)
        }
        format => {
            let text = match format {
                TraceFormat::Text => trace::text(tree, args.lines, &Theme::new(colour)),
                TraceFormat::Html => trace::html(tree, goal, &file),
                TraceFormat::Json | TraceFormat::Jsonl => record::line("result", &data) + "\n",
            };
            show(&mut session, &text, args.out.as_deref(), args.force)
        }
    };
    ended(&mut session, watched.fault, watched.answers, shown)
}

/// Runs `zug profile`.
pub fn run_profile(args: &ProfileArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.flame.as_deref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    if let Err(exit) = in_order("profile", &args.goal.file, Some(&args.goal.goal)) {
        return exit;
    }
    let opened = rules::open(&args.goal.file, &args.goal.terms(args.code.mode()), flag);
    let (file, mut session) = match opened {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    session.allow(&args.goal.terms(Specialise::Off).allowance);
    let goal = args.goal.goal.trim().trim_end_matches('.').trim_end();
    let every = args.every.map(std::num::NonZeroU32::get);
    let watched =
        zug_usecases::trace::profile(&mut session, &args.goal.goal, every, args.goal.answers());
    let watched = match watched {
        Ok(watched) => watched,
        Err(failure) => return rules::show_failure(&failure),
    };
    let Some(report) = &watched.report else { return Exit::Error };
    let _ = session.world.streams.end_query();
    let data = GoalReport { file: &file.display().to_string(), goal, report };
    let mut shown = tell_report(&data, || profile::text(report, &Theme::new(io::colours().0)));
    if let Some(path) = &args.flame {
        let picture = profile::flame(report, goal);
        if let Err(failure) = output::write(path, picture.as_bytes(), args.force) {
            shown = rules::show_failure(&failure);
        } else {
            complain(&format!("wrote {}", path.display()));
        }
    }
    ended(&mut session, watched.fault, watched.answers, shown)
}

/// A report of a goal, for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct GoalReport<'a, R> {
    /// The rule file.
    file: &'a str,
    /// The goal, as it was typed.
    goal: &'a str,
    #[serde(flatten)]
    report: &'a R,
}

/// Shows a result behind what the program wrote, or writes it to a file.
fn show(session: &mut Session, text: &str, out: Option<&Path>, force: bool) -> Exit {
    let _ = session.world.streams.end_query();
    let Some(path) = out else { return print(text) };
    match output::write(path, text.as_bytes(), force) {
        Ok(()) => {
            complain(&format!("wrote {}", path.display()));
            Exit::Success
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// How the command ends: as `zug query` does.
fn ended(session: &mut Session, fault: Option<Fault>, answers: usize, shown: Exit) -> Exit {
    emit::answers(answers as u64);
    let exit = match fault {
        None if answers > 0 => Exit::Success,
        None => Exit::Failure,
        Some(Fault::Halt(status)) => Exit::Halt(status),
        Some(Fault::Ball(ball)) => {
            rules::show_error(&uncaught(session, &ball));
            rules::uncaught_end(session, &Fault::Ball(ball))
        }
        Some(Fault::Stopped(reason)) => {
            let exit = stopped_run(reason);
            if exit == Exit::Interrupted {
                complain("interrupted: this is what had been done by then");
            } else {
                let more = rules::more(reason);
                complain(&format!("{reason}: this is what had been done by then{more}"));
            }
            exit
        }
    };
    session.run_at_halt();
    let _ = session.world.streams.end_query();
    if shown == Exit::Success { exit } else { shown }
}
