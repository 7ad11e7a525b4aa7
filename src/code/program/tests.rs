//! Programs of whole rule files, as engines would have them made: what they take, and why there is
//! none.
//!
//! `cargo test -p zug-code programs -- --ignored --nocapture` prints a line for each predicate and
//! shape; `ZUG_FILES` names the folder, and `ZUG_FILE` chooses files by parts of their names, with
//! commas between.

use super::make::{Met, Unmade, make};
use crate::merging::Residual;
use crate::units::{Arg, Target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_state::{Codec, Word};
use zug_term::{Cell, Record};

/// States of a file that are visited.
const MOST_STATES: usize = 150;
/// Work for one predicate.
const MOST_WORK: u64 = 5_000_000;

/// Contract predicates with arguments: `-` marks the state, an atom says what else one is.
const HELPERS: &str = "
zz_has(F, N) :- functor(H, F, N), catch(clause(H, _), _, fail), !.
zz_players(Js) :- zz_has(opponent, 2), !, findall(J, opponent(J, _), L), sort(L, Js).
zz_players([]).
zz_initial(S) :- zz_has(initial_state, 1), initial_state(S).
zz_initial(S) :- zz_has(initial_state, 2), initial_state(_, S).
zz_next(S, T) :- zz_has(rule, 4), rule(_, _, S, T).
zz_next(S, T) :- zz_has(move, 4), zz_players(Js), member(J, Js), move(J, _, S, T).
zz_walk([], _, _, []).
zz_walk([S|Ss], Seen, N, [S|R]) :-
    N > 0, N1 is N - 1,
    ( catch(findall(T, zz_next(S, T), Ts), _, fail) -> true ; Ts = [] ),
    zz_new(Ts, Seen, Seen1, New), append(Ss, New, Open), zz_walk(Open, Seen1, N1, R).
zz_walk([_|_], _, 0, []).
zz_new([], Seen, Seen, []).
zz_new([T|Ts], Seen0, Seen, New) :-
    ( member(U, Seen0), U =@= T -> New = R, Seen1 = Seen0 ; New = [T|R], Seen1 = [T|Seen0] ),
    zz_new(Ts, Seen1, Seen, R).
zz_states(N, L) :- findall(S, zz_initial(S), [S0|_]), zz_walk([S0], [S0], N, L).
zz_goal(g(rule, [name, cost, state, to])) :- zz_has(rule, 4).
zz_goal(g(final_state, [state])) :- zz_has(final_state, 1).
zz_goal(g(move, [f(J), name, state, to])) :- zz_has(move, 4), zz_players([J|_]).
zz_goal(g(terminal, [f(J), state])) :- zz_has(terminal, 2), zz_players([J|_]).
zz_goal(g(heuristic, [state, value])) :- zz_has(heuristic, 2).
zz_goal(g(heuristic, [f(J), state, value])) :- zz_has(heuristic, 3), zz_players([J|_]).
";

/// The items of the list that `X` is in the first answer of a query.
fn items(session: &mut Session, text: &str) -> Vec<Record> {
    let mut query = session.query(text).expect("it is a query");
    if !session.next(&mut query).unwrap_or(false) {
        session.close(query);
        return Vec::new();
    }
    let (_, list) = session.bindings(&query).find(|&(name, _)| name == "X").expect("there is X");
    let heap = &mut session.machine.heap;
    let items: Vec<Cell> = heap.items(list).collect();
    let records = items.into_iter().map(|item| Record::new(heap, item)).collect();
    session.close(query);
    records
}

fn target(session: &Session, goal: &Record) -> Option<Target> {
    let symbols = &session.machine.symbols;
    let (mut heap, root) = goal.to_heap();
    let (_, _, first) = heap.name_arity(root)?;
    let name = heap.deref(heap.at(first)).as_atom()?;
    let arguments: Vec<Cell> = heap.items(heap.at(first + 1)).collect();
    let mut args = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let argument = heap.deref(argument);
        args.push(match argument.as_atom().map(|atom| symbols.name(atom)) {
            Some("state") => Arg::State,
            Some("name") => Arg::Name,
            Some("cost") => Arg::Cost,
            Some("to") => Arg::To,
            Some("value") => Arg::Value,
            _ => {
                let (_, _, first) = heap.name_arity(argument)?;
                let inner = heap.at(first);
                Arg::Fixed(Record::new(&mut heap, inner))
            }
        });
    }
    let program = &session.machine.program;
    let pred = program.resolve(program.lookup(name, args.len(), Space::User)?);
    Some(Target { pred, indicator: "", args })
}

/// Prints a line for each predicate and shape of a file.
#[expect(clippy::print_stderr, reason = "it prints a table")]
fn examine(path: &Path, name: &str) {
    let (mut session, _) = Session::captured(&[], "");
    session.load_file(path).expect("a file");
    session.load_text("helpers", HELPERS);
    let states = items(&mut session, &format!("zz_states({MOST_STATES}, X)."));
    let goals = items(&mut session, "findall(G, zz_goal(G), X).");
    let mut codec = Codec::new();
    let mut shapes: BTreeMap<u8, (usize, Vec<Word>)> = BTreeMap::new();
    for state in &states {
        let (mut heap, root) = state.to_heap();
        let Ok(bytes) = codec.encode_bytes(&mut heap, root) else { continue };
        let (shape, leaves) = (bytes[0], bytes[1..].to_vec());
        let mut words = Vec::new();
        if codec.words(&leaves, &mut words).is_ok() {
            let words = words.into_iter().map(Word).collect();
            shapes.entry(shape).or_insert((0, words)).0 += 1;
        }
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|(_, (met, _))| std::cmp::Reverse(*met));
    eprintln!("{name}: {} states, {} shapes", states.len(), shapes.len());
    for (shape, (_, sample)) in shapes.into_iter().take(2) {
        for goal in &goals {
            let Some(target) = target(&session, goal) else { continue };
            let name = session.machine.program.preds[target.pred as usize].name;
            let name = session.machine.symbols.name(name).to_owned();
            let (m, w) = (&mut session.machine, &mut session.world);
            let mut residual = Residual::default();
            let met = Met {
                sample: &sample,
                singles: &[],
                integers: None,
                progress: None,
                is_settled: false,
            };
            match make(
                m,
                w,
                &mut codec,
                &target,
                (shape, met),
                MOST_WORK,
                (&mut None, &mut residual),
            ) {
                Ok(made) => {
                    let program = made.lowered.code.program;
                    let (values, blocks) = (program.values.len(), program.blocks.len());
                    eprintln!(
                        "  {name:12} {:8} work {values:6} values {blocks:6} blocks {:?}",
                        made.work, made.reasons
                    );
                }
                Err(Unmade { why, work, .. }) => {
                    let why =
                        why.map_or_else(|why| why.to_string(), |_| "it takes more work".to_owned());
                    eprintln!("  {name:12} {work:8} work, none: {why}");
                }
            }
        }
    }
}

#[test]
#[ignore = "it prints a table"]
fn programs() {
    let folder = std::env::var_os("ZUG_FILES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/domains"),
        PathBuf::from,
    );
    let part = std::env::var("ZUG_FILE").unwrap_or_default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pl"))
        .collect();
    files.sort();
    for path in files {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if part.split(',').any(|part| name.contains(part)) {
            examine(&path, &name);
        }
    }
}
