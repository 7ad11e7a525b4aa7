//! The next state of a move.

use super::body::Body;
use super::shape::{Leaf, Shape, Type, list, structure};

/// The next state: each part of the old one is kept as often as `keep` says, or else
/// something new.
pub fn next_pattern(body: &mut Body, shape: &Shape, from: &str, keep: usize) -> String {
    match shape {
        Shape::Struct(..) if from.starts_with('S') => whole(body, shape, from),
        Shape::Struct(name, parts) => {
            let olds = split(from, name, parts.len());
            let parts =
                parts.iter().zip(olds).map(|(part, old)| next_pattern(body, part, &old, keep));
            structure(name, parts.collect())
        }
        _ if body.dice.percent(keep) => from.to_owned(),
        Shape::Leaf(leaf) => body.next_value(Type::Leaf(*leaf)),
        Shape::Stack(leaf) => stack(body, from, *leaf),
        _ if from.starts_with('[') => items(body, shape, from),
        Shape::List(leaf, _) => {
            let m = body.variable(Type::List(*leaf));
            let goal = body.derived_list(from, &m, *leaf);
            body.goals.push(goal);
            m
        }
        Shape::Grid(leaf, ..) => rows(body, from, *leaf),
        Shape::Pairs(leaf, _) => pairs(body, from, *leaf),
    }
}

/// A stack pushed, popped or changed.
fn stack(body: &mut Body, from: &str, leaf: Leaf) -> String {
    match body.dice.below(4) {
        0 => format!("[{}]", body.next_value(Type::Leaf(leaf))),
        1 => {
            body.goals.push(format!("length({from}, Size{from}), Size{from} < 3"));
            format!("[{}|{from}]", body.next_value(Type::Leaf(leaf)))
        }
        2 => {
            let rest = body.variable(Type::List(leaf));
            body.goals.push(format!("( {from} = [_|{rest}] -> true ; {rest} = {from} )"));
            rest
        }
        _ => {
            let m = body.variable(Type::List(leaf));
            let goal = body.derived_list(from, &m, leaf);
            body.goals.push(goal);
            m
        }
    }
}

/// A list written out in the head: two items change places, or one gets a new value.
fn items(body: &mut Body, shape: &Shape, from: &str) -> String {
    let mut items: Vec<String> = from[1..from.len() - 1].split(',').map(str::to_owned).collect();
    if items.iter().any(|item| item.starts_with('[')) {
        return from.to_owned();
    }
    let i = body.dice.below(items.len());
    if body.dice.percent(40) && !matches!(shape, Shape::Pairs(..)) {
        let j = (i + body.dice.range(1, items.len() - 1)) % items.len();
        items.swap(i, j);
        return list(items);
    }
    items[i] = match (shape, items[i].split_once('-')) {
        (Shape::Pairs(leaf, _), Some((name, _))) => {
            format!("{name}-{}", body.next_value(Type::Leaf(*leaf)))
        }
        (Shape::Grid(leaf, ..), _) if items[i].starts_with('L') => {
            body.next_value(Type::List(*leaf))
        }
        (Shape::List(leaf, _) | Shape::Pairs(leaf, _) | Shape::Grid(leaf, ..), _) => {
            body.next_value(Type::Leaf(*leaf))
        }
        _ => items[i].clone(),
    };
    list(items)
}

/// A structure of leaves changed as a whole.
fn whole(body: &mut Body, shape: &Shape, from: &str) -> String {
    let leaf = shape.flat().unwrap_or(Leaf::Atom);
    let s = body.variable(Type::Whole(leaf));
    let (a, b) = (format!("As{s}"), format!("Bs{s}"));
    let goal = if body.dice.percent(25) {
        // One argument is new, the others are those of the old structure.
        let (i, new) = (body.dice.range(1, 2), leaf.constant(body.dice));
        format!(
            "functor({from}, Name{s}, Arity{s}), functor({s}, Name{s}, Arity{s}), \
             findall(I-A, ( arg(I, {from}, A), I =\\= {i} ), {a}), arg({i}, {s}, {new}), \
             forall(member(I-A, {a}), nonvar(I)), maplist([I-A]>>arg(I, {s}, A), {a})"
        )
    } else {
        let derived = body.derived_list(&a, &b, leaf);
        format!("{from} =.. [Name{s}|{a}], {derived}, {s} =.. [Name{s}|{b}]")
    };
    body.goals.push(goal);
    s
}

/// A list of pairs in which one has a new value.
fn pairs(body: &mut Body, from: &str, leaf: Leaf) -> String {
    let x = body.variable(Type::Leaf(leaf));
    let y = body.next_value(Type::Leaf(leaf));
    let m = body.variable(Type::Pairs(leaf));
    let goal = match body.dice.below(4) {
        0 => format!("select(K{m}-{x}, {from}, K{m}-{y}, {m})"),
        1 => {
            format!("append(F{m}, [K{m}-{x}|T{m}], {from}), append(F{m}, [K{m}-{y}|T{m}], {m})")
        }
        2 => format!("reverse({from}, [K{m}-{x}|T{m}]), reverse([K{m}-{y}|T{m}], {m})"),
        _ => format!("selectchk(a-{x}, {from}, P{m}), sort([a-{y}|P{m}], {m})"),
    };
    // The new value may be what the goal binds, or be bound before it.
    let at = body.goals.len()
        - usize::from(body.goals.last().is_some_and(|g| g.starts_with(&format!("{y} is"))));
    body.goals.insert(at, goal.clone());
    if at + 1 < body.goals.len() && goal.contains("selectchk") {
        // sort/2 wants the value at once.
        body.goals.swap(at, at + 1);
    }
    m
}

/// A list of rows in which one is changed.
fn rows(body: &mut Body, from: &str, leaf: Leaf) -> String {
    let row = body.variable(Type::List(leaf));
    let new = body.variable(Type::List(leaf));
    let m = body.variable(Type::Rows(leaf));
    let derived = body.derived_list(&row, &new, leaf);
    let goal = match body.dice.below(4) {
        0 => format!("select({row}, {from}, {new}, {m}), {derived}"),
        1 => format!("{from} = [{row}|T{m}], {derived}, append(T{m}, [{new}], {m})"),
        2 => format!(
            "append(F{m}, [{row},{new}|T{m}], {from}), append(F{m}, [{new},{row}|T{m}], {m})"
        ),
        _ => format!(
            "append(F{m}, [{row}|T{m}], {from}), {derived}, append(F{m}, [{new}|T{m}], {m})"
        ),
    };
    body.goals.push(goal);
    m
}

/// The arguments of a pattern that [`structure`] wrote.
fn split(pattern: &str, name: &str, arity: usize) -> Vec<String> {
    let operator = matches!(name, "-" | "/");
    let inner = if operator { pattern } else { &pattern[name.len() + 1..pattern.len() - 1] };
    let separator = if operator { name } else { "," };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && inner[i..].starts_with(separator) => {
                parts.push(inner[start..i].to_owned());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].to_owned());
    assert_eq!(parts.len(), arity, "{pattern}");
    let bare = |part: String| match operator {
        true => part[1..part.len() - 1].to_owned(),
        false => part,
    };
    parts.into_iter().map(bare).collect()
}
