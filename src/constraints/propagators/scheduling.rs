//! Tasks that share a resource, and rectangles that don't overlap.
//!
//! [`Serialized`] looks at pairs of tasks: Dorndorf, Pesch and Phan-Huy, *Constraint propagation
//! techniques for the disjunctive scheduling problem*, Artificial Intelligence 122, 2000 (2-b-consistency).
//! [`Cumulative`] has a profile of what is used for certain: Beldiceanu and Carlsson, *A new
//! multi-resource cumulatives constraint with negative heights*, CP 2002 (compulsory parts are
//! A. Lahrichi's, *Ordonnancements: la notion de parties obligatoires*, 1982); and the area that is
//! used at least: Baptiste, Le Pape and Nuijten, *Constraint-Based Scheduling*, 2001, section 3.3.1
//! (fully elastic relaxation).

use super::sum::plus_as_part;
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Step, Store, Words};
use num_bigint::BigInt;
use std::cell::RefCell;
use std::sync::Arc;

/// Posts that no two tasks, with these starts and durations that are not negative, overlap: see
/// [`Serialized`].
pub fn post_serialized(store: &mut Store, starts: &[Var], durations: &[BigInt]) -> Step {
    let seen = store.new_words(starts.len());
    let small: Option<Vec<i64>> =
        durations.iter().map(|duration| Bound::Fin(duration.clone()).small()).collect();
    store.post(Arc::new(Serialized {
        starts: starts.into(),
        durations: durations.into(),
        small: small.map(Vec::into_boxed_slice),
        seen,
    }));
    Ok(())
}

/// Of each two tasks one ends before the other starts, or as it does. Where one order is impossible, the
/// bounds of the other are kept.
struct Serialized {
    starts: Box<[Var]>,
    durations: Box<[BigInt]>,
    small: Option<Box<[i64]>>,
    /// The width of each domain and one, as the task was looked at last.
    seen: Words,
}

/// The width of the domains of variables and one, which is less when a bound has changed; 0 if that can't
/// be told.
fn width(store: &Store, vars: &[Var]) -> u64 {
    let mut width: u64 = 1;
    for &var in vars {
        let Some(small) = store.domain(var).as_small() else { return 0 };
        width = width.wrapping_add(small.hi().wrapping_sub(small.lo()) as u64);
    }
    width
}

impl Serialized {
    fn filter<N: Number>(&self, store: &mut Store, duration: &impl Fn(usize) -> N) -> Step {
        for task in 0..self.starts.len() {
            let now = width(store, &self.starts[task..=task]);
            if now == 0 || now != store.word(self.seen, task) {
                store.set_word(self.seen, task, now);
                self.compare(store, duration, task)?;
            }
        }
        Ok(())
    }

    fn compare<N: Number>(
        &self,
        store: &mut Store,
        duration: &impl Fn(usize) -> N,
        task: usize,
    ) -> Step {
        let x = self.starts[task];
        let length = duration(task);
        for other in (0..self.starts.len()).filter(|&other| other != task) {
            let y = self.starts[other];
            let other_length = duration(other);
            if !store.same(x, y) {
                order(store, x, &length, y, &other_length)?;
                order(store, y, &other_length, x, &length)?;
            } else if length.sign() > 0 && other_length.sign() > 0 {
                return Err(Fail);
            }
        }
        Ok(())
    }

    /// Whether the order of each two tasks is known, whatever values the starts get.
    fn is_entailed(&self, store: &Store) -> bool {
        let ends = |task: usize| {
            let length = Bound::Fin(self.durations[task].clone());
            let start = self.starts[task];
            (store.lo::<Bound>(start), store.hi::<Bound>(start).plus(&length))
        };
        let all: Vec<_> = (0..self.starts.len()).map(ends).collect();
        all.iter().enumerate().all(|(at, (start, end))| {
            let is_apart = |other: &(Bound, Bound)| *end <= other.0 || other.1 <= *start;
            all[at + 1..].iter().all(is_apart)
        })
    }
}

/// If a task can't be before another, it is after it.
fn order<N: Number>(store: &mut Store, x: Var, length: &N, y: Var, other: &N) -> Step {
    let (lo, hi): (N, N) = (store.lo(x), store.hi(y));
    if !lo.is_finite() || !hi.is_finite() || lo.plus(length) <= hi {
        return Ok(());
    }
    store.at_least(x, &store.lo::<N>(y).plus(other))?;
    store.at_most(y, &store.hi::<N>(x).minus(other))
}

impl Propagator for Serialized {
    fn vars(&self) -> Vec<Var> {
        self.starts.to_vec()
    }

    fn event(&self) -> Event {
        Event::Bounds
    }

    fn weight(&self, _: &Store, _: Var) -> usize {
        // One for each other task.
        self.starts.len().saturating_sub(1)
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        match &self.small {
            Some(small) if store.are_small(&self.starts) => {
                self.filter::<i128>(store, &|task| small[task].into())?;
            }
            _ => self.filter(store, &|task| Bound::Fin(self.durations[task].clone()))?,
        }
        let open = self.starts.iter().filter(|&&start| !store.is_fixed(start)).count();
        if open <= 1 && self.is_entailed(store) {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let durations = self.durations.iter().map(|value| Shown::Int(value.clone())).collect();
        let starts = Shown::vars(&self.starts);
        Some(Shown::binary("serialized", starts, Shown::List(durations)))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub start: Var,
    pub duration: Var,
    pub end: Var,
    /// How much of the resource it uses meanwhile.
    pub demand: Var,
    pub name: Shown,
}

/// Posts that tasks, which take some time each and end that much after they start, use no more than a
/// limit at any time: see [`Cumulative`].
pub fn post_cumulative(store: &mut Store, tasks: &[Task], limit: Var) -> Step {
    if tasks.is_empty() {
        return Ok(());
    }
    store.narrow(limit, &Bound::from(0), &Bound::Sup)?;
    for task in tasks {
        store.narrow(task.duration, &Bound::from(1), &Bound::Sup)?;
        store.narrow(task.demand, &Bound::from(0), &Bound::Sup)?;
        store.post(plus_as_part(task.start, task.duration, task.end));
    }
    store.post(Arc::new(Cumulative { tasks: tasks.into(), limit }));
    Ok(())
}

/// Tasks use no more than a limit at any time. From when a task starts at last to when it ends at first,
/// it runs: what runs so at a time is no more than the limit, and no task is then that would
/// make it more. And what all use at least is no more than there is from the first start to the last
/// end.
struct Cumulative {
    tasks: Box<[Task]>,
    limit: Var,
}

impl Cumulative {
    fn all(&self) -> impl Iterator<Item = Var> + '_ {
        let own = |task: &Task| [task.start, task.duration, task.end, task.demand];
        self.tasks.iter().flat_map(own).chain([self.limit])
    }
}

impl Propagator for Cumulative {
    fn vars(&self) -> Vec<Var> {
        self.all().collect()
    }

    fn event(&self) -> Event {
        Event::Bounds
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let mut is_small = true;
        let mut is_tiny = true;
        let mut is_open = false;
        for var in self.all() {
            is_open |= !store.is_fixed(var);
            match store.domain(var).as_small() {
                Some(small) => is_tiny &= small.lo() > -TINY && small.hi() < TINY,
                None => is_small = false,
            }
        }
        if is_small {
            PROFILE.with_borrow_mut(|profile| self.fit(store, profile))?;
        } else {
            self.fit::<Bound>(store, &mut Profile::default())?;
        }
        if is_small && is_tiny {
            self.spread::<i128>(store)?;
        } else {
            self.spread::<Bound>(store)?;
        }
        if !is_open {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let task = |task: &Task| {
            let Task { start, duration, end, demand, name } = task;
            let numbers = [*start, *duration, *end, *demand].map(Shown::Var);
            Shown::Compound("task", numbers.into_iter().chain([name.clone()]).collect())
        };
        let tasks = Shown::List(self.tasks.iter().map(task).collect());
        let limit = Shown::Compound("limit", vec![self.limit.into()]);
        Some(Shown::binary("cumulative", tasks, Shown::List(vec![limit])))
    }
}

/// Sums of products of numbers below this fit `i128`.
const TINY: i64 = 1 << 48;

/// What is used for certain.
struct Profile<N> {
    /// By how much that changes, and when, in order.
    changes: Vec<(N, N)>,
    /// When something is used.
    segments: Vec<Segment<N>>,
}

/// A time, to its end, in which so much is used.
struct Segment<N> {
    from: N,
    to: N,
    used: N,
}

impl<N> Default for Profile<N> {
    fn default() -> Profile<N> {
        Profile { changes: Vec::new(), segments: Vec::new() }
    }
}

thread_local! {
    static PROFILE: RefCell<Profile<i128>> = RefCell::default();
}

impl Cumulative {
    /// Keeps tasks away from where they don't fit.
    fn fit<N: Number>(&self, store: &mut Store, profile: &mut Profile<N>) -> Step {
        let Profile { changes, segments } = profile;
        let zero = N::int(0);
        changes.clear();
        segments.clear();
        for task in &self.tasks {
            let (from, to): (N, N) = (store.hi(task.start), store.lo(task.end));
            let demand: N = store.lo(task.demand);
            if from < to && demand > zero {
                changes.push((to, demand.negated()));
                changes.push((from, demand));
            }
        }
        changes.sort_unstable();
        let (mut used, mut most) = (zero.clone(), zero.clone());
        for pair in 0..changes.len() {
            used = used.plus(&changes[pair].1);
            let Some((to, _)) = changes.get(pair + 1) else { break };
            let from = &changes[pair].0;
            if from < to && used > zero {
                most = most.max(used.clone());
                segments.push(Segment { from: from.clone(), to: to.clone(), used: used.clone() });
            }
        }
        // Each runs at some time.
        for task in &self.tasks {
            most = most.max(store.lo(task.demand));
        }
        store.at_least(self.limit, &most)?;
        let limit: N = store.hi(self.limit);
        if !limit.is_finite() {
            return Ok(());
        }
        for task in &self.tasks {
            self.fit_task(store, task, segments, &limit)?;
        }
        Ok(())
    }

    fn fit_task<N: Number>(
        &self,
        store: &mut Store,
        task: &Task,
        segments: &[Segment<N>],
        limit: &N,
    ) -> Step {
        // As they were when the profile was made.
        let (latest, earliest): (N, N) = (store.hi(task.start), store.lo(task.end));
        let demand: N = store.lo(task.demand);
        let runs = latest < earliest;
        let mut most = limit.clone();
        let mut start: N = store.lo(task.start);
        for part in segments {
            if runs && part.from < earliest && latest < part.to {
                // It is a part of what is used, unless it may use nothing.
                most = most.min(limit.minus(&part.used).plus(&demand));
                continue;
            }
            if part.used.plus(&demand) <= *limit || demand.sign() <= 0 {
                continue;
            }
            // It can't run then: it starts later if it would not be over before,
            let end = store.lo::<N>(task.end).max(start.plus(&store.lo(task.duration)));
            if start < part.to && end > part.from {
                start = part.to.clone();
                store.at_least(task.start, &start)?;
            }
            // and ends before if it would have started by its end.
            if store.hi::<N>(task.start) < part.to && store.hi::<N>(task.end) > part.from {
                store.at_most(task.end, &part.from)?;
            }
        }
        // What others leave it, where it runs.
        if runs { store.at_most(task.demand, &most) } else { Ok(()) }
    }

    /// Compares what all use at least with what there is from the first start to the last end.
    fn spread<N: Number>(&self, store: &mut Store) -> Step {
        let starts = |store: &Store| self.tasks.iter().map(|task| store.lo::<N>(task.start)).min();
        let ends = |store: &Store| self.tasks.iter().map(|task| store.hi::<N>(task.end)).max();
        let (Some(first), Some(last)) = (starts(store), ends(store)) else { return Ok(()) };
        let least =
            |store: &Store, task: &Task| store.lo::<N>(task.duration).times(&store.lo(task.demand));
        let area = self.tasks.iter().fold(N::int(0), |sum, task| sum.plus(&least(store, task)));
        let limit: N = store.hi(self.limit);
        if first.is_finite() && last.is_finite() {
            let time = last.minus(&first);
            if time.sign() <= 0 {
                return Err(Fail);
            }
            store.at_least(self.limit, &area.ceil_div(&time))?;
            if limit.is_finite() {
                let spare = time.times(&limit).minus(&area);
                for task in &self.tasks {
                    let rest = spare.plus(&least(store, task));
                    let (duration, demand): (N, N) =
                        (store.lo(task.duration), store.lo(task.demand));
                    if demand.sign() > 0 {
                        store.at_most(task.duration, &rest.floor_div(&demand))?;
                    }
                    store.at_most(task.demand, &rest.floor_div(&duration))?;
                }
            }
        }
        if !limit.is_finite() || limit.sign() <= 0 {
            return Ok(());
        }
        let time = area.ceil_div(&limit);
        // The last end and the first start are that far from each other: where just one task can be
        // there, it is.
        let first_at_last = self.tasks.iter().map(|task| store.hi::<N>(task.start)).min();
        let last_at_first = self.tasks.iter().map(|task| store.lo::<N>(task.end)).max();
        let (Some(early), Some(late)) = (first_at_last, last_at_first) else { return Ok(()) };
        if first.is_finite() {
            let bound = first.plus(&time);
            if late < bound {
                let mut able = self.tasks.iter().filter(|task| store.hi::<N>(task.end) >= bound);
                match (able.next(), able.next()) {
                    (None, _) => return Err(Fail),
                    (Some(only), None) => store.at_least(only.end, &bound)?,
                    _ => {}
                }
            }
        }
        if last.is_finite() {
            let bound = last.minus(&time);
            if early > bound {
                let mut able = self.tasks.iter().filter(|task| store.lo::<N>(task.start) <= bound);
                match (able.next(), able.next()) {
                    (None, _) => return Err(Fail),
                    (Some(only), None) => store.at_most(only.start, &bound)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// A rectangle: its begin and size in each of two directions.
pub type Rectangle = [Var; 4];

/// Posts that no two rectangles overlap: see [`Disjoint`].
pub fn post_disjoint2(store: &mut Store, rectangles: &[Rectangle]) -> Step {
    let seen = store.new_words(rectangles.len());
    store.post(Arc::new(Disjoint { rectangles: rectangles.into(), seen }));
    Ok(())
}

/// No two rectangles overlap: where one begins in a direction within the other, one is before the other in
/// the other direction. Of these conditions, each of which is a disjunction of comparisons, the
/// last one that can hold does, and what follows of it for bounds.
struct Disjoint {
    rectangles: Box<[Rectangle]>,
    /// The width of the domains of each rectangle and one, as it was looked at last.
    seen: Words,
}

/// `x + size + more =< y`, of variables; there may be no size.
#[derive(Clone, Copy)]
struct Before {
    x: Var,
    size: Option<Var>,
    more: i64,
    y: Var,
}

impl Before {
    /// What is at most what: bounds of both sides without what they have in common.
    fn ends<N: Number>(self, store: &Store) -> [N; 4] {
        let more = N::int(self.more);
        let (mut lo, mut hi) = (more.clone(), more);
        if let Some(size) = self.size {
            (lo, hi) = (lo.plus(&store.lo(size)), hi.plus(&store.hi(size)));
        }
        if store.same(self.x, self.y) {
            return [lo, hi, N::int(0), N::int(0)];
        }
        let (x_lo, x_hi): (N, N) = (store.lo(self.x), store.hi(self.x));
        [lo.plus(&x_lo), hi.plus(&x_hi), store.lo(self.y), store.hi(self.y)]
    }

    fn is_refuted<N: Number>(self, store: &Store) -> bool {
        let [lo, _, _, hi] = self.ends::<N>(store);
        lo > hi
    }

    fn is_certain<N: Number>(self, store: &Store) -> bool {
        let [_, hi, lo, _] = self.ends::<N>(store);
        hi <= lo
    }

    /// Narrows bounds so that it can hold.
    fn impose<N: Number>(self, store: &mut Store) -> Step {
        let Before { x, size, more, y } = self;
        let more = N::int(more);
        let least = |store: &Store| size.map_or(N::int(0), |size| store.lo(size)).plus(&more);
        if store.same(x, y) {
            return size.map_or(Ok(()), |size| store.at_most(size, &more.negated()));
        }
        store.at_most(x, &store.hi::<N>(y).minus(&least(store)))?;
        store.at_least(y, &store.lo::<N>(x).plus(&least(store)))?;
        let Some(size) = size else { return Ok(()) };
        let most = store.hi::<N>(y).minus(&store.lo(x)).minus(&more);
        store.at_most(size, &most)
    }
}

impl Disjoint {
    fn filter<N: Number>(&self, store: &mut Store) -> Step {
        for at in 0..self.rectangles.len() {
            let now = width(store, &self.rectangles[at]);
            if now != 0 && now == store.word(self.seen, at) {
                continue;
            }
            store.set_word(self.seen, at, now);
            for other in (0..self.rectangles.len()).filter(|&other| other != at) {
                let (a, b) = (self.rectangles[at], self.rectangles[other]);
                keep_apart::<N>(store, a, b)?;
                keep_apart::<N>(store, b, a)?;
            }
        }
        Ok(())
    }

    /// Whether each two are apart, whatever values the variables get.
    fn is_entailed(&self, store: &Store) -> bool {
        self.rectangles.iter().enumerate().all(|(at, &a)| {
            self.rectangles[at + 1..].iter().all(|&b| {
                let mut conditions = conditions(a, b).into_iter().chain(conditions(b, a));
                conditions.all(|ways| ways.iter().any(|way| way.is_certain::<Bound>(store)))
            })
        })
    }
}

/// For each direction: where the second rectangle begins within the first one, one of them is before the
/// other in the other direction. One of the ways is so.
fn conditions(a: Rectangle, b: Rectangle) -> [[Before; 4]; 2] {
    [0, 2].map(|direction| {
        let other = 2 - direction;
        let (x, width, other_x) = (a[direction], a[direction + 1], b[direction]);
        let (y, height, other_y, other_height) = (a[other], a[other + 1], b[other], b[other + 1]);
        [
            // It begins earlier, or not before the end of the first one,
            Before { x: other_x, size: None, more: 1, y: x },
            Before { x, size: Some(width), more: 0, y: other_x },
            // or in the other direction, the first one is before it, or it before the first one.
            Before { x: y, size: Some(height), more: 0, y: other_y },
            Before { x: other_y, size: Some(other_height), more: 0, y },
        ]
    })
}

/// Where just one of the ways is possible, it is so.
fn keep_apart<N: Number>(store: &mut Store, a: Rectangle, b: Rectangle) -> Step {
    for ways in conditions(a, b) {
        if ways.iter().any(|way| way.is_certain::<N>(store)) {
            continue;
        }
        let mut possible = ways.iter().filter(|way| !way.is_refuted::<N>(store));
        match (possible.next(), possible.next()) {
            (None, _) => return Err(Fail),
            (Some(way), None) => way.impose::<N>(store)?,
            _ => {}
        }
    }
    Ok(())
}

impl Propagator for Disjoint {
    fn vars(&self) -> Vec<Var> {
        self.rectangles.concat()
    }

    fn event(&self) -> Event {
        Event::Bounds
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        if self.rectangles.iter().all(|rectangle| store.are_small(rectangle)) {
            self.filter::<i128>(store)?
        } else {
            self.filter::<Bound>(store)?
        }
        let all = self.rectangles.iter().flatten();
        if all.filter(|&&var| !store.is_fixed(var)).count() <= 1 && self.is_entailed(store) {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let shown =
            |rectangle: &Rectangle| Shown::Compound("rectangle", rectangle.map(Shown::Var).into());
        let rectangles = self.rectangles.iter().map(shown).collect();
        Some(Shown::Compound("disjoint2", vec![Shown::List(rectangles)]))
    }
}
