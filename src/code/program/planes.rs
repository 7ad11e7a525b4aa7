//! Conditions that are the same but for a shift of the board: families, which are one computation on
//! planes.
//!
//! The square of a board that a condition is about is its *anchor*. Two conditions are of one family
//! if they are joined in the same way of parts that are of the same families, as far from their
//! anchors; near an edge some parts may be missing. A family of all squares then takes as many
//! operations on words as one of its members takes on single leaves. Rays are families of themselves:
//! a longer one is made of a shorter one, so their planes are made in stages, by depth.
//!
//! It is superword-level parallelism (S. Larsen, S. Amarasinghe, PLDI 2000) on conditions, where what
//! hand-written programs of board games do is one case.

use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::{Condition, Formula, Store};
use zug_term::Cell;

/// The number of a family.
pub type FamilyId = u32;

/// Where the bits of a part come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Leaves that have one of some values: the number of the set.
    Cells(u32),
    /// Another family.
    Family(FamilyId),
    /// One condition for all places.
    Single(Condition),
}

/// A part of the conditions of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    /// Where it comes from.
    pub source: Source,
    /// How far from the anchor.
    pub offset: i8,
    /// Whether it must not hold.
    pub negated: bool,
}

/// Conditions that are the same but for a shift.
#[derive(Clone, Debug)]
pub struct Family {
    /// All parts must hold, or one of them.
    pub all: bool,
    /// The parts, each with the anchors of those that have it.
    pub parts: Vec<(Part, u64)>,
    /// The anchors with the depths of their conditions.
    pub members: Vec<(u8, u32)>,
    /// The anchors.
    pub anchors: u64,
    /// It is, by way of others perhaps, made of itself.
    pub recursive: bool,
}

/// A place of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The plane.
    pub source: Source,
    /// The place.
    pub at: u8,
    /// The condition holds where the place is not in the plane.
    pub negated: bool,
}

/// The families of the conditions of a run.
#[derive(Default)]
pub struct Families {
    /// Families by number.
    pub families: Vec<Family>,
    /// The values of leaves that planes are of.
    pub sets: Vec<Box<[Cell]>>,
    places: FxHashMap<Condition, Place>,
    components: Vec<u32>,
}

/// What is found of conditions before they are put into families.
struct Finder<'a> {
    store: &'a mut Store,
    /// How many leaves may be in planes.
    window: usize,
    anchors: FxHashMap<Condition, Option<u8>>,
    depths: FxHashMap<Condition, u32>,
    found: Families,
}

impl Families {
    /// The families of all conditions that some are made of, as far as they are about so many leaves.
    pub fn of(store: &mut Store, roots: &[Condition], window: usize) -> Families {
        let mut finder = Finder {
            store,
            window,
            anchors: FxHashMap::default(),
            depths: FxHashMap::default(),
            found: Families::default(),
        };
        let mut all = Vec::new();
        for &root in roots {
            finder.literal(root);
            finder.visit(root, None, &mut all);
        }
        all.sort_by_key(|condition| (finder.depths[condition], *condition));
        let mut by_part: FxHashMap<(bool, Part), Vec<FamilyId>> = FxHashMap::default();
        for condition in all {
            finder.assign(condition, &mut by_part);
        }
        let mut found = finder.found;
        found.find_recursion();
        found
    }

    /// Where a condition stands, if it is in a plane.
    pub fn place(&self, condition: Condition) -> Option<Place> {
        self.places.get(&condition).copied()
    }

    /// Whether two families are made of one another.
    pub fn same_component(&self, one: FamilyId, other: FamilyId) -> bool {
        self.components[one as usize] == self.components[other as usize]
    }

    /// Finds families that are made of themselves: R. Tarjan's components.
    fn find_recursion(&mut self) {
        let count = self.families.len();
        let next = |families: &[Family], at: usize| -> Vec<usize> {
            let parts = families[at].parts.iter();
            parts
                .filter_map(|(part, _)| match part.source {
                    Source::Family(family) => Some(family as usize),
                    _ => None,
                })
                .collect()
        };
        let mut index = vec![u32::MAX; count];
        let mut low = vec![0; count];
        let mut on_stack = vec![false; count];
        let mut stack = Vec::new();
        let mut counter = 0;
        self.components = vec![0; count];
        for start in 0..count {
            if index[start] != u32::MAX {
                continue;
            }
            let mut open: Vec<(usize, Vec<usize>)> = vec![(start, next(&self.families, start))];
            (index[start], low[start]) = (counter, counter);
            counter += 1;
            stack.push(start);
            on_stack[start] = true;
            while let Some((at, targets)) = open.last_mut() {
                let at = *at;
                let Some(target) = targets.pop() else {
                    open.pop();
                    if let Some((above, _)) = open.last() {
                        low[*above] = low[*above].min(low[at]);
                    }
                    if low[at] == index[at] {
                        let from = stack.iter().rposition(|&one| one == at).expect("it is there");
                        let component: Vec<usize> = stack.split_off(from);
                        let alone = component.len() == 1 && !next(&self.families, at).contains(&at);
                        for one in component {
                            on_stack[one] = false;
                            self.components[one] = at as u32;
                            self.families[one].recursive = !alone;
                        }
                    }
                    continue;
                };
                if index[target] == u32::MAX {
                    (index[target], low[target]) = (counter, counter);
                    counter += 1;
                    stack.push(target);
                    on_stack[target] = true;
                    open.push((target, next(&self.families, target)));
                } else if on_stack[target] {
                    low[at] = low[at].min(index[target]);
                }
            }
        }
    }
}

impl Finder<'_> {
    /// The place of a literal in the window.
    fn literal(&mut self, condition: Condition) -> Option<Place> {
        if let Some(&place) = self.found.places.get(&condition) {
            return Some(place);
        }
        let &Formula::Literal(leaf, set) = self.store.says(condition) else { return None };
        let at = leaf.0 as usize;
        if at >= self.window {
            return None;
        }
        let (inside, outside) = self.store.values_by(leaf, set);
        let order = |values: &[Cell]| (values.len(), values.iter().map(|cell| cell.0).min());
        let negated = order(&outside) < order(&inside);
        let values = if negated { outside } else { inside };
        let known = self.found.sets.iter().position(|set| **set == values[..]);
        let number = known.unwrap_or_else(|| {
            self.found.sets.push(values.into_boxed_slice());
            self.found.sets.len() - 1
        });
        let place = Place { source: Source::Cells(number as u32), at: at as u8, negated };
        self.found.places.insert(condition, place);
        Some(place)
    }

    fn parts(&self, condition: Condition) -> Option<Vec<Condition>> {
        match self.store.says(condition) {
            Formula::And(parts) | Formula::Or(parts) => Some(parts.to_vec()),
            _ => None,
        }
    }

    /// Gives a condition and what it is made of their anchors; joined ones are put down.
    fn visit(&mut self, condition: Condition, inherited: Option<u8>, all: &mut Vec<Condition>) {
        let Some(parts) = self.parts(condition) else { return };
        let opposite = self.store.not(condition);
        if self.anchors.contains_key(&condition) || self.anchors.contains_key(&opposite) {
            return;
        }
        self.store.spend(parts.len());
        let literals = parts.iter().filter_map(|&part| self.literal(part));
        let literals: Vec<Place> = literals.collect();
        let first = literals.iter().min_by_key(|place| (place.source, place.negated, place.at));
        let anchor = first.map(|place| place.at).or(inherited);
        self.anchors.insert(condition, anchor);
        let mut depth = 0;
        for &part in &parts {
            self.visit(part, anchor, all);
            let opposite = self.store.not(part);
            let below = self.depths.get(&part).or(self.depths.get(&opposite));
            depth = depth.max(below.map_or(0, |depth| depth + 1));
        }
        self.depths.insert(condition, depth);
        all.push(condition);
    }

    /// Puts a condition into a family, whose parts are in theirs.
    fn assign(
        &mut self,
        condition: Condition,
        by_part: &mut FxHashMap<(bool, Part), Vec<FamilyId>>,
    ) {
        let Some(anchor) = self.anchors[&condition] else { return };
        let all = matches!(self.store.says(condition), Formula::And(_));
        let conditions = self.parts(condition).expect("it is joined");
        self.store.spend(conditions.len());
        let mut parts: Vec<Part> = Vec::with_capacity(conditions.len());
        for part in conditions {
            let place = self.literal(part).or_else(|| {
                let opposite = self.store.not(part);
                let negated = |place: &Place| Place { negated: !place.negated, ..*place };
                let known = self.found.places.get(&part).copied();
                known.or_else(|| self.found.places.get(&opposite).map(negated))
            });
            parts.push(match place {
                Some(Place { source, at, negated }) => {
                    Part { source, offset: at as i8 - anchor as i8, negated }
                }
                None => Part { source: Source::Single(part), offset: 0, negated: false },
            });
        }
        parts.sort_unstable();
        parts.dedup();
        let bit = 1u64 << anchor;
        let mut overlap: FxHashMap<FamilyId, usize> = FxHashMap::default();
        for &part in &parts {
            for &family in by_part.get(&(all, part)).into_iter().flatten() {
                *overlap.entry(family).or_default() += 1;
            }
        }
        let families = &self.found.families;
        let best = overlap
            .into_iter()
            .filter(|&(family, shared)| {
                families[family as usize].anchors & bit == 0 && 2 * shared >= parts.len()
            })
            .max_by_key(|&(family, shared)| {
                let more = families[family as usize].parts.len() - shared;
                (shared, std::cmp::Reverse((more, family)))
            })
            .map(|(family, _)| family);
        let number = best.unwrap_or_else(|| {
            let (parts, members) = (Vec::new(), Vec::new());
            let family = Family { all, parts, members, anchors: 0, recursive: false };
            self.found.families.push(family);
            self.found.families.len() as FamilyId - 1
        });
        let family = &mut self.found.families[number as usize];
        family.anchors |= bit;
        family.members.push((anchor, self.depths[&condition]));
        for part in parts {
            match family.parts.iter_mut().find(|(known, _)| *known == part) {
                Some((_, anchors)) => *anchors |= bit,
                None => {
                    family.parts.push((part, bit));
                    by_part.entry((all, part)).or_default().push(number);
                }
            }
        }
        let place = Place { source: Source::Family(number), at: anchor, negated: false };
        self.found.places.insert(condition, place);
    }
}

impl Family {
    /// The depths at which it gets members, ascending.
    pub fn stages(&self) -> Vec<u32> {
        let depths: FxHashSet<u32> = self.members.iter().map(|&(_, depth)| depth).collect();
        let mut depths: Vec<u32> = depths.into_iter().collect();
        depths.sort_unstable();
        depths
    }

    /// The anchors of members up to a depth.
    pub fn anchors_to(&self, depth: u32) -> u64 {
        let members = self.members.iter().filter(|&&(_, of)| of <= depth);
        members.fold(0, |all, &(anchor, _)| all | 1 << anchor)
    }
}
