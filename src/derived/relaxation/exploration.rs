//! Cheapest derivations of facts, from the cheapest on ([`Exploration`]): Dijkstra's algorithm over rules
//! (D. Knuth, *A Generalization of Dijkstra's Algorithm*, 1977).

use super::super::operators::Value;
use super::{NONE, Proposition, Relaxation, RuleId};

/// The cost of what is not reached.
pub(super) const UNREACHED: u32 = u32::MAX;

/// How the facts of a body are charged.
pub(super) trait Charge {
    /// What two parts of a body cost together.
    fn together(one: u32, other: u32) -> u32;
}

/// By the dearest: h-max.
pub(super) struct Max;
/// By all of them: h-add.
pub(super) struct Add;

impl Charge for Max {
    #[inline]
    fn together(one: u32, other: u32) -> u32 {
        one.max(other)
    }
}

impl Charge for Add {
    #[inline]
    fn together(one: u32, other: u32) -> u32 {
        one.saturating_add(other).min(UNREACHED - 1)
    }
}

/// What facts cost in a state, kept from one state to the next for its memory alone.
#[derive(Default)]
pub(super) struct Exploration {
    /// By proposition.
    pub costs: Vec<u32>,
    /// By proposition, its best achiever: the rule by which it has this cost.
    pub by: Vec<RuleId>,
    /// By rule, how many of its body are not reached yet.
    pub open: Vec<u32>,
    /// By rule, what the reached part of its body costs.
    pub bodies: Vec<u32>,
    /// By rule, its supporter: the part of its body that was reached last, at the greatest cost.
    pub last: Vec<Proposition>,
    queue: RadixHeap,
    /// Parts of bodies that were looked at, in all.
    pub work: u64,
}

/// A priority queue from which costs are taken in ascending order: by the highest bit in which a cost differs from
/// the one that was taken last (R. Ahuja et al., *Faster Algorithms for the Shortest Path Problem*, 1990).
struct RadixHeap {
    buckets: [Vec<(u32, Proposition)>; 33],
    last: u32,
}

impl Default for RadixHeap {
    fn default() -> RadixHeap {
        RadixHeap { buckets: std::array::from_fn(|_| Vec::new()), last: 0 }
    }
}

impl RadixHeap {
    fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.last = 0;
    }

    #[inline]
    fn push(&mut self, (cost, reached): (u32, Proposition)) {
        let bucket = 32 - (cost ^ self.last).leading_zeros();
        self.buckets[bucket as usize].push((cost, reached));
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, Proposition)> {
        if let Some(found) = self.buckets[0].pop() {
            return Some(found);
        }
        let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
        let moved = std::mem::take(&mut self.buckets[first]);
        self.last = moved.iter().map(|&(cost, _)| cost).min()?;
        moved.iter().for_each(|&entry| self.push(entry));
        // Its memory is of use again.
        self.buckets[first] = moved;
        self.buckets[first].clear();
        self.buckets[0].pop()
    }
}

impl Exploration {
    /// Explores a state; `costs` are those of operators. Without `escape` that rule does not count. Ends at the goal if
    /// nothing else is of use.
    pub fn explore<C: Charge>(
        &mut self,
        of: &Relaxation,
        state: &[Value],
        (costs, escape, to_the_end): (&[u32], bool, bool),
    ) {
        let all = of.propositions as usize;
        self.costs.clear();
        self.costs.resize(all, UNREACHED);
        self.by.clear();
        self.by.resize(all, NONE);
        self.open.clear();
        self.open.extend(of.rules.iter().map(|rule| rule.body.end - rule.body.start));
        self.bodies.clear();
        self.bodies.resize(of.rules.len(), 0);
        self.last.clear();
        self.last.resize(of.rules.len(), NONE);
        self.queue.clear();
        let skipped = of.escape.filter(|_| !escape);
        // What costs no more than what was reached last comes next.
        let mut free: Vec<Proposition> = of.reached_in(state).collect();
        free.iter().for_each(|&fact| self.costs[fact as usize] = 0);
        let mut now = 0;
        loop {
            let (cost, reached) = match free.pop() {
                Some(reached) => (now, reached),
                None => match self.queue.pop() {
                    Some(next) => next,
                    None => return,
                },
            };
            now = cost;
            if self.costs[reached as usize] < cost {
                continue;
            }
            if reached == of.goal && !to_the_end {
                return;
            }
            self.work += of.uses(reached).len() as u64;
            for &rule in of.uses(reached) {
                let at = rule as usize;
                self.open[at] -= 1;
                self.bodies[at] = C::together(self.bodies[at], cost);
                self.last[at] = reached;
                if self.open[at] > 0 || Some(rule) == skipped {
                    continue;
                }
                match self.reach(of, costs, rule) {
                    Some((cost, head)) if cost == now => free.push(head),
                    Some(reached) => self.queue.push(reached),
                    None => {}
                }
            }
        }
    }

    /// Explores on after some operators have become cheaper, for [`Max`] alone.
    pub fn go_on(&mut self, of: &Relaxation, costs: &[u32], cheaper: &[RuleId]) {
        self.queue.clear();
        let cheaper = cheaper.iter().filter_map(|&rule| self.reach(of, costs, rule));
        let cheaper: Vec<(u32, Proposition)> = cheaper.collect();
        cheaper.into_iter().for_each(|reached| self.queue.push(reached));
        while let Some((cost, reached)) = self.queue.pop() {
            if self.costs[reached as usize] < cost {
                continue;
            }
            self.work += of.uses(reached).len() as u64;
            for &rule in of.uses(reached) {
                let at = rule as usize;
                if self.open[at] > 0 || self.last[at] != reached || self.bodies[at] <= cost {
                    continue;
                }
                let dearest = of.body(rule).iter().max_by_key(|&&part| self.costs[part as usize]);
                let Some(&dearest) = dearest else { continue };
                let before = self.bodies[at];
                (self.last[at], self.bodies[at]) = (dearest, self.costs[dearest as usize]);
                if self.bodies[at] != before
                    && let Some(reached) = self.reach(of, costs, rule)
                {
                    self.queue.push(reached);
                }
            }
        }
    }

    /// The head of a rule with its cost by this rule, if that is less than known so far.
    #[inline]
    fn reach(
        &mut self,
        of: &Relaxation,
        costs: &[u32],
        rule: RuleId,
    ) -> Option<(u32, Proposition)> {
        let known = &of.rules[rule as usize];
        let own = costs.get(known.operator as usize).copied().unwrap_or(0);
        let whole = self.bodies[rule as usize].saturating_add(own).min(UNREACHED - 1);
        let head = known.head as usize;
        (whole < self.costs[head]).then(|| {
            (self.costs[head], self.by[head]) = (whole, rule);
            (whole, known.head)
        })
    }
}
