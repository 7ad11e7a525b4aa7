//! The tree of alpha-beta as textbooks teach it: moves in move order, whole windows, nothing kept.
//!
//! The engine of the same name finds the same value among fewer nodes; this is what is drawn and explained.
//!
//! Knuth & Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975).

use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::ply::leaf;
use super::transposition::Window;
use super::value::Value;
use crate::limits::Limits;
use crate::report::StopReason;
use crate::space::MoveId;

/// A node that alpha-beta visits. Values are those of the player to move there.
#[derive(Clone, Debug)]
pub struct AlphaBetaNode<S, V> {
    /// The state.
    pub state: S,
    /// The number of the node before it; its own at the root.
    pub parent: usize,
    /// The move that leads to it.
    pub mv: Option<MoveId>,
    /// Values up to this don't matter.
    pub alpha: V,
    /// Values from this on don't matter.
    pub beta: V,
    /// The value, or a bound on it where it lies outside of the window; `None` if the search was ended before.
    pub value: Option<V>,
    /// Its moves and where they lead; none at a leaf.
    pub moves: Vec<(MoveId, S)>,
    /// How many of them were tried: the others were cut off.
    pub tried: usize,
}

/// The nodes of a search, parents before children, those of one parent in move order.
#[derive(Clone, Debug)]
pub struct AlphaBetaTree<S, V> {
    /// The nodes.
    pub nodes: Vec<AlphaBetaNode<S, V>>,
    /// Nodes for which there was no room.
    pub missing: u64,
    /// The limit of nodes ended the search: what was entered by then is here, nodes on the line that
    /// was open without values.
    pub is_cut_short: bool,
}

/// The tree of a game.
pub type AlphaBetaTreeOf<G> = AlphaBetaTree<<G as Game>::State, <G as Game>::Value>;

/// A node whose moves are being tried.
struct Frame<S, V> {
    /// Its number, if there was room for it.
    node: Option<usize>,
    player: Player,
    window: Window<V>,
    best: Option<V>,
    left: u32,
    moves: std::vec::IntoIter<(MoveId, S)>,
}

/// Searches a state to a depth, and keeps the first `most` nodes.
///
/// # Errors
/// A limit other than that of nodes, or the failure of an operation of the game.
pub fn tree<G: Game>(
    game: &mut G,
    root: &G::State,
    depth: Option<u32>,
    limits: &Limits,
    most: usize,
) -> Result<AlphaBetaTreeOf<G>, Halt> {
    let mut meter = Meter::new(limits, None);
    let mut tree = AlphaBetaTree { nodes: Vec::new(), missing: 0, is_cut_short: false };
    let depth = depth.unwrap_or(u32::MAX);
    match fill(game, root, depth, &mut meter, (&mut tree, most)) {
        Err(Halt::Stop(StopReason::Nodes)) if !tree.nodes.is_empty() => tree.is_cut_short = true,
        other => other?,
    }
    Ok(tree)
}

fn fill<G: Game>(
    game: &mut G,
    root: &G::State,
    depth: u32,
    meter: &mut Meter<'_>,
    (tree, most): (&mut AlphaBetaTreeOf<G>, usize),
) -> Result<(), Halt> {
    let mut path: Vec<Frame<G::State, G::Value>> = Vec::new();
    let mut visit = Some((None, root.clone(), depth, Window::WHOLE));
    while let Some((mv, state, left, window)) = visit.take() {
        meter.visit(path.len())?;
        let parent = path.last().map(|frame| frame.node);
        let node = match parent {
            Some(None) => None,
            _ if tree.nodes.len() >= most => None,
            parent => {
                let number = tree.nodes.len();
                let parent = parent.flatten().unwrap_or(number);
                let Window { alpha, beta } = window;
                let (value, moves, tried) = (None, Vec::new(), 0);
                let state = state.clone();
                tree.nodes.push(AlphaBetaNode {
                    state,
                    parent,
                    mv,
                    alpha,
                    beta,
                    value,
                    moves,
                    tried,
                });
                Some(number)
            }
        };
        tree.missing += u64::from(node.is_none());
        let player = game.player(&state);
        let mut found = match leaf(game, &state, left, false, None)? {
            Some(found) => Some((node, player, found.value)),
            None => {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves)?;
                if let Some(number) = node {
                    tree.nodes[number].moves.clone_from(&moves);
                }
                let moves = moves.into_iter();
                path.push(Frame { node, player, window, best: None, left, moves });
                None
            }
        };
        // What is known of a node goes into the one before it, until there is another move to try.
        loop {
            if let Some((number, mover, value)) = found.take() {
                if let Some(number) = number {
                    tree.nodes[number].value = Some(value);
                }
                let Some(above) = path.last_mut() else { return Ok(()) };
                let value = if mover == above.player { value } else { value.negated() };
                above.best = Some(above.best.map_or(value, |best| best.max(value)));
                above.window.alpha = above.window.alpha.max(value);
            }
            let Some(above) = path.last_mut() else { return Ok(()) };
            let is_cut = above.best.is_some_and(|best| best >= above.window.beta);
            let next = if is_cut { None } else { above.moves.next() };
            let Some((mv, state)) = next else {
                let Some(Frame { node, player, best: Some(best), .. }) = path.pop() else {
                    return Ok(());
                };
                found = Some((node, player, best));
                continue;
            };
            if let Some(number) = above.node {
                tree.nodes[number].tried += 1;
            }
            let window = above.window.for_player(game.player(&state) != above.player);
            visit = Some((Some(mv), state, above.left - 1, window));
            break;
        }
    }
    Ok(())
}
