# The page for the system’s own encryption: BitLocker and FileVault.

window-native-title = { $by } for { $name }
window-native-name-practice = the practice computer
window-native-name-mac = this Mac
window-native-by-bitlocker = BitLocker
window-native-by-filevault = FileVault
window-native-by-apfs = Encryption by macOS
window-native-lead-bitlocker = Windows encrypts this drive itself. You are led through it in the order that loses nothing: first a recovery key that is proven to be yours, then a test start, then the encryption, while you go on working.
window-native-lead-filevault = macOS encrypts this Mac itself. You are led through it, and the recovery key is saved and tried before anything relies on it.
window-native-lead-apfs = macOS encrypts this volume itself, with a password of its own.
window-native-lead-practice = This is a simulated Windows computer in a file. It behaves like a real one; nothing on this computer is encrypted or restarted.

window-native-look-title = Look how it stands
window-native-look-text = This program was started anew. To see how far it is, the system may ask you for administrator rights.
window-native-look-do = Look now

window-native-conditions = What was looked at
window-native-refused = A condition is not met, so nothing can be begun here. Nothing was changed.
window-native-able = What the drive can do by itself
window-native-method-software = Windows encrypts it with the processor.
window-native-method-hardware = The drive encrypts by itself, and Windows drives it.
window-native-choices = Other ways
window-native-choose-space = Encrypt only what is in use
window-native-choose-space-text = Faster, and right for a new drive. On a used one, deleted files stay readable in the gaps.
window-native-choose-pin = Ask for a PIN before Windows starts
window-native-choose-pin-text = Safer if somebody takes the whole computer: without the PIN it does not start. You type it at every start.
window-native-choose-hardware = Let the drive encrypt by itself
window-native-choose-hardware-text = A rule of Windows is set for it. Nobody but the maker can check how well the drive does it.

window-native-key-title = Recovery key
window-native-key-text = Windows asks for it when it cannot start by itself. Save it on a stick, or write it down and type it back: you go on when it was proven.
window-native-key-show = Show it, to be written down
window-native-key-id = Identifier
window-native-key-shown = Write down all eight groups and the identifier. Then type the groups back from paper.
window-native-key-typed = The 48 digits, from your paper
window-native-key-check = Check what I typed
window-native-key-blocked = All 48 digits are needed.
window-native-key-proven = The recovery key is proven:
window-native-key-again = You have a copy that works. A second one does no harm, best kept at another place.

window-native-begin-title = Begin
window-native-begin-test = Prepare the test start
window-native-begin-test-text = Nothing is encrypted yet. Windows tries the new way to start with one restart; only if that goes well does it begin.
window-native-begin-now = Begin to encrypt
window-native-begin-close = Finish it
window-native-begin-blocked-key = The recovery key is not proven yet.
window-native-blocked-backup = Please confirm above that you have a backup.
window-native-pin = New PIN, 6 to 20 digits
window-native-password = New password
window-native-repeat = The same once more
window-native-blocked-secret = Both fields are needed, and the same in both.
window-native-login = The password that you log in with
window-native-login-text = macOS makes the recovery key when it switches FileVault on. Choose where the key is saved; it is tried at once.
window-native-login-blocked = Your password is needed first.
window-native-apfs-text = There is no recovery key for this volume: whoever forgets the password has lost everything on it.

window-native-restart-title = The test start
window-native-restart-text = Save what is open, and restart. Nothing is encrypted before: if the start fails, Windows starts as always and says so here.
window-native-restart-do = Restart now
window-native-restart-practice = Restart the practice computer
window-native-restart-by-hand = Restart the computer in the way that you always do. This page opens again by itself.
window-native-take-back = Take it back

window-native-encrypting = Encrypting
window-native-decrypting = Decrypting
window-native-paused = Paused
window-native-going-text = You can work, close this window, or switch the computer off: it goes on by itself.
window-native-paused-text = What is done is safe. It goes on when you say so.

window-native-suspended-title = Switch the protection on again
window-native-suspended-text = All of it is encrypted, but the key lies openly on the drive, often since an update. One click closes it again.
window-native-suspended-do = Switch protection on
window-native-open-text = Windows has encrypted this drive by itself and waits for somebody to keep the recovery key. Nothing is encrypted anew.

window-native-protected-title = It is protected
window-native-protected-text = Without your password or the recovery key nobody reads it.
window-native-check-title = Does my recovery key still open it?
window-native-check-do = Choose the file of the key
window-native-copies = Copies of the recovery key:
window-native-copy-title = Save another copy of the recovery key
window-native-new-title = Make a new recovery key
window-native-new-text = The old one opens nothing any more, wherever its copies are.
window-native-off-title = Turn the encryption off
window-native-off-text = Everything is decrypted again and can be read by whoever has the drive. Your files stay as they are.
window-native-off-do = Turn it off
window-native-off-sure = Yes, decrypt everything
window-native-off-keep = No, leave it on

reason-notice-native-taken-back = What was prepared was taken away again. Nothing was encrypted.
reason-notice-native-key-opens = This is the right recovery key: it opens the drive today.

fault-native-gone = The part that speaks with the system has ended.
    .next = Look again. If it does not come back, start the program again; what was begun goes on by itself.
fault-native-restart = The computer could not be restarted from here.
    .next = Save what is open, and restart it in the way that you always do.
fault-native-no-sheet = This file is too large to be that of a recovery key.
    .next = Choose the text file that was saved with the key.
