//! `why/1`: which constraints force the values of an answer.

use super::Reasons;
use super::conflict::is_asked;
use super::noting::{noted_run, while_noting};
use super::trial::{Other, Verdict};
use super::words::Names;
use crate::expression::integer;
use crate::number::Bound;
use zug_explain::{keep, proof_of};
use zug_machine::{Machine, Outcome};
use zug_prolog::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, watchdog};

/// Values that are told why they are forced.
const MOST: usize = 12;
/// Lines after which of a value only the lines of its constraints are told.
const MOST_LINES: usize = 40;

/// `'$constrained'(Goal)`: Goal posts constraints, or would if it could.
pub(crate) fn is_posted(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    if !is_asked(m, w) {
        return Ok(false);
    }
    let Some((run, noted)) = noted_run(m, w, args[0])? else { return Ok(false) };
    m.abandon(run);
    Ok(!noted.is_empty())
}

/// `'$why_constrained'(Goal, Answer)`: keeps the proof of an answer of a goal that posts constraints, and which of them force its
/// values.
pub(crate) fn forced(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    let base = m.roots.len();
    m.roots.extend_from_slice(&args[..2]);
    let proof = while_noting(m, w, |m, w| proof_of(m, w, args[1]));
    let noted = proof.and_then(|proof| {
        let [goal, answer] = [m.roots[base], m.roots[base + 1]];
        // The way through the goal that leads to this answer.
        let differs = m.symbols.intern("\\=");
        let differs = m.heap.new_struct(differs, &[goal, answer]);
        let agrees = m.heap.new_struct(atoms::NOT, &[differs]);
        let both = m.heap.new_struct(atoms::COMMA, &[goal, agrees]);
        // Goals that ask what is known of variables may find another one: the first way, then.
        let noted = match noted_run(m, w, both)? {
            None => noted_run(m, w, m.roots[base])?,
            noted => noted,
        };
        Ok((proof, noted))
    });
    let [goal, answer] = [m.roots[base], m.roots[base + 1]];
    m.roots.truncate(base);
    let (proof, noted) = noted?;
    let mut explanation = proof.unwrap_or_default();
    if let Some((run, noted)) = noted {
        explanation.notes.extend(Reasons::of(m, w, noted).forced(goal, answer));
        m.abandon(run);
    }
    if !explanation.title.is_empty() || !explanation.notes.is_empty() {
        keep(w, explanation);
    }
    Ok(true)
}

impl Reasons<'_> {
    /// Which constraints force the values of an answer of a goal.
    fn forced(mut self, goal: Cell, answer: Cell) -> Vec<String> {
        let names = self.names(goal);
        let (mut whole, values) = (self.trial(&self.all(), None, false), self.values(goal, answer));
        if !whole.admits(&values) {
            // They are the values of another way through the goal.
            return Vec::new();
        }
        let (mut lines, mut told, mut others, mut free) = (Vec::new(), 0, 0, Vec::new());
        for (variable, value) in values {
            watchdog::step();
            let at_once = whole.var(variable).and_then(|var| whole.store.value(var));
            let other = Other { variable, value };
            let verdict = match at_once.as_ref() == Some(&other.value) {
                true => Verdict::Fails,
                false => self.verdict(&self.all(), Some(&other)),
            };
            match verdict {
                Verdict::Fails if told == MOST => others += 1,
                Verdict::Fails => {
                    lines.extend(self.reason(&other, &names, lines.len() < MOST_LINES));
                    told += 1;
                }
                Verdict::Holds => free.push(self.text(variable, &names)),
                Verdict::Open => {}
            }
        }
        if others > 0 {
            lines.push(format!(
                "{others} more values are forced; ask why_not((Goal, X #\\= V)) for one of them"
            ));
        }
        if !free.is_empty() {
            let (verb, free) = (if free.len() == 1 { "is" } else { "are" }, free.join(", "));
            lines
                .push(format!("{free} {verb} not forced: another value goes with the constraints"));
        }
        lines
    }

    /// The constraints that leave a variable one value alone; in full with what they rule out.
    fn reason(&mut self, other: &Other, names: &Names, in_full: bool) -> Vec<String> {
        let least = self.least(Some(other));
        let texts = self.texts(&least, names);
        let name = self.text(other.variable, names);
        let value = other.value.finite().map(ToString::to_string).unwrap_or_default();
        let by = match least.len() {
            1 => "one constraint".to_owned(),
            n => format!("{n} constraints"),
        };
        let forced = format!("{name} = {value} is forced by {by}");
        if !in_full {
            return vec![format!("{forced}{}", texts.lines())];
        }
        let steps = self.steps_to(&least, (other, &name), names, &texts);
        let steps = steps.into_iter().map(|line| format!("  {line}"));
        [format!("{forced}:")].into_iter().chain(steps).collect()
    }

    /// The variables of the constraints that stand in a goal, in their order, and what an answer of the goal has in
    /// their places, if it is an integer.
    fn values(&self, goal: Cell, answer: Cell) -> Vec<(Cell, Bound)> {
        let heap = &self.m.heap;
        let (mut values, mut todo) = (Vec::new(), vec![(goal, answer)]);
        while let Some((goal, answer)) = todo.pop() {
            watchdog::step();
            let (goal, answer) = (heap.deref(goal), heap.deref(answer));
            if goal.is_var() {
                let Some(value) = integer(heap, answer) else { continue };
                let is_new = values.iter().all(|&(known, _)| known != goal);
                if is_new && self.terms.contains(&goal) {
                    values.push((goal, Bound::Fin(value)));
                }
            } else if goal != answer {
                let both = (heap.name_arity(goal), heap.name_arity(answer));
                if let (Some((_, arity, from)), Some((_, same, to))) = both
                    && arity == same
                {
                    let parts = (0..arity).rev().map(|i| (heap.at(from + i), heap.at(to + i)));
                    todo.extend(parts);
                }
            }
        }
        values
    }
}
