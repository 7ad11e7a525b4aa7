//! The effective branching factor: one figure for how widely a search spread.
//!
//! N. J. Nilsson, *Problem-Solving Methods in Artificial Intelligence* (1971); S. Russell and
//! P. Norvig, *Artificial Intelligence* (3rd edition 2010), section 3.6.

/// Halvings of the interval: more than a float has bits.
const HALVINGS: u32 = 100;

/// The branching factor b of a uniform tree of so many moves in depth that has `nodes` nodes
/// beside its root: `nodes + 1 = 1 + b + b^2 + … + b^depth`. The nodes are those generated, the
/// depth is that of the solution. `None` where it says nothing: at depth 0, or without a node.
///
/// ```
/// // The worked example of Russell and Norvig.
/// let b = zug_search::effective_branching(52, 5).unwrap();
/// assert_eq!(format!("{b:.2}"), "1.92");
/// ```
pub fn effective_branching(nodes: u64, depth: usize) -> Option<f64> {
    let power = i32::try_from(depth).ok().filter(|&depth| depth > 0)?;
    if nodes == 0 {
        return None;
    }
    let nodes = nodes as f64;
    // 1 + b + … + b^d, less the root; the closed form loses all digits near 1.
    let tree = |b: f64| {
        if (b - 1.0).abs() < 1e-6 {
            return f64::from(power);
        }
        b * (b.powi(power) - 1.0) / (b - 1.0)
    };
    let (mut low, mut high) = (0.0, nodes);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if tree(middle) < nodes { low = middle } else { high = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(nodes: u64, depth: usize, expected: &str) {
        let b = effective_branching(nodes, depth).map(|b| format!("{b:.3}"));
        assert_eq!(b.as_deref().unwrap_or("none"), expected);
    }

    #[test]
    fn trees_with_a_known_factor() {
        check(52, 5, "1.917");
        check(2 + 4 + 8, 3, "2.000");
        check(3 + 9 + 27 + 81, 4, "3.000");
        check(7, 1, "7.000");
        // A line, and less than a line: tree searches count no way straight back.
        check(40, 40, "1.000");
        check(1, 2, "0.618");
        check(0, 3, "none");
        check(5, 0, "none");
        check(u64::MAX, 1000, "1.042");
    }
}
