//! Strongly connected components of directed graphs.

/// A directed graph whose nodes are numbers from 0 on, as the lists of what each has an edge to, one after the
/// other. Its memory is retained from one use to the next.
#[derive(Default)]
pub struct Graph {
    /// Where the list of each node ends.
    ends: Vec<u32>,
    targets: Vec<u32>,
    component: Vec<u32>,
    components: u32,
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    /// Nodes on the way to where the search is, with the next edge of each.
    path: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Graph {
    /// Makes it a graph without nodes.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.targets.clear();
    }

    /// Adds an edge from the node that is being listed.
    #[inline(always)]
    pub fn edge(&mut self, to: u32) {
        self.targets.push(to);
    }

    /// Ends the list of a node.
    pub fn end_node(&mut self) {
        self.ends.push(self.targets.len() as u32);
    }

    /// The component that a node is in, after [`find_components`](Graph::find_components).
    #[inline(always)]
    pub fn component(&self, node: usize) -> u32 {
        self.component[node]
    }

    /// The edges of a node begin here.
    #[inline(always)]
    fn start(&self, node: u32) -> u32 {
        if node == 0 { 0 } else { self.ends[node as usize - 1] }
    }

    /// Finds the strongly connected components (Tarjan, *Depth-first search and linear graph
    /// algorithms*, 1972), without recursion, and says how many there are.
    pub fn find_components(&mut self) -> u32 {
        let count = self.ends.len();
        for list in [&mut self.component, &mut self.index, &mut self.low] {
            list.clear();
            list.resize(count, NONE);
        }
        self.components = 0;
        self.stack.clear();
        let mut next = 0;
        for root in 0..count as u32 {
            if self.index[root as usize] == NONE {
                self.visit(root, &mut next);
            }
        }
        self.components
    }

    fn visit(&mut self, root: u32, next: &mut u32) {
        self.path.clear();
        self.enter(root, next);
        while let Some(&(node, edge)) = self.path.last() {
            let at = node as usize;
            if edge < self.ends[at] {
                self.path.last_mut().expect("not empty").1 += 1;
                let to = self.targets[edge as usize] as usize;
                if self.index[to] == NONE {
                    self.enter(to as u32, next);
                } else if self.component[to] == NONE {
                    self.low[at] = self.low[at].min(self.index[to]);
                }
                continue;
            }
            self.path.pop();
            if let Some(&(parent, _)) = self.path.last() {
                let parent = parent as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.low[at] == self.index[at] {
                loop {
                    let member = self.stack.pop().expect("the node itself is on it");
                    self.component[member as usize] = self.components;
                    if member == node {
                        break;
                    }
                }
                self.components += 1;
            }
        }
    }

    fn enter(&mut self, node: u32, next: &mut u32) {
        self.index[node as usize] = *next;
        self.low[node as usize] = *next;
        *next += 1;
        self.stack.push(node);
        self.path.push((node, self.start(node)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_random::Random;

    #[test]
    fn components_are_what_reaches_each_other() {
        let mut random = Random::new(3);
        for _ in 0..256 {
            let mut graph = Graph::default();
            let mut reaches = [[false; 9]; 9];
            for (node, reached) in reaches.iter_mut().enumerate() {
                reached[node] = true;
                for _ in 0..random.below(4) {
                    let to = random.below(9) as usize;
                    graph.edge(to as u32);
                    reached[to] = true;
                }
                graph.end_node();
            }
            for via in 0..9 {
                let onward = reaches[via];
                for reached in reaches.iter_mut().filter(|reached| reached[via]) {
                    (0..9).for_each(|to| reached[to] |= onward[to]);
                }
            }
            let count = graph.find_components();
            let mut seen = std::collections::BTreeSet::new();
            for (a, reached) in reaches.iter().enumerate() {
                seen.insert(graph.component(a));
                for (b, back) in reaches.iter().enumerate() {
                    let same = graph.component(a) == graph.component(b);
                    assert_eq!(same, reached[b] && back[a]);
                }
            }
            assert_eq!(seen.len() as u32, count);
        }
    }

    #[test]
    fn long_paths_need_no_stack() {
        let mut graph = Graph::default();
        let length = 200_000;
        for node in 0..length {
            graph.edge((node + 1) % length);
            graph.end_node();
        }
        assert_eq!(graph.find_components(), 1);
    }
}
