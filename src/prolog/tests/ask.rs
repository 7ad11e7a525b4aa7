//! Questions of Rust code to the program: `Machine::ask`.

use zug_machine::{Fault, PredId, Space};
use zug_prolog::session::Session;
use zug_term::Cell;

const RULES: &str = "
    next(X, Y) :- member(D, [1, 2, 3]), Y is X + D.
    next(9, _) :- throw(nine).
";

fn session() -> (Session, PredId) {
    let mut session = Session::new();
    session.load_text("rules.pl", RULES);
    let m = &mut session.machine;
    let name = m.symbols.intern("next");
    let pred = m.program.pred(name, 2, Space::User);
    (session, pred)
}

/// The first answers of `next(From, To)`; what was kept before the question is there behind it,
/// and nothing else.
fn first_of(
    session: &mut Session,
    pred: PredId,
    from: i64,
    most: usize,
) -> Result<Vec<i64>, Fault> {
    let Session { machine, world, .. } = session;
    let before = Cell::small(77);
    machine.roots.push(before);
    let (roots, top) = (machine.roots.len(), machine.heap.top());
    let found = machine.ask(world, |ask| {
        let mut found = Vec::new();
        let [to] = ask.outputs();
        let mut answered = ask.call(pred, &[Cell::small(from), to])?;
        while answered {
            let [to] = ask.rooted();
            found.extend(ask.machine.heap.deref(to).as_int());
            answered = found.len() < most && ask.redo()?;
        }
        Ok(found)
    });
    assert_eq!((machine.roots.len(), machine.heap.top()), (roots, top));
    assert_eq!(machine.roots.pop(), Some(before));
    found
}

#[test]
fn a_question_leaves_nothing_behind_however_it_ends() {
    let (mut session, pred) = session();
    assert_eq!(first_of(&mut session, pred, 4, 9).expect("no error"), [5, 6, 7]);
    assert_eq!(first_of(&mut session, pred, 4, 2).expect("no error"), [5, 6]);
    assert_eq!(first_of(&mut session, pred, 9, 3).expect("it is not asked again"), [10, 11, 12]);
    assert!(matches!(first_of(&mut session, pred, 9, 4), Err(Fault::Ball(_))));
}

#[test]
fn a_question_inside_of_another() {
    let (mut session, pred) = session();
    let Session { machine, world, .. } = &mut session;
    let roots = machine.roots.len();
    let sums = machine.ask(world, |outer| {
        let mut sums = Vec::new();
        let [to] = outer.outputs();
        let mut answered = outer.call(pred, &[Cell::small(0), to])?;
        while answered {
            let last = outer.machine.ask(outer.host, |inner| {
                let [outer_to] = outer_kept(inner.machine, roots);
                let [to] = inner.outputs();
                let mut last = None;
                let mut answered = inner.call(pred, &[outer_to, to])?;
                while answered {
                    let [to] = inner.rooted();
                    last = inner.machine.heap.deref(to).as_int();
                    answered = inner.redo()?;
                }
                Ok::<_, Fault>(last)
            })?;
            sums.extend(last);
            answered = outer.redo()?;
        }
        Ok::<_, Fault>(sums)
    });
    assert_eq!(sums.expect("no error"), [4, 5, 6]);
    assert_eq!(session.machine.roots.len(), roots);
}

/// What the outer question keeps.
fn outer_kept(m: &zug_machine::Machine, at: usize) -> [Cell; 1] {
    [m.heap.deref(m.roots[at])]
}
