//! The cheapest way to give each of some things a place of its own (H. Kuhn, *The Hungarian Method for the
//! Assignment Problem*, Naval Research Logistics Quarterly 2, 1955; by shortest augmenting paths).

use super::incoming::NEVER;

/// Room for one assignment after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignment {
    /// By row and column, one row after the other: what it costs, or [`NEVER`].
    pub costs: Vec<u32>,
    rows: Vec<i64>,
    columns: Vec<i64>,
    taken: Vec<usize>,
    least: Vec<i64>,
    before: Vec<usize>,
    is_done: Vec<bool>,
}

/// More than all costs together.
const FAR: i64 = 1 << 50;

impl Assignment {
    /// What it costs to give every row a column of its own; `None` if that can't be.
    pub fn least(&mut self, rows: usize, columns: usize) -> Option<u64> {
        if rows > columns {
            return None;
        }
        let fill = |all: &mut Vec<i64>, count: usize| {
            all.clear();
            all.resize(count + 1, 0);
        };
        fill(&mut self.rows, rows);
        fill(&mut self.columns, columns);
        self.taken.clear();
        self.taken.resize(columns + 1, 0);
        // Column 0 stands for the row that is dealt with, rows are counted from 1.
        for row in 1..=rows {
            self.taken[0] = row;
            self.least.clear();
            self.least.resize(columns + 1, i64::MAX);
            self.is_done.clear();
            self.is_done.resize(columns + 1, false);
            self.before.clear();
            self.before.resize(columns + 1, 0);
            let mut at = 0;
            while self.taken[at] != 0 {
                self.is_done[at] = true;
                let from = self.taken[at];
                let (mut next, mut step) = (0, i64::MAX);
                for column in 1..=columns {
                    if self.is_done[column] {
                        continue;
                    }
                    let cost = match self.costs[(from - 1) * columns + column - 1] {
                        NEVER => FAR,
                        cost => i64::from(cost),
                    };
                    let reduced = cost - self.rows[from] - self.columns[column];
                    if reduced < self.least[column] {
                        (self.least[column], self.before[column]) = (reduced, at);
                    }
                    if self.least[column] < step {
                        (step, next) = (self.least[column], column);
                    }
                }
                for column in 0..=columns {
                    if self.is_done[column] {
                        self.rows[self.taken[column]] += step;
                        self.columns[column] -= step;
                    } else {
                        self.least[column] = self.least[column].saturating_sub(step);
                    }
                }
                at = next;
            }
            while at != 0 {
                let before = self.before[at];
                self.taken[at] = self.taken[before];
                at = before;
            }
        }
        let mut sum = 0;
        for column in 1..=columns {
            if self.taken[column] != 0 {
                let cost = self.costs[(self.taken[column] - 1) * columns + column - 1];
                sum += u64::from(Some(cost).filter(|&cost| cost != NEVER)?);
            }
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By trying all ways.
    fn tried(costs: &[u32], rows: usize, columns: usize, taken: u32) -> Option<u64> {
        let row = taken.count_ones() as usize;
        if row == rows {
            return Some(0);
        }
        let free = (0..columns).filter(|column| taken >> column & 1 == 0);
        let of = free.filter_map(|column| {
            let cost = Some(costs[row * columns + column]).filter(|&cost| cost != NEVER)?;
            Some(u64::from(cost) + tried(costs, rows, columns, taken | 1 << column)?)
        });
        of.min()
    }

    proptest! {
        #[test]
        fn no_way_is_cheaper(
            rows in 0usize..5,
            columns in 0usize..6,
            costs in proptest::collection::vec(prop_oneof![3 => 0u32..9, 1 => Just(NEVER)], 30),
        ) {
            let costs = costs[..rows * columns].to_vec();
            let expected = if rows > columns { None } else { tried(&costs, rows, columns, 0) };
            let mut assignment = Assignment { costs, ..Assignment::default() };
            prop_assert_eq!(assignment.least(rows, columns), expected);
        }
    }
}
