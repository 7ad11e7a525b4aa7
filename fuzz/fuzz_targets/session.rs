//! Any program loads, and its first line runs as a query, within small limits: answers,
//! exceptions and stops are all well, a panic is not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};
use zug::session::Session;

/// Calls a query may make.
const INFERENCES: u64 = 100_000;
/// Bytes that heap and stacks may take.
const MEMORY: usize = 64 << 20;
/// Answers asked for.
const ANSWERS: usize = 20;

/// Predicates that reach out of the process.
const OUTSIDE: &[&str] = &[
    "shell", "open", "tell", "append", "delete", "rename", "make", "tmp", "directory", "chdir",
];

fuzz_target!(|text: &str| {
    if OUTSIDE.iter().any(|name| text.contains(name)) {
        return;
    }
    let (mut session, _output) = Session::captured("a. b.\n");
    session.machine.memory_limit = MEMORY;
    session.machine.inference_limit = session.machine.inferences() + INFERENCES;
    session.machine.deadline = Some(Instant::now() + Duration::from_secs(2));
    session.load_text("fuzz", text);
    let Ok(mut query) = session.query(text.lines().next().unwrap_or_default()) else { return };
    for _ in 0..ANSWERS {
        match session.next(&mut query) {
            Ok(true) => {
                let _ = session.answer(&query).to_string();
            }
            Ok(false) => break,
            Err(fault) => {
                let _ = session.describe(&fault);
                break;
            }
        }
    }
    session.close(query);
});
