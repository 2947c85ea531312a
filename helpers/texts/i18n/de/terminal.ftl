### Im Terminal gesagt, wo kein Fenster ist

desktop-no-window = latchkey-desktop: Es lässt sich kein Fenster öffnen: { $detail }
    Starten Sie es in einer grafischen Sitzung. Im Terminal allein gibt es „latchkey --help“.
desktop-no-drawing = latchkey-desktop: WEBKIT_DISABLE_DMABUF_RENDERER ließ sich nicht setzen: { $detail }
    Bleibt das Fenster leer, setzen Sie es selbst auf 1 und starten Sie noch einmal.
desktop-no-interrupt = latchkey-desktop: Strg-C lässt sich nicht abfangen: { $detail }
    Schließen Sie zum Beenden das Fenster: Dann hält es an einer Stelle an, von der es weitergeht.
