//! Random rule programs as text: puzzles and games over random shapes of states.
//!
//! The same seed gives the same program. Every program ends: recursion is over proper lists
//! alone, and what is taken for a list is one in every state that can be reached.

mod body;
mod dice;
mod helpers;
mod shape;

use body::Body;
use dice::Dice;
use helpers::Helpers;
use shape::{Leaf, Shape, Type, list, structure};
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
        let clauses = self.dice.range(2, 5);
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
        self.tests("terminal", true);
        if self.dice.percent(80) {
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
        let goals = if number == 0 { body.dice.below(2) } else { body.dice.range(1, 4) };
        for _ in 0..goals {
            match body.dice.below(10) {
                0..=4 => body.bind(),
                5 if body.dice.percent(25) => body.goals.push("!".to_owned()),
                6 if body.dice.percent(15) => {
                    let test = body.test(0);
                    body.goals.push(format!("( {test} -> throw(fault({number})) ; true )"));
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
            let to = next_pattern(&mut body, &self.shape, &from, keep);
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
            for _ in 0..body.dice.range(1, 3) {
                let test = body.test(1);
                body.goals.push(test);
            }
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

/// The next state: each part of the old one is kept as often as `keep` says, or else
/// something new.
fn next_pattern(body: &mut Body, shape: &Shape, from: &str, keep: usize) -> String {
    match shape {
        Shape::Struct(name, parts) => {
            let olds = split(from, name, parts.len());
            let parts =
                parts.iter().zip(olds).map(|(part, old)| next_pattern(body, part, &old, keep));
            structure(name, parts.collect())
        }
        _ if body.dice.percent(keep) && !matches!(shape, Shape::List(..)) => from.to_owned(),
        Shape::Leaf(leaf) => body.next_value(Type::Leaf(*leaf)),
        Shape::Stack(leaf) => match body.dice.below(4) {
            0 => format!("[{}]", body.next_value(Type::Leaf(*leaf))),
            1 => {
                body.goals.push(format!("length({from}, Size{0}), Size{0} < 3", from));
                format!("[{}|{from}]", body.next_value(Type::Leaf(*leaf)))
            }
            2 => {
                let rest = body.variable(Type::List(*leaf));
                body.goals.push(format!("( {from} = [_|{rest}] -> true ; {rest} = {from} )"));
                rest
            }
            _ => {
                let m = body.variable(Type::List(*leaf));
                let goal = body.derived_list(from, &m, *leaf);
                body.goals.push(goal);
                m
            }
        },
        Shape::List(leaf, _) | Shape::Grid(leaf, ..) | Shape::Pairs(leaf, _)
            if from.starts_with('[') =>
        {
            let mut items: Vec<String> =
                from[1..from.len() - 1].split(',').map(str::to_owned).collect();
            if items.iter().any(|item| item.starts_with('[')) {
                return from.to_owned();
            }
            match body.dice.below(3) {
                0 => {
                    let (i, j) = (body.dice.below(items.len()), body.dice.below(items.len()));
                    if !matches!(shape, Shape::Pairs(..)) {
                        items.swap(i, j);
                    }
                }
                _ => {
                    let i = body.dice.below(items.len());
                    items[i] = match (shape, items[i].split_once('-')) {
                        (Shape::Pairs(..), Some((name, _))) => {
                            format!("{name}-{}", body.next_value(Type::Leaf(*leaf)))
                        }
                        (Shape::Grid(..), _) if items[i].starts_with('L') => {
                            body.next_value(Type::List(*leaf))
                        }
                        _ => body.next_value(Type::Leaf(*leaf)),
                    };
                }
            }
            list(items)
        }
        Shape::List(leaf, _) => {
            let m = body.variable(Type::List(*leaf));
            let goal = body.derived_list(from, &m, *leaf);
            body.goals.push(goal);
            m
        }
        Shape::Grid(..) | Shape::Pairs(..) => rows(body, from),
    }
}

/// A list of rows or pairs changed as a whole.
fn rows(body: &mut Body, from: &str) -> String {
    let m = body.variable(Type::Rows);
    let goal = match body.dice.below(3) {
        0 => format!("reverse({from}, {m})"),
        1 => format!("append(F{m}, [P{m},Q{m}|T{m}], {from}), append(F{m}, [Q{m},P{m}|T{m}], {m})"),
        _ => format!("select(P{m}, {from}, T{m}), {m} = [P{m}|T{m}]"),
    };
    body.goals.push(goal);
    m
}

/// The arguments of a pattern that [`structure`] wrote.
fn split(pattern: &str, name: &str, arity: usize) -> Vec<String> {
    let inner = match name {
        "-" | "/" => pattern,
        _ => &pattern[name.len() + 1..pattern.len() - 1],
    };
    let separator = if "-/".contains(name) { name.chars().next().unwrap_or(',') } else { ',' };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(inner[start..i].to_owned());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].to_owned());
    assert_eq!(parts.len(), arity, "{pattern}");
    let bare = |part: String| match separator {
        ',' => part,
        _ => part[1..part.len() - 1].to_owned(),
    };
    parts.into_iter().map(bare).collect()
}
