//! Random rule programs as text: puzzles and games over random shapes of states.
//!
//! The same seed gives the same program. Every program ends: recursion is over proper lists
//! alone, and what is taken for a list is one in every state that can be reached.

pub mod boards;
mod body;
mod deep;
mod dice;
mod helpers;
mod next;
mod shape;
pub mod walks;

use body::Body;
use dice::Dice;
use helpers::Helpers;
use next::next_pattern;
use shape::{Leaf, Shape, Type};
use std::fmt::Write;

/// A random program.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut writer = Writer {
        shape: Shape::random(&mut dice),
        helpers: Helpers::default(),
        players: if dice.percent(60) { 0 } else { dice.range(4, 9) / 3 },
        dice,
        text: format!("% Random program {seed}.\n"),
    };
    writer.write();
    writer.text + &writer.helpers.text
}

struct Writer {
    dice: Dice,
    shape: Shape,
    helpers: Helpers,
    /// 0 for a puzzle.
    players: usize,
    text: String,
}

const PLAYERS: &[&str] = &["a", "b", "c"];

impl Writer {
    fn write(&mut self) {
        for _ in 0..self.dice.range(1, 2) {
            let state = self.shape.value(&mut self.dice);
            let _ = writeln!(self.text, "initial_state({state}).");
        }
        let clauses = self.dice.range(3, 6);
        if self.players == 0 {
            for i in 0..clauses {
                self.moves(i);
            }
            self.tests("final_state", false);
            self.estimate(false);
            return;
        }
        let players = &PLAYERS[..self.players.max(2)];
        let _ = writeln!(self.text, "initial_player({}).", players[0]);
        for (i, player) in players.iter().enumerate() {
            let next = players[(i + 1) % players.len()];
            let _ = writeln!(self.text, "opponent({player}, {next}).");
        }
        for i in 0..clauses {
            self.moves(i);
        }
        let tests = self.dice.percent(70);
        if tests {
            self.tests("terminal", true);
        }
        if !tests || self.dice.percent(80) {
            self.text += "terminal(J, S) :- \\+ move(J, _, S, _).\n";
        }
        let worth = self.dice.below(3);
        let _ = writeln!(self.text, "utility(a, _, {worth}) :- !.");
        let _ = writeln!(self.text, "utility(_, _, -{worth}).");
        self.estimate(true);
    }

    /// A clause of rule/4 or move/4. The first ones ask for little.
    fn moves(&mut self, number: usize) {
        let game = self.players > 0;
        let mut body = Body::new(&mut self.dice, &mut self.helpers);
        if game {
            body.variables.push(("J".to_owned(), Type::Leaf(Leaf::Atom)));
        }
        let from = body.pattern(&self.shape);
        let goals = if number == 0 { body.dice.range(1, 2) } else { body.dice.range(1, 4) };
        for _ in 0..goals {
            match body.dice.below(10) {
                0..=4 => body.bind(),
                _ if number == 0 => body.bind(),
                5 if body.dice.percent(25) => body.goals.push("!".to_owned()),
                6 if body.dice.percent(50) => {
                    let test = body.rare_test();
                    let fault = match body.dice.below(5) {
                        0 => format!("throw(fault({number}))"),
                        1 => format!("F{number} is a + 1"),
                        2 => "X is 1 // 0, X > 0".to_owned(),
                        3 => "atom_length(_, _)".to_owned(),
                        _ => "length(a, 1)".to_owned(),
                    };
                    body.goals.push(format!("( {test} -> {fault} ; true )"));
                }
                7 => {
                    let test = body.test(1);
                    body.goals.push(format!("catch(( {test} ), _, true)"));
                }
                _ => {
                    let test = body.test(2);
                    body.goals.push(test);
                }
            }
        }
        let keep = body.dice.range(20, 80);
        let to = if body.dice.percent(3) {
            // Another shape.
            format!("odd({from})")
        } else {
            let mut to = from.clone();
            for _ in 0..4 {
                if to == from {
                    to = next_pattern(&mut body, &self.shape, &from, keep);
                }
            }
            if body.dice.percent(15) { copied(&mut body, &to) } else { to }
        };
        let name = match body.variables.last() {
            Some((last, _)) if body.dice.percent(50) => format!("m{number}({last})"),
            _ => format!("m{number}"),
        };
        let head = if game {
            let player = if body.dice.percent(85) { "J" } else { "a" };
            if player == "a" {
                body.goals.insert(0, "J = a".to_owned());
            }
            format!("move({player}, {name}, {from}, {to})")
        } else {
            let cost = cost(&mut body);
            format!("rule({name}, {cost}, {from}, {to})")
        };
        let goals = body.goals;
        self.clause(&head, &goals);
        // The same answers again, now and then.
        if self.dice.percent(5) {
            self.clause(&head, &goals);
        }
    }

    fn clause(&mut self, head: &str, goals: &[String]) {
        let _ = match goals {
            [] => writeln!(self.text, "{head}."),
            _ => writeln!(self.text, "{head} :-\n    {}.", goals.join(",\n    ")),
        };
    }

    /// final_state/1 or terminal/2.
    fn tests(&mut self, name: &str, with_player: bool) {
        for _ in 0..self.dice.range(1, 2) {
            let mut body = Body::new(&mut self.dice, &mut self.helpers);
            let state = body.pattern(&self.shape);
            for _ in 0..body.dice.range(0, 2) {
                let test = body.test(1);
                body.goals.push(test);
            }
            let rare = body.rare_test();
            body.goals.push(rare);
            let goals = body.goals;
            let player = if with_player { "_, " } else { "" };
            self.clause(&format!("{name}({player}{state})"), &goals);
        }
    }

    fn estimate(&mut self, with_player: bool) {
        let mut body = Body::new(&mut self.dice, &mut self.helpers);
        let state = body.pattern(&self.shape);
        if with_player {
            body.variables.push(("J".to_owned(), Type::Leaf(Leaf::Atom)));
        }
        body.choices = usize::from(body.dice.percent(10));
        for _ in 0..body.dice.range(1, 3) {
            body.bind();
        }
        let expression = body.expression(2);
        let test = body.test(1);
        let goal = match body.dice.below(8) {
            0 => format!("( {test} -> H is {expression} ; H = 1 )"),
            1 => format!("H is {expression} / 2"),
            2 => format!("H is {expression}"),
            _ => format!("H is max(0, {expression})"),
        };
        body.goals.push(goal);
        let goals = body.goals;
        let player = if with_player { "J, " } else { "" };
        self.clause(&format!("heuristic({player}{state}, H)"), &goals);
        if self.dice.percent(90) {
            let player = if with_player { "_, " } else { "" };
            self.clause(&format!("heuristic({player}_, 0)"), &[]);
        }
    }
}

/// The cost of a move.
fn cost(body: &mut Body) -> String {
    match body.dice.below(10) {
        0..=5 => body.dice.range(0, 3).to_string(),
        6 => {
            let expression = body.expression(1);
            body.goals.push(format!("C is {expression}"));
            "C".to_owned()
        }
        7 => {
            let expression = body.expression(1);
            body.goals.push(format!("C is abs({expression}) / 2"));
            "C".to_owned()
        }
        _ => {
            let expression = body.expression(2);
            body.goals.push(format!("C is 1 + abs({expression})"));
            "C".to_owned()
        }
    }
}

/// The next state, by way of copy_term/2.
fn copied(body: &mut Body, to: &str) -> String {
    body.goals.push(format!("copy_term({to}, S2)"));
    "S2".to_owned()
}
