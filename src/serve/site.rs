//! What is answered over HTTP: the page, its parts, the rule files, and pages that jobs made.

use super::guard::Refusal;
use super::{NotSaved, Server, files, socket};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// What the page may do: load what is served here, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";
/// What a page that a job made may do: run its own script, in a place of its own.
const FRAMED: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     frame-ancestors 'self'; sandbox allow-scripts";

/// Time for a request and its answer. What takes longer goes over the WebSocket.
const PATIENCE: Duration = Duration::from_secs(30);

macro_rules! parts {
    ($($name:literal: $kind:expr),+ $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("page/", $name)))),+]
    };
}

const JS: &str = "text/javascript; charset=utf-8";

/// The parts of the page: name, kind, text.
#[rustfmt::skip]
const PARTS: &[(&str, &str, &str)] = parts! {
    "index.html": "text/html; charset=utf-8", "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml", "main.js": JS, "dom.js": JS, "link.js": JS, "state.js": JS,
    "board.js": JS, "play.js": JS, "plan.js": JS, "rounds.js": JS, "tree.js": JS, "compare.js": JS,
    "prompt.js": JS, "editor.js": JS, "highlight.js": JS, "keys.js": JS, "about.js": JS,
    "gallery.js": JS, "share.js": JS,
};

type Shared = State<Arc<Server>>;

/// The ways to ask.
pub fn routes(server: Arc<Server>) -> Router {
    // Pages in frames have no origin, and so no cookie.
    let framed = Router::new().route("/page/{name}", get(made));
    let own = Router::new()
        .route("/socket", get(connect))
        .route("/api/files", get(list))
        .route("/api/file", get(open).put(save))
        .route("/api/preview", get(preview))
        .route("/part/{name}", get(part))
        .layer(DefaultBodyLimit::max(socket::LONGEST))
        .layer(middleware::from_fn_with_state(server.clone(), admit));
    Router::new()
        .route("/", get(page))
        .merge(own)
        .merge(framed)
        .fallback(|| async { failed(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(middleware::from_fn(in_time))
        .layer(middleware::map_response(guarded))
        .with_state(server)
}

/// Puts the headers on a response that keep it to what it is.
async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut put = |name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(CONTENT_SECURITY_POLICY, POLICY);
    put(X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(REFERRER_POLICY, "no-referrer");
    put(CACHE_CONTROL, "no-store");
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// Ends a request whose body does not come.
async fn in_time(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(PATIENCE, next.run(request)).await;
    answered.unwrap_or_else(|_| failed(StatusCode::REQUEST_TIMEOUT, "the request took too long"))
}

async fn admit(State(server): Shared, request: Request, next: Next) -> Response {
    match server.guard.admit(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refused(refusal),
    }
}

fn refused(refusal: Refusal) -> Response {
    let status = match refusal {
        Refusal::Token => StatusCode::UNAUTHORIZED,
        Refusal::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
        Refusal::ForeignOrigin => StatusCode::FORBIDDEN,
    };
    failed(status, refusal.words())
}

fn failed(status: StatusCode, words: &str) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{words}\n")).into_response()
}

fn answer(status: StatusCode, data: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], data.to_string()).into_response()
}

#[derive(Deserialize)]
struct Opening {
    token: Option<String>,
}

/// The page. A token in its address becomes a cookie, and leaves the address.
async fn page(
    State(server): Shared,
    Query(opening): Query<Opening>,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = server.guard.admit_without_token(&headers) {
        return refused(refusal);
    }
    if let Some(token) = opening.token.filter(|token| server.guard.is_token(token)) {
        let cookie =
            format!("{}={token}; Path=/; HttpOnly; SameSite=Strict", server.guard.cookie());
        return (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)])
            .into_response();
    }
    match server.guard.admit(&headers) {
        Ok(()) => named("index.html"),
        Err(refusal) => refused(refusal),
    }
}

async fn part(Path(name): Path<String>) -> Response {
    named(&name)
}

fn named(name: &str) -> Response {
    match PARTS.iter().find(|part| part.0 == name) {
        Some((_, kind, text)) => ([(CONTENT_TYPE, *kind)], *text).into_response(),
        None => failed(StatusCode::NOT_FOUND, "there is no such part of the page"),
    }
}

#[derive(Deserialize)]
struct Looks {
    theme: Option<String>,
}

/// A page that a job made.
async fn made(
    State(server): Shared,
    Path(name): Path<String>,
    Query(looks): Query<Looks>,
    headers: HeaderMap,
) -> Response {
    if let Err(refusal) = server.guard.admit_framed(&headers) {
        return refused(refusal);
    }
    match server.kept.get(&name) {
        Some(page) => {
            let page = coloured(page, looks.theme.as_deref());
            let kind = (CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (CONTENT_SECURITY_POLICY, FRAMED)], page).into_response()
        }
        None => failed(StatusCode::NOT_FOUND, "this tree is not kept any more: draw it again"),
    }
}

/// A page that is light or dark whatever the system prefers. Its style comes before all that rules write.
fn coloured(page: String, theme: Option<&str>) -> String {
    let (scheme, applies) = match theme {
        Some("dark") => ("dark", "(min-width:0)"),
        Some("light") => ("light", "(max-width:0)"),
        _ => return page,
    };
    let Some(end) = page.find("</style>") else { return page };
    let (style, rest) = page.split_at(end);
    let style = style
        .replace("(prefers-color-scheme:dark)", applies)
        .replace("(prefers-color-scheme: dark)", applies)
        .replace("color-scheme:light dark", &format!("color-scheme:{scheme}"))
        .replace("color-scheme: light dark", &format!("color-scheme:{scheme}"))
        .replace("content=\"light dark\"", &format!("content=\"{scheme}\""));
    style + rest
}

/// Answers by the disk, which may take its time, beside what else there is to do.
async fn by_disk(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))
}

async fn list(State(server): Shared) -> Response {
    by_disk(move || {
        let library = &server.library;
        let (files, folder) = (library.list(), library.folder().display().to_string());
        let single = library.is_single();
        answer(StatusCode::OK, &json!({ "files": files, "folder": folder, "single": single }))
    })
    .await
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

async fn open(State(server): Shared, Query(Name { name }): Query<Name>) -> Response {
    by_disk(move || found(&name, server.library.open(&name).map(|opened| json!(opened)))).await
}

/// The answer with what a file has, if it could be read.
fn found(name: &str, data: std::io::Result<Value>) -> Response {
    match data {
        Ok(data) => answer(StatusCode::OK, &data),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            failed(StatusCode::NOT_FOUND, &format!("there is no rule file `{name}` here"))
        }
        Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

/// What the gallery shows of a file.
async fn preview(State(server): Shared, Query(Name { name }): Query<Name>) -> Response {
    found(&name, server.previews.of(&server, &name).await)
}

#[derive(Deserialize)]
struct Saving {
    name: String,
    text: String,
    version: Option<String>,
}

async fn save(State(server): Shared, body: Bytes) -> Response {
    let Ok(asked) = serde_json::from_slice::<Saving>(&body) else {
        return failed(StatusCode::BAD_REQUEST, "a file to save has a name and a text");
    };
    if asked.text.len() as u64 > files::MOST_BYTES {
        return failed(StatusCode::PAYLOAD_TOO_LARGE, "the text is larger than 8 MiB");
    }
    by_disk(move || saved(&server, &asked)).await
}

fn saved(server: &Server, Saving { name, text, version }: &Saving) -> Response {
    match server.library.save(name, text, version.as_deref()) {
        Ok(saved) => answer(StatusCode::OK, &json!({ "version": saved.version })),
        Err(NotSaved::Changed(now)) => answer(StatusCode::CONFLICT, &json!({ "now": now })),
        Err(NotSaved::Unknown) => {
            failed(StatusCode::NOT_FOUND, &format!("`{name}` can't be a rule file here"))
        }
        Err(NotSaved::Io(error)) => failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

async fn connect(State(server): Shared, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(socket::LONGEST).on_upgrade(|socket| socket::attend(server, socket))
}
