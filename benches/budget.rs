//! What code from rules may cost: `cargo bench --bench budget`.
//!
//! Every rule file in `rules` and `tests/domains`, and in the folders given as arguments, is run as
//! `zug enumerate` and `zug solve` run it, on the machine alone and with code, with limits of nodes
//! such that the machine alone takes some 50 ms, half a second and a few seconds. A run is a process
//! of its own, and its time is the processor's, of all its threads, from the start to the end: a busy
//! machine counts for little. Runs are in pairs, and figures are medians.
//!
//! A run with code may take the larger of 20 ms and a quarter more than on the machine alone. Rows
//! beyond have a mark and come again at the end; then the process ends with a failure. So that chance
//! has no part in it, what is beyond is measured again first, with more pairs.
//!
//! `cargo bench --bench budget -- --sizes 50,500 --pairs 5 --only reversi --kinds enumerate FOLDER…`

#![cfg(unix)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Set in the processes that are measured.
const CHILD: &str = "ZUG_BUDGET_RUN";
/// What stands before the time that such a process says.
const TIME: &str = "processor time in µs: ";
/// How many times as many pairs are run of what is beyond the bound.
const AGAIN: usize = 3;
/// By how much the limit of nodes grows until a run is long enough.
const GROWTH: u64 = 3;
/// The most nodes.
const MOST_NODES: u64 = 100_000_000;
/// The exit code of a run that a limit ended.
const STOPPED: i32 = 4;

fn main() -> ExitCode {
    if std::env::var_os(CHILD).is_some() {
        let code = zug::cli::main();
        let now = clock_gettime(ClockId::ProcessCPUTime);
        eprintln!("\n{TIME}{}", now.tv_sec * 1_000_000 + now.tv_nsec / 1000);
        return code;
    }
    let asked = Asked::of(std::env::args().skip(1));
    println!(
        "{:<44} {:<9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>8}",
        "", "", "nodes", "machine", "code", "more", "share", "by code"
    );
    let mut beyond = Vec::new();
    let mut rows = 0;
    for file in asked.files() {
        for kind in &asked.kinds {
            for row in asked.rows(&file, kind) {
                rows += 1;
                println!("{}", row.text());
                if row.is_beyond() {
                    beyond.push(row);
                }
            }
        }
    }
    println!("\n{} of {rows} beyond the bound", beyond.len());
    beyond.sort_by(|a, b| b.excess().total_cmp(&a.excess()));
    for row in &beyond {
        println!("{}", row.text());
    }
    if beyond.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is asked for on the command line.
struct Asked {
    /// What the machine alone is to take at least, in milliseconds.
    sizes: Vec<f64>,
    /// Pairs of runs.
    pairs: usize,
    /// A part of the names of files.
    only: Option<String>,
    /// `enumerate`, `solve`.
    kinds: Vec<String>,
    /// Folders and files.
    places: Vec<PathBuf>,
}

impl Asked {
    fn of(mut words: impl Iterator<Item = String>) -> Asked {
        let mut asked = Asked {
            sizes: vec![50.0, 500.0, 3000.0],
            pairs: 3,
            only: None,
            kinds: vec!["enumerate".to_owned(), "solve".to_owned()],
            places: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().expect("the option has a value");
            match &*word {
                "--bench" => {}
                "--sizes" => {
                    let size = |size: &str| size.parse().expect("milliseconds");
                    asked.sizes = value().split(',').map(size).collect();
                }
                "--pairs" => asked.pairs = value().parse().expect("a number"),
                "--only" => asked.only = Some(value()),
                "--kinds" => asked.kinds = value().split(',').map(str::to_owned).collect(),
                _ => asked.places.push(PathBuf::from(word)),
            }
        }
        if asked.places.is_empty() {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            asked.places = vec![root.join("rules"), root.join("tests/domains")];
        }
        asked
    }

    /// The rule files, in order.
    fn files(&self) -> Vec<PathBuf> {
        let (mut found, mut places) = (Vec::new(), self.places.clone());
        while let Some(place) = places.pop() {
            match std::fs::read_dir(&place) {
                Ok(all) => places.extend(all.flatten().map(|entry| entry.path())),
                Err(_) if place.extension().is_some_and(|end| end == "pl") => found.push(place),
                Err(_) => {}
            }
        }
        let wanted = |file: &PathBuf| {
            let name = file.to_string_lossy();
            self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
        };
        found.retain(wanted);
        found.sort();
        found
    }

    /// The runs of a file, the shortest first.
    fn rows(&self, file: &Path, kind: &str) -> Vec<Row> {
        let mut rows = Vec::new();
        let first = self.row(file, kind, 1, self.pairs);
        // What can't be run at all, or takes long for one node.
        let Some(first) = first else { return rows };
        let (mut nodes, mut took, mut ended) = (1, first.machine, first.ended);
        rows.push(first);
        for &size in &self.sizes {
            let before = nodes;
            while took < size && !ended && nodes < MOST_NODES {
                nodes *= GROWTH;
                let Some(run) = run(file, kind, nodes, false) else { return rows };
                (took, ended) = (run.ms, run.ended);
            }
            if nodes > before {
                let Some(mut row) = self.row(file, kind, nodes, self.pairs) else { return rows };
                if row.is_beyond() {
                    row = self.row(file, kind, nodes, AGAIN * self.pairs).unwrap_or(row);
                }
                rows.push(row);
            }
        }
        rows
    }

    fn row(&self, file: &Path, kind: &str, nodes: u64, pairs: usize) -> Option<Row> {
        let (mut machine, mut code, mut last) = (Vec::new(), Vec::new(), None);
        for _ in 0..pairs {
            machine.push(run(file, kind, nodes, false)?.ms);
            let with = run(file, kind, nodes, true)?;
            code.push(with.ms);
            last = Some(with);
        }
        let last = last?;
        Some(Row {
            file: file.to_owned(),
            kind: kind.to_owned(),
            nodes,
            machine: median(machine),
            code: median(code),
            by_code: last.by_code,
            ended: last.ended,
        })
    }
}

/// A file at a limit of nodes.
struct Row {
    file: PathBuf,
    kind: String,
    nodes: u64,
    /// Milliseconds on the machine alone.
    machine: f64,
    /// Milliseconds with code.
    code: f64,
    /// Part of the questions that code answered.
    by_code: Option<f64>,
    /// No limit ended it.
    ended: bool,
}

impl Row {
    /// What a run with code may take beyond what it takes on the machine alone.
    fn allowed(&self) -> f64 {
        (self.machine / 4.0).max(20.0)
    }

    /// What it takes beyond that.
    fn excess(&self) -> f64 {
        self.code - self.machine - self.allowed()
    }

    fn is_beyond(&self) -> bool {
        self.excess() > 0.0
    }

    fn text(&self) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let name = self.file.strip_prefix(root).unwrap_or(&self.file).display().to_string();
        let more = self.code - self.machine;
        let by_code = self.by_code.map_or_else(String::new, |part| format!("{:.1}%", 100.0 * part));
        let mark = if self.is_beyond() { " beyond" } else { "" };
        format!(
            "{name:<44} {:<9} {:>9} {:>9.1} {:>9.1} {more:>7.1} {:>6.0}% {by_code:>8}{mark}",
            self.kind,
            self.nodes,
            self.machine,
            self.code,
            100.0 * more / self.machine,
        )
    }
}

/// What a process took.
struct Ran {
    ms: f64,
    by_code: Option<f64>,
    ended: bool,
}

/// Runs a file in a process of its own, all its instances if there are several; `None` if that fails.
fn run(file: &Path, kind: &str, nodes: u64, with_code: bool) -> Option<Ran> {
    let all = (kind == "solve").then(|| run_instances(file, kind, nodes, (with_code, true)));
    all.flatten().or_else(|| run_instances(file, kind, nodes, (with_code, false)))
}

fn run_instances(
    file: &Path,
    kind: &str,
    nodes: u64,
    (with_code, all): (bool, bool),
) -> Option<Ran> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.env(CHILD, "1").stdin(Stdio::null()).arg(kind).arg(file);
    command.args(["--format", "json", "--nodes", &nodes.to_string(), "--time", "60"]);
    if all {
        command.arg("--all");
    }
    if !with_code {
        command.arg("--no-specialize");
    }
    let output = command.output().ok()?;
    let ended = match output.status.code() {
        Some(STOPPED) => false,
        Some(0 | 1) => true,
        _ => return None,
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let (_, time) = said.rsplit_once(TIME)?;
    let record: Value = serde_json::from_slice(&output.stdout).ok()?;
    let mut sums = [0, 0];
    for result in record["results"].as_array()? {
        for (sum, name) in sums.iter_mut().zip(["by_code", "by_machine"]) {
            *sum += result["code"][name].as_u64().unwrap_or(0);
        }
    }
    let [code, machine] = sums;
    let by_code = (code + machine > 0).then(|| code as f64 / (code + machine) as f64);
    Some(Ran { ms: time.trim().parse::<f64>().ok()? / 1000.0, by_code, ended })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
