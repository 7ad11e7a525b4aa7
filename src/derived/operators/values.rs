//! Sets of values.

use super::Value;

/// A set of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values([u64; 4]);

impl Values {
    /// Whether a value is in it.
    pub fn has(&self, value: Value) -> bool {
        self.0[usize::from(value / 64)] >> (value % 64) & 1 != 0
    }

    /// What is in both sets.
    #[must_use]
    pub fn common(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// What is in one of them.
    #[must_use]
    pub fn union(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        *self == Values::default()
    }

    /// With one more.
    #[inline]
    pub fn insert(&mut self, value: Value) {
        self.0[usize::from(value / 64)] |= 1 << (value % 64);
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Value> + Clone + use<> {
        let (words, mut at, mut left) = (self.0, 0, self.0[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                at += 1;
                left = *words.get(at)?;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some((at * 64 + bit) as Value)
        })
    }

    /// Rows with each of the values in one place; `None` if there would be more than that.
    pub(crate) fn branches<R: Clone + AsMut<[Value]>>(
        &self,
        rows: Vec<R>,
        place: usize,
        most: usize,
    ) -> Option<Vec<R>> {
        let with = |row: R| {
            self.iter().map(move |value| {
                let mut row = row.clone();
                row.as_mut()[place] = value;
                row
            })
        };
        (rows.len() * self.len() <= most).then(|| rows.into_iter().flat_map(with).collect())
    }

    /// The only value, if there is one.
    pub fn only(&self) -> Option<Value> {
        let mut all = self.iter();
        all.next().filter(|_| all.next().is_none())
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        let mut set = Values::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}
