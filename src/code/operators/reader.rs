//! Conditions and values of guarded answers, over leaves that may have a few values each.

use crate::code::{Hole, Template, ValueId};
use crate::merging::{Outcome, UNBOUND};
use crate::program::lower::Lowered;
use crate::program::make::Shared;
use crate::words::Words;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use zug_derived::{
    Condition as Told, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
use zug_state::{Codec, Word};
use zug_symbolic::{Condition, Formula, Shape, Store, Term, limits};
use zug_term::Cell;

/// What a state has where a condition holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Label {
    /// A number.
    Number(i64),
    /// A name: the number of its shape, and its words.
    Name(u8, Vec<i64>),
}

/// Where states have what: of those that hold the one with the lowest number counts.
pub type Outcomes = Vec<(ConditionId, (u32, Label))>;

#[derive(Clone, Copy)]
pub(super) enum Rules<'a> {
    /// Moves, whether they have costs, and goals if there are some.
    Moves(&'a Lowered, bool, Option<&'a Outcome>),
    /// Where something holds: the goals.
    Holds(&'a Outcome),
    /// What numbers states have.
    Values(&'a Outcome),
    /// What names states have, as moves that lead nowhere.
    Names(&'a Lowered),
}

/// Numbers that a value may be, each with the condition under which it is: of these one holds at most.
pub(super) type Numbers = Vec<(i64, ConditionId)>;

#[derive(Default)]
pub(super) struct Cases {
    pub(super) numbers: FxHashMap<ValueId, Option<Numbers>>,
    pub(super) truths: FxHashMap<ValueId, Option<ConditionId>>,
    pub(super) bits: FxHashMap<(ValueId, u8), Option<ConditionId>>,
    pub(super) terms: FxHashMap<Term, Option<Numbers>>,
    pub(super) negated: FxHashMap<ConditionId, ConditionId>,
    /// Values of the program that not all states have: using one where it is missing deoptimises.
    pub(super) partial: FxHashSet<ValueId>,
    /// A value was missing somewhere in what was computed last.
    pub(super) missing: bool,
    pub(super) depth: usize,
}

pub(super) struct Reader<'a> {
    pub(super) store: &'a Store,
    pub(super) puzzle: Operators,
    /// By leaf and place of a value in its domain: the word, and the cell.
    pub(super) values: Vec<Vec<(i64, Cell)>>,
    known: FxHashMap<Condition, ConditionId>,
    /// By value of the program.
    pub(super) sources: FxHashMap<Read, (Source, Option<ConditionId>)>,
    /// What depends on very many leaves is told by cases, if that is asked for.
    pub(super) cases: Option<Cases>,
    rows: usize,
}

/// What a source is read from: the number of a value, and whether it is an integer.
type Read = (ValueId, bool);

impl<'a> Reader<'a> {
    pub fn new(
        codec: &mut Codec,
        known: &'a Shared,
        domains: Vec<Values>,
        by_cases: bool,
    ) -> Reader<'a> {
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
            cases: by_cases.then(Cases::default),
            rows: limits::ALL_ROWS,
        }
    }

    /// The operators and what states are worth; nothing if that is not known.
    pub fn read(mut self, rules: Rules<'_>) -> Option<(Operators, Outcomes)> {
        let mut outcomes = Vec::new();
        match rules {
            Rules::Moves(lowered, priced, goals) => {
                let mut escapes = self.moves(lowered, priced);
                escapes.extend(goals.map(|goals| self.told(goals.deopt)));
                self.finish(goals, escapes);
            }
            Rules::Holds(goals) => {
                let deopt = self.told(goals.deopt);
                self.finish(Some(goals), vec![deopt]);
            }
            Rules::Values(values) => {
                let deopt = self.told(values.deopt);
                for answer in &values.answers {
                    let (condition, mut ways) = (self.told(answer.condition), Vec::new());
                    self.valued(condition, *answer.values.first()?, &mut ways)?;
                    outcomes.push((condition, ways));
                }
                self.finish(None, vec![deopt]);
            }
            Rules::Names(lowered) => {
                let deopt = self.told(lowered.back);
                for (mv, &guard) in lowered.code.moves.iter().zip(&lowered.guards) {
                    let condition = self.told(guard);
                    outcomes.push((condition, self.named(condition, &mv.name)?));
                }
                self.finish(None, vec![deopt]);
            }
        }
        let outcomes = self.ordered(outcomes);
        Some((self.puzzle, outcomes))
    }

    /// What answers say: the first that holds counts. In one exactly one label holds, so the
    /// longest to tell is what is left of it. Neighbours that say the same are one.
    fn ordered(&mut self, answers: Vec<(ConditionId, Vec<(ConditionId, Label)>)>) -> Outcomes {
        let mut ordered: Vec<BTreeMap<Label, Vec<ConditionId>>> = Vec::new();
        for (whole, answer) in answers {
            let mut ways: BTreeMap<Label, Vec<ConditionId>> = BTreeMap::new();
            for (condition, label) in answer {
                ways.entry(label).or_default().push(condition);
            }
            let length = |(_, conditions): &(&Label, &Vec<ConditionId>)| self.length(conditions);
            let longest = ways.iter().max_by_key(length).map(|(label, _)| label.clone());
            let longest = longest.filter(|_| ways.len() > 1);
            if let Some(label) = &longest {
                ways.remove(label);
            }
            match ordered.last_mut() {
                Some(last) if last.len() == 1 && last.keys().eq(ways.keys()) => {
                    for (all, more) in last.values_mut().zip(ways.into_values()) {
                        all.extend(more);
                    }
                }
                _ => ordered.push(ways),
            }
            ordered.extend(longest.map(|label| BTreeMap::from([(label, vec![whole])])));
        }
        let numbered = (0..).zip(ordered);
        let each = numbered.flat_map(|(rank, ways)| ways.into_iter().map(move |way| (rank, way)));
        each.map(|(rank, (label, conditions))| (self.puzzle.any(conditions), (rank, label)))
            .collect()
    }

    fn length(&self, conditions: &[ConditionId]) -> usize {
        let (mut waiting, mut seen) = (conditions.to_vec(), BTreeSet::new());
        while let Some(condition) = waiting.pop() {
            if let (true, Told::All(parts) | Told::Any(parts)) =
                (seen.insert(condition), &self.puzzle.conditions[condition as usize])
            {
                waiting.extend(parts);
            }
        }
        seen.len()
    }

    /// Sets what holds in goals and where nothing is known.
    fn finish(&mut self, goals: Option<&Outcome>, mut escapes: Vec<ConditionId>) {
        let goals = goals.iter().flat_map(|goals| &goals.answers);
        let goals: Vec<ConditionId> = goals.map(|goal| self.told(goal.condition)).collect();
        self.puzzle.goal = self.puzzle.any(goals);
        let never = self.puzzle.never();
        escapes.retain(|&escape| escape != never);
        self.puzzle.escape = self.puzzle.any(escapes);
    }

    /// Reads moves: where it is not known what they lead to.
    fn moves(&mut self, lowered: &Lowered, priced: bool) -> Vec<ConditionId> {
        let Lowered { code, guards, back, .. } = lowered;
        let mut escapes = vec![self.told(*back)];
        let (mut unpriced, mut dearer) = (Vec::new(), Vec::new());
        for (mv, &guard) in code.moves.iter().zip(guards) {
            let condition = self.told(guard);
            match &mv.writes {
                Some(writes) if mv.call.is_none() => {
                    let (cost, none, varies) =
                        if priced { self.least(code, mv.cost) } else { (0, None, false) };
                    if varies {
                        dearer.push(condition);
                    }
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
        self.puzzle.unpriced = self.puzzle.any(unpriced);
        self.puzzle.dearer = self.puzzle.any(dearer);
        escapes
    }

    fn valued(
        &mut self,
        condition: ConditionId,
        term: Term,
        to: &mut Vec<(ConditionId, Label)>,
    ) -> Option<()> {
        if to.len() > limits::ALTERNATIVES {
            return None;
        }
        match self.store.shape(term) {
            Shape::Constant(cell) => to.push((condition, Label::Number(cell.as_int()?))),
            Shape::Choice(ways) => {
                // Exactly one of them is it.
                for &(way, term) in ways.clone().iter() {
                    let way = self.told(way);
                    let both = self.puzzle.all(vec![condition, way]);
                    self.valued(both, term, to)?;
                }
            }
            _ => {
                let mut leaves = BTreeSet::new();
                self.collect(Vec::new(), vec![term], &mut leaves);
                let Table { leaves, rows } =
                    self.table(&leaves, |store, _, cells| store.integer_in(term, cells))?;
                // Elsewhere the number is none that is known, if the condition holds there at all.
                if let Some(unknown) = self.where_nothing(&leaves, &rows)
                    && self.puzzle.all(vec![condition, unknown]) != self.puzzle.never()
                {
                    return None;
                }
                let mut numbers: Vec<i64> = rows.iter().flatten().copied().collect();
                numbers.sort_unstable();
                numbers.dedup();
                for number in numbers {
                    let rows = rows.iter().map(|row| *row == Some(number)).collect();
                    let table = Told::Table(Table { leaves: leaves.clone(), rows });
                    let is = self.puzzle.condition(table);
                    to.push((self.puzzle.all(vec![condition, is]), Label::Number(number)));
                }
            }
        }
        Some(())
    }

    fn named(&mut self, within: ConditionId, name: &Template) -> Option<Vec<(ConditionId, Label)>> {
        let mut ways = vec![(within, Vec::with_capacity(name.leaves.len()))];
        for hole in &name.leaves {
            match *hole {
                Hole::Word(word) => ways.iter_mut().for_each(|(_, words)| words.push(word.0)),
                Hole::Leaf(leaf) => {
                    let domain = self.puzzle.domains[usize::from(leaf)];
                    let mut all = Vec::new();
                    for (within, words) in ways {
                        for value in domain.iter() {
                            let is = self.puzzle.is(leaf, value);
                            let both = self.puzzle.all(vec![within, is]);
                            all.push((both, [&words[..], &[i64::from(value)]].concat()));
                        }
                    }
                    ways = all;
                }
                Hole::Temp(_) | Hole::Value(_) => return None,
            }
            if ways.len() > limits::ALTERNATIVES {
                return None;
            }
        }
        let labelled = |(within, words)| (within, Label::Name(name.shape, words));
        Some(ways.into_iter().map(labelled).collect())
    }

    pub(super) fn told(&mut self, condition: Condition) -> ConditionId {
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
                self.collect(vec![condition], Vec::new(), &mut leaves);
                let table = self.table(&leaves, |store, _, cells| store.holds(condition, cells));
                match table {
                    Some(table) => self.puzzle.condition(Told::Table(table)),
                    None => match self.compared(condition) {
                        Some(told) => told,
                        None => self.puzzle.condition(Told::Unknown),
                    },
                }
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

    fn collect(
        &self,
        mut conditions: Vec<Condition>,
        mut terms: Vec<Term>,
        leaves: &mut BTreeSet<Leaf>,
    ) {
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

    /// A function of some leaves as a table, given the words and cells of all; `None` if it would be large.
    pub(super) fn table<T>(
        &mut self,
        leaves: &BTreeSet<Leaf>,
        mut of: impl FnMut(&Store, &[i64], &[Cell]) -> T,
    ) -> Option<Table<T>> {
        let sizes = leaves.iter().map(|&leaf| self.values[usize::from(leaf)].len());
        let count = sizes.fold(1usize, usize::saturating_mul);
        if count == 0 || count > limits::ANSWERS.min(self.rows) {
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
}
