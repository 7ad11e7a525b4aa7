//! Looks for renamings that keep the rules, enough of them to make all others.
//!
//! One way is followed to where every leaf, value and fact has a colour of its own. Then, from its end backward,
//! each other choice is followed that no renaming found so far maps to the one that was made: where it ends in
//! the same colours, the two ends are one renaming (B. McKay, *Practical Graph Isomorphism*, Congressus
//! Numerantium 30, 1981).

use super::drawn::Drawn;
use super::graph::{Vertex, both};
use super::renaming::Renaming;
use crate::operators::Leaf;
use crate::parts::Parts;
use std::collections::HashMap;

/// Colourings that one choice may lead through until it is given up.
const TRIES: u32 = 64;

/// A colouring of the way that is followed first.
struct Level {
    colours: Vec<u64>,
    /// The colours of all vertices in order, to compare others with.
    sorted: Vec<u64>,
    /// The vertex that is chosen next, if any are alike.
    chosen: Option<Vertex>,
}

pub(super) struct Search<'d, F> {
    drawn: &'d Drawn,
    /// Whether a renaming keeps the rules.
    keeps: F,
    steps: u64,
    tries: u32,
    levels: Vec<Level>,
}

/// Renamings that make all that keep the rules, as far as they were found with N steps.
pub(super) fn generators(
    drawn: &Drawn,
    steps: u64,
    keeps: impl Fn(&Renaming) -> bool,
) -> Vec<Renaming> {
    let mut search = Search { drawn, keeps, steps, tries: 0, levels: Vec::new() };
    search.run()
}

impl<F: Fn(&Renaming) -> bool> Search<'_, F> {
    fn run(&mut self) -> Vec<Renaming> {
        let mut colours = self.drawn.graph.colours.clone();
        loop {
            let Some(refined) = self.drawn.graph.refine(colours, &mut self.steps) else {
                return Vec::new();
            };
            let chosen = self.choice(&refined);
            self.levels.push(Level { sorted: sorted(&refined), colours: refined, chosen });
            let level = self.levels.len() - 1;
            let Some(chosen) = chosen else { break };
            colours = self.chosen(level, &self.levels[level].colours, chosen);
        }
        let mut found: Vec<Renaming> = Vec::new();
        for level in (0..self.levels.len() - 1).rev() {
            let Some(first) = self.levels[level].chosen else { continue };
            let alike = self.alike(&self.levels[level].colours, level);
            // Vertices that need not be tried: others, alike to them, were.
            let mut orbits = Parts::new(self.drawn.core);
            found.iter().for_each(|by| join_images(&mut orbits, self.drawn, by, &alike));
            let mut failed: Vec<Vertex> = Vec::new();
            for &other in &alike {
                let tried = |vertex: &Vertex| orbits.least(*vertex) == orbits.least(other);
                if tried(&first) || failed.iter().any(tried) {
                    continue;
                }
                self.tries = TRIES;
                let colours = self.chosen(level, &self.levels[level].colours, other);
                match self.follow(level + 1, colours) {
                    Some(by) => {
                        join_images(&mut orbits, self.drawn, &by, &alike);
                        found.push(by);
                    }
                    None if self.steps == 0 => return found,
                    None => failed.push(other),
                }
            }
        }
        found
    }

    /// A vertex that looks like others: of those that are told apart from most, the first.
    fn choice(&self, colours: &[u64]) -> Option<Vertex> {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        let core = &colours[..self.drawn.core];
        core.iter().for_each(|&colour| *counts.entry(colour).or_default() += 1);
        let several = (0..).zip(core).filter(|(_, colour)| counts[*colour] > 1);
        // Leaves are numbered first.
        several.min_by_key(|&(vertex, colour)| (counts[colour], vertex)).map(|(vertex, _)| vertex)
    }

    fn chosen(&self, level: usize, colours: &[u64], vertex: Vertex) -> Vec<u64> {
        let mut colours = colours.to_vec();
        let colour = &mut colours[vertex as usize];
        *colour = both(*colour, level as u64 + 1);
        colours
    }

    /// The vertices of a colouring that may stand for the one chosen at a level.
    fn alike(&self, colours: &[u64], level: usize) -> Vec<Vertex> {
        let Level { colours: first, chosen, .. } = &self.levels[level];
        let wanted = chosen.map(|chosen| first[chosen as usize]);
        let all = (0..).zip(&colours[..self.drawn.core]);
        all.filter(|&(_, colour)| Some(*colour) == wanted).map(|(vertex, _)| vertex).collect()
    }

    /// The renaming that a colouring leads to, if it leads to one.
    fn follow(&mut self, level: usize, colours: Vec<u64>) -> Option<Renaming> {
        self.tries = self.tries.checked_sub(1)?;
        let Some(refined) = self.drawn.graph.refine(colours, &mut self.steps) else {
            self.steps = 0;
            return None;
        };
        if sorted(&refined) != self.levels[level].sorted {
            return None;
        }
        if self.levels[level].chosen.is_none() {
            let renaming = self.between(&self.levels[level].colours, &refined)?;
            return (self.keeps)(&renaming).then_some(renaming);
        }
        let alike = self.alike(&refined, level);
        alike.into_iter().find_map(|vertex| {
            let colours = self.chosen(level, &refined, vertex);
            self.follow(level + 1, colours)
        })
    }

    /// The renaming from one colouring to another that has the same colours.
    fn between(&self, from: &[u64], to: &[u64]) -> Option<Renaming> {
        let core = self.drawn.core;
        let by_colour: HashMap<u64, Vertex> =
            to[..core].iter().zip(0..).map(|(&colour, vertex)| (colour, vertex)).collect();
        let image = |vertex: Vertex| by_colour.get(&from[vertex as usize]).copied();
        let leaves = self.drawn.leaves;
        let images: Option<Vec<Leaf>> = (0..leaves as Vertex)
            .map(|leaf| Leaf::try_from(image(leaf)?).ok().filter(|&l| usize::from(l) < leaves))
            .collect();
        let images = images?;
        // By leaf and value.
        let mut values = vec![HashMap::new(); leaves];
        for (leaf, facts) in self.drawn.facts.iter().enumerate() {
            let to = &self.drawn.facts[usize::from(images[leaf])];
            for (&value, &fact) in facts {
                let image = image(fact)?;
                let new = to.iter().find(|(_, fact)| **fact == image)?;
                values[leaf].insert(value, *new.0);
            }
        }
        Renaming::of(images, |leaf, value| {
            values[usize::from(leaf)].get(&value).copied().unwrap_or(value)
        })
    }
}

fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut colours = colours.to_vec();
    colours.sort_unstable();
    colours
}

/// Takes note of what a renaming maps to what, of some vertices.
fn join_images(orbits: &mut Parts, drawn: &Drawn, by: &Renaming, vertices: &[Vertex]) {
    for &vertex in vertices {
        if let Some(image) = drawn.image(by, vertex) {
            orbits.join(vertex, image);
        }
    }
}
