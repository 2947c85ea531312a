# Words and sentences that more than one crate uses.

## Verdicts, in one or two words

verdict-protected = Protected
verdict-not-protected = Not protected
verdict-partly-protected = Partly protected
verdict-suspended = Protection suspended
verdict-converting = Half done
verdict-locked = Encrypted and locked
verdict-unknown = Unknown

## Methods

method-software = by this computer (LUKS2, AES-XTS)
method-hardware = by the drive itself (Opal)
method-both = by this computer and by the drive

## How a condition turned out

outcome-pass = fine
outcome-fail = not met
outcome-warn = please note
outcome-unknown = could not be seen

## Days

date-of = { $number } { $month } { $year }
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December

## What lies on a volume. A name that is missing here is shown as it is.

content-swap = swap space
content-empty = nothing (all zeros)
content-unknown = something unknown
content-partition-table = a drive with partitions
content-luks1 = LUKS1 encryption
content-luks2 = LUKS2 encryption
content-ntfs = NTFS (Windows)
content-vfat = FAT (sticks and cards)
content-exfat = exFAT (sticks and cards)
content-xfs = XFS (Linux)
content-apfs = APFS (Mac), perhaps with FileVault

## Pieces of work

step-check = Looking and checking
step-make-room = Making room
step-derive-key = Deriving the key
step-header = Writing the header
step-encrypt = Encrypting
step-decrypt = Decrypting
step-benchmark = Measuring
step-write = Writing
step-verify = Reading back
step-work = Working

## Faults of a device or a file

fault-device-missing = There is nothing at { $path }.
    .next = Check the spelling, and that the drive is plugged in.
fault-device-no-rights = The system does not let you open { $path }.
    .next = For a drive, run the same command as administrator (with sudo). For a file, check whose it is.
fault-device-in-use = { $path } is in use: it is mounted, or another program works on it.
    .next = Close what uses it, eject or unmount it, and try again. Nothing was changed.
fault-device-wrong-kind = { $path } is neither a drive nor a file that could be one.
    .next = Choose a drive, a partition or an image file.
fault-device-read-only = { $path } can only be read.
    .next = Look for a write-protection switch on the drive, or make the file writable. Nothing was changed.
fault-device-full = There is no space left where the file lies.
    .next = Make some room there and go on: what was written so far is safe.
fault-device-out-of-range = { $length } at { $offset } lie beyond the end of the drive, which has { $size }.
    .next = The drive is smaller than what is written on it says. Copy the important files to another drive first.
fault-device-fixed-size = The size of this drive cannot be changed.
    .next = Only image files can grow. Make room inside the drive instead.
fault-device-io =
    The drive reported an error at { $offset } ({ $operation ->
        [open] while opening
        [read] while reading
        [write] while writing
        [flush] while saving
        [resize] while changing the size
        [discard] while giving up free space
       *[other] { $operation }
    }).
    .next = Check the cable, then copy the important files to another drive: errors like this are often the first sign of a failing one.
