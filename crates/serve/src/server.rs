//! Connections: taken, limited, and ended in order.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::metrics::Gauge;
use crate::routes::Service;
use crate::{Log, ServeError, ServeOptions};

/// How often model files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A header is a few kilobytes; nobody needs longer for it.
const MAX_HEADER_TIME: Duration = Duration::from_secs(10);
/// The most bytes of a header.
const MAX_HEADER: usize = 64 << 10;

/// A running service.
pub struct Server {
    service: Arc<Service>,
    address: SocketAddr,
    runtime: Runtime,
    stop: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

impl Server {
    /// Binds the address and answers from then on; loads the models, until which requests for them are refused.
    pub fn start(options: ServeOptions, log: Log) -> Result<Server, ServeError> {
        options.check()?;
        if let Some(folder) = options.keep.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(ServeError(format!(
                "{}: there is no such folder to keep uploads in",
                folder.display()
            )));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| ServeError(format!("threads cannot be started: {error}")))?;
        let wanted = options.address;
        let listener = std::net::TcpListener::bind(wanted).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let _inside = runtime.enter();
            TcpListener::from_std(listener)
        });
        let listener = listener.map_err(|error| {
            ServeError(format!(
                "{wanted}: the address cannot be used ({error}); choose another port, or 0 for any"
            ))
        })?;
        let address = listener.local_addr().map_err(|error| ServeError(error.to_string()))?;
        let service = Arc::new(Service::new(options, address.ip(), log));
        let (stop, stopped) = watch::channel(false);
        let (end, ended) = watch::channel(false);
        let accepting = accept(listener, service.clone(), stopped.clone());
        runtime.spawn(async move {
            accepting.await;
            let _ = end.send(true);
        });
        service.models.load()?;
        runtime.spawn(look_at_files(service.clone(), stopped));
        Ok(Server { service, address, runtime, stop, ended })
    }

    /// The address, with the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Loads models again whose files have another content; returns how many were replaced.
    pub fn reload(&self) -> usize {
        self.service.models.refresh(true)
    }

    /// Looks at the files as it is done every second; returns how many models were replaced.
    pub fn look_at_files(&self) -> usize {
        self.service.models.refresh(false)
    }

    /// Runs something that waits, such as for signals, on the threads of the service.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Takes no more requests, answers those that have begun, and ends; at most for the time of a request.
    pub fn stop(mut self) {
        let _ = self.stop.send(true);
        let most = self.service.options.limits.timeout;
        let ended = async {
            let _ = tokio::time::timeout(most, self.ended.wait_for(|ended| *ended)).await;
        };
        self.runtime.block_on(ended);
        self.runtime.shutdown_background();
    }
}

/// Takes connections until the end, then waits for those that are open.
async fn accept(listener: TcpListener, service: Arc<Service>, mut stopped: watch::Receiver<bool>) {
    let most = service.options.limits.connections.min(open_files());
    let room = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await.ok()?;
            Some((listener.accept().await, place))
        };
        let (accepted, place) = tokio::select! {
            Some(next) = next => next,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        match accepted {
            Ok((stream, _)) => converse(stream, place, &service, &graceful),
            // The other side is gone already, or there are too many open files for a moment.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Answers the requests of a connection, which goes on by itself.
fn converse(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    service: &Arc<Service>,
    graceful: &GracefulShutdown,
) {
    // Answers are one write; waiting for more of it would only delay them.
    let _ = stream.set_nodelay(true);
    let respond = {
        let service = service.clone();
        service_fn(move |request| {
            let service = service.clone();
            async move { Ok::<_, std::convert::Infallible>(service.respond(request).await) }
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(service.options.limits.timeout.min(MAX_HEADER_TIME))
        .max_buf_size(MAX_HEADER)
        .serve_connection(TokioIo::new(stream), respond);
    let connection = graceful.watch(connection);
    let service = service.clone();
    tokio::spawn(async move {
        let _open = Gauge::of(&service.metrics.connections);
        // What went wrong with a connection concerns the other side.
        let _ = connection.await;
        drop(place);
    });
}

/// Looks at the model files from time to time.
async fn look_at_files(service: Arc<Service>, mut stopped: watch::Receiver<bool>) {
    let mut clock = tokio::time::interval(LOOK_EVERY);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = clock.tick() => {}
            _ = stopped.wait_for(|stopped| *stopped) => return,
        }
        let service = service.clone();
        let _ = tokio::task::spawn_blocking(move || service.models.refresh(false)).await;
    }
}

/// The number of connections that the system lets a process have, which is made as large as it allows.
#[cfg(unix)]
fn open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Models, terminals and the runtime have files of their own.
    const OTHERS: u64 = 64;
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let current = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(current.saturating_sub(OTHERS)).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn open_files() -> usize {
    usize::MAX
}
