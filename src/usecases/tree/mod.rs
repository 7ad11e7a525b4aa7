//! `tree`: the search tree of an engine's run, or the plain unfolding of a domain.
//!
//! The result is data: states, nodes, edges, steps. What it looks like is the business of
//! `render::tree`. No more than a given number of nodes is made; the report says how many there
//! would be, counted without making them.

mod builder;
mod forms;
mod games;
mod goal;
pub mod options;
mod plain;
mod prospects;
mod recorded;
mod report;
#[cfg(test)]
mod tests;
mod valued;
mod windows;

pub use goal::{no_engine, read_goal, take as take_goal};
pub use report::{
    Form, NodeKind, Note, Prospect, Size, Step, TreeEdge, TreeNode, TreeReport, TreeState,
};

use super::record::TermData;
use super::solve::{SolveRequest, blind, choose_engine};
use super::{Failure, choose_instances};
use crate::asking::{Operation, ask, diagnosing, must_suit};
use crate::given::{mover, term};
use plain::Unfolding;
use recorded::EngineRecording;
use std::path::PathBuf;
use zug_domain::game::{GameTask, find_game};
use zug_domain::{
    Contract, DomainKind, Effort, Heuristic, Packed, RuleError, RuleSpace, SpaceWork,
    with_game_space, with_puzzle_space,
};
use zug_machine::{Fault, PredId};
use zug_prolog::session::Session;
use zug_prolog::{term_text, user_predicate};
use zug_report::outcome_words;
use zug_report::{Solution, Verdict};
use zug_search::game::{GameEngine, GameOutcome, Sampling};
use zug_search::{Limits, Options, Outcome, StopReason};
use zug_term::Record;

/// Nodes that are drawn unless another number is asked for.
pub const MOST_NODES: usize = 500;
/// The same for a page, on which they are unfolded a few at a time.
pub const MOST_UNFOLDED: usize = 2000;
/// The same where all are asked for.
pub const ALL_NODES: usize = 20_000;

/// What is marked in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The line of best play.
    pub pv: bool,
    /// States that are won or lost for the player to move.
    pub winning: bool,
    /// The same by who wins, whoever is to move.
    pub winner: bool,
    /// What a search left out.
    pub pruned: bool,
    /// The path to a goal.
    pub path: bool,
}

impl Marks {
    /// Everything.
    pub const ALL: Marks =
        Marks { pv: true, winning: true, winner: false, pruned: true, path: true };
    /// Whether who wins is to be found out.
    pub fn tells_who_wins(&self) -> bool {
        self.winning || self.winner
    }

    /// Nothing.
    pub const NONE: Marks =
        Marks { pv: false, winning: false, winner: false, pruned: false, path: false };
}

impl Default for Marks {
    fn default() -> Marks {
        Marks::ALL
    }
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct TreeRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The engine whose search is to be seen; none for the plain unfolding.
    pub engine: Option<String>,
    /// The heuristic's name.
    pub heuristic: Option<String>,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The player to move, in a game, as a term.
    pub player: Option<String>,
    /// The state to start from, as a term.
    pub state: Option<String>,
    /// Parameters of engines.
    pub options: Options,
    /// Limits of the search; the depth is that of the tree, too.
    pub limits: Limits,
    /// How much is done to find out whether a plan is a cheapest one.
    pub effort: Effort,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// What is made of states that occur more than once.
    pub form: Form,
    /// Symmetrical states are one.
    pub symmetry: bool,
    /// Everything is drawn, however large.
    pub all: bool,
    /// The most nodes [default: `MOST_NODES`].
    pub max_nodes: Option<usize>,
    /// What is marked.
    pub marks: Marks,
}

impl TreeRequest {
    /// The most nodes.
    pub fn most_nodes(&self) -> usize {
        self.max_nodes.unwrap_or(MOST_NODES)
    }

    /// Says how many nodes are drawn, unless the request does: as many as a page unfolds, or the `usual` number. Who
    /// gives a number wants to see all of them.
    pub fn set_most_nodes(&mut self, is_page: bool, usual: usize) {
        let most = match is_page {
            _ if self.all => ALL_NODES,
            true => MOST_UNFOLDED,
            false => usual,
        };
        self.all |= self.max_nodes.is_some();
        self.max_nodes.get_or_insert(most);
    }
}

/// The predicates that say which states are symmetrical, the first of them that is there: what
/// engines observe too, and what is for pictures alone.
pub const SYMMETRIES: [&str; 2] = ["symmetry", "mirrored"];

/// Where a tree begins.
struct Start {
    state: Record,
    player: Option<Record>,
    /// How the instance is called, if that is worth showing.
    instance: Option<String>,
}

/// The tree that is asked for, of the program that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn tree(session: &mut Session, request: &TreeRequest) -> Result<TreeReport, Failure> {
    diagnosing(session, |session| {
        let contract = Contract::of(&session.machine);
        must_suit(&contract, Operation::Tree)?;
        let start = find_start(session, &contract, request)?;
        let mut report = match (&request.engine, contract.kind()) {
            (None, _) => unfolded(session, &contract, request, &start)?,
            (Some(name), DomainKind::Game) => game_searched(session, name, request, &start)?,
            (Some(_), _) => searched(session, &contract, request, &start)?,
        };
        if contract.kind() == DomainKind::Game
            && (request.marks.tells_who_wins() || request.marks.pv)
        {
            look_ahead(session, request, &mut report)?;
        }
        size_remarks(&mut report);
        report.file = request.file.display().to_string();
        Ok(report)
    })
}

fn find_start(
    session: &mut Session,
    contract: &Contract,
    request: &TreeRequest,
) -> Result<Start, Failure> {
    let player = if request.player.is_some() || contract.kind() == DomainKind::Game {
        mover(session, request.player.as_deref(), request.state.is_some())?
    } else {
        None
    };
    if let Some(text) = &request.state {
        let state = term(session, "state", text)?;
        return Ok(Start { state, player, instance: None });
    }
    let found = choose_instances(session, contract, request.instance.as_deref())?;
    let Some(first) = found.into_iter().next() else {
        return Err(Failure::NoSuchInstance(request.instance.clone().unwrap_or_default(), vec![]));
    };
    let instance = first.named.then_some(first.name);
    Ok(Start { state: first.instance.state, player, instance })
}

/// The plain unfolding.
fn unfolded(
    session: &mut Session,
    contract: &Contract,
    request: &TreeRequest,
    start: &Start,
) -> Result<TreeReport, Failure> {
    let symmetry = if request.symmetry { Some(symmetry_of(session)?) } else { None };
    let plain = Unfolding { request, symmetry };
    let mut report =
        look(session, contract, None, start, &request.limits, |space, start, limits| {
            plain.report(space, start, limits)
        })?;
    report.title = format!(
        "{}: the {} of all moves",
        place(request, start),
        if request.form == Form::Graph { "graph" } else { "tree" },
    );
    Ok(report)
}

/// The search of an engine for puzzles.
fn searched(
    session: &mut Session,
    contract: &Contract,
    request: &TreeRequest,
    start: &Start,
) -> Result<TreeReport, Failure> {
    let asked = SolveRequest {
        engine: request.engine.clone(),
        heuristic: request.heuristic.clone(),
        ..SolveRequest::default()
    };
    // What is drawn is over before a heuristic is derived.
    let (engine, heuristic) = blind(choose_engine(session, contract, &asked)?);
    if contract.goal.is_none() {
        let missing = zug_domain::Violation::Missing("final_state(S)");
        return Err(Failure::rule(session, &RuleError::new(missing, "final_state/1")));
    }
    let recorded = EngineRecording { request, engine };
    let ended =
        look(session, contract, heuristic, start, &request.limits, |space, start, limits| {
            recorded.run(space, start, limits)
        })?;
    let name = engine.info().name;
    let with = heuristic.map(|heuristic| heuristic.name(&session.machine.symbols));
    let mut found = Solution::nothing(name, with, start.state.clone());
    (found.ending.outcome, found.ending.claim) = (ended.outcome, ended.claim);
    found.cost = ended.cost.map(Into::into);
    found.states = ended.goal.into_iter().collect();
    found.stats.elapsed = ended.elapsed;
    let (m, w) = (&mut session.machine, &mut session.world);
    zug_domain::add_verdict(m, w, contract, &mut found);
    zug_domain::verify(m, w, contract, (&request.limits, request.effort), &mut found);
    let ending = found.ending.map(|term| TermData::of(m, w, term));
    let recorded::EngineRunEnd { mut report, moves, iterations, unrecorded, .. } = ended;
    report.engine = Some(name.to_owned());
    report.depth = request.limits.depth;
    let with = found.heuristic.filter(|name| name != "heuristic");
    let with = with.map(|name| format!(" with {name}")).unwrap_or_default();
    report.title = format!("{}: {name}{with}", place(request, start));
    let cost = found.cost.clone().map(report::cost_text).unwrap_or_default();
    report.outcome = Some(match ending.outcome {
        Outcome::Solved => {
            let optimal = match &ending.verdict {
                Verdict::Proved(_) => " (optimal)".to_owned(),
                Verdict::If(condition) => format!(" (optimal if {condition})"),
                Verdict::Refuted => {
                    let cheapest = ending.cheapest.clone().map(report::cost_text);
                    let cheapest = cheapest.unwrap_or_default();
                    format!(" (not optimal: there is a plan of cost {cheapest})")
                }
                Verdict::Open => String::new(),
            };
            let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
            format!("A path of {moves}, cost {cost}{optimal}.")
        }
        Outcome::Exhausted => match &ending.verdict {
            Verdict::If(condition) => format!("There is no path to a goal if {condition}."),
            _ => "There is no path to a goal.".to_owned(),
        },
        Outcome::Stopped(reason) => format!("Stopped by its limit: {reason}."),
    });
    report.remarks.extend(report.outcome.clone());
    report.stopped = ending.outcome.reason();
    report.claim = Some(ending.claims());
    if iterations > 1 {
        report.remarks.push(format!("The last of {iterations} iterations is drawn."));
    }
    if unrecorded > 0 {
        let remark =
            format!("{unrecorded} more states were generated than can be kept for a tree.");
        report.remarks.push(remark);
    }
    forms::reform(&mut report, request.form);
    Ok(report)
}

/// The search of an engine for games.
fn game_searched(
    session: &mut Session,
    name: &str,
    request: &TreeRequest,
    start: &Start,
) -> Result<TreeReport, Failure> {
    let engine = GameEngine::by_name(name).ok_or_else(|| Failure::NotForGames(name.to_owned()))?;
    let task = GameTask {
        depth: request.limits.depth,
        sampling: request.sampling.clone(),
        symmetry: false,
        limits: request.limits.clone(),
        ..GameTask::of(engine)
    };
    let player = start.player.as_ref();
    let found = ask(session, |m, w| find_game(m, w, &task, player, &start.state, None))?;
    match found.outcome {
        GameOutcome::Stopped(reason @ (StopReason::Cancelled | StopReason::Time)) => {
            return Err(stopped(reason));
        }
        GameOutcome::Stopped(StopReason::Cycle) => {
            let why = "play can go round for ever: it has no end to be followed to; --depth D \
                       follows it for D moves";
            return Err(Failure::Players(why.to_owned()));
        }
        _ => {}
    }
    let made = games::tree(session, request, engine, (&start.state, start.player.as_ref()));
    let made = made.map_err(|error| Failure::rule(session, &error))?;
    let mut report = made.map_err(stopped)?;
    report.engine = Some(name.to_owned());
    report.stopped = found.outcome.reason().or(report.stopped);
    report.depth = request.limits.depth;
    let depth = request.limits.depth.map(|depth| format!(" to depth {depth}")).unwrap_or_default();
    report.title = format!("{}: {name}{depth}", place(request, start));
    let mut words = match found.outcome {
        GameOutcome::Solved => String::new(),
        GameOutcome::Stopped(reason) => format!("Stopped by its limit: {reason}. "),
    };
    let term = |term| term_text(&session.machine, &session.world, term);
    let (player, value) = (term(&found.player), found.value.as_ref());
    let outcome = found.decided().map(|decided| outcome_words(decided, found.distance));
    match (found.best.as_ref().map(term), value.map(|value| found.shown(value))) {
        (Some(best), _) if outcome.is_some() => {
            words += &format!("{player} plays {best} and {}.", outcome.unwrap_or_default());
        }
        (Some(best), Some(value)) => words += &format!("{player} plays {best}, value {value}."),
        (Some(best), None) => words += &format!("{player} plays {best}."),
        (None, Some(value)) => words += &format!("Value {value} for {player}."),
        (None, None) => {}
    }
    if !words.is_empty() {
        report.outcome = Some(words.clone());
        report.remarks.insert(0, words);
    }
    if engine == GameEngine::Playouts {
        for (edge, tried) in report.edges.iter().zip(&found.tried) {
            let node = &mut report.nodes[edge.to];
            let outcomes = tried.outcomes.map(|count| count.to_string()).join(" / ");
            for (name, value) in [
                ("n", tried.visits.to_string()),
                ("mean", format!("{:.2}", tried.mean)),
                ("+ = −", outcomes),
            ] {
                node.notes.push(Note { name, value, step: node.step, shown: true });
            }
        }
    }
    if !matches!(engine, GameEngine::SolveGame | GameEngine::Playouts) {
        forms::reform(&mut report, request.form);
    }
    Ok(report)
}

/// The file and the instance.
fn place(request: &TreeRequest, start: &Start) -> String {
    let instance = start.instance.as_ref().map(|name| format!(", instance {name}"));
    format!("{}{}", request.file.display(), instance.unwrap_or_default())
}

/// A limit that ended everything.
fn stopped(reason: StopReason) -> Failure {
    let reason = match reason {
        StopReason::Cancelled => zug_machine::StopReason::Interrupted,
        _ => zug_machine::StopReason::Time,
    };
    Failure::Stopped(Fault::Stopped(reason), Vec::new())
}

/// Looks at the domain, puzzle or game.
fn look<T>(
    session: &mut Session,
    contract: &Contract,
    heuristic: Option<Heuristic>,
    start: &Start,
    limits: &Limits,
    mut look: impl FnMut(
        &mut dyn RuleSpace,
        &Packed,
        &Limits,
    ) -> Result<Result<T, StopReason>, Box<RuleError>>,
) -> Result<T, Failure> {
    let mut found = Err(StopReason::Cancelled);
    let work: &mut SpaceWork<'_> = &mut |space, start, limits| {
        found = look(space, start, limits)?;
        Ok(())
    };
    let Start { player, state, .. } = start;
    ask(session, |m, w| match contract.kind() {
        DomainKind::Game => with_game_space(m, w, player.as_ref(), state, limits, work),
        _ => with_puzzle_space(m, w, contract, heuristic, state, limits, work),
    })?;
    found.map_err(stopped)
}

/// The predicate that says which states are symmetrical.
fn symmetry_of(session: &Session) -> Result<PredId, Failure> {
    let found = SYMMETRIES.iter().find_map(|name| user_predicate(&session.machine, name, 2));
    found.ok_or_else(|| {
        let why = "the file doesn't say which states are symmetrical: there is neither \
                   symmetry(S1, S2) nor mirrored(S1, S2)";
        Failure::Players(why.to_owned())
    })
}

/// Finds out who wins, for the marks.
fn look_ahead(
    session: &mut Session,
    request: &TreeRequest,
    report: &mut TreeReport,
) -> Result<(), Failure> {
    let exact = prospects::solve(session, report, &request.limits);
    let exact = exact.map_err(|error| Failure::rule(session, &error))?;
    let Some((exact, remark, condition)) = exact else {
        let remark = "The game is too large to say here who wins.".to_owned();
        report.remarks.push(remark);
        return Ok(());
    };
    report.remarks.extend(condition);
    if request.marks.tells_who_wins() {
        report.by_winner = request.marks.winner && report.players.len() == 2;
        prospects::mark(report, &exact);
        let solved = report.engine.as_deref() == Some("solve_game");
        report.remarks.extend(remark.filter(|_| solved));
        for node in &mut report.nodes {
            if let Some(Some(exact)) = exact.get(node.state) {
                let value = prospects::value_text(exact);
                let (name, step, shown) = ("value", node.step, solved);
                node.notes.push(Note { name, value, step, shown });
                if let Some(moves) = exact.distance.filter(|_| solved) {
                    let (name, value) = ("moves", moves.to_string());
                    node.notes.push(Note { name, value, step, shown });
                }
            }
        }
    }
    let own = report.engine.as_deref().is_none_or(|name| name == "solve_game");
    if request.marks.pv && own && report.players.len() <= 2 {
        prospects::line(report, &exact);
    }
    Ok(())
}

/// Says that a tree is cut, how large it is, and how to see more of it.
fn size_remarks(report: &mut TreeReport) {
    let drawn = report.nodes.len();
    let shown = grouped(&drawn.to_string());
    let what = if report.form == Form::Graph { "graph" } else { "tree" };
    let cut = report.nodes.iter().any(|node| node.hidden.is_some());
    if !cut {
        return;
    }
    let size = match &report.size {
        Size::Exact(size) => format!("The whole {what} has {} nodes", grouped(size)),
        Size::More(size) => format!("The whole {what} has more than {} nodes", grouped(size)),
        Size::Endless => format!("The {what} has no end, since moves can be taken back"),
    };
    let hidden = match &report.size {
        Size::Exact(size) => match size.parse::<num_bigint::BigUint>() {
            Ok(size) if size > drawn.into() => {
                let hidden = size - num_bigint::BigUint::from(drawn);
                format!(": {} are drawn, {} hidden.", shown, grouped(&hidden.to_string()))
            }
            _ => format!(": {shown} are drawn."),
        },
        _ => format!(": {shown} nodes are drawn."),
    };
    report.remarks.push(size + &hidden);
    let mut ways = Vec::new();
    if report.form == Form::Full {
        ways.push("--truncate draws what is below a state once");
        ways.push("--graph every state once");
    }
    ways.push("--max-nodes N draws more");
    report.remarks.push(format!("{}.", ways.join(", ")));
    report.size_remarks = 2;
}

/// The most digits of a number that is written out.
const LONGEST: usize = 40;

/// A number in text, in groups of three digits; of a very long one how long it is.
fn grouped(number: &str) -> String {
    if number.len() > LONGEST {
        return format!("some {}.{}·10^{}", &number[..1], &number[1..4], number.len() - 1);
    }
    let mut text = String::new();
    for (at, digit) in number.chars().enumerate() {
        if at > 0 && (number.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
