//! Every store goes through one suite, and the real ones through every fault that a store can have.

#![allow(clippy::unwrap_used, clippy::panic)]

mod rig;

use std::io::Read;
use std::time::{Duration, Instant};

use age::x25519::Identity;
use escrow::{Entry, Error, Name, Organisation, Policy, Simulated, seal};
use model::Secret;
use rig::{Rig, Wrong};

const KEY: &str = "ccccbbbb-ddddeeee";

fn entry(key: &Secret) -> Entry<'_> {
    Entry {
        key_id: "K3JH2",
        volume: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        drive: "Samsung \"SSD\" \u{1f4be}\n",
        host: "laptop-7",
        date: "2026-12-03",
        key,
    }
}

fn organisation(rig: &Rig, kind: &str, identity: &Identity) -> Organisation {
    let folder = tempfile::tempdir().unwrap();
    let path = rig.policy(folder.path(), kind, &identity.to_public().to_string(), true);
    let policy = Policy::parse(&std::fs::read(path).unwrap()).unwrap();
    Organisation::with_patience(policy, Duration::from_secs(2)).unwrap()
}

fn opened(sealed: &str, identity: &Identity) -> serde_json::Value {
    let armour = age::armor::ArmoredReader::new(sealed.as_bytes());
    let decryptor = age::Decryptor::new(armour).unwrap();
    let mut plain = Vec::new();
    decryptor.decrypt(std::iter::once(identity as &dyn age::Identity)).unwrap().read_to_end(&mut plain).unwrap();
    serde_json::from_slice(&plain).unwrap()
}

/// What every store has to do.
fn suite(organisation: &Organisation) {
    let key = Secret::from(KEY);
    organisation.check().unwrap();
    let first = organisation.keep(&entry(&key)).unwrap();
    let second = organisation.keep(&entry(&key)).unwrap();
    assert_eq!(first.name, "laptop-7_1b4e28ba-2fa1-11d2-883f-0016d3cca427_K3JH2.age");
    assert_eq!(first.host, organisation.store().host());
    assert_eq!(second.version, first.version.map(|version| version + 1));
    // What is there under a name that was never given is nothing.
    let nothing = Name::new("other", "volume", "key");
    assert_eq!(organisation.store().get(&nothing, &first).unwrap(), None);
}

#[test]
fn all_stores_pass_one_suite() {
    let identity = Identity::generate();
    for kind in ["vault", "https"] {
        suite(&organisation(&Rig::start(), kind, &identity));
    }
    let policy = organisation(&Rig::start(), "vault", &identity).policy().clone();
    suite(&Organisation::with_store(policy, Simulated::new()));
}

#[test]
fn what_is_kept_opens_with_the_organisations_key_and_holds_no_key_in_the_clear() {
    for kind in ["vault", "https"] {
        let (rig, identity, key) = (Rig::start(), Identity::generate(), Secret::from(KEY));
        let receipt = organisation(&rig, kind, &identity).keep(&entry(&key)).unwrap();
        let kept = rig.kept();
        let (place, versions) = kept.iter().next().unwrap();
        assert!(place.ends_with(&receipt.name), "{place}");
        assert!(versions[0].starts_with("-----BEGIN AGE ENCRYPTED FILE-----\n") && !versions[0].contains(KEY));
        let document = opened(&versions[0], &identity);
        assert_eq!(document["version"], 1);
        assert_eq!(document["kind"], "latchkey-recovery-key");
        assert_eq!(document["recovery_key"], KEY);
        assert_eq!(
            (&document["key_id"], &document["host"], &document["date"]),
            (&"K3JH2".into(), &"laptop-7".into(), &"2026-12-03".into())
        );
        assert_eq!(document["volume"], "1b4e28ba-2fa1-11d2-883f-0016d3cca427");
        assert_eq!(document["drive"], "Samsung \"SSD\" \u{1f4be}\n");
        match kind {
            "vault" => {
                assert_eq!((receipt.version, receipt.created.as_deref()), (Some(1), Some("2026-12-03T10:11:12.1Z")));
                let name = &receipt.name;
                let base = format!("/v1/secret/data/it/latchkey/{name}");
                let asked = [format!("GET {base}"), format!("POST {base}"), format!("GET {base}?version=1")];
                assert_eq!(rig.asked(), asked);
            }
            _ => assert_eq!(receipt.etag.as_deref(), Some("\"e-1\"")),
        }
    }
}

#[test]
fn each_of_several_recipients_opens_it_alone() {
    let (one, two, other) = (Identity::generate(), Identity::generate(), Identity::generate());
    let recipients = [&one, &two].map(|identity| identity.to_public().to_string().parse().unwrap());
    let key = Secret::from(KEY);
    let sealed = seal(&entry(&key), &recipients).unwrap();
    for identity in [&one, &two] {
        assert_eq!(opened(sealed.text(), identity)["recovery_key"], KEY);
    }
    let decryptor = age::Decryptor::new(age::armor::ArmoredReader::new(sealed.text().as_bytes())).unwrap();
    assert!(decryptor.decrypt(std::iter::once(&other as &dyn age::Identity)).is_err());
    assert_ne!(seal(&entry(&key), &recipients).unwrap(), sealed);
    assert!(matches!(seal(&entry(&key), &[]), Err(Error::NotSealed { .. })));
}

/// The name of the error, for a table.
fn name(error: &Error) -> String {
    error.to_string()
}

#[test]
fn every_fault_of_a_store_is_told_apart() {
    let identity = Identity::generate();
    let elsewhere = Rig::start();
    let key = Secret::from(KEY);
    for kind in ["vault", "https"] {
        let vault = kind == "vault";
        let sealed = r#"{"errors":["Vault is sealed"]}"#;
        let cases = [
            (Wrong::Status(401, "who?"), "escrow-refused"),
            (Wrong::Status(403, r#"{"errors":["permission denied"]}"#), "escrow-refused"),
            (Wrong::WriteStatus(403, "read only"), "escrow-refused"),
            (Wrong::Status(404, r#"{"errors":["no handler for route"]}"#), "escrow-no-place"),
            (Wrong::WriteStatus(404, "no handler"), "escrow-no-place"),
            (Wrong::WriteStatus(405, "no PUT here"), "escrow-no-place"),
            (Wrong::Status(500, "oops"), "escrow-store-failed"),
            (Wrong::Status(503, sealed), if vault { "escrow-vault-sealed" } else { "escrow-store-failed" }),
            (Wrong::Status(503, "busy"), "escrow-store-failed"),
            (Wrong::Status(429, "slower"), "escrow-store-failed"),
            (Wrong::Status(418, "a teapot"), "escrow-strange-answer"),
            (Wrong::Late(Duration::from_secs(4)), "escrow-no-answer"),
            (Wrong::CutsOff, "escrow-no-answer"),
            (Wrong::OtherBytes, "escrow-read-back-differs"),
            (Wrong::Forgets, "escrow-read-back-differs"),
            (Wrong::Redirects(format!("http://127.0.0.1:{}", elsewhere.port)), "escrow-redirected"),
            (Wrong::Huge, "escrow-strange-answer"),
            (Wrong::Garbage, if vault { "escrow-strange-answer" } else { "escrow-read-back-differs" }),
        ];
        for (wrong, expected) in cases {
            let rig = Rig::start();
            let organisation = organisation(&rig, kind, &identity);
            rig.goes_wrong(wrong.clone());
            let asked = Instant::now();
            let told = organisation.keep(&entry(&key)).unwrap_err();
            assert_eq!(name(&told), expected, "{kind} {wrong:?}: {told:?}");
            assert!(asked.elapsed() < Duration::from_secs(8));
            // All the better as soon as it works again.
            rig.goes_wrong(Wrong::Nothing);
            if !matches!(wrong, Wrong::Late(_)) {
                organisation.keep(&entry(&key)).unwrap();
            }
        }
    }
    assert!(elsewhere.asked().is_empty(), "a redirect was followed, with the token");
}

#[test]
fn a_cut_in_the_middle_of_an_answer_is_no_copy() {
    let identity = Identity::generate();
    let key = Secret::from(KEY);
    for kind in ["vault", "https"] {
        let rig = Rig::start();
        let organisation = organisation(&rig, kind, &identity);
        rig.goes_wrong(Wrong::CutsInTheMiddle);
        let told = name(&organisation.keep(&entry(&key)).unwrap_err());
        assert!(["escrow-no-answer", "escrow-strange-answer"].contains(&told.as_str()), "{kind}: {told}");
    }
}

#[test]
fn vault_lies_about_the_version_or_is_overtaken() {
    let (identity, key) = (Identity::generate(), Secret::from(KEY));
    let rig = Rig::start();
    let organisation = organisation(&rig, "vault", &identity);
    rig.goes_wrong(Wrong::LyingVersion);
    assert!(matches!(organisation.keep(&entry(&key)), Err(Error::ReadBackDiffers { .. })));
    rig.goes_wrong(Wrong::Overtaken);
    assert!(matches!(organisation.keep(&entry(&key)), Err(Error::ChangedMeanwhile { .. })));
    rig.goes_wrong(Wrong::Nothing);
    // The version after the two of before.
    assert_eq!(organisation.keep(&entry(&key)).unwrap().version, Some(3));
}

#[test]
fn nobody_there_and_a_token_of_somebody_else() {
    let (identity, key) = (Identity::generate(), Secret::from(KEY));
    let mut rig = Rig::start();
    let organisation_there = organisation(&rig, "https", &identity);
    assert!(organisation_there.check().is_ok());
    // A port that nobody listens on.
    rig.port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = organisation(&rig, "https", &identity);
    assert!(matches!(nobody.check(), Err(Error::NotReachable { .. })));
    assert!(matches!(nobody.keep(&entry(&key)), Err(Error::NotReachable { .. })));
    assert!(nobody.keep(&entry(&key)).unwrap_err().may_pass());
    let folder = tempfile::tempdir().unwrap();
    let rig = Rig::start();
    let path = rig.policy(folder.path(), "vault", &identity.to_public().to_string(), true);
    std::fs::write(folder.path().join("token"), "another\n").unwrap();
    let other = Organisation::new(Policy::parse(&std::fs::read(path).unwrap()).unwrap()).unwrap();
    match other.check() {
        Err(Error::Refused { status: 403, said, .. }) => assert!(said.contains("permission denied")),
        told => panic!("{told:?}"),
    }
}

#[test]
fn a_check_keeps_nothing() {
    let identity = Identity::generate();
    for kind in ["vault", "https"] {
        let rig = Rig::start();
        organisation(&rig, kind, &identity).check().unwrap();
        assert!(rig.kept().is_empty() && rig.asked().iter().all(|asked| asked.starts_with("GET ")), "{kind}");
    }
}

#[test]
fn the_simulated_store_has_faults_as_well() {
    let (identity, key) = (Identity::generate(), Secret::from(KEY));
    let store = Simulated::new();
    let policy = organisation(&Rig::start(), "vault", &identity).policy().clone();
    let organisation = Organisation::with_store(policy, store.clone());
    store.lie(true);
    assert!(matches!(organisation.keep(&entry(&key)), Err(Error::ReadBackDiffers { .. })));
    store.fail_with(Some(Error::VaultSealed { host: "simulated".into() }));
    assert!(matches!(organisation.keep(&entry(&key)), Err(Error::VaultSealed { .. })));
}

#[cfg(target_os = "linux")]
mod tls {
    use std::sync::Arc;

    use super::*;

    fn tls_rig(params: rcgen::CertificateParams) -> (Rig, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                rustls::pki_types::PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .unwrap();
        let config = Arc::new(config);
        let rig = Rig::over(move |stream| {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            Some(rustls::StreamOwned::new(connection, stream))
        });
        (rig, certificate.pem())
    }

    fn params(host: &str) -> rcgen::CertificateParams {
        rcgen::CertificateParams::new(vec![host.to_owned()]).unwrap()
    }

    fn over_tls(rig: &Rig, authority: Option<&str>) -> Result<Organisation, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = rig.policy(folder.path(), "vault", &Identity::generate().to_public().to_string(), true);
        let mut policy: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        policy["store"]["vault"]["address"] = format!("https://localhost:{}", rig.port).into();
        if let Some(pem) = authority {
            std::fs::write(folder.path().join("ca.pem"), pem).unwrap();
            policy["store"]["vault"]["ca_file"] = folder.path().join("ca.pem").to_str().unwrap().into();
        }
        Organisation::with_patience(Policy::parse(policy.to_string().as_bytes()).unwrap(), Duration::from_secs(5))
    }

    #[test]
    fn an_authority_counts_only_when_the_policy_names_it() {
        let key = Secret::from(KEY);
        let (rig, pem) = tls_rig(params("localhost"));
        let receipt = over_tls(&rig, Some(&pem)).unwrap().keep(&entry(&key)).unwrap();
        assert_eq!(receipt.version, Some(1));
        let told = over_tls(&rig, None).unwrap().keep(&entry(&key)).unwrap_err();
        assert!(matches!(told, Error::NotTrusted { .. }), "{told:?}");
        assert!(matches!(over_tls(&rig, Some("no certificate")), Err(Error::AuthorityBad { .. })));
        // A certificate of another host.
        let (rig, pem) = tls_rig(params("elsewhere.example"));
        let told = over_tls(&rig, Some(&pem)).unwrap().keep(&entry(&key)).unwrap_err();
        assert!(matches!(told, Error::NotTrusted { .. }), "{told:?}");
        assert!(rig.asked().is_empty(), "the token was said to somebody who is not trusted");
    }

    #[test]
    fn a_certificate_that_has_run_out_may_be_a_wrong_clock() {
        let key = Secret::from(KEY);
        let mut old = params("localhost");
        old.not_before = rcgen::date_time_ymd(2020, 1, 1);
        old.not_after = rcgen::date_time_ymd(2021, 1, 1);
        let (rig, pem) = tls_rig(old);
        let told = over_tls(&rig, Some(&pem)).unwrap().keep(&entry(&key)).unwrap_err();
        assert!(matches!(told, Error::Clock { .. }), "{told:?}");
    }

    #[test]
    fn plain_http_behind_https_is_no_answer() {
        let rig = Rig::start();
        let told = over_tls(&rig, None).unwrap().check().unwrap_err();
        assert!(
            matches!(told, Error::NotTrusted { .. } | Error::StrangeAnswer { .. } | Error::NoAnswer { .. }),
            "{told:?}"
        );
    }
}
