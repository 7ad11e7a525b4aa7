//! Dispatch of requests and notifications to their handlers.

use crate::documents::Document;
use crate::server::{Answer, Refusal, Server};
use crate::{
    actions, capabilities, completion, hover, layout, lenses, navigation, rename, symbols, tokens,
};
use ls_types::notification::{
    DidChangeTextDocument, DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Notification as Notify,
};
use ls_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition,
    HoverRequest, PrepareRenameRequest, RangeFormatting, References, Rename, Request as _,
    ResolveCompletionItem, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest, WorkspaceSymbolRequest,
};
use lsp_server::{ErrorCode, Notification, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub fn request(server: &mut Server, request: Request) -> Answer<Value> {
    let Request { method, params, .. } = request;
    match method.as_str() {
        HoverRequest::METHOD => with(server, params, hover::hover),
        SignatureHelpRequest::METHOD => with(server, params, hover::signature),
        Completion::METHOD => with(server, params, completion::complete),
        ResolveCompletionItem::METHOD => with(server, params, completion::resolve),
        GotoDefinition::METHOD => with(server, params, navigation::definition),
        References::METHOD => with(server, params, navigation::references),
        DocumentHighlightRequest::METHOD => with(server, params, navigation::highlights),
        PrepareRenameRequest::METHOD => with(server, params, rename::prepare),
        Rename::METHOD => with(server, params, rename::rename),
        DocumentSymbolRequest::METHOD => with(server, params, symbols::of_document),
        WorkspaceSymbolRequest::METHOD => with(server, params, symbols::of_workspace),
        FoldingRangeRequest::METHOD => with(server, params, symbols::foldings),
        SemanticTokensFullRequest::METHOD => with(server, params, tokens::full),
        SemanticTokensRangeRequest::METHOD => with(server, params, tokens::range),
        Formatting::METHOD => with(server, params, layout::document),
        RangeFormatting::METHOD => with(server, params, layout::range),
        CodeActionRequest::METHOD => with(server, params, actions::actions),
        CodeLensRequest::METHOD => with(server, params, lenses::lenses),
        ExecuteCommand::METHOD => with(server, params, lenses::execute),
        _ => Err(Refusal {
            code: ErrorCode::MethodNotFound,
            message: format!("there is no request `{method}`"),
        }),
    }
}

fn with<P: DeserializeOwned, R: Serialize>(
    server: &mut Server,
    params: Value,
    answer: impl FnOnce(&Server, P) -> Answer<R>,
) -> Answer<Value> {
    let invalid = |error: serde_json::Error| Refusal {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    };
    let params = serde_json::from_value(params).map_err(invalid)?;
    serde_json::to_value(answer(server, params)?).map_err(|error| Refusal::new(error.to_string()))
}

/// What a notification says, if it can be read.
fn taken<N: Notify>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}

/// Takes note of what the editor tells.
pub fn notification(server: &mut Server, notification: Notification) -> Option<()> {
    let Notification { method, params, .. } = notification;
    match method.as_str() {
        DidOpenTextDocument::METHOD => {
            let text = taken::<DidOpenTextDocument>(params)?.text_document;
            let encoding = server.workspace.encoding;
            let document = Document::new(text.uri.clone(), text.version, &text.text, encoding);
            server.workspace.open(document);
            server.check_with_dependents(&text.uri);
        }
        DidChangeTextDocument::METHOD => {
            let params = taken::<DidChangeTextDocument>(params)?;
            let uri = params.text_document.uri;
            let document = server.workspace.document(&uri)?;
            let version = params.text_document.version;
            server.workspace.open(document.changed(version, params.content_changes));
            server.check_with_dependents(&uri);
        }
        DidCloseTextDocument::METHOD => {
            let uri = taken::<DidCloseTextDocument>(params)?.text_document.uri;
            let dependents = server.workspace.dependents(&uri);
            server.workspace.close(&uri);
            server.checks.close(&uri);
            dependents.iter().for_each(|dependent| server.check(dependent));
        }
        // Others may load what was saved.
        DidSaveTextDocument::METHOD => {
            let saved = taken::<DidSaveTextDocument>(params)?.text_document.uri;
            for view in server.workspace.open_views() {
                if view.uri != saved && !view.outline.loads.is_empty() {
                    server.check(&view.uri);
                }
            }
        }
        DidChangeWorkspaceFolders::METHOD => {
            let event = taken::<DidChangeWorkspaceFolders>(params)?.event;
            let removed = capabilities::paths(&event.removed);
            server.workspace.folders.retain(|folder| !removed.contains(folder));
            server.workspace.folders.extend(capabilities::paths(&event.added));
        }
        _ => {}
    }
    Some(())
}
