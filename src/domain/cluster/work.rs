//! The workers of this process at work: [`Work`].

use super::meeting::meet_first;
use super::shard::{Manner, ROOM, RuleFailure, RuleShard, Worded, hash_of, known_words};
use super::{Cluster, ClusterFailure};
use crate::error::RuleError;
use std::path::Path;
use std::time::{Duration, Instant};
use zug_cluster::{Bounds, Ended, Fact, Group, Kept, Peers, Progress, SearchEnd, Stop, run};
use zug_search::{Limits, StopReason};

/// Time between two reports of how far it is.
const REPORTS: Duration = Duration::from_millis(100);

/// Does something with states of a length, and where one is longer with states of any: all processes hear of it, and
/// begin again.
pub(super) fn with_room<T>(
    length: usize,
    mut attempt: impl FnMut(usize) -> Result<T, ClusterFailure>,
) -> Result<T, ClusterFailure> {
    let found = attempt(length);
    if found.as_ref().is_err_and(|failure| words_of(failure) == Some(ROOM)) {
        return attempt(usize::MAX);
    }
    found
}

/// What a worker, here or elsewhere, has met that all must do otherwise.
pub(super) fn words_of(failure: &ClusterFailure) -> Option<&str> {
    match failure {
        ClusterFailure::Rule(error) => known_words(&error.violation),
        ClusterFailure::Ended(Ended::Left { why, .. }, _) => Some(why),
        _ => None,
    }
}

/// The error in a rule, or another failure: what is found inside of a search goes by errors in rules alone.
///
/// # Errors
/// It is an error in a rule.
pub(super) fn apart(failure: ClusterFailure) -> Result<ClusterFailure, Box<RuleError>> {
    match failure {
        ClusterFailure::Rule(error) => Err(error),
        failure => Ok(failure),
    }
}

/// What a worker comes to.
pub(super) type Ending<T> = Result<T, SearchEnd<RuleFailure>>;

/// What the workers are to do, as far as all of them have it alike.
pub(super) struct Work<'w> {
    pub bounds: Bounds,
    facts: Vec<Fact>,
    disk: Option<&'w Path>,
    /// A hash of the words that are common.
    words: u64,
}

/// The workers of this process, with the rules that each asks.
pub(super) struct Workers<'w, P: Worded> {
    pub main: RuleShard<P>,
    forks: Vec<P>,
    pub work: Work<'w>,
}

impl<'w, P: Worded> Workers<'w, P> {
    /// All workers of this process, once the words are met that all processes have. `facts` are those of their files.
    ///
    /// # Errors
    /// There are no copies of the rules for all of them.
    pub fn of(
        mut problem: P,
        start: &P::Row,
        limits: &Limits,
        mut facts: Vec<Fact>,
        cluster: &'w Cluster<'_>,
    ) -> Result<Workers<'w, P>, ClusterFailure> {
        meet_first(&mut problem, start, cluster, limits.cancel.as_deref());
        let words = hash_of(&problem.word_list());
        let forks = problem.take_forks();
        if forks.len() + 1 != cluster.workers.get() {
            problem.return_forks(forks);
            return super::refused(
                "several workers of a process can't ask rules that keep answers, or are traced; \
                 several processes can",
            );
        }
        facts.push(Fact::new("the words of states", format!("{words:016x}")));
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let Limits { nodes, depth, memory, .. } = *limits;
        let bounds = Bounds { nodes, depth, deadline, memory };
        let is_timed = limits.time.is_some();
        let common = problem.counts();
        let manner = Manner { common, is_timed, is_informed: false, by_moves: false };
        let main = RuleShard::new(problem, manner);
        let disk = cluster.disk.as_deref();
        Ok(Workers { main, forks, work: Work { bounds, facts, disk, words } })
    }

    /// Has all of them search: what the main one comes to, and bytes of the files of all.
    ///
    /// # Errors
    /// What most tells why there is nothing: a failure here first.
    pub fn search<T: Send>(
        &mut self,
        (cluster, group): (&Cluster<'_>, Group),
        mut observe: impl FnMut(&Progress),
        search: impl Fn(
            Peers<'_>,
            &mut RuleShard<P>,
            Option<&mut Kept>,
            Option<zug_cluster::Observer<'_>>,
        ) -> Ending<T>
        + Sync,
    ) -> Result<(T, u64), ClusterFailure> {
        let Workers { main, forks, work } = self;
        let (search, manner, work) = (&search, main.manner, &*work);
        let found = |mut peers: Peers<'_>,
                     shard: &mut RuleShard<P>,
                     observe: Option<zug_cluster::Observer<'_>>| {
            work.must_pack_alike(&mut peers)?;
            let mut kept = work.kept(&peers)?;
            let found = search(peers, shard, kept.as_mut(), observe)?;
            Ok((found, kept.map_or(0, |kept| kept.bytes())))
        };
        let found = &found;
        let others = std::mem::take(forks).into_iter().map(|fork| {
            move |peers: Peers<'_>| {
                let mut shard = RuleShard::new(fork, manner);
                (found(peers, &mut shard, None), Some(shard.problem))
            }
        });
        let all = run(
            group,
            |peers: Peers<'_>| (found(peers, main, Some(&mut observe)), None),
            others.collect(),
        );
        let (endings, forks): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        main.problem.return_forks(forks.into_iter().flatten().collect());
        let mut all = settled(endings, cluster, |failure| main.ask_again(failure))?;
        let bytes = all.iter().map(|(_, bytes)| bytes).sum();
        Ok((all.swap_remove(0).0, bytes))
    }
}

impl Work<'_> {
    /// # Errors
    /// Workers pack states otherwise; or one is lost.
    fn must_pack_alike(&self, peers: &mut Peers<'_>) -> Result<(), Ended> {
        let own = self.words.to_le_bytes();
        let all = peers.exchange(own.to_vec(), &mut |_, _| {})?;
        let Some(other) = all.iter().position(|words| **words != own) else { return Ok(()) };
        let why = "it packs states otherwise; is it another build of zug?".to_owned();
        let (process, address) = (peers.process_of(other), peers.address_of(other));
        Err(Ended::Left { process, address, why })
    }

    /// The file of a worker, if layers are kept.
    fn kept(&self, peers: &Peers<'_>) -> Ending<Option<Kept>> {
        let Some(folder) = self.disk else { return Ok(None) };
        let process = format!("process-{}", peers.process_of(peers.index()));
        let worker = format!("worker-{}.layers", peers.index());
        let kept = Kept::open(&folder.join(process).join(worker), &self.facts);
        Ok(Some(kept.inspect_err(|error| peers.leave(&error.to_string()))?))
    }
}

/// Tells how far a search is, now and then, with the time that it took.
pub(super) fn reporting(
    began: Instant,
    mut tell: impl FnMut(&Progress, Duration),
) -> impl FnMut(&Progress) {
    let mut last = began;
    move |progress| {
        if last.elapsed() >= REPORTS {
            last = Instant::now();
            tell(progress, began.elapsed());
        }
    }
}

/// As [`reporting`], to the observer of a search for states.
pub(super) fn reporting_to(
    mut observer: Option<&mut zug_search::Observer<'_>>,
    began: Instant,
) -> impl FnMut(&Progress) {
    reporting(began, move |progress, elapsed| {
        if let Some(observer) = &mut observer {
            observer(&zug_search::Progress {
                expanded: progress.expanded,
                generated: progress.generated,
                lower_bound: None,
                depth: progress.depth,
                memory_bytes: progress.bytes,
                elapsed,
            });
        }
    })
}

/// What all workers of this process came to, or what most tells why there is nothing.
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

/// Why a search stopped.
pub(super) fn reason(stop: Stop) -> StopReason {
    match stop {
        Stop::Nodes => StopReason::Nodes,
        Stop::Depth => StopReason::Depth,
        Stop::Time => StopReason::Time,
        Stop::Memory => StopReason::Memory,
        Stop::Cancelled => StopReason::Cancelled,
    }
}
