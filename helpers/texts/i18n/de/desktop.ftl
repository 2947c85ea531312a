### Was das Programm selbst zu sagen hat. Alles andere kommt vom Assistenten.

fault-desktop-closing = Latchkey wird gerade geschlossen.
    .next = Öffnen Sie es wieder: Es macht dort weiter, wo es aufgehört hat.
fault-desktop-broken = Ein Teil von Latchkey hat unerwartet aufgehört.
    .next = Schließen Sie das Fenster und öffnen Sie es wieder. Nichts ist verloren: Es geht dort weiter, wo es aufgehört hat.
fault-desktop-no-randomness = Das System hat keine Zufallszahlen.
    .next = Starten Sie den Computer neu und versuchen Sie es noch einmal, oder denken Sie sich selbst ein Passwort aus.
fault-desktop-language = Diese Sprache gibt es in Latchkey nicht.
    .next = Wählen Sie eine von denen, die angeboten werden.
fault-desktop-language-kept = Ihre Sprache konnte nicht gespeichert werden.
    .next = Sie gilt, bis Sie das Fenster schließen. Prüfen Sie, ob auf dem Systemlaufwerk noch Platz ist.

## Im Terminal gesagt, wo kein Fenster ist

desktop-no-window = latchkey-desktop: Es lässt sich kein Fenster öffnen: { $detail }
    Starten Sie es in einer grafischen Sitzung. Im Terminal allein gibt es „latchkey --help“.
desktop-no-drawing = latchkey-desktop: WEBKIT_DISABLE_DMABUF_RENDERER ließ sich nicht setzen: { $detail }
    Bleibt das Fenster leer, setzen Sie es selbst auf 1 und starten Sie noch einmal.
desktop-no-interrupt = latchkey-desktop: Strg-C lässt sich nicht abfangen: { $detail }
    Schließen Sie zum Beenden das Fenster: Dann hält es an einer Stelle an, von der es weitergeht.
