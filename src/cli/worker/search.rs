//! Searches: plans and values, engines beside each other, trees.

use super::Desk;
use super::board::{Board, Painter};
use super::question::{At, Compare, Tree};
use super::reply::End;
use serde::Serialize;
use std::time::Instant;
use zug_domain::judge::{self, ComparisonProgress};
use zug_domain::model::SolutionsWanted;
use zug_domain::{DomainKind, canonical_text};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_render::explain::explanation;
use zug_render::style::Theme;
use zug_render::tree::{LabelKind, TreeOutput, View, labels, written};
use zug_render::{board, game, model, nash, solution};
use zug_report::Number;
use zug_search::game::GameProgress;
use zug_search::{Limits, Outcome, StopReason};
use zug_term::Record;
use zug_usecases::Failure;
use zug_usecases::compare::{CompareReport, CompareRequest, compare_loaded};
use zug_usecases::exit::CommandResult;
use zug_usecases::model::{ModelReport, ModelRequest, solve_models};
use zug_usecases::nash::{NashRequest, nash as find_nash};
use zug_usecases::record::Progress;
use zug_usecases::solve::{InstanceReport, SolveRequest, solve_loaded};
use zug_usecases::solve_game::{GameReport, GameRequest, solve_game};
use zug_usecases::tree::{
    ALL_NODES, Form, MOST_UNFOLDED, TreeReport, TreeRequest, tree as find_tree,
};

/// Solutions of a model that are shown.
const SOLUTIONS: usize = 10;
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

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Exhausted => "exhausted",
        Outcome::Stopped(_) => "stopped",
    }
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
    let limits = Limits { depth, ..desk.limits() };
    let instance = at.instance.clone().filter(|_| at.state.is_none());
    let found = match contract.kind() {
        DomainKind::Game => {
            let request = GameRequest {
                file: desk.file(),
                engine: engine.map(str::to_owned),
                instance,
                player: at.player.clone(),
                state: at.state.clone(),
                boards: true,
                limits,
                ..GameRequest::default()
            };
            let mut observer = |state: &GameProgress| desk.reply.progress(|| Progress::from(state));
            let report = solve_game(&mut session, &request, Some(&mut observer))?;
            desk.reply.record("found", &game_found(&mut session, &report));
            return Ok(End::done().with(&report.findings));
        }
        DomainKind::Simultaneous => {
            let (file, state) = (desk.file(), at.state.clone());
            let request = NashRequest { file, instance, state, limits, ..NashRequest::default() };
            let report = find_nash(&mut session, &request)?;
            let outcome = if report.limit().is_some() { "stopped" } else { "solved" };
            let text = nash::text(&report, &Theme::new(false));
            Found { outcome, text, frames: Vec::new(), cost: None }
        }
        DomainKind::Model => return models(desk, &mut session, instance),
        DomainKind::Puzzle | DomainKind::Program => {
            let request = SolveRequest {
                file: desk.file(),
                engine: engine.map(str::to_owned),
                heuristic: heuristic.map(str::to_owned),
                instance,
                state: at.state.clone(),
                limits,
                ..SolveRequest::default()
            };
            return plan(desk, &mut session, &request);
        }
    };
    desk.reply.record("found", &found);
    Ok(End::done())
}

fn plan(desk: &Desk, session: &mut Session, request: &SolveRequest) -> Result<End, Failure> {
    let mut observer = |state: &zug_search::Progress| desk.reply.progress(|| state.into());
    let each = |report: &InstanceReport, session: &mut Session| {
        let found = &report.found;
        let text = solution::text(report, session, (None, None), &Theme::new(false));
        let frames = frames(session, &found.states, found.moves());
        let (outcome, cost) = (outcome(found.outcome()), found.cost.clone());
        desk.reply.record("found", &Found { outcome, text, frames, cost });
        true
    };
    let report = solve_loaded(session, request, Some(&mut observer), each)?;
    Ok(End::done().with(&report.findings))
}

fn game_found(session: &mut Session, report: &GameReport) -> Found {
    let mut text = game::run(&report.found, session, &Theme::new(false));
    text.extend(report.remark.iter().map(|remark| format!("note: {remark}\n")));
    let states: Vec<Record> =
        std::iter::once(&report.found.state).chain(&report.states).cloned().collect();
    let frames = frames(session, &states, &report.found.line);
    let outcome = if report.limit().is_some() { "stopped" } else { "solved" };
    Found { outcome, text, frames, cost: None }
}

fn models(desk: &Desk, session: &mut Session, instance: Option<String>) -> Result<End, Failure> {
    let request = ModelRequest {
        file: desk.file(),
        instance,
        every: false,
        labelling: zug_domain::model::Labelling::default(),
        wanted: SolutionsWanted::One,
        shown: SOLUTIONS,
        limits: desk.limits(),
        certificate: None,
    };
    let display = zug_domain::Contract::of(&session.machine).print_state;
    let each = |report: &ModelReport, session: &mut Session| {
        let solutions = report.found.solutions.iter();
        let printed: Vec<Option<String>> =
            solutions.map(|one| board::printed_by(session, display?, &one.list)).collect();
        let mut text = model::text(report, session, &printed, &Theme::new(false));
        for conflict in &report.conflict {
            text += &explanation(session, conflict, "", &Theme::new(false)).text;
        }
        let outcome = outcome(report.found.outcome);
        desk.reply.record("found", &Found { outcome, text, frames: Vec::new(), cost: None });
        true
    };
    solve_models(session, &request, None, each)?;
    Ok(End::done())
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
        steps: 50,
        limits: Limits {
            nodes: asked.nodes.or(Some(judge::NODES)),
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
        depth: asked.depth,
        limits: Limits { depth: asked.depth, ..desk.limits() },
        form: if asked.graph { Form::Graph } else { Form::Full },
        max_nodes: most,
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
