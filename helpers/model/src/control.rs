use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What a running job has been asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Go on.
    Run,
    /// Come to a state that resumes and wait there, holding the device.
    Pause,
    /// Come to a state that resumes and return.
    Stop,
}

/// A switch shared between a job and whoever may stop it: a window, a signal handler, a test.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<AtomicU8>);

impl Control {
    /// A switch that stands on [`Signal::Run`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the job to come to a state that resumes and wait.
    pub fn pause(&self) {
        // A stop is never taken back by a pause that crosses it.
        let _ = self.0.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Lets a paused job go on.
    pub fn resume(&self) {
        let _ = self.0.compare_exchange(1, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Asks the job to come to a state that resumes and return. It cannot be taken back.
    pub fn stop(&self) {
        self.0.store(2, Ordering::Relaxed);
    }

    /// What the job should do now.
    pub fn signal(&self) -> Signal {
        match self.0.load(Ordering::Relaxed) {
            0 => Signal::Run,
            1 => Signal::Pause,
            _ => Signal::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_outlives_pause_and_resume() {
        let control = Control::new();
        control.stop();
        control.pause();
        control.resume();
        assert_eq!(control.signal(), Signal::Stop);
    }

    #[test]
    fn a_clone_is_the_same_switch() {
        let control = Control::new();
        control.clone().pause();
        assert_eq!(control.signal(), Signal::Pause);
        control.resume();
        assert_eq!(control.signal(), Signal::Run);
    }
}
