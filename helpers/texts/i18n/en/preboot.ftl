# What stands on the screen before the system starts. It must fit on 80 by 25 letters.

preboot-title = Latchkey
preboot-looking = Looking for the drives ...
preboot-drive = The drive { $drive } is locked.
preboot-password = Password:
preboot-recovery = Recovery key:
preboot-help =
    F2: keyboard ({ $layout })    F3: Deutsch
    F4: password / recovery key   F5: switch off
preboot-caps-lock = Caps Lock is on.
preboot-checking = Checking ...
preboot-open = Open. The computer starts again, now with its own system.
preboot-partly = Not all drives have this password. These are still locked; they may have another one.
preboot-wrong =
    { $left ->
        [one] That is wrong. You have one more try, then there is a pause.
       *[other] That is wrong. You have { $left } more tries, then there is a pause.
    }
preboot-wait = That was wrong three times. The next try is possible in { $seconds }.
preboot-again = Try again. Caps Lock or another keyboard layout (F2) are often to blame.
preboot-power-off = The drive looks at no password any more until it was without power. Switch the computer off, wait ten seconds, and switch it on again.
preboot-nothing = No locked drive was found.
preboot-enter-or-off = Enter: start again    F5: switch off
preboot-switching-off = Switching off ...
