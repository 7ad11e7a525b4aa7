//! Constraints beside SWI-Prolog's library(clpfd), in turn and in the same run: `cargo bench --bench constraints`.
//!
//! The programs of `benches/constraints` are the same text for both. Each is run by both several times
//! alternately, each time in a process of its own; the table shows the medians of the user seconds of the whole
//! process and their ratio, and that both printed the same. Without `swipl` on the path zug runs alone.
//!
//! Beside `NAME.pl` there are MiniZinc models of the same problems, `NAME.mzn` and `NAME_….mzn`: the same constraints and
//! the same order of labelling. Their first lines say how often the program solves each of them, and how many solutions it
//! asks for. With `minizinc` and `fzn-gecode` on the path, those of programs that solve each once are flattened,
//! and solved by Gecode several times: the table shows the medians of the user seconds of its whole process, and what
//! flattening takes, apart. A program that solves one small problem again and again has nothing to be compared
//! with: Gecode would start as often.

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
    println!(
        "{:<14} {:>9} {:>9} {:>7}  {:<11} {:>9} {:>7} {:>10}",
        "", "zug s", "swipl s", "ratio", "same output", "gecode s", "ratio", "flatten s"
    );
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
        let solver = gecode(&folder, &name);
        let (solved, flattened) = solver.unzip();
        let solver_ratio =
            own.zip(solved).map_or("-".to_owned(), |(own, solved)| format!("{:.2}", solved / own));
        println!(
            "{name:<14} {:>9} {:>9} {ratio:>7}  {same:<11} {:>9} {solver_ratio:>7} {:>10}",
            shown(own),
            shown(peer),
            shown(solved),
            shown(flattened)
        );
    }
}

/// The MiniZinc models of a program, solved by Gecode: seconds of solving and of flattening.
fn gecode(folder: &Path, name: &str) -> Option<(f64, f64)> {
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "mzn"))
        .filter(|path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            stem == name || stem.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
        })
        .collect();
    models.sort();
    let all: Option<Vec<(f64, f64)>> = models.iter().map(|model| solved_model(model)).collect();
    let all = all.filter(|all| !all.is_empty())?;
    Some(all.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1)))
}

/// One model, if the program solves it once.
fn solved_model(model: &Path) -> Option<(f64, f64)> {
    let text = std::fs::read_to_string(model).ok()?;
    let solutions = text.lines().next()?.strip_prefix("% times: 1, solutions: ")?;
    let flat = std::env::temp_dir().join(format!("zug-bench-{}.fzn", std::process::id()));
    let output = flat.with_extension("ozn");
    let flattening = run(Command::new("minizinc")
        .args(["-c", "--solver", "gecode", "--fzn"])
        .arg(&flat)
        .arg("--ozn")
        .arg(&output)
        .arg(model));
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let mut solver = Command::new("fzn-gecode");
        match solutions.trim() {
            "all" => _ = solver.arg("-a"),
            "best" => {}
            count => _ = solver.args(["-n", count]),
        }
        let solved = run(solver.arg(&flat)).filter(|_| flattening.is_some());
        seconds.extend(solved.map(|run| run.seconds));
    }
    _ = std::fs::remove_file(&flat);
    _ = std::fs::remove_file(&output);
    Some((median(&mut seconds)?, flattening?.seconds))
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
