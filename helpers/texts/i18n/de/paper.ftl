# Das Blatt mit dem Wiederherstellungsschlüssel auf Papier, und wie es zurückgelesen wird.

fault-paper-not-made = Die Seite mit dem Wiederherstellungsschlüssel ließ sich nicht anfertigen.
    .next = Schreiben Sie den Schlüssel stattdessen auf einen Stick und sagen Sie uns, was unter „Einzelheiten“ steht: Das ist ein Fehler in Latchkey.
fault-paper-no-code = In { $path } ist kein Wiederherstellungsschlüssel zu finden.
    .next = Fotografieren Sie noch einmal: die ganze Seite, bei gutem Licht, gerade von oben, das Quadrat mit dem Muster scharf. Oder tippen Sie den Schlüssel von der Seite ab.
fault-paper-damaged = { $path } lässt sich weder als Bild noch als PDF öffnen.
    .next = Scannen oder fotografieren Sie die Seite noch einmal, oder tippen Sie den Schlüssel ab.
fault-paper-too-large = { $path } ist größer als jeder Scan einer Seite (höchstens { $most_size }).
    .next = Wählen Sie die Datei mit der Seite allein, als PDF, PNG oder JPEG.
