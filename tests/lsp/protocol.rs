//! Beginning, ending, cancelling, and what makes no sense.

use super::client::{Client, shipped, uri};
use serde_json::{Value, json};
use std::path::Path;

fn server() -> Client {
    let rules = shipped("wolf.pl");
    Client::start(rules.parent().expect("a folder"), &["utf-16"], Value::Null)
}

#[test]
fn it_ends_as_it_is_told() {
    assert_eq!(server().shut_down().code(), Some(0));
    let mut left = server();
    left.notify("exit", Value::Null);
    assert_eq!(left.ended().code(), Some(1), "nobody asked it to shut down");
    assert_eq!(server().ended().code(), Some(1), "the editor has gone");
    assert_eq!(Client::unborn().ended().code(), Some(1), "the editor never came");
}

#[test]
fn after_shutting_down_requests_are_refused() {
    let mut client = server();
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    let refused = client.request("workspace/symbol", json!({ "query": "" })).expect_err("refused");
    assert_eq!(refused["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.ended().code(), Some(0));
}

#[test]
fn what_makes_no_sense_is_answered_and_the_server_goes_on() {
    let mut client = server();
    let unknown = client.request("textDocument/nonsense", json!({})).expect_err("unknown");
    assert_eq!(unknown["code"], -32601);
    let wrong = client.request("textDocument/hover", json!({ "wrong": 1 })).expect_err("wrong");
    assert_eq!(wrong["code"], -32602);
    client.notify("textDocument/didChange", json!({ "wrong": 1 }));
    client.notify("nonsense", json!([]));
    let closed = json!({
        "textDocument": { "uri": uri(Path::new("/no/such/file.pl")) },
        "position": { "line": 0, "character": 0 },
    });
    assert_eq!(client.request("textDocument/hover", closed), Ok(Value::Null));
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn a_request_that_is_cancelled_is_answered_so() {
    let mut client = server();
    let (first, request) = client.prepare("workspace/symbol", json!({ "query": "a" }));
    let (second, other) = client.prepare("workspace/symbol", json!({ "query": "b" }));
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": second } });
    client.send(&[request, other, cancel]);
    assert!(client.answer(first).is_ok());
    match client.answer(second) {
        Ok(found) => assert!(found.is_array(), "it was done before the cancelling came"),
        Err(error) => assert_eq!(error["code"], -32800),
    }
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn columns_are_counted_as_was_agreed() {
    let rules = shipped("wolf.pl");
    let folder = rules.parent().expect("a folder");
    for (offered, agreed, column) in
        [(&["utf-16"][..], "utf-16", 15), (&["utf-16", "utf-8"], "utf-8", 18), (&[], "utf-16", 15)]
    {
        let mut client = Client::start(folder, offered, Value::Null);
        assert_eq!(client.capabilities["positionEncoding"], agreed);
        let file = uri(&folder.join("none.pl"));
        client.open(&file, "a('𝄞é', X) :- b(X).\nb(1).\n");
        let at =
            json!({ "textDocument": { "uri": file }, "position": { "line": 1, "character": 0 } });
        let found = client.request("textDocument/documentHighlight", at).expect("found");
        assert_eq!(found[0]["range"]["start"]["character"], column, "{agreed} {found}");
        assert_eq!(client.shut_down().code(), Some(0));
    }
}
