//! The shortest win and the longest defence: which of equal moves to make, and how far the end is.
//!
//! The value at a depth says what a player can force, not how soon, and the first move that reaches it may lead
//! round for ever. Here the depth grows from one move on, and a state at the depth where the game goes on counts as
//! the worst for the player who may win. So the first depth at which that player still forces a win is the length of
//! the shortest one. The winner takes the first move that keeps to it, the loser the first from which the win is not
//! forced a move sooner; the line of these moves is as long as the distance.
//!
//! Where the value is an estimate, a win is looked for all the same, among few nodes: the game may be over where
//! the depth ends, or an estimate may hide the win.

use super::graph::{GraphOf, NodeId};
use super::interface::{Game, Player};
use super::meter::Meter;
use super::numbered::Numbered;
use super::ply::Horizon;
use super::pvs::Search;
use super::report::{Proof, Verdict};
use super::transposition::Window;
use super::value::Value;
use crate::limits::Limits;
use crate::space::MoveId;

/// Nodes that it may take to find how far the end of a proved win is, and how many times those of the search before.
const PROVED: (u64, u64) = (200_000, 4);

/// Nodes that it may take to find a win where the value is an estimate, and what part of those of the search before.
const ESTIMATED: (u64, u64) = (2_000, 4);

/// Moves of the longest win that is looked for.
const FARTHEST: u32 = 500;

/// What a verdict is to be settled by.
pub(super) struct Request<'l> {
    /// The depth that the verdict belongs to.
    pub depth: Option<u32>,
    /// Its value says who wins, not how much.
    pub sign_only: bool,
    /// Nodes of the search before.
    pub nodes: u64,
    /// What is left of the limits.
    pub limits: &'l Limits,
}

/// Gives a verdict the move of the shortest win or of the longest defence, the line and the distance, as far as the
/// limits allow. A draw is left as it is.
pub(super) fn settle<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    verdict: &mut Verdict<G::Value>,
    request: &Request<'_>,
) {
    let zero = G::Value::ZERO;
    if !applies(game) || verdict.exact && verdict.value == Some(zero) {
        return;
    }
    let nodes = match verdict.exact {
        true => PROVED.0.max(request.nodes.saturating_mul(PROVED.1)),
        false => ESTIMATED.0.max(request.nodes / ESTIMATED.1),
    };
    let limits = Limits { depth: None, nodes: Some(nodes), ..request.limits.clone() };
    let deepest = request.depth.unwrap_or(FARTHEST).min(FARTHEST);
    for own in [true, false] {
        let value = verdict.value.map(|value| if own { value } else { value.negated() });
        let proved = value.filter(|_| verdict.exact);
        if proved.is_some_and(|value| value < zero) {
            continue;
        }
        let mut meter = Meter::new(&limits, None);
        let memory = meter.memory();
        let enough = proved.filter(|_| !request.sign_only).unwrap_or(above(zero));
        let game = Numbered::new(game, graph, memory);
        let mut seeker = Seeker::new(game, (root, own, enough), &mut meter);
        let Some((won, line)) = seeker.win(root, deepest) else { continue };
        // Of wins that differ a greater one may lie behind the estimate.
        if proved.is_none() && !seeker.all_alike() && value.is_some_and(|value| value > won) {
            continue;
        }
        match &mut verdict.means {
            Some(means) => means.proof = Some(if own { Proof::Won } else { Proof::Lost }),
            None => {
                // Where it was an estimate a greater win may lie beyond the depth: the value is at least this.
                verdict.value = Some(if own { won } else { won.negated() });
            }
        }
        verdict.best = line.first().copied();
        verdict.distance = Some(line.len() as u32);
        verdict.played = Some(line);
        (verdict.depth, verdict.stopped) = (None, None);
        return;
    }
}

/// Whether what one player wins the other loses, and nothing falls by chance.
fn applies<G: Game>(game: &G) -> bool {
    game.players() == 2 && !game.is_general_sum() && !game.has_chance()
}

/// The least value that is greater.
fn above<V: Value>(value: V) -> V {
    value.negated().below().negated()
}

/// Looks for wins of a player.
struct Seeker<'g, 'm, G: Game> {
    game: Numbered<'g, G>,
    search: Search<Numbered<'g, G>>,
    winner: Player,
    /// The least value that is a win.
    enough: G::Value,
    meter: &'m mut Meter<'g>,
}

/// The value of a win, and best play of both to its end.
type Win<G> = (<G as Game>::Value, Vec<MoveId>);

impl<'g, 'm, G: Game> Seeker<'g, 'm, G> {
    fn new(
        game: Numbered<'g, G>,
        (root, own, enough): (NodeId, bool, G::Value),
        meter: &'m mut Meter<'g>,
    ) -> Self {
        let mover = game.player(&root);
        let winner = if own { mover } else { 1 - mover };
        let mut search = Search::new(0, meter);
        search.horizon = Some(Horizon::against(winner));
        Self { game, search, winner, enough, meter }
    }

    /// Whether all wins met are worth the same.
    fn all_alike(&self) -> bool {
        self.search.horizon.as_ref().is_some_and(Horizon::all_alike)
    }

    /// The shortest win within so many moves; `None` too if a limit strikes or a rule fails.
    fn win(&mut self, root: NodeId, deepest: u32) -> Option<Win<G>> {
        for depth in 1..=deepest {
            if let Some(won) = self.forced(root, depth, self.enough)? {
                return Some((won, self.line(root, depth, deepest)?));
            }
        }
        None
    }

    /// What the winner gets at least, if so much is forced within so many moves.
    fn forced(&mut self, state: NodeId, depth: u32, enough: G::Value) -> Option<Option<G::Value>> {
        let wins = self.game.player(&state) == self.winner;
        let low = if wins { enough.below() } else { enough.negated() };
        let window = Window::above(low);
        let found = self.search.value(&mut self.game, &state, depth, window, self.meter).ok()?;
        let value = if wins { found.value } else { found.value.negated() };
        Some((value >= enough).then_some(value))
    }

    /// Best play from a state where a win is forced within `depth` moves, and not sooner; the loser must not lose more
    /// within the `deepest`.
    fn line(&mut self, mut state: NodeId, depth: u32, deepest: u32) -> Option<Vec<MoveId>> {
        let (enough, mut line) = (self.enough, Vec::new());
        let more = above(enough);
        for left in (0..depth).rev() {
            let mut moves = Vec::new();
            self.game.moves(&state, &mut moves).ok()?;
            let wins = self.game.player(&state) == self.winner;
            let mut chosen = None;
            for (mv, to) in moves {
                let good = if wins {
                    self.forced(to, left, enough)?.is_some()
                } else {
                    (left == 0 || self.forced(to, left - 1, enough)?.is_none())
                        && (self.all_alike()
                            || self.forced(to, deepest - (depth - left), more)?.is_none())
                };
                if good {
                    chosen = Some((mv, to));
                    break;
                }
            }
            let (mv, to) = chosen?;
            line.push(mv);
            state = to;
        }
        Some(line)
    }
}
