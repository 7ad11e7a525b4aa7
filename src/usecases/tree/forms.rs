//! A tree that is there, with equal states drawn once.

use super::report::{Form, NodeKind, TreeReport};
use rustc_hash::FxHashMap;

/// Brings a tree of every occurrence into another form.
pub(super) fn reform(report: &mut TreeReport, form: Form) {
    report.form = form;
    match form {
        Form::Full => {}
        Form::Truncated => truncate(report),
        Form::Graph => merge(report),
    }
}

/// Below a state that has children elsewhere already there is an ellipsis.
fn truncate(report: &mut TreeReport) {
    let children = report.children();
    let mut first: FxHashMap<usize, usize> = FxHashMap::default();
    let mut gone = vec![false; report.nodes.len()];
    let mut stands_for: Vec<usize> = (0..report.nodes.len()).collect();
    for at in 0..report.nodes.len() {
        if let Some(parent) = report.nodes[at].parent
            && (gone[parent] || matches!(report.nodes[parent].kind, NodeKind::Again(_)))
        {
            gone[at] = true;
            stands_for[at] = stands_for[parent];
            continue;
        }
        let node = &mut report.nodes[at];
        if node.kind != NodeKind::State {
            continue;
        }
        match first.get(&node.state) {
            Some(&there) => {
                node.kind = NodeKind::Again(there);
                node.hidden = None;
            }
            None if !children[at].is_empty() => {
                first.insert(node.state, at);
            }
            None => {}
        }
    }
    keep(report, &gone, &stands_for);
}

/// Takes nodes out; steps about them are about those that stand for them.
fn keep(report: &mut TreeReport, gone: &[bool], stands_for: &[usize]) {
    let mut number = vec![0; gone.len()];
    let mut next = 0;
    for (at, &gone) in gone.iter().enumerate() {
        number[at] = next;
        next += usize::from(!gone);
    }
    let mut at = 0;
    report.nodes.retain(|_| {
        at += 1;
        !gone[at - 1]
    });
    for node in &mut report.nodes {
        node.parent = node.parent.map(|parent| number[parent]);
        if let NodeKind::Again(there) = node.kind {
            node.kind = NodeKind::Again(number[stands_for[there]]);
        }
    }
    report.edges.retain(|edge| !gone[edge.to] && !gone[edge.from]);
    for edge in &mut report.edges {
        (edge.from, edge.to) = (number[edge.from], number[edge.to]);
    }
    for step in &mut report.steps {
        step.node = number[stands_for[step.node]];
    }
}

/// One node for each state, in the order of the first of them; of what is known of several the
/// last counts that was expanded.
fn merge(report: &mut TreeReport) {
    let mut number: FxHashMap<usize, usize> = FxHashMap::default();
    let mut to = Vec::with_capacity(report.nodes.len());
    let mut nodes = Vec::new();
    for node in std::mem::take(&mut report.nodes) {
        let at = *number.entry(node.state).or_insert(nodes.len());
        to.push(at);
        let mut node = node;
        node.parent = None;
        if at == nodes.len() {
            if !matches!(node.kind, NodeKind::Pruned) {
                node.kind = NodeKind::State;
            }
            nodes.push(node);
            continue;
        }
        let known: &mut super::report::TreeNode = &mut nodes[at];
        let path = known.path || node.path;
        let (step, depth) = (known.step.min(node.step), known.depth.min(node.depth));
        if node.kind == NodeKind::State && (known.done.is_none() || node.done.is_some()) {
            *known = node;
        }
        (known.path, known.step, known.depth) = (path, step, depth);
    }
    report.nodes = nodes;
    let mut edges: Vec<super::report::TreeEdge> = Vec::new();
    let mut place: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for mut edge in std::mem::take(&mut report.edges) {
        (edge.from, edge.to) = (to[edge.from], to[edge.to]);
        match place.get(&(edge.from, edge.to)) {
            Some(&at) => {
                let known = &mut edges[at];
                known.path |= edge.path;
                for mv in edge.moves {
                    if !known.moves.contains(&mv) {
                        known.moves.push(mv);
                    }
                }
            }
            None => {
                place.insert((edge.from, edge.to), edges.len());
                edges.push(edge);
            }
        }
    }
    report.edges = edges;
    for step in &mut report.steps {
        step.node = to[step.node];
    }
}
