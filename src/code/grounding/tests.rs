//! Ground operators have, in every state, the machine's own answers.

use super::Grounded;
use rustc_hash::FxHashSet;
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_state::representation::Part;
use zug_state::variables::Variables;
use zug_term::{Cell, Heap, Record};

/// A program, with its rules grounded.
struct Rules {
    session: Session,
    grounded: Option<Grounded>,
}

impl Rules {
    fn of(text: &str) -> Rules {
        let (mut session, _) = Session::captured(&[], "");
        let report = session.load_text("rules.pl", text);
        assert!(report.is_empty(), "{text}");
        let pred = |name: &str, arity: usize, session: &mut Session| {
            let name = session.machine.symbols.intern(name);
            session.machine.program.lookup(name, arity, Space::User)
        };
        let rule = pred("rule", 4, &mut session).expect("there are rules");
        let goal = pred("final_state", 1, &mut session);
        let start = answers(&mut session, "initial_state", &[None]).remove(0).remove(0);
        let (m, w) = (&mut session.machine, &mut session.world);
        let grounded = Grounded::new(m, w, (rule, goal), &start, 10_000_000);
        Rules { session, grounded }
    }
}

/// The answers of a predicate with these arguments, of which some are given.
fn answers(session: &mut Session, name: &str, args: &[Option<&Record>]) -> Vec<Vec<Record>> {
    let name = session.machine.symbols.intern(name);
    let pred = session.machine.program.lookup(name, args.len(), Space::User).expect("it is there");
    let mut found = Vec::new();
    let asked = session.machine.ask(&mut session.world, |ask| {
        let heap = &mut ask.machine.heap;
        let cells: Vec<Cell> = args
            .iter()
            .map(|arg| arg.map_or_else(|| Cell::NIL, |arg| arg.instantiate(heap)))
            .collect();
        let cells: Vec<Cell> = cells
            .into_iter()
            .zip(args)
            .map(|(cell, arg)| if arg.is_some() { cell } else { heap.new_var() })
            .collect();
        let list = heap.list_from(&cells, Cell::NIL);
        ask.add_root(list);
        let mut answered = ask.call(pred, &cells)?;
        while answered {
            let [list] = ask.rooted();
            let cells: Vec<Cell> = ask.machine.heap.items(list).collect();
            let heap = &mut ask.machine.heap;
            found.push(cells.into_iter().map(|cell| Record::new(heap, cell)).collect());
            answered = ask.redo()?;
        }
        Ok::<(), zug_machine::Fault>(())
    });
    assert!(asked.is_ok(), "no error");
    found
}

fn variables(grounded: &Grounded) -> &Variables {
    match &**grounded.part() {
        Part::Variables(variables) => variables,
        other => panic!("{other:?}"),
    }
}

fn values(variables: &Variables, state: &Record) -> Vec<u8> {
    let (heap, root) = state.to_heap();
    let mut bytes = Vec::new();
    assert!(variables.encode(&heap, root, &mut bytes), "a state fits");
    bytes
}

fn state(variables: &Variables, values: &[u8]) -> Record {
    let mut heap = Heap::new();
    let cell = variables.decode(values, &mut heap);
    Record::new(&mut heap, cell)
}

/// Compares moves and goals of states up to a number with what the machine says; how many states and variables there are.
fn agrees(text: &str, most: usize) -> (usize, usize) {
    let Rules { mut session, grounded } = Rules::of(text);
    let grounded = grounded.unwrap_or_else(|| panic!("not grounded: {text}"));
    let variables = variables(&grounded);
    let start = answers(&mut session, "initial_state", &[None]).remove(0).remove(0);
    let first = values(variables, &start);
    let (mut known, mut open) = (FxHashSet::from_iter([first.clone()]), vec![first]);
    let (mut found, mut after, mut at) = (Vec::new(), Vec::new(), 0);
    while at < open.len() && at < most {
        let from = open[at].clone();
        at += 1;
        let term = state(variables, &from);
        assert_eq!(values(variables, &term), from);
        let said = answers(&mut session, "rule", &[None, None, Some(&term), None]);
        let mut said = said.into_iter();
        grounded.each(&from, (&mut found, &mut after), |number, _, after| {
            let next = said.next().unwrap_or_else(|| panic!("too many moves in {text}"));
            assert_eq!(&next[0], grounded.name(number), "{text}");
            assert_eq!(values(variables, &next[3]), after, "{text}");
            assert_eq!(next[3], state(variables, after), "{text}");
            if known.insert(after.to_vec()) {
                open.push(after.to_vec());
            }
            true
        });
        assert!(said.next().is_none(), "a move is missing in {text}");
        let is_goal = !answers(&mut session, "final_state", &[Some(&term)]).is_empty();
        assert_eq!(grounded.is_goal(&from), is_goal, "{text}");
    }
    (open.len(), variables.count())
}

#[test]
fn debug_file() {
    let Ok(path) = std::env::var("GROUND_FILE") else { return };
    for path in path.split(':') {
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.replace("initial_state(", "initial_state_2(");
        let text = format!("{text}\ninitial_state(S) :- initial_state_2(_, S), !.\n");
        let rules = Rules::of(&text);
        eprintln!("{path}: {}", rules.grounded.is_some());
        if rules.grounded.is_some() {
            drop(rules);
            eprintln!("{:?}", agrees(&text, 200));
        }
    }
}
