//! The browser's form of a review: the report's page with a small server behind it, for this machine alone.
//!
//! The protocol is in docs/report.md. Requests carry a token that only the page knows, and name this machine as their
//! host, so that no other page of the browser can decide anything.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use stillframe_frames::report::{Live, PageOptions, html, pictures_of};
use stillframe_frames::run::{Decision, Run, read_picture};

use super::desk::Desk;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, stderr, stdout};

/// What requests share.
struct Served {
    desk: Mutex<Desk>,
    page: String,
    folder: PathBuf,
    /// Pictures that the run names: nothing else is handed out.
    pictures: BTreeSet<String>,
    token: String,
    hosts: [String; 2],
}

type Shared = State<Arc<Served>>;

/// Serves until it is interrupted.
pub fn serve(desk: Desk, port: u16, opens: bool, surroundings: &Surroundings) -> Result<(), Failure> {
    let refused = |error: std::io::Error| Failure::Environment(format!("cannot serve port {port}: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(refused)?;
    runtime.block_on(async {
        let listener =
            tokio::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await.map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        let token = token();
        let page =
            html(&desk.run, &PageOptions { live: Some(Live { token: token.clone() }), ..PageOptions::default() });
        let served = Arc::new(Served {
            page: page.html,
            folder: desk.run.folder.clone(),
            pictures: pictures(&desk.run),
            desk: Mutex::new(desk),
            token,
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        });
        let router = Router::new()
            .route("/", get(page_of))
            .route("/api/run", get(state_of))
            .route("/api/decide", post(decide))
            .route("/{*name}", get(picture))
            .with_state(served);
        let address = format!("http://127.0.0.1:{port}/");
        stdout::line(&format!("review at {address}"))?;
        if !surroundings.quiet {
            stderr::note("press ^C to stop; decisions are saved as you make them");
        }
        if opens {
            open(&address);
        }
        let interrupted = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router).with_graceful_shutdown(interrupted).await.map_err(refused)
    })
}

/// Every file that a page of this run can ask for.
fn pictures(run: &Run) -> BTreeSet<String> {
    run.records.iter().flat_map(pictures_of).cloned().collect()
}

/// Something that nobody can guess: the standard library's own random seeds.
fn token() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let word = || format!("{:016x}", RandomState::new().build_hasher().finish());
    word() + &word()
}

/// Whether a request comes from the page, in a browser of this machine.
fn is_ours(served: &Served, headers: &HeaderMap, with_token: bool) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).is_some_and(|host| served.hosts.iter().any(|known| known == host));
    let token = text(HeaderName::from_static("x-stillframe-token")) == Some(served.token.as_str());
    host && (token || !with_token)
}

fn refused() -> Response {
    answer(StatusCode::FORBIDDEN, json!({ "message": "the request is not from the review page" }))
}

fn answer(status: StatusCode, body: Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

async fn page_of(State(served): Shared, headers: HeaderMap) -> Response {
    if !is_ours(&served, &headers, false) {
        return refused();
    }
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, served.page.clone()).into_response()
}

fn state(desk: &Desk) -> Value {
    let decisions: Vec<&Decision> = desk.decisions.values().collect();
    json!({ "schema": "review/1", "run": desk.run.header.id, "revision": desk.revision, "decisions": decisions })
}

async fn state_of(State(served): Shared, headers: HeaderMap) -> Response {
    if !is_ours(&served, &headers, true) {
        return refused();
    }
    let desk = served.desk.lock().expect("no holder panics");
    let tag = format!("\"{}\"", desk.revision);
    if headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) == Some(tag.as_str()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = answer(StatusCode::OK, state(&desk));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

#[derive(Deserialize)]
struct Wish {
    revision: u64,
    decisions: Vec<Decision>,
}

async fn decide(State(served): Shared, headers: HeaderMap, body: Bytes) -> Response {
    if !is_ours(&served, &headers, true) {
        return refused();
    }
    let wish: Wish = match serde_json::from_slice(&body) {
        Ok(wish) => wish,
        Err(error) => return answer(StatusCode::BAD_REQUEST, json!({ "message": error.to_string() })),
    };
    let mut desk = served.desk.lock().expect("no holder panics");
    if wish.revision != desk.revision {
        return answer(StatusCode::CONFLICT, state(&desk));
    }
    match desk.decide(&wish.decisions) {
        Ok(()) => answer(StatusCode::OK, state(&desk)),
        Err(failure) => {
            let status = if failure.status() == crate::cli::status::ENVIRONMENT {
                StatusCode::INTERNAL_SERVER_ERROR
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            answer(status, json!({ "message": failure.words(), "revision": desk.revision }))
        }
    }
}

async fn picture(State(served): Shared, headers: HeaderMap, Path(name): Path<String>) -> Response {
    if !is_ours(&served, &headers, false) || !served.pictures.contains(&name) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match read_picture(&served.folder, &name) {
        Ok(bytes) => {
            let kind = if name.ends_with(".png") { "image/png" } else { "application/octet-stream" };
            // Named by what they hold: they never change.
            let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=31536000, immutable")];
            (headers, bytes).into_response()
        }
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Asks the system to open an address; if it cannot, the address is on the terminal.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = std::process::Command::new(program).arg(address).stdout(std::process::Stdio::null()).spawn();
}
