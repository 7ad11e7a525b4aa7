//! Linear forms of the constraints on lists.

use super::encode::{Encoder, taken};
use super::sums::{Built, Sum, Truth, small};
use crate::post::Comparison;
use rustc_hash::FxHashMap;
use zug_term::Cell;
use zug_term::symbol::atoms;

impl Encoder<'_, '_> {
    pub(super) fn scalar_product(&mut self, args: &[Cell]) -> Built {
        let (factors, items) = (self.numbers(args[0])?, self.operands(args[1])?);
        let relation = self.session.m.heap.deref(args[2]).as_atom();
        let relation = relation.and_then(|name| Comparison::of(self.session.m.symbols.name(name)));
        let relation = relation.ok_or("has a relation that is not known")?;
        if factors.len() != items.len() {
            return self.builder.assert(Truth::Known(false));
        }
        let sum = Sum::total(factors.into_iter().zip(&items))?;
        let other = taken(self.session.expression(args[3]))?;
        let other = self.defined_value(&other)?;
        self.compare(relation, &sum, &other)
    }

    /// Successors on a cycle through all nodes: each node but the first has a place on it behind that of the node before
    /// (C. E. Miller, A. W. Tucker, R. A. Zemlin 1960).
    pub(super) fn circuit(&mut self, list: Cell) -> Built {
        let all = self.operands(list)?;
        let count = all.len() as i64;
        for item in &all {
            self.builder.at_most_0(&Sum::number(1).minus(item)?)?;
            self.builder.at_most_0(&item.more(-count)?)?;
        }
        if count < 2 {
            return Ok(());
        }
        self.builder.all_different(&all)?;
        let mut places = vec![Sum::number(0)];
        for node in 2..=count {
            let values = zug_proof::Values::interval(1, count as i32 - 1);
            let name = format!("place_of_node_{node}");
            places.push(Sum::var(self.builder.new_var(&name, values, None)?));
        }
        for (at, item) in all.iter().enumerate() {
            let var = self.builder.var_of(item, "successor")?;
            for &(next, truth) in self.builder.selectors(var)?.iter() {
                let to = usize::try_from(next - 1).ok().and_then(|to| places.get(to)).cloned();
                match to {
                    Some(_) if next as usize == at + 1 => self.builder.assert(truth.not())?,
                    Some(to) if next > 1 => {
                        let behind = places[at].more(1)?;
                        self.builder.equal_if(&[truth], &to, &behind)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// A list is at most another one, of which the first elements that are different say so.
    pub(super) fn in_order(&mut self, left: &[Sum], right: &[Sum]) -> Built {
        // Whether the lists may be decided from here on: none of the elements before is less.
        let mut open = Truth::Known(true);
        for (x, y) in left.iter().zip(right) {
            self.builder.at_most_0_if(&[open], &x.minus(y)?)?;
            let is_equal = self.builder.is_at_most_0(&y.minus(x)?)?;
            open = self.builder.all(&[open, is_equal])?;
        }
        if left.len() != right.len() {
            // Lists of which one begins with the other are not in order.
            self.builder.assert(open.not())?;
        }
        Ok(())
    }

    pub(super) fn element(&mut self, args: &[Cell]) -> Built {
        let (index, list) = (self.operand(args[0])?, self.operands(args[1])?);
        let value = self.operand(args[2])?;
        let index = self.builder.var_of(&index, "index")?;
        for &(place, truth) in self.builder.selectors(index)?.iter() {
            let item = usize::try_from(place - 1).ok().and_then(|at| list.get(at));
            match item {
                Some(item) => self.builder.equal_if(&[truth], &value, item)?,
                None => self.builder.assert(truth.not())?,
            }
        }
        Ok(())
    }

    pub(super) fn global_cardinality(&mut self, args: &[Cell]) -> Built {
        if let Some(&options) = args.get(2) {
            for option in taken(self.session.list(options))? {
                let heap = &self.session.m.heap;
                if heap.name_arity(option).is_some_and(|(name, arity, _)| {
                    arity == 2 && self.session.m.symbols.name(name) == "cost"
                }) {
                    return Err("has costs, which have no linear form here".to_owned());
                }
            }
        }
        let items = self.operands(args[0])?;
        let pairs = taken(self.session.list(args[1]))?;
        let mut counts: Vec<(i64, Sum)> = Vec::new();
        for pair in pairs {
            let pair = self.session.m.heap.match_struct::<2>(pair, atoms::MINUS);
            let [key, count] = pair.ok_or("has a pair that is not known")?;
            let key = taken(self.session.number(key))?;
            counts.push((small(&key)?, self.operand(count)?));
        }
        if counts.is_empty() {
            return self.builder.assert(Truth::Known(false));
        }
        let keys = counts.iter().enumerate().rev();
        let keys: FxHashMap<i64, usize> = keys.map(|(at, &(key, _))| (key, at)).collect();
        let mut having: Vec<Vec<Sum>> = vec![Vec::new(); counts.len()];
        for item in items {
            let var = self.builder.var_of(&item, "item")?;
            for &(value, truth) in self.builder.selectors(var)?.iter() {
                match keys.get(&value.into()) {
                    Some(&at) => having[at].push(truth.sum()),
                    None => self.builder.assert(truth.not())?,
                }
            }
        }
        for ((_, count), having) in counts.iter().zip(&having) {
            let sum = Sum::total(having.iter().map(|one| (1, one)))?;
            self.builder.equal(&sum, count)?;
        }
        Ok(())
    }

    pub(super) fn serialized(&mut self, args: &[Cell]) -> Built {
        let (starts, durations) = (self.operands(args[0])?, self.numbers(args[1])?);
        if starts.len() != durations.len() || durations.iter().any(|&duration| duration < 0) {
            return self.builder.assert(Truth::Known(false));
        }
        for (one, (x, d)) in starts.iter().zip(&durations).enumerate() {
            for (y, e) in starts.iter().zip(&durations).skip(one + 1) {
                let first = self.builder.is_at_most_0(&x.more(*d)?.minus(y)?)?;
                let second = self.builder.is_at_most_0(&y.more(*e)?.minus(x)?)?;
                self.builder.one_of(&[first, second])?;
            }
        }
        // The same once more, as tasks on a resource of one: more is found by the time table.
        let tasks = starts.into_iter().zip(durations).filter(|&(_, duration)| duration > 0);
        let tasks: Vec<(Sum, i64, i64)> =
            tasks.map(|(start, duration)| (start, duration, 1)).collect();
        if tasks.len() > 1 { self.builder.cumulative(&tasks, 1) } else { Ok(()) }
    }

    pub(super) fn cumulative(&mut self, args: &[Cell]) -> Built {
        let mut limit = 1;
        if let Some(&options) = args.get(1) {
            for option in taken(self.session.list(options))? {
                let Some((_, 1, at)) = self.session.m.heap.name_arity(option) else { continue };
                let cell = self.session.m.heap.at(at);
                limit = small(&taken(self.session.number(cell))?)?;
            }
        }
        let mut tasks = Vec::new();
        let items = taken(self.session.list(args[0]))?;
        if items.is_empty() {
            return Ok(());
        }
        if limit < 0 {
            return self.builder.assert(Truth::Known(false));
        }
        for item in items {
            let mut parts = self.four_parts(item, 5, "task")?;
            self.builder.equal(&parts[0].plus(1, &parts[1])?, &parts[2])?;
            let (Some(duration), Some(usage)) = (parts[1].as_number(), parts[3].as_number()) else {
                return Err(
                    "has tasks whose durations or uses are no numbers, which have no linear form here"
                        .to_owned(),
                );
            };
            // A task that alone is above the limit has no time.
            if duration < 1 || usage < 0 || usage > limit {
                return self.builder.assert(Truth::Known(false));
            }
            if usage > 0 {
                tasks.push((parts.swap_remove(0), duration, usage));
            }
        }
        if tasks.is_empty() { Ok(()) } else { self.builder.cumulative(&tasks, limit) }
    }

    fn four_parts(&mut self, item: Cell, arity: usize, kind: &str) -> Built<Vec<Sum>> {
        let parts = self.session.m.heap.name_arity(item).filter(|part| part.1 == arity);
        let (_, _, at) = parts.ok_or_else(|| format!("has a {kind} that is not known"))?;
        (at..at + 4).map(|at| self.operand(self.session.m.heap.at(at))).collect()
    }

    pub(super) fn disjoint(&mut self, list: Cell) -> Built {
        let mut all = Vec::new();
        for item in taken(self.session.list(list))? {
            let parts = self.four_parts(item, 4, "rectangle")?;
            for at in [1, 3] {
                if self.builder.range(&parts[at])?.0 < 1 {
                    return Err(
                        "has rectangles that may have no size, which have no linear form here"
                            .to_owned(),
                    );
                }
            }
            all.push(parts);
        }
        for (one, a) in all.iter().enumerate() {
            for b in &all[one + 1..] {
                let mut ways = Vec::with_capacity(4);
                for at in [0, 2] {
                    for (first, second) in [(a, b), (b, a)] {
                        let end = first[at].plus(1, &first[at + 1])?;
                        ways.push(self.builder.is_at_most_0(&end.minus(&second[at])?)?);
                    }
                }
                self.builder.one_of(&ways)?;
            }
        }
        Ok(())
    }
}
