# What is in this computer, the verdict with its reason and next step, and the conditions.

## Faults

fault-drives-not-yet = Looking at the drives of { $system } is not built yet.
    .next = Image files and the practice drive work here, too.
fault-drives-unreadable = The system’s own list could not be read ({ $path }).
    .next = Try again as administrator. In a container the list may be hidden on purpose.
fault-drives-unknown-device = The system’s list of drives does not have { $path }.
    .next = If it was pulled out, plug it in again and look once more.

## Why a volume is judged as it is

reason-needs-rights = Looking at it needs administrator rights.
reason-needs-rights-noted = Looking at it needs administrator rights. The system has noted that it holds { $content }, which does not tell whether it is protected.
reason-not-readable = It could not be read: the drive reported an error, or another program has locked it.

reason-luks2 = Everything on it is encrypted ({ $cipher }). Without the password or the recovery key nobody reads it.
reason-luks2-one-copy = Everything on it is encrypted, but one of the two copies of its header is damaged. If the other one is lost as well, the data are lost.
reason-luks2-both = Everything on it is encrypted, by the drive itself and by this computer ({ $cipher }).
reason-luks2-by-drive = It is set up so that the drive itself encrypts it. How well the drive does that, nobody can check.
reason-luks-header-only = This is only the header of an encrypted volume ({ $cipher }). The data lie elsewhere, and without this header and its password nobody reads them.
reason-luks1 = Everything on it is encrypted, in the older format LUKS1 ({ $cipher }).
reason-luks1-converting = A conversion of the older format LUKS1 was interrupted. It cannot be opened as it is.
reason-luks-damaged = It was encrypted, and the header that is needed to open it is damaged.
reason-luks-newer = It is encrypted in a way that is newer than this program.
reason-luks-no-keyslot = It is encrypted, and no password opens it: its header has no key left.
reason-luks-unclear = It is encrypted in part or in an unusual way. Whether all of it is protected cannot be told.
reason-null-cipher = It looks encrypted, but its cipher changes nothing: whoever has the drive reads everything.
reason-converting-encrypt = { $percent } % of it is encrypted. The rest can still be read by whoever has the drive.
reason-converting-decrypt = It is being decrypted: { $percent } % of it can be read by whoever has the drive.
reason-converting-reencrypt = It is encrypted, and its key is being changed ({ $percent } % done).

reason-bitlocker = It is encrypted with BitLocker. Whether it really needs a key at the moment, only Windows can say.
reason-bitlocker-clear-key = It is encrypted with BitLocker, but protection is suspended: the key lies openly beside the data.
reason-bitlocker-whole = Everything on it is encrypted with BitLocker ({ $cipher }), and nothing opens it without a secret.
reason-bitlocker-plain = It was prepared for BitLocker, but nothing on it is encrypted yet.
reason-bitlocker-encrypting = BitLocker is encrypting it: { $percent } % is done. The rest can still be read by whoever has the drive.
reason-bitlocker-decrypting = BitLocker is decrypting it: { $percent } % of it can be read by whoever has the drive.
reason-bitlocker-converting = BitLocker has begun to convert it and has not finished. A part of it can be read by whoever has the drive.
reason-filevault-whole = Everything on it is encrypted with FileVault ({ $cipher }).
reason-filevault-converting = FileVault has begun to convert it and has not finished. A part of it can be read by whoever has the drive.
reason-corestorage-plain = It is a Mac volume without FileVault. Whoever has the drive reads everything on it.
reason-apfs-encrypted = Its volumes are encrypted. Whether a password is needed to open them, only the Mac can say: one without FileVault opens by itself.
reason-apfs-partly = Some of its volumes are encrypted, others are not.
reason-apfs-plain = None of its volumes is encrypted. Whoever has the drive reads everything on them.
reason-apfs-converting = One of its volumes is half encrypted.
reason-other-encryption = It may be encrypted by another system ({ $content }). Only that system can say.
reason-self-encrypting = This kind of file system ({ $content }) can encrypt by itself. Whether it does so cannot be told from outside.
reason-plain-dm-crypt = It is encrypted without a header ({ $cipher }). When it is closed it looks like empty noise: never format it by mistake.
reason-detached-header = It is encrypted, and its header lies elsewhere ({ $cipher }). When it is closed it looks like empty noise: never format it by mistake.
reason-plain-dm-crypt-unseen = It is opened as encrypted without a header. With which cipher, only an administrator can see.

reason-plain = It is not encrypted. Whoever has the drive reads everything on it.
reason-plain-leftover = It is not encrypted. The rest of an older encryption is still on it and may confuse programs.
reason-plain-folders = It is not encrypted as a whole. Folders on it can be encrypted one by one (fscrypt); which ones cannot be told from outside.
reason-encrypted-folder = It is a folder whose files are encrypted one by one ({ $content }). What lies around it is not.
reason-windows-hibernated = It is not encrypted, and a Windows that sleeps (hibernation or fast start-up) has left its memory on it.
reason-for-starting = It is not encrypted. It is only there for starting the computer, which is why it has to be readable.
reason-swap = Swap space keeps pieces of everything that was open, passwords included, and it is not encrypted.
reason-hibernated = The memory of a sleeping system lies here, and it is not encrypted.

reason-member-inactive = It is part of something larger ({ $content }) that is not active. What is in it cannot be told.
reason-member-protected = It is part of something larger, and all that is made of it is encrypted.
reason-member-plain = It is part of something larger, and nothing of that is encrypted.
reason-member-partly = It is part of something larger, and some of that is not encrypted.
reason-member-converting = It is part of something larger, and some of that is half encrypted.
reason-member-unclear = It is part of something larger, and not all of that can be seen.
reason-partitions = It holds partitions. Each of them is judged on its own.
reason-unclear = It holds a damaged file system, or the traces of more than one. What is on it cannot be told for sure.
reason-blank = It holds nothing but zeros. There is nothing to protect yet.
reason-looks-random = It holds nothing that is known, and it looks like noise: a volume of VeraCrypt, encryption without a header, or a drive that was wiped.
reason-nothing-known = It holds nothing that is known. It may be empty, or encrypted without a trace (VeraCrypt).

## Why a drive is judged as it is

reason-drive-empty = There is nothing on it that could be judged.
reason-drive-protected = Everything on it is encrypted.
reason-drive-protected-starting = All data on it are encrypted. Only the small part that is needed for starting is readable, as always.
reason-drive-converting = One of its volumes is half encrypted.
reason-drive-suspended = Protection of one of its volumes is suspended.
reason-drive-partly = { $protected } of its { $count } volumes are encrypted. The others can be read by whoever has the drive.
reason-drive-readable = At least one of its volumes can be read by whoever has the drive.
reason-drive-locked = Everything on it is closed. Not all of it can be judged from here.
reason-drive-unknown = Not all of its volumes could be judged.

## Why a place that lies on several devices is judged as it is

reason-beneath-protected = All { $count } devices that it lies on are encrypted.
reason-beneath-converting = One of the devices that it lies on is half encrypted.
reason-beneath-suspended = Protection of one of the devices that it lies on is suspended.
reason-beneath-partly = It lies on { $count } devices, of which { $protected } are encrypted. What is on the others can be read by whoever has them.
reason-beneath-plain = It lies on { $count } devices, and at least one of them is not encrypted.
reason-beneath-unknown = It lies on { $count } devices, and not all of them can be judged.

## Why the computer is judged as it is

reason-computer-protected = Every place on this computer where your data can lie is encrypted.
reason-computer-memory-open = Your files are encrypted, but pieces of them lie openly in swap space or in the memory of a sleeping system.
reason-computer-partly = { $open } of { $count } places where your data can lie can be read by whoever has the computer.
reason-computer-open = Nothing that matters is encrypted: { $open } of { $count } places where your data can lie can be read by whoever has the computer.
reason-computer-removable-open = The computer’s own drives are encrypted, but one that can be pulled out is not.
reason-computer-removable-unknown = The computer’s own drives are encrypted. Of one that can be pulled out nothing is known.
reason-computer-converting = One of the places where your data lie is half encrypted.
reason-computer-suspended = Protection of one of the places where your data lie is suspended.
reason-computer-locked = Every place is encrypted or closed. Not all of them can be judged from here.
reason-computer-needs-rights = Not everything could be looked at without administrator rights.
reason-computer-unknown = Not every place where your data can lie could be judged.
reason-computer-nothing = No place where your data could lie was found.

## What somebody gets who has the drive in hand

gets-nothing = Whoever takes the drive gets noise. Without the password or the key nothing of it can be read.
gets-nothing-by-drive = Whoever takes the drive has to get past the drive’s own lock. If that is sound, nothing can be read.
gets-nothing-there = Whoever takes the drive gets nothing, because there is nothing on it.
gets-everything = Whoever takes the drive reads every file on it, without any password. A password for logging in does not help.
gets-everything-and-memory = Whoever takes the drive reads every file on it and everything that was open when the computer went to sleep, passwords included.
gets-some = Whoever takes the drive reads what is not encrypted, without any password.
gets-rest = Whoever takes the drive now reads the part that is not encrypted.
gets-old-key = Whoever takes the drive needs the old or the new password, as before.
gets-key-beside = Whoever takes the drive finds the key beside the data and reads everything.
gets-memory = Whoever takes the drive finds pieces of what was open: texts, passwords, perhaps keys.
gets-names = Whoever takes the drive gets the number and the sizes of the files, perhaps their names, and nothing that is in them.
gets-outside-folders = Whoever takes the drive reads everything outside the encrypted folders.
gets-start-files = Whoever takes the drive gets no files of yours. Who has it unnoticed for a while could change how the computer starts.
gets-header = Whoever gets this file can try passwords, but has no data.
gets-removable = Whoever takes the drive that can be pulled out reads every file on it.
gets-unknown = What somebody would get who takes the drive cannot be told.

## Places where data can lie

place-system = The system
place-data = Data
place-swap = Swap space
place-hibernation = Memory of the sleeping system
place-closed = A volume that is not open
place-removable = A drive that can be pulled out
place-start = For starting the computer

## What to do next

next-nothing = There is nothing to do.
next-keep-key = Nothing to do. Keep the recovery key in a safe place, away from the computer.
next-encrypt = Encrypt it now.
next-unmount-and-encrypt = Eject or unmount it, then encrypt it.
next-encrypt-system = Your system runs from it. It can be encrypted while you work, after one restart; in a terminal with: latchkey encrypt /
next-encrypt-swap = Have the system encrypt its swap space with a new key at every start, or switch swap off and encrypt the volume.
next-encrypt-member = Encrypt the volumes that are made of it.
next-wake-and-shut-down = Start that system, let it wake up, and shut it down properly.
next-backup-and-encrypt = Copy the files elsewhere, then encrypt it anew.
next-resume = Go on with it: the conversion continues where it stopped.
next-resume-cryptsetup = Finish it with the program that began it (cryptsetup).
next-repair-header = Do not write to it. Repair the header now, or restore it from a backup.
next-restore-header = Restore the header from a backup, if there is one.
next-clear-leftover = Remove the rest of the older encryption before anything else is done with it.
next-newer-program = Use a newer version of this program, or cryptsetup.
next-look-with-cryptsetup = Look at it with “cryptsetup luksDump”.
next-bitlocker-resume = Resume protection in Windows: Control Panel, BitLocker, “Resume protection”.
next-ask-windows = Look at it in Windows: Control Panel, BitLocker.
next-ask-its-system = Look at it in the system that made it.
next-bitlocker-wait = Let Windows finish it: Control Panel, BitLocker.
next-bitlocker-on = Switch BitLocker on in Windows, and look again.
next-mac-wait = Let the Mac finish it, plugged in.
next-mac-filevault = Switch FileVault on: System Settings, Privacy & Security.
next-keep-header = Keep the header and a copy of it in a safe place: without it the data are lost.
next-encrypt-whole = Encrypt the whole volume, so that nothing depends on the right folder.
next-encrypt-rest = Encrypt the devices that are not encrypted yet, too.
next-look-at-places = Look at the places below one by one.
next-as-administrator = Look again as administrator.
next-check-drive = Check the cable, close other programs that use it, and look again.
next-check-file-system = Have its own system check the file system, and look again.
next-activate-member = Activate it, then look again.
next-look-inside = Look at the volumes that are made of it.
next-look-at-volumes = Look at its volumes one by one.
next-choose-partition = Choose one of its partitions.
next-think-of-veracrypt = If you use VeraCrypt or the like, it may be one of its volumes: open it there. Never format it before you are sure.

## The conditions and how they turned out

condition-readable = It can be read
condition-not-in-use = Nothing uses it
condition-writable = It can be written to
condition-one-volume = It is one volume
condition-not-encrypted = It is not encrypted yet
condition-file-system-known = The file system is known
condition-file-system-clean = The file system is in order
condition-large-enough = It is large enough
condition-room = There is room for the header
condition-aes-instructions = The processor is fast at AES
condition-memory = There is enough memory
condition-power = The power lasts
condition-hardware-encryption = The drive’s own encryption

reason-can-be-read = It was read without trouble.
reason-can-be-written = It is not write-protected.
reason-does-not-matter = This does not matter as long as another condition is not met.
reason-could-not-look = It could not be looked at.
reason-read-only = It is write-protected. Look for a switch on the drive, or make the file writable.

reason-free = Nothing is mounted from it and nothing else holds it.
reason-mounted = It is mounted at { $place }. Close what uses it, then eject or unmount it.
reason-used-as-swap = It is used as swap space. Switch that off first.
reason-used-by-system = The running system lies on it. This version encrypts drives that are not in use.
reason-held = { $holder } is made of it. Close that first.

reason-whole-drive = It is a whole drive without partitions. That works, but Windows will call it “not initialised” and offer to write over it: always say no.
reason-one-volume = It is a single volume.
reason-member = It is part of something larger ({ $content }). Encrypt the volumes that are made of it.

reason-no-encryption-found = No encryption was found on it.
reason-encrypted-already = It is encrypted already ({ $content }).
reason-conversion-begun = A conversion has begun on it. Go on with that.
reason-leftover-header = The rest of an older encryption is on it. It has to be removed first, so that nobody takes it for the real one.

reason-file-system-known = It is { $content }, and its size was read from its own records.
reason-file-system-unknown = What is on it is not known. It can be encrypted as it is, but nobody can check that it is in order.
reason-file-system-elsewhere = A part of this file system ({ $content }) lies on another drive. It cannot be moved alone.
reason-file-system-not-whole = This is only a part of a file system ({ $content }), or its end is missing.
reason-nothing-to-keep = It is empty.
reason-no-file-system = There is no file system that could be checked.
reason-file-system-clean = { $content } was closed properly and knows of no error.
reason-file-system-silent = { $content } does not record whether it was closed properly.
reason-file-system-mounted = { $content } is open at the moment, so this cannot be told yet.
reason-file-system-not-closed = { $content } was not closed properly. Mount it once and unmount it, or have it checked.
reason-file-system-errors = { $content } has noted errors, as a power cut in the middle of resizing leaves them, for instance. Have it checked and repaired first; “latchkey encrypt” in a terminal offers to do it.
reason-windows-sleeps = Windows sleeps on it (hibernation or fast start-up) and would go on writing. Start Windows and shut it down while holding Shift.

reason-large-enough = It has { $size }.
reason-too-small = It has { $size }, and { $needed } are needed.

reason-room-gap = There is a gap of at least { $needed } behind the data.
reason-room-grow = The image file grows by { $needed }.
reason-room-shrink = The file system ({ $content }) is made { $needed } smaller first.
reason-room-tight = The file system ({ $content }) has to become { $needed } smaller, and { $used_size } are in use. It will be tight: better delete something first.
reason-room-disk-full = The image file has to grow by { $needed }, and only { $free } are free beside it.
reason-room-cannot-shrink = { $needed } are needed behind the data, and nothing can make { $content } smaller. Make the partition that much larger, or copy the files to a new encrypted volume.
reason-room-not-known = { $needed } are needed behind the data, and it cannot be told where the data end. Make the partition that much larger.

reason-aes-there = { $processor } has instructions for AES.
reason-aes-missing = { $processor } has no instructions for AES. Encryption works, but reading and writing become slower.
reason-aes-not-seen = Whether { $processor } has instructions for AES could not be seen.
reason-memory-enough = There are { $size }. Turning a password into a key takes up to 1 GB, which makes guessing expensive.
reason-memory-small = There are only { $size }. Turning the password into a key will use less memory, which makes guessing a little cheaper.
reason-memory-not-seen = How much memory there is could not be seen.
reason-power-mains = The computer is plugged in.
reason-power-no-battery = The computer has no battery and runs on mains. An interruption is no harm: the encryption goes on afterwards.
reason-power-battery = The computer runs on battery, { $percent } % full. Plug it in if it takes long.
reason-power-battery-low = The computer runs on battery, only { $percent } % full. Plug it in before you begin.
reason-power-battery-unknown = The computer runs on battery. Plug it in before you begin.
reason-power-not-seen = Where the power comes from could not be seen.

## What this computer and this drive can do

condition-transport = The way to the drive
condition-security-commands = The drive takes security commands
condition-ata-security = No older password lock is in the way
condition-opal-2 = The drive speaks Opal 2
condition-media-encryption = The drive really encrypts
condition-drive-not-owned = Nobody has taken possession of the drive
condition-sid-not-blocked = The firmware lets the drive be set up
condition-edrive = Windows can use it as an eDrive
condition-geometry = Drive and system count in the same blocks
condition-shadow-mbr = The drive can show a start program while it is locked
condition-not-known-bad = No flaw of its encryption is known
condition-uefi = The system was started by UEFI
condition-uefi-version = Version of UEFI
condition-csm = The firmware does not imitate an old BIOS
condition-secure-boot = Secure Boot
condition-tpm = A TPM
condition-boot-loader = The boot loader is known
condition-initramfs = What makes the initramfs is known
condition-brake = Which of the two is the brake

reason-transport-image = An image file has no encryption of its own.
reason-transport-direct = The computer talks to the drive itself.
reason-transport-network = The drive is reached through a network, and commands pass unchanged.
reason-transport-usb = A USB bridge lies between. Many of them do not pass security commands on, so a “no” from there says nothing about the drive.
reason-transport-raid = A RAID controller or its driver (RST, VMD) lies between. Set the controller to AHCI or NVMe in the firmware to ask the drive itself, after making sure that the system still starts then.
reason-transport-virtual = It is the drive of a virtual machine. What lies beneath cannot be asked from here.
reason-transport-not-seen = How the drive is connected could not be seen.
reason-security-commands-there = The drive says that it takes them.
reason-security-commands-missing = The drive says that it does not take them, so it has no encryption that could be set up.
reason-security-commands-hidden = The answer was no, but it may come from what lies between and not from the drive.
reason-security-commands-not-seen = The drive could not be asked. Asking needs administrator rights on most drives.
reason-ata-security-locked = It is locked with a password of the older kind. Unlock it first: nothing else can be seen before.
reason-ata-security-enabled = A password of the older kind is set. Remove it first, in the firmware’s setup.
reason-ata-security-off = No password of the older kind is set.
reason-ata-security-none = This kind of drive has none.
reason-ata-security-not-seen = Whether a password of the older kind is set could not be seen.
reason-no-security-commands = The drive takes no security commands, so there is nothing to ask.
reason-discovery-not-reached = The drive was not asked: its answer to discovery could not be reached from here.
reason-discovery-silent = The drive answered and said nothing about it.
reason-opal-2-there = It does.
reason-opal-2-missing = It does not. Common tools can set up Opal only.
reason-media-encryption-there = It says that everything on it is encrypted all the time. Nobody can check that from outside.
reason-media-encryption-missing = It can be locked, but it does not encrypt: whoever reads its chips reads the data.
reason-drive-free = Nobody has.
reason-drive-owned = Somebody has, perhaps Windows by itself. It takes that password, or the number on the label (PSID), which erases everything.
reason-sid-free = It does.
reason-sid-blocked = It has blocked that since the last start (Block SID). Switch that off in the firmware’s setup, or try again after sleep.
reason-edrive-possible = It may.
reason-edrive-not = It cannot. That matters only for hardware encryption under Windows.
reason-geometry-fits = They do.
reason-geometry-differs = They do not, so ranges would lie in the wrong place.
reason-shadow-mbr-there = It can.
reason-shadow-mbr-missing = It cannot. It can still be used for data, or with a start partition that stays open.
reason-no-flaw-known = None is on the list. That is no proof: nobody has looked at most drives.
reason-model-not-seen = Which drive it is could not be seen.
reason-drive-weak = { $drive }: its encryption was broken ({ $flaw }). Do not rely on it.
reason-drive-doubtful = { $drive }: something is known about it ({ $flaw }).
reason-hardware-possible = The drive could encrypt by itself. Because nobody can check how well it does that, encryption by this computer is chosen; both together are possible as well.
reason-hardware-blocks = The drive could encrypt by itself if its blocks fit those of the system.
reason-hardware-blocked = The drive could encrypt by itself once the firmware lets it be set up.
reason-hardware-power-cycle = Switch the computer off and on again and look once more: the drive is in a state that only that ends.
reason-hardware-locked = The drive is locked. Unlock it first, with its password or, losing everything on it, with the number on its label (PSID).
reason-hardware-taken = The drive’s encryption has an owner already. Manage it with that password; it is never set up a second time.
reason-hardware-not = The drive’s own encryption cannot be used or cannot be relied on; the conditions that are not met say why. Encryption by this computer works.
reason-hardware-not-known = Whether the drive could encrypt by itself is not known. Encryption by this computer works on every drive.
reason-uefi-there = It was.
reason-uefi-missing = It was started by a BIOS, or by firmware that imitates one. Encryption by the computer works all the same.
reason-uefi-not-seen = How the system was started could not be seen.
reason-uefi-version-there = It is { $name }.
reason-uefi-version-not-seen = This system does not tell it. It matters only for hardware encryption under Windows, which needs 2.3.1.
reason-csm-on = It does (CSM). For hardware encryption under Windows that has to be switched off.
reason-csm-off = It does not.
reason-csm-not-seen = Whether it does could not be seen.
reason-secure-boot-on = It is on: only signed programs start, which makes it hard to change the start unnoticed.
reason-secure-boot-off = It is off. The data are protected all the same; but who has the computer for a while could change how it starts.
reason-secure-boot-not-seen = Whether it is on could not be seen.
reason-tpm-there = Version { $name } is there.
reason-tpm-missing = There is none. It is not needed: a password opens the drive.
reason-tpm-not-seen = Whether there is one could not be seen.
reason-boot-loader-there = It is { $name }.
reason-boot-loader-not-seen = None that is known was found. That matters only for the drive that the system starts from.
reason-initramfs-there = It is { $name }.
reason-initramfs-not-seen = Nothing that is known was found. That matters only for the drive that the system starts from.
reason-brake-drive = The drive: one core of the processor encrypts { $cipher_rate }, and the drive reads { $drive_rate }. Encryption will hardly be felt.
reason-brake-both = Neither by much: one core of the processor encrypts { $cipher_rate }, and the drive reads { $drive_rate }.
reason-brake-cipher = The cipher: one core of the processor encrypts { $cipher_rate }, and the drive reads { $drive_rate }. Large files will be slower, unless several cores share the work.
reason-brake-not-seen = One core of the processor encrypts { $cipher_rate }. How fast the drive reads could not be measured.
reason-brake-not-measured = Neither could be measured.

## Which method, and why

reason-software-everywhere = Encryption by the computer works on every drive, can be checked by everybody, and opens on any Linux.
reason-software-fast = { $processor } encrypts faster than most drives read and write.
reason-hardware-not-asked = Whether the drive can encrypt by itself was not asked for this.
