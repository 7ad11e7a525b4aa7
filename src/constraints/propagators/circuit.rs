//! The graph of successors that nodes can still have, and whether it is strongly connected.

use crate::shown::Var;
use crate::store::{Fail, Step, Store};
use std::cell::RefCell;
use zug_proof::Graph;

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
