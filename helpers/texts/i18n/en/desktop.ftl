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
