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
fault-bench-io = The drive reported an error while it was being measured. The test file has been removed.
    .next = A drive that reports errors may be failing. Make a backup before anything else, and do not encrypt it yet.
fault-bench-stopped = The measurement was stopped. The test file has been removed.
    .next = You can measure again at any time, or go on without measuring.
fault-bench-kdf = There is not enough free memory to measure how long a password takes.
    .next = Close some programs and try again.

# The tests, in plain words. Their keys are the names that CrystalDiskMark gave them.
bench-seq1m-q1t1-read = Opening a large file
bench-seq1m-q1t1-write = Saving a large file
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
