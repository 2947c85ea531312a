# Sentences of the program `latchkey`.

cli-note = Please note: { $reason }
cli-details = Details: { $detail }
cli-stands = { $verdict }: { $reason }

## Questions at the terminal

cli-ask-password = Password (or recovery key):
cli-ask-recovery-key = Recovery key:
cli-ask-new-password = New password:
cli-ask-new-password-again = The same again:
cli-ask-encrypt = Begin to encrypt? [y/N]
cli-ask-decrypt = Begin to decrypt? [y/N]
cli-ask-go-on = Go on? [y/N]

## Progress

cli-progress = { $step }: { $percent } %
cli-progress-speed = { $step }: { $percent } % ({ $speed })
cli-time-left = { $left_seconds } left
cli-paused-now = paused
cli-stopping = Coming to a stop that can be resumed. Ctrl-C again ends at once; that is safe, too.

## status

cli-no-drives = No drives were found.
cli-status-computer = This computer
cli-status-place = {"  "}{ $kind }, { $place } ({ $content })
cli-status-drive = { $path }: { $name }, { $size }
cli-status-image = { $path }: { $size }
cli-status-volume = {"  "}{ $path }: { $content }, { $size }
cli-status-mounted = {"    "}Mounted at { $place }

## check

cli-check-target = { $path }: { $content }, { $size }
cli-check-able = What this computer and this drive can do:
cli-check-method = Would be encrypted { $method }.
cli-check-refused = It cannot be encrypted as it is: a condition that is needed is not met.

## encrypt, resume, pause, decrypt

cli-encrypt-plan =
    What is going to happen:
      Target: { $path }, { $size }
      On it: { $content }. All of it stays.
      Room: { $room }
      Encrypted: { $method }
      Recovery key: written to { $folder }, read back and tried before anything is changed.
    Have a backup of what you cannot lose. The power may fail and the program may be stopped at any
    time; then go on with: latchkey resume { $path }
cli-encrypted = { $path } is encrypted.
cli-decrypt-plan =
    What is going to happen:
      Target: { $path }
      Decrypted: all of it. Every file stays, and anybody can read it afterwards.
    The power may fail and the program may be stopped at any time; then go on with:
    latchkey resume { $path }
cli-decrypted = { $path } is no longer encrypted. Anybody who has it can read it.
cli-ask-undo = Take the encryption back? [y/N]
cli-undone = { $path } is as it was before. Nothing of it was encrypted.
cli-mends-own = The file system on { $path } was being resized when this was cut off. Latchkey puts it in order and goes on …
cli-not-in-order = The { $filesystem } file system on { $path } was not closed properly or has errors, as a power cut leaves them. Its own check (e2fsck) can put it in order now. It makes maps and counts anew; where a decision about a file would be needed, it stops and leaves that to you.
cli-ask-mend = Check it and put it in order? [y/N]
cli-mends = The { $filesystem } file system on { $path } is being checked and put in order …
cli-mended = The file system on { $path } is in order.
cli-gave-up = These sectors could not be read, and zeros stand in their place: { $sectors } ({ $size }). Files that used them are damaged; restore them from your backup.
cli-encrypt-used-space = Left out: { $size } that no file uses. What was deleted earlier may still lie there and be readable; without --used-space-only everything is encrypted.
cli-paused = The conversion of { $path } has stopped. Go on with: latchkey resume { $path }
cli-finished-meanwhile = The conversion of { $path } was finished before it could stop.

## prove, passwd, recovery

cli-proven = The password opens { $path } (keyslot { $keyslot }).
cli-proven-recovery = The recovery key opens { $path } (keyslot { $keyslot }).
cli-password-changed = The password of { $path } is changed. The new one has opened it, and the old one does not any more.
cli-recovery-exported = Recovery key { $key_id } is in { $path }. It was read back from there, and it opens the drive.
cli-recovery-not-from-medium = The copy { $path } may have been read back from this computer's memory and not from the stick. To be certain, pull the stick out, put it in again, and run: latchkey recovery verify { $path }
cli-recovery-old-revoked = { $path } has a new recovery key. Older ones open it no more: destroy their copies.
cli-recovery-whole = The recovery key { $key_id } in { $path } is whole. To see whether it opens a drive, name the drive as well.
cli-copies-of = { $uuid }:
cli-copies-none = This computer remembers no copies of a recovery key. It takes note of each that is made or checked here.
cli-status-cut-smaller = Its file system was being made smaller for the encryption when this was cut off. Nothing is encrypted, and no file is lost. “latchkey encrypt { $path } …” goes on; “latchkey undo { $path }” gives the room back.
cli-status-cut-larger = It is decrypted; its file system was being made larger again when this was cut off. No file is lost. “latchkey resume { $path }” goes on.
cli-status-copies = Copies of its recovery key:
cli-copy-line = { $place } (key { $keyid }), made on { $made_day }, last tried on { $day }
cli-copies-not-kept = Where this copy is could not be noted ({ $cause }). The copy itself is good.
cli-recovery-opens = The recovery key { $key_id } in { $path } is whole and opens the drive.
cli-recovery-opens-here = The recovery key { $key_id } in { $path } is whole and opens { $target }, a drive of this computer.
cli-recovery-here = The recovery key { $key_id } in { $path } is whole. It belongs to { $target }, a drive of this computer. To try whether it still opens it, run this as administrator.
cli-recovery-elsewhere = It was made for a drive with the UUID { $uuid }. There is none in this computer now: it belongs to another computer, or to a drive that is not plugged in.
cli-recovery-paper-made = The page with the recovery key { $key_id } is in { $path }. The code on it was read back, and it opens the drive. Print it, then delete the file.

## header

cli-header-backed-up = The header of { $path } is in { $file }. Keep it like a key: with it, passwords that were changed since still open the drive.
cli-header-restore-plan = The header of { $path } will be replaced by the one in { $file }. Passwords are then those of the day on which it was saved.
cli-header-restored = The header of { $path } is that of { $file } again.
cli-header-whole = Both copies of the header of { $path } are whole. There is nothing to mend.
cli-header-one-copy = One of the two copies of the header of { $path } is damaged. It will be written anew from the other one.
cli-header-both-damaged = Both copies of the header of { $path } are damaged. What is left was put together; if the password opens it, it will be written.
cli-header-mended = The header of { $path } is whole again.

## bench

cli-bench-will-write = Measuring in { $folder }: at most { $size } are written, and removed again.
cli-bench-no-kernel = The kernel’s own ciphers could not be asked (no AF_ALG: { $reason }). The figures above are those of this program.
cli-bench-pbkdf2 = PBKDF2-{ $hash }: { $iterations } rounds a second
cli-bench-argon2 = Argon2id with { $passes } passes, { $memory_size }, { $lanes } lanes: one password takes { $took } s
cli-bench-disk = { $name }: { $rate } ({ $low_rate } to { $high_rate }), { $iops } blocks a second, one block { $half } µs, one in a hundred { $slow } µs: { $test }
cli-bench-cost = { "    " }processor: { $cpu } s for each GiB
cli-bench-compared = { $test }: { $before_rate } before, { $after_rate } after ({ $percent } %, between { $least } and { $most }): { $change }
cli-bench-predicted = { "    " }expected: { $low } % to { $high } %
cli-bench-different = Different, too: { $what }: { $before } → { $after }
cli-bench-kept = The report is in { $path }.
cli-bench-not-trimmed = The drive could not be told what is free. The figures may be a little worse than they could be.
cli-bench-under-and-through = { $name }: the device under it (before) and the volume itself (after), in turns
cli-bench-none-kept = No measurements are kept in { $folder }. Keep one with: latchkey bench disk FOLDER --keep DIR
cli-bench-kept-line = { $day }: { $drive }, encryption: { $cipher }, { $path }
cli-bench-tune-reads-kept = When reading, { $name } passes the kernel’s queues by from now on, also after the next start: it helps here.
cli-bench-tune-reads-not-kept = When reading, { $name } keeps the usual way: the faster one does not help here.
cli-bench-tune-writes-kept = When writing, { $name } passes the kernel’s queues by from now on, also after the next start: it helps here.
cli-bench-tune-writes-not-kept = When writing, { $name } keeps the usual way: the faster one does not help here.
cli-bench-tune-no-writes = Writing was not tried and stays as it was: { $name } is not mounted with room for a test file.
cli-bench-discard = Whether the drive is told what is free (discard) was left as it is. It keeps an SSD fast, and shows whoever has the drive in hand how full it is and which file system it has.

## Passwords

reason-cli-password-non-ascii = the password has letters or signs that some keyboards do not have, or that are stored in different ways. It works wherever exactly the same bytes are typed.
reason-cli-password-bytes = the password is no text and cannot be typed. It works only from a file.
reason-cli-password-edge-space = the password begins or ends with a space, which is easily forgotten.
reason-cli-password-weak = this password can be guessed. Several words that do not belong together are better.
fault-cli-password-empty = The password is empty.
    .next = Choose one with at least a few words, and try again. Nothing was changed.
fault-cli-password-too-long = The password has { $length }. More than { $most_length } cannot be typed at the prompt of other tools.
    .next = Choose a shorter one. Nothing was changed.
fault-cli-password-control = The password has a line break or another control character in it, which no prompt can take.
    .next = Put it on one line of the file. One line break at the end does not matter. Nothing was changed.
fault-cli-password-differs = The two passwords that were typed are not the same.
    .next = Run the command again. Nothing was changed.
fault-cli-nobody-to-ask = A password is needed, and nobody is at the terminal to type it.
    .next = Name a file with --password-file, or give it through standard input with --password-file -
fault-cli-stdin-twice = Both passwords cannot be read from standard input.
    .next = Put one of them into a file.
fault-cli-secret-file-missing = There is no file { $path }.
    .next = Check the spelling, and whether the stick is plugged in.
fault-cli-secret-file-unreadable = The file { $path } cannot be read.
    .next = It must be a file, not a folder, and you must be allowed to read it.
fault-cli-secret-not-text = The file with the recovery key is not text.
    .next = Choose the sheet that Latchkey wrote, or a text file with the key.
fault-cli-secret-too-large = The file with the password is larger than { $most_size }.
    .next = Check whether it is the right file.

## Faults of the command line

fault-cli-size = “{ $text }” is no size.
    .next = Write a number with a unit, such as 64M or 2G.
fault-cli-size-limits = { $size } is not between { $least_size } and { $most_size }.
    .next = Choose another size.
fault-cli-needs-yes = Nobody is at the terminal to be asked.
    .next = If you are sure, run the same command with --yes. Nothing was changed.
fault-cli-needs-sleep = Deep sleep would lock this drive with nobody to open it, and nobody is at the terminal to be asked how the computer is to sleep instead.
    .next = Run the same command with “--sleep light” or “--sleep never”; --yes does not stand for it. Nothing was changed.
fault-cli-not-in-order = The { $filesystem } file system on { $path } was not closed properly or has errors, as a power cut leaves them, and nobody is at the terminal to be asked whether it may be put in order.
    .next = Run the same command with --mend-file-system: e2fsck then checks it first and puts it in order; where a decision about a file would be needed, it stops. Nothing was changed.
fault-cli-cut-smaller = The file system on { $path } was being made smaller for the encryption when this was cut off. Nothing is encrypted yet, so there is no conversion to go on with.
    .next = Run the same “latchkey encrypt” again: it puts the file system in order and goes on. “latchkey undo { $path }” gives the room back instead.
fault-cli-declined = Nothing was changed.
    .next = Run the command again whenever you like.
fault-cli-stopped = Stopped. Everything on { $path } is there, partly converted.
    .next = Go on with: latchkey resume { $path }
fault-cli-file-exists = { $path } is there already, and is not replaced.
    .next = Choose another name.
fault-cli-file-write = { $path } could not be written.
    .next = Check that the folder is there and that it has room.
fault-cli-file-read = { $path } could not be read.
    .next = Check the spelling, and that you are allowed to read it.
fault-cli-not-a-backup = { $path } is no copy of a header: it is far too large.
    .next = Choose the file that `latchkey header backup` made. Nothing was changed.
fault-cli-bench-no-disk = The drive under { $path } cannot be seen from here, so there is no curve of it.
    .next = Measure without --curve.
fault-cli-bench-no-figures = { $path } holds no measurement.
    .next = Make one with: latchkey bench disk FOLDER --json
fault-cli-no-temporary-folder = No temporary folder could be made.
    .next = Make some room on the disk, or set TMPDIR to a folder that you can write to. Nothing was changed.

## practice

cli-practice-begin =
    This is practice, on a drive of { $size } that is a file in { $path }.
    Everything is done as on a real drive, and nothing of yours is touched.
cli-practice-made = A practice drive was made: { $name }, { $size }, with letters and pictures on it.
cli-practice-backup = On a real drive: confirm that you have a backup. Here it is taken as confirmed.
cli-practice-suggestion = A suggestion that every keyboard can type: { $password }
cli-practice-empty-takes-it = Type a password of your own, or press Enter to take the suggestion.
cli-practice-recovery = The recovery key { $key_id } was written to { $folder }, read back from there, and it opened the header that the drive will get.
cli-practice-rescue = The rescue copy was written and read back, every byte: { $path }
cli-practice-encrypt = Now the drive is encrypted. It may be stopped at any time, even by the power.
cli-practice-report = This is how it stands, as read from the drive again.
cli-practice-facts = { $size } encrypted with { $cipher }, key of { $bits } bits, sectors of { $sector } bytes. UUID { $uuid }.
cli-practice-back = And the way back: the practice drive is decrypted and held against what it was.
cli-practice-same = Every byte is what it was before.
cli-practice-cleaned = The practice drive has been removed. Your own drive takes the same steps: latchkey status, latchkey check, latchkey encrypt.
cli-practice-kept = The practice drive was kept: { $path }. Its recovery key and rescue copy are in { $folder } as well. Try: latchkey status { $path }
cli-practice-enter = Press Enter to go on.
fault-cli-practice-folder = The practice drive cannot be made in { $path }.
    .next = Choose a folder that you can write to.
fault-cli-practice-stopped = The practice was stopped, and its drive removed.
    .next = Begin again with: latchkey practice
fault-cli-practice-differs = The practice drive is not what it was before. That must never happen.
    .next = Please do not encrypt a real drive on this computer, and report this with the version of Latchkey.
fault-cli-practice-no-report = The practice came to its end without a report.
    .next = Begin again with: latchkey practice
fault-cli-no-randomness = The system has no random numbers to give.
    .next = Restart the computer and try again.

## BitLocker, FileVault

cli-native-share = { $percent } % is done.
cli-native-close = It is encrypted already and stands open. “encrypt” saves a recovery key and closes it; nothing is encrypted anew.
cli-native-policy = For this, a policy of Windows is set that allows the drive’s own encryption; undoing puts it back.
cli-native-ask-hardware = Let the drive encrypt by itself, and set the policy for it? Otherwise Windows encrypts. [y/N]
cli-native-ask-login = The password that you log in with:
cli-native-restart = Restart the computer now: that tries whether it starts. Nothing is encrypted before. Then go on with: latchkey resume { $path }
cli-native-key-opens = This recovery key opens { $path }.
fault-cli-native-not-here = The system encrypts this volume itself; this command is for others.
    .next = Look at “latchkey help”. Nothing was changed.
fault-cli-native-not-both = BitLocker uses the drive’s own encryption or the processor, never both.
    .next = Choose one: --method auto, software or hardware. Nothing was changed.
cli-practice-windows-begin = A practice computer with Windows, simulated in { $path }. Its BitLocker behaves as Microsoft documents it.
cli-practice-windows-restart = The practice computer is restarted: this is the test start.
cli-practice-windows-kept = The practice computer stays in { $path }, the recovery key in { $folder }. Try: latchkey status, check, decrypt, encrypt with it as target.
cli-native-by-system = Would be encrypted by the system itself (BitLocker, FileVault).
cli-native-by-drive = Would be encrypted by the drive itself, which BitLocker drives.
cli-practice-windows-back = And the way back: the practice computer is decrypted.
cli-practice-windows-cleaned = The practice computer has been removed. On a real Windows, C: takes the same steps: latchkey status C:, latchkey check C:, latchkey encrypt C:

## key, erase

cli-key-line = { $keyslot }: { $kind } ({ $kdf })
cli-key-added = The new password opens { $path } as well (keyslot { $keyslot }). To take it away again: latchkey key remove { $path } --keyslot { $keyslot }
cli-key-removed = Keyslot { $keyslot } of { $path } is gone. What opened it opens nothing any more, except in old copies of the header: destroy those, or make new ones.
cli-key-enrolled = { $path } can now be opened with it, too: { $kind } (keyslot { $keyslot }). Your password and the recovery key still work; after a change of the firmware they will be asked for again.
cli-erase-plan = Everything on { $path } will be gone for ever: passwords, recovery keys and header are destroyed. This is for a drive that is sold, given away or thrown away.
cli-ask-erase = To go on, type the name of the drive as it stands above:
cli-erased = { $path } is erased: nobody can open what was on it, neither with the password nor with a recovery key. Destroy all copies of the header as well. What is left is noise.
cli-erased-flash = On an SSD or a stick, old copies of the header may be left in places that only the drive itself reaches. If the drive has an erase function of its own (“secure erase”, “sanitize”), use it as well.
fault-cli-erase-name = That is not the name of the drive. Nothing was changed.
    .next = Type the name exactly as it is shown, or give it after --erase-drive-named.

# Drives that encrypt by themselves
cli-sleep-why =
    In deep sleep (S3) the drive loses its power and locks itself, and nothing could open it when the computer wakes up. So it has to sleep otherwise, until the drive is given back:
      1  lightly: the drive keeps its power, and the battery lasts less long
      2  not at all: close what you work on and switch the computer off; hibernating still works
cli-ask-sleep = How should it sleep? [1/2, anything else stops here]
cli-opal-image = The start image lies in { $file } ({ $size }). It holds no secret.
cli-opal-locked = { $path } is locked.
cli-opal-unlocked = { $path } is open until its power is off.
cli-opal-nothing-closed = No drive is closed.
cli-opal-given-back = { $path } has been given back as it was. Nothing on it has changed, and it asks for no password.
cli-opal-saved = The kernel will open { $path } when the computer wakes up.
cli-opal-at-start-key = The system opens { $path } at each start. The key lies on the encrypted system drive, readable by the administrator only.
cli-opal-at-start-asks = The system asks for the password of { $path } at each start.
cli-opal-at-start-off = Nothing opens { $path } at the start any more. Open it with “latchkey opal unlock”.
cli-opal-reverted = { $path } has been set back. Everything on it is gone. Switch the computer off for ten seconds before you use it.
cli-opal-revert-warning = This ERASES EVERYTHING on “{ $name }”, for ever. No password brings it back.
cli-ask-opal-name = To go on, type the name of the drive:
cli-ask-opal-give-back = Take the drive’s own encryption off? Every file stays, if the drive keeps to the standard: have a backup. [y/N]
cli-hardware-plan =
    { $path }: { $size }, encrypted by the drive itself, in seconds. Nothing is moved.
    The recovery key goes to { $folder }.
cli-hardware-power-off = { $path } locks itself from now on. That has not been seen yet: switch the computer off for ten seconds, switch it on, and open it with “latchkey opal unlock”. “latchkey opal discover” says then whether it was seen locked.
cli-hardware-test-start = { $path } is prepared, and nothing is locked yet. Now the test start: switch the computer off (not: restart), wait ten seconds, and switch it on. It asks for your password before the system starts. Then run this command again, and the drive is locked.
cli-practice-opal-test = The drive’s power goes off and on; it shows its start image instead of the files, and the password opens it. Nothing is locked yet.
cli-practice-opal-encrypt = Now the whole drive locks itself whenever its power goes. Then its power is taken away, to see it.
cli-practice-opal-facts = { $size } locked by the drive itself in { $seconds }. Note { $id }.
cli-practice-opal-locked = The practice drive was without power again, and it is closed: nobody reads a file on it.
cli-practice-opal-recovery = The recovery key from the stick has opened it, and every byte is there.
cli-practice-opal-back = And the way back: the drive is given back as it was.
fault-cli-opal-partly = Some drives were opened, and others have another password.
    .next = Run it again with the password of the others.
fault-cli-no-note = There is no note of Latchkey in { $path }.
    .next = Give the drive itself, a rescue image, or what was read from the drive’s shadow MBR or DataStore.
fault-cli-profile = There is no practice drive of the sort “{ $name }”.
    .next = Use one of the names in the documentation of the crate “opal”.
