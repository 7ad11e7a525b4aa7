//! Reports on watched states while an engine runs.
//!
//! The problem is asked for the successors of a state, so it sees in which order states are
//! expanded and by which move each was reached; the engine keeps its own books. `g` is the
//! cost of the cheapest way to a state seen so far, which for best-first engines is theirs.

use super::RuleProblem;
use crate::error::RuleError;
use rustc_hash::FxHashMap;
use zug_prolog::builtins::tracer::watch;
use zug_search::{StateId, Successors};
use zug_state::{Number, PackedState, RuleCost};

/// The cheapest known path to a state: its last move.
#[derive(Clone)]
struct ReachedBy {
    parent: Box<[u8]>,
    mv: StateId,
    g: Number,
    depth: u32,
}

/// The states seen while there are watch points, by their bytes.
#[derive(Default)]
pub(super) struct WatchedStates {
    ways: FxHashMap<Box<[u8]>, ReachedBy>,
    expanded: u64,
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The successors of a state, with a report if it is watched.
    #[inline(never)]
    pub(super) fn watched_successors(
        &mut self,
        from: u32,
        state: &S,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        let mut watching = self.core.watching.take().unwrap_or_default();
        watching.expanded += 1;
        let way = watching.ways.get(state.bytes()).cloned();
        let record = self.unpack(state.bytes());
        let told = watch::is_watched(self.core.machine, self.core.world, &record);
        // The estimate is asked for before the moves: an error in either is the engine's.
        let facts = if told { Some(self.facts(state, &way, watching.expanded)?) } else { None };
        let before = out.len();
        let found = self.plain_successors(from, state, (None, None), out);
        let (g, depth) = way.map_or((Number::Int(0), 0), |way| (way.g, way.depth));
        for (head, next) in out.iter().skip(before) {
            let g = g.plus(head.cost.number());
            let known = watching.ways.get(next.bytes());
            // A start has no way to it, and none is cheaper.
            if known.is_none_or(|known| g.as_f64() < known.g.as_f64()) {
                let parent = state.bytes().into();
                let way = ReachedBy { parent, mv: head.mv, g, depth: depth + 1 };
                watching.ways.insert(next.bytes().into(), way);
            }
        }
        let count = out.len() - before;
        self.core.watching = Some(watching);
        if let Some(facts) = facts {
            let moves = if count == 1 { "move" } else { "moves" };
            watch::tell(
                self.core.machine,
                self.core.world,
                &record,
                &format!("{facts}; {count} {moves}"),
            );
        }
        found
    }

    /// `g 2, h 3, depth 2, by up from [...]`.
    fn facts(
        &mut self,
        state: &S,
        way: &Option<ReachedBy>,
        expanded: u64,
    ) -> Result<String, Box<RuleError>> {
        let h = if self.core.predicates.heuristic.is_some() {
            match self.heuristic(state)? {
                Some(h) => format!(", h {}", h.number()),
                None => ", no goal from here by its estimate".to_owned(),
            }
        } else {
            String::new()
        };
        let Some(way) = way else {
            return Ok(format!("expansion {expanded}, the start{h}"));
        };
        let parent = self.unpack(&way.parent);
        let name = self.move_term(way.mv);
        let parent = watch::text(self.core.machine, self.core.world, &parent);
        let name = watch::text(self.core.machine, self.core.world, &name);
        let (g, depth) = (way.g, way.depth);
        Ok(format!("expansion {expanded}, g {g}{h}, depth {depth}, by {name} from {parent}"))
    }
}
