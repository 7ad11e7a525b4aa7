//! Pages of `zug tree`, opened in a browser: clicked, stepped through and measured there.
//!
//! Needs Chromium, so that these tests are left out, and said to be, but by
//! `cargo test --test all tree_page -- --ignored`; `ZUG_CHROMIUM` may name the browser.
#![cfg(unix)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is run in the page.
const VISIT: &str = include_str!("tree_page/visit.js");

/// The browser, if there is one.
fn browser() -> Option<String> {
    if let Ok(named) = std::env::var("ZUG_CHROMIUM") {
        return Some(named);
    }
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let there = |name: &str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    names.into_iter().find(|name| there(name)).map(str::to_owned)
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree_page");
    std::fs::create_dir_all(&folder).expect("a folder for pages");
    folder
}

/// Writes the page of a tree, opens it, and returns what the visitor saw.
fn visit(name: &str, arguments: &[&str]) -> Value {
    let browser = browser().expect("a browser is installed");
    let page = folder().join(format!("{name}.html"));
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    zug.arg("tree").args(arguments).arg("--force").arg("-o").arg(&page);
    let output = zug.output().expect("zug starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&page).expect("the page");
    let visited = text.replace("</body>", &format!("<script>\n{VISIT}</script>\n</body>"));
    assert_ne!(visited, text, "the visitor is in the page");
    let copy = folder().join(format!("{name}.visited.html"));
    std::fs::write(&copy, visited).expect("a copy of the page");
    let profile = folder().join(format!("{name}.profile"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--virtual-time-budget=10000", "--window-size=1400,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", copy.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout);
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("the visitor came to no end: {dom}"));
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let seen: Value = serde_json::from_str(&seen).expect("what was seen");
    assert_eq!(seen["error"], Value::Null, "{seen:#}");
    seen
}

/// What holds of every page.
fn sound(seen: &Value) {
    // It opens on the root, at a size one can read, before the first step, and what is unfolded
    // is in the window.
    assert_eq!(seen["rootInside"], true, "{seen:#}");
    assert!(seen["type"].as_f64().is_some_and(|size| size >= 12.0), "{seen:#}");
    assert_eq!(seen["count"], format!("0 / {}", seen["steps"]), "{seen:#}");
    assert_eq!(seen["overlaps"], 0, "{seen:#}");
    assert_eq!(seen["spilled"], Value::Array(Vec::new()), "{seen:#}");
    assert_eq!(seen["unlabelled"], 0);
    assert_eq!(seen["foundShown"], true, "{seen:#}");
    assert_eq!(seen["selected"], serde_json::json!(["0"]));
    assert_eq!(seen["first"][1], 1, "only the root is there at the beginning: {seen:#}");
    assert!(seen["next"][1].as_u64() >= seen["first"][1].as_u64());
    assert_eq!(seen["current"], serde_json::json!(["0"]));
    assert_eq!(seen["p"], seen["next"]);
    assert_eq!(seen["slid"][0], format!("{0} / {0}", seen["steps"]));
    assert_eq!(seen["again"], seen["opened"], "the whole tree as it opened: {seen:#}");
    assert_eq!(seen["up"], "0");
    assert_eq!(seen["left"], seen["down"]);
    assert_ne!(seen["right"], seen["down"]);
    for what in ["closer", "fit", "wheel"] {
        assert_eq!(seen[what], true, "{what}: {seen:#}");
    }
}

/// What holds where subtrees can be folded.
fn folds(seen: &Value) {
    // Where the root has more children than a window has room for, they begin in it.
    if seen["inside"] == seen["opened"]["nodes"] {
        assert_eq!(seen["opened"]["whole"], seen["nodes"], "marks count what is folded: {seen:#}");
        assert_eq!(seen["foldAll"]["whole"], seen["nodes"], "{seen:#}");
    }
    assert!(seen["inside"].as_u64() >= Some(4), "{seen:#}");
    assert_eq!(seen["folded"], serde_json::json!([1, "false"]));
    assert_eq!(seen["unfolded"], "true");
    assert_eq!(seen["turned"], 0, "{seen:#}");
    assert_eq!(seen["all"], true, "{seen:#}");
    if seen["marked"] != 0 {
        assert_eq!(seen["clickUnfolds"], true, "{seen:#}");
        assert_eq!(seen["stays"], true, "what is clicked stays where it is: {seen:#}");
        assert_eq!(seen["unfoldedOverlaps"], 0, "{seen:#}");
        assert_eq!(seen["foldsAgain"], serde_json::json!(["false", true]), "{seen:#}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_search_of_astar_is_stepped_through() {
    let arguments = ["rules/taquin.pl", "astar(P, C)", "--instance", "five"];
    let seen = visit("astar", &arguments);
    sound(&seen);
    folds(&seen);
    // Five expansions and a goal; the start has three successors.
    assert_eq!(seen["steps"], 6);
    assert_eq!(seen["pathSaid"], "Path found: 5 moves");
    assert_eq!(seen["next"], serde_json::json!(["1 / 6", 4]));
    let clicked = seen["clicked"].as_str().expect("details");
    assert!(clicked.contains("[[b,h,c],[a,f,d],[g,vide,e]]"), "{clicked}");
    assert!(clicked.contains("f5 = 0+5"), "{clicked}");
    let said = seen["said"].as_str().expect("what is said");
    assert!(said.starts_with("1: ") && said.contains("3 successors"), "{said}");
    assert_eq!(seen["there"].as_array().map(Vec::len), Some(1));
}

#[test]
#[ignore = "needs Chromium"]
fn trees_of_games_are_folded_and_walked() {
    let seen = visit("nim", &["rules/nim.pl", "--state", "6"]);
    sound(&seen);
    folds(&seen);
    assert_eq!(seen["nodes"], 52);
    assert_eq!(seen["slid"][1], 52);
    assert_eq!(seen["inside"], seen["opened"]["nodes"], "{seen:#}");
    assert!(seen["opened"]["nodes"].as_u64() > Some(20), "{seen:#}");
}

#[test]
#[ignore = "needs Chromium"]
fn ellipses_lead_to_where_the_state_is_drawn() {
    let seen = visit("truncated", &["rules/nim.pl", "--truncate"]);
    sound(&seen);
    folds(&seen);
    assert!(seen["elsewhere"].as_str().is_some_and(|text| text.starts_with("drawn at node")));
}

#[test]
#[ignore = "needs Chromium"]
fn graphs_are_walked_too() {
    let arguments = ["rules/tictactoe.pl", "--depth", "2", "--graph", "--symmetry"];
    let seen = visit("graph", &arguments);
    sound(&seen);
    assert_eq!(seen["opened"]["nodes"], seen["nodes"]);
    // One empty board, three first moves, twelve boards after two.
    assert_eq!(seen["nodes"], 16);
}

#[test]
#[ignore = "needs Chromium"]
fn windows_and_cuts() {
    let arguments = ["rules/tictactoe.pl", "alphabeta(x, S, 0, 2)"];
    let seen = visit("alphabeta", &arguments);
    sound(&seen);
    folds(&seen);
}

#[test]
#[ignore = "needs Chromium"]
fn large_trees_open_as_small_ones_do() {
    let arguments = ["rules/taquin.pl", "--max-nodes", "10000"];
    let seen = visit("large", &arguments);
    sound(&seen);
    folds(&seen);
    assert!(seen["nodes"].as_u64() > Some(5000), "{seen:#}");
    assert!(seen["opened"]["nodes"].as_u64() > Some(10), "{seen:#}");
    // Of what is unfolded only what is seen is in the document; from afar it is a few shapes.
    assert!(seen["elements"].as_u64() < Some(1000), "{seen:#}");
}
