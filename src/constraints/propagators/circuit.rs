//! Successors of nodes that make one cycle through all of them.

use super::distinct::post_distinct_as;
use super::graph::Graph;
use crate::number::Bound;
use crate::shown::Shown;
use crate::store::{Fail, Prop, Propagator, Speed, Step, Store, Var};
use std::cell::RefCell;
use std::sync::Arc;

/// Posts that variables are the successors of the nodes 1, 2 and so on, in a cycle through all
/// nodes: they are distinct, and [`Circuit`].
///
/// # Errors
/// A variable has no node in its domain.
pub fn post_circuit(store: &mut Store, successors: &[Var]) -> Step {
    let count = successors.len() as i64;
    for (&var, own) in successors.iter().zip(1..) {
        store.narrow(var, &Bound::from(1), &Bound::from(count))?;
        if count > 1 {
            store.remove_small(var, own)?;
        }
    }
    if count > 1 {
        post_distinct_as(store, successors, false)?;
        store.post(Arc::new(Circuit { successors: successors.into() }));
    }
    Ok(())
}

/// From each node there is a way to each other by what can still be successors: the graph is
/// strongly connected, as that of a cycle through all nodes is (Lauriere, *A language and a program for
/// stating and solving combinatorial problems*, 1978). Of variables that are distinct and have values, nothing
/// else is. Domains are not narrowed by this.
pub struct Circuit {
    successors: Box<[Var]>,
}

thread_local! {
    /// Memory that runs use one after the other.
    static SCRATCH: RefCell<Graph> = RefCell::default();
}

impl Propagator for Circuit {
    fn vars(&self) -> Vec<Var> {
        self.successors.to_vec()
    }

    fn speed(&self) -> Speed {
        Speed::Slow
    }

    fn run(&self, store: &mut Store, _: Prop) -> Step {
        SCRATCH.with_borrow_mut(|graph| {
            graph.clear();
            for &var in &self.successors {
                let nodes = store.domain(var).as_small().expect("numbers of nodes");
                for (lo, hi) in nodes.parts() {
                    (lo..=hi).for_each(|node| graph.edge(node as u32 - 1));
                }
                graph.end_node();
            }
            if graph.find_components() == 1 { Ok(()) } else { Err(Fail) }
        })
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        Some(Shown::Compound("circuit", vec![Shown::vars(&self.successors)]))
    }
}
