//! Files that never end, take all there is, or reach for what is not theirs.

use super::{Due, Job, Made, Random, Recipe};

/// Files that end at a limit that is counted.
pub fn recipes() -> Vec<Recipe> {
    vec![
        Recipe { kind: "loops", make: loops },
        Recipe { kind: "catches_all", make: catches_all },
        Recipe { kind: "writes", make: writes },
        Recipe { kind: "takes_memory", make: takes_memory },
        Recipe { kind: "huge_numbers", make: huge_numbers },
        Recipe { kind: "endless_atoms", make: endless_atoms },
        Recipe { kind: "subsets", make: subsets },
        Recipe { kind: "huge_terms", make: huge_terms },
        Recipe { kind: "long_comparison", make: long_comparison },
        Recipe { kind: "cyclic_terms", make: cyclic_terms },
        Recipe { kind: "endless_space", make: endless_space },
        Recipe { kind: "endless_rules", make: endless_rules },
        Recipe { kind: "endless_game", make: endless_game },
        Recipe { kind: "faulty_rules", make: faulty_rules },
        Recipe { kind: "reaches_out", make: reaches_out },
        Recipe { kind: "loads_outside", make: loads_outside },
        Recipe { kind: "loads_forever", make: loads_forever },
    ]
}

/// Files that only the clock ends.
pub fn clocked() -> Vec<Recipe> {
    vec![Recipe { kind: "long_division", make: long_division }]
}

/// A query that ends so, whether it is asked or runs while the file is loaded.
fn query(rules: &str, goal: &str, due: Due) -> Made {
    Made::same(format!("{rules}\n?- {goal}.\n"), due)
}

fn loops(random: &mut Random, _: &Job<'_>) -> Made {
    let (p, q) = (random.name(), random.name());
    let (rules, goal) = match random.range(1, 7) {
        1 => (format!("{p} :- {p}."), p),
        2 => (format!("{p}(X) :- {q}(X).\n{q}(X) :- {p}(X)."), format!("{p}(1)")),
        3 => (format!("{p}(X) :- {p}(X), {q}(X).\n{p}(a).\n{q}(a)."), format!("{p}(a)")),
        4 => (format!("{p}(N) :- M is N + 1, {p}(M)."), format!("{p}(0)")),
        5 => (format!("{p} :- \\+ \\+ {p}2, {p}.\n{p}2."), p),
        6 => (format!("{p} :- findall(X, between(1, inf, X), _)."), p),
        _ => (format!("{p} :- repeat, {q}, fail.\n{q}."), p),
    };
    query(&rules, &goal, Due::stopped("inferences"))
}

fn catches_all(random: &mut Random, _: &Job<'_>) -> Made {
    let p = random.name();
    let rules = format!(
        "{p} :- catch({p}_loop, _, true), {p}.\n{p}_loop :- {p}_step, {p}_loop.\n{p}_step."
    );
    let (goal, due) = match random.range(1, 3) {
        1 => (p, Due::stopped("inferences")),
        2 => (format!("catch({p}, _, {p})"), Due::stopped("inferences")),
        _ => (format!("setup_call_cleanup(true, {p}_loop, {p}_loop)"), Due::stopped("inferences")),
    };
    query(&rules, &goal, due)
}

fn writes(random: &mut Random, _: &Job<'_>) -> Made {
    let word = random.name().repeat(random.size(1, 10));
    let goal = match random.range(1, 5) {
        1 => format!("repeat, write({word}), nl, fail"),
        2 => "numlist(1, 20000, L), print(L)".to_owned(),
        3 => format!("format('~*c', [1000000, 0'{}])", &word[..1]),
        4 => "tab(10000000000)".to_owned(),
        _ => format!("catch((repeat, write(user_error, {word}), fail), _, true)"),
    };
    query("", &goal, Due::stopped("output"))
}

fn takes_memory(random: &mut Random, _: &Job<'_>) -> Made {
    let many = random.range(100_000_000, 1_000_000_000_000);
    let goal = match random.range(1, 5) {
        1 => format!("length(L, {many})"),
        2 => format!("numlist(1, {many}, L)"),
        3 => "functor(T, f, 20000000)".to_owned(),
        4 => "repeat, length(L, 10000000), fail".to_owned(),
        _ => format!("format(atom(A), '~*c', [{many}, 0'x])"),
    };
    query("", &goal, Due::stopped("memory"))
}

fn huge_numbers(random: &mut Random, _: &Job<'_>) -> Made {
    let n = random.range(5, 9);
    let goal = match random.range(1, 4) {
        1 => format!("X is {n}**({n}**({n}**{n}))"),
        2 => format!("X is 1 << (1 << {})", random.range(40, 60)),
        3 => format!("X is {n}**(10**12), Y is X mod 7"),
        _ => format!("X is {n}**{}", random.range(400_000_000, 999_999_999)),
    };
    query("", &goal, Due::stopped("memory"))
}

fn endless_atoms(random: &mut Random, _: &Job<'_>) -> Made {
    let p = random.name();
    let length = random.size(1500, 3000);
    let first = format!("a{}", "b".repeat(length));
    match random.range(1, 3) {
        1 => query(
            &format!("{p}(A) :- atom_concat(A, A, B), {p}(B)."),
            &format!("{p}(ab)"),
            Due::stopped("memory"),
        ),
        2 => query(
            &format!("{p}(S) :- string_concat(S, S, T), {p}(T)."),
            &format!("{p}(\"ab\")"),
            Due::stopped("memory"),
        ),
        _ => query(
            &format!("{p}(A) :- atom_concat(A, {first}, B), {p}(B)."),
            &format!("{p}({first})"),
            Due::stopped("memory"),
        ),
    }
}

/// All subsets of a set that has too many.
fn subsets(random: &mut Random, _: &Job<'_>) -> Made {
    let size = random.range(300, 400);
    let rules = "sub([], []).\nsub([H|T], [H|S]) :- sub(T, S).\nsub([_|T], S) :- sub(T, S).";
    let all = *random.pick(&["findall(S, sub(L, S), A)", "bagof(S, sub(L, S), A)"]);
    query(rules, &format!("numlist(1, {size}, L), {all}, length(A, N)"), Due::stopped("memory"))
}

/// A small term that is written as a huge one.
fn huge_terms(random: &mut Random, _: &Job<'_>) -> Made {
    let depth = random.range(30, 200);
    let rules = "shared(0, a) :- !.\nshared(N, f(T, T)) :- M is N - 1, shared(M, T).";
    match random.range(1, 3) {
        1 => query(rules, &format!("shared({depth}, T), print(T)"), Due::stopped("output")),
        2 => query(
            rules,
            &format!("shared({depth}, T), writeq(user_error, T)"),
            Due::stopped("output"),
        ),
        _ => Made::new(
            format!("{rules}\n?- shared({depth}, T).\n"),
            Due::new("program"),
            Due::new("true").results(1).field(0, "/answers/0/T/truncated", true),
        ),
    }
}

fn cyclic_terms(random: &mut Random, _: &Job<'_>) -> Made {
    let f = random.name();
    let (goal, due) = match random.range(1, 4) {
        1 => (format!("X = {f}(X), Y = {f}(Y), X == Y"), Due::new("true").results(1)),
        2 => (format!("X = [{f}|X], is_list(X)"), Due::new("false").results(1)),
        3 => {
            (format!("X = {f}(X, Y), Y = {f}(Y, X), copy_term(X, Z), ground(Z)"), Due::new("true"))
        }
        _ => (
            format!("X = [{f}|X], catch(length(X, _), error(type_error(list, _), _), fail)"),
            Due::new("false"),
        ),
    };
    Made::new(format!("?- {goal}.\n"), Due::new("program"), due)
}

fn endless_space(random: &mut Random, _: &Job<'_>) -> Made {
    let step = random.range(1, 9);
    let rules = match random.range(1, 3) {
        1 => format!("initial_state(0).\nrule(i, 1, S, T) :- T is S + {step}.\n"),
        2 => format!(
            "initial_state([]).\nrule(i, {step}, S, T) :- length(S, N), N < 9, member(X, [a, b, c, d, e]), T = [X|S].\nrule(o, {step}, [_|S], S).\n"
        ),
        _ => format!(
            "initial_state(s(0, 0)).\nrule(x, {step}, s(X, Y), s(Z, Y)) :- Z is X + 1.\nrule(y, 1, s(X, Y), s(X, Z)) :- Z is Y - 1.\n"
        ),
    };
    Made::domain(format!("{rules}final_state(nowhere).\n"), Due::stopped("nodes").results(1))
}

/// Rules in which something never ends.
fn endless_rules(random: &mut Random, _: &Job<'_>) -> Made {
    let p = random.name();
    let base = format!("initial_state(0).\n{p}(X) :- {p}(X), {p}(X).\n{p}(X) :- {p}(X).\n");
    let rules = match random.range(1, 4) {
        1 => format!("final_state(S) :- {p}(S).\nrule(i, 1, S, T) :- T is S + 1.\n"),
        2 => format!("final_state(9).\nrule(i, 1, S, T) :- {p}(S), T is S + 1.\n"),
        3 => format!(
            "final_state(9).\nrule(i, 1, S, T) :- T is S + 1.\nheuristic(S, S) :- {p}(S).\n"
        ),
        _ => format!("final_state(9).\nrule(i, C, S, T) :- {p}(C), T is S + 1.\n"),
    };
    Made::domain(base + &rules, Due::stopped("inferences").results(1))
}

fn endless_game(random: &mut Random, _: &Job<'_>) -> Made {
    let steps = random.range(1, 5);
    let text = format!(
        "initial_state(0).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
         move(_, N, S, T) :- between(1, {steps}, N), T is S + N.\nterminal(_, -1).\n\
         utility(_, _, 0).\n"
    );
    Made::domain(text, Due::stopped("nodes").results(1))
}

/// Rules that raise errors, or say what can't be.
fn faulty_rules(random: &mut Random, _: &Job<'_>) -> Made {
    let name = random.name();
    let base = "initial_state(0).\nfinal_state(9).\n";
    let rules = match random.range(1, 4) {
        1 => format!("rule(i, 1, S, T) :- S < 5, T is S + {name}.\n"),
        2 => "rule(i, -1, S, T) :- T is S + 1.\n".to_owned(),
        3 => format!("rule(i, {name}, S, T) :- T is S + 1.\n"),
        _ => format!(
            "rule(i, 1, S, T) :- T is S + 1.\nheuristic(S, H) :- S > 3, H = {name}.\nheuristic(S, 0) :- S =< 3.\n"
        ),
    };
    Made::domain(format!("{base}{rules}"), Due::new("error").results(1))
}

/// Files, environment and programs: a sandbox refuses them.
fn reaches_out(random: &mut Random, _: &Job<'_>) -> Made {
    let name = random.name();
    let path = format!("../escaped_{name}");
    let goal = match random.range(1, 9) {
        1 => format!("open('{path}', write, S), write(S, x), close(S)"),
        2 => format!("tell('{path}'), write(x), told"),
        3 => format!("shell('touch {path}')"),
        4 => "open('/etc/passwd', read, S), read_term(S, T, [])".to_owned(),
        5 => "getenv('PATH', P)".to_owned(),
        6 => format!("make_directory('{path}')"),
        7 => "directory_files('/', Fs)".to_owned(),
        8 => format!("G =.. [shell, 'touch {path}'], call(G)"),
        _ => format!("forall(member(G, [tell('{path}'), shell('touch {path}')]), G)"),
    };
    let text = format!("?- {goal}.\n");
    Made::new(text, Due::new("faults").says("sandbox"), Due::new("error").says("sandbox"))
}

fn loads_outside(random: &mut Random, _: &Job<'_>) -> Made {
    let file =
        random.pick(&["/etc/passwd", "../../../../../etc/hosts", "../no_such_file", "/dev/zero"]);
    let load = random.pick(&["consult", "include", "ensure_loaded"]);
    Made::same(format!(":- {load}('{file}').\n"), Due::new("faults").says("sandbox"))
}

/// Directives that never end.
fn loads_forever(random: &mut Random, job: &Job<'_>) -> Made {
    let p = random.name();
    if random.once_in(4) {
        let text = format!(":- consult('{}.pl').\n{p}.\n", job.stem);
        return Made::same(text, Due::new("faults").says("nested loads"));
    }
    let text = match random.range(1, 4) {
        1 => format!("{p} :- {p}.\n:- {p}.\nq(1).\n"),
        2 => format!("{p} :- {p}.\n:- initialization({p}).\nq(1).\n"),
        3 => format!("{p}(X, Y) :- {p}(X, Y).\nterm_expansion(X, Y) :- {p}(X, Y).\nq(1).\n"),
        _ => format!("{p}(X, Y) :- {p}(X, Y).\ngoal_expansion(X, Y) :- {p}(X, Y).\nq :- r.\nr.\n"),
    };
    Made::same(text, Due::stopped("inferences").results(0))
}

/// Numbers of millions of digits that are divided, one by the other.
fn long_division(random: &mut Random, _: &Job<'_>) -> Made {
    let more = random.range(1, 99_999);
    let goal = format!("X is 7**(30000000 + {more}), Y is 3**(20000000 + {more}), Z is X // Y");
    query("", &goal, Due::stopped("timeout"))
}

/// Two equal terms, small in memory and endless to compare for who looks at each part twice.
fn long_comparison(random: &mut Random, _: &Job<'_>) -> Made {
    let depth = random.range(60, 200);
    let rules = format!(
        "shared(0, a) :- !.\nshared(N, f(T, T)) :- M is N - 1, shared(M, T).\n\
         fixed(T) :- shared({depth}, T).\n"
    );
    let goal = "fixed(T), fixed(U), copy_term(T-U, V-W), V @=< W, W = T, fail";
    Made::new(format!("{rules}?- {goal}.\n"), Due::new("program"), Due::new("false").results(1))
}
