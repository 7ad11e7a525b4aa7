//! `alphabeta`: the value and the move of negamax, with few of the nodes.
//!
//! Fail-soft alpha-beta as principal-variation search: the first move of a node is searched
//! with the window it has, the others with an empty one that only asks whether they are
//! better. Iterative deepening fills the transposition table, whose moves are tried first; then
//! those that cut in another search of the states they lead to; then those that cut most often, by name and by what they
//! change, killers, the moves that lately cut at the same ply, a little sooner. The root has the
//! window that its last two values span.
//!
//! Before a node is searched its successors are looked up: one that cuts makes the search
//! needless, and of the others those whose value is known are not visited. Where it pays they are also
//! asked whether the game is over there, so that a win at once is found before anything is searched.
//!
//! # The same value, the same move
//!
//! The value at a depth is that of the textbook, so an entry of the table counts for a search
//! to its own depth only; or, if no estimate went into it, for every depth that its plays end
//! within. A move of the root that comes before the best one in move order is asked whether it is worth as
//! much, not whether it is better: so the first that reaches the value is the move.
//!
//! States are asked about where the search comes by, not numbered in the graph: what is kept
//! of them is in the table. When memory runs short the states with the smallest subtrees give
//! way.
//!
//! Knuth & Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975);
//! Marsland & Campbell, *Parallel search of strongly ordered game trees*, Computing Surveys 14
//! (1982); Plaat et al., *Exploiting graph properties of game trees*, AAAI (1996); Schaeffer, *The history
//! heuristic and alpha-beta search enhancements in practice*, IEEE PAMI 11 (1989).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(40, 3);
//! let start = nim.start(40);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::Alphabeta);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!((report.value, report.best), (Some(1), Some(3)));
//! assert!(report.exact && report.stats.nodes < 1000);
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::graph::{GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::Game;
use super::meter::{Answer, Halt, Meter};
use super::numbered::Numbered;
use super::options::GameOptions;
use super::pvs::{Search, WHOLE};
use super::report::Verdict;
use super::root::{RootSearch, Rooted};
use super::team::Team;
use super::transposition::Window;
use super::value::Value;
use crate::limits::Limits;
use crate::space::MoveId;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "alphabeta",
    title: "alpha-beta",
    summary: "the value and move of negamax with few of its nodes, ever deeper",
    players: PlayersAllowed::Two,
    chance: false,
    threads: true,
    when: "you want to play well",
    reference: "Knuth, Moore 1975",
};

/// Depths tried beyond the one that proved a value, to tell which moves reach it.
const DEEPER: u32 = 100;

/// By how much the depth grows where it is given.
const STEP: u32 = 2;

/// Iterations, and nodes of all of them, after which the moves are ordered well enough to search the whole game.
const ENOUGH: u32 = 4;
const LEARNT: u64 = 1 << 17;

/// The first moves that reach the values, one after the other, from the best one at a root on; as far as they are known
/// when a limit strikes. The counts stay those of the search itself.
fn line_from<G: Game>(
    search: &mut dyn RootSearch<G>,
    game: &mut G,
    mut best: Option<(MoveId, G::State)>,
    depth: u32,
    whole: bool,
    meter: &mut Meter<'_>,
) -> Vec<MoveId> {
    let stats = meter.stats;
    let mut line = Vec::new();
    let mut left = depth;
    while let Some((mv, state)) = best {
        line.push(mv);
        // Best play of the whole game may go on where the depth of the search ends.
        left = left.saturating_sub(1);
        best = best_move(search, game, &state, left, whole, meter);
    }
    meter.stats = stats;
    line
}

/// The move of best play in a state. In the whole game estimates must not choose it: the depth grows until they don't.
fn best_move<G: Game>(
    search: &mut dyn RootSearch<G>,
    game: &mut G,
    state: &G::State,
    left: u32,
    whole: bool,
    meter: &mut Meter<'_>,
) -> Option<(MoveId, G::State)> {
    for deeper in 0..=DEEPER {
        let left = left.saturating_add(deeper);
        let rooted = search.root(game, state, left, Window::WHOLE, meter).ok()?;
        if rooted.exact || !whole {
            return rooted.best;
        }
    }
    None
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let root = graph.state(*root);
    if !game.has_forks() {
        let mut search = Search::new(graph.bytes(), meter);
        return deepen(game, &root, options, &mut search, meter);
    }
    let mut team = Team::new(graph.bytes(), meter);
    let answer = deepen(game, &root, options, &mut team, meter);
    team.disband(game);
    answer
}

/// Searches ever deeper.
fn deepen<G: Game>(
    game: &mut G,
    root: &G::State,
    options: &GameOptions,
    search: &mut dyn RootSearch<G>,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let deepest = options.depth.unwrap_or(u32::MAX);
    let in_hurry = meter.is_limited();
    // To a depth that is sure to be reached every other one is enough, and is better: estimates after as
    // many moves of each player are alike.
    let step = if options.depth.is_some() && !in_hurry { STEP } else { 1 };
    // Without an estimate there is nothing to be learnt from less than the whole.
    let first = deepest.saturating_sub(1) % step + 1;
    let mut depth = if game.has_heuristic() { deepest.min(first) } else { deepest };
    // Where nothing is in a hurry a few iterations order the moves, then comes the whole.
    let whole = options.depth.is_none() && !in_hurry;
    let mut known: Option<(Rooted<G>, u32)> = None;
    let mut before = None;
    let mut stopped = None;
    meter.stats.iterations = 0;
    loop {
        meter.depth = Some(depth).filter(|&depth| depth != u32::MAX);
        meter.stats.iterations += 1;
        let window = match known.as_ref().filter(|_| depth < WHOLE) {
            Some((rooted, _)) => span(rooted.value, before.unwrap_or(rooted.value)),
            None => Window::WHOLE,
        };
        match search.root(game, root, depth, window, meter) {
            Ok(rooted) => {
                let exact = rooted.exact;
                before = known.as_ref().map(|(rooted, _)| rooted.value);
                known = Some((rooted, depth));
                if exact || depth == deepest {
                    break;
                }
                let learnt = depth >= ENOUGH && meter.stats.nodes >= LEARNT;
                depth = if whole && learnt { u32::MAX } else { depth + step };
            }
            // Play that can go round has no whole.
            Err(Halt::Stop(reason)) if known.is_some() => {
                stopped = Some(reason);
                break;
            }
            Err(halt) => return Err(halt),
        }
    }
    let (rooted, depth) = known.expect("an iteration was finished");
    let Rooted { value, best, exact } = rooted;
    let whole = exact && options.depth.is_none();
    Ok(Verdict {
        value: Some(value),
        best: best.as_ref().map(|&(mv, _)| mv),
        played: Some(line_from(search, game, best, options.depth.unwrap_or(depth), whole, meter)),
        exact,
        depth: (!exact).then_some(depth),
        stopped: stopped.filter(|_| !exact),
        ..Verdict::default()
    })
}

/// The line of best play from a node, for engines that keep none; what there is of it when
/// the time is over.
pub(super) fn line<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    depth: Option<u32>,
    limits: &Limits,
) -> Vec<MoveId> {
    let limits = Limits { nodes: None, depth: None, ..limits.clone() };
    let mut meter = Meter::new(&limits, None);
    let mut search = Search::new(graph.bytes(), &meter);
    // What was asked already is not asked again.
    let mut game = Numbered::new(game, graph, meter.memory());
    let depth = depth.unwrap_or(u32::MAX);
    match search.root(&mut game, &root, depth, Window::WHOLE, &mut meter) {
        Ok(rooted) => line_from(&mut search, &mut game, rooted.best, depth, false, &mut meter),
        Err(_) => Vec::new(),
    }
}

/// The window that two values span, and no more: the value that comes next lies there if it changes little,
/// however large values are.
fn span<V: Value>(last: V, before: V) -> Window<V> {
    let beta = Window::above(last.max(before)).beta;
    Window { alpha: last.min(before).below(), beta }
}
