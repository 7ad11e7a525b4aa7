//! One equilibrium of a game of two players, by following a path of the two polytopes.
//!
//! Lemke, Howson, *Equilibrium points of bimatrix games*, SIAM 12 (1964), with the
//! lexicographic ratio test for degenerate games (von Stengel 2002, section 2.6): from the two
//! origins one label is dropped; the label that is then there twice is dropped in the other
//! polytope, and so on until the first one is back. The path can be exponentially long
//! (Savani, von Stengel 2006), as a rule it is short.

use super::meter::Meter;
use super::polytopes::{labels, polytope, strategy};
use super::strategy::MixedStrategy;
use super::tables::{Bimatrix, Payoffs};
use zug_search::{Limits, StopReason};

/// An equilibrium of a game of two players: the row player's strategy, the column player's.
pub type Equilibrium = [MixedStrategy; 2];

/// The equilibrium at the end of the path that drops `label`: the number of an action of the
/// row player, or the number of rows and that of an action of the column player. Different
/// labels may lead to different equilibria. `None` if there is no such label.
///
/// # Errors
/// A limit struck; `nodes` are pivots.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Bimatrix, Matrix, lemke_howson, verify};
///
/// let sexes = Bimatrix::new(
///     Matrix::of_integers(&[[3, 0], [0, 2]])?,
///     Matrix::of_integers(&[[2, 0], [0, 3]])?,
/// )?;
/// let found = lemke_howson(&sexes, 0, &Limits::none()).expect("no limits").expect("a label");
/// assert_eq!([found[0].as_pure(), found[1].as_pure()], [Some(0), Some(0)]);
/// assert!(verify(&sexes, &found)?.holds());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lemke_howson(
    game: &Bimatrix,
    label: usize,
    limits: &Limits,
) -> Result<Option<Equilibrium>, StopReason> {
    if label >= game.actions(0) + game.actions(1) {
        return Ok(None);
    }
    let mut meter = Meter::new(limits);
    let mut tableaux = [polytope(game, 0), polytope(game, 1)];
    let mut at = usize::from(!labels(game, 0).contains(&label));
    let mut entering = label;
    loop {
        meter.step()?;
        let tableau = &mut tableaux[at];
        let column = tableau.column_of(entering).expect("the label was dropped by the other");
        let row = tableau.leaving_row(column).expect("the polytope is bounded");
        entering = tableau.pivot(row, column);
        if entering == label {
            return Ok(Some([0, 1].map(|player| strategy(game, player, &tableaux[player]))));
        }
        at = 1 - at;
    }
}
