//! Reduced ordered binary decision diagrams (Bryant, *Graph-Based Algorithms for Boolean Function Manipulation*, 1986)
//! that grow with the formulas of a session.
//!
//! The manager of `zug-diagrams` has a fixed number of nodes, recurses to the depth of the variables, and cannot be
//! stopped within an operation. Constraints of a program have variables without bound, and a time limit holds for each
//! of them: operations here keep a stack of their own and take a step of the watchdog for each pair of nodes.
//!
//! **Invariants.** A node comes after its children. Equal functions are equal nodes.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::watchdog;

/// A function of variables, by the number of its topmost node.
pub type Node = u32;

pub const FALSE: Node = 0;
pub const TRUE: Node = 1;

/// The variable of the constant functions: behind all others.
const LAST: u32 = u32::MAX;
/// Results of operations that are kept.
const CACHED: usize = 1 << 20;

/// An inner node: a variable, and the functions where it is 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inner {
    pub var: u32,
    pub low: Node,
    pub high: Node,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Xor,
}

impl Operation {
    /// The result where it follows from one operand.
    fn shortcut(self, a: Node, b: Node) -> Option<Node> {
        match self {
            Operation::And if a == FALSE || b == FALSE => Some(FALSE),
            Operation::And if a == TRUE || a == b => Some(b),
            Operation::And if b == TRUE => Some(a),
            Operation::Or if a == TRUE || b == TRUE => Some(TRUE),
            Operation::Or if a == FALSE || a == b => Some(b),
            Operation::Or if b == FALSE => Some(a),
            Operation::Xor if a == b => Some(FALSE),
            Operation::Xor if a == FALSE => Some(b),
            Operation::Xor if b == FALSE => Some(a),
            _ => None,
        }
    }
}

type Key = (Operation, Node, Node);

enum Task {
    Apply(Node, Node),
    Make(u32, Key),
}

pub struct Diagrams {
    nodes: Vec<Inner>,
    unique: FxHashMap<Inner, Node>,
    cache: FxHashMap<Key, Node>,
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        let constant = Inner { var: LAST, low: FALSE, high: FALSE };
        Diagrams {
            nodes: vec![constant; 2],
            unique: FxHashMap::default(),
            cache: FxHashMap::default(),
        }
    }
}

impl Diagrams {
    /// The number of nodes, also of those that nothing needs.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The topmost variable of a function; behind all others for a constant.
    pub fn var(&self, node: Node) -> u32 {
        self.nodes[node as usize].var
    }

    pub fn inner(&self, node: Node) -> Inner {
        self.nodes[node as usize]
    }

    /// The node of a variable and what the function is where it is 0 and 1.
    pub fn make(&mut self, var: u32, low: Node, high: Node) -> Node {
        if low == high {
            return low;
        }
        let inner = Inner { var, low, high };
        let next = self.nodes.len() as Node;
        let node = *self.unique.entry(inner).or_insert(next);
        if node == next {
            self.nodes.push(inner);
        }
        node
    }

    pub fn variable(&mut self, var: u32) -> Node {
        self.make(var, FALSE, TRUE)
    }

    pub fn and(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::And, a, b)
    }

    pub fn or(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::Or, a, b)
    }

    pub fn xor(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::Xor, a, b)
    }

    pub fn not(&mut self, a: Node) -> Node {
        self.xor(a, TRUE)
    }

    /// `then` where the test is 1, `other` where it is 0.
    pub fn choose(&mut self, test: Node, then: Node, other: Node) -> Node {
        let Inner { var, low, high } = self.inner(test);
        if test > TRUE
            && (low, high) == (FALSE, TRUE)
            && var < self.var(then)
            && var < self.var(other)
        {
            return self.make(var, other, then);
        }
        let one = self.and(test, then);
        let no = self.not(test);
        let two = self.and(no, other);
        self.or(one, two)
    }

    fn apply(&mut self, operation: Operation, a: Node, b: Node) -> Node {
        if self.cache.len() > CACHED {
            self.cache.clear();
        }
        let mut tasks = vec![Task::Apply(a, b)];
        let mut results: Vec<Node> = Vec::new();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            match task {
                Task::Apply(a, b) => {
                    let (a, b) = (a.min(b), a.max(b));
                    if let Some(known) = operation.shortcut(a, b) {
                        results.push(known);
                        continue;
                    }
                    let key = (operation, a, b);
                    if let Some(&known) = self.cache.get(&key) {
                        results.push(known);
                        continue;
                    }
                    let var = self.var(a).min(self.var(b));
                    let [a, b] = [a, b].map(|node| self.halves(node, var));
                    tasks.push(Task::Make(var, key));
                    tasks.push(Task::Apply(a.1, b.1));
                    tasks.push(Task::Apply(a.0, b.0));
                }
                Task::Make(var, key) => {
                    let [high, low] = [0; 2].map(|_: u8| results.pop().expect("a result"));
                    let made = self.make(var, low, high);
                    self.cache.insert(key, made);
                    results.push(made);
                }
            }
        }
        results.pop().expect("one result")
    }

    /// What a function is where a variable, at or above its topmost, is 0 and 1.
    fn halves(&self, node: Node, var: u32) -> (Node, Node) {
        let inner = self.inner(node);
        if node > TRUE && inner.var == var { (inner.low, inner.high) } else { (node, node) }
    }

    /// The nodes of a function that are no constants, children first.
    pub fn nodes_of(&self, node: Node) -> Vec<Node> {
        let (mut seen, mut todo) = (FxHashSet::default(), vec![node]);
        while let Some(node) = todo.pop() {
            watchdog::step();
            if node > TRUE && seen.insert(node) {
                let inner = self.inner(node);
                todo.extend([inner.low, inner.high]);
            }
        }
        let mut nodes: Vec<Node> = seen.into_iter().collect();
        nodes.sort_unstable();
        nodes
    }

    /// The variables that a function depends on, in their order.
    pub fn support(&self, node: Node) -> Vec<u32> {
        let mut vars: Vec<u32> = self.nodes_of(node).into_iter().map(|at| self.var(at)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The function with other functions in the place of its nodes of a variable: by what they are made of there.
    fn rebuilt(
        &mut self,
        node: Node,
        mut with: impl FnMut(&mut Diagrams, Inner, Node, Node) -> Node,
    ) -> Node {
        let mut new: FxHashMap<Node, Node> = FxHashMap::default();
        for at in self.nodes_of(node) {
            watchdog::step();
            let inner = self.inner(at);
            let [low, high] =
                [inner.low, inner.high].map(|child| new.get(&child).copied().unwrap_or(child));
            let made = with(self, inner, low, high);
            new.insert(at, made);
        }
        new.get(&node).copied().unwrap_or(node)
    }

    pub fn restrict(&mut self, node: Node, values: &FxHashMap<u32, bool>) -> Node {
        self.rebuilt(node, |diagrams, inner, low, high| match values.get(&inner.var) {
            Some(true) => high,
            Some(false) => low,
            None => diagrams.make(inner.var, low, high),
        })
    }

    pub fn at(&mut self, node: Node, var: u32, value: bool) -> Node {
        self.restrict(node, &FxHashMap::from_iter([(var, value)]))
    }

    /// The function where a variable is 0 and 1.
    pub fn cofactors(&mut self, node: Node, var: u32) -> [Node; 2] {
        [false, true].map(|value| self.restrict(node, &FxHashMap::from_iter([(var, value)])))
    }

    pub fn compose(&mut self, node: Node, var: u32, by: Node) -> Node {
        let [low, high] = self.cofactors(node, var);
        self.choose(by, high, low)
    }

    pub fn exists(&mut self, node: Node, var: u32) -> Node {
        let [low, high] = self.cofactors(node, var);
        self.or(low, high)
    }

    pub fn for_all(&mut self, node: Node, var: u32) -> Node {
        let [low, high] = self.cofactors(node, var);
        self.and(low, high)
    }

    /// How often the function is 1 for the values of these variables, which are in their order and all that it
    /// depends on.
    pub fn count(&self, node: Node, vars: &[u32]) -> BigUint {
        let counts = self.counts(node, vars);
        let place = self.place(node, vars);
        &counts[&node] << place
    }

    /// For each node how often it is 1 for the values of the variables from its own on.
    pub fn counts(&self, node: Node, vars: &[u32]) -> FxHashMap<Node, BigUint> {
        let mut counts = FxHashMap::from_iter([(FALSE, BigUint::zero()), (TRUE, BigUint::one())]);
        for at in self.nodes_of(node) {
            watchdog::step();
            let inner = self.inner(at);
            let place = self.place(at, vars);
            let of = |child| {
                let count: &BigUint = &counts[&child];
                count << (self.place(child, vars) - place - 1)
            };
            let count = of(inner.low) + of(inner.high);
            counts.insert(at, count);
        }
        counts
    }

    /// The place of a node's variable among these; behind them for a constant.
    pub fn place(&self, node: Node, vars: &[u32]) -> usize {
        vars.partition_point(|&var| var < self.var(node))
    }

    /// Forgets the nodes that none of the roots needs; the roots get their new numbers.
    pub fn collect<'r>(&mut self, roots: impl Iterator<Item = &'r mut Node>) {
        let roots: Vec<&mut Node> = roots.collect();
        let mut needed = vec![false; self.nodes.len()];
        for root in &roots {
            needed[**root as usize] = true;
        }
        for at in (2..self.nodes.len()).rev() {
            if needed[at] {
                let Inner { low, high, .. } = self.nodes[at];
                needed[low as usize] = true;
                needed[high as usize] = true;
            }
        }
        let old = std::mem::take(self);
        let mut new: Vec<Node> = vec![FALSE, TRUE];
        new.resize(old.nodes.len(), FALSE);
        for at in 2..old.nodes.len() {
            if needed[at] {
                let Inner { var, low, high } = old.nodes[at];
                new[at] = self.make(var, new[low as usize], new[high as usize]);
            }
        }
        for root in roots {
            *root = new[*root as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a function of three variables, as bits.
    fn table(diagrams: &mut Diagrams, node: Node) -> u8 {
        (0..8).fold(0, |bits, row: u8| {
            let values = (0..3).map(|var| (var, row >> var & 1 == 1)).collect();
            let value = diagrams.restrict(node, &values);
            bits | u8::from(value == TRUE) << row
        })
    }

    #[test]
    fn operations_agree_with_tables() {
        let mut diagrams = Diagrams::default();
        let vars = [0, 1, 2].map(|var| diagrams.variable(var));
        let mut known = vec![FALSE, TRUE];
        known.extend(vars);
        for round in 0..40 {
            let [a, b] = [round % known.len(), (round * 7 + 3) % known.len()].map(|at| known[at]);
            let [x, y] = [a, b].map(|node| table(&mut diagrams, node));
            let (and, or, xor) = (diagrams.and(a, b), diagrams.or(a, b), diagrams.xor(a, b));
            let found = [and, or, xor].map(|node| table(&mut diagrams, node));
            assert_eq!(found, [x & y, x | y, x ^ y]);
            let chosen = diagrams.choose(vars[0], a, b);
            assert_eq!(table(&mut diagrams, chosen), x & 0xAA | y & 0x55);
            let count = diagrams.count(xor, &[0, 1, 2]);
            assert_eq!(count, (x ^ y).count_ones().into());
            known.push(xor);
        }
        let mut roots = [known[10], known[20]];
        let before = roots.map(|node| table(&mut diagrams, node));
        diagrams.collect(roots.iter_mut());
        assert_eq!(roots.map(|node| table(&mut diagrams, node)), before);
    }
}
