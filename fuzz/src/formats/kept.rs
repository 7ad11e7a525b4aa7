//! Files that zug writes and reads again: policies, records of games, bases.

use super::{Read, errors, file, folder, refusal, with_rules};
use std::path::{Path, PathBuf};
use zug::usecases::base::{check, info};
use zug::usecases::play::{Match, NotLoaded, PlayRequest, load, save};
use zug::usecases::train::{TrainRequest, Trainer};
use zug::{SolveRequest, solve};
use zug_base::{Base, Meta, Section, WordList, Writer};
use zug_domain::bases::{base_in_use, use_base};
use zug_search::Limits;
use zug_search::game::learn::{Method, Rule};
use zug_search::options::Schedule;

const NIM: &str = include_str!("../../../rules/nim.pl");
const PIG: &str = include_str!("../../../tests/cmd/play/dice.in/pig.pl");

fn training(method: Method, games: u64, resume: Option<PathBuf>) -> TrainRequest {
    TrainRequest {
        rules: "nim.pl".to_owned(),
        schedule: Schedule { games, seed: 1 },
        rule: Rule { method, ..Rule::default() },
        resume,
        ..TrainRequest::default()
    }
}

/// A policy to go on with.
pub fn policy(bytes: &[u8]) -> Read {
    let path = file("nim.policy", bytes);
    let mut session = with_rules(NIM);
    match Trainer::begin(&mut session, &training(Method::Matchboxes, 2, Some(path.clone()))) {
        Err(failure) => refusal(&failure),
        Ok(mut trainer) => {
            let _ = trainer.run(&mut session, &Limits::none(), &mut |_| {});
            let written = trainer.save(&mut session, &path);
            written.expect("a policy that was read is written");
            Read::Taken
        }
    }
}

/// Policies of all methods.
pub fn policies() -> Vec<Vec<u8>> {
    let train = |method| {
        let path = folder().join("seed.policy");
        let mut session = with_rules(NIM);
        let mut trainer =
            Trainer::begin(&mut session, &training(method, 20, None)).expect("it begins");
        let _ = trainer.run(&mut session, &Limits::none(), &mut |_| {});
        trainer.save(&mut session, &path).expect("it is written");
        std::fs::read(path).expect("it is there")
    };
    [Method::Matchboxes, Method::Q, Method::MonteCarlo].map(train).to_vec()
}

fn game(rules: &str) -> (zug_prolog::session::Session, Match) {
    let mut session = with_rules(rules);
    let request = PlayRequest { rules: "game.pl".to_owned(), seed: 3, ..PlayRequest::default() };
    let game = Match::begin(&mut session, &request).expect("it begins");
    (session, game)
}

/// The record of a game, of whichever rules it is.
pub fn record(bytes: &[u8]) -> Read {
    let path = file("game.record", bytes);
    let dice = bytes.windows(4).any(|window| window == b"pig(");
    let (mut session, mut game) = game(if dice { PIG } else { NIM });
    match load(&mut session, &mut game, &path) {
        Ok(_) => Read::Taken,
        Err(NotLoaded::Unreadable(error)) => Read::Refused(format!("game.record: {error}")),
        // The edges say which file it is.
        Err(NotLoaded::Unfit(why)) => Read::Refused(format!("game.record: {why}")),
        Err(NotLoaded::Syntax(findings)) => errors(&findings).map_or(Read::Taken, Read::Refused),
        Err(NotLoaded::Rule(failure)) => refusal(&failure),
    }
}

/// Records of games in progress.
pub fn records() -> Vec<Vec<u8>> {
    let play = |rules| {
        let (mut session, mut game) = game(rules);
        for _ in 0..4 {
            if !game.now().chances.is_empty() {
                let thought = game.think(&mut session).expect("dice fall");
                game.play(&mut session, thought.choice).expect("they fall");
                continue;
            }
            game.play(&mut session, 0).expect("a first move");
        }
        let path = folder().join("seed.record");
        let _ = std::fs::remove_file(&path);
        save(&session, &game, &path).expect("it is written");
        std::fs::read(path).expect("it is there")
    };
    vec![play(NIM), play(PIG)]
}

/// A base: what is in it, whether it is whole, and answers from it.
pub fn base(bytes: &[u8]) -> Read {
    let path = file("nim.db", bytes);
    let told = info(&path).map(drop);
    let checked = check(&path).map(drop);
    let answered = answer(&path);
    match told.and(checked).map_err(|failure| refusal(&failure)).and(answered) {
        Ok(()) => Read::Taken,
        Err(read) => read,
    }
}

/// Solves the game with a base beside it.
fn answer(path: &Path) -> Result<(), Read> {
    let mut session = with_rules(NIM);
    let (m, w) = (&mut session.machine, &mut session.world);
    use_base(m, w, path).map_err(|error| Read::Refused(error.to_string()))?;
    let request = |state: &str| SolveRequest {
        engine: Some("solve_game".to_owned()),
        state: Some(state.to_owned()),
        limits: Limits { nodes: Some(2000), ..Limits::none() },
        ..SolveRequest::default()
    };
    for state in ["16", "7", "0"] {
        // Whatever values it claims, the report can be made and shown.
        let report = solve(&mut session, &request(state));
        let report = report.map_err(|failure| refusal(&failure))?;
        let record = report.results[0].record(&session, Vec::new());
        let _ = serde_json::to_string(&record).expect("JSON");
    }
    match base_in_use(&session.world).and_then(|kept| kept.failed.as_ref()) {
        Some(error) => Err(Read::Refused(error.to_string())),
        None => Ok(()),
    }
}

/// A base of all of Nim.
pub fn bases() -> Vec<Vec<u8>> {
    vec![std::fs::read(solved()).expect("it is there")]
}

fn solved() -> PathBuf {
    let path = folder().join("seed.db");
    let _ = std::fs::remove_file(&path);
    let mut session = with_rules(NIM);
    let request = SolveRequest {
        file: "nim.pl".into(),
        engine: Some("solve_game".to_owned()),
        save: Some(zug::usecases::FileTo { path: path.clone(), force: false }),
        ..SolveRequest::default()
    };
    solve(&mut session, &request).expect("Nim is solved");
    path
}

const LISTS: [(char, WordList); 4] = [
    ('f', WordList::Functors),
    ('s', WordList::Shapes),
    ('k', WordList::Constants),
    ('p', WordList::Players),
];

/// A base as a database that is whole, with any words and records in it: lines of hexadecimal
/// digits, as [`entry_lists`] makes them.
pub fn entries(bytes: &[u8]) -> Read {
    let path = folder().join("entries.db");
    let _ = std::fs::remove_file(&path);
    let text = String::from_utf8_lossy(bytes);
    let mut meta = Meta::default();
    let mut words = LISTS.map(|(_, list)| (list, 0, Vec::new()));
    let mut records = Vec::new();
    for line in text.lines().take(500) {
        let mut fields = line.splitn(3, ' ');
        let (kind, first) = (fields.next(), fields.next().unwrap_or_default());
        match kind {
            Some("m") => {
                meta = serde_json::from_str(line.split_at(2).1).unwrap_or_default();
            }
            Some("r") => records.push((unhex(first), unhex(fields.next().unwrap_or_default()))),
            Some(kind) => {
                let list = LISTS.iter().position(|(name, _)| kind.starts_with(*name));
                if let Some(list) = list {
                    words[list].2.push(unhex(first));
                }
            }
            None => {}
        }
    }
    records.sort();
    records.dedup_by(|a, b| a.0 == b.0);
    let mut writer = Writer::open(&path).expect("a base is made");
    writer.note(&meta, &words).expect("words are written");
    let added = writer.add(Section::Positions, records.into_iter(), |_, _, _| {}, || true);
    if let Err(error) = added {
        return Read::Refused(error.to_string());
    }
    writer.note(&meta, &[]).expect("it is written");
    writer.close().expect("it is closed");
    let told = info(&path).map(drop).map_err(|failure| refusal(&failure));
    match told.and(answer(&path)) {
        Ok(()) => Read::Taken,
        Err(read) => read,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

/// What is in a base of all of Nim.
pub fn entry_lists() -> Vec<Vec<u8>> {
    let path = solved();
    let base = Base::open(&path).expect("it opens");
    let mut text = format!("m {}\n", serde_json::to_string(base.meta()).expect("JSON"));
    for (name, list) in LISTS {
        for word in base.words(list).expect("words") {
            text += &format!("{name} {}\n", hex(&word));
        }
    }
    let each = base.each(Section::Positions, |key, value| {
        text += &format!("r {} {}\n", hex(key), hex(value));
        true
    });
    each.expect("records");
    vec![text.into_bytes()]
}
