//! Queries, and what `zug check` finds.

use super::board::{Board, Painter};
use super::question::At;
use super::reply::End;
use super::{BRIEFLY, Desk};
use serde::Serialize;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use zug_code::Specialise;
use zug_domain::{Contract, DomainKind, choose_start};
use zug_explain::{Explanation, ProofLine, take_explanations};
use zug_machine::{Fault, StopReason};
use zug_prolog::session::{Allowance, Query, Session};
use zug_render::answer::{Answer, Layout, answer};
use zug_render::uncaught::uncaught;
use zug_usecases::record::{Bindings, ErrorData, Finding, stop_of};
use zug_usecases::{self, Failure};

/// How often a stop is looked for while nobody asks for more.
const POLL: Duration = Duration::from_millis(50);
/// Lines of a proof that are told.
const LINES: usize = 2000;

/// An answer.
#[derive(Serialize)]
struct AnswerData {
    number: u64,
    /// The bindings in words, cut short where they are long.
    text: String,
    /// The same in full, if they were cut.
    full: Option<String>,
    bindings: Bindings,
    /// There may be another one.
    more: bool,
}

/// What `why/1` or `why_not/1` found.
#[derive(Serialize)]
struct ExplanationData {
    title: String,
    proof: Vec<ProofData>,
    /// Lines that were left out.
    omitted: usize,
    findings: Vec<Finding>,
    /// The state that it is about.
    state: Option<String>,
    board: Option<Board>,
    notes: Vec<String>,
}

/// A goal of a proof.
#[derive(Serialize)]
struct ProofData {
    depth: usize,
    goal: String,
    /// The file and the line of the clause.
    place: Option<(String, u32)>,
    variables: Vec<(String, String)>,
    remark: &'static str,
}

impl From<&ProofLine> for ProofData {
    fn from(line: &ProofLine) -> ProofData {
        let place = line.place.as_ref();
        let place =
            place.map(|(source, span)| (source.name.to_string(), source.position(span.start).line));
        ProofData {
            depth: line.depth,
            goal: line.goal.clone(),
            place,
            variables: line.variables.clone(),
            remark: line.remark,
        }
    }
}

fn explanation(session: &mut Session, found: &Explanation) -> ExplanationData {
    let board = found.state.as_ref();
    let board = board.and_then(|(state, _)| Painter::default().board(session, state));
    ExplanationData {
        title: found.title.clone(),
        proof: found.proof.iter().take(LINES).map(ProofData::from).collect(),
        omitted: found.proof.len().saturating_sub(LINES),
        findings: found.findings.iter().map(Finding::from).collect(),
        state: found.state.as_ref().map(|(_, text)| text.clone()),
        board,
        notes: found.notes.clone(),
    }
}

/// Has goals without a start begin where the board is.
fn begin_at(session: &mut Session, contract: &Contract, at: &At) -> Result<(), Failure> {
    let (instance, state) = (at.instance.as_deref(), at.state.as_deref());
    let instance = instance.filter(|_| state.is_none());
    let starts = zug_usecases::given::starts(session, contract, instance, state)?;
    let player = at.player.as_deref();
    let player = player.map(|name| zug_usecases::given::term(session, "player", name));
    if let Some(start) = starts.into_iter().next() {
        choose_start(&mut session.world, start.instance.state, player.transpose()?);
    }
    Ok(())
}

/// Answers a query, each answer when it is asked for.
pub fn query(desk: &Desk, at: &At, goal: &str) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    let has_starts = !matches!(contract.kind(), DomainKind::Model | DomainKind::Program);
    // A query may be about what is wrong with the start.
    let is_chosen = has_starts && (at.instance.is_some() || at.state.is_some());
    let is_elsewhere = is_chosen && begin_at(&mut session, &contract, at).is_err();
    let mut query = session.query(goal).map_err(|fault| Failure::UnreadableTerm("goal", fault))?;
    let mut ended = answers(desk, &mut session, &mut query);
    if is_elsewhere {
        ended.notes.push("the state on the board is none of these rules: goals without a start begin in an initial state".to_owned());
    }
    session.close(query);
    let _ = session.world.streams.end_query();
    Ok(ended)
}

fn answers(desk: &Desk, session: &mut Session, query: &mut Query) -> End {
    let allowance = Allowance { time: Some(desk.time()), ..desk.terms.allowance };
    for number in 1.. {
        session.allow(&allowance);
        let found = session.next(query);
        let _ = session.world.streams.flush_standard();
        match found {
            Ok(true) => {
                let Answer { text, full, .. } =
                    answer(session, query, Layout::Cut { advice: "shown in full on request" });
                let bindings = match Bindings::of(session, query, 1 << 20) {
                    Ok(bindings) => bindings,
                    Err(reason) => {
                        let reason = stop_of(reason).unwrap_or(StopReason::Time);
                        return raised(session, Fault::Stopped(reason));
                    }
                };
                let more = session.has_more(query);
                explain(desk, session);
                desk.reply.record("answer", &AnswerData { number, text, full, bindings, more });
                if !more {
                    break;
                }
                if !is_more_wanted(desk) {
                    return End { outcome: "interrupted", ..End::default() };
                }
            }
            Ok(false) => {
                explain(desk, session);
                break;
            }
            Err(fault) => {
                explain(desk, session);
                return raised(session, fault);
            }
        }
    }
    End::done()
}

/// Waits until the next answer is wanted; whether it is.
fn is_more_wanted(desk: &Desk) -> bool {
    loop {
        match desk.words.recv_timeout(POLL) {
            Ok(()) => return true,
            Err(RecvTimeoutError::Timeout) if !desk.is_stopped() => {}
            Err(_) => return false,
        }
    }
}

fn explain(desk: &Desk, session: &mut Session) {
    for found in take_explanations(&mut session.world) {
        let data = explanation(session, &found);
        desk.reply.record("explanation", &data);
    }
}

/// The end of a query that nothing caught.
fn raised(session: &mut Session, fault: Fault) -> End {
    match fault {
        Fault::Halt(status) => {
            End { notes: vec![format!("the rules called halt({status})")], ..End::done() }
        }
        Fault::Stopped(reason) => End {
            outcome: "stopped",
            error: Some(ErrorData::new("stopped", reason.to_string())),
            ..End::default()
        },
        Fault::Ball(ball) => {
            let error = uncaught(session, &ball);
            End::error(ErrorData {
                finding: Some(Finding::from(&error.diagnostic)),
                calls: error.calls.clone(),
                ..ErrorData::new("uncaught", error.diagnostic.message.clone())
            })
        }
    }
}

/// Says what `zug check` finds.
pub fn check(desk: &Desk) -> Result<End, Failure> {
    let mut session = desk.session(Specialise::Off);
    zug_domain::set_asking_time(&mut session.world, Some(desk.time().min(BRIEFLY)));
    let file = desk.file();
    let checked = zug_usecases::check::check(&mut session, &file, true)?;
    let _ = session.world.streams.end_query();
    desk.reply.record("checked", &zug_usecases::check::report(&file, &checked));
    Ok(End::done())
}
