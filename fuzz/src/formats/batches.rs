//! What `zug batch` reads: lists of files, results to go on with, expectations.

use super::{Read, file, folder, sandboxed};
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use zug::SolveRequest;
use zug::usecases::batch::{
    BatchError, BatchObserver, BatchProgress, BatchReport, BatchRequest, Grading, Group, Input,
    StartLine, batch, inputs, read_expectations,
};
use zug_code::Specialise;
use zug_search::Limits;

const STEPS: &str = "initial_state(near, 3). initial_state(far, 5). initial_state(never, -1).
final_state(0). rule(down, 1, S, T) :- S > 0, T is S - 1.\n";

/// A file of expectations.
pub fn expect(bytes: &[u8]) -> Read {
    let path = file("steps.expect", bytes);
    let mut session = sandboxed(b"");
    match read_expectations(&mut session, &path) {
        Ok(_) => Read::Taken,
        Err(wrong) => Read::Refused(wrong.join("\n")),
    }
}

/// Expectations of every kind.
pub fn expectations() -> Vec<Vec<u8>> {
    let all = [
        "% what should come out\nexpect(near, cost(3)).\n:- expect(far, moves(5), points(2)).\n\
         expect(never, unsolvable).\nexpect(near, plan([down, down, down])).\n",
        ":- op(700, xfx, ==>).\nexpect(solved).\nexpect(value(1/3)).\nexpect(best(take(1))).\n",
        "expect(p(X), answers([1, [a, 'b c'], \"s\"])).\nexpect(q, true).\nexpect(r, false).\n\
         expect(s, error(type_error(integer, _))).\nexpect(lists:reverse, passed).\n",
        "expect(1, stopped(time)).\nexpect(faults).\nexpect(halted).\nexpect(program).\n",
    ];
    all.iter().map(|text| text.as_bytes().to_owned()).collect()
}

/// A rule file with expectations in it, graded.
pub fn grade(bytes: &[u8]) -> Read {
    let path = file("graded.pl", bytes);
    let request = BatchRequest { expect: Some(Grading::Own), ..request() };
    run(&request, &[Input { path, root: folder() }])
}

/// Rule files that say what comes of them.
pub fn graded() -> Vec<Vec<u8>> {
    let before = |clauses: &str| format!("{clauses}{STEPS}").into_bytes();
    vec![
        before(":- expect(near, cost(3)).\n:- expect(far, moves(5), points(2)).\n"),
        before(":- expect(never, unsolvable).\n:- expect(near, plan([down, down, down])).\n"),
        include_bytes!("../../../tests/cmd/batch/jugs.pl").to_vec(),
        include_bytes!("../../../tests/cmd/batch/nim.pl").to_vec(),
        include_bytes!("../../../tests/cmd/batch/lists.pl").to_vec(),
    ]
}

fn request() -> BatchRequest {
    let limits = Limits { nodes: Some(300), ..Limits::none() };
    BatchRequest {
        queries: false,
        engines: Vec::new(),
        solve: SolveRequest { limits, ..SolveRequest::default() },
        time: Some(super::TIME),
        timeout: None,
        total_time: None,
        memory: super::MEMORY,
        inferences: Some(super::INFERENCES),
        output: 1 << 20,
        sandbox: true,
        kept_output: 1000,
        answers: 10,
        expect: None,
        times: false,
        specialise: Specialise::On,
        workers: NonZeroUsize::MIN,
        out: None,
        resume: false,
        force: false,
    }
}

/// Looks at what is wrong with files; a panic is no result.
#[derive(Default)]
struct Errors(Vec<String>);

impl BatchObserver for Errors {
    fn start(&mut self, _: &StartLine) -> std::io::Result<()> {
        Ok(())
    }
    fn group(&mut self, group: &Group) -> std::io::Result<()> {
        assert_ne!(group.file.outcome.name(), "bug", "{group:?}");
        self.0.extend(group.file.errors.iter().cloned());
        Ok(())
    }
    fn progress(&mut self, _: &BatchProgress) {}
    fn panic_words(&self) -> fn() -> String {
        String::new
    }
}

fn run(request: &BatchRequest, inputs: &[Input]) -> Read {
    let mut errors = Errors::default();
    let report: Result<BatchReport, BatchError> =
        batch(request, inputs, &Arc::default(), &mut errors);
    match report {
        Ok(_) if errors.0.is_empty() => Read::Taken,
        Ok(_) => Read::Refused(errors.0.join("\n")),
        Err(error) => Read::Refused(error.to_string()),
    }
}

/// A batch of two files.
fn two() -> (BatchRequest, Vec<Input>, PathBuf) {
    let paths = [file("one.pl", STEPS.as_bytes()), file("two.pl", b"p(1). ?- p(X).\n")];
    let out = folder().join("results.jsonl");
    let request = BatchRequest { out: Some(out.clone()), ..request() };
    let inputs = paths.map(|path| Input { path, root: folder() });
    (request, inputs.to_vec(), out)
}

/// Results that a batch goes on with, behind a line `journal` a journal beside them. However it
/// goes on, what it has written in the end is what it would have written alone.
pub fn results(bytes: &[u8]) -> Read {
    let (request, inputs, out) = two();
    let at = bytes.windows(9).position(|window| window == b"\njournal\n");
    let (kept, journal) = match at {
        Some(at) => (&bytes[..=at], Some(&bytes[at + 9..])),
        None => (bytes, None),
    };
    // The folder is not where the seeds were made.
    let here = folder().display().to_string();
    let place = |bytes: &[u8]| replace(bytes, b"FOLDER", here.as_bytes());
    std::fs::write(&out, place(kept)).expect("written");
    let beside = out.with_extension("jsonl.journal");
    let _ = std::fs::remove_file(&beside);
    if let Some(journal) = journal {
        std::fs::write(&beside, place(journal)).expect("written");
    }
    run(&BatchRequest { resume: true, ..request }, &inputs)
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(from) {
            out.extend_from_slice(to);
            at += from.len();
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    out
}

/// The results of a batch that came to its end, and of one that did not.
pub fn result_files() -> Vec<Vec<u8>> {
    let (request, inputs, out) = two();
    let _ = std::fs::remove_file(&out);
    let _ = std::fs::remove_file(out.with_extension("jsonl.journal"));
    assert_eq!(run(&request, &inputs), Read::Taken);
    let here = folder().display().to_string();
    let whole = replace(&std::fs::read(&out).expect("results"), here.as_bytes(), b"FOLDER");
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let torn = whole[..whole.len() / 2].to_vec();
    // The second file was done first.
    let second = lines
        .iter()
        .rposition(|line| line.starts_with(b"{\"schema\":\"zug/2\",\"record\":\"file\""));
    let first = lines
        .iter()
        .position(|line| line.starts_with(b"{\"schema\":\"zug/2\",\"record\":\"file\""));
    let (first, second) = (first.expect("a line"), second.expect("a line"));
    let journal =
        [lines[0], b"journal\n", lines[0], &lines[first + 1..=second].concat()[..]].concat();
    vec![whole.clone(), torn, journal]
}

/// A list of files and patterns for them.
pub fn list(bytes: &[u8]) -> Read {
    file("one.pl", STEPS.as_bytes());
    file("two.pl", b"p(1).\n");
    let lines = String::from_utf8_lossy(bytes);
    // Outside of the folder there is too much, and it is none of our business.
    if lines.lines().any(|line| line.trim().starts_with('/') || line.contains("..")) {
        return Read::Taken;
    }
    let list = file("files.txt", bytes);
    let listed = PathBuf::from(format!("@{}", list.display()));
    let first = lines.lines().next().unwrap_or_default();
    let _ = inputs(&[folder().join(first)], &mut Cursor::new(bytes));
    match inputs(&[listed], &mut Cursor::new(bytes)) {
        Ok(found) => {
            assert!(!found.is_empty());
            Read::Taken
        }
        Err(error) => Read::Refused(error.to_string()),
    }
}

/// Lists.
pub fn lists() -> Vec<Vec<u8>> {
    let all = [
        "# files\none.pl\n\n  two.pl  \n",
        "*.pl\n",
        "[ot]*.pl\n**/t?o.pl\n",
        "**\n**/**/*\n",
        "one\r\n\u{feff}two\r\n",
        "{one,two}.pl\n[!a-z].pl\n[a\n",
    ];
    all.iter().map(|text| text.as_bytes().to_owned()).collect()
}
