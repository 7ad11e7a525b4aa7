//! Renaming predicates in all texts, and variables in their clause.

use crate::completion::quoted;
use crate::navigation::{Target, places, target, texts};
use crate::server::{Answer, Refusal, Server};
use crate::workspace::View;
use ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;
use zug_editing::outline::Predicate;
use zug_syntax::{TokenKind, tokenize, unquoted};

/// Whether what stands at a place can be renamed, and where it stands.
pub fn prepare(
    server: &Server,
    params: TextDocumentPositionParams,
) -> Answer<Option<PrepareRenameResponse>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let Some((target, span)) = target(&view, view.offset(params.position)) else {
        return Ok(None);
    };
    let range = view.range(span);
    let placeholder = view.text()[span.start as usize..span.end as usize].to_owned();
    may_rename(server, view, &target)?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

/// The changes of a new name.
pub fn rename(server: &Server, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = params.text_document_position;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let Some((target, _)) = target(&view, view.offset(at.position)) else {
        return Err(Refusal::new("there is no predicate and no variable"));
    };
    let new = match &target {
        Target::Variable(clause, old) => variable(&view, *clause, old, &params.new_name)?,
        Target::Predicate(..) => atom(&params.new_name)?,
    };
    let uri = view.uri.clone();
    may_rename(server, view, &target)?;
    let Some(view) = server.workspace.view(&uri) else { return Ok(None) };
    let views = texts(server, view, &target);
    if let Target::Predicate(predicate, _) = &target {
        let name = unquoted(&new).map_or_else(|| new.clone(), |name| name.into_owned());
        let named = Predicate { name: name.into(), arity: predicate.arity };
        is_free(server, &views, &named, predicate)?;
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for view in &views {
        let edits: Vec<TextEdit> = places(view, &target)
            .into_iter()
            .map(|(span, _)| TextEdit { range: view.range(span), new_text: new.clone() })
            .collect();
        if !edits.is_empty() {
            changes.insert(view.uri.clone(), edits);
        }
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}

/// Whether a target has a name that may change.
fn may_rename(server: &Server, view: View, target: &Target) -> Answer<()> {
    let Target::Predicate(predicate, _) = target else { return Ok(()) };
    let defined =
        server.workspace.connected(view).iter().any(|view| view.outline.defines(predicate));
    if defined {
        return Ok(());
    }
    if server.known.built_in(predicate).is_some() {
        return Err(Refusal::new(format!("`{predicate}` is built in: its name can't change")));
    }
    Ok(())
}

/// Whether nothing else has a name.
fn is_free(server: &Server, views: &[View], new: &Predicate, old: &Predicate) -> Answer<()> {
    if new == old {
        return Ok(());
    }
    if views.iter().any(|view| view.outline.defines(new)) {
        return Err(Refusal::new(format!("there is a predicate `{new}` already")));
    }
    if server.known.built_in(new).is_some() {
        return Err(Refusal::new(format!("`{new}` is built in")));
    }
    Ok(())
}

/// A new name of a predicate, as it is written.
fn atom(new: &str) -> Answer<String> {
    let new = new.trim();
    let tokens = tokenize(new);
    match tokens.as_slice() {
        [one] if one.kind.is_name() && one.end as usize == new.len() => Ok(new.to_owned()),
        _ if new.is_empty() => Err(Refusal::new("a name is not empty")),
        _ => Ok(quoted(new)),
    }
}

/// A new name of a variable of a clause.
fn variable(view: &View, clause: usize, old: &str, new: &str) -> Answer<String> {
    let new = new.trim();
    let tokens = tokenize(new);
    let is_variable = matches!(tokens.as_slice(),
        [one] if one.kind == TokenKind::Variable && one.end as usize == new.len());
    if !is_variable || new == "_" {
        let words = "a variable begins with a capital letter or `_`, then letters, digits and `_`";
        return Err(Refusal::new(format!("`{new}` is no variable: {words}")));
    }
    let variables = view.outline.variables(view.text(), clause);
    if new != old && variables.iter().any(|variable| *variable.name == *new) {
        return Err(Refusal::new(format!("the clause has a variable `{new}` already")));
    }
    Ok(new.to_owned())
}
