//! Virtual drives as an NVMe/TCP target (NVMe-oF 1.1, NVMe/TCP Transport 1.0): a stock kernel connects to
//! it and has `/dev/nvme0n1` with Opal.
//!
//! Only what the Linux host needs, without digests, authentication or TLS: it is a rig for tests and for
//! practice, on the loopback interface. A thread serves each connection.

mod connection;
mod identify;
mod pdu;

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::device::Drive;

/// A drive and the name that a host connects to it by.
#[derive(Clone)]
pub struct Subsystem {
    /// The NVMe qualified name.
    pub nqn: String,
    /// The drive.
    pub drive: Arc<Drive>,
}

/// A running target. It ends when dropped.
pub struct Target {
    shared: Arc<Shared>,
    address: SocketAddr,
    listener: Option<JoinHandle<()>>,
}

struct Shared {
    subsystems: Vec<Subsystem>,
    controllers: Mutex<BTreeMap<u16, Arc<Controller>>>,
    connections: Mutex<BTreeMap<u64, TcpStream>>,
    next_controller: AtomicU16,
    next_connection: AtomicU64,
    ended: AtomicBool,
}

/// What one host has of one subsystem.
struct Controller {
    id: u16,
    subsystem: Subsystem,
    registers: Mutex<Registers>,
}

#[derive(Clone, Copy, Default)]
struct Registers {
    configuration: u32,
    status: u32,
}

impl Target {
    /// Listens at an address; port 0 takes any that is free.
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub fn start(address: impl ToSocketAddrs, subsystems: Vec<Subsystem>) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        // Looked at again and again, so that it can end without a connection to itself.
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            subsystems,
            controllers: Mutex::default(),
            connections: Mutex::default(),
            next_controller: AtomicU16::new(1),
            next_connection: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        });
        let for_listener = Arc::clone(&shared);
        let listener = thread::spawn(move || accept(&listener, &for_listener));
        Ok(Self { shared, address, listener: Some(listener) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks all connections, as a pulled cable does. Hosts may connect again.
    pub fn break_connections(&self) {
        for stream in lock(&self.shared.connections).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.break_connections();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.ended.load(Ordering::SeqCst) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            let id = shared.next_connection.fetch_add(1, Ordering::SeqCst);
            if let Ok(copy) = stream.try_clone() {
                lock(&shared.connections).insert(id, copy);
            }
            // The end of a connection is no failure of the target, whatever it is.
            let _ = connection::serve(&shared, stream);
            lock(&shared.connections).remove(&id);
        });
    }
}

impl Shared {
    fn connect(&self, nqn: &str) -> Option<Arc<Controller>> {
        let subsystem = self.subsystems.iter().find(|subsystem| subsystem.nqn == nqn)?.clone();
        let mut controllers = lock(&self.controllers);
        let free = || self.next_controller.fetch_add(1, Ordering::SeqCst).clamp(1, 0xffef);
        let id = (0..0xffef).map(|_| free()).find(|id| !controllers.contains_key(id))?;
        let controller = Arc::new(Controller { id, subsystem, registers: Mutex::default() });
        controllers.insert(id, Arc::clone(&controller));
        Some(controller)
    }

    fn controller(&self, id: u16, nqn: &str) -> Option<Arc<Controller>> {
        let controllers = lock(&self.controllers);
        controllers.get(&id).filter(|controller| controller.subsystem.nqn == nqn).cloned()
    }

    fn disconnect(&self, id: u16) {
        lock(&self.controllers).remove(&id);
    }
}

impl Controller {
    /// Sets CC and follows it in CSTS. To be enabled is a reset of the interface: a session that a host
    /// left behind when it lost its connection is gone.
    fn configure(&self, value: u32) {
        let mut registers = lock(&self.registers);
        let was_enabled = registers.configuration & 1 == 1;
        let enabled = value & 1 == 1;
        if enabled && !was_enabled {
            self.subsystem.drive.interface_reset();
        }
        let shut_down = if value & 0xc000 == 0 { 0 } else { 2 << 2 };
        *registers = Registers { configuration: value, status: u32::from(enabled) | shut_down };
    }
}
