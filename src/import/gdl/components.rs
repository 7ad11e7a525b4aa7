//! Strongly connected components of a graph (R. Tarjan, *Depth-First Search and Linear Graph
//! Algorithms*, 1972), with a stack of its own.

const NEW: usize = usize::MAX;

struct Walk<'a> {
    edges: &'a [Vec<usize>],
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

/// The components of a graph by the successors of each node; successors come first.
pub fn of_graph(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = edges.len();
    let mut walk = Walk {
        edges,
        index: vec![NEW; n],
        low: vec![0; n],
        on_stack: vec![false; n],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for node in 0..n {
        if walk.index[node] == NEW {
            walk.from(node);
        }
    }
    walk.found
}

impl Walk<'_> {
    fn from(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, at)) = path.pop() {
            if let Some(&next) = self.edges[node].get(at) {
                path.push((node, at + 1));
                if self.index[next] == NEW {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.on_stack[next] {
                    self.low[node] = self.low[node].min(self.index[next]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn leave(&mut self, root: usize) {
        let from = self.stack.iter().rposition(|&node| node == root).unwrap_or(0);
        let mut component = self.stack.split_off(from);
        for &node in &component {
            self.on_stack[node] = false;
        }
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::of_graph;

    #[test]
    fn what_depends_on_each_other_is_one_component() {
        let found = of_graph(&[vec![1], vec![2], vec![1, 3], vec![], vec![0]]);
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
