//! Propagators of the constraints.

pub mod compare;
pub mod division;
pub mod extremes;
pub mod linear;
pub mod power;
pub mod reified;
pub mod sum;
pub mod times;

// Global constraints and their parts.
pub mod cardinality;
pub mod circuit;
pub mod distinct;
pub mod element;
pub mod lexicographic;
pub mod scheduling;
pub mod table;
mod values;

use crate::shown::{Shown, Var};
use crate::store::{Event, Prop, Propagator, Step, Store};
use std::sync::Arc;

/// A propagator that can be posted.
pub type Code = Arc<dyn Propagator>;

/// A propagator of a fixed number of variables.
struct Fixed<const N: usize, R, S> {
    event: Event,
    vars: [Var; N],
    run: R,
    shown: S,
}

impl<const N: usize, R, S> Propagator for Fixed<N, R, S>
where
    R: Fn(&mut Store, Prop, [Var; N]) -> Step + Send + Sync,
    S: Fn([Shown; N]) -> Option<Shown> + Send + Sync,
{
    fn vars(&self) -> Vec<Var> {
        self.vars.to_vec()
    }

    fn event(&self) -> Event {
        self.event
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        (self.run)(store, me, self.vars)
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        (self.shown)(self.vars.map(Shown::Var))
    }
}

/// The propagator that `run` narrows the domains of `vars` by, on changes of a kind; `shown` is the constraint.
fn propagator<const N: usize>(
    event: Event,
    vars: [Var; N],
    run: impl Fn(&mut Store, Prop, [Var; N]) -> Step + Send + Sync + 'static,
    shown: impl Fn([Shown; N]) -> Shown + Send + Sync + 'static,
) -> Code {
    Arc::new(Fixed { event, vars, run, shown: move |vars| Some(shown(vars)) })
}

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
use with_numbers;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
