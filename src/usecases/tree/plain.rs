//! The plain unfolding of a domain: no engine, every move of every state.
//!
//! The states are laid out first, each once; what is drawn of them is chosen level by level, so
//! that a tree which is too large is cut at a depth and what is missing can be counted.

use super::TreeRequest;
use super::builder::Builder;
use super::report::{Form, NodeKind, Size, TreeReport};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use zug_domain::{AnyCost, Packed, RuleCost, RuleError, RuleSpace};
use zug_machine::PredId;
use zug_search::{Failure, Limits, Operation, StateId, StopReason, TreeSize, Unfolded, unfold};

/// States that are laid out where nobody says how many.
const MOST_STATES: u64 = 50_000;

/// The unfolding of a domain.
pub(super) struct Unfolding<'r> {
    pub request: &'r TreeRequest,
    pub symmetry: Option<PredId>,
}

/// States laid out.
pub(super) type UnfoldedStates = Unfolded<Packed, AnyCost>;

impl Unfolding<'_> {
    /// The report on a space.
    pub fn report(
        &self,
        space: &mut dyn RuleSpace,
        start: &Packed,
        limits: &Limits,
    ) -> Result<Result<TreeReport, StopReason>, Box<RuleError>> {
        let laid = match self.lay(space, start, limits)? {
            Ok(laid) => laid,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(match self.request.form {
            Form::Graph => self.graph(space, &laid),
            form => self.tree(space, &laid, form == Form::Truncated, &[]).0,
        }))
    }
}

/// A node that waits for its children.
struct PendingNode {
    node: usize,
    state: StateId,
}

impl Unfolding<'_> {
    /// The states that there are to be drawn, and more to be counted.
    pub fn lay(
        &self,
        space: &mut dyn RuleSpace,
        start: &Packed,
        limits: &Limits,
    ) -> Result<Result<UnfoldedStates, StopReason>, Box<RuleError>> {
        let asked = limits.nodes.unwrap_or(MOST_STATES);
        let limits =
            Limits { nodes: Some(asked), depth: self.request.limits.depth, ..limits.clone() };
        let symmetry = self.symmetry;
        let mut laid = unfold(
            space,
            |space| space,
            start,
            &limits,
            |space, state| {
                let standing = space.standing_for(symmetry, state);
                standing.map_err(|error| Failure::new(Operation::Successors, error))
            },
        )?;
        if let Some(reason @ (StopReason::Cancelled | StopReason::Time)) = laid.stopped {
            return Ok(Err(reason));
        }
        if symmetry.is_some() || self.request.form == Form::Graph {
            laid.merge();
        }
        Ok(Ok(laid))
    }

    /// The tree, every occurrence for itself or an ellipsis where a state comes again.
    ///
    /// `line` has the places of moves from the root on: where the tree is cut above its end, it goes on by these
    /// alone. With the number of the state of each node.
    pub fn tree(
        &self,
        space: &mut dyn RuleSpace,
        laid: &UnfoldedStates,
        truncated: bool,
        line: &[usize],
    ) -> (TreeReport, Vec<StateId>) {
        let most = self.request.most_nodes();
        let mut builder = Builder::default();
        let root = builder.state(space, laid.state(0), laid.is_goal(0));
        let root = builder.node(root, None, 0);
        let mut ids = vec![0];
        let mut costs = Vec::new();
        let mut first: FxHashMap<StateId, usize> = FxHashMap::from_iter([(0, root)]);
        let mut level = vec![PendingNode { node: root, state: 0 }];
        let mut depth = 0;
        let mut on_line = Some(root);
        loop {
            let open = self.request.limits.depth.is_none_or(|most| depth < most);
            level.retain(|at| open && !laid.arcs(at.state).is_empty() || !laid.is_known(at.state));
            let coming: usize = level.iter().map(|at| laid.arcs(at.state).len()).sum();
            let room = most.saturating_sub(builder.report.nodes.len());
            let known = level.iter().all(|at| laid.is_known(at.state));
            if level.is_empty() || (coming > room || !known) && depth > 0 {
                break;
            }
            let mut next = Vec::new();
            for PendingNode { node, state } in std::mem::take(&mut level) {
                let arcs = laid.arcs(state);
                let name = builder.term(node);
                let step = builder.expand(node, |order| format!("{order}: the moves of {name}"));
                let room = most.saturating_sub(builder.report.nodes.len());
                let next_on_line = line.get(depth as usize).filter(|_| on_line == Some(node));
                if next_on_line.is_some() {
                    on_line = None;
                }
                for (place, arc) in arcs.iter().take(room).enumerate() {
                    let to = builder.state(space, laid.state(arc.to), laid.is_goal(arc.to));
                    let child = builder.node(to, Some(node), step);
                    ids.push(arc.to);
                    if next_on_line == Some(&place) {
                        on_line = Some(child);
                    }
                    let moves = std::iter::once(&arc.mv).chain(&arc.others);
                    builder.edge(space, (node, child), moves);
                    costs.push(arc.cost.number());
                    match first.get(&arc.to) {
                        Some(&there) if truncated => {
                            builder.report.nodes[child].kind = NodeKind::Again(there);
                        }
                        _ => {
                            first.entry(arc.to).or_insert(child);
                            next.push(PendingNode { node: child, state: arc.to });
                        }
                    }
                }
                if arcs.len() > room {
                    let left = arcs.len() - room;
                    builder.report.nodes[node].hidden = Some(left.to_string());
                }
            }
            level = next;
            depth += 1;
        }
        self.hide(&mut builder, laid, &level, depth, truncated);
        let cut = level.into_iter().find(|at| on_line == Some(at.node));
        if let Some(mut at) = cut.filter(|_| !truncated) {
            for &place in &line[(depth as usize).min(line.len())..] {
                let Some(arc) = laid.arcs(at.state).get(place) else { break };
                let to = builder.state(space, laid.state(arc.to), laid.is_goal(arc.to));
                let child = builder.node(to, Some(at.node), 0);
                ids.push(arc.to);
                let moves = std::iter::once(&arc.mv).chain(&arc.others);
                builder.edge(space, (at.node, child), moves);
                costs.push(arc.cost.number());
                // What lies below the child is hidden there, and the rest here.
                depth += 1;
                let next = PendingNode { node: child, state: arc.to };
                self.hide(&mut builder, laid, std::slice::from_ref(&next), depth, truncated);
                let count = |node: usize| {
                    let hidden = builder.report.nodes[node].hidden.as_deref();
                    hidden.map_or(Some(BigUint::ZERO), |hidden| hidden.parse::<BigUint>().ok())
                };
                let rest = match (count(at.node), count(child)) {
                    (Some(here), Some(below)) if here > below => (here - below - 1u32).to_string(),
                    _ => "?".to_owned(),
                };
                builder.report.nodes[at.node].hidden = (rest != "0").then_some(rest);
                if builder.report.nodes[child].hidden.as_deref() == Some("0") {
                    builder.report.nodes[child].hidden = None;
                }
                at = next;
            }
        }
        builder.costs(&costs);
        let size = if truncated {
            let nodes = BigUint::from(laid.arc_count() + 1);
            if laid.stopped.is_some() { TreeSize::AtLeast(nodes) } else { TreeSize::Exact(nodes) }
        } else {
            laid.tree_size(self.request.limits.depth)
        };
        (self.finish(space, builder, laid, size), ids)
    }

    /// Says at each node where the tree is cut how many lie below.
    fn hide(
        &self,
        builder: &mut Builder,
        laid: &UnfoldedStates,
        cut: &[PendingNode],
        depth: u32,
        truncated: bool,
    ) {
        let roots: Vec<StateId> = cut.iter().map(|at| at.state).collect();
        let left = self.request.limits.depth.map(|most| most.saturating_sub(depth));
        let below =
            if truncated || laid.stopped.is_some() { None } else { laid.below(&roots, left) };
        for (at, open) in cut.iter().enumerate() {
            let hidden = match &below {
                Some(sizes) => (&sizes[at] - 1u32).to_string(),
                None => "?".to_owned(),
            };
            builder.report.nodes[open.node].hidden = Some(hidden);
        }
    }

    /// The graph: every state once.
    fn graph(&self, space: &mut dyn RuleSpace, laid: &UnfoldedStates) -> TreeReport {
        let mut builder = Builder::default();
        let most = self.request.most_nodes().min(laid.len());
        let mut costs = Vec::new();
        for at in 0..most as StateId {
            let state = builder.state(space, laid.state(at), laid.is_goal(at));
            let node = builder.node(state, None, 0);
            builder.report.nodes[node].depth = laid.depth(at);
        }
        let mut seen = vec![false; most];
        for at in 0..most {
            let arcs = laid.arcs(at as StateId);
            if arcs.is_empty() {
                if !laid.is_known(at as StateId) {
                    builder.report.nodes[at].hidden = Some("?".to_owned());
                }
                continue;
            }
            let name = builder.term(at);
            let step = builder.expand(at, |order| format!("{order}: the moves of {name}"));
            let mut hidden = 0;
            for arc in arcs {
                let to = arc.to as usize;
                if to >= most {
                    hidden += 1;
                    continue;
                }
                if to != 0 && !std::mem::replace(&mut seen[to], true) {
                    builder.report.nodes[to].step = step;
                }
                let moves = std::iter::once(&arc.mv).chain(&arc.others);
                builder.edge(space, (at, to), moves);
                costs.push(arc.cost.number());
            }
            if hidden > 0 {
                builder.report.nodes[at].hidden = Some(hidden.to_string());
            }
        }
        builder.costs(&costs);
        let nodes = BigUint::from(laid.len());
        let size = match laid.stopped {
            Some(_) => TreeSize::AtLeast(nodes),
            None => TreeSize::Exact(nodes),
        };
        self.finish(space, builder, laid, size)
    }

    fn finish(
        &self,
        space: &mut dyn RuleSpace,
        builder: Builder,
        laid: &UnfoldedStates,
        size: TreeSize,
    ) -> TreeReport {
        let mut report = builder.finish(space);
        report.size = match size {
            TreeSize::Exact(nodes) => Size::Exact(nodes.to_string()),
            TreeSize::AtLeast(nodes) => Size::More(nodes.to_string()),
            TreeSize::Endless => Size::Endless,
        };
        report.form = self.request.form;
        report.depth = self.request.limits.depth;
        if laid.stopped == Some(StopReason::Memory) {
            report.remarks.push("the memory is full; not all states were looked at".to_owned());
        }
        report
    }
}
