//! All options of a command.

use crate::row::{Nothing, OptionInfo, Rejected, Row, SetResult, Value};

/// Options with their descriptions, whatever settings they belong to.
pub trait Named: Sync {
    /// Their descriptions, in order.
    fn infos(&self) -> Vec<&'static OptionInfo>;
}

/// Options of settings `U`; terms are of type `X`.
pub trait Part<U, X>: Named {
    /// Sets the value of the option with this number among [`infos`](Named::infos).
    fn take(&self, number: usize, to: &mut U, value: Value<X>) -> SetResult;
}

/// Rows of the settings themselves.
pub struct Rows<T: 'static, X: 'static = Nothing>(pub &'static [Row<T, X>]);

/// Rows of settings that are a part of others.
pub struct Within<U: 'static, T: 'static>(pub &'static [Row<T>], pub fn(&mut U) -> &mut T);

/// All options of a command, in order.
pub struct Table<U: 'static, X: 'static = Nothing>(pub &'static [&'static dyn Part<U, X>]);

fn infos_of<T, X>(rows: &'static [Row<T, X>]) -> Vec<&'static OptionInfo> {
    rows.iter().map(Row::info).collect()
}

impl<T, X> Named for Rows<T, X> {
    fn infos(&self) -> Vec<&'static OptionInfo> {
        infos_of(self.0)
    }
}

impl<T, X> Part<T, X> for Rows<T, X> {
    fn take(&self, number: usize, to: &mut T, value: Value<X>) -> SetResult {
        self.0[number].take(to, value)
    }
}

impl<U, T> Named for Within<U, T> {
    fn infos(&self) -> Vec<&'static OptionInfo> {
        infos_of(self.0)
    }
}

impl<U, T, X> Part<U, X> for Within<U, T> {
    fn take(&self, number: usize, to: &mut U, value: Value<X>) -> SetResult {
        match value.plain() {
            Some(value) => self.0[number].take((self.1)(to), value),
            None => Rejected::out_of_range(),
        }
    }
}

impl<U, X> Named for Table<U, X> {
    fn infos(&self) -> Vec<&'static OptionInfo> {
        self.0.iter().flat_map(|part| part.infos()).collect()
    }
}

/// An option of a table.
pub struct TableOption<U: 'static, X: 'static = Nothing> {
    part: &'static dyn Part<U, X>,
    number: usize,
    info: &'static OptionInfo,
}

impl<U, X> Clone for TableOption<U, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U, X> Copy for TableOption<U, X> {}

impl<U, X> Table<U, X> {
    /// All options, in order.
    pub fn all(&self) -> impl Iterator<Item = TableOption<U, X>> {
        self.0.iter().flat_map(|part| {
            let infos = part.infos().into_iter().enumerate();
            infos.map(|(number, info)| TableOption { part: *part, number, info })
        })
    }

    /// The option of this name, or with this other name.
    pub fn find(&self, name: &str) -> Option<TableOption<U, X>> {
        self.all().find(|found| found.info.answers_to(name))
    }
}

impl<U, X> TableOption<U, X> {
    /// Its description.
    pub fn info(&self) -> &'static OptionInfo {
        self.info
    }

    /// Sets its value.
    pub fn take(&self, to: &mut U, value: Value<X>) -> SetResult {
        self.part.take(self.number, to, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[derive(Default, Debug, PartialEq)]
    struct Inner {
        depth: Option<u32>,
    }

    #[derive(Default, Debug, PartialEq)]
    struct Outer {
        inner: Inner,
        names: Vec<String>,
        asked: Option<char>,
        beads: Vec<i64>,
    }

    static INNER: [Row<Inner>; 1] = [Row::small("depth", "D", "how deep", |to, depth| {
        to.depth = Some(depth);
        Ok(())
    })];
    static OUTER: [Row<Outer, char>; 3] = [
        Row::names("names", "NAMES", "which", |to: &mut Outer, names| {
            to.names = names;
            Ok(())
        })
        .alias("name"),
        Row::term("asked", "A", "what", |to, term| {
            to.asked = Some(term);
            Ok(())
        }),
        Row::integers("beads", "W,D", "beads", 2, |to: &mut Outer, beads| {
            beads.clone_into(&mut to.beads);
            Ok(())
        })
        .wants("beads are two numbers"),
    ];
    static TABLE: Table<Outer, char> =
        Table(&[&Within(&INNER, |outer: &mut Outer| &mut outer.inner), &Rows(&OUTER)]);

    #[test]
    fn values_go_where_they_belong() {
        let mut outer = Outer::default();
        let find = |name| TABLE.find(name).expect("there is one");
        let names: Vec<&str> = TABLE.infos().iter().map(|info| info.name).collect();
        assert_eq!(names, ["depth", "names", "asked", "beads"]);
        assert_eq!(find("depth").take(&mut outer, Value::Small(3)), Ok(()));
        assert_eq!(find("name").take(&mut outer, Value::Names(vec!["a".to_owned()])), Ok(()));
        assert_eq!(find("asked").take(&mut outer, Value::Term('x')), Ok(()));
        assert_eq!(find("beads").take(&mut outer, Value::Integers(vec![1, -1])), Ok(()));
        let inner = Inner { depth: Some(3) };
        let names = vec!["a".to_owned()];
        assert_eq!(outer, Outer { inner, names, asked: Some('x'), beads: vec![1, -1] });
    }

    #[test]
    fn values_of_other_kinds_are_not_taken() {
        let mut outer = Outer::default();
        for found in TABLE.all() {
            for value in [Value::Flag(true), Value::Time(None)] {
                assert!(found.take(&mut outer, value).is_err(), "{}", found.info().name);
            }
        }
        let depth = TABLE.find("depth").expect("there is one");
        assert!(depth.take(&mut outer, Value::Term('x')).is_err());
        assert_eq!(outer, Outer::default());
    }

    #[test]
    fn text_is_read_by_kind() {
        let beads = TABLE.find("beads").expect("there is one");
        assert_eq!(beads.info().read("3, -1"), Ok(Value::Integers(vec![3, -1])));
        for text in ["3", "3,x", "1,2,3", ""] {
            assert_eq!(beads.info().read(text), Err("beads are two numbers".to_owned()));
        }
        let depth = TABLE.find("depth").expect("there is one");
        assert_eq!(depth.info().kind, Kind::Small);
        assert_eq!(depth.info().read("9999999999"), Err("this number is too large".to_owned()));
    }
}
