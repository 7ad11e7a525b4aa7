//! The rules of a puzzle as operators over the leaves of states of one shape, from which heuristics are
//! derived.

use crate::merging::{Outcome, Residual, UNBOUND};
use crate::program::make::{Met, Shared, make, outcome};
use crate::units::{Target, Units};
use crate::words::Words;
use std::sync::Arc;
use zug_derived::{Leaf, Operator, Operators, Source, Value};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, PackedState, Word};
use zug_symbolic::{Condition, Formula, Shape, Store, Term};
use zug_term::Cell;

/// The most ways in which the conditions of all moves, or of goals, may hold.
const MOST_WAYS: usize = 4096;

/// Why rules are no operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOperators {
    /// There is no code for them, which is what operators are read from.
    NoCode,
    /// Leaves that are not of one byte, that may be unbound, or too many of them.
    Leaves,
    /// A condition is more than values of leaves, or holds in very many ways.
    Conditions,
    /// A move leads to a state of another shape, or computes what it writes.
    Writes,
    /// The cost of a move depends on the state, or is no small integer.
    Cost,
}

impl Units {
    /// The rules of a puzzle as operators over the leaves of states like this one, with so many steps of
    /// making code at most: its moves, and its goals.
    ///
    /// # Errors
    /// They are none.
    pub fn operators<S: PackedState>(
        &self,
        (rule, goal): (usize, usize),
        state: &S,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        steps: u64,
    ) -> Result<Operators, NoOperators> {
        let (before, leaves) = state.bytes().split_at(self.layout.before);
        let shape = before.last().ok_or(NoOperators::Leaves)?;
        let mut words = Vec::new();
        codec.words(leaves, &mut words).map_err(|_| NoOperators::Leaves)?;
        if words.len() != leaves.len() {
            return Err(NoOperators::Leaves);
        }
        let sample: Vec<Word> = words.into_iter().map(Word).collect();
        let met = Met { sample: &sample, singles: &[], integers: None, progress: None };
        let targets = (&self.targets[rule], &self.targets[goal]);
        operators((m, w, codec), targets, (*shape, met), steps)
    }
}

/// The operators that the rules of a puzzle come to on states of a shape, with so many steps of making
/// code at most.
///
/// # Errors
/// They are none.
fn operators(
    (m, w, codec): (&mut Machine, &mut World, &mut Codec),
    (rule, goal): (&Target, &Target),
    (shape, met): (u8, Met<'_>),
    steps: u64,
) -> Result<Operators, NoOperators> {
    let leaves = codec.leaves_of(shape);
    if codec.represents() || leaves > usize::from(Leaf::MAX) {
        return Err(NoOperators::Leaves);
    }
    // What leaves may be is closed under the moves then.
    let (mut shared, mut residual) = (None, Residual::default());
    make(m, w, codec, rule, (shape, met), steps, (&mut shared, &mut residual))
        .map_err(|_| NoOperators::NoCode)?;
    let known = shared.ok_or(NoOperators::NoCode)?;
    let (moves, known) = found(m, w, rule, known)?;
    let (goals, known) = found(m, w, goal, known)?;
    let (store, state) = known.parts();
    let mut reader = Reader { store, words: Words(codec), state };
    let mut operators = Vec::new();
    for answer in &moves.answers {
        let (None, &[_, cost, to]) = (&answer.call, &answer.values[..]) else {
            return Err(NoOperators::Writes);
        };
        let cost = store.as_integer(cost).and_then(|cost| u32::try_from(cost).ok());
        let cost = cost.ok_or(NoOperators::Cost)?;
        let writes = reader.writes(to)?;
        for tests in reader.ways(answer.condition)? {
            operators.push(Operator { tests, cost, writes: writes.clone() });
        }
        if operators.len() > MOST_WAYS {
            return Err(NoOperators::Conditions);
        }
    }
    let mut ways = Vec::new();
    for goal in &goals.answers {
        ways.extend(reader.ways(goal.condition)?);
    }
    Ok(Operators { leaves, operators, goals: ways })
}

/// The guarded answers of a predicate that never gives a state back.
fn found(
    m: &mut Machine,
    w: &mut World,
    target: &Target,
    known: Shared,
) -> Result<(Arc<Outcome>, Shared), NoOperators> {
    let (outcome, known) = outcome(m, w, target, known);
    let outcome = outcome.filter(|outcome| outcome.given_back == Condition::NEVER);
    Ok((outcome.ok_or(NoOperators::NoCode)?, known))
}

/// Reads conditions and terms.
struct Reader<'a> {
    store: &'a Store,
    words: Words<'a>,
    /// The state that moves lead from.
    state: Term,
}

impl Reader<'_> {
    /// The byte of a value.
    fn byte(&mut self, cell: Cell) -> Result<Value, NoOperators> {
        let word = if cell == UNBOUND { None } else { self.words.word(cell) };
        word.and_then(Word::byte).ok_or(NoOperators::Leaves)
    }

    /// The ways in which a condition may hold: what leaves are in each.
    fn ways(&mut self, condition: Condition) -> Result<Vec<Vec<(Leaf, Value)>>, NoOperators> {
        match self.store.says(condition).clone() {
            Formula::Never => Ok(Vec::new()),
            Formula::Always => Ok(vec![Vec::new()]),
            Formula::Literal(leaf, set) => {
                let (values, _) = self.store.values_by(leaf, set);
                let values = values.into_iter();
                values.map(|value| Ok(vec![(leaf.0 as Leaf, self.byte(value)?)])).collect()
            }
            Formula::Comparison { .. } => Err(NoOperators::Conditions),
            Formula::Or(parts) => {
                let mut all = Vec::new();
                for &part in parts.iter() {
                    all.extend(self.ways(part)?);
                    if all.len() > MOST_WAYS {
                        return Err(NoOperators::Conditions);
                    }
                }
                Ok(all)
            }
            Formula::And(parts) => {
                let mut all = vec![Vec::new()];
                for &part in parts.iter() {
                    let ways = self.ways(part)?;
                    if all.len() * ways.len() > MOST_WAYS {
                        return Err(NoOperators::Conditions);
                    }
                    let joined = |one: &Vec<_>| {
                        let one = one.clone();
                        ways.iter().map(move |way| [&one[..], way].concat()).collect::<Vec<_>>()
                    };
                    all = all.iter().flat_map(joined).collect();
                }
                Ok(all)
            }
        }
    }

    /// The leaves that a move changes.
    fn writes(&mut self, to: Term) -> Result<Vec<(Leaf, Source)>, NoOperators> {
        let (mut writes, mut waiting) = (Vec::new(), vec![(self.state, to)]);
        while let Some((from, to)) = waiting.pop() {
            if from == to {
                continue;
            }
            match (self.store.shape(from).clone(), self.store.shape(to).clone()) {
                (Shape::Leaf(leaf), Shape::Leaf(source)) => {
                    writes.push((leaf.0 as Leaf, Source::Leaf(source.0 as Leaf)));
                }
                (Shape::Leaf(leaf), Shape::Constant(value)) => {
                    writes.push((leaf.0 as Leaf, Source::Value(self.byte(value)?)));
                }
                (Shape::Pair(head, tail), Shape::Pair(new, rest)) => {
                    waiting.extend([(tail, rest), (head, new)]);
                }
                (Shape::Struct(one, old), Shape::Struct(other, new)) if one == other => {
                    waiting.extend(old.iter().copied().zip(new.iter().copied()));
                }
                _ => return Err(NoOperators::Writes),
            }
        }
        writes.sort_unstable_by_key(|&(leaf, _)| leaf);
        Ok(writes)
    }
}
