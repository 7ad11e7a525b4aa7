//! What is known of a panic: kept for whoever catches it, in the same thread.

use std::cell::RefCell;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has panics be kept and not be shown.
pub fn watch() {
    std::panic::set_hook(Box::new(|info| {
        let words = info.to_string();
        // A panic while a thread ends has nobody to catch it.
        let _ = LAST.try_with(|last| *last.borrow_mut() = words);
    }));
}

/// Takes what is known of the last panic of this thread: where it was, and why.
pub fn last() -> String {
    LAST.with(|last| std::mem::take(&mut *last.borrow_mut()))
}
