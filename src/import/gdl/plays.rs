//! States of plays at random, and what is seen in them.
//!
//! They show which arguments have one value at a time, and which conditions are met: what is seen holds, and
//! what is not may still.

use super::interpret::{Interpreter, TooMuch};
use super::order::{self, Bound, Costs};
use super::program::{Level, Program, key};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::table::{TermId, is_determined};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_random::Random;

/// Plays, and their length.
const PLAYS: usize = 8;
const PLIES: usize = 60;
/// The most fluents of all their states.
const MAX_FLUENTS: usize = 50_000;
/// Rows that are looked at in these plays,
const BUDGET: u64 = 3_000_000;
/// for one question about their states,
const QUESTION: u64 = 200_000;
/// and for all of them.
const QUESTIONS: u64 = 3_000_000;

/// States that were met.
pub struct Plays {
    /// The game, with what holds in the states as tables of their own: the first column is the state.
    interpreter: Interpreter,
    fluents: FxHashSet<Key>,
    /// By recursive relation that depends on the state: whether each argument was a function of the others.
    pub functions: FxHashMap<Key, Vec<bool>>,
    sizes: Sizes,
    left: u64,
}

/// A relation of fluents that hold in states: no text has a name with a blank.
fn seen((name, arity): &Key) -> Key {
    (format!("seen {name}"), arity + 1)
}

impl Plays {
    /// Plays a game some times; other seeds are other plays.
    pub fn of(program: &Program, interpreter: &Interpreter, seed: u64) -> Plays {
        let mut plays = Plays {
            interpreter: interpreter.limited(BUDGET),
            fluents: FxHashSet::default(),
            functions: FxHashMap::default(),
            sizes: Sizes::default(),
            left: QUESTIONS,
        };
        let is_open = |key: &&Key| program.level(key) == Level::State && program.recursive(key);
        let open = program.relations.keys().filter(is_open);
        plays.functions = open.map(|key| (key.clone(), vec![true; key.1])).collect();
        plays.play(seed);
        plays.sizes = Sizes::of(program, &plays);
        plays
    }

    fn play(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let mut left = MAX_FLUENTS;
        for nth in 0..PLAYS {
            let mut state = self.interpreter.initial.to_vec();
            for ply in 0..PLIES {
                self.add(&state, nth * PLIES + ply);
                left = left.saturating_sub(state.len());
                let interpreter = &mut self.interpreter;
                if left == 0 || interpreter.set_state(&state).is_err() || interpreter.terminal() {
                    break;
                }
                for (key, is_function) in &mut self.functions {
                    let Some(table) = interpreter.tables.rows(key) else { continue };
                    for (n, is_function) in is_function.iter_mut().enumerate() {
                        *is_function = *is_function && is_determined(table.rows(), n);
                    }
                }
                let legal = interpreter.legal();
                if legal.iter().any(Vec::is_empty) {
                    break;
                }
                let pick = |moves: &Vec<TermId>| moves[random.below(moves.len() as u64) as usize];
                let chosen: Vec<TermId> = legal.iter().map(pick).collect();
                match interpreter.next(&chosen) {
                    Ok(next) => state = next,
                    Err(_) => break,
                }
            }
        }
    }

    fn add(&mut self, state: &[TermId], number: usize) {
        let number = self.interpreter.intern(&number.to_string(), &[]);
        for &fluent in state {
            let (name, args) = self.interpreter.terms.functor(fluent);
            let functor = key(name, args.len());
            let row = [&[number], args].concat();
            self.interpreter.insert(&seen(&functor), &row);
            self.fluents.insert(functor);
        }
    }

    /// The source offsets of rules that repeated an answer in a state.
    pub fn repeating(&self) -> &FxHashSet<u32> {
        &self.interpreter.repeating
    }

    /// Whether an argument of a relation had one value at a time, for all others together.
    pub fn has_one_value(&self, functor: &Key, argument: usize) -> bool {
        let Some(table) = self.interpreter.tables.rows(&seen(functor)) else { return true };
        is_determined(table.rows(), argument + 1)
    }

    /// Whether a state was met in which all conditions of a rule hold: conditions on fluents, on what is static,
    /// and on terms being the same. It is not said if too much has to be looked at.
    pub fn meet(&mut self, rule: &Rule) -> Result<bool, TooMuch> {
        let is_known = |atom: &Atom| match fluent(atom) {
            Some(term) => term.functor().is_some(),
            None => self.interpreter.tables.is_listed(&atom.key()),
        };
        if !rule.asked().all(is_known) {
            return Err(TooMuch);
        }
        let state = rule.vars.len();
        let in_state = |literal: &Literal| {
            let fluent = literal.atom().and_then(fluent);
            match fluent.and_then(|term| Some((term.args(), term.functor()?))) {
                Some((args, (name, arity))) => {
                    let name = seen(&key(name, arity)).0;
                    literal.with(Atom::new(&name, &[&[Term::Var(state)], args].concat()))
                }
                None => literal.clone(),
            }
        };
        let mut asked = Rule { body: rule.body.iter().map(in_state).collect(), ..rule.clone() };
        asked.head = Atom::new("met", &[]);
        asked.vars.push("state".to_owned());
        let order = order::order(&asked, Bound::default(), &self.sizes).ok_or(TooMuch)?;
        self.left = self.left.saturating_sub((rule.body.len() as u64).pow(2));
        let budget = self.left.min(QUESTION);
        let (met, rest) = self.interpreter.join(&asked, &order, budget, 0);
        self.left -= budget - rest;
        met.map(|found| !found.is_empty())
    }
}

/// Rows of tables, and how many values each column has.
#[derive(Default)]
struct Sizes(FxHashMap<Key, (f64, Vec<f64>)>);

impl Sizes {
    fn of(program: &Program, plays: &Plays) -> Sizes {
        let statics = program.relations.keys().filter(|key| program.level(key) == Level::Static);
        let keys = statics.cloned().chain(plays.fluents.iter().map(seen));
        let size = |key: Key| {
            let table = plays.interpreter.tables.rows(&key)?;
            let values = |column: usize| {
                let values: FxHashSet<TermId> = table.rows().map(|row| row[column]).collect();
                values.len().max(1) as f64
            };
            let columns = (0..key.1).map(values).collect();
            Some((key, (table.len() as f64, columns)))
        };
        Sizes(keys.filter_map(size).collect())
    }
}

impl Costs for Sizes {
    fn answers(&self, atom: &Atom, bound: &Bound) -> f64 {
        let Some((rows, columns)) = self.0.get(&atom.key()) else { return 0.0 };
        let known = atom.args.iter().zip(columns).filter(|(arg, _)| order::is_bound(arg, bound));
        known.fold(*rows, |rows, (_, values)| rows / values)
    }
}
