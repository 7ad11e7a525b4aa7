//! Values dealt into groups that share a table.
//!
//! Values belong together if a table of several tells more than one table for each. How much more is measured for
//! every pair, and for every three where that costs little; then the values are dealt into groups of one size, by
//! exchanges as long as they gain (hill climbing, from several deals). R. Korf and A. Felner, *Disjoint Pattern
//! Database Heuristics*, Artificial Intelligence 134, 2002, chose theirs by hand.

use zug_random::Random;

/// The seed of all that is drawn.
const SEED: u64 = 1;
/// Deals to climb from.
const DEALS: usize = 60;
/// The least gain of an exchange.
const LEAST: f64 = 1e-9;

/// How much more values tell together.
pub(crate) struct Gains {
    count: usize,
    /// By two values.
    pairs: Vec<f64>,
    /// By three: what they tell beyond what their pairs do.
    triples: Vec<f64>,
}

impl Gains {
    /// The gains of N values, by what tables of some of them tell, and what tables tell together. `None` if a
    /// table is `None`.
    pub fn of(
        count: usize,
        tell: impl FnOnce(&[Vec<usize>]) -> Option<Vec<f64>>,
        together: impl Fn(&[f64]) -> f64,
        has_triples: bool,
    ) -> Option<Gains> {
        let one = (0..count).map(|a| vec![a]);
        let two = (0..count).flat_map(|a| (0..a).map(move |b| vec![a, b]));
        let three = (0..count)
            .filter(|_| has_triples)
            .flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| vec![a, b, c])));
        let some: Vec<Vec<usize>> = one.chain(two).chain(three).collect();
        let tell = tell(&some)?;
        let alone = &tell[..count];
        let mut gains = Gains { count, pairs: vec![0.0; count * count], triples: Vec::new() };
        if has_triples {
            gains.triples = vec![0.0; count * count * count];
        }
        for (values, tells) in some.iter().zip(&tell) {
            let apart: Vec<f64> = values.iter().map(|&value| alone[value]).collect();
            let gain = tells - together(&apart);
            match values[..] {
                [a, b] => {
                    (gains.pairs[a * count + b], gains.pairs[b * count + a]) = (gain, gain);
                }
                [a, b, c] => {
                    let gain = gain - gains.pair(a, b) - gains.pair(a, c) - gains.pair(b, c);
                    let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                    for [a, b, c] in orders {
                        gains.triples[(a * count + b) * count + c] = gain;
                    }
                }
                _ => {}
            }
        }
        Some(gains)
    }

    fn pair(&self, a: usize, b: usize) -> f64 {
        self.pairs[a * self.count + b]
    }

    /// What a value gains from others.
    fn among(&self, a: usize, others: &[usize]) -> f64 {
        let mut sum = 0.0;
        for (at, &b) in others.iter().enumerate() {
            sum += self.pair(a, b);
            if !self.triples.is_empty() {
                let row = &self.triples[(a * self.count + b) * self.count..][..self.count];
                sum += others[..at].iter().map(|&c| row[c]).sum::<f64>();
            }
        }
        sum
    }

    fn worth(&self, groups: &[Vec<usize>]) -> f64 {
        let each = |group: &Vec<usize>| {
            (0..group.len()).map(|at| self.among(group[at], &group[..at])).sum::<f64>()
        };
        groups.iter().map(each).sum()
    }

    /// Groups of a size, the last one of what is left, that gain much.
    pub fn groups(&self, size: usize) -> Vec<Vec<usize>> {
        let mut random = Random::new(SEED);
        let mut best: Option<(f64, Vec<Vec<usize>>)> = None;
        for _ in 0..DEALS {
            let mut values: Vec<usize> = (0..self.count).collect();
            for last in (1..self.count).rev() {
                values.swap(last, random.below(last as u64 + 1) as usize);
            }
            let mut groups: Vec<Vec<usize>> = values.chunks(size).map(<[usize]>::to_vec).collect();
            while self.exchange(&mut groups) {}
            let worth = self.worth(&groups);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, groups));
            }
        }
        best.map_or_else(Vec::new, |(_, groups)| groups)
    }

    /// Exchanges two values of different groups if that gains something.
    fn exchange(&self, groups: &mut [Vec<usize>]) -> bool {
        for first in 0..groups.len() {
            for second in 0..first {
                for i in 0..groups[first].len() {
                    for j in 0..groups[second].len() {
                        if self.exchanged(groups, (first, i), (second, j)) > LEAST {
                            let (a, b) = (groups[first][i], groups[second][j]);
                            (groups[first][i], groups[second][j]) = (b, a);
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// What an exchange of two values gains.
    fn exchanged(&self, groups: &[Vec<usize>], a: (usize, usize), b: (usize, usize)) -> f64 {
        let of = |(group, at): (usize, usize)| -> (usize, Vec<usize>) {
            let mut others = groups[group].clone();
            (others.swap_remove(at), others)
        };
        let ((a, beside_a), (b, beside_b)) = (of(a), of(b));
        self.among(a, &beside_b) + self.among(b, &beside_a)
            - self.among(a, &beside_a)
            - self.among(b, &beside_b)
    }
}
