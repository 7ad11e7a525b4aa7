//! All entries, and looking them up.

use super::entries::{Entry, parse};
use crate::columns::filled;
use crate::language::library;
use zug_prolog::LibraryText;
use zug_search::game::{GameEngineInfo, game_engines};
use zug_search::options::{LIMITS, PARAMETERS};
use zug_search::{EngineInfo, Guarantee, engines};

/// Where the entries of engines come from.
const ENGINES: &str = "an engine";

/// All that is written about the predicates of the system and of rule files.
pub struct Book {
    /// The entries: of the contract, of engines, of the library, of built-ins.
    pub entries: Vec<Entry>,
}

/// The entries of the contract's predicates.
pub fn contract_entries() -> Vec<Entry> {
    parse(include_str!("contract.pl"), "what a rule file has")
}

/// The book of the language.
impl Default for Book {
    fn default() -> Book {
        let mut entries = contract_entries();
        entries.extend(engines().map(engine_entry));
        for LibraryText { name, text, .. } in library() {
            entries.extend(parse(text, name));
        }
        entries.extend(parse(include_str!("reference.pl"), "built in"));
        Book { entries }
    }
}

impl Book {
    /// The entries about a name, or about a predicate of that name.
    pub fn about(&self, name: &str, arity: Option<usize>) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.is_for(name, arity))
    }

    /// The names there are, each once, sorted.
    pub fn names(&self) -> Vec<&str> {
        let heads = self.entries.iter().flat_map(|entry| &entry.heads);
        let mut names: Vec<&str> = heads.map(|head| head.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// What the registry says of an engine, as an entry about its predicates.
fn engine_entry(info: &EngineInfo) -> Entry {
    let name = info.name;
    let header = format!(
        "%! {name}(-Path, -Cost), {name}(?S0, -Path, -Cost), {name}(?S0, -Path, -Cost, +Options)"
    );
    let mut entry = parse(&header, ENGINES).remove(0);
    entry.words.push(format!("{}: {}.", info.title, info.summary));
    entry.words.push(
        "Path lists the names of the moves from S0, by default an initial state, to a".into(),
    );
    entry.words.push(
        "final state, Cost is what they cost. Fails if it is proved that there is none.".into(),
    );
    let mut options = String::from("Options: ");
    if info.informed {
        options += "heuristic(Name), ";
    }
    let parameters = PARAMETERS.iter().map(|row| row.info());
    for about in parameters.filter(|about| info.parameters.contains(&about.name)) {
        options += &format!("{}, ", about.in_list());
    }
    let limits: Vec<String> = LIMITS.iter().map(|row| row.info().in_list()).collect();
    options += &format!("states(Ss), stats(S), {}.", limits.join(", "));
    entry.words.extend(filled(options.split(' '), " ", 0, COLUMNS));
    entry.words.extend(facts(info));
    entry
}

/// Columns of the lines of an entry.
const COLUMNS: usize = 80;

/// What is known of a puzzle's engine, line by line.
pub fn facts(info: &EngineInfo) -> Vec<String> {
    let plan = match info.guarantee {
        Guarantee::Cheapest => "a cheapest one, if the heuristic never says too much",
        Guarantee::Factor => "dearer than the cheapest by the factor `weight` at most",
        Guarantee::FewestMoves => "one of fewest moves",
        Guarantee::None => "any",
    };
    let plan = match (info.guarantee, info.informed) {
        (Guarantee::Cheapest, false) => "a cheapest one",
        _ => plan,
    };
    let complete = match info.complete {
        true => "finds a plan wherever there is one, in a finite space",
        false => "may miss a plan",
    };
    let heuristic = if info.informed { "needs a heuristic" } else { "uses no heuristic" };
    vec![
        format!("The plan is {plan}. It {complete}, and {heuristic}."),
        format!("After {}.", info.reference),
        format!("See docs/engines/{}.md.", info.name),
    ]
}

/// What the registry says of a game engine, line by line.
pub fn game_facts(info: &GameEngineInfo) -> Vec<String> {
    let chance = if info.chance { ", with dice or without" } else { ", without dice" };
    vec![
        format!("{}, for {}{chance}: {}.", info.title, info.players.words(), info.summary),
        format!("After {}.", info.reference),
        format!("See docs/engines/{}.md.", info.name),
    ]
}

pub fn game_engine(name: &str) -> Option<&'static GameEngineInfo> {
    game_engines().find(|info| info.name == name)
}
