use crate::Desk;
#[cfg(unix)]
use crate::Said;

#[test]
fn a_disk_is_measured_and_compared() {
    let desk = Desk::new();
    let said = desk.run("bench disk stick --json --size 1M --keep reports");
    said.exits(0);
    let report = said.json_of(2);
    assert_eq!(report["tests"].as_array().unwrap().len(), 8);
    assert_eq!(report["prediction"]["tests"].as_array().unwrap().len(), 8);
    let kept: Vec<_> = std::fs::read_dir(desk.path("reports")).unwrap().collect();
    assert_eq!(kept.len(), 1);
    let listed = desk.run("bench list reports --json");
    listed.exits(0);
    let listed = &listed.json_of(1)["reports"];
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let path = listed[0]["path"].as_str().unwrap();
    desk.run("bench list reports").exits(0).says(path).says("encryption: none");
    desk.run(&format!("bench compare {path} {path}")).exits(0).says("no measurable difference");
    // What is damaged hides nothing else.
    desk.write("reports/bench-2020-01-01-000000.json", b"{}");
    desk.run("bench list reports").exits(0).says(path).says("holds no measurement");
    desk.run("bench list").exits(0).says("No measurements are kept");
    desk.run_german("bench list missing").exits(0).says("keine Messungen");
    desk.run("bench list password").exits(1);
    desk.write("before", said.out().as_bytes());
    let compared = desk.run("bench compare before before --json");
    compared.exits(0);
    assert_eq!(compared.json_of(2)["comparisons"][0]["change"], "same");
    let said = desk.run("bench compare before before --html page.html");
    said.exits(0).says("100 %").says("Opening programs: no measurable difference");
    assert!(!said.all().contains('['), "{}", said.all());
    let page = String::from_utf8(desk.read("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("</html>"));
    assert!(desk.sheets().is_empty());
}

#[test]
fn a_file_is_measured_without_writing() {
    let desk = Desk::new();
    let before = desk.read("image");
    let said = desk.run("bench disk image --read-only --size 4M");
    said.exits(0).says("seq1m-q8t1-read").says("rnd4k-q1t1-read");
    assert!(!said.all().contains("write") && !said.all().contains('['), "{}", said.all());
    assert_eq!(desk.read("image"), before);
}

#[test]
fn what_cannot_be_measured() {
    let desk = Desk::new();
    desk.run("bench disk missing").exits(3);
    desk.run("bench disk stick --full --read-only").exits(2);
    desk.run("bench mapping no-such-mapping").exits(3).says("no open encrypted volume");
    desk.run("bench tune no-such-mapping --password-file password").exits(3).says("no open encrypted volume");
    desk.run("bench compare password password --html no/page").exits(1);
    desk.run("bench disk stick --size 5").exits(2).says("is not between");
    desk.run("bench disk stick --size many").exits(2).says("is no size");
    desk.run("bench compare password password").exits(1).says("holds no measurement");
    desk.run("bench compare missing missing").exits(1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_and_nothing_stays() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("empty")).unwrap();
    let mut command = desk.command("bench disk empty --size 64M");
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // While it waits for an idle computer, or in the middle of the measurement: both come to an end.
    std::thread::sleep(std::time::Duration::from_millis(2500));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    said.exits(130).says("The test file has been removed");
    assert_eq!(std::fs::read_dir(desk.path("empty")).unwrap().count(), 0);
}
