//! What an engine for puzzles did, node by node.
//!
//! The engine runs as ever, over a problem that notes its questions
//! ([`Recorder`](zug_search::Recorder)); what is drawn is that record.

use super::TreeRequest;
use super::builder::{Builder, hidden};
use super::report::{NodeKind, Size, TreeReport, cost_text};
use rustc_hash::FxHashMap;
use std::time::Duration;
use zug_domain::{AnyCost, Number, Packed, RuleCost, RuleError, RuleSpace, Violation};
use zug_machine::{Fault, StopReason as MachineStop};
use zug_search::{
    Claim, Cost, Engine, Event, Generated, Limits, Outcome, Recorder, Recording, StopReason,
    Tagged, Team, UNRECORDED, search,
};
use zug_term::Record;

/// Nodes of a search that are noted.
const MOST_RECORDED: usize = 200_000;

/// A run of an engine.
pub(super) struct EngineRecording<'r> {
    pub request: &'r TreeRequest,
    pub engine: Engine,
}

/// How a run ended, beside its tree.
pub(super) struct EngineRunEnd {
    pub report: TreeReport,
    pub outcome: Outcome,
    pub claim: Claim,
    pub goal: Option<Record>,
    pub elapsed: Duration,
    pub cost: Option<Number>,
    pub moves: usize,
    pub iterations: u32,
    pub unrecorded: u64,
}

/// It keeps states in a store, and each has one place in its tree.
fn keeps_states(engine: Engine) -> bool {
    !matches!(engine, Engine::Dfs | Engine::Iddfs | Engine::Idastar)
}

impl EngineRecording<'_> {
    /// Runs the engine.
    pub fn run(
        &self,
        space: &mut dyn RuleSpace,
        start: &Packed,
        limits: &Limits,
    ) -> Result<Result<EngineRunEnd, StopReason>, Box<RuleError>> {
        let limits = Limits { depth: self.request.limits.depth, ..limits.clone() };
        let mut recorder = Recorder::new(space, MOST_RECORDED);
        let start = recorder.start(start);
        let options = &self.request.options;
        let team = &mut Team::of(&mut recorder);
        let found = search(self.engine, team, &start, options, &limits, None);
        let recording = recorder.finish();
        let mut elapsed = Duration::ZERO;
        let mut claim = Claim::Nothing;
        let (outcome, cost, path): (_, _, Vec<Tagged<Packed>>) = match found {
            Ok(report) if report.cost.is_some_and(RuleCost::is_saturated) => {
                return Err(RuleError::new(Violation::Beyond, "rule/4"));
            }
            Ok(report) => {
                (claim, elapsed) = (report.claim, report.stats.elapsed);
                (report.outcome, report.cost.map(|cost| cost.number()), report.states)
            }
            // Out of time inside a rule: what there is until then is shown.
            Err(failed) => {
                let error = Box::<RuleError>::from(failed);
                match error.fault() {
                    Some(Fault::Stopped(MachineStop::Time)) => {
                        (Outcome::Stopped(StopReason::Time), None, Vec::new())
                    }
                    _ => return Err(error),
                }
            }
        };
        if outcome == Outcome::Stopped(StopReason::Cancelled) {
            return Ok(Err(StopReason::Cancelled));
        }
        let mut tree = Tree::of(&recording, self.engine);
        tree.follow(path.last(), &recording);
        let (moves, iterations) = (path.len().saturating_sub(1), recording.iterations);
        let unrecorded = recording.unrecorded;
        let goal = path.last().map(|goal| space.state_term(&goal.state));
        let report = tree.draw(space, &recording, self.request, self.engine);
        Ok(Ok(EngineRunEnd {
            report,
            outcome,
            claim,
            goal,
            elapsed,
            cost,
            moves,
            iterations,
            unrecorded,
        }))
    }
}

type Nodes = Recording<Packed, AnyCost>;

/// The tree as the engine saw it, over the numbers of a recording.
struct Tree {
    /// The node above; that from whose occurrence it was really expanded.
    parent: Vec<u32>,
    /// The cost from the start.
    g: Vec<AnyCost>,
    /// The occurrence that a node gave way to.
    instead: Vec<Option<u32>>,
    /// The nodes that were expanded, for each expansion.
    expanded: Vec<u32>,
    /// By state: the occurrence that counts at the end.
    counts: FxHashMap<Packed, u32>,
    /// By state: the occurrence that came first.
    first: FxHashMap<Packed, u32>,
    /// On the path found.
    path: Vec<bool>,
    /// The engine asked something about it. Searches that keep one path leave out moves that
    /// lead straight back, and what comes behind a goal.
    looked_at: Vec<bool>,
}

impl Tree {
    fn of(recording: &Nodes, engine: Engine) -> Self {
        let nodes = &recording.nodes;
        let mut tree = Tree {
            parent: nodes.iter().map(|node| node.parent).collect(),
            g: vec![AnyCost::ZERO; nodes.len()],
            instead: vec![None; nodes.len()],
            expanded: Vec::new(),
            counts: FxHashMap::default(),
            first: FxHashMap::default(),
            path: vec![false; nodes.len()],
            looked_at: nodes.iter().map(|node| node.estimate.is_some()).collect(),
        };
        tree.counts.insert(nodes[0].state.clone(), 0);
        tree.first.insert(nodes[0].state.clone(), 0);
        // In breadth-first search the first occurrence stays, elsewhere the cheapest.
        let first_stays = matches!(engine, Engine::Bfs);
        for event in &recording.events {
            let (Event::Goal(node, _) | Event::Expanded(node, _)) = event;
            tree.looked_at[*node as usize] = true;
            let Event::Expanded(node, children) = event else { continue };
            let from = if keeps_states(engine) {
                let state = &nodes[*node as usize].state;
                tree.counts.get(state).copied().unwrap_or(*node)
            } else {
                *node
            };
            tree.expanded.push(from);
            for child in children.clone() {
                let Generated { cost, state, .. } = &nodes[child as usize];
                tree.parent[child as usize] = from;
                tree.g[child as usize] = tree.g[from as usize].plus(*cost);
                if !keeps_states(engine) {
                    continue;
                }
                tree.first.entry(state.clone()).or_insert(child);
                let known = tree.counts.get(state).copied();
                match known {
                    Some(known)
                        if first_stays || tree.g[child as usize] >= tree.g[known as usize] =>
                    {
                        tree.instead[child as usize] = Some(known);
                    }
                    known => {
                        if let Some(known) = known {
                            tree.instead[known as usize] = Some(child);
                        }
                        tree.counts.insert(state.clone(), child);
                    }
                }
            }
        }
        tree
    }

    /// Marks the path to a goal.
    fn follow(&mut self, goal: Option<&Tagged<Packed>>, recording: &Nodes) {
        let Some(goal) = goal.filter(|goal| goal.node != UNRECORDED) else { return };
        // The path may be one of an iteration before.
        let known = recording.nodes.get(goal.node as usize).map(|node| &node.state);
        let Some(known) = known.filter(|known| **known == goal.state) else { return };
        let mut at = self.counts.get(known).copied().unwrap_or(goal.node);
        while let Some(mark) = self.path.get_mut(at as usize) {
            *mark = true;
            if at == 0 {
                break;
            }
            at = self.parent[at as usize];
        }
    }

    /// Which nodes are drawn: the first ones and the path.
    fn choose(&self, most: usize) -> Vec<bool> {
        let all = self.parent.len();
        let path = self.path.iter().skip(most).filter(|&&on| on).count();
        let first = most.saturating_sub(path).max(1);
        (0..all).map(|at| at < first || self.path[at]).collect()
    }

    fn draw(
        &self,
        space: &mut dyn RuleSpace,
        recording: &Nodes,
        request: &TreeRequest,
        engine: Engine,
    ) -> TreeReport {
        let nodes = &recording.nodes;
        let drawn = self.choose(request.most_nodes());
        let mut hidden = hidden(&drawn, |at| self.parent[at] as usize);
        let mut builder = Builder::default();
        let mut made: Vec<Option<usize>> = vec![None; nodes.len()];
        let state = builder.state(space, &nodes[0].state, false);
        made[0] = Some(builder.node(state, None, 0));
        self.notes(&mut builder, nodes, (0, 0), 0, request, engine);
        let mut costs = Vec::new();
        let mut expansions = self.expanded.iter();
        for event in &recording.events {
            match event {
                Event::Goal(node, true) => {
                    let counts = self.counts.get(&nodes[*node as usize].state);
                    let at = counts.copied().filter(|_| keeps_states(engine)).unwrap_or(*node);
                    let Some(Some(at)) = made.get(at as usize) else { continue };
                    let state = builder.report.nodes[*at].state;
                    builder.report.states[state].end = true;
                    let text = format!("{} is a goal", builder.report.states[state].term);
                    builder.step(*at, text);
                }
                Event::Goal(_, false) => {}
                Event::Expanded(_, children) => {
                    let Some(&from) = expansions.next() else { continue };
                    let Some(above) = made[from as usize] else { continue };
                    let notes = self.words(nodes, from, request, engine);
                    let term = builder.term(above);
                    let count = children.len();
                    let step = builder.expand(above, |order| {
                        let successors = if count == 1 { "successor" } else { "successors" };
                        format!("{order}: {term} is expanded{notes}: {count} {successors}")
                    });
                    for child in children.clone() {
                        if !drawn[child as usize] {
                            continue;
                        }
                        let Generated { mv, cost, state, .. } = &nodes[child as usize];
                        let state = builder.state(space, state, false);
                        let node = builder.node(state, Some(above), step);
                        made[child as usize] = Some(node);
                        builder.edge(space, (above, node), mv);
                        costs.push(cost.number());
                        self.notes(&mut builder, nodes, (child, node), step, request, engine);
                    }
                }
            }
        }
        builder.costs(&costs);
        for (at, node) in made.iter().enumerate() {
            let Some(node) = *node else { continue };
            let target = self.instead[at].and_then(|other| made[other as usize]);
            let shown = &mut builder.report.nodes[node];
            shown.path = self.path[at] && request.marks.path;
            if let Some(target) = target
                && shown.done.is_none()
                && !self.path[at]
            {
                shown.kind = NodeKind::Again(target);
            }
            if !keeps_states(engine) && !self.looked_at[at] && at > 0 && request.marks.pruned {
                shown.kind = NodeKind::Pruned;
            }
            shown.hidden = hidden[at].take();
        }
        for edge in &mut builder.report.edges {
            edge.path = builder.report.nodes[edge.to].path;
        }
        let mut report = builder.finish(space);
        let all = nodes.len() as u64 + recording.unrecorded;
        report.size = Size::Exact(all.to_string());
        report
    }

    /// What the engine knows of a node, as it orders its list by it: name and value.
    fn known(
        &self,
        nodes: &[Generated<Packed, AnyCost>],
        at: u32,
        request: &TreeRequest,
        engine: Engine,
    ) -> Vec<(&'static str, String)> {
        let g = self.g[at as usize];
        // Where states are kept the first occurrence was asked about.
        let first = self.first.get(&nodes[at as usize].state).copied();
        let first = first.and_then(|first| nodes[first as usize].estimate);
        let estimate = nodes[at as usize].estimate.or(first);
        let g_text = cost_text(g.number());
        let estimate = estimate.filter(|_| engine.info().informed);
        match (engine, estimate) {
            (_, Some(None)) => vec![("g", g_text), ("h", "∞: no hope".to_owned())],
            (Engine::Greedy | Engine::Lazy | Engine::Beam, Some(Some(h))) => {
                vec![("h", cost_text(h.number())), ("g", g_text)]
            }
            (Engine::Wastar, Some(Some(h))) => {
                let weight = request.options.weight.get();
                let f = g.as_f64() + weight * h.as_f64();
                let f = cost_text(Number::Float(f));
                let h = cost_text(h.number());
                vec![("f", format!("{f} = {g_text}+{weight}·{h}"))]
            }
            (_, Some(Some(h))) => {
                let f = cost_text(g.plus(h).number());
                vec![("f", format!("{f} = {g_text}+{}", cost_text(h.number())))]
            }
            (_, None) => vec![("g", g_text)],
        }
    }

    fn notes(
        &self,
        builder: &mut Builder,
        nodes: &[Generated<Packed, AnyCost>],
        (at, node): (u32, usize),
        step: usize,
        request: &TreeRequest,
        engine: Engine,
    ) {
        for (number, (name, value)) in
            self.known(nodes, at, request, engine).into_iter().enumerate()
        {
            if number == 0 {
                builder.note(node, name, value, step);
            } else {
                builder.detail(node, name, value, step);
            }
        }
    }

    fn words(
        &self,
        nodes: &[Generated<Packed, AnyCost>],
        at: u32,
        request: &TreeRequest,
        engine: Engine,
    ) -> String {
        let known = self.known(nodes, at, request, engine);
        known.iter().map(|(name, value)| format!(", {name} {value}")).collect()
    }
}
