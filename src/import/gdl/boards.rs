//! Relations of fluents as boards: a place for each key, with what stands there.
//!
//! A relation such as `cell(X, Y, V)` may be kept as rows of places if what it may hold of is known and
//! small (`relaxed`). The value of a place is an argument of which plays show one at a time; nothing
//! depends on that: a place with several values has the list of them, unless it is proved that there is
//! never more than one (`single`). Where there is no such argument
//! a place says whether the fluent holds. `changes` tells which places a move may change, by patterns over
//! the arguments of moves, such as `drop(X)`: all of column X, or move by move.

use super::board::{Axis, Board, Boards, Change, by_number, joined, shown};
use super::interpret::Interpreter;
use super::plays::Plays;
use super::program::Program;
use super::relaxed::{self, Reach, Touched};
use super::single;
use super::syntax::{Key, Term};
use super::turns::Play;
use crate::text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use zug_term::watchdog;

/// The most places of a board,
const MAX_PLACES: usize = 400;
/// and the most of them for each key that there may be.
const MAX_SPARSE: usize = 4;
/// The most places that all moves together may change; with more, each move computes all places.
const MAX_CHANGES: usize = 20_000;
/// The most places that are listed move by move.
const MAX_LISTED: usize = 3_000;
/// What stands on an empty place: the first that is no value.
const EMPTY: &[&str] = &["-", "none", "nothing", "nobody"];

/// The relations of a game that become boards: none where all players choose at once.
pub fn of(program: &Program, interpreter: &Interpreter, play: &Play, plays: &mut Plays) -> Boards {
    let found = match play {
        Play::AtOnce => None,
        _ => Finder::new(program, interpreter, play, plays).and_then(|finder| finder.boards()),
    };
    found.unwrap_or_default()
}

struct Finder<'a> {
    program: &'a Program,
    interpreter: &'a Interpreter,
    reach: Reach,
    plays: &'a mut Plays,
    passes: Vec<(Term, Term)>,
}

impl<'a> Finder<'a> {
    fn new(
        program: &'a Program,
        interpreter: &'a Interpreter,
        play: &Play,
        plays: &'a mut Plays,
    ) -> Option<Finder<'a>> {
        let control = match play {
            Play::InTurn(turns) => Some(turns.control.as_str()),
            _ => None,
        };
        let reach = relaxed::reach(program, interpreter, control)?;
        let roles = &interpreter.roles;
        let passes = match play {
            Play::InTurn(turns) => &turns.passes,
            _ => roles,
        };
        let term = |&id| interpreter.terms.term(id);
        let passes = roles.iter().map(term).zip(passes.iter().map(term)).collect();
        Some(Finder { program, interpreter, reach, plays, passes })
    }

    fn boards(self) -> Option<Boards> {
        let mut functors: Vec<&Key> = self.reach.fluents.keys().filter(|key| key.1 > 0).collect();
        functors.sort_unstable();
        let unique = |key: &Key| functors.iter().filter(|other| other.0 == key.0).count() == 1;
        let boards = functors.iter().filter(|key| unique(key)).filter_map(|key| self.board(key));
        let mut boards: Vec<Board> = boards.collect();
        let empty = self.empty()?;
        let program = self.program;
        single::prove(program, self.interpreter, &self.reach, self.plays, &mut boards);
        let wide: Vec<&Board> = boards.iter().filter(|board| !board.keys.is_empty()).collect();
        if !wide.is_empty() {
            let keys = wide.iter().map(|board| (board.functor.clone(), board.places())).collect();
            let known = (self.interpreter, &self.reach);
            let touched = relaxed::touched(program, known, &self.passes, &keys);
            for board in boards.iter_mut().filter(|board| !board.keys.is_empty()) {
                let touched = touched.as_ref().and_then(|all| all.get(&board.functor));
                board.is_whole = touched.is_none_or(|touched| !board.set_changes(touched));
            }
        }
        (!boards.is_empty()).then_some(Boards { boards, empty })
    }

    /// What no fluent has as an argument, or is.
    fn empty(&self) -> Option<&'static str> {
        let mut words = FxHashSet::default();
        for ((name, _), rows) in &self.reach.fluents {
            words.insert(name.as_str());
            for term in rows.iter().flatten() {
                words.extend(term.functor().map(|(name, _)| name));
            }
        }
        EMPTY.iter().copied().find(|word| !words.contains(word))
    }

    /// A relation as a board, without its changes.
    fn board(&self, functor: &Key) -> Option<Board> {
        let rows = &self.reach.fluents[functor];
        let axes: Vec<Axis> = (0..functor.1).map(|argument| axis(rows, argument)).collect();
        let size = |left_out: Option<usize>| {
            let axes = axes.iter().filter(|axis| Some(axis.argument) != left_out);
            axes.fold(1_usize, |size, axis| size.saturating_mul(axis.values.len()))
        };
        let values = (0..functor.1).rev().filter(|&argument| self.is_value(functor, argument));
        let value = values.min_by_key(|&argument| size(Some(argument)));
        let keys: FxHashSet<Vec<&Term>> = rows
            .iter()
            .map(|row| (0..row.len()).filter(|&n| Some(n) != value).map(|n| &row[n]).collect())
            .collect();
        let places = size(value);
        let fits = places > 0 && places <= MAX_PLACES && places <= MAX_SPARSE * keys.len();
        let keys = axes.into_iter().filter(|axis| Some(axis.argument) != value).collect();
        let (functor, changes) = (functor.clone(), Vec::new());
        fits.then_some(Board {
            functor,
            value,
            single: false,
            keys,
            changes,
            is_whole: false,
            delta: None,
        })
    }

    /// Whether an argument is a constant, and has one value at a time in the states that were met.
    fn is_value(&self, functor: &Key, argument: usize) -> bool {
        let constant = |row: &Vec<Term>| matches!(row[argument], Term::Constant(_));
        self.reach.fluents[functor].iter().all(constant)
            && self.plays.has_one_value(functor, argument)
    }
}

/// What an argument may be.
fn axis(rows: &[Vec<Term>], argument: usize) -> Axis {
    let values: FxHashSet<String> = rows.iter().map(|row| shown(&row[argument])).collect();
    let mut values: Vec<String> = values.into_iter().collect();
    values.sort_unstable_by(|one, other| by_number(one, other));
    Axis { argument, values }
}

impl Board {
    /// Finds out how to say what moves may change; whether that can be said.
    fn set_changes(&mut self, touched: &Touched) -> bool {
        if touched.len() > MAX_CHANGES {
            return false;
        }
        let Some(moves) = self.moves(touched) else { return false };
        let mut forms: BTreeMap<Key, Vec<Move>> = BTreeMap::new();
        for known in moves {
            let (name, arity) = known.chosen.functor().unwrap_or_default();
            forms.entry((name.to_owned(), arity)).or_default().push(known);
        }
        let mut all = Vec::new();
        let mut count = 0;
        for moves in forms.values() {
            let (changes, places) = Form { board: self, moves }.changes();
            count += places;
            all.extend(changes);
        }
        self.changes = all;
        self.changes.sort_unstable_by(|one, other| by_number(&one.chosen, &other.chosen));
        count <= MAX_CHANGES
    }

    /// Moves with the places that they may change.
    fn moves(&self, touched: &Touched) -> Option<Vec<Move>> {
        let mut numbers: FxHashMap<&Term, usize> = FxHashMap::default();
        let mut moves: Vec<Move> = Vec::new();
        for (chosen, key) in touched {
            let place = self.place(key)?;
            let nth = *numbers.entry(chosen).or_insert_with(|| {
                let args = chosen.args().iter();
                let on_axis = |axis: &Axis| args.clone().map(|arg| axis.position(arg)).collect();
                let positions = self.keys.iter().map(on_axis).collect();
                let places = vec![false; self.size()];
                moves.push(Move { chosen: chosen.clone(), positions, places });
                moves.len() - 1
            });
            moves[nth].places[place] = true;
        }
        Some(moves)
    }
}

/// A move and the places that it may change.
struct Move {
    chosen: Term,
    /// The arguments as positions on each axis.
    positions: Vec<Vec<Option<usize>>>,
    places: Vec<bool>,
}

/// Moves of one form.
struct Form<'a> {
    board: &'a Board,
    moves: &'a [Move],
}

/// Where a part of a key is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Argument(usize),
    Any,
}

type Pattern = Vec<From>;

fn count(places: &[bool]) -> usize {
    places.iter().filter(|place| **place).count()
}

impl Form<'_> {
    /// What these moves may change, and how many places that are.
    fn changes(&self) -> (Vec<Change>, usize) {
        let exact: usize = self.moves.iter().map(|known| count(&known.places)).sum();
        let patterns = self.patterns();
        let covered = |known: &Move| {
            let mut places = vec![false; self.board.size()];
            for pattern in &patterns {
                self.each(pattern, known, &mut |place| places[place] = true);
            }
            count(&places)
        };
        let covered: usize = self.moves.iter().map(covered).sum();
        if covered <= 2 * exact || exact > MAX_LISTED {
            return (vec![self.by_patterns(&patterns)], covered);
        }
        (self.moves.iter().map(|known| self.listed(known)).collect(), exact)
    }

    /// Patterns that have all places, those with the fewest others first.
    fn patterns(&self) -> Vec<Pattern> {
        let all = self.candidates();
        let mut chosen: Vec<Pattern> = Vec::new();
        let mut left: Vec<Vec<bool>> = self.moves.iter().map(|m| m.places.clone()).collect();
        while left.iter().flatten().any(|place| *place) {
            let gains = all.iter().map(|pattern| (self.gain(pattern, &left), pattern));
            let best = gains.max_by(|((part1, all1), _), ((part2, all2), _)| {
                part1.total_cmp(part2).then(all1.cmp(all2))
            });
            let Some((_, best)) = best else { break };
            for (known, left) in self.moves.iter().zip(&mut left) {
                self.each(best, known, &mut |place| left[place] = false);
            }
            chosen.push(best.clone());
        }
        let all = vec![From::Any; self.board.keys.len()];
        if chosen.contains(&all) { vec![all] } else { chosen }
    }

    /// The part of a pattern's places that are wanted, and how many are.
    fn gain(&self, pattern: &Pattern, left: &[Vec<bool>]) -> (f64, usize) {
        let (mut all, mut wanted) = (0_usize, 0_usize);
        for (known, left) in self.moves.iter().zip(left) {
            self.each(pattern, known, &mut |place| {
                wanted += usize::from(left[place]);
                all += usize::from(left[place] || !known.places[place]);
            });
        }
        (wanted as f64 / all.max(1) as f64, wanted)
    }

    /// All patterns, any value in every place among them.
    fn candidates(&self) -> Vec<Pattern> {
        let arity = self.moves[0].chosen.args().len();
        let mut all: Vec<Pattern> = vec![Vec::new()];
        for axis in 0..self.board.keys.len() {
            let on_axis = |&n: &usize| self.moves.iter().all(|m| m.positions[axis][n].is_some());
            let mut sources = vec![From::Any];
            if all.len() < 100 {
                sources.extend((0..arity).filter(on_axis).map(From::Argument));
            }
            let with = |pattern: Pattern| {
                let longer = |&from: &From| [&pattern[..], &[from]].concat();
                sources.iter().map(longer).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// The places of a pattern for a move.
    fn each(&self, pattern: &Pattern, known: &Move, then: &mut dyn FnMut(usize)) {
        let mut places = vec![0];
        for ((nth, axis), from) in self.board.keys.iter().enumerate().zip(pattern) {
            let positions = match from {
                From::Argument(n) => known.positions[nth][*n].map_or(0..0, |at| at..at + 1),
                From::Any => 0..axis.values.len(),
            };
            let width = axis.values.len();
            let next = |place: usize| positions.clone().map(move |at| place * width + at);
            places = places.into_iter().flat_map(next).collect();
        }
        watchdog::steps(places.len());
        places.into_iter().for_each(then);
    }

    fn by_patterns(&self, patterns: &[Pattern]) -> Change {
        let chosen = &self.moves[0].chosen;
        let used = |n: usize| patterns.iter().flatten().any(|from| *from == From::Argument(n));
        let name = |n: usize| if used(n) { format!("X{}", n + 1) } else { "_".to_owned() };
        let args: Vec<String> = (0..chosen.args().len()).map(name).collect();
        let functor = match chosen {
            Term::Constant(name) => text::constant(name),
            _ => text::atom(chosen.functor().unwrap_or_default().0),
        };
        let all = |pattern: &Pattern| pattern.iter().all(|from| *from == From::Any);
        let keys = (!patterns.iter().any(all))
            .then(|| patterns.iter().flat_map(|pattern| self.keys(pattern, &args)).collect());
        Change { chosen: text::compound(&functor, &args), keys }
    }

    /// The keys of a pattern, by the names of the arguments.
    fn keys(&self, pattern: &Pattern, args: &[String]) -> Vec<String> {
        let mut keys: Vec<Vec<String>> = vec![Vec::new()];
        for (from, axis) in pattern.iter().zip(&self.board.keys) {
            let values = match from {
                From::Argument(n) => std::slice::from_ref(&args[*n]),
                From::Any => &axis.values,
            };
            let with = |key: Vec<String>| {
                let longer = |value: &String| [&key[..], std::slice::from_ref(value)].concat();
                values.iter().map(longer).collect::<Vec<_>>()
            };
            keys = keys.into_iter().flat_map(with).collect();
        }
        keys.iter().map(|key| joined(key)).collect()
    }

    fn listed(&self, known: &Move) -> Change {
        let places = (0..known.places.len()).filter(|&place| known.places[place]);
        let keys = places.map(|place| joined(&self.board.key(place))).collect();
        Change { chosen: shown(&known.chosen), keys: Some(keys) }
    }
}
