//! The way to a drive: two commands, whatever carries them.

use crate::Result;

/// Sends to and receives from the security protocols of one drive: NVMe Security Send and Receive,
/// SCSI SECURITY PROTOCOL OUT and IN, ATA TRUSTED SEND and RECEIVE.
pub trait Transport {
    /// IF-SEND. `data` is a whole number of [`unit`](Transport::unit)s long.
    ///
    /// # Errors
    /// The drive or the system refused the command, or the drive is gone.
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()>;

    /// IF-RECV. Fills the whole buffer, with zeros behind what the drive had to say.
    ///
    /// # Errors
    /// As for [`send`](Transport::send).
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()>;

    /// Tries to have the drive's security part for oneself until [`release`](Transport::release): there is one
    /// ComID, and two programs that talk on it at once take each other's answers away. `false`: another program of
    /// ours has it. A way that cannot tell says `true`: programs of others do not ask either.
    fn hold(&mut self) -> bool {
        true
    }

    /// Ends [`hold`](Transport::hold).
    fn release(&mut self) {}

    /// Transfers are whole multiples of this, in bytes. ATA and SCSI count in 512; it does no harm
    /// elsewhere.
    fn unit(&self) -> usize {
        512
    }

    /// The largest transfer that the way itself takes, in bytes.
    fn largest(&self) -> usize {
        61_440
    }
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        (**self).send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        (**self).receive(protocol, specific, buffer)
    }
    fn hold(&mut self) -> bool {
        (**self).hold()
    }

    fn release(&mut self) {
        (**self).release();
    }

    fn unit(&self) -> usize {
        (**self).unit()
    }
    fn largest(&self) -> usize {
        (**self).largest()
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        (**self).send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        (**self).receive(protocol, specific, buffer)
    }
    fn hold(&mut self) -> bool {
        (**self).hold()
    }

    fn release(&mut self) {
        (**self).release();
    }

    fn unit(&self) -> usize {
        (**self).unit()
    }
    fn largest(&self) -> usize {
        (**self).largest()
    }
}
