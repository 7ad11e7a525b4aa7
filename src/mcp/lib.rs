//! Tools of zug for language models: the server behind `zug mcp`, which speaks the Model Context Protocol (revisions
//! 2024-11-05 to 2026-07-28) on standard input and output.
//!
//! A call of a tool is a command of zug ([`tools`]), run by a process of its own ([`process`]) in the sandbox and within
//! limits, so that what rules do (loop, take all memory, crash) ends with it. The answer ([`answer`]) is made of the
//! records that the command writes, which rules can't forge. Rules are a file of the library or a text that comes with the
//! call; nothing outlives a call.

mod answer;
mod messages;
mod process;
mod tools;

use process::{Ended, Launch, Writes};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tools::{Command, Given};
use zug_files::Access;
use zug_serve::{Library, secret};

/// What a client is told of the tools as a whole.
const INSTRUCTIONS: &str = "\
zug solves puzzles and plays games whose rules are Prolog clauses. Write rules, `check` them first (every finding has its \
place in the text and mostly a remedy), then `solve`, `play` or `query` them; `why` shows which clauses prove an answer or \
what a goal fails at. Results come as fields; `output` is what the rules printed, and no result. Give each tool either `rules`, the text, or `file`, a rule file that is there. `manual` without a topic is \
the tutorial, with which to begin; its topics are commands, engines and predicates.";

/// What the server runs, and within which limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// The program that runs the tools.
    pub program: PathBuf,
    /// The rule files that may be named.
    pub library: Library,
    /// The version that clients are told.
    pub version: String,
    /// Time for a call.
    pub time: Duration,
    /// Memory for a call, in bytes.
    pub memory: usize,
    /// Calls that run at once; others wait.
    pub jobs: usize,
    /// Options of the sandbox, for every command that runs rules.
    pub sandbox: Vec<OsString>,
}

/// Time between two looks at the flag that ends the server.
const POLL: Duration = Duration::from_millis(50);

/// Serves the client on standard input and output until it leaves or `stop` is set.
///
/// # Errors
/// The client does not speak the protocol, or the system fails.
pub fn serve(config: Config, stop: &AtomicBool) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let scratch = Scratch::new()?;
    let server = Server {
        running: Arc::new(Semaphore::new(config.jobs.max(1))),
        scratch: Arc::new(scratch),
        config: Arc::new(config),
    };
    let stopped = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(POLL).await;
        }
    };
    let served = runtime.block_on(async {
        let (to, messages) = tokio::io::duplex(1 << 16);
        tokio::spawn(messages::copy(tokio::io::stdin(), to, messages::MOST));
        let serving = async {
            let transport = (messages, tokio::io::stdout());
            let running = server.serve(transport).await.map_err(io::Error::other)?;
            running.waiting().await.map_err(io::Error::other).map(drop)
        };
        // What still runs is killed with the runtime.
        tokio::select! {
            served = serving => served,
            () = stopped => Ok(()),
        }
    });
    // A read of standard input can't be taken back: nothing is waited for.
    runtime.shutdown_background();
    served
}

/// A folder for texts that come with calls, gone with the server.
#[derive(Debug)]
struct Scratch {
    folder: PathBuf,
    count: AtomicU64,
}

impl Scratch {
    fn new() -> io::Result<Scratch> {
        let folder = std::env::temp_dir().join(format!("zug-mcp-{}", secret()?));
        Access::FREE.make_private_folder(&folder)?;
        Ok(Scratch { folder, count: AtomicU64::new(0) })
    }

    /// A folder of its own for a call.
    fn folder(&self) -> io::Result<PathBuf> {
        let folder = self.folder.join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        Access::FREE.make_private_folder(&folder)?;
        Ok(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left of it the system cleans up.
        let _ = Access::FREE.remove_tree(&self.folder);
    }
}

/// The server of one client.
#[derive(Clone)]
struct Server {
    config: Arc<Config>,
    scratch: Arc<Scratch>,
    running: Arc<Semaphore>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("zug", self.config.version.clone()))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: tools::all(), ..ListToolsResult::default() })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == messages::TOO_LONG {
            let words = format!("a message has at most {} MiB", messages::MOST >> 20);
            return Err(ErrorData::invalid_request(words, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(read) = tools::read(&request.name, arguments) else {
            return Err(ErrorData::invalid_params(format!("no tool `{}`", request.name), None));
        };
        let command = match read {
            Ok(command) => command,
            // What a model can mend is an answer of the tool, which it is shown.
            Err(why) => return Ok(refused(why).into()),
        };
        let answered = tokio::select! {
            answered = self.answer(&command) => answered,
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("the call was cancelled", None));
            }
        };
        let result = answered.unwrap_or_else(|error| refused(error.to_string()));
        Ok(result.into())
    }
}

impl Server {
    /// Runs a command when it is its turn.
    async fn answer(&self, command: &Command) -> io::Result<CallToolResult> {
        let _turn = self.running.acquire().await.map_err(io::Error::other)?;
        let (folder, file, own) = match &command.rules {
            None => (self.config.library.folder().to_owned(), None, None),
            Some(Given::File(name)) => {
                if self.config.library.find(name).is_none() {
                    return Ok(refused(self.unknown(name)));
                }
                (self.config.library.folder().to_owned(), Some(name.as_str()), None)
            }
            Some(Given::Text(text)) => {
                let folder = self.scratch.folder()?;
                Access::FREE.write_whole(&folder.join(tools::TEXT), text.as_bytes())?;
                (folder.clone(), Some(tools::TEXT), Some(folder))
            }
        };
        let mut ended = None;
        // The rules are asked again only where the answer was no.
        for words in &command.attempts {
            let launch = Launch {
                program: &self.config.program,
                folder: &folder,
                arguments: self.arguments(command, file, words),
                input: &command.input,
                // The command ends itself in time, and says what it has.
                time: self.config.time.saturating_add(process::GRACE),
            };
            let found = launch.run(command.writes).await?;
            let again = found.exit == Some(1);
            ended = Some(found);
            if !again {
                break;
            }
        }
        if let Some(folder) = own {
            let _ = Access::FREE.remove_tree(&folder);
        }
        Ok(match (ended, command.writes) {
            (None, _) => refused("the call is empty".to_owned()),
            (Some(ended), Writes::Records) => reported(ended),
            (Some(ended), Writes::Text) => printed(ended),
        })
    }

    /// The words of a command line.
    fn arguments(&self, command: &Command, file: Option<&str>, words: &[String]) -> Vec<OsString> {
        let mut all: Vec<OsString> = vec![command.name.into()];
        if file.is_some() {
            all.extend(self.config.sandbox.iter().cloned());
            all.push(format!("--time={}ms", self.config.time.as_millis()).into());
            all.push(format!("--memory={}", self.config.memory).into());
        }
        if command.writes == Writes::Records {
            all.push("--format=jsonl".into());
        }
        all.extend(command.options.iter().map(OsString::from));
        // Nothing behind it is taken for an option.
        all.push("--".into());
        all.extend(file.map(OsString::from));
        all.extend(words.iter().map(OsString::from));
        all
    }

    /// Why a file can't be named.
    fn unknown(&self, name: &str) -> String {
        let listed = self.config.library.list();
        let names: Vec<&str> = listed.iter().map(|file| file.name.as_str()).take(40).collect();
        match names.as_slice() {
            [] => {
                format!("there is no rule file `{name}`, nor any other one: give `rules`, the text")
            }
            names => format!("there is no rule file `{name}` here; there are {}", names.join(", ")),
        }
    }
}

/// An answer that says what can't be done.
fn refused(why: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}

/// The text that a command printed, and how it ended.
fn printed(ended: Ended) -> CallToolResult {
    let fields = json!({ "exit_code": ended.exit, "meaning": ended.meaning() });
    structured(ended.text, ended.exit != Some(0), Some(fields))
}

fn structured(text: String, failed: bool, fields: Option<Value>) -> CallToolResult {
    let blocks = vec![ContentBlock::text(text)];
    let mut result =
        if failed { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) };
    result.structured_content = fields;
    result
}

/// The records of a command, as fields and as text.
fn reported(mut ended: Ended) -> CallToolResult {
    let meaning = ended.meaning();
    ended.answer.complete(ended.exit, meaning);
    let answer = &ended.answer;
    structured(answer.text(), answer.is_error(), serde_json::to_value(answer).ok())
}
