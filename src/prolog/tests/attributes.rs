//! Attributes that a module in Rust looks after: bounds of integers, in a store of its own.

use proptest::prelude::*;
use zug_machine::{Fault, Machine, Outcome, attributes};
use zug_prolog::builtins::{Entry, Extension, NativeAttribute, World};
use zug_prolog::session::Session;
use zug_term::Cell;

const MODULE: &str = "bounds";
/// The number among the levels of the machine.
const SLOT: usize = 0;

/// Bounds by the number of their variable, and what they were before, as far as backtracking may ask.
#[derive(Default)]
struct Store {
    bounds: Vec<(i64, i64)>,
    trail: Vec<(usize, (i64, i64))>,
}

impl Store {
    /// The store, as backtracking has left it.
    fn of<'w>(m: &Machine, w: &'w mut World) -> &'w mut Store {
        let store: &mut Store = w.slots.get_mut();
        while store.trail.len() as u64 > m.level(SLOT) {
            if let Some((at, old)) = store.trail.pop() {
                store.bounds[at] = old;
            }
        }
        store.bounds.truncate(m.anchors());
        store
    }

    /// Narrows bounds and returns them; `None` if nothing is left.
    fn narrow(m: &mut Machine, w: &mut World, at: usize, to: (i64, i64)) -> Option<(i64, i64)> {
        let store = Store::of(m, w);
        let old = store.bounds[at];
        let new = (old.0.max(to.0), old.1.min(to.1));
        if new != old {
            store.trail.push((at, old));
            store.bounds[at] = new;
            m.set_level(SLOT, store.trail.len() as u64);
        }
        (new.0 <= new.1).then_some(new)
    }
}

fn native(m: &mut Machine) -> u16 {
    let module = m.symbols.intern(MODULE);
    m.add_native(module)
}

/// `bounds(X, Low, High)`.
fn bounds(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let to = (a[1].as_int().unwrap_or(0), a[2].as_int().unwrap_or(0));
    if let Some(value) = a[0].as_int() {
        return Ok((to.0..=to.1).contains(&value));
    }
    let module = m.symbols.intern(MODULE);
    let at = match m.attribute(a[0], module).and_then(Cell::as_int) {
        Some(at) => at as usize,
        None => {
            let at = Store::of(m, w).bounds.len();
            m.set_attribute(a[0], module, Cell::small(at as i64));
            assert_eq!(m.anchor(a[0]), at);
            let store: &mut Store = w.slots.get_mut();
            store.bounds.push((i64::MIN, i64::MAX));
            at
        }
    };
    match Store::narrow(m, w, at, to) {
        None => Ok(false),
        Some((low, high)) if low == high => {
            let (number, variable) = (native(m), m.heap.deref(a[0]));
            m.bind_for(variable, Cell::small(low), number);
            Ok(true)
        }
        Some(_) => Ok(true),
    }
}

fn unify(m: &mut Machine, w: &mut World, bound: &[(Cell, Cell)]) -> Outcome {
    let module = m.symbols.intern(MODULE);
    for &(attribute, other) in bound {
        let at = attribute.as_int().expect("a number") as usize;
        let other = m.heap.deref(other);
        let (low, high) = Store::of(m, w).bounds[at];
        if let Some(value) = other.as_int() {
            if !(low..=high).contains(&value) {
                return Ok(false);
            }
        } else if other.is_var() {
            if m.attribute(other, module).is_none() {
                m.set_attribute(other, module, attribute);
            } else if !bounds(m, w, &[other, Cell::small(low), Cell::small(high)])? {
                return Ok(false);
            }
        } else {
            return Ok(false);
        }
    }
    Ok(true)
}

fn goals(m: &mut Machine, w: &mut World, variables: &[Cell]) -> Result<Vec<Cell>, Fault> {
    let module = m.symbols.intern(MODULE);
    let mut all = Vec::new();
    for &variable in variables {
        assert!(attributes(&m.heap, variable).any(|(name, _)| name == module));
        let at = m.attribute(variable, module).and_then(Cell::as_int).expect("a number");
        let (low, high) = Store::of(m, w).bounds[at as usize];
        let anchored = m.anchored(at as usize);
        assert_eq!(m.heap.deref(anchored), m.heap.deref(variable), "anchors are moved");
        let name = m.symbols.intern("bounds");
        all.push(m.heap.new_struct(name, &[variable, Cell::small(low), Cell::small(high)]));
    }
    Ok(all)
}

/// `at(Line)`: the line of the clause that calls it.
fn at(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let address = m.call_sites().next().expect("a clause");
    let clause = m.program.clause_at(address).expect("its number");
    let span = m.program.goal_span(clause, address).expect("its place");
    Ok(m.unify(a[0], Cell::small(i64::from(span.start))))
}

const EXTENSION: Extension = Extension {
    tables: &[&[Entry::pure("bounds", 3, bounds), Entry::pure("at", 1, at).with_site()]],
    attributes: &[NativeAttribute { module: MODULE, unify, goals }],
    ..Extension::NONE
};

const RULES: &str = "
    garbage(0) :- !.
    garbage(N) :- length(L, 20), L = [_|_], N1 is N-1, garbage(N1).
    sum(X, Y, S) :- bounds(X, 1, 3), bounds(Y, 1, 3), garbage(50),
        member(X, [0,1,2,3,4]), garbage(50), member(Y, [0,1,2,3,4]), S =:= X + Y.
";

fn answers(session: &mut Session, goal: &str) -> Vec<String> {
    let mut query = session.query(goal).expect("it reads");
    let mut all = Vec::new();
    loop {
        match session.next(&mut query) {
            Ok(true) => all.push(session.answer(&query)),
            Ok(false) => break,
            Err(fault) => {
                all.push(session.describe(&fault).message);
                break;
            }
        }
    }
    session.close(query);
    all
}

#[test]
fn a_native_module_looks_after_its_attributes() {
    let (mut session, _) = Session::captured(&[EXTENSION], "");
    assert_eq!(session.load_text("rules", RULES), []);
    for nursery in [1 << 18, 64] {
        session.machine.set_nursery(nursery);
        let lines = include_str!("bounds.txt").lines().filter(|line| !line.starts_with('%'));
        let mut lines = lines.peekable();
        while let Some(goal) = lines.next() {
            let answer = |line: &&str| line.starts_with("    ");
            let expected = std::iter::from_fn(|| lines.next_if(answer)).map(str::trim_start);
            let expected: Vec<&str> = expected.collect();
            assert_eq!(answers(&mut session, goal), expected, "{goal}");
        }
    }
}

/// Goals over `X`, `Y` and `Z` whose ground answers don't depend on when they run.
fn goal() -> impl Strategy<Value = String> {
    let variable = || prop::sample::select(vec!["X", "Y", "Z"]);
    let term = || {
        let simple = prop::sample::select(vec!["X", "Y", "Z", "a", "b", "1"]);
        let simple = simple.prop_map(String::from).boxed();
        let pair = (simple.clone(), simple.clone()).prop_map(|(l, r)| format!("f({l},{r})"));
        prop_oneof![4 => simple, 1 => pair]
    };
    let test = move || {
        prop_oneof![
            (variable(), variable())
                .prop_map(|(v, w)| format!("when(ground({v}-{w}), {v} @< {w})")),
            (variable(), term()).prop_map(|(v, t)| format!("{v} = {t}")),
            (term(), term()).prop_map(|(t, u)| format!("dif({t}, {u})")),
            (variable(), variable()).prop_map(|(v, w)| format!("({v} = a ; {w} = b)")),
        ]
    };
    prop_oneof![
        3 => (term(), term()).prop_map(|(t, u)| format!("dif({t}, {u})")),
        3 => (variable(), test()).prop_map(|(v, g)| format!("freeze({v}, {g})")),
        1 => (variable(), variable()).prop_map(|(v, w)| format!("{v} = {w}")),
        1 => (variable(), term()).prop_map(|(v, t)| format!("{v} = {t}")),
        1 => (variable(), variable(), test())
            .prop_map(|(v, w, g)| format!("when((nonvar({v}) ; ground({w})), {g})")),
        1 => (variable(), variable(), test())
            .prop_map(|(v, w, g)| format!("when((nonvar({v}), nonvar({w})), {g})")),
        1 => (term(), term(), test()).prop_map(|(t, u, g)| format!("when(?=({t}, {u}), {g})")),
        1 => (test(), test()).prop_map(|(g, h)| format!("\\+ \\+ ({g}, {h} ; true)")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn goals_that_wait_have_the_answers_of_goals_that_come_last(
        goals in prop::collection::vec(goal(), 1..6),
        tiny in any::<bool>(),
    ) {
        let (mut session, _) = Session::captured(&[], "");
        if tiny {
            session.machine.set_nursery(64);
        }
        let values = "[a, b, 1, f(a,b), f(a,1), f(b,b)]";
        let goals = goals.join(", ");
        let query = format!(
            "Vs = [X,Y,Z], G = ({goals}), L = maplist([V]>>member(V, {values}), Vs), \
             findall(Vs, (G, L), As0), msort(As0, As), \
             findall(Vs, (L, G), Bs0), msort(Bs0, Bs), As == Bs, R = same"
        );
        let found = answers(&mut session, &query);
        prop_assert!(found.len() == 1 && found[0].contains("R = same"), "{goals}");
    }
}

#[test]
fn a_ball_that_binds_wakes_before_the_recovery() {
    let (mut session, _) = Session::captured(&[], "");
    let goal = "freeze(X, Y = seen), catch(throw(f(1)), f(X), (member(Z, [1,2]), Y == seen))";
    assert_eq!(answers(&mut session, goal), ["X = 1, Y = seen, Z = 1", "X = 1, Y = seen, Z = 2"]);
}

#[test]
fn a_built_in_knows_where_it_was_called_from() {
    let (mut session, _) = Session::captured(&[EXTENSION], "");
    assert_eq!(session.load_text("rules", "p(X) :- true, at(X).\nq(X, Y) :- at(X), at(Y)."), []);
    assert_eq!(answers(&mut session, "p(X), q(Y, Z), true"), ["X = 14, Y = 32, Z = 39"]);
}

#[test]
fn many_bindings_leave_no_notes_behind() {
    let (mut session, _) = Session::captured(&[], "");
    let rules = "run(0) :- !. run(N) :- freeze(X, true), X = N, N1 is N-1, run(N1).";
    assert_eq!(session.load_text("rules", rules), []);
    session.machine.set_nursery(1 << 12);
    session.machine.set_memory_limit(session.machine.room().min(1 << 24));
    assert_eq!(answers(&mut session, "run(100000)"), ["true"]);
}
