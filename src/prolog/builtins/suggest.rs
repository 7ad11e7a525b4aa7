//! "Did you mean": known predicates with a name near to an unknown one.

use super::World;
use zug_machine::{Kind, Machine, Space};
use zug_term::spelling::{distance_within, max_distance};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// What was perhaps meant by the predicate that a ball says does not exist, or by an option that it
/// says is none.
pub fn for_ball(m: &Machine, w: &World, heap: &Heap, ball: Cell) -> Option<String> {
    let [formal, context] = heap.match_struct::<2>(ball, atoms::ERROR)?;
    if let Some([domain, option]) = heap.match_struct::<2>(formal, atoms::DOMAIN_ERROR) {
        return for_option(m, w, heap, [domain, option, context]);
    }
    if let Some([kind, what]) = heap.match_struct::<2>(formal, atoms::TYPE_ERROR) {
        return for_function(m, heap, [kind, what]);
    }
    let [kind, what] = heap.match_struct::<2>(formal, atoms::EXISTENCE_ERROR)?;
    if heap.deref(kind) != Cell::atom(atoms::PROCEDURE) {
        return None;
    }
    let what = super::database::strip_module(heap, what);
    let [name, arity] = heap.match_struct::<2>(what, atoms::SLASH)?;
    let name = m.symbols.name(heap.deref(name).as_atom()?);
    let arity = usize::try_from(heap.deref(arity).as_int()?).ok()?;
    let most = max_distance(name.chars().count());
    let at_prompt = || {
        let near = |query: &&&str| distance_within(query, name, most).is_some();
        w.prompt_queries.iter().find(near).map(|&query| query.to_owned())
    };
    did_you_mean(m, name, arity).or_else(at_prompt).map(|name| format!("did you mean `{name}`?"))
}

/// What to write in the place of a function that arithmetic does not know, and that is a predicate.
fn for_function(m: &Machine, heap: &Heap, [kind, what]: [Cell; 2]) -> Option<String> {
    if m.symbols.name(heap.deref(kind).as_atom()?) != "evaluable" {
        return None;
    }
    let [name, arity] = heap.match_struct::<2>(what, atoms::SLASH)?;
    let name = m.symbols.name(heap.deref(name).as_atom()?);
    let arity = usize::try_from(heap.deref(arity).as_int()?).ok().filter(|&arity| arity > 0)?;
    let name = if name == "len" { "length" } else { name };
    let atom = m.symbols.lookup(name)?;
    let is_there = |arity| {
        let found = m.program.lookup(atom, arity, Space::User);
        let found = found.filter(|&id| m.program.is_defined(id));
        found.or_else(|| m.program.lookup(atom, arity, Space::System)).is_some()
    };
    let given = ["X", "Y", "Z"].iter().take(arity).copied().collect::<Vec<_>>().join(", ");
    is_there(arity + 1).then(|| {
        format!("`{name}/{}` is a predicate and has no value: call `{name}({given}, N)` first, and compute with N", arity + 1)
    })
}

/// What those say who know the options of the predicate.
fn for_option(m: &Machine, w: &World, heap: &Heap, said: [Cell; 3]) -> Option<String> {
    let [domain, option, context] = said;
    if !m.symbols.name(heap.deref(domain).as_atom()?).ends_with("option") {
        return None;
    }
    let [place, _] = heap.match_struct::<2>(context, atoms::CONTEXT)?;
    let [predicate, _] = heap.match_struct::<2>(place, atoms::SLASH)?;
    let predicate = m.symbols.name(heap.deref(predicate).as_atom()?);
    let option = heap.name_arity(option).map_or("", |(name, ..)| m.symbols.name(name));
    let mut advisers = w.extensions.iter().filter_map(|extension| extension.option_advice);
    advisers.find_map(|advice| advice(predicate, option))
}

/// The defined predicate most like a name and arity, as `name/arity`: the same name with
/// another arity, or a name a few letters away. The user's predicates come before the
/// library's, the right arity before others.
pub fn did_you_mean(m: &Machine, name: &str, arity: usize) -> Option<String> {
    let most = max_distance(name.chars().count());
    let mut best: Option<((usize, bool, usize, bool), String)> = None;
    for predicate in &m.program.preds {
        let candidate = m.symbols.name(predicate.name);
        let is_same = candidate == name && predicate.arity == arity;
        if predicate.kind == Kind::Undefined || candidate.starts_with('$') || is_same {
            continue;
        }
        let Some(distance) = distance_within(candidate, name, most) else { continue };
        let is_library = predicate.space == Space::System;
        let other_arity = predicate.arity.abs_diff(arity);
        // A name a letter away and an arity besides is a guess too far.
        if distance > 0 && other_arity > usize::from(!is_library) {
            continue;
        }
        let rank = (distance, is_library, other_arity, candidate > name);
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, format!("{candidate}/{}", predicate.arity)));
        }
    }
    best.map(|(_, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    #[test]
    fn finds_what_was_meant() {
        let (mut session, _) = Session::captured(&[], "");
        session.load_text("test", "heuristic(_, 0). rule(a, 1, x, y). length(a).");
        let meant = |name, arity| did_you_mean(&session.machine, name, arity);
        assert_eq!(meant("heuristc", 2).as_deref(), Some("heuristic/2"));
        assert_eq!(meant("rule", 3).as_deref(), Some("rule/4"));
        assert_eq!(meant("apend", 3).as_deref(), Some("append/3"));
        assert_eq!(meant("mebmer", 2).as_deref(), Some("member/2"));
        assert_eq!(meant("zz", 2), None);
        assert_eq!(meant("quite_another_thing", 2), None);
    }
}
