# Encrypting by the drive itself, for the steps of the wizard and for “latchkey opal”.

# Conditions and reasons
condition-drive-sleep = What becomes of the lock in sleep
reason-opal-2-enterprise = It does not: it has the lock of server drives (TCG Enterprise). Latchkey recognises it and changes nothing on such a drive.
reason-sleep-virtual = A practice drive does not sleep.
reason-sleep-shallow = The computer sleeps in a way that leaves the drive its power. It stays open, as the computer does, until you switch it off.
reason-sleep-kernel = The drive loses its power in sleep and locks itself. The system’s kernel keeps what opens it again, so the computer wakes up as usual.
reason-sleep-asks = The drive loses its power in deep sleep (S3) and locks itself, and nothing could open it when the computer wakes up. So you choose below how the computer sleeps with the lock. When the drive is given back, it sleeps as it does today.
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
fault-hardware-sleep-undecided = Deep sleep would lock this drive, and nobody has chosen yet how the computer is to sleep instead. Nothing was locked.
    .next = Choose it: on the page with the conditions, or with “--sleep light” or “--sleep never” on the command line.
