//! Alpha-beta as textbooks teach it: windows, values, and the branches it cuts off.

use super::TreeRequest;
use super::builder::{Builder, hidden};
use super::prospects::{sum_remark, value_shown};
use super::report::{NodeKind, Size, TreeReport};
use rustc_hash::FxHashMap;
use zug_domain::game::{GameSpace, GameValue, RuleValue};
use zug_domain::{Number, Packed};
use zug_search::StateId;
use zug_search::game::textbook::{AlphaBetaNode, AlphaBetaTree};
use zug_search::game::{Expected, Game, Value};

type Node = AlphaBetaNode<Packed, GameValue>;
type Nodes = AlphaBetaTree<Packed, GameValue>;
/// What a value of the engine means to the rules.
type Meant<'m> = &'m dyn Fn(Expected) -> Expected;

/// What happens to a node: it is entered, or left with a value.
enum Event {
    Entered(usize),
    Left(usize),
}

/// What happens to nodes that stand in the order in which they are entered.
fn events(nodes: &[Node]) -> Vec<Event> {
    let mut events = Vec::with_capacity(2 * nodes.len());
    let mut path: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        while path.last().is_some_and(|&last| at > 0 && last != node.parent) {
            events.extend(path.pop().map(Event::Left));
        }
        events.push(Event::Entered(at));
        path.push(at);
    }
    events.extend(path.into_iter().rev().map(Event::Left));
    events
}

/// A branch that was cut off.
struct Stub {
    parent: usize,
    mv: StateId,
    state: Packed,
}

/// The tree of a search.
pub(super) fn tree(space: &mut GameSpace<'_>, found: &Nodes, request: &TreeRequest) -> TreeReport {
    let meant = space.0.meaning();
    let nodes = &found.nodes;
    let mut pruned = 0u64;
    let mut stubs: Vec<Stub> = Vec::new();
    for (parent, node) in nodes.iter().enumerate().filter(|(_, node)| node.value.is_some()) {
        for (mv, state) in &node.moves[node.tried..] {
            pruned += 1;
            if request.marks.pruned && stubs.len() < request.most_nodes() {
                stubs.push(Stub { parent, mv: *mv, state: state.clone() });
            }
        }
    }
    let path = best_path(nodes);
    // First the nodes on the line of best play, then what was visited first, each with the
    // branches cut beside it.
    let drawn = choose(nodes, &stubs, &path, request.most_nodes());
    let mut hidden = hidden(&drawn, |at| nodes[at].parent);
    let mut builder = Builder::default();
    let mut made: Vec<Option<usize>> = vec![None; nodes.len()];
    for event in events(nodes) {
        match event {
            Event::Entered(at) if drawn[at] => {
                let step = if at == 0 { 0 } else { builder.report.steps.len() + 1 };
                let seen = &nodes[at];
                let above = (at > 0).then(|| made[seen.parent]).flatten();
                if at > 0 && above.is_none() {
                    continue;
                }
                let node = child(&mut builder, space, above, (&seen.state, seen.mv), step);
                made[at] = Some(node);
                let term = builder.term(node);
                let window = window_text((seen.alpha, seen.beta), &meant);
                builder.expand(node, |order| format!("{order}: {term}, window {window}"));
            }
            Event::Left(at) if drawn[at] => {
                let seen = &nodes[at];
                let (Some(node), Some(value)) = (made[at], seen.value) else { continue };
                let term = builder.term(node);
                let is_leaf = seen.moves.is_empty();
                let is_cut = seen.tried < seen.moves.len();
                let text = value_text(value, (seen.alpha, seen.beta), is_leaf, &meant);
                let why = match (is_leaf, is_cut) {
                    (true, _) => ", the end of play, or the heuristic at the depth",
                    (_, true) => ": beta is reached, its other moves are cut off",
                    _ => "",
                };
                let step = builder.step(node, format!("{term}: value {text}{why}"));
                builder.note(node, "v", text, step);
                builder.note(node, "window", window_text((seen.alpha, seen.beta), &meant), step);
                if is_cut {
                    for stub in stubs.iter().filter(|stub| stub.parent == at) {
                        let of = (&stub.state, Some(stub.mv));
                        let cut = child(&mut builder, space, Some(node), of, step);
                        builder.report.nodes[cut].kind = NodeKind::Pruned;
                    }
                }
            }
            _ => {}
        }
    }
    for (at, seen) in nodes.iter().enumerate() {
        let Some(node) = made[at] else { continue };
        let shown = &mut builder.report.nodes[node];
        shown.hidden = hidden[at].take();
        shown.path = path.contains(&at) && request.marks.pv;
        let over = space.0.is_over(&seen.state).unwrap_or(false);
        let state = builder.report.nodes[node].state;
        builder.report.states[state].end |= over;
    }
    builder.path_edges();
    let mut report = builder.finish(space);
    let size = (nodes.len() as u64 + found.missing + pruned).to_string();
    report.size = if found.is_cut_short { Size::More(size) } else { Size::Exact(size) };
    if found.is_cut_short {
        report.stopped = Some(zug_search::StopReason::Nodes);
        report
            .remarks
            .push("The limit of nodes ended this tree: nodes on the line that was open have no values yet.".to_owned());
    }
    report.remarks.push(
        "Alpha-beta by the book: moves in move order, nothing kept. Values and windows are those of the player to \
         move; the engine finds the same value among fewer nodes."
            .to_owned(),
    );
    report.remarks.extend(sum_remark(&space.0));
    if found.missing > 0 {
        report.remarks.push("The search was longer than can be kept for a tree.".to_owned());
    }
    report
}

/// Adds a node, below its parent if it has one.
fn child(
    builder: &mut Builder,
    space: &mut GameSpace<'_>,
    parent: Option<usize>,
    (state, mv): (&Packed, Option<StateId>),
    step: usize,
) -> usize {
    let state = builder.state(space, state, false);
    let node = builder.node(state, parent, step);
    if let Some(parent) = parent {
        builder.edge(space, (parent, node), &mv);
    }
    node
}

/// Which nodes are drawn.
fn choose(nodes: &[Node], stubs: &[Stub], path: &[usize], most: usize) -> Vec<bool> {
    let mut drawn = vec![false; nodes.len()];
    let mut room = most;
    for &at in path {
        drawn[at] = true;
        room = room.saturating_sub(1);
    }
    let mut beside: FxHashMap<usize, usize> = FxHashMap::default();
    for stub in stubs {
        *beside.entry(stub.parent).or_default() += 1;
    }
    for (at, drawn) in drawn.iter_mut().enumerate() {
        let wanted = usize::from(!*drawn) + beside.get(&at).copied().unwrap_or(0);
        if wanted > room {
            break;
        }
        room -= wanted;
        *drawn = true;
    }
    drawn
}

/// The line of best play: from the root on the first child that has the value of its parent.
fn best_path(nodes: &[Node]) -> Vec<usize> {
    let mut path = vec![0];
    for (at, node) in nodes.iter().enumerate().skip(1) {
        let Some(&last) = path.last() else { break };
        let above = &nodes[last];
        if node.parent != last || at == last {
            continue;
        }
        let turned = node.state.bytes()[0] != above.state.bytes()[0];
        let own = node.value.map(|value| if turned { value.negated() } else { value });
        if own.is_some() && own == above.value {
            path.push(at);
        }
    }
    path
}

/// A value on the scale of the engine, as `meant` makes it one of the rules.
fn number(value: GameValue, meant: Meant<'_>) -> String {
    if value == GameValue::LEAST {
        return "−∞".to_owned();
    }
    if value == GameValue::GREATEST {
        return "∞".to_owned();
    }
    value_shown(&meant(match value.number() {
        Number::Float(value) if (value - value.round()).abs() < 1e-6 => {
            Expected::Float(value.round())
        }
        _ => Expected::of(value),
    }))
}

fn window_text((alpha, beta): (GameValue, GameValue), meant: Meant<'_>) -> String {
    format!("[{}, {}]", number(alpha, meant), number(beta, meant))
}

/// A value, or the bound that it is within a window.
fn value_text(
    value: GameValue,
    (alpha, beta): (GameValue, GameValue),
    is_leaf: bool,
    meant: Meant<'_>,
) -> String {
    let sign = match is_leaf {
        true => "",
        false if value >= beta => "≥ ",
        false if value <= alpha => "≤ ",
        false => "",
    };
    format!("{sign}{}", number(value, meant))
}
