//! Searches by several workers: threads of this process, and other processes.
//!
//! Every process has the rules, and packs states by words of its own. What all of them have alike are the words that
//! a search of the first states meets, which all processes make before they begin, one state after the other. A state
//! of these words travels as its packed bytes; one that has others is *spelled*, with all its words, and is packed anew
//! where it arrives ([`shard`]). The owner of a state goes by the bytes that travel.
//!
//! [`meeting`] brings the processes together, [`work`] has the workers of this one search, and [`enumerate`], [`plans`]
//! and [`games`] say for what.

mod enumerate;
mod games;
mod meeting;
mod plans;
mod shard;
mod work;

pub use enumerate::explore_on_cluster;
pub use games::solve_on_cluster;
pub use plans::find_on_cluster;

use crate::error::RuleError;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug_cluster::{ClusterError, Ended, Hosts, KeptError};

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

impl Cluster<'_> {
    /// Whether there is more than one worker.
    fn is_shared(&self) -> bool {
        self.hosts.is_some() || self.workers.get() > 1
    }
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

/// The failure that something can't be asked of several workers.
fn refused<T>(why: &str) -> Result<T, ClusterFailure> {
    Err(ClusterFailure::Refused(why.to_owned()))
}
