//! Findings: those of `zug check`, of the right version, and what mends them.

use super::client::{Client, shipped, uri};
use crate::support::Folder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn server(folder: &Path) -> Client {
    Client::start(folder, &["utf-8"], Value::Null)
}

/// Severity, code, first line of the message and place of what `zug check` finds in a file.
fn checked(file: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["check", "--format", "json"])
        .arg(file.file_name().expect("a file"))
        .current_dir(file.parent().expect("in a folder"))
        .output()
        .expect("zug runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let findings = report["results"][0]["findings"].as_array().expect("findings").clone();
    let text = |finding: &Value| {
        let place = &finding["place"];
        let place = match place.is_null() {
            true => "0:0".to_owned(),
            false => {
                format!("{}:{}", place["line"].as_u64().expect("a line") - 1, place["span"][0])
            }
        };
        format!("{} {} {} {place}", finding["severity"], finding["code"], finding["message"])
    };
    findings.iter().map(text).collect()
}

/// The same of diagnostics; columns are offsets, for a text in ASCII.
fn shown(diagnostics: &Value, text: &str) -> Vec<String> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let one = |diagnostic: &Value| {
        let severity = match diagnostic["severity"].as_u64() {
            Some(1) => "error",
            Some(2) => "warning",
            _ => "note",
        };
        let start = &diagnostic["range"]["start"];
        let line = start["line"].as_u64().expect("a line") as usize;
        let offset = starts[line] + start["character"].as_u64().expect("a column") as usize;
        let message = diagnostic["message"].as_str().expect("a message");
        let message = message.split('\n').next().expect("a line");
        format!(
            "{:?} {} {:?} {line}:{}",
            severity,
            diagnostic["code"],
            message,
            if diagnostic["range"]["end"] == json!({ "line": 0, "character": 0 }) {
                0
            } else {
                offset
            },
        )
    };
    diagnostics.as_array().expect("a list").iter().map(one).collect()
}

const BROKEN: &[(&str, &str)] = &[
    ("syntax.pl", "a(X :- b.\nb(1\nc(2).\nd :- mmember(x, [y]).\n"),
    (
        "names.pl",
        "start(s).\nrule(a, 1, S, T) :- next(S, T), Unused = 1.\nnext(s, t).\nfinal_sate(t).\n",
    ),
    ("directive.pl", ":- foo.\n:- X is a + 1.\np(1).\nq(2).\np(3).\n"),
    ("open.pl", "p('abc.\nq(1).\n"),
    ("loop.pl", ":- initialization(loop).\nloop :- loop.\n"),
    ("empty.pl", ""),
    ("unused.pl", "initial_state(a).\nfinal_state(b).\nrule(m, 1, a, B) :- member(C, [b]).\n"),
];

#[test]
fn findings_are_those_of_zug_check() {
    let folder = Folder::new("same");
    let mut files: Vec<PathBuf> =
        ["wolf.pl", "tictactoe.pl", "send_more.pl", "pig.pl"].map(shipped).into();
    for (name, text) in BROKEN {
        folder.write(name, text);
        files.push(folder.join(name));
    }
    let mut client = server(&folder);
    for file in files.iter().filter(|file| !file.ends_with("loop.pl")) {
        let text = std::fs::read_to_string(file).expect("read");
        let address = uri(file);
        client.open(&address, &text);
        let [_, findings] = client.findings(&address, 1);
        assert_eq!(shown(&findings, &text), checked(file), "{}", file.display());
    }
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn findings_are_never_of_an_older_text() {
    let folder = Folder::new("versions");
    let file = uri(&folder.join("v.pl"));
    let mut client = server(&folder);
    client.open(&file, "p(X).\n");
    for version in 2..30 {
        let text = format!("p({version}, X).\nq(Y{version}).\n");
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": file, "version": version },
                    "contentChanges": [{ "text": text }] }),
        );
        if version % 7 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    }
    let [_, last] = client.findings(&file, 29);
    let messages: Vec<_> =
        last.as_array().expect("a list").iter().map(|d| d["message"].clone()).collect();
    assert!(
        messages.iter().any(|message| message.as_str().is_some_and(|m| m.contains("`Y29`"))),
        "{messages:?}"
    );
    let mut before = 0;
    for message in client.so_far() {
        if message["method"] == "textDocument/publishDiagnostics" {
            let version = message["params"]["version"].as_i64().expect("a version");
            assert!(version >= before, "{version} after {before}");
            before = version;
        }
    }
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": file } }));
    let gone = client.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"].get("version").is_none_or(Value::is_null)
    });
    assert_eq!(gone["params"]["diagnostics"], json!([]));
    assert_eq!(client.shut_down().code(), Some(0));
}

/// The messages of findings of a text, as soon as they are about some words, or are not any more.
fn wait_for(client: &mut Client, file: &str, words: &str, there: bool) {
    client.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == file
            && !message["params"]["version"].is_null()
            && message["params"]["diagnostics"].to_string().contains(words) == there
    });
    client.forget();
}

#[test]
fn texts_that_are_loaded_are_those_of_the_editor() {
    let folder = Folder::new("unsaved");
    folder.write("base.pl", "p(1).\n");
    let [user, base, new] = ["user.pl", "base.pl", "new.pl"].map(|name| uri(&folder.join(name)));
    let mut client = server(&folder);
    client.open(&user, ":- consult(base).\n:- consult(new).\nq :- p(1), mmember(2).\n");
    wait_for(&mut client, &user, "mmember/1", true);
    wait_for(&mut client, &user, "mmember/1", true);
    // What is not saved defines it.
    client.open(&base, "p(1).\n");
    wait_for(&mut client, &user, "mmember/1", true);
    let change = |client: &mut Client, version: i64, text: &str| {
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": base, "version": version }, "contentChanges": [{ "text": text }] }),
        );
    };
    change(&mut client, 2, "p(1).\nmmember(2).\n");
    wait_for(&mut client, &user, "mmember/1", false);
    change(&mut client, 3, "p(1).\n");
    wait_for(&mut client, &user, "mmember/1", true);
    // So does a text that is no file yet.
    client.open(&new, "mmember(2).\n");
    wait_for(&mut client, &user, "mmember/1", false);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": new } }));
    wait_for(&mut client, &user, "mmember/1", true);
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn rules_that_never_end_hold_nothing_up() {
    let folder = Folder::new("endless");
    let file = uri(&folder.join("loop.pl"));
    let mut client = server(&folder);
    client.open(&file, BROKEN[4].1);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let at = json!({ "textDocument": { "uri": file }, "position": { "line": 1, "character": 1 } });
    assert!(client.request("textDocument/hover", at).expect("answered").is_object());
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": file, "version": 2 }, "contentChanges": [{ "text": "p(X).\n" }] }),
    );
    let [first, _] = client.findings(&file, 2);
    assert_eq!(first[0]["code"], "W0401");
    assert_eq!(client.shut_down().code(), Some(0));
}

/// Makes the changes of an action; columns are bytes.
fn mended(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| {
        let number = |name: &str| place[name].as_u64().expect("a number") as usize;
        starts[number("line")] + number("character")
    };
    let mut edits = edits.as_array().expect("edits").clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text
}

/// Each finding that can be mended is gone when its action was followed.
#[test]
fn actions_mend_what_they_say() {
    let folder = Folder::new("actions");
    let mut client = server(&folder);
    let texts = [
        "p(X).\n",
        "a(1)\nb(2).\n",
        "p :- mmember(x, [y]).\n",
        "initial_state(a).\nfinal_sate(b).\nrule(m, 1, a, b).\n",
        "p(Start) :- q(Strat).\nq(1).\n",
        "p(_X) :- q(_X).\nq(1).\n",
        "initial_state(a).\nfinal_state(b).\nrule(m, 1, a, b) :- call(wal(1)).\nwall(1).\n",
        "p :- X == 1; true, q(X.\nq(1).\n",
    ];
    let mut count = 0;
    for (number, text) in texts.iter().enumerate() {
        let file = uri(&folder.join(format!("f{number}.pl")));
        client.open(&file, text);
        let [_, findings] = client.findings(&file, 1);
        for finding in findings.as_array().expect("a list") {
            let actions = client
                .request(
                    "textDocument/codeAction",
                    json!({ "textDocument": { "uri": file }, "range": finding["range"],
                            "context": { "diagnostics": [finding], "only": ["quickfix"] } }),
                )
                .expect("answered");
            for action in actions.as_array().expect("a list") {
                let about = &action["diagnostics"][0];
                if about != finding {
                    continue;
                }
                count += 1;
                let text = mended(text, &action["edit"]["changes"][&file]);
                let other = uri(&folder.join(format!("m{number}-{count}.pl")));
                client.open(&other, &text);
                let [_, left] = client.findings(&other, 1);
                let same = |other: &Value| {
                    other["code"] == finding["code"] && other["message"] == finding["message"]
                };
                assert!(!left.as_array().expect("a list").iter().any(same), "{text}\n{finding}");
            }
        }
    }
    assert!(count >= 5, "{count}");
    assert_eq!(client.shut_down().code(), Some(0));
}
