//! The constraints there are. Each is a [`Propagator`](super::store::Propagator) of its own: what it
//! says, which changes it waits for, and how it narrows domains.

pub mod compare;
pub mod division;
pub mod extremes;
pub mod linear;
pub mod power;
pub mod reified;
pub mod sum;
pub mod times;

// Global constraints, and what several of them are made of.
pub mod cardinality;
pub mod circuit;
pub mod distinct;
pub mod element;
mod graph;
pub mod lexicographic;
pub mod scheduling;
pub mod table;
mod values;

/// Runs a generic function with `i128` where all of the variables have small domains, else with
/// [`Bound`](super::number::Bound).
macro_rules! with_numbers {
    ($store:ident, $vars:expr, $function:ident ( $($argument:expr),* )) => {
        if $store.are_small($vars) {
            $function::<i128>($($argument),*)
        } else {
            $function::<$crate::number::Bound>($($argument),*)
        }
    };
}
pub(crate) use with_numbers;

#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
