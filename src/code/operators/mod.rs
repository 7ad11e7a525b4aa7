//! The rules of a puzzle or a game as operators over the leaves of states of one shape, from which heuristics
//! and symmetries are derived.
//!
//! Conditions and computed leaves that depend on few leaves become tables. What depends on more is not known:
//! such a condition may hold, such a leaf may be anything. Where code deoptimises, leads to other
//! shapes or goes on with a call, nothing is known of what moves lead to.

mod cases;
mod reader;
mod sources;

pub use reader::{Label, Outcomes};

use crate::code::Hole;
use crate::merging::{Outcome, Residual};
use crate::program::expected::expect_between;
use crate::program::make::{Made, Met, make, outcome};
use crate::target::Arg;
use crate::units::{Asker, Units};
use reader::{Reader, Rules};
use std::sync::Arc;
use zug_derived::{Operators, Value, Values};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, PackedState, Word};
use zug_symbolic::limits;

/// Why rules are no operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOperators {
    /// There is no code for them, which is what operators are read from.
    NoCode,
    /// Leaves may be unbound, or are very many.
    Leaves,
    /// What states are worth, or whose turn it is, depends on very many leaves.
    Outcomes,
}

/// What is asked of rules, by the number of what answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Which moves there are, and which states are goals if that is asked.
    Moves(usize, Option<usize>),
    /// Whether something holds: such states are the goals.
    Holds(usize),
    /// What number a state has.
    Value(usize),
    /// What name a state has.
    Name(usize),
}

#[derive(Clone, Copy, Default)]
struct Form {
    /// Integers that moves compute are to stay within what leaves were seen to be.
    is_settled: bool,
    /// What depends on very many leaves is told by cases.
    by_cases: bool,
}

impl Units {
    /// The rules of a puzzle as operators over the leaves of states like this one, with N steps of
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
        (m, w, codec): Asker<'_>,
        steps: u64,
    ) -> Result<Operators, NoOperators> {
        let question = Question::Moves(rule, goal);
        let only = |found: Result<Vec<(Operators, Outcomes)>, NoOperators>| {
            found?.pop().map(|(operators, _)| operators).ok_or(NoOperators::NoCode)
        };
        let close = self.close_to(question, (state, met), (m, w, codec), steps);
        if let Some(close) = close.as_ref().filter(|close| !close.has_escapes()) {
            return Ok(close.clone());
        }
        let found =
            only(self.answers((&[question], false), state, (m, w, codec), steps, Form::default()));
        match (found, close) {
            (Ok(found), Some(close)) if found.has_escapes() => Ok(close),
            (Err(_), Some(close)) => Ok(close),
            (found, _) => found,
        }
    }

    /// The same where leaves are taken to be no more than in states that were met, if there are some.
    fn close_to<S: PackedState>(
        &mut self,
        question: Question,
        (state, met): (&S, &[S]),
        (m, w, codec): (&mut Machine, &mut World, &Codec),
        steps: u64,
    ) -> Option<Operators> {
        let before = self.layout.before.checked_sub(1).filter(|_| !met.is_empty())?;
        let all = [state].into_iter().chain(met).map(|of| &of.bytes()[before..]);
        let shape = Codec::shape_of(&state.bytes()[before..])?;
        let mut own = codec.with_seen(shape, all);
        expect_between(&mut own, shape);
        let constants = own.constants().len();
        // What is found out holds for these leaves alone.
        let shared = self.shared.remove(&shape);
        let residual = std::mem::take(&mut self.residual);
        let form = Form { is_settled: true, ..Form::default() };
        let found = self.answers((&[question], false), state, (m, w, &mut own), steps, form);
        self.shared.remove(&shape);
        self.shared.extend(shared.map(|shared| (shape, shared)));
        self.residual = residual;
        let (operators, _) = found.ok()?.pop()?;
        // A constant that was met nowhere else may get another code.
        let is_known = |byte: Value| {
            let word = Word(i64::from(byte));
            word.is_int() || (word.code() as usize) < constants
        };
        operators.domains.iter().flat_map(Values::iter).all(is_known).then_some(operators)
    }

    /// The answers to several questions as operators over the same leaves, which may have the same values in
    /// all: what can be reached by any of the moves. Leaves may be unbound if that is said, where a move copies
    /// none of them.
    ///
    /// # Errors
    /// They are none.
    pub fn answers_as_operators<S: PackedState>(
        &mut self,
        (questions, unbound): (&[Question], bool),
        state: &S,
        asker: Asker<'_>,
        steps: u64,
    ) -> Result<Vec<(Operators, Outcomes)>, NoOperators> {
        self.answers((questions, unbound), state, asker, steps, Form::default())
    }

    /// The same with all that can be known: what depends on very many leaves is told by
    /// [cases](zug_derived::Source::Cases), and by conditions that may be large.
    ///
    /// # Errors
    /// They are none.
    pub fn answers_in_full<S: PackedState>(
        &mut self,
        questions: &[Question],
        state: &S,
        asker: Asker<'_>,
        steps: u64,
    ) -> Result<Vec<(Operators, Outcomes)>, NoOperators> {
        let form = Form { by_cases: true, ..Form::default() };
        self.answers((questions, true), state, asker, steps, form)
    }

    fn answers<S: PackedState>(
        &mut self,
        (questions, unbound): (&[Question], bool),
        state: &S,
        asker: Asker<'_>,
        steps: u64,
        form: Form,
    ) -> Result<Vec<(Operators, Outcomes)>, NoOperators> {
        let (before, leaves) = state.bytes().split_at(self.layout.before);
        let shape = *before.last().ok_or(NoOperators::Leaves)?;
        let mut words = Vec::new();
        asker.2.words(leaves, &mut words).map_err(|_| NoOperators::Leaves)?;
        let sample: Vec<Word> = words.into_iter().map(Word).collect();
        if sample.len() > limits::ANSWERS {
            return Err(NoOperators::Leaves);
        }
        let (m, w, codec) = asker;
        let mut answers: Vec<Option<Answers>> = questions.iter().map(|_| None).collect();
        let mut left = steps;
        for _ in 0..limits::REMADE {
            let version = codec.seen_version(shape);
            for (question, answer) in questions.iter().zip(&mut answers) {
                if let Question::Moves(target, _) | Question::Name(target) = *question
                    && !matches!(answer, Some(Answers::Made(made)) if made.version == version)
                {
                    let made =
                        self.made(target, (m, w, codec), (shape, &sample), left, form.is_settled)?;
                    left = left.saturating_sub(made.work);
                    if made.unbound.contains(&true) && !(unbound && copies_no_unbound(&made)) {
                        return Err(NoOperators::Leaves);
                    }
                    *answer = Some(Answers::Made(Box::new(made)));
                }
            }
            let is_current = |answer: &Option<Answers>| match answer {
                Some(Answers::Made(made)) => made.version == codec.seen_version(shape),
                _ => true,
            };
            if answers.iter().all(is_current) {
                break;
            }
        }
        self.finished(questions, answers, (m, w, codec), (shape, &sample), form.by_cases)
    }

    fn made(
        &mut self,
        target: usize,
        (m, w, codec): Asker<'_>,
        (shape, sample): (u8, &[Word]),
        steps: u64,
        is_settled: bool,
    ) -> Result<Made, NoOperators> {
        let met = Met { sample, is_settled, ..Met::default() };
        // What was found out when code was made is useful.
        let mut shared = self.shared.remove(&shape);
        let kept = (&mut shared, &mut self.residual);
        let made = make(m, w, codec, &self.targets[target], (shape, met), steps, kept);
        self.shared.extend(shared.map(|shared| (shape, shared)));
        made.map_err(|_| NoOperators::NoCode)
    }

    fn outcome(
        &mut self,
        target: usize,
        (m, w): (&mut Machine, &mut World),
        shape: u8,
    ) -> Result<Arc<Outcome>, NoOperators> {
        let known = self.shared.remove(&shape).ok_or(NoOperators::NoCode)?;
        let asked = (&self.targets[target], &mut Residual::default());
        let (found, known) = outcome(m, w, asked, known);
        self.shared.insert(shape, known);
        found.map(|(outcome, _)| outcome).ok_or(NoOperators::NoCode)
    }

    fn finished(
        &mut self,
        questions: &[Question],
        answers: Vec<Option<Answers>>,
        (m, w, codec): Asker<'_>,
        (shape, sample): (u8, &[Word]),
        by_cases: bool,
    ) -> Result<Vec<(Operators, Outcomes)>, NoOperators> {
        let version = codec.seen_version(shape);
        let mut all: Vec<(Question, Answers, Option<Arc<Outcome>>)> = Vec::new();
        for (&question, answer) in questions.iter().zip(answers) {
            let (answer, goals) = match (question, answer) {
                (Question::Moves(_, goal), Some(answer)) => {
                    let goals = goal.map(|goal| self.outcome(goal, (m, w), shape));
                    (answer, goals.transpose()?)
                }
                (Question::Name(_), Some(answer)) => (answer, None),
                (Question::Holds(target) | Question::Value(target), _) => {
                    (Answers::Found(self.outcome(target, (m, w), shape)?), None)
                }
                _ => return Err(NoOperators::NoCode),
            };
            if matches!(&answer, Answers::Made(made) if made.version != version) {
                return Err(NoOperators::NoCode);
            }
            all.push((question, answer, goals));
        }
        let known = self.shared.get(&shape).ok_or(NoOperators::NoCode)?;
        // What leaves may be by the code is closed under the moves but where states deoptimise. What is
        // reached from the start alone is often much less.
        let may: Vec<Values> = (0..sample.len()).map(|leaf| expected(codec, shape, leaf)).collect();
        let start = |(word, all): (&Word, &Values)| match word.byte() {
            Some(byte) if all.has(byte) => Values::from_iter([byte]),
            _ => *all,
        };
        let mut domains: Vec<Values> = sample.iter().zip(&may).map(start).collect();
        for round in 0..=limits::MOST_ROUNDS {
            let mut told = Vec::with_capacity(all.len());
            let mut reached = domains.clone();
            for (question, answer, goals) in &all {
                let priced = matches!(question, Question::Moves(target, _)
                    if self.targets[*target].args.contains(&Arg::Cost));
                let rules = answer.rules(*question, priced, goals.as_deref());
                let read = Reader::new(codec, known, domains.clone(), by_cases).read(rules);
                let (operators, outcomes) = read.ok_or(NoOperators::Outcomes)?;
                for (all, more) in reached.iter_mut().zip(operators.reached(&may)) {
                    *all = all.union(&more);
                }
                told.push((operators, outcomes));
            }
            if reached == domains {
                let simplified = |(operators, outcomes): (Operators, Outcomes)| {
                    (if by_cases { operators } else { operators.simplified() }, outcomes)
                };
                return Ok(told.into_iter().map(simplified).collect());
            }
            // What goes on growing is a counter.
            let grown = domains.iter().zip(reached).zip(&may);
            domains = grown
                .map(|((&before, after), &all)| match after == before || round < limits::ROUNDS {
                    true => after,
                    false => all.union(&after),
                })
                .collect();
        }
        Err(NoOperators::NoCode)
    }
}

enum Answers {
    Made(Box<Made>),
    Found(Arc<Outcome>),
}

impl Answers {
    fn rules<'a>(&'a self, asked: Question, priced: bool, goals: Option<&'a Outcome>) -> Rules<'a> {
        match (self, asked) {
            (Answers::Made(made), Question::Name(_)) => Rules::Names(&made.lowered),
            (Answers::Made(made), _) => Rules::Moves(&made.lowered, priced, goals),
            (Answers::Found(found), Question::Value(_)) => Rules::Values(found),
            (Answers::Found(found), _) => Rules::Holds(found),
        }
    }
}

/// Whether no move copies a leaf that may be unbound: what is unbound is a variable of its own then.
fn copies_no_unbound(made: &Made) -> bool {
    let writes = made.lowered.code.moves.iter().flat_map(|mv| mv.writes.iter().flatten());
    let mut copied = writes.filter_map(|(_, hole)| match hole {
        Hole::Leaf(leaf) => Some(usize::from(*leaf)),
        _ => None,
    });
    !copied.any(|leaf| made.unbound[leaf])
}

/// The bytes that a leaf may be; nothing if it may be more than a byte.
fn expected(codec: &Codec, shape: u8, leaf: usize) -> Values {
    let may = codec.may(shape, leaf).filter(|may| !may.is_wide()).unwrap_or_default();
    let has = |byte: &Value| may.bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0;
    (0..=Value::MAX).filter(has).collect()
}
