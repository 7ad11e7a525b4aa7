//! Chromium, by the DevTools protocol.

use super::client::{PATIENCE, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// A browser with a profile of its own.
pub struct Browser {
    child: Child,
    port: u16,
}

impl Browser {
    pub fn start(name: &str) -> Browser {
        let profile =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(format!("{name}.profile"));
        let _ = fs::remove_dir_all(&profile);
        let program = std::env::var("ZUG_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let file = profile.join("DevToolsActivePort");
        let read = || fs::read_to_string(&file).ok()?.lines().next()?.parse().ok();
        wait_until("the browser is there", || read().is_some());
        Browser { child, port: read().expect("a port") }
    }

    /// A tab at an address.
    pub fn open(&self, url: &str) -> Page {
        let target = self.ask("PUT", "/json/new?about:blank");
        let address = target["webSocketDebuggerUrl"].as_str().expect("an address").to_owned();
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let (socket, _) = tungstenite::client(address, stream).expect("a WebSocket");
        let mut page = Page { socket, next: 1, complaints: Vec::new() };
        for domain in ["Page", "Runtime", "Log", "Accessibility"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.size(1280, 900);
        page.go(url);
        page
    }

    fn ask(&self, method: &str, path: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        // It does not end the connection, whatever it is asked.
        let mut input = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), 0);
        while input.read_line(&mut line).expect("a header") > 2 {
            let field = line.to_lowercase();
            if let Some(value) = field.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        input.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tab of the browser.
pub struct Page {
    socket: WebSocket<TcpStream>,
    next: u64,
    /// Uncaught errors and what the browser forbade.
    pub complaints: Vec<String>,
}

impl Page {
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let call = json!({ "id": id, "method": method, "params": parameters });
        self.socket.send(Message::text(call.to_string())).expect("sent");
        loop {
            let Message::Text(text) = self.socket.read().expect("a message") else { continue };
            let mut message: Value = serde_json::from_str(&text).expect("JSON");
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let entry = &event["params"]["entry"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(event["params"].to_string()),
            Some("Log.entryAdded") if entry["level"] == "error" => {
                self.complaints.push(entry.to_string());
            }
            _ => {}
        }
    }

    pub fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
    }

    pub fn reload(&mut self) {
        self.call("Page.reload", json!({}));
        std::thread::sleep(Duration::from_millis(300));
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// What the person prefers, as `prefers-color-scheme`.
    pub fn prefer(&mut self, name: &str, value: &str) {
        let features = json!({ "features": [{ "name": name, "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// The value of an expression.
    pub fn eval(&mut self, script: &str) -> Value {
        let asked = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let mut found = self.call("Runtime.evaluate", asked);
        assert!(found["exceptionDetails"].is_null(), "{script}: {found}");
        found["result"]["value"].take()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, script: &str) {
        let began = Instant::now();
        while self.eval(&format!("!!({script})")) != true {
            if began.elapsed() > PATIENCE {
                let shown = self.eval("document.body.innerText");
                panic!("waited in vain: {script}\n{shown}\n{:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until an element has a text in it.
    pub fn shows(&mut self, selector: &str, text: &str) {
        self.until(&format!(
            "document.querySelector({selector:?})?.textContent.includes({text:?})"
        ));
    }

    /// Clicks an element where it is.
    pub fn click(&mut self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})?.getClientRects().length"));
        let middle = self.eval(&format!(
            "(() => {{ const at = document.querySelector({selector:?}); at.scrollIntoView({{ block: 'nearest' }});
             const box = at.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key: a name, as `ArrowLeft`, or a character.
    pub fn key(&mut self, key: &str) {
        self.key_with(key, 0);
    }

    /// The same with Alt (1), Control (2), Shift (8), or several of them.
    pub fn key_with(&mut self, key: &str, modifiers: u32) {
        let text = match key {
            "Enter" => "\r",
            _ if key.chars().count() == 1 && modifiers & 2 == 0 => key,
            _ => "",
        };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            _ => key.to_uppercase().bytes().next().unwrap_or_default(),
        };
        let down = json!({
            "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers, "text": text,
        });
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Types a text.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// The nodes of the accessibility tree that are not ignored: role and name.
    pub fn spoken(&mut self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().expect("nodes").clone();
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        let told = nodes.iter().filter(|node| node["ignored"] == false);
        told.map(|node| (text(&node["role"]), text(&node["name"]))).collect()
    }

    /// A picture of the window, beside the others of the tests.
    pub fn picture(&mut self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join("pictures");
        fs::create_dir_all(&folder).expect("a folder");
        let taken = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let path = folder.join(format!("{name}.png"));
        fs::write(&path, decoded(taken["data"].as_str().expect("data"))).expect("written");
        path
    }
}

/// Base64 (RFC 4648).
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    for group in digits.chunks(4) {
        let word = group.iter().fold(0, |word, digit| word << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend(&word.to_be_bytes()[1..group.len()]);
    }
    bytes
}
