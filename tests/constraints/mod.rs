//! Reasons of constraints, held against checks that know nothing of them.
//!
//! `broken_models.pl` has models without a solution, `forced_models.pl` such whose values are forced. Of each it is
//! asked why, and what is told is read as a reader does: the constraints by their texts and lines, and the steps line by
//! line. The set that is told must be one that can't hold together, and of which none can be left out; each step must
//! follow from those before it and its own constraint. `check.pl` decides that by labelling within wide bounds and, where
//! there are few variables, by trying all values.

mod reading;

use crate::support::root;
use reading::{Told, read_constraints, read_notes, term};
use std::collections::BTreeSet;
use std::path::PathBuf;
use zug_explain::{Explanation, take_explanations};
use zug_prolog::session::Session;

/// A session with a file of this folder.
fn session(file: &str) -> Session {
    crate::support::session(path(file))
}

fn path(file: &str) -> PathBuf {
    root().join("tests/constraints").join(file)
}

/// The names of the models of a file.
fn models(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path(file)).expect("the models");
    let heads = text.lines().filter_map(|line| line.strip_prefix("model("));
    heads.filter_map(|head| Some(head.split_once(',')?.0.to_owned())).collect()
}

fn explained(session: &mut Session, goal: &str) -> Explanation {
    let mut query = session.query(goal).expect("it reads");
    assert!(session.next(&mut query).expect("no error"), "{goal}");
    session.close(query);
    take_explanations(&mut session.world).pop().unwrap_or_else(|| panic!("no explanation: {goal}"))
}

/// Constraints whose truth is not decided for given values.
const UNKNOWN: [&str; 10] = [
    "element(",
    "tuples_in(",
    "circuit(",
    "global_cardinality(",
    "cumulative(",
    "disjoint2(",
    "serialized(",
    "lex_chain(",
    "automaton(",
    "scalar_product(",
];

/// Decides questions about constraints as they are written in explanations.
struct Check {
    session: Session,
}

impl Check {
    fn new() -> Check {
        Check { session: session("check.pl") }
    }

    fn ask(&mut self, goal: &str) -> bool {
        let mut query =
            self.session.query(goal).unwrap_or_else(|found| panic!("{goal}: {found:?}"));
        let answer = self.session.next(&mut query);
        self.session.close(query);
        answer.unwrap_or_else(|fault| panic!("{goal}: {}", self.session.describe(&fault).message))
    }

    /// Whether constraints can hold together.
    fn possible(&mut self, constraints: &[String]) -> bool {
        let goals: Vec<String> = constraints.iter().map(|text| term(text)).collect();
        self.ask(&format!("possible([{}])", goals.join(", ")))
    }

    /// The same by trying values, where constraints have few variables and are not too many.
    fn tried(&mut self, constraints: &[String]) -> Option<bool> {
        let goals: Vec<String> = constraints.iter().map(|text| term(text)).collect();
        let known = |goal: &String| !UNKNOWN.iter().any(|name| goal.starts_with(name));
        let range = match reading::variables(constraints).len() {
            0..=2 => "-4, 16",
            3 => "0, 6",
            _ => return None,
        };
        (goals.iter().all(known) && goals.iter().all(|goal| goal.len() < 80))
            .then(|| self.ask(&format!("tried({range}, [{}])", goals.join(", "))))
    }
}

/// What is wrong with a set of constraints that is told as smallest.
fn wrong_set(check: &mut Check, set: &[String], extra: &[String]) -> Vec<String> {
    let mut wrong = Vec::new();
    let all: Vec<String> = set.iter().chain(extra).cloned().collect();
    if check.possible(&all) {
        wrong.push(format!("can hold together: {all:?}"));
    }
    for (at, one) in set.iter().enumerate() {
        let mut rest = all.clone();
        rest.remove(at);
        if !check.possible(&rest) {
            wrong.push(format!("`{one}` is not needed"));
        }
    }
    wrong
}

/// What is wrong with steps: those that do not follow from what is told before them.
fn wrong_steps(check: &mut Check, told: &[Told], set: &[String]) -> (Vec<String>, bool) {
    let (mut wrong, mut brute) = (Vec::new(), false);
    for step in told {
        for text in &step.by {
            if !set.contains(text) {
                wrong.push(format!("`{text}` is not in the set: {}", step.line));
            }
        }
        if step.is_cut {
            continue;
        }
        let known: Vec<String> = step.known.iter().chain(&step.by).cloned().collect();
        for refuted in &step.refuted {
            let all: Vec<String> = known.iter().chain(refuted).cloned().collect();
            if check.possible(&all) {
                wrong.push(format!("does not follow: {} from {known:?}", step.line));
            }
            if let Some(found) = check.tried(&all) {
                brute = true;
                if found {
                    wrong.push(format!("does not follow by trying: {}", step.line));
                }
            }
        }
    }
    (wrong, brute)
}

#[test]
fn smallest_sets_and_their_steps_are_right() {
    let names = models("broken_models.pl");
    assert!(names.len() >= 50, "{} models", names.len());
    let text = std::fs::read_to_string(path("broken_models.pl")).expect("the models");
    let (mut session, mut check) = (session("broken_models.pl"), Check::new());
    let (mut wrong, mut tried, mut doubted) = (Vec::new(), 0, 0);
    for name in &names {
        let found = explained(&mut session, &format!("why_not(model({name}, Vs))"));
        let mut faults = Vec::new();
        let set = match read_constraints(&found) {
            Some(set) => set,
            None => {
                wrong.push(format!("{name}: no set: {found:#?}"));
                continue;
            }
        };
        for (constraint, line) in &set {
            faults.extend(reading::misplaced(constraint, *line, &text, name));
        }
        let set: Vec<String> = set.into_iter().map(|(text, _)| text).collect();
        let is_least = found.title.contains("without any one of them") || set.len() == 1;
        if !is_least {
            faults.push(format!("not known to be smallest: {}", found.title));
        }
        // Of what is needed for the proof alone it is told that it may not be needed.
        let doubts = found.title.split_once("(of ").map_or("", |(_, doubts)| doubts);
        doubted += usize::from(!doubts.is_empty());
        let wrong_in_set = wrong_set(&mut check, &set, &[]);
        let doubtful = |fault: &String| {
            fault.ends_with(" is not needed")
                && set
                    .iter()
                    .any(|one| fault.contains(&format!("`{one}`")) && doubts.contains(one.as_str()))
        };
        faults.extend(wrong_in_set.into_iter().filter(|fault| !doubtful(fault)));
        let told = read_notes(&found.notes);
        let (steps, brute) = wrong_steps(&mut check, &told, &set);
        faults.extend(steps);
        tried += usize::from(brute && faults.is_empty());
        if !told.last().is_some_and(|last| last.ends) {
            faults.push("the steps end without a contradiction".to_owned());
        }
        if !faults.is_empty() {
            let notes = found.notes.join("\n    ");
            wrong.push(format!("{name}: {}\n  of {set:?}\n    {notes}", faults.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), names.len(), wrong.join("\n\n"));
    assert!(doubted <= names.len() / 6, "{doubted} sets are not known to be smallest");
    assert!(tried >= 10, "the steps of {tried} models were tried with all values");
}

#[test]
fn forced_values_are_forced_by_the_sets_that_are_told() {
    let names = models("forced_models.pl");
    assert!(names.len() >= 20, "{} models", names.len());
    let (mut session, mut check) = (session("forced_models.pl"), Check::new());
    let mut wrong = Vec::new();
    for name in &names {
        let found = explained(&mut session, &format!("why(model({name}, Vs))"));
        let forced = reading::read_forced(&found.notes);
        let mut faults = Vec::new();
        if forced.is_empty() {
            faults.push("nothing is forced".to_owned());
        }
        // What is told in short, by lines alone, is passed over.
        for forced in forced.into_iter().filter(|forced| !forced.told.is_empty()) {
            let set: Vec<String> = forced
                .told
                .iter()
                .flat_map(|told| told.by.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect();
            if set.len() != forced.count {
                faults.push(format!("{} constraints, told are {set:?}", forced.count));
            }
            let other = format!("{} #\\= {}", forced.name, forced.value);
            faults.extend(wrong_set(&mut check, &set, &[other]));
            let (steps, _) = wrong_steps(&mut check, &forced.told, &set);
            faults.extend(steps);
        }
        for free in reading::read_free(&found.notes) {
            let all = explained_all(&mut session, name, &free);
            if all < 2 {
                faults.push(format!("{free} has one value and is said not to be forced"));
            }
        }
        if !faults.is_empty() {
            wrong.push(format!(
                "{name}: {}\n    {}",
                faults.join("\n  "),
                found.notes.join("\n    ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), names.len(), wrong.join("\n\n"));
}

/// The number of values that a named variable of a model has.
fn explained_all(session: &mut Session, model: &str, name: &str) -> usize {
    let goal = format!(
        "findall(V, ( model({model}, Vs), memberchk({name}=V, Vs) ), L), sort(L, S), length(S, N)"
    );
    let mut query = session.query(&goal).expect("it reads");
    assert!(session.next(&mut query).expect("no error"), "{goal}");
    let answer = session.answer(&query);
    session.close(query);
    let count = answer.rsplit("N = ").next().unwrap_or_default();
    count.trim_end_matches('.').trim().parse().unwrap_or_default()
}

/// What is told of goals in `ways.pl`: the title, and the notes that begin so.
#[test]
fn goals_with_several_ways_and_labels_are_told_rightly() {
    let mut session = session("ways.pl");
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "two_ways(X, Y)",
            "2 constraints can't hold together",
            &["this is the first of 2 ways", "way 2 fails too:"],
        ),
        ("second_way(X, Y)", "the constraints can hold together", &[]),
        (
            "false_values(X)",
            "one constraint can't hold",
            &["before this, several times a constraint was false"],
        ),
        ("labelled(X, Y)", "2 constraints can't hold together", &["x #> 5"]),
        ("after_label(X)", "the constraints can hold together where values are asked for", &[]),
        ("optimised(X, Y)", "2 constraints can't hold together", &[]),
        ("no_constraint(X)", "`no_constraint(X)` has no proof", &[]),
        ("asked(X, Y)", "3 constraints can't hold together", &[]),
        ("possible(X)", "the constraints can hold together", &[]),
        (
            "open(X, Y)",
            "whether the constraints can hold together was not found out: `Y` has no bounds",
            &[],
        ),
    ];
    for (goal, title, notes) in cases {
        let found = explained(&mut session, &format!("why_not({goal})"));
        assert!(found.title.starts_with(title), "{goal}: {found:#?}");
        for note in *notes {
            let note = note.replace("x ", "X ");
            assert!(
                found.notes.iter().any(|line| line.starts_with(&note)),
                "{goal}: {note}: {found:#?}"
            );
        }
    }
}
