//! A renaming of leaves and of the values of each, and whether rules stay the same under it.

use crate::operators::{Condition, ConditionId, Leaf, Operators, Source, Table, Value, Values};

/// What values of a byte become.
type ValueTable = [Value; 256];

/// A renaming: leaf `l` with value `v` becomes leaf `image(l)` with value `value(l, v)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    images: Box<[Leaf]>,
    from: Box<[Leaf]>,
    /// By leaf, before it is renamed: which of the tables says what its values become.
    table_of: Box<[u8]>,
    /// The first leaves all values as they are.
    tables: Vec<ValueTable>,
}

/// Leaves values as they are.
fn same() -> ValueTable {
    std::array::from_fn(|value| value as Value)
}

impl Renaming {
    /// The renaming of leaves to their images, where `value` says what values become; `None` if two leaves have
    /// one image, or if values are renamed in very many ways.
    pub(super) fn of(images: Vec<Leaf>, value: impl Fn(Leaf, Value) -> Value) -> Option<Renaming> {
        let (mut tables, mut table_of) = (vec![same()], Vec::with_capacity(images.len()));
        let mut from = vec![Leaf::MAX; images.len()];
        for (leaf, &image) in (0..).zip(&images) {
            if std::mem::replace(from.get_mut(usize::from(image))?, leaf) != Leaf::MAX {
                return None;
            }
            let table: ValueTable = std::array::from_fn(|old| value(leaf, old as Value));
            let known = tables.iter().position(|known| *known == table);
            let at = known.unwrap_or_else(|| {
                tables.push(table);
                tables.len() - 1
            });
            table_of.push(u8::try_from(at).ok()?);
        }
        let (images, from, table_of) = (images.into(), from.into(), table_of.into());
        Some(Renaming { images, from, table_of, tables })
    }

    /// The renaming that changes nothing.
    pub fn identity(leaves: usize) -> Renaming {
        let all: Box<[Leaf]> = (0..leaves as Leaf).collect();
        let table_of = vec![0; leaves].into();
        Renaming { images: all.clone(), from: all, table_of, tables: vec![same()] }
    }

    /// How many leaves states have.
    pub(super) fn leaves(&self) -> usize {
        self.images.len()
    }

    /// The image of a leaf.
    pub fn image(&self, leaf: Leaf) -> Leaf {
        self.images[usize::from(leaf)]
    }

    /// What a value of a leaf becomes.
    pub fn value(&self, leaf: Leaf, value: Value) -> Value {
        self.tables[usize::from(self.table_of[usize::from(leaf)])][usize::from(value)]
    }

    /// This one, then another; `None` if values are renamed in very many ways.
    pub fn then(&self, next: &Renaming) -> Option<Renaming> {
        let images = self.images.iter().map(|&image| next.image(image)).collect();
        Renaming::of(images, |leaf, value| next.value(self.image(leaf), self.value(leaf, value)))
    }

    /// The renaming that undoes this one, of values that leaves may have.
    pub fn inverse(&self) -> Renaming {
        let mut undone = vec![same(); self.tables.len()];
        for (table, undone) in self.tables.iter().zip(&mut undone) {
            // What no value becomes is the image of none.
            for old in (0..=Value::MAX).rev() {
                undone[usize::from(table[usize::from(old)])] = old;
            }
        }
        let table_of = self.from.iter().map(|&from| self.table_of[usize::from(from)]).collect();
        let (images, from) = (self.from.clone(), self.images.clone());
        Renaming { images, from, table_of, tables: undone }
    }

    /// What a leaf of the image of a state is.
    #[inline]
    pub(super) fn leaf_after(&self, state: &[Value], leaf: usize) -> Value {
        let from = usize::from(self.from[leaf]);
        self.tables[usize::from(self.table_of[from])][usize::from(state[from])]
    }

    /// Writes the image of a state.
    #[inline]
    pub(super) fn write_after(&self, state: &[Value], image: &mut [Value]) {
        // PERF: most renamings leave all values as they are.
        if self.tables.len() == 1 {
            image.iter_mut().zip(&self.from).for_each(|(to, &from)| *to = state[usize::from(from)]);
        } else {
            (0..).zip(image).for_each(|(leaf, to)| *to = self.leaf_after(state, leaf));
        }
    }

    /// The image of a state.
    pub fn applied(&self, state: &[Value]) -> Vec<Value> {
        (0..state.len()).map(|leaf| self.leaf_after(state, leaf)).collect()
    }

    fn values(&self, leaf: Leaf, values: &Values) -> Values {
        values.iter().map(|value| self.value(leaf, value)).collect()
    }

    /// A table with its leaves renamed, and what it says by `result`.
    fn table<T: Clone>(
        &self,
        table: &Table<T>,
        domains: &[Values],
        result: impl Fn(&T) -> T,
    ) -> Table<T> {
        let mut leaves: Vec<Leaf> = table.leaves.iter().map(|&leaf| self.image(leaf)).collect();
        leaves.sort_unstable();
        // By leaf and digit: what the image adds to the number of the row.
        let added = table.leaves.iter().map(|&leaf| {
            let of = self.image(leaf);
            let before = leaves.iter().take_while(|&&other| other != of);
            let weight: usize = before.map(|&other| domains[usize::from(other)].len()).product();
            let digit = |value| {
                let image = self.value(leaf, value);
                domains[usize::from(of)].iter().position(|other| other == image).unwrap_or(0)
            };
            domains[usize::from(leaf)].iter().map(|value| digit(value) * weight).collect()
        });
        let added: Vec<Vec<usize>> = added.collect();
        let mut rows = vec![None; table.rows.len()];
        for (mut row, said) in table.rows.iter().enumerate() {
            let image = added.iter().map(|added| {
                let digit = row % added.len();
                row /= added.len();
                added[digit]
            });
            rows[image.sum::<usize>()] = Some(result(said));
        }
        // Every row is the image of one where domains are images of domains.
        let rows = rows.into_iter().zip(&table.rows).map(|(new, old)| new.unwrap_or(old.clone()));
        Table { leaves: leaves.into(), rows: rows.collect() }
    }

    /// Whether it maps the values that leaves may have to those that their images may have.
    pub(super) fn keeps_domains(&self, domains: &[Values]) -> bool {
        (0..).zip(domains).all(|(leaf, domain)| {
            let renamed = self.values(leaf, domain);
            renamed == domains[usize::from(self.image(leaf))] && renamed.len() == domain.len()
        })
    }

    /// By condition, as far as it is useful: its image among the conditions of the same operators.
    pub(super) fn images_of_conditions(
        &self,
        operators: &Operators,
        used: &[bool],
    ) -> Option<Vec<ConditionId>> {
        let mut images = vec![0; operators.conditions.len()];
        for (at, condition) in operators.conditions.iter().enumerate().filter(|&(at, _)| used[at]) {
            let renamed = |parts: &[ConditionId]| {
                let parts = parts.iter().map(|&part| images[part as usize]);
                let mut parts: Vec<ConditionId> = parts.collect();
                parts.sort_unstable();
                parts.into()
            };
            let image = match condition {
                Condition::Unknown => return None,
                Condition::In(leaf, values) => {
                    Condition::In(self.image(*leaf), self.values(*leaf, values))
                }
                Condition::Table(table) => {
                    Condition::Table(self.table(table, &operators.domains, |&holds| holds))
                }
                Condition::All(parts) => Condition::All(renamed(parts)),
                Condition::Any(parts) => Condition::Any(renamed(parts)),
            };
            images[at] = operators.known(&image)?;
        }
        Some(images)
    }

    /// What is written into the image of a leaf, with the images of conditions; `None` if it is not known.
    pub(super) fn source(
        &self,
        (leaf, source): (Leaf, &Source),
        domains: &[Values],
        image: impl Fn(ConditionId) -> ConditionId,
    ) -> Option<Source> {
        Some(match source {
            Source::Unknown => return None,
            Source::Cases(cases) => {
                let renamed =
                    cases.iter().map(|&(when, value)| (image(when), self.value(leaf, value)));
                Source::cases(renamed.collect())
            }
            Source::Value(value) => Source::Value(self.value(leaf, *value)),
            Source::Leaf(from) => {
                // What is copied has to be renamed alike at both places.
                let mut both = domains[usize::from(*from)].iter();
                let alike = |value| self.value(*from, value) == self.value(leaf, value);
                both.all(alike).then(|| Source::Leaf(self.image(*from)))?
            }
            Source::Table(table) => {
                Source::Table(self.table(table, domains, |&value| self.value(leaf, value)))
            }
        })
    }
}
