//! How much memory a session may take.

/// The most that is taken without being asked to: 2 GiB.
const MOST: usize = 2 << 30;

/// Half of the machine's memory, at most 2 GiB.
pub fn default_limit() -> usize {
    total().map_or(MOST, |total| (total / 2).min(MOST))
}

/// The part of half the machine's memory that is for one of so many, at most 2 GiB; that of a
/// machine of 4 GiB where the system doesn't tell.
pub fn share(parts: std::num::NonZeroUsize) -> usize {
    (total().unwrap_or(2 * MOST) / 2 / parts).min(MOST)
}

/// The machine's memory in bytes, where the system tells.
fn total() -> Option<usize> {
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(text: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_total() {
        assert_eq!(parse("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16 << 10));
        assert_eq!(parse("MemFree: 1 kB\n"), None);
        assert!(default_limit() > 0 && default_limit() <= MOST);
    }
}
