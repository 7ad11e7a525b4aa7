//! Options of goals that the prompt answers itself, as `play(Options)`: terms read by tables, and
//! what is wrong with them in words.

use zug_domain::options::{AT_THE_PROMPT, OptionError};
use zug_options::{Kind, Named, OptionInfo, Table};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_term::spelling::nearest;
use zug_term::{Cell, Record};

/// Puts the options of a list, or a single one, where a table says. `what` has them.
///
/// # Errors
/// What is wrong with them.
pub fn take_options<U>(
    session: &mut Session,
    options: Cell,
    what: &str,
    table: &Table<U, Cell>,
    to: &mut U,
) -> Result<(), String> {
    let items = session.machine.heap.proper_list(options).unwrap_or_else(|| vec![options]);
    let mut given: Vec<&OptionInfo> = Vec::new();
    for item in items {
        let taken = AT_THE_PROMPT.take(&mut session.machine, &session.world, item, table, to);
        let taken = taken.map_err(|wrong| words(session, wrong, what, table))?;
        let excludes = |one: &OptionInfo, other: &OptionInfo| one.conflicts.contains(&other.name);
        let other = given.iter().find(|other| excludes(taken, other) || excludes(other, taken));
        if let Some(other) = other {
            return Err(format!(
                "`{}` and `{}` can't be given together",
                other.atom(),
                taken.atom()
            ));
        }
        given.push(taken);
    }
    Ok(())
}

/// Calls with values, for queries whose options have none.
const CALLS: [(&str, &str); 4] = [
    ("solve/1", "; write `solve([])`, or `solve([engine(astar)])`"),
    ("play/1", "; write `play([])`, or `play([seed(1)])`"),
    ("train/1", "; write `train([])`, or `train([games(1000)])`"),
    ("tree/2", "; write `tree(moves, [])`, or `tree(moves, [depth(3)])`"),
];

/// What is wrong, in words.
fn words<U>(
    session: &mut Session,
    wrong: OptionError,
    what: &str,
    table: &Table<U, Cell>,
) -> String {
    match wrong {
        OptionError::Unbound => {
            let call = CALLS.iter().find(|(of, _)| what.starts_with(of));
            let call = call.map_or("", |(_, call)| call);
            format!("an option of {what} has no value yet{call}")
        }
        OptionError::Type(kind, value) => format!("`{}` is no {kind}", shown(session, value)),
        OptionError::Unknown(item) => {
            let name = match session.machine.heap.name_arity(item) {
                Some((name, 1, _)) => session.machine.symbols.name(name).to_owned(),
                _ => shown(session, item),
            };
            no_option(&name, what, table)
        }
        OptionError::Value(item, info, out) => match out.why {
            Some(why) => why,
            None if !info.wants.is_empty() => {
                format!("`{}`: {}", shown(session, item), info.wants)
            }
            None => format!("`{}` wants {}", shown(session, item), wanted(info)),
        },
    }
}

/// What the value of an option is.
fn wanted(info: &OptionInfo) -> String {
    match info.kind {
        Kind::Flag => "`true` or `false`, or nothing".to_owned(),
        Kind::Integers(count) => format!("{count} whole numbers"),
        Kind::Word(words) => {
            let words: Vec<String> = words.iter().map(|(word, _)| word.replace('-', "_")).collect();
            format!("one of {}", words.join(", "))
        }
        Kind::Names | Kind::Text | Kind::TermText | Kind::File | Kind::Pair | Kind::Term => {
            "a value".to_owned()
        }
        _ => "a number".to_owned(),
    }
}

/// That a word is no option, and which one was meant: one that is nearly written so, or all that
/// there are.
fn no_option(word: &str, what: &str, table: &dyn Named) -> String {
    let name = word.split('(').next().unwrap_or(word);
    let known = table.infos();
    let names: Vec<String> = known.iter().map(|info| info.atom()).collect();
    let meant = nearest(names.iter().map(String::as_str), name);
    match meant.and_then(|meant| known.iter().find(|info| info.answers_to(meant))) {
        Some(info) => {
            format!("`{word}` is no option of {what}; did you mean `{}`?", info.in_list())
        }
        None => {
            let all: Vec<String> = known.iter().map(|info| info.in_list()).collect();
            format!("`{word}` is no option of {what}; its options are {}", all.join(", "))
        }
    }
}

/// A sentence about options of the command line as one about those of a list.
pub fn in_list(sentence: &str, table: &dyn Named) -> String {
    table.infos().iter().fold(sentence.to_owned(), |sentence, info| {
        let sentence = match info.metavar {
            "" => sentence,
            value => sentence
                .replace(&format!("--{} {value}", info.name), &format!("`{}`", info.in_list())),
        };
        sentence.replace(&format!("--{}", info.name), &format!("`{}`", info.atom()))
    })
}

fn shown(session: &mut Session, cell: Cell) -> String {
    let record = Record::new(&mut session.machine.heap, cell);
    term_text(&session.machine, &session.world, &record)
}
