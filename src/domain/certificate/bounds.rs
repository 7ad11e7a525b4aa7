//! Certificates of games in which chance moves and play can come back to a state: a strategy for either player, with
//! what each position is worth at least.

use super::games::{BOUNDS, payoffs, player_text, write_claim, write_positions};
use super::payoffs::Payoffs;
use super::seats::NOBODY;
use super::{Open, Origin, Unmade, Written};
use crate::game::{RuleGame, Table};
use num_bigint::BigInt;
use std::io;
use zug_certificate::{Bounded, BoundsError, Writer, guarantee, unit};
use zug_search::game::{CHANCE, Expected, Game, NodeId, Player};
use zug_term::Record;

type Positions = Vec<Bounded>;

/// Writes what either player is sure to get.
pub(super) fn write(
    table: &mut Table<'_>,
    root: NodeId,
    about: (&Origin, &Record),
    open: Open<'_>,
) -> Result<Written, Unmade> {
    let not = |why: &str| Err(Unmade::because(why));
    let floats = "there are floats in it, or fractions of many digits: nothing exact can be said";
    let unsolved = "the state is not solved";
    let Some(solved) = table.solved() else { return not(unsolved) };
    let scale = unit::<RuleGame<'_>>(table.graph, solved, root);
    let Some(units) = units(table, &scale) else { return not(floats) };
    let first = match table.graph.player(root) {
        CHANCE => 0,
        mover => mover,
    };
    let mut both = Vec::new();
    for seat in [first, first ^ 1] {
        let limits = table.limits.clone();
        let Some(solved) = table.solved.as_ref() else { return not(unsolved) };
        let known = (&*table.graph, solved);
        match guarantee(&mut table.game, known, (root, seat), &scale, &limits) {
            Ok(positions) => both.push((seat, positions)),
            Err(BoundsError::Failed(error)) => return Err(error.into()),
            Err(BoundsError::Stopped(reason)) => return Err(Unmade::limit(reason)),
            Err(BoundsError::Inexact) => return not(floats),
        }
    }
    let nodes = both.iter().flat_map(|(_, positions)| positions.iter().map(|at| at.position.node));
    let (start, nodes) = (table.graph.state(root), nodes.collect());
    let payoffs = payoffs(table, &start, nodes)?;
    Ok(write_text(table, (root, &units), (about.0, about.1, &payoffs), both, open)?)
}

/// Half of what both players get together, and how much less than one a unit is of 1 by `scale` on the scale on which
/// what one gets is the negation of what the other gets.
fn units(table: &Table<'_>, scale: &BigInt) -> Option<BigInt> {
    let meant = |value: i64| table.game.meant(Expected::integer(value));
    match Expected::integer(scale.clone()).over(&meant(1).minus(&meant(0))) {
        Expected::Exact(units) if units.is_integer() && meant(0).is_exact() => {
            Some(units.to_integer())
        }
        _ => None,
    }
}

fn write_text(
    table: &mut Table<'_>,
    (root, units): (NodeId, &BigInt),
    about: (&Origin, &Record, &Payoffs),
    both: Vec<(Player, Positions)>,
    open: Open<'_>,
) -> io::Result<Written> {
    let mut writer = Writer::new(open()?, BOUNDS)?;
    write_claim(table, table.graph.player(root), about, &mut writer)?;
    let first = seat_text(table, both[0].0);
    let (low, high) = (both[0].1[0].worth, -both[1].1[0].worth);
    writer.record(&format!("scale({units})"))?;
    writer.record(&format!("between({first},{low},{high})"))?;
    for (seat, positions) in both {
        let own = seat_text(table, seat);
        let told = |Bounded { position, worth }| (position, Some(worth));
        let positions = positions.into_iter().map(told).collect();
        write_positions(table, ("gets", &own), positions, &mut writer)?;
    }
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: BOUNDS, records, bytes })
}

/// The name of a player; who is alone plays against nobody.
fn seat_text(table: &mut Table<'_>, seat: Player) -> String {
    match usize::from(seat) < table.game.players() {
        true => player_text(table, seat),
        false => NOBODY.to_owned(),
    }
}
