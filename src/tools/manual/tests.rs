use super::Book;
use zug_domain::PREDICATES;
use zug_machine::{Kind, Space};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::Session;

/// The public predicates of the system.
fn public(session: &Session) -> Vec<(String, usize)> {
    let m = &session.machine;
    let defined =
        m.program.preds.iter().filter(|predicate| {
            predicate.space == Space::System && predicate.kind != Kind::Undefined
        });
    let mut found: Vec<(String, usize)> = defined
        .map(|predicate| (m.symbols.name(predicate.name).to_owned(), predicate.arity))
        .filter(|(name, _)| !name.starts_with('$'))
        .collect();
    found.sort();
    found
}

#[test]
fn every_public_predicate_is_described() {
    let (session, _) = crate::language::captured("");
    let book = Book::default();
    let described = |name: &str, arity| {
        book.about(name, Some(arity)).any(|entry| entry.words.iter().any(|line| line.len() > 3))
    };
    let mut missing: Vec<String> = public(&session)
        .into_iter()
        .chain(PREDICATES.iter().map(|predicate| (predicate.name.to_owned(), predicate.arity)))
        .filter(|(name, arity)| !described(name, *arity))
        .map(|(name, arity)| format!("{name}/{arity}"))
        .collect();
    missing.dedup();
    assert!(missing.is_empty(), "{} without a description: {}", missing.len(), missing.join(" "));
}

#[test]
fn every_description_is_of_a_predicate() {
    let (session, _) = crate::language::captured("");
    let public = public(&session);
    // Compiled in place, or syntax alone.
    let control =
        [(",", 2), (";", 2), ("->", 2), ("*->", 2), ("|", 2), ("!", 0), ("$", 0), ("$", 1)];
    let contract: Vec<(&str, usize)> = PREDICATES.iter().map(|p| (p.name, p.arity)).collect();
    let book = Book::default();
    for head in book.entries.iter().flat_map(|entry| &entry.heads) {
        let found = public.iter().any(|(name, arity)| head.is_for(name, *arity))
            || contract.contains(&(head.name.as_str(), head.arity))
            || control.contains(&(head.name.as_str(), head.arity));
        assert!(found, "`{}` describes nothing", head.text);
    }
}

/// The queries among the lines of an example, each with what stands below it.
fn queries(lines: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("?-"), found.last_mut()) {
            (Some(query), _) => found.push((query.trim().to_owned(), Vec::new())),
            (None, Some((query, _))) if !query.ends_with('.') => {
                query.push(' ');
                query.push_str(line);
            }
            (None, Some((_, below))) => below.push(line.to_owned()),
            (None, None) => unreachable!("examples begin with a query"),
        }
    }
    found
}

/// A session with a predicate for answers: each variable is what it is said to be.
fn with_holds() -> (Session, SharedBuffer) {
    let (mut session, output) = crate::language::captured("");
    // Examples of constraints are written with their operators.
    let rules = ":- use_module(library(clpfd)). '$holds'((A, B)) :- !, '$holds'(A), '$holds'(B). '$holds'(V = T) :- V =@= T.";
    session.load_text("holds", rules);
    (session, output)
}

/// Why an example is wrong: what its first answer is.
fn fault(
    session: &mut Session,
    output: &SharedBuffer,
    query: &str,
    below: &[String],
) -> Option<String> {
    let goal = query.trim_end_matches('.');
    output.take();
    // What the query writes stands above its answer.
    let answer = below.iter().rposition(|line| !line.ends_with([',', '.'])).map_or(0, |at| at + 1);
    let said = below[answer..].join(" ");
    let said = said.trim_end_matches('.');
    let both = match said {
        "" | "true" | "false" => goal.to_owned(),
        said => format!("{goal}, '$holds'(({said}))"),
    };
    let Ok(mut asked) = session.query(&both) else { return Some("it can't be read".to_owned()) };
    let first = session.next(&mut asked).ok();
    let shown = session.answer(&asked);
    let _ = session.world.streams.end_query();
    let written = output.take();
    session.close(asked);
    let wanted = Some(said != "false");
    let lines: Vec<&str> = written.lines().map(str::trim).collect();
    match () {
        () if first != wanted => Some(format!("is {first:?}, {shown}")),
        () if answer > 0 && lines != below[..answer] => Some(format!("it writes {written:?}")),
        () => None,
    }
}

#[test]
fn examples_are_as_they_say() {
    // They ask the rules that are loaded.
    let of_rules = ["library(engines)", "library(games)", "library(simultaneous)", "library(why)"];
    // They need files or input, or number variables.
    let not_run =
        ["read_file_to_codes", "read_file_to_string", "read_file_to_terms", "readln", "print"];
    let mut wrong = Vec::new();
    let mut run = 0;
    let (mut session, mut output) = with_holds();
    let mut origin = String::new();
    for entry in Book::default().entries {
        let name = entry.heads[0].name.as_str();
        if of_rules.contains(&entry.origin.as_str()) || not_run.contains(&name) {
            continue;
        }
        let changes = entry.examples.iter().any(|line| line.contains("assert"));
        if entry.origin != origin || changes {
            (session, output) = with_holds();
            origin.clone_from(&entry.origin);
        }
        for (query, below) in queries(&entry.examples) {
            run += 1;
            if let Some(fault) = fault(&mut session, &output, &query, &below) {
                wrong
                    .push(format!("{}: ?- {query}\n  {fault}; not {below:?}", entry.heads[0].text));
            }
        }
    }
    assert!(run > 300, "{run} examples");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
