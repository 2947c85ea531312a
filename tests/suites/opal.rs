//! Independent judges of the virtual Opal drive and of our own host: a stock kernel with `sed-opal`,
//! cryptsetup, sedutil and nvme-cli. Each sets up a drive that we take over, and takes over one that we set
//! up. The drives are here, the judges in the guest; between the two is NVMe/TCP.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use blockdev::{Access, FileDevice};
use model::Secret;
use opal::device::{Drive, Local, Options, Profile};
use opal::host::{self, Ownership};
use opal::nvme_tcp::{Subsystem, Target};
use opal::pin::{Cost, WayIn};
use opal::{Patience, Tper, uid};
use rigs::guest::{Guest, Output};
use rigs::tier::Tier;
use rigs::tool::Error;
use sha2::{Digest, Sha256};

const DATA: u64 = 64 << 20;
/// What we put into the shadow MBR, in bytes.
const IMAGE: usize = 300_000;

/// The drives, the target that serves them, and somebody here who does what the guest's script asks for.
struct Rig {
    folder: tempfile::TempDir,
    drives: Arc<BTreeMap<String, Arc<Drive>>>,
    target: Target,
    control: u16,
    ended: Arc<AtomicBool>,
}

impl Rig {
    fn new(profiles: &[(&str, Profile)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let make = |(name, profile): &(&str, Profile)| {
            let path = folder.path().join(name);
            let file = std::fs::File::create(&path).unwrap();
            file.set_len(Drive::overhead(profile) + DATA).unwrap();
            let device = FileDevice::open(&path, Access::Exclusive).unwrap();
            let options = Options { profile: profile.clone(), serial: format!("LATCHKEY-{name}") };
            ((*name).to_owned(), Arc::new(Drive::create(Arc::new(device), options).unwrap()))
        };
        let drives: BTreeMap<String, Arc<Drive>> = profiles.iter().map(make).collect();
        let subsystems = drives.iter().map(|(name, drive)| Subsystem { nqn: nqn(name), drive: Arc::clone(drive) });
        let target = Target::start("127.0.0.1:0", subsystems.collect()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let control = listener.local_addr().unwrap().port();
        let drives = Arc::new(drives);
        let ended = Arc::new(AtomicBool::new(false));
        let (for_control, has_ended) = (Arc::clone(&drives), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if has_ended.load(Ordering::SeqCst) {
                    return;
                }
                answer(&for_control, &stream);
            }
        });
        Self { folder, drives, target, control, ended }
    }

    fn run(&self, guest: &Guest, script: &str) -> Output {
        let ports = format!("PORT={} CONTROL={}\n", self.target.address().port(), self.control);
        let output = guest.run(&[&ports, PRELUDE, script].concat()).unwrap();
        for line in &output.lines {
            println!("| {line}");
        }
        println!("the guest took {:.1} s", output.time.as_secs_f64());
        output
    }

    fn tper(&self, name: &str) -> Tper<Local> {
        tper(&self.drives[name])
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.control));
    }
}

fn nqn(name: &str) -> String {
    format!("nqn.2025-01.org.latchkey:{name}")
}

fn tper(drive: &Arc<Drive>) -> Tper<Local> {
    let patience = Patience { pause: Duration::from_millis(1), looks: 100 };
    Tper::open_with(Local(Arc::clone(drive)), patience).unwrap()
}

/// One line in, one line out: `ok ...`, or what went wrong.
fn answer(drives: &BTreeMap<String, Arc<Drive>>, stream: &TcpStream) {
    let mut line = String::new();
    if BufReader::new(stream).read_line(&mut line).is_err() {
        return;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let said = match words.as_slice() {
        [verb, name, rest @ ..] => match drives.get(*name) {
            Some(drive) => carry_out(verb, drive, rest),
            None => Err("no such drive".into()),
        },
        _ => Err("what?".into()),
    };
    let mut stream = stream;
    let _ = match said {
        Ok(words) => writeln!(stream, "ok {words}"),
        Err(why) => writeln!(stream, "no: {why}"),
    };
}

fn carry_out(verb: &str, drive: &Arc<Drive>, rest: &[&str]) -> Result<String, String> {
    let why = |error: opal::Error| format!("{error:?}");
    let pin = |at: usize| Secret::from(*rest.get(at).unwrap_or(&""));
    let mut tper = tper(drive);
    match verb {
        "power-cycle" => drive.power_cycle().map_err(why).map(|()| String::new()),
        "psid" => Ok(drive.label().psid),
        "msid" => Ok(drive.label().msid),
        "facts" => Ok(serde_json::to_string(&tper.discovery().facts()).unwrap_or_default()),
        // It is as from the factory, and any PIN of before is gone.
        "factory" => match host::ownership(&mut tper, None).map_err(why)? {
            Ownership::Free if !tper.discovery().facts().locking_enabled => Ok("factory".into()),
            other => Err(format!("{other:?}")),
        },
        // The whole drive set up by us, data and all.
        "set-up" => set_up(&mut tper, drive, &pin(0)).map_err(why),
        // The whole way, with a password; what `sedutil-cli -n` then takes.
        "protect" => {
            drive.write(0, &pattern(1 << 20, 1)).unwrap();
            protect(&mut tper, &pin(0)).map_err(why)
        }
        "pin" => {
            let record = opal::protect::record(&mut tper).map_err(why)?;
            let pin = record.pin(WayIn::Password, &pin(0)).map_err(why)?;
            Ok(String::from_utf8_lossy(pin.expose()).into_owned())
        }
        "ranges" => {
            let ranges = host::ranges(&mut tper, &pin(0)).map_err(why)?;
            let shown = ranges.iter().filter(|range| range.in_use());
            let locked = |range: &host::RangeState| range.read_locked && range.write_locked;
            Ok(shown
                .map(|range| format!("{}:{}+{}:{}", range.number, range.start, range.length, locked(range)))
                .collect::<Vec<_>>()
                .join(" "))
        }
        "unlock" => host::unlock(&mut tper, &pin(0), number(rest)).map_err(why).map(|()| String::new()),
        "lock" => host::lock(&mut tper, &pin(0), number(rest)).map_err(why).map(|()| String::new()),
        "change-pins" => host::change_pins(&mut tper, &pin(0), &pin(1)).map_err(why).map(|()| String::new()),
        "give-back" => host::revert_keeping_data(&mut tper, &pin(0)).map_err(why).map(|()| String::new()),
        "done" => host::shadow_mbr_done(&mut tper, uid::admin(1), &pin(0), true).map_err(why).map(|()| String::new()),
        "image-hash" => {
            tper.exchange_properties().map_err(why)?;
            let mut session = tper.session(uid::LOCKING_SP, Some((uid::admin(1), &pin(0)))).map_err(why)?;
            let image = session.read_bytes(uid::MBR, 0, IMAGE).map_err(why)?;
            session.end().map_err(why)?;
            Ok(hash(&image))
        }
        "data-hash" => {
            let mut data = vec![0; 1 << 20];
            drive.read(0, &mut data).map_err(|error| error.to_string())?;
            Ok(hash(&data))
        }
        other => Err(format!("{other}?")),
    }
}

fn number(rest: &[&str]) -> u16 {
    rest.get(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn set_up(tper: &mut Tper<Local>, drive: &Arc<Drive>, pin: &Secret) -> opal::Result<String> {
    drive.write(0, &pattern(1 << 20, 1)).unwrap();
    host::set_up(tper, pin)?;
    host::add_admin(tper, pin, 2, &Secret::from("recovery"))?;
    host::load_shadow_mbr(tper, pin, &pattern(IMAGE, 2), &mut |_| {})?;
    host::set_shadow_mbr(tper, pin, true)?;
    host::locking(tper, pin, 0, true)?;
    Ok(hash(&pattern(1 << 20, 1)))
}

fn protect(tper: &mut Tper<Local>, password: &Secret) -> opal::Result<String> {
    let recovery = Secret::from("recovery-key");
    let cost = Cost { memory_kib: 1024, passes: 1, lanes: 1 };
    opal::protect::prepare(tper, opal::protect::Secrets { password, recovery: &recovery }, cost)?;
    opal::protect::load_image(tper, password, &pattern(IMAGE, 2), &mut |_| {})?;
    opal::protect::show_image(tper, password, true)?;
    opal::protect::switch_on(tper, password, true)?;
    Ok(hash(&pattern(1 << 20, 1)))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pattern(size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let words = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(size).collect()
}

/// What every script begins with.
const PRELUDE: &str = r#"
for module in virtio_net nvme_fabrics nvme_tcp dm_mod dm_crypt; do modprobe $module || true; done
ip link set lo up
ip addr add 10.0.2.15/24 dev eth0
ip link set eth0 up
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
ask() { printf '%s\n' "$*" | nc 10.0.2.2 $CONTROL; }
tell() {
    reply=$(ask "$@"); echo "tell $*: $reply"
    case "$reply" in ok*) ;; *) return 1;; esac
}
value() { ask "$@" | sed 's/^ok //'; }
part() { echo "== $* ($(cut -d' ' -f1 /proc/uptime) s)"; }
fails() { if "$@"; then echo "should have failed: $*"; return 1; fi; }
fresh() { echo 3 > /proc/sys/vm/drop_caches; }
attach() {
    exec 9<>/dev/nvme-fabrics
    printf 'transport=tcp,traddr=10.0.2.2,trsvcid=%s,nqn=nqn.2025-01.org.latchkey:%s,hostnqn=nqn.2025-01.org.latchkey:host,hostid=6ba7b810-9dad-11d1-80b4-00c04fd430c8,nr_io_queues=1,reconnect_delay=1,ctrl_loss_tmo=30' $PORT $1 >&9
    exec 9>&-
    waited=0
    while [ ! -b /dev/nvme0n1 ] && [ $waited -lt 200 ]; do sleep 0.1; waited=$((waited + 1)); done
    [ -b /dev/nvme0n1 ]
}
detach() {
    echo 1 > /sys/class/nvme/nvme0/delete_controller
    waited=0
    while [ -e /dev/nvme0n1 ] && [ $waited -lt 100 ]; do sleep 0.1; waited=$((waited + 1)); done
}
cycle() { detach; tell power-cycle $1; attach $1; }
# The first bytes of the drive, past every cache.
head_hash() { fresh; dd if=/dev/nvme0n1 bs=4096 count=$((($1 + 4095) / 4096)) 2>/dev/null | head -c $1 | sha256sum | cut -d' ' -f1; }
same() { if [ "$1" != "$2" ]; then echo "not the same: $1 $2"; return 1; fi; }
# nvme-cli and its like ask on a terminal.
typed() {
    keys=$1; shift
    (sleep 2; for key in $keys; do printf '%s\n' "$key"; sleep 2; done) | script -q -c "$*; echo ended \$?" /dev/null > /tmp/typed 2>&1 || true
    cat /tmp/typed; grep -q 'ended 0' /tmp/typed
}
"#;

/// cryptsetup: ranges of its own, with and without dm-crypt above them; and ours taken over.
const CRYPTSETUP: &str = r#"
QUICK="--pbkdf pbkdf2 --pbkdf-force-iterations 1000 --batch-mode"
dd if=/dev/urandom of=/tmp/data bs=64k count=16 2>/dev/null
open_it() { printf 'correct horse' | cryptsetup open /dev/nvme0n1 plain; }

part cryptsetup sets up, we take over
attach crypt
printf 'correct horse\nadminpin\n' | cryptsetup luksFormat $QUICK --hw-opal-only /dev/nvme0n1
cryptsetup luksDump /dev/nvme0n1 | grep -i -A3 'hw-opal'
open_it
dd if=/tmp/data of=/dev/mapper/plain bs=64k conv=fsync 2>/dev/null
cryptsetup status plain
cryptsetup close plain
fresh
fails dd if=/dev/nvme0n1 of=/dev/null bs=512 skip=32768 count=8
tell ranges crypt adminpin
tell unlock crypt adminpin 1
fresh
dd if=/dev/nvme0n1 bs=512 skip=32768 count=2048 2>/dev/null | cmp - /tmp/data
tell lock crypt adminpin 1

part power off and on
cycle crypt
fails dd if=/dev/nvme0n1 of=/dev/null bs=512 skip=32768 count=8
printf 'wrong' | fails cryptsetup open /dev/nvme0n1 plain
open_it
dd if=/dev/mapper/plain bs=64k count=16 2>/dev/null | cmp - /tmp/data
cryptsetup close plain

part reset by the PSID
value psid crypt | tr -d '\n' > /tmp/psid
cryptsetup luksErase --batch-mode --hw-opal-factory-reset --key-file /tmp/psid /dev/nvme0n1
tell factory crypt

part with dm-crypt above
printf 'correct horse\nadminpin\n' | cryptsetup luksFormat $QUICK --hw-opal /dev/nvme0n1
open_it
dd if=/tmp/data of=/dev/mapper/plain bs=64k conv=fsync 2>/dev/null
cryptsetup close plain
cycle crypt
open_it
dd if=/dev/mapper/plain bs=64k count=16 2>/dev/null | cmp - /tmp/data
cryptsetup close plain
printf 'adminpin' | cryptsetup luksErase --batch-mode /dev/nvme0n1
fails open_it
detach

part a drive that we activated
attach adopted
tell set-up adopted ourpin
cycle adopted
tell unlock adopted ourpin 0
tell done adopted ourpin
fresh
printf 'correct horse\nourpin\n' | cryptsetup luksFormat $QUICK --hw-opal-only /dev/nvme0n1
open_it
dd if=/tmp/data of=/dev/mapper/plain bs=64k conv=fsync 2>/dev/null
cryptsetup close plain
tell ranges adopted ourpin
detach
"#;

/// sedutil: query, set-up, lock, unlock, the image, revert; and ours taken over.
const SEDUTIL: &str = r#"
D=/dev/nvme0
dd if=/dev/urandom of=/tmp/image bs=1000 count=300 2>/dev/null

part sedutil looks
attach sed
sedutil-cli --scan
sedutil-cli --query $D > /tmp/query || true
cat /tmp/query
grep -q 'OPAL 2.0 function' /tmp/query
sedutil-cli --printDefaultPassword $D | grep "$(value msid sed)"

part sedutil sets up, we take over
sedutil-cli -n --initialSetup sedpass $D
sedutil-cli -n --enableLockingRange 0 sedpass $D
sedutil-cli -n --loadPBAimage sedpass /tmp/image $D
same "$(value image-hash sed sedpass)" "$(sha256sum /tmp/image | cut -d' ' -f1)"
dd if=/tmp/image of=/dev/nvme0n1 bs=1000 count=300 conv=fsync 2>/dev/null
sedutil-cli -n --setLockingRange 0 LK sedpass $D
fresh
fails dd if=/dev/nvme0n1 of=/dev/null bs=4096 count=1
tell ranges sed sedpass
tell unlock sed sedpass 0
fresh
dd if=/dev/nvme0n1 of=/dev/null bs=4096 count=1
tell change-pins sed sedpass newpass
sedutil-cli -n --setMBREnable on newpass $D
sedutil-cli -n --listLockingRanges newpass $D
cycle sed
same "$(head_hash 300000)" "$(sha256sum /tmp/image | cut -d' ' -f1)"
sedutil-cli -n --setMBRDone on newpass $D
sedutil-cli -n --setLockingRange 0 RW newpass $D
same "$(head_hash 300000)" "$(sha256sum /tmp/image | cut -d' ' -f1)"
sedutil-cli -n --revertTPer newpass $D
tell factory sed

part sedutil resets by the PSID
sedutil-cli --initialSetup hashed $D
sedutil-cli --yesIreallywanttoERASEALLmydatausingthePSID $(value psid sed) $D
tell factory sed
detach

part sedutil takes over ours
attach ours
tell set-up ours ourpin
DATA=$(value data-hash ours)
cycle ours
fails same "$(head_hash 1048576)" "$DATA"
sedutil-cli -n --setLockingRange 0 RW ourpin $D
sedutil-cli -n --setMBRDone on ourpin $D
same "$(head_hash 1048576)" "$DATA"
sedutil-cli -n --listLockingRange 0 ourpin $D
sedutil-cli -n --setLockingRange 0 LK ourpin $D
fresh
fails dd if=/dev/nvme0n1 of=/dev/null bs=4096 count=1
sedutil-cli -n --setLockingRange 0 RW ourpin $D
tell give-back ours ourpin
tell factory ours
same "$(head_hash 1048576)" "$DATA"
tell set-up ours ourpin
sedutil-cli -n --revertNoErase ourpin $D
same "$(head_hash 1048576)" "$DATA"
detach

part sedutil opens with the PIN of a password
attach password
tell protect password correct-horse
DATA=$(value data-hash password)
PIN=$(value pin password correct-horse)
cycle password
fails same "$(head_hash 1048576)" "$DATA"
sedutil-cli -n --setLockingRange 0 RW $PIN $D
sedutil-cli -n --setMBRDone on $PIN $D
same "$(head_hash 1048576)" "$DATA"
detach
"#;

/// The kernel's ioctls through nvme-cli; and ours taken over.
const NVME: &str = r#"
B=/dev/nvme0n1
part nvme-cli sets up, we take over
attach nvme
nvme sed discover $B
dd if=/dev/urandom of=/tmp/data bs=64k count=16 2>/dev/null
dd if=/tmp/data of=$B bs=64k conv=fsync 2>/dev/null
typed 'nvmepass1 nvmepass1' nvme sed initialize $B
nvme sed discover $B
typed 'nvmepass1' nvme sed lock --ask-key $B
fresh
fails dd if=$B of=/dev/null bs=4096 count=1
tell ranges nvme nvmepass1
tell unlock nvme nvmepass1 0
fresh
dd if=$B bs=64k count=16 2>/dev/null | cmp - /tmp/data
tell lock nvme nvmepass1 0
typed 'nvmepass1' nvme sed unlock --ask-key $B
fresh
dd if=$B bs=64k count=16 2>/dev/null | cmp - /tmp/data
typed 'nvmepass1' nvme sed revert $B
tell factory nvme
fresh
dd if=$B bs=64k count=16 2>/dev/null | cmp - /tmp/data

part nvme-cli resets by the PSID
typed 'nvmepass1 nvmepass1' nvme sed initialize $B
typed "y y $(value psid nvme)" nvme sed revert --psid $B
tell factory nvme
fresh
fails same "$(head_hash 1048576)" "$(sha256sum /tmp/data | cut -d' ' -f1)"
detach

part nvme-cli takes over ours
attach ours2
tell set-up ours2 ourpin12
DATA=$(value data-hash ours2)
cycle ours2
tell done ours2 ourpin12
typed 'ourpin12' nvme sed unlock --ask-key $B
same "$(head_hash 1048576)" "$DATA"
typed 'ourpin12' nvme sed lock --ask-key $B
fresh
fails dd if=$B of=/dev/null bs=4096 count=1
detach
"#;

/// Our own host, through the kernel's pass-through: the transport that real drives are reached by.
const OURS: &str = r#"
D=/dev/nvme0
dd if=/dev/vdb of=/tmp/opal-host bs=64k 2>/dev/null
chmod +x /tmp/opal-host
part our host on the kernel
attach mine
dd if=/dev/urandom of=/tmp/data bs=64k count=16 2>/dev/null
dd if=/tmp/data of=/dev/nvme0n1 bs=64k conv=fsync 2>/dev/null
/tmp/opal-host facts $D
/tmp/opal-host protocols $D
/tmp/opal-host set-up $D ourpin
/tmp/opal-host ownership $D ourpin | grep Ours
cycle mine
fails /tmp/opal-host unlock $D wrong
fresh
# The image, which is nothing but this letter.
same "$(dd if=/dev/nvme0n1 bs=4096 count=4 2>/dev/null | tr -d Z | wc -c)" 0
/tmp/opal-host recovery-unlock /dev/nvme0n1
/tmp/opal-host done $D ourpin
fresh
dd if=/dev/nvme0n1 bs=64k count=16 2>/dev/null | cmp - /tmp/data
/tmp/opal-host save /dev/nvme0n1 ourpin
/tmp/opal-host lock $D ourpin
fresh
fails dd if=/dev/nvme0n1 of=/dev/null bs=4096 count=1
/tmp/opal-host unlock $D ourpin
/tmp/opal-host give-back $D ourpin
tell factory mine
fresh
dd if=/dev/nvme0n1 bs=64k count=16 2>/dev/null | cmp - /tmp/data
blkdiscard -o 0 -l 1048576 /dev/nvme0n1
fresh
same "$(dd if=/dev/nvme0n1 bs=64k count=16 2>/dev/null | tr -d '\000' | wc -c)" 0
detach
"#;

/// Both, one above the other: `latchkey encrypt --method both` on a file system that is there; the kernel and
/// cryptsetup open it again. And all drives looked at, through the kernel.
const BOTH: &str = r#"
B=/dev/nvme0n1
LATCHKEY=/tmp/latchkey
dd if=/dev/vdc of=$LATCHKEY bs=64k 2>/dev/null
chmod +x $LATCHKEY
export LC_ALL=C.UTF-8
part both, one above the other
# The guest has no units; where a system has them, the drive is opened by one.
mkdir -p /etc/systemd /tmp/stick
attach both
# Room for the header stays behind the file system. By its path: busybox has a small one of that name.
/usr/sbin/mke2fs -q -F -t ext4 $B 55m
mount -t ext4 $B /mnt
dd if=/dev/urandom of=/mnt/photo bs=64k count=64 2>/dev/null
sha256sum /mnt/photo | cut -d' ' -f1 > /tmp/photo
umount /mnt
printf 'correct horse battery' > /tmp/password
$LATCHKEY encrypt $B --method both --password-file /tmp/password --recovery-dir /tmp/stick --recovery-dir-is-elsewhere --iter-time 200 --sleep light --yes
cryptsetup isLuks $B
$LATCHKEY opal discover $B
ls /etc/systemd/system/local-fs.target.wants/
[ ! -d /etc/latchkey/keys ] || [ -z "$(ls /etc/latchkey/keys)" ]
cycle both
# Closed below: not even the header is seen.
fails cryptsetup isLuks $B
cryptsetup open --key-file /tmp/password $B plain && exit 1
$LATCHKEY opal unlock /dev/nvme0 --password-file /tmp/password
fresh
$LATCHKEY opal discover $B | grep 'seen_locked = yes'
# Open below, and nobody reads a file without opening it above.
fails mount -t ext4 $B /mnt
cryptsetup open --key-file /tmp/password $B plain
e2fsck -fn /dev/mapper/plain
mount -t ext4 -o ro /dev/mapper/plain /mnt
same "$(sha256sum /mnt/photo | cut -d' ' -f1)" "$(cat /tmp/photo)"
umount /mnt
cryptsetup close plain
cycle both
part the recovery key opens both
RECOVERY=$(ls /tmp/stick/*recovery*.txt /tmp/stick/*.txt 2>/dev/null | head -n 1)
$LATCHKEY opal unlock /dev/nvme0 --recovery-file "$RECOVERY"
fresh
$LATCHKEY prove $B --recovery-file "$RECOVERY"
part and back: the lock below, then the volume above
$LATCHKEY opal give-back /dev/nvme0 --password-file /tmp/password --yes
tell factory both
[ -z "$(ls /etc/systemd/system/local-fs.target.wants/)" ]
cycle both
cryptsetup open --key-file /tmp/password $B plain
mount -t ext4 -o ro /dev/mapper/plain /mnt
same "$(sha256sum /mnt/photo | cut -d' ' -f1)" "$(cat /tmp/photo)"
umount /mnt
cryptsetup close plain
detach
"#;

/// Eight drives at once, each looked at through the kernel.
const EIGHT: &str = r#"
part eight drives
for name in adopted crypt mine nvme ours password sed large; do
    exec 9<>/dev/nvme-fabrics
    printf 'transport=tcp,traddr=10.0.2.2,trsvcid=%s,nqn=nqn.2025-01.org.latchkey:%s,hostnqn=nqn.2025-01.org.latchkey:host,hostid=6ba7b810-9dad-11d1-80b4-00c04fd430c8,nr_io_queues=1,reconnect_delay=1,ctrl_loss_tmo=30' $PORT $name >&9
    exec 9>&-
done
/tmp/opal-host discover-all
/tmp/opal-host discover-all | grep '^8 drives'
for controller in /sys/class/nvme/nvme*; do echo 1 > $controller/delete_controller; done
"#;

/// The odd drives, which the judges must find as odd as we do.
const ODD: &str = r#"
QUICK="--pbkdf pbkdf2 --pbkdf-force-iterations 1000 --batch-mode"
part blocks of 4096 bytes
attach large
printf 'correct horse\nadminpin\n' | cryptsetup luksFormat $QUICK --hw-opal-only /dev/nvme0n1
printf 'correct horse' | cryptsetup open /dev/nvme0n1 plain
dd if=/dev/urandom of=/tmp/data bs=64k count=16 2>/dev/null
dd if=/tmp/data of=/dev/mapper/plain bs=64k conv=fsync 2>/dev/null
cryptsetup close plain
cycle large
printf 'correct horse' | cryptsetup open /dev/nvme0n1 plain
dd if=/dev/mapper/plain bs=64k count=16 2>/dev/null | cmp - /tmp/data
cryptsetup close plain
detach
part block sizes that differ
attach lying
printf 'correct horse\nadminpin\n' | fails cryptsetup luksFormat $QUICK --hw-opal-only /dev/nvme0n1
detach
part locking without encryption
attach pyrite
printf 'correct horse\nadminpin\n' | fails cryptsetup luksFormat $QUICK --hw-opal-only /dev/nvme0n1
fails nvme sed discover /dev/nvme0n1
detach
part a blocked SID
attach blocked
fails sedutil-cli -n --initialSetup sedpass /dev/nvme0
tell power-cycle blocked
fails /tmp/opal-host set-up /dev/nvme0 ourpin
detach
"#;

#[test]
fn the_judges_set_up_take_over_and_give_back() {
    let Some(guest) = guest() else { return };
    let mut drives = ["adopted", "crypt", "mine", "nvme", "ours", "ours2", "password", "sed"]
        .map(|name| (name, Profile::default()))
        .to_vec();
    let odd = [("large", "blocks-4096"), ("lying", "block-size-520"), ("pyrite", "pyrite"), ("blocked", "sid-blocked")];
    drives.extend(odd.map(|(name, profile)| (name, Profile::named(profile).unwrap())));
    drives.push(("both", Profile::default()));
    let rig = Rig::new(&drives);
    let host = disk_of(&rig, "opal-host", Path::new(env!("CARGO_BIN_EXE_opal-host")));
    let guest = guest.read_only_disk(&host);
    let mut parts = vec![CRYPTSETUP, SEDUTIL, NVME, OURS];
    let program = std::env::var_os("LATCHKEY_PROGRAM");
    let guest = match (Tier::now(), program) {
        (Tier::Full, Some(program)) => {
            parts.extend([ODD, BOTH, EIGHT]);
            guest.read_only_disk(&disk_of(&rig, "latchkey", Path::new(&program)))
        }
        (Tier::Full, None) => panic!("LATCHKEY_PROGRAM names the program"),
        (_, _) => {
            println!("left out: the odd drives, both methods at once and eight drives, which the full tier has");
            guest
        }
    };
    parts.push("\necho all done\n");
    let output = rig.run(&guest, &parts.concat());
    assert_eq!(output.status, 0);
    assert!(output.lines.iter().any(|line| line == "all done"));
    // What the guest's last word was: our drive, locked by nvme-cli, in our eyes.
    assert!(rig.tper("ours2").discovery().facts().locked);
}

/// A program as a disk. A disk is made of sectors; zeros behind a program do it no harm.
fn disk_of(rig: &Rig, name: &str, program: &Path) -> PathBuf {
    let path = rig.folder.path().join(format!("{name}-program"));
    let mut bytes = std::fs::read(program).unwrap();
    bytes.resize(bytes.len().next_multiple_of(4096), 0);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The guest, or `None` where it cannot be: then the test says so and is left out. Where the whole is
/// tested that is no excuse.
fn guest() -> Option<Guest> {
    match Guest::with_opal_judges() {
        Ok(guest) => Some(guest),
        Err(error @ (Error::Missing(_) | Error::Failed { .. })) if Tier::now() == Tier::Quick => {
            println!("left out: {error}");
            None
        }
        Err(error) => panic!("the guest cannot be made: {error}"),
    }
}
