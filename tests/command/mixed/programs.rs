//! Programs with queries whose answers are known, unit tests, and files that would leave
//! something behind for those after them.

use super::{Due, Job, Made, Random, Recipe};
use std::fmt::Write;

pub fn recipes() -> Vec<Recipe> {
    vec![
        Recipe { kind: "sums", make: sums },
        Recipe { kind: "powers", make: powers },
        Recipe { kind: "primes", make: primes },
        Recipe { kind: "grammar", make: grammar },
        Recipe { kind: "family", make: family },
        Recipe { kind: "no_answer", make: no_answer },
        Recipe { kind: "unit_tests", make: unit_tests },
        Recipe { kind: "answers_right", make: answers_right },
        Recipe { kind: "answers_wrong", make: answers_wrong },
        Recipe { kind: "raises", make: raises },
        Recipe { kind: "halts", make: halts },
        Recipe { kind: "leaves_traces", make: leaves_traces },
        Recipe { kind: "looks_for_traces", make: looks_for_traces },
        Recipe { kind: "consults", make: consults },
        Recipe { kind: "consults_round", make: consults_round },
        Recipe { kind: "engines_asked", make: engines_asked },
    ]
}

/// Queries that have answers: while the file is loaded they are a matter of course.
fn asked(text: String, ask: Due) -> Made {
    Made::new(text, Due::new("program"), ask)
}

fn sums(random: &mut Random, _: &Job<'_>) -> Made {
    let numbers: Vec<i64> = (0..random.size(1, 30)).map(|_| random.range(-99, 99)).collect();
    let sum: i64 = numbers.iter().sum();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let sorted: Vec<String> = sorted.iter().map(ToString::to_string).collect();
    let name = random.name();
    let text = format!(
        "{name}(Xs, S) :- {name}(Xs, 0, S).\n{name}([], S, S).\n\
         {name}([X|Xs], S0, S) :- S1 is S0 + X, {name}(Xs, S1, S).\n\
         ?- {name}({numbers:?}, S).\n?- sort({numbers:?}, L).\n"
    );
    let due = Due::new("true").results(2).answers(0, &[format!("S = {sum}")]);
    asked(text, due.answers(1, &[format!("L = [{}]", sorted.join(","))]))
}

fn powers(random: &mut Random, _: &Job<'_>) -> Made {
    let (base, exponent) = (random.range(2, 99), random.range(1, 400));
    let modulus = random.range(2, 1_000_000);
    let rest = (0..exponent).fold(1i64, |rest, _| rest * base % modulus);
    let text = format!("?- X is {base} ** {exponent} mod {modulus}.\n");
    asked(text, Due::new("true").results(1).answers(0, &[format!("X = {}", rest % modulus)]))
}

fn primes(random: &mut Random, _: &Job<'_>) -> Made {
    let (low, high) = (random.range(2, 60), random.range(61, 120));
    let is_prime = |n: &i64| (2..*n).all(|d| n % d != 0);
    let found: Vec<i64> = (low..=high).filter(is_prime).collect();
    let text = format!(
        "prime(N) :- N > 1, \\+ (between(2, N, D), D < N, N mod D =:= 0).\n\
         ?- findall(P, (between({low}, {high}, P), prime(P)), Ps), length(Ps, N), last(Ps, L).\n"
    );
    let (count, last) = (found.len(), found.last().expect("61 is one"));
    let due = Due::new("true").results(1);
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    let answer = format!("Ps = [{}], N = {count}, L = {last}", shown.join(","));
    asked(text, due.answers(0, &[answer]))
}

fn grammar(random: &mut Random, _: &Job<'_>) -> Made {
    let (a, b) = (random.size(0, 12), random.size(0, 12));
    let b = if random.once_in(2) { a } else { b };
    let word: Vec<&str> = [vec!["a"; a], vec!["b"; b]].concat();
    let text = format!("s --> [].\ns --> [a], s, [b].\n?- phrase(s, [{}]).\n", word.join(", "));
    asked(text, Due::new(if a == b { "true" } else { "false" }).results(1))
}

fn family(random: &mut Random, _: &Job<'_>) -> Made {
    let people: Vec<String> =
        (0..random.size(3, 20)).map(|at| format!("{}{at}", random.name())).collect();
    let mut text = String::new();
    for pair in people.windows(2) {
        let _ = writeln!(text, "parent({}, {}).", pair[0], pair[1]);
    }
    text += "before(X, Y) :- parent(X, Y).\nbefore(X, Z) :- parent(X, Y), before(Y, Z).\n";
    let _ = writeln!(text, "?- before({}, X).", people[0]);
    let answers: Vec<String> = people[1..].iter().map(|name| format!("X = {name}")).collect();
    asked(text, Due::new("true").results(1).answers(0, &answers))
}

fn no_answer(random: &mut Random, _: &Job<'_>) -> Made {
    let (name, number) = (random.name(), random.range(1, 99));
    let text = format!(
        "{name}({number}).\n?- {name}(X).\n?- {name}(X), X > {number}.\n?- member({name}, []).\n"
    );
    let due = Due::new("false").results(3).answers(0, &[format!("X = {number}")]);
    asked(text, due.answers(1, &[]).answers(2, &[]))
}

fn unit_tests(random: &mut Random, _: &Job<'_>) -> Made {
    let count = random.size(1, 6);
    let wrong = random.once_in(2).then(|| random.size(0, count - 1));
    let mut text = "double(X, Y) :- Y is 2 * X.\n:- begin_tests(double).\n".to_owned();
    let mut due = Due::new(if wrong.is_some() { "failed" } else { "passed" }).results(count + 1);
    for at in 0..count {
        let number = random.range(-50, 50);
        let sum = 2 * number + i64::from(wrong == Some(at));
        let _ = writeln!(text, "test(t{at}, X == {sum}) :- double({number}, X).");
        due = due.field(at, "outcome", if wrong == Some(at) { "failed" } else { "passed" });
    }
    text += "test(later, blocked(soon)) :- fail.\n:- end_tests(double).\n";
    asked(text, due.field(count, "outcome", "skipped"))
}

fn answers_right(random: &mut Random, _: &Job<'_>) -> Made {
    let (low, high) = (random.range(1, 9), random.range(10, 20));
    let all: Vec<String> = (low..=high).map(|n| n.to_string()).collect();
    let text = format!(
        "?- between({low}, {high}, X).\n?- X is {low} + {high}.\n?- atom_length(X, _).\n\
         :- expect(1, answers([{}])).\n:- expect(2, answers([{}])).\n\
         :- expect(3, error(instantiation_error)).\n",
        all.join(", "),
        low + high
    );
    // What is expected says what is run.
    let due = Due::new("passed").points(3, 3);
    Made::new(text, due.clone(), due)
}

fn answers_wrong(random: &mut Random, _: &Job<'_>) -> Made {
    let (low, high) = (random.range(1, 9), random.range(10, 20));
    let text = format!(
        "?- between({low}, {high}, X).\n?- {low} < {high}.\n\
         :- expect(1, answers([{low}])).\n:- expect(2, false).\n:- expect(2, true, points(2)).\n"
    );
    let due = Due::new("failed").points(2, 4);
    Made::new(text, due.clone(), due)
}

fn raises(random: &mut Random, _: &Job<'_>) -> Made {
    let name = random.name();
    let (goal, says) = match random.range(1, 4) {
        1 => (format!("X is {name} + 1"), name.clone()),
        2 => (format!("throw({name})"), name.clone()),
        3 => (format!("{name}(1)"), name.clone()),
        _ => (format!("atom_length({name}, {name})"), name.clone()),
    };
    let text = format!("here.\n?- here.\n?- {goal}.\n?- here.\n");
    let ask = Due::new("error").results(3).field(2, "outcome", "true");
    Made::new(text, Due::new("faults").says(says.clone()), ask.says(says))
}

fn halts(random: &mut Random, _: &Job<'_>) -> Made {
    let status = random.range(0, 99);
    let text = format!("?- true.\n?- halt({status}).\n?- true.\n");
    let says = format!("halt({status})");
    Made::new(text, Due::new("halted"), Due::new("halted").results(2).says(says))
}

/// Whatever a file may change of the world it lives in.
fn leaves_traces(random: &mut Random, _: &Job<'_>) -> Made {
    let seed = random.range(1, 1_000_000);
    let text = format!(
        ":- op(700, xfx, ===>).\n:- op(200, xfy, is).\n:- set_prolog_flag(double_quotes, atom).\n\
         :- set_prolog_flag(unknown, fail).\n:- set_prolog_flag(occurs_check, true).\n\
         :- nb_setval(trace_left, {seed}).\n:- assertz(trace_left({seed})).\n\
         :- set_random(seed({seed})).\n:- dynamic trace_left/2.\n:- table trace_left/3.\n\
         :- recordz(trace_left, {seed}).\n:- flag(trace_left, _, {seed}).\n\
         trace_left(X, Y, Z) :- X = Y, Y = Z.\n\
         append(_, _, nothing).\nterm_expansion(mark(X), marked(X)).\nmark({seed}).\n\
         ?- assertz(member_left({seed})).\n?- gensym(left, _).\n\
         ?- b_setval(left, 1), nb_setval(left, [1, 2, 3]).\n"
    );
    asked(text, Due::new("true").results(3))
}

/// A file that sees nothing of the others, and the same random numbers each time.
fn looks_for_traces(_: &mut Random, _: &Job<'_>) -> Made {
    let text = "?- \\+ current_op(_, _, ===>), current_op(700, xfx, is).\n\
         ?- X = \"abc\", string(X).\n?- catch(no_such_predicate_q, error(existence_error(_, _), _), true).\n\
         ?- \\+ catch(nb_getval(trace_left, _), _, fail), \\+ catch(nb_getval(left, _), _, fail).\n\
         ?- \\+ current_predicate(trace_left/_), \\+ current_predicate(member_left/_), \
         \\+ current_predicate(marked/_).\n\
         ?- append(X, [c], [a, b, c]).\n?- \\+ recorded(trace_left, _), flag(trace_left, X, X).\n\
         ?- gensym(left, X).\n?- \\+ current_prolog_flag(occurs_check, true).\n\
         ?- X is random(1000000000).\n";
    let due = Due::new("true").results(10);
    let due = due.answers(1, &["X = \"abc\"".into()]).answers(5, &["X = [a,b]".into()]);
    let due = due.answers(6, &["X = 0".into()]).answers(7, &["X = left1".into()]);
    asked(text.to_owned(), due)
}

fn consults(random: &mut Random, job: &Job<'_>) -> Made {
    let (name, number) = (random.name(), random.range(1, 999));
    let beside = format!("{}_part.plt", job.stem);
    let text = format!(":- consult('{beside}').\n?- {name}(X).\n");
    let due = Due::new("true").results(1).answers(0, &[format!("X = {number}")]);
    asked(text, due).with(beside, format!("{name}({number}).\n"))
}

fn consults_round(random: &mut Random, job: &Job<'_>) -> Made {
    let (name, number) = (random.name(), random.range(1, 999));
    let beside = format!("{}_part.plt", job.stem);
    let text = format!(
        ":- ensure_loaded('{stem}.pl').\n:- ensure_loaded('{beside}').\n{name}({number}).\n?- {name}(X).\n",
        stem = job.stem
    );
    let due = Due::new("true").results(1).answers(0, &[format!("X = {number}")]);
    asked(text, due).with(beside, format!(":- ensure_loaded('{}.pl').\n", job.stem))
}

fn engines_asked(random: &mut Random, _: &Job<'_>) -> Made {
    let steps = random.range(1, 60);
    let text = format!(
        "initial_state(0).\nfinal_state({steps}).\nrule(one, 1, N, M) :- N < {steps}, M is N + 1.\n\
         rule(two, 3, N, M) :- N + 1 < {steps}, M is N + 2.\n\
         ?- ucs(0, _, C).\n?- bfs(0, _P, _), length(_P, N).\n"
    );
    let fewest = (steps + 1) / 2;
    let ask = Due::new("true").results(2).answers(0, &[format!("C = {steps}")]);
    let ask = ask.answers(1, &[format!("N = {fewest}")]);
    let solve = Due::new("solved").results(1).field(0, "cost", steps);
    Made::new(text, solve, ask)
}
