//! Random goals over the variables of a clause.

use super::dice::Dice;
use super::helpers::Helpers;
use super::shape::{ATOMS, Leaf, Shape, Type, list, structure};

/// The variables of a clause that is being written, and its goals.
pub struct Body<'a> {
    pub dice: &'a mut Dice,
    pub helpers: &'a mut Helpers,
    pub variables: Vec<(String, Type)>,
    pub goals: Vec<String>,
    /// Goals with several answers that may still come.
    pub choices: usize,
    count: usize,
}

impl<'a> Body<'a> {
    pub fn new(dice: &'a mut Dice, helpers: &'a mut Helpers) -> Body<'a> {
        let choices = dice.range(1, 3);
        Body { dice, helpers, variables: Vec::new(), goals: Vec::new(), choices, count: 0 }
    }

    /// A new variable.
    pub fn variable(&mut self, of: Type) -> String {
        self.count += 1;
        let letter = match of {
            Type::Leaf(Leaf::Int) => 'N',
            Type::Leaf(_) => 'X',
            Type::List(_) => 'L',
            Type::Rows(_) | Type::Pairs(_) => 'R',
            Type::Whole(_) => 'S',
        };
        let name = format!("{letter}{}", self.count);
        self.variables.push((name.clone(), of));
        name
    }

    /// A name that is not yet used.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", self.count)
    }

    pub fn known(&mut self, wanted: impl Fn(Type) -> bool) -> Option<(String, Type)> {
        let fitting: Vec<&(String, Type)> =
            self.variables.iter().filter(|(_, of)| wanted(*of)).collect();
        // What was bound last is likely to be wanted.
        match fitting.last() {
            Some(last) if self.dice.percent(30) => Some((*last).clone()),
            Some(_) => Some((*self.dice.pick(&fitting)).clone()),
            None => None,
        }
    }

    /// A list of leaves.
    pub fn known_list(&mut self) -> Option<(String, Leaf)> {
        let (name, of) = self.known(|of| matches!(of, Type::List(_)))?;
        let Type::List(leaf) = of else { return None };
        Some((name, leaf))
    }

    fn known_leaf(&mut self) -> Option<(String, Leaf)> {
        let (name, of) = self.known(|of| matches!(of, Type::Leaf(_)))?;
        let Type::Leaf(leaf) = of else { return None };
        Some((name, leaf))
    }

    /// An integer, or now and then something that is none.
    fn known_int(&mut self) -> String {
        let slip = self.dice.percent(1);
        let int =
            self.known(|of| of == Type::Leaf(Leaf::Int) || slip && matches!(of, Type::Leaf(_)));
        match int {
            Some((name, _)) if self.dice.percent(85) => name,
            _ => self.dice.below(4).to_string(),
        }
    }

    /// A pattern for a state, with fresh variables. Lists may be taken whole.
    pub fn pattern(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Leaf(leaf) => match self.dice.percent(8) {
                true => leaf.constant(self.dice),
                false => self.variable(Type::Leaf(*leaf)),
            },
            Shape::List(leaf, n) => match self.dice.percent(65) {
                true => self.variable(Type::List(*leaf)),
                false => list((0..*n).map(|_| self.variable(Type::Leaf(*leaf)))),
            },
            Shape::Stack(leaf) => self.variable(Type::List(*leaf)),
            Shape::Grid(leaf, rows, columns) => match self.dice.below(4) {
                0 => self.variable(Type::Rows(*leaf)),
                1 => list(
                    (0..*rows)
                        .map(|_| list((0..*columns).map(|_| self.variable(Type::Leaf(*leaf))))),
                ),
                _ => list((0..*rows).map(|_| self.variable(Type::List(*leaf)))),
            },
            Shape::Pairs(leaf, n) => match self.dice.percent(50) {
                true => self.variable(Type::Pairs(*leaf)),
                false => list(
                    (0..*n)
                        .map(|i| format!("{}-{}", ATOMS[i % 4], self.variable(Type::Leaf(*leaf)))),
                ),
            },
            Shape::Struct(name, parts) => {
                if let Some(leaf) = shape.flat()
                    && self.dice.percent(40)
                {
                    return self.variable(Type::Whole(leaf));
                }
                structure(name, parts.iter().map(|part| self.pattern(part)).collect())
            }
        }
    }

    /// An expression over integers.
    pub fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.percent(30) {
            return self.known_int();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.dice.below(12) {
            0..=3 => format!("({a} + {b})"),
            4 | 5 => format!("({a} - {b})"),
            6 => format!("({a} * {b})"),
            7 => format!("max({a}, {b})"),
            8 => format!("min({a}, {b})"),
            9 => format!("abs({a} - {b})"),
            10 => format!("({a} mod 3)"),
            _ if self.dice.percent(92) => format!("({a} // 2)"),
            _ => format!("({a} // {b})"),
        }
    }

    /// A test of one term.
    pub fn test_of(&mut self, term: &str, leaf: Leaf) -> String {
        let constant = leaf.constant(self.dice);
        match self.dice.below(14) {
            0 | 1 => format!("{term} == {constant}"),
            2 | 3 => format!("{term} \\== {constant}"),
            4 => format!("{term} \\= {constant}"),
            5 => format!("nonvar({term})"),
            6 if leaf == Leaf::Free => format!("var({term})"),
            6 => format!("atomic({term})"),
            7 => format!("integer({term})"),
            8 => format!("{term} @< {constant}"),
            9 | 10 if leaf == Leaf::Int => format!("{term} < {}", self.dice.range(1, 5)),
            9 | 10 => format!("{term} \\== e"),
            11 if leaf == Leaf::Int => format!("{term} mod 2 =:= {}", self.dice.below(2)),
            11 => format!("memberchk({term}, [{constant},b,1])"),
            12 => format!("ground({term})"),
            _ => self.helpers.property(self.dice, term),
        }
    }

    /// A test over what is known.
    pub fn test(&mut self, depth: usize) -> String {
        if depth > 0 && self.dice.percent(25) {
            let (a, b) = (self.test(depth - 1), self.test(depth - 1));
            return match self.dice.below(6) {
                0 => format!("( {a} ; {b} )"),
                1 => format!("\\+ {}", parenthesised(&a)),
                2 => format!("( {a}, {b} )"),
                3 => format!("( {a} -> {b} ; true )"),
                4 => format!("once(( {a} ; {b} ))"),
                _ => format!("( \\+ {} -> true ; {b} )", parenthesised(&a)),
            };
        }
        if self.dice.percent(40)
            && let Some((name, leaf)) = self.known_list()
        {
            return self.list_test(&name, leaf);
        }
        if self.dice.percent(30)
            && let Some(test) = self.deep_test()
        {
            return test;
        }
        match (self.known_leaf(), self.dice.below(6)) {
            (Some((a, _)), 0) => match self.known_leaf() {
                Some((b, _)) if a != b => {
                    let test = *self.dice.pick(&["==", "\\==", "\\=", "@=<"]);
                    format!("{a} {test} {b}")
                }
                _ => "true".to_owned(),
            },
            (Some(_), 1) => {
                let test = *self.dice.pick(&["<", ">=", "=\\=", "=<", "=:="]);
                format!("{} {test} {}", self.expression(1), self.expression(1))
            }
            (Some((a, _)), 2) if self.dice.percent(50) => format!("{a} \\== f({a})"),
            (Some((a, leaf)), _) => self.test_of(&a, leaf),
            (None, _) => self.deep_test().unwrap_or_else(|| "true".to_owned()),
        }
    }

    /// A test that few states pass.
    pub fn rare_test(&mut self) -> String {
        if let Some((name, leaf)) = self.known_list()
            && self.dice.percent(70)
        {
            let (c, d) = (leaf.constant(self.dice), leaf.constant(self.dice));
            return match self.dice.below(4) {
                0 => format!("{name} = [{c},{d}|_]"),
                1 => format!("forall(member(E, {name}), E == {c})"),
                2 => format!("append(_, [{c},{d},{c}|_], {name})"),
                _ => format!("msort({name}, {name}), last({name}, {c})"),
            };
        }
        match (self.known_leaf(), self.known_leaf()) {
            (Some((a, leaf)), Some((b, _))) if a != b => {
                format!("{a} == {}, {b} == {a}", leaf.constant(self.dice))
            }
            (Some((a, leaf)), _) => format!("{a} == {}", leaf.constant(self.dice)),
            _ => self.deep_test().unwrap_or_else(|| "fail".to_owned()),
        }
    }

    fn list_test(&mut self, name: &str, leaf: Leaf) -> String {
        let constant = leaf.constant(self.dice);
        match self.dice.below(7) {
            0 => format!("memberchk({constant}, {name})"),
            1 => format!("\\+ memberchk({constant}, {name})"),
            2 => format!("\\+ ( member(E, {name}), {} )", self.test_of("E", leaf)),
            3 => format!("forall(member(E, {name}), {})", self.test_of("E", leaf)),
            4 => {
                let n = self.fresh("Len");
                format!("( length({name}, {n}), {n} > {} )", self.dice.below(3))
            }
            5 => {
                let e = self.fresh("E");
                format!("( last({name}, {e}), {} )", self.test_of(&e, leaf))
            }
            _ => format!("{name} \\== []"),
        }
    }

    /// A goal that binds a new variable.
    pub fn bind(&mut self) {
        if self.dice.percent(50)
            && let Some(goal) = self.deep_bind()
        {
            self.goals.push(goal);
            return;
        }
        if self.dice.percent(15) {
            let goal = self.alternatives();
            self.goals.push(goal);
            return;
        }
        let list = self.known_list();
        let goal = match (self.dice.below(12), list) {
            (0, _) | (_, None) => {
                let expression = self.expression(2);
                let wrapped = self.dice.percent(60);
                let x = self.variable(Type::Leaf(Leaf::Int));
                if wrapped {
                    format!("{x} is {expression} mod 5")
                } else {
                    format!("{x} is {expression}")
                }
            }
            (2..=5, Some((l, leaf))) if self.choices > 0 => {
                self.choices -= 1;
                self.choice(&l, leaf)
            }
            (6, Some(_)) if self.choices > 0 => {
                self.choices -= 1;
                let x = self.variable(Type::Leaf(Leaf::Int));
                format!("between(0, {}, {x})", self.dice.range(1, 2))
            }
            (1 | 7 | 8, Some((l, leaf))) => self.count_goal(&l, leaf),
            (9, Some((l, leaf))) => {
                let x = self.variable(Type::Leaf(leaf));
                match self.dice.below(3) {
                    0 => format!("last({l}, {x})"),
                    1 => format!("nth0({}, {l}, {x})", self.dice.below(3)),
                    _ => format!("{l} = [{x}|_]"),
                }
            }
            (_, Some((l, leaf))) => {
                let m = self.variable(Type::List(leaf));
                self.derived_list(&l, &m, leaf)
            }
        };
        self.goals.push(goal);
    }

    fn choice(&mut self, l: &str, leaf: Leaf) -> String {
        let x = self.variable(Type::Leaf(leaf));
        match self.dice.below(5) {
            0 => format!("member({x}, {l})"),
            1 => {
                let i = self.variable(Type::Leaf(Leaf::Int));
                let nth = *self.dice.pick(&["nth0", "nth1"]);
                format!("{nth}({i}, {l}, {x})")
            }
            2 => {
                let rest = self.variable(Type::List(leaf));
                format!("select({x}, {l}, {rest})")
            }
            3 => {
                let (a, b) = (self.variable(Type::List(leaf)), self.variable(Type::List(leaf)));
                format!("append({a}, [{x}|{b}], {l})")
            }
            _ => {
                let y = self.variable(Type::Leaf(leaf));
                self.helpers.table(self.dice, &x, &y)
            }
        }
    }

    fn count_goal(&mut self, l: &str, leaf: Leaf) -> String {
        let test = self.test_of("E", leaf);
        let n = self.variable(Type::Leaf(Leaf::Int));
        match self.dice.below(7) {
            0 => format!("findall(E, ( member(E, {l}), {test} ), Es{n}), length(Es{n}, {n})"),
            1 => format!("aggregate_all(count, ( member(E, {l}), {test} ), {n})"),
            2 => format!("findall(E, ( member(E, {l}), integer(E) ), Es{n}), sum_list(Es{n}, {n})"),
            3 => format!("aggregate_all(sum(E), ( member(E, {l}), integer(E), {test} ), {n})"),
            4 => format!("aggregate_all(max(I), nth0(I, {l}, _), {n})"),
            5 => self.helpers.counter(self.dice, l, &n, &test),
            _ if self.dice.percent(10) => format!("sum_list({l}, {n})"),
            _ => format!("length({l}, {n})"),
        }
    }

    /// A goal that makes the list `m` from `l`.
    pub fn derived_list(&mut self, l: &str, m: &str, leaf: Leaf) -> String {
        let (c, d) = (leaf.constant(self.dice), leaf.constant(self.dice));
        let test = self.test_of("E", leaf);
        match self.dice.below(12) {
            0 => format!("reverse({l}, {m})"),
            1 => format!("msort({l}, {m})"),
            2 => format!("{l} = [H{m}|T{m}], append(T{m}, [H{m}], {m})"),
            3 => format!("exclude([E]>>( {test} ), {l}, Ex{m}), append(Ex{m}, [{c}], {m})"),
            4 => format!("( selectchk({c}, {l}, S{m}) -> {m} = [{d}|S{m}] ; {m} = {l} )"),
            5 => format!("findall(Y, ( member(E, {l}), ( {test} -> Y = {c} ; Y = E ) ), {m})"),
            6 | 7 => self.helpers.swap(self.dice, l, m, &test),
            8 | 9 => self.helpers.map(self.dice, l, m, &test, &c),
            10 => format!("nth0(I{m}, {l}, {c}, S{m}), nth0(I{m}, {m}, {d}, S{m})"),
            _ => format!("append(A{m}, [{c}|B{m}], {l}), append(A{m}, [{d}|B{m}], {m})"),
        }
    }

    /// A term for a place of the shape in the next state: what is known, or something new.
    pub fn next_value(&mut self, of: Type) -> String {
        match of {
            Type::Leaf(leaf) => {
                if self.dice.percent(45)
                    && let Some((name, _)) = self.known(|known| known == of)
                {
                    return name;
                }
                if leaf == Leaf::Int && self.dice.percent(70) {
                    let expression = self.expression(1);
                    let x = self.variable(of);
                    let bound = if self.dice.percent(85) { " mod 4" } else { "" };
                    self.goals.push(format!("{x} is ({expression} + 1){bound}"));
                    return x;
                }
                match leaf == Leaf::Free && self.dice.percent(25) {
                    true => "_".to_owned(),
                    false => leaf.constant(self.dice),
                }
            }
            Type::List(leaf) => {
                let Some((name, _)) = self.known(|known| known == of) else {
                    return list([leaf.constant(self.dice)]);
                };
                let m = self.variable(of);
                let goal = self.derived_list(&name, &m, leaf);
                self.goals.push(goal);
                m
            }
            Type::Rows(_) | Type::Pairs(_) | Type::Whole(_) => {
                self.known(|known| known == of).map_or("[]".to_owned(), |(name, _)| name)
            }
        }
    }
}

fn parenthesised(goal: &str) -> String {
    format!("( {goal} )")
}
