# Encrypting by the drive itself, for the steps of the wizard and for “latchkey opal”.

# Conditions and reasons
condition-drive-sleep = What becomes of the lock in sleep
reason-sleep-virtual = A practice drive does not sleep.
reason-sleep-shallow = The computer sleeps in a way that leaves the drive its power. It stays open, as the computer does, until you switch it off.
reason-sleep-kernel = The drive loses its power in sleep and locks itself. The system’s kernel keeps what opens it again, so the computer wakes up as usual.
reason-sleep-made-light = The drive loses its power in sleep and locks itself, and nothing could open it when the computer wakes up. So, with the lock, Latchkey switches deep sleep (S3) off: the computer sleeps lightly (s2idle), which uses a little more of the battery. If you do not want that, do not go on with this method. It is switched on again when the drive is given back.
reason-sleep-unknown = How this computer sleeps cannot be seen. If it does not wake up properly, switch it off instead of letting it sleep.
reason-own-lock-no-start = It cannot: the system lies on this drive, and nothing could ask for the password before it starts. Encrypt it with software.
reason-own-lock-by-service = It need not: no system starts from this drive. The running system opens it.
condition-start-program = The program that asks for the password before the system starts
reason-start-program-there = Everything for it is on this computer. Secure Boot stays on.
reason-start-program-missing = It cannot be put together on this computer: it needs UEFI, a Debian or Ubuntu with its signed start programs (shim-signed, grub-efi-amd64-signed), and an installed Latchkey. Encrypt the drive with software.
reason-own-lock-seen = The drive locks itself, and that was seen: after a power-off it was closed until the password opened it.
reason-own-lock-prepared = The drive’s own lock is prepared, and not switched on yet.
next-own-lock-go-on = Go on: switch it on, or give the drive back as it was.
reason-room-unneeded = No room is needed: the drive encrypts what lies on it already, and nothing is moved.
reason-hardware-seconds = The drive encrypts everything on it already. Locking it takes seconds, whatever its size, and costs no speed.
reason-hardware-prepared = This drive was prepared by Latchkey before. It goes on from there.
reason-hardware-not-audited = Nobody outside its maker can examine how well the drive does it. Whoever trusts it less chooses the processor.
reason-notice-given-back = The drive has been given back as it was. Nothing on it has changed, and it asks for no password.
reason-notice-power-off-test-start = Now switch the computer off (not: restart), wait ten seconds, and switch it on. It asks for your password before the system starts. Then open this window again.
reason-notice-power-off = The lock is switched on. It counts when it was seen: switch the computer off (not: restart), wait ten seconds, switch it on, unlock, and open this window again.
reason-notice-test-start-passed = The test start has worked: the drive was opened with your password before the system started.

fault-hardware-refused = This drive cannot be encrypted by itself. The list of conditions says why.
    .next = Encrypt it with the processor instead. Nothing was changed.
fault-hardware-prepared-earlier = This drive was prepared earlier, with another password.
    .next = Type that password. Or give the drive back first: “latchkey opal give-back”.
fault-hardware-not-seen = After its power was off, the drive was not as it should be: it does not lock itself, or does not show what it should. It must not be trusted.
    .next = Give the drive back, which keeps everything on it, and encrypt it with the processor.
fault-hardware-both-needs-node = Both, one above the other, needs a drive that the system has as a device. A practice drive in a file is none.
    .next = Choose “hardware” for the practice drive.
fault-hardware-needs-systemd = This system has no service manager that Latchkey knows (systemd), so nothing would open the drive at the next start. Nothing was locked.
    .next = Encrypt it with the processor instead, or use a system with systemd.

# The command line
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
cli-ask-opal-give-back = Take the drive’s own encryption off? Every file stays. [y/N]
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
