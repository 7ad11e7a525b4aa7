//! Lists of integers in order, by which the values of domains are numbered.

use crate::domain::Domain;
use crate::number::Bound;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    Small(Box<[i64]>),
    Wide(Box<[Bound]>),
}

impl Values {
    pub(super) fn new(mut values: Vec<Bound>) -> Values {
        values.sort();
        values.dedup();
        match values.iter().map(Bound::small).collect::<Option<Vec<i64>>>() {
            Some(small) => Values::Small(small.into()),
            None => Values::Wide(values.into()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Values::Small(values) => values.len(),
            Values::Wide(values) => values.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> Bound {
        match self {
            Values::Small(values) => values[at].into(),
            Values::Wide(values) => values[at].clone(),
        }
    }

    /// The number of an integer that is in the list.
    pub(super) fn place(&self, value: &Bound) -> Option<usize> {
        match self {
            Values::Small(values) => values.binary_search(&value.small()?).ok(),
            Values::Wide(values) => values.binary_search(value).ok(),
        }
    }

    /// Calls a function with the numbers of those that are in a domain, in order.
    #[inline(always)]
    pub(super) fn each_in(&self, domain: &Domain, mut each: impl FnMut(usize)) {
        if let (Values::Small(values), Domain::Small(small)) = (self, domain) {
            let mut at = 0;
            for (lo, hi) in small.parts() {
                if at < values.len() && values[at] < lo {
                    at += values[at..].partition_point(|&value| value < lo);
                }
                while at < values.len() && values[at] <= hi {
                    each(at);
                    at += 1;
                }
            }
            return;
        }
        for at in 0..self.len() {
            if domain.contains(&self.get(at)) {
                each(at);
            }
        }
    }

    /// The domain of those with these numbers.
    pub(super) fn domain(&self, places: impl IntoIterator<Item = usize>) -> Option<Domain> {
        let places = places.into_iter();
        match self {
            Values::Small(values) => Domain::of_values(places.map(|at| values[at])),
            Values::Wide(values) => {
                let parts = places.map(|at| (values[at].clone(), values[at].clone()));
                let parts: Vec<_> = parts.collect();
                if parts.is_empty() { None } else { Domain::of_parts(parts) }
            }
        }
    }
}
