//! `help/0`, `help/1`, `apropos/1`.

use super::book::{Book, game_engine, game_facts};
use super::comments;
use super::entries::{Entry as Words, sentence};
use crate::check::user_predicates;
use crate::columns;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use zug_machine::{Fault, Kind, Machine, Outcome, PredId};
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::builtins::{Entry, World, put_text};
use zug_term::spelling::distance;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("help", 0, help_on_help),
    Entry::session("help", 1, help),
    Entry::session("apropos", 1, apropos),
];

/// What `help.` says.
const HELP: &str = "\
help(append/3).    what a predicate does: of the system, or of your files with its comment
help(append).      all predicates of that name
help(rule/4).      what a predicate of a rule file means to the engines
help(astar).       an engine
apropos(list).     all whose name or description has this text
Commands of the prompt: `:help`, `:commands`. From the shell: `zug --help`, `zug tutorial`.
";

/// Columns of explanations, without their indentation.
const WIDTH: usize = 92;
/// Their indentation.
const INDENT: usize = 4;
/// Names shown where one was not found.
const SUGGESTIONS: usize = 5;

/// What is asked about.
struct Topic {
    name: String,
    arity: Option<usize>,
}

impl Topic {
    fn text(&self) -> String {
        match self.arity {
            Some(arity) => format!("{}/{arity}", self.name),
            None => self.name.clone(),
        }
    }

    fn fits(&self, name: &str, arity: usize) -> bool {
        self.name == name && self.arity.is_none_or(|asked| asked == arity)
    }
}

fn help_on_help(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    tell(m, w, HELP)
}

/// Writes an explanation: no wider than the terminal, if it is there that it goes.
fn tell(m: &mut Machine, w: &mut World, text: &str) -> Outcome {
    if w.streams.current_output == USER_OUTPUT {
        return put_text(m, w, &columns::fitted(text));
    }
    put_text(m, w, text)
}

/// `help(Topic)`: Topic is a name, `Name/Arity`, `Name//Arity`, or a goal.
fn help(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let topic = topic(m, a[0])?;
    let text = explain(m, w, &topic);
    tell(m, w, &text)
}

fn topic(m: &mut Machine, cell: Cell) -> Result<Topic, Fault> {
    let name = match m.heap.value(cell) {
        Value::Var(_) => return Err(m.instantiation_error()),
        Value::Atom(name) => Some(m.symbols.name(name)),
        Value::Str(text) => Some(text),
        _ => None,
    };
    if let Some(name) = name {
        return Ok(Topic { name: name.to_owned(), arity: None });
    }
    let Some((name, arity, args)) = m.heap.name_arity(cell) else {
        return Err(m.type_error("predicate_indicator", cell));
    };
    let functor = m.symbols.name(name).to_owned();
    if arity == 2 && (functor == "/" || functor == "//") {
        let (name, count) = (m.heap.deref(m.heap.at(args)), m.heap.deref(m.heap.at(args + 1)));
        let extra = if functor == "//" { 2 } else { 0 };
        if let Some(name) = name.as_atom() {
            let name = m.symbols.name(name).to_owned();
            let count = count.as_int().and_then(|count| usize::try_from(count).ok());
            return Ok(Topic { name, arity: count.map(|count| count + extra) });
        }
    }
    Ok(Topic { name: functor, arity: Some(arity) })
}

/// All that there is to say.
fn explain(m: &Machine, w: &World, topic: &Topic) -> String {
    let book = Book::default();
    let mut parts: Vec<String> = Vec::new();
    if let Some(info) = game_engine(&topic.name).filter(|_| topic.arity.is_none()) {
        parts.push(paragraph(&format!("the engine {}", info.name), &game_facts(info)));
    }
    for id in user_predicates(m) {
        let predicate = &m.program.preds[id as usize];
        if topic.fits(m.symbols.name(predicate.name), predicate.arity) {
            parts.push(of_user(m, w, id));
        }
    }
    parts.extend(book.about(&topic.name, topic.arity).map(of_system));
    if parts.is_empty() {
        return unknown(m, &book, topic);
    }
    parts.join("\n")
}

fn paragraph(title: &str, lines: &[String]) -> String {
    let mut text = format!("{title}\n");
    for line in lines.iter().flat_map(|line| wrap(line)) {
        let indent = if line.is_empty() { "" } else { "    " };
        let _ = writeln!(text, "{indent}{line}");
    }
    text
}

/// A line in pieces that fit a terminal; one that begins with blanks stays as it is.
fn wrap(line: &str) -> Vec<String> {
    let width = columns::most(WIDTH + INDENT) - INDENT;
    if line.chars().count() <= width || line.starts_with(' ') {
        return vec![line.to_owned()];
    }
    columns::filled(line.split(' '), " ", 0, width)
}

fn of_system(entry: &Words) -> String {
    let heads: Vec<&str> = entry.heads.iter().map(|head| head.text.as_str()).collect();
    let mut lines = entry.words.clone();
    if !entry.examples.is_empty() {
        lines.push(String::new());
        lines.extend(entry.examples.iter().cloned());
    }
    let mut text = paragraph(&heads.join("\n"), &lines);
    let _ = writeln!(text, "    ({})", entry.origin);
    text
}

/// A predicate of the program: its comment, its place, how many clauses.
fn of_user(m: &Machine, w: &World, id: PredId) -> String {
    let indicator = m.program.indicator(id, &m.symbols);
    let clauses = m.program.live_clauses(id);
    let count = match clauses.len() {
        1 => "1 clause".to_owned(),
        count => format!("{count} clauses"),
    };
    let place = clauses.first().and_then(|&first| m.program.clauses[first as usize].place.as_ref());
    let Some(place) = place else {
        return paragraph(&indicator, &[format!("of your program: {count}")]);
    };
    let source = &w.loader.sources[place.source as usize];
    let mut lines = comments::above(&source.text, place.span.start as usize);
    let line = source.position(place.span.start).line;
    lines.push(format!("({}:{line}, {count})", source.name));
    paragraph(&indicator, &lines)
}

/// What was perhaps meant.
fn unknown(m: &Machine, book: &Book, topic: &Topic) -> String {
    let mut text = format!("nothing is known of `{}`", topic.text());
    let arities: Vec<String> = book
        .about(&topic.name, None)
        .flat_map(|entry| &entry.heads)
        .filter(|head| head.name == topic.name)
        .map(|head| format!("`{}`", head.indicator()))
        .collect();
    let near = if arities.is_empty() { near(m, book, &topic.name) } else { arities };
    match near.is_empty() {
        true => text += "; `apropos(Text)` looks for a text in names and descriptions\n",
        false => {
            let _ = writeln!(text, "; did you mean {}?", near.join(" or "));
        }
    }
    text
}

/// Names a few letters away, the nearest first.
fn near(m: &Machine, book: &Book, name: &str) -> Vec<String> {
    let own = m.program.preds.iter().filter(|predicate| predicate.kind != Kind::Undefined);
    let mut names: Vec<&str> = own.map(|predicate| m.symbols.name(predicate.name)).collect();
    names.extend(book.names());
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter(|known| !known.starts_with('$'))
        .filter_map(|known| Some((distance(known, name)?, known)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(SUGGESTIONS).map(|(_, known)| format!("`{known}`")).collect()
}

/// `apropos(Text)`: a table of what has the text in its name or its description.
fn apropos(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let sought = match m.heap.value(a[0]) {
        Value::Var(_) => return Err(m.instantiation_error()),
        Value::Atom(name) => m.symbols.name(name).to_lowercase(),
        Value::Str(text) => text.to_lowercase(),
        _ => return Err(m.type_error("text", a[0])),
    };
    let rows = matching(m, w, &sought);
    let mut text = String::new();
    let width = rows.keys().map(|(_, name)| name.chars().count()).max().unwrap_or(0).min(32);
    for ((_, name), summary) in &rows {
        let _ = writeln!(text, "{name:<width$}  {summary}");
    }
    if rows.is_empty() {
        text = format!("`{sought}` is in no name and no description\n");
    }
    tell(m, w, &text)
}

/// Indicators with what they are in a sentence: those with the text in their name first.
fn matching(m: &Machine, w: &World, sought: &str) -> BTreeMap<(bool, String), String> {
    let mut rows = BTreeMap::new();
    let mut add = |name: &str, indicator: String, summary: String| {
        let in_name = name.to_lowercase().contains(sought);
        if in_name || summary.to_lowercase().contains(sought) {
            rows.entry((!in_name, indicator)).or_insert(summary);
        }
    };
    for id in user_predicates(m) {
        let name = m.symbols.name(m.program.preds[id as usize].name);
        let place = m.program.live_clauses(id).first().copied();
        let place = place.and_then(|first| m.program.clauses[first as usize].place.as_ref());
        let words = place.map(|place| {
            let text = &w.loader.sources[place.source as usize].text;
            sentence(&comments::above(text, place.span.start as usize))
        });
        let words = words.filter(|words| !words.is_empty());
        let indicator = m.program.indicator(id, &m.symbols);
        add(name, indicator, words.unwrap_or_else(|| "of your program".to_owned()));
    }
    for entry in &Book::default().entries {
        for head in &entry.heads {
            add(&head.name, head.indicator(), entry.summary());
        }
    }
    for info in zug_search::game::game_engines() {
        add(info.name, info.name.to_owned(), format!("the engine: {}", info.summary));
    }
    rows
}
