//! `zug enumerate --disk`, through the command line: what a kill leaves, refusals.

use crate::support::{Folder, zug};
use std::process::{Output, Stdio};
use std::time::Duration;

fn result(output: &Output) -> serde_json::Value {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut results = report["results"].as_array().expect("results").clone();
    assert_eq!(results.len(), 1, "{report}");
    results.remove(0)
}

#[test]
fn a_kill_loses_no_more_than_a_step() {
    let folder = Folder::new("kill");
    let disk = folder.text("layers");
    let known =
        result(&zug(&["enumerate", "rules/klotski.pl", "--format", "json"]).output().expect("zug"));
    assert_eq!(known["outcome"], "complete", "{known}");
    let on_disk = ["enumerate", "rules/klotski.pl", "--format", "json", "--disk", &disk];
    // Killed sooner or later, wherever it is then.
    for milliseconds in [5, 20, 40, 60, 80, 120] {
        let mut child = zug(&on_disk).stdout(Stdio::null()).spawn().expect("zug starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    // By the limit, a few states at a time.
    for _ in 0..3 {
        let stopped = zug(&[&on_disk[..], &["--nodes", "4000"]].concat()).output().expect("zug");
        assert!(stopped.status.code().is_some());
    }
    let found = result(&zug(&on_disk).output().expect("zug"));
    for field in ["outcome", "states", "by_depth", "terminal"] {
        assert_eq!(found[field], known[field], "{field}");
    }
    assert_eq!(found["kept"], "in_files");
    assert!(found["file_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{found}");
}

/// What a folder has is counted, and said to be more than was asked for.
#[test]
fn layers_beyond_a_depth_are_told() {
    let folder = Folder::new("depth");
    let disk = folder.text("layers");
    let on_disk = ["enumerate", "rules/wolf.pl", "--disk", &disk, "--format", "json"];
    let stopped = result(&zug(&[&on_disk[..], &["--depth", "3"]].concat()).output().expect("zug"));
    assert_eq!(
        (&stopped["outcome"], &stopped["beyond_depth"]),
        (&"stopped".into(), &serde_json::Value::Null)
    );
    assert_eq!(stopped["by_depth"].as_array().map(Vec::len), Some(4));
    let whole = result(&zug(&on_disk).output().expect("zug"));
    let again = result(&zug(&[&on_disk[..], &["--depth", "3"]].concat()).output().expect("zug"));
    for field in ["outcome", "states", "by_depth"] {
        assert_eq!(again[field], whole[field], "{field}");
    }
    assert_eq!(
        (&whole["beyond_depth"], &again["beyond_depth"]),
        (&serde_json::Value::Null, &true.into())
    );
    let text = zug(&["enumerate", "rules/wolf.pl", "--disk", &disk, "--depth", "3"]).output();
    let text = String::from_utf8_lossy(&text.expect("zug").stdout).into_owned();
    assert!(text.contains("deeper layers already than the depth asked for"), "{text}");
}

#[test]
fn what_is_of_something_else_is_refused() {
    let folder = Folder::new("other");
    let disk = folder.text("layers");
    let ended = zug(&["enumerate", "rules/wolf.pl", "--disk", &disk]).output().expect("zug");
    assert_eq!(ended.status.code(), Some(0));
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(said.contains("states kept in files of"), "{said}");
    let refused = |arguments: &[&str], why: &str| {
        let ended = zug(arguments).output().expect("zug");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused(
        &["enumerate", "rules/jugs.pl", "--disk", &disk],
        "has layers of other rules (`wolf.pl`) in it",
    );
    refused(
        &["enumerate", "rules/wolf.pl", "--disk", "rules"],
        "has files in it and is no folder of layers",
    );
    let list = folder.join("layers/layers.list");
    let text = std::fs::read_to_string(&list).expect("the list");
    std::fs::write(&list, &text[..text.len() / 2]).expect("it can be written");
    refused(&["enumerate", "rules/wolf.pl", "--disk", &disk], "is damaged");
}
