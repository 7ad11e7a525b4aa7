//! Certificates of equilibria: what every player does in every stage.

use super::figures::MOST_BITS;
use super::starts::start_in_doubt;
use super::texts::Sorted;
use super::{
    Certified, Made, Open, Origin, Unmade, Written, made, not_made, not_pure, start_record,
};
use crate::canonical_text::{canonical_cell_text, canonical_text};
use crate::claim::impurity_of_stages;
use crate::simultaneous::{Mix, Parts, Play, equilibrium_plays, exact};
use std::fmt::{Display, Write as _};
use std::io;
use zug_certificate::Writer;
use zug_machine::Machine;
use zug_matrix::Rational;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_term::Record;
use zug_term::symbol::atoms;

/// The kind of certificates of equilibria.
pub(super) const EQUILIBRIUM: &str = "equilibrium";

/// Writes a certificate of an equilibrium of a game in which all choose at once, from a state if it has one.
///
/// # Errors
/// An error in a rule.
pub fn certify_equilibrium(
    m: &mut Machine,
    w: &mut World,
    (state, origin): (Option<&Record>, &Origin),
    limits: &Limits,
    open: Open<'_>,
) -> Made {
    if let Some(why) = start_in_doubt(m, w, origin, state)? {
        return Ok(Ok(Certified::Not(why)));
    }
    let plays = equilibrium_plays(m, w, state, limits);
    if let Some(condition) = Parts::of(m).and_then(|parts| impurity_of_stages(m, w, &parts)) {
        return Ok(Ok(Certified::Not(not_pure(&condition))));
    }
    made(match plays {
        Ok(Ok((_, plays))) if plays.iter().any(has_long_shares) => {
            Err(Unmade::Not(format!("probabilities are fractions of more than {MOST_BITS} bits")))
        }
        Ok(Ok((players, plays))) if plays.iter().all(|play| play.values.len() == players.len()) => {
            write(m, w, origin, (&players, plays), limits, open).map_err(Unmade::Io)
        }
        Ok(Ok(_)) => Err(Unmade::because("no equilibrium was found")),
        Ok(Err(reason)) => Err(Unmade::limit(reason)),
        Err(error) => return not_made(m, w, error, limits.time.is_some()),
    })
}

/// Whether a probability has too many digits to be counted with.
fn has_long_shares(play: &Play) -> bool {
    let mut shares = play.strategies.iter().flatten().map(|(_, share)| share);
    shares.any(|share| share.numer().bits().max(share.denom().bits()) > MOST_BITS)
}

fn write(
    m: &Machine,
    w: &World,
    origin: &Origin,
    (players, mut plays): (&[Record], Vec<Play>),
    limits: &Limits,
    open: Open<'_>,
) -> io::Result<Written> {
    let mut writer = Writer::new(open()?, EQUILIBRIUM)?;
    let text = |term: &Record| canonical_text(m, w, term);
    // The start comes behind all that follow it.
    if let Some(first) = plays.last() {
        writer.record(&match &first.state {
            Some(state) => start_record(m, w, origin, state),
            None => "start(once,_)".to_owned(),
        })?;
        writer.record(&format!("players({})", list(players.iter().map(text))))?;
        writer.record(&format!("values({})", list(&first.values)))?;
    }
    plays.sort_by_key(|play| play.rank);
    let mut sorted = Sorted::new(limits);
    for layer in plays.chunk_by(|one, other| one.rank == other.rank) {
        for Play { state, rank, values, strategies } in layer {
            let state = state.as_ref().map_or("_".to_owned(), text);
            let mix = |mix: &Mix| list(mix.iter().map(|part| weighted(m, w, part)));
            let (values, strategies) = (list(values), list(strategies.iter().map(mix)));
            sorted.add(|out| {
                let _ = write!(out, "plays({state},{rank},{values},{strategies})");
            })?;
        }
        sorted.write(&mut writer)?;
    }
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: EQUILIBRIUM, records, bytes })
}

/// An action with its probability, as `Action-Probability`.
fn weighted(m: &Machine, w: &World, (action, share): &(Record, Rational)) -> String {
    let (mut heap, action) = action.to_heap();
    let share = exact::write(&mut heap, share);
    let pair = heap.new_struct(atoms::MINUS, &[action, share]);
    canonical_cell_text(m, w, &heap, pair)
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}
