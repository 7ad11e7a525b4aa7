//! Written rules are held against a validator that tries all ground actions: which apply, what they cost,
//! what they lead to, and goals, on walks at random.

use super::definitions::{Action, Cost, Domain, Problem};
use super::formula::{Atom, Condition, Term};
use super::task::Task;
use super::types::Typed;
use super::write;
use std::collections::{BTreeMap, BTreeSet};
use zug_prolog::Session;
use zug_random::Random;
use zug_term::source::Source;

const CHECK: &str = include_str!("check.pl");
const DOMAIN: &str = include_str!("tasks/yard.pddl");
const FIRST: &str = include_str!("tasks/yard-1.pddl");
const SECOND: &str = include_str!("tasks/yard-2.pddl");

type Fact = (String, Vec<String>);
type Facts = BTreeSet<Fact>;
type Binding = BTreeMap<usize, String>;

/// The meaning of a task, as plainly as it can be said.
struct Validator<'a> {
    task: &'a Task<'a>,
    problem: &'a Problem,
}

impl Validator<'_> {
    fn ground(atom: &Atom, binding: &Binding) -> Fact {
        let word = |term: &Term| match term {
            Term::Var(var) => binding[var].clone(),
            Term::Object(name) => name.clone(),
        };
        (atom.name.clone(), atom.args.iter().map(word).collect())
    }

    /// All ways to give objects of their types to variables.
    fn bindings(&self, vars: &[Typed], which: &[usize], binding: &Binding) -> Vec<Binding> {
        let mut found = vec![binding.clone()];
        for &var in which {
            let objects = |kind: &String| self.task.objects(self.problem, kind);
            let objects: BTreeSet<&str> = vars[var].1.iter().flat_map(objects).collect();
            let extended = |binding: &Binding, object: &&str| {
                let mut binding = binding.clone();
                binding.insert(var, (*object).to_owned());
                binding
            };
            found = found
                .iter()
                .flat_map(|b| objects.iter().map(|o| extended(b, o)).collect::<Vec<_>>())
                .collect();
        }
        found
    }

    fn holds(
        &self,
        condition: &Condition,
        vars: &[Typed],
        binding: &Binding,
        facts: &Facts,
    ) -> bool {
        let same = |left: &Term, right: &Term| {
            let pair = Atom { name: String::new(), args: vec![left.clone(), right.clone()] };
            let (_, words) = Self::ground(&pair, binding);
            words[0] == words[1]
        };
        match condition {
            Condition::Atom(holds, atom) => facts.contains(&Self::ground(atom, binding)) == *holds,
            Condition::Same(wanted, left, right) => same(left, right) == *wanted,
            Condition::And(parts) => {
                parts.iter().all(|part| self.holds(part, vars, binding, facts))
            }
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part, vars, binding, facts)),
            Condition::Exists(some, which, inner) => {
                let bindings = self.bindings(vars, which, binding);
                bindings.iter().any(|binding| self.holds(inner, vars, binding, facts)) == *some
            }
        }
    }

    /// The facts with all that follows from them.
    fn closed(&self, facts: &Facts) -> Facts {
        let mut facts = facts.clone();
        loop {
            let before = facts.len();
            for derived in &self.task.domain.derived {
                let head: Vec<usize> = (0..derived.head.args.len()).collect();
                for binding in self.bindings(&derived.vars, &head, &Binding::new()) {
                    if self.holds(&derived.condition, &derived.vars, &binding, &facts) {
                        facts.insert(Self::ground(&derived.head, &binding));
                    }
                }
            }
            if facts.len() == before {
                return facts;
            }
        }
    }

    fn cost(&self, action: &Action, binding: &Binding) -> i64 {
        let value = |cost: &Cost| match cost {
            Cost::Number(number) => number.parse::<i64>().expect("an integer"),
            Cost::Function(atom, _) => {
                let (name, args) = Self::ground(atom, binding);
                let known = self
                    .problem
                    .values
                    .iter()
                    .find(|(own, own_args, _)| *own == name && *own_args == args);
                known.expect("the value is given").2.parse::<i64>().expect("an integer")
            }
        };
        action.costs.iter().map(value).sum()
    }

    /// What an action leads to.
    fn after(&self, action: &Action, binding: &Binding, facts: &Facts) -> Facts {
        let known = self.closed(facts);
        let (mut gone, mut come) = (Facts::new(), Facts::new());
        for effect in &action.effects {
            for binding in self.bindings(&action.vars, &effect.vars, binding) {
                if self.holds(&effect.condition, &action.vars, &binding, &known) {
                    let into = if effect.holds { &mut come } else { &mut gone };
                    into.insert(Self::ground(&effect.atom, &binding));
                }
            }
        }
        facts.difference(&gone).cloned().chain(come).collect()
    }

    /// The moves there are: text, cost, and what comes of them.
    fn moves(&self, facts: &Facts) -> Vec<(String, i64, Facts)> {
        let known = self.closed(facts);
        let mut moves = Vec::new();
        for action in &self.task.domain.actions {
            let parameters: Vec<usize> = (0..action.parameters).collect();
            for binding in self.bindings(&action.vars, &parameters, &Binding::new()) {
                if self.holds(&action.precondition, &action.vars, &binding, &known) {
                    let args = parameters.iter().map(|var| binding[var].clone()).collect();
                    let name = self.fact(&(action.name.clone(), args));
                    moves.push((
                        name,
                        self.cost(action, &binding),
                        self.after(action, &binding, facts),
                    ));
                }
            }
        }
        moves
    }

    fn fact(&self, (name, args): &Fact) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.task.object(arg).to_owned()).collect();
        crate::text::compound(self.task.functor(name), &args)
    }

    /// What changes of some facts, as a list.
    fn fluents(&self, facts: &Facts) -> String {
        let changing = facts.iter().filter(|(name, _)| self.task.changing.contains(&name.as_str()));
        let facts: Vec<String> = changing.map(|fact| self.fact(fact)).collect();
        format!("[{}]", facts.join(","))
    }
}

fn parsed(text: &str, problems: &[&str]) -> (Domain, Vec<Problem>) {
    let mut findings = Vec::new();
    let problems = problems.iter().map(|text| Source::new("problem.pddl", text));
    let sources: Vec<Source> =
        std::iter::once(Source::new("domain.pddl", text)).chain(problems).collect();
    let (domain, problems) =
        super::files::task(&sources, &mut findings).expect("a domain and problems");
    let read = super::read(&domain, &problems, &mut findings);
    assert_eq!(findings, []);
    read
}

/// A predicate that makes a state of a list of fluents.
fn state_of(task: &Task) -> String {
    let (relations, flags): (Vec<&str>, Vec<&str>) =
        task.changing.iter().partition(|name| task.arity(name) > 0);
    let mut goals = Vec::new();
    let mut lists = Vec::new();
    for (nth, name) in relations.iter().enumerate() {
        let args = vec!["_".to_owned(); task.arity(name)];
        let fluent = crate::text::compound(task.functor(name), &args);
        goals.push(format!(
            "findall(F, ( member(F, Fs), F = {fluent} ), L{nth}0), sort(L{nth}0, L{nth})"
        ));
        lists.push(format!("L{nth}"));
    }
    if !flags.is_empty() {
        goals
            .push("findall(F, ( member(F, Fs), atom(F) ), Flags0), sort(Flags0, Flags)".to_owned());
        lists.push("Flags".to_owned());
    }
    if task.problems.len() > 1 {
        lists.insert(0, "I".to_owned());
    }
    format!("state_of(I, Fs, state({})) :- I = I, {}.\n", lists.join(","), goals.join(", "))
}

/// States on walks at random, as facts for the check.
fn walks(task: &Task) -> (String, usize) {
    let mut random = Random::new(3);
    let mut facts = BTreeSet::new();
    for problem in task.problems {
        let validator = Validator { task, problem };
        for _ in 0..15 {
            let mut state: Facts = problem.init.iter().cloned().collect();
            for _ in 0..12 {
                let moves = validator.moves(&state);
                let goal = validator.holds(
                    &problem.goal,
                    &problem.vars,
                    &Binding::new(),
                    &validator.closed(&state),
                );
                let shown: Vec<String> = moves
                    .iter()
                    .map(|(name, cost, after)| {
                        format!("m({name},{cost},{})", validator.fluents(after))
                    })
                    .collect();
                let name = crate::text::plain(&problem.name);
                let fluents = validator.fluents(&state);
                facts.insert(format!("moves({name},{fluents},{goal},[{}]).\n", shown.join(",")));
                if moves.is_empty() {
                    break;
                }
                state = moves[random.below(moves.len() as u64) as usize].2.clone();
            }
        }
    }
    (facts.iter().map(String::as_str).collect(), facts.len())
}

fn difference(task: &Task, rules: &str) -> Option<String> {
    let (facts, states) = walks(task);
    assert!(states > 30, "{states} states");
    let mut session = Session::new();
    let findings =
        session.load_text("rules", &format!("{rules}\n{CHECK}\n{}{facts}", state_of(task)));
    let errors: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{rules}");
    let mut query = session.query("mismatch(W)").expect("it reads");
    match session.next(&mut query) {
        Ok(found) => found.then(|| session.answer(&query)),
        Err(fault) => Some(format!("{fault:?}")),
    }
}

#[test]
fn rules_do_what_actions_do() {
    for problems in [&[FIRST][..], &[SECOND], &[FIRST, SECOND]] {
        let (domain, problems) = parsed(DOMAIN, problems);
        let task = Task::new(&domain, &problems);
        let rules = write::write(&task);
        assert_eq!(difference(&task, &rules), None, "{rules}");
    }
}

#[test]
fn a_difference_is_found() {
    let (domain, problems) = parsed(DOMAIN, &[FIRST]);
    let task = Task::new(&domain, &problems);
    let rules = write::write(&task);
    for (from, to) in [
        ("way(depot, a, 2)", "way(depot, a, 7)"),
        ("From \\== To", "From == To"),
        ("heavy(w2)", "heavy(w1)"),
    ] {
        assert!(rules.contains(from), "{from}\n{rules}");
        assert!(difference(&task, &rules.replacen(from, to, 1)).is_some(), "{from}");
    }
}

/// Searches breadth first: `solved/1` has a plan, and `costs/2` what the moves of the first state cost.
const SEARCH: &str = "
solved(I) :- initial_state(I, S), reach([S], [S]).
reach([S|_], _) :- final_state(S), !.
reach([S|Ss], Seen) :-
    findall(T, ( rule(_, _, S, T), \\+ memberchk(T, Seen) ), Ts0),
    sort(Ts0, Ts), append(Seen, Ts, Seen1), append(Ss, Ts, Next),
    reach(Next, Seen1).
costs(I, Cs) :- initial_state(I, S), findall(C, rule(_, C, S, _), Cs0), sort(Cs0, Cs).
";

/// What fails of some goals about the rules of a task.
fn failing<'g>(text: &str, goals: &[&'g str]) -> Vec<&'g str> {
    let imported = super::import(&[Source::new("task.pddl", text)]).expect("it is imported");
    let mut session = Session::new();
    let rules = format!("{}\n{SEARCH}", imported.rules);
    let findings = session.load_text("rules", &rules);
    assert!(findings.is_empty(), "{findings:?}\n{rules}");
    let holds = |goal: &&str| {
        let mut query = session.query(goal).expect("it reads");
        session.next(&mut query).unwrap_or_else(|fault| panic!("{fault:?}\n{rules}"))
    };
    let mut holds = holds;
    goals.iter().copied().filter(|goal| !holds(goal)).collect()
}

#[test]
fn static_facts_belong_to_their_problem() {
    let task = |goal: &str| {
        format!(
            "(define (domain d) (:predicates (free) (done))
               (:action a :parameters () :precondition () :effect (done)))
             (define (problem p) (:domain d) (:init (free)) (:goal (and {goal} (done))))
             (define (problem q) (:domain d) (:init) (:goal (and {goal} (done))))"
        )
    };
    assert_eq!(failing(&task("(free)"), &["solved(p)", "\\+ solved(q)"]), [""; 0]);
    assert_eq!(failing(&task("(not (free))"), &["\\+ solved(p)", "solved(q)"]), [""; 0]);
}

#[test]
fn names_of_variables_differ() {
    // Lists, parameters and what costs are all have names that another one asks for.
    let text = "
        (define (domain d)
          (:predicates (flag ?x) (up) (at ?x) (_at ?x) (instance ?x) (ok ?x ?y ?z))
          (:functions (total-cost) (f ?x) (g ?x))
          (:action a :parameters (?total ?cost ?cost_2 ?flags ?atsnew1 ?instance)
            :precondition (and (ok ?total ?cost ?cost_2) (flag ?flags) (instance ?instance) (at ?atsnew1) (not (up)))
            :effect (and (up) (not (flag ?flags)) (_at ?total) (not (instance ?instance)) (not (at ?atsnew1))
              (at ?flags) (increase (total-cost) (f ?total)) (increase (total-cost) (g ?cost)))))
        (define (problem p) (:domain d) (:objects u v w)
          (:init (ok u v w) (flag w) (instance v) (at u) (= (f u) 3) (= (g v) 4))
          (:goal (and (up) (_at u) (at w) (not (flag w)) (not (at u)) (not (instance v))))
          (:metric minimize (total-cost)))";
    assert_eq!(failing(text, &["solved(p)", "costs(p, [7])"]), [""; 0]);
}

#[test]
fn names_of_predicates_differ() {
    let text = "
        (define (domain d)
          (:types place is_place type_place)
          (:predicates (open) (is-open) (is_open) (place ?x) (type_place ?x) (false) (12 ?x - place) (done) (rest))
          (:action a :parameters (?x - place)
            :precondition (and (open) (not (is-open)) (not (is_open)) (not (false)) (12 ?x) (not (type_place ?x)) (place ?x))
            :effect (done))
          (:action b :parameters (?x - place) :precondition () :effect (rest)))
        (define (problem p) (:domain d) (:objects one - place two - type_place)
          (:init (open) (place one) (place two) (type_place two) (12 one)) (:goal (and (done) (rest))))";
    assert_eq!(failing(text, &["solved(p)"]), [""; 0]);
}

#[test]
fn types_are_asked_for_where_others_may_hold() {
    let task = |derived: &str, effect: &str| {
        format!(
            "(define (domain d) (:types a b) (:predicates (r ?x - a) (q ?x) (done)) {derived}
               (:action s :parameters (?y - a) :precondition (r ?y) :effect (done))
               (:action t :parameters (?y) :precondition (q ?y) :effect {effect}))
             (define (problem p) (:domain d) (:objects o - b) (:init (q o)) (:goal (done)))"
        )
    };
    assert_eq!(failing(&task("(:derived (r ?x) (q ?x))", "()"), &["\\+ solved(p)"]), [""; 0]);
    assert_eq!(failing(&task("", "(r ?y)"), &["\\+ solved(p)"]), [""; 0]);
}

#[test]
fn actions_cost_1_without_a_metric() {
    let text = "
        (define (domain d) (:predicates (done)) (:functions (total-cost) (f))
          (:action a :effect (and (done) (increase (total-cost) (f)))))
        (define (problem p) (:domain d) (:init (= (f) 5)) (:goal (done)) (:metric minimize (total-cost)))
        (define (problem q) (:domain d) (:init) (:goal (done)))";
    assert_eq!(failing(text, &["costs(p, [5])", "costs(q, [1])"]), [""; 0]);
}

#[test]
fn names_of_built_in_predicates_are_free() {
    let words: std::collections::BTreeSet<&str> = zug_prolog::builtins::host::PROTECTED
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    for arity in 0..=8 {
        let args = |arg: &str| (0..arity).map(|n| format!(" {arg}{n}")).collect::<String>();
        let all =
            |args: &str| -> String { words.iter().map(|word| format!("({word}{args})")).collect() };
        let vars = args("?x");
        let text = format!(
            "(define (domain d) (:predicates {} (done))
               (:action a :parameters ({vars}) :precondition (and {}) :effect (done)))
             (define (problem p) (:domain d) (:objects{}) (:init {}) (:goal (done)))",
            all(&vars),
            all(&vars),
            args("o"),
            all(&args("o")),
        );
        assert_eq!(failing(&text, &["solved(p)"]), [""; 0]);
    }
}

#[test]
fn a_domain_without_actions() {
    let text = "(define (domain d) (:predicates (done)))
        (define (problem p) (:domain d) (:init (done)) (:goal (done)))
        (define (problem q) (:domain d) (:init) (:goal (done)))";
    assert_eq!(failing(text, &["solved(p)", "\\+ solved(q)"]), [""; 0]);
}
