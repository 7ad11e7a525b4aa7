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
    let (text, failed, exit) = client.call("check", json!({ "rules": broken }));
    assert!(failed && exit == Some(3), "{text}");
    assert!(text.contains("rules.pl:3:"), "{text}");
    let (text, failed, _) = client.call("check", json!({ "rules": COINS }));
    assert!(!failed && text.contains("puzzle"), "{text}");
    let (text, failed, exit) = client.call("solve", json!({ "rules": COINS }));
    assert!(!failed && exit == Some(0), "{text}");
    assert!(text.contains("cost 3") && text.contains("take(3)"), "{text}");
    let asked = json!({ "rules": COINS, "goal": "rule(M, _, 2, T)" });
    assert!(client.call("query", asked).0.contains("M = take(1), T = 1"));
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
    let (text, failed, _) = client.call("play", asked);
    assert!(!failed && text.contains("x to move"), "{text}");
    assert!(text.contains("[3,3]"), "{text}");
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
    assert!(client.call("query", long).0.contains("bytes are left out"));
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
    assert!(client.call("solve", json!({ "rules": COINS })).0.contains("cost 3"));
    client.leave();
}
