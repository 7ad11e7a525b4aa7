//! Negation of tabled goals, held against well-founded models by the alternating fixpoint (Van Gelder, 1993).

use crate::session::{Allowance, Session};
use crate::term_text;
use std::collections::BTreeSet;
use zug_machine::arithmetic::Random;
use zug_machine::{Fault, NativeCode};

/// An atom, and whether it is negated.
type Literal = (usize, bool);
/// A clause: its head, and its body.
type Clause = (usize, Vec<Literal>);
/// Two constants.
type Edge = [usize; 2];

/// A program over atoms by number: those of a predicate behind each other.
#[derive(Debug)]
struct Ground {
    /// What the names of its predicates begin with.
    name: String,
    atoms: usize,
    /// Atoms of one predicate.
    width: usize,
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
    fn random(random: &mut Random, kind: Kind, name: String) -> Ground {
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
                    Kind::Any | Kind::Datalog => random.below(2) == 0,
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
        let width = if kind == Kind::Game { atoms } else { 3 };
        Ground { name, atoms, width, clauses }
    }

    /// The least model where negated atoms are true that are not in `assumed`.
    fn least(&self, assumed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut model = BTreeSet::new();
        loop {
            let before = model.len();
            for (head, body) in &self.clauses {
                let holds = |&(atom, negated): &Literal| match negated {
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

    /// An atom as a goal.
    fn goal(&self, atom: usize) -> String {
        format!("{}_{}({})", self.name, atom / self.width, atom % self.width)
    }

    /// The declarations of the predicates, and those that literals need.
    fn declared(&self) -> String {
        let name = &self.name;
        let mut text = String::new();
        for predicate in 0..self.atoms.div_ceil(self.width) {
            let own = format!("{name}_{predicate}/1");
            text += &format!(":- table {own}.\n:- discontiguous {own}.\n:- dynamic {own}.\n");
        }
        text += &format!("absent_{name}(G) :- call(G), !, fail.\nabsent_{name}(_).\n");
        text += &format!("choice_{name}(G), call(G) => fail.\nchoice_{name}(_) => true.\n");
        text += &format!("decided_{name}(G) :- \\+ G, !, fail.\ndecided_{name}(_) :- true.\n");
        text + &format!("first_{name}(G) :- member(_, [a,b]), call(G), !.\n")
    }

    /// A goal in one of some forms; `place` makes variables of its own.
    fn literal(&self, goal: &str, forms: usize, place: usize, random: &mut Random) -> String {
        let text = include_str!("tests/tabled_goals.txt").split("\n\n").nth(forms);
        let forms: Vec<&str> = text.expect("a paragraph").lines().skip(1).collect();
        let form = forms[random.below(forms.len() as u64) as usize];
        let written = form.replace('P', goal).replace("VAR", &format!("V{place}"));
        ["ABSENT", "FIRST", "CHOICE", "DECIDED"].iter().fold(written, |written, helper| {
            written.replace(helper, &format!("{}_{}", helper.to_lowercase(), self.name))
        })
    }

    /// A game as moves between positions, and one rule: a position is won that has a move to one that is not.
    fn text_of_moves(&self, random: &mut Random) -> String {
        let name = &self.name;
        let goal = self.literal(&format!("{name}_0(Y)"), NEGATIVE, 0, random);
        let mut text = format!("{}:- dynamic move_{name}/2.\n", self.declared());
        text += &format!("{name}_0(X) :- move_{name}(X, Y), {goal}.\n");
        for (head, body) in &self.clauses {
            text += &format!("move_{name}({head}, {}).\n", body[0].0);
        }
        text
    }

    /// The clauses as text; literals are written in all ways there are.
    fn text(&self, kind: Kind, random: &mut Random) -> String {
        let mut text = self.declared();
        for (head, body) in &self.clauses {
            let mut goals = vec!["true".to_owned()];
            for &(atom, negated) in body {
                let forms = match negated {
                    true => NEGATIVE,
                    false if kind == Kind::Any && random.below(4) == 0 => AT_ONCE,
                    false => POSITIVE,
                };
                goals.push(self.literal(&self.goal(atom), forms, goals.len(), random));
            }
            text += &format!("{} :- {}.\n", self.goal(*head), goals.join(", "));
        }
        text
    }

    /// A program with variables, as text and with its instances.
    fn datalog(random: &mut Random, name: String) -> (Ground, String) {
        const CONSTANTS: usize = 3;
        let below = |random: &mut Random, bound: usize| random.below(bound as u64) as usize;
        let predicates = 1 + below(random, 3);
        let atoms = predicates * CONSTANTS;
        let mut program = Ground { name, atoms, width: CONSTANTS, clauses: Vec::new() };
        let name = program.name.clone();
        let edges: Vec<Edge> =
            (0..1 + below(random, 5)).map(|_| [0, 1].map(|_| below(random, CONSTANTS))).collect();
        let mut text = program.declared();
        for [from, to] in &edges {
            text += &format!("edge_{name}({from}, {to}).\n");
        }
        for _ in 0..1 + below(random, 2 * predicates + 1) {
            let (mut early, mut late) = (Vec::new(), Vec::new());
            // Instances of the body, one list for each edge.
            let mut bodies: Vec<(Edge, Vec<Literal>)> =
                edges.iter().map(|&edge| (edge, Vec::new())).collect();
            for place in 0..below(random, 4) {
                let (predicate, end) = (below(random, predicates), below(random, 2));
                let first = predicate * CONSTANTS;
                let bound = format!("{name}_{predicate}({})", ["X", "Y"][end]);
                let open = format!("{name}_{predicate}(_)");
                let kind = below(random, 8);
                match kind {
                    // Called before its variable is bound.
                    0 | 1 => early.push(program.literal(&bound, EACH, place, random)),
                    2 => late.push(program.literal(&bound, POSITIVE, place, random)),
                    3 => late.push(program.literal(&bound, AT_ONCE, place, random)),
                    4 | 5 => late.push(program.literal(&bound, NEGATIVE, place, random)),
                    6 => {
                        late.push(program.literal(&open, NEGATIVE, place, random));
                        for (_, body) in &mut bodies {
                            body.extend((first..first + CONSTANTS).map(|atom| (atom, true)));
                        }
                        continue;
                    }
                    _ => {
                        let forms = if random.below(2) == 0 { POSITIVE } else { AT_ONCE };
                        late.push(program.literal(&open, forms, place, random));
                        let some = |(edge, body): (Edge, Vec<Literal>)| {
                            (first..first + CONSTANTS).map(move |atom| {
                                let more = body.iter().copied().chain([(atom, false)]);
                                (edge, more.collect::<Vec<_>>())
                            })
                        };
                        bodies = bodies.into_iter().flat_map(some).collect();
                        continue;
                    }
                }
                for (edge, body) in &mut bodies {
                    body.push((first + edge[end], kind >= 4));
                }
            }
            let (predicate, end) = (below(random, predicates), below(random, 2));
            early.push(format!("edge_{name}(X, Y)"));
            early.extend(late);
            let head = format!("{name}_{predicate}({})", ["X", "Y"][end]);
            text += &format!("{head} :- {}.\n", early.join(", "));
            let head = |edge: Edge| predicate * CONSTANTS + edge[end];
            program.clauses.extend(bodies.into_iter().map(|(edge, body)| (head(edge), body)));
        }
        (program, text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Any,
    Stratified,
    Game,
    /// With variables.
    Datalog,
}

/// Ways to say that an atom does not hold.
const NEGATIVE: usize = 0;

/// Ways to say that it does.
const POSITIVE: usize = 1;

/// Ways to say that it does which need its table to be complete.
const AT_ONCE: usize = 2;

/// Ways to call a goal that keep each answer.
const EACH: usize = 3;

/// The outcome of a query: whether it has an answer, or `None` for an error.
fn ask(session: &mut Session, goal: &str) -> Option<bool> {
    session.allow(&Allowance { inferences: Some(3_000_000), ..Allowance::default() });
    let mut query = session.query(goal).expect("a goal");
    let found = session.next(&mut query);
    let outcome = match found {
        Ok(found) => Some(found),
        Err(Fault::Ball(ball)) => {
            let text = term_text(&session.machine, &session.world, &ball);
            assert!(text.contains("tabled_procedure"), "{text}");
            None
        }
        Err(fault) => panic!("{goal}: {fault:?}"),
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
        let name = format!("p_{number}");
        let (program, text) = match kind {
            Kind::Datalog => Ground::datalog(&mut random, name),
            _ => {
                let program = Ground::random(&mut random, kind, name);
                let text = match kind == Kind::Game && number % 2 == 0 {
                    true => program.text_of_moves(&mut random),
                    false => program.text(kind, &mut random),
                };
                (program, text)
            }
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
                assert!(
                    matches!(kind, Kind::Any | Kind::Datalog),
                    "{goal} is decided: {model:?}\n{text}"
                );
                undecided += 1;
            }
        };
        for atom in 0..program.atoms {
            ask(&mut session, "abolish_all_tables");
            look(&mut session, &program.goal(atom), atom);
        }
        // With the tables of earlier queries, and after an error in the same query.
        for atom in (0..program.atoms).rev() {
            let goal = program.goal(atom);
            look(&mut session, &goal, atom);
            look(&mut session, &format!("\\+ \\+ {goal}"), atom);
            let other = program.goal((atom + 1) % program.atoms);
            look(&mut session, &format!("catch(ignore({other}), _, true), {goal}"), atom);
        }
        // All atoms of a predicate at once.
        for abolishes in [true, false] {
            for first in (0..program.atoms).step_by(program.width) {
                if abolishes {
                    ask(&mut session, "abolish_all_tables");
                }
                let atoms = first..(first + program.width).min(program.atoms);
                let truths = atoms.clone().filter(|&atom| model[atom] == Truth::True);
                let truths: Vec<String> = truths.map(|atom| (atom - first).to_string()).collect();
                let goal = program.goal(first).replace("(0)", "(X)");
                let query = format!("findall(X, {goal}, L), sort(L, [{}])", truths.join(","));
                let found = ask(&mut session, &query);
                assert!(found != Some(false), "{query}\n{text}");
                if atoms.clone().any(|atom| model[atom] == Truth::Undefined) {
                    assert_eq!(found, None, "{query}\n{text}");
                }
            }
        }
    }
    undecided
}

fn programs(few: u64) -> u64 {
    if std::env::var("ZUG_FULL").is_ok_and(|wish| wish == "1") { 20 * few } else { few }
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

#[test]
fn no_program_with_variables_has_two_answers() {
    check(4, Kind::Datalog, programs(60));
}
