//! The NVMe/TCP target, seen by a small host of its own.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use common::{MIB, PIN, drive, pattern, secret};
use opal::host;
use opal::nvme_tcp::{Subsystem, Target};
use opal::{Error, Patience, Result, Tper, Transport};

const NQN: &str = "nqn.2025-01.org.example:drive";

fn target() -> (Target, Arc<opal::device::Drive>) {
    let drive = drive();
    let subsystem = Subsystem { nqn: NQN.into(), drive: Arc::clone(&drive) };
    (Target::start("127.0.0.1:0", vec![subsystem]).unwrap(), drive)
}

struct Queue {
    stream: TcpStream,
    number: u16,
    next: u16,
}

struct Completion {
    value: u64,
    status: u16,
    data: Vec<u8>,
}

impl Queue {
    fn open(address: SocketAddr, number: u16, controller: u16, nqn: &str) -> std::result::Result<(Self, u16), u16> {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut request = vec![0, 0, 128, 0, 128, 0, 0, 0];
        request.resize(128, 0);
        stream.write_all(&request).unwrap();
        let mut response = [0; 128];
        stream.read_exact(&mut response).unwrap();
        assert_eq!(response[0], 1);
        let mut queue = Self { stream, number, next: 0 };
        let mut data = vec![0; 1024];
        data[16..18].copy_from_slice(&controller.to_le_bytes());
        data[256..256 + nqn.len()].copy_from_slice(nqn.as_bytes());
        let mut entry = [0; 64];
        entry[0] = 0x7f;
        entry[4] = 1;
        entry[42..44].copy_from_slice(&number.to_le_bytes());
        entry[44] = 31;
        let completion = queue.run(entry, Some(&data), 0);
        match completion.status {
            0 => Ok((queue, u16::try_from(completion.value).unwrap())),
            status => Err(status),
        }
    }

    /// Sends a command, gives its data (with it up to 8 KiB, when asked for above) and waits for the end.
    fn run(&mut self, mut entry: [u8; 64], data: Option<&[u8]>, room: usize) -> Completion {
        self.next += 1;
        entry[1] = 0x40;
        entry[2..4].copy_from_slice(&self.next.to_le_bytes());
        let limit = if self.number == 0 { 8192 } else { 4096 };
        let with = data.filter(|data| data.len() <= limit).unwrap_or(&[]);
        let length = data.map_or(room, <[u8]>::len);
        entry[32..36].copy_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
        entry[39] = if with.is_empty() { 0x5a } else { 0x01 };
        let mut pdu = vec![4, 0, 72, if with.is_empty() { 0 } else { 72 }];
        pdu.extend(u32::try_from(72 + with.len()).unwrap().to_le_bytes());
        pdu.extend(entry);
        pdu.extend(with);
        self.stream.write_all(&pdu).unwrap();
        let mut received = Vec::new();
        loop {
            let mut head = [0; 8];
            self.stream.read_exact(&mut head).unwrap();
            let length = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
            let mut rest = vec![0; length - 8];
            self.stream.read_exact(&mut rest).unwrap();
            match head[0] {
                5 => {
                    let value = u64::from_le_bytes(rest[..8].try_into().unwrap());
                    assert_eq!(u16::from_le_bytes(rest[12..14].try_into().unwrap()), self.next);
                    let status = u16::from_le_bytes(rest[14..16].try_into().unwrap()) >> 1;
                    return Completion { value, status, data: received };
                }
                7 => received.extend(&rest[16..]),
                // All that was asked for, in two pieces.
                9 => {
                    let all = data.unwrap();
                    let (first, second) = all.split_at(all.len() / 2);
                    for (offset, piece) in [(0, first), (first.len(), second)] {
                        let mut pdu = vec![6, 0, 24, 24];
                        pdu.extend(u32::try_from(24 + piece.len()).unwrap().to_le_bytes());
                        pdu.extend(&rest[..4]);
                        pdu.extend(u32::try_from(offset).unwrap().to_le_bytes());
                        pdu.extend(u32::try_from(piece.len()).unwrap().to_le_bytes());
                        pdu.extend([0; 4]);
                        pdu.extend(piece);
                        self.stream.write_all(&pdu).unwrap();
                    }
                }
                other => panic!("{other}"),
            }
        }
    }

    fn admin(&mut self, opcode: u8, namespace: u32, dwords: [u32; 2], data: Option<&[u8]>, room: usize) -> Completion {
        let mut entry = [0; 64];
        entry[0] = opcode;
        entry[4..8].copy_from_slice(&namespace.to_le_bytes());
        entry[40..44].copy_from_slice(&dwords[0].to_le_bytes());
        entry[44..48].copy_from_slice(&dwords[1].to_le_bytes());
        self.run(entry, data, room)
    }

    fn block(&mut self, opcode: u8, lba: u64, blocks: u32, data: Option<&[u8]>) -> Completion {
        let mut entry = [0; 64];
        entry[0] = opcode;
        entry[4] = 1;
        entry[40..48].copy_from_slice(&lba.to_le_bytes());
        entry[48..52].copy_from_slice(&(blocks - 1).to_le_bytes());
        self.run(entry, data, if opcode == 2 { blocks as usize * 512 } else { 0 })
    }

    fn configure(&mut self, value: u32) {
        let mut entry = [0; 64];
        entry[0] = 0x7f;
        entry[44] = 0x14;
        entry[48..52].copy_from_slice(&value.to_le_bytes());
        assert_eq!(self.run(entry, None, 0).status, 0);
    }

    fn property(&mut self, offset: u8) -> u64 {
        let mut entry = [0; 64];
        (entry[0], entry[4], entry[40], entry[44]) = (0x7f, 4, 1, offset);
        self.run(entry, None, 0).value
    }
}

/// Our own host over it.
impl Transport for Queue {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        let dword = u32::from(protocol) << 24 | u32::from(specific) << 8;
        let length = u32::try_from(data.len()).unwrap();
        match self.admin(0x81, 0, [dword, length], Some(data), 0).status {
            0 => Ok(()),
            status => Err(Error::CommandRefused { status: u32::from(status) }),
        }
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        let dword = u32::from(protocol) << 24 | u32::from(specific) << 8;
        let completion = self.admin(0x82, 0, [dword, u32::try_from(buffer.len()).unwrap()], None, buffer.len());
        if completion.status != 0 {
            return Err(Error::CommandRefused { status: u32::from(completion.status) });
        }
        buffer.copy_from_slice(&completion.data);
        Ok(())
    }
}

#[test]
fn a_host_connects_identifies_reads_and_writes() {
    let (target, drive) = target();
    let (mut admin, controller) = Queue::open(target.address(), 0, 0xffff, NQN).unwrap();
    assert_eq!(admin.property(0) & 0xffff, 127);
    admin.configure(0x0046_0001);
    assert_eq!((admin.property(0x1c), admin.property(0x08)), (1, 0x0001_0400));
    let identify = admin.admin(0x06, 0, [1, 0], None, 4096).data;
    assert_eq!(identify.len(), 4096);
    assert_eq!(&identify[4..12], b"TEST0001");
    assert_eq!(u16::from_le_bytes([identify[78], identify[79]]), controller);
    assert_eq!(identify[256] & 1, 1);
    let namespace = admin.admin(0x06, 1, [0, 0], None, 4096).data;
    assert_eq!(u64::from_le_bytes(namespace[..8].try_into().unwrap()), 4 * MIB / 512);
    assert_eq!(namespace[130], 9);
    assert_eq!(admin.admin(0x06, 1, [3, 0], None, 4096).data[0], 3);
    assert_eq!(admin.admin(0x06, 2, [0, 0], None, 4096).status, 0x400b);
    assert_eq!(admin.admin(0x09, 0, [7, 0x0001_0001], None, 0).value, 0x0001_0001);
    assert_eq!(admin.admin(0x18, 0, [0, 0], None, 0).status, 0);
    assert_eq!(admin.admin(0x55, 0, [0, 0], None, 0).status, 0x4001);

    let (mut queue, _) = Queue::open(target.address(), 1, controller, NQN).unwrap();
    let data = pattern(131_072, 1);
    assert_eq!(queue.block(1, 16, 256, Some(&data)).status, 0);
    assert_eq!(queue.block(1, 300, 4, Some(&data[..2048])).status, 0);
    assert_eq!(queue.block(0, 0, 1, None).status, 0);
    assert_eq!(queue.block(2, 16, 256, None).data, data);
    assert_eq!(common::read(&drive, 300, 4).unwrap(), data[..2048]);
    assert_eq!(queue.block(2, 4 * MIB / 512, 1, None).status, 0x4080);
    assert_eq!(queue.block(2, u64::MAX, 1, None).status, 0x4080);
    assert_eq!(queue.block(2, 0, 300, None).status, 0x4002);

    // Two pieces forgotten at once; the second one is not there.
    let mut ranges = vec![0; 32];
    ranges[4] = 2;
    ranges[8] = 44;
    ranges[16 + 4] = 1;
    ranges[16 + 8..32].copy_from_slice(&u64::MAX.to_le_bytes());
    let mut entry = [0; 64];
    (entry[0], entry[4], entry[44]) = (9, 1, 4);
    assert_eq!(queue.run(entry, Some(&ranges), 0).status, 0);
    let left = queue.block(2, 300, 4, None).data;
    assert_eq!(left, data[..2048]);
    ranges[8..10].copy_from_slice(&300_u16.to_le_bytes());
    assert_eq!(queue.run(entry, Some(&ranges), 0).status, 0);
    assert_eq!(queue.block(2, 300, 4, None).data, [&[0; 1024][..], &data[1024..2048]].concat());
    entry[40] = 1;
    assert_eq!(queue.run(entry, Some(&ranges), 0).status, 0x4080);

    // Wrong names and numbers.
    assert!(Queue::open(target.address(), 0, 0xffff, "nqn.other").is_err());
    assert!(Queue::open(target.address(), 1, 999, NQN).is_err());
}

#[test]
fn our_host_sets_the_drive_up_over_it_and_locked_blocks_are_refused() {
    let (target, drive) = target();
    let (mut admin, controller) = Queue::open(target.address(), 0, 0xffff, NQN).unwrap();
    admin.configure(0x0046_0001);
    let (mut queue, _) = Queue::open(target.address(), 1, controller, NQN).unwrap();
    let pin = secret(PIN);
    let patience = Patience { pause: Duration::ZERO, looks: 20 };
    let mut tper = Tper::open_with(admin, patience).unwrap();
    host::set_up(&mut tper, &pin).unwrap();
    // Larger than what comes with a command.
    host::load_shadow_mbr(&mut tper, &pin, &pattern(200_000, 2), &mut |_| {}).unwrap();
    host::locking(&mut tper, &pin, 0, true).unwrap();
    assert_eq!(queue.block(2, 0, 8, None).status, 0);
    host::lock(&mut tper, &pin, 0).unwrap();
    assert_eq!(queue.block(2, 0, 8, None).status, 0x4286);
    assert_eq!(queue.block(1, 0, 8, Some(&[0; 4096])).status, 0x4286);
    assert!(matches!(tper.transport().receive(0x55, 0, &mut [0; 512]), Err(Error::CommandRefused { .. })));

    // A host that vanishes in a session does not leave it behind: the next one enables the controller.
    std::mem::forget(tper.session(opal::uid::ADMIN_SP, None).unwrap());
    target.break_connections();
    let (mut admin, _) = Queue::open(target.address(), 0, 0xffff, NQN).unwrap();
    admin.configure(0x0046_0001);
    let mut tper = Tper::open_with(admin, patience).unwrap();
    tper.session(opal::uid::ADMIN_SP, None).unwrap().end().unwrap();
    drop(target);
    drop(drive);
}

#[test]
fn noise_ends_a_connection_and_nothing_else() {
    let (target, _drive) = target();
    for seed in 0..200_u64 {
        let mut noise = pattern(300, seed + 1);
        // Some come further than the first byte.
        match seed % 4 {
            0 => noise[0] = 0,
            1 => noise[..8].copy_from_slice(&[0, 0, 128, 0, 128, 0, 0, 0]),
            2 => {
                noise[..8].copy_from_slice(&[0, 0, 128, 0, 128, 0, 0, 0]);
                noise[128..136].copy_from_slice(&[4, 0, 72, 0, 72, 0, 0, 0]);
            }
            _ => {
                noise[..8].copy_from_slice(&[0, 0, 128, 0, 128, 0, 0, 0]);
                noise[128..136].copy_from_slice(&[6, 0, 24, 24, 40, 0, 0, 0]);
            }
        }
        let mut stream = TcpStream::connect(target.address()).unwrap();
        let _ = stream.write_all(&noise);
    }
    let (mut admin, _) = Queue::open(target.address(), 0, 0xffff, NQN).unwrap();
    assert_eq!(admin.property(0) & 0xffff, 127);
}
