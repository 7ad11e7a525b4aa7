//! Options of searches by several workers.

use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug_options::units;
use zug_usecases::cluster::ClusterWanted;

/// The workers of a search: threads of this process, and other processes.
#[derive(Args, Debug, Clone)]
pub struct ClusterArgs {
    /// Search by so many workers, each in a thread of its own with states of its own
    #[arg(
        long,
        value_name = "N",
        value_parser = units::at_least_one,
        conflicts_with = "threads",
        help_heading = "Several workers"
    )]
    pub workers: Option<NonZeroUsize>,
    /// Search by several processes: a file with the address of each, HOST:PORT, in a line. All are
    /// started with the same options, each with its own --process; only in a network that is
    /// trusted
    #[arg(
        long,
        value_name = "FILE",
        requires = "process",
        conflicts_with = "threads",
        help_heading = "Several workers"
    )]
    pub hosts: Option<PathBuf>,
    /// Which line of the file of hosts this process is, from 0
    #[arg(long, value_name = "I", requires = "hosts", help_heading = "Several workers")]
    pub process: Option<usize>,
    /// How long to wait for other processes to come up
    #[arg(
        long,
        value_name = "TIME",
        value_parser = units::duration,
        default_value = "60s",
        requires = "hosts",
        help_heading = "Several workers"
    )]
    pub wait: Duration,
}

impl ClusterArgs {
    /// What is wanted of several workers, if anything.
    pub fn wanted(&self) -> Option<ClusterWanted> {
        if self.workers.is_none() && self.hosts.is_none() {
            return None;
        }
        Some(ClusterWanted {
            workers: self.workers.unwrap_or(NonZeroUsize::MIN),
            hosts: self.hosts.clone().zip(self.process),
            wait: self.wait,
            notice: super::complain,
        })
    }
}
