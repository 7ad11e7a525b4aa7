//! Alpha-beta by several threads.
//!
//! All fill one table. The main one searches the root and leaves moves to the others where they are idle, which do the same
//! with theirs ([split points](super::split)). What is a value, and which move is the first that reaches it, does not depend
//! on the order in which things are found out; so it is what one thread alone says. The counts are those of all together,
//! and are others each time.

use super::interface::Game;
use super::meter::{Halt, Meter};
use super::pvs::Search;
use super::report::GameStats;
use super::root::{RootSearch, Rooted};
use super::shared_table::{Handle, SharedTable};
use super::split::{Board, Mates};
use super::transposition::{SubtreeValue, Window};
use crate::fork::{Crew, spawn};
use crate::report::StopReason;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Of the memory for a search so many tenths are for the table.
const SHARE: usize = 9;

/// The main thread searches alone for so long: copies of a game take some milliseconds to be made. So many nodes may be
/// searched before it is looked how late it is. With debug assertions all search at once, so that tests go this way.
const ALONE: (Duration, u64) = match cfg!(debug_assertions) {
    true => (Duration::ZERO, 0),
    false => (Duration::from_millis(10), 1000),
};

/// The most often that a search begins again since the main thread has met words that the others do not know.
const TAUGHT: u32 = 8;

/// A search by one of the threads.
type Own<G> = Search<G, Handle<<G as Game>::State, <G as Game>::Value>>;

/// The threads of a search.
pub(super) struct Team<G: Game> {
    /// Nothing is known of copies as long as the main one searches alone.
    crew: Option<Crew<G>>,
    table: Arc<SharedTable<G::State, G::Value>>,
    main: Own<G>,
    others: Vec<Own<G>>,
    /// Bytes that are held elsewhere, and the most bytes of tables.
    held: usize,
    most: usize,
    /// How often copies were taught new words in the course of a search.
    taught: u32,
}

impl<G: Game> Team<G> {
    /// As many as a search may have, where so many bytes are held already.
    pub fn new(held: usize, meter: &Meter<'_>) -> Self {
        let most = (meter.memory() / 10).saturating_mul(SHARE).saturating_sub(held);
        let table = Arc::new(SharedTable::new(most));
        let main = Search::with(Handle::new(&table, None), held, meter);
        Team { crew: None, table, main, others: Vec::new(), held, most, taught: 0 }
    }

    /// Gives the copies of the game back.
    pub fn disband(self, game: &mut G) {
        if let Some(crew) = self.crew {
            crew.disband(game);
        }
    }

    /// Searches with the main thread for a short time; `None` if that is over.
    fn search_alone(
        &mut self,
        game: &mut G,
        root: &G::State,
        (depth, window): (u32, Window<G::Value>),
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        self.main.table = Handle::new(&self.table, None);
        while meter.elapsed() < ALONE.0 {
            self.table.begin();
            let most = meter.stats.nodes.saturating_add(ALONE.1.min(meter.nodes_left()));
            let before = meter.allow((most, meter.memory()));
            let found = self.main.value(game, root, depth, window, meter);
            meter.allow(before);
            match found {
                Err(Halt::Stop(StopReason::Nodes)) if meter.nodes_left() > 0 => {}
                // The table is to grow.
                Err(Halt::Stop(StopReason::Cancelled)) if self.table.is_crowded() => break,
                found => return found.map(Some),
            }
        }
        Ok(None)
    }

    /// Searches with all threads, if the main one alone takes long. `None` if the table is to grow, or copies are to be
    /// taught.
    fn search(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        if self.crew.is_none()
            && let Some(found) = self.search_alone(game, root, (depth, window), meter)?
        {
            return Ok(Some(found));
        }
        let crew = self.crew.get_or_insert_with(|| Crew::of(game));
        crew.teach(game);
        self.others.resize_with(crew.threads() - 1, || {
            Search::with(Handle::new(&self.table, None), self.held, meter)
        });
        self.table.begin();
        let board = Arc::new(Board::new());
        let (words, table) = (game.words(), &self.table);
        self.main.table = Handle::new(table, None);
        let again = self.taught < TAUGHT;
        self.main.mates = Some(Mates::new(&board, (words, again)));
        // Each of them may count as many nodes.
        let share = match meter.nodes_left() {
            u64::MAX => u64::MAX,
            left => left.div_ceil(crew.threads() as u64),
        };
        let (began, memory) = (meter.began(), meter.memory());
        let before = meter.allow((meter.stats.nodes.saturating_add(share), memory));
        let (main, others) = (&mut self.main, &mut self.others);
        let (found, counted) = thread::scope(|scope| {
            let help = |(game, search): (&mut G, &mut Own<G>)| {
                search.table = Handle::new(table, Some(words));
                search.mates = Some(Mates::new(&board, (words, false)));
                let mut meter = Meter::beside(began, (share, memory));
                // Who can't go on leaves the rest to others.
                let _ = game.within_limits(|game| search.help(game, None, &mut meter).ok());
                meter.stats
            };
            let work = crew.forks().zip(others);
            let others: Vec<_> = work.filter_map(|work| spawn(scope, move || help(work))).collect();
            // Also if a limit within a rule ends this thread.
            let over = Over { table, board: &board };
            let found = main.value(game, root, depth, window, meter);
            drop(over);
            let join = |other: thread::ScopedJoinHandle<'_, _>| {
                other.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            (found, others.into_iter().map(join).collect::<Vec<GameStats>>())
        });
        self.main.mates = None;
        meter.allow(before);
        counted.iter().for_each(|stats| meter.add(stats));
        match found {
            Ok(found) => Ok(Some(found)),
            // If it was cancelled indeed, that is met again.
            Err(Halt::Stop(StopReason::Cancelled)) if self.table.is_crowded() => Ok(None),
            Err(Halt::Stop(StopReason::Cancelled)) if again && game.words() != words => {
                self.taught += 1;
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }
}

/// All threads are to end when this is dropped.
struct Over<'t, G: Game> {
    table: &'t SharedTable<G::State, G::Value>,
    board: &'t Board<G>,
}

impl<G: Game> Drop for Over<'_, G> {
    fn drop(&mut self) {
        self.table.end();
        self.board.wake();
    }
}

impl<G: Game> RootSearch<G> for Team<G> {
    fn root(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        mut window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<G>, Halt> {
        loop {
            let Some(found) = self.search(game, root, depth, window, meter)? else {
                if self.table.is_crowded()
                    && let Some(table) = self.table.grown(self.most)
                {
                    self.table = Arc::new(table);
                }
                meter.hold_bytes(self.table.bytes())?;
                continue;
            };
            meter.hold_bytes(self.table.bytes())?;
            if window.opens(found.value) {
                continue;
            }
            let best = self.main.best_of_root();
            return Ok(Rooted { value: found.value, best, exact: found.exact });
        }
    }
}
