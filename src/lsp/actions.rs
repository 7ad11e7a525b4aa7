//! What mends findings.

use crate::findings::{Found, Mend};
use crate::server::{Answer, Server};
use ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Range,
    TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

/// The changes that mend the findings of a place; all that are certain.
pub fn actions(server: &Server, params: CodeActionParams) -> Answer<Option<CodeActionResponse>> {
    let uri = params.text_document.uri;
    let Some(document) = server.workspace.document(&uri) else { return Ok(None) };
    // What was found in another version would change the wrong place.
    let found = server.checks.found(&uri, document.version);
    let only = params.context.only;
    let wants = |kind: &CodeActionKind| {
        only.as_ref()
            .is_none_or(|only| only.iter().any(|wanted| kind.as_str().starts_with(wanted.as_str())))
    };
    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let here = found.iter().filter(|found| touches(found.diagnostic.range, params.range));
        for (found, mend) in here.filter_map(|found| Some((found, found.mend.as_ref()?))) {
            actions.push(CodeActionOrCommand::CodeAction(quick_fix(&uri, found, mend)));
        }
    }
    let mends = found.iter().filter_map(|found| found.mend.as_ref());
    let certain: Vec<&Mend> = mends.filter(|mend| mend.certain).collect();
    if wants(&CodeActionKind::SOURCE_FIX_ALL) && !certain.is_empty() {
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: "Make all changes that are certain".to_owned(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(edit(&uri, all(&certain))),
            ..CodeAction::default()
        }));
    }
    Ok(Some(actions))
}

fn touches(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn quick_fix(uri: &Uri, found: &Found, mend: &Mend) -> CodeAction {
    CodeAction {
        title: mend.title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![found.diagnostic.clone()]),
        edit: Some(edit(uri, mend.edits.clone())),
        is_preferred: Some(mend.certain),
        ..CodeAction::default()
    }
}

fn edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let changes = HashMap::from([(uri.clone(), edits)]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// The changes of all; one that touches another's is left out.
fn all(mends: &[&Mend]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = Vec::new();
    for mend in mends {
        let apart =
            mend.edits.iter().all(|new| edits.iter().all(|old| !touches(old.range, new.range)));
        if apart {
            edits.extend(mend.edits.iter().cloned());
        }
    }
    edits
}
