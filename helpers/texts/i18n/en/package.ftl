# What is said by the packages of Linux: in lists of software, and by the script that runs before they are removed.

package-summary = Encrypts a laptop or a drive, step by step
package-generic-name = Drive encryption
package-about = Latchkey says in one sentence whether each drive of a computer is protected, and then goes the whole way to encryption with you: password, recovery key, rescue stick, a test start, and the encryption itself, with all files in place.
package-about-kept = Nothing is lost when the power goes: it continues where it stopped. Other programs such as cryptsetup can open what Latchkey makes, so nobody depends on it.
package-about-practice = A practice drive shows the whole way without any risk.
package-keywords = encryption;LUKS;BitLocker;Opal;password;recovery key;

package-removal-system = Latchkey was not removed, and nothing was changed: the encryption of this computer’s system drive is prepared or under way, and its way to the end and back needs Latchkey. “latchkey status /” says how far it is, and “latchkey undo /” takes a preparation back. When it has come to its end, start the computer once more, and then remove Latchkey.
package-removal-drive = Latchkey was not removed, and nothing was changed: at each start it opens an encrypted drive, and without it the start could come to a halt. For each of these drives, “latchkey opal at-start --off DRIVE” ends that. Then remove Latchkey again.
package-removal-running = Latchkey was not removed, and nothing was changed: it is running. Close its window, and let an encryption come to its end or stop it with “latchkey pause DRIVE”. Then remove Latchkey again.
