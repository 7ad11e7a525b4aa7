//! Searches by several workers: what is asked for, and what may go wrong.

use super::Failure;
use super::exit::Exit;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use zug_cluster::{ClusterError, Ended, Hosts, KeptError};
use zug_domain::{Cluster, ClusterFailure};
use zug_prolog::session::Session;

/// The workers that are wanted.
#[derive(Clone, Debug)]
pub struct ClusterWanted {
    /// Workers of each process.
    pub workers: NonZeroUsize,
    /// The file of hosts, and the number of this process.
    pub hosts: Option<(PathBuf, usize)>,
    /// How long to wait for other processes.
    pub wait: Duration,
    /// Told what this process waits for.
    pub notice: fn(&str),
}

impl ClusterWanted {
    /// The workers.
    ///
    /// # Errors
    /// The file of hosts can't be read, or there is no process of this number.
    pub fn cluster(&self, disk: Option<&Path>) -> Result<Cluster<'_>, Failure> {
        let hosts = match &self.hosts {
            None => None,
            Some((path, process)) => {
                let hosts = Hosts::read(path).and_then(|hosts| {
                    hosts.must_have(*process)?;
                    Ok(hosts)
                });
                let failed = |error| Failure::Cluster(ClusterFailure::Cluster(error).into());
                Some((hosts.map_err(failed)?, *process))
            }
        };
        Ok(Cluster {
            workers: self.workers,
            hosts,
            wait: self.wait,
            notice: &self.notice,
            disk: disk.map(Path::to_owned),
        })
    }
}

/// The failure of a search by several workers.
pub(crate) fn failure(session: &Session, failure: ClusterFailure) -> Failure {
    match failure {
        ClusterFailure::Rule(error) => Failure::rule(session, &error),
        other => Failure::Cluster(other.into()),
    }
}

/// How the command ends.
pub(crate) fn exit(failure: &ClusterFailure) -> Exit {
    match failure {
        ClusterFailure::Cluster(ClusterError::Interrupted)
        | ClusterFailure::Ended(Ended::Interrupted, _) => Exit::Interrupted,
        ClusterFailure::Ended(..) | ClusterFailure::Cluster(ClusterError::Absent { .. }) => {
            Exit::Limit
        }
        ClusterFailure::Cluster(ClusterError::Io(..))
        | ClusterFailure::Kept(KeptError::Io(..) | KeptError::Changed(_))
        | ClusterFailure::Rule(_) => Exit::Error,
        ClusterFailure::Cluster(_) | ClusterFailure::Kept(_) | ClusterFailure::Refused(_) => {
            Exit::Usage
        }
    }
}
