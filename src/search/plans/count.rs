//! How many ways lead through the graph of cheapest plans.

use super::graph::PlanGraph;
use crate::meter::Halt;
use crate::report::StopReason;
use num_bigint::BigUint;

/// Bits of numbers that are added even when a limit has struck.
const MOST_BITS: u64 = 1 << 28;

/// How many cheapest plans there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCount {
    /// The plans, told apart by the labels of moves and the states they lead to.
    pub plans: BigUint,
    /// The sequences of states they go through.
    pub lines: BigUint,
    /// What kept it from counting all: then there are at least so many.
    pub stopped: Option<StopReason>,
}

/// One way to count: every move for itself, or every next state once.
struct Counting<'g, M, S, C> {
    graph: &'g PlanGraph<M, S, C>,
    by_state: bool,
    /// The plans from each state on, as long as they are needed.
    totals: Vec<BigUint>,
    /// Moves into a state whose own states are not counted yet.
    waiting: Vec<usize>,
    /// A move leads into the state from another component, or it is the start.
    entered: Vec<bool>,
    /// Steps along paths of components with cycles.
    steps: u64,
    most_steps: u64,
    /// Bits of the numbers added so far.
    bits: u64,
    stopped: Option<StopReason>,
}

/// What comes next in a component with cycles: a state, and what is left of its moves.
struct Branch {
    state: usize,
    next: usize,
    /// In how many ways the path came here.
    ways: BigUint,
}

impl<M, S, C> PlanGraph<M, S, C> {
    /// Counts all plans. Only components with cycles take steps, each a state more of a path in
    /// them; `most` bounds those.
    pub(crate) fn count(
        &self,
        most: Option<u64>,
        watch: &mut dyn FnMut() -> Result<(), Halt>,
    ) -> Result<PlanCount, Halt> {
        let most = most.unwrap_or(u64::MAX);
        let plans = Counting::new(self, false, most).run(watch)?;
        // Where no two moves of a state lead to one, that is the same number.
        let lines = match (0..self.len()).any(|state| self.has_parallel(state)) {
            true => Counting::new(self, true, most).run(watch)?,
            false => plans.clone(),
        };
        Ok(PlanCount { plans: plans.0, lines: lines.0, stopped: plans.1.or(lines.1) })
    }

    fn has_parallel(&self, state: usize) -> bool {
        let mut ends: Vec<usize> = self.moves(state).iter().map(|mv| mv.to).collect();
        ends.sort_unstable();
        ends.windows(2).any(|pair| pair[0] == pair[1])
    }
}

impl<'g, M, S, C> Counting<'g, M, S, C> {
    fn new(graph: &'g PlanGraph<M, S, C>, by_state: bool, most_steps: u64) -> Self {
        let mut waiting = vec![0; graph.len()];
        let mut entered: Vec<bool> = (0..graph.len()).map(|state| state == 0).collect();
        for state in 0..graph.len() {
            for mv in graph.moves(state) {
                waiting[mv.to] += 1;
                entered[mv.to] |= graph.component(mv.to) != graph.component(state);
            }
        }
        let totals = vec![BigUint::ZERO; graph.len()];
        Counting {
            graph,
            by_state,
            totals,
            waiting,
            entered,
            steps: 0,
            most_steps,
            bits: 0,
            stopped: None,
        }
    }

    /// The plans from the start on, and what kept it from counting them all.
    fn run(
        mut self,
        watch: &mut dyn FnMut() -> Result<(), Halt>,
    ) -> Result<(BigUint, Option<StopReason>), Halt> {
        let graph = self.graph;
        let mut order: Vec<usize> = (0..graph.len()).collect();
        order.sort_by_key(|&state| graph.component(state));
        for members in order.chunk_by(|&a, &b| graph.component(a) == graph.component(b)) {
            if let Err(halt) = watch() {
                self.stop(halt)?;
                // Long numbers take long.
                if self.bits > MOST_BITS {
                    return Ok((1u8.into(), self.stopped));
                }
            }
            match members {
                &[state] => {
                    let total = if graph.is_goal(state) { 1u8.into() } else { self.outside(state) };
                    self.bits += total.bits();
                    self.totals[state] = total;
                }
                members => {
                    for &entry in members {
                        if !self.entered[entry] {
                            continue;
                        }
                        let total = self.paths_from(entry, watch)?;
                        // Every state lies on a plan.
                        self.totals[entry] = total.max(1u8.into());
                    }
                }
            }
            for &state in members {
                for mv in graph.moves(state) {
                    self.waiting[mv.to] -= 1;
                    // PERF: numbers of a long plan are long; few of them are needed at a time.
                    if self.waiting[mv.to] == 0 && graph.component(mv.to) != graph.component(state)
                    {
                        self.totals[mv.to] = BigUint::ZERO;
                    }
                }
            }
        }
        let total = self.totals.into_iter().next().unwrap_or_default();
        Ok((total, self.stopped))
    }

    /// A limit ends the steps, not the count of what is known.
    fn stop(&mut self, halt: Halt) -> Result<(), Halt> {
        match halt {
            Halt::Stop(reason) => {
                self.stopped.get_or_insert(reason);
                Ok(())
            }
            halt @ Halt::Fail(..) => Err(halt),
        }
    }

    /// In how many ways each state is next, in move order.
    fn ends(&self, state: usize) -> Vec<(usize, usize)> {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for mv in self.graph.moves(state) {
            match ends.iter_mut().find(|(to, _)| *to == mv.to) {
                Some((_, ways)) => *ways += usize::from(!self.by_state),
                None => ends.push((mv.to, 1)),
            }
        }
        ends
    }

    /// The plans that leave the component of a state at once.
    fn outside(&self, state: usize) -> BigUint {
        let own = self.graph.component(state);
        let ends = self.ends(state).into_iter();
        ends.filter(|&(to, _)| self.graph.component(to) != own)
            .map(|(to, ways)| &self.totals[to] * ways)
            .sum()
    }

    /// The plans of a component with cycles from a state on: those behind the end of each path
    /// in it that meets no state twice.
    fn paths_from(
        &mut self,
        entry: usize,
        watch: &mut dyn FnMut() -> Result<(), Halt>,
    ) -> Result<BigUint, Halt> {
        let own = self.graph.component(entry);
        let mut total = self.outside(entry);
        let mut on_path = rustc_hash::FxHashSet::from_iter([entry]);
        let mut path = vec![Branch { state: entry, next: 0, ways: 1u8.into() }];
        let mut known: rustc_hash::FxHashMap<usize, (Vec<(usize, usize)>, BigUint)> =
            rustc_hash::FxHashMap::default();
        while let Some(top) = path.last_mut() {
            if self.stopped.is_some() {
                break;
            }
            let ends = &known
                .entry(top.state)
                .or_insert_with(|| (self.ends(top.state), self.outside(top.state)))
                .0;
            let Some(&(to, ways)) = ends.get(top.next) else {
                on_path.remove(&top.state);
                path.pop();
                continue;
            };
            top.next += 1;
            if self.graph.component(to) != own || on_path.contains(&to) {
                continue;
            }
            let ways = &top.ways * ways;
            let behind = &known.entry(to).or_insert_with(|| (self.ends(to), self.outside(to))).1;
            total += behind * &ways;
            on_path.insert(to);
            path.push(Branch { state: to, next: 0, ways });
            self.steps += 1;
            if self.steps > self.most_steps {
                self.stopped = Some(StopReason::Nodes);
            }
            if let Err(halt) = watch() {
                self.stop(halt)?;
            }
        }
        Ok(total)
    }
}
