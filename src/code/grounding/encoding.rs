//! Finite-domain encoding: mutex groups as variables, and operators on them.

use super::facts::Fact;
use super::task::{Effect, Formula, Task};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use zug_state::variables::{MOST_VALUES, Place};

/// Variables of a task.
pub struct Encoding {
    /// By fact.
    pub places: Vec<Place>,
    /// By variable: how many values it has, and the one that stands for no fact.
    pub values: Vec<(u8, Option<u8>)>,
    /// How many groups that variables come from have facts that are not all values of one variable,
    pub spread: usize,
    /// and by fact: in which of these it is.
    pub groups: Vec<Vec<u16>>,
}

impl Encoding {
    /// Chooses groups, the largest first, until each fact that can change is a value of a variable. `None` if there are
    /// too many variables.
    pub fn of(task: &Task, groups: Vec<Vec<Fact>>, facts: usize, initial: usize) -> Option<Self> {
        let mut of: Vec<Option<usize>> = vec![None; facts];
        let mut chosen: Vec<Vec<Fact>> = Vec::new();
        let is_open = |of: &[Option<usize>], fact: Fact| {
            of[fact as usize].is_none() && !task.always[fact as usize]
        };
        // PERF: what is left of a group only shrinks, so one whose size holds is the largest.
        let sizes = groups.iter().enumerate().map(|(at, group)| (group.len(), Reverse(at)));
        let (mut left, mut used) = (groups.clone(), Vec::new());
        let mut largest: BinaryHeap<(usize, Reverse<usize>)> = sizes.collect();
        while let Some((size, Reverse(at))) = largest.pop() {
            left[at].retain(|&fact| is_open(&of, fact));
            match left[at].len() {
                0 | 1 => {}
                smaller if smaller < size => largest.push((smaller, Reverse(at))),
                _ => {
                    used.push(at);
                    for part in left[at].chunks(MOST_VALUES - 1) {
                        part.iter().for_each(|&fact| of[fact as usize] = Some(chosen.len()));
                        chosen.push(part.to_vec());
                    }
                }
            }
        }
        for fact in 0..facts as Fact {
            if is_open(&of, fact) {
                of[fact as usize] = Some(chosen.len());
                chosen.push(vec![fact]);
            }
        }
        let holds = |fact: Fact| (fact as usize) < initial;
        let mut has_none: Vec<bool> =
            chosen.iter().map(|group| !group.iter().any(|&fact| holds(fact))).collect();
        for operator in &task.operators {
            for Effect { fact, becomes, where_holds } in &operator.effects {
                let Some(variable) = of[*fact as usize] else { continue };
                let is_added = |other: &Effect| {
                    other.becomes == Some(true)
                        && other.where_holds.is_empty()
                        && of[other.fact as usize] == Some(variable)
                };
                let may_go =
                    *becomes == Some(false) || where_holds.iter().any(|(_, becomes)| !becomes);
                if may_go && !operator.effects.iter().any(is_added) {
                    has_none[variable] = true;
                }
            }
        }
        if chosen.len() >= usize::from(u16::MAX) {
            return None;
        }
        let mut places = vec![Place::Always; facts];
        let mut values = Vec::with_capacity(chosen.len());
        for (variable, group) in chosen.iter().enumerate() {
            // 0 stands for no fact.
            let first = u8::from(has_none[variable]);
            for (value, &fact) in group.iter().enumerate() {
                places[fact as usize] = Place::Value(variable as u16, first + value as u8);
            }
            values.push((first + group.len() as u8, has_none[variable].then_some(0)));
        }
        let (mut spread, mut within) = (0, vec![Vec::new(); facts]);
        for group in used.into_iter().map(|at| &groups[at]) {
            if group.iter().any(|&fact| of[fact as usize] != of[group[0] as usize]) {
                group.iter().for_each(|&fact| within[fact as usize].push(spread as u16));
                spread += 1;
            }
        }
        Some(Encoding { places, values, spread, groups: within })
    }

    /// The variable and the value that a fact is, which can change.
    pub fn place(&self, fact: Fact) -> Option<(u16, u8)> {
        match self.places[fact as usize] {
            Place::Value(variable, value) => Some((variable, value)),
            Place::Always => None,
        }
    }

    /// Whether a condition holds of values.
    pub fn holds(&self, formula: &Formula, values: &[u8]) -> bool {
        match formula {
            Formula::Fact(fact) => self
                .place(*fact)
                .is_none_or(|(variable, value)| values[usize::from(variable)] == value),
            Formula::Not(inner) => !self.holds(inner, values),
            Formula::All(parts) => parts.iter().all(|part| self.holds(part, values)),
            Formula::Any(parts) => parts.iter().any(|part| self.holds(part, values)),
        }
    }

    /// What an effect, where it holds, makes of its variable: facts that go leave none, unless another one has come.
    pub fn write(&self, fact: Fact, becomes: bool, before: &[u8], after: &mut [u8]) {
        let Some((variable, value)) = self.place(fact) else { return };
        let at = usize::from(variable);
        if becomes {
            after[at] = value;
        } else if after[at] == value && before[at] == value {
            after[at] = self.values[at].1.unwrap_or(value);
        }
    }
}
