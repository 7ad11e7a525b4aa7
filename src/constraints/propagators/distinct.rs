//! Variables that have different values.
//!
//! [`Different`] takes a value that one variable has from the others. [`Distinct`] leaves each variable
//! the values that it has in some solution of the constraint (domain consistency): Régin, *A filtering
//! algorithm for constraints of difference in CSPs*, AAAI 1994.

use super::circuit::check_connected;
use crate::domain::{Domain, Small};
use crate::number::Bound;
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Speed, Step, Store, Words};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use zug_proof::Graph;

/// Posts that no two variables have the same value, weakly: see [`Different`].
pub fn post_different(store: &mut Store, vars: &[Var]) -> Step {
    let taken = Taken::new(store, vars);
    store.post(Arc::new(Different { taken, is_part: false }));
    Ok(())
}

/// Posts that no two variables have the same value, strongly: see [`Distinct`].
pub fn post_distinct(store: &mut Store, vars: &[Var]) -> Step {
    post_distinct_as(store, vars, Purpose::Distinct)
}

/// Posts that variables are the successors of the nodes 1, 2 and so on, in a cycle through all nodes.
///
/// They are [distinct](Distinct), and from each node there is a way to each other by
/// what can still be successors: the graph is strongly connected, as that of a cycle through all nodes
/// is (Laurière, *A language and a program for stating and solving combinatorial problems*, Artificial
/// Intelligence 10, 1978, has the constraint). Of variables that are distinct and have values no other
/// graph is. Connectedness is required, but narrows no domains.
pub fn post_circuit(store: &mut Store, successors: &[Var]) -> Step {
    let count = successors.len() as i64;
    for (&var, own) in successors.iter().zip(1..) {
        store.narrow(var, &Bound::from(1), &Bound::from(count))?;
        if count > 1 {
            store.remove_small(var, own)?;
        }
    }
    if count > 1 { post_distinct_as(store, successors, Purpose::Circuit) } else { Ok(()) }
}

/// What variables are distinct for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// As a constraint of its own.
    Distinct,
    /// As the successors of nodes in a cycle.
    Circuit,
}

/// Posts [`Distinct`] for a purpose.
fn post_distinct_as(store: &mut Store, vars: &[Var], purpose: Purpose) -> Step {
    let taken = Taken::new(store, vars);
    let mates = store.new_words(vars.len());
    // Soon, values go; and matching comes when nothing else is left to do.
    store.post(Arc::new(Different { taken: taken.clone(), is_part: true }));
    store.post(Arc::new(Distinct { taken, mates, purpose }));
    Ok(())
}

/// Variables, and which of them had a value that was taken from the others.
#[derive(Clone)]
struct Taken {
    vars: Arc<[Var]>,
    /// A bit for each variable.
    done: Words,
    lists_twice: bool,
}

impl Taken {
    fn new(store: &mut Store, vars: &[Var]) -> Taken {
        let mut sorted = vars.to_vec();
        sorted.sort_unstable();
        Taken {
            vars: vars.into(),
            done: store.new_words(vars.len().div_ceil(64)),
            lists_twice: sorted.windows(2).any(|pair| pair[0] == pair[1]),
        }
    }

    /// Takes the values that variables have from all others, until none has got a new one.
    fn exclude(&self, store: &mut Store) -> Step {
        if self.has_twin(store) {
            return Err(Fail);
        }
        loop {
            let mut is_new = false;
            for word in 0..self.vars.len().div_ceil(64) {
                let mut open = !store.word(self.done, word);
                while open != 0 {
                    let bit = open.trailing_zeros();
                    open &= open - 1;
                    let at = word * 64 + bit as usize;
                    let Some(&var) = self.vars.get(at) else { break };
                    if store.is_fixed(var) {
                        is_new = true;
                        self.take(store, at)?;
                    }
                }
            }
            if !is_new {
                return Ok(());
            }
        }
    }

    /// Takes the value of a variable from all that are not done with.
    fn take(&self, store: &mut Store, at: usize) -> Step {
        let set = store.word(self.done, at / 64) | 1 << (at % 64);
        store.set_word(self.done, at / 64, set);
        let small = store.small_value(self.vars[at]);
        let value = if small.is_none() { store.value(self.vars[at]) } else { None };
        for word in 0..self.vars.len().div_ceil(64) {
            let mut open = !store.word(self.done, word);
            while open != 0 {
                let bit = open.trailing_zeros();
                open &= open - 1;
                let Some(&other) = self.vars.get(word * 64 + bit as usize) else { break };
                match (small, &value) {
                    (Some(small), _) => store.remove_small(other, small)?,
                    (None, Some(value)) => store.remove(other, value)?,
                    (None, None) => unreachable!("the variable has a value"),
                }
            }
        }
        Ok(())
    }

    /// Whether two of the variables are one.
    fn has_twin(&self, store: &Store) -> bool {
        let is_joined = |&var: &Var| store.find(var) != var || store.is_joined(var);
        self.lists_twice || self.vars.iter().any(is_joined) && self.has_joined_twin(store)
    }

    fn has_joined_twin(&self, store: &Store) -> bool {
        SCRATCH.with_borrow_mut(|scratch| {
            let roots = &mut scratch.roots;
            roots.clear();
            roots.extend(self.vars.iter().map(|&var| store.find(var)));
            roots.sort_unstable();
            roots.windows(2).any(|pair| pair[0] == pair[1])
        })
    }

    /// Whether this variable's value was taken from the others.
    #[inline(always)]
    fn is_done(&self, store: &Store, at: usize) -> bool {
        store.word(self.done, at / 64) >> (at % 64) & 1 == 1
    }
}

/// No two variables have the same value: what one has is taken from the others.
struct Different {
    taken: Taken,
    /// Whether it is the part of [`Distinct`] that runs before other constraints.
    is_part: bool,
}

impl Propagator for Different {
    fn vars(&self) -> Vec<Var> {
        self.taken.vars.to_vec()
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn run(&self, store: &mut Store, _: Prop) -> Step {
        self.taken.exclude(store)
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let vars = Shown::vars(&self.taken.vars);
        (!self.is_part).then(|| Shown::Compound("all_different", vec![vars]))
    }
}

/// No two variables have the same value. Variables whose domains are finite are left the values that
/// they have in a solution; from others go the values that variables have.
///
/// The graph has variables only: the value that a variable is matched with stands for it. A variable
/// with at least as many values as there are variables finds one whatever the others have, so it is
/// left out of the graph, and what may be out of its reach is what the others need.
struct Distinct {
    taken: Taken,
    /// What each variable was matched with last, to begin with.
    mates: Words,
    purpose: Purpose,
}

impl Propagator for Distinct {
    fn vars(&self) -> Vec<Var> {
        self.taken.vars.to_vec()
    }

    fn speed(&self) -> Speed {
        Speed::Slow
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn run(&self, store: &mut Store, _: Prop) -> Step {
        loop {
            self.taken.exclude(store)?;
            let has_new = SCRATCH.with_borrow_mut(|scratch| self.match_all(store, scratch))?;
            if !has_new {
                break;
            }
        }
        match self.purpose {
            Purpose::Distinct => Ok(()),
            Purpose::Circuit => check_connected(store, &self.taken.vars),
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let name = match self.purpose {
            Purpose::Distinct => "all_distinct",
            Purpose::Circuit => "circuit",
        };
        Some(Shown::Compound(name, vec![Shown::vars(&self.taken.vars)]))
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

const NONE: u32 = u32::MAX;

#[derive(Default)]
struct Scratch {
    roots: Vec<Var>,
    /// Places of variables in the graph, and of those that are left out of it.
    core: Vec<(usize, u64)>,
    others: Vec<usize>,
    numbers: Numbers,
    /// The numbers of the values of each variable in the graph, one list after the other.
    ends: Vec<u32>,
    values: Vec<u32>,
    /// Matched values of variables, and variables of values.
    value_of: Vec<u32>,
    holder: Vec<u32>,
    /// The search of a path: through which variable a value was reached, and in which search.
    via: Vec<u32>,
    seen: Vec<u32>,
    queue: VecDeque<u32>,
    graph: Graph,
    kept: Vec<i64>,
}

/// How values are numbered.
#[derive(Default)]
struct Numbers {
    /// From this one on, if they are near each other.
    from: Option<i64>,
    count: usize,
    /// In order, if they are not.
    listed: Vec<i64>,
    /// In order, if some are not small.
    wide: Vec<Bound>,
}

impl Numbers {
    fn small(&self, at: u32) -> Option<i64> {
        match self.from {
            Some(from) => Some(from + i64::from(at)),
            None => self.listed.get(at as usize).copied(),
        }
    }

    fn place(&self, value: i64) -> Option<u32> {
        match self.from {
            Some(from) => {
                let at = value.checked_sub(from)?;
                (at >= 0 && (at as usize) < self.count).then_some(at as u32)
            }
            None if self.wide.is_empty() => {
                self.listed.binary_search(&value).ok().map(|at| at as u32)
            }
            None => self.wide.binary_search(&value.into()).ok().map(|at| at as u32),
        }
    }
}

impl Scratch {
    #[inline(always)]
    fn values_of(&self, at: usize) -> std::ops::Range<usize> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        start as usize..self.ends[at] as usize
    }

    /// Sets the variables apart that find a value whatever the others have.
    fn split(&mut self) {
        let count = self.core.len() as u64;
        let others = &mut self.others;
        self.core.retain(|&(at, size)| {
            if size >= count {
                others.push(at);
            }
            size < count
        });
    }

    /// Numbers the values of the variables of the graph, and lists them.
    fn list_values(&mut self, store: &Store, vars: &[Var]) {
        self.ends.clear();
        self.values.clear();
        let numbers = &mut self.numbers;
        numbers.from = None;
        numbers.listed.clear();
        numbers.wide.clear();
        let domains = || self.core.iter().map(|&(at, _)| store.domain(vars[at]));
        let smalls = || domains().filter_map(Domain::as_small);
        if smalls().count() < self.core.len() {
            for domain in domains() {
                each_wide(domain, |value| numbers.wide.push(value));
            }
            numbers.wide.sort();
            numbers.wide.dedup();
            numbers.count = numbers.wide.len();
            for domain in domains() {
                each_wide(domain, |value| {
                    let place = numbers.wide.binary_search(&value).expect("listed");
                    self.values.push(place as u32);
                });
                self.ends.push(self.values.len() as u32);
            }
            return;
        }
        let lo = smalls().map(Small::lo).min().unwrap_or(0);
        let hi = smalls().map(Small::hi).max().unwrap_or(0);
        let total: u64 = self.core.iter().map(|&(_, size)| size).sum();
        if (hi - lo) as u64 <= 4 * total + 64 {
            numbers.from = Some(lo);
            numbers.count = (hi - lo) as usize + 1;
            for domain in smalls() {
                for (a, b) in domain.parts() {
                    self.values.extend((a..=b).map(|value| (value - lo) as u32));
                }
                self.ends.push(self.values.len() as u32);
            }
            return;
        }
        for domain in smalls() {
            for (a, b) in domain.parts() {
                numbers.listed.extend(a..=b);
            }
        }
        numbers.listed.sort_unstable();
        numbers.listed.dedup();
        numbers.count = numbers.listed.len();
        for domain in smalls() {
            for (a, b) in domain.parts() {
                let from = numbers.listed.partition_point(|&value| value < a) as u32;
                self.values.extend(from..=from + (b - a) as u32);
            }
            self.ends.push(self.values.len() as u32);
        }
    }

    /// Finds a value for a variable, by giving others other values where necessary: the shortest such
    /// change.
    fn augment(&mut self, start: u32, search: u32) -> Step {
        self.queue.clear();
        self.queue.push_back(start);
        while let Some(var) = self.queue.pop_front() {
            for edge in self.values_of(var as usize) {
                let value = self.values[edge];
                if self.seen[value as usize] == search {
                    continue;
                }
                self.seen[value as usize] = search;
                self.via[value as usize] = var;
                let holder = self.holder[value as usize];
                if holder != NONE {
                    self.queue.push_back(holder);
                    continue;
                }
                let mut free = value;
                loop {
                    let var = self.via[free as usize];
                    let left = std::mem::replace(&mut self.value_of[var as usize], free);
                    self.holder[free as usize] = var;
                    if var == start {
                        return Ok(());
                    }
                    free = left;
                }
            }
        }
        Err(Fail)
    }
}

/// Calls a function with each element of a finite domain.
fn each_wide(domain: &Domain, mut each: impl FnMut(Bound)) {
    for (lo, hi) in domain.parts() {
        let mut value = lo;
        while value <= hi {
            let next = value.succ();
            each(value);
            value = next;
        }
    }
}

impl Distinct {
    /// Leaves variables with finite domains the values of solutions. Says whether a variable has got a
    /// value while there are some whose domains are not finite.
    fn match_all(&self, store: &mut Store, scratch: &mut Scratch) -> Result<bool, Fail> {
        let vars = &self.taken.vars;
        scratch.core.clear();
        scratch.others.clear();
        let mut has_infinite = false;
        for (at, &var) in vars.iter().enumerate() {
            if self.taken.is_done(store, at) {
                continue;
            }
            match store.domain(var) {
                Domain::Small(small) => scratch.core.push((at, small.size())),
                wide => match wide.size() {
                    Bound::Fin(size) => {
                        let size = u64::try_from(&size).unwrap_or(u64::MAX);
                        scratch.core.push((at, size));
                    }
                    _ => has_infinite = true,
                },
            }
        }
        scratch.split();
        if scratch.core.is_empty() {
            return Ok(false);
        }
        scratch.list_values(store, vars);
        self.find_matching(store, scratch)?;
        // From a variable to the holders of the other values that it can have; and one more node for
        // all values that nobody holds, from which everything can be reached.
        let count = scratch.core.len();
        scratch.graph.clear();
        for at in 0..count {
            let mut sees_free = false;
            for edge in scratch.values_of(at) {
                match scratch.holder[scratch.values[edge] as usize] {
                    NONE => sees_free = true,
                    holder if holder as usize == at => {}
                    holder => scratch.graph.edge(holder),
                }
            }
            if sees_free {
                scratch.graph.edge(count as u32);
            }
            scratch.graph.end_node();
        }
        for at in 0..count {
            scratch.graph.edge(at as u32);
        }
        scratch.graph.end_node();
        if scratch.graph.find_components() == 1 {
            return Ok(false);
        }
        let core_fixed = self.prune_core(store, scratch)?;
        let others_fixed = self.prune_others(store, scratch)?;
        Ok(has_infinite && (core_fixed || others_fixed))
    }

    /// Matches each variable of the graph with a value of its own.
    fn find_matching(&self, store: &mut Store, scratch: &mut Scratch) -> Step {
        let (vars, values) = (scratch.core.len(), scratch.numbers.count);
        scratch.value_of.clear();
        scratch.value_of.resize(vars, NONE);
        for list in [&mut scratch.holder, &mut scratch.via, &mut scratch.seen] {
            list.clear();
            list.resize(values, NONE);
        }
        // As it was, as far as that is still possible.
        for at in 0..vars {
            let mate = store.word(self.mates, scratch.core[at].0) as i64;
            let Some(place) = scratch.numbers.place(mate) else { continue };
            if scratch.holder[place as usize] == NONE
                && store.domain(self.taken.vars[scratch.core[at].0]).has(mate)
            {
                scratch.holder[place as usize] = at as u32;
                scratch.value_of[at] = place;
            }
        }
        for at in 0..vars {
            if scratch.value_of[at] == NONE {
                scratch.augment(at as u32, at as u32)?;
            }
        }
        for at in 0..vars {
            if let Some(value) = scratch.numbers.small(scratch.value_of[at]) {
                store.set_guess(self.mates, scratch.core[at].0, value as u64);
            }
        }
        Ok(())
    }

    /// Takes from variables of the graph what others need.
    fn prune_core(&self, store: &mut Store, scratch: &mut Scratch) -> Result<bool, Fail> {
        let mut has_fixed = false;
        for at in 0..scratch.core.len() {
            let component = scratch.graph.component(at);
            let is_kept = |scratch: &Scratch, value: u32| {
                let holder = scratch.holder[value as usize];
                holder == NONE || scratch.graph.component(holder as usize) == component
            };
            let edges = scratch.values_of(at);
            if edges.clone().all(|edge| is_kept(scratch, scratch.values[edge])) {
                continue;
            }
            let var = self.taken.vars[scratch.core[at].0];
            if scratch.numbers.wide.is_empty() {
                scratch.kept.clear();
                for edge in edges {
                    let value = scratch.values[edge];
                    if is_kept(scratch, value) {
                        let value = scratch.numbers.small(value).expect("small ones");
                        scratch.kept.push(value);
                    }
                }
                store.restrict(var, Domain::of_values(scratch.kept.iter().copied()))?;
            } else {
                for edge in edges {
                    let value = scratch.values[edge];
                    if !is_kept(scratch, value) {
                        store.remove(var, &scratch.numbers.wide[value as usize])?;
                    }
                }
            }
            has_fixed |= store.is_fixed(var);
        }
        Ok(has_fixed)
    }

    /// Takes from the variables that were left out what those of the graph need.
    fn prune_others(&self, store: &mut Store, scratch: &mut Scratch) -> Result<bool, Fail> {
        let free = scratch.graph.component(scratch.core.len());
        let mut has_fixed = false;
        for at in 0..scratch.core.len() {
            if scratch.graph.component(at) == free {
                continue;
            }
            let value = scratch.value_of[at];
            for &other in &scratch.others {
                let var = self.taken.vars[other];
                match scratch.numbers.small(value) {
                    Some(value) => store.remove_small(var, value)?,
                    None => store.remove(var, &scratch.numbers.wide[value as usize])?,
                }
                has_fixed |= store.is_fixed(var);
            }
        }
        Ok(has_fixed)
    }
}
