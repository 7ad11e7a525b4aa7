//! `mcts`: Monte Carlo tree search, the best move by plays at random.
//!
//! Each iteration goes down from the root along the moves that promise most (UCT): the mean
//! of what came of a move, between 0 for the least and 1 for the greatest value seen, and a
//! share for moves tried little, `c √(ln n / k)` for a move tried `k` of `n` times. From the
//! first state met that is new a play at random goes to the end, or to where it is cut off,
//! and what it comes to is added on the way back up. Every player looks for their own (max^n);
//! chance does what it does. States that are met on several ways are one.
//!
//! With one or two players ends that were met are bounds on what states are worth, and what
//! is settled by them is not visited again; once the root is, the move is proved.
//!
//! With [`Sampling::rave`] what came of a move is mixed with what came of plays in which the same
//! player made it there or later, `β` of that in a state that `n` plays came through, with
//! `β = √(k / (3n + k))`: a first guess from few plays, that fades.
//!
//! Several threads have a tree each ([`super::forest`]).
//!
//! Kocsis & Szepesvári, *Bandit based Monte-Carlo planning*, ECML (2006); Winands, Björnsson &
//! Saito, *Monte-Carlo tree search solver* (2008); Gelly & Silver, *Combining online and offline
//! knowledge in UCT*, ICML (2007); Cazenave & Saffidine, *Score bounded
//! Monte-Carlo tree search* (2010); Browne et al., *A survey of Monte Carlo tree search
//! methods* (2012).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(7, 3);
//! let start = nim.start(7);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::Mcts);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! // Take two and leave five; that it wins is proved, if not what it is worth.
//! assert_eq!(report.best, Some(2));
//! assert!(report.exact || report.means.as_ref().is_some_and(|means| means.proof.is_some()));
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::forest;
use super::graph::{GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::Game;
use super::mcts_tree::{Search, Tree};
use super::meter::{Answer, Halt, Meter};
use super::options::{GameOptions, Sampling};
use crate::limits::Limits;
use crate::space::MoveId;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "mcts",
    title: "Monte Carlo tree search",
    summary: "a good move and its mean value by plays at random, proved where they can be",
    players: PlayersAllowed::Any,
    chance: true,
    threads: true,
    when: "the game is large, and there is no heuristic",
    reference: "Kocsis, Szepesvári 2006",
};

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let sampling = &options.sampling;
    // What is met here for the first time copies know, too.
    graph.moves(game, *root)?;
    let forks = game.take_forks();
    if !forks.is_empty() {
        return forest::search(game, forks, (graph, *root), sampling, meter);
    }
    let mut tree = Tree::new(game, *root, sampling)?;
    let mut search = Search { game, graph, meter, tree: &mut tree };
    let stopped = search.iterate_all(sampling)?;
    Ok(tree.verdict(graph, stopped))
}

/// A node of the search tree, for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsNode {
    /// The number of the state in the graph.
    pub state: NodeId,
    /// The node above; itself for the root.
    pub parent: usize,
    /// The move from there; none for the root.
    pub mv: Option<MoveId>,
    /// How often the move was tried; of the root, how many plays there were.
    pub tries: u64,
    /// The mean of what came of it, for who made the move; of the root, for who is to move.
    pub mean: f64,
    /// Its value is proved.
    pub settled: bool,
    /// It is on the line of the moves tried most.
    pub best: bool,
}

/// Plays as the engine does: the moves tried, level by level, `most` of them.
///
/// # Errors
/// The failure of an operation of the game; or a limit, if there is nothing to show.
pub fn tried_tree<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    sampling: &Sampling,
    limits: &Limits,
    most: usize,
) -> Result<Vec<MctsNode>, Halt> {
    let root = graph.intern(game, start).map_err(Halt::Stop)?;
    let mut meter = Meter::new(limits, None);
    let mut tree = Tree::new(game, root, sampling)?;
    let mut search = Search { game, graph, meter: &mut meter, tree: &mut tree };
    search.iterate_all(sampling)?;
    Ok(search.tried(most))
}

impl<G: Game> Search<'_, '_, '_, G> {
    /// The moves tried, level by level.
    fn tried(&self, most: usize) -> Vec<MctsNode> {
        let (graph, Tree { bandit, root, .. }) = (&*self.graph, &*self.tree);
        let own = graph.valued_for(*root);
        let mut nodes = vec![MctsNode {
            state: *root,
            parent: 0,
            mv: None,
            tries: bandit.visits(*root),
            mean: bandit.mean(*root, own),
            settled: bandit.is_settled(*root),
            best: true,
        }];
        let mut next = 0;
        while let Some(&MctsNode { state, best, .. }) = nodes.get(next) {
            if !graph.is_known(state) || graph.known_edges(state).is_empty() {
                next += 1;
                continue;
            }
            let chosen = bandit.best(graph, state, self.side(state)).filter(|_| best);
            let mover = graph.valued_for(state);
            for edge in graph.edges_of(state) {
                let tries = bandit.tries(edge);
                if tries == 0 || nodes.len() >= most {
                    continue;
                }
                let to = graph.successor(edge);
                nodes.push(MctsNode {
                    state: to,
                    parent: next,
                    mv: Some(graph.edge_at(edge).mv),
                    tries,
                    mean: bandit.mean(to, mover),
                    settled: bandit.is_settled(to),
                    best: chosen == Some(edge),
                });
            }
            next += 1;
        }
        nodes
    }
}
