//! What the fuzz targets have in common.

pub mod formats;

use formats::format;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once};

/// Reads bytes as a fuzz target does: a panic that nobody catches ends the process.
pub fn run(name: &str, bytes: &[u8]) {
    static HOOK: Once = Once::new();
    static LAST: Mutex<String> = Mutex::new(String::new());
    HOOK.call_once(|| {
        // The usual one of a target ends the process at panics that are caught too, such as those
        // of the database over a damaged file.
        std::panic::set_hook(Box::new(|panic| {
            let trace = std::backtrace::Backtrace::force_capture();
            if let Ok(mut last) = LAST.lock() {
                *last = format!("{panic}\n{trace}");
            }
        }));
    });
    if catch_unwind(AssertUnwindSafe(|| format(name).check(bytes))).is_err() {
        eprintln!("{}", LAST.lock().map(|last| last.clone()).unwrap_or_default());
        std::process::abort();
    }
}
