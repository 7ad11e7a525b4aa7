//! All equilibria of a small game of two players.
//!
//! The vertices of both polytopes are visited along their edges, and vertices that have all
//! labels between them are matched (von Stengel 2002, section 3.1; Mangasarian 1964). These
//! are the *extreme* equilibria: every equilibrium of a nondegenerate game, and of a degenerate
//! one those whose convex combinations the others are.

use super::lemke_howson::Equilibrium;
use super::meter::Meter;
use super::polytopes::{polytope, strategy};
use super::strategy::MixedStrategy;
use super::tableau::{Tableau, Variable};
use super::tables::{Bimatrix, Payoffs};
use std::collections::{BTreeMap, BTreeSet};
use zug_search::{Limits, StopReason};

/// The extreme equilibria of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllEquilibria {
    /// The extreme equilibria; those that play early actions more come first.
    pub equilibria: Vec<Equilibrium>,
    /// No strategy has more pure best replies than actions of positive probability, so these
    /// are all equilibria, an odd number (Shapley 1974).
    pub nondegenerate: bool,
}

/// All extreme equilibria. The number of vertices grows exponentially with that of actions:
/// for ten actions each it is in the thousands.
///
/// # Errors
/// A limit struck; `nodes` are pivots.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Bimatrix, Matrix, all_equilibria};
///
/// let chicken = Bimatrix::symmetric(Matrix::of_integers(&[[0, 7], [2, 6]])?)?;
/// let all = all_equilibria(&chicken, &Limits::none()).expect("no limits");
/// assert_eq!((all.equilibria.len(), all.nondegenerate), (3, true));
/// # Ok::<(), zug_matrix::TableError>(())
/// ```
pub fn all_equilibria(game: &Bimatrix, limits: &Limits) -> Result<AllEquilibria, StopReason> {
    let mut meter = Meter::new(limits);
    let rows = vertices(game, 0, &mut meter)?;
    let columns = vertices(game, 1, &mut meter)?;
    let labels = game.actions(0) + game.actions(1);
    let complete =
        |a: &Labels, b: &Labels| (0..labels).all(|at| a.contains(&at) || b.contains(&at));
    let mut equilibria = Vec::new();
    for (of_row, row) in &rows {
        meter.step()?;
        let matching = columns.iter().filter(|(of_column, _)| complete(of_row, of_column));
        equilibria.extend(matching.map(|(_, column)| [row.clone(), column.clone()]));
    }
    equilibria.sort_by(|a, b| b.cmp(a));
    let simple = |vertices: &Vertices, player| {
        vertices.keys().all(|labels: &Labels| labels.len() == game.actions(player))
    };
    Ok(AllEquilibria { equilibria, nondegenerate: simple(&rows, 0) && simple(&columns, 1) })
}

/// The labels of a vertex: actions that are not played, and the opponent's best replies.
type Labels = BTreeSet<Variable>;

/// Vertices other than the origin, by their labels.
type Vertices = BTreeMap<Labels, MixedStrategy>;

/// The vertices of a player's polytope: a walk over the bases that the lexicographic ratio
/// test allows, which reaches every vertex.
fn vertices(game: &Bimatrix, player: usize, meter: &mut Meter<'_>) -> Result<Vertices, StopReason> {
    let origin = polytope(game, player);
    let at_origin: Labels = origin.zeros().collect();
    let mut met = BTreeSet::from([basis(origin.basic().to_vec())]);
    let mut found = Vertices::new();
    let mut open = vec![origin];
    while let Some(tableau) = open.pop() {
        let labels: Labels = tableau.zeros().collect();
        if labels != at_origin {
            found.entry(labels).or_insert_with(|| strategy(game, player, &tableau));
        }
        for column in 0..tableau.nonbasic().len() {
            let row = tableau.leaving_row(column).expect("the polytope is bounded");
            if met.insert(neighbour(&tableau, row, column)) {
                meter.step()?;
                let mut next = tableau.clone();
                next.pivot(row, column);
                open.push(next);
            }
        }
    }
    Ok(found)
}

/// The basis after a pivot.
fn neighbour(tableau: &Tableau, row: usize, column: usize) -> Vec<Variable> {
    let mut variables = tableau.basic().to_vec();
    variables[row] = tableau.nonbasic()[column];
    basis(variables)
}

/// A basis in order of its variables: what tells it from others.
fn basis(mut variables: Vec<Variable>) -> Vec<Variable> {
    variables.sort_unstable();
    variables
}
