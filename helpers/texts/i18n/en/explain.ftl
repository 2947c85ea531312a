# What the outputs of public tools come to (`latchkey explain`), and what to do about a drive's own lock.

## Why

reason-not-recognised = It is not the output of a tool that this program knows.
reason-output-cut-off = The output is not whole: it ends in the middle.
reason-output-too-little = Too little of the output is here to tell.
reason-output-contradicts = The output contradicts itself. Nothing in it can be relied on.
reason-output-words = The output has words that this program does not know.
reason-output-mixed = The output has words of several languages, which no system prints. Nothing in it can be relied on.
reason-tool-no-answer = The system was asked and did not answer. That does not mean “not encrypted”.
reason-not-looked-into = The tool lists it, but did not look into it.
reason-only-protectors = The output says who can open it, and not whether it is encrypted.
reason-filevault-on = Everything on it is encrypted with FileVault. Without a password or the recovery key nobody reads it.
reason-at-rest-only = It is encrypted without anybody’s password: whoever has the Mac reads everything on it.
reason-filevault-locked = It is encrypted with FileVault, and it is closed.
reason-filevault-just-enabled = FileVault was switched on a moment ago. Whether everything is encrypted by now is not in this output.
reason-luks-converting = Its encryption is being set up, changed or removed, and is not finished. A part of it may be readable.
reason-luks-signature = It has the signature of LUKS. Whether all of it is encrypted, only its header tells.
reason-crypt-layer = A layer of encryption lies beneath it.
reason-own-lock-closed = The drive’s own lock is closed. Without its password nobody reads what is on it.
reason-own-lock-unused = The drive could lock itself, and nobody has set that up. By itself it protects nothing.
reason-own-lock-open = Somebody has set up the drive’s own lock, and it is open now. Whether it really closes, only a power-off shows.
reason-own-lock-pyrite = The drive can refuse access, but it does not encrypt.
reason-own-lock-weak = The drive’s own encryption is known to be weak. It does not protect what is on it.
reason-own-lock-none = The drive has no lock of its own.
reason-own-lock-not-seen = Whether the drive can lock itself is not to be seen here. That does not mean “no”.
reason-own-lock-enterprise = The drive has a lock that is made for servers. This program does not set it up.

## What to do next

next-use-known-tool = Copy the whole output of, for instance, “manage-bde -status”, “lsblk -f”, “cryptsetup luksDump” or “diskutil apfs list” into a file.
next-whole-output = Copy the whole output into the file.
next-ask-again = Have the tool print it again, and copy all of it.
next-ask-in-english = Have the tool print it in English, or look with “Get-BitLockerVolume | fl”, which has no words to translate.
next-look-with-blkid = Look with “blkid -p” as administrator.
next-restart = Restart the computer. The encryption begins after the test.
next-own-lock-open-it = Open it with its password. The PSID on its label opens it, too, and erases everything.
next-own-lock-or-software = Encrypt it: with the drive’s own lock, with this computer, or with both.
next-power-off-test = Switch the computer off, wait ten seconds, and look whether the drive asks for its password.

## What to do about a drive’s own lock

action-unlock_ata_first = Open its ATA password first, in the firmware’s setup. Until then nothing else can be seen.
action-not_recoverable_here = It cannot be opened or erased from here: the firmware has no PSID. Only the one who set its PIN can open it.
action-unlock_first = Open the lock first, then remove it with the data kept.
action-unlock_or_psid = Open it with its password, or erase everything with the PSID on its label.
action-software = Encrypt with this computer, and leave the drive’s own lock alone.
action-power_cycle = Switch the computer off completely, wait ten seconds, and try once more.
action-power_cycle_then_psid = Switch the computer off completely and try again. If that does not help, the PSID erases the drive and frees it.
action-verify_power_cycle = Switch the computer off completely and look whether the drive is locked afterwards. Until that is seen, it counts as open.
action-verify_after_write = Read every setting back after it was made: the drive reports success where nothing was set.
action-unblock_sid_then_offer_hw = Switch off “Block SID” in the firmware’s setup for the next start, or let the computer sleep once. Then the drive’s own encryption can be used.
action-unblock_sid = Switch off “Block SID” in the firmware’s setup for the next start, or let the computer sleep once.
action-save_key_for_resume_or_disable_s3 = The drive lost its power in sleep and closed itself. Have the system keep the key for waking up, or switch sleep off.
action-use_bitlocker_or_psid = Windows has probably taken the drive’s lock for itself. Use it through BitLocker, or erase everything with the PSID.
action-manage = Somebody owns the lock. Change it with the owner’s password; never set it up anew.
action-owner_password_or_psid = Somebody owns the lock. Use the owner’s password, or erase everything with the PSID.
action-after_revert_power_cycle = It can be used. After every reset to the factory state, switch the computer off completely before anything is written.
action-hw_only_if_lbs_matches = Use the drive’s own encryption only if the system sees the same block size as the drive’s security part does.
action-auto_align = Have the borders of ranges worked out by the program, in whole mebibytes.
action-offer_hw_plus_sw = The drive’s own encryption can be used, but not alone: its papers contradict it. Encrypt with this computer as well.
action-find_owner = The drive refused a PIN. Find out who owns its lock: an earlier set-up, Windows, or a block by the firmware.
action-offer_hw = The drive’s own encryption can be used.
action-unknown = What to do about it cannot be told from this.

## The command

cli-explain-whole-file = The whole file
