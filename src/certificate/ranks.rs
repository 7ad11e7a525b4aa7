//! How many moves are left at most: [`ranks`].

use rustc_hash::FxHashMap;
use zug_search::game::{Edge, NodeId};

/// All nodes that edges lead to from one, and by place the places that they lead to; `None` if `edges` is.
pub fn reached<'g>(
    root: NodeId,
    mut edges: impl FnMut(NodeId) -> Option<&'g [Edge]>,
) -> Option<(Vec<NodeId>, Vec<Vec<u32>>)> {
    let (mut nodes, mut leads) = (vec![root], Vec::new());
    let mut places = FxHashMap::from_iter([(root, 0)]);
    while let Some(&node) = nodes.get(leads.len()) {
        let place = |edge: &Edge| {
            *places.entry(edge.to).or_insert_with(|| {
                nodes.push(edge.to);
                nodes.len() as u32 - 1
            })
        };
        leads.push(edges(node)?.iter().map(place).collect());
    }
    Some((nodes, leads))
}

/// By place: the places whose moves lead to it, once for each move.
pub fn before<'l>(leads: impl ExactSizeIterator<Item = &'l [u32]>) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); leads.len()];
    for (at, leads) in (0_u32..).zip(leads) {
        leads.iter().for_each(|&to| before[to as usize].push(at));
    }
    before
}

/// The greatest number of moves that are left from each place, by the places that its moves lead to; `None` if play may
/// come back to a place.
pub fn ranks(leads: &[Vec<u32>]) -> Option<Vec<u32>> {
    let before = before(leads.iter().map(Vec::as_slice));
    let mut left: Vec<usize> = leads.iter().map(Vec::len).collect();
    let mut done: Vec<u32> = (0..).zip(&left).filter(|&(_, &n)| n == 0).map(|(at, _)| at).collect();
    let mut ranks = vec![0; leads.len()];
    let mut next = 0;
    while let Some(&at) = done.get(next) {
        next += 1;
        let rank = ranks[at as usize] + 1;
        for &from in &before[at as usize] {
            let place = from as usize;
            ranks[place] = rank.max(ranks[place]);
            left[place] -= 1;
            if left[place] == 0 {
                done.push(from);
            }
        }
    }
    (done.len() == leads.len()).then_some(ranks)
}
