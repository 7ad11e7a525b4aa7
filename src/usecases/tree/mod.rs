//! `tree`: the search tree of an engine's run, or the plain unfolding of a domain.
//!
//! The result is data: states, nodes, edges, steps. What it looks like is the business of
//! `render::tree`. No more than a given number of nodes is made; the report says how many there
//! would be, counted without making them.

mod builder;
mod plain;
mod report;

pub use report::{
    Form, NodeKind, Note, Prospect, Size, Step, TreeEdge, TreeNode, TreeReport, TreeState,
};

use super::{Failure, choose_instances, solve_game};
use crate::domain::{
    Contract, DomainKind, Look, RuleError, look_at_game, look_at_puzzle, user_predicate,
};
use crate::machine::{Fault, PredId};
use crate::search::game::Sampling;
use crate::search::{Limits, Options, StopReason};
use crate::session::Session;
use crate::term::Record;
use plain::Plain;
use std::path::PathBuf;

/// Nodes that are drawn unless another number is asked for.
pub const MOST_NODES: usize = 500;

/// What is marked in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The line of best play.
    pub pv: bool,
    /// States that are won or lost for the player to move.
    pub winning: bool,
    /// What a search left out.
    pub pruned: bool,
    /// The path to a goal.
    pub path: bool,
}

impl Marks {
    /// Everything.
    pub const ALL: Marks = Marks { pv: true, winning: true, pruned: true, path: true };
    /// Nothing.
    pub const NONE: Marks = Marks { pv: false, winning: false, pruned: false, path: false };
}

/// What is asked for.
#[derive(Clone, Debug)]
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
    /// How deep to go.
    pub depth: Option<u32>,
    /// Parameters of engines.
    pub options: Options,
    /// Limits of the search.
    pub limits: Limits,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// What is made of states that occur more than once.
    pub form: Form,
    /// Symmetrical states are one.
    pub symmetry: bool,
    /// The most nodes.
    pub max_nodes: usize,
    /// What is marked.
    pub marks: Marks,
}

impl Default for TreeRequest {
    fn default() -> Self {
        TreeRequest {
            file: PathBuf::new(),
            engine: None,
            heuristic: None,
            instance: None,
            player: None,
            state: None,
            depth: None,
            options: Options::default(),
            limits: Limits::none(),
            sampling: Sampling::default(),
            form: Form::Full,
            symmetry: false,
            max_nodes: MOST_NODES,
            marks: Marks::ALL,
        }
    }
}

/// The predicates that say which states are symmetrical, the first of them that is there: what
/// engines heed too, and what is for pictures alone.
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
    let contract = Contract::of(&session.machine);
    match contract.kind() {
        DomainKind::Puzzle | DomainKind::Game => {}
        DomainKind::Simultaneous => {
            let why = "games in which all choose at once have no tree; `zug nash` solves them";
            return Err(Failure::Players(why.to_owned()));
        }
        DomainKind::Program => return Err(Failure::NoDomain),
    }
    let start = find_start(session, &contract, request)?;
    let mut report = unfolded(session, &contract, request, &start)?;
    report.file = request.file.display().to_string();
    Ok(report)
}

fn find_start(
    session: &mut Session,
    contract: &Contract,
    request: &TreeRequest,
) -> Result<Start, Failure> {
    let player = match &request.player {
        Some(text) => Some(solve_game::term(session, "player", text)?),
        None => None,
    };
    if let Some(text) = &request.state {
        let state = solve_game::term(session, "state", text)?;
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
    let mut plain = Plain { request, symmetry };
    let found = look(session, contract, start, &request.limits, &mut plain)?;
    let mut report = found.map_err(stopped)?;
    let instance = start.instance.as_ref().map(|name| format!(", instance {name}"));
    report.title = format!(
        "{}{}: the {} of all moves",
        request.file.display(),
        instance.unwrap_or_default(),
        if request.form == Form::Graph { "graph" } else { "tree" },
    );
    Ok(report)
}

/// A limit that ended everything.
fn stopped(reason: StopReason) -> Failure {
    let reason = match reason {
        StopReason::Cancelled => crate::machine::StopReason::Interrupted,
        _ => crate::machine::StopReason::Time,
    };
    Failure::Stopped(Fault::Stopped(reason), Vec::new())
}

/// Looks at the domain, puzzle or game.
fn look<L: Look>(
    session: &mut Session,
    contract: &Contract,
    start: &Start,
    limits: &Limits,
    look: &mut L,
) -> Result<L::Found, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let found: Result<L::Found, Box<RuleError>> = match contract.kind() {
        DomainKind::Game => {
            look_at_game(m, w, start.player.as_ref(), &start.state, limits, look)
        }
        _ => look_at_puzzle(m, w, contract, None, &start.state, limits, look),
    };
    found.map_err(|error| Failure::rule(session, &error))
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
