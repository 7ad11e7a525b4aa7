//! A whole reachable space, for people and for programs.

use super::number::{counted, grouped};
use super::solution::{JsonStats, counts};
use super::style::{Theme, paint};
use crate::search::{Stats, StopReason};
use serde::Serialize;
use std::fmt::Write;

/// Columns of the longest bar.
const BAR: u64 = 40;

/// The states around a start, with everything turned to text.
#[derive(Clone, Debug)]
pub struct SpaceReport {
    /// The rule file.
    pub file: String,
    /// The instance, if it has a name.
    pub instance: Option<String>,
    /// The number of states at each depth.
    pub by_depth: Vec<u64>,
    /// One of the deepest states, drawn or written.
    pub deepest: Option<String>,
    /// States without a successor.
    pub terminal: u64,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
    /// The counts.
    pub stats: Stats,
}

#[derive(Serialize)]
struct Json<'s> {
    file: &'s str,
    instance: Option<&'s str>,
    outcome: &'static str,
    reason: Option<String>,
    states: u64,
    depth: usize,
    by_depth: &'s [u64],
    terminal: u64,
    stats: JsonStats,
}

impl SpaceReport {
    /// The number of states.
    pub fn total(&self) -> u64 {
        self.by_depth.iter().sum()
    }

    /// One line of JSON, without its end.
    pub fn json(&self) -> String {
        let json = Json {
            file: &self.file,
            instance: self.instance.as_deref(),
            outcome: if self.stopped.is_some() { "stopped" } else { "complete" },
            reason: self.stopped.map(|reason| reason.to_string()),
            states: self.total(),
            depth: self.by_depth.len().saturating_sub(1),
            by_depth: &self.by_depth,
            terminal: self.terminal,
            stats: JsonStats::new(&self.stats),
        };
        // Only maps with other keys than strings can fail.
        serde_json::to_string(&json).unwrap_or_default()
    }

    /// A table of states by depth, and the counts.
    pub fn text(&self, theme: &Theme) -> String {
        let mut title = self.file.clone();
        if let Some(instance) = &self.instance {
            let _ = write!(title, ", {instance}");
        }
        let mut text = paint(theme.strong, &format!("{title}: states by depth")) + "\n\n";
        let most = self.by_depth.iter().copied().max().unwrap_or(1).max(1);
        let width = grouped(most).len();
        for (depth, &states) in self.by_depth.iter().enumerate() {
            // A layer is never so small that nothing is drawn.
            let bar = (states * BAR).div_ceil(most) as usize;
            let _ = writeln!(text, "{depth:>5}  {:>width$}  {}", grouped(states), "#".repeat(bar));
        }
        let total = counted(self.total(), "state");
        let depth = self.by_depth.len().saturating_sub(1);
        let _ = match self.stopped {
            None => writeln!(text, "\n{total}, the deepest at depth {depth}; {} without a move", grouped(self.terminal)),
            Some(reason) => {
                let what = paint(theme.warning, "Stopped");
                writeln!(text, "\n{what} by the limit of {reason} after {total}; there are more")
            }
        };
        if let (Some(deepest), None) = (&self.deepest, self.stopped) {
            let _ = writeln!(text, "\none of the deepest:\n{}\n", deepest.trim_end_matches('\n'));
        }
        let _ = writeln!(text, "{}", paint(theme.dim, &counts(&self.stats)));
        text
    }
}
