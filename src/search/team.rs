//! A team: the space that is searched, and copies of it for other threads. A search by one thread is that of a team
//! of one.

use super::cost::Cost;
use super::fork::Crew;
use super::space::{Row, Space};

/// A space under search, with its workers.
pub struct Team<'t, R: Row, C: Cost> {
    /// The main space, which answers what workers can't.
    pub(super) main: &'t mut dyn Space<R, C>,
    pub(super) crew: Crew<&'t mut dyn Space<R, C>>,
}

impl<'t, R: Row, C: Cost> Team<'t, R, C> {
    /// A space, and copies of it that mean the same by the bytes of a state.
    pub fn new(
        main: &'t mut dyn Space<R, C>,
        workers: impl IntoIterator<Item = &'t mut dyn Space<R, C>>,
    ) -> Self {
        let crew = Crew::with(workers.into_iter().collect(), Space::words(&*main));
        Team { main, crew }
    }

    /// A space alone.
    pub fn of(main: &'t mut dyn Space<R, C>) -> Self {
        Team { main, crew: Crew::alone() }
    }

    /// How many threads work.
    pub(super) fn threads(&self) -> usize {
        self.crew.threads()
    }

    /// Whether there are no workers.
    pub(super) fn is_alone(&self) -> bool {
        self.crew.is_alone()
    }

    /// How many states one call of [`Space::expand`] may have.
    pub(super) fn batch(&self) -> usize {
        self.main.batch().max(1)
    }

    /// As [`Crew::map_items`].
    pub(super) fn map_items<I: Sync, T: Send, F: Send>(
        &mut self,
        items: (&[I], usize),
        work: impl Fn(&mut dyn Space<R, C>, usize, &[I]) -> Result<T, F> + Sync,
        poll: impl FnMut() -> Result<(), F>,
    ) -> Result<Vec<T>, F> {
        let work = |space: &mut &'t mut dyn Space<R, C>, from: usize, items: &[I]| {
            work(&mut **space, from, items)
        };
        self.crew.map_items(&mut self.main, items, work, poll)
    }

    /// As [`Crew::map`].
    pub(super) fn map<T: Send, F: Send>(
        &mut self,
        parts: usize,
        work: impl Fn(&mut dyn Space<R, C>, usize) -> Result<T, F> + Sync,
        poll: impl FnMut() -> Result<(), F>,
    ) -> Result<Vec<T>, F> {
        let work = |space: &mut &'t mut dyn Space<R, C>, part: usize| work(&mut **space, part);
        self.crew.map(&mut self.main, parts, work, poll)
    }
}
