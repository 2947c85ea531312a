# The system drive: preflight, test start, encryption while people work.


fault-boot-not-the-system = The running system’s root does not lie on a partition that can be seen here ({ $id }).
    .next = Look at “latchkey status”, then try again.
fault-boot-needs-root = Only the administrator may do this.
    .next = Run it as root, with sudo for instance.
fault-boot-nothing-staged = No encryption of the running system has been begun.
    .next = Begin with: latchkey encrypt /
fault-boot-already-staged = A test start is prepared already, or an encryption is under way.
    .next = Restart the computer for the test, or take it back with: latchkey undo /
fault-boot-wrong-state = That does not fit how the system’s drive stands at the moment.
    .next = “latchkey status /” says how it stands.
fault-boot-password-needed = The password is needed to go on: nobody has typed it since the computer was started.
    .next = Go on with: latchkey resume /
fault-boot-already-encrypting = A part of the system’s drive is encrypted already, so it cannot be taken back at once.
    .next = Let it come to its end; every file stays.
fault-boot-tool-missing = The program { $tool } is missing.
    .next = Install the package that has it, then try again.
fault-boot-tool-failed = The program { $tool } has failed.
    .next = The details say why. Everything still starts as before.
fault-boot-file = { $path } could not be read or written.
    .next = See whether the disk is full, then try again.
fault-boot-not-understood = What { $path } says is not understood.
    .next = The details have it. Nothing was done with it.
fault-boot-not-in-initramfs = { $path } was made, and something that is needed is not in it.
    .next = The system starts as before. The details say what is missing; see whether /boot is full.

# A condition that forbids it: as an error, and in the list of conditions.

fault-boot-root-encrypted = The system already runs from an encrypted volume ({ $path }).
    .next = There is nothing to do here. “latchkey status” says how it is protected.
reason-boot-root-encrypted = The system already runs from an encrypted volume ({ $path }). There is nothing to do here. “latchkey status” says how it is protected.
fault-boot-root-device = The system lies on something ({ $kind }) that this version does not encrypt while it runs.
    .next = It can be encrypted from another system that is started from a stick; a partition of a GPT or MBR disk can be encrypted from here.
reason-boot-root-device = The system lies on something ({ $kind }) that this version does not encrypt while it runs. It can be encrypted from another system that is started from a stick; a partition of a GPT or MBR disk can be encrypted from here.
fault-boot-root-file-system = The system’s file system is { $content }, and only ext4 can be made smaller at the start.
    .next = Encrypt it from another system that is started from a stick, or move the system to ext4.
reason-boot-root-file-system = The system’s file system is { $content }, and only ext4 can be made smaller at the start. Encrypt it from another system that is started from a stick, or move the system to ext4.
fault-boot-root-small = The system’s partition has { $size }; at least { $needed } are needed.
    .next = Make the partition larger.
reason-boot-root-small = The system’s partition has { $size }; at least { $needed } are needed. Make the partition larger.
fault-boot-errors = The system’s file system has noted errors ({ $count }).
    .next = Let it be checked at the next start: add “fsck.mode=force” to the kernel’s command line once.
reason-boot-errors = The system’s file system has noted errors ({ $count }). Let it be checked at the next start: add “fsck.mode=force” to the kernel’s command line once.
fault-boot-no-room = { $free } are free on the system’s file system, and { $needed } are needed for the header and for moving things.
    .next = Delete something, then try again.
reason-boot-no-room = { $free } are free on the system’s file system, and { $needed } are needed for the header and for moving things. Delete something, then try again.
fault-boot-drive-failing = The drive itself says that it is failing (SMART).
    .next = Make a backup and replace the drive. Do not encrypt it.
reason-boot-drive-failing = The drive itself says that it is failing (SMART). Make a backup and replace the drive. Do not encrypt it.
fault-boot-cryptsetup-damages = cryptsetup { $version } is installed, and this version can damage data while a volume is in use.
    .next = Update cryptsetup to 2.7.5 or later.
reason-boot-cryptsetup-damages = cryptsetup { $version } is installed, and this version can damage data while a volume is in use. Update cryptsetup to 2.7.5 or later.
fault-boot-packages-missing = Packages are missing: { $packages }.
    .next = Install them: apt-get install { $packages }
reason-boot-packages-missing = Packages are missing: { $packages }. Install them: apt-get install { $packages }
fault-boot-initramfs-other = The initramfs is made by { $name }, for which this version has no test start.
    .next = Encrypt it from another system that is started from a stick.
reason-boot-initramfs-other = The initramfs is made by { $name }, for which this version has no test start. Encrypt it from another system that is started from a stick.
fault-boot-initramfs-unknown = What makes this system’s initramfs is not known.
    .next = Encrypt it from another system that is started from a stick.
reason-boot-initramfs-unknown = What makes this system’s initramfs is not known. Encrypt it from another system that is started from a stick.
fault-boot-no-systemd = The system is not started by systemd, which would encrypt in the background.
    .next = Encrypt it from another system that is started from a stick.
reason-boot-no-systemd = The system is not started by systemd, which would encrypt in the background. Encrypt it from another system that is started from a stick.
fault-boot-loader-none = No boot loader was found that can start an entry once and clears that choice by itself.
    .next = GRUB must be able to write its environment block: /boot must not lie on LVM, RAID or btrfs.
reason-boot-loader-none = No boot loader was found that can start an entry once and clears that choice by itself. GRUB must be able to write its environment block: /boot must not lie on LVM, RAID or btrfs.
fault-boot-boot-device = /boot lies on something ({ $kind }) that is not a plain partition.
    .next = Move /boot to a partition of its own.
reason-boot-boot-device = /boot lies on something ({ $kind }) that is not a plain partition. Move /boot to a partition of its own.
fault-boot-inside-root = /boot is a part of the system’s file system, and there is no swap partition that could give { $needed } for one of its own.
    .next = Make a partition for /boot, or make the swap partition larger.
reason-boot-inside-root = /boot is a part of the system’s file system, and there is no swap partition that could give { $needed } for one of its own. Make a partition for /boot, or make the swap partition larger.
fault-boot-boot-full = { $free } are free on /boot, and { $needed } are needed.
    .next = Remove old kernels: apt-get autoremove
reason-boot-boot-full = { $free } are free on /boot, and { $needed } are needed. Remove old kernels: apt-get autoremove
fault-boot-kernel-gone = The kernel that runs ({ $version }) is not in /boot any more: it has been updated.
    .next = Restart the computer, then try again.
reason-boot-kernel-gone = The kernel that runs ({ $version }) is not in /boot any more: it has been updated. Restart the computer, then try again.
fault-boot-root-by-name = The kernel is told to look for the system at { $name }, and that name changes.
    .next = Set root=UUID=… in the boot loader’s configuration.
reason-boot-root-by-name = The kernel is told to look for the system at { $name }, and that name changes. Set root=UUID=… in the boot loader’s configuration.
fault-boot-fstab-by-name = /etc/fstab names the system’s file system { $name } and not by its UUID.
    .next = Write UUID=… there; “blkid” prints it.
reason-boot-fstab-by-name = /etc/fstab names the system’s file system { $name } and not by its UUID. Write UUID=… there; “blkid” prints it.
fault-boot-small-blocks = The system’s file system has blocks of { $block } bytes, and the encryption has sectors of 4096.
    .next = Move the system to a file system that is made anew; ext4 has the right blocks today.
reason-boot-small-blocks = The system’s file system has blocks of { $block } bytes, and the encryption has sectors of 4096. Move the system to a file system that is made anew; ext4 has the right blocks today.
fault-boot-odd-size = The length of the partition { $path } is not a multiple of 4096 bytes.
    .next = Make it a little smaller or larger with a partition editor, then try again.
reason-boot-odd-size = The length of the partition { $path } is not a multiple of 4096 bytes. Make it a little smaller or larger with a partition editor, then try again.
fault-boot-packages-unfinished = A package is being installed, or its installation was cut off.
    .next = Wait until it is done. If nothing is being installed, run: dpkg --configure -a
reason-boot-packages-unfinished = A package is being installed, or its installation was cut off. Wait until it is done. If nothing is being installed, run: dpkg --configure -a
fault-boot-root-twin = { $path } is a copy of the system’s partition: both have a UUID in common, and one could be taken for the other.
    .next = Unplug it, or give it another UUID.
reason-boot-root-twin = { $path } is a copy of the system’s partition: both have a UUID in common, and one could be taken for the other. Unplug it, or give it another UUID.
fault-boot-battery-low = The battery is at { $percent } % and the mains are not plugged in; { $needed } % are needed.
    .next = Plug in the charger.
reason-boot-battery-low = The battery is at { $percent } % and the mains are not plugged in; { $needed } % are needed. Plug in the charger.

reason-boot-in-order = In order.
reason-boot-errors-unseen = Whether the file system has noted errors could not be seen. It is checked at the test start.
reason-boot-health-unseen = The drive was not asked; with the package smartmontools it can be.
reason-boot-will-be-split = /boot is a part of the system’s file system. It gets a partition of its own, with { $size } taken from the swap partition { $path }, so that the boot loader never has to open anything.
reason-boot-swap-plain = { $path } is swap in plain. While the system is encrypted it is off; in the end it is encrypted with a new key at each start.
reason-boot-no-hibernation = The system would wake up from { $place }. Afterwards it cannot hibernate any more, because swap has a new key at each start; sleeping (suspend) goes on.
reason-boot-on-battery = The computer runs on its battery ({ $percent } %). Better plug in the charger.
reason-boot-clock-wrong = The clock says { $year }.
reason-boot-keyboard-layout = The password will be typed with the layout “{ $layout }”. The test start proves that it can be.
reason-boot-stays-plain = Something else lies on the same drive and stays as it is: { $paths }.

condition-boot-root = The system’s drive and file system
condition-boot-clean = The file system is in order
condition-boot-room = There is room for the header
condition-boot-blocks = File system and partition have the right blocks
condition-boot-package-work = No package is being installed
condition-boot-health = The drive is healthy
condition-boot-cryptsetup = cryptsetup is one that does no damage
condition-boot-packages = All packages are there
condition-boot-initramfs = The initramfs is understood
condition-boot-once = The test can be started once
condition-boot-separate = /boot is a partition of its own
condition-boot-boot-room = There is room on /boot
condition-boot-kernel = The kernel that runs is the one on the disk
condition-boot-by-uuid = The system is found by its UUID
condition-boot-twin = There is no copy of the system
condition-boot-swap = Swap is encrypted
condition-boot-hibernation = Hibernation
condition-boot-power = There is enough power
condition-boot-clock = The clock is right
condition-boot-keyboard = The keyboard’s layout
condition-boot-other-systems = Other systems on the drive

cli-system-prompt = Please unlock disk { $name }:
cli-system-wrong = Latchkey: that password does not open it.
cli-system-working = Latchkey: the file system is being checked and made ready. Please wait.
cli-system-ask = Is there a backup of what matters, and may the test start be prepared? Nothing is encrypted before it has succeeded. [y/N]
cli-system-staged = Everything is prepared. Restart the computer now: it will ask for the password. If that works, it goes on with encrypting by itself; if not, it starts as always.
cli-system-paused = It has stopped, and stays so. Go on with: latchkey resume /
cli-system-resumed = It goes on in the background. “latchkey status /” says how far it is.
cli-system-undone = Everything that was prepared has been taken away again.
cli-system-undone-next = Nothing is encrypted. The next start puts everything back as it was: restart the computer.
cli-system-untouched = The system’s drive is not encrypted by Latchkey.
cli-system-phase-staged = The test start is prepared. Nothing has changed on the system’s drive. Restart the computer.
cli-system-phase-placed = The test start has succeeded. Nothing is encrypted yet.
cli-system-phase-encrypting = Being encrypted: { $done_size } of { $size }.
cli-system-phase-stopped = Encrypted in part, and stopped: { $done_size } of { $size }. Go on with: latchkey resume /
cli-system-phase-ending = All is encrypted. The system is being made ready for its next start.
cli-system-phase-to-be-proven = All is encrypted. Shut the computer down and start it once: that proves it.
cli-system-phase-proven = All is encrypted, and a start after that was seen.
cli-system-decrypt-staged = The way back is prepared. The next start asks for the password and decrypts everything before the system is up; with a large drive that takes hours, and the power may go. Take it back with: latchkey undo /
cli-system-decrypting = Latchkey: { $percent } % decrypted
cli-system-phase-decrypted = All is plain again. The system is being made ready for its next start.
cli-system-start-decrypted = At this start, everything was decrypted.
cli-system-start-passed = At this start, the password was right.
cli-system-start-wrong-password = At this start, the password was wrong three times. Nothing was changed. Try it again with: latchkey encrypt /
cli-system-start-nothing-typed = At this start, nobody typed a password. Nothing was changed.
cli-system-start-taken-back = The start before this one did not get to its end, so everything was put back as it was.
cli-system-start-failed = At this start, something went wrong. Nothing was changed.

fault-cli-system-not-here = The running system is encrypted by its own means here.
    .next = Use BitLocker or FileVault.
fault-cli-system-no-program = Where this program lies could not be found out.
    .next = Start it by its full path.
