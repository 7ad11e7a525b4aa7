//! Conditions: literals, comparisons, conjunctions and disjunctions, kept small as they are made.
//!
//! A conjunction knows its literals by leaf. What they say is applied to the disjunctions beside
//! them, whose impossible ways and implied conjuncts go, until nothing changes (unit propagation:
//! M. Davis, G. Logemann, D. Loveland, *A Machine Program for Theorem-Proving*, 1962). A disjunction
//! is the negation of a conjunction, with what all its ways share before it. So conditions that can't
//! both hold mostly have [`Condition::NEVER`] as their conjunction; that they always do is not
//! promised, nor needed: what is not found out is tested when the program runs.

use crate::facts::{Facts, Others};
use crate::limits;
use crate::sets::Set;
use crate::store::{
    Condition, Domain, Formula, Guarded, Leaf, LeafFilter, Relation, Shape, Store, Term,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Store {
    /// That the value of a leaf is one of a set.
    pub(crate) fn literal(&mut self, leaf: Leaf, set: Set) -> Condition {
        if self.sets.is_empty(set) {
            return Condition::NEVER;
        }
        if self.all_values(leaf) == Some(set) {
            return Condition::ALWAYS;
        }
        self.formula(Formula::Literal(leaf, set))
    }

    /// That two integers compare so, where nothing is known of them.
    pub(crate) fn comparison(&mut self, relation: Relation, left: Term, right: Term) -> Condition {
        let swap = relation == Relation::Equal && right < left;
        let (left, right) = if swap { (right, left) } else { (left, right) };
        self.formula(Formula::Comparison { relation, left, right, negated: false })
    }

    /// The leaves of a comparison that says that two have one value, whatever it is.
    pub fn same_leaves(&self, relation: Relation, left: Term, right: Term) -> Option<[Leaf; 2]> {
        match (relation, self.shape(left), self.shape(right)) {
            (Relation::Equal, &Shape::Leaf(a), &Shape::Leaf(b)) => {
                let of_values = |leaf| matches!(self.domain(leaf), Domain::Values(_));
                (of_values(a) && of_values(b)).then_some([a, b])
            }
            _ => None,
        }
    }

    /// The leaves of a comparison of two leaves of numbered values, and whether they are to differ.
    fn compared_leaves(&self, condition: Condition) -> Option<([Leaf; 2], bool)> {
        match *self.says(condition) {
            Formula::Comparison { relation, left, right, negated } => {
                Some((self.same_leaves(relation, left, right)?, negated))
            }
            _ => None,
        }
    }

    /// That it does not hold.
    pub fn not(&mut self, condition: Condition) -> Condition {
        if let Some(negation) = self.negations[condition.index()] {
            return negation;
        }
        let negation = match self.says(condition).clone() {
            Formula::Never => Condition::ALWAYS,
            Formula::Always => Condition::NEVER,
            Formula::Literal(leaf, set) => {
                let all = self.all_values(leaf).expect("literals are about numbered values");
                let rest = self.sets.difference(all, set);
                self.literal(leaf, rest)
            }
            Formula::Comparison { relation, left, right, negated } => {
                self.formula(Formula::Comparison { relation, left, right, negated: !negated })
            }
            Formula::And(parts) => {
                let parts = self.negated(&parts);
                self.formula(Formula::Or(parts))
            }
            Formula::Or(parts) => {
                let parts = self.negated(&parts);
                self.formula(Formula::And(parts))
            }
        };
        if !self.is_spent() {
            self.negations[condition.index()] = Some(negation);
            self.negations[negation.index()] = Some(condition);
        }
        negation
    }

    fn negated(&mut self, parts: &[Condition]) -> Arc<[Condition]> {
        let mut parts: Vec<Condition> = parts.iter().map(|&part| self.not(part)).collect();
        parts.sort_unstable();
        parts.into()
    }

    /// That both hold.
    pub fn both(&mut self, one: Condition, other: Condition) -> Condition {
        match (one, other) {
            (Condition::NEVER, _) | (_, Condition::NEVER) => return Condition::NEVER,
            (Condition::ALWAYS, other) => return other,
            (one, Condition::ALWAYS) => return one,
            (one, other) if one == other => return one,
            _ if self.is_spent() => return Condition::NEVER,
            _ => {}
        }
        let pair = [one.min(other), one.max(other)];
        if let Some(&known) = self.pairs.get(&pair) {
            return known;
        }
        let conjunction = self.conjunction(pair.to_vec());
        if !self.is_spent() {
            self.pairs.insert(pair, conjunction);
        }
        conjunction
    }

    /// That all of them hold.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut parts: Vec<Condition> = parts.into_iter().collect();
        parts.retain(|&part| part != Condition::ALWAYS);
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [] => return Condition::ALWAYS,
            [Condition::NEVER, ..] => return Condition::NEVER,
            [only] => return only,
            [one, other] => return self.both(one, other),
            _ if self.is_spent() => return Condition::NEVER,
            _ => {}
        }
        if let Some(&known) = self.conjunctions.get(&parts[..]) {
            return known;
        }
        let conjunction = self.conjunction(parts.clone());
        if !self.is_spent() {
            self.conjunctions.insert(parts.into(), conjunction);
        }
        conjunction
    }

    /// That one of them holds at least.
    pub fn or(&mut self, ways: impl IntoIterator<Item = Condition>) -> Condition {
        let mut ways: Vec<Condition> = ways.into_iter().collect();
        ways.retain(|&way| way != Condition::NEVER);
        ways.sort_unstable();
        ways.dedup();
        match ways[..] {
            [] => return Condition::NEVER,
            [Condition::ALWAYS, ..] => return Condition::ALWAYS,
            [only] => return only,
            _ => {}
        }
        if let Some(&known) = self.disjunctions.get(&ways[..]) {
            return known;
        }
        let disjunction = self.disjunction(&ways);
        if !self.is_spent() {
            self.disjunctions.insert(ways.into(), disjunction);
        }
        disjunction
    }

    fn disjunction(&mut self, ways: &[Condition]) -> Condition {
        self.spend(1);
        let shared = self.shared(ways);
        if !shared.is_empty() {
            let rests: Vec<Condition> =
                ways.iter().map(|&way| self.without(way, &shared)).collect();
            let rest = self.or(rests);
            return self.and(shared.into_iter().chain([rest]));
        }
        if let Some(fewer) = self.adjoined(ways) {
            return self.or(fewer);
        }
        let none: Vec<Condition> = ways.iter().map(|&way| self.not(way)).collect();
        let none = self.and(none);
        self.not(none)
    }

    /// Ways of which two that differ in the literal of one leaf are one (W. V. Quine, *The Problem of
    /// Simplifying Truth Functions*, 1952); `None` if there are no such two.
    fn adjoined(&mut self, ways: &[Condition]) -> Option<Vec<Condition>> {
        if ways.len() > limits::ADJOINED {
            return None;
        }
        let mut left: Vec<Condition> = Vec::with_capacity(ways.len());
        // By the other literals of a way than that of a leaf: the way, if it is still there, and the set.
        let mut beside: FxHashMap<(Vec<Condition>, Leaf), (usize, Condition, Set)> =
            FxHashMap::default();
        for &way in ways {
            let parts = match self.says(way) {
                Formula::And(parts) if parts.len() <= limits::LITERALS => parts.to_vec(),
                _ => Vec::new(),
            };
            self.spend(parts.len());
            let (mut keys, mut joins) = (Vec::with_capacity(parts.len()), None);
            for &part in &parts {
                let &Formula::Literal(leaf, set) = self.says(part) else { continue };
                let rest: Vec<Condition> =
                    parts.iter().copied().filter(|&other| other != part).collect();
                let key = (rest, leaf);
                if let Some(&(place, other, known)) = beside.get(&key)
                    && left[place] == other
                {
                    joins = Some((key, place, self.sets.union(known, set)));
                    break;
                }
                keys.push((key, set));
            }
            if let Some((key, place, set)) = joins {
                let literal = self.literal(key.1, set);
                left[place] = self.and(key.0.iter().copied().chain([literal]));
                beside.insert(key, (place, left[place], set));
                continue;
            }
            for (key, set) in keys {
                beside.insert(key, (left.len(), way, set));
            }
            left.push(way);
        }
        (left.len() < ways.len()).then_some(left)
    }

    /// The leaf and the constant that count elements in all states of two conditions; `None` if anything else does.
    pub fn count_by_leaf(
        &mut self,
        all: &[Guarded],
        within: [Condition; 2],
    ) -> Option<(Leaf, i64)> {
        let (mut always, mut of, mut counts) = (0, None, Vec::new());
        for &(there, _) in all {
            match self.says(there) {
                Formula::Always => always += 1,
                &Formula::Literal(leaf, set) => {
                    let Domain::Values(values) = self.domain(leaf) else { return None };
                    counts.resize(values.len(), 0);
                    if *of.get_or_insert(leaf) != leaf {
                        return None;
                    }
                    for (number, count) in counts.iter_mut().enumerate() {
                        *count += i64::from(self.sets.contains(set, number));
                    }
                }
                _ => return None,
            }
        }
        let leaf = of?;
        let Domain::Values(values) = self.domain(leaf).clone() else { return None };
        let within = self.both(within[0], within[1]);
        let mut more = None;
        for (&value, count) in values.iter().zip(counts) {
            let is = self.is_value(leaf, value);
            if self.exclude(is, within) {
                continue;
            }
            let by = always + count - value.as_int()?;
            if *more.get_or_insert(by) != by {
                return None;
            }
        }
        Some((leaf, more?))
    }

    /// Whether they can't both hold, as far as that is seen.
    pub fn exclude(&mut self, one: Condition, other: Condition) -> bool {
        self.both(one, other) == Condition::NEVER
    }

    /// What a condition is a conjunction of: itself, if it is none.
    pub fn conjuncts(&self, condition: Condition) -> Vec<Condition> {
        match self.says(condition) {
            Formula::Always => Vec::new(),
            Formula::And(parts) => parts.to_vec(),
            _ => vec![condition],
        }
    }

    /// The conjuncts that all of them have.
    pub fn shared(&mut self, conditions: &[Condition]) -> Vec<Condition> {
        let Some((&first, rest)) = conditions.split_first() else { return Vec::new() };
        let mut shared = self.conjuncts(first);
        for &condition in rest {
            if shared.is_empty() {
                break;
            }
            let conjuncts = self.conjuncts(condition);
            self.spend(conjuncts.len());
            shared.retain(|part| conjuncts.contains(part));
        }
        shared
    }

    /// A condition without some of its conjuncts.
    pub fn without(&mut self, condition: Condition, parts: &[Condition]) -> Condition {
        let conjuncts = self.conjuncts(condition);
        if !conjuncts.iter().any(|conjunct| parts.contains(conjunct)) {
            return condition;
        }
        self.and(conjuncts.into_iter().filter(|conjunct| !parts.contains(conjunct)))
    }

    /// A condition, to be asked only where another holds: without what that says.
    pub fn given(&mut self, condition: Condition, known: Condition) -> Condition {
        if known == Condition::ALWAYS {
            return condition;
        }
        let known = self.conjuncts(known);
        self.without(condition, &known)
    }

    /// Conditions that tell apart two exclusive ones: a single conjunct and its negation, if that is enough.
    pub fn discriminator(&mut self, one: Condition, other: Condition) -> (Condition, Condition) {
        let (left, right) = (self.conjuncts(one), self.conjuncts(other));
        if let Some(part) = self.telling(&left, &right, other) {
            return (part, self.not(part));
        }
        if let Some(part) = self.telling(&right, &left, one) {
            return (self.not(part), part);
        }
        (self.without(one, &right), self.without(other, &left))
    }

    /// The simplest conjunct of one condition that excludes another.
    fn telling(
        &mut self,
        parts: &[Condition],
        beside: &[Condition],
        other: Condition,
    ) -> Option<Condition> {
        let mut parts: Vec<Condition> =
            parts.iter().copied().filter(|part| !beside.contains(part)).collect();
        parts.sort_by_key(|&part| self.weight(part));
        parts.into_iter().find(|&part| self.exclude(part, other))
    }

    fn weight(&self, condition: Condition) -> usize {
        match self.says(condition) {
            Formula::Never | Formula::Always | Formula::Literal(..) => 0,
            Formula::Comparison { .. } => 1,
            Formula::And(parts) | Formula::Or(parts) => 1 + parts.len(),
        }
    }

    fn conjunction(&mut self, parts: Vec<Condition>) -> Condition {
        // A part by itself is as simple as it gets: its conjuncts change where another part is about
        // their leaves. All others stay as they are, and nobody looks at them.
        self.spend(2);
        let (mut all, mut common) = (LeafFilter::default(), LeafFilter::default());
        for &part in &parts {
            let of = self.filter(part);
            (all, common) = (all.with(of), common.with(all.common(of)));
        }
        let mut facts = Facts { news: common, ..Facts::default() };
        let mut looked_at = common;
        let (mut waiting, mut apart) = (parts, Vec::new());
        loop {
            while !waiting.is_empty() {
                while let Some(part) = waiting.pop() {
                    if !self.take(part, &mut facts, &mut looked_at, (&mut waiting, &mut apart)) {
                        return Condition::NEVER;
                    }
                }
                looked_at = looked_at.with(facts.news);
                self.spend(apart.len() / 8);
                apart.retain(|&part| {
                    let stays = self.filter(part).is_apart(looked_at);
                    if !stays {
                        waiting.push(part);
                    }
                    stays
                });
            }
            let others = facts.others.0.clone();
            if facts.compares
                && !(self.compare_with_constants(&mut facts)
                    && self.compare_all_leaves(&others, &mut facts))
            {
                return Condition::NEVER;
            }
            let news = std::mem::take(&mut facts.news);
            for disjunction in others {
                if self.filter(disjunction).is_apart(news) {
                    continue;
                }
                let Formula::Or(ways) = self.says(disjunction).clone() else { continue };
                match self.left_of(&ways, &facts, news) {
                    Some(left) if left == ways[..] => {}
                    Some(left) => {
                        facts.others.remove(disjunction);
                        let left = self.or(left);
                        if left == Condition::NEVER {
                            return left;
                        }
                        facts.news = facts.news.with(self.filter(left));
                        waiting.push(left);
                    }
                    None => facts.others.remove(disjunction),
                }
                if self.is_spent() {
                    return Condition::NEVER;
                }
            }
            if waiting.is_empty() {
                break;
            }
        }
        let Facts { literals, others: Others(mut parts), .. } = facts;
        for (leaf, set) in literals.0 {
            parts.push(self.literal(leaf, set));
        }
        parts.extend(apart);
        parts.retain(|&part| part != Condition::ALWAYS);
        parts.sort_unstable();
        match parts[..] {
            [] => Condition::ALWAYS,
            [only] => only,
            _ => self.formula(Formula::And(parts.into())),
        }
    }

    /// Adds a part to what is known, or to what is about no leaf looked at; `false` if it contradicts.
    fn take(
        &mut self,
        part: Condition,
        facts: &mut Facts,
        looked_at: &mut LeafFilter,
        (waiting, apart): (&mut Vec<Condition>, &mut Vec<Condition>),
    ) -> bool {
        let filter = self.filter(part);
        match self.says(part) {
            Formula::Never => return false,
            Formula::Always => {}
            Formula::And(parts) => {
                let count = parts.len();
                waiting.extend_from_slice(parts);
                self.spend(1 + count / 8);
            }
            _ if filter.is_apart(*looked_at) => apart.push(part),
            &Formula::Literal(leaf, set) => {
                let set = match facts.literals.get(leaf) {
                    Some(known) => self.sets.intersection(known, set),
                    None => set,
                };
                if self.sets.is_empty(set) {
                    return false;
                }
                facts.literals.insert(leaf, set);
                self.spend(1);
            }
            formula @ (Formula::Comparison { .. } | Formula::Or(_)) => {
                facts.compares |= matches!(formula, Formula::Comparison { .. });
                self.spend(1);
                if self.compares(part) {
                    // What it says of a leaf depends on the others.
                    *looked_at = looked_at.with(filter);
                }
                let opposite = self.not(part);
                if facts.others.contains(opposite) {
                    return false;
                }
                facts.others.insert(part);
            }
        }
        true
    }

    /// Comparisons of two leaves with the literals about them; `false` if they contradict each other.
    fn compare_all_leaves(&mut self, conditions: &[Condition], facts: &mut Facts) -> bool {
        let compares = |&condition: &Condition| {
            self.compared_leaves(condition).map(|(leaves, negated)| (condition, leaves, negated))
        };
        let pairs: Vec<_> = conditions.iter().filter_map(compares).collect();
        let mut changed = !pairs.is_empty();
        while changed {
            let before = facts.literals.clone();
            for &(condition, leaves, negated) in &pairs {
                if facts.others.contains(condition)
                    && !self.compare_leaves(condition, leaves, negated, facts)
                {
                    return false;
                }
            }
            changed = before != facts.literals;
        }
        true
    }

    fn compare_leaves(
        &mut self,
        comparison: Condition,
        [a, b]: [Leaf; 2],
        negated: bool,
        facts: &mut Facts,
    ) -> bool {
        self.spend(1);
        let [left, right] = [a, b].map(|leaf| facts.literals.get(leaf));
        if left.is_none() && right.is_none() && self.domain(a) == self.domain(b) {
            return true;
        }
        let [Some(left), Some(right)] =
            [(a, left), (b, right)].map(|(leaf, set)| set.or_else(|| self.all_values(leaf)))
        else {
            return true;
        };
        if negated {
            for ((leaf, of), other) in [((a, left), right), ((b, right), left)] {
                let from = if leaf == a { b } else { a };
                if self.sets.is_single(other) {
                    let value = self.in_domain(other, from, leaf);
                    let left = self.sets.difference(of, value);
                    if self.sets.is_empty(left) {
                        return false;
                    }
                    if left != of {
                        facts.literals.insert(leaf, left);
                        facts.news = facts.news.with(LeafFilter::of(leaf));
                    }
                    // That says it all.
                    facts.others.remove(comparison);
                }
            }
            let right = self.in_domain(right, b, a);
            if self.sets.are_disjoint(left, right) {
                facts.others.remove(comparison);
            }
            return true;
        }
        let both = self.in_domain(right, b, a);
        let both = self.sets.intersection(left, both);
        if self.sets.is_empty(both) {
            return false;
        }
        // Only what makes the comparison needless is put down: a conjunction that said twice what it
        // says would not be the same when it is made again.
        if self.sets.is_single(both) {
            let theirs = self.in_domain(both, a, b);
            facts.literals.insert(a, both);
            facts.literals.insert(b, theirs);
            facts.news = facts.news.with(LeafFilter::of(a)).with(LeafFilter::of(b));
            facts.others.remove(comparison);
        }
        true
    }

    /// A set of values of one leaf as values of another.
    fn in_domain(&mut self, set: Set, from: Leaf, to: Leaf) -> Set {
        if self.domain(from) == self.domain(to) {
            return set;
        }
        let (Domain::Values(values), Domain::Values(others)) = (self.domain(from), self.domain(to))
        else {
            return set;
        };
        let members = self.sets.members(set);
        let places: Vec<usize> = members
            .into_iter()
            .filter_map(|place| others.iter().position(|&other| other == values[place]))
            .collect();
        let size = others.len();
        self.sets.of(size, places)
    }

    /// Whether facts say that two leaves are alike.
    fn are_alike(&mut self, [a, b]: [Leaf; 2], facts: &Facts) -> Option<bool> {
        let known = [a, b].map(|leaf| facts.literals.get(leaf));
        let [left, right] = known;
        let (left, right) =
            (left.or_else(|| self.all_values(a))?, right.or_else(|| self.all_values(b))?);
        if known == [None, None] && self.domain(a) == self.domain(b) {
            return None;
        }
        let right = self.in_domain(right, b, a);
        if self.sets.are_disjoint(left, right) {
            return Some(false);
        }
        (left == right && self.sets.is_single(left)).then_some(true)
    }

    /// The ways that facts leave, without what these say, for news about some leaves; `None` if one holds.
    fn left_of(
        &mut self,
        ways: &[Condition],
        facts: &Facts,
        news: LeafFilter,
    ) -> Option<Vec<Condition>> {
        let (mut left, mut open) = (Vec::with_capacity(ways.len()), Vec::new());
        self.spend(ways.len() / 8);
        for (place, &way) in ways.iter().enumerate() {
            if self.filter(way).is_apart(news) {
                left.push(way);
                continue;
            }
            // A look takes little, unless it is at several parts.
            let Formula::And(parts) = self.says(way).clone() else {
                self.spend(usize::from(place % 4 == 0));
                match self.known(way, facts) {
                    Some(true) => return None,
                    Some(false) => {}
                    None => left.push(way),
                }
                continue;
            };
            open.clear();
            let opposite = self.not(way);
            let mut impossible = facts.others.contains(opposite);
            for (place, &part) in parts.iter().enumerate() {
                self.spend(usize::from(place % 4 == 0));
                if self.filter(part).is_apart(news) {
                    open.push(part);
                    continue;
                }
                match self.known(part, facts) {
                    Some(true) => {}
                    Some(false) => {
                        impossible = true;
                        break;
                    }
                    None => open.push(part),
                }
            }
            if impossible {
                continue;
            }
            if open.is_empty() {
                return None;
            }
            left.push(if open.len() == parts.len() { way } else { self.and(open.iter().copied()) });
        }
        Some(left)
    }

    /// Whether a literal, a comparison or a disjunction is known to hold, or not to.
    fn known(&mut self, part: Condition, facts: &Facts) -> Option<bool> {
        if let &Formula::Literal(leaf, set) = self.says(part) {
            let known = facts.literals.get(leaf)?;
            if self.sets.are_disjoint(known, set) {
                return Some(false);
            }
            return self.sets.is_subset(known, set).then_some(true);
        }
        if facts.others.contains(part) {
            return Some(true);
        }
        let opposite = self.not(part);
        if facts.others.contains(opposite) {
            return Some(false);
        }
        if let Some(known) = self.known_of_integer(part, facts) {
            return Some(known);
        }
        let (leaves, negated) = self.compared_leaves(part)?;
        Some(self.are_alike(leaves, facts)? != negated)
    }
}
