//! The rules of a puzzle as operators over the leaves of states of one shape, from which heuristics are
//! derived.
//!
//! Conditions and computed leaves that depend on few leaves become tables. What depends on more is not known:
//! such a condition may hold, such a leaf may be anything. Where code gives states back, leads to other
//! shapes or goes on with a call, nothing is known of what moves lead to.

use crate::code::{Code, Cost, Hole, Temp};
use crate::merging::{Outcome, Residual, UNBOUND};
use crate::program::Op;
use crate::program::expected::expect_between;
use crate::program::lower::Lowered;
use crate::program::make::{Met, Shared, make, outcome};
use crate::units::{Target, Units};
use crate::words::Words;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use zug_derived::{
    Condition as Told, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, Number, PackedState, Word};
use zug_symbolic::{Condition, Formula, Shape, Store, Term};
use zug_term::Cell;

/// The most rows of a table.
const MOST_ROWS: usize = 4096;
/// Rows that all tables may have together.
const ALL_ROWS: usize = 2_000_000;
/// Rounds in which what leaves may be grows by what moves lead to, before what goes on growing is taken to be
/// all that code expects; and the most rounds.
const FEW_ROUNDS: usize = 12;
const MOST_ROUNDS: usize = 40;
/// The most leaves of a state.
const MOST_LEAVES: usize = 4096;

/// Why rules are no operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOperators {
    /// There is no code for them, which is what operators are read from.
    NoCode,
    /// Leaves may be unbound, or are very many.
    Leaves,
}

impl Units {
    /// The rules of a puzzle as operators over the leaves of states like this one, with so many steps of
    /// making code at most: its moves, and its goals if they are asked for.
    ///
    /// Most integers stay within what they are in states that were met. So leaves are first taken to be no
    /// more than that: where moves lead beyond, nothing is known of what follows. If that may be, leaves
    /// may be all that code for searches expects them to be.
    ///
    /// # Errors
    /// They are none.
    pub fn operators<S: PackedState>(
        &mut self,
        (rule, goal): (usize, Option<usize>),
        (state, met): (&S, &[S]),
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        steps: u64,
    ) -> Result<Operators, NoOperators> {
        let (before, leaves) = state.bytes().split_at(self.layout.before);
        let &shape = before.last().ok_or(NoOperators::Leaves)?;
        let mut words = Vec::new();
        codec.words(leaves, &mut words).map_err(|_| NoOperators::Leaves)?;
        let sample: Vec<Word> = words.into_iter().map(Word).collect();
        let targets = (&self.targets[rule], goal.map(|goal| &self.targets[goal]));
        let met_as = |is_settled| {
            let (singles, integers, progress): (&[Word], _, _) = (&[], None, None);
            Met { sample: &sample, singles, integers, progress, is_settled }
        };
        let mut close = None;
        if !met.is_empty() {
            let all = [state].into_iter().chain(met);
            let mut own = codec.with_seen(shape, all.map(|of| &of.bytes()[before.len() - 1..]));
            expect_between(&mut own, shape);
            let constants = own.constants().len();
            let kept = (&mut None, &mut Residual::default());
            let found = operators((m, w, &mut own), targets, (shape, met_as(true)), steps, kept);
            // A constant that was met nowhere else may get another code.
            let is_known = |byte: Value| {
                let word = Word(i64::from(byte));
                word.is_int() || (word.code() as usize) < constants
            };
            let are_known =
                |puzzle: &Operators| puzzle.domains.iter().flat_map(Values::iter).all(is_known);
            close = found.ok().filter(are_known);
        }
        if let Some(close) = close.as_ref().filter(|close| !close.has_escapes()) {
            return Ok(close.clone());
        }
        // What was found out when code was made is of use.
        let mut shared = self.shared.remove(&shape);
        let kept = (&mut shared, &mut self.residual);
        let found = operators((m, w, codec), targets, (shape, met_as(false)), steps, kept);
        self.shared.extend(shared.map(|shared| (shape, shared)));
        match (found, close) {
            (Ok(found), Some(close)) if found.has_escapes() => Ok(close),
            (Err(_), Some(close)) => Ok(close),
            (found, _) => found,
        }
    }
}

/// The operators that the rules of a puzzle come to on states of a shape, with so many steps of making
/// code at most.
///
/// # Errors
/// They are none.
fn operators(
    (m, w, codec): (&mut Machine, &mut World, &mut Codec),
    (rule, goal): (&Target, Option<&Target>),
    (shape, met): (u8, Met<'_>),
    steps: u64,
    (shared, residual): (&mut Option<Shared>, &mut Residual),
) -> Result<Operators, NoOperators> {
    if met.sample.len() > MOST_LEAVES {
        return Err(NoOperators::Leaves);
    }
    let made = make(m, w, codec, rule, (shape, met), steps, (shared, residual))
        .map_err(|_| NoOperators::NoCode)?;
    if made.unbound.contains(&true) {
        return Err(NoOperators::Leaves);
    }
    let mut known = shared.take().ok_or(NoOperators::NoCode)?;
    let mut goals = None;
    if let Some(goal) = goal {
        let found;
        (found, known) = outcome(m, w, goal, known);
        goals = Some(found);
    }
    let known = shared.insert(known);
    let goals = goals.map(|found| found.ok_or(NoOperators::NoCode)).transpose()?;
    let rules = Rules { lowered: &made.lowered, goals: goals.as_deref() };
    // What leaves may be by the code is closed under the moves but where states are given back. What is
    // reached from the start alone is often much less.
    let all: Vec<Values> = (0..met.sample.len()).map(|leaf| expected(codec, shape, leaf)).collect();
    let start = |(word, all): (&Word, &Values)| match word.byte() {
        Some(byte) if all.has(byte) => Values::from_iter([byte]),
        _ => *all,
    };
    let mut domains: Vec<Values> = met.sample.iter().zip(&all).map(start).collect();
    for round in 0..=MOST_ROUNDS {
        let puzzle = Reader::new(codec, known, domains.clone()).read(&rules);
        let reached = puzzle.reached(&all);
        if reached == domains {
            return Ok(puzzle);
        }
        // What goes on growing is a counter.
        let grown = domains.iter().zip(reached).zip(&all);
        domains = grown
            .map(|((&before, after), &all)| match after == before || round < FEW_ROUNDS {
                true => after,
                false => all.union(&after),
            })
            .collect();
    }
    Err(NoOperators::NoCode)
}

/// The bytes that a leaf may be; nothing if it may be more than a byte.
fn expected(codec: &Codec, shape: u8, leaf: usize) -> Values {
    let may = codec.may(shape, leaf).filter(|may| !may.is_wide()).unwrap_or_default();
    let has = |byte: &Value| may.bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0;
    (0..=Value::MAX).filter(has).collect()
}

/// The moves and goals that operators are read from.
struct Rules<'a> {
    lowered: &'a Lowered,
    goals: Option<&'a Outcome>,
}

/// Reads conditions and values.
struct Reader<'a> {
    store: &'a Store,
    puzzle: Operators,
    /// By leaf and place of a value in its domain: the word, and the cell.
    values: Vec<Vec<(i64, Cell)>>,
    known: FxHashMap<Condition, ConditionId>,
    /// By value of the program.
    sources: FxHashMap<Read, (Source, Option<ConditionId>)>,
    /// Rows that tables may still have.
    rows: usize,
}

/// What a source is read from: the number of a value, and whether it is an integer.
type Read = (Temp, bool);

impl<'a> Reader<'a> {
    fn new(codec: &mut Codec, known: &'a Shared, domains: Vec<Values>) -> Reader<'a> {
        let words = Words(codec);
        let of = |byte: Value| {
            let word = Word(i64::from(byte));
            (word.0, words.cell_or_unbound(word))
        };
        let values = domains.iter().map(|domain| domain.iter().map(of).collect()).collect();
        Reader {
            store: known.parts().0,
            puzzle: Operators::new(domains),
            values,
            known: FxHashMap::default(),
            sources: FxHashMap::default(),
            rows: ALL_ROWS,
        }
    }

    /// All of them.
    fn read(mut self, rules: &Rules<'_>) -> Operators {
        let Lowered { code, guards, back, .. } = rules.lowered;
        let mut escapes = vec![self.told(*back)];
        escapes.extend(rules.goals.map(|goals| self.told(goals.given_back)));
        let mut unpriced = Vec::new();
        for (mv, &guard) in code.moves.iter().zip(guards) {
            let condition = self.told(guard);
            match &mv.writes {
                Some(writes) if mv.call.is_none() => {
                    let (cost, none) = self.least(code, mv.cost);
                    if let Some(none) = none {
                        unpriced.push(self.puzzle.all(vec![condition, none]));
                    }
                    let mut all = Vec::with_capacity(writes.len());
                    for &(leaf, hole) in writes {
                        let (source, unmade) = self.source(code, hole);
                        all.push((leaf, source));
                        if let Some(unmade) = unmade {
                            escapes.push(self.puzzle.all(vec![condition, unmade]));
                        }
                    }
                    self.puzzle.operators.push(Operator { condition, cost, writes: all });
                }
                _ => escapes.push(condition),
            }
        }
        let goals = rules.goals.iter().flat_map(|goals| &goals.answers);
        let goals: Vec<ConditionId> = goals.map(|goal| self.told(goal.condition)).collect();
        let mut puzzle = self.puzzle;
        puzzle.goal = puzzle.any(goals);
        puzzle.unpriced = puzzle.any(unpriced);
        let never = puzzle.never();
        escapes.retain(|&escape| escape != never);
        puzzle.escape = puzzle.any(escapes);
        puzzle
    }

    /// A condition.
    fn told(&mut self, condition: Condition) -> ConditionId {
        if let Some(&known) = self.known.get(&condition) {
            return known;
        }
        let told = match self.store.says(condition).clone() {
            Formula::Never => self.puzzle.never(),
            Formula::Always => self.puzzle.always(),
            Formula::Literal(leaf, set) => {
                let (are, _) = self.store.values_by(leaf, set);
                let has_integers = self.store.has_integers(leaf, set) == Some(true);
                let is_in = |cell: &Cell| are.contains(cell) || (has_integers && cell.is_int());
                let values = &self.values[leaf.0 as usize];
                if values.is_empty() {
                    self.puzzle.condition(Told::Unknown)
                } else {
                    let domain = self.puzzle.domains[leaf.0 as usize];
                    let of = domain.iter().zip(values);
                    let of = of.filter(|(_, (_, cell))| is_in(cell)).map(|(value, _)| value);
                    let all: Values = of.collect();
                    self.puzzle.condition(Told::In(leaf.0 as Leaf, all))
                }
            }
            Formula::Comparison { .. } => {
                let mut leaves = BTreeSet::new();
                self.collect(condition, &mut leaves);
                let table = self.table(&leaves, |store, _, cells| store.holds(condition, cells));
                self.puzzle.condition(table.map_or(Told::Unknown, Told::Table))
            }
            Formula::And(parts) => {
                let parts = parts.iter().map(|&part| self.told(part)).collect();
                self.puzzle.all(parts)
            }
            Formula::Or(parts) => {
                let parts = parts.iter().map(|&part| self.told(part)).collect();
                self.puzzle.any(parts)
            }
        };
        self.known.insert(condition, told);
        told
    }

    /// The leaves that a condition is about.
    fn collect(&self, condition: Condition, leaves: &mut BTreeSet<Leaf>) {
        let (mut conditions, mut terms): (Vec<Condition>, Vec<Term>) =
            (vec![condition], Vec::new());
        let mut seen = BTreeSet::new();
        loop {
            if let Some(condition) = conditions.pop() {
                match self.store.says(condition) {
                    Formula::Never | Formula::Always => {}
                    Formula::Literal(leaf, _) => drop(leaves.insert(leaf.0 as Leaf)),
                    Formula::Comparison { left, right, .. } => terms.extend([*left, *right]),
                    Formula::And(parts) | Formula::Or(parts) => conditions.extend(parts.iter()),
                }
            } else if let Some(term) = terms.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match self.store.shape(term) {
                    Shape::Leaf(leaf) => drop(leaves.insert(leaf.0 as Leaf)),
                    Shape::Integer(_, parts) | Shape::Float(_, parts) => terms.extend(parts.iter()),
                    Shape::Choice(ways) => {
                        for &(condition, way) in ways.iter() {
                            conditions.push(condition);
                            terms.push(way);
                        }
                    }
                    _ => {}
                }
            } else {
                return;
            }
        }
    }

    /// A function of some leaves as a table: by the words and the cells of all leaves, of which only these
    /// count. `None` if it would be large.
    fn table<T>(
        &mut self,
        leaves: &BTreeSet<Leaf>,
        mut of: impl FnMut(&Store, &[i64], &[Cell]) -> T,
    ) -> Option<Table<T>> {
        let sizes = leaves.iter().map(|&leaf| self.values[usize::from(leaf)].len());
        let count = sizes.fold(1usize, usize::saturating_mul);
        if count == 0 || count > MOST_ROWS.min(self.rows) {
            return None;
        }
        self.rows -= count;
        let first = |of: &Vec<(i64, Cell)>| of.first().copied().unwrap_or((0, UNBOUND));
        let (mut words, mut cells): (Vec<i64>, Vec<Cell>) = self.values.iter().map(first).unzip();
        let mut rows = Vec::with_capacity(count);
        for mut row in 0..count {
            for &leaf in leaves {
                let leaf = usize::from(leaf);
                let values = &self.values[leaf];
                (words[leaf], cells[leaf]) = values[row % values.len()];
                row /= values.len();
            }
            rows.push(of(self.store, &words, &cells));
        }
        Some(Table { leaves: leaves.iter().copied().collect(), rows: rows.into() })
    }

    /// What is written into a leaf, and where there is no such value.
    fn source(&mut self, code: &Code, hole: Hole) -> (Source, Option<ConditionId>) {
        let (temp, is_integer) = match hole {
            Hole::Word(word) => {
                let source = word.byte().map_or(Source::Unknown, Source::Value);
                return (source, None);
            }
            Hole::Leaf(leaf) => return (Source::Leaf(leaf), None),
            Hole::Temp(temp) => (temp, true),
            Hole::Value(temp) => (temp, false),
        };
        if let Some(known) = self.sources.get(&(temp, is_integer)) {
            return known.clone();
        }
        let byte = |value: Option<i64>| {
            let value = value.filter(|&value| value != crate::moves::NO_WORD || is_integer)?;
            if is_integer { Word::int(value)?.byte() } else { Word(value).byte() }
        };
        let rows = self.tabulated(code, temp);
        let source = match rows {
            None => (Source::Unknown, Some(self.puzzle.condition(Told::Unknown))),
            Some(Table { leaves, rows }) => {
                let rows: Vec<Option<Value>> = rows.iter().map(|&value| byte(value)).collect();
                let unmade = rows.contains(&None).then(|| {
                    let rows = rows.iter().map(Option::is_none).collect();
                    self.puzzle.condition(Told::Table(Table { leaves: leaves.clone(), rows }))
                });
                let filler = rows.iter().flatten().next().copied();
                let source = filler.map_or(Source::Unknown, |filler| {
                    let rows = rows.iter().map(|row| row.unwrap_or(filler)).collect();
                    Source::Table(Table { leaves, rows })
                });
                (source, unmade)
            }
        };
        self.sources.insert((temp, is_integer), source.clone());
        source
    }

    /// What a value of a program is, by the leaves that it depends on; nothing if these are many.
    fn tabulated(&mut self, code: &Code, temp: Temp) -> Option<Table<Option<i64>>> {
        let program = &code.program;
        let (mut waiting, mut needed, mut leaves) = (vec![temp], BTreeSet::new(), BTreeSet::new());
        while let Some(value) = waiting.pop() {
            if !needed.insert(value) {
                continue;
            }
            let op = program.op(value);
            match op {
                Op::Leaf(leaf)
                | Op::Number(leaf)
                | Op::Table(leaf, _)
                | Op::FloatTable(leaf, _)
                | Op::In(leaf, _) => drop(leaves.insert(*leaf)),
                // Of all leaves of a board.
                Op::Cells(_) => return None,
                _ => op.each_operand(|operand| waiting.push(operand)),
            }
        }
        let mut values = vec![0; program.values.len()];
        self.table(&leaves, |_, words, _| {
            for &value in &needed {
                values[value as usize] = program.computed(value, &values, words)?;
            }
            Some(values[temp as usize])
        })
    }

    /// The least that a move costs, and where it has no cost that counts.
    fn least(&mut self, code: &Code, cost: Option<Cost>) -> (u32, Option<ConditionId>) {
        let integer = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        // A float is cast to the next integer below, and to a bound if it lies beyond.
        let float = |value: f64| value as u32;
        let rows = match cost {
            None => return (0, Some(self.puzzle.always())),
            Some(Cost::Fixed(cost)) => {
                let none = cost.is_negative() || cost.is_infinite();
                let least = match cost {
                    Number::Int(value) => integer(value),
                    Number::Float(value) => float(value),
                    Number::Large(_) => u32::MAX,
                };
                return (least, none.then(|| self.puzzle.always()));
            }
            Some(Cost::Temp(temp) | Cost::Float(temp)) => self.tabulated(code, temp),
        };
        let Some(Table { leaves, rows }) = rows else {
            return (0, Some(self.puzzle.condition(Told::Unknown)));
        };
        let is_float = matches!(cost, Some(Cost::Float(_)));
        let of = |value: i64| {
            if is_float { float(f64::from_bits(value as u64)) } else { integer(value) }
        };
        let counts = |value: i64| match is_float {
            true => (0.0..f64::INFINITY).contains(&f64::from_bits(value as u64)),
            false => value >= 0,
        };
        let least = rows.iter().flatten().map(|&value| of(value)).min().unwrap_or(0);
        let none: Box<[bool]> = rows.iter().map(|row| !row.is_some_and(counts)).collect();
        let none = none.contains(&true).then_some(Told::Table(Table { leaves, rows: none }));
        (least, none.map(|none| self.puzzle.condition(none)))
    }
}
