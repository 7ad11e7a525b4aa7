//! Long editing: what the server has is the text, and its findings are those of the text.

use super::client::{Client, shipped, uri};
use super::requests::ask_everything;
use crate::support::Folder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Numbers at random, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// What is typed.
const PIECES: &[&str] = &[
    "",
    "",
    "x",
    "X",
    "(",
    ")",
    ".",
    ",",
    "\n",
    "'",
    "foo(X)",
    "% c\n",
    "𝄞",
    "é",
    " :- ",
    "[1,2|T]",
    "p(X) :- q(X), \\+ r.\n",
    "/*",
    "*/",
    "\r\n",
    "0'",
    "\"",
];

/// A place as the protocol counts, in words of 16 bits.
fn position(text: &str, offset: usize) -> Value {
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let character: usize = text[start..offset].chars().map(char::len_utf16).sum();
    json!({ "line": text[..offset].matches('\n').count(), "character": character })
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    // Ends of lines of two characters are not parted.
    while !text.is_char_boundary(at) || text[at..].starts_with('\n') && text[..at].ends_with('\r') {
        at -= 1;
    }
    at
}

/// Changes a text in a few places, and tells the server.
fn type_at_random(
    client: &mut Client,
    file: &str,
    text: &mut String,
    version: i64,
    random: &mut Random,
) {
    let mut changes = Vec::new();
    for _ in 0..=random.below(3) {
        let (one, other) = (boundary(text, random), boundary(text, random));
        // Few characters go at a time.
        let end = if one < other && other - one < 40 { other } else { one };
        let piece = PIECES[random.below(PIECES.len())];
        changes.push(json!({
            "range": { "start": position(text, one), "end": position(text, end) },
            "text": piece,
        }));
        text.replace_range(one..end, piece);
    }
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": file, "version": version }, "contentChanges": changes }),
    );
}

#[test]
fn after_random_edits_all_is_as_in_a_fresh_text() {
    let folder = Folder::new("random");
    let mut client = Client::start(&folder, &["utf-16"], Value::Null);
    for (number, name) in ["wolf.pl", "hanoi.pl", "nim.pl"].iter().enumerate() {
        let mut random = Random(number as u64 + 7);
        let mut text = std::fs::read_to_string(shipped(name)).expect("read");
        let file = uri(&folder.join(format!("edited{number}.pl")));
        client.open(&file, &text);
        let mut version = 1;
        for _ in 0..30 {
            version += 1;
            type_at_random(&mut client, &file, &mut text, version, &mut random);
        }
        let fresh = uri(&folder.join(format!("fresh{number}.pl")));
        client.open(&fresh, &text);
        let edited = client.findings(&file, version);
        let opened = client.findings(&fresh, 1);
        let same = |findings: &Value, address: &str| findings.to_string().replace(address, "");
        assert_eq!(same(&edited[0], &file), same(&opened[0], &fresh), "{name}");
        assert_eq!(same(&edited[1], &file), same(&opened[1], &fresh), "{name}");
        for method in [
            "textDocument/semanticTokens/full",
            "textDocument/documentSymbol",
            "textDocument/foldingRange",
            "textDocument/formatting",
        ] {
            let mut ask = |address: &str| {
                let options = json!({ "tabSize": 4, "insertSpaces": true });
                let params = json!({ "textDocument": { "uri": address }, "options": options });
                client.request(method, params).expect("answered")
            };
            assert_eq!(ask(&file), ask(&fresh), "{method} of {name}");
        }
    }
    assert_eq!(client.shut_down().code(), Some(0));
}

/// KiB of memory that a process has.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("read");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_flat_under_long_editing() {
    let folder = Folder::new("memory");
    let mut client = Client::start(&folder, &["utf-8"], Value::Null);
    let text = std::fs::read_to_string(shipped("checkers.pl")).expect("read");
    let file = uri(&folder.join("long.pl"));
    client.open(&file, &text);
    let mut version = 1;
    let mut edit = |client: &mut Client, count: usize| {
        for _ in 0..count {
            version += 1;
            let start = json!({ "line": 0, "character": 0 });
            let end = json!({ "line": 0, "character": version % 2 });
            let piece = if version % 2 == 0 { "%" } else { "" };
            client.notify(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": file, "version": version },
                        "contentChanges": [{ "range": { "start": start, "end": end }, "text": piece }] }),
            );
            let params = json!({ "textDocument": { "uri": file } });
            client.request("textDocument/semanticTokens/full", params).expect("answered");
        }
    };
    edit(&mut client, 60);
    let before = resident(client.id());
    edit(&mut client, 300);
    let after = resident(client.id());
    assert!(after < before + 16 * 1024, "{before} KiB, then {after} KiB");
    assert_eq!(client.shut_down().code(), Some(0));
}

/// A number that is given from outside, for longer runs by hand.
fn asked_for(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Types at random, for `ZUG_EDITING_SECONDS` if that is given, into texts that are put back now and then.
#[test]
#[cfg(target_os = "linux")]
fn random_edits_leave_memory_flat() {
    let seconds = asked_for("ZUG_EDITING_SECONDS");
    let length = Duration::from_secs(seconds.unwrap_or(4));
    let folder = Folder::new("hours");
    let mut client = Client::start(&folder, &["utf-16"], Value::Null);
    let mut random = Random(99);
    let mut files: Vec<(String, String, String)> = Vec::new();
    for name in ["wolf.pl", "checkers.pl", "send_more.pl", "goofspiel.pl"] {
        let text = std::fs::read_to_string(shipped(name)).expect("read");
        let file = uri(&folder.join(name));
        client.open(&file, &text);
        files.push((file, text.clone(), text));
    }
    let (began, mut version, mut warm) = (Instant::now(), 1, None);
    let mut next = Duration::ZERO;
    while began.elapsed() < length {
        version += 1;
        let at = random.below(files.len());
        let (file, text, first) = &mut files[at];
        if version % 200 == at as i64 {
            text.clone_from(first);
            let whole = json!({ "textDocument": { "uri": file, "version": version }, "contentChanges": [{ "text": text }] });
            client.notify("textDocument/didChange", whole);
        } else {
            type_at_random(&mut client, file, text, version, &mut random);
        }
        let line = random.below(text.lines().count().max(1));
        ask_everything(&mut client, file, line, random.below(30));
        client.forget();
        if began.elapsed() >= next {
            next += (length / 10).max(Duration::from_secs(1));
            let held = resident(client.id());
            if began.elapsed() >= length / 4 {
                let before = *warm.get_or_insert(held);
                assert!(held < before + 24 * 1024, "{before} KiB, then {held} KiB");
            }
        }
    }
    assert!(version > 5, "{version} changes");
    assert_eq!(client.shut_down().code(), Some(0));
}

/// The rule files of a folder and those below it.
fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rule_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pl") {
            found.push(path);
        }
    }
}

/// All requests on rule files of the project, whole, cut off, and with bytes taken out: of every 24th file, of
/// all of them with `ZUG_EDITING_FILES=1`.
#[test]
fn damaged_files_are_answered_about() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for part in ["rules", "tests"] {
        rule_files(&root.join(part), &mut files);
    }
    let step = asked_for("ZUG_EDITING_FILES").unwrap_or(24) as usize;
    let folder = Folder::new("damaged");
    let mut client = Client::start(&folder, &["utf-16"], Value::Null);
    let mut random = Random(4);
    for (number, path) in files.iter().enumerate().step_by(step) {
        let bytes = std::fs::read(path).expect("read");
        let mut holes = bytes.clone();
        for _ in 0..5 {
            let at = random.below(holes.len());
            let end = (at + 1 + random.below(6)).min(holes.len());
            drop(holes.drain(at.min(end)..end));
        }
        let cut = bytes[..random.below(bytes.len() + 1)].to_vec();
        for (kind, bytes) in [bytes, cut, holes].iter().enumerate() {
            let text = String::from_utf8_lossy(bytes);
            let file = uri(&folder.join(format!("f{number}_{kind}.pl")));
            client.open(&file, &text);
            for _ in 0..3 {
                let line = random.below(text.lines().count().max(1));
                ask_everything(&mut client, &file, line, random.below(40));
            }
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": file } }));
            client.forget();
        }
    }
    assert_eq!(client.shut_down().code(), Some(0));
}
