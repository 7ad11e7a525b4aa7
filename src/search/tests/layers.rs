//! A space in files is the space in memory.

use crate::{
    Digraph, Limits, Observer, OnDiskError, Reachable, StopReason, Team, enumerate,
    enumerate_on_disk,
};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use zug_sorted::{DiskError, Folder, LayersOf};

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("zug-layers-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn of(start: &str) -> LayersOf {
    LayersOf { rules: "r".to_owned(), name: "graph".to_owned(), start: start.to_owned() }
}

fn on_disk(
    graph: &mut Digraph,
    folder: &Path,
    limits: &Limits,
) -> Result<Reachable<u32>, OnDiskError> {
    let mut folder = Folder::open(folder, of("0"))?;
    let none: Option<&mut Observer<'_>> = None;
    enumerate_on_disk(graph, &0, &mut folder, &mut |_| vec![1, 2, 3], limits, none)
}

/// A graph of states that lead on, and sometimes back.
fn graph(edges: &[(u32, u32)]) -> Digraph {
    Digraph::new(&edges.iter().map(|&(from, to)| (from, to, 1)).collect::<Vec<_>>(), &[])
}

fn same(found: &Reachable<u32>, known: &Reachable<u32>) -> Result<(), TestCaseError> {
    prop_assert_eq!((&found.by_depth, found.terminal), (&known.by_depth, known.terminal));
    prop_assert_eq!(found.stopped, known.stopped);
    prop_assert_eq!(found.stats.expanded, known.stats.expanded);
    prop_assert_eq!(found.stats.generated, known.stats.generated);
    prop_assert_eq!(found.stats.max_depth, known.stats.max_depth);
    let sorted = |space: &Reachable<u32>| {
        let mut deepest = space.deepest.clone();
        deepest.sort_unstable();
        deepest
    };
    prop_assert_eq!(sorted(found), sorted(known));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn layers_in_files_are_those_in_memory(
        edges in prop::collection::vec((0u32..60, 0u32..60), 1..200),
        nodes in 1u64..40,
    ) {
        let mut graph = graph(&edges);
        let known = enumerate(&mut Team::of(&mut graph), &0, &Limits::none(), None).unwrap();
        let folder = Scratch::new();
        let whole = on_disk(&mut graph, &folder.path().join("a"), &Limits::none()).unwrap();
        same(&whole, &known)?;
        // A few states at a time.
        let limits = Limits { nodes: Some(nodes), ..Limits::none() };
        let path = folder.path().join("b");
        let mut calls = 0;
        let found = loop {
            let found = on_disk(&mut graph, &path, &limits).unwrap();
            calls += 1;
            if found.stopped.is_none() {
                break found;
            }
            prop_assert_eq!(found.stopped, Some(StopReason::Nodes));
            prop_assert_eq!(found.stats.expanded, calls * nodes);
            prop_assert!(known.by_depth.starts_with(&found.by_depth));
        };
        prop_assert_eq!(calls, (known.stats.expanded - 1) / nodes + 1);
        same(&found, &known)?;
        // What is done is not done again.
        same(&on_disk(&mut graph, &path, &limits).unwrap(), &known)?;
    }
}

/// A grid of states, each with a move to the right and one down, and back.
fn grid(side: u32) -> Digraph {
    let at = |x: u32, y: u32| x * side + y;
    let mut edges = Vec::new();
    for x in 0..side {
        for y in 0..side {
            if x + 1 < side {
                edges.extend([(at(x, y), at(x + 1, y)), (at(x + 1, y), at(x, y))]);
            }
            if y + 1 < side {
                edges.extend([(at(x, y), at(x, y + 1)), (at(x, y + 1), at(x, y))]);
            }
        }
    }
    graph(&edges)
}

#[test]
fn many_runs_with_little_memory() {
    let mut grid = grid(150);
    let known = enumerate(&mut Team::of(&mut grid), &0, &Limits::none(), None).unwrap();
    let folder = Scratch::new();
    let limits = Limits { memory: Some(4 << 20), ..Limits::none() };
    let found = on_disk(&mut grid, folder.path(), &limits).unwrap();
    same(&Reachable { deepest: known.deepest.clone(), ..found.clone() }, &known).unwrap();
    assert_eq!(found.by_depth.iter().sum::<u64>(), 22_500);
    assert!(found.on_disk.is_some_and(|bytes| bytes < 200_000));
    let limits = Limits { depth: Some(7), ..Limits::none() };
    let other = Scratch::new();
    let found = on_disk(&mut grid, other.path(), &limits).unwrap();
    assert_eq!((found.stopped, found.by_depth.len()), (Some(StopReason::Depth), 8));
}

#[test]
fn other_layers_are_refused() {
    let folder = Scratch::new();
    let path = folder.path().join("layers");
    let limits = Limits { nodes: Some(50), ..Limits::none() };
    on_disk(&mut grid(20), &path, &limits).unwrap();
    let error = Folder::open(&path, of("1")).unwrap_err();
    assert!(matches!(error, DiskError::Other { .. }), "{error}");
    assert!(error.to_string().contains("has layers of the start 0 in it, and not of 1"), "{error}");
    let error = Folder::open(&path, LayersOf { rules: "s".to_owned(), ..of("0") }).unwrap_err();
    assert!(error.to_string().contains("has layers of other rules (`graph`) in it"), "{error}");
    let held = Folder::open(&path, of("0")).unwrap();
    assert!(matches!(Folder::open(&path, of("0")), Err(DiskError::Busy(_))));
    drop(held);
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let error = Folder::open(folder.path(), of("0")).unwrap_err();
    assert!(matches!(error, DiskError::Foreign(_)), "{error}");
}

#[test]
fn damage_is_told_and_rests_of_a_step_are_removed() {
    let folder = Scratch::new();
    let limits = Limits { nodes: Some(100), ..Limits::none() };
    let mut grid = grid(20);
    on_disk(&mut grid, folder.path(), &limits).unwrap();
    // As a process leaves it that was killed within a step.
    fs::write(folder.path().join("000999.states"), "half").unwrap();
    fs::write(folder.path().join("layers.new"), "half").unwrap();
    drop(Folder::open(folder.path(), of("0")).unwrap());
    assert!(!folder.path().join("000999.states").exists());
    assert!(!folder.path().join("layers.new").exists());
    let files = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|ending| ending == "states"))
    };
    let all: Vec<_> = files().map(|path| (fs::read(&path).unwrap(), path)).collect();
    let list = folder.path().join("layers.list");
    let text = fs::read_to_string(&list).unwrap();
    let restore = || {
        all.iter().for_each(|(bytes, path)| fs::write(path, bytes).unwrap());
        fs::write(&list, &text).unwrap();
    };
    let end = |grid: &mut Digraph| match on_disk(grid, folder.path(), &Limits::none()) {
        Err(OnDiskError::Disk(error @ DiskError::Damaged(..))) => error.to_string(),
        Err(OnDiskError::Disk(error @ DiskError::Io(..))) => error.to_string(),
        other => panic!("{:?}", other.map(|space| space.by_depth)),
    };
    for (bytes, path) in &all {
        for cut in [0, 5, bytes.len() / 2, bytes.len() - 1] {
            fs::write(path, &bytes[..cut]).unwrap();
            assert!(end(&mut grid).contains("is damaged"));
            restore();
        }
        for at in [0, 9, bytes.len() / 2, bytes.len() - 3] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            fs::write(path, bytes).unwrap();
            assert!(end(&mut grid).contains("is damaged"));
            restore();
        }
        fs::remove_file(path).unwrap();
        assert!(end(&mut grid).contains("can't read"));
        restore();
    }
    for (from, to) in [("expanded", "expandet"), ("layer ", "layer 9"), ("zug layers 1", "zug")] {
        fs::write(&list, text.replacen(from, to, 1)).unwrap();
        assert!(end(&mut grid).contains("is damaged"), "{from}");
    }
    fs::write(&list, text.replacen("zug layers 1", "zug layers 9", 1)).unwrap();
    let error = Folder::open(folder.path(), of("0")).unwrap_err();
    assert!(matches!(error, DiskError::Format { .. }), "{error}");
    restore();
    let known = enumerate(&mut Team::of(&mut grid), &0, &Limits::none(), None).unwrap();
    same(&on_disk(&mut grid, folder.path(), &Limits::none()).unwrap(), &known).unwrap();
}
