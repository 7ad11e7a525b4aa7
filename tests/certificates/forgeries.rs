//! Forged certificates: what both checkers have to refuse, made from certificates that hold.
//!
//! What is changed is every argument of records of each name, in the ways of somebody who knows what a checker might overlook,
//! and whole certificates at once. The [judge](super::judge) says of each whether it is still a proof, by the definitions; and
//! [truth](super::truth), which tries everything, whether its claim holds. What is no proof must be refused; what is accepted
//! must be true; and both checkers must say the same. A sample is taken unless `ZUG_FULL=1` is set.

use super::oracle::Oracle;
use super::{
    CHECKER, Rules, arguments, body, certified, corrupted, judge, kind, rules, scratch, sealed,
    truth,
};
use crate::support::full;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Certificates of all kinds that search makes: rules, and arguments of `zug solve`.
const BASES: [(&str, &[&str]); 32] = [
    ("wolf.pl", &["--engine", "dfs"]),
    ("tolls.pl", &["--engine", "dfs"]),
    ("steps.pl", &["--instance", "high", "--engine", "dfs"]),
    ("wolf.pl", &["--instance", "alcuin"]),
    ("jugs.pl", &["--instance", "die_hard"]),
    ("tolls.pl", &["--instance", "north"]),
    ("steps.pl", &["--instance", "low"]),
    ("tenths.pl", &[]),
    ("taquin.pl", &["--instance", "five", "--heuristic", "manhattan", "--no-verify"]),
    ("stamps.pl", &["--instance", "row"]),
    ("kinds.pl", &["--instance", "one"]),
    ("jugs.pl", &["--instance", "hopeless"]),
    ("tolls.pl", &["--instance", "south"]),
    ("stamps.pl", &["--state", "[b,_,_]"]),
    ("nim.pl", &["--state", "7"]),
    ("tictactoe.pl", &["--state", "[[x,o,_],[_,x,_],[_,_,o]]"]),
    ("halves.pl", &[]),
    ("close.pl", &[]),
    ("losers.pl", &[]),
    ("round.pl", &[]),
    ("unnamed.pl", &[]),
    ("duel.pl", &[]),
    ("prize.pl", &[]),
    ("alone.pl", &[]),
    ("dice.pl", &[]),
    ("thirds.pl", &[]),
    ("ties.pl", &[]),
    ("coins.pl", &["--state", "coins([5,8,3,9],[a-0,b-0,c-0])"]),
    ("rpsls.pl", &[]),
    ("goofspiel.pl", &["--instance", "two"]),
    ("prisoners_dilemma.pl", &[]),
    ("shares.pl", &[]),
];

/// Rules that are changed while the certificate stays: a text in a file, and another one in its place.
const CHANGES: [(&str, &[&str], &str, &str); 15] = [
    ("tolls.pl", &["--instance", "north"], "road(b, e, 8)", "road(b, e, 6)"),
    ("tolls.pl", &["--instance", "north"], "road(d, e, 7)", "road(d, e, 7.0)"),
    ("tolls.pl", &["--instance", "north"], "at(e, \"north\")", "at(e, north)"),
    ("tolls.pl", &["--instance", "south"], "road(g, f, 0)", "road(g, e, 0)"),
    (
        "tolls.pl",
        &["--instance", "south"],
        "final_state(at(e, \"north\"))",
        "final_state(at(g, _))",
    ),
    ("steps.pl", &["--instance", "low"], "1.25", "0.75"),
    ("steps.pl", &["--instance", "low"], "at(9)", "at(9.0)"),
    ("nim.pl", &["--state", "7"], "most(3)", "most(2)"),
    ("nim.pl", &["--state", "7"], "last_match(loses)", "last_match(wins)"),
    ("halves.pl", &[], "U = 0 ", "U = 2 "),
    ("close.pl", &[], "worth(4, 0.5)", "worth(4, 0.3)"),
    ("dice.pl", &[], "sign(A - B)", "sign(B - A)"),
    ("ties.pl", &[], "utility(b, end(2), 1.0)", "utility(b, end(2), 1.0000000000000002)"),
    ("duel.pl", &[], "other, _, 5/6", "other, _, 5/7"),
    ("prisoners_dilemma.pl", &[], "[1, 1]", "[1, -1]"),
];

/// A certificate that holds.
struct Base {
    path: PathBuf,
    kind: String,
    lines: Vec<String>,
}

/// A forged one: how, and its text; its lines, if it has the frame of a certificate.
struct Forgery {
    what: String,
    kind: String,
    text: String,
    lines: Option<Vec<String>>,
    /// It is another claim, with a proof that may be right: only whether it is true is found out.
    is_other_claim: bool,
}

impl Base {
    fn of(file: &str, arguments: &[&str]) -> Base {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // Tests run side by side, in threads or processes.
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let name = format!("{file}.{process}.{count}.forged");
        let text = certified(&rules(file), arguments, &name).expect("one");
        let _ = std::fs::remove_file(scratch(&name));
        Base { path: rules(file), kind: kind(&text).to_owned(), lines: body(&text) }
    }

    fn with(&self, what: impl Into<String>, lines: Vec<String>) -> Forgery {
        let (kind, text) = (self.kind.clone(), sealed(&self.kind, &lines));
        Forgery { what: what.into(), kind, text, lines: Some(lines), is_other_claim: false }
    }

    fn framed(&self, what: &str, text: String) -> Forgery {
        let (what, kind) = (what.to_owned(), self.kind.clone());
        Forgery { what, kind, text, lines: None, is_other_claim: false }
    }

    /// What is wrong with the text itself.
    fn frames(&self) -> Vec<Forgery> {
        let whole = sealed(&self.kind, &self.lines);
        let last = whole.lines().last().unwrap_or_default().to_owned();
        let resealed = |line: &str| {
            let lines = [&self.lines[..1], &[line.to_owned()], &self.lines[1..]].concat();
            sealed(&self.kind, &lines)
        };
        let mut found = vec![
            self.framed("no kind there is", sealed("proved", &self.lines)),
            self.framed("a quoted kind", sealed(&format!("\"{}\"", self.kind), &self.lines)),
            self.framed("another version", whole.replacen(",1).", ",2).", 1)),
            self.framed("no end", whole.replace(&last, "")),
            self.framed("no line end", whole.trim_end().to_owned()),
            self.framed("cut off", whole[..whole.len() / 2].to_owned()),
            self.framed("more behind the end", format!("{whole}{}\n", self.lines[0])),
            self.framed("nothing", String::new()),
            self.framed("no records", sealed(&self.kind, &[])),
            self.framed("another number of records", whole.replace("checksum(", "checksum(1")),
            self.framed("line ends of Windows", whole.replace('\n', "\r\n")),
            self.framed("a byte order mark", format!("\u{feff}{whole}")),
        ];
        for other in ["plan", "cheapest", "unsolvable", "value", "bounds", "values", "equilibrium"]
        {
            // What has fewer records to say may say it.
            if other != self.kind && other != "plan" {
                found.push(self.framed(other, sealed(other, &self.lines)));
            }
        }
        for line in [
            "believe(me).",
            "X.",
            ":- fail.",
            ":- op(200, xfx, is).",
            "end_of_file.",
            "{}.",
            "1.",
            "\"cost(1)\".",
            "start(given,_).",
            "given(heuristic(hope)).",
            "",
            "a. b.",
            "% nothing",
            "halt.",
            "closed(0,",
            "plan.",
            "cost(1). % comment",
            "cost(/* comment */ 1).",
        ] {
            found.push(self.framed(&format!("with {line}"), resealed(line)));
        }
        found
    }

    /// Records of one name, some of many: by their places.
    fn places(&self) -> Vec<usize> {
        let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, line) in self.lines.iter().enumerate() {
            names.entry(line.split('(').next().unwrap_or_default()).or_default().push(place);
        }
        let some = |places: &Vec<usize>| {
            let last = places.len() - 1;
            let mut some = [0, last / 3, 2 * last / 3, last].map(|at| places[at]).to_vec();
            some.dedup();
            some
        };
        names.values().flat_map(some).collect()
    }

    /// Every argument of some records of each name replaced.
    fn arguments(&self) -> Vec<Forgery> {
        let mut found = Vec::new();
        for place in self.places() {
            let line = &self.lines[place];
            let parts = arguments(line);
            let same = |other: &&String| other.split('(').next() == line.split('(').next();
            let next = self.lines[place + 1..].iter().chain(&self.lines[..place]).find(same);
            for (at, own) in parts.iter().enumerate() {
                let others = next.map(|next| arguments(next)).filter(|others| others.len() > at);
                let taken = others.map(|others| others[at].clone());
                for to in replacements(own).into_iter().chain(taken) {
                    if to == *own {
                        continue;
                    }
                    let mut lines = self.lines.clone();
                    lines[place] = with_argument(line, at, &to);
                    found.push(self.with(format!("{line} with {to}"), lines));
                }
            }
            let mut lines = self.lines.clone();
            lines.remove(place);
            found.push(self.with(format!("{line} left out"), lines.clone()));
            lines.insert(0, line.clone());
            lines.insert(0, line.clone());
            found.push(self.with(format!("{line} twice"), lines));
        }
        found
    }

    /// Everything of a kind changed at once, as somebody would who wants it to fit.
    fn at_once(&self) -> Vec<Forgery> {
        let mut found = Vec::new();
        let all = |what: &str, change: &dyn Fn(&str) -> Option<String>| {
            let changed = |line: &String| change(line);
            self.with(what, self.lines.iter().filter_map(changed).collect())
        };
        let named = |line: &str, names: &[&str]| {
            names.iter().any(|name| line.starts_with(&format!("{name}(")))
        };
        let arg = |line: &str, names: &[&str], at: usize, to: &str| {
            Some(if named(line, names) { with_argument(line, at, to) } else { line.to_owned() })
        };
        const COSTS: &[&str] = &["cost", "closed"];
        found.push(all("floats everywhere", &|line| Some(floated(line))));
        found.push(all("all costs as floats", &|line| {
            Some(if named(line, COSTS) {
                with_argument(line, 0, &floated(&arguments(line)[0]))
            } else {
                line.to_owned()
            })
        }));
        for to in ["0", "-1", "_", "0.0", "1.0e300", "1000000000000000000000000000000", "0+0"] {
            found.push(all(&format!("all states for {to}"), &|line| arg(line, &["closed"], 0, to)));
            found.push(all(&format!("all ranks {to}"), &|line| {
                arg(line, &["holds", "gets"], 3, to)
            }));
            found.push(all(&format!("rows of rank {to}"), &|line| arg(line, &["worth"], 2, to)));
            found.push(all(&format!("stages of rank {to}"), &|line| arg(line, &["plays"], 1, to)));
        }
        for to in ["_", "[_|_]", "\"s\"", "random(2)"] {
            found.push(all(&format!("all listed states {to}"), &|line| {
                arg(line, &["closed", "step"], 1, to)
            }));
            found.push(all(&format!("all moves {to}"), &|line| arg(line, &["step"], 0, to)));
            found.push(all(&format!("all positions {to}"), &|line| {
                arg(line, &["holds", "gets"], 2, to)
            }));
            found.push(all(&format!("all rows {to}"), &|line| arg(line, &["worth"], 1, to)));
            found.push(all(&format!("all stages {to}"), &|line| arg(line, &["plays"], 0, to)));
        }
        // A lower cost by a plan of variables, without a list or with what is below it.
        for cost in ["0", "1", "2", "6", "0.5", "9999999999"] {
            let limit: f64 = cost.parse().unwrap_or_default();
            found.push(all(&format!("cost {cost} by any plan"), &|line| match arguments(line) {
                _ if named(line, &["step"]) => Some("step(_,_).".to_owned()),
                parts if named(line, &["closed"]) && parts[0].parse().unwrap_or(limit) >= limit => {
                    None
                }
                _ => arg(line, &["cost"], 0, cost),
            }));
            found.push(all(&format!("cost {cost} with its list"), &|line| match arguments(line) {
                parts if named(line, &["closed"]) && parts[0].parse().unwrap_or(limit) >= limit => {
                    None
                }
                _ => arg(line, &["cost"], 0, cost),
            }));
        }
        for name in ["closed", "step", "holds", "gets", "worth", "plays"] {
            found.push(all(&format!("no {name}"), &|line| {
                (!named(line, &[name])).then(|| line.to_owned())
            }));
        }
        for utilities in [
            "zero_sum,0",
            "zero_sum,0.0",
            "constant_sum,2",
            "constant_sum,1",
            "constant_sum,1.0",
            "constant_sum,-1",
            "each,0",
            "player_to_move,0",
            "heuristic,0",
            "cannot_move_loses,0",
            "_,_",
            "zero_sum,_",
            "constant_sum,1+0",
        ] {
            let said = format!("utilities({utilities}).");
            found.push(all(&said, &|line| {
                Some(if named(line, &["utilities"]) { said.clone() } else { line.to_owned() })
            }));
            for value in ["1", "0", "-1", "2", "1.0", "1/2"] {
                found.push(all(&format!("{said} value {value}"), &|line| {
                    if named(line, &["utilities"]) {
                        Some(said.clone())
                    } else {
                        arg(line, &["value"], 0, value)
                    }
                }));
            }
        }
        // The same with players in each other's places is another claim.
        for (one, other) in [
            ("a", "b"),
            ("first", "second"),
            ("x", "o"),
            ("max", "min"),
            ("ann", "bob"),
            ("one", "two"),
        ] {
            let swapped = all("players swapped", &|line| {
                let parts = arguments(line).into_iter().map(|part| match part.as_str() {
                    part if part == one => other.to_owned(),
                    part if part == other => one.to_owned(),
                    _ => part,
                });
                Some(format!(
                    "{}({}).",
                    line.split('(').next()?,
                    parts.collect::<Vec<_>>().join(",")
                ))
            });
            if swapped.lines.as_deref() != Some(&self.lines[..]) {
                found.push(Forgery { is_other_claim: true, ..swapped });
            }
        }
        found
    }

    /// Changes at random.
    fn random(&self, count: usize) -> Vec<Forgery> {
        let mut random = zug_random::Random::new(27);
        let changes = (0..count).map(|_| {
            let lines = corrupted(&self.lines, &mut random);
            let first = lines.iter().find(|line| !self.lines.contains(line)).cloned();
            self.with(format!("at random, {}", first.unwrap_or_default()), lines)
        });
        changes.collect()
    }

    fn forgeries(&self) -> Vec<Forgery> {
        let parts = [self.frames(), self.arguments(), self.at_once(), self.random(60)];
        let found = parts.into_iter().flatten();
        found
            .filter(|forgery| forgery.lines.as_ref().is_none_or(|lines| *lines != self.lines))
            .collect()
    }
}

/// What stands in the place of an argument.
fn replacements(own: &str) -> Vec<String> {
    let mut found: Vec<String> = [
        "_",
        "X",
        "nowhere",
        "[]",
        "random(2)",
        "1.0Inf",
        "1.5NaN",
        "inf",
        "1.0e300",
        "\"\"",
        "-1",
    ]
    .map(str::to_owned)
    .to_vec();
    found.push("9".repeat(400));
    found.extend(
        ["0+%", "% - 0", "f(%)", "\"%\"", "[%]", "%/1", "- %", "{%}"]
            .map(|pattern| pattern.replace('%', own)),
    );
    if let Ok(number) = own.parse::<i128>() {
        found.extend(
            [number + 1, number - 1, -number, number * 2, number + 1_000_000_007]
                .map(|n| n.to_string()),
        );
        found.extend([
            format!("{number}.0"),
            format!("{number}.5"),
            format!("{}/2", number * 2),
            format!("'{number}'"),
        ]);
        found.push(format!("{number}.000000001"));
        found.push(format!("0x{:x}.0", number.unsigned_abs()));
    } else if let Ok(number) = own.parse::<f64>() {
        found.extend(
            [number.next_up(), number.next_down(), -number, number + 1.0, number * (1.0 + 1e-12)]
                .map(|n| format!("{n:?}")),
        );
        found.extend([format!("{}", number as i64), format!("{own}+0"), "-0.0".to_owned()]);
    }
    // Within: a variable, a float, a string in the place of a part; lists the other way round.
    found.extend([
        with_part(own, |_| "_".to_owned()),
        with_part(own, |part| format!("\"{part}\"")),
        floated(own),
    ]);
    found.push(with_part(own, |part| {
        part.parse::<i64>().map_or(part.to_owned(), |number| (number + 1).to_string())
    }));
    found.extend([
        own.replace('_', "a"),
        own.replace('"', ""),
        own.replace('_', "X"),
        own.replace("1/", "2/"),
    ]);
    found
}

/// A text in which the last atom or number is something else.
fn with_part(text: &str, to: impl Fn(&str) -> String) -> String {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let end = text.rfind(is_inner).map_or(0, |at| at + 1);
    let begin = text[..end].rfind(|c| !is_inner(c)).map_or(0, |at| at + 1);
    format!("{}{}{}", &text[..begin], to(&text[begin..end]), &text[end..])
}

/// All integers of a text as floats.
fn floated(text: &str) -> String {
    let (mut out, mut digits, mut before) = (String::new(), String::new(), ' ');
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit()
            && !(digits.is_empty()
                && (before.is_ascii_alphanumeric() || before == '_' || before == '.'))
        {
            digits.push(c);
        } else {
            if !digits.is_empty() {
                let ends = !(c == '.' || c.is_ascii_alphanumeric() || c == '_');
                out.push_str(&std::mem::take(&mut digits));
                if ends {
                    out.push_str(".0");
                }
            }
            out.push(c);
        }
        before = c;
    }
    out.pop();
    // The full stop of a record.
    out
}

fn with_argument(line: &str, at: usize, to: &str) -> String {
    let mut parts = arguments(line);
    parts[at] = to.to_owned();
    format!("{}({}).", line.split('(').next().unwrap_or_default(), parts.join(","))
}

/// Some of many, of which each is a chance number of places from the next.
fn sample<T>(all: Vec<T>, most: usize, seed: u64) -> Vec<T> {
    if full() || all.len() <= most {
        return all;
    }
    let (count, mut random) = (all.len(), zug_random::Random::new(seed));
    let mut left = most;
    let kept = all.into_iter().enumerate().filter(|(at, _)| {
        let takes = random.below((count - at) as u64) < left as u64;
        left -= usize::from(takes);
        takes
    });
    kept.map(|(_, one)| one).collect()
}

/// What the checker in Prolog says of certificates of the same rules, in one process; nothing where SWI-Prolog is not
/// installed.
fn checked_together(rules: &Path, texts: &[&str], name: &str) -> Option<Vec<bool>> {
    let mut verdicts = Vec::new();
    for (number, chunk) in texts.chunks(250).enumerate() {
        let folder = scratch(&format!("forged.{name}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut swipl = Command::new("swipl");
        swipl.args([CHECKER, "--"]).arg(rules);
        for (at, text) in chunk.iter().enumerate() {
            let file = folder.join(format!("{number}.{at}"));
            std::fs::write(&file, text).expect("written");
            swipl.arg(file);
        }
        let run = swipl.output().ok()?;
        let _ = std::fs::remove_dir_all(&folder);
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        let found = said.lines().filter_map(|line| match line.split_once(": ")?.0 {
            "accepted" => Some(true),
            "rejected" => Some(false),
            _ => None,
        });
        let found: Vec<bool> = found.collect();
        let errors = String::from_utf8_lossy(&run.stderr);
        assert_eq!(found.len(), chunk.len(), "{name}: {said}{errors}");
        let status = i32::from(found.contains(&false));
        assert_eq!(run.status.code(), Some(status), "{name}: {said}{errors}");
        verdicts.extend(found);
    }
    Some(verdicts)
}

/// Has both checkers say what they think of forgeries, and holds that against the judge and the truth. `known`: records that
/// hold, as far as they say how ends are read and who plays.
fn try_all(path: &Path, name: &str, known: &[String], forgeries: &[Forgery]) -> Vec<String> {
    let (mut oracle, mut own) = (Oracle::of(path), Rules::of(path));
    let texts: Vec<&str> = forgeries.iter().map(|forgery| forgery.text.as_str()).collect();
    let others = checked_together(path, &texts, name);
    let mut wrong = Vec::new();
    for (at, Forgery { what, kind, text, lines, is_other_claim }) in forgeries.iter().enumerate() {
        let found = own.check(text);
        let accepts = [Some(found.is_ok()), others.as_ref().map(|others| others[at])];
        let accepts: Vec<bool> = accepts.into_iter().flatten().collect();
        let is_proof = lines.as_ref().is_some_and(|lines| {
            *is_other_claim || judge::proves(&mut oracle, kind, lines, known).is_some()
        });
        let mut fault =
            |why: &str| wrong.push(format!("{name}: {what}: {why}: {accepts:?}: {found:?}"));
        if accepts.iter().any(|one| *one != accepts[0]) {
            fault("the checkers differ");
        }
        if accepts.contains(&true) && !is_proof {
            fault("it is no proof");
        }
        let claim = lines.as_ref().filter(|_| accepts.contains(&true));
        if claim.is_some_and(|lines| truth::holds(&mut oracle, kind, lines, known) == Some(false)) {
            fault("it is not true");
        }
    }
    wrong
}

#[test]
fn forgeries_are_refused_by_both() {
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::new());
    for (number, (file, arguments)) in BASES.into_iter().enumerate() {
        let base = Base::of(file, arguments);
        let name = format!("{file}.{number}");
        let mut oracle = Oracle::of(&base.path);
        let proved = judge::proves(&mut oracle, &base.kind, &base.lines, &base.lines);
        assert!(proved.is_some(), "{file} {arguments:?}: the judge");
        assert_ne!(
            truth::holds(&mut oracle, &base.kind, &base.lines, &base.lines),
            Some(false),
            "{file}"
        );
        let forgeries = base.forgeries();
        *counts.entry(base.kind.clone()).or_insert(0) += forgeries.len();
        let forgeries = sample(forgeries, 25, number as u64);
        wrong.extend(try_all(&base.path, &name, &base.lines, &forgeries));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(counts.len(), 7, "{counts:?}");
    assert!(counts.values().all(|&count| count >= 100), "{counts:?}");
}

#[test]
fn certificates_of_other_rules_are_refused() {
    let mut wrong = Vec::new();
    for (number, (file, arguments, from, to)) in CHANGES.into_iter().enumerate() {
        let base = Base::of(file, arguments);
        let text = std::fs::read_to_string(&base.path).expect("rules");
        assert!(text.contains(from), "{file}: {from}");
        let folder = scratch(&format!("changed.{number}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        // A file of the same name.
        let path = folder.join(file);
        std::fs::write(&path, text.replacen(from, to, 1)).expect("written");
        let same = Base { path: path.clone(), ..base };
        let forgeries = [same.with(format!("{from} is {to}"), same.lines.clone())];
        wrong.extend(try_all(&path, &format!("changed {file} {number}"), &same.lines, &forgeries));
    }
    // Certificates of each file, held against all others.
    let some: Vec<Base> =
        BASES.iter().step_by(3).map(|(file, arguments)| Base::of(file, arguments)).collect();
    for (number, rules) in some.iter().enumerate() {
        let of_others = some.iter().filter(|base| base.path != rules.path).map(|base| {
            let text = sealed(&base.kind, &base.lines);
            Forgery {
                what: "of other rules".to_owned(),
                kind: base.kind.clone(),
                text,
                lines: None,
                is_other_claim: false,
            }
        });
        let of_others: Vec<Forgery> = of_others.collect();
        wrong.extend(try_all(&rules.path, &format!("others {number}"), &rules.lines, &of_others));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
