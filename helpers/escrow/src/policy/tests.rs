use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const KEY: &str = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

fn vault() -> Value {
    json!({
        "version": 1, "required": true, "recipients": [KEY],
        "store": {"vault": {"address": "https://vault.example:8200/", "mount": "secret", "path": "it/latchkey",
                            "token_file": if cfg!(windows) { "C:\\token" } else { "/etc/latchkey/token" }}},
    })
}

fn with(change: impl FnOnce(&mut Value)) -> Result<Policy> {
    let mut policy = vault();
    change(&mut policy);
    Policy::parse(policy.to_string().as_bytes())
}

#[test]
fn a_whole_policy() {
    let policy = with(|policy| {
        policy["organisation"] = json!("Example Ltd");
        policy["store"]["vault"]["namespace"] = json!("team/a");
    })
    .unwrap();
    assert!(policy.is_required());
    assert_eq!(policy.organisation(), Some("Example Ltd"));
    assert_eq!(policy.recipients()[0].text(), KEY);
    assert_eq!((policy.store().kind(), policy.store().host()), ("vault", "vault.example:8200"));
    assert_eq!(policy.store().place(), "secret/it/latchkey");
    let policy = with(|policy| {
        policy["required"] = json!(false);
        policy["store"] = json!({"https": {"url": "https://keys.example/put/here"}});
    });
    let policy = policy.unwrap();
    assert!(!policy.is_required());
    assert_eq!(
        (policy.store().host(), policy.store().place().as_str()),
        ("keys.example", "https://keys.example/put/here")
    );
}

#[test]
fn what_is_not_known_is_refused() {
    let damaged = |policy: Result<Policy>| assert!(matches!(policy, Err(Error::PolicyDamaged { .. })), "{policy:?}");
    damaged(with(|policy| policy["requried"] = json!(true)));
    damaged(with(|policy| policy["store"]["vault"]["tokenfile"] = json!("/t")));
    damaged(with(|policy| policy["store"]["ldap"] = json!({})));
    damaged(with(|policy| policy["store"] = json!({"ldap": {}})));
    damaged(with(|policy| policy["required"] = json!("yes")));
    for missing in ["version", "required", "recipients", "store"] {
        damaged(with(|policy| drop(policy.as_object_mut().unwrap().remove(missing))));
    }
    damaged(Policy::parse(b""));
    damaged(Policy::parse(b"{\"version\":1,\"version\":1}"));
    let whole = vault().to_string();
    damaged(Policy::parse(whole.replacen("\"required\"", "\"required\":false,\"required\"", 1).as_bytes()));
    damaged(Policy::parse(&whole.as_bytes()[..whole.len() - 1]));
    damaged(with(|policy| policy["version"] = json!(0)));
    assert!(matches!(with(|policy| policy["version"] = json!(2)), Err(Error::PolicyNewer { version: 2 })));
}

#[test]
fn values_that_cannot_be() {
    let refused = |policy: Result<Policy>, field: &str, why: Why| match policy {
        Err(Error::PolicyValue { field: found, why: told }) => assert_eq!((found, told), (field, why)),
        other => panic!("{field}: {other:?}"),
    };
    for (address, why) in [
        ("http://vault.example", Why::NotHttps),
        ("http://127.0.0.1.example", Why::NotHttps),
        ("http://localhost.example", Why::NotHttps),
        ("http://10.0.0.1", Why::NotHttps),
        ("ftp://localhost", Why::NotHttps),
        ("https://user:pass@vault.example", Why::UrlExtras),
        ("http://127.0.0.1@vault.example", Why::UrlExtras),
        ("https://vault.example/?a", Why::UrlExtras),
        ("https://vault.example/#a", Why::UrlExtras),
        ("https://vault.example/a/../b", Why::Letters),
        ("https://vault.example/%2e%2e/b", Why::UrlExtras),
        ("vault.example", Why::NoUrl),
        ("https://", Why::NoUrl),
        ("https://:8200", Why::NoUrl),
        ("https:///a", Why::NoUrl),
        ("https://vault.example:99999999", Why::NoUrl),
        ("", Why::Length),
    ] {
        refused(with(|policy| policy["store"]["vault"]["address"] = json!(address)), "address", why);
    }
    for fine in ["http://127.0.0.1:8200", "http://localhost", "http://[::1]:80", "https://[2001:db8::1]/x"] {
        with(|policy| policy["store"]["vault"]["address"] = json!(fine)).unwrap();
    }
    for path in ["/a", "a/", "a//b", "..", "a/../b", "a b", "a?b", "a%2fb"] {
        refused(with(|policy| policy["store"]["vault"]["path"] = json!(path)), "path", Why::Letters);
        refused(with(|policy| policy["store"]["vault"]["mount"] = json!(path)), "mount", Why::Letters);
    }
    refused(with(|policy| policy["store"]["vault"]["token_file"] = json!("token")), "token_file", Why::NotWhole);
    refused(with(|policy| policy["recipients"] = json!([])), "recipients", Why::Count);
    refused(with(|policy| policy["recipients"] = json!(vec![KEY; 17])), "recipients", Why::Count);
    refused(with(|policy| policy["organisation"] = json!(" ")), "organisation", Why::Length);
}

#[test]
fn recipients_are_public_keys_of_age() {
    for bad in [
        "",
        "age1",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN x",
        KEY.split_at(30).0,
    ] {
        let refused = with(|policy| policy["recipients"] = json!([KEY, bad]));
        assert!(matches!(refused, Err(Error::Recipient { .. })), "{bad}");
    }
    // A secret key in its place is not said again.
    let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
    let refused = with(|policy| policy["recipients"] = json!([secret])).unwrap_err();
    assert!(!format!("{refused:?}").contains("GFPYY"), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_write_is_refused() {
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt, chown};

    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("latchkey");
    create_dir(&own).unwrap();
    let mode = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).unwrap();
    mode(&own, 0o755);
    let path = own.join("policy.json");
    assert!(Policy::load(&path).unwrap().is_none());
    write(&path, vault().to_string()).unwrap();
    mode(&path, 0o644);
    let why = |path: &Path| match Policy::load(path) {
        Err(Error::FileInsecure { why, .. }) => Some(why),
        Ok(Some(_)) => None,
        other => panic!("{other:?}"),
    };
    if rustix::process::geteuid().is_root() {
        assert_eq!(why(&path), None);
        chown(&path, Some(1000), None).unwrap();
        assert_eq!(why(&path), Some(Why::Owner));
        chown(&path, Some(0), None).unwrap();
        for writable in [0o664, 0o646, 0o666] {
            mode(&path, writable);
            assert_eq!(why(&path), Some(Why::Writable));
        }
        mode(&path, 0o644);
        mode(&own, 0o777);
        assert_eq!(why(&path), Some(Why::Writable));
        mode(&own, 0o755);
        write(&path, vec![b' '; (64 << 10) + 1]).unwrap();
        assert_eq!(why(&path), Some(Why::TooLarge));
    } else {
        assert_eq!(why(&path), Some(Why::Owner));
    }
    assert_eq!(why(&own), Some(Why::NoFile));
}

#[cfg(unix)]
#[test]
fn a_token_is_read_by_its_owner_alone() {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    assert!(matches!(token(&path), Err(Error::FileUnreadable { .. })));
    let put = |text: &str, mode| {
        write(&path, text).unwrap();
        set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        token(&path)
    };
    assert_eq!(*put("hvs.abc\n", 0o600).unwrap(), "hvs.abc");
    assert!(matches!(put("hvs.abc", 0o640), Err(Error::FileInsecure { why: Why::Readable, .. })));
    for bad in ["", "\n", "two\nlines", "a b", "\u{e4}"] {
        assert!(matches!(put(bad, 0o600), Err(Error::TokenBad { .. })), "{bad:?}");
    }
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(text in ".{0,200}", field in 0..5_usize) {
        let _ = Policy::parse(text.as_bytes());
        let name = ["address", "mount", "path", "token_file", "namespace"][field];
        if let Ok(policy) = with(|policy| policy["store"]["vault"][name] = json!(text)) {
            let StoreAt::Vault(vault) = policy.store() else { unreachable!() };
            prop_assert!(vault.address.text().starts_with("https://") || vault.address.is_loopback());
            prop_assert!(!vault.path.contains("..") || vault.path.split('/').all(|part| part != ".."));
        }
    }
}
