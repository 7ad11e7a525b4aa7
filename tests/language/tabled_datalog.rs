//! Tabled predicates on random Datalog programs give what naive bottom-up evaluation gives,
//! whichever call is asked first, and whether or not what comes behind a call can wait for answers.

use crate::support::loaded;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use zug_prolog::session::Session;

const PREDICATES: usize = 4;
const CONSTANTS: u8 = 5;
const VARIABLES: usize = 3;

/// A predicate and its two arguments, numbers of variables.
type Atom = (usize, [usize; 2]);

/// How a body calls an atom: they all mean the same.
#[derive(Clone, Copy, Debug)]
enum Way {
    Plainly,
    Caught,
    AsTerm,
    Delimited,
    ByLibrary,
}

impl Way {
    fn text(self, goal: &str, place: usize) -> String {
        match self {
            Way::Plainly => goal.to_owned(),
            Way::Caught => format!("catch({goal}, _, fail)"),
            Way::AsTerm => format!("( G{place} = ({goal}, true) ), call(G{place})"),
            Way::Delimited => format!("reset({goal}, none, _)"),
            Way::ByLibrary => format!("maplist(call, [{goal}])"),
        }
    }
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        6 => Just(Way::Plainly),
        1 => Just(Way::Caught),
        1 => Just(Way::AsTerm),
        1 => Just(Way::Delimited),
        1 => Just(Way::ByLibrary),
    ]
}

/// `p0(V0, V1) :- body.` with variables of the head among those of the body.
#[derive(Clone, Debug)]
struct Rule {
    head: Atom,
    body: Vec<Atom>,
    /// How each atom of the body is called.
    ways: Vec<Way>,
}

/// The base relation is number `PREDICATES`.
fn atom(predicates: usize) -> impl Strategy<Value = Atom> {
    (0..predicates, [0..VARIABLES, 0..VARIABLES])
}

fn rule() -> impl Strategy<Value = Rule> {
    let body = prop::collection::vec((atom(PREDICATES + 1), way()), 1..4);
    (0..PREDICATES, [0..6usize, 0..6usize], body).prop_map(|(name, picks, body)| {
        let (body, ways): (Vec<Atom>, Vec<Way>) = body.into_iter().unzip();
        let known: Vec<usize> = body.iter().flat_map(|atom| atom.1).collect();
        Rule { head: (name, picks.map(|pick| known[pick % known.len()])), body, ways }
    })
}

fn text(rules: &[Rule], edges: &[(u8, u8)]) -> String {
    let name = |p: usize| if p == PREDICATES { "e".to_owned() } else { format!("p{p}") };
    let atom = |a: &Atom| format!("{}(V{},V{})", name(a.0), a.1[0], a.1[1]);
    let mut text = String::new();
    for p in 0..PREDICATES {
        let _ = writeln!(text, ":- table p{p}/2.\n:- dynamic p{p}/2.\n:- discontiguous p{p}/2.");
    }
    for (a, b) in edges {
        let _ = writeln!(text, "e({a},{b}).");
    }
    for rule in rules {
        let goals = rule.body.iter().zip(&rule.ways).enumerate();
        let body: Vec<String> =
            goals.map(|(place, (goal, way))| way.text(&atom(goal), place)).collect();
        let _ = writeln!(text, "{} :- {}.", atom(&rule.head), body.join(", "));
    }
    text
}

type Relation = BTreeSet<(u8, u8)>;

/// All facts, by going over the rules until nothing new comes.
fn bottom_up(rules: &[Rule], edges: &[(u8, u8)]) -> Vec<Relation> {
    let mut facts = vec![Relation::new(); PREDICATES + 1];
    facts[PREDICATES] = edges.iter().copied().collect();
    loop {
        let mut new = Vec::new();
        for rule in rules {
            let mut bindings = vec![[None; VARIABLES]];
            for (name, args) in &rule.body {
                let mut next = Vec::new();
                for binding in &bindings {
                    for &(a, b) in &facts[*name] {
                        let mut more: [Option<u8>; VARIABLES] = *binding;
                        let fits = args.iter().zip([a, b]).all(|(&variable, value)| {
                            *more[variable].get_or_insert(value) == value
                        });
                        if fits {
                            next.push(more);
                        }
                    }
                }
                bindings = next;
            }
            for binding in bindings {
                let [a, b] = rule.head.1.map(|variable| binding[variable].expect("bound"));
                new.push((rule.head.0, (a, b)));
            }
        }
        let before: usize = facts.iter().map(Relation::len).sum();
        for (name, fact) in new {
            facts[name].insert(fact);
        }
        if facts.iter().map(Relation::len).sum::<usize>() == before {
            return facts;
        }
    }
}

/// The answers of a goal over X and Y, each as often as it comes.
fn answers(session: &mut Session, goal: &str) -> Vec<(u8, u8)> {
    let mut query = session.query(goal).expect("it reads");
    let mut found = Vec::new();
    while session.next(&mut query).expect("no error") {
        let value = |name: &str| {
            let cell = session.bindings(&query).find(|(v, _)| *v == name).expect("named").1;
            session.machine.heap.deref(cell).as_int().expect("an integer") as u8
        };
        found.push((value("X"), value("Y")));
    }
    session.close(query);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn tables_hold_what_bottom_up_evaluation_finds(
        rules in prop::collection::vec(rule(), 1..9),
        edges in prop::collection::vec((0..CONSTANTS, 0..CONSTANTS), 1..9),
        asked in prop::collection::vec((0..PREDICATES, prop::option::of(0..CONSTANTS)), 1..7),
    ) {
        let facts = bottom_up(&rules, &edges);
        let (mut session, _) = zug_tools::language::captured("");
        let findings = session.load_text("datalog", &text(&rules, &edges));
        let faults: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
        prop_assert!(faults.is_empty(), "{faults:?}");
        for (name, first) in asked {
            let goal = match first {
                Some(value) => format!("X = {value}, p{name}(X, Y)"),
                None => format!("p{name}(X, Y)"),
            };
            let mut found = answers(&mut session, &goal);
            found.sort_unstable();
            let wanted: Vec<(u8, u8)> = facts[name]
                .iter()
                .copied()
                .filter(|fact| first.is_none_or(|value| fact.0 == value))
                .collect();
            prop_assert_eq!(found, wanted, "{}", goal);
        }
    }

    #[test]
    fn least_costs_are_those_of_bellman_and_ford(
        arcs in prop::collection::vec((0..CONSTANTS, 0..CONSTANTS, 1..20u32), 1..14),
        form in 0..4usize,
    ) {
        let clauses = [
            "c(X, Y, N) :- c(X, Z, A), a(Z, Y, B), N is A + B.",
            "c(X, Y, N) :- a(X, Z, A), c(Z, Y, B), N is A + B.",
            "c(X, Y, N) :- c(X, Z, A), c(Z, Y, B), N is A + B.",
            "c(X, Y, N) :- d(X, Z, A), a(Z, Y, B), N is A + B.",
        ];
        let mut text = String::from(":- table c(_, _, min), d(_, _, min).\nc(X, Y, N) :- a(X, Y, N).\n");
        let _ = writeln!(text, "{}\nd(X, Y, N) :- c(X, Y, N).", clauses[form]);
        for (from, to, cost) in &arcs {
            let _ = writeln!(text, "a({from}, {to}, {cost}).");
        }
        let mut least = vec![[None::<u32>; CONSTANTS as usize]; CONSTANTS as usize];
        for (from, row) in least.iter_mut().enumerate() {
            for _ in 0..=CONSTANTS {
                for &(a, b, cost) in &arcs {
                    let before = if usize::from(a) == from { Some(0) } else { row[usize::from(a)] };
                    let cost = before.map(|before| before + cost);
                    let old = row[usize::from(b)];
                    row[usize::from(b)] = [old, cost].into_iter().flatten().min();
                }
            }
        }
        let (mut session, _) = loaded(&text);
        for from in 0..CONSTANTS {
            for to in 0..CONSTANTS {
                let goal = format!("c({from}, {to}, Y), X = 0");
                let found = answers(&mut session, &goal);
                let wanted = least[usize::from(from)][usize::from(to)];
                let wanted: Vec<(u8, u8)> = wanted.map(|cost| (0, cost as u8)).into_iter().collect();
                prop_assert_eq!(found, wanted, "{} in\n{}", goal, text);
            }
        }
    }
}
