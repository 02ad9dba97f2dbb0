//! Connections: how many are held at once, how long one may take nothing of what
//! it is sent, and how one is let go so that it hears why.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};

/// Who is shown out may still say so much time what nobody reads: a connection that
/// is closed with something unread is reset, and what it was told last is lost.
const FAREWELL: Duration = Duration::from_secs(1);

/// So many bytes of what nobody reads are taken at once.
const UNREAD_AT_ONCE: usize = 4 * 1_024;

/// What is said to one for whom there is no place.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
connection: close\r\ncontent-length: 26\r\n\r\ntoo many are here already\n";

/// How many are connected, whether or not they have said anything.
#[derive(Clone, Default)]
pub struct ConnectionPlaces(Arc<AtomicUsize>);

impl ConnectionPlaces {
    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// One more, unless so many are taken.
    fn take(&self, most: usize) -> Option<ConnectionPlace> {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        let place = ConnectionPlace(self.0.clone());
        (before < most).then_some(place)
    }
}

/// The place of one connection among all.
struct ConnectionPlace(Arc<AtomicUsize>);

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection, which has its place until both sides have let it go.
pub struct HeldConnection {
    /// There until it is dropped.
    open: Option<(TcpStream, ConnectionPlace)>,
    /// Whether the other side has said its last.
    is_ended: bool,
    patience: Duration,
    /// How long the other side has taken nothing.
    waits: Option<Pin<Box<Sleep>>>,
}

impl HeldConnection {
    /// A connection that has come, if fewer than `most` are here; who takes nothing
    /// for as long as `patience` loses it.
    pub fn new(
        stream: TcpStream,
        places: &ConnectionPlaces,
        most: usize,
        patience: Duration,
    ) -> Option<HeldConnection> {
        let Some(place) = places.take(most) else {
            turn_away(stream);
            return None;
        };
        // Messages are small and come in twos, a reply and a change: the second must
        // not wait until the first was acknowledged, which takes 40 ms.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(target: "houserule::serve", %error, "a connection waits before it sends");
        }
        Some(HeldConnection {
            open: Some((stream, place)),
            is_ended: false,
            patience,
            waits: None,
        })
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        let open = self.open.as_mut();
        open.map(|(stream, _)| Pin::new(stream))
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// What was written, or that nothing could be for too long.
    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let patience = self.patience;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waits.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for HeldConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = ready!(self.stream()?.poll_read(context, into));
        self.is_ended = read.is_err() || into.filled().len() == before && into.remaining() > 0;
        Poll::Ready(read)
    }
}

impl AsyncWrite for HeldConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write_vectored(context, parts);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}

impl Drop for HeldConnection {
    fn drop(&mut self) {
        let (Some((stream, place)), false) = (self.open.take(), self.is_ended) else {
            return;
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // Whether it has heard is its own affair.
                let _ = timeout(FAREWELL, farewell(stream)).await;
                drop(place);
            });
        }
    }
}

/// Says nothing more, and reads until the other side does not either.
async fn farewell(mut stream: TcpStream) -> io::Result<()> {
    poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
    let mut bytes = vec![0; UNREAD_AT_ONCE];
    loop {
        let mut unread = ReadBuf::new(&mut bytes);
        poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut unread)).await?;
        if unread.filled().is_empty() {
            return Ok(());
        }
    }
}

/// Tells one for whom there is no place that there is none, without waiting for it.
fn turn_away(stream: TcpStream) {
    use std::io::Write;
    let said = stream
        .into_std()
        .and_then(|mut stream| stream.write_all(FULL));
    if let Err(error) = said {
        tracing::debug!(target: "houserule::serve", %error, "one that was turned away was not told");
    }
}
