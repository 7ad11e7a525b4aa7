//! Progress events of all searches of a thread, and their listener.
//!
//! A search that rules start, within a query, has no caller who could pass it an
//! [`Observer`](super::Observer); the edge that runs the query sets a listener once. A search with
//! an observer of its own notifies that one instead. Each thread has a listener of its own: the
//! workers of a batch have none.

use super::game::GameProgress;
use super::limits::Progress;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The progress of the innermost search.
#[derive(Clone, Copy, Debug)]
pub enum ProgressEvent<'a> {
    /// A search for a path.
    Path(&'a Progress),
    /// A search of a game.
    Game(&'a GameProgress),
    /// Progress of counted work.
    Counted(CountedWork),
    /// The search is over.
    Over,
}

/// Work whose steps are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedWork {
    /// The unit, in the singular.
    pub what: &'static str,
    /// Units done.
    pub done: u64,
    /// Units in all, if that is known.
    pub of: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What is notified, at most ten times a second.
pub type Listener = Box<dyn FnMut(ProgressEvent<'_>)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static PRESENT: Cell<bool> = const { Cell::new(false) };
}

/// Replaces the listener of this thread.
pub fn set_listener(listener: Option<Listener>) {
    PRESENT.set(listener.is_some());
    LISTENER.with(|held| *held.borrow_mut() = listener);
}

/// Whether this thread has a listener.
pub fn has_listener() -> bool {
    PRESENT.get()
}

/// Notifies the listener.
pub fn notify(event: ProgressEvent<'_>) {
    // A listener that searches is not notified of its own search.
    LISTENER.with(|held| {
        if let Ok(mut held) = held.try_borrow_mut()
            && let Some(listener) = &mut *held
        {
            listener(event);
        }
    });
}

/// Notifies the listener of the end of a search when dropped, if it was notified of the search.
#[derive(Debug, Default)]
pub struct EndNotice {
    notified: bool,
}

impl EndNotice {
    /// Notifies the listener of progress.
    pub fn notify(&mut self, event: ProgressEvent<'_>) {
        self.notified = true;
        notify(event);
    }
}

impl Drop for EndNotice {
    fn drop(&mut self) {
        if self.notified {
            notify(ProgressEvent::Over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn who_listens_is_told_of_the_end_of_what_was_told() {
        let heard: Rc<RefCell<Vec<String>>> = Rc::default();
        let log = heard.clone();
        set_listener(Some(Box::new(move |event| {
            log.borrow_mut().push(match event {
                ProgressEvent::Counted(work) => work.done.to_string(),
                ProgressEvent::Over => "over".to_owned(),
                ProgressEvent::Path(_) | ProgressEvent::Game(_) => "a search".to_owned(),
            });
        })));
        drop(EndNotice::default());
        let mut end = EndNotice::default();
        let elapsed = Duration::ZERO;
        end.notify(ProgressEvent::Counted(CountedWork {
            what: "step",
            done: 7,
            of: None,
            elapsed,
        }));
        drop(end);
        set_listener(None);
        notify(ProgressEvent::Over);
        assert_eq!(*heard.borrow(), ["7", "over"]);
    }
}
