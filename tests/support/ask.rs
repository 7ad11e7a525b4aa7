//! Questions to a session, answers as text in a form that variants share.

use zug_machine::Fault;
use zug_prolog::session::Session;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::{Cell, Heap, Record, variables};

/// Answers of one goal looked at.
const MOST_ANSWERS: usize = 20_000;

/// All answers of a goal, each as the values of its variables, and the error that ended them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    pub rows: Vec<Vec<String>>,
    pub error: Option<String>,
}

/// The first answer of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    Yes(Vec<String>),
    No,
    Error(String),
}

/// A term as text; variables are `_1`, `_2`, ... in the order they occur.
pub fn text(session: &Session, heap: &Heap, cell: Cell) -> String {
    let variables = variables(heap, cell).into_iter().enumerate();
    let names: Vec<_> = variables.map(|(i, cell)| (format!("_{}", i + 1).into(), cell)).collect();
    let options = WriteOptions { quoted: true, variable_names: &names, ..WriteOptions::default() };
    term_to_string(heap, &session.machine.symbols, &session.world.operators, cell, &options)
}

/// Whether a term that was printed is a variable.
pub fn is_variable(text: &str) -> bool {
    text.strip_prefix('_').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A record as text.
pub fn record_text(session: &Session, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    text(session, &heap, root)
}

/// What was thrown, without the context, which names the place.
pub fn fault_text(session: &Session, fault: &Fault) -> String {
    let Fault::Ball(ball) = fault else { return format!("{fault:?}") };
    let (heap, root) = ball.to_heap();
    match heap.match_struct::<2>(root, zug_term::symbol::atoms::ERROR) {
        Some([formal, _]) => format!("error({})", text(session, &heap, formal)),
        None => text(session, &heap, root),
    }
}

fn run(session: &mut Session, goal: &str, most: usize) -> Answers {
    let mut answers = Answers::default();
    let mut query = session.query(goal).unwrap_or_else(|fault| panic!("{goal}: {fault:?}"));
    while answers.rows.len() < most {
        match session.next(&mut query) {
            Ok(true) => {
                let row = session
                    .bindings(&query)
                    .filter(|(name, _)| !name.starts_with('_'))
                    .map(|(_, cell)| text(session, &session.machine.heap, cell))
                    .collect();
                answers.rows.push(row);
            }
            Ok(false) => break,
            Err(fault) => {
                answers.error = Some(fault_text(session, &fault));
                break;
            }
        }
    }
    session.close(query);
    answers
}

/// All answers of a goal.
pub fn all(session: &mut Session, goal: &str) -> Answers {
    run(session, goal, MOST_ANSWERS)
}

/// The first answer of a goal.
pub fn first(session: &mut Session, goal: &str) -> First {
    let mut answers = run(session, goal, 1);
    match (answers.rows.pop(), answers.error) {
        (Some(row), _) => First::Yes(row),
        (None, Some(error)) => First::Error(error),
        (None, None) => First::No,
    }
}

/// A term given as text, as a record.
pub fn record(session: &mut Session, term: &str) -> Record {
    let mut query = session.query(&format!("X = {term}")).expect("it was printed by zug");
    assert!(matches!(session.next(&mut query), Ok(true)), "{term}");
    let cell = session.bindings(&query).find(|(name, _)| *name == "X").expect("X is there").1;
    let record = Record::new(&mut session.machine.heap, cell);
    session.close(query);
    record
}
