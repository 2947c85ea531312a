//! `latchkey-service`: started by systemd when somebody calls it on the system bus, and gone when nobody does.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    use std::sync::Arc;

    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let served = runtime.map_err(zbus::Error::from).and_then(|runtime| {
        runtime.block_on(service::serve(
            zbus::connection::Builder::system(),
            Arc::new(service::Direct::default()),
            service::Options::default(),
        ))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("This system has services of its own.");
    ExitCode::FAILURE
}
