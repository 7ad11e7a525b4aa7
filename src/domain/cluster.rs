//! Enumerations by several workers: threads of this process, and other processes.
//!
//! Every process has the rules, and packs states by words of its own. What all of them have alike are the words that
//! a search of the first states meets, which all processes make before they begin, one state after the other. A state
//! of these words travels as its packed bytes; one that has others is *spelled*, with all its words, and is packed anew
//! where it arrives. The owner of a state goes by the bytes that travel.

use crate::bases::fingerprint;
use crate::canonical_text;
use crate::claim::{add_verdict, impurity};
use crate::contract::{Contract, DomainKind, Heuristic, indicator};
use crate::error::{RuleError, Violation, stop_reason};
use crate::fork::{ForkedRules, forked, limits_of};
use crate::game::{GameSpace, initial_player, with_vocabulary};
use crate::problem::RuleProblem;
use crate::purity::{Impurity, impurities};
use crate::run::{Enumeration, Task, explored, nested, nothing, packed_length};
use crate::{Fixed, Packed, PackedState};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use zug_cluster::{
    Bounds, ClusterError, Ended, Fact, Group, Hosts, Kept, KeptError, Layers, Links, PathShard,
    Peers, SearchEnd, Shard, Stop, Waiting, breadth_first, cheapest, push_varint, run, take_varint,
};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Claim, Solution};
use zug_search::{
    Engine, Float, Fork, Limits, Observer, Outcome, Problem, Progress, Space, StateStore, Stats,
    StopReason, SuccessorOf,
};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// States that are expanded before the workers begin, for words that all of them have.
const FIRST: usize = 1 << 12;
/// Time between two reports of how far it is.
const REPORTS: Duration = Duration::from_millis(100);
/// Why all processes begin again.
const ROOM: &str = "its states are longer than was thought";

/// The workers of a search.
pub struct Cluster<'c> {
    /// Workers of each process.
    pub workers: NonZeroUsize,
    /// All processes, and which of them this is; none if it is alone.
    pub hosts: Option<(Hosts, usize)>,
    /// How long this process waits for others to come up.
    pub wait: Duration,
    /// Told what it waits for.
    pub notice: &'c dyn Fn(&str),
    /// Where complete layers are kept.
    pub disk: Option<PathBuf>,
}

/// Why several workers have not found what was asked for.
#[derive(Debug)]
pub enum ClusterFailure {
    /// An error in a rule.
    Rule(Box<RuleError>),
    /// The processes don't come together.
    Cluster(ClusterError),
    /// Layers in files.
    Kept(KeptError),
    /// Another process ended the run; what is kept of it.
    Ended(Ended, Option<PathBuf>),
    /// It can't be asked of several workers; why.
    Refused(String),
}

impl From<Box<RuleError>> for ClusterFailure {
    fn from(error: Box<RuleError>) -> Self {
        Self::Rule(error)
    }
}

impl std::fmt::Display for ClusterFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClusterFailure::Rule(error) => write!(f, "an error in {}", error.predicate),
            ClusterFailure::Cluster(error) => error.fmt(f),
            ClusterFailure::Kept(error) => error.fmt(f),
            ClusterFailure::Ended(ended, Some(folder)) => write!(
                f,
                "{ended}; complete layers are in `{}`, and the same commands go on from there",
                folder.display()
            ),
            ClusterFailure::Ended(ended, None) => {
                write!(f, "{ended}; nothing is kept without --disk")
            }
            ClusterFailure::Refused(why) => f.write_str(why),
        }
    }
}

/// A problem whose states can be told to other processes.
trait Worded: Problem<Error = Box<RuleError>> {
    /// How many words there are.
    type Counts: Copy + PartialEq + Send;

    fn counts(&self) -> Self::Counts;
    /// Whether a state has no words but those that there were.
    fn is_of(&self, state: &Self::State, counts: Self::Counts) -> bool;
    fn bytes(state: &Self::State) -> &[u8];
    fn spell(&mut self, state: &Self::State, out: &mut Vec<u8>);
    fn unspell(&mut self, bytes: &[u8]) -> Option<Self::State>;
    fn words(&mut self) -> Vec<u8>;
    fn rules(&mut self) -> &mut Machine;
}

impl<C: RuleCost, S: PackedState> Worded for RuleProblem<'_, C, S> {
    type Counts = [usize; 3];

    fn counts(&self) -> [usize; 3] {
        self.codec().counts()
    }

    fn is_of(&self, state: &S, counts: [usize; 3]) -> bool {
        self.codec().is_of(state.bytes(), counts)
    }

    fn bytes(state: &S) -> &[u8] {
        state.bytes()
    }

    fn spell(&mut self, state: &S, out: &mut Vec<u8>) {
        RuleProblem::spell(self, state.bytes(), out);
    }

    fn unspell(&mut self, bytes: &[u8]) -> Option<S> {
        RuleProblem::unspell(self, bytes)
    }

    fn words(&mut self) -> Vec<u8> {
        self.word_list()
    }

    fn rules(&mut self) -> &mut Machine {
        self.machine().0
    }
}

impl Worded for GameSpace<'_> {
    type Counts = (usize, [usize; 3]);

    fn counts(&self) -> Self::Counts {
        GameSpace::counts(self)
    }

    fn is_of(&self, state: &Packed, counts: Self::Counts) -> bool {
        GameSpace::is_of(self, state, counts)
    }

    fn bytes(state: &Packed) -> &[u8] {
        state.bytes()
    }

    fn spell(&mut self, state: &Packed, out: &mut Vec<u8>) {
        GameSpace::spell(self, state, out);
    }

    fn unspell(&mut self, bytes: &[u8]) -> Option<Packed> {
        GameSpace::unspell(self, bytes)
    }

    fn words(&mut self) -> Vec<u8> {
        self.vocabulary()
    }

    fn rules(&mut self) -> &mut Machine {
        self.0.machine().0
    }
}

/// A hash of bytes that is the same on every machine.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let mut add = |word: u64| {
        hash = (hash.rotate_left(25) ^ word).wrapping_mul(0xF135_7AEA_2E62_A9C5);
    };
    let (words, rest) = bytes.as_chunks();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    if !rest.is_empty() {
        add(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    hash ^ hash >> 32
}

/// A state travels as its packed bytes.
const PACKED: u8 = 0;
/// A state travels with its words.
const SPELLED: u8 = 1;

/// The states that one worker owns, packed by the rules it asks.
struct RuleShard<P: Worded> {
    problem: P,
    store: P::Store,
    /// The words that all workers have alike.
    common: P::Counts,
    out: Vec<SuccessorOf<P>>,
    scratch: Vec<u8>,
    timed: bool,
    /// Estimates are asked for.
    is_informed: bool,
    /// Every move counts as one.
    by_moves: bool,
}

/// What failed in a worker, and the state that it asked about.
struct RuleFailure {
    error: Box<RuleError>,
    state: Vec<u8>,
}

impl<P: Worded> RuleShard<P> {
    fn new(problem: P, common: P::Counts, timed: bool) -> Self {
        let store = problem.new_store();
        let (out, scratch) = (Vec::new(), Vec::new());
        RuleShard {
            problem,
            store,
            common,
            out,
            scratch,
            timed,
            is_informed: false,
            by_moves: false,
        }
    }

    fn failure(&mut self, error: Box<RuleError>, state: &P::State) -> RuleFailure {
        let mut written = Vec::new();
        self.write(state, &mut written);
        RuleFailure { error, state: written }
    }

    #[inline]
    fn is_common(&self, state: &P::State) -> bool {
        // PERF: mostly no word was met since.
        self.problem.counts() == self.common || self.problem.is_of(state, self.common)
    }
}

impl<P: Worded> Shard for RuleShard<P> {
    type State = P::State;
    type Error = RuleFailure;

    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }

    #[inline]
    fn hash(&mut self, state: &P::State) -> u64 {
        if self.is_common(state) {
            return hash_of(P::bytes(state));
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        self.problem.spell(state, &mut scratch);
        let hash = hash_of(&scratch);
        self.scratch = scratch;
        hash
    }

    #[inline]
    fn write(&mut self, state: &P::State, out: &mut Vec<u8>) {
        if self.is_common(state) {
            out.push(PACKED);
            out.extend_from_slice(P::bytes(state));
        } else {
            out.push(SPELLED);
            self.problem.spell(state, out);
        }
    }

    #[inline]
    fn read(&mut self, bytes: &[u8]) -> Option<P::State> {
        match bytes.split_first()? {
            (&PACKED, packed) if !packed.is_empty() => {
                let state = self.problem.state_of(packed)?;
                self.problem.is_of(&state, self.common).then_some(state)
            }
            (&SPELLED, spelled) => self.problem.unspell(spelled),
            _ => None,
        }
    }

    #[inline]
    fn intern(&mut self, states: &mut Vec<P::State>) {
        self.store.prepare(states.iter());
        for state in states.drain(..) {
            self.store.intern(&state);
        }
    }

    #[inline]
    fn state(&self, number: usize) -> P::State {
        self.store.state(number as u32)
    }

    #[inline]
    fn successors(&mut self, state: &P::State, out: &mut Vec<P::State>) -> Result<(), RuleFailure> {
        self.out.clear();
        if let Err(error) = self.problem.successors(state, &mut self.out) {
            return Err(self.failure(error, state));
        }
        out.extend(self.out.drain(..).map(|successor| successor.state));
        Ok(())
    }

    fn stop_of(&self, failure: &RuleFailure) -> Option<Stop> {
        Some(match stop_reason(&failure.error, self.timed)? {
            StopReason::Time => Stop::Time,
            StopReason::Cancelled => Stop::Cancelled,
            StopReason::Nodes => Stop::Nodes,
            StopReason::Depth => Stop::Depth,
            _ => Stop::Memory,
        })
    }

    fn words_of(failure: &RuleFailure) -> String {
        match failure.error.violation {
            Violation::Room => ROOM.to_owned(),
            _ => format!("an error in {}", failure.error.predicate),
        }
    }

    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Result<R, Stop> {
        let m = self.problem.rules();
        let (deadline, interrupt) = (m.deadline, m.interrupt.clone());
        limits_of(m).within(|| work(self)).map_err(|_| {
            if interrupt.load(SeqCst) {
                Stop::Cancelled
            } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Stop::Time
            } else {
                Stop::Memory
            }
        })
    }
}

/// What the workers are to do, as far as all of them have it alike.
#[derive(Clone)]
struct Work<'w> {
    bounds: Bounds,
    facts: Vec<Fact>,
    disk: Option<&'w Path>,
    /// Bytes that name the words that are common.
    words: u64,
    timed: bool,
}

/// What a worker comes to.
type Ending<T> = Result<T, SearchEnd<RuleFailure>>;

/// The layers, and bytes of the worker's file.
type Found = Ending<(Layers, u64)>;

impl Work<'_> {
    /// # Errors
    /// Workers pack states otherwise; or one is lost.
    fn must_pack_alike(&self, peers: &mut Peers<'_>) -> Result<(), Ended> {
        let mut words = Vec::new();
        push_varint(self.words, &mut words);
        let all = peers.agree(words)?;
        let own = |words: &Vec<u8>| take_varint(&mut &words[..]) == Some(self.words);
        let Some(other) = all.iter().position(|words| !own(words)) else { return Ok(()) };
        let why = "it packs states otherwise; is it another build of zug?".to_owned();
        let (process, address) = (peers.process_of(other), peers.address_of(other));
        Err(Ended::Left { process, address, why })
    }

    fn search<P: Worded>(
        &self,
        mut peers: Peers<'_>,
        shard: &mut RuleShard<P>,
        start: &P::State,
        observe: Option<zug_cluster::Observer<'_>>,
    ) -> Found {
        self.must_pack_alike(&mut peers)?;
        let mut kept = match self.disk {
            None => None,
            Some(folder) => {
                let process = format!("process-{}", peers.process_of(peers.index()));
                let worker = format!("worker-{}.layers", peers.index());
                let kept = Kept::open(&folder.join(process).join(worker), &self.facts);
                Some(kept.inspect_err(|error| peers.leave(&error.to_string()))?)
            }
        };
        let layers = breadth_first(peers, shard, start, &self.bounds, kept.as_mut(), observe)?;
        Ok((layers, kept.map_or(0, |kept| kept.bytes())))
    }
}

/// Visits every state that can be reached from one, by several workers, and goes on where an earlier run ended if
/// layers are kept. All processes come to the same.
///
/// # Errors
/// See [`ClusterFailure`].
pub fn explore_on_cluster(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    cluster: &Cluster<'_>,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ClusterFailure> {
    let is_game = contract.kind() == DomainKind::Game;
    if cluster.hosts.is_some() || cluster.workers.get() > 1 {
        must_be_askable(m, w, contract)?;
    }
    let player = if is_game { initial_player(m, w)? } else { None };
    let length = if is_game { 0 } else { packed_length(m, w, contract, start) };
    let limits = &Limits { threads: Some(cluster.workers), ..limits.clone() };
    let visit = |length: usize| {
        let observer = observer.as_deref_mut();
        let from = (player.as_ref(), start);
        let group = joined(m, w, limits, from, cluster, None)?;
        match length {
            _ if is_game => game(m, w, limits, from, (cluster, group), observer),
            0..16 => puzzle::<Fixed<16>>(m, w, contract, limits, start, (cluster, group), observer),
            16..24 => {
                puzzle::<Fixed<24>>(m, w, contract, limits, start, (cluster, group), observer)
            }
            _ => puzzle::<Packed>(m, w, contract, limits, start, (cluster, group), observer),
        }
    };
    with_room(length, visit)
}

/// Does something with states of a length, and where one is longer with states of any: all processes hear of it, and
/// begin again.
fn with_room<T>(
    length: usize,
    mut attempt: impl FnMut(usize) -> Result<T, ClusterFailure>,
) -> Result<T, ClusterFailure> {
    let found = attempt(length);
    let is_longer = match &found {
        Err(ClusterFailure::Rule(error)) => matches!(error.violation, Violation::Room),
        Err(ClusterFailure::Ended(Ended::Left { why, .. }, _)) => why == ROOM,
        _ => false,
    };
    if is_longer { attempt(usize::MAX) } else { found }
}

/// # Errors
/// Answers of the rules may depend on more than the state.
fn must_be_askable(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
) -> Result<(), ClusterFailure> {
    let why = match impurity(m, w, contract, None) {
        Some(condition) => format!("only if {condition} could they find the same"),
        None if !impurities(m, w, contract.kind()).iter().any(Impurity::matters) => return Ok(()),
        None => "their answers may depend on more than the state".to_owned(),
    };
    Err(ClusterFailure::Refused(format!("several workers can't ask these rules: {why}")))
}

/// What all processes must have alike, and what is in their files.
fn facts(
    m: &mut Machine,
    w: &mut World,
    (player, start): (Option<&Record>, &Record),
    cluster: &Cluster<'_>,
) -> Vec<Fact> {
    let mut text = canonical_text(m, w, start);
    if let Some(player) = player {
        text = format!("{text}, {} to move", canonical_text(m, w, player));
    }
    let processes = cluster.hosts.as_ref().map_or(1, |(hosts, _)| hosts.count());
    vec![
        Fact::new("the fingerprint of the rules", fingerprint(m, w)),
        Fact::new("the start", text),
        Fact::new("the number of processes", processes.to_string()),
        Fact::new("the number of workers of a process", cluster.workers.to_string()),
    ]
}

/// The processes of a run, connected.
fn joined(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    from: (Option<&Record>, &Record),
    cluster: &Cluster<'_>,
    more: Option<Fact>,
) -> Result<Group, ClusterFailure> {
    let cancel = limits.cancel.clone().or_else(|| Some(m.interrupt.clone()));
    let Some((hosts, process)) = &cluster.hosts else { return Ok(Group::cancelled_by(cancel)) };
    let mut facts = facts(m, w, from, cluster);
    facts.insert(0, Fact::new("the version of zug", env!("CARGO_PKG_VERSION")));
    let limit = |limit: Option<u64>| limit.map_or("none".to_owned(), |limit| limit.to_string());
    facts.push(Fact::new("the limit of depth", limit(limits.depth.map(u64::from))));
    facts.push(Fact::new("the limit of nodes", limit(limits.nodes)));
    let is_kept = if cluster.disk.is_some() { "given" } else { "not given" };
    facts.push(Fact::new("whether --disk", is_kept));
    facts.extend(more);
    let waiting = Waiting { time: cluster.wait, cancel, notice: cluster.notice };
    let links = Links::connect(hosts, *process, &facts, &waiting);
    Ok(Group::of(links.map_err(ClusterFailure::Cluster)?))
}

/// Expands the first states, for their words. What fails there is met again.
fn meet_first<P: Problem>(problem: &mut P, start: &P::State, cancel: Option<&AtomicBool>) {
    let (mut store, mut out) = (problem.new_store(), Vec::new());
    store.intern(start);
    for number in 0..FIRST {
        if number >= store.len() || cancel.is_some_and(|cancel| cancel.load(SeqCst)) {
            return;
        }
        let state = store.state(number as u32);
        out.clear();
        if problem.successors(&state, &mut out).is_err() {
            return;
        }
        out.iter().for_each(|successor| {
            store.intern(&successor.state);
        });
    }
}

impl<'w> Work<'w> {
    fn new(limits: &Limits, facts: Vec<Fact>, cluster: &'w Cluster<'_>, words: &[u8]) -> Work<'w> {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let Limits { nodes, depth, memory, .. } = *limits;
        let words = hash_of(words);
        let mut facts = facts;
        facts.push(Fact::new("the words of states", format!("{words:016x}")));
        let bounds = Bounds { nodes, depth, deadline, memory };
        Work { bounds, facts, disk: cluster.disk.as_deref(), words, timed: limits.time.is_some() }
    }
}

/// Tells an observer how far a search is, now and then.
struct Reports<'o, 'f> {
    observer: Option<&'o mut Observer<'f>>,
    began: Instant,
    last: Instant,
}

impl<'o, 'f> Reports<'o, 'f> {
    fn new(observer: Option<&'o mut Observer<'f>>, began: Instant) -> Self {
        Reports { observer, began, last: began }
    }

    fn tell(&mut self, progress: &zug_cluster::Progress) {
        if let Some(observer) = &mut self.observer
            && self.last.elapsed() >= REPORTS
        {
            self.last = Instant::now();
            observer(&Progress {
                expanded: progress.expanded,
                generated: progress.generated,
                lower_bound: None,
                depth: progress.depth,
                memory_bytes: progress.bytes,
                elapsed: self.began.elapsed(),
            });
        }
    }
}

/// What all workers of this process came to, or what most tells why there is nothing: a failure here first.
fn settled<T>(
    endings: Vec<Ending<T>>,
    cluster: &Cluster<'_>,
    ask_again: impl FnOnce(RuleFailure) -> Box<RuleError>,
) -> Result<Vec<T>, ClusterFailure> {
    let mut all = Vec::new();
    let (mut failed, mut kept, mut ended) = (None, None, None);
    for (worker, ending) in endings.into_iter().enumerate() {
        match ending {
            Ok(found) => all.push(found),
            Err(SearchEnd::Failed(failure)) => {
                failed.get_or_insert((worker, failure));
            }
            Err(SearchEnd::Kept(error)) => kept = Some(error),
            Err(SearchEnd::Ended(why)) => ended = Some(why),
        }
    }
    match (failed, kept, ended) {
        // The main one's error is as it is; that of another has words of its own.
        (Some((0, failure)), ..) => Err(ClusterFailure::Rule(failure.error)),
        (Some((_, failure)), ..) => Err(ClusterFailure::Rule(ask_again(failure))),
        (None, Some(error), _) => Err(ClusterFailure::Kept(error)),
        (None, None, Some(ended)) => Err(ClusterFailure::Ended(ended, cluster.disk.clone())),
        (None, None, None) => Ok(all),
    }
}

/// What was found, with the deepest states as they are read.
fn space<S>(
    layers: Layers,
    (on_disk, began): (Option<u64>, Instant),
    read: impl FnMut(&Vec<u8>) -> Option<S>,
) -> Space<S> {
    let stats = Stats {
        expanded: layers.expanded,
        generated: layers.generated,
        peak_open: layers.by_depth.iter().copied().max().unwrap_or(0),
        max_depth: layers.by_depth.len().saturating_sub(1) as u32,
        iterations: 1,
        elapsed: began.elapsed(),
        peak_memory_bytes: layers.peak_bytes,
        ..Stats::default()
    };
    Space {
        deepest: layers.deepest.iter().filter_map(read).collect(),
        by_depth: layers.by_depth,
        terminal: layers.terminal,
        stopped: layers.stopped.map(reason),
        numbered: None,
        on_disk,
        stats,
    }
}

/// Why a search stopped.
fn reason(stop: Stop) -> StopReason {
    match stop {
        Stop::Nodes => StopReason::Nodes,
        Stop::Depth => StopReason::Depth,
        Stop::Time => StopReason::Time,
        Stop::Memory => StopReason::Memory,
        Stop::Cancelled => StopReason::Cancelled,
    }
}

/// The error that there are no copies of the rules for all workers.
fn no_copies() -> ClusterFailure {
    let why = "several workers of a process can't ask rules that keep answers, or are traced; \
               several processes can";
    ClusterFailure::Refused(why.to_owned())
}

fn puzzle<S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    (cluster, group): (&Cluster<'_>, Group),
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ClusterFailure> {
    let facts = facts(m, w, (None, start), cluster);
    let began = Instant::now();
    let mut apart = None;
    let found = nested(m, w, limits, |m, w, limits| {
        let mut room = Vec::new();
        let mut problem = RuleProblem::<Float, S>::resumed(m, w, contract, None, false, start)?;
        let copies = problem.make_copies(&mut room, contract, None, limits)?;
        if copies + 1 != cluster.workers.get() {
            apart = Some(no_copies());
            return Ok(None);
        }
        let start = problem.pack(start)?;
        if cluster.hosts.is_some() || cluster.workers.get() > 1 {
            meet_first(&mut problem, &start, limits.cancel.as_deref());
        }
        let words = Worded::words(&mut problem);
        let (common, forks) = (problem.counts(), problem.take_forks());
        let work = &Work::new(limits, facts, cluster, &words);
        let mut shard = RuleShard::new(problem, common, work.timed);
        let others: Vec<_> = forks
            .into_iter()
            .map(|fork| {
                let start = &start;
                move |peers: Peers<'_>| {
                    let mut shard = RuleShard::new(fork, common, work.timed);
                    let found = work.search(peers, &mut shard, start, None);
                    (found, Some(shard.problem))
                }
            })
            .collect();
        let mut reports = Reports::new(observer, began);
        let mut observe = |progress: &zug_cluster::Progress| reports.tell(progress);
        let main =
            |peers: Peers<'_>| (work.search(peers, &mut shard, &start, Some(&mut observe)), None);
        let (found, forks): (Vec<_>, Vec<_>) = run(group, main, others).into_iter().unzip();
        shard.problem.return_forks(forks.into_iter().flatten().collect());
        let settled = settled(found, cluster, |failure| {
            let state = shard.read(&failure.state);
            let again = state.map(|state| shard.problem.successors(&state, &mut Vec::new()));
            again.and_then(Result::err).unwrap_or(failure.error)
        });
        let mut all = match settled {
            Ok(all) => all,
            Err(ClusterFailure::Rule(error)) => return Err(error),
            Err(failure) => {
                apart = Some(failure);
                return Ok(None);
            }
        };
        let bytes = all.iter().map(|(_, bytes)| bytes).sum();
        let (layers, _) = all.swap_remove(0);
        let on_disk = cluster.disk.is_some().then_some(bytes);
        let space = space(layers, (on_disk, began), |bytes| shard.read(bytes));
        let mut problem = shard.problem;
        let code = problem.code_use();
        let found = explored(space, code, |state| problem.unpack(state.bytes()));
        problem.keep();
        Ok(Some(found))
    });
    found?.ok_or_else(|| apart.unwrap_or_else(no_copies))
}

impl<S: PackedState> PathShard for RuleShard<RuleProblem<'_, i64, S>> {
    fn is_goal(&mut self, state: &S) -> Result<bool, RuleFailure> {
        self.problem.is_goal(state).map_err(|error| self.failure(error, state))
    }

    fn estimate(&mut self, state: &S) -> Result<Option<u64>, RuleFailure> {
        if !self.is_informed {
            return Ok(Some(0));
        }
        let estimate = self.problem.heuristic(state);
        let estimate = estimate.map_err(|error| self.failure(error, state))?;
        Ok(estimate.map(i64::unsigned_abs))
    }

    fn moves(&mut self, state: &S, out: &mut Vec<(u64, S)>) -> Result<(), RuleFailure> {
        self.out.clear();
        if let Err(error) = self.problem.successors(state, &mut self.out) {
            return Err(self.failure(error, state));
        }
        let by_moves = self.by_moves;
        out.extend(self.out.drain(..).map(|successor| {
            (if by_moves { 1 } else { successor.cost.unsigned_abs() }, successor.state)
        }));
        Ok(())
    }

    fn number(&mut self, state: &S) -> usize {
        self.store.intern(state).0 as usize
    }
}

/// Finds a plan by several workers: a cheapest one, or, by `bfs`, one of fewest moves. All processes come to the same
/// cost.
///
/// # Errors
/// See [`ClusterFailure`].
pub fn find_on_cluster(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    task: &Task,
    start: &Record,
    cluster: &Cluster<'_>,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Solution<Record>, ClusterFailure> {
    let refused = |why: &str| Err(ClusterFailure::Refused(why.to_owned()));
    // Nobody asked for estimates that are derived.
    let (engine, heuristic) = match (task.engine, task.heuristic) {
        (Engine::Astar, Some(Heuristic::DerivedInTime)) => (Engine::Ucs, None),
        chosen => chosen,
    };
    if !matches!(engine, Engine::Astar | Engine::Ucs | Engine::Bfs) {
        return refused("several workers search by astar, ucs or bfs");
    }
    if !matches!(heuristic, None | Some(Heuristic::Plain | Heuristic::Named(_))) {
        return refused(
            "several workers have the rules' own heuristics, and none that are derived",
        );
    }
    if task.options.symmetry {
        return refused("several workers count every state for itself: --symmetry is for one");
    }
    if cluster.disk.is_some() {
        return refused("only layers of `zug enumerate` are kept");
    }
    if cluster.hosts.is_some() || cluster.workers.get() > 1 {
        must_be_askable(m, w, contract)?;
    }
    let limits = &Limits { threads: Some(cluster.workers), ..task.limits.clone() };
    let length = packed_length(m, w, contract, start);
    let find = |length: usize| {
        let name = heuristic.map(|heuristic| heuristic.name(&m.symbols)).unwrap_or_default();
        let how = Fact::new("the engine", format!("{} {name}", engine.info().name));
        let group = joined(m, w, limits, (None, start), cluster, Some(how))?;
        let task = (engine, heuristic, limits);
        let (group, observer) = ((cluster, group), observer.as_deref_mut());
        match length {
            0..16 => find_as::<Fixed<16>>(m, w, contract, task, start, group, observer),
            16..24 => find_as::<Fixed<24>>(m, w, contract, task, start, group, observer),
            _ => find_as::<Packed>(m, w, contract, task, start, group, observer),
        }
    };
    match with_room(length, find) {
        Err(ClusterFailure::Rule(error))
            if matches!(error.violation, Violation::Beyond | Violation::Fraction) =>
        {
            refused("several workers count costs in whole numbers of 64 bits, and these are others")
        }
        found => found,
    }
}

fn find_as<S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (engine, heuristic, limits): (Engine, Option<Heuristic>, &Limits),
    start: &Record,
    (cluster, group): (&Cluster<'_>, Group),
    observer: Option<&mut Observer<'_>>,
) -> Result<Solution<Record>, ClusterFailure> {
    let began = Instant::now();
    let mut found = nothing(m, (engine, heuristic), start);
    let mut apart = None;
    let searched = nested(m, w, limits, |m, w, limits| {
        let mut room = Vec::new();
        let mut problem = RuleProblem::<i64, S>::resumed(m, w, contract, heuristic, true, start)?;
        let copies = problem.make_copies(&mut room, contract, heuristic, limits)?;
        if copies + 1 != cluster.workers.get() {
            apart = Some(no_copies());
            return Ok(());
        }
        let start = problem.pack(start)?;
        if cluster.hosts.is_some() || cluster.workers.get() > 1 {
            meet_first(&mut problem, &start, limits.cancel.as_deref());
        }
        let words = Worded::words(&mut problem);
        let (common, forks) = (problem.counts(), problem.take_forks());
        let work = &Work::new(limits, Vec::new(), cluster, &words);
        let (is_informed, by_moves) = (heuristic.is_some(), engine == Engine::Bfs);
        let shard = |problem| RuleShard {
            is_informed,
            by_moves,
            ..RuleShard::new(problem, common, work.timed)
        };
        let mut own = shard(problem);
        let search = |mut peers: Peers<'_>,
                      shard: &mut RuleShard<RuleProblem<'_, i64, S>>,
                      observe: Option<zug_cluster::Observer<'_>>| {
            work.must_pack_alike(&mut peers)?;
            cheapest(peers, shard, &start, &work.bounds, observe)
        };
        let others: Vec<_> = forks
            .into_iter()
            .map(|fork| {
                let (shard, search) = (&shard, &search);
                move |peers: Peers<'_>| {
                    let mut shard = shard(fork);
                    let found = search(peers, &mut shard, None);
                    (found, Some(shard.problem))
                }
            })
            .collect();
        let mut reports = Reports::new(observer, began);
        let mut observe = |progress: &zug_cluster::Progress| reports.tell(progress);
        let main = |peers: Peers<'_>| (search(peers, &mut own, Some(&mut observe)), None);
        let (endings, forks): (Vec<_>, Vec<_>) = run(group, main, others).into_iter().unzip();
        own.problem.return_forks(forks.into_iter().flatten().collect());
        let settled = settled(endings, cluster, |failure| {
            let Some(state) = own.read(&failure.state) else { return failure.error };
            let again = own.problem.successors(&state, &mut Vec::new());
            let again = again.and_then(|()| own.problem.is_goal(&state).map(|_| ()));
            let again = again.and_then(|()| own.problem.heuristic(&state).map(|_| ()));
            again.err().unwrap_or(failure.error)
        });
        let path = match settled {
            Ok(mut all) => all.swap_remove(0),
            Err(ClusterFailure::Rule(error)) => return Err(error),
            Err(failure) => {
                apart = Some(failure);
                return Ok(());
            }
        };
        let states: Vec<S> = path.states.iter().filter_map(|bytes| own.read(bytes)).collect();
        let mut problem = own.problem;
        found.stats = Stats {
            expanded: path.expanded,
            generated: path.generated,
            evaluated: if is_informed { path.evaluated } else { 0 },
            dead_ends: path.dead_ends,
            reopened: path.reopened,
            max_depth: path.max_depth as u32,
            iterations: 1,
            peak_memory_bytes: path.peak_bytes,
            ..Stats::default()
        };
        found.ending.outcome = match (path.cost, path.stopped) {
            (Some(_), _) => Outcome::Solved,
            (None, Some(stop)) => Outcome::Stopped(reason(stop)),
            (None, None) => Outcome::Exhausted,
        };
        let mut claim = match (found.ending.outcome, is_informed) {
            (Outcome::Stopped(_), _) => Claim::Nothing,
            (_, true) => Claim::IfAdmissible,
            (_, false) => Claim::Proved,
        };
        if path.cost.is_some() {
            let mut moves = Vec::new();
            for step in states.windows(2) {
                let mut out = Vec::new();
                problem.successors(&step[0], &mut out)?;
                let all = out.iter().filter(|successor| successor.state == step[1]);
                let mv = all.min_by_key(|successor| successor.cost);
                let broken = || RuleError::new(Violation::Replay(moves.len()), indicator::RULE);
                moves.push(mv.ok_or_else(broken)?.mv);
            }
            let (cost, _) = problem.replay(&moves, &states)?;
            if by_moves {
                // Of fewest moves, and a cheapest one if none of them can cost less.
                let least = problem.least_move_cost().saturating_mul(moves.len() as i64);
                let is_least = Number::Int(least).as_f64() >= cost.as_f64();
                claim = if is_least { Claim::Proved } else { Claim::Nothing };
            }
            found.cost = Some(cost.into());
            found.path = Some(moves.iter().map(|&mv| problem.move_term(mv)).collect());
            found.states = states.iter().map(|state| problem.unpack(state.bytes())).collect();
        }
        found.ending.claim = claim;
        if !by_moves {
            let bound = path.cost.map_or(path.lower_bound, |cost| cost.min(path.lower_bound));
            found.lower_bound = Some(Number::Int(bound as i64).into());
        }
        found.code = problem.code_use();
        found.stats.elapsed = began.elapsed();
        problem.keep();
        Ok(())
    });
    searched?;
    if let Some(failure) = apart {
        return Err(failure);
    }
    add_verdict(m, w, contract, &mut found);
    Ok(found)
}

fn game(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    (player, start): (Option<&Record>, &Record),
    (cluster, group): (&Cluster<'_>, Group),
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ClusterFailure> {
    let facts = facts(m, w, (player, start), cluster);
    let began = Instant::now();
    let copies = forked(m, w, DomainKind::Game, limits);
    if copies.len() + 1 != cluster.workers.get() {
        return Err(no_copies());
    }
    let words = with_vocabulary(m, w, limits, &[], |table| {
        let start = table.position(player, start)?;
        let cancel = table.limits.cancel.clone();
        let mut space = GameSpace::of(&mut table.game);
        meet_first(&mut space, &start, cancel.as_deref());
        Ok(space.vocabulary())
    })?;
    let words = words.unwrap_or_default();
    let work = &Work::new(limits, facts, cluster, &words);
    let words = &words[..];
    // In each worker, by the words that all have.
    let search =
        move |m: &mut Machine,
              w: &mut World,
              peers: Peers<'_>,
              observe: Option<zug_cluster::Observer<'_>>,
              end: &mut dyn FnMut(&mut RuleShard<GameSpace<'_>>, &Found)| {
            let mut peers = Some(peers);
            let found = with_vocabulary(m, w, limits, words, |table| {
                let start = table.position(player, start)?;
                let space = GameSpace::of(&mut table.game);
                let common = space.counts();
                let mut shard = RuleShard::new(space, common, work.timed);
                let Some(peers) = peers.take() else { return Ok(None) };
                let found = work.search(peers, &mut shard, &start, observe);
                end(&mut shard, &found);
                Ok(Some(found))
            });
            if let Some(peers) = peers {
                peers.leave("it can't put the start down");
            }
            let failed = |error| Err(SearchEnd::Failed(RuleFailure { error, state: Vec::new() }));
            let nothing = || RuleError::new(Violation::Missing("move(J, M, S1, S2)"), "move/4");
            match found {
                Ok(found) => found.flatten().unwrap_or_else(|| failed(nothing())),
                Err(error) => failed(error),
            }
        };
    let others: Vec<_> = copies
        .into_iter()
        .map(|copy| {
            move |peers: Peers<'_>| {
                let ForkedRules { mut machine, mut world } = copy;
                search(&mut machine, &mut world, peers, None, &mut |_, _| {})
            }
        })
        .collect();
    let mut reports = Reports::new(observer, began);
    let mut observe = |progress: &zug_cluster::Progress| reports.tell(progress);
    let mut enumeration = None;
    let main = |peers: Peers<'_>| {
        search(m, w, peers, Some(&mut observe), &mut |shard, found| {
            if let Ok((layers, _)) = found {
                let space = space(layers.clone(), (None, began), |bytes| shard.read(bytes));
                let game = &mut shard.problem.0;
                enumeration = Some(explored(space, None, |state| game.state_term(state)));
            }
        })
    };
    let found = run(group, main, others);
    let all = settled(found, cluster, |failure| {
        let found = with_vocabulary(m, w, limits, words, |table| {
            let space = GameSpace::of(&mut table.game);
            let common = space.counts();
            let mut shard = RuleShard::new(space, common, work.timed);
            let state = shard.read(&failure.state);
            let again = state.map(|state| shard.problem.successors(&state, &mut Vec::new()));
            again.unwrap_or(Ok(()))
        });
        found.err().unwrap_or(failure.error)
    })?;
    let mut enumeration = enumeration.ok_or_else(no_copies)?;
    let bytes = all.iter().map(|(_, bytes)| bytes).sum();
    enumeration.on_disk = cluster.disk.is_some().then_some(bytes);
    Ok(enumeration)
}
