//! A run as a tree of calls, for people: each call with what came of it.
//!
//! Equal calls beside each other, with equal calls below them, become one with a count. The
//! tree has a limit of nodes and of depth; what lies beyond is counted.

use super::super::World;
use super::frame::{Frame, Port};
use super::print;
use rustc_hash::FxHasher;
use serde::Serialize;
use std::hash::{Hash, Hasher};
use zug_machine::{Kind, Machine, Space};
use zug_term::symbol::Atom;
use zug_term::{Cell, variables};

/// Answers of a call kept as text.
const ANSWERS: usize = 3;
/// Calls before a call, below the same caller, that it is compared with.
const NEIGHBOURS: usize = 12;
/// Calls that a tree holds by default.
pub const MOST_CALLS: usize = 20_000;

/// What to record.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// Only these predicates, and all if there are none.
    pub predicates: Vec<(Atom, usize)>,
    /// Depth of the tree.
    pub depth: u32,
    /// Calls it holds.
    pub calls: usize,
    /// Built-ins and library predicates that succeed are recorded too.
    pub builtins: bool,
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions { predicates: Vec::new(), depth: u32::MAX, calls: MOST_CALLS, builtins: false }
    }
}

/// How a tree is shown.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Lines of text.
    pub lines: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { lines: 100 }
    }
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallOutcome {
    /// It has answers, and may have more.
    Answered,
    /// It has no further answer than those that were asked for.
    Done,
    /// It has no answer.
    Failed,
    /// It raised an exception.
    Raised,
    /// It was still running when the recording ended.
    Running,
}

/// A recorded call.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallNode {
    /// The goal as it was called, its variables named `A`, `B` and so on.
    pub goal: String,
    /// File and line of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What came of it.
    pub outcome: CallOutcome,
    /// Bindings of its variables in its first answers, `true` where there are none.
    pub answers: Vec<String>,
    /// All its answers.
    pub answer_count: u64,
    /// How often it was asked for another one.
    pub redone: u64,
    /// What it raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raised: Option<String>,
    /// How many equal calls beside each other this one stands for.
    pub times: u64,
    /// Calls below that are not in the tree: too deep, or too many.
    pub hidden: u64,
    /// The calls it made: indexes into `nodes`.
    pub children: Vec<u32>,
    #[serde(skip)]
    parent: u32,
    #[serde(skip)]
    depth: u32,
    /// A built-in or library predicate.
    #[serde(skip)]
    system: bool,
    /// Of the call and all below it.
    #[serde(skip)]
    hash: u64,
}

/// A recorded run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallTree {
    /// The calls. The first is no call: its children are the calls of the query.
    pub nodes: Vec<CallNode>,
    /// Calls made in all, recorded or not.
    pub calls: u64,
}

/// A tree that is growing.
#[derive(Debug)]
pub struct Recorder {
    options: TreeOptions,
    nodes: Vec<CallNode>,
    free: Vec<u32>,
    calls: u64,
}

impl Recorder {
    /// An empty tree.
    pub fn new(options: TreeOptions) -> Recorder {
        let mut root = node(String::new(), None, 0, 0);
        root.outcome = CallOutcome::Done;
        Recorder { options, nodes: vec![root], free: Vec::new(), calls: 0 }
    }

    /// The tree.
    pub fn finish(self) -> CallTree {
        let mut order = vec![0u32];
        let mut number = vec![u32::MAX; self.nodes.len()];
        let mut at = 0;
        while let Some(&next) = order.get(at) {
            number[next as usize] = at as u32;
            order.extend(&self.nodes[next as usize].children);
            at += 1;
        }
        let mut nodes: Vec<CallNode> =
            order.iter().map(|&old| self.nodes[old as usize].clone()).collect();
        for node in &mut nodes {
            for child in &mut node.children {
                *child = number[*child as usize];
            }
        }
        CallTree { nodes, calls: self.calls }
    }

    fn add(&mut self, new: CallNode) -> u32 {
        let parent = new.parent;
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = new;
                at
            }
            None => {
                self.nodes.push(new);
                self.nodes.len() as u32 - 1
            }
        };
        self.nodes[parent as usize].children.push(at);
        at
    }

    fn remove(&mut self, at: u32) {
        let mut todo = vec![at];
        while let Some(at) = todo.pop() {
            todo.append(&mut self.nodes[at as usize].children);
            self.free.push(at);
        }
    }

    /// A call is over: one that tells nothing goes, one like another beside it is counted.
    fn close(&mut self, at: u32) {
        let closed = &self.nodes[at as usize];
        let parent = closed.parent;
        let idle = closed.system
            && !self.options.builtins
            && closed.children.is_empty()
            && closed.hidden == 0
            && closed.outcome == CallOutcome::Done;
        if idle {
            self.leave(parent, at);
            return;
        }
        let mut hasher = FxHasher::default();
        (&closed.goal, closed.outcome, &closed.answers, closed.answer_count).hash(&mut hasher);
        (closed.redone, &closed.raised, closed.hidden).hash(&mut hasher);
        for &child in &closed.children {
            let child = &self.nodes[child as usize];
            (child.hash, child.times, &child.goal).hash(&mut hasher);
        }
        let hash = hasher.finish();
        self.nodes[at as usize].hash = hash;
        let siblings = &self.nodes[parent as usize].children;
        let before = siblings.iter().rev().skip_while(|&&other| other != at).skip(1);
        let same = before.take(NEIGHBOURS).copied().find(|&other| {
            let other = &self.nodes[other as usize];
            let mine = &self.nodes[at as usize];
            other.hash == hash && other.goal == mine.goal && other.answers == mine.answers
        });
        if let Some(same) = same {
            self.nodes[same as usize].times += self.nodes[at as usize].times;
            self.leave(parent, at);
        }
    }

    fn leave(&mut self, parent: u32, at: u32) {
        let children = &mut self.nodes[parent as usize].children;
        if let Some(place) = children.iter().rposition(|&child| child == at) {
            children.remove(place);
        }
        self.remove(at);
    }
}

fn node(goal: String, place: Option<String>, parent: u32, depth: u32) -> CallNode {
    CallNode {
        goal,
        place,
        outcome: CallOutcome::Running,
        answers: Vec::new(),
        answer_count: 0,
        redone: 0,
        raised: None,
        times: 1,
        hidden: 0,
        children: Vec::new(),
        parent,
        depth,
        system: false,
        hash: 0,
    }
}

/// A call is about to be made: what its frame is to remember, its node and its variables.
/// A call that is not recorded belongs to the node of its caller.
pub(super) fn enter(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
    parent: i64,
    site: u32,
) -> (i64, Cell) {
    let Some(recorder) = &mut w.tracer.recorder else { return (0, Cell::NIL) };
    recorder.calls += 1;
    let caller = (parent >> 1) as u32;
    let depth = recorder.nodes[caller as usize].depth + 1;
    let inherited = (i64::from(caller) << 1, Cell::NIL);
    let Some((name, arity, _)) = m.heap.name_arity(goal) else { return inherited };
    let options = &recorder.options;
    if !options.predicates.is_empty() && !options.predicates.contains(&(name, arity)) {
        return inherited;
    }
    let held = recorder.nodes.len() - recorder.free.len();
    if depth > options.depth || held > options.calls {
        recorder.nodes[caller as usize].hidden += 1;
        return inherited;
    }
    let found = variables(&m.heap, goal);
    let text = print::named(m, w, goal);
    let place = print::place(m, w, site);
    let system = m.program.lookup(name, arity, Space::User).is_none_or(|id| {
        let id = m.program.resolve(id);
        let pred = &m.program.preds[id as usize];
        pred.space == Space::System && pred.kind != Kind::Undefined
    });
    let list = m.heap.list_from(&found, Cell::NIL);
    let Some(recorder) = &mut w.tracer.recorder else { return inherited };
    let at = recorder.add(CallNode { system, ..node(text, place, caller, depth) });
    (i64::from(at) << 1 | 1, list)
}

/// A port of a recorded call is passed. `closed`: the goal has no other answer.
pub(super) fn pass(
    m: &mut Machine,
    w: &mut World,
    port: Port,
    frame: &Frame,
    closed: bool,
    ball: Option<Cell>,
) {
    let at = (frame.node >> 1) as u32;
    if frame.node & 1 == 0 || w.tracer.recorder.is_none() {
        return;
    }
    let text = match port {
        Port::Exit => print::bindings(m, w, frame.variables),
        Port::Exception => ball.map_or(String::new(), |ball| print::text(m, w, ball, false)),
        _ => String::new(),
    };
    let Some(recorder) = &mut w.tracer.recorder else { return };
    let Some(node) = recorder.nodes.get_mut(at as usize) else { return };
    match port {
        Port::Call => {}
        Port::Exit => {
            node.answer_count += 1;
            if node.answers.len() < ANSWERS {
                node.answers.push(text);
            }
            node.outcome = if closed { CallOutcome::Done } else { CallOutcome::Answered };
        }
        Port::Redo => {
            node.redone += 1;
            node.outcome = CallOutcome::Running;
        }
        Port::Fail => {
            let none = node.answer_count == 0;
            node.outcome = if none { CallOutcome::Failed } else { CallOutcome::Done };
        }
        Port::Exception => {
            node.raised = Some(text);
            node.outcome = CallOutcome::Raised;
        }
    }
    if closed || matches!(port, Port::Fail | Port::Exception) {
        recorder.close(at);
    }
}
