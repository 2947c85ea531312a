# What the window itself says. Faults, reasons, conditions and contents stand in the engines' files.

## Frame

window-title = Latchkey
window-loading = One moment…
window-language = Language
window-language-en = English
window-language-de = Deutsch
window-steps = Steps
window-step-of = Step { $number } of { $total-steps }: { $name }
window-step-state-done = done
window-practice = Practice drive: nothing of yours is touched
window-practice-name = the practice drive
window-back = Back
window-next = Next
window-details = Details
window-wait = One moment…
window-busy = Latchkey is at work. This goes on when it has finished.
fault-window-refused = That did not work.
    .next = { $sentence }
fault-window-broken = The window could not reach the part of Latchkey that does the work.
    .next = Close the window and open it again. Nothing is lost: it goes on where it stopped.

window-phase-choose = Choose
window-phase-keys = Your keys
window-phase-try = Try
window-phase-encrypt = Encrypt

window-step-drives = Drive
window-step-check = Check
window-step-before = Before you start
window-step-password = Password
window-step-recovery = Recovery key
window-step-rescue = Rescue copy
window-step-bench-before = Speed before
window-step-test-start = Trial start
window-step-encrypt = Encryption
window-step-bench-after = Speed after
window-step-report = Report

## Words used in many places


window-outcome-pass = Fine
window-outcome-warn = Please note
window-outcome-fail = Not met
window-outcome-unknown = Could not be seen

window-checklist-passed = { $count ->
    [one] One thing is fine.
   *[other] { $count } things are fine.
}
window-checklist-unknown = { $count ->
    [one] One thing could not be seen. It is not in the way.
   *[other] { $count } things could not be seen. They are not in the way.
}
window-checklist-all = Each of them

window-duration-seconds = { $count ->
    [one] about one second
   *[other] about { $count } seconds
}
window-duration-minutes = { $count ->
    [one] about one minute
   *[other] about { $count } minutes
}
window-duration-hours = { $count ->
    [one] about one hour
   *[other] about { $count } hours
}

window-password-show = Show
window-password-hide = Hide
window-password-show-label = Show { $field }
window-caps-lock = Caps Lock is on.

window-choose-folder = Choose a folder…
window-place-free = { $free } free

window-progress-percent = { $percent } %
window-progress-amount = { $done } of { $total }
window-progress-announce = { $work }: { $percent } percent.
window-progress-announce-left = { $work }: { $percent } percent, { $duration } left.
window-paused = Paused

window-work-check = Checking the drive
window-work-make-room = Making room for the lock
window-work-derive-key = Making the key
window-work-header = Putting the lock in place
window-work-encrypt = Encrypting
window-work-decrypt = Decrypting
window-work-benchmark = Measuring
window-work-write = Writing
window-work-verify = Reading back what was written

## Drives

window-computer-looking = Looking at this computer…
window-computer-looking-lead = Latchkey only looks. It changes nothing.
window-computer-protected = This computer is protected
window-computer-not-protected = This computer is not protected
window-computer-partly-protected = This computer is only partly protected
window-computer-suspended = The protection of this computer is suspended
window-computer-converting = This computer is half encrypted
window-computer-locked = This computer is encrypted and locked
window-computer-unknown = It is not clear yet whether this computer is protected
window-computer-places = { $count ->
    [one] Where data lie on it: one place
   *[other] Where data lie on it: { $count } places
}

window-drives-title = Choose a drive to protect
window-drives-lead = Encryption makes a drive unreadable for everybody who does not have your password. These are the drives of this computer, and how safe each of them is today.
window-drives-practice = Try it on a practice drive
window-drives-practice-text = A practice drive is a file with sample files in it. The whole way takes about five minutes, and nothing of yours is touched.
window-drives-yours = Drives of this computer
window-drives-by-itself = What you plug in or pull out is noticed by itself.
window-drives-again = Look again
window-drives-none = No drive can be seen from here. You can practise, or open an image file.
window-drives-image = Open an image file…
window-drives-image-hint = An image is a whole drive inside one file.
window-drives-encrypt = Encrypt…
window-drives-encrypt-label = Encrypt { $name }…
window-drives-resume = Go on…
window-drives-resume-label = Go on with { $name }…
window-drives-look = See what is on it
window-drives-look-label = See what is on { $name }
window-drives-look-all = See each drive
window-drives-why-short = Why?
window-drives-why-label = Why? ({ $name })
window-drives-check = Check…
window-drives-check-label = Check { $name }…
window-drives-system = Your system runs from it
window-drives-seen = What was seen there
window-drives-seen-at = { $value } ({ $origin })
window-drives-mounted = open at { $place }
window-drives-in-use = in use
window-drives-why = Why encrypt a drive at all?
window-drives-why-text = Your login password does not protect your files when the drive is taken out of the computer. Whoever finds or steals it can read everything: letters, pictures, saved passwords. On an encrypted drive they find nothing but noise.
window-drives-blocked = Choose a drive above.
window-drives-chosen = Chosen: { $name }

window-rights-title = { $count ->
    [one] One volume can only be looked at by an administrator
   *[other] { $count } volumes can only be looked at by an administrator
}
window-rights-text = Until then the answer is “unknown”. You are asked once. Latchkey then only reads, and gives the right back when you close this window.
window-rights-cannot = Until then the answer is “unknown”. An administrator sees everything in a terminal with:
window-rights-ask = Look as administrator…
window-rights-granted = Looked at with the rights of an administrator.

window-news-in = { $name } was plugged in: { $verdict }.
window-news-out = { $name } was pulled out.
window-news-now = { $name }: { $verdict } now.

window-bus-nvme = Built-in solid-state drive
window-bus-ata = Built-in drive
window-bus-usb = USB drive
window-bus-mmc = Memory card
window-bus-virtual = Virtual drive
window-bus-image = Image file
window-bus-unknown = Drive

## Check

window-check-title-looking = Latchkey is looking at { $name }
window-check-title-ok = { $name } can be encrypted
window-check-title-fail = { $name } cannot be encrypted yet
window-check-title-done = { $name } is encrypted already
window-check-lead-done = There is nothing to be done here. This is what Latchkey saw.
window-check-lead = Latchkey has looked at the drive and changed nothing. This is what it saw.
window-check-lead-fail = Something is in the way. Nothing has been changed. The list says what it is and what you can do.
window-check-list = What was looked at
window-check-method = How it will be encrypted
window-check-method-software = By the processor of this computer
window-check-method-software-text = In the LUKS2 format, which every Linux system can open without Latchkey.
window-check-method-hardware = By the drive itself
window-check-method-hardware-text = The drive encrypts what it stores. Nobody outside its maker can examine how well it does so.
window-check-method-both = By the processor and by the drive
window-check-method-both-text = One above the other: if one of them fails you, the other still protects.
window-check-reasons = Why this way?
window-check-room = What changes on the drive

window-check-able = What this computer and this drive can do
window-check-able-text = For the drive’s own encryption, and for starting a system that is encrypted. None of it stands in the way of what is said above.
window-sleep = How this computer sleeps from then on
window-sleep-text = In deep sleep the drive loses its power and locks itself, and nothing could open it when the computer wakes up. So something has to change, and you say what. If you want neither, let the processor encrypt instead. When the drive is given back, the computer sleeps as it does today.
window-sleep-light = It sleeps lightly
window-sleep-light-text = The drive keeps its power. The computer wakes up faster, and its battery lasts less long while it sleeps.
window-sleep-never = It does not sleep
window-sleep-never-text = Closing the lid or waiting no longer sends it to sleep: switch it off when you are done. It can still hibernate.
window-space = How much is encrypted
window-space-all = The whole drive
window-space-all-text = Every spot of it, whether a file uses it or not. Nothing of what was ever deleted stays readable.
window-space-used = Only what is used
window-space-used-text = { $free } that no file uses are left out, and the drive is told to give them up. That is quicker and spares the drive. Pieces of files that you deleted earlier may stay readable there until something is written over them.
window-space-overwrite = What is used, and the rest is written over
window-space-overwrite-text = { $free } that no file uses are written over without being read first. Nothing of what was ever deleted stays readable.
window-space-advised = advised
window-space-change = Advanced: choose how much

## Before

window-before-title = Before you start
window-before-lead = Latchkey goes over the whole drive once. You can pause it, and even a power cut in the middle loses nothing. But every drive breaks some day, encrypted or not.
window-before-backup = I have a second copy of everything on this drive that I do not want to lose
window-before-backup-practice = On the practice drive there are only sample files. Tick the box as you would for a real drive.
window-before-backup-hint = For instance on another drive that is not plugged in at the moment.
window-before-conditions = What Latchkey looked at
window-before-time = How long it will take
window-before-time-known = For { $size } it takes { $duration }. You can use the computer meanwhile.
window-before-time-unknown = That depends on the speed of the drive. Latchkey tells you as soon as it has been measured.
window-before-why = Why a backup, if nothing gets lost?
window-before-why-text = Encrypting reads and writes every spot of the drive. A drive that is already failing may show it at exactly that moment. With a second copy this is a nuisance; without one it is a loss.

## Password

window-password-title = Choose a password
window-password-lead = You will type it whenever the drive is opened. Nobody can look it up or reset it for you. A few words in a row are hard to guess and easy to remember.
window-password-field = Password
window-password-repeat = The same password once more
window-password-strength = How hard it is to guess
window-password-strength-0 = Very easy to guess
window-password-strength-1 = Easy to guess
window-password-strength-2 = Could be better
window-password-strength-3 = Hard to guess
window-password-strength-4 = Very hard to guess
window-password-strength-none = Not typed yet
window-password-suggest = Suggest one
window-password-suggest-again = Another one
window-password-suggestion = A suggestion for you
window-password-suggestion-text = Write it on paper and keep the paper at home. Then type it into both fields. All its letters lie on the same keys on English, German and French keyboards, so that it works on every start-up screen.
window-password-guesses = Somebody who tries one password after another needs a number of tries with about { $digits } digits.
window-password-kept = A password has been chosen. Leave both fields empty to keep it.
window-password-match = Both are the same.
window-password-blocked-empty = Type a password first.
window-password-blocked-weak = This password is too easy to guess.
window-password-blocked-repeat = Type the same password in the second field.
window-password-blocked-differ = The two passwords are not the same yet.

## Recovery key

window-recovery-title = Keep a recovery key
window-recovery-lead = It opens the drive if you ever forget your password. Latchkey goes on as soon as one copy of it has been shown to work, on a stick or on paper.
window-recovery-why = Why do I need this?
window-recovery-why-text = A forgotten password cannot be reset: that is what makes the drive safe. The recovery key is your second way in. Keep it where neither a thief nor a fire gets both, the computer and the key.
window-recovery-stick = On a USB stick
window-recovery-stick-text = Latchkey saves the key, reads it back from the stick and opens the lock with it. Then the copy is proven.
window-recovery-stick-none = No stick can be seen at the moment. Plug one in, or choose a folder on another drive.
window-recovery-save = Save on { $name }
window-recovery-paper = On paper
window-recovery-paper-text = Write it down or print it, then type it back from the paper. So you know that every letter is right.
window-recovery-show = Show the key
window-recovery-hide = Hide the key
window-recovery-print = Print…
window-recovery-save-page = Save the page as PDF…
window-recovery-read = Read a scan or a photo of the sheet…
window-recovery-type = I have it on paper
window-recovery-id = Key ID
window-recovery-check-letters = check letters { $letters }
window-recovery-check-hint = The small letters beside each group are for checking only. You need not type them.
window-recovery-typing = Type the key from your paper
window-recovery-typing-hint = Eight groups of eight letters. The cursor moves on by itself. Capitals do not matter.
window-recovery-group = Group { $number } of 8
window-recovery-group-right = Group { $number } is right.
window-recovery-group-wrong = Group { $number } differs from the key. Please compare it with your paper.
window-recovery-check = Check what I typed
window-recovery-look = Look at the key again
window-recovery-proven = Proven copies
window-recovery-copy-stick = On the stick “{ $place }”: read back, and it opened the lock.
window-recovery-copy-folder = In the folder { $place }: read back, and it opened the lock.
window-recovery-copy-paper = On paper: typed back, and it opened the lock.
window-recovery-copy-scan = On paper: the code was read from { $place }, and it opened the lock. Delete that picture: whoever has it, has the key.
window-recovery-copy-file = In the file { $place }: read, and it opened the lock.
window-recovery-blocked-group = Some groups are not right yet.
window-recovery-blocked-typing = Type all eight groups.

window-sheet-title = Recovery key
window-sheet-drive = Drive
window-sheet-size = Size
window-sheet-date = Printed on
window-sheet-id = Key ID
window-sheet-use = This key opens the drive if the password is forgotten. Type the eight groups where the password is asked for, in small letters, with the hyphens between the groups: first group, hyphen, second group and so on.
window-sheet-checks = The small letters below each group are for checking only and are not part of the key.
window-sheet-keep = Keep this sheet away from the computer. Whoever has this sheet and the drive can read everything on it.

## Rescue copy

window-rescue-title = Make a rescue copy
window-rescue-lead = The first part of an encrypted drive is its lock. If that part is ever damaged, the rescue copy brings it back. The copy opens nothing by itself: your password or the recovery key is still needed.
window-rescue-where = Where shall it be saved?
window-rescue-where-text = On a stick or another drive, not on the one that is being encrypted. Latchkey writes an image file and reads back every byte of it.
window-rescue-save = Save on { $name }
window-rescue-written = Written, read back byte for byte, and the lock in it was opened.
window-rescue-written-unverified = Written, but not yet read back.
window-rescue-later = This copy does not start the computer. A stick that does is made in a terminal, with: latchkey rescue make
window-rescue-skip = Go on without a rescue copy
window-rescue-skip-title = I do not want one now
window-rescue-skip-text = Without it, damage to the first few megabytes of the drive means that nothing on it can be opened any more, not even with the right password.
window-rescue-skipped = You chose to go on without a rescue copy. You can still make one here.
window-rescue-blocked = Save a rescue copy, or open “I do not want one now”.

## Measuring

window-bench-before-title = See how fast the drive is now
window-bench-before-title-done = This is how fast the drive is now
window-bench-before-lead = After the encryption Latchkey measures again, and you see what has changed. It takes about half a minute. Your files are left alone.
window-bench-after-title = See how fast the drive is now that it is encrypted
window-bench-after-title-done = This is the difference
window-bench-after-lead = The same measurement as before, on the same drive. It takes about half a minute.
window-bench-measure = Measure now
window-bench-again = Measure again
window-bench-skip = Skip measuring
window-bench-measuring = Measuring…
window-bench-large = Large files
window-bench-small = Many small pieces
window-bench-small-hint = as when programs start
window-bench-large-hint = as when you copy a film
window-bench-processor = Encrypting
window-bench-processor-hint = how fast the processor of this computer does it
window-bench-before = Before
window-bench-after = After
window-bench-cipher = This computer can encrypt { $rate }.
window-bench-kdf = Opening the drive with the password takes { $duration }. That slows down everybody who guesses.
window-bench-none = No measurable difference
window-bench-slower = { $percent } % slower
window-bench-faster = { $percent } % faster
window-bench-summary-none = There is no measurable difference. You will not notice that the drive is encrypted.
window-bench-summary-slower = The largest difference: { $what } is { $percent } % slower than before.
window-bench-summary-faster = Nothing has become slower. The differences lie in the measurement itself.
window-bench-summary-single = There is nothing to compare with, because the drive was not measured before.
window-bench-table = All figures
window-bench-table-test = Test
window-bench-table-median = Median
window-bench-table-range = Lowest to highest
window-bench-range = { $low } to { $high }
window-bench-small-read = starting programs
window-bench-small-write = saving many small things
window-bench-large-read = opening a large file
window-bench-large-write = saving a large file
window-bench-save = Save this report…
window-bench-saved = The report is in { $path }.
window-bench-blocked = Measure, or skip it.

## Trial start

window-test-title = Try your password once
window-test-title-passed = Your password works
window-test-lead = This is how you will be asked when the drive is opened. Nothing is encrypted yet, so a mistake costs nothing.
window-test-lead-passed = It has opened the lock that the drive will get, for real. You may go on.
window-test-screen = Imitation of a start-up screen
window-test-prompt = Please enter the password for { $name }
window-test-unlock = Unlock
window-test-wrong = { $count ->
    [one] That did not open it.
   *[other] That did not open it. Tries so far: { $count }
}
window-test-passed = Unlocked
window-test-help-title = It will not open?
window-test-help = Check whether Caps Lock is on, and whether your keyboard is set to the language that you chose the password in. If you are not sure what you typed back then, go back and choose a new password. Nothing has happened yet.
window-test-blocked = Type your password as on the start-up screen.

## Encryption

window-encrypt-title-ready = Everything is ready
window-encrypt-lead-ready = Latchkey will now encrypt { $name }. All files stay where they are.
window-encrypt-ready-password = Your password was tried and works.
window-encrypt-ready-recovery = { $count ->
    [one] One copy of the recovery key is proven.
   *[other] { $count } copies of the recovery key are proven.
}
window-encrypt-ready-rescue = The rescue copy was written and read back.
window-encrypt-ready-rescue-skipped = There is no rescue copy.
window-encrypt-ready-time = It takes { $duration }.
window-encrypt-ready-safe = You can pause at any time, close the window or switch the computer off. Nothing is lost.
window-encrypt-start = Encrypt now
window-encrypt-title-running = Latchkey is encrypting your drive
window-encrypt-lead-running = You can close this window at any time. Nothing is lost: it goes on when you open it again.
window-encrypt-title-paused = Paused
window-encrypt-lead-paused = Everything is in a safe state. You can go on whenever you like, also tomorrow.
window-encrypt-pause = Pause
window-encrypt-resume = Go on
window-encrypt-title-resume = Go on where you stopped
window-encrypt-lead-resume = The drive is partly encrypted and nothing is lost. Type your password, and Latchkey goes on from where it stopped.
window-encrypt-lead-resume-ready = The drive is partly encrypted and nothing is lost. Latchkey goes on from where it stopped.
window-encrypt-password = Your password
window-encrypt-blocked-password = Type your password to go on.
window-encrypt-blocked-running = You can go on when the drive is encrypted.
window-encrypt-title-finished = The drive is encrypted
window-encrypt-lead-finished = Every part of it has been encrypted and is safe on the drive.
window-encrypt-progress = Progress of the encryption
window-encrypt-done = Done
window-encrypt-rate = Speed
window-encrypt-left = Time left
window-encrypt-left-unknown = is being worked out

## Report

window-report-title-protected = { $name } is protected
window-report-title-other = { $name } is not fully protected
window-report-files = { $total-files ->
    [one] The file on it is there and unchanged.
   *[other] All { $total-files } files on it are there and unchanged.
}
window-report-files-missing = { $same } of { $total-files } files are there and unchanged. Please do not delete your backup.
window-report-time = { $size } were encrypted in { $duration }.
window-report-keep = What you should keep
window-report-keep-password = Your password
window-report-keep-password-text = In your head, or on paper at home.
window-report-keep-recovery = The recovery key { $key }
window-report-keep-recovery-text = Away from the computer. It is here:
window-report-copy-stick = on the stick “{ $place }”
window-report-copy-folder = in the folder { $place }
window-report-copy-paper = on your paper
window-report-copy-scan = on your paper, read from a scan
window-report-copy-file = in the file { $place }
window-report-keep-rescue = The rescue copy
window-report-keep-no-rescue = There is no rescue copy. You can make one later.
window-report-next = What now?
window-report-next-practice = You have seen the whole way. Your own drive takes the same steps.
window-report-next-open = When you open the drive the next time, your system asks for the password. You do not need Latchkey for that.
window-report-next-open-by-drive = When its power has been off, the drive opens only with your password or the recovery key.
window-report-next-power-off = It locks itself when its power goes. Switch the computer off before you leave it alone: a restart or sleep can leave the drive open.
window-report-next-backup = Keep your backups up to date. Encryption protects from strangers, not from a drive that breaks.
window-report-again = Encrypt another drive
window-report-details = Technical details
window-report-cipher = Cipher
window-report-key-bits = Length of the key
window-report-bits = { $bits } bits
window-report-sector = Sector
window-report-uuid = UUID

# Encrypting by the drive itself
window-encrypt-lead-finished-by-drive = The drive locks itself from now on. Its power was taken away, it was seen closed, and your password has opened it.
window-encrypt-lead-ready-by-drive = { $name } will now lock itself whenever its power goes. It takes seconds, and no file is moved.
window-encrypt-lead-running-by-drive = The drive is being locked and its power taken away for a moment. This takes seconds.
window-encrypt-start-by-drive = Switch the lock on
window-test-lead-by-drive = The drive’s power goes off and on, and it asks as it will at every start. Nothing is locked yet, so a mistake costs nothing.
window-test-lead-passed-by-drive = The drive was without power, asked as it will at every start, and your password opened it. You may go on.
window-report-time-by-drive = { $size } were locked in { $duration }.
window-report-by-drive = Encrypted by
window-report-by-drive-text = the drive itself
window-drives-native = The system’s own encryption
window-drives-native-label = The system’s own encryption of { $name }
window-drives-practice-windows = Practise with BitLocker, on a simulated Windows
window-drives-practice-hardware = Try it with a drive that encrypts by itself
window-check-method-change = Another way
window-check-method-choice = Who encrypts
window-before-lead-by-drive = The drive is switched to lock itself. That takes seconds, no file is moved, and a power cut in the middle loses nothing. But every drive breaks some day, encrypted or not.
window-before-time-by-drive = A few seconds, however large the drive is.
window-encrypt-ready-safe-by-drive = A power cut in the middle loses nothing: Latchkey goes on from there.
window-rescue-lead-by-drive = The drive makes its lock from your password and a note on it. The rescue copy keeps that note, so that the drive can be opened without Latchkey years from now. It opens nothing by itself: your password or the recovery key is still needed.

## Help

window-help = Help
window-help-title = Questions and answers
window-help-lead = They are part of the program: you need no network to read them.
window-help-close = Back
window-help-how = How does it work?
window-help-how-text = Everything on the drive is turned into noise with a key of its own, piece by piece, with your files in place. That key is locked away in the first part of the drive, and your password and your recovery key are the two ways to it. When the computer starts, it asks for the password; after that everything works as before.
window-help-forgot = I have forgotten my password
window-help-forgot-text = Where the password is asked for, type the recovery key instead: the eight groups in small letters, with the hyphens. Then choose a new password: in a terminal, “latchkey key add” followed by the name of the drive. Nobody, we included, can reset a password without the recovery key.
window-help-key-lost = I cannot find my recovery key
window-help-key-lost-text = As long as you know the password, nothing is lost. Make a new one with “latchkey recovery new” in a terminal: the old key is switched off as soon as the new one has been proven, so a sheet that turns up in the wrong hands is worth nothing.
window-help-start = The computer does not start any more
window-help-start-text = Keep calm: an encrypted drive does not lose your files because the computer does not start. Check that the keyboard is plugged in and that Caps Lock is off. Start from the rescue stick, if you have one. Otherwise put the drive into another computer with Linux: the command on your recovery sheet opens it there.
window-help-interrupted = It was interrupted: the power went, or I closed the window
window-help-interrupted-text = That is foreseen at every moment. Start Latchkey again, or type “latchkey resume” and the name of the drive. Do not format anything and do not run repair programs before.
window-help-dying = The drive makes noises, is slow, or reports errors
window-help-dying-text = Stop and copy your files to another drive first, the most important ones first. An encryption reads every part of the drive, which a dying drive may not survive. Do not go on with it before you have a copy.
window-help-second = Somebody else needs to get in as well
window-help-second-text = Give each person a password of their own: “latchkey key add” and the name of the drive. It can be taken away again with “latchkey key remove”, without changing anybody else’s.
window-help-update = A system update or new firmware is due
window-help-update-text = With a password at start-up nothing changes: it is asked for as always. If the drive also opens with this computer’s security chip, have the recovery key at hand, because the chip may not recognise the computer after new firmware. Afterwards, check that your recovery key still opens the drive.
window-help-selling = I want to sell the computer or throw the drive away
window-help-selling-text = Copy what you need. Then “latchkey erase” and the name of the drive destroys the passwords, the recovery keys and the lock for ever; what is left is noise. On an SSD, use its own erase function as well. Destroy your sheets and sticks with the key.
window-help-slower = Will the computer be slower?
window-help-slower-text = Most people notice nothing. Latchkey measures before and after and shows you both, with how sure it is of the difference.
window-help-cannot = What Latchkey cannot do
window-help-cannot-text = It does not protect you while the computer is running and open, from a program that you started yourself, or from somebody who watches you type. It does not replace a backup: an encrypted drive breaks like any other. And it cannot help when both the password and every copy of the recovery key are lost.
window-help-safe = How do I know that it can be trusted?
window-help-safe-text = The result is LUKS2, a published format: the programs of every Linux open it without Latchkey, and our tests let them. Nothing is called protected that was not read from the drive again. Latchkey sends nothing over the network.

# Turning the drive’s own encryption off
window-give-back = Turn the drive’s own encryption off
window-give-back-text = The drive is given back as it was: every file stays, it asks for no password, and everybody who has it in hand can read it. Password and recovery key open nothing any more. This takes seconds. Have a backup: it is the drive’s own firmware that does it.
window-give-back-name = To go on, type the name of the drive: { $name }
window-give-back-password = Password or recovery key
window-give-back-do = Turn it off
window-give-back-blocked-name = Type the drive’s name exactly as it is shown.
window-give-back-blocked-password = Type your password or your recovery key.

## The system's own drive

window-system-missing-title = Something is missing before the system’s drive can be encrypted
window-system-missing-lead = The window itself may change nothing on this computer. A small service of Latchkey’s does it, and asks for permission first. It did not answer, or did not get that permission. Nothing has been changed.
window-system-ask-again = Try again
window-system-looking = Looking at how far it is…
window-system-looking-lead = One moment, please.
window-system-warnings = Please read and confirm
window-system-warnings-text = None of this stands in the way. But you should know it before it begins.
window-system-time = Preparing takes a few minutes, then comes one restart. After that it is encrypted in the background while you work, and this window says how long it will take.
window-system-permission = The computer will ask for an administrator’s password.
window-system-prepare = Prepare the test start
window-system-prepare-text = When the key is kept, the test start is prepared: that takes a few minutes. Your files stay as they are.
window-system-stick = A stick that helps in an emergency
window-system-stick-lead = From this stick the computer starts even if nothing else does. It repairs the encryption’s header, and needs your password or the recovery key for your files.
window-system-stick-choose = Which stick?
window-system-stick-choose-text = Everything on it will be deleted.
window-system-stick-none = Plug in a stick of at least 128 MB. It shows up here by itself.
window-system-stick-name = To confirm, type its name: { $name }
window-system-stick-write = Make the rescue stick
window-system-stick-written = The rescue stick was written, and every byte was read back.
window-system-stick-blocked = Make a rescue stick, or say that you want to go without one.
window-system-stick-skip-text = If the start of the computer breaks, you will then need another computer to make a stick.
window-system-room-title = Now restart the computer: the first of two times
window-system-room-lead = The files for starting need a partition of their own. The first restart makes room for it; nothing is encrypted yet.
window-system-room-asks = No password is asked for. The start takes a few minutes longer, and then all is as always.
window-system-room-then = After that the test start is prepared by itself. This window opens again and says when the second restart may come.
window-system-room-made-title = The room is made, and the test start is being prepared
window-system-room-made-lead = That takes a few minutes. Please do not restart the computer until this page says so.
window-system-restart-title = Now restart the computer once
window-system-restart-lead = Everything is prepared, and nothing is encrypted yet. The restart shows whether your password works on the real start-up screen.
window-system-restart-what = This is going to happen
window-system-restart-asks = While starting, the computer asks for your password: “Please unlock disk …”. You have three tries.
window-system-restart-right = If it is right, the computer takes a few minutes longer this time. Then it encrypts in the background while you work.
window-system-restart-wrong = If it is wrong, or nobody types anything for ten minutes, the computer starts as always. Nothing will have been changed.
window-system-restart-after = Afterwards this window opens again and says what happened.
window-system-restart-save = Save your open documents first.
window-system-restart-now = Restart now
window-system-later = Later
window-system-later-text = That is fine. The test comes with the next start, whenever that is. You can close this window.
window-system-not-the-test = The computer has been started, but not with the test: another entry was chosen. It is still prepared.
window-system-tidying = The rest of the test is being taken away. That takes a minute or two.
window-system-no-password-title = The password did not open it
window-system-no-password-lead = Three tries at the start were wrong, so the computer has started as always. Nothing was changed. Often the keyboard has another layout at the start than here. Latchkey can suggest a password whose letters lie on the same keys everywhere.
window-system-nothing-typed-title = Nobody typed a password
window-system-nothing-typed-lead = At the start nothing was typed, so the computer has started as always. Nothing was changed.
window-system-taken-back-title = Everything was put back as it was
window-system-taken-back-lead = The start with the encrypted drive did not get to its end, so the next one has put everything back. All your files are there.
window-system-failed-title = The test start did not work
window-system-failed-lead = Something went wrong before anything was changed, and the computer has started as always.
window-system-try-again = Prepare it again
window-system-leave = Leave it as it is
window-system-take-back = Take everything back
window-system-take-back-title = Changed your mind?
window-system-take-back-text = As long as nothing is encrypted, one click takes everything back. That takes a minute or two.
window-system-undone-title = Restart once, and all is as it was
window-system-undone-lead = Nothing is encrypted. The next start puts everything back, before the system is up.
window-system-placed-title = The test start has worked
window-system-placed-lead = Your password has opened the drive at the start. Nothing is encrypted yet; it begins in a moment, or when you say so.
window-system-begin = Start encrypting
window-system-passed = The test start has worked: your password has opened the drive.
window-system-running-title = The system’s drive is being encrypted
window-system-running-lead = Go on working as usual. You can close this window, restart or switch off: it goes on with the next start.
window-system-paused-title = Paused
window-system-paused-lead = What is done is safe. It stays paused until you go on, also after a restart.
window-system-needs-password-lead = Nobody has typed the password since the computer was started. Type it to go on.
window-system-ending-title = Almost done
window-system-ending-lead = All is encrypted. The system is being made ready for its next start; please leave the computer on for a few minutes.
window-system-prove-title = All is encrypted. Switch off once to prove it
window-system-prove-lead = The drive counts as protected when a start from power-off has been seen. Switch the computer off, switch it on, type your password. This window then opens again.
window-system-switch-off = Switch off now
window-system-restart-instead = Restart instead
window-system-back-title = The next start takes the encryption away
window-system-back-lead = The next start asks for your password and decrypts everything before the system is up. With a large drive that takes hours; the power may go meanwhile.
window-system-stay = Stay encrypted
window-system-plain-title = Everything is decrypted
window-system-plain-lead = All your files are there. The system is being made ready for its next start.
window-system-report-seen = A start after the end of the encryption was seen, with your password.
window-system-decrypt = Take the encryption away again
window-system-decrypt-text = The next start asks for your password and decrypts everything before the system is up. That can take hours. All files stay.
window-system-decrypt-do = Prepare the way back

## Looking after a protected drive

window-manage-do = Manage
window-manage-title = Manage { $name }
window-manage-lead = What you may want to do in the days and years after. Nothing here has to be done today, and each change is tried on the drive before it counts.
window-manage-open = Open it first
window-manage-open-text = Whoever changes something shows first that they may. It is forgotten again when you leave this page.
window-manage-open-do = Open
window-manage-opened = Opened with: { $kind }. It is forgotten when you leave this page.
window-manage-closed = Open the drive above first.
window-manage-own = Just used to open it
window-manage-people = Password and people
window-manage-people-text = Each of these opens the drive by itself.
window-manage-key = { $kind } (no. { $keyslot })
window-manage-remove = Take away
window-manage-remove-label = Take away: { $name }
window-manage-remove-sure = Yes, it shall open the drive no more
window-manage-keep = No, keep it
window-manage-change = Change the password
window-manage-change-text = The new password takes the place of the one that you have just typed. The old one goes when the new one has opened the drive.
window-manage-change-do = Change it
window-manage-forgotten = I have forgotten the password: choose a new one
window-manage-forgotten-text = You have opened the drive with the recovery key. Choose a new password; the forgotten one can be taken away in the list above afterwards.
window-manage-forgotten-do = Set it
window-manage-add = Let somebody else in, too
window-manage-add-text = A second person gets a password of their own. They type it here; you need not know it, and it can be taken away again.
window-manage-add-do = Let them in
window-manage-chip = Open it without typing
window-manage-chip-text = Your password and the recovery key still work beside it. For the computer to use it at the start, the drive’s line in /etc/crypttab has to name the chip.
window-manage-chip-tpm2 = With this computer’s security chip (TPM)
window-manage-chip-tpm2-text = The drive then opens by itself in this computer. Whoever has the whole computer needs no password either: the sign-in is the only lock left.
window-manage-chip-fido2 = With a security key (FIDO2)
window-manage-chip-fido2-text = Plug it in, press this button, and touch the key when it blinks. Whoever has the key in hand can open the drive.
window-manage-recovery = Recovery key
window-manage-recovery-text = For the day when the password is forgotten. A copy is worth something when it has been tried.
window-manage-copy = { $place }, key { $keyid }
window-manage-copy-dates = Made on { $made_day }, last tried on { $day }
window-manage-no-copies = This computer knows of no copy. Check yours here, and it takes note of it (never of the key).
window-manage-check = Check a copy
window-manage-check-text = Does the key on your sheet or stick still open this drive? Nothing is changed by trying.
window-manage-check-type = Type it from the sheet
window-manage-typing-hint = Eight letters and then the two check letters beside them: each group is checked as you type. On a sheet without check letters, eight letters are enough.
window-manage-group-wrong = Group { $number } is not right: a letter was misread or two were swapped. Compare it with the sheet.
window-manage-stop = Stop typing
window-manage-another = Make another copy
window-manage-another-text = Of the key { $keyid }, which has just opened the drive.
window-manage-new-key = Make a new recovery key
window-manage-new-key-text = For when a copy was lost or seen by somebody. The old key works until the new one has been saved, read back and has opened the drive; then all old copies are worth nothing.
window-manage-header = A copy of the header
window-manage-header-text = The first part of the drive holds the locks. If it is ever damaged, this copy brings them back. It opens nothing without the password or the recovery key.
window-manage-leaving = When you no longer need it
window-manage-turn-off = Turn the encryption off
window-manage-turn-off-text = Every file stays. Afterwards, everybody who has the drive in hand can read it. It takes about as long as encrypting did, and a power cut in the middle loses nothing.
window-manage-turn-off-sure = Yes, make it readable for everybody
window-manage-turning = The encryption is being turned off
window-manage-turning-text = It was begun and not finished. What is done is safe, and it goes on from there. Until then the drive is only partly protected.
window-manage-sell = Before selling or throwing it away
window-manage-sell-text = Copy what you need first. This destroys every password, every recovery key and the lock itself, for ever: what is left is noise that nobody can read, you included. It takes a second. On an SSD, use its own erase function as well.
window-manage-sell-do = Destroy all ways in
