//! What a program does to its own text while it is loaded: `term_expansion/2` and
//! `goal_expansion/2`; and warnings about the names of variables.

use super::loads::LoadedTerm;
use super::{OrFault, World, messages, modules};
use std::sync::Arc;
use zug_machine::{Fault, Machine, OpenQuery, Space};
use zug_syntax::ReadTerm;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::spelling::distance_within;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

fn user_predicate(m: &mut Machine, name: &str, arity: usize, space: Space) -> bool {
    let Some(name) = m.symbols.lookup(name) else { return false };
    m.program.find(name, arity, space).is_some_and(|id| !m.program.live_clauses(id).is_empty())
}

/// Directives of the library that stand for clauses, and what makes the clauses of their argument.
const CLAUSE_MAKERS: &[(&str, &str)] = &[("record", "$record_clauses")];

/// The clauses that a directive of the library stands for. A program with a predicate of its name means that.
fn clauses_of_directive(
    m: &mut Machine,
    w: &mut World,
    read: &LoadedTerm<'_>,
) -> OrFault<Option<Record>> {
    let LoadedTerm { heap, term, .. } = read;
    let Some([goal]) = heap.match_struct::<1>(term.root, atoms::NECK) else { return Ok(None) };
    let Some((name, 1, args)) = heap.name_arity(goal) else { return Ok(None) };
    let named = m.symbols.name(name).to_owned();
    let maker = CLAUSE_MAKERS.iter().find(|(directive, _)| *directive == named);
    let Some((_, maker)) = maker else { return Ok(None) };
    if m.program.is_users(name, 1, modules::here(w)) {
        return Ok(None);
    }
    let maker = m.symbols.intern(maker);
    let pred = m.program.pred(maker, 2, Space::System);
    let made = m.ask(w, |ask| {
        let about = ask.machine.heap.instantiate(&heap.cells, heap.at(args));
        let [clauses] = ask.outputs();
        let made = ask.call(pred, &[about, clauses])?;
        Ok(made.then(|| first_kept(ask)))
    });
    or_finding(m, w, made, "this directive", read)
}

/// Lets the user's `term_expansion/2` rewrite a term, or the library a directive: what it gives, if it has an answer.
pub(super) fn expand_term(
    m: &mut Machine,
    w: &mut World,
    read: &LoadedTerm<'_>,
) -> OrFault<Option<Record>> {
    let space = modules::here(w);
    if !user_predicate(m, "term_expansion", 2, space) {
        return clauses_of_directive(m, w, read);
    }
    let name = m.symbols.intern("term_expansion");
    let expanded = m.ask(w, |ask| {
        let before = ask.machine.heap.instantiate(&read.heap.cells, read.term.root);
        let [after] = ask.outputs();
        let goal = ask.machine.heap.new_struct(name, &[before, after]);
        let module = Cell::atom(ask.machine.program.modules.name_of(space));
        let goal = ask.machine.heap.new_struct(atoms::COLON, &[module, goal]);
        let expanded = ask.goal(goal)?;
        Ok(expanded.then(|| first_kept(ask)))
    });
    match or_finding(m, w, expanded, "term_expansion/2", read)? {
        None => clauses_of_directive(m, w, read),
        expanded => Ok(expanded),
    }
}

/// Lets the user's `goal_expansion/2` rewrite the goals of a clause: the new clause, if
/// it differs.
pub(super) fn expand_goals(
    m: &mut Machine,
    w: &mut World,
    read: &mut LoadedTerm<'_>,
    root: Cell,
) -> OrFault<Option<Record>> {
    if !(w.has_functions || user_predicate(m, "goal_expansion", 2, Space::User))
        || read.heap.match_struct::<2>(root, atoms::NECK).is_none()
    {
        return Ok(None);
    }
    let record = Record::new(read.heap, root);
    let name = m.symbols.intern("$expand_clause");
    let pred = m.program.pred(name, 2, Space::System);
    let expanded = m.ask(w, |ask| {
        let before = record.instantiate(&mut ask.machine.heap);
        let [after] = ask.outputs();
        let expanded = ask.call(pred, &[before, after])?;
        Ok(expanded.then(|| first_kept(ask)))
    });
    or_finding(m, w, expanded, "goal_expansion/2", read)
}

fn first_kept(ask: &mut OpenQuery<'_, World>) -> Record {
    let [after] = ask.rooted();
    Record::new(&mut ask.machine.heap, after)
}

/// The result of an expansion, if there is one; its error becomes a finding.
fn or_finding(
    m: &mut Machine,
    w: &mut World,
    expanded: OrFault<Option<Record>>,
    expansion: &str,
    read: &LoadedTerm<'_>,
) -> OrFault<Option<Record>> {
    match expanded {
        Err(Fault::Ball(ball)) => {
            let finding = messages::finding(m, w, &ball, "E0303", expansion);
            w.loader.diagnostics.push(finding.at(read.source, read.term.span, ""));
            Ok(None)
        }
        expanded => expanded,
    }
}

/// Warnings about the names of variables.
pub(super) fn style_warnings(w: &mut World, source: &Source, term: &ReadTerm) {
    let slips = mistyped(term);
    for (name, span) in &term.singletons {
        if let Some((_, meant)) = slips.iter().find(|(slip, _)| slip == name) {
            let message = format!("variable `{name}` occurs only once, beside `{meant}`");
            let finding = Diagnostic::warning("W0409", message)
                .at(source, *span, "")
                .hint(format!("did you mean `{meant}`? Write `_{name}` or `_` if not"))
                .mend(source, *span, &**meant)
                .perhaps();
            w.loader.diagnostics.push(finding);
            continue;
        }
        // The other one of a pair was named.
        if slips.iter().any(|(_, meant)| meant == name) {
            continue;
        }
        let constant = constant_meant(source, term.span, name);
        let hint = match &constant {
            _ if is_mover(source, term.span, name) => format!(
                "`{name}` is the player who moves, and this clause takes no account of it: is a constant in its place? \
                 Write `_{name}` if not"
            ),
            Some(constant) => format!(
                "a variable stands for anything: write `{constant}` for the constant, `_{name}` if it is meant"
            ),
            None => format!("is the name mistyped? Write `_{name}` or `_` if it is meant"),
        };
        let finding = Diagnostic::warning("W0401", format!("variable `{name}` occurs only once"))
            .at(source, *span, "")
            .hint(hint);
        if let Some(constant) = constant {
            w.loader.diagnostics.push(finding.mend(source, *span, constant).perhaps());
            continue;
        }
        let finding = finding.mend(source, Span { end: span.start, ..*span }, "_").perhaps();
        w.loader.diagnostics.push(finding);
    }
    for (name, span) in &term.multiple {
        let finding = Diagnostic::warning(
            "W0402",
            format!("variable `{name}` is marked as unused but occurs several times"),
        )
        .at(source, *span, "")
        .hint("take the `_` off its name");
        w.loader.diagnostics.push(finding);
    }
}

/// Whether a variable is the player of a clause of move/4.
fn is_mover(source: &Source, clause: Span, name: &str) -> bool {
    let text = source.text.get(clause.start as usize..clause.end as usize);
    let first = text.and_then(|text| text.strip_prefix("move(")?.split(',').next());
    first.is_some_and(|first| first.trim() == name)
}

/// The constant that was meant by a variable of a fact that occurs once: a word of the text that it is but for its
/// capital letter, and the name of a player.
fn constant_meant(source: &Source, clause: Span, name: &str) -> Option<String> {
    let text = source.text.get(clause.start as usize..clause.end as usize)?;
    let first = name.chars().next().filter(|c| c.is_uppercase())?;
    if text.contains(":-") || text.contains("-->") {
        return None;
    }
    let constant: String = first.to_lowercase().chain(name.chars().skip(1)).collect();
    let is_player = text.starts_with("opponent(") || text.starts_with("initial_player(");
    let is_word = || {
        let mut words = source.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == constant)
    };
    let meant = is_player || name.chars().count() > 1 && is_word();
    meant.then_some(constant)
}

/// Variables that occur once and are nearly another one of the clause, each with that one; of two
/// that both occur once, the second.
fn mistyped(term: &ReadTerm) -> Vec<(Arc<str>, Arc<str>)> {
    let mut found: Vec<(Arc<str>, Arc<str>)> = Vec::new();
    let single = |name: &str| term.singletons.iter().any(|(other, _)| **other == *name);
    for (number, (name, _)) in term.singletons.iter().enumerate() {
        let before = term.singletons[..number].iter().map(|(other, _)| other);
        let pair = before.into_iter().find(|other| nearly(name, other, true));
        let meant = pair.or_else(|| {
            let others = term.variables.iter().map(|(other, _)| other);
            others.into_iter().find(|other| !single(other) && nearly(name, other, false))
        });
        let known = |meant: &str| {
            found.iter().any(|(slip, other)| **slip == *meant || **other == *meant && single(meant))
        };
        if let Some(meant) = meant.filter(|meant| !known(meant)) {
            found.push((name.clone(), meant.clone()));
        }
    }
    found
}

/// Whether one of two names of variables is the other one mistyped. Names that differ in a
/// number, in a letter at the end, or in a plural are two on purpose: `X1`, `RowA`, `Rows`;
/// but a `lone` pair `X`, `X1` is none, since each of them would be useless.
fn nearly(a: &str, b: &str, lone: bool) -> bool {
    if a == b || a.starts_with('_') || b.starts_with('_') {
        return false;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let initial = |name: &str| name.chars().next().map(|c| c.to_ascii_lowercase());
    if initial(a) != initial(b) {
        return false;
    }
    if a.to_lowercase() == b.to_lowercase() {
        return true;
    }
    let like = |name: &str| {
        let plain = name.chars().skip(1).map(|c| match c {
            '0' | 'O' => 'o',
            '1' | 'I' | 'i' => 'l',
            c => c,
        });
        plain.collect::<String>()
    };
    if like(a) == like(b) {
        return true;
    }
    if let Some(rest) = long.strip_prefix(short) {
        return match rest {
            "s" => false,
            rest if rest.chars().all(|c| c.is_ascii_digit()) => lone,
            rest => rest.chars().count() == 1 && rest.chars().all(char::is_lowercase),
        };
    }
    let without = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    if without(a) == without(b) {
        return false;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let (left, right) = (a.chars().count() - common, b.chars().count() - common);
    let at_end = left <= 1 && right <= 1;
    !at_end && short.chars().count() > 3 && distance_within(a, b, 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::nearly;

    #[test]
    fn names_that_are_nearly_the_same() {
        for (a, b) in
            [("S0", "So"), ("Y", "Yy"), ("State", "Stete"), ("Xs", "XS"), ("Cost", "Csot")]
        {
            assert!(nearly(a, b, false) && nearly(b, a, true), "{a} {b}");
        }
        for (a, b) in [
            ("X", "Y"),
            ("Rows", "Row"),
            ("C1", "C2"),
            ("RowA", "RowB"),
            ("Xs", "Ys"),
            ("Xa", "Xb"),
        ] {
            assert!(!nearly(a, b, false) && !nearly(b, a, true), "{a} {b}");
        }
        assert!(nearly("M", "M2", true) && !nearly("M", "M2", false));
    }
}
