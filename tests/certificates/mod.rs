//! Certificates: made by every engine that claims a proof, accepted by `zug verify` and by the checker in Prolog, and
//! rejected when they are changed.

mod forged_models;
mod forgeries;
mod judge;
mod models;
mod oracle;
mod truth;
mod verdicts;

use crate::support::{root, session};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use zug_certificate::adler;
use zug_domain::Contract;
use zug_domain::certificate::{Accepted, Rejected, check_certificate};
use zug_prolog::session::Session;
use zug_search::Limits;

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/certificate/check.pl");

/// A rule file that ships, or one of these tests.
fn rules(name: &str) -> PathBuf {
    let shipped = root().join("rules").join(name);
    let own = root().join("tests/certificates/rules").join(name);
    if own.is_file() { own } else { shipped }
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
    for (file, found) in [
        ("coins.pl", "values"),
        ("race.pl", "values"),
        ("dice.pl", "values"),
        ("pig.pl", "bounds"),
        ("duel.pl", "bounds"),
        ("prize.pl", "bounds"),
        ("alone.pl", "bounds"),
        ("goofspiel.pl", "equilibrium"),
        ("rpsls.pl", "equilibrium"),
        ("prisoners_dilemma.pl", "equilibrium"),
        ("rock_paper_scissors.pl", "equilibrium"),
        ("matching_pennies.pl", "equilibrium"),
    ] {
        let text = certified(&rules(file), &[], file);
        assert_eq!(text.as_deref().map(kind), Some(found), "{file}");
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
        let large = ["connect4.pl", "klotski.pl", "krk.pl", "checkers.pl"];
        let larger = ["nine_mens_morris.pl", "hare_and_hounds.pl"];
        let skipped = large.contains(&name.as_str()) || larger.contains(&name.as_str());
        if in_turn && !skipped && name.ends_with(".pl") {
            let text = certified(&path, &["--nodes", "20000"], &format!("{name}.default"));
            certificates += usize::from(text.is_some());
        }
    }
    assert!(certificates >= 25, "{certificates} certificates");
}

#[test]
fn bounds_are_narrow_and_exact_where_values_are() {
    let between = |file: &str| -> [i128; 3] {
        let text = certified(&rules(file), &[], &format!("{file}.between")).expect("one");
        let line = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).expect("such a line");
            arguments(line).into_iter().filter_map(|part| part.parse().ok()).collect::<Vec<i128>>()
        };
        let (scale, between) = (line("scale("), line("between("));
        [between[0], between[1], scale[0]]
    };
    assert_eq!(between("duel.pl"), [1, 1, 11].map(|n| n * between("duel.pl")[0]));
    let [low, high, scale] = between("prize.pl");
    // Above half of the prize.
    assert_eq!((low, high, scale), (low, low, 22 * low));
    let [low, high, scale] = between("alone.pl");
    assert_eq!((low, high, low * 3), (low, low, scale * 20));
    let [low, high, scale] = between("pig.pl");
    assert!(low < high && (high - low) * 100_000_000_000 < scale, "{low} {high} {scale}");
}

#[test]
fn the_checker_can_be_read_in_an_afternoon() {
    let text = std::fs::read_to_string(CHECKER).expect("text");
    // Of code: comments say what it does, and empty ones separate clauses.
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with('%');
    let lines = text.lines().filter(is_code).count();
    assert!(lines <= 900, "{lines} lines");
}

#[test]
fn files_in_the_wrong_places_are_told() {
    let rules = rules("jugs.pl");
    let text = certified(&rules, &["--instance", "hopeless"], "jugs.swapped").expect("one");
    let (rules, path) = (rules.to_str().expect("text"), scratch("jugs.swapped"));
    let path = path.to_str().expect("text");
    let (status, said) = zug(&["verify", path, rules]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains(&format!("the rules come first: zug verify {rules} {path}")), "{said}");
    let (status, said) = zug(&["solve", rules, "--certificate", "-"]);
    assert_eq!(status, 5, "{said}");
    assert!(said.contains("into a file: name one"), "{said}");
    assert!(text.starts_with("certificate(unsolvable,1).\n"));
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
    let arguments = [&search[..], &["--memory", "1500K", "--format", "json"]].concat();
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
    fn of(path: &Path) -> Rules {
        let mut session = session(path);
        zug_code::Specialise::Off.set(&mut session.world);
        let contract = Contract::of(&session.machine);
        Rules { session, contract }
    }

    fn check(&mut self, text: &str) -> Result<Accepted, Rejected> {
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        let checked = check_certificate(m, w, &self.contract, text, &Limits::none());
        checked.unwrap_or_else(|error| panic!("{}", error.diagnostic(m, w).message))
    }

    /// As `zug verify` sees it: an error in the rules is no proof.
    fn checked(&mut self, text: &str) -> Result<Accepted, String> {
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        let checked = check_certificate(m, w, &self.contract, text, &Limits::none());
        match checked {
            Ok(checked) => checked.map_err(|rejected| rejected.why),
            Err(error) => Err(error.diagnostic(m, w).message),
        }
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

#[test]
fn accidents_are_named_by_the_checksum() {
    let text = certified(&rules("wolf.pl"), &[], "wolf.accident").expect("one");
    let mut rules = Rules::of(&rules("wolf.pl"));
    for at in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let other = String::from_utf8(bytes).expect("text");
        assert!(rules.check(&other).is_err(), "byte {at}");
    }
}
