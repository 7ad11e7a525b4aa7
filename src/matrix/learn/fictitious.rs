//! Fictitious play: each player takes the best reply to the other's past.
//!
//! Brown, *Iterative solution of games by fictitious play*, 1951; that it converges where
//! payoffs add to zero: Robinson, *An iterative method of solving a game*, 1951. Both players
//! choose at the same time, the first of equal actions. A round costs time in proportion to
//! rows and columns.

use super::floats::first_best;
use super::{Play, Played};

pub(super) fn play(play: &mut Play<'_, '_>) -> Played {
    let tables = play.tables;
    // What each action would have paid in all rounds so far.
    let mut totals = [0, 1].map(|player| vec![0.0; tables[player].actions()]);
    let mut played = totals.clone();
    for _ in 0..play.rounds {
        if let Err(reason) = play.meter.step() {
            return (played, Some(reason));
        }
        let chosen = [first_best(&totals[0]), first_best(&totals[1])];
        for player in [0, 1] {
            played[player][chosen[player]] += 1.0;
            let pays = tables[player].against(chosen[1 - player]);
            totals[player].iter_mut().zip(pays).for_each(|(total, pays)| *total += pays);
        }
    }
    (played, None)
}
