//! Certificates: made by every engine that claims a proof, accepted by `zug verify` and by the checker in Prolog, and
//! rejected when they are changed.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use zug_certificate::adler;
use zug_domain::Contract;
use zug_domain::certificate::{Accepted, Rejected, check_certificate};
use zug_prolog::session::Session;
use zug_search::Limits;

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/certificate/check.pl");

fn rules(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(name)
}

/// A file of these tests.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// Runs zug: the status, and what it wrote to both streams.
fn zug(arguments: &[&str]) -> (i32, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_zug")).args(arguments).output().expect("it runs");
    let text = [run.stdout, run.stderr].concat();
    (run.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

/// Whether the checker in Prolog accepts a certificate; nothing where SWI-Prolog is not installed.
fn checker(rules: &Path, certificate: &Path) -> Option<(bool, String)> {
    let mut swipl = Command::new("swipl");
    let run = swipl.args([CHECKER, "--"]).arg(rules).arg(certificate).output().ok()?;
    let text = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    match run.status.code() {
        Some(0) => Some((true, text)),
        Some(1) => Some((false, text)),
        other => panic!("{other:?}: {text}"),
    }
}

/// Solves, and has both accept what comes: the certificate, if there is one.
fn certified(rules: &Path, arguments: &[&str], name: &str) -> Option<String> {
    let path = scratch(name);
    let _ = std::fs::remove_file(&path);
    let (file, certificate) = (rules.to_str().expect("text"), path.to_str().expect("text"));
    let to = ["solve", file, "--memory", "300M", "--certificate", certificate];
    let (_, said) = zug(&[to.as_slice(), arguments].concat());
    let text = std::fs::read_to_string(&path).ok();
    assert_eq!(text.is_none(), said.contains("no certificate: "), "{file} {arguments:?}: {said}");
    text.as_ref()?;
    let (status, said) = zug(&["verify", file, certificate]);
    assert_eq!(status, 0, "{file} {arguments:?}: {said}");
    if let Some((accepted, said)) = checker(rules, &path) {
        assert!(accepted, "{file} {arguments:?}: {said}");
    }
    text
}

fn kind(text: &str) -> &str {
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("certificate(").split(',').next().unwrap_or_default()
}

#[test]
fn every_engine_for_puzzles_has_its_certificates() {
    for (file, instance, cheapest) in [
        ("wolf.pl", "alcuin", "cheapest"),
        ("jugs.pl", "die_hard", "cheapest"),
        ("jugs.pl", "hopeless", "unsolvable"),
        ("romania.pl", "arad", "cheapest"),
        ("bridge.pl", "band", "cheapest"),
        ("taquin.pl", "five", "cheapest"),
        ("hanoi.pl", "three", "cheapest"),
    ] {
        let mut seen = 0;
        // Informed engines are of files with a heuristic.
        let informed = std::fs::read_to_string(rules(file)).expect("text").contains("\nheuristic(");
        for info in zug_search::engines().filter(|info| informed || !info.informed) {
            let name = format!("{file}.{instance}.{}", info.name);
            let arguments = ["--instance", instance, "--engine", info.name];
            let Some(text) = certified(&rules(file), &arguments, &name) else { continue };
            assert!([cheapest, "plan"].contains(&kind(&text)), "{name}: {}", kind(&text));
            seen += 1;
            if info.name == "ucs" {
                assert_eq!(kind(&text), cheapest, "{name}");
            }
        }
        assert!(seen >= 4, "{file}: {seen} certificates");
    }
}

#[test]
fn every_engine_for_games_has_its_certificates() {
    for (file, engines) in [
        ("nim.pl", &["solve_game", "alphabeta", "negamax", "minimax", "pns"][..]),
        ("tictactoe.pl", &["solve_game", "alphabeta"]),
        ("hexapawn.pl", &["solve_game", "alphabeta", "pns"]),
        ("chomp.pl", &["solve_game"]),
        ("kalah.pl", &["solve_game"]),
        ("nim_heaps.pl", &["solve_game"]),
    ] {
        for engine in engines {
            let arguments = ["--engine", engine, "--depth", "40"];
            let arguments = if *engine == "solve_game" { &arguments[..2] } else { &arguments };
            let text = certified(&rules(file), arguments, &format!("{file}.{engine}"));
            assert_eq!(text.as_deref().map(kind), Some("value"), "{file} {engine}");
        }
    }
    for file in ["coins.pl", "race.pl"] {
        let text = certified(&rules(file), &[], file);
        assert_eq!(text.as_deref().map(kind), Some("values"), "{file}");
    }
}

#[test]
fn shipped_rules_have_certificates_by_default() {
    let mut certificates = 0;
    for entry in std::fs::read_dir(rules("")).expect("rules") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let in_turn = source.contains("\nrule(") || source.contains("\nmove(");
        // Their spaces are too large to be searched here.
        let large = ["connect4.pl", "pig.pl", "klotski.pl", "krk.pl", "checkers.pl"];
        let larger = ["nine_mens_morris.pl", "hare_and_hounds.pl", "goofspiel.pl"];
        let skipped = large.contains(&name.as_str()) || larger.contains(&name.as_str());
        if in_turn && !skipped && name.ends_with(".pl") {
            let text = certified(&path, &["--nodes", "20000"], &format!("{name}.default"));
            certificates += usize::from(text.is_some());
        }
    }
    assert!(certificates >= 25, "{certificates} certificates");
}

#[test]
fn what_rests_on_a_heuristic_says_so() {
    let arguments = ["--instance", "twenty", "--heuristic", "manhattan", "--no-verify"];
    let text = certified(&rules("taquin.pl"), &arguments, "taquin.manhattan").expect("one");
    assert!(text.contains("\ngiven(heuristic(manhattan)).\n"));
    let (_, said) = zug(&[
        "verify",
        rules("taquin.pl").to_str().expect("text"),
        scratch("taquin.manhattan").to_str().expect("text"),
    ]);
    assert!(said.contains("if manhattan never overestimates"), "{said}");
}

#[test]
fn where_it_does_not_fit_the_answer_stands_without_one() {
    let path = scratch("none");
    let (file, certificate) = (rules("taquin.pl"), path.to_str().expect("text"));
    // The search keeps no states, the pass that makes the certificate all of them.
    let search = ["--instance", "twenty", "--engine", "iddfs"];
    let arguments = [&search[..], &["--memory", "1M", "--format", "json"]].concat();
    let to = ["solve", file.to_str().expect("text"), "--certificate", certificate];
    let (status, said) = zug(&[to.as_slice(), &arguments].concat());
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("\"certificate\":null"), "{said}");
    assert!(said.contains("do not fit into memory"), "{said}");
    assert!(!path.exists());
}

/// A session with rules, which checks certificates of them.
struct Rules {
    session: Session,
    contract: Contract,
}

impl Rules {
    fn of(name: &str) -> Rules {
        let (mut session, _) = zug_tools::language::captured("");
        session.load_file(&rules(name)).expect("it loads");
        zug_code::Specialise::Off.set(&mut session.world);
        let contract = Contract::of(&session.machine);
        Rules { session, contract }
    }

    fn check(&mut self, text: &str) -> Result<Accepted, Rejected> {
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        let checked = check_certificate(m, w, &self.contract, text, &Limits::none());
        checked.unwrap_or_else(|error| panic!("{}", error.diagnostic(m, w).message))
    }
}

/// The lines between the first and the last.
fn body(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    lines[1..lines.len() - 1].iter().map(|&line| line.to_owned()).collect()
}

/// A certificate with these lines, whose checksum is right.
fn sealed(kind: &str, body: &[String]) -> String {
    let mut text = format!("certificate({kind},1).\n");
    for line in body {
        text += line;
        text.push('\n');
    }
    let sum = adler(text.as_bytes());
    writeln!(text, "checksum({},{sum}).", body.len()).expect("memory");
    text
}

/// A number in a line, made greater by so much; nothing if there is none.
fn with_number(line: &str, at: usize, more: i64) -> Option<String> {
    let mut numbers = Vec::new();
    let mut begin = None;
    for (place, byte) in line.bytes().enumerate() {
        match (byte.is_ascii_digit(), begin) {
            (true, None) => begin = Some(place),
            (false, Some(from)) => {
                numbers.push((from, place));
                begin = None;
            }
            _ => {}
        }
    }
    let &(from, to) = numbers.get(at % numbers.len().max(1))?;
    let number: i64 = line[from..to].parse().ok()?;
    Some(format!("{}{}{}", &line[..from], number + more, &line[to..]))
}

/// A change at random.
fn corrupted(lines: &[String], random: &mut zug_random::Random) -> Vec<String> {
    let mut lines = lines.to_vec();
    let mut below = |most: usize| random.below(most as u64) as usize;
    let (at, other) = (below(lines.len()), below(lines.len()));
    match below(6) {
        0 => drop(lines.remove(at)),
        1 => {
            let line = lines[other].clone();
            lines[at] = line;
        }
        2 => lines.swap(at, other),
        3 | 4 => {
            let (place, more) = (below(8), if below(2) == 0 { 1 } else { -1 });
            if let Some(line) = with_number(&lines[at], place, more) {
                lines[at] = line;
            }
        }
        _ => {
            // The state of one line in the other.
            let tail = |line: &str| line.find(',').map(|comma| line[comma..].to_owned());
            if let (Some(comma), Some(tail)) = (lines[at].find(','), tail(&lines[other])) {
                lines[at] = format!("{}{tail}", &lines[at][..comma]);
            }
        }
    }
    lines
}

/// The moves of a puzzle by state, as text, found without an engine.
struct Space {
    moves: HashMap<String, Vec<(String, i64, String)>>,
    finals: Vec<String>,
    starts: Vec<String>,
}

/// Splits the arguments of a record at commas outside of brackets.
fn arguments(record: &str) -> Vec<String> {
    let inner = &record[record.find('(').map_or(0, |at| at + 1)..record.len() - 2];
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inner.chars() {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().expect("one").push(c),
        }
    }
    parts
}

impl Space {
    fn of(name: &str) -> Space {
        let (mut session, shown) = zug_tools::language::captured("");
        session.load_file(&rules(name)).expect("it loads");
        let goal = "findall(S, initial_state(_, S), L0), closure(L0, [])";
        let program = "
            closure([], _).
            closure([S|L], Seen) :- memberchk(S, Seen), !, closure(L, Seen).
            closure([S|L], Seen) :-
                ( \\+ \\+ final_state(S) -> writeq(final(S)), writeln('.') ; true ),
                forall(rule(M, C, S, T), ( writeq(move(S, M, C, T)), writeln('.') )),
                findall(T, rule(_, _, S, T), Ts),
                append(L, Ts, L1),
                closure(L1, [S|Seen]).
            starts :- forall(initial_state(N, S), ( writeq(initial(N, S)), writeln('.') )).";
        session.load_text("closure", program);
        for goal in ["starts", goal] {
            let mut query = session.query(goal).expect("it reads");
            assert!(session.next(&mut query).expect("no error"), "{goal}");
            session.close(query);
        }
        session.world.streams.end_query().expect("written");
        let mut space = Space { moves: HashMap::new(), finals: Vec::new(), starts: Vec::new() };
        for line in shown.take().lines() {
            let parts = arguments(line);
            match line.split('(').next() {
                Some("final") => space.finals.push(parts[0].clone()),
                Some("initial") => {
                    space.starts.push(format!("instance({}),{}", parts[0], parts[1]));
                }
                _ => {
                    let cost = parts[2].parse().expect("a cost");
                    let step = (parts[1].clone(), cost, parts[3].clone());
                    space.moves.entry(parts[0].clone()).or_default().push(step);
                }
            }
        }
        space
    }

    fn moves(&self, state: &str) -> &[(String, i64, String)] {
        self.moves.get(state).map_or(&[], Vec::as_slice)
    }

    /// Whether lines prove what they say: the definition, applied to a table of all moves.
    fn proves(&self, kind: &str, lines: &[String]) -> Option<()> {
        let of = |name: &str, arity: usize| -> Vec<Vec<String>> {
            let begin = format!("{name}(");
            lines
                .iter()
                .filter(|line| line.starts_with(&begin))
                .map(|line| arguments(line))
                .filter(|arguments| arguments.len() == arity)
                .collect()
        };
        let (starts, costs) = (of("start", 2), of("cost", 1));
        let (steps, closed) = (of("step", 2), of("closed", 2));
        let known = starts.len() + costs.len() + steps.len() + closed.len() == lines.len();
        let solved = kind == "cheapest";
        let right = known && starts.len() == 1 && costs.len() == usize::from(solved);
        let start = right.then(|| starts[0].clone())?;
        self.starts.contains(&start.join(",")).then_some(())?;
        let (mut state, mut sum) = (start[1].clone(), 0);
        for step in &steps {
            let moves = self.moves(&state).iter();
            let fits = moves.filter(|(mv, _, to)| (mv, to) == (&step[0], &step[1]));
            sum += fits.map(|&(_, cost, _)| cost).min()?;
            state = step[1].clone();
        }
        let bound = costs.first().map(|cost| cost[0].parse::<i64>()).transpose().ok()?;
        let replayed = self.finals.contains(&state) && bound == Some(sum);
        (replayed || !solved && steps.is_empty()).then_some(())?;
        let mut list = HashMap::new();
        for row in &closed {
            let new = list.insert(row[1].clone(), row[0].parse::<i64>().ok()?).is_none();
            new.then_some(())?;
        }
        let reached = |state: &str, cost: i64| {
            list.get(state).is_some_and(|&least| least <= cost) || bound.is_some_and(|b| cost >= b)
        };
        reached(&start[1], 0).then_some(())?;
        let all = list.iter().all(|(state, cost)| {
            !self.finals.contains(state)
                && self.moves(state).iter().all(|(_, more, to)| reached(to, cost + more))
        });
        all.then_some(())
    }
}

#[test]
fn changed_certificates_of_puzzles_are_rejected_unless_they_prove_it_still() {
    for (file, instance) in [
        ("wolf.pl", "alcuin"),
        ("jugs.pl", "die_hard"),
        ("jugs.pl", "hopeless"),
        ("romania.pl", "arad"),
    ] {
        let name = format!("{file}.{instance}.changed");
        let text = certified(&rules(file), &["--instance", instance], &name).expect("one");
        let (kind, lines) = (kind(&text).to_owned(), body(&text));
        let (space, mut rules) = (Space::of(file), Rules::of(file));
        assert_eq!(sealed(&kind, &lines), text);
        assert_eq!(space.proves(&kind, &lines), Some(()), "{file}");
        let mut random = zug_random::Random::new(27);
        let mut rejected = 0;
        for _ in 0..rounds() {
            let changed = corrupted(&lines, &mut random);
            let (proof, found) =
                (space.proves(&kind, &changed).is_some(), rules.check(&sealed(&kind, &changed)));
            assert_eq!(found.is_ok(), proof, "{}\n{found:?}", sealed(&kind, &changed));
            rejected += usize::from(!proof);
        }
        assert!(rejected * 2 > rounds(), "{file}: {rejected} rejected");
    }
}

/// Changes of each certificate: more of them where that is asked for.
fn rounds() -> usize {
    std::env::var("ZUG_CORRUPTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

#[test]
fn changed_certificates_of_games_never_prove_another_value() {
    for (file, others) in [("nim.pl", "-1"), ("hexapawn.pl", "100"), ("coins.pl", "[21,14,10]")] {
        let text = certified(&rules(file), &[], &format!("{file}.changed")).expect("one");
        let (kind, lines) = (kind(&text).to_owned(), body(&text));
        let mut rules = Rules::of(file);
        let claim = |lines: &[String]| {
            let of = |name| lines.iter().find(|line| line.starts_with(name)).cloned();
            ["start(", "player(", "value"].map(of)
        };
        let truth = claim(&lines);
        let mut random = zug_random::Random::new(27);
        for _ in 0..rounds() {
            let changed = corrupted(&lines, &mut random);
            if rules.check(&sealed(&kind, &changed)).is_ok() {
                assert_eq!(claim(&changed), truth, "{file}");
            }
        }
        let other: Vec<String> = lines
            .iter()
            .map(|line| match line.starts_with("value") {
                true => format!("{kind}({others})."),
                false => line.clone(),
            })
            .collect();
        assert!(rules.check(&sealed(&kind, &other)).is_err(), "{file}: another value");
    }
}

#[test]
fn clever_changes_are_rejected_by_both() {
    let wolf = certified(&rules("wolf.pl"), &[], "wolf.clever").expect("one");
    let nim = certified(&rules("nim.pl"), &[], "nim.clever").expect("one");
    let (wolf, nim) = (body(&wolf), body(&nim));
    let without = |lines: &[String], name: &str, nth: usize| {
        let mut lines = lines.to_vec();
        let places = lines.iter().enumerate().filter(|(_, line)| line.starts_with(name));
        let at = places.map(|(at, _)| at).nth(nth).expect("such a line");
        lines.remove(at);
        lines
    };
    let replaced = |lines: &[String], from: &str, to: &str| {
        let changed: Vec<String> = lines.iter().map(|line| line.replace(from, to)).collect();
        assert_ne!(changed, lines, "{from}");
        changed
    };
    let ranks = |lines: &[String]| {
        let flat = |line: &String| match line.starts_with("holds(") {
            true => {
                let mut parts = arguments(line);
                parts[3] = "7".to_owned();
                format!("holds({}).", parts.join(","))
            }
            false => line.clone(),
        };
        lines.iter().map(flat).collect::<Vec<_>>()
    };
    let cases: [(&str, &str, &str, Vec<String>); 12] = [
        ("wolf.pl", "a state left out", "cheapest", without(&wolf, "closed(", 4)),
        ("wolf.pl", "the start left out", "cheapest", without(&wolf, "closed(", 0)),
        ("wolf.pl", "a move left out", "cheapest", without(&wolf, "step(", 2)),
        ("wolf.pl", "a lower cost", "cheapest", replaced(&wolf, "cost(7)", "cost(6)")),
        (
            "wolf.pl",
            "an illegal move",
            "cheapest",
            replaced(&wolf, "step(alone,", "step(with_wolf,"),
        ),
        ("wolf.pl", "a dearer state", "cheapest", replaced(&wolf, "closed(4,", "closed(5,")),
        ("wolf.pl", "no plan at all", "unsolvable", without(&wolf, "cost(", 0)),
        (
            "wolf.pl",
            "another start",
            "cheapest",
            replaced(&wolf, "instance(alcuin)", "instance(late)"),
        ),
        ("romania.pl", "another file", "cheapest", wolf.clone()),
        ("nim.pl", "a position left out", "value", without(&nim, "holds(", 3)),
        ("nim.pl", "ranks that do not fall", "value", ranks(&nim)),
        ("nim.pl", "the other player", "value", replaced(&nim, "player(a)", "player(b)")),
    ];
    for (file, what, kind, lines) in cases {
        let text = sealed(kind, &lines);
        let found = Rules::of(file).check(&text);
        assert!(found.is_err(), "{file}: {what}");
        let path = scratch("clever");
        std::fs::write(&path, text).expect("written");
        if let Some((accepted, said)) = checker(&rules(file), &path) {
            assert!(!accepted, "{file}: {what}: {said}");
        }
    }
}

#[test]
fn accidents_are_named_by_the_checksum() {
    let text = certified(&rules("wolf.pl"), &[], "wolf.accident").expect("one");
    let mut rules = Rules::of("wolf.pl");
    for at in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let other = String::from_utf8(bytes).expect("text");
        assert!(rules.check(&other).is_err(), "byte {at}");
    }
}
