//! Everything that reads what comes from outside, as functions of bytes: for the fuzz targets,
//! and for `tests/language/mutations.rs`, which includes this module.
//!
//! A [`Format`] reads bytes and says whether they were taken or, in words, why not; a panic
//! is a fault of zug. Rules run in a sandbox within small limits, so nothing here does harm or
//! takes long, whatever the bytes say.

mod batches;
mod commands;
mod kept;
mod rules;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;
use zug::render::diagnostic::{RenderOptions, render};
use zug::usecases::Failure;
use zug_prolog::session::{Allowance, Session, Template};
use zug_term::diagnostic::Diagnostic;

/// What became of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// They were taken for what they are.
    Taken,
    /// They were not; why, as people are told.
    Refused(String),
}

/// What a refusal has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The file.
    File,
    /// The file with a line: `name:12`.
    Line,
    /// Something.
    Words,
}

/// Something that is read.
#[derive(Clone, Copy)]
pub struct Format {
    /// What it is called; the name of the fuzz target.
    pub name: &'static str,
    /// Reads bytes.
    pub read: fn(&[u8]) -> Read,
    /// What is valid, to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// What a refusal has to say.
    pub says: Says,
}

impl Format {
    /// Whether a refusal leads to what is wrong.
    fn leads(&self, why: &str) -> bool {
        const NAMES: [&str; 10] = [
            "fuzz.pl",
            "domain.pl",
            "graded.pl",
            "nim.policy",
            "game.record",
            "nim.db",
            "entries.db",
            "steps.expect",
            "results.jsonl",
            "nim.pl",
        ];
        let named = |name: &&str| match self.says {
            Says::Line => why.match_indices(*name).any(|(at, _)| {
                let behind = why[at + name.len()..].strip_prefix(':');
                behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            }),
            _ => why.contains(*name),
        };
        match self.says {
            Says::Words => !why.trim().is_empty(),
            _ => NAMES.iter().any(named),
        }
    }

    /// Reads bytes; a refusal has to lead to what is wrong with them.
    pub fn check(&self, bytes: &[u8]) -> Read {
        let read = (self.read)(bytes);
        if let Read::Refused(why) = &read {
            assert!(self.leads(why), "{}: it is not said where: {why}", self.name);
        }
        read
    }
}

/// All of them.
pub const FORMATS: &[Format] = &[
    Format { name: "reader", read: rules::reader, seeds: rules::programs, says: Says::Line },
    Format { name: "session", read: rules::session, seeds: rules::programs, says: Says::Line },
    Format { name: "domain", read: rules::domain, seeds: rules::domains, says: Says::Line },
    Format { name: "query", read: rules::query, seeds: rules::queries, says: Says::Words },
    Format {
        name: "prompt",
        read: commands::prompt,
        seeds: commands::dialogues,
        says: Says::Words,
    },
    Format { name: "options", read: commands::options, seeds: commands::lines, says: Says::Words },
    Format { name: "policy", read: kept::policy, seeds: kept::policies, says: Says::File },
    Format { name: "record", read: kept::record, seeds: kept::records, says: Says::File },
    Format { name: "base", read: kept::base, seeds: kept::bases, says: Says::File },
    Format { name: "entries", read: kept::entries, seeds: kept::entry_lists, says: Says::File },
    Format {
        name: "expect",
        read: batches::expect,
        seeds: batches::expectations,
        says: Says::Line,
    },
    Format { name: "grade", read: batches::grade, seeds: batches::graded, says: Says::File },
    Format {
        name: "results",
        read: batches::results,
        seeds: batches::result_files,
        says: Says::File,
    },
    Format { name: "list", read: batches::list, seeds: batches::lists, says: Says::Words },
];

/// The format of this name.
pub fn format(name: &str) -> Format {
    *FORMATS.iter().find(|format| format.name == name).expect("a format of this name")
}

/// Calls that rules may make: few enough for many runs a second.
const INFERENCES: u64 = 50_000;
/// Bytes that rules may take.
const MEMORY: usize = 64 << 20;
/// A clock for what calls don't count, out of the way of all that ends by itself.
const TIME: Duration = Duration::from_secs(5);

/// What rules may use.
fn allowance() -> Allowance {
    Allowance {
        time: Some(TIME),
        memory: Some(MEMORY),
        inferences: Some(INFERENCES),
        output: Some(1 << 20),
    }
}

/// A folder of this thread's own, for files.
fn folder() -> PathBuf {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        // In memory, if there is such a folder: many files are written.
        let memory = PathBuf::from("/dev/shm");
        let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
        place.join(format!("zug-formats-{}", std::process::id()))
    });
    let thread = format!("{:?}", std::thread::current().id());
    let path = root.join(thread.replace(|c: char| !c.is_ascii_alphanumeric(), ""));
    std::fs::create_dir_all(&path).expect("a folder for files");
    path
}

/// Removes the folder of this thread.
pub fn tidy() {
    let _ = std::fs::remove_dir_all(folder());
}

/// Writes a file into the folder.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, bytes).expect("a file is written");
    path
}

/// A session in the sandbox that reads `input` and writes nowhere, within the limits.
fn sandboxed(input: &[u8]) -> Session {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    let template = TEMPLATE.get_or_init(|| Template::new(zug_tools::language::EXTENSIONS));
    let input = std::io::Cursor::new(input.to_owned());
    let nowhere = || Box::new(std::io::sink());
    let mut session = template.session(Box::new(input), nowhere(), nowhere());
    session.sandbox(&folder());
    session.allow(&allowance());
    session
}

/// A session with rules loaded that are right.
fn with_rules(text: &str) -> Session {
    let mut session = sandboxed(b"");
    let findings = session.load_text("rules.pl", text);
    assert!(!findings.iter().any(Diagnostic::is_error), "{findings:?}");
    session.allow(&allowance());
    // Records, policies and bases are files of this program, whatever their names are.
    session.world.files = zug_files::Access::FREE;
    session
}

/// A finding as people see it.
fn shown(finding: &Diagnostic) -> String {
    let mut text = String::new();
    render(&mut text, finding, RenderOptions { colour: false }).expect("text");
    text
}

/// The errors among findings.
fn errors(findings: &[Diagnostic]) -> Option<String> {
    let all: Vec<String> =
        findings.iter().filter(|finding| finding.is_error()).map(shown).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// A failure as people see it; none for limits and for what rules did, which is well.
fn refusal(failure: &Failure) -> Read {
    let findings = match failure {
        Failure::Faults(findings) | Failure::Policy(findings) => errors(findings),
        Failure::UnreadableTerm(_, fault) => Some(shown(&fault.diagnostic)),
        Failure::Base(error) => Some(error.to_string()),
        Failure::Players(why) => Some(why.clone()),
        _ => None,
    };
    findings.map_or(Read::Taken, Read::Refused)
}
