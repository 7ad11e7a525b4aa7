//! Payoffs and strategies in floats.

use crate::rational::to_float;
use crate::tables::Matrix;
use zug_random::Random;

/// Payoffs that differ by less than this part of the greatest are equal: what is lost by
/// rounding is far less.
const EQUAL: f64 = 1e-9;

/// Payoffs by own action (rows) and the other's (columns), both ways.
#[derive(Clone, Debug)]
pub(crate) struct FloatMatrix {
    rows: Vec<Vec<f64>>,
    columns: Vec<Vec<f64>>,
    /// The greatest payoff, without its sign.
    pub greatest: f64,
}

impl FloatMatrix {
    pub fn new(exact: &Matrix) -> Self {
        let convert = |matrix: &Matrix| -> Vec<Vec<f64>> {
            let rows = matrix.cells().chunks(matrix.columns());
            rows.map(|row| row.iter().map(to_float).collect()).collect()
        };
        let (rows, columns) = (convert(exact), convert(&exact.transposed()));
        let greatest = rows.iter().flatten().fold(0.0, |most: f64, cell| most.max(cell.abs()));
        Self { rows, columns, greatest }
    }

    /// How many actions the player has.
    pub fn actions(&self) -> usize {
        self.rows.len()
    }

    /// How many actions the other has.
    pub fn others(&self) -> usize {
        self.columns.len()
    }

    /// What each action pays when the other plays this one.
    pub fn against(&self, action: usize) -> &[f64] {
        &self.columns[action]
    }

    /// What each action pays on average when the other mixes.
    pub fn values(&self, other: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| dot(row, other)).collect()
    }
}

/// The sum of products.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The same probability for each of `actions`.
pub(crate) fn uniform(actions: usize) -> Vec<f64> {
    vec![1.0 / actions as f64; actions]
}

/// Weights, none of them negative, as parts of their sum; uniform if all are 0.
pub(crate) fn in_proportion(weights: &[f64]) -> Vec<f64> {
    let sum = weights.iter().fold(0.0, |sum, weight| sum + weight);
    if sum > 0.0 {
        weights.iter().map(|weight| weight / sum).collect()
    } else {
        uniform(weights.len())
    }
}

/// Probabilities in proportion to what regrets are positive; uniform if none is.
pub(crate) fn positive(regrets: &[f64]) -> Vec<f64> {
    in_proportion(&regrets.iter().map(|regret| regret.max(0.0)).collect::<Vec<_>>())
}

/// Adds what each action would have gained over `payoff`; with `plus` no regret falls below 0.
pub(crate) fn add_regret(regrets: &mut [f64], values: &[f64], payoff: f64, plus: bool) {
    for (regret, value) in regrets.iter_mut().zip(values) {
        *regret += value - payoff;
        if plus {
            *regret = regret.max(0.0);
        }
    }
}

/// One action for sure.
pub(crate) fn one(actions: usize, action: usize) -> Vec<f64> {
    (0..actions).map(|at| f64::from(u8::from(at == action))).collect()
}

/// The first action of the greatest value.
pub(crate) fn first_best(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}

/// The best replies to what is expected of the other, each with the same probability.
pub(crate) fn best_replies(table: &FloatMatrix, expected: &[f64]) -> Vec<f64> {
    let values = table.values(expected);
    let enough = values[first_best(&values)] - EQUAL * table.greatest;
    let best: Vec<f64> = values.iter().map(|&value| f64::from(u8::from(value >= enough))).collect();
    in_proportion(&best)
}

/// An action drawn with these probabilities, one of those that are positive.
pub fn draw(probabilities: &[f64], random: &mut Random) -> usize {
    let mut left = random.float();
    let mut last = 0;
    for (action, &probability) in probabilities.iter().enumerate() {
        if probability > 0.0 {
            last = action;
            left -= probability;
        }
        if left < 0.0 {
            break;
        }
    }
    last
}
