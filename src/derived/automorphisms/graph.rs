//! Graphs with coloured vertices and labelled edges, and colourings of them in which alike vertices have alike
//! neighbours.
//!
//! A colour is a hash of what tells a vertex apart, so it is the same for what looks alike in two colourings
//! (B. Weisfeiler, A. Leman, 1968). What two colourings say to be alike is a guess, which is verified by other
//! means.

pub(super) type Vertex = u32;

/// Spreads what a number says over its bits (the finalizer of MurmurHash3).
pub(super) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ bits >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}

/// The hash of two.
pub(super) fn both(first: u64, second: u64) -> u64 {
    mixed(first.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(second))
}

/// A graph that is being put together.
#[derive(Default)]
pub(super) struct Drawing {
    pub colours: Vec<u64>,
    edges: Vec<(Vertex, Vertex, u32)>,
}

impl Drawing {
    pub fn vertex(&mut self, colour: u64) -> Vertex {
        self.colours.push(mixed(colour));
        self.colours.len() as Vertex - 1
    }

    pub fn edge(&mut self, from: Vertex, to: Vertex, label: u32) {
        self.edges.push((from, to, label));
    }

    /// How much has been drawn.
    pub fn size(&self) -> usize {
        self.colours.len() + self.edges.len()
    }

    pub fn done(self) -> Graph {
        let Drawing { colours, edges } = self;
        let mut first = vec![0u32; colours.len() + 1];
        let ends = || edges.iter().flat_map(|&(from, to, _)| [from, to]);
        ends().for_each(|vertex| first[vertex as usize + 1] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut place = first.clone();
        let mut neighbours = vec![(0, 0); edges.len() * 2];
        for &(from, to, label) in &edges {
            for (at, other, label) in [(from, to, label * 2), (to, from, label * 2 + 1)] {
                neighbours[place[at as usize] as usize] = (other, mixed(u64::from(label) + 1));
                place[at as usize] += 1;
            }
        }
        Graph { colours, first, neighbours }
    }
}

pub(super) struct Graph {
    /// By vertex.
    pub colours: Vec<u64>,
    /// By vertex: the first of its neighbours.
    first: Vec<u32>,
    /// With the label of the edge, which says its direction too.
    neighbours: Vec<(Vertex, u64)>,
}

impl Graph {
    /// Steps that one round of refining takes.
    pub fn round(&self) -> u64 {
        (self.neighbours.len() + self.colours.len()) as u64
    }

    /// Refines a colouring until it tells no more vertices apart. `None`, if it takes more steps than there
    /// are.
    pub fn refine(&self, mut colours: Vec<u64>, steps: &mut u64) -> Option<Vec<u64>> {
        let mut count = distinct(&colours);
        loop {
            *steps = steps.checked_sub(self.round())?;
            let new: Vec<u64> =
                (0..colours.len()).map(|vertex| self.refined(&colours, vertex)).collect();
            let apart = distinct(&new);
            if apart <= count {
                return Some(colours);
            }
            (colours, count) = (new, apart);
        }
    }

    fn refined(&self, colours: &[u64], vertex: usize) -> u64 {
        let (first, end) = (self.first[vertex] as usize, self.first[vertex + 1] as usize);
        let around = self.neighbours[first..end].iter();
        // In any order of the neighbours.
        let around = around.fold(0u64, |sum, &(neighbour, label)| {
            sum.wrapping_add(both(colours[neighbour as usize], label))
        });
        both(colours[vertex], around)
    }
}

fn distinct(colours: &[u64]) -> usize {
    let mut colours = colours.to_vec();
    colours.sort_unstable();
    colours.dedup();
    colours.len()
}
