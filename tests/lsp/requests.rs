//! Every request, on shipped and on broken files.

use super::client::{Client, shipped, uri};
use crate::support::Folder;
use serde_json::{Value, json};

/// The requests that stand behind what a server announces.
const ANNOUNCED: &[(&str, &[&str])] = &[
    ("hoverProvider", &["textDocument/hover"]),
    ("completionProvider", &["textDocument/completion"]),
    ("signatureHelpProvider", &["textDocument/signatureHelp"]),
    ("definitionProvider", &["textDocument/definition"]),
    ("referencesProvider", &["textDocument/references"]),
    ("documentHighlightProvider", &["textDocument/documentHighlight"]),
    ("documentSymbolProvider", &["textDocument/documentSymbol"]),
    ("workspaceSymbolProvider", &["workspace/symbol"]),
    ("documentFormattingProvider", &["textDocument/formatting"]),
    ("documentRangeFormattingProvider", &["textDocument/rangeFormatting"]),
    ("renameProvider", &["textDocument/prepareRename", "textDocument/rename"]),
    ("codeActionProvider", &["textDocument/codeAction"]),
    ("codeLensProvider", &["textDocument/codeLens"]),
    ("foldingRangeProvider", &["textDocument/foldingRange"]),
    (
        "semanticTokensProvider",
        &["textDocument/semanticTokens/full", "textDocument/semanticTokens/range"],
    ),
    // Asked in tests of their own, or no requests.
    ("executeCommandProvider", &[]),
    ("textDocumentSync", &[]),
    ("positionEncoding", &[]),
    ("workspace", &[]),
];

fn at(file: &str, line: usize, character: usize) -> Value {
    json!({ "textDocument": { "uri": file }, "position": { "line": line, "character": character } })
}

/// The place of the first letter of a word in a text in ASCII.
fn place(text: &str, word: &str) -> (usize, usize) {
    let offset = text.find(word).unwrap_or_else(|| panic!("`{word}` in the text"));
    let line = text[..offset].matches('\n').count();
    (line, offset - text[..offset].rfind('\n').map_or(0, |end| end + 1))
}

/// Sends every request that is announced, about one place.
pub fn ask_everything(client: &mut Client, file: &str, line: usize, character: usize) {
    let here = at(file, line, character);
    for method in ANNOUNCED.iter().flat_map(|(_, methods)| *methods) {
        let mut params = here.clone();
        params["query"] = json!("a");
        params["range"] = json!({ "start": here["position"], "end": here["position"] });
        params["newName"] = json!("Fresh");
        params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
        params["context"] = match *method {
            "textDocument/completion" => json!({ "triggerKind": 1 }),
            _ => json!({ "diagnostics": [], "includeDeclaration": true }),
        };
        if let Err(error) = client.request(method, params) {
            // A refusal in words, never a failure of the server.
            assert_eq!(error["code"], -32803, "{method} of {file} at {line}:{character}: {error}");
        }
    }
}

#[test]
fn all_that_is_announced_is_answered_everywhere() {
    let folder = Folder::new("all");
    let mut client = Client::start(&folder, &["utf-16"], Value::Null);
    let capabilities = client.capabilities.as_object().expect("an object").clone();
    for name in capabilities.keys() {
        assert!(ANNOUNCED.iter().any(|(known, _)| known == name), "{name} is announced");
    }
    let wolf = std::fs::read_to_string(shipped("wolf.pl")).expect("read");
    let cut: String = wolf.chars().take(1500).collect();
    let broken = "a(X :- b('q, [1, 2).\n/* never\n".to_owned();
    let odd = "p(\u{0}, '\u{1d11e}', \"\\q\") :- \r\n\t}{ .\n".to_owned();
    for (number, text) in [wolf, cut, broken, odd, String::new()].iter().enumerate() {
        let file = uri(&folder.join(format!("f{number}.pl")));
        client.open(&file, text);
        for line in (0..text.lines().count().max(1)).step_by(7) {
            for character in [0, 3, 9, 40, 1000] {
                ask_everything(&mut client, &file, line, character);
            }
        }
    }
    assert_eq!(client.shut_down().code(), Some(0));
}

const FAMILY: &str = "\
:- use_module(base).

% grandparent(X, Z): X is the parent
% of a parent of Z.
grandparent(X, Z) :-
    parent(X, Y),
    parent(Y, Z).

all(Xs) :- findall(X-Z, grandparent(X, Z), Xs), maplist(shown(x), Xs), format(\"~w\", [Xs]).

shown(_, _).

'odd name'(1).
";
const BASE: &str = ":- module(base, [parent/2]).\n\n% parent(X, Y): facts.\nparent(a, b).\nparent(b, c).\nhidden(1).\n";

struct Opened {
    client: Client,
    file: String,
    base: String,
    _folder: Folder,
}

fn family(name: &str) -> Opened {
    let folder = Folder::new(name);
    folder.write("base.pl", BASE);
    folder.write("family.pl", FAMILY);
    let mut client = Client::start(&folder, &["utf-8"], Value::Null);
    let (file, base) = (uri(&folder.join("family.pl")), uri(&folder.join("base.pl")));
    client.open(&file, FAMILY);
    Opened { client, file, base, _folder: folder }
}

impl Opened {
    fn at(&self, word: &str) -> Value {
        let (line, character) = place(FAMILY, word);
        at(&self.file, line, character)
    }

    fn ask(&mut self, method: &str, word: &str) -> Value {
        let mut params = self.at(word);
        params["context"] = json!({ "includeDeclaration": true });
        self.client.request(method, params).expect("answered")
    }

    fn end(self) {
        assert_eq!(self.client.shut_down().code(), Some(0));
    }
}

#[test]
fn hover_knows_own_and_built_in_predicates() {
    let mut opened = family("hover");
    let own = opened.ask("textDocument/hover", "grandparent(X, Z), Xs");
    let own = own["contents"]["value"].as_str().expect("text");
    assert!(own.contains("of a parent of Z") && own.contains("grandparent/2"), "{own}");
    let imported = opened.ask("textDocument/hover", "parent(Y, Z)");
    assert!(imported["contents"]["value"].as_str().is_some_and(|text| text.contains("facts")));
    let built_in = opened.ask("textDocument/hover", "findall");
    assert!(built_in["contents"]["value"].as_str().is_some_and(|text| text.contains("findall(")));
    let handed_on = opened.ask("textDocument/hover", "shown(x)");
    assert!(handed_on["contents"]["value"].as_str().is_some_and(|text| text.contains("shown/2")));
    opened.end();
}

#[test]
fn definitions_and_references_go_across_files() {
    let mut opened = family("navigation");
    let found = opened.ask("textDocument/definition", "parent(Y, Z)");
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    assert_eq!(found[0]["uri"], opened.base.as_str());
    assert_eq!(found[0]["range"]["start"], json!({ "line": 3, "character": 0 }));
    let found = opened.ask("textDocument/references", "parent(Y, Z)");
    // Two calls; two clauses and an export.
    assert_eq!(found.as_array().map(Vec::len), Some(5), "{found}");
    let found = opened.ask("textDocument/references", "Y),");
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let found = opened.ask("textDocument/definition", "base)");
    assert_eq!(found[0]["uri"], opened.base.as_str());
    let found = opened.ask("textDocument/documentHighlight", "grandparent(X, Z) :-");
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    opened.end();
}

#[test]
fn renaming_checks_the_name() {
    let mut opened = family("rename");
    let rename = |opened: &mut Opened, word: &str, new: &str| {
        let mut params = opened.at(word);
        params["newName"] = json!(new);
        opened.client.request("textDocument/rename", params)
    };
    let renamed = rename(&mut opened, "parent(Y, Z)", "has child").expect("renamed");
    let edits = &renamed["changes"][&opened.base];
    assert_eq!(edits.as_array().map(Vec::len), Some(3), "{renamed}");
    assert_eq!(edits[0]["newText"], "'has child'");
    assert_eq!(renamed["changes"][&opened.file].as_array().map(Vec::len), Some(2));
    let renamed = rename(&mut opened, "Y),", "Middle").expect("renamed");
    assert_eq!(renamed["changes"][&opened.file].as_array().map(Vec::len), Some(2));
    for (word, new) in [
        ("Y),", "middle"),
        ("Y),", "X"),
        ("findall", "find_all"),
        ("grandparent(X, Z) :-", "append"),
        ("shown(_, _)", "grandparent"),
        ("shown(_, _)", ""),
    ] {
        let refused = rename(&mut opened, word, new).err();
        if word == "grandparent(X, Z) :-" {
            // There is an append/2 of the library.
            assert!(refused.is_some(), "{word} to {new}");
            continue;
        }
        assert!(refused.is_some_and(|error| error["code"] == -32803), "{word} to {new}");
    }
    opened.end();
}

#[test]
fn completion_offers_what_may_come() {
    let mut opened = family("completion");
    let labels = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().expect("items").iter();
        items.map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    };
    let file = opened.file.clone();
    let typed = format!("{FAMILY}more(Apple, App) :- gra");
    let (line, _) = place(&typed, "more(");
    opened.client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": file, "version": 2 }, "contentChanges": [{ "text": typed }] }),
    );
    let mut complete = |character: usize| {
        opened
            .client
            .request("textDocument/completion", at(&file, line, character))
            .expect("answered")
    };
    let names = complete(24);
    assert!(labels(&names).contains(&"grandparent".to_owned()), "{names}");
    let variables = complete(15);
    assert_eq!(labels(&variables), ["Apple"]);
    let heads = complete(0);
    assert!(labels(&heads).contains(&"initial_state".to_owned()));
    assert!(!labels(&heads).contains(&"findall".to_owned()), "no head of a clause");
    let item = names["items"]
        .as_array()
        .expect("items")
        .iter()
        .find(|item| item["label"] == "grandparent");
    let resolved = opened
        .client
        .request("completionItem/resolve", item.expect("found").clone())
        .expect("resolved");
    assert!(
        resolved["documentation"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("of a parent"))
    );
    assert_eq!(resolved["textEdit"]["newText"], "grandparent(${1:X}, ${2:Z})");
    opened.end();
}

#[test]
fn signatures_symbols_lenses_and_layout() {
    let mut opened = family("others");
    let help = opened.ask("textDocument/signatureHelp", "Z), Xs)");
    assert_eq!(help["signatures"][0]["label"], "grandparent(X, Z)", "{help}");
    assert_eq!(help["activeParameter"], 1);
    let file = opened.file.clone();
    let symbols = opened
        .client
        .request("textDocument/documentSymbol", json!({ "textDocument": { "uri": file } }))
        .expect("answered");
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["grandparent/2", "all/1", "shown/2", "odd name/1"]);
    let all =
        opened.client.request("workspace/symbol", json!({ "query": "hid" })).expect("answered");
    assert_eq!(all[0]["name"], "hidden/1", "{all}");
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = opened
        .client
        .request(
            "textDocument/formatting",
            json!({ "textDocument": { "uri": file }, "options": options }),
        )
        .expect("answered");
    assert_eq!(edits, json!([]), "it is laid out already");
    let wolf = shipped("wolf.pl");
    let text = std::fs::read_to_string(&wolf).expect("read");
    let address = uri(&wolf);
    opened.client.open(&address, &text);
    let lenses = opened
        .client
        .request("textDocument/codeLens", json!({ "textDocument": { "uri": address } }))
        .expect("answered");
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|l| l["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["solve", "draw the tree", "run tests"]);
    let solve = &lenses[0]["command"];
    let ran = json!({ "command": solve["command"], "arguments": solve["arguments"] });
    opened.client.request("workspace/executeCommand", ran).expect("carried out");
    let shown = opened.client.wait(|message| message["method"] == "window/showMessage");
    assert!(
        shown["params"]["message"].as_str().is_some_and(|text| text.contains("with_goat")),
        "{shown}"
    );
    opened.end();
}

#[test]
fn tokens_are_in_order_and_name_definitions() {
    let mut opened = family("tokens");
    let file = opened.file.clone();
    let tokens = opened
        .client
        .request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": file } }))
        .expect("answered");
    let data: Vec<u64> =
        tokens["data"].as_array().expect("numbers").iter().filter_map(Value::as_u64).collect();
    let legend = opened.client.capabilities["semanticTokensProvider"]["legend"].clone();
    let lines: Vec<&str> = FAMILY.lines().collect();
    let (mut line, mut start, mut found) = (0, 0, Vec::new());
    for token in data.chunks(5) {
        let &[lines_on, on, length, kind, modifiers] = token else { panic!("five numbers") };
        if lines_on > 0 {
            start = 0;
        }
        line += lines_on as usize;
        start += on as usize;
        let word = &lines[line][start..start + length as usize];
        let kind = legend["tokenTypes"][kind as usize].as_str().expect("a kind");
        found.push(format!("{word}:{kind}:{modifiers}"));
    }
    for wanted in [
        "grandparent:function:1",
        "findall:function:2",
        "parent:function:0",
        "X:variable:0",
        ":-:keyword:0",
        "\"~w\":string:0",
        "'odd name':function:1",
        "1:number:0",
        "% of a parent of Z.:comment:0",
    ] {
        assert!(found.iter().any(|token| token == wanted), "{wanted} in {found:?}");
    }
    opened.end();
}
