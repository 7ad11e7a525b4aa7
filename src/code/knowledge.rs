//! What a path of the symbolic run knows of the leaves, and undoing it.

use super::residual::{Cond, ExprId, Leaf, NodeId, Relation, kind};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use zug_state::Word;

/// What is known of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The kinds it may be of.
    pub kinds: u8,
    /// Its value.
    pub is: Option<Word>,
    /// It was unbound; now it is this term.
    pub bound: Option<zug_term::Cell>,
    /// It is equal to this other leaf, which stands for both.
    pub same: Option<Leaf>,
}

/// A step to undo.
enum Undo {
    /// What was known of a leaf, with how many values it did not have.
    Known(Leaf, Known, usize),
    Fact(Cond),
}

/// What is known on a path.
pub struct Knowledge {
    leaves: Vec<Known>,
    /// Values that leaves do not have.
    is_not: Vec<Vec<Word>>,
    /// Outcomes of tests that are of no single leaf.
    facts: FxHashMap<Cond, bool>,
    /// Lists of answers whose elements are known by now.
    pub opened: Vec<(NodeId, zug_term::Cell)>,
    trail: Vec<Undo>,
    /// No two leaves are taken to be alike.
    distinct: bool,
    /// Something was concluded from that.
    concluded: Cell<bool>,
}

/// Where knowledge stood.
#[derive(Clone, Copy)]
pub struct Mark {
    trail: usize,
    opened: usize,
}

impl Knowledge {
    /// Nothing but the kinds that leaves may be of.
    pub fn new(kinds: &[u8]) -> Knowledge {
        let known = |&kinds: &u8| Known { kinds, is: None, bound: None, same: None };
        Knowledge {
            leaves: kinds.iter().map(known).collect(),
            is_not: vec![Vec::new(); kinds.len()],
            facts: FxHashMap::default(),
            opened: Vec::new(),
            trail: Vec::new(),
            distinct: false,
            concluded: Cell::new(false),
        }
    }

    /// Takes it for granted that no two leaves are alike.
    pub fn take_as_distinct(&mut self) {
        self.distinct = true;
    }

    /// Whether something is known that holds only as no two leaves are alike.
    pub fn needs_distinct(&self) -> bool {
        self.concluded.get()
    }

    /// What is known of a leaf.
    pub fn leaf(&self, leaf: Leaf) -> &Known {
        &self.leaves[usize::from(leaf)]
    }

    /// The leaf that stands for a leaf and those equal to it.
    pub fn root(&self, mut leaf: Leaf) -> Leaf {
        while let Some(other) = self.leaf(leaf).same {
            leaf = other;
        }
        leaf
    }

    pub fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), opened: self.opened.len() }
    }

    pub fn undo(&mut self, mark: Mark) {
        self.opened.truncate(mark.opened);
        while self.trail.len() > mark.trail {
            match self.trail.pop() {
                Some(Undo::Known(leaf, known, is_not)) => {
                    self.leaves[usize::from(leaf)] = known;
                    self.is_not[usize::from(leaf)].truncate(is_not);
                }
                Some(Undo::Fact(cond)) => {
                    self.facts.remove(&cond);
                }
                None => {}
            }
        }
    }

    fn change(&mut self, leaf: Leaf) -> &mut Known {
        let known = &mut self.leaves[usize::from(leaf)];
        self.trail.push(Undo::Known(leaf, *known, self.is_not[usize::from(leaf)].len()));
        known
    }

    /// An unbound leaf gets a value.
    pub fn bind(&mut self, leaf: Leaf, to: zug_term::Cell) {
        self.change(leaf).bound = Some(to);
    }

    /// Whether an unbound leaf was bound since.
    pub fn has_bound_since(&self, mark: Mark) -> bool {
        self.trail[mark.trail..].iter().any(|undo| match undo {
            Undo::Known(leaf, before, _) => {
                before.bound.is_none() && self.leaf(*leaf).bound.is_some()
            }
            Undo::Fact(_) => false,
        })
    }

    /// The outcome of a test, if it is known.
    pub fn outcome(&self, cond: Cond) -> Option<bool> {
        match cond {
            Cond::Is(leaf, word) => self.is(self.root(leaf), word),
            Cond::Kind(leaf, kinds) => {
                let known = self.leaf(self.root(leaf)).kinds;
                match (known & kinds, known & !kinds) {
                    (0, _) => Some(false),
                    (_, 0) => Some(true),
                    _ => None,
                }
            }
            Cond::Same(a, b) => self.same(self.root(a), self.root(b)),
            Cond::Distinct => self.distinct.then_some(true),
            Cond::Compare(Relation::LessEqual | Relation::Equal, a, b) if a == b => Some(true),
            Cond::Compare(Relation::Less, a, b) if a == b => Some(false),
            Cond::Compare(relation, a, b) => self.facts.get(&cond).copied().or_else(|| {
                // What the other relations say.
                let fact = |relation, a, b| self.facts.get(&Cond::Compare(relation, a, b)).copied();
                match relation {
                    Relation::Less => self.less(a, b),
                    Relation::LessEqual => self.less(b, a).map(|less| !less),
                    Relation::Equal => match (self.less(a, b), self.less(b, a)) {
                        (Some(true), _) | (_, Some(true)) => Some(false),
                        (Some(false), Some(false)) => Some(true),
                        _ => fact(Relation::Equal, b, a),
                    },
                }
            }),
            Cond::Before(..) => self.facts.get(&cond).copied(),
        }
    }

    fn less(&self, a: ExprId, b: ExprId) -> Option<bool> {
        let fact = |relation, a, b| self.facts.get(&Cond::Compare(relation, a, b)).copied();
        if let Some(less) = fact(Relation::Less, a, b) {
            return Some(less);
        }
        if let Some(not) = fact(Relation::LessEqual, b, a) {
            return Some(!not);
        }
        if fact(Relation::Less, b, a) == Some(true) || fact(Relation::Equal, a, b) == Some(true) {
            return Some(false);
        }
        None
    }

    fn is(&self, leaf: Leaf, word: Word) -> Option<bool> {
        let known = self.leaf(leaf);
        if let Some(is) = known.is {
            return Some(is == word);
        }
        if self.is_not[usize::from(leaf)].contains(&word) || known.kinds & word.kind() == 0 {
            return Some(false);
        }
        if known.kinds == kind::VAR && word == Word::VAR {
            return Some(true);
        }
        let taken = || self.leaves.iter().any(|other| other.is == Some(word));
        (self.distinct && taken()).then(|| self.conclude(false))
    }

    fn same(&self, a: Leaf, b: Leaf) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (known_a, known_b) = (self.leaf(a), self.leaf(b));
        if known_a.kinds & known_b.kinds == 0 {
            return Some(false);
        }
        match (known_a.is, known_b.is) {
            (Some(word), None) if self.is(b, word) == Some(false) => return Some(false),
            (None, Some(word)) if self.is(a, word) == Some(false) => return Some(false),
            (Some(one), Some(other)) => return Some(one == other),
            _ => {}
        }
        let fact = self.facts.get(&Cond::Same(a.min(b), a.max(b))).copied();
        fact.or_else(|| self.distinct.then(|| self.conclude(false)))
    }

    /// What follows as no two leaves are alike.
    fn conclude(&self, outcome: bool) -> bool {
        self.concluded.set(true);
        outcome
    }

    /// Takes the outcome of a test for granted; false if that can't be.
    pub fn assume(&mut self, cond: Cond, outcome: bool) -> bool {
        if let Some(known) = self.outcome(cond) {
            return known == outcome;
        }
        match cond {
            Cond::Is(leaf, word) => {
                let root = self.root(leaf);
                let known = self.change(root);
                if outcome {
                    known.is = Some(word);
                    known.kinds = word.kind();
                } else if word == Word::VAR {
                    known.kinds &= !kind::VAR;
                }
                let possible = known.kinds != 0;
                if !outcome {
                    self.is_not[usize::from(root)].push(word);
                }
                possible
            }
            Cond::Kind(leaf, kinds) => {
                let known = self.change(self.root(leaf));
                known.kinds &= if outcome { kinds } else { !kinds };
                known.kinds != 0
            }
            Cond::Same(a, b) => {
                let (a, b) = (self.root(a), self.root(b));
                if !outcome {
                    return self.fact(Cond::Same(a.min(b), a.max(b)), false);
                }
                let other = *self.leaf(a);
                let known = self.change(b);
                known.kinds &= other.kinds & !kind::VAR;
                known.is = known.is.or(other.is);
                let possible = known.kinds != 0;
                let more = self.is_not[usize::from(a)].clone();
                self.is_not[usize::from(b)].extend(more);
                self.change(a).same = Some(b);
                possible
            }
            Cond::Compare(..) | Cond::Before(..) | Cond::Distinct => self.fact(cond, outcome),
        }
    }

    fn fact(&mut self, cond: Cond, outcome: bool) -> bool {
        self.facts.insert(cond, outcome);
        self.trail.push(Undo::Fact(cond));
        true
    }
}
