//! Predicates that random clauses call: recursion over lists, tables of facts, properties.

use super::dice::Dice;
use super::shape::ATOMS;

/// The helper predicates of a program.
#[derive(Default)]
pub struct Helpers {
    pub text: String,
    count: usize,
    tables: Vec<String>,
    properties: Vec<String>,
}

impl Helpers {
    fn name(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", self.count)
    }

    fn say(&mut self, clause: &str) {
        self.text += clause;
        self.text += "\n";
    }

    /// A goal that reads a table of pairs.
    pub fn table(&mut self, dice: &mut Dice, x: &str, y: &str) -> String {
        if self.tables.is_empty() || dice.percent(30) {
            let name = self.name("next");
            for (i, a) in ATOMS.iter().enumerate() {
                self.say(&format!("{name}({a}, {}).", ATOMS[(i + dice.range(1, 3)) % 4]));
            }
            for i in 0..dice.below(4) {
                self.say(&format!("{name}({i}, {}).", dice.below(4)));
            }
            self.tables.push(name);
        }
        format!("{}({x}, {y})", dice.pick(&self.tables))
    }

    /// A goal that a term has a property; it may have several answers.
    pub fn property(&mut self, dice: &mut Dice, x: &str) -> String {
        if self.properties.is_empty() || dice.percent(30) {
            let name = self.name("good");
            match dice.below(4) {
                0 => self.say(&format!("{name}(X) :- atom(X), !, X \\== {}.", dice.pick(ATOMS))),
                1 => self.say(&format!("{name}(X) :- X == {}, !, fail.", dice.pick(ATOMS))),
                2 => self.say(&format!("{name}({}).", dice.pick(ATOMS))),
                _ => self.say(&format!(
                    "{name}(X) :- ( atom(X) -> X @> a ; integer(X) -> X > 0 ; true )."
                )),
            }
            self.say(&match dice.below(3) {
                0 => format!("{name}(X) :- nonvar(X)."),
                1 => format!("{name}(X) :- integer(X), X >= {}.", dice.below(3)),
                _ => format!("{name}(_)."),
            });
            self.properties.push(name);
        }
        format!("{}({x})", dice.pick(&self.properties))
    }

    /// A goal that counts the elements of `l` that pass a test of `E`.
    pub fn counter(&mut self, dice: &mut Dice, l: &str, n: &str, test: &str) -> String {
        let name = self.name("count");
        match dice.below(3) {
            0 => {
                self.say(&format!("{name}([], 0)."));
                self.say(&format!("{name}([E|Es], N) :- {test}, !, {name}(Es, M), N is M + 1."));
                self.say(&format!("{name}([_|Es], N) :- {name}(Es, N)."));
                format!("{name}({l}, {n})")
            }
            1 => {
                self.say(&format!("{name}([], N, N)."));
                self.say(&format!(
                    "{name}([E|Es], A, N) :- ( {test} -> B is A + 1 ; B = A ), {name}(Es, B, N)."
                ));
                format!("{name}({l}, 0, {n})")
            }
            _ => {
                self.say(&format!("{name}(E, A, B) :- integer(E), !, B is A + E."));
                self.say(&format!("{name}(E, A, B) :- ( {test} ; true ), !, B is max(A, 1)."));
                self.say(&format!("{name}(_, A, A)."));
                format!("foldl({name}, {l}, 0, {n})")
            }
        }
    }

    /// A goal that swaps two neighbours.
    pub fn swap(&mut self, dice: &mut Dice, l: &str, m: &str, test: &str) -> String {
        let name = self.name("swap");
        let cut = if dice.percent(30) { ", !" } else { "" };
        self.say(&format!("{name}([E,F|Es], [F,E|Es]) :- {test}{cut}."));
        self.say(&format!("{name}([E|Es], [E|Fs]) :- {name}(Es, Fs)."));
        format!("{name}({l}, {m})")
    }

    /// A goal that changes elements of a list.
    pub fn map(&mut self, dice: &mut Dice, l: &str, m: &str, test: &str, c: &str) -> String {
        let name = self.name("map");
        match dice.below(4) {
            0 => {
                self.say(&format!("{name}([], [])."));
                self.say(&format!(
                    "{name}([E|Es], [Y|Ys]) :- ( {test} -> Y = {c} ; Y = E ), {name}(Es, Ys)."
                ));
                format!("{name}({l}, {m})")
            }
            1 => {
                self.say(&format!("{name}([E|Es], [{c}|Es]) :- {test}."));
                self.say(&format!("{name}([E|Es], [E|Ys]) :- {name}(Es, Ys)."));
                format!("{name}({l}, {m})")
            }
            2 => {
                self.say(&format!("{name}(E, {c}) :- {test}, !."));
                self.say(&format!("{name}(E, E)."));
                format!("maplist({name}, {l}, {m})")
            }
            _ => {
                self.say(&format!("{name}([], Ys, Ys)."));
                self.say(&format!("{name}([E|Es], Ys, Zs) :- {name}(Es, [E|Ys], Zs)."));
                format!("{name}({l}, [], {m})")
            }
        }
    }
}
