//! Models as linear ones over bounded integers, of which there are proofs in a public format (`zug_proof`).
//!
//! The model is run once while its constraints are *noted*, as for explanations, and each of them is encoded (`encode`) by
//! inequalities, different values and tasks (`builder`). What is not encoded is told by name.

mod builder;
mod encode;
mod globals;
mod operations;
mod ranges;
mod reading;
mod sums;
#[cfg(test)]
mod tests;

use crate::reasons::{NotNoted, NotedModel, noted_model};
use crate::session::Session;
use crate::store::Store;
use builder::Builder;
use encode::Encoder;
use ranges::Ranges;
use rustc_hash::FxHashMap;
use zug_machine::{Fault, Machine};
use zug_prolog::World;
use zug_proof::{Model, Objective};
use zug_term::Cell;

/// A model in linear form.
pub struct Encoded {
    /// The form.
    pub model: Model,
}

/// The objective of a model.
pub struct Sought {
    /// The goal that says which it is.
    pub goal: Cell,
    /// The variable that it binds to `min(E)` or `max(E)`.
    pub objective: Cell,
}

/// Encodes the constraints that a goal posts; or says why they are not.
///
/// # Errors
/// An interrupt, or the end of the time.
pub fn encode(
    m: &mut Machine,
    w: &mut World,
    goal: Cell,
    sought: Option<&Sought>,
) -> Result<Result<Encoded, String>, Fault> {
    let asked = sought.map(|sought| (sought.goal, sought.objective));
    noted_model(m, w, goal, asked, |m, found| match found {
        Ok(found) => encoded(m, found),
        Err(NotNoted(why)) => Err(why),
    })
}

fn encoded(m: &mut Machine, noted: NotedModel) -> Result<Encoded, String> {
    let mut store = Store::default();
    let mut session = Session::beside(m, &mut store);
    let mut goals = Vec::new();
    for (parts, text, place) in &noted.constraints {
        goals.extend(parts.iter().map(|&part| (part, format!("{text}{place}"))));
    }
    let (ranges, is_told) = Ranges::of(&mut session, &goals)?;
    let mut encoder = Encoder {
        session: &mut session,
        builder: Builder::default(),
        variables: FxHashMap::default(),
        undeclared: FxHashMap::default(),
    };
    encoder.declare(&ranges, &noted.names)?;
    let mut is_told = is_told.into_iter();
    for (parts, text, place) in &noted.constraints {
        let open = parts.iter().zip(&mut is_told).filter(|(_, is_told)| !is_told);
        for (at, (&part, _)) in open.enumerate() {
            if at == 0 {
                encoder.builder.begin(format!("{text}{place}"));
            }
            encoder.post(part).map_err(|why| format!("the constraint `{text}`{place} {why}"))?;
            encoder.builder.end();
        }
    }
    let mut objective = None;
    if let Some(asked) = noted.objective {
        let Some((name, 1, at)) = encoder.session.m.heap.name_arity(asked) else {
            return Err("the objective is not known when it is asked".to_owned());
        };
        let is_least = encoder.session.m.symbols.name(name) == "min";
        let term = encoder.session.m.heap.at(at);
        let wrong = |why: String| format!("the objective {why}");
        let e = encode::taken(encoder.session.expression(term)).map_err(wrong)?;
        encoder.builder.begin("the objective".to_owned());
        let value = encoder.defined_value(&e).map_err(wrong)?;
        let var = encoder.builder.var_of(&value, "objective").map_err(wrong)?;
        objective =
            Some(if is_least { Objective::Minimize(var) } else { Objective::Maximize(var) });
    }
    let rest = encoder.builder.rest();
    let mut model = encoder.builder.model;
    model.objective = objective;
    model.notes = vec!["Constraints of a rule file, made by zug.".to_owned()];
    model.notes.extend(rest);
    Ok(Encoded { model })
}
