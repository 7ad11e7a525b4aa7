//! Variables with domains, propagators that narrow them, and the queue that runs these until nothing
//! changes any more (Schulte and Stuckey, *Efficient constraint propagation engines*, 2008).
//!
//! A store goes back to an earlier state by its trail ([`Store::mark`], [`Store::undo_to`]): nothing is
//! taken back but by that, and everything since then is.
//!
//! **Where a side of a domain is open**, propagation may have no end, as that of `X #> Y, Y #> X` has
//! none. So an open domain passes on only the first change of each of its ends, and of its spread, since a
//! constraint was posted on the variable; all other changes wait. The rest is exact: what
//! propagators do not find is found when variables have values.

use super::domain::Domain;
use super::number::{Bound, Number};
use super::shown::{Shown, Var};
use num_bigint::BigInt;
use std::collections::VecDeque;
use std::sync::Arc;
use zug_term::watchdog;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prop(pub u32);

/// The constraints can't hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fail;

/// What becomes of a step: nothing, or there is no solution.
pub type Step = Result<(), Fail>;

/// The changes of a variable on which a propagator runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Fixed = 0,
    Bounds = 1,
    Any = 2,
}

/// How soon a propagator runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speed {
    Fast = 0,
    Slow = 1,
}

/// Narrows the domains of variables by a constraint on them.
pub trait Propagator: Send + Sync {
    fn vars(&self) -> Vec<Var>;
    fn event(&self) -> Event {
        Event::Any
    }
    fn speed(&self) -> Speed {
        Speed::Fast
    }
    /// Whether another run right after one would find nothing: what it changes itself does not call it.
    fn is_idempotent(&self) -> bool {
        false
    }
    /// For how many constraints on a variable it counts when the most constrained one is looked for.
    fn weight(&self, _store: &Store, _var: Var) -> usize {
        1
    }
    /// Narrows domains. It [`kill`](Store::kill)s itself when it can find nothing more.
    fn run(&self, store: &mut Store, me: Prop) -> Step;
    /// The constraint as people write it, for those that still hold something back; `None` for what
    /// is a part of another one.
    fn shown(&self, store: &Store) -> Option<Shown>;
}

struct Variable {
    domain: Domain,
    /// The variable that it has been joined with, or itself: a tree that is not deep, since the smaller one of two is
    /// joined with the larger one.
    to: Var,
    /// Of the root of a tree: the variable that stands for all of it.
    name: Var,
    /// Of the root of a tree: how many variables are in it.
    size: u32,
    /// Whether others were joined with it; stays so when that is taken back.
    has_joined: bool,
    /// Propagators by [`Event`].
    watchers: [Vec<Prop>; 3],
    /// The epoch in which its domain was saved last.
    saved: u64,
    /// Ends of an open domain that have changed: see the module's text.
    moved: u8,
    /// The place outside where its value goes, if there is one.
    anchor: Option<u32>,
}

struct Entry {
    code: Arc<dyn Propagator>,
    is_dead: bool,
    is_queued: bool,
    /// The constraint that it is of.
    origin: u32,
}

enum Undo {
    Domain(Var, Domain, u8),
    Join(Var, Var),
    Watcher(Var, Event),
    Death(Prop),
    Anchor(Var, Option<u32>),
    Variable,
    Propagator,
    Word(u32, u64),
    Words(u32),
    Posted,
}

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const SPREAD: u8 = 4;

/// A number that a propagator remembers.
#[derive(Clone, Copy)]
struct Word {
    value: u64,
    /// The epoch in which it was saved last.
    saved: u64,
}

/// Words of a store that belong together, from [`Store::new_words`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words(u32);

/// A change, as a log has it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The constraint that it is of.
    pub origin: u32,
    pub what: Changed,
}

/// What a log has of a change.
#[derive(Clone, Debug)]
pub enum Changed {
    /// A variable has this domain now; none, if no value was left.
    Domain(Var, Option<Domain>),
    /// The first variable was joined with the second one, which stands for both now.
    Joined(Var, Var),
    /// The constraint can't hold for another reason than that a variable has no value left.
    Refused,
}

impl Change {
    /// Whether the constraint can't hold.
    pub fn is_failure(&self) -> bool {
        matches!(self.what, Changed::Domain(_, None) | Changed::Refused)
    }
}

#[derive(Default)]
pub struct Store {
    variables: Vec<Variable>,
    props: Vec<Entry>,
    trail: Vec<Undo>,
    /// Which step between two marks this is.
    epoch: u64,
    queues: [VecDeque<Prop>; 2],
    /// The propagator that runs and does not want to be called by what it changes.
    running: Option<Prop>,
    /// Anchored variables that have got a value, in order.
    fixed: Vec<Var>,
    /// Pairs of anchored variables that were joined.
    joined: Vec<(Var, Var)>,
    /// The constraint whose propagators are being posted.
    origin: u32,
    /// What propagators remember.
    words: Vec<Word>,
    /// Runs of propagators so far.
    pub runs: u64,
    /// A propagator came upon a number that is too large to be computed.
    is_too_large: bool,
    /// Constraints that were posted since they are counted; domains are none.
    posted: u64,
    log: Option<Vec<Change>>,
    current: Option<Prop>,
}

impl Store {
    /// Where the trail stands; a new step begins.
    pub fn mark(&mut self) -> usize {
        self.epoch += 1;
        self.trail.len()
    }

    #[inline(always)]
    pub fn trail_len(&self) -> usize {
        self.trail.len()
    }

    /// Takes back everything since a [`mark`](Store::mark).
    pub fn undo_to(&mut self, mark: usize) {
        self.forget_queue();
        while self.trail.len() > mark {
            match self.trail.pop().expect("longer than the mark") {
                Undo::Domain(var, domain, moved) => {
                    let variable = &mut self.variables[var.0 as usize];
                    variable.domain = domain;
                    variable.moved = moved;
                }
                Undo::Join(below, name) => self.prune(below, name),
                Undo::Watcher(var, event) => {
                    self.variables[var.0 as usize].watchers[event as usize].pop();
                }
                Undo::Death(prop) => self.props[prop.0 as usize].is_dead = false,
                Undo::Anchor(var, anchor) => self.variables[var.0 as usize].anchor = anchor,
                Undo::Variable => drop(self.variables.pop()),
                Undo::Propagator => drop(self.props.pop()),
                Undo::Word(at, value) => self.words[at as usize].value = value,
                Undo::Words(len) => self.words.truncate(len as usize),
                Undo::Posted => self.posted = self.posted.saturating_sub(1),
            }
        }
        self.epoch += 1;
    }

    /// Forgets what was to run, after a failure or an end in the middle of something.
    pub fn forget_queue(&mut self) {
        for queue in &mut self.queues {
            for prop in queue.drain(..) {
                if let Some(entry) = self.props.get_mut(prop.0 as usize) {
                    entry.is_queued = false;
                }
            }
        }
        self.running = None;
        self.current = None;
        self.fixed.clear();
        self.joined.clear();
    }

    pub fn new_var(&mut self, domain: Domain) -> Var {
        let var = Var(self.variables.len() as u32);
        if self.log.is_some() && domain != Domain::all() {
            self.log(Changed::Domain(var, Some(domain.clone())));
        }
        self.variables.push(Variable {
            domain,
            to: var,
            name: var,
            size: 1,
            has_joined: false,
            watchers: [const { Vec::new() }; 3],
            saved: self.epoch,
            moved: 0,
            anchor: None,
        });
        self.trail.push(Undo::Variable);
        var
    }

    pub fn constant(&mut self, value: &BigInt) -> Var {
        self.new_var(Domain::value(value))
    }

    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// The variable that stands for all that it was joined with.
    #[inline(always)]
    pub fn find(&self, var: Var) -> Var {
        self.variables[self.root(var).0 as usize].name
    }

    /// How far a variable is from the root of its tree.
    #[cfg(test)]
    pub fn depth(&self, var: Var) -> usize {
        let above =
            std::iter::successors(Some(var), |&var| Some(self.variables[var.0 as usize].to));
        let pairs = above.clone().zip(above.skip(1));
        pairs.take_while(|(var, to)| var != to).count()
    }

    /// How many domains are saved to be restored.
    #[cfg(test)]
    pub fn saved_domains(&self) -> usize {
        self.trail.iter().filter(|undo| matches!(undo, Undo::Domain(..))).count()
    }

    #[inline(always)]
    fn root(&self, var: Var) -> Var {
        let mut var = var;
        loop {
            let to = self.variables[var.0 as usize].to;
            if to == var {
                return var;
            }
            var = to;
        }
    }

    /// Makes one tree of those of two variables, for which the second one stands.
    fn graft(&mut self, from: Var, to: Var) {
        let (mut below, mut above) = (self.root(from), self.root(to));
        if self.variables[below.0 as usize].size > self.variables[above.0 as usize].size {
            std::mem::swap(&mut below, &mut above);
        }
        let size = self.variables[below.0 as usize].size;
        self.variables[below.0 as usize].to = above;
        let root = &mut self.variables[above.0 as usize];
        root.size += size;
        let name = std::mem::replace(&mut root.name, to);
        self.trail.push(Undo::Join(below, name));
    }

    /// Takes back that a tree was joined with a larger one, for which another variable stood.
    fn prune(&mut self, below: Var, name: Var) {
        let above = std::mem::replace(&mut self.variables[below.0 as usize].to, below);
        let size = self.variables[below.0 as usize].size;
        let root = &mut self.variables[above.0 as usize];
        root.size -= size;
        root.name = name;
    }

    #[inline(always)]
    pub fn same(&self, a: Var, b: Var) -> bool {
        a == b || self.find(a) == self.find(b)
    }

    /// Whether other variables were joined with this one.
    #[inline(always)]
    pub fn is_joined(&self, var: Var) -> bool {
        self.variables[var.0 as usize].has_joined
    }

    #[inline(always)]
    pub fn domain(&self, var: Var) -> &Domain {
        &self.variables[self.find(var).0 as usize].domain
    }

    #[inline(always)]
    pub fn lo<N: Number>(&self, var: Var) -> N {
        N::lo(self.domain(var))
    }

    #[inline(always)]
    pub fn hi<N: Number>(&self, var: Var) -> N {
        N::hi(self.domain(var))
    }

    /// Whether all of some variables have small domains, so that bounds may be `i128`.
    #[inline(always)]
    pub fn are_small(&self, vars: &[Var]) -> bool {
        vars.iter().all(|&var| matches!(self.domain(var), Domain::Small(_)))
    }

    pub fn value(&self, var: Var) -> Option<Bound> {
        self.domain(var).single()
    }

    #[inline(always)]
    pub fn small_value(&self, var: Var) -> Option<i64> {
        match self.domain(var) {
            Domain::Small(small) if small.lo() == small.hi() => Some(small.lo()),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn is_fixed(&self, var: Var) -> bool {
        self.domain(var).is_single()
    }

    #[inline(always)]
    pub fn is(&self, var: Var, value: i64) -> bool {
        self.small_value(var) == Some(value)
    }

    /// Leaves a variable the values of a subset of its domain, if there are any.
    pub fn restrict(&mut self, var: Var, subset: Option<Domain>) -> Step {
        if self.log.is_some() {
            self.log_change(var, subset.as_ref());
        }
        let Some(domain) = subset else { return Err(Fail) };
        let var = self.find(var);
        let variable = &mut self.variables[var.0 as usize];
        if variable.domain == domain {
            return Ok(());
        }
        let (old_moved, mut passes_on) = (variable.moved, true);
        let mut moved = 0;
        if let Domain::Wide(_) = domain
            && (domain.lo() == Bound::Inf || domain.hi() == Bound::Sup)
        {
            moved = old_moved;
            let mut move_end = |end: u8, has_changed: bool| {
                passes_on &= !(has_changed && moved & end != 0);
                moved |= if has_changed { end } else { 0 };
            };
            move_end(LEFT, domain.lo() != variable.domain.lo());
            move_end(RIGHT, domain.hi() != variable.domain.hi());
            // A spread that grows is that of a hole, or an end, further out.
            move_end(SPREAD, spread(&domain) > spread(&variable.domain));
        }
        let bounds_changed = match (&domain, &variable.domain) {
            (Domain::Small(new), Domain::Small(old)) => {
                new.lo() != old.lo() || new.hi() != old.hi()
            }
            (new, old) => new.lo() != old.lo() || new.hi() != old.hi(),
        };
        let is_fixed = domain.is_single();
        let old = std::mem::replace(&mut variable.domain, domain);
        variable.moved = moved;
        if variable.saved != self.epoch {
            variable.saved = self.epoch;
            self.trail.push(Undo::Domain(var, old, old_moved));
        }
        if is_fixed && variable.anchor.is_some() {
            self.fixed.push(var);
        }
        if passes_on {
            if is_fixed {
                self.call(var, Event::Fixed);
            }
            if bounds_changed {
                self.call(var, Event::Bounds);
            }
            self.call(var, Event::Any);
        }
        Ok(())
    }

    /// Logs the changes of domains from here on.
    pub fn log_changes(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Logs that a constraint can't hold, if the last change does not say so.
    pub fn log_failure(&mut self) {
        let last = self.log.as_ref().and_then(|log| log.last());
        if !last.is_some_and(Change::is_failure) {
            self.log(Changed::Refused);
        }
    }

    fn log(&mut self, what: Changed) {
        let origin = self.origin_now();
        if let Some(log) = &mut self.log {
            log.push(Change { origin, what });
        }
    }

    /// The changes that were logged; no more are.
    pub fn take_log(&mut self) -> Vec<Change> {
        self.log.take().unwrap_or_default()
    }

    /// The constraint that what happens now is of.
    fn origin_now(&self) -> u32 {
        self.current.map_or(self.origin, |prop| self.origin(prop))
    }

    #[cold]
    fn log_change(&mut self, var: Var, after: Option<&Domain>) {
        let var = self.find(var);
        if after == Some(&self.variables[var.0 as usize].domain) {
            return;
        }
        self.log(Changed::Domain(var, after.cloned()));
    }

    fn call(&mut self, var: Var, event: Event) {
        let watchers = &self.variables[var.0 as usize].watchers[event as usize];
        for &prop in watchers {
            let entry = &mut self.props[prop.0 as usize];
            if !entry.is_dead && !entry.is_queued && self.running != Some(prop) {
                entry.is_queued = true;
                self.queues[entry.code.speed() as usize].push_back(prop);
            }
        }
    }

    #[inline]
    pub fn narrow<N: Number>(&mut self, var: Var, lo: &N, hi: &N) -> Step {
        let domain = self.domain(var);
        if N::lo(domain) >= *lo && N::hi(domain) <= *hi {
            return Ok(());
        }
        let subset = N::between(domain, lo, hi);
        self.restrict(var, subset)
    }

    #[inline]
    pub fn at_least<N: Number>(&mut self, var: Var, lo: &N) -> Step {
        let domain = self.domain(var);
        if N::lo(domain) >= *lo {
            return Ok(());
        }
        let subset = N::between(domain, lo, &N::hi(domain));
        self.restrict(var, subset)
    }

    #[inline]
    pub fn at_most<N: Number>(&mut self, var: Var, hi: &N) -> Step {
        let domain = self.domain(var);
        if N::hi(domain) <= *hi {
            return Ok(());
        }
        let subset = N::between(domain, &N::lo(domain), hi);
        self.restrict(var, subset)
    }

    pub fn fix<N: Number>(&mut self, var: Var, value: &N) -> Step {
        self.narrow(var, value, value)
    }

    pub fn fix_small(&mut self, var: Var, value: i64) -> Step {
        match self.domain(var) {
            Domain::Small(_) => self.fix(var, &i128::from(value)),
            Domain::Wide(_) => self.fix(var, &Bound::int(value)),
        }
    }

    pub fn remove(&mut self, var: Var, value: &Bound) -> Step {
        let subset = self.domain(var).without(value);
        self.restrict(var, subset)
    }

    #[inline]
    pub fn remove_small(&mut self, var: Var, value: i64) -> Step {
        if let Domain::Small(small) = self.domain(var) {
            if !small.contains(value) {
                return Ok(());
            }
            let subset = small.without(value).map(Domain::Small);
            return self.restrict(var, subset);
        }
        self.remove(var, &value.into())
    }

    pub fn intersect(&mut self, var: Var, with: &Domain) -> Step {
        let subset = self.domain(var).and(with);
        self.restrict(var, subset)
    }

    /// Makes one of two variables: what one can't have the other can't.
    pub fn join(&mut self, a: Var, b: Var) -> Step {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let both = self.domain(a).and(self.domain(b));
        self.restrict(a, both.clone())?;
        self.restrict(b, both)?;
        if self.is_fixed(a) {
            // They have one value: nothing is left to say.
            return Ok(());
        }
        let anchor = |var: Var| self.variables[var.0 as usize].anchor;
        let (from, to) = match (anchor(a), anchor(b)) {
            (None, Some(_)) => (a, b),
            (Some(_), None) => (b, a),
            // The younger one goes.
            _ => (a.max(b), a.min(b)),
        };
        if anchor(from).is_some() {
            self.joined.push((from, to));
        }
        // Whoever watches either may find more now.
        // What waits for a value may have become a question of one variable.
        for event in [Event::Bounds, Event::Any, Event::Fixed] {
            self.call(from, event);
            self.call(to, event);
        }
        self.log(Changed::Joined(from, to));
        self.variables[to.0 as usize].has_joined = true;
        self.graft(from, to);
        for event in [Event::Fixed, Event::Bounds, Event::Any] {
            for at in 0..self.variables[from.0 as usize].watchers[event as usize].len() {
                let prop = self.variables[from.0 as usize].watchers[event as usize][at];
                self.watch(to, event, prop);
            }
        }
        Ok(())
    }

    fn watch(&mut self, var: Var, event: Event, prop: Prop) {
        self.variables[var.0 as usize].watchers[event as usize].push(prop);
        self.trail.push(Undo::Watcher(var, event));
    }

    /// Adds a propagator, to be run by [`propagate`](Store::propagate).
    pub fn post(&mut self, code: Arc<dyn Propagator>) -> Prop {
        let prop = Prop(self.props.len() as u32);
        let (event, speed) = (code.event(), code.speed());
        let mut vars: Vec<Var> = code.vars().into_iter().map(|var| self.find(var)).collect();
        vars.sort();
        vars.dedup();
        // What a propagator posts while it runs is of its constraint.
        let origin = self.origin_now();
        self.props.push(Entry { code, is_dead: false, is_queued: true, origin });
        self.trail.push(Undo::Propagator);
        for var in vars {
            if !self.is_fixed(var) {
                self.watch(var, event, prop);
                // A new constraint on a variable may find what waited.
                self.restart(var);
            }
        }
        self.queues[speed as usize].push_back(prop);
        prop
    }

    /// Lets the ends of an open domain pass on a change again.
    pub fn restart(&mut self, var: Var) {
        let var = self.find(var);
        let variable = &mut self.variables[var.0 as usize];
        if variable.moved != 0 {
            if variable.saved != self.epoch {
                variable.saved = self.epoch;
                self.trail.push(Undo::Domain(var, variable.domain.clone(), variable.moved));
            }
            variable.moved = 0;
        }
    }

    /// A propagator has nothing more to find.
    pub fn kill(&mut self, prop: Prop) {
        let entry = &mut self.props[prop.0 as usize];
        if !entry.is_dead {
            entry.is_dead = true;
            self.trail.push(Undo::Death(prop));
        }
    }

    pub fn is_dead(&self, prop: Prop) -> bool {
        self.props[prop.0 as usize].is_dead
    }

    /// A number is too large to be computed: whether the constraints can hold is not known.
    pub fn too_large(&mut self) -> Fail {
        self.is_too_large = true;
        Fail
    }

    /// Whether a number was too large to be computed since this was asked last.
    pub fn was_too_large(&mut self) -> bool {
        std::mem::take(&mut self.is_too_large)
    }

    /// Counts a constraint until it is taken back.
    pub fn count_posted(&mut self) {
        self.posted += 1;
        self.trail.push(Undo::Posted);
    }

    /// Constraints are counted from here on.
    pub fn count_from_here(&mut self) {
        self.posted = 0;
    }

    /// Constraints that were counted and not taken back.
    pub fn posted(&self) -> u64 {
        self.posted
    }

    /// Runs what is on the queue until it is empty.
    pub fn propagate(&mut self) -> Step {
        loop {
            let next = self.queues[0].pop_front().or_else(|| self.queues[1].pop_front());
            let Some(prop) = next else { return Ok(()) };
            watchdog::step();
            let entry = &mut self.props[prop.0 as usize];
            entry.is_queued = false;
            if entry.is_dead {
                continue;
            }
            let code = entry.code.clone();
            self.runs += 1;
            self.running = code.is_idempotent().then_some(prop);
            self.current = Some(prop);
            let outcome = code.run(self, prop);
            if outcome.is_err() {
                self.log_failure();
            }
            self.current = None;
            self.running = None;
            if outcome.is_err() {
                self.forget_queue();
                return Err(Fail);
            }
        }
    }

    /// The place outside where the value of a variable goes.
    pub fn anchor(&self, var: Var) -> Option<u32> {
        self.variables[self.find(var).0 as usize].anchor
    }

    /// Says where the value of a variable goes.
    pub fn set_anchor(&mut self, var: Var, anchor: u32) {
        let var = self.find(var);
        let old = self.variables[var.0 as usize].anchor.replace(anchor);
        self.trail.push(Undo::Anchor(var, old));
    }

    /// Anchored variables that have got values since this was asked last, in order, and pairs that were
    /// joined.
    pub fn news(&mut self) -> (Vec<Var>, Vec<(Var, Var)>) {
        (std::mem::take(&mut self.fixed), std::mem::take(&mut self.joined))
    }

    /// The anchor of a variable before it was joined with another.
    pub fn own_anchor(&self, var: Var) -> Option<u32> {
        self.variables[var.0 as usize].anchor
    }

    fn watchers(&self, var: Var) -> &[Vec<Prop>; 3] {
        &self.variables[self.find(var).0 as usize].watchers
    }

    /// The propagators of a variable that may still find something: by the event that they wait for, the
    /// newest first.
    pub fn props_of(&self, var: Var) -> impl Iterator<Item = Prop> + '_ {
        let all = self.watchers(var).iter().flat_map(|list| list.iter().rev()).copied();
        all.filter(|&prop| !self.is_dead(prop))
    }

    /// Whether no propagator of a variable can find anything more.
    pub fn is_free(&self, var: Var) -> bool {
        self.props_of(var).next().is_none()
    }

    /// How many constraints a variable was posted in, as `fd_degree/2` and labelling by `ffc` count them: also those that
    /// can find nothing more.
    pub fn degree(&self, var: Var) -> usize {
        let all = self.watchers(var).iter().flatten();
        all.map(|&prop| self.code(prop).weight(self, var)).sum()
    }

    pub fn code(&self, prop: Prop) -> &Arc<dyn Propagator> {
        &self.props[prop.0 as usize].code
    }

    pub fn origin(&self, prop: Prop) -> u32 {
        self.props[prop.0 as usize].origin
    }

    /// What is posted from here on is of this constraint.
    pub fn set_origin(&mut self, origin: u32) {
        self.origin = origin;
    }

    /// Words that a propagator remembers something in, all of them 0. What is written there by
    /// [`set_word`](Store::set_word) is taken back as domains are.
    pub fn new_words(&mut self, count: usize) -> Words {
        let from = self.words.len();
        let word = Word { value: 0, saved: self.epoch };
        self.words.resize(from + count, word);
        self.trail.push(Undo::Words(from as u32));
        Words(from as u32)
    }

    #[inline(always)]
    pub fn word(&self, words: Words, at: usize) -> u64 {
        self.words[words.0 as usize + at].value
    }

    /// Changes one of some words until that is undone.
    #[inline]
    pub fn set_word(&mut self, words: Words, at: usize, value: u64) {
        let at = words.0 as usize + at;
        let word = &mut self.words[at];
        if word.value == value {
            return;
        }
        let old = std::mem::replace(&mut word.value, value);
        if word.saved != self.epoch {
            word.saved = self.epoch;
            self.trail.push(Undo::Word(at as u32, old));
        }
    }

    /// Changes one of some words for good: for guesses that are checked before they are used. A word
    /// is changed by this or by [`set_word`](Store::set_word), not by both.
    #[inline]
    pub fn set_guess(&mut self, words: Words, at: usize, value: u64) {
        self.words[words.0 as usize + at].value = value;
    }
}

/// The distance between the outermost finite ends of the intervals of a domain.
fn spread(domain: &Domain) -> Bound {
    let parts = domain.parts();
    let (first, last) = (&parts[0], &parts[parts.len() - 1]);
    let smallest = if first.0.is_finite() { &first.0 } else { &first.1 };
    let largest = if last.1.is_finite() { &last.1 } else { &last.0 };
    if smallest.is_finite() && largest.is_finite() { largest.minus(smallest) } else { Bound::Inf }
}
