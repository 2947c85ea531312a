//! A bus, a polkit and a laptop, all of the test's own.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use boot::start::LastStart;
use boot::verbs::{Phase, Status, Undone};
use model::{Condition, Fault, Meter, Secret, Sink, StepId, Unit, VolumeId};
use service::{Desktop, NamedStick, Options, Reading, Remote, System, Trial, Wish, names, pipe};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use wizard::engine::Seen;
use zbus::connection::Builder;
use zbus::wire::{OwnedVariant, Variant};
use zbus::{Connection, interface};

pub const PASSWORD: &str = "correct horse battery";
pub const UUID: &str = "3c1b4f0e-0000-4000-8000-000000000001";

pub fn id() -> VolumeId {
    VolumeId("bdceb69e-8608-324f-b3df-2a424f83c5bc".into())
}

/// What polkit says.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    Yes,
    No,
    /// Somebody would have to be asked, and nobody can.
    Challenge,
    Dismissed,
}

/// What polkit was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub subject: String,
    pub uid: Option<u32>,
    pub action: String,
    pub interactive: bool,
}

struct Polkit {
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

#[interface(name = "org.freedesktop.PolicyKit1.Authority")]
impl Polkit {
    async fn check_authorization(
        &self,
        #[zbus(connection)] bus: &Connection,
        subject: (String, HashMap<String, OwnedVariant>),
        action: String,
        _details: HashMap<String, String>,
        flags: u32,
        _cancellation: String,
    ) -> (bool, bool, HashMap<String, String>) {
        assert_eq!(subject.0, "system-bus-name");
        let Variant::Str(name) = &*subject.1["name"] else { panic!("no name") };
        let name = name.to_string();
        let proxy = zbus::fdo::DBusProxy::new(bus).await.unwrap();
        let uid = proxy.get_connection_unix_user(name.as_str().try_into().unwrap()).await.ok();
        self.asked.lock().unwrap().push(Asked { subject: name, uid, action, interactive: flags == 1 });
        let no = HashMap::new();
        match *self.answer.lock().unwrap() {
            Answer::Yes => (true, false, no),
            Answer::No => (false, false, no),
            Answer::Challenge => (false, true, no),
            Answer::Dismissed => (false, true, [("polkit.dismissed".into(), "1".into())].into()),
        }
    }
}

/// Notes what is held up, and gives out a pipe that tells when it is over; and how the session was ended.
#[derive(Default)]
struct Login(Arc<Mutex<Vec<(String, std::io::PipeReader)>>>, Arc<Mutex<Vec<String>>>);

#[interface(name = "org.freedesktop.login1.Manager")]
impl Login {
    fn inhibit(&self, what: &str, _who: &str, why: &str, mode: &str) -> zbus::OwnedFd {
        let (reader, writer) = std::io::pipe().unwrap();
        self.0.lock().unwrap().push((format!("{what} {mode}: {why}"), reader));
        OwnedFd::from(writer).into()
    }

    fn reboot(&self, interactive: bool) -> zbus::fdo::Result<()> {
        self.ended("reboot", interactive)
    }

    fn power_off(&self, interactive: bool) -> zbus::fdo::Result<()> {
        self.ended("power off", interactive)
    }
}

impl Login {
    /// A second time it is held up by somebody.
    fn ended(&self, how: &str, interactive: bool) -> zbus::fdo::Result<()> {
        let mut ended = self.1.lock().unwrap();
        if ended.iter().any(|before| before.starts_with(how)) {
            return Err(zbus::fdo::Error::AccessDenied("held up".into()));
        }
        ended.push(format!("{how} {interactive}"));
        Ok(())
    }
}

/// A laptop that notes what it was asked to do.
#[derive(Default)]
pub struct Laptop {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    calls: Vec<String>,
    staged: bool,
    taken_back: usize,
    taken_up: usize,
    closed: bool,
    fault: Option<Fault>,
    stands: Option<(Phase, Option<LastStart>)>,
}

/// As long as it lives, the laptop's work does not come to its end.
pub struct Gate(Arc<Laptop>);

impl Drop for Gate {
    fn drop(&mut self) {
        self.0.lock().closed = false;
        self.0.changed.notify_all();
    }
}

impl Laptop {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn note(&self, call: &str) -> Result<(), Fault> {
        let mut state = self.lock();
        state.calls.push(call.to_owned());
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        let _open = self.changed.wait_while(state, |state| state.closed).unwrap();
        Ok(())
    }

    fn wait(&self, what: impl Fn(&State) -> bool) {
        let (state, waited) =
            self.changed.wait_timeout_while(self.lock(), Duration::from_secs(30), |state| !what(state)).unwrap();
        assert!(!waited.timed_out(), "{:?}", state.calls);
    }

    pub fn close_gate(self: &Arc<Self>) -> Gate {
        self.lock().closed = true;
        Gate(Arc::clone(self))
    }

    pub fn calls(&self) -> Vec<String> {
        self.lock().calls.clone()
    }

    pub fn is_staged(&self) -> bool {
        self.lock().staged
    }

    pub fn taken_up(&self) -> usize {
        self.lock().taken_up
    }

    pub fn fail_with(&self, fault: Fault) {
        self.lock().fault = Some(fault);
    }

    pub fn wait_until_taken_back(&self) {
        self.wait(|state| state.taken_back > 0);
        self.lock().taken_back = 0;
    }

    /// From now on it is that far.
    pub fn stands_at(&self, phase: Phase, last_start: Option<LastStart>) {
        self.lock().stands = Some((phase, last_start));
    }

    pub fn wait_until_staged(&self) {
        self.wait(|state| state.staged);
    }
}

struct Keyhole<'a>(&'a Wish);

impl Trial for Keyhole<'_> {
    fn opens(&mut self, secret: &Secret) -> Result<(), Fault> {
        let fits = *secret == self.0.key.secret() || *secret == self.0.password;
        if fits { Ok(()) } else { Err(Fault::new("luks-wrong-secret", model::FaultKind::WrongSecret)) }
    }
}

impl System for Laptop {
    fn drives(&self) -> Result<Seen, Fault> {
        self.note("drives").map(|()| Seen::default())
    }
    fn id(&self) -> Result<VolumeId, Fault> {
        self.note("id").map(|()| id())
    }
    fn check(&self, _: &VolumeId) -> Result<Vec<Condition>, Fault> {
        let passed = Condition {
            code: "boot-root".into(),
            outcome: model::Outcome::Pass,
            reason: model::Reason::new("boot-in-order"),
            evidence: String::new(),
        };
        self.note("check").map(|()| vec![passed])
    }
    fn status(&self, id: &VolumeId) -> Result<Status, Fault> {
        self.note("status")?;
        let state = self.lock();
        let staged = if state.staged { Phase::Staged } else { Phase::Untouched };
        let (phase, last_start) = state.stands.clone().unwrap_or((staged, None));
        Ok(Status { id: id.clone(), phase, last_start })
    }
    fn stage(
        &self,
        _: &VolumeId,
        wish: &Wish,
        export: &mut dyn FnMut(&str, &mut dyn Trial) -> Result<(), Fault>,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        assert_eq!(wish.password, Secret::from(PASSWORD));
        self.note("stage")?;
        let mut meter = Meter::new(sink, StepId::Header, 7, Unit::Steps);
        let exported = export(UUID, &mut Keyhole(wish));
        if exported.is_err() {
            self.lock().taken_back += 1;
            self.changed.notify_all();
            return exported;
        }
        self.note("the rest")?;
        meter.at(7);
        self.lock().staged = true;
        self.changed.notify_all();
        Ok(())
    }
    fn pause(&self, _: &VolumeId) -> Result<(), Fault> {
        self.note("pause")
    }
    fn resume(&self, _: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault> {
        assert_eq!(secret, Some(&Secret::from(PASSWORD)));
        self.note("resume")
    }
    fn undo(&self, _: &VolumeId) -> Result<Undone, Fault> {
        self.note("undo").map(|()| Undone::Now)
    }
    fn decrypt(&self, _: &VolumeId, _: &Secret) -> Result<(), Fault> {
        self.note("decrypt")
    }
    fn sticks(&self) -> Result<Vec<NamedStick>, Fault> {
        let stick = NamedStick { id: "sdb@17".into(), name: "Stick 3000".into(), size: 8 << 30 };
        self.note("sticks").map(|()| vec![stick])
    }
    fn write_stick(&self, _: &str, _: &str, _: &str) -> Result<(), Fault> {
        self.note("write stick")
    }
    fn benchmark(&self, _: &str) -> Result<Reading, Fault> {
        self.note("benchmark").map(|()| Reading { sequential: 1.0, median_us: 1.0, p95_us: 1.0 })
    }
    fn take_up(&self) -> Result<bool, Fault> {
        self.lock().taken_up += 1;
        Ok(true)
    }
}

/// A bus that the test has started. It ends with this.
struct Bus {
    daemon: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Bus {
    /// With the rules of a system bus, and those that our package adds.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/dist/io.github.latchkey.Service1.conf");
        let uid = rustix::process::geteuid().as_raw().to_string();
        // The service of the test runs as whoever tests.
        let rules = std::fs::read_to_string(own).unwrap().replace("user=\"root\"", &format!("user=\"{uid}\""));
        std::fs::write(folder.path().join("own.conf"), rules).unwrap();
        let configuration = format!(
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN\"\n\
             \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n\
             <busconfig><listen>unix:path={0}/bus</listen><auth>EXTERNAL</auth>\n\
             <policy context=\"default\"><allow user=\"*\"/><deny own=\"*\"/><deny send_type=\"method_call\"/>\n\
             <allow send_type=\"signal\"/><allow send_requested_reply=\"true\" send_type=\"method_return\"/>\n\
             <allow send_requested_reply=\"true\" send_type=\"error\"/><allow receive_type=\"method_call\"/>\n\
             <allow receive_type=\"method_return\"/><allow receive_type=\"error\"/><allow receive_type=\"signal\"/>\n\
             <allow send_destination=\"org.freedesktop.DBus\"/>\n\
             <allow send_destination=\"org.freedesktop.login1\"/>\n\
             <allow send_destination=\"org.freedesktop.PolicyKit1\"/></policy>\n\
             <policy user=\"{uid}\"><allow own=\"org.freedesktop.login1\"/>\n\
             <allow own=\"org.freedesktop.PolicyKit1\"/></policy>\n\
             <include>{0}/own.conf</include></busconfig>",
            folder.path().display()
        );
        let file = folder.path().join("bus.conf");
        std::fs::write(&file, configuration).unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", file.display()))
            .args(["--nofork", "--nopidfile", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned(), _folder: folder }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

pub struct Rig {
    runtime: Runtime,
    laptop: Arc<Laptop>,
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// A caller that speaks by hand; `None` when it has left.
    raw: Mutex<Option<Connection>>,
    served: JoinHandle<zbus::Result<()>>,
    _polkit: Option<Connection>,
    held_up: Arc<Mutex<Vec<(String, std::io::PipeReader)>>>,
    ended: Arc<Mutex<Vec<String>>>,
    _login: Connection,
    bus: Bus,
}

impl Rig {
    pub fn new() -> Self {
        Self::made(true, Options::default().idle)
    }

    pub fn without_polkit() -> Self {
        Self::made(false, Options::default().idle)
    }

    pub fn with_idle(idle: Duration) -> Self {
        Self::made(true, idle)
    }

    fn made(with_polkit: bool, idle: Duration) -> Self {
        let bus = Bus::new();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (answer, asked) = (Arc::new(Mutex::new(Answer::Yes)), Arc::default());
        let polkit = Polkit { answer: Arc::clone(&answer), asked: Arc::clone(&asked) };
        let builder = || Builder::address(bus.address.as_str());
        let polkit = with_polkit.then(|| {
            let path = "/org/freedesktop/PolicyKit1/Authority";
            let built = builder().name("org.freedesktop.PolicyKit1").serve_at(path, polkit).build();
            runtime.block_on(built).unwrap()
        });
        let login = Login::default();
        let (held_up, ended) = (Arc::clone(&login.0), Arc::clone(&login.1));
        let login = builder().name("org.freedesktop.login1").serve_at("/org/freedesktop/login1", login).build();
        let login = runtime.block_on(login).unwrap();
        let laptop = Arc::new(Laptop::default());
        let (system, address) = (Arc::clone(&laptop), bus.address.clone());
        let served =
            runtime.spawn(async move { service::serve(Builder::address(&*address), system, Options { idle }).await });
        let this = Self {
            runtime,
            laptop,
            answer,
            asked,
            raw: Mutex::new(None),
            served,
            _polkit: polkit,
            held_up,
            ended,
            _login: login,
            bus,
        };
        let end = Instant::now() + Duration::from_secs(30);
        while let Err(fault) = this.remote_or_fault() {
            assert!(Instant::now() < end && !this.served.is_finished(), "{fault}");
            std::thread::sleep(Duration::from_millis(20));
        }
        this
    }

    pub fn address(&self) -> &str {
        &self.bus.address
    }

    pub fn laptop(&self) -> &Arc<Laptop> {
        &self.laptop
    }

    pub fn answer(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    pub fn take_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// What was held up, and that it is no longer: the other ends are closed.
    pub fn was_held_up(&self) -> Vec<String> {
        let held_up = std::mem::take(&mut *self.held_up.lock().unwrap());
        let ended = |(what, mut pipe): (String, std::io::PipeReader)| {
            assert_eq!(std::io::Read::read(&mut pipe, &mut [0; 1]).unwrap(), 0);
            what
        };
        held_up.into_iter().map(ended).collect()
    }

    /// How much is held up at the moment, or was.
    pub fn held_up(&self) -> usize {
        self.held_up.lock().unwrap().len()
    }

    /// How sessions were ended.
    pub fn ended(&self) -> Vec<String> {
        self.ended.lock().unwrap().clone()
    }

    /// What the window has.
    pub fn desktop(&self) -> Desktop {
        let address = self.address().to_owned();
        Desktop::over(texts::Language::German, move || Remote::over(Builder::address(&*address)))
    }

    pub fn is_serving(&self) -> bool {
        !self.served.is_finished()
    }

    pub fn remote(&self) -> Remote {
        self.remote_or_fault().unwrap()
    }

    pub fn remote_or_fault(&self) -> Result<Remote, Fault> {
        Remote::over(Builder::address(self.address()))
    }

    /// The caller that speaks by hand.
    fn connection(&self) -> Connection {
        let mut raw = self.raw.lock().unwrap();
        let address = self.address().to_owned();
        raw.get_or_insert_with(|| self.runtime.block_on(Builder::address(&*address).build()).unwrap()).clone()
    }

    /// What was answered, or the fault's text.
    fn call<A, R>(&self, method: &str, arguments: &A) -> Result<R, String>
    where
        A: serde::Serialize + zbus::DynamicType,
        R: for<'a> zbus::wire::DynamicDeserialize<'a>,
    {
        let connection = self.connection();
        let called = connection.call_method(Some(names::BUS), names::PATH, Some(names::INTERFACE), method, arguments);
        let answer = self.runtime.block_on(called).map_err(|error| error.to_string())?;
        answer.body().deserialize().map_err(|error| error.to_string())
    }

    pub fn begin_staging(&self, wish: &Wish) -> (String, String) {
        let key = Secret::new(wish.key.text().as_bytes().to_vec());
        self.stage_with(pipe::send(&[&wish.password, &key]).unwrap()).unwrap()
    }

    pub fn stage_with(&self, pipe: OwnedFd) -> Result<(String, String), String> {
        self.call("Stage", &(id().0, 500_u32, zbus::OwnedFd::from(pipe)))
    }

    pub fn raw_prove(&self, ticket: &str, secret: &Secret) -> String {
        let pipe = zbus::OwnedFd::from(pipe::send(&[secret]).unwrap());
        self.call::<_, ()>("Prove", &(ticket, pipe)).err().unwrap_or_default()
    }

    pub fn raw_begin(&self, ticket: &str) -> String {
        self.call::<_, ()>("Begin", &(ticket,)).err().unwrap_or_default()
    }

    /// The window is killed: its connection ends.
    pub fn leave(&self) {
        if let Some(connection) = self.raw.lock().unwrap().take() {
            self.runtime.block_on(connection.close()).unwrap();
        }
    }

    /// Asks to begin, and is killed before the answer.
    pub fn begin_and_leave(&self, ticket: &str) {
        let connection = self.connection();
        let message = zbus::Message::method_call(names::PATH, "Begin")
            .destination(names::BUS)
            .interface(names::INTERFACE)
            .build(&(ticket,))
            .unwrap();
        self.runtime.block_on(connection.send(&message)).unwrap();
        let begun = self.laptop.calls();
        let end = Instant::now() + Duration::from_secs(30);
        while self.laptop.calls().len() == begun.len() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.leave();
    }

    /// Sends a call with a stock program, as another user if one is named. What it printed.
    pub fn send_as(&self, uid: Option<u32>, method: &str, arguments: &[&str]) -> String {
        let mut words = vec![names::PATH.to_owned(), format!("{}.{method}", names::INTERFACE)];
        words.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self.dbus_send(uid, names::BUS, &words)
    }

    pub fn request_name_as(&self, uid: u32, name: &str) -> String {
        let words =
            ["/org/freedesktop/DBus", "org.freedesktop.DBus.RequestName", &format!("string:{name}"), "uint32:4"];
        self.dbus_send(Some(uid), "org.freedesktop.DBus", &words.map(str::to_owned))
    }

    fn dbus_send(&self, uid: Option<u32>, destination: &str, words: &[String]) -> String {
        let mut command = Command::new("dbus-send");
        command.arg(format!("--bus={}", self.address())).args(["--print-reply", &format!("--dest={destination}")]);
        command.args(words);
        if let Some(uid) = uid {
            command.uid(uid).gid(uid);
        }
        let output = command.output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}
