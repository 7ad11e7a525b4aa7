//! Alpha-beta by several threads.
//!
//! All search the same root, with one table; a move that another thread searches just now is left for later, when the
//! table may know it (J.-C. Weill: The ABDADA distributed minimax search algorithm, *ICCA Journal* 19(1), 1996;
//! T. Kerrigan: Simplified ABDADA). What is a value, and which move is the first that reaches it, does not depend
//! on the order in which things are found out; so what the first thread to be done says is what one thread alone says. The
//! counts are those of all together, and are others each time.

use super::alphabeta::{RootSearch, Rooted};
use super::interface::Game;
use super::meter::{Halt, Meter};
use super::pvs::Search;
use super::report::GameStats;
use super::shared_table::{Handle, SharedTable};
use super::transposition::{SubtreeValue, Window};
use crate::fork::{Crew, spawn};
use crate::report::StopReason;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// Of the memory for a search so many tenths are for the table.
const SHARE: usize = 9;

/// What a search found, and the number of the move that is best at the root.
type Found<V> = (SubtreeValue<V>, Option<u32>);

/// A search by one of the threads.
type Own<G> = Search<G, (), Handle<G>>;

/// The threads of a search.
pub(super) struct Team<'c, G: Game> {
    crew: &'c mut Crew<G>,
    table: Arc<SharedTable<G>>,
    main: Own<G>,
    others: Vec<Own<G>>,
    /// The most bytes of tables.
    most: usize,
}

impl<'c, G: Game> Team<'c, G> {
    /// All threads of a crew, where so many bytes are held already.
    pub fn new(crew: &'c mut Crew<G>, held: usize, meter: &Meter<'_>) -> Self {
        let most = (meter.memory() / 10).saturating_mul(SHARE).saturating_sub(held);
        let table = Arc::new(SharedTable::new(most));
        let search = |_| Search::with(Handle::new(&table, None), held, meter, ());
        let (main, others) = (search(0), (1..crew.threads()).map(search).collect());
        Team { crew, table, main, others, most }
    }

    /// Searches with all threads: what the first of them says that is done. `None` if the table is to grow.
    fn search(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Found<G::Value>>, Halt<G::Error>> {
        self.crew.teach(game);
        self.table.begin();
        let (words, table) = (game.words(), &self.table);
        self.main.table = Handle::new(table, None);
        // Each of them may count as many nodes.
        let share = match meter.nodes_left() {
            u64::MAX => u64::MAX,
            left => left.div_ceil(self.others.len() as u64 + 1),
        };
        let (began, memory) = (meter.began(), meter.memory());
        let before = meter.allow((meter.stats.nodes.saturating_add(share), memory));
        let (main, others) = (&mut self.main, &mut self.others);
        let crew = &mut *self.crew;
        let (own, found) = thread::scope(|scope| {
            let help = |(game, search): (&mut G, &mut Own<G>)| {
                search.table = Handle::new(table, Some(words));
                let mut meter = Meter::beside(began, (share, memory));
                let found = game.within_limits(|game| {
                    let found = search.value(game, root, depth, window, &mut meter).ok()?;
                    (game.words() == words).then_some((found, search.root_move))
                });
                let found = found.flatten();
                if found.is_some() {
                    table.end();
                }
                (found, meter.stats)
            };
            let work = crew.forks().zip(others);
            let others: Vec<_> = work.filter_map(|work| spawn(scope, move || help(work))).collect();
            let own = main.value(game, root, depth, window, meter);
            table.end();
            let join = |other: thread::ScopedJoinHandle<'_, _>| {
                other.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            (own, others.into_iter().map(join).collect::<Vec<_>>())
        });
        meter.allow(before);
        found.iter().for_each(|(_, stats): &(_, GameStats)| meter.add(stats));
        let first = found.into_iter().find_map(|(found, _)| found);
        match (own, first) {
            (Ok(found), _) => Ok(Some((found, self.main.root_move))),
            (Err(Halt::Stop(_)), Some(found)) => Ok(Some(found)),
            // If it was cancelled indeed, that is met again.
            (Err(Halt::Stop(StopReason::Cancelled)), None) if self.table.is_crowded() => Ok(None),
            (Err(halt), _) => Err(halt),
        }
    }
}

impl<G: Game> RootSearch<G> for Team<'_, G> {
    fn root(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        mut window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<G>, Halt<G::Error>> {
        loop {
            let Some((found, best)) = self.search(game, root, depth, window, meter)? else {
                if let Some(table) = self.table.grown(self.most) {
                    self.table = Arc::new(table);
                }
                meter.hold_bytes(self.table.bytes())?;
                continue;
            };
            if window.opens(found.value) {
                continue;
            }
            let mut moves = Vec::new();
            if best.is_some() {
                game.moves(root, &mut moves).map_err(Halt::Fail)?;
            }
            let best = best.and_then(|at| moves.into_iter().nth(at as usize));
            return Ok(Rooted { value: found.value, best, exact: found.exact });
        }
    }

    /// Alone: it is in the table.
    fn line(
        &mut self,
        game: &mut G,
        best: Option<(G::Move, G::State)>,
        depth: u32,
        whole: bool,
        meter: &mut Meter<'_>,
    ) -> Vec<G::Move> {
        self.table.begin();
        self.main.line(game, best, depth, whole, meter)
    }

    fn finish(&mut self) {}
}
