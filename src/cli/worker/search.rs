//! Searches: plans and values, engines beside each other, trees.

use super::Desk;
use super::board::{Board, Painter};
use super::question::{At, Compare, Tree};
use super::reply::End;
use serde::Serialize;
use std::time::Instant;
use zug_domain::judge::{self, ComparisonProgress};
use zug_domain::{DomainKind, canonical_text};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_render::board::BoardStyle;
use zug_render::found::text;
use zug_render::style::Theme;
use zug_render::tree::{LabelKind, TreeOutput, View, labels, written};
use zug_report::Number;
use zug_search::{Limits, StopReason};
use zug_term::Record;
use zug_usecases::Failure;
use zug_usecases::compare::{CompareReport, CompareRequest, compare_loaded};
use zug_usecases::exit::{CommandResult, Exit};
use zug_usecases::record::Progress;
use zug_usecases::solve::{Found as Solved, SolveEvent, SolveRequest, solve as solved};
use zug_usecases::tree::{
    ALL_NODES, Form, MOST_UNFOLDED, TreeReport, TreeRequest, tree as find_tree,
};

/// Expansions after which a tree is shown for the first time, while the search goes on.
const FIRST_NODES: u64 = 40;
/// By how much each tree that is shown then is larger than the one before.
const GROWTH: u64 = 8;

/// What a search found.
#[derive(Serialize)]
struct Found {
    /// `solved`, `exhausted` or `stopped`.
    outcome: &'static str,
    /// The report for people.
    text: String,
    /// The states of the plan, or of best play.
    frames: Vec<Frame>,
    /// What a plan costs.
    cost: Option<Number>,
}

/// A state on the way.
#[derive(Serialize)]
struct Frame {
    /// The move that leads to it.
    #[serde(rename = "move")]
    mv: Option<String>,
    state: String,
    board: Option<Board>,
}

/// A tree as a page of its own.
#[derive(Serialize)]
struct TreePage {
    html: String,
    /// What is below the picture.
    remarks: Vec<String>,
    /// The search goes on, and a larger tree comes.
    partial: bool,
    nodes: usize,
}

/// States and the moves between them.
fn frames(session: &mut Session, states: &[Record], moves: &[Record]) -> Vec<Frame> {
    // A stop was for the search, not for its pictures.
    session.machine.interrupt.store(false, std::sync::atomic::Ordering::Relaxed);
    let mut painter = Painter::default();
    let mut all = Vec::with_capacity(states.len());
    for (number, state) in states.iter().enumerate() {
        let board = painter.board(session, state);
        let (m, w) = (&session.machine, &session.world);
        let mv = number.checked_sub(1).and_then(|before| moves.get(before));
        let mv = mv.map(|mv| term_text(m, w, mv));
        all.push(Frame { mv, state: canonical_text(m, w, state), board });
    }
    all
}

/// Solves what there is to solve.
pub fn solve(
    desk: &Desk,
    at: &At,
    engine: Option<&str>,
    heuristic: Option<&str>,
    depth: Option<u32>,
) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    let kind = contract.kind();
    let request = SolveRequest {
        file: desk.file(),
        engine: engine.filter(|_| kind != DomainKind::Simultaneous).map(str::to_owned),
        heuristic: heuristic.map(str::to_owned),
        instance: at.instance.clone().filter(|_| at.state.is_none()),
        state: at.state.clone(),
        player: at.player.clone(),
        boards: true,
        limits: Limits { depth: depth.filter(|_| kind != DomainKind::Model), ..desk.limits() },
        ..SolveRequest::default()
    };
    let mut observer = |event: SolveEvent<'_>| match event {
        SolveEvent::Path(state) => desk.reply.progress(|| state.into()),
        SolveEvent::Game(state) => desk.reply.progress(|| state.into()),
        SolveEvent::Better(_) => {}
    };
    // The page shows the boards of plans and of best play by itself.
    let style = (kind == DomainKind::Model).then_some(BoardStyle::Printed);
    let mut each = |found: &Solved, session: &mut Session| {
        let text = text(found, session, style, &Theme::new(false));
        let (frames, cost) = match found {
            Solved::Plan(report) => {
                let found = &report.found;
                (frames(session, &found.states, found.moves()), found.cost.clone())
            }
            Solved::Value(report) => {
                let states = std::iter::once(&report.found.state).chain(&report.states).cloned();
                (frames(session, &states.collect::<Vec<_>>(), &report.found.line), None)
            }
            _ => (Vec::new(), None),
        };
        let outcome = match (found, found.limit(), found.exit()) {
            (_, Some(_), _) => "stopped",
            (Solved::Plan(_) | Solved::Model(_), None, Exit::Failure) => "exhausted",
            _ => "solved",
        };
        desk.reply.record("found", &Found { outcome, text, frames, cost });
        true
    };
    let report = solved(&mut session, &request, Some(&mut observer), &mut each)?;
    Ok(End::done().with(&report.findings))
}

/// Runs engines beside each other.
pub fn compare(desk: &Desk, asked: &Compare) -> Result<End, Failure> {
    let (mut session, _) = desk.domain()?;
    let instance = asked.at.instance.clone().filter(|_| asked.at.state.is_none());
    let request = CompareRequest {
        file: desk.file(),
        engines: asked.engines.clone(),
        instances: instance.into_iter().collect(),
        state: asked.at.state.clone(),
        random: asked.random.min(100),
        limits: Limits {
            nodes: asked.nodes,
            time: Some(judge::TIME.min(desk.time())),
            ..desk.limits()
        },
        ..CompareRequest::default()
    };
    let began = Instant::now();
    let mut watch = |standing: &ComparisonProgress<'_>| {
        desk.reply.progress(|| Progress::compared(standing, began.elapsed()));
    };
    let report: CompareReport = compare_loaded(&mut session, &request, &mut watch)?;
    desk.reply.record("compared", &report);
    Ok(End::done())
}

/// Draws the tree of a search, while it is small and again whenever it has grown.
pub fn tree(desk: &Desk, asked: &Tree) -> Result<End, Failure> {
    let (mut session, _) = desk.domain()?;
    let most = asked.nodes.unwrap_or(MOST_UNFOLDED).clamp(1, ALL_NODES);
    let mut request = TreeRequest {
        file: desk.file(),
        engine: asked.engine.clone(),
        heuristic: asked.heuristic.clone(),
        instance: asked.at.instance.clone().filter(|_| asked.at.state.is_none()),
        player: asked.at.player.clone(),
        state: asked.at.state.clone(),
        limits: Limits { depth: asked.depth, ..desk.limits() },
        form: if asked.graph { Form::Graph } else { Form::Full },
        max_nodes: Some(most),
        ..TreeRequest::default()
    };
    let mut nodes = FIRST_NODES;
    while request.engine.is_some() && nodes < most as u64 && !desk.is_stopped() {
        request.limits.nodes = Some(nodes);
        let mut report = find_tree(&mut session, &request)?;
        let grows = report.stopped == Some(StopReason::Nodes);
        show(desk, &mut session, &mut report, grows)?;
        if !grows {
            return Ok(End::done());
        }
        nodes *= GROWTH;
    }
    request.limits.nodes = None;
    let mut report = find_tree(&mut session, &request)?;
    show(desk, &mut session, &mut report, false)?;
    Ok(End::done())
}

fn show(
    desk: &Desk,
    session: &mut Session,
    report: &mut TreeReport,
    partial: bool,
) -> Result<(), Failure> {
    // Advice on options is for the command line.
    report.remarks.retain(|remark| !remark.starts_with("--"));
    let labels = labels(session, report, LabelKind::Board);
    let theme = Theme::new(false);
    let output = written(report, &labels, TreeOutput::Html, &theme, View::default());
    let output = output.map_err(Failure::Players)?;
    let page = TreePage {
        html: String::from_utf8_lossy(&output.bytes).into_owned(),
        remarks: output.remarks,
        partial,
        nodes: report.nodes.len(),
    };
    desk.reply.record("page", &page);
    Ok(())
}
