//! `zug serve`: who is answered, and what is answered over HTTP and the WebSocket.
#![cfg(unix)]

mod browser;
mod client;
mod gallery;
mod page;

use client::{PATIENCE, Server, add, children, folder, runs, signal, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a search without an end is asked for.
fn endless() -> Value {
    json!({ "goal": "repeat, fail" })
}

fn outcome(records: &[Value]) -> &str {
    records.last().and_then(|end| end["outcome"].as_str()).unwrap_or_default()
}

#[test]
fn the_page_and_its_parts_come_from_here_alone() {
    let server = Server::start(&folder("parts"), &[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let policy = &page.headers["content-security-policy"];
    for part in
        ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers["x-content-type-options"], "nosniff");
    let mut parts = vec!["main.js".to_owned()];
    parts.extend(
        page.body
            .split("/part/")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap_or_default().to_owned()),
    );
    let mut at = 0;
    while at < parts.len() {
        let part = server.get(&format!("/part/{}", parts[at]));
        assert_eq!(part.status, 200, "{}", parts[at]);
        let foreign = part.body.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{}", parts[at]);
        for rest in part.body.split("from \"./").skip(1) {
            let name = rest.split('"').next().unwrap_or_default().to_owned();
            if !parts.contains(&name) {
                parts.push(name);
            }
        }
        at += 1;
    }
    assert!(parts.len() > 10, "{parts:?}");
    for path in ["/part/none.js", "/part/../lib.rs", "/nothing", "/page/0123"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.request("POST /", &[], "").status, 405);
}

#[test]
fn files_are_listed_opened_and_saved() {
    let folder = folder("files");
    let server = Server::start(&folder, &[]);
    let listed = server.get("/api/files").json();
    assert_eq!(listed["files"].as_array().map(Vec::len), Some(5));
    assert_eq!(listed["files"][4]["about"], "Tic-tac-toe, or noughts and crosses");
    let opened = server.get("/api/file?name=nim.pl").json();
    assert_eq!(opened["text"], fs::read_to_string("rules/nim.pl").expect("there"));
    for name in ["../Cargo.toml", "%2Fetc%2Fpasswd", "none.pl", "", "..%2Ffiles%2Fnim.pl"] {
        assert_eq!(server.get(&format!("/api/file?name={name}")).status, 404, "{name}");
    }
    assert_eq!(server.get("/api/file").status, 400);

    let save = |body: Value| server.request("PUT /api/file", &[], &body.to_string());
    let version = opened["version"].clone();
    let saved = save(json!({ "name": "nim.pl", "text": "p(1).\n", "version": version }));
    assert_eq!(saved.status, 200, "{saved:?}");
    assert_eq!(fs::read_to_string(folder.join("nim.pl")).expect("there"), "p(1).\n");
    fs::write(folder.join("nim.pl"), "p(2).\n").expect("written");
    let version = saved.json()["version"].clone();
    let late = save(json!({ "name": "nim.pl", "text": "p(3).\n", "version": version }));
    assert_eq!((late.status, &late.json()["now"]["text"]), (409, &json!("p(2).\n")));
    assert_eq!(fs::read_to_string(folder.join("nim.pl")).expect("there"), "p(2).\n");
    for name in ["../out.pl", "notes.txt", "/tmp/out.pl", ".hidden.pl"] {
        let refused = save(json!({ "name": name, "text": "p.\n", "version": null }));
        assert_eq!(refused.status, 404, "{name}");
    }
    assert_eq!(server.request("PUT /api/file", &[], "{").status, 400);
    assert_eq!(server.request("PUT /api/file", &[], r#"{"name": 1}"#).status, 400);
}

#[test]
fn one_file_is_served_alone() {
    let folder = folder("one");
    let server = Server::start(&folder.join("nim.pl"), &[]);
    let listed = server.get("/api/files").json();
    assert_eq!(listed["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.get("/api/file?name=taquin.pl").status, 404);
    let records = server.tab().ask("open", "taquin.pl", json!({}));
    assert_eq!(outcome(&records), "refused");
}

#[test]
fn other_sites_and_names_are_refused() {
    let server = Server::start(&folder("guard"), &[]);
    let own = format!("http://{}", server.address);
    for path in ["/", "/api/files", "/part/main.js", "/api/file?name=nim.pl", "/page/00"] {
        let foreign = [("Host", "evil.example:80")];
        assert_eq!(server.request(&format!("GET {path}"), &foreign, "").status, 421, "{path}");
    }
    let status = |headers: &[(&str, &str)]| server.request("GET /api/files", headers, "").status;
    assert_eq!(status(&[("Origin", &own)]), 200);
    assert_eq!(status(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Sec-Fetch-Site", "cross-site")]), 403);
    let body = json!({ "name": "nim.pl", "text": "", "version": null }).to_string();
    let foreign = [("Origin", "http://evil.example"), ("Content-Type", "text/plain")];
    assert_eq!(server.request("PUT /api/file", &foreign, &body).status, 403);
    assert!(server.connect(&[("origin", &own)]).is_ok());
    assert!(server.connect(&[("origin", "http://evil.example")]).is_err());
    assert!(server.connect(&[("host", "evil.example")]).is_err());
}

#[test]
fn a_token_is_asked_for() {
    let folder = folder("token");
    for arguments in [&[][..], &["--host", "0.0.0.0"], &["--host", "0.0.0.0", "--no-token"]] {
        let mut server = Server::start_plain(&folder, arguments);
        server.address = server.address.replace("0.0.0.0", "127.0.0.1");
        let token = server.path.strip_prefix("/?token=").expect("a token").to_owned();
        assert_eq!(token.len(), 32);
        for path in ["/", "/?token=", "/?token=0123", "/api/files", "/part/main.js"] {
            assert_eq!(server.get(path).status, 401, "{path}");
        }
        assert!(server.connect(&[]).is_err());
        let entered = server.get(&server.path);
        assert_eq!((entered.status, entered.headers["location"].as_str()), (303, "/"));
        let cookie = entered.headers["set-cookie"].clone();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap_or_default();
        assert_eq!(server.request("GET /api/files", &[("Cookie", cookie)], "").status, 200);
        assert!(server.connect(&[("cookie", cookie)]).is_ok());
        let wrong = format!("{}0", &cookie[..cookie.len() - 1]);
        let wrong = if wrong == cookie { format!("{cookie}0") } else { wrong };
        assert_eq!(server.request("GET /api/files", &[("Cookie", &wrong)], "").status, 401);
    }
}

/// One client can't keep others away for ever: what is open is bounded, and ends.
#[test]
fn connections_are_bounded() {
    let server = Server::start(&folder("connections"), &[]);
    let connect = || TcpStream::connect(&server.address).expect("a connection");
    let mut open: Vec<TcpStream> = (0..300).map(|_| connect()).collect();
    // Those beyond the bound are closed without an answer.
    let ends = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let mut byte = [0];
        matches!(stream.read(&mut byte), Ok(0)) || stream.write_all(b"x").is_err()
    };
    assert!(ends(open.last_mut().expect("one")));
    drop(open);
    let begun = Instant::now();
    let served = || {
        let mut stream = connect();
        let text =
            format!("GET / HTTP/1.1\r\nConnection: close\r\nHost: {}\r\n\r\n", server.address);
        let mut answer = String::new();
        stream.write_all(text.as_bytes()).is_ok()
            && stream.read_to_string(&mut answer).is_ok()
            && answer.contains("200 OK")
    };
    while !served() {
        assert!(begun.elapsed() < PATIENCE, "there is room again");
    }
}

#[test]
fn a_puzzle_is_opened_looked_at_and_solved() {
    let server = Server::start(&folder("puzzle"), &[]);
    let mut tab = server.tab();
    let domain = tab.one("domain", "open", "taquin.pl", json!({}));
    assert_eq!(domain["kind"], "puzzle");
    assert_eq!(domain["instances"][0], "five");
    assert_eq!(domain["heuristics"], json!(["manhattan", "misplaced"]));
    assert!(
        domain["engines"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["name"] == "idastar"))
    );

    let spot = tab.one("spot", "look", "taquin.pl", json!({ "instance": "five" }));
    assert_eq!(spot["state"], "[[b,h,c],[a,f,d],[g,vide,e]]");
    assert_eq!((&spot["over"], spot["moves"].as_array().map(Vec::len)), (&json!(false), Some(3)));
    assert_eq!(spot["board"]["grid"]["rows"][0][0]["text"], "b");
    let next = tab.one("spot", "look", "taquin.pl", json!({ "state": spot["moves"][0]["state"] }));
    assert_eq!(next["board"], spot["moves"][0]["board"]);

    let advice = tab.one("advice", "hint", "taquin.pl", json!({ "instance": "five" }));
    let best = advice["choice"].as_u64().expect("a move") as usize;
    assert!(advice["text"].as_str().is_some_and(|text| text.contains("costs 5")), "{advice}");
    let values = tab.ask("values", "taquin.pl", json!({ "instance": "two" }));
    assert_eq!(outcome(&values), "done");
    assert!(values.iter().any(|one| one["value"] == 2 && one["exact"] == true), "{values:#?}");
    assert!(best < 3);

    let found =
        tab.one("found", "solve", "taquin.pl", json!({ "instance": "five", "engine": "idastar" }));
    assert_eq!((&found["outcome"], &found["cost"]), (&json!("solved"), &json!(5)));
    assert_eq!(found["frames"].as_array().map(Vec::len), Some(6));
    assert_eq!(found["frames"][5]["board"]["grid"]["rows"][0][0]["text"], "a");
    let wrong = tab.ask("solve", "taquin.pl", json!({ "engine": "alphabeta" }));
    assert_eq!(outcome(&wrong), "error");
    let wrong = tab.ask("look", "taquin.pl", json!({ "state": "[[a" }));
    assert_eq!(wrong[0]["error"]["kind"], "unreadable_term", "{wrong:#?}");
}

#[test]
fn a_game_is_played() {
    let server = Server::start(&folder("game"), &[]);
    let mut tab = server.tab();
    let domain = tab.one("domain", "open", "tictactoe.pl", json!({}));
    assert_eq!((&domain["kind"], &domain["players"]), (&json!("game"), &json!(["x", "o"])));
    let spot = tab.one("spot", "look", "tictactoe.pl", json!({}));
    assert_eq!(spot["moves"].as_array().map(Vec::len), Some(9));
    let threat = json!({ "state": "[[x,x,_],[o,o,_],[_,_,_]]", "player": "x", "agent": "level:9", "seed": 1 });
    let made = tab.one("machine", "machine", "tictactoe.pl", threat.clone());
    let here = json!({ "state": threat["state"], "player": "x" });
    let spot = tab.one("spot", "look", "tictactoe.pl", here.clone());
    let choice = made["choice"].as_u64().expect("a move") as usize;
    assert_eq!(spot["moves"][choice]["text"], "[1,3]", "it wins at once");
    let after = &spot["moves"][choice];
    let after = json!({ "state": after["state"], "player": after["player"] });
    let over = tab.one("spot", "look", "tictactoe.pl", after);
    assert_eq!(over["over"], true);
    assert!(over["ending"].as_str().is_some_and(|text| text.contains("x wins")), "{over}");

    let values = tab.ask("values", "tictactoe.pl", here.clone());
    let won = values.iter().find(|one| one["choice"] == choice).expect("a value");
    assert_eq!((&won["value"], &won["exact"]), (&json!(10000), &json!(true)));
    let found = tab.one("found", "solve", "tictactoe.pl", here);
    assert_eq!(found["frames"][1]["move"], "[1,3]");
    for agent in ["policy:/etc/passwd", "human", "nonsense"] {
        let refused = tab.ask("machine", "tictactoe.pl", json!({ "agent": agent, "seed": 1 }));
        assert_eq!(outcome(&refused), "error", "{agent}");
    }
    // A die that is thrown is nobody's choice.
    let begun = tab.one("spot", "look", "pig.pl", json!({}));
    let thrown = &begun["moves"][0];
    let die = json!({ "state": thrown["state"], "player": thrown["player"] });
    let chance = tab.one("spot", "look", "pig.pl", die.clone());
    assert_eq!(
        (&chance["chance"], chance["moves"].as_array().map(Vec::len)),
        (&json!(true), Some(6))
    );
    let mut fall = die;
    fall["agent"] = "random".into();
    fall["seed"] = 3.into();
    assert!(tab.one("machine", "machine", "pig.pl", fall)["choice"].as_u64() < Some(6));
}

#[test]
fn queries_are_answered_one_by_one() {
    let server = Server::start(&folder("query"), &[]);
    let mut tab = server.tab();
    let id = tab.begin("query", "nim.pl", json!({ "goal": "member(X, [a, b, c])" }));
    let first = tab.record(id);
    assert_eq!((&first["text"], &first["more"]), (&json!("X = a"), &json!(true)));
    tab.say(id, "more");
    assert_eq!(tab.record(id)["text"], "X = b");
    tab.say(id, "more");
    let rest = tab.rest(id);
    assert_eq!((&rest[0]["text"], outcome(&rest)), (&json!("X = c"), "done"));

    let id = tab.begin("query", "nim.pl", json!({ "goal": "repeat" }));
    assert_eq!(tab.record(id)["more"], true);
    tab.say(id, "stop");
    assert_eq!(outcome(&tab.rest(id)), "interrupted");

    let proof = tab.one("explanation", "query", "nim.pl", json!({ "goal": "why(terminal(_, 0))" }));
    assert!(
        proof["proof"][0]["goal"].as_str().is_some_and(|goal| goal.starts_with("terminal(")),
        "{proof}"
    );
    let why =
        tab.one("explanation", "query", "nim.pl", json!({ "goal": "why_not(terminal(a, 1))" }));
    assert!(!why["findings"].as_array().expect("findings").is_empty(), "{why}");
    let wrong = tab.ask("query", "nim.pl", json!({ "goal": "X is foo + 1" }));
    assert_eq!((outcome(&wrong), &wrong[0]["error"]["kind"]), ("error", &json!("uncaught")));
    let written = tab.one("output", "query", "nim.pl", json!({ "goal": "write(é)" }));
    assert_eq!(written["text"], "é");
}

#[test]
fn queries_begin_where_the_board_is() {
    let folder = folder("from");
    add(&folder, &["jugs.pl"]);
    let server = Server::start(&folder, &[]);
    let mut tab = server.tab();
    let goal = "why_not(solvable)";
    for (start, title) in [
        (json!({}), "there is a plan"),
        (json!({ "instance": "hopeless" }), "there is no plan"),
        (json!({ "state": "jugs(3, [jug(6, 4), jug(4, 0)])" }), "there is no plan"),
    ] {
        let mut question = start.clone();
        question["goal"] = goal.into();
        let said = tab.one("explanation", "query", "jugs.pl", question);
        assert_eq!(said["title"], title, "{start}");
    }
    // Rules whose start is broken are asked what is wrong with it.
    let text = "initial_state(_, X) :- X is foo + 1.\nfinal_state(1).\nrule(go, 1, 0, 1).\n";
    let question = json!({ "instance": "one", "text": text, "goal": "X = 1" });
    assert_eq!(tab.one("answer", "query", "jugs.pl", question)["text"], "X = 1");
    // Who is to move on the board, not who begins.
    let question = json!({ "state": "2", "player": "b", "goal": "negamax(J, S, 0, 8, R)" });
    let found = tab.one("answer", "query", "nim.pl", question);
    assert_eq!(found["text"], "J = b, S = 2, R = [take(1), 1]");
}

#[test]
fn what_is_edited_is_checked_and_run_without_being_saved() {
    let folder = folder("draft");
    let server = Server::start(&folder, &[]);
    let mut tab = server.tab();
    let text =
        "initial_state(0).\nfinal_state(2).\nrule(up, 1, N, M) :- M is N + 1.\nunused(Once).\n";
    let checked = tab.one("checked", "check", "nim.pl", json!({ "text": text }));
    assert_eq!(checked["kind"], "puzzle");
    let single = checked["findings"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["code"] == "W0401"));
    assert_eq!(single.expect("a finding")["place"]["line"], 4);
    assert_eq!(single.expect("a finding")["place"]["file"], "nim.pl");
    let found = tab.one("found", "solve", "nim.pl", json!({ "text": text }));
    assert_eq!(found["cost"], 2);
    let broken = tab.one("checked", "check", "nim.pl", json!({ "text": "p(X :- q." }));
    assert_eq!(broken["findings"][0]["severity"], "error");
    let faults = tab.ask("open", "nim.pl", json!({ "text": "p(X :- q." }));
    assert_eq!(
        (outcome(&faults), &faults[0]["findings"][0]["place"]["line"]),
        ("faults", &json!(1))
    );
    // A file that is not there yet may be edited; one elsewhere may not.
    assert_eq!(tab.one("domain", "open", "new.pl", json!({ "text": text }))["kind"], "puzzle");
    assert_eq!(outcome(&tab.ask("open", "../new.pl", json!({ "text": text }))), "refused");
    // It stands where the file does.
    let beside = json!({ "text": ":- include(tictactoe).\n" });
    assert_eq!(tab.one("domain", "open", "new.pl", beside)["kind"], "game");
    assert_eq!(
        fs::read(folder.join("nim.pl")).expect("there"),
        fs::read("rules/nim.pl").expect("there")
    );
}

#[test]
fn engines_are_compared_and_trees_are_drawn() {
    let server = Server::start(&folder("tree"), &[]);
    let mut tab = server.tab();
    let compared = tab.one("compared", "compare", "taquin.pl", json!({ "instance": "five" }));
    assert!(compared["puzzle"].as_array().is_some_and(|rows| rows.len() > 5), "{compared}");
    let asked = json!({ "instance": "ten", "engine": "bfs" });
    let records = tab.ask("tree", "taquin.pl", asked);
    let pages: Vec<&Value> = records.iter().filter(|record| record["record"] == "page").collect();
    assert!(pages.len() > 1 && pages[0]["partial"] == true, "it grows");
    assert_eq!(pages[pages.len() - 1]["partial"], false);
    assert!(pages[0]["nodes"].as_u64() < pages[pages.len() - 1]["nodes"].as_u64());
    let path = pages[0]["path"].as_str().expect("a path");
    let page = server.get(path);
    assert!(
        page.body.contains("bfs") && page.headers["content-security-policy"].contains("sandbox")
    );
    let dark = server.get(&format!("{path}?theme=dark"));
    assert!(
        !dark.body.split("</style>").next().unwrap_or_default().contains("prefers-color-scheme")
    );
    let game = json!({ "engine": "alphabeta", "depth": 2 });
    assert!(tab.one("page", "tree", "tictactoe.pl", game)["path"].is_string());
}

#[test]
fn nonsense_is_answered_with_what_is_wrong() {
    let server = Server::start(&folder("nonsense"), &[]);
    let mut tab = server.tab();
    tab.send_text("{");
    assert!(tab.read()["error"].is_string());
    tab.send(&json!({ "do": "open" }));
    assert!(tab.read()["error"].is_string());
    tab.send(&json!({ "ping": 7 }));
    assert_eq!(tab.read()["pong"], 7);
    assert_eq!(outcome(&tab.ask("dance", "nim.pl", json!({}))), "error");
    assert_eq!(outcome(&tab.ask("query", "nim.pl", json!({}))), "error");
    assert_eq!(outcome(&tab.ask("open", "none.pl", json!({}))), "refused");
    let id = tab.begin("query", "nim.pl", endless());
    tab.send(&json!({ "id": id, "do": "open", "file": "nim.pl" }));
    assert_eq!(tab.record(id)["outcome"], "refused", "the number is taken");
    tab.say(id, "stop");
    tab.say(9999, "stop");
    assert_eq!(outcome(&tab.rest(id)), "interrupted");
}

#[test]
fn long_work_is_stopped_and_limited() {
    let server = Server::start(&folder("stop"), &["--time", "2s", "--memory", "200M"]);
    let mut tab = server.tab();
    for (what, file, given) in [
        ("query", "nim.pl", endless()),
        ("solve", "taquin15.pl", json!({ "engine": "bfs" })),
        ("compare", "taquin15.pl", json!({})),
        ("tree", "taquin15.pl", json!({ "engine": "idastar", "nodes": 20000 })),
    ] {
        let id = tab.begin(what, file, given);
        std::thread::sleep(Duration::from_millis(700));
        let began = Instant::now();
        tab.say(id, "stop");
        let records = tab.rest(id);
        assert!(["interrupted", "done"].contains(&outcome(&records)), "{what}: {records:?}");
        assert!(began.elapsed() < Duration::from_secs(8), "{what}");
    }
    assert_eq!(outcome(&tab.ask("query", "nim.pl", endless())), "stopped", "by --time");
    let memory = json!({ "goal": "length(L, 20000000), atom_length(L, _)" });
    let records = tab.ask("query", "nim.pl", memory);
    assert!(["error", "stopped"].contains(&outcome(&records)), "{records:?}");
    // What a page asks for does not go beyond.
    let more = json!({ "goal": "repeat, fail", "seconds": 1000 });
    assert_eq!(outcome(&tab.ask("query", "nim.pl", more)), "stopped");
}

#[test]
fn rules_are_kept_in_a_sandbox() {
    let server = Server::start(&folder("sandbox"), &[]);
    let mut tab = server.tab();
    for goal in [
        "open('/etc/passwd', read, _)",
        "shell('true')",
        "getenv('HOME', _)",
        "consult('/etc/passwd')",
    ] {
        let records = tab.ask("query", "nim.pl", json!({ "goal": goal }));
        let message = records[0]["error"]["message"].as_str().unwrap_or_default();
        assert!(outcome(&records) == "error" && message.contains("sandbox"), "{goal}: {records:?}");
    }
}

#[test]
fn rules_of_a_link_are_kept_in_a_sandbox_whatever_the_server_is_told() {
    let server = Server::start(&folder("sandbox_shared"), &["--no-sandbox"]);
    let mut tab = server.tab();
    let asked = |shared: bool| json!({ "goal": "open('/etc/passwd', read, _)", "text": "p.\n", "shared": shared });
    assert_eq!(outcome(&tab.ask("query", "link.pl", asked(false))), "done");
    let records = tab.ask("query", "link.pl", asked(true));
    let message = records[0]["error"]["message"].as_str().unwrap_or_default();
    assert!(outcome(&records) == "error" && message.contains("sandbox"), "{records:?}");
}

#[test]
fn previews_are_made_once_and_end() {
    let folder = folder("previews");
    fs::write(folder.join("loops.pl"), "% It loops.\n:- repeat, fail.\n").expect("written");
    let server = Server::start(&folder, &[]);
    let preview = |name: &str| server.get(&format!("/api/preview?name={name}")).json();
    let made = preview("taquin.pl");
    assert_eq!(
        (&made["kind"], &made["title"], &made["instances"]),
        (&json!("puzzle"), &json!("The taquin, or eight-puzzle"), &json!(6))
    );
    assert_eq!(made["board"]["grid"]["rows"][0][0]["text"], "b");
    assert_eq!(preview("tictactoe.pl")["players"], 2);
    let began = Instant::now();
    assert_eq!(preview("loops.pl")["outcome"], "stopped");
    assert!(began.elapsed() < PATIENCE);
    // The content has not changed: nothing is run again.
    let began = Instant::now();
    assert_eq!(preview("loops.pl")["outcome"], "stopped");
    assert!(began.elapsed() < Duration::from_secs(2));
    fs::write(folder.join("loops.pl"), "% Mended.\np.\n").expect("written");
    assert_eq!(preview("loops.pl")["title"], "Mended");
    assert_eq!(server.get("/api/preview?name=nothing.pl").status, 404);
}

#[test]
fn a_process_that_is_lost_hurts_nobody() {
    let server = Server::start(&folder("lost"), &[]);
    let mut tab = server.tab();
    let id = tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    children(server.id()).into_iter().for_each(|child| signal(child, "KILL"));
    let records = tab.rest(id);
    let message = records[0]["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(outcome(&records), "lost");
    assert!(message.contains("killed"), "{message}");
    assert_eq!(outcome(&tab.ask("look", "nim.pl", json!({}))), "done");
    // A process that heeds no stop is ended.
    let id = tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    let child = children(server.id())[0];
    signal(child, "STOP");
    tab.say(id, "stop");
    assert_eq!(outcome(&tab.rest(id)), "interrupted");
    wait_until("it is gone", || !runs(child));
}

#[test]
fn no_process_outlives_its_tab_or_the_server() {
    let server = Server::start(&folder("orphans"), &[]);
    let mut tab = server.tab();
    tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    drop(tab);
    wait_until("it is gone with its tab", || children(server.id()).is_empty());

    let mut tab = server.tab();
    tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    let child = children(server.id())[0];
    assert_eq!(server.interrupt().code(), Some(0), "Ctrl-C is a good end");
    wait_until("it is gone with the server", || !runs(child));

    let server = Server::start(&folder("orphans"), &[]);
    let mut tab = server.tab();
    tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    let child = children(server.id())[0];
    server.kill();
    wait_until("it sees that nobody is there any more", || !runs(child));
}

#[test]
fn work_waits_for_room() {
    let server = Server::start(&folder("room"), &["--jobs", "1"]);
    let mut tab = server.tab();
    let first = tab.begin("query", "nim.pl", endless());
    wait_until("a process runs", || !children(server.id()).is_empty());
    let second = tab.begin("query", "nim.pl", json!({ "goal": "true" }));
    assert_eq!(tab.record(second)["record"], "waiting");
    let third = tab.begin("query", "nim.pl", json!({ "goal": "true" }));
    assert_eq!(tab.record(third)["record"], "waiting");
    tab.say(third, "stop");
    assert_eq!(outcome(&tab.rest(third)), "interrupted");
    // What is short does not wait for what is long.
    assert_eq!(outcome(&tab.ask("look", "nim.pl", json!({}))), "done");
    tab.say(first, "stop");
    let records = tab.rest(second);
    assert_eq!((&records[0]["text"], outcome(&records)), (&json!("true"), "done"));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let folder = folder("port");
    let server = Server::start(&folder, &[]);
    let port = server.address.rsplit(':').next().unwrap_or_default();
    let again = Command::new(env!("CARGO_BIN_EXE_zug"))
        .arg("serve")
        .arg(&folder)
        .args(["--port", port])
        .output();
    let again = again.expect("zug starts");
    let told = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(5));
    assert!(told.contains("is taken") && told.contains("--port 0"), "{told}");
    let none = Command::new(env!("CARGO_BIN_EXE_zug")).args(["serve", "no/such/folder"]).output();
    assert_eq!(none.expect("zug starts").status.code(), Some(2));
}
