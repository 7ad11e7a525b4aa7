//! Negation of tabled goals, held against well-founded models by the alternating fixpoint (Van Gelder, 1993).

use crate::session::Session;
use crate::term_text;
use std::collections::BTreeSet;
use zug_machine::arithmetic::Random;
use zug_machine::{Fault, NativeCode};

/// A clause: its head, and its literals, each an atom and whether it is negated.
type Clause = (usize, Vec<(usize, bool)>);

/// A program over the atoms `p(0)`, `p(1)`, ….
#[derive(Debug)]
struct Ground {
    atoms: usize,
    clauses: Vec<Clause>,
}

/// What is known of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Undefined,
}

impl Ground {
    /// Programs of a kind: any, without a loop through negation, or of clauses with one negated atom each.
    fn random(random: &mut Random, kind: Kind) -> Ground {
        let atoms = 2 + random.below(6) as usize;
        let mut clauses = Vec::new();
        for _ in 0..random.below(3 * atoms as u64 + 1) {
            let head = random.below(atoms as u64) as usize;
            let literals = match kind {
                Kind::Game => 1,
                _ => random.below(4),
            };
            let mut body = Vec::new();
            for _ in 0..literals {
                let atom = random.below(atoms as u64) as usize;
                let negated = match kind {
                    Kind::Any => random.below(2) == 0,
                    // Strata of three atoms.
                    Kind::Stratified => atom / 3 < head / 3,
                    Kind::Game => true,
                };
                if kind != Kind::Stratified || atom / 3 <= head / 3 {
                    body.push((atom, negated));
                }
            }
            clauses.push((head, body));
        }
        Ground { atoms, clauses }
    }

    /// The least model where negated atoms are true that are not in `assumed`.
    fn least(&self, assumed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut model = BTreeSet::new();
        loop {
            let before = model.len();
            for (head, body) in &self.clauses {
                let holds = |&(atom, negated): &(usize, bool)| match negated {
                    true => !assumed.contains(&atom),
                    false => model.contains(&atom),
                };
                if body.iter().all(holds) {
                    model.insert(*head);
                }
            }
            if model.len() == before {
                return model;
            }
        }
    }

    /// The well-founded model.
    fn model(&self) -> Vec<Truth> {
        let mut sure = BTreeSet::new();
        loop {
            let possible = self.least(&sure);
            let next = self.least(&possible);
            if next == sure {
                let truth = |atom| match (sure.contains(&atom), possible.contains(&atom)) {
                    (true, _) => Truth::True,
                    (_, true) => Truth::Undefined,
                    _ => Truth::False,
                };
                return (0..self.atoms).map(truth).collect();
            }
            sure = next;
        }
    }

    /// The atoms that one depends on, itself included.
    fn below(&self, atom: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([atom]);
        loop {
            let clauses = self.clauses.iter().filter(|(head, _)| found.contains(head));
            let next: Vec<usize> = clauses.flat_map(|(_, body)| body.iter().map(|l| l.0)).collect();
            let before = found.len();
            found.extend(next);
            if found.len() == before {
                return found;
            }
        }
    }

    /// A game as moves between positions, and one rule: a position is won that has a move to one that is not.
    fn text_of_moves(&self, name: &str, random: &mut Random) -> String {
        let form = NEGATIVE[random.below(NEGATIVE.len() as u64) as usize];
        let goal = form.replace("P", &format!("{name}(Y)")).replace("VAR", "V");
        let goal = goal.replace("ABSENT", &format!("absent_{name}"));
        let mut text = format!(":- table {name}/1.\n:- dynamic move_{name}/2.\n");
        text += &format!("{name}(X) :- move_{name}(X, Y), {goal}.\n");
        for (head, body) in &self.clauses {
            text += &format!("move_{name}({head}, {}).\n", body[0].0);
        }
        text + &format!("absent_{name}(G) :- call(G), !, fail.\nabsent_{name}(_).\n")
    }

    /// The clauses as text, in which `name` is the predicate; literals are written in all ways there are.
    fn text(&self, name: &str, random: &mut Random) -> String {
        let mut text = format!(":- table {name}/1.\n:- discontiguous {name}/1.\n");
        for (head, body) in &self.clauses {
            let mut goals = vec!["true".to_owned()];
            for &(atom, negated) in body {
                let forms = if negated { NEGATIVE } else { POSITIVE };
                let form = forms[random.below(forms.len() as u64) as usize];
                let goal = form.replace("P", &format!("{name}({atom})"));
                let goal = goal.replace("ABSENT", &format!("absent_{name}"));
                let goal = goal.replace("VAR", &format!("V{}", goals.len()));
                goals.push(goal.replace("FIRST", &format!("first_{name}")));
            }
            text += &format!("{name}({head}) :- {}.\n", goals.join(", "));
        }
        text += &format!("absent_{name}(G) :- call(G), !, fail.\nabsent_{name}(_).\n");
        text += &format!("first_{name}(G) :- member(_, [a,b]), call(G), !.\n");
        text + &format!(":- dynamic({name}/1).\n").repeat(usize::from(self.clauses.is_empty()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Any,
    Stratified,
    Game,
}

/// Ways to say that an atom does not hold.
const NEGATIVE: &[&str] = &[
    "\\+ P",
    "\\+ P",
    "\\+ P",
    "tnot(P)",
    "not(P)",
    "( P -> fail ; true )",
    "( P *-> fail ; true )",
    "call(( P -> fail ; true ))",
    "\\+ ( true, P )",
    "\\+ call(P)",
    "call(\\+, P)",
    "( VAR = P, \\+ VAR )",
    "forall(P, fail)",
    "findall(x, P, [])",
    "findall(x, P, VAR), VAR == []",
    "aggregate_all(count, P, 0)",
    "\\+ bagof(x, P, _)",
    "ABSENT(P)",
    "\\+ once(P)",
    "\\+ catch(P, never, fail)",
    "\\+ \\+ \\+ P",
];

/// Ways to say that it does.
const POSITIVE: &[&str] = &[
    "P",
    "P",
    "once(P)",
    "call(P)",
    "( P -> true )",
    "( P -> true ; fail )",
    "catch(P, never, fail)",
    "( fail ; P )",
    "maplist(call, [P])",
    "once(( member(_, [1,2]), P ))",
    "FIRST(P)",
];

/// The outcome of a query: whether it has an answer, or `None` for an error.
fn ask(session: &mut Session, goal: &str) -> Option<bool> {
    let mut query = session.query(goal).expect("a goal");
    let found = session.next(&mut query);
    let outcome = match found {
        Ok(found) => Some(found),
        Err(Fault::Ball(ball)) => {
            let text = term_text(&session.machine, &session.world, &ball);
            assert!(text.contains("tabled_procedure"), "{text}");
            None
        }
        Err(fault) => panic!("{fault:?}"),
    };
    session.close(query);
    outcome
}

/// Holds answers of random programs against their models; how many queries raised an error although the atom is decided.
fn check(seed: u64, kind: Kind, programs: u64) -> u64 {
    let (mut session, _) = Session::captured(&[], "");
    let mut undecided = 0;
    for number in 0..programs {
        if number == programs / 2 {
            session.machine.set_nursery(64);
            session.machine.set_native_code(NativeCode::Always);
        }
        let mut random = Random::nth(seed, number);
        let program = Ground::random(&mut random, kind);
        let name = format!("p_{number}");
        let text = match kind == Kind::Game && number % 2 == 0 {
            true => program.text_of_moves(&name, &mut random),
            false => program.text(&name, &mut random),
        };
        let findings = session.load_text("test", &text);
        assert!(findings.iter().all(|finding| !finding.is_error()), "{findings:?}\n{text}");
        let model = program.model();
        let mut look = |session: &mut Session, goal: &str, atom: usize| {
            let found = ask(session, goal);
            let right = match model[atom] {
                Truth::True => found != Some(false),
                Truth::False => found != Some(true),
                Truth::Undefined => found.is_none(),
            };
            assert!(right, "{goal}: {found:?}, {model:?}\n{text}");
            let below = program.below(atom);
            let total = below.iter().all(|&atom| model[atom] != Truth::Undefined);
            if found.is_none() && total {
                assert!(kind == Kind::Any, "{goal} is decided: {model:?}\n{text}");
                undecided += 1;
            }
        };
        for atom in 0..program.atoms {
            ask(&mut session, "abolish_all_tables");
            look(&mut session, &format!("{name}({atom})"), atom);
        }
        // With the tables of earlier queries; of all atoms at once.
        for atom in (0..program.atoms).rev() {
            look(&mut session, &format!("{name}({atom})"), atom);
            look(&mut session, &format!("\\+ \\+ {name}({atom})"), atom);
        }
        ask(&mut session, "abolish_all_tables");
        let all: Vec<String> = (0..program.atoms).map(|atom| atom.to_string()).collect();
        let truths: Vec<String> = (0..program.atoms)
            .filter(|&atom| model[atom] == Truth::True)
            .map(|atom| atom.to_string())
            .collect();
        let query = format!("findall(X, {name}(X), L), sort(L, [{}])", truths.join(","));
        let found = ask(&mut session, &query);
        assert!(found != Some(false), "{query} of {}\n{text}", all.join(","));
        if model.contains(&Truth::Undefined) {
            assert_eq!(found, None, "{text}");
        }
    }
    undecided
}

fn programs(few: u64) -> u64 {
    if std::env::var("ZUG_FULL").is_ok_and(|wish| wish == "1") { 200 * few } else { few }
}

#[test]
fn stratified_programs_have_their_models() {
    assert_eq!(check(1, Kind::Stratified, programs(40)), 0);
}

#[test]
fn games_without_draws_are_decided() {
    assert_eq!(check(2, Kind::Game, programs(40)), 0);
}

#[test]
fn no_program_has_two_answers() {
    check(3, Kind::Any, programs(60));
}
