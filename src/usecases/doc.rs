//! `doc`: what a rule file says about itself: its comments, the parts of the contract that it
//! has, its instances, the engines that can take it.

use super::{Failure, choose_instances, load};
use std::path::Path;
use zug_domain::{Contract, DomainKind, PREDICATES};
use zug_machine::{ClauseId, Machine, PredId, Space};
use zug_prolog::session::Session;
use zug_search::{engines, game::game_engines};
use zug_term::Record;
use zug_term::source::Source;
use zug_tools::check;
use zug_tools::manual::{comments, contract_entries};

/// Instances that are shown; the others are named.
pub const SHOWN: usize = 6;

/// What there is to say about a rule file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file, as it was named.
    pub file: String,
    /// The comment at its head, line by line.
    pub heading: Vec<String>,
    /// The kind of program.
    pub kind: DomainKind,
    /// Its predicates of the contract, in the order of the contract.
    pub contract: Vec<PredicateDoc>,
    /// The others, in the order of the file.
    pub own: Vec<PredicateDoc>,
    /// The first instances by name; the only one may have none.
    pub instances: Vec<(String, Record)>,
    /// The names of the instances behind them.
    pub others: Vec<String>,
    /// Names of heuristics, the default first.
    pub heuristics: Vec<String>,
    /// The engines that apply, and what they find.
    pub engines: Vec<(&'static str, &'static str)>,
}

/// A predicate of the file.
#[derive(Clone, Debug)]
pub struct PredicateDoc {
    /// Name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// What it means to the engines, if it is one of the contract.
    pub meaning: Vec<String>,
    /// The comment right above its first clause, line by line.
    pub comment: Vec<String>,
    /// The file it is in, if that is not the documented one: a file that was included.
    pub elsewhere: Option<String>,
    /// The line of its first clause.
    pub line: u32,
    /// How many clauses it has.
    pub count: usize,
    /// Its clauses, as they are written.
    pub clauses: String,
}

impl PredicateDoc {
    /// `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }
}

/// Loads a rule file and collects what it says.
///
/// # Errors
/// See [`Failure`]; a file with errors in it has no document.
pub fn document(session: &mut Session, file: &Path) -> Result<Document, Failure> {
    let findings = load(session, file)?;
    let checked = check::program(session, findings);
    let contract = Contract::of(&session.machine);
    let mut instances: Vec<(String, Record)> = match checked.kind {
        DomainKind::Program | DomainKind::Model => Vec::new(),
        DomainKind::Simultaneous if contract.initial.or(contract.named_initial).is_none() => {
            Vec::new()
        }
        // A start that is missing or raises an error is for `check` to complain about.
        _ => choose_instances(session, &contract, None)
            .unwrap_or_default()
            .into_iter()
            .map(|named| {
                (if named.named { named.name } else { String::new() }, named.instance.state)
            })
            .collect(),
    };
    let others = instances.split_off(instances.len().min(SHOWN));
    let name = file.display().to_string();
    let (m, w) = (&session.machine, &session.world);
    let source = w.loader.sources.iter().find(|source| *source.name == *name);
    let mut all = described(m, &w.loader.sources, &name);
    let place = |one: &PredicateDoc| {
        PREDICATES.iter().position(|p| p.name == one.name && p.arity == one.arity)
    };
    let (mut of_contract, own): (Vec<_>, Vec<_>) =
        all.drain(..).partition(|one| place(one).is_some() && checked.kind != DomainKind::Program);
    of_contract.sort_by_key(place);
    let entries = contract_entries();
    for one in &mut of_contract {
        let entry = entries.iter().find(|entry| entry.is_for(&one.name, Some(one.arity)));
        one.meaning = entry.map(|entry| entry.words.clone()).unwrap_or_default();
    }
    let fits = checked.engines.iter().filter(|engine| engine.missing.is_empty());
    Ok(Document {
        heading: source.map(|source| comments::heading(&source.text)).unwrap_or_default(),
        file: name,
        kind: checked.kind,
        contract: of_contract,
        own,
        instances,
        others: others.into_iter().map(|(name, _)| name).collect(),
        heuristics: checked.heuristics,
        engines: fits.map(|fit| (fit.engine, summary(fit.engine))).collect(),
    })
}

fn summary(name: &str) -> &'static str {
    let plans = engines().map(|engine| (engine.name, engine.summary));
    let mut all = plans.chain(game_engines().map(|engine| (engine.name, engine.summary)));
    all.find(|(engine, _)| *engine == name).map_or("", |(_, summary)| summary)
}

/// The predicates that were read from texts, in the order of these.
fn described(m: &Machine, sources: &[Source], file: &str) -> Vec<PredicateDoc> {
    let users = (0..).zip(&m.program.preds).filter(|(_, one)| one.space == Space::User);
    let mut starts: Vec<(u32, u32, PredId)> = users
        .flat_map(|(id, _)| places(m, id).into_iter().map(move |place| (place.0, place.1, id)))
        .collect();
    starts.sort_unstable();
    let mut found: Vec<((u32, u32), PredicateDoc)> = Vec::new();
    for (id, predicate) in (0..).zip(&m.program.preds) {
        if predicate.space != Space::User {
            continue;
        }
        let places = places(m, id);
        let Some(&(source, start, _)) = places.first() else { continue };
        let text = &sources[source as usize];
        found.push((
            (source, start),
            PredicateDoc {
                name: m.symbols.name(predicate.name).to_owned(),
                arity: predicate.arity,
                meaning: Vec::new(),
                comment: comments::above(&text.text, start as usize),
                elsewhere: (*text.name != *file).then(|| text.name.to_string()),
                line: text.position(start).line,
                count: places.len(),
                clauses: clauses(sources, &starts, id, &places),
            },
        ));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, one)| one).collect()
}

/// Source, start and end of each clause that was read from a text.
fn places(m: &Machine, id: PredId) -> Vec<(u32, u32, u32)> {
    let place = |clause: ClauseId| m.program.clauses[clause as usize].place.as_ref();
    let clauses = m.program.live_clauses(id);
    let read = clauses.into_iter().filter_map(place);
    read.map(|place| (place.source, place.span.start, place.span.end)).collect()
}

/// The clauses as they are written, with the comments between them if nothing else is there.
fn clauses(
    sources: &[Source],
    starts: &[(u32, u32, PredId)],
    id: PredId,
    places: &[(u32, u32, u32)],
) -> String {
    let (first, last) = (places[0], places[places.len() - 1]);
    let from = starts.partition_point(|start| (start.0, start.1) < (first.0, first.1));
    let between = starts[from..].iter().take_while(|start| (start.0, start.1) <= (last.0, last.1));
    let together = first.0 == last.0
        && between.clone().count() == places.len()
        && between.clone().all(|start| start.2 == id);
    let slice = |source: u32, start: u32, end: u32| {
        let text = &sources[source as usize].text;
        let text = text.get(start as usize..end as usize).unwrap_or_default().trim_end();
        if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
    };
    if together {
        return slice(first.0, first.1, last.2);
    }
    let texts: Vec<String> = places.iter().map(|&(s, a, b)| slice(s, a, b)).collect();
    texts.join("\n")
}
