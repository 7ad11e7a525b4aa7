//! Where the tested values are, and what moves do then.
//!
//! Which turns apply, and where they take the tested values, follows from where these are: a *configuration*.
//! All others, the row, are only shuffled. The configurations that can be reached are found beforehand, each with
//! its moves. Where every loop of configurations takes the row an even number of inversions on, which is
//! checked on every move, the row has one parity in each configuration, and half of all rows are left.

use super::NoWholeSpace;
use super::ranks::{self, is_odd};
use crate::operators::{Operators, Value, Values};
use crate::turns::{Place, Turn, tested, turns};
use rustc_hash::FxHashMap;

/// The most configurations.
const MOST: usize = 1 << 16;
/// The most moves of all configurations together.
const MOST_MOVES: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(super) struct Configuration {
    /// By tested value: where it is.
    pub places: Vec<Place>,
    /// Where the values of the row are, ascending.
    pub row: Vec<Place>,
    /// How many moves there are, those that change nothing among them.
    pub moves: u32,
    /// What they lead to.
    pub steps: Vec<Step>,
    /// The row has an odd number of inversions, if it has one parity here.
    pub is_odd: bool,
}

/// What a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// The configuration that it leads to.
    pub to: usize,
    /// By position in the row: the one that the value comes from.
    pub from: Vec<u8>,
}

/// All configurations that can be reached.
#[derive(Clone, Debug)]
pub(super) struct Configurations {
    /// The first is that of the start.
    pub all: Vec<Configuration>,
    /// By place of a configuration's places: the value.
    pub tested: Vec<Value>,
    /// The row has one parity in each configuration.
    pub have_parity: bool,
    /// The number of a configuration, by where tested values are.
    numbers: FxHashMap<Vec<Place>, usize>,
    /// By leaf: whether a turn moves its value.
    moving: Vec<bool>,
}

impl Configurations {
    /// The configurations that can be reached from a start of different values.
    ///
    /// # Errors
    /// Moves are no permutations, or there are too many configurations.
    pub(super) fn of(puzzle: &Operators, start: &[Value]) -> Result<Self, NoWholeSpace> {
        let turns = turns(puzzle, start).map_err(NoWholeSpace::NoPermutations)?;
        let tested = tested(turns.iter().map(|(_, turn)| turn));
        let mut moving = vec![false; start.len()];
        for place in turns.iter().flat_map(|(_, turn)| &turn.moved) {
            moving[usize::from(*place)] = true;
        }
        let place = |value: &Value| start.iter().position(|other| other == value);
        let places = tested.iter().filter_map(place).map(|place| place as Place).collect();
        let numbers = FxHashMap::default();
        let mut found =
            Configurations { all: Vec::new(), tested, have_parity: true, numbers, moving };
        found.number(places);
        if found.all[0].row.len() > ranks::MOST {
            return Err(NoWholeSpace::Large);
        }
        let applied = found.explore(&turns)?;
        found.find_parity();
        let applied: Vec<&Turn> =
            turns.iter().zip(applied).filter(|turn| turn.1).map(|((_, turn), _)| turn).collect();
        let are_known = found.are_known(puzzle, start, &applied);
        if are_known { Ok(found) } else { Err(NoWholeSpace::Domains) }
    }

    /// The number of a configuration, which may be new.
    fn number(&mut self, places: Vec<Place>) -> usize {
        if let Some(&known) = self.numbers.get(&places) {
            return known;
        }
        let is_of_row = |place: &Place| self.moving[usize::from(*place)] && !places.contains(place);
        let row = (0..self.moving.len() as Place).filter(is_of_row).collect();
        let number = self.all.len();
        self.numbers.insert(places.clone(), number);
        let new = Configuration { places, row, moves: 0, steps: Vec::new(), is_odd: false };
        self.all.push(new);
        number
    }

    /// Finds all configurations with their moves, and the turns that apply in any.
    fn explore(&mut self, turns: &[(usize, Turn)]) -> Result<Vec<bool>, NoWholeSpace> {
        let (mut next, mut moves) = (0, 0);
        let mut applied = vec![false; turns.len()];
        while next < self.all.len() {
            let mut last = None;
            for ((operator, turn), applied) in turns.iter().zip(&mut applied) {
                // An operator that applies in two ways is one move.
                if last == Some(*operator) || !self.applies(next, turn) {
                    continue;
                }
                (last, *applied) = (Some(*operator), true);
                self.go(next, turn);
                moves += 1;
                if self.all.len() > MOST || moves > MOST_MOVES {
                    return Err(NoWholeSpace::Configurations);
                }
            }
            next += 1;
        }
        Ok(applied)
    }

    fn applies(&self, number: usize, turn: &Turn) -> bool {
        let places = &self.all[number].places;
        let place = |value: &Value| self.tested.binary_search(value).ok().map(|at| places[at]);
        turn.tests.iter().all(|(leaf, value)| place(value) == Some(*leaf))
    }

    /// Adds a move of a configuration.
    fn go(&mut self, number: usize, turn: &Turn) {
        let places = &self.all[number].places;
        let places = places.iter().map(|&place| turn.to[usize::from(place)]).collect();
        let to = self.number(places);
        let [before, after] = [number, to].map(|at| &self.all[at].row[..]);
        let step = Step { to, from: turn.shuffle(before, after).collect() };
        let configuration = &mut self.all[number];
        configuration.moves += 1;
        if !configuration.steps.contains(&step) {
            configuration.steps.push(step);
        }
    }

    /// The parity of the row in each configuration, if it has one: each but the first is led to by one before.
    fn find_parity(&mut self) {
        let mut known: Vec<Option<bool>> = vec![None; self.all.len()];
        known[0] = Some(false);
        for number in 0..self.all.len() {
            let Some(before) = known[number] else { continue };
            for step in &self.all[number].steps {
                let parity = before != is_odd(&step.from);
                self.have_parity &= *known[step.to].get_or_insert(parity) == parity;
            }
        }
        self.have_parity &= self.all[0].row.len() > 1;
        for (configuration, is_odd) in self.all.iter_mut().zip(known) {
            configuration.is_odd = is_odd == Some(true);
        }
    }

    /// Whether all values that reach a leaf are in its domain, beyond which operators say nothing.
    fn are_known(&self, puzzle: &Operators, start: &[Value], turns: &[&Turn]) -> bool {
        let known = |&value: &Value| Some(value).filter(|of| !self.tested.contains(of));
        let mut may: Vec<Values> =
            start.iter().map(|value| known(value).into_iter().collect()).collect();
        loop {
            let before = may.clone();
            for turn in turns {
                for &place in &turn.moved {
                    let source = before[usize::from(turn.from[usize::from(place)])];
                    let place = &mut may[usize::from(place)];
                    *place = place.union(&source);
                }
            }
            if may == before {
                break;
            }
        }
        let has =
            |(&value, &place): (&Value, &Place)| puzzle.domains[usize::from(place)].has(value);
        if !self.all.iter().all(|of| self.tested.iter().zip(&of.places).all(has)) {
            return false;
        }
        let within = |(may, domain): (&Values, &Values)| may.common(domain) == *may;
        may.iter().zip(&puzzle.domains).all(within)
    }
}
