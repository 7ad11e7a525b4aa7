//! A server on rule files of its own, and what talks to it: HTTP by hand, and a WebSocket.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

/// The longest that anything is waited for.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server of a folder.
pub struct Server {
    child: Child,
    /// Where it is, as `127.0.0.1:1234`.
    pub address: String,
    /// What is behind the address, as `/` or `/?token=…`.
    pub path: String,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

/// A folder for a test, with some of the rules that come with zug.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    add(&folder, &["taquin.pl", "taquin15.pl", "tictactoe.pl", "nim.pl", "pig.pl"]);
    folder
}

/// Copies rules that come with zug into a folder.
pub fn add(folder: &Path, files: &[&str]) {
    for file in files {
        fs::copy(Path::new("rules").join(file), folder.join(file)).expect("a copy");
    }
}

impl Server {
    /// Serves a folder, or a file, with these arguments.
    pub fn start(path: &Path, arguments: &[&str]) -> Server {
        Server::started(path, &[&["--port", "0", "--no-token"], arguments].concat())
    }

    /// The same, with what a user gets who gives no options.
    pub fn start_plain(path: &Path, arguments: &[&str]) -> Server {
        Server::started(path, &[&["--port", "0"], arguments].concat())
    }

    /// The same at a port.
    pub fn start_at(path: &Path, port: &str) -> Server {
        Server::started(path, &["--port", port, "--no-token"])
    }

    fn started(path: &Path, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .arg("serve")
            .arg(path)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("zug starts");
        let output = child.stdout.take().expect("a pipe");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let url = lines.find_map(|line| Some(line.trim().strip_prefix("http://")?.to_owned()));
        let url = url.expect("an address");
        let (address, path) = url.split_once('/').expect("a path");
        Server { child, address: address.to_owned(), path: format!("/{path}") }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request; `headers` besides `Host`, which may be another one.
    pub fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let own = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        if !own {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        read_answer(&String::from_utf8_lossy(&answer))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path}"), &[], "")
    }

    /// Opens a WebSocket, with these headers.
    pub fn connect(&self, headers: &[(&'static str, &str)]) -> Result<Tab, String> {
        let url = format!("ws://{}/socket", self.address);
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).expect("a value");
            request.headers_mut().insert(*name, value);
        }
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let (socket, _) =
            tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        let mut tab = Tab { socket, next: 1 };
        let hello = tab.read();
        assert!(hello["hello"]["run"].is_string(), "{hello}");
        Ok(tab)
    }

    /// A tab, as the page opens it.
    pub fn tab(&self) -> Tab {
        self.connect(&[]).expect("a WebSocket")
    }

    /// Ends the server as Ctrl-C does.
    #[cfg(unix)]
    pub fn interrupt(mut self) -> ExitStatus {
        signal(self.id(), "INT");
        wait_until("the server ends", || self.child.try_wait().expect("a child").is_some());
        self.child.wait().expect("ended")
    }

    /// Ends the server without a chance to say so.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_answer(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let pairs = lines.filter_map(|line| line.split_once(": "));
    let headers: BTreeMap<String, String> =
        pairs.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Answer { status: status.expect("a status"), headers, body: body.to_owned() }
}

/// What a tab of the page says and hears.
pub struct Tab {
    socket: WebSocket<TcpStream>,
    next: u64,
}

impl Tab {
    pub fn send(&mut self, message: &Value) {
        self.send_text(message.to_string());
    }

    pub fn send_text(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).expect("sent");
    }

    pub fn read(&mut self) -> Value {
        loop {
            match self.socket.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Begins a job: its number.
    pub fn begin(&mut self, what: &str, file: &str, mut given: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let fields = given.as_object_mut().expect("an object");
        fields.insert("id".to_owned(), id.into());
        fields.insert("do".to_owned(), what.into());
        fields.insert("file".to_owned(), file.into());
        self.send(&given);
        id
    }

    pub fn say(&mut self, id: u64, word: &str) {
        self.send(&json!({ "id": id, "word": word }));
    }

    /// The next record of a job.
    pub fn record(&mut self, id: u64) -> Value {
        loop {
            let mut message = self.read();
            if message["id"] == id {
                return message["data"].take();
            }
        }
    }

    /// All records of a job, up to its end.
    pub fn rest(&mut self, id: u64) -> Vec<Value> {
        let mut records = vec![self.record(id)];
        while records.last().is_some_and(|last| last["record"] != "end") {
            records.push(self.record(id));
        }
        records
    }

    /// Asks, and takes all records.
    pub fn ask(&mut self, what: &str, file: &str, given: Value) -> Vec<Value> {
        let id = self.begin(what, file, given);
        self.rest(id)
    }

    /// Asks; the one record of a kind that is the answer.
    pub fn one(&mut self, kind: &str, what: &str, file: &str, given: Value) -> Value {
        let records = self.ask(what, file, given);
        let found = records.iter().find(|record| record["record"] == kind);
        found.unwrap_or_else(|| panic!("no {kind}: {records:#?}")).clone()
    }
}

/// Waits for something.
pub fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that another one started and that still run.
#[cfg(unix)]
pub fn children(parent: u32) -> Vec<u32> {
    let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid=,stat="]).output().expect("ps");
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let found = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (id, above) = (words.next()?.parse().ok()?, words.next()?.parse::<u32>().ok()?);
        let ended = words.next()?.starts_with('Z');
        (above == parent && !ended).then_some(id)
    });
    found.collect()
}

/// Whether a process runs.
#[cfg(unix)]
pub fn runs(id: u32) -> bool {
    let listed =
        Command::new("ps").args(["-o", "stat=", "-p", &id.to_string()]).output().expect("ps");
    let text = String::from_utf8_lossy(&listed.stdout).trim().to_owned();
    !text.is_empty() && !text.starts_with('Z')
}

#[cfg(unix)]
pub fn signal(id: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &id.to_string()]).status();
    assert!(sent.expect("kill").success());
}
