//! Calls in clause bodies, meta-arguments included, and those that reach no predicate.

use rustc_hash::{FxHashMap, FxHashSet};
use zug_explain::{called_at, functor, resolve};
use zug_machine::{Clause, ClauseId, Kind, META, Machine, Positions, Space};
use zug_prolog::builtins::World;
use zug_prolog::builtins::libraries::instead_of;
use zug_prolog::builtins::suggest::did_you_mean;
use zug_syntax::is_plain_atom;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};

/// Predicates whose argument is a clause to add or take away: what they name may exist later.
const CHANGES: &[&str] = &["assert", "asserta", "assertz", "retractall", "retract"];

/// A call in a clause.
struct Call {
    name: Atom,
    arity: usize,
    /// The library's is meant: `system:Goal`.
    space: Space,
    clause: ClauseId,
    /// The image cell that holds the goal.
    slot: usize,
}

/// Reads clauses with the tables keyed by atom.
struct Walker<'m> {
    m: &'m Machine,
    meta: FxHashMap<(Atom, usize), Positions>,
    changes: FxHashSet<Atom>,
    calls: Vec<Call>,
    /// Predicates that the program may make at run time.
    made: FxHashSet<(Atom, usize)>,
}

impl<'m> Walker<'m> {
    fn new(m: &'m Machine) -> Walker<'m> {
        let known = |name: &str| m.symbols.lookup(name);
        Walker {
            m,
            meta: META.iter().filter_map(|&(n, a, p)| Some(((known(n)?, a), p))).collect(),
            changes: CHANGES.iter().filter_map(|name| known(name)).collect(),
            calls: Vec::new(),
            made: FxHashSet::default(),
        }
    }

    fn clause(&mut self, id: ClauseId) {
        let clause = &self.m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        let own = self.m.program.preds[clause.pred as usize].space;
        let mut todo = vec![(clause.record.root.addr() + 2, 0, own)];
        while let Some((slot, extra, space)) = todo.pop() {
            let Some((name, arity, args)) = name_arity(cells, slot) else { continue };
            if name == atoms::COLON && arity == 2 {
                let module = resolve(cells, cells[args]).as_atom();
                let named = module.and_then(|module| self.m.program.modules.named(module));
                todo.push((args + 1, extra, named.unwrap_or(Space::User)));
                continue;
            }
            if arity == 1 && extra == 0 && self.changes.contains(&name) {
                self.change(clause, args);
            }
            if extra == 0
                && let Some(positions) = self.meta.get(&(name, arity))
            {
                todo.extend(positions.iter().rev().map(|&(i, extra)| (args + i, extra, space)));
            }
            self.calls.push(Call { name, arity: arity + extra, space, clause: id, slot });
        }
    }

    /// Notes the predicate of a clause that is asserted or retracted.
    fn change(&mut self, clause: &Clause, slot: usize) {
        let cells = &clause.record.cells;
        let Some((mut name, mut arity, mut args)) = name_arity(cells, slot) else { return };
        while (name, arity) == (atoms::COLON, 2) {
            let Some(inner) = name_arity(cells, args + 1) else { return };
            (name, arity, args) = inner;
        }
        if name == atoms::NECK && arity == 2 {
            self.made.extend(name_arity(cells, args).map(|(name, arity, _)| (name, arity)));
        } else {
            self.made.insert((name, arity));
        }
    }

    fn is_defined(&self, call: &Call) -> bool {
        let control = call.name == atoms::CUT && call.arity == 0
            || call.arity == 2 && matches!(call.name, atoms::BAR | atoms::CARET)
            || self.meta.contains_key(&(call.name, call.arity)) && call.arity <= 2 && {
                matches!(self.m.symbols.name(call.name), "," | ";" | "->" | "*->" | "\\+")
            };
        if control || self.made.contains(&(call.name, call.arity)) {
            return true;
        }
        let program = &self.m.program;
        let declared = |space| {
            let known = program.lookup(call.name, call.arity, space);
            known.is_some_and(|id| program.preds[id as usize].discontiguous)
        };
        program.find(call.name, call.arity, call.space).is_some()
            || declared(call.space)
            || declared(Space::User)
    }
}

/// A goal; a list is none.
fn name_arity(cells: &[Cell], slot: usize) -> Option<(Atom, usize, usize)> {
    functor(cells, cells[slot]).filter(|_| !resolve(cells, cells[slot]).is_list())
}

/// Calls of predicates that are not defined, one finding for each predicate. `unread`: words of
/// clauses that can't be read, which may define them.
pub(super) fn undefined(m: &Machine, w: &World, unread: &FxHashSet<String>) -> Vec<Diagnostic> {
    const PLACES: usize = 3;
    let mut walker = Walker::new(m);
    let own = (0..m.program.preds.len() as u32).filter(|&id| {
        let predicate = &m.program.preds[id as usize];
        predicate.space.is_users() && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
    });
    for pred in own {
        for id in m.program.live_clauses(pred) {
            walker.clause(id);
        }
    }
    let mut by_predicate: FxHashMap<(Atom, usize), usize> = FxHashMap::default();
    let mut findings: Vec<Diagnostic> = Vec::new();
    for call in &walker.calls {
        if walker.is_defined(call) || unread.contains(m.symbols.name(call.name)) {
            continue;
        }
        let place = called_at(m, w, call.clause, call.slot, call.name);
        if let Some(&at) = by_predicate.get(&(call.name, call.arity)) {
            if let Some((source, span)) = place
                && findings[at].secondary.len() + 1 < PLACES
                && findings[at].primary.as_ref().is_some_and(|first| first.span != span)
            {
                let finding = findings[at].clone();
                findings[at] = finding.also(&source, span, "and here");
            }
            continue;
        }
        by_predicate.insert((call.name, call.arity), findings.len());
        let name = m.symbols.name(call.name);
        let message = format!("no predicate `{name}/{}`", call.arity);
        let mut finding = Diagnostic::warning("W0501", message);
        if let Some(instead) = instead_of(name, call.arity) {
            finding = finding.hint(instead);
        } else if let Some(meant) = did_you_mean(m, name, call.arity) {
            finding = finding.hint(format!("did you mean `{meant}`?"));
            let place = place.as_ref().map(|(source, span)| (source, *span));
            finding = renamed(finding, place, (name, call.arity), &meant);
        }
        findings.push(match place {
            Some((source, span)) => finding.at(&source, span, "called here"),
            None => finding,
        });
    }
    findings
}

/// The finding with the change that calls what was perhaps meant, `Name/Arity`, if it takes as many
/// arguments and the goal begins with its name.
fn renamed(
    finding: Diagnostic,
    place: Option<(&Source, Span)>,
    (name, arity): (&str, usize),
    meant: &str,
) -> Diagnostic {
    let Some((source, span)) = place else { return finding };
    let Some(meant) = meant.strip_suffix(&format!("/{arity}")) else { return finding };
    let written = source.text.get(span.start as usize..).unwrap_or_default();
    if !written.starts_with(name) || !is_plain_atom(meant) {
        return finding;
    }
    let end = span.start + name.len() as u32;
    finding.mend(source, Span { end, ..span }, meant).perhaps()
}
