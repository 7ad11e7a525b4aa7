//! Answers that are moves: what shape each has, and what it needs.

use super::represented::Fitted;
use super::{Guided, Lowering, Lowers};
use crate::code::{Cost, Move};
use crate::merging::Outcome;
use crate::program::Program;
use zug_state::Number;
use zug_symbolic::{Condition, Guarded, Shape, Term};

/// The most answers after those that are of several shapes were split.
const MOST_ANSWERS: usize = 4096;

impl Lowering<'_, '_> {
    /// Answers whose terms are of one shape each.
    pub(super) fn split(&mut self, outcome: &Outcome, cost: bool) -> Lowers<Vec<Guided>> {
        let mut all = Vec::new();
        for (condition, values) in &outcome.answers {
            let (&name, &to) = match (values.first(), values.last()) {
                (Some(name), Some(to)) if values.len() == 2 + usize::from(cost) => (name, to),
                _ => return Err("an answer has other variables".to_owned()),
            };
            let cost = cost.then(|| values[1]);
            for (holds, name, to) in self.apart(*condition, name, to)? {
                all.push(Guided { condition: holds, name, cost, to });
            }
            if all.len() > MOST_ANSWERS {
                return Err("there are too many shapes of moves".to_owned());
            }
        }
        Ok(all)
    }

    fn apart(
        &mut self,
        condition: Condition,
        name: Term,
        to: Term,
    ) -> Lowers<Vec<(Condition, Term, Term)>> {
        let mut waiting = vec![(condition, name, to)];
        let mut done = Vec::new();
        while let Some((condition, name, to)) = waiting.pop() {
            let choice = self
                .structural(name)
                .or_else(|| self.structural_in_state(to).unwrap_or_else(|| self.structural(to)));
            let Some(ways) = choice else {
                done.push((condition, name, to));
                continue;
            };
            if done.len() + waiting.len() > MOST_ANSWERS || self.store.is_spent() {
                return Err("there are too many shapes of states".to_owned());
            }
            self.store.spend(ways.len());
            for (way, _) in ways.into_iter().rev() {
                let both = self.store.both(condition, way);
                if both != Condition::NEVER {
                    let [name, to] = [name, to].map(|term| self.settled(term, both));
                    waiting.push((both, name, to));
                }
            }
        }
        Ok(done)
    }

    /// A choice in a term between structures, or whether an element is there.
    fn structural(&mut self, term: Term) -> Option<Vec<Guarded>> {
        let (mut waiting, mut visited) = (vec![term], Vec::new());
        let mut found = None;
        while let Some(term) = waiting.pop() {
            if self.store.is_plain(term) || self.whole.contains(&term) {
                continue;
            }
            visited.push(term);
            match self.store.shape(term) {
                Shape::Choice(ways) if !ways.iter().all(|&(_, way)| self.is_scalar(way)) => {
                    found = Some(ways.to_vec());
                    break;
                }
                Shape::Present(elements) => {
                    let (there, element) = elements[0];
                    let not = self.store.not(there);
                    found = Some(vec![(there, element), (not, element)]);
                    break;
                }
                Shape::Pair(head, tail) => waiting.extend([tail, head]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter().rev()),
                _ => {}
            }
        }
        self.store.spend(visited.len());
        if found.is_none() {
            self.whole.extend(visited);
        }
        found
    }

    pub(super) fn is_scalar(&self, term: Term) -> bool {
        matches!(
            self.store.shape(term),
            Shape::Constant(_) | Shape::Leaf(_) | Shape::Integer(..) | Shape::Choice(_)
        )
    }

    /// The number of a move; `None` if all states are given back in which it is one.
    pub(super) fn move_of(&mut self, one: &Guided) -> Lowers<Option<u32>> {
        let name = self.template(one.name)?;
        let to = match self.represented(one.to, one.condition)? {
            Fitted::Represented(to) => to,
            Fitted::Differs => self.template(one.to)?,
            Fitted::GivenBack => return Ok(None),
        };
        let mut cost = None;
        if let Some(term) = one.cost {
            cost = Some(match self.store.as_integer(term) {
                Some(value) => Cost::Fixed(Number::Int(value)),
                None => Cost::Temp(self.int(term)?),
            });
        }
        let to = self.expected(to)?;
        let same = to.shape == self.board.shape && to.leaves.len() == self.board.leaves;
        let writes = same.then(|| crate::compile::writes(&to.leaves));
        let mut needs = Program::needs_of(&[&name, &to]).into_vec();
        if let Some(Cost::Temp(value)) = cost {
            needs.push(value);
        }
        needs.sort_unstable();
        needs.dedup();
        self.program.needs.push(needs.into());
        self.moves.push(Move { name, cost, to, writes });
        Ok(Some(self.moves.len() as u32 - 1))
    }
}
