//! Which parts of conditions and terms have names.

use rustc_hash::FxHashMap;
use zug_symbolic::{Condition, Formula, Shape, Store, Term};
use zug_term::Cell;

/// Parts that are larger have a name if they are useful in several places.
const SMALL: usize = 4;
/// Parts that are larger have one in any case.
const LARGE: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Condition(Condition),
    Term(Term),
}

#[derive(Default)]
pub struct Sizes {
    uses: FxHashMap<Part, u32>,
    /// Written size of a part: a named part in it counts as one.
    sizes: FxHashMap<Part, usize>,
    /// The parts that are nothing but constants, leaves, lists and structures.
    plain: FxHashMap<Part, bool>,
}

impl Sizes {
    /// Of all that is in these.
    pub fn of(store: &Store, roots: &[Part]) -> Sizes {
        let mut sizes = Sizes::default();
        let mut waiting = roots.to_vec();
        while let Some(part) = waiting.pop() {
            let uses = sizes.uses.entry(part).or_default();
            *uses += 1;
            if *uses == 1 {
                waiting.extend(parts(store, part));
            }
        }
        for &root in roots {
            sizes.measure(store, root);
        }
        sizes
    }

    fn measure(&mut self, store: &Store, part: Part) -> usize {
        if let Some(&size) = self.sizes.get(&part) {
            return size;
        }
        let mut size = 0;
        let inner = parts(store, part);
        for &part in &inner {
            let inner = self.measure(store, part);
            size += if self.has_name(part, true) { 1 } else { inner };
        }
        let size = size.max(1);
        let is_plain = match part {
            Part::Condition(_) => false,
            Part::Term(term) => !matches!(
                store.shape(term),
                Shape::Choice(_) | Shape::Present(_) | Shape::Integer(..)
            ),
        };
        self.plain.insert(part, is_plain);
        self.sizes.insert(part, size);
        size
    }

    /// Whether a part has a name, where it is in another one or stands by itself.
    pub fn has_name(&self, part: Part, nested: bool) -> bool {
        let (Some(&size), Some(&uses)) = (self.sizes.get(&part), self.uses.get(&part)) else {
            return false;
        };
        let least = if self.plain[&part] { LARGE } else { SMALL };
        (uses > 1 && size > least) || (nested && !self.plain[&part] && size > LARGE)
    }
}

/// What is in a part, as it is written: of a list the elements, and what it ends in.
fn parts(store: &Store, part: Part) -> Vec<Part> {
    let guarded = |ways: &[(Condition, Term)]| {
        let both =
            ways.iter().map(|&(condition, term)| [Part::Condition(condition), Part::Term(term)]);
        both.flatten().collect::<Vec<Part>>()
    };
    match part {
        Part::Condition(condition) => match store.says(condition) {
            Formula::Never | Formula::Always | Formula::Literal(..) => Vec::new(),
            &Formula::Comparison { left, right, .. } => vec![Part::Term(left), Part::Term(right)],
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().map(|&part| Part::Condition(part)).collect()
            }
        },
        Part::Term(term) => match store.shape(term) {
            Shape::Constant(_)
            | Shape::Boxed(_)
            | Shape::Variable(_)
            | Shape::Leaf(_)
            | Shape::Opaque(_) => Vec::new(),
            Shape::Pair(..) => {
                let (mut all, mut rest) = (Vec::new(), term);
                while let &Shape::Pair(head, tail) = store.shape(rest) {
                    all.push(Part::Term(head));
                    rest = tail;
                }
                if *store.shape(rest) != Shape::Constant(Cell::NIL) {
                    all.push(Part::Term(rest));
                }
                all
            }
            Shape::Struct(_, all) | Shape::Integer(_, all) | Shape::Float(_, all) => {
                all.iter().map(|&term| Part::Term(term)).collect()
            }
            Shape::Present(elements) => guarded(elements),
            Shape::Choice(ways) => {
                // The last one is what there is otherwise.
                let mut all = guarded(ways);
                all.remove(all.len() - 2);
                all
            }
        },
    }
}
