//! A whole reachable space, for people. Programs get the report itself as JSON.

use super::board::trimmed;
use super::code_use;
use super::number::{bytes as bytes_of, counted, grouped, time};
use super::plot::{Axis, Plot, Series, Shape};
use super::solution::counts;
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_search::StopReason;
use zug_tools::columns;
use zug_usecases::enumerate::EnumerateReport;

/// Depths that are shown one by one, and if there are more, the first and the last of them.
const DEPTHS: usize = 100;
const FIRST: usize = 60;
const LAST: usize = 10;
/// Columns of the longest bar.
const BAR: u64 = 40;

/// A table of states by depth, and the counts. `board`: one of the deepest
/// states, as `print_state/1` draws it.
pub fn text(report: &EnumerateReport, board: Option<&str>, theme: &Theme) -> String {
    let mut title = report.file.clone();
    if report.named {
        let _ = write!(title, ", {}", report.instance);
    }
    let mut text = paint(theme.strong, &format!("{title}: states by depth")) + "\n\n";
    text += &table(report.by_depth.iter().map(|layer| layer.0));
    let total = counted(report.states, "state");
    let depth = report.by_depth.len().saturating_sub(1);
    let _ = match report.explored.stopped {
        None => writeln!(
            text,
            "\n{total}, the deepest at depth {depth}; {} without a move",
            grouped(report.terminal)
        ),
        Some(StopReason::Cancelled) => {
            writeln!(
                text,
                "\n{} after {total}; there are more",
                paint(theme.warning, "Interrupted")
            )
        }
        Some(reason) => writeln!(
            text,
            "\n{} by the limit of {reason} after {total}; there may be more",
            paint(theme.warning, "Stopped")
        ),
    };
    if let Some(condition) = &report.trusted {
        let said = paint(theme.warning, "not proved");
        let _ = writeln!(text, "{said}: it takes on trust that {condition}");
    }
    if report.explored.stopped.is_none() && depth > 0 {
        let deepest = board.map(|board| format!("\n\n{}\n", trimmed(board)));
        let deepest = deepest.or_else(|| report.deepest.first().map(|state| format!(" {state}")));
        if let Some(deepest) = deepest {
            let _ = writeln!(text, "one of the deepest:{deepest}");
        }
    }
    let stats = &report.explored.stats;
    let counts = match report.explored.on_disk {
        // Moves are not made one by one.
        None if report.diagrams.is_some() => time(stats.elapsed),
        // What earlier calls have expanded counts, their time does not.
        Some(_) => format!(
            "expanded {}, generated {} in all; {} this time, {}",
            grouped(stats.expanded),
            grouped(stats.generated),
            time(stats.elapsed),
            bytes_of(stats.peak_memory_bytes),
        ),
        None => counts(stats),
    };
    let _ = writeln!(text, "{}", paint(theme.dim, &counts));
    if let Some(numbered) = report.explored.numbered {
        let kept = format!("states kept in two bits each, for {}", counted(numbered, "number"));
        let _ = writeln!(text, "{}", paint(theme.dim, &kept));
    }
    if let Some(diagrams) = &report.diagrams {
        let largest = diagrams.nodes.iter().copied().max().unwrap_or_default();
        let kept = format!(
            "no states kept, but diagrams of at most {} a layer; {} at a time, {}",
            counted(largest, "node"),
            grouped(diagrams.peak_nodes),
            bytes_of(stats.peak_memory_bytes),
        );
        let _ = writeln!(text, "{}", paint(theme.dim, &kept));
    }
    if let Some(bytes) = report.explored.on_disk {
        let kept = format!(
            "states kept in files of {}",
            bytes_of(usize::try_from(bytes).unwrap_or(usize::MAX))
        );
        let _ = writeln!(text, "{}", paint(theme.dim, &kept));
    }
    if report.beyond_depth {
        let note = paint(theme.warning, "note");
        let said = "the folder had deeper layers already than the depth asked for: all are counted";
        let _ = writeln!(text, "{note}: {said}");
    }
    text + &code_use::text(report.code.as_ref(), theme)
}

/// States by depth.
pub fn plot(report: &EnumerateReport) -> Plot {
    let mut title = report.file.clone();
    if report.named {
        let _ = write!(title, ", {}", report.instance);
    }
    let points = report.by_depth.iter().enumerate();
    Plot {
        title: format!("{title}: states by depth"),
        x: Axis::new("fewest moves from the start"),
        y: Axis::new("states"),
        series: vec![Series {
            name: String::new(),
            shape: Shape::Bars,
            points: points.map(|(depth, &states)| (depth as f64, states.0 as f64)).collect(),
        }],
    }
}

/// A row for each depth, with a bar.
fn table(by_depth: impl ExactSizeIterator<Item = u128> + Clone) -> String {
    let mut text = String::new();
    let (most, layers) = (by_depth.clone().max().unwrap_or(1).max(1), by_depth.len());
    let width = grouped(most).len();
    // Numbers that leave room to be multiplied.
    let scale = (u128::BITS - most.leading_zeros()).saturating_sub(100);
    let longest = columns::most(BAR as usize + width + 9).saturating_sub(width + 9).max(5) as u64;
    for (depth, states) in by_depth.enumerate() {
        // Of a space that grows on and on, the beginning and the end.
        if layers > DEPTHS && depth >= FIRST && depth + LAST < layers {
            if depth == FIRST {
                let left = grouped((layers - FIRST - LAST) as u64);
                let _ = writeln!(text, "    …  {left} more");
            }
            continue;
        }
        // A layer is never so small that nothing is drawn.
        let bar = (states >> scale) * u128::from(longest);
        let bar = bar.div_ceil((most >> scale).max(1)).max(1) as usize;
        let _ = writeln!(text, "{depth:>5}  {:>width$}  {}", grouped(states), "#".repeat(bar));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        assert_eq!(
            table([1, 20, 1000].into_iter()),
            format!("    0      1  #\n    1     20  #\n    2  1,000  {}\n", "#".repeat(40))
        );
        let long = table(vec![1; 1070].into_iter());
        assert_eq!(long.lines().count(), FIRST + 1 + LAST);
        assert_eq!(long.lines().nth(FIRST), Some("    …  1,000 more"));
        assert_eq!(long.lines().nth(FIRST + 1).map(|line| &line[..8]), Some(" 1060  1"));
    }
}
