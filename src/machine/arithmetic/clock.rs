//! Time as rules see it: processor time, wall-clock time, the time of day.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// When a machine started.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { started: Instant::now() }
    }
}

impl Clock {
    /// Processor time of this process in seconds; where the system doesn't tell, the time since the start.
    #[cfg(unix)]
    pub fn cpu_seconds(&self) -> f64 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
    }

    /// The time since the start: the stand-in for processor time here.
    #[cfg(not(unix))]
    pub fn cpu_seconds(&self) -> f64 {
        self.wall_seconds()
    }

    /// Seconds since the start.
    pub fn wall_seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Seconds since 1970.
    pub fn unix_seconds() -> f64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
    }
}
