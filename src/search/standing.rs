//! Who is told how far the searches of a thread are, where nobody asked that of one of them.
//!
//! A search that rules begin, in the midst of a query, has no caller who could hand it an
//! [`Observer`](super::Observer); the edge that runs the query says here once who is to be told.
//! An observer of a search's own comes before. Threads are apart: the workers of a batch tell
//! nobody.

use super::game::GameProgress;
use super::limits::Progress;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// How far the innermost search is.
#[derive(Clone, Copy, Debug)]
pub enum Standing<'a> {
    /// A search for a path.
    Path(&'a Progress),
    /// A search of a game.
    Game(&'a GameProgress),
    /// Work that is counted.
    Work(Work),
    /// The search is over.
    Over,
}

/// Work that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// What is counted, as one of it is called.
    pub what: &'static str,
    /// What is done, …
    pub done: u64,
    /// … of so many, if that is known.
    pub of: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Who is told, at most ten times a second.
pub type Listener = Box<dyn FnMut(Standing<'_>)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static PRESENT: Cell<bool> = const { Cell::new(false) };
}

/// Has this listener, and no other any more, be told of the searches of this thread.
pub fn listen(listener: Option<Listener>) {
    PRESENT.set(listener.is_some());
    LISTENER.with(|held| *held.borrow_mut() = listener);
}

/// Whether somebody is told.
pub fn is_heard() -> bool {
    PRESENT.get()
}

/// Tells who listens.
pub fn tell(standing: Standing<'_>) {
    // A listener that searches is not told of its own search.
    LISTENER.with(|held| {
        if let Ok(mut held) = held.try_borrow_mut()
            && let Some(listener) = &mut *held
        {
            listener(standing);
        }
    });
}

/// Tells that a search is over when it is dropped, if anything was told of it.
#[derive(Debug, Default)]
pub struct End {
    told: bool,
}

impl End {
    /// Something was told.
    pub fn tell(&mut self, standing: Standing<'_>) {
        self.told = true;
        tell(standing);
    }
}

impl Drop for End {
    fn drop(&mut self) {
        if self.told {
            tell(Standing::Over);
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
        listen(Some(Box::new(move |standing| {
            log.borrow_mut().push(match standing {
                Standing::Work(work) => work.done.to_string(),
                Standing::Over => "over".to_owned(),
                Standing::Path(_) | Standing::Game(_) => "a search".to_owned(),
            });
        })));
        drop(End::default());
        let mut end = End::default();
        let elapsed = Duration::ZERO;
        end.tell(Standing::Work(Work { what: "step", done: 7, of: None, elapsed }));
        drop(end);
        listen(None);
        tell(Standing::Over);
        assert_eq!(*heard.borrow(), ["7", "over"]);
    }
}
