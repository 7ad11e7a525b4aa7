//! Iterated elimination of dominated actions.
//!
//! An action is *strictly* dominated if another action, or a mix of others, is better whatever
//! the others do; *weakly*, if it is never worse and sometimes better. Each round removes all
//! actions, of all players, that are dominated in the game as it is at the round's beginning.
//! What is left after strict elimination does not depend on the order (Gilboa, Kalai, Zemel
//! 1990); after weak elimination it does, and this order is the one that names no player
//! first. Mixes are found by linear programs (Conitzer, Sandholm 2005).

use super::linear::maximise;
use super::meter::Meter;
use super::normal_form::NormalForm;
use super::rational::{Rational, common_denominator, whole};
use super::tables::Matrix;
use super::zero_sum;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use zug_search::{Limits, StopReason};

/// Which actions are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elimination {
    /// Weakly dominated actions too.
    pub weak: bool,
    /// Actions that only a mix of others dominates too.
    pub mixed: bool,
}

/// An action that was removed. Actions have the numbers they have in the game at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The round, from 1.
    pub round: u32,
    /// The player whose action it is.
    pub player: usize,
    /// The action.
    pub action: usize,
    /// What dominates it: actions with their probabilities.
    pub by: Vec<(usize, Rational)>,
    /// It is dominated only weakly.
    pub weak: bool,
}

/// What elimination leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// What was removed, in order: by round, by player, by action.
    pub removed: Vec<Removal>,
    /// The actions of each player that are left, in order.
    pub kept: Vec<Vec<usize>>,
    /// The game of these actions, numbered anew.
    pub game: NormalForm,
}

/// Removes dominated actions until none is left.
///
/// # Errors
/// A limit struck; `nodes` are actions examined, and pivots.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Bimatrix, Elimination, Matrix, NormalForm, eliminate};
///
/// let dilemma = Bimatrix::symmetric(Matrix::of_integers(&[[3, 0], [5, 1]])?)?;
/// let game = NormalForm::from(&dilemma);
/// let left = eliminate(&game, Elimination::default(), &Limits::none()).expect("no limits");
/// assert_eq!(left.kept, [[1], [1]]);
/// assert_eq!(left.removed.len(), 2);
/// # Ok::<(), zug_matrix::TableError>(())
/// ```
pub fn eliminate(
    game: &NormalForm,
    which: Elimination,
    limits: &Limits,
) -> Result<Reduced, StopReason> {
    let mut meter = Meter::new(limits);
    let kept = game.shape().iter().map(|&actions| (0..actions).collect()).collect();
    let mut left = Reduced { removed: Vec::new(), kept, game: game.clone() };
    for round in 1.. {
        let removed = dominated(&left, round, which, &mut meter)?;
        if removed.is_empty() {
            break;
        }
        for removal in &removed {
            left.kept[removal.player].retain(|&action| action != removal.action);
        }
        left.game = game.restricted(&left.kept);
        left.removed.extend(removed);
    }
    Ok(left)
}

/// The actions of all players that are dominated now.
fn dominated(
    left: &Reduced,
    round: u32,
    which: Elimination,
    meter: &mut Meter<'_>,
) -> Result<Vec<Removal>, StopReason> {
    let mut removed = Vec::new();
    for (player, kept) in left.kept.iter().enumerate() {
        let payoffs = left.game.seen_by(player);
        for (at, &action) in kept.iter().enumerate() {
            meter.step()?;
            if let Some((by, weak)) = dominator(&payoffs, at, which, meter)? {
                let by = by.into_iter().map(|(other, share)| (kept[other], share)).collect();
                removed.push(Removal { round, player, action, by, weak });
            }
        }
    }
    Ok(removed)
}

/// Rows with their probabilities, and whether they dominate weakly only.
type Dominator = (Vec<(usize, Rational)>, bool);

/// What dominates a row: the first single row, else a mix; strictly, else weakly.
fn dominator(
    payoffs: &Matrix,
    row: usize,
    which: Elimination,
    meter: &mut Meter<'_>,
) -> Result<Option<Dominator>, StopReason> {
    if payoffs.rows() == 1 {
        return Ok(None);
    }
    for weak in [false, true] {
        if weak && !which.weak {
            break;
        }
        let mut others = (0..payoffs.rows()).filter(|&other| other != row);
        if let Some(other) = others.find(|&other| dominates(payoffs, other, row, weak)) {
            return Ok(Some((vec![(other, Rational::one())], weak)));
        }
        if which.mixed
            && let Some(mix) = mix(payoffs, row, weak, meter)?
        {
            return Ok(Some((mix, weak)));
        }
    }
    Ok(None)
}

/// Whether a row is better than another in all columns, or never worse and once better.
fn dominates(payoffs: &Matrix, better: usize, worse: usize, weak: bool) -> bool {
    let mut once = false;
    for column in 0..payoffs.columns() {
        match payoffs.at(better, column).cmp(payoffs.at(worse, column)) {
            Ordering::Greater => once = true,
            Ordering::Equal if weak => {}
            _ => return false,
        }
    }
    once
}

/// The mix of other rows that dominates a row, if there is one.
fn mix(
    payoffs: &Matrix,
    row: usize,
    weak: bool,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<(usize, Rational)>>, StopReason> {
    let others: Vec<usize> = (0..payoffs.rows()).filter(|&other| other != row).collect();
    let gains = Matrix::from_fn(others.len(), payoffs.columns(), |at, column| {
        payoffs.at(others[at], column) - payoffs.at(row, column)
    });
    let shares = if weak { weak_mix(&gains, meter)? } else { strict_mix(&gains, meter)? };
    Ok(shares.map(|shares| {
        others.into_iter().zip(shares).filter(|(_, share)| !share.is_zero()).collect()
    }))
}

/// The mix of rows that is positive in all columns: it secures more than 0 in the game of the
/// gains.
fn strict_mix(gains: &Matrix, meter: &mut Meter<'_>) -> Result<Option<Vec<Rational>>, StopReason> {
    let solution = zero_sum::solve(gains, meter)?;
    let secures = solution.value.is_positive();
    Ok(secures.then(|| solution.profile[0].probabilities().to_vec()))
}

/// The mix of rows that is nowhere negative and has the greatest sum over the columns, if that
/// is positive.
fn weak_mix(gains: &Matrix, meter: &mut Meter<'_>) -> Result<Option<Vec<Rational>>, StopReason> {
    let scale = common_denominator(gains.cells());
    let (rows, columns) = (gains.rows(), gains.columns());
    let gain = |row, column| whole(gains.at(row, column), &scale);
    let mut constraints: Vec<Vec<BigInt>> = (0..columns)
        .map(|column| (0..rows).map(|row| -gain(row, column)).chain([BigInt::zero()]).collect())
        .collect();
    constraints.push(vec![BigInt::one(); rows + 1]);
    let objective: Vec<BigInt> =
        (0..rows).map(|row| (0..columns).map(|column| gain(row, column)).sum()).collect();
    let optimum = maximise(constraints, &objective, meter)?.expect("the shares are bounded");
    // The objective grows with the shares, so at a positive maximum they sum to 1.
    Ok(optimum.value.is_positive().then_some(optimum.variables))
}
