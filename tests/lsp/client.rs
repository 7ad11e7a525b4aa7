//! An editor, as the server sees one.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    kept: VecDeque<Value>,
    last: i64,
    /// What the server said that it can do.
    pub capabilities: Value,
}

/// The address of a file.
pub fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/").replace(' ', "%20");
    if path.starts_with('/') { format!("file://{path}") } else { format!("file:///{path}") }
}

/// A rule file of the project.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(name)
}

impl Client {
    /// A server that was told of the editor.
    pub fn start(folder: &Path, encodings: &[&str], options: Value) -> Client {
        let mut client = Client::unborn();
        let result = client.request(
            "initialize",
            json!({
                "processId": null,
                "rootUri": uri(folder),
                "workspaceFolders": [{ "uri": uri(folder), "name": "rules" }],
                "initializationOptions": options,
                "capabilities": {
                    "general": { "positionEncodings": encodings },
                    "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
                },
            }),
        );
        client.capabilities = result.expect("initialized")["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    /// A server that was told nothing yet.
    pub fn unborn() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("zug runs");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client { child, input, messages, kept: VecDeque::new(), last: 0, capabilities: Value::Null }
    }

    pub fn send(&mut self, messages: &[Value]) {
        let mut bytes = Vec::new();
        for message in messages {
            let text = message.to_string();
            write!(bytes, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("to memory");
        }
        let input = self.input.as_mut().expect("the server listens");
        input.write_all(&bytes).expect("the server listens");
        input.flush().expect("the server listens");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&[json!({ "jsonrpc": "2.0", "method": method, "params": params })]);
    }

    /// The number of a request, and the request.
    pub fn prepare(&mut self, method: &str, params: Value) -> (i64, Value) {
        self.last += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        (self.last, request)
    }

    /// The result of a request, or the error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let (id, request) = self.prepare(method, params);
        self.send(&[request]);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// The next message of a kind; others are kept.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at).expect("found");
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("the server answers in time");
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "zug", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The findings of a version: those of the text alone, and those of the rules tried out.
    pub fn findings(&mut self, uri: &str, version: i64) -> [Value; 2] {
        [(); 2].map(|()| {
            let published = self.wait(|message| {
                message["method"] == "textDocument/publishDiagnostics"
                    && message["params"]["uri"] == uri
                    && message["params"]["version"] == version
            });
            published["params"]["diagnostics"].clone()
        })
    }

    /// Forgets what has come so far.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Messages that have come so far and that nobody waited for.
    pub fn so_far(&mut self) -> Vec<Value> {
        self.kept.extend(self.messages.try_iter());
        self.kept.iter().cloned().collect()
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the server as an editor does.
    pub fn shut_down(mut self) -> ExitStatus {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        self.ended()
    }

    /// How the server ends, when nothing more is said to it.
    pub fn ended(mut self) -> ExitStatus {
        self.input = None;
        self.child.wait().expect("it ends")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => {
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
