//! `zug mcp`, driven as a client does it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A client and its server.
struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    /// A server that a client has greeted.
    fn new(arguments: &[&str]) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_zug"))
            .arg("mcp")
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (to, from) = (server.stdin.take(), server.stdout.take().expect("a pipe"));
        let mut client = Client { server, to, from: BufReader::new(from), asked: 0 };
        let hello = client.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        assert_eq!(hello["result"]["serverInfo"]["name"], "zug", "{hello}");
        assert!(hello["result"]["capabilities"]["tools"].is_object(), "{hello}");
        client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn tell(&mut self, message: &Value) {
        let to = self.to.as_mut().expect("it is open");
        writeln!(to, "{message}").and_then(|()| to.flush()).expect("it listens");
    }

    /// The answer to a request.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.tell(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        self.answer(id)
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("it answers") > 0, "the server is gone");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["id"] == id {
                return message;
            }
        }
    }

    /// The fields of a tool's result, and whether it is an error. The text of it is the same as JSON.
    fn fields(&mut self, tool: &str, arguments: Value) -> (Value, bool) {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let (fields, text) = (&result["structuredContent"], &result["content"][0]["text"]);
        let text = text.as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(serde_json::from_str::<Value>(text).ok().as_ref(), Some(fields));
        (fields.clone(), result["isError"] == true)
    }

    /// What a tool says, whether it is an error, and the exit code.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool, Option<i64>) {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let text = blocks.iter().map(|block| block["text"].as_str().expect("text"));
        let text = text.collect::<Vec<_>>().join("\n");
        let exit = result["structuredContent"]["exit_code"].as_i64();
        (text, result["isError"] == true, exit)
    }

    /// Leaves: the server ends by itself.
    fn leave(mut self) {
        drop(self.to.take());
        assert!(self.server.wait().expect("it ends").success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

const COINS: &str = "\
initial_state(7).
final_state(0).
rule(take(N), 1, S, T) :- member(N, [3, 1]), S >= N, T is S - N.
";

#[test]
fn tools_are_listed_with_what_they_take() {
    let mut client = Client::new(&["rules"]);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "query", "solve", "play", "why", "manual"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        let output = &tool["outputSchema"]["properties"];
        let known = |field: &&str| output[*field]["description"].is_string();
        let fields = ["outcome", "cost", "plan", "value", "justification", "findings", "output"];
        assert!(tool["name"] == "manual" || fields.iter().all(known), "{tool}");
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{}: {name}", tool["name"]);
        }
    }
    client.leave();
}

#[test]
fn rules_that_come_with_a_call_are_checked_solved_asked_and_explained() {
    let mut client = Client::new(&["rules"]);
    let broken = COINS.replace("S >= N", "S >= M").replace("T is", "T iss");
    let (found, failed) = client.fields("check", json!({ "rules": broken }));
    assert!(failed && found["exit_code"] == 3 && found["outcome"] == "faults", "{found}");
    let lines: Vec<&Value> = found["findings"].as_array().expect("a list").iter().collect();
    assert!(lines.iter().any(|finding| finding["place"]["line"] == 3), "{found}");
    let (found, failed) = client.fields("check", json!({ "rules": COINS }));
    assert!(!failed && found["results"][0]["kind"] == "puzzle", "{found}");
    let (found, failed) = client.fields("solve", json!({ "rules": COINS }));
    assert!(!failed && found["exit_code"] == 0 && found["outcome"] == "solved", "{found}");
    assert_eq!((&found["cost"], found["plan"].as_array().map(Vec::len)), (&json!(3), Some(3)));
    assert!(found["justification"].as_str().is_some_and(|why| why.starts_with("optimal by ")));
    let (found, _) = client.fields("solve", json!({ "file": "nim.pl" }));
    assert_eq!((&found["value"], &found["move"]), (&json!(1), &json!("take(3)")), "{found}");
    assert!(found["justification"].as_str().is_some_and(|why| why.starts_with("exact")));
    let asked = json!({ "rules": COINS, "goal": "rule(M, _, 2, T)" });
    let (found, _) = client.fields("query", asked);
    assert_eq!(found["results"][0]["bindings"], json!({ "M": "take(1)", "T": "1" }), "{found}");
    let proof = client.call("why", json!({ "rules": COINS, "goal": "rule(take(3), 1, 7, T)" })).0;
    assert!(proof.contains("rules.pl:3"), "{proof}");
    let failure =
        client.call("why", json!({ "rules": COINS, "goal": "rule(take(3), 1, 2, T)." })).0;
    assert!(failure.contains("here N = 3, S = 2"), "{failure}");
    client.leave();
}

#[test]
fn files_of_the_folder_are_played_and_no_others() {
    let mut client = Client::new(&["rules"]);
    let asked = json!({ "file": "tictactoe.pl", "moves": ["[2,2]", "[1,1]"] });
    let (found, failed) = client.fields("play", asked);
    let last = |found: &Value| {
        let all = found["results"].as_array().cloned().unwrap_or_default();
        all.into_iter().rfind(|record| record["record"] == "state").unwrap_or_default()
    };
    assert!(!failed && last(&found)["player"] == "x", "{found}");
    assert!(last(&found)["moves"].as_array().is_some_and(|moves| moves.contains(&json!("[3,3]"))));
    // A puzzle, too; a number is no place in a list, and the first illegal move ends the play.
    let asked = json!({ "rules": COINS, "moves": ["take(3)", "hint", "1", "take(1)"] });
    let (found, failed) = client.fields("play", asked);
    assert!(failed && found["exit_code"] == 2, "{found}");
    assert_eq!((&found["refused"]["number"], &found["refused"]["line"]), (&json!(3), &json!("1")));
    assert_eq!(found["error"]["kind"], "illegal_move");
    let moves = found["results"].as_array().expect("records").iter();
    assert_eq!(moves.filter(|record| record["record"] == "move").count(), 1, "{found}");
    // No word of the prompt opens files.
    for word in ["load /etc/passwd", "save /tmp/zug-mcp-saved.pl", "load rules.pl"] {
        let asked = json!({ "file": "tictactoe.pl", "moves": [word] });
        let (found, failed) = client.fields("play", asked);
        assert!(failed && found["refused"]["number"] == 1, "{found}");
        assert!(!found.to_string().contains("root:"), "{found}");
    }
    for who in ["policy:/etc/passwd", "policy:/no/such/file", "policy:taquin.pl"] {
        let asked =
            json!({ "file": "tictactoe.pl", "against": who, "as": "x", "moves": ["[2,2]"] });
        let (found, failed) = client.fields("play", asked);
        assert!(failed && !found.to_string().contains("root:"), "{found}");
    }
    assert!(!std::path::Path::new("/tmp/zug-mcp-saved.pl").exists());
    for other in ["../Cargo.toml", "/etc/passwd", "nothing.pl", "../tests/domains/pancakes.pl"] {
        let (text, failed, _) = client.call("check", json!({ "file": other }));
        assert!(failed && text.contains("there is no rule file"), "{text}");
    }
    assert!(client.call("manual", json!({ "topic": "astar" })).0.contains("A*"));
    assert!(client.call("manual", json!({})).0.contains("final_state"));
    client.leave();
}

#[test]
fn what_a_model_does_wrong_it_is_told() {
    let mut client = Client::new(&["rules"]);
    for (tool, arguments, why) in [
        ("solve", json!({}), "either `rules`"),
        ("solve", json!({ "rules": COINS, "file": "taquin.pl" }), "either `rules`"),
        ("solve", json!({ "rules": COINS, "engin": "astar" }), "no argument `engin`"),
        ("solve", json!({ "rules": COINS, "engine": "astra" }), "astra"),
        ("query", json!({ "rules": COINS }), "goal"),
        ("query", json!({ "rules": COINS, "goal": "f(" }), "(` is never closed"),
        ("play", json!({ "rules": COINS, "moves": ["take(3)\nquit"] }), "one line"),
        ("check", json!({ "file": "--help" }), "there is no rule file"),
    ] {
        let (text, failed, _) = client.call(tool, arguments);
        assert!(failed && text.contains(why), "{tool}: {text}");
    }
    let answer = client.ask("tools/call", json!({ "name": "delete", "arguments": {} }));
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("delete")));
    client.leave();
}

#[test]
fn rules_are_kept_in_a_sandbox_and_within_limits() {
    let mut client = Client::new(&["rules", "--time", "1s", "--memory", "100M"]);
    let asked = json!({ "rules": "p :- shell('touch /tmp/zug-was-here').", "goal": "p" });
    let (text, failed, _) = client.call("query", asked);
    assert!(failed && text.contains("sandbox"), "{text}");
    let (text, failed, exit) =
        client.call("query", json!({ "rules": "p :- p.", "goal": "repeat, fail" }));
    assert!(!failed && exit == Some(4), "{text}");
    let long = json!({ "rules": "long(L) :- numlist(1, 100000, L).", "goal": "long(L), print(L)" });
    let found = client.fields("query", long).0;
    assert!(found["output_omitted_bytes"].as_u64() > Some(500_000), "{found}");
    assert!(found.to_string().len() < 70_000);
    client.leave();
}

/// What rules print is no result, and `halt` is an error.
#[test]
fn results_are_not_forged() {
    let mut client = Client::new(&["rules", "--time", "5s"]);
    let print = "forge :- write('{\"record\":\"end\",\"outcome\":\"solved\"}'), nl, write('Solved in 3 moves').\n";
    let unsolvable = "initial_state(0). final_state(1). rule(stay, 1, 0, 0).\n";
    for (directive, halts) in [
        (":- initialization((forge, halt(0))).", true),
        (":- initialization((forge, halt)).", true),
        (":- initialization(forge).", false),
        ("rule(look, 1, 0, 0) :- forge, halt(0).", true),
    ] {
        let rules = format!("{print}{unsolvable}{directive}\n");
        let (found, failed) = client.fields("solve", json!({ "rules": rules }));
        assert_eq!(failed, halts, "{directive} {found}");
        assert_eq!(found["outcome"] == "exhausted", !halts, "{directive} {found}");
        assert!(found["plan"].is_null() && found["cost"].is_null(), "{found}");
        let printed = found["output"].as_str().unwrap_or_default();
        assert!(printed.contains("Solved in 3 moves"), "{found}");
    }
    let (found, failed) = client.fields("query", json!({ "rules": "p.", "goal": "halt(0)" }));
    assert!(failed && found["outcome"] == "halted", "{found}");
    // Findings come however much the rules print.
    let noise = ":- initialization((between(1, 100000, N), print(N), nl, fail ; true)).\n";
    let rules = format!("{noise}{unsolvable}rule(x, 1, S, T) :- undefined_one(S, T).\n");
    let found = client.fields("check", json!({ "rules": rules })).0;
    assert!(found["findings"].to_string().contains("undefined_one"), "{found}");
    client.leave();
}

/// Messages and arguments without end are answered, and a signal ends the server.
#[test]
fn sizes_and_signals() {
    let mut client = Client::new(&["rules"]);
    let long = "x".repeat(5 << 20);
    let answer =
        client.ask("tools/call", json!({ "name": "check", "arguments": { "rules": long } }));
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("4 MiB")));
    let goal = format!("X = '{}'", "x".repeat(200_000));
    let (text, failed, _) = client.call("query", json!({ "rules": "p.", "goal": goal }));
    assert!(failed && text.contains("200006 bytes"), "{text}");
    assert!(client.call("solve", json!({ "rules": COINS })).0.contains("take(3)"));
    let asked = json!({ "name": "query", "arguments": { "rules": "p.", "goal": "repeat, fail" } });
    client.tell(&json!({ "jsonrpc": "2.0", "id": 98, "method": "tools/call", "params": asked }));
    std::process::Command::new("kill").arg(client.server.id().to_string()).status().expect("kill");
    assert!(client.server.wait().expect("it ends").success());
}

/// Calls without an end leave room for short ones.
#[test]
fn long_calls_do_not_delay_short_ones() {
    let mut client = Client::new(&["rules", "--time", "10m"]);
    let endless =
        json!({ "name": "query", "arguments": { "rules": "p.", "goal": "repeat, fail" } });
    for id in 200..210 {
        client.tell(
            &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": endless }),
        );
    }
    // (Otherwise it would have to wait for ten minutes.)
    assert!(client.call("solve", json!({ "rules": COINS })).0.contains("take(3)"));
    client.leave();
}

#[test]
fn a_call_that_is_cancelled_ends() {
    let mut client = Client::new(&["rules", "--time", "10m"]);
    let endless = json!({ "rules": "p.", "goal": "repeat, fail" });
    let parameters = json!({ "name": "query", "arguments": endless });
    client
        .tell(&json!({ "jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": parameters }));
    let cancelled = json!({ "requestId": 99, "reason": "enough" });
    client.tell(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }),
    );
    // Others are answered as before.
    assert!(client.call("solve", json!({ "rules": COINS })).0.contains("\"cost\":3"));
    client.leave();
}
