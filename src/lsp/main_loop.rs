//! The main loop: messages of the editor in order, one after the other.
//!
//! It reads all waiting messages before it answers a request, and skips cancelled ones. Long work runs in child
//! processes.

use crate::checks::Checks;
use crate::known::Known;
use crate::server::{Client, Server, outbox};
use crate::workspace::Workspace;
use crate::{capabilities, dispatch};
use ls_types::InitializeParams;
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Serves an editor on standard input and output; children are of this program. Whether the editor
/// said that it ends before it did.
///
/// # Errors
/// What came in is not the protocol.
pub fn serve(program: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = match connection.initialize_start() {
        Ok(begun) => begun,
        // The editor has left at once.
        Err(error) if error.channel_is_disconnected() => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let params: InitializeParams = serde_json::from_value(params)?;
    let client = Client::of(&params);
    let announced = serde_json::json!({
        "capabilities": capabilities::announced(&client),
        "serverInfo": { "name": "zug", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, announced)?;
    let outbox = outbox(&connection);
    let mut server = Server {
        workspace: Workspace::new(capabilities::folders(&params), client.encoding),
        checks: Checks::new(program, outbox),
        known: Known::default(),
        program: program.to_owned(),
        client,
        connection,
    };
    let told = server.run()?;
    server.checks.end();
    drop(server);
    if told {
        threads.join()?;
    }
    Ok(told)
}

impl Server {
    /// Works until the editor ends. Whether it said so.
    fn run(&mut self) -> Result<bool, ProtocolError> {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                match self.connection.receiver.recv() {
                    Ok(message) => waiting.push_back(message),
                    Err(_) => return Ok(false),
                }
            }
            waiting.extend(self.connection.receiver.try_iter());
            self.cancel(&mut waiting);
            let Some(message) = waiting.pop_front() else { continue };
            match message {
                Message::Request(request) => {
                    if request.method == "shutdown" {
                        return self.shut_down(request.id);
                    }
                    let response = self.answer(request);
                    self.send(response);
                }
                Message::Notification(notification) if notification.method == "exit" => {
                    return Ok(false);
                }
                Message::Notification(notification) => self.take(notification),
                Message::Response(_) => {}
            }
        }
    }

    /// Answers the request to shut down, and waits for the end. Whatever else comes in is refused.
    fn shut_down(&mut self, id: RequestId) -> Result<bool, ProtocolError> {
        self.checks.end();
        self.send(Response::new_ok(id, ()));
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Notification(notification) if notification.method == "exit" => {
                    return Ok(true);
                }
                Message::Request(request) => {
                    let words = "the server was told to shut down";
                    self.refuse(request.id, ErrorCode::InvalidRequest, words);
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Takes requests away that were cancelled, and says so.
    fn cancel(&self, waiting: &mut VecDeque<Message>) {
        let id = |message: &Message| match message {
            Message::Notification(note) if note.method == "$/cancelRequest" => {
                serde_json::from_value(note.params.get("id")?.clone()).ok()
            }
            _ => None,
        };
        let cancelled: Vec<RequestId> = waiting.iter().filter_map(id).collect();
        if cancelled.is_empty() {
            return;
        }
        waiting.retain(|message| match message {
            Message::Request(request) if cancelled.contains(&request.id) => {
                self.refuse(request.id.clone(), ErrorCode::RequestCanceled, "cancelled");
                false
            }
            Message::Notification(note) => note.method != "$/cancelRequest",
            _ => true,
        });
    }

    fn send(&self, response: Response) {
        // An editor that has gone away hears nothing.
        drop(self.connection.sender.send(Message::Response(response)));
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, words: &str) {
        self.send(Response::new_err(id, code as i32, words.to_owned()));
    }

    /// The answer to a request; an error if it panics.
    fn answer(&mut self, request: Request) -> Response {
        let (id, method) = (request.id.clone(), request.method.clone());
        let answered = catch_unwind(AssertUnwindSafe(|| dispatch::request(self, request)));
        match answered {
            Ok(Ok(value)) => Response::new_ok(id, value),
            Ok(Err(refusal)) => Response::new_err(id, refusal.code as i32, refusal.message),
            Err(_) => {
                let words = format!("this is a bug in zug: `{method}` panicked");
                Response::new_err(id, ErrorCode::InternalError as i32, words)
            }
        }
    }

    fn take(&mut self, notification: Notification) {
        // What can't be understood changes nothing; a panic leaves the text as it was.
        let taken = catch_unwind(AssertUnwindSafe(|| dispatch::notification(self, notification)));
        drop(taken);
    }
}
