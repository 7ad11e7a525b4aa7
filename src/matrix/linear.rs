//! Linear programs whose variables may all be 0, by the simplex method on whole numbers.
//!
//! Dantzig, *Linear Programming and Extensions*, 1963: the column of the most negative price
//! enters, the lexicographic ratio test ends ties (see `tableau`), so it never cycles.

use super::meter::Meter;
use super::rational::Rational;
use super::tableau::Tableau;
use num_bigint::BigInt;
use zug_search::StopReason;

/// The greatest value of a linear program, and where it is taken.
pub(super) struct Optimum {
    /// The greatest value of the objective.
    pub value: Rational,
    /// The variables there.
    pub variables: Vec<Rational>,
    /// The prices of the constraints: the solution of the dual program.
    pub prices: Vec<Rational>,
}

/// Maximises `objective` over variables that are not negative, where every row of
/// `constraints` is a coefficient for each variable and then the bound of their sum, not
/// negative. `None` if nothing bounds the objective.
pub(super) fn maximise(
    constraints: Vec<Vec<BigInt>>,
    objective: &[BigInt],
    meter: &mut Meter<'_>,
) -> Result<Option<Optimum>, StopReason> {
    let (variables, rows) = (objective.len(), constraints.len());
    let slacks = (variables..variables + rows).collect();
    let mut tableau =
        Tableau::new(constraints, slacks, (0..variables).collect()).with_objective(objective);
    while let Some(column) = tableau.improving_column() {
        meter.step()?;
        let Some(row) = tableau.leaving_row(column) else { return Ok(None) };
        tableau.pivot(row, column);
    }
    let exact = |numerator| Rational::new(numerator, tableau.denominator().clone());
    Ok(Some(Optimum {
        value: exact(tableau.objective_value().clone()),
        variables: (0..variables).map(|at| exact(tableau.value(at))).collect(),
        prices: (variables..variables + rows).map(|at| exact(tableau.price(at))).collect(),
    }))
}
