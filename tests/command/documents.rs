//! Documents as a reader follows them: the files that they have one write, the commands that
//! they have one type, in their order, and what they say that one then sees.
//!
//! - A block `prolog` whose first line is `% NAME` is the file NAME; with `% NAME, at the end`
//!   it is written below what is in it.
//! - A block `diff` whose first line is `% NAME` changes lines of it.
//! - A block `console` has commands behind `$` and what they print. Behind `?-` stands what is
//!   typed at the prompt, with `;` behind an answer for the next one and `.` for Return;
//!   behind `NAME>` what is typed in a game. Times, speeds and sizes in memory may differ.
//!
//! `TRYCMD=overwrite cargo test --test all documents` writes what the commands print, but for the
//! prompt's answers.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A fenced block: its kind, its lines, and the line of the document where it begins.
struct Block {
    kind: String,
    lines: Vec<String>,
    /// The index of the first line inside the fence.
    start: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                open = Some(Block {
                    kind: kind.trim().to_owned(),
                    lines: Vec::new(),
                    start: number + 1,
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is open at the end");
    blocks
}

/// The file that a block is about, and whether it is written below what is there.
fn file_of(block: &Block) -> Option<(&str, bool)> {
    let name = block.lines.first()?.strip_prefix("% ")?;
    match name.strip_suffix(", at the end") {
        Some(name) => Some((name, true)),
        None => (name.ends_with(".pl") && !name.contains(' ')).then_some((name, false)),
    }
}

/// How the line begins that stands under `false.` on a terminal, and nowhere else.
const CLOSEST: &str = "   closest: ";

/// A command of a document and what it prints there.
struct Typed {
    line: String,
    /// The index of its line in the document.
    start: usize,
    output: Vec<String>,
}

fn commands_of(block: &Block) -> Vec<Typed> {
    let mut commands: Vec<Typed> = Vec::new();
    for (offset, line) in block.lines.iter().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            let start = block.start + offset;
            commands.push(Typed { line: command.to_owned(), start, output: Vec::new() });
        } else {
            let last = commands.last_mut().expect("a transcript begins with a command");
            last.output.push(line.clone());
        }
    }
    for command in &mut commands {
        while command.output.last().is_some_and(String::is_empty) {
            command.output.pop();
        }
    }
    commands
}

/// What is typed behind the name of a player.
fn typed_in_game(line: &str) -> Option<&str> {
    let (player, typed) = line.split_once('>')?;
    let typed = typed.trim_start();
    (!player.is_empty() && player.chars().all(char::is_alphanumeric)).then_some(typed)
}

impl Typed {
    fn at_prompt(&self) -> bool {
        self.output.iter().any(|line| line.starts_with("?- "))
    }

    /// The keyboard's input: queries and the `;` behind answers, or what is typed in a game.
    fn input(&self) -> String {
        let mut input = String::new();
        for line in &self.output {
            if let Some(query) = line.strip_prefix("?- ") {
                input += query;
            } else if self.at_prompt() && line.ends_with(" ;") {
                input += ";";
            } else if let Some(typed) = typed_in_game(line) {
                input += typed;
            } else {
                continue;
            }
            input += "\n";
        }
        input
    }

    /// What the document says is printed; of a session at the prompt, what is printed on a pipe.
    fn expected(&self) -> Vec<String> {
        if !self.at_prompt() {
            return self.output.clone();
        }
        let prompt = self.output.iter().position(|line| line.starts_with("?- ")).unwrap_or(0);
        let on_pipe = |line: &&String| !line.starts_with("?- ") && !line.starts_with(CLOSEST);
        let answers = self.output[prompt..].iter().filter(on_pipe);
        let key = |line: &String| line.trim_end_matches(" ;").trim_end_matches(" .").to_owned();
        answers.map(key).collect()
    }

    /// Runs the command and gives back what it printed, both streams as a terminal has them.
    fn run(&self, folder: &Path) -> Vec<String> {
        let words = words(&self.line);
        assert_eq!(words[0], "zug", "only zug is run: {}", self.line);
        let (mut output, writer) = std::io::pipe().expect("a pipe");
        let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
        zug.args(&words[1..])
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .env("ZUG_HISTORY", "")
            .stdin(Stdio::piped())
            .stdout(writer.try_clone().expect("a pipe has two ends"))
            .stderr(writer);
        let mut child = zug.spawn().expect("zug starts");
        drop(zug);
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that does not read may have ended by now.
        let _ = stdin.write_all(self.input().as_bytes());
        drop(stdin);
        let mut text = String::new();
        output.read_to_string(&mut text).expect("text");
        child.wait().expect("zug ends");
        let more = ".  % ; for more";
        let line = |line: &str| line.strip_suffix(more).unwrap_or(line).trim_end().to_owned();
        let mut lines: Vec<String> = text.lines().map(line).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}

/// The words of a command; those in quotes are one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => words.push(String::new()),
            _ => words.last_mut().expect("it is never empty").push(c),
        }
    }
    assert!(quote.is_none(), "an open quote in {line}");
    words
}

/// A line without what differs from run to run: numbers before a unit of time or size, and speeds, which
/// are told of runs that took long enough.
fn timeless(line: &str) -> String {
    // No word of a line is this.
    const SPEED: &str = " ";
    let unit = |word: &str| {
        let word = word.trim_end_matches([',', ';', ')']);
        matches!(word, "ns" | "µs" | "ms" | "s" | "min" | "nodes/s" | "B" | "KiB" | "MiB" | "GiB")
    };
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let mut kept = Vec::with_capacity(words.len());
    for (i, word) in words.iter().enumerate() {
        let counts = word.starts_with(|c: char| c.is_ascii_digit());
        kept.push(if counts && words.get(i + 1).is_some_and(|next| unit(next)) {
            "_"
        } else {
            word
        });
        if i > 0 && kept[i - 1] == "_" {
            kept[i] = "_";
        }
        if kept[i] == "_" && word.starts_with("nodes/s") {
            (kept[i - 1], kept[i]) = (SPEED, SPEED);
        }
    }
    kept.retain(|&word| word != SPEED);
    kept.join(" ")
}

fn same(expected: &[String], shown: &[String]) -> bool {
    let timeless = |lines: &[String]| lines.iter().map(|line| timeless(line)).collect::<Vec<_>>();
    timeless(expected) == timeless(shown)
}

fn write_file(folder: &Path, block: &Block) {
    let Some((name, at_the_end)) = file_of(block) else { return };
    let mut text = String::new();
    if at_the_end {
        text = std::fs::read_to_string(folder.join(name)).expect("the file is there already");
    }
    for line in &block.lines[usize::from(at_the_end)..] {
        text += line;
        text += "\n";
    }
    std::fs::write(folder.join(name), text).expect("the file is written");
}

/// Replaces the lines behind `-` by those behind `+`.
fn change_file(folder: &Path, block: &Block) {
    let (name, _) = file_of(block).expect("a change says of which file");
    let path = folder.join(name);
    let side = |sign: char| -> String {
        let lines = block.lines.iter().filter_map(|line| line.strip_prefix(sign));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let text = std::fs::read_to_string(&path).expect("the file is there already");
    let old = side('-');
    assert_eq!(text.matches(&old).count(), 1, "{name} has these lines once:\n{old}");
    std::fs::write(path, text.replace(&old, &side('+'))).expect("the file is written");
}

/// Follows a document in a folder: what is not as it says.
fn follow(document: &Path, folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(document).expect("the document is there");
    let document_lines: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    let mut new = Vec::new();
    let mut copied = 0;
    for block in blocks(&text) {
        match block.kind.as_str() {
            "prolog" => write_file(folder, &block),
            "diff" => change_file(folder, &block),
            "console" => {
                for command in commands_of(&block) {
                    let (expected, shown) = (command.expected(), command.run(folder));
                    if same(&expected, &shown) {
                        continue;
                    }
                    let place = format!("{}:{}", document.display(), command.start + 1);
                    let (says, is) = (expected.join("\n"), shown.join("\n"));
                    wrong.push(format!(
                        "{place}: $ {}\n--- says\n{says}\n--- is\n{is}",
                        command.line
                    ));
                    if !command.at_prompt() {
                        new.extend(
                            document_lines[copied..=command.start].iter().map(|l| (*l).to_owned()),
                        );
                        new.extend(shown);
                        copied = command.start + 1 + command.output.len();
                    }
                }
            }
            _ => {}
        }
    }
    if std::env::var("TRYCMD").is_ok_and(|what| what == "overwrite") {
        new.extend(document_lines[copied..].iter().map(|line| (*line).to_owned()));
        std::fs::write(document, new.join("\n") + "\n").expect("the document is written");
    }
    wrong
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_tutorial() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("an empty folder");
    let wrong = follow(&root().join("docs/tutorial.md"), &folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let drawn = std::fs::read(folder.join("plan.svg")).expect("the tutorial draws a plan");
    let shown = std::fs::read(root().join("docs/tutorial.svg")).expect("and shows it");
    assert!(drawn == shown, "docs/tutorial.svg is not what the tutorial draws");
}

/// What the prompt says first, on a terminal: the rest of a session is run on a pipe.
#[cfg(unix)]
#[test]
fn the_prompt_of_the_tutorial() -> Result<(), rexpect::error::Error> {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("it is there");
    let family = blocks(&text).into_iter().find(|block| block.kind == "prolog").expect("a file");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial_prompt");
    std::fs::create_dir_all(&folder).expect("a folder");
    write_file(&folder, &family);
    let session = blocks(&text).into_iter().find(|block| block.kind == "console").expect("one");
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.args(&words(&session.lines[0])[2..]).current_dir(&folder);
    command.env("NO_COLOR", "1").env("TERM", "xterm").env("ZUG_HISTORY", "");
    let mut zug = rexpect::session::spawn_command(command, Some(60_000))?;
    for line in session.lines[1..].iter().take_while(|line| !line.starts_with("?- ")) {
        zug.exp_string(line)?;
    }
    zug.exp_string("?- ")?;
    zug.send_line("grandparent(maria, X).")?;
    for answer in ["X = carl", "X = dora"] {
        zug.exp_string(answer)?;
        zug.send(";")?;
        zug.flush()?;
    }
    zug.exp_string("X = emil.")?;
    zug.exp_string("?- ")?;
    zug.send_line("grandparent(emil, X).")?;
    let closest = session.lines.iter().find(|line| line.starts_with(CLOSEST)).expect("a hint");
    // The terminal's library reads bytes, so nothing beyond ASCII.
    zug.exp_string(closest.trim().split('—').next().unwrap_or_default())?;
    zug.exp_string("?- ")?;
    zug.send_control('d')?;
    zug.exp_eof()?;
    Ok(())
}

/// The names of all engines.
fn engines() -> Vec<&'static str> {
    let plans = zug_search::engines().map(|engine| engine.name);
    plans.chain(zug_search::game::game_engines().map(|engine| engine.name)).collect()
}

#[test]
fn pages_of_engines() {
    let page = |engine| root().join(format!("docs/engines/{engine}.md"));
    let wrong: Vec<String> =
        engines().into_iter().flat_map(|engine| follow(&page(engine), &root())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Pages whose commands are run where there is a folder `rules` with the rules that ship. (Others are transcripts of
/// `cli::transcripts`.)
const PAGES: [&str; 1] = ["certificates"];

#[test]
fn pages_of_the_manual() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("rules")).expect("an empty folder");
    for entry in std::fs::read_dir(root().join("rules")).expect("rules") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, folder.join("rules").join(name)).expect("a copy");
    }
    let page = |name| follow(&root().join(format!("docs/{name}.md")), &folder);
    let wrong: Vec<String> = PAGES.into_iter().flat_map(page).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_engine_has_a_page() {
    let index = std::fs::read_to_string(root().join("docs/engines/README.md")).expect("an index");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    for engine in engines() {
        let link = format!("({engine}.md)");
        assert!(index.contains(&link), "docs/engines/README.md has no link to {engine}.md");
        let link = format!("(docs/engines/{engine}.md)");
        assert!(readme.contains(&link), "README.md has no link to docs/engines/{engine}.md");
    }
    let folder = std::fs::read_dir(root().join("docs/engines")).expect("a folder");
    for entry in folder {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".md").trim_end_matches(".svg");
        let known = name == "README.md" || engines().contains(&stem);
        assert!(known, "docs/engines/{name} is of no engine");
    }
}

/// A table in the marks of a document: its head, and a row for each engine.
fn table(head: &str, rows: impl Iterator<Item = String>) -> String {
    let columns = head.matches('|').count() - 1;
    let rule = format!("|{}", "---|".repeat(columns));
    let rows: String = rows.map(|row| format!("{row}\n")).collect();
    format!("{head}\n{rule}\n{rows}")
}

/// The tables of engines, as the registries have them: document, mark, text.
fn tables_of_engines() -> [(&'static str, &'static str, String); 4] {
    use zug_search::{EngineInfo, Guarantee};
    let yes = |is: bool| if is { "yes" } else { "no" };
    let plan = |info: &EngineInfo| match info.guarantee {
        Guarantee::Cheapest => "cheapest",
        Guarantee::Factor => "within a factor of the cheapest",
        Guarantee::FewestMoves => "fewest moves",
        Guarantee::None if info.complete => "any",
        Guarantee::None => "any, or missed",
    };
    let puzzles = || zug_search::engines();
    let games = || zug_search::game::game_engines();
    let index = "docs/engines/README.md";
    [
        (
            index,
            "puzzles",
            table(
                "| engine | plan | heuristic | memory | take it when |",
                puzzles().map(|info| {
                    let EngineInfo { name, memory, when, .. } = info;
                    let (plan, informed) = (plan(info), yes(info.informed));
                    let when = when.replace('*', "\\*");
                    format!("| [{name}]({name}.md) | {plan} | {informed} | {memory} | {when} |")
                }),
            ),
        ),
        (
            index,
            "games",
            table(
                "| engine | players | dice | finds | take it when |",
                games().map(|info| {
                    let (name, players, dice) = (info.name, info.players.name(), yes(info.chance));
                    let (finds, when) = (info.summary, info.when);
                    format!("| [{name}]({name}.md) | {players} | {dice} | {finds} | {when} |")
                }),
            ),
        ),
        (
            "README.md",
            "puzzles",
            table(
                "| engine | finds | needs a heuristic |",
                puzzles().map(|info| {
                    let (name, finds, informed) = (info.name, info.summary, yes(info.informed));
                    format!("| [`{name}`](docs/engines/{name}.md) | {finds} | {informed} |")
                }),
            ),
        ),
        (
            "README.md",
            "games",
            table(
                "| engine | players | finds |",
                games().map(|info| {
                    let (name, players, finds) = (info.name, info.players.name(), info.summary);
                    format!("| [`{name}`](docs/engines/{name}.md) | {players} | {finds} |")
                }),
            ),
        ),
    ]
}

/// Tables of engines are those of the registries. `TRYCMD=overwrite` writes them anew.
#[test]
fn tables_of_engines_are_those_of_the_registries() {
    let mut wrong = Vec::new();
    for (file, mark, table) in tables_of_engines() {
        let path = root().join(file);
        let text = std::fs::read_to_string(&path).expect("a document");
        let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->\n"));
        let (before, rest) = text.split_once(&begin).expect("a mark where the table begins");
        let (old, behind) = rest.split_once(&end).expect("a mark where it ends");
        if old != table {
            wrong.push(format!("{file}, {mark}:\n{table}"));
            if std::env::var("TRYCMD").is_ok_and(|what| what == "overwrite") {
                let text = format!("{before}{begin}{table}{end}{behind}");
                std::fs::write(&path, text).expect("the table is written");
            }
        }
    }
    assert!(wrong.is_empty(), "not the tables of the registries: {}", wrong.join("\n"));
}

/// The picture of a page is what the command below it draws.
/// `TRYCMD=overwrite` draws it anew.
#[test]
fn pictures_of_engines() {
    let mut wrong = Vec::new();
    for engine in engines() {
        let page = std::fs::read_to_string(root().join(format!("docs/engines/{engine}.md")));
        let page = page.expect("a page");
        assert!(page.contains(&format!("]({engine}.svg)")), "{engine}.md shows no picture");
        let command = page.lines().find_map(|line| line.strip_prefix("`zug tree "));
        let command = command.and_then(|line| line.strip_suffix('`')).expect("how it is drawn");
        let arguments = words(&format!("tree {command} --format svg"));
        let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
        let drawn = zug.args(arguments).current_dir(root()).output().expect("zug runs").stdout;
        assert!(drawn.len() < 40_000, "{engine}.svg has {} bytes", drawn.len());
        let file = root().join(format!("docs/engines/{engine}.svg"));
        if std::fs::read(&file).ok().as_ref() != Some(&drawn) {
            wrong.push(engine);
            if std::env::var("TRYCMD").is_ok_and(|what| what == "overwrite") {
                std::fs::write(&file, drawn).expect("the picture is written");
            }
        }
    }
    assert!(wrong.is_empty(), "the pictures of {wrong:?} are not what is drawn");
}

/// Papers in the registry are those of the page.
#[test]
fn pages_name_the_papers_of_the_registry() {
    let plans = zug_search::engines().map(|engine| (engine.name, engine.reference));
    let games = zug_search::game::game_engines().map(|engine| (engine.name, engine.reference));
    for (engine, reference) in plans.chain(games) {
        let page = std::fs::read_to_string(root().join(format!("docs/engines/{engine}.md")));
        let page = page.expect("a page");
        let words = reference
            .split([' ', ','])
            .filter(|word| word.len() > 2 && word.chars().all(char::is_alphanumeric));
        for word in words {
            assert!(page.contains(word), "docs/engines/{engine}.md does not name {word}");
        }
    }
}

/// The pages of the documentation: `README.md` and those in `docs`.
fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (vec![root().join("README.md")], vec![root().join("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// Files of the project that a page names in its text, and those it has links to.
fn files_named(text: &str) -> Vec<(bool, &str)> {
    const FOLDERS: [&str; 7] =
        ["src/", "tests/", "benches/", "fuzz/", "docs/", "rules/", "grammars/"];
    let plain = |name: &&str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        FOLDERS.iter().any(|folder| name.starts_with(folder)) && name.chars().all(letter)
    };
    let named = text.split('`').skip(1).step_by(2).filter(plain).map(|name| (false, name));
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let here = |link: &&str| !link.starts_with('#') && !link.contains("://") && !link.contains(' ');
    let links = links.filter(here).map(|link| (true, link.split('#').next().unwrap_or(link)));
    named.chain(links).collect()
}

#[test]
fn files_that_pages_name_are_there() {
    let mut seen = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = page.parent().expect("it is in a folder");
        for (is_link, name) in files_named(&text) {
            let path = if is_link { folder.join(name) } else { root().join(name) };
            assert!(path.exists(), "{} names {name}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_site_has_all_pages() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("a summary");
    let listed = files_named(&summary).into_iter().map(|(_, name)| docs.join(name));
    let listed: Vec<PathBuf> = listed.map(|path| path.canonicalize().expect("a page")).collect();
    for page in pages() {
        let page = page.canonicalize().expect("a page");
        let is_summary = page.ends_with("docs/SUMMARY.md");
        assert!(is_summary || listed.contains(&page), "{} is not listed", page.display());
    }
}

#[test]
fn the_version_says_what_was_built() {
    let said = |option: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_zug")).arg(option).output().expect("it runs");
        String::from_utf8(run.stdout).expect("text")
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(said("-V"), format!("zug {version}\n"));
    let long = said("--version");
    let lines: Vec<&str> = long.lines().collect();
    assert!(lines[0].starts_with(&format!("zug {version}")), "{long}");
    assert_eq!(lines[1].contains("serve"), cfg!(feature = "serve"), "{long}");
    assert!(lines[2].starts_with("target: "), "{long}");
}
