//! Which load defines a predicate: loading a file again replaces what it defined before,
//! and clauses of one predicate belong together.

use super::loads::{Loader, ReplacedPredicate};
use super::{World, modules};
use zug_machine::instr::Instr;
use zug_machine::{ClauseId, Kind, Machine, Neck, PredId, Space};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// Forgets what a file defined.
pub(super) fn unload(m: &mut Machine, file: u32) {
    for id in 0..m.program.preds.len() as u32 {
        if m.program.preds[id as usize].file == Some(file) {
            m.program.set_untabled(id);
            forget(m, id);
        }
    }
}

/// Forgets the clauses that stand in some of the sources.
pub(super) fn unload_sources(m: &mut Machine, chosen: &[bool]) {
    for id in 0..m.program.preds.len() as u32 {
        if m.program.preds[id as usize].space != Space::User {
            continue;
        }
        let (gone, kept): (Vec<ClauseId>, Vec<ClauseId>) =
            m.program.live_clauses(id).into_iter().partition(|&clause| {
                let place = m.program.clauses[clause as usize].place.as_deref();
                place.is_some_and(|place| chosen.get(place.source as usize) == Some(&true))
            });
        match (gone.is_empty(), kept.is_empty(), m.program.preds[id as usize].kind) {
            (true, ..) => {}
            (false, true, _) => {
                m.program.set_untabled(id);
                forget(m, id);
            }
            (false, false, Kind::Static) => {
                m.program.preds[id as usize].clauses = kept;
                m.program.define(id, Kind::Static, Instr::Link { pred: id });
            }
            (false, false, _) => {
                for clause in gone {
                    m.program.erase(clause);
                }
                m.tidy(id, false);
            }
        }
    }
}

/// Forgets what a unit of tests defined.
pub(super) fn forget_space(m: &mut Machine, space: Space) {
    for id in 0..m.program.preds.len() as u32 {
        if m.program.preds[id as usize].space == space {
            forget(m, id);
        }
    }
}

fn forget(m: &mut Machine, pred: PredId) {
    m.program.set_det(pred, false);
    let predicate = &mut m.program.preds[pred as usize];
    predicate.file = None;
    predicate.discontiguous = false;
    match predicate.kind {
        Kind::Dynamic => {
            for id in m.program.live_clauses(pred) {
                m.program.erase(id);
            }
            m.tidy(pred, false);
        }
        Kind::Static => {
            predicate.clauses.clear();
            m.program.define(pred, Kind::Undefined, Instr::Undefined { pred });
        }
        _ => {}
    }
}

/// What is known of a predicate whose clauses are about to be replaced.
fn replaced(
    m: &Machine,
    loader: &Loader,
    pred: PredId,
    now: (Source, Span),
) -> Option<ReplacedPredicate> {
    let file = m.program.preds[pred as usize].file?;
    let first = m.program.live_clauses(pred).first().copied();
    let place = first.and_then(|id| m.program.clauses[id as usize].place.as_deref());
    let before = place
        .and_then(|place| Some((loader.sources.get(place.source as usize)?.clone(), place.span)));
    Some(ReplacedPredicate { file, indicator: m.program.indicator(pred, &m.symbols), now, before })
}

/// Says that a file replaced clauses of others: of each of them in one finding.
pub(super) fn tell_replaced(
    m: &Machine,
    w: &mut World,
    source: &Source,
    all: Vec<ReplacedPredicate>,
) {
    let mut files: Vec<u32> = all.iter().map(|one| one.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let of_file: Vec<&ReplacedPredicate> = all.iter().filter(|one| one.file == file).collect();
        let Some(first) = of_file.first() else { continue };
        let other = w.loader.files.get(file as usize);
        let other = other.map_or_else(String::new, |file| file.path.display().to_string());
        let names: Vec<String> = of_file.iter().map(|one| format!("`{}`", one.indicator)).collect();
        let names = names.join(", ");
        let message = match of_file.len() {
            1 => format!("{names} replaces the clauses of `{other}`"),
            _ => format!("`{}` replaces predicates of `{other}`: {names}", source.name),
        };
        let left: Vec<String> = (0..)
            .zip(&m.program.preds)
            .filter(|(_, pred)| pred.file == Some(file) && pred.space == Space::User)
            .filter(|(id, _)| !m.program.live_clauses(*id).is_empty())
            .map(|(id, _)| format!("`{}`", m.program.indicator(id, &m.symbols)))
            .collect();
        const NAMED: usize = 5;
        let rest = match left.len() {
            0 => String::new(),
            1..=NAMED => format!("; {} of `{other}` stays", left.join(", ")),
            more => format!(
                "; {} and {} more of `{other}` stay",
                left[..NAMED].join(", "),
                more - NAMED
            ),
        };
        let hint = match of_file.len() {
            1 => format!(
                "rename one of them; to add to them, write `:- multifile {}.` in both",
                first.indicator
            ),
            _ => format!(
                "at the prompt `:load {}` takes the program away that was there before",
                source.name
            ),
        };
        let (now, span) = &first.now;
        let mut finding =
            Diagnostic::warning("W0409", message + &rest).at(now, *span, "defined here");
        if let Some((before, span)) = &first.before {
            finding = finding.also(before, *span, "and here before");
        }
        w.loader.diagnostics.push(finding.hint(hint));
    }
}

/// What is to be said of a control construct in the place of a head, where the layout tells that a clause ends with
/// the wrong character, or too early.
fn ends_otherwise(
    indicator: &str,
    text: &str,
    (source, span): (&Source, Span),
) -> Option<Diagnostic> {
    let whole = &source.text;
    let indented = |at: usize| {
        let line = whole[..at].rfind('\n').map_or(0, |at| at + 1);
        at > line && whole[line..at].chars().all(|c| c == ' ' || c == '\t')
    };
    let before = whole[..span.start as usize].trim_end();
    if indicator == ",/2" && indented(span.start as usize) && before.ends_with('.') {
        let at = Span::new(before.len() - 1, before.len());
        let message = "this full stop ends the clause, and its goals go on in the next line";
        let finding = Diagnostic::error("E0307", message).at(source, at, "");
        let finding = finding.also(source, span, "they stand here");
        return Some(finding.hint("write `,` in its place").mend(source, at, ","));
    }
    // `f(1);` and `f(1):` before a line of their own.
    let sign = match indicator {
        ";/2" => ';',
        ":/2" | ",/2" => ':',
        _ => return None,
    };
    let end = text.match_indices(sign).map(|(at, _)| at).find(|&at| {
        let rest = &text[at + 1..];
        let line = rest.lines().next().unwrap_or_default();
        line.trim().is_empty() && rest.contains('\n') && !rest.starts_with('-')
    })?;
    let start = span.start as usize + end;
    let at = Span::new(start, start + 1);
    let goes_on =
        indented(start + 1 + whole[start + 1..].len() - whole[start + 1..].trim_start().len());
    let (message, hint, meant) = match sign {
        ':' if goes_on => {
            ("`:` stands where the body begins".to_owned(), "write `:-` in its place", ":-")
        }
        _ => (
            format!("a clause ends with a full stop, not with `{sign}`"),
            "write `.` in its place",
            ".",
        ),
    };
    Some(Diagnostic::error("E0307", message).at(source, at, "").hint(hint).mend(source, at, meant))
}

/// What is to be said of a head `f(1):g(2)`, which qualifies with what is no module.
pub(super) fn colon_at_end(
    heap: &Heap,
    head: Cell,
    source: &Source,
    span: Span,
) -> Option<Diagnostic> {
    let [module, _] = heap.match_struct::<2>(head, atoms::COLON)?;
    let (_, arity, _) = heap.name_arity(module)?;
    let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    if arity == 0 { None } else { ends_otherwise(":/2", text, (source, span)) }
}

/// The predicate a clause of the load in progress belongs to, ready to take it.
pub(super) fn predicate_for(
    m: &mut Machine,
    w: &mut World,
    (source, span): (&Source, Span),
    (name, arity, space): (Atom, usize, Space),
) -> Option<PredId> {
    let loading = w.loader.stack.last_mut().expect("a load is in progress");
    let load = loading.number;
    if space.is_users()
        && let Some(system) = m.program.lookup(name, arity, Space::System)
        && m.program.preds[system as usize].protected
    {
        let indicator = m.program.indicator(system, &m.symbols);
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        if let Some(finding) = ends_otherwise(&indicator, text, (source, span)) {
            w.loader.diagnostics.push(finding);
            return None;
        }
        let (message, hint) = match indicator.as_str() {
            // `a : - b, c.` and `a, b.`
            ",/2" | ":/2" if text.contains(": -") => {
                ("`:-` is written without a space".to_owned(), "write `:-` between head and body")
            }
            ",/2" => (
                "a clause ends with a full stop, not with `,`".to_owned(),
                "write `.` behind the first clause; or `:-` if what follows are its conditions",
            ),
            _ => (
                format!("`{indicator}` is built in and can't be redefined"),
                match m.symbols.name(name) {
                    // `double(X) = Y :- …`
                    "=" if text.split('=').next().is_some_and(|left| left.contains('(')) => {
                        "the result of a predicate is an argument of it: write `name(…, Result) :- goals.`"
                    }
                    own if own.starts_with(char::is_alphabetic) => {
                        "give the predicate another name"
                    }
                    _ => "a clause is written `head :- goals.`",
                },
            ),
        };
        let finding = Diagnostic::error("E0307", message).at(source, span, "").hint(hint);
        w.loader.diagnostics.push(finding);
        return None;
    }
    let own = m.program.own(name, arity, space);
    let pred = own.pred;
    if let Some(imported) = own.instead_of {
        modules::hides(m, w, source, span, imported);
    }
    let loading = w.loader.stack.last_mut().expect("a load is in progress");
    let contiguous = loading.last == Some(pred);
    loading.last = Some(pred);
    if contiguous {
        return Some(pred);
    }
    if loading.defined.insert(pred) {
        let predicate = &m.program.preds[pred as usize];
        let elsewhere = predicate.file != loading.file || loading.file.is_none();
        let has_clauses = predicate.kind == Kind::Static || predicate.file.is_some();
        let file = loading.file;
        let adds = loading.adds && predicate.file.is_none();
        if has_clauses && elsewhere && !adds && !predicate.multifile && space.is_users() {
            if file.is_some()
                && let Some(found) = replaced(m, &w.loader, pred, (source.clone(), span))
                && let Some(loading) = w.loader.stack.last_mut()
            {
                loading.replaced.push(found);
            }
            if m.program.is_tabled_elsewhere(pred, load) {
                m.program.set_untabled(pred);
            }
            forget(m, pred);
        }
        m.program.preds[pred as usize].file = file;
    } else if !m.program.preds[pred as usize].discontiguous
        && m.program.preds[pred as usize].kind != Kind::Dynamic
        && loading.warned.insert(pred)
    {
        let indicator = m.program.indicator(pred, &m.symbols);
        let message = format!("clauses of `{indicator}` are not together");
        let finding = Diagnostic::warning("W0403", message)
            .at(source, span, "")
            .hint(format!("move them together, or write `:- discontiguous {indicator}.`"));
        w.loader.diagnostics.push(finding);
    }
    Some(pred)
}

/// Says that a clause is not like those that its predicate has: a rule that matches, or none.
pub(super) fn mixed(
    m: &Machine,
    w: &mut World,
    (source, span): (&Source, Span),
    (pred, neck): (PredId, Neck),
) {
    let indicator = m.program.indicator(pred, &m.symbols);
    let (others, own) = if neck.is_rule() { (":-", "=>") } else { ("=>", ":-") };
    let message =
        format!("`{indicator}` has clauses with `{others}`, and this one is with `{own}`");
    let hint = "write all clauses of a predicate with `:-`, or all with `=>`";
    let finding = Diagnostic::error("E0308", message).at(source, span, "").hint(hint);
    w.loader.diagnostics.push(finding);
}

/// The user's predicate of this name and arity, if it has clauses or is dynamic.
pub fn user_predicate(m: &Machine, name: &str, arity: usize) -> Option<PredId> {
    let id = m.program.lookup(m.symbols.lookup(name)?, arity, Space::User)?;
    let predicate = &m.program.preds[id as usize];
    match predicate.kind {
        Kind::Static => Some(id),
        Kind::Dynamic => (!m.program.live_clauses(id).is_empty()).then_some(id),
        _ => None,
    }
}
