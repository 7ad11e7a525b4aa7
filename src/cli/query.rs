//! `zug query`: all answers to a goal, one a line.

use super::args::{CodeArgs, Format};
use super::base::BaseArgs;
use super::rule_args::TimedArgs;
use super::rules::in_order;
use super::{Exit, base, complain, emit, io, rules, stopped_run};
use clap::Args;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_domain::model::labelling_steps;
use zug_domain::take_journal;
use zug_explain::{has_explanations, take_explanations};
use zug_machine::{Fault, StopReason};
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::{Query, Session};
use zug_render::answer::{Answer, Layout, answer};
use zug_render::explain::explanation;
use zug_render::model::labelled;
use zug_render::style::Theme;
use zug_render::uncaught::uncaught;
use zug_usecases::Failure;
use zug_usecases::record::{Bindings, TermData, stop_of};

/// `zug query`.
#[derive(Args, Debug)]
pub struct QueryArgs {
    /// The rule file
    pub file: PathBuf,
    /// The goal, as 'member(X, [1,2,3])'; the full stop may be left out
    #[arg(allow_hyphen_values = true)]
    pub goal: String,
    /// Show at most this many answers
    #[arg(short = 'n', long = "answers", value_name = "N")]
    pub answers: Option<NonZeroUsize>,
    /// How to print the answers
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// Runs the command.
pub fn run(args: &QueryArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Err(exit) = in_order("query", &args.file, Some(&args.goal)) {
        return exit;
    }
    let file = match rules::find(&args.file) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let terms = args.rules.terms(args.code.mode());
    // Its time is for file and goal together.
    let mut session = rules::within(&terms, &file, flag);
    if let Err(exit) = rules::load(&mut session, &file) {
        return exit;
    }
    if let Err(exit) = base::open(&mut session, args.base.db.as_deref()) {
        return exit;
    }
    let mut query = match session.query(&args.goal) {
        Ok(query) => query,
        Err(fault) => {
            return rules::show_failure(&Failure::UnreadableTerm("goal", fault));
        }
    };
    let most = args.answers.map_or(usize::MAX, usize::from);
    emit::answers(0);
    let exit = answers(&mut session, &mut query, most);
    // What was found in files that the goal has loaded.
    for finding in session.world.loader.take_diagnostics() {
        rules::show(&finding);
    }
    session.close(query);
    base::note(&session);
    session.run_at_halt();
    match session.world.streams.end_query() {
        Ok(()) => exit,
        Err(_) => Exit::Error,
    }
}

fn answers(session: &mut Session, query: &mut Query, most: usize) -> Exit {
    let mut found = 0;
    loop {
        match session.next(query) {
            Ok(true) => {}
            Ok(false) if found > 0 => return Exit::Success,
            Ok(false) if emit::is_open() => {
                let explanations = explanations(session);
                if !explanations.is_empty() {
                    emit::record("result", &Explained { explanations });
                }
                return Exit::Failure;
            }
            Ok(false) => {
                say(session, "false\n");
                explain(session);
                remark(session);
                return Exit::Failure;
            }
            Err(fault) => {
                if !emit::is_open() {
                    explain(session);
                }
                return ended(session, fault, found);
            }
        }
        found += 1;
        emit::answers(found as u64);
        if emit::is_open() {
            let _ = session.world.streams.flush(USER_OUTPUT);
            let (bindings, goals) = match Bindings::with_goals(session, query, usize::MAX) {
                Ok(written) => written,
                Err(reason) => {
                    return match stop_of(reason) {
                        Some(reason) => ended(session, Fault::Stopped(reason), found),
                        None => no_room(),
                    };
                }
            };
            let data = AnswerRecord {
                number: found as u64,
                bindings,
                goals,
                more: session.has_more(query),
                explanations: explanations(session),
                conditions: conditions(session),
            };
            emit::record("answer", &data);
            if let Some(exit) = emit::full() {
                return exit;
            }
            if found == most || !data.more {
                return Exit::Success;
            }
            continue;
        }
        let Answer { text, broken, .. } = answer(session, query, Layout::Line);
        // An explanation says more than that its goal is true.
        if text != "true" || !has_explanations(&session.world) {
            say(session, &format!("{text}\n"));
        }
        explain(session);
        remark(session);
        if let Some(reason) = stopped(session) {
            return ended(session, Fault::Stopped(reason), found);
        }
        if broken {
            let _ = session.world.streams.flush_standard();
            return no_room();
        }
        // Whoever reads along sees each answer when it is found.
        let _ = session.world.streams.flush(USER_OUTPUT);
        if found == most || !session.has_more(query) {
            return Exit::Success;
        }
    }
}

fn no_room() -> Exit {
    emit::reason("memory");
    complain("there is no memory to write all of this answer (`--memory` gives more)");
    Exit::Limit
}

/// Whether a limit was met while an answer was written.
fn stopped(session: &Session) -> Option<StopReason> {
    let over = session.world.streams.may_emit(USER_OUTPUT) == 0;
    session.machine.stop_reason().or(over.then_some(StopReason::Output))
}

/// An answer for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct AnswerRecord {
    /// The number of the answer, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    number: u64,
    /// The values of the variables of the goal.
    bindings: Bindings,
    /// Goals that wait for variables in these values, and what else is known about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    goals: Vec<TermData>,
    /// There may be another one.
    more: bool,
    /// What `why/1` and `why_not/1` found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanations: Vec<String>,
    /// What has to be so for answers about games to hold: rules seem to depend on more than the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<String>,
}

/// Why a goal has no answer, for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Explained {
    /// What `why/1` and `why_not/1` found.
    explanations: Vec<String>,
}

/// What has to be so for what was said about games since the last answer.
fn conditions(session: &mut Session) -> Vec<String> {
    let journal = take_journal(&mut session.world);
    journal.conditions_of_games().iter().map(|condition| condition.replace('`', "")).collect()
}

/// What `why/1` and `why_not/1` found, in full.
fn explanations(session: &mut Session) -> Vec<String> {
    let theme = Theme::new(false);
    let found = take_explanations(&mut session.world).into_iter();
    found
        .map(|found| {
            let shown = explanation(session, &found, "", &theme);
            shown.full.unwrap_or(shown.text)
        })
        .collect()
}

/// Writes what `why/1` and `why_not/1` found, all of it.
fn explain(session: &mut Session) {
    let theme = Theme::new(io::colours().0);
    for found in take_explanations(&mut session.world) {
        let shown = explanation(session, &found, "", &theme);
        say(session, &shown.full.unwrap_or(shown.text));
    }
}

/// Says on what answers about games rest.
fn remark(session: &mut Session) {
    let journal = take_journal(&mut session.world);
    for condition in journal.conditions_of_games() {
        complain(&format!("note: this holds if {condition}"));
    }
}

/// Writes a line of the result, on a line of its own.
fn say(session: &mut Session, text: &str) {
    let streams = &mut session.world.streams;
    if streams.column(USER_OUTPUT) > 0 {
        let _ = streams.emit(USER_OUTPUT, "\n");
    }
    // An output that fails is noticed when it is flushed at the end.
    let _ = streams.emit(USER_OUTPUT, text);
}

fn ended(session: &mut Session, fault: Fault, found: usize) -> Exit {
    let _ = session.world.streams.flush_standard();
    match fault {
        Fault::Halt(status) => Exit::Halt(status),
        Fault::Ball(ball) => {
            for finding in session.world.loader.take_diagnostics() {
                rules::show(&finding);
            }
            rules::show_error(&uncaught(session, &ball));
            rules::uncaught_end(session, &Fault::Ball(ball))
        }
        Fault::Stopped(reason) => {
            let exit = stopped_run(reason);
            let searched = labelled(labelling_steps(&session.world));
            if exit != Exit::Interrupted {
                let left = if found > 0 {
                    "there may be more answers"
                } else {
                    "whether there is an answer is open"
                };
                complain(&format!("{reason}{searched}; {left}{}", rules::more(reason)));
                return exit;
            }
            let machine = &session.machine;
            let place = machine
                .interrupted_in
                .map(|pred| machine.program.indicator(pred, &machine.symbols))
                .filter(|name| !name.starts_with('$'));
            complain(&format!(
                "interrupted{}{searched}",
                place.map_or(String::new(), |name| format!(" in {name}"))
            ));
            exit
        }
    }
}
