//! What an instance, a file and the whole batch may use, and which limit it was that struck.

use super::BatchRequest;
use std::time::{Duration, Instant};
use zug_prolog::session::{Allowance, Session};

/// A limit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Of an instance or a query.
    Time,
    /// Of a file.
    Timeout,
    /// Of the whole batch.
    TotalTime,
}

impl TimeLimit {
    /// As it stands in result lines.
    pub fn name(self) -> &'static str {
        match self {
            TimeLimit::Time => "time",
            TimeLimit::Timeout => "timeout",
            TimeLimit::TotalTime => "total_time",
        }
    }
}

/// The limits of a file that is being run.
pub struct Budget<'a> {
    request: &'a BatchRequest,
    /// When the file must be done.
    file: Option<Instant>,
    /// When the batch must be done.
    batch: Option<Instant>,
}

impl<'a> Budget<'a> {
    /// The limits of a file that begins now.
    pub fn new(request: &'a BatchRequest, batch: Option<Instant>) -> Budget<'a> {
        let file = request.timeout.and_then(|time| Instant::now().checked_add(time));
        Budget { request, file, batch }
    }

    /// The time that is left, and which limit ends it.
    pub fn left(&self, time: Option<Duration>) -> Option<(Duration, TimeLimit)> {
        let now = Instant::now();
        let until = |end: Option<Instant>, clock| {
            end.map(|end| (end.saturating_duration_since(now), clock))
        };
        let all = [
            time.map(|time| (time, TimeLimit::Time)),
            until(self.file, TimeLimit::Timeout),
            until(self.batch, TimeLimit::TotalTime),
        ];
        all.into_iter().flatten().min_by_key(|&(left, _)| left)
    }

    /// A limit of file or batch that is over.
    pub fn over(&self) -> Option<TimeLimit> {
        self.left(None).filter(|(left, _)| left.is_zero()).map(|(_, clock)| clock)
    }

    /// Lets a session begin with something: an instance or a query, or the load of a file, which
    /// only the file's limit ends. The limit of time that will strike first.
    pub fn allow(&self, session: &mut Session, load: bool) -> Option<(Duration, TimeLimit)> {
        let left = self.left(if load { None } else { self.request.time });
        session.allow(&Allowance {
            time: left.map(|(left, _)| left),
            memory: Some(self.request.memory),
            inferences: self.request.inferences,
            output: Some(self.request.output),
        });
        left
    }

    /// Lets a session begin with the unit tests of the file. Inferences and time are counted for
    /// each test, within the time of the file.
    pub fn allow_tests(&self, session: &mut Session) -> Option<TimeLimit> {
        let left = self.left(None);
        session.allow(&Allowance {
            time: left.map(|(left, _)| left),
            memory: Some(self.request.memory),
            inferences: None,
            output: Some(self.request.output),
        });
        left.map(|(_, clock)| clock)
    }
}
