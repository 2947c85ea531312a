use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use model::Fault;

use super::Native;

type Work = Box<dyn FnOnce(&mut dyn Native) + Send>;

/// The system's own encryption of one volume on a thread of its own: what is behind it may be tied to the thread that
/// it was opened on, as Windows' management is.
pub struct Worker {
    /// `None` while it ends.
    orders: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Opens it there, and waits until that is done.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn open(open: impl FnOnce() -> Result<Box<dyn Native>, Fault> + Send + 'static) -> Result<Self, Fault> {
        let (orders, works) = channel::<Work>();
        let (opened, answer) = channel();
        let thread = std::thread::spawn(move || match open() {
            Ok(mut native) => {
                // Nobody waits any more: there is nothing to be told.
                let _ = opened.send(Ok(()));
                for work in works {
                    work(&mut *native);
                }
            }
            Err(fault) => drop(opened.send(Err(fault))),
        });
        let worker = Self { orders: Some(orders), thread: Some(thread) };
        answer.recv().unwrap_or_else(|_| Err(gone())).map(|()| worker)
    }

    /// Has this done there, and waits for what it comes to.
    ///
    /// # Errors
    /// Those of `work`; `native-gone` if the thread has ended.
    pub fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Native) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let (done, answer) = channel();
        let work: Work = Box::new(move |native| drop(done.send(work(native))));
        self.orders.as_ref().and_then(|orders| orders.send(work).ok()).ok_or_else(gone)?;
        answer.recv().unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Worker {
    /// Waits for what is being done.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread came to an end by a mistake of this program.
fn gone() -> Fault {
    Fault::new("native-gone", model::FaultKind::Failed)
}
