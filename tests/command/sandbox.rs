//! The sandbox, from outside: whatever takes a path, in whatever front end, opens no file but rule files of the folder.
//!
//! Each attempt names a file whose text has a token, or that must not come into being. No front end may show the
//! token or make the file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What no output may have: it is in all files that must stay closed, and in the environment.
const TOKEN: &str = "zug_token_73519";

/// A folder with rules, and what must stay closed.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("rules/.inner")).expect("folders");
        let place = Place { folder };
        let secret = format!("{TOKEN}. % {TOKEN}\n{TOKEN}(");
        for file in ["outside.pl", "rules/.hidden.pl", "rules/.inner/deep.pl", "rules/notes.txt"] {
            fs::write(place.folder.join(file), &secret).expect("written");
        }
        std::os::unix::fs::symlink("../outside.pl", place.rules("link.pl")).expect("a link");
        std::os::unix::fs::symlink("/dev/zero", place.rules("zero.pl")).expect("a link");
        fs::write(place.rules("part.pl"), "part(1).\n").expect("written");
        for file in ["nim.pl", "taquin.pl", "rock_paper_scissors.pl"] {
            fs::copy(Path::new("rules").join(file), place.rules(file)).expect("a copy");
        }
        place
    }

    fn rules(&self, name: &str) -> PathBuf {
        self.folder.join("rules").join(name)
    }

    /// Paths that must not be read.
    fn closed(&self) -> Vec<String> {
        let [outside, hidden, deep] = ["outside.pl", "rules/.hidden.pl", "rules/.inner/deep.pl"]
            .map(|name| self.folder.join(name).display().to_string());
        let own = ["notes.txt", "link.pl", ".hidden.pl", "../outside.pl", "zero.pl"];
        let foreign =
            ["/proc/self/environ", "/etc/passwd", "/dev/zero", "/dev/stdin", "~/.profile"];
        let all = own.iter().chain(&foreign).map(|path| (*path).to_owned());
        all.chain([outside, hidden, deep]).collect()
    }

    /// Paths that must not come into being.
    fn new_files(&self) -> [String; 3] {
        let at = |name: &str| self.folder.join(name).display().to_string();
        [at("new.pl"), at("rules/new.pl"), "made.pl".to_owned()]
    }

    /// Runs zug in the folder of the rules.
    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(arguments)
            .current_dir(self.folder.join("rules"))
            .env("NO_COLOR", "1")
            .env("ZUG_TEST_TOKEN", TOKEN)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("zug starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        // The page's process is stopped by the end of its input.
        let stays_open = arguments.contains(&"--worker");
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
            stays_open.then_some(stdin)
        });
        let output = child.wait_with_output().expect("it ends");
        drop(writer.join());
        output
    }

    /// Runs zug and looks that nothing came out.
    fn attempt(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let told = said.lines().find(|line| line.contains(TOKEN) || line.contains("root:x:"));
        assert_eq!(told, None, "{arguments:?}");
        for path in self.new_files() {
            let made = self.folder.join("rules").join(&path);
            assert!(!made.exists(), "{arguments:?} made {path}\n{said}");
        }
        said
    }
}

/// Goals that read a file, and those that write one; `P` is the path.
const READING: &[&str] = &[
    "open('P', read, S), read_term(S, T, []), print(T)",
    "see('P'), read(T), print(T)",
    "consult('P'), listing",
    "['P'], listing",
    "load_files('P', []), listing",
    "ensure_loaded('P'), listing",
    "use_module('P'), listing",
    "exists_source('P'), atom_concat(zug_token_, 73519, X), print(X)",
    "exists_file('P'), atom_concat(zug_token_, 73519, X), print(X)",
    "size_file('P', N), atom_concat(zug_token_, 73519, X), print(X-N)",
    "time_file('P', N), atom_concat(zug_token_, 73519, X), print(X-N)",
    "directory_files('P', Fs), print(Fs)",
    "absolute_file_name('P', A, [access(read)]), print(A), atom_concat(zug_token_, 73519, X), print(X)",
    "read_file_to_terms('P', Ts, []), print(Ts)",
    "read_file_to_string('P', T, []), print(T)",
    "read_file_to_codes('P', T, []), atom_codes(A, T), print(A)",
    "attach('P')",
    "shell('cat P')",
    "getenv('ZUG_TEST_TOKEN', T), print(T)",
];
const WRITING: &[&str] = &[
    "open('P', write, S), write(S, x), close(S)",
    "open('P', append, S), write(S, x), close(S)",
    "open('P', update, S), write(S, x), close(S)",
    "tell('P'), write(x), told",
    "append('P'), write(x), told",
    "make_directory('P')",
    "rename_file('part.pl', 'P')",
    "tmp_file(x, F), open(F, write, S), write(S, x), close(S)",
    "shell('touch P')",
    "attach('P')",
];

/// Each goal for each path, in a loop that goes on whatever it comes to.
fn goals(place: &Place) -> Vec<String> {
    let for_all = |goals: &[&str], paths: &[String]| -> Vec<String> {
        let goals = goals.iter().flat_map(|goal| paths.iter().map(|path| goal.replace('P', path)));
        goals.map(|goal| format!("catch(({goal}), _, true)")).collect()
    };
    [for_all(READING, &place.closed()), for_all(WRITING, &place.new_files())].concat()
}

#[test]
fn rules_and_queries() {
    let place = Place::new("queries");
    let goals = goals(&place);
    assert!(goals.len() > 200, "{} goals", goals.len());
    // By goals of a file, in commands that load it, and at the prompt.
    let clauses: String = goals.iter().map(|goal| format!("go :- {goal}, fail.\n")).collect();
    let directives: String = goals.iter().map(|goal| format!(":- {goal}.\n")).collect();
    let nim = fs::read_to_string("rules/nim.pl").expect("rules");
    fs::write(place.rules("goals.pl"), format!("{clauses}go.\n{nim}")).expect("written");
    fs::write(place.rules("directives.pl"), format!("{nim}\n{directives}")).expect("written");
    let limits = ["--time", "60s", "--memory", "300M"];
    place.attempt(&[&["query", "goals.pl", "go", "--sandbox"], &limits[..]].concat(), "");
    for command in ["check", "solve", "test"] {
        place.attempt(&[&[command, "directives.pl", "--sandbox"], &limits[..]].concat(), "");
    }
    place.attempt(&["batch", "directives.pl", "goals.pl", "--query", "go", "--time", "60s"], "");
    // What may be loaded still is.
    let open = place.attempt(&["query", "nim.pl", "consult(part), part(X)", "--sandbox"], "");
    assert!(open.contains("X = 1"), "{open}");
}

#[test]
fn prompts() {
    let place = Place::new("prompts");
    let closed = place.closed();
    let made = place.new_files();
    let mut lines: Vec<String> = goals(&place).iter().map(|goal| format!("{goal}.")).collect();
    for path in &closed {
        lines.extend([format!(":load {path}"), format!(":add {path}"), format!("['{path}'].")]);
        lines.push(format!("train([against(policy('{path}')), games(1)])."));
        lines.push(format!("play([against(policy('{path}'))]).\nquit"));
    }
    for path in &made {
        lines.push(format!("tree([depth(1), file('{path}'), force(true)])."));
        lines.push(format!("train([games(1), save('{path}')])."));
    }
    let input = lines.join("\n");
    place.attempt(&["nim.pl", "--sandbox", "--memory", "300M"], &input);
    // Words of a play, in a game, a puzzle and a game in which all choose at once.
    let mut lines: Vec<String> =
        closed.iter().map(|path| format!("load {path}\nload '{path}'")).collect();
    lines.extend(made.iter().map(|path| format!("save {path}")));
    let input = lines.join("\n");
    for file in ["nim.pl", "taquin.pl", "rock_paper_scissors.pl"] {
        for format in ["text", "jsonl"] {
            place.attempt(
                &["play", file, "--sandbox", "--memory", "300M", "--format", format],
                &input,
            );
        }
    }
}

#[test]
fn opponents() {
    let place = Place::new("opponents");
    for path in place.closed() {
        let policy = format!("policy:{path}");
        for arguments in [
            &["play", "nim.pl", "--against", &policy, "--as", "none"][..],
            &["train", "nim.pl", "--against", &policy, "--games", "1"],
            &["train", "nim.pl", "--baseline", &policy, "--games", "1"],
        ] {
            let said = place.attempt(&[arguments, &["--sandbox", "--memory", "300M"]].concat(), "");
            // Whether there is such a file is not told either.
            assert!(said.contains("the sandbox"), "{arguments:?}: {said}");
        }
    }
}

/// Questions of the page, as the server hands them to a process.
#[cfg(feature = "serve")]
#[test]
fn the_page() {
    let place = Place::new("page");
    let text = fs::read_to_string("rules/nim.pl").expect("rules");
    let limits = ["serve", "--worker", "--time", "10s", "--memory", "300M"];
    let ask = |question: serde_json::Value| place.attempt(&limits, &format!("{question}\n"));
    let clauses =
        goals(&place).iter().map(|goal| format!("go :- {goal}, fail.\n")).collect::<String>();
    let text = format!("{clauses}go.\n{text}");
    let said =
        ask(serde_json::json!({ "do": "query", "file": "nim.pl", "text": text, "goal": "go" }));
    assert!(said.contains("\"true\""), "{said}");
    for path in place.closed() {
        let agent = format!("policy:{path}");
        let said = ask(
            serde_json::json!({ "do": "machine", "file": "nim.pl", "agent": agent, "seed": 1 }),
        );
        assert!(said.contains("\"end\""), "{said}");
    }
}
