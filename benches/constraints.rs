//! Constraints beside SWI-Prolog's library(clpfd), in turn and in the same run: `cargo bench --bench constraints`.
//!
//! The programs of `benches/constraints` are the same text for both. Each is run by both several times
//! alternately, each time in a process of its own; the table shows the medians of the user seconds of the whole
//! process and their ratio, and that both printed the same. Without `swipl` on the path zug runs alone.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs of each program.
const RUNS: usize = 5;

/// What a run took and printed.
struct Run {
    seconds: f64,
    printed: String,
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/constraints");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the programs are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pl"))
        .collect();
    programs.sort();
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("{:<14} {:>9} {:>9} {:>7}  same output", "", "zug s", "swipl s", "ratio");
    for program in programs {
        let name =
            program.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut same = None;
        for _ in 0..RUNS {
            let own = run(Command::new(env!("CARGO_BIN_EXE_zug"))
                .args(["query", "-n", "1"])
                .arg(&program)
                .arg("main"));
            let peer =
                run(Command::new("swipl").args(["-q", "-g", "main", "-g", "halt"]).arg(&program));
            if let (Some(own), Some(peer)) = (&own, &peer) {
                // Under what the program prints zug says that the query is true.
                let printed = own.printed.trim_end().trim_end_matches("true").trim_end();
                same = Some(same.unwrap_or(true) && printed == peer.printed.trim_end());
            }
            ours.extend(own.map(|run| run.seconds));
            theirs.extend(peer.map(|run| run.seconds));
        }
        let shown = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |s| format!("{s:.3}"));
        let (own, peer) = (median(&mut ours), median(&mut theirs));
        let ratio =
            own.zip(peer).map_or("-".to_owned(), |(own, peer)| format!("{:.1}", peer / own));
        let same = same.map_or("-", |same| if same { "yes" } else { "NO" });
        println!("{name:<14} {:>9} {:>9} {ratio:>7}  {same}", shown(own), shown(peer));
    }
}

/// Runs a command: its processor time in user mode, and what it printed.
fn run(command: &mut Command) -> Option<Run> {
    let before = children();
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let seconds = children() - before;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(Run { seconds, printed })
}

/// Seconds in user mode of the children that have ended.
fn children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    // cutime is field 16 of proc(5); the state, behind the name, is field 3. In ticks of 1/100 s.
    fields.skip(13).find_map(|field| field.parse::<f64>().ok()).unwrap_or(0.0) / 100.0
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
