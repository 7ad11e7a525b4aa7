//! Solved states of a game in a base: a tablebase.
//!
//! A state is stored under the number of the player to move and its packed term, both in the words
//! of the base; in a game with symmetries, the least of the states that stand for each other. Stored
//! are its values, the moves to the end, whether play can go round, and the best move by its place
//! in the order of moves.
//!
//! To report on a state, [`Table::recall`] reads as much as the report of `solve_game` needs:
//! the states along best play, and those beside them where the move is not known. The
//! report is then made by the same code, whether the state was solved or read.

use super::entry::{Entry, PlayerNumbers};
use super::table::Table;
use super::table::solved_for;
use super::utilities::UtilityKind;
use super::value::GameValue;
use crate::Packed;
use crate::bases::{self, BaseWriter, Keys, OpenBase, SaveError, SaveLimits, Saved, Terms};
use crate::error::RuleError;
use rustc_hash::FxHashSet;
use zug_base::{BaseError, Meta, Section};
use zug_search::StopReason;
use zug_search::game::{CHANCE, Game, Halt, LONGEST_LINE, NodeId, Player, Solved, StateValues};

/// States between two polls of the limits.
const STRIDE: usize = 64;

type Solving<T> = Result<T, Box<RuleError>>;

impl Table<'_> {
    /// Exact play from a state: its number, and whether that was read from a base;
    /// it is solved if nobody knows. [`Table::known`] has it then.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub(super) fn tell(&mut self, start: &Packed) -> Solving<Result<(NodeId, bool), StopReason>> {
        self.weigh()?;
        if self.recall(start)? {
            return Ok(self.graph.intern(&self.game, start).map(|node| (node, true)));
        }
        Ok(self.solve(start)?.map(|node| (node, false)))
    }

    /// What is known: read from a base, or solved.
    pub(super) fn known(&self, from_base: bool) -> Option<&Solved<GameValue>> {
        if from_base { self.recalled.as_ref() } else { self.solved.as_ref() }
    }

    /// Brings back what a base knows of a state and of best play from it, as if it had been
    /// solved; whether all of that was there.
    ///
    /// # Errors
    /// An error in a rule: moves along best play are asked for.
    pub(super) fn recall(&mut self, start: &Packed) -> Solving<bool> {
        if self.is_solved(start) {
            return Ok(false);
        }
        let Some(mut kept) = bases::take(self.game.machine().1) else { return Ok(false) };
        let found = self.recall_from(&mut kept, start);
        match &found {
            Ok(true) => kept.found += 1,
            _ => kept.missing += 1,
        }
        bases::put_back(self.game.machine().1, Some(kept));
        found
    }

    /// Whether a state was solved in this session.
    fn is_solved(&mut self, state: &Packed) -> bool {
        let node = self.graph.intern(&self.game, state);
        node.is_ok_and(|node| self.solved.as_ref().is_some_and(|solved| solved.contains(node)))
    }

    fn recall_from(&mut self, kept: &mut OpenBase, start: &Packed) -> Solving<bool> {
        let (m, w) = self.game.machine();
        if !kept.fits(m, w) || kept.base.meta().players != self.game.players() {
            return Ok(false);
        }
        let Some(seats) = self.seats(&mut kept.terms, false) else { return Ok(false) };
        let Ok(mut node) = self.graph.intern(&self.game, start) else { return Ok(false) };
        let mut met = FxHashSet::default();
        let mut best = match self.adopt(kept, &seats, node)? {
            Some(best) => best,
            None => return Ok(false),
        };
        while met.len() < LONGEST_LINE && met.insert(node) {
            match self.graph.expand(&mut self.game, node) {
                Ok(()) => {}
                Err(Halt::Fail(failure)) => return Err(failure.into()),
                Err(Halt::Stop(_)) => return Ok(false),
            }
            let edges: Vec<NodeId> =
                self.graph.known_edges(node).iter().map(|edge| edge.to).collect();
            let mut places = Vec::with_capacity(edges.len());
            let all = solved_for(self.recalled, &self.game).is_mean(node);
            for (at, &to) in edges.iter().enumerate() {
                // Where the best move is known, others need not be.
                let matters = all || best.is_none_or(|best| best == at);
                places.push(if matters { self.adopt(kept, &seats, to)? } else { None });
                if matters && places[at].is_none() {
                    return Ok(false);
                }
            }
            let solved = solved_for(self.recalled, &self.game);
            let Some(edge) = solved.best_edge(self.graph, node) else {
                // At an end, or where chance moves.
                return Ok(edges.is_empty() || self.graph.player(node) == CHANCE);
            };
            node = edges[edge as usize];
            best = places[edge as usize].flatten();
        }
        Ok(true)
    }

    /// Brings back what is known of one node, if anything is: the place of its best move, if that
    /// is kept.
    fn adopt(
        &mut self,
        kept: &mut OpenBase,
        seats: &PlayerNumbers,
        node: NodeId,
    ) -> Solving<Option<Option<usize>>> {
        let state = self.graph.state(node);
        let class = self.game.class_of(&state)?;
        for image in &class {
            let Some(key) = self.key(&mut kept.terms, seats, image) else { continue };
            let entry = match kept.base.get(Section::Positions, &key) {
                Ok(Some(bytes)) => Entry::read(&bytes, seats),
                Ok(None) => continue,
                Err(error) => {
                    kept.failed = Some(error);
                    return Ok(None);
                }
            };
            let Some(Entry { state, best }) = entry else {
                let path = kept.base.path().to_owned();
                let why = "a position can't be read".to_owned();
                kept.failed = Some(BaseError::Damaged(path, why));
                return Ok(None);
            };
            let apart = matches!(&state.worths, StateValues::Values(values) if values.len() == 2)
                || matches!(&state.worths, StateValues::Means(values, _) if values.len() == 2);
            if apart && self.game.players() == 2 && !self.game.is_general_sum() {
                // An end was met when it was solved that shows it.
                self.game.kit.shared.take(UtilityKind::GeneralSum);
                (*self.solved, *self.recalled) = (None, None);
            }
            let nodes = self.graph.len();
            solved_for(self.recalled, &self.game).adopt(node, nodes, &state);
            return Ok(Some(best));
        }
        Ok(None)
    }

    /// The key of a state; `None` if the base can't have it.
    fn key(&mut self, terms: &mut Terms, seats: &PlayerNumbers, state: &Packed) -> Option<Vec<u8>> {
        let seat = seats.kept(self.game.player(state))?;
        let (m, _, codec) = self.game.asker();
        m.scratch(|m| {
            let term = codec.decode(&state.bytes()[1..], &mut m.heap);
            terms.pack(&mut m.heap, term).map(|packed| [&[seat], packed].concat())
        })
    }

    /// The numbers of the players in a base, those of new ones if they may get some.
    fn seats(&mut self, terms: &mut Terms, may_add: bool) -> Option<PlayerNumbers> {
        let mut seats = Vec::new();
        for seat in 0..self.game.known_players() {
            let player = self.game.player_term(seat);
            let (mut heap, root) = player.to_heap();
            let packed = terms.pack(&mut heap, root)?.to_vec();
            let known = terms.players.iter().position(|known| *known == packed);
            let number = match known {
                Some(number) => number,
                None if may_add && terms.players.len() < usize::from(CHANCE) => {
                    terms.players.push(packed);
                    terms.players.len() - 1
                }
                None => return None,
            };
            seats.push(number as Player);
        }
        Some(PlayerNumbers(seats))
    }

    /// Keeps all that is solved in a base. `start` is noted as there when it is.
    ///
    /// # Errors
    /// An error in a rule, or the base can't be written: then some of it is there.
    pub fn save(
        &mut self,
        keeper: &mut BaseWriter,
        start: zug_base::Start,
    ) -> Result<Saved, SaveError> {
        let limits = self.limits.clone();
        let mut watch = SaveLimits::new(&limits);
        let players = self.game.players();
        let refused = |why: &str| {
            let path = keeper.writer.path().to_owned();
            SaveError::Base(BaseError::Io("write", path, std::io::Error::other(why.to_owned())))
        };
        let shared = &self.game.kit.shared;
        if let (Some(known), Some(UtilityKind::ConstantSum(_))) = (&shared.known, shared.now)
            && shared.now != Some(known.kind)
        {
            return Err(refused(
                "what both players get adds up to something that only far ends show",
            ));
        }
        let Some(seats) = self.seats(&mut keeper.terms, true) else {
            return Err(refused("there are too many players"));
        };
        let Some(keys) = self.keys(keeper, &seats, &mut watch)? else {
            return Ok(Saved::stopped(watch.stopped));
        };
        keeper.meta.players = players;
        keeper.meta.symmetry = self.game.has_symmetry();
        keeper.begin(self.game.machine().0, &start)?;
        let hidden = self.game.has_symmetry();
        let held = self.graph.bytes();
        let (graph, solved) = (&*self.graph, solved_for(self.solved, &self.game));
        let written = |node| {
            let state = solved.solved_state(node)?;
            let best = solved.best_edge(graph, node).filter(|_| !hidden);
            let best = best.map(|place| place as usize);
            Some(Entry { state, best }.written(&seats))
        };
        let count = |meta: &mut Meta, key: &[u8], value: &[u8]| {
            if let Some(entry) = Entry::read(value, &PlayerNumbers((0..CHANCE).collect())) {
                entry.count(key[0], &mut meta.positions);
            }
        };
        let watched = (&mut watch, held);
        Ok(keys.write(keeper, Section::Positions, &start, watched, count, written)?)
    }

    /// The keys of all states that are solved, with their nodes; `None` if a limit struck.
    fn keys(
        &mut self,
        keeper: &mut BaseWriter,
        seats: &PlayerNumbers,
        watch: &mut SaveLimits<'_>,
    ) -> Solving<Option<Keys<NodeId>>> {
        let mut found = Keys::new();
        for node in 0..self.graph.len() as NodeId {
            let solved = solved_for(self.solved, &self.game).contains(node);
            if !solved || !self.graph.is_settled(node) {
                continue;
            }
            if found.len().is_multiple_of(STRIDE)
                && !watch.go_on(self.graph.bytes() + found.bytes())
            {
                return Ok(None);
            }
            let state = self.graph.state(node);
            let class = self.game.class_of(&state)?;
            let keys = class.iter().filter_map(|image| self.key(&mut keeper.terms, seats, image));
            if let Some(key) = keys.min() {
                found.push(&key, node);
            }
        }
        Ok(Some(found))
    }
}
