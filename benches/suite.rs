//! A suite of Prolog programs beside SWI-Prolog with `-O`, in turn and in the same run:
//! `cargo bench --bench suite -- FOLDER [NAME…]`.
//!
//! The folder is laid out as the benchmark suite of SWI-Prolog: `programs.pl` has `program(Name, Times)`, and
//! `programs/Name.pl` defines `top/0`, which is run so many times. The table has the median user seconds of whole
//! processes, the ratio of the medians, and last the geometric mean of the ratios. Nothing of such a suite is kept here.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs of each program by each system.
const RUNS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let Some((folder, names)) = arguments.split_first() else {
        println!("usage: cargo bench --bench suite -- FOLDER [NAME…]");
        return;
    };
    let folder = Path::new(folder);
    let scratch = std::env::temp_dir().join(format!("zug-suite-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a temporary folder");
    println!("{:<18} {:>8} {:>8} {:>7}", "user seconds", "swipl -O", "zug", "ratio");
    let mut ratios = Vec::new();
    for (name, times) in programs(folder) {
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        let Some(file) = repeated(folder, &scratch, &name, times) else {
            println!("{name:<18} there is no such program");
            continue;
        };
        match measure(&file) {
            Ok((swi, zug)) => {
                println!("{name:<18} {swi:>8.2} {zug:>8.2} {:>7.2}", swi / zug);
                ratios.push(swi / zug);
            }
            Err(who) => println!("{name:<18} {who} did not come to its end"),
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("geometric mean of {}: {mean:.2}", ratios.len());
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(scratch);
}

/// Names and counts in `programs.pl`.
fn programs(folder: &Path) -> Vec<(String, u64)> {
    let text =
        std::fs::read_to_string(folder.join("programs.pl")).expect("programs.pl in the folder");
    let row = |line: &str| {
        let (name, times) = line.strip_prefix("program(")?.split_once(',')?;
        let times = times.trim().split(')').next()?.trim().parse().ok()?;
        Some((name.trim().to_owned(), times))
    };
    text.lines().filter_map(row).collect()
}

/// A program with a goal that runs `top/0` so many times.
fn repeated(folder: &Path, scratch: &Path, name: &str, times: u64) -> Option<PathBuf> {
    let text = std::fs::read_to_string(folder.join(format!("programs/{name}.pl"))).ok()?;
    let goal = format!(
        "\n\n'$suite' :- between(1, {times}, _), \\+ \\+ top, fail.\n'$suite' :- write(done), nl.\n"
    );
    let file = scratch.join(format!("{name}.pl"));
    std::fs::write(&file, text + &goal).expect("a temporary file");
    Some(file)
}

/// The medians of SWI-Prolog and zug, or who did not print that it was done.
fn measure(file: &Path) -> Result<(f64, f64), &'static str> {
    let (mut swi, mut zug) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut command = Command::new("swipl");
        command.args(["-O", "-g", "'$suite'", "-t", "halt"]).arg(file);
        swi.push(seconds(command).ok_or("SWI-Prolog")?);
        let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
        command.arg("query").arg(file).args(["'$suite'", "-n", "1"]);
        zug.push(seconds(command).ok_or("zug")?);
    }
    Ok((median(swi), median(zug)))
}

/// User seconds of a run that prints `done`.
fn seconds(mut command: Command) -> Option<f64> {
    let before = children_seconds();
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    let seconds = children_seconds() - before;
    String::from_utf8_lossy(&output.stdout).contains("done").then_some(seconds)
}

/// User seconds of the finished children of this process, in steps of 10 ms.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux's /proc");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    fields[13].parse::<f64>().expect("a number of ticks") / 100.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2].max(0.01)
}
