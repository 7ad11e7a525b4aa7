//! Clauses as data: assert, retract, clause, and facts about predicates
//! (ISO 13211-1, 8.8 and 8.9). The library's `database.pl` makes nondeterministic
//! predicates of these.

use super::stream_predicates::emit;
use super::{Entry, OrFault, World, args, rules};
use zug_machine::instr::Instr;
use zug_machine::{
    Clause, ClauseId, ClauseSource, Fault, Kind, MODULES, Machine, Neck, Outcome, PredId, Space,
    compile, database,
};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Record};

/// This group's predicates.
pub const TABLE: &[Entry] = &[
    Entry::session("assert", 1, |m, _, a| assert(m, a[0], true).map(|_| true)),
    Entry::session("assertz", 1, |m, _, a| assert(m, a[0], true).map(|_| true)),
    Entry::session("asserta", 1, |m, _, a| assert(m, a[0], false).map(|_| true)),
    Entry::session("assert", 2, |m, _, a| assert_with_reference(m, a, true)),
    Entry::session("assertz", 2, |m, _, a| assert_with_reference(m, a, true)),
    Entry::session("asserta", 2, |m, _, a| assert_with_reference(m, a, false)),
    Entry::session("retractall", 1, retractall),
    Entry::session("abolish", 1, abolish),
    Entry::session("$erase", 1, erase),
    Entry::pure("$clauses_of", 5, clauses_of),
    Entry::pure("$clause_unify", 3, clause_unify),
    Entry::pure("$clause_written", 4, clause_written),
    Entry::pure("$current_predicates", 2, current_predicates),
    Entry::pure("$predicate_properties", 2, predicate_properties),
    Entry::session("dynamic", 1, |m, _, a| declare(m, a[0], Declaration::Dynamic)),
    Entry::session("discontiguous", 1, |m, _, a| declare(m, a[0], Declaration::Discontiguous)),
    Entry::session("multifile", 1, |m, _, a| declare(m, a[0], Declaration::Multifile)),
    Entry::session("det", 1, |m, _, a| declare(m, a[0], Declaration::Det)),
    Entry::pure("$", 0, |_, _, _| Ok(true)),
    Entry::session("vm_list", 1, vm_list),
    Entry::session("public", 1, |_, _, _| Ok(true)),
    Entry::session("volatile", 1, |_, _, _| Ok(true)),
    Entry::session("module_transparent", 1, |_, _, _| Ok(true)),
];

/// Takes `Module:` off a term.
pub(super) fn strip_module(heap: &Heap, mut cell: Cell) -> Cell {
    cell = heap.deref(cell);
    for _ in 0..MODULES {
        let Some([_, inner]) = heap.match_struct::<2>(cell, atoms::COLON) else { break };
        cell = heap.deref(inner);
    }
    cell
}

/// Takes `Module:` off a term; the space that is meant: that of the module, or the user's.
fn qualified(m: &mut Machine, cell: Cell) -> (Cell, Space) {
    qualified_in(m, cell, Space::User)
}

/// The same, with the space that is meant where no module stands before it.
fn qualified_in(m: &mut Machine, cell: Cell, around: Space) -> (Cell, Space) {
    match m.goal_and_space(cell, around) {
        // Nothing is changed in the system's: the module of a library is no name space.
        (cell, Space::System) => (cell, around),
        named => named,
    }
}

/// Head and body of a clause term; checks that they can be one.
pub fn head_and_body(m: &mut Machine, clause: Cell) -> OrFault<(Cell, Cell)> {
    let clause = strip_module(&m.heap, clause);
    let (head, body) = match m.heap.match_struct::<2>(clause, atoms::NECK) {
        Some([head, body]) => (strip_module(&m.heap, head), m.heap.deref(body)),
        None => (clause, Cell::atom(atoms::TRUE)),
    };
    args::callable(m, head)?;
    Ok((head, body))
}

/// `Name/Arity` on the heap.
pub(super) fn indicator(m: &mut Machine, name: Atom, arity: usize) -> Cell {
    m.heap.new_struct(atoms::SLASH, &[Cell::atom(name), Cell::small(arity as i64)])
}

pub(super) fn no_permission(
    m: &mut Machine,
    action: &str,
    kind: &str,
    name: Atom,
    arity: usize,
) -> Fault {
    let culprit = indicator(m, name, arity);
    m.permission_error(action, kind, culprit)
}

/// The error of changing a predicate that is not dynamic.
fn static_procedure(m: &mut Machine, name: Atom, arity: usize) -> Fault {
    no_permission(m, "modify", "static_procedure", name, arity)
}

/// An error for the standard's own predicates.
pub(super) fn refuse_protected(m: &mut Machine, name: Atom, arity: usize) -> OrFault<()> {
    let system = m.program.lookup(name, arity, Space::System);
    match system.is_some_and(|system| m.program.preds[system as usize].protected) {
        true => Err(static_procedure(m, name, arity)),
        false => Ok(()),
    }
}

/// Largest arity of a predicate.
const MAX_ARITY: usize = 1024;

/// The user's predicate of a head, ready to be changed by assert.
fn dynamic_predicate(m: &mut Machine, name: Atom, arity: usize, space: Space) -> OrFault<PredId> {
    if arity > MAX_ARITY {
        return Err(m.representation_error("max_arity"));
    }
    refuse_protected(m, name, arity)?;
    let pred = m.program.pred(name, arity, space);
    match m.program.preds[pred as usize].kind {
        Kind::Dynamic => {}
        Kind::Undefined => make_dynamic(m, pred),
        _ => return Err(static_procedure(m, name, arity)),
    }
    Ok(pred)
}

/// Makes a predicate dynamic; clauses it has stay.
pub fn make_dynamic(m: &mut Machine, pred: PredId) {
    let clauses = std::mem::take(&mut m.program.preds[pred as usize].clauses);
    m.program.define(pred, Kind::Dynamic, Instr::Dynamic { pred });
    for id in clauses {
        m.program.attach(pred, id, true);
    }
}

/// A clause from its image.
pub fn new_clause(
    m: &Machine,
    pred: PredId,
    record: Record,
    place: Option<Box<ClauseSource>>,
) -> Clause {
    let arity = m.program.preds[pred as usize].arity;
    let mut clause = Clause {
        pred,
        record,
        code: 0,
        code_len: 0,
        born: 0,
        died: u64::MAX,
        key: None,
        place,
        goal_spans: Box::default(),
        other: None,
        neck: Neck::Clause,
    };
    clause.key = database::arg_key(&clause, arity, 0);
    clause
}

/// `assertz(Clause, Reference)` and `asserta(Clause, Reference)`.
fn assert_with_reference(m: &mut Machine, a: &[Cell], at_end: bool) -> Outcome {
    args::unbound(m, a[1])?;
    let id = assert(m, a[0], at_end)?;
    let clause = m.clause_reference(id);
    let reference = args::compound(m, "$clause", &[clause]);
    Ok(m.unify(a[1], reference))
}

/// Adds a clause; its number.
fn assert(m: &mut Machine, clause: Cell, at_end: bool) -> OrFault<ClauseId> {
    let (neck, clause) = rules::as_plain_clause(m, clause);
    let (mut whole, mut space) = qualified(m, clause);
    let around = space;
    if let Some([head, _]) = m.heap.match_struct::<2>(whole, atoms::NECK) {
        whole = head;
    }
    if m.heap.match_struct::<2>(whole, atoms::COLON).is_some() {
        space = qualified_in(m, whole, around).1;
    }
    let (head, mut body) = head_and_body(m, clause)?;
    if around != space {
        // The goals are those of the place that the clause was said in.
        body = m.program.called_body(&mut m.heap, body, around).0;
    } else if m.program.qualifies(space) {
        body = m.program.qualified_body(&mut m.heap, body, space).0;
    }
    let (name, arity, _) = m.heap.name_arity(head).expect("a checked head");
    let term = m.heap.new_struct(atoms::NECK, &[head, body]);
    let record = Record::new(&mut m.heap, term);
    if compile::check_body(&record.cells, record.root.addr() + 2).is_err() {
        return Err(m.type_error("callable", body));
    }
    let pred = dynamic_predicate(m, name, arity, space)?;
    if !m.program.takes_neck(pred, neck) {
        return Err(no_permission(m, "assert", "procedure", name, arity));
    }
    m.program.set_rules(pred, neck.is_rule());
    let mut clause = new_clause(m, pred, record, None);
    clause.neck = neck;
    m.program.generation += 1;
    clause.born = m.program.generation;
    Ok(m.program.add_clause(clause, at_end))
}

fn erase(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    // A clause that is gone was there when the goal began: that is the one that it speaks of (7.5.4).
    if let Some(id) = m.clause_of(a[0]) {
        let pred = m.program.clauses[id as usize].pred;
        m.program.erase(id);
        m.tidy(pred, false);
    }
    Ok(true)
}

/// `'$clauses_of'(Head, Body, Purpose, Plain, Predicate)`: Head without its module, and the number of the
/// predicate whose clauses may be looked at or taken away.
fn clauses_of(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (head, space) = qualified(m, a[0]);
    let (name, arity, _) = args::callable(m, head)?;
    if !a[1].is_var() {
        args::callable(m, a[1])?;
    }
    let modify = a[2] == Cell::atom(atoms::MODIFY);
    if let Some(system) = m.program.lookup(name, arity, Space::System) {
        let predicate = &m.program.preds[system as usize];
        let own = m.program.is_users(name, arity, space);
        if predicate.kind != Kind::Undefined && !own {
            if modify {
                return Err(static_procedure(m, name, arity));
            }
            // Library predicates written as clauses can be looked at.
            if predicate.clauses.is_empty() || predicate.protected {
                return Err(no_permission(m, "access", "private_procedure", name, arity));
            }
        }
    }
    let pred = m.program.pred(name, arity, space);
    let pred = m.program.resolve(pred);
    if modify && m.program.preds[pred as usize].kind == Kind::Static {
        return Err(static_procedure(m, name, arity));
    }
    Ok(m.unify(a[3], head) && m.unify(a[4], Cell::small(i64::from(pred))))
}

/// `'$clause_unify'(Ref, Head, Body)`.
fn clause_unify(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(id) = m.clause_of(a[0]) else { return Ok(false) };
    let head = strip_module(&m.heap, a[1]);
    Ok(m.unify_clause(id, head, a[2]))
}

/// `'$clause_written'(Ref, Head, Body, Term)`: Term is what a clause with this head and body is written as, by the
/// neck of a clause.
fn clause_written(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(id) = m.clause_of(a[0]) else { return Ok(false) };
    let neck = m.program.clauses[id as usize].neck;
    let term = rules::as_written(&mut m.heap, neck, a[1], a[2]);
    Ok(m.unify(a[3], term))
}

fn retractall(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (head, space) = qualified(m, a[0]);
    let (name, arity, args) = args::callable(m, head)?;
    let pred = dynamic_predicate(m, name, arity, space)?;
    let call: Vec<Cell> = (0..arity).map(|i| m.heap.at(args + i)).collect();
    let general = call.iter().enumerate().all(|(i, &cell)| {
        let cell = m.heap.deref(cell);
        cell.is_var() && call[..i].iter().all(|&other| m.heap.deref(other) != cell)
    });
    for id in m.candidate_clauses(pred, &call) {
        let mark = m.heap.top();
        let matches = general || {
            let root = m.program.clauses[id as usize].record.instantiate(&mut m.heap);
            let own = m.heap.at(root.addr() + 1);
            m.unifiable(own, head)
        };
        m.heap.cells.truncate(mark);
        if matches {
            m.program.erase(id);
        }
    }
    m.tidy(pred, false);
    Ok(true)
}

/// Reads `Name/Arity` (or `Name//Arity`), checked as the standard asks.
pub(super) fn indicator_of(m: &mut Machine, cell: Cell) -> OrFault<(Atom, usize)> {
    let cell = strip_module(&m.heap, cell);
    args::bound(m, cell)?;
    let (parts, extra) = match m.heap.match_struct::<2>(cell, atoms::SLASH) {
        Some(parts) => (parts, 0),
        None => match m.heap.match_struct::<2>(cell, atoms::INT_DIVIDE) {
            Some(parts) => (parts, 2),
            None => return Err(m.type_error("predicate_indicator", cell)),
        },
    };
    let [name, arity] = parts.map(|part| m.heap.deref(part));
    if name.is_var() || arity.is_var() {
        return Err(m.instantiation_error());
    }
    let Some(atom) = name.as_atom() else { return Err(m.type_error("atom", name)) };
    let Some(number) = arity.as_int() else { return Err(m.type_error("integer", arity)) };
    if number < 0 {
        return Err(m.domain_error("not_less_than_zero", arity));
    }
    let number = number as usize + extra;
    if number > MAX_ARITY {
        return Err(m.representation_error("max_arity"));
    }
    Ok((atom, number))
}

#[derive(Clone, Copy, PartialEq)]
enum Declaration {
    Dynamic,
    Discontiguous,
    Multifile,
    Det,
}

/// A declaration of indicators: one, a list, or joined by commas.
fn declare(m: &mut Machine, spec: Cell, what: Declaration) -> Outcome {
    let mut todo = vec![(spec, Space::User, false)];
    while let Some((spec, around, incremental)) = todo.pop() {
        let (spec, space) = qualified_in(m, spec, around);
        if spec == Cell::NIL {
            continue;
        }
        if let Some([first, rest]) = m.heap.match_struct::<2>(spec, atoms::COMMA) {
            todo.extend([(rest, space, incremental), (first, space, incremental)]);
            continue;
        }
        if spec.is_list() {
            todo.extend([1, 0].map(|i| (m.heap.at(spec.addr() + i), space, incremental)));
            continue;
        }
        let as_name = m.symbols.intern("as");
        if let Some([inner, options]) = m.heap.match_struct::<2>(spec, as_name) {
            let incremental = incremental || names_option(m, options, "incremental");
            todo.push((inner, space, incremental));
            continue;
        }
        let (name, arity) = indicator_of(m, spec)?;
        refuse_protected(m, name, arity)?;
        let pred = m.program.own(name, arity, space).pred;
        match what {
            Declaration::Dynamic => {
                if m.program.preds[pred as usize].kind != Kind::Dynamic {
                    make_dynamic(m, pred);
                }
                if incremental {
                    m.program.set_incremental(pred);
                }
            }
            Declaration::Det => m.program.set_det(pred, true),
            Declaration::Discontiguous => m.program.preds[pred as usize].discontiguous = true,
            Declaration::Multifile => {
                m.program.preds[pred as usize].multifile = true;
                m.program.preds[pred as usize].discontiguous = true;
            }
        }
    }
    Ok(true)
}

/// Whether an option is one of those in a conjunction.
fn names_option(m: &mut Machine, options: Cell, name: &str) -> bool {
    let wanted = Cell::atom(m.symbols.intern(name));
    let mut rest = m.heap.deref(options);
    while let Some([first, others]) = m.heap.match_struct::<2>(rest, atoms::COMMA) {
        if m.heap.deref(first) == wanted {
            return true;
        }
        rest = m.heap.deref(others);
        zug_term::watchdog::step();
    }
    rest == wanted
}

fn abolish(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (spec, space) = qualified(m, a[0]);
    let (name, arity) = indicator_of(m, spec)?;
    refuse_protected(m, name, arity)?;
    let Some(pred) = m.program.lookup(name, arity, space) else { return Ok(true) };
    match m.program.preds[pred as usize].kind {
        Kind::Dynamic => {
            for id in m.program.live_clauses(pred) {
                m.program.erase(id);
            }
            m.tidy(pred, false);
            m.program.define(pred, Kind::Undefined, Instr::Undefined { pred });
        }
        Kind::Undefined => {}
        _ => return Err(static_procedure(m, name, arity)),
    }
    Ok(true)
}

/// `'$current_predicates'(Indicator, List)`: the program's predicates that match.
fn current_predicates(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let bare = m.heap.match_struct::<2>(a[0], atoms::COLON).is_none();
    let (wanted, space) = qualified(m, a[0]);
    let (mut name, mut arity) = (None, None);
    if !wanted.is_var() {
        let Some([n, k]) = m.heap.match_struct::<2>(wanted, atoms::SLASH) else {
            return Err(m.type_error("predicate_indicator", wanted));
        };
        let (n, k) = (m.heap.deref(n), m.heap.deref(k));
        if !(n.is_var() || n.is_atom()) || !(k.is_var() || k.is_int()) {
            return Err(m.type_error("predicate_indicator", wanted));
        }
        if k.as_int().is_some_and(|arity| arity < 0) {
            return Err(m.domain_error("not_less_than_zero", k));
        }
        (name, arity) = (n.as_atom(), k.as_int());
    }
    let matches = |id: PredId, pred: &zug_machine::program::Predicate| {
        let is_seen = pred.space == space
            || pred.space == Space::User && !bare
            || m.program.lookup(pred.name, pred.arity, space) == Some(id);
        is_seen
            && name.is_none_or(|name| name == pred.name)
            && arity.is_none_or(|arity| arity == pred.arity as i64)
            && !m.symbols.name(pred.name).starts_with('$')
            // One without clauses is there if it was declared.
            && (pred.kind == Kind::Dynamic
                || pred.discontiguous
                || pred.kind != Kind::Undefined && !m.program.live_clauses(id).is_empty())
    };
    let found = (0..).zip(&m.program.preds).filter(|(id, pred)| matches(*id, pred));
    let found: Vec<(Atom, usize)> = found.map(|(_, pred)| (pred.name, pred.arity)).collect();
    let cells: Vec<Cell> =
        found.into_iter().map(|(name, arity)| indicator(m, name, arity)).collect();
    Ok(args::unify_list(m, a[1], &cells))
}

/// `'$predicate_properties'(Head, Properties)`.
fn predicate_properties(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (head, asked) = qualified(m, a[0]);
    let (name, arity, _) = args::callable(m, head)?;
    let known = m.program.find(name, arity, asked);
    let mut properties: Vec<Cell> = Vec::new();
    if let Some(id) = known
        && m.program.preds[id as usize].kind != Kind::Undefined
    {
        let predicate = &m.program.preds[id as usize];
        let (kind, space) = (predicate.kind, predicate.space);
        let (is_dynamic, is_system) = (kind == Kind::Dynamic, space == Space::System);
        let names = [
            ("defined", true),
            ("visible", true),
            (if is_dynamic { "dynamic" } else { "static" }, true),
            ("tabled", m.program.is_tabled(id)),
            ("det", m.program.is_det(id)),
            ("ssu", predicate.rules.is_some()),
            ("discontiguous", predicate.discontiguous),
            ("multifile", predicate.multifile),
            (if predicate.protected { "iso" } else { "library" }, is_system),
            ("built_in", is_system),
            ("system", is_system),
            ("exported", m.program.is_exported(id)),
        ];
        let names = names.into_iter().filter_map(|(name, has)| has.then_some(name));
        let foreign = m.program.modules.get(space).is_some() && space != asked;
        properties.extend(names.map(|name| Cell::atom(m.symbols.intern(name))));
        if space == Space::System
            && let Some(goals) = zug_machine::goal_arguments(m.symbols.name(name), arity)
        {
            let mut modes = vec![args::atom_cell(m, "?"); arity];
            for &(at, further) in goals {
                modes[at] = Cell::small(further as i64);
            }
            let head = m.heap.new_struct(name, &modes);
            properties.push(args::compound(m, "meta_predicate", &[head]));
        }
        if foreign {
            let module = Cell::atom(m.program.modules.name_of(space));
            properties.push(args::compound(m, "imported_from", &[module]));
        }
        if space.is_users() {
            let count = Cell::small(m.program.live_clauses(id).len() as i64);
            properties.push(args::compound(m, "number_of_clauses", &[count]));
        }
    }
    Ok(args::unify_list(m, a[1], &properties))
}

/// `vm_list(Name/Arity)`: writes the machine code of a predicate.
fn vm_list(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (name, arity) = indicator_of(m, a[0])?;
    let pred = m.program.pred(name, arity, Space::User);
    let pred = m.program.resolve(pred);
    for id in m.program.live_clauses(pred) {
        if m.program.clauses[id as usize].code == 0 {
            compile::compile_clause(m, id)?;
        }
    }
    let text = compile::disassemble(&m.program, &m.symbols, pred);
    let output = w.streams.current_output;
    emit(m, w, output, &text)
}
