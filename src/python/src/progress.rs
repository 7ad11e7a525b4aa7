//! How far long work is, told to a function of Python as records of JSON.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use zug::record_line;
use zug::usecases::record::Progress;
use zug_report::round_seconds;
use zug_search::progress::{ProgressEvent, set_listener};

/// Time between two records.
const EVERY: Duration = Duration::from_millis(100);

/// What a record is told to.
pub(crate) type Tell = Box<dyn FnMut(String)>;

/// Who is told how far the work is, if anybody is.
#[derive(Clone)]
pub(crate) struct Told(Option<Rc<RefCell<Telling>>>);

struct Telling {
    tell: Tell,
    began: Instant,
    last: Instant,
}

impl Told {
    pub(crate) fn new(tell: Option<Tell>) -> Told {
        let now = Instant::now();
        let telling = |tell| Rc::new(RefCell::new(Telling { tell, began: now, last: now }));
        Told(tell.map(telling))
    }

    /// Tells how far it is, unless that was told just now. Time is that since the work began.
    pub(crate) fn tell(&self, data: impl FnOnce(Duration) -> Progress) {
        if let Some(telling) = &self.0
            && telling.borrow().last.elapsed() >= EVERY
        {
            self.tell_now(data);
        }
    }

    /// Tells how far it is.
    pub(crate) fn tell_now(&self, data: impl FnOnce(Duration) -> Progress) {
        let Some(telling) = &self.0 else { return };
        let telling = &mut *telling.borrow_mut();
        (telling.tell)(record_line("progress", &data(telling.began.elapsed())));
        telling.last = Instant::now();
    }

    /// Does some work, of whose searches those are told that nobody else observes.
    pub(crate) fn listening<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.0.is_some() {
            let told = self.clone();
            set_listener(Some(Box::new(move |event| match event {
                ProgressEvent::Path(state) => told.tell(|_| state.into()),
                ProgressEvent::Game(state) => told.tell(|_| state.into()),
                ProgressEvent::Counted(work) => told.tell(|_| Progress {
                    elapsed_seconds: round_seconds(work.elapsed),
                    done: Some(work.done),
                    of: work.of,
                    ..Progress::default()
                }),
                ProgressEvent::Over => {}
            })));
        }
        let done = work();
        set_listener(None);
        done
    }
}
