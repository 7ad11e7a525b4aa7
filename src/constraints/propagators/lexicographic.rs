//! Lists of variables in lexicographic order.

use super::compare::at_most_plus;
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Step, Store, Words};
use std::sync::Arc;

/// Posts that each of some lists is at most the next one: see [`LexChain`]. Lists of which one begins with
/// the other are not in order.
pub fn post_lex_chain(store: &mut Store, lists: &[Vec<Var>]) -> Step {
    let places = store.new_words(lists.len().saturating_sub(1));
    let lists = lists.iter().map(|list| list.as_slice().into()).collect();
    store.post(Arc::new(LexChain { lists, places }));
    Ok(())
}

/// Each of some lists is at most the next one in lexicographic order. The first elements are
/// compared, and when they have values, which are equal, the next ones (the decomposition that Frisch et
/// al., *Global constraints for lexicographic orderings*, CP 2002, begin from).
struct LexChain {
    lists: Box<[Box<[Var]>]>,
    /// For each pair of neighbours, how many comparisons were posted; all of them and one more when
    /// the order is known.
    places: Words,
}

impl LexChain {
    /// Posts what is to be compared next of two neighbours.
    fn compare(&self, store: &mut Store, pair: usize) -> Step {
        let (left, right) = (&self.lists[pair], &self.lists[pair + 1]);
        let length = left.len().min(right.len());
        let mut place = store.word(self.places, pair) as usize;
        while place <= length {
            if place > 0 {
                let (x, y) = (left[place - 1], right[place - 1]);
                let (Some(a), Some(b)) = (store.value(x), store.value(y)) else { break };
                if a > b {
                    return Err(Fail);
                }
                if a < b {
                    place = length + 1;
                    break;
                }
            }
            match (left.get(place), right.get(place)) {
                (Some(&x), Some(&y)) => {
                    store.post(at_most_plus(x, y, 0));
                }
                (None, None) => {}
                _ => return Err(Fail),
            }
            place += 1;
        }
        store.set_word(self.places, pair, place as u64);
        Ok(())
    }
}

impl Propagator for LexChain {
    fn vars(&self) -> Vec<Var> {
        self.lists.iter().flatten().copied().collect()
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let mut is_done = true;
        for pair in 0..self.lists.len().saturating_sub(1) {
            self.compare(store, pair)?;
            let length = self.lists[pair].len().min(self.lists[pair + 1].len());
            is_done &= store.word(self.places, pair) as usize > length;
        }
        if is_done {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let lists = self.lists.iter().map(|list| Shown::vars(list)).collect();
        Some(Shown::Compound("lex_chain", vec![Shown::List(lists)]))
    }
}
