//! Successor generation: a decision tree over the values that operators need (M. Helmert, *The Fast Downward Planning
//! System*, 2006, section 5.3.1).

use rustc_hash::FxHashMap;

/// What an operator needs: variables, ascending, with their values.
pub type Needs = Vec<(u16, u8)>;

#[derive(Default)]
struct Node {
    /// Operators that need nothing more.
    operators: Vec<u32>,
    /// By variable that is asked next: where its values lead to.
    switches: Vec<(u16, FxHashMap<u8, u32>)>,
}

/// The tree.
pub struct Successors(Vec<Node>);

impl Successors {
    /// The tree of operators by number.
    pub fn new(needs: &[Needs]) -> Successors {
        let mut nodes = vec![Node::default()];
        let mut known: FxHashMap<(u32, u16), usize> = FxHashMap::default();
        for (number, needs) in needs.iter().enumerate() {
            let mut at = 0;
            for &(variable, value) in needs {
                let next = nodes.len() as u32;
                let node = &mut nodes[at as usize];
                let switch = *known.entry((at, variable)).or_insert_with(|| {
                    node.switches.push((variable, FxHashMap::default()));
                    node.switches.len() - 1
                });
                at = *node.switches[switch].1.entry(value).or_insert(next);
                if at == next {
                    nodes.push(Node::default());
                }
            }
            nodes[at as usize].operators.push(number as u32);
        }
        Successors(nodes)
    }

    /// The operators whose needs hold of values, ascending.
    pub fn applicable(&self, values: &[u8], found: &mut Vec<u32>) {
        found.clear();
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            let node = &self.0[at as usize];
            found.extend_from_slice(&node.operators);
            for (variable, next) in &node.switches {
                waiting.extend(next.get(&values[usize::from(*variable)]));
            }
        }
        found.sort_unstable();
    }
}
