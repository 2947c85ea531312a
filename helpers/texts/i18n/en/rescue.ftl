# Images that start a computer.

fault-rescue-part-missing = A part of the system that starts a computer is missing: { $path }.
    .next = Install { $package } and try again. Nothing was changed.
fault-rescue-file = { $path } cannot be read.
    .next = Check the system drive. If the file is damaged, install its package again. Nothing was changed.
fault-rescue-module = A part of the Linux kernel is damaged or packed in an unknown way: { $path }.
    .next = Install the kernel’s package again. Nothing was changed.
fault-rescue-grub-unknown = This system’s boot loader is not one that Latchkey knows: { $path }.
    .next = Install the distribution’s signed GRUB (grub-efi-amd64-signed). Nothing was changed.
fault-rescue-program-missing = A program of Latchkey itself is missing: { $path }.
    .next = Install Latchkey again. Nothing was changed.
fault-rescue-no-uefi = This computer was not started by UEFI, and the start program needs it.
    .next = Set the firmware to UEFI, or encrypt the drive with software. Nothing was changed.
fault-rescue-layout = The image could not be put together.
    .next = Please report this with the details. Nothing was changed.
fault-rescue-too-large = The image takes { $needed }, and there is room for { $room }.
    .next = Use a larger stick. If it is for a drive’s own encryption, use the drive without a start program, or encrypt it with software.
fault-rescue-differs = What was read back is not what was written.
    .next = Do not trust this medium. Try another one.
fault-rescue-uuid-form = That is not a UUID.
    .next = It has 32 digits and letters from a to f, in five groups with hyphens. Nothing was changed.
fault-rescue-mount = The files cannot be shown: the file system is damaged, or of a kind that the stick does not know.
    .next = Nothing was changed. In a shell you can try more.
fault-rescue-program = A program of the stick could not do its work.
    .next = Try again, or use a shell.
fault-rescue-no-check = There is no file system in it that the stick can check; it has the check for ext2, ext3 and ext4.
    .next = Nothing was changed. If it mounts, copy your files off.
fault-rescue-no-system = There is no Linux system on this volume.
    .next = Choose the volume that the system lies on. Nothing was changed.
fault-rescue-start = The system’s own tools could not put its start right.
    .next = Use a shell: the system’s volume can be opened there, and its messages read.

fault-rescue-program-unfit = A program does not fit on the image: { $path }.
    .next = Install its package again, and Latchkey as well. Nothing was changed.
fault-rescue-not-a-stick = { $path } is no stick: it is built in, the system lies on it, or something on it is in use.
    .next = Choose a stick from the list, and close everything that is open on it. Nothing was changed.
fault-rescue-not-confirmed = That is not the stick’s name. Nothing was written.
    .next = Type the name exactly as it is shown, if everything on the stick may be overwritten.
fault-rescue-no-image = { $path } is no rescue stick of Latchkey, or its list cannot be read.
    .next = Make the stick again.

fault-rescue-stale = The stick does not have the headers of today.
    .next = Make it again with "latchkey rescue make".

## The rescue stick’s menu

rescue-title = Latchkey rescue stick
rescue-looking = Looking at the drives ...
rescue-choose = Number, or arrows and Enter:
rescue-enter = Enter goes on.
rescue-yes = Yes
rescue-no = No
rescue-secret = Password or recovery key (empty: back):
rescue-progress = { $step }: { $percent } %
rescue-keyboard = Keyboard layout
rescue-language = Deutsch
rescue-shell = Shell
rescue-shell-how = "exit" leads back to the menu. cryptsetup and e2fsck are there.
rescue-restart = Start the computer again
rescue-off = Switch off
rescue-hardware = Drives that encrypt by themselves, locked now
rescue-which-secret = With what?
rescue-state-whole = { $drive } ({ $size }): encrypted, in order
rescue-state-damaged = { $drive } ({ $size }): encrypted, one of the two headers is DAMAGED
rescue-state-lost = { $drive } ({ $size }): encrypted, both headers are LOST, but they can be built again
rescue-state-converting = { $drive } ({ $size }): INTERRUPTED at { $percent } %
rescue-state-plain = { $drive } ({ $size }): { $content }, not encrypted
rescue-state-unknown = { $drive } ({ $size }): nothing that is known
rescue-do-repair = Repair the damaged header
rescue-do-rebuild = Build the headers again
rescue-do-restore = Put the header back from the stick’s backup
rescue-do-resume = Go on where it was interrupted, to the end
rescue-do-undo = Undo (nothing has been encrypted yet)
rescue-do-open = Open, look, copy files off (nothing is changed)
rescue-do-mend = Check the file system and put it in order
rescue-do-start = Repair the start of the system on it
rescue-do-unlock = Unlock until the power is off
rescue-do-give-back = Switch the lock off for good (the data stay)
rescue-do-back = Back
rescue-ask-uuid = UUID that the volume had (empty: a new one; then /etc/crypttab must be changed):
rescue-ask-restore = Put the backup in the place of the header that is there?
rescue-ask-undo = Take the encryption back to the state before it?
rescue-ask-give-back = Switch the drive’s lock off? Everybody can read it afterwards.
rescue-ask-mend = Check the file system and put it in order? Maps and counts are made anew; where a decision about a file would be needed, it stops.
rescue-ask-start = Let the system make its initramfs and its boot entry again?
rescue-ask-copy = Which file or folder is to be copied (empty: none)?
rescue-ask-target = Where to? It goes into the folder "latchkey-rescued".
rescue-opened = It is open at { $folder }, to be read only. On it: { $names }
rescue-copying = Copying and comparing ...
rescue-copied = Copied. Every file was read back and compared.
rescue-repaired = Done. The header was read back, and the password opens the volume.
rescue-resumed = Done: the conversion has reached its end.
rescue-undone = Done: it is as it was before.
rescue-unlocked = Open until the power is off.
rescue-given-back = Done. The drive is not locked any more, and its data are there.
rescue-mending = The file system is being checked. On a large drive this takes some minutes ...
rescue-mended = Done. The file system was checked, and it is in order.
rescue-not-mended = The check found errors that take decisions about files. First copy off what you need ("Open"). Then, in a shell: e2fsck -f { $path } (an encrypted volume is opened there before, with cryptsetup open).
rescue-repairing-start = The system makes its initramfs and boot entry ...
rescue-start-repaired = Done. The system made its initramfs and boot entry again.

## latchkey rescue

rescue-stick = { $path }: { $name }, { $size }
rescue-no-sticks = No stick is plugged in that could be used.
rescue-stick-plan =
    Everything on { $name } ({ $path }, { $size }) will be overwritten.
    Type its name if that is what you want:
rescue-made = { $path }: the rescue stick is made ({ $size }, header backups: { $headers }), and every byte was read back. Start the computer from it once to see that it works.
rescue-whole = { $path } is whole: { $files } files, kernel { $kernel }.
rescue-has-header = Header of { $uuid }: on it.
rescue-lacks-header = Header of { $uuid }: NOT on it.
rescue-stale-header = Header of { $uuid }: OLD. A password or key was changed since.
