use super::*;
use serde_json::json;
use std::fs;
use std::io::empty;
use std::sync::Mutex;
use zug_search::Limits;

/// A folder that goes when its test is over.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("zug-batch-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Folder(path);
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn inputs(&self) -> Vec<Input> {
        inputs(std::slice::from_ref(&self.0), &mut empty()).expect("files")
    }

    /// The names of the files that paths lead to, as they stand below the folder.
    fn named(&self, paths: &[&str]) -> Result<Vec<String>, String> {
        let paths: Vec<PathBuf> = paths
            .iter()
            .map(|path| match path.strip_prefix('@') {
                Some(list) => format!("@{}", self.path(list).display()).into(),
                None => self.path(path),
            })
            .collect();
        let found = inputs(&paths, &mut empty()).map_err(|error| error.to_string())?;
        let shown = |input: &Input| {
            let below = input.path.strip_prefix(&self.0).expect("below the folder");
            below.display().to_string()
        };
        Ok(found.iter().map(shown).collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn request() -> BatchRequest {
    BatchRequest {
        queries: false,
        engines: Vec::new(),
        solve: SolveRequest::default(),
        time: None,
        timeout: None,
        total_time: None,
        memory: 256 << 20,
        inferences: None,
        output: 1 << 20,
        sandbox: true,
        kept_output: 1000,
        answers: 100,
        expect: None,
        times: false,
        specialise: Specialise::On,
        workers: NonZeroUsize::new(2).expect("two"),
        out: None,
        resume: false,
        force: false,
    }
}

/// The limit of expansions for each instance.
fn within(nodes: u64) -> SolveRequest {
    let limits = Limits { nodes: Some(nodes), ..Limits::none() };
    SolveRequest { limits, ..SolveRequest::default() }
}

/// Keeps all lines.
#[derive(Default)]
struct Seen {
    groups: Vec<Group>,
}

impl BatchObserver for Seen {
    fn start(&mut self, _: &StartLine) -> std::io::Result<()> {
        Ok(())
    }
    fn group(&mut self, group: &Group) -> std::io::Result<()> {
        self.groups.push(group.clone());
        Ok(())
    }
    fn progress(&mut self, _: &BatchProgress) {}
    fn panic_words(&self) -> fn() -> String {
        String::new
    }
}

pub(super) fn run(request: &BatchRequest, inputs: &[Input]) -> (Vec<Group>, BatchReport) {
    let mut seen = Seen::default();
    let report = batch(request, inputs, &Arc::default(), &mut seen).expect("a report");
    (seen.groups, report)
}

/// What came of the only file of a folder.
fn group(name: &str, request: &BatchRequest, text: &str) -> Group {
    let folder = Folder::new(name, &[("a.pl", text)]);
    let (mut groups, _) = run(request, &folder.inputs());
    assert_eq!(groups.len(), 1);
    groups.remove(0)
}

fn outcomes(group: &Group) -> Vec<&'static str> {
    group.results.iter().map(|result| result.outcome.name()).collect()
}

const STEPS: &str = "initial_state(near, 3). initial_state(far, 9). initial_state(never, -1).
    final_state(0). rule(down, 1, S, T) :- S > 0, T is S - 1.\n";

#[test]
fn paths() {
    let files = ["b.pl", "a.pl", "c/x.pro", "c/y.prolog", ".hidden.pl", ".git/z.pl", "notes.txt"];
    let files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "p.")).collect();
    let folder = Folder::new("paths", &files);
    folder.write("lists/all.txt", "# these\n\n../b.pl\n  ../c\n../notes.txt\n");
    folder.write("lists/wrong.txt", "../b.pl\nnowhere.pl\n");
    folder.write("e/only.txt", "");
    let named = |paths: &[&str]| folder.named(paths);
    let ok = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
    let all = ok(&["a.pl", "b.pl", "c/x.pro", "c/y.prolog"]);
    assert_eq!(named(&[""]), all);
    assert_eq!(named(&["b.pl", ""]), ok(&["b.pl", "a.pl", "c/x.pro", "c/y.prolog"]));
    assert_eq!(named(&["a", "b"]), ok(&["a.pl", "b.pl"]), "the ending may be left out");
    assert_eq!(named(&["notes.txt"]), ok(&["notes.txt"]));
    assert_eq!(named(&["[ab].pl"]), ok(&["a.pl", "b.pl"]));
    assert_eq!(named(&["?.pl", "c/*"]), ok(&["a.pl", "b.pl", "c/x.pro", "c/y.prolog"]));
    assert_eq!(named(&["**/*.pro"]), ok(&["c/x.pro"]));
    assert_eq!(named(&["**"]), all);
    let listed = named(&["@lists/all.txt"]).expect("files");
    assert_eq!(
        listed,
        ["lists/../b.pl", "lists/../c/x.pro", "lists/../c/y.prolog", "lists/../notes.txt"]
    );
    let wrong = named(&["@lists/wrong.txt"]).expect_err("it names nothing");
    assert!(wrong.contains("nowhere.pl") && wrong.contains("line 2 of"), "{wrong}");
    for (paths, what) in [
        (["d.pl"], "there is no file or folder"),
        (["*.zug"], "no rule file has a name as"),
        (["e"], "there is no rule file"),
        (["@nothing"], "there is no file or folder"),
    ] {
        let wrong = named(&paths).expect_err("it leads nowhere");
        assert!(wrong.contains(what), "{wrong}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_back() {
    let folder = Folder::new("links", &[("c/a.pl", "p."), ("b.pl", "p.")]);
    std::os::unix::fs::symlink(&folder.0, folder.path("c/up")).expect("a link");
    std::os::unix::fs::symlink(folder.path("b.pl"), folder.path("c/same.pl")).expect("a link");
    let ok = Ok(vec!["b.pl".to_owned(), "c/a.pl".to_owned()]);
    assert_eq!(folder.named(&[""]), ok);
    assert_eq!(folder.named(&["**/*.pl"]), ok);
}

#[test]
fn a_file_of_each_kind() {
    let files = [
        ("bad.pl", "p(1). q(2) :- .\n"),
        (
            "game.pl",
            "initial_state(6). initial_player(a). opponent(a, b). opponent(b, a).
            move(_, take(N), S, T) :- between(1, 3, N), N =< S, T is S - N.
            terminal(_, 0). utility(_, 0, -1).\n",
        ),
        ("halt.pl", ":- halt.\n"),
        (
            "pennies.pl",
            "players([a, b]). action(_, _, heads). action(_, _, tails).
            payoff([X, X], [1, -1]) :- !. payoff(_, [-1, 1]).\n",
        ),
        ("program.pl", "p(1).\n"),
        ("steps.pl", STEPS),
        ("wrong.pl", "initial_state(a). final_state(b). rule(m, 1, S, T) :- nothing(S, T).\n"),
    ];
    let folder = Folder::new("kinds", &files);
    let (groups, report) = run(&request(), &folder.inputs());
    let got: Vec<&str> = groups.iter().map(|group| group.file.outcome.name()).collect();
    assert_eq!(got, ["faults", "solved", "halted", "solved", "program", "exhausted", "error"]);
    assert_eq!(groups[1].results[0].mv.as_ref().map(|mv| &*mv.text), Some("take(2)"));
    assert_eq!(groups[3].results[0].value, Some(json!(0)));
    assert_eq!(outcomes(&groups[5]), ["solved", "solved", "exhausted"]);
    assert_eq!(groups[5].results[1].cost, Some(json!(9)));
    let message = groups[6].results[0].message.as_deref().expect("a message");
    assert!(message.contains("nothing/2"), "{message}");
    assert_eq!(report.end.exit, 5);
    assert_eq!(report.summary.results, 6);
}

#[test]
fn queries_are_run_in_order_with_all_answers() {
    let request = BatchRequest { queries: true, answers: 3, ..request() };
    let text = "p(1). p(2). p(3). p(4).
        ?- assertz(q(here)).
        ?- p(X), X > 2.
        ?- q(X), write(X).
        ?- p(X).
        ?- p(9).
        ?- atom_length(X, Y).
        ?- undefined_here(X).\n";
    let group = group("queries", &request, text);
    let results = &group.results;
    assert_eq!(outcomes(&group), ["true", "true", "true", "true", "false", "error", "error"]);
    let answers = serde_json::to_value(&results[1].answers).expect("JSON");
    let number = |n: i64| json!({"X": {"text": n.to_string(), "term": n}});
    assert_eq!(answers, json!([number(3), number(4)]));
    assert_eq!(results[2].output, "here");
    assert_eq!(results[3].more, Some(true));
    assert_eq!(results[3].query.as_deref(), Some("p(X)"));
}

#[test]
fn files_do_not_see_each_other() {
    // Each file leaves traces of all kinds and says what it finds of them first.
    let text = "?- ( current_predicate(trace_of/1) -> write(predicate) ; true ).
        ?- ( current_op(700, xfx, ===>) -> write(operator) ; true ).
        ?- ( current_prolog_flag(own_flag, _) -> write(flag) ; true ).
        ?- current_prolog_flag(unknown, F), write(F).
        ?- ( nb_current(left, _) -> write(global) ; true ).
        ?- flag(counter, N, N + 1), write(N).
        ?- gensym(g, G), write(G).
        ?- random_between(1, 1000000, R), write(R).
        ?- ( recorded(key, _) -> write(record) ; true ).
        ?- ( current_atom_of_other -> true ; true ).
        ?- working_directory(D, D), write(D).
        ?- assertz(trace_of(me)), op(700, xfx, ===>), create_prolog_flag(own_flag, 1, []),
           set_prolog_flag(unknown, fail), nb_setval(left, 1), recorda(key, 1), random(_).
        ?- working_directory(_, '..').\n";
    let names: Vec<String> = (0..12).map(|n| format!("f{n:02}.pl")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, text)).collect();
    let folder = Folder::new("apart", &files);
    let request = BatchRequest { queries: true, sandbox: false, ..request() };
    let (groups, _) = run(&request, &folder.inputs());
    let written = |group: &Group| -> Vec<String> {
        group.results.iter().map(|result| result.output.clone()).collect()
    };
    let first = written(&groups[0]);
    assert_eq!(&first[..7], ["", "", "", "error", "", "0", "g1"]);
    assert_eq!(first[8], "");
    for group in &groups {
        assert_eq!(written(group), first, "{}", group.file.file);
    }
}

#[test]
fn lines_do_not_depend_on_workers_or_on_the_run() {
    let names: Vec<String> = (0..30).map(|n| format!("f{n:02}.pl")).collect();
    let texts: Vec<String> = (0..30)
        .map(|n| match n % 5 {
            0 => STEPS.to_owned(),
            1 => format!(
                "initial_state({n}). final_state(0). rule(d, 1, S, T) :- S > 0, T is S-1.\n"
            ),
            2 => format!(":- write({n}).\np({n}).\n"),
            3 => "p(1\n".to_owned(),
            _ => "initial_state(0). final_state(-1). rule(i, 1, S, T) :- T is S+1.\n".to_owned(),
        })
        .collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|n| &**n).zip(texts.iter().map(|t| &**t)).collect();
    let folder = Folder::new("same", &files);
    let inputs = folder.inputs();
    let out = |name: &str| folder.path(name);
    let run_with = |workers: usize, name: &str| {
        let workers = NonZeroUsize::new(workers).expect("some");
        let request =
            BatchRequest { workers, solve: within(500), out: Some(out(name)), ..request() };
        let (_, report) = run(&request, &inputs);
        assert_eq!(report.end.files, 30);
        fs::read_to_string(out(name)).expect("results")
    };
    let one = run_with(1, "one.jsonl");
    let four = run_with(4, "four.jsonl");
    assert_eq!(one, four);
    // Killed at any moment: the results are cut anywhere, and resumed.
    let all = one.len();
    for cut in
        [0, 10, one.find('\n').expect("a line") + 1, all / 3, all / 2, all * 9 / 10, all - 1, all]
    {
        fs::write(out("cut.jsonl"), &one.as_bytes()[..cut]).expect("written");
        let request = BatchRequest {
            solve: within(500),
            out: Some(out("cut.jsonl")),
            resume: true,
            ..request()
        };
        let (groups, report) = run(&request, &inputs);
        assert_eq!((groups.len(), report.end.files), (30, 30));
        let resumed = fs::read_to_string(out("cut.jsonl")).expect("results");
        assert_eq!(one, resumed, "cut at {cut}");
        assert!(!out("cut.jsonl.journal").exists());
    }
}

#[test]
fn what_appears_is_run() {
    let files =
        [("a.pl", ":- include(inc)."), ("b.pl", ":- catch([sub], _, true)."), ("c.pl", "p.")];
    let folder = Folder::new("appears", &files);
    let out = folder.path("out.jsonl");
    let first = BatchRequest { out: Some(out.clone()), ..request() };
    let inputs = folder.inputs();
    let (groups, _) = run(&first, &inputs);
    assert_eq!(groups[0].file.outcome, Outcome::Faults);
    let again = BatchRequest { resume: true, ..first.clone() };
    assert_eq!(run(&again, &inputs).1.summary.resumed, 3);
    folder.write("inc.pl", "q.");
    let (groups, report) = run(&again, &inputs);
    assert_eq!((groups[0].file.outcome, report.summary.resumed), (Outcome::Program, 2));
    folder.write("sub.pl", "q.");
    assert_eq!(run(&again, &inputs).1.summary.resumed, 2);
    assert_eq!(run(&again, &inputs).1.summary.resumed, 3);
}

/// What is not ours is not touched, whatever is asked for.
#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new("others", &[("a.pl", "p.")]);
    let refused = |name: &str, force: bool| {
        let out = Some(folder.path(name));
        let mut seen = Seen::default();
        let request = BatchRequest { out, force, ..request() };
        batch(&request, &folder.inputs(), &Arc::default(), &mut seen).map_err(|e| e.to_string())
    };
    let solve = "{\"schema\":\"zug/2\",\"record\":\"start\",\"command\":\"solve\"}\n";
    for text in ["my thesis\n", "x", solve, "{}\n", "\u{0}\u{1}"] {
        folder.write("thesis.txt", text);
        let error = refused("thesis.txt", true).expect_err("it is somebody's");
        assert!(error.contains("thesis.txt"), "{error}");
        assert_eq!(fs::read_to_string(folder.path("thesis.txt")).expect("there"), text);
        for ending in ["", ".new"] {
            let journal = format!("out{}.jsonl.journal{ending}", text.len());
            folder.write(&journal, text);
            for force in [false, true] {
                let name = format!("out{}.jsonl", text.len());
                let error = refused(&name, force).expect_err("it is somebody's");
                assert!(error.contains(&journal), "{error}");
                assert!(!folder.path(&name).exists(), "nothing is left behind");
            }
            assert_eq!(fs::read_to_string(folder.path(&journal)).expect("there"), text);
            fs::remove_file(folder.path(&journal)).expect("removed");
        }
    }
    // Ours is: whole, torn in its first line, or empty.
    for name in ["empty", "ours", "torn"] {
        folder.write(name, "");
        refused(name, true).expect("written");
        let text = fs::read_to_string(folder.path(name)).expect("there");
        for part in [text.len(), 40, 5] {
            folder.write(name, &text[..part]);
            refused(name, true).expect("written");
        }
    }
}

#[test]
fn what_changed_is_run_again_in_its_place() {
    let folder =
        Folder::new("changed", &[("a.pl", "p."), ("b.pl", ":- ['sub.plt']."), ("c.pl", "p.")]);
    folder.write("sub.plt", "q.");
    let out = folder.path("out.jsonl");
    let first = BatchRequest { out: Some(out.clone()), ..request() };
    run(&first, &folder.inputs());
    let again = BatchRequest { resume: true, ..first.clone() };
    let (_, report) = run(&again, &folder.inputs());
    assert_eq!(report.summary.resumed, 3);
    // A file that another one loads.
    folder.write("sub.plt", "q. r.");
    folder.write("bb.pl", STEPS);
    let (_, report) = run(&again, &folder.inputs());
    assert_eq!(report.summary.resumed, 2);
    let resumed = fs::read_to_string(&out).expect("results");
    let whole = BatchRequest { force: true, ..first.clone() };
    run(&whole, &folder.inputs());
    assert_eq!(resumed, fs::read_to_string(&out).expect("results"));
    // Others are refused.
    let mut seen = Seen::default();
    let mut refused = |request: &BatchRequest| {
        batch(request, &folder.inputs(), &Arc::default(), &mut seen)
            .expect_err("refused")
            .to_string()
    };
    assert!(refused(&first).contains("is there already"));
    let other = BatchRequest { solve: within(7), ..again.clone() };
    assert!(refused(&other).contains("nodes was not given, now 7"));
    let foreign = BatchRequest { out: Some(folder.path("a.pl")), ..again };
    assert!(refused(&foreign).contains("no results"));
}

#[cfg(unix)]
#[test]
fn only_one_batch_writes_a_file() {
    let folder = Folder::new("lock", &[("a.pl", "p.")]);
    let request = BatchRequest { out: Some(folder.path("out")), force: true, ..request() };
    let store = Store::create(&folder.path("out"), &request.start(), true).expect("made");
    let mut seen = Seen::default();
    let refused = batch(&request, &folder.inputs(), &Arc::default(), &mut seen);
    assert!(matches!(refused, Err(BatchError::Store(StoreError::Busy(_)))));
    drop(store);
    run(&request, &folder.inputs());
}

/// Runs a batch whose files are run by a function of the test's.
fn run_so(
    request: &BatchRequest,
    inputs: &[Input],
    cancel: &Arc<AtomicBool>,
    work: &Run<'_>,
) -> (Vec<Group>, Result<BatchReport, BatchError>) {
    let mut seen = Seen::default();
    let deadline = request.total_time.and_then(|time| Instant::now().checked_add(time));
    let report =
        Batch::new(request, inputs, cancel, &mut seen, deadline).and_then(|batch| batch.go(work));
    (seen.groups, report)
}

fn done(input: &Input) -> Group {
    let line = FileLine::new(&input.path.display().to_string(), Outcome::Program);
    let hash = content::hash_file(&input.path);
    Group { results: Vec::new(), file: FileLine { hash, ..line } }
}

#[test]
fn a_panic_ends_one_file_only() {
    let folder = Folder::new("panic", &[("a.pl", "p."), ("b.pl", "p."), ("c.pl", "p.")]);
    let work = |input: &Input| {
        assert!(!input.path.ends_with("b.pl"), "on purpose");
        done(input)
    };
    let (groups, report) = run_so(&request(), &folder.inputs(), &Arc::default(), &work);
    let got: Vec<&str> = groups.iter().map(|group| group.file.outcome.name()).collect();
    assert_eq!(got, ["program", "bug", "program"]);
    assert!(groups[1].file.errors[0].contains("on purpose"));
    assert_eq!(report.expect("a report").end.exit, 70);
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let names: Vec<String> = (0..20).map(|n| format!("f{n:02}.pl")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "p.")).collect();
    let folder = Folder::new("interrupt", &files);
    let out = folder.path("out.jsonl");
    let first = BatchRequest { out: Some(out.clone()), ..request() };
    let cancel = Arc::new(AtomicBool::new(false));
    let ran = Mutex::new(0);
    // The first file is not done until all is over, so the others wait in the journal.
    let work = |input: &Input| {
        if input.path.ends_with("f00.pl") {
            while !cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            let line = FileLine::new("f00.pl", Outcome::Interrupted);
            return Group { results: Vec::new(), file: line };
        }
        let mut ran = ran.lock().expect("no panic");
        *ran += 1;
        if *ran == 10 {
            cancel.store(true, Ordering::Relaxed);
        }
        done(input)
    };
    let (groups, report) = run_so(&first, &folder.inputs(), &cancel, &work);
    let report = report.expect("a report");
    assert_eq!((report.end.exit, report.end.unfinished), (130, 10));
    assert_eq!(groups.len(), 10);
    let again = BatchRequest { resume: true, ..first };
    let (groups, report) = run_so(&again, &folder.inputs(), &Arc::default(), &done);
    let report = report.expect("a report");
    assert_eq!((groups.len(), report.summary.resumed, report.end.exit), (20, 10, 0));
    let sorted = groups.is_sorted_by_key(|group| group.file.file.clone());
    assert!(sorted, "in the order of the input");
}

#[test]
fn time_for_all_leaves_the_rest_for_later() {
    let folder = Folder::new("total", &[("a.pl", "p."), ("b.pl", "p.")]);
    let out = folder.path("out.jsonl");
    let first =
        BatchRequest { out: Some(out.clone()), total_time: Some(Duration::ZERO), ..request() };
    let (groups, report) = run(&first, &folder.inputs());
    assert_eq!((report.end.exit, report.end.unfinished), (4, 2));
    assert_eq!(groups[0].file.reason.as_deref(), Some("total_time"));
    let again = BatchRequest { resume: true, total_time: None, ..first };
    let (_, report) = run(&again, &folder.inputs());
    assert_eq!((report.end.exit, report.summary.resumed), (0, 0));
}

#[test]
fn limits_strike_file_by_file() {
    let endless = ":- repeat, fail.\n";
    let of = |request: &BatchRequest, text: &str| {
        let group = group("limits", request, text);
        let last = group.results.last();
        let reason = last.map_or(&group.file.reason, |result| &result.reason).clone();
        (group.file.outcome.name(), reason.unwrap_or_default())
    };
    let usual = request();
    let timeout = BatchRequest { timeout: Some(Duration::from_millis(50)), ..usual.clone() };
    assert_eq!(of(&timeout, endless), ("stopped", "timeout".to_owned()));
    let inferences = BatchRequest { inferences: Some(10_000), ..usual.clone() };
    assert_eq!(of(&inferences, endless), ("stopped", "inferences".to_owned()));
    let queries = BatchRequest { queries: true, ..usual.clone() };
    let time = BatchRequest { time: Some(Duration::from_millis(50)), ..queries.clone() };
    assert_eq!(of(&time, "?- repeat, fail.\n"), ("stopped", "time".to_owned()));
    let output = "?- repeat, write(again), fail.\n";
    assert_eq!(of(&queries, output), ("stopped", "output".to_owned()));
    let memory = BatchRequest { memory: 32 << 20, ..queries.clone() };
    assert_eq!(of(&memory, "?- numlist(1, 100000000, L).\n"), ("stopped", "memory".to_owned()));
    let grow = "initial_state(0). final_state(-1). rule(i, 1, S, T) :- T is S + 1.\n";
    let nodes = BatchRequest { solve: within(100), ..usual };
    assert_eq!(of(&nodes, grow), ("stopped", "nodes".to_owned()));
    // What is written is kept only so far.
    let much = group("much", &queries, "?- forall(between(1, 1000, _), write(é)).\n");
    assert_eq!((much.results[0].output.len(), much.results[0].output_truncated), (1000, true));
    let refused = group("refused", &queries, "?- shell(true).\n");
    assert!(refused.results[0].message.as_deref().expect("a message").contains("sandbox"));
}

#[test]
fn unit_tests_come_after_queries() {
    let request = BatchRequest { queries: true, ..request() };
    let text = "double(X, Y) :- Y is 2 * X.
        ?- double(1, X).
        :- begin_tests(double).
        test(two, X == 4) :- double(2, X).
        test(wrong, X == 5) :- double(2, X).
        test(later, blocked(soon)) :- double(_, 1).
        :- end_tests(double).\n";
    let group = group("units", &request, text);
    assert_eq!(outcomes(&group), ["true", "passed", "failed", "skipped"]);
    assert_eq!(group.results[1].test.as_deref(), Some("double:two"));
    assert!(group.results[2].message.is_some());
    assert_eq!(group.file.outcome, Outcome::Failed);
}

#[cfg(unix)]
#[test]
fn devices_are_no_rule_files() {
    let folder = Folder::new("devices", &[("list", "/dev/zero\n")]);
    let error = |path: &str| inputs(&[path.into()], &mut empty()).expect_err(path).to_string();
    assert_eq!(error("/dev/zero"), "`/dev/zero` is a device or a pipe, not a rule file");
    let list = format!("@{}", folder.path("list").display());
    assert!(error(&list).contains("not a rule file, named in line 1 of "), "{}", error(&list));
    assert!(error("@/dev/zero").contains("is longer than 64 MiB"));
}
