//! Texts of all kinds: broken, cut, without sense, long, empty, in odd encodings.

use super::{Due, Job, Made, Random, Recipe};
use std::fmt::Write;

pub fn recipes() -> Vec<Recipe> {
    vec![
        Recipe { kind: "syntax_error", make: syntax_error },
        Recipe { kind: "cut_off", make: cut_off },
        Recipe { kind: "noise", make: noise },
        Recipe { kind: "bytes", make: bytes },
        Recipe { kind: "not_utf8", make: not_utf8 },
        Recipe { kind: "odd_lines", make: odd_lines },
        Recipe { kind: "empty", make: empty },
        Recipe { kind: "warned", make: warned },
        Recipe { kind: "no_start", make: no_start },
        Recipe { kind: "many_facts", make: many_facts },
        Recipe { kind: "long_clause", make: long_clause },
        Recipe { kind: "long_words", make: long_words },
        Recipe { kind: "nested", make: nested },
        Recipe { kind: "brackets", make: brackets },
    ]
}

fn syntax_error(random: &mut Random, _: &Job<'_>) -> Made {
    let name = random.name();
    let wrong = random.pick(&[
        "foo(a.\n",
        "foo a b.\n",
        "[a, b.\n",
        "x :- y z.\n",
        "p(\"abc).\n",
        "q('abc).\n",
        "{ ( } ).\n",
        "a :- b, , c.\n",
        "/* never closed\n",
        "p :- :- q.\n",
    ]);
    let facts: String = (0..random.range(0, 30)).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{name}({at}).");
        text
    });
    Made::same(format!("{facts}{wrong}{name}(last).\n?- {name}(X).\n"), Due::new("faults"))
}

/// A file that ends within its last clause.
fn cut_off(random: &mut Random, _: &Job<'_>) -> Made {
    let last = "rule(move(Piece, From, To), Cost, state(Board, Turn), state(After, Other)) :- true";
    let end = random.size(1, last.len());
    let text = format!("initial_state(1).\nfinal_state(2).\n{}", &last[..end]);
    Made::same(text, Due::new("faults"))
}

fn noise(random: &mut Random, _: &Job<'_>) -> Made {
    let length = random.size(1, 4000);
    let printable = (0..length).map(|_| random.range(32, 126) as u8 as char);
    // However it goes on, that is no clause.
    Made::same(format!(") {}", printable.collect::<String>()), Due::new("faults"))
}

fn bytes(random: &mut Random, _: &Job<'_>) -> Made {
    let mut text = b") ".to_vec();
    text.extend((0..random.size(1, 4000)).map(|_| random.bits() as u8));
    Made::same(text, Due::new("faults"))
}

fn not_utf8(random: &mut Random, _: &Job<'_>) -> Made {
    let mut text = format!("{}('", random.name()).into_bytes();
    text.extend([random.range(0x80, 0xbf) as u8, 0xff, 0xc0]);
    text.extend(b"').\n?- true.\n");
    // What is no text is said and taken for `\u{fffd}`.
    Made::new(text, Due::new("program"), Due::new("true").results(1))
}

/// A byte order mark, lines as Windows ends them, tabs, letters of many scripts.
fn odd_lines(random: &mut Random, _: &Job<'_>) -> Made {
    let number = random.range(1, 99);
    let text = format!(
        "\u{feff}% Größe \u{1f600}\r\ngröße('日本語', {number}).\r\n\t\r\n\
         ?- größe(X, {number}), atom_length(X, N).\r\n"
    );
    let ask = Due::new("true").results(1).answers(0, &["X = 日本語, N = 3".into()]);
    Made::new(text, Due::new("program"), ask)
}

fn empty(random: &mut Random, _: &Job<'_>) -> Made {
    let text = random.pick(&["", "\n", "% nothing\n", "/* nothing */", "   \t\n\n\n", "%"]);
    Made::same(*text, Due::new("program").results(0))
}

fn warned(random: &mut Random, _: &Job<'_>) -> Made {
    let (one, other) = (random.name(), random.name());
    let text =
        format!("{one}(X, Y) :- {other}1(X).\n{other}1(1).\n{one}(2, 2).\n?- {other}1(1).\n");
    Made::new(text, Due::new("program"), Due::new("true").results(1))
}

/// A puzzle without a state to begin with.
fn no_start(random: &mut Random, _: &Job<'_>) -> Made {
    let text = format!(
        "initial_state(X) :- {name}(X).\n:- dynamic {name}/1.\nfinal_state(b).\n\
         rule(go, 1, a, b).\n",
        name = random.name()
    );
    Made::domain(text, Due::new("faults").results(1))
}

fn many_facts(random: &mut Random, job: &Job<'_>) -> Made {
    let count = if job.huge { random.range(1_000, 20_000) } else { random.range(100, 600) };
    let mut text = String::new();
    let name = random.name();
    for at in 0..count {
        let _ = writeln!(text, "{name}({at}, key_{at}, [{at}, x{}]).", at % 7);
    }
    let _ = writeln!(text, "?- {name}(N, key_{}, _).", count - 1);
    let answer = format!("N = {}", count - 1);
    Made::new(text, Due::new("program"), Due::new("true").answers(0, &[answer]))
}

fn long_clause(random: &mut Random, job: &Job<'_>) -> Made {
    let count = if job.huge { random.range(500, 5_000) } else { random.range(50, 300) };
    let goals: Vec<String> = (0..count).map(|at| format!("X{at} = {at}")).collect();
    let last = count - 1;
    let text = format!("long(X{last}) :- {}.\n?- long(X).\n", goals.join(", "));
    let ask = Due::new("true").answers(0, &[format!("X = {last}")]);
    Made::new(text, Due::new("program"), ask)
}

fn long_words(random: &mut Random, job: &Job<'_>) -> Made {
    let length = if job.huge { random.size(1_000, 200_000) } else { random.size(500, 3_000) };
    let atom = random.name().repeat(length / 8 + 1);
    let string = "€uro ".repeat(length / 5);
    let digits = "7".repeat(length.min(20_000));
    let text = format!(
        "word({atom}).\ntext(\"{string}\").\ndigits({digits}).\n\
         ?- word(W), atom_length(W, N), N > 0, text(T), string_length(T, {}), digits(X), \
         X > 0, fail.\n",
        5 * (length / 5)
    );
    Made::new(text, Due::new("program"), Due::new("false").results(1))
}

fn nested(random: &mut Random, job: &Job<'_>) -> Made {
    let depth = if job.huge { random.size(1_000, 50_000) } else { random.size(200, 2_000) };
    let (open, close) =
        *random.pick(&[("f(", ")"), ("[", "]"), ("(", ")"), ("{", "}"), ("- (", ")")]);
    let text = format!("deep({}a{}).\n?- deep(_).\n", open.repeat(depth), close.repeat(depth));
    Made::new(text, Due::new("program"), Due::new("true").results(1))
}

fn brackets(random: &mut Random, job: &Job<'_>) -> Made {
    let depth = if job.huge { random.size(1_000, 50_000) } else { random.size(200, 2_000) };
    let open = random.pick(&["(", "[", "{", "f(", "[a|", "/* "]);
    Made::same(format!("p :- {}", open.repeat(depth)), Due::new("faults"))
}
