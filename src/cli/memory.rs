//! How much memory a session may take.

/// The most that is taken without being asked to: 2 GiB.
const MOST: usize = 2 << 30;

/// Half of the memory there is, at most 2 GiB.
pub fn default_limit() -> usize {
    total(1).map_or(MOST, |total| (total / 2).min(MOST))
}

/// The part of half the memory there is that is for one of so many, at most 2 GiB; that of a
/// machine of 4 GiB where the system doesn't tell.
pub fn share(parts: std::num::NonZeroUsize) -> usize {
    (total(parts.get()).unwrap_or(2 * MOST) / 2 / parts).min(MOST)
}

/// The memory there is in bytes, where the system tells: the machine's, or less where the process
/// is in a control group (a container) or has a limit of its own (`ulimit -v`) for so many threads.
fn total(threads: usize) -> Option<usize> {
    let read = |path: &str| zug_files::Access::FREE.read_text(std::path::Path::new(path)).ok();
    let machine = parse(&read("/proc/meminfo")?)?;
    let group = read("/proc/self/cgroup").and_then(|text| group_limit(&text, read));
    let own = read("/proc/self/limits").and_then(|text| address_space(&text)).map(|space| {
        // The program, the stacks of threads and what the allocator sets aside count there too.
        space.saturating_sub(ASIDE.saturating_add(threads.saturating_mul(EACH))).max(LEAST)
    });
    Some([group, own].into_iter().flatten().fold(machine, usize::min))
}

/// Of a limit of address space, what is for other things than rules: 192 MiB,
const ASIDE: usize = 192 << 20;
/// and for each thread that runs rules 128 MiB.
const EACH: usize = 128 << 20;
/// What a limit of address space leaves in any case: 64 MiB.
const LEAST: usize = 64 << 20;

fn parse(text: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The least limit of the control group in `/proc/self/cgroup` and those above it, of version 2
/// or 1 (`man 7 cgroups`). A container sees its own group as the topmost.
fn group_limit(text: &str, read: impl Fn(&str) -> Option<String>) -> Option<usize> {
    let mut least: Option<usize> = None;
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(group)) = (parts.next(), parts.next()) else { continue };
        let (folder, file) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        for above in std::path::Path::new(group).ancestors() {
            let path = format!("{folder}/{}/{file}", above.display().to_string().trim_matches('/'));
            // Without a limit it is `max`, or more than there is.
            let limit = read(&path).and_then(|text| text.trim().parse().ok());
            least = [least, limit].into_iter().flatten().min();
        }
    }
    least
}

/// The limit of address space in `/proc/self/limits`.
fn address_space(text: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_says_the_default() {
        use clap::CommandFactory;
        let whole = crate::command::Cli::command();
        let mut options = 0;
        for command in whole.get_subcommands().chain([&whole]) {
            let memory = command.get_arguments().filter(|option| option.get_id() == "memory");
            for help in memory.filter_map(|option| option.get_help()) {
                let share = if ["serve", "mcp"].contains(&command.get_name()) {
                    "its share of "
                } else {
                    ""
                };
                let words = format!(
                    "default: {share}half of what the machine, a container or `ulimit -v` gives"
                );
                assert!(help.to_string().contains(&words), "{}: {help}", command.get_name());
                options += 1;
            }
        }
        assert!(options > 15, "{options}");
    }

    #[test]
    fn reads_the_total() {
        assert_eq!(parse("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16 << 10));
        assert_eq!(parse("MemFree: 1 kB\n"), None);
        assert!(default_limit() > 0 && default_limit() <= MOST);
    }

    #[test]
    fn limits_of_groups_and_processes() {
        let limits = "Max cpu time   unlimited  unlimited  seconds\n\
                      Max address space   1073741824   unlimited   bytes\n";
        assert_eq!(address_space(limits), Some(1 << 30));
        assert_eq!(address_space("Max address space   unlimited   unlimited   bytes\n"), None);
        let files = |path: &str| {
            let text = match path {
                "/sys/fs/cgroup/user/one/memory.max" => "max\n",
                "/sys/fs/cgroup/user/memory.max" => "4096\n",
                "/sys/fs/cgroup/memory/old/memory.limit_in_bytes" => "2048\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(group_limit("0::/user/one\n", files), Some(4096));
        assert_eq!(group_limit("0::/other\n", files), None);
        assert_eq!(group_limit("7:cpu:/old\n4:cpuset,memory:/old\n", files), Some(2048));
    }
}
