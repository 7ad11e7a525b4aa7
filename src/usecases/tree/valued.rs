//! Minimax and its like: every play followed to a depth, values backed up.
//!
//! The engines ask about each state once and keep nothing of the tree, so it is made a second
//! time, as they walk through it: depth first, in move order.

use super::TreeRequest;
use super::plain::{UnfoldedStates, Unfolding};
use super::prospects::value_shown;
use super::report::{Form, Note, Step, TreeReport};
use zug_domain::game::GameSpace;
use zug_domain::{Packed, RuleError};
use zug_search::game::{CHANCE, Expected, Game, GameEngine, Player};
use zug_search::{Limits, StateId, StopReason};

/// What a state is worth to each player at some depth, and which move reaches it.
#[derive(Clone)]
struct StateValue {
    values: Vec<Expected>,
    best: Option<usize>,
}

/// The tree of one of these engines.
///
/// # Errors
/// An error in a rule.
pub(super) fn tree(
    space: &mut GameSpace<'_>,
    start: &Packed,
    engine: GameEngine,
    request: &TreeRequest,
    limits: &Limits,
) -> Result<Result<TreeReport, StopReason>, Box<RuleError>> {
    let full = TreeRequest { form: Form::Full, ..request.clone() };
    let plain = Unfolding { request: &full, symmetry: None };
    let limits = Limits { nodes: None, ..limits.clone() };
    let laid = match plain.lay(space, start, &limits)? {
        Ok(laid) => laid,
        Err(reason) => return Ok(Err(reason)),
    };
    if laid.stopped.is_some() {
        let (mut report, _) = plain.tree(space, &laid, false, &[]);
        let remark = "There are too many states to show their values; --depth D looks less far.";
        report.remarks.push(remark.to_owned());
        return Ok(Ok(report));
    }
    let every = engine == GameEngine::Maxn || space.0.players() > 2;
    let worths = StateValues::of(space, &laid, request.limits.depth, every)?;
    let line = if request.marks.pv { worths.line(&laid) } else { Vec::new() };
    let (mut report, ids) = plain.tree(space, &laid, false, &line);
    let root = space.0.valued_for(start);
    likely(space, &laid, &mut report, &ids)?;
    let texts: Vec<Option<String>> = report
        .nodes
        .iter()
        .zip(&ids)
        .map(|(node, &id)| {
            let worth = worths.at(id, node.depth)?;
            let player = match engine {
                // What one of two wins the other loses: each looks for their own.
                GameEngine::Negamax => space.0.valued_for(laid.state(id)),
                _ => root,
            };
            let text = value_shown;
            if engine == GameEngine::Maxn {
                let all: Vec<String> = worth.values.iter().map(text).collect();
                return Some(all.join(", "));
            }
            worth.values.get(usize::from(player)).map(text)
        })
        .collect();
    depth_first(&mut report, &texts);
    if request.marks.pv {
        follow(&mut report, |at, depth| worths.at(ids[at], depth)?.best);
    }
    let whose = match engine {
        GameEngine::Negamax => Some("Values are those to the player to move.".to_owned()),
        GameEngine::Maxn => None,
        _ => {
            let name = report.players.get(usize::from(root));
            name.map(|name| format!("Values are those to {name}."))
        }
    };
    report.remarks.extend(whose);
    Ok(Ok(report))
}

/// Says on the edges where chance moves how likely they are.
fn likely(
    space: &mut GameSpace<'_>,
    laid: &UnfoldedStates,
    report: &mut TreeReport,
    ids: &[StateId],
) -> Result<(), Box<RuleError>> {
    let mut edges = 0;
    // The edges of a node lie together, in the order of its moves.
    while let Some(edge) = report.edges.get(edges) {
        let id = ids[edge.from];
        let from = edge.from;
        let count = report.edges[edges..].iter().take_while(|edge| edge.from == from).count();
        if space.0.player(laid.state(id)) == CHANCE {
            let moves: Vec<StateId> = laid.arcs(id).iter().map(|arc| arc.mv).collect();
            let chances = space.0.probabilities(laid.state(id), &moves)?;
            for (edge, chance) in report.edges[edges..edges + count].iter_mut().zip(&*chances) {
                edge.cost = Some(chance.to_string());
            }
        }
        edges += count;
    }
    Ok(())
}

/// Values by depth left and state; by state alone where play is followed to its end.
struct StateValues {
    depth: Option<u32>,
    by_left: Vec<Vec<Option<StateValue>>>,
}

impl StateValues {
    fn of(
        space: &mut GameSpace<'_>,
        laid: &UnfoldedStates,
        depth: Option<u32>,
        every: bool,
    ) -> Result<StateValues, Box<RuleError>> {
        let order = laid.ends_first();
        // No play is longer than there are states, unless it goes round.
        let whole = order.filter(|_| depth.is_none_or(|depth| depth as usize >= laid.len()));
        let mut worths = StateValues { depth, by_left: Vec::new() };
        if let Some(order) = whole {
            worths.depth = None;
            let mut known: Vec<Option<StateValue>> = vec![None; laid.len()];
            for id in order {
                known[id as usize] = Some(worth(space, laid, id, None, &known, every)?);
            }
            worths.by_left.push(known);
            return Ok(worths);
        }
        let Some(depth) = depth else { return Ok(worths) };
        for left in 0..=depth {
            let mut known: Vec<Option<StateValue>> = vec![None; laid.len()];
            let none = Vec::new();
            let below = worths.by_left.last().unwrap_or(&none);
            for id in 0..laid.len() as StateId {
                if laid.depth(id) <= depth - left {
                    known[id as usize] = Some(worth(space, laid, id, Some(left), below, every)?);
                }
            }
            worths.by_left.push(known);
        }
        Ok(worths)
    }

    /// The places of the best moves, one after the other, from the root on.
    fn line(&self, laid: &UnfoldedStates) -> Vec<usize> {
        let (mut line, mut state) = (Vec::new(), 0);
        // Play that goes round has no end.
        while line.len() < laid.len()
            && let Some(best) = self.at(state, line.len() as u32).and_then(|worth| worth.best)
            && let Some(arc) = laid.arcs(state).get(best)
        {
            line.push(best);
            state = arc.to;
        }
        line
    }

    /// What a state is worth at a depth of the tree.
    fn at(&self, id: StateId, depth: u32) -> Option<&StateValue> {
        let left = match self.depth {
            Some(most) => most.checked_sub(depth)? as usize,
            None => 0,
        };
        self.by_left.get(left)?.get(id as usize)?.as_ref()
    }
}

fn worth(
    space: &mut GameSpace<'_>,
    laid: &UnfoldedStates,
    id: StateId,
    left: Option<u32>,
    below: &[Option<StateValue>],
    every: bool,
) -> Result<StateValue, Box<RuleError>> {
    let (game, state) = (&mut space.0, laid.state(id));
    let over = laid.is_goal(id);
    let (players, own) = (game.players(), game.valued_for(state));
    if left == Some(0) || over {
        // As engines do: at the depth the estimate, unless the end is all that is known.
        let estimate = left == Some(0) && (game.has_heuristic() || !over);
        let each = game.is_general_sum() || !estimate && !game.is_zero_sum();
        let mut ask = |player: Player| {
            let value =
                if estimate { game.heuristic(state, player) } else { game.utility(state, player) };
            value.map(Expected::of)
        };
        let players = players as Player;
        let mut values = Vec::with_capacity(usize::from(players));
        if every || players != 2 || each {
            for player in 0..players {
                values.push(ask(player)?);
            }
        } else {
            // What one wins the other loses: the player to move is asked for alone.
            let value = ask(own)?;
            let other = space.0.rest_of(&value);
            values.extend(if own == 0 { [value, other] } else { [other, value] });
        }
        return Ok(StateValue { values, best: None });
    }
    let arcs = laid.arcs(id);
    let successors: Vec<&StateValue> =
        arcs.iter().filter_map(|arc| below[arc.to as usize].as_ref()).collect();
    let mover = game.player(state);
    if mover == CHANCE {
        let moves: Vec<StateId> = arcs.iter().map(|arc| arc.mv).collect();
        let chances = game.probabilities(state, &moves)?;
        let width = successors.first().map_or(0, |worth| worth.values.len());
        let mean = |player: usize| {
            let parts = chances.iter().zip(&successors);
            parts.fold(Expected::zero(), |sum, (chance, worth)| {
                sum.plus(&chance.times(&worth.values[player]))
            })
        };
        return Ok(StateValue { values: (0..width).map(mean).collect(), best: None });
    }
    let own = usize::from(mover);
    let mut best: Option<usize> = None;
    for (at, worth) in successors.iter().enumerate() {
        let better = best.is_none_or(|best| {
            worth.values[own].minus(&successors[best].values[own]).is_positive()
        });
        if better {
            best = Some(at);
        }
    }
    let values = best.map(|best| successors[best].values.clone()).unwrap_or_default();
    Ok(StateValue { values, best })
}

/// Steps as a walk depth first takes them; values are known when a node is left.
fn depth_first(report: &mut TreeReport, texts: &[Option<String>]) {
    let children = report.children();
    report.steps.clear();
    let mut stack = vec![(0, true)];
    let mut order = 0;
    while let Some((at, enter)) = stack.pop() {
        let term = report.states[report.nodes[at].state].term.clone();
        let value = texts[at].clone();
        let leaf = children[at].is_empty();
        if enter {
            order += 1;
            let words = match &value {
                Some(value) if leaf => format!("{order}: {term} is worth {value}"),
                _ => format!("{order}: to {term}"),
            };
            report.steps.push(Step { node: at, text: words });
            let step = report.steps.len();
            let node = &mut report.nodes[at];
            (node.step, node.order, node.done) = (step, Some(order), Some(step));
            if !leaf {
                stack.push((at, false));
                stack.extend(children[at].iter().rev().map(|&child| (child, true)));
                continue;
            }
        } else if let Some(value) = &value {
            let text = format!("back in {term}, which is worth {value}");
            report.steps.push(Step { node: at, text });
        }
        if let Some(value) = value {
            let step = report.steps.len();
            report.nodes[at].notes.push(Note { name: "v", value, step, shown: true });
        }
    }
    report.nodes[0].step = 0;
}

/// Marks the moves that are best, one after the other.
fn follow(report: &mut TreeReport, best: impl Fn(usize, u32) -> Option<usize>) {
    let children = report.children();
    let mut at = 0;
    loop {
        report.nodes[at].path = true;
        let next = best(at, report.nodes[at].depth);
        // Below the cut of the tree the line has nothing beside it.
        let below = |next| match children[at].as_slice() {
            [only] => Some(only),
            all => all.get(next),
        };
        let Some(&child) = next.and_then(below) else { break };
        if let Some(edge) = report.edges.iter_mut().find(|edge| edge.to == child) {
            edge.path = true;
        }
        at = child;
    }
}
