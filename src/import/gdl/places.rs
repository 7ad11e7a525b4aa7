//! Boards of a state as predicates: what stands on a place, what comes to stand there, and which places a
//! move may change.

use super::board::{Axis, Board, Delta, joined};
use super::delta::{GAINED, LOST};
use super::interpret::Interpreter;
use super::names::pattern;
use crate::text;
use rustc_hash::FxHashMap;

/// A board in the first state.
pub fn initial(board: &Board, interpreter: &Interpreter, empty: &str) -> String {
    let terms = &interpreter.terms;
    let mut content: FxHashMap<Vec<String>, Vec<String>> = FxHashMap::default();
    let mut facts = interpreter.initial.to_vec();
    facts.sort_unstable_by(|&one, &other| terms.compare(one, other));
    for fact in facts {
        if !terms.is_of(fact, &board.functor) {
            continue;
        }
        let (_, args) = terms.get(fact);
        let key = board.places().iter().map(|&n| terms.show(args[n])).collect();
        let value = board.value.map_or("yes".to_owned(), |n| terms.show(args[n]));
        content.entry(key).or_default().push(value);
    }
    rows(&board.keys, &mut Vec::new(), &|key| match content.get(key).map(Vec::as_slice) {
        None => empty.to_owned(),
        Some([value]) => value.clone(),
        Some(values) => format!("[{}]", values.join(", ")),
    })
}

/// Places as lists in lists.
fn rows(axes: &[Axis], key: &mut Vec<String>, place: &dyn Fn(&[String]) -> String) -> String {
    let Some((axis, inner)) = axes.split_first() else { return place(key) };
    let row = |value: &String| {
        key.push(value.clone());
        let row = rows(inner, key, place);
        key.pop();
        row
    };
    let rows: Vec<String> = axis.values.iter().map(row).collect();
    match inner {
        [] => format!("[{}]", rows.join(", ")),
        _ => format!("[\n    {}]", rows.join(",\n    ")),
    }
}

/// The variable of an argument, and that of its place on the board.
fn names(axis: &Axis) -> (String, String) {
    let n = axis.argument + 1;
    let name = format!("X{n}");
    let place = if axis.counts() { name.clone() } else { format!("N{n}") };
    (name, place)
}

/// The goal that says at which place a key is, where it is not its own number.
fn locate(axis: &Axis) -> Option<String> {
    let (name, place) = names(axis);
    (!axis.counts()).then(|| format!("nth1({place}, [{}], {name})", axis.values.join(", ")))
}

/// The goals that find what stands on a board.
pub fn look_up(board: &Board, name: &str, empty: &str) -> Vec<String> {
    let mut goals = Vec::new();
    let mut from = name.to_owned();
    for (nth, axis) in board.keys.iter().enumerate() {
        let to = match (nth + 1 == board.keys.len(), board.value) {
            (true, None) => "yes".to_owned(),
            (true, Some(value)) if board.single => format!("X{}", value + 1),
            (true, Some(_)) => "C".to_owned(),
            _ => format!("L{}", nth + 1),
        };
        goals.extend(locate(axis));
        let find = if axis.counts() { "at" } else { "nth1" };
        goals.push(format!("{find}({}, {from}, {to})", names(axis).1));
        from = to;
    }
    match board.value {
        Some(value) if board.single => {
            let value = format!("X{}", value + 1);
            if board.keys.is_empty() {
                goals.push(format!("{value} = {from}"));
            }
            // In parentheses: a full stop may follow.
            goals.push(format!("{value} \\== ({empty})"));
        }
        Some(value) => goals.push(format!("among(X{}, {from})", value + 1)),
        None => {}
    }
    goals
}

/// A key as a term of variables.
fn key(board: &Board) -> String {
    let parts: Vec<String> = board.keys.iter().map(|axis| names(axis).0).collect();
    if parts.is_empty() { "[]".to_owned() } else { joined(&parts) }
}

/// The predicates that boards have in common.
pub fn write(boards: &[&Board], empty: &str, out: &mut String) {
    let by_places: Vec<&&Board> = boards.iter().filter(|board| board.delta.is_none()).collect();
    if !by_places.is_empty() {
        *out += "% next_place(R, Key, As, S, C): C comes to stand on a place of the board of R.\n";
        by_places.iter().for_each(|board| next_place(board, empty, out));
        out.push('\n');
    }
    if boards.iter().any(|board| board.is_several()) {
        *out += &CONTENT.replace("EMPTY", empty);
    }
    let wide: Vec<&&Board> = boards.iter().filter(|board| !board.keys.is_empty()).collect();
    if wide.is_empty() {
        return;
    }
    let (whole, kept): (Vec<&Board>, Vec<&Board>) =
        wide.iter().map(|board| **board).partition(|board| board.is_whole && board.delta.is_none());
    if wide.iter().any(|board| board.keys.iter().any(Axis::counts)) {
        *out += AT;
    }
    let (by_places, by_rules): (Vec<&Board>, Vec<&Board>) =
        kept.iter().copied().partition(|board| board.delta.is_none());
    if !whole.is_empty() {
        *out += NEXT_PLACES;
        *out += "% layout(R, Keys): the places of the board of R, as they lie there.\n";
        for board in &whole {
            let keys = rows(&board.keys, &mut Vec::new(), &|key| joined(key));
            *out += &format!("layout({}, {keys}).\n", text::atom(&board.functor.0));
        }
        out.push('\n');
    }
    if kept.is_empty() {
        return;
    }
    if !by_rules.is_empty() {
        *out += "% effects(R, As, S, Changes): what moves change on the board of R, Key-C where C comes to stand:\n\
                 % lost(F, As, S) holds of fluents that end, gained(F, As, S) of those that begin.\n";
        by_rules.iter().for_each(|board| effects(board, empty, out));
        *out += PUT_ALL;
    }
    if !by_places.is_empty() {
        *out += UPDATE;
    }
    *out += "% put(R, Key, C, Board1, Board2): C stands on that place in Board2.\n";
    kept.iter().for_each(|board| put(board, out));
    out.push('\n');
    write_changes(&by_places, out);
}

/// What moves may change.
fn write_changes(boards: &[&Board], out: &mut String) {
    if boards.is_empty() {
        return;
    }
    *out += "% changes(R, M, Keys): M may change these places of the board of R, and no others.\n";
    boards.iter().for_each(|board| changes(board, out));
    out.push('\n');
    let all = |board: &&&Board| board.changes.iter().any(|change| change.keys.is_none());
    let all: Vec<&&Board> = boards.iter().filter(all).collect();
    if !all.is_empty() {
        *out += "% places(R, Keys): all places of the board of R.\n";
        for board in all {
            let relation = text::atom(&board.functor.0);
            *out += &format!("places({relation}, {}).\n", list(&board.all_keys()));
        }
        out.push('\n');
    }
}

/// The changes of a move by delta rules.
fn effects(board: &Board, empty: &str, out: &mut String) {
    let (name, key) = (text::atom(&board.functor.0), key(board));
    let find = |what: &str, is_gained: bool, list: &str| {
        let is_value = |n: usize| Some(n) == board.value;
        let argument =
            |n| if is_value(n) && !is_gained { "_".to_owned() } else { format!("X{}", n + 1) };
        let args: Vec<String> = (0..board.functor.1).map(argument).collect();
        let value = match board.value {
            _ if !is_gained => format!("({empty})"),
            Some(value) => format!("X{}", value + 1),
            None => "yes".to_owned(),
        };
        let fluent = text::compound(&name, &args);
        format!("findall({key}-{value}, {what}({fluent}, As, S), {list})")
    };
    let goals = match board.delta {
        Some(Delta::Both) => vec![
            find(LOST, false, "Lost"),
            find(GAINED, true, "Gained"),
            "append(Lost, Gained, Changes)".to_owned(),
        ],
        _ => vec![find(GAINED, true, "Changes")],
    };
    *out += &text::clause(&format!("effects({name}, As, S, Changes)"), &goals);
}

const AT: &str = "\
% at(N, Row, C): C is the Nth of Row; what is no number has no place.
at(N, Row, C) :-
    var(N), !,
    nth1(N, Row, C).
at(N, Row, C) :-
    integer(N),
    nth1(N, Row, C).

";

const CONTENT: &str = "\
% content(Vs, C): C stands on the place of the values Vs.
content(Vs0, C) :-
    sort(Vs0, Vs),
    content_of(Vs, C).

content_of([], EMPTY).
content_of([V], V).
content_of([V1,V2|Vs], [V1,V2|Vs]).

% among(V, C): V is a value of what stands on a place.
among(V, C) :-
    atomic(C), !,
    C \\== EMPTY,
    V = C.
among(V, Vs) :-
    member(V, Vs).

";

const UPDATE: &str = "\
% changed(R, As, Keys): the moves may change these places.
changed(R, As, Keys) :-
    findall(Key, ( member(M, As), changes(R, M, Keys0), member(Key, Keys0) ), Keys1),
    sort(Keys1, Keys).

update([], _, _, _, Board, Board).
update([Key|Keys], R, As, S, Board1, Board3) :-
    next_place(R, Key, As, S, C),
    put(R, Key, C, Board1, Board2),
    update(Keys, R, As, S, Board2, Board3).

";

const NEXT_PLACES: &str = "\
% next_places(R, Keys, As, S, Board): what comes to stand on all places of the board of R.
next_places(_, [], _, _, []).
next_places(R, [Keys|Rows1], As, S, [Row|Rows2]) :-
    is_list(Keys), !,
    next_places(R, Keys, As, S, Row),
    next_places(R, Rows1, As, S, Rows2).
next_places(R, [Key|Keys], As, S, [C|Cs]) :-
    next_place(R, Key, As, S, C),
    next_places(R, Keys, As, S, Cs).

";

const PUT_ALL: &str = "
put_all([], _, Board, Board).
put_all([Key-C|Changes], R, Board1, Board3) :-
    put(R, Key, C, Board1, Board2),
    put_all(Changes, R, Board2, Board3).

";

fn next_place(board: &Board, empty: &str, out: &mut String) {
    let relation = text::atom(&board.functor.0);
    let fluent = pattern(&board.functor.0, board.functor.1);
    let goals = match board.value {
        Some(value) if board.single => {
            let value = value + 1;
            vec![format!("( next({fluent}, As, S) -> C = X{value} ; C = {empty} )")]
        }
        Some(value) => vec![
            format!("findall(X{}, next({fluent}, As, S), Vs)", value + 1),
            "content(Vs, C)".to_owned(),
        ],
        None => vec![format!("( next({fluent}, As, S) -> C = yes ; C = {empty} )")],
    };
    *out += &text::clause(&format!("next_place({relation}, {}, As, S, C)", key(board)), &goals);
}

fn put(board: &Board, out: &mut String) {
    let mut goals: Vec<String> =
        board.keys.iter().filter_map(locate).map(|goal| format!("once({goal})")).collect();
    let (mut from, mut to) = ("B1".to_owned(), "B2".to_owned());
    let mut made = Vec::new();
    for (nth, axis) in board.keys.iter().enumerate() {
        let place = names(axis).1;
        let n = nth + 1;
        let (old, new) = match n == board.keys.len() {
            true => ("_".to_owned(), "C".to_owned()),
            false => (format!("L{n}"), format!("R{n}")),
        };
        goals.push(format!("nth1({place}, {from}, {old}, Rest{n})"));
        made.push(format!("nth1({place}, {to}, {new}, Rest{n})"));
        (from, to) = (old, new);
    }
    goals.extend(made.into_iter().rev());
    let relation = text::atom(&board.functor.0);
    *out += &text::clause(&format!("put({relation}, {}, C, B1, B2)", key(board)), &goals);
}

/// A list, in several lines where it is long.
fn list(items: &[String]) -> String {
    let mut lines = vec![String::new()];
    for item in items {
        let line = lines.last_mut().map_or(0, |line| line.len());
        if line > 0 && line + item.len() > 90 {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            *line += &format!("{}{item}", if line.is_empty() { "" } else { ", " });
        }
    }
    match lines.as_slice() {
        [line] if line.len() < 70 => format!("[{line}]"),
        lines => format!("[\n    {}]", lines.join(",\n    ")),
    }
}

fn changes(board: &Board, out: &mut String) {
    let relation = text::atom(&board.functor.0);
    for change in &board.changes {
        match &change.keys {
            Some(keys) => {
                let head = format!("changes({relation}, {}, ", change.chosen);
                *out += &format!("{head}{}).\n", list(keys));
            }
            None => {
                let head = format!("changes({relation}, {}, Keys)", change.chosen);
                *out += &text::clause(&head, &[format!("places({relation}, Keys)")]);
            }
        }
    }
    if board.changes.is_empty() {
        *out += &format!("changes({relation}, _, []).\n");
    }
}
