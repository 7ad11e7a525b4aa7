//! States as terms: for each relation of fluents a board, or a sorted list of those that hold.

use super::board::{Board, Boards};
use super::interpret::Interpreter;
use super::names::pattern;
use super::program::{Program, key};
use super::syntax::{Term, fluent};
use super::table::TermId;
use crate::text;

/// The parts of a state.
pub enum Layout {
    /// A list of all fluents: rules say what holds next without naming the relation.
    Whole,
    /// A term for each relation, and one for all constants; what stands on an empty place.
    Parts(Vec<Part>, &'static str),
}

/// A list of a state.
pub enum Part {
    Relation(String, usize),
    /// Fluents without arguments.
    Constants(Vec<String>),
    Board(Board),
    /// Fluents without arguments, each in its place.
    Flags(Vec<String>),
}

impl Layout {
    /// The parts that the rules name.
    pub fn of(program: &Program, interpreter: &Interpreter, boards: Boards) -> Layout {
        let mut functors: Vec<(String, usize)> = Vec::new();
        let mut add = |name: &str, arity: usize| {
            if !functors.iter().any(|known| known.0 == name && known.1 == arity) {
                functors.push((name.to_owned(), arity));
            }
        };
        for &fact in &interpreter.initial {
            let (name, args) = interpreter.terms.functor(fact);
            add(name, args.len());
        }
        for rule in program.rules_of(&key("next", 1)) {
            match fluent(&rule.head).and_then(Term::functor) {
                Some((name, arity)) => add(name, arity),
                None => return Layout::Whole,
            }
        }
        let (constants, relations): (Vec<_>, Vec<_>) =
            functors.into_iter().partition(|(_, arity)| *arity == 0);
        let constants: Vec<String> = constants.into_iter().map(|(name, _)| name).collect();
        let Boards { mut boards, empty } = boards;
        let on_boards = !boards.is_empty();
        let part = |functor| match boards.iter().position(|board| board.functor == functor) {
            Some(nth) => Part::Board(boards.swap_remove(nth)),
            None => Part::Relation(functor.0, functor.1),
        };
        let mut parts: Vec<Part> = relations.into_iter().map(part).collect();
        if !constants.is_empty() {
            parts.push(if on_boards { Part::Flags(constants) } else { Part::Constants(constants) });
        }
        if parts.is_empty() { Layout::Whole } else { Layout::Parts(parts, empty) }
    }

    /// What a state is, as a comment.
    pub fn comment(&self) -> String {
        match self {
            Layout::Whole => {
                "% A state is state(Fluents), the sorted list of all that holds.\n".to_owned()
            }
            Layout::Parts(parts, empty) => {
                let term = text::compound("state", &names(parts));
                if parts.iter().all(|part| matches!(part, Part::Relation(..) | Part::Constants(_)))
                {
                    return format!(
                        "% A state is {term},\n% for each relation the sorted list of what holds.\n"
                    );
                }
                let names = names(parts);
                let lines = parts.iter().zip(&names).map(|(part, name)| part.comment(name));
                let lines: String = lines.collect();
                let several = match boards(parts).any(Board::is_several) {
                    true => "; where several values are to stand, the list of them does",
                    false => "",
                };
                format!("% A state is {term}:\n{lines}% An empty place has {empty}{several}.\n%\n")
            }
        }
    }

    pub fn initial(&self, interpreter: &Interpreter) -> String {
        let lists = match self {
            Layout::Whole => vec![list(interpreter, |_| true)],
            Layout::Parts(parts, empty) => {
                parts.iter().map(|part| part.initial(interpreter, empty)).collect()
            }
        };
        format!("state({})", lists.join(", "))
    }

    /// `holds/2` and `next_state/3`.
    pub fn write(&self, out: &mut String) {
        match self {
            Layout::Whole => {
                *out += "holds(F, state(Fs)) :-\n    member(F, Fs).\n\n\
                         next_state(As, S, state(Fs)) :-\n    findall(F, next(F, As, S), Fs0),\n    \
                         sort(Fs0, Fs).\n\n";
            }
            Layout::Parts(parts, empty) => {
                let names = names(parts);
                for (nth, part) in parts.iter().enumerate() {
                    part.holds((&names, nth), empty, out);
                }
                out.push('\n');
                *out += &next_state(parts, &names, empty);
                super::places::write(&boards(parts).collect::<Vec<_>>(), empty, out);
            }
        }
    }
}

fn boards(parts: &[Part]) -> impl Iterator<Item = &Board> {
    parts.iter().filter_map(|part| match part {
        Part::Board(board) => Some(board),
        _ => None,
    })
}

fn next_state(parts: &[Part], names: &[String], empty: &str) -> String {
    let wide = |part: &Part| {
        matches!(part, Part::Board(board) if !board.keys.is_empty()
            && (!board.is_whole || board.delta.is_some()))
    };
    let mut goals = Vec::new();
    if parts.iter().any(wide) {
        let old = parts.iter().zip(names).map(|(part, name)| match wide(part) {
            true => format!("{name}1"),
            false => "_".to_owned(),
        });
        goals.push(format!("S = {}", text::compound("state", &old.collect::<Vec<_>>())));
    }
    goals.extend(parts.iter().zip(names).map(|(part, name)| part.next(name, empty)));
    let head = format!("next_state(As, S, {})", text::compound("state", names));
    text::clause(&head, &goals) + "\n"
}

/// The variables of the parts.
fn names(parts: &[Part]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let base = match part {
            Part::Relation(name, _) => format!("{}s", text::variable(name)),
            Part::Board(board) if board.keys.is_empty() => text::variable(&board.functor.0),
            Part::Board(board) => format!("{}s", text::variable(&board.functor.0)),
            Part::Constants(_) | Part::Flags(_) => "Flags".to_owned(),
        };
        // Clauses have other variables: a letter with a number or none, and the list `Cells` before a move and what
        // changes of it as `Cells1` and `Cells0`.
        let clash =
            |one: &str, other: &str| one == other || one.strip_suffix(['0', '1']) == Some(other);
        let taken = |name: &str| {
            let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
            letters.len() == 1
                || letters == "As"
                || names.iter().any(|other| clash(name, other) || clash(other, name))
        };
        let mut name = base.clone();
        let mut n = 1;
        while taken(&name) {
            n += 1;
            name = format!("{base}_{n}");
        }
        names.push(name);
    }
    names
}

/// The facts of the first state that are wanted, in the standard order.
fn list(interpreter: &Interpreter, wanted: impl Fn(TermId) -> bool) -> String {
    let mut facts: Vec<TermId> =
        interpreter.initial.iter().copied().filter(|&fact| wanted(fact)).collect();
    facts.sort_by(|&one, &other| interpreter.terms.compare(one, other));
    let facts: Vec<String> = facts.into_iter().map(|fact| interpreter.terms.show(fact)).collect();
    match facts.len() {
        0..=4 => format!("[{}]", facts.join(", ")),
        _ => format!("[\n    {}]", facts.join(",\n    ")),
    }
}

impl Part {
    fn comment(&self, name: &str) -> String {
        match self {
            Part::Relation(relation, arity) => {
                format!("%   {name}: the sorted list of {}\n", pattern(relation, *arity))
            }
            Part::Constants(_) => format!("%   {name}: the sorted list of those that hold\n"),
            Part::Flags(all) => {
                format!("%   {name}: each of [{}] that holds\n", constants(all))
            }
            Part::Board(board) => {
                let fluent = pattern(&board.functor.0, board.functor.1);
                let what = match board.value {
                    Some(value) => format!("X{} of {fluent}", value + 1),
                    None => format!("whether {fluent}"),
                };
                let by = board.keys.iter().map(|axis| format!(", for each X{}", axis.argument + 1));
                format!("%   {name}: {what}{}\n", by.collect::<String>())
            }
        }
    }

    /// What it is in the first state.
    fn initial(&self, interpreter: &Interpreter, empty: &str) -> String {
        match self {
            Part::Relation(name, arity) => {
                let functor = (name.clone(), *arity);
                list(interpreter, |fact| interpreter.terms.is_of(fact, &functor))
            }
            Part::Constants(_) => {
                list(interpreter, |fact| interpreter.terms.get(fact).1.is_empty())
            }
            Part::Flags(all) => {
                let place = |name: &String| {
                    let fact = interpreter.terms.find(name, &[]);
                    let holds = fact.is_some_and(|fact| interpreter.initial.contains(&fact));
                    if holds { text::constant(name) } else { empty.to_owned() }
                };
                format!("[{}]", all.iter().map(place).collect::<Vec<_>>().join(", "))
            }
            Part::Board(board) => super::places::initial(board, interpreter, empty),
        }
    }

    /// Clauses of `holds/2`, for the part of this number among those with these names.
    fn holds(&self, (names, nth): (&[String], usize), empty: &str, out: &mut String) {
        let mut only = vec!["_".to_owned(); names.len()];
        only[nth].clone_from(&names[nth]);
        let state = text::compound("state", &only);
        let mut clause = |fluent: &str, goals: &[String]| {
            *out += &text::clause(&format!("holds({fluent}, {state})"), goals);
        };
        match self {
            Part::Relation(name, arity) => {
                let fluent = pattern(name, *arity);
                clause(&fluent, &[format!("member({fluent}, {})", names[nth])]);
            }
            Part::Constants(all) => {
                for name in all.iter().map(|name| text::constant(name)) {
                    clause(&name, &[format!("member({name}, {})", names[nth])]);
                }
            }
            Part::Flags(all) => {
                for (n, name) in all.iter().enumerate() {
                    let name = text::constant(name);
                    clause(&name, &[format!("nth1({}, {}, {name})", n + 1, names[nth])]);
                }
            }
            Part::Board(board) => {
                let fluent = pattern(&board.functor.0, board.functor.1);
                clause(&fluent, &super::places::look_up(board, &names[nth], empty));
            }
        }
    }

    fn next(&self, name: &str, empty: &str) -> String {
        match self {
            Part::Relation(relation, arity) => {
                let fluent = pattern(relation, *arity);
                format!("findall({fluent}, next({fluent}, As, S), {name}0), sort({name}0, {name})")
            }
            Part::Constants(names) => {
                let all = constants(names);
                format!(
                    "findall(F, ( member(F, [{all}]), next(F, As, S) ), {name}0), sort({name}0, {name})"
                )
            }
            Part::Flags(names) => {
                let all = constants(names);
                format!(
                    "findall(C, ( member(F, [{all}]), ( next(F, As, S) -> C = F ; C = {empty} ) ), {name})"
                )
            }
            Part::Board(board) => {
                let relation = text::atom(&board.functor.0);
                match (board.keys.is_empty(), board.delta) {
                    (true, _) => format!("next_place({relation}, [], As, S, {name})"),
                    (false, None) if board.is_whole => format!(
                        "layout({relation}, {name}0), next_places({relation}, {name}0, As, S, {name})"
                    ),
                    (false, None) => format!(
                        "changed({relation}, As, {name}0), update({name}0, {relation}, As, S, {name}1, {name})"
                    ),
                    (false, Some(_)) => format!(
                        "effects({relation}, As, S, {name}0), put_all({name}0, {relation}, {name}1, {name})"
                    ),
                }
            }
        }
    }
}

fn constants(names: &[String]) -> String {
    names.iter().map(|name| text::constant(name)).collect::<Vec<_>>().join(", ")
}
