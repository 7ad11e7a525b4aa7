//! Where a name is defined, and where it is used.

use crate::server::{Answer, Server};
use crate::workspace::{View, folder_of};
use ls_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, Range, ReferenceParams, Uri,
};
use zug_editing::directives::Loaded;
use zug_editing::outline::{Occurrence, Predicate, Use};
use zug_syntax::TokenKind;
use zug_term::source::Span;

/// What stands at a place.
pub enum Target {
    /// A predicate; in a unit of tests that has its own of this name, that unit.
    Predicate(Predicate, Option<usize>),
    /// A variable: its clause, its name.
    Variable(usize, String),
}

/// The name at a place, and where it stands.
pub fn target(view: &View, offset: u32) -> Option<(Target, Span)> {
    if let Some(found) = view.outline.occurrence_at(offset) {
        let unit =
            view.outline.unit_of(found.clause).filter(|&unit| is_own(view, unit, &found.predicate));
        return Some((Target::Predicate(found.predicate.clone(), unit), found.span));
    }
    let token = view.outline.token_at(offset)?;
    let name = token.text(view.text());
    let clause = view.outline.clause_at(offset)?;
    (token.kind == TokenKind::Variable && name != "_")
        .then(|| (Target::Variable(clause, name.to_owned()), token.span()))
}

/// Whether a unit of tests has a predicate of its own.
fn is_own(view: &View, unit: usize, predicate: &Predicate) -> bool {
    let inside = |found: &&Occurrence| view.outline.unit_of(found.clause) == Some(unit);
    let mut heads = view.outline.of_predicate(predicate).filter(inside);
    heads.any(|found| found.what == Use::Definition)
}

/// Where a target occurs in a text.
pub fn places(view: &View, target: &Target) -> Vec<(Span, Use)> {
    match target {
        Target::Variable(clause, name) => {
            let variables = view.outline.variables(view.text(), *clause);
            let found = variables.into_iter().find(|variable| *variable.name == **name);
            let spans = found.map(|variable| variable.spans).unwrap_or_default();
            spans.into_iter().map(|span| (span, Use::Mention)).collect()
        }
        Target::Predicate(predicate, unit) => {
            let all = view.outline.of_predicate(predicate);
            let same = all.filter(|found| match (unit, view.outline.unit_of(found.clause)) {
                (Some(unit), of) => of == Some(*unit),
                // A unit's own predicate is another one.
                (None, Some(of)) => !is_own(view, of, predicate),
                (None, None) => true,
            });
            same.map(|found| (found.span, found.what)).collect()
        }
    }
}

/// The texts in which a target of one is to be looked for.
pub fn texts(server: &Server, view: View, target: &Target) -> Vec<View> {
    match target {
        Target::Predicate(_, None) => server.workspace.connected(view),
        _ => vec![view],
    }
}

fn location(view: &View, span: Span) -> Location {
    Location { uri: view.uri.clone(), range: view.range(span) }
}

/// Where a name is defined: all its clauses; of a file that is loaded, the file; of a variable, its first place.
pub fn definition(
    server: &Server,
    params: GotoDefinitionParams,
) -> Answer<Option<GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let offset = view.offset(at.position);
    let Some((target, _)) = target(&view, offset) else {
        return Ok(
            file(server, &view, offset).map(|found| GotoDefinitionResponse::Array(vec![found]))
        );
    };
    let views = match &target {
        Target::Predicate(_, None) => server.workspace.loaded_by(view),
        _ => vec![view],
    };
    let mut found = heads(&views, &target);
    if let (true, Target::Predicate(..)) = (found.is_empty(), &target) {
        // A file that is loaded by another one may use what that has.
        let view = server.workspace.view(&at.text_document.uri);
        let views = view.map(|view| server.workspace.connected(view)).unwrap_or_default();
        found = heads(&views, &target);
    }
    Ok((!found.is_empty()).then_some(GotoDefinitionResponse::Array(found)))
}

fn heads(views: &[View], target: &Target) -> Vec<Location> {
    let mut found = Vec::new();
    for view in views {
        let places = places(view, target).into_iter();
        match target {
            Target::Variable(..) => {
                found.extend(places.take(1).map(|(span, _)| location(view, span)))
            }
            Target::Predicate(..) => {
                let heads = places.filter(|(_, what)| *what == Use::Definition);
                found.extend(heads.map(|(span, _)| location(view, span)));
            }
        }
    }
    found
}

/// The file that a directive at this place loads.
fn file(server: &Server, view: &View, offset: u32) -> Option<Location> {
    let within = |span: &Span| (span.start..=span.end).contains(&offset);
    let token = view.outline.token_at(offset)?;
    let written = token.text(view.text());
    let written = written.trim_matches(['\'', '"']);
    let loads = view.outline.loads.iter().filter(|(_, span)| within(span));
    let mut names = loads.filter_map(|(loaded, _)| match loaded {
        Loaded::File(name) => Some(name),
        Loaded::Library(_) => None,
    });
    let name = names.find(|name| name.as_str() == written)?;
    let path = server.workspace.path_of(&folder_of(view.path.as_deref()), name)?;
    let uri = Uri::from_file_path(path)?;
    Some(Location { uri, range: Range::default() })
}

/// All places of a name.
pub fn references(server: &Server, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let at = params.text_document_position;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let Some((target, _)) = target(&view, view.offset(at.position)) else { return Ok(None) };
    let with_definition = params.context.include_declaration;
    let mut found = Vec::new();
    for view in texts(server, view, &target) {
        let places = places(&view, &target).into_iter();
        let wanted = places.filter(|(_, what)| with_definition || *what != Use::Definition);
        found.extend(wanted.map(|(span, _)| location(&view, span)));
    }
    Ok(Some(found))
}

/// All places of a name in its text.
pub fn highlights(
    server: &Server,
    params: DocumentHighlightParams,
) -> Answer<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let Some((target, _)) = target(&view, view.offset(at.position)) else { return Ok(None) };
    let highlight = |(span, what): (Span, Use)| DocumentHighlight {
        range: view.range(span),
        kind: Some(match what {
            Use::Definition => DocumentHighlightKind::WRITE,
            _ => DocumentHighlightKind::READ,
        }),
    };
    Ok(Some(places(&view, &target).into_iter().map(highlight).collect()))
}
