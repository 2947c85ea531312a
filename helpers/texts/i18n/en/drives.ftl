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
reason-other-encryption = It may be encrypted by another system ({ $content }). Only that system can say.
reason-self-encrypting = This kind of file system ({ $content }) can encrypt by itself. Whether it does so cannot be told from outside.
reason-plain-dm-crypt = It is encrypted without a header ({ $cipher }). When it is closed it looks like empty noise: never format it by mistake.
reason-plain-dm-crypt-unseen = It is opened as encrypted without a header. With which cipher, only an administrator can see.

reason-plain = It is not encrypted. Whoever has the drive reads everything on it.
reason-plain-leftover = It is not encrypted. The rest of an older encryption is still on it and may confuse programs.
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

## What to do next

next-nothing = There is nothing to do.
next-keep-key = Nothing to do. Keep the recovery key in a safe place, away from the computer.
next-encrypt = Encrypt it now.
next-unmount-and-encrypt = Eject or unmount it, then encrypt it.
next-encrypt-system = The running system lies on it. This version encrypts drives that are not in use; the system’s own drive comes with a later one.
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
reason-file-system-errors = { $content } has noted errors. Have it checked and repaired first.
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

## Which method, and why

reason-software-everywhere = Encryption by the computer works on every drive, can be checked by everybody, and opens on any Linux.
reason-software-fast = { $processor } encrypts faster than most drives read and write.
reason-hardware-not-asked = Whether the drive can encrypt by itself was not looked at: this version does not offer it yet.
