# What the prompt before the system starts says and shows.

cli-prompt-usual = At the start, the password for { $name } is asked for with the distribution’s own words.
cli-prompt-own = At the start, this is said above the question for the password of { $name }: { $text }
cli-prompt-decoy = At the start, the screen says “{ $text }” and waits for the password of { $name }. Enter alone brings the usual question.
cli-prompt-edited = Somebody has changed { $path }. It is in use at each start, and what it does is not known here. “latchkey prompt set” makes it anew.
cli-prompt-dots = A dot is shown for each letter that is typed.
cli-prompt-nothing = Nothing is shown of what is typed.
cli-prompt-why-own = Everybody who switches the computer on reads “{ $text }”: write what helps somebody who finds it, such as a telephone number, and nothing that helps to guess the password.
cli-prompt-why-decoy =
    The screen will say “{ $text }”, as if there were no system, and wait for the password without a word. Enter alone, or one wrong password, brings the usual question: tell whoever else uses the computer.
    It only puts off somebody who has a quick look. Whoever looks at the drive itself sees at once that it is encrypted.
cli-prompt-why-silent = Nothing will be shown of what is typed, not even dots. Nobody sees how long the password is, and you do not see a slip of the finger. Where a picture is shown at the start, it goes when the password is asked for.
cli-prompt-why-console = On a start without a picture, nothing is ever shown of what is typed: the distribution has it so.
cli-prompt-why-default = The prompt goes back to the distribution’s own words.
cli-prompt-ask = Set it so? What each kernel starts from is made anew, which takes some minutes. [y/N]
cli-prompt-working = Making anew what each kernel starts from, and looking into it. This takes some minutes.
cli-prompt-set = It is set, and was found in what each kernel starts from. You see it at the next start.

fault-boot-prompt-text-empty = The text is empty.
    .next = Give a text, or “--default” for the distribution’s own words.
fault-boot-prompt-text-long = The text has { $characters } characters, and a line at the start has room for { $most }.
    .next = Make it shorter. Nothing was changed.
fault-boot-prompt-text-character = The text has “{ $character }” in it, or at its beginning, which a screen at the start may not show or would take for a command.
    .next = Use letters of Western languages, digits and usual signs, without line breaks and backslashes. Nothing was changed.
fault-boot-prompt-text-secret = The text is a recovery key. Everybody who switches the computer on would read it.
    .next = Write something else, such as a telephone number. Nothing was changed.
fault-boot-prompt-plain = Nobody is asked for a password at the start: the running system does not lie on an encrypted volume.
    .next = Encrypt it first: latchkey encrypt /
fault-boot-prompt-several = The running system lies on more than one encrypted volume, and it cannot be told which prompt is meant.
    .next = Its prompts stay as they are.
fault-boot-prompt-initramfs = The prompt of this system is not the one of cryptsetup-initramfs ({ $name }), which alone can be given other words.
    .next = On Debian and Ubuntu with initramfs-tools, install cryptsetup-initramfs. Nothing was changed.
fault-boot-prompt-crypttab = /etc/crypttab has no line for { $name }, or more than one.
    .next = Put exactly one line for it there, as the distribution’s installer does, then try again. Nothing was changed.
fault-boot-prompt-key-file = The drive is opened with the file { $path } at the start: nobody is asked for a password.
    .next = There is no prompt that could say anything. Nothing was changed.
fault-boot-prompt-keyscript = /etc/crypttab lets another script ask for the password: { $path }
    .next = Take its “keyscript=” out of /etc/crypttab if it is not needed, then try again. Nothing was changed.
fault-boot-prompt-token = A chip or a service can open this drive at the start ({ $kind }), and the prompt belongs to it.
    .next = Take that key away first (latchkey key list), or leave the prompt as it is. Nothing was changed.
fault-boot-prompt-not-put-back = That has failed. /etc/crypttab is as it was, but what the kernels start from could not be made anew.
    .next = The computer starts as before or with the new prompt. See whether /boot is full, then run: update-initramfs -u -k all
