//! Goals that look into rows, pairs and structures, and goals with alternatives.

use super::body::Body;
use super::shape::{ATOMS, Leaf, Type};

impl Body<'_> {
    fn known_deep(&mut self) -> Option<(String, Type)> {
        self.known(|of| matches!(of, Type::Rows(_) | Type::Pairs(_) | Type::Whole(_)))
    }

    /// A test of something inside rows, pairs or a structure.
    pub fn deep_test(&mut self) -> Option<String> {
        let (name, of) = self.known_deep()?;
        let e = self.fresh("E");
        Some(match of {
            Type::Rows(leaf) => {
                let test = self.test_of(&e, leaf);
                match self.dice.below(4) {
                    0 => format!("\\+ ( member(Row, {name}), \\+ ( member({e}, Row), {test} ) )"),
                    1 => format!("forall(member(Row, {name}), ( member({e}, Row), {test} ))"),
                    2 => format!("once(( member(Row{e}, {name}), last(Row{e}, {e}), {test} ))"),
                    _ => format!("( member(Row{e}, {name}), member({e}, Row{e}), {test} )"),
                }
            }
            Type::Pairs(leaf) => {
                let (test, key) = (self.test_of(&e, leaf), *self.dice.pick(ATOMS));
                match self.dice.below(3) {
                    0 => format!("\\+ ( member({key}-{e}, {name}), {test} )"),
                    1 => format!("( memberchk({key}-{e}, {name}), {test} )"),
                    _ => format!("forall(member(_-{e}, {name}), {test})"),
                }
            }
            Type::Whole(leaf) => {
                let (test, i) = (self.test_of(&e, leaf), self.dice.range(1, 2));
                match self.dice.below(3) {
                    0 => format!("( arg({i}, {name}, {e}), {test} )"),
                    1 => format!("\\+ ( arg(_, {name}, {e}), {test} )"),
                    _ => format!("( {name} =.. [_|As{e}], forall(member({e}, As{e}), {test}) )"),
                }
            }
            Type::Leaf(_) | Type::List(_) => return None,
        })
    }

    /// A goal that takes something out of rows, pairs or a structure.
    pub fn deep_bind(&mut self) -> Option<String> {
        let (name, of) = self.known_deep()?;
        let many = self.choices > 0;
        self.choices -= usize::from(many);
        Some(match of {
            Type::Rows(leaf) => {
                let row = self.variable(Type::List(leaf));
                match self.dice.below(3) {
                    0 if many => format!("member({row}, {name})"),
                    1 if many => {
                        let i = self.variable(Type::Leaf(Leaf::Int));
                        format!("nth1({i}, {name}, {row})")
                    }
                    _ => format!("{name} = [{row}|_]"),
                }
            }
            Type::Pairs(leaf) => {
                let x = self.variable(Type::Leaf(leaf));
                match many {
                    true => {
                        let key = self.variable(Type::Leaf(Leaf::Atom));
                        format!("member({key}-{x}, {name})")
                    }
                    false => format!("memberchk({}-{x}, {name})", self.dice.pick(ATOMS)),
                }
            }
            Type::Whole(leaf) => {
                let x = self.variable(Type::Leaf(leaf));
                match self.dice.below(3) {
                    0 if many => {
                        let i = self.variable(Type::Leaf(Leaf::Int));
                        format!("arg({i}, {name}, {x})")
                    }
                    1 => {
                        let l = self.variable(Type::List(leaf));
                        format!("{name} =.. [_|{l}], {l} = [{x}|_]")
                    }
                    _ => format!("arg({}, {name}, {x})", self.dice.range(1, 2)),
                }
            }
            Type::Leaf(_) | Type::List(_) => return None,
        })
    }

    /// A goal that binds a variable one way or another.
    pub fn alternatives(&mut self) -> String {
        let test = self.test(1);
        let leaf = *self.dice.pick(&[Leaf::Atom, Leaf::Int]);
        let value = |body: &mut Self| match leaf {
            Leaf::Int => format!("is {}", body.expression(1)),
            _ => format!("= {}", leaf.constant(body.dice)),
        };
        let (a, b) = (value(self), value(self));
        let several = self.choices > 0 && self.dice.percent(40);
        self.choices -= usize::from(several);
        let x = self.variable(Type::Leaf(leaf));
        match several {
            true => format!("( {test}, {x} {a} ; {x} {b} )"),
            false => format!("( {test} -> {x} {a} ; {x} {b} )"),
        }
    }
}
