use crate::Desk;

#[test]
fn a_disk_is_measured_and_compared() {
    let desk = Desk::new();
    let said = desk.run("bench disk stick --json --size 1M");
    said.exits(0);
    assert_eq!(said.json()["tests"].as_array().unwrap().len(), 4);
    desk.write("before", said.out().as_bytes());
    let compared = desk.run("bench compare before before --json");
    compared.exits(0);
    assert_eq!(compared.json()["comparisons"][0]["change"], "same");
    let said = desk.run("bench compare before before");
    said.exits(0).says("100 %");
    assert!(!said.all().contains('['), "{}", said.all());
    assert!(desk.sheets().is_empty());
}

#[test]
fn what_cannot_be_measured() {
    let desk = Desk::new();
    desk.run("bench disk missing").exits(3);
    desk.run("bench disk stick --size 5").exits(2).says("is not between");
    desk.run("bench disk stick --size many").exits(2).says("is no size");
    desk.run("bench compare password password").exits(1).says("holds no measurement");
    desk.run("bench compare missing missing").exits(1);
}
