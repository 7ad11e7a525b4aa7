//! The state of the server, and the answers to requests.

use crate::checks::{Checks, Outbox};
use crate::findings::Checkable;
use crate::known::Known;
use crate::positions::Encoding;
use crate::workspace::{Workspace, folder_of};
use ls_types::{InitializeParams, PositionEncodingKind};
use lsp_server::{Connection, ErrorCode};
use std::path::PathBuf;
use zug_editing::directives::Loaded;

/// Why a request has no answer.
#[derive(Debug)]
pub struct Refusal {
    /// The protocol's code.
    pub code: ErrorCode,
    pub message: String,
}

impl Refusal {
    /// What was asked for can't be done.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { code: ErrorCode::RequestFailed, message: message.into() }
    }
}

/// An answer, or none.
pub type Answer<T> = Result<T, Refusal>;

/// The state of the server.
pub struct Server {
    pub workspace: Workspace,
    pub checks: Checks,
    pub known: Known,
    /// The program itself, for children.
    pub program: PathBuf,
    /// What the editor can do, and was promised.
    pub client: Client,
    pub connection: Connection,
}

/// What the editor can do.
pub struct Client {
    /// What columns are counted in.
    pub encoding: Encoding,
    /// Texts of completions may have places to fill in.
    pub snippets: bool,
    /// It carries out the commands of code lenses itself.
    pub runs_commands: bool,
}

impl Client {
    /// What the editor says of itself.
    pub fn of(params: &InitializeParams) -> Client {
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_ref());
        let utf8 = encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        let item = params.capabilities.text_document.as_ref();
        let item = item.and_then(|text| text.completion.as_ref()?.completion_item.as_ref());
        let options = params.initialization_options.as_ref();
        let commands = options.and_then(|options| options.get("commands")?.as_str());
        Client {
            encoding: if utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
            runs_commands: commands == Some("client"),
        }
    }
}

/// A sender of messages to the editor.
pub fn outbox(connection: &Connection) -> Outbox {
    let sender = connection.sender.clone();
    // An editor that has gone away hears nothing.
    Box::new(move |message| drop(sender.send(message)))
}

impl Server {
    /// Checks an open text.
    pub fn check(&self, uri: &ls_types::Uri) {
        let Some(view) = self.workspace.view(uri) else { return };
        let folder = folder_of(view.path.as_deref());
        let loads = view.outline.loads.iter().filter_map(|(loaded, span)| match loaded {
            Loaded::File(name) => Some((name.clone(), *span)),
            Loaded::Library(_) => None,
        });
        let loads = loads.collect();
        let document = view.document.clone();
        let unsaved = self.workspace.open_texts_below(view);
        self.checks.check(Checkable { document, folder, loads, unsaved });
    }

    /// Checks a text that is opened, changed or closed again, and the open ones that load it.
    pub fn check_with_dependents(&self, uri: &ls_types::Uri) {
        self.check(uri);
        for dependent in self.workspace.dependents(uri) {
            self.check(&dependent);
        }
    }
}
