//! Which representation states get: decided once, before a search packs any, by a look at some.
//!
//! The machine walks from the start, as far as a bound of inferences goes. The rules may do what
//! they like there: what they raise or write counts for nothing, and rules that change the program
//! are not asked.

use super::contract::DomainKind;
use super::memory::{Stamp, cache, stamp};
use super::purity::impurities;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;
use zug_code::Specialise;
use zug_code::grounding::Grounded;
use zug_machine::{Fault, Machine, PredId};
use zug_prolog::builtins::World;
use zug_state::Codec;
use zug_state::Sample;
use zug_state::representation::Part;
use zug_term::{Cell, Heap, Record, watchdog};

/// Inferences up to which states are looked for: about 2 ms.
const MOST_INFERENCES: u64 = 20_000;
/// Inferences, and steps of joins, up to which rules are grounded: about a second.
const GROUNDING: (u64, u64) = (10_000_000, 40_000_000);
/// Of the inferences that are left one in so many, at most, are for grounding.
const GROUNDING_SHARE: u64 = 8;
/// Inferences, and states, after which it is seen whether there is anything to represent.
const FIRST_LOOK: (u64, usize) = (3_000, 48);
/// States that are looked at.
const MOST_STATES: usize = 400;
/// Steps on terms beside inferences,
const STEPS: u64 = 1_000_000;
/// and while rules are grounded.
const GROUNDING_TERMS: u64 = 24_000_000;
/// Cells of a state that is looked at.
const LARGEST: usize = 2_000;
/// Skeletons that code is made for one by one, if lists only grow and shrink.
const FEW_SHAPES: usize = 8;
/// With fewer states than these, what did not change in them is no constant of all.
const FEW_STATES: usize = 64;
/// Starts whose representations are kept.
const MOST_KEPT: usize = 16;

/// How moves are asked for.
pub(crate) enum Moving {
    /// `rule(Name, Cost, S1, S2)`, and what goals are.
    Rule(PredId, Option<PredId>),
    /// `move(Name, S1, S2)`, with the player before if there are some: those who move in turn, from
    /// the first on, or anybody.
    Move(PredId, Option<Vec<Option<Record>>>),
}

impl Moving {
    fn pred(&self) -> PredId {
        match self {
            Moving::Rule(pred, _) | Moving::Move(pred, _) => *pred,
        }
    }
}

/// A representation, with the states that it was found by.
pub(crate) struct Represented {
    part: Arc<Part>,
    heap: Heap,
    states: Vec<Cell>,
    grounded: Option<Grounded>,
}

impl Represented {
    /// The rules as ground operators on the variables that states are packed into.
    pub fn grounded(&self) -> Option<&Grounded> {
        self.grounded.as_ref()
    }

    /// Whether lists in it are padded: then not all leaves make a term.
    pub fn has_padded_lists(&self) -> bool {
        self.part.has_padded()
    }

    /// Has a codec that packed no state yet pack them so; where their lists are of fixed length, it is
    /// told what is always the same in them.
    pub fn declare(&self, codec: &mut Codec) {
        let mut heap = Heap { cells: self.heap.cells.clone() };
        if !self.part.has_lists() {
            if let Some(&first) = self.states.first() {
                codec.expect_constants(&mut heap, first, &self.part);
            }
            return;
        }
        let Some(shape) = codec.represent(self.part.clone()) else { return };
        for &state in &self.states {
            // What leaves are is seen.
            let _ = codec.encode_bytes(&mut heap, state);
        }
        codec.expect_of_lists(shape, self.states.len() < FEW_STATES);
    }

    /// Whether all leaves of the states are of one byte: there are no programs for others.
    fn is_narrow(&self) -> bool {
        let mut codec = Codec::new();
        let Some(shape) = codec.represent(self.part.clone()) else { return false };
        let mut heap = Heap { cells: self.heap.cells.clone() };
        self.states.iter().all(|&state| {
            let packed = codec.encode_bytes(&mut heap, state);
            packed.is_ok_and(|packed| packed[0] != shape || packed.len() == 1 + self.part.leaves())
        })
    }

    /// The bytes that states are packed into: the first one may be written down in another order than
    /// that in which moves leave it. `None` if they are packed without.
    pub fn length(&self, state: &Record) -> Option<usize> {
        let most = || 1 + self.part.leaves();
        self.part.has_lists().then(|| self.fitted(state).unwrap_or_else(most))
    }

    /// The bytes that a state would be packed into, if it fits.
    fn fitted(&self, state: &Record) -> Option<usize> {
        let mut codec = Codec::new();
        let shape = codec.represent(self.part.clone())?;
        let (mut heap, root) = state.to_heap();
        let packed = codec.encode_bytes(&mut heap, root).ok()?;
        (packed[0] == shape).then_some(packed.len())
    }
}

/// What was found of a start.
pub(crate) struct Looked {
    stamp: Stamp,
    pred: PredId,
    start: Record,
    found: Option<Arc<Represented>>,
}

/// The representation of the states that can be reached from one, if they are to have one.
pub(crate) fn representation(
    m: &mut Machine,
    w: &mut World,
    kind: DomainKind,
    moving: &Moving,
    start: &Record,
) -> Option<Arc<Represented>> {
    let has_list = |cell: &Cell| cell.is_list() || *cell == Cell::NIL;
    let is_small = start.cells.len() <= LARGEST;
    if !is_small || !start.cells.iter().chain([&start.root]).any(has_list) {
        return None;
    }
    if Specialise::now(m, w) == Specialise::Off || m.program.is_hooked() {
        return None;
    }
    let (now, pred) = (stamp(m, w), moving.pred());
    let known: &mut Vec<Looked> = cache(w);
    known.retain(|looked| looked.stamp == now);
    let fits = |looked: &&Looked| {
        let fits = |found: &Arc<Represented>| found.fitted(start).is_some();
        looked.pred == pred && (looked.start == *start || looked.found.as_ref().is_some_and(fits))
    };
    if let Some(looked) = known.iter().find(fits) {
        return looked.found.clone();
    }
    let found = match impurities(m, w, kind).is_empty() {
        true => ground(m, w, moving, start).or_else(|| look(m, w, moving, start)),
        false => None,
    };
    let found = found.map(Arc::new);
    let known: &mut Vec<Looked> = cache(w);
    if known.len() >= MOST_KEPT {
        known.remove(0);
    }
    known.push(Looked { stamp: now, pred, start: start.clone(), found: found.clone() });
    found
}

/// Grounds rules for what can be reached from a state, if they are over sets of facts.
fn ground(m: &mut Machine, w: &mut World, moving: &Moving, start: &Record) -> Option<Represented> {
    let Moving::Rule(rule, goal) = *moving else { return None };
    let captures = w.streams.captures();
    w.streams.push_capture();
    // A limit of the user's is for the search above all.
    let left = m.inference_limit.saturating_sub(m.inferences()) / GROUNDING_SHARE;
    let grounded = within(m, (left.min(GROUNDING.0), GROUNDING_TERMS), |m| {
        Grounded::new(m, w, (rule, goal), start, GROUNDING.1)
    });
    let written = w.streams.pop_captures(captures);
    // What rules write they write for each state.
    let grounded = grounded.filter(|_| written.is_none_or(|text| text.is_empty()))?;
    let part = grounded.part().clone();
    Some(Represented { part, heap: Heap::new(), states: Vec::new(), grounded: Some(grounded) })
}

/// Looks at states.
fn look(m: &mut Machine, w: &mut World, moving: &Moving, start: &Record) -> Option<Represented> {
    let captures = w.streams.captures();
    w.streams.push_capture();
    let mut walk = Walk::default();
    let part = within(m, (MOST_INFERENCES, STEPS), |m| {
        let began = m.inferences();
        walk.add(m, start, (None, 0));
        walk.walk(m, w, moving, |m, walk| {
            m.inferences() - began < FIRST_LOOK.0 && walk.states.len() < FIRST_LOOK.1
        });
        let part = walk.sample(m, true).representation()?;
        // Keys are seen at once.
        if !part.has_lists() {
            return Some(part);
        }
        walk.walk(m, w, moving, |_, walk| walk.states.len() < MOST_STATES);
        walk.sample(m, false).representation()
    });
    w.streams.pop_captures(captures);
    let few = walk.codec.shapes() <= FEW_SHAPES;
    let states = walk.states.iter().map(|state| state.cell).collect();
    let found = Represented { part: Arc::new(part?), heap: walk.heap, states, grounded: None };
    let is_of_use = || (!few || found.part.has_set()) && found.is_narrow();
    (!found.part.has_lists() || is_of_use()).then_some(found)
}

/// What is found within limits of inferences and of steps on terms.
fn within<T>(
    m: &mut Machine,
    (inferences, steps): (u64, u64),
    find: impl FnOnce(&mut Machine) -> Option<T>,
) -> Option<T> {
    let budget = watchdog::StepBudget::new(steps);
    let most = m.limit_inferences(inferences);
    let found = m.within_limits(find);
    m.inference_limit = most;
    drop(budget);
    found.ok().flatten()
}

/// A state that was met.
struct Met {
    cell: Cell,
    from: Option<usize>,
    /// Whose turn it is, of those who move in turn.
    seat: usize,
}

/// A walk over states.
#[derive(Default)]
struct Walk {
    heap: Heap,
    codec: Codec,
    states: Vec<Met>,
    known: FxHashSet<(usize, Box<[u8]>)>,
    /// States whose moves were not asked for.
    open: VecDeque<usize>,
    steps: usize,
    /// A limit was met.
    ended: bool,
    /// The terms of the states, and those that they came from, as samples have them.
    cells: Vec<Cell>,
    links: Vec<Option<usize>>,
}

impl Walk {
    fn add(&mut self, m: &mut Machine, state: &Record, (from, seat): (Option<usize>, usize)) {
        let packed = m.scratch(|m| {
            let cell = state.instantiate(&mut m.heap);
            self.codec.encode_plain(&mut m.heap, cell).ok().map(Box::from)
        });
        let Some(packed) = packed.filter(|_| state.cells.len() <= LARGEST) else { return };
        if self.known.insert((seat, packed)) {
            let cell = state.instantiate(&mut self.heap);
            self.open.push_back(self.states.len());
            self.states.push(Met { cell, from, seat });
        }
    }

    /// Asks for moves, by turns of the first state and of the last that is open, so that near and far
    /// ones are met.
    fn walk(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        moving: &Moving,
        goes_on: impl Fn(&Machine, &Walk) -> bool,
    ) {
        while !self.ended && goes_on(m, self) {
            self.steps += 1;
            let next = match self.steps % 2 {
                0 => self.open.pop_back(),
                _ => self.open.pop_front(),
            };
            let Some(next) = next else { return };
            let Met { cell, seat, .. } = self.states[next];
            let from = Record::new(&mut self.heap, cell);
            for (state, seat) in self.successors((m, w), moving, (&from, seat, MOST_STATES)) {
                self.add(m, &state, (Some(next), seat));
            }
        }
    }

    fn successors(
        &mut self,
        (m, w): (&mut Machine, &mut World),
        moving: &Moving,
        (from, seat, most): (&Record, usize, usize),
    ) -> Vec<(Record, usize)> {
        let (mut found, mut next) = (Vec::new(), 0);
        let ended = m.ask(w, |ask| {
            let [to] = ask.outputs();
            let state = from.instantiate(&mut ask.machine.heap);
            let (name, other) = (ask.machine.heap.new_var(), ask.machine.heap.new_var());
            let mut answered = match moving {
                Moving::Rule(pred, _) => ask.call(*pred, &[name, other, state, to]),
                Moving::Move(pred, None) => ask.call(*pred, &[name, state, to]),
                Moving::Move(pred, Some(players)) => {
                    next = (seat + 1) % players.len().max(1);
                    let player = match players.get(seat) {
                        Some(Some(player)) => player.instantiate(&mut ask.machine.heap),
                        _ => other,
                    };
                    ask.call(*pred, &[player, name, state, to])
                }
            };
            while answered? && found.len() < most {
                let ([to], heap) = (ask.rooted(), &mut ask.machine.heap);
                if !heap.deref(to).is_var() {
                    found.push((Record::new(heap, to), next));
                }
                answered = ask.redo();
            }
            Ok(())
        });
        // What rules raise is none of ours; a limit is.
        self.ended |= ended.is_err_and(|fault| !matches!(fault, Fault::Ball(_)));
        found
    }

    /// All states were met.
    fn is_whole(&self) -> bool {
        self.open.is_empty() && !self.ended
    }

    fn sample<'a>(&'a mut self, m: &'a Machine, tentative: bool) -> Sample<'a> {
        self.cells = self.states.iter().map(|state| state.cell).collect();
        self.links = self.states.iter().map(|state| state.from).collect();
        let whole = self.is_whole();
        let (states, from) = (&self.cells[..], &self.links[..]);
        Sample { heap: &self.heap, symbols: &m.symbols, states, from, whole, tentative }
    }
}
