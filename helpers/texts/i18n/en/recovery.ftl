# The recovery key: what can go wrong with it, and its sheet.

# Part of the sentences below.
part-recovery-left =
    { $left ->
        [yes] A file with the key may still be there: { $leftpath }. Please delete it.
       *[no] Nothing was left behind.
    }

fault-recovery-no-randomness = The computer could not make a random key.
    .next = Try again in a minute. If it happens again, restart the computer.
fault-recovery-length = A recovery key has 64 letters; this has { $letters }.
    .next = Compare it with the sheet: eight groups of eight letters. A letter is missing, or one was typed twice.
fault-recovery-group-length = Group { $group } has { $letters } letters instead of 8.
    .next = Compare group { $group } with the sheet, letter by letter.
fault-recovery-letter = “{ $letter }” in group { $group } is not a letter of a recovery key.
    .next = Look at group { $group } again. Only these letters are used: b c d e f g h i j k l n r t u v.
fault-recovery-check = These groups do not fit the check letters beside them: { $groups }.
    .next = Compare these groups with the sheet, letter by letter.
fault-recovery-no-key = There is no recovery key in this.
    .next = Choose the file whose name begins with “latchkey-recovery”, or type the key from the sheet.
fault-recovery-two-keys = There is more than one recovery key in this, and they differ.
    .next = Choose another copy. If you have none, copy each key into a file of its own and try them one after the other.
fault-recovery-other-id = The key on this sheet does not belong to the key ID on it. The ID of this key is { $keyid }.
    .next = The sheet has been changed or put together from two. Use another copy, and make a new sheet.
fault-recovery-not-text = { $path } is not a recovery sheet.
    .next = Choose the text file whose name begins with “latchkey-recovery”.
fault-recovery-file-missing = There is no file { $path }.
    .next = Check the name, and whether the stick is plugged in.
fault-recovery-file-unreadable = { $path } could not be read.
    .next = Take the stick out, put it back and try again. If it happens again, use another copy.
fault-recovery-folder-missing = There is no folder { $folder }.
    .next = Plug the stick in and open it once, then choose its folder.
fault-recovery-not-a-folder = { $folder } is not a folder.
    .next = Choose a folder on a stick. The name of the file is chosen for you.
fault-recovery-same-drive = { $folder } is on the drive that this key is for. Once that drive is locked, you could not get at the key. Nothing was written.
    .next = Plug in a USB stick, or write the key down on paper.
fault-recovery-maybe-same-drive = It could not be found out whether { $folder } is on the drive that this key is for. Nothing was written.
    .next = Choose a folder on a USB stick, or write the key down on paper. If you are certain that it is another drive, you can insist.
fault-recovery-read-only = Nothing can be written to { $folder }: it is write-protected. { part-recovery-left }
    .next = If the stick or card has a small switch for write protection, move it. Otherwise use another one.
fault-recovery-full = There is no room left in { $folder }. { part-recovery-left }
    .next = Delete something there that you no longer need, or use another stick. A few kilobytes are enough.
fault-recovery-denied = You are not allowed to write to { $folder }. { part-recovery-left }
    .next = Choose a folder that belongs to you, or another stick.
fault-recovery-vanished = The stick was pulled out while the key was being written, or it is broken. This copy does not count. { part-recovery-left }
    .next = Plug it in again and try once more. If it happens again, use another stick.
fault-recovery-write-failed = The key could not be written to { $folder }. { part-recovery-left }
    .next = Try another stick. What the system says is under “Details”.
fault-recovery-differs = What was read back from { $folder } is not what was written. This copy does not count. { part-recovery-left }
    .next = This stick cannot be trusted. Use another one.
fault-recovery-not-proven = The key was written and read back, but the drive did not open with it. This copy does not count. { part-recovery-left }
    .next = Try again. If it happens again, make a new recovery key. Nothing on your drive has changed.

# The sheet itself. It is a text file; sentences are broken to fit.
sheet-title = RECOVERY KEY
sheet-computer = Computer
sheet-volume = Drive
sheet-uuid = UUID
sheet-date = Made on
sheet-key-id = Key ID
sheet-key = The key
sheet-checks = The key is the eight groups with dashes between them, as in the first line. The two letters behind each group are not part of it: they are check letters, which show a slip when the key is typed.
sheet-code = Latchkey reads this code from a scan or a photo of the page.
sheet-purpose = What it is for
sheet-purpose-text = This key opens the drive when the password has been forgotten or no longer works. Whoever has this key and the drive can read everything on it. Whoever has neither the key nor the password can never read it again: nobody can make a second key afterwards.
sheet-keep = Where to keep it
sheet-keep-text = Print it, or put the stick in a drawer at home, with a second copy at another place: with your family, or in a bank.
sheet-keep-not = Not on this computer, not in the bag that the computer travels in, not as a photo on your phone or in an e-mail.
sheet-use = How to use it
sheet-use-start = When the computer starts and asks for the password, type the key instead: small letters, with the dashes.
sheet-use-cryptsetup = From any Linux, also without Latchkey. The command asks for the passphrase; type the key:
sheet-use-systemd = The same with systemd:
