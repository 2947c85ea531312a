# Recovery keys that are kept with an organisation: its policy, its store, and what can go wrong with both.

# Part of the sentences below: what is wrong with a value or a file.
part-escrow-why =
    { $why ->
        [no-url] It is no address such as https://vault.example.org:8200.
        [not-https] It has to begin with https://. Plain http:// is for this computer itself alone.
        [url-extras] It may hold no user name, password, question mark, “#”, “%” or backslash.
        [letters] Only letters, digits, “-”, “_” and “.” have a place in it, with single slashes between the parts.
        [length] It is empty or too long.
        [not-whole] It has to be a whole path, from the root on.
        [count] There have to be between 1 and 16 of them.
        [owner] It does not belong to the administrator.
        [writable] Others than the administrator can change it, or the folder that it lies in.
        [readable] Others than its owner can read it, and it holds a secret.
        [no-file] It is not a plain file.
       *[too-large] It is far too large.
    }

fault-escrow-policy-unreadable = The policy of your organisation ({ $path }) could not be read. Nothing was changed.
    .next = Tell whoever looks after this computer. Until it can be read, nothing is encrypted: nobody can know what it asks for.
fault-escrow-policy-damaged = The policy of your organisation is damaged, or has something in it that this program does not know. Nothing was changed.
    .next = Whoever looks after this computer finds the place under “Details”, and can try it with “latchkey recovery policy”.
fault-escrow-policy-newer = The policy of your organisation is of version { $version }, and this program knows version 1. Nothing was changed.
    .next = Install a newer version of Latchkey.
fault-escrow-policy-value = The policy of your organisation has a value in “{ $field }” that cannot be. { part-escrow-why } Nothing was changed.
    .next = Whoever looks after this computer can put it right, and try it with “latchkey recovery policy”.
fault-escrow-file-insecure = { $path } cannot be relied on. { part-escrow-why } Nothing was changed.
    .next = Whoever looks after this computer can put it right: the policy belongs to root with the mode 0644, the file with the token to root with the mode 0600.
fault-escrow-recipient = “{ $recipient }” in the policy of your organisation is no public key. Nothing was changed.
    .next = A recipient is a public key of age, which begins with “age1”. “age-keygen” shows it. Keys of SSH are not taken.
fault-escrow-file-unreadable = { $path }, which the policy of your organisation names, could not be read. Nothing was changed.
    .next = Whoever looks after this computer can put the file there.
fault-escrow-file-denied = You are not allowed to read { $path }, which is needed to keep the recovery key with your organisation.
    .next = Do the same with “sudo latchkey” in a terminal, or ask whoever looks after this computer.
fault-escrow-token-bad = There is no token in { $path }: one line of letters and digits is wanted.
    .next = Whoever looks after this computer can put a new token there.
fault-escrow-authority-bad = There is no certificate in { $path }.
    .next = Whoever looks after this computer can put the authority's certificate there, in PEM.
fault-escrow-not-sealed = The recovery key could not be sealed for your organisation.
    .next = Try again. If it happens again, send us what is under “Details”.
fault-escrow-not-reachable = { $host }, where your organisation keeps recovery keys, cannot be reached.
    .next = See that this computer is connected to the network, and to your organisation's (VPN) where that is needed. Then try again.
fault-escrow-no-network = This system does not let Latchkey use the network, which is needed to keep the recovery key with your organisation.
    .next = Whoever looks after this computer can allow it: Latchkey's page for administrators has the file for the service.
fault-escrow-no-answer = { $host }, where your organisation keeps recovery keys, did not answer in time, or broke off.
    .next = Try again in a minute. The key may have arrived all the same; it is only counted when it could be read back.
fault-escrow-not-trusted = The place that answers as { $host } could not show that it is the one of your organisation. The recovery key was not sent.
    .next = Log in to the network first if it asks for that in a browser. Otherwise tell whoever looks after this computer: the certificate is under “Details”, and “ca_file” in the policy names an authority of your own.
fault-escrow-clock = The certificate of { $host } is not valid today, and for this computer today is { $day }. The recovery key was not sent.
    .next = Set the computer's clock if that day is wrong. If it is right, the certificate has run out: tell whoever looks after { $host }.
fault-escrow-refused = { $host } does not let this computer keep the recovery key there (answer { $status }).
    .next = Whoever looks after this computer can look at its token, and whether its rights allow both writing and reading back.
fault-escrow-no-place = { $host } has no place for recovery keys where the policy of your organisation says.
    .next = Whoever looks after this computer can compare mount and path, or the address, with the store.
fault-escrow-vault-sealed = The Vault of your organisation ({ $host }) is sealed: it takes nothing until somebody has unsealed it.
    .next = Tell whoever looks after it, and try again afterwards.
fault-escrow-store-failed = { $host }, where your organisation keeps recovery keys, has a fault of its own (answer { $status }).
    .next = Try again later. If it stays like that, tell whoever looks after it.
fault-escrow-redirected = { $host } wants to send the recovery key to another place (answer { $status }). That is never followed.
    .next = Whoever looks after this computer can put the address into the policy that really answers.
fault-escrow-changed-meanwhile = Somebody else has written to the same place at { $host } at the same time.
    .next = Try again.
fault-escrow-strange-answer = { $host } does not answer like a place that keeps recovery keys.
    .next = Whoever looks after this computer can compare the address in the policy. Vault has to have the KV engine in version 2 there.
fault-escrow-read-back-differs = { $host } gave back something else than it was sent. This copy does not count.
    .next = Try again. If it happens again, tell whoever looks after { $host }: what is kept there cannot be relied on.
fault-escrow-missing = Your organisation wants to have the recovery key before the drive is locked, and there is no receipt for it.
    .next = Do “latchkey recovery escrow” with a copy of the key, then go on.

# Copies that this computer remembers.
copy-organisation = with your organisation ({ $place })
reason-copy-not-escrowed = Your organisation has no copy of this key yet (last tried on { $day }).

# The terminal.
cli-escrow-kept = The recovery key { $keyid } is kept with your organisation, sealed, and was read back. Receipt: { $receipt }
cli-escrow-kept-by-service = The recovery key is kept with your organisation, sealed, and was read back.
cli-escrow-not-kept = Your organisation asks for a copy of the recovery key { $keyid }, and it could not be kept there. It is not required, so the work goes on. Later: latchkey recovery escrow { $path } --recovery-file FILE
cli-escrow-not-kept-by-service = Your organisation asks for a copy of the recovery key, and it could not be kept there. It is not required, so the work goes on. Later: latchkey recovery escrow { $path } --recovery-file FILE
fault-cli-no-policy = This computer has no policy of an organisation ({ $path }), so there is nowhere to keep the key.
    .next = “latchkey recovery export” makes a copy on a stick, “latchkey recovery paper” one on paper.
cli-policy-none = This computer has no policy of an organisation. Recovery keys stay with the person who encrypts.
cli-policy-required = This computer is looked after by { $name }. Nothing is encrypted before the recovery key is kept there and was read back.
cli-policy-wanted = This computer is looked after by { $name }. It wants a copy of every recovery key; where that fails, encryption goes on with a warning.
cli-policy-nameless = your organisation
cli-policy-file = Policy: { $path }
cli-policy-store-vault = Kept in Vault or OpenBao at { $host }, in { $place }
cli-policy-store-https = Kept by HTTPS at { $place }
cli-policy-recipients = Whoever has the secret key to one of these can open what is kept:
cli-policy-fine = { $host } was reached and lets this computer in. No key was sent. Whether it may write is seen with the first key.
cli-status-escrow-kept = Your organisation has its recovery key ({ $keyid }) since { $day }: { $receipt }
cli-status-escrow-missing = Your organisation does not have its recovery key. Keep it there: latchkey recovery escrow { $path } --recovery-file FILE
