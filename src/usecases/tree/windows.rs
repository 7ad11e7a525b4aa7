//! Alpha-beta: windows, values, and the branches it left out.

use super::TreeRequest;
use super::builder::Builder;
use super::prospects::{sum_remark, value_shown};
use super::report::{NodeKind, Size, TreeReport};
use rustc_hash::FxHashMap;
use zug_domain::game::{GameSpace, GameValue, RuleValue};
use zug_domain::{Number, Packed};
use zug_search::StateId;
use zug_search::game::{Expected, Game, Note, Source, Trace, Value};

type Notes = Trace<StateId, Packed, GameValue>;
/// What a value of the engine means to the rules.
type Meant<'m> = &'m dyn Fn(Expected) -> Expected;

/// A node, with what became of it the last time.
struct VisitedNode {
    state: Packed,
    parent: usize,
    mv: Option<StateId>,
    alpha: GameValue,
    beta: GameValue,
    visits: u32,
    value: Option<GameValue>,
    source: Option<Source>,
    /// Its moves, if it was searched.
    moves: Vec<(StateId, Packed)>,
    children: FxHashMap<u32, usize>,
    cut: bool,
    /// It was never visited.
    pruned: bool,
    /// What happened to it: places among the events.
    events: Vec<usize>,
}

/// Something to be shown as a step: a node entered, or left with a value.
enum Event {
    Entered(usize, (GameValue, GameValue)),
    Left(usize, GameValue, (GameValue, GameValue), Option<Source>, bool),
}

fn seen(state: Packed, parent: usize, mv: Option<StateId>) -> VisitedNode {
    VisitedNode {
        state,
        parent,
        mv,
        alpha: GameValue::LEAST,
        beta: GameValue::GREATEST,
        visits: 0,
        value: None,
        source: None,
        moves: Vec::new(),
        children: FxHashMap::default(),
        cut: false,
        pruned: false,
        events: Vec::new(),
    }
}

/// The nodes of a trace, parents before children, and what happened to them.
fn replay(start: &Packed, trace: &Notes) -> (Vec<VisitedNode>, Vec<Event>) {
    let mut nodes = vec![seen(start.clone(), 0, None)];
    let mut events = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    let mut at = 0;
    for note in &trace.notes {
        match note {
            Note::Visit { at: number, alpha, beta, .. } => {
                at = match stack.last() {
                    None => 0,
                    Some(&above) => match nodes[above].children.get(number) {
                        Some(&known) => known,
                        None => {
                            let (mv, state) = nodes[above].moves[*number as usize].clone();
                            let new = nodes.len();
                            nodes.push(seen(state, above, Some(mv)));
                            nodes[above].children.insert(*number, new);
                            new
                        }
                    },
                };
                let node = &mut nodes[at];
                (node.alpha, node.beta) = (*alpha, *beta);
                node.visits += 1;
                node.events.push(events.len());
                events.push(Event::Entered(at, (*alpha, *beta)));
            }
            Note::Known { value, from } => {
                let node = &mut nodes[at];
                (node.value, node.source) = (Some(*value), Some(*from));
                events.push(Event::Left(at, *value, (node.alpha, node.beta), Some(*from), false));
            }
            Note::Open(moves) => {
                nodes[at].moves.clone_from(moves);
                nodes[at].source = None;
                stack.push(at);
            }
            Note::Close { value, cut } => {
                let Some(closed) = stack.pop() else { continue };
                let node = &mut nodes[closed];
                (node.value, node.cut) = (Some(*value), *cut);
                events.push(Event::Left(closed, *value, (node.alpha, node.beta), None, *cut));
            }
        }
    }
    (nodes, events)
}

/// The tree of a trace.
pub(super) fn tree(
    space: &mut GameSpace<'_>,
    start: &Packed,
    trace: &Notes,
    request: &TreeRequest,
) -> TreeReport {
    let meant = space.0.meaning();
    let (mut nodes, events) = replay(start, trace);
    let visited = nodes.len();
    let mut pruned = 0u64;
    for at in 0..visited {
        if !nodes[at].cut {
            continue;
        }
        for number in 0..nodes[at].moves.len() {
            if nodes[at].children.contains_key(&(number as u32)) {
                continue;
            }
            pruned += 1;
            if request.marks.pruned && nodes.len() < visited + request.max_nodes {
                let (mv, state) = nodes[at].moves[number].clone();
                nodes.push(VisitedNode { pruned: true, ..seen(state, at, Some(mv)) });
            }
        }
    }
    let mut builder = Builder::default();
    let most = request.max_nodes;
    let path = best_path(&nodes[..visited]);
    // First the nodes on the line of best play, then what was visited first, each with the
    // branches cut beside it.
    let drawn = choose(&nodes, visited, &path, most);
    let mut hidden = vec![0u64; nodes.len()];
    for at in (1..visited).rev() {
        if !drawn[at] {
            hidden[nodes[at].parent] += 1 + hidden[at];
        }
    }
    let mut made: Vec<Option<usize>> = vec![None; nodes.len()];
    let state = builder.state(space, &nodes[0].state, false);
    made[0] = Some(builder.node(state, None, 0));
    for event in &events {
        match event {
            Event::Entered(at, window) => {
                let seen = &nodes[*at];
                if !drawn[*at] {
                    continue;
                }
                let step = builder.report.steps.len() + 1;
                let node = match made[*at] {
                    Some(node) => node,
                    None => {
                        let Some(node) = child(&mut builder, space, &made, seen, step) else {
                            continue;
                        };
                        made[*at] = Some(node);
                        node
                    }
                };
                let term = builder.report.states[builder.report.nodes[node].state].term.clone();
                let window = window_text(*window, &meant);
                if builder.report.nodes[node].order.is_none() {
                    builder.expand(node, |order| format!("{order}: {term}, window {window}"));
                } else {
                    builder.step(node, format!("again {term}, window {window}"));
                }
            }
            Event::Left(at, value, window, source, cut) => {
                let Some(node) = made[*at].filter(|_| drawn[*at]) else { continue };
                let term = builder.report.states[builder.report.nodes[node].state].term.clone();
                let exact = *source == Some(Source::Leaf);
                let text = value_text(*value, *window, exact, &meant);
                let why = match (source, cut) {
                    (Some(Source::Table), _) => ", from the table",
                    (Some(Source::Successor), _) => ", since the table knows a move that cuts",
                    (_, true) => ": beta is reached, what is left of its moves is cut",
                    _ => "",
                };
                let step = builder.step(node, format!("{term}: value {text}{why}"));
                let notes = &mut builder.report.nodes[node].notes;
                notes.retain(|note| note.name != "v" && note.name != "window");
                builder.note(node, "v", text, step);
                builder.note(node, "window", window_text(*window, &meant), step);
                if *cut {
                    for (number, stub) in nodes.iter().enumerate().skip(visited) {
                        if stub.parent == *at && drawn[number] && made[number].is_none() {
                            made[number] = child(&mut builder, space, &made, stub, step);
                        }
                    }
                }
            }
        }
    }
    for (at, seen) in nodes.iter().enumerate() {
        let Some(node) = made[at] else { continue };
        let shown = &mut builder.report.nodes[node];
        if seen.pruned {
            shown.kind = NodeKind::Pruned;
        }
        shown.hidden = (hidden[at] > 0).then(|| hidden[at].to_string());
        shown.path = path.contains(&at) && request.marks.pv;
        if seen.visits > 1 {
            let times = seen.visits.to_string();
            builder.detail(node, "visits", times, 0);
        }
        if let Some(source) = seen.source {
            let words = match source {
                Source::Table => "the transposition table",
                Source::Successor => "a successor in the table that cuts",
                Source::Leaf => "the end of play, or the heuristic at the depth",
            };
            builder.detail(node, "value from", words.to_owned(), 0);
        }
        if !seen.pruned {
            let over = space.0.is_over(&seen.state).unwrap_or(false);
            let state = builder.report.nodes[node].state;
            builder.report.states[state].end |= over;
        }
    }
    for edge in &mut builder.report.edges {
        edge.path = builder.report.nodes[edge.to].path && builder.report.nodes[edge.from].path;
    }
    let mut report = builder.finish(space);
    report.size = Size::Exact((visited as u64 + pruned).to_string());
    let mut words = "Values and windows are those of the player to move. `> 3?`: asked only \
                     whether there is more than 3."
        .to_owned();
    if trace.searches > 1 {
        let depth = match trace.depth {
            u32::MAX => "to the ends of all plays".to_owned(),
            depth => format!("to depth {depth}"),
        };
        words += &format!(
            " The last of {} searches, {depth}; the table knows the others.",
            trace.searches
        );
    }
    report.remarks.push(words);
    report.remarks.extend(sum_remark(&space.0));
    if trace.missing > 0 {
        report.remarks.push("The search was longer than can be kept for a tree.".to_owned());
    }
    report
}

/// Adds a node below its parent, if that is there.
fn child(
    builder: &mut Builder,
    space: &mut GameSpace<'_>,
    made: &[Option<usize>],
    seen: &VisitedNode,
    step: usize,
) -> Option<usize> {
    let parent = made[seen.parent]?;
    let state = builder.state(space, &seen.state, false);
    let node = builder.node(state, Some(parent), step);
    let moves = seen.mv.iter().map(|&mv| builder.mv(space, mv)).collect();
    builder.edge(parent, node, moves);
    Some(node)
}

/// Which nodes are drawn.
fn choose(nodes: &[VisitedNode], visited: usize, path: &[usize], most: usize) -> Vec<bool> {
    let mut drawn = vec![false; nodes.len()];
    let mut room = most;
    for &at in path {
        drawn[at] = true;
        room = room.saturating_sub(1);
    }
    let mut stubs: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, stub) in nodes.iter().enumerate().skip(visited) {
        stubs.entry(stub.parent).or_default().push(at);
    }
    for at in 0..visited {
        let own = stubs.get(&at).map_or(&[][..], Vec::as_slice);
        let wanted = usize::from(!drawn[at]) + own.len();
        if wanted > room {
            break;
        }
        room -= wanted;
        drawn[at] = true;
        for &stub in own {
            drawn[stub] = true;
        }
    }
    drawn
}

/// The line of best play, as far as the search shows it: from the root the child, searched
/// last, whose value is that of the node.
fn best_path(nodes: &[VisitedNode]) -> Vec<usize> {
    let mut path = vec![0];
    let mut at = 0;
    loop {
        let here = &nodes[at];
        let mut best = None;
        for number in 0..here.moves.len() as u32 {
            let Some(&child) = here.children.get(&number) else { continue };
            let next = &nodes[child];
            let Some(value) = next.value else { continue };
            let turned = next.state.bytes()[0] != here.state.bytes()[0];
            let own = if turned { value.negated() } else { value };
            // Only a whole window gives a value, and not only a bound.
            let exact =
                next.source == Some(Source::Leaf) || value > next.alpha && value < next.beta;
            if exact && Some(own) == here.value {
                best = Some(child);
                break;
            }
        }
        let Some(child) = best else { return path };
        path.push(child);
        at = child;
    }
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
        // The least that is more than 3 is 3 to those who read it.
        Number::Float(value) if (value - value.round()).abs() < 1e-6 => {
            Expected::Float(value.round())
        }
        _ => Expected::of(value),
    }))
}

/// A window; an empty one as the question it asks.
fn window_text((alpha, beta): (GameValue, GameValue), meant: Meant<'_>) -> String {
    let between = beta.as_f64() - alpha.as_f64();
    let whole = matches!(alpha.number(), Number::Int(_)) && matches!(beta.number(), Number::Int(_));
    if between.is_finite() && (between.abs() < 1e-6 || whole && between <= 1.0) {
        // The root may be asked whether its value is that of the search before.
        let next = alpha.negated().below().negated();
        let (asked, of) = if next < beta { ("=", next) } else { (">", alpha) };
        return format!("{asked} {}?", number(of, meant));
    }
    format!("[{}, {}]", number(alpha, meant), number(beta, meant))
}

/// A value, or the bound that it is within a window.
fn value_text(
    value: GameValue,
    (alpha, beta): (GameValue, GameValue),
    exact: bool,
    meant: Meant<'_>,
) -> String {
    let sign = if exact {
        ""
    } else if value >= beta {
        "≥ "
    } else if value <= alpha {
        "≤ "
    } else {
        ""
    };
    format!("{sign}{}", number(value, meant))
}
