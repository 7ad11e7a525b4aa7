//! The tracer: what happens at the ports of the box that a call is (L. Byrd,
//! "Understanding the control flow of Prolog programs", 1980).
//!
//! The box itself is `library/trace.pl`; its steps here are called at each port with the
//! *frame* of the call, the term `'$frame'(Number, Depth, Goal, Parent, Site)`. The frame of
//! the goal that runs is a global variable of the machine, so backtracking and exceptions
//! bring back the right one by themselves.

mod control;
mod frame;
mod keys;
mod points;
mod ports;
mod print;
pub mod profiler;
pub mod tree;
pub mod watch;

use super::{Entry, World};
pub use frame::Port;
pub use keys::{TracerCommand, command};
pub use points::{Ports, Spy};
use rustc_hash::FxHashSet;
use zug_machine::{Machine, Observer, Space};
use zug_term::symbol::Atom;

/// Predicates that put steps of the box in the library, and those a user calls.
pub const TABLE: &[Entry] = control::TABLE;
/// Steps that run goals or drop choice points: never compiled in place.
pub const REENTRANT: &[Entry] = ports::REENTRANT;

/// What the machine's user predicates are never asked through the box.
const UNSEEN: [(usize, &str); 3] = [
    (0, "trace notrace tracing debug nodebug nodebugging debugging nospyall true otherwise"),
    (1, "notrace spy nospy leash visible trace"),
    (2, "spy trace"),
];

/// Someone who can be asked at a port what to do next.
pub trait Asker: Send {
    /// Shows a line and waits for a key; `None` for Ctrl-C or the end of the input.
    fn key(&mut self, line: &str) -> Option<char>;
}

/// What was recorded of a goal.
#[derive(Debug)]
pub enum Report {
    /// Its calls.
    Tree(tree::CallTree, tree::Layout),
    /// Where its inferences went.
    Profile(profiler::ProfileReport),
}

/// What is traced, and how.
#[derive(Default)]
pub struct Tracer {
    /// Every port is shown.
    pub tracing: bool,
    /// Spy points are watched for.
    pub debugging: bool,
    /// Spy points, in the order they were set.
    pub spies: Vec<Spy>,
    /// `Pattern-Condition` of states that engines report.
    pub watches: Vec<zug_term::Record>,
    /// Ports that `trace/2` shows in passing.
    points: Vec<points::Point>,
    /// Ports at which is asked.
    leashed: Ports,
    /// Ports shown.
    visible: Ports,
    /// Nothing is shown until the call of this number is left.
    skip: Option<i64>,
    /// The call of this number is to be made again.
    again: Option<i64>,
    /// The number of the next call.
    next: i64,
    /// The tree that is recorded.
    pub recorder: Option<tree::Recorder>,
    /// How the tree is to be shown.
    pub layout: tree::Layout,
    /// A profile is being made.
    pub profiling: Option<profiler::ProfileStart>,
    /// Recordings since they were last taken, oldest first.
    pub reports: Vec<Report>,
    /// Who is asked, if a person sits there.
    pub asker: Option<Box<dyn Asker>>,
    /// The user ended the query at a port.
    pub aborted: bool,
    /// What the program had written when a line of its was last broken off.
    broken_at: usize,
}

impl Tracer {
    /// Whether calls must go through the box.
    pub fn is_on(&self) -> bool {
        self.tracing || self.debugging || !self.points.is_empty() || self.recorder.is_some()
    }

    /// Ends the recording, if there is one: it becomes a report.
    pub fn end_tree(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            let layout = std::mem::take(&mut self.layout);
            self.reports.push(Report::Tree(recorder.finish(), layout));
        }
    }

    /// A query begins.
    fn begin(&mut self) {
        self.skip = None;
        self.again = None;
        self.next = 1;
        self.aborted = false;
    }
}

/// Before a query is asked for an answer: calls go through the box if there is something
/// to trace. `first`: the query begins.
pub fn resume(m: &mut Machine, w: &mut World, first: bool) {
    if first {
        w.tracer.begin();
    }
    install(m, w);
}

/// Between answers, what the session does on its own is not traced. A recording that the
/// run broke off ends here; `over`: there is no answer to come back to.
pub fn pause(m: &mut Machine, w: &mut World, over: bool) {
    m.observer = Observer::Nobody;
    if over {
        w.tracer.end_tree();
        profiler::end(m, w);
    }
}

/// Puts the box around the user's predicates, or takes it away, as the tracer asks.
pub fn install(m: &mut Machine, w: &World) {
    let boxes = w.tracer.profiling.is_none() && w.tracer.is_on();
    if boxes || w.tracer.profiling.is_some() {
        let unseen = unseen(m);
        m.program.hook_all(unseen);
    } else {
        m.program.unhook_all();
    }
    m.program.set_plain(boxes);
    m.observer = if boxes {
        let boxed = m.symbols.intern("$traced_call");
        Observer::Boxes(m.program.pred(boxed, 2, Space::System))
    } else if w.tracer.profiling.is_some() {
        Observer::Profile
    } else {
        Observer::Nobody
    };
}

fn unseen(m: &mut Machine) -> FxHashSet<(Atom, usize)> {
    let all = UNSEEN.iter().flat_map(|(arity, names)| names.split(' ').map(|name| (name, *arity)));
    all.map(|(name, arity)| (m.symbols.intern(name), arity)).collect()
}
