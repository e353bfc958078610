//! What an HTTP service cannot exceed on a machine: hyper reads a request and sends a short fixed answer, and nothing else is
//! done. `benches/serve/run.sh` measures it beside the service: empty_reply PORT

use std::convert::Infallible;
use std::net::Ipv4Addr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

async fn reply(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let _ = request.into_body().collect().await;
    Ok(Response::new(Full::new(Bytes::from_static(b"{\"status\":\"ready\"}"))))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).ok_or("a port is needed")?.parse()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let connection =
            http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(reply));
        tokio::spawn(connection);
    }
}
