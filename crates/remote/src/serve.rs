//! Answering requests: read in order, worked on together, answered in order.

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use bytes::Bytes;
use futures_util::StreamExt;
use stillframe_frames::store::wire::{self, Hello, KEYS_MAX, Reply, Request, VERSION};
use tokio::sync::mpsc;

use crate::place::{Place, Put};
use crate::trouble::{Failure, without_secrets};

/// Requests that are worked on together.
const UNDER_WAY_MAX: usize = 16;
/// Requests that are read ahead of them.
const AHEAD_MAX: usize = 4;

type Read = io::Result<(Request, Vec<u8>)>;

/// Answers requests on standard input until it ends.
pub async fn serve(place: Place, environment: &[(String, String)]) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout());
    let hello = Hello { stillframe_remote: VERSION, version: env!("CARGO_PKG_VERSION").into() };
    let lost = |error: io::Error| Failure::environment(format!("nobody reads the answers: {error}"));
    wire::write(&mut out, &hello, b"").and_then(|()| out.flush()).map_err(lost)?;
    let (send, receive) = mpsc::channel::<Read>(AHEAD_MAX);
    // Its own thread, since reading waits. It ends with the input, or when nobody receives any more.
    std::thread::spawn(move || read_all(&mut BufReader::new(io::stdin()), &send));
    let requests = futures_util::stream::unfold(receive, async |mut receive| {
        let request = receive.recv().await?;
        Some((request, receive))
    });
    let place = &place;
    let mut replies = Box::pin(requests.map(async |request| answer(place, request?).await).buffered(UNDER_WAY_MAX));
    while let Some(answered) = replies.next().await {
        let answered: Vec<(Reply, Bytes)> =
            answered.map_err(|error: io::Error| Failure::environment(format!("no request: {error}")))?;
        for (mut reply, bytes) in answered {
            if let Reply::Failed { message, .. } = &mut reply {
                *message = without_secrets(message, environment);
            }
            wire::write(&mut out, &reply, &bytes).map_err(lost)?;
        }
        out.flush().map_err(lost)?;
    }
    Ok(())
}

fn read_all(from: &mut dyn BufRead, to: &mpsc::Sender<Read>) {
    loop {
        let request = match wire::read::<Request>(from) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(error) => {
                // Nobody receives any more: nobody wants to know.
                let _ = to.blocking_send(Err(error));
                return;
            }
        };
        let read = wire::read_bytes(from, request.byte_count()).map(|bytes| (request, bytes));
        let is_over = read.is_err();
        if to.blocking_send(read).is_err() || is_over {
            return;
        }
    }
}

async fn answer(place: &Place, (request, bytes): (Request, Vec<u8>)) -> io::Result<Vec<(Reply, Bytes)>> {
    let answered = match request {
        Request::Exists { keys } => place.sizes(&keys).await.map(|sizes| vec![plain(Reply::Sizes { sizes })]),
        Request::Get { key } => place.read(&key).await.map(|found| match found {
            Some(bytes) => vec![(Reply::Found { bytes: bytes.len() as u64 }, bytes)],
            None => vec![plain(Reply::Absent)],
        }),
        Request::Put { key, .. } => place.write(&key, bytes.into()).await.map(|put| match put {
            Put::Stored => vec![plain(Reply::Stored)],
            Put::Known => vec![plain(Reply::Known)],
        }),
        Request::List { prefix } => place.list(&prefix).await.map(listed),
        Request::Delete { keys } => place.delete(&keys).await.map(|count| vec![plain(Reply::Deleted { count })]),
    };
    Ok(answered
        .unwrap_or_else(|failure| vec![plain(Reply::Failed { trouble: failure.trouble, message: failure.message })]))
}

fn plain(reply: Reply) -> (Reply, Bytes) {
    (reply, Bytes::new())
}

/// At least one reply, so that an empty store is answered too.
fn listed(files: Vec<(String, u64)>) -> Vec<(Reply, Bytes)> {
    let mut parts: Vec<Vec<(String, u64)>> = files.chunks(KEYS_MAX).map(<[_]>::to_vec).collect();
    if parts.is_empty() {
        parts.push(Vec::new());
    }
    let last = parts.len() - 1;
    let reply = |(index, files)| plain(Reply::Listed { files, has_more: index < last });
    parts.into_iter().enumerate().map(reply).collect()
}
