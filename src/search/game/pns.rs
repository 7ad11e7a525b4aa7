//! `pns`: proof-number search, whether the player to move wins.
//!
//! Best-first search in an AND/OR tree: a node's proof number says how many leaves must still
//! be won, at least, to prove it, its disproof number how many must be lost. The leaf expanded
//! next is one where a proof or a disproof needs the fewest. Strong where some lines force the
//! play and others are wide.
//!
//! A first search asks whether the value is greater than zero, a second one, if it is not,
//! whether it is less: win, draw or loss, as 1, 0 and -1. A state that was met before on the
//! way to it is taken for a draw.
//!
//! The move is one that wins, or does not lose; not always the first in move order.
//!
//! With several threads both questions are asked at once, by one thread each: where the answer to the second one is
//! yes, it settles the first.
//!
//! Allis, van der Meulen & van den Herik, *Proof-number search*, Artificial Intelligence 66
//! (1994).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(12, 3);
//! let start = nim.start(12);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::Pns);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!((report.value, report.best), (Some(1), Some(3)));
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{Game, Player};
use super::meter::{Answer, Halt, Meter};
use super::options::GameOptions;
use super::report::{GameStats, Verdict};
use super::value::Value;
use crate::fork::{Crew, spawn};
use crate::limits::Limits;
use crate::report::StopReason;
use crate::space::{MoveId, Row};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "pns",
    title: "proof-number search",
    summary: "whether the player to move wins, draws or loses, where play is forced first",
    players: PlayersAllowed::Two,
    chance: false,
    threads: true,
    when: "play is forced",
    reference: "Allis et al. 1994",
};

/// The number of a node that is disproved (as proof number) or proved (as disproof number).
const INFINITE: u32 = u32::MAX;

/// A node of the proof tree.
struct Node {
    state: NodeId,
    parent: u32,
    first: u32,
    count: u32,
    proof: u32,
    disproof: u32,
}

/// What is to be proved: that the value to a player is greater than zero.
struct Goal {
    player: Player,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    _: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let mut crew = Crew::of(game);
    let asked = match crew.is_alone() {
        true => Asked::default(),
        false => ask_both(game, &mut crew, graph, *root, meter),
    };
    crew.disband(game);
    let player = graph.player(*root);
    let won = match asked.own {
        Some(answer) => answer?,
        // That the other one wins says it.
        None if asked.other.as_ref().is_some_and(|other| other.0) => (false, Vec::new()),
        None => prove(game, graph, *root, &Goal { player }, meter)?,
    };
    let (mut value, mut line) = (G::Value::WIN, won.1);
    if !won.0 {
        let opponent = Goal { player: player ^ 1 };
        let lost;
        (lost, line) = match asked.other {
            Some((lost, places)) => (lost, moves_at(game, graph, *root, &places)?),
            None => prove(game, graph, *root, &opponent, meter)?,
        };
        value = if lost { G::Value::WIN.negated() } else { G::Value::ZERO };
        if !lost {
            // What the opponent tried in vain is not best play.
            line.truncate(1);
        }
    }
    Ok(Verdict {
        value: Some(value),
        best: line.first().copied(),
        played: Some(line),
        exact: true,
        ..Verdict::default()
    })
}

/// A node of a proof tree, for those who want to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNode {
    /// The number of the state in the graph.
    pub state: NodeId,
    /// The node above; itself for the root.
    pub parent: u32,
    /// The move from there; none for the root.
    pub mv: Option<MoveId>,
    /// How many leaves must still be won to prove it, at least; `None`: it is disproved.
    pub proof: Option<u32>,
    /// How many must be lost to disprove it; `None`: it is proved.
    pub disproof: Option<u32>,
}

/// A proof tree: its nodes in the order in which they came, those of one expansion together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofTree {
    /// What is to be proved: that the player to move at the root wins; or, if that is not so,
    /// that the opponent does.
    pub own: bool,
    /// The root is the first.
    pub nodes: Vec<ProofNode>,
    /// It was proved, or disproved.
    pub settled: bool,
}

/// Proves or disproves that the player to move wins; if not, that the opponent does: the last
/// tree, as far as the limits let it grow.
///
/// # Errors
/// The failure of an operation of the game; or a limit, if there is nothing to show.
pub fn proof_tree<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    limits: &Limits,
) -> Result<ProofTree, Halt> {
    let root = graph.intern(game, start).map_err(Halt::Stop)?;
    let player = graph.player(root);
    let mut meter = Meter::new(limits, None);
    let mut tree = Tree { nodes: Vec::new() };
    for own in [true, false] {
        let goal = Goal { player: if own { player } else { player ^ 1 } };
        tree = Tree { nodes: Vec::new() };
        let ended = grow(game, graph, root, &goal, &mut meter, &mut tree, &NEVER);
        let settled = match ended {
            Ok(()) => true,
            Err(Halt::Stop(_)) if !tree.nodes.is_empty() => false,
            Err(halt) => return Err(halt),
        };
        if !settled || tree.nodes[0].proof == 0 || !own {
            return Ok(tree.shown(graph, own, settled));
        }
    }
    Ok(tree.shown(graph, false, true))
}

/// Whether the goal can be reached, and a line that shows the way.
type Proof = (bool, Vec<MoveId>);

/// The flag of a search that nobody else ends.
static NEVER: AtomicBool = AtomicBool::new(false);

/// What became of a question.
type Proved = Result<Proof, Halt>;

/// What became of the two questions.
#[derive(Default)]
struct Asked {
    /// Whether the player to move wins; nothing if the other answer came first.
    own: Option<Proved>,
    /// Whether the opponent does, with places of moves instead of moves; nothing if it was not found out.
    other: Option<Proof>,
}

/// Asks both questions at once. The second one is asked of a copy, with a graph of its own.
fn ask_both<G: Game>(
    game: &mut G,
    crew: &mut Crew<G>,
    graph: &mut GraphOf<G>,
    root: NodeId,
    meter: &mut Meter<'_>,
) -> Asked {
    crew.teach(game);
    let Some(fork) = crew.forks().next() else { return Asked::default() };
    let (player, start) = (graph.player(root), graph.state(root));
    let (began, most) = (meter.began(), (meter.nodes_left(), meter.memory() / 2));
    let nodes = meter.stats.nodes.saturating_add(most.0);
    let before = meter.allow((nodes, most.1));
    let stop = AtomicBool::new(false);
    let ask_other = |game: &mut G, meter: &mut Meter<'_>| {
        let mut graph = Graph::default();
        let root = graph.intern(game, &start).ok()?;
        let mut tree = Tree { nodes: Vec::new() };
        let goal = Goal { player: player ^ 1 };
        grow(game, &mut graph, root, &goal, meter, &mut tree, &stop).ok()?;
        let is_settled = tree.nodes[0].proof == 0 || tree.nodes[0].disproof == 0;
        (is_settled && !game.has_written()).then(|| (tree.nodes[0].proof == 0, tree.line()))
    };
    let mut tree = Tree { nodes: Vec::new() };
    let (ended, (other, stats)) = thread::scope(|scope| {
        let other = spawn(scope, || {
            let mut meter = Meter::beside(began, most);
            let found = fork.within_limits(|game| ask_other(game, &mut meter)).flatten();
            if found.as_ref().is_some_and(|found| found.0) {
                stop.store(true, Relaxed);
            }
            (found, meter.stats)
        });
        let ended = grow(game, graph, root, &Goal { player }, meter, &mut tree, &stop);
        if ended.is_err() || tree.nodes[0].proof == 0 {
            stop.store(true, Relaxed);
        }
        let join = |other: thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        (ended, other.map_or((None, GameStats::default()), join))
    });
    meter.allow(before);
    let [proof, disproof] = tree.nodes.first().map_or([1; 2], |root| [root.proof, root.disproof]);
    // Where the player to move wins, it is as if the other question had not been asked.
    if proof != 0 {
        if stats.nodes > meter.nodes_left() {
            return Asked { own: Some(Err(Halt::Stop(StopReason::Nodes))), other: None };
        }
        meter.add(&stats);
    }
    let own = match ended {
        Err(_) if other.as_ref().is_some_and(|other| other.0) => None,
        Err(halt) => Some(Err(halt)),
        Ok(()) if proof != 0 && disproof != 0 => None,
        Ok(()) => {
            let places = tree.line();
            Some(moves_at(game, graph, root, &places).map(|line| (proof == 0, line)))
        }
    };
    Asked { own, other }
}

/// The moves at places in move order, from a state on.
fn moves_at<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    places: &[u32],
) -> Result<Vec<MoveId>, Halt> {
    let (mut at, mut line) = (root, Vec::new());
    for &place in places {
        if graph.moves(game, at)?.is_none_or(|moves| place >= moves) {
            break;
        }
        let edge = graph.edge(at, place);
        line.push(edge.mv);
        at = edge.to;
    }
    Ok(line)
}

/// Searches until the goal is proved or disproved.
fn prove<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    goal: &Goal,
    meter: &mut Meter<'_>,
) -> Result<Proof, Halt> {
    let mut tree = Tree { nodes: Vec::new() };
    grow(game, graph, root, goal, meter, &mut tree, &NEVER)?;
    let line = moves_at(game, graph, root, &tree.line())?;
    Ok((tree.nodes[0].proof == 0, line))
}

/// Lets an empty tree grow until its root is proved or disproved, or it is told to stop.
fn grow<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    goal: &Goal,
    meter: &mut Meter<'_>,
    tree: &mut Tree,
    stop: &AtomicBool,
) -> Result<(), Halt> {
    let first = tree.new_node(game, graph, root, UNKNOWN, goal)?;
    debug_assert_eq!(first, 0);
    while tree.nodes[0].proof != 0 && tree.nodes[0].disproof != 0 && !stop.load(Relaxed) {
        let (leaf, depth) = tree.most_proving(graph, goal);
        meter.visit(depth)?;
        meter.hold(graph, tree.nodes.capacity() * size_of::<Node>())?;
        tree.expand(game, graph, leaf, goal)?;
        tree.update(graph, leaf, goal);
    }
    Ok(())
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn shown<S: Row, V>(&self, graph: &Graph<S, V>, own: bool, settled: bool) -> ProofTree {
        let open = |number: u32| (number != INFINITE).then_some(number);
        let nodes = self.nodes.iter().zip(0..).map(|(node, at)| {
            let above = self.nodes.get(node.parent as usize);
            ProofNode {
                state: node.state,
                parent: above.map_or(at, |_| node.parent),
                mv: above.map(|above| graph.edge(above.state, at - above.first).mv),
                proof: open(node.proof),
                disproof: open(node.disproof),
            }
        });
        ProofTree { own, nodes: nodes.collect(), settled }
    }

    fn is_or<S: Row, V>(graph: &Graph<S, V>, state: NodeId, goal: &Goal) -> bool {
        graph.player(state) == goal.player
    }

    fn children(&self, node: u32) -> std::ops::Range<u32> {
        let Node { first, count, .. } = self.nodes[node as usize];
        first..first + count
    }

    fn new_node<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        state: NodeId,
        parent: u32,
        goal: &Goal,
    ) -> Result<u32, Halt> {
        let won = if graph.moves(game, state)?.is_none() {
            let value = graph.utility(game, state)?;
            let own = Self::is_or(graph, state, goal);
            Some(if own { value > G::Value::ZERO } else { value < G::Value::ZERO })
        } else {
            // Round and round is no win.
            self.is_repeated(state, parent).then_some(false)
        };
        let (proof, disproof) = match won {
            None => (1, 1),
            Some(true) => (0, INFINITE),
            Some(false) => (INFINITE, 0),
        };
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { state, parent, first: 0, count: 0, proof, disproof });
        Ok(number)
    }

    fn is_repeated(&self, state: NodeId, parent: u32) -> bool {
        let mut at = parent;
        while at != UNKNOWN {
            let node = &self.nodes[at as usize];
            if node.state == state {
                return true;
            }
            at = node.parent;
        }
        false
    }

    /// The leaf where the fewest leaves make a proof or a disproof, and its depth.
    fn most_proving<S: Row, V>(&self, graph: &Graph<S, V>, goal: &Goal) -> (u32, usize) {
        let (mut at, mut depth) = (0, 0);
        while self.nodes[at as usize].count > 0 {
            let node = &self.nodes[at as usize];
            let or = Self::is_or(graph, node.state, goal);
            let wanted = |child: &u32| {
                let child = &self.nodes[*child as usize];
                if or { child.proof == node.proof } else { child.disproof == node.disproof }
            };
            let Some(child) = self.children(at).find(wanted) else { break };
            at = child;
            depth += 1;
        }
        (at, depth)
    }

    fn expand<G: Game>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        leaf: u32,
        goal: &Goal,
    ) -> Result<(), Halt> {
        let state = self.nodes[leaf as usize].state;
        let first = self.nodes.len() as u32;
        let moves = graph.moves(game, state)?.unwrap_or(0);
        for at in 0..moves {
            let to = graph.edge(state, at).to;
            self.new_node(game, graph, to, leaf, goal)?;
        }
        let node = &mut self.nodes[leaf as usize];
        (node.first, node.count) = (first, moves);
        Ok(())
    }

    /// Brings the numbers of a node and of those above it up to date.
    fn update<S: Row, V>(&mut self, graph: &Graph<S, V>, node: u32, goal: &Goal) {
        let mut at = node;
        while at != UNKNOWN {
            let children =
                &self.nodes[self.children(at).start as usize..self.children(at).end as usize];
            let add = |sum: u32, number: u32| sum.saturating_add(number);
            let proofs = children.iter().map(|child| child.proof);
            let disproofs = children.iter().map(|child| child.disproof);
            let or = Self::is_or(graph, self.nodes[at as usize].state, goal);
            let (proof, disproof) = if or {
                (proofs.min().unwrap_or(INFINITE), disproofs.fold(0, add))
            } else {
                (proofs.fold(0, add), disproofs.min().unwrap_or(INFINITE))
            };
            let known = &mut self.nodes[at as usize];
            if (known.proof, known.disproof) == (proof, disproof) {
                return;
            }
            (known.proof, known.disproof) = (proof, disproof);
            at = known.parent;
        }
    }

    /// A line of the proof or the disproof: places of moves that keep to the result.
    fn line(&self) -> Vec<u32> {
        let mut line = Vec::new();
        let mut at = 0;
        let proved = self.nodes[0].proof == 0;
        while self.nodes[at as usize].count > 0 {
            let keeps = |child: &u32| {
                let child = &self.nodes[*child as usize];
                if proved { child.proof == 0 } else { child.disproof == 0 }
            };
            let Some(child) = self.children(at).find(keeps) else { break };
            line.push(child - self.children(at).start);
            at = child;
        }
        line
    }
}
