### Said at a terminal, where there is no window to say it in

desktop-no-window = latchkey-desktop: no window can be opened: { $detail }
    Start it in a desktop session. In a terminal alone there is “latchkey --help”.
desktop-no-drawing = latchkey-desktop: WEBKIT_DISABLE_DMABUF_RENDERER could not be set: { $detail }
    Should the window stay empty, set it to 1 yourself and start it again.
desktop-no-interrupt = latchkey-desktop: Ctrl-C cannot be caught: { $detail }
    Close the window to end it: then it stops at a place that it goes on from.
