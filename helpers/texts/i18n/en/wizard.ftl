# The wizard: why it cannot go on, what it has to tell, and what can go wrong.

## Why "Next" does not work

reason-blocked-job = Something is still running. You can go on when it is done.
reason-blocked-no-target = Choose a drive or an image first, or try it on the practice drive.
reason-blocked-check = This one cannot be encrypted as it is. The list says why.
reason-blocked-sleep = Choose first how the computer is to sleep.
reason-blocked-conditions = One of the conditions in the list is not met yet.
reason-blocked-backup = Please confirm that you have a backup.
reason-blocked-accept = Please read and confirm each of the points.
reason-blocked-password = Choose a password first.
reason-blocked-recovery = Keep the recovery key first: on a stick, or on paper and typed back from it.
reason-blocked-rescue = Write the rescue file, or say that you want to go without it.
reason-blocked-bench = Measure, or say that you want to go without it.
reason-blocked-test-start = First type the password as you will at every start.
reason-blocked-restart = It goes on after the restart.
reason-blocked-encrypt = You can go on when the encryption is finished.
reason-blocked-end = This is the last step.

## What the wizard has to tell

reason-notice-reopened = The program was closed here. You can go on where you were.
reason-notice-interrupted = The encryption was interrupted. What is done is safe, and it goes on from there with your password.
reason-notice-paused-outside = It was paused from a terminal (“latchkey pause”). What is done is safe.
reason-notice-password-again = The program was closed before the recovery key was kept. Please type your password again; there will be a new recovery key.
reason-notice-test-start-again = The program was closed, and it remembers no passwords. Type your password once more to go on.
reason-notice-system-restarts = The computer is being restarted.
reason-notice-system-goes-off = The computer is being switched off.
reason-notice-system-undone = Everything has been taken back, and the computer is as it was.
reason-notice-system-nothing-staged = Nothing is prepared any more: it was taken back, here or in a terminal. The computer is as it was.
reason-notice-system-expired = The preparation has waited too long, or its service was restarted, and was taken back. Nothing was changed. Please type your password again; there will be a new recovery key.
reason-notice-system-decrypted = At this start everything was decrypted. All your files are there.
reason-notice-system-stays-encrypted = The way back was taken away again. The drive stays encrypted.

reason-method-system = It is the drive that this system runs from: it is encrypted while you work, after a test start that proves your password.
reason-room-system = The file system is made a little smaller by the test start, to make room for the header.
reason-system-proven = All of it is encrypted, and a start after that was seen. Without the password or the recovery key nobody reads anything on it.

fault-wizard-folder-not-a-stick = { $path } is not on a stick. If this computer does not start, nobody gets at a key that lies in it.
    .next = Plug in a stick and choose that, or write the key on paper and type it back.

## The day after

reason-notice-password-changed = The new password opens the drive; the old one does not any more. Old copies of the header still open with the old password: make a new copy, and destroy those.
reason-notice-password-added = The new password opens the drive. It was tried just now.
reason-notice-key-removed = It is gone and opens the drive no more. Old copies of the header still open with it: make a new copy, and destroy those.
reason-notice-new-key = The new recovery key { $keyid } was saved, read back and has opened the drive. The old one opens it no more: destroy all its copies.
reason-notice-key-opens = This is the right key. { $keyid } opens the drive; that was noted with today's date.
reason-notice-copy-made = The copy of the key { $keyid } was saved, read back and has opened the drive.
reason-notice-header-saved = The copy of the header was saved and read back: { $path }
reason-notice-enrolled = It opens the drive now, too. Your password and the recovery key still work, and after a change of the firmware they will be asked for again.
reason-notice-turned-off = The drive is not encrypted any more. Everything on it is as it was.
reason-notice-turned-off-files = The drive is not encrypted any more. { $count ->
        [one] { $same } of its 1 file was read back and is
       *[other] { $same } of its { $count } files were read back and are
    } as it was.
reason-notice-erased = Nobody can open what was on the drive any more, neither with the password nor with a recovery key. Destroy all copies of the header and of the key as well.

key-kind-password = password
key-kind-recovery = recovery key
key-kind-tpm2 = this computer's security chip (TPM)
key-kind-fido2 = security key (FIDO2)
key-kind-smart-card = smart card
key-kind-other = something that Latchkey does not know

copy-stick = on the stick { $place }
copy-folder = in the folder { $place }
copy-paper = on paper

reason-copy-not-tried = Last tried on { $day }, more than a year ago. Try it, so that you know it still works.
reason-copy-after-firmware = The computer's firmware has been changed since it was last tried on { $day }. That is when a computer may ask for this key: see that you have it at hand.
reason-copy-after-tpm = The computer's security chip is not as it was when this was last tried on { $day }. The computer may ask for this key: see that you have it at hand.
reason-copy-after-secure-boot = Secure Boot was switched since this was last tried on { $day }. The computer may ask for this key: see that you have it at hand.

## What is weak about a password

reason-password-empty = There is nothing typed yet.
reason-password-too-long = It is longer than { $limit } bytes. Start-up screens take no more.
reason-password-control = It contains a sign that cannot be typed, such as a line break.
reason-password-keyboard = Keys that lie beside each other are tried first.
reason-password-repeats = Repeating the same letters hardly makes it harder to guess.
reason-password-sequence = Sequences like “abc” or “6543” are tried first.
reason-password-date = Dates and years are easy to guess.
reason-password-word = A single word is found in any dictionary.
reason-password-name = Names are easy to guess.
reason-password-common = Many people use it or something very like it. It is tried first.
reason-password-guessable = It can be guessed. Several words that do not belong together are better.

## What a keyboard before start-up may do to a password

reason-password-layout-non-ascii = Some of its letters or signs may be missing on the start-up keyboard, such as umlauts, accents or emoji.
reason-password-layout-letters = A, Q, Z, W, M and Y may lie on other keys before start-up.
reason-password-layout-digits = Digits may need another key or Shift before start-up.
reason-password-layout-signs = Signs such as - / ? lie on other keys on an American keyboard.
reason-password-layout-edge-space = It begins or ends with a space, which is easily forgotten.

## What stands in the way of a volume

fault-volume-mounted = { $path } is in use: it is mounted at { $mounts }.
    .next = Close what uses it and unmount it (“Eject”), then try again. Nothing was changed.
fault-volume-swap = { $path } is in use as swap space.
    .next = Switch the swap space off (“swapoff”), then try again. Nothing was changed.
fault-volume-held = { $path } is a part of { $by }, which is in use.
    .next = Encrypt { $by } instead, or close it first. Nothing was changed.
fault-volume-partitions = This is a whole drive with partitions on it.
    .next = Choose one of its partitions. Nothing was changed.
fault-volume-encrypted = It is encrypted already ({ $format }).
    .next = There is nothing to do here. Make sure that you know where its password and recovery key are.
fault-volume-interrupted-encrypt = Its encryption was begun and not finished. What is done is safe.
    .next = Go on with it: choose it in the wizard, or run “latchkey resume”.
fault-volume-interrupted-decrypt = Its decryption was begun and not finished. What is done is safe.
    .next = Go on with it by “latchkey resume”, then try again.
fault-volume-interrupted-reencrypt = Another program is changing its encryption and has not finished.
    .next = Finish it with “cryptsetup reencrypt”, then try again. Nothing was changed.
fault-volume-hibernated = A system sleeps here (hibernation), and its memory lies on this volume.
    .next = Wake that system up and shut it down properly, then try again. Nothing was changed.
fault-volume-member = It is a part of something larger ({ $format }) and cannot be encrypted alone.
    .next = Encrypt the volume that is made of it. Nothing was changed.
fault-volume-external = A part of its file system ({ $content }) lies on another drive.
    .next = Bring it onto one drive first. Nothing was changed.
fault-volume-too-small = It is too small: it has { $size }, and at least { $needed } are needed.
    .next = Choose a larger one. Nothing was changed.
fault-volume-no-room = There is no room for the encryption’s header, which needs { $needed } behind the data, and this program cannot make any.
    .next = Make the partition { $needed } larger, or the file system smaller, with a partition program. For an image, make room on the drive that it lies on. Nothing was changed.
fault-volume-used-space-unknown = Which parts of this volume ({ $content }) are free cannot be told.
    .next = Have everything encrypted: it takes longer and hides more.
fault-volume-is-recovery-key = That is the recovery key, not the password.
    .next = To change a forgotten password, make a new recovery key first and keep it, or add a password with “latchkey key add”.
fault-wizard-other-key = This sheet has another key: { $keyid }.
    .next = Take the sheet whose key ID is the one shown here. Older sheets of this drive open it no more.
fault-wizard-key-old = The recovery key { $keyid } belongs to { $path }, but it is old: it opens it no more. A newer key has taken its place.
    .next = Destroy this copy, so that nobody relies on it. Use the newer one; with the password, “latchkey recovery new” makes another.
fault-wizard-key-other = The recovery key { $keyid } belongs to another drive: it was made for the one with the UUID { $uuid }, and { $path } has { $found }.
    .next = Look for the sheet on which this drive is named. Keep this one: it opens the other drive.
fault-wizard-enroll-missing = This needs the program systemd-cryptenroll, which is not installed here.
    .next = Install the package “systemd-cryptsetup” (in older systems it is part of “systemd”) and try again. Nothing was changed.
fault-wizard-enroll-failed = This way of opening { $path } could not be set up. The drive opens as before.
    .next = Check that the chip is switched on in the firmware, or that the security key is plugged in, and try again. What systemd-cryptenroll said is below.
fault-wizard-not-the-name = That is not the name of the drive. Nothing was changed.
    .next = Type the name exactly as it is shown.
fault-volume-already-opens = This password opens the drive already. Nothing was changed.
    .next = Choose another one, so that each person's password can be taken away by itself.
fault-volume-own-keyslot = That is the very password or key that you have just typed. Nothing was changed.
    .next = To take it away, open the drive with another one.

## What can go wrong in a step

fault-wizard-folder = Nothing could be written to { $path }.
    .next = Choose another folder, or check whose folder it is.
fault-wizard-folder-full = There is no space left in { $path }.
    .next = Make some room there, or choose another folder.
fault-wizard-folder-read-only = { $path } can only be read.
    .next = Look for a write-protection switch on the stick, or choose another folder.
fault-wizard-folder-missing = { $path } is not there any more.
    .next = Plug the stick in again, or choose another folder.
fault-wizard-folder-on-target = { $path } lies on the drive that is going to be encrypted. What is locked in with it helps nobody.
    .next = Choose a folder on a stick or on another drive.
fault-wizard-already-running = Latchkey is open already.
    .next = Go on in the window that is open, or close it first.
fault-wizard-journal-damaged = What Latchkey had remembered about the last time could not be read. It was kept as { $kept }.
    .next = Start again here. If an encryption was running, choose the same drive: it goes on where it was.
fault-wizard-journal-newer = A newer version of Latchkey was used the last time. What it remembered was kept as { $kept }.
    .next = Better go on with the newer version. If an encryption was running, you can also choose the same drive here.
fault-wizard-password-differs = The two passwords are not the same.
    .next = Type the same password twice. You can have it shown.
fault-wizard-password-empty = No password was typed.
    .next = Type a password, or let the program suggest one.
fault-wizard-password-too-long = The password is too long: start-up screens take no more than 512 bytes.
    .next = Choose a shorter one. Six words are more than enough.
fault-wizard-password-control = The password contains a sign that cannot be typed, such as a line break.
    .next = Type it by hand instead of pasting it.
fault-wizard-password-weak = The password is too easy to guess.
    .next = Take several words that do not belong together, or let the program suggest one.
fault-wizard-password-wrong =
    { $tries ->
        [1] The password is not right.
        [2] The password is not right, for the second time.
       *[other] The password is not right. That was try number { $tries }.
    }
    .next = Check Caps Lock and the keyboard’s language, and have it shown while you type. You can try as often as you like, and nothing is lost.
fault-wizard-recovery-typed-wrong =
    { $count ->
        [one] Group { $groups } is not what stands on the sheet.
       *[other] These groups are not what stands on the sheet: { $groups }.
    }
    .next = Compare letter by letter. If the sheet itself is wrong, write it again.
fault-wizard-read-back-differs = What was read back from { $path } is not what was written.
    .next = Do not trust this stick. Take another one.
fault-wizard-not-now = That does not fit this step.
    .next = Look at what the page asks for.
fault-wizard-busy = Something is still running.
    .next = Wait until it is done, or pause it.
fault-wizard-password-needed = Your password is needed here: the program was closed meanwhile and remembers no passwords.
    .next = Type your password. Before the encryption has begun, that is done at the test start.
fault-wizard-key-gone = The recovery key cannot be shown again: the program was closed meanwhile and does not keep it.
    .next = The copy that you kept is good. If you want another one, go back to the password and set it again; there will be a new recovery key.
fault-wizard-rights-refused = The right to look at everything was not given.
    .next = What could be seen without it is shown. You can ask again at any time.
fault-wizard-rights-unavailable = Nobody could be asked for the rights of an administrator here.
    .next = An administrator can see everything in a terminal with: sudo latchkey status
fault-wizard-target-changed = The drive is not what it was when it was checked.
    .next = Go back to the first page and choose it again. Nothing was changed by Latchkey.
fault-wizard-job-broke-off = The program made a mistake and stopped this piece of work. What was written so far is safe.
    .next = Try it once more. If it happens again, please report it.

## Conversions that run in another process

fault-running-nothing = No conversion of { $path } is running, as far as you can see.
    .next = If it runs under another user (with sudo), pause it the same way. If it was stopped before, go on with: latchkey resume { $path }
fault-running-not-stopped = The conversion of { $path } was asked to stop and has not done so yet.
    .next = It stops after the piece that it is working at. Look again with: latchkey status { $path }
fault-running-unusable = Running conversions cannot be found.
    .next = Press Ctrl-C in the terminal where the conversion runs.

## A file system whose resizing was cut off

reason-file-system-cut-smaller = { $content } was being made smaller for the encryption when this was cut off. No file is lost; encrypting puts it in order and goes on.
reason-file-system-cut-larger = { $content } was being made larger again after decrypting when this was cut off. No file is lost; encrypting puts it in order first.
