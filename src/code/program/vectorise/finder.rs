//! Finding families.

use super::{EDGE, Families, Family, FamilyId, Part, Place, Places, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::{Condition, Formula, Leaf, Store, limits};
use zug_term::Cell;

/// A leaf that a condition is about: the values, how far from the anchor, and whether they must not be.
type Aspect = (u32, i16, bool);

/// A condition that is joined of parts.
struct Joined {
    condition: Condition,
    all: bool,
    anchor: u16,
    parts: Vec<Condition>,
    /// Of how many conditions in one another it is made.
    depth: u32,
    /// The leaves that it is about, ascending.
    aspects: Vec<Aspect>,
}

/// Finds the families of conditions.
pub(super) struct Finder<'a> {
    store: &'a mut Store,
    /// How many leaves a state has.
    leaves: usize,
    /// Leaves that occur in conditions of all places, such as the player to move: they are not places of a board.
    common: FxHashSet<Leaf>,
    found: Families,
    /// Which of a condition and its opposite is looked at: that which says more of what leaves are.
    scores: FxHashMap<Condition, i64>,
    joined: Vec<Joined>,
    numbers: FxHashMap<Condition, Option<usize>>,
}

impl Finder<'_> {
    pub(super) fn new(store: &mut Store, leaves: usize) -> Finder<'_> {
        Finder {
            store,
            leaves,
            common: FxHashSet::default(),
            found: Families::default(),
            scores: FxHashMap::default(),
            joined: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The families of all conditions that some are made of.
    pub(super) fn families(mut self, roots: &[Condition]) -> Families {
        self.find_common(roots);
        let anchors = self.usual_anchors(roots);
        for &root in roots {
            self.literal(root);
            self.visit(root, None, &anchors);
        }
        self.look_at_leaves();
        let groups = self.groups();
        self.assemble(&groups);
        self.join_edges();
        self.found
    }

    /// The place of a literal.
    fn literal(&mut self, condition: Condition) -> Option<Place> {
        if let Some(&place) = self.found.places.get(&condition) {
            return matches!(place.source, Source::Cells(_)).then_some(place);
        }
        let Formula::Literal(leaf, _) = self.store.says(condition) else { return None };
        if self.common.contains(leaf) {
            return None;
        }
        let (at, values, negated) = cells_of(self.store, self.leaves, condition)?;
        let known = self.found.sets.iter().position(|set| **set == values[..]);
        let number = known.unwrap_or_else(|| {
            self.found.sets.push(values.into_boxed_slice());
            self.found.sets.len() - 1
        });
        let place = Place { source: Source::Cells(number as u32), at, negated };
        self.found.places.insert(condition, place);
        Some(place)
    }

    fn parts(&self, condition: Condition) -> Option<Vec<Condition>> {
        match self.store.says(condition) {
            Formula::And(parts) | Formula::Or(parts) => Some(parts.to_vec()),
            _ => None,
        }
    }

    /// Of a joined condition, itself or its opposite, and whether it is the opposite.
    fn positive(&mut self, condition: Condition) -> (Condition, bool) {
        let opposite = self.store.not(condition);
        let score = self.score(condition);
        let is_all = matches!(self.store.says(condition), Formula::And(_));
        if score > 0 || score == 0 && is_all { (condition, false) } else { (opposite, true) }
    }

    /// How many leaves more it says to be something than not to be.
    fn score(&mut self, condition: Condition) -> i64 {
        if let Some(place) = self.literal(condition) {
            return if place.negated { -1 } else { 1 };
        }
        let Some(parts) = self.parts(condition) else { return 0 };
        let opposite = self.store.not(condition);
        if let Some(&known) = self.scores.get(&condition) {
            return known;
        }
        if let Some(&known) = self.scores.get(&opposite) {
            return -known;
        }
        self.store.spend(parts.len());
        let score = parts.iter().map(|&part| self.score(part).signum()).sum();
        self.scores.insert(condition, score);
        score
    }

    /// Finds the leaves that occur unusually often in conjunctions and disjunctions of literals of several leaves.
    fn find_common(&mut self, roots: &[Condition]) {
        let mut counts = FxHashMap::<Leaf, usize>::default();
        let (mut seen, mut waiting) = (FxHashSet::default(), roots.to_vec());
        while let Some(condition) = waiting.pop() {
            if !seen.insert(condition) {
                continue;
            }
            let Some(parts) = self.parts(condition) else { continue };
            seen.insert(self.store.not(condition));
            self.store.spend(parts.len());
            let leaf = |&part: &Condition| match self.store.says(part) {
                Formula::Literal(leaf, _) => Some(*leaf),
                _ => None,
            };
            let leaves: FxHashSet<Leaf> = parts.iter().filter_map(leaf).collect();
            if leaves.len() > 1 {
                leaves.into_iter().for_each(|leaf| *counts.entry(leaf).or_default() += 1);
            }
            waiting.extend(parts);
        }
        let mut order: Vec<usize> = counts.values().copied().collect();
        order.sort_unstable();
        let usual = order.get(order.len() / 2).copied().unwrap_or_default();
        let common = counts.iter().filter(|&(_, &count)| count > limits::COMMON * usual);
        let common: FxHashSet<Leaf> = common.map(|(&leaf, _)| leaf).collect();
        if common.len() * limits::FEW_COMMON <= counts.len() {
            self.common = common;
        }
    }

    /// How often leaves of some values are alone in conditions: those are the anchors of others, too.
    fn usual_anchors(&mut self, roots: &[Condition]) -> FxHashMap<(bool, Source, bool), usize> {
        let mut counts = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut waiting = roots.to_vec();
        while let Some(condition) = waiting.pop() {
            if self.parts(condition).is_none() {
                continue;
            }
            let (condition, _) = self.positive(condition);
            if !seen.insert(condition) {
                continue;
            }
            let parts = self.parts(condition).expect("it is joined");
            let all = matches!(self.store.says(condition), Formula::And(_));
            let mut places = parts.iter().filter_map(|&part| self.literal(part));
            if let (Some(place), None) = (places.next(), places.next()) {
                *counts.entry((all, place.source, place.negated)).or_default() += 1;
            }
            waiting.extend(parts);
        }
        counts
    }

    /// Looks at a condition and what it is made of: the number of what it is joined of.
    fn visit(
        &mut self,
        condition: Condition,
        inherited: Option<u16>,
        usual: &FxHashMap<(bool, Source, bool), usize>,
    ) -> Option<usize> {
        self.parts(condition)?;
        let (condition, _) = self.positive(condition);
        if let Some(&known) = self.numbers.get(&condition) {
            return known;
        }
        let parts = self.parts(condition)?;
        let all = matches!(self.store.says(condition), Formula::And(_));
        self.store.spend(parts.len());
        let places: Vec<Place> = parts.iter().filter_map(|&part| self.literal(part)).collect();
        let first = places.iter().min_by_key(|place| {
            let usual = usual.get(&(all, place.source, place.negated)).copied().unwrap_or(0);
            (std::cmp::Reverse(usual), place.source, place.negated, place.at)
        });
        let anchor = first.map(|place| place.at).or(inherited);
        let mut depth = 0;
        for &part in &parts {
            if let Some(number) = self.visit(part, anchor, usual) {
                depth = depth.max(self.joined[number].depth + 1);
            }
        }
        let number = match anchor {
            Some(anchor) if parts.len() <= limits::FEW_ALTERNATIVES => {
                let aspects = Vec::new();
                self.joined.push(Joined { condition, all, anchor, parts, depth, aspects });
                Some(self.joined.len() - 1)
            }
            _ => None,
        };
        self.numbers.insert(condition, number);
        number
    }

    /// The number of a joined condition that was looked at, and whether it is its opposite that was.
    fn number(&mut self, condition: Condition) -> Option<(usize, bool)> {
        if let Some(&known) = self.numbers.get(&condition) {
            return known.map(|number| (number, false));
        }
        let opposite = self.store.not(condition);
        let known = self.numbers.get(&opposite).copied().flatten();
        known.map(|number| (number, true))
    }

    /// Finds the leaves that conditions are about.
    fn look_at_leaves(&mut self) {
        for number in 0..self.joined.len() {
            let anchor = self.joined[number].anchor;
            let mut aspects = Vec::new();
            let mut waiting = vec![(number, false, 0)];
            while let Some((at, negated, depth)) = waiting.pop() {
                self.store.spend(self.joined[at].parts.len());
                for part in self.joined[at].parts.clone() {
                    if let Some(place) = self.literal(part) {
                        let Source::Cells(set) = place.source else { continue };
                        aspects.push((set, offset(anchor, place.at), place.negated != negated));
                    } else if depth < limits::SHALLOW
                        && let Some((inner, opposite)) = self.number(part)
                    {
                        waiting.push((inner, negated != opposite, depth + 1));
                    }
                }
            }
            aspects.sort_unstable();
            aspects.dedup();
            self.joined[number].aspects = aspects;
        }
    }

    /// Conditions by family, those about the most leaves first: others are but parts of these.
    fn groups(&mut self) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.joined.len()).collect();
        order.sort_by_key(|&number| {
            let one = &self.joined[number];
            (std::cmp::Reverse(one.aspects.len()), one.anchor, number)
        });
        struct Group {
            all: bool,
            anchors: Places,
            aspects: FxHashSet<Aspect>,
            members: Vec<usize>,
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut with: FxHashMap<Aspect, Vec<usize>> = FxHashMap::default();
        let mut work = 0;
        for number in order {
            let one = &self.joined[number];
            // A group that has most of the aspects has one of the rarest of them: these are the most that
            // it may lack, and one more.
            let mut rarest: Vec<&[usize]> = one
                .aspects
                .iter()
                .map(|aspect| with.get(aspect).map_or(&[][..], Vec::as_slice))
                .collect();
            rarest.sort_unstable_by_key(|groups| groups.len());
            rarest.truncate(one.aspects.len() / 5 + 1);
            let mut near: Vec<usize> = rarest.concat();
            if one.aspects.is_empty() {
                near = (0..groups.len()).collect();
            }
            near.sort_unstable();
            near.dedup();
            work += one.aspects.len() + near.len();
            let fits = near.into_iter().find(|&at| {
                let group = &groups[at];
                if group.all != one.all || group.anchors.contains(one.anchor) {
                    return false;
                }
                work += one.aspects.len();
                let shared = one.aspects.iter().filter(|aspect| group.aspects.contains(aspect));
                5 * shared.count() >= 4 * one.aspects.len()
            });
            let at = fits.unwrap_or(groups.len());
            let known = groups.get(at);
            for &aspect in &one.aspects {
                if known.is_none_or(|group| !group.aspects.contains(&aspect)) {
                    with.entry(aspect).or_default().push(at);
                }
            }
            let fits = groups.get_mut(at);
            match fits {
                Some(group) => {
                    group.anchors.insert(one.anchor);
                    group.aspects.extend(&one.aspects);
                    group.members.push(number);
                }
                None => groups.push(Group {
                    all: one.all,
                    anchors: [one.anchor].into_iter().collect(),
                    aspects: one.aspects.iter().copied().collect(),
                    members: vec![number],
                }),
            }
        }
        self.store.spend(work / 8);
        groups.into_iter().map(|group| group.members).collect()
    }

    /// Makes families of groups.
    fn assemble(&mut self, groups: &[Vec<usize>]) {
        let mut family_of = vec![0; self.joined.len()];
        for (family, members) in groups.iter().enumerate() {
            for &number in members {
                family_of[number] = family;
            }
        }
        for members in groups {
            let all = self.joined[members[0]].all;
            let mut family = Family {
                all,
                parts: Vec::new(),
                members: Vec::new(),
                anchors: Places::default(),
                recursive: false,
            };
            for &number in members {
                let (anchor, depth) = (self.joined[number].anchor, self.joined[number].depth);
                family.anchors.insert(anchor);
                // Before all of them are those that edges are.
                family.members.push((anchor, depth + 1));
                for condition in self.joined[number].parts.clone() {
                    let part = self.part(condition, anchor, (groups, &family_of));
                    match family.parts.iter_mut().find(|(known, _)| *known == part) {
                        Some((_, anchors)) => anchors.insert(anchor),
                        None => family.parts.push((part, [anchor].into_iter().collect())),
                    }
                }
            }
            let number = self.found.families.len() as FamilyId;
            for &member in members {
                let Joined { condition, anchor, .. } = self.joined[member];
                let place = Place { source: Source::Family(number), at: anchor, negated: false };
                self.found.places.insert(condition, place);
                let opposite = self.store.not(condition);
                self.found.places.insert(opposite, Place { negated: true, ..place });
            }
            self.found.families.push(family);
        }
    }

    fn part(
        &mut self,
        condition: Condition,
        anchor: u16,
        (groups, family_of): (&[Vec<usize>], &[usize]),
    ) -> Part {
        if let Some(Place { source, at, negated }) = self.literal(condition) {
            return Part { source, offset: offset(anchor, at), negated };
        }
        match self.number(condition) {
            Some((number, negated)) if groups[family_of[number]].len() > 1 => {
                let source = Source::Family(family_of[number] as FamilyId);
                Part { source, offset: offset(anchor, self.joined[number].anchor), negated }
            }
            _ => Part { source: Source::Single(condition), offset: 0, negated: false },
        }
    }

    /// A leaf in the place of members of another family joins it: what a ray comes to beside an edge.
    fn join_edges(&mut self) {
        for number in 0..self.found.families.len() {
            let parts = self.found.families[number].parts.clone();
            for (leaf, of_leaf) in parts {
                let Source::Cells(_) = leaf.source else { continue };
                let family = &self.found.families[number];
                // Those that are edges of others come before all that is made of families.
                if family.anchors_to(EDGE).meets(&of_leaf) {
                    continue;
                }
                let edge = family.parts.iter().enumerate().find_map(|(at, &(part, ref of))| {
                    let Source::Family(inner) = part.source else { return None };
                    let offset = leaf.offset.checked_sub(part.offset)?;
                    let inner_family = &self.found.families[inner as usize];
                    let within = Part { offset, negated: leaf.negated != part.negated, ..leaf };
                    let known = inner_family.parts.iter().position(|(part, _)| *part == within)?;
                    let places = of_leaf.shifted(part.offset, self.leaves)?;
                    let apart = !of.meets(&of_leaf) && !inner_family.anchors.meets(&places);
                    apart.then_some((at, inner as usize, known, places))
                });
                let Some((at, inner, known, places)) = edge else { continue };
                self.found.families[number].parts[at].1.extend(of_leaf.iter());
                // It may be the family itself.
                let inner = &mut self.found.families[inner];
                inner.anchors.extend(places.iter());
                inner.parts[known].1.extend(places.iter());
                inner.members.extend(places.iter().map(|at| (at, EDGE)));
                self.found.families[number].parts.retain(|(part, _)| *part != leaf);
            }
        }
    }
}

/// How far a place is from an anchor.
fn offset(anchor: u16, at: u16) -> i16 {
    at.wrapping_sub(anchor).cast_signed()
}

/// The place of a literal, the values that its leaf is to have there, and whether it is not to have them.
pub(super) fn cells_of(
    store: &Store,
    leaves: usize,
    condition: Condition,
) -> Option<(u16, Vec<Cell>, bool)> {
    let &Formula::Literal(leaf, set) = store.says(condition) else { return None };
    // Offsets between places are of type `i16`.
    if leaf.0 as usize >= leaves.min(i16::MAX as usize) || store.has_integers(leaf, set).is_some() {
        return None;
    }
    let (inside, outside) = store.values_by(leaf, set);
    let order = |values: &[Cell]| (values.len(), values.iter().map(|cell| cell.0).min());
    let negated = order(&outside) < order(&inside);
    Some((leaf.0 as u16, if negated { outside } else { inside }, negated))
}
