//! A long run over mixed files, good and bad: `cargo bench --bench soak`.
//!
//! 1. One batch of 10,000 generated files that are solved, and one of 10,000 that are asked their
//!    queries: each file with the outcome that is due, and the resident memory of the process all
//!    the while, which must not grow.
//! 2. A thousand files with one worker and with two: the same lines, and how much sooner.
//! 3. The thousand again, killed with SIGKILL twenty times at random moments and resumed: the
//!    same lines, nothing lost, nothing run twice.
//!
//! `cargo bench --bench soak -- --files N --some N --seed S --zug PATH` takes other numbers, or
//! another binary. The files are those of `tests/command/mixed`.

#![cfg(unix)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/command/mixed/mod.rs"]
mod mixed;

use mixed::{Mixed, Random, Size, Way, faults, files, kept, write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Times a batch is killed.
const KILLS: usize = 20;
/// By how much memory may be more at the end than in the middle: caches of the allocator come
/// and go.
const GROWTH: f64 = 1.25;

/// Of fewer files a single large one counts too much.
const ENOUGH: usize = 1_000;

struct Asked {
    files: usize,
    some: usize,
    seed: u64,
    zug: PathBuf,
}

fn asked() -> Asked {
    let zug = PathBuf::from(env!("CARGO_BIN_EXE_zug"));
    let mut asked = Asked { files: 10_000, some: 1_000, seed: 1, zug };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--bench" {
            continue;
        }
        let value = words.next().unwrap_or_default();
        let number = || value.parse().expect("a number");
        match &*word {
            "--files" => asked.files = number(),
            "--some" => asked.some = number(),
            "--seed" => asked.seed = number() as u64,
            "--zug" => asked.zug = value.into(),
            _ => panic!("there is no option `{word}`"),
        }
    }
    asked
}

fn main() {
    let asked = asked();
    let folder = std::env::temp_dir().join(format!("zug-soak-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for way in [Way::Solve, Way::Ask] {
        long(&asked, &folder, way);
    }
    some(&asked, &folder);
    std::fs::remove_dir_all(&folder).expect("it goes away");
}

fn batch(zug: &Path, below: &Path, out: &Path, way: Way, more: &[&str]) -> Child {
    let mut command = Command::new(zug);
    command.arg("batch").arg(below).args(way.options()).arg("--out").arg(out).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("zug starts")
}

/// All files in one batch, and the memory of its process.
fn long(asked: &Asked, folder: &Path, way: Way) {
    let count = asked.files;
    let seed = asked.seed + way as u64;
    let mixed = files(seed, Size { files: count, clocked: Some(500), huge: true });
    let (below, out) = (folder.join(format!("{way:?}")), folder.join("out"));
    write(&below, &mixed);
    let began = Instant::now();
    let mut child = batch(&asked.zug, &below, &out, way, &["--format", "jsonl"]);
    let mut sizes = Vec::new();
    let code = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        sizes.extend(resident(&child));
        std::thread::sleep(Duration::from_millis(20));
    };
    let took = began.elapsed();
    assert_eq!(code, Some(5), "files that raise errors are the gravest");
    let text = std::fs::read_to_string(&out).expect("results");
    let counts = judge(&mixed, &text, way);
    println!("{way:?}: {count} files in {:.1} s, all as due", took.as_secs_f64());
    println!("  {}", counts.join(", "));
    memory(&sizes, count);
    std::fs::remove_dir_all(&below).expect("it goes away");
    std::fs::remove_file(&out).expect("it goes away");
}

/// Holds every file against what is due; the outcomes and how many there are.
fn judge(mixed: &[Mixed], text: &str, way: Way) -> Vec<String> {
    let faults = faults(mixed, text, way);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let last = text.lines().last().expect("an end");
    let end: serde_json::Value = serde_json::from_str(last).expect("JSON");
    let outcomes = end["outcomes"].as_object().expect("outcomes");
    outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect()
}

/// The resident memory of a process in bytes.
fn resident(child: &Child) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Says how much memory there was in each tenth of the time, and that it did not grow.
fn memory(sizes: &[u64], count: usize) {
    if sizes.len() < 20 {
        println!("  memory: too short to tell");
        return;
    }
    let mib = |bytes: f64| bytes / f64::from(1 << 20);
    // Each file takes and gives back, so that a tenth is told by its median.
    let tenths: Vec<f64> = sizes
        .chunks(sizes.len().div_ceil(10))
        .map(|tenth| {
            let mut tenth = tenth.to_vec();
            tenth.sort_unstable();
            tenth[tenth.len() / 2] as f64
        })
        .collect();
    let shown: Vec<String> = tenths.iter().map(|&size| format!("{:.0}", mib(size))).collect();
    let peak = *sizes.iter().max().expect("some") as f64;
    println!("  resident MiB, by tenths of the time: {}; peak {:.0}", shown.join(" "), mib(peak));
    let mean = |tenths: &[f64]| tenths.iter().sum::<f64>() / tenths.len() as f64;
    let (middle, end) = (mean(&tenths[2..5]), mean(&tenths[tenths.len() - 3..]));
    println!(
        "  middle {:.0}, end {:.0}: {:+.1}%",
        mib(middle),
        mib(end),
        100.0 * (end / middle - 1.0)
    );
    if count < ENOUGH {
        return;
    }
    assert!(end < middle * GROWTH + f64::from(16 << 20), "memory grows");
}

/// Some files with one worker, with two, and killed.
fn some(asked: &Asked, folder: &Path) {
    let size = Size { files: asked.some, clocked: Some(250), huge: true };
    let mixed = files(asked.seed + 7, size);
    let below = folder.join("some");
    write(&below, &mixed);
    let way = Way::Ask;
    let timed = |workers: &str, out: &Path| {
        let began = Instant::now();
        let mut child = batch(&asked.zug, &below, out, way, &["-j", workers]);
        assert_eq!(child.wait().expect("it ends").code(), Some(5));
        (began.elapsed().as_secs_f64(), std::fs::read_to_string(out).expect("results"))
    };
    let (one, text) = timed("1", &folder.join("one"));
    judge(&mixed, &text, way);
    let (two, again) = timed("2", &folder.join("two"));
    assert!(text == again, "-j 1 and -j 2 differ");
    println!(
        "{} files: -j 1 {one:.1} s, -j 2 {two:.1} s: {:.2} times as fast, the same lines",
        asked.some,
        one / two
    );

    let out = folder.join("killed");
    let mut random = Random::new(asked.seed);
    let mut kills = 0;
    let mut done = Vec::new();
    loop {
        let before = kept(&out);
        let mut child = batch(&asked.zug, &below, &out, way, &["-j", "2", "--resume"]);
        if kills < KILLS {
            // Twenty lives, which together are as long as an undisturbed run.
            let life = two / KILLS as f64 * random.range(1, 200) as f64 / 100.0;
            std::thread::sleep(Duration::from_secs_f64(life));
            let _ = child.kill();
        }
        let status = child.wait().expect("it ends");
        let after = kept(&out);
        assert!(before.is_subset(&after), "something was lost");
        if status.code().is_none() {
            kills += 1;
            done.push(after.len());
            continue;
        }
        let found = std::fs::read_to_string(&out).expect("results");
        assert!(found == text, "the results differ from those of an undisturbed run");
        if kills >= KILLS {
            break;
        }
        std::fs::remove_file(&out).expect("it goes away");
    }
    println!("killed {kills} times, resumed: the same lines; files done at each kill: {done:?}");
}
