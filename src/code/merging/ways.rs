//! Ways: unifying in them, telling them apart, merging them.

use super::environment::{CALLERS, Environment, Way};
use super::goals::joined;
use super::{Run, UNBOUND};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use zug_symbolic::{Condition, Formula, Guarded, Leaf, Shape, Term, Variable, limits};

/// Terms that are to be made equal, the last pair first.
type Pairs = SmallVec<[(Term, Term); 8]>;

/// What there is to do with two terms that are to be made equal.
enum Pair {
    Bind(Variable, Term),
    /// Their parts, if there are any: they are among the pairs.
    Parts,
    /// Equal under this condition, and nothing is bound.
    Test(Condition),
    Ways(Vec<Guarded>, Term),
    /// A part of the state is bound that is unbound where this holds: the states deoptimise.
    Except(Condition, (Term, Term)),
    /// A list whose first element may be absent, with a list cell.
    Front(Term, (Term, Term)),
    No,
    Stuck(&'static str),
}

impl Run<'_> {
    pub fn unify(&mut self, one: Term, other: Term, way: Way) -> Vec<Way> {
        let (mut done, mut open) = (Vec::new(), Vec::new());
        let mut next = Some((way, smallvec![(one, other)]));
        // The last is taken first: alternatives are put there in reverse order.
        while let Some((mut way, mut pairs)) = next {
            if self.unify_pairs(&mut way, &mut pairs, &mut open) {
                done.push(way);
            }
            if self.stopped() {
                return Vec::new();
            }
            next = open.pop();
        }
        self.merged_ways(done, None)
    }

    /// Makes all pairs equal on a way, if they can be; ways that part here are put among the open ones.
    fn unify_pairs(
        &mut self,
        way: &mut Way,
        pairs: &mut Pairs,
        open: &mut Vec<(Way, Pairs)>,
    ) -> bool {
        while let Some((one, other)) = pairs.pop() {
            self.store.spend(1);
            match self.pair(one, other, way, pairs) {
                Pair::Parts => {}
                Pair::No => return false,
                Pair::Stuck(what) => {
                    self.deoptimise(way.condition, what);
                    return false;
                }
                Pair::Except(except, pair) => {
                    let back = self.store.both(way.condition, except);
                    self.deoptimise(back, "a part of the state that may be unbound is bound");
                    way.condition = self.minus(way.condition, except);
                    if way.condition == Condition::NEVER {
                        return false;
                    }
                    pairs.push(pair);
                }
                Pair::Bind(variable, term) => {
                    let term = self.store.narrowed(term, way.condition);
                    Rc::make_mut(&mut way.bindings).bind(variable, term);
                }
                Pair::Test(condition) => {
                    way.condition = self.store.both(way.condition, condition);
                    if way.condition == Condition::NEVER {
                        return false;
                    }
                }
                Pair::Ways(ways, other) => {
                    for (condition, term) in ways.into_iter().rev() {
                        let condition = self.store.both(way.condition, condition);
                        if condition != Condition::NEVER {
                            let mut pairs = pairs.clone();
                            pairs.push((term, other));
                            open.push((way.within(condition), pairs));
                        }
                    }
                    return false;
                }
                Pair::Front(list, (head, tail)) => {
                    let (first, rest, some) = self.front(list);
                    way.condition = self.store.both(way.condition, some);
                    match first {
                        _ if way.condition == Condition::NEVER => return false,
                        Some(first) => pairs.extend([(rest, tail), (first, head)]),
                        None => {
                            self.deoptimise(way.condition, "a list of unbound elements");
                            return false;
                        }
                    }
                }
            }
            if self.stopped() {
                return false;
            }
        }
        true
    }

    pub fn unify_on(&mut self, ways: Vec<Way>, one: Term, other: Term) -> Vec<Way> {
        // PERF: nearly always.
        match <[Way; 1]>::try_from(ways) {
            Ok([way]) => self.unify(one, other, way),
            Err(ways) => ways.into_iter().flat_map(|way| self.unify(one, other, way)).collect(),
        }
    }

    pub fn unify_all(&mut self, pairs: impl Iterator<Item = (Term, Term)>, way: Way) -> Vec<Way> {
        let mut ways = vec![way];
        for (one, other) in pairs {
            ways = self.unify_on(ways, one, other);
            if ways.is_empty() {
                break;
            }
        }
        ways
    }

    /// What there is to do with a pair; the pairs of its parts are put among all.
    fn pair(&mut self, one: Term, other: Term, way: &Way, pairs: &mut Pairs) -> Pair {
        let one = way.bindings.walk(&self.store, one);
        let other = way.bindings.walk(&self.store, other);
        if one == other {
            return Pair::Parts;
        }
        if self.store.is_known(one) && self.store.is_known(other) {
            return Pair::No;
        }
        match (self.store.shape(one).clone(), self.store.shape(other).clone()) {
            // The newer one is bound, so that callers' variables stay.
            (Shape::Variable(a), Shape::Variable(b)) => {
                let in_clause = |v: Variable| v.0 < CALLERS;
                if in_clause(a) || (!in_clause(b) && a > b) {
                    Pair::Bind(a, other)
                } else {
                    Pair::Bind(b, one)
                }
            }
            (Shape::Variable(a), _) => Pair::Bind(a, other),
            (_, Shape::Variable(b)) => Pair::Bind(b, one),
            (Shape::Opaque(_), _) => {
                self.look_at(one);
                Pair::No
            }
            (_, Shape::Opaque(_)) => {
                self.look_at(other);
                Pair::No
            }
            (Shape::Pair(a, b), Shape::Pair(c, d)) => {
                pairs.extend([(b, d), (a, c)]);
                Pair::Parts
            }
            (Shape::Struct(a, left), Shape::Struct(b, right)) => {
                if a != b {
                    return Pair::No;
                }
                pairs.extend(left.iter().copied().zip(right.iter().copied()).rev());
                Pair::Parts
            }
            (Shape::Choice(ways), _) => self.choice_pair(&ways, one, other),
            (_, Shape::Choice(ways)) => self.choice_pair(&ways, other, one),
            (Shape::Present(_), Shape::Pair(head, tail)) => Pair::Front(one, (head, tail)),
            (Shape::Pair(head, tail), Shape::Present(_)) => Pair::Front(other, (head, tail)),
            (Shape::Leaf(leaf), _) if self.may_be_unbound(leaf, way) => {
                Pair::Except(self.store.is_value(leaf, UNBOUND), (one, other))
            }
            (_, Shape::Leaf(leaf)) if self.may_be_unbound(leaf, way) => {
                Pair::Except(self.store.is_value(leaf, UNBOUND), (one, other))
            }
            (Shape::Present(_), Shape::Struct(..)) | (Shape::Struct(..), Shape::Present(_)) => {
                Pair::No
            }
            // Variables in them may become equal.
            (Shape::Present(_), Shape::Present(_))
                if !self.store.is_ground(one) || !self.store.is_ground(other) =>
            {
                Pair::Stuck("lists are unified whose elements may be absent")
            }
            _ => match self.store.identical(one, other) {
                Some(condition) => Pair::Test(condition),
                None => Pair::Stuck("lists are compared whose elements may be absent"),
            },
        }
    }

    fn choice_pair(&mut self, ways: &[Guarded], choice: Term, other: Term) -> Pair {
        if self.store.is_ground(choice)
            && self.store.is_ground(other)
            && let Some(condition) = self.store.identical(choice, other)
        {
            return Pair::Test(condition);
        }
        Pair::Ways(ways.to_vec(), other)
    }

    fn may_be_unbound(&mut self, leaf: Leaf, way: &Way) -> bool {
        self.store.domain(leaf).has(UNBOUND) && {
            let unbound = self.store.is_value(leaf, UNBOUND);
            !self.store.exclude(way.condition, unbound)
        }
    }

    /// The first element and the rest, and whether there is one; no element if possible firsts do not merge.
    pub fn front(&mut self, list: Term) -> (Option<Term>, Term, Condition) {
        let elements = self.store.elements(list).unwrap_or_default();
        let mut none = Condition::ALWAYS;
        let (mut heads, mut rest) = (Vec::new(), Vec::new());
        for (there, element) in elements {
            let first = self.store.both(none, there);
            if first != Condition::NEVER {
                heads.push((first, element));
            }
            let before = self.store.not(none);
            rest.push((self.store.both(there, before), element));
            let absent = self.store.not(there);
            none = self.store.both(none, absent);
        }
        let rest = self.store.present(rest);
        (self.store.merged(&heads), rest, self.store.not(none))
    }

    /// Ways in order, neighbours that exclude one another merged, with the bindings of the live variables.
    pub fn merged_ways(&mut self, ways: Vec<Way>, live: Option<&[Variable]>) -> Vec<Way> {
        if ways.len() < 2 {
            return ways;
        }
        self.store.spend(ways.len());
        if ways.len() > 2
            && let Some(only) = self.merged_at_once(&ways, live)
        {
            return vec![only];
        }
        let mut merged: Vec<Way> = Vec::with_capacity(ways.len());
        for way in ways {
            if let Some(last) = merged.last()
                && self.store.exclude(last.condition, way.condition)
                && let Some(bindings) = self.merged_bindings(last.clone(), &way, live)
            {
                let last = merged.last_mut().expect("there is one");
                last.condition = self.store.or([last.condition, way.condition]);
                last.bindings = bindings;
                continue;
            }
            merged.push(way);
        }
        merged
    }

    /// Many ways in one, if each is told from the others by a few literals, as those by the values of
    /// a leaf are: one after the other would join the first with each of them again.
    fn merged_at_once(&mut self, ways: &[Way], live: Option<&[Variable]>) -> Option<Way> {
        let fold = ways[0].bindings.fold();
        let is_apart = |way: &Way| way.bindings.call().is_some() || way.bindings.fold() != fold;
        if ways.iter().any(is_apart) {
            return None;
        }
        let conditions: Vec<Condition> = ways.iter().map(|way| way.condition).collect();
        let shared = self.store.shared(&conditions);
        let mut told = Vec::with_capacity(ways.len());
        for &condition in &conditions {
            let condition = self.store.without(condition, &shared);
            let parts = self.store.conjuncts(condition);
            let is_literal = |part: &Condition| {
                matches!(self.store.says(*part), Formula::Literal(..) | Formula::Comparison { .. })
            };
            if parts.len() > limits::LITERALS || !parts.iter().all(is_literal) {
                return None;
            }
            told.push(condition);
        }
        let mut any = Condition::NEVER;
        for &condition in &told {
            if !self.store.exclude(any, condition) {
                return None;
            }
            any = self.store.or([any, condition]);
        }
        let all;
        let live = match live {
            Some(live) => live,
            None => {
                all = ways.iter().fold(Vec::new(), |all, way| joined(&all, &way.bindings.all()));
                &all
            }
        };
        let cleared = |fresh: Environment, way: &Way| fresh.cleared(&way.bindings);
        let mut bindings = ways.iter().fold(Environment::default(), cleared);
        for &variable in live {
            let term = self.store.variable(variable);
            let mut values = Vec::with_capacity(ways.len());
            for (way, &told) in ways.iter().zip(&told) {
                values.push((told, way.bindings.resolve(&mut self.store, term)));
            }
            let value = self.store.merged(&values)?;
            if value != term {
                bindings.bind(variable, value);
            }
        }
        let condition = self.store.and(shared.into_iter().chain([any]));
        Some(Way { condition, bindings: Rc::new(bindings) })
    }

    fn merged_bindings(
        &mut self,
        one: Way,
        other: &Way,
        live: Option<&[Variable]>,
    ) -> Option<Rc<Environment>> {
        if Rc::ptr_eq(&one.bindings, &other.bindings) {
            return Some(one.bindings);
        }
        if one.bindings.call().is_some()
            || other.bindings.call().is_some()
            || one.bindings.fold() != other.bindings.fold()
        {
            return None;
        }
        let all;
        let live = match live {
            Some(live) => live,
            None => {
                all = joined(&one.bindings.all(), &other.bindings.all());
                &all
            }
        };
        let mut merged = one.bindings.cleared(&other.bindings);
        let mut apart = None;
        for &variable in live {
            let term = self.store.variable(variable);
            let left = one.bindings.resolve(&mut self.store, term);
            let right = other.bindings.resolve(&mut self.store, term);
            if left == right {
                if left != term {
                    merged.bind(variable, left);
                }
                continue;
            }
            let (is_left, is_right) = *apart
                .get_or_insert_with(|| self.store.discriminator(one.condition, other.condition));
            merged.bind(variable, self.store.merged(&[(is_left, left), (is_right, right)])?);
        }
        Some(Rc::new(merged))
    }

    /// Ways of which the first that holds counts: one, if they differ in nothing useful.
    pub fn first_way(&mut self, ways: Vec<Way>, live: &[Variable]) -> Vec<Way> {
        if ways.len() < 2 {
            return ways;
        }
        debug_assert!(
            !self.left.direct
                || self.left.residual.is_none()
                || ways.iter().all(|way| {
                    let (one, first) = (way.bindings.call(), ways[0].bindings.call());
                    one == first
                }),
            "calls are not left before a cut"
        );
        let terms: Vec<Term> = live.iter().map(|&v| self.store.variable(v)).collect();
        let value = |run: &mut Self, way: &Way| -> Vec<Term> {
            terms.iter().map(|&term| way.bindings.resolve(&mut run.store, term)).collect()
        };
        let first = value(self, &ways[0]);
        if ways[1..].iter().all(|way| value(self, way) == first) {
            let condition = self.store.or(ways.iter().map(|way| way.condition));
            return vec![Way { condition, bindings: ways[0].bindings.clone() }];
        }
        let (mut firsts, mut none) = (Vec::with_capacity(ways.len()), Condition::ALWAYS);
        for mut way in ways {
            let holds = way.condition;
            way.condition = self.store.both(none, holds);
            if way.condition != Condition::NEVER {
                firsts.push(way);
            }
            let not = self.store.not(holds);
            none = self.store.both(none, not);
        }
        self.merged_ways(firsts, Some(live))
    }

    pub fn any_way(&mut self, ways: &[Way]) -> Condition {
        self.store.or(ways.iter().map(|way| way.condition))
    }
}
