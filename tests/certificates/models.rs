//! Certificates of models: what is written is accepted, what was changed is not, and the linear form of each constraint has
//! the solutions that the constraint has.
//!
//! Where the environment variable `ZUG_DRCP_CHECKER` names `pumpkin-checker`, it is asked too.

use super::{kind, rules, scratch, sealed, zug};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use zug::{SolveRequest, Wanted};
use zug_certificate::drcp::{Proved, check};
use zug_constraints::proof::encode;
use zug_prolog::session::Session;
use zug_proof::{Model, Outcome, Values, solve};
use zug_random::Random;
use zug_report::Outcome as Ended;

/// Whether the public checker accepts a proof; nothing where it is not given.
fn judged(model: &Path, proof: &Path) -> Option<bool> {
    let checker = std::env::var_os("ZUG_DRCP_CHECKER")?;
    let run = Command::new(checker).arg(model).arg(proof).output().expect("the checker runs");
    Some(run.status.success())
}

pub fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}.{ending}", path.display()))
}

/// Solves a model with a certificate: what is said, and the text.
pub fn certified(file: &str, instance: Option<&str>, name: &str) -> (String, Option<String>) {
    let path = scratch(name);
    for path in [path.clone(), beside(&path, "fzn"), beside(&path, "drcp")] {
        let _ = std::fs::remove_file(path);
    }
    let rules = rules(file);
    let (rules, certificate) = (rules.to_str().expect("text"), path.to_str().expect("text"));
    let mut arguments = vec!["solve", rules, "--memory", "500M", "--certificate", certificate];
    if let Some(instance) = instance {
        arguments.extend(["--instance", instance]);
    }
    let (_, said) = zug(&arguments);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_some() {
        let (status, checked) = zug(&["verify", rules, certificate]);
        assert_eq!(status, 0, "{name}: {said}{checked}");
        let (model, proof) = (beside(&path, "fzn"), beside(&path, "drcp"));
        if model.exists() && judged(&model, &proof) == Some(false) {
            panic!("{name}: the public checker rejects it");
        }
    }
    (said, text)
}

/// The names of the models of a file.
fn instances(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(rules(file)).expect("the models");
    let heads = text.lines().filter_map(|line| line.strip_prefix("model("));
    heads.filter_map(|head| Some(head.split_once(',')?.0.to_owned())).collect()
}

#[test]
fn models_without_a_solution_have_proofs() {
    for instance in instances("models_without_solution.pl") {
        let (said, text) = certified("models_without_solution.pl", Some(&instance), &instance);
        assert_eq!(text.as_deref().map(kind), Some("no_solution"), "{instance}: {said}");
    }
    for (file, instance) in [
        ("pigeons.pl", Some("all")),
        ("pigeons.pl", Some("pairs")),
        ("colours.pl", None),
        ("tasks.pl", None),
        ("sudoku_none.pl", None),
        ("magic_none.pl", None),
        ("queens_model.pl", Some("3")),
        ("knights_and_knaves.pl", Some("liar")),
    ] {
        let name = format!("{file}.{}", instance.unwrap_or_default());
        let (said, text) = certified(file, instance, &name);
        assert_eq!(text.as_deref().map(kind), Some("no_solution"), "{name}: {said}");
    }
}

#[test]
fn solutions_and_best_ones_have_certificates() {
    for (file, instance, expected) in [
        ("send_more.pl", None, "solution"),
        ("sudoku.pl", Some("easy"), "solution"),
        ("golomb.pl", Some("4"), "optimal"),
        ("job_shop.pl", None, "optimal"),
        ("best_models.pl", Some("small"), "optimal"),
        ("best_models.pl", Some("least"), "optimal"),
    ] {
        let name = format!("{file}.{}", instance.unwrap_or_default());
        let (said, text) = certified(file, instance, &name);
        assert_eq!(text.as_deref().map(kind), Some(expected), "{name}: {said}");
    }
}

#[test]
fn what_has_no_proof_says_why() {
    for (instance, why) in [
        ("choice", "if-then-else"),
        ("ways", "several ways"),
        ("labels", "label/1"),
        ("large", "bits"),
        ("costs", "costs"),
    ] {
        let name = format!("none_{instance}");
        let (said, text) = certified("models_without_proof.pl", Some(instance), &name);
        assert!(text.is_none() && said.contains("no certificate: "), "{instance}: {said}");
        assert!(said.contains(why), "{instance}: {said}");
    }
    let (said, text) = certified("model_of_a_failing_goal.pl", None, "none_goal");
    assert!(text.is_none() && said.contains("that is no constraint"), "{said}");
}

#[test]
fn what_was_changed_beside_a_certificate_is_rejected() {
    let (_, text) = certified("pigeons.pl", Some("all"), "changed");
    assert!(text.is_some());
    let path = scratch("changed");
    let rules = rules("pigeons.pl");
    let verify = || zug(&["verify", rules.to_str().expect("text"), path.to_str().expect("text")]);
    for (ending, from, to) in
        [("drcp", "c UNSAT", "c UNSAT "), ("fzn", "1..8", "1..9"), ("drcp", "all_different", "x")]
    {
        let file = beside(&path, ending);
        let whole = std::fs::read_to_string(&file).expect("it is there");
        std::fs::write(&file, whole.replacen(from, to, 1)).expect("it is written");
        let (status, said) = verify();
        assert!(status == 1 && said.contains("rejected"), "{ending}: {said}");
        std::fs::write(&file, whole).expect("it is written");
    }
    assert_eq!(verify().0, 0);
}

/// The records of a certificate, and whether `zug verify` accepts others in their place: the status, and what it says.
fn records(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a certificate");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1..lines.len() - 1].to_vec()
}

fn verified(rules: &Path, path: &Path, kind: &str, records: &[String]) -> (i32, String) {
    std::fs::write(path, sealed(kind, records)).expect("it is written");
    zug(&["verify", rules.to_str().expect("text"), path.to_str().expect("text")])
}

#[test]
fn a_solution_that_is_refused_says_what_is_wrong() {
    certified("best_models.pl", Some("small"), "refused");
    let (path, rules) = (scratch("refused"), rules("best_models.pl"));
    let whole = records(&path);
    for (from, to, why) in [
        ("y=3", "z=3", "line 4: the list of the model has no `z`; it has x, y"),
        (",y=3", "", "line 4: it has no value for `y`"),
        ("[x=2,y=3]", "[y=3,x=2]", "line 4: `y` stands where the list of the model has `x`"),
        ("y=3", "y=foo", "line 4: the value of `y` is `foo`, and not an integer"),
        ("x=2,y=3", "x=6,y=0", "line 4: the constraints of the model refuse the values"),
        ("y=3", "y=_", "line 4: it is no list of `Name=Value`"),
        ("y=3", "y=2", "line 3: the value of the objective is 14 for this solution, and not 18"),
        (
            "max,18",
            "max,19",
            "line 3: the value of the objective is 18 for this solution, and not 19",
        ),
        ("max,18", "min,18", "line 3: the objective of the model is `max`, and not `min`"),
        ("instance(small)", "instance(large)", "line 2: the rules have no such model"),
    ] {
        let changed: Vec<String> = whole.iter().map(|line| line.replace(from, to)).collect();
        assert_ne!(changed, whole, "{from}");
        let (status, said) = verified(&rules, &path, "optimal", &changed);
        assert!(status == 1 && said.contains(why), "{from} {to}: {said}");
    }
    assert_eq!(verified(&rules, &path, "optimal", &whole).0, 0);
}

#[test]
fn a_certificate_has_the_records_of_its_kind_alone() {
    certified("best_models.pl", Some("least"), "kinds");
    let (path, rules) = (scratch("kinds"), rules("best_models.pl"));
    let whole = records(&path);
    assert_eq!(whole.len(), 5, "{whole:?}");
    let some = |which: &[usize]| which.iter().map(|&at| whole[at].clone()).collect::<Vec<_>>();
    for (kind, which, why) in [
        (
            "solution",
            &[0, 1, 2, 3, 4][..],
            "`flatzinc/2` is no record of a certificate of the kind",
        ),
        ("solution", &[0, 2], "there is no record objective/2"),
        ("solution", &[0, 1], "there is no record solution/1"),
        ("no_solution", &[0, 1, 3, 4], "`objective/2` is no record of a certificate of the kind"),
        ("no_solution", &[0, 2, 3, 4], "`solution/1` is no record of a certificate of the kind"),
        ("optimal", &[0, 1, 2, 3], "there is no record proof/2"),
        ("optimal", &[0, 2, 3, 4], "there is no record objective/2"),
    ] {
        let (status, said) = verified(&rules, &path, kind, &some(which));
        assert!(status == 1 && said.contains(why), "{kind} {which:?}: {said}");
    }
    assert_eq!(verified(&rules, &path, "solution", &some(&[0, 1, 2])).0, 0);
}

#[test]
fn a_certificate_without_the_texts_beside_it_is_an_error() {
    certified("pigeons.pl", Some("pairs"), "alone_fzn");
    let (path, rules) = (scratch("alone_fzn"), rules("pigeons.pl"));
    for ending in ["fzn", "drcp"] {
        let file = beside(&path, ending);
        let text = std::fs::read(&file).expect("it is there");
        std::fs::remove_file(&file).expect("it is removed");
        let arguments = ["verify", rules.to_str().expect("text"), path.to_str().expect("text")];
        let (status, said) = zug(&arguments);
        assert!(status == 2 && said.contains(&*file.to_string_lossy()), "{ending}: {said}");
        std::fs::write(&file, text).expect("it is written");
        assert_eq!(zug(&arguments).0, 0, "{ending}");
    }
}

#[test]
fn lines_of_the_rules_may_move() {
    certified("pigeons.pl", Some("pairs"), "moved");
    let text = std::fs::read_to_string(rules("pigeons.pl")).expect("the rules");
    let (moved, path) = (scratch("moved.pl"), scratch("moved"));
    let arguments = ["verify", moved.to_str().expect("text"), path.to_str().expect("text")];
    std::fs::write(&moved, format!("% one more line\n{text}")).expect("it is written");
    let (status, said) = zug(&arguments);
    assert_eq!(status, 0, "{said}");
    std::fs::write(&moved, text.replace("1..7", "1..8")).expect("it is written");
    let (status, said) = zug(&arguments);
    assert!(status == 1 && said.contains("is not what the rules say"), "{said}");
}

#[test]
fn a_certificate_that_is_replaced_takes_its_texts_along() {
    let again = |path: &Path| {
        let (rules, path) = (rules("send_more.pl"), path.to_str().expect("text"));
        let rules = rules.to_str().expect("text");
        let (status, said) = zug(&["solve", rules, "--certificate", path, "--force"]);
        assert_eq!(status, 0, "{said}");
    };
    certified("pigeons.pl", Some("pairs"), "replaced");
    let path = scratch("replaced");
    let [model, proof] = ["fzn", "drcp"].map(|ending| beside(&path, ending));
    assert!(model.exists() && proof.exists());
    again(&path);
    assert!(!model.exists() && !proof.exists());
    // A file that is none of the certificate stays.
    certified("pigeons.pl", Some("pairs"), "replaced");
    std::fs::write(&model, "another").expect("it is written");
    again(&path);
    assert!(model.exists() && !proof.exists());
}

#[test]
fn a_proof_without_a_conclusion_says_which_there_are() {
    for proof in ["c SAT\n", "c\n", "c UNSAT 1\n"] {
        let fault = check("solve satisfy;\n", proof, &mut || {}).expect_err("no conclusion");
        assert!(fault.to_string().contains("conclusion"), "{proof}: {fault}");
    }
}

const LIBRARY: &str = ":- use_module(library(clpfd)).\n";

fn session(text: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let found = session.load_text("model.pl", &format!("{LIBRARY}{text}"));
    assert!(!found.iter().any(zug_term::diagnostic::Diagnostic::is_error), "{found:?}: {text}");
    session
}

/// The linear form of the model of a session.
fn linear(session: &mut Session) -> Result<Model, String> {
    let model = session.machine.symbols.intern("model");
    let (m, w) = (&mut session.machine, &mut session.world);
    let encoded = m.ask(w, |ask| {
        let list = ask.machine.heap.new_var();
        let goal = ask.machine.heap.new_struct(model, &[list]);
        encode(ask.machine, ask.host, goal, None)
    });
    encoded.expect("no limit").map(|encoded| encoded.model)
}

/// The values of `a`, `b` and `c` in all solutions that labelling finds.
fn labelled(session: &mut Session) -> Option<BTreeSet<[i32; 3]>> {
    let request = SolveRequest { wanted: Wanted::Solutions(1000), ..SolveRequest::default() };
    let report = zug::solve(session, &request).ok()?;
    let found = &report.results[0].model().expect("a model").found;
    let solutions = found.solutions.iter().map(|one| {
        let values = one.values.iter().map(|named| {
            let text = zug_prolog::term_text(&session.machine, &session.world, &named.value);
            text.parse().expect("an integer")
        });
        let values: Vec<i32> = values.collect();
        [values[0], values[1], values[2]]
    });
    matches!(found.outcome, Ended::Solved | Ended::Exhausted).then(|| solutions.collect())
}

/// The same of the linear form: each values are given, and it is found out whether the others have some.
fn of_linear(model: &Model, (lo, hi): (i32, i32)) -> BTreeSet<[i32; 3]> {
    let place = |name: &str| model.variables.iter().position(|variable| variable.name == name);
    let places = ["a", "b", "c"].map(|name| place(name).expect("it is declared"));
    let mut found = BTreeSet::new();
    for a in lo..=hi {
        for b in lo..=hi {
            for c in lo..=hi {
                let values = [a, b, c];
                let is_open =
                    |(place, value): (usize, i32)| model.variables[place].values.contains(value);
                if !places.into_iter().zip(values).all(is_open) {
                    continue;
                }
                let mut model = model.clone();
                for (place, value) in places.into_iter().zip(values) {
                    model.variables[place].values = Values::interval(value, value);
                }
                match solve(&model, None, &mut || {}).0 {
                    Outcome::Solution(all) => {
                        assert!(model.is_solution(&all), "{}", model.flatzinc());
                        found.insert(values);
                    }
                    Outcome::Proved(_) => {}
                }
            }
        }
    }
    found
}

/// Holds the two against each other; whether there is a linear form.
fn same_solutions(constraints: &str, (lo, hi): (i32, i32)) -> bool {
    let text = format!("model([a=A, b=B, c=C]) :- [A,B,C] ins {lo}..{hi}, {constraints}.\n");
    let mut session = session(&text);
    let Some(expected) = labelled(&mut session) else { return false };
    let Ok(model) = linear(&mut session) else { return false };
    assert_eq!(of_linear(&model, (lo, hi)), expected, "{constraints}\n{}", model.flatzinc());
    true
}

#[test]
fn each_constraint_has_the_solutions_of_its_linear_form() {
    for constraints in [
        "A #= B + C",
        "A - B #\\= C",
        "2*A + 3*B #=< C",
        "A #\\= B, B #\\= C + 1, A #\\= 2",
        "A * B #= C",
        "A * A #= B + 2",
        "A // B #= C",
        "A div B #= C",
        "A mod B #= C",
        "A rem B #= C",
        "A mod 2 #= B, A // 2 #= C",
        "A // -2 #= C, B #= A rem -3",
        "A div -2 #= C, B #= A mod -3",
        "min(A, B) #= C",
        "max(A, B) #= C",
        "abs(A) #= B, abs(A - B) #> C",
        "A ^ 2 #= B + C",
        "abs(A) ^ 3 #= B",
        "A #\\/ B, C #= 1",
        "(A #> B) #<==> (B #> C)",
        "(A #= B) #\\ (B #= C)",
        "#\\ (A #= B #/\\ B #= C)",
        "(A #\\= B) #==> (C #= 1)",
        "D #<==> (A #= B), D + C #= 1",
        "(A // B #= 1) #<==> (C #> 0)",
        "(A mod B #= 0) #\\/ (C #= 2)",
        "A in 0..1 \\/ 2, (B in -1..0 \\/ 2) #<==> (C #= 0)",
        "all_different([A,B,C])",
        "all_distinct([A,B,C])",
        "all_distinct([A,B,0,C])",
        "sum([A,B,C], #=<, 2)",
        "scalar_product([2,-1,3], [A,B,C], #\\=, 1)",
        "scalar_product([2,-1,3], [A,B,C], #=, B)",
        "element(A, [B,C,2], C)",
        "element(A, [0,2,1], B)",
        "global_cardinality([A,B,C], [0-D,1-1,2-_]), D #< 2",
        "tuples_in([[A,B,C]], [[0,1,2],[2,1,0],[1,1,1],[7,1,1]])",
        "tuples_in([[A,B],[B,C]], [[0,1],[1,2],[2,0],[1,1]])",
        "tuples_in([[A,B]], [[0,1],[1,2]]) #<==> (C #= 0)",
        "circuit([A,B,C])",
        "circuit([A,B,C,D]), D #> 0",
        "lex_chain([[A,B],[B,C]])",
        "lex_chain([[A,B],[1,C]])",
        "chain([A,B,C], #<)",
        "serialized([A,B,C], [1,2,1])",
        "serialized([A,B,C], [1,0,2])",
        "cumulative([task(A,2,_,1,_),task(B,1,_,2,_),task(C,2,_,1,_)], [limit(2)])",
        "cumulative([task(A,2,D,1,_),task(B,1,_,1,_)]), D #=< 3",
        "disjoint2([r(A,1,B,2),r(B,2,C,1)])",
        "automaton([A,B,C], [source(s),sink(t)], [arc(s,0,s),arc(s,1,t),arc(t,2,t),arc(t,1,s)])",
        "D #= A + B, E #= D * C, E #> 1",
        "msb(A + 2) #= B",
        "A << 1 #= B",
        "A >> 1 #= B",
        "A /\\ B #= C",
        "A xor B #= C",
    ] {
        assert!(same_solutions(constraints, (-2, 3)), "{constraints}: no linear form");
    }
}

/// A random expression over three variables.
fn expression(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 2 } else { 7 }) {
        0 => ["A", "B", "C"][random.below(3) as usize].to_owned(),
        1 => format!("({})", random.below(7) as i64 - 3),
        2 => format!("abs({})", expression(random, depth - 1)),
        _ => {
            let [one, other] = [expression(random, depth - 1), expression(random, depth - 1)];
            match random.below(10) {
                0 => format!("min({one}, {other})"),
                1 => format!("max({one}, {other})"),
                at => {
                    let name = ["+", "-", "*", "//", "mod", "rem", "div", "+"][at as usize - 2];
                    format!("({one} {name} {other})")
                }
            }
        }
    }
}

/// A random comparison, or a formula of some.
fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(3) == 0 {
        let name = ["#=", "#\\=", "#<", "#=<", "#>", "#>="][random.below(6) as usize];
        return format!("{} {name} {}", expression(random, 2), expression(random, 1));
    }
    let name = ["#/\\", "#\\/", "#==>", "#<==>", "#\\"][random.below(5) as usize];
    format!("({}) {name} ({})", formula(random, depth - 1), formula(random, depth - 1))
}

/// What goes on by whether a constraint fails, or by what is known of a variable, posts other constraints than those that
/// are only noted.
#[test]
fn no_linear_form_leaves_out_what_a_model_takes() {
    let mut without = 0;
    let bodies = [
        "X in 2..3, once(member(X, [1,2,3]))",
        "X in 2..3, Y in 1..9, (X = 1 -> Y #= 2 ; Y #= 3)",
        "X in 2..3, Y in 1..5, (\\+ X = 1 -> Y #= 3 ; Y #> 7)",
        "X in 2..3, Y in 1..5, (X \\= 1 -> Y #= 3 ; Y #> 7)",
        "X in 1..3, (\\+ X #> 5 -> true ; X = 9)",
        "X in 1..3, (\\+ X #> 5 -> X #> 0 ; (X #> 7 ; fail))",
        "X in 1..3, findall(a, X #> 5, L), (L = [] -> true ; X = 9)",
        "X in 1..3, catch(X #> 5, _, true) -> X = 1 ; X in 1..2",
        "X in 2..2, (ground(X) -> Y in 1..2 ; Y in 3..2)",
        "X in 1..5, X #> 4, (X == 5 -> Y in 1..2 ; Y in 3..2)",
        "X in 1..5, X #> 4, (integer(X) -> Y in 1..2 ; X = 1)",
        "X in 1..3, (X #> 5 ; long(600000))",
        "X in 1..3, forall(member(Z, [1,2]), X #>= Z), X #< 4",
        "X in 1..9, fd_inf(X, L), X #> L",
        "X in 1..9, X #> 3, fd_inf(X, L), Y #= L + 1",
    ];
    for body in bodies {
        let text = format!(
            "model([x=X, y=Y]) :- Y in 0..9, {body}.\nlong(0) :- !.\nlong(N) :- M is N - 1, long(M).\n"
        );
        let mut session = session(&text);
        match linear(&mut session) {
            Err(_) => without += 1,
            Ok(model) => {
                let found = solve(&model, None, &mut || {}).0;
                assert!(matches!(found, Outcome::Solution(_)), "{body}\n{}", model.flatzinc());
            }
        }
    }
    assert!((5..bodies.len()).contains(&without), "{without} have none");
    // A value that is computed is known where it is asked for.
    let text = "model([x=X]) :- X in 1..5, N #= 2 + 1, (N == 3 -> true ; X = 9).\n";
    let model = linear(&mut session(text)).expect("a linear form");
    assert!(matches!(solve(&model, None, &mut || {}).0, Outcome::Solution(_)));
}

/// A solution is none of what a model asks while it posts its constraints.
#[test]
fn a_model_does_not_see_the_solution_that_is_held_against_it() {
    let rules = scratch("asks.pl");
    let text = "model(once, [x=X]) :- once(member(X, [1,2])), X in 1..3.\n\
                model(var, [x=X]) :- ( var(X) -> X in 1..3 ; true ).\n\
                model(two, [x=X]) :- X in 1..5, ( X == 2 -> true ; X #>= 3 ).\n";
    std::fs::write(&rules, format!("{LIBRARY}{text}")).expect("it is written");
    let path = scratch("asks.cert");
    let of = |name: &str, value: &str| {
        let records = [format!("model(instance({name}))."), format!("solution([x={value}]).")];
        verified(&rules, &path, "solution", &records)
    };
    for (name, value) in [("once", "1"), ("var", "2"), ("two", "3")] {
        let (status, said) = of(name, value);
        assert_eq!(status, 0, "{name} {value}: {said}");
    }
    for (name, value) in [("once", "2"), ("var", "77"), ("var", "foo"), ("two", "2")] {
        let (status, said) = of(name, value);
        assert_eq!(status, 1, "{name} {value}: {said}");
    }
}

#[test]
fn random_constraints_have_the_solutions_of_their_linear_forms() {
    let mut random = Random::new(7);
    let mut seen = 0;
    for _ in 0..250 {
        let constraints = format!("{}, {}", formula(&mut random, 2), formula(&mut random, 1));
        seen += u32::from(same_solutions(&constraints, (-2, 2)));
    }
    assert!(seen > 180, "{seen} have linear forms");
}

#[test]
fn random_models_without_a_solution_have_proofs() {
    let mut random = Random::new(11);
    let (mut proved, mut tried) = (0, 0);
    while proved < 60 && tried < 600 {
        tried += 1;
        let constraints: Vec<String> = (0..3).map(|_| formula(&mut random, 1)).collect();
        let text =
            format!("model([a=A, b=B, c=C]) :- [A,B,C] ins -3..4, {}.\n", constraints.join(", "));
        let mut session = session(&text);
        let Some(expected) = labelled(&mut session) else { continue };
        let Ok(model) = linear(&mut session) else { continue };
        match solve(&model, None, &mut || {}).0 {
            Outcome::Solution(_) => assert!(!expected.is_empty(), "{text}"),
            Outcome::Proved(proof) => {
                assert!(expected.is_empty(), "{text}");
                let mut written = Vec::new();
                proof.write(&model, &mut written).expect("memory");
                let (model, proof) = (model.flatzinc(), String::from_utf8(written).expect("text"));
                assert_eq!(check(&model, &proof, &mut || {}), Ok(Proved::Unsatisfiable), "{text}");
                let path = scratch(&format!("random_{proved}"));
                std::fs::write(beside(&path, "fzn"), &model).expect("it is written");
                std::fs::write(beside(&path, "drcp"), &proof).expect("it is written");
                let judged = judged(&beside(&path, "fzn"), &beside(&path, "drcp"));
                assert_ne!(judged, Some(false), "{text}{model}{proof}");
                proved += 1;
            }
        }
    }
    assert_eq!(proved, 60);
}

/// A proof with something in it changed at random.
pub fn changed(random: &mut Random, proof: &str) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let at = random.below(lines.len() as u64) as usize;
    match random.below(5) {
        0 => drop(lines.remove(at)),
        1 => {
            let other = random.below(lines.len() as u64) as usize;
            lines.swap(at, other);
        }
        2 => {
            let line = lines[at].clone();
            lines.insert(at, line);
        }
        _ => {
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let place = random.below(words.len() as u64) as usize;
            let number = words[place].trim_end_matches(']').parse::<i64>();
            let ending = if words[place].ends_with(']') { "]" } else { "" };
            match number {
                Ok(number) if random.below(2) == 0 => words[place] = format!("{}{ending}", -number),
                Ok(number) => {
                    let other = number + [-1, 1, 2][random.below(3) as usize];
                    words[place] = format!("{other}{ending}");
                }
                Err(_) => drop(words.remove(place)),
            }
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

/// What a changed proof would prove is false of a model that has one value more, so that each of them must be rejected.
#[test]
fn no_changed_proof_is_accepted_for_a_model_with_a_solution() {
    let mut random = Random::new(5);
    for (file, instance, from, to) in
        [("pigeons.pl", Some("pairs"), "1..7", "1..8"), ("colours.pl", None, "1..3", "1..4")]
    {
        let name = format!("open_{file}");
        certified(file, instance, &name);
        let path = scratch(&name);
        let model = std::fs::read_to_string(beside(&path, "fzn")).expect("a model");
        let proof = std::fs::read_to_string(beside(&path, "drcp")).expect("a proof");
        let open = model.replace(from, to);
        assert!(check(&open, &proof, &mut || {}).is_err(), "{file}");
        for _ in 0..150 {
            let mut wrong = proof.clone();
            for _ in 0..=random.below(3) {
                wrong = changed(&mut random, &wrong);
            }
            assert!(check(&open, &wrong, &mut || {}).is_err(), "{file}:\n{wrong}");
        }
    }
}

#[test]
fn changed_proofs_are_accepted_only_where_the_public_checker_accepts_them() {
    let mut random = Random::new(3);
    certified("pigeons.pl", Some("pairs"), "judged");
    let path = scratch("judged");
    let model = std::fs::read_to_string(beside(&path, "fzn")).expect("a model");
    let proof = std::fs::read_to_string(beside(&path, "drcp")).expect("a proof");
    let wrong_file = beside(&path, "wrong.drcp");
    let rounds = std::env::var("ZUG_DRCP_CHANGES").ok().and_then(|rounds| rounds.parse().ok());
    let (mut rejected, mut accepted) = (0, 0);
    for _ in 0..rounds.unwrap_or(200) {
        let wrong = changed(&mut random, &proof);
        match check(&model, &wrong, &mut || {}) {
            Err(_) => rejected += 1,
            Ok(_) => {
                accepted += 1;
                std::fs::write(&wrong_file, &wrong).expect("it is written");
                let judged = judged(&beside(&path, "fzn"), &wrong_file);
                assert_ne!(judged, Some(false), "{wrong}");
            }
        }
    }
    assert!(rejected > accepted, "{rejected} rejected, {accepted} accepted");
}
