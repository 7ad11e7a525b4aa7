//! Connections of the server: how many there may be, and how long a client may take to send what it asks.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Connections at once, WebSockets among them; one more is closed at once. A browser opens about eight for a tab.
const MOST: usize = 256;
/// Time for the head of a request, and between two requests of a connection.
const HEAD: Duration = Duration::from_secs(15);
/// Time after a failure to accept a connection, as for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until `closing` says so, and waits for those that are open. A connection that fails ends alone.
pub async fn accept(listener: TcpListener, routes: Router, mut closing: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = closed(&mut closing) => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Ok(permit) = room.clone().try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(routes.clone());
        let mut closing = closing.clone();
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD);
            let stream = TokioIo::new(Counted { stream, _permit: permit });
            let connection = http.serve_connection(stream, service).with_upgrades();
            tokio::pin!(connection);
            // An error is the client's: it is gone, or sends what is no HTTP.
            tokio::select! {
                _ = &mut connection => {}
                () = closed(&mut closing) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        });
    }
    let _ = room.acquire_many(MOST as u32).await;
}

/// Waits until the server ends.
pub async fn closed(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

/// A stream that counts as a connection for as long as it lives, be it as a WebSocket.
struct Counted {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
