//! Which variable is decided next: one that conflicts were often about (VSIDS; M. Moskewicz et al., *Chaff*, DAC 2001).

use crate::atom::VarId;

/// A binary heap of variables by activity.
pub(crate) struct Queue {
    heap: Vec<u32>,
    place: Vec<u32>,
    activity: Vec<f64>,
    step: f64,
}

const AWAY: u32 = u32::MAX;

impl Queue {
    pub fn new(count: usize) -> Queue {
        Queue {
            heap: (0..count as u32).collect(),
            place: (0..count as u32).collect(),
            activity: vec![0.0; count],
            step: 1.0,
        }
    }

    /// Whether one variable comes before another; those that are declared first where both are as active.
    fn precedes(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activity[one as usize], self.activity[other as usize]);
        a > b || a == b && one < other
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }

    fn up(&mut self, from: usize) {
        let (mut at, var) = (from, self.heap[from]);
        while at > 0 && self.precedes(var, self.heap[(at - 1) / 2]) {
            self.put(at, self.heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.put(at, var);
    }

    fn down(&mut self, from: usize) {
        let (mut at, var) = (from, self.heap[from]);
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.precedes(self.heap[child + 1], self.heap[child])
            {
                child += 1;
            }
            if !self.precedes(self.heap[child], var) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, var);
    }

    pub fn insert(&mut self, var: VarId) {
        if self.place[var.at()] != AWAY {
            return;
        }
        self.heap.push(var.0);
        self.place[var.at()] = self.heap.len() as u32 - 1;
        self.up(self.heap.len() - 1);
    }

    pub fn bump(&mut self, var: VarId) {
        self.activity[var.at()] += self.step;
        if self.activity[var.at()] > 1e100 {
            self.step *= 1e-100;
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
        }
        if self.place[var.at()] != AWAY {
            self.up(self.place[var.at()] as usize);
        }
    }

    /// What was long ago counts less.
    pub fn decay(&mut self) {
        self.step /= 0.95;
    }

    /// The first one that is open; those before it go.
    pub fn next(&mut self, is_open: impl Fn(VarId) -> bool) -> Option<VarId> {
        while let Some(&first) = self.heap.first() {
            let var = VarId(first);
            if is_open(var) {
                return Some(var);
            }
            self.place[first as usize] = AWAY;
            let last = self.heap.pop()?;
            if last != first {
                self.heap[0] = last;
                self.down(0);
            }
        }
        None
    }
}
