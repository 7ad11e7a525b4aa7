//! `specialize`: what the specialiser makes of a rule file.

use super::Failure;
use super::asking::{Operation, ask, must_suit};
use serde::Serialize;
use zug_code::{CodeFigures, Examined, ExaminedShape, Obstacle, Stage};
use zug_domain::{Contract, examine};
use zug_prolog::session::Session;
use zug_report::round_seconds;

/// What the specialiser made of a rule file, for programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecialiseRecord {
    /// The contract predicates, as they are called.
    pub predicates: Vec<SpecialisedPredicate>,
}

/// A contract predicate, as it is called.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecialisedPredicate {
    /// How it is called.
    pub goal: String,
    /// Name and arity, as `rule/4`.
    pub predicate: String,
    /// The shapes of states it was asked about.
    pub shapes: Vec<SpecialisedShape>,
}

/// A shape of states, and the code made for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecialisedShape {
    /// States it was asked about.
    pub asked: u64,
    /// The code; null where the machine answers.
    pub code: Option<SpecialisedCode>,
    /// States among them that the code gave back to the machine.
    pub given_back: u64,
    /// Where the code gives states back.
    pub gives_back: Vec<String>,
    /// What to do about what leaves it to the machine.
    pub hint: Option<&'static str>,
    /// Leaves of such a state: the parts that differ between states.
    pub leaves: usize,
    /// What leaves it to the machine.
    pub machine: Option<String>,
    /// The shape, as a term.
    pub shape: String,
    /// The text of the stage that was asked for.
    pub text: String,
}

/// Figures of the code for a shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecialisedCode {
    /// Blocks of instructions.
    pub blocks: usize,
    /// Values that are computed.
    pub parts: usize,
    /// Time that making it took, in seconds.
    pub seconds: f64,
    /// Steps of the symbolic run.
    pub steps: u64,
    /// Tables of values.
    pub tables: usize,
}

impl From<&[Examined]> for SpecialiseRecord {
    fn from(all: &[Examined]) -> SpecialiseRecord {
        let predicates = all.iter().map(|examined| SpecialisedPredicate {
            predicate: examined.indicator.clone(),
            goal: examined.what.clone(),
            shapes: examined.shapes.iter().map(SpecialisedShape::from).collect(),
        });
        SpecialiseRecord { predicates: predicates.collect() }
    }
}

impl From<&ExaminedShape> for SpecialisedShape {
    fn from(shape: &ExaminedShape) -> SpecialisedShape {
        let obstacle = shape.outcome.as_ref().err();
        SpecialisedShape {
            shape: shape.shape.clone(),
            leaves: shape.leaves,
            code: shape.outcome.as_ref().ok().map(SpecialisedCode::from),
            machine: obstacle.map(|obstacle| obstacle.text.clone()),
            hint: obstacle.and_then(|obstacle| obstacle.hint),
            asked: shape.asked,
            given_back: shape.given_back,
            gives_back: once(&shape.gives_back).map(|obstacle| obstacle.text.clone()).collect(),
            text: shape.text.clone(),
        }
    }
}

impl From<&CodeFigures> for SpecialisedCode {
    fn from(code: &CodeFigures) -> SpecialisedCode {
        SpecialisedCode {
            parts: code.values,
            blocks: code.blocks,
            tables: code.tables,
            steps: code.steps,
            seconds: round_seconds(code.time),
        }
    }
}

/// Equal obstacles once.
pub fn once<'a>(
    obstacles: impl IntoIterator<Item = &'a Obstacle>,
) -> impl Iterator<Item = &'a Obstacle> {
    let mut seen: Vec<&Obstacle> = Vec::new();
    obstacles.into_iter().filter(move |&obstacle| {
        let new = !seen.contains(&obstacle);
        if new {
            seen.push(obstacle);
        }
        new
    })
}

/// Specialises the contract predicates of the program that a session has loaded; `predicate`,
/// as `rule/4`, picks one.
///
/// # Errors
/// It is no puzzle and no game, has no such predicate, or no state to begin with.
pub fn specialise(
    session: &mut Session,
    predicate: Option<&str>,
    stage: Stage,
) -> Result<Vec<Examined>, Failure> {
    let contract = Contract::of(&session.machine);
    must_suit(&contract, Operation::Specialise)?;
    let all = ask(session, |m, w| examine(m, w, &contract, stage, None))?;
    let Some(wanted) = predicate else { return Ok(all) };
    let mut known: Vec<String> = Vec::new();
    for examined in &all {
        if !known.contains(&examined.indicator) {
            known.push(examined.indicator.clone());
        }
    }
    let (found, _): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|examined| wanted == examined.indicator);
    if found.is_empty() {
        return Err(Failure::NoSuchPredicate(wanted.to_owned(), known));
    }
    Ok(found)
}
