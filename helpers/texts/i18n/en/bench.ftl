# The benchmark of drive and processor.

fault-bench-folder-missing = There is no folder { $folder }.
    .next = Choose a folder on the drive that you want to measure.
fault-bench-not-a-folder = { $folder } is not a folder.
    .next = Choose a folder on the drive that you want to measure.
fault-bench-too-small = A test file of less than { $size } says nothing about a drive.
    .next = Choose a larger size. The usual one is 64 MiB.
fault-bench-no-space = There is not enough room in { $folder }: the measurement needs { $needed } for a short time.
    .next = Make some room, or choose a smaller size. You can also go on without measuring.
fault-bench-read-only = Nothing can be written to { $folder }, so the drive cannot be measured there.
    .next = Choose a folder that can be written to. You can also go on without measuring.
fault-bench-denied = You are not allowed to write to { $folder }.
    .next = Choose a folder that belongs to you, on the same drive.
fault-bench-device-denied = Only an administrator may read { $device } itself.
    .next = Run this as an administrator (on Linux with sudo), or measure without the curve.
fault-bench-no-mapping = There is no open encrypted volume with the name { $name }.
    .next = Open the volume first. Its name is what stands behind /dev/mapper/.
fault-bench-tune = The setting could not be changed: { $name } is as it was.
    .next = Check the password, and that cryptsetup 2.3.4 or newer is installed.
fault-bench-save = The report could not be written to { $folder }.
    .next = Choose a folder that belongs to you and has room.
fault-bench-io = The drive reported an error while it was being measured. The test file has been removed.
    .next = A drive that reports errors may be failing. Make a backup before anything else, and do not encrypt it yet.
fault-bench-stopped = The measurement was stopped. The test file has been removed.
    .next = You can measure again at any time, or go on without measuring.
fault-bench-kdf = There is not enough free memory to measure how long a password takes.
    .next = Close some programs and try again.

# The tests, in plain words. Their keys are the names that CrystalDiskMark gave them.
bench-seq1m-q8t1-read = Copying a large film from the drive
bench-seq1m-q8t1-write = Copying a large film to the drive
bench-seq1m-q1t1-read = Opening a large file
bench-seq1m-q1t1-write = Saving a large file
bench-rnd4k-q32t1-read = Many programs at once
bench-rnd4k-q32t1-write = Many programs saving at once
bench-rnd4k-q32t1-write-wide = Saving small things all over the drive
bench-seq1m-q8t1-write-soft = Copying to the drive what can be compressed
bench-rnd4k-q1t1-read = Starting programs
bench-rnd4k-q1t1-write = Saving many small things
bench-latency = Waiting time of a small block: usually { $usual } µs, one in a hundred more than { $slow } µs

# What became of a figure.
bench-change-faster = faster
bench-change-same = no measurable difference
bench-change-slower = slower

# How near to the drive the test came.
bench-access-direct = Measured on the drive itself, past the computer’s memory.
bench-access-buffered = This file system does not let a test get past the computer’s memory. The figures are rough.
bench-access-memory = This folder lies in the computer’s memory, not on a drive. The figures say nothing about a drive.
bench-encrypted-here = Each block was encrypted and decrypted by this program on its way, as an encrypted drive does it.
bench-will-write = The measurement writes up to { $size } and removes it again.

# The processor.
bench-cipher-title = How fast this processor encrypts
bench-cipher-rate = Encrypts { $rate } on one core
bench-cipher-kdf = How long a password takes
bench-cipher-unlock = Opening with the password takes { $seconds } on this computer
bench-column-cipher = Cipher
bench-column-key = Key
bench-column-sector = Sector
bench-column-code = Code
bench-column-encrypt = Encryption
bench-column-decrypt = Decryption
bench-column-test = Test
bench-column-median = Median
bench-column-range = Slowest to fastest round
bench-column-before = Before
bench-column-after = After
bench-column-ratio = After ÷ before

# Which of the two holds the other back.
bench-brake-drive = The drive is slower than the processor. Encryption will hardly be noticed.
bench-brake-both = Drive and processor are about equally fast. Encryption may cost a little when large files are copied.
bench-brake-processor = The processor is slower than the drive. Encryption will cost speed when large files are copied.
bench-predicted = Expected: between { $low } % and { $high } % of the speed before

bench-compresses = This drive compresses what it stores: data that can be compressed were written { $percent } % faster. Encrypted data cannot be compressed, so this gain is lost by encryption.
bench-compresses-not = This drive is no faster with data that can be compressed. Nothing is lost there by encryption.

# The report: plain words first.
bench-page-title = How fast the drive is
bench-page-title-both = How fast the drive is, before and after
bench-overall-same = There is no measurable difference.
bench-overall-slower = Some things have become slower. How much, and which, is below.
bench-overall-faster = Nothing has become slower.
bench-plain-programs = Opening programs
bench-plain-film = Copying a large film
bench-plain-battery = Battery
bench-verdict-slower = { $percent } % slower (between { $least } % and { $most } %)
bench-verdict-faster = { $percent } % faster (between { $least } % and { $most } %)
bench-battery-energy = Reading 1 GiB takes { $after } J of energy; before it took { $before } J.
bench-battery-processor = Reading 1 GiB takes { $after } s of the processor’s time; before it took { $before } s.
bench-battery-unknown = This computer does not tell what the processor does meanwhile.
bench-picture-bars = The eight figures
bench-picture-curve = Reading speed from the beginning of the drive to its end
bench-picture-dots = How long single accesses take
bench-picture-processor = The processor’s time for each GiB
bench-no-curve = The curve was not measured. An administrator can do that with: latchkey bench disk FOLDER --curve
bench-table = The same as a table
bench-column-when = Run
bench-column-iops = Blocks a second
bench-column-latency = One block: half are faster / one in a hundred is slower
bench-column-predicted = Expected
bench-column-place = Place on the drive
bench-column-rate = Speed
bench-column-half = Half are faster than
bench-column-slow = One in a hundred is slower than
bench-column-processor = Processor
bench-column-energy = Energy
bench-rate = { $rate }
bench-size = { $size }
bench-conditions = What it was measured under
bench-different = This was different, too, and may explain a part:
bench-unknown = unknown
bench-none = none
bench-yes = yes
bench-no = no
bench-by-this-program = by this program, as on a practice drive
bench-power-mains = mains
bench-power-battery = battery
bench-condition-when = Day
bench-condition-access = How near to the drive
bench-condition-file-size = Test file
bench-condition-written = Written in all
bench-condition-drive = Drive
bench-condition-kernel = Kernel
bench-condition-file-system = File system
bench-condition-fill = How full it is
bench-condition-temperature = Temperature
bench-condition-power = Power
bench-condition-governor = Processor’s governor
bench-condition-scheduler = Scheduler
bench-condition-load = What else the computer did (load)
bench-condition-idle = Nobody else used drive and processor when it began
bench-condition-discard = Can be told what is free (discard)
bench-condition-trimmed = Was told so just before (trim)
bench-condition-cipher = Encryption
bench-condition-sector-size = Its sectors
bench-condition-flags = Its flags (dm-crypt)
