//! Certificates of small rules with the verdict that both checkers owe them.

use super::{CHECKER, Rules, scratch, sealed};
use std::process::Command;

/// Rules, a kind, records, and whether they prove what they say.
#[derive(Clone, Copy)]
struct Case<'a> {
    rules: &'a str,
    kind: &'a str,
    lines: &'a [&'a str],
    holds: bool,
}

/// An integer that is no float, beside the float next to it.
const NEIGHBOURS: &str =
    "initial_state(s). initial_player(a). opponent(a,b). opponent(b,a). terminal(_,e(_)).
move(a,m0,s,e(0)). move(a,m1,s,e(1)).
utility(a,e(0),9007199254740993). utility(b,e(0),-9007199254740993).
utility(a,e(1),9007199254740992.0). utility(b,e(1),-9007199254740992.0).";

/// What one player gets the other does not lose.
const GENERAL: &str =
    "initial_state(s). initial_player(a). opponent(a,b). opponent(b,a). terminal(_,e(_)).
move(a,go,s,t). move(a,stay,s,e(1)). move(b,x,t,e(3)). move(b,y,t,e(0)).
utility(a,e(3),3). utility(b,e(3),5). utility(a,e(0),0). utility(b,e(0),0).
utility(a,e(1),1). utility(b,e(1),1).";

/// Rules that write into global variables.
const GLOBALS: &str = "initial_state(s). final_state(t).
rule(m,5,s,t). rule(m,1,s,u). rule(m,1.0,u,t).
heuristic(t,0) :- b_setval(rounding,1.0e9), nb_setval(rounding,1.0e9).
heuristic(s,0) :- nb_setval(rounding,1.0e9).
heuristic(u,1).";

const ONE_MATCH: &str = "initial_state(1). initial_player(a). opponent(a,b). opponent(b,a).
move(_,take,1,0). terminal(_,0). utility(_,0,-1).";

/// An end far from the play that is proved is worth an infinity.
const INFINITE: &str =
    "initial_state(s). initial_player(a). opponent(a,b). opponent(b,a). terminal(_,e(_)).
move(a,good,s,e(1)). move(a,bad,s,t). move(b,good,t,e(2)). move(b,bad,t,u). move(a,x,u,e(3)).
utility(a,e(1),1). utility(b,e(1),-1). utility(a,e(2),-1). utility(b,e(2),1).
utility(a,e(3),inf). utility(b,e(3),-inf).";

const PLAN: &str = "initial_state(s(a,0)). final_state(s(c,_)).
rule(go(X,Y),C,s(X,N),s(Y,M)) :- e(X,Y,C), M is N+1.
e(a,b,4). e(b,c,4). e(a,c,9).";

const HUGE: &str = "initial_state(s(0)). final_state(s(9)).
rule(m,C,s(I),s(J)) :- I < 3, J is I + 1, C is 2**400.";

const OVERFLOW: &str = "initial_state(s(0)). final_state(s(9)).
rule(m,1.0e308,s(I),s(J)) :- I < 3, J is I + 1.";

/// Sums that differ in the last digit.
const ROUNDED: &str =
    "initial_state(s). initial_player(a). opponent(a,b). opponent(b,a). terminal(_,e(_)).
move(a,m,s,e(0)). move(a,n,s,e(1)).
utility(a,e(0),0.1). utility(b,e(0),0.2). utility(a,e(1),0.2). utility(b,e(1),0.1).";

const ATTRIBUTED: &str = "initial_state(s(X)) :- dif(X,a). final_state(t). rule(m,1,s(a),t).";

const CASES: &[Case<'static>] = &[
    Case {
        rules: NEIGHBOURS,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(zero_sum,0)",
            "value(9007199254740993)",
            "holds(a,b,e(0),0)",
            "holds(a,a,s,1,m0)",
            "holds(b,a,s,1)",
            "holds(b,b,e(0),0)",
            "holds(b,b,e(1),0)",
        ],
        holds: true,
    },
    Case {
        rules: NEIGHBOURS,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(zero_sum,0)",
            "value(9007199254740993)",
            "holds(a,b,e(1),0)",
            "holds(a,a,s,1,m1)",
            "holds(b,a,s,1)",
            "holds(b,b,e(0),0)",
            "holds(b,b,e(1),0)",
        ],
        holds: false,
    },
    Case {
        rules: NEIGHBOURS,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(zero_sum,0)",
            "value(9007199254740992.0)",
            "holds(a,b,e(0),0)",
            "holds(a,a,s,1,m0)",
            "holds(b,a,s,1)",
            "holds(b,b,e(0),0)",
            "holds(b,b,e(1),0)",
        ],
        holds: false,
    },
    Case {
        rules: GENERAL,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(each,0)",
            "value(1)",
            "holds(a,a,s,1,stay)",
            "holds(a,b,e(1),0)",
            "holds(b,a,s,1)",
            "holds(b,b,t,1,y)",
            "holds(b,a,e(0),0)",
            "holds(b,b,e(1),0)",
        ],
        holds: false,
    },
    Case {
        rules: GENERAL,
        kind: "bounds",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(each,0)",
            "scale(1)",
            "between(a,1,1)",
            "gets(a,a,s,1,1,stay)",
            "gets(a,b,e(1),0,1)",
            "gets(b,a,s,1,-1)",
            "gets(b,b,t,1,-1,y)",
            "gets(b,a,e(0),0,0)",
            "gets(b,b,e(1),0,-1)",
        ],
        holds: false,
    },
    Case {
        rules: GLOBALS,
        kind: "cheapest",
        lines: &[
            "start(instance,s)",
            "cost(5.0)",
            "step(m,t)",
            "given(heuristic)",
            "closed(0.0,s)",
            "closed(1.0,u)",
        ],
        holds: false,
    },
    Case {
        rules: ONE_MATCH,
        kind: "value",
        lines: &[
            "start(instance,1)",
            "player(a)",
            "utilities(player_to_move,0)",
            "value(1)",
            "holds(a,a,1,1,take)",
            "holds(a,b,0,0)",
            "holds(b,a,1,1)",
            "holds(b,b,0,0)",
        ],
        holds: true,
    },
    Case {
        rules: ONE_MATCH,
        kind: "value",
        lines: &[
            "start(instance,1)",
            "player(b)",
            "utilities(player_to_move,0)",
            "value(1)",
            "holds(b,b,1,1,take)",
            "holds(b,a,0,0)",
            "holds(a,b,1,1)",
            "holds(a,a,0,0)",
        ],
        holds: false,
    },
    Case {
        rules: ONE_MATCH,
        kind: "value",
        lines: &[
            "start(given,1)",
            "player(b)",
            "utilities(player_to_move,0)",
            "value(1)",
            "holds(b,b,1,1,take)",
            "holds(b,a,0,0)",
            "holds(a,b,1,1)",
            "holds(a,a,0,0)",
        ],
        holds: true,
    },
    Case {
        rules: INFINITE,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(zero_sum,0)",
            "value(1)",
            "holds(a,a,s,1,good)",
            "holds(a,b,e(1),0)",
            "holds(b,a,s,2)",
            "holds(b,b,e(1),0)",
            "holds(b,b,t,1,good)",
            "holds(b,a,e(2),0)",
        ],
        holds: true,
    },
    Case {
        rules: ROUNDED,
        kind: "value",
        lines: &[
            "start(instance,s)",
            "player(a)",
            "utilities(constant_sum,0.3)",
            "value(0.2)",
            "holds(a,a,s,1,n)",
            "holds(a,b,e(1),0)",
            "holds(b,a,s,1)",
            "holds(b,b,e(0),0)",
            "holds(b,b,e(1),0)",
        ],
        holds: true,
    },
    Case {
        rules: PLAN,
        kind: "cheapest",
        lines: &[
            "start(instance,s(a,0))",
            "cost(8)",
            "step(go(a,b),s(b,1))",
            "step(go(b,c),s(c,2))",
            "closed(0,s(a,0))",
            "closed(4,s(b,1))",
        ],
        holds: true,
    },
    Case {
        rules: HUGE,
        kind: "unsolvable",
        lines: &["start(instance,s(0))", "closed(0,s(0))", "closed(1,s(1))", "closed(1,s(2))"],
        holds: false,
    },
    Case {
        rules: OVERFLOW,
        kind: "unsolvable",
        lines: &[
            "start(instance,s(0))",
            "closed(0.0,s(0))",
            "closed(1.0e+308,s(1))",
            "closed(1.7e+308,s(2))",
            "closed(1.7e+308,s(3))",
        ],
        holds: true,
    },
    Case {
        rules: ATTRIBUTED,
        kind: "plan",
        lines: &["start(instance,s(_))", "cost(1)", "step(m,t)"],
        holds: false,
    },
];

/// The cost and the move of a plan that holds, in spellings of which none is canonical.
const SPELLINGS: &[[&str; 2]] = &[
    ["cost(9)", "step(go(a(),c),s(c,1))"],
    ["cost(\u{669})", "step(go(a,c),s(c,1))"],
    ["cost(0 9)", "step(go(a,c),s(c,1))"],
    ["cost(9)", "\0step(go(a,c),s(c,1))"],
    ["cost(9)", "\u{85}step(go(a,c),s(c,1))"],
    ["cost(9)", "step(go(a,c\u{feff}),s(c,1))"],
    ["cost(0x9)", "step(go(a,c),s(c,1))"],
];

/// The exit status and the words of the checker in Prolog; nothing where SWI-Prolog is not installed.
fn judged(rules: &std::path::Path, text: &[u8], name: &str) -> Option<(i32, String)> {
    let file = scratch(&format!("{name}.certificate"));
    std::fs::write(&file, text).expect("written");
    let run = Command::new("swipl").args([CHECKER, "--"]).arg(rules).arg(file).output().ok()?;
    Some((run.status.code()?, String::from_utf8_lossy(&run.stdout).into_owned()))
}

#[test]
fn both_checkers_owe_these_verdicts() {
    let plans: Vec<[&str; 3]> =
        SPELLINGS.iter().map(|&[cost, step]| ["start(instance,s(a,0))", cost, step]).collect();
    let plans = plans.iter().map(|lines| Case { rules: PLAN, kind: "plan", lines, holds: false });
    for (number, Case { rules, kind, lines, holds }) in
        CASES.iter().copied().chain(plans).enumerate()
    {
        let name = format!("verdict.{number}");
        let path = scratch(&format!("{name}.pl"));
        std::fs::write(&path, rules).expect("written");
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}.")).collect();
        let text = sealed(kind, &lines);
        let found = Rules::of(&path).checked(&text);
        assert_eq!(found.is_ok(), holds, "{number}: {found:?}");
        if let Some((status, said)) = judged(&path, text.as_bytes(), &name) {
            assert_eq!(status, i32::from(!holds), "{number}: {said}");
        }
    }
}

#[test]
fn deep_terms_and_broken_texts_are_refused_by_both() {
    let path = scratch("deep.pl");
    std::fs::write(&path, PLAN).expect("written");
    let plan = |step: &str| {
        let lines = ["start(instance,s(a,0)).", "cost(9).", step].map(str::to_owned);
        sealed("plan", &lines).into_bytes()
    };
    let honest = plan("step(go(a,c),s(c,1)).");
    let nested = |open: &str, close: &str| {
        let depth = 100_000;
        plan(&format!("step(go(a,{}c{}),s(c,1)).", open.repeat(depth), close.repeat(depth)))
    };
    // Characters in more bytes than they need, and halves of pairs.
    let bytes = |wrong: &[u8]| {
        let text = String::from_utf8(honest.clone()).expect("text");
        let at = text.find("go(a,c)").expect("there") + 5;
        let body = text.rfind("checksum").expect("there");
        let mut whole = honest[..body].to_vec();
        whole.splice(at..=at, wrong.iter().copied());
        let sum = zug_certificate::adler(&whole);
        whole.extend(format!("checksum(3,{sum}).\n").bytes());
        whole
    };
    let mut texts = vec![nested("s(", ")"), nested("[", "]"), nested("", "-1"), nested("- ", "")];
    for wrong in
        [&[0xE0, 0x81, 0xA3][..], &[0xF0, 0x80, 0x81, 0xA3], &[0xED, 0xA0, 0x80], &[0xC1, 0xA3]]
    {
        texts.push(bytes(wrong));
    }
    for (number, text) in texts.iter().enumerate() {
        let found = str::from_utf8(text).map(|text| Rules::of(&path).checked(text).is_ok());
        assert_ne!(found, Ok(true), "{number}");
        if let Some((status, said)) = judged(&path, text, &format!("deep.{number}")) {
            assert_eq!(status, 1, "{number}: {said}");
        }
    }
    assert!(Rules::of(&path).checked(str::from_utf8(&honest).expect("text")).is_ok());
}

/// What both take for functions of arithmetic is the same.
#[test]
fn functions_of_arithmetic_are_those_of_the_machine() {
    let checker = std::fs::read_to_string(CHECKER).expect("text");
    let (session, _) = zug_tools::language::captured("");
    let symbols = &session.machine.symbols;
    let begin = checker.find("arithmetic(0, ").expect("the list");
    let end = begin + checker[begin..].find("\n\n").expect("its end");
    let mut listed: Vec<(usize, &str)> = Vec::new();
    let mut arity = 0;
    for word in checker[begin..end].split([',', '[', ']', '.', ' ', '\n']) {
        match word.strip_prefix("arithmetic(") {
            Some(number) => arity = number.parse().expect("an arity"),
            None if [")", ""].contains(&word) => {}
            None => listed.push((arity, word)),
        }
    }
    let quoted = |name: &str| match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\\', "\\\\")),
    };
    let mut own: Vec<(usize, String)> = Vec::new();
    for (arity, name) in zug_machine::arithmetic::functors() {
        own.push((arity, quoted(symbols.name(name))));
    }
    let mut listed: Vec<(usize, String)> =
        listed.into_iter().map(|(arity, name)| (arity, name.to_owned())).collect();
    listed.sort();
    own.sort();
    own.dedup();
    assert_eq!(listed, own);
}
