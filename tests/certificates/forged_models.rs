//! Forged certificates of models, held against all values that there are.

use super::models::{beside, certified};
use super::{Rules, rules, sealed};
use zug_certificate::adler;
use zug_domain::certificate::ModelClaim;
use zug_random::Random;
use zug_search::Limits;

const FILE: &str = "few_models.pl";

/// Whether values solve a model of the file, and what its objective comes to.
fn solves(model: &str, x: i32, y: i32) -> bool {
    let most = if model == "small" { 9 } else { 5 };
    let is_open = (0..=most).contains(&x) && (0..=most).contains(&y);
    is_open
        && match model {
            "small" => 2 * x + 3 * y <= 13 && x <= 4,
            "five" => x + y == 5 && x != 2,
            _ => x + y == 11,
        }
}

/// A certificate with the texts beside it.
struct Whole {
    lines: Vec<String>,
    texts: Option<[String; 2]>,
}

/// The certificate of an instance, in files of one test.
fn whole(instance: &str, test: &str) -> Whole {
    let name = format!("few.{instance}.{test}");
    let (said, text) = certified(FILE, Some(instance), &name);
    let text = text.expect(&said);
    let read = |ending| std::fs::read_to_string(beside(&super::scratch(&name), ending)).ok();
    let texts = read("fzn").zip(read("drcp")).map(|(model, proof)| [model, proof]);
    Whole { lines: super::body(&text), texts }
}

/// Records about two texts.
fn sums([model, proof]: &[String; 2]) -> [String; 2] {
    [("flatzinc", model), ("proof", proof)]
        .map(|(name, text)| format!("{name}({},{}).", text.len(), adler(text.as_bytes())))
}

impl Rules {
    fn accepts_model(&mut self, kind: &str, lines: &[String], texts: Option<&[String; 2]>) -> bool {
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        let claim = ModelClaim::of(m, w, &self.contract, &sealed(kind, lines));
        let Ok(claim) = claim.unwrap_or_else(|error| panic!("{}", error.predicate)) else {
            return false;
        };
        let texts = texts.map(|[model, proof]| (model.as_str(), proof.as_str()));
        let checked = claim.check(m, w, &self.contract, texts, &Limits::none());
        checked.unwrap_or_else(|error| panic!("{lines:?}: {}", error.predicate)).is_ok()
    }
}

/// What is no integer, in the place of one.
fn strangers(value: i32) -> Vec<String> {
    let mut found: Vec<String> =
        ["_", "X", "\"1\"", "inf", "1.0Inf", "1.5NaN", "random(2)", "[]", "a", "sup", "0..9"]
            .map(str::to_owned)
            .to_vec();
    found.extend([
        format!("{value}.0"),
        format!("{value}+0"),
        format!("'{value}'"),
        format!("{value}/1"),
        format!("[{value}]"),
        "9".repeat(400),
        format!("{}", i64::from(value) + (1 << 32)),
    ]);
    found
}

#[test]
fn solutions_are_those_that_trying_finds() {
    let mut own = Rules::of(&rules(FILE));
    let best = whole("small", "tried");
    let texts = best.texts.as_ref().expect("a proof");
    let proof = sums(texts);
    let (mut tried, mut accepted) = (0, 0);
    let record = |parts: [&str; 3]| -> Vec<String> { parts.map(str::to_owned).to_vec() };
    for (x, y) in (-2..8).flat_map(|x| (-2..8).map(move |y| (x, y))) {
        let list = format!("solution([x={x},y={y}]).");
        let five = own.accepts_model(
            "solution",
            &["model(instance(five)).".to_owned(), list.clone()],
            None,
        );
        assert_eq!(five, solves("five", x, y), "{x} {y}");
        for more in [0, 1, -1] {
            let value = 3 * x + 4 * y + more;
            let is_solution = solves("small", x, y) && more == 0;
            for direction in ["max", "min"] {
                let objective = format!("objective({direction},{value}).");
                let lines = record(["model(instance(small)).", &objective, &list]);
                let found = own.accepts_model("solution", &lines, None);
                assert_eq!(found, is_solution && direction == "max", "{lines:?}");
                let lines = [lines, proof.to_vec()].concat();
                let found = own.accepts_model("optimal", &lines, Some(texts));
                assert_eq!(found, is_solution && direction == "max" && value == 18, "{lines:?}");
                (tried, accepted) = (tried + 2, accepted + u32::from(found));
            }
        }
    }
    assert!(tried > 1000 && accepted == 1, "{accepted} of {tried}");
}

#[test]
fn what_is_no_integer_is_no_value() {
    let mut own = Rules::of(&rules(FILE));
    let best = whole("small", "strangers");
    let texts = best.texts.as_ref().expect("a proof");
    assert!(own.accepts_model("optimal", &best.lines, Some(texts)));
    let mut tried = 0;
    for (from, value) in [("x=2", 2), ("y=3", 3), ("max,18", 18)] {
        for stranger in strangers(value) {
            let to = from.replace(&value.to_string(), &stranger);
            let lines: Vec<String> =
                best.lines.iter().map(|line| line.replace(from, &to)).collect();
            assert_ne!(lines, best.lines, "{to}");
            assert!(!own.accepts_model("optimal", &lines, Some(texts)), "{to}");
            assert!(!own.accepts_model("solution", &lines[..3], None), "{to}");
            tried += 2;
        }
    }
    for name in ["_", "X", "none", "five", "\"small\"", "small(_)", "1"] {
        let lines: Vec<String> =
            best.lines.iter().map(|line| line.replace("(small)", &format!("({name})"))).collect();
        assert!(!own.accepts_model("optimal", &lines, Some(texts)), "{name}");
    }
    for list in
        ["[x=2|_]", "[x=2,y=3,z=1]", "[y=3,x=2]", "[x=2,x=2]", "[]", "_", "[2,3]", "[_=2,y=3]"]
    {
        let lines: Vec<String> =
            best.lines.iter().map(|line| line.replace("[x=2,y=3]", list)).collect();
        assert!(!own.accepts_model("optimal", &lines, Some(texts)), "{list}");
    }
    assert!(tried >= 100, "{tried}");
}

#[test]
fn a_model_with_solutions_has_no_proof_that_it_has_none() {
    let mut own = Rules::of(&rules(FILE));
    let (none, best) = (whole("none", "none"), whole("small", "none"));
    let [of_none, of_best] = [&none, &best].map(|one| one.texts.clone().expect("a proof"));
    assert!(own.accepts_model("no_solution", &none.lines, Some(&of_none)));
    let claims = |instance: &str, texts: &[String; 2]| {
        let model = format!("model(instance({instance})).");
        [&[model][..], &sums(texts)].concat()
    };
    let mut refused = |instance: &str, texts: &[String; 2]| {
        let lines = claims(instance, texts);
        assert!(!own.accepts_model("no_solution", &lines, Some(texts)), "{instance}: {texts:?}");
    };
    let mut tried = 0;
    let rounds = if crate::support::full() { 2000 } else { 60 };
    let mut random = Random::new(9);
    for instance in ["small", "five"] {
        refused(instance, &of_none);
        refused(instance, &of_best);
        // The right model, with a proof of something else.
        for proof in [&of_none[1], &of_best[1]] {
            refused(instance, &[of_best[0].clone(), proof.clone()]);
            for _ in 0..rounds {
                let wrong = super::models::changed(&mut random, proof);
                let ends = wrong.rfind("c ").map_or(wrong.len(), |at| at);
                refused(instance, &[of_best[0].clone(), format!("{}c UNSAT\n", &wrong[..ends])]);
                tried += 1;
            }
        }
    }
    assert!(tried >= 100, "{tried}");
    // A better value than the best one, and a worse one.
    for value in [17, 19] {
        let lines: Vec<String> =
            best.lines.iter().map(|line| line.replace("max,18", &format!("max,{value}"))).collect();
        assert!(!own.accepts_model("optimal", &lines, Some(&of_best)), "{value}");
    }
}
