//! The open list of a best-first search: least key first, among equal keys the state pushed
//! last.
//!
//! As long as keys are small integers the list is an array of rows of stacks, one stack for
//! each key, and pushing and popping take constant time (R. B. Dial: Algorithm 360,
//! *Communications of the ACM* 12(11), 1969). With the first key that is not, or when keys are
//! so scattered that most stacks would be empty, it becomes a binary heap.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::space::StateId;

/// The most rows.
const ROWS: u32 = 1 << 12;
/// There may be this many more stacks than states were pushed.
const SPARE: usize = 1 << 10;

/// What an open list is ordered by.
pub(super) trait Key: Ord + Copy + Send + Sync {
    /// In a row greater columns come first.
    const GREATEST_COLUMN_FIRST: bool;

    /// The row and the column of the key if it consists of integers that are not negative.
    /// Keys with one place are equal; lesser rows come first.
    fn place(self) -> Option<(u32, u32)>;
}

impl<A: Cost, B: Cost> Key for (A, B) {
    const GREATEST_COLUMN_FIRST: bool = false;

    #[inline]
    fn place(self) -> Option<(u32, u32)> {
        Some((self.0.as_small()?, self.1.as_small()?))
    }
}

impl<A: Cost, B: Cost> Key for (A, Reverse<B>) {
    const GREATEST_COLUMN_FIRST: bool = true;

    #[inline]
    fn place(self) -> Option<(u32, u32)> {
        Some((self.0.as_small()?, self.1.0.as_small()?))
    }
}

/// A state on the heap.
struct Open<K> {
    key: K,
    /// Grows with each push; of equal keys, the latest is expanded first.
    arrival: u32,
    id: StateId,
}

impl<K: Ord> Ord for Open<K> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(self.arrival.cmp(&other.arrival))
    }
}

impl<K: Ord> PartialOrd for Open<K> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for Open<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<K: Ord> Eq for Open<K> {}

/// States whose keys differ in the column alone.
struct Row<K> {
    /// From the column `base` on.
    stacks: Vec<Stack<K>>,
    base: usize,
    /// States in all stacks.
    count: usize,
    /// No stack that comes before this one holds a state; counted from `base`.
    first: usize,
}

/// States with equal keys, the latest on top.
struct Stack<K> {
    states: Vec<StateId>,
    /// Their key, once there was a state.
    key: Option<K>,
}

/// The open list.
pub(super) struct OpenList<K> {
    rows: Vec<Row<K>>,
    /// No row before this one holds a state.
    first: usize,
    /// Bytes that the rows hold, and how many stacks they are.
    row_bytes: usize,
    stacks: usize,
    /// In use once a key had no place.
    heap: Option<BinaryHeap<Open<K>>>,
    /// Pushes so far.
    arrivals: usize,
}

impl<K: Key> OpenList<K> {
    pub fn new() -> Self {
        Self { rows: Vec::new(), first: 0, row_bytes: 0, stacks: 0, heap: None, arrivals: 0 }
    }

    /// Bytes held.
    #[inline]
    pub fn bytes(&self) -> usize {
        let heap = self.heap.as_ref().map_or(0, BinaryHeap::capacity);
        self.row_bytes + heap * size_of::<Open<K>>()
    }

    #[inline]
    pub fn push(&mut self, key: K, id: StateId) {
        self.arrivals += 1;
        if self.heap.is_none()
            && let Some((row, column)) = key.place()
            && row < ROWS
            && self.stack(key, row as usize, column as usize, id)
        {
            return;
        }
        self.push_on_heap(key, id);
    }

    /// Pushes a state on its stack; false if that stack would be one too many.
    #[inline]
    fn stack(&mut self, key: K, row: usize, column: usize, id: StateId) -> bool {
        let line = self.rows.get(row).filter(|line| column >= line.base);
        if line.is_none_or(|line| column - line.base >= line.stacks.len())
            && !self.widen(row, column)
        {
            return false;
        }
        let line = &mut self.rows[row];
        let column = column - line.base;
        let stack = &mut line.stacks[column];
        if stack.states.len() == stack.states.capacity() {
            let before = stack.states.capacity();
            stack.states.reserve(1);
            self.row_bytes += (stack.states.capacity() - before) * size_of::<StateId>();
            stack.key = Some(key);
        }
        stack.states.push(id);
        line.count += 1;
        let is_first = line.count == 1 || (column > line.first) == K::GREATEST_COLUMN_FIRST;
        line.first = if is_first { column } else { line.first };
        self.first = self.first.min(row);
        true
    }

    /// Makes a place; false if there are too many.
    #[cold]
    fn widen(&mut self, row: usize, column: usize) -> bool {
        let line = self.rows.get(row).filter(|line| !line.stacks.is_empty());
        let (base, end) = line.map_or((column, column), |l| (l.base, l.base + l.stacks.len()));
        let (new_base, new_end) = (base.min(column), end.max(column + 1));
        self.stacks += (new_end - new_base) - (end - base);
        if self.stacks > self.arrivals + SPARE {
            return false;
        }
        let rows = self.rows.capacity();
        if row >= self.rows.len() {
            let empty = || Row { stacks: Vec::new(), base: 0, count: 0, first: 0 };
            self.rows.resize_with(row + 1, empty);
        }
        let line = &mut self.rows[row];
        let stacks = line.stacks.capacity();
        let empty = || Stack { states: Vec::new(), key: None };
        line.stacks.splice(0..0, (new_base..base).map(|_| empty()));
        line.stacks.resize_with(new_end - new_base, empty);
        (line.base, line.first) = (new_base, line.first + base - new_base);
        self.row_bytes += (line.stacks.capacity() - stacks) * size_of::<Stack<K>>();
        self.row_bytes += (self.rows.capacity() - rows) * size_of::<Row<K>>();
        true
    }

    /// Takes the state that comes first.
    #[inline]
    pub fn pop(&mut self) -> Option<StateId> {
        if let Some(heap) = &mut self.heap {
            return heap.pop().map(|open| open.id);
        }
        loop {
            let row = self.rows.get_mut(self.first)?;
            if row.count == 0 {
                self.first += 1;
                continue;
            }
            if let Some(id) = row.stacks[row.first].states.pop() {
                row.count -= 1;
                return Some(id);
            }
            row.first = if K::GREATEST_COLUMN_FIRST { row.first - 1 } else { row.first + 1 };
        }
    }

    /// Pushes a state whose key may have no place: all move to a heap.
    fn push_on_heap(&mut self, key: K, id: StateId) {
        let rows = std::mem::take(&mut self.rows);
        self.row_bytes = 0;
        let heap = self.heap.get_or_insert_default();
        // Within a stack the order is that of arrival; between keys that are not equal none is
        // needed, and what arrives later comes after all of these.
        for Stack { states, key } in rows.into_iter().flat_map(|row| row.stacks) {
            for (id, arrival) in states.into_iter().zip(0..) {
                let key = key.expect("a stack of states has a key");
                heap.push(Open { key, arrival, id });
            }
        }
        heap.push(Open { key, arrival: self.arrivals as u32, id });
    }

    /// The states, in any order.
    pub fn states(&self) -> impl Iterator<Item = StateId> {
        let stacks = self.rows.iter().flat_map(|row| &row.stacks);
        let heap = self.heap.iter().flatten().map(|open| open.id);
        stacks.flat_map(|stack| &stack.states).copied().chain(heap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small keys and large ones, in the order of a list sorted at every step.
    #[test]
    fn order() {
        for limit in [5, 100, 3000] {
            let mut list = OpenList::<(i64, Reverse<i64>)>::new();
            let mut sorted: Vec<((i64, Reverse<i64>), StateId)> = Vec::new();
            let mut random = 1u64;
            for id in 0..2000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let key = ((random >> 33) as i64 % limit, Reverse((random >> 50) as i64 % limit));
                list.push(key, id);
                let at = sorted.partition_point(|(other, _)| *other < key);
                sorted.insert(at, (key, id));
                if random >> 62 == 0 {
                    assert_eq!(list.pop(), Some(sorted.remove(0).1));
                }
            }
            assert_eq!(list.states().count(), sorted.len());
            for (_, id) in sorted {
                assert_eq!(list.pop(), Some(id));
            }
            assert_eq!(list.pop(), None);
        }
    }
}
