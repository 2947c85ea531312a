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
