### What the desktop program itself has to say. Everything else comes from the wizard.

fault-desktop-closing = Latchkey is being closed.
    .next = Open it again: it goes on where it stopped.
fault-desktop-broken = A part of Latchkey stopped unexpectedly.
    .next = Close the window and open it again. Nothing is lost: it goes on where it stopped.
fault-desktop-no-randomness = The system has no random numbers to give.
    .next = Restart the computer and try again, or think of a password yourself.
fault-desktop-language = This language is not in Latchkey.
    .next = Choose one of those that are offered.
fault-desktop-language-kept = Your choice of language could not be kept.
    .next = It holds until you close the window. Check that there is space left on the system drive.

## Said at a terminal, where there is no window to say it in

desktop-no-window = latchkey-desktop: no window can be opened: { $detail }
    Start it in a desktop session. In a terminal alone there is “latchkey --help”.
desktop-no-drawing = latchkey-desktop: WEBKIT_DISABLE_DMABUF_RENDERER could not be set: { $detail }
    Should the window stay empty, set it to 1 yourself and start it again.
desktop-no-interrupt = latchkey-desktop: Ctrl-C cannot be caught: { $detail }
    Close the window to end it: then it stops at a place that it goes on from.
