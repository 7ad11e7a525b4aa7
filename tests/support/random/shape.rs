//! Random shapes of states, patterns over them, and values that fill them.

use super::dice::Dice;

/// What stands in a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Atom,
    Int,
    /// Atoms and integers.
    Mixed,
    /// An atom, or unbound.
    Free,
}

/// What a variable of a clause is bound to, as far as one can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Leaf(Leaf),
    /// A proper list of leaves.
    List(Leaf),
    /// A proper list of proper lists.
    Rows(Leaf),
    /// A proper list of `Name-Leaf`.
    Pairs(Leaf),
    /// A structure whose arguments are leaves.
    Whole(Leaf),
}

/// The shape of a state.
#[derive(Clone, Debug)]
pub enum Shape {
    Leaf(Leaf),
    /// A list of so many leaves.
    List(Leaf, usize),
    /// A list of leaves that grows and shrinks.
    Stack(Leaf),
    /// Rows by columns.
    Grid(Leaf, usize, usize),
    /// A list of `Name-Leaf`.
    Pairs(Leaf, usize),
    Struct(&'static str, Vec<Shape>),
}

pub const ATOMS: &[&str] = &["a", "b", "c", "e"];
const NAMES: &[&str] = &["s", "st", "pos", "-", "/", "f"];

fn leaf(dice: &mut Dice) -> Leaf {
    *dice.pick(&[Leaf::Atom, Leaf::Atom, Leaf::Int, Leaf::Int, Leaf::Mixed, Leaf::Free])
}

impl Shape {
    /// A shape of a state.
    pub fn random(dice: &mut Dice) -> Shape {
        match dice.below(10) {
            0 | 1 => Shape::List(leaf(dice), dice.range(4, 8)),
            2 => Shape::Grid(leaf(dice), dice.range(2, 3), dice.range(2, 4)),
            3 => Shape::Pairs(leaf(dice), dice.range(3, 5)),
            4 => {
                let leaf = leaf(dice);
                let leaves = (0..dice.range(4, 7)).map(|_| Shape::Leaf(leaf)).collect();
                Shape::Struct("s", leaves)
            }
            _ => {
                let name = *dice.pick(NAMES);
                let parts = if "-/".contains(name) { 2 } else { dice.range(2, 4) };
                Shape::Struct(name, (0..parts).map(|_| Shape::part(dice)).collect())
            }
        }
    }

    fn part(dice: &mut Dice) -> Shape {
        match dice.below(10) {
            0..=2 => Shape::Leaf(leaf(dice)),
            3..=5 => Shape::List(leaf(dice), dice.range(3, 6)),
            6 => Shape::Stack(leaf(dice)),
            7 => Shape::Pairs(leaf(dice), dice.range(2, 3)),
            8 => Shape::Grid(leaf(dice), 2, dice.range(2, 3)),
            _ => {
                let leaf = leaf(dice);
                Shape::Struct("p", vec![Shape::Leaf(leaf), Shape::Leaf(leaf)])
            }
        }
    }

    /// What the leaves are, if all parts of a structure are leaves.
    pub fn flat(&self) -> Option<Leaf> {
        let Shape::Struct(_, parts) = self else { return None };
        let Some(Shape::Leaf(leaf)) = parts.first() else { return None };
        let same = |part: &Shape| matches!(part, Shape::Leaf(other) if other == leaf);
        parts.iter().all(same).then_some(*leaf)
    }

    /// A state of this shape.
    pub fn value(&self, dice: &mut Dice) -> String {
        match self {
            Shape::Leaf(leaf) => leaf.value(dice),
            Shape::List(leaf, n) => list((0..*n).map(|_| leaf.value(dice))),
            Shape::Stack(leaf) => list((0..dice.below(3)).map(|_| leaf.value(dice))),
            Shape::Grid(leaf, rows, columns) => {
                list((0..*rows).map(|_| list((0..*columns).map(|_| leaf.value(dice)))))
            }
            Shape::Pairs(leaf, n) => {
                list((0..*n).map(|i| format!("{}-{}", ATOMS[i % 4], leaf.value(dice))))
            }
            Shape::Struct(name, parts) => {
                structure(name, parts.iter().map(|part| part.value(dice)).collect())
            }
        }
    }
}

impl Leaf {
    /// A constant, or a variable that occurs once.
    pub fn value(self, dice: &mut Dice) -> String {
        match self {
            Leaf::Free if dice.percent(50) => "_".to_owned(),
            _ => self.constant(dice),
        }
    }

    /// A constant.
    pub fn constant(self, dice: &mut Dice) -> String {
        match self {
            Leaf::Int => dice.below(5).to_string(),
            Leaf::Mixed if dice.percent(50) => dice.below(4).to_string(),
            _ => (*dice.pick(ATOMS)).to_owned(),
        }
    }
}

/// `[A, B, ...]`.
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

/// `name(A, B, ...)`, or an operator between two.
pub fn structure(name: &str, parts: Vec<String>) -> String {
    match (name, &*parts) {
        ("-" | "/", [left, right]) => format!("({left}){name}({right})"),
        _ => format!("{name}({})", parts.join(",")),
    }
}
