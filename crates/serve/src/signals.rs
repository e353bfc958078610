//! Serving until a signal ends it.

use std::sync::Arc;
use std::time::SystemTime;

use tokio::signal::ctrl_c;

use crate::calendar::iso;
use crate::{Log, ServeError, ServeOptions, Server};

/// Serves until the process is asked to end (SIGINT, SIGTERM), and loads models again when it is asked to (SIGHUP).
pub fn serve(options: ServeOptions, log: Log) -> Result<(), ServeError> {
    let log: Log = Arc::new(move |line| log(&format!("{} {line}", iso(SystemTime::now()))));
    let server = Server::start(options, log.clone())?;
    log(&format!("listening on http://{}", server.address()));
    server
        .wait(until_the_end(&server, &log))
        .map_err(|error| ServeError(format!("signals cannot be heard: {error}")))?;
    log("ending: no more requests are taken");
    server.stop();
    Ok(())
}

#[cfg(unix)]
async fn until_the_end(server: &Server, log: &Log) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    loop {
        tokio::select! {
            _ = hang_up.recv() => {
                let replaced = tokio::task::block_in_place(|| server.reload());
                log(&format!("SIGHUP: {replaced} models were replaced"));
            }
            _ = terminate.recv() => return Ok(()),
            end = ctrl_c() => return end,
        }
    }
}

#[cfg(not(unix))]
async fn until_the_end(_: &Server, _: &Log) -> std::io::Result<()> {
    ctrl_c().await
}
