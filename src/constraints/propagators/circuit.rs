//! Successors of nodes that make one cycle through all of them.

use super::distinct::{Purpose, post_distinct_as};
use crate::number::Bound;
use crate::store::{Fail, Step, Store, Var};
use std::cell::RefCell;
use zug_proof::Graph;

/// Posts that variables are the successors of the nodes 1, 2 and so on, in a cycle through all nodes.
///
/// They are [distinct](super::distinct::Distinct), and from each node there is a way to each other by
/// what can still be successors: the graph is strongly connected, as that of a cycle through all nodes
/// is (Laurière, *A language and a program for stating and solving combinatorial problems*, Artificial
/// Intelligence 10, 1978, has the constraint). Of variables that are distinct and have values no other
/// graph is. That it is connected is asked for, but narrows no domains.
pub fn post_circuit(store: &mut Store, successors: &[Var]) -> Step {
    let count = successors.len() as i64;
    for (&var, own) in successors.iter().zip(1..) {
        store.narrow(var, &Bound::from(1), &Bound::from(count))?;
        if count > 1 {
            store.remove_small(var, own)?;
        }
    }
    if count > 1 { post_distinct_as(store, successors, Purpose::Circuit) } else { Ok(()) }
}

thread_local! {
    static SCRATCH: RefCell<Graph> = RefCell::default();
}

pub(super) fn check_connected(store: &Store, successors: &[Var]) -> Step {
    SCRATCH.with_borrow_mut(|graph| {
        graph.clear();
        for &var in successors {
            let nodes = store.domain(var).as_small().expect("numbers of nodes");
            for (lo, hi) in nodes.parts() {
                (lo..=hi).for_each(|node| graph.edge(node as u32 - 1));
            }
            graph.end_node();
        }
        if graph.find_components() == 1 { Ok(()) } else { Err(Fail) }
    })
}
